// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Dead loads: constant forces on the columns of q.
#include "compile/build.h"

#include "geometry/labels.h"

#include <string.h>

enum { CUTS = 4 }; // a triangle is looked at in 16 pieces

// ---- where loads act ----

// A region on a body, and the load's force on its surface there, or only the area of that.
typedef struct {
    const swBodyBuild *body;
    const swSolid *region;
    swReal tolerance;
    swVec3 across; // a region without thickness takes what lies across this axis; zero: all
    swReal place;  // along it
    swReal area;   // found
    swVec3 traction;
    swReal pressure;
    swForceVisit *visit; // NULL: only the area is wanted
    void *arg;
} swFaceLoad;

// A side that comes to a flat region at an angle ends there, and is no part of it.
static bool lies_across(const swFaceLoad *load, const int *v, swVec3 normal) {
    for (int k = 0; k < 3; k++)
        if (fabs(sw_dot(load->body->surface.X[v[k]], load->across) - load->place) > load->tolerance)
            return false;
    return fabs(sw_dot(normal, load->across)) >= 0.5 * sw_norm(normal);
}

// One triangle in pieces of equal area: those whose middle is in the region count.
static bool load_triangle(swFaceLoad *load, const int *v, swError *error) {
    const swVec3 *X = load->body->surface.X;
    const swVec3 normal =
        sw_scale(0.5, sw_cross(sw_sub(X[v[1]], X[v[0]]), sw_sub(X[v[2]], X[v[0]]))); // area vector
    const swReal area = sw_norm(normal) / (CUTS * CUTS);
    if (sw_norm2(load->across) > 0 && !lies_across(load, v, normal))
        return true;
    for (int i = 0; i < CUTS; i++)
        for (int j = 0; j < 2 * i + 1; j++) {
            // piece j of row i: rows widen away from corner 0
            const swReal up = j % 2, s = (i + (up ? 1.0 / 3 : 2.0 / 3)) / CUTS,
                         t = (j / 2 + (up ? 2.0 / 3 : 1.0 / 3)) / CUTS;
            const swReal u[3] = {1 - s, s - t, t};
            const swVec3 p = sw_add(sw_add(sw_scale(u[0], X[v[0]]), sw_scale(u[1], X[v[1]])),
                                    sw_scale(u[2], X[v[2]]));
            if (sw_solid_distance(load->region, p) > load->tolerance)
                continue;
            load->area += area;
            const swVec3 f =
                sw_sub(sw_scale(area, load->traction),
                       sw_scale(load->pressure / (CUTS * CUTS), sw_mul(load->body->R, normal)));
            if (load->visit && !load->visit(&(swForceAt){p, f, v, u}, load->arg, error))
                return false;
        }
    return true;
}

static bool load_surface(swFaceLoad *load, swError *error) {
    const swSurface *s = &load->body->surface;
    load->area = 0;
    for (int t = 0; t < s->ntriangle; t++)
        if (!load_triangle(load, s->triangle + 3 * t, error))
            return false;
    return true;
}

// A total force over the volume inside the region, or, where that is NULL, of the voxels that have
// one of the labels.
static bool load_volume(const swBodyBuild *body, const swSolid *region, const char *labels,
                        swVec3 force, const char *key, swForceVisit *visit, void *arg,
                        swError *error) {
    const swGrid *g = &body->grid;
    swReal total = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int v = 0; v < g->nvoxel; v++) {
            const swVoxel *voxel = &g->voxel[v];
            if (region ? sw_solid_distance(region, voxel->centroid) > 0
                       : !sw_labels_has(labels, voxel->label))
                continue;
            if (pass == 0)
                total += voxel->volume;
            else if (!visit(&(swForceAt){.p = voxel->centroid,
                                         .f = sw_scale(voxel->volume / total, force)},
                            arg, error))
                return false;
        }
    return total > 0 ||
           sw_fail(error, SW_ERROR_GEOMETRY, "%s.on: selects nothing of the body", key);
}

