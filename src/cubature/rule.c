// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "cubature/rule.h"

#include "cubature/nnls.h"

#include <string.h>

// Number of points to choose from, at first and at most.
enum { CANDIDATES = 2048, MORE = 4 * CANDIDATES };

struct swRuleWork {
    swVec3 center, scale; // map to [-1, 1]
    swReal tolerance;     // of moments: rounding, including that of coordinates if they are large
    swVec3 *candidate;
    swReal *A;                     // [polynomial][candidate], rows orthonormal
    swReal moment[SW_RULE_POINTS]; // of the region: means of products of Legendre polynomials
    swReal b[SW_RULE_POINTS];      // the same for the rows of A
    swNnls nnls;
};

int sw_rule_size(int degree) {
    SW_ASSERT(degree >= 1 && degree <= SW_RULE_DEGREE);
    return degree == 1 ? 1 : degree == 2 ? 8 : sw_poly_size(degree);
}

swRuleWork *sw_rule_work(int degree, swArena *arena, swError *error) {
    swRuleWork *w = SW_NEW(arena, 1, swRuleWork, error);
    if (!w || degree < 3)
        return w;
    const int m = sw_poly_size(degree);
    w->candidate = SW_NEW(arena, MORE, swVec3, error);
    w->A = SW_NEW(arena, m * MORE, swReal, error);
    return w->candidate && w->A && sw_nnls_create(&w->nnls, m, MORE, arena, error) ? w : NULL;
}

// One point at the centroid; or eight at the corners of a box along the principal axes with the
// second moments of the region.
static void small_rule(swRule *rule, int degree, const swGrid *g, int n, const int *voxel,
                       const swReal *measure) {
    swReal total = 0;
    swVec3 c = {0, 0, 0}, second;
    swMat3 S = {{0}}, V;
    for (int i = 0; i < n; i++) {
        total += measure[voxel[i]];
        c = sw_madd(c, measure[voxel[i]], g->voxel[voxel[i]].centroid);
    }
    c = sw_scale(1 / total, c);
    rule->degree = degree;
    rule->n = sw_rule_size(degree);
    for (int i = 0; i < n && degree == 2; i++) {
        const swVoxel *v = &g->voxel[voxel[i]];
        const swVec3 d = sw_sub(v->centroid, c);
        for (int a = 0; a < 9; a++)
            S.m[a] +=
                measure[voxel[i]] / total *
                (sw_get(d, a / 3) * sw_get(d, a % 3) + (a % 4 ? 0 : sw_get(v->second, a / 4)));
    }
    sw_mat_eigen(S, &second, &V);
    for (int i = 0; i < rule->n; i++) {
        rule->point[i] = c;
        rule->weight[i] = total / rule->n;
        for (int k = 0; k < 3 && degree == 2; k++) {
            const swReal step = sqrt(sw_max(0, sw_get(second, k)));
            rule->point[i] = sw_madd(rule->point[i], i >> k & 1 ? step : -step,
                                     sw_v3(V.m[k], V.m[3 + k], V.m[6 + k]));
        }
    }
}

static swVec3 root(swVec3 a) { return sw_v3(sqrt(a.x), sqrt(a.y), sqrt(a.z)); }

// Point `corner` of the eight points of a voxel.
static swVec3 point_in(const swVoxel *v, int corner) {
    const swVec3 d = root(v->second);
    return sw_add(v->centroid,
                  sw_v3(corner & 1 ? d.x : -d.x, corner & 2 ? d.y : -d.y, corner & 4 ? d.z : -d.z));
}

static void evaluate(const swRuleWork *w, int degree, swVec3 p, swReal *out) {
    swReal P[3][SW_POLY_DEGREE + 1];
    for (int a = 0; a < 3; a++)
        sw_legendre(degree, (sw_get(p, a) - sw_get(w->center, a)) / sw_get(w->scale, a), P[a]);
    sw_poly_products(degree, P, out);
}

// The mean over a voxel's eight points is a product of means over two points each.
static void evaluate_voxel(const swRuleWork *w, int degree, const swVoxel *v, swReal *out) {
    swReal P[3][SW_POLY_DEGREE + 1], low[SW_POLY_DEGREE + 1];
    const swVec3 d = root(v->second);
    for (int a = 0; a < 3; a++) {
        const swReal t = (sw_get(v->centroid, a) - sw_get(w->center, a)) / sw_get(w->scale, a),
                     s = sw_get(d, a) / sw_get(w->scale, a);
        sw_legendre(degree, t + s, P[a]);
        sw_legendre(degree, t - s, low);
        for (int k = 0; k <= degree; k++)
            P[a][k] = 0.5 * (P[a][k] + low[k]);
    }
    sw_poly_products(degree, P, out);
}

