// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Links of a precomputed body: its samples are gathered into a few parts that turn alike, and the
// stiffness of each at rest is computed once, by the code that steps use otherwise. Those of a
// corrected body share its amplitudes and sums of volume.
#include "compile/correcting.h"

#include "potentials/forces.h"
#include "kinematics/group.h"
#include "kinematics/relax.h"

#include <string.h>

_Static_assert((int)SW_LINK_STRAINS == (int)SW_RELAX_STRAINS, "springs have the modes of a cell");

enum { ROUNDS = 10 }; // of Lloyd's method
// Entries of a node in the mean of gamma by which parts are told apart: the first four columns.
enum { COLUMNS = 4, ENTRIES = 3 * COLUMNS };

// What stays together: the blocks of a zone, whose strains are relaxed together, or a single one.
typedef struct {
    int group, block, nblock;
    int zone; // or -1
    int part;
    swReal volume;
    swReal *mean;  // [node of the group][ENTRIES]
    swReal square; // of all of it
} swUnit;

typedef struct {
    swBuilder *b;
    swBodyBuild *body;
    swArena arena;
    SW_LIST(swUnit) unit;
    int nnode, first; // nodes of the body
    int most;         // parts
    bool split;       // zones are cut into parts: there are so few
    int begin, end;   // units that are being gathered into parts,
    int base, npart;  // which are numbered from `base` on
    swReal *center;   // [part][node][ENTRIES]
    swReal *square, *volume;
    int *local, *column;  // of each node of the body: its place in the link at hand, or -1; and
                          // its first column there
    int amplitudes;       // the node of a corrected body that has them, or -1
    int nstrain, nsquare; // of these, and sums of volume
    swReal *shared;       // see swLink
} swLinking;

static const swNode *node_of(const swLinking *s, int group_node) {
    return &s->b->node.item[s->b->group_node.item[group_node]];
}

// What links cannot stand for: whatever changes what a body is like at rest.
static bool check_materials(const swLinking *s, swError *error) {
    for (int i = 0; i < s->b->group.count; i++) {
        const swGroup *g = &s->b->group.item[i];
        const swMaterialInfo *m = &s->b->material.item[g->material];
        if (g->body == s->body->index &&
            (m->yield > 0 || m->fibre_stiffness > 0 || m->fibre_strength > 0))
            return sw_fail(error, SW_ERROR_VALUE,
                           "%s.frames.precompute: expected materials with the same stiffness at "
                           "rest all the time, found \"%s\", which %s",
                           s->body->key, s->b->text.item + m->name,
                           m->yield > 0 ? "yields" : "has fibres");
    }
    return true;
}

// ---- units ----

// gamma [3][ncolumn] of one sample.
static const swReal *sample_gamma(const swBuilder *b, const swGroup *g, int sample) {
    return b->gamma.item + g->gamma + (int64_t)(sample / SW_LANES) * sw_group_stride(g) +
           sample % SW_LANES;
}

// The mean of gamma; that of positions in units of the frames' distance.
static bool add_unit(swLinking *s, swUnit unit, swReal length, swError *error) {
    const swBuilder *b = s->b;
    const swGroup *g = &b->group.item[unit.group];
    unit.mean = SW_NEW(&s->arena, g->nnode * ENTRIES, swReal, error);
    if (!unit.mean)
        return false;
    for (int i = unit.block * SW_LANES; i < (unit.block + unit.nblock) * SW_LANES; i++)
        unit.volume += b->sample_volume.item[g->sample + i];
    for (int i = unit.block * SW_LANES; i < (unit.block + unit.nblock) * SW_LANES; i++) {
        const swReal *gamma = sample_gamma(b, g, i),
                     share =
                         unit.volume > 0 ? b->sample_volume.item[g->sample + i] / unit.volume : 0;
        for (int n = 0, column = 0; n < g->nnode; n++) {
            const int width = node_of(s, g->node + n)->width;
            for (int k = 0; k < 3; k++)
                for (int c = 0; c < sw_min_int(width, COLUMNS); c++)
                    unit.mean[n * ENTRIES + k * COLUMNS + c] +=
                        share * (c == 0 ? length : 1) *
                        gamma[(k * g->ncolumn + column + c) * SW_LANES];
            column += width;
        }
    }
    unit.square = sw_dot_n(g->nnode * ENTRIES, unit.mean, unit.mean);
    swUnit *to = unit.volume > 0 ? SW_PUSH(&s->unit, &s->arena, error) : NULL;
    if (to)
        *to = unit;
    return to || !(unit.volume > 0);
}

