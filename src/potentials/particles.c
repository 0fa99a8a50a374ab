// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/particles.h"

#include "core/simd.h"
#include "kinematics/rigid.h"
#include "potentials/potential.h"

#include <string.h>

// Gauss points are shared out to so many slabs, whatever the number of threads: each has its own
// sums over vertices, which are added in their order.
enum { SLABS = 8, GRAIN = 256, FORCE = 4 }; // FORCE: numbers of a force, one of them spare

// One body of particles. Gauss points, shape functions and vertices are those of the model.
typedef struct {
    const swBodyModel *model;
    const swParticleWork *work;
    const swParticleInfo *info;
    int n;           // vertices
    int64_t vertex;  // first of them
    int q;           // where they begin in q
    const swReal *x; // what the gradient is taken of
    const swReal *last, *before;
    swRates rates;
    swReal scale;       // of the stiffness: 1, and what damping adds
    bool rest;          // strain is R^T F - 1, else R^T F
    bool aligned;       // quaternions of all vertices are on one side
    int size;           // numbers that a slab sums up for each vertex; 0: none
    swReal part[SLABS]; // of the energy, or what is largest
} swParticleJob;

static swParticleJob job_of(const swBodyModel *m, const swParticleWork *w, int i) {
    const swBodyInfo *body = &m->body[m->particle[i].body];
    return (swParticleJob){.model = m,
                           .work = w,
                           .info = &m->particle[i],
                           .n = body->net,
                           .vertex = sw_particle_vertex(m, i),
                           .q = m->node[body->node].q,
                           .scale = 1};
}

// ---- memory ----

static void unturn(const swBodyModel *m, const swParticleWork *w) {
    for (int64_t v = 0; v < sw_particle_count(m); v++)
        for (int k = 0; k < 4; k++)
            w->turn[4 * v + k] = k == 0;
    for (int64_t g = 0; g < m->size.ngauss; g++)
        w->Rt[g] = sw_mat_identity();
}

bool sw_particles_create(swParticleWork *w, const swBodyModel *m, swArena *arena, swError *error) {
    const int64_t n = sw_particle_count(m);
    int64_t most = 0; // numbers of a slab
    for (int i = 0; i < m->size.nparticle; i++) {
        const bool polar = m->particle[i].rotations == SW_ROTATIONS_POLAR;
        const int64_t size = (polar ? 9 : FORCE) * (int64_t)m->body[m->particle[i].body].net;
        most = size > most ? size : most;
    }
    *w = (swParticleWork){.turn = SW_NEW(arena, 4 * n, swReal, error),
                          .Rt = SW_NEW(arena, m->size.ngauss + 1, swMat3, error),
                          .slab = SW_NEW(arena, SLABS * most, swReal, error),
                          .handle = SW_NEW(arena, 4 * m->size.nhandle, swReal, error),
                          .memory = SW_NEW(arena, 1, swParticleMemory, error)};
    if (!w->turn || !w->Rt || !w->slab || !w->handle || !w->memory)
        return false;
    w->memory->x = SW_NEW(arena, 3 * n, swReal, error);
    w->memory->force = SW_NEW(arena, 3 * n, swReal, error);
    if (!w->memory->x || !w->memory->force)
        return false;
    unturn(m, w);
    return true;
}

// ---- rotations ----

// Adds a quaternion or its negative, whichever is nearer to `to`.
static void add_turn(swReal weight, const swReal turn[4], const swReal to[4], swReal sum[4]) {
    const swReal along = turn[0] * to[0] + turn[1] * to[1] + turn[2] * to[2] + turn[3] * to[3];
    for (int k = 0; k < 4; k++)
        sum[k] += (along < 0 ? -weight : weight) * turn[k];
}

// The identity where quaternions have cancelled.
static void make_unit(swReal q[4]) {
    const swReal size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        q[k] = size > 1e-12 ? q[k] / size : k == 0;
}

// Sets the quaternion of a vertex, with the sign that is nearer.
static void set_turn(const swParticleJob *job, int v, const swReal new[4]) {
    swReal *turn = job->work->turn + 4 * (job->vertex + v), near[4] = {0};
    add_turn(1, new, turn, near);
    memcpy(turn, near, sizeof near);
}

