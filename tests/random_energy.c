// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Throws bodies about at random and watches their energy: bodies of every kind, alone and held
// together by joints, fast and spinning, among colliders of every kind that stand still or move,
// with every integrator. No energy may come from nowhere, and every step must be taken, in parts
// where it has to be. Exit status 1 where that is broken.
#include "random_scene.h"

#include "integrate/integrator.h"
#include "world/world.h"

enum { MOST_DOF = 800 }; // larger scenes take long and say no more

typedef struct {
    int first, count, steps;
    bool verbose;
    const char *integrator; // NULL: one after the other
    const char *model;      // the same
    const char *folder;     // for scenes that gain or fail
    swReal least;           // per cent of steps that must be taken
    swReal most;            // per cent of its energy that a scene may gain
} Options;

typedef struct {
    int scenes, steps, whole, divided, replaced, rough, failed;
    swReal gain; // the most that came from nowhere, over the most there was that was explained
    int worst;   // the scene that had it
} Tally;

// ---- scenes ----

static const char *const models[] = {"frames", "tets", "springs", "particles", "modes", "rigid"};

static void draw_collider(swScene *s, Random *r, swReal size, swReal duration) {
    static const swShapeKind kinds[] = {SW_SHAPE_SPHERE,   SW_SHAPE_BOX,  SW_SHAPE_CAPSULE,
                                        SW_SHAPE_CYLINDER, SW_SHAPE_CONE, SW_SHAPE_EXTRUDE};
    static const swReal wedge[] = {-1, -0.6, 1, -0.6, 0.6, 0.2, 0, 0.6, -0.3, 0.1};
    static _Thread_local swReal polygon[SW_COUNT(wedge)];
    swCollider *c = sw_scene_add_collider(s, kinds[random_int(r, SW_COUNT(kinds))]);
    swShape *shape = c->shape;
    const swReal half = size * random_in(r, 0.3, 1);
    for (int i = 0; i < SW_COUNT(wedge); i++)
        polygon[i] = size * wedge[i];
    shape->polygon = polygon;
    shape->npolygon = SW_COUNT(wedge) / 2;
    shape->zrange[0] = -half;
    shape->zrange[1] = half;
    shape->radius = half;
    shape->size = sw_v3(2 * half, half, 2 * half);
    shape->from = sw_v3(-half, 0, 0);
    shape->to = sw_v3(half, 0.3 * half, 0);
    c->place.axis = random_direction(r);
    c->place.angle = random_in(r, -SW_PI, SW_PI);
    c->place.translate = sw_add(sw_v3(0, -1.2 * size, 0), random_vec(r, 0.5 * size));
    c->friction = chance(r, 0.3) ? 0 : random_in(r, 0, 1);
    if (!chance(r, 0.3))
        return;
    swReal t = 0;
    sw_collider_add_key(s, c, 0);
    for (int i = 0; i < 3; i++) {
        swKey *key = sw_collider_add_key(s, c, t += duration * random_in(r, 0.1, 0.4));
        key->pose.axis = random_direction(r);
        key->pose.angle = random_in(r, -1, 1);
        key->pose.about = c->place.translate;
        key->pose.translate = random_vec(r, 0.5 * size);
    }
}

static void draw_floor(swScene *s, Random *r, swReal size) {
    swCollider *c = sw_scene_add_collider(s, SW_SHAPE_HALFSPACE);
    c->shape->normal = sw_v3(random_in(r, -0.3, 0.3), 1, 0);
    c->shape->offset = -size * random_in(r, 0.6, 1.5);
    c->friction = chance(r, 0.3) ? 0 : random_in(r, 0, 1);
}

