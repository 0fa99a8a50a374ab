// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Makes the elements of a tetrahedral mesh, in blocks of SW_LANES that have one material and lie
// close together, and their mass.
#include "bodies/tets.h"

#include "kinematics/element.h"

#include <stdlib.h>
#include <string.h>

// An element to be put into a group; groups follow this order. Linear tetrahedra that share one
// mean change of volume form a single element of several tetrahedra, with eight vertices.
enum { PATCH_TETS = 6, PATCH_VERTICES = 8 };
typedef struct {
    int material, npoint;
    uint64_t place; // along a space-filling curve
    int ntet, tet[PATCH_TETS];
} swPlacedTet;

static int compare(const void *a, const void *b) {
    const swPlacedTet *x = a, *y = b;
    return x->material != y->material ? (x->material < y->material ? -1 : 1)
           : x->npoint != y->npoint   ? (x->npoint < y->npoint ? -1 : 1)
           : x->place != y->place     ? (x->place < y->place ? -1 : 1)
                                      : (x->tet[0] > y->tet[0]) - (x->tet[0] < y->tet[0]);
}

// Spreads the lowest 21 bits of x to every third bit of the result.
static uint64_t spread(uint64_t x) {
    static const uint64_t mask[] = {0x1f00000000ffffull, 0x1f0000ff0000ffull, 0x100f00f00f00f00full,
                                    0x10c30c30c30c30c3ull, 0x1249249249249249ull};
    for (int i = 0; i < 5; i++)
        x = (x | x << (32 >> i)) & mask[i];
    return x;
}

// Position along the Morton curve.
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

// Whether a quadratic tetrahedron has bent edges, in which case the gradients of its shape
// functions are not polynomials of low degree.
static bool is_curved(const swTetMesh *mesh, int tet) {
    const int *v = sw_tets_at(mesh, tet);
    for (int e = 0; e < 6 && mesh->order == 2; e++) {
        const swVec3 a = mesh->X[v[sw_tet_edge[e][0]]], b = mesh->X[v[sw_tet_edge[e][1]]];
        if (sw_norm(sw_sub(mesh->X[v[4 + e]], sw_lerp(a, b, 0.5))) > 1e-9 * sw_norm(sw_sub(b, a)))
            return true;
    }
    return false;
}

static swVec3 middle_of(const swTetMesh *mesh, int tet) {
    const int *v = sw_tets_at(mesh, tet);
    return sw_scale(
        0.25, sw_add(sw_add(mesh->X[v[0]], mesh->X[v[1]]), sw_add(mesh->X[v[2]], mesh->X[v[3]])));
}

// ---- patches: linear tetrahedra that share one mean change of volume ----

// Adds the corners of a tetrahedron to those of a patch; returns the new number of vertices.
static int join(const swTetMesh *mesh, int tet, int n, int vertex[PATCH_VERTICES + 4]) {
    for (int i = 0; i < 4; i++) {
        const int v = sw_tets_at(mesh, tet)[i];
        int k = 0;
        while (k < n && vertex[k] != v)
            k++;
        vertex[k] = v;
        n = sw_max_int(n, k + 1);
    }
    return n;
}

// Grows a patch from one tetrahedron by adding the neighbour that brings the fewest new vertices,
// the lowest one among equals. For cells cut into six, it finds those six.
static void grow_patch(const swTetMesh *mesh, const int *across, bool *taken, swPlacedTet *patch) {
    int vertex[PATCH_VERTICES + 4], n = join(mesh, patch->tet[0], 0, vertex);
    taken[patch->tet[0]] = true;
    while (patch->ntet < PATCH_TETS) {
        int best = -1, least = PATCH_VERTICES + 1;
        for (int f = 0; f < 4 * patch->ntet; f++) {
            const int face = across[4 * patch->tet[f / 4] + f % 4], next = face / 4;
            if (face < 0 || taken[next] || mesh->material[next] != patch->material)
                continue;
            int trial[PATCH_VERTICES + 4];
            memcpy(trial, vertex, sizeof trial);
            const int count = join(mesh, next, n, trial);
            if (count < least || (count == least && next < best)) {
                best = next;
                least = count;
            }
        }
        if (best < 0)
            return;
        n = join(mesh, best, n, vertex);
        taken[best] = true;
        patch->tet[patch->ntet++] = best;
    }
}

