// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// MetaImage: lines "key = value", then the voxels, in this or another file. Coordinates are taken
// as they are, unless AnatomicalOrientation says that they are those of a patient: the tools that
// write it use axes that point left, posterior and superior, which are then converted.
#include "formats/image_read.h"

#include <string.h>

enum { AXES = 10 };

typedef struct swMeta {
    int stored;                                  // -1: not given
    int ndim, nsize, nspacing, norigin, nmatrix; // 0: not given
    double size[AXES], spacing[AXES], origin[AXES], matrix[AXES * AXES];
    bool spacing_said; // given as ElementSpacing, not only as ElementSize
    bool big, compressed, text, patient;
    double skip; // bytes before the voxels; -1: the voxels are the last bytes
    const char *file;
    int nfile;
} swMeta;

static bool read_type(const swKeyLine *line, swMeta *h, swError *error) {
    static const char *const types[] = {
        [SW_IMAGE_U8] = "MET_UCHAR",       [SW_IMAGE_I8] = "MET_CHAR",
        [SW_IMAGE_U16] = "MET_USHORT",     [SW_IMAGE_I16] = "MET_SHORT",
        [SW_IMAGE_U32] = "MET_UINT",       [SW_IMAGE_I32] = "MET_INT",
        [SW_IMAGE_F32] = "MET_FLOAT",      [SW_IMAGE_F64] = "MET_DOUBLE",
        [SW_STORED_I64] = "MET_LONG_LONG", [SW_STORED_U64] = "MET_ULONG_LONG",
    };
    h->stored = -1;
    for (int i = 0; i < SW_COUNT(types); i++)
        if (sw_key_has(line, types[i]))
            h->stored = i;
    if (sw_key_has(line, "MET_LONG")) // 32 bits in this format, on any machine
        h->stored = SW_IMAGE_I32;
    if (sw_key_has(line, "MET_ULONG"))
        h->stored = SW_IMAGE_U32;
    return h->stored >= 0 ||
           sw_key_refuse(line, "a numeric type, such as MET_UCHAR", SW_ERROR_UNSUPPORTED, error);
}

static bool is_true(const swKeyLine *line) {
    return sw_key_length(line) > 0 && memchr("Tt1", line->value.at[0], 3);
}

// Reads one number; the caller checks its range.
static bool read_number(const swKeyLine *line, double *value, swError *error) {
    int n;
    return sw_key_numbers(line, 1, value, &n, error);
}

static bool read_spacing(const swKeyLine *line, swMeta *h, swError *error) {
    if (sw_key_is(line, "ElementSize") && h->spacing_said)
        return true;
    h->spacing_said = sw_key_is(line, "ElementSpacing");
    return sw_key_numbers(line, AXES, h->spacing, &h->nspacing, error);
}

static bool read_dimensions(const swKeyLine *line, swMeta *h, swError *error) {
    double v;
    if (!read_number(line, &v, error))
        return false;
    if (!(v >= 1 && v <= AXES && v == floor(v)))
        return sw_key_refuse(line, "a whole number from 1 to 10", SW_ERROR_FORMAT, error);
    h->ndim = (int)v;
    return true;
}

static bool read_channels(const swKeyLine *line, swError *error) {
    double v;
    return read_number(line, &v, error) &&
           (v == 1 || sw_key_refuse(line, "1, one number per voxel", SW_ERROR_UNSUPPORTED, error));
}

static bool read_skip(const swKeyLine *line, swMeta *h, swError *error) {
    return read_number(line, &h->skip, error) &&
           ((h->skip >= -1 && h->skip < 0x1p53 && h->skip == floor(h->skip)) ||
            sw_key_refuse(line, "a whole number of bytes, or -1", SW_ERROR_FORMAT, error));
}

// Whether the value has three letters, one of each pair; "???" means unknown.
static bool is_orientation(const swKeyLine *line) {
    static const char letters[12] = "RLAPISrlapis";
    bool said[3] = {false};
    for (int i = 0; i < sw_key_length(line) && i < 3; i++) {
        const char *at = memchr(letters, line->value.at[i], sizeof letters);
        if (at)
            said[(at - letters) % 6 / 2] = true;
    }
    return sw_key_length(line) == 3 && said[0] && said[1] && said[2];
}

static bool read_field(const swKeyLine *line, swMeta *h, swImage *image, swError *error) {
    if (sw_key_is(line, "ObjectType"))
        return sw_key_has(line, "Image") ||
               sw_key_refuse(line, "Image", SW_ERROR_UNSUPPORTED, error);
    if (sw_key_is(line, "NDims"))
        return read_dimensions(line, h, error);
    if (sw_key_is(line, "DimSize"))
        return sw_key_numbers(line, AXES, h->size, &h->nsize, error);
    if (sw_key_is(line, "ElementType"))
        return read_type(line, h, error);
    if (sw_key_is(line, "ElementNumberOfChannels"))
        return read_channels(line, error);
    if (sw_key_is(line, "ElementSpacing") || sw_key_is(line, "ElementSize"))
        return read_spacing(line, h, error);
    if (sw_key_is(line, "Offset") || sw_key_is(line, "Position") || sw_key_is(line, "Origin"))
        return sw_key_numbers(line, AXES, h->origin, &h->norigin, error);
    if (sw_key_is(line, "TransformMatrix") || sw_key_is(line, "Orientation") ||
        sw_key_is(line, "Rotation"))
        return sw_key_numbers(line, AXES * AXES, h->matrix, &h->nmatrix, error);
    if (sw_key_is(line, "HeaderSize"))
        return read_skip(line, h, error);
    if (sw_key_is(line, "ElementToIntensityFunctionSlope"))
        return read_number(line, &image->slope, error);
    if (sw_key_is(line, "ElementToIntensityFunctionOffset"))
        return read_number(line, &image->intercept, error);
    if (sw_key_is(line, "ElementDataFile"))
        return sw_key_file(line, &h->file, &h->nfile, error);
    if (sw_key_is(line, "BinaryDataByteOrderMSB") || sw_key_is(line, "ElementByteOrderMSB"))
        h->big = is_true(line);
    else if (sw_key_is(line, "CompressedData"))
        h->compressed = is_true(line);
    else if (sw_key_is(line, "BinaryData"))
        h->text = !is_true(line);
    else if (sw_key_is(line, "AnatomicalOrientation"))
        h->patient = is_orientation(line);
    else if (sw_key_is(line, "DistanceUnits"))
        image->unit = sw_unit_named(line->value.at, sw_key_length(line));
    return true; // other keys do not matter here
}