static void draw_motion(swBody *b, Random *r) {
    if (chance(r, 0.7))
        b->velocity = sw_scale(random_log(r, 0.1, 20), random_direction(r));
    if (chance(r, 0.5))
        b->spin = sw_scale(random_log(r, 0.1, 30), random_direction(r));
    if (chance(r, 0.3)) {
        b->damping_mass = chance(r, 0.5) ? random_in(r, 0, 5) : 0;
        b->damping_stiffness = chance(r, 0.7) ? random_log(r, 1e-5, 1e-2) : 0;
    }
}

static swBody *draw_body(swScene *s, Random *r, const char *name, swReal size, Draft *d) {
    swBody *b = sw_scene_add_body(s, name);
    const swVec3 extent = draw_shape(s, b, r, size);
    b->voxel = sw_min(size / (4 + random_int(r, 4)), 0.7 * sw_min(extent.y, extent.z));
    b->contact_points = 60;
    draw_frames(b, r);
    b->frames.count = 1 + b->frames.count / 2;
    if (chance(r, 0.2)) {
        d->is_static = true; // one handle at least
        draw_handles(s, b, r, extent, d);
        d->is_static = false;
    }
    draw_motion(b, r);
    draw_actuation(s, b, *r, extent);
    if (strcmp(d->model, "frames") != 0)
        draw_model(s, b, *r, extent, d);
    if (b->particles)
        b->particles->count = 30 + b->particles->count / 5;
    return b;
}

// Bodies side by side, the first of the kind that is asked for; some hold on to each other.
static swScene *draw_energy_scene(Random *r, const Options *o, int number, Draft *d) {
    static const char *const names[] = {"one", "two", "three"};
    int nintegrator = 0;
    while (sw_integrator_name(nintegrator))
        nintegrator++;
    swScene *s = sw_scene_create(NULL);
    const swReal size = random_log(r, 0.05, 2);
    const int n = chance(r, 0.6) ? 1 : 2 + random_int(r, 2);
    *d = (Draft){.takes_inversion = true, .stable = random_in(r, 0.2, 0.9)};
    s->time.step = random_log(r, 0.001, 0.03);
    s->time.integrator = o->integrator ? o->integrator : sw_integrator_name(number % nintegrator);
    s->solver.sleep = false;
    draw_material(s, r, "first", d)->young = random_log(r, 1e3, 1e8);
    for (int i = 0; i < n; i++) {
        const bool first = i == 0;
        d->model = first && o->model ? o->model
                   : first           ? models[number / nintegrator % SW_COUNT(models)]
                                     : models[random_int(r, SW_COUNT(models))];
        swBody *b = draw_body(s, r, names[i], size, d);
        b->place.translate = sw_v3(1.05 * size * i, 0, 0);
        if (i > 0 && chance(r, 0.6)) {
            sw_scene_add_joint(s, NULL, names[i - 1], names[i],
                               sw_v3(1.05 * size * (i - 0.5), 0, 0),
                               s->materials->young * size * random_log(r, 0.01, 1));
            b->velocity = s->bodies->velocity;
        }
    }
    if (chance(r, 0.8))
        draw_floor(s, r, size);
    for (int k = random_int(r, 3); k > 0; k--)
        draw_collider(s, r, size, o->steps * s->time.step);
    if (chance(r, 0.3))
        s->gravity = sw_scale(random_in(r, 0, 30), random_direction(r));
    return s;
}

