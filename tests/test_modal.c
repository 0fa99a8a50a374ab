// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Natural vibrations: against closed forms and finite elements, laws of scaling, free and unstable
// bodies, every kind of frame.
#include "kinematics/rigid.h"
#include "math/cholesky.h"
#include "math/eigen.h"
#include "math/lanczos.h"
#include "math/vec.h"
#include "world/body.h"
#include "solve/pencil.h"
#include "test_tools.h"

#include <string.h>

typedef struct {
    int kind, frames;
    const char *weights, *law;
    swReal length, side, young, poisson, density;
    bool held, voxels; // integrates over voxels
} Bar;

static const Bar slender = {.kind = SW_NODE_AFFINE,
                            .frames = 9,
                            .weights = "smooth",
                            .law = "stvk",
                            .length = 1,
                            .side = 0.1,
                            .young = 2e5,
                            .density = 1000};

// Along x from 0, clamped there or free.
static swScene *bar_scene(const Bar *bar) {
    static swVec3 at[16];
    swScene *s = sw_scene_create(NULL);
    s->gravity = sw_v3(0, 0, 0);
    swMaterial *m = sw_scene_add_material(s, "rubber");
    m->law = bar->law;
    m->young = bar->young;
    m->poisson = bar->poisson;
    m->density = bar->density;
    swBody *b = sw_scene_add_body(s, "bar");
    swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
    box->size = sw_v3(bar->length, bar->side, bar->side);
    box->center = sw_v3(0.5 * bar->length, 0, 0);
    b->resolution = 40;
    set_kind(&b->frames, bar->kind);
    b->frames.weights.kind = bar->weights;
    b->frames.count = 0;
    b->frames.nat = bar->frames;
    b->frames.at = at;
    for (int i = 0; i < bar->frames; i++)
        at[i] = sw_v3(bar->length * (bar->held ? (i + 1.0) / bar->frames : i / (bar->frames - 1.0)),
                      0, 0);
    b->integration.points = 300;
    b->integration.degree = 4;
    b->integration.every_voxel = bar->voxels;
    if (bar->held) {
        swHandle *wall = sw_body_add_handle(s, b, "wall", SW_SHAPE_BOX);
        wall->region->size = sw_v3(0, 2 * bar->side, 2 * bar->side);
    }
    return s;
}

typedef struct {
    swModel *model;
    swState *state;
    swModes *modes;
} Found;

static Found find_in(swScene *scene, swReal load, int count) {
    swError error = {0};
    Found f = {.model = compile_scene(scene)};
    f.state = make_state(f.model);
    sw_scene_destroy(scene);
    if (load > 0)
        solve_or_fail(f.model, f.state);
    f.modes = sw_solve_modal(f.model, f.state, load, count, &error);
    require(f.modes != NULL, &error);
    return f;
}

static Found find(const Bar *bar, int count) { return find_in(bar_scene(bar), 0, count); }

static void done(Found *f) {
    sw_modes_destroy(f->modes);
    sw_state_destroy(f->state);
    sw_model_destroy(f->model);
}

// ---- the bar ----

// Timoshenko's correction of Euler's beam, of first order in the square of thickness over length:
// rotary inertia and shear (5/6 of the area; G = E/2), for the wave number k.
static swReal bending(swReal kL, const Bar *b) {
    const swReal k = kL / b->length, r2 = b->side * b->side / 12,
                 euler = k * k * sqrt(b->young / b->density * r2) / (2 * SW_PI);
    return euler / sqrt(1 + k * k * r2 * (1 + 2 * 6.0 / 5));
}

// The nearest frequency to f.
static swReal nearest(const swModes *modes, swReal f) {
    swReal best = INFINITY;
    for (int i = 0; i < modes->count; i++)
        if (fabs(modes->frequency[i] - f) < fabs(best - f))
            best = modes->frequency[i];
    return best;
}

