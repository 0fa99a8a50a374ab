// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "solve/warped.h"

#include "kinematics/rigid.h"
#include "solve/work.h"

#include <string.h>

enum { MOST = 2000 };
// Of the way from where inertia leads: what may be left of it, by a bound that is about twice as
// much; of the first residual: where single precision ends.
static const swReal nearly = 2e-3, least = 1e-6;

bool sw_warped_alone(const swBodyModel *m) {
    int64_t count = 0;
    for (int64_t i = 0; i < m->size.nparticle; i++) {
        const swBodyInfo *b = &m->body[m->particle[i].body];
        for (int v = b->node; v < b->node + b->net; v++)
            count += m->node[v].ndof;
    }
    return count == m->size.ndof && count == m->size.nu && count > 0 && m->size.nmuscle == 0;
}

bool sw_warped_create(swWarped *w, const swBodyModel *m, const swBlocks *A, swArena *arena,
                      swError *error) {
    const size_t nq = (size_t)m->size.nq, ndof = (size_t)m->size.ndof;
    // Asked for by name, conjugate gradients are the general ones.
    *w = (swWarped){.possible = m->settings->linear != SW_LINEAR_CG && sw_warped_alone(m),
                    .prepared = -1};
    if (!w->possible)
        return true;
    w->x = SW_NEW(arena, nq, swReal, error);
    w->y = SW_NEW(arena, nq, swReal, error);
    w->r = SW_NEW(arena, ndof, swReal, error);
    w->p = SW_NEW(arena, ndof, swReal, error);
    w->z = SW_NEW(arena, ndof, swReal, error);
    w->mass = SW_NEW(arena, ndof, swReal, error);
    w->inertia = SW_NEW(arena, ndof, swReal, error);
    for (int i = 0; i < 2; i++)
        w->moved[i] = SW_NEW(arena, 3 * sw_particle_count(m), swReal, error);
    w->turn = SW_NEW(arena, ndof, int, error);
    w->Q = SW_NEW(arena, ndof / 3, swMat3, error);
    if (!w->x || !w->y || !w->r || !w->p || !w->z || !w->mass || !w->inertia || !w->moved[0] ||
        !w->moved[1] || !w->turn || !w->Q || !sw_incomplete_create(&w->about, A, arena, error) ||
        !sw_product_create(&w->product, m, arena, error))
        return false;
    for (int64_t p = 0; p < m->size.npair; p++) {
        const swNodePair *pair = &m->pair[p];
        for (int k = 0; pair->i == pair->j && pair->mass >= 0 && k < m->node[pair->i].ndof; k++)
            w->mass[m->node[pair->i].dof + k] = m->mass[pair->mass];
    }
    for (int64_t i = 0; i < m->size.nparticle; i++) {
        const swBodyInfo *b = &m->body[m->particle[i].body];
        for (int v = 0; v < b->net; v++)
            if (m->node[b->node + v].ndof > 0) {
                w->turn[2 * w->n] = (int)sw_particle_vertex(m, i) + v;
                w->turn[2 * w->n++ + 1] = m->node[b->node + v].dof;
            }
    }
    return true;
}

bool sw_warped_applies(const swBodyState *s, int contacts) {
    if (!s->work->warped.possible || contacts > 0 || s->work->elastic.particles.memory->follow)
        return false;
    return sw_pulls_stiffness(s->model, s->world, s->index) == 0;
}

// ---- the factor ----

static swElasticInput input_of(const swObjective *o) {
    return (swElasticInput){
        .q_last = o->q_last, .q_before = o->q_before, .h = o->h, .damping = o->damping};
}

// What the matrix at rest depends on.
static uint64_t key_of(const swBodyModel *m, const swObjective *o) {
    const swReal numbers[5] = {o->inertia, o->h, o->damping, o->q_last != NULL,
                               o->q_before != NULL};
    uint64_t key = sw_hash(SW_HASH_SEED, numbers, sizeof numbers);
    for (int64_t i = 0; i < m->size.nbody; i++) {
        const swReal damping[2] = {m->body[i].damping_mass, m->body[i].damping_stiffness};
        key = sw_hash(key, damping, sizeof damping);
    }
    return key;
}

// Of the mass in the matrix, for the body of an unknown.
static swReal inertia_of(const swBodyInfo *body, const swObjective *o) {
    if (!o->q_last)
        return o->inertia;
    const swRates rates = sw_rates(body->damping_mass, o->h, o->q_before != NULL);
    return o->inertia + rates.last + rates.before;
}

