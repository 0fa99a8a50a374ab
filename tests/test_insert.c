// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Frames inserted into moving bodies and removed again.
#include "output/recording.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"
#include "world/world.h"
#include "test_scene.h"
#include "test_tools.h"

static const char *const kinds[] = {"affine", "rigid", "quadratic"};

// A block on nothing, or held at its left end, with two frames.
typedef struct {
    const char *kind, *integrator, *more, *adapt;
    bool held;
} Block;
static const Block plain = {"affine", "implicit-euler", "", "'budget': 8, 'range': 0.3", false};

static swModel *block_model(const Block *b, const swConfig *config) {
    char text[2048];
    snprintf(text, sizeof text,
             "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.005, 'integrator': '%s'},"
             " 'materials': {'gel': {'young': 2e4, 'poisson': 0.3, 'density': 1000}},"
             " 'bodies': [{'name': 'block', 'shape': {'box': {'size': [1, 0.5, 0.5]}},"
             "  'resolution': 20, 'frames': {'kind': '%s', 'count': 2, 'adapt': {%s}}"
             "  %s %s}],"
             " 'probes': [{'name': 'a', 'point': [0.1, 0.2, 0.1]}]}",
             b->integrator, b->kind, b->adapt,
             b->held ? ", 'handles': [{'name': 'wall', 'region': {'box': {'size': [0.1, 1, 1],"
                       " 'center': [-0.5, 0, 0]}}}]"
                     : "",
             b->more);
    return compile_text(text, config);
}

// Frames have any matrices and rates.
static void shake(swState *world, swReal size, Random *r) {
    swBodyState *s = only_state(world);
    for (int64_t i = 0; i < s->model->size.nnode; i++) {
        const swNode *n = &s->model->node[i];
        for (int k = 0; n->ndof && k < 3 * n->width; k++) {
            s->q[n->q + k] += random_in(r, -size, size) * (k % n->width == 0 ? 0.2 : 1);
            s->v[n->q + k] += random_in(r, -1, 1);
        }
    }
    sw_nodes_make_rigid(s->model, s->q);
    s->energy = NAN;
    sw_body_energy(s);
    sw_amplitudes_keep(s);
}

static int insert_at(swState *s, swVec3 rest, swReal range) {
    swError error = {0};
    swInsertInfo list[SW_INSERTS];
    memcpy(list, only_state(s)->insert, sizeof list);
    for (int i = 0; i < SW_INSERTS; i++)
        if (!list[i].used) {
            list[i] = (swInsertInfo){
                .used = 1, .distance = SW_DISTANCE_GEODESIC, .rest = rest, .range = range};
            require(sw_body_refit(only_state(s), list, &error), &error);
            sw_state_refresh(s);
            return i;
        }
    fail();
    return -1;
}

// ---- which point is here ----
// Random points of a body that is bent, twisted or squeezed; `most` iterations are allowed.
static void look_back(swState *s, const char *what, Random *r, int most) {
    const swBodyModel *base = only_state(s)->base;
    const swBed *bed = sw_bed_of(base, 0);
    swBedView view;
    sw_bed_view(base, bed, &view);
    int histogram[32] = {0}, worst = 0;
    for (int i = 0; i < 1000; i++) {
        const swVec3 p = {random_in(r, -0.5, 0.5), random_in(r, -0.25, 0.25),
                          random_in(r, -0.25, 0.25)};
        swVec3 x, rest;
        swMat3 F;
        swReal miss;
        int iterations;
        sw_body_position(only_state(s), p, &x, &F);
        assert_true(sw_body_rest_point(s, 0, x, &rest, &iterations, &miss));
        histogram[iterations]++;
        worst = iterations > worst ? iterations : worst;
        assert_true(miss <= 1e-6 * view.grid.h);
    }
    print_message("%s:", what);
    for (int i = 0; i <= worst; i++)
        print_message(" %d", histogram[i]);
    print_message(" points after 0, 1, ... iterations\n");
    assert_true(worst <= most);
}

// Frames turned against each other about an axis, drawn together by a factor.
static void pose(swState *world, swVec3 turn, swReal squeeze) {
    swBodyState *s = only_state(world);
    for (int64_t i = 0; i < s->model->size.nnode; i++) {
        const swNode *n = &s->model->node[i];
        const swMat3 R = sw_mat_rotation(sw_scale(n->origin.x, turn));
        swReal *A = s->q + n->q;
        memset(A, 0, (size_t)(3 * n->width) * sizeof *A);
        for (int row = 0; row < 3; row++) {
            A[row * n->width] = row == 0 ? squeeze * n->origin.x : sw_get(n->origin, row);
            for (int c = 0; c < 3; c++)
                A[row * n->width + 1 + c] =
                    R.m[3 * row + c] * (c == 0 && n->kind != SW_NODE_RIGID ? squeeze : 1);
        }
    }
}

