// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The skins of a glTF file: inverse bind matrices, and which joints move which vertices.
#include "formats/mesh_gltf_scene.h"

int sw_gltf_load_skin(swGltfScene *s, const swJson *skin, int *njoint) {
    swGltfFile *g = s->file;
    const swJson *joints, *json;
    int *known = &s->bind_of[sw_gltf_index(g, skin, "skins")];
    *njoint = sw_gltf_nodes_of(g, skin, "joints", &joints);
    if (*njoint < 0)
        return -1;
    if (*njoint == 0) {
        sw_gltf_refuse(g, skin, "skin", "joints");
        return -1;
    }
    if (*known)
        return *known - 1;
    swGltfItems a = {0};
    if (sw_json_member(skin, "inverseBindMatrices") &&
        (!(json = sw_gltf_item(g, skin, "inverseBindMatrices", "accessors")) ||
         !sw_gltf_accessor(g, json, "MAT4", 16, &a)))
        return -1;
    if (a.data && a.count < *njoint) {
        sw_gltf_refuse(g, skin, "inverseBindMatrices", "as many as there are joints");
        return -1;
    }
    const int first = s->bind.count;
    for (int i = 0; i < *njoint; i++) {
        swRigBind *bind = SW_PUSH(&s->bind, g->arena, g->error);
        if (!bind)
            return -1;
        *bind =
            (swRigBind){s->node_of[(int)joints->item[i].number], {sw_mat_identity(), {0, 0, 0}}};
        double m[16];
        for (int k = 0; k < 16 && a.data; k++)
            m[k] = sw_gltf_component(&a, i, k);
        if (a.data)
            bind->inverse = sw_gltf_affine(m);
        s->rig->njoint += !s->rig->node[bind->node].joint;
        s->rig->node[bind->node].joint = true;
    }
    *known = first + 1;
    return first;
}

bool sw_gltf_skin_is_rigid(const swGltfScene *s, int bind, int njoint, swAffine *place) {
    static const swReal tolerance = 1e-5; // files have single precision
    swReal moved = 0, turned = 0, size = 0, reach = 0;
    for (int i = 0; i < njoint; i++) {
        const swRigBind *b = &s->bind.item[bind + i];
        const swAffine M = sw_affine_mul(s->place[b->node], b->inverse);
        if (i == 0)
            *place = M;
        for (int k = 0; k < 9; k++) {
            turned = sw_max(turned, fabs(M.A.m[k] - place->A.m[k]));
            size = sw_max(size, fabs(place->A.m[k]));
        }
        moved = sw_max(moved, sw_norm(sw_sub(M.b, place->b)));
        reach = sw_max(reach, sw_norm(s->place[b->node].b));
    }
    return turned <= tolerance * size && moved <= tolerance * reach;
}

bool sw_gltf_open_weights(swGltfScene *s, const swGltfPrimitive *p, int bind, int njoint,
                          swGltfWeights *w) {
    swGltfFile *g = s->file;
    const swJson *attributes = sw_json_member(p->json, "attributes"), *json;
    *w = (swGltfWeights){.bind = bind, .njoint = njoint};
    for (char key[24]; w->nset < SW_GLTF_SETS; w->nset++) {
        const int i = w->nset;
        snprintf(key, sizeof key, "JOINTS_%d", i);
        if (!sw_json_member(attributes, key))
            break;
        if (!(json = sw_gltf_item(g, attributes, key, "accessors")) ||
            !sw_gltf_accessor(g, json, "VEC4", 4, &w->joint[i]))
            return false;
        snprintf(key, sizeof key, "WEIGHTS_%d", i);
        if (!(json = sw_gltf_item(g, attributes, key, "accessors")) ||
            !sw_gltf_accessor(g, json, "VEC4", 4, &w->weight[i]))
            return false;
        if (w->joint[i].count < p->count || w->weight[i].count < p->count)
            return sw_gltf_refuse(g, p->json, key, "as many items as positions");
    }
    return w->nset > 0 || sw_gltf_refuse(g, p->json, "attributes", "JOINTS_0 of a skinned mesh");
}

bool sw_gltf_add_influences(swGltfScene *s, const swGltfWeights *w, int64_t position) {
    swGltfFile *g = s->file;
    swRigInfluence found[4 * SW_GLTF_SETS];
    int n = 0;
    swReal sum = 0;
    for (int k = 0; k < 4 * w->nset; k++) {
        const double joint = sw_gltf_component(&w->joint[k / 4], position, k % 4);
        const double weight = sw_gltf_component(&w->weight[k / 4], position, k % 4);
        if (!(weight > 0))
            continue;
        if (!(joint >= 0 && joint < w->njoint) || joint != floor(joint) || !isfinite(weight))
            return sw_fail(g->error, SW_ERROR_FORMAT,
                           "vertex %lld of a skinned mesh has weight %g on joint %g, but there are "
                           "%d joints, numbered from 0",
                           (long long)position, weight, joint, w->njoint);
        int at = 0;
        while (at < n && found[at].bind != w->bind + (int)joint)
            at++;
        if (at == n)
            found[n++] = (swRigInfluence){w->bind + (int)joint, 0};
        found[at].weight += weight;
        sum += weight;
    }
    if (n == 0) // the file gives it no weights: it follows the first joint
        found[n++] = (swRigInfluence){w->bind, sum = 1};
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && found[k].weight > found[k - 1].weight; k--) {
            const swRigInfluence swap = found[k];
            found[k] = found[k - 1];
            found[k - 1] = swap;
        }
    for (int i = 0; i < n; i++) {
        swRigInfluence *to = SW_PUSH(&s->influence, g->arena, g->error);
        if (!to)
            return false;
        *to = (swRigInfluence){found[i].bind, found[i].weight / sum};
    }
    return true;
}