static void bars_vibrate_as_beams_do(void **state) {
    (void)state;
    static const char *const weights[] = {"smooth", "spline"};
    for (int w = 0; w < SW_COUNT(weights); w++)
        for (int held = 0; held < 2; held++) {
            Bar bar = slender;
            bar.weights = weights[w];
            bar.held = held;
            Found f = find(&bar, 10);
            const swReal *got = f.modes->frequency;
            const swReal axial = sqrt(bar.young / bar.density) / (held ? 4 : 2);
            // Frames do not warp: the torsion constant is the polar moment of area.
            const swReal twist = axial * sqrt(0.5);
            assert_int_equal(f.modes->count, 10);
            assert_int_equal(f.modes->rigid, held ? 0 : 6);
            assert_int_equal(f.modes->unstable, 0);
            // Two planes.
            assert_near(got[0], bending(held ? 1.87510 : 4.73004, &bar), 0.02 * got[0]);
            assert_near(got[1], got[0], 1e-3 * got[0]);
            assert_near(got[2], bending(held ? 4.69409 : 7.85320, &bar), 0.03 * got[2]);
            assert_near(got[3], got[2], 0.01 * got[2]);
            assert_near(nearest(f.modes, axial), axial, 0.01 * axial);
            assert_near(nearest(f.modes, twist), twist, 1e-3 * twist);
            done(&f);
        }
}

// Against finite elements at nu = 0.3, where few frames are too stiff in bending: above, and not by
// much more than the section that cannot widen.
static void bars_bodies_compare_with_finite_elements(void **state) {
    (void)state;
    static const swReal clamped[] = {0.227678791, 1.36538299}, axial = 3.54542983,
                        twist = 2.01698184; // cubic hexahedra, 79 059 unknowns, dolfinx
    Bar bar = slender;
    bar.poisson = 0.3;
    bar.held = true;
    Found f = find(&bar, 10);
    const swReal lock = sqrt((1 - 0.3) / ((1 + 0.3) * (1 - 0.6))); // of plane sections
    for (int i = 0; i < 2; i++) {
        assert_true(f.modes->frequency[2 * i] > 0.98 * clamped[i]);
        assert_true(f.modes->frequency[2 * i] < 1.03 * lock * clamped[i]);
    }
    assert_near(nearest(f.modes, axial), axial, 0.03 * axial);
    assert_near(nearest(f.modes, twist), twist, 0.12 * twist);
    done(&f);
}

static void frequencies_scale(void **state) {
    (void)state;
    Bar bar = slender;
    bar.weights = "hat";
    bar.voxels = true;
    bar.held = true;
    bar.frames = 4;
    bar.poisson = 0.3;
    Found f = find(&bar, 6);
    static const struct {
        swReal size, young, density;
    } change[] = {{3, 1, 1}, {1, 7, 1}, {1, 1, 5}, {1e-3, 1e6, 8}};
    for (int i = 0; i < SW_COUNT(change); i++) {
        Bar other = bar;
        other.length *= change[i].size;
        other.side *= change[i].size;
        other.young *= change[i].young;
        other.density *= change[i].density;
        const swReal factor = sqrt(change[i].young / change[i].density) / change[i].size;
        Found g = find(&other, 6);
        assert_int_equal(g.modes->count, 6);
        for (int k = 0; k < 6; k++)
            assert_near(g.modes->frequency[k],
                        factor * f.modes->frequency[k],         // rounding cuts cells
                        1e-5 * factor * f.modes->frequency[k]); // a voxel aside
        done(&g);
    }
    done(&f);
}

// ---- every kind of frame ----

static void free_bodies_have_six_rigid_motions(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++)
        for (int w = 0; w < 3; w++) {
            Bar bar = slender;
            bar.kind = kind;
            bar.frames = 4;
            bar.poisson = 0.3;
            bar.weights = w == 0 ? "smooth" : w == 1 ? "shepard" : "voronoi";
            for (int count = 5; count <= 500; count += 495) { // a few, and all there are
                Found f = find(&bar, count);
                const int dof = sw_model_info(f.model).dof;
                if (f.modes->rigid != 6 || f.modes->unstable != 0 ||
                    f.modes->count != sw_min_int(count, dof - 6))
                    fail_msg("node kind %d, %s: %d rigid, %d unstable, %d of %d", kind, bar.weights,
                             f.modes->rigid, f.modes->unstable, f.modes->count, dof);
                done(&f);
            }
        }
}