static bool find_units(swLinking *s, swError *error) {
    const swBuilder *b = s->b;
    int nzone = 0;
    for (int i = 0; i < b->group.count; i++)
        nzone += b->group.item[i].body == s->body->index ? b->group.item[i].nzone : 0;
    s->split = nzone < s->most;
    const swReal length = cbrt(s->body->grid.volume / s->nnode);
    for (int i = 0; i < b->group.count; i++) {
        const swGroup *g = &b->group.item[i];
        if (g->body != s->body->index)
            continue;
        const swZone *zone = g->nzone > 0 ? b->zone.item + g->zone : NULL;
        for (int k = 0; k < g->nblock;) {
            while (zone && k >= zone->block + zone->nblock)
                zone++;
            const swUnit unit = {.group = i,
                                 .block = k,
                                 .nblock = zone && !s->split ? zone->nblock : 1,
                                 .zone = zone ? (int)(zone - b->zone.item) : -1};
            k += unit.nblock;
            if (!add_unit(s, unit, length, error))
                return false;
        }
    }
    return true;
}

// ---- parts ----

static swReal *center_of(const swLinking *s, const swUnit *u, int part, int node) {
    const int n = s->b->group_node.item[s->b->group.item[u->group].node + node] - s->first;
    return s->center + ((ptrdiff_t)part * s->nnode + n) * ENTRIES;
}

// How differently a unit and a part are turned: |mean - center|^2.
static swReal distance(const swLinking *s, const swUnit *u, int part) {
    swReal along = 0;
    for (int n = 0; n < s->b->group.item[u->group].nnode; n++)
        along += sw_dot_n(ENTRIES, u->mean + n * ENTRIES, center_of(s, u, part, n));
    return u->square - 2 * along + s->square[part];
}

static void add_to_center(const swLinking *s, const swUnit *u, swReal share) {
    for (int n = 0; n < s->b->group.item[u->group].nnode; n++) {
        swReal *to = center_of(s, u, u->part, n);
        for (int k = 0; k < ENTRIES; k++)
            to[k] += share * u->mean[n * ENTRIES + k];
    }
}

// Centers become the means of what belongs to them.
static void find_centers(const swLinking *s) {
    const int size = s->nnode * ENTRIES, count = s->npart - s->base;
    memset(s->center + (ptrdiff_t)s->base * size, 0,
           (size_t)count * (size_t)size * sizeof *s->center);
    memset(s->volume + s->base, 0, (size_t)count * sizeof *s->volume);
    for (int i = s->begin; i < s->end; i++)
        s->volume[s->unit.item[i].part] += s->unit.item[i].volume;
    for (int i = s->begin; i < s->end; i++) {
        const swUnit *u = &s->unit.item[i];
        add_to_center(s, u, u->volume / s->volume[u->part]);
    }
    for (int p = s->base; p < s->npart; p++) {
        const swReal *center = s->center + (ptrdiff_t)p * size;
        s->square[p] = s->volume[p] > 0 ? sw_dot_n(size, center, center) : INFINITY;
    }
}

// Each part begins with what is worst off in the parts so far.
static void begin_parts(swLinking *s, int most, swReal *far) {
    for (int i = s->begin; i < s->end; i++)
        s->unit.item[i].part = s->base;
    s->npart = s->base + 1;
    find_centers(s);
    for (;; s->npart++) {
        int worst = s->begin;
        for (int i = s->begin; i < s->end; i++) {
            swUnit *u = &s->unit.item[i];
            const swReal d = distance(s, u, s->npart - 1);
            if (s->npart == s->base + 1 || d < far[i]) {
                far[i] = d;
                u->part = s->npart - 1;
            }
            if (u->volume * far[i] > s->unit.item[worst].volume * far[worst])
                worst = i;
        }
        if (s->npart == s->base + most || !(far[worst] > 1e-12))
            return;
        swUnit begin = s->unit.item[worst];
        begin.part = s->npart;
        add_to_center(s, &begin, 1);
        s->square[s->npart] = begin.square;
    }
}

