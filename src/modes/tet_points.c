// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "modes/tet_points.h"

// The ends of the edges on which vertices 4 to 9 are.
static const int ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

void sw_tet_shape(int order, const swReal L[4], const swVec3 dL[4], swReal *N, swVec3 *dN) {
    for (int a = 0; a < 4; a++) {
        N[a] = order == 1 ? L[a] : L[a] * (2 * L[a] - 1);
        if (dN)
            dN[a] = order == 1 ? dL[a] : sw_scale(4 * L[a] - 1, dL[a]);
    }
    for (int e = 0; order == 2 && e < 6; e++) {
        const int a = ends[e][0], b = ends[e][1];
        N[4 + e] = 4 * L[a] * L[b];
        if (dN)
            dN[4 + e] = sw_scale(4, sw_add(sw_scale(L[b], dL[a]), sw_scale(L[a], dL[b])));
    }
}

int sw_tet_points(const swTetMesh *mesh, int tet, swTetPoint point[SW_TET_POINTS]) {
    static const swReal near = 0.58541019662496845446, far = 0.13819660112501051518;
    const int *v = mesh->vertex + (ptrdiff_t)tet * sw_tet_vertices(mesh->order);
    const swVec3 o = mesh->X[v[0]], a = sw_sub(mesh->X[v[1]], o), b = sw_sub(mesh->X[v[2]], o),
                 c = sw_sub(mesh->X[v[3]], o);
    const swReal det = sw_dot(sw_cross(a, b), c), fill = mesh->fill ? mesh->fill[tet] : 1;
    const int count = mesh->order == 1 ? 1 : SW_TET_POINTS;
    if (!(det > 0) || !(fill > 0))
        return 0;
    swVec3 dL[4] = {{0, 0, 0},
                    sw_scale(1 / det, sw_cross(b, c)),
                    sw_scale(1 / det, sw_cross(c, a)),
                    sw_scale(1 / det, sw_cross(a, b))};
    dL[0] = sw_scale(-1, sw_add(dL[1], sw_add(dL[2], dL[3])));
    for (int i = 0; i < count; i++) {
        swReal L[4];
        for (int k = 0; k < 4; k++)
            L[k] = count == 1 ? 0.25 : k == i ? near : far;
        sw_tet_shape(mesh->order, L, dL, point[i].N, point[i].dN);
        point[i].weight = fill * det / 6 / count;
        point[i].X =
            sw_add(o, sw_add(sw_scale(L[1], a), sw_add(sw_scale(L[2], b), sw_scale(L[3], c))));
    }
    return count;
}

static bool on_edge(int corner, int edge) {
    return ends[edge][0] == corner || ends[edge][1] == corner;
}

swReal sw_tet_mass(int order, int a, int b) {
    if (order == 1)
        return a == b ? 0.1 : 0.05;
    if (a < 4 && b < 4)
        return (a == b ? 6.0 : 1.0) / 420;
    if (a >= 4 && b >= 4) {
        const bool touch = on_edge(ends[a - 4][0], b - 4) || on_edge(ends[a - 4][1], b - 4);
        return (a == b ? 32.0 : touch ? 16.0 : 8.0) / 420;
    }
    return (on_edge(a < 4 ? a : b, (a < 4 ? b : a) - 4) ? -4.0 : -6.0) / 420;
}
