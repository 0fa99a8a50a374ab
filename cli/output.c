// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The output files of a run; their extensions select the format.
#include "inspect/picture.h"

#include "output/character.h"
#include "output/recording.h"
#include "output/sequence.h"

#include <string.h>
#include <sys/stat.h>

static swGltfOptions gltf_options(const RunOptions *o, int rig) {
    const int usual = rig >= 0 ? 4 : 0; // most engines read four joints per vertex of a character
    return (swGltfOptions){.max_influences = o->influences >= 0 ? o->influences : usual,
                           .keep_weights = o->keep_weights};
}

static bool write_gltf(const Run *run, const char *path, swError *error) {
    const RunOptions *o = &run->options;
    const int rig = sw_character_find(run->model);
    const swGltfOptions options = gltf_options(o, rig);
    swGltfReport report;
    if (rig < 0)
        return sw_gltf_write(run->model, &run->clip, path, &options, NULL, error);
    if (!sw_character_write(run->model, &run->clip, rig, path, &options, &report, error))
        return false;
    const int kept = options.max_influences;
    if (kept > 0 && report.max_influences_found > kept && !o->quiet)
        cli_say(
            "%s: up to %d joints move a vertex, but only %d are written, with weights fitted to "
            "the motion: this moves a vertex by %.2g of the body's size at most",
            path, report.max_influences_found, kept, report.largest_error);
    return true;
}

static bool write_sequence(const Run *run, const char *path, swError *error) {
    const int all = stage_keys(run);
    for (int key = 0; key < all;) {
        int local = key;
        const Run *stage = stage_of(run, &local);
        if (!sw_sequence_write_part(stage->model, &stage->clip, path, key, all, error))
            return false;
        key += sw_clip_count(&stage->clip);
    }
    return all > 0 || sw_sequence_write(run->model, &run->clip, path, error);
}

static bool write_recording(const Run *run, const char *path, swError *error) {
    return sw_recording_save(&run->clip, path, error);
}

typedef struct Format {
    const char *suffix;
    bool (*write)(const Run *run, const char *path, swError *error);
    bool (*possible)(void); // NULL: always
    const char *needs;
} Format;

static const Format formats[] = {
    {".glb", write_gltf, NULL, NULL},
    {".obj", write_sequence, NULL, NULL},
    {".ply", write_sequence, NULL, NULL},
    {".png", picture_write_strip, NULL, NULL},
    {".swr", write_recording, NULL, NULL},
    {".mp4", movie_write, movie_possible, "ffmpeg, which is not installed (or not on the PATH)"},
};

static const Format *find(const char *path) {
    for (int i = 0; i < SW_COUNT(formats); i++)
        if (sw_text_has_suffix(path, formats[i].suffix))
            return &formats[i];
    return NULL;
}

static bool check_format(const char *path, swError *error) {
    const Format *f = find(path);
    char list[64] = "";
    if (f && f->possible && !f->possible())
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, path, 0, 0, "%s files need %s", f->suffix,
                          f->needs);
    if (f)
        return true;
    for (int i = 0; i < SW_COUNT(formats); i++) {
        size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s", i ? " " : "", formats[i].suffix);
    }
    return sw_fail_at(error, SW_ERROR_UNSUPPORTED, path, 0, 0,
                      "expected a name that ends in one of %s", list);
}

// All files to be written, by index; NULL past the last.
static const char *target_at(const RunOptions *o, int i) {
    const char *rest[] = {o->json, o->csv, o->save, o->save_model};
    if (i < o->outputs.count)
        return o->outputs.item[i];
    for (int k = 0, n = o->outputs.count; k < SW_COUNT(rest); k++)
        if (rest[k] && n++ == i)
            return rest[k];
    return NULL;
}

// Whether two paths refer to the same file, however they are written.
static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    if (!a || !b || strcmp(a, b) == 0)
        return a && b;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

bool output_check(const RunOptions *o, swError *error) {
    for (int i = 0; i < o->outputs.count; i++)
        if (!check_format(o->outputs.item[i], error))
            return false;
    const char *saved[] = {o->save, o->save_model};
    for (int i = 0; i < SW_COUNT(saved); i++)
        if (sw_text_equal(saved[i], "-"))
            return sw_fail(error, SW_ERROR_VALUE,
                           "states and models can only be written to files, not to standard "
                           "output");
    for (int i = 0; target_at(o, i); i++) {
        if (same_file(target_at(o, i), o->scene))
            return sw_fail(error, SW_ERROR_VALUE, "%s: would be overwritten", o->scene);
        if (target_at(o, i) != o->save && same_file(target_at(o, i), o->load))
            return sw_fail(error, SW_ERROR_VALUE, "%s: would be overwritten", o->load);
        for (int k = 0; k < i; k++)
            if (same_file(target_at(o, i), target_at(o, k)))
                return sw_fail(error, SW_ERROR_VALUE, "%s: asked for twice", target_at(o, i));
    }
    return true;
}

bool output_check_model(const RunOptions *o, const swModel *m, swError *error) {
    const int rig = sw_character_find(m);
    const swGltfOptions options = gltf_options(o, rig);
    if (rig < 0)
        return !o->keep_weights ||
               sw_fail(error, SW_ERROR_VALUE,
                       "--keep-weights needs a scene with one body, made from the mesh of its "
                       "skeleton's file");
    const char *file = sw_body_text(sw_model_body(m, rig), sw_model_body(m, rig)->rig[0].file);
    for (int i = 0; i < o->outputs.count; i++) {
        if (same_file(o->outputs.item[i], file))
            return sw_fail(error, SW_ERROR_VALUE, "%s: would be overwritten", file);
        if (find(o->outputs.item[i])->write == write_gltf &&
            !sw_character_check(m, rig, &options, error))
            return false;
    }
    return true;
}

bool output_prepare(const RunOptions *o, swError *error) {
    for (int i = 0; target_at(o, i); i++)
        if (!cli_output_prepare(target_at(o, i), error))
            return false;
    return true;
}

const char *output_name(const Run *run, const char *path, char *text, size_t size) {
    const Format *f = find(path);
    const int stem = (int)(strlen(path) - strlen(f->suffix)), last = stage_keys(run) - 1;
    if (f->write == write_sequence)
        snprintf(text, size, "%.*s_0000%s to _%04d%s", stem, path, path + stem, last, path + stem);
    else
        snprintf(text, size, "%s", path);
    return text;
}

bool output_write(const Run *run, const char *path, swError *error) {
    return find(path)->write(run, path, error);
}
