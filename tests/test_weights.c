// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Shape functions of every kind, distances through the material, placed frames and regions.
#include "compile/build.h"
#include "nodes/place.h"
#include "scene/scene.h"
#include "test_tools.h"

// ---- a body as far as its weights; it points into itself and must not be copied ----

typedef struct {
    swScene *scene;
    swBuilder builder;
    swBodyBuild body;
} Field;

static swScene *make_scene(swReal voxel) {
    swScene *s = sw_scene_create(NULL);
    sw_scene_add_material(s, "rubber");
    swBody *b = sw_scene_add_body(s, "body");
    b->voxel = voxel;
    b->frames.count = 0;
    return s;
}

static swShape *add_box(swScene *s, swVec3 lo, swVec3 hi) {
    swShape *box = sw_body_add_shape(s, s->bodies, SW_SHAPE_BOX);
    box->size = sw_sub(hi, lo);
    box->center = sw_lerp(lo, hi, 0.5);
    return box;
}

static bool build_field(Field *f, swScene *scene, swError *error) {
    *f = (Field){.scene = scene, .builder = {.scene = scene, .config = sw_scene_config(scene)}};
    swBuilder *b = &f->builder;
    sw_arena_init(&b->arena, &b->config->allocator);
    f->body = (swBodyBuild){.def = scene->bodies, .key = "bodies[0]"};
    return sw_build_materials(b, error) && SW_EXTEND(&b->body, 1, &b->arena, error) &&
           sw_build_volume(b, &f->body, error) && sw_build_sites(b, &f->body, error);
}

static void free_field(Field *f) {
    sw_arena_free(&f->builder.arena);
    sw_scene_destroy(f->scene);
}

enum { MAX_SITES = 32 };

static void weights_at(const Field *f, swVec3 p, swReal *w, swReal *dw) {
    int cell = sw_lattice_find(&f->body.lattice, p, 1);
    assert_true(cell >= 0);
    sw_weights_evaluate(&f->body.weights, 1, &p, &cell, w, dw);
}

// A point of the material.
static swVec3 random_point(const Field *f, Random *r) {
    const swVoxel *v = &f->body.grid.voxel[random_int(r, f->body.grid.nvoxel)];
    return sw_v3(random_in(r, v->lo.x, v->hi.x), random_in(r, v->lo.y, v->hi.y),
                 random_in(r, v->lo.z, v->hi.z));
}

// An L with frames given and placed, a thick handle and one without thickness.
static bool bent_field(Field *f, const char *kind, swDistance distance, swReal power) {
    static const swVec3 at[] = {{0.31, 0.13, 0.08}, {0.72, 0.07, 0.11}};
    swScene *s = make_scene(0.04);
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.2, 0.2));
    add_box(s, sw_v3(0.8, 0, 0), sw_v3(1, 0.7, 0.2));
    swFrames *frames = &s->bodies->frames;
    frames->weights.kind = kind;
    frames->weights.distance = distance;
    frames->weights.power = power;
    frames->weights.axis = sw_v3(1, 0.7, 0);
    frames->at = at;
    frames->nat = SW_COUNT(at);
    swHandle *h = sw_body_add_handle(s, s->bodies, "wall", SW_SHAPE_BOX);
    h->region->size = sw_v3(0.1, 1, 1);
    h->region->center = sw_v3(0.05, 0.1, 0.1);
    h = sw_body_add_handle(s, s->bodies, "top", SW_SHAPE_BOX);
    h->region->size = sw_v3(1, 0, 1);
    h->region->center = sw_v3(0.9, 0.7, 0.1);
    swError error = {0};
    require(build_field(f, s, &error), &error);
    return true;
}

// Every kind, with every distance and some powers.
#define FOR_ALL_FIELDS(f) \
    for (int kind_ = 0; sw_weights_name(kind_); kind_++) \
        for (int variant_ = 0; variant_ < 6; variant_++) \
            for (bool once_ = bent_field(&(f), sw_weights_name(kind_), (swDistance)(variant_ % 2), \
                                         1 + variant_ / 2); \
                 once_; free_field(&(f)), once_ = false)

