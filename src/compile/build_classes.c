// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Which voxels are moved by the same sites, and which strains they lack.
#include "compile/sampling.h"

#include "cubature/fit.h"
#include "kinematics/relax.h"
#include "math/tangent.h"

#include <stdlib.h>
#include <string.h>

// Voxels and sites whose weights are evaluated in one go; numbers of weights that are kept, so that
// none is evaluated twice.
enum { SLAB = 1 << 18, KEPT = 1 << 26 };
// Bins of stiffness that may be merged where points are few: a factor of four.
enum { NEAR_BINS = 4, TAKERS = 512 };
#define SMALL 0.25 // of a mean region: no class of its own

static bool moves(const swReal *w, const swReal *dw) {
    return w[0] != 0 || dw[0] != 0 || dw[1] != 0 || dw[2] != 0;
}

// The sites that move a voxel, free nodes first. Returns how many.
static int active_sites(const swSampling *s, const swReal *w, const swReal *dw, int *site) {
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < s->body->nsite; k++)
            if ((sw_site_node(s, k)->ndof > 0) == (pass == 0) && moves(w + k, dw + 3 * k))
                site[count++] = k;
    return count;
}

// ---- classes by content ----

typedef struct {
    int *slot; // open addressing: class + 1
    int mask;
} swTable;

// Soft is never averaged into stiff: within a bin stiffness varies by a factor of sqrt 2 at most.
// Rounding does not push it over the border of a bin, where 1 and 2 are.
static int stiffness_bin(swReal stiffness) { return (int)floor(2 * log2(stiffness) + 1e-9); }

// Relative to the material whose law the voxel follows.
static swReal stiffness_of(const swSampling *s, const swVoxel *v) {
    return v->stuff == v->material ? v->stiffness
                                   : sw_build_young(s->b, v) / s->b->material.item[v->stuff].young;
}

// A class of these sites, -1 without memory.
static int add_class(swSampling *s, int material, int bin, const int *site, int n, swError *error) {
    const int id = s->classes.count;
    swClass c = {.material = material, .bin = bin, .first = s->sites.count, .nsite = n, .into = id};
    int *list = SW_EXTEND(&s->sites, n, &s->arena, error);
    int *column = list ? SW_EXTEND(&s->columns, n, &s->arena, error) : NULL;
    swClass *room = column ? SW_EXTEND(&s->classes, 1, &s->arena, error) : NULL;
    if (!room)
        return -1;
    for (int i = 0; i < n; i++) {
        const swNode *node = sw_site_node(s, site[i]);
        list[i] = site[i];
        column[i] = c.ncolumn;
        c.ncolumn += sw_node_columns(node);
        c.nfree += node->ndof ? sw_node_columns(node) : 0;
        for (int j = 0; j < n; j++)
            s->met[site[i] * s->body->nsite + site[j]] = 1;
    }
    c.elastic = !(n == 1 && sw_site_node(s, site[0])->kind == SW_NODE_RIGID);
    *room = c;
    return id;
}

// The class of these sites and this material, made if it is new; -1 without memory.
static int find_class(swSampling *s, swTable *t, const swVoxel *v, const int *site, int n,
                      swError *error) {
    const int bin = stiffness_bin(stiffness_of(s, v));
    const uint64_t h = sw_hash(SW_HASH_SEED + ((uint64_t)(uint32_t)bin << 32) + (uint64_t)v->stuff,
                               site, (size_t)n * sizeof *site);
    int at = (int)(h & (uint64_t)t->mask);
    for (; t->slot[at]; at = (at + 1) & t->mask) {
        const swClass *c = &s->classes.item[t->slot[at] - 1];
        if (c->material == v->stuff && c->bin == bin && c->nsite == n &&
            memcmp(s->sites.item + c->first, site, (size_t)n * sizeof *site) == 0)
            return t->slot[at] - 1;
    }
    const int id = add_class(s, v->stuff, bin, site, n, error);
    if (id >= 0)
        t->slot[at] = id + 1;
    return id;
}

// ---- weights of voxels ----

static void evaluate(const swSampling *s, int n, const int *voxel, swReal *w, swReal *dw) {
    const swGrid *g = &s->body->grid;
    swVec3 p[SW_BATCH];
    int cell[SW_BATCH];
    for (int i = 0; i < n; i++) {
        p[i] = g->voxel[voxel[i]].centroid;
        cell[i] = s->body->lattice.index[g->voxel[voxel[i]].cell];
    }
    sw_weights_evaluate(&s->body->weights, n, p, cell, w, dw);
}

