// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/point_force.h"

#include "kinematics/rigid.h"

#include "kinematics/dual.h"

#include <string.h>

// Under dual-quaternion blending: how what modes have brought to P moves with the blended one, in
// all lanes alike.
static void find_slope_at(const swBodyModel *m, const swReal *q, const swAnchor *at, swVec3 P,
                          swDualPoint *d, swWide slope[3][SW_DUAL]) {
    swWide b[SW_DUAL], p[3];
    swReal sum[SW_DUAL];
    sw_anchor_blend(m, q, at, sum);
    for (int r = 0; r < SW_DUAL; r++)
        b[r] = sw_wide(sum[r]);
    for (int k = 0; k < 3; k++)
        p[k] = sw_wide(sw_get(P, k));
    sw_dual_point(b, p, d);
    sw_dual_slope(d, slope);
}
static void find_slope(const swBodyModel *m, const swReal *q, const swAnchor *at, swDualPoint *d,
                       swWide slope[3][SW_DUAL]) {
    find_slope_at(m, q, at, sw_add(at->p, sw_anchor_bend(m, q, at)), d, slope);
}

// g_i += w_i X^T f, H_ij += w_i w_j (X^T hessian X + f . x_bb).
static void spread_dual(const swBodyModel *m, const swReal *q, const swAnchor *at,
                        const swPointForce *f, swSystem *out) {
    swWide slope[3][SW_DUAL], fX[SW_DUAL], H[SW_DUAL][SW_DUAL];
    swDualPoint d;
    const swWide force[3] = {sw_wide(f->gradient.x), sw_wide(f->gradient.y),
                             sw_wide(f->gradient.z)};
    find_slope(m, q, at, &d, slope);
    for (int r = 0; r < SW_DUAL; r++)
        fX[r] = force[0] * slope[0][r] + force[1] * slope[1][r] + force[2] * slope[2][r];
    memset(H, 0, sizeof H);
    if (out->H && !out->gauss_newton)
        sw_dual_curvature(&d, force, fX, H);
    swReal g[SW_DUAL], K[SW_DUAL][SW_DUAL], lanes[SW_LANES], X[3][SW_DUAL];
    for (int r = 0; r < SW_DUAL; r++)
        for (int a = 0; a < 3; a++) {
            sw_wide_store(lanes, slope[a][r]);
            X[a][r] = lanes[0];
        }
    for (int r = 0; r < SW_DUAL; r++) {
        g[r] = X[0][r] * f->gradient.x + X[1][r] * f->gradient.y + X[2][r] * f->gradient.z;
        for (int s = 0; s < SW_DUAL; s++) {
            sw_wide_store(lanes, r <= s ? H[r][s] : H[s][r]);
            K[r][s] = lanes[0];
            for (int a = 0; a < 9; a++)
                K[r][s] += X[a / 3][r] * f->hessian[a] * X[a % 3][s];
        }
    }
    for (int e = 0; e < at->n; e++) {
        const swNode *ni = &m->node[at->node[e]];
        for (int r = 0; r < SW_DUAL; r++)
            out->g[ni->q + SW_NODE_DUAL + r] += at->weight[e] * g[r];
        for (int o = 0; out->H && ni->u >= 0 && o < at->n; o++) {
            const swNode *nj = &m->node[at->node[o]];
            if (nj->u < 0 || nj->u > ni->u)
                continue;
            const swBlock to = sw_blocks_get(out->H, at->node[e], at->node[o]);
            for (int r = 0; r < SW_DUAL; r++)
                for (int s = 0; s < SW_DUAL; s++)
                    to.data[r * to.stride + s] += at->weight[e] * at->weight[o] * K[r][s];
        }
    }
}

