// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Particles: shape functions of moving least squares, warped stiffness, rotations, the one factor.
#include "test_scene.h"

#include "cubature/cloud.h"
#include "geometry/solid.h"
#include "kinematics/rigid.h"
#include "frames/scatter.h"
#include "world/body.h"
#include "solve/work.h"
#include "volume/voxelize.h"

// ---- shape functions ----

typedef struct {
    swConfig config;
    swArena arena;
    swGrid grid;
    swLattice lattice;
    swMls mls;
    swMlsSearch search;
} Cloud;

// Particles on the voxels of a box of 1 x 0.6 x 0.4 m.
static void make_cloud(Cloud *c, int count) {
    swError error = {0};
    swShape box = {.kind = SW_SHAPE_BOX, .size = {1, 0.6, 0.4}, .scale = 1};
    *c = (Cloud){.config = sw_default_config()};
    sw_arena_init(&c->arena, &c->config.allocator);
    const swSolid *solid = sw_solid_create(&box, NULL, "shape", &c->config, &c->arena, &error);
    require(solid &&
                sw_voxelize(1, &(swPaint){.solid = solid}, 0.05, "body", NULL, &c->config,
                            &c->arena, &c->grid, &error) &&
                sw_lattice_create(&c->grid, &c->arena, &c->lattice, &error),
            &error);
    const int n = c->grid.nvoxel;
    swVec3 *p = SW_NEW(&c->arena, n, swVec3, NULL), *X = SW_NEW(&c->arena, count, swVec3, NULL);
    int *kept = SW_NEW(&c->arena, n, int, NULL), *home = SW_NEW(&c->arena, count, int, NULL);
    for (int i = 0; i < n; i++)
        p[i] = c->grid.voxel[i].centroid;
    require(sw_scatter(n, p, c->grid.volume, count, &c->arena, kept, &error), &error);
    for (int i = 0; i < count; i++) {
        assert_true(i == 0 || kept[i] > kept[i - 1]);
        X[i] = p[kept[i]];
        home[i] = c->lattice.index[c->grid.voxel[kept[i]].cell];
    }
    require(sw_mls_create(&c->mls, &c->lattice, count, X, home, 6, &c->arena, &error) &&
                sw_mls_search_create(&c->search, &c->mls, &c->arena, &error),
            &error);
}

static bool shape_at(Cloud *c, swVec3 p, swMlsShape *shape) {
    const int cell = sw_lattice_find(&c->lattice, p, 1);
    return cell >= 0 && sw_mls_shape(&c->search, p, cell, true, shape);
}

static swVec3 inside(Random *r) {
    return sw_v3(random_in(r, -0.48, 0.48), random_in(r, -0.28, 0.28), random_in(r, -0.18, 0.18));
}

static void reproduces_affine_fields(void **state) {
    (void)state;
    Cloud c;
    Random r = {1};
    make_cloud(&c, 150);
    for (int k = 0; k < 200; k++) {
        const swVec3 p = inside(&r);
        swMlsShape s;
        swReal one = 0, zero[3] = {0}, at[3] = {0}, gradient[3][3] = {{0}};
        assert_true(shape_at(&c, p, &s));
        for (int a = 0; a < s.n; a++) {
            one += s.phi[a];
            for (int i = 0; i < 3; i++) {
                const swReal X = sw_get(c.mls.X[s.node[a]], i);
                zero[i] += s.gradient[a][i];
                at[i] += X * s.phi[a];
                for (int j = 0; j < 3; j++)
                    gradient[i][j] += X * s.gradient[a][j];
            }
        }
        assert_near(one, 1, 1e-12);
        for (int i = 0; i < 3; i++) {
            assert_near(zero[i], 0, 1e-10);
            assert_near(at[i], sw_get(p, i), 1e-12);
            for (int j = 0; j < 3; j++)
                assert_near(gradient[i][j], i == j, 1e-10);
        }
    }
    sw_arena_free(&c.arena);
}

static swReal phi_of(const swMlsShape *s, int node) {
    for (int a = 0; a < s->n; a++)
        if (s->node[a] == node)
            return s->phi[a];
    return 0;
}