// The row of one voxel: weights of its class's sites.
static void pack(const swSampling *s, const swClass *c, const swReal *w, const swReal *dw,
                 swReal *row) {
    for (int k = 0; k < c->nsite; k++, row += 4) {
        const int site = s->sites.item[c->first + k];
        row[0] = w[site];
        memcpy(row + 1, dw + 3 * site, 3 * sizeof *row);
    }
}

static const swReal rigid_row[4] = {1, 0, 0, 0};

// A part of the voxels, evaluated by all workers and then sorted by one.
typedef struct {
    const swSampling *s;
    int first;
    int *list; // of its voxels, those without an owner
    swReal *w, *dw;
} swSlab;

static void evaluate_slab(int start, int end, int worker, void *arg) {
    (void)worker;
    const swSlab *slab = arg;
    const size_t at = (size_t)start * (size_t)slab->s->body->nsite;
    evaluate(slab->s, end - start, slab->list + start, slab->w + at, slab->dw + 3 * at);
}

// Finds the class of each evaluated voxel and keeps its row as long as there is room.
static bool sort_slab(swSampling *s, const swSlab *slab, int n, swTable *table, int *site,
                      size_t *kept, swError *error) {
    const size_t nsite = (size_t)s->body->nsite;
    size_t size = 0;
    for (int i = 0; i < n; i++) {
        const int v = slab->list[i];
        const swReal *w = slab->w + (size_t)i * nsite, *dw = slab->dw + 3 * (size_t)i * nsite;
        const int count = active_sites(s, w, dw, site);
        s->kind[v] = find_class(s, table, &s->body->grid.voxel[v], site, count, error);
        if (s->kind[v] < 0)
            return false;
        size += 4 * (size_t)count;
    }
    if (*kept + size > KEPT)
        return true;
    *kept += size;
    swReal *row = SW_NEW(&s->arena, size, swReal, error);
    for (int i = 0; row && i < n; i++) {
        const int v = slab->list[i];
        const swClass *c = &s->classes.item[s->kind[v]];
        pack(s, c, slab->w + (size_t)i * nsite, slab->dw + 3 * (size_t)i * nsite, row);
        s->row[v] = row;
        row += 4 * (size_t)c->nsite;
    }
    return row != NULL;
}

static bool prepare(swSampling *s, swTable *table, swSlab *slab, int size, swError *error) {
    swArena *a = &s->arena;
    const size_t nsite = (size_t)s->body->nsite, nv = (size_t)s->body->grid.nvoxel;
    for (table->mask = 1; table->mask < 2 * s->body->grid.nvoxel + 2;)
        table->mask *= 2;
    table->slot = SW_NEW(a, table->mask--, int, error);
    s->kind = SW_NEW(a, nv, int, error);
    s->row = SW_NEW(a, nv, const swReal *, error);
    s->measure = SW_NEW(a, nv, swReal, error);
    s->met = SW_NEW(a, nsite * nsite, char, error);
    *slab = (swSlab){.s = s,
                     .list = SW_NEW(a, size, int, error),
                     .w = SW_NEW(a, (size_t)size * nsite, swReal, error),
                     .dw = SW_NEW(a, 3 * (size_t)size * nsite, swReal, error)};
    return table->slot && s->kind && s->row && s->measure && s->met && slab->list && slab->w &&
           slab->dw;
}

bool sw_sampling_classify(swSampling *s, swError *error) {
    const swGrid *g = &s->body->grid;
    const int nsite = s->body->nsite, size = sw_max_int(SLAB / nsite, SW_BATCH);
    int *site = SW_NEW(&s->arena, nsite, int, error);
    size_t kept = 0;
    swTable table = {0};
    swSlab slab;
    if (!site || !prepare(s, &table, &slab, sw_min_int(size, g->nvoxel), error))
        return false;
    for (int first = 0; first < g->nvoxel; first += size) {
        int n = 0;
        for (int v = first; v < g->nvoxel && v < first + size; v++) {
            const int owner = g->voxel[v].owner;
            if (owner < 0) {
                slab.list[n++] = v;
                continue;
            }
            s->row[v] = rigid_row;
            if ((s->kind[v] = find_class(s, &table, &g->voxel[v], &owner, 1, error)) < 0)
                return false;
        }
        if (!sw_parallel_try(s->b->pool, n, SW_BATCH, evaluate_slab, &slab))
            return sw_fail_stopped(error);
        if (!sort_slab(s, &slab, n, &table, site, &kept, error))
            return false;
    }
    for (int v = 0; v < g->nvoxel; v++) {
        s->measure[v] = g->voxel[v].volume * stiffness_of(s, &g->voxel[v]);
        s->classes.item[s->kind[v]].measure += s->measure[v];
    }
    s->nfound = s->classes.count;
    return true;
}

