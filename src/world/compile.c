// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From scene to model. Bodies that ask for an error (frames.error) are compiled with more and more
// frames, until they are no farther than that from where a fine model has them (estimate.c). Bodies
// of which nothing is said have five, or more where those are not enough.
#include "compile/compile.h"
#include "scene/scene.h"
#include "world/world.h"

// 2 to 63 frames; those that are always tried, and then tries in a row that are hardly better.
enum { TRIES = 10, ALWAYS = 5, PATIENCE = 2 };
enum { FEW = 5 };                  // where nothing is said,
static const swReal plenty = 0.02; // and what they may be off by

typedef struct {
    int count;
    swReal error; // not-a-number: there is no estimate
    swReal doubt; // in it
    bool large;
} swTry;

// A body alone, with so many frames.
static swModel *compile_alone(const swScene *scene, const swBody *body, int count,
                              swEstimateKind estimate, bool quick, swError *error) {
    struct swSceneMemory silent = *scene->memory;
    swScene one = *scene;
    swBody own = *body;
    silent.config.log = NULL;
    silent.quick = quick;
    own.next = NULL;
    own.frames.error = NAN;
    own.frames.count = count;
    own.estimate = estimate;
    one.memory = &silent;
    one.bodies = &own;
    one.colliders = NULL;
    one.joints = NULL;
    one.probes = NULL;
    return sw_compile_torn(&one, 0, 0, NULL, error);
}

// The first has the fine model's answer, which all are compared with. False: it cannot be compiled
// so.
static bool try_count(const swScene *scene, const swBody *body, swModel **first, swTry *t,
                      swError *error) {
    swEstimate e;
    swModel *model = compile_alone(scene, body, t->count,
                                   *first ? SW_ESTIMATE_NONE : SW_ESTIMATE_LARGE, false, error);
    if (!model)
        return false;
    if (!*first)
        *first = model;
    const swBodyModel *by = sw_model_body(*first, 0);
    t->error = by->size.nfine == 0                      ? NAN
               : sw_estimate_by(model, 0, by, &e, NULL) ? e.error
                                                        : INFINITY;
    if (isfinite(t->error)) {
        t->doubt = e.doubt;
        t->large = e.large;
    }
    if (model != *first)
        sw_model_destroy(model);
    return true;
}

// Counts, until one is enough; how many there are. 0: none can be compiled.
static int try_counts(const swScene *scene, const swBody *body, swTry *t, swError *error) {
    int n = 0, worse = 0, next = 2;
    swReal best = INFINITY;
    swModel *first = NULL;
    while (n < TRIES && worse < PATIENCE && !(n > 0 && !(t[n - 1].error > body->frames.error))) {
        swError own = {0};
        t[n] = (swTry){.count = next};
        if (!try_count(scene, body, &first, &t[n], &own)) {
            if (n > 0 && own.code != SW_ERROR_STOPPED)
                break; // no more of them fit
            if (error)
                *error = own;
            n = 0;
            break;
        }
        worse = n < ALWAYS || t[n].error < 0.9 * best ? 0 : worse + 1;
        best = sw_min(best, t[n].error);
        n++;
        next = next * 3 / 2;
    }
    sw_model_destroy(first);
    return n;
}

// The fewest frames that are enough, or hardly worse than the best.
static const swTry *choose(int n, const swTry *t, swReal enough) {
    swReal best = INFINITY;
    for (int k = 0; k < n; k++)
        best = sw_min(best, t[k].error);
    if (!isfinite(best))
        return &t[n - 1];
    while (t->error > sw_max(enough, 1.1 * best))
        t++;
    return t;
}

// Sets the number of frames. Bodies that have no estimate keep frames.error: they are seen to by
// distances, where frames are placed.
static bool count_frames(const swScene *scene, swBody *body, swError *error) {
    const swConfig *config = sw_scene_config(scene);
    const swReal enough = body->frames.error;
    swTry all[TRIES] = {0};
    const int n = try_counts(scene, body, all, error);
    if (n == 0)
        return false;
    if (isnan(all[0].error)) {
        sw_info(config, "body \"%s\": frames.error: linear theory has no answer: distances decide",
                body->name);
        return true;
    }
    const swTry *t = choose(n, all, enough);
    if (t->error <= enough)
        sw_info(config, "body \"%s\": %d frames for an estimated error of %.2g", body->name,
                t->count, t->error);
    else
        sw_warn(config,
                "body \"%s\": frames.error: %g was not reached with up to %d frames; it has %d, "
                "which are off by %.2g, of which %.2g are in doubt",
                body->name, enough, all[n - 1].count, t->count, t->error, t->doubt);
    if (!t->large)
        sw_warn(config,
                "body \"%s\": frames.error: it is by linear theory alone, so that large "
                "displacements are not part of it",
                body->name);
    body->frames.count = t->count;
    body->frames.error = NAN;
    return true;
}

static bool is_asked(const swBody *b) {
    return !b->like && !isnan(b->frames.error) && b->frames.nat == 0 && !b->cuts;
}

