// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Cuts through bodies of frames: pieces, weights, and the motion that is taken over.
#include "kinematics/bed.h"
#include "kinematics/points.h"
#include "world/body.h"
#include "test_scene.h"

#define SAWN(more, cuts) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.005}, 'materials': {'m': {'young': 3e4" \
    ", 'poisson': 0.3}}, 'bodies': [{'shape': {'box': {'size': [1, 0.2, 0.2]}}, 'voxel': 0.04," \
    " 'frames': {'count': 5}" more ", 'cuts': [" cuts "]}], 'probes': [{'name': 'end', 'point':" \
    " [0.45, 0, 0]}]}"
#define THROUGH(t) "{'t': " t ", 'region': {'box': {'size': [0.01, 1, 1], 'center': [0.1, 0, 0]}}}"

typedef struct {
    swScene *scene;
    swModel *model;
    swState *state;
} Sawn;

static Sawn start(const char *json) {
    swError error = {0};
    Sawn s = {.scene = parse_scene(json, &error)};
    require(s.scene != NULL, &error);
    s.model = compile_scene(s.scene);
    s.state = make_state(s.model);
    return s;
}

static void end(Sawn *s) {
    sw_state_destroy(s->state);
    sw_model_destroy(s->model);
    sw_scene_destroy(s->scene);
}

// Goes on after the next cut.
static bool cut(Sawn *s, swFitReport *report, swError *error) {
    swModel *model = sw_state_cut(s->state, s->scene, sw_model_next_cut(s->model), error);
    swState *state = model ? sw_state_create(model, error) : NULL;
    const bool ok = state && sw_state_fit(state, s->state, report, error);
    if (!ok) {
        sw_state_destroy(state);
        sw_model_destroy(model);
        return false;
    }
    sw_state_destroy(s->state);
    sw_model_destroy(s->model);
    s->state = state;
    s->model = model;
    return true;
}

// No node moves material on both sides of the cut, and each side has a frame.
static void no_weight_leads_across(void **state) {
    (void)state;
    Sawn s = start(SAWN("", THROUGH("0")));
    const swBodyModel *m = only_body(s.model);
    const swBed *bed = sw_bed_of(m, 0);
    assert_non_null(bed);
    const int *first = m->bed_weight_start + bed->node;
    bool side[2][64] = {{false}};
    for (int64_t v = bed->voxel; v < bed->voxel + bed->nvoxel; v++)
        for (int k = 0; k < 8; k++) {
            const int node = m->bed_corner[8 * m->bed_voxel[v].cell + k];
            for (int e = first[node]; e < first[node + 1]; e++)
                side[m->bed_voxel[v].p.x > 0.1][m->bed_site[e]] = true;
        }
    int count[2] = {0, 0};
    for (int n = 0; n < m->body[0].nnode; n++) {
        assert_false(side[0][n] && side[1][n]);
        count[0] += side[0][n];
        count[1] += side[1][n];
    }
    assert_true(count[0] > 0 && count[1] > 0);
    assert_near(m->body[0].mass, 40 * (1 - 0.048), 1e-9); // 1.2 voxels are gone
    end(&s);
}

// A bar that flies and turns: mass, momentum and energy before are those after and of what is gone.
static void a_rigid_motion_goes_on(void **state) {
    (void)state;
    Sawn s = start(SAWN(", 'velocity': [1, 2, 3], 'spin': [0, 0.5, 2]", THROUGH("0.1")));
    step_or_fail(s.model, s.state, 20);
    swVec3 before, now, angular;
    sw_state_momentum(s.state, &before, &angular);
    const swReal mass = only_body(s.model)->body[0].mass;
    swFitReport report;
    swError error = {0};
    require(cut(&s, &report, &error), &error);
    assert_int_equal(report.bodies, 1);
    assert_near(report.mass, mass - only_body(s.model)->body[0].mass, 1e-12);
    sw_state_momentum(s.state, &now, &angular);
    // What is gone flew with the middle of its slab, which turns about the bar's.
    const swVec3 gone = sw_sub(before, now);
    assert_near(sw_norm(sw_sub(gone, report.momentum)), 0, 1e-12);
    assert_near(sw_norm(sw_sub(sw_scale(1 / report.mass, gone), sw_v3(1, 2, 3))), 0.1 * 2, 0.02);
    assert_true(report.energy <= report.energy_before * (1 + 1e-9));
    assert_true(report.miss < 2e-4);
    step_or_fail(s.model, s.state, 50);
    const swEnergy e = sw_state_energy(s.state);
    assert_true(e.elastic + e.kinetic <= report.energy * (1 + 1e-6));
    end(&s);
}