// Turned, pulled along by a spin that is over: K is that of the state.
static void they_are_the_same_in_a_turned_state(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) {
        Bar bar = slender;
        bar.kind = kind;
        bar.frames = 3;
        swError error = {0};
        Found f = find(&bar, 8);
        swScene *s = bar_scene(&bar);
        s->bodies->place.axis = sw_v3(1, 2, 3);
        s->bodies->place.angle = 2;
        s->bodies->place.translate = sw_v3(5, 6, 7);
        Found g = find_in(s, 0, 8);
        for (int i = 0; i < 8; i++)
            assert_near(g.modes->frequency[i], f.modes->frequency[i], 1e-7 * f.modes->frequency[i]);
        // In no balance, but not by much: still six.
        sw_modes_pose(f.modes, 0, 1e-3, f.state);
        swModes *bent = sw_solve_modal(f.model, f.state, 0, 8, &error);
        require(bent != NULL, &error);
        assert_int_equal(bent->rigid, 6);
        assert_near(bent->frequency[2], f.modes->frequency[2], 1e-2 * f.modes->frequency[2]);
        sw_modes_destroy(bent);
        done(&g);
        done(&f);
    }
}

// x_i^T M x_j and x_i^T K x_j, from energies of small motions alone.
static void shapes_are_orthogonal(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) {
        Bar bar = slender;
        bar.kind = kind;
        bar.frames = 3;
        bar.held = true;
        Found f = find(&bar, 6);
        swBodyState *body = only_state(f.state);
        const int64_t nq = f.model->size.nq;
        const swReal small = 1e-5;
        swReal q[6][400], zero[400];
        assert_true(nq <= 400);
        sw_modes_pose(f.modes, 0, 0, f.state);
        memcpy(zero, body->q, (size_t)nq * sizeof *zero);
        for (int i = 0; i < 6; i++) {
            sw_modes_pose(f.modes, i, small, f.state);
            const swReal w = 2 * SW_PI * f.modes->frequency[i];
            assert_near(sw_state_energy(f.state).elastic / (0.5 * w * w * small * small), 1, 2e-3);
            memcpy(q[i], body->q, (size_t)nq * sizeof *zero);
        }
        for (int i = 0; i < 6 && kind != TEST_DUAL; i++) // their mass is not linear in q
            for (int j = 0; j <= i; j++) {
                swReal sum[2];
                for (int sign = 0; sign < 2; sign++) {
                    for (int64_t k = 0; k < nq; k++)
                        body->v[k] =
                            (q[i][k] - zero[k] + (sign ? -1 : 1) * (q[j][k] - zero[k])) / small;
                    sum[sign] = sw_state_energy(f.state).kinetic;
                }
                assert_near((sum[0] - sum[1]) / 2, i == j, 1e-4); // x_i^T M x_j
            }
        done(&f);
    }
}

// ---- states ----

// Pulled at both ends: faster, the more so the more it is pulled. A string of tension T has w^2 =
// k^2 T / (rho A) beside what bending gives.
static void tension_raises_frequencies(void **state) {
    (void)state;
    swReal last = 0;
    for (int pull = 0; pull < 4; pull++) {
        Bar bar = slender;
        bar.held = true;
        bar.frames = 8;
        bar.side = 0.05;
        swScene *s = bar_scene(&bar);
        swHandle *end = sw_body_add_handle(s, s->bodies, "end", SW_SHAPE_BOX);
        end->region->center = sw_v3(1, 0, 0);
        end->region->size = sw_v3(0, 1, 1);
        s->bodies->frames.nat = 7;
        sw_handle_add_key(s, end, 0);
        sw_handle_add_key(s, end, 1)->pose.translate = sw_v3(0.05 * pull, 0, 0);
        Found f = find_in(s, 1, 2);
        swVec3 force, torque;
        sw_handle_wrench(f.state, 1, &force, &torque);
        const swReal w2 = pow(2 * SW_PI * f.modes->frequency[0], 2),
                     mass = sw_model_info(f.model).mass, length = 1 + 0.05 * pull,
                     string = SW_PI * SW_PI * force.x / (mass * length);
        assert_true(w2 > last);
        if (pull == 0) { // clamped at both ends
            const swReal beam = 2 * SW_PI * bending(4.73004, &bar);
            assert_near(sqrt(w2), beam, 0.02 * beam);
        } else // bending adds most at the ends
            assert_true(w2 > string && w2 < last + 1.6 * string);
        last = pull == 0 ? w2 : last;
        done(&f);
    }
}

