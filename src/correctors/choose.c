// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "correctors/choose.h"

#include "cubature/nnls.h"
#include "math/cholesky.h"
#include "math/eigen.h"
#include "math/tiles.h"
#include "math/vec.h"
#include "volume/mirrors.h"

#include <string.h>

// How much more than others: the first of all motions, other soft ones, and the volume of each
// kind. What the first feel is made exact in the end; but others give way to them where the two are
// coupled and should not be, and make them softer.
static const swReal first_matter = 10, soft_matter = 3.2, kept = 40;
enum { FIRST = 6 };

// Points for each number that is to be exact.
enum { EXACT = 4 };

// Points to choose from, for at most so many.
static int count_candidates(int most) { return sw_max_int(1000, 2 * most); }

// Even numbers from 0 to 1, the same every time.
static swReal next(uint64_t *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (swReal)(*state >> 11) / 9007199254740992.0;
}

// b += f a
static void add_row(int n, swReal f, const swReal *a, swReal *b) {
    for (int i = 0; i < n; i++)
        b[i] += f * a[i];
}

typedef struct {
    const swPointSet *set;
    int most; // points
    int rank;
    swReal *W;                     // [rank][n]: motions of unit energy, apart from each other
    swReal *softness;              // [rank]: falls
    int nfirst, nsoft;             // motions that matter more
    int columns, *size;            // orbits that may be chosen, and how many points each has:
    int *member;                   // [columns][SW_FLIPS], of
    int count, *point;             // these, the first of each orbit first,
    int *column;                   // of this orbit;
    int round[SW_FLIPS + 1], turn; // where the first of all orbits begin, the second, ...
    bool images;                   // strains of an orbit are each other's images
    int stride;                    // of rank, side by side
    swReal *Z;     // [count][6][stride]: strains times the root of volume, as much as they matter
    swReal *G, *c; // [columns][columns], [columns]: see swNnlsProducts
    swReal square, *root; // [columns]: what columns were scaled by
    swReal *volume;       // [kinds]
    swReal *E;            // [n] strains of some points
    swReal *z;            // [rank] the same of motions of unit energy
} swChoice;

// ---- motions ----

// Motions are first measured by their own sizes, so that units do not matter.
static bool whiten(swChoice *c, swArena *arena, swError *error) {
    const int n = c->set->n;
    const swReal *K = c->set->stiffness;
    swReal *A = SW_NEW(arena, (size_t)n * (size_t)n, swReal, error),
           *size = SW_NEW(arena, n, swReal, error), *value = SW_NEW(arena, n, swReal, error),
           *work = SW_NEW(arena, 4 * (size_t)n, swReal, error);
    if (!A || !size || !value || !work)
        return false;
    for (int i = 0; i < n; i++)
        size[i] = K[(ptrdiff_t)(n + 1) * i] > 0 ? sqrt(K[(ptrdiff_t)(n + 1) * i]) : 1;
    for (int i = 0; i < n * n; i++)
        A[i] = K[i] / (size[i / n] * size[i % n]);
    if (!sw_eigen_symmetric(n, A, value, c->W, work))
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

// out[r][r] := W A W^T, of a symmetric A. `moved` is scratch: [r][n].
static void in_motions(const swChoice *c, const swReal *A, swReal *moved, swReal *out) {
    const int n = c->set->n, r = c->rank;
    memset(moved, 0, (size_t)r * (size_t)n * sizeof *moved);
    for (int k = 0; k < r; k++)
        for (int i = 0; i < n; i++) {
            const swReal f = c->W[(ptrdiff_t)k * n + i];
            for (int j = 0; j < n && f != 0; j++)
                moved[(ptrdiff_t)k * n + j] += f * A[(ptrdiff_t)i * n + j];
        }
    for (int k = 0; k < r; k++)
        for (int l = 0; l < r; l++)
            out[k * r + l] = sw_dot_n(n, moved + (ptrdiff_t)k * n, c->W + (ptrdiff_t)l * n);
}

// What is not at points makes motions stiffer: A := L^-1 A L^-T, with L L^T the stiffness of all.
static bool stiffen(const swChoice *c, swReal *moved, swReal *A, swReal *L, swArena *arena,
                    swError *error) {
    const int r = c->rank, stride = sw_cholesky_stride(r);
    swReal *S = SW_NEW(arena, (size_t)r * (size_t)r, swReal, error);
    if (!S)
        return false;
    in_motions(c, c->set->elsewhere, moved, S);
    for (int k = 0; k < r; k++)
        for (int l = 0; l <= k; l++)
            L[(ptrdiff_t)k * stride + l] = S[k * r + l] + (k == l);
    if (sw_cholesky_factor(r, r, L, stride) != r)
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "the stiffness of a body is not finite");
    for (int side = 0; side < 2; side++) { // on the rows, then on what were the columns
        for (int k = 0; k < r; k++)
            sw_cholesky_lower(r, L, stride, A + (ptrdiff_t)k * r);
        for (int k = 0; k < r; k++)
            for (int l = 0; l < k; l++) {
                const swReal a = A[k * r + l];
                A[k * r + l] = A[l * r + k];
                A[l * r + k] = a;
            }
    }
    return true;
}

