// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Statics: increments that adapt, and paths over limit points.
#include "math/lu.h"
#include "world/world.h"
#include "test_tools.h"

#include <string.h>

enum { MAX_ROWS = 500 };
typedef struct {
    swModel *model;
    swState *state;
    int n;
    swReal load[MAX_ROWS], height[MAX_ROWS], force[MAX_ROWS]; // of the apex
} Path;

static void add_row(void *context) {
    Path *p = context;
    swVec3 force, torque;
    assert_true(p->n < MAX_ROWS);
    sw_handle_wrench(p->state, sw_handle_count(p->model) - 1, &force, &torque);
    p->load[p->n] = sw_state_report(p->state)->load;
    p->height[p->n] = sw_probe_position(p->state, 0).y;
    p->force[p->n++] = force.y;
}

static const swReal rise = 0.1, force = 20; // [m], [N]: about one and a half times the limit

// Two bars that lean on each other between walls (von Mises' truss), thin at their ends: the apex
// is moved down, or loaded. They are wide: narrow ones give way sideways before they snap, as the
// apex cannot where keys move it.
static swScene *truss(int kind, bool moved) {
    static const swReal x[] = {-0.5, -0.4, -0.1, 0}, half[] = {0.01, 0.03, 0.03, 0.01},
                        place[] = {-0.45, -0.35, -0.15, -0.05, -0.4, -0.1};
    static swReal corner[2][16];
    static swVec3 at[8];
    const int first = kind == SW_NODE_AFFINE ? 4 : 0, nplace = kind == SW_NODE_AFFINE ? 2 : 4;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 4; i++) {
            const swReal X = side ? -x[i] : x[i], Y = 2 * rise * (x[i] + 0.5);
            corner[side][2 * i] = corner[side][14 - 2 * i] = X;
            corner[side][2 * i + 1] = Y - half[i];
            corner[side][15 - 2 * i] = Y + half[i];
        }
    for (int i = 0; i < 2 * nplace; i++) {
        const swReal X = place[first + i / 2];
        at[i] = sw_v3(i % 2 ? -X : X, 2 * rise * (X + 0.5), 0);
    }
    swScene *s = sw_scene_create(NULL);
    s->gravity = sw_v3(0, 0, 0);
    s->analysis = SW_ANALYSIS_STATIC;
    swMaterial *m = sw_scene_add_material(s, "rubber");
    m->law = "stvk";
    m->young = 1e6;
    m->poisson = 0;
    swBody *b = sw_scene_add_body(s, "truss");
    for (int i = 0; i < 2; i++) {
        swShape *bar = sw_body_add_shape(s, b, SW_SHAPE_EXTRUDE);
        bar->polygon = corner[i];
        bar->npolygon = 8;
        bar->zrange[0] = -0.04;
        bar->zrange[1] = 0.04;
    }
    b->voxel = 0.005;
    set_kind(&b->frames, kind);
    b->frames.weights.kind = "smooth";
    b->frames.count = 0;
    b->frames.at = at;
    b->frames.nat = 2 * nplace;
    b->integration.points = 600;
    b->integration.degree = 2;
    for (int i = 0; i < 3; i++) {
        swHandle *h = sw_body_add_handle(s, b, NULL, SW_SHAPE_BOX);
        h->region->center = sw_v3(i == 0 ? -0.5 : i == 1 ? 0.5 : 0, 0, 0);
        h->region->size = sw_v3(0.02, 1, 1);
        h->motion = i < 2 ? SW_MOTION_FIXED : SW_MOTION_FREE;
        if (i == 2 && moved) {
            sw_handle_add_key(s, h, 0);
            sw_handle_add_key(s, h, 1)->pose.translate = sw_v3(0, -2.1 * rise, 0);
        }
    }
    if (!moved) {
        swLoad *load = sw_body_add_load(s, b, SW_SHAPE_BOX);
        load->force = sw_v3(0, -force, 0);
        load->on->center = sw_v3(0, 0, 0);
        load->on->size = sw_v3(0.02, 1, 1);
    }
    sw_scene_add_probe(s, "apex", sw_v3(0, rise, 0));
    return s;
}

