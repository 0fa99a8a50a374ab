// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// K x = mu D x, D being what counts as large on the diagonal: an equilibrium is unstable where some
// mu is negative, beyond what rounding and forces out of balance can do.
//
// Conjugate gradients on K x = b tell, preconditioned with any positive definite matrix. As long as
// all directions have positive curvature, what is left of b along an x with mu < 0 grows: so if all
// of it shrinks to less than b has along x, there is no such x. b is at random, so that no symmetry
// hides x from it, and has most along what is soft. With the factors of Newton's last iteration,
// where K was nearly the same, a few iterations do; those in which K has changed show first.
#include "solve/saddle.h"

#include "kinematics/rigid.h"

#include <float.h>
#include <string.h>

enum { FEW = 40, MANY = 2000, MAX_SHIFTS = 14, MAX_TURNS = 30, MAX_TURNS_CG = 8 };
static const swReal neutral = 1e-11;               // mu that means nothing
static const swReal first_shift = 1e-9;            // of D, to make K positive definite
static const swReal shown = 1e-5, shown_cg = 1e-3; // of b, that may be left; measured: unstable
                                                   // motions show at 0.04 to 0.25
static const swReal settled = 1e-3;                // of mu, by which a turn changes it
static const swReal first_move = 1e-3, least_move = 1e-8, largest_move = 0.5; // of the body's size
static const swReal alike = 1e-3; // decreases of energy in both directions

typedef struct {
    const swBodyModel *m;
    swBodyState *s;
    int n;
    swReal *x;             // the motion that is looked for: work->step
    swReal *slack;         // D mu of motions that count as neutral
    swReal *r, *p, *z, *y; // r: work->residual
} swSearch;

// y := K x; gas stiffens along how its volume changes.
static void multiply(const swSearch *t, const swReal *x, swReal *y) {
    const swBodyModel *m = t->m;
    const swWork *w = t->s->work;
    sw_blocks_multiply(&w->A, x, y);
    for (int64_t i = 0; w->inflate.gas && i < m->size.nspring_body; i++) {
        const swBodyInfo *b = &m->body[m->spring_body[i].body];
        swReal along = 0;
        for (int n = b->node; n < b->node + b->nnode; n++)
            for (int k = m->node[n].dof; k < m->node[n].dof + m->node[n].ndof; k++)
                along += w->gas[0][k] * x[k];
        for (int n = b->node; n < b->node + b->nnode; n++)
            for (int k = m->node[n].dof; k < m->node[n].dof + m->node[n].ndof; k++)
                y[k] += w->inflate.stiffness[i] * along * w->gas[0][k];
    }
}

static swReal weighed(int n, const swReal *weight, const swReal *x) {
    swReal sum = 0;
    for (int i = 0; i < n; i++)
        sum += weight[i] * x[i] * x[i];
    return sum;
}

// What a body's forces out of balance and its rounded strains, in which relaxation may cancel
// nearly all stiffness, make of the curvature of a motion that nothing resists [N/m].
static swReal noise_of(const swBodyModel *m, const swWork *w, int body) {
    const swReal L = sw_body_length(&m->body[body]);
    swReal stiffest = 0;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swReal *lame = m->material[m->group[i].material].lame;
        if (m->group[i].body == body)
            stiffest = sw_max(stiffest, lame[1] + 2 * lame[0]);
    }
    return w->balance[body].residual / L + 16 * DBL_EPSILON * stiffest * L;
}

static void measure_slack(const swSearch *t) {
    const swBodyModel *m = t->m;
    const swWork *w = t->s->work;
    for (int b = 0; b < m->size.nbody; b++) {
        const swReal noise = noise_of(m, w, b);
        for (int i = m->body[b].node; i < m->body[b].node + m->body[b].nnode; i++)
            for (int k = m->node[i].dof; k < m->node[i].dof + m->node[i].ndof; k++)
                t->slack[k] = neutral * w->size[k] + noise * w->length[k] * w->length[k];
    }
}

static void scatter(const swSearch *t, swReal *x) {
    uint64_t seed = 1;
    for (int i = 0; i < t->n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[i] = (swReal)(seed >> 40) / (1 << 24) - 0.5;
    }
}

// r := b, which has as much of small bodies as of large ones.
static void draw(const swSearch *t) {
    const swBodyModel *m = t->m;
    scatter(t, t->r);
    for (int b = 0; b < m->size.nbody; b++) {
        int count = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int i = m->body[b].node; i < m->body[b].node + m->body[b].nnode; i++)
                for (int k = m->node[i].dof; k < m->node[i].dof + m->node[i].ndof; k++)
                    if (pass == 0)
                        count++;
                    else
                        t->r[k] *= sqrt(t->s->work->size[k] / count);
    }
}

