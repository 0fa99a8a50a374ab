// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Runs a row of sinew verify and reads its values.
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

swScene *verify_scene(const Row *row, int refine, const char *mesh, Plan *plan, swError *error) {
    *plan = (Plan){.problem = verify_case(row->problem),
                   .variant = &row->variant,
                   .refine = refine,
                   .mesh = mesh};
    if (!verify_write_mesh(row, refine, mesh, error))
        return NULL;
    swScene *s = sw_scene_create(NULL);
    char name[96];
    if (s) {
        s->gravity = sw_v3(0, 0, 0);
        s->analysis = SW_ANALYSIS_STATIC;
        s->title = sw_scene_text(s, verify_name(row, name));
    }
    if (s && s->title && plan->problem->build(s, plan))
        return s;
    sw_scene_destroy(s);
    sw_fail_memory(error, 0);
    return NULL;
}

// ---- motions ----

// What is recorded of the first probe's height and of the energy during the motion.
typedef struct Watch {
    swReal t[3], y[3];      // the last three steps
    swReal low[2], back[2]; // of two swings: the lowest place, the time of the return to the top
    int swing;              // number of completed swings
    swReal start, off, elastic; // energy: at the start, the largest change, the largest elastic one
} Watch;

static swReal total_energy(const swState *state) {
    const swEnergy e = sw_state_energy(state);
    return e.elastic + e.kinetic + e.potential + e.contact;
}

// Locates a turning point between steps by the parabola through three of them.
static void watch_turn(Watch *w) {
    const swReal slope = 0.5 * (w->y[2] - w->y[0]), bend = w->y[0] - 2 * w->y[1] + w->y[2];
    const swReal y = w->y[1] - 0.5 * slope * slope / bend;
    if (w->swing == 2)
        return;
    if (bend > 0)
        w->low[w->swing] = sw_min(w->low[w->swing], y);
    else if (w->low[w->swing] <= 0.5 * w->low[0] && y > 0.25 * w->low[0] && w->low[0] < 0)
        w->back[w->swing++] = w->t[1] - (w->t[1] - w->t[0]) * slope / bend;
}

static void watch_step(Watch *w, const swState *state, int probes) {
    memmove(w->t, w->t + 1, 2 * sizeof w->t[0]);
    memmove(w->y, w->y + 1, 2 * sizeof w->y[0]);
    w->t[2] = sw_state_time(state);
    w->y[2] = probes ? sw_probe_displacement(state, 0).y : 0;
    if ((w->y[1] - w->y[0]) * (w->y[2] - w->y[1]) < 0)
        watch_turn(w);
    w->off = sw_max(w->off, fabs(total_energy(state) - w->start));
    w->elastic = sw_max(w->elastic, sw_state_energy(state).elastic);
}

static swStatus run_motion(const swModel *model, swState *state, Watch *w) {
    const swModelInfo info = sw_model_info(model);
    const int64_t steps = (int64_t)floor(info.end / info.step + 0.5);
    swStatus status = SW_OK;
    w->start = total_energy(state);
    for (int64_t i = 0; i < steps && status == SW_OK; i++) {
        status = sw_step(model, state);
        watch_step(w, state, info.probes);
    }
    return status;
}

// ---- vibrations ----

// The kind of vibration that a bar is posed in. The largest of three motions decides: of the axis
// along the bar, of the axis across it, and of the side relative to the axis.
static const char *kind_of_mode(const swState *state) {
    swReal along = 0, across = 0, twist = 0;
    for (int i = 0; i < MODAL_AXIS; i++) {
        const swVec3 axis = sw_probe_displacement(state, i),
                     side = sw_probe_displacement(state, MODAL_AXIS + i);
        along += axis.x * axis.x;
        across += axis.y * axis.y + axis.z * axis.z;
        twist += (side.z - axis.z) * (side.z - axis.z);
    }
    return along > across && along > twist ? "axial" : across > twist ? "bend" : "torsion";
}

// Bending vibrations come in pairs, of which only the first counts.
static bool read_modes(const swModel *model, swState *state, const Case *c, double *value,
                       swError *error) {
    enum { MODES = 24 };
    swModes *strains = sw_solve_modal(model, state, 0, MODES, error);
    const bool ok = strains != NULL;
    int seen[VERIFY_VALUES] = {0};
    for (int m = 0; ok && m < strains->count; m++) {
        if (sw_probe_count(model))
            sw_modes_pose(strains, m, 1e-6, state);
        for (int i = 0; c->value[i].name; i++) {
            const Value *v = &c->value[i];
            const bool bend = v->of && strcmp(v->of, "bend") == 0;
            if (v->of && strcmp(v->of, kind_of_mode(state)) != 0)
                continue;
            if (seen[i]++ == (bend ? 2 : 1) * v->axis)
                value[i] = strains->frequency[m];
        }
    }
    sw_modes_destroy(strains);
    return ok;
}

// ---- values ----