// A region without thickness takes the surface it touches; that of an image is known to half a
// voxel.
static swFaceLoad face_load(const swBodyBuild *body, const swSolid *region) {
    swVec3 lo, hi;
    sw_solid_bounds(region, &lo, &hi);
    const swVec3 across = {lo.x == hi.x, lo.y == hi.y, lo.z == hi.z};
    swReal near = sw_norm2(across) > 0 ? 0.05 : 1e-6;
    for (int s = 0; s < body->nsolid && near > 1e-6; s++)
        near = sw_solid_kind(body->solid[s]) == SW_SHAPE_VOLUME ? 0.5 : near;
    return (swFaceLoad){.body = body,
                        .region = region,
                        .tolerance = near * body->grid.h,
                        .across = sw_norm2(across) == 1 ? across : sw_v3(0, 0, 0),
                        .place = sw_dot(across, lo)};
}

static bool visit_load(swBuilder *b, const swBodyBuild *body, const swLoad *d, const char *key,
                       swForceVisit *visit, void *arg, swError *error) {
    char on[128];
    snprintf(on, sizeof on, "%s.on", key);
    if (!d->on)
        return sw_fail(error, SW_ERROR_VALUE, "%s: expected a region in \"on\", found none", key);
    const bool force = sw_norm(d->force) > 0;
    if (d->on->kind == SW_SHAPE_LABEL) {
        if (!force)
            return sw_fail(error, SW_ERROR_VALUE,
                           "%s: expected a \"force\" on labels, which have no surface of their "
                           "own, found a traction or pressure",
                           key);
        return load_volume(body, NULL, d->on->label, d->force, key, visit, arg, error);
    }
    const swSolid *region =
        sw_solid_create(d->on, b->scene->folder, on, b->config, &b->arena, error);
    if (!region)
        return false;
    swFaceLoad face = face_load(body, region);
    load_surface(&face, error);
    if (face.area == 0 && !force)
        return sw_fail(error, SW_ERROR_GEOMETRY, "%s.on: holds no part of the surface", key);
    if (face.area == 0)
        return load_volume(body, region, NULL, d->force, key, visit, arg, error);
    face.traction = force ? sw_scale(1 / face.area, d->force) : d->traction;
    face.pressure = force ? 0 : d->pressure;
    face.visit = visit;
    face.arg = arg;
    return load_surface(&face, error);
}

bool sw_loads_visit(swBuilder *b, const swBodyBuild *body, swForceVisit *visit, void *arg,
                    swError *error) {
    int i = 0;
    for (const swLoad *d = body->def->loads; d; d = d->next, i++) {
        char key[96];
        snprintf(key, sizeof key, "%s.loads[%d]", body->key, i);
        if (!visit_load(b, body, d, key, visit, arg, error))
            return false;
    }
    return true;
}

// ---- what they act on ----

typedef struct {
    swBuilder *b;
    swBodyBuild *body;
    swVec3 *force; // per vertex of the surface
    SW_LIST(swForceAt) inside;
} swLoads;

static bool push_nodes(const swForceAt *at, void *arg, swError *error) {
    const swLoads *l = arg;
    return l->body->kind->load(l->b, l->body, at, error);
}

static void push_vertices(swBuilder *b, const swBodyBuild *body, swVec3 p, swVec3 f) {
    const swNet *net = &body->net;
    int vertex[SW_NET_NEAR];
    swReal weight[SW_NET_NEAR];
    bool far;
    const int n = net->locate(net, p, vertex, weight, &far);
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 3; r++)
            b->load.item[b->node.item[body->first_node + vertex[i]].q + r] +=
                weight[i] * sw_get(f, r);
}