// Statics have no mass that keeps what is far apart from each other, and go through once: they take
// a whole factor, where there is room for one.
static bool takes_whole(const swWork *w, const swBodyModel *m, const swObjective *o) {
    return w->linear.kind != SW_LINEAR_CG &&
           (o->inertia == 0 || m->settings->linear != SW_LINEAR_AUTO);
}

// K + c M into work->H, which is work->A where no node is folded; its factor.
static bool prepare(const swBodyModel *m, swBodyState *s, const swObjective *o) {
    swWork *w = s->work;
    const uint64_t key = key_of(m, o);
    w->warped.whole = takes_whole(w, m, o);
    // The whole one is the linear solver's, which others use as well.
    if (w->warped.key == key && w->warped.prepared == (w->warped.whole ? w->linear.prepared : 0))
        return true;
    const swElasticInput input = input_of(o);
    sw_blocks_clear(&w->H);
    sw_particles_stiffness(m, &w->elastic.particles, &input, &w->H);
    for (int i = 0; i < m->size.nnode; i++)
        for (int k = 0; k < m->node[i].ndof; k++) {
            const swBlock block = sw_blocks_get(&w->H, i, i);
            const int at = m->node[i].dof + k;
            w->warped.inertia[at] = inertia_of(&m->body[m->node[i].body], o) * w->warped.mass[at];
            block.data[k * (block.stride + 1)] += w->warped.inertia[at];
        }
    w->mass_factor = 0;
    w->warped.key = key;
    const bool ok = w->warped.whole ? sw_linear_prepare(&w->linear, 0, 0, NULL)
                                    : sw_incomplete_compute(&w->warped.about, &w->A, NULL);
    w->warped.prepared = !ok ? -1 : w->warped.whole ? w->linear.prepared : 0;
    return ok;
}

// ---- conjugate gradients ----

// y := Q^T x (back: Q x), particle by particle.
static void turn(const swWarped *w, const swReal *x, bool back, swReal *y) {
    for (int i = 0; i < w->n; i++) {
        const int at = w->turn[2 * i + 1];
        const swVec3 v = {x[at], x[at + 1], x[at + 2]},
                     t = back ? sw_mul(w->Q[i], v) : sw_mul_t(w->Q[i], v);
        y[at] = t.x;
        y[at + 1] = t.y;
        y[at + 2] = t.z;
    }
}

// z := Q (K + c M)^-1 Q^T r, or about that
static void precondition(swWork *work) {
    swWarped *w = &work->warped;
    turn(w, w->r, false, w->z);
    if (w->whole)
        sw_factor_solve(&work->linear.factor, &work->A, w->z);
    else
        sw_incomplete_solve(&w->about, w->z);
    turn(w, w->z, true, w->z);
}

// y := A p, over the unknowns
static void multiply(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *p,
                     swReal *y) {
    swWarped *w = &s->work->warped;
    const swElasticInput input = input_of(o);
    for (int64_t i = 0; i < m->size.nnode; i++)
        for (int k = 0; k < m->node[i].ndof; k++)
            w->x[m->node[i].q + k] = p[m->node[i].dof + k];
    sw_particles_multiply(m, &s->work->elastic.particles, s->pool, &input, w->x, w->y);
    for (int64_t i = 0; i < m->size.nnode; i++)
        for (int k = 0; k < m->node[i].ndof; k++) {
            const int at = m->node[i].dof + k;
            y[at] = w->y[m->node[i].q + k] + w->inertia[at] * p[at];
        }
}

// The same in single precision.
static void multiply_coarsely(const swBodyModel *m, swBodyState *s, const swReal *p, swReal *y) {
    swWarped *w = &s->work->warped;
    for (int i = 0; i < w->n; i++)
        for (int k = 0; k < 3; k++)
            w->product.x[4 * w->turn[2 * i] + k] = (float)p[w->turn[2 * i + 1] + k];
    sw_product_apply(&w->product, m, s->pool);
    for (int i = 0; i < w->n; i++)
        for (int k = 0; k < 3; k++) {
            const int at = w->turn[2 * i + 1] + k;
            y[at] = (swReal)w->product.y[4 * w->turn[2 * i] + k] + w->inertia[at] * p[at];
        }
}

