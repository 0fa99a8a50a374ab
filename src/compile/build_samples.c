// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Integration: voxels moved by the same nodes form classes; classes are cut into regions; a region
// is one sample, with the mean of d(w m)/dp over its voxels. Mass and weight are summed over all
// voxels, whatever the samples.
#include "compile/build.h"

#include "math/tiles.h"

#include <string.h>

enum { BATCH = 64 }; // voxels evaluated together

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
        c.ncolumn += node->width;
        c.nfree += node->ndof ? node->width : 0;
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

// Columns N = w m and their gradients G = d(w m)/dp of voxel i of the batch, at stride SW_LANES.
static void voxel_columns(const swSampling *s, const swClass *c, int i, swVec3 p, swReal *N,
                          swReal (*G)[3]) {
    swReal m[SW_MAX_MONOMIALS], g[SW_MAX_MONOMIALS][3];
    for (int k = 0; k < c->nsite; k++) {
        int site = s->sites.item[c->first + k];
        const swNode *node = site_node(s, site);
        const swReal w = s->w[(size_t)i * (size_t)s->body->nsite + (size_t)site];
        const swReal *dw = s->dw + 3 * ((size_t)i * (size_t)s->body->nsite + (size_t)site);
        sw_monomials(node->width, sw_sub(p, node->origin), m);
        sw_monomial_gradients(node->width, sw_sub(p, node->origin), g);
        for (int a = 0; a < node->width; a++, N++, G++) {
            *N = w * m[a];
            for (int d = 0; d < 3; d++)
                (*G)[d] = dw[d] * m[a] + w * g[a][d];
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

typedef struct {
    swReal *N, (*G)[3]; // of one voxel
    swReal *mean;       // [3][ncolumn]: of the region so far
    swReal *rows, *sum; // for the mass
} swScratch;

// Mass, weight and mean gradients of one region's voxels.
static void measure_region(swSampling *s, const swClass *c, const int *voxel, int n, swScratch *t,
                           swReal *volume, swVec3 *center) {
    const swReal density = s->b->material.item[c->material].density;
    const int nc = c->ncolumn;
    memset(t->mean, 0, 3 * (size_t)nc * sizeof *t->mean);
    *volume = 0;
    *center = sw_v3(0, 0, 0);
    for (int first = 0; first < n; first += BATCH) {
        const int count = sw_min_int(BATCH, n - first), nblock = (count + SW_LANES - 1) / SW_LANES;
        evaluate_voxels(s, voxel + first, count);
        memset(t->rows, 0, (size_t)nblock * 4 * (size_t)nc * SW_LANES * sizeof *t->rows);
        for (int i = 0; i < count; i++) {
            const swVoxel *v = &s->body->grid.voxel[voxel[first + i]];
            voxel_columns(s, c, i, v->centroid, t->N, t->G);
            swReal *row =
                t->rows + (size_t)(i / SW_LANES) * 4 * (size_t)nc * SW_LANES + i % SW_LANES;
            const swReal root = sqrt(density * v->volume);
            for (int k = 0; k < nc; k++) {
                row[k * SW_LANES] = root * t->N[k];
                for (int d = 0; d < 3; d++) {
                    row[((d + 1) * nc + k) * SW_LANES] =
                        root * sqrt(sw_get(v->second, d)) * t->G[k][d];
                    t->mean[d * nc + k] += v->volume * t->G[k][d];
                }
            }
            int k = 0;
            for (int j = 0; j < c->nsite; j++) {
                const swNode *node = site_node(s, s->sites.item[c->first + j]);
                for (int a = 0; a < node->width; a++)
                    s->b->weight_load.item[node->q / 3 + a] += density * v->volume * t->N[k++];
            }
            *volume += v->volume;
            *center = sw_madd(*center, v->volume, v->centroid);
        }
        add_mass(s, c, nblock, t->rows, t->sum);
    }
    for (int k = 0; k < 3 * nc; k++)
        t->mean[k] /= *volume;
    *center = sw_scale(1 / *volume, *center);
}

// A group with room for `count` samples.
static swGroup *add_group(swSampling *s, const swClass *c, int count, swError *error) {
    swBuilder *b = s->b;
    const int nblock = (count + SW_LANES - 1) / SW_LANES;
    if ((int64_t)nblock * 3 * c->ncolumn * SW_LANES > INT32_MAX / 4) {
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
                 .sample = b->sample_volume.count,
                 .nblock = nblock,
                 .gamma = b->gamma.count};
    int *node = SW_EXTEND(&b->group_node, c->nsite, &b->arena, error);
    swGroup *group = node ? SW_EXTEND(&b->group, 1, &b->arena, error) : NULL;
    if (!group || !SW_EXTEND(&b->sample_volume, nblock * SW_LANES, &b->arena, error) ||
        !SW_EXTEND(&b->sample_point, nblock * SW_LANES, &b->arena, error) ||
        !SW_EXTEND(&b->gamma, nblock * 3 * c->ncolumn * SW_LANES, &b->arena, error))
        return NULL;
    for (int i = 0; i < c->nsite; i++)
        node[i] = s->body->first_node + s->sites.item[c->first + i];
    *group = g;
    b->size.max_columns = sw_max_int((int)b->size.max_columns, c->ncolumn);
    return group;
}

static void set_sample(swBuilder *b, const swGroup *g, int i, const swReal *mean, swReal volume,
                       swVec3 center) {
    swReal *gamma = b->gamma.item + g->gamma + (int64_t)(i / SW_LANES) * 3 * g->ncolumn * SW_LANES +
                    i % SW_LANES;
    for (int k = 0; k < 3 * g->ncolumn; k++)
        gamma[k * SW_LANES] = mean[k];
    b->sample_volume.item[g->sample + i] = volume;
    b->sample_point.item[g->sample + i] = center;
}

// Samples, class by class. Padding repeats the last sample with no volume.
static bool fill_groups(swSampling *s, const swRegions *r, swScratch *t, swError *error) {
    for (int first = 0, end; first < r->count; first = end) {
        const int kind = s->kind[r->voxel[r->start[first]]];
        const swClass *c = &s->classes.item[kind];
        for (end = first; end < r->count && s->kind[r->voxel[r->start[end]]] == kind; end++) {
        }
        swGroup *g = c->elastic ? add_group(s, c, end - first, error) : NULL;
        if (c->elastic && !g)
            return false;
        swReal volume = 0;
        swVec3 center = {0, 0, 0};
        for (int i = first; i < end; i++) {
            measure_region(s, c, r->voxel + r->start[i], r->start[i + 1] - r->start[i], t, &volume,
                           &center);
            if (g)
                set_sample(s->b, g, i - first, t->mean, volume, center);
        }
        for (int i = end - first; g && i < g->nblock * SW_LANES; i++)
            set_sample(s->b, g, i, t->mean, 0, center);
    }
    return true;
}

// Mass blocks of all pairs of nodes that share a class.
static bool store_mass(swSampling *s, swError *error) {
    swBuilder *b = s->b;
    const int n = s->body->nsite;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            if (!s->met[i * n + j] && i != j)
                continue;
            const int di = site_node(s, i)->width, dj = site_node(s, j)->width;
            swNodePair *pair = SW_EXTEND(&b->pair, 1, &b->arena, error);
            swReal *M = pair ? SW_EXTEND(&b->mass, di * dj, &b->arena, error) : NULL;
            if (!M)
                return false;
            *pair = (swNodePair){s->body->first_node + i, s->body->first_node + j,
                                 b->mass.count - di * dj};
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
        s->columns += site_node(s, i)->width;
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
    t->mean = SW_NEW(a, 3 * c, swReal, error);
    t->rows = SW_NEW(a, 4 * c * (BATCH + SW_LANES), swReal, error);
    t->sum = SW_NEW(a, c * c * SW_LANES, swReal, error);
    return s->hash && s->kind && s->w && s->dw && s->mass && s->met && t->N && t->G && t->mean &&
           t->rows && t->sum;
}

bool sw_build_samples(swBuilder *b, swBodyBuild *body, swError *error) {
    swSampling s = {.b = b, .body = body};
    swScratch t;
    swRegions regions;
    const swIntegration *d = &body->def->integration;
    if (!prepare(&s, &t, error) || !classify(&s, error))
        return false;
    // Automatic: thirty points per frame.
    const int points = d->every_voxel ? 0 : d->points > 0 ? d->points : 30 * body->nsite;
    if (points > 0 && points < s.classes.count)
        sw_info(b->config,
                "%s: %d integration points instead of %d: one for each set of frames and material "
                "at least",
                body->key, s.classes.count, points);
    return sw_regions_create(&body->grid, s.kind, s.classes.count, points, &b->arena, &regions,
                             error) &&
           fill_groups(&s, &regions, &t, error) && store_mass(&s, error);
}
