// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Newton's method with a line search. The plain tangent first; a little more on its diagonal where
// that fails; the positive semi-definite one where that does not help.
#include "kinematics/points.h"
#include "potentials/muscle.h"
#include "kinematics/rigid.h"
#include "solve/work.h"

#include <float.h>
#include <string.h>

enum { MAX_CUTS = 40, MAX_SHIFTS = 30 };
static const swReal max_turn = 0.7; // [rad] a rigid node turns in one iteration
// What is added to a tangent that is not positive definite, of the stiffness: at first, at most,
// and at least. Rounding is smaller still.
static const swReal first_shift = 1e-5, last_shift = 1.1e-3, least_shift = 1e-12;
static const swReal armijo = 1e-4; // share of the promised decrease that a step must bring

// What rounding can do at positions of the size of q and of where inertia takes them. Of stuff that
// hardly changes its volume pressure is most of it: vertices round strains by their own rounding
// over the size of an element, frames have strains among their numbers.
static void measure_noise(const swBodyModel *m, const swBodyState *s, const swObjective *o,
                          const swReal *q) {
    swWork *w = s->work;
    for (int64_t i = 0; i < m->size.nbody; i++) {
        const swBodyInfo *b = &m->body[i];
        const swReal L = sw_body_length(b);
        swReal reach = L;
        for (int n = b->node; n < b->node + b->nnode; n++)
            for (int r = 0; r < 3; r++) {
                const int at = m->node[n].q + r * m->node[n].width;
                reach = sw_max(reach, sw_max(fabs(q[at]), o->target ? fabs(o->target[at]) : 0));
            }
        w->balance[i].reach = reach;
        swReal stiffness = w->balance[i].young * L;
        for (int p = 0; sw_potential_at(p); p++)
            if (sw_potential_at(p)->stiffness)
                stiffness += sw_potential_at(p)->stiffness(s);
        w->balance[i].noise =
            DBL_EPSILON * (reach * (64 * stiffness + 16 * b->mass * o->inertia) +
                           4 * w->balance[i].bulk * (b->net > 0 ? reach * b->voxel : L * L));
    }
}

// Fills residuals, and reports the body that is worst off. True where every body is in balance;
// noise is allowed for only after a step, since before it there may be a load that has not been
// felt.
static bool in_balance(const swBodyModel *m, swBodyState *s, const swObjective *o, bool stepped) {
    swWork *w = s->work;
    swReal worst = -1;
    bool all = true;
    for (int64_t i = 0; i < m->size.nbody; i++)
        w->balance[i].residual = 0;
    for (int64_t i = 0; i < m->size.nnode; i++)
        for (int k = m->node[i].dof; k < m->node[i].dof + m->node[i].ndof; k++) {
            swReal *residual = &w->balance[m->node[i].body].residual;
            const swReal force = fabs(w->residual[k]) / w->length[k];
            *residual = force > *residual || isnan(force) ? force : *residual;
        }
    for (int64_t i = 0; i < m->size.nbody; i++) {
        const swBalance *b = &w->balance[i];
        const swReal limit = o->tolerance * b->scale + (stepped ? b->noise : 0);
        const bool ok = b->residual <= limit;
        all = all && ok;
        if (!(b->residual <= worst * limit)) {
            worst = limit > 0 ? b->residual / limit : b->residual > 0 ? INFINITY : 0;
            s->report.residual = b->residual;
            s->report.scale = b->scale;
        }
    }
    return all;
}

bool sw_newton_done(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q) {
    measure_noise(m, s, o, q);
    sw_nodes_fold_gradient(m, q, s->work->g, s->work->residual);
    return in_balance(m, s, o, true);
}

// g += that of inertia at q.
static void add_inertia(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q,
                        swReal *g) {
    swWork *w = s->work;
    swSystem sys = {.g = g};
    const swBulkInput bulk = {.q = q, .inertia = o->inertia, .target = w->bulk_target};
    sw_mass_add(m, q, o->target, o->inertia, &sys);
    sw_bulk_add(m, &w->bulk, &bulk, &sys);
    sw_nodes_release(m, g);
}

// work->q_trial := the gradient of the potentials alone; work->g is that with inertia.
static const swReal *potential_gradient(const swBodyModel *m, swBodyState *s, const swObjective *o,
                                        const swReal *q) {
    swReal *g = s->work->q_trial;
    memset(g, 0, (size_t)m->size.nq * sizeof *g);
    add_inertia(m, s, o, q, g);
    for (int64_t i = 0; i < m->size.nq; i++)
        g[i] = s->work->g[i] - g[i];
    return g;
}

