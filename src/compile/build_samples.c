// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Integration: voxels moved by the same nodes form classes; classes are cut into regions; a region
// is one sample with the mean of d(w m)/dp over its voxels, or eight that follow its linear fit.
// Mass and weight are summed over all voxels, whatever the samples.
#include "compile/build.h"

#include "kinematics/dual_blend.h"
#include "math/tiles.h"

#include <string.h>

enum { BATCH = 64, MASS_REGIONS = 4 }; // voxels evaluated together; per site, of dual quaternions

typedef struct {
    int material;
    int first, nsite; // into sites; free nodes first
    int ncolumn, nfree;
    bool elastic; // a single rigid node does not deform
} swClass;

typedef struct {
    swBuilder *b;
    swBodyBuild *body;
    SW_LIST(swClass) classes;
    SW_LIST(int) sites;
    int *hash; // classes by content, open addressing
    int mask;
    int *kind;      // class of each voxel
    swReal *w, *dw; // of a batch
    int columns;    // of the body
    int *column_of; // first column of each site, within the body
    swReal *mass;   // columns x columns, lower triangle
    char *met;      // nsite x nsite: sites that share a class
    bool dual;      // dual-quaternion blending: a column is a node's weight, mass sits on points
} swSampling;

static const swNode *site_node(const swSampling *s, int site) {
    return &s->b->node.item[s->body->first_node + site];
}

static void evaluate_voxels(swSampling *s, const int *voxel, int n) {
    const swGrid *g = &s->body->grid;
    swVec3 p[BATCH];
    int cell[BATCH];
    for (int i = 0; i < n; i++) {
        p[i] = g->voxel[voxel[i]].centroid;
        cell[i] = s->body->lattice.index[g->voxel[voxel[i]].cell];
    }
    sw_weights_evaluate(&s->body->weights, n, p, cell, s->w, s->dw);
}

// The sites that move a voxel, free nodes first. Returns how many.
static int active_sites(const swSampling *s, int i, int *site) {
    const int n = s->body->nsite;
    const swReal *w = s->w + (size_t)i * (size_t)n, *dw = s->dw + 3 * (size_t)i * (size_t)n;
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < n; k++)
            if ((site_node(s, k)->ndof > 0) == (pass == 0) &&
                (w[k] != 0 || dw[3 * k] != 0 || dw[3 * k + 1] != 0 || dw[3 * k + 2] != 0))
                site[count++] = k;
    return count;
}

// The class of these sites and material, made if it is new; -1 without memory.
static int find_class(swSampling *s, int material, const int *site, int n, swError *error) {
    uint64_t h = sw_hash(SW_HASH_SEED + (uint64_t)material, site, (size_t)n * sizeof *site);
    int at = (int)(h & (uint64_t)s->mask);
    for (; s->hash[at]; at = (at + 1) & s->mask) {
        const swClass *c = &s->classes.item[s->hash[at] - 1];
        if (c->material == material && c->nsite == n &&
            memcmp(s->sites.item + c->first, site, (size_t)n * sizeof *site) == 0)
            return s->hash[at] - 1;
    }
    swClass c = {.material = material, .first = s->sites.count, .nsite = n};
    int *list = SW_EXTEND(&s->sites, n, &s->b->arena, error);
    swClass *room = list ? SW_EXTEND(&s->classes, 1, &s->b->arena, error) : NULL;
    if (!room)
        return -1;
    memcpy(list, site, (size_t)n * sizeof *site);
    for (int i = 0; i < n; i++) {
        const swNode *node = site_node(s, site[i]);
        c.ncolumn += sw_node_columns(node);
        c.nfree += node->ndof ? sw_node_columns(node) : 0;
        for (int j = 0; j < n; j++)
            s->met[site[i] * s->body->nsite + site[j]] = 1;
    }
    c.elastic = !(n == 1 && site_node(s, site[0])->kind == SW_NODE_RIGID);
    *room = c;
    s->hash[at] = s->classes.count;
    return s->classes.count - 1;
}

