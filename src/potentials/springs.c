// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Springs and cells first, each on its own; then every vertex gathers what its springs and cells do
// to it, and its row of the Hessian: no two threads write to one place.
#include "potentials/springs.h"
#include "potentials/potential.h"

enum {
    BLOCKS = 64,   // of springs in a chunk
    CELLS = 64,    // in a chunk
    VERTICES = 64, // in a chunk
    CORNERS = 8,   // of a cell, at most
    SPRING = 9,    // numbers kept of a spring: force, stiffness xx yy zz xy yz zx
    // and of a cell: how its measure changes with each vertex, F, and the first and second
    // derivative of its energy in that
    CELL_SLOPE = 0,
    CELL_F = 3 * CORNERS,
    CELL_FIRST = CELL_F + 9,
    CELL_SECOND,
    CELL
};
static const swReal rounding = 1e-4; // of lengths, as a share of that at rest
enum { NOW, LAST, BEFORE, TIMES };

typedef struct {
    const swBodyModel *model;
    const swSpringWork *work;
    const swSpringBody *net;
    const swReal *q[TIMES];
    swReal rate[TIMES]; // of damping
    bool hessian;
    swProjection projection;
    swSystem *out;
} swSpringJob;

static int block_count(const swSpringBody *net) { return (net->nspring + SW_LANES - 1) / SW_LANES; }
// Blocks of springs begin anew with every net.
static int first_block(const swBodyModel *m, const swSpringBody *net) {
    return net->spring / SW_LANES + (int)(net - m->spring_body);
}

bool sw_ring_create(swRing *ring, int64_t nnode, int64_t n, int width, const int *node,
                    size_t stride, swArena *arena, swError *error) {
    ring->start = SW_NEW(arena, nnode + 1, int, error);
    ring->item = SW_NEW(arena, n * width, int, error);
    if (!ring->start || !ring->item)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        // First the counts, one place late; then starts, which move to the ends and so to the
        // next node's start.
        for (int64_t i = 0; i < n; i++)
            for (int k = 0; k < width; k++) {
                const int at = node[(size_t)i * stride + (size_t)k];
                if (at < 0)
                    continue;
                if (pass == 0)
                    ring->start[at + 1]++;
                else
                    ring->item[ring->start[at]++] = (int)i * width + k;
            }
        if (pass == 0)
            for (int64_t i = 0; i < nnode; i++)
                ring->start[i + 1] += ring->start[i];
    }
    for (int64_t i = nnode; i > 0; i--)
        ring->start[i] = ring->start[i - 1];
    ring->start[0] = 0;
    return true;
}

static int pair_of(const swBodyModel *m, int i, int j) {
    const swNodePair *pair =
        sw_pair_find(m->pair, m->size.npair, sw_max_int(i, j), sw_min_int(i, j));
    SW_ASSERT(pair);
    return (int)(pair - m->pair);
}

static int corner_pair(int a, int b) { return a >= b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a; }
enum { CORNER_PAIRS = CORNERS * (CORNERS + 1) / 2 };

bool sw_springs_create(swSpringWork *w, const swBodyModel *m, swArena *arena, swError *error) {
    const int64_t nspring = m->size.nspring, ncell = m->size.nspring_cell,
                  nnet = m->size.nspring_body;
    if (nnet == 0)
        return true;
    const int64_t nblock = nspring / SW_LANES + nnet;
    _Static_assert(sizeof(swSpring) % sizeof(int) == 0 && sizeof(swSpringCell) % sizeof(int) == 0,
                   "their nodes come first");
    bool ok = (w->spring = SW_NEW(arena, nblock * SPRING * SW_LANES, swReal, error)) &&
              (w->cell = SW_NEW(arena, ncell * CELL, swReal, error)) &&
              (w->energy = SW_NEW(arena, nblock > ncell ? nblock : ncell, swReal, error)) &&
              (w->spring_pair = SW_NEW(arena, nspring, int, error)) &&
              (w->cell_pair = SW_NEW(arena, ncell * CORNER_PAIRS, int, error)) &&
              (w->diagonal = SW_NEW(arena, m->size.nnode, int, error)) &&
              sw_ring_create(&w->springs, m->size.nnode, nspring, 2, (const int *)m->spring,
                             sizeof *m->spring / sizeof(int), arena, error) &&
              sw_ring_create(&w->cells, m->size.nnode, ncell, CORNERS, (const int *)m->spring_cell,
                             sizeof *m->spring_cell / sizeof(int), arena, error);
    if (!ok)
        return false;
    for (int64_t i = 0; i < nspring; i++)
        w->spring_pair[i] = pair_of(m, m->spring[i].node[0], m->spring[i].node[1]);
    for (int64_t c = 0; c < ncell; c++)
        for (int a = 0; a < m->spring_cell[c].nnode; a++)
            for (int b = 0; b <= a; b++)
                w->cell_pair[c * CORNER_PAIRS + corner_pair(a, b)] =
                    pair_of(m, m->spring_cell[c].node[a], m->spring_cell[c].node[b]);
    for (int i = 0; i < m->size.nnode; i++)
        w->diagonal[i] = pair_of(m, i, i);
    return true;
}

