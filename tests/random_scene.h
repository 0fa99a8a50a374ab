// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Scenes at random, the same for the same number: any shape, law, stiffness, step, kind of frames,
// weights, handle and start that a user may ask for.
#pragma once

#include "test_tools.h"

#include "material/law.h"
#include "model/body.h"

// What a scene is, for the tables.
typedef struct {
    const char *model;       // the key of what moves the body, or "frames"
    bool is_static, violent; // violent: a handle is thrown about within a few steps
    bool takes_inversion;    // every law of it does
    swReal scramble;         // how far frames start from rest, as a share of the body; 0: at rest
    bool inverted;           // some of them mirrored
    swReal stable;           // symplectic-euler: step over the stable one
    bool promised;           // false: explicit steps where their stable step says nothing
} Draft;

static inline bool chance(Random *r, swReal share) { return random_unit(r) < share; }
static inline swReal random_log(Random *r, swReal lo, swReal hi) {
    return exp(random_in(r, log(lo), log(hi)));
}
static inline swVec3 random_direction(Random *r) {
    swVec3 v = random_vec(r, 1);
    while (!(sw_norm(v) > 0.1))
        v = random_vec(r, 1);
    return sw_scale(1 / sw_norm(v), v);
}

// ---- materials ----

// A law's own constants, inside what it admits and what is stable at rest.
static inline void draw_constants(swMaterial *m, Random *r) {
    const swReal mu = m->young / (2 * (1 + m->poisson));
    if (strcmp(m->law, "mooney-rivlin") == 0)
        m->param[1] = random_in(r, 0, 0.5 * mu);
    if (strcmp(m->law, "arruda-boyce") == 0)
        m->param[0] = random_in(r, 1.2, 5);
    if (strcmp(m->law, "fung") == 0)
        m->param[0] = random_log(r, 0.1, 10);
    if (strcmp(m->law, "ogden") == 0) { // two terms, each of the sign of its exponent
        const swReal first = random_in(r, 0.8, 6), second = random_in(r, -6, -0.8);
        m->param[1] = first;
        m->param[3] = second;
        m->param[2] = random_in(r, 0, 1) * mu / second;
    }
    if (strcmp(m->law, "orthotropic") == 0) // nu_ij^2 < e_i/e_j: see its check
        for (int i = 0; i < 9; i++)
            m->param[i] = i < 3   ? m->young * random_in(r, 0.5, 2)
                          : i < 6 ? random_in(r, 0, 0.3)
                                  : mu * random_in(r, 0.5, 2);
}

static inline swMaterial *draw_material(swScene *s, Random *r, const char *name, Draft *d) {
    int nlaw = 0;
    while (sw_law_name(nlaw))
        nlaw++;
    swMaterial *m = sw_scene_add_material(s, name);
    m->law = sw_law_name(random_int(r, nlaw));
    m->young = random_log(r, 1e3, 1e9);
    m->poisson = chance(r, 0.3) ? random_in(r, 0.45, 0.499) : random_in(r, 0, 0.45);
    m->density = random_log(r, 300, 8000);
    m->rigid = chance(r, 0.1) ? SW_RIGID_NEVER : SW_RIGID_AUTO;
    if (chance(r, 0.5))
        draw_constants(m, r);
    d->takes_inversion = d->takes_inversion && sw_law_find(m->law)->takes_inversion;
    return m;
}

// ---- shapes ----

static const swReal arrow[] = {-0.5, -0.1, 0.1, -0.1, 0.1, -0.3, 0.5,
                               0,    0.1,  0.3, 0.1,  0.1, -0.5, 0.1};

// About the origin, `size` long along x; its other sides are in `half`.
static inline swVec3 draw_shape(swScene *s, swBody *b, Random *r, swReal size) {
    const swShapeKind kind = (swShapeKind)random_int(r, SW_SHAPE_EXTRUDE + 1);
    const swReal slender = random_log(r, 0.08, 1), half = 0.5 * size;
    swShape *shape = sw_body_add_shape(s, b, kind);
    swVec3 extent = sw_v3(half, half * slender, half * slender);
    switch (kind) {
    case SW_SHAPE_BOX:
        extent.z *= random_in(r, 0.5, 1);
        shape->size = sw_scale(2, extent);
        break;
    case SW_SHAPE_SPHERE:
        shape->radius = half;
        extent = sw_v3(half, half, half);
        break;
    case SW_SHAPE_CAPSULE:
    case SW_SHAPE_CYLINDER:
        shape->radius = extent.y;
        shape->from = sw_v3(kind == SW_SHAPE_CAPSULE ? extent.y - 1.01 * half : -half, 0, 0);
        shape->to = sw_scale(-1, shape->from);
        break;
    default: {
        static _Thread_local swReal polygon[SW_COUNT(arrow)];
        for (int i = 0; i < SW_COUNT(arrow); i++)
            polygon[i] = size * arrow[i];
        extent = sw_v3(half, 0.3 * size, 0.5 * half * slender + 0.05 * size);
        shape->polygon = polygon;
        shape->npolygon = SW_COUNT(arrow) / 2;
        shape->zrange[0] = -extent.z;
        shape->zrange[1] = extent.z;
    }
    }
    shape->material = "first";
    return extent;
}

