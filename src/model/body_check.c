// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Whether every index of a model read from a file stays inside its arrays.
#include "model/body.h"

#include <string.h>

static bool in(int64_t i, int64_t n) { return i >= 0 && i < n; }
// Whether the range of `count` items from `first` on lies within n.
static bool range(int64_t first, int64_t count, int64_t n) {
    return first >= 0 && count >= 0 && first <= n && count <= n - first;
}

// Checks a surface: triangles between its own points.
static bool surface(const swBodyModel *m, int point, int npoint, int triangle, int ntriangle) {
    if (!range(point, npoint, m->size.npoint) || !range(triangle, ntriangle, m->size.ntriangle))
        return false;
    for (int64_t t = 3 * (int64_t)triangle; t < 3 * ((int64_t)triangle + ntriangle); t++)
        if (m->triangle[t] < point || m->triangle[t] >= point + npoint)
            return false;
    return true;
}

static bool parts(const swBodyModel *m) {
    for (int64_t i = 0; i < m->size.npart; i++) {
        const swPartInfo *p = &m->part[i];
        if (!in(p->body, m->size.nbody) || !in(p->material, m->size.nmaterial) ||
            !surface(m, p->point, p->npoint, p->triangle, p->ntriangle))
            return false;
    }
    return true;
}

static bool course(const swBodyModel *m, const swCourse *c) {
    return c->nkey >= 1 && range(c->key, c->nkey, m->size.nactivation) && c->repeat >= 0;
}

static bool bodies(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    for (int64_t i = 0; i < s->nbody; i++) {
        const swBodyInfo *b = &m->body[i];
        if (!in(b->name, s->ntext) || !range(b->node, b->nnode, s->nnode) ||
            !range(b->part, b->npart, s->npart) || !range(b->shape, b->nshape, s->nshape) ||
            !in(b->strains, SW_STRAINS_COUNT) || !range(0, b->ninserted, b->nnode) ||
            !range(0, b->net, b->nnode) ||
            !surface(m, b->point, b->npoint, b->triangle, b->ntriangle) ||
            (s->nfine != 0 && s->nfine != s->npoint))
            return false;
    }
    for (int64_t i = 0; i < s->nmaterial; i++)
        if (!in(m->material[i].name, s->ntext) ||
            !in(m->material[i].plasticity, SW_PLASTICITY_ADDITIVE + 1) ||
            !course(m, &m->material[i].activation))
            return false;
    return true;
}

// Whether every two of the given nodes have a pair.
static bool paired(const swBodyModel *m, const int *node, int n) {
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            if (node[y] <= node[x] && !sw_pair_find(m->pair, m->size.npair, node[x], node[y]))
                return false;
    return true;
}

// Whether the node of amplitudes is one of modes that nothing else uses, with room for its strains.
static bool corrected(const swBodyModel *m, const swGroup *g) {
    if (g->amplitudes == -1)
        return true;
    if (!in(g->amplitudes, m->size.nnode) || !sw_node_is_modes(&m->node[g->amplitudes]) ||
        g->nsample > 0 || g->blend == SW_BLEND_MODES || g->nzone > 0 ||
        !in(g->node, m->size.ngroup_node) || !range(g->node, g->nnode, m->size.ngroup_node))
        return false;
    for (int k = g->node; k < g->node + g->nnode; k++)
        if (!in(m->group_node[k], g->amplitudes) ||
            !sw_pair_find(m->pair, m->size.npair, g->amplitudes, m->group_node[k]))
            return false;
    return range(g->corrector, (int64_t)g->nblock * m->node[g->amplitudes].nu * 6 * SW_LANES,
                 m->size.ncorrector);
}

// Whether pairs are sorted, each within one body, and include every node paired with itself.
static bool pairs(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    for (int64_t i = 0; i < s->npair; i++) {
        const swNodePair *p = &m->pair[i];
        if (!in(p->i, s->nnode) || !in(p->j, s->nnode) || p->j > p->i ||
            m->node[p->i].body != m->node[p->j].body ||
            (i > 0 && (p->i < p[-1].i || (p->i == p[-1].i && p->j <= p[-1].j))) ||
            (p->mass != -1 &&
             (sw_node_is_dual(&m->node[p->i]) || sw_node_is_dual(&m->node[p->j]) ||
              sw_node_is_modes(&m->node[p->i]) || sw_node_is_modes(&m->node[p->j]))) ||
            (p->mass != -1 && !range(p->mass, m->node[p->i].width * m->node[p->j].width, s->nmass)))
            return false;
    }
    for (int i = 0; i < s->nnode; i++)
        if (!paired(m, &i, 1))
            return false;
    return true;
}

