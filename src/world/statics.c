// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Static equilibrium, walked to in load increments, or along the path of equilibria.
#include "kinematics/group.h"
#include "kinematics/correct.h"
#include "kinematics/relax.h"
#include "kinematics/rigid.h"
#include "kinematics/handles.h"
#include "solve/saddle.h"
#include "world/arc_length.h"
#include "world/world.h"

#include <string.h>

static const swReal smallest_increment = 1.0 / 4096;
enum { MAX_TURNS = 200, MAX_POINTS = 500 }; // of one increment; of a path
enum { MAX_LEFT = 11 };                     // saddles of one increment
enum { PATIENCE = 3 };       // times as many iterations to leave one, as valleys are long
enum { MAX_UNKNOWNS = 400 }; // for which a path is tried without being asked for: it takes long
static const swReal lowest_load = -10; // where a path is given up

static swObjective objective_at(const swBodyState *s, swReal load) {
    const swBodyModel *m = s->model;
    const swWork *w = s->work;
    return (swObjective){.load = load,
                         .t = sw_clamp(load, 0, 1) * s->world->keys_end,
                         .tolerance = m->settings->tolerance,
                         .activation = w->activation,
                         .plastic = w->plastic};
}

// Whether a sample has no volume left. Laws that take inversion have equilibria there too, which
// too large an increment falls into; no load leads to them.
static bool inverted(const swBodyModel *m, const swWork *w, const swReal *q) {
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        if (m->body[g->body].precomputed)
            continue;
        swReal *scratch = w->elastic.scratch[0], *F = scratch + sw_group_rows(g) * g->ncolumn;
        const swReal *a = sw_group_gather(m, g, q, scratch);
        for (int b = 0; b < g->nblock; b++) {
            sw_group_gradient(m, g, b, 1, a, NULL, F);
            sw_group_relax(m, g, b, 1, w->relax, F);
            sw_group_correct(m, g, b, 1, q, F);
            for (int lane = 0; lane < SW_LANES; lane++) {
                swMat3 G;
                for (int k = 0; k < 9; k++)
                    G.m[k] = F[k * SW_LANES + lane];
                if (m->sample_volume[g->sample + b * SW_LANES + lane] > 0 && !(sw_mat_det(G) > 0))
                    return true;
            }
        }
    }
    return sw_links_inverted(m, &w->elastic.links, q);
}

void sw_statics_place(const swBodyModel *m, swBodyState *s, swReal load, swReal *q) {
    const swReal t = sw_clamp(load, 0, 1) * s->world->keys_end;
    // What the program moves has the rest of its way before it, as the load has.
    const swReal done = s->report.load,
                 share = load >= 1 ? 1 : sw_clamp((load - done) / (1 - done), 0, 1);
    sw_handles_pose(m, s, t, share, q);
    sw_activations(m, s, t, load, s->work->activation);
}

// Shares go to their end ever more slowly, the softer what holds them: every third turn they leap
// to where a geometric series of the last two ends.
static swReal follow(const swBodyModel *m, swBodyState *s, const swReal *q, int count) {
    swWork *w = s->work;
    swReal *now = w->turn[count % 2], *before = w->turn[(count + 1) % 2], product = 0, square = 0;
    const int64_t n = sw_control_count(m);
    memcpy(now, w->activation, (size_t)n * sizeof *now);
    const swReal largest = sw_activations_follow(m, s, q, w->plastic);
    for (int64_t i = 0; i < n; i++) {
        now[i] = w->activation[i] - now[i];
        product += now[i] * before[i];
        square += before[i] * before[i];
    }
    const swReal ratio = square > 0 ? sw_min(product / square, 0.999) : 0;
    for (int64_t i = 0; i < n && count % 3 == 2 && ratio > 0; i++)
        w->activation[i] = sw_clamp(w->activation[i] + ratio / (1 - ratio) * now[i], 0, 1);
    return largest;
}