// ---- merging ----

typedef struct {
    float measure; // short, so that rounding breaks no ties
    int id;
    int smaller; // place of the next smaller one of its material, or -1
} swOrder;

typedef struct {
    int words;      // of a set
    uint64_t *set;  // of sites, per class
    swOrder *order; // classes that deform, the smallest first
    int count;
    int *largest; // per material: place of its largest class, or -1
} swMerge;

// The first class of the same material and stiffness.
static int first_alike(const swClass *c, int i) {
    int first = 0;
    while (!c[first].elastic || c[first].material != c[i].material || c[first].bin != c[i].bin)
        first++;
    return first;
}

int sw_sampling_stuffs(const swSampling *s) {
    int count = 0;
    for (int i = 0; i < s->nfound; i++)
        count += s->classes.item[i].elastic && first_alike(s->classes.item, i) == i;
    return count;
}

// How many sites class b would gain from a.
static int growth(const swMerge *m, int a, int b) {
    const uint64_t *x = m->set + (size_t)a * (size_t)m->words,
                   *y = m->set + (size_t)b * (size_t)m->words;
    int count = 0;
    for (int i = 0; i < m->words; i++)
        count += __builtin_popcountll(x[i] & ~y[i]);
    return count;
}

// Where the class at place `at` goes: to the one of its material that gains fewest sites, of these
// to the nearest in stiffness, of these to the largest; -1: there is none. What is moved by other
// frames must not be mixed as long as that can be helped (`same`: not at all); stiffness of nearly
// the same order may. Only the largest classes of a material take others in.
static int partner(const swClass *c, const swMerge *m, int at, bool same) {
    const int a = m->order[at].id;
    int best = -1, least = same ? NEAR_BINS + 1 : INT32_MAX, seen = 0;
    for (int i = m->largest[c[a].material]; i > at && seen < TAKERS; i = m->order[i].smaller) {
        const int b = m->order[i].id, far = abs(c[a].bin - c[b].bin);
        if (far > NEAR_BINS)
            continue;
        seen++;
        const int cost = growth(m, a, b) * (NEAR_BINS + 1) + far;
        if (cost < least ||
            (best >= 0 && cost == least && (float)c[b].measure > (float)c[best].measure)) {
            best = b;
            least = cost;
        }
    }
    return best;
}

static int by_measure(const void *a, const void *b) {
    const swOrder *x = a, *y = b;
    return x->measure != y->measure ? (x->measure > y->measure) - (x->measure < y->measure)
                                    : (x->id > y->id) - (x->id < y->id);
}

static bool prepare_merge(swSampling *s, swMerge *m, swError *error) {
    const int n = s->nfound;
    const swClass *c = s->classes.item;
    *m = (swMerge){.words = (s->body->nsite + 63) / 64,
                   .order = SW_NEW(&s->arena, n, swOrder, error),
                   .largest = SW_NEW(&s->arena, s->b->material.count, int, error)};
    m->set = SW_NEW(&s->arena, (size_t)n * (size_t)m->words, uint64_t, error);
    if (!m->set || !m->order || !m->largest)
        return false;
    for (int i = 0; i < n; i++) {
        if (!c[i].elastic)
            continue;
        m->order[m->count++] = (swOrder){(float)c[i].measure, i, -1};
        for (int k = 0; k < c[i].nsite; k++) {
            const int site = s->sites.item[c[i].first + k];
            m->set[(size_t)i * (size_t)m->words + (size_t)site / 64] |= 1ull << site % 64;
        }
    }
    qsort(m->order, (size_t)m->count, sizeof *m->order, by_measure);
    for (int i = 0; i < s->b->material.count; i++)
        m->largest[i] = -1;
    for (int i = 0; i < m->count; i++) {
        int *largest = &m->largest[c[m->order[i].id].material];
        m->order[i].smaller = *largest;
        *largest = i;
    }
    return true;
}