static swVec3 place(const swBodyModel *m, const swReal *q, int node) {
    const swReal *x = q + m->node[node].q;
    return sw_v3(x[0], x[1], x[2]);
}

// ---- springs ----

// d = x_0 - x_1 of SW_LANES springs, from spring `first` of the model on; those past the last
// repeat it.
static void gather(const swSpringJob *job, const swReal *q, int first, swWide d[3]) {
    const int last = job->net->spring + job->net->nspring - 1;
    swReal lane[3][SW_LANES];
    for (int i = 0; i < SW_LANES; i++) {
        const swSpring *spring = &job->model->spring[sw_min_int(first + i, last)];
        const swVec3 e =
            sw_sub(place(job->model, q, spring->node[0]), place(job->model, q, spring->node[1]));
        lane[0][i] = e.x;
        lane[1][i] = e.y;
        lane[2][i] = e.z;
    }
    for (int r = 0; r < 3; r++)
        d[r] = sw_wide_load(lane[r]);
}

static swWide length(const swWide d[3], swWide round) {
    return sw_wide_sqrt(
        sw_wide_fma(d[0], d[0], sw_wide_fma(d[1], d[1], sw_wide_fma(d[2], d[2], round * round))));
}

// The eigenvalue as it is to be in a matrix that must have none below zero.
static swWide definite(swProjection projection, swWide x) {
    const swWide other = projection == SW_PROJECT_ABSOLUTE ? -x : sw_wide(0);
    return projection == SW_PROJECT_NONE ? x : sw_wide_select(SW_WIDE_MASK(x < 0.0), other, x);
}

static void pull_block(const swSpringJob *job, int block) {
    const int first = job->net->spring + block * SW_LANES,
              last = job->net->spring + job->net->nspring - 1;
    swReal lane[2][SW_LANES],
        *out = job->work->spring +
               (ptrdiff_t)(first_block(job->model, job->net) + block) * SPRING * SW_LANES;
    swWide d[3];
    for (int i = 0; i < SW_LANES; i++) {
        const swSpring *spring = &job->model->spring[sw_min_int(first + i, last)];
        lane[0][i] = spring->rest;
        lane[1][i] = first + i <= last ? spring->stiffness : 0;
    }
    const swWide rest = sw_wide_load(lane[0]), k = sw_wide_load(lane[1]), round = rounding * rest;
    gather(job, job->q[NOW], first, d);
    const swWide l = length(d, round);
    swWide more = l - rest * sqrt(1 + rounding * rounding), energy = more * more, f = more;
    for (int t = LAST; t < TIMES; t++)
        if (job->rate[t] != 0) {
            swWide e[3];
            gather(job, job->q[t], first, e);
            more = l - length(e, round);
            energy = energy + job->rate[t] * more * more;
            f = f + job->rate[t] * more;
        }
    job->work->energy[block] = 0.5 * sw_wide_sum(k * energy);
    // force f n, stiffness along n and across it, n = d / l
    const swWide inverse = 1.0 / l, across = definite(job->projection, k * f * inverse);
    for (int r = 0; r < 3; r++) {
        d[r] = d[r] * inverse;
        sw_wide_store(out + r * SW_LANES, k * f * d[r]);
    }
    if (!job->hessian)
        return;
    const swWide along = k * (1 + job->rate[LAST] + job->rate[BEFORE]) - across;
    for (int r = 0; r < 3; r++) {
        sw_wide_store(out + (3 + r) * SW_LANES, along * d[r] * d[r] + across);
        sw_wide_store(out + (6 + r) * SW_LANES, along * d[r] * d[(r + 1) % 3]);
    }
}

static void pull_lines(int start, int end, int worker, void *arg) {
    (void)worker;
    for (int i = start; i < end; i++)
        pull_block(arg, i);
}

// ---- cells ----

static swMat3 gradient(const swBodyModel *m, const swSpringCell *c, const swReal *q) {
    swMat3 F = {{0}};
    for (int k = 0; k < c->nnode; k++) {
        const swVec3 x = place(m, q, c->node[k]);
        for (int s = 0; s < 3; s++) {
            F.m[s] += x.x * c->slope[k][s];
            F.m[3 + s] += x.y * c->slope[k][s];
            F.m[6 + s] += x.z * c->slope[k][s];
        }
    }
    return F;
}