static const char *never_settles(const swIsland *is) {
    for (int i = 0; i < is->n; i++) {
        if (is->body[i]->model->size.nplastic > 0)
            return "the material flows on and on: it cannot carry this load";
        if (sw_body_follows(is->body[i]->model))
            return "a body follows its rest shapes on and on";
    }
    return "rotations of particles change on and on";
}

static swStatus fail(const swIsland *is, swStatus status, const char *reason) {
    for (int i = 0; i < is->n; i++) {
        swStepReport *report = &is->body[i]->report;
        snprintf(report->reason, sizeof report->reason, "%s", reason);
        report->status = status;
    }
    return status;
}

static swStatus fail_stopped(const swIsland *is) { return fail(is, SW_ERROR_STOPPED, "stopped"); }

// Equilibrium, then flow, the shares of followed shapes and rotations from handles, until nothing
// is beyond its yield stress and the others stay.
static swStatus settle(const swIsland *is) {
    for (int turn = 0; turn < MAX_TURNS; turn++) {
        const swStatus status = sw_island_newton(is);
        if (status != SW_OK)
            return status;
        swReal moved = 0;
        for (int i = 0; i < is->n; i++) {
            swBodyState *s = is->body[i];
            const swBodyModel *m = s->model;
            swWork *w = s->work;
            moved = sw_max(moved, sw_plastic_update(m, &w->elastic, s->pool, is->q[i], w->relax,
                                                    INFINITY, w->plastic));
            if (sw_body_follows(m))
                moved = sw_max(moved, follow(m, s, is->q[i], turn));
            moved = sw_max(moved, sw_particles_turn(m, &w->elastic.particles, s->pool, is->q[i]));
        }
        if (moved <= is->world->model->settings.tolerance)
            return SW_OK;
    }
    return fail(is, SW_ERROR_NOT_CONVERGED, never_settles(is));
}

static void copy_stand(const swBodyModel *m, const swStand *from, const swStand *to) {
    memcpy(to->q, from->q, (size_t)m->size.nq * sizeof *to->q);
    memcpy(to->relax, from->relax, (size_t)m->size.nrelax * sizeof *to->relax);
    memcpy(to->activation, from->activation, (size_t)sw_control_count(m) * sizeof *to->activation);
    memcpy(to->plastic, from->plastic, (size_t)m->size.nplastic * sizeof *to->plastic);
}

// Back to the saddle, with its forces.
static void come_back(const swBodyModel *m, swBodyState *s, const swObjective *o,
                      const swStand *here) {
    swWork *w = s->work;
    copy_stand(m, &w->saddle, here);
    sw_particles_turn(m, &w->elastic.particles, s->pool, here->q);
    s->report.contacts =
        sw_objective_evaluate(m, s, o, here->q, true, false, SW_PROJECT_NONE).contacts;
    sw_newton_done(m, s, o, here->q);
    memcpy(w->relax, w->saddle.relax, (size_t)m->size.nrelax * sizeof *w->relax);
    s->report.status = SW_OK;
    s->report.reason[0] = 0;
}

// From a saddle at work->q_new down to another equilibrium. Twice the curvature on the diagonal and
// the motion grows twofold in an iteration, where the usual shift would let a slender body creep.
static bool leave(const swIsland *is, const swObjective *o, swReal curvature) {
    swBodyState *s = is->body[0];
    is->objective->shift = -2 * curvature;
    is->objective->iterations = PATIENCE * s->model->settings->iterations;
    const bool left = sw_saddle_leave(s->model, s, o, s->work->q_new) && settle(is) == SW_OK &&
                      !inverted(s->model, s->work, s->work->q_new);
    *is->objective = *o;
    return left;
}