// Whether the carrier is a rigid node of a handle in the same body, and the carried node has no
// unknowns of its own.
static bool carrier(const swBodyModel *m, const swNode *n) {
    if (n->carrier == -1)
        return true;
    if (!in(n->carrier, m->size.nnode) || n->kind != SW_NODE_POINT || n->ndof != 0)
        return false;
    const swNode *to = &m->node[n->carrier];
    return to->kind == SW_NODE_RIGID && to->body == n->body && to->carrier == -1 &&
           !sw_node_is_dual(to) && (to->ndof == 0 || to->ndof == 6);
}

// Pairs of free nodes and carried vertices are folded into pairs of the nodes that move them, which
// must exist.
static bool folded(const swBodyModel *m) {
    for (int64_t p = 0; p < m->size.npair; p++) {
        const int i = m->pair[p].i, j = m->pair[p].j;
        const int to_i = m->node[i].carrier < 0 ? i : m->node[i].carrier,
                  to_j = m->node[j].carrier < 0 ? j : m->node[j].carrier;
        if (m->node[i].u < 0 || m->node[j].u < 0 || (to_i == i && to_j == j))
            continue;
        if (!sw_pair_find(m->pair, m->size.npair, sw_max_int(to_i, to_j), sw_min_int(to_i, to_j)))
            return false;
    }
    return true;
}

static int held_axes(const swNode *n) {
    return sw_node_holds(n, 0) + sw_node_holds(n, 1) + sw_node_holds(n, 2);
}

static bool nodes(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    int64_t u = 0, dof = 0; // unknowns are numbered node by node
    for (int64_t i = 0; i < s->nnode; i++) {
        const swNode *n = &m->node[i];
        if (!carrier(m, n))
            return false;
        const bool free = n->ndof > 0,
                   ambient = free || (n->carrier >= 0 && m->node[n->carrier].ndof > 0);
        const bool strains = sw_node_is_modes(n);
        if (!in(n->kind, SW_NODE_MODES + 1) || (strains && (n->nu < 1 || n->nu > SW_MAX_MODES)) ||
            n->width != sw_node_width((swNodeKind)n->kind) || !in(n->body, s->nbody) ||
            !range(n->q, sw_node_size(n), s->nq) || n->q % 3 != 0 ||
            (free && n->ndof != (n->kind == SW_NODE_RIGID ? 6 : n->nu - held_axes(n))) ||
            n->slide < 0 || n->slide > 7 || (n->slide && n->kind != SW_NODE_POINT) ||
            (sw_node_is_dual(n) ? n->kind != SW_NODE_RIGID : !strains && n->nu != 3 * n->width) ||
            (strains && !free) || n->parent < -1 || n->parent >= s->nnode ||
            !in(n->turn, s->nnode) ||
            sw_node_is_dual(n) != (m->body[n->body].blend == SW_BLEND_DUAL_QUATERNION) ||
            sw_node_is_dual(n) != sw_node_is_dual(&m->node[n->turn]) ||
            (n->parent >= 0 && !sw_node_is_dual(&m->node[n->parent])) ||
            (sw_node_is_inserted(m, i) && (n->kind != SW_NODE_AFFINE || !free)) ||
            (free && n->dof != dof) || n->u != (ambient ? u : -1) || n->ndof < 0)
            return false;
        u += ambient ? n->nu : 0;
        dof += n->ndof;
    }
    return u == s->nu && dof == s->ndof;
}

// Padding has zero volume and zero weight; every other sample has both.
static bool samples(const swBodyModel *m) {
    for (int64_t i = 0; i < m->size.nsample; i++) {
        const swReal volume = m->sample_volume[i], weight = m->sample_weight[i];
        if (!(volume >= 0) || !(weight >= 0) || (volume > 0) != (weight > 0) || isinf(volume) ||
            isinf(weight))
            return false;
    }
    return true;
}

