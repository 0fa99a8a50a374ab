// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "forces/particles.h"

#include "forces/forces.h"
#include "kinematics/rigid.h"

#include <string.h>

enum { GRAIN = 256 };

// One body of particles. Gauss points, shape functions and vertices are those of the model.
typedef struct {
    const swModel *model;
    const swParticleWork *work;
    const swParticleInfo *info;
    int n;           // vertices
    int64_t vertex;  // first of them
    int q;           // where they begin in q
    const swReal *x; // what the gradient is taken of
    const swReal *last, *before;
    swRates rates;
    swReal scale;  // of the stiffness: 1, and what damping adds
    bool rest;     // strain is R^T F - 1, else R^T F
    swReal *force; // ambient, or NULL
} swParticleJob;

static swParticleJob job_of(const swModel *m, const swParticleWork *w, int i) {
    const swBodyInfo *body = &m->body[m->particle[i].body];
    return (swParticleJob){.model = m,
                           .work = w,
                           .info = &m->particle[i],
                           .n = body->net,
                           .vertex = sw_particle_vertex(m, i),
                           .q = m->node[body->node].q,
                           .scale = 1};
}

static int64_t vertex_count(const swModel *m) { return m->size.nparticle_turn - m->size.nparticle; }

// ---- memory ----

// Which shape functions each vertex has.
static void find_uses(const swModel *m, const swParticleWork *w, int i) {
    const swParticleInfo *p = &m->particle[i];
    int64_t *first = w->first + p->turn;
    const int n = m->body[p->body].net;
    const int64_t begin = p->ngauss > 0 ? m->gauss[p->gauss].first : 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t g = p->gauss; g < p->gauss + p->ngauss; g++)
            for (int64_t e = m->gauss[g].first; e < m->gauss[g].first + m->gauss[g].count; e++) {
                if (pass == 1)
                    w->use[first[m->gauss_node[e]]++] = (int)e;
                else
                    first[m->gauss_node[e] + 1]++;
                w->owner[e] = (int)(g - p->gauss);
            }
        if (pass == 0) {
            first[0] = begin;
            for (int v = 0; v < n; v++)
                first[v + 1] += first[v];
        } else { // ends have become beginnings of the next
            for (int v = n; v > 0; v--)
                first[v] = first[v - 1];
            first[0] = begin;
        }
    }
}

bool sw_particles_create(swParticleWork *w, const swModel *m, swArena *arena, swError *error) {
    const int64_t n = vertex_count(m);
    *w = (swParticleWork){.turn = SW_NEW(arena, 4 * n, swReal, error),
                          .R = SW_NEW(arena, m->size.ngauss, swMat3, error),
                          .P = SW_NEW(arena, m->size.ngauss, swMat3, error),
                          .chunk = SW_NEW(arena, (m->size.ngauss + n) / GRAIN + 1, swReal, error),
                          .first = SW_NEW(arena, m->size.nparticle_turn, int64_t, error),
                          .use = SW_NEW(arena, m->size.ngauss_shape, int, error),
                          .owner = SW_NEW(arena, m->size.ngauss_shape, int, error),
                          .handle = SW_NEW(arena, 4 * m->size.nhandle, swReal, error)};
    if (!w->turn || !w->R || !w->P || !w->chunk || !w->first || !w->use || !w->owner || !w->handle)
        return false;
    for (int i = 0; i < m->size.nparticle; i++)
        find_uses(m, w, i);
    sw_particles_unturn(m, w);
    return true;
}

// ---- rotations ----

void sw_particles_unturn(const swModel *m, const swParticleWork *w) {
    for (int64_t v = 0; v < vertex_count(m); v++)
        for (int k = 0; k < 4; k++)
            w->turn[4 * v + k] = k == 0;
    for (int64_t g = 0; g < m->size.ngauss; g++)
        w->R[g] = sw_mat_identity();
}

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

