// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The bodies of an island go on by a step of the scene: in one, or in parts where that fails.
#include "integrate/integrator.h"
#include "kinematics/handles.h"
#include "kinematics/rigid.h"
#include "world/world.h"

#include <string.h>

enum { PARTS = 64 };    // of a step, at most
enum { PATIENCE = 32 }; // times as many iterations as one search may take are enough for all parts

// ---- energy from nowhere ----

// What comes and goes with the step.
static swReal find_swing(const swIsland *is, const swIntegrator *integrator) {
    for (int i = 0; i < is->n && integrator->swing; i++)
        sw_amplitudes_recall(is->body[i]);
    return integrator->swing ? integrator->swing(is) : 0;
}

// That of the last part of a step, however long it was: what changes with the length is a gain as
// well. Where something else came between, or nothing before, that of the part to be taken.
static swReal last_swing(const swIsland *is, const swIntegrator *integrator) {
    swReal swing = 0;
    for (int i = 0; i < is->n; i++) {
        if (isnan(is->body[i]->energy))
            return find_swing(is, integrator);
        swing += is->body[i]->rest->swing;
    }
    return swing;
}

static swReal energy_between(const swIsland *is) {
    swReal sum = 0;
    for (int i = 0; i < is->nbond; i++)
        sum += sw_bond_energy(is->world, &is->bond[i]);
    return sum;
}

// Of a vibration with the period 2 pi / w the swing is at most h w / 2 of its energy. Where it is
// more than a share of all there is, the step is too long for what moves, and beyond h w = 2 that
// grows without end. What allowance there is for gains has room for a little of `held`.
static bool runs_away(swReal swing, swReal energy, swReal held) {
    return swing > sw_max(0.1 * energy, 0.005 * held);
}

// Takes energy from all that moves, as far as there is any. What is left to be taken.
static swReal slow_down(const swIsland *is, swReal energy) {
    swReal kinetic = 0;
    for (int i = 0; i < is->n; i++)
        kinetic += is->body[i]->work->kinetic;
    const swReal left = sw_max(0, energy - kinetic);
    energy -= left;
    const swReal share = kinetic > 0 ? sqrt(1 - energy / kinetic) : 0;
    for (int b = 0; b < is->n; b++) {
        swBodyState *s = is->body[b];
        const swReal taken = kinetic > 0 ? energy * s->work->kinetic / kinetic : 0;
        for (int64_t i = 0; i < s->model->size.nq; i++)
            s->v[i] *= share;
        for (int64_t i = 0; i < s->model->size.nbulk_point; i++)
            s->bulk_velocity[i] = sw_scale(share, s->bulk_velocity[i]);
        if (sw_integrator_at(s->model->settings->integrator)->past)
            s->remembered[0] = 0;
        s->work->kinetic -= taken;
        s->report.drift -= taken;
        s->energy -= taken;
    }
    return left;
}

// The same from all that is strained, of a body by itself: it gives way, at rest.
static swReal give_way(const swIsland *is, swReal energy) {
    swBodyState *s = is->body[0];
    if (!(energy > 0) || is->n > 1)
        return energy;
    const swReal before = s->energy;
    memcpy(s->work->q_new, s->q, (size_t)s->model->size.nq * sizeof *s->q);
    sw_body_rest(s->model, s, s->work->q_new);
    sw_body_give_way(s, before - energy);
    const swReal after = sw_body_total(s);
    s->report.drift += after - before;
    return sw_max(0, energy - (before - after));
}

// Work, actuation and losses explain what energy a step begins and ends with. A step after which
// more of it is there than that by a hundredth of the most there was is not taken; what was gained
// before counts until it is lost again. From the shortest steps motion loses what is too much, and
// where that is not enough, what is strained.
// `before`: energy beside that of bodies when it began. What keys alone move gains what they say.
static bool keeps_energy(const swIsland *is, const swIntegrator *integrator, swReal before,
                         bool shortest) {
    static const swReal most = 0.0085; // more is there within a step than is seen at its ends
    const swReal swing = find_swing(is, integrator), between = energy_between(is);
    swReal scale = fabs(between), held = 0, drift = between - swing - before, surplus = 0,
           rounding = 0;
    for (int i = 0; i < is->n; i++) {
        const swBodyState *s = is->body[i];
        surplus += s->rest->surplus;
        held += s->rest->scale;
        scale += s->work->scale;
        drift += s->model->size.ndof > 0 ? s->work->drift : 0;
        rounding += s->work->rounding;
    }
    const bool away = runs_away(swing, scale, held);
    surplus = sw_max(0, surplus + drift);
    scale = sw_max(scale - sw_max(0, swing) - surplus, held);
    const swReal excess = surplus - most * scale - rounding;
    bool ok = excess <= 0 && !away;
    if (!ok && !away && shortest) {
        ok = give_way(is, slow_down(is, excess)) <= 1e-9 * scale;
        surplus -= ok ? excess : 0;
    }
    for (int i = 0; i < is->n; i++) {
        swBodyState *s = is->body[i];
        if (ok) {
            s->rest->surplus = surplus / is->n;
            s->rest->swing = swing / is->n;
            s->rest->scale = scale / is->n;
        } else if (away)
            snprintf(s->report.reason, sizeof s->report.reason,
                     "the step is too long for the fastest vibration, which grows to %.3g J",
                     scale);
        else
            snprintf(s->report.reason, sizeof s->report.reason,
                     "the step would gain %.3g J that nothing explains, of %.3g J", drift, scale);
    }
    return ok;
}

