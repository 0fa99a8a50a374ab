// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The maps between unknowns and samples, and the whole of what a step minimises, against plain
// loops and finite differences; over every kind of node, law and collider there is.
#include "kinematics/group.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"
#include "math/tangent.h"
#include "solve/work.h"
#include "test_blocks.h"

// ---- linear blending against plain loops ----

enum { COLUMNS = 43, BLOCKS = 9 };

static void fill(Random *r, int n, swReal *a) {
    for (int i = 0; i < n; i++)
        a[i] = random_in(r, -1, 1);
}

static void blending_matches_plain_loops(void **state) {
    (void)state;
    static swReal gamma[BLOCKS * 3 * COLUMNS * SW_LANES], a[3 * COLUMNS], F[BLOCKS * 9 * SW_LANES],
        P[BLOCKS * 9 * SW_LANES], force[3 * COLUMNS * SW_LANES];
    Random r = {61};
    for (int n = 1; n <= COLUMNS; n += n < 12 ? 1 : 5)
        for (int nblock = 1; nblock <= BLOCKS; nblock++) {
            fill(&r, SW_COUNT(gamma), gamma);
            fill(&r, SW_COUNT(a), a);
            fill(&r, SW_COUNT(P), P);
            memset(force, 0, sizeof force);
            sw_linear_gradient(n, nblock, gamma, a, F);
            sw_linear_force(n, nblock, gamma, P, force);
            sw_linear_force(n, nblock, gamma, P, force); // it adds
            for (int b = 0; b < nblock; b++)
                for (int i = 0; i < 9 * SW_LANES; i++) {
                    int row = i / SW_LANES / 3, k = i / SW_LANES % 3, lane = i % SW_LANES;
                    swReal sum = 0;
                    for (int c = 0; c < n; c++)
                        sum += a[row * n + c] * gamma[((b * 3 + k) * n + c) * SW_LANES + lane];
                    assert_near(F[b * 9 * SW_LANES + i], sum, 1e-14 * n);
                }
            for (int i = 0; i < 3 * n * SW_LANES; i++) {
                int row = i / SW_LANES / n, c = i / SW_LANES % n, lane = i % SW_LANES;
                swReal sum = 0;
                for (int b = 0; b < nblock; b++)
                    for (int k = 0; k < 3; k++)
                        sum += P[(b * 9 + 3 * row + k) * SW_LANES + lane] *
                               gamma[((b * 3 + k) * n + c) * SW_LANES + lane];
                assert_near(force[i], 2 * sum, 1e-13 * nblock);
            }
        }
}

static void stiffness_matches_plain_loops(void **state) {
    (void)state;
    static swReal gamma[BLOCKS * 3 * COLUMNS * SW_LANES], C[BLOCKS * SW_TANGENT * SW_LANES],
        K[6 * COLUMNS * COLUMNS * SW_LANES], scratch[3 * COLUMNS * BLOCKS * SW_LANES];
    Random r = {62};
    for (int n = 1; n <= COLUMNS; n += n < 10 ? 1 : 11)
        for (int nfree = 0; nfree <= n; nfree += nfree < 5 ? 1 : 4)
            for (int nblock = 1; nblock <= BLOCKS; nblock += 4) {
                fill(&r, SW_COUNT(gamma), gamma);
                fill(&r, SW_COUNT(C), C);
                for (int b = 0; b < nblock; b++) // C_rr is symmetric
                    for (int pair = 0; pair < 3; pair++)
                        for (int kl = 0; kl < 9; kl++)
                            if (kl / 3 > kl % 3)
                                memcpy(C + ((b * 6 + pair) * 9 + kl) * SW_LANES,
                                       C + ((b * 6 + pair) * 9 + 3 * (kl % 3) + kl / 3) * SW_LANES,
                                       SW_LANES * sizeof *C);
                memset(K, 0, sizeof K);
                sw_linear_stiffness(n, nfree, nblock, gamma, C, K, scratch);
                for (int i = 0; i < 6 * nfree * nfree * SW_LANES; i++) {
                    int lane = i % SW_LANES, d = i / SW_LANES % nfree,
                        c = i / SW_LANES / nfree % nfree, pair = i / SW_LANES / nfree / nfree;
                    if (pair < 3 && d > c)
                        continue; // the lower triangle is enough
                    swReal sum = 0;
                    for (int b = 0; b < nblock; b++)
                        for (int kl = 0; kl < 9; kl++)
                            sum += gamma[((b * 3 + kl / 3) * n + c) * SW_LANES + lane] *
                                   C[((b * 6 + pair) * 9 + kl) * SW_LANES + lane] *
                                   gamma[((b * 3 + kl % 3) * n + d) * SW_LANES + lane];
                    assert_near(K[i], sum, 1e-13 * nblock);
                }
            }
}

