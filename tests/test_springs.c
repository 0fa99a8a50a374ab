// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies of masses and springs: derivatives, calibration, momentum, pressure.
#include "test_files.h"
#include "test_scene.h"

#include "potentials/inflate.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"
#include "math/cholesky.h"
#include "solve/work.h"

#define BOX(nu, body) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'materials': {'m': {'law': 'corotated', 'young': 1e4, " \
    "'poisson': " nu ", 'density': 1000}}, 'time': {'step': 0.01}, 'bodies': [{'shape': {'box': " \
    "{'size': [0.3, 0.2, 0.2]}}, 'voxel': 0.1" body "}]}"
#define BALL(body) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'materials': {'m': {'law': 'corotated', 'young': 1e5, " \
    "'poisson': 0.3333, 'density': 1000}}, 'time': {'step': 0.01}, 'bodies': [{'shape': " \
    "{'sphere': {'radius': 0.1}}, 'voxel': 0.05" body "}]}"
#define HANDLES \
    ", 'handles': [{'region': {'halfspace': {'normal': [1, 0, 0], 'offset': -0.09}}, 'motion': " \
    "'free'}, {'region': {'halfspace': {'normal': [-1, 0, 0], 'offset': -0.09}}}]"

typedef struct {
    swModel *model;
    swState *state;
    const swBodyModel *body;
    swBodyState *now;
    swObjective objective;
    swReal *q, *last, *before, *trial, *step, *gradient;
} Net;

static swReal *numbers(int64_t n) { return calloc((size_t)(n > 0 ? n : 1), sizeof(swReal)); }

static Net make_net(const char *json) {
    Net t = {.model = compile_text(json, NULL)};
    swError error = {0};
    t.state = sw_state_create(t.model, &error);
    require(t.state != NULL, &error);
    t.body = only_body(t.model);
    t.now = only_state(t.state);
    const int64_t nq = t.body->size.nq;
    t.q = numbers(nq);
    t.last = numbers(nq);
    t.before = numbers(nq);
    t.trial = numbers(nq);
    t.step = numbers(t.body->size.ndof);
    t.gradient = numbers(t.body->size.ndof);
    memcpy(t.q, t.now->q, (size_t)nq * sizeof *t.q);
    t.objective = (swObjective){.h = 0.01, .load = 1, .tolerance = 1e-6};
    return t;
}

static void drop_net(Net *t) {
    free(t->q);
    free(t->last);
    free(t->before);
    free(t->trial);
    free(t->step);
    free(t->gradient);
    sw_state_destroy(t->state);
    sw_model_destroy(t->model);
}

// Every unknown moves at random; rigid nodes stay rigid.
static void scramble(Net *t, uint64_t seed, swReal size, swReal *q) {
    const swBodyModel *m = t->body;
    Random r = {seed};
    for (int64_t i = 0; i < m->size.ndof; i++)
        t->step[i] = random_in(&r, -size, size);
    memcpy(q, m->q0, (size_t)m->size.nq * sizeof *q);
    sw_nodes_move(m, t->step, 1, q);
}

static swReal evaluate(Net *t, const swReal *q, bool hessian, swProjection projection) {
    swWork *w = t->now->work;
    const swValue v =
        sw_objective_evaluate(t->body, t->now, &t->objective, q, true, hessian, projection);
    sw_nodes_fold_gradient(t->body, q, w->g, t->gradient);
    if (hessian && w->folded)
        sw_nodes_fold_hessian(t->body, q, w->g, &w->H, &w->A);
    return v.energy;
}

// The matrix, with what a gas adds to it.
static void unpack(Net *t, const swReal *q, swReal *H) {
    swWork *w = t->now->work;
    const int n = (int)t->body->size.ndof;
    sw_blocks_unpack(&w->A, H, n);
    if (!w->inflate.gas)
        return;
    swReal *slope = numbers(n);
    sw_nodes_release(t->body, w->inflate.slope);
    sw_nodes_fold_gradient(t->body, q, w->inflate.slope, slope);
    for (int i = 0; i < n * n; i++)
        H[i] += w->inflate.stiffness[0] * slope[i / n] * slope[i % n];
    free(slope);
}

