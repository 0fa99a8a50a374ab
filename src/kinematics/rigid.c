// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/rigid.h"

#include <string.h>

static bool is_rigid(const swNode *node) { return node->ndof == 6 && node->kind == SW_NODE_RIGID; }

static swMat3 linear_part(const swReal *A) {
    return (swMat3){{A[1], A[2], A[3], A[5], A[6], A[7], A[9], A[10], A[11]}};
}

static void set_linear_part(swReal *A, swMat3 R) {
    for (int r = 0; r < 3; r++)
        memcpy(A + 4 * r + 1, R.m + 3 * r, 3 * sizeof *A);
}

void sw_nodes_move(const swModel *m, const swReal *step, swReal scale, swReal *q) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        const swReal *d = step + node->dof;
        swReal *A = q + node->q;
        if (is_rigid(node)) {
            for (int r = 0; r < 3; r++)
                A[4 * r] += scale * d[r];
            swMat3 R = sw_mat_rotation(sw_scale(scale, sw_v3(d[3], d[4], d[5])));
            set_linear_part(A, sw_mat_mul(R, linear_part(A)));
        } else
            for (int k = 0; k < node->ndof; k++)
                A[k] += scale * d[k];
    }
}

void sw_nodes_make_rigid(const swModel *m, swReal *q) {
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (is_rigid(&m->node[i])) {
            swReal *A = q + m->node[i].q;
            swMat3 R, S;
            sw_mat_polar(linear_part(A), &R, &S);
            set_linear_part(A, R);
        }
}

// J[12][6] of a rigid node: A[r][0] moves with u_r, column k of R with w x R_k.
static void jacobian(const swReal *A, swReal J[12][6]) {
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

void sw_nodes_fold_gradient(const swModel *m, const swReal *q, const swReal *g, swReal *out) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        const swReal *gi = g + node->q;
        if (is_rigid(node)) {
            swReal J[12][6];
            jacobian(q + node->q, J);
            for (int a = 0; a < 6; a++) {
                swReal sum = 0;
                for (int k = 0; k < 12; k++)
                    sum += J[k][a] * gi[k];
                out[node->dof + a] = sum;
            }
        } else if (node->ndof)
            memcpy(out + node->dof, gi, (size_t)node->ndof * sizeof *out);
    }
}

// out (ndof_i x ndof_j) = J_i^T H_ij J_j for one pair of nodes, i >= j.
static void fold_block(const swNode *ni, const swNode *nj, const swReal *q, const swReal *H,
                       int stride, swReal *out, int out_stride) {
    swReal half[30][30], J[12][6];
    int rows = 3 * ni->width, columns = 3 * nj->width;
    const swReal *h = H + (ptrdiff_t)ni->u * stride + nj->u;
    swReal *o = out + (ptrdiff_t)ni->dof * out_stride + nj->dof;
    bool same = ni == nj; // then only the lower triangle of h is there
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            half[r][c] =
                same && c > r ? h[(ptrdiff_t)c * stride + r] : h[(ptrdiff_t)r * stride + c];
    if (is_rigid(nj)) {
        jacobian(q + nj->q, J);
        for (int r = 0; r < rows; r++) {
            swReal row[6];
            for (int a = 0; a < 6; a++) {
                row[a] = 0;
                for (int k = 0; k < 12; k++)
                    row[a] += half[r][k] * J[k][a];
            }
            memcpy(half[r], row, sizeof row);
        }
        columns = 6;
    }
    if (is_rigid(ni)) {
        jacobian(q + ni->q, J);
        for (int c = 0; c < columns; c++) {
            swReal column[6];
            for (int a = 0; a < 6; a++) {
                column[a] = 0;
                for (int k = 0; k < 12; k++)
                    column[a] += J[k][a] * half[k][c];
            }
            for (int a = 0; a < 6; a++)
                half[a][c] = column[a];
        }
        rows = 6;
    }
    for (int r = 0; r < rows; r++)
        memcpy(o + (ptrdiff_t)r * out_stride, half[r],
               (size_t)(same ? r + 1 : columns) * sizeof *o);
}

// Second derivative of the rotation: w^T (sym(R G^T) - tr(R G^T) I) w with G the gradient of R.
static void add_geometric(const swNode *node, const swReal *q, const swReal *g, swReal *out,
                          int out_stride) {
    swMat3 B = sw_mat_mul(linear_part(q + node->q), sw_mat_t(linear_part(g + node->q)));
    swReal trace = B.m[0] + B.m[4] + B.m[8];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++)
            out[(ptrdiff_t)(node->dof + 3 + a) * out_stride + node->dof + 3 + b] +=
                0.5 * (B.m[3 * a + b] + B.m[3 * b + a]) - (a == b ? trace : 0);
}

void sw_nodes_fold_hessian(const swModel *m, const swReal *q, const swReal *g, const swReal *H,
                           int stride, swReal *out, int out_stride) {
    memset(out, 0, (size_t)m->size.ndof * (size_t)out_stride * sizeof *out);
    for (int64_t p = 0; p < m->size.npair; p++) {
        const swNode *ni = &m->node[m->pair[p].i], *nj = &m->node[m->pair[p].j];
        if (ni->ndof && nj->ndof)
            fold_block(ni, nj, q, H, stride, out, out_stride);
    }
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (is_rigid(&m->node[i]))
            add_geometric(&m->node[i], q, g, out, out_stride);
}

void sw_node_wrench(const swReal *A, const swReal *g, swVec3 center, swVec3 *force,
                    swVec3 *torque) {
    swReal J[12][6], w[6] = {0};
    jacobian(A, J);
    for (int a = 0; a < 6; a++)
        for (int k = 0; k < 12; k++)
            w[a] += J[k][a] * g[k];
    *force = sw_v3(w[0], w[1], w[2]);
    swVec3 arm = sw_sub(sw_v3(A[0], A[4], A[8]), center);
    *torque = sw_add(sw_v3(w[3], w[4], w[5]), sw_cross(arm, *force));
}
