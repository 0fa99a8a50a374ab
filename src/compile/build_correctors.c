// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Strains that frames lack, computed on bricks for the body as a whole: correctors/correctors.h.
#include "compile/bricked.h"
#include "compile/correcting.h"

#include "kinematics/group.h"
#include "math/tangent.h"
#include "math/tiles.h"

#include <string.h>

enum {
    MODES = 6, // for each free frame, and each handle that moves
    MOST = SW_MAX_MODES - SW_SECOND_MODES
};

bool sw_sampling_corrected(const swSampling *s) { return s->body->strains == SW_STRAINS_CORRECTED; }

// ---- the skin ----

static void begin_voxel(void *context, int of_bricks) {
    swSkinReader *r = context;
    const swBodyBuild *body = r->s->body;
    const int voxel = r->home ? r->home[of_bricks] : of_bricks;
    r->cell = body->lattice.index[body->grid.voxel[voxel].cell];
}

static void skin_at(void *context, swVec3 p, swReal *N, swReal (*G)[3]) {
    const swSkinReader *r = context;
    const swBodyBuild *body = r->s->body;
    const int own = body->lattice.index[sw_grid_cell(&body->grid, p)],
              cell = own >= 0 ? own : r->cell; // voxels of bricks may reach into the next one
    sw_weights_evaluate(&body->weights, 1, &p, &cell, r->w, r->dw);
    for (int site = 0; site < r->s->body->nsite; site++) {
        const swReal w = r->w[site], *dw = r->dw + 3 * site;
        const swNode *node = sw_site_node(r->s, site);
        const int width = node->width, to = r->column[site];
        swReal m[SW_MAX_MONOMIALS], g[SW_MAX_MONOMIALS][3];
        sw_monomials(width, sw_sub(p, node->origin), m);
        for (int a = 0; a < width; a++)
            N[to + a] = w * m[a];
        if (!G)
            continue;
        sw_monomial_gradients(width, sw_sub(p, node->origin), g);
        for (int a = 0; a < width; a++)
            for (int x = 0; x < 3; x++)
                G[to + a][x] = dw[x] * m[a] + w * g[a][x];
    }
}

// Free frames come first, then handles that are free, moved, and fixed.
enum { FRAME, FREE, MOVED, FIXED, TURNS };
static int turn_of(const swSampling *s, int site) {
    const swNode *node = sw_site_node(s, site);
    return site < s->body->nsite - s->body->nhandle ? FRAME
           : node->ndof > 0                         ? FREE
           : node->motion != (int)SW_MOTION_FIXED   ? MOVED
                                                    : FIXED;
}

static bool number_columns(swSkinReader *r, swError *error) {
    const swSampling *s = r->s;
    int end[TURNS], n = 0;
    r->column = SW_NEW(&r->s->arena, s->body->nsite, int, error);
    r->order = SW_NEW(&r->s->arena, s->body->nsite, int, error);
    r->w = SW_NEW(&r->s->arena, s->body->nsite, swReal, error);
    r->dw = SW_NEW(&r->s->arena, 3 * (size_t)s->body->nsite, swReal, error);
    if (!r->column || !r->order || !r->w || !r->dw)
        return false;
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < s->body->nsite; i++)
            if (turn_of(s, i) == turn) {
                r->order[n++] = i;
                r->column[i] = r->ncolumn;
                r->ncolumn += sw_site_node(s, i)->width;
            }
        end[turn] = r->ncolumn;
    }
    r->nfree = end[FRAME];
    r->nsolved = end[FREE];
    r->nmoving = end[MOVED];
    return true;
}

// Frames move each column along each axis; rigid ones, and handles, move and turn.
static bool list_motions(swSkinReader *r, swError *error) {
    const swSampling *s = r->s;
    swSkinMotion *to = r->motion =
        SW_NEW(&r->s->arena, 3 * (size_t)r->nmoving, swSkinMotion, error);
    for (int i = 0; to && i < s->body->nsite; i++) {
        const int site = r->order[i], column = r->column[site];
        const swNode *node = sw_site_node(s, site);
        const bool rigid = turn_of(s, site) != FRAME || node->kind == SW_NODE_RIGID;
        const int count = rigid ? 6 : 3 * node->width;
        for (int k = 0; column < r->nmoving && k < count; k++, to++) {
            const swVec3 axis = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
            *to = rigid ? sw_skin_rigid(column, k) : (swSkinMotion){column + k / 3, 1, {axis}};
        }
        r->nmotion = (int)(to - r->motion);
        if (turn_of(s, site) == FRAME)
            r->nown = r->nmotion;
    }
    return r->motion != NULL;
}

