// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Elements of a mesh of tetrahedra, in blocks of SW_LANES that have one material and lie together,
// and their mass.
#include "compile/tets.h"

#include "kinematics/element.h"

#include <stdlib.h>

// One element on its way into a group: in the order of these.
typedef struct {
    int material, npoint;
    uint64_t place; // along a curve that fills space
    int tet;
} swPlacedTet;

static int compare(const void *a, const void *b) {
    const swPlacedTet *x = a, *y = b;
    return x->material != y->material ? (x->material < y->material ? -1 : 1)
           : x->npoint != y->npoint   ? (x->npoint < y->npoint ? -1 : 1)
           : x->place != y->place     ? (x->place < y->place ? -1 : 1)
                                      : (x->tet > y->tet) - (x->tet < y->tet);
}

// Every third bit of the result is one of the lowest 21 of x.
static uint64_t spread(uint64_t x) {
    static const uint64_t mask[] = {0x1f00000000ffffull, 0x1f0000ff0000ffull, 0x100f00f00f00f00full,
                                    0x10c30c30c30c30c3ull, 0x1249249249249249ull};
    for (int i = 0; i < 5; i++)
        x = (x | x << (32 >> i)) & mask[i];
    return x;
}

// Along Morton's curve.
static uint64_t place_of(const swBodyBuild *body, swVec3 p) {
    const swVec3 size = sw_sub(body->grid.hi, body->grid.lo);
    const swReal longest = sw_max(size.x, sw_max(size.y, size.z));
    uint64_t place = 0;
    for (int k = 0; k < 3; k++) {
        const swReal share = (sw_get(p, k) - sw_get(body->grid.lo, k)) / longest;
        place |= spread((uint64_t)(sw_clamp(share, 0, 1) * 2097151)) << k;
    }
    return place;
}

// Whether edges of a quadratic tetrahedron bend: then the gradients of its shape functions are no
// polynomials of low degree.
static bool is_curved(const swTetMesh *mesh, int tet) {
    const int *v = sw_tets_at(mesh, tet);
    for (int e = 0; e < 6 && mesh->order == 2; e++) {
        const swVec3 a = mesh->X[v[sw_tet_edge[e][0]]], b = mesh->X[v[sw_tet_edge[e][1]]];
        if (sw_norm(sw_sub(mesh->X[v[4 + e]], sw_lerp(a, b, 0.5))) > 1e-9 * sw_norm(sw_sub(b, a)))
            return true;
    }
    return false;
}

static swPlacedTet *sort_tets(swBuilder *b, const swBodyBuild *body, const swTetMesh *mesh,
                              swError *error) {
    swPlacedTet *list = SW_NEW(&b->arena, mesh->ntet, swPlacedTet, error);
    for (int t = 0; list && t < mesh->ntet; t++) {
        const int *v = sw_tets_at(mesh, t);
        const swVec3 sum =
            sw_add(sw_add(mesh->X[v[0]], mesh->X[v[1]]), sw_add(mesh->X[v[2]], mesh->X[v[3]]));
        list[t] = (swPlacedTet){.material = mesh->material[t],
                                .npoint = mesh->order == 1     ? 1
                                          : is_curved(mesh, t) ? 14
                                                               : 4,
                                .place = place_of(body, sw_scale(0.25, sum)),
                                .tet = t};
    }
    if (list)
        qsort(list, (size_t)mesh->ntet, sizeof *list, compare);
    return list;
}

// One lane of a block of elements; one that only fills the block has no weight.
static bool put_element(swBuilder *b, const swBodyBuild *body, const swTetBuild *t,
                        const swGroup *g, int i, int tet, bool padding, swError *error) {
    const swTetMesh *mesh = &t->mesh;
    const int *vertex = sw_tets_at(mesh, tet), n = g->nnode, lane = i % SW_LANES;
    const swTetRule *rule = sw_tet_rule(g->npoint);
    swVec3 X[SW_ELEMENT_VERTICES], dN[SW_ELEMENT_VERTICES];
    swReal N[SW_ELEMENT_VERTICES];
    int *node = b->group_node.item + g->node + (ptrdiff_t)(i / SW_LANES) * n * SW_LANES + lane;
    for (int c = 0; c < n; c++) {
        X[c] = mesh->X[vertex[c]];
        node[c * SW_LANES] = body->first_node + vertex[c];
    }
    for (int p = 0; p < g->npoint; p++) {
        const int64_t block = (int64_t)(i / SW_LANES) * g->npoint + p,
                      sample = g->sample + block * SW_LANES + lane;
        swReal *gamma = b->gamma.item + g->gamma + block * 3 * n * SW_LANES + lane;
        const swReal volume = sw_tet_gradients(mesh->order, X, rule->bary[p], dN) / 6;
        if (!(volume > 0))
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "%s: tetrahedron %d is turned inside out at one of its points: expected "
                           "edges that bend less",
                           body->key, tet);
        sw_tet_shape(mesh->order, rule->bary[p], N);
        for (int c = 0; c < n; c++) {
            b->sample_point.item[sample] = sw_madd(b->sample_point.item[sample], N[c], X[c]);
            for (int k = 0; k < 3; k++)
                gamma[(k * n + c) * SW_LANES] = sw_get(dN[c], k);
        }
        const swReal filled = mesh->fill ? mesh->fill[tet] : 1, share = rule->weight[p] * volume;
        if (body->net.crack && !padding)
            b->crack_sample.item[b->crack.item[body->net.crack - 1].tet + tet] = (int)sample;
        b->sample_volume.item[sample] = padding ? 0 : share * filled;
        b->sample_weight.item[sample] = padding ? 0 : share * t->stiffness[tet];
    }
    return true;
}