static void gradients_are_derivatives(void **state) {
    (void)state;
    const swReal h = 1e-6;
    Cloud c;
    Random r = {2};
    make_cloud(&c, 150);
    for (int k = 0; k < 40; k++) {
        const swVec3 p = inside(&r);
        swMlsShape s, lo, hi;
        assert_true(shape_at(&c, p, &s));
        for (int j = 0; j < 3; j++) {
            swVec3 a = p, b = p;
            sw_set(&a, j, sw_get(p, j) - h);
            sw_set(&b, j, sw_get(p, j) + h);
            assert_true(shape_at(&c, a, &lo) && shape_at(&c, b, &hi));
            for (int i = 0; i < s.n; i++)
                assert_near(s.gradient[i][j],
                            (phi_of(&hi, s.node[i]) - phi_of(&lo, s.node[i])) / (2 * h), 2e-6);
        }
    }
    sw_arena_free(&c.arena);
}

// With all nodes in a plane, fields are right in it and constant across.
static void plane_of_nodes(void **state) {
    (void)state;
    Cloud c;
    swError error = {0};
    make_cloud(&c, 150);
    swVec3 X[25];
    int home[25];
    for (int i = 0; i < 25; i++) {
        X[i] = sw_v3(0.18 * (i % 5 - 2) + 0.01, 0.1 * (i / 5 - 2) + 0.01, 0.02);
        home[i] = sw_lattice_find(&c.lattice, X[i], 0);
    }
    require(sw_mls_create(&c.mls, &c.lattice, 25, X, home, 6, &c.arena, &error) &&
                sw_mls_search_create(&c.search, &c.mls, &c.arena, &error),
            &error);
    swMlsShape s;
    assert_true(shape_at(&c, sw_v3(0.03, 0.04, 0.06), &s));
    swReal x = 0, z = 0, across = 0;
    for (int a = 0; a < s.n; a++) {
        x += s.phi[a] * X[s.node[a]].x;
        z += s.phi[a];
        across += s.gradient[a][2] * X[s.node[a]].x;
    }
    assert_near(x, 0.03, 1e-9);
    assert_near(z, 1, 1e-12);
    assert_near(across, 0, 1e-8);
    sw_arena_free(&c.arena);
}

// ---- scenes ----

#define MATERIAL \
    "'materials': {'m': {'law': 'corotated', 'young': 1e5, 'poisson': 0.4, 'density': 1000}}"
#define BAR(head, particles, motion) \
    "{'sinew': 1, 'gravity': [0, 0, 0], " head ", " MATERIAL ", 'bodies': [{" \
    "'shape': {'box': {'size': [1, 0.25, 0.25]}}, 'voxel': 0.05, 'particles': {" particles "}, " \
    "'handles': [{'region': {'capsule': {'from': [-0.48, 0, 0], 'to': [-0.1, 0, 0], " \
    "'radius': 0.02}}, 'motion': 'fixed'}, {'region': {'capsule': {'from': [0.1, 0, 0], " \
    "'to': [0.48, 0, 0], 'radius': 0.02}}, 'motion': " motion "}]}], " \
    "'probes': [{'name': 'tip', 'point': [0.5, 0.1, 0.1]}]}"
#define BEND "{'keys': [{'t': 0}, {'t': 1, 'rotate': {'axis': [0, 0, 1], 'degrees': 90}}]}"
#define STATIC "'analysis': 'static'"
#define FREE(particles) \
    "{'sinew': 1, 'gravity': [0, 0, 0], " MATERIAL ", 'bodies': [{'shape': {'union': [" \
    "{'box': {'size': [1, 0.3, 0.3]}}, {'sphere': {'radius': 0.25}}]}, 'voxel': 0.05, " \
    "'place': {'rotate': {'axis': [1, 2, 3], 'degrees': 50}, 'translate': [3, 0, 1]}, " \
    "'particles': {" particles "}}]}"

static swAffine random_affine(Random *r, swReal size) {
    swAffine f = {random_mat(r, size), random_vec(r, 1)};
    for (int k = 0; k < 9; k += 4)
        f.A.m[k] += 1;
    return f;
}

// Every vertex of the model's one body to where f has its rest position.
static void put_all(const swBodyModel *m, swAffine f, swReal *q) {
    for (int v = 0; v < m->body[0].net; v++) {
        const swVec3 x = sw_affine_at(f, m->node[v].origin);
        memcpy(q + m->node[v].q, &x, sizeof x);
    }
}

