// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/rigid.h"

#include <string.h>

static bool is_rigid(const swNode *node) { return node->ndof == 6 && node->kind == SW_NODE_RIGID; }
// Whether six unknowns move it instead of its ambient ones.
static bool folds(const swNode *node) { return is_rigid(node) || sw_node_is_carried(node); }

static swMat3 linear_part(const swReal *A) {
    return (swMat3){{A[1], A[2], A[3], A[5], A[6], A[7], A[9], A[10], A[11]}};
}

static void set_linear_part(swReal *A, swMat3 R) {
    for (int r = 0; r < 3; r++)
        memcpy(A + 4 * r + 1, R.m + 3 * r, 3 * sizeof *A);
}

// ---- dual quaternions ----

void sw_quaternion_of(swMat3 R, swReal r[4]) {
    const swReal *m = R.m, d[4] = {m[0] + m[4] + m[8], m[0] - m[4] - m[8], m[4] - m[0] - m[8],
                                   m[8] - m[0] - m[4]};
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (d[i] > d[best])
            best = i;
    const swReal s = 0.5 * sqrt(1 + d[best]), t = 0.25 / s;
    const swReal w[4][4] = {{s, t * (m[7] - m[5]), t * (m[2] - m[6]), t * (m[3] - m[1])},
                            {t * (m[7] - m[5]), s, t * (m[3] + m[1]), t * (m[2] + m[6])},
                            {t * (m[2] - m[6]), t * (m[3] + m[1]), s, t * (m[7] + m[5])},
                            {t * (m[3] - m[1]), t * (m[2] + m[6]), t * (m[7] + m[5]), s}};
    memcpy(r, w[best], 4 * sizeof *r);
}

swMat3 sw_quaternion_rotation(const swReal q[4]) {
    const swReal w = q[0], x = q[1], y = q[2], z = q[3];
    return (swMat3){{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                     2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

// (0, t) q
static void times_vector(swVec3 t, const swReal q[4], swReal out[4]) {
    out[0] = -(t.x * q[1] + t.y * q[2] + t.z * q[3]);
    out[1] = t.x * q[0] + t.y * q[3] - t.z * q[2];
    out[2] = t.y * q[0] + t.z * q[1] - t.x * q[3];
    out[3] = t.z * q[0] + t.x * q[2] - t.y * q[1];
}

// t0 = t - R c: where the node's motion x = R p + t0 takes the origin of rest coordinates.
static swVec3 shift_of(const swNode *node, const swReal *A) {
    return sw_sub(sw_v3(A[0], A[4], A[8]), sw_mul(linear_part(A), node->origin));
}

// The dual quaternion of a node's matrix; of both signs the one nearer to `sign`.
static void set_dual(const swNode *node, const swReal sign[4], swReal *A) {
    swReal *Q = A + SW_NODE_DUAL, r[4];
    sw_quaternion_of(linear_part(A), r);
    const swReal along = sign[0] * r[0] + sign[1] * r[1] + sign[2] * r[2] + sign[3] * r[3];
    for (int k = 0; k < 4; k++)
        Q[k] = along < 0 ? -r[k] : r[k];
    times_vector(sw_scale(0.5, shift_of(node, A)), Q, Q + 4); // d = t0 r / 2
}

// ---- vertices that handles hold ----

static swVec3 arm_of(const swBodyModel *m, const swNode *node) {
    return sw_sub(node->origin, m->node[node->carrier].origin);
}

// Of places q, or of rates.
static void carry_vertices(const swBodyModel *m, swReal *q) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        if (!sw_node_is_carried(node))
            continue;
        const swReal *A = q + m->node[node->carrier].q;
        const swVec3 r = arm_of(m, node);
        for (int k = 0; k < 3; k++)
            q[node->q + k] =
                A[4 * k] + A[4 * k + 1] * r.x + A[4 * k + 2] * r.y + A[4 * k + 3] * r.z;
    }
}

static void carry(const swBodyModel *m, swReal *q) {
    for (int64_t i = 0; i < m->size.nnode; i++)
        for (int k = 0; m->node[i].slide && k < 3; k++)
            if (sw_node_holds(&m->node[i], k))
                q[m->node[i].q + k] = m->q0[m->node[i].q + k];
    carry_vertices(m, q);
}

void sw_nodes_release(const swBodyModel *m, swReal *g) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        if (!sw_node_is_carried(node))
            continue;
        swReal *to = g + m->node[node->carrier].q;
        const swVec3 r = arm_of(m, node);
        for (int k = 0; k < 3; k++) {
            const swReal f = g[node->q + k];
            to[4 * k] += f;
            to[4 * k + 1] += f * r.x;
            to[4 * k + 2] += f * r.y;
            to[4 * k + 3] += f * r.z;
            g[node->q + k] = 0;
        }
    }
}

