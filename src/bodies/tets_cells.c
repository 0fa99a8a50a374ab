// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Makes tetrahedra from the cells of voxels. Handles and materials may end anywhere in a cell;
// tetrahedra are divided there, so that handles hold the body exactly up to their border and each
// tetrahedron has a single material.
#include "bodies/tets.h"

#include "volume/tets_divide.h"
#include "volume/tets_split.h"

// ---- the borders of handles ----

// A plane normal to an axis.
typedef struct {
    int axis;
    swReal place;
} swBorderPlane;

static swReal above_plane(const void *context, swVec3 p) {
    const swBorderPlane *plane = context;
    return sw_get(p, plane->axis) - plane->place;
}

static swReal outside_of(const void *context, swVec3 p) { return sw_solid_distance(context, p); }

// The axis along which a region is thinner than a cell, so that edges could cross it undetected, or
// -1.
static int thin_axis(const swSolid *region, swReal h) {
    swVec3 lo, hi;
    int thinnest = 0;
    sw_solid_bounds(region, &lo, &hi);
    const swVec3 size = sw_sub(hi, lo);
    for (int k = 1; k < 3; k++)
        thinnest = sw_get(size, k) < sw_get(size, thinnest) ? k : thinnest;
    return sw_get(size, thinnest) < h ? thinnest : -1;
}

static bool divide_at(const swSolid *region, swReal h, swTetMesh *mesh, swTetOrigin *origin,
                      swArena *arena, swError *error) {
    const int axis = thin_axis(region, h);
    swVec3 lo, hi;
    if (axis < 0)
        return sw_tets_divide(mesh, outside_of, region, origin, arena, error);
    sw_solid_bounds(region, &lo, &hi);
    const swBorderPlane from = {axis, sw_get(lo, axis)}, to = {axis, sw_get(hi, axis)};
    return sw_tets_divide(mesh, above_plane, &from, origin, arena, error) &&
           (to.place - from.place < 1e-6 * h ||
            sw_tets_divide(mesh, above_plane, &to, origin, arena, error));
}

static swVec3 middle_of(const swTetMesh *mesh, int tet) {
    const int *v = sw_tets_at(mesh, tet);
    return sw_scale(
        0.25, sw_add(sw_add(mesh->X[v[0]], mesh->X[v[1]]), sw_add(mesh->X[v[2]], mesh->X[v[3]])));
}

// The handle whose region contains each tetrahedron, from 1, or 0.
static int *find_sides(const swBodyBuild *body, const swTetMesh *mesh, swArena *arena,
                       swError *error) {
    int *side = SW_NEW(arena, mesh->ntet, int, error);
    for (int i = 0; i < body->nhandle && side; i++) {
        const swSolid *region = body->handles.item[i].region;
        for (int t = 0; t < mesh->ntet && region; t++)
            if (side[t] == 0 && sw_solid_distance(region, middle_of(mesh, t)) < 0)
                side[t] = 1 + i;
    }
    return side;
}

// ---- borders of materials ----

// Whether a solid is painted over another material, so that its border, as far as it is not that of
// the body, is a border of materials.
static bool paints_over(const swBodyBuild *body, int s) {
    const swPaint *paint = body->paint;
    for (int i = 0; i < s && paint[s].material >= 0 && !paint[s].palette; i++)
        if (paint[i].material >= 0 && (paint[i].palette || paint[i].material != paint[s].material))
            return true;
    return false;
}

// Whether no vertex is inside a solid by half a cell, so that edges could cross it undetected.
static bool is_thin(const swSolid *solid, swReal h, const swTetMesh *mesh) {
    for (int v = 0; v < mesh->nvertex; v++)
        if (sw_solid_distance(solid, mesh->X[v]) < -0.5 * h)
            return false;
    return true;
}

// The axis normal to a layer of the body, i.e. a box that spans the body along the other two axes;
// -1: not a layer.
static int layer_axis(const swSolid *solid, const swGrid *g) {
    swVec3 lo, hi;
    int axis = -1;
    sw_solid_bounds(solid, &lo, &hi);
    for (int k = 0; k < 3; k++) {
        if (sw_get(lo, k) < sw_get(g->lo, k) + 1e-6 * g->h &&
            sw_get(hi, k) > sw_get(g->hi, k) - 1e-6 * g->h)
            continue;
        if (axis >= 0)
            return -1;
        axis = k;
    }
    return sw_solid_kind(solid) == SW_SHAPE_BOX ? axis : -1;
}

