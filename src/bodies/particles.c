// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies of particles: their positions, their shape functions at Gauss points, and how much each
// handle rotates each particle.
#include "compile/build.h"

#include "cubature/cloud.h"
#include "material/law.h"
#include "frames/scatter.h"
#include "weights/harmonic.h"

#include <stdlib.h>
#include <string.h>

// What make_nodes() passes on to make_forces(), in net->data.
typedef struct {
    swMls mls;
    swMlsSearch *search;
    int *handle; // the handle of each filled cell, or -1
    int ngauss;
    swGauss *gauss;
    swCloud cloud;
} swParticleBuild;

enum { FEW_CELLS = 4, ENOUGH_SAMPLES = 8 }; // per handle
static const swReal least_turn = 1e-4;      // smaller shares of a handle in a rotation are dropped

// ---- positions ----

// The handle that holds each filled cell, or -1. It must contain all corners of the cell; for a
// thin or small handle any corner is enough.
static int *find_cell_handles(swBuilder *b, const swBodyBuild *body, swError *error) {
    const swLattice *l = &body->lattice;
    int *of = SW_NEW(&b->arena, l->ncell, int, error), *mark = SW_NEW(&b->arena, l->n, int, error);
    if (!of || !mark)
        return NULL;
    for (int c = 0; c < l->ncell; c++)
        of[c] = -1;
    for (int i = 0; i < body->nhandle; i++) {
        const swSite *site = &body->handles.item[i];
        int found = 0;
        for (int k = 0; k < site->nnode; k++)
            mark[site->node[k]] = i + 1;
        for (int any = 0; any < 2 && found < FEW_CELLS; any++)
            for (int c = 0; c < l->ncell; c++) {
                int corners = 0;
                for (int k = 0; k < 8; k++)
                    corners += mark[l->corner[8 * c + k]] == i + 1;
                if (of[c] >= 0 || corners < (any ? 1 : 8))
                    continue;
                of[c] = i;
                found++;
            }
    }
    return of;
}

// Voxels on which particles may be placed.
typedef struct {
    int n;
    int *voxel;
    swVec3 *p;
    swReal volume;
} swCandidates;

static bool find_candidates(swBuilder *b, const swBodyBuild *body, const int *of, bool held,
                            swCandidates *out, swError *error) {
    const swGrid *g = &body->grid;
    *out = (swCandidates){.voxel = SW_NEW(&b->arena, g->nvoxel, int, error),
                          .p = SW_NEW(&b->arena, g->nvoxel, swVec3, error)};
    if (!out->voxel || !out->p)
        return false;
    for (int v = 0; v < g->nvoxel; v++) {
        if ((of[body->lattice.index[g->voxel[v].cell]] >= 0) != held)
            continue;
        out->p[out->n] = g->voxel[v].centroid;
        out->voxel[out->n++] = v;
        out->volume += g->voxel[v].volume;
    }
    return true;
}

// Keeps those of a handle's candidates that are at least `apart` from those kept before; returns
// the new count.
static int thin_out(const swBodyBuild *body, const int *of, const swCandidates *c, int handle,
                    swReal apart, int first, int *kept, int *all) {
    int n = first;
    *all = 0;
    for (int i = 0; i < c->n; i++) {
        if (of[body->lattice.index[body->grid.voxel[c->voxel[i]].cell]] != handle)
            continue;
        bool alone = true;
        for (int k = first; k < n && alone; k++)
            alone = sw_norm2(sw_sub(c->p[kept[k]], c->p[i])) >= apart * apart;
        if (alone)
            kept[n++] = i;
        ++*all;
    }
    return n;
}

// Samples held by handles are nearly as far apart as other particles, but each handle gets enough
// of them to rotate its surroundings as well.
static int choose_samples(const swBodyBuild *body, const int *of, const swCandidates *c,
                          swReal apart, int *kept) {
    int n = 0;
    for (int h = 0; h < body->nhandle; h++) {
        const int first = n;
        int all = 0;
        for (swReal d = apart; n == first || n - first < sw_min_int(all, ENOUGH_SAMPLES); d *= 0.7)
            if ((n = thin_out(body, of, c, h, d, first, kept, &all)) == first)
                break; // its region contains no voxel
    }
    return n;
}

