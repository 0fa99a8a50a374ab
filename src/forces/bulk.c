// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "forces/bulk.h"

#include "kinematics/dual.h"
#include "math/tiles.h"

#include <string.h>

enum { PAIRS = 36, CHUNK = 8 };

static int block_size(int n) { return (SW_BULK_WEIGHT + n) * SW_LANES; }

bool sw_bulk_create(swBulkWork *work, const swModel *m, swArena *arena, swError *error) {
    size_t n = 0;
    for (int64_t i = 0; i < m->size.nbulk; i++)
        n = (size_t)sw_max_int((int)n, m->body[m->bulk[i].body].nnode);
    work->force = SW_NEW(arena, SW_DUAL * n * SW_LANES, swReal, error);
    work->K = SW_NEW(arena, PAIRS * n * n * SW_LANES, swReal, error);
    work->rows = SW_NEW(arena, (PAIRS * CHUNK + CHUNK * n) * SW_LANES, swReal, error);
    return work->force && work->K && work->rows;
}

// Blended dual quaternion and rest position of a block.
static void blend(const swModel *m, const swBodyInfo *body, const swReal *q, const swReal *block,
                  swWide b[SW_DUAL], swWide p[3]) {
    for (int r = 0; r < SW_DUAL; r++)
        b[r] = sw_wide(0);
    for (int i = 0; i < body->nnode; i++) {
        const swReal *Q = q + m->node[body->node + i].q + SW_NODE_DUAL;
        swWide w = sw_wide_load(block + (SW_BULK_WEIGHT + i) * SW_LANES);
        for (int r = 0; r < SW_DUAL; r++)
            b[r] = sw_wide_fma(sw_wide(Q[r]), w, b[r]);
    }
    for (int k = 0; k < 3; k++)
        p[k] = sw_wide_load(block + k * SW_LANES);
}

// Component k of SW_LANES points.
static swWide load_points(const swVec3 *x, int k) {
    swReal v[SW_LANES];
    for (int i = 0; i < SW_LANES; i++)
        v[i] = sw_get(x[i], k);
    return sw_wide_load(v);
}

// Energy, force f and stiffness k I of a block at x.
static swReal press(const swModel *m, const swBodyInfo *body, const swBulkInput *in, int first,
                    const swReal *block, const swWide x[3], swWide f[3], swWide *stiffness) {
    const swReal damping = in->last ? body->damping_mass / in->h : 0;
    const swWide mass = sw_wide_load(block + SW_BULK_MASS * SW_LANES);
    swWide energy = sw_wide(0);
    for (int k = 0; k < 3; k++) {
        swWide dead = in->load * (mass * sw_get(m->settings.gravity, k) +
                                  sw_wide_load(block + (SW_BULK_FORCE + k) * SW_LANES));
        energy = energy - dead * x[k];
        f[k] = -dead;
        if (in->inertia > 0) {
            swWide d = x[k] - load_points(in->target + first, k);
            energy = energy + 0.5 * in->inertia * mass * d * d;
            f[k] = f[k] + in->inertia * mass * d;
        }
        if (damping > 0) {
            swWide d = x[k] - load_points(in->last + first, k);
            energy = energy + 0.5 * damping * mass * d * d;
            f[k] = f[k] + damping * mass * d;
        }
    }
    *stiffness = (in->inertia + damping) * mass;
    return sw_wide_sum(energy);
}

// k X^T X + f . x_bb of one block, packed by pairs.
static void pack_stiffness(const swDualPoint *point, swWide k, const swWide f[3], bool semidefinite,
                           swReal *out) {
    swWide H[SW_DUAL][SW_DUAL];
    for (int r = 0; r < SW_DUAL; r++)
        for (int s = 0; s < SW_DUAL; s++)
            H[r][s] = k * (point->X[0][r] * point->X[0][s] + point->X[1][r] * point->X[1][s] +
                           point->X[2][r] * point->X[2][s]);
    if (!semidefinite)
        sw_dual_curvature(point, f, H);
    int pair = SW_DUAL;
    for (int r = 0; r < SW_DUAL; r++)
        for (int s = r; s < SW_DUAL; s++)
            sw_wide_store(out + (r == s ? r : pair++) * CHUNK * SW_LANES, H[r][s]);
}

