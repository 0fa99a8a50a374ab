// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Block Lanczos with all vectors kept orthonormal in M. It works on eight vectors at a time, so
// that repeated eigenvalues, such as the six of the rigid motions of a free body, are found with
// their full multiplicity.
#include "math/lanczos.h"

#include "math/eigen.h"
#include "math/vec.h"

#include <string.h>

enum { BLOCK = 8, MORE = 4, MAX_SPACE = 600 };
static const swReal accuracy = 1e-9;  // of residuals, relative to their eigenvalue
static const swReal rounding = 1e-14; // of residuals, relative to the largest eigenvalue

typedef struct {
    const swSpectralMap *map;
    int n, count, room; // length of a vector; number of vectors, now and at most
    int done;           // vectors v for which S^-1 M v is in the space
    swReal *V, *MV;     // [room][n]
    swReal *T;          // [room][room]: V^T M S^-1 M V
    swReal *A, *S, *value, *work;
} swLanczos;

static swReal *vector(const swLanczos *l, swReal *X, int i) { return X + (ptrdiff_t)i * l->n; }

// Makes the vector after the last one orthonormal to all others. Returns the norm of what was left
// of it, or 0 if nothing was.
static swReal orthonormalise(swLanczos *l) {
    swReal *v = vector(l, l->V, l->count), *Mv = vector(l, l->MV, l->count);
    l->map->mass(l->map->data, v, Mv);
    const swReal before = sqrt(sw_dot_n(l->n, v, Mv));
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < l->count; j++) {
            const swReal d = sw_dot_n(l->n, vector(l, l->MV, j), v), *x = vector(l, l->V, j);
            for (int i = 0; i < l->n; i++)
                v[i] -= d * x[i];
        }
    l->map->mass(l->map->data, v, Mv);
    const swReal size = sqrt(sw_dot_n(l->n, v, Mv));
    if (!(size > 1e-12 * before) || !isfinite(size))
        return 0;
    for (int i = 0; i < l->n; i++) {
        v[i] /= size;
        Mv[i] /= size;
    }
    return size;
}

static void start(swLanczos *l) {
    uint64_t seed = 1;
    for (int k = 0; k < BLOCK && l->count < l->room; k++) {
        swReal *v = vector(l, l->V, l->count);
        for (int i = 0; i < l->n; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            v[i] = (swReal)(seed >> 40) / (1 << 24) - 0.5;
        }
        l->count += orthonormalise(l) > 0;
    }
}

// Adds the image of the next vector: its column of T, and a new vector.
static void extend(swLanczos *l) {
    const int k = l->done++;
    swReal *w = vector(l, l->V, l->count);
    memcpy(w, vector(l, l->MV, k), (size_t)l->n * sizeof *w);
    l->map->solve(l->map->data, w);
    for (int j = 0; j < l->count; j++)
        l->T[j * l->room + k] = l->T[k * l->room + j] = sw_dot_n(l->n, vector(l, l->MV, j), w);
    const swReal size = orthonormalise(l);
    if (size > 0) {
        l->T[l->count * l->room + k] = l->T[k * l->room + l->count] = size;
        l->count++;
    }
}

// Computes the Ritz values in the space, the largest last in `value`, and whether the largest
// `count` have converged.
static bool ritz(swLanczos *l, int count, bool *converged, swError *error) {
    const int n = l->done;
    for (int i = 0; i < n; i++)
        memcpy(l->A + (ptrdiff_t)i * n, l->T + (ptrdiff_t)i * l->room, (size_t)n * sizeof *l->A);
    if (!sw_eigen_symmetric(n, l->A, l->value, l->S, l->work))
        return sw_fail(error, SW_ERROR_NOT_FINITE, "the stiffness or mass is not finite");
    *converged = true;
    for (int c = n - 1; *converged && c >= n - count; c--) {
        swReal left = 0;
        for (int j = n; j < l->count; j++) {
            const swReal r = sw_dot_n(n, l->T + (ptrdiff_t)j * l->room, l->S + (ptrdiff_t)c * n);
            left += r * r;
        }
        *converged = sqrt(left) <= accuracy * l->value[c] + rounding * l->value[n - 1];
    }
    return true;
}

static bool iterate(swLanczos *l, int count, bool *converged, swError *error) {
    start(l);
    bool all = l->count == 0, room = true; // all: the space contains everything
    while (!*converged && !all && room) {
        for (int k = 0; k < BLOCK && l->done < l->count && l->count + 1 < l->room; k++) {
            if (!sw_pool_goes_on(l->map->pool))
                return sw_fail_stopped(error);
            extend(l);
        }
        all = l->done == l->count;
        room = l->count + 1 < l->room;
        if ((l->done >= count + MORE || all || !room) &&
            !ritz(l, sw_min_int(count, l->done), converged, error))
            return false;
    }
    *converged = *converged || all;
    return true;
}

static bool keep(swLanczos *l, int count, swArena *arena, swLanczosResult *out, swError *error) {
    out->count = sw_min_int(count, l->done);
    out->value = SW_NEW(arena, out->count, swReal, error);
    out->vector = SW_NEW(arena, (size_t)out->count * (size_t)l->n, swReal, error);
    if (!out->value || !out->vector)
        return false;
    for (int c = 0; c < out->count; c++) {
        const int at = l->done - 1 - c;
        swReal *x = vector(l, out->vector, c);
        out->value[c] = l->value[at];
        for (int k = 0; k < l->done; k++) {
            const swReal s = l->S[(ptrdiff_t)at * l->done + k], *v = vector(l, l->V, k);
            for (int i = 0; i < l->n; i++)
                x[i] += s * v[i];
        }
    }
    return true;
}

static bool attempt(const swSpectralMap *map, int count, int room, swArena *arena,
                    swLanczosResult *out, swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    swLanczos l = {.map = map, .n = map->n, .room = room};
    const size_t square = (size_t)room * (size_t)room, all = (size_t)room * (size_t)map->n;
    *out = (swLanczosResult){0};
    const bool ok = (l.V = SW_NEW(&scratch, all, swReal, error)) &&
                    (l.MV = SW_NEW(&scratch, all, swReal, error)) &&
                    (l.T = SW_NEW(&scratch, square, swReal, error)) &&
                    (l.A = SW_NEW(&scratch, square, swReal, error)) &&
                    (l.S = SW_NEW(&scratch, square, swReal, error)) &&
                    (l.value = SW_NEW(&scratch, room, swReal, error)) &&
                    (l.work = SW_NEW(&scratch, 2 * room, swReal, error)) &&
                    iterate(&l, count, &out->converged, error) &&
                    keep(&l, count, arena, out, error);
    sw_arena_free(&scratch);
    return ok;
}

bool sw_lanczos(const swSpectralMap *map, int count, swArena *arena, swLanczosResult *out,
                swError *error) {
    // Clustered eigenvalues take more room.
    const int most = sw_min_int(map->n, MAX_SPACE);
    for (int room = sw_min_int(most, 8 * count + 40);; room = sw_min_int(most, 3 * room)) {
        if (!attempt(map, count, room + 2, arena, out, error))
            return false;
        if (out->converged || room == most)
            return true;
    }
}