// ---- parts of a step ----

// What a part of a step changes of a body, to be taken back.
static void keep(swBodyState *s, void *block, swMoment *moment) {
    memcpy(block, s->block, s->block_size);
    *moment = (swMoment){s->t, s->h, s->energy, s->elastic};
}
static void go_back(swBodyState *s, const void *block, const swMoment *to) {
    memcpy(s->block, block, s->block_size);
    s->t = to->t;
    s->h = to->h;
    s->energy = to->energy;
    s->elastic = to->elastic;
}

// One part, if energy allows. The first begins with what is saved already.
static swStatus take_part(const swIsland *is, const swIntegrator *integrator, bool first,
                          bool shortest) {
    for (int i = 0; i < is->n; i++) {
        swBodyState *s = is->body[i];
        if (!first)
            keep(s, s->work->part, &s->work->part_begin);
        s->work->part_report = s->report;
    }
    const swReal before = energy_between(is) - last_swing(is, integrator);
    const swStatus status = sw_island_step(is, integrator, shortest);
    if (status == SW_OK && keeps_energy(is, integrator, before, shortest))
        return SW_OK;
    for (int i = 0; i < is->n; i++) {
        swBodyState *s = is->body[i];
        const swStepReport *report = &s->work->part_report;
        go_back(s, first ? s->work->saved : s->work->part,
                first ? &s->work->begin : &s->work->part_begin);
        s->report.work = report->work; // they are those of parts that are taken
        s->report.actuated = report->actuated;
        s->report.dissipated = report->dissipated;
        s->report.drift = report->drift;
        s->report.rough = report->rough;
        s->report.status = SW_ERROR_NOT_CONVERGED;
    }
    return status == SW_OK ? SW_ERROR_NOT_CONVERGED : status;
}

// The same, by another integrator where the scene's own does not lead on. Explicit steps may do so
// where they are shorter.
static swStatus take_some_part(const swIsland *is, bool first, bool shortest) {
    const swIntegrator *own = sw_integrator_at(is->world->model->settings.integrator);
    const swReal h = is->body[0]->h;
    const bool last = !own->instead;
    const swStatus status = take_part(is, own, first, shortest && last);
    if (status == SW_OK || status == SW_ERROR_STOPPED || last || (own->direct && !shortest))
        return status;
    for (int i = 0; i < is->n; i++) {
        sw_body_set_step(is->body[i],
                         h); // what was saved before the first part has the last step's
        is->body[i]->report.replaced = 1;
    }
    return take_part(is, own->instead, first, shortest);
}

// Where hard parts follow each other the step would take for ever.
static bool is_hopeless(const swIsland *is) {
    const int64_t most = (int64_t)PATIENCE * is->world->model->settings.iterations + PARTS;
    if (is->body[0]->report.iterations <= most)
        return false;
    for (int i = 0; i < is->n; i++)
        snprintf(is->body[i]->report.reason, sizeof is->body[i]->report.reason,
                 "the limit of Newton iterations was reached, of all parts of the step");
    return true;
}

// In parts of 1, 1/2, ... 1/PARTS of the step, each as long as it can be.
static swStatus go(const swIsland *is, swReal t) {
    const swReal start = is->body[0]->t, h = is->world->model->settings.step;
    const swStepReport *report = &is->body[0]->report;
    int done = 0, part = PARTS; // of PARTS
    while (done < PARTS) {
        const bool last = done + part == PARTS;
        for (int i = 0; i < is->n; i++) {
            is->body[i]->end = t;
            is->body[i]->next = last ? t : start + h * (done + part) / PARTS;
            sw_body_set_step(is->body[i], part == PARTS ? h : h * part / PARTS);
        }
        const int rough = report->rough;
        const swStatus status = take_some_part(is, done == 0, part == 1);
        if (status == SW_OK) {
            done += part;
            for (int i = 0; i < is->n; i++)
                is->body[i]->report.substeps++;
            while (report->rough == rough && // longer ones would fail
                   part < PARTS && done % (2 * part) == 0 && done + 2 * part <= PARTS)
                part *= 2;
        } else if (part > 1 && status != SW_ERROR_STOPPED)
            part /= 2;
        else
            return status;
        if (done < PARTS && is_hopeless(is))
            return SW_ERROR_NOT_CONVERGED;
    }
    return SW_OK;
}

