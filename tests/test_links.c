// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Precomputed bodies: their links against the samples they stand for, and on their own.
#include "potentials/measure.h"
#include "kinematics/rigid.h"
#include "solve/work.h"
#include "test_scene.h"

// A brick of a soft and a stiff stuff, with frames of one kind (SW_NODE_KINDS: of three), held,
// or with a free and a driven part. `links` for each frame: 0 for integration points; MANY, that
// is more than there are cells, which are then cut.
enum { MANY = 60 };
static swScene *brick_scene(int kind, bool held, int links) {
    static const swVec3 at[] = {{0.2, 0.1, 0.11}, {0.5, 0.2, 0.05}, {0.8, 0.15, 0.1}};
    static const swNodeKind kinds[] = {SW_NODE_QUADRATIC, SW_NODE_RIGID, SW_NODE_AFFINE};
    swScene *s = sw_scene_create(NULL);
    swMaterial *soft = sw_scene_add_material(s, "soft"), *stiff = sw_scene_add_material(s, "stiff");
    soft->young = 1e4;
    soft->poisson = 0.45;
    soft->law = "neo-hookean";
    stiff->young = 5e4;
    stiff->law = "stvk";
    swBody *b = sw_scene_add_body(s, "brick");
    for (int i = 0; i < 2; i++) {
        swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
        box->size = i ? sw_v3(0.4, 0.1, 0.2) : sw_v3(1, 0.3, 0.2);
        box->center = i ? sw_v3(0.55, 0.05, 0.1) : sw_v3(0.5, 0.15, 0.1);
        box->material = i ? "stiff" : "soft";
    }
    b->resolution = 20;
    b->frames.kind = kind == SW_NODE_KINDS ? SW_NODE_AFFINE : (swNodeKind)kind;
    b->frames.count = 0;
    b->frames.at = at;
    b->frames.nat = SW_COUNT(at);
    b->frames.kinds = kind == SW_NODE_KINDS ? kinds : NULL;
    b->frames.nkinds = kind == SW_NODE_KINDS ? SW_COUNT(kinds) : 0;
    b->frames.weights.kind = "shepard";
    b->frames.precompute = links > 0;
    b->frames.springs = links > 0 ? links : 1;
    b->integration.points = 200;
    b->integration.correct = SW_CORRECT_NO; // springs stand for relaxed samples
    static const swMotion motion[] = {SW_MOTION_FIXED, SW_MOTION_FREE, SW_MOTION_KEYS};
    for (int i = 0; i < 3 && held; i++) {
        static const char *const name[] = {"wall", "bone", "hand"};
        swHandle *h = sw_body_add_handle(s, b, name[i], SW_SHAPE_BOX);
        h->region->size = sw_v3(0.1, 1, 1);
        h->region->center = sw_v3(0.5 * i, 0, 0);
        h->motion = motion[i];
        if (i == 2)
            sw_handle_add_key(s, h, 0);
    }
    return s;
}

typedef struct {
    swModel *whole;
    swState *world;
    const swBodyModel *model;
    swBodyState *state;
    int nq, n; // unknowns of free nodes, ambient
    swReal *q, *last, *before, *trial, *g, *H;
    bool damped;
} Links;

static swReal *numbers(int64_t n) { return calloc((size_t)n + 1, sizeof(swReal)); }

static Links make_springs(const swScene *scene) {
    Links s = {.whole = compile_scene(scene)};
    const swBodyModel *m = s.model = only_body(s.whole);
    s.world = make_state(s.whole);
    s.state = only_state(s.world);
    s.nq = (int)m->size.nq;
    s.n = (int)m->size.nu;
    swReal **all[] = {&s.q, &s.last, &s.before, &s.trial, &s.g};
    for (int i = 0; i < SW_COUNT(all); i++) {
        *all[i] = numbers(s.nq);
        memcpy(*all[i], m->q0, (size_t)s.nq * sizeof(swReal));
    }
    s.H = numbers((int64_t)s.n * s.n);
    return s;
}

static void free_springs(Links *s) {
    swReal *all[] = {s->q, s->last, s->before, s->trial, s->g, s->H};
    for (int i = 0; i < SW_COUNT(all); i++)
        free(all[i]);
    sw_state_destroy(s->world);
    sw_model_destroy(s->whole);
}

