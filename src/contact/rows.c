// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "contact/rows.h"

#include "kinematics/correct.h"

#include <string.h>

enum { FEW = 64 }; // nodes whose blocks are found at once

// Modes change the rows of nodes of four columns alone.
static bool is_linear(const swBodyModel *m) {
    const int modes = sw_corrected_node(m);
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (sw_node_is_dual(&m->node[i]) || (sw_node_is_modes(&m->node[i]) && i != modes) ||
            (modes >= 0 && m->node[i].width != 4))
            return false;
    return true;
}

static int64_t count_numbers(const swBodyModel *m, int *at) {
    int64_t count = 0;
    for (int64_t i = 0; i < m->size.ncontact; i++) {
        const swAnchor a = sw_point_anchor(m, m->contact[i].point);
        at[i] = (int)count;
        for (int e = 0; e < a.n; e++)
            count += m->node[a.node[e]].width;
    }
    return count;
}

static const int *nodes_of(const swBodyModel *m, int point, int *n) {
    const int *start = m->point_start + m->contact[point].point;
    *n = start[1] - start[0];
    return m->point_node + start[0];
}

static void fill(const swBodyModel *m, swRows *rows) {
    swReal *N = rows->N;
    for (int64_t i = 0; i < m->size.ncontact; i++) {
        const swAnchor a = sw_point_anchor(m, m->contact[i].point);
        swReal share = 0;
        for (int e = 0; e < a.n; e++) {
            const swNode *node = &m->node[a.node[e]];
            swReal *reach = rows->reach + node->q / 3;
            sw_monomials(node->width, sw_sub(a.p, node->origin), N);
            for (int c = 0; c < node->width; c++) {
                reach[c] = sw_max(reach[c], fabs(*N));
                *N++ *= a.weight[e];
            }
            share += fabs(a.weight[e]);
        }
        rows->share = sw_max(rows->share, share);
        int n, before;
        const int *node = nodes_of(m, (int)i, &n),
                  *last = nodes_of(m, (int)(i > 0 ? i - 1 : 0), &before);
        const bool same = n == before && memcmp(node, last, (size_t)n * sizeof *node) == 0;
        rows->nodes[i] = i == 0 ? 0 : rows->nodes[i - 1] + !same;
    }
}

static bool find_blocks(const swBodyModel *m, swRows *rows, swArena *arena, swError *error) {
    const int n = (int)m->size.nnode;
    if (n > FEW)
        return true;
    if (!(rows->block = SW_NEW(arena, n * n, int, error)))
        return false;
    for (int64_t p = 0; p < m->size.npair; p++)
        rows->block[m->pair[p].i * n + m->pair[p].j] = (int)p;
    return true;
}

bool sw_rows_create(swRows *rows, const swBodyModel *m, swArena *arena, swError *error) {
    if (!is_linear(m))
        return true;
    if (!(rows->at = SW_NEW(arena, m->size.ncontact, int, error)) ||
        !(rows->nodes = SW_NEW(arena, m->size.ncontact, int, error)) ||
        !(rows->reach = SW_NEW(arena, m->size.nq / 3, swReal, error)) ||
        !(rows->a = SW_NEW(arena, m->size.nq / 3 * 4, swReal, error)) ||
        !(rows->N = SW_NEW(arena, count_numbers(m, rows->at), swReal, error)))
        return false;
    fill(m, rows);
    if (!sw_mode_rows_create(&rows->modes, m, arena, error) ||
        (rows->modes.node >= 0 &&
         !(rows->bent = SW_NEW(arena, SW_MODE_RUN * m->size.nq / 3, swReal, error))))
        return false;
    return find_blocks(m, rows, arena, error);
}

void sw_rows_turn(const swBodyModel *m, swRows *rows, const swReal *q) {
    for (int64_t i = 0; rows->N && i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        const swReal *A = q + node->q;
        swReal *a = rows->a + node->q / 3 * 4;
        for (int c = 0; c < node->width; c++)
            for (int r = 0; r < 3; r++)
                a[4 * c + r] = A[r * node->width + c];
    }
}

// The rows of contact point i as modes change them, N_c + N_0 u: all its nodes have four columns.
// Returns how many numbers that is.
static int bend_row(const swBodyModel *m, const swRows *rows, const swReal *q, int64_t i,
                    swReal *out) {
    const int *start = m->point_start + m->contact[i].point, n = 4 * (start[1] - start[0]);
    const swReal *N = rows->N + rows->at[i];
    const swVec3 u = sw_mode_rows_bend(&rows->modes, m, q, i);
    for (int k = 0; k < n; k += 4) {
        out[k] = N[k];
        out[k + 1] = N[k + 1] + N[k] * u.x;
        out[k + 2] = N[k + 2] + N[k] * u.y;
        out[k + 3] = N[k + 3] + N[k] * u.z;
    }
    return n;
}

