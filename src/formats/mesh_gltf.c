// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// glTF 2.0 (.glb and .gltf), reading only: the triangles of the scene's meshes, transformed by its
// nodes, and which nodes move each vertex. As glTF requires, a skinned mesh is in the file's
// default pose whatever the transform of its own node. Materials and morph targets are ignored.
#include "formats/mesh_gltf_scene.h"

#include <string.h>

enum { MAX_TRIANGLES = 20000000 }; // a few nodes can repeat a mesh many times

// ---- meshes ----

// Loads the positions of an accessor, which all primitives that use it share.
static bool load_positions(swGltfScene *s, const swJson *json, swGltfPrimitive *p) {
    swGltfFile *g = s->file;
    swGltfItems a;
    p->position = sw_gltf_index(g, json, "accessors");
    int *known = &s->positions[p->position];
    if (!sw_gltf_accessor(g, json, "VEC3", 3, &a))
        return false;
    if (*known == 0) {
        if (a.count > MAX_TRIANGLES - s->stored.count)
            return sw_fail(g->error, SW_ERROR_LIMIT, "more than %d vertices", MAX_TRIANGLES);
        *known = s->stored.count + 1;
        for (int64_t i = 0; i < a.count; i++) {
            swVec3 *x = SW_PUSH(&s->stored, g->arena, g->error);
            if (!x)
                return false;
            *x = sw_v3(sw_gltf_component(&a, i, 0), sw_gltf_component(&a, i, 1),
                       sw_gltf_component(&a, i, 2));
        }
    }
    p->first = *known - 1;
    p->count = (int)a.count;
    return true;
}

// Loads triangles, strips (every other triangle of which is reversed) or fans.
static bool load_triangles(swGltfScene *s, const swGltfPrimitive *p, int64_t mode,
                           const swGltfItems *index) {
    swGltfFile *g = s->file;
    const int64_t n = index->data ? index->count : p->count;
    const int64_t ntriangle = mode == 4 ? n / 3 : n - 2;
    if (n < 3 || (mode == 4 && n % 3))
        return sw_gltf_refuse(g, p->json, "primitive", "a multiple of three corners");
    if (ntriangle > MAX_TRIANGLES - s->corner.count / 3)
        return sw_fail(g->error, SW_ERROR_LIMIT, "more than %d triangles", MAX_TRIANGLES);
    for (int64_t t = 0; t < ntriangle; t++) {
        int64_t corner[3] = {3 * t, 3 * t + 1, 3 * t + 2};
        if (mode == 5)
            corner[0] = t, corner[1] = t + 1 + t % 2, corner[2] = t + 2 - t % 2;
        else if (mode == 6)
            corner[0] = t + 1, corner[1] = t + 2, corner[2] = 0;
        for (int k = 0; k < 3; k++) {
            int64_t v = index->data ? (int64_t)sw_gltf_component(index, corner[k], 0) : corner[k];
            if (v >= p->count)
                return sw_fail_at(g->error, SW_ERROR_FORMAT, NULL, p->json->line, p->json->column,
                                  "triangle %lld refers to vertex %lld, but there are %d vertices, "
                                  "numbered from 0",
                                  (long long)t, (long long)v, p->count);
            int *c = SW_PUSH(&s->corner, g->arena, g->error);
            if (!c)
                return false;
            *c = p->first + (int)v;
        }
    }
    return true;
}