// Elasticity alone at q: s->g, and s->H where asked for.
static swReal evaluate(Links *s, const swReal *q, bool hessian, swProjection projection) {
    const swBodyModel *m = s->model;
    swWork *w = s->state->work;
    swSystem out = {.g = s->g, .H = hessian ? &w->H : NULL, .projection = projection};
    const swElasticInput input = {.q = q,
                                  .q_last = s->damped ? s->last : NULL,
                                  .q_before = s->damped ? s->before : NULL,
                                  .h = 0.1,
                                  .damping = s->damped ? 0.05 : 0,
                                  .activation = s->state->activation,
                                  .plastic = s->state->plastic,
                                  .relax = w->relax,
                                  .relax_last = s->state->relax,
                                  .relax_before = s->state->relax};
    memset(s->g, 0, (size_t)s->nq * sizeof *s->g);
    sw_blocks_clear(&w->H);
    sw_elastic_add(m, &w->elastic, s->state->pool, &input, &out);
    if (hessian)
        sw_blocks_unpack(&w->H, s->H, s->n);
    return out.energy;
}

// Every number of q moves by up to `by` times the body's size; rigid frames do not stay rigid, as
// links do not know of that.
static void shake(const Links *s, Random *r, swReal by, swReal *q) {
    for (int i = 0; i < s->nq; i++)
        q[i] += random_in(r, -by, by);
}

static swReal largest(int n, const swReal *a) {
    swReal size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(a[i]));
    return size;
}

static void rigidly(const Links *s, swMat3 R, swVec3 t, const swReal *q, swReal *out) {
    for (int64_t i = 0; i < s->model->size.nnode; i++) {
        const swNode *node = &s->model->node[i];
        for (int c = 0; c < node->width; c++) {
            const swReal *a = q + node->q + c;
            const swVec3 x = sw_mul(R, sw_v3(a[0], a[node->width], a[2 * node->width]));
            for (int k = 0; k < 3; k++)
                out[node->q + k * node->width + c] = sw_get(x, k) + (c == 0 ? sw_get(t, k) : 0);
        }
    }
}

// Whether some links share modes.
static bool shared_modes(const Links *s) {
    bool some = false;
    for (int64_t i = 0; i < s->model->size.nlink; i++)
        some = some || (s->model->link[i].nstrain > 0 && s->model->link[i].tied > 1);
    return some;
}

// At rest, wherever that is: no force, the full model's stiffness, and its forces next to rest.
static void springs_are_the_model_at_rest(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind <= SW_NODE_KINDS; kind++)
        for (int placed = 0; placed < 2; placed++) {
            const int count[2] = {0, placed ? MANY : 2};
            Links s[2];
            swReal *change[2];
            for (int i = 0; i < 2; i++) {
                swScene *scene = brick_scene(kind, true, count[i]);
                if (placed)
                    scene->bodies->place =
                        (swPose){.axis = {1, 2, 3}, .angle = 2, .translate = {100, 20, -30}};
                s[i] = make_springs(scene);
                sw_scene_destroy(scene);
                change[i] = numbers(s[i].nq);
            }
            assert_true(s[1].model->size.nlink > 0 && s[0].model->size.nlink == 0);
            assert_true(!placed || kind > SW_NODE_AFFINE || shared_modes(&s[1]));
            assert_int_equal(s[0].nq, s[1].nq);
            assert_int_equal(s[0].n, s[1].n);
            for (int i = 0; i < 2; i++)
                evaluate(&s[i], s[i].q, true, SW_PROJECT_NONE);
            const swReal size = largest(s[0].n * s[0].n, s[0].H);
            assert_true(size > 0);
            assert_true(largest(s[1].nq, s[1].g) < 1e-9 * size);
            for (int i = 0; i < s[0].n * s[0].n; i++)
                assert_near(s[1].H[i], s[0].H[i], 1e-9 * size);
            Random r = {7};
            swReal *way = numbers(s[0].nq), d = 1e-5;
            shake(&s[0], &r, d, way);
            for (int i = 0; i < 2; i++)
                for (int side = -1; side <= 1; side += 2) {
                    for (int k = 0; k < s[i].nq; k++)
                        s[i].trial[k] = s[i].q[k] + side * way[k];
                    evaluate(&s[i], s[i].trial, false, SW_PROJECT_NONE);
                    for (int k = 0; k < s[i].nq; k++)
                        change[i][k] += side * s[i].g[k];
                }
            const swReal most = largest(s[0].nq, change[0]);
            for (int k = 0; k < s[0].nq; k++) // reactions of handles too
                assert_near(change[1][k], change[0][k], 1e-6 * most);
            free(way);
            for (int i = 0; i < 2; i++) {
                free(change[i]);
                free_springs(&s[i]);
            }
        }
}