static void check_derivatives(Net *t, const char *what) {
    const swBodyModel *m = t->body;
    const int n = (int)m->size.ndof;
    const swReal d = 1e-6;
    swReal *g = numbers(n), *H = numbers((int64_t)n * n), *up = numbers(n), force = 0, most = 0;
    evaluate(t, t->q, true, SW_PROJECT_NONE);
    unpack(t, t->q, H);
    for (int i = 0; i < n; i++)
        force = fmax(force, fabs(g[i] = t->gradient[i]));
    for (int i = 0; i < n * n; i++)
        most = fmax(most, fabs(H[i]));
    for (int i = 0; i < n; i++) {
        swReal energy[2];
        for (int side = 0; side < 2; side++) {
            memset(t->step, 0, (size_t)n * sizeof *t->step);
            t->step[i] = 1;
            memcpy(t->trial, t->q, (size_t)m->size.nq * sizeof *t->q);
            sw_nodes_move(m, t->step, side ? -d : d, t->trial);
            energy[side] = evaluate(t, t->trial, false, SW_PROJECT_NONE);
            if (side == 0)
                memcpy(up, t->gradient, (size_t)n * sizeof *up);
        }
        const swReal slope = (energy[0] - energy[1]) / (2 * d);
        if (fabs(slope - g[i]) > 1e-6 * force)
            fail_msg("%s: slope %d is %.10g instead of %.10g", what, i, g[i], slope);
        for (int j = 0; j < n; j++) {
            const swReal fd = (up[j] - t->gradient[j]) / (2 * d);
            // of rigid handles the difference of gradients is one of moving axes as well
            if (fabs(fd - H[j * n + i]) > 2e-6 * most && !t->now->work->folded)
                fail_msg("%s: entry (%d, %d) is %.10g instead of %.10g", what, j, i, H[j * n + i],
                         fd);
        }
    }
    free(g);
    free(H);
    free(up);
}

static const char *const nets[] = {
    BOX("0.25", ", 'springs': {'bend': 0.5}"),
    BOX("0.45", ", 'springs': {}, 'damping': {'stiffness': 0.02}"),
    BOX("0.1", ", 'springs': {}, 'damping': {'stiffness': 0.02}"),
    BOX("0.3", ", 'springs': {'volume': false}, 'damping': {'stiffness': 0.02, 'mass': 1}"),
    BOX("0.3", ", 'springs': {}" HANDLES),
    BOX("0.3", ", 'springs': {'over': 'tets'}, 'damping': {'stiffness': 0.02}"),
    BALL(", 'springs': {'over': 'surface', 'thickness': 0.01, 'pressure': 500, 'bend': 0.3}"),
    BALL(", 'springs': {'over': 'surface', 'thickness': 0.01, 'pressure': 500, 'gas': true}"),
};

static void derivatives_are_exact(void **state) {
    (void)state;
    for (int i = 0; i < SW_COUNT(nets); i++)
        for (int damped = 0; damped < 3; damped++) {
            Net t = make_net(nets[i]);
            scramble(&t, 1, 0.02, t.q);
            scramble(&t, 2, 0.02, t.last);
            scramble(&t, 3, 0.02, t.before);
            t.objective.q_last = damped > 0 ? t.last : NULL;
            t.objective.q_before = damped > 1 ? t.before : NULL;
            check_derivatives(&t, nets[i]);
            drop_net(&t);
        }
}

