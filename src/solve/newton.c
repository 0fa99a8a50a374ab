// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Newton's method with a line search. The plain tangent first; a little more on its diagonal where
// that fails; the positive semi-definite one where that does not help.
#include "kinematics/points.h"
#include "potentials/muscle.h"
#include "kinematics/rigid.h"
#include "solve/foresight.h"

#include <float.h>
#include <string.h>

enum { MAX_CUTS = 40, MAX_SHIFTS = 30, MAX_RENEWALS = 3, MAX_FORESEEN = 32 };
static const swReal max_turn = 0.7; // [rad] a rigid node turns in one iteration
// What is added to a tangent that is not positive definite, of the stiffness: at first, at most,
// and at least. Rounding is smaller still.
static const swReal first_shift = 1e-5, last_shift = 1.1e-3, least_shift = 1e-12;
static const swReal fast = 0.1;    // residual left by a step after which a dear matrix is kept
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

// Energy of inertia at q; g, unless it is NULL, += its gradient.
static swReal add_inertia(const swBodyModel *m, swBodyState *s, const swObjective *o,
                          const swReal *q, swReal *g) {
    swWork *w = s->work;
    swSystem sys = {.g = g};
    const swBulkInput bulk = {.q = q, .inertia = o->inertia, .target = w->bulk_target};
    sw_inertia_add(m, q, o->target, o->inertia, &sys);
    sw_bulk_add(m, &w->bulk, &bulk, &sys);
    if (g)
        sw_nodes_release(m, g);
    return sys.energy;
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

// The matrix over the unknowns at q, and what counts as large on its diagonal: each node's largest
// entry, per length squared, is its stiffness. That of the body is no measure: frames that move a
// speck of it, or a soft part, are softer by many orders.
static void fold(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q) {
    swWork *w = s->work;
    const double start = sw_seconds();
    if (w->folded && o->definite)
        sw_nodes_fold_definite(m, q, potential_gradient(m, s, o, q), &w->H, &w->A);
    else if (w->folded && w->elastic.volumes.foreseen) {
        sw_volumes_gradient(&w->elastic.volumes, m, w->g, w->q_trial);
        sw_nodes_fold_hessian(m, q, w->q_trial, &w->H, &w->A);
    } else if (w->folded)
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

swValue sw_newton_assemble(const swBodyModel *m, swBodyState *s, const swObjective *o,
                           const swReal *q) {
    const swValue value = sw_objective_evaluate(m, s, o, q, true, true, SW_PROJECT_NONE);
    fold(m, s, o, q);
    return value;
}

// Of all bodies, at q or at work->q_trial.
static swValue evaluate(const swIsland *is, bool trial, bool hessian, swProjection projection) {
    swValue sum = {0};
    for (int i = 0; i < is->n; i++) {
        swBodyState *s = is->body[i];
        const swValue value =
            sw_objective_evaluate(s->model, s, &is->objective[i],
                                  trial ? s->work->q_trial : is->q[i], true, hessian, projection);
        s->work->contacts = value.contacts;
        sum.energy += value.energy;
        sum.magnitude += value.magnitude;
        sum.unrelaxed += value.unrelaxed;
        sum.contacts += value.contacts;
    }
    if (is->joined)
        sw_joined_add(is, trial, hessian, projection, &sum);
    return sum;
}

// The matrix at q; `ready`: evaluated already.
static void assemble(const swIsland *is, bool ready, swProjection projection) {
    if (!ready)
        evaluate(is, false, true, projection);
    for (int i = 0; i < is->n; i++)
        fold(is->body[i]->model, is->body[i], &is->objective[i], is->q[i]);
    if (is->joined)
        sw_joined_take(is);
}

// A gas couples all vertices around it: to A comes c w w^T, w being how its volume changes with the
// unknowns. Bodies do not couple, so that one more solution serves all of them (Sherman and
// Morrison).
static swLinearResult solve_gas(const swBodyModel *m, swBodyState *s, swReal forcing) {
    swWork *w = s->work;
    const swReal *slope = w->gas[0], *z = w->gas[1];
    const swLinearResult result = sw_linear_solve(&w->linear, w->gas[0], w->gas[1], forcing);
    for (int64_t i = 0; i < m->size.nspring_body; i++) {
        const swBodyInfo *b = &m->body[m->spring_body[i].body];
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

static bool is_stopped(const swIsland *is) { return sw_pool_stopped(is->world->pool); }

// work->step := -K^-1 residual, K being the matrix that was factored last.
static swLinearResult solve_factored(const swIsland *is, swReal forcing) {
    swBodyState *s = is->body[0];
    swJoined *j = is->joined;
    const swLinearResult result = j ? sw_linear_solve(&j->linear, j->residual, j->step, forcing)
                                    : sw_newton_solve(s->model, s, forcing);
    if (j)
        sw_joined_give(is);
    for (int b = 0; b < is->n; b++)
        for (int64_t i = 0; i < is->body[b]->model->size.ndof; i++)
            is->body[b]->work->step[i] = -is->body[b]->work->step[i];
    return is_stopped(is) ? SW_LINEAR_STOPPED : result;
}

// With K = A + shift size. A pivot that is all rounding belongs to a motion that nothing resists,
// as too few samples leave some: a step along it would have no end.
static swLinearResult solve(const swIsland *is, swReal shift, swReal forcing) {
    static const swReal all_rounding = 1e-13;
    swBodyState *s = is->body[0];
    swJoined *j = is->joined;
    swLinear *linear = j ? &j->linear : &s->work->linear;
    const double start = sw_seconds();
    const bool ok = sw_linear_prepare(linear, shift, all_rounding, j ? j->size : s->work->size);
    const swLinearResult result = ok               ? solve_factored(is, forcing)
                                  : is_stopped(is) ? SW_LINEAR_STOPPED
                                                   : SW_LINEAR_INDEFINITE;
    s->profile.linear_iterations += linear->iterations;
    s->profile.solve += sw_seconds() - start;
    return result;
}

// With the matrix of the last iteration.
static swLinearResult solve_again(const swIsland *is) {
    const double start = sw_seconds();
    if (is->joined)
        sw_joined_take_residual(is);
    const swLinearResult result = solve_factored(is, 0);
    is->body[0]->profile.solve += sw_seconds() - start;
    return result;
}

static swProjection projection_of(const swIsland *is) {
    return is->body[0]->model->settings->definite == SW_DEFINITE_ABSOLUTE ? SW_PROJECT_ABSOLUTE
                                                                          : SW_PROJECT_CLAMP;
}

static bool wants_definite(const swIsland *is) {
    bool any = false;
    for (int i = 0; i < is->n; i++)
        any = any || is->objective[i].definite;
    return any;
}

// With positive semi-definite tangents of samples and colliders. Geometric terms of rigid nodes,
// and what has no such tangent, may still be negative: then a growing multiple of the diagonal
// helps.
static swLinearResult solve_definite(const swIsland *is, bool ready, swReal forcing) {
    swLinearResult result = SW_LINEAR_INDEFINITE;
    swReal shift = 0;
    assemble(is, ready, projection_of(is));
    for (int attempt = 0; attempt < MAX_SHIFTS && result == SW_LINEAR_INDEFINITE; attempt++) {
        result = solve(is, shift, forcing);
        shift = shift > 0 ? 10 * shift : 1e-12;
    }
    return result;
}

// With the plain tangent, or else with one that is positive definite. `shift` is what to try first
// for that, and then what to try next time: less, as long as less will do. Where some motions are
// stiffer than others by many orders, as changes of volume may be, what is little to them is far
// too much for the others, which would creep.
static swLinearResult solve_some_tangent(const swIsland *is, bool ready, swReal forcing,
                                         swReal *shift, bool *plain) {
    assemble(is, ready, SW_PROJECT_NONE);
    swLinearResult result = solve(is, 0, forcing);
    *plain = result != SW_LINEAR_INDEFINITE;
    if (*plain)
        return result;
    for (int i = 0; i < is->n; i++)
        is->body[i]->report.projections++;
    // Near limit points and where bodies buckle little is missing, and projecting would lose more.
    for (; *shift <= last_shift; *shift *= 10) {
        result = solve(is, *shift, forcing);
        if (result != SW_LINEAR_INDEFINITE) {
            *shift = sw_max(0.1 * *shift, least_shift);
            return result;
        }
    }
    *shift = last_shift;
    return solve_definite(is, false, forcing);
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

static swStatus stop(const swIsland *is, swStatus status, const char *reason) {
    for (int i = 0; i < is->n; i++) {
        is->body[i]->report.status = status;
        snprintf(is->body[i]->report.reason, sizeof is->body[i]->report.reason, "%s", reason);
    }
    return status;
}

static swStatus succeed(const swIsland *is, const swValue *value) {
    if (value->unrelaxed > 0 && !is->objective[0].rough)
        return stop(is, SW_ERROR_NOT_CONVERGED,
                    "the strains that frames lack were not found in some region");
    for (int i = 0; i < is->n && value->unrelaxed > 0; i++)
        is->body[i]->report.rough++;
    for (int i = 0; i < is->n; i++)
        if (!sw_points_defined(is->body[i]->model, is->q[i]))
            return stop(is, SW_ERROR_NOT_FINITE,
                        "frames have turned against each other: their dual quaternions cancel "
                        "somewhere");
    return stop(is, SW_OK, "");
}

// True where all are in balance.
static bool all_in_balance(const swIsland *is, bool stepped) {
    bool all = true;
    for (int i = 0; i < is->n; i++) {
        swBodyState *s = is->body[i];
        sw_nodes_fold_gradient(s->model, is->q[i], s->work->g, s->work->residual);
        s->report.contacts = s->work->contacts;
        all = in_balance(s->model, s, &is->objective[i], stepped) && all;
    }
    return all;
}

static bool residual_is_finite(const swIsland *is) {
    for (int i = 0; i < is->n; i++)
        if (!isfinite(is->body[i]->report.residual))
            return false;
    return true;
}

// Energy that rounded positions cost: the forces at work times the last digit of the way.
static swReal work_rounding(const swIsland *is) {
    swReal sum = 0;
    for (int i = 0; i < is->n; i++)
        sum +=
            8 * DBL_EPSILON * is->body[i]->work->balance->scale * is->body[i]->work->balance->reach;
    return sum;
}

// Whether the last step moved nothing that can be seen, in any body.
static bool step_is_negligible(const swIsland *is) {
    for (int i = 0; i < is->n; i++) {
        const swBodyModel *m = is->body[i]->model;
        const swWork *w = is->body[i]->work;
        for (int64_t k = 0; k < m->size.ndof; k++)
            if (!(fabs(w->step[k]) * w->length[k] <= 1e-9 * m->body[0].voxel))
                return false;
    }
    return true;
}

static swReal slope_along_step(const swIsland *is) {
    swReal sum = 0;
    for (int i = 0; i < is->n; i++)
        sum += sw_dot_n((int)is->body[i]->model->size.ndof, is->body[i]->work->residual,
                        is->body[i]->work->step);
    return sum;
}

// Whether the slope along work->step has fallen at work->q_trial, where energies differ by too
// little to tell: they are sums of large numbers, of which pressures do the rounding, and gradients
// are far more exact. Hager and Zhang, "A new conjugate gradient method with guaranteed descent and
// an efficient line search" (2005): their approximate Wolfe conditions.
static bool slope_falls(const swIsland *is, swReal slope, const swValue *here,
                        const swValue *there) {
    static const swReal same = 1e-10, flat = 0.8;
    if (!(there->energy - here->energy <= same * (here->magnitude + there->magnitude)))
        return false;
    for (int i = 0; i < is->n; i++) {
        const swWork *w = is->body[i]->work;
        sw_nodes_fold_gradient(is->body[i]->model, w->q_trial, w->g, w->residual);
    }
    return fabs(slope_along_step(is)) <= -flat * slope;
}

// What is tried along work->step: of relaxed strains those at q are where the search begins.
static void begin_trials(const swIsland *is) {
    for (int i = 0; i < is->n; i++) {
        const swWork *w = is->body[i]->work;
        memcpy(w->relax_start, w->relax,
               (size_t)is->body[i]->model->size.nrelax * sizeof *w->relax);
    }
}

static void recall_relax(const swIsland *is) {
    for (int i = 0; i < is->n; i++) {
        const swWork *w = is->body[i]->work;
        memcpy(w->relax, w->relax_start,
               (size_t)is->body[i]->model->size.nrelax * sizeof *w->relax);
    }
}

// work->q_trial := q moved by a share of the step.
static void try_share(const swIsland *is, swReal share) {
    recall_relax(is);
    for (int i = 0; i < is->n; i++) {
        const swBodyModel *m = is->body[i]->model;
        const swWork *w = is->body[i]->work;
        memcpy(w->q_trial, is->q[i], (size_t)m->size.nq * sizeof *w->q_trial);
        sw_nodes_move(m, w->step, share, w->q_trial);
    }
}

static void accept_trial(const swIsland *is) {
    for (int i = 0; i < is->n; i++)
        memcpy(is->q[i], is->body[i]->work->q_trial,
               (size_t)is->body[i]->model->size.nq * sizeof *is->q[i]);
}

static void count_cut(const swIsland *is) {
    for (int i = 0; i < is->n; i++)
        is->body[i]->report.line_search_cuts++;
}

// Moves q along work->step as far as the energy falls, in `cuts` trials at most; work->g is then
// that of the new q. False: it does not fall.
static bool line_search(const swIsland *is, swReal slope, int cuts, swValue *value) {
    swReal alpha = 1;
    for (int i = 0; i < is->n; i++)
        alpha = sw_min(alpha, sw_newton_turn_limit(is->body[i]->model, is->body[i]->work->step));
    begin_trials(is);
    for (int cut = 0; cut < cuts && sw_pool_goes_on(is->world->pool); cut++, alpha *= 0.5) {
        try_share(is, alpha);
        const swValue trial = evaluate(is, true, false, SW_PROJECT_NONE);
        if (is_stopped(is))
            break;
        // Rounded positions do the work of the forces at work.
        const swReal rounding = 1e-14 * (value->magnitude + trial.magnitude) + work_rounding(is);
        if (isfinite(trial.energy) &&
            (trial.energy <= value->energy + armijo * alpha * slope + rounding ||
             slope_falls(is, slope, value, &trial))) {
            accept_trial(is);
            *value = trial;
            return true;
        }
        count_cut(is);
    }
    recall_relax(is);
    return false;
}

static void count_iteration(const swIsland *is) {
    for (int i = 0; i < is->n; i++) {
        is->body[i]->report.iterations++;
        is->body[i]->profile.iterations++;
    }
}

// work->step := -K^-1 r at q for some tangent K, `plain` or not; to a residual that is smaller by
// `forcing`, or by one solve where that is 0. `ready`: of assemble(). `shift`: of
// solve_some_tangent().
static swStatus find_step(const swIsland *is, bool ready, swReal forcing, swReal *shift,
                          bool *plain, swReal *slope) {
    swBodyState *s = is->body[0];
    const swObjective *o = is->objective;
    const bool warped = !is->joined && sw_warped_applies(s, s->work->contacts), once = forcing == 0;
    if (once)
        forcing = s->model->settings->tolerance;
    *plain = true;
    switch (warped               ? solve_warped(s->model, s, o, is->q[0], once)
            : wants_definite(is) ? solve_definite(is, ready, forcing)
                                 : solve_some_tangent(is, ready, forcing, shift, plain)) {
    case SW_LINEAR_INDEFINITE:
        return stop(is, SW_ERROR_NOT_CONVERGED,
                    "the stiffness is singular: is every body held or has mass?");
    case SW_LINEAR_NOT_CONVERGED:
        return stop(is, SW_ERROR_NOT_CONVERGED,
                    "conjugate gradients do not converge: take another solver.linear");
    case SW_LINEAR_STOPPED: return stop(is, SW_ERROR_STOPPED, "stopped");
    case SW_LINEAR_SOLVED: break;
    }
    count_iteration(is);
    *slope = slope_along_step(is);
    return isfinite(*slope) ? SW_OK
                            : stop(is, SW_ERROR_NOT_FINITE, "the Newton step is not finite");
}

// Where amplitudes of strains are unknowns a matrix costs many times what forces do.
static bool is_dear(const swIsland *is) {
    bool any = false;
    for (int b = 0; b < is->n; b++) {
        any = any || is->body[b]->work->kept;
        if (is->body[b]->work->linear.kind == SW_LINEAR_CG)
            return false;
    }
    return any && !wants_definite(is);
}

// One more step with the matrix there is, which is positive definite: a descent. False: energy does
// not fall along it, and all is as before.
static bool step_again(const swIsland *is, swValue *value) {
    if (solve_again(is) == SW_LINEAR_SOLVED) {
        swReal slope = slope_along_step(is);
        count_iteration(is);
        sw_foresight_move(is, value, &slope);
        if (slope < 0 && line_search(is, slope, 1, value))
            return true;
    }
    evaluate(is, false, false, SW_PROJECT_NONE);
    all_in_balance(is, true);
    return false;
}

// Contacts that come and go change the matrix at once, what is strained changes it little by
// little: elasticity is kept for some iterations. False: everything is to be made anew.
static bool renew(const swIsland *is, const swValue *value, int *renewals) {
    if (is->joined || value->contacts == 0 || *renewals == MAX_RENEWALS) {
        *renewals = 0;
        return false;
    }
    sw_objective_renew(is->body[0]->model, is->body[0], is->objective, is->q[0]);
    ++*renewals;
    return true;
}

// Whether the matrix is made where the search begins, together with forces: it is needed where the
// last search took a step, and hardly ever where that found itself at its end.
static bool looks_ahead(const swIsland *is) {
    bool all = true;
    for (int i = 0; i < is->n; i++)
        all = all && is->body[i]->rest->busy && !is->body[i]->work->warped.possible &&
              !is->objective[i].definite;
    return all;
}

static void note(const swIsland *is, bool busy) {
    for (int i = 0; i < is->n; i++)
        is->body[i]->rest->busy = busy;
}

// How far the linear equations need to be solved where this is done step by step: further as
// Newton's own steps converge. Eisenstat and Walker, "Choosing the forcing terms in an inexact
// Newton method" (1996), their second choice.
static swReal choose_forcing(const swIsland *is, swReal *size) {
    static const swReal first = 1e-3, most = 1e-2, least = 1e-10;
    const swReal last = *size;
    *size = 0;
    for (int b = 0; b < is->n; b++) {
        const swWork *w = is->body[b]->work;
        for (int64_t i = 0; i < is->body[b]->model->size.ndof; i++)
            *size += w->residual[i] * w->residual[i] / (w->length[i] * w->length[i]);
    }
    return last > 0 ? sw_clamp(0.9 * *size / last, least, most) : first;
}

static void measure_all(const swIsland *is) {
    for (int i = 0; i < is->n; i++)
        measure_noise(is->body[i]->model, is->body[i], &is->objective[i], is->q[i]);
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

swStatus sw_island_newton_once(const swIsland *is) {
    bool plain;
    swReal slope, shift = first_shift, kinetic = 0, share = 1;
    bool matrix = true; // particles may need none
    for (int i = 0; i < is->n; i++)
        matrix = matrix && !is->body[i]->work->warped.possible;
    measure_all(is);
    swValue value =
        evaluate(is, false, matrix, wants_definite(is) ? projection_of(is) : SW_PROJECT_NONE);
    if (!isfinite(value.energy))
        return stop(is, SW_ERROR_NOT_CONVERGED, no_volume);
    all_in_balance(is, false);
    const swStatus status = find_step(is, matrix, 0, &shift, &plain, &slope);
    if (status != SW_OK)
        return status;
    const swReal start = value.energy, magnitude = value.magnitude;
    for (int i = 0; i < is->n; i++)
        kinetic += step_energy(is->body[i]->model, is->body[i], &is->objective[i], is->q[i]);
    begin_trials(is);
    for (int cut = 0; cut < MAX_CUTS; cut++, share *= 0.5) {
        try_share(is, share);
        value = evaluate(is, true, false, SW_PROJECT_NONE);
        for (int i = 0; i < is->n; i++) // of which potentials alone are wanted
            value.energy -= add_inertia(is->body[i]->model, is->body[i], &is->objective[i],
                                        is->body[i]->work->q_trial, NULL);
        const swReal rounding = 1e-14 * (magnitude + value.magnitude) + work_rounding(is);
        if (isfinite(value.energy) && value.energy + share * share * kinetic <= start + rounding)
            break;
        count_cut(is);
    }
    for (int b = 0; b < is->n; b++)
        for (int64_t i = 0; i < is->body[b]->model->size.ndof; i++)
            is->body[b]->work->step[i] *= share;
    accept_trial(is);
    all_in_balance(is, true);
    return succeed(is, &value);
}

// Half of a search ago.
typedef struct Trail {
    int iteration;
    swReal energy;
} Trail;

static void follow(Trail *trail, int iteration, swReal energy) {
    if (iteration >= 2 * trail->iteration)
        *trail = (Trail){sw_max_int(1, iteration), energy};
}

// Where a law, a contact or a rotation has a kink forces leap, and no balance is found however near
// its least energy a body is. There energy hardly falls, and that is all that can be asked for.
static bool is_settled(const swIsland *is, const Trail *trail, int iteration, const swValue *value,
                       swReal hardly) {
    static const int least = 16;
    const bool settled = is->objective[0].rough && iteration >= least &&
                         trail->energy - value->energy <= hardly * value->magnitude;
    for (int i = 0; i < is->n && settled; i++)
        is->body[i]->report.rough++;
    return settled;
}

static const char not_less[] = "energy is not less with pressures that were foreseen";

// `foreseen`: with pressures that are foreseen, which is quick or fails.
static swStatus search(const swIsland *is, bool foreseen) {
    const swBodyModel *m = is->body[0]->model;
    const swObjective *o = is->objective;
    swReal size = 0; // of the residual, squared
    swReal shift = o->shift > 0 ? sw_min(o->shift, first_shift) : first_shift;
    const int most = o->iterations > 0 ? o->iterations : m->settings->iterations,
              iterations = foreseen ? sw_min_int(most, MAX_FORESEEN) : most;
    measure_all(is);
    const bool ahead = looks_ahead(is), dear = is_dear(is);
    // A part of this step that went to the limit has shown that the next ones need not.
    const bool known = is->body[0]->report.rough > 0;
    int renewals = 0;
    bool again = false; // the matrix there is may be taken for another step
    bool plain = true;  // it is the tangent, which is positive definite
    swValue value = evaluate(is, false, ahead, SW_PROJECT_NONE);
    if (is_stopped(is))
        return stop(is, SW_ERROR_STOPPED, "stopped");
    if (!isfinite(value.energy))
        return stop(is, isnan(value.energy) ? SW_ERROR_NOT_FINITE : SW_ERROR_NOT_CONVERGED,
                    no_volume);
    const swReal start = value.energy + sw_foresight_gap(is), magnitude = value.magnitude;
    Trail trail = {0};
    for (int iteration = 0;; iteration++) {
        if (all_in_balance(is, iteration > 0)) {
            const swReal end = value.energy + sw_foresight_gap(is);
            if (foreseen && iteration > 0 &&
                !(plain &&
                  end <= start + 1e-14 * (magnitude + value.magnitude) + work_rounding(is)))
                return stop(is, SW_ERROR_NOT_CONVERGED, not_less);
            note(is, iteration > 0);
            return succeed(is, &value);
        }
        if (!residual_is_finite(is))
            return stop(is, SW_ERROR_NOT_FINITE, "forces are not finite");
        const bool last = iteration == iterations;
        if ((last || iteration == 2 * trail.iteration) &&
            is_settled(is, &trail, iteration, &value, last || known ? 1e-3 : 1e-7))
            return succeed(is, &value);
        if (last)
            return stop(is, SW_ERROR_NOT_CONVERGED, "the limit of Newton iterations was reached");
        follow(&trail, iteration, value.energy);
        swReal slope;
        const swReal before = size, forcing = choose_forcing(is, &size);
        if (again && size <= fast * fast * before && step_again(is, &value))
            continue;
        const bool ready = iteration == 0 ? ahead : dear && renew(is, &value, &renewals);
        const swStatus status = find_step(is, ready, forcing, &shift, &plain, &slope);
        if (status != SW_OK)
            return status;
        again = dear && plain;
        sw_foresight_move(is, &value, &slope);
        if (foreseen && !(slope < 0))
            return stop(is, SW_ERROR_NOT_CONVERGED, not_less);
        if (line_search(is, slope, MAX_CUTS, &value))
            continue;
        if (is_stopped(is))
            return stop(is, SW_ERROR_STOPPED, "stopped");
        if (foreseen)
            return stop(is, SW_ERROR_NOT_CONVERGED, not_less);
        // At the rounding of the energy no step can show a decrease: done if the step itself is
        // negligible.
        if ((!plain || !step_is_negligible(is)) && !is_settled(is, &trail, iteration, &value, 1e-3))
            return stop(is, SW_ERROR_NOT_CONVERGED, "the line search found no decrease of energy");
        value = evaluate(is, false, false, SW_PROJECT_NONE); // reactions
        return is_stopped(is) ? stop(is, SW_ERROR_STOPPED, "stopped") : succeed(is, &value);
    }
}

// Pressures that are foreseen first: where that fails, or ends where energy is not less than at the
// start, energy falls from step to step.
swStatus sw_island_newton(const swIsland *is) {
    if (!wants_definite(is) && sw_foresight_applies(is)) {
        sw_foresight_begin(is);
        const swStatus status = search(is, true);
        const bool failed = status == SW_ERROR_NOT_CONVERGED || status == SW_ERROR_NOT_FINITE;
        sw_foresight_end(is, failed);
        if (!failed)
            return status;
    }
    return search(is, false);
}

swStatus sw_newton(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal *q) {
    (void)m;
    swObjective objective = *o;
    const swIsland alone = {
        .world = s->world, .n = 1, .body = &s, .objective = &objective, .q = &q};
    return sw_island_newton(&alone);
}