// ---- rigid nodes: the chain rule, on nodes of all kinds together ----

enum { NODES = 10, MAXQ = 100 };

// A model of nodes alone: two rigid, a fixed one, one of each other kind, and vertices that the
// rigid ones carry.
static swBodyModel *bare_model(swNode *node, swNodePair *pair) {
    static swBodyModel model;
    static const int kind[NODES] = {SW_NODE_RIGID, SW_NODE_QUADRATIC, SW_NODE_RIGID, SW_NODE_AFFINE,
                                    SW_NODE_POINT, SW_NODE_RIGID,     SW_NODE_POINT, SW_NODE_POINT,
                                    SW_NODE_POINT, SW_NODE_POINT};
    static const int carrier[NODES] = {-1, -1, -1, -1, -1, -1, 0, 0, 5, 2};
    memset(&model, 0, sizeof model);
    for (int i = 0; i < NODES; i++) {
        const bool free = i != 2 && carrier[i] < 0, ambient = i != 2 && carrier[i] != 2;
        int width = sw_node_width((swNodeKind)kind[i]);
        node[i] = (swNode){.kind = kind[i],
                           .width = width,
                           .nu = 3 * width,
                           .parent = -1,
                           .carrier = carrier[i],
                           .origin = {0.1 * i, 1 - 0.2 * i, 0.3 * i - 1},
                           .q = (int)model.size.nq,
                           .handle = -1};
        node[i].ndof = !free ? 0 : kind[i] == SW_NODE_RIGID ? 6 : 3 * width;
        node[i].u = ambient ? (int)model.size.nu : -1;
        node[i].dof = free ? (int)model.size.ndof : -1;
        model.size.nq += 3 * width;
        model.size.nu += ambient ? 3 * width : 0;
        model.size.ndof += node[i].ndof;
        for (int j = 0; j <= i; j++)
            pair[model.size.npair++] = (swNodePair){i, j, 0};
    }
    model.size.nnode = NODES;
    model.node = node;
    model.pair = pair;
    return &model;
}

// A smooth function of q: f = b.q + q.S.q/2 + (a.q)^3/6.
typedef struct {
    int n;
    swReal b[MAXQ], a[MAXQ], S[MAXQ][MAXQ];
} Function;

static swReal function_gradient(const Function *f, const swReal *q, swReal *g) {
    swReal value = 0, aq = 0;
    for (int i = 0; i < f->n; i++)
        aq += f->a[i] * q[i];
    for (int i = 0; i < f->n; i++) {
        swReal Sq = 0;
        for (int j = 0; j < f->n; j++)
            Sq += f->S[i][j] * q[j];
        value += f->b[i] * q[i] + 0.5 * q[i] * Sq;
        g[i] = f->b[i] + Sq + 0.5 * aq * aq * f->a[i];
    }
    return value + aq * aq * aq / 6;
}