static bool make_patches(swBuilder *b, const swTetMesh *mesh, swPlacedTet *list, int *count,
                         swError *error) {
    int *across = SW_NEW(&b->arena, 4 * (size_t)mesh->ntet, int, error);
    bool *taken = SW_NEW(&b->arena, mesh->ntet, bool, error);
    if (!across || !taken || !sw_tets_across(mesh, across, NULL, &b->arena, error))
        return false;
    *count = 0;
    for (int t = 0; t < mesh->ntet; t++) {
        if (taken[t])
            continue;
        swPlacedTet *patch = &list[(*count)++];
        *patch = (swPlacedTet){
            .material = mesh->material[t], .npoint = PATCH_TETS, .ntet = 1, .tet = {t}};
        grow_patch(mesh, across, taken, patch);
    }
    return true;
}

// All elements in order, or NULL on failure.
static swPlacedTet *sort_tets(swBuilder *b, const swBodyBuild *body, int *count, swError *error) {
    const swTetMesh *mesh = &body->tets->mesh;
    const bool patches = mesh->order == 1 && body->def->tets->volume == SW_TETS_MEAN;
    swPlacedTet *list = SW_NEW(&b->arena, mesh->ntet, swPlacedTet, error);
    *count = mesh->ntet;
    if (!list || (patches && !make_patches(b, mesh, list, count, error)))
        return NULL;
    for (int t = 0; t < *count; t++) {
        if (!patches)
            list[t] = (swPlacedTet){.material = mesh->material[t],
                                    .npoint = mesh->order == 1     ? 1
                                              : is_curved(mesh, t) ? 14
                                                                   : 4,
                                    .ntet = 1,
                                    .tet = {t}};
        list[t].place = place_of(body, middle_of(mesh, list[t].tet[0]));
    }
    qsort(list, (size_t)*count, sizeof *list, compare);
    return list;
}

// ---- groups ----

// Where points are stored: lane i of the elements of a group.
typedef struct {
    swBuilder *b;
    const swBodyBuild *body;
    const swGroup *g;
    int i;
    bool padding; // fills up the last block, with zero weight
    int nvertex, vertex[PATCH_VERTICES + 4];
} swLane;

// Stores point p of an element, which is a point of a tetrahedron's rule.
static bool put_point(const swLane *lane, int p, int tet, const swReal bary[4], swReal weight,
                      swError *error) {
    swBuilder *b = lane->b;
    const swTetBuild *t = lane->body->tets;
    const swTetMesh *mesh = &t->mesh;
    const swGroup *g = lane->g;
    const int *vertex = sw_tets_at(mesh, tet), n = sw_tet_vertices(mesh->order);
    const int64_t block = (int64_t)(lane->i / SW_LANES) * g->nsample + p,
                  sample = g->sample + block * SW_LANES + lane->i % SW_LANES;
    swReal *gamma = b->gamma.item + g->gamma + block * 3 * g->nnode * SW_LANES + lane->i % SW_LANES;
    swVec3 X[SW_ELEMENT_VERTICES], dN[SW_ELEMENT_VERTICES], at = {0, 0, 0};
    swReal N[SW_ELEMENT_VERTICES];
    for (int c = 0; c < n; c++)
        X[c] = mesh->X[vertex[c]];
    const swReal volume = sw_tet_gradients(mesh->order, X, bary, dN) / 6;
    if (!(volume > 0))
        return sw_fail(error, SW_ERROR_GEOMETRY,
                       "%s: tetrahedron %d is turned inside out at one of its points: expected "
                       "edges that bend less",
                       lane->body->key, tet);
    sw_tet_shape(mesh->order, bary, N);
    for (int c = 0; c < n; c++) {
        int column = c;
        while (lane->nvertex > 0 && lane->vertex[column] != vertex[c])
            column = (column + 1) % lane->nvertex;
        at = sw_madd(at, N[c], X[c]);
        for (int k = 0; k < 3; k++)
            gamma[(k * g->nnode + column) * SW_LANES] = sw_get(dN[c], k);
    }
    const swReal share = lane->padding ? 0 : weight * volume;
    b->sample_point.item[sample] = at;
    b->sample_volume.item[sample] = share * (mesh->fill ? mesh->fill[tet] : 1);
    b->sample_weight.item[sample] = share * t->stiffness[tet];
    if (lane->body->net.crack && share > 0)
        b->crack_sample.item[b->crack.item[lane->body->net.crack - 1].tet + tet] = (int)sample;
    return true;
}

