// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Embedded points: surface vertices, contact points, probes; and the start of the motion.
#include "compile/correcting.h"
#include "compile/model_build.h"
#include "compile/skeleton.h"

#include <string.h>

// Of the voxel whose middle is nearest to p, in a filled cell near it.
static int material_at(const swBodyBuild *body, swVec3 p) {
    const swGrid *g = &body->grid;
    const int cell =
        body->lattice.cell[sw_max_int(0, sw_lattice_find(&body->lattice, p, SW_POINT_REACH))];
    int best = g->first[cell];
    for (int v = best + 1; v < g->first[cell + 1]; v++)
        if (sw_norm2(sw_sub(g->voxel[v].centroid, p)) <
            sw_norm2(sw_sub(g->voxel[best].centroid, p)))
            best = v;
    return g->voxel[best].material;
}

int sw_build_carrier(const swBodyBuild *body, int material, swVec3 p) {
    const swGrid *g = &body->grid;
    const int cell = sw_grid_cell(g, p);
    const int at[3] = {cell % g->n[0], cell / g->n[0] % g->n[1], cell / g->n[0] / g->n[1]};
    swReal least = INFINITY;
    int carrier = -1;
    for (int k = 0; k < 27; k++) {
        const int x = at[0] + k % 3 - 1, y = at[1] + k / 3 % 3 - 1, z = at[2] + k / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= g->n[0] || y >= g->n[1] || z >= g->n[2])
            continue;
        const int c = x + g->n[0] * (y + g->n[1] * z);
        for (int v = g->first[c]; v < g->first[c + 1]; v++) {
            const swVoxel *voxel = &g->voxel[v];
            const swVec3 out =
                sw_max3(sw_max3(sw_sub(voxel->lo, p), sw_sub(p, voxel->hi)), sw_v3(0, 0, 0));
            if (voxel->material != material || !(sw_norm2(out) < least))
                continue;
            least = sw_norm2(out);
            carrier = voxel->owner;
        }
    }
    return carrier;
}

bool sw_build_point(swBuilder *b, const swBodyBuild *body, swVec3 p, int n, const int *site,
                    const swReal *weight, swError *error) {
    swVec3 *point = SW_EXTEND(&b->point, 1, &b->arena, error);
    int *own = point ? SW_EXTEND(&b->point_material, 1, &b->arena, error) : NULL;
    int *node = own ? SW_EXTEND(&b->point_node, n, &b->arena, error) : NULL;
    swReal *share = node ? SW_EXTEND(&b->point_weight, n, &b->arena, error) : NULL;
    int64_t *vector = share ? SW_EXTEND(&b->point_vector, 1, &b->arena, error) : NULL;
    int *start = vector ? SW_EXTEND(&b->point_start, 1, &b->arena, error) : NULL;
    if (!start)
        return false;
    *point = p;
    *own = material_at(body, p);
    *vector = -1;
    for (int i = 0; i < n; i++) {
        node[i] = body->first_node + site[i];
        share[i] = weight[i];
    }
    *start = b->point_node.count;
    return true;
}

// The surface of a net whose vertices are known: faces of a crack lie upon one another.
static bool add_vertices(swBuilder *b, const swBodyBuild *body, swError *error) {
    const swReal one = 1;
    for (int i = 0; i < body->surface.nvertex; i++)
        if (!sw_build_point(b, body, body->surface.X[i], 1, &body->net.surface[i], &one, error))
            return false;
    return true;
}

bool sw_build_points(swBuilder *b, const swBodyBuild *body, int n, const swVec3 *p, int material,
                     int *far, swError *error) {
    const int first = b->point.count;
    return body->kind->points(b, body, n, p, material, far, error) &&
           (!body->fields || sw_correcting_vectors(b, body, first, error));
}

typedef struct {
    swVec3 sum;
    swReal area;
    int64_t cell[3];
    int vertex;
} swPatch;

// Vertices that share a cube of edge `size`, counted from `corner`: one patch each. Returns how
// many, or -1 when more than `room`.
static int gather_patches(const swSurface *s, const swReal *area, swVec3 corner, swReal size,
                          int room, swPatch *patch, int *hash, int mask, int *owner) {
    int count = 0;
    memset(hash, 0, ((size_t)mask + 1) * sizeof *hash);
    for (int v = 0; v < s->nvertex; v++) {
        if (area[v] == 0)
            continue;
        const swVec3 d = sw_sub(s->X[v], corner);
        const int64_t c[3] = {(int64_t)floor(d.x / size), (int64_t)floor(d.y / size),
                              (int64_t)floor(d.z / size)};
        int at = (int)(sw_hash(SW_HASH_SEED, c, sizeof c) & (uint64_t)mask);
        while (hash[at] && memcmp(patch[hash[at] - 1].cell, c, sizeof c) != 0)
            at = (at + 1) & mask;
        if (!hash[at]) {
            if (count == room)
                return -1;
            patch[count] = (swPatch){.cell = {c[0], c[1], c[2]}, .vertex = -1};
            hash[at] = ++count;
        }
        swPatch *p = &patch[hash[at] - 1];
        owner[v] = hash[at] - 1;
        p->sum = sw_madd(p->sum, area[v], s->X[v]);
        p->area += area[v];
    }
    return count;
}