// Makes rows of V orthonormal, each of what those before have not of it.
static void straighten(int r, swReal *V) {
    for (int k = 0; k < 2 * r; k++) { // each twice
        swReal *v = V + (ptrdiff_t)(k / 2) * r;
        for (int l = 0; l < k / 2; l++)
            add_row(r, -sw_dot_n(r, v, V + (ptrdiff_t)l * r), V + (ptrdiff_t)l * r, v);
        const swReal length = sqrt(sw_dot_n(r, v, v));
        for (int i = 0; i < r; i++)
            v[i] /= length;
    }
}

// Moves row `from` of A to the place `to` before it.
static void move_up(int r, int from, int to, swReal *A, swReal *value, swReal *row) {
    const swReal own = value[from];
    memcpy(row, A + (ptrdiff_t)from * r, (size_t)r * sizeof *row);
    memmove(A + (ptrdiff_t)(to + 1) * r, A + (ptrdiff_t)to * r,
            (size_t)(from - to) * (size_t)r * sizeof *row);
    memmove(value + to + 1, value + to, (size_t)(from - to) * sizeof *value);
    memcpy(A + (ptrdiff_t)to * r, row, (size_t)r * sizeof *row);
    value[to] = own;
}

// What the first motions lack of answers comes next: each takes the place of the motion that is
// most like it. Little is not worth a place.
static bool insert_answers(swChoice *c, swReal *A, swReal *value, swArena *arena, swError *error) {
    static const swReal little = 0.03;
    const int n = c->set->n, r = c->rank;
    swReal *force = SW_NEW(arena, n, swReal, error), *row = SW_NEW(arena, r, swReal, error);
    if (!force || !row)
        return false;
    for (int a = 0; a < c->set->nanswer && c->nfirst < r; a++) {
        const swReal *z = c->set->answer + (ptrdiff_t)a * n;
        swReal most = 0;
        int like = c->nfirst;
        for (int i = 0; i < n; i++)
            force[i] = sw_dot_n(n, c->set->stiffness + (ptrdiff_t)i * n, z);
        for (int k = 0; k < r; k++)
            row[k] = sw_dot_n(n, c->W + (ptrdiff_t)k * n, force);
        const swReal length = sqrt(sw_dot_n(r, row, row));
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < c->nfirst; k++)
                add_row(r, -sw_dot_n(r, A + (ptrdiff_t)k * r, row), A + (ptrdiff_t)k * r, row);
        if (!(sqrt(sw_dot_n(r, row, row)) > little * length))
            continue;
        for (int k = c->nfirst; k < r; k++) {
            const swReal own = fabs(sw_dot_n(r, A + (ptrdiff_t)k * r, row));
            if (own > most) {
                most = own;
                like = k;
            }
        }
        memcpy(A + (ptrdiff_t)like * r, row, (size_t)r * sizeof *row);
        value[like] = value[c->nfirst - 1];
        move_up(r, like, c->nfirst, A, value, row);
        straighten(r, A);
        c->nfirst++;
    }
    return true;
}