// The smallest first: down to `limit` classes; and those that are but a small part of what a region
// would be go into others with the same sites, so that points are where the energy is. Returns how
// many are left.
static int merge(swSampling *s, swMerge *m, int limit) {
    swClass *c = s->classes.item;
    swReal total = 0;
    int left = m->count;
    for (int i = 0; i < m->count; i++)
        total += c[m->order[i].id].measure;
    for (int i = 0; i < m->count; i++) {
        const int a = m->order[i].id;
        const bool many = left > limit;
        if (!many && m->order[i].measure > SMALL * total / limit)
            break;
        const int b = partner(c, m, i, !many);
        if (b < 0)
            continue;
        for (int k = 0; k < m->words; k++)
            m->set[(size_t)b * (size_t)m->words + (size_t)k] |=
                m->set[(size_t)a * (size_t)m->words + (size_t)k];
        c[b].measure += c[a].measure;
        c[a].into = b;
        left--;
    }
    return left;
}

// The class of what was merged into class `a`; -1 without memory.
static int add_union(swSampling *s, const swMerge *m, int a, int *site, swError *error) {
    const uint64_t *set = m->set + (size_t)a * (size_t)m->words;
    int n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < s->body->nsite; k++)
            if ((sw_site_node(s, k)->ndof > 0) == (pass == 0) && (set[k / 64] >> k % 64 & 1))
                site[n++] = k;
    const swClass *c = &s->classes.item[a];
    return add_class(s, c->material, c->bin, site, n, error);
}

// Columns of each found class's sites in the class it went into.
static bool place_columns(swSampling *s, swError *error) {
    int *at = SW_NEW(&s->arena, s->body->nsite, int, error);
    for (int i = 0; at && i < s->nfound; i++) {
        const swClass *c = &s->classes.item[i], *to = &s->classes.item[c->into];
        for (int k = 0; k < to->nsite; k++)
            at[s->sites.item[to->first + k]] = s->columns.item[to->first + k];
        for (int k = 0; k < c->nsite; k++)
            s->columns.item[c->first + k] = at[s->sites.item[c->first + k]];
    }
    return at != NULL;
}

int sw_sampling_merge(swSampling *s, int limit, swError *error) {
    swMerge m;
    int *site = SW_NEW(&s->arena, s->body->nsite, int, error),
        *end = SW_NEW(&s->arena, s->nfound, int, error); // of each chain of merges
    if (!site || !end || !prepare_merge(s, &m, error))
        return -1;
    const int left = merge(s, &m, limit);
    for (int i = 0; i < s->nfound; i++)
        for (end[i] = i; s->classes.item[end[i]].into != end[i];)
            end[i] = s->classes.item[end[i]].into;
    // What has taken others in becomes a class of its own.
    for (int i = 0; i < s->nfound; i++) {
        if (end[i] == i)
            continue;
        int into = s->classes.item[end[i]].into;
        if (into == end[i] && (into = add_union(s, &m, end[i], site, error)) < 0)
            return -1;
        s->classes.item[i].into = s->classes.item[end[i]].into = into;
    }
    return place_columns(s, error) ? left : -1;
}

// ---- reading ----

bool sw_reader_create(const swSampling *s, swReader *r, swArena *a, swError *error) {
    const size_t n = (size_t)s->body->nsite, c = (size_t)s->ncolumn;
    bool kept = true;
    for (int v = 0; v < s->body->grid.nvoxel; v++)
        kept = kept && s->row[v];
    *r = (swReader){.N = SW_NEW(a, c, swReal, error),
                    .G = sw_arena_alloc(a, c, sizeof *r->G, error),
                    .slope = sw_arena_alloc(a, c, sizeof *r->slope, error)};
    if (!kept) {
        r->w = SW_NEW(a, SW_BATCH * n, swReal, error);
        r->dw = SW_NEW(a, 3 * SW_BATCH * n, swReal, error);
        r->packed = SW_NEW(a, 4 * SW_BATCH * n, swReal, error);
    }
    return r->N && r->G && r->slope && (kept || (r->w && r->dw && r->packed));
}