static void check_derivatives(Links *s, const char *what) {
    const swBodyModel *m = s->model;
    const swReal d = 1e-5;
    swReal *g = numbers(s->nq), *H = numbers((int64_t)s->n * s->n), *up = numbers(s->nq);
    evaluate(s, s->q, true, SW_PROJECT_NONE);
    memcpy(g, s->g, (size_t)s->nq * sizeof *g);
    memcpy(H, s->H, (size_t)s->n * (size_t)s->n * sizeof *H);
    const swReal stiffness = largest(s->n * s->n, H), force = largest(s->nq, g);
    for (int64_t i = 0; i < m->size.nnode; i++)
        for (int k = 0; k < 3 * m->node[i].width; k++) {
            const int at = m->node[i].q + k;
            memcpy(s->trial, s->q, (size_t)s->nq * sizeof *s->q);
            s->trial[at] += d;
            const swReal plus = evaluate(s, s->trial, false, SW_PROJECT_NONE);
            memcpy(up, s->g, (size_t)s->nq * sizeof *up);
            s->trial[at] -= 2 * d;
            const swReal slope = (plus - evaluate(s, s->trial, false, SW_PROJECT_NONE)) / (2 * d);
            if (fabs(slope - g[at]) > 1e-6 * force)
                fail_msg("%s: slope %d is %.12g instead of %.12g", what, at, g[at], slope);
            for (int64_t j = 0; j < m->size.nnode && m->node[i].u >= 0; j++)
                for (int l = 0; l < 3 * m->node[j].width && m->node[j].u >= 0; l++) {
                    const int to = m->node[j].q + l;
                    const swReal fd = (up[to] - s->g[to]) / (2 * d),
                                 h = H[(m->node[i].u + k) * s->n + m->node[j].u + l];
                    if (fabs(fd - h) > 1e-6 * stiffness)
                        fail_msg("%s: entry (%d, %d) is %.12g instead of %.12g", what, at, to, h,
                                 fd);
                }
        }
    free(g);
    free(H);
    free(up);
}

static void derivatives_are_exact(void **state) {
    (void)state;
    Random r = {8};
    for (int kind = SW_NODE_RIGID; kind <= SW_NODE_KINDS; kind++)
        for (int trial = 0; trial < 2; trial++) {
            swScene *scene = brick_scene(kind, true, trial ? MANY : 2);
            Links s = make_springs(scene);
            char what[64];
            snprintf(what, sizeof what, "kind %d, trial %d", kind, trial);
            rigidly(&s, random_rotation(&r), random_vec(&r, 1), s.model->q0, s.q);
            shake(&s, &r, 0.1, s.q);
            s.damped = trial == 1;
            shake(&s, &r, 0.1, s.last);
            shake(&s, &r, 0.1, s.before);
            check_derivatives(&s, what);
            free_springs(&s);
            sw_scene_destroy(scene);
        }
}

