// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Subspace iteration: X := (K + sigma M)^-1 M X, made orthonormal in M, then the best vectors in it
// by Rayleigh and Ritz. Motions without mass are left by the first of these steps. sigma makes the
// matrix positive definite: a little for bodies that are free, more for states that are unstable.
// A little on the diagonal goes with it for motions of the frames that move nothing at all; as the
// best vectors are those of K and M themselves, neither is in the result.
#include "solve/pencil.h"

#include "math/cholesky.h"
#include "math/eigen.h"
#include "math/vec.h"

#include <string.h>

enum { MORE = 24, MAX_TURNS = 300, MAX_SHIFTS = 16 };
static const swReal accuracy = 1e-9;     // of lambda
static const swReal first_shift = 1e-10; // of stiffness over mass
static const swReal diagonal_share = 1e-12;
static const swReal no_mass = 1e-13;      // of a motion, over that of its parts: all rounding
static const swReal no_stiffness = 1e-11; // the same

typedef struct {
    const swPencil *p;
    swReal sigma;
    swReal stiffness, mass; // the largest entries
    swReal *L;              // factors of the shifted matrix
    swReal *X, *Y;          // [size][n]
    swReal *image;          // n
    swReal *S, *V, *value, *last, *work;
    int size; // vectors in use
} swSubspace;

bool sw_pencil_create(swPencil *p, int n, swArena *arena, swError *error) {
    *p = (swPencil){.n = n, .stride = sw_cholesky_stride(n)};
    const size_t entries = (size_t)n * (size_t)p->stride;
    p->K = SW_NEW(arena, entries, swReal, error);
    p->M = SW_NEW(arena, entries, swReal, error);
    return p->K && p->M;
}

// ---- the matrices ----

static swReal diagonal(const swPencil *p, const swReal *A, int i) {
    return A[(ptrdiff_t)i * p->stride + i];
}

// y := A x
static void multiply(const swPencil *p, const swReal *A, const swReal *x, swReal *y) {
    for (int i = 0; i < p->n; i++) {
        const swReal *row = A + (ptrdiff_t)i * p->stride;
        swReal sum = row[i] * x[i];
        for (int j = 0; j < i; j++) {
            sum += row[j] * x[j];
            y[j] += row[j] * x[i];
        }
        y[i] = sum;
    }
}

// L := factors of K + sigma M and a little on the diagonal, false where that is not clearly
// positive.
static bool factor(swSubspace *s) {
    const swPencil *p = s->p;
    const swReal least = diagonal_share * (s->stiffness + s->sigma * s->mass);
    for (int i = 0; i < p->n; i++) {
        swReal *row = s->L + (ptrdiff_t)i * p->stride;
        for (int j = 0; j <= i; j++)
            row[j] =
                p->K[(ptrdiff_t)i * p->stride + j] + s->sigma * p->M[(ptrdiff_t)i * p->stride + j];
        row[i] += least * p->length[i] * p->length[i];
        s->image[i] = row[i];
    }
    if (sw_cholesky_factor(p->n, p->n, s->L, p->stride) != p->n)
        return false;
    for (int i = 0; i < p->n; i++)
        if (!(diagonal(p, s->L, i) * diagonal(p, s->L, i) > 1e-13 * s->image[i]))
            return false;
    return true;
}

static void solve(const swSubspace *s, swReal *x) {
    sw_cholesky_solve(s->p->n, s->L, s->p->stride, x);
}

// The smallest shift that serves.
static bool factor_shifted(swSubspace *s, swError *error) {
    const swPencil *p = s->p;
    for (int i = 0; i < p->n; i++) {
        const swReal square = p->length[i] * p->length[i];
        s->stiffness = sw_max(s->stiffness, fabs(diagonal(p, p->K, i)) / square);
        s->mass = sw_max(s->mass, diagonal(p, p->M, i) / square);
    }
    if (!(s->mass > 0)) {
        s->size = 0; // nothing can vibrate
        return true;
    }
    s->sigma = s->stiffness > 0 ? first_shift * s->stiffness / s->mass : 1;
    for (int i = 0; i < MAX_SHIFTS; i++, s->sigma *= 10)
        if (factor(s))
            return true;
    return sw_fail(error, SW_ERROR_NOT_CONVERGED,
                   "a motion of the frames without mass is unstable: there are no frequencies");
}

