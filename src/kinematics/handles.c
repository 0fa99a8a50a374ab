// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/handles.h"

#include "kinematics/rigid.h"

#include <string.h>

// A share of the way from one rotation to another, along the shortest arc.
static swVec3 turn_between(swVec3 from, swVec3 to, swReal u) {
    const swMat3 R = sw_mat_rotation(from);
    const swVec3 turn = sw_mat_turn(sw_mat_mul(sw_mat_rotation(to), sw_mat_t(R)));
    return sw_mat_turn(sw_mat_mul(sw_mat_rotation(sw_scale(u, turn)), R));
}

swPoseKey sw_handle_key(const swBodyModel *m, const swHandleInfo *handle, swReal t) {
    const swPoseKey *key = m->key + handle->key;
    const int nkey = handle->nkey;
    if (t <= key[0].t)
        return key[0];
    if (t >= key[nkey - 1].t)
        return key[nkey - 1];
    int lo = 0, hi = nkey - 1; // key[lo].t <= t < key[hi].t
    while (hi - lo > 1) {
        const int middle = (lo + hi) / 2;
        *(key[middle].t <= t ? &lo : &hi) = middle;
    }
    const swPoseKey *a = &key[lo], *b = &key[hi];
    const swReal u = (t - a->t) / (b->t - a->t);
    return (swPoseKey){.t = t,
                       .rotation = handle->arc && u > 0 ? turn_between(a->rotation, b->rotation, u)
                                                        : sw_lerp(a->rotation, b->rotation, u),
                       .about = sw_lerp(a->about, b->about, u),
                       .translate = sw_lerp(a->translate, b->translate, u)};
}

// x -> R (x - about) + about + translate, after A0.
static void follow_keys(const swPoseKey *pose, const swReal *A0, swReal *A) {
    swMat3 R = sw_mat_rotation(pose->rotation);
    for (int c = 0; c < 4; c++) {
        swVec3 column = sw_v3(A0[c], A0[4 + c], A0[8 + c]);
        if (c == 0)
            column = sw_sub(column, pose->about);
        column = sw_mul(R, column);
        if (c == 0)
            column = sw_add(column, sw_add(pose->about, pose->translate));
        A[c] = column.x, A[4 + c] = column.y, A[8 + c] = column.z;
    }
}

// A share of the way from A0 to a place.
static void go_to(const swHandlePlace *place, swReal share, const swReal *A0, swReal *A) {
    swReal B[12]; // the place
    for (int r = 0; r < 3; r++) {
        B[4 * r] = sw_get(place->center, r);
        memcpy(B + 4 * r + 1, place->rotation.m + 3 * r, 3 * sizeof *B);
    }
    if (share < 1) {
        const swVec3 from = {A0[0], A0[4], A0[8]};
        const swPoseKey part = {.rotation = sw_scale(share, sw_rigid_turn(A0, B)),
                                .about = from,
                                .translate = sw_scale(share, sw_sub(place->center, from))};
        follow_keys(&part, A0, B);
    }
    memcpy(A, B, sizeof B);
}

void sw_handles_pose(const swBodyModel *m, const swBodyState *s, swReal t, swReal share,
                     swReal *q) {
    for (int64_t i = 0; i < m->size.nhandle; i++) {
        const swHandleInfo *handle = &m->handle[i];
        const int at = m->node[handle->node].q;
        if (s->handle_place[i].set)
            go_to(&s->handle_place[i], share, s->q + at, q + at);
        else if (handle->motion == SW_MOTION_KEYS && handle->nkey > 0) {
            const swPoseKey pose = sw_handle_key(m, handle, t);
            follow_keys(&pose, s->q0 + at, q + at);
        }
    }
    sw_nodes_follow(m, q);
}

void sw_handles_step(const swBodyModel *m, const swBodyState *s, swReal t, swReal *q) {
    static const swReal rounding = 1e-9;
    const swReal share = (t - s->t) / (s->end - s->t);
    sw_handles_pose(m, s, t, share > 1 - rounding ? 1 : sw_max(share, 0), q);
}

swReal sw_handles_end(const swBodyModel *m) {
    swReal end = 0;
    for (int64_t i = 0; i < m->size.nkey; i++)
        end = sw_max(end, m->key[i].t);
    return end;
}
