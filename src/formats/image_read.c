// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/image_read.h"

#include <float.h>
#include <string.h>
#include <strings.h>

// ---- bytes, compressed or not ----

static void *zlib_alloc(void *arena, unsigned count, unsigned size) {
    return sw_arena_alloc(arena, count, size, NULL);
}
static void zlib_free(void *arena, void *p) {
    (void)arena; // freed together with the arena
    (void)p;
}

bool sw_input_inflate(swInput *in, swArena *scratch, swError *error) {
    in->zipped = true;
    in->size = in->left;
    in->z = (z_stream){.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = scratch};
    // 32: detects from the first bytes whether the stream is gzip or zlib.
    if (inflateInit2(&in->z, 32 + MAX_WBITS) != Z_OK)
        return sw_fail_memory(error, (size_t)1 << 15);
    return true;
}

static uInt at_once(size_t n) { return n < 1u << 30 ? (uInt)n : 1u << 30; }

static size_t read_zipped(swInput *in, char *to, size_t n) {
    z_stream *z = &in->z;
    char unwanted[4096];
    size_t got = 0;
    while (got < n && !in->ended && in->status == Z_OK) {
        size_t room = to || n - got < sizeof unwanted ? n - got : sizeof unwanted;
        uInt out = at_once(room), given = at_once(in->left);
        z->next_out = (Bytef *)(to ? to + got : unwanted);
        z->avail_out = out;
        z->next_in = (Bytef *)in->at; // zlib does not write to it
        z->avail_in = given;
        in->status = inflate(z, Z_NO_FLUSH);
        in->at += given - z->avail_in;
        in->left -= given - z->avail_in;
        got += out - z->avail_out;
        if (in->status != Z_STREAM_END)
            continue;
        // A gzip file may consist of several members, one after the other.
        bool more = in->left >= 2 && memcmp(in->at, "\x1f\x8b", 2) == 0;
        in->ended = !more;
        in->status = more ? inflateReset(z) : Z_OK;
    }
    return got;
}

size_t sw_input_read(swInput *in, void *to, size_t n) {
    if (in->zipped)
        return read_zipped(in, to, n);
    n = n < in->left ? n : in->left;
    if (to && n)
        memcpy(to, in->at, n);
    in->at += n;
    in->left -= n;
    return n;
}

void *sw_input_finish(swInput *in, size_t n, const char *what, swArena *arena, swError *error) {
    char *to = NULL;
    if (n <= sw_input_most(in) && !(to = SW_NEW(arena, n, char, error)))
        return NULL;
    size_t found = to ? sw_input_read(in, to, n) : 0;
    found += sw_input_read(in, NULL, SIZE_MAX - found);
    if (in->status == Z_MEM_ERROR)
        sw_fail_memory(error, (size_t)1 << 15);
    else if (in->status != Z_OK && in->status != Z_BUF_ERROR)
        sw_fail_at(error, SW_ERROR_FORMAT, in->path, 0, 0,
                   "the compressed data is damaged after %zu of %zu bytes of %s: %s", found, n,
                   what, in->z.msg ? in->z.msg : "an unknown stream");
    else if (found != n)
        sw_fail_at(error, SW_ERROR_FORMAT, in->path, 0, 0, "expected %zu bytes of %s, found %zu", n,
                   what, found);
    else if (in->status == Z_BUF_ERROR)
        sw_fail_at(error, SW_ERROR_FORMAT, in->path, 0, 0,
                   "the compressed data is cut off before its checksum");
    else
        return to;
    return NULL;
}

bool sw_input_beside(swInput *in, const swImageFile *file, const char *name, int length,
                     swError *error) {
    if (!file->path)
        return sw_fail(
            error, SW_ERROR_UNSUPPORTED,
            "the voxels are in another file, '%.*s'; this file must be complete by itself",
            sw_min_int(length, 200), name);
    const char *slash = name[0] == '/' ? NULL : strrchr(file->path, '/');
    size_t folder = slash ? (size_t)(slash - file->path) + 1 : 0, size;
    char *path = SW_NEW(file->scratch, folder + (size_t)length + 1, char, error), *data;
    if (!path)
        return false;
    memcpy(path, file->path, folder);
    memcpy(path + folder, name, (size_t)length);
    if (!sw_file_read(path, file->scratch, &data, &size, error))
        return false;
    *in = (swInput){.path = path, .at = data, .left = size};
    return true;
}