// Gathers units from `begin` to `end` into at most so many parts: each goes where it is nearest.
static void find_some(swLinking *s, int most, swReal *far) {
    s->base = s->npart;
    begin_parts(s, sw_min_int(most, s->end - s->begin), far);
    for (int round = 0; round < ROUNDS; round++) {
        find_centers(s);
        for (int i = s->begin; i < s->end; i++) {
            swUnit *u = &s->unit.item[i];
            swReal nearest = distance(s, u, u->part);
            for (int p = s->base; p < s->npart; p++) {
                const swReal d = distance(s, u, p);
                if (d < nearest) {
                    nearest = d;
                    u->part = p;
                }
            }
        }
    }
    find_centers(s);
}

// Of all units; or, where zones are cut, zone by zone (and what lies in none between them), in
// proportion to volume.
static bool find_parts(swLinking *s, swError *error) {
    const int nunit = s->unit.count;
    int room = s->most;
    for (int i = 0; i < nunit; i++) // one more for each zone at most
        room += i == 0 || s->unit.item[i].zone != s->unit.item[i - 1].zone;
    room = sw_min_int(room, nunit);
    const size_t size = (size_t)s->nnode * ENTRIES;
    swReal *far = SW_NEW(&s->arena, nunit, swReal, error), all = 0;
    s->center = SW_NEW(&s->arena, (size_t)room * size, swReal, error);
    s->square = SW_NEW(&s->arena, room, swReal, error);
    s->volume = SW_NEW(&s->arena, room, swReal, error);
    if (!far || !s->center || !s->square || !s->volume)
        return false;
    for (int i = 0; i < nunit; i++)
        all += s->unit.item[i].volume;
    for (s->begin = 0; s->begin < nunit; s->begin = s->end) {
        const swUnit *u = &s->unit.item[s->begin];
        swReal volume = 0;
        for (s->end = s->begin; s->end < nunit; s->end++) {
            if (s->split && s->unit.item[s->end].zone != u->zone)
                break;
            volume += s->unit.item[s->end].volume;
        }
        find_some(s, s->split ? sw_max_int(1, (int)(s->most * volume / all)) : s->most, far);
    }
    return true;
}

// ---- links ----

// The nodes of a part, free ones first, as the nodes of a link.
static bool add_spring(swLinking *s, int part, swLink *out, swError *error) {
    swBuilder *b = s->b;
    *out = (swLink){.body = s->body->index,
                    .node = b->link_node.count,
                    .amplitudes = s->amplitudes,
                    .nstrain = s->nstrain,
                    .nsquare = s->nsquare};
    for (int i = 0; i < s->nnode; i++)
        s->local[i] = -1;
    for (int i = 0; i < s->unit.count; i++) {
        const swGroup *g = &b->group.item[s->unit.item[i].group];
        for (int n = 0; n < g->nnode && s->unit.item[i].part == part; n++)
            s->local[b->group_node.item[g->node + n] - s->first] = 0;
    }
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < s->nnode; i++) {
            const swNode *node = &b->node.item[s->first + i];
            if (s->local[i] < 0 || (node->ndof > 0) != (pass == 0))
                continue;
            int *to = SW_EXTEND(&b->link_node, 1, &b->arena, error);
            if (!to)
                return false;
            *to = s->first + i;
            s->local[i] = out->nnode++;
            s->column[i] = out->ncolumn;
            out->ncolumn += node->width;
            out->nfree += pass == 0 ? node->width : 0;
        }
    return true;
}

// The part as a model of its own: its nodes at rest, all of them free, that of amplitudes last, and
// groups of the units.
typedef struct {
    swBodyModel model;
    swReal *q;
    SW_LIST(swGroup) group;
    SW_LIST(swZone) zone;
    SW_LIST(int) group_node;
    int last; // the body's group that the last one is of
} swPartModel;

