// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies of many vertices: their nodes, those that handles carry, and pairs of them.
#include "compile/build.h"

#include "geometry/solid.h"

#include <stdlib.h>
#include <string.h>

// ---- vertices that handles hold ----

// Whether one of the voxels that handle i owns is where p is.
static bool owns(const swBodyBuild *body, int i, swVec3 p) {
    const swGrid *g = &body->grid;
    const int cell = sw_grid_cell(g, p);
    for (int v = g->first[cell]; v < g->first[cell + 1]; v++)
        if (g->voxel[v].owner == i)
            return true;
    return false;
}

static bool holds(const swBodyBuild *body, int i, swVec3 p) {
    const swSite *site = &body->handles.item[i];
    if (site->region)
        return sw_solid_distance(site->region, p) <= body->net.reach;
    return owns(body, i, p);
}

bool sw_net_hold(swBuilder *b, swBodyBuild *body, swError *error) {
    swNet *net = &body->net;
    if (!(net->held = SW_NEW(&b->arena, net->n, int, error)))
        return false;
    for (int v = 0; v < net->n; v++)
        net->held[v] = -1;
    for (int i = 0; i < body->nhandle; i++) {
        const swSite *site = &body->handles.item[i];
        for (int k = 0; net->lattice && k < site->nnode; k++)
            if (net->lattice[site->node[k]] >= 0)
                net->held[net->lattice[site->node[k]]] = i;
        for (int v = 0; !net->lattice && v < net->n; v++)
            if (net->held[v] < 0 && holds(body, i, net->X[v]))
                net->held[v] = i;
    }
    return true;
}

static bool check_held(const swBodyBuild *body, swError *error) {
    for (int i = 0; i < body->nhandle; i++) {
        int count = 0;
        for (int v = 0; v < body->net.n; v++)
            count += body->net.held[v] == i;
        if (count == 0)
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "%s: holds none of the body's %d vertices; expected a larger region, or "
                           "more vertices",
                           body->handles.item[i].key, body->net.n);
    }
    return true;
}

// ---- nodes ----

// One that does not move at all has no unknowns, as if a handle held it.
static void slide(swBuilder *b, swNode *node, int axes) {
    node->slide = axes;
    for (int k = 0; k < 3; k++)
        if (sw_node_holds(node, k)) {
            node->ndof--;
            b->size.ndof--;
        }
    if (node->ndof > 0)
        return;
    b->size.nu -= node->nu;
    node->u = node->dof = -1;
    node->motion = SW_MOTION_FIXED;
}

static bool add_vertices(swBuilder *b, const swBodyBuild *body, swError *error) {
    const swNet *net = &body->net;
    for (int v = 0; v < net->n; v++) {
        const int handle = net->held[v];
        swNode *node =
            sw_build_node(b, body, SW_NODE_POINT, handle < 0 ? SW_MOTION_FREE : SW_MOTION_FIXED,
                          net->X[v], error);
        if (!node)
            return false;
        b->weight_load.item[node->q / 3] = net->weight[v];
        if (handle < 0) {
            slide(b, node, net->slide ? net->slide[v] : 0);
            continue;
        }
        node->carrier = body->first_node + net->n + handle;
        if (body->handle_defs.item[handle]->motion != SW_MOTION_FREE)
            continue;
        node->motion = SW_MOTION_FREE;
        node->u = (int)b->size.nu;
        b->size.nu += node->nu;
    }
    return true;
}

bool sw_net_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
    swBodyInfo *info = &b->body.item[body->index];
    if ((!body->net.held && !sw_net_hold(b, body, error)) || !check_held(body, error) ||
        !add_vertices(b, body, error) || !sw_build_handle_nodes(b, body, error))
        return false;
    body->nsite = body->net.n + body->nhandle;
    info->net = body->net.n;
    for (int v = 0; v < body->grid.nvoxel; v++) {
        const swMaterialInfo *m = &b->material.item[body->grid.voxel[v].material];
        info->stiffness =
            sw_max(info->stiffness, m->young + m->volume + m->fibre_stiffness + m->fibre_strength);
    }
    return true;
}

