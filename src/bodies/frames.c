// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies moved by a few frames, each with its own weights.
#include "compile/cut.h"

#include "frames/place.h"

#include <string.h>

enum { BATCH = 64 }; // points whose weights are evaluated together

// ---- positions ----

// Frames given in the scene must be inside the body.
static bool check_frame(const swBodyBuild *body, int i, swVec3 at, swError *error) {
    const swReal slack = 1e-6 * body->grid.h;
    const swVec3 out = sw_max3(sw_sub(body->grid.lo, at), sw_sub(at, body->grid.hi));
    if (body->lattice.index[sw_grid_cell(&body->grid, at)] < 0 ||
        sw_max(out.x, sw_max(out.y, out.z)) > slack)
        return sw_fail(error, SW_ERROR_GEOMETRY,
                       "%s.frames.at[%d]: the frame at (%.4g, %.4g, %.4g) is outside the body",
                       body->key, i, at.x, at.y, at.z);
    return true;
}

static bool make_frame(swBuilder *b, swBodyBuild *body, int i, swVec3 at, swError *error) {
    const swLattice *l = &body->lattice;
    char key[96];
    int *node = SW_NEW(&b->arena, 8, int, error);
    snprintf(key, sizeof key, "frame %d of %s", i, body->key);
    const char *text = sw_arena_text(&b->arena, key, strlen(key), error);
    if (!node || !text)
        return false;
    int cell = sw_lattice_find(l, at, 1);
    if (cell < 0) { // a frame that acts everywhere, at the centre of a hollow body
        const swGrid *g = &body->grid;
        int nearest = 0;
        for (int v = 1; v < g->nvoxel; v++)
            if (sw_norm2(sw_sub(g->voxel[v].centroid, at)) <
                sw_norm2(sw_sub(g->voxel[nearest].centroid, at)))
                nearest = v;
        cell = l->index[g->voxel[nearest].cell];
    }
    const int nnode = sw_frame_nodes(l, cell, at, node);
    body->site[i] = (swSite){.origin = at, .cell = cell, .nnode = nnode, .node = node, .key = text};
    return true;
}

// Frames in a row keep clear of given frames and of handles.
static bool find_row(swBuilder *b, swBodyBuild *body, swVec3 *at, int count, swError *error) {
    const swFrames *f = &body->def->frames;
    const swVec3 axis = sw_weights_axis(&f->weights, &body->grid);
    swStretch *taken = SW_NEW(&b->arena, f->nat + body->nhandle + 1, swStretch, error);
    if (!taken)
        return false;
    for (int i = 0; i < f->nat + body->nhandle; i++) {
        const swSite *s = i < f->nat ? &body->site[i] : &body->handles.item[i - f->nat];
        const swVec3 lo = i < f->nat ? s->origin : s->lo, hi = i < f->nat ? s->origin : s->hi;
        for (int k = 0; k < 3; k++) {
            const swReal a = sw_get(axis, k) * sw_get(lo, k), c = sw_get(axis, k) * sw_get(hi, k);
            taken[i].lo += sw_min(a, c);
            taken[i].hi += sw_max(a, c);
        }
    }
    const swVec3 size = sw_sub(body->grid.hi, body->grid.lo);
    const swReal fit = 2 * sw_norm(size) / body->grid.h; // at least half a voxel apart
    if (count > fit)
        return sw_fail(
            error, SW_ERROR_GEOMETRY,
            "%s.frames.count: %d frames in a row do not fit into voxels of %g m; at most "
            "%.0f do",
            body->key, count, body->grid.h, floor(fit));
    // Between affine frames sections rotate twice as much as the frames' axes. A section beyond the
    // last frame moves only with that frame and cannot do so, which would lock the bending of the
    // whole row.
    return sw_frames_row(&body->lattice, axis, f->nat + body->nhandle, taken, count,
                         f->kind == SW_NODE_AFFINE, &b->arena, at, error);
}

// What tells the body from its mirror images: material and its stiffness, and what holds frames
// and handles, of which each is itself.
static bool find_mirrors(const swBuilder *b, swBodyBuild *body, int nat, swError *error) {
    const swGrid *g = &body->grid;
    const swReal softest = sw_build_softest(b, g), cell = g->h * g->h * g->h;
    int n = g->nvoxel;
    for (int i = 0; i < nat; i++)
        n += body->site[i].nnode;
    for (int i = 0; i < body->nhandle; i++)
        n += body->handles.item[i].nnode;
    swArena scratch;
    sw_arena_init(&scratch, &b->arena.allocator);
    swMark *mark = SW_NEW(&scratch, n, swMark, error), *to = mark;
    for (int i = 0; mark && i < g->nvoxel; i++) {
        const swVoxel *v = &g->voxel[i];
        const swMaterialInfo *m = &b->material.item[v->material];
        *to++ = (swMark){v->centroid,
                         v->volume * (1 + log(sw_build_young(b, v) / softest) +
                                      m->lame[0] / sw_build_young(b, v) +
                                      v->density * m->density / b->material.item[0].density)};
    }
    for (int i = 0; mark && i < nat + body->nhandle; i++) {
        const swSite *s = i < nat ? &body->site[i] : &body->handles.item[i - nat];
        for (int k = 0; k < s->nnode; k++)
            *to++ =
                (swMark){body->lattice.X[s->node[k]], cell * (i < nat ? 2 : 3 + 0.618 * (i - nat))};
    }
    if (mark)
        body->mirrors = sw_mirrors_find(g, n, mark);
    sw_arena_free(&scratch);
    return mark != NULL;
}

