// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What makes a body sound, beyond its keys one by one.
#include "scene/scene.h"

#include "math/vec.h"
#include "weights/weights.h"

#include <math.h>
#include <string.h>

typedef struct Check {
    const swScene *scene;
    swPlace *place; // goes up only on success, so that a failure leaves it at the culprit
    swError *error;
} Check;

// The end of a muscle: a handle of its body, which may be a bone or a rigid part that only
// compiling finds, or a point.
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

// Beams join rigid nodes, each by its matrix.
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
                                 "expected a body without %s, where it has beams", found);
        if (!b->from.handle || !b->to.handle || sw_text_equal(b->from.handle, b->to.handle))
            return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                 "expected \"from\" and \"to\" with a \"handle\" each, two of "
                                 "them");
        sw_place_up(c->place);
    }
    sw_place_up(c->place);
    return true;
}

// What is known of a body at rest alone can not follow everything.
static bool check_precompute(Check *c, const swBody *body) {
    const swFrames *f = &body->frames;
    const char *found = f->blend != SW_BLEND_LINEAR
                            ? "dual quaternions, of which no stiffness is constant"
                        : body->shapes        ? "rest shapes, with which it changes"
                        : f->adapt.budget > 0 ? "a budget of inserted frames, whose stiffness is "
                                                "not known"
                                              : NULL;
    if (!f->precompute || !found)
        return true;
    sw_place_key(c->place, "frames");
    sw_place_key(c->place, "precompute");
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected a body whose stiffness at rest says all, found %s", found);
}

static bool check_cuts(Check *c, const swBody *body) {
    const char *expected = sw_cuts_expected(c->scene, body);
    if (expected)
        sw_place_key(c->place, "cuts");
    return !expected || sw_place_fail(c->place, c->error, SW_ERROR_VALUE, "expected %s", expected);
}

// Frames and particles have no vertices that one axis could be taken from.
static bool check_slides(Check *c, const swBody *body) {
    if (!body->slides || body->tets)
        return true;
    sw_place_key(c->place, "slides");
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected none without \"tets\", whose vertices alone can slide");
}

static bool fail_springs(Check *c, const char *key, const char *expected) {
    sw_place_key(c->place, "springs");
    sw_place_key(c->place, key);
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE, "expected %s", expected);
}

// Springs know lengths alone.
static bool check_springs(Check *c, const swBody *body) {
    const swSpringNet *s = body->springs;
    if (!s)
        return true;
    if (s->over == SW_SPRINGS_SURFACE && isnan(s->thickness))
        return fail_springs(c, "thickness", "one for springs over the surface, found none");
    if (s->over != SW_SPRINGS_SURFACE && (s->pressure != 0 || s->gas))
        return fail_springs(c, s->gas ? "gas" : "pressure",
                            "none in a solid; a hollow body has springs over "
                            "its \"surface\"");
    if (s->gas && s->ambient + s->pressure <= 0)
        return fail_springs(c, "pressure", "one that leaves some gas: above -ambient");
    if (s->gas && c->scene->analysis == SW_ANALYSIS_MODAL)
        return fail_springs(c, "gas", "false in modal analyses: the matrix of a gas is full");
    if (s->over == SW_SPRINGS_TETS && (s->bend > 0 || s->tets.order == SW_TETS_QUADRATIC))
        return fail_springs(c, s->bend > 0 ? "bend" : "tets",
                            s->bend > 0 ? "0 over tetrahedra"
                                        : "linear ones, found quadratic ones");
    if (s->over == SW_SPRINGS_LATTICE && !(s->structural > 0 && s->shear > 0))
        return fail_springs(c, s->structural > 0 ? "shear" : "structural",
                            "one above 0 over a lattice: without such springs its cells collapse");
    return true;
}

// A file has a shape of its own, and all its tetrahedra.
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
    if (body->modes || body->springs)
        sw_place_key(c->place, body->modes ? "modes" : "springs");
    sw_place_key(c->place, "tets");
    sw_place_key(c->place, tets->fit ? "fit" : "voxel");
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected none with a file, which has all tetrahedra");
}