// ---- shape functions ----

static void weights_add_up_to_one(void **state) {
    (void)state;
    Random r = {81};
    Field f;
    FOR_ALL_FIELDS(f) {
        const int n = f.body.nsite;
        for (int trial = 0; trial < 300; trial++) {
            swReal w[MAX_SITES], dw[3 * MAX_SITES], sum = 0;
            swVec3 slope = {0, 0, 0};
            weights_at(&f, random_point(&f, &r), w, dw);
            for (int i = 0; i < n; i++) {
                assert_true(w[i] >= 0 && w[i] <= 1);
                sum += w[i];
                slope = sw_add(slope, sw_v3(dw[3 * i], dw[3 * i + 1], dw[3 * i + 2]));
            }
            assert_near(sum, 1, 1e-12);
            assert_near(sw_norm(slope), 0, 1e-10);
        }
    }
}

// Inside a cell, gradients are those of the weights; near kinks two steps disagree and say so.
static void gradients_are_those_of_the_weights(void **state) {
    (void)state;
    Random r = {82};
    Field f;
    FOR_ALL_FIELDS(f) {
        const int n = f.body.nsite;
        int smooth = 0, points = 0;
        for (int trial = 0; trial < 200; trial++) {
            swVec3 p = random_point(&f, &r);
            int cell = sw_lattice_find(&f.body.lattice, p, 1), k = trial % 3;
            swReal w[4][MAX_SITES], dw[3 * MAX_SITES], spare[3 * MAX_SITES];
            static const swReal step[4] = {-1e-6, 1e-6, -2e-6, 2e-6};
            sw_weights_evaluate(&f.body.weights, 1, &p, &cell, w[0], dw);
            for (int i = 0; i < 4; i++) {
                swVec3 q = p;
                sw_set(&q, k, sw_get(p, k) + step[i]);
                sw_weights_evaluate(&f.body.weights, 1, &q, &cell, w[i], spare);
            }
            for (int i = 0; i < n; i++) {
                swReal near = (w[1][i] - w[0][i]) / 2e-6, far = (w[3][i] - w[2][i]) / 4e-6;
                points++;
                if (fabs(near - far) > 1e-4)
                    continue;
                smooth++;
                assert_near(dw[3 * i + k], near, 1e-4);
            }
        }
        assert_true(smooth > 0.97 * points);
    }
}

static void weights_are_one_at_their_own_frame(void **state) {
    (void)state;
    Field f;
    FOR_ALL_FIELDS(f) {
        for (int i = 0; i < f.body.nsite; i++) {
            swReal w[MAX_SITES], dw[3 * MAX_SITES];
            weights_at(&f, f.body.site[i].origin, w, dw);
            for (int k = 0; k < f.body.nsite; k++)
                assert_near(w[k], k == i, 1e-12);
        }
    }
}

static void handles_are_one_in_all_their_region(void **state) {
    (void)state;
    Random r = {83};
    Field f;
    FOR_ALL_FIELDS(f) {
        int met[MAX_SITES] = {0};
        for (int trial = 0; trial < 2000; trial++) {
            swVec3 p = random_point(&f, &r);
            if (trial % 4 == 0) // on the face of the flat one
                p = sw_v3(random_in(&r, 0.8, 1), 0.7, random_in(&r, 0, 0.2));
            for (int i = 0; i < f.body.nsite; i++) {
                const swSite *site = &f.body.site[i];
                if (!site->region || sw_solid_distance(site->region, p) > 0)
                    continue;
                swReal w[MAX_SITES], dw[3 * MAX_SITES];
                weights_at(&f, p, w, dw);
                met[i]++;
                for (int k = 0; k < f.body.nsite; k++)
                    assert_true(w[k] == (k == i));
                for (int k = 0; k < 3 * f.body.nsite; k++)
                    assert_true(dw[k] == 0 || site->lo.y == site->hi.y);
            }
        }
        for (int i = 0; i < f.body.nsite; i++)
            assert_true(!f.body.site[i].region || met[i] > 20);
    }
}

