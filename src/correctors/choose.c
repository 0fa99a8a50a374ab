// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "correctors/choose.h"

#include "cubature/nnls.h"
#include "math/eigen.h"
#include "math/tiles.h"
#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

// How much more than others: what soft motions feel, and the volume of each kind.
static const swReal matter = 10, kept = 40;

// Points to choose from, for at most so many.
static int count_candidates(int most) { return sw_max_int(1000, 2 * most); }
// The softest of all motions.
static int count_soft(int rank) {
    return sw_min_int(rank, sw_max_int(16, sw_min_int(rank / 9, 40)));
}

// Even numbers from 0 to 1, the same every time.
static swReal next(uint64_t *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (swReal)(*state >> 11) / 9007199254740992.0;
}

// SIDE points that are multiplied together, which stay near: vectors of motions that strain any of
// them, and their strains, [points][6][nvector][lanes].
enum { SIDE = 16 };
typedef struct {
    int nvector, *vector;
    swReal *strain;
} swSide;

typedef struct {
    const swPointSet *set;
    int most; // points
    int rank;
    swReal *K, *W; // [n][n]: stiffness; [rank][n]: motions of unit energy, apart from each other
    int columns, *point; // those that may be chosen
    int stride;          // of n, side by side
    swReal *left;        // [columns][6][stride]: Z W, see below
    swSide *side;
    swReal *G, *c; // [columns][columns], [columns]: see swNnlsProducts
    swReal square;
    swReal *E; // [n] strains of some points
    int nrun;  // of which there are these
    swMotionRun *run;
} swChoice;

static void look_at(swChoice *c, int count, const int *point) {
    c->nrun = c->set->strains(c->set->context, count, point, c->E, c->run);
}

// ---- the stiffness of all ----

// sum[n][n][lanes] += E weighted^T of motions that there are.
static void add_stiffness(const swChoice *c, int vectors, const swReal *weighted, swReal *sum) {
    const int n = c->set->n;
    for (int r = 0; r < c->nrun; r++)
        for (int s = 0; s <= r; s++) {
            const swMotionRun a = c->run[r], b = c->run[s];
            sw_tiles_accumulate(
                a.end - a.first, b.end - b.first, 6 * vectors,
                (swRows){c->E + (ptrdiff_t)a.first * SW_FIELD_STRAIN, SW_FIELD_STRAIN, SW_LANES},
                (swRows){weighted + (ptrdiff_t)b.first * SW_FIELD_STRAIN, SW_FIELD_STRAIN,
                         SW_LANES},
                sum + ((ptrdiff_t)a.first * n + b.first) * SW_LANES, n, r == s);
        }
}

static bool sum_all(swChoice *c, swPool *pool, swArena *arena, swError *error) {
    const size_t n = (size_t)c->set->n;
    swReal *weighted = SW_NEW(arena, SW_FIELD_STRAIN * n, swReal, error),
           *sum = SW_NEW(arena, n * n * SW_LANES, swReal, error);
    if (!weighted || !sum)
        return false;
    for (int first = 0; first < c->set->npoint; first += SW_FIELD_POINTS) {
        const int count = sw_min_int(SW_FIELD_POINTS, c->set->npoint - first),
                  vectors = (count + SW_LANES - 1) / SW_LANES;
        int point[SW_FIELD_POINTS];
        swReal volume[SW_FIELD_POINTS] = {0};
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        for (int p = 0; p < count; p++) {
            point[p] = first + p;
            volume[p] = c->set->volume[first + p];
        }
        look_at(c, count, point);
        for (int r = 0; r < c->nrun; r++)
            for (int k = c->run[r].first; k < c->run[r].end; k++)
                for (int i = 0; i < 6 * vectors; i++) {
                    const ptrdiff_t at = (ptrdiff_t)k * SW_FIELD_STRAIN + i * SW_LANES;
                    sw_wide_store(weighted + at, sw_wide_load(volume + i / 6 * SW_LANES) *
                                                     sw_wide_load(c->E + at));
                }
        add_stiffness(c, vectors, weighted, sum);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            c->K[i * n + j] = c->K[j * n + i] =
                sw_wide_sum(sw_wide_load(sum + (i * n + j) * SW_LANES));
    return true;
}

// Motions are first measured by their own sizes, so that units do not matter.
static bool whiten(swChoice *c, swArena *arena, swError *error) {
    const int n = c->set->n;
    swReal *size = SW_NEW(arena, n, swReal, error), *value = SW_NEW(arena, n, swReal, error),
           *work = SW_NEW(arena, 4 * (size_t)n, swReal, error);
    if (!size || !value || !work)
        return false;
    for (int i = 0; i < n; i++)
        size[i] = c->K[(ptrdiff_t)(n + 1) * i] > 0 ? sqrt(c->K[(ptrdiff_t)(n + 1) * i]) : 1;
    for (int i = 0; i < n * n; i++)
        c->K[i] /= size[i / n] * size[i % n];
    if (!sw_eigen_symmetric(n, c->K, value, c->W, work))
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "the stiffness of a body is not finite");
    c->rank = 0;
    while (c->rank < n && value[n - 1 - c->rank] > 1e-8 * value[n - 1])
        c->rank++;
    memmove(c->W, c->W + (ptrdiff_t)(n - c->rank) * n, (size_t)c->rank * (size_t)n * sizeof *c->W);
    for (int k = 0; k < c->rank; k++)
        for (int i = 0; i < n; i++)
            c->W[(ptrdiff_t)k * n + i] /= size[i] * sqrt(value[n - c->rank + k]);
    return true;
}

