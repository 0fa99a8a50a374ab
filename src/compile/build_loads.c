// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Dead loads: constant forces on the columns of q.
#include "compile/modes.h"

#include "geometry/labels.h"

#include <string.h>

enum { CUTS = 4 }; // a triangle is looked at in 16 pieces

// f is added to what moves embedded point p.
static bool push_point(swBuilder *b, swBodyBuild *body, int p, swVec3 f, swError *error) {
    swReal m[SW_MAX_MONOMIALS];
    swBulkPoint *bulk = NULL;
    if (body->def->frames.adapt.budget > 0) {
        swBedLoad *dead = SW_PUSH(&body->dead, &b->arena, error);
        if (!dead)
            return false;
        *dead = (swBedLoad){b->point.item[p], f};
    }
    if (body->def->frames.blend == SW_BLEND_DUAL_QUATERNION) {
        if (!(bulk = sw_build_bulk_point(b, body, error)))
            return false;
        bulk->p = b->point.item[p];
        bulk->force = f;
    }
    if (body->reduced) {
        sw_modes_load(b, body, b->point.item[p], f);
        return true;
    }
    for (int e = b->point_start.item[p]; e < b->point_start.item[p + 1]; e++) {
        const swNode *node = &b->node.item[b->point_node.item[e]];
        if (bulk) {
            bulk->weight[b->point_node.item[e] - body->first_node] = b->point_weight.item[e];
            continue;
        }
        sw_monomials(node->width, sw_sub(b->point.item[p], node->origin), m);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < node->width; c++)
                b->load.item[node->q + r * node->width + c] +=
                    b->point_weight.item[e] * m[c] * sw_get(f, r);
    }
    return true;
}

// f at p is added to the vertices of a net: they may be coarser than the surface, or of a higher
// order.
static void push_net(swBuilder *b, const swBodyBuild *body, swVec3 p, swVec3 f) {
    int vertex[SW_NET_NEAR];
    swReal weight[SW_NET_NEAR];
    bool far;
    const int n = body->net.locate(&body->net, p, vertex, weight, &far);
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 3; r++)
            b->load.item[b->node.item[body->first_node + vertex[i]].q + r] +=
                weight[i] * sw_get(f, r);
}

// A piece of a triangle, of middle p and its shape or that turned round: at three points, exact for
// quadratic weights either way.
static void push_piece(swBuilder *b, const swBodyBuild *body, swVec3 p, const swVec3 *X,
                       const int *v, swVec3 f) {
    const swVec3 middle =
        sw_scale(1.0 / 3, sw_add(X[v[0]], sw_add(X[v[1]], X[v[2]]))); // of the triangle
    for (int k = 0; k < 3; k++)
        push_net(b, body, sw_madd(p, 0.5 / CUTS, sw_sub(X[v[k]], middle)), sw_scale(1.0 / 3, f));
}

typedef struct {
    swReal tolerance;
    swVec3 across; // a region without thickness takes what lies across this axis there; zero: all
    swReal place;  // along it
    const swSolid *region;
    swReal area; // found
    swVec3 traction;
    swReal pressure;
    swVec3 *force; // per vertex of the body; NULL: only the area is wanted
} swFaceLoad;

// A side that comes to a flat region at an angle ends there, and is no part of it.
static bool lies_across(const swVec3 *X, const int *v, swVec3 normal, const swFaceLoad *load) {
    for (int k = 0; k < 3; k++)
        if (fabs(sw_dot(X[v[k]], load->across) - load->place) > load->tolerance)
            return false;
    return fabs(sw_dot(normal, load->across)) >= 0.5 * sw_norm(normal);
}

// One triangle in pieces of equal area: those whose middle is in the region count.
static void load_triangle(swBuilder *b, const swBodyBuild *body, const int *v, swFaceLoad *load) {
    const swVec3 *X = b->point.item;
    swVec3 normal =
        sw_scale(0.5, sw_cross(sw_sub(X[v[1]], X[v[0]]), sw_sub(X[v[2]], X[v[0]]))); // area vector
    swReal area = sw_norm(normal) / (CUTS * CUTS);
    if (sw_norm2(load->across) > 0 && !lies_across(X, v, normal, load))
        return;
    for (int i = 0; i < CUTS; i++)
        for (int j = 0; j < 2 * i + 1; j++) {
            // piece j of row i: rows widen away from corner 0
            swReal up = j % 2, s = (i + (up ? 1.0 / 3 : 2.0 / 3)) / CUTS,
                   t = (j / 2 + (up ? 2.0 / 3 : 1.0 / 3)) / CUTS;
            swReal u[3] = {1 - s, s - t, t};
            swVec3 p = sw_add(sw_add(sw_scale(u[0], X[v[0]]), sw_scale(u[1], X[v[1]])),
                              sw_scale(u[2], X[v[2]]));
            if (sw_solid_distance(load->region, p) > load->tolerance)
                continue;
            load->area += area;
            swVec3 f = sw_sub(sw_scale(area, load->traction),
                              sw_scale(load->pressure / (CUTS * CUTS), sw_mul(body->R, normal)));
            if (load->force && body->reduced)
                sw_modes_load(b, body, p, f);
            else if (load->force && body->net.n > 0)
                push_piece(b, body, p, X, v, f);
            for (int k = 0; load->force && body->net.n == 0 && k < 3; k++) {
                swVec3 *at = &load->force[v[k] - b->body.item[body->index].point];
                *at = sw_madd(*at, u[k], f);
            }
        }
}