// Computes the moments of the region divided by its measure, and returns the measure. Sums are
// nested to keep rounding small.
static swReal measure_region(swRuleWork *w, int degree, const swGrid *g, int n, const int *voxel,
                             const swReal *measure) {
    enum { PART = 256 };
    const int m = sw_poly_size(degree);
    swVec3 lo = {INFINITY, INFINITY, INFINITY}, hi = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < n; i++) {
        lo = sw_min3(lo, point_in(&g->voxel[voxel[i]], 0));
        hi = sw_max3(hi, point_in(&g->voxel[voxel[i]], 7));
    }
    w->center = sw_lerp(lo, hi, 0.5);
    for (int a = 0; a < 3; a++)
        sw_set(&w->scale, a, sw_max(0.5 * sw_get(sw_sub(hi, lo), a), 1e-3 * g->h));
    w->tolerance = 1e-13;
    for (int a = 0; a < 3; a++) // the slope of a Legendre polynomial is at most n (n + 1) / 2
        w->tolerance += degree * (degree + 1) * 0x1p-52 *
                        sw_max(fabs(sw_get(lo, a)), fabs(sw_get(hi, a))) / sw_get(w->scale, a);
    memset(w->moment, 0, sizeof w->moment);
    for (int first = 0; first < n; first += PART) {
        swReal sum[SW_RULE_POINTS] = {0}, value[SW_RULE_POINTS];
        for (int i = first; i < n && i < first + PART; i++) {
            evaluate_voxel(w, degree, &g->voxel[voxel[i]], value);
            for (int k = 0; k < m; k++)
                sum[k] += measure[voxel[i]] * value[k];
        }
        for (int k = 0; k < m; k++)
            w->moment[k] += sum[k];
    }
    const swReal total = w->moment[0];
    for (int k = 0; k < m; k++)
        w->moment[k] /= total;
    return total;
}

// All points of the region if they are few, else `limit` of them.
static int choose_candidates(swRuleWork *w, const swGrid *g, int n, const int *voxel, int limit) {
    const int all = 8 * n, count = sw_min_int(all, limit);
    for (int i = 0; i < count; i++) {
        const int at = sw_spread_index(i, count, all);
        w->candidate[i] = point_in(&g->voxel[voxel[at / 8]], at % 8);
    }
    return count;
}

// Fills the rows of A with the polynomials at the candidates, orthonormalised there; returns their
// number. Drops those that depend on earlier ones.
static int make_rows(swRuleWork *w, int degree, int count) {
    const int m = sw_poly_size(degree);
    int rows = 0;
    for (int c = 0; c < count; c++) {
        swReal value[SW_RULE_POINTS];
        evaluate(w, degree, w->candidate[c], value);
        for (int k = 0; k < m; k++)
            w->A[k * MORE + c] = value[k];
    }
    for (int k = 0; k < m; k++) {
        swReal *row = w->A + (ptrdiff_t)rows * MORE, b = w->moment[k];
        if (rows < k)
            memcpy(row, w->A + (ptrdiff_t)k * MORE, (size_t)count * sizeof *row);
        const swReal size = sw_dot_n(count, row, row);
        for (int pass = 0; pass < 2; pass++) // a second pass removes rounding errors
            for (int j = 0; j < rows; j++) {
                const swReal *other = w->A + (ptrdiff_t)j * MORE, d = sw_dot_n(count, row, other);
                b -= d * w->b[j];
                for (int c = 0; c < count; c++)
                    row[c] -= d * other[c];
            }
        const swReal left = sw_dot_n(count, row, row);
        if (!(left > 1e-16 * size) || !(left > 1e-24 * count))
            continue;
        for (int c = 0; c < count; c++)
            row[c] /= sqrt(left);
        w->b[rows++] = b / sqrt(left);
    }
    return rows;
}