// To the vertices of a net: they may be coarser than the surface, or of a higher order. A piece of
// a triangle has the shape of that, or is turned round: its force acts at three points, which is
// exact for quadratic weights either way.
bool sw_net_load(swBuilder *b, swBodyBuild *body, const swForceAt *at, swError *error) {
    const swVec3 *X = body->surface.X;
    const int *v = at->vertex;
    (void)error;
    if (!v) {
        push_vertices(b, body, at->p, at->f);
        return true;
    }
    const swVec3 middle = sw_scale(1.0 / 3, sw_add(X[v[0]], sw_add(X[v[1]], X[v[2]])));
    for (int k = 0; k < 3; k++)
        push_vertices(b, body, sw_madd(at->p, 0.5 / CUTS, sw_sub(X[v[k]], middle)),
                      sw_scale(1.0 / 3, at->f));
    return true;
}

static bool push_points(const swForceAt *at, void *arg, swError *error) {
    swLoads *l = arg;
    if (!at->vertex) {
        swForceAt *inside = SW_PUSH(&l->inside, &l->b->arena, error);
        if (inside)
            *inside = *at;
        return inside != NULL;
    }
    for (int k = 0; k < 3; k++)
        l->force[at->vertex[k]] = sw_madd(l->force[at->vertex[k]], at->share[k], at->f);
    return true;
}

bool sw_build_mode_load(swBuilder *b, const swBodyBuild *body, int site, swVec3 X, swVec3 f,
                        const swVec3 *phi, swError *error) {
    const swNode *node = b->node.item + body->first_node;
    int before = 0, all = 0;
    for (int i = 0; i < body->nsite; i++) {
        before += i < site ? body->nmode * sw_mode_load_size(&node[i]) : 0;
        all += body->nmode * sw_mode_load_size(&node[i]);
    }
    if (b->mode_load.count == 0 && !SW_EXTEND(&b->mode_load, all, &b->arena, error))
        return false;
    swReal *T = b->mode_load.item + before, dm[SW_MAX_MONOMIALS][3];
    const int width = node[site].width;
    sw_monomial_gradients(width, sw_sub(X, node[site].origin), dm);
    for (int j = 0; j < body->nmode; j++)
        for (int r = 0; r < 3; r++)
            for (int c = 1; c < width; c++)
                *T++ += sw_get(f, r) * sw_dot(sw_v3(dm[c][0], dm[c][1], dm[c][2]), phi[j]);
    return true;
}

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
    for (int e = b->point_start.item[p]; e < b->point_start.item[p + 1]; e++) {
        const swNode *node = &b->node.item[b->point_node.item[e]];
        if (body->fields &&
            !sw_build_mode_load(b, body, b->point_node.item[e] - body->first_node, b->point.item[p],
                                sw_scale(b->point_weight.item[e], f),
                                b->vector.item + b->point_vector.item[p], error))
            return false;
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

// Forces inside the body act on points that are embedded for the moment.
static bool push_inside(const swLoads *l, swError *error) {
    swBuilder *b = l->b;
    const int n = l->inside.count, first = b->point.count, weights = b->point_node.count,
              vectors = b->vector.count;
    swVec3 *p = SW_NEW(&b->arena, n, swVec3, error);
    if (!p)
        return false;
    for (int i = 0; i < n; i++)
        p[i] = l->inside.item[i].p;
    if (!sw_build_points(b, l->body, n, p, -1, NULL, error))
        return false;
    for (int i = 0; i < n; i++)
        if (!push_point(b, l->body, first + i, l->inside.item[i].f, error))
            return false;
    b->point.count = b->point_material.count = b->point_vector.count = first;
    b->point_start.count = first + 1;
    b->vector.count = vectors;
    b->point_node.count = b->point_weight.count = weights;
    return true;
}

bool sw_build_loads(swBuilder *b, swBodyBuild *body, swError *error) {
    swLoads l = {b, body, SW_NEW(&b->arena, body->surface.nvertex, swVec3, error), {0}};
    if (!l.force ||
        !sw_loads_visit(b, body, body->kind->load ? push_nodes : push_points, &l, error))
        return false;
    const int first = b->body.item[body->index].point;
    for (int v = 0; v < body->surface.nvertex; v++)
        if (sw_norm2(l.force[v]) > 0 && !push_point(b, body, first + v, l.force[v], error))
            return false;
    return push_inside(&l, error);
}