// Turns the motions so that the softest come first.
static bool sort_motions(swChoice *c, swArena *arena, swError *error) {
    const int n = c->set->n, r = c->rank;
    swReal *A = SW_NEW(arena, (size_t)r * (size_t)r, swReal, error),
           *V = SW_NEW(arena, (size_t)r * (size_t)r, swReal, error),
           *moved = SW_NEW(arena, (size_t)r * (size_t)n, swReal, error),
           *value = SW_NEW(arena, r, swReal, error),
           *work = SW_NEW(arena, 2 * (size_t)r, swReal, error);
    if (!A || !V || !moved || !value || !work)
        return false;
    for (int k = 0; k < r; k++)
        for (int i = 0; i < n; i++) {
            const swReal f = c->W[(ptrdiff_t)k * n + i];
            for (int j = 0; j < n && f != 0; j++)
                moved[(ptrdiff_t)k * n + j] += f * c->set->mass[(ptrdiff_t)i * n + j];
        }
    for (int k = 0; k < r; k++)
        for (int l = 0; l < r; l++)
            A[k * r + l] = sw_dot_n(n, moved + (ptrdiff_t)k * n, c->W + (ptrdiff_t)l * n);
    if (!sw_eigen_symmetric(r, A, value, V, work))
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "the mass of a body is not finite");
    memset(moved, 0, (size_t)r * (size_t)n * sizeof *moved);
    for (int k = 0; k < r; k++)
        for (int l = 0; l < r; l++)
            for (int i = 0; i < n; i++)
                moved[(ptrdiff_t)k * n + i] +=
                    V[(ptrdiff_t)(r - 1 - k) * r + l] * c->W[(ptrdiff_t)l * n + i];
    c->W = moved;
    return true;
}

// ---- products ----

// The stiffness of a point is M = Z^T Z, and that of all points the square of what motions matter:
// the product of two points is |Z_p Z_q^T|^2.

static swReal matters(const swChoice *c, int motion) {
    return motion < count_soft(c->rank) ? sqrt(matter) : 1;
}

typedef struct {
    swReal at;
    int point;
} swPlaced;

static int compare(const void *a, const void *b) {
    const swPlaced *x = a, *y = b;
    return x->at != y->at ? (x->at < y->at ? -1 : 1) : x->point - y->point;
}

// Puts neighbours side by side, SIDE of them at least: the same few frames move these. Halves are
// taken along the longest way.
static void sort_points(const swVec3 *X, int n, swPlaced *list) {
    if (n <= SIDE)
        return;
    swVec3 lo = X[list[0].point], hi = lo;
    for (int i = 1; i < n; i++) {
        lo = sw_min3(lo, X[list[i].point]);
        hi = sw_max3(hi, X[list[i].point]);
    }
    const swVec3 size = sw_sub(hi, lo);
    const int axis = size.x >= size.y && size.x >= size.z ? 0
                     : size.y >= size.z                   ? 1
                                                          : 2,
              half = (n / 2 + SIDE - 1) / SIDE * SIDE;
    for (int i = 0; i < n; i++)
        list[i].at = sw_get(X[list[i].point], axis);
    qsort(list, (size_t)n, sizeof *list, compare);
    sort_points(X, half, list);
    sort_points(X, n - half, list + half);
}

