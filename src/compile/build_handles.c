// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Handles: parts of the body carried rigidly. Those the scene asks for, by regions or labels, and
// every connected piece of material so stiff that it does not deform.
#include "compile/skeleton.h"

#include "math/sets.h"
#include "geometry/labels.h"

#include <string.h>

enum { SPECK = 8 };     // cells: smaller pieces are no parts of their own
#define RIGID_RATIO 1e4 // times the softest: rigid

typedef struct {
    swBuilder *b;
    swBodyBuild *body;
    char *mark;    // per lattice node: taken by a handle
    swReal *share; // per lattice node: volume of the handle's material around it
} swHandles;

static const swMaterial *material_def(const swBuilder *b, int index) {
    const swMaterial *d = b->scene->materials;
    while (index-- > 0 && d->next) // those of files come after them, and are like the last
        d = d->next;
    return d;
}

swReal sw_build_young(const swBuilder *b, const swVoxel *v) {
    return b->material.item[v->material].young * v->stiffness;
}

swReal sw_build_softest(const swBuilder *b, const swGrid *grid) {
    swReal softest = INFINITY;
    for (int v = 0; v < grid->nvoxel; v++)
        softest = sw_min(softest, sw_build_young(b, &grid->voxel[v]));
    return softest;
}

bool sw_build_is_rigid(const swBuilder *b, const swBodyBuild *body, const swVoxel *v,
                       swReal softest) {
    // In a row of frames a handle takes whole sections: only those that were asked for.
    const swRigid rigid = material_def(b, v->material)->rigid;
    const swStiffParts parts = body->kind->parts;
    return (rigid == SW_RIGID_ALWAYS && parts != SW_PARTS_NONE) ||
           (rigid == SW_RIGID_AUTO && parts == SW_PARTS_FOUND &&
            !sw_weights_find(body->def->frames.weights.kind)->row &&
            sw_build_young(b, v) >= RIGID_RATIO * softest);
}

// ---- regions ----

// The part of a voxel's filled box inside the bounds of a region; false where there is none. Where
// the region has no thickness the part is flat; where it has, a part that only touches it counts
// when `touching`.
static bool clip(const swVoxel *v, swVec3 lo, swVec3 hi, swReal tolerance, bool touching,
                 swVec3 *from, swVec3 *to, swReal *measure) {
    *measure = 1;
    for (int k = 0; k < 3; k++) {
        swReal a = sw_max(sw_get(v->lo, k), sw_get(lo, k)),
               b = sw_min(sw_get(v->hi, k), sw_get(hi, k));
        const bool flat = sw_get(hi, k) - sw_get(lo, k) <= tolerance;
        if (b < a - tolerance || (b < a + tolerance && !flat && !touching))
            return false;
        if (b < a)
            a = b = 0.5 * (a + b);
        sw_set(from, k, a);
        sw_set(to, k, b);
        *measure *= sw_max(b - a, tolerance);
    }
    return true;
}

// Adds what region `site` takes of each voxel: centre (times the sum of measures, returned),
// bounds, lattice nodes.
static swReal gather_part(const swBodyBuild *body, swSite *site, bool touching, char *mark,
                          swVec3 *sum) {
    const swGrid *g = &body->grid;
    const swLattice *l = &body->lattice;
    const swReal tolerance = 1e-6 * g->h;
    swVec3 lo, hi;
    swReal total = 0;
    sw_solid_bounds(site->region, &lo, &hi);
    for (int v = 0; v < g->nvoxel; v++) {
        swVec3 from = {0, 0, 0}, to = {0, 0, 0};
        swReal measure;
        if (!clip(&g->voxel[v], lo, hi, tolerance, touching, &from, &to, &measure))
            continue;
        swVec3 middle = sw_lerp(from, to, 0.5);
        if (sw_solid_distance(site->region, middle) > tolerance)
            continue;
        *sum = sw_madd(*sum, measure, middle);
        total += measure;
        site->lo = sw_min3(site->lo, from);
        site->hi = sw_max3(site->hi, to);
        int c = l->index[g->voxel[v].cell];
        for (int k = 0; k < 8; k++)
            if (sw_solid_distance(site->region, l->X[l->corner[8 * c + k]]) <= 0.5 * g->h)
                mark[l->corner[8 * c + k]] = 1;
    }
    return total;
}