static swMat3 cofactor(swMat3 A) {
    const swReal *a = A.m;
    return (swMat3){
        {a[4] * a[8] - a[5] * a[7], a[5] * a[6] - a[3] * a[8], a[3] * a[7] - a[4] * a[6],
         a[2] * a[7] - a[1] * a[8], a[0] * a[8] - a[2] * a[6], a[1] * a[6] - a[0] * a[7],
         a[1] * a[5] - a[2] * a[4], a[2] * a[3] - a[0] * a[5], a[0] * a[4] - a[1] * a[3]}};
}

static swVec3 slope_of(const swSpringCell *c, int k) {
    return sw_v3(c->slope[k][0], c->slope[k][1], c->slope[k][2]);
}

static void swell_cell(const swSpringJob *job, int index) {
    const swBodyModel *m = job->model;
    const swSpringCell *c = &m->spring_cell[index];
    swReal *out = job->work->cell + (ptrdiff_t)index * CELL, energy, first, second = c->excess;
    const swMat3 F = gradient(m, c, job->q[NOW]);
    swMat3 slope; // of the measure in F
    if (c->excess > 0) {
        const swReal J = sw_mat_det(F);
        energy = (J - 1) * (J - 1);
        first = J - 1;
        for (int t = LAST; t < TIMES; t++)
            if (job->rate[t] != 0) {
                const swReal more = J - sw_mat_det(gradient(m, c, job->q[t]));
                energy += job->rate[t] * more * more;
                first += job->rate[t] * more;
            }
        slope = cofactor(F);
        second *= 1 + job->rate[LAST] + job->rate[BEFORE];
    } else {
        const swReal round = rounding * rounding;
        const swReal size = sqrt(sw_dot_n(9, F.m, F.m) + 3 * round);
        first = size * sqrt(3.0) - 3 * sqrt(1 + round);
        energy = first * first;
        for (int k = 0; k < 9; k++)
            slope.m[k] = F.m[k] * sqrt(3.0) / size;
    }
    job->work->energy[index - job->net->cell] = 0.5 * c->excess * energy;
    for (int k = 0; k < c->nnode; k++) {
        const swVec3 a = sw_mul(slope, slope_of(c, k));
        out[CELL_SLOPE + 3 * k] = a.x;
        out[CELL_SLOPE + 3 * k + 1] = a.y;
        out[CELL_SLOPE + 3 * k + 2] = a.z;
    }
    memcpy(out + CELL_F, F.m, sizeof F.m);
    out[CELL_FIRST] = c->excess * first;
    out[CELL_SECOND] = second;
}

static void swell_cells(int start, int end, int worker, void *arg) {
    const swSpringJob *job = arg;
    (void)worker;
    for (int i = start; i < end; i++)
        swell_cell(job, job->net->cell + i);
}

// Second derivatives in vertices a and b of a cell. Without its curvature where it must not be
// negative; all of it where the energy itself is.
static void cell_block(const swSpringJob *job, int index, int a, int b, swReal K[9]) {
    const swSpringCell *c = &job->model->spring_cell[index];
    const swReal *data = job->work->cell + (ptrdiff_t)index * CELL;
    const swReal *A = data + CELL_SLOPE + 3 * a, *B = data + CELL_SLOPE + 3 * b;
    const swReal first = data[CELL_FIRST];
    const swVec3 ga = slope_of(c, a), gb = slope_of(c, b);
    memset(K, 0, 9 * sizeof *K);
    if (job->projection != SW_PROJECT_NONE && c->excess < 0)
        return;
    for (int k = 0; k < 9; k++)
        K[k] = data[CELL_SECOND] * A[k / 3] * B[k % 3];
    if (job->projection != SW_PROJECT_NONE)
        return;
    if (c->excess > 0) { // u . K v += first w . (u x v)
        swMat3 F;
        memcpy(F.m, data + CELL_F, sizeof F.m);
        const swVec3 w = sw_scale(first, sw_mul(F, sw_cross(ga, gb)));
        K[1] += w.z;
        K[2] -= w.y;
        K[3] -= w.z;
        K[5] += w.x;
        K[6] += w.y;
        K[7] -= w.x;
    } else { // measure = sqrt(3) |F|: its second derivative is (3 I - slope slope^T) / measure
        const swReal size =
            sqrt(3 * sw_dot_n(9, data + CELL_F, data + CELL_F) + 9 * rounding * rounding);
        for (int k = 0; k < 9; k++)
            K[k] += first / size * ((k % 4 == 0 ? 3 * sw_dot(ga, gb) : 0) - A[k / 3] * B[k % 3]);
    }
}

// ---- vertices ----

// The 3 x 3 block of a pair, or NULL where one of its nodes has no unknowns.
static swReal *block_at(const swBlocks *H, int pair, int i, int j) {
    return sw_blocks_size(H, i) == 3 && sw_blocks_size(H, j) == 3 ? H->value + H->at[pair] : NULL;
}

