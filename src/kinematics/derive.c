// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/derive.h"

#include <string.h>

// A model on its way.
typedef struct {
    const swBodyModel *base;
    swBodyModel *m;
    const swBumps *bumps;
    swDerived *d;
    swArena scratch;
    swSpare *spare;
    uint32_t *block_mask; // bumps at each block of the base model; of a whole zone, where there are
    uint32_t *group_mask; // bumps of each new group
    int *group_base;      // which group of the base model it is a part of
    int *group_blocks;    // its blocks
    uint32_t *point_mask; // bumps at each embedded point
    bool *meets;          // [bump][node of the new model]: they need a pair
    swError *error;
} swDeriving;
_Static_assert(SW_INSERTS <= 32, "a set of bumps is a word");

#define NEW(count, type) SW_NEW(&k->scratch, count, type, k->error)
#define KEEP(count, type) SW_NEW(&k->d->arena, count, type, k->error)

// ---- who is where ----

static bool make_masks(swDeriving *k) {
    const swBodyModel *base = k->base;
    k->block_mask = NEW(base->size.nsample / SW_LANES, uint32_t);
    k->point_mask = NEW(base->size.npoint, uint32_t);
    if (!k->block_mask || !k->point_mask)
        return false;
    for (int i = 0; i < k->bumps->n; i++) {
        const swBump *b = k->bumps->bump[i];
        for (int e = 0; e < b->nblock; e++)
            k->block_mask[b->block[e]] |= 1u << i;
        for (int e = 0; e < b->npoint; e++)
            k->point_mask[b->point[e]] |= 1u << i;
    }
    for (int64_t i = 0; i < base->size.nzone; i++) {
        const swZone *c = &base->zone[i];
        uint32_t *block = k->block_mask + base->group[c->group].sample / SW_LANES + c->block,
                 all = 0;
        for (int e = 0; e < c->nblock; e++)
            all |= block[e];
        for (int e = 0; e < c->nblock; e++)
            block[e] = all;
    }
    return true;
}

// Groups of the base model are split by the bumps at their blocks.
static bool split_groups(swDeriving *k) {
    const swBodyModel *base = k->base;
    swBodySizes *size = &k->m->size;
    const size_t room = (size_t)(base->size.ngroup + base->size.nsample / SW_LANES);
    k->group_mask = NEW(room, uint32_t);
    k->group_base = NEW(room, int);
    k->group_blocks = NEW(room, int);
    if (!k->group_mask || !k->group_base || !k->group_blocks)
        return false;
    int n = 0;
    size->ngroup_node = size->ngamma = size->max_columns = 0;
    for (int i = 0; i < base->size.ngroup; i++) {
        const swGroup *g = &base->group[i];
        const uint32_t *mask = k->block_mask + g->sample / SW_LANES;
        const int first = n;
        for (int b = 0; b < g->nblock; b++) {
            int at = first;
            while (at < n && k->group_mask[at] != mask[b])
                at++;
            if (at == n) {
                k->group_mask[n] = mask[b];
                k->group_base[n] = i;
                k->group_blocks[n++] = 0;
            }
            k->group_blocks[at]++;
        }
        for (int at = first; at < n; at++) {
            const int more = __builtin_popcount(k->group_mask[at]), columns = g->ncolumn + 4 * more;
            size->ngroup_node += g->nnode + more;
            size->ngamma +=
                (int64_t)k->group_blocks[at] * columns * SW_LANES * sw_group_gamma_rows(g);
            size->max_columns = sw_max_int((int)size->max_columns, columns);
        }
    }
    size->ngroup = n;
    return true;
}

// ---- nodes ----