static void open_bounds(swSite *site) {
    site->lo = sw_v3(INFINITY, INFINITY, INFINITY);
    site->hi = sw_v3(-INFINITY, -INFINITY, -INFINITY);
}

// What of the body a handle's region touches: centre, bounds and lattice nodes (marked).
static bool select_region(const swHandles *h, swSite *site, swError *error) {
    const swGrid *g = &h->body->grid;
    swVec3 sum = {0, 0, 0};
    open_bounds(site);
    swReal total = gather_part(h->body, site, false, h->mark, &sum);
    if (total == 0)
        total = gather_part(h->body, site, true, h->mark, &sum);
    if (total == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY,
                       "%s.region: selects nothing of the body, which fills [%.4g, %.4g] x [%.4g, "
                       "%.4g] x [%.4g, %.4g]",
                       site->key, g->lo.x, g->hi.x, g->lo.y, g->hi.y, g->lo.z, g->hi.z);
    site->origin = sw_scale(1 / total, sum);
    return true;
}

// Whether the middle of a voxel is in a region.
static bool holds(const swSolid *region, const swGrid *g, const swVoxel *v) {
    swVec3 lo, hi;
    sw_solid_bounds(region, &lo, &hi);
    const swVec3 out = sw_max3(sw_sub(lo, v->centroid), sw_sub(v->centroid, hi));
    const swReal slack = 1e-6 * g->h;
    return sw_max(out.x, sw_max(out.y, out.z)) <= slack &&
           sw_solid_distance(region, v->centroid) <= slack;
}

// Two handles cannot both carry the same material, nor can rigid parts that touch move apart.
static bool check_overlap(const swBodyBuild *body, int count, swError *error) {
    const swGrid *g = &body->grid;
    const swSite *handle = body->handles.item;
    for (int v = 0; v < g->nvoxel; v++)
        for (int i = 0; g->voxel[v].owner >= 0 && i < count; i++)
            if (i != g->voxel[v].owner && handle[i].region &&
                holds(handle[i].region, g, &g->voxel[v]))
                return sw_fail(error, SW_ERROR_GEOMETRY,
                               "%s and %s: two handles select the same material, near (%.4g, %.4g, "
                               "%.4g)",
                               handle[g->voxel[v].owner].key, handle[i].key, g->voxel[v].centroid.x,
                               g->voxel[v].centroid.y, g->voxel[v].centroid.z);
    const swReal tolerance = 1e-6 * g->h;
    for (int j = 1; j < count; j++)
        for (int i = 0; i < j && handle[j].region; i++)
            for (int v = 0; v < g->nvoxel && handle[i].region; v++) {
                swVec3 lo, hi, from, to;
                swReal measure;
                sw_solid_bounds(handle[i].region, &lo, &hi);
                if (!clip(&g->voxel[v], lo, hi, tolerance, true, &from, &to, &measure))
                    continue;
                const swVoxel part = {.lo = from, .hi = to};
                sw_solid_bounds(handle[j].region, &lo, &hi);
                if (!clip(&part, lo, hi, tolerance, true, &from, &to, &measure))
                    continue;
                const swVec3 p = sw_lerp(from, to, 0.5);
                if (sw_solid_distance(handle[i].region, p) > tolerance ||
                    sw_solid_distance(handle[j].region, p) > tolerance)
                    continue;
                return sw_fail(error, SW_ERROR_GEOMETRY,
                               "%s and %s: two handles select the same material, or touch, near "
                               "(%.4g, %.4g, %.4g)",
                               handle[i].key, handle[j].key, p.x, p.y, p.z);
            }
    return true;
}

// ---- parts of voxels ----

// Bounds, and for a handle without a region the centre, of the voxels that handle `index` owns.
static swReal measure_owned(const swGrid *g, int index, swSite *site) {
    swVec3 sum = {0, 0, 0};
    swReal volume = 0;
    for (int v = 0; v < g->nvoxel; v++) {
        const swVoxel *x = &g->voxel[v];
        if (x->owner != index)
            continue;
        volume += x->volume;
        sum = sw_madd(sum, x->volume, x->centroid);
        site->lo = sw_min3(site->lo, x->lo);
        site->hi = sw_max3(site->hi, x->hi);
    }
    if (volume > 0 && !site->region)
        site->origin = sw_scale(1 / volume, sum);
    return volume;
}