// Forces turn with the body, and have neither a sum nor a torque; nor have those of damping.
static void forces_are_internal(void **state) {
    (void)state;
    Random r = {9};
    for (int kind = SW_NODE_RIGID; kind <= SW_NODE_KINDS; kind++) {
        swScene *scene = brick_scene(kind, true, kind == SW_NODE_AFFINE ? 2 : MANY);
        Links s = make_springs(scene);
        swReal *g = numbers(s.nq);
        for (int trial = 0; trial < 20; trial++) {
            const swMat3 R = random_rotation(&r);
            const swVec3 t = random_vec(&r, trial < 10 ? 1 : 1000);
            memcpy(s.q, s.model->q0, (size_t)s.nq * sizeof *s.q);
            shake(&s, &r, 0.15, s.q);
            s.damped = trial % 2;
            memcpy(s.last, s.q, (size_t)s.nq * sizeof *s.q);
            memcpy(s.before, s.q, (size_t)s.nq * sizeof *s.q);
            shake(&s, &r, 0.1, s.last);
            const swReal energy = evaluate(&s, s.q, false, SW_PROJECT_NONE),
                         force = largest(s.nq, s.g);
            swVec3 sum = {0, 0, 0}, torque = {0, 0, 0};
            for (int64_t i = 0; i < s.model->size.nnode; i++) {
                const swNode *n = &s.model->node[i];
                for (int c = 0; c < n->width; c++) {
                    const swReal *a = s.q + n->q + c, *f = s.g + n->q + c;
                    const swVec3 F = sw_v3(f[0], f[n->width], f[2 * n->width]);
                    sum = c == 0 ? sw_add(sum, F) : sum;
                    torque = sw_add(torque, sw_cross(sw_v3(a[0], a[n->width], a[2 * n->width]), F));
                }
            }
            assert_near(sw_norm(sum), 0, 1e-12 * force);
            assert_near(sw_norm(torque), 0, 1e-12 * force);
            rigidly(&s, R, sw_v3(0, 0, 0), s.g, g);
            rigidly(&s, R, t, s.q, s.trial);
            const swReal rounding = 1e-12 * fmax(1, sw_norm(t));
            assert_near(evaluate(&s, s.trial, false, SW_PROJECT_NONE), energy, rounding * energy);
            for (int k = 0; k < s.nq; k++)
                assert_near(s.g[k], g[k], rounding * force);
        }
        free(g);
        free_springs(&s);
        sw_scene_destroy(scene);
    }
}

// The tangent that is asked to be so is positive semidefinite, however scrambled the body is.
static void projected_stiffness_is_semidefinite(void **state) {
    (void)state;
    Random r = {10};
    swScene *scene = brick_scene(SW_NODE_AFFINE, true, MANY);
    Links s = make_springs(scene);
    long double *A = calloc((size_t)s.n * (size_t)s.n, sizeof *A),
                *w = calloc((size_t)s.n, sizeof *w);
    for (int trial = 0; trial < 4; trial++) {
        const swReal squeeze = 0.2 * (trial + 1);
        rigidly(&s, sw_mat_diag(squeeze, squeeze, 1), sw_v3(0, 0, 0), s.model->q0, s.q);
        shake(&s, &r, 0.1, s.q);
        swReal least[2];
        for (int projected = 0; projected < 2; projected++) {
            evaluate(&s, s.q, true, projected ? SW_PROJECT_CLAMP : SW_PROJECT_NONE);
            for (int i = 0; i < s.n * s.n; i++)
                A[i] = s.H[i];
            symmetric_eigen(s.n, A, w, NULL);
            least[projected] = 0;
            for (int i = 0; i < s.n; i++)
                least[projected] = fmin(least[projected], (swReal)w[i]);
        }
        const swReal size = largest(s.n * s.n, s.H);
        assert_true(least[0] < -1e-6 * size); // it would not be of itself
        assert_true(least[1] > -1e-12 * size);
    }
    free(A);
    free(w);
    free_springs(&s);
    sw_scene_destroy(scene);
}

// Mirrored, flattened to a plane, a line and a point: forces are finite.
static void inverted_parts_have_forces(void **state) {
    (void)state;
    swScene *scene = brick_scene(SW_NODE_AFFINE, true, 2);
    Links s = make_springs(scene);
    static const swReal squeeze[][3] = {{1, 1, -1}, {-1, -1, -1}, {1, 0, 1},
                                        {0, 0, 1},  {0, 0, 0},    {1, -0.5, 0.5}};
    for (int i = 0; i < SW_COUNT(squeeze); i++) {
        rigidly(&s, sw_mat_diag(squeeze[i][0], squeeze[i][1], squeeze[i][2]), sw_v3(0, 0, 0),
                s.model->q0, s.q);
        assert_true(isfinite(evaluate(&s, s.q, true, SW_PROJECT_NONE)));
        for (int k = 0; k < s.nq; k++)
            assert_true(isfinite(s.g[k]));
        for (int k = 0; k < s.n * s.n; k++)
            assert_true(isfinite(s.H[k]));
    }
    free_springs(&s);
    sw_scene_destroy(scene);
}

