// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "contact/mode_rows.h"

#include "kinematics/correct.h"
#include "math/tiles.h"

#include <string.h>

enum { BLOCKS = (SW_MODE_RUN + SW_LANES - 1) / SW_LANES };

static const swVec3 *vectors_of(const swBodyModel *m, int64_t i) {
    const int64_t at = m->size.nvector > 0 ? m->point_vector[m->contact[i].point] : -1;
    return at >= 0 ? m->vector + at : NULL;
}

static int most_nodes(const swBodyModel *m) {
    int most = 0;
    for (int64_t i = 0; i < m->size.ncontact; i++) {
        const int *start = m->point_start + m->contact[i].point;
        most = sw_max_int(most, start[1] - start[0]);
    }
    return most;
}

bool sw_mode_rows_create(swModeRows *rows, const swBodyModel *m, swArena *arena, swError *error) {
    rows->node = sw_corrected_node(m);
    if (rows->node < 0 || m->size.ncontact == 0)
        return true;
    const size_t n = (size_t)m->node[rows->node].nu, nodes = (size_t)most_nodes(m),
                 block = BLOCKS * SW_LANES, columns = 4 * nodes > n ? 4 * nodes : n;
    if (!(rows->reach = SW_NEW(arena, n, swReal, error)) ||
        !(rows->phi = SW_NEW(arena, 3 * n * block, swReal, error)) ||
        !(rows->X = SW_NEW(arena, 3 * n * block, swReal, error)) ||
        !(rows->KX = SW_NEW(arena, 3 * n * block, swReal, error)) ||
        !(rows->column = SW_NEW(arena, 4 * nodes * block, swReal, error)) ||
        !(rows->pull = SW_NEW(arena, 3 * nodes * block, swReal, error)) ||
        !(rows->sum = SW_NEW(arena, 3 * n * columns * SW_LANES, swReal, error)))
        return false;
    for (int64_t i = 0; i < m->size.ncontact; i++) {
        const swVec3 *phi = vectors_of(m, i);
        for (size_t j = 0; phi && j < n; j++)
            rows->reach[j] = sw_max(rows->reach[j], sw_norm(phi[j]));
    }
    return true;
}

swVec3 sw_mode_rows_bend(const swModeRows *rows, const swBodyModel *m, const swReal *q, int64_t i) {
    const swNode *node = &m->node[rows->node];
    const swReal *z = q + sw_node_ambient(node);
    const swVec3 *phi = vectors_of(m, i);
    if (!phi)
        return sw_v3(0, 0, 0);
    // Four numbers at a time, of which the last belongs to the next vector. Two sums take half the
    // time of one.
    swQuad even = sw_quad(0), odd = sw_quad(0);
    int j = 0;
    for (; j + 2 < node->nu; j += 2) {
        even = sw_quad_fma(z[j], sw_quad_load(&phi[j].x), even);
        odd = sw_quad_fma(z[j + 1], sw_quad_load(&phi[j + 1].x), odd);
    }
    swReal u[4];
    sw_quad_store(u, sw_quad_fma(1, even, odd));
    swVec3 sum = sw_v3(u[0], u[1], u[2]);
    for (; j < node->nu; j++)
        sum = sw_madd(sum, z[j], phi[j]);
    return sum;
}

swReal sw_mode_rows_change(const swModeRows *rows, const swBodyModel *m, const swReal *from,
                           const swReal *to, swReal *size) {
    swReal change = 0;
    *size = 0;
    if (rows->node < 0)
        return 0;
    const swNode *node = &m->node[rows->node];
    const swReal *a = from + sw_node_ambient(node), *b = to + sw_node_ambient(node);
    for (int j = 0; j < node->nu; j++) {
        *size += rows->reach[j] * fabs(a[j]);
        change += rows->reach[j] * fabs(b[j] - a[j]);
    }
    return change;
}

// ---- forces ----

// A run of points, block by block.
typedef struct {
    const swModeRows *rows;
    const swBodyModel *m;
    const swModeRun *run;
    const int *node; // that move all of them
    int nnode, nmode, nblock;
} swModeBatch;

static swModeBatch batch_of(const swModeRows *rows, const swBodyModel *m, const swModeRun *run) {
    const int *start = m->point_start + m->contact[run->point[0]].point;
    return (swModeBatch){.rows = rows,
                         .m = m,
                         .run = run,
                         .node = m->point_node + start[0],
                         .nnode = start[1] - start[0],
                         .nmode = m->node[rows->node].nu,
                         .nblock = (run->n + SW_LANES - 1) / SW_LANES};
}

// What is the same for all modes: how points of a block move with u, forces, and stiffness.
typedef struct {
    swWide B[9], force[3], K[9];
} swModeBlock;

static void gather_block(const swModeBatch *c, int b, const swReal *q, swModeBlock *out) {
    swReal B[9][SW_LANES] = {{0}}, force[3][SW_LANES] = {{0}}, K[9][SW_LANES] = {{0}};
    for (int lane = 0; lane < SW_LANES && b * SW_LANES + lane < c->run->n; lane++) {
        const swPointForce *f = &c->run->force[b * SW_LANES + lane];
        const swReal *row = c->run->row + (b * SW_LANES + lane) * c->run->stride;
        for (int e = 0; e < c->nnode; e++)
            for (int k = 0; k < 9; k++)
                B[k][lane] += row[4 * e] * q[c->m->node[c->node[e]].q + k / 3 * 4 + 1 + k % 3];
        for (int k = 0; k < 9; k++)
            K[k][lane] = f->hessian[k];
        for (int k = 0; k < 3; k++)
            force[k][lane] = sw_get(f->gradient, k);
    }
    for (int k = 0; k < 9; k++) {
        out->B[k] = sw_wide_load(B[k]);
        out->K[k] = sw_wide_load(K[k]);
    }
    for (int k = 0; k < 3; k++)
        out->force[k] = sw_wide_load(force[k]);
}