// g_c += N_c gradient, H_cd += N_c N_d hessian over the columns of the nodes that move the point.
static void spread(const swBodyModel *m, const swReal *q, const swAnchor *at, const swPointForce *f,
                   swSystem *out) {
    swReal Ni[SW_MAX_MONOMIALS], Nj[SW_MAX_MONOMIALS];
    const swVec3 u = sw_anchor_bend(m, q, at);
    for (int e = 0; e < at->n; e++) {
        const swNode *ni = &m->node[at->node[e]];
        sw_anchor_monomials(ni, at, u, Ni);
        for (int r = 0; r < 3; r++)
            for (int a = 0; a < ni->width; a++)
                out->g[ni->q + r * ni->width + a] += at->weight[e] * Ni[a] * sw_get(f->gradient, r);
        if (!out->H || ni->u < 0 || sw_node_is_modes(ni)) // whose frame stands still
            continue;
        for (int o = 0; o < at->n; o++) {
            const swNode *nj = &m->node[at->node[o]];
            if (nj->u < 0 || nj->u > ni->u)
                continue;
            sw_anchor_monomials(nj, at, u, Nj);
            const swBlock H = sw_blocks_get(out->H, at->node[e], at->node[o]);
            swReal w = at->weight[e] * at->weight[o];
            for (int r = 0; r < 3; r++)
                for (int a = 0; a < ni->width; a++) {
                    swReal *row = H.data + (r * ni->width + a) * H.stride;
                    for (int s = 0; s < 3; s++)
                        for (int b = 0; b < nj->width; b++)
                            row[s * nj->width + b] += w * Ni[a] * Nj[b] * f->hessian[3 * r + s];
                }
        }
    }
}

// How a point moves with what modes do to p: the gradients of its nodes, blended.
static swMat3 blended(const swBodyModel *m, const swReal *q, const swAnchor *at) {
    swMat3 B = {{0}};
    if (sw_anchor_is_dual(m, at))
        return sw_anchor_turn(m, q, at);
    for (int e = 0; e < at->n; e++) {
        const swNode *node = &m->node[at->node[e]];
        swReal dm[SW_MAX_MONOMIALS][3];
        sw_monomial_gradients(node->width, sw_sub(at->p, node->origin), dm);
        for (int k = 0; k < 9; k++)
            for (int c = 1; c < node->width; c++)
                B.m[k] += at->weight[e] * q[node->q + k / 3 * node->width + c] * dm[c][k % 3];
    }
    return B;
}

// H_jc += N_c X_j . hessian + w f dm_c phi_j between modes and the columns of a frame.
static void couple_frame(const swBodyModel *m, const swAnchor *at, int e, swVec3 u,
                         const swPointForce *f, const swVec3 *KX, swSystem *out) {
    const swNode *node = &m->node[at->node[e]];
    const swBlock H = sw_blocks_get(out->H, at->modes, at->node[e]);
    const swReal w = at->weight[e], bent = out->gauss_newton ? 0 : w;
    swReal N[SW_MAX_MONOMIALS], dm[SW_MAX_MONOMIALS][3];
    sw_anchor_monomials(node, at, u, N);
    sw_monomial_gradients(node->width, sw_sub(at->p, node->origin), dm);
    for (int j = 0; j < m->node[at->modes].nu; j++) {
        swReal *row = H.data + (ptrdiff_t)j * H.stride;
        for (int c = 0; c < node->width; c++) {
            const swReal slope = bent * sw_dot(sw_v3(dm[c][0], dm[c][1], dm[c][2]), at->vector[j]);
            for (int r = 0; r < 3; r++)
                row[r * node->width + c] +=
                    w * N[c] * sw_get(KX[j], r) + slope * sw_get(f->gradient, r);
        }
    }
}

