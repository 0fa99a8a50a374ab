// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A body as a skin: joints from its frames, weights from its embedded surface.
#include "io/gltf.h"

enum { MAX_JOINTS = 65536 };

typedef struct Influence {
    int joint; // frame of the body
    swReal w;
} Influence;

// A skin brings X to sum_i w_i (t_i + L_i (X - o_i)) with weights that sum up to one. The joint of
// a point frame has L = 1 where the frame has 0, which is the same wherever the sum of w_i (X -
// o_i) over point frames vanishes.
bool sw_gltf_can_skin(const swModel *m, const swPartInfo *part, const char **reason) {
    const swBodyInfo *b = &m->body[part->body];
    *reason = b->nnode > MAX_JOINTS ? "has more frames than a skin can name" : NULL;
    if (b->blend != SW_BLEND_LINEAR)
        *reason = "blends dual quaternions";
    for (int i = b->node; i < b->node + b->nnode && !*reason; i++)
        if (m->node[i].width > 4)
            *reason = "has quadratic frames";
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

// The frames that move point p, by descending weight. Returns their number.
static int influences(const swModel *m, const swBodyInfo *b, int p, Influence *out) {
    int n = 0;
    for (int e = m->point_start[p]; e < m->point_start[p + 1]; e++) {
        Influence now = {m->point_node[e] - b->node, m->point_weight[e]};
        if (!(now.w > 0))
            continue;
        int at = n++;
        for (; at > 0 && out[at - 1].w < now.w; at--)
            out[at] = out[at - 1];
        out[at] = now;
    }
    return n;
}

// sum_i w_i x_i, x_i being where joint i brings point p.
static swVec3 blend(const swModel *m, const swBodyInfo *b, const swReal *q, int p, int n,
                    const Influence *in) {
    swVec3 x = {0, 0, 0};
    for (int i = 0; i < n; i++) {
        const swNode *frame = &m->node[b->node + in[i].joint];
        const swReal *A = q + frame->q;
        swReal mono[SW_MAX_MONOMIALS];
        swVec3 arm = sw_sub(m->point[p], frame->origin);
        sw_monomials(frame->width, arm, mono);
        if (frame->width == 1)
            x = sw_madd(x, in[i].w, arm);
        for (int c = 0; c < frame->width; c++)
            x = sw_madd(x, in[i].w * mono[c],
                        sw_v3(A[c], A[frame->width + c], A[2 * frame->width + c]));
    }
    return x;
}

// The largest `kept` of n influences, scaled to sum up to one. Returns the largest distance this
// makes over the keys; `all` is used up.
static swReal limit(const swModel *m, const swClip *clip, const swBodyInfo *b, int p, int n,
                    int kept, Influence *all, Influence *some) {
    swReal sum = 0, error = 0;
    for (int i = 0; i < kept; i++)
        sum += all[i].w;
    for (int i = 0; i < n; i++) {
        if (i < kept)
            some[i] = (Influence){all[i].joint, all[i].w / sum};
        all[i].w = (i < kept ? some[i].w : 0) - all[i].w;
    }
    for (int k = 0; kept < n && k < clip->keys.count; k++)
        error = sw_max(error, sw_norm(blend(m, b, clip->keys.item[k].q, p, n, all)));
    return error;
}

void sw_gltf_put_influence(const swGltf *g, const swGltfSets *sets, int vertex, int place,
                           int joint, float weight) {
    const swGltfAccessor *to = sw_gltf_at(g, sets->set + place / 4 * 2);
    const size_t at = 4 * (size_t)vertex + (size_t)(place % 4);
    ((float *)to[1].data)[at] = weight;
    if (to->component == SW_GLTF_UBYTE)
        ((uint8_t *)to->data)[at] = (uint8_t)joint;
    else
        ((uint16_t *)to->data)[at] = (uint16_t)joint;
}

// The last rounding goes to the largest weight, so that they sum up to one in single precision too.
static void put_influences(const swGltf *g, const swGltfSets *sets, int vertex, int n,
                           const Influence *in) {
    double rest = 1;
    for (int i = n - 1; i >= 0; i--) {
        const float weight = (float)(i > 0 ? in[i].w : rest);
        const int joint = sets->joint ? sets->joint[in[i].joint] : in[i].joint;
        rest -= weight;
        if (weight != 0) // an unused place names joint 0
            sw_gltf_put_influence(g, sets, vertex, i, joint, weight);
    }
}

// The embedded point of a vertex, or -1.
static int point_of(const swGltfSets *sets, int vertex) {
    if (!sets->point)
        return sets->first + vertex;
    return sets->point[vertex] < 0 ? -1 : sets->first + sets->point[vertex];
}

static bool add_sets(swGltf *g, const swModel *m, const swClip *clip, swGltfSets *sets,
                     int max_influences, swGltfReport *report, swArena *scratch) {
    const swBodyInfo *b = &m->body[sets->body];
    int room = 1, found = 1;
    for (int v = 0, p; v < sets->nvertex; v++)
        if ((p = point_of(sets, v)) >= 0)
            room = sw_max_int(room, m->point_start[p + 1] - m->point_start[p]);
    Influence *all = SW_NEW(scratch, room, Influence, g->error);
    Influence *some = SW_NEW(scratch, room, Influence, g->error);
    if (!all || !some)
        return false;
    for (int v = 0, p; v < sets->nvertex; v++)
        if ((p = point_of(sets, v)) >= 0)
            found = sw_max_int(found, influences(m, b, p, all));
    int most = max_influences > 0 ? sw_min_int(found, max_influences) : found;
    int component = sets->njoint <= 256 ? SW_GLTF_UBYTE : SW_GLTF_USHORT;
    sets->nset = (most + 3) / 4;
    sets->set = sw_gltf_last(g) + 1;
    for (int i = 0; i < sets->nset; i++)
        if (!sw_gltf_add(g, component, 4, sets->nvertex, SW_GLTF_VERTICES) ||
            !sw_gltf_add(g, SW_GLTF_FLOAT, 4, sets->nvertex, SW_GLTF_VERTICES))
            return false;
    swReal error = 0, size = sw_norm(sw_sub(b->hi, b->lo));
    for (int v = 0, p; v < sets->nvertex; v++) {
        if ((p = point_of(sets, v)) < 0)
            continue;
        int n = influences(m, b, p, all), kept = sw_min_int(n, most);
        error = sw_max(error, limit(m, clip, b, p, n, kept, all, some));
        put_influences(g, sets, v, kept, some);
    }
    report->max_influences_found = sw_max_int(report->max_influences_found, found);
    report->largest_error = sw_max(report->largest_error, size > 0 ? error / size : 0);
    return true;
}

bool sw_gltf_add_sets(swGltf *g, const swModel *m, const swClip *clip, swGltfSets *sets,
                      int max_influences, swGltfReport *report) {
    swArena scratch;
    sw_arena_init(&scratch, &m->config.allocator);
    bool ok = add_sets(g, m, clip, sets, max_influences, report, &scratch);
    sw_arena_free(&scratch);
    return ok;
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

// Joints stand under a node of their own: a skin asks for a common one.
static bool add_joints(swGltf *g, const swModel *m, const swClip *clip, const swBodyInfo *b,
                       swGltfSkin *skin, swArena *scratch) {
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
        for (int k = 0; k <= g->nkey; k++) // the first key is seen at rest
            track[k] = sw_gltf_frame_place(frame, clip->keys.item[sw_max_int(k - 1, 0)].q);
        const char *name = sw_gltf_frame_name(g, m, frame);
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

int sw_gltf_add_skin(swGltf *g, const swModel *m, const swClip *clip, const swBodyInfo *b) {
    swGltfSkin skin = {.name = sw_gltf_name(g, "%s/frames", sw_model_text(m, b->name))};
    swArena scratch;
    sw_arena_init(&scratch, &m->config.allocator);
    bool ok = skin.name && add_joints(g, m, clip, b, &skin, &scratch);
    sw_arena_free(&scratch);
    swGltfSkin *added = ok ? SW_PUSH(&g->skins, &g->arena, g->error) : NULL;
    if (!added)
        return -1;
    *added = skin;
    return g->skins.count - 1;
}