// Of handles that move.
static bool find_drivers(const swSkinReader *skin, const swBodyBricks *b, swDriver **out, int *n,
                         swError *error) {
    const swSampling *s = skin->s;
    const int frames = s->body->nsite - s->body->nhandle;
    swDriver *driver = *out = SW_NEW(&skin->s->arena, s->body->nhandle, swDriver, error);
    for (int i = 0; driver && i < s->body->nhandle; i++) {
        const int site = frames + i, first = b->first_face[i];
        if (turn_of(s, site) != FIXED)
            driver[(*n)++] = (swDriver){first, b->first_face[i + 1] - first, skin->column[site],
                                        sw_site_node(s, site)->origin};
    }
    return driver != NULL;
}

// ---- loads ----

// Whether a body that has loads is held, so that it can answer them.
static bool has_held_loads(const swBodyBuild *body) {
    bool held = false;
    for (int i = 0; i < body->nhandle; i++)
        held = held || body->handle_defs.item[i]->motion != SW_MOTION_FREE;
    return held && body->def->loads;
}

// The character `part` of the body's mirror images: 1 or -1 for a flip.
static swReal parity(swVec3 flip, int part) {
    swReal sign = 1;
    for (int axis = 0; axis < 3; axis++)
        sign *= part & 1 << axis ? sw_get(flip, axis) : 1;
    return sign;
}

// Whether another part before this one is the same to all of the body's own flips.
static bool is_known(const swMirrors *m, int part) {
    for (int before = 0; before < part; before++) {
        bool same = true;
        for (int k = 0; k < m->n; k++)
            same = same && parity(m->flip[k], before) == parity(m->flip[k], part);
        if (same)
            return true;
    }
    return false;
}

// Loads on the bricks, in parts that are even or odd under each of the body's own mirror images:
// what the motions of a symmetric body can do has to be symmetric.
static bool find_loads(swSampling *s, const swBodyBricks *own, swReal **load, int *n,
                       swError *error) {
    static const swReal nothing = 1e-9;
    const swMirrors *m = &s->body->mirrors;
    const int nu = 3 * own->bricks.nnode;
    swReal *f = *load = SW_NEW(&s->arena, (size_t)m->n * (size_t)nu, swReal, error);
    swReal size[SW_FLIPS], largest = 0;
    int all = 0;
    for (int part = 0; f && part < SW_FLIPS; part++) {
        if (is_known(m, part))
            continue;
        for (int k = 0; k < m->n; k++)
            if (!sw_build_push_loads(s->b, s->body, own, m->flip[k],
                                     parity(m->flip[k], part) / m->n, f, error))
                return false;
        size[all] = sqrt(sw_dot_n(nu, f, f));
        largest = sw_max(largest, size[all++]);
        f += nu;
    }
    *n = 0;
    for (int k = 0; k < all; k++)
        if (size[k] > nothing * largest)
            memmove(*load + (ptrdiff_t)(*n)++ * nu, *load + (ptrdiff_t)k * nu,
                    (size_t)nu * sizeof *f);
    return f != NULL;
}

// ---- strains at points ----

int sw_correcting_brick(const swStrainPoints *p, int point) {
    return p->b->brick[p->b->grid->voxel[p->point[point].voxel].cell];
}

int sw_correcting_brick_end(const swStrainPoints *p, int first) {
    int end = first + 1;
    while (end < p->n && sw_correcting_brick(p, end) == sw_correcting_brick(p, first))
        end++;
    return end;
}

void sw_correcting_skin(const swStrainPoints *p, int point) {
    begin_voxel(p->skin, p->point[point].voxel);
    skin_at(p->skin, p->point[point].X, p->N, p->G);
}

// That of several which a merged point stands for, in turn.
static int member_of(const swStrainPoints *p, int point, int turn) {
    if (point < p->n)
        return point;
    const swMergedPoint *m = &p->merged[point - p->n];
    return m->point[turn % m->n];
}