// work->q_new is in equilibrium; where it gives way it goes to where it does not. If there is no
// such place, or it is to stay, it is at the last one. True where that is unstable.
static bool steady(const swIsland *is, bool at_hand, bool stay) {
    swBodyState *s = is->body[0];
    const swBodyModel *m = s->model;
    const swObjective o = *is->objective;
    swWork *w = s->work;
    const swStand here = {w->q_new, w->relax, w->activation, w->plastic};
    for (int count = 0;; count++) {
        swReal curvature;
        if (sw_stability_at(m, s, &o, w->q_new, at_hand, &curvature) != SW_UNSTABLE)
            return false;
        if (stay || count == MAX_LEFT)
            return true;
        copy_stand(m, &here, &w->saddle);
        const int64_t prepared = w->linear.prepared;
        if (!leave(is, &o, curvature)) {
            come_back(m, s, &o, &here);
            return true;
        }
        s->report.left++;
        at_hand = w->linear.prepared > prepared;
    }
}

// work->q_new, found for that load, is the state now.
static void accept(const swBodyModel *m, swBodyState *s, swReal load) {
    swWork *w = s->work;
    memcpy(w->q_start, s->q, (size_t)m->size.nq * sizeof *s->q);
    sw_nodes_make_rigid(m, w->q_new);
    sw_body_react(m, s, w->q_new);
    sw_body_touch(m, s, w->q_new, sw_clamp(load, 0, 1) * s->world->keys_end);
    sw_body_rest(m, s, w->q_new);
    sw_amplitudes_keep(s);
    s->t = sw_clamp(load, 0, 1) * s->world->keys_end;
    s->report.increments++;
    s->report.load = load;
}

// The better of two starts for a load into work->q_new: the state as it is, or gone on as in the
// last increment, `ahead` times as far.
static void guess(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal ahead) {
    swWork *w = s->work;
    const size_t bytes = (size_t)m->size.nq * sizeof *s->q;
    swObjective estimate = *o;
    estimate.frozen = true;
    memcpy(w->q_new, s->q, bytes);
    sw_statics_place(m, s, o->load, w->q_new);
    if (ahead <= 0)
        return;
    for (int64_t i = 0; i < m->size.nq; i++)
        w->q_end[i] = s->q[i] + ahead * (s->q[i] - w->q_start[i]);
    sw_nodes_make_rigid(m, w->q_end);
    sw_statics_place(m, s, o->load, w->q_end);
    const swReal stay =
        sw_objective_evaluate(m, s, &estimate, w->q_new, false, false, SW_PROJECT_NONE).energy;
    const swReal on =
        sw_objective_evaluate(m, s, &estimate, w->q_end, false, false, SW_PROJECT_NONE).energy;
    if (isfinite(on) && !(stay <= on))
        memcpy(w->q_new, w->q_end, bytes);
}

// Whether an increment is looked at: it takes conjugate gradients long. Of several bodies together
// none is.
static bool doubtful(const swIsland *is, swReal to, int projections) {
    const swBodyState *s = is->body[0];
    return is->n == 1 &&
           (s->work->linear.kind != SW_LINEAR_CG || to >= 1 || s->report.projections > projections);
}

static bool any_inverted(const swIsland *is) {
    for (int i = 0; i < is->n; i++)
        if (inverted(is->body[i]->model, is->body[i]->work, is->q[i]))
            return true;
    return false;
}

// From the state towards the load `to`. Handles and activations go with it along their keys.
// `stay`: where the equilibrium is unstable too.
static swStatus increment(const swIsland *is, swReal to, swReal ahead, bool stay) {
    const swBodyState *first = is->body[0];
    const int64_t prepared = first->work->linear.prepared;
    const int projections = first->report.projections;
    for (int i = 0; i < is->n; i++) {
        swBodyState *s = is->body[i];
        swWork *w = s->work;
        is->objective[i] = objective_at(s, to);
        memcpy(w->plastic, s->plastic, (size_t)s->model->size.nplastic * sizeof *s->plastic);
        sw_amplitudes_recall(s);
        guess(s->model, s, &is->objective[i], ahead);
        sw_particles_turn(s->model, &w->elastic.particles, s->pool, w->q_new);
    }
    swStatus status = settle(is);
    if (status == SW_OK && any_inverted(is))
        status = fail(is, SW_ERROR_NOT_CONVERGED,
                      "the equilibrium found is inverted: a sample has no volume left");
    if (status != SW_OK)
        return status;
    const bool unstable =
        doubtful(is, to, projections) && steady(is, first->work->linear.prepared > prepared, stay);
    if (sw_pool_stopped(first->pool))
        return fail_stopped(is);
    for (int i = 0; i < is->n; i++) {
        swBodyState *s = is->body[i];
        s->report.unstable = unstable;
        memcpy(s->plastic, s->work->plastic, (size_t)s->model->size.nplastic * sizeof *s->plastic);
        accept(s->model, s, to);
    }
    return SW_OK;
}