// A body's bumps come after its nodes: those of later bodies move on.
static bool number_nodes(swDeriving *k) {
    const swBodyModel *base = k->base;
    k->d->node = KEEP(base->size.nnode, int);
    k->d->bump_node = KEEP(k->bumps->n, int);
    if (!k->d->node || !k->d->bump_node)
        return false;
    for (int body = 0, i = 0; body < base->size.nbody; body++) {
        const swBodyInfo *b = &base->body[body];
        for (int n = b->node; n < b->node + b->nnode; n++)
            k->d->node[n] = n + i;
        for (; i < k->bumps->n && k->bumps->bump[i]->body == body; i++)
            k->d->bump_node[i] = b->node + b->nnode + i;
    }
    k->m->size.nnode += k->bumps->n;
    k->m->size.nq += 12 * k->bumps->n;
    k->m->size.nu += 12 * k->bumps->n;
    k->m->size.ndof += 12 * k->bumps->n;
    return true;
}

static void put_nodes(swDeriving *k) {
    const swBodyModel *base = k->base;
    swBodyModel *m = k->m;
    for (int i = 0; i < base->size.nnode; i++) {
        const swNode *from = &base->node[i];
        const int to = k->d->node[i], shift = 12 * (to - i), size = sw_node_size(from);
        swNode *n = &m->node[to];
        *n = *from;
        n->q += shift;
        n->u += from->u >= 0 ? shift : 0;
        n->dof += from->dof >= 0 ? shift : 0;
        n->parent = from->parent >= 0 ? k->d->node[from->parent] : -1;
        n->turn = k->d->node[from->turn];
        n->carrier = from->carrier >= 0 ? k->d->node[from->carrier] : -1;
        memcpy(m->q0 + n->q, base->q0 + from->q, (size_t)size * sizeof *m->q0);
        memcpy(m->v0 + n->q, base->v0 + from->q, (size_t)size * sizeof *m->v0);
        memcpy(m->load + n->q, base->load + from->q, (size_t)size * sizeof *m->load);
        memcpy(m->weight_load + n->q / 3, base->weight_load + from->q / 3,
               (size_t)(size / 3) * sizeof *m->weight_load);
    }
    for (int64_t i = 0; i < base->size.nbody; i++)
        m->body[i].node = k->d->node[base->body[i].node];
    for (int64_t i = 0; i < base->size.nhandle; i++)
        m->handle[i].node = k->d->node[base->handle[i].node];
    for (int64_t i = 0; i < base->size.nreduced; i++)
        m->reduced[i].node = k->d->node[base->reduced[i].node];
    for (int64_t i = 0; i < base->size.nbulk_node; i++)
        m->bulk_node[i] = k->d->node[base->bulk_node[i]];
    for (int64_t i = 0; i < base->size.nlink_node; i++)
        m->link_node[i] = k->d->node[base->link_node[i]];
    for (int64_t i = 0; i < 2 * base->size.nspring; i++)
        m->spring[i / 2].node[i % 2] = k->d->node[base->spring[i / 2].node[i % 2]];
    for (int64_t i = 0; i < 8 * base->size.nspring_cell; i++) {
        const int node = base->spring_cell[i / 8].node[i % 8];
        m->spring_cell[i / 8].node[i % 8] = node < 0 ? -1 : k->d->node[node];
    }
    for (int64_t i = 0; i < 3 * base->size.nspring_face; i++)
        m->spring_face[i] = k->d->node[base->spring_face[i]];
}

// Unknowns are numbered node by node: a new one goes on from those before it.
static void put_bumps(swDeriving *k) {
    swBodyModel *m = k->m;
    for (int i = 0; i < k->bumps->n; i++) {
        const swBump *b = k->bumps->bump[i];
        const int at = k->d->bump_node[i];
        const swNode *before = &m->node[at - 1];
        swNode *n = &m->node[at];
        int u = 0, dof = 0;
        for (const swNode *p = m->node; p < n; p++) {
            u += p->u >= 0 ? p->nu : 0;
            dof += p->ndof;
        }
        *n = (swNode){.kind = SW_NODE_AFFINE,
                      .width = 4,
                      .motion = SW_MOTION_FREE,
                      .body = b->body,
                      .handle = -1,
                      .q = before->q + sw_node_size(before),
                      .u = u,
                      .dof = dof,
                      .ndof = 12,
                      .nu = 12,
                      .parent = -1,
                      .turn = at,
                      .carrier = -1,
                      .origin = b->rest};
        memset(m->q0 + n->q, 0, 12 * sizeof *m->q0);
        memset(m->v0 + n->q, 0, 12 * sizeof *m->v0);
        memcpy(m->load + n->q, b->load, sizeof b->load);
        memcpy(m->weight_load + n->q / 3, b->weight, sizeof b->weight);
        m->body[b->body].nnode++;
        m->body[b->body].ninserted++;
    }
}