// Something of another material painted over the middle.
static inline void draw_inlay(swScene *s, swBody *b, Random *r, swVec3 extent) {
    const bool ball = chance(r, 0.5);
    swShape *inlay = sw_body_add_shape(s, b, ball ? SW_SHAPE_SPHERE : SW_SHAPE_BOX);
    inlay->radius = random_in(r, 0.4, 0.9) * sw_min(extent.x, extent.y);
    inlay->size = sw_v3(extent.x * random_in(r, 0.3, 1), 4 * extent.y, extent.z);
    inlay->material = "second";
}

// ---- frames, handles, surroundings ----

static inline void draw_frames(swBody *b, Random *r) {
    int nkind = 0;
    while (sw_weights_name(nkind))
        nkind++;
    swFrames *f = &b->frames;
    set_kind(f, random_int(r, TEST_KINDS));
    f->count = 1 + random_int(r, 12);
    do
        f->weights.kind = sw_weights_name(random_int(r, nkind));
    while (strcmp(f->weights.kind, "painted") == 0); // needs files
    if (f->kind == SW_NODE_QUADRATIC)
        f->count = 1 + f->count / 4;
    f->weights.distance = chance(r, 0.5) ? SW_DISTANCE_COMPLIANCE : SW_DISTANCE_GEODESIC;
    b->integration.every_voxel = chance(r, 0.1);
    const int dof = f->kind == SW_NODE_QUADRATIC ? 30 : f->kind == SW_NODE_AFFINE ? 12 : 6;
    if (chance(r, 0.6)) // few: each feels six strains
        b->integration.points = (int)(f->count * dof * random_in(r, 0.4, 2)) + 4;
    b->mass = f->blend == SW_BLEND_LINEAR && chance(r, 0.15) ? SW_MASS_LUMPED : SW_MASS_FULL;
}

// Keys for a handle: thrown about within a few steps, or led slowly.
static inline void draw_keys(swScene *s, swHandle *h, Random *r, swVec3 extent, bool violent) {
    const int n = 2 + random_int(r, 3);
    swReal t = 0;
    sw_handle_add_key(s, h, 0);
    for (int i = 1; i < n; i++) {
        t += s->time.step * (violent ? 1 + random_int(r, 5) : 10 + random_int(r, 10));
        swKey *key = sw_handle_add_key(s, h, t);
        key->pose.axis = random_direction(r);
        key->pose.angle = random_in(r, -1, 1) * (violent ? SW_PI : 0.3);
        key->pose.about = h->region->center;
        key->pose.translate = random_vec(r, extent.x * (violent ? 1 : 0.1));
    }
}

static inline void draw_handles(swScene *s, swBody *b, Random *r, swVec3 extent, Draft *d) {
    const int n = d->is_static ? 1 + random_int(r, 2) : random_int(r, 3);
    for (int i = 0; i < n; i++) { // at the ends
        swHandle *h = sw_body_add_handle(s, b, NULL, SW_SHAPE_BOX);
        h->region->size = sw_v3(0.4 * extent.x, 4 * extent.x, 4 * extent.x);
        h->region->center = sw_v3(i ? extent.x : -extent.x, 0, 0);
        h->motion = (swMotion)random_int(r, 3);
        if (d->is_static && i == 0)
            h->motion = SW_MOTION_FIXED;
        if (h->motion != SW_MOTION_KEYS)
            continue;
        const bool violent = chance(r, 0.5);
        d->violent = d->violent || violent;
        draw_keys(s, h, r, extent, violent);
    }
}

