// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Turns the nodes of a glTF file into those of a rig, parents first.
#include "formats/mesh_gltf_scene.h"

// m has 16 numbers, column by column.
swAffine sw_gltf_affine(const double *m) {
    return (swAffine){{{m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]}},
                      {m[12], m[13], m[14]}};
}

static bool read_pose(swGltfFile *g, const swJson *json, swRigNode *node) {
    double m[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if ((node->has_matrix = sw_json_member(json, "matrix") != NULL)) {
        if (!sw_gltf_numbers(g, json, "matrix", 16, m))
            return false;
        node->local = sw_gltf_affine(m);
        return true;
    }
    if (!sw_gltf_numbers(g, json, "translation", 3, t) ||
        !sw_gltf_numbers(g, json, "rotation", 4, q) || !sw_gltf_numbers(g, json, "scale", 3, s))
        return false;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0))
        return sw_gltf_refuse(g, json, "rotation", "a quaternion other than zero");
    for (int k = 0; k < 4; k++)
        node->rotation[k] = q[k] / length;
    node->translation = sw_v3(t[0], t[1], t[2]);
    node->scale = sw_v3(s[0], s[1], s[2]);
    node->local = sw_rig_local(node->translation, node->rotation, node->scale);
    return true;
}

// 1 + the parent of each node; 0 for roots.
static int *find_parents(swGltfFile *g, int nnode) {
    const swJson *nodes = sw_json_member(g->root, "nodes"), *list;
    int *parent = SW_NEW(g->arena, nnode, int, g->error);
    for (int i = 0; parent && i < nnode; i++) {
        int n = sw_gltf_nodes_of(g, &nodes->item[i], "children", &list);
        for (int k = 0; k < n; k++) {
            int child = (int)list->item[k].number;
            if (parent[child]) {
                sw_gltf_refuse(g, &list->item[k], "children", "a node that has no other parent");
                return NULL;
            }
            parent[child] = i + 1;
        }
        if (n < 0)
            return NULL;
    }
    return parent;
}

// Marks the roots of the scene. Without a scene, everything is shown.
static bool mark_shown(swGltfScene *s, int nnode) {
    swGltfFile *g = s->file;
    const swJson *scene = NULL, *list;
    if (sw_gltf_count(g, "scenes") > 0 && !sw_json_member(g->root, "scene"))
        scene = sw_json_at(sw_json_member(g->root, "scenes"), 0);
    else if (sw_gltf_count(g, "scenes") > 0 &&
             !(scene = sw_gltf_item(g, g->root, "scene", "scenes")))
        return false;
    int nroot = sw_gltf_nodes_of(g, scene, "nodes", &list);
    for (int k = 0; k < nroot; k++)
        s->shown[(int)list->item[k].number] = true;
    for (int i = 0; i < nnode && !scene; i++)
        s->shown[i] = true;
    return nroot >= 0;
}

bool sw_gltf_place_nodes(swGltfScene *s) {
    swGltfFile *g = s->file;
    const swJson *nodes = sw_json_member(g->root, "nodes"), *list;
    const int nnode = sw_gltf_count(g, "nodes");
    int *parent = find_parents(g, nnode), *queue, tail = 0;
    if (!parent || !(queue = SW_NEW(g->arena, nnode, int, g->error)) ||
        !(s->shown = SW_NEW(g->arena, nnode, bool, g->error)) ||
        !(s->place = SW_NEW(g->arena, nnode, swAffine, g->error)) ||
        !(s->node_of = SW_NEW(g->arena, nnode, int, g->error)) ||
        !(s->rig->node = SW_NEW(g->arena, nnode, swRigNode, g->error)) || !mark_shown(s, nnode))
        return false;
    for (int i = 0; i < nnode; i++)
        if (!parent[i])
            queue[tail++] = i;
    for (int head = 0; head < tail; head++) {
        const int i = queue[head], up = parent[i] - 1;
        swRigNode *node = &s->rig->node[head];
        s->node_of[i] = head;
        *node = (swRigNode){.name = sw_gltf_text(&nodes->item[i], "name"),
                            .parent = up < 0 ? -1 : s->node_of[up],
                            .index = i};
        if (!read_pose(g, &nodes->item[i], node))
            return false;
        s->place[head] = up < 0 ? node->local : sw_affine_mul(s->place[node->parent], node->local);
        s->shown[i] = s->shown[i] || (up >= 0 && s->shown[up]);
        int n = sw_gltf_nodes_of(g, &nodes->item[i], "children", &list);
        for (int k = 0; k < n; k++)
            queue[tail++] = (int)list->item[k].number;
    }
    s->rig->nnode = nnode;
    return tail == nnode || sw_gltf_refuse(g, nodes, "nodes", "a tree, found a cycle");
}