// Pressed beyond its buckling load, held straight by symmetry.
static void unstable_states_are_told(void **state) {
    (void)state;
    Bar bar = slender;
    bar.held = true;
    bar.frames = 8;
    bar.side = 0.05;
    swScene *s = bar_scene(&bar);
    swHandle *end = sw_body_add_handle(s, s->bodies, "end", SW_SHAPE_BOX);
    end->region->center = sw_v3(1, 0, 0);
    end->region->size = sw_v3(0, 1, 1);
    s->bodies->frames.nat = 7;
    s->bodies->integration.every_voxel = true;
    Found f = find_in(s, 0, 4);
    swError error = {0};
    assert_int_equal(f.modes->unstable, 0);
    sw_modes_destroy(f.modes);
    // All frames along x: the straight bar shortened by 3 %, pi^2 4 I / A L^2 = 0.8 % is critical.
    const swBodyModel *body = only_body(f.model);
    for (int64_t i = 0; i < body->size.nnode; i++) {
        swReal *A = only_state(f.state)->q + body->node[i].q;
        A[0] *= 0.97;
        A[1] *= 0.97;
    }
    f.modes = sw_solve_modal(f.model, f.state, 0, 4, &error);
    require(f.modes != NULL, &error);
    assert_true(f.modes->unstable >= 2 && f.modes->unstable % 2 == 0); // in both planes
    for (int i = 0; i < f.modes->count; i++)
        assert_true(f.modes->frequency[i] > 0);
    done(&f);
}

// Vibrations do not feel friction.
static void what_lies_on_a_floor_can_still_slide(void **state) {
    (void)state;
    swScene *s = sw_scene_create(NULL);
    sw_scene_add_material(s, "rubber");
    swBody *b = sw_scene_add_body(s, "block");
    sw_body_add_shape(s, b, SW_SHAPE_BOX)->size = sw_v3(1, 0.5, 1);
    b->resolution = 8;
    b->frames.count = 2;
    b->damping_mass = 10;
    sw_scene_add_collider(s, SW_SHAPE_HALFSPACE)->shape->offset = -0.25;
    swError error = {0};
    Found f = find_in(s, 0, 4);
    sw_modes_destroy(f.modes);
    step_or_fail(f.model, f.state, 300);
    f.modes = sw_solve_modal(f.model, f.state, 1, 4, &error);
    require(f.modes != NULL, &error);
    assert_int_equal(f.modes->rigid, 3); // two ways to slide, and turning about the vertical
    assert_int_equal(f.modes->unstable, 0);
    assert_int_equal(f.modes->count, 4);
    done(&f);
}

static void bodies_vibrate_one_by_one(void **state) {
    (void)state;
    Bar bar = slender;
    bar.held = true;
    bar.frames = 4;
    swScene *s = bar_scene(&bar);
    swBody *b = sw_scene_add_body(s, "free");
    sw_body_add_shape(s, b, SW_SHAPE_BOX)->size = sw_v3(0.3, 0.1, 0.1);
    b->resolution = 10;
    b->frames.count = 2;
    swBody *c = sw_scene_add_body(s, "held");
    sw_body_add_shape(s, c, SW_SHAPE_BOX)->size = sw_v3(0.3, 0.1, 0.1);
    c->resolution = 10;
    c->frames.count = 0;
    sw_body_add_handle(s, c, "all", SW_SHAPE_BOX)->region->size = sw_v3(9, 9, 9);
    Found f = find_in(s, 0, 3);
    Found alone = find(&bar, 3);
    assert_int_equal(f.modes->count, 6);
    assert_int_equal(f.modes->rigid, 6);
    int of_bar = 0;
    for (int i = 0; i < 6; i++) {
        assert_true(i == 0 || f.modes->frequency[i] >= f.modes->frequency[i - 1]);
        assert_in_range(f.modes->body[i], 0, 1);
        if (f.modes->body[i] == 0)
            assert_near(f.modes->frequency[i], alone.modes->frequency[of_bar++],
                        1e-9 * f.modes->frequency[i]);
    }
    assert_int_equal(of_bar, 3);
    done(&alone);
    done(&f);
}

// ---- the eigenproblem itself ----

