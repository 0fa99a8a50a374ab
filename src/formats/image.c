// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/image.h"
#include "formats/image_read.h"

#include <string.h>

static const swImageFormat *const formats[] = {
    &sw_image_nii, &sw_image_nii_gz, &sw_image_hdr, &sw_image_nrrd, &sw_image_nhdr, &sw_image_mha,
    &sw_image_mhd, &sw_image_png,    &sw_image_pgm, &sw_image_ppm,  &sw_image_pnm,  &sw_image_bmp};

const swImageFormat *sw_image_format_at(int index) {
    return index >= 0 && index < SW_COUNT(formats) ? formats[index] : NULL;
}

const swImageFormat *sw_image_format(const char *path) {
    const swImageFormat *best = NULL;
    for (int i = 0; i < SW_COUNT(formats); i++)
        if (sw_text_has_suffix(path, formats[i]->suffix) &&
            (!best || strlen(formats[i]->suffix) > strlen(best->suffix)))
            best = formats[i];
    return best;
}

static bool refuse_suffix(const char *path, swError *error) {
    char list[SW_SUFFIX_LIST] = "";
    for (int i = 0; i < SW_COUNT(formats); i++)
        sw_suffix_add(list, formats[i]->suffix);
    return sw_suffix_refuse(path, "read an image", list, error);
}

static bool check_place(const swImage *m, swError *error) {
    static const swReal least = 1e-30, most = 1e30; // so that products of three stay finite
    const swVec3 *a = m->axis;
    for (int k = 0; k < 3; k++) {
        swReal length = sw_norm(a[k]);
        if (!(length > least && length < most))
            return sw_fail(error, SW_ERROR_FORMAT,
                           "the step between voxels along axis %d is (%g, %g, %g)", k + 1, a[k].x,
                           a[k].y, a[k].z);
        if (!(fabs(sw_get(m->origin, k)) < most))
            return sw_fail(error, SW_ERROR_FORMAT, "the origin is (%g, %g, %g)", m->origin.x,
                           m->origin.y, m->origin.z);
    }
    swReal sine = sw_dot(sw_unit(a[0]), sw_cross(sw_unit(a[1]), sw_unit(a[2])));
    if (!(fabs(sine) > 1e-6))
        return sw_fail(error, SW_ERROR_FORMAT, "the three axes of the voxels lie in one plane");
    return true;
}

static bool check_values(const swImage *m, swError *error) {
    size_t nx = (size_t)m->n[0], ny = (size_t)m->n[1];
    if (!isfinite(m->slope) || !isfinite(m->intercept))
        return sw_fail(error, SW_ERROR_FORMAT,
                       "the scaling of the values is not finite: slope %g, intercept %g", m->slope,
                       m->intercept);
    // Integers are always finite.
    if (m->type < SW_IMAGE_F32 && isfinite(fabs(m->slope) * 0x1p32 + fabs(m->intercept)))
        return true;
    for (size_t i = 0, count = sw_image_count(m); i < count; i++)
        if (!isfinite(sw_image_value(m, i)))
            return sw_fail(error, SW_ERROR_FORMAT,
                           "voxel (%zu, %zu, %zu) is %g; expected a finite number", i % nx,
                           i / nx % ny, i / nx / ny, sw_image_value(m, i));
    return true;
}

// Reads the file `name`, or `bytes` in its place.
static bool load(const char *name, const void *bytes, size_t size, swArena *arena, swImage *image,
                 swError *error) {
    memset(image, 0, sizeof *image);
    const swImageFormat *format = sw_image_format(name);
    if (!format)
        return refuse_suffix(name, error);
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    swImageFile file = {.path = bytes ? NULL : name, .size = size, .scratch = &scratch};
    char *data = NULL;
    if (bytes)
        data = sw_arena_text(&scratch, bytes, size, error); // readers rely on a terminating zero
    else if (!sw_file_read(name, &scratch, &data, &file.size, error))
        data = NULL;
    file.data = data;
    // Readers change what differs from these defaults.
    *image = (swImage){
        .n = {1, 1, 1}, .slope = 1, .axis = {sw_v3(1, 0, 0), sw_v3(0, 1, 0), sw_v3(0, 0, 1)}};
    bool ok = data && format->read(&file, arena, image, error) && check_place(image, error) &&
              check_values(image, error);
    // An error without a path is about this file.
    if (!ok && error && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", name);
    if (!ok)
        memset(image, 0, sizeof *image);
    sw_arena_free(&scratch);
    return ok;
}

bool sw_image_read(const char *path, swArena *arena, swImage *image, swError *error) {
    return load(path, NULL, 0, arena, image, error);
}

bool sw_image_parse(const void *bytes, size_t size, const char *name, swArena *arena,
                    swImage *image, swError *error) {
    return load(name, size ? bytes : "", size, arena, image, error);
}
