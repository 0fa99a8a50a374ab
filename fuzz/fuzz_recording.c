// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Recordings. An input is a list of changes to a small one: five bytes each, a place and a byte. If
// its first byte is odd they change the file, else the model that is then saved (its compiled body,
// then what is around that), so that the check sum is right. What can be loaded is looked at as a
// viewer would.
#include "potentials/measure.h"
#include "kinematics/points.h"
#include "kinematics/sample_map.h"
#include "output/recording.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static swRecording good;
static char path[512];
static char *file, *block, *changed; // the bytes of its file, and of its model
static size_t file_size, body_size, model_size;

static void write_bytes(const char *bytes, size_t size) {
    FILE *stream = fopen(path, "wb");
    if (!stream || fwrite(bytes, 1, size, stream) != size || fclose(stream) != 0)
        exit(2);
}

static void forget_file(void) { remove(path); }

static void set_model(const char *bytes) {
    memcpy(good.model->compiled[0]->block, bytes, body_size);
    memcpy(good.model->block, bytes + body_size, good.model->block_size);
}

static void set_up(void) {
    static swArena arena;
    const char *folder = getenv("TMPDIR");
    const swConfig config = sw_default_config();
    snprintf(path, sizeof path, "%s/sinew_fuzz_%ld.swr", folder ? folder : P_tmpdir,
             (long)getpid());
    atexit(forget_file);
    swScene *scene = sw_scene_create(NULL);
    swMaterial *muscle = sw_scene_add_material(scene, "muscle");
    muscle->fibre.strength = 1e4;
    muscle->yield = 1e3;
    swBody *body = sw_scene_add_body(scene, "bar");
    sw_body_add_shape(scene, body, SW_SHAPE_BOX)->size = sw_v3(0.4, 0.1, 0.1);
    body->voxel = 0.05;
    body->frames.count = 2;
    good.model = sw_compile(scene, NULL);
    swState *state = good.model ? sw_state_create(good.model, NULL) : NULL;
    if (!state)
        exit(2);
    sw_clip_init(&good.clip, good.model);
    for (int i = 0; i < 3; i++)
        if (sw_step(good.model, state) != SW_OK || !sw_clip_add(&good.clip, state, NULL))
            exit(2);
    sw_arena_init(&arena, &config.allocator);
    body_size = good.model->compiled[0]->block_size;
    model_size = body_size + good.model->block_size;
    block = malloc(model_size);
    changed = malloc(model_size);
    if (!block || !changed || !sw_recording_save(&good.clip, path, NULL) ||
        !sw_file_read(path, &arena, &file, &file_size, NULL))
        exit(2);
    memcpy(block, good.model->compiled[0]->block, body_size);
    memcpy(block + body_size, good.model->block, good.model->block_size);
    sw_state_destroy(state);
    sw_scene_destroy(scene);
}

static void change(const uint8_t *data, size_t size, char *bytes, size_t n) {
    for (; size >= 5; data += 5, size -= 5) {
        uint32_t at;
        memcpy(&at, data, 4);
        bytes[at % n] = (char)data[4];
    }
}

static void look(const swBodyClip *clip) {
    const swBodyModel *m = clip->model;
    swArena arena;
    swSampleMap map;
    swMeasureWork work;
    sw_arena_init(&arena, &m->config.allocator);
    swReal *q = SW_NEW(&arena, m->size.nq, swReal, NULL),
           *sample = SW_NEW(&arena, m->size.nsample, swReal, NULL),
           *value = SW_NEW(&arena, m->size.npoint, swReal, NULL);
    swVec3 *x = SW_NEW(&arena, m->size.npoint, swVec3, NULL);
    const swClipKey *key = clip->keys.item;
    if (q && sample && value && x && sw_sample_map_create(&map, m, &arena, NULL) &&
        sw_measure_create(&work, m, 1, &arena, NULL)) {
        sw_body_clip_pose(clip, key->t + 0.005, q);
        sw_points_positions(m, q, 0, (int)m->size.npoint, x);
        for (int k = 0; k < SW_MEASURES; k++) {
            const swMeasureInput input = {q, key->activation, key->plastic, NULL};
            sw_measure(m, &work, NULL, (swMeasure)k, &input, sample);
            sw_sample_map_values(&map, sample, value);
        }
    }
    sw_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!file)
        set_up();
    if (size == 0)
        return 0;
    if (data[0] & 1) {
        char *copy = malloc(file_size);
        if (!copy)
            exit(2);
        memcpy(copy, file, file_size);
        change(data + 1, size - 1, copy, file_size);
        write_bytes(copy, data[0] & 2 ? file_size : file_size * (data[0] >> 2) / 64);
        free(copy);
    } else {
        memcpy(changed, block, model_size);
        change(data + 1, size - 1, changed, model_size);
        set_model(changed);
        const bool saved = sw_recording_save(&good.clip, path, NULL);
        set_model(block);
        if (!saved)
            exit(2);
    }
    swRecording r;
    swError error = {0};
    if (sw_recording_load(&r, path, NULL, &error)) {
        for (int64_t b = 0; b < r.model->size.nbody; b++)
            look(&r.clip.body[b]);
        sw_recording_free(&r);
    } else if (error.code == SW_OK || !error.message[0])
        abort(); // a failure without a reason
    return 0;
}
