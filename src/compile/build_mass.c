// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Mass and weight, summed over all voxels whatever the samples.
#include "compile/sampling.h"

#include "cubature/fit.h"
#include "cubature/rule.h"
#include "math/tiles.h"

#include <string.h>

// Voxels in a chunk; chunks whose sums are kept at once; regions per site, of dual quaternions.
enum { CHUNK = 4096, ROUND = 16, MASS_REGIONS = 4 };

// Some voxels of one class, and what they sum up to.
typedef struct {
    const swClass *c;
    const int *voxel;
    int n;
    swReal *mass;   // ncolumn x ncolumn, lower triangle
    swReal *weight; // per column
} swMassChunk;

typedef struct {
    swReader reader;
    swReal *rows; // [block][4][ncolumn][SW_LANES] of a batch
    swReal *sum;  // [ncolumn][ncolumn][SW_LANES]
} swMassWorker;

typedef struct {
    const swSampling *s;
    swMassWorker *worker;
    swMassChunk *chunk;
} swMassJob;

// Rows sqrt(rho v) N and sqrt(rho v second_k) G_k of voxel i of a batch; adds rho v N.
static void mass_rows(const swMassJob *job, const swMassChunk *c, int i, int voxel,
                      swMassWorker *w) {
    const swVoxel *v = &job->s->body->grid.voxel[voxel];
    const bool lumped = job->s->body->def->mass == SW_MASS_LUMPED;
    const size_t nc = (size_t)c->c->ncolumn;
    const swReal mass = sw_voxel_mass(job->s->b, v), root = sqrt(mass);
    const swReal f[3] = {root * sqrt(v->second.x), root * sqrt(v->second.y),
                         root * sqrt(v->second.z)};
    swReal *row = w->rows + (size_t)(i / SW_LANES) * 4 * nc * SW_LANES + i % SW_LANES;
    sw_reader_columns(job->s, &w->reader, c->c, voxel, i, false);
    for (size_t k = 0; k < nc; k++)
        c->weight[k] += mass * w->reader.N[k];
    if (lumped)
        sw_reader_columns(job->s, &w->reader, c->c, voxel, i, true);
    for (size_t k = 0; k < nc; k++, row += SW_LANES) {
        row[0] = root * w->reader.N[k];
        for (size_t a = 0; a < 3; a++)
            row[(a + 1) * nc * SW_LANES] = f[a] * w->reader.G[k][a];
    }
}

// rho v (N N^T + sum_k second_k G_k G_k^T) over the voxels of a chunk.
static void sum_chunk(const swMassJob *job, swMassChunk *c, swMassWorker *w) {
    const int nc = c->c->ncolumn;
    const size_t square = (size_t)nc * (size_t)nc;
    memset(w->sum, 0, square * SW_LANES * sizeof *w->sum);
    memset(c->weight, 0, (size_t)nc * sizeof *c->weight);
    for (int first = 0; first < c->n; first += SW_BATCH) {
        const int n = sw_min_int(SW_BATCH, c->n - first), nblock = (n + SW_LANES - 1) / SW_LANES;
        const swRows R = {w->rows, SW_LANES, (ptrdiff_t)nc * SW_LANES};
        sw_reader_read(job->s, &w->reader, n, c->voxel + first);
        if (n % SW_LANES) // lanes without a voxel
            memset(w->rows + (size_t)(nblock - 1) * 4 * (size_t)nc * SW_LANES, 0,
                   4 * (size_t)nc * SW_LANES * sizeof *w->rows);
        for (int i = 0; i < n; i++)
            mass_rows(job, c, i, c->voxel[first + i], w);
        sw_tiles_accumulate(nc, nc, 4 * nblock, R, R, w->sum, nc, true);
    }
    for (size_t i = 0; i < square; i++)
        c->mass[i] = sw_wide_sum(sw_wide_load(w->sum + i * SW_LANES));
}

static void sum_chunks(int start, int end, int worker, void *arg) {
    const swMassJob *job = arg;
    for (int i = start; i < end; i++)
        sum_chunk(job, &job->chunk[i], &job->worker[worker]);
}