static bool add_nodes(const swLinking *s, const swLink *link, swPartModel *p, swArena *arena,
                      swError *error) {
    swBodyModel *m = &p->model;
    const bool modes = s->amplitudes >= 0;
    const swNode *all = s->b->node.item;
    m->size.nnode = link->nnode + modes;
    m->size.nq = 3 * link->ncolumn + (modes ? sw_node_size(&all[s->amplitudes]) : 0);
    m->size.max_columns = link->ncolumn;
    m->node = SW_NEW(arena, m->size.nnode, swNode, error);
    p->q = SW_NEW(arena, m->size.nq, swReal, error);
    if (!m->node || !p->q)
        return false;
    int at = 0;
    for (int i = 0; i < link->nnode; i++) {
        swNode *node = &m->node[i];
        *node = all[s->b->link_node.item[link->node + i]];
        node->q = at;
        for (int r = 0; r < 3; r++) {
            p->q[at + r * node->width] = sw_get(node->origin, r);
            if (node->width > 1)
                p->q[at + r * node->width + 1 + r] = 1;
        }
        at += 3 * node->width;
    }
    if (modes) {
        m->node[link->nnode] = all[s->amplitudes];
        m->node[link->nnode].q = at;
    }
    return true;
}

// Units that follow one another become one group.
static bool add_unit_to(const swLinking *s, const swUnit *u, swPartModel *p, swArena *arena,
                        swError *error) {
    const swBuilder *b = s->b;
    const swGroup *from = &b->group.item[u->group];
    swGroup *g = p->group.count > 0 ? &p->group.item[p->group.count - 1] : NULL;
    const int sample = from->sample + u->block * SW_LANES;
    if (!g || p->last != u->group || g->sample + g->nblock * SW_LANES != sample) {
        if (!(g = SW_PUSH(&p->group, arena, error)))
            return false;
        *g = *from;
        p->last = u->group;
        g->node = p->group_node.count;
        g->nfree = g->ncolumn;
        g->sample = sample;
        g->gamma += (int64_t)u->block * sw_group_stride(from);
        g->corrector += (int64_t)u->block * s->nstrain * 6 * SW_LANES;
        g->amplitudes = from->amplitudes < 0 ? -1 : (int)p->model.size.nnode - 1;
        g->zone = p->zone.count;
        g->nblock = g->nzone = 0;
        for (int n = 0; n < from->nnode; n++) {
            int *node = SW_PUSH(&p->group_node, arena, error);
            if (!node)
                return false;
            *node = s->local[b->group_node.item[from->node + n] - s->first];
        }
    }
    if (u->zone >= 0 && !s->split) {
        swZone *zone = SW_PUSH(&p->zone, arena, error);
        if (!zone)
            return false;
        *zone = b->zone.item[u->zone];
        zone->group = p->group.count - 1;
        zone->block = g->nblock;
        zone->strain = (int)p->model.size.nrelax;
        p->model.size.nrelax += zone->nstrain;
        g->nzone++;
    }
    g->nblock += u->nblock;
    return true;
}

// Its stiffness at rest, a block for every two nodes.
static bool assemble(swPartModel *p, swArena *arena, swBlocks *H, swError *error) {
    swBodyModel *m = &p->model;
    const int n = (int)m->size.nnode;
    int *row = SW_NEW(arena, n + 1, int, error), *size = SW_NEW(arena, n, int, error),
        *column = SW_NEW(arena, n * (n + 1) / 2, int, error);
    swReal *activation = SW_NEW(arena, m->size.nmaterial, swReal, error),
           *relax = SW_NEW(arena, m->size.nrelax, swReal, error);
    swElasticWork work;
    if (!row || !size || !column || !activation || !relax)
        return false;
    for (int i = 0; i < n; i++) {
        size[i] = sw_node_is_modes(&m->node[i]) ? m->node[i].nu : 3 * m->node[i].width;
        row[i + 1] = row[i] + i + 1;
        for (int j = 0; j <= i; j++)
            column[row[i] + j] = j;
    }
    if (!sw_blocks_create(H, (swPattern){n, row, column}, size, arena, error) ||
        !sw_elastic_create(&work, m, 1, true, arena, error))
        return false;
    const swElasticInput input = {.q = p->q, .activation = activation, .relax = relax};
    swSystem out = {.H = H};
    sw_elastic_add(m, &work, NULL, &input, &out);
    return true;
}