// ---- samples ----

// Columns of a bump at a block: [3][4][SW_LANES] with `stride` columns in all. Zero where only its
// zone has others that the bump moves.
static void put_columns(const swDeriving *k, const swBump *bump, int block, int stride,
                        swReal *gamma) {
    int lo = 0, hi = bump->nblock;
    while (lo < hi) {
        const int middle = lo + (hi - lo) / 2;
        if (bump->block[middle] < block)
            lo = middle + 1;
        else
            hi = middle;
    }
    const bool there = lo < bump->nblock && bump->block[lo] == block;
    for (int lane = 0; lane < SW_LANES; lane++) {
        swReal phi[4] = {0}, N[4], G[4][3];
        for (int a = 0; there && a < 4; a++)
            phi[a] = bump->sample[(4 * (ptrdiff_t)lo + a) * SW_LANES + lane];
        sw_bump_columns(bump, k->base->sample_point[(ptrdiff_t)block * SW_LANES + lane], phi, N, G);
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < 4; c++)
                gamma[(a * stride + c) * SW_LANES + lane] = G[c][a];
    }
}

// Numbers of a block in `stretch`.
static int64_t stretch_size(const swBodyModel *m, const swGroup *g) {
    return g->stretch < 0 ? 0 : 6 * SW_LANES * (int64_t)m->body[g->body].nshape;
}

// Block b of a group of the base model becomes block `to` of group g: columns of free nodes, of
// bumps, and of those that are not free.
static void put_block(const swDeriving *k, const swGroup *from, int b, const swGroup *g, int to,
                      uint32_t mask) {
    swBodyModel *m = k->m;
    const swBodyModel *base = k->base;
    const int rows = sw_group_gamma_rows(from), block = from->sample / SW_LANES + b,
              at = g->sample / SW_LANES + to;
    const swReal *gamma = base->gamma + from->gamma + (int64_t)b * rows * from->ncolumn * SW_LANES;
    swReal *out = m->gamma + g->gamma + (int64_t)to * rows * g->ncolumn * SW_LANES;
    if (mask == 0) {
        memcpy(out, gamma, (size_t)(rows * g->ncolumn * SW_LANES) * sizeof *out);
    } else {
        const int nfree = from->nfree, rest = from->ncolumn - nfree;
        for (int r = 0; r < rows; r++) {
            const swReal *row = gamma + (ptrdiff_t)r * from->ncolumn * SW_LANES;
            swReal *end = out + (ptrdiff_t)r * g->ncolumn * SW_LANES;
            memcpy(end, row, (size_t)(nfree * SW_LANES) * sizeof *end);
            memcpy(end + (g->ncolumn - rest) * SW_LANES, row + nfree * SW_LANES,
                   (size_t)(rest * SW_LANES) * sizeof *end);
        }
        int column = nfree;
        for (int i = 0; i < k->bumps->n; i++)
            if (mask >> i & 1) {
                put_columns(k, k->bumps->bump[i], block, g->ncolumn, out + column * SW_LANES);
                column += 4;
            }
    }
    const int64_t stretches = stretch_size(base, from);
    if (stretches > 0)
        memcpy(m->stretch + g->stretch + to * stretches,
               base->stretch + from->stretch + b * stretches,
               (size_t)stretches * sizeof *m->stretch);
    const size_t n = SW_LANES;
    memcpy(m->sample_volume + at * n, base->sample_volume + block * n,
           n * sizeof *m->sample_volume);
    memcpy(m->sample_weight + at * n, base->sample_weight + block * n,
           n * sizeof *m->sample_weight);
    memcpy(m->sample_point + at * n, base->sample_point + block * n, n * sizeof *m->sample_point);
    k->d->block[block] = at;
    k->d->plastic[block] = g->plastic < 0 ? -1 : g->plastic + (int64_t)to * SW_PLASTIC * SW_LANES;
}

