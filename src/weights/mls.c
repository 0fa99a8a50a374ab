// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/mls.h"

#include <stdlib.h>
#include <string.h>

enum { BASIS = 4, ENOUGH = 6, MAX_GROWTH = 12, MAX_NEIGHBOURS = 64 };

// ---- who is near ----

typedef struct {
    swReal distance;
    int node;
} swNear;

static int compare(const void *a, const void *b) {
    const swNear *x = a, *y = b;
    return x->distance < y->distance   ? -1
           : x->distance > y->distance ? 1
                                       : (x->node > y->node) - (x->node < y->node);
}

static bool cell_in_ball(const swLattice *l, int c, swVec3 p, swReal radius) {
    return sw_norm2(sw_sub(sw_lattice_clamp(l, c, p), p)) < radius * radius;
}

static void visit(swMlsSearch *s, int grid_cell, swVec3 p, swReal radius, int *count) {
    const swLattice *l = s->mls->lattice;
    const int c = l->index[grid_cell];
    if (c < 0 || s->seen[c] == s->turn || !cell_in_ball(l, c, p, radius))
        return;
    s->seen[c] = s->turn;
    s->queue[(*count)++] = c;
}

// Filled cells that are reached from cell c, face by face, inside the ball around p: s->queue.
static int reach(swMlsSearch *s, swVec3 p, int c, swReal radius) {
    const swLattice *l = s->mls->lattice;
    const swGrid *g = l->grid;
    const int stride[3] = {1, g->n[0], g->n[0] * g->n[1]};
    int count = 1;
    s->seen[c] = ++s->turn;
    s->queue[0] = c;
    for (int i = 0; i < count; i++) {
        const int at = l->cell[s->queue[i]];
        for (int k = 0; k < 3; k++) {
            const int place = at / stride[k] % g->n[k];
            if (g->open[at] & (1 << k) && place + 1 < g->n[k])
                visit(s, at + stride[k], p, radius, &count);
            if (place > 0 && g->open[at - stride[k]] & (1 << k))
                visit(s, at - stride[k], p, radius, &count);
        }
    }
    return count;
}

// The nodes nearest to p, `most` at most, ascending in distance.
static int nearest(swMlsSearch *s, swVec3 p, int c, swReal radius, int most, swNear *near) {
    const swMls *m = s->mls;
    const int ncell = reach(s, p, c, radius);
    int n = 0;
    for (int i = 0; i < ncell; i++)
        for (int k = m->first[s->queue[i]]; k < m->first[s->queue[i] + 1]; k++) {
            const swNear new = {sw_norm(sw_sub(m->X[m->item[k]], p)), m->item[k]};
            if (n == most && compare(&new, &near[n - 1]) >= 0)
                continue;
            int at = n < most ? n++ : n - 1;
            for (; at > 0 && compare(&new, &near[at - 1]) < 0; at--)
                near[at] = near[at - 1];
            near[at] = new;
        }
    return n;
}

bool sw_mls_search_create(swMlsSearch *s, const swMls *mls, swArena *arena, swError *error) {
    *s = (swMlsSearch){.mls = mls,
                       .seen = SW_NEW(arena, mls->lattice->ncell, int, error),
                       .queue = SW_NEW(arena, mls->lattice->ncell, int, error)};
    return s->seen && s->queue;
}