static void find_strains(swStrainPoints *p, int count, const int *point, int turn) {
    swFieldPoint at[SW_FIELD_POINTS];
    for (int i = 0; i < count; i++) {
        const int member = member_of(p, point[i], turn);
        const swBrickPoint *own = &p->point[member];
        const swVoxel *v = &p->b->grid->voxel[own->voxel];
        at[i] = (swFieldPoint){own->X, p->b->brick[v->cell], v->stuff};
        sw_correcting_skin(p, member);
        sw_fields_skin(&p->fields, i, p->N, (const swReal(*)[3])p->G);
        if (p->second.n > 0)
            sw_fields_skin(&p->second.fields, i, p->N, (const swReal(*)[3])p->G);
    }
    sw_fields_at(&p->fields, count, at);
    if (p->second.n == 0)
        return;
    sw_second_at(&p->second, count, at);
    const int length = 6 * ((count + SW_LANES - 1) / SW_LANES);
    sw_tiles_combine(p->found->n - p->found->nfirst, length, p->second.pairs,
                     (swRows){p->found->share, p->second.pairs, 1},
                     (swRows){p->second.lack, SW_FIELD_STRAIN, SW_LANES},
                     p->fields.strain + (ptrdiff_t)p->found->nfirst * SW_FIELD_STRAIN,
                     SW_FIELD_STRAIN, false);
}

// What find_strains() finds.
typedef struct {
    swReal *value[5];
    size_t n[5];
} swFound;

static swFound list_found(const swStrainPoints *p) {
    const size_t nsite = (size_t)p->skin->s->body->nsite;
    return (swFound){{p->fields.strain, p->fields.skin, p->G[0], p->skin->w, p->skin->dw},
                     {(size_t)p->found->n * SW_FIELD_STRAIN,
                      (size_t)p->skin->nmoving * 3 * SW_FIELD_VECTORS * SW_LANES,
                      3 * (size_t)p->skin->ncolumn, nsite, 3 * nsite}};
}

void sw_correcting_strains(swStrainPoints *p, int count, const int *point) {
    int turns = 1;
    for (int i = 0; i < count; i++)
        if (point[i] >= p->n)
            turns = sw_max_int(turns, p->merged[point[i] - p->n].n);
    const swFound found = list_found(p);
    for (int turn = 0; turn < turns; turn++) {
        swReal *mean = p->mean;
        find_strains(p, count, point, turn);
        for (int k = 0; k < SW_COUNT(found.n) && turns > 1; mean += found.n[k++])
            for (size_t i = 0; i < found.n[k]; i++) {
                mean[i] = (turn > 0 ? mean[i] : 0) + found.value[k][i] / turns;
                if (turn == turns - 1)
                    found.value[k][i] = mean[i];
            }
    }
}

// Of one motion, of all points that sw_correcting_strains() was called for: out[vectors][6][lanes].
static void strain_of_motion(const swStrainPoints *p, const swSkinMotion *m, int vectors,
                             swReal *out) {
    for (int i = 0; i < vectors; i++) {
        swWide E[6];
        for (int e = 0; e < 6; e++)
            E[e] = sw_wide(0);
        for (int a = 0; a < m->n; a++) {
            const swReal *G =
                p->fields.skin + ((ptrdiff_t)(m->column + a) * SW_FIELD_VECTORS + i) * 3 * SW_LANES;
            for (int r = 0; r < 3; r++) {
                const swReal f = sw_get(m->f[a], r);
                for (int x = 0; f != 0 && x < 3; x++) {
                    const int e = sw_pair_at[3 * r + x];
                    E[e] = sw_wide_fma(sw_wide(r == x ? f : 0.5 * f),
                                       sw_wide_load(G + x * SW_LANES), E[e]);
                }
            }
        }
        for (int e = 0; e < 6; e++)
            sw_wide_store(out + (6 * i + e) * SW_LANES, E[e]);
    }
}

// As sw_points_choose() wants them, of motions of columns that move and of modes.
static void weigh_strains(void *context, int count, const int *point, swReal *out) {
    swStrainPoints *p = context;
    const int nq = p->skin->nmotion, n = nq + p->found->n,
              vectors = (count + SW_LANES - 1) / SW_LANES;
    swPointMatrices root;
    sw_matrices_clear(&root);
    for (int i = 0; i < count; i++) {
        const swVoxel *v = &p->b->grid->voxel[p->point[point[i]].voxel];
        sw_matrices_set(&root, i, sqrt(sw_brick_share(v, p->stuff)),
                        (const swReal(*)[6])p->root[v->stuff].of);
    }
    sw_correcting_strains(p, count, point);
    for (int k = 0; k < n; k++, out += SW_FIELD_STRAIN) {
        const swReal *own = k < nq ? out : p->fields.strain + (ptrdiff_t)(k - nq) * SW_FIELD_STRAIN;
        if (k < nq)
            strain_of_motion(p, &p->skin->motion[k], vectors, out);
        for (int i = 0; i < vectors; i++)
            sw_matrices_apply(&root, i, own + 6 * i * SW_LANES, out + 6 * i * SW_LANES);
    }
}