swVec3 sw_rows_position(const swBodyModel *m, const swRows *rows, const swReal *q, int64_t i) {
    if (!rows->N)
        return sw_point_position(m, q, m->contact[i].point);
    const int *start = m->point_start + m->contact[i].point;
    const swReal *N = rows->N + rows->at[i];
    if (rows->bent) {
        bend_row(m, rows, q, i, rows->bent);
        N = rows->bent;
    }
    swQuad even = sw_quad(0), odd = sw_quad(0); // two sums take half the time of one
    for (int e = start[0]; e < start[1]; e++) {
        const swNode *node = &m->node[m->point_node[e]];
        const swReal *a = rows->a + node->q / 3 * 4, *end = N + node->width;
        for (; N + 1 < end; N += 2, a += 8) {
            even = sw_quad_fma(N[0], sw_quad_load(a), even);
            odd = sw_quad_fma(N[1], sw_quad_load(a + 4), odd);
        }
        if (N < end)
            even = sw_quad_fma(*N++, sw_quad_load(a), even);
    }
    swReal x[4];
    sw_quad_store(x, sw_quad_fma(1, even, odd));
    return sw_v3(x[0], x[1], x[2]);
}

// |A| of the columns of a node that act on u.
static swReal size_of(const swNode *node, const swReal *A) {
    swReal sum = 0;
    for (int k = 0; k < 3 * node->width; k++)
        sum += k % node->width > 0 ? A[k] * A[k] : 0;
    return sqrt(sum);
}

swReal sw_rows_motion(const swBodyModel *m, const swRows *rows, const swReal *from,
                      const swReal *to) {
    swReal farthest = 0, u = 0, change = 0; // |u|, |u' - u|
    if (rows->bent)
        change = sw_mode_rows_change(&rows->modes, m, from, to, &u);
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        const int d = node->width;
        const swReal *a = from + node->q, *b = to + node->q, *reach = rows->reach + node->q / 3;
        if (rows->bent && !(reach[0] > 0)) // moves no point
            continue;
        swReal sum = rows->bent ? size_of(node, b) * change : 0;
        for (int c = 0; c < d; c++)
            sum += (c > 0 ? reach[c] + u : reach[c]) *
                   sw_norm(sw_v3(b[c] - a[c], b[d + c] - a[d + c], b[2 * d + c] - a[2 * d + c]));
        farthest = sum > farthest || isnan(sum) ? sum : farthest;
    }
    return rows->share * farthest;
}

// ---- forces on many points ----

// Points one after another that the same nodes move.
typedef struct swRun {
    const swBodyModel *m;
    const swRows *rows;
    int n;
    const int *point;
    const swPointForce *force;
    int bent; // numbers of a row that modes changed; 0: they are as at rest
} swRun;

static const swReal *row_of(const swRun *run, int k) {
    return run->bent ? run->rows->bent + (ptrdiff_t)k * run->bent
                     : run->rows->N + run->rows->at[run->point[k]];
}

// g_i += sum N_i gradient^T of a node whose numbers begin at `at` in each row.
static void add_gradient(const swRun *run, const swNode *node, int at, swReal *g) {
    const int d = node->width;
    swQuad four[3] = {sw_quad(0), sw_quad(0), sw_quad(0)};
    g += node->q;
    for (int k = 0; k < run->n; k++) {
        const swReal *N = row_of(run, k) + at;
        const swVec3 f = run->force[k].gradient;
        for (int r = 0; r < 3; r++)
            if (d == 4)
                four[r] = sw_quad_fma(sw_get(f, r), sw_quad_load(N), four[r]);
            else
                for (int c = 0; c < d; c++)
                    g[r * d + c] += sw_get(f, r) * N[c];
    }
    for (int r = 0; d == 4 && r < 3; r++)
        sw_quad_store(g + 4 * r, sw_quad_fma(1, four[r], sw_quad_load(g + 4 * r)));
}

// H_ij += sum N_i N_j^T (x) K, K = K^T, for two nodes of widths d and k.
static void add_product(const swRun *run, int d, int at, int k, int to, swBlock H) {
    for (int p = 0; p < run->n; p++)
        for (int r = 0; r < 3; r++)
            for (int a = 0; a < d; a++) {
                const swReal *Ni = row_of(run, p) + at, *Nj = row_of(run, p) + to;
                swReal *row = H.data + (ptrdiff_t)(r * d + a) * H.stride;
                for (int s = 0; s < 3; s++) {
                    const swReal f = Ni[a] * run->force[p].hessian[3 * r + s];
                    for (int b = 0; b < k; b++)
                        row[s * k + b] += f * Nj[b];
                }
            }
}