// Adds a chunk's sums to the blocks of the pairs, which are those of the builder from `first` on.
// Lumped, only those of a node with itself are there: the integral of rho w m m^T, which is the sum
// over j of rho w_j w m m^T.
static void add_chunk(const swSampling *s, const swMassChunk *c, int first) {
    const int nc = c->c->ncolumn, *site = s->sites.item + c->c->first;
    const swNodePair *pairs = s->b->pair.item + first;
    for (int x = 0, cx = 0; x < c->c->nsite; x++) {
        const swNode *nx = sw_site_node(s, site[x]);
        for (int a = 0; a < nx->width; a++)
            s->b->weight_load.item[nx->q / 3 + a] += c->weight[cx + a];
        for (int y = 0, cy = 0; y < c->c->nsite; y++) {
            const swNode *ny = sw_site_node(s, site[y]);
            const swNodePair *pair =
                site[y] > site[x]
                    ? NULL
                    : sw_pair_find(pairs, s->b->pair.count - first, s->body->first_node + site[x],
                                   s->body->first_node + site[y]);
            swReal *M = pair && pair->mass >= 0 ? s->b->mass.item + pair->mass : NULL;
            for (int a = 0; M && a < nx->width; a++)
                for (int e = 0; e < ny->width; e++) // the lower triangle of the chunk's is there
                    M[a * ny->width + e] +=
                        c->mass[sw_max_int(cx + a, cy + e) * nc + sw_min_int(cx + a, cy + e)];
            cy += ny->width;
        }
        cx += nx->width;
    }
}

// All pairs of nodes that share a class, with room for their mass.
static bool add_pairs(swSampling *s, swError *error) {
    swBuilder *b = s->b;
    const int n = s->body->nsite;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            if (!s->met[i * n + j] && i != j)
                continue;
            const int size = sw_site_node(s, i)->width * sw_site_node(s, j)->width;
            swNodePair *pair = SW_EXTEND(&b->pair, 1, &b->arena, error);
            if (!pair)
                return false;
            *pair = (swNodePair){s->body->first_node + i, s->body->first_node + j, -1};
            if (s->dual || (i != j && s->body->def->mass == SW_MASS_LUMPED))
                continue;
            if (!SW_EXTEND(&b->mass, size, &b->arena, error))
                return false;
            pair->mass = b->mass.count - size;
        }
    return true;
}

// Room for a round of chunks and for the workers.
static bool prepare(swSampling *s, swMassJob *job, swError *error) {
    swArena *a = &s->arena;
    const int workers = sw_pool_size(s->b->pool);
    size_t nc = 0;
    for (int i = 0; i < s->nfound; i++)
        nc = (size_t)sw_max_int((int)nc, s->classes.item[i].ncolumn);
    job->s = s;
    job->worker = SW_NEW(a, workers, swMassWorker, error);
    job->chunk = SW_NEW(a, ROUND, swMassChunk, error);
    if (!job->worker || !job->chunk)
        return false;
    for (int i = 0; i < workers; i++) {
        swMassWorker *w = &job->worker[i];
        w->rows = SW_NEW(a, 4 * nc * (SW_BATCH + SW_LANES), swReal, error);
        w->sum = SW_NEW(a, nc * nc * SW_LANES, swReal, error);
        if (!w->rows || !w->sum || !sw_reader_create(s, &w->reader, a, error))
            return false;
    }
    for (int i = 0; i < ROUND; i++) {
        job->chunk[i].mass = SW_NEW(a, nc * nc, swReal, error);
        job->chunk[i].weight = SW_NEW(a, nc, swReal, error);
        if (!job->chunk[i].mass || !job->chunk[i].weight)
            return false;
    }
    return true;
}

// Voxels class by class: those of class k are order[start[k]] .. order[start[k + 1] - 1].
static bool sort_by_class(swSampling *s, int **start, int **order, swError *error) {
    const int nv = s->body->grid.nvoxel;
    *start = SW_NEW(&s->arena, s->nfound + 2, int, error);
    *order = SW_NEW(&s->arena, nv, int, error);
    if (!*start || !*order)
        return false;
    for (int v = 0; v < nv; v++)
        (*start)[s->kind[v] + 2]++;
    for (int k = 0; k < s->nfound; k++)
        (*start)[k + 2] += (*start)[k + 1];
    for (int v = 0; v < nv; v++)
        (*order)[(*start)[s->kind[v] + 1]++] = v;
    return true;
}

bool sw_sampling_mass(swSampling *s, swError *error) {
    swMassJob job;
    int *start, *order;
    const int first_pair = s->b->pair.count;
    if (!add_pairs(s, error))
        return false;
    if (s->dual)
        return true;
    if (!prepare(s, &job, error) || !sort_by_class(s, &start, &order, error))
        return false;
    int n = 0;
    for (int k = 0; k < s->nfound; k++)
        for (int first = start[k]; first < start[k + 1]; first += CHUNK) {
            job.chunk[n].c = &s->classes.item[k];
            job.chunk[n].voxel = order + first;
            job.chunk[n++].n = sw_min_int(CHUNK, start[k + 1] - first);
            if (n < ROUND && !(k + 1 == s->nfound && first + CHUNK >= start[k + 1]))
                continue;
            if (!sw_parallel_try(s->b->pool, n, 1, sum_chunks, &job))
                return sw_fail_stopped(error);
            for (int i = 0; i < n; i++)
                add_chunk(s, &job.chunk[i], first_pair);
            n = 0;
        }
    return true;
}

// ---- dual quaternions ----