// The zones of a group must be consecutive, and so must their strains.
static bool zones(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    int64_t strains = 0;
    for (int64_t i = 0; i < s->nzone; i++) {
        const swZone *c = &m->zone[i];
        if (!in(c->group, s->ngroup) || c->nstrain != __builtin_popcount(c->mask) ||
            c->strain != strains || c->nblock < 1 || !in(c->across, 3) || !(c->wall >= 0) ||
            !range(c->block, c->nblock, m->group[c->group].nblock) ||
            !in(i - m->group[c->group].zone, m->group[c->group].nzone))
            return false;
        strains += c->nstrain;
    }
    for (int64_t i = 0; i < s->ngroup; i++) {
        const swGroup *g = &m->group[i];
        int block = 0;
        if (!range(g->zone, g->nzone, s->nzone))
            return false;
        for (int k = g->zone; k < g->zone + g->nzone; k++) {
            if (m->zone[k].group != i || m->zone[k].block != block)
                return false;
            block += m->zone[k].nblock;
        }
        if (g->nzone > 0 && block != g->nblock)
            return false;
    }
    return strains == s->nrelax;
}

// The nodes must be vertices of a net, consecutive in q, and those of an element must have pairs.
static bool elements(const swBodyModel *m, const swGroup *g) {
    const swBodyInfo *b = &m->body[g->body];
    const int base = sw_element_base(m, g);
    if (g->nnode < 1 || g->nnode > SW_ELEMENT_VERTICES || g->nsample > SW_ELEMENT_SAMPLES ||
        g->ncolumn != g->nnode || g->blend != SW_BLEND_LINEAR || g->nblock % g->nsample != 0 ||
        g->nzone != 0 || !in(g->mean, 2) ||
        !range(g->node, (int64_t)sw_element_blocks(g) * g->nnode * SW_LANES, m->size.ngroup_node))
        return false;
    for (int e = 0; e < sw_element_blocks(g); e++)
        for (int lane = 0; lane < SW_LANES; lane++) {
            int node[SW_ELEMENT_VERTICES];
            for (int c = 0; c < g->nnode; c++) {
                node[c] = sw_element_nodes(m, g, e)[c * SW_LANES + lane];
                if (!in(node[c] - (int64_t)b->node, b->net) ||
                    m->node[node[c]].kind != SW_NODE_POINT ||
                    m->node[node[c]].q != base + 3 * node[c])
                    return false;
            }
            if (!paired(m, node, g->nnode))
                return false;
        }
    return true;
}

static bool groups(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    for (int64_t i = 0; i < s->ngroup; i++) {
        const swGroup *g = &m->group[i];
        if (!in(g->body, s->nbody) || !in(g->material, s->nmaterial) || g->nsample < 0 ||
            (g->nsample == 0 && !range(g->node, g->nnode, s->ngroup_node)) ||
            (g->nsample == 0 && g->mean != 0) ||
            !range(g->sample, (int64_t)g->nblock * SW_LANES, s->nsample) ||
            g->ncolumn > s->max_columns || !in(g->blend, SW_BLEND_MODES + 1) ||
            !range(g->gamma, (int64_t)g->nblock * sw_group_gamma_rows(g) * g->ncolumn * SW_LANES,
                   s->ngamma) ||
            (g->plastic != -1 &&
             !range(g->plastic, (int64_t)g->nblock * SW_PLASTIC * SW_LANES, s->nplastic)) ||
            !corrected(m, g) ||
            (g->stretch != -1 &&
             (g->plastic != -1 ||
              !range(g->stretch,
                     (int64_t)g->nblock * m->body[g->body].nshape * SW_STRETCH * SW_LANES,
                     s->nstretch))))
            return false;
        if (g->nsample > 0) {
            if (!elements(m, g))
                return false;
            continue;
        }
        int columns = 0, free = 0;
        for (int k = g->node; k < g->node + g->nnode; k++) {
            if (!in(m->group_node[k], s->nnode))
                return false;
            const swNode *node = &m->node[m->group_node[k]];
            if (sw_node_is_dual(node) != (g->blend == SW_BLEND_DUAL_QUATERNION) ||
                sw_node_is_modes(node) != (g->blend == SW_BLEND_MODES))
                return false;
            if (node->ndof && columns > free) // free nodes come first
                return false;
            columns += sw_node_columns(node);
            free += node->ndof ? sw_node_columns(node) : 0;
        }
        if (columns != g->ncolumn || free != g->nfree ||
            !paired(m, m->group_node + g->node, g->nnode))
            return false;
    }
    return true;
}

