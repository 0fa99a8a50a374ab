// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Block Lanczos for K^-1 M, with all vectors kept orthonormal in M: four at a time, so that equal
// frequencies are found as often as they are there.
#include "modes/basis.h"

#include "math/eigen.h"

#include <string.h>

enum { BLOCK = 4, MORE = 4, MAX_SPACE = 600 };
static const swReal accuracy = 1e-9; // of residuals, over 1 / lambda

typedef struct {
    const swFull *full;
    int n, count, room; // vectors
    int done;           // of which K^-1 M v is in the space
    swReal *V, *MV;     // [room][n]
    swReal *T;          // [room][room]: V^T M K^-1 M V
    swReal *A, *S, *value, *work;
} swLanczos;

static swReal *vector(const swLanczos *l, swReal *X, int i) { return X + (ptrdiff_t)i * l->n; }

// Makes the vector after the last orthonormal to all; what was left of it, or 0 if nothing was.
static swReal orthonormalise(swLanczos *l) {
    swReal *v = vector(l, l->V, l->count), *Mv = vector(l, l->MV, l->count);
    sw_full_mass(l->full, v, Mv);
    const swReal before = sqrt(sw_dot_n(l->n, v, Mv));
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < l->count; j++) {
            const swReal d = sw_dot_n(l->n, vector(l, l->MV, j), v), *x = vector(l, l->V, j);
            for (int i = 0; i < l->n; i++)
                v[i] -= d * x[i];
        }
    sw_full_mass(l->full, v, Mv);
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

// The image of the next vector: its column of T, and a new vector.
static void extend(swLanczos *l) {
    const int k = l->done++;
    swReal *w = vector(l, l->V, l->count);
    memcpy(w, vector(l, l->MV, k), (size_t)l->n * sizeof *w);
    sw_full_solve(l->full, w);
    for (int j = 0; j < l->count; j++)
        l->T[j * l->room + k] = l->T[k * l->room + j] = sw_dot_n(l->n, vector(l, l->MV, j), w);
    const swReal size = orthonormalise(l);
    if (size > 0) {
        l->T[l->count * l->room + k] = l->T[k * l->room + l->count] = size;
        l->count++;
    }
}

// The best in the space, the lowest last in `value`; true where the first `count` have converged.
static bool ritz(swLanczos *l, int count, bool *finite) {
    const int n = l->done;
    for (int i = 0; i < n; i++)
        memcpy(l->A + (ptrdiff_t)i * n, l->T + (ptrdiff_t)i * l->room, (size_t)n * sizeof *l->A);
    *finite = sw_eigen_symmetric(n, l->A, l->value, l->S, l->work);
    for (int c = 0; *finite && c < count; c++) {
        const swReal *s = l->S + (ptrdiff_t)(n - 1 - c) * n;
        swReal left = 0;
        for (int j = n; j < l->count; j++) {
            const swReal r = sw_dot_n(n, l->T + (ptrdiff_t)j * l->room, s);
            left += r * r;
        }
        if (!(sqrt(left) <= accuracy * l->value[n - 1 - c]))
            return false;
    }
    return *finite;
}

static bool iterate(swLanczos *l, int count, swError *error) {
    bool finite = true;
    start(l);
    while (l->done < l->count && l->count + 1 < l->room) {
        for (int k = 0; k < BLOCK && l->done < l->count && l->count + 1 < l->room; k++)
            extend(l);
        const bool all = l->done == l->count; // nothing is outside the space
        if ((l->done >= count + MORE || all) &&
            (ritz(l, sw_min_int(count, l->done), &finite) || all))
            return finite || sw_fail(error, SW_ERROR_NOT_FINITE, "the stiffness is not finite");
    }
    return sw_fail(error, SW_ERROR_NOT_CONVERGED, "%d vibrations were not found among %d vectors",
                   count, l->count);
}

bool sw_vibrations(const swFull *full, int count, swArena *arena, int *found, swReal **lambda,
                   swReal **shape, swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    const int room = sw_min_int(full->n, sw_min_int(MAX_SPACE, 8 * count + 40)) + 2;
    swLanczos l = {.full = full, .n = full->n, .room = room};
    const size_t square = (size_t)room * (size_t)room, all = (size_t)room * (size_t)full->n;
    bool ok = (l.V = SW_NEW(&scratch, all, swReal, error)) &&
              (l.MV = SW_NEW(&scratch, all, swReal, error)) &&
              (l.T = SW_NEW(&scratch, square, swReal, error)) &&
              (l.A = SW_NEW(&scratch, square, swReal, error)) &&
              (l.S = SW_NEW(&scratch, square, swReal, error)) &&
              (l.value = SW_NEW(&scratch, room, swReal, error)) &&
              (l.work = SW_NEW(&scratch, 2 * room, swReal, error)) && iterate(&l, count, error);
    *found = ok ? sw_min_int(count, l.done) : 0;
    ok = ok && (*lambda = SW_NEW(arena, *found, swReal, error)) &&
         (*shape = SW_NEW(arena, (size_t)*found * (size_t)full->n, swReal, error));
    for (int c = 0; ok && c < *found; c++) {
        const int at = l.done - 1 - c;
        (*lambda)[c] = 1 / l.value[at];
        for (int k = 0; k < l.done; k++) {
            const swReal s = l.S[(ptrdiff_t)at * l.done + k], *v = vector(&l, l.V, k);
            for (int i = 0; i < l.n; i++)
                (*shape)[(ptrdiff_t)c * l.n + i] += s * v[i];
        }
    }
    sw_arena_free(&scratch);
    return ok;
}
