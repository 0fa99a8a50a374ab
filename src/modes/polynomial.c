// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "modes/polynomial.h"

#include "math/tiles.h"

#include <string.h>

enum { BATCH = 32, COMPONENTS = 6, ROWS = 8 }; // points at a time; of a strain; rows per task

static int64_t whole(int64_t n) { return (n + SW_LANES - 1) / SW_LANES * SW_LANES; }

// Where the parts of the coefficients begin.
typedef struct {
    int64_t diagonal, A, B; // K is first
} swPolynomialLayout;

static swPolynomialLayout layout(int r) {
    const int64_t n = sw_modal_pairs(r);
    swPolynomialLayout l = {.diagonal = whole(n), .A = 2 * whole(n)};
    l.B = l.A + n * whole(r);
    return l;
}

int64_t sw_polynomial_scratch(int r) { return 3 * whole(sw_modal_pairs(r)) + 2 * whole(r); }

// ---- evaluation ----

static swReal dot(int64_t n, const swReal *a, const swReal *b) {
    swWide sum = sw_wide(0);
    for (int64_t i = 0; i < n; i += SW_LANES)
        sum = sw_wide_fma(sw_wide_load(a + i), sw_wide_load(b + i), sum);
    return sw_wide_sum(sum);
}

// y += s x
static void add_scaled(int64_t n, swReal s, const swReal *x, swReal *y) {
    const swWide w = sw_wide(s);
    for (int64_t i = 0; i < n; i += SW_LANES)
        sw_wide_store(y + i, sw_wide_fma(w, sw_wide_load(x + i), sw_wide_load(y + i)));
}

// The parts of the second derivative that are linear and quadratic in z, by pairs.
static void second(int r, const swReal *c, const swReal *z, const swReal *zz, swReal *linear,
                   swReal *quadratic) {
    const swPolynomialLayout l = layout(r);
    const int64_t n = sw_modal_pairs(r), width = whole(r);
    const swReal *row = c + l.B;
    memset(quadratic, 0, (size_t)whole(n) * sizeof *quadratic);
    for (int64_t p = 0; p < n; row += whole(p), p++) {
        linear[p] = dot(width, c + l.A + p * width, z);
        // rows are padded with zeros to whole vectors
        const swReal sum = dot(whole(p), row, zz);
        add_scaled(whole(p), zz[p], row, quadratic);
        quadratic[p] += sum + c[l.diagonal + p] * zz[p];
    }
}

// The forces due to a part of the second derivative that has degree k in z: H z / (k + 1).
static swReal add_part(int r, int k, const swReal *pair, const swReal *z, swReal *force,
                       swReal *g) {
    swReal energy = 0;
    memset(force, 0, (size_t)r * sizeof *force);
    for (int i = 0; i < r; i++)
        for (int j = 0; j <= i; j++) {
            const swReal h = pair[sw_modal_pair(i, j)];
            force[i] += h * z[j];
            if (j < i)
                force[j] += h * z[i];
        }
    for (int i = 0; i < r; i++) {
        const swReal f = force[i] / (k + 1);
        energy += f * z[i];
        if (g)
            g[i] += f;
    }
    return energy / (k + 2);
}

swReal sw_polynomial_add(int r, const swReal *c, const swReal *z, swReal *g, swReal *H, int stride,
                         swReal *scratch, swReal *size) {
    const int64_t n = sw_modal_pairs(r), room = whole(n);
    swReal *zz = scratch, *linear = zz + room, *quadratic = linear + room,
           *amplitude = quadratic + room, *force = amplitude + whole(r);
    memset(zz + n, 0, (size_t)(room - n) * sizeof *zz);
    memset(amplitude, 0, (size_t)whole(r) * sizeof *amplitude);
    memcpy(amplitude, z, (size_t)r * sizeof *z);
    for (int i = 0; i < r; i++)
        for (int j = 0; j <= i; j++)
            zz[sw_modal_pair(i, j)] = (i == j ? 0.5 : 1) * z[i] * z[j];
    second(r, c, amplitude, zz, linear, quadratic);
    const swReal *part[3] = {c, linear, quadratic};
    swReal energy = *size = 0;
    for (int k = 0; k < 3; k++) {
        const swReal own = add_part(r, k, part[k], z, force, g);
        energy += own;
        *size += fabs(own);
    }
    for (int i = 0; H && i < r; i++)
        for (int j = 0; j <= i; j++) {
            const int64_t p = sw_modal_pair(i, j);
            H[(ptrdiff_t)i * stride + j] += c[p] + linear[p] + quadratic[p];
        }
    return energy;
}