// The matrix at q, and what counts as large on its diagonal: each node's largest entry, per length
// squared, is its stiffness. That of the body is no measure: frames that move a speck of it, or a
// soft part, are softer by many orders.
static void assemble(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q,
                     swProjection projection) {
    swWork *w = s->work;
    sw_objective_evaluate(m, s, o, q, true, true, projection);
    const double start = sw_seconds();
    if (w->folded && o->definite)
        sw_nodes_fold_definite(m, q, potential_gradient(m, s, o, q), &w->H, &w->A);
    else if (w->folded)
        sw_nodes_fold_hessian(m, q, w->g, &w->H, &w->A);
    if (w->inflate.gas) {
        sw_nodes_release(m, w->inflate.slope);
        sw_nodes_fold_gradient(m, q, w->inflate.slope, w->gas[0]);
    }
    sw_blocks_diagonal(&w->A, w->size);
    for (int64_t i = 0; i < m->size.nnode; i++) {
        swReal largest = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int k = m->node[i].dof; k < m->node[i].dof + m->node[i].ndof; k++) {
                const swReal square = w->length[k] * w->length[k];
                if (pass == 0)
                    largest = sw_max(largest, fabs(w->size[k]) / square);
                else
                    w->size[k] = largest * square;
            }
    }
    s->profile.solve += sw_seconds() - start;
}

void sw_newton_assemble(const swBodyModel *m, swBodyState *s, const swObjective *o,
                        const swReal *q) {
    assemble(m, s, o, q, SW_PROJECT_NONE);
}

// A gas couples all vertices around it: to A comes c w w^T, w being how its volume changes with the
// unknowns. Bodies do not couple, so that one more solution serves all of them (Sherman and
// Morrison).
static swLinearResult solve_gas(const swBodyModel *m, swBodyState *s, swReal forcing) {
    swWork *w = s->work;
    const swReal *slope = w->gas[0], *z = w->gas[1];
    const swLinearResult result = sw_linear_solve(&w->linear, w->gas[0], w->gas[1], forcing);
    for (int64_t i = 0; i < m->size.nline_net; i++) {
        const swBodyInfo *b = &m->body[m->line_net[i].body];
        swReal with_step = 0, with_z = 0;
        for (int n = b->node; n < b->node + b->nnode; n++)
            for (int k = m->node[n].dof; k < m->node[n].dof + m->node[n].ndof; k++) {
                with_step += slope[k] * w->step[k];
                with_z += slope[k] * z[k];
            }
        const swReal c = w->inflate.stiffness[i], share = c * with_step / (1 + c * with_z);
        for (int n = b->node; n < b->node + b->nnode; n++)
            for (int k = m->node[n].dof; k < m->node[n].dof + m->node[n].ndof; k++)
                w->step[k] -= share * z[k];
    }
    return result;
}

swLinearResult sw_newton_solve(const swBodyModel *m, swBodyState *s, swReal forcing) {
    swWork *w = s->work;
    const swLinearResult result = sw_linear_solve(&w->linear, w->residual, w->step, forcing);
    return result == SW_LINEAR_SOLVED && w->inflate.gas ? solve_gas(m, s, forcing) : result;
}

// work->step := -(A + shift size)^-1 residual. A pivot that is all rounding belongs to a motion
// that nothing resists, as too few samples leave some: a step along it would have no end.
static swLinearResult solve(const swBodyModel *m, swBodyState *s, swReal shift, swReal forcing) {
    static const swReal all_rounding = 1e-13;
    swWork *w = s->work;
    const double start = sw_seconds();
    swLinearResult result = SW_LINEAR_INDEFINITE;
    if (sw_linear_prepare(&w->linear, shift, all_rounding, w->size))
        result = sw_newton_solve(m, s, forcing);
    if (sw_pool_stopped(s->pool))
        result = SW_LINEAR_STOPPED;
    for (int64_t i = 0; i < m->size.ndof; i++)
        w->step[i] = -w->step[i];
    s->profile.linear_iterations += w->linear.iterations;
    s->profile.solve += sw_seconds() - start;
    return result;
}

// With positive semi-definite tangents of samples and colliders. Geometric terms of rigid nodes,
// and what has no such tangent, may still be negative: then a growing multiple of the diagonal
// helps.
static swLinearResult solve_definite(const swBodyModel *m, swBodyState *s, const swObjective *o,
                                     const swReal *q, swReal forcing) {
    swLinearResult result = SW_LINEAR_INDEFINITE;
    swReal shift = 0;
    assemble(m, s, o, q,
             m->settings->definite == SW_DEFINITE_ABSOLUTE ? SW_PROJECT_ABSOLUTE
                                                           : SW_PROJECT_CLAMP);
    for (int attempt = 0; attempt < MAX_SHIFTS && result == SW_LINEAR_INDEFINITE; attempt++) {
        result = solve(m, s, shift, forcing);
        shift = shift > 0 ? 10 * shift : 1e-12;
    }
    return result;
}