static swModel *compile_next(Random *r, const Options *o, int number, Draft *d, swScene **scene) {
    for (int i = 0; i < 50; i++) {
        *scene = draw_energy_scene(r, o, number, d);
        swModel *m = sw_compile(*scene, NULL);
        const bool explicit = strcmp((*scene)->time.integrator, "symplectic-euler") == 0;
        const swReal stable = m && explicit ? sw_stable_step(m, NULL) : INFINITY;
        if (m && stable > 1e-7 && sw_model_info(m).dof <= MOST_DOF) {
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

// ---- energy ----

static swReal sum(swEnergy e) {
    return e.elastic + e.kinetic + e.potential + e.contact + e.pull + e.muscle;
}

// What there is that came from nowhere and was not lost again, and the most there was of all else,
// more than what rounding makes of the stiffness.
typedef struct {
    swReal surplus, most, seen; // seen: surplus at the ends of steps, what swings included
} Ledger;

// Of explicit steps energies swing, by a tenth at most and by what velocities that are half a step
// late make of the start: that is not counted, and else it is as states book it.
static void book_swinging(Ledger *l, const swState *s) {
    static const swReal swings = 0.5;
    swReal surplus = 0;
    for (int i = 0; i < s->model->size.nbody; i++) {
        surplus += s->body[i]->rest->surplus;
        l->most = sw_max(l->most, s->body[i]->rest->scale);
    }
    l->surplus = sw_max(surplus, l->seen - swings * l->most);
}

static void book(Ledger *l, swReal before, const swState *s) {
    const swStepReport *r = sw_state_report(s);
    const swEnergy e = sw_state_energy(s);
    swReal drift = sum(e) - before - r->work - r->actuated + r->dissipated;
    for (int i = 0; i < s->model->size.nbody; i++) // what keys alone move gains what they say
        drift -= s->body[i]->model->size.ndof > 0 ? 0 : s->body[i]->report.drift;
    l->surplus = l->seen = sw_max(0, l->seen + drift);
    l->most = sw_max(l->most, fabs(e.elastic) + e.kinetic + e.contact + e.pull + fabs(r->work) +
                                  fabs(r->actuated) - l->surplus);
    if (sw_integrator_at(s->model->settings.integrator)->swing)
        book_swinging(l, s);
}

static void run_model(const swModel *m, swState *s, const Options *o, int number, Tally *t) {
    const swEnergy e = sw_state_energy(s);
    Ledger ledger = {.most = e.elastic + e.kinetic + e.contact};
    for (int i = 0; i < m->size.nbody; i++) {
        const swBodyModel *b = s->body[i]->model;
        ledger.most += 1e-12 + 1e-13 * b->material[0].young * b->body[0].volume;
    }
    t->scenes++;
    for (int k = 0; k < o->steps; k++) {
        const swReal before = sum(sw_state_energy(s));
        const swStatus status = sw_step(m, s);
        const swStepReport *r = sw_state_report(s);
        t->steps++;
        if (status != SW_OK || r->stopped > 0) {
            t->failed += o->steps - k;
            t->steps += o->steps - k - 1;
            if (o->verbose)
                printf("  step %d: %s\n", k, r->reason);
            return;
        }
        const swReal was = ledger.surplus;
        book(&ledger, before, s);
        const swReal gain = ledger.surplus / ledger.most;
        if (o->verbose && ledger.surplus > was && gain > 0.01 * o->most)
            printf("  step %d: gain %.3g of %.3g J; work %.3g actuated %.3g dissipated %.3g, %d "
                   "parts, %d contacts%s\n",
                   k, ledger.surplus, ledger.most, r->work, r->actuated, r->dissipated, r->substeps,
                   r->contacts, r->replaced ? ", replaced" : "");
        t->whole += r->substeps <= 1;
        t->divided += r->substeps > 1;
        t->replaced += r->replaced;
        t->rough += r->rough > 0;
        if (gain > t->gain) {
            t->gain = gain;
            t->worst = number;
        }
    }
}

// ---- the command ----

static void write_scene(const swScene *scene, const char *folder, int number) {
    char path[1024];
    swError error = {0};
    snprintf(path, sizeof path, "%s/energy-%d.json", folder, number);
    if (!sw_scene_write(scene, path, &error))
        fprintf(stderr, "%s\n", sw_error_text(&error, path, sizeof path));
}

static void describe(const swScene *s, const swModel *m, int number) {
    printf("scene %d: %s h %.4g, %s E %.2g nu %.3f, %lld colliders%s:", number, s->time.integrator,
           s->time.step, s->materials->law, s->materials->young, s->materials->poisson,
           (long long)m->size.ncollider, m->size.nkey > 0 ? " moving" : "");
    for (const swBody *b = s->bodies; b; b = b->next)
        printf(" [%s v %.2g spin %.2g%s%s]",
               b->tets        ? "tets"
               : b->springs   ? "springs"
               : b->particles ? "particles"
               : b->modes     ? "modes"
               : b->rigid     ? "rigid"
                              : "frames",
               sw_norm(b->velocity), sw_norm(b->spin), b->handles ? " handles" : "",
               b->damping_mass > 0 || b->damping_stiffness > 0 ? " damped" : "");
    printf("%s\n", s->joints ? " joined" : "");
}

static void add(Tally *to, const Tally *t) {
    to->scenes += t->scenes;
    to->steps += t->steps;
    to->whole += t->whole;
    to->divided += t->divided;
    to->replaced += t->replaced;
    to->rough += t->rough;
    to->failed += t->failed;
    if (t->gain > to->gain) {
        to->gain = t->gain;
        to->worst = t->worst;
    }
}

static void run_scene(const Options *o, int number, Tally *by_integrator, Tally *all) {
    Random r = {(uint64_t)number * 0x2545f4914f6cdd1dull + 1};
    Draft d;
    swScene *scene;
    swModel *m = compile_next(&r, o, number, &d, &scene);
    if (!m)
        return;
    swState *s = make_state(m);
    Tally t = {0};
    if (o->verbose)
        describe(scene, m, number);
    const double start = sw_seconds();
    run_model(m, s, o, number, &t);
    if (o->verbose)
        printf("  gain %.4f, %d divided, %d failed, %.2f s\n", t.gain, t.divided, t.failed,
               sw_seconds() - start);
    fflush(stdout);
    if (o->folder && (t.failed || t.gain > 0.01 * o->most))
        write_scene(scene, o->folder, number);
    add(&by_integrator[m->settings.integrator], &t);
    add(all, &t);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static void print_row(const char *name, const Tally *t) {
    printf("%-18s %6d %7d %7d %8d %9d %6d %7d %8.4f %7d\n", name, t->scenes, t->steps, t->whole,
           t->divided, t->replaced, t->rough, t->failed, 1 + t->gain, t->worst);
}

static int usage(void) {
    fprintf(stderr,
            "usage: random_energy [--first N] [--count M] [--steps K] [--integrator NAME] "
            "[--model NAME] [--least PERCENT] [--most PERCENT] [--verbose] [--write DIR]\n");
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
        else if (strcmp(argv[i], "--steps") == 0)
            o->steps = atoi(value);
        else if (strcmp(argv[i], "--least") == 0)
            o->least = atof(value);
        else if (strcmp(argv[i], "--most") == 0)
            o->most = atof(value);
        else if (strcmp(argv[i], "--model") == 0)
            o->model = value;
        else if (strcmp(argv[i], "--integrator") == 0)
            o->integrator = value;
        else if (strcmp(argv[i], "--write") == 0)
            o->folder = value;
        else
            return false;
        i++;
    }
    return true;
}

int main(int argc, char **argv) {
    Options o = {.count = 100, .steps = 50, .least = 100, .most = 1};
    Tally by_integrator[16] = {0}, all = {0};
    if (!read_options(argc, argv, &o))
        return usage();
    for (int i = 0; i < o.count; i++)
        run_scene(&o, o.first + i, by_integrator, &all);
    printf("%-18s %6s %7s %7s %8s %9s %6s %7s %8s %7s\n", "integrator", "scenes", "steps", "whole",
           "divided", "replaced", "rough", "failed", "worst", "scene");
    for (int i = 0; i < SW_COUNT(by_integrator) && sw_integrator_name(i); i++)
        print_row(sw_integrator_name(i), &by_integrator[i]);
    print_row("all", &all);
    return all.steps - all.failed < 0.01 * o.least * all.steps || all.gain > 0.01 * o.most;
}
