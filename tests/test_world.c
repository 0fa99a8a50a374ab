// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Many bodies: each is solved by itself, equal ones are compiled once, those at rest sleep.
#include "contact/near.h"
#include "model/model.h"
#include "test_scene.h"
#include "test_tools.h"

enum { BODIES = 10 };

// A box and nine like it in a row, some metres above a floor.
static swScene *row_scene(const swConfig *config) {
    swScene *s = sw_scene_create(config);
    sw_scene_add_material(s, "m")->young = 5e4;
    s->time.step = 0.01;
    sw_scene_add_collider(s, SW_SHAPE_HALFSPACE)->shape->normal = sw_v3(0, 1, 0);
    for (int i = 0; i < BODIES; i++) {
        char name[16];
        snprintf(name, sizeof name, "box%d", i);
        swBody *b = sw_scene_add_body(s, name);
        b->place.translate = sw_v3(0.5 * i, 20, 0);
        if (i > 0) {
            b->like = "box0";
            continue;
        }
        sw_body_add_shape(s, b, SW_SHAPE_BOX)->size = sw_v3(0.2, 0.2, 0.2);
        b->resolution = 6;
    }
    return s;
}

static swBody *body_at(const swScene *s, int index) {
    swBody *b = s->bodies;
    while (index-- > 0)
        b = b->next;
    return b;
}