// Whether neither a handle nor a slide nor a collider nor a pull holds it: then it has no
// equilibrium.
static bool is_loose(const swBodyState *s) {
    const swBodyModel *m = s->model;
    bool held =
        s->world->model->size.ncollider > 0 || sw_pulls_stiffness(m, s->world, s->index) > 0;
    for (int n = 0; n < m->size.nnode; n++)
        held = held || m->node[n].ndof == 0 || m->node[n].slide;
    return !held;
}

// What takes long asks with the share of the load that is done.
static void watch(swBodyState *s) {
    sw_pool_watch(s->pool, &s->config, "static", sw_clamp(s->report.load, 0, 1));
}

// Calls `each` after every increment; false where it asks to stop.
static bool tell(swBodyState *s, const swLoadListener *l) {
    sw_pool_watch(s->pool, NULL, NULL, 0); // whoever listens is not stopped
    const bool on = !l || l->each(l->context, s->report.load) || s->report.load == 1;
    watch(s);
    return on;
}

// Increments are halved where they fail, and grow again.
static swStatus follow_load(const swIsland *is, swReal end, const swLoadListener *l) {
    const swSettings *settings = &is->world->model->settings;
    const swStepReport *report = &is->body[0]->report;
    const swReal largest = 1.0 / sw_max_int(1, settings->increments);
    swReal size = largest, last = 0;
    swStatus status = SW_OK;
    while (report->load < end) {
        const swReal load = report->load, to = load + size > end - 1e-12 ? end : load + size;
        const int left = report->left;
        status = increment(is, to, last > 0 ? (to - load) / last : 0,
                           settings->saddles == SW_SADDLES_KEEP);
        if (status == SW_OK) {
            last = report->left == left ? to - load : 0; // a leap does not go on
            size = sw_min(2 * size, largest);
            if (!tell(is->body[0], l))
                return fail_stopped(is);
        } else if (status == SW_ERROR_STOPPED)
            return status;
        else if (size > smallest_increment) {
            size *= 0.5;
            for (int i = 0; i < is->n; i++)
                is->body[i]->report.cuts++;
        } else
            return status;
    }
    return status;
}

// Along the path to the first point with all of the load. Its points may be unstable; so may the
// last one where the path was asked for.
static swStatus follow_path(const swIsland *is, const swLoadListener *l) {
    static const char lost[] = "the path of equilibria ends, or turns too sharply to be followed";
    swBodyState *s = is->body[0];
    const swBodyModel *m = s->model;
    swWork *w = s->work;
    const bool stay =
        m->settings->path == SW_PATH_ARC_LENGTH || m->settings->saddles == SW_SADDLES_KEEP;
    swArc arc;
    swStatus status = SW_OK;
    bool ok = sw_arc_start(&arc, m, s, s->report.load, 1.0 / m->settings->increments);
    if (!ok && sw_pool_stopped(s->pool))
        status = fail_stopped(is);
    else if (!ok)
        status = fail(is, SW_ERROR_NOT_CONVERGED, arc.total ? lost : "no memory for arc length");
    for (int point = 0; status == SW_OK && s->report.load < 1; point++) {
        swReal load;
        ok = sw_arc_advance(&arc, &load) && !inverted(m, w, w->q_new);
        if (ok && load >= 1) { // the rest is an increment like any other
            for (int64_t i = 0; i < m->size.nq; i++)
                w->q_start[i] = 2 * s->q[i] - w->q_new[i]; // guessed between the two
            ok = increment(is, 1, (1 - arc.load) / (load - arc.load), stay) == SW_OK;
            if (ok)
                tell(s, l);
        } else if (ok && (ok = sw_arc_turn(&arc, load))) {
            *is->objective = objective_at(s, load);
            const bool unstable = steady(is, false, true);
            if ((ok = !sw_pool_stopped(s->pool))) {
                s->report.unstable = unstable;
                accept(m, s, load);
                if (!tell(s, l))
                    status = fail_stopped(is);
            }
        }
        if (!ok && sw_pool_stopped(s->pool))
            status = fail_stopped(is);
        else if (!ok) {
            s->report.cuts++;
            if (!sw_arc_shorten(&arc))
                status = fail(is, SW_ERROR_NOT_CONVERGED, lost);
        }
        if (status == SW_OK && (point == MAX_POINTS || s->report.load < lowest_load))
            status = fail(is, SW_ERROR_NOT_CONVERGED,
                          "the path of equilibria does not come to the full load");
    }
    sw_arc_free(&arc);
    return status;
}