static void diffuse(int start, int end, int worker, void *arg) {
    (void)worker;
    const swParticleJob *job = arg;
    const swBodyModel *m = job->model;
    for (int v = start; v < end; v++) {
        const int64_t first = m->particle_turn[job->info->turn + v],
                      last = m->particle_turn[job->info->turn + v + 1];
        const swReal *to = job->work->handle + 4 * m->turn_share[first].handle;
        swReal sum[4] = {0};
        for (int64_t s = first; s < last; s++)
            add_turn(m->turn_share[s].weight, job->work->handle + 4 * m->turn_share[s].handle, to,
                     sum);
        make_unit(sum);
        set_turn(job, v, sum);
    }
}

// ---- slabs ----

// The first Gauss point of a slab.
static int64_t first_of(const swParticleJob *job, int slab) {
    return job->info->gauss + job->info->ngauss * slab / SLABS;
}

static swReal *slab_of(const swParticleJob *job, int slab) {
    return job->work->slab + (int64_t)slab * job->size * job->n;
}

static swReal *clear_slab(const swParticleJob *job, int slab) {
    swReal *sum = slab_of(job, slab);
    memset(sum, 0, (size_t)job->size * (size_t)job->n * sizeof *sum);
    return sum;
}

static void add_slabs(const swParticleJob *job, int vertex, swReal *out) {
    for (int k = 0; k < job->size; k++) {
        out[k] = 0;
        for (int slab = 0; slab < SLABS; slab++)
            out[k] += slab_of(job, slab)[job->size * vertex + k];
    }
}

// Rows: the mean of a component of x, and its gradient.
static inline void gather(const swParticleJob *job, const swGaussPoint *g, const swReal *x,
                          swQuad F[3]) {
    const int *node = job->model->gauss_node + g->first;
    const swReal *N = job->model->gauss_shape + 4 * g->first;
    swQuad a[3] = {0}, b[3] = {0}; // two sums in turn: each must wait for its own last one
    x += job->q;
    for (int e = 0; e + 1 < g->count; e += 2) {
        const swReal *at = x + 3 * (ptrdiff_t)node[e], *then = x + 3 * (ptrdiff_t)node[e + 1];
        const swQuad shape = sw_quad_load(N + 4 * (ptrdiff_t)e),
                     next = sw_quad_load(N + 4 * (ptrdiff_t)e + 4);
        for (int r = 0; r < 3; r++) {
            a[r] = sw_quad_fma(at[r], shape, a[r]);
            b[r] = sw_quad_fma(then[r], next, b[r]);
        }
    }
    for (int e = g->count & ~1; e < g->count; e++)
        for (int r = 0; r < 3; r++)
            a[r] = sw_quad_fma(x[3 * (ptrdiff_t)node[e] + r], sw_quad_load(N + 4 * (ptrdiff_t)e),
                               a[r]);
    for (int r = 0; r < 3; r++)
        F[r] = sw_quad_fma(1, a[r], b[r]);
}

// G := R^T F, from rows as gather() has them
static swMat3 turn_back(const swReal *Rt, const swQuad F[3]) {
    swMat3 G;
    for (int r = 0; r < 3; r++) {
        swReal row[4];
        swQuad sum = {0};
        for (int k = 0; k < 3; k++)
            sum = sw_quad_fma(Rt[3 * r + k], F[k], sum);
        sw_quad_store(row, sum);
        memcpy(G.m + 3 * r, row + 1, 3 * sizeof *row);
    }
    return G;
}

// Mean gradients around vertices, times a volume.
static void find_means(int slab, int end, int worker, void *arg) {
    (void)end;
    (void)worker;
    const swParticleJob *job = arg;
    const swBodyModel *m = job->model;
    swReal *mean = clear_slab(job, slab);
    for (int64_t i = first_of(job, slab); i < first_of(job, slab + 1); i++) {
        const swGaussPoint *g = &m->gauss[i];
        swQuad rows[3];
        gather(job, g, job->x, rows);
        const swMat3 F = turn_back(sw_mat_identity().m, rows);
        for (int64_t e = g->first; e < g->first + g->count; e++)
            for (int k = 0; k < 9; k++)
                mean[9 * m->gauss_node[e] + k] +=
                    g->volume * sw_max(m->gauss_shape[4 * e], 0) * F.m[k];
    }
}

static void decompose(int start, int end, int worker, void *arg) {
    (void)worker;
    swParticleJob *job = arg;
    for (int v = start; v < end; v++) {
        swMat3 sum, R, S;
        swReal turn[4];
        add_slabs(job, v, sum.m);
        sw_mat_polar(sum, &R, &S);
        sw_quaternion_of(R, turn);
        set_turn(job, v, turn);
    }
}