// The tangent that is asked to be so is positive semi-definite, however scrambled the net is.
static void projected_stiffness_is_semidefinite(void **state) {
    (void)state;
    for (int i = 0; i < SW_COUNT(nets); i++)
        for (int way = 0; way < 2; way++) {
            Net t = make_net(nets[i]);
            const int n = (int)t.body->size.ndof;
            if (t.now->work->folded) { // rigid handles add a term of their own
                drop_net(&t);
                continue;
            }
            swReal *H = numbers((int64_t)n * n), largest = 0;
            scramble(&t, 5, 0.1, t.q);
            if (t.now->work->inflate.gas) // which must not be turned inside out
                scramble(&t, 5, 0.04, t.q);
            evaluate(&t, t.q, true, way ? SW_PROJECT_ABSOLUTE : SW_PROJECT_CLAMP);
            unpack(&t, t.q, H);
            for (int k = 0; k < n * n; k++)
                largest = fmax(largest, fabs(H[k]));
            for (int k = 0; k < n; k++)
                H[k * n + k] += 1e-10 * largest;
            assert_int_equal(sw_cholesky_factor(n, n, H, n), n);
            free(H);
            drop_net(&t);
        }
}

static void move_rigidly(const swBodyModel *m, swMat3 R, swVec3 b, swReal *q) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swReal *x = m->q0 + m->node[i].q;
        const swVec3 y = sw_add(sw_mul(R, sw_v3(x[0], x[1], x[2])), b);
        q[m->node[i].q] = y.x;
        q[m->node[i].q + 1] = y.y;
        q[m->node[i].q + 2] = y.z;
    }
}

// No force at rest, nor from rigid motion, and no damping of a rotation by any angle in a step.
static void rigid_motion_costs_nothing(void **state) {
    (void)state;
    Random r = {7};
    for (int i = 0; i < 3; i++) {
        Net t = make_net(nets[i]);
        move_rigidly(t.body, random_rotation(&r), random_vec(&r, 3), t.q);
        move_rigidly(t.body, random_rotation(&r), random_vec(&r, 3), t.last);
        t.objective.q_last = t.last;
        assert_near(evaluate(&t, t.q, false, SW_PROJECT_NONE), 0, 1e-18);
        for (int64_t k = 0; k < t.body->size.ndof; k++)
            assert_near(t.gradient[k], 0, 1e-8);
        drop_net(&t);
    }
}

// A small homogeneous strain of any direction costs what it costs the material, and pulls on no
// vertex inside.
static void lattice_is_isotropic(void **state) {
    (void)state;
    static const struct {
        const char *json;
        swReal nu;
    } cases[] = {{BOX("0", ", 'springs': {}"), 0},
                 {BOX("0.25", ", 'springs': {}"), 0.25},
                 {BOX("0.25", ", 'springs': {'bend': 0.7}"), 0.25},
                 {BOX("0.45", ", 'springs': {}"), 0.45},
                 {BOX("0.45", ", 'springs': {'volume': false}"), 0.25},
                 {BOX("-0.3", ", 'springs': {}"), -0.3}};
    Random r = {11};
    for (int i = 0; i < SW_COUNT(cases); i++)
        for (int turn = 0; turn < 4; turn++) {
            Net t = make_net(cases[i].json);
            const swReal E = 1e4, nu = cases[i].nu, size = 1e-5, mu = E / (2 * (1 + nu)),
                         lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
            const swMat3 A = random_mat(&r, size);
            swMat3 F = sw_mat_identity();
            swReal square = 0, trace = A.m[0] + A.m[4] + A.m[8];
            for (int k = 0; k < 9; k++) {
                const swReal e = 0.5 * (A.m[k] + A.m[k % 3 * 3 + k / 3]);
                F.m[k] += e;
                square += e * e;
            }
            move_rigidly(t.body, F, sw_v3(0, 0, 0), t.q);
            const swReal exact = 0.3 * 0.2 * 0.2 * (mu * square + lambda / 2 * trace * trace);
            assert_near(evaluate(&t, t.q, false, SW_PROJECT_NONE) / exact, 1, 3e-4);
            int inside = 0;
            for (int64_t n = 0; n < t.body->size.nnode; n++) {
                const swVec3 X = t.body->node[n].origin;
                if (fabs(X.x) > 0.14 || fabs(X.y) > 0.09 || fabs(X.z) > 0.09)
                    continue;
                inside++;
                for (int k = 0; k < 3; k++) // of second order
                    assert_near(t.gradient[t.body->node[n].dof + k], 0, 30 * E * 0.1 * size * size);
            }
            assert_int_equal(inside, 2);
            drop_net(&t);
        }
}