// The side faces of a layer are on the surface, where edges of tetrahedra would round its edges
// off, so only its two planes are used.
static bool divide_layer(const swSolid *solid, int axis, swTetMesh *mesh, swTetOrigin *origin,
                         swArena *arena, swError *error) {
    swVec3 lo, hi;
    sw_solid_bounds(solid, &lo, &hi);
    const swBorderPlane from = {axis, sw_get(lo, axis)}, to = {axis, sw_get(hi, axis)};
    return sw_tets_divide(mesh, above_plane, &from, origin, arena, error) &&
           sw_tets_divide(mesh, above_plane, &to, origin, arena, error);
}

// Divides tetrahedra at borders of materials, except those of thin parts that are not layers along
// the grid.
static bool divide_materials(swBuilder *b, const swBodyBuild *body, swTetMesh *mesh,
                             swTetOrigin *origin, swTetStuff *stuff, swError *error) {
    const swReal h = body->grid.h;
    for (int s = 1; s < body->nsolid; s++) {
        const swPaint *paint = &body->paint[s];
        if (!paints_over(body, s))
            continue;
        const int axis = layer_axis(paint->solid, &body->grid);
        if (axis >= 0) {
            if (!divide_layer(paint->solid, axis, mesh, origin, &b->arena, error))
                return false;
        } else if (thin_axis(paint->solid, h) < 0 && is_thin(paint->solid, h, mesh))
            stuff[paint->material].thin = true;
        else if (!divide_at(paint->solid, h, mesh, origin, &b->arena, error))
            return false;
    }
    return true;
}

// ---- the mesh ----

static bool split(swBuilder *b, swBodyBuild *body, swTetMesh *mesh, swTetOrigin *origin,
                  swError *error) {
    if (!sw_tets_split(&body->lattice, &b->arena, mesh, error))
        return false;
    origin->from = SW_NEW(&b->arena, mesh->ntet, int, error);
    origin->moved = SW_NEW(&b->arena, mesh->nvertex, bool, error);
    if (!origin->from || !origin->moved)
        return false;
    for (int t = 0; t < mesh->ntet; t++)
        origin->from[t] = t / SW_TETS_PER_CELL;
    for (int i = 0; i < body->nhandle; i++) {
        const swSolid *region = body->handles.item[i].region;
        if (region && !divide_at(region, body->grid.h, mesh, origin, &b->arena, error))
            return false;
    }
    return true;
}

bool sw_tets_cells(swBuilder *b, swBodyBuild *body, swTetBuild *t, swError *error) {
    const swLattice *l = &body->lattice;
    swTetOrigin origin;
    swTetFilling filling;
    swTetStuff *stuff = SW_NEW(&b->arena, b->material.count, swTetStuff, error);
    if (!stuff || !split(b, body, &t->mesh, &origin, error))
        return false;
    for (int i = 0; i < b->material.count; i++)
        stuff[i] = (swTetStuff){b->material.item[i].young, b->material.item[i].density, false};
    if (!divide_materials(b, body, &t->mesh, &origin, stuff, error))
        return false;
    const swTetPaint paint = {body->nsolid, body->paint, stuff, &body->grid};
    const int *side = find_sides(body, &t->mesh, &b->arena, error);
    if (!side ||
        !sw_tets_fill(&paint, l->cell, &origin, side, &t->mesh, &filling, &b->arena, error))
        return false;
    t->density = filling.density;
    t->stiffness = filling.stiffness;
    t->blob = filling.blob;
    t->vertex =
        l->ndistinct == 8 ? filling.vertex : NULL; // otherwise both sides of a layer are one node
    return true;
}

// ---- what handles hold ----

// Whether a region holds a point: one inside it, or, for a thin region, within half a cell of its
// ends.
static bool holds(const swSolid *region, swReal h, swVec3 p) {
    const int axis = thin_axis(region, h);
    const swReal far = sw_solid_distance(region, p);
    swVec3 lo, hi;
    if (axis < 0 || far <= 1e-6 * h)
        return far <= 1e-6 * h;
    sw_solid_bounds(region, &lo, &hi);
    const swReal at = sw_get(p, axis);
    return far <= 0.5 * h && at >= sw_get(lo, axis) - 1e-6 * h && at <= sw_get(hi, axis) + 1e-6 * h;
}

void sw_tets_hold_cells(swBodyBuild *body) {
    swNet *net = &body->net;
    for (int i = 0; i < body->nhandle; i++) {
        const swSolid *region = body->handles.item[i].region;
        bool any = false;
        for (int v = 0; v < net->n && region && !any; v++)
            any = holds(region, body->grid.h, net->X[v]);
        for (int v = 0; v < net->n && any; v++) { // sw_net_hold() held nearby ones instead
            if (holds(region, body->grid.h, net->X[v]))
                net->held[v] = net->held[v] < 0 ? i : net->held[v];
            else if (net->held[v] == i &&
                     sw_solid_distance(region, net->X[v]) <= 0.5001 * body->grid.h)
                net->held[v] = -1;
        }
    }
}