// Whether the quaternions of any two vertices are less than a right angle apart, as they are of
// those that are all near the first.
static bool are_aligned(const swParticleJob *job) {
    const swReal *turn = job->work->turn + 4 * job->vertex;
    bool all = true;
    for (int v = 1; v < job->n && all; v++)
        all = sw_dot_n(4, turn, turn + 4 * (ptrdiff_t)v) > 0.75; // more than cos 45 degrees
    return all;
}

// The mean of quaternions of vertices at a Gauss point, not of unit length.
static void average(const swParticleJob *job, const swGaussPoint *g, swReal sum[4]) {
    const swReal *turn = job->work->turn + 4 * job->vertex,
                 *N = job->model->gauss_shape + 4 * g->first;
    const int *node = job->model->gauss_node + g->first;
    if (job->aligned) {
        swQuad mean = {0};
        for (int e = 0; e < g->count; e++)
            mean =
                sw_quad_fma(N[4 * (ptrdiff_t)e], sw_quad_load(turn + 4 * (ptrdiff_t)node[e]), mean);
        sw_quad_store(sum, mean);
        return;
    }
    for (int e = 0; e < g->count; e++)
        add_turn(N[4 * (ptrdiff_t)e], turn + 4 * (ptrdiff_t)node[e], turn + 4 * (ptrdiff_t)node[0],
                 sum);
}

// F = R S at a Gauss point.
static void decompose_at(const swParticleJob *job, const swGaussPoint *g, swMat3 *R, swMat3 *S) {
    swQuad rows[3];
    gather(job, g, job->x, rows);
    sw_mat_polar(turn_back(sw_mat_identity().m, rows), R, S);
}

static swMat3 rotation_at(const swParticleJob *job, const swGaussPoint *g) {
    swReal sum[4] = {0};
    swMat3 R, S;
    if (job->info->rotations == SW_ROTATIONS_POLAR) {
        decompose_at(job, g, &R, &S);
        return R;
    }
    average(job, g, sum);
    make_unit(sum);
    return sw_quaternion_rotation(sum);
}

// Rotations of Gauss points.
static void spread(int slab, int end, int worker, void *arg) {
    (void)end;
    (void)worker;
    swParticleJob *job = arg;
    const swBodyModel *m = job->model;
    swReal most = 0;
    for (int64_t g = first_of(job, slab); g < first_of(job, slab + 1); g++) {
        const swMat3 Rt = sw_mat_t(rotation_at(job, &m->gauss[g]));
        for (int k = 0; k < 9; k++)
            most = sw_max(most, fabs(Rt.m[k] - job->work->Rt[g].m[k]));
        job->work->Rt[g] = Rt;
    }
    job->part[slab] = most;
}

// Rotations of a body at q; returns how far they went.
static swReal turn_body(const swBodyModel *m, const swParticleWork *w, swPool *pool,
                        const swReal *q, int i) {
    swParticleJob job = job_of(m, w, i);
    swReal most = 0;
    job.x = q;
    w->memory->known = false;
    if (job.info->rotations == SW_ROTATIONS_DIFFUSION)
        sw_parallel_for(pool, job.n, GRAIN, diffuse, &job);
    else {
        job.size = 9;
        sw_parallel_for(pool, SLABS, 1, find_means, &job);
        sw_parallel_for(pool, job.n, GRAIN, decompose, &job);
    }
    job.aligned = are_aligned(&job);
    sw_parallel_for(pool, SLABS, 1, spread, &job);
    for (int slab = 0; slab < SLABS; slab++)
        most = sw_max(most, job.part[slab]);
    return most;
}

swReal sw_particles_turn(const swBodyModel *m, const swParticleWork *w, swPool *pool,
                         const swReal *q) {
    bool turned = false;
    swReal most = 0;
    if (m->size.nparticle > 0 && w->memory->rate > 0) // it was that of another step
        w->memory->known = false;
    for (int64_t i = 0; m->size.nparticle > 0 && i < m->size.nhandle; i++) {
        const swReal *A = q + m->node[m->handle[i].node].q;
        swReal now[4];
        sw_quaternion_of((swMat3){{A[1], A[2], A[3], A[5], A[6], A[7], A[9], A[10], A[11]}}, now);
        turned = turned || memcmp(now, w->handle + 4 * i, sizeof now) != 0;
        memcpy(w->handle + 4 * i, now, sizeof now);
    }
    for (int i = 0; i < m->size.nparticle; i++)
        if (turned || m->particle[i].rotations != SW_ROTATIONS_DIFFUSION)
            most = sw_max(most, turn_body(m, w, pool, q, i));
    return most;
}