static bool too_many(const swBodyBuild *body, const char *key, int asked, int room,
                     swError *error) {
    return sw_fail(error, SW_ERROR_VALUE,
                   "%s.particles.%s: expected at most %d, one for each voxel there, found %d; use "
                   "smaller voxels",
                   body->key, key, room, asked);
}

// Places particles on voxels: samples on voxels held by handles, the others elsewhere.
static bool place(swBuilder *b, swBodyBuild *body, const int *of, int *home, swError *error) {
    const swParticles *d = body->def->particles;
    const swGrid *g = &body->grid;
    swNet *net = &body->net;
    swCandidates held, other;
    if (!find_candidates(b, body, of, true, &held, error) ||
        !find_candidates(b, body, of, false, &other, error))
        return false;
    int *kept = SW_NEW(&b->arena, g->nvoxel, int, error), samples = d->samples;
    if (!kept)
        return false;
    if (samples > held.n)
        return too_many(body, "samples", samples, held.n, error);
    if (samples == 0)
        samples = choose_samples(body, of, &held, 0.8 * cbrt(g->volume / net->n), kept);
    else if (!sw_scatter(held.n, held.p, held.volume, samples, &b->arena, kept, error))
        return false;
    if (samples > net->n - 4)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.particles.count: expected at least %d, since handles hold %d of them, "
                       "found %d",
                       body->key, samples + 4, samples, net->n);
    if (d->count == 0 && isnan(d->spacing)) // of the voxels held by handles, only the samples count
        net->n = sw_min_int(net->n, other.n + samples);
    if (net->n - samples > other.n)
        return too_many(body, "count", net->n, other.n + samples, error);
    if (!sw_scatter(other.n, other.p, other.volume, net->n - samples, &b->arena, kept + samples,
                    error))
        return false;
    for (int i = 0; i < net->n; i++) {
        const swCandidates *from = i < samples ? &held : &other;
        net->X[i] = from->p[kept[i]];
        home[i] = body->lattice.index[g->voxel[from->voxel[kept[i]]].cell];
        net->held[i] = of[home[i]];
    }
    return true;
}

// ---- shape functions ----

static int locate(const swNet *net, swVec3 p, int *vertex, swReal *weight, bool *far) {
    const swParticleBuild *build = net->data;
    const swLattice *l = build->mls.lattice;
    const swGrid *g = l->grid;
    swMlsShape shape;
    int cell = sw_lattice_find(l, p, 2);
    *far = cell < 0;
    if (cell < 0)
        cell = sw_lattice_find(l, sw_max3(g->lo, sw_min3(p, g->hi)), g->n[0] + g->n[1] + g->n[2]);
    // Points out of reach of all particles use the weights at the nearest material.
    if (!sw_mls_shape(build->search, p, cell, false, &shape))
        sw_mls_shape(build->search, sw_lattice_clamp(l, cell, p), cell, false, &shape);
    for (int i = 0; i < shape.n; i++) {
        vertex[i] = shape.node[i];
        weight[i] = shape.phi[i];
    }
    return shape.n;
}

// Makes sure that enough particles reach every Gauss point and all of the surrounding cells.
static bool cover(swBuilder *b, swParticleBuild *build, swError *error) {
    const swLattice *l = build->mls.lattice;
    const int n = build->ngauss + l->n;
    swVec3 *p = SW_NEW(&b->arena, n, swVec3, error);
    int *cell = SW_NEW(&b->arena, n, int, error);
    if (!p || !cell)
        return false;
    for (int i = 0; i < build->ngauss; i++) {
        p[i] = build->gauss[i].p;
        cell[i] = build->gauss[i].cell;
    }
    for (int i = 0; i < l->n; i++) {
        p[build->ngauss + i] = l->X[i];
        cell[build->ngauss + i] = l->around[l->start[i]] / 8;
    }
    return sw_mls_cover(&build->mls, build->search, n, p, cell) ||
           sw_fail(error, SW_ERROR_GEOMETRY,
                   "part of the material has no particle: use more particles");
}