static bool add_contacts(swBuilder *b, const swBodyBuild *body, swError *error) {
    const swSurface *s = &body->surface;
    const int room = body->def->contact_points;
    if (room == 0 || s->nvertex == 0) // without colliders there may be a ball
        return true;
    int mask = 1;
    while (mask < 4 * room)
        mask *= 2;
    swReal *area = SW_NEW(&b->arena, s->nvertex, swReal, error);
    int *owner = SW_NEW(&b->arena, s->nvertex, int, error),
        *hash = SW_NEW(&b->arena, mask, int, error);
    swPatch *patch = SW_NEW(&b->arena, room, swPatch, error);
    if (!area || !owner || !hash || !patch)
        return false;
    sw_surface_areas(s->X, s->ntriangle, s->triangle, area);
    swReal total = 0, size = 1e-6 * body->grid.h; // every vertex, where that fits
    for (int v = 0; v < s->nvertex; v++)
        total += area[v];
    const swVec3 corner = body->grid.lo;
    int count = gather_patches(s, area, corner, size, room, patch, hash, mask - 1, owner);
    for (size = sqrt(0.5 * total / room); count < 0; size *= 1.1)
        count = gather_patches(s, area, corner, size, room, patch, hash, mask - 1, owner);
    // Each patch is represented by its vertex nearest to its middle.
    for (int v = 0; v < s->nvertex; v++) {
        if (area[v] == 0)
            continue;
        swPatch *p = &patch[owner[v]];
        swVec3 middle = sw_scale(1 / p->area, p->sum);
        if (p->vertex < 0 ||
            sw_norm2(sw_sub(s->X[v], middle)) < sw_norm2(sw_sub(s->X[p->vertex], middle)))
            p->vertex = v;
    }
    const swReal stiffness = body->kind->contact ? body->kind->contact(b, body)
                                                 : sw_build_softest(b, &body->grid) / body->grid.h;
    for (int i = 0; i < count; i++) {
        swContactPoint *c = SW_EXTEND(&b->contact, 1, &b->arena, error);
        if (!c)
            return false;
        *c = (swContactPoint){b->body.item[body->index].point + patch[i].vertex, body->index,
                              patch[i].area, stiffness};
    }
    return true;
}

bool sw_build_surface(swBuilder *b, swBodyBuild *body, swError *error) {
    swBodyInfo *info = &b->body.item[body->index];
    const swSurface *s = &body->surface;
    int far = 0;
    info->point = b->point.count;
    info->npoint = s->nvertex;
    info->triangle = b->triangle.count / 3;
    info->ntriangle = s->ntriangle;
    if (!(body->net.surface ? add_vertices(b, body, error)
                            : sw_build_points(b, body, s->nvertex, s->X, -1, &far, error)))
        return false;
    if (far)
        sw_warn(b->config,
                "%s: %d of %d surface vertices are away from any material; they follow the nearest "
                "frames",
                body->key, far, s->nvertex);
    int *triangle = SW_EXTEND(&b->triangle, 3 * s->ntriangle, &b->arena, error);
    if (!triangle)
        return false;
    for (int i = 0; i < 3 * s->ntriangle; i++)
        triangle[i] = info->point + s->triangle[i];
    if (body->fields) {
        sw_correcting_balance(b, body);
        if (!sw_correcting_part(b, body, error))
            return false;
    }
    return add_contacts(b, body, error);
}

void sw_nodes_start(const swNode *node, int n, const swStart *s, swReal *q, swReal *v) {
    const swVec3 spin = s->spin;
    const swMat3 R = s->place.A, W = {{0, -spin.z, spin.y, spin.z, 0, -spin.x, -spin.y, spin.x, 0}},
                 WR = sw_mat_mul(W, R);
    for (; n > 0; n--, node++) {
        const bool free = node->u >= 0; // vertices that free handles carry as well
        swReal *A = q + node->q, *V = v + node->q;
        const swVec3 x = sw_add(sw_mul(R, node->origin), s->place.b),
                     rate = sw_add(s->velocity, sw_mul(W, sw_sub(x, s->center)));
        for (int r = 0; r < 3; r++) {
            A[r * node->width] = sw_get(x, r);
            if (free && !sw_node_holds(node, r))
                V[r * node->width] = sw_get(rate, r);
            for (int c = 0; c < 3 && node->width >= 4; c++) {
                A[r * node->width + 1 + c] = R.m[3 * r + c];
                if (free)
                    V[r * node->width + 1 + c] = WR.m[3 * r + c];
            }
        }
    }
}

