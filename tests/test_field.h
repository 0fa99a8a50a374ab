// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A body compiled as far as its weights, for tests of the stages before.
#pragma once

#include "bodies/bodies.h"
#include "scene/scene.h"
#include "test_tools.h"

// It points into itself and must not be copied.
typedef struct {
    swScene *scene;
    swBuilder builder;
    swBodyBuild body;
} Field;

static inline swScene *make_scene(swReal voxel) {
    swScene *s = sw_scene_create(NULL);
    sw_scene_add_material(s, "rubber");
    swBody *b = sw_scene_add_body(s, "body");
    b->voxel = voxel;
    b->frames.count = 0;
    return s;
}

static inline swShape *add_box(swScene *s, swVec3 lo, swVec3 hi) {
    swShape *box = sw_body_add_shape(s, s->bodies, SW_SHAPE_BOX);
    box->size = sw_sub(hi, lo);
    box->center = sw_lerp(lo, hi, 0.5);
    return box;
}

static inline bool build_field(Field *f, swScene *scene, swError *error) {
    *f = (Field){.scene = scene, .builder = {.scene = scene, .config = sw_scene_config(scene)}};
    swBuilder *b = &f->builder;
    sw_arena_init(&b->arena, &b->config->allocator);
    f->body = sw_body_begin(scene->bodies, 0);
    return sw_build_materials(b, error) && SW_EXTEND(&b->body, 1, &b->arena, error) &&
           sw_build_volume(b, &f->body, error) && sw_build_sites(b, &f->body, error);
}

static inline void free_field(Field *f) {
    sw_arena_free(&f->builder.arena);
    sw_scene_destroy(f->scene);
}

enum { MAX_SITES = 32 };

static inline void weights_at(const Field *f, swVec3 p, swReal *w, swReal *dw) {
    int cell = sw_lattice_find(&f->body.lattice, p, 1);
    assert_true(cell >= 0);
    sw_weights_evaluate(&f->body.weights, 1, &p, &cell, w, dw);
}

// A point of the material.
static inline swVec3 random_point(const Field *f, Random *r) {
    const swVoxel *v = &f->body.grid.voxel[random_int(r, f->body.grid.nvoxel)];
    return sw_v3(random_in(r, v->lo.x, v->hi.x), random_in(r, v->lo.y, v->hi.y),
                 random_in(r, v->lo.z, v->hi.z));
}