// A frame given inside a handle's region does not take the handle's place there.
static void a_frame_inside_a_handle_yields_to_it(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.1, 0.1, 0.1}, {0.8, 0.1, 0.1}};
    swScene *s = make_scene(0.1);
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.2, 0.2));
    s->bodies->frames.weights.kind = "shepard";
    s->bodies->frames.at = at;
    s->bodies->frames.nat = SW_COUNT(at);
    swHandle *h = sw_body_add_handle(s, s->bodies, "wall", SW_SHAPE_BOX);
    h->region->size = sw_v3(0.4, 1, 1);
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error), &error);
    swReal w[MAX_SITES], dw[3 * MAX_SITES];
    weights_at(&f, at[0], w, dw);
    assert_true(w[0] == 0 && w[1] == 0 && w[2] == 1);
    free_field(&f);
}

// Straight lines along the axis between frames; constant across it.
static void hats_are_linear_between_frames(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.5, 0.1, 0.02}, {0.2, 0.02, 0.1}, {0.9, 0.1, 0.1}};
    static const swReal x[] = {0.2, 0.5, 0.9};
    static const int site[] = {1, 0, 2};
    Random r = {84};
    swScene *s = make_scene(0.05);
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.2, 0.2));
    s->bodies->frames.weights.kind = "hat";
    s->bodies->frames.at = at;
    s->bodies->frames.nat = SW_COUNT(at);
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error), &error);
    for (int trial = 0; trial < 500; trial++) {
        swVec3 p = random_point(&f, &r);
        swReal w[3], dw[9], expected[3] = {0};
        weights_at(&f, p, w, dw);
        if (p.x <= x[0] || p.x >= x[2])
            expected[site[p.x <= x[0] ? 0 : 2]] = 1;
        for (int k = 0; k < 2; k++)
            if (p.x > x[k] && p.x < x[k + 1]) {
                expected[site[k]] = (x[k + 1] - p.x) / (x[k + 1] - x[k]);
                expected[site[k + 1]] = 1 - expected[site[k]];
            }
        for (int k = 0; k < 3; k++)
            assert_near(w[k], expected[k], 1e-14);
    }
    // On the frame itself the slope is the mean of both sides: a voxel there straddles the kink.
    for (int side = -1; side <= 1; side++) { // to within rounding
        swReal w[3], dw[9];
        weights_at(&f, sw_v3(0.5 + side * 1e-15, 0.1, 0.02), w, dw);
        assert_near(w[0], 1, 1e-14);
        assert_near(dw[3 * 0], 0.5 * (1 / 0.3 - 1 / 0.4), 1e-12);
        assert_near(dw[3 * 1], -0.5 / 0.3, 1e-12);
        assert_near(dw[3 * 2], 0.5 / 0.4, 1e-12);
    }
    free_field(&f);
}

static void hats_refuse_frames_at_the_same_place(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.5, 0.1, 0.02}, {0.5, 0.02, 0.1}};
    swScene *s = make_scene(0.05);
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.2, 0.2));
    s->bodies->frames.weights.kind = "hat";
    s->bodies->frames.at = at;
    s->bodies->frames.nat = SW_COUNT(at);
    Field f;
    swError error = {0};
    assert_false(build_field(&f, s, &error));
    assert_int_equal(error.code, SW_ERROR_VALUE);
    assert_non_null(strstr(error.message, "frame 1"));
    free_field(&f);
}