bool sw_build_start(swBuilder *b, swBodyBuild *body, swError *error) {
    swBodyInfo *info = &b->body.item[body->index];
    for (int i = 0; i < body->net.n; i++) {
        info->mass += body->net.weight[i];
        info->center = sw_madd(info->center, body->net.weight[i], body->net.X[i]);
    }
    for (int i = 0; i < body->grid.nvoxel && body->net.n == 0; i++) {
        const swVoxel *v = &body->grid.voxel[i];
        swReal mass = sw_voxel_mass(b, v);
        info->mass += mass;
        info->center = sw_madd(info->center, mass, v->centroid);
    }
    if (!sw_beams_weigh(b, body, &info->mass, &info->center, error))
        return false;
    info->center = sw_scale(1 / info->mass, info->center);
    const swAffine place = {body->R, body->t};
    const swStart start = {place, sw_affine_at(place, info->center), body->def->velocity,
                           body->def->spin};
    sw_nodes_start(b->node.item + body->first_node, body->nsite, &start, b->q0.item, b->v0.item);
    return sw_skeleton_start(b, body, error);
}

// The body that a probe is of; -1: there is none of that name.
static int owner_of(const swModelBuild *w, const swProbe *p) {
    for (int i = 0; i < w->nbody; i++)
        if (!p->body || sw_text_equal(w->def[i]->name, p->body))
            return i;
    return -1;
}

bool sw_build_probes(swModelBuild *w, swBuilder *b, const swBodyBuild *body, swError *error) {
    int index = 0;
    for (const swProbe *p = w->scene->probes; p; p = p->next, index++) {
        const int at = owner_of(w, p);
        int far = 0;
        if (at < 0)
            return sw_fail(error, SW_ERROR_VALUE, "probes[%d].body: no body is named \"%s\"", index,
                           p->body);
        if (w->first[w->compiled[at]] != body->number)
            continue;
        if (!sw_build_points(b, body, 1, &p->point, -1, &far, error))
            return false;
        if (far && body->ncut > 0)
            sw_warn(b->config, "probes[%d]: \"%s\" was cut away; it goes with the nearest material",
                    index, p->name);
        else if (far)
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "probes[%d].point: (%.4g, %.4g, %.4g) is outside the body \"%s\"", index,
                           p->point.x, p->point.y, p->point.z,
                           w->def[at]->name ? w->def[at]->name : "");
        int *found = SW_EXTEND(&w->found, 2, &w->arena, error);
        if (!found)
            return false;
        found[0] = index;
        found[1] = b->point.count - 1;
    }
    return true;
}

// The first body of that name.
static int body_of(const swModelBuild *w, const char *name) {
    int i = 0;
    while (i < w->nbody && !sw_text_equal(w->def[i]->name, name))
        i++;
    return i;
}

bool sw_build_joints(swModelBuild *w, swBuilder *b, const swBodyBuild *body, swError *error) {
    int index = 0;
    for (const swJoint *j = w->scene->joints; j; j = j->next, index++)
        for (int end = 0; end < 2; end++) {
            const int at = body_of(w, end ? j->to : j->body);
            if (w->first[w->compiled[at]] != body->number)
                continue;
            swMat3 R;
            swVec3 t;
            int far = 0;
            sw_pose_matrix(&w->def[at]->place, &R, &t);
            const swVec3 p = sw_mul(sw_mat_t(R), sw_sub(j->at, t));
            if (!sw_build_points(b, body, 1, &p, -1, &far, error))
                return false;
            if (far)
                return sw_fail(error, SW_ERROR_GEOMETRY,
                               "joints[%d].at: (%.4g, %.4g, %.4g) is outside the body \"%s\"",
                               index, j->at.x, j->at.y, j->at.z, w->def[at]->name);
            int *found = SW_EXTEND(&w->jointed, 3, &w->arena, error);
            if (!found)
                return false;
            found[0] = index;
            found[1] = end;
            found[2] = b->point.count - 1;
        }
    return true;
}

bool sw_build_joint_list(swModelBuild *w, swError *error) {
    for (const swJoint *j = w->scene->joints; j; j = j->next) {
        swJointInfo *info = SW_EXTEND(&w->joint, 1, &w->arena, error);
        if (!info)
            return false;
        *info = (swJointInfo){.name = sw_build_word(w, j->name, error),
                              .body = {body_of(w, j->body), body_of(w, j->to)},
                              .stiffness = j->stiffness};
        if (info->name < 0)
            return false;
    }
    for (int i = 0; i < w->jointed.count; i += 3)
        w->joint.item[w->jointed.item[i]].point[w->jointed.item[i + 1]] = w->jointed.item[i + 2];
    return true;
}

bool sw_build_probe_list(swModelBuild *w, swError *error) {
    int index = 0;
    for (const swProbe *p = w->scene->probes; p; p = p->next, index++) {
        swProbeInfo *info = SW_EXTEND(&w->probe, 1, &w->arena, error);
        if (!info)
            return false;
        *info = (swProbeInfo){.name = sw_build_word(w, p->name ? p->name : "", error),
                              .body = owner_of(w, p)};
        for (int i = 0; i < w->found.count; i += 2)
            if (w->found.item[i] == index)
                info->point = w->found.item[i + 1];
        if (info->name < 0)
            return false;
    }
    return true;
}