void sw_particles_follow(const swBodyModel *m, const swParticleWork *w, bool follow) {
    bool polar = false;
    for (int64_t i = 0; i < m->size.nparticle; i++)
        polar = polar || m->particle[i].rotations == SW_ROTATIONS_POLAR;
    if (polar)
        w->memory->follow = follow;
}

// ---- energy and forces ----

// Adds weight times the stress of a strain G, of which the symmetric part is that of the material
// and the rest that of being held; returns the energy, times the weight as well.
static inline swReal stress_of(const swGaussPoint *g, const swMat3 *G, swReal weight, swMat3 *S) {
    const swReal *a = G->m, near = weight * (g->mu + g->hold), far = weight * (g->mu - g->hold),
                 pressure = weight * g->lambda * (a[0] + a[4] + a[8]);
    const swMat3 more = {
        {(near + far) * a[0] + pressure, near * a[1] + far * a[3], near * a[2] + far * a[6],
         near * a[3] + far * a[1], (near + far) * a[4] + pressure, near * a[5] + far * a[7],
         near * a[6] + far * a[2], near * a[7] + far * a[5], (near + far) * a[8] + pressure}};
    for (int k = 0; k < 9; k++)
        S->m[k] += more.m[k];
    return 0.5 * sw_dot_n(9, more.m, a);
}

// Columns of the stress times volume, each with a spare number, and energy, at a Gauss point.
static swReal evaluate_point(const swParticleJob *job, int64_t i, swQuad P[3]) {
    const swGaussPoint *g = &job->model->gauss[i];
    const swReal *Rt = job->work->Rt[i].m;
    swQuad F[3], D[3];
    gather(job, g, job->x, F);
    swMat3 S = {{0}}, G = turn_back(Rt, F);
    for (int k = 0; k < 9 && job->rest; k += 4)
        G.m[k] -= 1;
    swReal energy = stress_of(g, &G, job->rest ? 1 : job->scale, &S);
    for (int past = 0; past < 2; past++) {
        const swReal *x = past == 0 ? job->last : job->before,
                     rate = past == 0 ? job->rates.last : job->rates.before;
        if (!x || rate == 0)
            continue;
        gather(job, g, x, D);
        for (int r = 0; r < 3; r++)
            D[r] = sw_quad_fma(-1, D[r], F[r]);
        G = turn_back(Rt, D);
        energy += stress_of(g, &G, rate, &S);
    }
    for (int c = 0; c < 3; c++) { // the spare number is part of the next row of R^T
        P[c] = (swQuad){0};
        for (int k = 0; k < 3; k++)
            P[c] = sw_quad_fma(g->volume * S.m[3 * k + c], sw_quad_load(Rt + 3 * k), P[c]);
    }
    return g->volume * energy;
}

// f_I += P g_I
static void evaluate(int slab, int end, int worker, void *arg) {
    (void)end;
    (void)worker;
    swParticleJob *job = arg;
    const swBodyModel *m = job->model;
    swReal *force = clear_slab(job, slab), energy = 0;
    for (int64_t i = first_of(job, slab); i < first_of(job, slab + 1); i++) {
        const swGaussPoint *g = &m->gauss[i];
        const int *node = m->gauss_node + g->first;
        const swReal *N = m->gauss_shape + 4 * g->first;
        const int count = job->size > 0 ? g->count : 0;
        swQuad P[3];
        energy += evaluate_point(job, i, P);
        for (int e = 0; e < count; e++) {
            swReal *f = force + FORCE * (ptrdiff_t)node[e];
            swQuad sum = sw_quad_load(f);
            for (int c = 0; c < 3; c++)
                sum = sw_quad_fma(N[4 * (ptrdiff_t)e + 1 + c], P[c], sum);
            sw_quad_store(f, sum);
        }
    }
    job->part[slab] = energy;
}

