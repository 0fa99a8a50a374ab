// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The mesh of a body of tetrahedra, and its vertices as nodes.
#include "compile/tets.h"
#include "compile/torn.h"

#include "volume/tets_split.h"

#include <string.h>

// ---- rules ----

#define CORNER(a, b) \
    {b, a, a, a}, {a, b, a, a}, {a, a, b, a}, { a, a, a, b }
#define EDGE(a, b) \
    {b, b, a, a}, {b, a, b, a}, {b, a, a, b}, {a, b, b, a}, {a, b, a, b}, { a, a, b, b }

static const swReal one_point[1][4] = {{0.25, 0.25, 0.25, 0.25}}, one_weight[1] = {1};
static const swReal four_points[4][4] = {CORNER(0.13819660112501051518, 0.58541019662496845446)},
                    four_weights[4] = {0.25, 0.25, 0.25, 0.25};
// Walkington, "Quadrature on simplices of arbitrary dimension" (2000).
static const swReal fourteen_points[14][4] = {CORNER(0.09273525031089122640,
                                                     0.72179424906732632079),
                                              CORNER(0.31088591926330060980,
                                                     0.06734224221009817060),
                                              EDGE(0.04550370412564964949, 0.45449629587435035051)},
                    fourteen_weights[14] = {
                        0.07349304311636194934, 0.07349304311636194934, 0.07349304311636194934,
                        0.07349304311636194934, 0.11268792571801585080, 0.11268792571801585080,
                        0.11268792571801585080, 0.11268792571801585080, 0.04254602077708146686,
                        0.04254602077708146686, 0.04254602077708146686, 0.04254602077708146686,
                        0.04254602077708146686, 0.04254602077708146686};

const swTetRule *sw_tet_rule(int npoint) {
    static const swTetRule rules[] = {{1, one_point, one_weight},
                                      {4, four_points, four_weights},
                                      {14, fourteen_points, fourteen_weights}};
    return &rules[npoint == 1 ? 0 : npoint == 4 ? 1 : 2];
}

// ---- the mesh ----

// Six for each filled cell. They carry the mass of all that is in the cell, and have the law of
// what is most of it.
static bool split_cells(swBuilder *b, swBodyBuild *body, swTetBuild *t, swError *error) {
    const swGrid *g = &body->grid;
    const swReal volume = g->h * g->h * g->h;
    if (!sw_tets_split(&body->lattice, &b->arena, &t->mesh, error) ||
        !(t->density = SW_NEW(&b->arena, t->mesh.ntet, swReal, error)) ||
        !(t->stiffness = SW_NEW(&b->arena, t->mesh.ntet, swReal, error)))
        return false;
    for (int tet = 0; tet < t->mesh.ntet; tet++) {
        const int cell = body->lattice.cell[tet / SW_TETS_PER_CELL];
        for (int v = g->first[cell]; v < g->first[cell + 1]; v++) {
            const swVoxel *voxel = &g->voxel[v];
            t->density[tet] += sw_voxel_mass(b, voxel) / volume;
            t->stiffness[tet] += sw_build_young(b, voxel) * voxel->volume /
                                 (volume * b->material.item[t->mesh.material[tet]].young);
        }
    }
    return true;
}

static bool make_mesh(swBuilder *b, swBodyBuild *body, swTetBuild *t, swError *error) {
    t->far = body->grid.h;
    if (!split_cells(b, body, t, error))
        return false;
    swTetMesh linear = t->mesh;
    return body->def->tets->order == SW_TETS_LINEAR ||
           sw_tets_quadratic(&linear, &b->arena, &t->mesh, error);
}

// ---- vertices ----

static int locate(const swNet *net, swVec3 p, int *vertex, swReal *weight, bool *far) {
    const swTetBuild *t = net->data;
    const int n = sw_tet_vertices(t->mesh.order);
    swReal bary[4], distance, sum = 0;
    int tet;
    sw_tets_locate(t->locator, p, &tet, bary, &distance);
    *far = distance > t->far;
    if (*far) { // never far beyond a tetrahedron
        for (int i = 0; i < 4; i++)
            sum += bary[i] = sw_max(bary[i], 0);
        for (int i = 0; i < 4; i++)
            bary[i] /= sum;
    }
    sw_tet_shape(t->mesh.order, bary, weight);
    memcpy(vertex, sw_tets_at(&t->mesh, tet), (size_t)n * sizeof *vertex);
    return n;
}

// Integrals of rho N over all tetrahedra.
static void weigh_vertices(const swTetBuild *t, swReal *weight) {
    const swTetMesh *mesh = &t->mesh;
    const int n = sw_tet_vertices(mesh->order);
    const swTetRule *rule = sw_tet_rule(mesh->order == 1 ? 1 : SW_TET_MASS_POINTS);
    for (int tet = 0; tet < mesh->ntet; tet++) {
        const int *vertex = sw_tets_at(mesh, tet);
        swVec3 X[10], dN[10];
        swReal N[10];
        for (int i = 0; i < n; i++)
            X[i] = mesh->X[vertex[i]];
        for (int p = 0; p < rule->n; p++) {
            const swReal volume = sw_tet_gradients(mesh->order, X, rule->bary[p], dN) / 6;
            sw_tet_shape(mesh->order, rule->bary[p], N);
            for (int i = 0; i < n; i++)
                weight[vertex[i]] += t->density[tet] * rule->weight[p] * volume * N[i];
        }
    }
}

// Handles hold vertices of cells as they hold the lattice's nodes, which these are but where the
// lattice is flat; and the middle of an edge where they hold both ends.
static bool hold_vertices(swBuilder *b, swBodyBuild *body, const swTetMesh *mesh, swError *error) {
    const swLattice *l = &body->lattice;
    swNet *net = &body->net;
    if (l->ndistinct == 8) {
        int *lattice = SW_NEW(&b->arena, l->n, int, error);
        for (int i = 0; lattice && i < l->n; i++)
            lattice[i] = i;
        if (!(net->lattice = lattice))
            return false;
    }
    net->reach = 0.5 * body->grid.h;
    if (!sw_net_hold(b, body, error))
        return false;
    for (int t = 0; t < mesh->ntet; t++)
        for (int e = 0; e < 6 && mesh->order == 2; e++) {
            const int *v = sw_tets_at(mesh, t), *end = sw_tet_edge[e], one = net->held[v[end[0]]],
                      other = net->held[v[end[1]]];
            net->held[v[4 + e]] = one == other ? one : -1;
        }
    return true;
}

bool sw_tets_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
    swTetBuild *t = SW_NEW(&b->arena, 1, swTetBuild, error);
    swNet *net = &body->net;
    if (!t || !make_mesh(b, body, t, error) || !sw_torn_mesh(b, body, &t->mesh, error) ||
        !(t->locator = sw_tets_locator(&t->mesh, &b->arena, error)))
        return false;
    *net = (swNet){.n = t->mesh.nvertex,
                   .X = t->mesh.X,
                   .weight = SW_NEW(&b->arena, t->mesh.nvertex, swReal, error),
                   .locate = locate,
                   .data = t,
                   .crack = net->crack};
    if (!net->weight)
        return false;
    weigh_vertices(t, net->weight);
    return hold_vertices(b, body, &t->mesh, error) && sw_torn_keep(b, body, &t->mesh, error) &&
           sw_net_nodes(b, body, error);
}