// Of the eight points of a voxel every other one, corners of a tetrahedron, have all that matters:
// its volume, centroid and second moments. Neighbours have the others, and so have mirror images;
// one that is its own has all. Where bricks are large the middle will do, unless points are of
// several voxels. Returns how many.
static int voxel_points(const swStrainPoints *p, int cell, int point[8]) {
    const swGrid *g = p->b->grid;
    const int at[3] = {cell % g->n[0], cell / g->n[0] % g->n[1], cell / g->n[0] / g->n[1]};
    int odd = 0, n = 0;
    bool middle = false;
    if (sw_bricks_large(p->b) && !p->b->merged)
        return 1;
    for (int k = 0; k < 3; k++) {
        const bool beyond = g->n[k] % 2 && at[k] > g->n[k] / 2;
        odd += beyond ? g->n[k] - at[k] : at[k];
        middle = middle || (g->n[k] % 2 && at[k] == g->n[k] / 2);
    }
    for (int k = 0; k < 8; k++)
        if (middle || ((k ^ k >> 1 ^ k >> 2) & 1) == (odd & 1))
            point[n++] = k;
    return n;
}

static bool find_points(swStrainPoints *p, swArena *arena, swError *error) {
    const swBricks *b = p->b;
    const int all = b->start[b->n];
    const swReal least = 1e-9 * b->grid->h * b->grid->h * b->grid->h; // less is rounding
    p->room = p->skin->s->body->mirrors.n > 1 ? 2 * all : all; // merged ones are fewer than others
    swBrickPoint *point = SW_NEW(arena, p->room, swBrickPoint, error);
    p->volume = SW_NEW(arena, p->room, swReal, error);
    p->N = SW_NEW(arena, p->skin->ncolumn, swReal, error);
    p->G = (swReal(*)[3])SW_NEW(arena, 3 * (size_t)p->skin->ncolumn, swReal, error);
    if (!point || !p->volume || !p->N || !p->G ||
        !sw_fields_create(&p->fields, b, p->found->n, p->found->u, p->skin->nmoving, p->found->c,
                          false, arena, error) ||
        !sw_second_create(&p->second, b, p->found->nsoft, p->found->soft_u, p->skin->nmoving,
                          p->found->soft_c, arena, error))
        return false;
    for (int k = 0; k < all; k += 8) {
        const swBrickPoint *own = b->point + k;
        int some[8];
        const int each = voxel_points(p, b->grid->voxel[own->voxel].cell, some);
        swReal volume;
        const swVec3 middle = sw_brick_middle(b, k, &volume);
        for (int i = 0; i < each && volume > least; i++) {
            point[p->n] = (swBrickPoint){.voxel = own->voxel,
                                         .volume = volume / each,
                                         .X = each == 1 ? middle : own[some[i]].X};
            p->volume[p->n] = point[p->n].volume;
            p->n++;
        }
    }
    p->point = point;
    const swFound found = list_found(p);
    size_t length = 0;
    for (int k = 0; k < SW_COUNT(found.n); k++)
        length += found.n[k];
    return (p->mean = SW_NEW(arena, length, swReal, error)) != NULL;
}

// ---- samples ----

// A node of modes that has the amplitudes, of unit mass.
static bool add_amplitudes(swSampling *s, int n, int *node, swError *error) {
    swBuilder *b = s->b;
    s->body->nmode = n;
    *node = b->node.count;
    if (!sw_build_node(b, s->body, (swNodeKind)SW_NODE_MODES, SW_MOTION_FREE,
                       sw_site_node(s, 0)->origin, error))
        return false;
    b->body.item[s->body->index].nnode++;
    swReducedInfo *info = SW_EXTEND(&b->reduced, 1, &b->arena, error);
    swNodePair *pair = info ? SW_EXTEND(&b->pair, 1, &b->arena, error) : NULL;
    if (!pair)
        return false;
    *pair = (swNodePair){*node, *node, -1};
    *info = (swReducedInfo){
        .body = s->body->index, .node = *node, .points = 1, .data = b->reduced_data.count};
    return SW_EXTEND(&b->reduced_data, (int)sw_reduced_inertia_size(n), &b->arena, error);
}