// One block.
static void make_dense(swPencil *p, int n, swArena *arena) {
    int *row = SW_NEW(arena, 2, int, NULL), *column = SW_NEW(arena, 1, int, NULL);
    row[1] = 1;
    assert_true(sw_pencil_create(p, (swPattern){1, row, column}, &n, arena, NULL));
}

// A row of blocks for each number, coupled to the one before.
static void make_chain(swPencil *p, int n, swArena *arena) {
    int *row = SW_NEW(arena, n + 1, int, NULL), *column = SW_NEW(arena, 2 * n, int, NULL),
        *size = SW_NEW(arena, n, int, NULL), count = 0;
    for (int i = 0; i < n; i++) {
        size[i] = 1;
        for (int j = sw_max_int(i - 1, 0); j <= i; j++)
            column[count++] = j;
        row[i + 1] = count;
    }
    assert_true(sw_pencil_create(p, (swPattern){n, row, column}, size, arena, NULL));
}

static void put(const swBlocks *A, int i, int j, swReal x) {
    if (A->pattern.n == 1)
        A->value[i * sw_blocks_rows(A) + j] = x;
    else
        *sw_blocks_get(A, i, j).data = x;
}

// Masses on springs; one without mass between two, one loose, one that is neither held nor has
// mass.
static void motions_without_mass_follow(void **state) {
    (void)state;
    swArena arena;
    const swAllocator allocator = sw_default_config().allocator;
    sw_arena_init(&arena, &allocator);
    swError error = {0};
    swPencil p;
    swSpectrum out;
    const swReal length[5] = {1, 1, 1, 1, 1};
    make_dense(&p, 5, &arena);
    p.length = length;
    put(&p.K, 0, 0, 6); // 0 -6- 1 -3- wall: two for 0, as 1 has no mass
    put(&p.K, 1, 0, -6);
    put(&p.K, 1, 1, 9);
    put(&p.M, 0, 0, 0.5);
    put(&p.M, 2, 2, 1);
    put(&p.K, 4, 4, -1); // falls
    put(&p.M, 4, 4, 2);
    require(sw_pencil_solve(&p, 5, &arena, &out, &error), &error);
    assert_int_equal(out.count, 1);
    assert_int_equal(out.rigid, 1);
    assert_int_equal(out.unstable, 1);
    assert_near(out.lambda[0], 4, 1e-9);
    assert_near(out.shape[1] / out.shape[0], 2.0 / 3, 1e-9);
    put(&p.K, 3, 3, -1); // gives way at once
    assert_false(sw_pencil_solve(&p, 5, &arena, &out, &error));
    assert_int_equal(error.code, SW_ERROR_NOT_CONVERGED);
    sw_arena_free(&arena);
}

// Row i of a chain of equal masses and springs, with so many springs to its mass.
static void put_link(const swPencil *p, int i, int springs, bool coupled) {
    put(&p->K, i, i, springs);
    put(&p->M, i, i, 1);
    if (coupled)
        put(&p->K, i, i - 1, -1);
}

// A chain of equal masses and springs, held at its ends: w = 2 sin(k pi / (2 n + 2)).
static void long_chains_have_known_frequencies(void **state) {
    (void)state;
    enum { N = 400, COUNT = 10 };
    swArena arena;
    const swAllocator allocator = sw_default_config().allocator;
    sw_arena_init(&arena, &allocator);
    swError error = {0};
    swPencil p;
    swSpectrum out;
    swReal length[N];
    make_dense(&p, N, &arena);
    p.length = length;
    for (int i = 0; i < N; i++) {
        length[i] = 1;
        put_link(&p, i, 2, i > 0);
    }
    require(sw_pencil_solve(&p, COUNT, &arena, &out, &error), &error);
    assert_int_equal(out.count, COUNT);
    assert_int_equal(out.rigid, 0);
    for (int k = 0; k < COUNT; k++)
        assert_near(sqrt(out.lambda[k]) / (2 * sin((k + 1) * SW_PI / (2 * N + 2))), 1, 1e-8);
    sw_arena_free(&arena);
}