static void surface_follows(void **state) {
    (void)state;
    Random r = {3};
    swModel *model = compile_text(FREE("'count': 200, 'rotations': 'polar'"), NULL);
    swState *world = make_state(model);
    const swBodyModel *m = only_body(model);
    swBodyState *s = only_state(world);
    const swAffine f = random_affine(&r, 0.3);
    const int n = sw_body_vertex_count(model, 0);
    swVec3 *x = test_calloc((size_t)n, sizeof *x);
    put_all(m, f, s->q);
    sw_body_vertices(world, 0, x);
    for (int i = 0; i < n; i++)
        assert_near(sw_norm(sw_sub(x[i], sw_affine_at(f, m->point[m->body[0].point + i]))), 0,
                    1e-10);
    assert_near(m->body[0].mass, 1000 * m->body[0].volume, 1e-9 * m->body[0].mass);
    for (int v = 0; v < m->body[0].net; v++)
        assert_true(m->weight_load[m->node[v].q / 3] > 0);
    test_free(x);
    sw_state_destroy(world);
    sw_model_destroy(model);
}

static swReal elastic(swBodyState *s, const swReal *q, swReal *g) {
    const swElasticInput input = {.q = q, .activation = s->activation, .plastic = s->plastic};
    swSystem sys = {.g = g};
    if (g)
        memset(g, 0, (size_t)s->model->size.nq * sizeof *g);
    sw_elastic_add(s->model, &s->work->elastic, NULL, &input, &sys);
    return sys.energy;
}

