// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The lattice, distances through the material, and frames placed by them.
#include "frames/place.h"
#include "test_field.h"

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
    swMarch march;
    swReal N[8], sum = 0;
    swError error = {0};
    sw_arena_init(&arena, &f->builder.config->allocator);
    require(sw_march_create(&march, l, NULL, &arena, &error), &error);
    int cell = sw_lattice_find(l, from, 0);
    assert_true(cell >= 0);
    for (int k = 0; k < 8; k++) {
        const int node = l->corner[8 * cell + k];
        sw_march_start(&march, node, sw_norm(sw_sub(l->X[node], from)), 0, 0);
    }
    sw_march_run(&march);
    cell = sw_lattice_find(l, to, 0);
    assert_true(cell >= 0);
    sw_lattice_shape(l, cell, to, N, NULL);
    for (int k = 0; k < 8; k++)
        sum += N[k] * march.time[l->corner[8 * cell + k]];
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
        assert_true(d >= 0.8 - h && d <= 1.01 * 0.8 + h);
        // from tip to tip, around the corners of the slot
        swVec3 left = {0.3, 0.95, 0.1}, right = {0.7, 0.95, 0.1};
        swReal way = 2 * hypot(a - 0.3, 0.75) + slots[i];
        d = distance_between(&f, left, right);
        assert_true(d >= way - 4 * h && d <= 1.02 * way + 4 * h);
        free_field(&f);
    }
}

// Straight distances in a block: never shorter than the line, hardly longer.
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
        assert_true(d >= line - 0.05 && d <= 1.015 * line + 0.05);
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
                mine = mine || l->corner[l->around[e] / 8 * 8 + k] == i;
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
    int node[MAX_SITES][8], placed;
    swArena arena;
    swError error = {0};
    const swLattice *l = &f->body.lattice;
    for (int i = 0; i < nfixed; i++)
        source[i] = (swSource){
            sw_frame_nodes(l, sw_lattice_find(l, fixed[i], 0), fixed[i], node[i]), node[i]};
    const swGrid *g = l->grid;
    swMark *mark = calloc((size_t)(g->nvoxel + nfixed), sizeof *mark);
    assert_non_null(mark);
    for (int i = 0; i < g->nvoxel; i++)
        mark[i] = (swMark){g->voxel[i].centroid, g->voxel[i].volume};
    for (int i = 0; i < nfixed; i++)
        mark[g->nvoxel + i] = (swMark){fixed[i], g->volume};
    const swMirrors mirrors = sw_mirrors_find(g, g->nvoxel + nfixed, mark);
    free(mark);
    const swPlacement p = {
        .nfixed = nfixed, .fixed = source, .count = count, .error = NAN, .mirrors = &mirrors};
    sw_arena_init(&arena, &f->builder.config->allocator);
    require(sw_frames_place(l, &p, &arena, at, &placed, &error), &error);
    assert_int_equal(placed, count);
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
            const int cell = sw_lattice_find(&f.body.lattice, at[i], 1);
            assert_true(cell >= 0);
            assert_near(sw_norm(sw_sub(sw_lattice_clamp(&f.body.lattice, cell, at[i]), at[i])), 0,
                        1e-9);
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

// ---- distances ----

// How far the marched distance from the middle of a block is off, between `near` and `far` cells
// away: the worst and the mean, relative.
static void measure_errors(const Field *f, swReal near, swReal far, swReal *worst, swReal *mean) {
    const swLattice *l = &f->body.lattice;
    const swReal h = l->grid->h;
    swArena arena;
    swMarch march;
    swError error = {0};
    int middle = 0, count = 0;
    sw_arena_init(&arena, &f->builder.config->allocator);
    require(sw_march_create(&march, l, NULL, &arena, &error), &error);
    for (int i = 0; i < l->n; i++)
        if (sw_norm2(l->X[i]) < sw_norm2(l->X[middle]))
            middle = i;
    sw_march_start(&march, middle, 0, 0, 0);
    sw_march_run(&march);
    *worst = *mean = 0;
    for (int i = 0; i < l->n; i++) {
        const swReal line = sw_norm(sw_sub(l->X[i], l->X[middle]));
        if (line < near * h || line > far * h)
            continue;
        const swReal off = march.time[i] / line - 1;
        assert_true(off > -1e-12);
        *worst = sw_max(*worst, off);
        *mean += off;
        count++;
    }
    *mean /= count;
    sw_arena_free(&arena);
}

static void distances_have_a_small_stated_error(void **state) {
    (void)state;
    static const swVec3 at[] = {{0, 0, 0}};
    swScene *s = make_scene(0.02);
    add_box(s, sw_v3(-0.6, -0.6, -0.6), sw_v3(0.6, 0.6, 0.6));
    s->bodies->frames.at = at;
    s->bodies->frames.nat = 1;
    Field f;
    swError error = {0};
    swReal worst, mean;
    require(build_field(&f, s, &error), &error);
    measure_errors(&f, 1, 10, &worst, &mean);
    print_message("1 to 10 cells away: worst %.3g %%, mean %.3g %%\n", 100 * worst, 100 * mean);
    measure_errors(&f, 10, 52, &worst, &mean);
    print_message("10 to 52 cells away: worst %.3g %%, mean %.3g %%\n", 100 * worst, 100 * mean);
    assert_true(worst < 0.032 && mean < 0.011);
    free_field(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(distances_go_through_the_material),
    cmocka_unit_test(distances_are_near_the_straight_line),
    cmocka_unit_test(distances_have_a_small_stated_error),
    cmocka_unit_test(lattices_share_corners_and_volume),
    cmocka_unit_test(frames_are_placed_inside_and_apart),
    cmocka_unit_test(frames_spread_evenly_along_a_bar),
    cmocka_unit_test(given_frames_stay_where_they_are),
    cmocka_unit_test(frames_outside_the_body_are_refused),
};

SW_SUITE(march, tests)