// A free piece leaves, one that is held stays.
static void pieces_part(void **state) {
    (void)state;
    Sawn s = start(SAWN(", 'handles': [{'region': {'box': {'size': [0.04, 1, 1], 'center': [-0.5, 0"
                        ", 0]}}}], 'damping': {'stiffness': 0.01}",
                        THROUGH("0.05")));
    swError error = {0};
    s.scene->gravity = sw_v3(0, -9.81, 0);
    require(sw_model_adjust(s.model, s.scene, &error), &error);
    step_or_fail(s.model, s.state, 10);
    swFitReport report;
    require(cut(&s, &report, &error), &error);
    assert_true(report.energy <= report.energy_before * (1 + 1e-9));
    const swReal from = sw_probe_position(s.state, 0).y;
    step_or_fail(s.model, s.state, 100);
    assert_true(from - sw_probe_position(s.state, 0).y > 0.5 * 0.9 * 9.81 * 0.25);
    swVec3 lo = {0, 0, 0};
    const swBodyModel *m = only_body(s.model);
    for (int64_t i = 0; i < m->size.npoint; i++)
        if (m->point[i].x < 0)
            lo = sw_min3(lo, sw_point_position(m, only_state(s.state)->q, (int)i));
    assert_true(lo.y > -0.6);
    end(&s);
}

// Bodies that are not cut keep their bits.
static void other_bodies_do_not_notice(void **state) {
    (void)state;
    Sawn s = start("{'sinew': 1, 'time': {'step': 0.005}, 'materials': {'m': {'young': 3e4, 'yield'"
                   ": 500}}, 'bodies': [{'name': 'a', 'shape': {'box': {'size': [0.3, 0.3, 0.3]}},"
                   " 'resolution': 6, 'frames': {'count': 2}, 'cuts': [{'t': 0.05, 'region':"
                   " {'halfspace': {'normal': [1, 0, 0], 'offset': -0.05}}}]}, {'name': 'b',"
                   " 'shape': {'box': {'size': [0.2, 0.2, 0.6], 'center': [2, 0.15, 0]}},"
                   " 'resolution': 8, 'frames': {'count': 3}, 'spin': [1, 0, 3]}], 'colliders':"
                   " [{'plane': {'normal': [0, 1, 0], 'offset': -0.1}}]}");
    Sawn other = start("{'sinew': 1, 'bodies': [{'shape': {'sphere': {'radius': 1}}}]}");
    step_or_fail(s.model, s.state, 10);
    swState *copy = make_state(s.model);
    assert_true(sw_state_copy(copy, s.state));
    swModel *first = s.model;
    swError error = {0};
    s.model = sw_state_cut(copy, s.scene, 0.05, &error);
    require(s.model != NULL, &error);
    s.state = (sw_state_destroy(s.state), make_state(s.model));
    require(sw_state_fit(s.state, copy, NULL, &error), &error);
    assert_true(sw_model_body(s.model, 0)->body[0].mass <
                0.8 * sw_model_body(first, 0)->body[0].mass);
    step_or_fail(first, copy, 20);
    step_or_fail(s.model, s.state, 20);
    const int64_t nq = sw_model_body(first, 1)->size.nq;
    assert_int_equal(sw_model_body(s.model, 1)->size.nq, nq);
    for (int64_t i = 0; i < nq; i++)
        assert_near(copy->body[1]->q[i], s.state->body[1]->q[i], 1e-7);
    assert_false(sw_state_fit(other.state, copy, NULL, &error)); // of another scene
    sw_state_destroy(copy);
    sw_model_destroy(first);
    end(&s);
    end(&other);
}

// What has flowed stays where it was.
static void plastic_strain_stays(void **state) {
    (void)state;
    Sawn s = start("{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.005}, 'materials': {'m':"
                   " {'young': 3e4, 'yield': 500}}, 'bodies': [{'shape': {'box': {'size': [1, 0.2,"
                   " 0.2]}}, 'voxel': 0.05, 'frames': {'count': 3}, 'spin': [0, 0, 20], 'cuts': ["
                   "{'t': 0.1, 'region': {'box': {'size': [0.01, 1, 1], 'center': [0.3, 0, 0]}}}]"
                   "}]}");
    step_or_fail(s.model, s.state, 20);
    swReal most[2] = {0, 0};
    swError error = {0};
    for (int after = 0; after < 2; after++) {
        for (int64_t i = 0; i < only_body(s.model)->size.nplastic; i++)
            if (i / SW_LANES % SW_PLASTIC == 9)
                most[after] = fmax(most[after], only_state(s.state)->plastic[i]);
        if (after == 0)
            require(cut(&s, NULL, &error), &error);
    }
    assert_true(most[0] > 0.01);
    assert_near(most[1], most[0], 0.2 * most[0]);
    step_or_fail(s.model, s.state, 10);
    end(&s);
}