// ---- the subspace ----

static swReal *vector(const swSubspace *s, swReal *X, int i) { return X + (ptrdiff_t)i * s->p->n; }

// sum of (|A_ii| + least) x_i^2: what x^T A x would be without anything cancelling. `least` is of
// unknowns that have nothing of A.
static swReal size_of(const swPencil *p, const swReal *A, swReal least, const swReal *x) {
    swReal sum = 0;
    for (int i = 0; i < p->n; i++) {
        const swReal moved = p->length[i] * x[i];
        sum += fabs(diagonal(p, A, i)) * x[i] * x[i] + least * moved * moved;
    }
    return sum;
}

// x^T M x = 1; false where x moves no mass.
static bool normalise(const swSubspace *s, swReal *x) {
    multiply(s->p, s->p->M, x, s->image);
    const swReal square = sw_dot_n(s->p->n, x, s->image);
    if (!(square > no_mass * size_of(s->p, s->p->M, 1e-6 * s->mass, x)) || !isfinite(square))
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
            multiply(s->p, s->p->M, x, s->image);
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
        multiply(s->p, s->p->K, vector(s, s->Y, i), s->image);
        for (int j = 0; j <= i; j++)
            s->S[(ptrdiff_t)i * size + j] = s->S[(ptrdiff_t)j * size + i] =
                sw_dot_n(n, vector(s, s->Y, j), s->image);
    }
    if (!sw_eigen_symmetric(size, s->S, s->value, s->V, s->work))
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
                 slack = no_stiffness * size_of(p, p->K, least, x) + rounding(s);
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

static bool iterate(swSubspace *s, int count, swError *error) {
    const int n = s->p->n;
    uint64_t seed = 1;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)s->size * n; i++) { // anything but smooth
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        s->X[i] = ((swReal)(seed >> 40) / (1 << 24) - 0.5) / s->p->length[i % n];
    }
    orthonormalise(s, s->X);
    for (int i = 0; i < s->size; i++)
        s->last[i] = INFINITY;
    for (int turn = 0; turn < MAX_TURNS; turn++) {
        for (int i = 0; i < s->size; i++) {
            multiply(s->p, s->p->M, vector(s, s->X, i), vector(s, s->Y, i));
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

static bool reserve(swSubspace *s, int size, swArena *arena, swError *error) {
    const size_t n = (size_t)s->p->n, k = (size_t)size;
    s->size = size;
    return (s->X = SW_NEW(arena, k * n, swReal, error)) &&
           (s->Y = SW_NEW(arena, k * n, swReal, error)) &&
           (s->S = SW_NEW(arena, k * k, swReal, error)) &&
           (s->V = SW_NEW(arena, k * k, swReal, error)) &&
           (s->value = SW_NEW(arena, k, swReal, error)) &&
           (s->last = SW_NEW(arena, k, swReal, error)) &&
           (s->work = SW_NEW(arena, 2 * k, swReal, error));
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
    swSubspace s = {.p = p};
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    s.L = SW_NEW(&scratch, (size_t)p->n * (size_t)p->stride, swReal, error);
    s.image = SW_NEW(&scratch, p->n, swReal, error);
    bool ok = s.L && s.image;
    int size = sw_min_int(p->n, 2 * count + MORE);
    for (bool more = ok; ok && more; size = sw_min_int(p->n, 2 * size)) {
        ok = reserve(&s, size, &scratch, error) && factor_shifted(&s, error) &&
             iterate(&s, count, error);
        // Many motions without stiffness leave little room for others.
        more = ok && count_vibrations(&s) < count && size < p->n && s.size == size;
    }
    ok = ok && keep(&s, count, arena, out, error);
    sw_arena_free(&scratch);
    return ok;
}