static void put_group_nodes(swDeriving *k, const swGroup *from, const swGroup *g, uint32_t mask) {
    int *node = k->m->group_node + g->node, columns = 0, i = 0;
    for (; i < from->nnode && columns < from->nfree; i++) {
        const int n = k->base->group_node[from->node + i];
        columns += sw_node_columns(&k->base->node[n]);
        *node++ = k->d->node[n];
    }
    for (int e = 0; e < k->bumps->n; e++)
        if (mask >> e & 1)
            *node++ = k->d->bump_node[e];
    for (; i < from->nnode; i++)
        *node++ = k->d->node[k->base->group_node[from->node + i]];
    for (int e = 0; e < k->bumps->n; e++) // they meet all the others, and each other
        for (int n = 0; (mask >> e & 1) && n < g->nnode; n++)
            k->meets[e * k->m->size.nnode + k->m->group_node[g->node + n]] = true;
}

// Zones of a group of the base model whose bumps are those of `mask`.
static void put_zones(swDeriving *k, const swGroup *from, int group, uint32_t mask, int *zone,
                      int *strain) {
    swBodyModel *m = k->m;
    swGroup *g = &m->group[group];
    int block = 0;
    g->zone = *zone;
    g->nzone = 0;
    for (int i = from->zone; i < from->zone + from->nzone; i++) {
        const swZone *c = &k->base->zone[i];
        if (k->block_mask[from->sample / SW_LANES + c->block] != mask)
            continue;
        swZone *to = &m->zone[*zone];
        *to = *c;
        to->group = group;
        to->block = block;
        to->strain = *strain;
        block += c->nblock;
        *strain += c->nstrain;
        k->d->zone[i] = (*zone)++;
        g->nzone++;
    }
    if (g->nzone == 0)
        g->zone = 0;
}

static void put_groups(swDeriving *k) {
    const swBodyModel *base = k->base;
    swBodyModel *m = k->m;
    int sample = 0, node = 0, zone = 0, strain = 0;
    int64_t gamma = 0, plastic = 0, stretch = 0;
    for (int i = 0; i < m->size.ngroup; i++) {
        const swGroup *from = &base->group[k->group_base[i]];
        const uint32_t mask = k->group_mask[i];
        const int more = __builtin_popcount(mask);
        swGroup *g = &m->group[i];
        *g = *from;
        g->node = node;
        g->nnode += more;
        g->ncolumn += 4 * more;
        g->nfree += 4 * more;
        g->sample = sample;
        g->nblock = k->group_blocks[i];
        g->gamma = gamma;
        if (from->plastic >= 0) {
            g->plastic = plastic;
            plastic += (int64_t)g->nblock * SW_PLASTIC * SW_LANES;
        }
        if (from->stretch >= 0) {
            g->stretch = stretch;
            stretch += g->nblock * stretch_size(base, from);
        }
        node += g->nnode;
        sample += g->nblock * SW_LANES;
        gamma += (int64_t)g->nblock * g->ncolumn * SW_LANES * sw_group_gamma_rows(g);
        put_group_nodes(k, from, g, mask);
        int to = 0;
        for (int b = 0; b < from->nblock; b++)
            if (k->block_mask[from->sample / SW_LANES + b] == mask)
                put_block(k, from, b, g, to++, mask);
        put_zones(k, from, i, mask, &zone, &strain);
    }
}

// ---- points ----

static void put_points(swDeriving *k) {
    const swBodyModel *base = k->base;
    swBodyModel *m = k->m;
    int cursor[SW_INSERTS] = {0}, at = 0;
    for (int p = 0; p < base->size.npoint; p++) {
        const int first = base->point_start[p], n = base->point_start[p + 1] - first;
        m->point_start[p] = at;
        for (int e = first; e < first + n; e++, at++) {
            m->point_node[at] = k->d->node[base->point_node[e]];
            m->point_weight[at] = base->point_weight[e];
        }
        for (int i = 0; k->point_mask[p] && i < k->bumps->n; i++)
            if (k->point_mask[p] >> i & 1) {
                m->point_node[at] = k->d->bump_node[i];
                m->point_weight[at++] = k->bumps->bump[i]->point_value[cursor[i]++];
            }
        for (int i = 0; k->point_mask[p] && i < k->bumps->n; i++)
            for (int e = m->point_start[p]; (k->point_mask[p] >> i & 1) && e < at; e++)
                k->meets[i * m->size.nnode + m->point_node[e]] = true;
    }
    m->point_start[base->size.npoint] = at;
}