static inline void draw_surroundings(swScene *s, swBody *b, Random *r, swReal size) {
    static const swShapeKind kinds[] = {SW_SHAPE_HALFSPACE, SW_SHAPE_SPHERE, SW_SHAPE_BOX,
                                        SW_SHAPE_CAPSULE};
    if (chance(r, 0.3))
        s->gravity = sw_scale(random_in(r, 0, 30), random_direction(r));
    if (chance(r, 0.4)) { // just below
        swCollider *c = sw_scene_add_collider(s, kinds[random_int(r, SW_COUNT(kinds))]);
        const swReal top = -size * random_in(r, 0.45, 0.6);
        c->friction = chance(r, 0.5) ? 0 : random_in(r, 0, 1);
        c->shape->normal = sw_v3(0, 1, 0);
        c->shape->offset = top;
        c->shape->radius = size;
        c->shape->size = sw_v3(size, size, size);
        c->shape->center = sw_v3(0, top - (c->shape->kind == SW_SHAPE_BOX ? 0.5 : 1) * size, 0);
        c->shape->from = sw_v3(-size, top - size, 0);
        c->shape->to = sw_v3(size, top - size, 0);
    }
    if (chance(r, 0.4))
        b->velocity = random_vec(r, 5);
    if (chance(r, 0.4))
        b->spin = random_vec(r, 6);
    if (chance(r, 0.5)) {
        b->damping_mass = chance(r, 0.5) ? random_in(r, 0, 5) : 0;
        b->damping_stiffness = chance(r, 0.7) ? random_log(r, 1e-5, 1e-1) : 0;
    }
    if (chance(r, 0.3)) {
        swLoad *load = sw_body_add_load(s, b, SW_SHAPE_HALFSPACE);
        load->on->normal = sw_v3(-1, 0, 0);
        load->on->offset = -0.2 * size;
        load->traction =
            sw_scale(random_log(r, 1e-4, 0.3) * s->materials->young, random_direction(r));
    }
}

static inline void draw_time(swScene *s, Random *r, Draft *d) {
    int n = 0;
    while (sw_integrator_name(n))
        n++;
    d->is_static = chance(r, 0.15);
    s->analysis = d->is_static ? SW_ANALYSIS_STATIC : SW_ANALYSIS_DYNAMIC;
    s->time.step = 1 / random_log(r, 30, 1000);
    s->time.integrator = sw_integrator_name(random_int(r, n));
    s->solver.increments = 1 + random_int(r, 4);
    s->solver.definite = chance(r, 0.2) ? SW_DEFINITE_ABSOLUTE : SW_DEFINITE_CLAMP;
    d->stable = random_in(r, 0.2, 0.9);
}

// Muscles and rest shapes, of numbers of their own: the rest of the scene does not depend on them.
static inline void draw_actuation(swScene *s, swBody *b, Random r, swVec3 extent) {
    bool yields = false;
    for (const swMaterial *m = s->materials; m; m = m->next)
        yields = yields || !isnan(m->yield);
    r.s ^= 0x5eed;
    for (swHandle *h = b->handles; h && h->next && chance(&r, 0.5); h = h->next) {
        swMuscle *m = sw_body_add_muscle(s, b, NULL);
        m->from.handle = h->name;
        m->to.handle = h->next->name;
        m->strength = s->materials->young * random_log(&r, 1e-4, 1e-2) * extent.y * extent.z;
        m->stiffness = m->strength / extent.x;
        sw_muscle_add_activation(s, m, 0, 0);
        sw_muscle_add_activation(s, m, s->time.end + 0.1, 1);
    }
    if (yields || !chance(&r, 0.3))
        return;
    swRestShape *shape = sw_body_add_rest_shape(s, b, NULL);
    sw_rest_shape_add_part(s, shape)->stretch =
        sw_v3(random_log(&r, 0.8, 1.2), random_log(&r, 0.8, 1.2), random_log(&r, 0.8, 1.2));
    if (chance(&r, 0.5)) {
        shape->follow = random_log(&r, 0.1, 10);
        return;
    }
    sw_rest_shape_add_value(s, shape, 0, 0);
    sw_rest_shape_add_value(s, shape, s->time.end + 0.1, 1);
}

// ---- other models ----

static inline void draw_tets(swTets *t, Random *r, swReal voxel) {
    t->voxel = voxel;
    t->order = chance(r, 0.3) ? SW_TETS_QUADRATIC : SW_TETS_LINEAR;
    t->fit = t->order == SW_TETS_LINEAR && chance(r, 0.3);
}

