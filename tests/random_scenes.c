// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Runs scenes drawn at random and says how many steps converge. Whatever happens, no number may
// become infinite or not-a-number, and a step that fails must say why and leave the state as it
// was. Exit status 1 where that is broken, or fewer steps converge than --least asks for.
#include "random_scene.h"

#include "kinematics/rigid.h"
#include "world/world.h"

enum { STEPS = 20, MAX_HALVINGS = 2, MAX_DRAWS = 50, MAX_ROWS = 64, TEXT = 208 };

typedef struct {
    int first, count;
    bool verbose;
    const char *folder; // for the scenes that fail
    const char *model;  // what moves bodies, or "all", one after the other
    swReal least;       // per cent
} Options;

// Steps that converged, by law, integrator and reason.
typedef struct {
    char name[TEXT];
    int steps, converged, scenes, complete;
} Row;
typedef struct {
    Row row[MAX_ROWS];
    int count;
} Table;

typedef struct {
    int steps, converged; // steps not taken after the last one count as not converged
    int replaced;         // of these, taken by implicit Euler instead of midpoint
    int failures;         // steps that failed
    int recovered;        // of these, where smaller steps led on
    int broken;           // promises not kept
    int refused;          // descriptions that do not compile
} Outcome;

static Row *row_of(Table *t, const char *name) {
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->row[i].name, name) == 0)
            return &t->row[i];
    Row *row = &t->row[t->count < MAX_ROWS ? t->count++ : MAX_ROWS - 1];
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

static void add_row(Table *t, const char *name, const Outcome *o) {
    Row *row = row_of(t, name);
    row->steps += o->steps;
    row->converged += o->converged;
    row->scenes++;
    row->complete += o->converged == o->steps;
}

static swReal share(int part, int whole) { return whole ? 100.0 * part / whole : 100; }

static int compare_rows(const void *a, const void *b) {
    return ((const Row *)b)->steps - ((const Row *)a)->steps;
}

static void print_table(const char *title, Table *t) {
    printf("\n%-28s %8s %12s %8s %10s\n", title, "steps", "converged", "scenes", "complete");
    for (int i = 0; i < t->count; i++)
        printf("%-28s %8d %10.2f %% %8d %8.1f %%\n", t->row[i].name, t->row[i].steps,
               share(t->row[i].converged, t->row[i].steps), t->row[i].scenes,
               share(t->row[i].complete, t->row[i].scenes));
}

// ---- one scene ----