static swReal largest(int64_t n, const swReal *x) {
    swReal most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

// The energy of a homogeneous strain is exact, rigid motion has none, and neither has forces inside
// (those of a homogeneous stress are at the surface alone: their sum is zero).
static void patch_test(void **state) {
    (void)state;
    Random r = {4};
    swModel *model = compile_text(FREE("'count': 200, 'rotations': 'polar'"), NULL);
    swState *world = make_state(model);
    const swBodyModel *m = only_body(model);
    swBodyState *s = only_state(world);
    const swReal mu = 1e5 / 2.8, lambda = 1e5 * 0.4 / (1.4 * 0.2);
    for (int k = 0; k < 5; k++) {
        const swMat3 R = random_rotation(&r), E = random_mat(&r, 0.1);
        swMat3 S = sw_mat_identity(); // symmetric stretch
        swReal square = 0, trace = 0;
        for (int i = 0; i < 9; i++) {
            const swReal e = 0.5 * (E.m[i] + E.m[3 * (i % 3) + i / 3]);
            S.m[i] += e;
            square += e * e;
            trace += i % 4 == 0 ? e : 0;
        }
        put_all(m, (swAffine){sw_mat_mul(R, S), random_vec(&r, 5)}, s->q);
        sw_particles_turn(m, &s->work->elastic.particles, NULL, s->q);
        const swReal energy = m->body[0].volume * (mu * square + 0.5 * lambda * trace * trace);
        assert_near(elastic(s, s->q, NULL), energy, 1e-9 * energy);
        put_all(m, (swAffine){R, random_vec(&r, 5)}, s->q);
        sw_particles_turn(m, &s->work->elastic.particles, NULL, s->q);
        assert_near(elastic(s, s->q, s->work->g), 0, 1e-15);
        assert_near(largest(m->size.nq, s->work->g), 0, 1e-7); // of 1e4 N
    }
    sw_state_destroy(world);
    sw_model_destroy(model);
}

// g is the derivative of the energy, H that of g, and the product without a matrix that with H.
static void derivatives(void **state) {
    (void)state;
    Random r = {5};
    swModel *model = compile_text(BAR(STATIC, "'count': 60", BEND), NULL);
    swState *world = make_state(model);
    const swBodyModel *m = only_body(model);
    swBodyState *s = only_state(world);
    swWork *w = s->work;
    const int64_t nq = m->size.nq;
    swReal *g = test_calloc((size_t)nq, sizeof *g), *x = test_calloc((size_t)nq, sizeof *x),
           *lo = test_calloc((size_t)nq, sizeof *lo), *hi = test_calloc((size_t)nq, sizeof *hi);
    sw_statics_place(m, s, 0.6, s->q);
    sw_particles_turn(m, &w->elastic.particles, NULL, s->q);
    for (int v = 0; v < m->body[0].net; v++)
        for (int k = 0; k < 3; k++) {
            s->q[m->node[v].q + k] += random_in(&r, -0.02, 0.02);
            x[m->node[v].q + k] = m->node[v].ndof ? random_in(&r, -1, 1) : 0;
        }
    elastic(s, s->q, g);
    memcpy(w->q_trial, s->q, (size_t)nq * sizeof *g);
    swReal slope = 0;
    for (int64_t i = 0; i < nq; i++)
        slope += g[i] * x[i];
    const swReal h = 1e-5;
    for (int64_t i = 0; i < nq; i++)
        w->q_trial[i] = s->q[i] + h * x[i];
    const swReal up = elastic(s, w->q_trial, hi);
    for (int64_t i = 0; i < nq; i++)
        w->q_trial[i] = s->q[i] - h * x[i];
    const swReal down = elastic(s, w->q_trial, lo);
    assert_near((up - down) / (2 * h), slope, 1e-6 * fabs(slope));
    swReal *y = w->q_end;
    const swElasticInput input = {.q = s->q, .activation = s->activation};
    memset(y, 0, (size_t)nq * sizeof *y);
    sw_particles_multiply(m, &w->elastic.particles, NULL, &input, x, y);
    const swReal size = largest(nq, y);
    sw_product_prepare(&w->warped.product, m, &w->elastic.particles, &input);
    for (int v = 0; v < m->body[0].net; v++)
        for (int k = 0; k < 3; k++)
            w->warped.product.x[4 * v + k] = (float)x[m->node[v].q + k];
    sw_product_apply(&w->warped.product, m, NULL);
    swSystem sys = {.g = w->g, .H = &w->H};
    sw_blocks_clear(&w->H);
    memset(w->g, 0, (size_t)nq * sizeof *w->g);
    sw_elastic_add(m, &w->elastic, NULL, &input, &sys);
    for (int v = 0; v < m->body[0].net; v++)
        for (int k = 0; k < 3 && m->node[v].ndof; k++)
            w->step[m->node[v].dof + k] = x[m->node[v].q + k];
    sw_blocks_multiply(&w->H, w->step, w->residual);
    for (int v = 0; v < m->body[0].net; v++)
        for (int k = 0; k < 3 && m->node[v].ndof; k++) {
            const int at = m->node[v].q + k;
            assert_near((hi[at] - lo[at]) / (2 * h), y[at], 1e-6 * size);
            assert_near(w->residual[m->node[v].dof + k], y[at], 1e-10 * size);
            assert_near(w->warped.product.y[4 * v + k], y[at], 3e-6 * size);
        }
    test_free(g);
    test_free(x);
    test_free(lo);
    test_free(hi);
    sw_state_destroy(world);
    sw_model_destroy(model);
}

// Where rotations follow, forces are the derivatives of the energy, and the stiffness theirs.
static void exact_derivatives(void **state) {
    (void)state;
    Random r = {6};
    swModel *model = compile_text(FREE("'count': 60, 'rotations': 'polar'"), NULL);
    swState *world = make_state(model);
    const swBodyModel *m = only_body(model);
    swBodyState *s = only_state(world);
    swWork *w = s->work;
    const int64_t nq = m->size.nq;
    swReal *x = test_calloc((size_t)nq, sizeof *x), *lo = test_calloc((size_t)nq, sizeof *lo),
           *hi = test_calloc((size_t)nq, sizeof *hi), *q = test_calloc((size_t)nq, sizeof *q);
    sw_particles_follow(m, &w->elastic.particles, true);
    put_all(m, random_affine(&r, 0.4), q);
    for (int64_t i = 0; i < nq; i++) {
        q[i] += random_in(&r, -0.01, 0.01);
        x[i] = random_in(&r, -1, 1);
    }
    const swElasticInput input = {.q = q, .activation = s->activation};
    swSystem sys = {.g = w->g, .H = &w->H};
    sw_blocks_clear(&w->H);
    memset(w->g, 0, (size_t)nq * sizeof *w->g);
    sw_elastic_add(m, &w->elastic, NULL, &input, &sys);
    swReal slope = 0;
    const swReal h = 1e-5;
    for (int v = 0; v < m->body[0].net; v++)
        for (int k = 0; k < 3; k++) {
            slope += w->g[m->node[v].q + k] * x[m->node[v].q + k];
            w->step[m->node[v].dof + k] = x[m->node[v].q + k];
        }
    sw_blocks_multiply(&w->H, w->step, w->residual);
    for (int64_t i = 0; i < nq; i++)
        w->q_trial[i] = q[i] + h * x[i];
    const swReal up = elastic(s, w->q_trial, hi);
    for (int64_t i = 0; i < nq; i++)
        w->q_trial[i] = q[i] - h * x[i];
    const swReal down = elastic(s, w->q_trial, lo);
    assert_near((up - down) / (2 * h), slope, 1e-6 * fabs(slope));
    const swReal size = largest(m->size.ndof, w->residual);
    for (int v = 0; v < m->body[0].net; v++)
        for (int k = 0; k < 3; k++)
            assert_near((hi[m->node[v].q + k] - lo[m->node[v].q + k]) / (2 * h),
                        w->residual[m->node[v].dof + k], 1e-5 * size);
    test_free(x);
    test_free(lo);
    test_free(hi);
    test_free(q);
    sw_state_destroy(world);
    sw_model_destroy(model);
}

// A soft plate with a stiff piece, pulled by a third: rotations are found along with the rest.
static void polar_comes_to_rest(void **state) {
    (void)state;
    swModel *m = compile_text(
        "{'sinew': 1, 'gravity': [0, 0, 0], " STATIC ", 'materials': {'soft': {'law': "
        "'corotated', 'young': 1e5, 'poisson': 0.3}, 'stiff': {'law': 'corotated', 'young': 1e9, "
        "'poisson': 0.3}}, 'bodies': [{'shape': {'union': [{'box': {'size': [9, 4, 0.4], "
        "'center': [4.5, 0, 0]}, 'material': 'soft'}, {'box': {'size': [3, 1.6, 0.4], 'center': "
        "[4.5, 0, 0]}, 'material': 'stiff'}]}, 'voxel': 0.2, 'particles': {'count': 250, "
        "'rotations': 'polar'}, 'handles': [{'region': {'box': {'size': [0, 9, 9]}}, 'motion': "
        "'fixed'}], 'loads': [{'traction': [3e4, 0, 0], 'on': {'box': {'size': [0, 9, 9], "
        "'center': [9, 0, 0]}}}]}], 'probes': [{'name': 'end', 'point': [9, 0, 0]}]}",
        NULL);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    assert_true(sw_state_report(s)->iterations <= 40 && sw_state_report(s)->cuts == 0);
    const swVec3 end = sw_probe_position(s, 0);
    assert_true(end.x > 10 && end.x < 11.7);
    assert_false(only_state(s)->work->elastic.particles.memory->follow);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// What is remembered along a step is what an evaluation at its end finds, and turning forgets it.
static void memory_is_right(void **state) {
    (void)state;
    swModel *model = compile_text(
        BAR("'time': {'step': 0.02, 'integrator': 'linear-implicit'}", "'count': 120", BEND), NULL);
    swState *world = make_state(model);
    const swBodyModel *m = only_body(model);
    swBodyState *s = only_state(world);
    swParticleMemory *memory = s->work->elastic.particles.memory;
    swReal *g = test_calloc((size_t)m->size.nq, sizeof *g),
           *again = test_calloc((size_t)m->size.nq, sizeof *g);
    step_or_fail(model, world, 10);
    assert_true(memory->known);
    const swReal energy = elastic(s, s->q, g);
    memory->known = false;
    assert_near(elastic(s, s->q, again), energy, 1e-6 * energy);
    const swReal size = largest(m->size.nq, again);
    for (int64_t i = 0; i < m->size.nq; i++)
        assert_near(g[i], again[i], 1e-6 * size);
    assert_true(memory->known);
    sw_statics_place(m, s, 0.6, s->q);
    sw_particles_turn(m, &s->work->elastic.particles, NULL, s->q);
    assert_false(memory->known);
    test_free(g);
    test_free(again);
    sw_state_destroy(world);
    sw_model_destroy(model);
}

static swVec3 tip_after(const char *json, int steps, swReal *elastic) {
    swModel *m = compile_text(json, NULL);
    swState *s = make_state(m);
    step_or_fail(m, s, steps);
    const swVec3 tip = sw_probe_position(s, 0);
    *elastic = sw_state_energy(s).elastic;
    sw_state_destroy(s);
    sw_model_destroy(m);
    return tip;
}

// One solve per step is as near to where it should be as it says: to the whole solution.
static void nearly_is_near(void **state) {
    (void)state;
    static const char *const ways[] = {
        BAR("'time': {'step': 0.02, 'integrator': 'linear-implicit'}", "'count': 200", BEND),
        BAR("'time': {'step': 0.02, 'integrator': 'implicit-euler'}", "'count': 200", BEND)};
    swReal elastic;
    const swVec3 tip[] = {tip_after(ways[0], 25, &elastic), tip_after(ways[1], 25, &elastic)};
    assert_near(sw_norm(sw_sub(tip[0], tip[1])), 0, 1e-3); // of half a metre
}

// ---- what comes of it ----

// A skeleton that turns as a whole takes the body along without strain.
static void rigid_skeleton(void **state) {
    (void)state;
    static const char turn[] =
        "{'keys': [{'t': 0}, {'t': 1, 'rotate': {'axis': [1, 2, 3], 'degrees': 140}}]}";
    char text[4096];
    snprintf(text, sizeof text, BAR(STATIC, "'count': 200", "%s"), turn);
    const char *fixed = strstr(text, "'motion': 'fixed'");
    char whole[4096];
    snprintf(whole, sizeof whole, "%.*s'motion': %s%s", (int)(fixed - text), text, turn,
             fixed + strlen("'motion': 'fixed'"));
    swModel *model = compile_text(whole, NULL);
    swState *world = make_state(model);
    const swBodyModel *m = only_body(model);
    swBodyState *s = only_state(world);
    solve_or_fail(model, world);
    const swMat3 R = sw_mat_rotation(sw_scale(140 * SW_PI / 180, sw_unit(sw_v3(1, 2, 3))));
    for (int v = 0; v < m->body[0].net; v++) {
        const swReal *x = s->q + m->node[v].q, *turned = s->work->elastic.particles.turn + 4 * v;
        const swVec3 at = sw_mul(R, m->node[v].origin);
        assert_near(sw_norm(sw_sub(sw_v3(x[0], x[1], x[2]), at)), 0, 1e-9);
        assert_near(mat_distance(sw_quaternion_rotation(turned), R), 0, 1e-13);
    }
    assert_near(sw_state_energy(world).elastic, 0, 1e-12);
    sw_state_destroy(world);
    sw_model_destroy(model);
}

// One linear solve, in which the one factor and the general way agree.
static void bent_in_one_solve(void **state) {
    (void)state;
    static const char *const ways[] = {
        BAR(STATIC ", 'solver': {'linear': 'sparse'}", "'count': 200", BEND),
        BAR(STATIC ", 'solver': {'linear': 'cg', 'tolerance': 1e-9}", "'count': 200", BEND)};
    swVec3 tip[2];
    for (int way = 0; way < 2; way++) {
        swModel *m = compile_text(ways[way], NULL);
        swState *s = make_state(m);
        solve_or_fail(m, s);
        assert_int_equal(only_state(s)->work->warped.possible, way == 0);
        if (way == 0)
            assert_true(sw_state_report(s)->iterations <= 2 && sw_state_report(s)->increments == 1);
        tip[way] = sw_probe_position(s, 0);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
    assert_near(sw_norm(sw_sub(tip[0], tip[1])), 0, 1e-6);
    assert_near(sw_norm(sw_sub(tip[0], sw_v3(-0.1, 0.5, 0.1))), 0, 0.08); // of a coarse bar
}

// Both rotations give nearly the same shape, and dynamics stay in balance.
static void rotations_agree(void **state) {
    (void)state;
    static const char *const kinds[] = {
        BAR("'time': {'step': 0.02}", "'count': 200", BEND),
        BAR("'time': {'step': 0.02}", "'count': 200, 'rotations': 'polar'", BEND)};
    swReal elastic[2];
    const swVec3 tip[] = {tip_after(kinds[0], 50, &elastic[0]),
                          tip_after(kinds[1], 50, &elastic[1])};
    assert_true(elastic[0] < 100 && elastic[1] < 100);
    assert_near(sw_norm(sw_sub(tip[0], tip[1])), 0, 0.06);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    static const char *const kinds[] = {
        BAR("'time': {'step': 0.02}", "'count': 200", BEND),
        BAR("'time': {'step': 0.02, 'integrator': 'linear-implicit'}",
            "'count': 200, 'rotations': 'polar'", BEND)};
    for (int i = 0; i < 2; i++) {
        uint64_t hash[3], model[3];
        for (int threads = 1; threads <= 3; threads++) {
            swConfig config = sw_default_config();
            config.threads = threads;
            swModel *m = compile_text(kinds[i], &config);
            swState *s = make_state(m);
            step_or_fail(m, s, 5);
            hash[threads - 1] = sw_state_hash(s);
            model[threads - 1] = sw_model_hash(m);
            sw_state_destroy(s);
            sw_model_destroy(m);
        }
        assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
        assert_true(model[0] == model[1] && model[0] == model[2]);
    }
}

// Two arms that lie side by side, joined at one end: no Gauss point of one sees the other away from
// there.
static void nothing_acts_across_a_gap(void **state) {
    (void)state;
    swModel *model = compile_text(
        "{'sinew': 1, " MATERIAL ", 'bodies': [{'shape': {'union': ["
        "{'box': {'size': [1, 0.2, 0.2], 'center': [0, 0.14, 0]}}, "
        "{'box': {'size': [1, 0.2, 0.2], 'center': [0, -0.14, 0]}}, "
        "{'box': {'size': [0.1, 0.48, 0.2], 'center': [-0.45, 0, 0]}}]}, 'voxel': 0.04, "
        "'particles': {'count': 150, 'rotations': 'polar'}}]}",
        NULL);
    const swBodyModel *m = only_body(model);
    int seen = 0;
    for (int64_t g = 0; g < m->size.ngauss; g++) {
        int above = 0, below = 0;
        swReal x = 0;
        for (int64_t e = m->gauss[g].first; e < m->gauss[g].first + m->gauss[g].count; e++) {
            const swVec3 X = m->node[m->gauss_node[e]].origin;
            *(X.y > 0 ? &above : &below) += 1;
            x += m->gauss_shape[4 * e] * X.x;
        }
        if (x < 0.1)
            continue;
        assert_true(above == 0 || below == 0);
        seen++;
    }
    assert_true(seen > 50);
    sw_model_destroy(model);
}

// About the inverse of a matrix, in single precision: exact where nothing is left out, and one that
// conjugate gradients can use where something is.
static void incomplete_factors(void **state) {
    (void)state;
    enum { N = 6 };
    static const int size[N] = {3, 0, 3, 3, 3, 3};
    int row[N + 1] = {0}, column[N * (N + 1) / 2];
    const swConfig config = sw_default_config();
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    for (int full = 0; full < 2; full++) {
        int count = 0;
        for (int i = 0; i < N; i++) { // a chain, or everything
            for (int j = full ? 0 : i - 1 - (i == 2); j <= i; j++)
                if (j >= 0)
                    column[count++] = j;
            row[i + 1] = count;
        }
        swBlocks A;
        swIncomplete f;
        swReal x[15], y[15], z[15];
        assert_true(sw_blocks_create(&A, (swPattern){N, row, column}, size, &arena, NULL));
        for (int64_t k = 0; k < A.count; k++)
            A.value[k] = sin((double)(7 * k + full));
        for (int i = 0; i < N; i++)
            for (int r = 0; r < size[i]; r++)
                A.value[A.at[row[i + 1] - 1] + 4 * r] += 12;
        for (int k = 0; k < 15; k++)
            x[k] = cos((double)k);
        assert_true(sw_incomplete_create(&f, &A, &arena, NULL));
        assert_true(sw_incomplete_compute(&f, &A, NULL));
        sw_blocks_multiply(&A, x, y);
        memcpy(z, y, sizeof z);
        sw_incomplete_solve(&f, z);
        for (int k = 0; k < 15; k++)
            assert_near(z[k], x[k], 1e-5);
        // Far from positive definite: said.
        A.value[A.at[row[4] - 1]] = -1e6;
        assert_false(sw_incomplete_compute(&f, &A, NULL));
    }
    sw_arena_free(&arena);
}

// Steps with the factor that leaves out and with the whole one agree, as far as they are solved.
static void factors_agree(void **state) {
    (void)state;
    static const char *const ways[] = {
        BAR("'time': {'step': 0.02}, 'solver': {'linear': 'sparse'}", "'count': 200", "'fixed'"),
        BAR("'time': {'step': 0.02}", "'count': 200", "'fixed'")};
    swVec3 tip[2];
    for (int way = 0; way < 2; way++) {
        swModel *m = compile_text(ways[way], NULL);
        swState *s = make_state(m);
        step_or_fail(m, s, 10);
        const swWarped *warped = &only_state(s)->work->warped;
        assert_true(warped->possible && warped->whole == (way == 0));
        assert_true(sw_state_profile(s).linear_iterations > 0);
        tip[way] = sw_probe_position(s, 0);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
    assert_near(sw_norm(sw_sub(tip[0], tip[1])), 0, 1e-6);
}

// Contact and pulls go the general way, and come back to the one factor.
static void pulls_go_the_general_way(void **state) {
    (void)state;
    swModel *m = compile_text(BAR("'time': {'step': 0.02}", "'count': 120", "'fixed'"), NULL);
    swState *s = make_state(m);
    step_or_fail(m, s, 2);
    const swVec3 before = sw_probe_position(s, 0);
    const int pull = sw_pull_body(s, 0, 0, sw_v3(0, 1, 0), 2000);
    assert_true(pull >= 0);
    step_or_fail(m, s, 3);
    sw_pull_release(s, pull);
    const int64_t general = only_state(s)->work->linear.prepared;
    assert_true(general > 0);
    step_or_fail(m, s, 60);
    assert_true(only_state(s)->work->linear.prepared == general);
    assert_near(sw_norm(sw_sub(sw_probe_position(s, 0), before)), 0, 0.05); // it rings
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void counts_are_exact(void **state) {
    (void)state;
    swModel *m = compile_text(BAR(STATIC, "'count': 237, 'samples': 14", BEND), NULL);
    const swBodyModel *body = only_body(m);
    int held = 0;
    for (int v = 0; v < body->body[0].net; v++)
        held += sw_node_is_carried(&body->node[v]);
    assert_int_equal(body->body[0].net, 237);
    assert_int_equal(held, 14);
    const char *path = temporary_path("particles.sinew");
    swError error = {0};
    require(sw_model_save(m, path, &error), &error);
    swModel *again = sw_model_load(path, NULL, &error);
    require(again != NULL, &error);
    assert_true(sw_model_hash(again) == sw_model_hash(m));
    unlink(path);
    sw_model_destroy(again);
    sw_model_destroy(m);
}

// ---- refusals ----

static void refuses(const char *json, const char *why) {
    swError error = {0};
    swScene *scene = parse_scene(json, &error);
    swModel *m = scene ? sw_compile(scene, &error) : NULL;
    assert_null(m);
    if (!strstr(error.message, why))
        fail_msg("expected \"%s\" in \"%s\"", why, error.message);
    sw_scene_destroy(scene);
}

static void refusals(void **state) {
    (void)state;
    refuses(BODY(", 'particles': {'rotations': 'polar'}"), "expected \"linear\" or \"corotated\"");
    refuses(BODY(", 'particles': {}"), "expected polar without handles");
    refuses(FREE("'count': 100000, 'rotations': 'polar'"), "one for each voxel");
    refuses(BAR(STATIC, "'count': 100, 'samples': 5000", BEND), "particles.samples");
    refuses(BAR(STATIC ", 'solver': {'path': 'arc-length'}", "'count': 100", BEND), "solver.path");
    refuses(FREE("'spacing': 1e-4, 'rotations': 'polar'"), "particles.spacing");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reproduces_affine_fields),
    cmocka_unit_test(gradients_are_derivatives),
    cmocka_unit_test(plane_of_nodes),
    cmocka_unit_test(surface_follows),
    cmocka_unit_test(patch_test),
    cmocka_unit_test(derivatives),
    cmocka_unit_test(exact_derivatives),
    cmocka_unit_test(polar_comes_to_rest),
    cmocka_unit_test(memory_is_right),
    cmocka_unit_test(nearly_is_near),
    cmocka_unit_test(rigid_skeleton),
    cmocka_unit_test(bent_in_one_solve),
    cmocka_unit_test(rotations_agree),
    cmocka_unit_test(threads_do_not_matter),
    cmocka_unit_test(nothing_acts_across_a_gap),
    cmocka_unit_test(incomplete_factors),
    cmocka_unit_test(factors_agree),
    cmocka_unit_test(pulls_go_the_general_way),
    cmocka_unit_test(counts_are_exact),
    cmocka_unit_test(refusals),
};

SW_SUITE(particles, tests)
