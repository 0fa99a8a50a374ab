// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Consistency checks of a body, beyond those of its individual keys.
#include "scene/scene.h"

#include "math/vec.h"
#include "weights/weights.h"

#include <math.h>
#include <string.h>

typedef struct Check {
    const swScene *scene;
    swPlace *place; // goes up only on success, so that a failure leaves it at the offending key
    swError *error;
} Check;

// Checks the end of a muscle: either a point, or a handle of its body, which may be a bone or a
// rigid part that is only found by compiling.
static bool check_end(Check *c, const char *key, const swMuscleEnd *end) {
    sw_place_key(c->place, key);
    if (!end->handle && isnan(end->point.x))
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected \"handle\" or \"point\", found neither");
    sw_place_up(c->place);
    return true;
}

static bool check_muscles(Check *c, const swBody *body) {
    int n = 0;
    sw_place_key(c->place, "muscles");
    for (const swMuscle *m = body->muscles; m; m = m->next, n++) {
        sw_place_index(c->place, n);
        if (!check_end(c, "from", &m->from) || !check_end(c, "to", &m->to))
            return false;
        sw_place_up(c->place);
    }
    sw_place_up(c->place);
    return true;
}

// Beams join rigid nodes through their matrices.
static bool check_beams(Check *c, const swBody *body) {
    const char *found = body->modes                             ? "modes, which move no handle"
                        : body->frames.blend != SW_BLEND_LINEAR ? "dual quaternions"
                        : body->cuts                            ? "cuts, which take handles apart"
                                                                : NULL;
    int n = 0;
    sw_place_key(c->place, "beams");
    for (const swBeam *b = body->beams; b; b = b->next, n++) {
        sw_place_index(c->place, n);
        if (found)
            return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                 "expected no beams in a body with %s", found);
        if (!b->from.handle || !b->to.handle || sw_text_equal(b->from.handle, b->to.handle))
            return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                 "expected \"from\" and \"to\" with a \"handle\" each, not the "
                                 "same one");
        sw_place_up(c->place);
    }
    sw_place_up(c->place);
    return true;
}

// A stiffness computed once, at rest, does not support everything.
static bool check_precompute(Check *c, const swBody *body) {
    const swFrames *f = &body->frames;
    const char *found = f->blend != SW_BLEND_LINEAR
                            ? "dual quaternions, whose stiffness is not constant"
                        : body->shapes        ? "rest shapes, which change the stiffness"
                        : f->adapt.budget > 0 ? "a budget of inserted frames, whose stiffness is "
                                                "not known"
                                              : NULL;
    if (!f->precompute || !found)
        return true;
    sw_place_key(c->place, "frames");
    sw_place_key(c->place, "precompute");
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected a body that its stiffness at rest describes fully, found %s",
                         found);
}

static bool check_cuts(Check *c, const swBody *body) {
    const char *expected = sw_cuts_expected(c->scene, body);
    if (expected)
        sw_place_key(c->place, "cuts");
    return !expected || sw_place_fail(c->place, c->error, SW_ERROR_VALUE, "expected %s", expected);
}

// Frames and particles have no vertices for which a single axis could be constrained.
static bool check_slides(Check *c, const swBody *body) {
    if (!body->slides || body->tets)
        return true;
    sw_place_key(c->place, "slides");
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected none without \"tets\": only their vertices can slide");
}

// A file provides the shape and all tetrahedra.
static bool check_tets(Check *c, const swBody *body) {
    const swTets *tets = sw_body_tets(body);
    const bool file = tets && tets->file;
    if (!body->shape && !file) {
        char expected[400];
        sw_place_key(c->place, "shape");
        return sw_place_fail(
            c->place, c->error, SW_ERROR_VALUE, "expected %s, found nothing",
            sw_schema_expected(&(swField){.type = SW_FIELD_SHAPE, .table = &sw_shape_table},
                               expected, sizeof expected));
    }
    if (!file || (!tets->fit && isnan(tets->voxel)))
        return true;
    if (!body->tets) // those of modes or springs
        sw_place_key(c->place, sw_body_model(body));
    sw_place_key(c->place, "tets");
    sw_place_key(c->place, tets->fit ? "fit" : "voxel");
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected none with a file, which already has the tetrahedra");
}