static void folding_is_the_chain_rule(void **state) {
    (void)state;
    static Function f;
    static swReal A[MAXQ * MAXQ], plus[MAXQ][MAXQ];
    swNode node[NODES];
    swNodePair pair[NODES * (NODES + 1) / 2];
    const swBodyModel *m = bare_model(node, pair);
    const int nq = (int)m->size.nq, n = (int)m->size.ndof;
    const swAllocator allocator = sw_default_config().allocator;
    swArena arena;
    swBlocks H, folded_H;
    sw_arena_init(&arena, &allocator);
    assert_true(sw_work_blocks(m, true, &arena, &H, NULL) &&
                sw_work_blocks(m, false, &arena, &folded_H, NULL));
    swReal q[MAXQ], g[MAXQ], folded[MAXQ], step[MAXQ], moved[MAXQ], d = 1e-4;
    Random r = {63};
    f.n = nq;
    fill(&r, nq, f.b);
    fill(&r, nq, f.a);
    for (int i = 0; i < nq; i++)
        for (int j = 0; j <= i; j++)
            f.S[i][j] = f.S[j][i] = random_in(&r, -1, 1);
    fill(&r, nq, q);
    for (int i = 0; i < NODES; i++) // rigid nodes are rigid
        if (node[i].kind == SW_NODE_RIGID) {
            swMat3 R = random_rotation(&r);
            for (int k = 0; k < 9; k++)
                q[node[i].q + 4 * (k / 3) + 1 + k % 3] = R.m[k];
        }
    sw_nodes_follow(m, q);
    function_gradient(&f, q, g);
    sw_nodes_release(m, g);
    sw_nodes_fold_gradient(m, q, g, folded);
    for (int64_t i = 0; i < H.count; i++) // the ambient Hessian, lower triangle
        H.value[i] = NAN;
    swReal aq = 0;
    for (int k = 0; k < nq; k++)
        aq += f.a[k] * q[k];
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j <= i; j++)
            for (int x = 0; node[i].u >= 0 && node[j].u >= 0 && x < 3 * node[i].width; x++)
                for (int y = 0; y < 3 * node[j].width; y++)
                    if (i != j || y <= x)
                        sw_blocks_get(&H, i, j).data[x * 3 * node[j].width + y] =
                            f.S[node[i].q + x][node[j].q + y] +
                            aq * f.a[node[i].q + x] * f.a[node[j].q + y];
    sw_nodes_fold_hessian(m, q, g, &H, &folded_H);
    sw_blocks_unpack(&folded_H, A, MAXQ);
    for (int i = 0; i < n; i++) {
        swReal value[2], slope[2][MAXQ];
        for (int side = 0; side < 2; side++) {
            memset(step, 0, sizeof step);
            step[i] = side ? 1 : -1;
            memcpy(moved, q, sizeof q);
            sw_nodes_move(m, step, d, moved);
            value[side] = function_gradient(&f, moved, g);
            sw_nodes_release(m, g);
            sw_nodes_fold_gradient(m, moved, g, slope[side]);
        }
        assert_near((value[1] - value[0]) / (2 * d), folded[i], 1e-6 * 10);
        for (int j = 0; j < n; j++)
            plus[i][j] = (slope[1][j] - slope[0][j]) / (2 * d);
    }
    // Folded at a turned node, gradients differ by half a turn of the torque; the symmetric part is
    // the Hessian.
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            assert_near(0.5 * (plus[i][j] + plus[j][i]), A[i * MAXQ + j], 1e-5);
    sw_arena_free(&arena);
}

static void moving_keeps_rigid_nodes_rigid(void **state) {
    (void)state;
    swNode node[NODES];
    swNodePair pair[NODES * (NODES + 1) / 2];
    const swBodyModel *m = bare_model(node, pair);
    swReal q[MAXQ] = {0}, step[MAXQ], bent[MAXQ];
    Random r = {64};
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < 3 && node[i].width >= 4; k++)
            q[node[i].q + k * node[i].width + 1 + k] = 1;
    for (int trial = 0; trial < 1000; trial++) {
        fill(&r, (int)m->size.ndof, step);
        sw_nodes_move(m, step, 0.7, q);
    }
    memcpy(bent, q, sizeof q);
    sw_nodes_make_rigid(m, bent);
    for (int i = 0; i < NODES; i++) {
        const swReal *A = bent + node[i].q, *before = q + node[i].q;
        if (node[i].kind != SW_NODE_RIGID || !node[i].ndof) {
            for (int k = 0; k < 3 * node[i].width; k++) // carriers may change by rounding
                assert_near(A[k], before[k], node[i].carrier < 0 ? 0 : 1e-12);
            continue;
        }
        swMat3 R = {{A[1], A[2], A[3], A[5], A[6], A[7], A[9], A[10], A[11]}};
        assert_rotation(R, 1e-14);
        for (int k = 0; k < 12; k++)
            assert_near(A[k], before[k], 1e-12);
    }
    for (int k = 0; k < 12; k++) // the fixed one has not moved
        assert_true(q[node[2].q + k] == (k % 4 == k / 4 + 1));
}