// Whether the links that follow one and share its strains match it.
static bool tied(const swBodyModel *m, int64_t first) {
    const swLink *a = &m->link[first];
    if (!range(first, a->tied, m->size.nlink))
        return false;
    for (const swLink *b = a + 1; b < a + a->tied; b++)
        if (b->tied != 0 || b->nstrain != a->nstrain || b->nsquare != a->nsquare ||
            b->amplitudes != a->amplitudes || b->nnode != a->nnode ||
            !range(b->node, b->nnode, m->size.nlink_node) ||
            memcmp(m->link_node + a->node, m->link_node + b->node,
                   (size_t)a->nnode * sizeof *m->link_node) != 0)
            return false;
    return true;
}

// Rows of strains: those of a zone, or of the amplitudes of a corrected body.
static bool link_rows(const swBodyModel *m, const swLink *j) {
    const swBodySizes *s = &m->size;
    if (j->amplitudes == -1)
        return in(j->nstrain, SW_LINK_STRAINS + 1) && j->nsquare == 0;
    if (!in(j->amplitudes, s->nnode) || !sw_node_is_modes(&m->node[j->amplitudes]) ||
        j->nstrain != m->node[j->amplitudes].nu || !in(j->nsquare, s->nvolume + 1) ||
        !range(j->shared, sw_link_shared_size(j), s->nlink_data))
        return false;
    for (int k = j->node; k < j->node + j->nnode; k++)
        if (!in(m->link_node[k], j->amplitudes) ||
            !sw_pair_find(m->pair, s->npair, j->amplitudes, m->link_node[k]))
            return false;
    return true;
}

// Each link must join nodes of one body.
static bool links(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    int64_t next = 0; // the next link that shares no strains with those before it
    for (int64_t i = 0; i < s->nlink; i++) {
        const swLink *j = &m->link[i];
        if (!in(j->body, s->nbody) || j->nnode < 1 || !range(j->node, j->nnode, s->nlink_node) ||
            !in(j->ncolumn, s->nq / 3 + 1) || !link_rows(m, j) ||
            !range(j->data, sw_link_size(j->ncolumn, j->nstrain + j->nsquare), s->nlink_data))
            return false;
        if (i == next ? j->tied < 1 || !tied(m, i) : j->tied != 0)
            return false;
        next = i == next ? i + j->tied : next;
        int columns = 0, free = 0;
        for (int k = j->node; k < j->node + j->nnode; k++) {
            if (!in(m->link_node[k], s->nnode))
                return false;
            const swNode *node = &m->node[m->link_node[k]];
            if (node->body != j->body || sw_node_is_dual(node) ||
                (node->ndof && columns > free) || // free nodes come first, in order
                (node->ndof && k > j->node && m->link_node[k] <= m->link_node[k - 1]))
                return false;
            columns += node->width;
            free += node->ndof ? node->width : 0;
        }
        if (columns != j->ncolumn || free != j->nfree ||
            !paired(m, m->link_node + j->node, j->nnode))
            return false;
    }
    return true;
}

// The nodes of a mass-spring element must be points of its body, and every two must have a pair.
static bool net_nodes(const swBodyModel *m, const swSpringBody *net, const int *node, int n) {
    for (int i = 0; i < n; i++)
        if (!in(node[i], m->size.nnode) || m->node[node[i]].body != net->body ||
            m->node[node[i]].width != 1)
            return false;
    return paired(m, node, n);
}