static bool load_primitive(swGltfScene *s, const swJson *json) {
    swGltfFile *g = s->file;
    const swJson *attributes = sw_json_member(json, "attributes"), *item;
    swGltfPrimitive p = {.json = json, .corner = s->corner.count}, *to;
    swGltfItems index = {0};
    int64_t mode;
    if (!sw_gltf_whole(g, json, "mode", 4, &mode))
        return false;
    if (mode > 6)
        return sw_gltf_refuse(g, json, "mode", "0 to 6");
    if (mode >= 4) { // the others are points and lines
        if (!attributes)
            return sw_gltf_refuse(g, json, "primitive", "attributes");
        item = sw_gltf_item(g, attributes, "POSITION", "accessors");
        if (!item || !load_positions(s, item, &p))
            return false;
        if (sw_json_member(json, "indices")) {
            item = sw_gltf_item(g, json, "indices", "accessors");
            if (!item || !sw_gltf_accessor(g, item, "SCALAR", 1, &index))
                return false;
            if (index.type != 1 && index.type != 3 && index.type != 5)
                return sw_gltf_refuse(g, item, "indices", "unsigned whole numbers");
        }
        if (!load_triangles(s, &p, mode, &index))
            return false;
    }
    p.ncorner = s->corner.count - p.corner;
    if (!(to = SW_PUSH(&s->primitive, g->arena, g->error)))
        return false;
    *to = p;
    return true;
}

static const swGltfRange *load_mesh(swGltfScene *s, const swJson *json) {
    swGltfRange *range = &s->mesh[sw_gltf_index(s->file, json, "meshes")];
    const swJson *primitives = sw_json_member(json, "primitives");
    if (range->loaded)
        return range;
    *range = (swGltfRange){true, s->primitive.count, 0};
    for (int i = 0; sw_json_at(primitives, i); i++)
        if (!load_primitive(s, sw_json_at(primitives, i)))
            return NULL;
    range->count = s->primitive.count - range->first;
    return range;
}

// ---- the scene as one surface ----

// A mesh shown by a node.
typedef struct swInstance {
    int node; // index in the rig
    int mesh;
    const swJson *skin; // NULL: none
} swInstance;

typedef struct swEmit {
    int *to, *seen; // per stored position: its vertex; 1 + the last instance that used it
    int instance;
    int64_t nstored;      // number of positions in all parts so far
    bool rigid, mirrored; // mirrored: glTF reverses the triangles
    swAffine place;
} swEmit;

static swVec3 skinned(const swGltfScene *s, int vertex, swVec3 X) {
    swVec3 x = {0, 0, 0};
    for (int k = s->start.item[vertex]; k < s->start.item[vertex + 1]; k++) {
        const swRigBind *b = &s->bind.item[s->influence.item[k].bind];
        x = sw_madd(x, s->influence.item[k].weight,
                    sw_affine_at(s->place[b->node], sw_affine_at(b->inverse, X)));
    }
    return x;
}

static bool emit_vertex(swGltfScene *s, swEmit *e, const swGltfPrimitive *p, const swGltfWeights *w,
                        int stored) {
    swGltfFile *g = s->file;
    const int vertex = s->X.count;
    swVec3 *x = SW_PUSH(&s->X, g->arena, g->error);
    if (!x)
        return false;
    if (w->nset > 0) {
        if (!sw_gltf_add_influences(s, w, stored - p->first))
            return false;
    } else {
        swRigInfluence *one = SW_PUSH(&s->influence, g->arena, g->error);
        if (!one)
            return false;
        *one = (swRigInfluence){w->bind, 1};
    }
    int *end = SW_PUSH(&s->start, g->arena, g->error);
    if (!end)
        return false;
    *end = s->influence.count;
    *x = e->rigid ? sw_affine_at(e->place, s->stored.item[stored])
                  : skinned(s, vertex, s->stored.item[stored]);
    e->seen[stored] = e->instance + 1;
    e->to[stored] = vertex;
    return true;
}

static bool emit_primitive(swGltfScene *s, swEmit *e, const swGltfPrimitive *p,
                           const swGltfWeights *w) {
    swGltfFile *g = s->file;
    for (int c = 0; c < p->ncorner; c += 3) {
        int *triangle = NULL;
        for (int side = 0; side < 3; side++) {
            const int stored = s->corner.item[p->corner + c + side];
            if (e->seen[stored] != e->instance + 1 && !emit_vertex(s, e, p, w, stored))
                return false;
            int *corner = SW_PUSH(&s->triangle, g->arena, g->error);
            if (!corner)
                return false;
            *corner = e->to[stored];
            triangle = corner - side;
        }
        if (e->mirrored) {
            const int swap = triangle[1];
            triangle[1] = triangle[2];
            triangle[2] = swap;
        }
    }
    return s->triangle.count / 3 <= MAX_TRIANGLES ||
           sw_fail(g->error, SW_ERROR_LIMIT, "more than %d triangles", MAX_TRIANGLES);
}

