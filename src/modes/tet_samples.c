// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "modes/tet_samples.h"

int sw_tet_samples(const swTetMesh *mesh, int tet, swTetSample point[SW_TET_SAMPLES]) {
    static const swReal near = 0.58541019662496845446, far = 0.13819660112501051518;
    const int *v = sw_tets_at(mesh, tet), count = mesh->order == 1 ? 1 : SW_TET_SAMPLES;
    swVec3 X[SW_TET_VERTICES];
    if (!(sw_tets_volume(mesh, tet) > 0))
        return 0;
    for (int a = 0; a < sw_tet_vertices(mesh->order); a++)
        X[a] = mesh->X[v[a]];
    for (int i = 0; i < count; i++) {
        swReal bary[4];
        point[i].X = sw_v3(0, 0, 0);
        for (int k = 0; k < 4; k++) {
            bary[k] = count == 1 ? 0.25 : k == i ? near : far;
            point[i].X = sw_madd(point[i].X, bary[k], X[k]);
        }
        point[i].weight = sw_tet_gradients(mesh->order, X, bary, point[i].dN) / 6 / count;
    }
    return count;
}

static bool on_edge(int corner, int edge) {
    return sw_tet_edge[edge][0] == corner || sw_tet_edge[edge][1] == corner;
}

swReal sw_tet_mass(int order, int a, int b) {
    if (order == 1)
        return a == b ? 0.1 : 0.05;
    if (a < 4 && b < 4)
        return (a == b ? 6.0 : 1.0) / 420;
    if (a >= 4 && b >= 4) {
        const bool touch =
            on_edge(sw_tet_edge[a - 4][0], b - 4) || on_edge(sw_tet_edge[a - 4][1], b - 4);
        return (a == b ? 32.0 : touch ? 16.0 : 8.0) / 420;
    }
    return (on_edge(a < 4 ? a : b, (a < 4 ? b : a) - 4) ? -4.0 : -6.0) / 420;
}