static void gather_vectors(const swModeBatch *c, int b) {
    swReal *to = c->rows->phi + b * SW_LANES;
    const ptrdiff_t step = (ptrdiff_t)c->nblock * SW_LANES;
    for (int lane = 0; lane < SW_LANES; lane++) {
        const int k = b * SW_LANES + lane;
        const swVec3 *phi = k < c->run->n ? vectors_of(c->m, c->run->point[k]) : NULL;
        for (int i = 0; i < 3 * c->nmode; i++)
            to[i * step + lane] = phi ? (&phi[i / 3].x)[i % 3] : 0;
    }
}

SW_INLINE void times(const swWide M[9], const swWide x[3], swWide out[3]) {
    for (int r = 0; r < 3; r++)
        out[r] = sw_wide_fma(M[3 * r], x[0], sw_wide_fma(M[3 * r + 1], x[1], M[3 * r + 2] * x[2]));
}

// X_j = B phi_j and K X_j of a block; g_j += X_j . force.
static void move_block(const swModeBatch *c, int b, const swModeBlock *at, bool hessian,
                       swReal *g) {
    const ptrdiff_t step = (ptrdiff_t)c->nblock * SW_LANES;
    for (int j = 0; j < c->nmode; j++) {
        const ptrdiff_t first = 3 * j * step + b * SW_LANES;
        swWide phi[3], X[3], KX[3];
        for (int r = 0; r < 3; r++)
            phi[r] = sw_wide_load(c->rows->phi + first + r * step);
        times(at->B, phi, X);
        g[j] += sw_wide_sum(X[0] * at->force[0] + X[1] * at->force[1] + X[2] * at->force[2]);
        if (!hessian)
            continue;
        times(at->K, X, KX);
        for (int r = 0; r < 3; r++) {
            sw_wide_store(c->rows->X + first + r * step, X[r]);
            sw_wide_store(c->rows->KX + first + r * step, KX[r]);
        }
    }
}

// Rows of frames, and w_i force, point beside point.
static void gather_columns(const swModeBatch *c) {
    const ptrdiff_t step = (ptrdiff_t)c->nblock * SW_LANES;
    for (int k = 0; k < step; k++) {
        const bool some = k < c->run->n;
        const swReal *row = c->run->row + k * c->run->stride;
        for (int i = 0; i < 4 * c->nnode; i++)
            c->rows->column[i * step + k] = some ? row[i] : 0;
        for (int i = 0; i < 3 * c->nnode; i++)
            c->rows->pull[i * step + k] =
                some ? row[i / 3 * 4] * sw_get(c->run->force[k].gradient, i % 3) : 0;
    }
}

// rows->sum := sum over points of one times other.
static void multiply(const swModeBatch *c, int ni, int nj, int vectors, const swReal *one,
                     const swReal *other, bool lower) {
    const ptrdiff_t row = (ptrdiff_t)vectors * c->nblock * SW_LANES;
    const swRows A = {one, row, SW_LANES}, B = {other, row, SW_LANES};
    memset(c->rows->sum, 0, (size_t)(ni * nj) * SW_LANES * sizeof(swReal));
    sw_tiles_accumulate(ni, nj, vectors * c->nblock, A, B, c->rows->sum, nj, lower);
}

static swReal sum_at(const swModeBatch *c, int at) {
    return sw_wide_sum(sw_wide_load(c->rows->sum + (ptrdiff_t)at * SW_LANES));
}

// H_jk += X_j . K X_k
static void add_modes(const swModeBatch *c, const swBlocks *H) {
    const int n = c->nmode;
    const swBlock own = sw_blocks_get(H, c->rows->node, c->rows->node);
    multiply(c, n, n, 3, c->rows->X, c->rows->KX, true);
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= j; k++)
            own.data[(ptrdiff_t)j * own.stride + k] += sum_at(c, j * n + k);
}

// H_j,(r,c) += K X_j N_c, or w_i f_r phi_j, between modes and frames.
static void add_frames(const swModeBatch *c, bool bent, const swBlocks *H) {
    const int width = bent ? 3 : 4, columns = width * c->nnode;
    multiply(c, 3 * c->nmode, columns, 1, bent ? c->rows->phi : c->rows->KX,
             bent ? c->rows->pull : c->rows->column, false);
    for (int e = 0; e < c->nnode; e++) {
        if (c->m->node[c->node[e]].u < 0)
            continue;
        const swBlock to = sw_blocks_get(H, c->rows->node, c->node[e]);
        for (int i = 0; i < 3 * c->nmode; i++)
            for (int k = 0; k < width; k++)
                to.data[(ptrdiff_t)(i / 3) * to.stride +
                        (bent ? 4 * k + 1 + i % 3 : 4 * (i % 3) + k)] +=
                    sum_at(c, i * columns + e * width + k);
    }
}

void sw_mode_rows_add(const swModeRows *rows, const swBodyModel *m, const swReal *q,
                      const swModeRun *run, swSystem *out) {
    SW_ASSERT(run->n <= SW_MODE_RUN);
    const swModeBatch c = batch_of(rows, m, run);
    for (int b = 0; b < c.nblock; b++) {
        swModeBlock at;
        gather_block(&c, b, q, &at);
        gather_vectors(&c, b);
        move_block(&c, b, &at, out->H != NULL, out->g + sw_node_ambient(&m->node[rows->node]));
    }
    if (!out->H)
        return;
    gather_columns(&c);
    add_modes(&c, out->H);
    add_frames(&c, false, out->H);
    if (!out->gauss_newton)
        add_frames(&c, true, out->H);
}