// How the rotation of F adds to the stiffness: V R (mu + b D^-1) R^T.
static swMat3 spin_stiffness(const swParticleJob *job, const swGaussPoint *g) {
    static const swReal least = 1e-6; // of what two stretches sum up to: beyond, R may be anything
    swMat3 R, S, V;
    swVec3 s;
    decompose_at(job, g, &R, &S);
    sw_mat_eigen(S, &s, &V);
    V = sw_mat_mul(R, V);
    const swReal all = s.x + s.y + s.z, b = g->lambda * (all - 3) - 2 * g->mu;
    swReal d[3];
    for (int k = 0; k < 3; k++)
        d[k] = g->volume * (g->mu + b / sw_max(all - sw_get(s, k), least));
    return sw_mat_mul(V, sw_mat_mul(sw_mat_diag(d[0], d[1], d[2]), sw_mat_t(V)));
}

// [a]x^T T [b]x
static void add_spin(const swMat3 *T, swVec3 a, swVec3 b, swBlock block) {
    const swMat3 A = {{0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0}},
                 B = {{0, -b.z, b.y, b.z, 0, -b.x, -b.y, b.x, 0}},
                 all = sw_mat_mul(sw_mat_t(A), sw_mat_mul(*T, B));
    for (int k = 0; k < 9; k++)
        block.data[k / 3 * block.stride + k % 3] += all.m[k];
}

// R k_IJ R^T = V (lambda a b^T + (mu - c) b a^T + (mu + c) (a . b) 1), a = R g_I, b = R g_J; and
// [a]x^T T [b]x where R follows F.
static void add_stiffness(const swParticleJob *job, bool turned, bool exact, const swBlocks *H) {
    const swBodyModel *m = job->model;
    const int node = m->body[job->info->body].node;
    for (int64_t i = job->info->gauss; i < job->info->gauss + job->info->ngauss; i++) {
        const swGaussPoint *g = &m->gauss[i];
        const swMat3 R = turned ? sw_mat_t(job->work->Rt[i]) : sw_mat_identity();
        const swReal mu = job->scale * g->volume * g->mu, hold = job->scale * g->volume * g->hold,
                     lambda = job->scale * g->volume * g->lambda;
        const swMat3 T = exact ? spin_stiffness(job, g) : (swMat3){{0}};
        for (int64_t x = g->first; x < g->first + g->count; x++)
            for (int64_t y = g->first; y < g->first + g->count; y++) {
                const int I = node + m->gauss_node[x], J = node + m->gauss_node[y];
                if (J > I || m->node[I].u < 0 || m->node[J].u < 0)
                    continue;
                const swReal *gx = m->gauss_shape + 4 * x + 1, *gy = m->gauss_shape + 4 * y + 1;
                const swVec3 a = sw_mul(R, sw_v3(gx[0], gx[1], gx[2])),
                             b = sw_mul(R, sw_v3(gy[0], gy[1], gy[2]));
                const swReal dot = (mu + hold) * sw_dot(a, b);
                const swBlock block = sw_blocks_get(H, I, J);
                for (int r = 0; r < 3; r++)
                    for (int c = 0; c < 3; c++)
                        block.data[r * block.stride + c] +=
                            lambda * sw_get(a, r) * sw_get(b, c) +
                            (mu - hold) * sw_get(b, r) * sw_get(a, c) + (r == c ? dot : 0);
                if (exact)
                    add_spin(&T, a, b, block);
            }
    }
}

// Returns the energy, and sets the force on every vertex where it is asked for.
static swReal run(swParticleJob *job, swPool *pool, swReal *force) {
    swReal energy = 0;
    job->size = force ? FORCE : 0;
    sw_parallel_for(pool, SLABS, 1, evaluate, job);
    for (int slab = 0; slab < SLABS; slab++)
        energy += job->part[slab];
    for (int v = 0; force && v < job->n; v++) {
        swReal f[FORCE];
        add_slabs(job, v, f);
        memcpy(force + 3 * (ptrdiff_t)v, f, 3 * sizeof *f);
    }
    return energy;
}

static swReal damping_of(const swBodyModel *m, const swParticleInfo *info,
                         const swElasticInput *input) {
    return input->q_last ? m->body[info->body].damping_stiffness + input->damping : 0;
}

static void set_damping(const swElasticInput *input, swParticleJob *job) {
    const swReal damping = damping_of(job->model, job->info, input);
    if (!(damping > 0))
        return;
    job->last = input->q_last;
    job->before = input->q_before;
    job->rates = sw_rates(damping, input->h, input->q_before != NULL);
    job->scale += job->rates.last + job->rates.before;
}