// Equal chains that nothing holds: each has a rigid motion, and w = 2 sin(k pi / (2 n)). So every
// value is there more often than Lanczos' method has vectors at a time.
static void large_pencils_miss_no_equal_frequencies(void **state) {
    (void)state;
    enum { LINKS = 120, CHAINS = 10, N = CHAINS * LINKS, COUNT = 15 };
    swArena arena;
    const swAllocator allocator = sw_default_config().allocator;
    sw_arena_init(&arena, &allocator);
    swError error = {0};
    swPencil p;
    swSpectrum out;
    swReal length[N];
    make_chain(&p, N, &arena);
    p.length = length;
    for (int i = 0; i < N; i++) {
        const int at = i % LINKS;
        length[i] = 1;
        put_link(&p, i, at == 0 || at == LINKS - 1 ? 1 : 2, at > 0);
    }
    require(sw_pencil_solve(&p, COUNT, &arena, &out, &error), &error);
    assert_int_equal(out.count, COUNT);
    assert_int_equal(out.rigid, CHAINS);
    assert_int_equal(out.unstable, 0);
    for (int i = 0; i < COUNT; i++)
        assert_near(sqrt(out.lambda[i]) / (2 * sin((i / CHAINS + 1) * SW_PI / (2 * LINKS))), 1,
                    1e-8);
    sw_arena_free(&arena);
}

typedef struct {
    int n, stride;
    swReal *L, *m;
} Dense;

static void dense_mass(const void *data, const swReal *x, swReal *y) {
    const Dense *d = data;
    for (int i = 0; i < d->n; i++)
        y[i] = d->m[i] * x[i];
}

static void dense_solve(const void *data, swReal *x) {
    const Dense *d = data;
    sw_cholesky_solve(d->n, d->L, d->stride, x);
}

// The values of S^-1 M are those of M^1/2 S^-1 M^1/2.
static void lanczos_finds_what_dense_matrices_have(void **state) {
    (void)state;
    enum { N = 150, COUNT = 12 };
    swArena arena;
    const swAllocator allocator = sw_default_config().allocator;
    sw_arena_init(&arena, &allocator);
    Dense d = {.n = N, .stride = sw_cholesky_stride(N)};
    d.L = SW_NEW(&arena, N * d.stride, swReal, NULL);
    d.m = SW_NEW(&arena, N, swReal, NULL);
    swReal *C = SW_NEW(&arena, N * N, swReal, NULL), *V = SW_NEW(&arena, N * N, swReal, NULL),
           value[N], work[2 * N], column[N];
    for (int i = 0; i < N; i++) {
        d.m[i] = i % 10 == 9 ? 0 : 1 + 0.5 * sin(i); // some have none
        for (int j = 0; j <= i; j++)
            d.L[i * d.stride + j] = i == j ? 2 + 1e-3 * i * i : 0.3 * cos(7 * i + j) / (1 + i - j);
    }
    assert_int_equal(sw_cholesky_factor(N, N, d.L, d.stride), N);
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++)
            column[i] = i == j ? sqrt(d.m[j]) : 0;
        dense_solve(&d, column);
        for (int i = 0; i < N; i++)
            C[i * N + j] = sqrt(d.m[i]) * column[i];
    }
    assert_true(sw_eigen_symmetric(N, C, value, V, work));
    swLanczosResult found;
    const swSpectralMap map = {N, dense_mass, dense_solve, &d, NULL};
    assert_true(sw_lanczos(&map, COUNT, &arena, &found, NULL));
    assert_true(found.converged);
    assert_int_equal(found.count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_near(found.value[i] / value[N - 1 - i], 1, 1e-12);
        dense_mass(&d, found.vector + i * N, column);
        for (int j = 0; j < COUNT; j++)
            assert_near(sw_dot_n(N, found.vector + j * N, column), i == j, 1e-12);
    }
    sw_arena_free(&arena);
}

static void spread_mass(const void *data, const swReal *x, swReal *y) {
    memcpy(y, x, (size_t) * (const int *)data * sizeof *y);
}

static void spread_solve(const void *data, swReal *x) {
    const int n = *(const int *)data;
    for (int i = 0; i < n; i++)
        x[i] *= 1 + 1e-3 * i;
}

