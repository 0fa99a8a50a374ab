// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "contact/rows.h"

enum { FEW = 64 }; // nodes whose blocks are found at once

static bool is_linear(const swBodyModel *m) {
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (sw_node_is_dual(&m->node[i]) || sw_node_is_modes(&m->node[i]))
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
        !(rows->reach = SW_NEW(arena, m->size.nq / 3, swReal, error)) ||
        !(rows->N = SW_NEW(arena, count_numbers(m, rows->at), swReal, error)))
        return false;
    fill(m, rows);
    return find_blocks(m, rows, arena, error);
}

swVec3 sw_rows_position(const swBodyModel *m, const swRows *rows, const swReal *q, int64_t i) {
    if (!rows->N)
        return sw_point_position(m, q, m->contact[i].point);
    const int *start = m->point_start + m->contact[i].point;
    const swReal *N = rows->N + rows->at[i];
    swQuad four[3] = {sw_quad(0), sw_quad(0), sw_quad(0)}; // of nodes of width 4, as most are
    swReal sum[3] = {0, 0, 0};
    for (int e = start[0]; e < start[1]; e++) {
        const swNode *node = &m->node[m->point_node[e]];
        const swReal *A = q + node->q;
        const int d = node->width;
        for (int r = 0; r < 3; r++)
            if (d == 4)
                four[r] = sw_quad_fma_each(sw_quad_load(A + 4 * r), sw_quad_load(N), four[r]);
            else
                for (int c = 0; c < d; c++)
                    sum[r] += A[r * d + c] * N[c];
        N += d;
    }
    return sw_v3(sum[0] + sw_quad_sum(four[0]), sum[1] + sw_quad_sum(four[1]),
                 sum[2] + sw_quad_sum(four[2]));
}

swReal sw_rows_motion(const swBodyModel *m, const swRows *rows, const swReal *from,
                      const swReal *to) {
    swReal farthest = 0;
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        const int d = node->width;
        const swReal *a = from + node->q, *b = to + node->q, *reach = rows->reach + node->q / 3;
        swReal sum = 0;
        for (int c = 0; c < d; c++)
            sum += reach[c] *
                   sw_norm(sw_v3(b[c] - a[c], b[d + c] - a[d + c], b[2 * d + c] - a[2 * d + c]));
        farthest = sum > farthest || isnan(sum) ? sum : farthest;
    }
    return rows->share * farthest;
}

// H_ij += N_i N_j^T (x) K for two nodes of widths d and k.
static inline void add_product(int d, const swReal *Ni, int k, const swReal *Nj, const swReal K[9],
                               swBlock H) {
    for (int r = 0; r < 3; r++)
        for (int a = 0; a < d; a++) {
            swReal *row = H.data + (ptrdiff_t)(r * d + a) * H.stride;
            for (int s = 0; s < 3; s++) {
                const swReal f = Ni[a] * K[3 * r + s];
                for (int b = 0; b < k; b++)
                    row[s * k + b] += f * Nj[b];
            }
        }
}

// The same of two nodes of width 4.
static void add_four(const swReal Ni[4], const swReal Nj[4], const swReal K[9], swBlock H) {
    const swQuad n = sw_quad_load(Nj);
    for (int r = 0; r < 3; r++)
        for (int a = 0; a < 4; a++) {
            swReal *row = H.data + (ptrdiff_t)(4 * r + a) * H.stride;
            for (int s = 0; s < 3; s++)
                sw_quad_store(row + 4 * s,
                              sw_quad_fma(Ni[a] * K[3 * r + s], n, sw_quad_load(row + 4 * s)));
        }
}

static void add_hessian(const swBodyModel *m, const swRows *rows, int64_t i, const swReal K[9],
                        const swBlocks *H) {
    const int *start = m->point_start + m->contact[i].point;
    const swReal *Ni = rows->N + rows->at[i];
    for (int e = start[0]; e < start[1]; e++) {
        const int node = m->point_node[e], d = m->node[node].width;
        const swReal *Nj = rows->N + rows->at[i];
        for (int o = start[0]; m->node[node].u >= 0 && o < start[1]; o++) {
            const int other = m->point_node[o], k = m->node[other].width;
            if (m->node[other].u >= 0 && other <= node) {
                const int block = rows->block ? rows->block[node * m->size.nnode + other]
                                              : sw_pattern_find(&H->pattern, node, other);
                if (d == 4 && k == 4)
                    add_four(Ni, Nj, K, sw_blocks_item(H, block, other));
                else
                    add_product(d, Ni, k, Nj, K, sw_blocks_item(H, block, other));
            }
            Nj += k;
        }
        Ni += d;
    }
}

void sw_rows_add(const swBodyModel *m, const swRows *rows, const swReal *q, int64_t i,
                 const swPointForce *f, swSystem *out) {
    if (!rows->N) {
        const swAnchor anchor = sw_point_anchor(m, m->contact[i].point);
        sw_point_force_add(m, q, &anchor, f, out);
        return;
    }
    const int *start = m->point_start + m->contact[i].point;
    const swReal *N = rows->N + rows->at[i];
    out->energy += f->energy;
    for (int e = start[0]; out->g && e < start[1]; e++) {
        const swNode *node = &m->node[m->point_node[e]];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < node->width; c++)
                out->g[node->q + r * node->width + c] += N[c] * sw_get(f->gradient, r);
        N += node->width;
    }
    if (out->H)
        add_hessian(m, rows, i, f->hessian, out->H);
}