void sw_reader_read(const swSampling *s, swReader *r, int n, const int *voxel) {
    const size_t nsite = (size_t)s->body->nsite;
    int list[SW_BATCH], place[SW_BATCH], count = 0;
    for (int i = 0; i < n; i++) {
        r->row[i] = s->row[voxel[i]];
        if (r->row[i])
            continue;
        place[count] = i;
        list[count++] = voxel[i];
    }
    if (count == 0)
        return;
    evaluate(s, count, list, r->w, r->dw);
    for (int i = 0; i < count; i++) {
        swReal *row = r->packed + 4 * nsite * (size_t)i;
        pack(s, &s->classes.item[s->kind[list[i]]], r->w + nsite * (size_t)i,
             r->dw + 3 * nsite * (size_t)i, row);
        r->row[place[i]] = row;
    }
}

// w m and its gradient for the monomials 1, x, y, z at d from the node.
static void affine_columns(swReal w, const swReal *dw, swVec3 d, swReal *N, swReal (*G)[3]) {
    N[0] = w;
    N[1] = w * d.x;
    N[2] = w * d.y;
    N[3] = w * d.z;
    for (int k = 0; k < 3; k++) {
        G[0][k] = dw[k];
        G[1][k] = dw[k] * d.x;
        G[2][k] = dw[k] * d.y;
        G[3][k] = dw[k] * d.z;
        G[1 + k][k] += w;
    }
}

void sw_reader_columns(const swSampling *s, swReader *r, const swClass *c, int voxel, int i,
                       bool lumped) {
    static const swReal zero[3] = {0, 0, 0};
    const swClass *own = &s->classes.item[s->kind[voxel]];
    const swReal *row = r->row[i];
    const swVec3 p = s->body->grid.voxel[voxel].centroid;
    int column = 0;
    if (c != own) { // sites of the class that do not move this voxel
        memset(r->N, 0, (size_t)c->ncolumn * sizeof *r->N);
        memset(r->G, 0, (size_t)c->ncolumn * sizeof *r->G);
    }
    for (int k = 0; k < own->nsite; k++, row += 4) {
        const swNode *node = sw_site_node(s, s->sites.item[own->first + k]);
        const swReal w = lumped ? sqrt(sw_max(row[0], 0)) : row[0], *dw = lumped ? zero : row + 1;
        const swVec3 d = sw_sub(p, node->origin);
        const int width = sw_node_columns(node);
        if (c != own)
            column = s->columns.item[own->first + k];
        if (width == 1) {
            r->N[column] = w;
            memcpy(r->G[column], dw, sizeof *r->G);
        } else
            affine_columns(w, dw, d, r->N + column, r->G + column);
        if (width > 4) {
            swReal m[SW_MAX_MONOMIALS], g[SW_MAX_MONOMIALS][3];
            sw_monomials(width, d, m);
            sw_monomial_gradients(width, d, g);
            for (int a = 4; a < width; a++) {
                r->N[column + a] = w * m[a];
                for (int e = 0; e < 3; e++)
                    r->G[column + a][e] = dw[e] * m[a] + w * g[a][e];
            }
        }
        column += width;
    }
}

void sw_reader_slopes(const swSampling *s, swReader *r, const swClass *c, int voxel, int i) {
    static const int pair[SW_MAX_MONOMIALS][2] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0},
                                                  {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    const swClass *own = &s->classes.item[s->kind[voxel]];
    const swReal *row = r->row[i];
    const swVec3 p = s->body->grid.voxel[voxel].centroid;
    int column = 0;
    memset(r->slope, 0, (size_t)c->ncolumn * sizeof *r->slope);
    for (int k = 0; k < own->nsite; k++, row += 4) {
        const swNode *node = sw_site_node(s, s->sites.item[own->first + k]);
        const int width = sw_node_columns(node);
        swReal g[SW_MAX_MONOMIALS][3];
        if (c != own)
            column = s->columns.item[own->first + k];
        sw_monomial_gradients(width, sw_sub(p, node->origin), g);
        for (int a = 1; a < width; a++)
            for (int x = 0; x < 3; x++)
                for (int d = 0; d < 3; d++) {
                    const bool bent = a >= 4 && ((pair[a][0] == x && pair[a][1] == d) ||
                                                 (pair[a][1] == x && pair[a][0] == d));
                    const swReal second = !bent ? 0 : pair[a][0] == pair[a][1] ? 2 : 1;
                    r->slope[column + a][x][d] =
                        row[1 + d] * g[a][x] + row[1 + x] * g[a][d] + row[0] * second;
                }
        column += width;
    }
}