// A part of the body that no frame can reach: an error or finite weights, never not-a-number.
static void unreachable_parts_are_no_silent_nonsense(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.1, 0.1, 0.1}};
    Random r = {85};
    for (int kind = 0; sw_weights_name(kind); kind++)
        for (int distance = 0; distance < 2; distance++) {
            swScene *s = make_scene(0.05);
            add_box(s, sw_v3(0, 0, 0), sw_v3(0.4, 0.2, 0.2));
            add_box(s, sw_v3(0.6, 0, 0), sw_v3(1, 0.2, 0.2));
            s->bodies->frames.at = at;
            s->bodies->frames.nat = 1;
            s->bodies->frames.weights.kind = sw_weights_name(kind);
            s->bodies->frames.weights.distance = (swDistance)distance;
            Field f;
            swError error = {0};
            if (!build_field(&f, s, &error)) {
                assert_int_equal(error.code, SW_ERROR_GEOMETRY);
                assert_non_null(strstr(error.message, "bodies[0]"));
            } else
                for (int trial = 0; trial < 200; trial++) {
                    swReal w[1], dw[3];
                    weights_at(&f, random_point(&f, &r), w, dw);
                    assert_true(w[0] == 1 && dw[0] == 0 && dw[1] == 0 && dw[2] == 0);
                }
            free_field(&f);
        }
}

static void unknown_kinds_are_refused(void **state) {
    (void)state;
    swWeightField field;
    swWeightsDef def = {.kind = "none such"};
    swError error = {0};
    assert_false(sw_weights_create(&field, &def, NULL, 0, NULL, NULL, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_VALUE);
    assert_non_null(strstr(error.message, "none such"));
    int n = 0;
    for (; sw_weights_name(n); n++)
        assert_string_equal(sw_weights_find(sw_weights_name(n))->name, sw_weights_name(n));
    assert_true(n >= 2);
    assert_null(sw_weights_name(-1));
}

// ---- lattice and distances ----

// A U of arms 0.4 wide and 1 high around a slot, its bottom 0.2 thick.
static void slotted_field(Field *f, swReal slot, swReal voxel) {
    static swReal polygon[16];
    const swReal a = 0.5 - 0.5 * slot, b = 0.5 + 0.5 * slot;
    const swReal corners[] = {0, 0, 1, 0, 1, 1, b, 1, b, 0.2, a, 0.2, a, 1, 0, 1};
    memcpy(polygon, corners, sizeof polygon);
    static const swVec3 at[] = {{0.5, 0.1, 0.1}};
    swScene *s = make_scene(voxel);
    swShape *u = sw_body_add_shape(s, s->bodies, SW_SHAPE_EXTRUDE);
    u->polygon = polygon;
    u->npolygon = 8;
    u->zrange[0] = 0;
    u->zrange[1] = 0.2;
    s->bodies->frames.at = at;
    s->bodies->frames.nat = 1;
    swError error = {0};
    require(build_field(f, s, &error), &error);
}

static swReal distance_between(const Field *f, swVec3 from, swVec3 to) {
    const swLattice *l = &f->body.lattice;
    swArena arena;
    swDistanceWork work;
    swError error = {0};
    sw_arena_init(&arena, &f->builder.config->allocator);
    require(sw_distance_create(l, &arena, &work, &error), &error);
    swReal *d = SW_NEW(&arena, l->n, swReal, &error), N[8], sum = 0;
    int *label = SW_NEW(&arena, l->n, int, &error);
    swSource source = {.point = from, .cell = sw_lattice_find(l, from, 0)};
    assert_true(source.cell >= 0);
    sw_distance(l, &work, 1, &source, d, label);
    int cell = sw_lattice_find(l, to, 0);
    assert_true(cell >= 0);
    sw_lattice_shape(l, cell, to, N, NULL);
    for (int k = 0; k < 8; k++) {
        assert_int_equal(label[l->corner[8 * cell + k]], 0);
        sum += N[k] * d[l->corner[8 * cell + k]];
    }
    sw_arena_free(&arena);
    return sum;
}

static void distances_go_through_the_material(void **state) {
    (void)state;
    const swReal h = 0.05;
    static const swReal slots[] = {0.2, 0.08, 0.001}; // wide; a voxel and a half; a crack
    // between two voxels (one inside a voxel is below what the grid can tell)
    for (int i = 0; i < SW_COUNT(slots); i++) {
        Field f;
        slotted_field(&f, slots[i], h);
        const swReal a = 0.5 - 0.5 * slots[i];
        // along an arm, it is the straight line or a little more
        swReal d = distance_between(&f, sw_v3(0.1, 0.1, 0.1), sw_v3(0.1, 0.9, 0.1));
        assert_true(d >= 0.8 - h && d <= 1.13 * 0.8 + 2 * h);
        // from tip to tip, around the corners of the slot
        swVec3 left = {0.3, 0.95, 0.1}, right = {0.7, 0.95, 0.1};
        swReal way = 2 * hypot(a - 0.3, 0.75) + slots[i];
        d = distance_between(&f, left, right);
        assert_true(d >= way - 4 * h && d <= 1.13 * way + 4 * h);
        free_field(&f);
    }
}

// Straight distances in a block: never shorter than the line, at most 13 % longer.
static void distances_are_near_the_straight_line(void **state) {
    (void)state;
    Random r = {86};
    swScene *s = make_scene(0.05);
    static const swVec3 at[] = {{0.5, 0.5, 0.5}};
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 1, 1));
    s->bodies->frames.at = at;
    s->bodies->frames.nat = 1;
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error), &error);
    for (int trial = 0; trial < 50; trial++) {
        swVec3 a = random_point(&f, &r), b = random_point(&f, &r);
        swReal line = sw_norm(sw_sub(a, b)), d = distance_between(&f, a, b);
        assert_true(d >= line - 0.05 && d <= 1.13 * line + 2 * 0.05);
    }
    free_field(&f);
}

