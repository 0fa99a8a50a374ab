// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/tets.h"

void sw_tet_angles(const swVec3 x[4], swReal angle[6]) {
    swVec3 N[4]; // outward, of twice the area
    for (int f = 0; f < 4; f++) {
        const int *v = sw_tet_face[f];
        N[f] = sw_cross(sw_sub(x[v[1]], x[v[0]]), sw_sub(x[v[2]], x[v[0]]));
    }
    for (int e = 0; e < 6; e++) {
        // The faces at an edge are those opposite to the two corners that are not on it.
        const int a = sw_tet_edge[e][0], b = sw_tet_edge[e][1];
        const int f = a != 0 && b != 0 ? 0 : a != 1 && b != 1 ? 1 : 2, g = 6 - a - b - f;
        angle[e] = SW_PI - atan2(sw_norm(sw_cross(N[f], N[g])), sw_dot(N[f], N[g]));
    }
}

static void measure_tet(const swTetMesh *mesh, int tet, swTetFacts *facts) {
    const int *v = sw_tets_at(mesh, tet);
    swVec3 x[4];
    swReal sum = 0, longest = 0, angle[6];
    for (int i = 0; i < 4; i++)
        x[i] = mesh->X[v[i]];
    for (int e = 0; e < 6; e++) {
        const swReal length2 = sw_norm2(sw_sub(x[sw_tet_edge[e][0]], x[sw_tet_edge[e][1]]));
        sum += length2;
        longest = sw_max(longest, sqrt(length2));
        facts->edge[0] = sw_min(facts->edge[0], sqrt(length2));
    }
    facts->edge[1] = sw_max(facts->edge[1], longest);
    const swReal det = sw_tet_det(x[0], x[1], x[2], x[3]), volume = fabs(det) / 6;
    facts->volume += volume;
    facts->filled += mesh->fill ? mesh->fill[tet] * volume : volume;
    if (!(fabs(det) > SW_TET_FLAT * longest * longest * longest)) {
        facts->flat++;
        facts->quality = 0;
        return;
    }
    facts->left_handed += det < 0;
    const swReal root = cbrt(3 * volume), quality = 12 * root * root / sum;
    facts->quality = sw_min(facts->quality, quality);
    facts->mean_quality += quality / mesh->ntet;
    sw_tet_angles(x, angle);
    for (int e = 0; e < 6; e++) {
        facts->angle[0] = sw_min(facts->angle[0], angle[e] * 180 / SW_PI);
        facts->angle[1] = sw_max(facts->angle[1], angle[e] * 180 / SW_PI);
    }
}

static bool count_parts(const swTetMesh *mesh, swTetFacts *facts, swArena *scratch,
                        swError *error) {
    const int n = mesh->ntet;
    int *across = SW_NEW(scratch, 4 * (size_t)n, int, error);
    int *piece = SW_NEW(scratch, n, int, error);
    if (!across || !piece || !sw_tets_across(mesh, across, &facts->crowded_faces, scratch, error))
        return false;
    for (int face = 0; face < 4 * n; face++)
        facts->outer_faces += across[face] < 0;
    facts->components = sw_tets_pieces(n, across, piece);
    return true;
}

bool sw_tets_facts(const swTetMesh *mesh, swTetFacts *facts, swArena *scratch, swError *error) {
    const int per = sw_tet_vertices(mesh->order);
    *facts = (swTetFacts){.angle = {180, 0}, .quality = 1, .edge = {INFINITY, 0}};
    facts->lo = sw_v3(INFINITY, INFINITY, INFINITY);
    facts->hi = sw_scale(-1, facts->lo);
    bool *used = SW_NEW(scratch, mesh->nvertex, bool, error);
    if (!used || !count_parts(mesh, facts, scratch, error))
        return false;
    for (int t = 0; t < mesh->ntet; t++) {
        const int *v = sw_tets_at(mesh, t);
        for (int i = 0; i < per; i++) {
            used[v[i]] = true;
            facts->lo = sw_min3(facts->lo, mesh->X[v[i]]);
            facts->hi = sw_max3(facts->hi, mesh->X[v[i]]);
        }
        measure_tet(mesh, t, facts);
    }
    for (int i = 0; i < mesh->nvertex; i++)
        facts->unused_vertices += !used[i];
    return true;
}