// ---- voxels ----

typedef struct swNumbers {
    int size;
    swImageType type; // type in memory
    double lo, hi;
    const char *name;
} swNumbers;

static const swNumbers numbers[SW_STORED_TYPES] = {
    [SW_IMAGE_U8] = {1, SW_IMAGE_U8, 0, UINT8_MAX, "uint8"},
    [SW_IMAGE_I8] = {1, SW_IMAGE_I8, INT8_MIN, INT8_MAX, "int8"},
    [SW_IMAGE_U16] = {2, SW_IMAGE_U16, 0, UINT16_MAX, "uint16"},
    [SW_IMAGE_I16] = {2, SW_IMAGE_I16, INT16_MIN, INT16_MAX, "int16"},
    [SW_IMAGE_U32] = {4, SW_IMAGE_U32, 0, UINT32_MAX, "uint32"},
    [SW_IMAGE_I32] = {4, SW_IMAGE_I32, INT32_MIN, INT32_MAX, "int32"},
    [SW_IMAGE_F32] = {4, SW_IMAGE_F32, -FLT_MAX, FLT_MAX, "float"},
    [SW_IMAGE_F64] = {8, SW_IMAGE_F64, -DBL_MAX, DBL_MAX, "double"},
    [SW_STORED_I64] = {8, SW_IMAGE_I32, INT32_MIN, INT32_MAX, "int64"},
    [SW_STORED_U64] = {8, SW_IMAGE_U32, 0, UINT32_MAX, "uint64"},
};

size_t sw_stored_size(int stored) { return (size_t)numbers[stored].size; }

bool sw_voxels_size(swImage *image, int axis, double size, swError *error) {
    if (!(size >= 1 && size <= INT32_MAX && size == floor(size)))
        return sw_fail(error, SW_ERROR_FORMAT,
                       "the size along axis %d is %g; expected a whole number from 1 to %d",
                       axis + 1, size, INT32_MAX);
    image->n[axis] = (int)size;
    return true;
}

size_t sw_voxels_bytes(const swImage *m, int stored, swError *error) {
    size_t bytes = (size_t)numbers[stored].size;
    for (int k = 0; k < 3; k++) {
        if (bytes > SIZE_MAX / 8 / (size_t)m->n[k]) {
            sw_fail(error, SW_ERROR_LIMIT, "%d x %d x %d voxels are too many", m->n[0], m->n[1],
                    m->n[2]);
            return 0;
        }
        bytes *= (size_t)m->n[k];
    }
    return bytes;
}

bool sw_voxels_skip(swInput *in, double skip, const char *key, const swImage *image, int stored,
                    swError *error) {
    if (skip < 0) {
        size_t bytes = sw_voxels_bytes(image, stored, error);
        if (bytes == 0)
            return false;
        skip = in->left > bytes ? (double)(in->left - bytes) : 0;
    }
    size_t got = sw_input_read(in, NULL, (size_t)skip);
    return got == (size_t)skip || sw_fail_at(error, SW_ERROR_FORMAT, in->path, 0, 0,
                                             "%s is %.0f, but there are %zu bytes", key, skip, got);
}

static bool refuse_voxel(const swImage *m, size_t i, double value, const swNumbers *kind,
                         const char *path, swError *error) {
    size_t nx = (size_t)m->n[0], ny = (size_t)m->n[1];
    bool whole = kind->hi < FLT_MAX;
    return sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0,
                      "voxel (%zu, %zu, %zu) is %.17g; expected %s of type %s from %.17g to %.17g",
                      i % nx, i / nx % ny, i / nx / ny, value, whole ? "whole numbers" : "numbers",
                      kind->name, kind->lo, kind->hi);
}

