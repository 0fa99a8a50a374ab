// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/product.h"

#include "core/simd.h"
#include "potentials/forces.h"

#include <string.h>

// Gauss points go in blocks of LANES, and blocks are shared out to SLABS, whatever the number of
// threads: each slab has its own sums, which are added in their order.
enum { LANES = 8, SLABS = 8, ROW = 4 };            // ROW: numbers of a vertex
enum { NEAR = 9, FAR = 10, PRESSURE = 11, POINT }; // after R^T: of G, of G^T, of its trace

static int block_count(const swBodyModel *m) { return (int)((m->size.ngauss + LANES - 1) / LANES); }

// Entries of a Gauss point come in pairs: the last may be none, of a vertex that there is not.
static int pair_count(const swGaussPoint *g) { return (g->count + 1) / 2; }

static size_t row_size(const swBodyModel *m) { return ROW * ((size_t)sw_particle_count(m) + 1); }

bool sw_product_create(swProduct *p, const swBodyModel *m, swArena *arena, swError *error) {
    const size_t row = row_size(m), ngauss = (size_t)m->size.ngauss;
    *p = (swProduct){
        .first = SW_NEW(arena, ngauss + 1, int64_t, error),
        .point = SW_NEW(arena, (size_t)block_count(m) * POINT * LANES, float, error),
        .x = SW_NEW(arena, row, float, error),
        .y = SW_NEW(arena, row, float, error),
        .slab = SW_NEW(arena, SLABS * row, float, error),
    };
    if (!p->first || !p->point || !p->x || !p->y || !p->slab)
        return false;
    for (size_t g = 0; g < ngauss; g++)
        p->first[g + 1] = p->first[g] + 2 * pair_count(&m->gauss[g]);
    p->slope = SW_NEW(arena, p->first[ngauss], swSlope, error);
    for (int64_t e = 0; p->slope && e < p->first[ngauss]; e++)
        p->slope[e].vertex = (int)sw_particle_count(m);
    for (int64_t i = 0; p->slope && i < m->size.nparticle; i++) {
        const swParticleInfo *info = &m->particle[i];
        for (int64_t g = info->gauss; g < info->gauss + info->ngauss; g++)
            for (int e = 0; e < m->gauss[g].count; e++) {
                const int64_t from = m->gauss[g].first + e;
                swSlope *to = &p->slope[p->first[g] + e];
                to->vertex = (int)sw_particle_vertex(m, i) + m->gauss_node[from];
                for (int k = 0; k < 3; k++)
                    to->g[k] = (float)m->gauss_shape[4 * from + 1 + k];
            }
    }
    return p->slope != NULL;
}

void sw_product_prepare(const swProduct *p, const swBodyModel *m, const swParticleWork *work,
                        const swElasticInput *input) {
    for (int64_t i = 0; i < m->size.nparticle; i++) {
        const swParticleInfo *info = &m->particle[i];
        const swReal scale = sw_particles_scale(m, info, input);
        for (int64_t g = info->gauss; g < info->gauss + info->ngauss; g++) {
            const swGaussPoint *at = &m->gauss[g];
            float *point = p->point + g / LANES * POINT * LANES + g % LANES;
            for (int k = 0; k < 9; k++)
                point[k * LANES] = (float)work->Rt[g].m[k];
            point[NEAR * LANES] = (float)(scale * at->volume * (at->mu + at->hold));
            point[FAR * LANES] = (float)(scale * at->volume * (at->mu - at->hold));
            point[PRESSURE * LANES] = (float)(scale * at->volume * at->lambda);
        }
    }
}

typedef struct {
    const swProduct *product;
    const swBodyModel *model;
} swProductJob;

// F := sum of x g^T, a column after the other.
static inline void gather(const swSlope *slope, int npair, const float *x, swFour F[3]) {
    swOct sum[3];
    memset(sum, 0, sizeof sum);
    for (int e = 0; e < 2 * npair; e += 2) {
        const swOct at = sw_oct_pair(x + ROW * (ptrdiff_t)slope[e].vertex,
                                     x + ROW * (ptrdiff_t)slope[e + 1].vertex),
                    g = sw_oct_pair(slope[e].g, slope[e + 1].g);
        for (int c = 0; c < 3; c++)
            sum[c] = sw_oct_fma(at, sw_oct_spread(g, c), sum[c]);
    }
    for (int c = 0; c < 3; c++)
        F[c] = sw_four_fma(sw_four(1), sw_oct_low(sum[c]), sw_oct_high(sum[c]));
}

