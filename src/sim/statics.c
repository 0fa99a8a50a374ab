// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Static equilibrium, walked to in load increments.
#include "kinematics/group.h"
#include "kinematics/rigid.h"
#include "kinematics/handles.h"
#include "sim/sim.h"

#include <string.h>

static const swReal smallest_increment = 1.0 / 4096;
enum { MAX_FLOWS = 200 }; // of one increment

// Whether a sample has no volume left. Laws that take inversion have equilibria there too, which
// too large an increment falls into; no load leads to them.
static bool inverted(const swModel *m, swReal *scratch, const swReal *q) {
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        swReal *a = scratch, *F = a + sw_group_rows(g) * g->ncolumn;
        sw_group_gather(m, g, q, a);
        for (int b = 0; b < g->nblock; b++) {
            sw_group_gradient(m, g, b, 1, a, NULL, F);
            for (int lane = 0; lane < SW_LANES; lane++) {
                swMat3 G;
                for (int k = 0; k < 9; k++)
                    G.m[k] = F[k * SW_LANES + lane];
                if (m->sample_volume[g->sample + b * SW_LANES + lane] > 0 && !(sw_mat_det(G) > 0))
                    return true;
            }
        }
    }
    return false;
}

// The time of the last key there is.
static swReal keys_end(const swModel *m) {
    return sw_max(sw_handles_end(m), sw_activations_end(m));
}

// Equilibrium, then flow, until nothing is beyond its yield stress.
static swStatus settle(const swModel *m, swState *s, const swObjective *objective, swReal *q) {
    swWork *w = s->work;
    for (int flow = 0; flow < MAX_FLOWS; flow++) {
        swStatus status = sw_newton(m, s, objective, q);
        if (status != SW_OK || sw_plastic_update(m, &w->elastic, s->pool, q, w->relax,
                                                 w->plastic) <= m->settings.tolerance)
            return status;
    }
    snprintf(s->report.reason, sizeof s->report.reason,
             "the material flows on and on: it cannot carry this load");
    return SW_ERROR_NOT_CONVERGED;
}

// From the state towards the load `to`. Handles and activations go with it along their keys.
static swStatus increment(const swModel *m, swState *s, swReal to) {
    swWork *w = s->work;
    swObjective objective = {.load = to,
                             .tolerance = m->settings.tolerance,
                             .activation = w->activation,
                             .plastic = w->plastic};
    const size_t plastic = (size_t)m->size.nplastic * sizeof *s->plastic;
    memcpy(w->q_new, s->q, (size_t)m->size.nq * sizeof *s->q);
    memcpy(w->plastic, s->plastic, plastic);
    memcpy(w->relax, s->relax, (size_t)m->size.nrelax * sizeof *s->relax);
    sw_handles_pose(m, to * keys_end(m), w->q_new);
    sw_activations(m, s, to * keys_end(m), to, w->activation);
    swStatus status = settle(m, s, &objective, w->q_new);
    if (status == SW_OK && inverted(m, w->elastic.scratch[0], w->q_new)) {
        status = SW_ERROR_NOT_CONVERGED;
        snprintf(s->report.reason, sizeof s->report.reason,
                 "the equilibrium found is inverted: a sample has no volume left");
    }
    if (status != SW_OK)
        return status;
    sw_nodes_make_rigid(m, w->q_new);
    sw_state_react(m, s, w->q_new);
    sw_state_rest(m, s, w->q_new);
    memcpy(s->plastic, w->plastic, plastic);
    memcpy(s->relax, w->relax, (size_t)m->size.nrelax * sizeof *s->relax);
    return SW_OK;
}

// A body that neither a handle nor a collider holds has no equilibrium.
static const char *find_loose(const swModel *m) {
    for (int64_t i = 0; i < m->size.nbody && m->size.ncollider == 0; i++) {
        bool held = false;
        for (int n = m->body[i].node; n < m->body[i].node + m->body[i].nnode; n++)
            held = held || m->node[n].ndof == 0;
        if (!held)
            return sw_model_text(m, m->body[i].name);
    }
    return NULL;
}

swStatus sw_solve_static(const swModel *m, swState *s) {
    SW_ASSERT(s->model == m);
    const double start = sw_seconds();
    swReal load = 0, size = 1.0 / sw_max_int(1, m->settings.increments);
    swStatus status = SW_OK;
    memset(&s->report, 0, sizeof s->report);
    const char *loose = find_loose(m);
    if (loose) {
        snprintf(s->report.reason, sizeof s->report.reason,
                 "nothing holds the body \"%.60s\": give it a handle that is fixed or moved",
                 loose);
        return s->report.status = SW_ERROR_NOT_CONVERGED;
    }
    while (load < 1 && status == SW_OK) {
        swReal to = load + size > 1 - 1e-12 ? 1 : load + size;
        status = increment(m, s, to);
        if (status == SW_OK) {
            load = to;
            s->step++;
            sw_state_set_time(s, load * keys_end(m));
            s->report.increments++;
            if (!sw_progress(&s->config, "static", load) && load < 1) {
                snprintf(s->report.reason, sizeof s->report.reason, "stopped");
                status = SW_ERROR_STOPPED;
            }
        } else if (size > smallest_increment) {
            size *= 0.5;
            status = SW_OK;
        }
    }
    s->report.load = load;
    s->report.status = status;
    s->profile.total += sw_seconds() - start;
    s->profile.steps++;
    return status;
}