// ---- pairs ----

static int compare(const void *a, const void *b) {
    const swNetPair *x = a, *y = b;
    return (x->j > y->j) - (x->j < y->j);
}

// The node whose unknowns move a vertex, from the body's first on.
static int master_of(const swBodyBuild *body, int v) {
    return v < body->net.n && body->net.held[v] >= 0 ? body->net.n + body->net.held[v] : v;
}

typedef struct {
    int n;
    int *start;      // of each row in `pair`
    swNetPair *pair; // i >= j, row by row
} swPairRows;

static void put(swPairRows *rows, int *at, int i, int j, swReal mass) {
    if (i < j) {
        const int swap = i;
        i = j;
        j = swap;
    }
    if (at)
        rows->pair[at[i]++] = (swNetPair){i, j, mass};
    else
        rows->start[i + 1]++;
}

// Every node with itself, the pairs given, and those that they are folded into. Without `at` the
// rows are counted.
static void put_all(const swBodyBuild *body, int n, const swNetPair *pair, swPairRows *rows,
                    int *at) {
    for (int i = 0; i < rows->n; i++)
        put(rows, at, i, i, 0);
    for (int p = 0; p < n; p++) {
        const int i = pair[p].i, j = pair[p].j, to_i = master_of(body, i),
                  to_j = master_of(body, j);
        put(rows, at, i, j, pair[p].mass);
        if (to_i != i || to_j != j)
            put(rows, at, to_i, to_j, 0);
    }
}

static bool add_row(swBuilder *b, const swBodyBuild *body, swNetPair *row, int n, swError *error) {
    qsort(row, (size_t)n, sizeof *row, compare);
    for (int first = 0, end; first < n; first = end) {
        swReal mass = 0;
        for (end = first; end < n && row[end].j == row[first].j; end++)
            mass += row[end].mass;
        swNodePair *pair = SW_EXTEND(&b->pair, 1, &b->arena, error);
        swReal *M = pair && mass != 0 ? SW_EXTEND(&b->mass, 1, &b->arena, error) : NULL;
        if (!pair || (mass != 0 && !M))
            return false;
        *pair = (swNodePair){body->first_node + row[first].i, body->first_node + row[first].j,
                             M ? b->mass.count - 1 : -1};
        if (M)
            *M = mass;
    }
    return true;
}

bool sw_net_pairs(swBuilder *b, const swBodyBuild *body, int n, const swNetPair *pair,
                  swError *error) {
    swPairRows rows = {.n = body->nsite};
    int *at = SW_NEW(&b->arena, rows.n + 1, int, error);
    rows.start = SW_NEW(&b->arena, rows.n + 1, int, error);
    if (!at || !rows.start)
        return false;
    put_all(body, n, pair, &rows, NULL);
    for (int i = 0; i < rows.n; i++)
        rows.start[i + 1] += rows.start[i];
    memcpy(at, rows.start, ((size_t)rows.n + 1) * sizeof *at);
    if (!(rows.pair = SW_NEW(&b->arena, rows.start[rows.n], swNetPair, error)))
        return false;
    put_all(body, n, pair, &rows, at);
    for (int i = 0; i < rows.n; i++)
        if (!add_row(b, body, rows.pair + rows.start[i], rows.start[i + 1] - rows.start[i], error))
            return false;
    return true;
}

// ---- points ----

bool sw_net_points(swBuilder *b, const swBodyBuild *body, int n, const swVec3 *p, int material,
                   int *away, swError *error) {
    for (int i = 0; i < n; i++) {
        int vertex[SW_NET_NEAR], count = 1;
        swReal weight[SW_NET_NEAR] = {1};
        bool far = false;
        const int carrier = material < 0 ? -1 : sw_build_carrier(body, material, p[i]);
        if (carrier >= 0)
            vertex[0] = carrier;
        else
            count = body->net.locate(&body->net, p[i], vertex, weight, &far);
        if (away)
            *away += far;
        if (!sw_build_point(b, body, p[i], count, vertex, weight, error))
            return false;
    }
    return true;
}