static bool all_finite(const swReal *x, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

// What is wrong with the state, or NULL.
static const char *find_fault(const swModel *m, const swState *s) {
    const swEnergy e = sw_state_energy(s);
    const swBodyState *body = only_state(s);
    if (!all_finite(body->q, m->size.nq))
        return "q is not finite";
    if (!all_finite(body->v, m->size.nq))
        return "v is not finite";
    if (!isfinite(e.elastic + e.kinetic + e.potential + e.contact))
        return "an energy is not finite";
    const int n = sw_body_vertex_count(m, 0);
    swVec3 *x = malloc((size_t)n * sizeof *x);
    bool ok = x != NULL;
    if (ok)
        sw_body_vertices(s, 0, x);
    for (int i = 0; i < n && ok; i++)
        ok = sw_finite3(x[i]);
    free(x);
    return ok ? NULL : "a position is not finite";
}

static void complain(int scene, const char *what, Outcome *o) {
    printf("scene %d: BROKEN: %s\n", scene, what);
    o->broken++;
}

// One call; its failures are counted by reason.
static bool advance(const swModel *m, swState *s, int scene, Outcome *o, Table *reasons) {
    const uint64_t before = sw_state_hash(s);
    const bool is_static = m->settings.analysis == SW_ANALYSIS_STATIC;
    const swStatus status = is_static ? sw_solve_static(m, s) : sw_step(m, s);
    const swStepReport *report = sw_state_report(s);
    const char *fault = find_fault(m, s);
    if (fault)
        complain(scene, fault, o);
    if (status != report->status)
        complain(scene, "the report has another status than the call", o);
    if (status == SW_OK)
        return true;
    if (!report->reason[0])
        complain(scene, "a failure without a reason", o);
    if (!is_static && sw_state_hash(s) != before)
        complain(scene, "a failed step changed the state", o);
    row_of(reasons, report->reason)->steps++;
    return false;
}

// Over one step in 2, 4, 8, ... smaller ones.
static bool recover(swModel *m, swState *s, int scene, Outcome *o, Table *reasons) {
    const swReal h = m->settings.step, start = s->t;
    bool ok = false;
    int parts = 1;
    for (int k = 0; k < MAX_HALVINGS && !ok; k++) {
        parts *= 2;
        m->settings.step = h / parts;
        sw_state_next_time(s); // which the state takes note of
        ok = true;
        while (ok && s->t < start + h * (1 - 0.5 / parts))
            ok = advance(m, s, scene, o, reasons);
    }
    m->settings.step = h;
    sw_state_next_time(s);
    return ok;
}

// At most as far as the laws allow.
static void start(swState *s, const Draft *d, Random *r) {
    swBodyState *body = only_state(s);
    for (swReal amount = d->scramble; amount > 1e-3; amount *= 0.5) {
        scramble(body, *r, amount, d->inverted);
        sw_nodes_make_rigid(body->model, body->q);
        if (isfinite(sw_state_energy(s).elastic))
            return;
    }
    sw_state_reset(s);
}

static swModel *compile_next(Random *r, const char *model, Draft *d, swScene **scene, Outcome *o) {
    for (int i = 0; i < MAX_DRAWS; i++, o->refused++) {
        *scene = draw_scene(r, model, d);
        swModel *m = sw_compile(*scene, NULL);
        const bool explicit = strcmp((*scene)->time.integrator, "symplectic-euler") == 0;
        const swReal stable = m && explicit && !d->is_static ? sw_stable_step(m, NULL) : INFINITY;
        if (m && stable > 1e-7) {
            m->settings.step = sw_min(m->settings.step, d->stable * stable);
            (*scene)->time.step = m->settings.step;
            return m;
        }
        sw_model_destroy(m);
        sw_scene_destroy(*scene);
    }
    *scene = NULL;
    return NULL;
}

static void run_model(swModel *m, swState *s, const Options *options, int scene, Outcome *o,
                      Table *reasons) {
    const bool is_static = m->settings.analysis == SW_ANALYSIS_STATIC;
    Table inner = {.count = 0}; // reasons while recovering are not counted again
    o->steps = is_static ? 1 : STEPS;
    for (int k = 0; k < o->steps; k++) {
        const bool ok = advance(m, s, scene, o, reasons);
        o->converged += ok;
        o->replaced += ok && sw_state_report(s)->replaced;
        if (ok)
            continue;
        o->failures++;
        if (options->verbose)
            printf("  step %d: %s\n", k, sw_state_report(s)->reason);
        if (is_static || !recover(m, s, scene, o, &inner))
            return;
        o->recovered++;
    }
}

static void describe(const swScene *s, const Draft *d, const swModel *m, int scene) {
    const swBody *b = s->bodies;
    printf(
        "scene %d: %s, %s, E %.2g nu %.3f%s%s, h 1/%.0f %s, %d x kind %d%s %s, %d points, %d dof%s",
        scene, d->model, s->materials->law, s->materials->young, s->materials->poisson,
        s->materials->next ? " + " : "", s->materials->next ? s->materials->next->law : "",
        1 / s->time.step, d->is_static ? "static" : s->time.integrator, b->frames.count,
        (int)b->frames.kind, b->frames.blend ? " dual" : "", b->frames.weights.kind,
        sw_model_info(m).points, sw_model_info(m).dof, d->violent ? ", violent" : "");
    for (const swHandle *h = b->handles; h; h = h->next)
        printf(", handle %s", h->motion == SW_MOTION_FREE    ? "free"
                              : h->motion == SW_MOTION_FIXED ? "fixed"
                                                             : "keys");
    if (s->colliders)
        printf(", collider");
    if (d->scramble > 0)
        printf(", scrambled %.2g%s", d->scramble, d->inverted ? " inverted" : "");
    printf("\n");
}

static void write_scene(const swScene *scene, const char *folder, int number) {
    char path[1024];
    swError error = {0};
    snprintf(path, sizeof path, "%s/random-%d.json", folder, number);
    if (!sw_scene_write(scene, path, &error))
        fprintf(stderr, "%s\n", sw_error_text(&error, path, sizeof path));
}

typedef struct {
    Table models, laws, integrators, kinds, reasons;
    Outcome all, promised;
    int scenes, complete;
} Tally;

static void tally_scene(Tally *t, const swScene *scene, const Draft *d, const Outcome *o) {
    for (const swMaterial *material = scene->materials; material; material = material->next)
        add_row(&t->laws, material->law, o);
    add_row(&t->models, d->model, o);
    add_row(&t->integrators, d->is_static ? "static" : scene->time.integrator, o);
    add_row(&t->kinds,
            !d->promised                        ? "explicit, not promised"
            : d->violent && !d->takes_inversion ? "violent, no inversion"
            : d->violent                        ? "violent"
            : d->scramble > 0                   ? "scrambled"
                                                : "others",
            o);
    t->all.steps += o->steps;
    t->all.converged += o->converged;
    t->all.replaced += o->replaced;
    t->promised.steps += d->promised ? o->steps : 0;
    t->promised.converged += d->promised ? o->converged : 0;
    t->all.failures += o->failures;
    t->all.recovered += o->recovered;
    t->scenes++;
    t->complete += o->converged == o->steps;
}

static const char *const models[] = {"frames", "tets", "springs", "particles", "modes", "rigid"};

static void run_scene(const Options *options, int number, Tally *t) {
    const bool all = strcmp(options->model, "all") == 0;
    const char *model = all ? models[number % SW_COUNT(models)] : options->model;
    Random r = {(uint64_t)number * 0x2545f4914f6cdd1dull + 1};
    Draft d;
    Outcome o = {0};
    swScene *scene;
    swModel *m = compile_next(&r, model, &d, &scene, &o);
    swState *s = m ? make_state(m) : NULL;
    if (!m)
        complain(number, "nothing drawn compiles", &o);
    if (m) {
        if (options->verbose)
            describe(scene, &d, m, number);
        start(s, &d, &r);
        run_model(m, s, options, number, &o, &t->reasons);
        tally_scene(t, scene, &d, &o);
        if (options->folder && o.converged < o.steps)
            write_scene(scene, options->folder, number);
    }
    t->all.broken += o.broken;
    t->all.refused += o.refused;
    fflush(stdout);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// ---- the command ----

static int usage(void) {
    fprintf(stderr, "usage: random_scenes [--first N] [--count M] [--model NAME|all] "
                    "[--least PERCENT] [--verbose] [--write DIR]\n");
    return 2;
}

static bool read_options(int argc, char **argv, Options *o) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--verbose") == 0) {
            o->verbose = true;
            continue;
        }
        if (!value)
            return false;
        if (strcmp(argv[i], "--first") == 0)
            o->first = atoi(value);
        else if (strcmp(argv[i], "--count") == 0)
            o->count = atoi(value);
        else if (strcmp(argv[i], "--least") == 0)
            o->least = atof(value);
        else if (strcmp(argv[i], "--model") == 0)
            o->model = value;
        else if (strcmp(argv[i], "--write") == 0)
            o->folder = value;
        else
            return false;
        i++;
    }
    bool known = strcmp(o->model, "all") == 0;
    for (int i = 0; i < SW_COUNT(models); i++)
        known = known || strcmp(o->model, models[i]) == 0;
    return known;
}