static swStatus follow(Path *p, swScene *s, int increments, swPath path) {
    s->solver.increments = increments;
    s->solver.path = path;
    p->n = 0;
    p->model = compile_scene(s);
    p->state = make_state(p->model);
    sw_scene_destroy(s);
    return sw_statics_solve(p->model, p->state, add_row, p);
}

static void done(Path *p) {
    sw_state_destroy(p->state);
    sw_model_destroy(p->model);
}

// The first peak of y over the rows, by the parabola through the three around it, and the trough
// after it.
static swReal extreme(int n, const swReal *x, const swReal *y, int from, swReal sign, int *where) {
    int i = from;
    while (i + 1 < n - 1 && !(sign * y[i] > sign * y[i - 1] && sign * y[i] >= sign * y[i + 1]))
        i++;
    *where = i;
    const swReal a = x[i - 1] - x[i], b = x[i + 1] - x[i], fa = y[i - 1] - y[i],
                 fb = y[i + 1] - y[i], c = (fb / b - fa / a) / (b - a), d = fa / a - c * a;
    return y[i] - d * d / (4 * c);
}

static swScene *relaxed_truss(int kind, bool moved, bool relax) {
    swScene *s = truss(kind, moved);
    s->bodies->integration.relax = relax;
    return s;
}

// Relaxed bars of rigid frames are no part of this: loaded, they turn the apex before they snap, a
// branch that keys do not let them take.
static void paths_go_over_limit_points(void **state) {
    (void)state;
    static const struct {
        int kind;
        bool relax;
    } frames[] = {{SW_NODE_RIGID, false}, {SW_NODE_AFFINE, false}, {SW_NODE_AFFINE, true}};
    static Path loaded, moved;
    for (int f = 0; f < SW_COUNT(frames); f++) {
        const int kind = frames[f].kind;
        const bool relax = frames[f].relax;
        int top, bottom;
        assert_int_equal(follow(&moved, relaxed_truss(kind, true, relax), 80, SW_PATH_LOAD), SW_OK);
        assert_int_equal(only_body(moved.model)->size.nrelax > 0, relax);
        for (int i = 0; i < moved.n; i++)
            moved.force[i] *= -1.0 / force; // down, as a share of the load
        const swReal peak = extreme(moved.n, moved.height, moved.force, 1, 1, &top),
                     trough = extreme(moved.n, moved.height, moved.force, top, -1, &bottom);
        assert_true(peak > 0.5 && peak < 0.9 && trough < 0.9 * peak);
        // Finer by far than the limit load, so that the peak is seen.
        assert_int_equal(
            follow(&loaded, relaxed_truss(kind, false, relax), 100, SW_PATH_ARC_LENGTH), SW_OK);
        const swReal high = extreme(loaded.n, loaded.height, loaded.load, 1, 1, &top),
                     low = extreme(loaded.n, loaded.height, loaded.load, top, -1, &bottom);
        assert_near(high, peak, 0.01 * peak);
        assert_near(low, trough, 0.01 * peak);
        assert_true(loaded.load[loaded.n - 1] == 1);
        // Between them, every point of one path lies on the other.
        for (int i = 0, k = 0; i < loaded.n; i++) {
            while (k < moved.n && moved.height[k] > loaded.height[i])
                k++;
            if (k == 0 || k >= moved.n)
                continue;
            const swReal u =
                (loaded.height[i] - moved.height[k - 1]) / (moved.height[k] - moved.height[k - 1]);
            assert_near(loaded.load[i],
                        moved.force[k - 1] + u * (moved.force[k] - moved.force[k - 1]),
                        0.01 * peak);
        }
        done(&loaded);
        done(&moved);
    }
}

// Whatever leads there, the end is the same; load increments alone jump.
static void all_ways_lead_to_one_end(void **state) {
    (void)state;
    static Path p;
    swReal end[3];
    for (int path = SW_PATH_AUTO; path <= SW_PATH_ARC_LENGTH; path++) {
        assert_int_equal(follow(&p, truss(SW_NODE_RIGID, false), 20, (swPath)path), SW_OK);
        const swStepReport *r = sw_state_report(p.state);
        end[path] = p.height[p.n - 1];
        assert_int_equal(r->increments, p.n);
        assert_int_equal(r->status, SW_OK);
        assert_true(r->load == 1 && r->iterations > 0);
        bool falls = false;
        for (int i = 1; i < p.n; i++)
            falls = falls || p.load[i] < p.load[i - 1];
        assert_int_equal(falls, path == SW_PATH_ARC_LENGTH);
        done(&p);
    }
    assert_near(end[0], end[1], 1e-12);
    assert_near(end[2], end[1], 1e-6);
}