static bool spring_bodies(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    int64_t spring = 0, cell = 0, face = 0;
    for (int64_t i = 0; i < s->nspring_body; i++) {
        const swSpringBody *net = &m->spring_body[i];
        if (!in(net->body, s->nbody) || (i > 0 && net->body <= net[-1].body) ||
            net->spring != spring || !range(spring, net->nspring, s->nspring) ||
            net->cell != cell || !range(cell, net->ncell, s->nspring_cell) || net->face != face ||
            !range(face, net->nface, s->nspring_face) || !isfinite(net->pressure) ||
            !(net->ambient >= 0) || (net->nface > 0 && !(net->volume > 0)))
            return false;
        for (; spring < net->spring + net->nspring; spring++)
            if (!(m->spring[spring].rest > 0) || !isfinite(m->spring[spring].stiffness) ||
                m->spring[spring].node[0] == m->spring[spring].node[1] ||
                !net_nodes(m, net, m->spring[spring].node, 2))
                return false;
        for (; cell < net->cell + net->ncell; cell++) {
            const swSpringCell *c = &m->spring_cell[cell];
            if (!in(c->nnode, SW_COUNT(c->node) + 1) || !net_nodes(m, net, c->node, c->nnode))
                return false;
            for (int k = c->nnode; k < SW_COUNT(c->node); k++)
                if (c->node[k] != -1)
                    return false;
        }
        for (; face < net->face + net->nface; face++)
            if (!net_nodes(m, net, m->spring_face + 3 * face, 3))
                return false;
    }
    return spring == s->nspring && cell == s->nspring_cell && face == s->nspring_face;
}

// A reduced body has one node of modes and phi at each point that it moves; no other node moves
// those points.
static bool reduced(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    int64_t nodes = 0;
    for (int64_t i = 0; i < s->nnode; i++)
        nodes += sw_node_is_modes(&m->node[i]);
    if (nodes != s->nreduced)
        return false;
    for (int64_t i = 0; i < s->nreduced; i++) {
        const swReducedInfo *info = &m->reduced[i];
        if (!in(info->node, s->nnode) || !sw_node_is_modes(&m->node[info->node]) ||
            info->body != m->node[info->node].body || info->points < 0 || info->vibrations < 0 ||
            (i > 0 && info->node <= info[-1].node))
            return false;
        const int r = m->node[info->node].nu;
        if (!range(info->data,
                   sw_reduced_inertia_size(r) + (info->points > 0 ? 0 : sw_polynomial_size(r)),
                   s->nreduced_data))
            return false;
    }
    for (int64_t i = 0; i < s->npoint; i++) {
        const int first = m->point_start[i], n = m->point_start[i + 1] - first;
        const swNode *node = n > 0 ? &m->node[m->point_node[first]] : NULL;
        const int64_t at = s->nvector > 0 ? m->point_vector[i] : -1;
        bool strains = false;
        for (int e = first; e < first + n; e++)
            strains = strains || sw_node_is_modes(&m->node[m->point_node[e]]);
        if ((strains && n != 1) ||
            (at != -1 && (s->nreduced != 1 || (strains && m->reduced[0].node != node - m->node) ||
                          !range(at, m->node[m->reduced[0].node].nu, s->nvector))))
            return false;
        // Modes that act before frames: the frames must have matrices, and blocks with the modes.
        for (int e = first; e < first + n && at != -1 && !strains; e++)
            if (m->node[m->point_node[e]].width < 4 ||
                !sw_pair_find(m->pair, s->npair, m->reduced[0].node, m->point_node[e]))
                return false;
    }
    const int nu = s->nreduced == 1 ? m->node[m->reduced[0].node].nu : 0;
    int64_t loads = 0;
    if (s->nmode_load > 0 && nu == 0)
        return false;
    for (int64_t i = 0; i < s->nnode && loads < s->nmode_load; i++) {
        loads += nu * sw_mode_load_size(&m->node[i]);
        if (m->node[i].u >= 0 && !sw_pair_find(m->pair, s->npair, m->reduced[0].node, (int)i))
            return false;
    }
    return loads == s->nmode_load;
}

