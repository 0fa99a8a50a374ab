// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Recordings: what is written comes back, and what is damaged is told.
#include "output/recording.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"
#include "model/archive.h"
#include "test_examples.h"

// Of the example, with some steps recorded; yield > 0: its first material flows.
static swRecording record(const char *name, int steps, swReal yield) {
    swScene *scene = read_example(name);
    swRecording r = {0};
    if (yield > 0)
        scene->materials->yield = yield;
    r.model = compile_scene(scene);
    swState *s = make_state(r.model);
    sw_clip_init(&r.clip, r.model);
    assert_true(sw_clip_add(&r.clip, s, NULL));
    for (int i = 0; i < steps; i++) {
        step_or_fail(r.model, s, 1);
        assert_true(sw_clip_add(&r.clip, s, NULL));
    }
    sw_state_destroy(s);
    sw_scene_destroy(scene);
    return r;
}

static void same(const swReal *a, const swReal *b, int64_t n) {
    assert_true((a != NULL) == (b != NULL));
    if (a)
        assert_memory_equal(a, b, (size_t)n * sizeof *a);
}

static void check_round_trip(const char *name, int steps, swReal yield, bool acts) {
    const char *path = temporary_path("round.swr");
    swRecording a = record(name, steps, yield), b;
    swError error = {0};
    require(sw_recording_save(&a.clip, path, &error), &error);
    require(sw_recording_load(&b, path, NULL, &error), &error);
    assert_true(sw_model_hash(a.model) == sw_model_hash(b.model));
    assert_int_equal(sw_clip_count(&b.clip), steps + 1);
    const swBodySizes *size = &only_body(a.model)->size;
    for (int i = 0; i <= steps; i++) {
        const swClipKey *x = &a.clip.body[0].keys.item[i], *y = &b.clip.body[0].keys.item[i];
        assert_true(x->t == y->t);
        same(x->q, y->q, size->nq);
        same(x->activation, y->activation, size->nmaterial);
        same(x->plastic, y->plastic, size->nplastic);
        assert_true((y->activation != NULL) == acts && (y->plastic != NULL) == (yield > 0));
    }
    sw_recording_free(&a);
    sw_recording_free(&b);
    remove(path);
}

static void all_of_it_comes_back(void **state) {
    (void)state;
    check_round_trip("beam", 5, 0, false);
    check_round_trip("beam", 30, 2e3, false);
    check_round_trip("arm", 10, 0, true);
    check_round_trip("twist", 0, 0, false);
}

// Between keys frames are between their places, and rigid ones stay rigid.
static void poses_lie_between_keys(void **state) {
    (void)state;
    swRecording r = record("twist", 3, 0);
    const swBodyModel *m = only_body(r.model);
    const swBodyClip *clip = &r.clip.body[0];
    const int64_t nq = m->size.nq;
    const swClipKey *key = clip->keys.item;
    swReal *q = calloc((size_t)nq, sizeof *q), *rigid = calloc((size_t)nq, sizeof *q);
    assert_int_equal(sw_clip_find(&r.clip, -1), 0);
    assert_int_equal(sw_clip_find(&r.clip, key[2].t), 2);
    assert_int_equal(sw_clip_find(&r.clip, 0.5 * (key[2].t + key[3].t)), 2);
    assert_int_equal(sw_clip_find(&r.clip, 99), 3);
    for (int i = 0; i < 4; i++) {
        sw_body_clip_pose(clip, key[i].t, q);
        same(q, key[i].q, nq);
    }
    sw_body_clip_pose(clip, -1, q);
    same(q, key[0].q, nq);
    sw_body_clip_pose(clip, 99, q);
    same(q, key[3].q, nq);
    sw_body_clip_pose(clip, 0.25 * key[1].t + 0.75 * key[2].t, q);
    memcpy(rigid, q, (size_t)nq * sizeof *q);
    sw_nodes_make_rigid(m, rigid);
    for (int64_t i = 0; i < nq; i++) {
        assert_near(q[i], 0.25 * key[1].q[i] + 0.75 * key[2].q[i], 1e-3);
        assert_near(q[i], rigid[i], 1e-14);
    }
    free(q);
    free(rigid);
    sw_recording_free(&r);
}

// ---- damage ----

// The file cannot be loaded, says so in these words, and nothing is left.
static void expect_failure(const char *path, const char *words) {
    Counter counter = {0};
    const swConfig config = counting_config(&counter);
    swRecording r;
    swError error = {0};
    assert_false(sw_recording_load(&r, path, &config, &error));
    if (!strstr(error.message, words))
        fail_msg("\"%s\" instead of \"%s\"", error.message, words);
    assert_int_equal(counter.held, 0);
}