// The mass that each particle represents. Shape functions may be negative near the surface; if that
// leaves a particle without mass, only their positive part is used.
static void weigh(const swParticleBuild *build, int n, swReal *mass) {
    swReal least = 0, all = 0;
    for (int way = 0; way < 2 && !(least > 1e-3 * all / n); way++) {
        memset(mass, 0, (size_t)n * sizeof *mass);
        all = 0;
        for (int i = 0; i < build->ngauss; i++) {
            swReal sum = 0;
            for (int pass = 0; pass < 2; pass++)
                for (int e = build->cloud.start[i]; e < build->cloud.start[i + 1]; e++) {
                    const swReal phi = build->cloud.shape[4 * (int64_t)e],
                                 share = way == 0 ? phi : sw_max(phi, 0);
                    if (pass == 0)
                        sum += share;
                    else
                        mass[build->cloud.node[e]] += build->gauss[i].mass * share / sum;
                }
            all += build->gauss[i].mass;
        }
        least = INFINITY;
        for (int v = 0; v < n; v++)
            least = sw_min(least, mass[v]);
    }
}

// Cells of as many voxels as give about the requested number of Gauss points per particle. Returns
// 0 if one point per voxel is not enough to resist all motions.
static int cell_width(const swBodyBuild *body) {
    static const swReal fewest = 3; // per particle
    const swReal each = body->def->particles->points, n = body->net.n, have = body->lattice.ncell;
    return have < sw_min(fewest, each) * n ? 0 : sw_max_int(1, (int)cbrt(have / (each * n)));
}

// Particles use linear elasticity.
static bool check_materials(const swBuilder *b, const swBodyBuild *body, swError *error) {
    for (int v = 0; v < body->grid.nvoxel; v++) {
        const int index = body->grid.voxel[v].material;
        const swMaterialInfo *m = &b->material.item[index];
        const swLaw *law = sw_law_at(m->law);
        const char *name = b->text.item + m->name;
        if (!law->hookean)
            return sw_fail(error, SW_ERROR_VALUE,
                           "materials.%s.law: expected \"linear\" or \"corotated\" for particles, "
                           "whose stiffness is computed beforehand, found \"%s\"",
                           name, law->name);
        if (m->fibre_stiffness > 0 || m->fibre_strength > 0 || m->yield > 0)
            return sw_fail(error, SW_ERROR_VALUE,
                           "materials.%s: expected neither fibres nor yield for particles, whose "
                           "stiffness is computed beforehand",
                           name);
    }
    return true;
}

static bool make_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
    const swParticles *d = body->def->particles;
    swNet *net = &body->net;
    if (!check_materials(b, body, error))
        return false;
    const swReal asked = body->grid.volume / (d->spacing * d->spacing * d->spacing);
    if (asked > 1e6)
        return sw_fail(error, SW_ERROR_LIMIT,
                       "%s.particles.spacing: expected at most 1000000 particles, found %.3g",
                       body->key, asked);
    const int count = d->count > 0 ? d->count : sw_min_int(1000, body->grid.nvoxel);
    net->n = isnan(d->spacing) ? count : sw_max_int(8, (int)asked);
    swParticleBuild *build = SW_NEW(&b->arena, 1, swParticleBuild, error);
    swReal *density = SW_NEW(&b->arena, b->material.count, swReal, error);
    int *home = SW_NEW(&b->arena, net->n, int, error);
    net->X = SW_NEW(&b->arena, net->n, swVec3, error);
    net->weight = SW_NEW(&b->arena, net->n, swReal, error);
    net->held = SW_NEW(&b->arena, net->n, int, error);
    net->locate = locate;
    net->data = build;
    if (!build || !density || !home || !net->X || !net->weight || !net->held)
        return false;
    for (int i = 0; i < b->material.count; i++)
        density[i] = b->material.item[i].density;
    if (!(build->handle = find_cell_handles(b, body, error)) ||
        !place(b, body, build->handle, home, error) ||
        !sw_mls_create(&build->mls, &body->lattice, net->n, net->X, home, d->neighbours, &b->arena,
                       error) ||
        !(build->search = SW_NEW(&b->arena, 1, swMlsSearch, error)) ||
        !sw_mls_search_create(build->search, &build->mls, &b->arena, error) ||
        !sw_gauss_points(&body->lattice, cell_width(body), density, &b->arena, &build->gauss,
                         &build->ngauss, error) ||
        !cover(b, build, error) ||
        !sw_cloud_create(&build->mls, build->ngauss, build->gauss, b->pool, &b->arena,
                         &build->cloud, error))
        return false;
    weigh(build, net->n, net->weight);
    return sw_net_nodes(b, body, error);
}

