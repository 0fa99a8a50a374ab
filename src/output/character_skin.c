// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The skins of a character: joints, inverse bind matrices, weights, and new positions if the file's
// own are not at rest in its default pose.
//
// A stored position X is at rest at C X. In a file whose bind pose is its default pose, C is the
// same for all joints, W B = C, and X does not change. In other files each vertex has its own C,
// the sum of w W B, and no single C suits other weights: X is then replaced by C^-1 times its
// position in the default pose, with the C of one joint, so that the mesh keeps its units and axes.
#include "output/character_parts.h"
#include "kinematics/points.h"

#include <string.h>

enum { MOMENTS = 4 }; // times of each clip that was not simulated, which weights should also fit
#define SAME 1e-6     // relative to the size: about the accuracy of single precision

static const char *const names[3] = {"POSITION", "NORMAL", "TANGENT"};

// ---- what the file has ----

typedef struct Weights {
    int nset;
    swGltfItems joint[SW_GLTF_SETS], weight[SW_GLTF_SETS];
} Weights;

static bool open_weights(swWriting *w, const swJson *attributes, Weights *to) {
    char key[32];
    for (to->nset = 0; to->nset < SW_GLTF_SETS; to->nset++) {
        const swJson *json;
        snprintf(key, sizeof key, "JOINTS_%d", to->nset);
        if (!sw_json_member(attributes, key))
            break;
        if (!(json = sw_gltf_item(&w->file, attributes, key, "accessors")) ||
            !sw_gltf_accessor(&w->file, json, "VEC4", 4, &to->joint[to->nset]))
            return false;
        snprintf(key, sizeof key, "WEIGHTS_%d", to->nset);
        if (!(json = sw_gltf_item(&w->file, attributes, key, "accessors")) ||
            !sw_gltf_accessor(&w->file, json, "VEC4", 4, &to->weight[to->nset]))
            return false;
    }
    return true;
}

// Returns the joint and weight in a slot of a vertex; false if there is none.
static bool get_influence(const Weights *from, int64_t vertex, int place, int *joint,
                          swReal *weight) {
    const swGltfItems *items = &from->joint[place / 4];
    if (place >= 4 * from->nset || vertex >= items->count ||
        vertex >= from->weight[place / 4].count)
        return false;
    *joint = (int)sw_gltf_component(items, vertex, place % 4);
    *weight = sw_gltf_component(&from->weight[place / 4], vertex, place % 4);
    return *weight > 0;
}

static const swCharacterSkin *load_skin(swWriting *w, int index) {
    swCharacterSkin *skin = &w->skin[index];
    const swJson *list, *json;
    swGltfItems items;
    if (skin->json)
        return skin;
    skin->json = sw_json_at(sw_json_member(w->file.root, "skins"), index);
    skin->nown = sw_gltf_nodes_of(&w->file, skin->json, "joints", &list);
    if (skin->nown <= 0)
        return NULL;
    skin->bind = SW_NEW(&w->scratch, skin->nown, swAffine, w->g.error);
    skin->joint = SW_NEW(&w->scratch, skin->nown + w->body->nnode, int, w->g.error);
    skin->of = SW_NEW(&w->scratch, w->body->nnode, int, w->g.error);
    if (!skin->bind || !skin->joint || !skin->of)
        return NULL;
    const bool given = sw_json_member(skin->json, "inverseBindMatrices") != NULL;
    if (given &&
        (!(json = sw_gltf_item(&w->file, skin->json, "inverseBindMatrices", "accessors")) ||
         !sw_gltf_accessor(&w->file, json, "MAT4", 16, &items)))
        return NULL;
    for (int j = 0; j < skin->nown; j++) {
        double m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        for (int k = 0; given && j < items.count && k < 16; k++)
            m[k] = sw_gltf_component(&items, j, k);
        skin->bind[j] = sw_gltf_affine(m);
        skin->joint[j] = (int)list->item[j].number;
        if (w->node_of[skin->joint[j]] < 0) {
            sw_gltf_refuse(&w->file, skin->json, "joints", "nodes of the scene");
            return NULL;
        }
    }
    skin->njoint = skin->nown;
    return skin;
}

