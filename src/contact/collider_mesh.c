// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Closed meshes. The depth is the distance to the nearest triangle. Where that is nearest in its
// interior its normal tells on which side X is; near edges and corners, and where parts cross each
// other, the surface's winding number does: crossings of a ray count it exactly.
#include "contact/collider.h"
#include "geometry/intersect.h"
#include "geometry/solid.h"

#include <string.h>

static const swReal near = 0.02; // of its diagonal: nearer triangles are looked for first

// ---- from a file ----

static int root_of(int *parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

typedef struct Winding {
    swReal x;
    int sum;
} Winding;

static bool count_beyond(void *arg, swReal x, int sign) {
    Winding *count = arg;
    count->sum += x > count->x ? sign : 0;
    return true;
}

static bool wound_around(const swBvh *tree, swVec3 X) {
    Winding count = {X.x, 0};
    sw_bvh_pierce(tree, X.y, X.z, count_beyond, &count);
    return count.sum != 0;
}

static swVec3 area_vector(const swVec3 *X, const int *v) {
    return sw_cross(sw_sub(X[v[1]], X[v[0]]), sw_sub(X[v[2]], X[v[0]]));
}

// Whether the largest triangle of each part has the inside behind it.
static bool faces_out(const swBvh *tree, int nvertex, bool *yes, swArena *arena, swError *error) {
    int *parent = SW_NEW(arena, nvertex, int, error), *largest = SW_NEW(arena, nvertex, int, error);
    if (!parent || !largest)
        return false;
    for (int i = 0; i < nvertex; i++) {
        parent[i] = i;
        largest[i] = -1;
    }
    for (int t = 0; t < tree->ntriangle; t++)
        for (int k = 1; k < 3; k++)
            parent[root_of(parent, tree->index[3 * t + k])] = root_of(parent, tree->index[3 * t]);
    for (int t = 0; t < tree->ntriangle; t++) {
        int *best = &largest[root_of(parent, tree->index[3 * t])];
        if (*best < 0 || sw_norm2(area_vector(tree->X, &tree->index[3 * t])) >
                             sw_norm2(area_vector(tree->X, &tree->index[3 * *best])))
            *best = t;
    }
    const swReal away = 1e-7 * sw_norm(sw_sub(tree->node[0].hi, tree->node[0].lo));
    *yes = true;
    for (int i = 0; i < nvertex && *yes; i++) {
        if (largest[i] < 0)
            continue;
        const int *v = &tree->index[3 * largest[i]];
        const swVec3 n = sw_unit(area_vector(tree->X, v));
        const swVec3 middle =
            sw_scale(1.0 / 3, sw_add(tree->X[v[0]], sw_add(tree->X[v[1]], tree->X[v[2]])));
        *yes = wound_around(tree, sw_madd(middle, -away, n)) &&
               !wound_around(tree, sw_madd(middle, away, n));
    }
    return true;
}

// Equal vertices become one; those that no triangle uses, and triangles with two equal corners, go.
static bool weld(swSurface *s, swArena *arena, swError *error) {
    int *first = SW_NEW(arena, s->nvertex, int, error),
        *number = SW_NEW(arena, s->nvertex, int, error), n = 0;
    if (!first || !number || !sw_surface_merge(s->nvertex, s->X, first, arena, error))
        return false;
    const int ntriangle = s->ntriangle;
    s->ntriangle = 0;
    for (int t = 0; t < ntriangle; t++) {
        int v[3];
        for (int k = 0; k < 3; k++)
            v[k] = first[s->triangle[3 * t + k]];
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            continue;
        memcpy(&s->triangle[3 * s->ntriangle++], v, sizeof v);
        number[v[0]] = number[v[1]] = number[v[2]] = 1;
    }
    for (int i = 0; i < s->nvertex; i++)
        if (number[i]) {
            s->X[n] = s->X[i];
            number[i] = n++;
        }
    for (int i = 0; i < 3 * s->ntriangle; i++)
        s->triangle[i] = number[s->triangle[i]];
    s->nvertex = n;
    return true;
}

bool sw_collider_take_surface(swColliderSource *source, swSurface *s, bool crosses) {
    bool out;
    if (!weld(s, source->arena, source->error))
        return false;
    swBvh *tree = sw_bvh_create(s, source->arena, source->error);
    int *index = SW_NEW(source->arena, 3 * (size_t)s->ntriangle, int, source->error);
    if (!tree || !index)
        return false;
    for (int t = 0; t < s->ntriangle; t++)
        memcpy(&index[3 * t], &s->triangle[3 * tree->triangle[t]], 3 * sizeof *index);
    source->nvertex = s->nvertex;
    source->tree =
        (swBvh){tree->nnode, tree->ntriangle, .node = tree->node, .X = s->X, .index = index};
    if (!faces_out(&source->tree, s->nvertex, &out, source->arena, source->error))
        return false;
    source->tangled = crosses || !out;
    return true;
}

static bool mesh_read(swColliderSource *source, swColliderInfo *c) {
    (void)c;
    swSurface s;
    swCrossings crossings;
    return sw_solid_closed_surface(source->shape, source->folder, source->key, source->config, &s,
                                   &crossings, source->arena, source->error) &&
           sw_collider_take_surface(source, &s, crossings.pairs > 0);
}

// ---- depth ----

static swBvh tree_of(const swModel *m, const swColliderInfo *c) {
    const swColliderMesh *mesh = &m->collider_mesh[c->mesh];
    return (swBvh){.nnode = mesh->nnode,
                   .ntriangle = mesh->ntriangle,
                   .node = m->collider_node + mesh->node,
                   .X = m->collider_vertex + mesh->vertex,
                   .index = m->collider_triangle + 3 * (int64_t)mesh->triangle};
}

// With the nearest point known. Inside, normals that lead to an edge or corner come together there.
static swDepth depth_from(const swModel *m, const swColliderInfo *c, const swBvh *tree, swVec3 X,
                          const swBvhNearest *to) {
    const swVec3 way = sw_sub(X, to->point);
    const bool face = to->part == SW_BVH_FACE;
    const swReal height = sw_dot(way, to->normal), size = sw_norm(sw_sub(c->hi, c->lo)),
                 distance = face ? fabs(height) : sw_norm(way);
    const bool on = distance < 1e-13 * size; // no way leads to it: any normal there does
    const bool inside =
        (face || on) && !m->collider_mesh[c->mesh].tangled ? height < 0 : wound_around(tree, X);
    const swReal out = inside ? -1 : 1; // along `way`
    swDepth d = {.depth = -out * distance};
    if (face || on) {
        d.normal = sw_scale(on || height * out > 0 ? 1 : -1, to->normal);
        if (!(sw_norm2(d.normal) > 0)) // of a triangle without area
            d.normal = sw_v3(0, 1, 0);
        return d;
    }
    d.normal = sw_scale(out / distance, way);
    d.bend = sw_collider_bend(out / distance, d.normal, to->along);
    d.curved = true;
    return d;
}

static swDepth mesh_depth(const swModel *m, const swColliderInfo *c, swVec3 X) {
    const swBvh tree = tree_of(m, c);
    swBvhNearest to;
    if (!sw_bvh_nearest(&tree, X, INFINITY, &to)) // X is not finite
        return (swDepth){.depth = -INFINITY, .normal = {0, 1, 0}};
    return depth_from(m, c, &tree, X, &to);
}

static bool mesh_inside(const swModel *m, const swColliderInfo *c, swVec3 X, swDepth *out) {
    const swBvh tree = tree_of(m, c);
    const swReal reach = near * sw_norm(sw_sub(c->hi, c->lo));
    swBvhNearest to;
    if (!sw_bvh_nearest(&tree, X, reach, &to) &&
        !(wound_around(&tree, X) && sw_bvh_nearest(&tree, X, INFINITY, &to)))
        return false;
    *out = depth_from(m, c, &tree, X, &to);
    return out->depth > 0;
}

static void mesh_bounds(const swModel *m, const swColliderInfo *c, swVec3 *lo, swVec3 *hi) {
    const swBoxNode *root = &m->collider_node[m->collider_mesh[c->mesh].node];
    *lo = root->lo;
    *hi = root->hi;
}

static bool mesh_sane(const swModel *m, const swColliderInfo *c) {
    if (c->mesh < 0)
        return false;
    const swColliderMesh *mesh = &m->collider_mesh[c->mesh];
    const swBvh tree = tree_of(m, c);
    for (int i = 0; i < mesh->nvertex; i++)
        if (!sw_finite3(tree.X[i]))
            return false;
    return mesh->ntriangle > 0 && sw_bvh_sane(&tree);
}

static bool mesh_surface(const swModel *m, const swColliderInfo *c, swArena *arena, swSurface *out,
                         swError *error) {
    const swColliderMesh *mesh = &m->collider_mesh[c->mesh];
    const swBvh tree = tree_of(m, c);
    *out = (swSurface){mesh->nvertex, mesh->ntriangle, SW_NEW(arena, mesh->nvertex, swVec3, error),
                       SW_NEW(arena, 3 * (size_t)mesh->ntriangle, int, error)};
    if (!out->X || !out->triangle)
        return false;
    memcpy(out->X, tree.X, (size_t)mesh->nvertex * sizeof *out->X);
    memcpy(out->triangle, tree.index, 3 * (size_t)mesh->ntriangle * sizeof *out->triangle);
    return true;
}

const swColliderKind sw_collider_trimesh = {.name = "mesh",
                                            .read = mesh_read,
                                            .depth = mesh_depth,
                                            .inside = mesh_inside,
                                            .bounds = mesh_bounds,
                                            .sane = mesh_sane,
                                            .surface = mesh_surface};
