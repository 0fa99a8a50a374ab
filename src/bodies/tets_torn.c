// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bodies/tets.h"

#include "compile/torn.h"

#include <string.h>

static bool tears(const swBuilder *b, int material) {
    return isfinite(b->material.item[material].toughness);
}

static const swTornBody *torn_of(const swBuilder *b, const swBodyBuild *body) {
    for (int i = 0; i < b->ntorn; i++)
        if (b->torn[i].body == body->number)
            return &b->torn[i];
    return NULL;
}

bool sw_torn_mesh(swBuilder *b, swBodyBuild *body, swTetMesh *mesh, swError *error) {
    const swTornBody *torn = torn_of(b, body);
    bool any = false;
    for (int t = 0; t < mesh->ntet && body->def->tets; t++)
        any = any || tears(b, mesh->material[t]);
    if (!any)
        return true;
    if (mesh->order != 1 || body->def->tets->volume != SW_TETS_PLAIN)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.tets: expected linear tetrahedra with plain volume, as a material has a "
                       "toughness: others cannot tear",
                       body->key);
    body->net.crack = b->crack.count + 1;
    if (!torn)
        return true;
    SW_ASSERT(torn->ntet == mesh->ntet);
    mesh->nvertex = torn->nvertex;
    mesh->X = SW_NEW(&b->arena, torn->nvertex, swVec3, error);
    mesh->vertex = SW_NEW(&b->arena, 4 * (size_t)torn->ntet, int, error);
    if (!mesh->X || !mesh->vertex)
        return false;
    memcpy(mesh->X, torn->X, (size_t)torn->nvertex * sizeof *mesh->X);
    memcpy(mesh->vertex, torn->vertex, 4 * (size_t)torn->ntet * sizeof *mesh->vertex);
    return true;
}

bool sw_torn_keep(swBuilder *b, swBodyBuild *body, const swTetMesh *mesh, swError *error) {
    const swTornBody *torn = torn_of(b, body);
    swTetBoundary boundary;
    if (!body->net.crack)
        return true;
    const swCrack crack = {.body = body->index,
                           .tet = b->crack_sample.count,
                           .ntet = mesh->ntet,
                           .vertex = b->crack_root.count,
                           .nvertex = mesh->nvertex};
    swCrack *to = SW_EXTEND(&b->crack, 1, &b->arena, error);
    int *root = to ? SW_EXTEND(&b->crack_root, mesh->nvertex, &b->arena, error) : NULL,
        *vertex = root ? SW_EXTEND(&b->crack_vertex, 4 * mesh->ntet, &b->arena, error) : NULL;
    if (!vertex || !SW_EXTEND(&b->crack_sample, mesh->ntet, &b->arena, error) ||
        !sw_tets_boundary(mesh, &b->arena, &boundary, error))
        return false;
    *to = crack;
    memcpy(vertex, mesh->vertex, 4 * (size_t)mesh->ntet * sizeof *vertex);
    for (int v = 0; v < mesh->nvertex; v++) {
        root[v] = torn ? torn->root[v] : v;
        body->net.held[v] = body->net.held[root[v]];
    }
    body->surface = boundary.surface;
    body->net.surface = boundary.vertex;
    return true;
}