// Turns the motions so that the softest come first, and then what these lack of answers.
static bool sort_motions(swChoice *c, swArena *arena, swError *error) {
    const int n = c->set->n, r = c->rank, stride = sw_cholesky_stride(r);
    swReal *A = SW_NEW(arena, (size_t)r * (size_t)r, swReal, error),
           *V = SW_NEW(arena, (size_t)r * (size_t)r, swReal, error),
           *L = SW_NEW(arena, (size_t)r * (size_t)stride, swReal, error),
           *moved = SW_NEW(arena, (size_t)r * (size_t)n, swReal, error),
           *value = SW_NEW(arena, r, swReal, error),
           *work = SW_NEW(arena, 2 * (size_t)r, swReal, error);
    if (!A || !V || !L || !moved || !value || !work)
        return false;
    in_motions(c, c->set->mass, moved, A);
    if (c->set->elsewhere && !stiffen(c, moved, A, L, arena, error))
        return false;
    if (!sw_eigen_symmetric(r, A, value, V, work))
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "the mass of a body is not finite");
    for (int k = 0; k < r; k++) { // the last, of most mass, comes first
        memcpy(A + (ptrdiff_t)k * r, V + (ptrdiff_t)(r - 1 - k) * r, (size_t)r * sizeof *A);
        if (c->set->elsewhere)
            sw_cholesky_upper(r, L, stride, A + (ptrdiff_t)k * r);
    }
    if (c->set->elsewhere)
        straighten(r, A);
    c->softness = value;
    for (int k = 0; k < r / 2; k++) {
        const swReal v = value[k];
        value[k] = value[r - 1 - k];
        value[r - 1 - k] = v;
    }
    c->nfirst = sw_eigen_cut(r, value, FIRST);
    if (!insert_answers(c, A, value, arena, error))
        return false;
    c->nsoft = sw_eigen_cut(r, value, sw_max_int(16, sw_min_int(r / 9, 40)));
    memset(moved, 0, (size_t)r * (size_t)n * sizeof *moved);
    for (int k = 0; k < r; k++)
        for (int l = 0; l < r; l++)
            add_row(n, A[k * r + l], c->W + (ptrdiff_t)l * n, moved + (ptrdiff_t)k * n);
    c->W = moved;
    return true;
}

// ---- products ----

// The stiffness of a point is M = Z^T Z, and that of all points the square of what motions matter:
// the product of two points is |Z_p Z_q^T|^2.

static swReal matters(const swChoice *c, int motion) {
    return motion < c->nfirst ? first_matter : motion < c->nsoft ? soft_matter : 1;
}

// How many orbits of each class to look at: half of them of the first, where there are others,
// which share the rest.
static void share_columns(const swPointSet *set, int all, int *columns) {
    int left = all;
    for (int k = set->nclass - 1; k >= 0; k--) {
        const int have = set->end[k] - (k > 0 ? set->end[k - 1] : 0),
                  share = k > 0 ? all / (2 * (set->nclass - 1)) : left;
        columns[k] = sw_min_int(have, share);
        left -= columns[k];
    }
}

// Some of the orbits, spread over each class. Their first points, then their second ones and so on:
// one is near the next.
static bool list_points(swChoice *c, swArena *arena, swError *error) {
    const swPointSet *set = c->set;
    const swReal each = (swReal)set->first[set->end[0]] / set->end[0];
    uint64_t seed = 7;
    int columns[SW_POINT_CLASSES];
    share_columns(set, (int)ceil(count_candidates(c->most) / sqrt(each)), columns);
    c->columns = 0;
    for (int k = 0; k < set->nclass; k++)
        c->columns += columns[k];
    int *chosen = SW_NEW(arena, c->columns, int, error);
    c->size = SW_NEW(arena, c->columns, int, error);
    c->member = SW_NEW(arena, SW_FLIPS * (size_t)c->columns, int, error);
    c->point = SW_NEW(arena, SW_FLIPS * (size_t)c->columns, int, error);
    c->column = SW_NEW(arena, SW_FLIPS * (size_t)c->columns, int, error);
    if (!chosen || !c->size || !c->member || !c->point || !c->column)
        return false;
    for (int a = 0, k = 0; a < set->nclass; a++) {
        const int from = a > 0 ? set->end[a - 1] : 0, have = set->end[a] - from;
        for (int i = 0; i < columns[a]; i++, k++) {
            const swReal width = (swReal)have / columns[a];
            chosen[k] = from + sw_min_int(have - 1, (int)(width * (i + next(&seed))));
            c->size[k] = set->first[chosen[k] + 1] - set->first[chosen[k]];
        }
    }
    for (int i = 0; i < SW_FLIPS; i++, c->round[i] = c->count)
        for (int k = 0; k < c->columns; k++)
            if (i < c->size[k]) {
                c->member[SW_FLIPS * k + i] = c->count;
                c->column[c->count] = k;
                c->point[c->count++] = set->orbit[set->first[chosen[k]] + i];
            }
    return true;
}

