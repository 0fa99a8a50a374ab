// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Models and states as objects: the same bits however they come about, whole files or none, no
// memory lost or taken in secret.
#include "model/archive.h"
#include "model/model.h"
#include "test_scene.h"
#include "test_tools.h"

// A ball and a block with a driven handle, falling on a floor and a ball that stand in their way.
#define FALLING(more) FALLING_AT("12", "15", more)
#define FALLING_AT(ball, block, more) \
    "{'sinew': 1, 'title': 'falling', 'time': {'step': 0.01, 'end': 1}, 'materials': {" \
    "  'soft': {'young': 2e4}, 'hard': {'law': 'stvk', 'young': 1e6, 'density': 2000}}," \
    " 'bodies': [" \
    "  {'name': 'ball', 'shape': {'sphere': {'radius': 0.2}, 'material': 'soft'}," \
    "   'resolution': " ball ", 'frames': {'count': 4}, 'integration': {'every': 'voxel'}," \
    "   'place': {'translate': [0, 0.25, 0]}, 'velocity': [0.5, -1, 0], 'spin': [0, 0, 3]," \
    "   'damping': {'mass': 0.1, 'stiffness': 0.001}}," \
    "  {'name': 'block', 'shape': {'union': [" \
    "    {'box': {'size': [0.6, 0.2, 0.2]}, 'material': 'soft'}," \
    "    {'box': {'size': [0.1, 0.1, 0.1]}, 'material': 'hard'}]}," \
    "   'resolution': " block ", 'frames': {'kind': 'rigid', 'count': 3}," \
    "   'place': {'translate': [1, 0.3, 0]}, 'handles': [{'name': 'end'," \
    "     'region': {'box': {'size': [0.1, 1, 1], 'center': [0.3, 0, 0]}}," \
    "     'motion': {'keys': [{'t': 0}, {'t': 1, 'translate': [0, 0.2, 0.1]," \
    "       'rotate': {'axis': [1, 0, 0], 'degrees': 40}}]}}]}," \
    "  {'name': 'rod', 'shape': {'box': {'size': [0.5, 0.1, 0.1]}, 'material': 'soft'}," \
    "   'resolution': 8, 'frames': {'kind': 'rigid', 'blend': 'dual-quaternion', 'count': 3}," \
    "   'place': {'translate': [2, 0.1, 0]}, 'spin': [0, 0, -2], 'integration': {'points': 40}," \
    "   'damping': {'mass': 0.1, 'stiffness': 0.001}, 'loads': [{'force': [1, 0, 0]," \
    "     'on': {'box': {'size': [0, 1, 1], 'center': [-0.25, 0, 0]}}}]}]," \
    " 'colliders': [{'plane': {'normal': [0, 1, 0]}, 'friction': 0.5}," \
    "   {'sphere': {'center': [0.7, 0, 0], 'radius': 0.2}}]," \
    " 'probes': [{'name': 'top', 'body': 'ball', 'point': [0, 0.2, 0]}]" more "}"

enum { STEPS = 50 };

// The state's hash after each step of a plain run, and the model's.
static uint64_t expected[STEPS + 1], expected_model;

