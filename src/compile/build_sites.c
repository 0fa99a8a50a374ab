// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Nodes of the model: those of handles, and what every kind of body makes its own with.
#include "compile/skeleton.h"

#include <string.h>

swPoseKey sw_build_key(const swKey *k) {
    return (swPoseKey){.t = k->t,
                       .rotation = sw_scale(k->pose.angle, sw_unit(k->pose.axis)),
                       .about = k->pose.about,
                       .translate = k->pose.translate};
}

static bool build_keys(swBuilder *b, const swKey *keys, int *count, swError *error) {
    for (const swKey *k = keys; k; k = k->next, ++*count) {
        swPoseKey *key = SW_EXTEND(&b->key, 1, &b->arena, error);
        if (!key)
            return false;
        *key = sw_build_key(k);
    }
    return true;
}

static bool add_handle(swBuilder *b, const swBodyBuild *body, const swHandle *h, int index,
                       int node, swError *error) {
    swHandleInfo *info = SW_EXTEND(&b->handle, 1, &b->arena, error);
    if (!info)
        return false;
    *info = (swHandleInfo){.body = body->index,
                           .node = node,
                           .motion = (int)h->motion,
                           .key = b->key.count,
                           .joint = -1};
    info->center = sw_add(sw_mul(body->R, b->node.item[node].origin), body->t);
    char name[32];
    snprintf(name, sizeof name, "handle%d", index + 1);
    info->name = sw_build_text(b, h->name ? h->name : name, error);
    if (!build_keys(b, h->keys, &info->nkey, error))
        return false;
    for (int i = 0; body->skeleton && i < body->skeleton->nbone; i++)
        if (body->skeleton->bone[i].handle == index) {
            info->arc = true;
            info->joint = body->skeleton->rig.node[body->skeleton->bone[i].node].index;
        }
    return info->name >= 0;
}

static bool add_rig(swBuilder *b, const swBodyBuild *body, swError *error) {
    const swSkeletonBuild *s = body->skeleton;
    swRigInfo *info = s ? SW_EXTEND(&b->rig, 1, &b->arena, error) : NULL;
    if (!info)
        return !s;
    *info = (swRigInfo){.body = body->index,
                        .file = sw_build_text(b, s->path, error),
                        .clip = s->clip,
                        .repeat = s->def->repeat,
                        .lead = s->def->lead,
                        .duration = s->clip >= 0 ? s->rig.clip[s->clip].duration : 0,
                        .own = s->near != NULL,
                        .rest = s->place,
                        .place = sw_affine_mul((swAffine){body->R, body->t}, s->place)};
    return info->file >= 0;
}

swNode *sw_build_node(swBuilder *b, const swBodyBuild *body, swNodeKind kind, swMotion motion,
                      swVec3 origin, swError *error) {
    swNode *n = SW_EXTEND(&b->node, 1, &b->arena, error);
    if (!n)
        return NULL;
    const int width = sw_node_width(kind);
    const bool dual = body->def->frames.blend == SW_BLEND_DUAL_QUATERNION;
    *n = (swNode){.kind = (int)kind,
                  .width = width,
                  .motion = (int)motion,
                  .body = body->index,
                  .handle = -1,
                  .q = b->q0.count,
                  .u = -1,
                  .nu = (int)kind == SW_NODE_MODES ? body->nmode
                        : dual                     ? 8
                                                   : 3 * width,
                  .parent = -1,
                  .turn = b->node.count - 1,
                  .carrier = -1,
                  .dof = -1,
                  .origin = origin};
    if (motion == SW_MOTION_FREE) {
        n->ndof = kind == SW_NODE_RIGID ? 6 : n->nu;
        n->u = (int)b->size.nu;
        n->dof = (int)b->size.ndof;
        b->size.nu += n->nu;
        b->size.ndof += n->ndof;
    }
    const int size = sw_node_size(n);
    const bool ok = SW_EXTEND(&b->q0, size, &b->arena, error) &&
                    SW_EXTEND(&b->v0, size, &b->arena, error) &&
                    SW_EXTEND(&b->load, size, &b->arena, error) &&
                    SW_EXTEND(&b->weight_load, size / 3, &b->arena, error);
    return ok ? n : NULL;
}

bool sw_build_handle_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
    for (int i = 0; i < body->nhandle; i++) {
        const swHandle *h = body->handle_defs.item[i];
        swNode *node =
            sw_build_node(b, body, SW_NODE_RIGID, h->motion, body->handles.item[i].origin, error);
        if (!node)
            return false;
        node->handle = b->handle.count;
        if (!add_handle(b, body, h, i, b->node.count - 1, error))
            return false;
    }
    return add_rig(b, body, error);
}

bool sw_build_sites(swBuilder *b, swBodyBuild *body, swError *error) {
    swBodyInfo *info = &b->body.item[body->index];
    body->first_node = b->node.count;
    info->blend = (int)body->def->frames.blend;
    if (!sw_build_handles(b, body, error))
        return false;
    if (body->def->integration.correct == SW_CORRECT_YES && !body->kind->weights)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.integration.correct: expected a body of frames, found %s", body->key,
                       body->kind->name);
    body->nhandle = body->handles.count;
    if (!body->kind->nodes(b, body, error))
        return false;
    info->node = body->first_node;
    info->nnode = b->node.count - body->first_node;
    sw_build_owners(body);
    return true;
}