// ---- nothing is said ----

// How far a body is from linear theory on the bricks of its correctors; 0: it has none.
static swReal quick_error(const swModel *m, int body) {
    swEstimate e;
    return sw_body_estimate(m, body, &e, NULL) ? e.error : 0;
}

// More frames than the few that are off by so much, until tries in a row hardly help: the error
// should fall at least as the root of their number grows.
static bool add_frames(const swScene *scene, swBody *body, swReal off, swError *error) {
    swReal best = off;
    int found = FEW, worse = 0;
    for (int next = FEW * 3 / 2; next <= 50 && best > plenty && worse < PATIENCE;
         next = next * 3 / 2) {
        swError own = {0};
        swModel *m = compile_alone(scene, body, next, SW_ESTIMATE_NONE, true, &own);
        if (!m && own.code == SW_ERROR_STOPPED) {
            if (error)
                *error = own;
            return false;
        }
        const swReal now = m ? quick_error(m, 0) : 0;
        sw_model_destroy(m);
        if (!(now > 0)) // no more of them fit, or are corrected
            break;
        worse++;
        if (now < best * sqrt((swReal)found / next)) {
            best = now;
            found = next;
            worse = 0;
        }
    }
    body->frames.count = found;
    if (found > FEW)
        sw_info(sw_scene_config(scene),
                "body \"%s\": %d frames for an estimated error of %.2g, as %d are off by %.2g",
                body->name, found, best, FEW, off);
    return true;
}

// How many frames a body gets, which few[i] says nothing of: as many as an equal one before it.
// False: it was stopped.
static bool enough_frames(const swScene *scene, const swModel *m, int i, swBody *body,
                          const bool *few, bool *again, swError *error) {
    int first = 0;
    while (m->place[first].compiled != m->place[i].compiled)
        first++;
    if (!few[i])
        return true;
    if (first < i) {
        body[i].frames.count = body[first].frames.count;
        return true;
    }
    const swReal off = body[i].estimate == SW_ESTIMATE_NONE ? quick_error(m, i) : 0;
    const bool ok = off <= plenty || add_frames(scene, &body[i], off, error);
    *again = *again || body[i].frames.count > FEW;
    return ok;
}

// Compiles with few frames, and again where those are not enough.
static swModel *compile_few(const swScene *scene, swBody *body, const bool *few, swReal t,
                            int ntorn, const swTornBody *torn, swError *error) {
    struct swSceneMemory memory = *scene->memory;
    swScene own = *scene;
    own.memory = &memory;
    memory.quick = true;
    swModel *m = sw_compile_torn(&own, t, ntorn, torn, error);
    bool again = false, ok = m != NULL;
    for (int i = 0; ok && i < m->size.nbody; i++)
        ok = enough_frames(scene, m, i, body, few, &again, error);
    for (int i = 0; ok && !again && i < m->size.nbody; i++) {
        swBody whole;
        sw_body_resolve(scene, &body[i], &whole);
        if (whole.estimate == SW_ESTIMATE_NONE)
            m->compiled[m->place[i].compiled]->size.nfine = 0; // nobody has asked for it
    }
    if (ok && !again)
        return m;
    sw_model_destroy(m);
    return ok ? sw_compile_torn(scene, t, ntorn, torn, error) : NULL;
}

swModel *sw_compile_counted(const swScene *scene, swReal t, int ntorn, const swTornBody *torn,
                            swError *error) {
    int n = 0, i = 0;
    for (const swBody *b = scene->bodies; b; b = b->next)
        n++;
    sw_error_clear(error);
    if (!sw_scene_check(scene, error))
        return NULL;
    swArena arena;
    swScene counted = *scene;
    sw_arena_init(&arena, &sw_scene_config(scene)->allocator);
    swBody *own = SW_NEW(&arena, n, swBody, error);
    bool *few = SW_NEW(&arena, n, bool, error), ok = own && few, any = false;
    for (const swBody *b = scene->bodies; ok && b; b = b->next, i++) {
        own[i] = *b;
        own[i].next = b->next ? &own[i + 1] : NULL;
        few[i] = b->frames.count == SW_FRAMES_AUTO && isnan(b->frames.error) && !b->like &&
                 b->frames.nat == 0 && !b->cuts;
        any = any || few[i];
        if (b->frames.count == SW_FRAMES_AUTO && !b->like) // those are as others are
            own[i].frames.count = FEW;
        ok = !is_asked(b) || count_frames(scene, &own[i], error);
    }
    counted.bodies = own;
    swModel *model = !ok   ? NULL
                     : any ? compile_few(&counted, own, few, t, ntorn, torn, error)
                           : sw_compile_torn(&counted, t, ntorn, torn, error);
    sw_arena_free(&arena);
    return model;
}

swModel *sw_compile(const swScene *scene, swError *error) { return sw_compile_at(scene, 0, error); }

swModel *sw_compile_at(const swScene *scene, swReal t, swError *error) {
    return sw_compile_counted(scene, t, 0, NULL, error);
}