// With the plain tangent, or else with one that is positive definite. `shift` is what to try first
// for that, and then what to try next time: less, as long as less will do. Where some motions are
// stiffer than others by many orders, as changes of volume may be, what is little to them is far
// too much for the others, which would creep.
static swLinearResult solve_some_tangent(const swBodyModel *m, swBodyState *s, const swObjective *o,
                                         const swReal *q, swReal forcing, swReal *shift,
                                         bool *plain) {
    assemble(m, s, o, q, SW_PROJECT_NONE);
    swLinearResult result = solve(m, s, 0, forcing);
    *plain = result != SW_LINEAR_INDEFINITE;
    if (*plain)
        return result;
    s->report.projections++;
    // Near limit points and where bodies buckle little is missing, and projecting would lose more.
    for (; *shift <= last_shift; *shift *= 10) {
        result = solve(m, s, *shift, forcing);
        if (result != SW_LINEAR_INDEFINITE) {
            *shift = sw_max(0.1 * *shift, least_shift);
            return result;
        }
    }
    *shift = last_shift;
    return solve_definite(m, s, o, q, forcing);
}

// Where nothing but particles moves the equations are linear: they are solved until all is in
// balance, or nearly where one solve is all there is.
static swLinearResult solve_warped(const swBodyModel *m, swBodyState *s, const swObjective *o,
                                   const swReal *q, bool once) {
    const double start = sw_seconds();
    const swReal share = 0.1 * o->tolerance * s->report.scale / s->report.residual;
    const swLinearResult result = once ? sw_warped_solve_nearly(m, s, o, q)
                                       : sw_warped_solve(m, s, o, sw_clamp(share, 1e-10, 0.1));
    s->profile.linear_iterations += s->work->linear.iterations;
    s->profile.solve += sw_seconds() - start;
    return result;
}

swReal sw_newton_turn_limit(const swBodyModel *m, const swReal *step) {
    swReal largest = 0;
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (m->node[i].kind == SW_NODE_RIGID && m->node[i].ndof == 6) {
            const swReal *d = step + m->node[i].dof + 3;
            largest = sw_max(largest, sw_norm(sw_v3(d[0], d[1], d[2])));
        }
    return largest > max_turn ? max_turn / largest : 1;
}

static swStatus stop(swBodyState *s, swStatus status, const char *reason) {
    s->report.status = status;
    snprintf(s->report.reason, sizeof s->report.reason, "%s", reason);
    return status;
}

static swStatus succeed(const swBodyModel *m, swBodyState *s, const swReal *q,
                        const swValue *value) {
    if (value->unrelaxed > 0)
        return stop(s, SW_ERROR_NOT_CONVERGED,
                    "the strains that frames lack were not found in some region");
    if (sw_points_defined(m, q))
        return stop(s, SW_OK, "");
    return stop(s, SW_ERROR_NOT_FINITE,
                "frames have turned against each other: their dual quaternions cancel somewhere");
}

// Energy that rounded positions cost: the forces at work times the last digit of the way.
static swReal work_rounding(const swBodyModel *m, const swWork *w) {
    swReal sum = 0;
    for (int64_t i = 0; i < m->size.nbody; i++)
        sum += 8 * DBL_EPSILON * w->balance[i].scale * w->balance[i].reach;
    return sum;
}

// Whether the last step moved nothing that can be seen, in any body.
static bool step_is_negligible(const swBodyModel *m, const swWork *w) {
    for (int64_t i = 0; i < m->size.nnode; i++)
        for (int k = m->node[i].dof; k < m->node[i].dof + m->node[i].ndof; k++)
            if (!(fabs(w->step[k]) * w->length[k] <= 1e-9 * m->body[m->node[i].body].voxel))
                return false;
    return true;
}

// Whether the slope along work->step has fallen at work->q_trial, where energies differ by too
// little to tell: they are sums of large numbers, of which pressures do the rounding, and gradients
// are far more exact. Hager and Zhang, "A new conjugate gradient method with guaranteed descent and
// an efficient line search" (2005): their approximate Wolfe conditions.
static bool slope_falls(const swBodyModel *m, swBodyState *s, swReal slope, const swValue *here,
                        const swValue *there) {
    static const swReal same = 1e-10, flat = 0.8;
    swWork *w = s->work;
    if (!(there->energy - here->energy <= same * (here->magnitude + there->magnitude)))
        return false;
    sw_nodes_fold_gradient(m, w->q_trial, w->g, w->residual);
    return fabs(sw_dot_n((int)m->size.ndof, w->residual, w->step)) <= -flat * slope;
}

