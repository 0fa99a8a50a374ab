// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A state goes on with another model.
#include "kinematics/rigid.h"
#include "math/cholesky.h"
#include "world/inserts.h"

#include <string.h>

static bool same_layout(const swBodyModel *a, const swBodyModel *b) {
    if (a->size.nbody != b->size.nbody || sw_body_frames(a) != sw_body_frames(b) ||
        a->size.nhandle != b->size.nhandle || a->size.npoint != b->size.npoint)
        return false;
    for (int64_t i = 0; i < sw_body_frames(a); i++) {
        const swNode *x = &a->node[i], *y = &b->node[i];
        if (x->kind != y->kind || x->nu != y->nu || x->motion != y->motion || x->body != y->body ||
            x->handle != y->handle || x->q != y->q)
            return false;
    }
    return true;
}

// The same motion about another origin: stiffness may have its say in where frames are placed.
static void carry_matrix(const swNode *from, const swNode *to, const swReal *A, swReal *B) {
    const int d = from->width;
    const swVec3 shift = sw_sub(to->origin, from->origin);
    swReal m[SW_MAX_MONOMIALS], dm[SW_MAX_MONOMIALS][3];
    memcpy(B, A, (size_t)sw_node_size(from) * sizeof *A);
    if (d < 4 || sw_norm2(shift) == 0)
        return;
    sw_monomials(d, shift, m);
    sw_monomial_gradients(d, shift, dm);
    for (int r = 0; r < 3; r++) {
        swReal *row = B + r * d;
        memset(row, 0, 4 * sizeof *row);
        for (int c = 0; c < d; c++) {
            row[0] += A[r * d + c] * m[c];
            for (int k = 0; k < 3; k++)
                row[1 + k] += A[r * d + c] * dm[c][k];
        }
    }
}

// The amplitudes of other modes that move the points of a body most alike, in to[n].
static bool fit_amplitudes(const swBodyModel *a, const swBodyModel *b, const swReal *from, int n,
                           swReal *to) {
    const int na = a->node[a->size.nnode - 1].nu, stride = sw_cholesky_stride(SW_MAX_MODES);
    swReal A[SW_MAX_MODES * (SW_MAX_MODES + 8)] = {0}, most = 0;
    SW_ASSERT((size_t)stride * SW_MAX_MODES <= SW_COUNT(A));
    memset(to, 0, (size_t)n * sizeof *to);
    for (int64_t p = 0; p < b->size.npoint; p++) {
        if (a->point_vector[p] < 0 || b->point_vector[p] < 0)
            continue;
        const swVec3 *w = a->vector + a->point_vector[p], *own = b->vector + b->point_vector[p];
        swVec3 move = {0, 0, 0};
        for (int m = 0; m < na; m++)
            move = sw_madd(move, from[m], w[m]);
        for (int i = 0; i < n; i++) {
            to[i] += sw_dot(own[i], move);
            for (int j = 0; j <= i; j++)
                A[i * stride + j] += sw_dot(own[i], own[j]);
        }
    }
    for (int i = 0; i < n; i++)
        most = sw_max(most, A[i * stride + i]);
    for (int i = 0; i < n; i++) // modes that look alike on the surface share what they move
        A[i * stride + i] += 1e-10 * most;
    if (!(most > 0) || sw_cholesky_factor(n, n, A, stride) != n)
        return false;
    sw_cholesky_solve(n, A, stride, to);
    return true;
}

// Modes are those of the materials. A body that has none in one of the models starts without.
static void carry_amplitudes(const swBodyState *from, swBodyState *to) {
    const swBodyModel *a = from->model, *b = to->model;
    if (!sw_body_is_corrected(a) || !sw_body_is_corrected(b))
        return;
    const swNode *x = &a->node[a->size.nnode - 1], *y = &b->node[b->size.nnode - 1];
    const swReal *const old[] = {from->q + x->q + SW_NODE_DUAL, from->v + x->q + SW_NODE_DUAL};
    swReal *const new[] = {to->q + y->q + SW_NODE_DUAL, to->v + y->q + SW_NODE_DUAL};
    const bool same =
        a->size.nvector == b->size.nvector && x->nu == y->nu &&
        memcmp(a->vector, b->vector, (size_t)a->size.nvector * sizeof *a->vector) == 0;
    for (int k = 0; k < 2; k++) {
        swReal fitted[SW_MAX_MODES];
        if (same)
            memcpy(new[k], old[k], (size_t)y->nu * sizeof *new[k]);
        else if (fit_amplitudes(a, b, old[k], y->nu, fitted))
            memcpy(new[k], fitted, (size_t)y->nu * sizeof *new[k]);
    }
}

#define CARRY(name, count) memcpy(to->name, from->name, (size_t)(count) * sizeof *to->name)

bool sw_body_can_carry(const swBodyState *to, const swBodyState *from) {
    return same_layout(from->base, to->base);
}

bool sw_body_carry(swBodyState *to, const swBodyState *from) {
    static const swInsertInfo none[SW_INSERTS];
    if (!sw_body_refit(to, sw_body_slots(from->base) > 0 ? from->insert : none, NULL))
        return false;
    sw_body_start(to);
    const swBodyModel *a = from->model, *b = to->model;
    for (int64_t i = 0; i < sw_body_frames(b); i++) {
        const int q = b->node[i].q;
        carry_matrix(&a->node[i], &b->node[i], from->q + q, to->q + q);
        carry_matrix(&a->node[i], &b->node[i], from->v + q, to->v + q);
    }
    carry_amplitudes(from, to);
    sw_nodes_follow(b, to->q);
    to->t = from->t;
    to->h = from->h;
    to->next = from->next;
    to->end = from->end;
    CARRY(handle_place, b->size.nhandle);
    CARRY(handle_wrench, 6 * b->size.nhandle);
    CARRY(keeping, SW_KEEPING);
    if (a->size.nbulk_point == b->size.nbulk_point)
        CARRY(bulk_velocity, b->size.nbulk_point);
    else
        sw_bulk_start(b, to->v, to->bulk_velocity);
    if (a->size.nmaterial == b->size.nmaterial && a->size.nmuscle == b->size.nmuscle &&
        a->size.nshape == b->size.nshape) {
        CARRY(activation, sw_control_count(b));
        CARRY(activation_set, sw_control_count(b));
    }
    if (a->size.nplastic == b->size.nplastic)
        CARRY(plastic, b->size.nplastic);
    if (a->size.ncontact == b->size.ncontact &&
        from->world->model->size.ncollider == to->world->model->size.ncollider)
        CARRY(touch, SW_TOUCHES * b->size.ncontact);
    // Relaxed strains are those of the other materials at these positions.
    if (a->size.nrelax == b->size.nrelax)
        CARRY(relax, b->size.nrelax);
    sw_body_energy(to);
    sw_amplitudes_keep(to);
    return true;
}