void sw_nodes_sync(const swBodyModel *m, swReal *q) {
    static const swReal none[4] = {0};
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[m->node[i].turn];
        if (sw_node_is_dual(node))
            set_dual(node, node->parent >= 0 ? q + m->node[node->parent].q + SW_NODE_DUAL : none,
                     q + node->q);
    }
    carry(m, q);
}

void sw_nodes_follow(const swBodyModel *m, swReal *q) {
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (sw_node_is_dual(&m->node[i]))
            set_dual(&m->node[i], q + m->node[i].q + SW_NODE_DUAL, q + m->node[i].q);
    carry(m, q);
}

// J[8][6]: r moves by w r / 2, d = t0 r / 2 with it and with dt0 = u - w x (R c).
static void dual_jacobian(const swNode *node, const swReal *A, swReal J[12][6]) {
    const swReal *Q = A + SW_NODE_DUAL;
    const swVec3 t0 = shift_of(node, A), arm = sw_mul(linear_part(A), node->origin);
    const swVec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int a = 0; a < 3; a++) {
        swReal r[4], d[4], s[4];
        times_vector(sw_scale(0.5, e[a]), Q, d); // u_a: dd = e_a r / 2
        for (int k = 0; k < 4; k++) {
            J[k][a] = 0;
            J[4 + k][a] = d[k];
        }
        times_vector(sw_scale(0.5, e[a]), Q, r); // w_a
        times_vector(sw_scale(0.5, t0), r, d);
        times_vector(sw_scale(-0.5, sw_cross(e[a], arm)), Q, s);
        for (int k = 0; k < 4; k++) {
            J[k][3 + a] = r[k];
            J[4 + k][3 + a] = d[k] + s[k];
        }
    }
}

void sw_nodes_move(const swBodyModel *m, const swReal *step, swReal scale, swReal *q) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        const swReal *d = step + node->dof;
        swReal *A = q + node->q, *ambient = q + sw_node_ambient(node);
        if (is_rigid(node)) {
            for (int r = 0; r < 3; r++)
                A[4 * r] += scale * d[r];
            swMat3 R = sw_mat_rotation(sw_scale(scale, sw_v3(d[3], d[4], d[5])));
            set_linear_part(A, sw_mat_mul(R, linear_part(A)));
        } else
            for (int k = 0, a = 0; a < node->ndof; k++)
                if (!sw_node_holds(node, k))
                    ambient[k] += scale * d[a++];
    }
    sw_nodes_follow(m, q);
}

void sw_nodes_make_rigid(const swBodyModel *m, swReal *q) {
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (is_rigid(&m->node[i])) {
            swReal *A = q + m->node[i].q;
            swMat3 R, S;
            sw_mat_polar(linear_part(A), &R, &S);
            set_linear_part(A, R);
        }
    sw_nodes_follow(m, q);
}

// J[12][6] of a rigid node: A[r][0] moves with u_r, column k of R with w x R_k.
static void linear_jacobian(const swReal *A, swReal J[12][6]) {
    memset(J, 0, 12 * sizeof *J);
    for (int r = 0; r < 3; r++)
        J[4 * r][r] = 1;
    for (int k = 1; k < 4; k++) {
        swReal x = A[k], y = A[4 + k], z = A[8 + k];
        J[k][4] = z, J[k][5] = -y;
        J[4 + k][3] = -z, J[4 + k][5] = x;
        J[8 + k][3] = y, J[8 + k][4] = -x;
    }
}

static const swReal *ambient_gradient(const swNode *node, const swReal *g) {
    return g + sw_node_ambient(node);
}

// x of a carried vertex moves with u + w x (x - t).
static void carried_jacobian(const swBodyModel *m, const swNode *node, const swReal *q,
                             swReal J[12][6]) {
    const swReal *A = q + m->node[node->carrier].q, *x = q + node->q;
    const swReal r[3] = {x[0] - A[0], x[1] - A[4], x[2] - A[8]};
    memset(J, 0, 3 * sizeof *J);
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        J[k][k] = 1;
        J[k][3 + a] = r[b];
        J[k][3 + b] = -r[a];
    }
}