static void lattices_share_corners_and_volume(void **state) {
    (void)state;
    Random r = {87};
    Field f;
    slotted_field(&f, 0.001, 0.04);
    const swLattice *l = &f.body.lattice;
    swReal volume = 0;
    for (int i = 0; i < l->n; i++) {
        volume += l->volume[i];
        assert_true(l->start[i + 1] > l->start[i]);
        for (int e = l->start[i]; e < l->start[i + 1]; e++) {
            bool mine = false;
            for (int k = 0; k < 8; k++)
                mine = mine || l->corner[8 * l->around[e] + k] == i;
            assert_true(mine);
        }
    }
    assert_near(volume, f.body.grid.volume, 1e-12);
    assert_near(volume, 0.2 * (1 - 0.8 * 0.001), 1e-9);
    for (int trial = 0; trial < 300; trial++) {
        swVec3 p = random_point(&f, &r), back = {0, 0, 0}, slope = {0, 0, 0};
        int cell = sw_lattice_find(l, p, 0);
        swReal N[8], dN[8][3], sum = 0;
        assert_true(cell >= 0);
        sw_lattice_shape(l, cell, p, N, dN);
        for (int k = 0; k < 8; k++) {
            sum += N[k];
            back = sw_madd(back, N[k], l->X[l->corner[8 * cell + k]]);
            slope = sw_add(slope, sw_v3(dN[k][0], dN[k][1], dN[k][2]));
        }
        assert_near(sum, 1, 1e-14);
        assert_near(sw_norm(sw_sub(back, p)), 0, 1e-14);
        assert_near(sw_norm(slope), 0, 1e-12);
    }
    assert_int_equal(sw_lattice_find(l, sw_v3(9, 9, 9), 2), -1); // nowhere near
    free_field(&f);
}

// ---- placement ----

static void place(const Field *f, int nfixed, const swVec3 *fixed, int count, swVec3 *at) {
    swSource source[MAX_SITES];
    swArena arena;
    swError error = {0};
    for (int i = 0; i < nfixed; i++)
        source[i] =
            (swSource){.point = fixed[i], .cell = sw_lattice_find(&f->body.lattice, fixed[i], 0)};
    sw_arena_init(&arena, &f->builder.config->allocator);
    require(sw_frames_place(&f->body.lattice, nfixed, source, count, &arena, at, &error), &error);
    sw_arena_free(&arena);
}