// Conjugate gradients with what the linear solver is prepared for. Unstable: x is a motion of
// negative curvature.
static swStability probe(const swSearch *t, int most) {
    const swWork *w = t->s->work;
    const bool gradients = w->linear.kind == SW_LINEAR_CG;
    const swReal least = gradients ? shown_cg : shown;
    swReal first = 0, rz = 0;
    draw(t);
    memset(t->p, 0, (size_t)t->n * sizeof *t->p);
    for (int iteration = 0; iteration < most && sw_pool_goes_on(t->s->pool); iteration++) {
        const swReal last = rz;
        memcpy(t->z, t->r, (size_t)t->n * sizeof *t->z);
        sw_linear_apply(&w->linear, t->z);
        rz = sw_dot_n(t->n, t->r, t->z);
        t->s->profile.linear_iterations += gradients;
        if (iteration == 0)
            first = rz;
        if (rz <= least * least * first)
            return SW_STABLE;
        const swReal beta = iteration == 0 ? 0 : rz / last;
        for (int i = 0; i < t->n; i++)
            t->p[i] = t->z[i] + beta * t->p[i];
        multiply(t, t->p, t->y);
        for (int i = 0; i < t->n; i++)
            t->y[i] += t->slack[i] * t->p[i];
        const swReal along = sw_dot_n(t->n, t->p, t->y);
        if (!isfinite(along) || !isfinite(rz))
            return SW_STABILITY_OPEN;
        if (along <= 0) {
            memcpy(t->x, t->p, (size_t)t->n * sizeof *t->x);
            return SW_UNSTABLE;
        }
        for (int i = 0; i < t->n; i++)
            t->r[i] -= rz / along * t->y[i];
    }
    return SW_STABILITY_OPEN;
}

// mu of x, made of unit size.
static swReal normalise(const swSearch *t) {
    const swWork *w = t->s->work;
    const swReal size = weighed(t->n, w->size, t->x);
    if (!(size > 0) || !isfinite(size))
        return NAN;
    for (int i = 0; i < t->n; i++)
        t->x[i] /= sqrt(size);
    multiply(t, t->x, t->y);
    return sw_dot_n(t->n, t->x, t->y);
}

// A column as wide as it is thick may go any way, and hardly any energy tells one from another: x
// begins along the first axis that it can move along, where bodies tend to be symmetric.
static void prefer_axes(const swSearch *t) {
    static const swReal share[3] = {1, 1e-2, 1e-4};
    for (int64_t i = 0; i < t->m->size.nnode; i++) {
        const swNode *node = &t->m->node[i];
        for (int k = 0; k < node->ndof && !sw_node_is_modes(node); k++)
            t->x[node->dof + k] *= share[node->ndof == 6 ? k % 3 : sw_min_int(k / node->width, 2)];
    }
}

// Inverse iteration from x, with as much of D on K as makes it positive definite. True where x is
// clearly unstable then.
static bool sharpen(const swSearch *t, swReal *curvature) {
    swWork *w = t->s->work;
    const int most = w->linear.kind == SW_LINEAR_CG ? MAX_TURNS_CG : MAX_TURNS;
    swReal mu = normalise(t), shift = sw_max(first_shift, -2 * mu);
    prefer_axes(t);
    mu = normalise(t);
    bool ready = false;
    for (int i = 0; i < MAX_SHIFTS && !(ready = sw_linear_prepare(&w->linear, shift, 0, w->size));
         i++)
        shift *= 10;
    for (int turn = 0; turn < most && ready && isfinite(mu) && sw_pool_goes_on(t->s->pool);
         turn++) {
        const swReal last = mu;
        memcpy(t->z, t->x, (size_t)t->n * sizeof *t->z);
        for (int i = 0; i < t->n; i++)
            t->r[i] = w->size[i] * t->x[i];
        const swLinearResult result = sw_newton_solve(t->m, t->s, 1e-3);
        if (result == SW_LINEAR_INDEFINITE) { // found out by conjugate gradients
            memcpy(t->x, t->z, (size_t)t->n * sizeof *t->x);
            shift *= 10;
            ready = shift < 1e3 && sw_linear_prepare(&w->linear, shift, 0, w->size);
            continue;
        }
        mu = normalise(t);
        if (result != SW_LINEAR_SOLVED || !(mu <= last)) { // as good as it gets
            memcpy(t->x, t->z, (size_t)t->n * sizeof *t->x);
            mu = last;
            break;
        }
        if (last - mu <= settled * fabs(mu) && mu < 0)
            break;
    }
    *curvature = mu;
    return mu < -weighed(t->n, t->slack, t->x);
}

