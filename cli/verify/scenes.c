// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The scenes of sinew verify. Lengths, loads and laws are those of the reference solutions, which
// docs/verification.md describes.
#include "verify/verify.h"

#include <string.h>

enum { ACROSS = 8, POINTS = 30 }; // voxels across a bar, integration points per frame

// ---- parts of scenes ----

static swVec3 along(int axis, swReal length) {
    return sw_v3(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
}

static swMaterial *add_material(swScene *s, const Plan *p, const char *name, swReal young) {
    swMaterial *m = sw_scene_add_material(s, name);
    if (m) {
        m->law = p->problem->law;
        m->young = young;
        m->poisson = p->problem->poisson;
    }
    return m;
}

static bool is_tets(const Plan *p) { return p->variant->node >= TETS1; }

static swBody *add_body(swScene *s, const Plan *p, swReal voxel) {
    swBody *b = sw_scene_add_body(s, NULL);
    if (!b)
        return NULL;
    const Variant *v = p->variant;
    b->voxel = voxel / p->refine;
    if (is_tets(p)) {
        swTets *tets = sw_body_add_tets(s, b);
        if (!tets)
            return NULL;
        tets->voxel = ACROSS * voxel / v->frames / p->refine;
        tets->order = v->node == TETS1 ? SW_TETS_LINEAR : SW_TETS_QUADRATIC;
        tets->volume = strcmp(v->weights, "mean") == 0 ? SW_TETS_MEAN : SW_TETS_PLAIN;
        return b;
    }
    b->frames.kind = v->node == AFFINE      ? SW_NODE_AFFINE
                     : v->node == QUADRATIC ? SW_NODE_QUADRATIC
                                            : SW_NODE_RIGID;
    b->frames.blend = v->node == DUAL ? SW_BLEND_DUAL_QUATERNION : SW_BLEND_LINEAR;
    b->frames.weights.kind = v->weights;
    if (v->relax != CORRECTED) { // else the defaults
        b->integration.correct = SW_CORRECT_NO;
        b->integration.relax = v->relax != LOCKED;
        b->frames.weights.distance = SW_DISTANCE_COMPLIANCE;
    }
    b->frames.count = v->frames;
    return b;
}

static bool add_box(swScene *s, swVec3 lo, swVec3 hi, const char *material) {
    swShape *box = sw_body_add_shape(s, s->bodies, SW_SHAPE_BOX);
    if (!box)
        return false;
    box->size = sw_sub(hi, lo);
    box->center = sw_scale(0.5, sw_add(lo, hi));
    box->material = material;
    return true;
}

// Makes a region of all of the body that lies at one place along an axis.
static void set_plane(swShape *region, int axis, swReal place) {
    enum { WIDE = 1000 };
    region->size = sw_sub(sw_v3(WIDE, WIDE, WIDE), along(axis, WIDE));
    region->center = along(axis, place);
}

static swHandle *add_wall(swScene *s, const char *name, int axis, swReal place) {
    swHandle *h = sw_body_add_handle(s, s->bodies, name, SW_SHAPE_BOX);
    if (h)
        set_plane(h->region, axis, place);
    return h;
}

static bool add_traction(swScene *s, int axis, swReal place, swVec3 traction) {
    swLoad *load = sw_body_add_load(s, s->bodies, SW_SHAPE_BOX);
    if (!load)
        return false;
    set_plane(load->on, axis, place);
    load->traction = traction;
    return true;
}

// Keeps all of the body that lies at one place along the axis `across` from moving along `axis`.
static bool add_slide(swScene *s, int across, swReal place, int axis) {
    swSlide *slide = sw_body_add_slide(s, s->bodies, (swAxis)axis, SW_SHAPE_BOX);
    if (slide)
        set_plane(slide->region, across, place);
    return slide != NULL;
}

// Moves a handle from its rest place to `pose` as the load grows.
static bool add_motion(swScene *s, swHandle *h, swPose pose) {
    swKey *key = h && sw_handle_add_key(s, h, 0) ? sw_handle_add_key(s, h, 1) : NULL;
    if (key)
        key->pose = pose;
    return key != NULL;
}

// Places frames evenly along an axis, from one end to the other. `first` or `last` is false if a
// handle is already there.
static void set_row(swBody *b, Plan *p, int axis, swReal from, swReal to, bool first, bool last) {
    const int n = p->variant->frames;
    if (sw_text_equal(p->variant->weights, "eigenmodes")) { // these have no positions
        b->frames.count = n - !first - !last;
        return;
    }
    b->frames.count = 0;
    b->frames.at = p->at;
    b->frames.nat = 0;
    for (int i = first ? 0 : 1; i < (last ? n : n - 1); i++)
        p->at[b->frames.nat++] = along(axis, from + (to - from) * i / (n - 1));
}

static void set_points(swBody *b, const Plan *p) {
    if (p->refine > 1) // else the default number
        b->integration.points = POINTS * p->variant->frames * p->refine * p->refine;
}

// A bar along x from the origin, of one material.
static swBody *add_bar(swScene *s, Plan *p, swReal length, swReal side, swReal young) {
    swBody *b = add_material(s, p, "rubber", young) ? add_body(s, p, side / ACROSS) : NULL;
    const swReal h = 0.5 * side;
    if (!b || !add_box(s, sw_v3(0, -h, -h), sw_v3(length, h, h), NULL))
        return NULL;
    set_points(b, p);
    return b;
}

// Uses the mesh of a file instead of one made from voxels.
static void use_mesh(swBody *b, const Plan *p) {
    b->tets->file = p->mesh;
    b->shape = NULL;
    b->voxel = b->tets->voxel = NAN;
}

static bool add_tip(swScene *s, swVec3 point) {
    return sw_scene_add_probe(s, "tip", point) != NULL;
}

// ---- uniform strain ----

static void set_mooney(swMaterial *m, swReal k) {
    m->param[0] = 2e4; // c10
    m->param[1] = 1e4; // c01
    m->param[2] = k;
}

// A body of frames is free, which statics does not allow: it is simulated in time, and the long
// steps of implicit Euler damp its motion. Tetrahedra are held at planes of symmetry instead.
static bool hold_pulled(swScene *s, const Plan *p) {
    if (is_tets(p)) {
        s->solver.increments = 4;
        s->solver.saddles = SW_SADDLES_KEEP; // compressive forces would turn it over
        return add_slide(s, 0, 0, 0) && add_slide(s, 1, 0, 1) && add_slide(s, 2, 0, 2);
    }
    s->analysis = SW_ANALYSIS_DYNAMIC;
    s->time.step = 0.25;
    s->time.end = 10;
    return true;
}

// Pulled from both sides along its first `kind` axes by the traction of the reference.
bool build_pulled(swScene *s, Plan *p) {
    const Case *c = p->problem;
    const Reference *r = verify_reference(c->name, "traction");
    const bool mooney = strcmp(c->law, "mooney-rivlin") == 0;
    const swVec3 size = mooney ? sw_v3(1, 1, 1) : sw_v3(1, 0.1, 0.1);
    swBody *b = add_material(s, p, "rubber", 2e5) ? add_body(s, p, size.y / ACROSS) : NULL;
    if (!b || !add_box(s, sw_v3(0, 0, 0), size, NULL))
        return false;
    if (mooney)
        set_mooney(s->materials, c->load);
    set_row(b, p, 0, 0, size.x, true, true);
    for (int i = 0; i < c->kind; i++)
        if ((!is_tets(p) && !add_traction(s, i, 0, along(i, -r->value))) ||
            !add_traction(s, i, i == 0 ? size.x : size.y, along(i, r->value)))
            return false;
    return hold_pulled(s, p) &&
           sw_scene_add_probe(s, "start", sw_v3(0, 0.5 * size.y, 0.5 * size.z)) &&
           sw_scene_add_probe(s, "end", sw_v3(size.x, 0.5 * size.y, 0.5 * size.z));
}

// Compressed between two handles, which is right for a bar that does not widen.
bool build_squeezed(swScene *s, Plan *p) {
    swBody *b = add_bar(s, p, 1, 0.1, 2e5);
    if (!b || !add_wall(s, "wall", 0, 0))
        return false;
    set_row(b, p, 0, 0, 1, false, false);
    s->solver.increments = 4;
    s->solver.saddles = SW_SADDLES_KEEP; // it would buckle
    return add_motion(s, add_wall(s, "end", 0, 1),
                      (swPose){.axis = {1, 0, 0}, .translate = {p->problem->load, 0, 0}});
}

// Makes the strain of a sheared cube uniform: puts the reference's tractions on its sides and keeps
// two faces in their planes.
static bool hold_sides(swScene *s, const Plan *p) {
    const swVec3 t = {verify_reference(p->problem->name, "side.x")->value,
                      verify_reference(p->problem->name, "side.y")->value, 0};
    return add_traction(s, 0, 1, t) && add_traction(s, 0, 0, sw_scale(-1, t)) &&
           add_slide(s, 2, 0, 2) && add_slide(s, 2, 1, 2);
}

// A cube between two handles, one of which slides.
bool build_sheared(swScene *s, Plan *p) {
    swBody *b = add_material(s, p, "rubber", 2e5) ? add_body(s, p, 0.25) : NULL;
    if (!b || !add_box(s, sw_v3(0, 0, 0), sw_v3(1, 1, 1), NULL) || !add_wall(s, "wall", 1, 0))
        return false;
    set_mooney(s->materials, 5e5);
    b->frames.weights.axis = sw_v3(0, 1, 0);
    set_row(b, p, 1, 0, 1, false, false);
    s->solver.increments = is_tets(p) ? 4 : 1;
    return (!is_tets(p) || hold_sides(s, p)) &&
           add_motion(s, add_wall(s, "top", 1, 1),
                      (swPose){.axis = {1, 0, 0}, .translate = {p->problem->load, 0, 0}});
}

// ---- bars ----

bool build_cantilever(swScene *s, Plan *p) {
    swBody *b = add_bar(s, p, 1, 0.1, 2e5);
    if (!b || !add_wall(s, "wall", 0, 0) || !add_tip(s, sw_v3(1, 0, 0)))
        return false;
    set_row(b, p, 0, 0, 1, false, true);
    s->gravity = sw_v3(0, -p->problem->load, 0);
    s->solver.increments = p->problem->load > 1 ? 4 : 1;
    return true;
}

bool build_tip_traction(swScene *s, Plan *p) {
    swBody *b = add_bar(s, p, 10, 1, 2e5);
    if (!b || !add_wall(s, "wall", 0, 0) || !add_tip(s, sw_v3(10, 0, 0)))
        return false;
    set_row(b, p, 0, 0, 10, false, true);
    s->solver.increments = p->problem->load > 100 ? 4 : 1;
    return add_traction(s, 0, 10, sw_v3(0, -p->problem->load, 0));
}

// Runs until after the second return to the top or, to watch energy, for twenty swings.
bool build_release(swScene *s, Plan *p) {
    const Case *c = p->problem;
    const bool energy = c->value[0].read == READ_DRIFT;
    if (!build_cantilever(s, p))
        return false;
    s->analysis = SW_ANALYSIS_DYNAMIC;
    s->time.integrator = c->integrator;
    s->time.step = 0.01 / p->refine;
    s->time.end = energy ? 60 : c->load > 1 ? 6.5 : 9.5;
    return true;
}

bool build_torsion(swScene *s, Plan *p) {
    swBody *b = add_bar(s, p, 1, 0.2, 2e5);
    if (!b || !add_wall(s, "wall", 0, 0))
        return false;
    if (is_tets(p))
        use_mesh(b, p);
    set_row(b, p, 0, 0, 1, false, false);
    s->solver.increments = p->problem->load > 60 ? 4 : 1;
    return add_motion(s, add_wall(s, "end", 0, 1),
                      (swPose){.axis = {1, 0, 0}, .angle = p->problem->load * SW_PI / 180});
}

// ---- several materials ----

// Adds a box from x = lo to hi, with |y| and |z| up to the given values, of a material of its own.
static bool add_part(swScene *s, const Plan *p, swReal lo, swReal hi, swReal y, swReal z,
                     swReal young) {
    char name[32];
    int count = 0;
    for (const swMaterial *m = s->materials; m; m = m->next)
        count++;
    snprintf(name, sizeof name, "part%d", count + 1);
    const swMaterial *m = add_material(s, p, name, young);
    return m && add_box(s, sw_v3(lo, -y, -z), sw_v3(hi, y, z), m->name);
}

// Adds a wall, and lets the remaining frames be placed automatically.
static bool hold_and_place(swScene *s, const Plan *p, int axis, swReal place) {
    s->bodies->frames.count = p->variant->frames - 1;
    set_points(s->bodies, p);
    return add_wall(s, "wall", axis, place) != NULL;
}

bool build_plate(swScene *s, Plan *p) {
    enum { SLICES = 50 }; // in which stiffness grows along the plate
    const Case *c = p->problem;
    const Reference *line = verify_reference(c->name, "line");
    bool ok = add_body(s, p, is_tets(p) ? 2.0 / 3 / ACROSS : 0.1); // cells that end where parts do
    if (c->kind == PLATE_GRADIENT)
        for (int i = 0; i < SLICES && ok; i++)
            ok = add_part(s, p, 10.0 * i / SLICES, 10.0 * (i + 1) / SLICES, 2, 0.1,
                          1e5 + 9e5 * (i + 0.5) / SLICES);
    else
        ok = ok && add_part(s, p, 0, 10, 2, 0.1, 1e5);
    if (c->kind == PLATE_BAND || c->kind == PLATE_BLOCK)
        ok =
            ok && add_part(s, p, 10.0 / 3, 20.0 / 3, c->kind == PLATE_BAND ? 2 : 2.0 / 3, 0.1, 1e9);
    ok = ok && hold_and_place(s, p, 0, 0) && add_traction(s, 0, 10, sw_v3(c->load, 0, 0));
    for (int i = 0; i < line->npoint && ok; i++)
        ok = sw_scene_add_probe(s, NULL, sw_v3(line->curve[2 * i], 0, 0)) != NULL;
    s->solver.increments = 2;
    return ok;
}

// Layers of unit length, each ten times stiffer than the one before; frames at their ends and
// evenly between them.
bool build_layers(swScene *s, Plan *p) {
    const Case *c = p->problem;
    swReal young = 1e4;
    swBody *b = add_body(s, p, 0.2 / ACROSS);
    bool ok = b != NULL;
    for (int i = 0; i < c->kind && ok; i++, young *= 10)
        ok = add_part(s, p, i, i + 1, 0.1, 0.1, young);
    if (!ok || !add_wall(s, "wall", 0, 0) || !add_tip(s, sw_v3(c->kind, 0, 0)))
        return false;
    set_row(b, p, 0, 0, c->kind, false, true);
    set_points(b, p);
    s->solver.increments = 2;
    return add_traction(s, 0, c->kind, sw_v3(c->load, 0, 0));
}

// Two layers; frames are placed automatically.
bool build_contrast(swScene *s, Plan *p) {
    if (!add_body(s, p, 0.2 / ACROSS) || !add_part(s, p, 0, 1, 0.1, 0.1, 1e4) ||
        !add_part(s, p, 1, 2, 0.1, 0.1, 1e4 * p->problem->load) || !add_tip(s, sw_v3(2, 0, 0)))
        return false;
    return hold_and_place(s, p, 0, 0) && add_traction(s, 0, 2, sw_v3(1000, 0, 0));
}

// ---- other shapes ----

// Holds the membrane between two sheets of glass with some clearance, or it would leave its plane.
static bool hold_in_plane(swScene *s) {
    for (int side = -1; side < 2; side += 2) {
        swCollider *glass = sw_scene_add_collider(s, SW_SHAPE_HALFSPACE);
        if (!glass)
            return false;
        glass->shape->normal = sw_v3(0, 0, side);
        glass->shape->offset = -0.55;
        glass->friction = 0;
    }
    return true;
}

// Holds the membrane at its middle, a plane of symmetry, and with a clamp that lets it become
// thinner.
static bool slide_in_plane(swScene *s, const Plan *p) {
    return add_slide(s, 0, 0, 0) && add_slide(s, 0, 0, 1) && add_slide(s, 2, 0, 2) &&
           (p->problem->kind == COOK_FREE || (add_slide(s, 2, -0.5, 2) && add_slide(s, 2, 0.5, 2)));
}

bool build_cook(swScene *s, Plan *p) {
    static const swReal corners[] = {0, 0, 48, 44, 48, 60, 0, 44};
    const Case *c = p->problem;
    const swReal mu = 80.1938;
    swBody *b =
        add_material(s, p, "rubber", 2 * mu * (1 + c->poisson)) ? add_body(s, p, 0.5) : NULL;
    if (!b)
        return false;
    if (is_tets(p))
        use_mesh(b, p);
    else {
        swShape *shape = sw_body_add_shape(s, b, SW_SHAPE_EXTRUDE);
        if (!shape)
            return false;
        shape->polygon = corners;
        shape->npolygon = SW_COUNT(corners) / 2;
        shape->zrange[0] = -0.5;
        shape->zrange[1] = 0.5;
    }
    s->solver.increments = !is_tets(p) ? 3 : c->load < 1 ? 1 : 4;
    return (is_tets(p) ? slide_in_plane(s, p) : hold_in_plane(s) && hold_and_place(s, p, 0, 0)) &&
           add_traction(s, 0, 48, sw_v3(0, c->load, 0)) &&
           sw_scene_add_probe(s, "corner", sw_v3(48, 60, 0));
}

static bool add_t(swScene *s, Plan *p) {
    return add_material(s, p, "rubber", 2e5) && add_body(s, p, 0.2 / ACROSS) &&
           add_box(s, sw_v3(-0.1, 0, -0.1), sw_v3(0.1, 0.6, 0.1), NULL) &&
           add_box(s, sw_v3(-0.4, 0.6, -0.1), sw_v3(0.4, 0.8, 0.1), NULL);
}

// Places frames by hand along stem and bar, as automatic placement depends on the voxels.
static void place_in_t(swBody *b, Plan *p) {
    static const swReal few[] = {0.2, 0.45, 0.7}, many[] = {0.15, 0.3, 0.45, 0.6, 0.7},
                        short_arm[] = {0.4}, long_arm[] = {0.13, 0.27, 0.4};
    const bool more = p->variant->frames > 6;
    int n = 0;
    for (int i = 0; i < (more ? SW_COUNT(many) : SW_COUNT(few)); i++)
        p->at[n++] = sw_v3(0, more ? many[i] : few[i], 0);
    for (int i = 0; i < (more ? SW_COUNT(long_arm) : SW_COUNT(short_arm)); i++)
        for (int side = -1; side < 2; side += 2)
            p->at[n++] = sw_v3(side * (more ? long_arm[i] : short_arm[i]), 0.7, 0);
    b->frames.count = 0;
    b->frames.at = p->at;
    b->frames.nat = n;
}

static bool add_l(swScene *s, Plan *p) {
    return add_material(s, p, "rubber", 2e5) && add_body(s, p, 0.2 / ACROSS) &&
           add_box(s, sw_v3(0, 0, 0), sw_v3(0.6, 0.2, 0.2), NULL) &&
           add_box(s, sw_v3(0, 0.2, 0), sw_v3(0.2, 0.6, 0.2), NULL);
}

bool build_t(swScene *s, Plan *p) {
    const Case *c = p->problem;
    s->solver.increments = 2;
    if (!add_t(s, p) || !add_wall(s, "wall", 1, 0))
        return false;
    place_in_t(s->bodies, p);
    set_points(s->bodies, p);
    return add_traction(s, 0, 0.4, along(c->kind, c->load / 0.04)) &&
           sw_scene_add_probe(s, "right", sw_v3(0.4, 0.7, 0));
}

// The probes show what kind of vibration a mode of the bar is.
static bool build_modal_bar(swScene *s, Plan *p) {
    const bool held = p->problem->load > 0;
    swBody *b = add_bar(s, p, 1, 0.1, 2e5);
    bool ok = b && (!held || add_wall(s, "wall", 0, 0));
    if (ok)
        set_row(b, p, 0, 0, 1, !held, true);
    for (int i = 0; i < 2 * MODAL_AXIS && ok; i++)
        ok = sw_scene_add_probe(
                 s, NULL,
                 sw_v3(i % MODAL_AXIS / (MODAL_AXIS - 1.0), i < MODAL_AXIS ? 0 : 0.05, 0)) != NULL;
    return ok;
}

bool build_modal(swScene *s, Plan *p) {
    const Case *c = p->problem;
    s->analysis = SW_ANALYSIS_MODAL;
    if (c->kind == MODAL_BAR)
        return build_modal_bar(s, p);
    if (!(c->kind == MODAL_L ? add_l(s, p) : add_t(s, p)))
        return false;
    if (c->load > 0)
        return hold_and_place(s, p, 1, c->kind == MODAL_L ? 0.6 : 0);
    set_points(s->bodies, p);
    return true;
}