static bool points(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    bool ok = m->point_start[0] == 0 && m->point_start[s->npoint] == s->nweight;
    for (int64_t i = 0; ok && i < s->npoint; i++)
        ok = m->point_start[i] <= m->point_start[i + 1] && in(m->point_material[i], s->nmaterial);
    for (int64_t i = 0; ok && i < s->nweight; i++)
        ok = in(m->point_node[i], s->nnode);
    for (int64_t i = 0; ok && i < s->npoint; i++) { // all nodes of one body
        const int first = m->point_start[i], n = m->point_start[i + 1] - first;
        const int *node = m->point_node + first;
        for (int e = 1; ok && e < n; e++)
            ok = m->node[node[e]].body == m->node[node[e - 1]].body;
        const bool again = i > 0 && first - m->point_start[i - 1] == n &&
                           memcmp(node, node - n, (size_t)n * sizeof *node) == 0;
        ok = ok && (again || paired(m, node, n));
    }
    for (int64_t i = 0; ok && i < s->ncontact; i++) {
        ok = in(m->contact[i].point, s->npoint) && in(m->contact[i].body, s->nbody);
        const int e = ok ? m->point_start[m->contact[i].point] : 0,
                  n = ok ? m->point_start[m->contact[i].point + 1] - e : 0;
        ok = ok && (n == 0 || m->node[m->point_node[e]].body == m->contact[i].body);
    }
    return ok;
}

// All nodes at both ends of a muscle must be of its body and have pairs with each other.
static bool muscles(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    for (int64_t i = 0; i < s->nmuscle; i++) {
        const swMuscleInfo *muscle = &m->muscle[i];
        if (!in(muscle->name, s->ntext) || !in(muscle->body, s->nbody) ||
            !in(muscle->point[0], s->npoint) || !in(muscle->point[1], s->npoint) ||
            !(muscle->length > 0) || !(muscle->stiffness >= 0) || !(muscle->strength >= 0) ||
            !course(m, &muscle->activation))
            return false;
        const int *start = m->point_start, *node = m->point_node, *end = muscle->point;
        for (int a = start[end[0]]; a < start[end[0] + 1]; a++)
            for (int b = start[end[1]]; b < start[end[1] + 1]; b++)
                if (m->node[node[a]].body != m->node[node[b]].body ||
                    !sw_pair_find(m->pair, s->npair, sw_max_int(node[a], node[b]),
                                  sw_min_int(node[a], node[b])))
                    return false;
    }
    return true;
}

static bool rest_shapes(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    for (int64_t i = 0; i < s->nbody; i++) {
        int followed = 0;
        for (int k = m->body[i].shape; k < m->body[i].shape + m->body[i].nshape; k++)
            followed += m->shape[k].follow > 0;
        if (followed > SW_FOLLOWED)
            return false;
    }
    for (int64_t i = 0; i < s->nshape; i++) {
        const swRestInfo *shape = &m->shape[i];
        if (!in(shape->name, s->ntext) || !in(shape->body, s->nbody) ||
            !in(i - m->body[shape->body].shape, m->body[shape->body].nshape) ||
            !(shape->follow >= 0) || !course(m, &shape->value))
            return false;
    }
    for (int64_t i = 0; i < s->nstretch; i++)
        if (!isfinite(m->stretch[i]))
            return false;
    return true;
}

static bool handles(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    for (int64_t i = 0; i < s->nhandle; i++) {
        const swHandleInfo *h = &m->handle[i];
        if (!in(h->name, s->ntext) || !in(h->body, s->nbody) || !in(h->node, s->nnode) ||
            m->node[h->node].width != 4 || !range(h->key, h->nkey, s->nkey) || h->joint < -1 ||
            !(h->hold >= 0 && isfinite(h->hold) && h->arm >= 0 && isfinite(h->arm)) ||
            (h->hold > 0 && (h->nkey == 0 || sw_node_is_dual(&m->node[h->node]))))
            return false;
    }
    for (int64_t i = 0; i < s->nrig; i++)
        if (!in(m->rig[i].body, s->nbody) || !in(m->rig[i].file, s->ntext) || m->rig[i].clip < -1 ||
            m->rig[i].repeat < 1 || !(m->rig[i].lead >= 0) || !(m->rig[i].duration >= 0))
            return false;
    return true;
}