// Some of the points, spread over all.
static bool list_points(swChoice *c, swArena *arena, swError *error) {
    uint64_t seed = 7;
    c->columns = sw_min_int(c->set->npoint, count_candidates(c->most));
    c->point = SW_NEW(arena, c->columns, int, error);
    swPlaced *list = SW_NEW(arena, c->columns, swPlaced, error);
    if (!c->point || !list)
        return false;
    for (int k = 0; k < c->columns; k++) {
        const swReal width = (swReal)c->set->npoint / c->columns;
        list[k].point = sw_min_int(c->set->npoint - 1, (int)(width * (k + next(&seed))));
    }
    sort_points(c->set->X, c->columns, list);
    for (int k = 0; k < c->columns; k++)
        c->point[k] = list[k].point;
    return true;
}

// Strains of some points on the way to products.
typedef struct {
    swReal *W;     // [rank][stride]: as much as motions matter
    swReal *z, *Z; // [rank][SW_FIELD_STRAIN], [points][6][rank]: of motions of unit energy
    swReal *E;     // [points][6][stride]: of all motions, times the root of volume
} swStrains;

static bool create_strains(const swChoice *c, swStrains *s, swArena *arena, swError *error) {
    const size_t n = (size_t)c->set->n, r = (size_t)c->rank, stride = (size_t)c->stride;
    s->W = SW_NEW(arena, r * stride, swReal, error);
    s->z = SW_NEW(arena, SW_FIELD_STRAIN * r, swReal, error);
    s->Z = SW_NEW(arena, SW_FIELD_STRAIN * r, swReal, error);
    s->E = SW_NEW(arena, SW_FIELD_STRAIN * stride, swReal, error);
    for (size_t k = 0; s->W && k < r; k++)
        for (size_t i = 0; i < n; i++)
            s->W[k * stride + i] = matters(c, (int)k) * c->W[k * n + i];
    return s->W && s->z && s->Z && s->E;
}

// Z and E of `count` points from `first` on; c of them.
static void find_strains(swChoice *c, const swStrains *s, int first, int count) {
    const int n = c->set->n, r = c->rank, vectors = (count + SW_LANES - 1) / SW_LANES;
    look_at(c, count, c->point + first);
    memset(s->z, 0, (size_t)r * SW_FIELD_STRAIN * sizeof *s->z);
    memset(s->E, 0, SW_FIELD_STRAIN * (size_t)c->stride * sizeof *s->E);
    for (int k = 0; k < c->nrun; k++)
        sw_tiles_combine(r, 6 * vectors, c->run[k].end - c->run[k].first,
                         (swRows){c->W + c->run[k].first, n, 1},
                         (swRows){c->E + (ptrdiff_t)c->run[k].first * SW_FIELD_STRAIN,
                                  SW_FIELD_STRAIN, SW_LANES},
                         s->z, SW_FIELD_STRAIN, false);
    for (int p = 0; p < count; p++) {
        const swReal root = sqrt(c->set->volume[c->point[first + p]]);
        for (int e = 0; e < 6; e++) {
            const int at = sw_field_at(6, e, p);
            swReal *Z = s->Z + (ptrdiff_t)(6 * p + e) * r,
                   *E = s->E + (ptrdiff_t)(6 * p + e) * c->stride;
            for (int i = 0; i < r; i++) {
                const swReal much = matters(c, i);
                Z[i] = root * much * s->z[(ptrdiff_t)i * SW_FIELD_STRAIN + at];
                c->c[first + p] += much * much * Z[i] * Z[i];
            }
            for (int k = 0; k < c->nrun; k++)
                for (int i = c->run[k].first; i < c->run[k].end; i++)
                    E[i] = root * c->E[(ptrdiff_t)i * SW_FIELD_STRAIN + at];
        }
    }
}