// Ambient numbers against six unknowns, those of a rigid node or of a vertex's carrier: nu x 6.
static void jacobian(const swBodyModel *m, const swNode *node, const swReal *q, swReal J[12][6]) {
    if (sw_node_is_carried(node))
        carried_jacobian(m, node, q, J);
    else if (sw_node_is_dual(node))
        dual_jacobian(node, q + node->q, J);
    else
        linear_jacobian(q + node->q, J);
}

// v += J d for a twist d = (u, w) of a rigid node at A: of its matrix and of its dual quaternion.
static void add_twist(const swNode *node, const swReal *A, const swReal *d, swReal scale,
                      swReal *v) {
    swReal J[12][6];
    linear_jacobian(A, J);
    for (int k = 0; k < 12; k++)
        for (int a = 0; a < 6; a++)
            v[k] += scale * J[k][a] * d[a];
    if (!sw_node_is_dual(node))
        return;
    dual_jacobian(node, A, J);
    for (int k = 0; k < 8; k++)
        for (int a = 0; a < 6; a++)
            v[SW_NODE_DUAL + k] += scale * J[k][a] * d[a];
}

void sw_nodes_rates(const swBodyModel *m, const swReal *from, const swReal *q, swReal h,
                    swReal *v) {
    for (int64_t i = 0; i < m->size.nq; i++)
        v[i] = (q[i] - from[i]) / h;
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        if (node->kind != SW_NODE_RIGID)
            continue;
        const swReal *A = from + node->q, *B = q + node->q;
        const swVec3 turn = sw_rigid_turn(A, B);
        const swReal d[6] = {B[0] - A[0], B[4] - A[4], B[8] - A[8], turn.x, turn.y, turn.z};
        memset(v + node->q, 0, (size_t)sw_node_size(node) * sizeof *v);
        add_twist(node, B, d, 1 / h, v + node->q);
    }
    carry_vertices(m, v);
}

void sw_nodes_add_rates(const swBodyModel *m, const swReal *q, const swReal *step, swReal scale,
                        swReal *v) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        const swReal *d = step + node->dof;
        swReal *ambient = v + sw_node_ambient(node);
        if (is_rigid(node))
            add_twist(node, q + node->q, d, scale, v + node->q);
        else
            for (int k = 0, a = 0; a < node->ndof; k++)
                if (!sw_node_holds(node, k))
                    ambient[k] += scale * d[a++];
    }
    carry_vertices(m, v);
}

// The node whose unknowns move it.
static int master_of(const swBodyModel *m, int i) {
    return sw_node_is_carried(&m->node[i]) ? m->node[i].carrier : i;
}

void sw_nodes_fold_gradient(const swBodyModel *m, const swReal *q, const swReal *g, swReal *out) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        const swReal *gi = ambient_gradient(node, g);
        if (is_rigid(node)) {
            swReal J[12][6];
            jacobian(m, node, q, J);
            for (int a = 0; a < 6; a++) {
                swReal sum = 0;
                for (int k = 0; k < node->nu; k++)
                    sum += J[k][a] * gi[k];
                out[node->dof + a] = sum;
            }
        } else
            for (int k = 0, a = 0; a < node->ndof; k++)
                if (!sw_node_holds(node, k))
                    out[node->dof + a++] = gi[k];
    }
}

int sw_node_fold_rows(const swBodyModel *m, const swReal *q, int node, int n, int stride,
                      swReal *rows) {
    const swNode *from = &m->node[node];
    const int to = master_of(m, node);
    swReal J[12][6], folded[6];
    if (from->u < 0 || m->node[to].ndof == 0)
        return -1;
    if (folds(from))
        jacobian(m, from, q, J);
    for (int r = 0; r < n; r++) {
        swReal *row = rows + (ptrdiff_t)r * stride;
        for (int a = 0; a < 6 && folds(from); a++) {
            folded[a] = 0;
            for (int k = 0; k < from->nu; k++)
                folded[a] += row[k] * J[k][a];
        }
        if (folds(from))
            memcpy(row, folded, sizeof folded);
        for (int k = 0, a = 0; from->slide && k < 3; k++)
            if (!sw_node_holds(from, k))
                row[a++] = row[k];
    }
    return to;
}