static bool add_part(swGltfScene *s, swEmit *e, const swGltfPrimitive *p, const swInstance *at,
                     int primitive) {
    swGltfFile *g = s->file;
    if ((e->nstored += p->count) > 3 * (int64_t)MAX_TRIANGLES)
        return sw_fail(g->error, SW_ERROR_LIMIT, "more than %d vertices", 3 * MAX_TRIANGLES);
    swRigPart *part = SW_PUSH(&s->part, g->arena, g->error);
    int *vertex = part ? SW_NEW(g->arena, p->count, int, g->error) : NULL;
    if (!vertex)
        return false;
    for (int i = 0; i < p->count; i++)
        vertex[i] = e->seen[p->first + i] == e->instance + 1 ? e->to[p->first + i] : -1;
    *part = (swRigPart){
        at->node,    at->mesh, primitive, at->skin ? sw_gltf_index(g, at->skin, "skins") : -1,
        p->position, p->count, vertex};
    return true;
}

// If the skin bends the mesh, keeps vertices together that the file stores at one position: at
// texture seams, slightly different weights would open the surface. Starts at the given vertex and
// part.
static bool close_seams(swGltfScene *s, int first, int part) {
    const int n = s->X.count - first;
    int *same = SW_NEW(s->file->arena, n, int, s->file->error);
    swVec3 *stored = same ? SW_NEW(s->file->arena, n, swVec3, s->file->error) : NULL;
    if (!stored)
        return false;
    for (; part < s->part.count; part++) {
        const swRigPart *p = &s->part.item[part];
        for (int i = 0; i < p->nstored; i++)
            if (p->vertex[i] >= 0)
                stored[p->vertex[i] - first] = s->stored.item[s->positions[p->position] - 1 + i];
    }
    if (!sw_surface_merge(n, stored, same, s->file->arena, s->file->error))
        return false;
    for (int i = 0; i < n; i++)
        s->X.item[first + i] = s->X.item[first + same[i]];
    return true;
}

static bool emit_instance(swGltfScene *s, swEmit *e, const swInstance *at) {
    swGltfFile *g = s->file;
    const swGltfRange *range = &s->mesh[at->mesh];
    int bind = s->bind.count, njoint = 0;
    e->rigid = true;
    e->place = s->place[at->node];
    if (at->skin) {
        if ((bind = sw_gltf_load_skin(s, at->skin, &njoint)) < 0)
            return false;
        e->rigid = sw_gltf_skin_is_rigid(s, bind, njoint, &e->place);
    } else {
        swRigBind *one = SW_PUSH(&s->bind, g->arena, g->error);
        if (!one)
            return false;
        *one = (swRigBind){at->node, {sw_mat_identity(), {0, 0, 0}}};
    }
    e->mirrored = sw_mat_det(e->place.A) < 0;
    const int first = s->X.count, part = s->part.count;
    for (int i = 0; i < range->count; i++) {
        const swGltfPrimitive *p = &s->primitive.item[range->first + i];
        swGltfWeights w = {.bind = bind};
        if (p->ncorner == 0)
            continue;
        if (at->skin && !sw_gltf_open_weights(s, p, bind, njoint, &w))
            return false;
        if (!emit_primitive(s, e, p, &w) || !add_part(s, e, p, at, i))
            return false;
    }
    return e->rigid || close_seams(s, first, part);
}