// Whether the chosen points reproduce every moment, with weights above zero.
static bool verify(const swRuleWork *w, int degree) {
    const int m = sw_poly_size(degree);
    swReal sum[SW_RULE_POINTS] = {0}, value[SW_RULE_POINTS];
    for (int j = 0; j < w->nnls.k; j++) {
        if (!(w->nnls.x[j] > 0))
            return false;
        evaluate(w, degree, w->candidate[w->nnls.column[j]], value);
        for (int k = 0; k < m; k++)
            sum[k] += w->nnls.x[j] * value[k];
    }
    for (int k = 0; k < m; k++)
        if (!(fabs(sum[k] - w->moment[k]) <= w->tolerance))
            return false;
    return true;
}

void sw_rule_create(swRule *rule, int degree, const swGrid *g, int n, const int *voxel,
                    const swReal *measure, swRuleWork *w) {
    SW_ASSERT(n > 0);
    if (degree < 3) {
        small_rule(rule, degree, g, n, voxel, measure);
        return;
    }
    const swReal total = measure_region(w, degree, g, n, voxel, measure);
    for (int limit = CANDIDATES; limit <= MORE; limit *= 2) {
        const int count = choose_candidates(w, g, n, voxel, limit);
        const int rows = make_rows(w, degree, count);
        sw_nnls_solve(&w->nnls, rows, count, w->A, MORE, w->b);
        if (verify(w, degree)) {
            rule->degree = degree;
            rule->n = w->nnls.k;
            for (int j = 0; j < rule->n; j++) {
                rule->point[j] = w->candidate[w->nnls.column[j]];
                rule->weight[j] = total * w->nnls.x[j];
            }
            return;
        }
        if (count < limit) // there are no more candidates
            break;
    }
    small_rule(rule, 2, g, n, voxel, measure);
}

// Orthonormalises a row against those before it, with weights that add up to one; returns false if
// nothing is left.
static bool straighten(int n, const swReal *share, int before, swReal (*row)[SW_RULE_POINTS]) {
    swReal *q = row[before], square = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < before; j++) {
            swReal d = 0;
            for (int i = 0; i < n; i++)
                d += share[i] * q[i] * row[j][i];
            for (int i = 0; i < n; i++)
                q[i] -= d * row[j][i];
        }
    for (int i = 0; i < n; i++)
        square += share[i] * q[i] * q[i];
    for (int i = 0; i < n && square > 1e-6; i++)
        q[i] /= sqrt(square);
    return square > 1e-6;
}

int sw_rule_patterns(const swRule *rule, const swFit *fit, swReal (*pattern)[SW_RULE_POINTS]) {
    // Go through the functions of the fit, then polynomials of higher degree, then plain signs;
    // what is new in these are patterns. Points of little weight do not take part, and patterns
    // that are large anywhere are dropped: a sample must not deform much more than its region.
    const swReal large = 3;
    const int degree = sw_min_int(fit->degree + 2, SW_POLY_DEGREE), n = sw_poly_size(degree);
    swReal row[SW_FIT_SIZE + SW_PATTERNS][SW_RULE_POINTS], share[SW_RULE_POINTS], total = 0;
    swRuleWork w = {.center = fit->center, .scale = fit->scale};
    int own = 0, count = 0;
    for (int i = 0; i < rule->n; i++)
        total += rule->weight[i];
    for (int i = 0; i < rule->n; i++)
        share[i] = 3 * rule->n * rule->weight[i] > total ? rule->weight[i] / total : 0;
    for (int k = 0; k < n + 4 * SW_PATTERNS && count < SW_PATTERNS; k++) {
        swReal highest = 0;
        for (int i = 0; i < rule->n; i++) {
            swReal phi[SW_FIT_SIZE], value[SW_POLY_SIZE], at = 0;
            if (k < fit->n) {
                sw_fit_values(fit, rule->point[i], phi, NULL);
                at = phi[k];
            } else if (k < n) {
                evaluate(&w, degree, rule->point[i], value);
                at = value[k];
            } else {
                const int key[2] = {i, k};
                at = sw_hash(SW_HASH_SEED, key, sizeof key) >> 40 & 1 ? 1 : -1;
            }
            row[own + count][i] = share[i] > 0 ? at : 0;
        }
        if (!straighten(rule->n, share, own + count, row))
            continue;
        for (int i = 0; i < rule->n; i++)
            highest = sw_max(highest, fabs(row[own + count][i]));
        if (k < fit->n)
            own++;
        else if (highest < large)
            count++;
    }
    memcpy(pattern, row + own, (size_t)count * sizeof *row);
    return count;
}