// With too few iterations load increments end where the truss would snap; the path leads on.
static void paths_help_where_load_increments_fail(void **state) {
    (void)state;
    static Path p;
    for (int path = SW_PATH_AUTO; path <= SW_PATH_LOAD; path++) {
        swScene *s = truss(SW_NODE_AFFINE, false);
        s->solver.iterations = 4;
        const swStatus status = follow(&p, s, 20, (swPath)path);
        const swStepReport *r = sw_state_report(p.state);
        assert_int_equal(status, path == SW_PATH_AUTO ? SW_OK : SW_ERROR_NOT_CONVERGED);
        assert_true(r->cuts > 0 && r->increments == p.n);
        if (path == SW_PATH_AUTO)
            assert_true(r->load == 1 && p.height[p.n - 1] < 0);
        else
            assert_true(r->load > 0.2 && r->load < 0.8 && r->load == p.load[p.n - 1]);
        done(&p);
    }
}

// A cube pressed harder than this law can bear, E A (1/27)^(1/2) or 7.7 kN: it gives way sideways,
// and the path leads to where it has no volume left.
static swScene *crushed(void) {
    swScene *s = sw_scene_create(NULL);
    s->gravity = sw_v3(0, 0, 0);
    s->analysis = SW_ANALYSIS_STATIC;
    swMaterial *m = sw_scene_add_material(s, "rubber");
    m->law = "stvk";
    m->young = 1e6;
    m->poisson = 0;
    swBody *b = sw_scene_add_body(s, "cube");
    sw_body_add_shape(s, b, SW_SHAPE_BOX)->size = sw_v3(0.2, 0.2, 0.2);
    b->resolution = 8;
    b->frames.count = 2;
    for (int i = 0; i < 2; i++) {
        swHandle *h = sw_body_add_handle(s, b, NULL, SW_SHAPE_BOX);
        h->region->center = sw_v3(0, i ? 0.1 : -0.1, 0);
        h->region->size = sw_v3(1, 0.05, 1);
        h->motion = i ? SW_MOTION_FREE : SW_MOTION_FIXED;
    }
    swLoad *load = sw_body_add_load(s, b, SW_SHAPE_BOX);
    load->force = sw_v3(0, -1.2e4, 0);
    load->on->center = sw_v3(0, 0.1, 0);
    load->on->size = sw_v3(1, 0.05, 1);
    sw_scene_add_probe(s, "top", sw_v3(0, 0.1, 0));
    return s;
}