// half := J_i^T H_ij J_j for one pair of nodes, i >= j; both triangles where they are one.
static void fold_block(const swBodyModel *m, const swNode *ni, const swNode *nj, const swReal *q,
                       swBlock H, swReal half[SW_MAX_MODES][SW_MAX_MODES]) {
    swReal J[12][6];
    int rows = ni->nu, columns = nj->nu;
    bool same = ni == nj; // then only the lower triangle of h is there
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            half[r][c] = same && c > r ? H.data[c * H.stride + r] : H.data[r * H.stride + c];
    if (folds(nj)) {
        jacobian(m, nj, q, J);
        for (int r = 0; r < rows; r++) {
            swReal row[6];
            for (int a = 0; a < 6; a++) {
                row[a] = 0;
                for (int k = 0; k < nj->nu; k++)
                    row[a] += half[r][k] * J[k][a];
            }
            memcpy(half[r], row, sizeof row);
        }
        columns = 6;
    }
    if (folds(ni)) {
        jacobian(m, ni, q, J);
        for (int c = 0; c < columns; c++) {
            swReal column[6];
            for (int a = 0; a < 6; a++) {
                column[a] = 0;
                for (int k = 0; k < ni->nu; k++)
                    column[a] += J[k][a] * half[k][c];
            }
            for (int a = 0; a < 6; a++)
                half[a][c] = column[a];
        }
        rows = 6;
    }
    for (int k = 0, a = 0; nj->slide && k < 3; k++)
        if (!sw_node_holds(nj, k)) {
            for (int r = 0; r < rows; r++)
                half[r][a] = half[r][k];
            a++;
        }
    for (int k = 0, a = 0; ni->slide && k < 3; k++)
        if (!sw_node_holds(ni, k))
            memmove(half[a++], half[k], (size_t)columns * sizeof half[0][0]);
}

// Second derivative of the rotation: sym(R G^T) - tr(R G^T) I, with G the gradient of R.
static swMat3 turn_stiffness(const swNode *node, const swReal *q, const swReal *g) {
    const swMat3 B = sw_mat_mul(linear_part(q + node->q), sw_mat_t(linear_part(g + node->q)));
    const swReal trace = B.m[0] + B.m[4] + B.m[8];
    swMat3 S;
    for (int a = 0; a < 9; a++)
        S.m[a] = 0.5 * (B.m[a] + B.m[3 * (a % 3) + a / 3]) - (a % 4 == 0 ? trace : 0);
    return S;
}

static swMat3 positive_part(swMat3 S) {
    swMat3 V;
    swVec3 w;
    sw_mat_eigen(S, &w, &V);
    const swMat3 D = sw_mat_diag(sw_max(w.x, 0), sw_max(w.y, 0), sw_max(w.z, 0));
    return sw_mat_mul(sw_mat_mul(V, D), sw_mat_t(V));
}

static void add_geometric(const swNode *node, const swReal *q, const swReal *g, bool positive,
                          swBlock out) {
    swMat3 S = turn_stiffness(node, q, g);
    if (positive)
        S = positive_part(S);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++)
            out.data[(3 + a) * out.stride + 3 + b] += S.m[3 * a + b];
}

// Second derivatives along w of r (-w.w r / 4) and of d = t0 r / 2, t0 = t - R c.
static void add_dual_geometric(const swNode *node, const swReal *q, const swReal *g, swBlock out) {
    const swReal *A = q + node->q, *Q = A + SW_NODE_DUAL, *gr = ambient_gradient(node, g),
                 *gd = gr + 4;
    const swVec3 t0 = shift_of(node, A), arm = sw_mul(linear_part(A), node->origin);
    const swVec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int a = 3; a < 6; a++) // translations alone are linear
        for (int b = 0; b <= a; b++) {
            swReal sum = 0, part[4], turned[4];
            if (b < 3) { // u_b with w_a: d = e_b (w_a r / 2) / 2
                times_vector(sw_scale(0.5, e[a - 3]), Q, turned);
                times_vector(sw_scale(0.5, e[b]), turned, part);
                for (int k = 0; k < 4; k++)
                    sum += gd[k] * part[k];
            } else {
                const int i = a - 3, j = b - 3;
                // exp(w/2) r: second derivative -d_ij r / 4
                if (i == j) {
                    times_vector(sw_scale(-0.125, t0), Q, part);
                    for (int k = 0; k < 4; k++)
                        sum += -0.25 * gr[k] * Q[k] + gd[k] * part[k];
                }
                // dt0 along one, r along the other
                for (int swap = 0; swap < 2; swap++) {
                    times_vector(sw_scale(0.5, e[swap ? i : j]), Q, turned);
                    times_vector(sw_scale(-0.5, sw_cross(e[swap ? j : i], arm)), turned, part);
                    for (int k = 0; k < 4; k++)
                        sum += gd[k] * part[k];
                }
                // -(w w^T - w.w) R c, halved over both orders
                swVec3 bend =
                    sw_add(sw_scale(sw_get(arm, i), e[j]), sw_scale(sw_get(arm, j), e[i]));
                bend = sw_madd(sw_scale(-0.5, bend), i == j ? 1 : 0, arm);
                times_vector(sw_scale(0.5, bend), Q, part);
                for (int k = 0; k < 4; k++)
                    sum += gd[k] * part[k];
            }
            out.data[a * out.stride + b] += sum;
        }
}