static bool find_strains(swChoice *c, swPool *pool, swArena *arena, swError *error) {
    const int n = c->set->n, r = c->rank;
    c->stride = (r + SW_LANES - 1) / SW_LANES * SW_LANES;
    c->Z = SW_NEW(arena, 6 * (size_t)c->count * (size_t)c->stride, swReal, error);
    c->z = SW_NEW(arena, SW_FIELD_STRAIN * (size_t)r, swReal, error);
    if (!c->Z || !c->z)
        return false;
    for (int first = 0; first < c->count; first += SW_FIELD_POINTS) {
        const int count = sw_min_int(SW_FIELD_POINTS, c->count - first);
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        c->set->strains(c->set->context, count, c->point + first, c->E);
        memset(c->z, 0, (size_t)r * SW_FIELD_STRAIN * sizeof *c->z);
        sw_tiles_combine(r, 6 * ((count + SW_LANES - 1) / SW_LANES), n, (swRows){c->W, n, 1},
                         (swRows){c->E, SW_FIELD_STRAIN, SW_LANES}, c->z, SW_FIELD_STRAIN, false);
        for (int p = 0; p < count; p++) {
            const swReal root = sqrt(c->set->volume[c->point[first + p]]);
            for (int e = 0; e < 6; e++)
                for (int i = 0; i < r; i++)
                    c->Z[((ptrdiff_t)6 * (first + p) + e) * c->stride + i] =
                        root * matters(c, i) *
                        c->z[(ptrdiff_t)i * SW_FIELD_STRAIN + sw_field_at(6, e, p)];
        }
    }
    return true;
}

enum { SIDE = 16 }; // points multiplied together, whose strains stay near

// Products of some points of one round with all that are of the same orbits or of earlier ones.
static void multiply(int first, int end, int worker, void *arg) {
    const swChoice *c = arg;
    const ptrdiff_t row = 6 * (ptrdiff_t)c->stride;
    const int from = c->round[c->turn] + first, ni = end - first,
              most = c->column[from + ni - 1]; // columns of a round rise
    (void)worker;
    for (int other = 0; other < c->count; other += SIDE) {
        int nj = sw_min_int(SIDE, c->count - other);
        while (nj > 0 && c->column[other + nj - 1] > most)
            nj--;
        if (nj == 0)
            continue;
        swReal product[6 * SIDE][6 * SIDE] = {{0}};
        sw_tiles_subtract(6 * ni, 6 * nj, c->stride / SW_LANES,
                          (swRows){c->Z + from * row, c->stride, SW_LANES},
                          (swRows){c->Z + other * row, c->stride, SW_LANES}, product[0], 6 * SIDE);
        for (int i = 0; i < ni; i++)
            for (int j = 0; j < nj; j++) {
                const int own = c->column[from + i], column = c->column[other + j];
                swReal sum = 0;
                for (int e = 0; e < 36; e++)
                    sum += product[6 * i + e / 6][6 * j + e % 6] *
                           product[6 * i + e / 6][6 * j + e % 6];
                if (column <= own)
                    c->G[(ptrdiff_t)own * c->columns + column] +=
                        c->images ? c->size[own] * sum : sum;
            }
    }
}

// c, and whether all points of an orbit have the same.
static bool add_single(swChoice *c, swArena *arena, swError *error) {
    static const swReal alike = 1e-5;
    swReal *single = SW_NEW(arena, c->count, swReal, error);
    for (int i = 0; single && i < c->rank; i++) {
        const swReal all = matters(c, i) * matters(c, i);
        c->square += all * all;
        for (int k = 0; k < 6 * c->count; k++) {
            const swReal z = c->Z[(ptrdiff_t)k * c->stride + i];
            single[k / 6] += all * z * z;
        }
    }
    c->images = true;
    for (int k = 0; single && k < c->count; k++) {
        const int column = c->column[k]; // of that number is its first point
        c->c[column] += single[k];
        c->images = c->images && fabs(single[k] - single[column]) <= alike * single[column];
    }
    return single != NULL;
}