static void reverse_bytes(char *p, size_t count, int size) {
    for (size_t i = 0; i < count; i++, p += size)
        for (int a = 0, b = size - 1; a < b; a++, b--) {
            char c = p[a];
            p[a] = p[b];
            p[b] = c;
        }
}

// Narrows 64-bit integers in the machine's byte order to 32 bits.
static void *narrow(const char *from, int stored, const char *path, swArena *arena,
                    const swImage *m, swError *error) {
    size_t count = sw_image_count(m);
    uint32_t *out = SW_NEW(arena, count, uint32_t, error); // int32_t has the same bit pattern
    for (size_t i = 0; out && i < count; i++) {
        uint64_t bits;
        memcpy(&bits, from + 8 * i, 8);
        bool fits = stored == SW_STORED_U64 ? bits <= UINT32_MAX
                                            : bits + 0x80000000u <= UINT32_MAX; // modulo 2^64
        if (!fits) {
            double value = stored == SW_STORED_U64 ? (double)bits : (double)(int64_t)bits;
            refuse_voxel(m, i, value, &numbers[stored], path, error);
            return NULL;
        }
        out[i] = (uint32_t)bits;
    }
    return out;
}

bool sw_voxels_load(swInput *in, int stored, bool big, swArena *scratch, swArena *arena,
                    swImage *image, swError *error) {
    bool wide = stored == SW_STORED_I64 || stored == SW_STORED_U64;
    size_t bytes = sw_voxels_bytes(image, stored, error);
    char what[80];
    snprintf(what, sizeof what, "voxels (%d x %d x %d of %s)", image->n[0], image->n[1],
             image->n[2], numbers[stored].name);
    char *data = bytes > 0 ? sw_input_finish(in, bytes, what, wide ? scratch : arena, error) : NULL;
    if (data && big != sw_machine_is_big())
        reverse_bytes(data, sw_image_count(image), numbers[stored].size);
    image->type = numbers[stored].type;
    image->data = data && wide ? narrow(data, stored, in->path, arena, image, error) : data;
    return image->data != NULL;
}

static bool separates(char c) { return c == ',' || c == ' ' || (c >= '\t' && c <= '\r'); }

static void store(void *data, swImageType type, size_t i, double v) {
    switch (type) {
    case SW_IMAGE_U8: ((uint8_t *)data)[i] = (uint8_t)v; break;
    case SW_IMAGE_I8: ((int8_t *)data)[i] = (int8_t)v; break;
    case SW_IMAGE_U16: ((uint16_t *)data)[i] = (uint16_t)v; break;
    case SW_IMAGE_I16: ((int16_t *)data)[i] = (int16_t)v; break;
    case SW_IMAGE_U32: ((uint32_t *)data)[i] = (uint32_t)v; break;
    case SW_IMAGE_I32: ((int32_t *)data)[i] = (int32_t)v; break;
    case SW_IMAGE_F32: ((float *)data)[i] = (float)v; break;
    case SW_IMAGE_F64: ((double *)data)[i] = v; break;
    }
}

bool sw_voxels_parse(swInput *in, int stored, swArena *arena, swImage *image, swError *error) {
    const swNumbers *kind = &numbers[stored];
    if (!sw_voxels_bytes(image, stored, error))
        return false;
    size_t count = sw_image_count(image);
    if (count > in->left / 2 + 1) // at least a digit and a separator each
        return sw_fail_at(error, SW_ERROR_FORMAT, in->path, 0, 0,
                          "%zu numbers cannot fit in the %zu bytes of text that follow", count,
                          in->left);
    void *data = SW_NEW(arena, count * (size_t)kind->size, char, error);
    if (!data)
        return false;
    const char *p = in->at, *end = in->at + in->left;
    size_t i = 0;
    for (;; i++) {
        while (p < end && separates(*p))
            p++;
        if (p == end || i == count)
            break;
        double v;
        const char *next = sw_text_number(p, end, &v);
        if (!next || (next < end && !separates(*next)))
            return sw_fail_at(error, SW_ERROR_FORMAT, in->path, 0, 0,
                              "number %zu of %zu: expected a number, found '%.*s'", i + 1, count,
                              (int)(end - p < 12 ? end - p : 12), p);
        if (!(v >= kind->lo && v <= kind->hi) || (kind->hi < FLT_MAX && v != floor(v)))
            return refuse_voxel(image, i, v, kind, in->path, error);
        store(data, kind->type, i, v);
        p = next;
    }
    if (i < count || p < end)
        return sw_fail_at(error, SW_ERROR_FORMAT, in->path, 0, 0,
                          "expected %zu numbers, found %s%zu", count, p < end ? "more than " : "",
                          i);
    image->type = kind->type;
    image->data = data;
    return true;
}

