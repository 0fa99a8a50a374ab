// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Modal derivatives and the choice of a basis: Barbic and James, "Real-time subspace integration
// for St. Venant-Kirchhoff deformable models" (2005).
#include "modes/basis.h"

#include "math/eigen.h"
#include "math/lanczos.h"
#include "modes/tet_samples.h"

#include <string.h>

// D = du/dX for the displacement x at a point of a tetrahedron.
static swMat3 gradient(const swFull *f, const int *v, int k, const swTetSample *p,
                       const swReal *x) {
    swMat3 D = {{0}};
    for (int a = 0; a < k; a++) {
        const swVec3 u = sw_full_at(f, x, v[a]);
        for (int i = 0; i < 9; i++)
            D.m[i] += sw_get(u, i / 3) * sw_get(p->dN[a], i % 3);
    }
    return D;
}

// lambda tr(e) + 2 mu e, with e the symmetric part of A.
static swMat3 hooke(swReal mu, swReal lambda, swMat3 A) {
    const swReal trace = lambda * (A.m[0] + A.m[4] + A.m[8]);
    const swMat3 T = sw_mat_t(A);
    swMat3 S;
    for (int i = 0; i < 9; i++)
        S.m[i] = mu * (A.m[i] + T.m[i]) + (i % 4 == 0 ? trace : 0);
    return S;
}

// With D from x and E from y: the stress C(D^T E) + E C(D) + D C(E), integrated against the
// gradients.
void sw_modal_derivative(const swFull *f, const swReal *x, const swReal *y, swReal *out) {
    const swTetMesh *mesh = f->body->mesh;
    const int k = sw_tet_vertices(mesh->order);
    memset(out, 0, (size_t)f->n * sizeof *out);
    for (int t = 0; t < mesh->ntet; t++) {
        const int *v = sw_tets_at(mesh, t);
        const swReal mu = f->body->mu[t], lambda = f->body->lambda[t];
        swTetSample point[SW_TET_SAMPLES];
        const int count = sw_tet_samples(mesh, t, point);
        for (int i = 0; i < count; i++) {
            const swMat3 D = gradient(f, v, k, &point[i], x), E = gradient(f, v, k, &point[i], y),
                         A = hooke(mu, lambda, sw_mat_mul(sw_mat_t(D), E)),
                         B = sw_mat_mul(E, hooke(mu, lambda, D)),
                         C = sw_mat_mul(D, hooke(mu, lambda, E));
            for (int a = 0; a < k; a++) {
                if (f->body->held[v[a]])
                    continue;
                swReal *to = out + f->K.start[v[a]];
                for (int e = 0; e < 9; e++)
                    to[e / 3] -= point[i].weight * (A.m[e] + B.m[e] + C.m[e]) *
                                 sw_get(point[i].dN[a], e % 3);
            }
        }
    }
    sw_full_solve(f, out);
}

swReal sw_modal_amplitude(const swFull *f, const swReal *x) {
    const swTetMesh *mesh = f->body->mesh;
    swVec3 lo = mesh->X[0], hi = mesh->X[0];
    swReal most = 0;
    for (int v = 0; v < mesh->nvertex; v++) {
        lo = sw_min3(lo, mesh->X[v]);
        hi = sw_max3(hi, mesh->X[v]);
        most = sw_max(most, sw_norm(sw_full_at(f, x, v)));
    }
    return sw_norm(sw_sub(hi, lo)) / most;
}

// Vectors that a basis consists of or is chosen from.
typedef struct {
    const swFull *full;
    int n, count;
    swReal *X;     // [room][n]
    swReal *image; // n
} swVectors;

static swReal *vector(const swVectors *s, int i) { return s->X + (ptrdiff_t)i * s->n; }

// Scales x so that x^T M x = 1 and leaves M x in `image`. Returns the norm that x had.
static swReal normalise(const swVectors *s, swReal *x) {
    sw_full_mass(s->full, x, s->image);
    const swReal size = sqrt(sw_dot_n(s->n, x, s->image)), scale = size > 0 ? 1 / size : 0;
    for (int i = 0; i < s->n; i++) {
        x[i] *= scale;
        s->image[i] *= scale;
    }
    return size;
}

// Makes X^T M X = 1, vector by vector; drops vectors that depend on earlier ones.
static void orthonormalise(swVectors *s) {
    int count = 0;
    for (int k = 0; k < s->count; k++) {
        swReal *x = vector(s, count), left = 1;
        memmove(x, vector(s, k), (size_t)s->n * sizeof *x);
        bool ok = normalise(s, x) > 0;
        for (int pass = 0; ok && pass < 2; pass++) {
            for (int j = 0; j < count; j++) {
                const swReal d = sw_dot_n(s->n, vector(s, j), s->image);
                for (int i = 0; i < s->n; i++)
                    x[i] -= d * vector(s, j)[i];
            }
            left *= normalise(s, x);
            ok = left > 1e-9;
        }
        count += ok;
    }
    s->count = count;
}