// Of the point whose skin was found last: gradients of columns, or weights of sites and their
// gradients.
static void set_gamma(const swStrainPoints *p, int nc, swReal *gamma) {
    const swSkinReader *r = p->skin;
    for (int e = 0; e < 3 * nc && !r->s->dual; e++)
        gamma[e * SW_LANES] = p->G[e % nc][e / nc];
    for (int i = 0; i < nc && r->s->dual; i++) {
        gamma[i * SW_LANES] = r->w[r->order[i]];
        for (int x = 0; x < 3; x++)
            gamma[((1 + x) * nc + i) * SW_LANES] = r->dw[3 * r->order[i] + x];
    }
}

// A group of the chosen points of one material.
static bool add_group(swStrainPoints *p, const swChosenPoints *chosen, int material, int node,
                      int *sample, swError *error) {
    swSampling *s = p->skin->s;
    swBuilder *b = s->b;
    const int nc = s->dual ? s->body->nsite : p->skin->ncolumn, n = p->found->n;
    int count = 0, nsolved = 0;
    for (int i = 0; i < s->body->nsite; i++)
        nsolved += sw_site_node(s, i)->ndof > 0;
    for (int k = 0; k < chosen->n; k++)
        count += p->b->grid->voxel[p->point[chosen->point[k]].voxel].stuff == material;
    const int nblock = (count + SW_LANES - 1) / SW_LANES;
    if (count == 0)
        return true;
    const swGroup group = {.body = s->body->index,
                           .material = p->law[material],
                           .node = b->group_node.count,
                           .nnode = s->body->nsite,
                           .ncolumn = nc,
                           .nfree = s->dual ? nsolved : p->skin->nsolved,
                           .blend = s->dual ? SW_BLEND_DUAL_QUATERNION : SW_BLEND_LINEAR,
                           .sample = b->sample_volume.count,
                           .nblock = nblock,
                           .gamma = b->gamma.count,
                           .plastic = b->material.item[material].yield > 0 ? b->size.nplastic : -1,
                           .stretch = -1,
                           .amplitudes = node,
                           .corrector = b->corrector.count};
    if (group.plastic >= 0)
        b->size.nplastic += (int64_t)nblock * SW_PLASTIC * SW_LANES;
    int *sites = SW_EXTEND(&b->group_node, s->body->nsite, &b->arena, error);
    swGroup *to = SW_EXTEND(&b->group, 1, &b->arena, error);
    swReal *volume = SW_EXTEND(&b->sample_volume, nblock * SW_LANES, &b->arena, error),
           *weight = SW_EXTEND(&b->sample_weight, nblock * SW_LANES, &b->arena, error),
           *gamma = SW_EXTEND(&b->gamma, nblock * sw_group_stride(&group), &b->arena, error),
           *strain = SW_EXTEND(&b->corrector, nblock * n * 6 * SW_LANES, &b->arena, error);
    swVec3 *place = SW_EXTEND(&b->sample_point, nblock * SW_LANES, &b->arena, error);
    if (!sites || !to || !volume || !weight || !gamma || !strain || !place)
        return false;
    *to = group;
    b->size.max_columns = sw_max_int((int)b->size.max_columns, nc);
    for (int i = 0; i < s->body->nsite; i++)
        *sites++ = s->body->first_node + p->skin->order[i];
    int last = 0;
    for (int i = 0, k = 0; i < nblock * SW_LANES; i++) { // the last is repeated without weight
        while (k < chosen->n &&
               p->b->grid->voxel[p->point[chosen->point[k]].voxel].stuff != material)
            k++;
        const bool some = k < chosen->n;
        if (some)
            sample[k] = group.sample + i;
        last = some ? k++ : last;
        const swBrickPoint *at = &p->point[chosen->point[last]];
        sw_correcting_strains(p, 1, &chosen->point[last]);
        place[i] = at->X;
        volume[i] = some ? chosen->volume[last] : 0;
        weight[i] = volume[i] * sw_brick_share(&p->b->grid->voxel[at->voxel], p->stuff);
        set_gamma(p, nc,
                  gamma + (ptrdiff_t)(i / SW_LANES) * sw_group_stride(&group) + i % SW_LANES);
        for (int e = 0; e < 6 * n; e++)
            strain[((ptrdiff_t)(i / SW_LANES) * 6 * n + e) * SW_LANES + i % SW_LANES] =
                p->fields.strain[e / 6 * SW_FIELD_STRAIN + e % 6 * SW_LANES];
    }
    return true;
}