// The transform of stored positions by joint j in the default pose.
static swAffine at_rest(const swWriting *w, const swCharacterSkin *skin, int j) {
    return sw_affine_mul(w->global[w->node_of[skin->joint[j]]], skin->bind[j]);
}

static bool add_primitive(swWriting *w, int mesh, int primitive, int skin, const swJson *json) {
    if (!sw_json_member(sw_json_member(json, "attributes"), "JOINTS_0"))
        return true;
    for (int i = 0; i < w->primitives.count; i++) {
        const swCharacterPrimitive *old = &w->primitives.item[i];
        if (old->mesh != mesh || old->primitive != primitive)
            continue;
        return old->skin == skin || sw_fail(w->g.error, SW_ERROR_UNSUPPORTED,
                                            "mesh %d is shown with skins %d and %d, whose joints "
                                            "cannot both have the weights of the simulation",
                                            mesh, old->skin, skin);
    }
    swCharacterPrimitive *new = SW_PUSH(&w->primitives, &w->scratch, w->g.error);
    if (!new)
        return false;
    *new = (swCharacterPrimitive){mesh, primitive, skin, json, .attribute = {-1, -1, -1}};
    for (int i = 0; i < w->rig.npart && !new->part; i++) {
        const swRigPart *part = &w->rig.part[i];
        if (part->mesh == mesh && part->primitive == primitive && part->skin == skin)
            new->part = part;
    }
    return true;
}

// Finds the primitives of all nodes that use a skin of the body: a skin that changes affects all
// its meshes.
static bool find_primitives(swWriting *w) {
    const swJson *nodes = sw_json_member(w->file.root, "nodes");
    for (int i = 0; i < w->rig.npart; i++)
        if (w->rig.part[i].skin >= 0 && !load_skin(w, w->rig.part[i].skin))
            return false;
    for (int n = 0; n < w->g.base.node; n++) {
        const swJson *node = sw_json_at(nodes, n), *mesh, *skin, *primitive;
        if (!sw_json_member(node, "skin") || !sw_json_member(node, "mesh"))
            continue;
        if (!(skin = sw_gltf_item(&w->file, node, "skin", "skins")) ||
            !(mesh = sw_gltf_item(&w->file, node, "mesh", "meshes")))
            return false;
        const int s = sw_gltf_index(&w->file, skin, "skins");
        const int m = sw_gltf_index(&w->file, mesh, "meshes");
        const swJson *primitives = sw_json_member(mesh, "primitives");
        for (int p = 0; w->skin[s].json && (primitive = sw_json_at(primitives, p)); p++)
            if (!add_primitive(w, m, p, s, primitive))
                return false;
    }
    return true;
}

// ---- positions at rest ----

// The transform of a vertex from its stored position to the default pose.
static swAffine blend(const swWriting *w, const swCharacterSkin *skin, const Weights *weights,
                      int64_t vertex) {
    swAffine sum = {{{0}}, {0, 0, 0}};
    swReal total = 0, weight;
    for (int place = 0, j; place < 4 * weights->nset; place++) {
        if (!get_influence(weights, vertex, place, &j, &weight) || j >= skin->nown)
            continue;
        const swAffine rest = at_rest(w, skin, j);
        for (int k = 0; k < 9; k++)
            sum.A.m[k] += weight * rest.A.m[k];
        sum.b = sw_madd(sum.b, weight, rest.b);
        total += weight;
    }
    if (!(total > 0))
        return skin->place;
    for (int k = 0; k < 9; k++)
        sum.A.m[k] /= total;
    sum.b = sw_scale(1 / total, sum.b);
    return sum;
}

static swVec3 item(const swGltfItems *items, int64_t i) {
    return sw_v3(sw_gltf_component(items, i, 0), sw_gltf_component(items, i, 1),
                 sw_gltf_component(items, i, 2));
}

static swReal size_of(const swWriting *w) {
    return sw_norm(sw_sub(w->body->hi, w->body->lo)) / cbrt(fabs(sw_mat_det(w->info->rest.A)));
}