// ---- elasticity ----

static bool add_points(swBuilder *b, const swBodyBuild *body, swParticleInfo *info,
                       swError *error) {
    const swParticleBuild *build = body->net.data;
    const int count = build->cloud.start[build->ngauss];
    const int64_t first = b->gauss_node.count;
    info->gauss = b->gauss.count;
    info->ngauss = build->ngauss;
    swGaussPoint *point = SW_EXTEND(&b->gauss, build->ngauss, &b->arena, error);
    int *node = point ? SW_EXTEND(&b->gauss_node, count, &b->arena, error) : NULL;
    swReal *shape = node ? SW_EXTEND(&b->gauss_shape, 4 * count, &b->arena, error) : NULL;
    if (!shape)
        return false;
    for (int i = 0; i < build->ngauss; i++) {
        const swGauss *g = &build->gauss[i];
        const swMaterialInfo *m = &b->material.item[g->material];
        point[i] = (swGaussPoint){.first = first + build->cloud.start[i],
                                  .count = build->cloud.start[i + 1] - build->cloud.start[i],
                                  .material = g->material,
                                  .volume = g->volume,
                                  .mu = g->stiffness * m->lame[0],
                                  .lambda = g->stiffness * m->lame[1] + m->volume};
        if (build->handle[g->cell] >= 0 && info->rotations == SW_ROTATIONS_DIFFUSION)
            point[i].hold = point[i].mu;
    }
    memcpy(node, build->cloud.node, (size_t)count * sizeof *node);
    memcpy(shape, build->cloud.shape, 4 * (size_t)count * sizeof *shape);
    return true;
}

static int compare(const void *a, const void *b) {
    const swTurnShare *x = a, *y = b;
    return x->weight > y->weight   ? -1
           : x->weight < y->weight ? 1
                                   : (x->handle > y->handle) - (x->handle < y->handle);
}

// Harmonic weights of the handles: the solution of the diffusion of each component of their
// quaternions, computed once.
static bool add_turns(swBuilder *b, const swBodyBuild *body, swParticleInfo *info, swError *error) {
    const swParticleBuild *build = body->net.data;
    const bool diffusion = info->rotations == SW_ROTATIONS_DIFFUSION;
    const int n = body->net.n, first_handle = b->handle.count - body->nhandle;
    swNodal nodal = {0};
    if (diffusion && body->nhandle == 0)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.particles.rotations: expected \"polar\" without handles, found "
                       "\"diffusion\"",
                       body->key);
    swReal *weight = SW_NEW(&b->arena, sw_max_int(body->nhandle, 1), swReal, error);
    info->turn = b->particle_turn.count;
    int64_t *start = SW_EXTEND(&b->particle_turn, n + 1, &b->arena, error);
    if (!weight || !start ||
        (diffusion && !sw_harmonic_create(&body->lattice, body->nhandle, body->handles.item, NULL,
                                          b->pool, &b->arena, &nodal, error)))
        return false;
    for (int v = 0; v <= n; v++) {
        start[v] = b->turn_share.count;
        if (!diffusion || v == n)
            continue;
        const int cell = build->mls.home[v];
        swReal N[8];
        memset(weight, 0, (size_t)body->nhandle * sizeof *weight);
        sw_lattice_shape(&body->lattice, cell, body->net.X[v], N, NULL);
        for (int k = 0; k < 8; k++) {
            const int node = body->lattice.corner[8 * cell + k];
            for (int e = nodal.start[node]; e < nodal.start[node + 1]; e++)
                weight[nodal.site[e]] += N[k] * nodal.value[e];
        }
        for (int i = 0; i < body->nhandle; i++) {
            if (body->net.held[v] >= 0 ? i != body->net.held[v] : weight[i] < least_turn)
                continue;
            swTurnShare *share = SW_EXTEND(&b->turn_share, 1, &b->arena, error);
            if (!share)
                return false;
            *share = (swTurnShare){first_handle + i, sw_max(weight[i], least_turn)};
        }
        qsort(b->turn_share.item + start[v], (size_t)(b->turn_share.count - start[v]),
              sizeof *b->turn_share.item, compare);
    }
    return true;
}