static bool classify(swSampling *s, swError *error) {
    const swGrid *g = &s->body->grid;
    int *site = SW_NEW(&s->b->arena, s->body->nsite, int, error), voxel[BATCH];
    for (int v = 0; site && v < g->nvoxel; v += BATCH) {
        int n = sw_min_int(BATCH, g->nvoxel - v);
        for (int i = 0; i < n; i++)
            voxel[i] = v + i;
        evaluate_voxels(s, voxel, n);
        for (int i = 0; i < n; i++) {
            int count = active_sites(s, i, site);
            s->kind[v + i] = find_class(s, g->voxel[v + i].material, site, count, error);
            if (s->kind[v + i] < 0)
                return false;
        }
    }
    return site != NULL;
}

// Columns N = w m and their gradients G = d(w m)/dp of voxel i of the batch; for a lumped mass
// sqrt(w) m and sqrt(w) dm/dp.
static void voxel_columns(const swSampling *s, const swClass *c, int i, swVec3 p, bool lumped,
                          swReal *N, swReal (*G)[3]) {
    swReal m[SW_MAX_MONOMIALS], g[SW_MAX_MONOMIALS][3];
    for (int k = 0; k < c->nsite; k++) {
        int site = s->sites.item[c->first + k];
        const swNode *node = site_node(s, site);
        const swReal share = s->w[(size_t)i * (size_t)s->body->nsite + (size_t)site],
                     w = lumped ? sqrt(sw_max(share, 0)) : share;
        const swReal *dw = s->dw + 3 * ((size_t)i * (size_t)s->body->nsite + (size_t)site);
        const int width = sw_node_columns(node);
        sw_monomials(width, sw_sub(p, node->origin), m);
        sw_monomial_gradients(width, sw_sub(p, node->origin), g);
        for (int a = 0; a < width; a++, N++, G++) {
            *N = w * m[a];
            for (int d = 0; d < 3; d++)
                (*G)[d] = (lumped ? 0 : dw[d] * m[a]) + w * g[a][d];
        }
    }
}

// Adds rho v (N N^T + sum_k second_k G_k G_k^T) of some voxels: `rows` holds [voxel
// block][4][ncolumn][SW_LANES].
static void add_mass(swSampling *s, const swClass *c, int nblock, const swReal *rows, swReal *sum) {
    swRows R = {rows, SW_LANES, (ptrdiff_t)c->ncolumn * SW_LANES};
    memset(sum, 0, (size_t)c->ncolumn * (size_t)c->ncolumn * SW_LANES * sizeof *sum);
    sw_tiles_accumulate(c->ncolumn, c->ncolumn, 4 * nblock, R, R, sum, c->ncolumn, true);
    int row = 0;
    for (int i = 0; i < c->nsite; i++) {
        int si = s->sites.item[c->first + i], column = 0;
        for (int a = 0; a < site_node(s, si)->width; a++, row++) {
            column = 0;
            for (int j = 0; j < c->nsite && column <= row; j++) {
                int sj = s->sites.item[c->first + j];
                for (int k = 0; k < site_node(s, sj)->width && column <= row; k++, column++) {
                    swReal v = sw_wide_sum(
                        sw_wide_load(sum + ((ptrdiff_t)row * c->ncolumn + column) * SW_LANES));
                    int x = s->column_of[si] + a, y = s->column_of[sj] + k;
                    s->mass[(size_t)sw_max_int(x, y) * (size_t)s->columns +
                            (size_t)sw_min_int(x, y)] += v;
                }
            }
        }
    }
}

// A region's place: centre and principal axes, with the spread of its material along them.
typedef struct {
    swReal volume;
    swVec3 center;
    swVec3 axis[3];
    swReal spread[3]; // root of the mean square of the material's distance along each axis [m]
    swReal even[3];   // the same square of the voxels' centroids alone [m^2]
} swPlaceInSpace;

typedef struct {
    swReal *N, (*G)[3]; // of one voxel
    swReal *mean;       // [4][ncolumn]: of G and N over the region
    swReal *slope;      // [3][4][ncolumn]: of their linear fit along each axis
    swReal *rows, *sum; // for the mass
} swScratch;