// Force and torque of a gradient: what it does along a small rigid motion about the centre.
static void wrenches_are_work_per_motion(void **state) {
    (void)state;
    Random r = {65};
    for (int trial = 0; trial < 100; trial++) {
        swMat3 R = random_rotation(&r);
        swVec3 t = random_vec(&r, 2), center = random_vec(&r, 2), force, torque;
        swReal A[12], g[12];
        for (int k = 0; k < 12; k++)
            A[k] = k % 4 == 0 ? sw_get(t, k / 4) : R.m[3 * (k / 4) + k % 4 - 1];
        fill(&r, 12, g);
        const swNode node = {.kind = SW_NODE_RIGID, .width = 4, .nu = 12};
        sw_node_wrench(&node, A, g, center, &force, &torque);
        swVec3 u = random_vec(&r, 1), w = random_vec(&r, 1);
        swReal work = 0;
        for (int c = 0; c < 4; c++) { // x -> u + w x (x - center)
            swVec3 column = sw_v3(A[c], A[4 + c], A[8 + c]);
            swVec3 moved = c ? sw_cross(w, column) : sw_add(u, sw_cross(w, sw_sub(column, center)));
            work += g[c] * moved.x + g[4 + c] * moved.y + g[8 + c] * moved.z;
        }
        assert_near(sw_dot(force, u) + sw_dot(torque, w), work, 1e-13);
    }
}

// ---- the whole objective ----

enum { MIXED = TEST_KINDS }; // a frame of each kind in one body

static const swShapeKind no_collider = SW_SHAPE_KINDS;

// A brick with frames of one kind (points need weights that reproduce positions, which none does),
// a fixed, a free and a driven handle, everything that pushes or damps it, and one collider in its
// way.
static swScene *busy_scene(int kind, const char *law, const char *weights, swShapeKind collider) {
    static const swVec3 at[] = {{0.25, 0.1, 0.11}, {0.72, 0.15, 0.08}};
    static const swNodeKind kinds[] = {SW_NODE_QUADRATIC, SW_NODE_RIGID};
    swScene *s = sw_scene_create(NULL);
    s->gravity = sw_v3(1, -9, 2);
    swMaterial *material = sw_scene_add_material(s, "rubber");
    material->law = law;
    material->young = 1e4;
    swBody *b = sw_scene_add_body(s, "brick");
    swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
    box->size = sw_v3(1, 0.3, 0.2);
    box->center = sw_v3(0.5, 0.15, 0.1);
    b->resolution = 10;
    set_kind(&b->frames, kind == MIXED ? SW_NODE_AFFINE : kind);
    b->frames.count = kind == MIXED;
    b->frames.at = at;
    b->frames.nat = SW_COUNT(at);
    if (kind == MIXED) {
        b->frames.kinds = kinds;
        b->frames.nkinds = SW_COUNT(kinds);
    }
    b->frames.weights.kind = weights;
    b->damping_mass = 3;
    b->damping_stiffness = 0.2;
    b->integration.points = 25;
    static const struct {
        const char *name;
        swReal x, width;
        swMotion motion;
    } handles[] = {{"wall", 0, 0.1, SW_MOTION_FIXED},
                   {"bone", 0.5, 0.12, SW_MOTION_FREE},
                   {"hand", 1, 0, SW_MOTION_FREE}};
    for (int i = 0; i < SW_COUNT(handles); i++) {
        swHandle *h = sw_body_add_handle(s, b, handles[i].name, SW_SHAPE_BOX);
        h->region->size = sw_v3(handles[i].width, 1, 1);
        h->region->center = sw_v3(handles[i].x, 0, 0);
        h->motion = handles[i].motion;
        if (i == 2)
            sw_handle_add_key(s, h, 0);
    }
    swLoad *load = sw_body_add_load(s, b, SW_SHAPE_BOX);
    load->on->size = sw_v3(0.4, 1, 1);
    load->on->center = sw_v3(0.8, 0, 0);
    load->traction = sw_v3(100, 50, -80);
    if (collider == no_collider)
        return s;
    swCollider *c = sw_scene_add_collider(s, collider);
    c->friction = 0.6;
    c->stiffness = 3e5;
    swShape *shape = c->shape; // each takes a bite out of the brick
    shape->normal = sw_v3(0.2, 1, 0.1);
    shape->offset = 0.14;
    shape->center = sw_v3(0.5, -0.2, 0.1);
    shape->radius = 0.33;
    shape->size = sw_v3(0.7, 0.6, 0.5);
    shape->from = sw_v3(0.45, -0.22, -0.1); // its side and both caps
    shape->to = sw_v3(0.7, -0.2, 0.15);
    if (collider == SW_SHAPE_CYLINDER || collider == SW_SHAPE_CONE)
        shape->to = sw_v3(0.6, 0.1, 0.15); // its side and its end
    shape->top = 0.2;
    static const swReal arrow[] = {0.15, -0.5, 0.85, -0.5, 0.85, 0.16, 0.5, 0.04, 0.15, 0.16};
    shape->polygon = arrow;
    shape->npolygon = SW_COUNT(arrow) / 2;
    shape->zrange[0] = -0.3;
    shape->zrange[1] = 0.15;
    if (collider == SW_SHAPE_MESH) { // its concave edges too
        shape->file = blocks_path("bite.obj", 0x7f, -1);
        shape->scale = 0.3;
        shape->pose = (swPose){{1, 2, 1}, 0.1, {0, 0, 0}, {0.2, -0.42, -0.22}};
    }
    return s;
}

