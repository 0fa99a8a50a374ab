// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Models whose bytes are damaged: what sw_model_check() lets through is simulated and shown, which
// a sanitizer watches.
#include "potentials/measure.h"
#include "kinematics/sample_map.h"
#include "world/world.h"
#include "test_blocks.h"
#include "test_scene.h"

#define MUSCLE \
    ", 'muscles': [{'strength': 1, 'from': {'point': [-0.1, 0, 0]}, 'to': {'point': [0.1, 0, " \
    "0]}, 'activation': 1}]"

// A small body of some kind, and all that may be around it.
static swModel *compile_kind(const char *kind, const char *material, const char *mesh) {
    char json[4096];
    snprintf(
        json, sizeof json,
        "{'sinew': 1, 'time': {'step': 0.01}, 'materials': {'m': {%s, 'young':"
        " 1e5%s}}, 'bodies': [{'shape': {'box': {'size': [0.4, 0.1, 0.1]}},"
        " 'voxel': 0.05, %s, 'handles': [{'region': {'box': {'size': [0.06, 1, 1], 'center':"
        " [-0.2, 0, 0]}}}], 'loads': [{'force': [0, 0, 1], 'on': {'box': {'size': [0.01, 1,"
        " 1], 'center': [0.2, 0, 0]}}}]}], 'colliders': [{'plane':"
        " {'normal': [0, 1, 0], 'offset': -0.06}}, {'cone': {'from': [0, 0.3, 0], 'to': [0, 0.04"
        ", 0], 'radius': 0.1}, 'motion': {'keys': [{'t': 0}, {'t': 1, 'translate': [0, 0.1, 0]}"
        "]}}, {'mesh': {'file': '%s', 'scale': 0.05}, 'place': {'translate': [0, -0.14, 0]},"
        " 'motion': 'program'}], 'probes': [{'point': [0.1, 0, 0]}]}",
        material, strstr(material, "poisson") ? "" : ", 'poisson': 0.3", kind, mesh);
    return compile_text(json, NULL);
}

// Steps, positions and values at points; whatever they are.
static void look(const swModel *m) {
    swError error = {0};
    swState *s = sw_state_create(m, &error);
    if (!s)
        return;
    for (int i = 0; i < 2; i++)
        sw_step(m, s);
    swArena arena;
    swSampleMap map;
    swMeasureWork work;
    const swBodyModel *b = only_body(m);
    sw_arena_init(&arena, &m->config.allocator);
    swReal *sample = SW_NEW(&arena, b->size.nsample, swReal, NULL),
           *value = SW_NEW(&arena, b->size.npoint, swReal, NULL);
    swVec3 *x = SW_NEW(&arena, b->size.npoint, swVec3, NULL);
    sw_body_vertices(s, 0, x);
    if (b->size.nsample > 0 && sw_measure_create(&work, b, 1, &arena, &error) &&
        sw_sample_map_create(&map, b, &arena, &error)) {
        const swMeasureInput input = sw_measure_input(only_state(s));
        sw_measure(b, &work, NULL, SW_MEASURE_STRESS, &input, sample);
        sw_sample_map_values(&map, sample, value);
    }
    sw_arena_free(&arena);
    sw_state_destroy(s);
}

static void damage(swModel *m, void *block, size_t block_size, int trials, int *let) {
    Random r = {17};
    int32_t *word = block;
    const int n = (int)(block_size / sizeof *word);
    for (int i = 0; i < trials; i++) {
        const int at = random_int(&r, n);
        const int32_t old = word[at], choice[] = {-1, old + 1, old - 1, 1 << 30, 0, 7};
        word[at] = choice[random_int(&r, SW_COUNT(choice))];
        if (sw_model_check(m, "model", NULL)) {
            look(m);
            ++*let;
        }
        word[at] = old;
    }
    assert_true(sw_model_check(m, "model", NULL));
}

// SINEW_DAMAGES: how often each is damaged.
static void damaged_models_are_refused_or_harmless(void **state) {
    (void)state;
    static const char *const kinds[][2] = {
        {"'frames': {'count': 2}" MUSCLE, "'law': 'corotated'"},
        {"'frames': {'count': 2}, 'integration': {'correct': true}", "'poisson': 0.48"},
        {"'tets': {}" MUSCLE, "'law': 'stable-neo-hookean', 'toughness': 1e3"},
        {"'tets': {'order': 'quadratic'}" MUSCLE, "'law': 'neo-hookean', 'yield': 1e3"},
        {"'tets': {'volume': 'mean'}" MUSCLE, "'law': 'corotated'"},
        {"'springs': {}" MUSCLE, "'law': 'corotated'"},
        {"'springs': {'over': 'surface', 'thickness': 0.01, 'gas': true}" MUSCLE,
         "'law': 'corotated'"},
        {"'particles': {'count': 30}" MUSCLE, "'law': 'corotated'"},
        {"'modes': {'count': 6}" MUSCLE, "'law': 'corotated'"},
        {"'modes': {'count': 6}" MUSCLE, "'law': 'stvk'"},
        {"'rigid': {}", "'density': 500"},
    };
    const char *all = getenv("SINEW_DAMAGES");
    const int trials = all ? atoi(all) : 50;
    const char *mesh = blocks_path("damage.obj", 0x7f, -1);
    int let = 0;
    for (int i = 0; i < SW_COUNT(kinds); i++) {
        swModel *m = compile_kind(kinds[i][0], kinds[i][1], mesh);
        damage(m, m->compiled[0]->block, m->compiled[0]->block_size, trials, &let);
        damage(m, m->block, m->block_size, trials, &let);
        sw_model_destroy(m);
    }
    remove(mesh);
    assert_true(let > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(damaged_models_are_refused_or_harmless),
};

SW_SUITE(damage, tests)