static bool open_positions(swWriting *w, const swCharacterPrimitive *p, swGltfItems *items) {
    const swJson *attributes = sw_json_member(p->json, "attributes");
    const swJson *json = sw_gltf_item(&w->file, attributes, "POSITION", "accessors");
    return json && sw_gltf_accessor(&w->file, json, "VEC3", 3, items);
}

// Whether stored positions of a primitive are not where the skin's `place` puts them in the default
// pose.
static bool is_moved(swWriting *w, const swCharacterPrimitive *p, bool *moved) {
    const swCharacterSkin *skin = &w->skin[p->skin];
    swGltfItems position;
    Weights weights;
    if (!open_positions(w, p, &position) ||
        !open_weights(w, sw_json_member(p->json, "attributes"), &weights))
        return false;
    for (int64_t v = 0; v < position.count && !*moved; v++) {
        const swVec3 X = item(&position, v);
        const swVec3 gap =
            sw_sub(sw_affine_at(blend(w, skin, &weights, v), X), sw_affine_at(skin->place, X));
        *moved = !(sw_norm(gap) <= SAME * size_of(w));
    }
    return true;
}

// Rewrites an attribute, or a morph target's differences of it, for the skin's `place`.
static bool rewrite(swWriting *w, const swCharacterPrimitive *p, const Weights *weights,
                    const swJson *attributes, int which, bool difference, int *accessor) {
    const swCharacterSkin *skin = &w->skin[p->skin];
    const int width = which == 2 && !difference ? 4 : 3;
    swGltfItems from;
    *accessor = -1;
    if (!sw_json_member(attributes, names[which]))
        return true;
    const swJson *json = sw_gltf_item(&w->file, attributes, names[which], "accessors");
    if (!json || !sw_gltf_accessor(&w->file, json, width == 4 ? "VEC4" : "VEC3", width, &from))
        return false;
    float *to = sw_gltf_add(&w->g, SW_GLTF_FLOAT, width, from.count, SW_GLTF_VERTICES);
    if (!to)
        return false;
    const swAffine back = sw_affine_inverse(skin->place);
    for (int64_t v = 0; v < from.count; v++, to += width) {
        const swAffine f = sw_affine_mul(back, blend(w, skin, weights, v));
        const swVec3 x = item(&from, v);
        const bool is_place = which == 0 && !difference;
        swVec3 y = is_place ? sw_affine_at(f, x) : sw_mul(f.A, x);
        if (which > 0 && !difference) // normals and tangents are directions
            y = sw_norm(y) > 0 ? sw_unit(y) : x;
        sw_gltf_put(&w->g, to, y);
        if (width == 4)
            to[3] = (float)sw_gltf_component(&from, v, 3);
    }
    *accessor = sw_gltf_last(&w->g);
    if (which == 0)
        sw_gltf_bound(&w->g, *accessor);
    return true;
}

static bool rewrite_all(swWriting *w, swCharacterPrimitive *p) {
    const swJson *attributes = sw_json_member(p->json, "attributes");
    const swJson *targets = sw_json_member(p->json, "targets");
    Weights weights;
    if (!open_weights(w, attributes, &weights))
        return false;
    for (int k = 0; k < 3; k++)
        if (!rewrite(w, p, &weights, attributes, k, false, &p->attribute[k]))
            return false;
    const int n = targets && targets->type == SW_JSON_ARRAY ? targets->count : 0;
    p->target = SW_NEW(&w->scratch, 3 * n, int, w->g.error);
    for (int i = 0; p->target && i < 3 * n; i++)
        if (!rewrite(w, p, &weights, &targets->item[i / 3], i % 3, true, &p->target[i]))
            return false;
    return p->target != NULL;
}

// ---- skins ----

// Whether two transforms agree on the whole body.
static bool is_same_place(const swWriting *w, swAffine a, swAffine b) {
    const swAffine f = sw_affine_mul(a, sw_affine_inverse(b));
    const swRig *rig = &w->rig;
    for (int v = 0; v < rig->surface.nvertex; v++) {
        const swVec3 x = rig->surface.X[v];
        if (!(sw_norm(sw_sub(sw_affine_at(f, x), x)) <= SAME * size_of(w)))
            return false;
    }
    return true;
}