// Moves q along work->step as far as the energy falls; work->g is then that of the new q. False: it
// does not fall.
static bool line_search(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal *q,
                        swReal slope, swValue *value) {
    swWork *w = s->work;
    const size_t bytes = (size_t)m->size.nq * sizeof *q;
    const size_t relax = (size_t)m->size.nrelax * sizeof *w->relax;
    swReal alpha = sw_newton_turn_limit(m, w->step);
    memcpy(w->relax_start, w->relax, relax);
    for (int cut = 0; cut < MAX_CUTS && sw_pool_goes_on(s->pool); cut++, alpha *= 0.5) {
        memcpy(w->q_trial, q, bytes);
        memcpy(w->relax, w->relax_start, relax);
        sw_nodes_move(m, w->step, alpha, w->q_trial);
        swValue trial = sw_objective_evaluate(m, s, o, w->q_trial, true, false, SW_PROJECT_NONE);
        if (sw_pool_stopped(s->pool))
            break;
        // Rounded positions do the work of the forces at work.
        swReal rounding = 1e-14 * (value->magnitude + trial.magnitude) + work_rounding(m, w);
        if (isfinite(trial.energy) &&
            (trial.energy <= value->energy + armijo * alpha * slope + rounding ||
             slope_falls(m, s, slope, value, &trial))) {
            memcpy(q, w->q_trial, bytes);
            *value = trial;
            return true;
        }
        s->report.line_search_cuts++;
    }
    memcpy(w->relax, w->relax_start, relax);
    return false;
}

// work->step := -K^-1 r at q for some tangent K, `plain` or not; to a residual that is smaller by
// `forcing`, or by one solve where that is 0. `contacts`: at q. `shift`: of solve_some_tangent().
static swStatus find_step(const swBodyModel *m, swBodyState *s, const swObjective *o,
                          const swReal *q, int contacts, swReal forcing, swReal *shift, bool *plain,
                          swReal *slope) {
    swWork *w = s->work;
    const bool warped = sw_warped_applies(s, contacts), once = forcing == 0;
    if (once)
        forcing = m->settings->tolerance;
    *plain = true;
    switch (warped        ? solve_warped(m, s, o, q, once)
            : o->definite ? solve_definite(m, s, o, q, forcing)
                          : solve_some_tangent(m, s, o, q, forcing, shift, plain)) {
    case SW_LINEAR_INDEFINITE:
        return stop(s, SW_ERROR_NOT_CONVERGED,
                    "the stiffness is singular: is every body held or has mass?");
    case SW_LINEAR_NOT_CONVERGED:
        return stop(s, SW_ERROR_NOT_CONVERGED,
                    "conjugate gradients do not converge: take another solver.linear");
    case SW_LINEAR_STOPPED: return stop(s, SW_ERROR_STOPPED, "stopped");
    case SW_LINEAR_SOLVED: break;
    }
    s->report.iterations++;
    s->profile.iterations++;
    *slope = sw_dot_n((int)m->size.ndof, w->residual, w->step);
    return isfinite(*slope) ? SW_OK : stop(s, SW_ERROR_NOT_FINITE, "the Newton step is not finite");
}

// How far the linear equations need to be solved where this is done step by step: further as
// Newton's own steps converge. Eisenstat and Walker, "Choosing the forcing terms in an inexact
// Newton method" (1996), their second choice.
static swReal choose_forcing(const swBodyModel *m, const swWork *w, swReal *size) {
    static const swReal first = 1e-3, most = 1e-2, least = 1e-10;
    const swReal last = *size;
    *size = 0;
    for (int64_t i = 0; i < m->size.ndof; i++)
        *size += w->residual[i] * w->residual[i] / (w->length[i] * w->length[i]);
    return last > 0 ? sw_clamp(0.9 * *size / last, least, most) : first;
}

static const char no_volume[] =
    "a sample has no volume left at the start: a handle moved too far, or the step is too long";

// inertia/2 |J step|_M^2, the kinetic energy of what a step at q adds to the motion.
static swReal step_energy(const swBodyModel *m, swBodyState *s, const swObjective *o,
                          const swReal *q) {
    swWork *w = s->work;
    memset(w->q_trial, 0, (size_t)m->size.nq * sizeof *w->q_trial);
    sw_nodes_add_rates(m, q, w->step, 1, w->q_trial);
    sw_bulk_rates(m, q, w->q_trial, w->bulk_trial);
    return o->inertia * (sw_mass_energy(m, w->q_trial) + sw_bulk_energy(m, w->bulk_trial));
}