// Chosen points in an order in which those that follow one another are near: halves of halves, each
// a multiple of what stands side by side.
static void order_points(const swStrainPoints *p, swChosenPoints *c, int first, int end) {
    const int count = end - first, half = (count / 2 + SW_LANES - 1) / SW_LANES * SW_LANES;
    if (count <= SW_LANES)
        return;
    swVec3 lo = p->point[c->point[first]].X, hi = lo;
    for (int k = first; k < end; k++) {
        lo = sw_min3(lo, p->point[c->point[k]].X);
        hi = sw_max3(hi, p->point[c->point[k]].X);
    }
    const swVec3 d = sw_sub(hi, lo);
    const int axis = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
    for (int k = first + 1; k < end; k++) // a few hundred at most
        for (int i = k; i > first && sw_get(p->point[c->point[i]].X, axis) <
                                         sw_get(p->point[c->point[i - 1]].X, axis);
             i--) {
            const int point = c->point[i];
            const swReal volume = c->volume[i];
            c->point[i] = c->point[i - 1];
            c->volume[i] = c->volume[i - 1];
            c->point[i - 1] = point;
            c->volume[i - 1] = volume;
        }
    order_points(p, c, first, first + half);
    order_points(p, c, first + half, end);
}

// ---- all together ----

static bool add_samples(swStrainPoints *p, int nload, swError *error) {
    swSampling *s = p->skin->s;
    const swIntegration *d = &s->body->def->integration;
    swChosenPoints chosen;
    int node;
    if (!find_points(p, &s->arena, error) || !sw_correcting_split(p, error) ||
        !sw_correcting_regions(p, error))
        return false;
    const int nq = p->skin->nmotion, n = nq + p->found->n;
    swReal *mass = SW_NEW(&s->arena, (size_t)n * (size_t)n, swReal, error),
           *stiffness = SW_NEW(&s->arena, (size_t)n * (size_t)n, swReal, error);
    swOrbits orbits;
    if (!mass || !stiffness || !sw_correcting_stiffness(p, stiffness, error) ||
        !sw_correcting_orbits(p, &orbits, error))
        return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            mass[i * n + j] = i < nq && j < nq
                                  ? sw_skin_mass(&p->skin->motion[i], &p->skin->motion[j],
                                                 p->found->mass, p->skin->nmoving)
                                  : i == j;
    int *kind = SW_NEW(&s->arena, p->n + p->nmerged, int, error);
    swReal *answer = SW_NEW(&s->arena, (size_t)nload * (size_t)n, swReal, error);
    if (!kind || !answer)
        return false;
    for (int k = 0; k < nload; k++) { // what moves by itself does nothing of it
        const swReal *from = p->found->answer + (ptrdiff_t)k * (p->skin->nown + p->found->nfirst);
        memcpy(answer + (ptrdiff_t)k * n, from, (size_t)p->skin->nown * sizeof *answer);
        memcpy(answer + (ptrdiff_t)k * n + nq, from + p->skin->nown,
               (size_t)p->found->nfirst * sizeof *answer);
    }
    for (int i = 0; i < p->n + p->nmerged; i++)
        kind[i] = p->b->grid->voxel[p->point[i].voxel].stuff;
    const swPointSet set = {.npoint = p->n,
                            .n = n,
                            .volume = p->volume,
                            .stiffness = stiffness,
                            .mass = mass,
                            .elsewhere = p->stiff,
                            .nanswer = nload,
                            .answer = answer,
                            .nkind = s->b->material.count,
                            .kind = kind,
                            .nclass = orbits.nclass,
                            .end = orbits.end,
                            .first = orbits.first,
                            .orbit = orbits.point,
                            .strains = weigh_strains,
                            .context = p};
    if (!sw_points_choose(&set, 0.001, d->points > 0 ? d->points : 60 + 8 * p->skin->nmoving,
                          s->b->pool, &s->arena, &chosen, error) ||
        !add_amplitudes(s, p->found->n, &node, error))
        return false;
    sw_info(s->b->config, "%s: %d integration points of %d, %d amplitudes, error %.2g",
            s->body->key, chosen.n, p->n, p->found->n, chosen.error);
    int *sample = SW_NEW(&s->arena, chosen.n, int, error);
    if (!sample)
        return false;
    if (s->body->def->frames.precompute) // parts are made of blocks
        order_points(p, &chosen, 0, chosen.n);
    if (6 * chosen.n < n - 6)
        sw_warn(s->b->config,
                "%s: %d integration points feel %d strains, but the body has %d degrees of "
                "freedom: some motions cost no energy; ask for more points",
                s->body->key, chosen.n, 6 * chosen.n, n);
    for (int i = 0; i < s->b->material.count; i++)
        if (!add_group(p, &chosen, i, node, sample, error))
            return false;
    return sw_correcting_volumes(p, &chosen, sample, error);
}