// Replaces the vectors by combinations; the rows of V, count x s->count, are the coefficients.
static bool combine(swVectors *s, int count, const swReal *V, swArena *arena, swError *error) {
    swReal *X = SW_NEW(arena, (size_t)count * (size_t)s->n, swReal, error);
    if (!X)
        return false;
    for (int c = 0; c < count; c++)
        for (int k = 0; k < s->count; k++) {
            const swReal w = V[(ptrdiff_t)c * s->count + k], *x = vector(s, k);
            for (int i = 0; i < s->n; i++)
                X[(ptrdiff_t)c * s->n + i] += w * x[i];
        }
    s->X = X;
    s->count = count;
    return true;
}

typedef struct {
    const swVectors *s;
    bool mass;      // M, or else K
    swReal **image; // one per worker
    swReal *G;
} swGram;

static void gram_rows(int start, int end, int worker, void *arg) {
    const swGram *g = arg;
    const swVectors *s = g->s;
    for (int i = start; i < end; i++) {
        swReal *y = g->image[worker];
        if (g->mass)
            sw_full_mass(s->full, vector(s, i), y);
        else
            sw_blocks_multiply(&s->full->K, vector(s, i), y);
        for (int j = 0; j <= i; j++)
            g->G[(ptrdiff_t)i * s->count + j] = sw_dot_n(s->n, vector(s, j), y);
    }
}

// Eigenvalues, ascending, and eigenvectors of X^T M X or X^T K X.
static bool gram_eigen(const swVectors *s, bool mass, swPool *pool, swArena *arena, swReal **value,
                       swReal **V, swError *error) {
    const size_t n = (size_t)s->count;
    swGram g = {.s = s, .mass = mass, .G = SW_NEW(arena, n * n, swReal, error)};
    const int workers = sw_pool_size(pool);
    swReal *work = SW_NEW(arena, 2 * n, swReal, error);
    if (!g.G || !work || !(g.image = SW_NEW(arena, workers, swReal *, error)) ||
        !(*value = SW_NEW(arena, n, swReal, error)) || !(*V = SW_NEW(arena, n * n, swReal, error)))
        return false;
    for (int i = 0; i < workers; i++)
        if (!(g.image[i] = SW_NEW(arena, s->n, swReal, error)))
            return false;
    sw_parallel_for(pool, s->count, 1, gram_rows, &g);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            g.G[j * n + i] = g.G[i * n + j];
    return sw_eigen_symmetric(s->count, g.G, *value, *V, work) ||
           sw_fail(error, SW_ERROR_NOT_FINITE, "the modes are not finite");
}

// Scales each vector by the largest amplitude to expect: the first vibration moves the body by its
// own size, the others, under the same force, move it less the stiffer they are, and static
// displacements by its size again: u = sum z_i psi_i + 1/2 sum z_i z_j Phi_ij. The first n vectors
// are psi: the vibrations, then the static displacements under loads.
static bool scale_vectors(swVectors *s, int n, int vibrations, const swReal *lambda, swArena *arena,
                          swError *error) {
    swReal *size = SW_NEW(arena, n, swReal, error);
    if (!size)
        return false;
    for (int i = 0; i < n; i++)
        size[i] = i < vibrations ? sw_modal_amplitude(s->full, vector(s, 0)) * lambda[0] / lambda[i]
                                 : sw_modal_amplitude(s->full, vector(s, i));
    int at = n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++, at++)
            for (int k = 0; k < s->n; k++)
                vector(s, at)[k] *= (i == j ? 0.5 : 1) * size[i] * size[j];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < s->n; k++)
            vector(s, i)[k] *= size[i];
    return true;
}

// Keeps the first `count` principal components of the vectors, with respect to mass.
static bool principal(swVectors *s, int count, swPool *pool, swArena *arena, swError *error) {
    swReal *value, *V;
    if (!gram_eigen(s, true, pool, arena, &value, &V, error))
        return false;
    const int n = s->count;
    count = sw_min_int(count, n);
    while (count > 1 && !(value[n - count] > 1e-14 * value[n - 1]))
        count--;
    for (int c = 0; c < count / 2; c++) // largest first
        for (int k = 0; k < n; k++) {
            swReal *a = V + (ptrdiff_t)(n - 1 - c) * n + k,
                   *b = V + (ptrdiff_t)(n - count + c) * n + k, keep = *a;
            *a = *b;
            *b = keep;
        }
    return combine(s, count, V + (ptrdiff_t)(n - count) * n, arena, error);
}

// Makes the stiffness diagonal in the space of the vectors.
static bool diagonalise(swVectors *s, swPool *pool, swArena *arena, swReal **value,
                        swError *error) {
    swReal *V;
    return gram_eigen(s, false, pool, arena, value, &V, error) &&
           combine(s, s->count, V, arena, error);
}