int main(int argc, char **argv) {
    Options options = {.count = 500, .model = "frames"};
    static Tally t;
    if (!read_options(argc, argv, &options))
        return usage();
    for (int i = 0; i < options.count; i++)
        run_scene(&options, options.first + i, &t);
    const swReal promised = share(t.promised.converged, t.promised.steps);
    print_table("model", &t.models);
    print_table("law", &t.laws);
    print_table("integrator", &t.integrators);
    print_table("scenes", &t.kinds);
    qsort(t.reasons.row, (size_t)t.reasons.count, sizeof t.reasons.row[0], compare_rows);
    printf("\nwhy steps failed\n");
    for (int i = 0; i < t.reasons.count; i++)
        printf("%6d  %s\n", t.reasons.row[i].steps, t.reasons.row[i].name);
    printf("\n%d scenes (%d more descriptions were refused), %.1f %% of them complete\n"
           "%d steps, %.2f %% converged; %d failed, from %d of these smaller steps led on\n"
           "%d steps of midpoint were taken by implicit-euler\n"
           "%.2f %% without explicit steps in scenes where their stable step says nothing\n"
           "%d promises broken\n",
           t.scenes, t.all.refused, share(t.complete, t.scenes), t.all.steps,
           share(t.all.converged, t.all.steps), t.all.failures, t.all.recovered, t.all.replaced,
           promised, t.all.broken);
    return t.all.broken > 0 || promised < options.least;
}
