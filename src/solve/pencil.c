// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Subspace iteration: X := (K + sigma M)^-1 M X, made orthonormal in M, then the best vectors in it
// by Rayleigh and Ritz. Of large bodies, Lanczos' method finds half of the vectors before, so that
// two or three turns are left; the others stay random to show what it may have missed. Motions
// without mass are left by the first of these steps. sigma makes the matrix positive definite: a
// little for bodies that are free, more for states that are unstable. A little on the diagonal goes
// with it for motions of the frames that move nothing at all; as the best vectors are those of K
// and M themselves, neither is in the result.
#include "solve/pencil.h"

#include "math/eigen.h"
#include "math/factor.h"
#include "math/lanczos.h"
#include "math/vec.h"

#include <string.h>

enum { MORE = 24, MAX_TURNS = 300, MAX_SHIFTS = 16, LARGE = 1000 }; // LARGE: unknowns
static const swReal accuracy = 1e-9;                                // of lambda
static const swReal first_shift = 1e-10;                            // of stiffness over mass
static const swReal diagonal_share = 1e-12;
static const swReal no_mass = 1e-13;      // of a motion, over that of its parts: all rounding
static const swReal no_stiffness = 1e-11; // the same

typedef struct {
    const swPencil *p;
    swReal sigma;
    swReal stiffness, mass; // the largest entries
    swBlocks S;             // K + sigma M and a little on the diagonal
    swFactor factor;        // of S
    swReal *dK, *dM;        // diagonals
    swReal *X, *Y;          // [size][n]
    swReal *image;          // n
    swReal *R, *V, *value, *last, *work;
    int size; // vectors in use
    swArena *arena;
} swSubspace;

bool sw_pencil_create(swPencil *p, swPattern pattern, const int *size, swArena *arena,
                      swError *error) {
    *p = (swPencil){0};
    if (!sw_blocks_create(&p->K, pattern, size, arena, error) ||
        !sw_blocks_create(&p->M, pattern, size, arena, error))
        return false;
    p->n = sw_blocks_rows(&p->K);
    return true;
}

// ---- the matrices ----

// S := K + sigma M and a little on the diagonal, and its factors; false where it is not clearly
// positive.
static bool factor(swSubspace *s) {
    const swPencil *p = s->p;
    const swReal least = diagonal_share * (s->stiffness + s->sigma * s->mass);
    for (int64_t i = 0; i < s->S.count; i++)
        s->S.value[i] = p->K.value[i] + s->sigma * p->M.value[i];
    for (int i = 0; i < p->n; i++)
        s->image[i] = least * p->length[i] * p->length[i];
    sw_blocks_add_diagonal(&s->S, s->image);
    sw_blocks_diagonal(&s->S, s->image);
    return sw_factor_compute(&s->factor, &s->S, 0, 1e-13, s->image);
}

static void mass(const void *data, const swReal *x, swReal *y) {
    const swSubspace *s = data;
    sw_blocks_multiply(&s->p->M, x, y);
}

static void solve(const void *data, swReal *x) {
    const swSubspace *s = data;
    sw_factor_solve(&s->factor, &s->S, x);
}

// The smallest shift that serves.
static bool factor_shifted(swSubspace *s, swError *error) {
    const swPencil *p = s->p;
    for (int i = 0; i < p->n; i++) {
        const swReal square = p->length[i] * p->length[i];
        s->stiffness = sw_max(s->stiffness, fabs(s->dK[i]) / square);
        s->mass = sw_max(s->mass, s->dM[i] / square);
    }
    if (!(s->mass > 0)) // nothing can vibrate
        return true;
    s->sigma = s->stiffness > 0 ? first_shift * s->stiffness / s->mass : 1;
    for (int i = 0; i < MAX_SHIFTS && sw_pool_goes_on(p->pool); i++, s->sigma *= 10)
        if (factor(s))
            return true;
    if (sw_pool_stopped(p->pool))
        return sw_fail_stopped(error);
    return sw_fail(error, SW_ERROR_NOT_CONVERGED,
                   "a motion of the frames without mass is unstable: there are no frequencies");
}

// ---- the subspace ----

static swReal *vector(const swSubspace *s, swReal *X, int i) { return X + (ptrdiff_t)i * s->p->n; }