static swPlaceInSpace place_region(const swGrid *g, const int *voxel, int n) {
    swPlaceInSpace r = {0};
    swMat3 S = {{0}}, V;
    swVec3 inner = {0, 0, 0}, w;
    for (int i = 0; i < n; i++) {
        const swVoxel *v = &g->voxel[voxel[i]];
        r.volume += v->volume;
        r.center = sw_madd(r.center, v->volume, v->centroid);
    }
    r.center = sw_scale(1 / r.volume, r.center);
    for (int i = 0; i < n; i++) {
        const swVoxel *v = &g->voxel[voxel[i]];
        const swVec3 d = sw_sub(v->centroid, r.center);
        const swReal share = v->volume / r.volume;
        for (int a = 0; a < 9; a++)
            S.m[a] += share * sw_get(d, a / 3) * sw_get(d, a % 3);
        inner = sw_madd(inner, share, v->second);
    }
    sw_mat_eigen(S, &w, &V);
    for (int k = 0; k < 3; k++) {
        const swVec3 e = {V.m[k], V.m[3 + k], V.m[6 + k]};
        r.axis[k] = e;
        r.even[k] = sw_max(0, sw_get(w, k));
        r.spread[k] =
            sqrt(r.even[k] + e.x * e.x * inner.x + e.y * e.y * inner.y + e.z * e.z * inner.z);
    }
    return r;
}

// The rows of voxel i of a batch for add_mass().
static void mass_rows(const swSampling *s, const swClass *c, int i, const swVoxel *v,
                      swScratch *t) {
    const size_t nc = (size_t)c->ncolumn;
    const swReal root = sqrt(s->b->material.item[c->material].density * v->volume);
    swReal *row = t->rows + (size_t)(i / SW_LANES) * 4 * nc * SW_LANES + i % SW_LANES;
    for (size_t k = 0; k < nc; k++, row += SW_LANES) {
        row[0] = root * t->N[k];
        for (int a = 0; a < 3; a++)
            row[(size_t)(a + 1) * nc * SW_LANES] = root * sqrt(sw_get(v->second, a)) * t->G[k][a];
    }
}

// Mass and weight of one region's voxels; mean and slopes of their gradients.
static void measure_region(swSampling *s, const swClass *c, const int *voxel, int n,
                           const swPlaceInSpace *r, swScratch *t) {
    const swReal density = s->b->material.item[c->material].density;
    const bool lumped = s->body->def->mass == SW_MASS_LUMPED;
    const int nc = c->ncolumn;
    memset(t->mean, 0, 4 * (size_t)nc * sizeof *t->mean);
    memset(t->slope, 0, 12 * (size_t)nc * sizeof *t->slope);
    for (int first = 0; first < n; first += BATCH) {
        const int count = sw_min_int(BATCH, n - first), nblock = (count + SW_LANES - 1) / SW_LANES;
        evaluate_voxels(s, voxel + first, count);
        memset(t->rows, 0, (size_t)nblock * 4 * (size_t)nc * SW_LANES * sizeof *t->rows);
        for (int i = 0; i < count; i++) {
            const swVoxel *v = &s->body->grid.voxel[voxel[first + i]];
            const swVec3 d = sw_sub(v->centroid, r->center);
            const swReal share = v->volume / r->volume;
            voxel_columns(s, c, i, v->centroid, lumped, t->N, t->G);
            if (!s->dual)
                mass_rows(s, c, i, v, t);
            if (lumped)
                voxel_columns(s, c, i, v->centroid, false, t->N, t->G);
            for (int k = 0; k < nc; k++) {
                for (int a = 0; a < 4; a++) {
                    const swReal value = share * (a < 3 ? t->G[k][a] : t->N[k]);
                    t->mean[a * nc + k] += value;
                    for (int e = 0; e < 3; e++)
                        t->slope[(4 * e + a) * nc + k] += sw_dot(d, r->axis[e]) * value;
                }
                for (int e = 0; e < 3; e++) // weights change inside a voxel as well
                    for (int a = 0; a < 3; a++)
                        t->slope[(4 * e + 3) * nc + k] +=
                            share * sw_get(v->second, a) * sw_get(r->axis[e], a) * t->G[k][a];
            }
            int k = 0;
            for (int j = 0; j < c->nsite && !s->dual; j++) {
                const swNode *node = site_node(s, s->sites.item[c->first + j]);
                for (int a = 0; a < node->width; a++)
                    s->b->weight_load.item[node->q / 3 + a] += density * v->volume * t->N[k++];
            }
        }
        if (!s->dual)
            add_mass(s, c, nblock, t->rows, t->sum);
    }
    const swReal least = 1e-12 * s->body->grid.h * s->body->grid.h;
    for (int e = 0; e < 3; e++)
        for (int k = 0; k < 4 * nc; k++) {
            const swReal square = k < 3 * nc ? r->even[e] : r->spread[e] * r->spread[e];
            t->slope[4 * e * nc + k] = square > least ? t->slope[4 * e * nc + k] / square : 0;
        }
}

