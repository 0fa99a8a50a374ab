// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Voronoi weights: what they promise, and the bar whose displacements they are exactly; their parts
// blurred; rigid parts.
#include "frames/place.h"
#include "test_field.h"

// A plate of one layer of cells, or a block, with frames placed or given.
static void plate_field(Field *f, swVec3 size, swReal voxel, int count, const swVec3 *at, int nat,
                        int levels) {
    swScene *s = make_scene(voxel);
    add_box(s, sw_v3(0, 0, 0), size);
    s->bodies->frames.count = count;
    s->bodies->frames.at = at;
    s->bodies->frames.nat = nat;
    s->bodies->frames.weights.kind = "voronoi";
    s->bodies->frames.weights.levels = levels;
    swError error = {0};
    require(build_field(f, s, &error), &error);
}

// Along the line between two frames alone, the weight of one falls steadily to zero at the other.
static void weights_fall_between_two_frames(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.2, 0.3, 0.2}, {0.8, 0.3, 0.2}};
    for (int levels = 1; levels <= 5; levels++) {
        Field f;
        plate_field(&f, sw_v3(1, 0.6, 0.4), 0.02, 0, at, 2, levels);
        swReal last = 1, w[2], dw[6];
        for (int i = 0; i <= 600; i++) {
            const swReal x = 0.2 + 0.6 * i / 600;
            weights_at(&f, sw_v3(x, 0.3, 0.2), w, dw);
            assert_true(w[0] <= last + 1e-12);
            assert_near(w[0], 1 - (x - 0.2) / 0.6, 0.02); // and evenly
            last = w[0];
        }
        assert_near(last, 0, 1e-12);
        free_field(&f);
    }
}

// Beyond its neighbours a frame moves nothing; with more levels it reaches around them.
static void weights_end_at_the_frames_around(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.1, 0.05, 0.05},
                                {0.3, 0.05, 0.05},
                                {0.5, 0.05, 0.05},
                                {0.7, 0.05, 0.05},
                                {0.9, 0.05, 0.05}};
    for (int levels = 1; levels <= 2; levels++) {
        Field f;
        plate_field(&f, sw_v3(1, 0.1, 0.1), 0.02, 0, at, 5, levels);
        for (int i = 0; i <= 1000; i++) {
            swReal w[5], dw[15];
            const swReal x = 0.001 * i;
            weights_at(&f, sw_v3(x, 0.05, 0.05), w, dw);
            for (int k = 0; k < 5; k++)
                if (fabs(x - at[k].x) > 0.3) // they may reach around a neighbour, not to the next
                    assert_true(w[k] == 0);
                else if (fabs(x - at[k].x) > 0.22)
                    assert_true(w[k] < 0.01);
        }
        free_field(&f);
    }
}

// On the face between two cells both say the same: the field has no cracks anywhere.
static void weights_are_continuous(void **state) {
    (void)state;
    Random r = {91};
    Field f;
    plate_field(&f, sw_v3(1, 0.6, 0.4), 0.05, 9, NULL, 0, 2);
    const swLattice *l = &f.body.lattice;
    const swGrid *g = l->grid;
    int met = 0;
    for (int trial = 0; trial < 2000; trial++) {
        const int c = random_int(&r, l->ncell), axis = trial % 3;
        const int step[3] = {1, g->n[0], g->n[0] * g->n[1]};
        if (!(g->open[l->cell[c]] & 1 << axis))
            continue;
        const int cell[2] = {c, l->index[l->cell[c] + step[axis]]};
        swVec3 p = sw_v3(random_in(&r, 0, 0.05), random_in(&r, 0, 0.05), random_in(&r, 0, 0.05));
        sw_set(&p, axis, 0.05);
        p = sw_add(p, l->X[l->corner[8 * c]]);
        swReal w[2][MAX_SITES], dw[3 * MAX_SITES];
        for (int i = 0; i < 2; i++)
            sw_weights_evaluate(&f.body.weights, 1, &p, &cell[i], w[i], dw);
        for (int k = 0; k < f.body.nsite; k++)
            assert_near(w[0][k], w[1][k], 1e-12);
        met++;
    }
    assert_true(met > 1000);
    free_field(&f);
}