// Muscles at work, between handles and not, and a rest shape that is neither the brick nor the
// other one.
static void actuate(swScene *s) {
    swBody *b = s->bodies;
    for (int i = 0; i < 2; i++) {
        swMuscle *m = sw_body_add_muscle(s, b, NULL);
        m->from.handle = i ? "bone" : "wall";
        m->to.handle = i ? NULL : "hand";
        m->to.point = i ? sw_v3(0.8, 0.2, 0.05) : m->to.point;
        m->strength = 200;
        m->activation = 0.7;
        m->stiffness = 500;
        m->length = 0.2;
    }
    swRestShape *shape = sw_body_add_rest_shape(s, b, NULL);
    sw_rest_shape_add_part(s, shape)->stretch = sw_v3(1.1, 0.95, 0.9);
    swDeform *part = sw_rest_shape_add_part(s, shape);
    part->twist = 0.3;
    part->to = sw_v3(0.7, 0.1, 0.1);
    sw_deform_on(s, part, SW_SHAPE_SPHERE)->radius = 0.5;
    shape->value = 0.6;
}

typedef struct {
    swModel *scene;
    swState *world;
    const swBodyModel *model;
    swBodyState *state;
    swReal *q, *q_last, *target, *trial, *step;
    swObjective objective;
} Bench;

static swReal *numbers(int64_t n) { return calloc((size_t)n + 1, sizeof(swReal)); }

// Positions some way from rest, the step's beginning a little away from them.
static Bench make_bench(const swScene *scene, Random *r, swReal bend, swReal slip) {
    Bench b = {.scene = compile_scene(scene)};
    const swBodyModel *m = b.model = only_body(b.scene);
    b.world = make_state(b.scene);
    b.state = only_state(b.world);
    b.q = numbers(m->size.nq);
    b.q_last = numbers(m->size.nq);
    b.target = numbers(m->size.nq);
    b.trial = numbers(m->size.nq);
    b.step = numbers(m->size.ndof);
    memcpy(b.q, m->q0, (size_t)m->size.nq * sizeof(swReal));
    memcpy(b.target, m->q0, (size_t)m->size.nq * sizeof(swReal));
    fill(r, (int)m->size.ndof, b.step);
    sw_nodes_move(m, b.step, bend, b.q);
    memcpy(b.q_last, b.q, (size_t)m->size.nq * sizeof(swReal));
    fill(r, (int)m->size.ndof, b.step);
    sw_nodes_move(m, b.step, slip, b.q_last);
    for (int64_t i = 0; i < m->size.nq; i++) // the target need not be a rigid motion
        b.target[i] += random_in(r, -0.1, 0.1);
    // Normal forces of the step before, of any size; some of none.
    sw_bulk_positions(m, b.q_last, b.state->work->bulk_last);
    sw_bulk_positions(m, m->q0, b.state->work->bulk_target);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        b.state->work->bulk_target[i] = sw_add(b.state->work->bulk_target[i], random_vec(r, 0.1));
    assert_true(b.scene->size.ncollider <= 1);
    for (int64_t i = 0; i < m->size.ncontact * b.scene->size.ncollider; i++)
        b.state->touch[SW_TOUCHES * i] = (swTouch){1, sw_max(0, random_in(r, -3, 10))};
    sw_body_begin_contact(b.state, b.q_last, &(swObjective){.h = 2});
    return b;
}

static void free_bench(Bench *b) {
    free(b->q);
    free(b->q_last);
    free(b->target);
    free(b->trial);
    free(b->step);
    sw_state_destroy(b->world);
    sw_model_destroy(b->scene);
}