// Doubles per block of samples in gamma.
static int gamma_block(const swSampling *s, const swClass *c) {
    return s->dual ? sw_dual_block(c->ncolumn) : 3 * c->ncolumn * SW_LANES;
}

// A group with room for `count` samples.
static swGroup *add_group(swSampling *s, const swClass *c, int count, swError *error) {
    swBuilder *b = s->b;
    const int nblock = (count + SW_LANES - 1) / SW_LANES;
    if ((int64_t)nblock * gamma_block(s, c) > INT32_MAX / 4) {
        sw_fail(error, SW_ERROR_LIMIT,
                "%s: %d integration points with %d columns each are too many: ask for fewer points",
                s->body->key, count, c->ncolumn);
        return NULL;
    }
    swGroup g = {.body = s->body->index,
                 .material = c->material,
                 .node = b->group_node.count,
                 .nnode = c->nsite,
                 .ncolumn = c->ncolumn,
                 .nfree = c->nfree,
                 .blend = s->dual ? SW_BLEND_DUAL_QUATERNION : SW_BLEND_LINEAR,
                 .sample = b->sample_volume.count,
                 .nblock = nblock,
                 .gamma = b->gamma.count,
                 .plastic = -1};
    if (b->material.item[c->material].yield > 0) {
        g.plastic = b->size.nplastic;
        b->size.nplastic += (int64_t)nblock * SW_PLASTIC * SW_LANES;
    }
    int *node = SW_EXTEND(&b->group_node, c->nsite, &b->arena, error);
    swGroup *group = node ? SW_EXTEND(&b->group, 1, &b->arena, error) : NULL;
    if (!group || !SW_EXTEND(&b->sample_volume, nblock * SW_LANES, &b->arena, error) ||
        !SW_EXTEND(&b->sample_point, nblock * SW_LANES, &b->arena, error) ||
        !SW_EXTEND(&b->gamma, nblock * gamma_block(s, c), &b->arena, error))
        return NULL;
    for (int i = 0; i < c->nsite; i++)
        node[i] = s->body->first_node + s->sites.item[c->first + i];
    *group = g;
    b->size.max_columns = sw_max_int((int)b->size.max_columns, c->ncolumn);
    return group;
}

// `value` holds gradients and weights, [4][ncolumn]. Dual quaternions want weights first.
static void set_sample(const swSampling *s, const swClass *c, const swGroup *g, int i,
                       const swReal *value, swReal volume, swVec3 at) {
    const int n = g->ncolumn;
    swReal *gamma =
        s->b->gamma.item + g->gamma + (int64_t)(i / SW_LANES) * gamma_block(s, c) + i % SW_LANES;
    for (int k = 0; k < 3 * n; k++)
        gamma[(s->dual ? n + k : k) * SW_LANES] = value[k];
    for (int k = 0; k < n && s->dual; k++)
        gamma[k * SW_LANES] = value[3 * n + k];
    s->b->sample_volume.item[g->sample + i] = volume;
    s->b->sample_point.item[g->sample + i] = at;
}