#define FREE(body, integrator) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'solver': {'tolerance': 1e-12}, 'materials': {'m': " \
    "{'law': 'corotated', 'young': 1e4, 'poisson': 0.3, 'density': 1000}}, 'time': {'step': " \
    "0.0005, 'integrator': '" integrator "'}, 'bodies': [{'shape': {'box': {'size': [0.3, 0.2, " \
    "0.2]}}, 'voxel': 0.1, 'velocity': [1, 2, 3], 'spin': [3, -2, 5]" body "}]}"

// A vibrating, spinning body keeps its momentum; angular momentum where the integrator does; its
// energy stays, or falls. The table of docs/mass_springs.md is what this prints.
static void momentum_is_kept(void **state) {
    (void)state;
    static const struct {
        const char *name, *json;
        swReal up, down; // of the energy beside that of the centre
        bool turns;      // keeps angular momentum
    } cases[] = {
        {"symplectic-euler", FREE(", 'springs': {}", "symplectic-euler"), 0.02, 0.02, true},
        {"the same, damped",
         FREE(", 'springs': {}, 'damping': {'stiffness': 0.0001}", "symplectic-euler"), 0.01, 1,
         true},
        {"implicit-euler", FREE(", 'springs': {}", "implicit-euler"), 0, 1, false},
        {"the same, damped",
         FREE(", 'springs': {}, 'damping': {'stiffness': 0.0001}", "implicit-euler"), 0, 1, false},
        {"linear-implicit", FREE(", 'springs': {}", "linear-implicit"), 0.01, 1, false},
        {"bdf2", FREE(", 'springs': {}", "bdf2"), 0.01, 1, false},
        {"midpoint", FREE(", 'springs': {}", "midpoint"), 1e-3, 1e-3, true}};
    print_message("| integrator | momentum | angular momentum | energy, largest | at the end |\n");
    for (int i = 0; i < SW_COUNT(cases); i++) {
        Net t = make_net(cases[i].json);
        swVec3 p[2], L[2];
        swReal lost[2] = {0, 0}, most = 0, now = 0;
        Random r = {3};
        for (int64_t k = 0; k < t.body->size.nq; k++)
            t.now->v[k] += random_in(&r, -0.5, 0.5);
        sw_state_momentum(t.state, &p[0], &L[0]);
        const swReal rigid = 0.5 * 12 * 14, start = sw_state_energy(t.state).kinetic;
        for (int step = 0; step < 1000; step++) {
            assert_int_equal(sw_step(t.model, t.state), SW_OK);
            sw_state_momentum(t.state, &p[1], &L[1]);
            lost[0] = fmax(lost[0], sw_norm(sw_sub(p[1], p[0])) / sw_norm(p[0]));
            lost[1] = fmax(lost[1], sw_norm(sw_sub(L[1], L[0])) / sw_norm(L[0]));
            const swEnergy e = sw_state_energy(t.state);
            now = (e.kinetic + e.elastic - start) / (start - rigid);
            most = fmax(most, now);
        }
        print_message("| `%s` | %.0e | %.0e | %+.1e | %+.1e |\n", cases[i].name, lost[0], lost[1],
                      most, now);
        assert_true(lost[0] < 1e-9 && lost[1] < (cases[i].turns ? 1e-9 : 0.1));
        assert_true(most <= cases[i].up && now >= -cases[i].down);
        drop_net(&t);
    }
}

