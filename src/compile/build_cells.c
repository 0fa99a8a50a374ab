// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Which strains are relaxed, and where: cells of samples, with the modes that their nodes lack.
#include "compile/sampling.h"

#include "cubature/fit.h"
#include "kinematics/relax.h"
#include "math/tangent.h"

#include <string.h>

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

// Modes for weights that vary in the first n of a region's axes (U; the others are N).
// Sections of a bar cannot breathe, nor can the thickness of a plate: strains within N that vary
// along N (a); over plates also along U (d). Rigid nodes cannot shear either: strains between U and
// N that vary along U (b); affine nodes can, and would cost nothing then. Nor can rigid nodes get
// thinner at all: strains within N (c). Sections of a twisted bar bulge (w). Where weights vary in
// all directions, changes of volume alone, of stuff that hardly has any.
static uint32_t modes_of(int n, bool rigid, const swReal lame[2]) {
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

// Center and extents of a cell, by its samples. Modes along axes without extent are dropped.
static void measure(const swSampling *s, swCell *cell) {
    const int first = s->b->group.item[cell->group].sample + cell->block * SW_LANES,
              end = first + cell->nblock * SW_LANES;
    const swVec3 *p = s->b->sample_point.item;
    const swReal *w = s->b->sample_weight.item;
    swReal weight = 0;
    for (int i = first; i < end; i++) {
        weight += w[i];
        cell->center = sw_madd(cell->center, w[i], p[i]);
    }
    cell->center = sw_scale(1 / weight, cell->center);
    for (int k = 0; k < 3; k++) {
        const swReal *e = cell->axes + 3 * k;
        swReal second = 0;
        for (int i = first; i < end; i++) {
            const swReal d = sw_dot(sw_v3(e[0], e[1], e[2]), sw_sub(p[i], cell->center));
            second += w[i] / weight * d * d;
        }
        cell->extent[k] = sqrt(second);
        if (!(cell->extent[k] > 1e-3 * s->body->grid.h)) {
            cell->extent[k] = 1;
            cell->mask &= ~((sw_relax_bit(0, SW_RELAX_SHAPES) - 1) << SW_RELAX_SHAPES * k);
            cell->mask &= ~sw_relax_bit(3, SW_RELAX_WARP);
        }
    }
}

// A cell of the samples from `first` to `last`, in one class.
static bool add_cell(swSampling *s, const swClass *c, const swPlaced *first, const swPlaced *last,
                     const swDirections *found, swError *error) {
    const bool rigid = count_of(s, c, SW_NODE_RIGID) == c->nsite;
    const int block = first->sample / SW_LANES,
              next = (last->sample + last->n + SW_LANES - 1) / SW_LANES;
    swGroup *g = &s->b->group.item[first->group];
    swCell *cell = SW_EXTEND(&s->b->cell, 1, &s->b->arena, error);
    if (!cell)
        return false;
    *cell = (swCell){.group = first->group,
                     .block = block,
                     .nblock = next - block,
                     .mode = (int)s->b->size.nrelax};
    memcpy(cell->axes, found->axes.m, sizeof cell->axes);
    // Quadratic nodes have all these strains of their own, and few points feel no slopes.
    if (last->sample + last->n - first->sample >= 4 && count_of(s, c, SW_NODE_QUADRATIC) == 0)
        cell->mask = modes_of(found->n, rigid, s->b->material.item[c->material].lame);
    measure(s, cell);
    if (found->wall && found->n < 3) {
        cell->across = found->n;
        cell->wall = sqrt(12) * cell->extent[0]; // its length, where it is a slice
    }
    cell->nmode = __builtin_popcount(cell->mask);
    s->b->size.nrelax += cell->nmode;
    if (g->ncell++ == 0)
        g->cell = s->b->cell.count - 1;
    return true;
}

// A cell for every region. Where all nodes are rigid and weights linear it is the whole class: the
// shear that is to be relaxed grows over all the way between the nodes.
bool sw_sampling_cells(swSampling *s, const swRegions *r, const swPlaced *placed,
                       const swDirections *found, swError *error) {
    for (int first = 0, end; first < r->count; first = end) {
        const swClass *c = sw_class_of(s, r->voxel[r->start[first]]);
        const bool whole =
            count_of(s, c, SW_NODE_RIGID) == c->nsite && found[first].bent <= MAX_BENT;
        for (end = first + 1; whole && end < r->count && placed[end].group == placed[first].group &&
                              found[end].bent <= MAX_BENT;)
            end++;
        if (!add_cell(s, c, &placed[first], &placed[end - 1], &found[first], error))
            return false;
    }
    return true;
}