// One factorisation tells where what is at hand does not.
static swStability find(const swSearch *t, bool at_hand, swReal *curvature) {
    swWork *w = t->s->work;
    const bool gradients = w->linear.kind == SW_LINEAR_CG;
    swStability found = SW_STABILITY_OPEN;
    if (at_hand && !gradients)
        found = probe(t, FEW);
    if (found == SW_STABILITY_OPEN && sw_linear_prepare(&w->linear, 1, 0, t->slack))
        found = gradients ? probe(t, MANY) : SW_STABLE;
    else if (found == SW_STABILITY_OPEN && !sw_pool_stopped(t->s->pool)) {
        scatter(t, t->x);
        found = SW_UNSTABLE;
    }
    return found == SW_UNSTABLE && !sharpen(t, curvature) ? SW_STABLE : found;
}

swStability sw_stability_at(const swBodyModel *m, swBodyState *s, const swObjective *o,
                            const swReal *q, bool at_hand, swReal *curvature) {
    swWork *w = s->work;
    const size_t relax = (size_t)m->size.nrelax * sizeof *w->relax;
    const swSearch t = {m,
                        s,
                        (int)m->size.ndof,
                        w->step,
                        w->search[0],
                        w->residual,
                        w->search[1],
                        w->search[2],
                        w->search[3]};
    swObjective exact = *o;
    exact.exact = true;
    if (t.n == 0)
        return SW_STABLE;
    memcpy(w->relax_start, w->relax, relax);
    sw_newton_assemble(m, s, &exact, q);
    memcpy(w->relax, w->relax_start, relax);
    const double start = sw_seconds();
    measure_slack(&t);
    const swStability found = find(&t, at_hand, curvature);
    s->profile.solve += sw_seconds() - start;
    return found;
}

// ---- leaving ----

// Of the state work->step, as a share of half the body's diagonal: 1 at the largest.
static void scale_step(const swBodyModel *m, const swWork *w) {
    swReal largest = 0, sign = 1;
    for (int64_t i = 0; i < m->size.nnode; i++)
        for (int k = m->node[i].dof; k < m->node[i].dof + m->node[i].ndof; k++) {
            const swReal moved =
                w->step[k] * w->length[k] / sw_body_length(&m->body[m->node[i].body]);
            if (fabs(moved) > (1 + 1e-6) * largest) {
                largest = fabs(moved);
                sign = moved < 0 ? -1 : 1;
            }
        }
    for (int64_t k = 0; k < m->size.ndof && largest > 0; k++)
        w->step[k] *= sign / largest;
}

// The way along `sign` work->step that lowers the energy most, and by how much; 0: none does.
static swReal descend(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q,
                      swReal sign, const swValue *here, swReal *fall) {
    swWork *w = s->work;
    const size_t bytes = (size_t)m->size.nq * sizeof *q;
    const size_t relax = (size_t)m->size.nrelax * sizeof *w->relax;
    const swReal most = sw_min(largest_move, sw_newton_turn_limit(m, w->step));
    swReal best = 0, way = sw_min(first_move, most);
    bool farther = true; // or ever nearer
    *fall = 0;
    while (way >= least_move && way <= most && sw_pool_goes_on(s->pool)) {
        memcpy(w->q_trial, q, bytes);
        memcpy(w->relax, w->relax_start, relax);
        sw_nodes_move(m, w->step, sign * way, w->q_trial);
        const swValue there =
            sw_objective_evaluate(m, s, o, w->q_trial, false, false, SW_PROJECT_NONE);
        const swReal lower = here->energy - there.energy;
        if (lower > *fall + 1e-14 * (here->magnitude + there.magnitude)) {
            *fall = lower;
            best = way;
        } else if (best > 0)
            break;
        else
            farther = false;
        way *= farther ? 2 : 0.5;
        if (!farther && best > 0)
            break;
    }
    return best;
}

bool sw_saddle_leave(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    const size_t relax = (size_t)m->size.nrelax * sizeof *w->relax;
    swReal way[2], fall[2];
    scale_step(m, w);
    memcpy(w->relax_start, w->relax, relax);
    const swValue here = sw_objective_evaluate(m, s, o, q, false, false, SW_PROJECT_NONE);
    for (int k = 0; k < 2; k++)
        way[k] = descend(m, s, o, q, k ? -1 : 1, &here, &fall[k]);
    memcpy(w->relax, w->relax_start, relax);
    // Both are the same where symmetry is lost, but for rounding.
    const bool against = fall[1] > (1 + alike) * fall[0];
    if (!(fall[against] > 0))
        return false;
    sw_nodes_move(m, w->step, against ? -way[1] : way[0], q);
    return true;
}