// Stores one tetrahedron, or a patch whose tetrahedra have one point each; if it has fewer
// tetrahedra, the remaining points have zero weight.
static bool put_element(swLane *lane, const swPlacedTet *from, swError *error) {
    const swGroup *g = lane->g;
    const swTetMesh *mesh = &lane->body->tets->mesh;
    const bool patch = g->nnode == PATCH_VERTICES;
    const swTetRule *rule = sw_tet_rule(patch ? 1 : g->nsample);
    int *node = lane->b->group_node.item + g->node + lane->i % SW_LANES +
                (ptrdiff_t)(lane->i / SW_LANES) * g->nnode * SW_LANES;
    lane->nvertex = 0;
    for (int k = 0; patch && k < from->ntet; k++)
        lane->nvertex = join(mesh, from->tet[k], lane->nvertex, lane->vertex);
    for (int c = 0; c < g->nnode; c++)
        node[c * SW_LANES] = lane->body->first_node + (!patch ? sw_tets_at(mesh, from->tet[0])[c]
                                                       : c < lane->nvertex ? lane->vertex[c]
                                                                           : lane->vertex[0]);
    for (int p = 0; p < g->nsample; p++) {
        const int k = patch ? p : 0, point = patch ? 0 : p, tet = from->tet[k < from->ntet ? k : 0];
        swReal bary[4];
        sw_tet_point(lane->body->tets, rule, tet, point, bary);
        if (!put_point(lane, p, tet, bary, k < from->ntet ? rule->weight[point] : 0, error))
            return false;
    }
    return true;
}

// Adds a group of elements with the same material and number of points.
static bool add_group(swBuilder *b, const swBodyBuild *body, const swTetBuild *t,
                      const swPlacedTet *list, int count, swError *error) {
    const int npoint = list->npoint, blocks = (count + SW_LANES - 1) / SW_LANES,
              nblock = blocks * npoint,
              n = npoint == PATCH_TETS ? PATCH_VERTICES : sw_tet_vertices(t->mesh.order);
    swGroup g = {.body = body->index,
                 .material = list->material,
                 .node = b->group_node.count,
                 .nnode = n,
                 .ncolumn = n,
                 .nfree = n,
                 .blend = SW_BLEND_LINEAR,
                 .nsample = npoint,
                 .mean = npoint > 1 && body->def->tets->volume == SW_TETS_MEAN,
                 .sample = b->sample_volume.count,
                 .nblock = nblock,
                 .gamma = b->gamma.count,
                 .plastic = -1,
                 .stretch = -1,
                 .amplitudes = -1};
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
    for (int i = 0; i < blocks * SW_LANES; i++) {
        swLane lane = {.b = b, .body = body, .g = &g, .i = i, .padding = i >= count};
        if (!put_element(&lane, &list[sw_min_int(i, count - 1)], error))
            return false;
    }
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
        swReal bary[4];
        sw_tet_point(t, rule, tet, p, bary);
        const swReal mass =
            t->density[tet] * rule->weight[p] / 6 * sw_tet_gradients(mesh->order, X, bary, dN);
        sw_tet_shape(mesh->order, bary, N);
        for (int a = 0; a < n; a++)
            for (int c = 0; c <= a; c++)
                M[a][c] += mass * N[a] * N[c];
    }
}

// Keeps only the diagonal, scaled to the whole mass, since row sums of quadratic tetrahedra can be
// negative. Hinton, Rock and Zienkiewicz, "A note on mass lumping and related processes in the
// finite element method" (1976).
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

// Adds the pairs of vertices of each tetrahedron, with their mass, and those of each patch.
static bool add_pairs(swBuilder *b, const swBodyBuild *body, const swTetBuild *t,
                      const swPlacedTet *list, int count, swError *error) {
    const int n = sw_tet_vertices(t->mesh.order), npair = sw_element_pair(n, 0),
              more = sw_element_pair(PATCH_VERTICES, 0);
    const int64_t most = (int64_t)t->mesh.ntet * npair + (int64_t)count * more;
    if (most > INT32_MAX / 4)
        return sw_fail(error, SW_ERROR_LIMIT, "%s: %d tetrahedra are too many", body->key,
                       t->mesh.ntet);
    swNetPair *pair = SW_NEW(&b->arena, most, swNetPair, error), *to = pair;
    if (!pair)
        return false;
    for (int i = 0; i < count; i++) {
        int vertex[PATCH_VERTICES + 4], have = 0;
        for (int k = 0; list[i].ntet > 1 && k < list[i].ntet; k++)
            have = join(&t->mesh, list[i].tet[k], have, vertex);
        for (int a = 0; a < have; a++)
            for (int c = 0; c < a; c++)
                *to++ = (swNetPair){vertex[a], vertex[c], 0};
    }
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
    int count;
    const swPlacedTet *list = sort_tets(b, body, &count, error);
    if (!list || !add_pairs(b, body, t, list, count, error))
        return false;
    for (int first = 0, end; first < count; first = end) {
        for (end = first; end < count && list[end].material == list[first].material &&
                          list[end].npoint == list[first].npoint;)
            end++;
        if (!add_group(b, body, t, list + first, end - first, error))
            return false;
    }
    return true;
}
