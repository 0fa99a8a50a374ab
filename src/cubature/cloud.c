// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "cubature/cloud.h"

#include <stdlib.h>
#include <string.h>

enum { GRAIN = 256 };

// A shape function at a point, in the point's list.
typedef struct {
    int node;
    swReal phi, g[3];
} swEntry;

// On the way. Rows and columns of the table of shape functions: by point, and by node.
typedef struct {
    const swMls *mls;
    int npoint;
    const swCloudPoint *point;
    swMlsSearch *search; // one per worker
    int *start;          // npoint + 1: into `entry`
    swEntry *entry;
    int *first, *use; // n + 1: the entries of each node
    int *owner;       // point of each entry
    int **mark;       // one per worker, per node: 1 + its place in the present row; 0: not in it
    int *row, *column;
    swCloud *out;
} swIntegral;

// ---- shape functions at all points ----

static void count_shapes(int start, int end, int worker, void *arg) {
    swIntegral *t = arg;
    swMlsShape shape;
    for (int i = start; i < end; i++) {
        const bool any =
            sw_mls_shape(&t->search[worker], t->point[i].p, t->point[i].cell, false, &shape);
        t->start[i + 1] = any ? shape.n : 0;
    }
}

static void fill_shapes(int start, int end, int worker, void *arg) {
    swIntegral *t = arg;
    swMlsShape shape;
    for (int i = start; i < end; i++) {
        sw_mls_shape(&t->search[worker], t->point[i].p, t->point[i].cell, true, &shape);
        for (int a = 0; a < shape.n; a++) {
            swEntry *e = &t->entry[t->start[i] + a];
            *e = (swEntry){.node = shape.node[a], .phi = shape.phi[a]};
            memcpy(e->g, shape.gradient[a], sizeof e->g);
            t->owner[t->start[i] + a] = i;
        }
    }
}

static bool find_shapes(swIntegral *t, swPool *pool, swArena *arena, swError *error) {
    const int n = t->mls->n;
    t->start = SW_NEW(arena, t->npoint + 1, int, error);
    if (!t->start)
        return false;
    sw_parallel_for(pool, t->npoint, GRAIN, count_shapes, t);
    for (int i = 0; i < t->npoint; i++) {
        if (t->start[i + 1] == 0)
            return sw_fail(error, SW_ERROR_GEOMETRY, "no node counts at (%.4g, %.4g, %.4g)",
                           t->point[i].p.x, t->point[i].p.y, t->point[i].p.z);
        if (t->start[i] > INT32_MAX - t->start[i + 1])
            return sw_fail(error, SW_ERROR_LIMIT, "too many Gauss points for one array");
        t->start[i + 1] += t->start[i];
    }
    const int count = t->start[t->npoint];
    t->entry = SW_NEW(arena, count, swEntry, error);
    t->owner = SW_NEW(arena, count, int, error);
    t->first = SW_NEW(arena, n + 2, int, error);
    t->use = SW_NEW(arena, count, int, error);
    if (!t->entry || !t->owner || !t->first || !t->use)
        return false;
    sw_parallel_for(pool, t->npoint, GRAIN, fill_shapes, t);
    for (int k = 0; k < count; k++)
        t->first[t->entry[k].node + 2]++;
    for (int i = 2; i < n + 2; i++)
        t->first[i] += t->first[i - 1];
    for (int k = 0; k < count; k++)
        t->use[t->first[t->entry[k].node + 1]++] = k;
    return true;
}

// ---- rows of K ----

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

// The columns of row i, unsorted, into `column` (NULL: only counted); marks are left behind.
static int find_columns(const swIntegral *t, int i, int *mark, int *column) {
    int count = 0;
    for (int u = t->first[i]; u < t->first[i + 1]; u++) {
        const int point = t->owner[t->use[u]];
        for (int k = t->start[point]; k < t->start[point + 1]; k++) {
            const int j = t->entry[k].node;
            if (j > i || mark[j] == i + 1)
                continue;
            mark[j] = i + 1;
            if (column)
                column[count] = j;
            count++;
        }
    }
    return count;
}

static void count_columns(int start, int end, int worker, void *arg) {
    const swIntegral *t = arg;
    for (int i = start; i < end; i++)
        t->row[i + 1] = find_columns(t, i, t->mark[worker], NULL);
}

// V (lambda g_I g_J^T + mu g_J g_I^T + mu (g_I . g_J) 1)
static void add_block(const swCloudPoint *point, const swReal *gi, const swReal *gj, swReal *K) {
    const swReal mu = point->volume * point->mu, lambda = point->volume * point->lambda,
                 dot = mu * (gi[0] * gj[0] + gi[1] * gj[1] + gi[2] * gj[2]);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++)
            K[3 * a + b] += lambda * gi[a] * gj[b] + mu * gj[a] * gi[b];
        K[4 * a] += dot;
    }
}