// Keeps the strains E of up to SIDE points, without vectors of zeros.
static bool keep_side(const swChoice *c, const swReal *E, int count, swSide *to, swArena *arena,
                      swError *error) {
    const int all = c->stride / SW_LANES;
    to->vector = SW_NEW(arena, all, int, error);
    for (int k = 0; to->vector && k < all; k++) {
        bool any = false;
        for (int i = 0; i < 6 * count * SW_LANES && !any; i++)
            any = E[(ptrdiff_t)(i / SW_LANES) * c->stride + k * SW_LANES + i % SW_LANES] != 0;
        if (any)
            to->vector[to->nvector++] = k;
    }
    const size_t size = 6 * (size_t)count * (size_t)to->nvector * SW_LANES;
    to->strain = SW_NEW(arena, size, swReal, error);
    swReal *next_to = to->strain;
    for (int i = 0; to->vector && to->strain && i < 6 * count; i++)
        for (int k = 0; k < to->nvector; k++, next_to += SW_LANES)
            memcpy(next_to, E + (ptrdiff_t)i * c->stride + to->vector[k] * SW_LANES,
                   SW_LANES * sizeof *E);
    return to->vector && to->strain;
}

// The strains Z_p of a point are E_p W^T, of all motions alike; E_p is mostly zero, as few frames
// move a point. So products are taken as Z_p Z_q^T = (Z_p W) E_q^T.
static bool make_sides(swChoice *c, swPool *pool, swArena *arena, swError *error) {
    const int n = c->set->n;
    swStrains s;
    c->stride = (n + SW_LANES - 1) / SW_LANES * SW_LANES;
    c->left = SW_NEW(arena, 6 * (size_t)c->columns * (size_t)c->stride, swReal, error);
    c->side = SW_NEW(arena, (c->columns + SIDE - 1) / SIDE, swSide, error);
    if (!c->left || !c->side || !create_strains(c, &s, arena, error))
        return false;
    for (int first = 0; first < c->columns; first += SW_FIELD_POINTS) {
        const int count = sw_min_int(SW_FIELD_POINTS, c->columns - first);
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        find_strains(c, &s, first, count);
        sw_tiles_combine(6 * count, c->stride / SW_LANES, c->rank, (swRows){s.Z, c->rank, 1},
                         (swRows){s.W, c->stride, SW_LANES},
                         c->left + (ptrdiff_t)6 * first * c->stride, c->stride, false);
        for (int k = 0; k < count; k += SIDE)
            if (!keep_side(c, s.E + (ptrdiff_t)6 * k * c->stride, sw_min_int(SIDE, count - k),
                           &c->side[(first + k) / SIDE], arena, error))
                return false;
    }
    return true;
}

// packed[6 count][vectors of a side] := left of `count` points from `first` on
static void pack_left(const swChoice *c, int first, int count, const swSide *side, swReal *packed) {
    for (int i = 0; i < 6 * count; i++) {
        const swReal *from = c->left + ((ptrdiff_t)6 * first + i) * c->stride;
        for (int k = 0; k < side->nvector; k++, packed += SW_LANES)
            sw_wide_store(packed, sw_wide_load(from + side->vector[k] * SW_LANES));
    }
}

typedef struct {
    const swChoice *c;
    swReal *packed; // of each worker: [6 SIDE][stride]
} swMultiply;

static void multiply(int first, int end, int worker, void *arg) {
    const swMultiply *m = arg;
    const swChoice *c = m->c;
    swReal *packed = m->packed + (ptrdiff_t)worker * 6 * SIDE * c->stride;
    for (int from = 0; from < end; from += SIDE) {
        const int ni = end - first, nj = sw_min_int(SIDE, end - from);
        const swSide *side = &c->side[from / SIDE];
        const ptrdiff_t row = (ptrdiff_t)side->nvector * SW_LANES;
        swReal product[6 * SIDE][6 * SIDE] = {{0}};
        pack_left(c, first, ni, side, packed);
        sw_tiles_subtract(6 * ni, 6 * nj, side->nvector, (swRows){packed, row, SW_LANES},
                          (swRows){side->strain, row, SW_LANES}, product[0], 6 * SIDE);
        for (int i = 0; i < ni; i++)
            for (int j = 0; j < nj; j++) {
                swReal sum = 0;
                for (int e = 0; e < 36; e++)
                    sum += product[6 * i + e / 6][6 * j + e % 6] *
                           product[6 * i + e / 6][6 * j + e % 6];
                c->G[(ptrdiff_t)(first + i) * c->columns + from + j] = sum;
                c->G[(ptrdiff_t)(from + j) * c->columns + first + i] = sum;
            }
    }
}