// Sets the quaternion of a vertex, with the sign that is nearer; how far it went.
static swReal set_turn(const swReal new[4], swReal turn[4]) {
    swReal near[4] = {0}, most = 0;
    add_turn(1, new, turn, near);
    for (int k = 0; k < 4; k++)
        most = sw_max(most, fabs(near[k] - turn[k]));
    memcpy(turn, near, sizeof near);
    return most;
}

static void diffuse(int start, int end, int worker, void *arg) {
    (void)worker;
    const swParticleJob *job = arg;
    const swModel *m = job->model;
    swReal most = 0;
    for (int v = start; v < end; v++) {
        const int64_t first = m->particle_turn[job->info->turn + v],
                      last = m->particle_turn[job->info->turn + v + 1];
        const swReal *to = job->work->handle + 4 * m->turn_share[first].handle;
        swReal sum[4] = {0};
        for (int64_t s = first; s < last; s++)
            add_turn(m->turn_share[s].weight, job->work->handle + 4 * m->turn_share[s].handle, to,
                     sum);
        make_unit(sum);
        most = sw_max(most, set_turn(sum, job->work->turn + 4 * (job->vertex + v)));
    }
    job->work->chunk[start / GRAIN] = most;
}

static swMat3 gradient_of(const swParticleJob *job, const swGaussPoint *g, const swReal *x) {
    const swModel *m = job->model;
    swMat3 F = {{0}};
    for (int64_t e = g->first; e < g->first + g->count; e++) {
        const swReal *at = x + job->q + 3 * m->gauss_node[e], *dN = m->gauss_shape + 4 * e + 1;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                F.m[3 * r + c] += at[r] * dN[c];
    }
    return F;
}

static void find_gradients(int start, int end, int worker, void *arg) {
    (void)worker;
    const swParticleJob *job = arg;
    for (int64_t g = job->info->gauss + start; g < job->info->gauss + end; g++) {
        const swReal volume = job->model->gauss[g].volume;
        swMat3 F = gradient_of(job, &job->model->gauss[g], job->x);
        for (int k = 0; k < 9; k++)
            job->work->P[g].m[k] = volume * F.m[k];
    }
}

static void decompose(int start, int end, int worker, void *arg) {
    (void)worker;
    const swParticleJob *job = arg;
    const swParticleWork *w = job->work;
    const int64_t *first = w->first + job->info->turn;
    swReal most = 0;
    for (int v = start; v < end; v++) {
        swMat3 sum = {{0}}, R, S;
        swReal turn[4];
        for (int64_t u = first[v]; u < first[v + 1]; u++) {
            const swReal weight = sw_max(job->model->gauss_shape[4 * (int64_t)w->use[u]], 0);
            const swMat3 *F = &w->P[job->info->gauss + w->owner[w->use[u]]];
            for (int k = 0; k < 9; k++)
                sum.m[k] += weight * F->m[k];
        }
        sw_mat_polar(sum, &R, &S);
        sw_quaternion_of(R, turn);
        most = sw_max(most, set_turn(turn, w->turn + 4 * (job->vertex + v)));
    }
    w->chunk[start / GRAIN] = most;
}