// The objective and its folded gradient, moved along unknown i.
static swReal moved(Bench *b, int i, swReal by, swReal *gradient, int *contacts) {
    const swBodyModel *m = b->model;
    memset(b->step, 0, (size_t)m->size.ndof * sizeof *b->step);
    b->step[i] = 1;
    memcpy(b->trial, b->q, (size_t)m->size.nq * sizeof *b->q);
    sw_nodes_move(m, b->step, by, b->trial);
    swValue v =
        sw_objective_evaluate(m, b->state, &b->objective, b->trial, true, false, SW_PROJECT_NONE);
    sw_nodes_fold_gradient(m, b->trial, b->state->work->g, gradient);
    *contacts = v.contacts;
    return v.energy;
}

static swReal largest(int n, const swReal *a) {
    swReal size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(a[i]));
    return size;
}

// Gradient and Hessian against differences. Columns over which the set of contacts changes are left
// out; returns the share of the others.
static swReal check_bench(Bench *b, const char *what) {
    const swBodyModel *m = b->model;
    swWork *w = b->state->work;
    const int n = (int)m->size.ndof;
    const swReal d = 5e-7;
    swReal *gradient = numbers(n), *H = numbers((int64_t)n * n), *fd = numbers((int64_t)n * n);
    char *usable = calloc((size_t)n, 1);
    swValue value =
        sw_objective_evaluate(m, b->state, &b->objective, b->q, true, true, SW_PROJECT_NONE);
    assert_true(isfinite(value.energy) && fabs(value.energy) <= value.magnitude * (1 + 1e-12));
    sw_nodes_fold_gradient(m, b->q, w->g, gradient);
    if (w->folded)
        sw_nodes_fold_hessian(m, b->q, w->g, &w->H, &w->A);
    sw_blocks_unpack(&w->A, H, n);
    // without a Hessian, and without a gradient, the rest is the same
    swValue plain =
        sw_objective_evaluate(m, b->state, &b->objective, b->q, false, false, SW_PROJECT_NONE);
    assert_near(plain.energy, value.energy, 1e-14 * value.magnitude); // relaxed from elsewhere
    assert_int_equal(plain.contacts, value.contacts);
    int count = 0;
    swReal *low = numbers(n), *high = numbers(n), gsize = largest(n, gradient),
           hsize = largest(n * n, H);
    for (int i = 0; i < n; i++) {
        int before, after;
        swReal a = moved(b, i, -d, low, &before), c = moved(b, i, d, high, &after);
        usable[i] = before == value.contacts && after == value.contacts;
        for (int j = 0; j < n; j++)
            fd[i * n + j] = (high[j] - low[j]) / (2 * d);
        if (!usable[i])
            continue;
        count++;
        swReal allowed = 1e-7 * gsize + 1e-15 * value.magnitude / d + 1e-6 * d * hsize;
        if (fabs((c - a) / (2 * d) - gradient[i]) > allowed)
            fail_msg("%s: gradient %d of %d is %.12g, by differences %.12g", what, i, n,
                     gradient[i], (c - a) / (2 * d));
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            if (usable[i] && usable[j] &&
                fabs(0.5 * (fd[i * n + j] + fd[j * n + i]) - H[i * n + j]) > 2e-6 * hsize)
                fail_msg("%s: Hessian (%d, %d) of %d is %.12g, by differences %.12g (largest %g)",
                         what, i, j, n, H[i * n + j], 0.5 * (fd[i * n + j] + fd[j * n + i]), hsize);
    free(gradient);
    free(H);
    free(fd);
    free(low);
    free(high);
    free(usable);
    return (swReal)count / n;
}

// The terms one by one, then all together.
static void check_terms(const swScene *scene, Random *r, const char *what) {
    static const char *const term[] = {"elasticity and contact", "loads", "inertia",
                                       "damping and friction", "everything"};
    for (int t = 0; t < SW_COUNT(term); t++) {
        Bench b = make_bench(scene, r, 0.02, t % 2 ? 0.004 : 0.0004);
        char name[160];
        snprintf(name, sizeof name, "%s, %s", what, term[t]);
        const bool all = t == 4;
        b.objective = (swObjective){.inertia = t == 2 || all ? 4e3 : 0,
                                    .target = b.target,
                                    .q_last = t == 3 || all ? b.q_last : NULL,
                                    .h = 2,
                                    .load = t == 1 || all ? 0.8 : 0};
        assert_true(check_bench(&b, name) > 0.5);
        free_bench(&b);
    }
}

static void objectives_have_their_derivatives_for_all_nodes(void **state) {
    (void)state;
    Random r = {66};
    for (int kind = SW_NODE_RIGID; kind <= MIXED; kind++)
        for (int weights = 0; placed_weights(weights); weights++) {
            char what[80];
            swScene *s =
                busy_scene(kind, sw_law_name(kind % 2), placed_weights(weights), no_collider);
            if (weights % 2)
                actuate(s);
            snprintf(what, sizeof what, "node kind %d, %s weights", kind, placed_weights(weights));
            check_terms(s, &r, what);
            sw_scene_destroy(s);
        }
}

static void objectives_have_their_derivatives_for_all_laws(void **state) {
    (void)state;
    Random r = {67};
    for (int law = 0; sw_law_name(law); law++) {
        swScene *s = busy_scene(SW_NODE_AFFINE, sw_law_name(law), "shepard", no_collider);
        check_terms(s, &r, sw_law_name(law));
        actuate(s);
        check_terms(s, &r, sw_law_name(law));
        sw_scene_destroy(s);
    }
}

// The lowest eigenvalue of A - share B, over the largest entry of A.
static swReal lowest(int n, const swReal *A, swReal share, const swReal *B) {
    long double *C = calloc((size_t)n * (size_t)n, sizeof *C), *w = calloc((size_t)n, sizeof *w);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            C[i * n + j] = C[j * n + i] = A[i * n + j] - share * B[i * n + j];
    symmetric_eigen(n, C, w, NULL);
    long double least = w[0];
    for (int i = 1; i < n; i++)
        least = fminl(least, w[i]);
    free(C);
    free(w);
    return (swReal)least / largest(n * n, A);
}

// What one linear solve takes: never below zero, nor below the plain tangent where blending is
// linear, though that is far from definite.
static void definite_tangents_lie_above_plain_ones(void **state) {
    (void)state;
    Random r = {72};
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) {
        swScene *s = busy_scene(kind, "stvk", "shepard", SW_SHAPE_HALFSPACE);
        s->bodies->damping_stiffness = 0;
        Bench b = make_bench(s, &r, 0.2, 0.01);
        swWork *w = b.state->work;
        const int n = (int)b.model->size.ndof;
        swReal *A[2] = {numbers((int64_t)n * n), numbers((int64_t)n * n)};
        for (int definite = 0; definite < 2; definite++) {
            b.objective = (swObjective){.q_last = b.q_last, .h = 0.1, .linear = definite};
            const swValue value =
                sw_objective_evaluate(b.model, b.state, &b.objective, b.q, true, true,
                                      definite ? SW_PROJECT_CLAMP : SW_PROJECT_NONE);
            assert_true(isfinite(value.energy) && value.contacts > 0);
            (definite ? sw_nodes_fold_definite : sw_nodes_fold_hessian)(b.model, b.q, w->g, &w->H,
                                                                        &w->A);
            sw_blocks_unpack(&w->A, A[definite], n);
        }
        assert_true(lowest(n, A[1], 0, A[1]) > -1e-12);
        if (kind != TEST_DUAL) {
            assert_true(lowest(n, A[0], 0, A[0]) < -1e-3);
            assert_true(lowest(n, A[1], 1, A[0]) > -1e-12);
        }
        free(A[0]);
        free(A[1]);
        free_bench(&b);
        sw_scene_destroy(s);
    }
}

