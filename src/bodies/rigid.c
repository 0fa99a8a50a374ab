// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Rigid bodies: a single rigid frame, at the centre of mass or at the handle if there is one, moves
// the whole body. It has mass but no stiffness.
#include "compile/build.h"

static swVec3 center_of_mass(const swBuilder *b, const swGrid *g) {
    swVec3 sum = {0, 0, 0};
    swReal mass = 0;
    for (int v = 0; v < g->nvoxel; v++) {
        const swReal own = sw_voxel_mass(b, &g->voxel[v]);
        sum = sw_madd(sum, own, g->voxel[v].centroid);
        mass += own;
    }
    return sw_scale(1 / mass, sum);
}

static bool make_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
    body->nsite = 1;
    if (body->nhandle > 0)
        return sw_build_handle_nodes(b, body, error);
    return sw_build_node(b, body, SW_NODE_RIGID, SW_MOTION_FREE, center_of_mass(b, &body->grid),
                         error) != NULL;
}

// The integrals of rho m and rho m m^T, where m are the monomials of the frame.
static bool make_forces(swBuilder *b, swBodyBuild *body, swError *error) {
    const swNode *node = &b->node.item[body->first_node];
    const int d = node->width;
    swNodePair *pair = SW_EXTEND(&b->pair, 1, &b->arena, error);
    swReal *M = pair ? SW_EXTEND(&b->mass, d * d, &b->arena, error) : NULL,
           *weight = b->weight_load.item + node->q / 3;
    if (!M)
        return false;
    *pair = (swNodePair){body->first_node, body->first_node, b->mass.count - d * d};
    for (int i = 0; i < body->grid.nvoxel; i++) {
        const swVoxel *v = &body->grid.voxel[i];
        const swReal mass = sw_voxel_mass(b, v);
        swReal m[SW_MAX_MONOMIALS];
        sw_monomials(d, sw_sub(v->centroid, node->origin), m);
        for (int r = 0; r < d; r++) {
            weight[r] += mass * m[r];
            for (int c = 0; c < d; c++)
                M[r * d + c] += mass * m[r] * m[c];
        }
        for (int k = 0; k < 3; k++)
            M[(1 + k) * (d + 1)] += mass * sw_get(v->second, k);
    }
    return true;
}

static bool make_points(swBuilder *b, const swBodyBuild *body, int n, const swVec3 *p, int material,
                        int *far, swError *error) {
    static const int site = 0;
    static const swReal whole = 1;
    (void)material;
    for (int i = 0; i < n; i++) {
        if (!sw_build_point(b, body, p[i], 1, &site, &whole, error))
            return false;
        if (far)
            *far += sw_lattice_find(&body->lattice, p[i], SW_POINT_REACH) < 0;
    }
    return true;
}

// By default a block sinks in by about a thousandth of its height under its own weight.
static swReal contact_stiffness(const swBuilder *b, const swBodyBuild *body) {
    static const swReal each = 1e4; // [m/s^2]
    const swBodyInfo *info = &b->body.item[body->index];
    const swReal own = body->def->rigid->stiffness;
    return isnan(own) ? each * info->mass / info->volume : own;
}

const swBodyKind sw_kind_rigid = {.name = "rigid",
                                  .parts = SW_PARTS_NONE,
                                  .nodes = make_nodes,
                                  .forces = make_forces,
                                  .points = make_points,
                                  .contact = contact_stiffness};