// G, c and square, less what is said of volumes.
static bool make_products(swChoice *c, swPool *pool, swArena *arena, swError *error) {
    const size_t n = (size_t)c->columns;
    swMultiply m = {.c = c};
    c->G = SW_NEW(arena, n * n, swReal, error);
    c->c = SW_NEW(arena, n, swReal, error);
    if (!c->G || !c->c || !make_sides(c, pool, arena, error))
        return false;
    m.packed =
        SW_NEW(arena, (size_t)sw_pool_size(pool) * 6 * SIDE * (size_t)c->stride, swReal, error);
    if (!m.packed)
        return false;
    if (!sw_parallel_try(pool, c->columns, SIDE, multiply, &m))
        return sw_fail_stopped(error);
    for (int i = 0; i < c->rank; i++) {
        const swReal all = matters(c, i) * matters(c, i);
        c->square += all * all;
    }
    return true;
}

// The volume of each kind is to be kept.
static bool add_volumes(swChoice *c, swArena *arena, swError *error) {
    const swReal weight = kept * kept * c->rank;
    swReal *volume = SW_NEW(arena, c->set->nkind, swReal, error);
    if (!volume)
        return false;
    for (int p = 0; p < c->set->npoint; p++)
        volume[c->set->kind[p]] += c->set->volume[p];
    for (int k = 0; k < c->set->nkind; k++)
        c->square += volume[k] > 0 ? weight : 0;
    for (int i = 0; i < c->columns; i++) {
        const int kind = c->set->kind[c->point[i]];
        const swReal share = c->set->volume[c->point[i]] / volume[kind];
        c->c[i] += weight * share;
        for (int j = 0; j < c->columns; j++)
            if (c->set->kind[c->point[j]] == kind)
                c->G[(ptrdiff_t)i * c->columns + j] +=
                    weight * share * c->set->volume[c->point[j]] / volume[kind];
    }
    return true;
}

bool sw_points_choose(const swPointSet *set, swReal enough, int most, swPool *pool, swArena *arena,
                      swChosenPoints *out, swError *error) {
    swChoice choice = {.set = set, .most = most}, *c = &choice;
    const size_t n = (size_t)set->n;
    c->K = SW_NEW(arena, n * n, swReal, error);
    c->W = SW_NEW(arena, n * n, swReal, error);
    c->E = SW_NEW(arena, SW_FIELD_STRAIN * n, swReal, error);
    c->run = SW_NEW(arena, set->nrun, swMotionRun, error);
    if (!c->K || !c->W || !c->E || !c->run)
        return false;
    if (!sum_all(c, pool, arena, error) || !whiten(c, arena, error) ||
        !sort_motions(c, arena, error) || !list_points(c, arena, error) ||
        !make_products(c, pool, arena, error))
        return false;
    const swReal all = c->square; // volumes are kept in any case
    if (!add_volumes(c, arena, error))
        return false;
    swNnlsProducts nnls = {.columns = c->columns,
                           .G = c->G,
                           .c = c->c,
                           .square = c->square,
                           .most = most,
                           .enough = enough * sqrt(all / c->square),
                           .pool = pool};
    if (!sw_nnls_products(&nnls, arena, error))
        return false;
    out->n = nnls.k;
    out->point = SW_NEW(arena, nnls.k, int, error);
    out->volume = SW_NEW(arena, nnls.k, swReal, error);
    if (!out->point || !out->volume)
        return false;
    out->nmotion = c->rank;
    out->motion = c->W;
    out->error = sqrt(sw_max(0, nnls.left) / all);
    for (int k = 0; k < nnls.k; k++) {
        out->point[k] = c->point[nnls.column[k]];
        out->volume[k] = nnls.x[k] * set->volume[out->point[k]];
    }
    return true;
}