// sum of (|A_ii| + least) x_i^2: what x^T A x would be without anything cancelling. `least` is of
// unknowns that have nothing of A.
static swReal size_of(const swPencil *p, const swReal *diagonal, swReal least, const swReal *x) {
    swReal sum = 0;
    for (int i = 0; i < p->n; i++) {
        const swReal moved = p->length[i] * x[i];
        sum += fabs(diagonal[i]) * x[i] * x[i] + least * moved * moved;
    }
    return sum;
}

// x^T M x = 1; false where x moves no mass.
static bool normalise(const swSubspace *s, swReal *x) {
    mass(s, x, s->image);
    const swReal square = sw_dot_n(s->p->n, x, s->image);
    if (!(square > no_mass * size_of(s->p, s->dM, 1e-6 * s->mass, x)) || !isfinite(square))
        return false;
    for (int i = 0; i < s->p->n; i++)
        x[i] /= sqrt(square);
    return true;
}

// X^T M X = 1. Vectors without mass are left out.
static void orthonormalise(swSubspace *s, swReal *X) {
    const int n = s->p->n;
    int count = 0;
    for (int i = 0; i < s->size; i++) {
        swReal *x = vector(s, X, count);
        if (i > count)
            memcpy(x, vector(s, X, i), (size_t)n * sizeof *x);
        bool ok = normalise(s, x);
        for (int pass = 0; ok && pass < 3; pass++) {
            mass(s, x, s->image);
            for (int j = 0; j < count; j++) {
                const swReal *other = vector(s, X, j), dot = sw_dot_n(n, other, s->image);
                for (int k = 0; k < n; k++)
                    x[k] -= dot * other[k];
            }
            ok = normalise(s, x);
        }
        count += ok;
    }
    s->size = count;
}

// X := the vectors in the space of Y that make x^T K x stationary, value: that, ascending.
static bool rayleigh_ritz(swSubspace *s) {
    const int n = s->p->n, size = s->size;
    for (int i = 0; i < size; i++) {
        sw_blocks_multiply(&s->p->K, vector(s, s->Y, i), s->image);
        for (int j = 0; j <= i; j++)
            s->R[(ptrdiff_t)i * size + j] = s->R[(ptrdiff_t)j * size + i] =
                sw_dot_n(n, vector(s, s->Y, j), s->image);
    }
    if (!sw_eigen_symmetric(size, s->R, s->value, s->V, s->work))
        return false;
    memset(s->X, 0, (size_t)size * (size_t)n * sizeof *s->X);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            for (int k = 0; k < n; k++)
                vector(s, s->X, i)[k] += s->V[(ptrdiff_t)i * size + j] * vector(s, s->Y, j)[k];
    return true;
}

// Of the values, which come all together.
static swReal rounding(const swSubspace *s) {
    return 1e-13 * sw_max(fabs(s->value[0]), fabs(s->value[s->size - 1]));
}

// -1: unstable; 0: nothing resists, as far as rounding and forces that are left let one see; 1
static int sign_of(swSubspace *s, int i) {
    const swPencil *p = s->p;
    const swReal *x = vector(s, s->X, i);
    const swReal least = 1e-6 * s->stiffness + p->unbalanced / no_stiffness,
                 slack = no_stiffness * size_of(p, s->dK, least, x) + rounding(s);
    return fabs(s->value[i]) <= slack ? 0 : s->value[i] < 0 ? -1 : 1;
}

static int count_vibrations(swSubspace *s) {
    int count = 0;
    for (int i = 0; i < s->size; i++)
        count += sign_of(s, i) > 0;
    return count;
}

// Whether all up to the last one that is asked for stay as they are.
static bool converged(swSubspace *s, int count) {
    int found = 0;
    for (int i = 0; i < s->size && found < count; i++) {
        const swReal change = fabs(s->value[i] - s->last[i]);
        if (!(change <= accuracy * (fabs(s->value[i]) + s->sigma) + rounding(s)))
            return false;
        found += sign_of(s, i) > 0;
    }
    return true;
}

// Anything but smooth, but for what Lanczos' method finds.
static bool start(swSubspace *s, swError *error) {
    const int n = s->p->n;
    uint64_t seed = 1;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)s->size * n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        s->X[i] = ((swReal)(seed >> 40) / (1 << 24) - 0.5) / s->p->length[i % n];
    }
    if (n < LARGE || s->size == n)
        return true;
    swArena scratch;
    sw_arena_init(&scratch, &s->arena->allocator);
    const swSpectralMap map = {n, mass, solve, s, s->p->pool};
    swLanczosResult found;
    const bool ok = sw_lanczos(&map, s->size / 2, &scratch, &found, error);
    if (ok)
        memcpy(s->X, found.vector, (size_t)found.count * (size_t)n * sizeof *s->X);
    sw_arena_free(&scratch);
    return ok;
}