static void add_pairs(int n, int nblock, const swReal *block, const swBulkWork *work) {
    const swReal *packed = work->rows;
    swReal *rows = work->rows + PAIRS * CHUNK * SW_LANES;
    for (int pair = 0; pair < PAIRS; pair++) {
        for (int b = 0; b < nblock; b++)
            for (int j = 0; j < n; j++)
                sw_wide_store(
                    rows + (b * n + j) * SW_LANES,
                    sw_wide_load(packed + (pair * CHUNK + b) * SW_LANES) *
                        sw_wide_load(block + b * block_size(n) + (SW_BULK_WEIGHT + j) * SW_LANES));
        swRows W = {block + SW_BULK_WEIGHT * SW_LANES, SW_LANES, block_size(n)};
        swRows R = {rows, SW_LANES, (ptrdiff_t)n * SW_LANES};
        sw_tiles_accumulate(n, n, nblock, W, R, work->K + (ptrdiff_t)pair * n * n * SW_LANES, n,
                            false);
    }
}

// Sums to the nodes' gradient and Hessian.
static void scatter(const swModel *m, const swBodyInfo *body, const swBulkWork *work,
                    swSystem *out) {
    const int n = body->nnode;
    for (int i = 0; i < n; i++) {
        const swNode *ni = &m->node[body->node + i];
        for (int r = 0; r < SW_DUAL; r++)
            out->g[ni->q + SW_NODE_DUAL + r] +=
                sw_wide_sum(sw_wide_load(work->force + (r * n + i) * SW_LANES));
        for (int j = 0; out->H && ni->u >= 0 && j <= i; j++) {
            const swNode *nj = &m->node[body->node + j];
            if (nj->u < 0)
                continue;
            int pair = SW_DUAL;
            for (int r = 0; r < SW_DUAL; r++)
                for (int s = r; s < SW_DUAL; s++) {
                    const swReal *K = work->K + (ptrdiff_t)(r == s ? r : pair++) * n * n * SW_LANES;
                    swReal ij = sw_wide_sum(sw_wide_load(K + (i * n + j) * SW_LANES)),
                           ji = sw_wide_sum(sw_wide_load(K + (j * n + i) * SW_LANES));
                    out->H[(ptrdiff_t)(ni->u + r) * out->stride + nj->u + s] += ij;
                    if (r != s)
                        out->H[(ptrdiff_t)(ni->u + s) * out->stride + nj->u + r] += ji;
                }
        }
    }
}

void sw_bulk_add(const swModel *m, const swBulkWork *work, const swBulkInput *in, swSystem *out) {
    const bool semidefinite = out->projection != SW_PROJECT_NONE;
    for (int64_t i = 0; i < m->size.nbulk; i++) {
        const swBulk *bulk = &m->bulk[i];
        const swBodyInfo *body = &m->body[bulk->body];
        const int n = body->nnode;
        if (out->g)
            memset(work->force, 0, (size_t)(SW_DUAL * n * SW_LANES) * sizeof(swReal));
        if (out->H)
            memset(work->K, 0, (size_t)PAIRS * (size_t)(n * n * SW_LANES) * sizeof(swReal));
        for (int first = 0; first < bulk->nblock; first += CHUNK) {
            const int count = sw_min_int(CHUNK, bulk->nblock - first);
            const swReal *chunk = m->bulk_data + bulk->data + (int64_t)first * block_size(n);
            for (int k = 0; k < count; k++) {
                const swReal *block = chunk + k * block_size(n);
                swWide b[SW_DUAL], p[3], f[3], stiffness;
                swDualPoint point;
                blend(m, body, in->q, block, b, p);
                sw_dual_point(b, p, &point);
                out->energy += press(m, body, in, bulk->point + (first + k) * SW_LANES, block,
                                     point.x, f, &stiffness);
                for (int r = 0; out->g && r < SW_DUAL; r++) {
                    swWide g = f[0] * point.X[0][r] + f[1] * point.X[1][r] + f[2] * point.X[2][r];
                    for (int j = 0; j < n; j++) {
                        swReal *at = work->force + (r * n + j) * SW_LANES;
                        sw_wide_store(
                            at,
                            sw_wide_fma(g, sw_wide_load(block + (SW_BULK_WEIGHT + j) * SW_LANES),
                                        sw_wide_load(at)));
                    }
                }
                if (out->H)
                    pack_stiffness(&point, stiffness, f, semidefinite, work->rows + k * SW_LANES);
            }
            if (out->H)
                add_pairs(n, count, chunk, work);
        }
        if (out->g)
            scatter(m, body, work, out);
    }
}

