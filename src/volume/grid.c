// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/grid.h"

// The planes strictly inside a voxel are plane[*first] .. plane[*first + count - 1].
static int planes_inside(const swVoxel *v, int axis, int nplane, const swReal *plane, swReal near,
                         int *first) {
    int count = 0;
    for (*first = 0; *first < nplane && plane[*first] <= sw_get(v->lo, axis) + near;)
        ++*first;
    while (*first + count < nplane && plane[*first + count] < sw_get(v->hi, axis) - near)
        count++;
    return count;
}

bool sw_grid_split(swGrid *g, int axis, int nplane, const swReal *plane, swArena *arena,
                   swError *error) {
    const swReal near = 1e-9 * g->h;
    const int ncell = g->n[0] * g->n[1] * g->n[2];
    int total = 0, first;
    for (int i = 0; i < g->nvoxel; i++)
        total += 1 + planes_inside(&g->voxel[i], axis, nplane, plane, near, &first);
    if (total == g->nvoxel)
        return true;
    swVoxel *list = SW_NEW(arena, total, swVoxel, error);
    int *start = SW_NEW(arena, ncell + 1, int, error), n = 0;
    if (!list || !start)
        return false;
    for (int c = 0; c < ncell; c++) {
        start[c] = n;
        for (int i = g->first[c]; i < g->first[c + 1]; i++) {
            const swVoxel *v = &g->voxel[i];
            const int cuts = planes_inside(v, axis, nplane, plane, near, &first);
            const swReal lo = sw_get(v->lo, axis), hi = sw_get(v->hi, axis), length = hi - lo;
            // what the voxel has beyond an even filling stays with every part
            const swReal shift = sw_get(v->centroid, axis) - 0.5 * (lo + hi),
                         rest = sw_get(v->second, axis) - length * length / 12;
            for (int k = 0; k <= cuts; k++) {
                const swReal a = k == 0 ? lo : plane[first + k - 1],
                             b = k == cuts ? hi : plane[first + k];
                swVoxel *part = &list[n++];
                *part = *v;
                if (cuts == 0)
                    continue;
                part->volume *= (b - a) / length;
                sw_set(&part->lo, axis, a);
                sw_set(&part->hi, axis, b);
                sw_set(&part->centroid, axis, sw_clamp(0.5 * (a + b) + shift, a, b));
                sw_set(&part->second, axis, sw_max(0, (b - a) * (b - a) / 12 + rest));
                const swReal square = sw_get(v->second, axis),
                             share = square > 0 ? sw_get(part->second, axis) / square : 0;
                for (int d = 1; d < 3; d++)
                    sw_set(&part->mixed, (axis + d) % 3, share * sw_get(v->mixed, (axis + d) % 3));
            }
        }
    }
    start[ncell] = n;
    g->voxel = list;
    g->first = start;
    g->nvoxel = n;
    return true;
}

// How far a coordinate is from cells number i along an axis, or a little less.
static swReal far_along(const swGrid *g, int axis, int i, swReal x) {
    const swReal t = (x - sw_get(g->origin, axis)) / g->h - i;
    return g->h * sw_max(0, sw_max(-t, t - 1) - 1e-9);
}

// How far p is from voxels of this owner, or from those of others, `reach` at most. Rows of cells
// are looked at from the nearest on, as long as they are nearer than what was found.
static swReal nearest(const swGrid *g, int owner, bool others, swVec3 p, swReal reach) {
    const int cell = sw_grid_cell(g, p), far = (int)ceil(reach / g->h),
              at[3] = {cell % g->n[0], cell / g->n[0] % g->n[1], cell / g->n[0] / g->n[1]},
              lo = sw_max_int(0, at[0] - far), hi = sw_min_int(g->n[0] - 1, at[0] + far);
    swReal least = reach * reach;
    bool any = false;
    for (int k = 0; k <= 2 * far; k++) {
        const int z = at[2] + (k % 2 ? (k + 1) / 2 : -k / 2);
        const swReal up = z < 0 || z >= g->n[2] ? INFINITY : far_along(g, 2, z, p.z);
        for (int m = 0; m <= 2 * far && up * up < least; m++) {
            const int y = at[1] + (m % 2 ? (m + 1) / 2 : -m / 2);
            const swReal side = y < 0 || y >= g->n[1] ? INFINITY : far_along(g, 1, y, p.y);
            if (!(up * up + side * side < least))
                continue;
            const int row = g->n[0] * (y + g->n[1] * z); // voxels of a row follow one another
            for (int i = g->first[row + lo]; i < g->first[row + hi + 1]; i++) {
                const swVoxel *v = &g->voxel[i];
                if ((v->owner == owner) == others)
                    continue;
                const swReal square = sw_norm2(sw_sub(p, sw_min3(sw_max3(p, v->lo), v->hi)));
                any = any || square < least;
                least = sw_min(least, square);
            }
        }
    }
    return any ? sqrt(least) : reach;
}

swReal sw_grid_distance(const swGrid *g, int owner, swVec3 p, swReal reach) {
    const swReal own = nearest(g, owner, false, p, reach);
    return own > 0 ? own : -nearest(g, owner, true, p, reach);
}

void sw_voxel_points(const swVoxel *v, swVec3 point[8]) {
    // second moments = L L^T, and the points are L (+-1, +-1, +-1)
    const swReal xx = sqrt(v->second.x), xy = xx > 0 ? v->mixed.z / xx : 0,
                 xz = xx > 0 ? v->mixed.y / xx : 0, yy = sqrt(sw_max(0, v->second.y - xy * xy)),
                 yz = yy > 0 ? (v->mixed.x - xy * xz) / yy : 0,
                 zz = sqrt(sw_max(0, v->second.z - xz * xz - yz * yz));
    for (int k = 0; k < 8; k++) {
        const swReal x = k & 1 ? 1 : -1, y = k & 2 ? 1 : -1, z = k & 4 ? 1 : -1;
        point[k] = sw_add(v->centroid, sw_v3(xx * x, xy * x + yy * y, xz * x + yz * y + zz * z));
    }
}