// A handle that moves by more than `lengths` of its body tells it where to be: what the body would
// do on the way is beyond any law. It is then to the handle as it was, at rest. False: none does,
// or others hold it.
static bool take_along(const swIsland *is, swReal t, swReal lengths) {
    swBodyState *s = is->body[0];
    const swBodyModel *m = sw_body_enter(s);
    swReal *q = s->work->q_new;
    if (is->n > 1)
        return false;
    memcpy(q, s->q, (size_t)m->size.nq * sizeof *q);
    sw_handles_step(m, s, t, q);
    if (!sw_body_leap(m, s, lengths, q))
        return false;
    sw_nodes_make_rigid(m, q);
    sw_amplitudes_recall(s);
    const swReal before = sw_body_energy(s).elastic;
    sw_body_rest(m, s, q);
    sw_amplitudes_recall(s);
    const swReal after = sw_body_energy(s).elastic,
                 little = 1e-6 * m->material[0].young * m->body[0].volume;
    if (!(after <= before + little)) {
        go_back(s, s->work->saved, &s->work->begin);
        return false;
    }
    s->t = t;
    s->report.substeps = s->report.leapt = 1;
    return true;
}

// ---- rest ----

// Whether something may still move it that is not there now.
static bool is_driven(const swBodyState *s) {
    const swBodyModel *m = s->model;
    if (sw_handles_end(m) > s->t || sw_body_follows(m))
        return true;
    for (int64_t i = 0; i < m->size.nhandle; i++)
        if (s->handle_place[i].set)
            return true;
    for (int64_t i = 0; i < m->size.nmaterial; i++)
        if (m->material[i].activation.repeat > 0 ||
            (m->material[i].yield > 0 && isfinite(m->material[i].creep)))
            return true;
    for (int64_t i = 0; i < m->size.nmuscle; i++)
        if (m->muscle[i].activation.repeat > 0)
            return true;
    for (int64_t i = 0; i < m->size.nshape; i++)
        if (m->shape[i].value.repeat > 0)
            return true;
    return sw_activations_end(m) > s->t;
}

// How slow is still, in sizes of the body in a second: on something that it touches it creeps, held
// it settles, and what nothing holds may go on for ever.
static swReal slow_of(const swBodyState *s) {
    for (int64_t i = 0; i < s->model->size.nnode && s->report.contacts == 0; i++)
        if (s->model->node[i].ndof == 0)
            return 1e-7;
    return s->report.contacts > 0 ? 1e-4 : 0;
}

// Whether a body has hardly moved for a while.
static bool is_still(swBodyState *s, swReal slow) {
    static const swReal while_ = 0.5; // [s]
    const swBodyModel *m = s->model;
    const swReal speed = sqrt(2 * s->work->kinetic / m->body[0].mass); // in the mean over the mass
    if (!m->settings->sleep || speed > slow * sw_body_length(&m->body[0]) || is_driven(s))
        s->rest->still = 0;
    else
        s->rest->still += m->settings->step;
    return s->rest->still >= while_;
}

// Bodies that rest do so together: what little motion there is ends.
static void fall_asleep(const swIsland *is) {
    bool still = true;
    swReal slow = 0;
    for (int i = 0; i < is->n; i++)
        slow = sw_max(slow, slow_of(is->body[i]));
    for (int i = 0; i < is->n; i++)
        still = is_still(is->body[i], slow) && still;
    for (int i = 0; i < is->n && still; i++) {
        swBodyState *s = is->body[i];
        memcpy(s->work->q_new, s->q, (size_t)s->model->size.nq * sizeof *s->q);
        sw_body_rest(s->model, s, s->work->q_new);
        s->rest->asleep = 1;
    }
}

void sw_island_advance(swIsland *is, void *arg) {
    const swReal t = *(const swReal *)arg;
    for (int i = 0; i < is->n; i++) {
        swBodyState *s = is->body[i];
        memset(&s->report, 0, sizeof s->report);
        keep(s, s->work->saved, &s->work->begin);
    }
    swStatus status = take_along(is, t, PARTS) ? SW_OK : go(is, t);
    if (status != SW_OK && status != SW_ERROR_STOPPED && take_along(is, t, 1))
        status = SW_OK;
    if (sw_pool_stopped(is->world->pool)) // what was computed meanwhile may not be whole
        status = SW_ERROR_STOPPED;
    for (int i = 0; i < is->n; i++) {
        swBodyState *s = is->body[i];
        s->report.status = status;
        if (status == SW_OK) {
            s->report.reason[0] = 0;
            continue;
        }
        go_back(s, s->work->saved, &s->work->begin);
        if (status == SW_ERROR_STOPPED)
            snprintf(s->report.reason, sizeof s->report.reason, "stopped");
        else
            s->rest->stopped = (int64_t)status;
    }
    if (status == SW_OK)
        fall_asleep(is);
}