// Frames that act everywhere sit at the centre of mass. The others are where the scene puts them,
// or placed by the distance that their weights use.
static bool find_places(swBuilder *b, swBodyBuild *body, swVec3 *at, int *count, swError *error) {
    const swFrames *f = &body->def->frames;
    swPlacement p = {.nfixed = f->nat + body->nhandle, .count = *count, .error = f->error};
    swSource *fixed = SW_NEW(&b->arena, p.nfixed + 1, swSource, error);
    p.mirrors = &body->mirrors;
    if (!fixed || !sw_march_cost(&body->lattice, f->weights.distance, &b->arena, &p.cost, error))
        return false;
    for (int i = 0; i < p.nfixed; i++) {
        const swSite *s = i < f->nat ? &body->site[i] : &body->handles.item[i - f->nat];
        fixed[i] = (swSource){s->nnode, s->node};
    }
    p.fixed = fixed;
    const int asked = *count;
    if (sw_weights_find(f->weights.kind)->row)
        return find_row(b, body, at, *count, error);
    if (!sw_frames_place(&body->lattice, &p, &b->arena, at, count, error))
        return false;
    if (*count < asked && isnan(f->error) && body->ncut == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY,
                       "%s.frames.count: %d frames do not fit into voxels of %g m; at most %d do",
                       body->key, asked, body->grid.h, *count);
    if (!isnan(f->error) && *count == asked)
        sw_warn(b->config, "%s: frames.error: placed %d frames, the most possible by distance",
                body->key, *count);
    else if (!isnan(f->error))
        sw_info(b->config, "%s: %d frames for an error of %g, placed by distance", body->key,
                *count, f->error);
    return true;
}

static swVec3 center_of(const swGrid *g) {
    swVec3 sum = {0, 0, 0};
    for (int v = 0; v < g->nvoxel; v++)
        sum = sw_madd(sum, g->voxel[v].volume / g->volume, g->voxel[v].centroid);
    return sum;
}

static bool make_frames(swBuilder *b, swBodyBuild *body, swError *error) {
    enum { MOST = 50 }; // the most frames placed by distance
    const swFrames *f = &body->def->frames;
    const swWeightKind *kind = sw_weights_find(f->weights.kind);
    const bool everywhere = kind && kind->everywhere;
    int count = isnan(f->error) ? f->count : MOST;
    if (!isnan(f->error) && (everywhere || (kind && kind->row)))
        return sw_fail(
            error, SW_ERROR_VALUE,
            "%s.frames.error: expected `count` with \"%s\" weights, whose frames are not "
            "placed by distance",
            body->key, kind->name);
    swVec3 *at = SW_NEW(&b->arena, count + 1, swVec3, error);
    if (everywhere && f->nat > 0)
        return sw_fail(
            error, SW_ERROR_VALUE,
            "%s.frames.at: frames of \"%s\" weights act everywhere and have no positions; "
            "expected only `count`",
            body->key, kind->name);
    int npiece = 0;
    if (body->ncut > 0 && !sw_lattice_pieces(&body->lattice, &b->arena, &npiece, error))
        return false;
    int *lonely = SW_NEW(&b->arena, npiece + 1, int, error);
    body->site = SW_NEW(&b->arena, f->nat + count + npiece + body->nhandle + 1, swSite, error);
    if (!at || !lonely || !body->site)
        return false;
    for (int i = 0; i < f->nat; i++)
        if ((body->ncut == 0 && !check_frame(body, i, f->at[i], error)) ||
            !make_frame(b, body, i, f->at[i], error))
            return false;
    if (!find_mirrors(b, body, f->nat, error) ||
        (!everywhere && !find_places(b, body, at, &count, error)))
        return false;
    for (int i = 0; i < count; i++)
        if (!make_frame(b, body, f->nat + i, everywhere ? center_of(&body->grid) : at[i], error))
            return false;
    // A piece that was cut off gets a frame of its own, in addition to those requested.
    const int more = npiece > 0 ? sw_cut_lonely(body, f->nat + count, &b->arena, lonely, error) : 0;
    if (more < 0)
        return false;
    for (int i = 0; i < more; i++, count++)
        if (!make_frame(b, body, f->nat + count, body->grid.voxel[lonely[i]].centroid, error))
            return false;
    for (int i = 0; i < body->nhandle; i++)
        body->site[f->nat + count + i] = body->handles.item[i];
    body->nsite = f->nat + count + body->nhandle;
    return true;
}