static bool select_labels(const swHandles *h, const swShape *region, int index, swSite *site,
                          swError *error) {
    const swGrid *g = &h->body->grid;
    open_bounds(site);
    for (int v = 0; v < g->nvoxel; v++) {
        swVoxel *x = &g->voxel[v];
        if (x->label == SW_NO_LABEL || !sw_labels_has(region->label, x->label))
            continue;
        if (x->owner >= 0)
            return sw_fail(error, SW_ERROR_GEOMETRY, "%s and %s: two handles select label %d",
                           h->body->handles.item[x->owner].key, site->key, x->label);
        x->owner = index;
    }
    if (measure_owned(g, index, site) == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY,
                       "%s.region.label: nothing of the body has the label %s", site->key,
                       region->label);
    return true;
}

// The lattice nodes of a handle: those marked by its region, and those with mostly its own voxels
// around. A part smaller than that has the node nearest to its centre.
static bool list_nodes(const swHandles *h, int index, swSite *site, swError *error) {
    const swGrid *g = &h->body->grid;
    const swLattice *l = &h->body->lattice;
    int *node = SW_NEW(&h->b->arena, l->n, int, error);
    swReal *gap = SW_NEW(&h->b->arena, l->n, swReal, error);
    if (!node || !gap)
        return false;
    memset(h->share, 0, (size_t)l->n * sizeof *h->share);
    for (int v = 0; v < g->nvoxel; v++)
        for (int k = 0; k < 8 && g->voxel[v].owner == index; k++)
            h->share[l->corner[8 * l->index[g->voxel[v].cell] + k]] += g->voxel[v].volume / 8;
    int nearest = -1;
    const bool bone = index - h->body->first_bone >= 0 &&
                      index - h->body->first_bone < h->body->nbone; // thin: all around it is held
    const swReal least = bone ? 1e-6 : 0.499999;
    for (int i = 0; i < l->n; i++) {
        if (h->mark[i] == 2) // another handle's
            continue;
        if (h->mark[i] == 1 || h->share[i] > least * l->volume[i])
            node[site->nnode++] = i;
        if (nearest < 0 ||
            sw_norm2(sw_sub(l->X[i], site->origin)) < sw_norm2(sw_sub(l->X[nearest], site->origin)))
            nearest = i;
    }
    if (site->nnode == 0 && nearest >= 0)
        node[site->nnode++] = nearest;
    for (int i = 0; i < site->nnode; i++) {
        h->mark[node[i]] = 2;
        if (site->region && h->share[node[i]] == 0)
            gap[i] = sw_max(0, sw_solid_distance(site->region, l->X[node[i]]));
    }
    site->node = node;
    site->gap = gap;
    return true;
}

// ---- rigid pieces ----

// Rigid voxels of the same material and label that touch are one piece: each is given the lowest
// index of its piece; the others -1.
static void join_pieces(const swHandles *h, swReal softest, int *piece) {
    const swGrid *g = &h->body->grid;
    const int step[3] = {1, g->n[0], g->n[0] * g->n[1]};
    for (int v = 0; v < g->nvoxel; v++)
        piece[v] = sw_build_is_rigid(h->b, h->body, &g->voxel[v], softest) ? v : -1;
    for (int v = 0; v < g->nvoxel; v++) {
        const swVoxel *x = &g->voxel[v];
        for (int axis = 0; piece[v] >= 0 && axis < 3; axis++) {
            if (!(g->open[x->cell] & SW_OPEN_X << axis))
                continue;
            const int cell = x->cell + step[axis];
            for (int w = g->first[cell]; w < g->first[cell + 1]; w++) {
                const swVoxel *y = &g->voxel[w];
                if (piece[w] < 0 || y->material != x->material || y->label != x->label)
                    continue;
                sw_set_join(piece, v, w);
            }
        }
    }
    for (int v = 0; v < g->nvoxel; v++)
        piece[v] = piece[v] < 0 ? -1 : sw_set_find(piece, v);
}

// A piece that a handle holds anywhere is held as a whole.
static bool join_held(const swHandles *h, const int *piece, int *held, swError *error) {
    const swGrid *g = &h->body->grid;
    const swSite *handle = h->body->handles.item;
    for (int v = 0; v < g->nvoxel; v++) {
        int by = g->voxel[v].owner;
        for (int i = 0; by < 0 && piece[v] >= 0 && i < h->body->handles.count; i++)
            if (handle[i].region && holds(handle[i].region, g, &g->voxel[v]))
                by = i;
        if (by < 0 || piece[v] < 0)
            continue;
        if (held[piece[v]] && held[piece[v]] != by + 1)
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "%s and %s hold the same rigid piece of \"%s\"",
                           handle[held[piece[v]] - 1].key, handle[by].key,
                           material_def(h->b, g->voxel[v].material)->name);
        held[piece[v]] = by + 1;
    }
    return true;
}

