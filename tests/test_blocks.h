// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Closed meshes of unit cubes, as files.
#pragma once

#include "test_tools.h"

// The surface around the cells of the cube [0, 2]^3 that `filled` has a bit for, cell x + 2 y + 4
// z; 0x7f: all but the last, which leaves concave edges and a concave corner. `skip`: a face left
// out, or -1.
static inline int blocks_write(FILE *file, unsigned filled, int skip) {
    int face = 0;
    for (int k = 0; k < 27; k++)
        fprintf(file, "v %d %d %d\n", k % 3, k / 3 % 3, k / 9);
    for (int cell = 0; cell < 8; cell++)
        for (int side = 0; side < 6; side++) {
            const int at[3] = {cell & 1, cell >> 1 & 1, cell >> 2}, axis = side / 2;
            const int up = side % 2, next = at[axis] + (up ? 1 : -1);
            if (!(filled >> cell & 1) ||
                (next >= 0 && next < 2 && filled >> (cell ^ 1 << axis) & 1) || face++ == skip)
                continue;
            int corner[4];
            for (int c = 0; c < 4; c++) { // counter-clockwise from outside
                int p[3] = {at[0], at[1], at[2]};
                p[axis] += up;
                p[(axis + 1) % 3] += up ? c == 1 || c == 2 : c >= 2;
                p[(axis + 2) % 3] += up ? c >= 2 : c == 1 || c == 2;
                corner[c] = 1 + p[0] + 3 * p[1] + 9 * p[2];
            }
            fprintf(file, "f %d %d %d\nf %d %d %d\n", corner[0], corner[1], corner[2], corner[0],
                    corner[2], corner[3]);
        }
    return face;
}

static inline const char *blocks_path(const char *name, unsigned filled, int skip) {
    const char *path = temporary_path(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    blocks_write(file, filled, skip);
    fclose(file);
    return path;
}