// P := R S, S = near G + far G^T + pressure tr(G), G = R^T F; matrices column by column.
static inline void stress(const float *restrict point, float F[9][LANES], float P[9][LANES]) {
    float G[9][LANES], S[9][LANES], trace[LANES];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < LANES; i++)
                G[3 * c + r][i] = point[3 * r * LANES + i] * F[3 * c][i] +
                                  point[(3 * r + 1) * LANES + i] * F[3 * c + 1][i] +
                                  point[(3 * r + 2) * LANES + i] * F[3 * c + 2][i];
    for (int i = 0; i < LANES; i++)
        trace[i] = point[PRESSURE * LANES + i] * (G[0][i] + G[4][i] + G[8][i]);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < LANES; i++)
                S[3 * c + r][i] = point[NEAR * LANES + i] * G[3 * c + r][i] +
                                  point[FAR * LANES + i] * G[3 * r + c][i] +
                                  (r == c ? trace[i] : 0);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < LANES; i++)
                P[3 * c + r][i] = point[r * LANES + i] * S[3 * c][i] +
                                  point[(3 + r) * LANES + i] * S[3 * c + 1][i] +
                                  point[(6 + r) * LANES + i] * S[3 * c + 2][i];
}

// f += P g
static inline void scatter(const swSlope *slope, int npair, const float P[9], float *f) {
    swOct column[3];
    for (int c = 0; c < 3; c++)
        column[c] = sw_oct_pair(P + 3 * c, P + 3 * c);
    for (int e = 0; e < 2 * npair; e += 2) {
        float *one = f + ROW * (ptrdiff_t)slope[e].vertex,
              *other = f + ROW * (ptrdiff_t)slope[e + 1].vertex;
        const swOct g = sw_oct_pair(slope[e].g, slope[e + 1].g);
        swOct sum = sw_oct_pair(one, other);
        for (int c = 0; c < 3; c++)
            sum = sw_oct_fma(column[c], sw_oct_spread(g, c), sum);
        sw_four_store(one, sw_oct_low(sum));
        sw_four_store(other, sw_oct_high(sum));
    }
}

static void apply(int slab, int end, int worker, void *arg) {
    (void)end;
    (void)worker;
    const swProductJob *job = arg;
    const swBodyModel *m = job->model;
    const swProduct *p = job->product;
    const size_t row = row_size(m);
    const int64_t nblock = block_count(m);
    float *f = p->slab + (size_t)slab * row;
    memset(f, 0, row * sizeof *f);
    for (int64_t b = nblock * slab / SLABS; b < nblock * (slab + 1) / SLABS; b++) {
        const swGaussPoint *g = &m->gauss[b * LANES];
        const int n = sw_min_int(LANES, (int)(m->size.ngauss - b * LANES));
        float F[9][LANES] = {{0}}, P[9][LANES];
        for (int i = 0; i < n; i++) {
            swFour columns[3];
            float entry[ROW];
            gather(p->slope + p->first[b * LANES + i], pair_count(&g[i]), p->x, columns);
            for (int c = 0; c < 3; c++) {
                sw_four_store(entry, columns[c]);
                for (int r = 0; r < 3; r++)
                    F[3 * c + r][i] = entry[r];
            }
        }
        stress(p->point + b * POINT * LANES, F, P);
        for (int i = 0; i < n; i++) {
            float own[9 + 1] = {0}; // the spare number of a column is of the next one
            for (int k = 0; k < 9; k++)
                own[k] = P[k][i];
            scatter(p->slope + p->first[b * LANES + i], pair_count(&g[i]), own, f);
        }
    }
}

void sw_product_apply(const swProduct *p, const swBodyModel *m, swPool *pool) {
    const size_t row = row_size(m);
    swProductJob job = {p, m};
    sw_parallel_for(pool, SLABS, 1, apply, &job);
    for (size_t i = 0; i < row; i++)
        p->y[i] = p->slab[i];
    for (int slab = 1; slab < SLABS; slab++)
        for (size_t i = 0; i < row; i++)
            p->y[i] += p->slab[(size_t)slab * row + i];
}