// ---- which strains are relaxed, and where ----

enum { LOOK = 128 };                // voxels that stand for a region
static const swReal MAX_BENT = 0.1; // of weights that count as linear, see swDirections

int sw_sampling_gradients(const swSampling *s, swReader *r, int n, const int *voxel, swReal *out) {
    const swClass *c = sw_class_of(s, voxel[0]);
    const swReal root = sqrt(s->b->material.item[c->material].young);
    for (int i = 0; i < n; i++) {
        if (i % SW_BATCH == 0)
            sw_reader_read(s, r, sw_min_int(SW_BATCH, n - i), voxel + i);
        sw_reader_columns(s, r, c, voxel[i], i % SW_BATCH, false);
        for (int k = 0, column = 0; k < c->nsite; k++) {
            for (int d = 0; d < 3; d++) // of the constant monomial
                *out++ = root * r->G[column][d];
            column += sw_node_columns(sw_site_node(s, s->sites.item[c->first + k]));
        }
    }
    return 3 * c->nsite;
}

// Whether the weight of a handle comes to one at the region's border.
static bool touches_handle(const swSampling *s, swReader *r, int n, const int *voxel) {
    const swClass *c = sw_class_of(s, voxel[0]);
    for (int i = 0; i < n; i++) {
        sw_reader_read(s, r, 1, &voxel[i]);
        sw_reader_columns(s, r, c, voxel[i], 0, false);
        for (int k = 0, column = 0; k < c->nsite; k++) {
            const int site = s->sites.item[c->first + k];
            const swReal *G = r->G[column], slope = sqrt(G[0] * G[0] + G[1] * G[1] + G[2] * G[2]);
            if (s->body->site[site].cell < 0 && r->N[column] + 0.75 * s->body->grid.h * slope > 1)
                return true;
            column += sw_node_columns(sw_site_node(s, site));
        }
    }
    return false;
}

swDirections *sw_sampling_directions(swSampling *s, swReader *reader, const swRegions *r,
                                     swError *error) {
    swDirections *found = SW_NEW(&s->arena, r->count, swDirections, error);
    int *chosen = SW_NEW(&s->arena, LOOK, int, error);
    swReal *value = SW_NEW(&s->arena, 3 * LOOK * (size_t)s->body->nsite, swReal, error);
    if (!found || !chosen || !value)
        return NULL;
    for (int i = 0; i < r->count; i++) {
        const int first = r->start[i], n = r->start[i + 1] - first, count = sw_min_int(n, LOOK);
        for (int k = 0; k < count; k++)
            chosen[k] = r->voxel[first + sw_spread_index(k, count, n)];
        const int nvalue = sw_sampling_gradients(s, reader, count, chosen, value);
        found[i] = sw_directions_of(count, nvalue / 3, value);
        found[i].wall = touches_handle(s, reader, count, chosen);
    }
    return found;
}

// Strains for weights that vary in the first n of a region's axes (U; the others are N).
// Sections of a bar cannot breathe, nor can the thickness of a plate: strains within N that vary
// along N (a); over plates also along U (d). Rigid nodes cannot shear either: strains between U and
// N that vary along U (b); affine nodes can, and would cost nothing then. Nor can rigid nodes get
// thinner at all: strains within N (c). Sections of a twisted bar bulge (w). Where weights vary in
// all directions, changes of volume alone, of stuff that hardly has any.
static uint32_t strains_of(int n, bool rigid, const swReal lame[2]) {
    const bool hard = lame[1] + 2.0 / 3 * lame[0] > sw_relax_bulk(lame);
    uint32_t mask = n == 1 ? sw_relax_bit(3, SW_RELAX_WARP) : 0;
    for (int k = 0; k < SW_RELAX_PLACES; k++) {
        for (int c = n; c < 3; c++)
            for (int e = c; e < 3; e++)
                if (k == 3 ? rigid : k >= n || n == 2)
                    mask |= sw_relax_bit(k, sw_pair_at[3 * c + e]);
        for (int c = n; c < 3 && rigid && k < n; c++)
            mask |= sw_relax_bit(k, sw_pair_at[3 * k + c]);
        if (n == 3 && hard && k < 3)
            mask |= sw_relax_bit(k, SW_RELAX_VOLUME);
    }
    return mask;
}