// A free brick that spins, tumbles and vibrates. Forces keep momentum, and so does symplectic
// Euler; the midpoint rule keeps that of frames that are not rigid, and implicit Euler loses some
// of the angular one.
static void momentum_is_kept(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind <= SW_NODE_KINDS; kind++)
        for (int i = 0; i < 3; i++) {
            static const char *const integrator[] = {"midpoint", "symplectic-euler",
                                                     "implicit-euler"};
            swScene *scene = brick_scene(kind, false, 2);
            scene->gravity = sw_v3(0, 0, 0);
            scene->time.step = i == 1 ? 2e-5 : 0.01;
            scene->time.integrator = integrator[i];
            scene->solver.tolerance = 1e-13;
            scene->bodies->velocity = sw_v3(0.3, -0.2, 0.5);
            scene->bodies->spin = sw_v3(1, 4, -2);
            scene->bodies->damping_stiffness = 0.001;
            swModel *m = compile_scene(scene);
            swState *a = make_state(m);
            swVec3 p0, L0, p, L;
            swReal worst = 0;
            step_or_fail(m, a, 5); // by now it vibrates
            for (int step = 0; step < 60; step++) {
                sw_state_momentum(a, &p0, &L0);
                step_or_fail(m, a, 1);
                sw_state_momentum(a, &p, &L);
                assert_near(sw_norm(sw_sub(p, p0)), 0, 1e-10 * sw_norm(p0));
                worst = fmax(worst, sw_norm(sw_sub(L, L0)) / sw_norm(L0));
            }
            assert_true(sw_state_energy(a).elastic > 0);
            print_message("%s, node kind %d: angular momentum changes by %.2g in a step at most\n",
                          scene->time.integrator, kind, worst);
            const bool rigid = kind == SW_NODE_RIGID || kind == SW_NODE_KINDS;
            assert_true(worst < (i == 2 ? 0.02 : i == 0 && rigid ? 1e-5 : 1e-10));
            sw_state_destroy(a);
            sw_model_destroy(m);
            sw_scene_destroy(scene);
        }
}