static void test_rest_points(void **context) {
    (void)context;
    for (int k = 0; k < SW_COUNT(kinds); k++) {
        Random r = {2};
        Block block = plain;
        block.kind = kinds[k];
        swModel *m = block_model(&block, NULL);
        swState *s = make_state(m);
        look_back(s, "at rest", &r, 6);
        pose(s, sw_v3(0, 0, 2), 1);
        look_back(s, "bent", &r, 6);
        pose(s, sw_v3(3, 0, 0), 1);
        look_back(s, "twisted", &r, 6);
        pose(s, sw_v3(0, 0.5, 0), 0.5);
        look_back(s, "squeezed", &r, 6);
        pose(s, sw_v3(1, 0, 1), 0.8);
        insert_at(s, sw_v3(0.1, 0.25, 0.1), 0.3);
        swBodyState *x = only_state(s);
        const swNode *n = &x->model->node[sw_insert_node(x, 0)];
        x->q[n->q + 4] = -0.08; // a dent
        look_back(s, "bent, twisted, squeezed, with a dent", &r, 6);
        // Outside it says so.
        swReal miss;
        assert_true(sw_body_rest_point(s, 0, sw_v3(0.1, 1, 0.1), NULL, NULL, &miss));
        assert_true(miss > 0.3);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// ---- nothing jumps ----
static void test_nothing_jumps(void **context) {
    (void)context;
    for (int k = 0; k < SW_COUNT(kinds); k++)
        for (int held = 0; held < 2; held++) {
            Random r = {(uint64_t)(7 + k)};
            Block block = plain;
            block.kind = kinds[k];
            block.held = held;
            swModel *m = block_model(&block, NULL);
            swState *s = make_state(m);
            const swBodyState *b = only_state(s);
            swError error = {0};
            shake(s, 0.1, &r);
            const int n = sw_body_vertex_count(m, 0);
            swVec3 *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
            for (int turn = 0; turn < 3; turn++) {
                sw_body_vertices(s, 0, x);
                const swReal kinetic = sw_mass_energy(b->model, b->v);
                swInsertion in = sw_default_insertion(s, 0, x[random_int(&r, n)]);
                swInsertReport report;
                const int slot = sw_frame_insert(s, &in, &report, &error);
                require(slot == turn, &error);
                sw_body_vertices(s, 0, y);
                assert_memory_equal(x, y, (size_t)n * sizeof *x);
                assert_near(sw_mass_energy(b->model, b->v), kinetic, 1e-14 * kinetic);
                assert_true(fabs(report.energy_jump) < 1e-9 * sw_body_total(b));
                assert_true(report.points >= 8);
                assert_true(sw_body_model_sane(b->model));
                assert_int_equal(sw_frame_count(sw_state_model(s)), sw_frame_count(m) + turn + 1);
            }
            for (int i = 0; i < 20; i++)
                assert_int_equal(sw_step(m, s), SW_OK);
            free(x);
            free(y);
            sw_state_destroy(s);
            sw_model_destroy(m);
        }
}

// ---- derivatives ----
static void test_derivatives(void **context) {
    (void)context;
    for (int k = 0; k < SW_COUNT(kinds); k++) {
        Random r = {11};
        Block block = plain;
        block.kind = kinds[k];
        swModel *base = block_model(&block, NULL);
        swState *world = make_state(base);
        shake(world, 0.05, &r);
        insert_at(world, sw_v3(0.1, 0.25, 0), 0.3);
        insert_at(world, sw_v3(0.25, 0.1, 0.1), 0.25);
        shake(world, 0.05, &r);
        swBodyState *s = only_state(world);
        const swBodyModel *m = s->model;
        const size_t nq = (size_t)m->size.nq;
        const int n = (int)m->size.ndof;
        swReal *q = malloc(nq * sizeof *q), *step = malloc((size_t)n * sizeof *step),
               *g = malloc((size_t)n * sizeof *g), *Hd = malloc((size_t)n * sizeof *Hd);
        const swObjective o = {.inertia = 100, .target = s->work->target, .load = 1};
        memcpy(s->work->target, s->q, nq * sizeof *q);
        for (int trial = 0; trial < 4; trial++) {
            for (int i = 0; i < n; i++)
                step[i] = random_in(&r, -1, 1);
            sw_objective_evaluate(m, s, &o, s->q, true, true, SW_PROJECT_NONE);
            sw_nodes_fold_gradient(m, s->q, s->work->g, g);
            if (s->work->folded)
                sw_nodes_fold_hessian(m, s->q, s->work->g, &s->work->H, &s->work->A);
            swReal slope = 0, curve = 0, energy = 0, slopes = 0;
            sw_blocks_multiply(&s->work->A, step, Hd);
            for (int i = 0; i < n; i++) {
                slope += g[i] * step[i];
                curve += Hd[i] * step[i];
            }
            // Differences of fourth order.
            static const swReal share[] = {-2, -1, 1, 2}, factor[] = {1, -8, 8, -1}, e = 1e-4;
            for (int side = 0; side < 4; side++) {
                memcpy(q, s->q, nq * sizeof *q);
                sw_nodes_move(m, step, e * share[side], q);
                energy += factor[side] / (12 * e) *
                          sw_objective_evaluate(m, s, &o, q, true, false, SW_PROJECT_NONE).energy;
                sw_nodes_fold_gradient(m, q, s->work->g, g);
                for (int i = 0; i < n; i++)
                    slopes += factor[side] / (12 * e) * g[i] * step[i];
            }
            assert_near(energy, slope, 1e-7 * (fabs(slope) + e * curve));
            assert_near(slopes, curve, 1e-5 * fabs(curve));
        }
        free(q), free(step), free(g), free(Hd);
        sw_state_destroy(world);
        sw_model_destroy(base);
    }
}

// ---- nothing costs nothing ----
// Eigenvalues of stiffness against mass at rest: six are zero.
static void check_definite(const swModel *base, swState *s, const char *what) {
    swError error = {0};
    swModes *modes = sw_solve_modal(base, s, 1, 200, &error);
    require(modes != NULL, &error);
    print_message("%s: %d rigid, %d unstable, lowest %.4g Hz, highest %.4g Hz\n", what,
                  modes->rigid, modes->unstable, modes->frequency[0],
                  modes->frequency[modes->count - 1]);
    assert_int_equal(modes->rigid, 6);
    assert_int_equal(modes->unstable, 0);
    sw_modes_destroy(modes);
}

static void test_definite(void **context) {
    (void)context;
    static const swVec3 places[] = {
        {0, 0, 0}, {0.5, 0.25, 0.25}, {0.1, 0.25, 0.1}, {-0.45, 0, 0.25}};
    for (int k = 0; k < SW_COUNT(kinds); k++) {
        Block block = plain;
        block.kind = kinds[k];
        swModel *m = block_model(&block, NULL);
        swState *s = make_state(m);
        check_definite(m, s, kinds[k]);
        for (int i = 0; i < SW_COUNT(places); i++) {
            insert_at(s, places[i], 0.3);
            check_definite(m, s, kinds[k]);
        }
        sw_state_reset(s);
        insert_at(s, sw_v3(0, 0, 0), 0.9);
        check_definite(m, s, "wide");
        insert_at(s, sw_v3(0.02, 0, 0), 0.9);
        check_definite(m, s, "twice");
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// A bar bends no less under its weight for frames that were inserted.
static void test_no_stiffer(void **context) {
    (void)context;
    for (int k = 0; k < SW_COUNT(kinds); k++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "{'sinew': 1, 'gravity': [0, -0.2, 0], 'analysis': 'static',"
            " 'materials': {'gel': {'young': 2e4, 'poisson': 0.45, 'density': 1000}},"
            " 'bodies': [{'shape': {'box': {'size': [1, 0.2, 0.2]}}, 'resolution': 24,"
            "  'frames': {'kind': '%s', 'count': 2, 'adapt': {'budget': 2, 'range': 0.15}},"
            "  'handles': [{'region': {'box': {'size': [0, 1, 1], 'center': [-0.5, 0, 0]}}}]}],"
            " 'probes': [{'name': 'tip', 'point': [0.5, 0, 0]}]}",
            kinds[k]);
        swModel *m = compile_text(text, NULL);
        swState *s = make_state(m);
        swReal sag[2];
        for (int i = 0; i < 2; i++) {
            if (i == 1) {
                insert_at(s, sw_v3(0, 0.1, 0), 0.15);
                insert_at(s, sw_v3(-0.25, 0.1, 0), 0.15);
            }
            solve_or_fail(m, s);
            sag[i] = -sw_probe_displacement(s, 0).y;
        }
        print_message("%s: sag %.5f, with two frames inserted %.5f\n", kinds[k], sag[0], sag[1]);
        assert_true(sag[1] > sag[0] && sag[1] < 1.2 * sag[0]);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// ---- the state as a whole ----
static void test_state(void **context) {
    (void)context;
    static const char *const integrators[] = {"implicit-euler", "bdf2", "midpoint"};
    for (int k = 0; k < SW_COUNT(integrators); k++) {
        Random r = {5};
        Counter counter = {0};
        const swConfig config = counting_config(&counter);
        Block block = plain;
        block.integrator = integrators[k];
        block.kind = k == 1 ? "rigid" : "affine";
        swModel *m = block_model(&block, &config);
        swState *s = make_state(m), *other = make_state(m);
        const uint64_t start = sw_state_hash(s);
        const int64_t held = counter.held, bytes = counter.bytes;
        swError error = {0};
        shake(s, 0.05, &r);
        insert_at(s, sw_v3(0.1, 0.25, 0), 0.3);
        step_or_fail(m, s, 3);
        insert_at(s, sw_v3(-0.25, 0.1, 0.1), 0.25);
        const int pull = sw_pull_frame(s, 1, sw_v3(0.3, 0.3, 0), sw_mat_identity(), 100);
        assert_true(pull >= 0);
        assert_int_equal(sw_pull_frame(s, 2, sw_v3(0, 0, 0), sw_mat_identity(), 100), -1);
        step_or_fail(m, s, 3);
        // Copied, and saved and loaded, they go on alike.
        const char *path = temporary_path("insert.state");
        require(sw_state_save(s, path, &error), &error);
        assert_true(sw_state_copy(other, s));
        assert_int_equal(sw_state_hash(other), sw_state_hash(s));
        step_or_fail(m, s, 3);
        step_or_fail(m, other, 3);
        assert_int_equal(sw_state_hash(other), sw_state_hash(s));
        sw_state_reset(other);
        assert_int_equal(sw_state_hash(other), start);
        require(sw_state_load(other, path, &error), &error);
        step_or_fail(m, other, 3);
        assert_int_equal(sw_state_hash(other), sw_state_hash(s));
        unlink(path);
        // The pull stays with its frame when another comes or goes.
        swPull drawn;
        require(sw_frame_remove(s, 0, NULL, &error), &error);
        assert_true(sw_pull_get(s, pull, &drawn));
        assert_int_equal(drawn.frame, 1);
        step_or_fail(m, s, 2);
        require(sw_frame_remove(s, 1, NULL, &error), &error);
        assert_ptr_equal(sw_state_model(s), m);
        assert_false(sw_frame_remove(s, 1, NULL, &error));
        step_or_fail(m, s, 2);
        sw_state_reset(s);
        sw_state_reset(other);
        assert_int_equal(sw_state_hash(s), start);
        assert_int_equal(counter.held, held);
        assert_int_equal(counter.bytes, bytes);
        sw_state_destroy(s);
        sw_state_destroy(other);
        sw_model_destroy(m);
        assert_int_equal(counter.held, 0);
    }
}

// ---- coming and going ----
// At rest but for vibrations; its energy.
static swReal set_vibrating(swState *world, Random *r) {
    sw_state_reset(world);
    shake(world, 0.1, r);
    swBodyState *s = only_state(world);
    const swBodyModel *m = s->model;
    const swRigidMotion motion = sw_rigid_motion_of(m, s);
    swReal *rigid = calloc((size_t)m->size.nq, sizeof *rigid);
    for (int i = 0; i < m->size.nnode; i++)
        sw_node_set_rate(m, s->q, i, &motion, rigid);
    for (int64_t i = 0; i < m->size.nq; i++)
        s->v[i] -= rigid[i];
    free(rigid);
    s->energy = NAN;
    return sw_body_total(s);
}

typedef struct {
    int in, out, refused, rises, times;
    swReal worst; // rise over the energy at the start
} Tally;

// One frame comes or goes, wherever it may be.
static void change(swState *s, swVec3 *x, Random *r, swReal start, Tally *t) {
    swError error = {0};
    swInsertReport report = {0};
    const int slot = random_int(r, 12), n = sw_body_vertex_count(s->model, 0);
    if (sw_insertion_get(s, slot, &(swInserted){0})) {
        require(sw_frame_remove(s, slot, &report, &error), &error);
        t->out++;
    } else {
        sw_body_vertices(s, 0, x);
        swInsertion in = sw_default_insertion(s, 0, x[random_int(r, n)]);
        in.range = random_in(r, 0.15, 0.4);
        const bool ok = sw_frame_insert(s, &in, &report, &error) >= 0;
        t->in += ok;
        t->refused += !ok;
    }
    t->rises += report.energy_jump > 1e-9 * start;
    t->worst = fmax(t->worst, report.energy_jump / start);
}

// A body that vibrates freely while frames come and go at random: they add no energy, and nothing
// is left behind.
static void come_and_go(const Block *block, int rounds) {
    Random r = {3};
    Counter counter = {0};
    const swConfig config = counting_config(&counter);
    swModel *m = block_model(block, &config);
    swState *s = make_state(m);
    const int64_t held = counter.held, bytes = counter.bytes;
    swVec3 *x = malloc((size_t)sw_body_vertex_count(m, 0) * sizeof *x);
    swReal start = set_vibrating(s, &r), drift = 0;
    Tally t = {0};
    for (int i = 0; i < rounds; i++) {
        change(s, x, &r, start, &t);
        if (i % 4 == 0) {
            step_or_fail(m, s, 1);
            drift += fmax(sw_state_report(s)->drift, 0);
        }
        const swReal now = sw_body_total(only_state(s));
        assert_true(now <= start + drift + 1e-9 * (i + 1) * start);
        if (now < 0.3 * start) { // frames that go take some of it
            start = set_vibrating(s, &r);
            drift = 0;
            t.times++;
        }
    }
    print_message("%s: %d in, %d out, %d refused; %d rises, worst %.2g of the energy; set going %d "
                  "times again\n",
                  block->kind, t.in, t.out, t.refused, t.rises, t.worst, t.times);
    assert_int_equal(t.rises, 0);
    sw_state_reset(s);
    assert_int_equal(counter.held, held);
    assert_int_equal(counter.bytes, bytes);
    free(x);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// SINEW_INSERTIONS: how many there are in all.
static void test_come_and_go(void **context) {
    (void)context;
    const char *all = getenv("SINEW_INSERTIONS");
    for (int k = 0; k < SW_COUNT(kinds); k++) {
        Block block = plain;
        block.kind = kinds[k];
        block.integrator = "midpoint";
        come_and_go(&block, all ? atoi(all) / SW_COUNT(kinds) + 1 : 200);
    }
}

// ---- refused, with a reason ----
static void expect(swState *s, swInsertion in, const char *part) {
    swError error = {0};
    const uint64_t before = sw_state_hash(s);
    assert_int_equal(sw_frame_insert(s, &in, NULL, &error), -1);
    if (!strstr(error.message, part))
        fail_msg("expected \"%s\" in \"%s\"", part, error.message);
    assert_int_equal(sw_state_hash(s), before);
}

static void test_refused(void **context) {
    (void)context;
    Block block = plain;
    block.adapt = "'budget': 2, 'range': 0.3";
    block.held = true;
    swModel *m = block_model(&block, NULL);
    swState *s = make_state(m);
    swInsertion in = sw_default_insertion(s, 0, sw_v3(0, 0.25, 0));
    swError error = {0};
    in.body = 1;
    expect(s, in, "a body from 0 to 0");
    in.body = 0;
    in.at.y = 0.4;
    expect(s, in, "outside the body");
    in.at = sw_v3(NAN, 0, 0);
    expect(s, in, "finite place");
    in = sw_default_insertion(s, 0, sw_v3(0, 0.25, 0));
    in.range = 0.05;
    expect(s, in, "two voxels");
    in.range = 1.3;
    expect(s, in, "body's diagonal");
    in.range = -1;
    expect(s, in, "range above 0");
    in.range = NAN;
    in.distance = SW_DISTANCE_COMPLIANCE;
    expect(s, in, "euclidean or geodesic");
    in.distance = SW_DISTANCE_EUCLIDEAN;
    assert_int_equal(sw_frame_insert(s, &in, NULL, &error), 0);
    in.at.x = 0.01;
    expect(s, in, "there already: that of slot 0");
    in.at.x = 0.3;
    assert_int_equal(sw_frame_insert(s, &in, NULL, &error), 1);
    expect(s, in, "budget of 2");
    assert_false(sw_insertion_get(s, 2, &(swInserted){0}));
    assert_false(sw_insertion_get(s, -1, &(swInserted){0}));
    assert_false(sw_frame_remove(s, 7, NULL, &error));
    sw_state_destroy(s);
    sw_model_destroy(m);
    block.adapt = "";
    m = block_model(&block, NULL);
    s = make_state(m);
    expect(s, sw_default_insertion(s, 0, sw_v3(0, 0, 0)), "not prepared");
    const swBodyModel *b = only_body(m);
    assert_int_equal(b->size.nbed + b->size.nbed_voxel + b->size.nbed_weight, 0);
    assert_int_equal(sw_state_adapt(s, &error), 0);
    assert_false(sw_model_adapts(m));
    sw_state_destroy(s);
    sw_model_destroy(m);
    block.adapt = "'budget': 2, 'range': 0.15";
    block.more = ", 'integration': {'points': 30}";
    m = block_model(&block, NULL);
    s = make_state(m);
    expect(s, sw_default_insertion(s, 0, sw_v3(0.45, 0.2, 0.2)), "integration points");
    sw_state_destroy(s);
    sw_model_destroy(m);
    swScene *scene = parse_scene(BODY(", 'frames': {'kind': 'rigid', 'blend': 'dual-quaternion',"
                                      " 'adapt': {'budget': 1}}"),
                                 &error);
    assert_true(!scene || !sw_scene_check(scene, &error));
    assert_non_null(strstr(error.message, "dual quaternions"));
    sw_scene_destroy(scene);
}

// Handles stay rigid: no inserted frame moves their part.
static void test_handles_stay(void **context) {
    (void)context;
    Block block = plain;
    block.held = true;
    swModel *m = block_model(&block, NULL);
    swState *s = make_state(m);
    insert_at(s, sw_v3(-0.4, 0.25, 0), 0.3);
    swBodyState *b = only_state(s);
    const swNode *n = &b->model->node[sw_insert_node(b, 0)];
    for (int k = 0; k < 12; k++)
        b->q[n->q + k] = 0.1;
    const int count = sw_body_vertex_count(m, 0);
    swVec3 *x = malloc((size_t)count * sizeof *x);
    int held = 0, moved = 0;
    sw_body_vertices(s, 0, x);
    for (int i = 0; i < count; i++) {
        const swVec3 p = b->base->point[b->base->body[0].point + i];
        if (p.x > -0.449)
            moved += sw_norm(sw_sub(x[i], p)) > 1e-6;
        else {
            held++;
            assert_near(sw_norm(sw_sub(x[i], p)), 0, 1e-12);
        }
    }
    assert_true(held > 20 && moved > 20);
    free(x);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// Turned and moved as a whole, the energy is the same.
static void test_rigid_motion(void **context) {
    (void)context;
    for (int k = 0; k < SW_COUNT(kinds); k++) {
        Random r = {13};
        Block block = plain;
        block.kind = kinds[k];
        swModel *m = block_model(&block, NULL);
        swState *s = make_state(m);
        shake(s, 0.05, &r);
        insert_at(s, sw_v3(0.1, 0.25, 0), 0.3);
        shake(s, 0.05, &r);
        const swEnergy before = sw_state_energy(s);
        const swMat3 Q = random_rotation(&r);
        const swVec3 t = random_vec(&r, 2);
        swBodyState *b = only_state(s);
        for (int64_t i = 0; i < b->model->size.nnode; i++) {
            const swNode *n = &b->model->node[i];
            for (int c = 0; c < n->width; c++)
                for (int rate = 0; rate < 2; rate++) {
                    swReal *A = (rate ? b->v : b->q) + n->q + c;
                    swVec3 x = sw_mul(Q, sw_v3(A[0], A[n->width], A[2 * n->width]));
                    if (c == 0 && !rate && !sw_node_is_inserted(b->model, i))
                        x = sw_add(x, t);
                    for (int a = 0; a < 3; a++)
                        A[a * n->width] = sw_get(x, a);
                }
        }
        const swEnergy after = sw_state_energy(s);
        assert_near(after.elastic, before.elastic, 1e-8 * before.elastic);
        assert_near(after.kinetic, before.kinetic, 1e-12 * before.kinetic);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

static void assert_sane(const swState *s) {
    for (int i = 0; i < s->model->size.nbody; i++)
        assert_true(sw_body_model_sane(s->body[i]->model));
}

// Two bodies: those after the one that gets a frame go on as if nothing had happened.
static void test_other_bodies(void **context) {
    (void)context;
    swModel *m = compile_text(
        "{'sinew': 1, 'gravity': [0, -9.81, 0], 'time': {'step': 0.01},"
        " 'materials': {'gel': {'young': 2e4, 'yield': 500, 'hardening': 100}}, 'bodies': ["
        " {'name': 'a', 'shape': {'box': {'size': [0.6, 0.4, 0.4]}}, 'resolution': 12,"
        "  'frames': {'count': 2, 'adapt': {'budget': 2, 'range': 0.2}}},"
        " {'name': 'b', 'shape': {'box': {'size': [1, 0.2, 0.2]}}, 'resolution': 25,"
        "  'frames': {'count': 3, 'kind': 'rigid', 'adapt': {'budget': 2, 'range': 0.2}},"
        "  'handles': [{'name': 'wall', 'region': {'box': {'size': [0.1, 1, 1],"
        "   'center': [-0.5, 0, 0]}}}]},"
        " {'name': 'c', 'shape': {'box': {'size': [0.6, 0.2, 0.2]}}, 'resolution': 8,"
        "  'frames': {'count': 2, 'kind': 'rigid', 'blend': 'dual-quaternion'}}]}",
        NULL);
    swState *s = make_state(m), *other = make_state(m);
    const int n = sw_body_vertex_count(m, 1), last = sw_frame_count(m) - 3;
    swVec3 *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    swError error = {0};
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            sw_pull_frame(i ? other : s, last - 1, sw_v3(0.3, 0.2, 0.1), sw_mat_identity(), 50), 0);
    step_or_fail(m, s, 2);
    step_or_fail(m, other, 2);
    swInsertion in = sw_default_insertion(s, 0, sw_v3(0.1, 0.19, 0));
    require(sw_frame_insert(s, &in, NULL, &error) == 0, &error);
    assert_sane(s);
    step_or_fail(m, s, 10);
    step_or_fail(m, other, 10);
    sw_body_vertices(s, 1, x);
    sw_body_vertices(other, 1, y);
    for (int i = 0; i < n; i++)
        assert_near(sw_norm(sw_sub(x[i], y[i])), 0, 1e-6);
    swVec3 f[2], torque;
    sw_handle_wrench(s, 0, &f[0], &torque);
    sw_handle_wrench(other, 0, &f[1], &torque);
    assert_near(sw_norm(sw_sub(f[0], f[1])), 0, 1e-3 * sw_norm(f[1]));
    sw_frame_get(s, last, &x[0], &(swMat3){{0}}); // the second body's last free frame
    in = sw_default_insertion(s, 1, x[0]);
    require(sw_frame_insert(s, &in, NULL, &error) == SW_INSERTS, &error);
    assert_sane(s);
    require(sw_frame_remove(s, 0, NULL, &error), &error);
    assert_sane(s);
    step_or_fail(m, s, 2);
    free(x);
    free(y);
    sw_state_destroy(s);
    sw_state_destroy(other);
    sw_model_destroy(m);
}

// Without memory at any call nothing changes.
static void test_no_memory(void **context) {
    (void)context;
    Counter counter = {0};
    const swConfig config = counting_config(&counter);
    swModel *m = block_model(&plain, &config);
    swState *s = make_state(m);
    insert_at(s, sw_v3(0.1, 0.25, 0), 0.3);
    step_or_fail(m, s, 1);
    const uint64_t before = sw_state_hash(s);
    const swInsertion in = sw_default_insertion(s, 0, sw_v3(-0.2, 0.25, 0.1));
    for (int way = 0, done = 0; way < 2; way++, done = 0)
        for (int k = 1; !done; k++) {
            swError error = {0};
            const int64_t held = counter.held;
            counter.fail_at = counter.calls + k;
            counter.once = true;
            done = way == 0 ? sw_frame_insert(s, &in, NULL, &error) >= 0
                            : sw_frame_remove(s, 1, NULL, &error);
            counter.fail_at = 0;
            if (done)
                break;
            assert_int_equal(error.code, SW_ERROR_MEMORY);
            assert_true(counter.held <= held + 1); // memory kept for the next one
            if (way == 0)
                assert_int_equal(sw_state_hash(s), before);
            assert_int_equal(sw_step(m, s), SW_OK);
            if (way == 0) { // as it was
                sw_state_reset(s);
                insert_at(s, sw_v3(0.1, 0.25, 0), 0.3);
                step_or_fail(m, s, 1);
            }
            assert_true(k < 200);
        }
    sw_state_destroy(s);
    sw_model_destroy(m);
    assert_int_equal(counter.held, 0);
}

// Recorded motion knows where points are while frames are inserted, and is no recording then.
static void test_clip(void **context) {
    (void)context;
    swModel *m = block_model(&plain, NULL);
    swState *s = make_state(m);
    Random r = {4};
    swClip clip;
    swError error = {0};
    const int n = (int)only_body(m)->size.npoint;
    swVec3 *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    sw_clip_init(&clip, m);
    require(sw_clip_add(&clip, s, &error), &error);
    assert_false(sw_clip_has_points(&clip));
    insert_at(s, sw_v3(0.1, 0.25, 0), 0.3);
    shake(s, 0.1, &r);
    require(sw_clip_add_state(&clip, 1, s, &error), &error);
    assert_true(sw_clip_has_points(&clip));
    sw_body_clip_points(&clip.body[0], 1, 0, n, x);
    sw_points_positions(only_state(s)->model, only_state(s)->q, 0, n, y);
    assert_memory_equal(x, y, (size_t)n * sizeof *x);
    sw_body_clip_points(&clip.body[0], 0, 0, n, x);
    assert_near(sw_norm(sw_sub(x[0], only_body(m)->point[0])), 0, 1e-12);
    assert_false(sw_recording_save(&clip, temporary_path("insert.swr"), &error));
    assert_non_null(strstr(error.message, "inserted"));
    sw_clip_free(&clip);
    free(x);
    free(y);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// ---- by themselves ----
// A ball presses: a frame comes, once, and goes when the ball has gone.
static void test_adapt(void **context) {
    (void)context;
    Block block = plain;
    block.more = ", 'damping': {'stiffness': 0.02, 'mass': 2}";
    block.held = true;
    swModel *m = block_model(&block, NULL);
    swState *s = make_state(m);
    swError error = {0};
    int changes = 0, most = 0, at_release = 0;
    for (int i = 0; i < 300; i++) {
        const swReal depth = i < 100 ? 0.001 * i : 0;
        sw_state_set_ball(s, sw_v3(0.1, 0.25 + 0.1 - depth, 0), depth > 0 ? 0.1 : 0);
        step_or_fail(m, s, 1);
        const int now = sw_state_adapt(s, &error);
        require(now >= 0, &error);
        changes += now;
        const int there = sw_frame_count(sw_state_model(s)) - sw_frame_count(m);
        most = there > most ? there : most;
        at_release = i == 99 ? there : at_release;
    }
    print_message("%d frames at most, %d under the ball, %d changes\n", most, at_release, changes);
    assert_true(at_release >= 1 && most <= 8);
    assert_true(changes <= 2 * most + 2);
    assert_int_equal(sw_frame_count(sw_state_model(s)), sw_frame_count(m));
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// Strain asks for a frame where it exceeds what the scene says, however many points have less.
static void test_adapt_to_strain(void **context) {
    (void)context;
    Block block = plain;
    block.adapt = "'budget': 8, 'range': 0.3, 'contact': false, 'strain': 0.2";
    swModel *m = block_model(&block, NULL);
    assert_true(sw_model_adapts(m));
    const swBodyModel *b = only_body(m);
    swState *s = make_state(m);
    swBodyState *x = only_state(s);
    swError error = {0};
    for (int k = 0; k < 2; k++) {
        const swReal stretch = k ? 1.25 : 1.15;
        for (int64_t i = 0; i < b->size.nnode; i++) {
            swReal *q = x->q + b->node[i].q;
            q[0] = stretch * b->node[i].origin.x;
            q[1] = stretch;
        }
        assert_int_equal(sw_state_adapt(s, &error), k);
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_rest_points),
    cmocka_unit_test(test_nothing_jumps),
    cmocka_unit_test(test_derivatives),
    cmocka_unit_test(test_definite),
    cmocka_unit_test(test_no_stiffer),
    cmocka_unit_test(test_state),
    cmocka_unit_test(test_come_and_go),
    cmocka_unit_test(test_refused),
    cmocka_unit_test(test_handles_stay),
    cmocka_unit_test(test_rigid_motion),
    cmocka_unit_test(test_other_bodies),
    cmocka_unit_test(test_no_memory),
    cmocka_unit_test(test_clip),
    cmocka_unit_test(test_adapt),
    cmocka_unit_test(test_adapt_to_strain),

};
SW_SUITE(insert, tests)