// Those of one material and number of points.
static bool add_group(swBuilder *b, const swBodyBuild *body, const swTetBuild *t,
                      const swPlacedTet *list, int count, swError *error) {
    const int n = sw_tet_vertices(t->mesh.order), blocks = (count + SW_LANES - 1) / SW_LANES,
              npoint = list->npoint, nblock = blocks * npoint;
    swGroup g = {.body = body->index,
                 .material = list->material,
                 .node = b->group_node.count,
                 .nnode = n,
                 .ncolumn = n,
                 .nfree = n,
                 .blend = SW_BLEND_LINEAR,
                 .npoint = npoint,
                 .mean = npoint > 1 && body->def->tets->volume == SW_TETS_MEAN,
                 .sample = b->sample_volume.count,
                 .nblock = nblock,
                 .gamma = b->gamma.count,
                 .plastic = -1,
                 .stretch = -1};
    if (b->material.item[g.material].yield > 0) {
        g.plastic = b->size.nplastic;
        b->size.nplastic += (int64_t)nblock * SW_PLASTIC * SW_LANES;
    }
    swGroup *group = SW_EXTEND(&b->group, 1, &b->arena, error);
    if ((int64_t)nblock * 3 * n * SW_LANES > INT32_MAX / 4)
        return sw_fail(error, SW_ERROR_LIMIT, "%s: %d tetrahedra are too many", body->key, count);
    if (!group || !SW_EXTEND(&b->group_node, blocks * n * SW_LANES, &b->arena, error) ||
        !SW_EXTEND(&b->sample_volume, nblock * SW_LANES, &b->arena, error) ||
        !SW_EXTEND(&b->sample_weight, nblock * SW_LANES, &b->arena, error) ||
        !SW_EXTEND(&b->sample_point, nblock * SW_LANES, &b->arena, error) ||
        !SW_EXTEND(&b->gamma, nblock * 3 * n * SW_LANES, &b->arena, error))
        return false;
    *group = g;
    b->size.max_columns = sw_max_int((int)b->size.max_columns, n);
    for (int i = 0; i < blocks * SW_LANES; i++)
        if (!put_element(b, body, t, &g, i, list[sw_min_int(i, count - 1)].tet, i >= count, error))
            return false;
    return true;
}

// ---- mass ----

// M[a][b] = integral of rho N_a N_b over one tetrahedron [kg].
static void element_mass(const swTetBuild *t, int tet, swReal M[10][10]) {
    const swTetMesh *mesh = &t->mesh;
    const int *vertex = sw_tets_at(mesh, tet), n = sw_tet_vertices(mesh->order);
    const swTetRule *rule = sw_tet_rule(SW_TET_MASS_POINTS);
    swVec3 X[10], dN[10];
    swReal N[10];
    for (int a = 0; a < n; a++) {
        X[a] = mesh->X[vertex[a]];
        for (int c = 0; c < n; c++)
            M[a][c] = 0;
    }
    for (int p = 0; p < rule->n; p++) {
        const swReal mass = t->density[tet] * rule->weight[p] / 6 *
                            sw_tet_gradients(mesh->order, X, rule->bary[p], dN);
        sw_tet_shape(mesh->order, rule->bary[p], N);
        for (int a = 0; a < n; a++)
            for (int c = 0; c <= a; c++)
                M[a][c] += mass * N[a] * N[c];
    }
}

// The diagonal alone, scaled to the whole mass: rows of quadratic tetrahedra have negative sums.
// Hinton, Rock and Zienkiewicz, "A note on mass lumping and related processes in the finite element
// method" (1976).
static void lump(int n, swReal M[10][10]) {
    swReal all = 0, diagonal = 0;
    for (int a = 0; a < n; a++)
        for (int c = 0; c <= a; c++) {
            all += (a == c ? 1 : 2) * M[a][c];
            diagonal += a == c ? M[a][c] : 0;
        }
    for (int a = 0; a < n; a++)
        for (int c = 0; c <= a; c++)
            M[a][c] *= a == c ? all / diagonal : 0;
}

static bool add_pairs(swBuilder *b, const swBodyBuild *body, const swTetBuild *t, swError *error) {
    const int n = sw_tet_vertices(t->mesh.order), npair = sw_element_pair(n, 0);
    swNetPair *pair = SW_NEW(&b->arena, (size_t)t->mesh.ntet * (size_t)npair, swNetPair, error),
              *to = pair;
    if (!pair)
        return false;
    if ((int64_t)t->mesh.ntet * npair > INT32_MAX / 4)
        return sw_fail(error, SW_ERROR_LIMIT, "%s: %d tetrahedra are too many", body->key,
                       t->mesh.ntet);
    for (int tet = 0; tet < t->mesh.ntet; tet++) {
        const int *vertex = sw_tets_at(&t->mesh, tet);
        swReal M[10][10];
        element_mass(t, tet, M);
        if (body->def->mass == SW_MASS_LUMPED)
            lump(n, M);
        for (int a = 0; a < n; a++)
            for (int c = 0; c <= a; c++)
                *to++ = (swNetPair){vertex[a], vertex[c], M[a][c]};
    }
    return sw_net_pairs(b, body, (int)(to - pair), pair, error);
}

bool sw_tets_forces(swBuilder *b, swBodyBuild *body, swError *error) {
    const swTetBuild *t = body->tets;
    const swPlacedTet *list = sort_tets(b, body, &t->mesh, error);
    if (!list || !add_pairs(b, body, t, error))
        return false;
    for (int first = 0, end; first < t->mesh.ntet; first = end) {
        for (end = first; end < t->mesh.ntet && list[end].material == list[first].material &&
                          list[end].npoint == list[first].npoint;)
            end++;
        if (!add_group(b, body, t, list + first, end - first, error))
            return false;
    }
    return true;
}