// One spread away from the centre along each axis; t->sum, free by then, receives the linear fit of
// gradients and weights there, [4][ncolumn].
static swVec3 corner_of(int ncolumn, int corner, const swPlaceInSpace *r, const swScratch *t) {
    swVec3 at = r->center;
    memcpy(t->sum, t->mean, 4 * (size_t)ncolumn * sizeof *t->sum);
    for (int e = 0; e < 3; e++) {
        const swReal step = corner >> e & 1 ? r->spread[e] : -r->spread[e];
        at = sw_madd(at, step, r->axis[e]);
        for (int k = 0; k < 4 * ncolumn; k++)
            t->sum[k] += step * t->slope[4 * e * ncolumn + k];
    }
    return at;
}

// The samples of one region from sample i on: its mean alone, or eight points one spread away from
// the centre along each axis, which integrate the square of a linear strain exactly. Returns how
// many.
static int set_region(const swSampling *s, const swClass *c, const swGroup *g, int i, int corners,
                      const swPlaceInSpace *r, swScratch *t) {
    if (corners == 1)
        set_sample(s, c, g, i, t->mean, r->volume, r->center);
    for (int corner = 0; corner < 8 && corners == 8; corner++) {
        const swVec3 at = corner_of(g->ncolumn, corner, r, t);
        set_sample(s, c, g, i + corner, t->sum, r->volume / 8, at);
    }
    return corners;
}

// Samples, class by class; `corners` for each region. Padding repeats the last sample with no
// volume.
static bool fill_groups(swSampling *s, const swRegions *r, int corners, swScratch *t,
                        swError *error) {
    for (int first = 0, end; first < r->count; first = end) {
        const int kind = s->kind[r->voxel[r->start[first]]];
        const swClass *c = &s->classes.item[kind];
        for (end = first; end < r->count && s->kind[r->voxel[r->start[end]]] == kind; end++) {
        }
        swGroup *g = c->elastic ? add_group(s, c, corners * (end - first), error) : NULL;
        if (c->elastic && !g)
            return false;
        int sample = 0;
        for (int i = first; i < end; i++) {
            const int *voxel = r->voxel + r->start[i], n = r->start[i + 1] - r->start[i];
            const swPlaceInSpace place = place_region(&s->body->grid, voxel, n);
            measure_region(s, c, voxel, n, &place, t);
            if (g)
                sample += set_region(s, c, g, sample, corners, &place, t);
            for (; g && i + 1 == end && sample < g->nblock * SW_LANES; sample++)
                set_sample(s, c, g, sample, t->mean, 0, place.center);
        }
    }
    return true;
}

// Mass blocks of all pairs of nodes that share a class. Lumped, those of a node with itself alone:
// the integral of rho w m m^T, which is the sum over j of rho w_j w m m^T.
static bool store_mass(swSampling *s, swError *error) {
    swBuilder *b = s->b;
    const int n = s->body->nsite;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            if (!s->met[i * n + j] && i != j)
                continue;
            const int di = site_node(s, i)->width, dj = site_node(s, j)->width;
            swNodePair *pair = SW_EXTEND(&b->pair, 1, &b->arena, error);
            if (!pair)
                return false;
            *pair = (swNodePair){s->body->first_node + i, s->body->first_node + j, -1};
            if (s->dual || (i != j && s->body->def->mass == SW_MASS_LUMPED))
                continue;
            swReal *M = SW_EXTEND(&b->mass, di * dj, &b->arena, error);
            if (!M)
                return false;
            pair->mass = b->mass.count - di * dj;
            for (int a = 0; a < di; a++)
                for (int c = 0; c < dj; c++) {
                    int x = s->column_of[i] + a, y = s->column_of[j] + c;
                    M[a * dj + c] = s->mass[(size_t)sw_max_int(x, y) * (size_t)s->columns +
                                            (size_t)sw_min_int(x, y)];
                }
        }
    return true;
}

