// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Strains of second order, set apart from all others: at rest they do no work on them, so that what
// is of second order changes nothing of first order.
#include "compile/correcting.h"

#include "kinematics/group.h"
#include "math/cholesky.h"
#include "math/tangent.h"
#include "math/tiles.h"

#include <string.h>

typedef struct {
    swBuilder *b;
    const swModeFields *fields;
    int nq, n; // motions of what moves; these and modes
    swReal *E; // [n][6][lanes]: strains of all motions in a block
    swReal *S; // and stresses, times weights
    swReal *K; // [n][n]
    swReal *m; // [nvolume][n]: changes of sums of volume
} swApart;

static swReal *corrector_of(const swApart *a, const swGroup *g, int block) {
    return a->b->corrector.item + g->corrector + (ptrdiff_t)block * a->fields->n * 6 * SW_LANES;
}

// Gradients of a column of the skin at a block's samples. At rest dual quaternions blend as
// matrices do, of which their groups have the weights alone.
static void column_at(const swApart *a, const swGroup *g, int block, int column,
                      swReal G[3][SW_LANES]) {
    const swReal *gamma = a->b->gamma.item + g->gamma + (ptrdiff_t)block * sw_group_stride(g);
    if (g->blend == SW_BLEND_LINEAR) {
        for (int x = 0; x < 3; x++)
            memcpy(G[x], gamma + ((ptrdiff_t)x * g->ncolumn + column) * SW_LANES, sizeof G[x]);
        return;
    }
    enum { WIDTH = 4 }; // of rigid nodes
    const int site = column / WIDTH, part = column % WIDTH;
    const swNode *node = &a->b->node.item[a->b->group_node.item[g->node + site]];
    for (int l = 0; l < SW_LANES; l++) {
        const swVec3 p = a->b->sample_point.item[g->sample + block * SW_LANES + l];
        const swReal m = part == 0 ? 1 : sw_get(sw_sub(p, node->origin), part - 1);
        for (int x = 0; x < 3; x++)
            G[x][l] = gamma[((1 + x) * g->ncolumn + site) * SW_LANES + l] * m +
                      (part == 1 + x ? gamma[site * SW_LANES + l] : 0);
    }
}

// Strains of a block's samples.
static void find_strains(const swApart *a, const swGroup *g, int block) {
    memset(a->E, 0, (size_t)a->nq * 6 * SW_LANES * sizeof *a->E);
    for (int k = 0; k < a->nq; k++) {
        const swSkinMotion *motion = &a->fields->motion[k];
        swReal *E = a->E + (ptrdiff_t)k * 6 * SW_LANES;
        for (int i = 0; i < motion->n; i++) {
            swReal G[3][SW_LANES];
            column_at(a, g, block, motion->column + i, G);
            for (int rx = 0; rx < 9; rx++) {
                const swReal f = sw_get(motion->f[i], rx / 3) * (rx / 3 == rx % 3 ? 1 : 0.5);
                for (int l = 0; l < SW_LANES && f != 0; l++)
                    E[sw_pair_at[rx] * SW_LANES + l] += f * G[rx % 3][l];
            }
        }
    }
    memcpy(a->E + (ptrdiff_t)a->nq * 6 * SW_LANES, corrector_of(a, g, block),
           (size_t)a->fields->n * 6 * SW_LANES * sizeof *a->E);
}

static void find_stresses(const swApart *a, const swGroup *g, int block) {
    swPointMatrices stiffness;
    swReal D[6][6];
    sw_build_rest(&a->b->material.item[g->material], D);
    sw_matrices_clear(&stiffness);
    for (int l = 0; l < SW_LANES; l++)
        sw_matrices_set(&stiffness, l, a->b->sample_weight.item[g->sample + block * SW_LANES + l],
                        (const swReal(*)[6])D);
    for (int k = 0; k < 6 * a->n; k += 6)
        sw_matrices_apply(&stiffness, 0, a->E + (ptrdiff_t)k * SW_LANES,
                          a->S + (ptrdiff_t)k * SW_LANES);
}

static void add_volumes(const swApart *a, int sample) {
    const ptrdiff_t count = a->b->sample_volume.count;
    for (int64_t f = 0; f < a->b->size.nvolume; f++) {
        const swWide weight = sw_wide_load(a->b->volume_weight.item + f * count + sample);
        for (int k = 0; k < a->n; k++) {
            const swReal *E = a->E + (ptrdiff_t)k * 6 * SW_LANES;
            a->m[f * a->n + k] +=
                sw_wide_sum(weight * (sw_wide_load(E) + sw_wide_load(E + SW_LANES) +
                                      sw_wide_load(E + 2 * SW_LANES)));
        }
    }
}