static void load_surface(swBuilder *b, const swBodyBuild *body, swFaceLoad *load) {
    const swBodyInfo *info = &b->body.item[body->index];
    load->area = 0;
    for (int t = info->triangle; t < info->triangle + info->ntriangle; t++)
        load_triangle(b, body, b->triangle.item + 3 * t, load);
}

// A total force over the volume inside the region, or, where that is NULL, of the voxels that have
// one of the labels.
static bool load_volume(swBuilder *b, swBodyBuild *body, const swSolid *region, const char *labels,
                        swVec3 force, const char *key, swError *error) {
    const swGrid *g = &body->grid;
    swVec3 *p = SW_NEW(&b->arena, g->nvoxel, swVec3, error);
    swReal *volume = SW_NEW(&b->arena, g->nvoxel, swReal, error), total = 0;
    if (!p || !volume)
        return false;
    int n = 0;
    for (int v = 0; v < g->nvoxel; v++)
        if (region ? sw_solid_distance(region, g->voxel[v].centroid) <= 0
                   : sw_labels_has(labels, g->voxel[v].label)) {
            p[n] = g->voxel[v].centroid;
            volume[n++] = g->voxel[v].volume;
            total += g->voxel[v].volume;
        }
    if (total == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY, "%s.on: selects nothing of the body", key);
    const int first = b->point.count, weights = b->point_node.count, // points for the moment
        vectors = b->vector.count;
    if (!sw_build_points(b, body, n, p, -1, NULL, error))
        return false;
    for (int i = 0; i < n; i++)
        if (!push_point(b, body, first + i, sw_scale(volume[i] / total, force), error))
            return false;
    b->point.count = b->point_vector.count = first;
    b->vector.count = vectors;
    b->point_start.count = first + 1;
    b->point_node.count = b->point_weight.count = weights;
    return true;
}

bool sw_build_loads(swBuilder *b, swBodyBuild *body, swError *error) {
    int i = 0;
    for (const swLoad *d = body->def->loads; d; d = d->next, i++) {
        char key[96], on[128];
        snprintf(key, sizeof key, "%s.loads[%d]", body->key, i);
        snprintf(on, sizeof on, "%s.on", key);
        if (!d->on)
            return sw_fail(error, SW_ERROR_VALUE, "%s: expected a region in \"on\", found none",
                           key);
        const bool force = sw_norm(d->force) > 0;
        if (d->on->kind == SW_SHAPE_LABEL) {
            if (!force)
                return sw_fail(error, SW_ERROR_VALUE,
                               "%s: expected a \"force\" on labels, which have no surface of "
                               "their own, found a traction or pressure",
                               key);
            if (!load_volume(b, body, NULL, d->on->label, d->force, key, error))
                return false;
            continue;
        }
        const swSolid *region =
            sw_solid_create(d->on, b->scene->folder, on, b->config, &b->arena, error);
        if (!region)
            return false;
        // A region without thickness takes the surface it touches; that of an image is known to
        // half a voxel.
        swVec3 lo, hi;
        sw_solid_bounds(region, &lo, &hi);
        const swVec3 across = {lo.x == hi.x, lo.y == hi.y, lo.z == hi.z};
        swReal near = sw_norm2(across) > 0 ? 0.05 : 1e-6;
        for (int s = 0; s < body->nsolid && near > 1e-6; s++)
            near = sw_solid_kind(body->solid[s]) == SW_SHAPE_VOLUME ? 0.5 : near;
        swFaceLoad face = {.region = region,
                           .tolerance = near * body->grid.h,
                           .across = sw_norm2(across) == 1 ? across : sw_v3(0, 0, 0),
                           .place = sw_dot(across, lo)};
        load_surface(b, body, &face);
        if (face.area == 0 && !force)
            return sw_fail(error, SW_ERROR_GEOMETRY, "%s.on: holds no part of the surface", key);
        if (face.area == 0) {
            if (!load_volume(b, body, region, NULL, d->force, key, error))
                return false;
            continue;
        }
        face.traction = force ? sw_scale(1 / face.area, d->force) : d->traction;
        face.pressure = force ? 0 : d->pressure;
        const swBodyInfo *info = &b->body.item[body->index];
        if (!(face.force = SW_NEW(&b->arena, info->npoint, swVec3, error)))
            return false;
        load_surface(b, body, &face);
        for (int p = 0; p < info->npoint; p++)
            if (sw_norm2(face.force[p]) > 0 &&
                !push_point(b, body, info->point + p, face.force[p], error))
                return false;
    }
    return true;
}