static void put_matrix(swGltf *g, swAffine f, float *to) { // column by column
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            to[4 * c + r] = sw_gltf_float(g, f.A.m[3 * r + c]);
    sw_gltf_put(g, to + 12, f.b);
    to[15] = 1;
}

static void add_to_skin(swWriting *w, swCharacterSkin *skin) {
    for (int i = 0; i < w->body->nnode; i++) {
        const int joint = w->carrier[i].joint;
        int at = 0;
        skin->of[i] = 0;
        if (joint < 0)
            continue;
        while (at < skin->njoint && skin->joint[at] != joint)
            at++;
        skin->of[i] = at;
        skin->joint[at] = joint;
        skin->njoint = sw_max_int(skin->njoint, at + 1);
    }
}

// The inverse bind matrix with which a joint puts stored positions where they are at rest in the
// default pose.
static bool inverse_bind(const swWriting *w, const swCharacterSkin *skin, int j, swAffine *out) {
    const int joint = skin->joint[j];
    if (joint < w->g.base.node) {
        const swAffine rest = w->global[w->node_of[joint]];
        if (sw_mat_det(rest.A) == 0 ||
            (j < skin->nown && is_same_place(w, at_rest(w, skin, j), skin->place)))
            *out = j < skin->nown ? skin->bind[j] : skin->place;
        else
            *out = sw_affine_mul(sw_affine_inverse(rest), skin->place);
        return true;
    }
    for (int i = 0; i < w->body->nnode; i++) {
        if (w->carrier[i].joint != joint)
            continue;
        *out = skin->place;
        out->b = sw_sub(out->b, sw_writing_origin(w, i));
        return true;
    }
    return false;
}

static bool add_skin(swWriting *w, swCharacterSkin *skin) {
    add_to_skin(w, skin);
    float *bind = sw_gltf_add(&w->g, SW_GLTF_FLOAT, 16, skin->njoint, 0);
    if (!bind)
        return false;
    skin->inverse_bind = sw_gltf_last(&w->g);
    for (int j = 0; j < skin->njoint; j++) {
        swAffine f;
        if (inverse_bind(w, skin, j, &f))
            put_matrix(&w->g, f, bind + 16 * (size_t)j);
    }
    return true;
}

// Vertices that are in no triangle keep the file's weights, as far as there is room.
static bool keep_weights(swWriting *w, const swCharacterPrimitive *p) {
    const swGltfSets *sets = &p->sets;
    Weights weights;
    if (!open_weights(w, sw_json_member(p->json, "attributes"), &weights))
        return false;
    for (int v = 0; v < sets->nvertex; v++) {
        swReal total = 0, weight;
        int joint;
        for (int place = 0; sets->point[v] < 0 && place < 4 * sets->nset; place++)
            total += get_influence(&weights, v, place, &joint, &weight) ? weight : 0;
        for (int place = 0; total > 0 && place < 4 * sets->nset; place++)
            if (get_influence(&weights, v, place, &joint, &weight))
                sw_gltf_put_influence(&w->g, sets, v, place, joint, (float)(weight / total));
    }
    return true;
}

// Checks that the joints of a skin are in one tree.
static bool check_tree(const swWriting *w, const swCharacterSkin *skin, int index) {
    int root = -1;
    for (int i = 0; i < skin->nown + w->body->nnode; i++) {
        const swCarrier *to = i < skin->nown ? NULL : &w->carrier[i - skin->nown];
        if (to && to->joint < 0)
            continue;
        int at = !to               ? w->node_of[skin->joint[i]]
                 : to->parent >= 0 ? to->parent
                                   : w->node_of[to->node];
        while (w->rig.node[at].parent >= 0)
            at = w->rig.node[at].parent;
        if (root >= 0 && at != root)
            return sw_fail(w->g.error, SW_ERROR_UNSUPPORTED,
                           "joints of skin %d and bones that move its vertices stand under "
                           "different nodes of the scene",
                           index);
        root = at;
    }
    return true;
}