// One of them on the floor costs the others nothing.
static void those_that_fall_take_one_iteration(void **state) {
    (void)state;
    swScene *scene = row_scene(NULL);
    body_at(scene, 3)->place.translate.y = 0.1;
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    assert_int_equal(m->size.ncompiled, 1);
    int iterations[BODIES] = {0};
    for (int k = 0; k < 50; k++) {
        step_or_fail(m, s, 1);
        for (int b = 0; b < BODIES; b++)
            iterations[b] += sw_body_report(s, b)->iterations;
    }
    for (int b = 0; b < BODIES; b++)
        assert_true(b == 3 ? iterations[b] > 75 : iterations[b] <= 50);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// Each moves as it does alone, to the bit, on any number of threads.
static void bodies_move_as_if_alone_on_any_threads(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    uint64_t hash[2];
    for (int threads = 1; threads <= 2; threads++) {
        config.threads = threads;
        swScene *scene = row_scene(&config);
        for (int i = 0; i < BODIES; i++) {
            body_at(scene, i)->place.translate.y = 0.1 + 0.01 * i;
            body_at(scene, i)->spin = sw_v3(i, 0, 1);
        }
        swModel *m = compile_scene(scene);
        swState *s = make_state(m);
        step_or_fail(m, s, 30);
        hash[threads - 1] = sw_state_hash(s);
        swScene *one = row_scene(&config);
        one->bodies->next = NULL;
        one->bodies->place = body_at(scene, 7)->place;
        one->bodies->spin = body_at(scene, 7)->spin;
        swModel *alone = compile_scene(one);
        swState *t = make_state(alone);
        step_or_fail(alone, t, 30);
        const swBodyState *a = s->body[7], *b = only_state(t);
        for (int64_t i = 0; i < a->model->size.nq; i++)
            assert_near(a->q[i], b->q[i], 1e-9);
        sw_state_destroy(t);
        sw_model_destroy(alone);
        sw_scene_destroy(one);
        sw_state_destroy(s);
        sw_model_destroy(m);
        sw_scene_destroy(scene);
    }
    assert_true(hash[0] == hash[1]);
}

// One that cannot go on stops alone, and is named.
static void a_body_that_fails_stops_alone(void **state) {
    (void)state;
    swScene *scene = row_scene(NULL);
    swBody *bad = sw_scene_add_body(scene, "bad");
    sw_body_add_shape(scene, bad, SW_SHAPE_BOX)->size = sw_v3(0.2, 0.2, 0.2);
    bad->resolution = 6;
    bad->place.translate = sw_v3(0, 50, 0);
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    step_or_fail(m, s, 2);
    s->body[BODIES]->q[0] = NAN; // nothing can be made of this
    assert_true(sw_step(m, s) != SW_OK);
    const swStepReport *r = sw_state_report(s);
    assert_int_equal(r->stopped, 1);
    assert_non_null(strstr(r->reason, "\"bad\""));
    assert_near(sw_state_time(s), 0.03, 1e-15);
    const swReal height = s->body[0]->q[4];
    sw_step(m, s);
    assert_true(s->body[0]->q[4] < height);
    assert_int_equal(sw_body_report(s, 0)->status, SW_OK);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// On the floor they fall asleep, cost nothing, and wake when they are pulled.
static void bodies_at_rest_sleep(void **state) {
    (void)state;
    for (int sleep = 0; sleep < 2; sleep++) {
        swScene *scene = row_scene(NULL);
        scene->solver.sleep = sleep;
        for (int i = 0; i < BODIES; i++)
            body_at(scene, i)->place.translate.y = 0.1;
        swModel *m = compile_scene(scene);
        swState *s = make_state(m);
        for (int k = 0; k < 1000 && sw_state_report(s)->asleep < BODIES; k++)
            step_or_fail(m, s, 1);
        assert_int_equal(sw_state_report(s)->asleep, sleep ? BODIES : 0);
        if (sleep) {
            const int64_t before = sw_state_profile(s).iterations;
            step_or_fail(m, s, 20);
            assert_int_equal(sw_state_profile(s).iterations, before);
            swVec3 x[4096];
            sw_body_vertices(s, 4, x);
            sw_pull_body(s, 4, 0, sw_add(x[0], sw_v3(0, 1, 0)), 100);
            step_or_fail(m, s, 1);
            assert_int_equal(sw_state_report(s)->asleep, BODIES - 1);
            assert_int_equal(sw_state_report(s)->islands, 1);
        }
        sw_state_destroy(s);
        sw_model_destroy(m);
        sw_scene_destroy(scene);
    }
}

// A collider that moves wakes those that it comes to or leaves, and no others.
static void colliders_wake_what_they_touch(void **state) {
    (void)state;
    swScene *scene = row_scene(NULL);
    for (int i = 0; i < BODIES; i++)
        body_at(scene, i)->place.translate.y = 0.1;
    swCollider *c = sw_scene_add_collider(scene, SW_SHAPE_SPHERE);
    c->shape->radius = 0.1;
    c->motion = SW_COLLIDER_PROGRAM;
    c->place.translate = sw_v3(2, 3, 0); // above box 4
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    for (int k = 0; k < 1000 && sw_state_report(s)->asleep < BODIES; k++)
        step_or_fail(m, s, 1);
    assert_int_equal(sw_state_report(s)->asleep, BODIES);
    for (int k = 1; k <= 10; k++) { // comes down, and stays above it
        sw_collider_move(s, 1, sw_v3(2, 3 - 0.26 * k, 0), sw_mat_identity());
        step_or_fail(m, s, 1);
        assert_int_equal(sw_state_report(s)->asleep, BODIES);
    }
    sw_collider_move(s, 1, sw_v3(2, 0.28, 0), sw_mat_identity());
    step_or_fail(m, s, 1);
    assert_int_equal(sw_state_report(s)->asleep, BODIES - 1);
    assert_false(s->body[4]->rest->asleep);
    assert_true(sw_state_report(s)->contacts > 0);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// What a model says of itself and of bodies that are compiled as one.
static void a_model_tells_what_it_is(void **state) {
    (void)state;
    swScene *scene = row_scene(NULL);
    scene->title = "a row";
    scene->modal.count = 7;
    swHandle *h = sw_body_add_handle(scene, scene->bodies, "foot", SW_SHAPE_BOX);
    h->region->size = sw_v3(1, 0.05, 1);
    h->region->center = sw_v3(0, -0.1, 0);
    swModel *m = compile_scene(scene);
    const swModelInfo info = sw_model_info(m);
    const int frames = info.frames / BODIES;
    assert_string_equal(info.title, "a row");
    assert_string_equal(info.integrator, scene->time.integrator);
    assert_false(info.direct);
    assert_int_equal(info.modes, 7);
    assert_int_equal(info.about, scene->modal.about);
    assert_false(sw_model_adapts(m));
    assert_int_equal(sw_handle_count(m), BODIES);
    for (int i = 0; i < BODIES; i++) {
        assert_int_equal(sw_handle_body(m, i), i);
        assert_int_equal(sw_handle_frame(m, i), (i + 1) * frames - 1); // handles come last
        assert_near(sw_body_volume(m, i), 0.008, 1e-12);
        assert_near(sw_body_voxel(m, i), 0.2 / 6, 1e-12);
    }
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// Those that are compiled as one are adjusted as one.
static void equal_bodies_keep_one_damping(void **state) {
    (void)state;
    swError error = {0};
    swScene *scene = row_scene(NULL);
    swBody *second = body_at(scene, 1), *eighth = body_at(scene, 7);
    second->like = NULL; // all but the first are like this one
    sw_body_add_shape(scene, second, SW_SHAPE_BOX)->size = sw_v3(0.3, 0.2, 0.2);
    second->resolution = 6;
    for (int i = 2; i < BODIES; i++)
        body_at(scene, i)->like = "box1";
    swModel *m = compile_scene(scene);
    const uint64_t hash = sw_model_hash(m);
    scene->bodies->damping_mass = 3;
    eighth->like = NULL;
    eighth->damping_mass = 5;
    sw_body_add_shape(scene, eighth, SW_SHAPE_BOX)->size = sw_v3(0.3, 0.2, 0.2);
    assert_int_equal(m->size.ncompiled, 2);
    assert_false(sw_model_adjust(m, scene, &error));
    assert_non_null(strstr(error.message, "bodies[7]: expected the damping of bodies[1]"));
    assert_true(sw_model_hash(m) == hash);
    eighth->damping_mass = second->damping_mass = 4;
    require(sw_model_adjust(m, scene, &error), &error);
    assert_near(sw_model_body(m, 0)->body[0].damping_mass, 3, 0);
    assert_near(sw_model_body(m, 9)->body[0].damping_mass, 4, 0);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// ---- what is far is not looked at ----

// Boxes that are thrown, spin and bounce among colliders that stand, go by keys and are moved by
// the program.
static swScene *thrown_scene(int kind, swReal step) {
    swScene *s = sw_scene_create(NULL);
    sw_scene_add_material(s, "m")->young = 2e4;
    s->time.step = step;
    sw_scene_add_collider(s, SW_SHAPE_HALFSPACE)->shape->normal = sw_v3(0.1, 1, 0);
    for (int i = 0; i < 40; i++) {
        swCollider *c = sw_scene_add_collider(s, i % 2 ? SW_SHAPE_BOX : SW_SHAPE_SPHERE);
        c->shape->size = sw_v3(0.2, 0.3, 0.2);
        c->shape->radius = 0.15;
        c->place.translate = sw_v3(0.7 * (i % 8) - 2, 0.4 + 0.1 * (i % 3), 0.7 * (i / 8) - 1.5);
        c->place.angle = i;
    }
    swCollider *fan = sw_scene_add_collider(s, SW_SHAPE_BOX);
    fan->shape->size = sw_v3(2, 0.1, 0.3);
    fan->place.translate = sw_v3(0, 1.2, 0);
    for (int i = 0; i < 20; i++) {
        swKey *key = sw_collider_add_key(s, fan, 0.1 * i);
        key->pose.axis = sw_v3(0, 1, 0.2);
        key->pose.angle = i;
    }
    swCollider *wall = sw_scene_add_collider(s, SW_SHAPE_HALFSPACE);
    wall->name = "wall";
    wall->shape->normal = sw_v3(1, 0, 0);
    wall->motion = SW_COLLIDER_PROGRAM;
    wall->place.translate = sw_v3(-5, 0, 0);
    for (int i = 0; i < 3; i++) {
        swBody *b = sw_scene_add_body(s, NULL);
        sw_body_add_shape(s, b, SW_SHAPE_BOX)->size = sw_v3(0.3, 0.2, 0.2);
        b->resolution = 5;
        b->frames.count = 3;
        b->frames.kind = kind == 0 ? SW_NODE_AFFINE : kind == 1 ? SW_NODE_QUADRATIC : SW_NODE_RIGID;
        b->frames.blend = kind == 2 ? SW_BLEND_DUAL_QUATERNION : SW_BLEND_LINEAR;
        b->place.translate = sw_v3(0.9 * i - 1.5, 2, 0.3 * i);
        b->velocity = sw_v3(4 - 3 * i, -6 * i, 2 * i - 3);
        b->spin = sw_v3(8 * i, 5, -12 * i);
    }
    return s;
}

// Everything is as it is where all points are compared with all colliders, to the bit.
static void nothing_near_is_missed(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        for (int slow = 0; slow < 2; slow++) {
            swScene *scene = thrown_scene(kind, slow ? 0.004 : 0.03);
            swModel *m = compile_scene(scene);
            const int wall = sw_collider_find(m, "wall");
            uint64_t hash[2];
            int contacts = 0;
            for (int all = 0; all < 2; all++) {
                swState *s = make_state(m);
                for (int b = 0; all && b < m->size.nbody; b++)
                    s->body[b]->near->margin = INFINITY;
                for (int k = 0; k < (slow ? 120 : 40); k++) {
                    const swReal to = 0.05 * (k % 90);
                    sw_collider_move(s, wall, sw_v3(to - 4, 0, 0),
                                     sw_mat_rotation(sw_v3(0, 0, 0.1 * to)));
                    if (k % 20 > 12)
                        sw_state_set_ball(s, sw_v3(to - 2, 0.5, 0.1 * (k % 20)), 0.3);
                    else
                        sw_state_set_ball(s, sw_v3(0, 0, 0), 0);
                    sw_step(m, s);
                    contacts += sw_state_report(s)->contacts;
                }
                hash[all] = sw_state_hash(s);
                sw_state_destroy(s);
            }
            assert_true(contacts > 200);
            assert_true(hash[0] == hash[1]);
            sw_model_destroy(m);
            sw_scene_destroy(scene);
        }
}

// Points are as far from where they were as the bound of their motion says, at most.
static void motions_are_bounded(void **state) {
    (void)state;
    Random r = {91};
    swScene *scene = row_scene(NULL);
    scene->bodies->next = NULL;
    scene->bodies->integration.correct = SW_CORRECT_NO; // rows are those of frames alone
    swModel *model = compile_scene(scene);
    const swBodyModel *m = only_body(model);
    const size_t nq = (size_t)m->size.nq;
    swReal *q = calloc(2 * nq, sizeof *q);
    swArena arena;
    sw_arena_init(&arena, &m->config.allocator);
    swRows rows = {0};
    assert_true(sw_rows_create(&rows, m, &arena, NULL) && rows.N);
    swReal tightest = 0;
    for (int trial = 0; trial < 200; trial++) {
        const swReal size = pow(10, random_in(&r, -3, 1));
        const swVec3 shift = random_vec(&r, trial % 2 ? 10 : 0);
        for (size_t i = 0; i < nq; i++) {
            q[i] = m->q0[i] + random_in(&r, -size, size);
            q[nq + i] = trial % 2 ? q[i] : m->q0[i] + random_in(&r, -size, size);
        }
        for (int64_t i = 0; i < m->size.nnode; i++)
            for (int k = 0; k < 3; k++)
                q[m->node[i].q + k * m->node[i].width] += sw_get(shift, k);
        const swReal bound = sw_rows_motion(m, &rows, q + nq, q);
        for (int64_t i = 0; i < m->size.ncontact; i++) {
            sw_rows_turn(m, &rows, q);
            const swVec3 to = sw_rows_position(m, &rows, q, i);
            sw_rows_turn(m, &rows, q + nq);
            const swReal way = sw_norm(sw_sub(to, sw_rows_position(m, &rows, q + nq, i)));
            assert_true(way <= bound * (1 + 1e-9) + 1e-12);
            tightest = fmax(tightest, way / bound);
        }
    }
    assert_true(tightest > 0.99); // of a body that is only shifted
    sw_arena_free(&arena);
    free(q);
    sw_model_destroy(model);
    sw_scene_destroy(scene);
}

// Far from everything no contact point is looked at; the lists say so.
static void what_is_far_is_not_looked_at(void **state) {
    (void)state;
    swScene *scene = row_scene(NULL);
    for (int i = 0; i < 900; i++) {
        swCollider *c = sw_scene_add_collider(scene, SW_SHAPE_SPHERE);
        c->shape->radius = 0.3;
        c->place.translate = sw_v3(50 + i % 30, 1, i / 30);
    }
    scene->bodies->integration.correct =
        SW_CORRECT_NO; // how far points go is known of frames alone
    body_at(scene, 3)->place.translate.y = 0.099;
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    step_or_fail(m, s, 20);
    for (int i = 0; i < BODIES; i++) {
        const swNear *near = s->body[i]->near;
        assert_int_equal(near->ncollider, i == 3);
        assert_int_equal(near->npoint > 0, i == 3);
        assert_true(near->npoint < sw_model_body(m, i)->size.ncontact / 2);
        assert_true(i == 3 || near->slack > 19);
        assert_near(near->middle.y, i == 3 ? 0.1 : 20, 0.01); // seen once
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(equal_bodies_keep_one_damping),
    cmocka_unit_test(a_model_tells_what_it_is),
    cmocka_unit_test(those_that_fall_take_one_iteration),
    cmocka_unit_test(bodies_move_as_if_alone_on_any_threads),
    cmocka_unit_test(a_body_that_fails_stops_alone),
    cmocka_unit_test(bodies_at_rest_sleep),
    cmocka_unit_test(colliders_wake_what_they_touch),
    cmocka_unit_test(nothing_near_is_missed),
    cmocka_unit_test(motions_are_bounded),
    cmocka_unit_test(what_is_far_is_not_looked_at),
};
SW_SUITE(world, tests)
