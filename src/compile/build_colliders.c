// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What bodies meet.
#include "compile/model_build.h"
#include "contact/collider.h"

#include <string.h>

static bool same_pose(const swPose *a, const swPose *b) {
    return memcmp(&a->axis, &b->axis, sizeof a->axis) == 0 && a->angle == b->angle &&
           memcmp(&a->about, &b->about, sizeof a->about) == 0 &&
           memcmp(&a->translate, &b->translate, sizeof a->translate) == 0;
}

// The mesh of a collider before this one that has the same, or -1.
static int find_mesh(const swModelBuild *w, const swCollider *def) {
    int i = 0;
    for (const swCollider *d = w->scene->colliders; d != def; d = d->next, i++)
        if (d->shape->kind == SW_SHAPE_MESH && strcmp(d->shape->file, def->shape->file) == 0 &&
            d->shape->scale == def->shape->scale && same_pose(&d->shape->pose, &def->shape->pose))
            return w->collider.item[i].mesh;
    return -1;
}

static bool add_mesh(swModelBuild *w, const swColliderSource *from, int *mesh, swError *error) {
    const swBvh *tree = &from->tree;
    swColliderMesh info = {.vertex = w->collider_vertex.count,
                           .nvertex = from->nvertex,
                           .triangle = w->collider_triangle.count / 3,
                           .ntriangle = tree->ntriangle,
                           .node = w->collider_node.count,
                           .nnode = tree->nnode,
                           .tangled = from->tangled};
    swColliderMesh *to = SW_EXTEND(&w->collider_mesh, 1, &w->arena, error);
    swVec3 *X = SW_EXTEND(&w->collider_vertex, from->nvertex, &w->arena, error);
    int *index = tree->ntriangle > INT32_MAX / 12
                     ? NULL
                     : SW_EXTEND(&w->collider_triangle, 3 * tree->ntriangle, &w->arena, error);
    swBoxNode *node = SW_EXTEND(&w->collider_node, tree->nnode, &w->arena, error);
    if (!to || !X || !index || !node)
        return false;
    *to = info;
    memcpy(X, tree->X, (size_t)from->nvertex * sizeof *X);
    memcpy(index, tree->index, 3 * (size_t)tree->ntriangle * sizeof *index);
    memcpy(node, tree->node, (size_t)tree->nnode * sizeof *node);
    *mesh = w->collider_mesh.count - 1;
    return true;
}

static bool add_collider(swModelBuild *w, const swCollider *d, const char *key, swArena *scratch,
                         swError *error) {
    const swColliderKind *kind = sw_collider_kind((int)d->shape->kind);
    swColliderSource source = {.shape = d->shape,
                               .folder = w->scene->folder,
                               .key = key,
                               .config = w->config,
                               .arena = scratch,
                               .error = error};
    swColliderInfo c = {.name = sw_build_word(w, d->name, error),
                        .kind = (int)d->shape->kind,
                        .motion = (int)d->motion,
                        .key = w->key.count,
                        .mesh = d->shape->kind == SW_SHAPE_MESH ? find_mesh(w, d) : -1,
                        .friction = d->friction,
                        .stiffness = isnan(d->stiffness) ? 0 : d->stiffness};
    if (!kind)
        return sw_fail(error, SW_ERROR_VALUE, "%s: expected a shape that can be a collider", key);
    if (c.name < 0 || (c.mesh < 0 && !kind->read(&source, &c)) ||
        (source.nvertex > 0 && !add_mesh(w, &source, &c.mesh, error)))
        return false;
    for (const swKey *k = d->keys; d->motion == SW_COLLIDER_KEYS && k; k = k->next, c.nkey++) {
        swPoseKey *to = SW_EXTEND(&w->key, 1, &w->arena, error);
        if (!to)
            return false;
        *to = sw_build_key(k);
    }
    sw_pose_matrix(&d->place, &c.place.A, &c.place.b);
    // Bounds are asked of a model that has nothing but meshes.
    const swModel meshes = {.collider_mesh = w->collider_mesh.item,
                            .collider_node = w->collider_node.item};
    sw_collider_measure(&meshes, &c);
    swColliderInfo *to = SW_EXTEND(&w->collider, 1, &w->arena, error);
    if (to)
        *to = c;
    return to != NULL;
}

bool sw_build_colliders(swModelBuild *w, swError *error) {
    int i = 0;
    for (const swCollider *d = w->scene->colliders; d; d = d->next, i++) {
        char key[32];
        swArena scratch;
        snprintf(key, sizeof key, "colliders[%d]", i);
        sw_arena_init(&scratch, &w->config->allocator);
        const bool ok = add_collider(w, d, key, &scratch, error);
        sw_arena_free(&scratch);
        if (!ok)
            return false;
    }
    return true;
}
