// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/keys.h"

// A share of the way from one rotation to another, along the shortest arc.
static swVec3 turn_between(swVec3 from, swVec3 to, swReal u) {
    const swMat3 R = sw_mat_rotation(from);
    const swVec3 turn = sw_mat_turn(sw_mat_mul(sw_mat_rotation(to), sw_mat_t(R)));
    return sw_mat_turn(sw_mat_mul(sw_mat_rotation(sw_scale(u, turn)), R));
}

swPoseKey sw_keys_at(const swPoseKey *key, int nkey, bool arc, swReal t) {
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
                       .rotation = arc && u > 0 ? turn_between(a->rotation, b->rotation, u)
                                                : sw_lerp(a->rotation, b->rotation, u),
                       .about = sw_lerp(a->about, b->about, u),
                       .translate = sw_lerp(a->translate, b->translate, u)};
}

swAffine sw_key_move(const swPoseKey *pose, const swAffine *rest) {
    const swMat3 R = sw_mat_rotation(pose->rotation);
    return (swAffine){sw_mat_mul(R, rest->A), sw_add(sw_mul(R, sw_sub(rest->b, pose->about)),
                                                     sw_add(pose->about, pose->translate))};
}
