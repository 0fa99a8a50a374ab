// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Newton's method with a line search. The plain tangent first; the positive semi-definite one where
// that fails.
#include "kinematics/rigid.h"
#include "math/cholesky.h"
#include "solve/work.h"

#include <float.h>
#include <string.h>

enum { MAX_CUTS = 40, MAX_SHIFTS = 30 };
static const swReal max_turn = 0.7; // [rad] a rigid node turns in one iteration
static const swReal armijo = 1e-4;  // share of the promised decrease that a step must bring

static swReal residual_norm(const swModel *m, const swWork *w) {
    swReal largest = 0;
    for (int64_t i = 0; i < m->size.ndof; i++)
        largest = sw_max(largest, fabs(w->residual[i]) / w->length[i]);
    return largest;
}

static void build_matrix(const swModel *m, swWork *w, const swReal *q) {
    if (w->folded)
        sw_nodes_fold_hessian(m, q, w->g, w->H, w->H_stride, w->A, w->A_stride);
}

// The largest diagonal entry of A, per length squared.
static swReal largest_diagonal(const swModel *m, const swWork *w) {
    swReal largest = 0;
    for (int64_t i = 0; i < m->size.ndof; i++)
        largest = sw_max(largest, fabs(w->A[i * w->A_stride + i]) / (w->length[i] * w->length[i]));
    return largest;
}

// Factors A; false where it is not positive definite. A pivot that is all rounding belongs to a
// motion that nothing resists, as too few samples leave some: a step along it would have no end.
static bool factor(const swModel *m, swWork *w) {
    const int n = (int)m->size.ndof;
    const swReal least = 1e-13 * largest_diagonal(m, w);
    if (sw_cholesky_factor(n, w->A, w->A_stride, w->envelope) != n)
        return false;
    for (int i = 0; i < n; i++) {
        const swReal root = w->A[(ptrdiff_t)i * w->A_stride + i] / w->length[i];
        if (!(root * root > least))
            return false;
    }
    return true;
}

// Assembles and factors at q. True where the tangent is the plain one.
static bool factor_some_tangent(const swModel *m, swState *s, const swObjective *o, const swReal *q,
                                bool *plain) {
    swWork *w = s->work;
    const int n = (int)m->size.ndof;
    sw_objective_evaluate(m, s, o, q, true, true, SW_PROJECT_NONE);
    double start = sw_seconds();
    build_matrix(m, w, q);
    *plain = factor(m, w);
    s->profile.solve += sw_seconds() - start;
    if (*plain)
        return true;
    // Geometric terms of rigid nodes and colliders may still be negative: then a growing multiple
    // of the diagonal helps.
    s->report.projections++;
    swReal shift = 0;
    for (int attempt = 0; attempt < MAX_SHIFTS; attempt++) {
        sw_objective_evaluate(m, s, o, q, true, true, SW_PROJECT_CLAMP);
        build_matrix(m, w, q);
        const swReal more = shift * largest_diagonal(m, w);
        for (int i = 0; i < n; i++)
            w->A[(ptrdiff_t)i * w->A_stride + i] += more * w->length[i] * w->length[i];
        if (factor(m, w))
            return true;
        shift = shift > 0 ? 10 * shift : 1e-12;
    }
    return false;
}

// The longest step at which no rigid node turns by more than max_turn.
static swReal turn_limit(const swModel *m, const swReal *step) {
    swReal largest = 0;
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (m->node[i].kind == SW_NODE_RIGID && m->node[i].ndof == 6) {
            const swReal *d = step + m->node[i].dof + 3;
            largest = sw_max(largest, sw_norm(sw_v3(d[0], d[1], d[2])));
        }
    return largest > max_turn ? max_turn / largest : 1;
}

static swStatus stop(swState *s, swStatus status, const char *reason) {
    s->report.status = status;
    snprintf(s->report.reason, sizeof s->report.reason, "%s", reason);
    return status;
}

// Moves q along work->step as far as the energy falls; work->g is then that of the new q. False: it
// does not fall.
static bool line_search(const swModel *m, swState *s, const swObjective *o, swReal *q, swReal slope,
                        swValue *value) {
    swWork *w = s->work;
    const size_t bytes = (size_t)m->size.nq * sizeof *q;
    swReal alpha = turn_limit(m, w->step);
    for (int cut = 0; cut < MAX_CUTS; cut++, alpha *= 0.5) {
        memcpy(w->q_trial, q, bytes);
        sw_nodes_move(m, w->step, alpha, w->q_trial);
        swValue trial = sw_objective_evaluate(m, s, o, w->q_trial, true, false, SW_PROJECT_NONE);
        // Rounded positions do the work of the forces at work.
        swReal rounding = 1e-14 * (value->magnitude + trial.magnitude) +
                          8 * DBL_EPSILON * sw_max(value->scale, trial.scale) * w->reach;
        if (isfinite(trial.energy) &&
            trial.energy <= value->energy + armijo * alpha * slope + rounding) {
            memcpy(q, w->q_trial, bytes);
            *value = trial;
            return true;
        }
        s->report.line_search_cuts++;
    }
    return false;
}

swStatus sw_newton(const swModel *m, swState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    swStepReport *report = &s->report;
    const int n = (int)m->size.ndof;
    const swReal noise = w->force_noise + w->inertia_noise * o->inertia;
    swValue value = sw_objective_evaluate(m, s, o, q, true, false, SW_PROJECT_NONE);
    if (!isfinite(value.energy))
        return stop(s, isnan(value.energy) ? SW_ERROR_NOT_FINITE : SW_ERROR_NOT_CONVERGED,
                    "the start is inverted: a sample has no volume left; take a smaller step");
    for (int iteration = 0;; iteration++) {
        sw_nodes_fold_gradient(m, q, w->g, w->residual);
        report->residual = residual_norm(m, w);
        report->scale = value.scale;
        report->contacts = value.contacts;
        if (!isfinite(report->residual))
            return stop(s, SW_ERROR_NOT_FINITE, "forces are not finite");
        if (report->residual <= o->tolerance * value.scale + noise)
            return stop(s, SW_OK, "");
        if (iteration == m->settings.iterations)
            return stop(s, SW_ERROR_NOT_CONVERGED, "the limit of Newton iterations was reached");
        bool plain;
        if (!factor_some_tangent(m, s, o, q, &plain))
            return stop(s, SW_ERROR_NOT_CONVERGED,
                        "the stiffness is singular: is every body held or has mass?");
        report->iterations++;
        s->profile.iterations++;
        double start = sw_seconds();
        swReal slope = 0, longest = 0;
        for (int i = 0; i < n; i++)
            w->step[i] = -w->residual[i];
        sw_cholesky_solve(n, w->A, w->A_stride, w->envelope, w->step);
        for (int i = 0; i < n; i++) {
            slope += w->residual[i] * w->step[i];
            longest = sw_max(longest, fabs(w->step[i]) * w->length[i]);
        }
        s->profile.solve += sw_seconds() - start;
        if (!isfinite(slope))
            return stop(s, SW_ERROR_NOT_FINITE, "the Newton step is not finite");
        swReal before = report->residual;
        if (!line_search(m, s, o, q, slope, &value)) {
            // At the rounding of the energy no step can show a decrease: done if the step itself is
            // negligible.
            report->residual = before;
            if (plain && longest <= w->small_step) {
                sw_objective_evaluate(m, s, o, q, true, false, SW_PROJECT_NONE); // reactions at q
                return stop(s, SW_OK, "");
            }
            return stop(s, SW_ERROR_NOT_CONVERGED, "the line search found no decrease of energy");
        }
    }
}