static swSite *add_site(const swHandles *h, const char *key, swError *error) {
    swSite *site = SW_EXTEND(&h->body->handles, 1, &h->b->arena, error);
    if (site) {
        *site = (swSite){.cell = -1, .key = sw_arena_text(&h->b->arena, key, strlen(key), error)};
        if (!site->key)
            return NULL;
    }
    return site;
}

static bool add_def(const swHandles *h, const swHandle *def, swError *error) {
    const swHandle **to = SW_EXTEND(&h->body->handle_defs, 1, &h->b->arena, error);
    if (to)
        *to = def;
    return to != NULL;
}

// Bones of the skeleton are handles of their own, which hold voxels already.
static bool add_bones(const swHandles *h, swError *error) {
    swBuilder *b = h->b;
    swBodyBuild *body = h->body;
    swGrid *g = &body->grid;
    if (!sw_skeleton_read(b, body, error))
        return false;
    if (!body->skeleton)
        return true;
    for (int v = 0; v < g->nvoxel; v++)
        for (int i = 0; i < body->handles.count && g->voxel[v].owner < 0; i++)
            if (body->handles.item[i].region &&
                holds(body->handles.item[i].region, g, &g->voxel[v]))
                g->voxel[v].owner = i;
    body->first_bone = body->handles.count;
    if (!sw_skeleton_fill(b, body, body->first_bone, error))
        return false;
    for (int i = 0; i < body->skeleton->nbone; i++) {
        const swBone *bone = &body->skeleton->bone[i];
        char key[192];
        if (bone->handle < 0)
            continue;
        snprintf(key, sizeof key, "the bone \"%.120s\" of %s", bone->name, body->key);
        swHandle *def = SW_NEW(&b->arena, 1, swHandle, error);
        swSite *site = def ? add_site(h, key, error) : NULL;
        if (!site || !add_def(h, def, error))
            return false;
        def->name = bone->name;
        def->motion = bone->soft                  ? SW_MOTION_FREE
                      : body->skeleton->clip >= 0 ? SW_MOTION_KEYS
                                                  : SW_MOTION_FIXED;
        open_bounds(site);
        measure_owned(g, bone->handle, site);
    }
    body->nbone = body->handles.count - body->first_bone;
    return sw_skeleton_track(b, body, error);
}

// A free handle for a rigid piece, named by its material and label.
static bool add_piece(const swHandles *h, const swVoxel *v, int number, swError *error) {
    char name[128], key[192];
    swHandle *def = SW_NEW(&h->b->arena, 1, swHandle, error);
    const char *material = material_def(h->b, v->material)->name;
    if (v->label != SW_NO_LABEL)
        snprintf(name, sizeof name, "%.80s %d", material, v->label);
    else
        snprintf(name, sizeof name, "%.80s", material);
    for (int i = 0, again = 1; i < h->body->handle_defs.count; i++)
        if (sw_text_equal(h->body->handle_defs.item[i]->name, name)) {
            snprintf(name, sizeof name, "%.80s %d.%d", material,
                     v->label == SW_NO_LABEL ? number : v->label, ++again);
            i = -1;
        }
    snprintf(key, sizeof key, "the rigid part \"%s\" of %s", name, h->body->key);
    swSite *site = def ? add_site(h, key, error) : NULL;
    if (!site)
        return false;
    open_bounds(site);
    def->motion = SW_MOTION_FREE;
    def->name = sw_arena_text(&h->b->arena, name, strlen(name), error);
    return def->name && add_def(h, def, error);
}