// The number of vibrations to take derivatives of: as many as fit together with their derivatives,
// or as requested.
static int vibrations_of(const swBasisWish *wish) {
    int k = 1;
    if (wish->kind == SW_BASIS_LINEAR)
        return wish->count;
    if (wish->kind == SW_BASIS_PCA)
        return sw_min_int(wish->vibrations, wish->count);
    while (k + 1 + (k + 1) * (k + 2) / 2 <= wish->count)
        k++;
    return k;
}

static void mass(const void *full, const swReal *x, swReal *y) { sw_full_mass(full, x, y); }
static void solve(const void *full, swReal *x) { sw_full_solve(full, x); }

bool sw_vibrations(const swFull *full, int count, swArena *arena, int *found, swReal **lambda,
                   swReal **shape, swError *error) {
    const swSpectralMap map = {full->n, mass, solve, full, full->factor.pool};
    swLanczosResult result;
    if (!sw_lanczos(&map, count, arena, &result, error))
        return false;
    if (!result.converged)
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "could not find %d vibrations", count);
    *found = result.count;
    *lambda = result.value;
    *shape = result.vector;
    for (int i = 0; i < result.count; i++)
        (*lambda)[i] = 1 / result.value[i];
    return true;
}

// Puts in vibrations and static displacements. Returns the number of the latter, which are dropped
// if nothing moves.
static int add_displacements(swVectors *s, const swBasisWish *wish, int vibrations,
                             const swReal *vibration) {
    memcpy(s->X, vibration, (size_t)vibrations * (size_t)s->n * sizeof *s->X);
    s->count = vibrations;
    for (int i = 0; wish->kind == SW_BASIS_PCA && i < wish->nforce; i++) {
        swReal *x = vector(s, s->count);
        memcpy(x, wish->force + (ptrdiff_t)i * s->n, (size_t)s->n * sizeof *x);
        sw_full_solve(s->full, x);
        s->count += normalise(s, x) > 0;
    }
    return s->count - vibrations;
}

static bool make_vectors(swVectors *s, const swBasisWish *wish, swBasis *basis, swArena *keep,
                         swArena *scratch, swError *error) {
    swReal *vibration = NULL, *value = NULL;
    if (!sw_vibrations(s->full, vibrations_of(wish), scratch, &basis->vibrations, &value,
                       &vibration, error) ||
        !(basis->lambda = SW_NEW(keep, basis->vibrations, swReal, error)))
        return false;
    const int most = basis->vibrations + (wish->kind == SW_BASIS_PCA ? wish->nforce : 0),
              all = most + (wish->kind == SW_BASIS_LINEAR ? 0 : most * (most + 1) / 2);
    s->X = SW_NEW(scratch, (size_t)all * (size_t)s->n, swReal, error);
    s->image = SW_NEW(scratch, s->n, swReal, error);
    if (!s->X || !s->image)
        return false;
    memcpy(basis->lambda, value, (size_t)basis->vibrations * sizeof *value);
    const int n = basis->vibrations + add_displacements(s, wish, basis->vibrations, vibration);
    for (int i = 0; i < n && wish->kind != SW_BASIS_LINEAR; i++)
        for (int j = 0; j <= i; j++) {
            if (!sw_pool_goes_on(s->full->factor.pool))
                return sw_fail_stopped(error);
            sw_modal_derivative(s->full, vector(s, i), vector(s, j), vector(s, s->count++));
        }
    return wish->kind != SW_BASIS_PCA ||
           scale_vectors(s, n, basis->vibrations, value, scratch, error);
}

bool sw_basis_create(swBasis *basis, const swFull *full, const swBasisWish *wish, swPool *pool,
                     swArena *arena, swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    swVectors s = {.full = full, .n = full->n};
    swReal *value = NULL;
    *basis = (swBasis){0};
    bool ok = make_vectors(&s, wish, basis, arena, &scratch, error) &&
              (wish->kind != SW_BASIS_PCA || principal(&s, wish->count, pool, &scratch, error));
    if (ok) {
        orthonormalise(&s);
        ok = diagonalise(&s, pool, &scratch, &value, error);
    }
    if (ok) {
        orthonormalise(&s); // corrects the rounding of the last rotation
        basis->count = s.count;
        ok = (basis->stiffness = SW_NEW(arena, s.count, swReal, error)) &&
             (basis->shape = SW_NEW(arena, (size_t)s.count * (size_t)s.n, swReal, error));
    }
    if (ok) {
        memcpy(basis->stiffness, value, (size_t)s.count * sizeof *value);
        memcpy(basis->shape, s.X, (size_t)s.count * (size_t)s.n * sizeof *s.X);
    }
    sw_arena_free(&scratch);
    return ok;
}