static void run_plain(void) {
    if (expected[0])
        return;
    swModel *m = compile_text(FALLING(""), NULL);
    swState *s = make_state(m);
    expected_model = sw_model_hash(m);
    expected[0] = sw_state_hash(s);
    int contacts = 0;
    for (int i = 1; i <= STEPS; i++) {
        step_or_fail(m, s, 1);
        expected[i] = sw_state_hash(s);
        assert_true(expected[i] != expected[i - 1]);
        contacts = sw_max_int(contacts, sw_state_report(s)->contacts);
    }
    assert_true(contacts > 3);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void assert_same_run(const swModel *m, swState *s, int from) {
    assert_true(sw_model_hash(m) == expected_model);
    assert_true(sw_state_hash(s) == expected[from]);
    for (int i = from + 1; i <= STEPS; i++) {
        step_or_fail(m, s, 1);
        assert_true(sw_state_hash(s) == expected[i]);
    }
}

// ---- the same bits ----

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    run_plain();
    static const int threads[] = {1, 2, 4, 7};
    for (int i = 0; i < SW_COUNT(threads); i++) {
        swConfig config = sw_default_config();
        config.threads = threads[i];
        swModel *m = compile_text(FALLING(""), &config);
        swState *s = make_state(m);
        assert_same_run(m, s, 0);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

static void a_reset_state_runs_the_same(void **state) {
    (void)state;
    run_plain();
    swModel *m = compile_text(FALLING(""), NULL);
    swState *s = make_state(m);
    step_or_fail(m, s, 17);
    sw_state_reset(s);
    assert_true(sw_state_time(s) == 0 && sw_state_steps(s) == 0);
    assert_int_equal(sw_state_profile(s).steps, 0);
    assert_same_run(m, s, 0);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void copies_run_the_same_side_by_side(void **state) {
    (void)state;
    run_plain();
    swModel *m = compile_text(FALLING(""), NULL);
    swState *a = make_state(m), *b = make_state(m);
    step_or_fail(m, a, 20);
    step_or_fail(m, b, 3);
    sw_state_copy(b, a);
    assert_int_equal(sw_state_report(b)->iterations, sw_state_report(a)->iterations);
    assert_same_run(m, b, 20); // and `a` has not moved
    assert_same_run(m, a, 20);
    sw_state_destroy(a);
    sw_state_destroy(b);
    sw_model_destroy(m);
}

static void saved_states_run_on_the_same(void **state) {
    (void)state;
    run_plain();
    char path[512];
    snprintf(path, sizeof path, "%s", temporary_path("state"));
    swError error = {0};
    swModel *m = compile_text(FALLING(""), NULL);
    swState *a = make_state(m), *b = make_state(m);
    step_or_fail(m, a, 25);
    require(sw_state_save(a, path, &error), &error);
    step_or_fail(m, b, 7);
    require(sw_state_load(b, path, &error), &error);
    assert_true(sw_state_time(b) == sw_state_time(a));
    assert_int_equal(sw_state_steps(b), 25);
    assert_same_run(m, b, 25);
    remove(path);
    sw_state_destroy(a);
    sw_state_destroy(b);
    sw_model_destroy(m);
}

static void saved_models_run_the_same(void **state) {
    (void)state;
    run_plain();
    char path[512];
    snprintf(path, sizeof path, "%s", temporary_path("model"));
    swError error = {0};
    swModel *m = compile_text(FALLING(""), NULL);
    require(sw_model_save(m, path, &error), &error);
    swModel *loaded = sw_model_load(path, NULL, &error);
    require(loaded != NULL, &error);
    swModelInfo a = sw_model_info(m), b = sw_model_info(loaded);
    assert_int_equal(a.dof, b.dof);
    assert_int_equal(a.points, b.points);
    assert_int_equal(a.memory, b.memory);
    assert_string_equal(sw_body_name(loaded, 1), "block");
    assert_int_equal(sw_probe_find(loaded, "top"), 0);
    swState *s = make_state(loaded);
    assert_same_run(loaded, s, 0);
    sw_state_destroy(s);
    sw_model_destroy(loaded);
    sw_model_destroy(m);
    remove(path);
}

// Compiled twice, the model is the same; another scene gives another one.
static void equal_scenes_make_equal_models(void **state) {
    (void)state;
    run_plain();
    swModel *a = compile_text(FALLING(""), NULL), *b = compile_text(FALLING(""), NULL),
            *c = compile_text(FALLING(", 'gravity': [0, -9.8100001, 0]"), NULL);
    assert_true(sw_model_hash(a) == expected_model && sw_model_hash(b) == expected_model);
    assert_true(sw_model_hash(c) != expected_model);
    sw_model_destroy(a);
    sw_model_destroy(b);
    sw_model_destroy(c);
}

// ---- strains that are found anew at every evaluation ----

// Bars of affine and of rigid frames that hang from a wall, with memory of two steps.
#define BENT(frames, x) \
    "{'shape': {'box': {'size': [1, 0.1, 0.1]}}, 'resolution': 20, 'frames': {" frames "}," \
    " 'integration': {'correct': false}, 'place': {'translate': [" x \
    ", 0, 0]}, 'damping': {'stiffness': 0.01}, 'handles': [" \
    "  {'region': {'box': {'size': [0.1, 1, 1], 'center': [-0.5, 0, 0]}}}]}"
#define BENDING(path) \
    "{'sinew': 1, 'time': {'step': 0.01, 'integrator': 'bdf2'}, 'gravity': [0, -5, 0]," \
    " 'solver': {'increments': 5, 'path': '" path "'}, 'materials': {'soft': {'young': 2e5}}," \
    " 'bodies': [" BENT("'count': 2", "0") ", " BENT("'kind': 'rigid', 'count': 3", "2") "]}"

static swModel *compile_bending(const char *text) {
    swModel *m = compile_text(text, NULL);
    for (int b = 0; b < m->size.nbody; b++) { // both are relaxed
        const swBodyModel *body = sw_model_body(m, b);
        int modes = 0;
        for (int64_t i = 0; i < body->size.nzone; i++)
            modes += body->zone[i].nstrain;
        assert_true(modes > 0);
    }
    return m;
}

static swReal sum_of_amplitudes(const swState *s) {
    swReal sum = 0;
    for (int64_t b = 0; b < s->model->size.nbody; b++)
        for (int64_t i = 0; i < s->body[b]->model->size.nrelax; i++)
            sum += fabs(s->body[b]->relax[i]);
    return sum;
}

// Leaves the state as it is, but not what it works with.
static void disturb(swState *s) {
    swState *other = make_state(s->model);
    const uint64_t before = sw_state_hash(s);
    swError error = {0};
    sw_state_copy(other, s);
    sw_state_reset(s);
    step_or_fail(s->model, s, 2);
    swModes *modes = sw_solve_modal(s->model, s, 1, 2, &error);
    require(modes != NULL, &error);
    sw_modes_pose(modes, 1, 0.5, s);
    sw_modes_destroy(modes);
    sw_state_copy(s, other);
    assert_true(sw_state_hash(s) == before);
    sw_state_destroy(other);
}

static void relaxed_bodies_run_on_the_same(void **state) {
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", temporary_path("relaxed"));
    swError error = {0};
    swModel *m = compile_bending(BENDING("load"));
    swState *a = make_state(m), *b = make_state(m);
    uint64_t hash[31] = {0};
    for (int i = 1; i <= 30; i++) {
        step_or_fail(m, a, 1);
        hash[i] = sw_state_hash(a);
        if (i == 10)
            require(sw_state_save(a, path, &error), &error);
    }
    assert_true(sum_of_amplitudes(a) > 1e-2);
    for (int way = 0; way < 3; way++) {
        const int from = way == 0 ? 0 : 10;
        step_or_fail(m, b, 4);
        if (way == 0)
            sw_state_reset(b);
        else
            require(sw_state_load(b, path, &error), &error);
        for (int i = from + 1; i <= 30; i++) {
            if (way == 2 && i % 7 == 0)
                disturb(b);
            step_or_fail(m, b, 1);
            assert_true(sw_state_hash(b) == hash[i]);
        }
    }
    remove(path);
    sw_state_destroy(a);
    sw_state_destroy(b);
    sw_model_destroy(m);
}

// From the same state to the same equilibrium and vibrations, and on from there.
static void relaxed_bodies_rest_the_same(void **state) {
    (void)state;
    static const char *const scenes[] = {BENDING("load"), BENDING("arc-length")};
    for (int i = 0; i < SW_COUNT(scenes); i++) {
        swModel *m = compile_bending(scenes[i]);
        swState *s[2] = {make_state(m), make_state(m)};
        uint64_t hash[2][3];
        swReal frequency[2];
        step_or_fail(m, s[0], 6);
        step_or_fail(m, s[1], 3);
        sw_state_copy(s[1], s[0]);
        for (int k = 0; k < 2; k++) {
            swError error = {0};
            solve_or_fail(m, s[k]);
            hash[k][0] = sw_state_hash(s[k]);
            if (k == 1)
                disturb(s[k]);
            swModes *modes = sw_solve_modal(m, s[k], 1, 3, &error);
            require(modes != NULL, &error);
            frequency[k] = modes->frequency[0];
            solve_or_fail(m, s[k]); // unloads where it follows the path
            hash[k][1] = sw_state_hash(s[k]);
            step_or_fail(m, s[k], 3);
            hash[k][2] = sw_state_hash(s[k]);
            if (k == 1)
                sw_modes_pose(modes, 2, 1, s[k]);
            sw_modes_pose(modes, 0, 1, s[k]);
            const swReal once = sum_of_amplitudes(s[k]);
            sw_modes_pose(modes, 0, 2, s[k]);
            assert_true(sum_of_amplitudes(s[k]) != once);
            sw_modes_destroy(modes);
        }
        assert_memory_equal(hash[0], hash[1], sizeof hash[0]);
        assert_true(frequency[0] == frequency[1]);
        for (int64_t b = 0; b < m->size.nbody; b++)
            assert_memory_equal(s[0]->body[b]->relax, s[1]->body[b]->relax,
                                (size_t)sw_model_body(m, b)->size.nrelax * sizeof(swReal));
        for (int k = 0; k < 2; k++)
            sw_state_destroy(s[k]);
        sw_model_destroy(m);
    }
}

// ---- files that are not what they should be ----

typedef struct {
    char *data;
    size_t size;
} Bytes;

static Bytes read_bytes(const char *path) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    Bytes b = {.size = (size_t)ftell(f)};
    rewind(f);
    b.data = malloc(b.size + 1);
    assert_int_equal(fread(b.data, 1, b.size, f), b.size);
    fclose(f);
    return b;
}

static void write_bytes(const char *path, const char *data, size_t size) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    fclose(f);
}

static void assert_refused(const char *path, swState *s, bool model) {
    uint64_t before = sw_state_hash(s);
    swError error = {0};
    if (model)
        assert_null(sw_model_load(path, NULL, &error));
    else
        assert_false(sw_state_load(s, path, &error));
    assert_true(error.code == SW_ERROR_FORMAT || error.code == SW_ERROR_VALUE);
    assert_string_equal(error.path, path);
    assert_true(strlen(error.message) > 0);
    assert_true(sw_state_hash(s) == before);
}

static void damaged_files_are_refused(void **state) {
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", temporary_path("damaged"));
    swError error = {0};
    swModel *m = compile_text("{'sinew': 1, 'bodies': [{'shape': {'sphere': {'radius': 1}},"
                              " 'resolution': 6, 'frames': {'count': 2}}]}",
                              NULL);
    swState *s = make_state(m);
    for (int model = 0; model < 2; model++) {
        require(model ? sw_model_save(m, path, &error) : sw_state_save(s, path, &error), &error);
        Bytes good = read_bytes(path);
        Random r = {101};
        for (int i = 0; i < 300; i++) { // one bit
            size_t at = i < 64 ? (size_t)i : (size_t)(random_unit(&r) * (swReal)good.size);
            good.data[at] ^= (char)(1 << i % 8);
            write_bytes(path, good.data, good.size);
            assert_refused(path, s, model);
            good.data[at] ^= (char)(1 << i % 8);
        }
        for (int i = 0; i < 100; i++) { // cut short
            size_t size = i < 50 ? (size_t)i : (size_t)(random_unit(&r) * (swReal)good.size);
            write_bytes(path, good.data, size);
            assert_refused(path, s, model);
        }
        good.data[good.size] = 0; // one byte more
        write_bytes(path, good.data, good.size + 1);
        assert_refused(path, s, model);
        write_bytes(path, good.data, good.size); // and whole it is taken
        if (!model)
            require(sw_state_load(s, path, &error), &error);
        free(good.data);
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
    remove(path);
}

// Sizes in a header that would ask for all memory there is, in a file that is sound otherwise.
static void huge_sizes_are_refused(void **state) {
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", temporary_path("huge"));
    Counter counter = {0};
    swConfig config = counting_config(&counter);
    const int fields[] = {sizeof(swModelSizes) / sizeof(int64_t),
                          sizeof(swBodySizes) / sizeof(int64_t)};
    for (int field = 0; field < fields[0] + fields[1]; field++)
        for (int sign = -1; sign <= 1; sign += 2) {
            swArchive a;
            swError error = {0};
            swModelSizes size = {.nbody = 1, .ncompiled = 1, .ntext = 1};
            swBodySizes body = {.nnode = 1, .ntext = 1, .nbody = 1};
            swSettings settings = {0};
            swBodyPlace place = {0};
            char text = 0;
            int64_t number = sign > 0 ? INT64_MAX / 2 : -1;
            memcpy(field < fields[0] ? (char *)&size + 8 * field
                                     : (char *)&body + 8 * (field - fields[0]),
                   &number, sizeof number);
            require(sw_archive_save(&a, path, "model", SW_MODEL_VERSION, &error), &error);
            sw_archive_item(&a, &size, sizeof size);
            sw_archive_item(&a, &settings, sizeof settings);
            sw_archive_item(&a, &place, sizeof place);
            sw_archive_item(&a, &text, sizeof text);
            sw_archive_item(&a, &body, sizeof body);
            require(sw_archive_close(&a, &error), &error);
            assert_null(sw_model_load(path, &config, &error));
            assert_int_equal(error.code, SW_ERROR_FORMAT);
            assert_non_null(strstr(error.message, "sizes of its model"));
            assert_int_equal(counter.held, 0);
        }
    remove(path);
}

static void foreign_files_are_refused(void **state) {
    (void)state;
    char model_path[512], state_path[512];
    snprintf(model_path, sizeof model_path, "%s", temporary_path("model"));
    snprintf(state_path, sizeof state_path, "%s", temporary_path("state"));
    swError error = {0};
    swModel *m = compile_text(BODY(", 'resolution': 5"), NULL),
            *other = compile_text(BODY(", 'resolution': 5, 'velocity': [1, 0, 0]"), NULL),
            *larger = compile_text(BODY(", 'resolution': 5, 'frames': {'count': 9}"), NULL);
    swState *s = make_state(m), *t = make_state(other), *u = make_state(larger);
    require(sw_model_save(m, model_path, &error), &error);
    require(sw_state_save(s, state_path, &error), &error);
    assert_refused(model_path, s, false); // a model is no state
    assert_refused(state_path, s, true);  // nor the other way round
    assert_refused(state_path, t, false); // of a model with the same sizes
    assert_refused(state_path, u, false); // with others
    write_bytes(state_path, "{\"sinew\": 1}", 12);
    assert_refused(state_path, s, false);
    assert_refused(state_path, s, true);
    remove(state_path);
    error = (swError){0};
    assert_false(sw_state_load(s, state_path, &error)); // not there
    assert_int_equal(error.code, SW_ERROR_FILE);
    assert_null(sw_model_load(state_path, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_FILE);
    snprintf(state_path, sizeof state_path, "%s/none/x", temporary_path("folder"));
    assert_false(sw_state_save(s, state_path, &error));
    assert_int_equal(error.code, SW_ERROR_FILE);
    assert_false(sw_model_save(m, state_path, &error));
    assert_int_equal(error.code, SW_ERROR_FILE);
    remove(model_path);
    sw_state_destroy(s);
    sw_state_destroy(t);
    sw_state_destroy(u);
    sw_model_destroy(m);
    sw_model_destroy(other);
    sw_model_destroy(larger);
}

// ---- memory ----

static void steps_allocate_nothing(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        Counter counter = {0};
        swConfig config = counting_config(&counter);
        config.threads = threads;
        swModel *m = compile_text(FALLING(""), &config);
        swState *s = make_state(m);
        step_or_fail(m, s, 1);
        int calls = counter.calls;
        int64_t held = counter.held;
        step_or_fail(m, s, 30);
        sw_state_hash(s);
        sw_state_energy(s);
        sw_probe_position(s, 0);
        sw_state_reset(s);
        assert_int_equal(counter.calls, calls);
        assert_int_equal(counter.held, held);
        sw_state_destroy(s);
        sw_model_destroy(m);
        assert_int_equal(counter.held, 0);
        assert_int_equal(counter.bytes, 0);
    }
}

#define HANGING \
    "{'sinew': 1, 'analysis': 'static', 'gravity': [0, -2, 0], 'bodies': [{" \
    " 'shape': {'box': {'size': [1, 0.2, 0.2]}}, 'resolution': 12, 'frames': {'count': 3}," \
    " 'handles': [{'name': 'wall', 'region': {'box': {'size': [0.1, 1, 1]," \
    "   'center': [-0.5, 0, 0]}}}]}]}"

static void statics_allocate_nothing(void **state) {
    (void)state;
    Counter counter = {0};
    swConfig config = counting_config(&counter);
    swModel *m = compile_text(HANGING, &config);
    swState *s = make_state(m);
    int calls = counter.calls;
    solve_or_fail(m, s);
    assert_int_equal(counter.calls, calls);
    sw_state_destroy(s);
    sw_model_destroy(m);
    assert_int_equal(counter.held, 0);
}

// From the text of a scene to a first step; true when all of it worked.
static bool whole_way(const swConfig *config, const char *path, swError *error) {
    swScene *scene = parse_with(FALLING_AT("5", "5", ""), config, error);
    swModel *m = scene ? sw_compile(scene, error) : NULL, *loaded = NULL;
    swState *s = m ? sw_state_create(m, error) : NULL;
    bool ok = s && sw_step(m, s) == SW_OK && sw_state_save(s, path, error) &&
              sw_state_load(s, path, error) && sw_model_save(m, path, error) &&
              (loaded = sw_model_load(path, config, error));
    sw_model_destroy(loaded);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
    return ok;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", temporary_path("failing"));
    for (int once = 0; once < 2; once++) {
        int failures = 0;
        for (int k = 1;; k++) {
            Counter counter = {.fail_at = k, .once = once};
            swConfig config = counting_config(&counter);
            swError error = {0};
            config.threads = 2;
            bool ok = whole_way(&config, path, &error);
            assert_int_equal(counter.held, 0);
            assert_int_equal(counter.bytes, 0);
            if (!ok)
                assert_int_equal(error.code, SW_ERROR_MEMORY);
            failures += !ok;
            if (counter.calls < k) { // it was never reached
                assert_true(ok);
                break;
            }
        }
        assert_true(failures > 5);
    }
    remove(path);
}

// ---- failure ----

// A handle that leaps so far in one step that the material it carries is turned inside out.
#define LEAPING(more) \
    "{'sinew': 1, 'time': {'step': 0.1}, 'gravity': [0, 0, 0], " more " 'bodies': [{" \
    " 'shape': {'box': {'size': [1, 0.2, 0.2]}}, 'resolution': 10," \
    " 'frames': {'count': 0, 'weights': {'kind': 'hat'}}, 'handles': [" \
    "  {'name': 'wall', 'region': {'box': {'size': [0, 1, 1], 'center': [-0.5, 0, 0]}}}," \
    "  {'name': 'hand', 'region': {'box': {'size': [0, 1, 1], 'center': [0.5, 0, 0]}}," \
    "   'motion': {'keys': [{'t': 0}, {'t': 0.3, 'translate': [0.1, 0, 0]}," \
    "     {'t': 0.31, 'translate': [-1.5, 0, 0]}]}}]}]}"

// One body, with too few iterations for what it does.
#define ONE(body) \
    "{'sinew': 1, 'time': {'step': 0.01}, 'solver': {'iterations': 1}, 'gravity': [0, -5, 0]," \
    " 'materials': {'soft': {'young': 2e4}}, 'colliders': [{'plane': {'normal': [0, 1, 0]}}]," \
    " 'bodies': [" body "]}"

static void a_failed_step_leaves_the_state_alone(void **state) {
    (void)state;
    static const char *const scenes[] = {
        LEAPING(""), ONE(BENT("'count': 2", "0")),
        ONE("{'shape': {'sphere': {'radius': 0.2}}, 'resolution': 12, 'frames': {'count': 4},"
            " 'place': {'translate': [0, 0.25, 0]}, 'velocity': [0.5, -1, 0], 'spin': [0, 0, 3]}")};
    for (int i = 0; i < SW_COUNT(scenes); i++) {
        swModel *m = compile_text(scenes[i], NULL);
        swState *s = make_state(m);
        swStatus status = SW_OK;
        uint64_t before = sw_state_hash(s);
        int steps = 0;
        for (; steps < 100; steps++) {
            before = sw_state_hash(s);
            status = sw_step(m, s);
            if (status != SW_OK)
                break;
        }
        assert_int_equal(status, SW_ERROR_NOT_CONVERGED);
        assert_true(sw_state_hash(s) == before);
        assert_int_equal(sw_state_steps(s), steps);
        assert_near(sw_state_time(s), steps * sw_model_info(m).step, 1e-12);
        assert_int_equal(sw_state_report(s)->status, status);
        assert_true(strlen(sw_state_report(s)->reason) > 10);
        assert_int_equal(sw_step(m, s), status); // and again
        assert_true(sw_state_hash(s) == before);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// Bodies that can go on do, and those that cannot stay as they were before the step.
static void bodies_that_fail_stay_where_they_were(void **state) {
    (void)state;
    swModel *m = compile_text(FALLING(", 'solver': {'iterations': 1}"), NULL);
    swState *s = make_state(m), *before = make_state(m);
    swStatus status = SW_OK;
    int steps = 0;
    for (; steps < 100 && status == SW_OK; steps++) {
        sw_state_copy(before, s);
        status = sw_step(m, s);
    }
    assert_int_equal(status, SW_ERROR_NOT_CONVERGED);
    for (int again = 0; again < 2; again++) {
        const swStepReport *report = sw_state_report(s);
        assert_int_equal(report->status, status);
        assert_true(strlen(report->reason) > 10);
        assert_int_equal(sw_state_steps(s), steps);
        assert_near(sw_state_time(s), steps * sw_model_info(m).step, 1e-12);
        int stopped = 0;
        for (int64_t b = 0; b < m->size.nbody; b++) {
            const swBodyState *x = s->body[b], *y = before->body[b];
            const swBodySizes *size = &sw_model_body(m, b)->size;
            const size_t bytes = (size_t)size->nq * sizeof *x->q;
            if (x->rest->stopped) {
                stopped++;
                assert_int_equal(x->rest->stopped, status);
                assert_memory_equal(x->q, y->q, bytes);
                assert_memory_equal(x->v, y->v, bytes);
                assert_memory_equal(x->touch, y->touch,
                                    SW_TOUCHES * (size_t)size->ncontact * sizeof *x->touch);
                assert_memory_equal(x->bulk_velocity, y->bulk_velocity,
                                    (size_t)size->nbulk_point * sizeof *x->bulk_velocity);
                assert_memory_equal(x->handle_wrench, y->handle_wrench,
                                    6 * (size_t)size->nhandle * sizeof *x->handle_wrench);
            } else
                assert_true(memcmp(x->q, y->q, bytes) != 0);
        }
        assert_int_equal(report->stopped, stopped);
        assert_true(stopped > 0 && stopped < m->size.nbody);
        if (again == 0) { // it is said again, and the others go on
            assert_int_equal(sw_step(m, s), status);
            steps++;
        }
    }
    sw_state_destroy(s);
    sw_state_destroy(before);
    sw_model_destroy(m);
}

static void a_failed_static_analysis_stays_at_what_it_reached(void **state) {
    (void)state;
    swModel *m = compile_text(LEAPING("'analysis': 'static', 'solver': {'increments': 8},"), NULL);
    swState *s = make_state(m);
    swStatus status = sw_solve_static(m, s);
    const swStepReport *report = sw_state_report(s);
    assert_int_equal(status, SW_ERROR_NOT_CONVERGED);
    assert_true(report->load > 0.9 && report->load < 1);
    assert_true(strlen(report->reason) > 10);
    assert_true(isfinite(sw_state_energy(s).elastic));
    assert_near(sw_state_time(s), report->load * 0.31, 1e-12);
    swVec3 x;
    swMat3 R;
    sw_frame_get(s, 1, &x, &R); // the hand is where the load that was reached puts it
    swReal t = sw_state_time(s);
    swReal moved = t <= 0.3 ? 0.1 * t / 0.3 : 0.1 - 1.6 * (t - 0.3) / 0.01;
    assert_near(x.x, 0.5 + moved, 1e-9);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void a_body_that_nothing_holds_has_no_equilibrium_but_says_so(void **state) {
    (void)state;
    swModel *m = compile_text("{'sinew': 1, 'analysis': 'static', 'bodies': [{'shape': {'sphere':"
                              " {'radius': 1}}, 'resolution': 6, 'frames': {'count': 2}}]}",
                              NULL);
    swState *s = make_state(m);
    uint64_t before = sw_state_hash(s);
    assert_int_not_equal(sw_solve_static(m, s), SW_OK);
    assert_true(strlen(sw_state_report(s)->reason) > 10);
    assert_true(sw_state_hash(s) == before);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// ---- handles ----

static void driven_handles_are_where_their_keys_say(void **state) {
    (void)state;
    swModel *m = compile_text(FALLING(""), NULL);
    swState *s = make_state(m);
    const int frame = 7; // four of the ball, three of the block, then its handle
    swVec3 x0, x;
    swMat3 R0, R;
    sw_frame_get(s, frame, &x0, &R0);
    assert_near(sw_norm(sw_sub(x0, sw_v3(1.275, 0.3, 0))), 0, 1e-9);
    for (int i = 1; i <= 20; i++) {
        step_or_fail(m, s, 1);
        swReal t = 0.01 * i;
        swMat3 Q = sw_mat_rotation(sw_v3(t * 40 * SW_PI / 180, 0, 0));
        swVec3 goal = sw_add(sw_mul(Q, x0), sw_scale(t, sw_v3(0, 0.2, 0.1)));
        sw_frame_get(s, frame, &x, &R);
        assert_near(sw_norm(sw_sub(x, goal)), 0, 1e-12);
        assert_near(mat_distance(R, sw_mat_mul(Q, R0)), 0, 1e-12);
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// A first key away from rest holds from the beginning, and again after a reset.
static void the_first_key_holds_at_the_start(void **state) {
    (void)state;
    swModel *m = compile_text("{'sinew': 1, 'gravity': [0, 0, 0], 'bodies': [{'shape': {'box':"
                              " {'size': [1, 0.2, 0.2]}}, 'resolution': 10, 'frames': {'count': 2},"
                              " 'handles': [{'name': 'hand', 'region': {'box': {'size': [0.2, 1, 1]"
                              ", 'center': [0.5, 0, 0]}}, 'motion': {'keys': [{'t': 0,"
                              " 'translate': [0, 0.02, 0]}, {'t': 1}]}}]}]}",
                              NULL);
    swState *s = make_state(m);
    for (int i = 0; i < 2; i++) {
        swVec3 x;
        swMat3 R;
        sw_frame_get(s, 2, &x, &R);
        assert_near(sw_norm(sw_sub(x, sw_v3(0.45, 0.02, 0))), 0, 1e-9);
        step_or_fail(m, s, 5);
        sw_frame_get(s, 2, &x, &R);
        assert_near(x.y, 0.02 * 0.95, 1e-12);
        sw_state_reset(s);
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(threads_do_not_change_a_bit),
    cmocka_unit_test(a_reset_state_runs_the_same),
    cmocka_unit_test(copies_run_the_same_side_by_side),
    cmocka_unit_test(saved_states_run_on_the_same),
    cmocka_unit_test(saved_models_run_the_same),
    cmocka_unit_test(equal_scenes_make_equal_models),
    cmocka_unit_test(relaxed_bodies_run_on_the_same),
    cmocka_unit_test(relaxed_bodies_rest_the_same),
    cmocka_unit_test(damaged_files_are_refused),
    cmocka_unit_test(huge_sizes_are_refused),
    cmocka_unit_test(foreign_files_are_refused),
    cmocka_unit_test(steps_allocate_nothing),
    cmocka_unit_test(statics_allocate_nothing),
    cmocka_unit_test(every_failed_allocation_is_survived),
    cmocka_unit_test(a_failed_step_leaves_the_state_alone),
    cmocka_unit_test(bodies_that_fail_stay_where_they_were),
    cmocka_unit_test(a_failed_static_analysis_stays_at_what_it_reached),
    cmocka_unit_test(a_body_that_nothing_holds_has_no_equilibrium_but_says_so),
    cmocka_unit_test(driven_handles_are_where_their_keys_say),
    cmocka_unit_test(the_first_key_holds_at_the_start),
};
SW_SUITE(state, tests)