void sw_bulk_positions(const swModel *m, const swReal *q, swVec3 *x) {
    for (int64_t i = 0; i < m->size.nbulk; i++) {
        const swBulk *bulk = &m->bulk[i];
        const swBodyInfo *body = &m->body[bulk->body];
        for (int k = 0; k < bulk->nblock; k++) {
            swWide b[SW_DUAL], p[3];
            swDualPoint point;
            swReal v[3][SW_LANES];
            blend(m, body, q, m->bulk_data + bulk->data + (int64_t)k * block_size(body->nnode), b,
                  p);
            sw_dual_point(b, p, &point);
            for (int c = 0; c < 3; c++)
                sw_wide_store(v[c], point.x[c]);
            for (int l = 0; l < SW_LANES; l++)
                x[bulk->point + k * SW_LANES + l] = sw_v3(v[0][l], v[1][l], v[2][l]);
        }
    }
}

void sw_bulk_start(const swModel *m, const swReal *v, swVec3 *velocity) {
    for (int64_t i = 0; i < m->size.nbulk; i++) {
        const swBulk *bulk = &m->bulk[i];
        const swBodyInfo *body = &m->body[bulk->body];
        for (int k = 0; k < bulk->nblock * SW_LANES; k++) {
            const swReal *at = m->bulk_data + bulk->data +
                               (int64_t)(k / SW_LANES) * block_size(body->nnode) + k % SW_LANES;
            swVec3 p = {at[0], at[SW_LANES], at[2 * SW_LANES]}, sum = {0, 0, 0};
            for (int n = 0; n < body->nnode; n++) {
                const swNode *node = &m->node[body->node + n];
                const swReal *V = v + node->q, w = at[(SW_BULK_WEIGHT + n) * SW_LANES];
                const swVec3 d = sw_sub(p, node->origin);
                sum = sw_madd(sum, w,
                              sw_v3(V[0] + V[1] * d.x + V[2] * d.y + V[3] * d.z,
                                    V[4] + V[5] * d.x + V[6] * d.y + V[7] * d.z,
                                    V[8] + V[9] * d.x + V[10] * d.y + V[11] * d.z));
            }
            velocity[bulk->point + k] = sum;
        }
    }
}

swReal sw_bulk_mass(const swModel *m, int bulk, int point) {
    const swBulk *b = &m->bulk[bulk];
    return m->bulk_data[b->data + (int64_t)(point / SW_LANES) * block_size(m->body[b->body].nnode) +
                        SW_BULK_MASS * SW_LANES + point % SW_LANES];
}

swReal sw_bulk_weight(const swModel *m) {
    swReal largest = 0;
    for (int64_t i = 0; i < m->size.nbulk; i++) {
        const swBulk *b = &m->bulk[i];
        swReal sum = 0;
        for (int k = 0; k < b->nblock * SW_LANES; k++) {
            const swReal *at = m->bulk_data + b->data +
                               (int64_t)(k / SW_LANES) * block_size(m->body[b->body].nnode) +
                               k % SW_LANES;
            const swVec3 f = {at[SW_BULK_FORCE * SW_LANES], at[(SW_BULK_FORCE + 1) * SW_LANES],
                              at[(SW_BULK_FORCE + 2) * SW_LANES]};
            sum += sw_norm(sw_madd(f, at[SW_BULK_MASS * SW_LANES], m->settings.gravity));
        }
        largest = sw_max(largest, sum / m->body[b->body].nnode);
    }
    return largest;
}
