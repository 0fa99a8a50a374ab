// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What takes long can be stopped in its midst: compiles stage by stage, steps, statics,
// vibrations.
#include "test_scene.h"

#include <string.h>

// Says no when it is asked for a second time in a row by the stage it waits for, which is then in
// the midst of something.
typedef struct {
    const char *stage;
    bool here;
    int stopped;
} Stopper;

static bool go_on(void *context, const char *stage, double share) {
    Stopper *s = context;
    assert_true(share >= 0 && share <= 1);
    assert_int_equal(s->stopped, 0); // nobody asks again
    const bool again = s->here && strcmp(stage, s->stage) == 0;
    s->here = strcmp(stage, s->stage) == 0;
    s->stopped += again;
    return !again;
}

#define HELD(body, motion) \
    "{'sinew': 1, 'analysis': '%s', 'gravity': [0, 0, 0], 'modal': {'count': 30}, 'solver': {%s}," \
    " 'materials': {'m': {'law': 'neo-hookean', 'young': 1e6}}," \
    " 'bodies': [{'shape': {'box': {'size': [1.2, 0.6, 0.6], 'center': [0.6, 0, 0]}}," body "," \
    " 'handles': [{'region': {'box': {'size': [0.01, 1, 1]}}}, {'region': {'box': {'size':" \
    " [0.01, 1, 1], 'center': [1.2, 0, 0]}}, 'motion': " motion "}]}]}"
#define BLOCK(body) \
    HELD(body, "{'keys': [{'t': 0}, {'t': 1, 'rotate': {'axis': [1, 0, 0], 'degrees': 120}}]}")
// Bodies side by side.
#define SIDE_BY_SIDE(body) \
    "{'sinew': 1, 'analysis': '%s', 'solver': {%s}, 'bodies': [{'name': 'a', 'voxel': 0.06," \
    " 'shape': {'box': {'size': [1.2, 0.6, 0.6]}}, " body ", 'handles': [{'region': {'box':" \
    " {'size': [0.01, 1, 1], 'center': [0.6, 0, 0]}}}]}, {'like': 'a', 'name': 'b'," \
    " 'place': {'translate': [0, 0, 2]}}]}"

// From the scene to the end of its analysis. What it ended with.
static swStatus perform(const char *text, const swConfig *config, char reason[128]) {
    swError error = {0};
    swScene *scene = parse_with(text, config, &error);
    require(scene != NULL, &error);
    swModel *m = sw_compile(scene, &error);
    swState *s = m ? sw_state_create(m, &error) : NULL;
    const uint64_t before = s ? sw_state_hash(s) : 0;
    const swAnalysis analysis = m ? sw_model_info(m).analysis : SW_ANALYSIS_MODAL;
    if (s && analysis != SW_ANALYSIS_MODAL) {
        const bool dynamic = analysis == SW_ANALYSIS_DYNAMIC;
        error.code = dynamic ? sw_step(m, s) : sw_solve_static(m, s);
        snprintf(error.message, sizeof error.message, "%s", sw_state_report(s)->reason);
        if (dynamic ? sw_state_steps(s) == 0 : sw_state_report(s)->load == 0)
            assert_true(error.code != SW_OK && sw_state_hash(s) == before);
    } else if (s)
        sw_modes_destroy(sw_solve_modal(m, s, 0, 30, &error));
    snprintf(reason, 128, "%.127s", error.message);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
    return error.code;
}

static void threads_can_be_stopped(void **state) {
    (void)state;
    static const struct {
        const char *stage, *analysis, *solver, *body;
    } task[] = {
        {"compile: voxels", "static", "", BLOCK("'voxel': 0.006")},
        {"compile: weights", "static", "", BLOCK("'voxel': 0.02, 'frames': {'count': 100}")},
        {"compile: weights", "static", "",
         BLOCK("'voxel': 0.02, 'frames': {'count': 60, 'weights': {'kind': 'eigenmodes'}}")},
        {"compile: weights", "static", "",
         BLOCK("'voxel': 0.02, 'frames': {'count': 60, 'weights': {'kind': 'voronoi'}}")},
        {"compile: weights", "static", "",
         HELD("'voxel': 0.06, 'modes': {'count': 40, 'tets': {'order': 'quadratic'}}", "'fixed'")},
        {"compile: points", "static", "",
         BLOCK("'voxel': 0.02, 'frames': {'count': 50, 'weights': {'kind': 'shepard',"
               " 'distance': 'euclidean'}}")},
        {"compile: springs", "static", "",
         BLOCK("'voxel': 0.03, 'frames': {'count': 50, 'precompute': true, 'weights': {'kind':"
               " 'shepard', 'distance': 'euclidean'}}, 'integration': {'correct': false}")},
        {"static", "static", "'linear': 'sparse'",
         BLOCK("'voxel': 0.06, 'tets': {'order': 'quadratic'}")},
        {"static", "static", "'linear': 'cg'",
         BLOCK("'voxel': 0.06, 'tets': {'order': 'quadratic'}")},
        {"static", "static", "'path': 'arc-length'",
         BLOCK("'voxel': 0.1, 'tets': {'order': 'quadratic'}")},
        {"static", "static", "",
         BLOCK("'voxel': 0.03, 'frames': {'count': 20}, 'integration':"
               " {'every': 'voxel'}")},
        {"step", "dynamic", "'linear': 'sparse'",
         BLOCK("'voxel': 0.06, 'tets': {'order': 'quadratic'}")},
        {"step", "dynamic", "'linear': 'cg'",
         BLOCK("'voxel': 0.06, 'tets': {'order': 'quadratic'}")},
        {"step", "dynamic", "'linear': 'sparse'", SIDE_BY_SIDE("'tets': {'order': 'quadratic'}")},
        {"modal", "modal", "", BLOCK("'voxel': 0.06, 'tets': {'order': 'quadratic'}")},
    };
    for (int i = 0; i < SW_COUNT(task); i++)
        for (int threads = 1; threads <= 2; threads++) {
            Stopper stopper = {.stage = task[i].stage};
            Counter counter = {0};
            swConfig config = counting_config(&counter);
            config.progress = go_on;
            config.progress_context = &stopper;
            config.threads = threads;
            char text[4096], reason[128];
            snprintf(text, sizeof text, task[i].body, task[i].analysis, task[i].solver);
            const swStatus status = perform(text, &config, reason);
            if (status != SW_ERROR_STOPPED || stopper.stopped != 1)
                fail_msg("task %d, \"%s\": status %d (%s), stopped %d times", i, task[i].stage,
                         status, reason, stopper.stopped);
            assert_non_null(strstr(reason, "stopped"));
            assert_int_equal(counter.held, 0);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(threads_can_be_stopped),
};

SW_SUITE(stop, tests)