// Checks the shape functions at a Gauss point; vertices that move must have pairs.
static bool gauss_point(const swBodyModel *m, const swGaussPoint *g, int node, int n) {
    if (!(g->volume > 0 && g->mu > 0) || !isfinite(g->volume) || !isfinite(g->mu) ||
        !isfinite(g->lambda) || !(g->hold >= 0) || isinf(g->hold) ||
        !in(g->material, m->size.nmaterial) || g->count < 1 ||
        !range(g->first, g->count, m->size.ngauss_shape))
        return false;
    for (int64_t e = g->first; e < g->first + g->count; e++) {
        for (int k = 0; k < 4; k++)
            if (!isfinite(m->gauss_shape[4 * e + k]))
                return false;
        if (!in(m->gauss_node[e], n))
            return false;
        for (int64_t f = g->first; f <= e; f++) {
            const int i = node + sw_max_int(m->gauss_node[e], m->gauss_node[f]),
                      j = node + sw_min_int(m->gauss_node[e], m->gauss_node[f]);
            if (m->node[i].u >= 0 && m->node[j].u >= 0 &&
                !sw_pair_find(m->pair, m->size.npair, i, j))
                return false;
        }
    }
    return true;
}

// Gauss points, their shape functions, and the shares of handles must be consecutive, body by body.
static bool particles(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    int64_t gauss = 0, shape = 0, turn = 0, share = 0;
    for (int64_t i = 0; i < s->nparticle; i++) {
        const swParticleInfo *p = &m->particle[i];
        if (!in(p->body, s->nbody) || (i > 0 && p->body <= p[-1].body) ||
            !in(p->rotations, SW_ROTATIONS_POLAR + 1) || p->gauss != gauss ||
            !range(gauss, p->ngauss, s->ngauss) || p->ngauss > INT32_MAX || p->turn != turn)
            return false;
        const swBodyInfo *b = &m->body[p->body];
        if (!range(turn, (int64_t)b->net + 1, s->nparticle_turn) || b->net < 1)
            return false;
        for (int v = 0; v < b->net; v++)
            if (m->node[b->node + v].width != 1 ||
                m->node[b->node + v].q != m->node[b->node].q + 3 * v)
                return false;
        for (; gauss < p->gauss + p->ngauss; gauss++) {
            if (m->gauss[gauss].first != shape ||
                !gauss_point(m, &m->gauss[gauss], b->node, b->net))
                return false;
            shape += m->gauss[gauss].count;
        }
        for (int v = 0; v < b->net; v++, turn++) {
            const int64_t end = m->particle_turn[turn + 1];
            if (m->particle_turn[turn] != share || end > s->nturn_share ||
                end < share + (p->rotations == SW_ROTATIONS_DIFFUSION))
                return false;
            for (; share < end; share++)
                if (!in(m->turn_share[share].handle, s->nhandle) ||
                    !isfinite(m->turn_share[share].weight))
                    return false;
        }
        if (m->particle_turn[turn++] != share)
            return false;
    }
    return gauss == s->ngauss && shape == s->ngauss_shape && turn == s->nparticle_turn &&
           share == s->nturn_share;
}

// Bulk points must be consecutive, body by body, and all their nodes dual quaternions.
static bool bulk(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    int64_t points = 0;
    for (int64_t i = 0; i < s->nbulk; i++) {
        const swBulk *b = &m->bulk[i];
        if (!in(b->body, s->nbody) || (i > 0 && b->body < b[-1].body) || b->nblock < 0 ||
            b->point != points || !range(b->node, b->nnode, s->nbulk_node) ||
            !range(b->data, (int64_t)b->nblock * (SW_BULK_WEIGHT + b->nnode) * SW_LANES,
                   s->nbulk_data))
            return false;
        points += (int64_t)b->nblock * SW_LANES;
        for (int n = b->node; n < b->node + b->nnode; n++)
            if (!in(m->bulk_node[n], s->nnode) || !sw_node_is_dual(&m->node[m->bulk_node[n]]) ||
                m->node[m->bulk_node[n]].body != b->body ||
                (n > b->node && m->node[m->bulk_node[n]].ndof > m->node[m->bulk_node[n - 1]].ndof))
                return false;
    }
    return points == s->nbulk_point && s->max_columns <= s->nq;
}

// Whether the n entries of an array lie in lo .. hi - 1.
static bool entries(const int *item, int64_t n, int lo, int64_t hi) {
    for (int64_t i = 0; i < n; i++)
        if (item[i] < lo || item[i] >= hi)
            return false;
    return true;
}