static void fold_hessian(const swBodyModel *m, const swReal *q, const swReal *g, const swBlocks *H,
                         bool positive, const swBlocks *out) {
    swReal half[SW_MAX_MODES][SW_MAX_MODES];
    sw_blocks_clear(out);
    for (int64_t p = 0; p < m->size.npair; p++) {
        const int i = m->pair[p].i, j = m->pair[p].j, to_i = master_of(m, i),
                  to_j = master_of(m, j);
        const swNode *ni = &m->node[i], *nj = &m->node[j];
        if (ni->u < 0 || nj->u < 0)
            continue;
        fold_block(m, ni, nj, q, sw_blocks_item(H, (int)p, j), half);
        const bool moved = to_i != i || to_j != j, turned = to_i < to_j;
        const swBlock block = !moved   ? sw_blocks_item(out, (int)p, j)
                              : turned ? sw_blocks_get(out, to_j, to_i)
                                       : sw_blocks_get(out, to_i, to_j);
        const int rows = m->node[to_i].ndof, columns = m->node[to_j].ndof;
        // Of two vertices with one carrier the other order comes to the same block.
        const bool both = i != j && to_i == to_j;
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < (to_i == to_j ? r + 1 : columns); c++)
                block.data[turned ? c * block.stride + r : r * block.stride + c] +=
                    half[r][c] + (both ? half[c][r] : 0);
        if (i != j || !is_rigid(ni))
            continue;
        if (!sw_node_is_dual(ni))
            add_geometric(ni, q, g, positive, block);
        else if (!positive)
            add_dual_geometric(ni, q, g, block);
    }
}

void sw_nodes_fold_hessian(const swBodyModel *m, const swReal *q, const swReal *g,
                           const swBlocks *H, const swBlocks *out) {
    fold_hessian(m, q, g, H, false, out);
}

void sw_nodes_fold_definite(const swBodyModel *m, const swReal *q, const swReal *g,
                            const swBlocks *H, const swBlocks *out) {
    fold_hessian(m, q, g, H, true, out);
}

void sw_nodes_between(const swBodyModel *m, const swReal *a, const swReal *b, swReal u,
                      swReal *out) {
    for (int64_t i = 0; i < m->size.nq; i++)
        out[i] = (1 - u) * a[i] + u * b[i];
    sw_nodes_make_rigid(m, out);
}

swVec3 sw_rigid_turn(const swReal *A, const swReal *B) {
    swMat3 R;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            R.m[3 * r + c] = B[4 * r + 1] * A[4 * c + 1] + B[4 * r + 2] * A[4 * c + 2] +
                             B[4 * r + 3] * A[4 * c + 3];
    return sw_mat_turn(R);
}

void sw_node_wrench(const swNode *node, const swReal *q, const swReal *g, swVec3 center,
                    swVec3 *force, swVec3 *torque) {
    const bool dual = sw_node_is_dual(node);
    const swReal *A = q + node->q, *gi = dual ? ambient_gradient(node, g) : g + node->q;
    swReal J[12][6], w[6] = {0};
    if (dual)
        dual_jacobian(node, A, J);
    else
        linear_jacobian(A, J);
    for (int a = 0; a < 6; a++)
        for (int k = 0; k < (dual ? 8 : 12); k++)
            w[a] += J[k][a] * gi[k];
    *force = sw_v3(w[0], w[1], w[2]);
    swVec3 arm = sw_sub(sw_v3(A[0], A[4], A[8]), center);
    *torque = sw_add(sw_v3(w[3], w[4], w[5]), sw_cross(arm, *force));
}