static void frames_are_placed_inside_and_apart(void **state) {
    (void)state;
    for (int count = 1; count <= 20; count += count < 6 ? 1 : 7) {
        Field f;
        slotted_field(&f, 0.2, 0.05);
        swVec3 at[MAX_SITES], again[MAX_SITES];
        place(&f, 0, NULL, count, at);
        place(&f, 0, NULL, count, again);
        assert_memory_equal(at, again, (size_t)count * sizeof *at);
        swReal least = INFINITY;
        for (int i = 0; i < count; i++) {
            int cell = sw_grid_cell(&f.body.grid, at[i]);
            assert_true(f.body.lattice.index[cell] >= 0);
            for (int k = 0; k < i; k++)
                least = sw_min(least, sw_norm(sw_sub(at[i], at[k])));
        }
        // each has about a share of the volume 0.168 to itself
        if (count > 1)
            assert_true(least > 0.5 * cbrt(0.168 / count));
        free_field(&f);
    }
}

static void frames_spread_evenly_along_a_bar(void **state) {
    (void)state;
    swScene *s = make_scene(0.02);
    static const swVec3 any[] = {{0.5, 0, 0}};
    add_box(s, sw_v3(0, -0.05, -0.05), sw_v3(1, 0.05, 0.05));
    s->bodies->frames.at = any;
    s->bodies->frames.nat = 1;
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error), &error);
    static const swVec3 ends[] = {{0, 0, 0}, {1, 0, 0}};
    static const swReal free[] = {0.1, 0.3, 0.5, 0.7, 0.9}, held[] = {0.25, 0.5, 0.75};
    for (int fixed = 0; fixed < 2; fixed++) {
        const int n = fixed ? 3 : 5;
        const swReal *expected = fixed ? held : free;
        swVec3 at[8];
        place(&f, fixed ? 2 : 0, ends, n, at);
        for (int k = 0; k < n; k++) { // in any order
            swReal nearest = INFINITY;
            for (int i = 0; i < n; i++)
                nearest = sw_min(nearest, sw_norm(sw_sub(at[i], sw_v3(expected[k], 0, 0))));
            assert_near(nearest, 0, 0.03);
        }
    }
    free_field(&f);
}

static void given_frames_stay_where_they_are(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.13, 0.07, 0.02}, {0.81, 0.11, 0.17}};
    swScene *s = make_scene(0.05);
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.2, 0.2));
    s->bodies->frames.at = at;
    s->bodies->frames.nat = SW_COUNT(at);
    s->bodies->frames.count = 3;
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error), &error);
    assert_int_equal(f.body.nsite, 5);
    for (int i = 0; i < SW_COUNT(at); i++) {
        assert_memory_equal(&f.body.site[i].origin, &at[i], sizeof at[i]);
        assert_memory_equal(&f.builder.node.item[i].origin, &at[i], sizeof at[i]);
    }
    free_field(&f);
}

static void frames_outside_the_body_are_refused(void **state) {
    (void)state;
    static const swVec3 outside[] = {{0.5, 0.9, 0.1}, {0.5, 0.1, -0.1}, {1e9, 0, 0}};
    for (int i = 0; i < SW_COUNT(outside); i++) {
        swScene *s = make_scene(0.05);
        add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.2, 0.2));
        s->bodies->frames.at = &outside[i];
        s->bodies->frames.nat = 1;
        Field f;
        swError error = {0};
        assert_false(build_field(&f, s, &error));
        assert_int_equal(error.code, SW_ERROR_GEOMETRY);
        assert_non_null(strstr(error.message, "bodies[0].frames.at[0]"));
        free_field(&f);
    }
}

// The frame of a handle sits at the centroid of what its region touches.
static void handles_sit_at_their_centroid(void **state) {
    (void)state;
    Field f;
    bent_field(&f, "shepard", SW_DISTANCE_GEODESIC, 2);
    const swSite *wall = &f.body.site[2], *top = &f.body.site[3];
    assert_near(sw_norm(sw_sub(wall->origin, sw_v3(0.05, 0.1, 0.1))), 0, 1e-9);
    assert_near(sw_norm(sw_sub(top->origin, sw_v3(0.9, 0.7, 0.1))), 0, 1e-9);
    assert_near(sw_norm(sw_sub(wall->lo, sw_v3(0, 0, 0))), 0, 1e-9);
    assert_near(sw_norm(sw_sub(wall->hi, sw_v3(0.1, 0.2, 0.2))), 0, 1e-9);
    free_field(&f);
}