swReal sw_sampling_softness(const swSampling *s, const swClass *c, const swDirections *found) {
    const swMaterialInfo *m = &s->b->material.item[c->material];
    const swReal stiff = m->lame[1] + 2 * m->lame[0],
                 left = found->n < 3 ? m->young : sw_relax_bulk(m->lame) + 4.0 / 3 * m->lame[0];
    return sqrt(sw_min(left / stiff, 1));
}

// How many nodes of a kind act on the class.
static int count_of(const swSampling *s, const swClass *c, swNodeKind kind) {
    int count = 0;
    for (int k = 0; k < c->nsite; k++)
        count += sw_site_node(s, s->sites.item[c->first + k])->kind == (int)kind;
    return count;
}

// Center and extents of a zone, by its samples. Those along axes without extent are dropped.
static void measure(const swSampling *s, swZone *zone) {
    const int first = s->b->group.item[zone->group].sample + zone->block * SW_LANES,
              end = first + zone->nblock * SW_LANES;
    const swVec3 *p = s->b->sample_point.item;
    const swReal *w = s->b->sample_weight.item;
    swReal weight = 0;
    for (int i = first; i < end; i++) {
        weight += w[i];
        zone->center = sw_madd(zone->center, w[i], p[i]);
    }
    zone->center = sw_scale(1 / weight, zone->center);
    for (int k = 0; k < 3; k++) {
        const swReal *e = zone->axes + 3 * k;
        swReal second = 0;
        for (int i = first; i < end; i++) {
            const swReal d = sw_dot(sw_v3(e[0], e[1], e[2]), sw_sub(p[i], zone->center));
            second += w[i] / weight * d * d;
        }
        zone->extent[k] = sqrt(second);
        if (!(zone->extent[k] > 1e-3 * s->body->grid.h)) {
            zone->extent[k] = 1;
            zone->mask &= ~((sw_relax_bit(0, SW_RELAX_SHAPES) - 1) << SW_RELAX_SHAPES * k);
            zone->mask &= ~sw_relax_bit(3, SW_RELAX_WARP);
        }
    }
}

// A zone of the samples from `first` to `last`, in one class.
static bool add_zone(swSampling *s, const swClass *c, const swPlaced *first, const swPlaced *last,
                     const swDirections *found, swError *error) {
    const bool rigid = count_of(s, c, SW_NODE_RIGID) == c->nsite;
    const int block = first->sample / SW_LANES,
              next = (last->sample + last->n + SW_LANES - 1) / SW_LANES;
    swGroup *g = &s->b->group.item[first->group];
    swZone *zone = SW_EXTEND(&s->b->zone, 1, &s->b->arena, error);
    if (!zone)
        return false;
    *zone = (swZone){.group = first->group,
                     .block = block,
                     .nblock = next - block,
                     .strain = (int)s->b->size.nrelax};
    memcpy(zone->axes, found->axes.m, sizeof zone->axes);
    // Quadratic nodes have all these strains of their own, and few points feel no slopes.
    if (last->sample + last->n - first->sample >= 4 && count_of(s, c, SW_NODE_QUADRATIC) == 0)
        zone->mask = strains_of(found->n, rigid, s->b->material.item[c->material].lame);
    measure(s, zone);
    if (found->wall && found->n < 3) {
        zone->across = found->n;
        zone->wall = sqrt(12) * zone->extent[0]; // its length, where it is a slice
    }
    zone->nstrain = __builtin_popcount(zone->mask);
    s->b->size.nrelax += zone->nstrain;
    if (g->nzone++ == 0)
        g->zone = s->b->zone.count - 1;
    return true;
}

// A zone for every region. Where all nodes are rigid and weights linear it is the whole class: the
// shear that is to be relaxed grows over all the way between the nodes.
bool sw_sampling_zones(swSampling *s, const swRegions *r, const swPlaced *placed,
                       const swDirections *found, swError *error) {
    for (int first = 0, end; first < r->count; first = end) {
        const swClass *c = sw_class_of(s, r->voxel[r->start[first]]);
        const bool whole =
            count_of(s, c, SW_NODE_RIGID) == c->nsite && found[first].bent <= MAX_BENT;
        for (end = first + 1; whole && end < r->count && placed[end].group == placed[first].group &&
                              found[end].bent <= MAX_BENT;)
            end++;
        if (!add_zone(s, c, &placed[first], &placed[end - 1], &found[first], error))
            return false;
    }
    return true;
}