bool sw_mls_create(swMls *mls, const swLattice *l, int n, const swVec3 *X, int *home,
                   int neighbours, swArena *arena, swError *error) {
    swMlsSearch search;
    swNear near[MAX_NEIGHBOURS];
    *mls = (swMls){.lattice = l,
                   .n = n,
                   .X = X,
                   .home = home,
                   .h = SW_NEW(arena, n, swReal, error),
                   .first = SW_NEW(arena, l->ncell + 2, int, error),
                   .item = SW_NEW(arena, n, int, error)};
    if (!mls->h || !mls->first || !mls->item || !sw_mls_search_create(&search, mls, arena, error))
        return false;
    for (int i = 0; i < n; i++)
        mls->first[home[i] + 2]++;
    for (int c = 2; c < l->ncell + 2; c++)
        mls->first[c] += mls->first[c - 1];
    for (int i = 0; i < n; i++)
        mls->item[mls->first[home[i] + 1]++] = i;
    const int most = sw_min_int(sw_min_int(neighbours + 1, n), MAX_NEIGHBOURS);
    const swReal whole = sw_norm(sw_sub(l->grid->hi, l->grid->lo)) + 4 * l->grid->h;
    const swReal usual = 2 * cbrt(l->grid->volume * most / n);
    for (int i = 0; i < n; i++) {
        swReal radius = sw_min(usual, whole);
        int found = nearest(&search, X[i], home[i], radius, most, near);
        // those within the radius are the nearest; beyond it others may be nearer
        while ((found < most || near[found - 1].distance > radius) && radius < whole) {
            radius = sw_min(1.5 * radius, whole);
            found = nearest(&search, X[i], home[i], radius, most, near);
        }
        mls->h[i] = sw_max(1.5 * near[found - 1].distance, 1.5 * l->grid->h);
        mls->most = sw_max(mls->most, mls->h[i]);
    }
    return true;
}

bool sw_mls_cover(swMls *mls, swMlsSearch *s, int npoint, const swVec3 *p, const int *cell) {
    swNear near[ENOUGH];
    for (int i = 0; i < npoint; i++) {
        swReal radius = mls->most;
        int found = nearest(s, p[i], cell[i], radius, ENOUGH, near);
        for (int k = 0; k < MAX_GROWTH && found < ENOUGH && found < mls->n; k++) {
            radius *= 1.5;
            found = nearest(s, p[i], cell[i], radius, ENOUGH, near);
        }
        if (found == 0)
            return false;
        for (int k = 0; k < found; k++) {
            swReal *h = &mls->h[near[k].node];
            *h = sw_max(*h, 1.2 * near[k].distance);
            mls->most = sw_max(mls->most, *h);
        }
    }
    return true;
}

// ---- shape functions ----

// A = L L^T in place.
static bool factor(swReal A[BASIS][BASIS]) {
    for (int i = 0; i < BASIS; i++)
        for (int j = 0; j <= i; j++) {
            swReal sum = A[i][j];
            for (int k = 0; k < j; k++)
                sum -= A[i][k] * A[j][k];
            if (i == j && !(sum > 0))
                return false;
            A[i][j] = i == j ? sqrt(sum) : sum / A[j][j];
        }
    return true;
}

static void solve(swReal L[BASIS][BASIS], swReal x[BASIS]) {
    for (int i = 0; i < BASIS; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= L[i][k] * x[k];
        x[i] /= L[i][i];
    }
    for (int i = BASIS - 1; i >= 0; i--) {
        for (int k = i + 1; k < BASIS; k++)
            x[i] -= L[k][i] * x[k];
        x[i] /= L[i][i];
    }
}

// What counts at p.
typedef struct {
    swReal scale;                // lengths are divided by it
    swReal w[SW_MLS_MAX];        // of each node of the shape
    swReal dw[SW_MLS_MAX][3];    // its gradient
    swReal P[SW_MLS_MAX][BASIS]; // the basis at the node, about p
} swMlsFit;

