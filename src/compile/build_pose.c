// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A body's frames in a given pose of its surface.
#include "compile/build.h"

#include "formats/mesh.h"
#include "math/cholesky.h"

static const swReal hold = 1e-9; // of its diagonal: what holds frames that no vertex tells of
static const swReal far = 0.02;  // of the body: a pose that frames miss by more is worth a word

// Turns and moves the pose to where it is nearest to the vertices X at rest.
static void align(int n, const swVec3 *X, swVec3 *x) {
    swVec3 from = {0, 0, 0}, to = {0, 0, 0};
    swMat3 sum = {{0}}, R, S;
    for (int i = 0; i < n; i++) {
        from = sw_madd(from, 1.0 / n, x[i]);
        to = sw_madd(to, 1.0 / n, X[i]);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 9; k++)
            sum.m[k] += sw_get(sw_sub(X[i], to), k / 3) * sw_get(sw_sub(x[i], from), k % 3);
    sw_mat_polar(sum, &R, &S);
    for (int i = 0; i < n; i++)
        x[i] = sw_add(sw_mul(R, sw_sub(x[i], from)), to);
}

// Columns of the body's nodes that move an embedded point: N of them, at[] among the body's own.
static int gather(const swBuilder *b, int point, int first, swReal *N, int *at) {
    int n = 0;
    for (int e = b->point_start.item[point]; e < b->point_start.item[point + 1]; e++) {
        const swNode *node = &b->node.item[b->point_node.item[e]];
        swReal m[SW_MAX_MONOMIALS];
        sw_monomials(node->width, sw_sub(b->point.item[point], node->origin), m);
        for (int c = 0; c < node->width; c++, n++) {
            N[n] = b->point_weight.item[e] * m[c];
            at[n] = node->q / 3 + c - first;
        }
    }
    return n;
}

// At rest, column by column: A[column] = (A_0c, A_1c, A_2c).
static void rest_columns(const swBuilder *b, const swBodyBuild *body, int first, swVec3 *A) {
    for (int i = body->first_node; i < body->first_node + body->nsite; i++) {
        const swNode *node = &b->node.item[i];
        swVec3 *to = A + node->q / 3 - first;
        to[0] = node->origin;
        for (int k = 0; k < 3 && node->width >= 4; k++)
            sw_set(&to[1 + k], k, 1);
    }
}

// Least squares over all vertices, every frame as free as its columns: A holds the rest pose, and
// gets the other one. Returns the root of the mean square that is left, or -1.
static swReal fit(const swBuilder *b, const swBodyInfo *info, int first, int n, const swVec3 *x,
                  swVec3 *A, swArena *arena, swError *error) {
    const int stride = sw_cholesky_stride(n);
    swReal *M = SW_NEW(arena, (size_t)n * (size_t)stride, swReal, error),
           *N = SW_NEW(arena, n, swReal, error), *rhs = SW_NEW(arena, n, swReal, error), most = 0,
           square = 0;
    int *at = SW_NEW(arena, n, int, error);
    swVec3 *sum = SW_NEW(arena, n, swVec3, error);
    if (!M || !N || !rhs || !at || !sum)
        return -1;
    for (int p = 0; p < info->npoint; p++) {
        const int count = gather(b, info->point + p, first, N, at);
        for (int i = 0; i < count; i++) {
            sum[at[i]] = sw_madd(sum[at[i]], N[i], x[p]);
            for (int j = 0; j < count; j++)
                M[(size_t)at[i] * (size_t)stride + (size_t)at[j]] += N[i] * N[j];
        }
    }
    for (int i = 0; i < n; i++)
        most = sw_max(most, M[(size_t)i * (size_t)stride + (size_t)i]);
    for (int i = 0; i < n; i++) {
        swReal *diagonal = &M[(size_t)i * (size_t)stride + (size_t)i];
        const swReal more = hold * (*diagonal + 1e-3 * most);
        *diagonal += more;
        sum[i] = sw_madd(sum[i], more, A[i]);
    }
    if (sw_cholesky_factor(n, n, M, stride) != n) {
        sw_fail(error, SW_ERROR_GEOMETRY, "no pose of the frames is found");
        return -1;
    }
    for (int r = 0; r < 3; r++) {
        for (int i = 0; i < n; i++)
            rhs[i] = sw_get(sum[i], r);
        sw_cholesky_solve(n, M, stride, rhs);
        for (int i = 0; i < n; i++)
            sw_set(&A[i], r, rhs[i]);
    }
    for (int p = 0; p < info->npoint; p++) {
        const int count = gather(b, info->point + p, first, N, at);
        swVec3 miss = x[p];
        for (int i = 0; i < count; i++)
            miss = sw_madd(miss, -N[i], A[at[i]]);
        square += sw_norm2(miss);
    }
    return sqrt(square / info->npoint);
}

swVec3 *sw_build_pose(swBuilder *b, const swBodyBuild *body, const char *file, const char *key,
                      swError *error) {
    const swBodyInfo *info = &b->body.item[body->index];
    const char *path = sw_path_join(b->scene->folder, file, &b->arena, error);
    const swNode *last = &b->node.item[body->first_node + body->nsite - 1];
    const int first = b->node.item[body->first_node].q / 3, n = last->q / 3 + last->width - first;
    swVec3 *A = SW_NEW(&b->arena, n, swVec3, error);
    swSurface pose = {0};
    if (body->def->frames.blend != SW_BLEND_LINEAR) {
        sw_fail(error, SW_ERROR_VALUE,
                "%s: expected a body of linear blending, found "
                "dual quaternions, which no least squares fit to a pose",
                key);
        return NULL;
    }
    if (!path || !A || !sw_mesh_read(path, &b->arena, &pose, error))
        return NULL;
    if (pose.nvertex != info->npoint) {
        sw_fail_at(error, SW_ERROR_GEOMETRY, path, 0, 0,
                   "%s: expected the %d vertices of the body's surface in another pose, found %d",
                   key, info->npoint, pose.nvertex);
        return NULL;
    }
    swArena scratch;
    sw_arena_init(&scratch, &b->config->allocator);
    rest_columns(b, body, first, A);
    align(info->npoint, b->point.item + info->point, pose.X);
    const swReal miss = fit(b, info, first, n, pose.X, A, &scratch, error);
    sw_arena_free(&scratch);
    if (miss > far * sw_norm(sw_sub(info->hi, info->lo)))
        sw_warn(b->config, "%s: frames cannot take this pose: they miss it by %.3g m in the mean",
                key, miss);
    return miss >= 0 ? A : NULL;
}
