// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A body as a skin whose joints are its frames.
#include "output/gltf.h"

enum { MAX_JOINTS = 65536 };

// A skin moves X to sum_i w_i (t_i + L_i (X - o_i)), with weights that sum to one. The joint of a
// point frame has L = 1 where the frame has L = 0, which is equivalent wherever the sum of w_i (X -
// o_i) over point frames vanishes.
bool sw_gltf_can_skin(const swBodyModel *m, const swPartInfo *part, const char **reason) {
    const swBodyInfo *b = &m->body[part->body];
    *reason = b->nnode > MAX_JOINTS ? "has more frames than a skin can name" : NULL;
    if (b->blend != SW_BLEND_LINEAR)
        *reason = "blends dual quaternions";
    for (int i = b->node; i < b->node + b->nnode && !*reason; i++)
        *reason = m->node[i].width > 4            ? "has quadratic frames"
                  : sw_node_is_modes(&m->node[i]) ? "is moved by modes"
                                                  : NULL;
    swReal size = sw_norm(sw_sub(b->hi, b->lo));
    for (int p = part->point; p < part->point + part->npoint && !*reason; p++) {
        swReal sum = 0;
        swVec3 gap = {0, 0, 0};
        for (int e = m->point_start[p]; e < m->point_start[p + 1]; e++) {
            const swNode *frame = &m->node[m->point_node[e]];
            swReal w = m->point_weight[e];
            sum += w;
            if (frame->width == 1)
                gap = sw_madd(gap, w, sw_sub(m->point[p], frame->origin));
            if (w < -1e-9)
                *reason = "has negative weights";
            if (m->point_node[e] < b->node || m->point_node[e] >= b->node + b->nnode)
                *reason = "is moved by frames of another body";
        }
        if (!(fabs(sum - 1) <= 1e-7))
            *reason = "has weights that do not sum up to one";
        if (!(sw_norm(gap) <= 1e-7 * size))
            *reason = "has point frames that do not reproduce its rest shape";
    }
    return !*reason;
}

swAffine sw_gltf_frame_place(const swNode *frame, const swReal *q) {
    const swReal *A = q + frame->q;
    const int d = frame->width;
    const swVec3 t = sw_v3(A[0], A[d], A[2 * d]);
    if (d < 4)
        return (swAffine){sw_mat_identity(), t};
    return (swAffine){{{A[1], A[2], A[3], A[d + 1], A[d + 2], A[d + 3], A[2 * d + 1], A[2 * d + 2],
                        A[2 * d + 3]}},
                      t};
}

// Joints are put under a node of their own, since a skin needs a common root.
static bool add_joints(swGltf *g, const char *body, const swBodyModel *m, const swBodyClip *clip,
                       swGltfSkin *skin, swArena *scratch) {
    const swBodyInfo *b = &m->body[0];
    swAffine *track = SW_NEW(scratch, g->nkey + 1, swAffine, g->error);
    int root = sw_gltf_nodes(g, 1 + b->nnode);
    skin->joint = SW_NEW(&g->arena, b->nnode, int, g->error);
    float *bind = sw_gltf_add(g, SW_GLTF_FLOAT, 16, b->nnode, 0);
    if (!track || root < 0 || !skin->joint || !bind)
        return false;
    skin->root = root;
    skin->njoint = b->nnode;
    skin->inverse_bind = sw_gltf_last(g);
    swGltfNode *node = &g->nodes.item[root];
    node->name = skin->name;
    node->root = true;
    node->child = root + 1;
    node->nchild = b->nnode;
    for (int i = 0; i < b->nnode; i++) {
        const swNode *frame = &m->node[b->node + i];
        int outer = root + 1 + i, inside = sw_gltf_joint_depth(frame) - 1;
        int inner = inside > 0 ? sw_gltf_nodes(g, inside) : -1;
        for (int k = 0; k <= g->nkey; k++) // the rest pose shows the first key
            track[k] = sw_gltf_frame_place(frame, clip->keys.item[sw_max_int(k - 1, 0)].q);
        const char *name = sw_gltf_frame_name(g, body, m, frame);
        if (!name || (inside > 0 && inner < 0) ||
            !sw_gltf_animate_joint(g, name, track, outer, inner))
            return false;
        skin->joint[i] = inside > 0 ? inner + inside - 1 : outer;
        float *M = bind + 16 * (size_t)i; // column by column
        M[0] = M[5] = M[10] = M[15] = 1;
        sw_gltf_put(g, M + 12, sw_scale(-1, frame->origin));
    }
    return true;
}

int sw_gltf_add_skin(swGltf *g, const char *body, const swBodyModel *m, const swBodyClip *clip) {
    swGltfSkin skin = {.name = sw_gltf_name(g, "%s/frames", body)};
    swArena scratch;
    sw_arena_init(&scratch, &m->config.allocator);
    bool ok = skin.name && add_joints(g, body, m, clip, &skin, &scratch);
    sw_arena_free(&scratch);
    swGltfSkin *added = ok ? SW_PUSH(&g->skins, &g->arena, g->error) : NULL;
    if (!added)
        return -1;
    *added = skin;
    return g->skins.count - 1;
}