// Keys about frames do not apply to bodies without them; scene files cannot set both.
static bool check_no_frames(Check *c, const swBody *body) {
    const swFrames *f = &body->frames;
    const char *kind = sw_body_model(body);
    if (!kind || (f->blend == SW_BLEND_LINEAR && f->adapt.budget == 0 && !f->precompute))
        return true;
    sw_place_key(c->place, "frames");
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected neither dual quaternions nor a budget nor precomputed springs "
                         "with %s",
                         kind);
}

// Rest shapes are poses of frames.
static bool check_shapes(Check *c, const swBody *body) {
    const char *kind = sw_body_model(body);
    if (!kind || !body->shapes)
        return true;
    sw_place_key(c->place, "shapes");
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected none with %s, as rest shapes need frames", kind);
}

// A body that is like another may only set what distinguishes it.
static bool check_like(Check *c, const swBody *body) {
    const swBody *from = c->scene->bodies;
    while (from != body && !sw_text_equal(from->name, body->like))
        from = from->next;
    sw_place_key(c->place, "like");
    if (from == body || from->like)
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected the name of an earlier body without \"like\", found "
                             "\"%s\"",
                             body->like);
    swBody plain, own;
    memset(&plain, 0, sizeof plain);
    sw_schema_default(&sw_body_table, &plain);
    memcpy(&own, body, sizeof own);
    swBody *const both[] = {&plain, &own};
    for (int i = 0; i < 2; i++) {
        both[i]->next = NULL;
        both[i]->name = both[i]->like = NULL;
        both[i]->materials = NULL;
        memset(&both[i]->place, 0, sizeof plain.place);
        both[i]->velocity = both[i]->spin = sw_v3(0, 0, 0);
    }
    if (memcmp(&plain, &own, sizeof own) != 0)
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected no keys besides it but \"name\", \"place\", \"velocity\", "
                             "\"spin\" and \"materials\", found others");
    sw_place_up(c->place);
    return true;
}

bool sw_body_check(const swScene *scene, const swBody *body, swPlace *place, swError *error) {
    Check check = {.scene = scene, .place = place, .error = error}, *c = &check;
    if (body->like)
        return check_like(c, body);
    if (body->materials) {
        sw_place_key(c->place, "materials");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected none without \"like\": each part of a shape names its own");
    }
    const swFrames *f = &body->frames;
    if (!check_precompute(c, body) || !check_cuts(c, body) ||
        !sw_body_check_model(scene, body, place, error) || !check_tets(c, body) ||
        !check_shapes(c, body) || !check_no_frames(c, body) || !check_slides(c, body))
        return false;
    const bool all = f->nkinds == 0 || f->nkinds == f->nat;
    if (f->adapt.budget > 0 && f->blend != SW_BLEND_LINEAR) {
        sw_place_key(c->place, "frames");
        sw_place_key(c->place, "adapt");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected a budget of 0 with dual quaternions, as a motion cannot be "
                             "added to their blend, found %d",
                             f->adapt.budget);
    }
    const swWeightKind *kind = sw_weights_find(f->weights.kind);
    if (body->skeleton && kind && kind->row) {
        sw_place_key(c->place, "skeleton");
        return sw_place_fail(
            c->place, c->error, SW_ERROR_VALUE,
            "expected another kind of weights than \"%s\", whose frames and handles "
            "must be in a row",
            kind->name);
    }
    if (body->skeleton && body->skeleton->follow > 0 && c->scene->analysis != SW_ANALYSIS_DYNAMIC) {
        sw_place_key(c->place, "skeleton");
        sw_place_key(c->place, "follow");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected 0 unless the analysis is dynamic, found %g",
                             body->skeleton->follow);
    }
    if (all && (f->count != 0 || f->nat > 0 || body->handles || body->skeleton))
        return check_muscles(c, body) && check_beams(c, body);
    sw_place_key(c->place, "frames");
    if (!all) {
        sw_place_key(c->place, "kinds");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected %d names, one for each frame of \"at\", found %d", f->nat,
                             f->nkinds);
    }
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected a \"count\" above 0, places \"at\", or handles, found none");
}