// Whatever is cut, there is a model that goes on or a reason. SINEW_CUTS: how many are tried.
static void random_cuts_never_crash(void **state) {
    (void)state;
    Random r = {3};
    const char *all = getenv("SINEW_CUTS");
    const int trials = all ? atoi(all) : 150;
    int refused = 0, made = 0;
    for (int trial = 0; trial < trials; trial++) {
        swError error = {0};
        Sawn s = start("{'sinew': 1, 'time': {'step': 0.01}, 'bodies': [{'shape': {'box': {'size':"
                       " [0.5, 0.2, 0.15]}}, 'resolution': 8, 'frames': {'count': 2}, 'integration'"
                       ": {'relax': false}, 'spin': [3, 1, 2]}]}");
        for (int i = 0; i < 2; i++) {
            static const swShapeKind kinds[] = {SW_SHAPE_BOX, SW_SHAPE_SPHERE, SW_SHAPE_HALFSPACE,
                                                SW_SHAPE_CAPSULE, SW_SHAPE_CYLINDER};
            swCut *c =
                sw_body_add_cut(s.scene, s.scene->bodies, 0.01 * (i + 1), kinds[random_int(&r, 5)]);
            swShape *shape = c->region;
            shape->center = shape->from =
                sw_v3(random_in(&r, -0.3, 0.3), random_in(&r, -0.1, 0.1), random_in(&r, -0.1, 0.1));
            shape->to = sw_v3(random_in(&r, -0.3, 0.3), random_in(&r, -0.1, 0.1), 0.2);
            shape->size = sw_v3(random_in(&r, 0, 0.2), random_in(&r, 0, 0.4), 0.3);
            shape->radius = random_in(&r, 0.001, 0.15);
            shape->normal = sw_v3(random_in(&r, -1, 1), random_in(&r, -1, 1), 0.3);
            shape->offset = random_in(&r, -0.3, 0.1);
        }
        sw_state_destroy(s.state);
        sw_model_destroy(s.model);
        s.model = sw_compile(s.scene, &error);
        require(s.model != NULL, &error);
        s.state = make_state(s.model);
        for (int i = 0; i < 2; i++) {
            swFitReport report = {0};
            if (sw_step(s.model, s.state) != SW_OK)
                break;
            if (!cut(&s, &report, &error)) {
                assert_true(error.message[0] != 0);
                refused++;
                break;
            }
            made++;
            assert_true(isfinite(report.energy) && isfinite(report.miss));
            assert_true(report.energy <= report.energy_before * (1 + 1e-6) + 1e-9);
        }
        end(&s);
    }
    assert_true(made > trials && refused < 2 * trials / 3);
}

static void impossible_cuts_are_refused(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {SAWN(", 'mass': 'full'", "{'t': -1, 'region': {'sphere': {'radius': 1}}}"),
         "bodies[0].cuts[0].t: expected a number of at least 0"},
        {SAWN(", 'integration': {}", "{'t': 1}"), "bodies[0].cuts[0]"},
        {"{'sinew': 1, 'analysis': 'static', 'bodies': [{'shape': {'sphere': {'radius': 1}}, 'cuts'"
         ": [{'t': 1, 'region': {'sphere': {'radius': 0.1}}}]}]}",
         "bodies[0].cuts: expected t = 0 unless the analysis is dynamic"},
        {"{'sinew': 1, 'bodies': [{'shape': {'sphere': {'radius': 1}}, 'frames': {'count': 2,"
         " 'weights': {'kind': 'hat'}}, 'cuts': [{'region': {'sphere': {'radius': 0.1}}}]}]}",
         "bodies[0].cuts: expected weights that follow paths in the material"},
    };
    for (int i = 0; i < SW_COUNT(bad); i++) {
        swError error = {0};
        assert_null(parse_scene(bad[i][0], &error));
        if (!strstr(error.message, bad[i][1]))
            fail_msg("%s", error.message);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_weight_leads_across),
    cmocka_unit_test(a_rigid_motion_goes_on),
    cmocka_unit_test(pieces_part),
    cmocka_unit_test(other_bodies_do_not_notice),
    cmocka_unit_test(plastic_strain_stays),
    cmocka_unit_test(random_cuts_never_crash),
    cmocka_unit_test(impossible_cuts_are_refused),
};

SW_SUITE(cut, tests)
