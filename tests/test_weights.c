// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Shape functions of every kind, and regions.
#include "test_field.h"

static bool is(const char *kind, const char *name) { return strcmp(kind, name) == 0; }

// An L with frames given and placed, a thick handle and one without thickness. False where the kind
// does not go by that distance or power.
static bool bent_field(Field *f, const char *kind, swDistance distance, swReal power) {
    static const swVec3 at[] = {{0.31, 0.13, 0.08}, {0.72, 0.07, 0.11}};
    const bool lattice =
        is(kind, "voronoi") || is(kind, "smooth") || is(kind, "harmonic") || is(kind, "eigenmodes");
    if ((lattice && distance == SW_DISTANCE_EUCLIDEAN) || (!is(kind, "shepard") && power > 1) ||
        is(kind, "painted")) // which needs images: test_chain.c
        return false;
    swScene *s = make_scene(0.04);
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.2, 0.2));
    add_box(s, sw_v3(0.8, 0, 0), sw_v3(1, 0.7, 0.2));
    swFrames *frames = &s->bodies->frames;
    frames->weights.kind = kind;
    frames->weights.distance = distance;
    frames->weights.power = power;
    frames->weights.axis = sw_v3(1, 0.7, 0);
    if (sw_weights_find(kind)->everywhere)
        frames->count = SW_COUNT(at);
    else {
        frames->at = at;
        frames->nat = SW_COUNT(at);
    }
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
#define FOR_ALL_FIELDS(f, kind) \
    for (int kind_ = 0; sw_weights_name(kind_); kind_++) \
        for (int variant_ = 0; variant_ < 9; variant_++) \
            for (bool once_ = bent_field(&(f), kind = sw_weights_name(kind_), \
                                               (swDistance)(variant_ % 3), 1 + variant_ / 3); \
                 once_; free_field(&(f)), once_ = false)

// ---- shape functions ----

static void weights_add_up_to_one(void **state) {
    (void)state;
    Random r = {81};
    Field f;
    const char *kind;
    FOR_ALL_FIELDS(f, kind) {
        const int n = f.body.nsite;
        for (int trial = 0; trial < 300; trial++) {
            swReal w[MAX_SITES], dw[3 * MAX_SITES], sum = 0;
            swVec3 slope = {0, 0, 0};
            weights_at(&f, random_point(&f, &r), w, dw);
            for (int i = 0; i < n; i++) {
                if (!is(kind, "spline") && !is(kind, "eigenmodes"))
                    assert_true(w[i] >= 0 && w[i] <= 1 + 1e-15);
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
    const char *kind;
    FOR_ALL_FIELDS(f, kind) {
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
    const char *kind;
    FOR_ALL_FIELDS(f, kind) {
        // Modes have no place, and blurred parts are less than one there: handles alone.
        const int first = is(kind, "eigenmodes") || is(kind, "smooth") ? 2 : 0;
        for (int i = first; i < f.body.nsite; i++) {
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
    const char *kind;
    FOR_ALL_FIELDS(f, kind) {
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

// Where voxels are cut by it, frames of a corrected body move nothing at the border of a handle: a
// step away from it they do.
static void corrected_frames_end_at_the_border_of_a_handle(void **state) {
    (void)state;
    const swVec3 normal = {0.48, 0.6, 0.64};
    const swReal offset = -0.3, near = 1e-6;
    Random r = {84};
    for (int correct = 0; correct < 2; correct++) {
        swScene *s = make_scene(0.1);
        swShape *ball = sw_body_add_shape(s, s->bodies, SW_SHAPE_SPHERE);
        ball->radius = 0.5;
        s->bodies->frames.count = 4;
        s->bodies->integration.correct = correct ? SW_CORRECT_YES : SW_CORRECT_NO;
        swHandle *h = sw_body_add_handle(s, s->bodies, "foot", SW_SHAPE_HALFSPACE);
        h->region->normal = normal;
        h->region->offset = offset;
        Field f;
        swError error = {0};
        require(build_field(&f, s, &error), &error);
        const int handle = f.body.nsite - 1;
        swReal slip = 0;
        for (int trial = 0; trial < 500; trial++) {
            swReal w[MAX_SITES], dw[3 * MAX_SITES];
            const swVec3 p = random_point(&f, &r);
            const swReal far = sw_dot(normal, p) - offset;
            weights_at(&f, p, w, dw);
            assert_true(!correct || far > 0 || w[handle] == 1);
            if (far < 0 || far > 0.1)
                continue;
            weights_at(&f, sw_madd(p, near - far, normal), w, dw);
            slip = sw_max(slip, 1 - w[handle]);
        }
        if (correct)
            assert_true(slip < 1e-4);
        else
            assert_true(slip > 0.02);
        free_field(&f);
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
        for (int distance = 0; distance < 3; distance++) {
            const char *name = sw_weights_name(kind);
            if (is(name, "painted") ||
                (distance == SW_DISTANCE_EUCLIDEAN &&
                 (is(name, "voronoi") || is(name, "smooth") || is(name, "harmonic"))) ||
                sw_weights_find(name)->everywhere) // those refuse the scene for other reasons
                continue;
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
                    assert_near(w[0], 1, 1e-15);
                    for (int k = 0; k < 3; k++)
                        assert_near(dw[k], 0, 1e-12);
                }
            free_field(&f);
        }
}

static void unknown_kinds_are_refused(void **state) {
    (void)state;
    swWeightField field;
    swWeightsDef def = {.kind = "none such"};
    swError error = {0};
    assert_false(sw_weights_create(&field, &def, NULL, NULL, 0, NULL, NULL, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_VALUE);
    assert_non_null(strstr(error.message, "none such"));
    int n = 0;
    for (; sw_weights_name(n); n++)
        assert_string_equal(sw_weights_find(sw_weights_name(n))->name, sw_weights_name(n));
    assert_true(n >= 2);
    assert_null(sw_weights_name(-1));
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
    swReal *measure = calloc((size_t)g->nvoxel, sizeof *measure);
    int total = 0;
    for (int v = 0; v < g->nvoxel; v++) {
        kind[v] = class_of(&g->voxel[v]);
        measure[v] = g->voxel[v].volume;
        total += kind[v] >= 0;
    }
    static const int points[] = {0, 1, 7, 8, 20, 100, 400, 100000};
    for (int i = 0; i < SW_COUNT(points); i++) {
        swRegions r;
        const swRegionsDef def = {
            .grid = g, .kind = kind, .nkind = 7, .measure = measure, .count = points[i]};
        require(sw_regions_create(&def, &f.builder.arena, &r, &error), &error);
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
    free(measure);
    free_field(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(weights_add_up_to_one),
    cmocka_unit_test(gradients_are_those_of_the_weights),
    cmocka_unit_test(weights_are_one_at_their_own_frame),
    cmocka_unit_test(handles_are_one_in_all_their_region),
    cmocka_unit_test(corrected_frames_end_at_the_border_of_a_handle),
    cmocka_unit_test(a_frame_inside_a_handle_yields_to_it),
    cmocka_unit_test(hats_are_linear_between_frames),
    cmocka_unit_test(hats_refuse_frames_at_the_same_place),
    cmocka_unit_test(unreachable_parts_are_no_silent_nonsense),
    cmocka_unit_test(unknown_kinds_are_refused),
    cmocka_unit_test(handles_sit_at_their_centroid),
    cmocka_unit_test(regions_share_out_the_voxels),
};
SW_SUITE(weights, tests)