// G, c and square, less what is said of volumes. An orbit has as much in common with another
// whichever of its points is looked at: the first ones with all points are all it takes, where
// strains are images of each other as well as points.
static bool make_products(swChoice *c, swPool *pool, swArena *arena, swError *error) {
    const size_t n = (size_t)c->columns;
    c->G = SW_NEW(arena, n * n, swReal, error);
    c->c = SW_NEW(arena, n, swReal, error);
    if (!c->G || !c->c || !add_single(c, arena, error))
        return false;
    for (c->turn = 0; c->turn < (c->images ? 1 : SW_FLIPS); c->turn++)
        if (!sw_parallel_try(pool, c->round[c->turn + 1] - c->round[c->turn], SIDE, multiply, c))
            return sw_fail_stopped(error);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            c->G[j * n + i] = c->G[i * n + j];
    return true;
}

static int kind_of(const swChoice *c, int column) {
    return c->set->kind[c->point[c->member[SW_FLIPS * column]]];
}

static swReal volume_of(const swChoice *c, int column) {
    swReal sum = 0;
    for (int a = 0; a < c->size[column]; a++)
        sum += c->set->volume[c->point[c->member[SW_FLIPS * column + a]]];
    return sum;
}

// The volume of each kind is to be kept.
static bool add_volumes(swChoice *c, swArena *arena, swError *error) {
    const swReal weight = kept * kept * c->rank;
    swReal *volume = c->volume = SW_NEW(arena, c->set->nkind, swReal, error);
    if (!volume)
        return false;
    for (int p = 0; p < c->set->npoint; p++)
        volume[c->set->kind[p]] += c->set->volume[p];
    for (int k = 0; k < c->set->nkind; k++)
        c->square += volume[k] > 0 ? weight : 0;
    for (int i = 0; i < c->columns; i++) { // images are of one kind
        const int kind = kind_of(c, i);
        const swReal share = volume_of(c, i) / volume[kind];
        c->c[i] += weight * share;
        for (int j = 0; j < c->columns; j++)
            if (kind_of(c, j) == kind)
                c->G[(ptrdiff_t)i * c->columns + j] +=
                    weight * share * volume_of(c, j) / volume[kind];
    }
    return true;
}

// Of what a column does, its share for each point counts when columns are compared.
static bool scale(swChoice *c, swArena *arena, swError *error) {
    swReal *root = c->root = SW_NEW(arena, c->columns, swReal, error);
    for (int i = 0; root && i < c->columns; i++)
        root[i] = 1 / sqrt(c->size[i]);
    for (int i = 0; root && i < c->columns; i++) {
        c->c[i] *= root[i];
        for (int j = 0; j < c->columns; j++)
            c->G[(ptrdiff_t)i * c->columns + j] *= root[i] * root[j];
    }
    return root != NULL;
}

// ---- exact ----

// The fit is nearly right. What is to be exact: the volume of each kind, and then the stiffness of
// all pairs of the softest motions, of as many as the points allow.
typedef struct {
    const swChoice *c;
    int n; // orbits that were chosen,
    const int *column;
    int soft, rows;
    swReal *A, *want;   // [rows][n]: shares of each orbit; [rows]: what they are to add up to
    swReal *x, *before; // [n]
    swReal *stiff;      // [n]: what holds each where it was
    swReal *M, *change; // [n][n]: of the fit; [rows][n]: what a row is changed by
    swReal *K, *left;   // [rows][rows], [rows]
    swReal hurt;        // what the error of the fit, squared, may grow by
} swExact;

static int count_pairs(int n) { return n * (n + 1) / 2; }

static void list_rows(const swExact *e) {
    const swChoice *c = e->c;
    for (int k = 0; k < c->set->nkind; k++)
        e->want[k] = c->volume[k] > 0;
    for (int i = 0; i < e->soft; i++)
        e->want[c->set->nkind + count_pairs(i) + i] = 1;
    for (int p = 0; p < e->n; p++) {
        const int column = e->column[p], kind = kind_of(c, column);
        e->A[(ptrdiff_t)kind * e->n + p] = volume_of(c, column) / c->volume[kind];
        for (int a = 0; a < c->size[column]; a++) {
            const swReal *Z = c->Z + (ptrdiff_t)6 * c->member[SW_FLIPS * column + a] * c->stride;
            swReal *to = e->A + p + (ptrdiff_t)c->set->nkind * e->n;
            for (int i = 0; i < e->soft; i++)
                for (int j = 0; j <= i; j++, to += e->n)
                    for (int k = 0; k < 6; k++)
                        *to += Z[k * c->stride + i] * Z[k * c->stride + j] /
                               (matters(c, i) * matters(c, j));
        }
    }
}