// ---- coefficients ----

void sw_modal_gradient(const swFull *f, const swBasis *basis, int tet, const swTetSample *p,
                       swReal *out) {
    const swTetMesh *mesh = f->body->mesh;
    const int k = sw_tet_vertices(mesh->order), r = basis->count, *v = sw_tets_at(mesh, tet);
    memset(out, 0, (size_t)(9 * r) * sizeof *out);
    for (int j = 0; j < r; j++)
        for (int a = 0; a < k; a++) {
            const swVec3 u = sw_full_at(f, basis->shape + (ptrdiff_t)j * f->n, v[a]);
            for (int e = 0; e < 9; e++)
                out[e * r + j] += sw_get(u, e / 3) * sw_get(p->dN[a], e % 3);
        }
}

// Strains of the basis at some points: first those linear in each z_j, then the products of all
// pairs. Q holds [row][component][point]; S holds the corresponding stresses times weights,
// negated.
typedef struct {
    int r;
    int64_t nrow;
    swReal *Q, *S;
    swReal *G; // [nrow][nrow]: minus the sums of Q S over all points, for j <= i
} swStrains;

static swReal *entry(swReal *Q, int64_t row, int component, int point) {
    return Q + (row * COMPONENTS + component) * BATCH + point;
}

// Stores a symmetric matrix as six numbers whose squares add up to the square of the matrix.
static void set_strain(swStrains *s, int64_t row, int point, swMat3 A, swReal mu, swReal lambda,
                       swReal weight) {
    const swReal h = sqrt(0.5), *m = A.m,
                 e[COMPONENTS] = {
                     m[0], m[4], m[8], h * (m[5] + m[7]), h * (m[2] + m[6]), h * (m[1] + m[3])};
    const swReal trace = lambda * (m[0] + m[4] + m[8]);
    for (int c = 0; c < COMPONENTS; c++) {
        *entry(s->Q, row, c, point) = e[c];
        *entry(s->S, row, c, point) = -weight * (2 * mu * e[c] + (c < 3 ? trace : 0));
    }
}

static void set_point(swStrains *s, int point, const swReal *D, swReal mu, swReal lambda,
                      swReal weight) {
    const int r = s->r;
    for (int i = 0; i < r; i++) {
        swMat3 A;
        for (int e = 0; e < 9; e++)
            A.m[e] = D[e * r + i];
        set_strain(s, i, point, A, mu, lambda, weight);
        for (int j = 0; j <= i; j++) { // D_i^T D_j
            swMat3 B;
            for (int e = 0; e < 9; e++)
                B.m[e] = D[e * r + j];
            set_strain(s, r + sw_modal_pair(i, j), point, sw_mat_mul(sw_mat_t(A), B), mu, lambda,
                       weight);
        }
    }
}

static void add_rows(int start, int end, int worker, void *arg) {
    const swStrains *s = arg;
    (void)worker;
    for (int i = start; i < end; i += ROWS) {
        const int count = sw_min_int(ROWS, end - i);
        const swRows Q = {s->Q + (int64_t)i * COMPONENTS * BATCH, COMPONENTS * BATCH, SW_LANES},
                     S = {s->S, COMPONENTS * BATCH, SW_LANES};
        sw_tiles_subtract(count, i + count, COMPONENTS * BATCH / SW_LANES, Q, S,
                          s->G + (int64_t)i * s->nrow, s->nrow);
    }
}

