// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "output/recording.h"

#include "model/archive.h"
#include "world/world.h"

#include <string.h>

static const char kind[] = "recording";
enum { VERSION = 100 + SW_MODEL_VERSION }; // version of the keys, and of the model

// The numbers of a key, in the same order for saving and loading.
static void key_items(const swBodyModel *m, swClipKey *key, swArchive *a) {
    const swBodySizes *size = &m->size;
    sw_archive_item(a, &key->t, sizeof key->t);
    sw_archive_item(a, key->q, (size_t)size->nq * sizeof *key->q);
    if (key->activation)
        sw_archive_item(a, key->activation, (size_t)sw_control_count(m) * sizeof *key->activation);
    if (key->plastic)
        sw_archive_item(a, key->plastic, (size_t)size->nplastic * sizeof *key->plastic);
}

bool sw_recording_save(const swClip *clip, const char *path, swError *error) {
    swArchive a;
    int64_t nkey = sw_clip_count(clip);
    if (nkey == 0)
        return sw_fail_at(error, SW_ERROR_VALUE, path, 0, 0, "there is no motion to record");
    if (sw_clip_has_points(clip))
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, path, 0, 0,
                          "a recording holds the motion of frames that stay, and some were "
                          "inserted: write .glb, .obj, .ply, .png or .mp4");
    if (!sw_archive_save(&a, path, kind, VERSION, error))
        return false;
    sw_model_put(clip->model, &a);
    sw_archive_item(&a, &nkey, sizeof nkey);
    for (int64_t b = 0; b < clip->model->size.nbody; b++)
        for (int i = 0; i < nkey; i++)
            key_items(clip->body[b].model, &clip->body[b].keys.item[i], &a);
    return sw_archive_close(&a, error);
}

static bool get_keys(swClip *clip, swArchive *a, swError *error) {
    const swModelSizes *size = &clip->model->size;
    int64_t nkey = 0;
    sw_archive_item(a, &nkey, sizeof nkey);
    // A key has at least its time and q.
    if (nkey < 1 || nkey > INT32_MAX ||
        (uint64_t)nkey > sw_archive_left(a) / ((size_t)(size->nq + 1) * sizeof(swReal)))
        return sw_fail_at(error, SW_ERROR_FORMAT, a->path, 0, 0,
                          "damaged: the number of its keys makes no sense");
    if (!sw_clip_open(clip, error))
        return false;
    for (int64_t b = 0; b < size->nbody; b++)
        for (int64_t i = 0; i < nkey && !a->failed; i++) {
            swClipKey *key = sw_body_clip_push(&clip->body[b], error);
            if (!key)
                return false;
            key_items(clip->body[b].model, key, a);
        }
    return true;
}

static bool all_finite(const swReal *x, int64_t n) {
    for (int64_t i = 0; x && i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static bool check_keys(const swBodyClip *clip, const char *path, swError *error) {
    const swBodySizes *size = &clip->model->size;
    for (int i = 0; i < clip->keys.count; i++) {
        const swClipKey *key = &clip->keys.item[i];
        if (!isfinite(key->t) || !all_finite(key->q, size->nq) ||
            !all_finite(key->activation, sw_control_count(clip->model)) ||
            !all_finite(key->plastic, size->nplastic))
            return sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0,
                              "damaged: a number of key %d is not finite", i);
        if (i > 0 && !(key->t > key[-1].t))
            return sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0,
                              "damaged: key %d does not come after the one before", i);
    }
    return true;
}

static bool same_times(const swClip *clip, int64_t body, const char *path, swError *error) {
    for (int i = 0; i < sw_clip_count(clip); i++)
        if (clip->body[body].keys.item[i].t != sw_clip_time(clip, i))
            return sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0,
                              "damaged: key %d of its bodies is not at one time", i);
    return true;
}

static bool get_items(swRecording *r, swArchive *a, swError *error) {
    if (!sw_model_get(r->model, a, error))
        return false;
    sw_clip_init(&r->clip, r->model);
    return get_keys(&r->clip, a, error);
}

bool sw_recording_load(swRecording *r, const char *path, const swConfig *config, swError *error) {
    const swConfig c = config ? *config : sw_default_config();
    swArchive a;
    memset(r, 0, sizeof *r);
    if (!sw_archive_load(&a, path, kind, VERSION, &c.allocator, error))
        return false;
    r->model = sw_model_create(&c, error);
    bool ok = r->model && get_items(r, &a, error);
    if (!ok)
        sw_archive_abandon(&a);
    ok = ok && sw_archive_close(&a, error) && sw_model_check(r->model, path, error);
    for (int64_t b = 0; ok && b < r->model->size.nbody; b++)
        ok = check_keys(&r->clip.body[b], path, error) && same_times(&r->clip, b, path, error);
    if (!ok)
        sw_recording_free(r);
    return ok;
}

void sw_recording_free(swRecording *r) {
    sw_clip_free(&r->clip);
    sw_model_destroy(r->model);
    memset(r, 0, sizeof *r);
}