// What points will need.
static bool keep_fields(const swSkinReader *r, const swBricks *bricks, const swCorrectors *found,
                        swError *error) {
    swSampling *s = r->s;
    swArena *arena = &s->b->arena;
    const size_t nu = 3 * (size_t)bricks->nnode, nc = 3 * (size_t)r->nmoving, n = (size_t)found->n,
                 nsite = (size_t)s->body->nsite;
    swModeFields *fields = SW_NEW(arena, 1, swModeFields, error);
    swReal *u = SW_NEW(arena, n * nu, swReal, error), *c = SW_NEW(arena, n * nc, swReal, error);
    int *column = SW_NEW(arena, nsite, int, error);
    swSkinMotion *motion = SW_NEW(arena, r->nmotion, swSkinMotion, error);
    if (!fields || !u || !c || !column || !motion)
        return false;
    memcpy(u, found->u, (size_t)found->nfirst * nu * sizeof *u);
    memcpy(c, found->c, (size_t)found->nfirst * nc * sizeof *c);
    memcpy(column, r->column, nsite * sizeof *column);
    memcpy(motion, r->motion, (size_t)r->nmotion * sizeof *motion);
    *fields = (swModeFields){
        .bricks = bricks,
        .n = found->n,
        .nmoving = r->nmoving,
        .node = s->b->node.count - 1,
        .u = u,
        .c = c,
        .column = column,
        .nfirst = found->nfirst,
        .nmotion = r->nmotion,
        .motion = motion,
    };
    s->body->fields = fields;
    return true;
}

bool sw_correcting_vectors(swBuilder *b, const swBodyBuild *body, int first, swError *error) {
    const swModeFields *fields = body->fields;
    const int nu = 3 * fields->bricks->nnode;
    for (int p = first; p < b->point.count; p++) {
        const int64_t at = b->vector.count;
        swVec3 *w = SW_EXTEND(&b->vector, fields->n, &b->arena, error);
        const swVec3 X = b->point.item[p];
        const int brick = sw_bricks_find(fields->bricks, X);
        swReal N[SW_BRICK_NODES];
        if (!w)
            return false;
        b->point_vector.item[p] = at;
        memset(w, 0, (size_t)fields->n * sizeof *w);
        if (sw_build_is_held(body, X))
            continue; // there are no bricks
        sw_brick_shape(fields->bricks, brick, X, N, NULL);
        for (int m = 0; m < fields->n; m++)
            for (int a = 0; a < SW_BRICK_NODES; a++) {
                const swReal *u = fields->u + (ptrdiff_t)m * nu +
                                  3 * fields->bricks->node[SW_BRICK_NODES * brick + a];
                w[m] = sw_madd(w[m], N[a], sw_v3(u[0], u[1], u[2]));
            }
        for (int e = b->point_start.item[p]; e < b->point_start.item[p + 1]; e++) {
            const swNode *node = &b->node.item[b->point_node.item[e]];
            const int column = fields->column[b->point_node.item[e] - body->first_node];
            swReal monomial[SW_MAX_MONOMIALS];
            if (column >= fields->nmoving)
                continue; // it stands still
            sw_monomials(node->width, sw_sub(X, node->origin), monomial);
            for (int m = 0; m < fields->n; m++)
                for (int a = 0; a < node->width; a++) {
                    const swReal *c = fields->c + 3 * ((ptrdiff_t)m * fields->nmoving + column + a);
                    w[m] = sw_madd(w[m], -b->point_weight.item[e] * monomial[a],
                                   sw_v3(c[0], c[1], c[2]));
                }
        }
    }
    return true;
}

static int group_end(const swGroup *g) { return g->sample + g->nblock * SW_LANES; }
static swReal softness(const swBuilder *b, const swGroup *g) { // [1/Pa]
    return 1 / b->material.item[g->material].lame[0];
}
// [n][6], SW_LANES apart.
static swReal *sample_strains(const swBuilder *b, int n, int sample) {
    return b->corrector.item + (ptrdiff_t)(sample / SW_LANES) * 6 * n * SW_LANES +
           sample % SW_LANES;
}