static bool iterate(swSubspace *s, int count, swError *error) {
    if (!start(s, error))
        return false;
    orthonormalise(s, s->X);
    for (int i = 0; i < s->size; i++)
        s->last[i] = INFINITY;
    for (int turn = 0; turn < MAX_TURNS; turn++) {
        for (int i = 0; i < s->size; i++) {
            if (!sw_pool_goes_on(s->p->pool))
                return sw_fail_stopped(error);
            mass(s, vector(s, s->X, i), vector(s, s->Y, i));
            solve(s, vector(s, s->Y, i));
        }
        orthonormalise(s, s->Y);
        if (!rayleigh_ritz(s))
            return sw_fail(error, SW_ERROR_NOT_FINITE, "the stiffness or mass is not finite");
        if (converged(s, count))
            return true;
        memcpy(s->last, s->value, (size_t)s->size * sizeof *s->last);
    }
    return sw_fail(error, SW_ERROR_NOT_CONVERGED, "the vibrations were not found in %d iterations",
                   MAX_TURNS);
}

static bool reserve(swSubspace *s, int size, swError *error) {
    const size_t n = (size_t)s->p->n, k = (size_t)size;
    s->size = size;
    return (s->X = SW_NEW(s->arena, k * n, swReal, error)) &&
           (s->Y = SW_NEW(s->arena, k * n, swReal, error)) &&
           (s->R = SW_NEW(s->arena, k * k, swReal, error)) &&
           (s->V = SW_NEW(s->arena, k * k, swReal, error)) &&
           (s->value = SW_NEW(s->arena, k, swReal, error)) &&
           (s->last = SW_NEW(s->arena, k, swReal, error)) &&
           (s->work = SW_NEW(s->arena, 2 * k, swReal, error));
}

// The matrices' own, which vectors of any number go with.
static bool prepare(swSubspace *s, swError *error) {
    const swPencil *p = s->p;
    s->S = p->K;
    if (!(s->S.value = SW_NEW(s->arena, p->K.count, swReal, error)) ||
        !sw_factor_plan(&s->factor, &s->S, SW_FACTOR_SPARSE, NULL, s->arena, error) ||
        !sw_factor_allocate(&s->factor, s->arena, error) ||
        !(s->image = SW_NEW(s->arena, p->n, swReal, error)) ||
        !(s->dK = SW_NEW(s->arena, p->n, swReal, error)) ||
        !(s->dM = SW_NEW(s->arena, p->n, swReal, error)))
        return false;
    s->factor.pool = p->pool;
    sw_blocks_diagonal(&p->K, s->dK);
    sw_blocks_diagonal(&p->M, s->dM);
    return factor_shifted(s, error);
}

static bool keep(swSubspace *s, int count, swArena *arena, swSpectrum *out, swError *error) {
    const size_t n = (size_t)s->p->n;
    const int most = sw_min_int(count, s->size);
    *out = (swSpectrum){.lambda = SW_NEW(arena, most, swReal, error),
                        .shape = SW_NEW(arena, (size_t)most * n, swReal, error)};
    if (!out->lambda || !out->shape)
        return false;
    for (int i = 0; i < s->size && out->count < count; i++) {
        const int sign = sign_of(s, i);
        out->unstable += sign < 0;
        out->rigid += sign == 0;
        if (sign <= 0)
            continue;
        memcpy(out->shape + (size_t)out->count * n, vector(s, s->X, i), n * sizeof *out->shape);
        out->lambda[out->count++] = s->value[i];
    }
    return true;
}

bool sw_pencil_solve(const swPencil *p, int count, swArena *arena, swSpectrum *out,
                     swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    swSubspace s = {.p = p, .arena = &scratch};
    bool ok = prepare(&s, error);
    int size = sw_min_int(p->n, 2 * count + MORE);
    for (bool more = s.mass > 0; ok && more; size = sw_min_int(p->n, 2 * size)) {
        ok = reserve(&s, size, error) && iterate(&s, count, error);
        // Many motions without stiffness leave little room for others.
        more = ok && count_vibrations(&s) < count && size < p->n && s.size == size;
    }
    ok = ok && keep(&s, count, arena, out, error);
    sw_arena_free(&scratch);
    return ok;
}