static bool emit(swGltfScene *s, int ninstance, const swInstance *instance) {
    swGltfFile *g = s->file;
    swEmit e = {.to = SW_NEW(g->arena, s->stored.count, int, g->error)};
    int *start = e.to ? SW_PUSH(&s->start, g->arena, g->error) : NULL;
    if (!start || !(e.seen = SW_NEW(g->arena, s->stored.count, int, g->error)))
        return false;
    *start = 0;
    for (; e.instance < ninstance; e.instance++)
        if (!emit_instance(s, &e, &instance[e.instance]))
            return false;
    swRig *r = s->rig;
    r->nbind = s->bind.count;
    r->bind = s->bind.item;
    r->surface = (swSurface){s->X.count, s->triangle.count / 3, s->X.item, s->triangle.item};
    r->start = s->start.item;
    r->influence = s->influence.item;
    r->npart = s->part.count;
    r->part = s->part.item;
    return true;
}

// A file without nodes shows all its meshes, as if one node did.
static bool add_node(swGltfScene *s) {
    swGltfFile *g = s->file;
    const swAffine identity = {sw_mat_identity(), {0, 0, 0}};
    if (!(s->rig->node = SW_NEW(g->arena, 1, swRigNode, g->error)) ||
        !(s->place = SW_NEW(g->arena, 1, swAffine, g->error)))
        return false;
    s->rig->nnode = 1;
    s->rig->node[0] =
        (swRigNode){.name = "", .parent = -1, .index = -1, .has_matrix = true, .local = identity};
    s->place[0] = identity;
    return true;
}

bool sw_gltf_scene(swGltfFile *g, swRig *rig) {
    swGltfScene scene = {.file = g, .rig = rig}, *s = &scene;
    const swJson *nodes = sw_json_member(g->root, "nodes");
    const swJson *meshes = sw_json_member(g->root, "meshes");
    const int nnode = sw_gltf_count(g, "nodes"), nmesh = sw_gltf_count(g, "meshes");
    int ninstance = 0;
    swInstance *instance = SW_NEW(g->arena, sw_max_int(nnode, nmesh), swInstance, g->error);
    *rig = (swRig){0};
    if (!instance ||
        !(s->positions = SW_NEW(g->arena, sw_gltf_count(g, "accessors"), int, g->error)) ||
        !(s->mesh = SW_NEW(g->arena, nmesh, swGltfRange, g->error)) ||
        !(s->bind_of = SW_NEW(g->arena, sw_gltf_count(g, "skins"), int, g->error)) ||
        (nnode ? !sw_gltf_place_nodes(s) : !add_node(s)))
        return false;
    for (int i = 0; i < nnode; i++) {
        const swJson *node = &nodes->item[i], *mesh;
        swInstance *to = &instance[ninstance];
        if (!s->shown[i] || !sw_json_member(node, "mesh"))
            continue;
        if (!(mesh = sw_gltf_item(g, node, "mesh", "meshes")) || !load_mesh(s, mesh) ||
            (sw_json_member(node, "skin") && !(to->skin = sw_gltf_item(g, node, "skin", "skins"))))
            return false;
        to->node = s->node_of[i];
        to->mesh = sw_gltf_index(g, mesh, "meshes");
        ninstance++;
    }
    for (int i = 0; i < nmesh && nnode == 0; i++) {
        if (!load_mesh(s, &meshes->item[i]))
            return false;
        instance[ninstance++] = (swInstance){.mesh = i};
    }
    return emit(s, ninstance, instance);
}

static bool read_gltf(const swMeshFile *file, swArena *arena, swSurface *surface, swError *error) {
    swGltfFile g;
    swRig rig;
    if (!sw_gltf_open(&g, file, arena, error) || !sw_gltf_scene(&g, &rig))
        return false;
    *surface = rig.surface;
    return true;
}

const swMeshFormat sw_mesh_glb = {"GLB", ".glb", read_gltf, NULL};
const swMeshFormat sw_mesh_gltf = {"glTF", ".gltf", read_gltf, NULL};