// What a step leaves is the same for any number of threads, and after saving and loading.
static void threads_and_files_keep_every_bit(void **state) {
    (void)state;
    uint64_t hash[3];
    for (int run = 0; run < 3; run++) {
        swScene *scene = brick_scene(SW_NODE_KINDS, true, MANY);
        swError error = {0};
        scene->bodies->damping_stiffness = 0.01;
        swModel *m = compile_scene(scene);
        swConfig config = sw_default_config();
        config.threads = run == 1 ? 4 : 1;
        const char *path = temporary_path("springs.swm");
        require(sw_model_save(m, path, &error), &error);
        swModel *loaded = sw_model_load(path, &config, &error);
        require(loaded != NULL, &error);
        unlink(path);
        assert_true(sw_model_hash(m) == sw_model_hash(loaded));
        swState *a = make_state(run == 2 ? m : loaded);
        step_or_fail(run == 2 ? m : loaded, a, 10);
        hash[run] = sw_state_hash(a);
        sw_state_destroy(a);
        sw_model_destroy(m);
        sw_model_destroy(loaded);
        sw_scene_destroy(scene);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

// A step does not look at the samples of a precomputed body: without them it is the same. Those of
// another body it needs. Colours need both, and are those of the full model.
static void steps_need_no_samples(void **state) {
    (void)state;
    for (int both = 0; both < 2; both++) {
        swScene *scene = brick_scene(SW_NODE_AFFINE, true, 2);
        swBody *other = sw_scene_add_body(scene, "other");
        swShape *ball = sw_body_add_shape(scene, other, SW_SHAPE_SPHERE);
        ball->radius = 0.1;
        ball->material = "soft";
        other->resolution = 6;
        other->frames.precompute = both;
        swModel *m = compile_scene(scene);
        swState *a = make_state(m), *b = make_state(m);
        step_or_fail(m, a, 3);
        for (int64_t k = 0; k < m->size.nbody; k++) {
            const swBodyModel *body = sw_model_body(m, k);
            for (int64_t i = 0; i < body->size.ngamma; i++)
                body->gamma[i] = NAN;
        }
        if (both)
            step_or_fail(m, b, 3);
        else
            assert_true(sw_step(m, b) != SW_OK);
        assert_true(!both || sw_state_hash(a) == sw_state_hash(b));
        sw_state_destroy(a);
        sw_state_destroy(b);
        sw_model_destroy(m);
        sw_scene_destroy(scene);
    }
}

static void colours_are_those_of_samples(void **state) {
    (void)state;
    Random r = {11};
    Links s[2];
    swReal *value[2];
    for (int i = 0; i < 2; i++) {
        swScene *scene = brick_scene(SW_NODE_AFFINE, true, 2 * i);
        s[i] = make_springs(scene);
        sw_scene_destroy(scene);
        value[i] = numbers(s[i].model->size.nsample);
    }
    shake(&s[0], &r, 0.02, s[0].q);
    for (int i = 0; i < 2; i++) {
        swArena arena;
        swMeasureWork work;
        swError error = {0};
        memcpy(s[i].state->q, s[0].q, (size_t)s[0].nq * sizeof(swReal));
        sw_arena_init(&arena, &s[i].model->config.allocator);
        require(sw_measure_create(&work, s[i].model, 1, &arena, &error), &error);
        swMeasureInput input = sw_measure_input(s[i].state);
        assert_true((input.relax == NULL) == (i == 1));
        input.relax = NULL;
        sw_measure(s[i].model, &work, NULL, SW_MEASURE_STRAIN, &input, value[i]);
        sw_arena_free(&arena);
    }
    assert_memory_equal(value[0], value[1], (size_t)s[0].model->size.nsample * sizeof(swReal));
    assert_true(largest((int)s[0].model->size.nsample, value[0]) > 0.01);
    for (int i = 0; i < 2; i++) {
        free(value[i]);
        free_springs(&s[i]);
    }
}

// ---- bars ----

#define BAR(frames, more) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'analysis': 'static', 'materials': {'rubber': {'law': " \
    "'stable-neo-hookean', 'young': 1e6, 'poisson': 0.4}}, 'bodies': [{'name': 'bar', 'shape': " \
    "{'box': {'size': [1, 0.1, 0.1], 'center': [0.5, 0, 0]}}, 'voxel': 0.025, 'frames': {" \
    "'count': 4, 'weights': {'kind': 'hat'}, " frames "}, 'integration': {'correct': false}, " \
    "'handles': [{'name': 'wall', 'region': " \
    "{'box': {'size': [0, 1, 1], 'center': [0, 0, 0]}}}], " more "}], 'probes': [{'name': 'tip', " \
    "'body': 'bar', 'point': [1, 0, 0]}]}"
#define TIP(force) \
    "'loads': [{'force': [0, -" force ", 0], 'on': {'box': {'size': [0, 1, 1], 'center': [1, 0, " \
    "0]}}}]"

static swVec3 tip_of(const char *json) {
    swModel *m = compile_text(json, NULL);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    const swVec3 tip = sw_probe_displacement(s, 0);
    sw_state_destroy(s);
    sw_model_destroy(m);
    return tip;
}

// The tip of a bar at a small, a medium and a large load, with frames of two kinds.
static void bars_bend_as_full_ones(void **state) {
    (void)state;
    static const char *const bar[2][3][2] = {
        {{BAR("'kind': 'affine'", TIP("0.25")), BAR("'precompute': true", TIP("0.25"))},
         {BAR("'kind': 'affine'", TIP("5")), BAR("'precompute': true", TIP("5"))},
         {BAR("'kind': 'affine'", TIP("40")), BAR("'precompute': true", TIP("40"))}},
        {{BAR("'kind': 'rigid'", TIP("0.25")),
          BAR("'kind': 'rigid', 'precompute': true", TIP("0.25"))},
         {BAR("'kind': 'rigid'", TIP("5")), BAR("'kind': 'rigid', 'precompute': true", TIP("5"))},
         {BAR("'kind': 'rigid'", TIP("40")),
          BAR("'kind': 'rigid', 'precompute': true", TIP("40"))}}};
    static const swReal allowed[2][3] = {{1e-4, 3e-3, 1.5e-2}, {1e-3, 2e-2, 6e-2}};
    for (int kind = 0; kind < 2; kind++)
        for (int load = 0; load < 3; load++) {
            const swVec3 full = tip_of(bar[kind][load][0]), pre = tip_of(bar[kind][load][1]);
            const swReal error = sw_norm(sw_sub(full, pre)) / sw_norm(full);
            print_message("%s frames, tip %.3f: %.2g%% off\n", kind ? "rigid" : "affine", -full.y,
                          100 * error);
            assert_true(error < allowed[kind][load]);
        }
}

static void some_scenes_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *json, *says;
    } refused[] = {
        {BODY(", 'frames': {'precompute': true, 'kind': 'rigid', 'blend': 'dual-quaternion'}"),
         "describes fully, found dual quaternions"},
        {BODY(", 'shapes': [{'name': 'long', 'parts': [{'stretch': [2, 1, 1]}]}], 'frames': "
              "{'precompute': true}"),
         "describes fully, found rest shapes"},
        {"{'sinew': 1, 'materials': {'m': {'fibre': {'direction': [1, 0, 0], 'strength': 10}}}, "
         "'bodies': [{'shape': {'sphere': {'radius': 1}}, 'frames': {'precompute': true}}]}",
         "\"m\", which has fibres"},
        {"{'sinew': 1, 'materials': {'m': {'yield': 10}}, 'bodies': [{'shape': {'sphere': "
         "{'radius': 1}}, 'frames': {'precompute': true}}]}",
         "\"m\", which yields"},
        {BODY(", 'frames': {'precompute': true, 'springs': 0}"), "frames.springs: expected"},
        {BODY(", 'frames': {'precompute': 1}"), "frames.precompute: expected true or false"},
    };
    for (int i = 0; i < SW_COUNT(refused); i++) {
        swError error = {0};
        char text[1024];
        swScene *scene = parse_scene(refused[i].json, &error);
        swModel *m = scene ? sw_compile(scene, &error) : NULL;
        assert_null(m);
        if (!strstr(sw_error_text(&error, text, sizeof text), refused[i].says))
            fail_msg("\"%s\" does not say \"%s\"", text, refused[i].says);
        sw_scene_destroy(scene);
    }
}