// The same of nodes of width 4: three of the six numbers of K at a time stay in registers.
static void add_fours(const swRun *run, int at, int to, swBlock H) {
    static const int part[2][3][2] = {{{0, 0}, {0, 1}, {0, 2}}, {{1, 1}, {1, 2}, {2, 2}}};
    for (int half = 0; half < 2; half++) {
        const int(*rs)[2] = part[half];
        const int first = half ? 4 : 0, second = half ? 5 : 1, third = half ? 8 : 2;
        swQuad sum[3][4];
        for (int j = 0; j < 12; j++)
            sum[j / 4][j % 4] = sw_quad(0);
        for (int p = 0; p < run->n; p++) {
            const swReal *Ni = row_of(run, p) + at, *K = run->force[p].hessian;
            const swQuad Nj = sw_quad_load(row_of(run, p) + to);
            for (int a = 0; a < 4; a++) {
                const swQuad product = sw_quad_fma(Ni[a], Nj, sw_quad(0));
                sum[0][a] = sw_quad_fma(K[first], product, sum[0][a]);
                sum[1][a] = sw_quad_fma(K[second], product, sum[1][a]);
                sum[2][a] = sw_quad_fma(K[third], product, sum[2][a]);
            }
        }
        for (int j = 0; j < 3; j++)
            for (int turn = 0; turn < (rs[j][0] == rs[j][1] ? 1 : 2); turn++)
                for (int a = 0; a < 4; a++) {
                    swReal *row =
                        H.data + (ptrdiff_t)(4 * rs[j][turn] + a) * H.stride + 4 * rs[j][1 - turn];
                    sw_quad_store(row, sw_quad_fma(1, sum[j][a], sw_quad_load(row)));
                }
    }
}

static void add_hessian(const swRun *run, const swBlocks *H) {
    const swBodyModel *m = run->m;
    int n, at = 0;
    const int *node = nodes_of(m, run->point[0], &n);
    for (int e = 0; e < n; at += m->node[node[e++]].width) {
        const swNode *one = &m->node[node[e]];
        int to = 0;
        for (int o = 0; o < n; to += m->node[node[o++]].width) {
            const swNode *other = &m->node[node[o]];
            if (one->u < 0 || other->u < 0 || node[o] > node[e])
                continue;
            const int number = run->rows->block
                                   ? run->rows->block[node[e] * m->size.nnode + node[o]]
                                   : sw_pattern_find(&H->pattern, node[e], node[o]);
            const swBlock block = sw_blocks_item(H, number, node[o]);
            if (one->width == 4 && other->width == 4)
                add_fours(run, at, to, block);
            else
                add_product(run, one->width, at, other->width, to, block);
        }
    }
}

static int same_nodes(const swRows *rows, int n, const int *point) {
    int k = 1;
    if (rows->bent)
        n = sw_min_int(n, SW_MODE_RUN);
    while (k < n && rows->nodes[point[k]] == rows->nodes[point[0]])
        k++;
    return k;
}

static void bend_run(swRun *run, const swReal *q, swSystem *out) {
    const swRows *rows = run->rows;
    for (int k = 0; k < run->n; k++)
        run->bent = bend_row(run->m, rows, q, run->point[k], rows->bent + (ptrdiff_t)k * run->bent);
    const swModeRun modes = {run->n, run->point, rows->bent, run->bent, run->force};
    sw_mode_rows_add(&rows->modes, run->m, q, &modes, out);
}

void sw_rows_add(const swBodyModel *m, const swRows *rows, const swReal *q, int n, const int *point,
                 const swPointForce *force, swSystem *out) {
    for (int k = 0; k < n && !rows->N; k++) {
        const swAnchor anchor = sw_point_anchor(m, m->contact[point[k]].point);
        sw_point_force_add(m, q, &anchor, &force[k], out);
    }
    for (int k = 0; k < n && rows->N; k++)
        out->energy += force[k].energy;
    swRun run;
    for (int k = 0; k < n && rows->N && out->g; k += run.n) {
        run = (swRun){m, rows, same_nodes(rows, n - k, point + k), point + k, force + k, 0};
        int count, at = 0;
        const int *node = nodes_of(m, point[k], &count);
        if (rows->bent)
            bend_run(&run, q, out);
        for (int e = 0; e < count; at += m->node[node[e++]].width)
            add_gradient(&run, &m->node[node[e]], at, out->g);
        if (out->H)
            add_hessian(&run, out->H);
    }
}