static void objectives_have_their_derivatives_in_contact(void **state) {
    (void)state;
    Random r = {68};
    int known = 0;
    for (int shape = 0; shape < SW_SHAPE_KINDS; shape++) {
        if (!sw_collider_kind(shape))
            continue;
        known++;
        for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) {
            char what[80];
            swScene *s = busy_scene(kind, "neo-hookean", "shepard", (swShapeKind)shape);
            snprintf(what, sizeof what, "collider kind %d, node kind %d", shape, kind);
            Bench b = make_bench(s, &r, 0.01, 0.002);
            b.objective = (swObjective){.q_last = b.q_last, .h = 2};
            swValue v = sw_objective_evaluate(b.model, b.state, &b.objective, b.q, false, false,
                                              SW_PROJECT_NONE);
            assert_true(v.contacts >= 10);
            free_bench(&b);
            check_terms(s, &r, what);
            sw_scene_destroy(s);
        }
    }
    assert_true(known >= 8);
}

// Samples of the model are the gradients of embedded points: x(p + dp) - x(p) = F dp.
static void check_gradients(int kind) {
    Random r = {70};
    swScene *s = busy_scene(kind, "stvk", "hat", no_collider);
    s->bodies->integration.every_voxel = true;
    const swVec3 middle = {0.35, 0.15, 0.05}; // the centre of a voxel
    const swReal d = 1e-5;
    for (int k = 0; k < 6; k++) {
        swVec3 p = middle;
        sw_set(&p, k / 2, sw_get(p, k / 2) + (k % 2 ? d : -d));
        sw_scene_add_probe(s, NULL, p);
    }
    Bench b = make_bench(s, &r, kind == TEST_DUAL ? 0.5 : 0.05, 0);
    const swBodyModel *m = b.model;
    int found = 0;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        swReal *a = numbers((int64_t)sw_group_rows(g) * g->ncolumn),
               *F = numbers((int64_t)g->nblock * 9 * SW_LANES);
        sw_group_gather(m, g, b.q, a);
        sw_group_gradient(m, g, 0, g->nblock, a, NULL, F);
        for (int k = 0; k < g->nblock * SW_LANES; k++) {
            if (m->sample_volume[g->sample + k] == 0 ||
                sw_norm(sw_sub(m->sample_point[g->sample + k], middle)) > 1e-9)
                continue;
            found++;
            for (int e = 0; e < 9; e++) {
                swVec3 lo = sw_point_position(m, b.q, b.scene->probe[2 * (e % 3)].point),
                       hi = sw_point_position(m, b.q, b.scene->probe[2 * (e % 3) + 1].point);
                swReal slope = (sw_get(hi, e / 3) - sw_get(lo, e / 3)) / (2 * d);
                assert_near(F[(k / SW_LANES * 9 + e) * SW_LANES + k % SW_LANES], slope, 1e-8);
            }
        }
        free(a);
        free(F);
    }
    assert_int_equal(found, 1);
    free_bench(&b);
    sw_scene_destroy(s);
}