// Dual quaternions of opposite sign are the same motion, but blend differently. Each node takes the
// sign nearest to that of a neighbour: a tree over the nodes that share material, the nearest
// first.
static bool choose_parents(swSampling *s, swError *error) {
    const int n = s->body->nsite;
    swNode *node = s->b->node.item + s->body->first_node;
    swReal *gap = SW_NEW(&s->arena, n, swReal, error); // to the tree
    bool *done = SW_NEW(&s->arena, n, bool, error);
    if (!gap || !done)
        return false;
    for (int i = 0; i < n; i++)
        gap[i] = INFINITY;
    for (int turn = 0; turn < n; turn++) {
        int next = -1;
        for (int i = 0; i < n; i++)
            if (!done[i] && (next < 0 || gap[i] < gap[next]))
                next = i;
        done[next] = true;
        node[turn].turn = s->body->first_node + next;
        for (int i = 0; i < n; i++) {
            const swReal d = sw_norm2(sw_sub(node[i].origin, node[next].origin));
            if (!done[i] && s->met[i * n + next] && d < gap[i]) {
                gap[i] = d;
                node[i].parent = s->body->first_node + next;
            }
        }
    }
    return true;
}

// Linear fit of the weights over one region: mean[k][column] of phi_k N, what changes inside voxels
// included.
static void fit_weights(const swSampling *s, swReader *reader, const swClass *c, const swFit *fit,
                        int n, const int *voxel, const swReal *mass, swReal *mean) {
    swReal total = 0, phi[SW_FIT_SIZE], slope[SW_FIT_SIZE][3];
    memset(mean, 0, (size_t)fit->n * (size_t)c->ncolumn * sizeof *mean);
    for (int i = 0; i < n; i++)
        total += mass[voxel[i]];
    for (int i = 0; i < n; i++) {
        const swVoxel *v = &s->body->grid.voxel[voxel[i]];
        if (i % SW_BATCH == 0)
            sw_reader_read(s, reader, sw_min_int(SW_BATCH, n - i), voxel + i);
        sw_reader_columns(s, reader, c, voxel[i], i % SW_BATCH, false);
        sw_fit_values(fit, v->centroid, phi, slope);
        for (int k = 0; k < fit->n; k++)
            for (int a = 0; a < c->ncolumn; a++) {
                const swReal *G = reader->G[a];
                mean[k * c->ncolumn + a] +=
                    mass[voxel[i]] / total *
                    (phi[k] * reader->N[a] + v->second.x * slope[k][0] * G[0] +
                     v->second.y * slope[k][1] * G[1] + v->second.z * slope[k][2] * G[2]);
            }
    }
}

// Mass on points: eight for each region, with its mass, centroid and second moments.
bool sw_sampling_bulk(swSampling *s, swError *error) {
    const swGrid *g = &s->body->grid;
    swReal *mass = SW_NEW(&s->arena, g->nvoxel, swReal, error),
           *mean = SW_NEW(&s->arena, 4 * s->ncolumn, swReal, error), phi[SW_FIT_SIZE], weight[8];
    int *kind = SW_NEW(&s->arena, g->nvoxel, int, error);
    swVec3 point[8];
    swReader reader;
    swRegions r;
    if (!mass || !mean || !kind || !choose_parents(s, error) ||
        !sw_reader_create(s, &reader, &s->arena, error))
        return false;
    for (int v = 0; v < g->nvoxel; v++) {
        mass[v] = sw_voxel_mass(s->b, &g->voxel[v]);
        kind[v] = s->classes.item[s->kind[v]].into;
    }
    const swRegionsDef def = {.grid = g,
                              .kind = kind,
                              .nkind = s->classes.count,
                              .measure = mass,
                              .count = MASS_REGIONS * s->body->nsite};
    if (!sw_regions_create(&def, &s->arena, &r, error))
        return false;
    for (int i = 0; i < r.count; i++) {
        const int *voxel = r.voxel + r.start[i], count = r.start[i + 1] - r.start[i];
        const swClass *c = sw_class_of(s, voxel[0]);
        swRule rule = {.point = point, .weight = weight};
        swFit fit;
        sw_rule_create(&rule, 2, g, count, voxel, mass, NULL);
        sw_fit_create(&fit, 1, true, g, count, voxel, mass);
        fit_weights(s, &reader, c, &fit, count, voxel, mass, mean);
        for (int corner = 0; corner < rule.n; corner++) {
            swBulkPoint *p = sw_build_bulk_point(s->b, s->body, error);
            if (!p)
                return false;
            p->mass = weight[corner];
            p->p = point[corner];
            sw_fit_values(&fit, p->p, phi, NULL);
            for (int k = 0; k < c->nsite; k++)
                for (int a = 0; a < fit.n; a++)
                    p->weight[s->sites.item[c->first + k]] += phi[a] * mean[a * c->ncolumn + k];
        }
    }
    return true;
}