swStatus sw_newton_once(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    swObjective potential = *o;
    potential.inertia = 0;
    bool plain;
    swReal slope, shift = first_shift;
    measure_noise(m, s, o, q);
    swValue value = sw_objective_evaluate(m, s, o, q, true, false, SW_PROJECT_NONE);
    if (!isfinite(value.energy))
        return stop(s, SW_ERROR_NOT_CONVERGED, no_volume);
    sw_nodes_fold_gradient(m, q, w->g, w->residual);
    const swStatus status = find_step(m, s, o, q, value.contacts, 0, &shift, &plain, &slope);
    if (status != SW_OK)
        return status;
    const size_t bytes = (size_t)m->size.nq * sizeof *q;
    const size_t relax = (size_t)m->size.nrelax * sizeof *w->relax;
    const swReal start = value.energy, magnitude = value.magnitude,
                 kinetic = step_energy(m, s, o, q);
    memcpy(w->relax_start, w->relax, relax);
    swReal share = 1;
    for (int cut = 0; cut < MAX_CUTS; cut++, share *= 0.5) {
        memcpy(w->q_trial, q, bytes);
        memcpy(w->relax, w->relax_start, relax);
        sw_nodes_move(m, w->step, share, w->q_trial);
        value = sw_objective_evaluate(m, s, &potential, w->q_trial, true, false, SW_PROJECT_NONE);
        const swReal rounding = 1e-14 * (magnitude + value.magnitude) + work_rounding(m, w);
        if (isfinite(value.energy) && value.energy + share * share * kinetic <= start + rounding)
            break;
        s->report.line_search_cuts++;
    }
    for (int64_t i = 0; i < m->size.ndof; i++)
        w->step[i] *= share;
    memcpy(q, w->q_trial, bytes);
    add_inertia(m, s, o, q, w->g);
    sw_nodes_fold_gradient(m, q, w->g, w->residual);
    s->report.contacts = value.contacts;
    in_balance(m, s, o, true);
    if (!isfinite(value.energy) || !isfinite(s->report.residual))
        return stop(s, SW_ERROR_NOT_FINITE,
                    "one linear solve led to a sample without volume: the step is too long");
    return succeed(m, s, q, &value);
}

swStatus sw_newton(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    swStepReport *report = &s->report;
    swReal size = 0; // of the residual, squared
    swReal shift = o->shift > 0 ? sw_min(o->shift, first_shift) : first_shift;
    const int iterations = o->iterations > 0 ? o->iterations : m->settings->iterations;
    measure_noise(m, s, o, q);
    swValue value = sw_objective_evaluate(m, s, o, q, true, false, SW_PROJECT_NONE);
    if (sw_pool_stopped(s->pool))
        return stop(s, SW_ERROR_STOPPED, "stopped");
    if (!isfinite(value.energy))
        return stop(s, isnan(value.energy) ? SW_ERROR_NOT_FINITE : SW_ERROR_NOT_CONVERGED,
                    no_volume);
    for (int iteration = 0;; iteration++) {
        sw_nodes_fold_gradient(m, q, w->g, w->residual);
        report->contacts = value.contacts;
        if (in_balance(m, s, o, iteration > 0))
            return succeed(m, s, q, &value);
        if (!isfinite(report->residual))
            return stop(s, SW_ERROR_NOT_FINITE, "forces are not finite");
        if (iteration == iterations)
            return stop(s, SW_ERROR_NOT_CONVERGED, "the limit of Newton iterations was reached");
        bool plain;
        swReal slope;
        const swReal forcing = choose_forcing(m, w, &size);
        const swStatus status =
            find_step(m, s, o, q, value.contacts, forcing, &shift, &plain, &slope);
        if (status != SW_OK)
            return status;
        if (!line_search(m, s, o, q, slope, &value)) {
            if (sw_pool_stopped(s->pool))
                return stop(s, SW_ERROR_STOPPED, "stopped");
            // At the rounding of the energy no step can show a decrease: done if the step itself is
            // negligible.
            if (plain && step_is_negligible(m, w)) {
                value =
                    sw_objective_evaluate(m, s, o, q, true, false, SW_PROJECT_NONE); // reactions
                return sw_pool_stopped(s->pool) ? stop(s, SW_ERROR_STOPPED, "stopped")
                                                : succeed(m, s, q, &value);
            }
            return stop(s, SW_ERROR_NOT_CONVERGED, "the line search found no decrease of energy");
        }
    }
}