static void weigh(swMlsSearch *s, swVec3 p, int c, swMlsShape *shape, swMlsFit *fit) {
    const swMls *m = s->mls;
    const int ncell = reach(s, p, c, m->most);
    shape->n = 0;
    fit->scale = 0;
    for (int i = 0; i < ncell; i++)
        for (int k = m->first[s->queue[i]]; k < m->first[s->queue[i] + 1]; k++) {
            const int node = m->item[k];
            const swVec3 d = sw_sub(m->X[node], p);
            const swReal h = m->h[node], r = sw_norm(d) / h;
            if (!(r < 1) || shape->n == SW_MLS_MAX)
                continue;
            const int a = shape->n++;
            // w' / r = -12 (1 - r)^2, so that no direction is needed where r is 0
            const swReal rise = 12 * (1 - r) * (1 - r) / (h * h);
            shape->node[a] = node;
            fit->w[a] = 1 - r * r * (6 - r * (8 - 3 * r));
            for (int j = 0; j < 3; j++) {
                fit->dw[a][j] = rise * sw_get(d, j);
                fit->P[a][1 + j] = sw_get(d, j);
            }
            fit->scale = sw_max(fit->scale, h);
        }
    for (int a = 0; a < shape->n; a++) {
        fit->P[a][0] = 1;
        for (int j = 1; j < BASIS; j++)
            fit->P[a][j] /= fit->scale;
    }
}

// sum of weight[a][stride] P P^T.
static void moments(const swMlsShape *shape, const swMlsFit *fit, const swReal *weight, int stride,
                    swReal M[BASIS][BASIS]) {
    memset(M, 0, BASIS * sizeof *M);
    for (int a = 0; a < shape->n; a++)
        for (int i = 0; i < BASIS; i++)
            for (int j = 0; j < BASIS; j++)
                M[i][j] += weight[a * stride] * fit->P[a][i] * fit->P[a][j];
}

// Where nodes lie in a plane (a line, a point), the field cannot vary across it: E, to be added to
// moments as a share of all weights.
static void stiffen(swReal M[BASIS][BASIS], swReal E[3][3]) {
    static const swReal flat = 1e-6, share = 1e-2;
    swMat3 C, V; // spread about the mean
    swVec3 spread;
    for (int i = 0; i < 9; i++)
        C.m[i] = (M[1 + i / 3][1 + i % 3] - M[1 + i / 3][0] * M[1 + i % 3][0] / M[0][0]) / M[0][0];
    sw_mat_eigen(C, &spread, &V);
    for (int i = 0; i < 9; i++) {
        E[i / 3][i % 3] = 0;
        for (int k = 0; k < 3; k++)
            if (sw_get(spread, k) < flat)
                E[i / 3][i % 3] += share * V.m[3 * (i / 3) + k] * V.m[3 * (i % 3) + k];
    }
}

static void add_stiffening(swReal M[BASIS][BASIS], swReal E[3][3]) {
    for (int i = 0; i < 9; i++)
        M[1 + i / 3][1 + i % 3] += M[0][0] * E[i / 3][i % 3];
}

bool sw_mls_shape(swMlsSearch *s, swVec3 p, int c, bool gradient, swMlsShape *shape) {
    swMlsFit fit;
    swReal M[BASIS][BASIS], E[3][3], b[BASIS] = {1}, db[3][BASIS];
    weigh(s, p, c, shape, &fit);
    if (shape->n == 0)
        return false;
    moments(shape, &fit, fit.w, 1, M);
    if (!(M[0][0] > 0))
        return false;
    stiffen(M, E);
    add_stiffening(M, E);
    if (!factor(M))
        return false;
    solve(M, b); // M b = P(p) = e_0
    // M db = dP - dM b
    for (int k = 0; gradient && k < 3; k++) {
        swReal dM[BASIS][BASIS];
        moments(shape, &fit, &fit.dw[0][k], 3, dM);
        add_stiffening(dM, E);
        for (int i = 0; i < BASIS; i++) {
            db[k][i] = i == 1 + k ? 1 / fit.scale : 0;
            for (int j = 0; j < BASIS; j++)
                db[k][i] -= dM[i][j] * b[j];
        }
        solve(M, db[k]);
    }
    for (int a = 0; a < shape->n; a++) {
        const swReal fitted = sw_dot_n(BASIS, fit.P[a], b);
        shape->phi[a] = fit.w[a] * fitted;
        for (int k = 0; gradient && k < 3; k++)
            shape->gradient[a][k] =
                fit.dw[a][k] * fitted + fit.w[a] * sw_dot_n(BASIS, fit.P[a], db[k]);
    }
    return true;
}