// The same under dual quaternions, whose slope X changes with the place in proportion:
// H_j += w (X^T hessian X_j + f . dX/dp phi_j).
static void couple_dual(const swBodyModel *m, const swReal *q, const swAnchor *at, swVec3 u,
                        const swPointForce *f, const swVec3 *KX, swSystem *out) {
    static const swVec3 axis[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    swReal X[4][3][SW_DUAL], lanes[SW_LANES];
    for (int k = 0; k < 4; k++) {
        swWide slope[3][SW_DUAL];
        swDualPoint d;
        find_slope_at(m, q, at, sw_add(sw_add(at->p, u), axis[k]), &d, slope);
        for (int i = 0; i < 3 * SW_DUAL; i++) {
            sw_wide_store(lanes, slope[i / SW_DUAL][i % SW_DUAL]);
            X[k][i / SW_DUAL][i % SW_DUAL] = lanes[0];
        }
    }
    for (int e = 0; e < at->n; e++) {
        if (m->node[at->node[e]].u < 0)
            continue;
        const swBlock H = sw_blocks_get(out->H, at->modes, at->node[e]);
        for (int j = 0; j < m->node[at->modes].nu; j++)
            for (int r = 0; r < SW_DUAL; r++) {
                swReal sum = 0;
                for (int a = 0; a < 3; a++) {
                    sum += sw_get(KX[j], a) * X[0][a][r];
                    for (int k = 0; k < 3 && !out->gauss_newton; k++)
                        sum += sw_get(f->gradient, a) * sw_get(at->vector[j], k) *
                               (X[1 + k][a][r] - X[0][a][r]);
                }
                H.data[(ptrdiff_t)j * H.stride + r] += at->weight[e] * sum;
            }
    }
}

// On modes that move a point before its nodes do: g_j += X_j . gradient, H_jk += X_j . hessian X_k
// with X_j = B phi_j.
static void spread_modes(const swBodyModel *m, const swReal *q, const swAnchor *at,
                         const swPointForce *f, swSystem *out) {
    const swNode *modes = &m->node[at->modes];
    const swMat3 B = blended(m, q, at);
    swVec3 X[SW_MAX_MODES], KX[SW_MAX_MODES];
    swMat3 K;
    memcpy(K.m, f->hessian, sizeof K.m);
    for (int j = 0; j < modes->nu; j++) {
        X[j] = sw_mul(B, at->vector[j]);
        out->g[sw_node_ambient(modes) + j] += sw_dot(X[j], f->gradient);
    }
    if (!out->H)
        return;
    const swBlock own = sw_blocks_get(out->H, at->modes, at->modes);
    for (int j = 0; j < modes->nu; j++) {
        KX[j] = sw_mul(K, X[j]);
        for (int k = 0; k <= j; k++)
            own.data[(ptrdiff_t)j * own.stride + k] += sw_dot(KX[j], X[k]);
    }
    const swVec3 u = sw_anchor_bend(m, q, at);
    if (sw_anchor_is_dual(m, at)) {
        couple_dual(m, q, at, u, f, KX, out);
        return;
    }
    for (int e = 0; e < at->n; e++)
        if (at->node[e] != at->modes && m->node[at->node[e]].u >= 0)
            couple_frame(m, at, e, u, f, KX, out);
}

void sw_point_force_add(const swBodyModel *m, const swReal *q, const swAnchor *at,
                        const swPointForce *f, swSystem *out) {
    out->energy += f->energy;
    if (out->g && sw_anchor_is_dual(m, at))
        spread_dual(m, q, at, f, out);
    else if (out->g)
        spread(m, q, at, f, out);
    if (out->g && at->vector)
        spread_modes(m, q, at, f, out);
}

// How the point moves with the ambient unknowns of each of its nodes: S[entry][3][unknown].
enum { UNKNOWNS = SW_MAX_MODES };
_Static_assert(UNKNOWNS >= 3 * SW_MAX_MONOMIALS, "room for any node");
typedef swReal swPointSlope[3][UNKNOWNS];

// Nodes that move a point, those of modes that do so before frames last.
static int count_nodes(const swBodyModel *m, const swAnchor *at) {
    return at->n + (at->vector && !sw_anchor_is_modes(m, at));
}
static int node_of(const swAnchor *at, int e) { return e < at->n ? at->node[e] : at->modes; }

static void node_slope(const swBodyModel *m, const swReal *q, const swAnchor *at, int e,
                       swWide X[3][SW_DUAL], swPointSlope S) {
    const swNode *node = &m->node[node_of(at, e)];
    swReal N[SW_MAX_MONOMIALS], lanes[SW_LANES];
    memset(S, 0, sizeof(swPointSlope));
    if (sw_node_is_dual(node)) {
        for (int a = 0; a < 3 * SW_DUAL; a++) {
            sw_wide_store(lanes, X[a / SW_DUAL][a % SW_DUAL]);
            S[a / SW_DUAL][a % SW_DUAL] = at->weight[e] * lanes[0];
        }
        return;
    }
    if (sw_node_is_modes(node)) {
        const swMat3 B = blended(m, q, at);
        for (int j = 0; at->vector && j < node->nu; j++) {
            const swVec3 x = sw_mul(B, at->vector[j]);
            for (int k = 0; k < 3; k++)
                S[k][j] = sw_get(x, k);
        }
        return;
    }
    sw_anchor_monomials(node, at, sw_anchor_bend(m, q, at), N);
    for (int a = 0; a < 3 * node->width; a++)
        S[a / node->width][a] = at->weight[e] * N[a % node->width];
}

// H += S^T K T, or its transpose.
static void add_product(int rows, int columns, swPointSlope S, const swReal *K, swPointSlope T,
                        bool transpose, swBlock H) {
    for (int a = 0; a < rows; a++)
        for (int b = 0; b < columns; b++) {
            swReal sum = 0;
            for (int k = 0; k < 9; k++)
                sum += S[k / 3][a] * K[k] * T[k % 3][b];
            H.data[transpose ? b * H.stride + a : a * H.stride + b] += sum;
        }
}

void sw_point_couple_add(const swBodyModel *m, const swReal *q, const swAnchor *one,
                         const swAnchor *other, const swReal hessian[9], swSystem *out) {
    swWide X[3][SW_DUAL], Y[3][SW_DUAL];
    swDualPoint d;
    swPointSlope S, T;
    if (!out->H)
        return;
    memset(X, 0, sizeof X);
    memset(Y, 0, sizeof Y);
    if (sw_anchor_is_dual(m, one))
        find_slope(m, q, one, &d, X);
    if (sw_anchor_is_dual(m, other))
        find_slope(m, q, other, &d, Y);
    for (int e = 0; e < count_nodes(m, one); e++)
        for (int o = 0; o < count_nodes(m, other); o++) {
            const int i = node_of(one, e), j = node_of(other, o);
            const int ni = m->node[i].nu, nj = m->node[j].nu;
            if (m->node[i].u < 0 || m->node[j].u < 0)
                continue;
            node_slope(m, q, one, e, X, S);
            node_slope(m, q, other, o, Y, T);
            if (i >= j)
                add_product(ni, nj, S, hessian, T, false, sw_blocks_get(out->H, i, j));
            if (i <= j)
                add_product(ni, nj, S, hessian, T, true, sw_blocks_get(out->H, j, i));
        }
}

// Blocks between nodes of two bodies, over their unknowns.
static void bind_nodes(swCoupled *c, int one, const swAnchor *at, int other,
                       const swAnchor *other_at, const swReal hessian[9]) {
    const swCoupledBody *a = &c->body[one], *b = &c->body[other];
    const swBodyModel *ma = a->s->model, *mb = b->s->model;
    swWide X[3][SW_DUAL], Y[3][SW_DUAL];
    swDualPoint d;
    swPointSlope S, T;
    swReal K[9];
    for (int k = 0; k < 9; k++)
        K[k] = -hessian[k];
    memset(X, 0, sizeof X);
    memset(Y, 0, sizeof Y);
    if (sw_anchor_is_dual(ma, at))
        find_slope(ma, a->q, at, &d, X);
    if (sw_anchor_is_dual(mb, other_at))
        find_slope(mb, b->q, other_at, &d, Y);
    for (int e = 0; e < count_nodes(ma, at); e++)
        for (int o = 0; o < count_nodes(mb, other_at); o++) {
            node_slope(ma, a->q, at, e, X, S);
            node_slope(mb, b->q, other_at, o, Y, T);
            const int i = sw_node_fold_rows(ma, a->q, node_of(at, e), 3, UNKNOWNS, S[0]),
                      j = sw_node_fold_rows(mb, b->q, node_of(other_at, o), 3, UNKNOWNS, T[0]);
            if (i < 0 || j < 0)
                continue;
            const int row = a->node + i, column = b->node + j;
            if (!c->A) {
                c->need(c->context, row, column);
                continue;
            }
            const bool turned = row < column;
            add_product(ma->node[i].ndof, mb->node[j].ndof, S, K, T, turned,
                        turned ? sw_blocks_get(c->A, column, row)
                               : sw_blocks_get(c->A, row, column));
        }
}

void sw_points_bind(swCoupled *c, int one, const swAnchor *at, int other, const swAnchor *other_at,
                    const swPointForce *force) {
    swCoupledBody *a = &c->body[one], *b = &c->body[other];
    swPointForce back = *force;
    back.energy = 0;
    back.gradient = sw_scale(-1, force->gradient);
    if (!c->need) {
        sw_point_force_add(a->s->model, a->q, at, force, &a->sys);
        sw_point_force_add(b->s->model, b->q, other_at, &back, &b->sys);
        const swReal size = sw_norm(force->gradient);
        a->sys.force = sw_max(a->sys.force, size);
        b->sys.force = sw_max(b->sys.force, size);
    }
    if (c->A || c->need)
        bind_nodes(c, one, at, other, other_at, force->hessian);
}