// Pairs that have nothing to do with each other, as in symmetric bodies, have rows that are empty
// but for rounding: that is cleared away.
static void clear_rows(const swExact *e) {
    for (int row = 0; row < e->rows; row++) {
        swReal *A = e->A + (ptrdiff_t)row * e->n, size = 0;
        for (int p = 0; p < e->n; p++)
            size += e->x[p] * fabs(A[p]);
        if (size < 1e-3)
            memset(A, 0, (size_t)e->n * sizeof *A);
    }
}

// What rows lack; the largest.
static swReal find_left(const swExact *e) {
    swReal most = 0;
    for (int row = 0; row < e->rows; row++) {
        e->left[row] = e->want[row] - sw_dot_n(e->n, e->A + (ptrdiff_t)row * e->n, e->x);
        most = sw_max(most, fabs(e->left[row]));
    }
    return most;
}

// Weights change so that rows have what they lack and the fit is hurt least. False where that
// cannot be.
static bool find_changes(const swExact *e) {
    enum { ROUNDS = 3 };
    const swChoice *c = e->c;
    const int n = e->n, stride = sw_cholesky_stride(n), rows = e->rows,
              row_stride = sw_cholesky_stride(rows);
    swReal trace = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            e->M[(ptrdiff_t)i * stride + j] =
                c->G[(ptrdiff_t)e->column[i] * c->columns + e->column[j]] /
                (c->root[e->column[i]] * c->root[e->column[j]]);
        trace += e->M[(ptrdiff_t)i * (stride + 1)] * e->x[i] * e->x[i];
    }
    for (int i = 0; i < n; i++)
        e->M[(ptrdiff_t)i * (stride + 1)] += e->stiff[i] * trace / n / (e->x[i] * e->x[i]);
    if (sw_cholesky_factor(n, n, e->M, stride) != n)
        return false;
    trace = 0;
    for (int i = 0; i < rows; i++) {
        swReal *own = e->change + (ptrdiff_t)i * n;
        memcpy(own, e->A + (ptrdiff_t)i * n, (size_t)n * sizeof *own);
        sw_cholesky_solve(n, e->M, stride, own);
        for (int j = 0; j <= i; j++)
            e->K[(ptrdiff_t)i * row_stride + j] = sw_dot_n(n, own, e->A + (ptrdiff_t)j * n);
        trace += e->K[(ptrdiff_t)i * (row_stride + 1)];
    }
    for (int i = 0; i < rows; i++)
        e->K[(ptrdiff_t)i * (row_stride + 1)] += 1e-10 * trace / rows;
    if (sw_cholesky_factor(rows, rows, e->K, row_stride) != rows)
        return false;
    for (int round = 0; round < ROUNDS && find_left(e) > 1e-12; round++) {
        sw_cholesky_solve(rows, e->K, row_stride, e->left);
        for (int i = 0; i < rows; i++)
            add_row(n, e->left[i], e->change + (ptrdiff_t)i * n, e->x);
    }
    return find_left(e) < 1e-9;
}

// What the error of the fit, squared, has grown by: it was least before.
static swReal find_hurt(const swExact *e) {
    const swChoice *c = e->c;
    swReal sum = 0;
    for (int i = 0; i < e->n; i++)
        for (int j = 0; j < e->n; j++)
            sum += (e->x[i] - e->before[i]) * (e->x[j] - e->before[j]) *
                   c->G[(ptrdiff_t)e->column[i] * c->columns + e->column[j]] /
                   (c->root[e->column[i]] * c->root[e->column[j]]);
    return sum;
}

// The same, as far as all stay above a share of what they were: those that would not are held there
// more and more. False also where the fit would be hurt too much.
static bool find_weights(const swExact *e) {
    enum { TRIES = 8 };
    static const swReal loose = 1e-3, more = 30, share = 0.05;
    for (int i = 0; i < e->n; i++)
        e->stiff[i] = loose;
    for (int turn = 0; turn < TRIES; turn++) {
        bool all = true;
        if (!find_changes(e))
            break;
        for (int i = 0; i < e->n; i++)
            if (!(e->x[i] > share * e->before[i])) {
                e->stiff[i] *= more;
                all = false;
            }
        if (all && find_hurt(e) > e->hurt)
            break;
        if (all)
            return true;
        memcpy(e->x, e->before, (size_t)e->n * sizeof *e->x);
    }
    memcpy(e->x, e->before, (size_t)e->n * sizeof *e->x);
    return false;
}