// The stiffness of samples and sums of volume at rest.
static bool sum_stiffness(swApart *a, swArena *arena, swError *error) {
    const int n = a->n;
    const size_t square = (size_t)n * (size_t)n;
    swReal *sum = SW_NEW(arena, square * SW_LANES, swReal, error);
    if (!sum)
        return false;
    for (int i = 0; i < a->b->group.count; i++) {
        const swGroup *g = &a->b->group.item[i];
        for (int block = 0; g->amplitudes == a->fields->node && block < g->nblock; block++) {
            find_strains(a, g, block);
            find_stresses(a, g, block);
            sw_tiles_accumulate(n, n, 6, (swRows){a->E, 6 * SW_LANES, SW_LANES},
                                (swRows){a->S, 6 * SW_LANES, SW_LANES}, sum, n, true);
            add_volumes(a, g->sample + block * SW_LANES);
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            swReal k = sw_wide_sum(sw_wide_load(sum + ((ptrdiff_t)i * n + j) * SW_LANES));
            for (int64_t f = 0; f < a->b->size.nvolume; f++)
                k += a->m[f * n + i] * a->m[f * n + j];
            a->K[(ptrdiff_t)i * n + j] = a->K[(ptrdiff_t)j * n + i] = k;
        }
    return true;
}

// x[second][first] := shares of all motions of first order, so that those of second order less
// these are apart from them.
static bool find_shares(const swApart *a, int nfirst, swReal *x, swArena *arena, swError *error) {
    const int n = a->n, stride = sw_cholesky_stride(nfirst);
    swReal *L = SW_NEW(arena, (size_t)nfirst * (size_t)stride, swReal, error),
           *size = SW_NEW(arena, nfirst, swReal, error);
    if (!L || !size)
        return false;
    for (int i = 0; i < nfirst; i++) {
        const swReal own = a->K[(ptrdiff_t)i * (n + 1)];
        size[i] = own > 0 ? 1 / sqrt(own) : 0;
        for (int j = 0; j < i; j++)
            L[(ptrdiff_t)i * stride + j] = a->K[(ptrdiff_t)i * n + j] * size[i] * size[j];
        L[(ptrdiff_t)i * (stride + 1)] = 1 + 1e-9; // rigid motions have no energy
    }
    if (sw_cholesky_factor(nfirst, nfirst, L, stride) != nfirst)
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "its stiffness at rest is not finite");
    for (int s = nfirst; s < n; s++, x += nfirst) {
        for (int i = 0; i < nfirst; i++)
            x[i] = a->K[(ptrdiff_t)s * n + i] * size[i];
        sw_cholesky_solve(nfirst, L, stride, x);
        for (int i = 0; i < nfirst; i++)
            x[i] *= size[i];
    }
    return true;
}

bool sw_correcting_part(swBuilder *b, const swBodyBuild *body, swError *error) {
    const swModeFields *fields = body->fields;
    swApart apart = {.b = b, .fields = fields, .nq = fields->nmotion}, *a = &apart;
    a->n = a->nq + fields->n;
    const int nfirst = a->nq + fields->nfirst;
    const size_t n = (size_t)a->n, many = 6 * SW_LANES * n;
    if (fields->nfirst == fields->n)
        return true;
    swArena *arena = &b->arena;
    swReal *x = SW_NEW(arena, (size_t)(a->n - nfirst) * (size_t)nfirst, swReal, error);
    a->E = SW_NEW(arena, many, swReal, error);
    a->S = SW_NEW(arena, many, swReal, error);
    a->K = SW_NEW(arena, n * n, swReal, error);
    a->m = SW_NEW(arena, (size_t)b->size.nvolume * n, swReal, error);
    if (!x || !a->E || !a->S || !a->K || !a->m || !sum_stiffness(a, arena, error) ||
        !find_shares(a, nfirst, x, arena, error))
        return false;
    for (int i = 0; i < b->group.count; i++) {
        const swGroup *g = &b->group.item[i];
        for (int block = 0; g->amplitudes == fields->node && block < g->nblock; block++) {
            find_strains(a, g, block);
            sw_tiles_combine(a->n - nfirst, 6, nfirst, (swRows){x, nfirst, 1},
                             (swRows){a->E, 6 * SW_LANES, SW_LANES},
                             corrector_of(a, g, block) + (ptrdiff_t)fields->nfirst * 6 * SW_LANES,
                             6 * SW_LANES, true);
        }
    }
    return true;
}