// The mean of gamma over the part's volume: the rotation of the link's joint is that of its F.
static void add_mean(const swLinking *s, int part, int n, swReal *mean) {
    const swBuilder *b = s->b;
    for (int i = 0; i < s->unit.count; i++) {
        const swUnit *u = &s->unit.item[i];
        const swGroup *g = &b->group.item[u->group];
        for (int k = u->block * SW_LANES; k < (u->block + u->nblock) * SW_LANES; k++) {
            const swReal *gamma = sample_gamma(b, g, k),
                         share = b->sample_volume.item[g->sample + k] / s->volume[part];
            for (int j = 0, column = 0; j < g->nnode && u->part == part; j++) {
                const int at = b->group_node.item[g->node + j] - s->first,
                          width = b->node.item[s->first + at].width;
                for (int d = 0; d < 3; d++)
                    for (int c = 0; c < width; c++)
                        mean[d * n + s->column[at] + c] +=
                            share * gamma[(d * g->ncolumn + column + c) * SW_LANES];
                column += width;
            }
        }
    }
}

// The zone that a part is a piece of, or -1.
static int zone_of(const swLinking *s, int part) {
    for (int i = 0; i < s->unit.count && s->split; i++)
        if (s->unit.item[i].part == part)
            return s->unit.item[i].zone;
    return -1;
}

// What the blocks of a part do to the strains of the zone that they are of.
static bool add_strains(const swLinking *s, int index, int part, const swLink *link, swArena *arena,
                        swError *error) {
    const swBuilder *b = s->b;
    const swBodyModel m = {.body = b->body.item,
                           .group = b->group.item,
                           .material = b->material.item,
                           .gamma = b->gamma.item,
                           .sample_weight = b->sample_weight.item,
                           .sample_point = b->sample_point.item};
    const swZone *zone = &b->zone.item[index];
    const swGroup *g = &m.group[zone->group];
    const int n = zone->nstrain, size = 3 * g->ncolumn;
    swReal *strains = b->link_data.item + link->data + sw_link_size(link->ncolumn, 0);
    swReal *K = SW_NEW(arena, n * n, swReal, error), *here = SW_NEW(arena, n * size, swReal, error),
           *rest = SW_NEW(arena, n * size, swReal, error),
           *force = SW_NEW(arena, size * SW_LANES, swReal, error),
           *activation = SW_NEW(arena, b->material.count, swReal, error);
    if (!K || !here || !rest || !force || !activation)
        return false;
    const swElasticInput input = {.activation = activation};
    for (int i = 0; i < s->unit.count; i++)
        if (s->unit.item[i].zone == index)
            sw_zone_rest(&m, zone, s->unit.item[i].block, &input, force, K,
                         s->unit.item[i].part == part ? here : rest);
    sw_zone_scale(n, size, K, here);
    for (int i = 0, column = 0; i < g->nnode; i++) {
        const int node = b->group_node.item[g->node + i] - s->first,
                  width = b->node.item[s->first + node].width;
        for (int k = 0; k < 3 * width * n; k++) {
            const int strain = k / (3 * width), r = k / width % 3, c = k % width;
            strains[strain * sw_link_stride(link->ncolumn) + r * link->ncolumn + s->column[node] +
                    c] = here[strain * size + r * g->ncolumn + column + c];
        }
        column += width;
    }
    return true;
}

// What amplitudes do in a part: C_e into its rows, their stiffness into the shared one.
static void store_amplitudes(const swLinking *s, const swPartModel *p, const swBlocks *H,
                             const swLink *link, swReal *rows) {
    const int n = s->nstrain, nnode = link->nnode, stride = sw_link_stride(link->ncolumn);
    const swBlock own = sw_blocks_get(H, nnode, nnode);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s->shared[i * n + j] += own.data[(ptrdiff_t)i * own.stride + j];
    for (int i = 0, column = 0; i < nnode; column += p->model.node[i++].width) {
        const int width = p->model.node[i].width;
        const swBlock block = sw_blocks_get(H, nnode, i);
        for (int k = 0; k < 3 * width * n; k++) {
            const int strain = k / (3 * width), r = k / width % 3, c = k % width;
            rows[(ptrdiff_t)strain * stride + r * link->ncolumn + column + c] =
                block.data[(ptrdiff_t)strain * block.stride + r * width + c];
        }
    }
}