// The path begins in balance, without load.
static swStatus unload(const swIsland *is) {
    swBodyState *s = is->body[0];
    const swBodyModel *m = s->model;
    const swObjective objective = {.tolerance = m->settings->tolerance,
                                   .activation = s->work->activation};
    sw_statics_place(m, s, 0, s->q);
    sw_amplitudes_recall(s);
    sw_objective_evaluate(m, s, &objective, s->q, true, false, SW_PROJECT_NONE);
    if (sw_pool_stopped(s->pool))
        return fail_stopped(is);
    return sw_newton_done(m, s, &objective, s->q) ? SW_OK : increment(is, 0, 0, true);
}

// Where load increments have failed the path may lead on; else all stays as they left it.
static swStatus try_path(const swIsland *is, const swLoadListener *l, swStatus failure) {
    swBodyState *s = is->body[0];
    const swBodyState before = *s;
    void *block = sw_alloc(&s->config.allocator, s->block_size);
    if (!block)
        return failure;
    memcpy(block, s->block, s->block_size);
    if (l)
        l->path(l->context, true);
    const swStatus status = follow_path(is, l);
    const bool ok = status == SW_OK || status == SW_ERROR_STOPPED;
    if (!ok) {
        memcpy(s->block, block, s->block_size);
        s->report = before.report;
        s->t = before.t;
        if (l)
            l->path(l->context, false);
    }
    sw_free(&s->config.allocator, block, s->block_size);
    return ok ? status : failure;
}

static bool flows(const swIsland *is) {
    for (int i = 0; i < is->n; i++)
        if (is->body[i]->model->size.nplastic > 0 || sw_body_follows(is->body[i]->model))
            return true;
    return false;
}

static void follow_particles(const swIsland *is, bool on) {
    for (int i = 0; i < is->n; i++)
        sw_particles_follow(is->body[i]->model, &is->body[i]->work->elastic.particles, on);
}

// From the share of the load that the report says to another one, in increments that are halved
// where they fail; or along the path of equilibria.
static swStatus go_to(const swIsland *is, swReal to, const swLoadListener *listener) {
    const swBodyModel *m = sw_body_enter(is->body[0]);
    const swPath path = (swPath)m->settings->path;
    bool loose = true;
    swStatus status;
    for (int i = 0; i < is->n; i++)
        loose = is_loose(is->body[i]) && loose;
    if (loose)
        return fail(is, SW_ERROR_NOT_CONVERGED,
                    "nothing holds it: give it a handle that is fixed or moved");
    if (path == SW_PATH_ARC_LENGTH && (flows(is) || is->n > 1))
        return fail(is, SW_ERROR_NOT_CONVERGED,
                    is->n > 1              ? "arc length is not for bodies with joints"
                    : m->size.nplastic > 0 ? "arc length is not for materials that yield"
                                           : "arc length is not for bodies that follow shapes");
    watch(is->body[0]);
    if (path == SW_PATH_ARC_LENGTH) {
        status = unload(is);
        status = status == SW_OK ? follow_path(is, listener) : status;
    } else {
        follow_particles(is, true);
        status = follow_load(is, to, listener);
        follow_particles(is, false);
        if (status == SW_ERROR_NOT_CONVERGED && path == SW_PATH_AUTO && !flows(is) && is->n == 1 &&
            m->size.ndof <= MAX_UNKNOWNS && m->size.nparticle == 0)
            status = try_path(is, listener, status);
    }
    for (int i = 0; i < is->n; i++)
        is->body[i]->report.status = status;
    return status;
}