static void write_bytes(const char *path, const char *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void damage_is_told(void **state) {
    (void)state;
    const char *path = temporary_path("good.swr"), *bad = temporary_path("bad.swr");
    swRecording r = record("beam", 3, 0);
    swError error = {0};
    swArena arena;
    char *data;
    size_t size;
    sw_arena_init(&arena, &r.model->config.allocator);
    require(sw_recording_save(&r.clip, path, &error), &error);
    require(sw_file_read(path, &arena, &data, &size, &error), &error);
    for (size_t n = 0; n < size; n = n < 600 ? n + 7 : n + size / 40) {
        write_bytes(bad, data, n);
        expect_failure(bad, "");
    }
    for (size_t at = 0; at < size; at = at < 600 ? at + 3 : at + size / 60) {
        data[at] ^= 0x41;
        write_bytes(bad, data, size);
        data[at] ^= 0x41;
        expect_failure(bad, "");
    }
    data[size] = 1; // there is a byte behind
    write_bytes(bad, data, size + 1);
    expect_failure(bad, "too long");
    data[size - 20] ^= 1;
    write_bytes(bad, data, size);
    expect_failure(bad, "checksum");
    write_bytes(bad, "{\"sinew\": 1}", 12);
    expect_failure(bad, "not a file saved by sinew");
    expect_failure(temporary_path("none.swr"), "cannot open");
    require(sw_model_save(r.model, bad, &error), &error);
    expect_failure(bad, "expected a recording");
    assert_null(sw_model_load(path, NULL, &error));
    assert_non_null(strstr(error.message, "expected a model"));
    sw_arena_free(&arena);
    sw_recording_free(&r);
    remove(path);
    remove(bad);
}

// Files whose check sum is right and whose numbers are not.
static void nonsense_is_told(void **state) {
    (void)state;
    const char *path = temporary_path("odd.swr");
    swRecording r = record("beam", 3, 2e3);
    swClipKey *key = r.clip.body[0].keys.item;
    swError error = {0};
    swReal *const number[] = {&key[2].t, &key[1].q[5], &key[3].plastic[7]};
    for (int i = 0; i < SW_COUNT(number); i++) {
        const swReal before = *number[i];
        *number[i] = i == 1 ? INFINITY : NAN;
        require(sw_recording_save(&r.clip, path, &error), &error);
        expect_failure(path, "not finite");
        *number[i] = before;
    }
    const swReal t = key[2].t;
    key[2].t = key[1].t;
    require(sw_recording_save(&r.clip, path, &error), &error);
    expect_failure(path, "does not come after");
    key[2].t = t;
    int *triangle = only_body(r.model)->triangle;
    const int corner = triangle[0];
    triangle[0] = -1;
    require(sw_recording_save(&r.clip, path, &error), &error);
    expect_failure(path, "out of range");
    triangle[0] = corner;
    static const int64_t counts[] = {0, -1, 5, 1000, INT64_MAX};
    for (int i = 0; i < SW_COUNT(counts); i++) {
        swArchive a;
        int64_t nkey = counts[i];
        require(sw_archive_save(&a, path, "recording", 100 + SW_MODEL_VERSION, &error), &error);
        sw_model_put(r.model, &a);
        sw_archive_item(&a, &nkey, sizeof nkey);
        sw_archive_item(&a, key[0].q, (size_t)r.model->size.nq * sizeof(swReal));
        require(sw_archive_close(&a, &error), &error);
        expect_failure(path, "keys makes no sense");
    }
    r.clip.body[0].keys.count = 0;
    assert_false(sw_recording_save(&r.clip, path, &error));
    sw_recording_free(&r);
    remove(path);
}

// Memory that ends at any time: an error, and nothing is left.
static void memory_may_end(void **state) {
    (void)state;
    const char *path = temporary_path("scarce.swr");
    swRecording r = record("arm", 2, 2e3), again;
    swError error = {0};
    require(sw_recording_save(&r.clip, path, &error), &error);
    for (int k = 1;; k++) {
        Counter counter = {.fail_at = k};
        const swConfig config = counting_config(&counter);
        if (sw_recording_load(&again, path, &config, &error)) {
            sw_recording_free(&again);
            assert_int_equal(counter.held, 0);
            assert_true(k > 4);
            break;
        }
        assert_int_equal(error.code, SW_ERROR_MEMORY);
        assert_int_equal(counter.held, 0);
    }
    sw_recording_free(&r);
    remove(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_of_it_comes_back), cmocka_unit_test(poses_lie_between_keys),
    cmocka_unit_test(damage_is_told),       cmocka_unit_test(nonsense_is_told),
    cmocka_unit_test(memory_may_end),
};

SW_SUITE(recording, tests)