// Indices that lead out of their arrays are seen, whatever wrote them.
static void broken_springs_are_seen(void **state) {
    (void)state;
    swScene *scene = brick_scene(SW_NODE_RIGID, true, MANY);
    swModel *model = compile_scene(scene);
    const swBodyModel *m = only_body(model);
    assert_true(sw_body_model_sane(m) && m->link[0].tied > 1);
    for (int which = 0; which < 2; which++) {
        swLink *s = &m->link[which];
        int *field[] = {&s->body,  &s->node, &s->nnode,   &s->ncolumn,
                        &s->nfree, &s->tied, &s->nstrain, &m->link_node[s->node]};
        for (int i = 0; i < SW_COUNT(field); i++)
            for (int wrong = -1; wrong < 2; wrong++) {
                const int kept = *field[i];
                *field[i] = wrong == 0 ? kept + 1 : wrong * 1000000;
                assert_false(sw_body_model_sane(m));
                *field[i] = kept;
            }
        const int64_t data = s->data;
        s->data = m->size.nlink_data - 1;
        assert_false(sw_body_model_sane(m));
        s->data = data;
    }
    assert_true(sw_body_model_sane(m));
    sw_model_destroy(model);
    sw_scene_destroy(scene);
}

// From the k-th request on there is no memory.
static void compiling_survives_no_memory(void **state) {
    (void)state;
    swScene *scene = NULL;
    for (int fail_at = 1, step = 1;; fail_at += step) {
        Counter counter = {.fail_at = fail_at};
        const swConfig config = counting_config(&counter);
        swError error = {0};
        scene = parse_with(BAR("'precompute': true", TIP("1")), &config, &error);
        swModel *m = scene ? sw_compile(scene, &error) : NULL;
        const bool ok = m != NULL;
        sw_model_destroy(m);
        sw_scene_destroy(scene);
        assert_int_equal(counter.held, 0);
        if (ok)
            break;
        assert_int_equal(error.code, SW_ERROR_MEMORY);
        step = 1 + fail_at / 40;
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(springs_are_the_model_at_rest),
    cmocka_unit_test(derivatives_are_exact),
    cmocka_unit_test(forces_are_internal),
    cmocka_unit_test(projected_stiffness_is_semidefinite),
    cmocka_unit_test(inverted_parts_have_forces),
    cmocka_unit_test(momentum_is_kept),
    cmocka_unit_test(threads_and_files_keep_every_bit),
    cmocka_unit_test(steps_need_no_samples),
    cmocka_unit_test(colours_are_those_of_samples),
    cmocka_unit_test(bars_bend_as_full_ones),
    cmocka_unit_test(some_scenes_are_refused),
    cmocka_unit_test(broken_springs_are_seen),
    cmocka_unit_test(compiling_survives_no_memory),
};
SW_SUITE(links, tests)