// The space that a few wide apart would need is too small for many near one another.
static void lanczos_takes_room_for_close_values(void **state) {
    (void)state;
    enum { COUNT = 3 };
    const int n = 400;
    swArena arena;
    const swAllocator allocator = sw_default_config().allocator;
    sw_arena_init(&arena, &allocator);
    swLanczosResult found;
    const swSpectralMap map = {n, spread_mass, spread_solve, &n, NULL};
    assert_true(sw_lanczos(&map, COUNT, &arena, &found, NULL));
    assert_true(found.converged);
    for (int i = 0; i < COUNT; i++)
        assert_near(found.value[i], 1 + 1e-3 * (n - 1 - i), 1e-12);
    sw_arena_free(&arena);
}

// Thousands of unknowns: bending twice, each near that of a beam whose shear and rotary inertia
// lower it by a few per cent.
static void free_tetrahedra_have_six_rigid_motions(void **state) {
    (void)state;
    swError error = {0};
    swScene *s = bar_scene(&slender);
    swBody *b = s->bodies;
    b->resolution = 20; // two cells across
    sw_body_add_tets(s, b)->order = SW_TETS_QUADRATIC;
    swModel *m = compile_scene(s);
    swState *now = sw_state_create(m, &error);
    swModes *modes = sw_solve_modal(m, now, 1, 4, &error);
    require(modes != NULL, &error);
    assert_true(only_body(m)->size.ndof > 3000);
    assert_int_equal(modes->count, 4);
    assert_int_equal(modes->rigid, 6);
    assert_int_equal(modes->unstable, 0);
    const swReal beam = 4.730041 * 4.730041 / (2 * SW_PI) * slender.side *
                        sqrt(slender.young / (12 * slender.density));
    assert_near(modes->frequency[0] / beam, 0.98, 0.02);
    assert_near(modes->frequency[1] / modes->frequency[0], 1, 0.01);
    assert_true(modes->frequency[2] > 2 * modes->frequency[1]);
    sw_modes_destroy(modes);
    sw_state_destroy(now);
    sw_model_destroy(m);
    sw_scene_destroy(s);
}

// ---- failures ----

static void no_memory_is_no_crash(void **state) {
    (void)state;
    Counter counter = {0};
    swConfig config = counting_config(&counter);
    swError error = {0};
    Bar bar = slender;
    bar.frames = 2;
    swScene *s = bar_scene(&bar);
    s->bodies->resolution = 10;
    swModel *whole = compile_scene(s);
    const char *path = temporary_path("modal_model");
    require(sw_model_save(whole, path, &error), &error);
    swModel *m = sw_model_load(path, &config, &error);
    require(m != NULL, &error);
    remove(path);
    swState *st = sw_state_create(m, &error);
    const int64_t held = counter.held;
    swModes *modes = NULL;
    for (int k = 1; !modes; k++) {
        assert_true(k < 200);
        counter.calls = 0;
        counter.fail_at = k;
        modes = sw_solve_modal(m, st, 0, 3, &error);
        counter.fail_at = 0;
        if (!modes) {
            assert_int_equal(error.code, SW_ERROR_MEMORY);
            assert_int_equal(counter.held, held);
        }
    }
    sw_modes_destroy(modes);
    sw_modes_destroy(NULL);
    assert_int_equal(counter.held, held);
    sw_state_destroy(st);
    sw_model_destroy(m);
    sw_model_destroy(whole);
    sw_scene_destroy(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bars_vibrate_as_beams_do),
    cmocka_unit_test(bars_bodies_compare_with_finite_elements),
    cmocka_unit_test(frequencies_scale),
    cmocka_unit_test(free_bodies_have_six_rigid_motions),
    cmocka_unit_test(they_are_the_same_in_a_turned_state),
    cmocka_unit_test(shapes_are_orthogonal),
    cmocka_unit_test(tension_raises_frequencies),
    cmocka_unit_test(unstable_states_are_told),
    cmocka_unit_test(what_lies_on_a_floor_can_still_slide),
    cmocka_unit_test(bodies_vibrate_one_by_one),
    cmocka_unit_test(motions_without_mass_follow),
    cmocka_unit_test(long_chains_have_known_frequencies),
    cmocka_unit_test(large_pencils_miss_no_equal_frequencies),
    cmocka_unit_test(lanczos_finds_what_dense_matrices_have),
    cmocka_unit_test(lanczos_takes_room_for_close_values),
    cmocka_unit_test(free_tetrahedra_have_six_rigid_motions),
    cmocka_unit_test(no_memory_is_no_crash),
};

SW_SUITE(modal, tests)