swReal sw_particles_scale(const swBodyModel *m, const swParticleInfo *info,
                          const swElasticInput *input) {
    swParticleJob job = {.model = m, .info = info, .scale = 1};
    set_damping(input, &job);
    return job.scale;
}

// ---- what is remembered ----

static bool is_known(const swBodyModel *m, const swParticleMemory *memory,
                     const swElasticInput *input, swReal rate) {
    bool same = memory->known && memory->rate == rate;
    for (int i = 0; same && i < m->size.nparticle; i++) {
        const swBodyInfo *body = &m->body[m->particle[i].body];
        same = memcmp(memory->x + 3 * sw_particle_vertex(m, i), input->q + m->node[body->node].q,
                      3 * (size_t)body->net * sizeof *memory->x) == 0;
    }
    return same;
}

void sw_particles_advance(const swBodyModel *m, const swParticleWork *w, const swReal *step,
                          const swReal *change) {
    swParticleMemory *memory = w->memory;
    for (int64_t i = 0; i < 3 * sw_particle_count(m); i++) {
        memory->energy += step[i] * (memory->force[i] + 0.5 * change[i]);
        memory->force[i] += change[i];
        memory->x[i] += step[i];
    }
}

// Energy and forces at input->q into the memory.
static void remember(const swBodyModel *m, const swParticleWork *w, swPool *pool,
                     const swElasticInput *input, swReal rate) {
    swParticleMemory *memory = w->memory;
    for (int i = 0; memory->follow && i < m->size.nparticle; i++)
        if (m->particle[i].rotations == SW_ROTATIONS_POLAR)
            turn_body(m, w, pool, input->q, i);
    memory->energy = 0;
    memory->rate = rate;
    memory->known = true;
    for (int i = 0; i < m->size.nparticle; i++) {
        swParticleJob job = job_of(m, w, i);
        job.x = input->q;
        job.rest = true;
        set_damping(input, &job);
        memory->energy += run(&job, pool, memory->force + 3 * job.vertex);
        memcpy(memory->x + 3 * job.vertex, input->q + job.q, 3 * (size_t)job.n * sizeof *memory->x);
    }
}

void sw_particles_add(const swBodyModel *m, const swParticleWork *w, swPool *pool,
                      const swElasticInput *input, swSystem *out) {
    const swParticleMemory *memory = w->memory;
    swReal rate = 0;
    for (int i = 0; i < m->size.nparticle; i++)
        rate += damping_of(m, &m->particle[i], input);
    if (!is_known(m, memory, input, rate))
        remember(m, w, pool, input, rate);
    out->energy += memory->energy;
    for (int i = 0; i < m->size.nparticle; i++) {
        swParticleJob job = job_of(m, w, i);
        for (int k = 0; out->g && k < 3 * job.n; k++)
            out->g[job.q + k] += memory->force[3 * job.vertex + k];
        set_damping(input, &job);
        job.x = input->q;
        if (out->H)
            add_stiffness(&job, true,
                          memory->follow && job.info->rotations == SW_ROTATIONS_POLAR &&
                              !out->gauss_newton,
                          out->H);
    }
}

void sw_particles_stiffness(const swBodyModel *m, const swParticleWork *w,
                            const swElasticInput *input, const swBlocks *H) {
    for (int i = 0; i < m->size.nparticle; i++) {
        swParticleJob job = job_of(m, w, i);
        set_damping(input, &job);
        add_stiffness(&job, false, false, H);
    }
}

void sw_particles_multiply(const swBodyModel *m, const swParticleWork *w, swPool *pool,
                           const swElasticInput *input, const swReal *x, swReal *y) {
    for (int i = 0; i < m->size.nparticle; i++) {
        swParticleJob job = job_of(m, w, i);
        set_damping(input, &job);
        job.last = job.before = NULL; // in the scale
        job.x = x;
        run(&job, pool, y + job.q);
    }
}

// ---- in the table ----

static void add_term(const swTerm *t, swSystem *out) {
    if (t->elastic->particles.turn)
        sw_particles_add(t->m, &t->elastic->particles, t->s->pool, &t->in, out);
}

const swPotential sw_potential_particles = {
    .name = "particles", .energy = SW_ENERGY_ELASTIC, .add = add_term};