// ---- headers of text ----

swScan sw_header_open(const swImageFile *file) {
    const size_t most = 1 << 20;
    return (swScan){file->data, file->data + (file->size < most ? file->size : most), 1};
}

static bool blank(char c) { return c == ' ' || c == '\t'; }

swKeyLine sw_header_line(swScan *s, char separator) {
    const char *key = s->at, *end = key;
    while (end < s->end && *end != '\n' && *end != '\r')
        end++;
    const char *cut = memchr(key, separator, (size_t)(end - key));
    const char *key_end = cut ? cut : end, *value = cut ? cut + 1 : end;
    while (key < key_end && blank(*key))
        key++;
    while (key < key_end && blank(key_end[-1]))
        key_end--;
    while (value < end && blank(*value))
        value++;
    while (value < end && blank(end[-1]))
        end--;
    swKeyLine line = {key, (int)(key_end - key), {value, end, s->line}};
    sw_scan_next_line(s);
    return line;
}

bool sw_key_refuse(const swKeyLine *line, const char *expected, swStatus code, swError *error) {
    char found[48];
    int n = 0;
    for (; n < sw_key_length(line) && n < SW_COUNT(found) - 1; n++) {
        char c = line->value.at[n];
        found[n] = c >= ' ' && c <= '~' ? c : '?';
    }
    found[n] = 0;
    return sw_fail_at(error, code, NULL, line->value.line, 0, "%.*s is '%s'; expected %s",
                      sw_min_int(line->nkey, 40), line->key, found, expected);
}

bool sw_key_file(const swKeyLine *line, const char **name, int *length, swError *error) {
    *name = line->value.at;
    *length = sw_key_length(line);
    bool list = *length >= 4 && strncmp(*name, "LIST", 4) == 0;
    return (*length > 0 && !list && !memchr(*name, '%', (size_t)*length)) ||
           sw_key_refuse(line, "the name of one file: lists and patterns cannot be read",
                         SW_ERROR_UNSUPPORTED, error);
}

bool sw_key_numbers(const swKeyLine *line, int most, double *number, int *count, swError *error) {
    const char *p = line->value.at, *end = line->value.end;
    int n = 0;
    while (p && p < end && n < most) {
        if (end - p >= 3 && strncasecmp(p, "nan", 3) == 0) {
            number[n] = NAN;
            p += 3;
        } else
            p = sw_text_number(p, end, &number[n]);
        if (p && p < end && !blank(*p))
            break;
        while (p && p < end && blank(*p))
            p++;
        n++;
    }
    *count = n;
    return (n > 0 && p == end) ||
           sw_key_refuse(line, "numbers separated by spaces", SW_ERROR_FORMAT, error);
}

swReal sw_unit_named(const char *name, int length) {
    static const struct {
        const char *name;
        swReal metres;
    } units[] = {
        {"m", 1},
        {"meter", 1},
        {"meters", 1},
        {"cm", 1e-2},
        {"mm", 1e-3},
        {"millimeter", 1e-3},
        {"millimeters", 1e-3},
        {"um", 1e-6},
        {"\xc2\xb5m", 1e-6}, // micro sign
        {"\xce\xbcm", 1e-6}, // Greek mu
        {"micron", 1e-6},
        {"microns", 1e-6},
        {"micrometer", 1e-6},
        {"micrometers", 1e-6},
        {"nm", 1e-9},
    };
    for (int i = 0; i < SW_COUNT(units); i++)
        if (sw_scan_is(name, length, units[i].name))
            return units[i].metres;
    return 0;
}