// What is soft is shifted more: it would be much for what is stiff. A closed surface has no area in
// the mean; of others less is known than of the points. Its triangles may face inward.
void sw_correcting_balance(swBuilder *b, const swBodyBuild *body) {
    const swSurface *s = &body->surface;
    const int n = body->fields->n, first = b->body.item[body->index].point;
    swReal mean[SW_MAX_MODES][6] = {{0}}, soft = 0, size = 0, volume = 0;
    swVec3 sum = {0, 0, 0};
    for (int t = 0; t < s->ntriangle; t++) {
        const int *v = s->triangle + 3 * t;
        const swVec3 area = sw_scale(
            1.0 / 6, sw_cross(sw_sub(s->X[v[1]], s->X[v[0]]), sw_sub(s->X[v[2]], s->X[v[0]])));
        sum = sw_add(sum, area);
        size += sw_norm(area);
        volume += sw_dot(s->X[v[0]], area);
        for (int k = 0; k < 3 * n; k++) {
            const swVec3 w = b->vector.item[b->point_vector.item[first + v[k / n]] + k % n];
            swReal D[3][3];
            for (int e = 0; e < 9; e++)
                D[e / 3][e % 3] = sw_get(w, e / 3) * sw_get(area, e % 3);
            sw_pairs_add(1, (const swReal(*)[3])D, mean[k % n]);
        }
    }
    if (!(sw_norm(sum) <= 1e-6 * size))
        return;
    for (int e = 0; e < 6 * n && volume < 0; e++)
        mean[e / 6][e % 6] = -mean[e / 6][e % 6];
    const swGroup *last = b->group.item + b->group.count;
    for (const swGroup *g = b->group.item; g < last; g++)
        for (int i = g->sample; i < group_end(g); i++) {
            const swReal *strain = sample_strains(b, n, i);
            soft += b->sample_volume.item[i] * softness(b, g);
            for (int e = 0; e < 6 * n; e++)
                mean[e / 6][e % 6] -= b->sample_volume.item[i] * strain[e * SW_LANES];
        }
    for (const swGroup *g = b->group.item; g < last; g++)
        for (int i = g->sample; i < group_end(g); i++) {
            swReal *strain = sample_strains(b, n, i);
            for (int e = 0; e < 6 * n; e++)
                strain[e * SW_LANES] += softness(b, g) / soft * mean[e / 6][e % 6];
        }
}

bool sw_sampling_correct(swSampling *s, swError *error) {
    swSkinReader r = {.s = s};
    swCorrectors found;
    int ndriver = 0, nload = 0;
    swDriver *driver;
    swReal *load = NULL;
    const swBodyBricks *own = sw_build_bricks(s->b, s->body, error);
    r.home = own ? own->home : NULL;
    if (!own || !number_columns(&r, error) || !list_motions(&r, error) ||
        !find_drivers(&r, own, &driver, &ndriver, error) ||
        (has_held_loads(s->body) && !find_loads(s, own, &load, &nload, error)))
        return false;
    const int free = s->body->nsite - s->body->nhandle;
    const bool rigid = r.nown < 3 * r.nfree;
    const swSkin skin = {.ncolumn = r.ncolumn,
                         .nfree = r.nfree,
                         .nmoving = r.nmoving,
                         .nmotion = r.nown,
                         .motion = r.motion,
                         .rigid = rigid,
                         .ndriver = ndriver,
                         .driver = driver,
                         .nload = nload,
                         .load = load,
                         .begin = begin_voxel,
                         .at = skin_at,
                         .context = &r};
    const int count = sw_min_int(MOST, MODES * (free + ndriver + rigid) + nload);
    if (!sw_correctors_create(&own->bricks, own->stuff, &own->matrix, own->ground, &skin, count,
                              s->b->pool, &s->arena, &found, error))
        return false;
    if (found.n == 0)
        return sw_fail(error, SW_ERROR_NOT_CONVERGED,
                       "%s.integration.correct: expected frames that move some mass each",
                       s->body->key);
    swStrainPoints points = {.skin = &r, .b = &own->bricks, .stuff = own->stuff, .found = &found};
    return add_samples(&points, nload, error) && keep_fields(&r, &own->bricks, &found, error);
}