// ---- regions ----

// Seven classes of voxels: by octant, one of which is left out.
static int class_of(const swVoxel *v) {
    int octant = (v->centroid.x > 0) + 2 * (v->centroid.y > 0.1) + 4 * (v->centroid.z > -0.1);
    return octant == 7 ? -1 : octant;
}

static void regions_share_out_the_voxels(void **state) {
    (void)state;
    swScene *s = make_scene(0.1);
    swShape *ball = sw_body_add_shape(s, s->bodies, SW_SHAPE_SPHERE);
    static const swVec3 at[] = {{0, 0, 0}};
    ball->radius = 0.5;
    s->bodies->frames.at = at;
    s->bodies->frames.nat = 1;
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error), &error);
    const swGrid *g = &f.body.grid;
    int *kind = calloc((size_t)g->nvoxel, sizeof *kind), *seen = calloc((size_t)g->nvoxel, 4);
    int total = 0;
    for (int v = 0; v < g->nvoxel; v++) {
        kind[v] = class_of(&g->voxel[v]);
        total += kind[v] >= 0;
    }
    static const int points[] = {0, 1, 7, 8, 20, 100, 400, 100000};
    for (int i = 0; i < SW_COUNT(points); i++) {
        swRegions r;
        require(sw_regions_create(g, kind, 7, points[i], &f.builder.arena, &r, &error), &error);
        // every class has one region at least
        int wanted = points[i] == 0 || points[i] > total ? total : sw_max_int(points[i], 7);
        assert_int_equal(r.count, wanted);
        memset(seen, 0, (size_t)g->nvoxel * sizeof *seen);
        assert_int_equal(r.start[0], 0);
        assert_int_equal(r.start[r.count], total);
        swReal largest = 0, smallest = INFINITY;
        for (int k = 0; k < r.count; k++) {
            swReal volume = 0;
            assert_true(r.start[k + 1] > r.start[k]);
            for (int e = r.start[k]; e < r.start[k + 1]; e++) {
                seen[r.voxel[e]]++;
                volume += g->voxel[r.voxel[e]].volume;
                assert_int_equal(kind[r.voxel[e]], kind[r.voxel[r.start[k]]]);
            }
            largest = sw_max(largest, volume);
            smallest = sw_min(smallest, volume);
        }
        for (int v = 0; v < g->nvoxel; v++)
            assert_int_equal(seen[v], kind[v] >= 0);
        if (points[i] == 100) // and they are of one size, more or less
            assert_true(largest < 0.5 * 4 / 3 * SW_PI * 0.125 / 10);
    }
    free(kind);
    free(seen);
    free_field(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(weights_add_up_to_one),
    cmocka_unit_test(gradients_are_those_of_the_weights),
    cmocka_unit_test(weights_are_one_at_their_own_frame),
    cmocka_unit_test(handles_are_one_in_all_their_region),
    cmocka_unit_test(a_frame_inside_a_handle_yields_to_it),
    cmocka_unit_test(hats_are_linear_between_frames),
    cmocka_unit_test(hats_refuse_frames_at_the_same_place),
    cmocka_unit_test(unreachable_parts_are_no_silent_nonsense),
    cmocka_unit_test(unknown_kinds_are_refused),
    cmocka_unit_test(distances_go_through_the_material),
    cmocka_unit_test(distances_are_near_the_straight_line),
    cmocka_unit_test(lattices_share_corners_and_volume),
    cmocka_unit_test(frames_are_placed_inside_and_apart),
    cmocka_unit_test(frames_spread_evenly_along_a_bar),
    cmocka_unit_test(given_frames_stay_where_they_are),
    cmocka_unit_test(frames_outside_the_body_are_refused),
    cmocka_unit_test(handles_sit_at_their_centroid),
    cmocka_unit_test(regions_share_out_the_voxels),
};
SW_SUITE(weights, tests)
