// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From scene to model, bodies that ask for an error (frames.error) included: they are compiled with
// more and more frames, until they are no farther from linear theory (estimate.c) than that, and
// half as many more change little of where all of the weight and loads takes them.
#include "compile/compile.h"
#include "scene/scene.h"
#include "world/world.h"

// 2 to 63 frames; those that are always tried, and then tries in a row that are hardly better.
enum { TRIES = 10, ALWAYS = 5, PATIENCE = 2 };

typedef struct {
    int count;
    swReal off;    // by linear theory; not-a-number: that has no answer
    swReal change; // of displacements, to the next one; 0: not known
    int n;
    swVec3 *move; // of the surface, to where it is in equilibrium; NULL: that was not found
} swTry;

static swVec3 *find_equilibrium(const swModel *m, int n, swArena *arena) {
    swState *s = sw_state_create(m, NULL);
    swVec3 *rest = SW_NEW(arena, n, swVec3, NULL), *move = SW_NEW(arena, n, swVec3, NULL);
    bool ok = s && rest && move;
    if (ok) {
        sw_body_vertices(s, 0, rest);
        ok = sw_solve_static(m, s) == SW_OK;
        sw_body_vertices(s, 0, move);
    }
    for (int i = 0; ok && i < n; i++)
        move[i] = sw_sub(move[i], rest[i]);
    sw_state_destroy(s);
    return ok ? move : NULL;
}

// False: it cannot be compiled so.
static bool try_count(const swScene *scene, const swBody *body, swTry *t, swArena *arena,
                      swError *error) {
    struct swSceneMemory silent = *scene->memory;
    swScene one = *scene;
    swBody own = *body;
    swEstimate e;
    silent.config.log = NULL;
    own.next = NULL;
    own.frames.error = NAN;
    own.frames.count = t->count;
    own.estimate = true;
    one.memory = &silent;
    one.bodies = &own;
    one.colliders = NULL;
    one.joints = NULL;
    one.probes = NULL;
    swModel *model = sw_compile_torn(&one, 0, 0, NULL, error);
    if (!model)
        return false;
    t->off = sw_body_estimate(model, 0, &e, NULL) ? e.error : NAN;
    t->n = sw_body_vertex_count(model, 0);
    t->move = isnan(t->off) ? NULL : find_equilibrium(model, t->n, arena);
    sw_model_destroy(model);
    return true;
}

// How far apart two of them are, over the largest displacement.
static swReal compare(const swTry *a, const swTry *b) {
    swReal sum = 0, largest = 0;
    if (!a->move || !b->move || a->n != b->n)
        return 0;
    for (int i = 0; i < a->n; i++) {
        sum += sw_norm2(sw_sub(a->move[i], b->move[i]));
        largest = sw_max(largest, sw_norm(b->move[i]));
    }
    return largest > 0 ? sqrt(sum / a->n) / largest : 0;
}

// What is left to change is about as much again: frames are half as many more each time, and errors
// at large displacements fall with their square.
static swReal error_of(const swTry *t) { return sw_max(t->off, 2 * t->change); }

// Counts, until one is enough; how many there are. 0: none can be compiled.
static int try_counts(const swScene *scene, const swBody *body, swTry *t, swArena *arena,
                      swError *error) {
    int n = 0, worse = 0, next = 2;
    swReal best = INFINITY;
    while (n < TRIES && worse < PATIENCE && !(n > 1 && error_of(&t[n - 2]) <= body->frames.error)) {
        swError own = {0};
        t[n] = (swTry){.count = next};
        if (!try_count(scene, body, &t[n], arena, &own)) {
            if (n > 0 && own.code != SW_ERROR_STOPPED)
                return n; // no more of them fit
            if (error)
                *error = own;
            return 0;
        }
        if (isnan(t[n].off))
            return sw_max_int(1, n);
        if (n > 0) {
            t[n - 1].change = compare(&t[n - 1], &t[n]);
            t[n].change = 4.0 / 9 * t[n - 1].change; // as far as is known yet
        }
        worse = n < ALWAYS || error_of(&t[n]) < 0.9 * best ? 0 : worse + 1;
        best = sw_min(best, error_of(&t[n]));
        n++;
        next = next * 3 / 2;
    }
    return n;
}

// The fewest frames that are enough, or hardly worse than the best.
static const swTry *choose(int n, const swTry *t, swReal enough) {
    swReal best = INFINITY;
    for (int k = 0; k < n; k++)
        best = sw_min(best, error_of(&t[k]));
    while (error_of(t) > sw_max(enough, 1.1 * best))
        t++;
    return t;
}

// Sets the number of frames. Bodies that have no estimate keep frames.error: they are seen to by
// distances, where frames are placed.
static bool count_frames(const swScene *scene, swBody *body, swArena *arena, swError *error) {
    const swConfig *config = sw_scene_config(scene);
    const swReal enough = body->frames.error;
    swTry all[TRIES] = {0};
    const int n = try_counts(scene, body, all, arena, error);
    if (n == 0)
        return false;
    if (isnan(all[0].off)) {
        sw_info(config, "body \"%s\": frames.error: linear theory has no answer: distances decide",
                body->name);
        return true;
    }
    const swTry *t = choose(n, all, enough);
    if (error_of(t) <= enough)
        sw_info(config, "body \"%s\": %d frames for an estimated error of %.2g", body->name,
                t->count, error_of(t));
    else
        sw_warn(config,
                "body \"%s\": frames.error: %g was not reached with up to %d frames; it has %d, "
                "which are off by %.2g",
                body->name, enough, all[n - 1].count, t->count, error_of(t));
    if (!t->move)
        sw_warn(config,
                "body \"%s\": frames.error: no equilibrium under all of its weight and loads was "
                "found, so that large displacements are not part of it",
                body->name);
    body->frames.count = t->count;
    body->frames.error = NAN;
    return true;
}

static bool is_asked(const swBody *b) {
    return !b->like && !isnan(b->frames.error) && b->frames.nat == 0 && !b->cuts;
}

swModel *sw_compile_counted(const swScene *scene, swReal t, int ntorn, const swTornBody *torn,
                            swError *error) {
    int n = 0, asked = 0;
    for (const swBody *b = scene->bodies; b; b = b->next, n++)
        asked += is_asked(b);
    if (asked == 0 || !sw_scene_check(scene, error))
        return asked == 0 ? sw_compile_torn(scene, t, ntorn, torn, error) : NULL;
    swArena arena;
    swScene counted = *scene;
    sw_arena_init(&arena, &sw_scene_config(scene)->allocator);
    swBody *own = SW_NEW(&arena, n, swBody, error);
    bool ok = own != NULL;
    int i = 0;
    for (const swBody *b = scene->bodies; ok && b; b = b->next, i++) {
        own[i] = *b;
        own[i].next = b->next ? &own[i + 1] : NULL;
        ok = !is_asked(b) || count_frames(scene, &own[i], &arena, error);
    }
    counted.bodies = own;
    swModel *model = ok ? sw_compile_torn(&counted, t, ntorn, torn, error) : NULL;
    sw_arena_free(&arena);
    return model;
}

swModel *sw_compile(const swScene *scene, swError *error) { return sw_compile_at(scene, 0, error); }

swModel *sw_compile_at(const swScene *scene, swReal t, swError *error) {
    return sw_compile_counted(scene, t, 0, NULL, error);
}