// ---- all bodies ----

typedef struct {
    swState *state;
    swEachIncrement *each;
    void *context;
    swReal load, t, clock_time; // where a path began
    int64_t step, clock_step;
} swStatics;

// All bodies are at this share of the load.
static bool arrive(void *context, swReal load) {
    const swStatics *a = context;
    swState *s = a->state;
    s->step++;
    s->report.load = load;
    sw_state_set_time(s, sw_clamp(load, 0, 1) * s->keys_end);
    sw_report_gather(s);
    if (a->each)
        a->each(a->context);
    return sw_progress(&s->config, "static", sw_clamp(load, 0, 1)) || load == 1;
}

// A path begins, or has led nowhere.
static void undo(void *context, bool begin) {
    swStatics *a = context;
    swState *s = a->state;
    if (begin) {
        a->load = s->report.load;
        a->t = s->t;
        a->clock_time = s->clock_time;
        a->step = s->step;
        a->clock_step = s->clock_step;
        return;
    }
    s->report.load = a->load;
    s->t = a->t;
    s->clock_time = a->clock_time;
    s->step = a->step;
    s->clock_step = a->clock_step;
}

typedef struct {
    swReal load;
    const swLoadListener *listener;
    swStatus status;
} swGoal;

static void load_island(swIsland *is, void *arg) {
    swGoal *goal = arg;
    if (goal->status == SW_OK)
        goal->status = go_to(is, goal->load, goal->listener);
}

// Several islands go to the same shares of the load, each as it can; along paths of equilibria to
// all of it.
static swStatus load_together(swStatics *a) {
    swState *s = a->state;
    const swSettings *settings = &s->model->settings;
    const int n = settings->path == SW_PATH_ARC_LENGTH ? 1 : settings->increments;
    for (int k = 1; k <= n; k++) {
        swGoal goal = {.load = k == n ? 1 : (swReal)k / n};
        sw_islands_each(s, load_island, &goal);
        if (goal.status != SW_OK)
            return goal.status;
        if (!arrive(a, goal.load))
            return SW_ERROR_STOPPED;
    }
    return SW_OK;
}

static swStatus load_alone(swStatics *a) {
    const swLoadListener listener = {arrive, undo, a};
    swGoal goal = {.load = 1, .listener = &listener};
    sw_islands_each(a->state, load_island, &goal);
    return goal.status;
}

swStatus sw_solve_static_each(const swModel *m, swState *s, swEachIncrement *each, void *context) {
    SW_ASSERT(m == s->model || m == s->view);
    const double start = sw_seconds();
    swStatics statics = {.state = s, .each = each, .context = context};
    memset(&s->report, 0, sizeof s->report);
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        sw_body_wake(s->body[i]);
        memset(&s->body[i]->report, 0, sizeof s->body[i]->report);
    }
    sw_islands_find(s);
    const swStatus status = s->islands->n == 1 ? load_alone(&statics) : load_together(&statics);
    sw_report_gather(s);
    if (status == SW_ERROR_STOPPED) {
        s->report.status = status;
        snprintf(s->report.reason, sizeof s->report.reason, "stopped");
    }
    sw_pool_watch(s->pool, NULL, NULL, 0);
    s->profile.total += sw_seconds() - start;
    s->profile.steps++;
    return s->report.status;
}

swStatus sw_solve_static(const swModel *m, swState *s) {
    return sw_solve_static_each(m, s, NULL, NULL);
}
