// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "cubature/directions.h"

#include "core/core.h"

// A direction counts when gradients along it are more than this share of the largest.
static const swReal SHARE = 0.1;

swDirections sw_directions_of(int count, int n, const swReal *gradient) {
    swMat3 M = {{0}}, V;
    swVec3 w;
    swDirections found = {.n = 0};
    swReal square = 0, mean = 0;
    for (int k = 0; k < n; k++) {
        swReal sum[3] = {0};
        for (int i = 0; i < count; i++) {
            const swReal *g = gradient + 3 * ((size_t)i * (size_t)n + (size_t)k);
            for (int r = 0; r < 3; r++) {
                sum[r] += g[r] / count;
                for (int c = 0; c < 3; c++)
                    M.m[3 * r + c] += g[r] * g[c] / count;
            }
        }
        mean += sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
    }
    square = M.m[0] + M.m[4] + M.m[8];
    found.bent = square > 0 ? 1 - mean / square : 0;
    sw_mat_eigen(M, &w, &V);
    const swReal value[3] = {w.z, w.y, w.x};
    for (int i = 0; i < 3; i++) {
        found.along[i] = sqrt(sw_max(value[i], 0));
        for (int k = 0; k < 3; k++)
            found.axes.m[3 * i + k] = V.m[3 * k + 2 - i];
        found.n += found.along[i] > SHARE * found.along[0];
    }
    return found;
}

swVec3 sw_directions_turn(const swDirections *found, int k) {
    const swVec3 axis = {k == 0, k == 1, k == 2};
    swVec3 sum = {0, 0, 0};
    for (int i = 0; i < found->n; i++) {
        const swReal *e = found->axes.m + 3 * i;
        sum = sw_madd(sum, e[k], sw_v3(e[0], e[1], e[2]));
    }
    const swReal square = sw_norm2(sum);
    if (found->n == 0 || square > 0.99) // along layers of voxels
        return axis;
    return square > 0.2 ? sw_scale(1 / sqrt(square), sum) : sw_v3(0, 0, 0);
}