// Sums of volume of a part, linear about rest: M_e into its rows, M_a into what is shared.
static void store_sums(const swLinking *s, int part, const swLink *link, swReal *rows) {
    const swBuilder *b = s->b;
    const int n = link->ncolumn, stride = sw_link_stride(n);
    for (int i = 0; i < s->unit.count; i++) {
        const swUnit *u = &s->unit.item[i];
        const swGroup *g = &b->group.item[u->group];
        for (int k = u->block * SW_LANES; u->part == part && k < (u->block + u->nblock) * SW_LANES;
             k++) {
            const swReal *gamma = sample_gamma(b, g, k),
                         *G = b->corrector.item + g->corrector +
                              (ptrdiff_t)(k / SW_LANES) * 6 * s->nstrain * SW_LANES + k % SW_LANES;
            for (int f = 0; f < s->nsquare; f++) {
                const swReal weight =
                    b->volume_weight.item[(ptrdiff_t)f * b->sample_volume.count + g->sample + k];
                swReal *M = s->shared + (ptrdiff_t)(s->nstrain + f) * s->nstrain;
                for (int m = 0; m < s->nstrain; m++)
                    M[m] += weight * (G[6 * m * SW_LANES] + G[(6 * m + 1) * SW_LANES] +
                                      G[(6 * m + 2) * SW_LANES]);
                for (int j = 0, column = 0; j < g->nnode; j++) {
                    const int at = b->group_node.item[g->node + j] - s->first,
                              width = b->node.item[s->first + at].width;
                    for (int e = 0; e < 3 * width; e++)
                        rows[(ptrdiff_t)f * stride + e / width * n + s->column[at] + e % width] +=
                            weight *
                            gamma[(e / width * g->ncolumn + column + e % width) * SW_LANES];
                    column += width;
                }
            }
        }
    }
}

// What a step needs, into the model: see swLink.
static bool store(const swLinking *s, int part, const swPartModel *p, const swBlocks *H,
                  swLink *link, swError *error) {
    swBuilder *b = s->b;
    const int n = link->ncolumn, stride = sw_link_stride(n), nnode = link->nnode;
    link->data = b->link_data.count;
    const int64_t size = sw_link_size(n, link->nstrain + link->nsquare);
    if (size > INT32_MAX / 4 - b->link_data.count)
        return sw_fail(error, SW_ERROR_LIMIT,
                       "%s.frames.springs: springs between so many frames are too large; take "
                       "fewer, or weights that do not reach as far",
                       s->body->key);
    swReal *mean = SW_EXTEND(&b->link_data, (int)size, &b->arena, error);
    if (!mean)
        return false;
    swReal *rest = mean + 3 * n, *K = rest + 3 * n;
    add_mean(s, part, n, mean);
    for (int i = 0, ci = 0; i < nnode; ci += p->model.node[i++].width) {
        const swNode *ni = &p->model.node[i];
        for (int r = 0; r < 3; r++) {
            memcpy(rest + r * n + ci, p->q + ni->q + r * ni->width,
                   (size_t)ni->width * sizeof *rest);
            for (int j = 0; j < nnode; j++)
                rest[r * n + ci] -= sw_get(p->model.node[j].origin, r) / nnode;
        }
        for (int j = 0, cj = 0; j <= i; cj += p->model.node[j++].width) {
            const int wi = ni->width, wj = p->model.node[j].width;
            const swBlock block = sw_blocks_get(H, i, j);
            for (int r = 0; r < 3 * wi; r++)
                for (int c = 0; c < (i == j ? r + 1 : 3 * wj); c++) {
                    const int x = r / wi * n + ci + r % wi, y = c / wj * n + cj + c % wj;
                    K[(ptrdiff_t)x * stride + y] = K[(ptrdiff_t)y * stride + x] =
                        block.data[r * block.stride + c];
                }
        }
    }
    swReal *rows = K + (ptrdiff_t)3 * n * stride;
    if (s->amplitudes >= 0) {
        store_amplitudes(s, p, H, link, rows);
        store_sums(s, part, link, rows + (ptrdiff_t)s->nstrain * stride);
    }
    return true;
}