static void deformation_gradients_are_those_of_points(void **state) {
    (void)state;
    check_gradients(SW_NODE_QUADRATIC);
    check_gradients(MIXED);
    check_gradients(TEST_DUAL);
}

// At small strains damping is Rayleigh's: alpha M + beta K, over a step of h.
static void damping_is_rayleigh_s(void **state) {
    (void)state;
    Random r = {71};
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) // not points
        for (int term = 0; term < 2; term++) {
            const swReal h = 0.05, alpha = term ? 3 : 0, beta = term ? 0 : 0.2;
            swScene *s = busy_scene(kind, "neo-hookean", "shepard", no_collider);
            s->bodies->damping_mass = alpha;
            s->bodies->damping_stiffness = beta;
            Bench b = make_bench(s, &r, 1e-6, 0);
            sw_bulk_positions(b.model, b.model->q0, b.state->work->bulk_target);
            sw_bulk_positions(b.model, b.model->q0, b.state->work->bulk_last);
            swReal energy[3]; // elastic; with damping; of the mass matrix
            for (int i = 0; i < 3; i++) {
                b.objective = (swObjective){.inertia = i == 2,
                                            .target = b.model->q0,
                                            .q_last = i == 1 ? b.model->q0 : NULL,
                                            .h = h};
                energy[i] = sw_objective_evaluate(b.model, b.state, &b.objective, b.q, false, false,
                                                  SW_PROJECT_NONE)
                                .energy;
            }
            swReal expected = term ? alpha / h * (energy[2] - energy[0]) : beta / h * energy[0];
            assert_true(expected > 0);
            assert_near(energy[1] - energy[0], expected, 1e-4 * expected);
            free_bench(&b);
            sw_scene_destroy(s);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(blending_matches_plain_loops),
    cmocka_unit_test(stiffness_matches_plain_loops),
    cmocka_unit_test(folding_is_the_chain_rule),
    cmocka_unit_test(moving_keeps_rigid_nodes_rigid),
    cmocka_unit_test(wrenches_are_work_per_motion),
    cmocka_unit_test(deformation_gradients_are_those_of_points),
    cmocka_unit_test(damping_is_rayleigh_s),
    cmocka_unit_test(objectives_have_their_derivatives_for_all_nodes),
    cmocka_unit_test(objectives_have_their_derivatives_for_all_laws),
    cmocka_unit_test(objectives_have_their_derivatives_in_contact),
    cmocka_unit_test(definite_tangents_lie_above_plain_ones),
};
SW_SUITE(kinematics, tests)
