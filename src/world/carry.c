// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A state goes on with another model.
#include "kinematics/rigid.h"
#include "world/inserts.h"

#include <string.h>

static bool same_layout(const swBodyModel *a, const swBodyModel *b) {
    if (a->size.nbody != b->size.nbody || a->size.nnode != b->size.nnode ||
        a->size.nq != b->size.nq || a->size.nhandle != b->size.nhandle ||
        a->size.npoint != b->size.npoint)
        return false;
    for (int64_t i = 0; i < a->size.nnode; i++) {
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
    for (int64_t i = 0; i < b->size.nnode; i++) {
        const int q = b->node[i].q;
        carry_matrix(&a->node[i], &b->node[i], from->q + q, to->q + q);
        carry_matrix(&a->node[i], &b->node[i], from->v + q, to->v + q);
    }
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
