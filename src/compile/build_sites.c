// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Frames and handles, as sites of the weights and as nodes of the model.
#include "compile/cut.h"
#include "compile/skeleton.h"

#include "nodes/place.h"

#include <string.h>

// Frames given by the scene must be inside the body.
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
    if (cell < 0) { // of a frame that acts everywhere: the centre of a hollow body
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

// Frames in a row keep clear of those given and of the handles.
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
    const swReal fit = 2 * sw_norm(size) / body->grid.h; // half a voxel apart
    if (count > fit)
        return sw_fail(
            error, SW_ERROR_GEOMETRY,
            "%s.frames.count: %d frames in a row do not fit into voxels of %g m; at most "
            "%.0f do",
            body->key, count, body->grid.h, floor(fit));
    // Between affine frames sections turn twice as much as the frames' axes do. What is beyond the
    // last one moves with it alone and cannot: it would lock the bending of all the row.
    return sw_frames_row(&body->lattice, axis, f->nat + body->nhandle, taken, count,
                         f->kind == SW_NODE_AFFINE, &b->arena, at, error);
}

// Frames that act everywhere sit at the centre of mass; the others where the scene puts them, or by
// the distance that their weights go by.
static bool find_places(swBuilder *b, swBodyBuild *body, swVec3 *at, int *count, swError *error) {
    const swFrames *f = &body->def->frames;
    swPlacement p = {.nfixed = f->nat + body->nhandle, .count = *count, .error = f->error};
    swSource *fixed = SW_NEW(&b->arena, p.nfixed + 1, swSource, error);
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
    if (!isnan(f->error))
        sw_info(b->config, "%s: %d frames for an estimated error of %g", body->key, *count,
                f->error);
    return true;
}

static swVec3 center_of(const swGrid *g) {
    swVec3 sum = {0, 0, 0};
    for (int v = 0; v < g->nvoxel; v++)
        sum = sw_madd(sum, g->voxel[v].volume / g->volume, g->voxel[v].centroid);
    return sum;
}

static bool make_frames(swBuilder *b, swBodyBuild *body, swError *error) {
    enum { MOST = 1000 }; // where an error is asked for
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
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.frames.at: frames of \"%s\" weights act everywhere and have no places; "
                       "expected `count` alone",
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
    if (!everywhere && !find_places(b, body, at, &count, error))
        return false;
    for (int i = 0; i < count; i++)
        if (!make_frame(b, body, f->nat + i, everywhere ? center_of(&body->grid) : at[i], error))
            return false;
    // A piece that was cut off has a frame of its own, beside those asked for.
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
                  .nu = dual                         ? 8
                        : (int)kind == SW_NODE_MODES ? body->nmode
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

// Frames given in `at` come first, and may have kinds of their own.
static swNodeKind kind_of(const swFrames *f, int frame) {
    return frame < f->nkinds ? f->kinds[frame] : f->kind;
}

// Voxels end where weights have kinks, so that each sees one side of them.
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
                           "%s.frames.blend: dual quaternions blend rigid frames alone; expected "
                           "the kind \"rigid\", found another for frame %d",
                           body->key, i);
    if (body->def->mass != SW_MASS_FULL)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.mass: expected \"full\" with dual quaternions, found \"lumped\"",
                       body->key);
    return true;
}

static bool make_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
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

bool sw_build_sites(swBuilder *b, swBodyBuild *body, swError *error) {
    const swFrames *f = &body->def->frames;
    body->first_node = b->node.count;
    b->body.item[body->index].blend = (int)f->blend;
    if (!sw_build_handles(b, body, error))
        return false;
    body->nhandle = body->handles.count;
    const swBodyKind *kind = sw_build_kind(body->def);
    if (kind ? !kind->nodes(b, body, error) : !make_nodes(b, body, error))
        return false;
    b->body.item[body->index].node = body->first_node;
    b->body.item[body->index].nnode = b->node.count - body->first_node;
    if (!kind && (!sw_weights_create(&body->weights, &f->weights, b->scene->folder, &body->lattice,
                                     body->nsite, body->site, b->pool, &b->arena, error) ||
                  !split_voxels(b, body, error)))
        return false;
    sw_build_owners(body);
    return true;
}
