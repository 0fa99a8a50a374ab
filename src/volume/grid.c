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

swReal sw_grid_distance(const swGrid *g, int owner, swVec3 p, swReal reach) {
    const int cell = sw_grid_cell(g, p), far = (int)ceil(reach / g->h),
              at[3] = {cell % g->n[0], cell / g->n[0] % g->n[1], cell / g->n[0] / g->n[1]};
    int lo[3], hi[3];
    swReal own = INFINITY, other = INFINITY; // squares
    for (int k = 0; k < 3; k++) {
        lo[k] = sw_max_int(0, at[k] - far);
        hi[k] = sw_min_int(g->n[k] - 1, at[k] + far);
    }
    for (int z = lo[2]; z <= hi[2]; z++)
        for (int y = lo[1]; y <= hi[1]; y++) {
            const int row = g->n[0] * (y + g->n[1] * z); // voxels of a row follow one another
            for (int i = g->first[row + lo[0]]; i < g->first[row + hi[0] + 1]; i++) {
                const swVoxel *v = &g->voxel[i];
                swReal *least = v->owner == owner ? &own : &other;
                const swVec3 near = sw_min3(sw_max3(p, v->lo), v->hi);
                *least = sw_min(*least, sw_norm2(sw_sub(p, near)));
            }
        }
    return own > 0 ? sw_min(reach, sqrt(own)) : -sw_min(reach, sqrt(other));
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