static void fill_rows(int start, int end, int worker, void *arg) {
    const swIntegral *t = arg;
    int *mark = t->mark[worker];
    memset(mark, 0, (size_t)t->mls->n * sizeof *mark);
    for (int i = start; i < end; i++) {
        int *column = t->column + t->row[i];
        const int n = t->row[i + 1] - t->row[i];
        find_columns(t, i, mark, column);
        qsort(column, (size_t)n, sizeof *column, compare);
        for (int k = 0; k < n; k++)
            mark[column[k]] = k;
        for (int u = t->first[i]; u < t->first[i + 1]; u++) {
            const swEntry *own = &t->entry[t->use[u]];
            const int owner = t->owner[t->use[u]];
            const swCloudPoint *point = &t->point[owner];
            t->out->mass[i] += point->mass * own->phi;
            for (int k = t->start[owner]; k < t->start[owner + 1]; k++)
                if (t->entry[k].node <= i)
                    add_block(point, own->g, t->entry[k].g,
                              t->out->value + 9 * ((int64_t)t->row[i] + mark[t->entry[k].node]));
        }
        for (int k = 0; k < n; k++)
            mark[column[k]] = 0;
    }
}

static bool make_rows(swIntegral *t, swPool *pool, swArena *arena, swError *error) {
    const int n = t->mls->n;
    t->row = SW_NEW(arena, n + 1, int, error);
    if (!t->row)
        return false;
    sw_parallel_for(pool, n, GRAIN, count_columns, t);
    for (int i = 0; i < n; i++) {
        t->row[i + 1] = sw_max_int(t->row[i + 1], 1); // a node where nothing is
        if (t->row[i] > INT32_MAX / 9 - t->row[i + 1])
            return sw_fail(error, SW_ERROR_LIMIT, "the stiffness has too many blocks");
        t->row[i + 1] += t->row[i];
    }
    t->column = SW_NEW(arena, t->row[n], int, error);
    t->out->value = SW_NEW(arena, 9 * (size_t)t->row[n], swReal, error);
    t->out->mass = SW_NEW(arena, n, swReal, error);
    t->out->pattern = (swPattern){n, t->row, t->column};
    if (!t->column || !t->out->value || !t->out->mass)
        return false;
    for (int i = 0; i < n; i++)
        t->column[t->row[i + 1] - 1] = i;
    sw_parallel_for(pool, n, GRAIN, fill_rows, t);
    return true;
}

bool sw_cloud_integrate(const swMls *mls, int npoint, const swCloudPoint *point, swPool *pool,
                        swArena *arena, swCloud *cloud, swError *error) {
    const int workers = sw_pool_size(pool);
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    swIntegral t = {.mls = mls,
                    .npoint = npoint,
                    .point = point,
                    .search = SW_NEW(&scratch, workers, swMlsSearch, error),
                    .mark = SW_NEW(&scratch, workers, int *, error),
                    .out = cloud};
    bool ok = t.search && t.mark;
    for (int i = 0; ok && i < workers; i++)
        ok = sw_mls_search_create(&t.search[i], mls, &scratch, error) &&
             (t.mark[i] = SW_NEW(&scratch, mls->n, int, error));
    ok = ok && find_shapes(&t, pool, &scratch, error) && make_rows(&t, pool, arena, error);
    sw_arena_free(&scratch);
    return ok;
}

swReal sw_cloud_multiply(swPattern pattern, const swReal *value, const swReal *x, swReal *y) {
    swReal sum = 0;
    memset(y, 0, (size_t)(3 * pattern.n) * sizeof *y);
    for (int i = 0; i < pattern.n; i++) {
        const swReal x0 = x[3 * i], x1 = x[3 * i + 1], x2 = x[3 * i + 2];
        swReal y0 = 0, y1 = 0, y2 = 0;
        for (int k = pattern.row[i]; k < pattern.row[i + 1] - 1; k++) {
            const swReal *K = value + 9 * (int64_t)k, *xj = x + 3 * pattern.column[k];
            swReal *yj = y + 3 * pattern.column[k];
            const swReal d0 = xj[0] - x0, d1 = xj[1] - x1, d2 = xj[2] - x2;
            y0 += K[0] * d0 + K[1] * d1 + K[2] * d2;
            y1 += K[3] * d0 + K[4] * d1 + K[5] * d2;
            y2 += K[6] * d0 + K[7] * d1 + K[8] * d2;
            yj[0] -= K[0] * d0 + K[3] * d1 + K[6] * d2;
            yj[1] -= K[1] * d0 + K[4] * d1 + K[7] * d2;
            yj[2] -= K[2] * d0 + K[5] * d1 + K[8] * d2;
        }
        y[3 * i] += y0;
        y[3 * i + 1] += y1;
        y[3 * i + 2] += y2;
    }
    for (int i = 0; i < 3 * pattern.n; i++)
        sum += x[i] * y[i];
    return sum;
}