// Modes are motions of a body that is held still.
static bool check_modes(Check *c, const swBody *body) {
    static const char all[] = "modes move a body that handles hold still: take tets or frames";
    const char *key = NULL, *expected = NULL;
    if (!body->modes)
        return true;
    for (const swHandle *h = body->handles; h; h = h->next)
        if (h->motion != SW_MOTION_FIXED)
            key = "handles", expected = "fixed ones, found one that moves";
    if (!body->handles)
        key = "handles", expected = "one at least, found none";
    if (body->skeleton)
        key = "skeleton", expected = "none";
    if (sw_norm(body->velocity) > 0 || sw_norm(body->spin) > 0)
        key = sw_norm(body->velocity) > 0 ? "velocity" : "spin", expected = "zero";
    if (body->mass != SW_MASS_FULL)
        key = "mass", expected = "full, found lumped";
    if (body->modes->tets.volume != SW_TETS_PLAIN)
        key = "modes", expected = "plain volume of its tets, found mean";
    if (!key)
        return true;
    sw_place_key(c->place, key);
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE, "expected %s: %s", expected, all);
}

// Their stiffness is known before, and goes with rotations that a step begins with.
static bool check_particles(Check *c, const swBody *body) {
    if (!body->particles)
        return true;
    const bool turned = body->handles || body->skeleton;
    if (c->scene->solver.path == SW_PATH_ARC_LENGTH) {
        sw_place_key(c->place, "particles");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected another solver.path than arc-length, which does not know "
                             "their rotations");
    }
    if (turned || body->particles->rotations != SW_ROTATIONS_DIFFUSION)
        return true;
    sw_place_key(c->place, "particles");
    sw_place_key(c->place, "rotations");
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected polar where no handle turns, found diffusion");
}

// What is said of frames is not for bodies without them; files cannot say both.
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

// One that is like another has nothing of its own but what makes it another.
static bool check_like(Check *c, const swBody *body) {
    const swBody *from = c->scene->bodies;
    while (from != body && !sw_text_equal(from->name, body->like))
        from = from->next;
    sw_place_key(c->place, "like");
    if (from == body || from->like)
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected the name of an earlier body that is described itself, found "
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
                             "expected no keys beside it but \"name\", \"place\", \"velocity\", "
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
                             "expected none without \"like\": the parts of a shape name theirs");
    }
    const swFrames *f = &body->frames;
    if (!check_precompute(c, body) || !check_cuts(c, body) || !check_springs(c, body) ||
        !check_tets(c, body) || !check_modes(c, body) || !check_particles(c, body) ||
        !check_shapes(c, body) || !check_no_frames(c, body) || !check_slides(c, body))
        return false;
    const bool all = f->nkinds == 0 || f->nkinds == f->nat;
    if (f->adapt.budget > 0 && f->blend != SW_BLEND_LINEAR) {
        sw_place_key(c->place, "frames");
        sw_place_key(c->place, "adapt");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected a budget of 0 with dual quaternions, to whose blend a "
                             "motion cannot be added, found %d",
                             f->adapt.budget);
    }
    const swWeightKind *kind = sw_weights_find(f->weights.kind);
    if (body->skeleton && kind && kind->row) {
        sw_place_key(c->place, "skeleton");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected weights of another kind than \"%s\", whose frames and "
                             "handles stand in a row",
                             kind->name);
    }
    if (body->skeleton && body->skeleton->follow > 0 && c->scene->analysis != SW_ANALYSIS_DYNAMIC) {
        sw_place_key(c->place, "skeleton");
        sw_place_key(c->place, "follow");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected 0 unless the analysis is dynamic, found %g",
                             body->skeleton->follow);
    }
    if (all && (f->count > 0 || f->nat > 0 || body->handles || body->skeleton))
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