// An icosahedron whose triangles are cut in four, some times, as a file.
enum { CUTS = 3, MOST = 20 << 2 * CUTS };
static void write_ball(const char *path, swReal radius) {
    static const swReal p = 1.6180339887498949;
    static const swVec3 corner[12] = {{-1, p, 0}, {1, p, 0}, {-1, -p, 0}, {1, -p, 0},
                                      {0, -1, p}, {0, 1, p}, {0, -1, -p}, {0, 1, -p},
                                      {p, 0, -1}, {p, 0, 1}, {-p, 0, -1}, {-p, 0, 1}};
    static const int face[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                    {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                    {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                    {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    static swVec3 x[MOST][3];
    int n = 20;
    for (int i = 0; i < 3 * n; i++)
        x[i / 3][i % 3] = corner[face[i / 3][i % 3]];
    for (int cut = 0; cut < CUTS; cut++, n *= 4)
        for (int i = 0; i < n; i++) {
            const swVec3 a = x[i][0], b = x[i][1], c = x[i][2], ab = sw_lerp(a, b, 0.5),
                         bc = sw_lerp(b, c, 0.5), ca = sw_lerp(c, a, 0.5);
            const swVec3 part[4][3] = {{ab, bc, ca}, {a, ab, ca}, {b, bc, ab}, {c, ca, bc}};
            for (int k = 0; k < 4; k++)
                memcpy(x[k == 0 ? i : n + 3 * i + k - 1], part[k], sizeof part[k]);
        }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "OFF\n%d %d 0\n", 3 * n, n);
    for (int i = 0; i < 3 * n; i++) {
        const swVec3 v = sw_scale(radius, sw_unit(x[i / 3][i % 3]));
        fprintf(file, "%.9f %.9f %.9f\n", v.x, v.y, v.z);
    }
    for (int i = 0; i < n; i++)
        fprintf(file, "3 %d %d %d\n", 3 * i, 3 * i + 1, 3 * i + 2);
    fclose(file);
}

// A balloon of radius R and thickness t: the pressure p stretches it by p R (1 - nu) / (2 E t), nu
// = 1/3; a gas loses pressure on the way.
static void balloon_grows_as_it_should(void **state) {
    (void)state;
    char json[2048];
    static const char *const springs[] = {"", ", 'bend': 0.3", ", 'gas': true, 'ambient': 10000"};
    write_ball(path_of("ball.off"), 0.1);
    for (int i = 0; i < SW_COUNT(springs); i++) {
        snprintf(json, sizeof json,
                 "{'sinew': 1, 'gravity': [0, 0, 0], 'analysis': 'static', 'materials': {'m': "
                 "{'law': 'corotated', 'young': 1e6, 'poisson': 0.3333}}, 'bodies': [{'shape': "
                 "{'mesh': {'file': '%s'}}, 'voxel': 0.02, 'springs': {'over': 'surface', "
                 "'thickness': 0.001, 'pressure': 200%s}, 'handles': [{'region': {'sphere': "
                 "{'center': [0, 0.1, 0], 'radius': 0.01}}, 'motion': 'free'}, {'region': "
                 "{'sphere': {'center': [0, -0.1, 0], 'radius': 0.01}}}]}]}",
                 path_of("ball.off"), springs[i]);
        Net t = make_net(json);
        assert_int_equal(sw_solve_static(t.model, t.state), SW_OK);
        const swSpringBody *net = &t.body->spring_body[0];
        assert_near(net->volume, 4 * SW_PI / 3 * 1e-3, 0.02 * net->volume);
        const swReal stretch = cbrt(sw_inflate_volume(t.body, net, t.now->q) / net->volume),
                     p = net->gas ? 10200 / (stretch * stretch * stretch) - 10000 : 200;
        assert_near(3 * 1e6 * 0.001 * (stretch - 1) / (0.1 * p), 1, 0.03);
        assert_true(t.state->report.iterations < 20);
        drop_net(&t);
    }
}

static void threads_change_nothing(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int threads = 0; threads < 2; threads++) {
        swConfig config = sw_default_config();
        config.threads = threads ? 3 : 1;
        swModel *m = compile_text("{'sinew': 1, 'materials': {'m': {'law': 'corotated', 'young': "
                                  "1e4, 'poisson': 0.4}}, 'bodies': [{'shape': {'box': {'size': "
                                  "[1, 0.8, 0.8]}}, 'voxel': 0.1, 'springs': {}, 'handles': "
                                  "[{'region': {'halfspace': {'normal': [1, 0, 0], 'offset': "
                                  "-0.45}}}]}]}",
                                  &config);
        swError error = {0};
        swState *s = sw_state_create(m, &error);
        require(s != NULL, &error);
        for (int i = 0; i < 5; i++)
            assert_int_equal(sw_step(m, s), SW_OK);
        hash[threads] = sw_state_hash(s);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
    assert_true(hash[0] == hash[1]);
}

// Vertices that all lie in one point, in a plane, or mirrored: forces are finite, and what was
// random finds its shape again.
static void crushed_nets_recover(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        Net t = make_net(BOX("0.3", ", 'springs': {}, 'damping': {'stiffness': 0.05, 'mass': 2}"));
        const swMat3 F = way == 0   ? sw_mat_diag(0, 0, 0)
                         : way == 1 ? sw_mat_diag(1, 0, 1)
                                    : sw_mat_diag(-1, 1, 1);
        move_rigidly(t.body, F, sw_v3(0, 0, 0), t.q);
        assert_true(isfinite(evaluate(&t, t.q, true, SW_PROJECT_NONE)));
        for (int64_t i = 0; i < t.body->size.ndof; i++)
            assert_true(isfinite(t.gradient[i]));
        drop_net(&t);
    }
    Net t = make_net(BOX("0.25", ", 'springs': {}, 'damping': {'stiffness': 0.05, 'mass': 2}"));
    scramble(&t, 9, 0.06, t.now->q);
    for (int i = 0; i < 400; i++)
        assert_int_equal(sw_step(t.model, t.state), SW_OK);
    const swEnergy e = sw_state_energy(t.state);
    assert_true(e.elastic < 1e-3 && e.kinetic < 1e-3);
    drop_net(&t);
}

static void what_springs_cannot_do_is_refused(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {BODY(", 'springs': {'over': 'surface'}"), "springs.thickness"},
        {BODY(", 'springs': {'pressure': 10}"), "springs.pressure"},
        {BODY(", 'springs': {'gas': true}"), "springs.gas"},
        {BODY(", 'springs': {'over': 'tets', 'bend': 0.5}"), "springs.bend"},
        {BODY(", 'springs': {'over': 'tets', 'tets': {'order': 'quadratic'}}"), "springs.tets"},
        {BODY(", 'springs': {'shear': 0}"), "springs.shear"},
        {BODY(", 'springs': {'bend': 2}"), "springs.bend"},
        {BODY(", 'springs': {}, 'frames': {}"), "only one of"},
        {BODY(", 'springs': {}, 'shapes': [{'parts': [{'stretch': [2, 1, 1]}]}]"), "rest shapes"},
        {"{'sinew': 1, 'materials': {'m': {'yield': 10}}, 'bodies': [{'shape': {'sphere': "
         "{'radius': 1}}, 'springs': {}}]}",
         "yields"},
        {"{'sinew': 1, 'materials': {'m': {'fibre': {'direction': [1, 0, 0], 'stiffness': 10}}}, "
         "'bodies': [{'shape': {'sphere': {'radius': 1}}, 'springs': {}}]}",
         "fibres"},
        {"{'sinew': 1, 'analysis': 'modal', 'bodies': [{'shape': {'sphere': {'radius': 1}}, "
         "'springs': {'over': 'surface', 'thickness': 0.1, 'gas': true}}]}",
         "springs.gas"},
    };
    for (int i = 0; i < SW_COUNT(cases); i++) {
        swError error = {0};
        swScene *scene = parse_scene(cases[i][0], &error);
        swModel *model = scene ? sw_compile(scene, &error) : NULL;
        if (model || !strstr(error.message, cases[i][1]))
            fail_msg("\"%s\" does not name %s", error.message, cases[i][1]);
        sw_scene_destroy(scene);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(derivatives_are_exact),
    cmocka_unit_test(projected_stiffness_is_semidefinite),
    cmocka_unit_test(rigid_motion_costs_nothing),
    cmocka_unit_test(lattice_is_isotropic),
    cmocka_unit_test(momentum_is_kept),
    cmocka_unit_test(balloon_grows_as_it_should),
    cmocka_unit_test(threads_change_nothing),
    cmocka_unit_test(crushed_nets_recover),
    cmocka_unit_test(what_springs_cannot_do_is_refused),
};
SW_SUITE(springs, tests)