static bool prepare(swSampling *s, swScratch *t, swError *error) {
    swArena *a = &s->b->arena;
    const size_t n = (size_t)s->body->nsite;
    if (!(s->column_of = SW_NEW(a, n, int, error)))
        return false;
    for (int i = 0; i < s->body->nsite; i++) {
        s->column_of[i] = s->columns;
        s->columns += sw_node_columns(site_node(s, i));
    }
    const size_t c = (size_t)s->columns;
    for (s->mask = 1; s->mask < 2 * s->body->grid.nvoxel + 2; s->mask *= 2) {
    }
    s->hash = SW_NEW(a, s->mask, int, error);
    s->mask--;
    s->kind = SW_NEW(a, s->body->grid.nvoxel, int, error);
    s->w = SW_NEW(a, BATCH * n, swReal, error);
    s->dw = SW_NEW(a, 3 * BATCH * n, swReal, error);
    s->mass = SW_NEW(a, c * c, swReal, error);
    s->met = SW_NEW(a, n * n, char, error);
    t->N = SW_NEW(a, c, swReal, error);
    t->G = sw_arena_alloc(a, c, sizeof *t->G, error);
    t->mean = SW_NEW(a, 4 * c, swReal, error);
    t->slope = SW_NEW(a, 12 * c, swReal, error);
    t->rows = SW_NEW(a, 4 * c * (BATCH + SW_LANES), swReal, error);
    t->sum = SW_NEW(a, c * (c + 4) * SW_LANES, swReal, error);
    return s->hash && s->kind && s->w && s->dw && s->mass && s->met && t->N && t->G && t->mean &&
           t->slope && t->rows && t->sum;
}

// With every node at its place each sample must be at rest: weights that do not reproduce positions
// strain point frames.
static bool check_rest(const swSampling *s, int first_group, swError *error) {
    const swBuilder *b = s->b;
    if (s->dual) // rigid frames at rest blend to a rigid motion, whatever the weights
        return true;
    for (int i = first_group; i < b->group.count; i++) {
        const swGroup *g = &b->group.item[i];
        for (int k = 0; k < g->nblock * SW_LANES; k++) {
            const swReal *gamma = b->gamma.item + g->gamma +
                                  (int64_t)(k / SW_LANES) * 3 * g->ncolumn * SW_LANES +
                                  k % SW_LANES;
            swReal F[9] = {-1, 0, 0, 0, -1, 0, 0, 0, -1},
                   worst = 0; // F - I, of the nodes' own rest
            int column = 0;
            for (int n = g->node; n < g->node + g->nnode; n++) {
                const swNode *node = &b->node.item[b->group_node.item[n]];
                for (int a = 0; a < node->width && a < 4; a++)
                    for (int r = 0; r < 3; r++)
                        for (int d = 0; d < 3; d++)
                            F[3 * r + d] += (a == 0 ? sw_get(node->origin, r) : a == r + 1) *
                                            gamma[(d * g->ncolumn + column + a) * SW_LANES];
                column += node->width;
            }
            for (int r = 0; r < 9; r++)
                worst = sw_max(worst, fabs(F[r]));
            if (!(worst < 1e-6))
                return sw_fail(error, SW_ERROR_VALUE,
                               "%s.frames: the body is strained by %.2g at rest, near (%.4g, %.4g, "
                               "%.4g): point frames need "
                               "weights that reproduce positions; use affine or rigid ones",
                               s->body->key, worst, b->sample_point.item[g->sample + k].x,
                               b->sample_point.item[g->sample + k].y,
                               b->sample_point.item[g->sample + k].z);
        }
    }
    return true;
}

// Dual quaternions of opposite sign are the same motion, but blend differently. Each node takes the
// sign nearest to that of a neighbour: a tree over the nodes that share material, the nearest
// first.
static bool choose_parents(swSampling *s, swError *error) {
    const int n = s->body->nsite;
    swNode *node = s->b->node.item + s->body->first_node;
    swReal *gap = SW_NEW(&s->b->arena, n, swReal, error); // to the tree
    bool *done = SW_NEW(&s->b->arena, n, bool, error);
    if (!gap || !done)
        return false;
    for (int i = 0; i < n; i++)
        gap[i] = INFINITY;
    for (int turn = 0; turn < n; turn++) {
        int next = -1;
        for (int i = 0; i < n; i++)
            if (!done[i] && (next < 0 || gap[i] < gap[next]))
                next = i;
        done[next] = true;
        node[turn].turn = s->body->first_node + next;
        for (int i = 0; i < n; i++) {
            const swReal d = sw_norm2(sw_sub(node[i].origin, node[next].origin));
            if (!done[i] && s->met[i * n + next] && d < gap[i]) {
                gap[i] = d;
                node[i].parent = s->body->first_node + next;
            }
        }
    }
    return true;
}