// Pairs up all particles that reach a common Gauss point; masses are lumped.
static bool add_pairs(swBuilder *b, const swBodyBuild *body, swError *error) {
    const swParticleBuild *build = body->net.data;
    const swCloud *c = &build->cloud;
    SW_LIST(swNetPair) pairs = {0};
    int *last = SW_NEW(&b->arena, body->net.n, int, error); // row that met each particle last
    int *first = SW_NEW(&b->arena, body->net.n + 2, int, error),
        *use = SW_NEW(&b->arena, c->start[build->ngauss], int, error);
    if (!last || !first || !use)
        return false;
    for (int i = 0; i < build->ngauss; i++)
        for (int e = c->start[i]; e < c->start[i + 1]; e++)
            first[c->node[e] + 2]++;
    for (int v = 2; v < body->net.n + 2; v++)
        first[v] += first[v - 1];
    for (int i = 0; i < build->ngauss; i++)
        for (int e = c->start[i]; e < c->start[i + 1]; e++)
            use[first[c->node[e] + 1]++] = i;
    for (int v = 0; v < body->net.n; v++) {
        swNetPair *own = SW_PUSH(&pairs, &b->arena, error);
        if (!own)
            return false;
        *own = (swNetPair){v, v, body->net.weight[v]};
        for (int u = first[v]; u < first[v + 1]; u++)
            for (int e = c->start[use[u]]; e < c->start[use[u] + 1]; e++) {
                const int other = c->node[e];
                if (other >= v || last[other] == v + 1)
                    continue;
                last[other] = v + 1;
                swNetPair *pair = SW_PUSH(&pairs, &b->arena, error);
                if (!pair)
                    return false;
                *pair = (swNetPair){v, other, 0};
            }
    }
    return sw_net_pairs(b, body, pairs.count, pairs.item, error);
}

// The rotation of a free handle is not known before a step. If particles took their rotation from
// it, that rotation would do work on strained material that nothing takes from the handle.
static int rotations_of(const swBodyBuild *body) {
    for (int i = 0; i < body->handle_defs.count; i++)
        if (body->handle_defs.item[i]->motion == SW_MOTION_FREE)
            return SW_ROTATIONS_POLAR;
    return (int)body->def->particles->rotations;
}

static bool make_forces(swBuilder *b, swBodyBuild *body, swError *error) {
    swParticleInfo info = {.body = body->index, .rotations = rotations_of(body)};
    if (!add_points(b, body, &info, error) || !add_turns(b, body, &info, error) ||
        !add_pairs(b, body, error))
        return false;
    swParticleInfo *to = SW_EXTEND(&b->particle, 1, &b->arena, error);
    if (to)
        *to = info;
    return to != NULL;
}

const swBodyKind sw_kind_particles = {.name = "particles",
                                      .nodes = make_nodes,
                                      .forces = make_forces,
                                      .points = sw_net_points,
                                      .load = sw_net_load};