static swMat3 rotation_of(const swReal q[4]) {
    const swReal w = q[0], x = q[1], y = q[2], z = q[3];
    return (swMat3){{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                     2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

// Rotations of Gauss points, from those of vertices.
static void spread(int start, int end, int worker, void *arg) {
    (void)worker;
    const swParticleJob *job = arg;
    const swModel *m = job->model;
    const swReal *turn = job->work->turn + 4 * job->vertex;
    for (int64_t g = job->info->gauss + start; g < job->info->gauss + end; g++) {
        const swGaussPoint *point = &m->gauss[g];
        const swReal *to = turn + 4 * m->gauss_node[point->first];
        swReal sum[4] = {0};
        for (int64_t e = point->first; e < point->first + point->count; e++)
            add_turn(m->gauss_shape[4 * e], turn + 4 * m->gauss_node[e], to, sum);
        make_unit(sum);
        job->work->R[g] = rotation_of(sum);
    }
}

swReal sw_particles_turn(const swModel *m, const swParticleWork *w, swPool *pool,
                         const swReal *q) {
    swReal most = 0;
    for (int64_t i = 0; m->size.nparticle > 0 && i < m->size.nhandle; i++) {
        const swReal *A = q + m->node[m->handle[i].node].q;
        sw_quaternion_of(
            (swMat3){{A[1], A[2], A[3], A[5], A[6], A[7], A[9], A[10], A[11]}}, w->handle + 4 * i);
    }
    for (int i = 0; i < m->size.nparticle; i++) {
        swParticleJob job = job_of(m, w, i);
        job.x = q;
        if (job.info->rotations == SW_ROTATIONS_DIFFUSION)
            sw_parallel_for(pool, job.n, GRAIN, diffuse, &job);
        else {
            sw_parallel_for(pool, (int)job.info->ngauss, GRAIN, find_gradients, &job);
            sw_parallel_for(pool, job.n, GRAIN, decompose, &job);
        }
        for (int chunk = 0; chunk * GRAIN < job.n; chunk++)
            most = sw_max(most, w->chunk[chunk]);
        sw_parallel_for(pool, (int)job.info->ngauss, GRAIN, spread, &job);
    }
    return most;
}

// ---- energy and forces ----

// e := sym(R^T F), in the order xx yy zz xy yz zx.
static void strain_of(const swMat3 *R, const swMat3 *F, swReal e[6]) {
    static const int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    for (int k = 0; k < 6; k++) {
        const int a = row[k], b = column[k];
        e[k] = 0.5 * (R->m[a] * F->m[b] + R->m[3 + a] * F->m[3 + b] + R->m[6 + a] * F->m[6 + b] +
                      R->m[b] * F->m[a] + R->m[3 + b] * F->m[3 + a] + R->m[6 + b] * F->m[6 + a]);
    }
}

// Adds weight times the stress of a strain; returns the energy, times the weight as well.
static swReal stress_of(const swGaussPoint *g, const swReal e[6], swReal weight, swReal s[6]) {
    const swReal trace = e[0] + e[1] + e[2];
    swReal square = 0;
    for (int k = 0; k < 6; k++) {
        s[k] += weight * (2 * g->mu * e[k] + (k < 3 ? g->lambda * trace : 0));
        square += (k < 3 ? 1 : 2) * e[k] * e[k];
    }
    return weight * (g->mu * square + 0.5 * g->lambda * trace * trace);
}

static void evaluate(int start, int end, int worker, void *arg) {
    (void)worker;
    const swParticleJob *job = arg;
    swReal energy = 0;
    for (int64_t i = job->info->gauss + start; i < job->info->gauss + end; i++) {
        const swGaussPoint *g = &job->model->gauss[i];
        const swMat3 *R = &job->work->R[i], F = gradient_of(job, g, job->x);
        swReal e[6], s[6] = {0}, own = 0;
        strain_of(R, &F, e);
        for (int k = 0; k < 3 && job->rest; k++)
            e[k] -= 1;
        own += stress_of(g, e, job->rest ? 1 : job->scale, s);
        for (int past = 0; past < 2; past++) {
            const swReal *x = past == 0 ? job->last : job->before,
                         rate = past == 0 ? job->rates.last : job->rates.before;
            if (!x || rate == 0)
                continue;
            swMat3 D = gradient_of(job, g, x);
            for (int k = 0; k < 9; k++)
                D.m[k] = F.m[k] - D.m[k];
            strain_of(R, &D, e);
            own += stress_of(g, e, rate, s);
        }
        energy += g->volume * own;
        const swReal V = g->volume;
        const swMat3 S = {{V * s[0], V * s[3], V * s[5], V * s[3], V * s[1], V * s[4], V * s[5],
                           V * s[4], V * s[2]}};
        if (job->force)
            job->work->P[i] = sw_mat_mul(*R, S);
    }
    job->work->chunk[start / GRAIN] = energy;
}

// f_I += sum of P g_I
static void gather(int start, int end, int worker, void *arg) {
    (void)worker;
    const swParticleJob *job = arg;
    const swParticleWork *w = job->work;
    const int64_t *first = w->first + job->info->turn;
    for (int v = start; v < end; v++) {
        swReal f[3] = {0};
        for (int64_t u = first[v]; u < first[v + 1]; u++) {
            const int e = w->use[u];
            const swReal *dN = job->model->gauss_shape + 4 * (int64_t)e + 1,
                         *P = w->P[job->info->gauss + w->owner[e]].m;
            for (int r = 0; r < 3; r++)
                f[r] += P[3 * r] * dN[0] + P[3 * r + 1] * dN[1] + P[3 * r + 2] * dN[2];
        }
        for (int r = 0; r < 3; r++)
            job->force[job->q + 3 * v + r] += f[r];
    }
}

// R k_IJ R^T = V (lambda a b^T + mu b a^T + mu (a . b) 1), a = R g_I, b = R g_J
static void add_stiffness(const swParticleJob *job, const swBlocks *H) {
    const swModel *m = job->model;
    const int node = m->body[job->info->body].node;
    for (int64_t i = job->info->gauss; i < job->info->gauss + job->info->ngauss; i++) {
        const swGaussPoint *g = &m->gauss[i];
        const swReal mu = job->scale * g->volume * g->mu,
                     lambda = job->scale * g->volume * g->lambda;
        for (int64_t x = g->first; x < g->first + g->count; x++)
            for (int64_t y = g->first; y < g->first + g->count; y++) {
                const int I = node + m->gauss_node[x], J = node + m->gauss_node[y];
                if (J > I || m->node[I].u < 0 || m->node[J].u < 0)
                    continue;
                const swReal *gx = m->gauss_shape + 4 * x + 1, *gy = m->gauss_shape + 4 * y + 1;
                const swVec3 a = sw_mul(job->work->R[i], sw_v3(gx[0], gx[1], gx[2])),
                             b = sw_mul(job->work->R[i], sw_v3(gy[0], gy[1], gy[2]));
                const swReal dot = mu * sw_dot(a, b);
                const swBlock block = sw_blocks_get(H, I, J);
                for (int r = 0; r < 3; r++)
                    for (int c = 0; c < 3; c++)
                        block.data[r * block.stride + c] += lambda * sw_get(a, r) * sw_get(b, c) +
                                                            mu * sw_get(b, r) * sw_get(a, c) +
                                                            (r == c ? dot : 0);
            }
    }
}

static swReal run(swParticleJob *job, swPool *pool) {
    swReal energy = 0;
    sw_parallel_for(pool, (int)job->info->ngauss, GRAIN, evaluate, job);
    for (int chunk = 0; chunk * GRAIN < job->info->ngauss; chunk++)
        energy += job->work->chunk[chunk];
    if (job->force)
        sw_parallel_for(pool, job->n, GRAIN, gather, job);
    return energy;
}

void sw_particles_add(const swModel *m, const swParticleWork *w, swPool *pool,
                      const swElasticInput *input, swSystem *out) {
    for (int i = 0; i < m->size.nparticle; i++) {
        swParticleJob job = job_of(m, w, i);
        const swReal damping = m->body[job.info->body].damping_stiffness + input->damping;
        job.x = input->q;
        job.rest = true;
        job.force = out->g;
        if (input->q_last && damping > 0) {
            job.last = input->q_last;
            job.before = input->q_before;
            job.rates = sw_rates(damping, input->h, input->q_before != NULL);
            job.scale += job.rates.last + job.rates.before;
        }
        out->energy += run(&job, pool);
        if (out->H)
            add_stiffness(&job, out->H);
    }
}

void sw_particles_multiply(const swModel *m, const swParticleWork *w, swPool *pool, swReal factor,
                           const swReal *x, swReal *y) {
    for (int i = 0; i < m->size.nparticle; i++) {
        swParticleJob job = job_of(m, w, i);
        job.x = x;
        job.force = y;
        job.scale = factor;
        run(&job, pool);
    }
}