// The frames and handles of the body in a pose of the file. Frames move with the bone they are
// below.
static void pose_body(const swWriting *w, const swAffine *global, swReal *q) {
    const swAffine rest = w->info->rest, back = sw_affine_inverse(rest);
    for (int i = 0; i < w->body->nnode; i++) {
        const swNode *node = &w->m->node[w->body->node + i];
        const int bone = w->bone[i] >= 0 ? w->node_of[w->bone[i]] : w->carrier[i].parent;
        if (bone < 0 || sw_mat_det(w->global[bone].A) == 0) // it moves nothing
            continue;
        const swAffine motion = sw_affine_mul(global[bone], sw_affine_inverse(w->global[bone])),
                       here = sw_affine_mul(rest, sw_affine_mul(motion, back));
        const swVec3 at = sw_affine_at(here, node->origin);
        for (int r = 0; r < 3; r++) {
            q[node->q + 4 * r] = sw_get(at, r);
            memcpy(q + node->q + 4 * r + 1, here.A.m + 3 * r, 3 * sizeof *q);
        }
    }
}

// Poses at some times of all clips except the simulated one. Returns their number, or -1.
static int pose_others(swWriting *w, swReal **pose) {
    const size_t nq = (size_t)w->m->size.nq, n = (size_t)(MOMENTS * w->rig.nclip);
    swAffine *global = SW_NEW(&w->scratch, w->rig.nnode, swAffine, w->g.error);
    swReal *to = *pose = sw_arena_alloc(&w->scratch, n * nq, sizeof *to, w->g.error);
    if (!global || !to)
        return -1;
    int count = 0;
    for (int clip = 0; clip < w->rig.nclip; clip++)
        for (int k = 0; clip != w->info->clip && k < MOMENTS; k++, count++, to += nq) {
            memcpy(to, w->m->q0, nq * sizeof *to);
            sw_rig_pose(&w->rig, clip, (k + 0.5) / MOMENTS * w->rig.clip[clip].duration, global);
            pose_body(w, global, to);
        }
    return count;
}

bool sw_character_add_skins(swWriting *w, swGltfReport *report) {
    const int nskin = sw_gltf_count(&w->file, "skins");
    w->skin = SW_NEW(&w->scratch, nskin, swCharacterSkin, w->g.error);
    if (!w->skin || !find_primitives(w))
        return false;
    for (int s = 0; s < nskin; s++) {
        swCharacterSkin *skin = &w->skin[s];
        int j = 0;
        if (!skin->json)
            continue;
        while (j < skin->nown - 1 && sw_mat_det(at_rest(w, skin, j).A) == 0)
            j++;
        skin->place = at_rest(w, skin, j);
        if (sw_mat_det(skin->place.A) == 0)
            return sw_fail(w->g.error, SW_ERROR_UNSUPPORTED, "skin %d shrinks to nothing", s);
        if (!check_tree(w, skin, s))
            return false;
        for (int i = 0; i < w->primitives.count; i++)
            if (w->primitives.item[i].skin == s &&
                !is_moved(w, &w->primitives.item[i], &skin->moved))
                return false;
        if (!add_skin(w, skin))
            return false;
    }
    swReal *pose;
    const int npose = pose_others(w, &pose);
    if (npose < 0)
        return false;
    for (int i = 0; i < w->primitives.count; i++) {
        swCharacterPrimitive *p = &w->primitives.item[i];
        const swCharacterSkin *skin = &w->skin[p->skin];
        if (skin->moved && !rewrite_all(w, p))
            return false;
        if (!p->part)
            continue;
        p->sets = (swGltfSets){.body = w->info->body,
                               .nvertex = p->part->nstored,
                               .first = w->body->point,
                               .point = p->part->vertex,
                               .joint = skin->of,
                               .njoint = skin->njoint,
                               .pose = pose,
                               .npose = npose};
        if (!sw_gltf_add_sets(&w->g, w->m, w->clip, &p->sets, w->options->max_influences, report) ||
            !keep_weights(w, p))
            return false;
    }
    return true;
}