// A bump at one end of a muscle meets what moves either.
static void meet_muscles(swDeriving *k) {
    const swBodyModel *m = k->m;
    for (int64_t e = 0; e < m->size.nmuscle; e++) {
        const int *point = m->muscle[e].point;
        const uint32_t mask = k->point_mask[point[0]] | k->point_mask[point[1]];
        for (int i = 0; i < k->bumps->n; i++)
            for (int end = 0; (mask >> i & 1) && end < 2; end++)
                for (int w = m->point_start[point[end]]; w < m->point_start[point[end] + 1]; w++)
                    k->meets[i * m->size.nnode + m->point_node[w]] = true;
    }
}

// ---- pairs and mass ----

// Those of bump i with the nodes of its body before it, and with itself.
static void put_bump_pairs(swDeriving *k, int i, int *pair, int *mass) {
    swBodyModel *m = k->m;
    const swBump *b = k->bumps->bump[i];
    const swBodyInfo *body = &m->body[b->body];
    const int own = k->d->bump_node[i], nbase = body->nnode - body->ninserted;
    const swReal *M = b->mass;
    for (int n = body->node; n <= own; n++) {
        const int d = m->node[n].width, site = n - body->node,
                  other = site < nbase ? -1 : i - (own - n); // which bump
        const swReal *block = other == i     ? b->own
                              : other >= 0   ? k->bumps->cross[SW_INSERTS * i + other]
                              : b->met[site] ? M
                                             : NULL;
        if (other < 0)
            M += 4 * d;
        if (n != own && !block && !k->meets[i * m->size.nnode + n])
            continue;
        m->pair[*pair] = (swNodePair){own, n, block ? *mass : -1};
        if (block) {
            memcpy(m->mass + *mass, block, (size_t)(4 * d) * sizeof *block);
            *mass += 4 * d;
        }
        ++*pair;
    }
}

// Pairs are sorted: those of a body's bumps come after its own.
static void put_pairs(swDeriving *k) {
    const swBodyModel *base = k->base;
    int pair = 0, mass = (int)base->size.nmass;
    int64_t from = 0;
    for (int body = 0, i = 0; body < base->size.nbody; body++) {
        const swBodyInfo *b = &base->body[body];
        for (; from < base->size.npair && base->pair[from].i < b->node + b->nnode; from++) {
            const swNodePair *p = &base->pair[from];
            k->m->pair[pair++] = (swNodePair){k->d->node[p->i], k->d->node[p->j], p->mass};
        }
        for (; i < k->bumps->n && k->bumps->bump[i]->body == body; i++)
            put_bump_pairs(k, i, &pair, &mass);
    }
    k->m->size.npair = pair;
    k->m->size.nmass = mass;
}

// Room for all pairs of bumps and their masses; what is not needed is cut off in the end.
static void count_pairs(swDeriving *k) {
    for (int i = 0; i < k->bumps->n; i++) {
        const swBodyInfo *b = &k->base->body[k->bumps->bump[i]->body];
        k->m->size.npair += b->nnode + i + 1;
        k->m->size.nmass += 16 * (i + 1);
        for (int n = b->node; n < b->node + b->nnode; n++)
            k->m->size.nmass += 4 * k->base->node[n].width;
    }
}

// ---- all together ----

static void forget_bed(swBodySizes *s) {
    s->nbed = s->nbed_index = s->nbed_cell = s->nbed_node = s->nbed_around = s->nbed_weight =
        s->nbed_voxel = s->nbed_load = 0;
}