// Pieces of rigid material become owned voxels: of the handle that holds them, else of a free one
// of their own. Specks become as soft as the softest.
static bool own_pieces(const swHandles *h, swError *error) {
    const swGrid *g = &h->body->grid;
    swArena *arena = &h->b->arena;
    int *piece = SW_NEW(arena, g->nvoxel, int, error), *held = SW_NEW(arena, g->nvoxel, int, error);
    swReal *volume = SW_NEW(arena, g->nvoxel, swReal, error);
    if (!piece || !held || !volume)
        return false;
    const swReal softest = sw_build_softest(h->b, g);
    const int explicit = h->body->handles.count;
    int specks = 0, soft = 0; // the softest material
    for (int v = 0; v < g->nvoxel; v++)
        soft = sw_build_young(h->b, &g->voxel[v]) == softest ? g->voxel[v].material : soft;
    join_pieces(h, softest, piece);
    if (!join_held(h, piece, held, error))
        return false;
    for (int v = 0; v < g->nvoxel; v++)
        if (piece[v] >= 0)
            volume[piece[v]] += g->voxel[v].volume;
    for (int v = 0; v < g->nvoxel; v++) {
        const int p = piece[v];
        if (p < 0)
            continue;
        const bool speck = !held[p] && volume[p] < SPECK * g->h * g->h * g->h;
        specks += speck && p == v;
        if (speck) {
            g->voxel[v].stiffness *= softest / sw_build_young(h->b, &g->voxel[v]);
            g->voxel[v].stuff = soft;
            if (h->body->lattice.young) // for distances it is soft as well
                h->body->lattice.young[h->body->lattice.index[g->voxel[v].cell]] = softest;
            continue;
        }
        if (!held[p]) {
            if (!add_piece(h, &g->voxel[v], h->body->handles.count - explicit + 1, error))
                return false;
            held[p] = h->body->handles.count;
        }
        g->voxel[v].owner = held[p] - 1;
    }
    for (int i = explicit; i < h->body->handles.count; i++)
        measure_owned(g, i, &h->body->handles.item[i]);
    int parts = h->body->handles.count - explicit;
    if (parts > 0)
        sw_info(h->b->config,
                parts == 1 ? "%s: %d stiff part moves as a rigid one, a free handle"
                           : "%s: %d stiff parts move as rigid ones, each a free handle",
                h->body->key, parts);
    if (specks)
        sw_warn(
            h->b->config,
            "%s: stiff specks of less than %d voxels (%d of them) are taken to be as soft as what "
            "is softest: too small to be rigid parts",
            h->body->key, SPECK, specks);
    return true;
}

bool sw_build_handles(swBuilder *b, swBodyBuild *body, swError *error) {
    swHandles h = {b, body, SW_NEW(&b->arena, body->lattice.n, char, error),
                   SW_NEW(&b->arena, body->lattice.n, swReal, error)};
    if (!h.mark || !h.share)
        return false;
    for (int v = 0; v < body->grid.nvoxel; v++)
        body->grid.voxel[v].owner = -1;
    for (const swHandle *d = body->def->handles; d; d = d->next) {
        const int i = body->handles.count;
        char key[96], region[128];
        snprintf(key, sizeof key, "%s.handles[%d]", body->key, i);
        snprintf(region, sizeof region, "%s.region", key);
        swSite *site = add_site(&h, key, error);
        if (!site || !add_def(&h, d, error))
            return false;
        if (!d->region)
            return sw_fail(error, SW_ERROR_VALUE, "%s: expected a region, found none", key);
        if (d->region->kind == SW_SHAPE_LABEL) {
            if (!select_labels(&h, d->region, i, site, error))
                return false;
            continue;
        }
        site->region =
            sw_solid_create(d->region, b->scene->folder, region, b->config, &b->arena, error);
        if (!site->region)
            return false;
    }
    const int explicit = body->handles.count;
    if (!add_bones(&h, error) || !own_pieces(&h, error))
        return false;
    for (int i = 0; i < body->handles.count; i++) {
        swSite *site = &body->handles.item[i];
        for (int k = 0; k < body->lattice.n; k++)
            h.mark[k] = h.mark[k] == 1 ? 0 : h.mark[k];
        if (site->region && !select_region(&h, site, error))
            return false;
        if (site->region)
            measure_owned(&body->grid, i, site);
        if (!list_nodes(&h, i, site, error))
            return false;
    }
    return check_overlap(body, explicit, error);
}

void sw_build_owners(swBodyBuild *body) {
    const swGrid *g = &body->grid;
    const int first = body->nsite - body->nhandle;
    for (int v = 0; v < g->nvoxel; v++) {
        swVoxel *x = &g->voxel[v];
        for (int i = 0; x->owner < 0 && i < body->nhandle; i++)
            if (body->handles.item[i].region && holds(body->handles.item[i].region, g, x))
                x->owner = i;
        x->owner = x->owner < 0 ? -1 : first + x->owner;
    }
}