static swReal component(swVec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static int find_handle(const swModel *model, const char *name) {
    int i = 0;
    while (strcmp(sw_handle_name(model, i), name) != 0)
        i++;
    return i;
}

static swReal read_value(const swModel *model, const swState *state, const Watch *w,
                         const Value *v) {
    const int probes = sw_probe_count(model);
    swVec3 force, torque;
    switch (v->read) {
    case READ_PROBE:
        return component(sw_probe_displacement(state, sw_probe_find(model, v->of)), v->axis);
    case READ_STRAIN: {
        const swVec3 u0 = sw_probe_displacement(state, 0), u1 = sw_probe_displacement(state, 1);
        const swVec3 x0 = sw_probe_position(state, 0), x1 = sw_probe_position(state, 1);
        const swReal change = u1.x - u0.x;
        return change / (x1.x - x0.x - change);
    }
    case READ_LINE: return sw_probe_displacement(state, probes - 1).x;
    case READ_FORCE:
    case READ_TORQUE:
        sw_handle_wrench(state, find_handle(model, v->of), &force, &torque);
        return component(v->read == READ_FORCE ? force : torque, v->axis);
    case READ_ENERGY: return sw_state_energy(state).elastic;
    case READ_LOW: return w->swing > v->axis ? w->low[v->axis] : NAN;
    case READ_PERIOD: return w->swing == 2 ? 0.5 * w->back[1] : NAN;
    case READ_DRIFT: return w->off / w->elastic;
    case READ_MODE:
    case READ_NONE: break;
    }
    return NAN;
}

// In per cent of the reference; if that is zero, 100 times the value itself.
static double error_of(const swState *state, const Value *v, double value, const Reference *r) {
    if (v->read != READ_LINE)
        return 100 * (r->value != 0 ? value / r->value - 1 : value);
    double worst = 0;
    for (int i = 0; i < r->npoint; i++) {
        const double off = sw_probe_displacement(state, i).x - r->curve[2 * i + 1];
        worst = fabs(off) > fabs(worst) ? off : worst;
    }
    return 100 * worst / r->value;
}

// Runs the simulation and reads its values into the result; on failure, fills `error`.
static bool measure(const Plan *plan, const swModel *model, swState *state, const swScene *scene,
                    Result *r, swError *error) {
    const bool statics = scene->analysis == SW_ANALYSIS_STATIC;
    const Case *c = plan->problem;
    Watch watch = {0};
    r->frames = sw_model_info(model).frames;
    r->dof = sw_model_info(model).dof;
    if (c->value[0].read == READ_MODE) {
        if (!read_modes(model, state, c, r->value, error))
            return false;
    } else {
        const swStatus status =
            statics ? sw_solve_static(model, state) : run_motion(model, state, &watch);
        if (status != SW_OK)
            return sw_fail(error, status, "%s", sw_state_report(state)->reason);
        if (sw_state_report(state)->unstable && scene->solver.saddles == SW_SADDLES_LEAVE)
            return sw_fail(error, SW_ERROR_NOT_CONVERGED, "the equilibrium found is unstable");
        for (int i = 0; c->value[i].name; i++)
            r->value[i] = read_value(model, state, &watch, &c->value[i]);
    }
    for (int i = 0; c->value[i].name; i++)
        r->error[i] =
            error_of(state, &c->value[i], r->value[i], verify_reference(c->name, c->value[i].name));
    return true;
}

// Creates an empty temporary file and returns its name.
static bool make_temporary(char path[1024], swError *error) {
    const char *given = getenv("TMPDIR"), *parent = given && *given ? given : P_tmpdir,
               *form = "sinew-verify-XXXXXX.mesh";
    const int n = snprintf(path, 1024, "%s/%s", parent, form),
              file = n < 1024 ? mkstemps(path, (int)strlen(".mesh")) : -1;
    if (file < 0)
        return sw_fail_at(error, SW_ERROR_FILE, parent, 0, 0, "cannot create a temporary file");
    close(file);
    return true;
}

bool verify_run(const Row *row, int refine, Result *result, swError *error) {
    Plan plan;
    char mesh[1024] = "";
    const double start = sw_seconds();
    *result = (Result){0};
    for (int i = 0; i < VERIFY_VALUES; i++)
        result->value[i] = result->error[i] = NAN;
    if (verify_needs_mesh(row) && !make_temporary(mesh, error))
        return false;
    swScene *scene = verify_scene(row, refine, mesh, &plan, error);
    swError wrong = {0};
    swModel *model = scene ? sw_compile(scene, &wrong) : NULL;
    if (mesh[0])
        remove(mesh);
    if (!scene)
        return false;
    swState *state = model ? sw_state_create(model, &wrong) : NULL;
    if (state)
        measure(&plan, model, state, scene, result, &wrong);
    snprintf(result->reason, sizeof result->reason, "%s", wrong.message);
    sw_state_destroy(state);
    sw_model_destroy(model);
    sw_scene_destroy(scene);
    result->seconds = sw_seconds() - start;
    return true;
}

bool verify_is_worse(const Row *row, const Result *result, int i) {
    const double error = fabs(result->error[i]), bound = row->bound[i];
    return !isfinite(error) || (bound > 0 && error > bound);
}