static bool add_points(swStrains *s, const swFull *f, const swBasis *basis, swPool *pool,
                       swArena *arena, swError *error) {
    const swTetBody *body = f->body;
    const size_t size = (size_t)s->nrow * COMPONENTS * BATCH;
    swReal *D = SW_NEW(arena, 9 * s->r, swReal, error);
    s->Q = SW_NEW(arena, size, swReal, error);
    s->S = SW_NEW(arena, size, swReal, error);
    s->G = SW_NEW(arena, s->nrow * s->nrow, swReal, error);
    if (!D || !s->Q || !s->S || !s->G)
        return false;
    int n = 0;
    for (int t = 0; t <= body->mesh->ntet; t++) {
        swTetSample point[SW_TET_SAMPLES];
        const bool end = t == body->mesh->ntet;
        const int count = end ? 0 : sw_tet_samples(body->mesh, t, point);
        if (n > 0 && (end || n + count > BATCH)) {
            for (int64_t row = 0; row < s->nrow; row++) // clear what remains of an earlier batch
                for (int c = 0; c < COMPONENTS; c++)
                    memset(entry(s->S, row, c, n), 0, (size_t)(BATCH - n) * sizeof *s->S);
            if (!sw_parallel_try(pool, (int)s->nrow, ROWS, add_rows, s))
                return sw_fail_stopped(error);
            n = 0;
        }
        for (int i = 0; i < count; i++) {
            sw_modal_gradient(f, basis, t, &point[i], D);
            set_point(s, n++, D, body->mu[t], body->lambda[t], point[i].weight);
        }
    }
    return true;
}

// The sum over all points of the strain of one row times the stress of another.
static swReal product(const swStrains *s, int64_t a, int64_t b) {
    return a > b ? s->G[a * s->nrow + b] : s->G[b * s->nrow + a];
}

// The row of the pair (i, j), in either order.
static int64_t pair_row(const swStrains *s, int i, int j) {
    return s->r + (i > j ? sw_modal_pair(i, j) : sw_modal_pair(j, i));
}

static swReal quartic(const swStrains *s, int i, int j, int k, int l) {
    return product(s, pair_row(s, i, j), pair_row(s, k, l)) +
           product(s, pair_row(s, i, k), pair_row(s, j, l)) +
           product(s, pair_row(s, i, l), pair_row(s, j, k));
}

static void collect(const swStrains *s, swReal *out) {
    const int r = s->r;
    const swPolynomialLayout at = layout(r);
    swReal *row = out + at.B;
    for (int i = 0; i < r; i++)
        for (int j = 0; j <= i; j++) {
            const int64_t p = sw_modal_pair(i, j);
            out[p] = product(s, i, j);
            for (int k = 0; k < r; k++)
                out[at.A + p * whole(r) + k] = product(s, i, pair_row(s, j, k)) +
                                               product(s, j, pair_row(s, i, k)) +
                                               product(s, k, pair_row(s, i, j));
            for (int k = 0; k <= i; k++)
                for (int l = 0; l <= k && sw_modal_pair(k, l) < p; l++)
                    row[sw_modal_pair(k, l)] = quartic(s, i, j, k, l);
            out[at.diagonal + p] = quartic(s, i, j, i, j);
            row += whole(p);
        }
}

bool sw_polynomial_build(const swFull *f, const swBasis *basis, swPool *pool, swReal *out,
                         swArena *arena, swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    swStrains s = {.r = basis->count, .nrow = basis->count + sw_modal_pairs(basis->count)};
    const bool ok = add_points(&s, f, basis, pool, &scratch, error);
    if (ok)
        collect(&s, out);
    sw_arena_free(&scratch);
    return ok;
}