// Returns how many of the softest motions are exact, or -1. The error of the fit may become a few
// times what it is.
static int make_exact(const swChoice *c, const swNnlsProducts *fit, swArena *arena,
                      swError *error) {
    static const swReal times = 5;
    const swReal least = fit->enough * fit->enough * fit->square;
    swExact e = {.c = c,
                 .n = fit->k,
                 .column = fit->column,
                 .x = fit->x,
                 .hurt = times * times * sw_max(fit->left, least)};
    int points = 0;
    for (int k = 0; k < e.n; k++)
        points += c->size[e.column[k]];
    while (e.soft < c->rank && count_pairs(e.soft + 1) <= points / EXACT)
        e.soft++;
    e.soft = sw_eigen_cut(c->rank, c->softness, e.soft);
    e.rows = c->set->nkind + count_pairs(e.soft);
    const size_t n = (size_t)e.n, rows = (size_t)e.rows;
    e.A = SW_NEW(arena, rows * n, swReal, error);
    e.want = SW_NEW(arena, rows, swReal, error);
    e.K = SW_NEW(arena, rows * (size_t)sw_cholesky_stride(e.rows), swReal, error);
    e.left = SW_NEW(arena, rows, swReal, error);
    e.change = SW_NEW(arena, rows * n, swReal, error);
    e.M = SW_NEW(arena, n * (size_t)sw_cholesky_stride(e.n), swReal, error);
    e.before = SW_NEW(arena, n, swReal, error);
    e.stiff = SW_NEW(arena, n, swReal, error);
    if (!e.stiff || !e.A || !e.want || !e.K || !e.left || !e.change || !e.M || !e.before)
        return -1;
    memcpy(e.before, e.x, n * sizeof *e.before);
    list_rows(&e);
    clear_rows(&e);
    while (!find_weights(&e) && e.soft > 0) { // fewer, if these points cannot do it
        e.soft /= 2;
        e.rows = c->set->nkind + count_pairs(e.soft);
    }
    return e.soft;
}

bool sw_points_choose(const swPointSet *set, swReal enough, int most, swPool *pool, swArena *arena,
                      swChosenPoints *out, swError *error) {
    swChoice choice = {.set = set, .most = most}, *c = &choice;
    const size_t n = (size_t)set->n;
    c->W = SW_NEW(arena, n * n, swReal, error);
    c->E = SW_NEW(arena, SW_FIELD_STRAIN * n, swReal, error);
    if (!c->W || !c->E)
        return false;
    if (!whiten(c, arena, error) || !sort_motions(c, arena, error) ||
        !list_points(c, arena, error) || !find_strains(c, pool, arena, error) ||
        !make_products(c, pool, arena, error))
        return false;
    const swReal all = c->square; // volumes are kept in any case
    if (!add_volumes(c, arena, error) || !scale(c, arena, error))
        return false;
    swNnlsProducts nnls = {.columns = c->columns,
                           .G = c->G,
                           .c = c->c,
                           .square = c->square,
                           .most = most,
                           .size = c->size,
                           .enough = enough * sqrt(all / c->square),
                           .pool = pool};
    if (!sw_nnls_products(&nnls, arena, error))
        return false;
    for (int k = 0; k < nnls.k; k++)
        nnls.x[k] *= c->root[nnls.column[k]];
    if ((out->soft = make_exact(c, &nnls, arena, error)) < 0)
        return false;
    out->n = 0;
    out->point = SW_NEW(arena, SW_FLIPS * (size_t)nnls.k, int, error);
    out->volume = SW_NEW(arena, SW_FLIPS * (size_t)nnls.k, swReal, error);
    if (!out->point || !out->volume)
        return false;
    out->nmotion = c->rank;
    out->motion = c->W;
    out->error = sqrt(sw_max(0, nnls.left) / all);
    for (int k = 0; k < nnls.k; k++)
        for (int a = 0; a < c->size[nnls.column[k]]; a++) {
            const int point = c->point[c->member[SW_FLIPS * nnls.column[k] + a]];
            out->point[out->n] = point;
            out->volume[out->n++] = nnls.x[k] * set->volume[point];
        }
    return true;
}