// Forces change as A p does, also on particles that do not move.
static void remember(const swBodyModel *m, const swWarped *w, swReal alpha) {
    for (int64_t v = 0; v < sw_particle_count(m); v++)
        for (int k = 0; k < 3; k++)
            w->moved[1][3 * v + k] += alpha * (swReal)w->product.y[4 * v + k];
}

static void advance(const swBodyModel *m, const swWork *work) {
    const swWarped *w = &work->warped;
    for (int i = 0; i < w->n; i++)
        memcpy(w->moved[0] + 3 * (ptrdiff_t)w->turn[2 * i], work->step + w->turn[2 * i + 1],
               3 * sizeof *work->step);
    sw_particles_advance(m, &work->elastic.particles, w->moved[0], w->moved[1]);
}

// Everything but the directions.
static bool begin(const swBodyModel *m, swBodyState *s, const swObjective *o, bool single) {
    swWork *work = s->work;
    swWarped *w = &work->warped;
    work->linear.iterations = 0;
    if (!prepare(m, s, o))
        return false;
    for (int i = 0; i < w->n; i++)
        w->Q[i] = sw_quaternion_rotation(work->elastic.particles.turn + 4 * w->turn[2 * i]);
    for (int64_t i = 0; i < m->size.ndof; i++)
        w->r[i] = -work->residual[i];
    memset(work->step, 0, (size_t)m->size.ndof * sizeof *work->step);
    if (single) {
        const swElasticInput input = input_of(o);
        sw_product_prepare(&w->product, m, &work->elastic.particles, &input);
        memset(w->moved[1], 0, 3 * (size_t)sw_particle_count(m) * sizeof *w->moved[1]);
    }
    return true;
}

// Whether that is so after a step: A is more than c M, so that |x - x*|_A < |r| in the norm of the
// inverse of c M.
static bool is_near(const swBodyModel *m, const swWork *work, const swObjective *o,
                    const swReal *q) {
    const swWarped *w = &work->warped;
    swReal left = 0, way = 0;
    for (int64_t i = 0; i < m->size.nnode; i++)
        for (int k = 0; k < m->node[i].ndof; k++) {
            const int at = m->node[i].dof + k, x = m->node[i].q + k;
            const swReal d = q[x] + work->step[at] - o->target[x];
            left += w->r[at] * w->r[at] / w->inertia[at];
            way += d * d * w->inertia[at];
        }
    return left <= nearly * nearly * way;
}

static swLinearResult solve(const swBodyModel *m, swBodyState *s, const swObjective *o,
                            swReal tolerance, const swReal *q) {
    swWork *work = s->work;
    swWarped *w = &work->warped;
    const int n = (int)m->size.ndof;
    const bool single = q != NULL;
    swReal first = 0, rz = 0;
    if (!begin(m, s, o, single))
        return SW_LINEAR_INDEFINITE;
    for (int iteration = 0; iteration < MOST; iteration++) {
        const swReal last = rz;
        if (single && is_near(m, work, o, q))
            return SW_LINEAR_SOLVED;
        precondition(work);
        work->linear.iterations++;
        rz = sw_dot_n(n, w->r, w->z);
        first = iteration == 0 ? rz : first;
        if (rz <= tolerance * tolerance * first)
            return SW_LINEAR_SOLVED;
        for (int i = 0; i < n; i++)
            w->p[i] = w->z[i] + (iteration == 0 ? 0 : rz / last) * w->p[i];
        if (single)
            multiply_coarsely(m, s, w->p, w->z);
        else
            multiply(m, s, o, w->p, w->z);
        const swReal along = sw_dot_n(n, w->p, w->z);
        if (!(along > 0))
            return SW_LINEAR_INDEFINITE;
        if (single)
            remember(m, w, rz / along);
        for (int i = 0; i < n; i++) {
            work->step[i] += rz / along * w->p[i];
            w->r[i] -= rz / along * w->z[i];
        }
    }
    return SW_LINEAR_NOT_CONVERGED;
}

swLinearResult sw_warped_solve(const swBodyModel *m, swBodyState *s, const swObjective *o,
                               swReal tolerance) {
    return solve(m, s, o, tolerance, NULL);
}

swLinearResult sw_warped_solve_nearly(const swBodyModel *m, swBodyState *s, const swObjective *o,
                                      const swReal *q) {
    const swLinearResult result = solve(m, s, o, least, q);
    if (result == SW_LINEAR_SOLVED)
        advance(m, s->work);
    return result;
}