// Whether the starts of n rows ascend and all rows fit in `all` entries.
static bool rows(const int *start, int64_t n, int64_t all) {
    for (int64_t i = 0; i < n; i++)
        if (start[i] > start[i + 1])
            return false;
    return start[0] == 0 && start[n] <= all;
}

// Checks the beds: lattices with weights, one after another.
static bool beds(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    int64_t nodes = 0;
    for (int64_t i = 0; i < s->nbed; i++) {
        const swBed *b = &m->bed[i];
        const swBodyInfo *body = in(b->body, s->nbody) ? &m->body[b->body] : NULL;
        const double cells = (double)b->n[0] * b->n[1] * b->n[2];
        if (!body || body->blend != SW_BLEND_LINEAR || body->ninserted != 0 ||
            !in(b->budget, SW_INSERTS + 1) || !in(b->distance, SW_DISTANCE_GEODESIC + 1) ||
            !(b->range > 0) || isinf(b->range) || !(b->h > 0) || b->n[0] < 1 || b->n[1] < 1 ||
            b->n[2] < 1 || cells > (double)s->nbed_index || b->ncell < 1 || b->nnode < 1 ||
            !in(b->ndistinct - 1, 8) || !entries(b->distinct, b->ndistinct, 0, 8) ||
            !range(b->index, (int64_t)cells, s->nbed_index) ||
            !range(b->cell, b->ncell, s->nbed_cell) || b->node != nodes ||
            !range(b->node, b->nnode, s->nbed_node) || !range(b->around, 0, s->nbed_around) ||
            !range(b->weight, 0, s->nbed_weight) || !range(b->voxel, b->nvoxel, s->nbed_voxel) ||
            !range(b->load, b->nload, s->nbed_load))
            return false;
        const int *start = m->bed_start + b->node + i, *weight = m->bed_weight_start + b->node + i;
        if (!entries(m->bed_index + b->index, (int64_t)cells, -1, b->ncell) ||
            !entries(m->bed_cell + b->cell, b->ncell, 0, (int64_t)cells) ||
            !entries(m->bed_corner + 8 * b->cell, 8 * (int64_t)b->ncell, 0, b->nnode) ||
            !rows(start, b->nnode, s->nbed_around - b->around) ||
            !entries(m->bed_around + b->around, start[b->nnode], 0, 8 * (int64_t)b->ncell) ||
            !rows(weight, b->nnode, s->nbed_weight - b->weight) ||
            !entries(m->bed_site + b->weight, weight[b->nnode], 0, body->nnode))
            return false;
        for (int64_t v = b->voxel; v < b->voxel + b->nvoxel; v++)
            if (!in(m->bed_voxel[v].cell, b->ncell))
                return false;
        nodes += b->nnode;
    }
    return nodes == s->nbed_node;
}

static bool cracks(const swBodyModel *m) {
    const swBodySizes *s = &m->size;
    for (int64_t i = 0; i < s->ncrack; i++) {
        const swCrack *c = &m->crack[i];
        if (!in(c->body, s->nbody) || c->nvertex != m->body[c->body].net ||
            !range(c->tet, c->ntet, s->ncrack_tet) ||
            !range(c->vertex, c->nvertex, s->ncrack_vertex) ||
            !entries(m->crack_vertex + 4 * (int64_t)c->tet, 4 * (int64_t)c->ntet, 0, c->nvertex) ||
            !entries(m->crack_sample + c->tet, c->ntet, 0, s->nsample) ||
            !entries(m->crack_root + c->vertex, c->nvertex, 0, c->nvertex))
            return false;
    }
    return true;
}

bool sw_body_model_sane(const swBodyModel *m) {
    return m->text[m->size.ntext - 1] == 0 && bodies(m) && parts(m) && nodes(m) && pairs(m) &&
           folded(m) && groups(m) && zones(m) && links(m) && spring_bodies(m) && samples(m) &&
           points(m) && reduced(m) && particles(m) && handles(m) && bulk(m) && muscles(m) &&
           rest_shapes(m) && cracks(m) && beds(m);
}