// Two fingers that touch in the grid but not in the material do not move each other.
static void weights_do_not_leap_over_gaps(void **state) {
    (void)state;
    static const swReal polygon[] = {0,     0,   1,     0,   1,     1, 0.501, 1,
                                     0.501, 0.2, 0.499, 0.2, 0.499, 1, 0,     1};
    static const swVec3 at[] = {{0.25, 0.95, 0.1}, {0.5, 0.1, 0.1}, {0.75, 0.95, 0.1}};
    swScene *s = make_scene(0.05);
    s->bodies->frames.weights.kind = "voronoi";
    swShape *u = sw_body_add_shape(s, s->bodies, SW_SHAPE_EXTRUDE);
    u->polygon = polygon;
    u->npolygon = 8;
    u->zrange[1] = 0.2;
    u->zrange[0] = 0;
    s->bodies->frames.at = at;
    s->bodies->frames.nat = 3;
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error), &error);
    for (swReal y = 0.6; y < 1; y += 0.05) {
        swReal w[3], dw[9];
        weights_at(&f, sw_v3(0.48, y, 0.1), w, dw);
        assert_true(w[2] == 0 && w[0] > 0.4);
        weights_at(&f, sw_v3(0.52, y, 0.1), w, dw);
        assert_true(w[0] == 0 && w[2] > 0.4);
    }
    free_field(&f);
}

static void frames_too_close_are_refused(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.51, 0.1, 0.1}, {0.53, 0.1, 0.1}};
    swScene *s = make_scene(0.05);
    s->bodies->frames.weights.kind = "voronoi";
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.2, 0.2));
    s->bodies->frames.at = at;
    s->bodies->frames.nat = 2;
    Field f;
    swError error = {0};
    assert_false(build_field(&f, s, &error));
    assert_non_null(strstr(error.message, "frame 0 of bodies[0]"));
    assert_non_null(strstr(error.message, "frame 1 of bodies[0]"));
    assert_non_null(strstr(error.message, "voxel apart"));
    free_field(&f);
}

// ---- stiffness ----

// A bar of three layers, 1 : 10 : 100, between a wall and a frame at its end.
static swScene *layered_bar(const char *weights, swReal voxel) {
    static const swReal young[] = {1e4, 1e5, 1e6};
    static const swVec3 end[] = {{3, 0, 0}};
    swScene *s = sw_scene_create(NULL);
    swBody *b = sw_scene_add_body(s, "bar");
    s->analysis = SW_ANALYSIS_STATIC;
    s->gravity = sw_v3(0, 0, 0);
    s->solver.tolerance = 1e-9;
    b->voxel = voxel;
    for (int i = 0; i < 3; i++) {
        char name[2] = {(char)('a' + i), 0};
        swMaterial *m = sw_scene_add_material(s, name);
        m->law = "linear";
        m->young = young[i];
        m->poisson = 0;
        add_box(s, sw_v3(i, -0.1, -0.1), sw_v3(i + 1, 0.1, 0.1))->material = m->name;
    }
    b->frames.count = 0;
    b->frames.at = end;
    b->frames.nat = 1;
    b->frames.weights.kind = weights;
    b->frames.weights.distance = SW_DISTANCE_COMPLIANCE;
    b->integration.every_voxel = true;
    swHandle *h = sw_body_add_handle(s, b, "wall", SW_SHAPE_BOX);
    h->region->size = sw_v3(0, 1, 1);
    swLoad *load = sw_body_add_load(s, b, SW_SHAPE_BOX);
    load->on->size = sw_v3(0, 1, 1);
    load->on->center = end[0];
    load->traction = sw_v3(100, 0, 0);
    for (int i = 1; i <= 30; i++)
        sw_scene_add_probe(s, NULL, sw_v3(0.1 * i, 0, 0));
    return s;
}

static swReal exact_displacement(swReal x) {
    return 100 * (sw_min(x, 1) / 1e4 + sw_clamp(x - 1, 0, 1) / 1e5 + sw_clamp(x - 2, 0, 1) / 1e6);
}