// Reads up to the voxels or the end of the file. ElementDataFile is the last key.
static bool read_header(swScan *s, swMeta *h, swImage *image, swError *error) {
    while (s->at < s->end && !h->file) {
        swKeyLine line = sw_header_line(s, '=');
        if (line.value.line == 1 && !sw_key_is(&line, "ObjectType") && !sw_key_is(&line, "NDims") &&
            !sw_key_is(&line, "Comment"))
            return sw_fail_at(
                error, SW_ERROR_FORMAT, NULL, 1, 0,
                "not a MetaImage file: expected it to begin with ObjectType or NDims");
        if (!read_field(&line, h, image, error))
            return false;
    }
    const char *missing = h->ndim == 0    ? "NDims"
                          : h->nsize == 0 ? "DimSize"
                          : h->stored < 0 ? "ElementType"
                          : !h->file      ? "ElementDataFile"
                                          : NULL;
    return !missing || sw_fail(error, SW_ERROR_FORMAT, "the header has no %s", missing);
}

static bool check_counts(const swMeta *h, swError *error) {
    const struct {
        const char *name;
        int count, expected;
    } lists[] = {{"DimSize", h->nsize, h->ndim},
                 {"ElementSpacing", h->nspacing, h->ndim},
                 {"Offset", h->norigin, h->ndim},
                 {"TransformMatrix", h->nmatrix, h->ndim * h->ndim}};
    for (int i = 0; i < SW_COUNT(lists); i++)
        if (lists[i].count && lists[i].count != lists[i].expected)
            return sw_fail(error, SW_ERROR_FORMAT,
                           "%s has %d numbers; with NDims = %d it must have %d", lists[i].name,
                           lists[i].count, h->ndim, lists[i].expected);
    return true;
}

static bool take_place(const swMeta *h, swImage *image, swError *error) {
    for (int k = 3; k < h->ndim; k++)
        if (h->size[k] != 1)
            return sw_fail(error, SW_ERROR_UNSUPPORTED,
                           "%g volumes along dimension %d; expected a single volume", h->size[k],
                           k + 1);
    if (h->ndim < 2)
        return sw_fail(error, SW_ERROR_UNSUPPORTED, "NDims is 1; expected 2 or 3");
    int n = sw_min_int(h->ndim, 3);
    image->flat = n == 2;
    if (image->flat)
        image->origin.z = 0.5;
    for (int k = 0; k < n; k++) {
        if (!sw_voxels_size(image, k, h->size[k], error))
            return false;
        swReal step = h->nspacing ? h->spacing[k] : 1;
        for (int i = 0; i < n; i++) // one row for each axis
            sw_set(&image->axis[k], i, step * (h->nmatrix ? h->matrix[k * h->ndim + i] : k == i));
        if (h->norigin)
            sw_set(&image->origin, k, h->origin[k]);
    }
    if (h->patient && n == 3) {
        swVec3 *turn[] = {&image->origin, &image->axis[0], &image->axis[1], &image->axis[2]};
        for (int i = 0; i < 4; i++)
            *turn[i] = sw_v3(-turn[i]->x, -turn[i]->y, turn[i]->z);
    }
    return true;
}

static bool read_meta(const swImageFile *file, swArena *arena, swImage *image, swError *error) {
    swMeta h = {.stored = -1};
    swScan s = sw_header_open(file);
    if (!read_header(&s, &h, image, error) || !check_counts(&h, error) ||
        !take_place(&h, image, error))
        return false;
    if (h.skip < 0 && (h.compressed || h.text))
        return sw_fail(error, SW_ERROR_FORMAT,
                       "HeaderSize is -1, which is allowed only for uncompressed binary voxels");
    swInput in = {.at = s.at, .left = (size_t)(file->data + file->size - s.at)};
    bool local = sw_scan_is(h.file, h.nfile, "LOCAL");
    if ((!local && !sw_input_beside(&in, file, h.file, h.nfile, error)) ||
        !sw_voxels_skip(&in, h.skip, "HeaderSize", image, h.stored, error))
        return false;
    if (h.text)
        return sw_voxels_parse(&in, h.stored, arena, image, error);
    return (!h.compressed || sw_input_inflate(&in, file->scratch, error)) &&
           sw_voxels_load(&in, h.stored, h.big, file->scratch, arena, image, error);
}

const swImageFormat sw_image_mha = {".mha", read_meta};
const swImageFormat sw_image_mhd = {".mhd", read_meta};