// Mass on points: eight for each region, with its mass, centroid and second moments.
static bool add_bulk_mass(swSampling *s, swScratch *t, swError *error) {
    const swGrid *g = &s->body->grid;
    const int n = sw_max_int(s->classes.count, MASS_REGIONS * s->body->nsite);
    swRegions r;
    if (!sw_regions_create(g, s->kind, s->classes.count, n, &s->b->arena, &r, error))
        return false;
    for (int i = 0; i < r.count; i++) {
        const int *voxel = r.voxel + r.start[i], count = r.start[i + 1] - r.start[i];
        const swClass *c = &s->classes.item[s->kind[voxel[0]]];
        const swPlaceInSpace place = place_region(g, voxel, count);
        measure_region(s, c, voxel, count, &place, t);
        for (int corner = 0; corner < 8; corner++) {
            swBulkPoint *p = sw_build_bulk_point(s->b, s->body, error);
            if (!p)
                return false;
            p->mass = place.volume * s->b->material.item[c->material].density / 8;
            p->p = corner_of(c->ncolumn, corner, &place, t);
            for (int k = 0; k < c->nsite; k++)
                p->weight[s->sites.item[c->first + k]] = t->sum[3 * c->ncolumn + k];
        }
    }
    return true;
}

// Regions of the classes that deform (or of the others, one each), cut into `points`; 0: a region
// per voxel.
static bool cut_regions(swSampling *s, bool elastic, int points, swRegions *regions,
                        swError *error) {
    const swGrid *g = &s->body->grid;
    int *kind = SW_NEW(&s->b->arena, g->nvoxel, int, error);
    for (int v = 0; kind && v < g->nvoxel; v++)
        kind[v] = s->classes.item[s->kind[v]].elastic == elastic ? s->kind[v] : -1;
    return kind &&
           sw_regions_create(g, kind, s->classes.count, points, &s->b->arena, regions, error);
}

bool sw_build_samples(swBuilder *b, swBodyBuild *body, swError *error) {
    swSampling s = {
        .b = b, .body = body, .dual = body->def->frames.blend == SW_BLEND_DUAL_QUATERNION};
    swScratch t;
    swRegions soft, stiff;
    const swIntegration *d = &body->def->integration;
    if (!prepare(&s, &t, error) || !classify(&s, error))
        return false;
    int nclass = 0, ndof = 0;
    for (int i = 0; i < s.classes.count; i++)
        nclass += s.classes.item[i].elastic;
    for (int i = 0; i < body->nsite; i++)
        ndof += site_node(&s, i)->ndof;
    // Automatic: thirty points per frame.
    const int points = d->every_voxel  ? 0
                       : d->points > 0 ? d->points
                                       : sw_max_int(30 * body->nsite, 8 * nclass);
    if (points > 0 && points < nclass)
        sw_info(b->config,
                "%s: %d integration points instead of %d: one for each set of frames and material "
                "at least",
                body->key, nclass, points);
    const int corners = points >= 8 * nclass && points < body->grid.nvoxel ? 8 : 1;
    if (s.dual && !(choose_parents(&s, error) && add_bulk_mass(&s, &t, error)))
        return false;
    const int first = b->sample_volume.count, first_group = b->group.count;
    if (!cut_regions(&s, true, points / corners, &soft, error) ||
        !cut_regions(&s, false, 1, &stiff, error) || !fill_groups(&s, &soft, corners, &t, error) ||
        !fill_groups(&s, &stiff, 1, &t, error) || !store_mass(&s, error) ||
        !check_rest(&s, first_group, error))
        return false;
    int count = 0;
    for (int i = first; i < b->sample_volume.count; i++)
        count += b->sample_volume.item[i] > 0;
    if (nclass > 0 && 6 * count < ndof - 6)
        sw_warn(
            b->config,
            "%s: %d integration points feel %d strains, but the frames have %d degrees of freedom: "
            "some motions cost no energy; ask for more points",
            body->key, count, 6 * count, ndof);
    return true;
}