// The worst displacement along the bar, over that of its end, and the energy, relative.
static void bar_errors(const char *weights, swReal voxel, swReal *displacement, swReal *energy) {
    swScene *scene = layered_bar(weights, voxel);
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    *displacement = 0;
    for (int i = 0; i < sw_probe_count(m); i++)
        *displacement = sw_max(
            *displacement, fabs(sw_probe_displacement(s, i).x - exact_displacement(0.1 * (i + 1))));
    *displacement /= exact_displacement(3);
    *energy = sw_state_energy(s).elastic / (0.5 * 100 * 0.04 * exact_displacement(3)) - 1;
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// In one dimension compliance weights are the displacements of a static solution.
static void a_layered_bar_is_exact(void **state) {
    (void)state;
    static const swReal voxel[] = {0.2, 0.1, 0.05};
    for (int i = 0; i < SW_COUNT(voxel); i++) {
        swReal u, e, shepard_u, shepard_e;
        bar_errors("voronoi", voxel[i], &u, &e);
        bar_errors("shepard", voxel[i], &shepard_u, &shepard_e);
        print_message(
            "voxel %g: voronoi %.2g of the end's displacement, energy %.2g; shepard %.2g, "
            "%.2g\n",
            voxel[i], u, e, shepard_u, shepard_e);
        // One cell across it is the one-dimensional case; else the frame at the end is a point.
        assert_true(u < (i == 0 ? 1e-9 : 1e-2) && fabs(e) < (i == 0 ? 1e-9 : 1e-3));
        assert_true(shepard_u > 0.1);
    }
}

// A layer that ends inside a cell is as long as it is; in that cell the displacement is straight.
static void layers_may_end_inside_cells(void **state) {
    (void)state;
    swReal u, e;
    bar_errors("voronoi", 3.0 / 14, &u, &e); // neither 1 nor 2 is a multiple
    assert_true(u < 0.25 * (3.0 / 14) / 1.11 && fabs(e) < 1e-9);
}

// Frames crowd where it is soft, where distances are measured by compliance.
static void frames_go_where_it_is_soft(void **state) {
    (void)state;
    swScene *s = make_scene(0.05);
    swMaterial *stiff = sw_scene_add_material(s, "stiff");
    stiff->young = 1e6;
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.2, 0.2))->material = "rubber";
    add_box(s, sw_v3(1, 0, 0), sw_v3(2, 0.2, 0.2))->material = "stiff";
    s->bodies->frames.count = 6;
    s->bodies->frames.weights.distance = SW_DISTANCE_COMPLIANCE;
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error), &error);
    int soft = 0;
    for (int i = 0; i < 6; i++)
        soft += f.body.site[i].origin.x < 1;
    assert_int_equal(soft, 5);
    free_field(&f);
}

// A smaller error takes more frames; none is placed on a handle.
static void an_error_says_how_many_frames(void **state) {
    (void)state;
    int last = 0;
    for (int i = 1; i <= 3; i++) {
        swScene *s = make_scene(0.05);
        add_box(s, sw_v3(0, 0, 0), sw_v3(2, 0.2, 0.2));
        s->bodies->frames.error = pow(0.25, i);
        swHandle *h = sw_body_add_handle(s, s->bodies, "wall", SW_SHAPE_BOX);
        h->region->size = sw_v3(0.1, 1, 1);
        Field f;
        swError error = {0};
        require(build_field(&f, s, &error), &error);
        const int n = f.body.nsite - 1;
        assert_true(n >= last + 1 && n >= (1 << i) / 2);
        for (int k = 0; k < n; k++)
            assert_true(f.body.site[k].origin.x > 0.1);
        last = n;
        free_field(&f);
    }
}

// ---- rigid parts ----

static swScene *bones(swRigid rigid) {
    swScene *s = make_scene(0.05);
    swMaterial *bone = sw_scene_add_material(s, "bone");
    bone->young = 1e10;
    bone->rigid = rigid;
    add_box(s, sw_v3(0, 0, 0), sw_v3(2, 0.4, 0.4))->material = "rubber";
    add_box(s, sw_v3(0.2, 0.1, 0.1), sw_v3(0.8, 0.3, 0.3))->material = "bone";
    add_box(s, sw_v3(1.2, 0.1, 0.1), sw_v3(1.8, 0.3, 0.3))->material = "bone";
    s->bodies->frames.count = 2;
    return s;
}

