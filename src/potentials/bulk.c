// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/bulk.h"

#include "kinematics/dual.h"
#include "math/tiles.h"
#include "potentials/potential.h"

#include <string.h>

enum { CHUNK = 8 }; // blocks whose stiffness is assembled together

static int block_size(int n) { return (SW_BULK_WEIGHT + n) * SW_LANES; }
static const swNode *node_at(const swBodyModel *m, const swBulk *bulk, int i) {
    return &m->node[m->bulk_node[bulk->node + i]];
}

bool sw_bulk_create(swBulkWork *work, const swBodyModel *m, swArena *arena, swError *error) {
    size_t n = 0;
    for (int64_t i = 0; i < m->size.nbulk; i++)
        n = (size_t)sw_max_int((int)n, m->bulk[i].nnode);
    work->force = SW_NEW(arena, SW_DUAL * n * SW_LANES, swReal, error);
    work->K = SW_NEW(arena, SW_DUAL_PAIRS * n * n * SW_LANES, swReal, error);
    work->rows = SW_NEW(arena, (SW_DUAL_PAIRS * CHUNK + CHUNK * n) * SW_LANES, swReal, error);
    return work->force && work->K && work->rows;
}

// Blended dual quaternion and rest position of a block.
static void blend(const swBodyModel *m, const swBulk *bulk, const swReal *q, const swReal *block,
                  swWide b[SW_DUAL], swWide p[3]) {
    for (int r = 0; r < SW_DUAL; r++)
        b[r] = sw_wide(0);
    for (int i = 0; i < bulk->nnode; i++) {
        const swReal *Q = q + node_at(m, bulk, i)->q + SW_NODE_DUAL;
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
static swReal press(const swBodyModel *m, const swBodyInfo *body, const swBulkInput *in, int first,
                    const swReal *block, const swWide x[3], swWide f[3], swWide *stiffness) {
    const swRates rates = sw_rates(body->damping_mass, in->h, in->before != NULL);
    const swReal damping = in->last ? rates.last : 0, earlier = in->last ? rates.before : 0;
    const swWide mass = sw_wide_load(block + SW_BULK_MASS * SW_LANES);
    swWide energy = sw_wide(0);
    for (int k = 0; k < 3; k++) {
        swWide dead = in->load * (mass * sw_get(m->settings->gravity, k) +
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
        if (earlier < 0) {
            swWide d = x[k] - load_points(in->before + first, k);
            energy = energy + 0.5 * earlier * mass * d * d;
            f[k] = f[k] + earlier * mass * d;
        }
    }
    *stiffness = (in->inertia + damping + earlier) * mass;
    return sw_wide_sum(energy);
}

// k X^T X + f . x_bb of one block, by pairs.
static void pack_stiffness(const swDualPoint *point, swWide X[3][SW_DUAL], swWide k,
                           const swWide f[3], const swWide fX[SW_DUAL], bool semidefinite,
                           swReal *out) {
    swWide H[SW_DUAL][SW_DUAL];
    for (int r = 0; r < SW_DUAL; r++)
        for (int s = r; s < SW_DUAL; s++)
            H[r][s] =
                k * sw_wide_fma(X[0][r], X[0][s], sw_wide_fma(X[1][r], X[1][s], X[2][r] * X[2][s]));
    if (!semidefinite)
        sw_dual_curvature(point, f, fX, H);
    for (int r = 0; r < SW_DUAL; r++)
        for (int s = r; s < SW_DUAL; s++)
            sw_wide_store(out + sw_dual_pair(r, s) * CHUNK * SW_LANES, H[r][s]);
}

// K += w w^T of some blocks over the first nfree of n nodes.
static void add_pairs(int n, int nfree, int nblock, const swReal *block, const swBulkWork *work) {
    const swReal *packed = work->rows;
    swReal *rows = work->rows + SW_DUAL_PAIRS * CHUNK * SW_LANES;
    const swRows W = {block + SW_BULK_WEIGHT * SW_LANES, SW_LANES, block_size(n)},
                 R = {rows, SW_LANES, (ptrdiff_t)nfree * SW_LANES};
    for (int pair = 0; pair < SW_DUAL_PAIRS; pair++) {
        for (int b = 0; b < nblock; b++) {
            const swWide k = sw_wide_load(packed + (pair * CHUNK + b) * SW_LANES);
            const swReal *w = W.data + b * W.step;
            for (int j = 0; j < nfree; j++)
                sw_wide_store(rows + (b * nfree + j) * SW_LANES,
                              k * sw_wide_load(w + j * SW_LANES));
        }
        sw_tiles_accumulate(nfree, nfree, nblock, W, R,
                            work->K + (ptrdiff_t)pair * nfree * nfree * SW_LANES, nfree,
                            pair < SW_DUAL);
    }
}

// Energy, forces on the nodes, and the stiffness of block `index` as the k-th of its chunk.
static void add_block(const swBodyModel *m, const swBulk *bulk, const swBulkWork *work,
                      const swBulkInput *in, int index, int k, swSystem *out) {
    const swBodyInfo *body = &m->body[bulk->body];
    const int n = bulk->nnode;
    const swReal *block = m->bulk_data + bulk->data + (int64_t)index * block_size(n);
    swWide b[SW_DUAL], p[3], f[3], stiffness, X[3][SW_DUAL], fX[SW_DUAL];
    swDualPoint point;
    blend(m, bulk, in->q, block, b, p);
    sw_dual_point(b, p, &point);
    out->energy +=
        press(m, body, in, bulk->point + index * SW_LANES, block, point.x, f, &stiffness);
    if (!out->g)
        return;
    sw_dual_slope(&point, X);
    for (int r = 0; r < SW_DUAL; r++) {
        fX[r] = f[0] * X[0][r] + f[1] * X[1][r] + f[2] * X[2][r];
        for (int j = 0; j < n; j++) {
            swReal *at = work->force + (r * n + j) * SW_LANES;
            const swWide w = sw_wide_load(block + (SW_BULK_WEIGHT + j) * SW_LANES);
            sw_wide_store(at, sw_wide_fma(fX[r], w, sw_wide_load(at)));
        }
    }
    if (out->H)
        pack_stiffness(&point, X, stiffness, f, fX, out->gauss_newton, work->rows + k * SW_LANES);
}

// Sums to the nodes' gradient.
static void scatter_force(const swBodyModel *m, const swBulk *bulk, const swReal *force,
                          swReal *g) {
    for (int i = 0; i < bulk->nnode; i++)
        for (int r = 0; r < SW_DUAL; r++)
            g[node_at(m, bulk, i)->q + SW_NODE_DUAL + r] +=
                sw_wide_sum(sw_wide_load(force + (r * bulk->nnode + i) * SW_LANES));
}

// K_sr = K_rs^T, of K_rr the lower triangle is there.
static void add_pair(int n, int i, int j, const swReal *K, swBlock H) {
    for (int r = 0; r < SW_DUAL; r++)
        for (int s = r; s < SW_DUAL; s++) {
            const swReal *Krs = K + (ptrdiff_t)sw_dual_pair(r, s) * n * n * SW_LANES;
            const int lo = r == s ? sw_min_int(i, j) : j, hi = r == s ? sw_max_int(i, j) : i;
            H.data[r * H.stride + s] += sw_wide_sum(sw_wide_load(Krs + (hi * n + lo) * SW_LANES));
            if (r != s)
                H.data[s * H.stride + r] += sw_wide_sum(sw_wide_load(Krs + (j * n + i) * SW_LANES));
        }
}

// Sums to the nodes' Hessian, of the first n nodes; those that no point moves with together have
// none.
static void scatter_stiffness(const swBodyModel *m, const swBulk *bulk, int n, const swReal *K,
                              const swBlocks *H) {
    const int *node = m->bulk_node + bulk->node;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int k = node[j] <= node[i] ? sw_pattern_find(&H->pattern, node[i], node[j]) : -1;
            if (k >= 0)
                add_pair(n, i, j, K, sw_blocks_item(H, k, node[j]));
        }
}

static int free_nodes(const swBodyModel *m, const swBulk *bulk) {
    int n = 0;
    while (n < bulk->nnode && node_at(m, bulk, n)->ndof > 0)
        n++;
    return n;
}

void sw_bulk_add(const swBodyModel *m, const swBulkWork *work, const swBulkInput *in,
                 swSystem *out) {
    for (int64_t i = 0; i < m->size.nbulk; i++) {
        const swBulk *bulk = &m->bulk[i];
        const int n = bulk->nnode, nfree = free_nodes(m, bulk);
        if (out->g)
            memset(work->force, 0, (size_t)(SW_DUAL * n * SW_LANES) * sizeof(swReal));
        if (out->H)
            memset(work->K, 0,
                   SW_DUAL_PAIRS * (size_t)nfree * (size_t)nfree * SW_LANES * sizeof(swReal));
        for (int first = 0; first < bulk->nblock; first += CHUNK) {
            const int count = sw_min_int(CHUNK, bulk->nblock - first);
            for (int k = 0; k < count; k++)
                add_block(m, bulk, work, in, first + k, k, out);
            if (out->H)
                add_pairs(n, nfree, count,
                          m->bulk_data + bulk->data + (int64_t)first * block_size(n), work);
        }
        if (out->g)
            scatter_force(m, bulk, work->force, out->g);
        if (out->H)
            scatter_stiffness(m, bulk, nfree, work->K, out->H);
    }
}

void sw_bulk_positions(const swBodyModel *m, const swReal *q, swVec3 *x) {
    for (int64_t i = 0; i < m->size.nbulk; i++) {
        const swBulk *bulk = &m->bulk[i];
        for (int k = 0; k < bulk->nblock; k++) {
            swWide b[SW_DUAL], p[3];
            swDualPoint point;
            swReal v[3][SW_LANES];
            blend(m, bulk, q, m->bulk_data + bulk->data + (int64_t)k * block_size(bulk->nnode), b,
                  p);
            sw_dual_point(b, p, &point);
            for (int c = 0; c < 3; c++)
                sw_wide_store(v[c], point.x[c]);
            for (int l = 0; l < SW_LANES; l++)
                x[bulk->point + k * SW_LANES + l] = sw_v3(v[0][l], v[1][l], v[2][l]);
        }
    }
}

void sw_bulk_rates(const swBodyModel *m, const swReal *q, const swReal *v, swVec3 *velocity) {
    for (int64_t i = 0; i < m->size.nbulk; i++) {
        const swBulk *bulk = &m->bulk[i];
        for (int k = 0; k < bulk->nblock; k++) {
            const swReal *block = m->bulk_data + bulk->data + (int64_t)k * block_size(bulk->nnode);
            swWide b[SW_DUAL], db[SW_DUAL], p[3], X[3][SW_DUAL];
            swDualPoint point;
            swReal u[3][SW_LANES];
            blend(m, bulk, q, block, b, p);
            blend(m, bulk, v, block, db, p);
            sw_dual_point(b, p, &point);
            sw_dual_slope(&point, X);
            for (int c = 0; c < 3; c++) {
                swWide sum = sw_wide(0);
                for (int r = 0; r < SW_DUAL; r++)
                    sum = sw_wide_fma(X[c][r], db[r], sum);
                sw_wide_store(u[c], sum);
            }
            for (int l = 0; l < SW_LANES; l++)
                velocity[bulk->point + k * SW_LANES + l] = sw_v3(u[0][l], u[1][l], u[2][l]);
        }
    }
}

void sw_bulk_start(const swBodyModel *m, const swReal *v, swVec3 *velocity) {
    for (int64_t i = 0; i < m->size.nbulk; i++) {
        const swBulk *bulk = &m->bulk[i];
        for (int k = 0; k < bulk->nblock * SW_LANES; k++) {
            const swReal *at = m->bulk_data + bulk->data +
                               (int64_t)(k / SW_LANES) * block_size(bulk->nnode) + k % SW_LANES;
            swVec3 p = {at[0], at[SW_LANES], at[2 * SW_LANES]}, sum = {0, 0, 0};
            for (int n = 0; n < bulk->nnode; n++) {
                const swNode *node = node_at(m, bulk, n);
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

swReal sw_bulk_mass(const swBodyModel *m, int bulk, int point) {
    const swBulk *b = &m->bulk[bulk];
    return m->bulk_data[b->data + (int64_t)(point / SW_LANES) * block_size(b->nnode) +
                        SW_BULK_MASS * SW_LANES + point % SW_LANES];
}

swReal sw_bulk_energy(const swBodyModel *m, const swVec3 *velocity) {
    swReal sum = 0;
    for (int i = 0; i < m->size.nbulk; i++)
        for (int k = 0; k < m->bulk[i].nblock * SW_LANES; k++)
            sum += 0.5 * sw_bulk_mass(m, i, k) * sw_norm2(velocity[m->bulk[i].point + k]);
    return sum;
}

swReal sw_bulk_weight(const swBodyModel *m, int bulk) {
    const swBulk *b = &m->bulk[bulk];
    swReal sum = 0;
    for (int k = 0; k < b->nblock * SW_LANES; k++) {
        const swReal *at =
            m->bulk_data + b->data + (int64_t)(k / SW_LANES) * block_size(b->nnode) + k % SW_LANES;
        const swVec3 f = {at[SW_BULK_FORCE * SW_LANES], at[(SW_BULK_FORCE + 1) * SW_LANES],
                          at[(SW_BULK_FORCE + 2) * SW_LANES]};
        sum += sw_norm(sw_madd(f, at[SW_BULK_MASS * SW_LANES], m->settings->gravity));
    }
    return sum / m->body[b->body].nnode;
}

// ---- in the table ----

static void add_term(const swTerm *t, swSystem *out) {
    const swBulkInput in = {.q = t->in.q,
                            .load = t->load,
                            .inertia = t->inertia,
                            .target = t->bulk_target,
                            .last = t->in.q_last ? t->bulk_last : NULL,
                            .before = t->bulk_before,
                            .h = t->in.h};
    sw_bulk_add(t->m, t->bulk, &in, out);
}

// Every point has a weight, maybe zero, for each node.
static bool couple(const swBodyModel *m, swCouple *visit, void *arg) {
    for (int64_t b = 0; b < m->size.nbulk; b++) {
        const swBulk *bulk = &m->bulk[b];
        const int *node = m->bulk_node + bulk->node;
        for (int k = 0; k < bulk->nblock * SW_LANES; k++) {
            const swReal *weight =
                m->bulk_data + bulk->data + SW_BULK_WEIGHT * SW_LANES + k % SW_LANES +
                (int64_t)(k / SW_LANES) * (SW_BULK_WEIGHT + bulk->nnode) * SW_LANES;
            for (int i = 0; i < bulk->nnode; i++)
                for (int j = 0; weight[i * SW_LANES] != 0 && j <= i; j++)
                    if (weight[j * SW_LANES] != 0 && !visit(1, &node[i], 1, &node[j], arg))
                        return false;
        }
    }
    return true;
}

const swPotential sw_potential_bulk = {
    .name = "bulk", .energy = SW_ENERGY_LOADS, .add = add_term, .couple = couple};