// Everything of one part.
static bool build_part(swLinking *s, int part, swArena *arena, swLink *link, swError *error) {
    swBuilder *b = s->b;
    swPartModel p = {.model = {.body = b->body.item,
                               .material = b->material.item,
                               .gamma = b->gamma.item,
                               .corrector = b->corrector.item,
                               .sample_volume = b->sample_volume.item,
                               .sample_weight = b->sample_weight.item,
                               .sample_point = b->sample_point.item,
                               .size = {.nmaterial = b->material.count}}};
    swBlocks H;
    if (!add_spring(s, part, link, error) || !add_nodes(s, link, &p, arena, error))
        return false;
    for (int i = 0; i < s->unit.count; i++)
        if (s->unit.item[i].part == part && !add_unit_to(s, &s->unit.item[i], &p, arena, error))
            return false;
    p.model.size.ngroup = p.group.count;
    p.model.size.nzone = p.zone.count;
    p.model.group = p.group.item;
    p.model.zone = p.zone.item;
    p.model.group_node = p.group_node.item;
    const int zone = zone_of(s, part);
    link->nstrain += zone >= 0 ? b->zone.item[zone].nstrain : 0;
    return assemble(&p, arena, &H, error) && store(s, part, &p, &H, link, error) &&
           (zone < 0 || add_strains(s, zone, part, link, arena, error));
}

// What all links share, behind the data of the last.
static bool add_shared(const swLinking *s, swError *error) {
    swBuilder *b = s->b;
    const int size = (s->nstrain + s->nsquare) * s->nstrain;
    const int64_t at = b->link_data.count;
    swReal *to = SW_EXTEND(&b->link_data, size, &b->arena, error);
    if (!to)
        return false;
    memcpy(to, s->shared, (size_t)size * sizeof *to);
    for (int i = 0; i < b->link.count; i++)
        b->link.item[i].shared = at;
    return true;
}

// The links of parts, of which those of one zone share its strains, and all those of amplitudes.
static bool add_springs(swLinking *s, swError *error) {
    swBuilder *b = s->b;
    int tie = -1, zone = -1; // of the link before: the first that has its strains
    for (int part = 0; part < s->npart; part++) {
        swArena arena;
        swLink link;
        if (!(s->volume[part] > 0))
            continue;
        if (!sw_pool_goes_on(b->pool))
            return sw_fail_stopped(error);
        sw_arena_init(&arena, &b->config->allocator);
        const bool ok = build_part(s, part, &arena, &link, error);
        sw_arena_free(&arena);
        swLink *to = ok ? SW_EXTEND(&b->link, 1, &b->arena, error) : NULL;
        if (!to)
            return false;
        *to = link;
        if (tie < 0 || (s->amplitudes < 0 && (link.nstrain == 0 || zone_of(s, part) != zone)))
            tie = b->link.count - 1;
        zone = zone_of(s, part);
        b->link.item[tie].tied++;
    }
    return s->amplitudes < 0 || add_shared(s, error);
}

bool sw_build_links(swBuilder *b, swBodyBuild *body, swError *error) {
    if (!body->def->frames.precompute)
        return true;
    swLinking s = {.b = b,
                   .body = body,
                   .nnode = body->nsite,
                   .first = body->first_node,
                   .most = body->def->frames.springs * body->nsite,
                   .amplitudes = body->fields ? body->fields->node : -1,
                   .nstrain = body->fields ? body->fields->n : 0,
                   .nsquare = (int)b->size.nvolume};
    sw_arena_init(&s.arena, &b->config->allocator);
    s.local = SW_NEW(&s.arena, s.nnode, int, error);
    s.column = SW_NEW(&s.arena, s.nnode, int, error);
    s.shared = SW_NEW(&s.arena, (s.nstrain + s.nsquare) * s.nstrain, swReal, error);
    const bool ok = s.local && s.column && s.shared && check_materials(&s, error) &&
                    find_units(&s, error) && find_parts(&s, error) && add_springs(&s, error);
    b->body.item[body->index].precomputed = ok;
    sw_arena_free(&s.arena);
    return ok;
}
