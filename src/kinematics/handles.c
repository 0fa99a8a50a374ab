// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/handles.h"

#include "kinematics/rigid.h"

// Between keys the rotation vector, the point it turns about and the translation are linear in
// time.
static swPoseKey pose_at(const swPoseKey *key, int nkey, swReal t) {
    if (t <= key[0].t)
        return key[0];
    for (int i = 1; i < nkey; i++)
        if (t < key[i].t) {
            swReal u = (t - key[i - 1].t) / (key[i].t - key[i - 1].t);
            return (swPoseKey){.t = t,
                               .rotation = sw_lerp(key[i - 1].rotation, key[i].rotation, u),
                               .about = sw_lerp(key[i - 1].about, key[i].about, u),
                               .translate = sw_lerp(key[i - 1].translate, key[i].translate, u)};
        }
    return key[nkey - 1];
}

void sw_handles_pose(const swModel *m, swReal t, swReal *q) {
    for (int64_t i = 0; i < m->size.nhandle; i++) {
        const swHandleInfo *handle = &m->handle[i];
        if (handle->motion != SW_MOTION_KEYS || handle->nkey == 0)
            continue;
        swPoseKey pose = pose_at(m->key + handle->key, handle->nkey, t);
        swMat3 R = sw_mat_rotation(pose.rotation);
        const swReal *A0 =
            m->q0 + m->node[handle->node].q; // x -> R (x - about) + about + translate, after A0
        swReal *A = q + m->node[handle->node].q;
        for (int c = 0; c < 4; c++) {
            swVec3 column = sw_v3(A0[c], A0[4 + c], A0[8 + c]);
            if (c == 0)
                column = sw_sub(column, pose.about);
            column = sw_mul(R, column);
            if (c == 0)
                column = sw_add(column, sw_add(pose.about, pose.translate));
            A[c] = column.x, A[4 + c] = column.y, A[8 + c] = column.z;
        }
    }
    sw_nodes_follow(m, q);
}

swReal sw_handles_end(const swModel *m) {
    swReal end = 0;
    for (int64_t i = 0; i < m->size.nkey; i++)
        end = sw_max(end, m->key[i].t);
    return end;
}