// ---- nodes and weights ----

// Frames given in `at` come first and may have their own kinds.
static swNodeKind kind_of(const swFrames *f, int frame) {
    return frame < f->nkinds ? f->kinds[frame] : f->kind;
}

// Splits voxels where weights have kinks, so that each voxel sees one side only.
static bool split_voxels(swBuilder *b, swBodyBuild *body, swError *error) {
    int axis;
    swReal *plane = SW_NEW(&b->arena, 2 * body->nsite, swReal, error);
    if (!plane || !body->weights.kind->kinks)
        return plane != NULL;
    const int count = body->weights.kind->kinks(&body->weights, &axis, plane);
    return count == 0 || sw_grid_split(&body->grid, axis, count, plane, &b->arena, error);
}

static bool check_blend(const swBodyBuild *body, int nframe, swError *error) {
    const swFrames *f = &body->def->frames;
    const swWeightKind *kind = sw_weights_find(f->weights.kind);
    if (kind && kind->negative && body->def->mass != SW_MASS_FULL)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.mass: expected \"full\" with %s weights, which may be negative, found "
                       "\"lumped\"",
                       body->key, kind->name);
    if (f->blend != SW_BLEND_DUAL_QUATERNION)
        return true;
    for (int i = 0; i < nframe; i++)
        if (kind_of(f, i) != SW_NODE_RIGID)
            return sw_fail(error, SW_ERROR_VALUE,
                           "%s.frames.blend: dual quaternions only blend rigid frames; expected "
                           "the kind \"rigid\", found another for frame %d",
                           body->key, i);
    if (body->def->mass != SW_MASS_FULL)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.mass: expected \"full\" with dual quaternions, found \"lumped\"",
                       body->key);
    return true;
}

static bool add_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
    if (!make_frames(b, body, error))
        return false;
    const int nframe = body->nsite - body->nhandle;
    if (body->nsite == 0)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s: expected at least one frame or handle, found none", body->key);
    if (!check_blend(body, nframe, error))
        return false;
    for (int i = 0; i < nframe; i++)
        if (!sw_build_node(b, body, kind_of(&body->def->frames, i), SW_MOTION_FREE,
                           body->site[i].origin, error))
            return false;
    return sw_build_handle_nodes(b, body, error);
}

static bool make_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
    static const swReal fade = 2.6; // in voxels
    if (!add_nodes(b, body, error) ||
        !sw_weights_create(&body->weights, &body->def->frames.weights, b->scene->folder,
                           &body->lattice, body->nsite, body->site, b->pool, &b->arena, error))
        return false;
    // Bricks hold the true border of a handle. Frames that moved that border would slip over the
    // clamp.
    if (body->strains == SW_STRAINS_CORRECTED)
        body->weights.fade = fade * body->grid.h;
    return split_voxels(b, body, error);
}

static bool make_points(swBuilder *b, const swBodyBuild *body, int n, const swVec3 *p, int material,
                        int *far, swError *error) {
    int *site = SW_NEW(&b->arena, body->nsite, int, error);
    swReal *w = SW_NEW(&b->arena, BATCH * body->nsite, swReal, error);
    swReal *dw = SW_NEW(&b->arena, 3 * BATCH * body->nsite, swReal, error);
    if (!site || !w || !dw)
        return false;
    for (int first = 0; first < n; first += BATCH) {
        int count = sw_min_int(BATCH, n - first), cell[BATCH];
        for (int i = 0; i < count; i++) {
            cell[i] = sw_lattice_find(&body->lattice, p[first + i], SW_POINT_REACH);
            if (cell[i] < 0) {
                cell[i] = 0;
                if (far)
                    ++*far;
            }
        }
        sw_weights_evaluate(&body->weights, count, p + first, cell, w, dw);
        for (int i = 0; i < count; i++) {
            swReal *weight = w + i * body->nsite;
            const int carrier = material < 0 ? -1 : sw_build_carrier(body, material, p[first + i]);
            int near = 0;
            for (int s = 0; s < body->nsite; s++) {
                const swReal share = carrier >= 0 ? s == carrier : weight[s];
                if (share == 0)
                    continue;
                site[near] = s;
                weight[near++] = share;
            }
            if (!sw_build_point(b, body, p[first + i], near, site, weight, error))
                return false;
        }
    }
    return true;
}

// Based on the softest material that deforms.
static swReal contact_stiffness(const swBuilder *b, const swBodyBuild *body) {
    swReal softest = INFINITY;
    for (int g = 0; g < b->group.count; g++)
        softest = sw_min(softest, b->material.item[b->group.item[g].material].young);
    return (isinf(softest) ? b->material.item[0].young : softest) / body->grid.h;
}

const swBodyKind sw_kind_frames = {.name = "frames",
                                   .weights = true,
                                   .parts = SW_PARTS_FOUND,
                                   .nodes = make_nodes,
                                   .forces = sw_build_samples,
                                   .points = make_points,
                                   .contact = contact_stiffness};