// Where neither can do it, the attempt leaves no trace.
static void a_path_that_fails_leaves_no_trace(void **state) {
    (void)state;
    static Path p;
    uint64_t hash[2];
    swStepReport report[2];
    for (int path = SW_PATH_AUTO; path <= SW_PATH_LOAD; path++) {
        assert_int_equal(follow(&p, crushed(), 20, (swPath)path), SW_ERROR_NOT_CONVERGED);
        hash[path] = sw_state_hash(p.state);
        report[path] = *sw_state_report(p.state);
        done(&p);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(report[0].load > 0 && report[0].load == report[1].load);
    assert_int_equal(report[0].increments, report[1].increments);
    assert_string_equal(report[0].reason, report[1].reason);
}

// A body without a limit point: arc length is no different.
static void arc_length_follows_what_is_stable(void **state) {
    (void)state;
    static Path p;
    swReal end[2];
    for (int arc = 0; arc < 2; arc++) {
        swScene *s = truss(SW_NODE_AFFINE, false);
        s->bodies->loads->force = sw_v3(0, 0.3 * force, 0);
        assert_int_equal(follow(&p, s, 4, arc ? SW_PATH_ARC_LENGTH : SW_PATH_LOAD), SW_OK);
        for (int i = 1; i < p.n; i++)
            assert_true(p.load[i] > p.load[i - 1] && p.height[i] > p.height[i - 1]);
        end[arc] = p.height[p.n - 1];
        done(&p);
    }
    assert_near(end[1], end[0], 1e-8);
}

// Handles moved by keys are loads too.
static void arc_length_goes_with_keys(void **state) {
    (void)state;
    static Path p;
    swReal end[2];
    for (int arc = 0; arc < 2; arc++) {
        assert_int_equal(
            follow(&p, truss(SW_NODE_RIGID, true), 10, arc ? SW_PATH_ARC_LENGTH : SW_PATH_LOAD),
            SW_OK);
        end[arc] = p.force[p.n - 1];
        assert_near(p.height[p.n - 1], rise - 2.1 * rise, 1e-12);
        done(&p);
    }
    assert_near(end[1], end[0], 1e-5 * fabs(end[0]));
}

// ---- increments ----

// The truss at one blow, with few iterations allowed: increments are cut on the way, and grow
// again.
static void increments_shrink_and_grow(void **state) {
    (void)state;
    static Path p;
    swScene *s = truss(SW_NODE_RIGID, true);
    s->solver.iterations = 4;
    assert_int_equal(follow(&p, s, 1, SW_PATH_LOAD), SW_OK);
    assert_true(sw_state_report(p.state)->cuts > 0);
    bool grew = false;
    for (int i = 2; i < p.n; i++)
        grew = grew || p.load[i] - p.load[i - 1] > 1.5 * (p.load[i - 1] - p.load[i - 2]);
    assert_true(grew);
    done(&p);
}

// What is asked for is not exceeded.
static void increments_are_no_larger_than_asked(void **state) {
    (void)state;
    static Path p;
    swScene *s = truss(SW_NODE_RIGID, false);
    s->bodies->loads->force = sw_v3(0, 0.3 * force, 0);
    assert_int_equal(follow(&p, s, 8, SW_PATH_LOAD), SW_OK);
    assert_int_equal(p.n, 8);
    assert_int_equal(sw_state_report(p.state)->cuts, 0);
    for (int i = 0; i < 8; i++)
        assert_near(p.load[i], (i + 1) / 8.0, 1e-12);
    done(&p);
}

static void materials_that_yield_have_no_path(void **state) {
    (void)state;
    static Path p;
    swScene *s = truss(SW_NODE_RIGID, false);
    s->materials->yield = 1e5;
    assert_int_equal(follow(&p, s, 8, SW_PATH_ARC_LENGTH), SW_ERROR_NOT_CONVERGED);
    assert_non_null(strstr(sw_state_report(p.state)->reason, "yield"));
    done(&p);
}

// ---- the matrix ----

static void elimination_solves(void **state) {
    (void)state;
    enum { N = 30 };
    Random r = {7};
    double A[N * N], copy[N * N], x[N], b[N];
    for (int i = 0; i < N * N; i++)
        A[i] = copy[i] = random_in(&r, -1, 1);
    A[0] = copy[0] = 0; // needs an exchange
    for (int i = 0; i < N; i++)
        x[i] = b[i] = random_in(&r, -1, 1);
    assert_true(sw_lu_solve(N, A, x, NULL));
    for (int i = 0; i < N; i++)
        assert_near(sw_dot_n(N, copy + i * N, x), b[i], 1e-11);
    double singular[4] = {1, 2, 2, 4}, y[2] = {1, 1};
    assert_false(sw_lu_solve(2, singular, y, NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(paths_go_over_limit_points),
    cmocka_unit_test(all_ways_lead_to_one_end),
    cmocka_unit_test(paths_help_where_load_increments_fail),
    cmocka_unit_test(a_path_that_fails_leaves_no_trace),
    cmocka_unit_test(arc_length_follows_what_is_stable),
    cmocka_unit_test(arc_length_goes_with_keys),
    cmocka_unit_test(increments_shrink_and_grow),
    cmocka_unit_test(increments_are_no_larger_than_asked),
    cmocka_unit_test(materials_that_yield_have_no_path),
    cmocka_unit_test(elimination_solves),
};

SW_SUITE(statics, tests)