// Spring `index` at node i: its force, and stiffness to the diagonal and to the pair with a node
// before i.
static void gather_line(const swSpringJob *job, int i, int index, int end, swReal *diagonal) {
    const swBodyModel *m = job->model;
    const swSpring *spring = &m->spring[index];
    const int lane = (index - job->net->spring) % SW_LANES,
              block = first_block(m, job->net) + (index - job->net->spring) / SW_LANES;
    const swReal *data = job->work->spring + (ptrdiff_t)block * SPRING * SW_LANES + lane,
                 sign = end == 0 ? 1 : -1;
    swReal *g = job->out->g + m->node[i].q;
    for (int r = 0; r < 3; r++)
        g[r] += sign * data[r * SW_LANES];
    if (!diagonal)
        return;
    static const int from[9] = {3, 6, 8, 6, 4, 7, 8, 7, 5};
    const int other = spring->node[1 - end];
    swReal *beside =
        other < i ? block_at(job->out->H, job->work->spring_pair[index], i, other) : NULL;
    for (int k = 0; k < 9; k++)
        diagonal[k] += data[from[k] * SW_LANES];
    for (int k = 0; k < 9 && beside; k++)
        beside[k] -= data[from[k] * SW_LANES];
}

static void gather_cell(const swSpringJob *job, int i, int index, int corner, swReal *diagonal) {
    const swBodyModel *m = job->model;
    const swSpringCell *c = &m->spring_cell[index];
    const swReal *data = job->work->cell + (ptrdiff_t)index * CELL;
    swReal *g = job->out->g + m->node[i].q, K[9];
    for (int r = 0; r < 3; r++)
        g[r] += data[CELL_FIRST] * data[CELL_SLOPE + 3 * corner + r];
    for (int b = 0; diagonal && b < c->nnode; b++) {
        const int pair = job->work->cell_pair[index * CORNER_PAIRS + corner_pair(corner, b)];
        swReal *to = b == corner      ? diagonal
                     : c->node[b] < i ? block_at(job->out->H, pair, i, c->node[b])
                                      : NULL;
        if (!to)
            continue;
        cell_block(job, index, corner, b, K);
        for (int k = 0; k < 9; k++)
            to[k] += K[k];
    }
}

static void gather_vertices(int start, int end, int worker, void *arg) {
    const swSpringJob *job = arg;
    const swSpringWork *w = job->work;
    (void)worker;
    for (int v = start; v < end; v++) {
        const int i = job->model->body[job->net->body].node + v;
        swReal *diagonal = job->hessian ? block_at(job->out->H, w->diagonal[i], i, i) : NULL;
        for (int k = w->springs.start[i]; k < w->springs.start[i + 1]; k++)
            gather_line(job, i, w->springs.item[k] / 2, w->springs.item[k] % 2, diagonal);
        for (int k = w->cells.start[i]; k < w->cells.start[i + 1]; k++)
            gather_cell(job, i, w->cells.item[k] / CORNERS, w->cells.item[k] % CORNERS, diagonal);
    }
}

static swReal energy_of(const swSpringJob *job, swPool *pool, int n, int grain, swTask *task) {
    swReal sum = 0;
    sw_parallel_for(pool, n, grain, task, (void *)job);
    for (int i = 0; i < n; i++)
        sum += job->work->energy[i];
    return sum;
}

void sw_springs_add(const swBodyModel *m, const swSpringWork *work, swPool *pool,
                    const swElasticInput *in, swSystem *out) {
    for (int64_t i = 0; i < m->size.nspring_body; i++) {
        const swSpringBody *net = &m->spring_body[i];
        const swBodyInfo *body = &m->body[net->body];
        const swRates rates = in->q_last ? sw_rates(body->damping_stiffness + in->damping, in->h,
                                                    in->q_before != NULL)
                                         : (swRates){0};
        swSpringJob job = {.model = m,
                           .work = work,
                           .net = net,
                           .q = {in->q, in->q_last, in->q_before},
                           .rate = {[LAST] = rates.last, [BEFORE] = rates.before},
                           .hessian = out->H != NULL,
                           .projection = out->projection,
                           .out = out};
        out->energy += energy_of(&job, pool, block_count(net), BLOCKS, pull_lines) +
                       energy_of(&job, pool, net->ncell, CELLS, swell_cells);
        if (out->g)
            sw_parallel_for(pool, body->nnode, VERTICES, gather_vertices, &job);
    }
}

// ---- in the table ----

static void add_term(const swTerm *t, swSystem *out) {
    if (t->elastic->springs.spring)
        sw_springs_add(t->m, &t->elastic->springs, t->s->pool, &t->in, out);
}

const swPotential sw_potential_springs = {
    .name = "springs", .energy = SW_ENERGY_ELASTIC, .add = add_term};