static void stiff_pieces_become_free_handles(void **state) {
    (void)state;
    for (int rigid = SW_RIGID_AUTO; rigid <= SW_RIGID_NEVER; rigid++) {
        Field f;
        swError error = {0};
        require(build_field(&f, bones((swRigid)rigid), &error), &error);
        assert_int_equal(f.body.nhandle, rigid == SW_RIGID_NEVER ? 0 : 2);
        assert_int_equal(f.body.nsite, 2 + f.body.nhandle);
        swReal owned[4] = {0};
        for (int v = 0; v < f.body.grid.nvoxel; v++)
            if (f.body.grid.voxel[v].owner >= 0)
                owned[f.body.grid.voxel[v].owner] += f.body.grid.voxel[v].volume;
        for (int i = 2; i < f.body.nsite; i++) {
            assert_near(owned[i], 0.6 * 0.2 * 0.2, 1e-12);
            assert_near(f.body.site[i].origin.x, i == 2 ? 0.5 : 1.5, 1e-12);
            assert_int_equal(f.builder.node.item[i].motion, SW_MOTION_FREE);
            swReal w[4], dw[12];
            weights_at(&f, sw_v3(i == 2 ? 0.3 : 1.3, 0.2, 0.2), w, dw);
            for (int k = 0; k < f.body.nsite; k++)
                assert_near(w[k], k == i, 1e-12);
        }
        if (f.body.nhandle) {
            const swHandleInfo *h = f.builder.handle.item;
            assert_string_equal(f.builder.text.item + h[0].name, "bone");
            assert_string_not_equal(f.builder.text.item + h[1].name, "bone");
        }
        free_field(&f);
    }
}

// A rigid piece that a handle holds somewhere is held as a whole; two handles cannot hold one.
static void a_held_piece_is_held_as_a_whole(void **state) {
    (void)state;
    for (int handles = 1; handles <= 2; handles++) {
        swScene *s = bones(SW_RIGID_AUTO);
        for (int i = 0; i < handles; i++) {
            swHandle *h = sw_body_add_handle(s, s->bodies, NULL, SW_SHAPE_BOX);
            h->region->size = sw_v3(0.1, 1, 1);
            h->region->center = sw_v3(0.25 + 0.5 * i, 0, 0);
        }
        Field f;
        swError error = {0};
        const bool ok = build_field(&f, s, &error);
        assert_int_equal(ok, handles == 1);
        if (ok) {
            assert_int_equal(f.body.nhandle, 2); // the held one, and the other piece
            const int held = f.body.nsite - 2;
            for (int v = 0; v < f.body.grid.nvoxel; v++) {
                const swVoxel *x = &f.body.grid.voxel[v];
                if (x->material == 1)
                    assert_int_equal(x->owner, x->centroid.x < 1 ? held : held + 1);
            }
        } else
            assert_non_null(strstr(error.message, "hold the same rigid piece"));
        free_field(&f);
    }
}

// ---- smooth ----

// In a rod blurred parts depend on its length alone, wherever in the section its frames are; they
// lie between 0 and 1 and fall to both sides.
static void smooth_weights_are_flat_across_a_rod(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.2, 0.05, 0.05}, {0.5, 0.02, 0.08}, {0.8, 0.05, 0.05}};
    swScene *s = make_scene(0.02);
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.1, 0.1));
    s->bodies->frames.at = at;
    s->bodies->frames.nat = SW_COUNT(at);
    s->bodies->frames.weights.kind = "smooth";
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error), &error);
    swReal last = 2;
    for (int i = 0; i <= 100; i++) {
        const swReal x = 0.01 * i;
        swReal a[3], b[3], da[9], db[9], sum = 0;
        weights_at(&f, sw_v3(x, 0.05, 0.05), a, da);
        weights_at(&f, sw_v3(x, 0.01, 0.09), b, db);
        for (int k = 0; k < 3; k++) {
            assert_true(a[k] >= 0 && a[k] <= 1);
            assert_near(a[k], b[k], 0.02); // the border between two parts is as fine as voxels
            sum += a[k];
        }
        assert_near(sum, 1, 1e-12);
        assert_true(a[0] <= last);
        last = a[0];
    }
    free_field(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(smooth_weights_are_flat_across_a_rod),
    cmocka_unit_test(weights_fall_between_two_frames),
    cmocka_unit_test(weights_end_at_the_frames_around),
    cmocka_unit_test(weights_are_continuous),
    cmocka_unit_test(weights_do_not_leap_over_gaps),
    cmocka_unit_test(frames_too_close_are_refused),
    cmocka_unit_test(a_layered_bar_is_exact),
    cmocka_unit_test(layers_may_end_inside_cells),
    cmocka_unit_test(frames_go_where_it_is_soft),
    cmocka_unit_test(an_error_says_how_many_frames),
    cmocka_unit_test(stiff_pieces_become_free_handles),
    cmocka_unit_test(a_held_piece_is_held_as_a_whole),
};

SW_SUITE(voronoi, tests)