// What no bump changes.
static void copy_rest(const swBodyModel *base, swBodyModel *m) {
#define COPY(name, count) memcpy(m->name, base->name, (size_t)(count) * sizeof *m->name)
    const swBodySizes *s = &base->size;
    COPY(body, s->nbody);
    COPY(part, s->npart);
    COPY(material, s->nmaterial);
    COPY(mass, s->nmass);
    COPY(point, s->npoint);
    COPY(point_material, s->npoint);
    COPY(triangle, 3 * s->ntriangle);
    COPY(handle, s->nhandle);
    COPY(key, s->nkey);
    COPY(contact, s->ncontact);
    COPY(text, s->ntext);
    COPY(bulk, s->nbulk);
    COPY(bulk_data, s->nbulk_data);
    COPY(activation_key, s->nactivation);
    COPY(link, s->nlink);
    COPY(link_data, s->nlink_data);
    COPY(muscle, s->nmuscle);
    COPY(shape, s->nshape);
    COPY(rig, s->nrig);
    COPY(spring_body, s->nspring_body);
    COPY(spring, s->nspring);
    COPY(spring_cell, s->nspring_cell);
    COPY(point_vector, s->nvector > 0 ? s->npoint : 0);
    COPY(vector, s->nvector);
    COPY(reduced, s->nreduced);
    COPY(reduced_data, s->nreduced_data);
    COPY(particle, s->nparticle);
    COPY(gauss, s->ngauss);
    COPY(gauss_node, s->ngauss_shape);
    COPY(gauss_shape, 4 * s->ngauss_shape);
    COPY(particle_turn, s->nparticle_turn);
    COPY(turn_share, s->nturn_share);
#undef COPY
}

static bool derive(swDeriving *k) {
    const swBodyModel *base = k->base;
    swBodyModel *m = k->m;
    m->size = base->size;
    forget_bed(&m->size);
    k->d->block = KEEP(base->size.nsample / SW_LANES, int);
    k->d->plastic = KEEP(base->size.nsample / SW_LANES, int64_t);
    k->d->zone = KEEP(base->size.nzone, int);
    if (!k->d->block || !k->d->plastic || !k->d->zone || !number_nodes(k) || !make_masks(k) ||
        !split_groups(k))
        return false;
    for (int i = 0; i < k->bumps->n; i++)
        m->size.nweight += k->bumps->bump[i]->npoint;
    count_pairs(k);
    k->meets = NEW(k->bumps->n * m->size.nnode, bool);
    if (!k->meets || !sw_body_model_allocate_in(m, k->spare, k->error))
        return false;
    copy_rest(base, m);
    put_nodes(k);
    put_bumps(k);
    put_groups(k);
    put_points(k);
    meet_muscles(k);
    put_pairs(k);
    return true;
}

bool sw_derived_create(swDerived *d, const swBodyModel *base, const swBumps *bumps, swSpare *spare,
                       swError *error) {
    swDeriving k = {.base = base, .bumps = bumps, .d = d, .spare = spare, .error = error};
    *d = (swDerived){0};
    sw_arena_init(&d->arena, &base->config.allocator);
    sw_arena_init(&k.scratch, &base->config.allocator);
    d->model = k.m = sw_body_model_create(&base->config, base->settings, error);
    const bool ok = k.m && derive(&k);
    sw_arena_free(&k.scratch);
    if (!ok)
        sw_derived_destroy(d, spare);
    return ok;
}

void sw_derived_destroy(swDerived *d, swSpare *spare) {
    if (!d->model)
        return;
    sw_body_model_retire(d->model, spare);
    sw_arena_free(&d->arena);
    d->model = NULL;
}

void sw_base_numbers(const swBodyModel *base, const swBodyModel *m, const swReal *from,
                     swReal *to) {
    for (int64_t i = 0; i < base->size.nbody; i++) {
        const swBodyInfo *b = &base->body[i];
        const swNode *last = &base->node[b->node + b->nnode - 1];
        const int first = base->node[b->node].q;
        memcpy(to + first, from + m->node[m->body[i].node].q,
               (size_t)(last->q + sw_node_size(last) - first) * sizeof *to);
    }
}