// Something that is not frames, and what goes with it: of numbers of its own.
static inline void draw_model(swScene *s, swBody *b, Random r, swVec3 extent, Draft *d) {
    r.s ^= 0xb0d1e5;
    const swReal voxel = random_in(&r, 1, 2) * b->voxel;
    b->shapes = NULL; // of frames alone
    if (strcmp(d->model, "tets") == 0) {
        swTets *t = sw_body_add_tets(s, b);
        draw_tets(t, &r, voxel);
        t->volume = chance(&r, 0.3) ? SW_TETS_MEAN : SW_TETS_PLAIN;
    } else if (strcmp(d->model, "springs") == 0) {
        swSpringNet *net = sw_body_add_springs(s, b);
        net->voxel = voxel;
        net->over = (swSpringsOver)random_int(&r, 3);
        net->thickness = 0.2 * voxel;
        net->gas = net->over == SW_SPRINGS_SURFACE && chance(&r, 0.5);
        net->tets.voxel = voxel;
    } else if (strcmp(d->model, "particles") == 0) {
        swParticles *p = sw_body_add_particles(s, b);
        p->count = 50 + random_int(&r, 200);
        for (swMaterial *m = s->materials; m; m = m->next)
            m->law = "corotated"; // their stiffness is known before
        p->rotations = b->handles && chance(&r, 0.5) ? SW_ROTATIONS_DIFFUSION : SW_ROTATIONS_POLAR;
    } else if (strcmp(d->model, "modes") == 0) {
        swModeBasis *modes = sw_body_add_modes(s, b);
        draw_tets(&modes->tets, &r, voxel);
        modes->count = 2 + random_int(&r, 20);
        modes->vibrations = 2 + random_int(&r, 6);
        modes->basis = (swBasisKind)random_int(&r, SW_BASIS_PCA + 1);
        b->velocity = b->spin = sw_v3(0, 0, 0);
        b->mass = SW_MASS_FULL;
        if (!b->handles) {
            swHandle *h = sw_body_add_handle(s, b, NULL, SW_SHAPE_BOX);
            h->region->size = sw_v3(0.4 * extent.x, 4 * extent.x, 4 * extent.x);
            h->region->center = sw_v3(-extent.x, 0, 0);
        }
        for (swHandle *h = b->handles; h; h = h->next)
            h->motion = SW_MOTION_FIXED;
        d->violent = false;
    } else if (strcmp(d->model, "rigid") == 0) {
        sw_body_add_rigid(s, b);
        b->integration = (swIntegration){.relax = true};
        b->damping_stiffness = 0;
        b->muscles = NULL;
        if (b->handles)
            b->handles->next = NULL;
    }
}

// The next description. What it asks for may not fit together: sw_compile() then says so.
static inline swScene *draw_scene(Random *r, const char *model, Draft *d) {
    *d = (Draft){.model = model, .takes_inversion = true};
    swScene *s = sw_scene_create(NULL);
    const swReal size = random_log(r, 0.05, 2);
    draw_time(s, r, d);
    draw_material(s, r, "first", d);
    swBody *b = sw_scene_add_body(s, "body");
    const swVec3 extent = draw_shape(s, b, r, size);
    if (chance(r, 0.25)) {
        draw_material(s, r, "second", d);
        draw_inlay(s, b, r, extent);
    }
    b->voxel = sw_min(size / (8 + random_int(r, 8)), 0.7 * sw_min(extent.y, extent.z));
    draw_frames(b, r);
    draw_handles(s, b, r, extent, d);
    draw_surroundings(s, b, r, size);
    if (chance(r, 0.2))
        d->scramble = random_log(r, 0.02, 1);
    d->promised = d->is_static || strcmp(s->time.integrator, "symplectic-euler") != 0 ||
                  !(d->violent || d->scramble > 0 || s->colliders);
    d->inverted = d->scramble > 0 && d->takes_inversion && chance(r, 0.5);
    draw_actuation(s, b, *r, extent);
    if (strcmp(model, "frames") != 0)
        draw_model(s, b, *r, extent, d);
    return s;
}

// ---- scrambled starts ----

// Free frames moved, turned and sheared by `amount`; rigid ones stay rigid, and modes at rest.
static inline void scramble(swBodyState *s, Random r, swReal amount, bool inverted) {
    const swBodyModel *m = s->model;
    memcpy(s->q, s->q0, (size_t)m->size.nq * sizeof *s->q);
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        swReal *A = s->q + node->q;
        if (!node->ndof || sw_node_is_modes(node))
            continue;
        const swReal L = m->body[node->body].hi.x - m->body[node->body].lo.x;
        const bool rigid = node->kind == SW_NODE_RIGID;
        swMat3 T = sw_mat_rotation(random_vec(&r, amount * SW_PI));
        const swMat3 shear = random_mat(&r, rigid ? 0 : amount);
        for (int k = 0; k < 9; k++)
            T.m[k] += shear.m[k];
        const bool mirrored = inverted && !rigid && chance(&r, 0.5);
        const swVec3 shift = random_vec(&r, amount * L);
        for (int c = 0; c < node->width; c++) {
            swVec3 x = sw_v3(A[c], A[node->width + c], A[2 * node->width + c]);
            x = c == 0 ? sw_add(x, shift) : sw_mul(T, x);
            A[c] = x.x;
            A[node->width + c] = mirrored && c > 0 ? -x.y : x.y;
            A[2 * node->width + c] = x.z;
        }
    }
}
