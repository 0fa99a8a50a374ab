// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "cubature/fit.h"

#include "cubature/polynomial.h"

#include <string.h>

// Products of Legendre polynomials and their gradients at p, before orthonormalisation.
static void products(const swFit *f, swVec3 p, swReal *out, swReal (*gradient)[3]) {
    swReal P[3][SW_POLY_DEGREE + 1], D[3][SW_POLY_DEGREE + 1];
    for (int a = 0; a < 3; a++) {
        const swReal scale = sw_get(f->scale, a);
        sw_legendre(f->degree, (sw_get(p, a) - sw_get(f->center, a)) / scale, P[a]);
        D[a][0] = 0;
        for (int n = 1; n <= f->degree; n++) // P'_n = P'_(n-2) + (2 n - 1) P_(n-1)
            D[a][n] = (n > 1 ? D[a][n - 2] : 0) + (2 * n - 1) * P[a][n - 1] / scale;
    }
    sw_poly_products(f->degree, P, out);
    for (int a = 0; gradient && a < 3; a++) {
        swReal Q[3][SW_POLY_DEGREE + 1], slope[SW_FIT_SIZE];
        memcpy(Q, P, sizeof Q);
        memcpy(Q[a], D[a], sizeof Q[a]);
        sw_poly_products(f->degree, Q, slope);
        for (int k = 0; k < f->n; k++)
            gradient[k][a] = slope[k];
    }
}

// x := L^-1 x, with zero for dropped functions.
static void substitute(const swFit *f, swReal *x, int stride) {
    const swReal *row = f->L;
    for (int i = 0; i < f->n; row += ++i) {
        for (int j = 0; j < i; j++)
            x[i * stride] -= row[j] * x[j * stride];
        x[i * stride] = row[i] > 0 ? x[i * stride] / row[i] : 0;
    }
}

// Factors a Gram matrix as L L^T, row by row. Drops a function that hardly differs from earlier
// ones, as noise would be amplified, and one that varies far more inside voxels than between their
// centroids, as it would be extrapolated (`whole` is its square including the variation inside
// voxels).
static void factor(int n, const swReal *whole, swReal *L) {
    swReal *row = L;
    for (int i = 0; i < n; row += ++i) {
        const swReal *other = L;
        for (int j = 0; j <= i; other += ++j) {
            swReal sum = row[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (j < i)
                row[j] = other[j] > 0 ? sum / other[j] : 0;
            else
                row[j] = sum > 1e-6 && sum > (i < 4 ? 0.02 : 1e-3) * whole[i] ? sqrt(sum) : 0;
        }
    }
}

void sw_fit_create(swFit *f, int degree, bool inside, const swGrid *g, int n, const int *voxel,
                   const swReal *measure) {
    SW_ASSERT(degree <= SW_FIT_DEGREE);
    *f = (swFit){.degree = degree, .n = sw_poly_size(degree), .scale = {1, 1, 1}};
    swVec3 lo = {INFINITY, INFINITY, INFINITY}, hi = {-INFINITY, -INFINITY, -INFINITY};
    swReal total = 0;
    for (int i = 0; i < n; i++) {
        lo = sw_min3(lo, g->voxel[voxel[i]].centroid);
        hi = sw_max3(hi, g->voxel[voxel[i]].centroid);
        total += measure[voxel[i]];
    }
    swReal whole[SW_FIT_SIZE] = {0};
    f->center = sw_lerp(lo, hi, 0.5);
    for (int a = 0; a < 3; a++)
        sw_set(&f->scale, a, sw_max(0.5 * sw_get(sw_sub(hi, lo), a), 0.5 * g->h));
    for (int i = 0; i < n; i++) {
        const swVoxel *v = &g->voxel[voxel[i]];
        const swReal share = measure[voxel[i]] / total;
        swReal p[SW_FIT_SIZE], slope[SW_FIT_SIZE][3], *row = f->L;
        products(f, v->centroid, p, slope);
        for (int k = 0; k < f->n; k++) {
            whole[k] += share * p[k] * p[k];
            for (int a = 0; a < 3; a++)
                whole[k] += share * sw_get(v->second, a) * slope[k][a] * slope[k][a];
        }
        for (int k = 0; k < f->n; row += ++k)
            for (int j = 0; j <= k; j++) {
                row[j] += share * p[k] * p[j];
                for (int a = 0; inside && a < 3; a++)
                    row[j] += share * sw_get(v->second, a) * slope[k][a] * slope[j][a];
            }
    }
    factor(f->n, whole, f->L);
}

void sw_fit_values(const swFit *f, swVec3 p, swReal *phi, swReal (*gradient)[3]) {
    products(f, p, phi, gradient);
    substitute(f, phi, 1);
    for (int a = 0; gradient && a < 3; a++)
        substitute(f, &gradient[0][a], 3);
}
