// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/handles.h"

#include "kinematics/keys.h"
#include "kinematics/rigid.h"

#include <string.h>

swPoseKey sw_handle_key(const swBodyModel *m, const swHandleInfo *handle, swReal t) {
    return sw_keys_at(m->key + handle->key, handle->nkey, handle->arc, t);
}

// From A0, 3 x 4 numbers with the place in the first column, to where a key has it.
static void follow_keys(const swPoseKey *pose, const swReal *A0, swReal *A) {
    swAffine at = {.b = {A0[0], A0[4], A0[8]}};
    for (int r = 0; r < 3; r++)
        memcpy(at.A.m + 3 * r, A0 + 4 * r + 1, 3 * sizeof *A0);
    at = sw_key_move(pose, &at);
    for (int r = 0; r < 3; r++) {
        A[4 * r] = sw_get(at.b, r);
        memcpy(A + 4 * r + 1, at.A.m + 3 * r, 3 * sizeof *A);
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