// ---- all bodies ----

// Bodies that sleep where a collider comes to, or leaves.
static void wake_touched(swState *s, int collider, const swAffine *pose) {
    const swPosed posed = sw_collider_posed(sw_state_collider(s, collider), pose);
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        swBodyState *body = s->body[i];
        const swContactInput contact = sw_body_contact(body, body->q, s->t);
        if (body->rest->asleep && sw_contact_reaches(sw_body_enter(body), &contact, &posed))
            body->rest->asleep = 0;
    }
}

void sw_state_notice(swState *s, swReal t) {
    const swVec3 gravity = s->model->settings.gravity;
    if (memcmp(&s->gravity, &gravity, sizeof gravity) != 0) {
        s->gravity = gravity;
        sw_state_wake(s);
    }
    for (int c = 0; c < sw_state_collider_count(s); c++) {
        const swAffine from = sw_collider_where(s, c, s->t), to = sw_collider_where(s, c, t);
        if (memcmp(&from, &to, sizeof to) == 0)
            continue;
        wake_touched(s, c, &from);
        wake_touched(s, c, &to);
    }
}

void sw_state_finish(swState *s, swReal t) {
    const swIslands *in = s->islands;
    const int n = in->start[in->n];
    bool any = n == 0;
    for (int i = 0; i < n; i++)
        any = any || s->body[in->body[i]]->report.status == SW_OK;
    if (!any) { // then it is this step that failed, and the next one may not
        for (int i = 0; i < n; i++)
            s->body[in->body[i]]->rest->stopped = 0;
        return;
    }
    for (int64_t i = 0; i < s->model->size.nbody; i++)
        s->body[i]->t = t;
    s->t = t;
    s->step++;
    for (int i = 0; i < sw_state_collider_count(s); i++)
        s->collider[i].last = s->collider[i].now;
}

// Bodies that have stopped come first, then those that need most.
static void add_report(swStepReport *sum, const swStepReport *r) {
    sum->iterations = sw_max_int(sum->iterations, r->iterations);
    sum->line_search_cuts += r->line_search_cuts;
    sum->projections += r->projections;
    sum->substeps = sw_max_int(sum->substeps, r->substeps);
    sum->increments = sw_max_int(sum->increments, r->increments);
    sum->cuts += r->cuts;
    sum->unstable = sw_max_int(sum->unstable, r->unstable);
    sum->left += r->left;
    sum->contacts += r->contacts;
    sum->replaced = sw_max_int(sum->replaced, r->replaced);
    sum->leapt += r->leapt;
    sum->rough = sw_max_int(sum->rough, r->rough);
    sum->work += r->work;
    sum->dissipated += r->dissipated;
    sum->actuated += r->actuated;
    sum->drift += r->drift;
    sum->damping = sw_max(sum->damping, r->damping);
    if (!(r->residual * sum->scale <= sum->residual * r->scale) || sum->scale == 0) {
        sum->residual = r->residual;
        sum->scale = r->scale;
    }
}

// Names the bodies that were solved for together.
static void tell_failure(swState *s, const swBodyState *body) {
    swStepReport *sum = &s->report;
    const int root = s->islands->root[body->index];
    int count = 0;
    char names[64] = "";
    for (int i = 0; i < s->model->size.nbody; i++)
        if (s->islands->root[i] == root) {
            const size_t length = strlen(names);
            snprintf(names + length, sizeof names - length, "%s\"%s\"", count ? ", " : "",
                     sw_body_name(s->model, i));
            count++;
        }
    sum->status = body->report.status;
    snprintf(sum->reason, sizeof sum->reason, "%s %s: %.127s", count > 1 ? "bodies" : "body", names,
             body->report.reason);
}

void sw_report_gather(swState *s) {
    swStepReport *sum = &s->report;
    const swReal load = sum->load;
    memset(sum, 0, sizeof *sum);
    sum->load = load;
    sum->islands = s->islands->n;
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        const swBodyState *body = s->body[i];
        sum->asleep += body->rest->asleep != 0;
        if (body->rest->asleep)
            continue;
        add_report(sum, &body->report);
        if (body->report.status == SW_OK)
            continue;
        sum->stopped++;
        if (sum->status == SW_OK)
            tell_failure(s, body);
    }
}
