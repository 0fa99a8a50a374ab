// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the image readers share: bytes that may be compressed, voxels of any type, and headers made
// of "key: value" lines.
#pragma once

#include "formats/image.h"
#include "formats/mesh_read.h"

#include <zlib.h>

typedef struct swImageFile {
    const char *path; // to find the files it names; NULL: the file must be complete by itself
    const char *data; // the whole file; data[size] is a readable zero byte
    size_t size;
    swArena *scratch; // freed once the image has been read
} swImageFile;

extern const swImageFormat sw_image_nii, sw_image_nii_gz, sw_image_hdr, sw_image_nrrd,
    sw_image_nhdr, sw_image_mha, sw_image_mhd, sw_image_png, sw_image_pgm, sw_image_ppm,
    sw_image_pnm, sw_image_bmp;

// ---- bytes, compressed or not ----
typedef struct swInput {
    const char *path; // NULL: the image file itself
    const char *at;
    size_t left;
    // For compressed bytes:
    bool zipped, ended;
    size_t size; // compressed size before anything was read
    int status;  // of zlib
    z_stream z;
} swInput;

// Opens a file that the header names, `name` being relative to the header's folder.
bool sw_input_beside(swInput *in, const swImageFile *file, const char *name, int length,
                     swError *error);
// Treats the rest of the input as compressed.
bool sw_input_inflate(swInput *in, swArena *scratch, swError *error);
// Reads the next n bytes (to NULL: skips them). Returns how many there were: fewer at the end of
// the input, or if compressed data is damaged.
size_t sw_input_read(swInput *in, void *to, size_t n);
// Reads n bytes into `arena`, which must be exactly what is left. `what` names them in messages.
// NULL: failed.
void *sw_input_finish(swInput *in, size_t n, const char *what, swArena *arena, swError *error);
// An upper bound of what is left, however well it is compressed.
static inline size_t sw_input_most(const swInput *in) {
    const size_t ratio = 1032; // the most that deflate achieves: 258 bytes from two bits
    return !in->zipped ? in->left : in->size < SIZE_MAX / ratio ? in->size * ratio : SIZE_MAX;
}

// ---- voxels ----
// Files may also store 64-bit integers, which become 32-bit ones if they fit.
typedef enum swStored { SW_STORED_I64 = SW_IMAGE_F64 + 1, SW_STORED_U64, SW_STORED_TYPES } swStored;
size_t sw_stored_size(int stored); // in bytes; `stored` is a swImageType or swStored
static inline bool sw_machine_is_big(void) { return *(const char *)&(const uint16_t){1} == 0; }

// Sets the size along an axis. Refuses anything but an integer from 1 to INT32_MAX.
bool sw_voxels_size(swImage *image, int axis, double size, swError *error);
// The number of bytes of all voxels of a type; 0 with `error` filled in if they exceed all bounds.
size_t sw_voxels_bytes(const swImage *image, int stored, swError *error);
// Skips to the first voxel: `skip` bytes, or -1 if the voxels are the last bytes of the input.
// `key` is used in messages.
bool sw_voxels_skip(swInput *in, double skip, const char *key, const swImage *image, int stored,
                    swError *error);
// Reads all voxels, which must be all that is left of the input.
bool sw_voxels_load(swInput *in, int stored, bool big, swArena *scratch, swArena *arena,
                    swImage *image, swError *error);
// Does the same for numbers written as text.
bool sw_voxels_parse(swInput *in, int stored, swArena *arena, swImage *image, swError *error);

// ---- headers of text ----
typedef struct swKeyLine {
    const char *key;
    int nkey;
    swScan value; // up to the end of the line, without surrounding blanks
} swKeyLine;

// Opens at most the first megabyte: a header that has not ended by then is not one.
swScan sw_header_open(const swImageFile *file);
// Reads the line at the cursor, split at the first `separator` (without one, all of it is the key).
// Moves the cursor to the next line.
swKeyLine sw_header_line(swScan *scan, char separator);
static inline bool sw_key_is(const swKeyLine *line, const char *name) {
    return sw_scan_is(line->key, line->nkey, name);
}
static inline int sw_key_length(const swKeyLine *line) { // of the value
    return (int)(line->value.end - line->value.at);
}
static inline bool sw_key_has(const swKeyLine *line, const char *value) {
    return sw_scan_is(line->value.at, sw_key_length(line), value);
}
// "<key> is '<value>'; expected <expected>"
bool sw_key_refuse(const swKeyLine *line, const char *expected, swStatus code, swError *error);
// Reads the name of a single file.
bool sw_key_file(const swKeyLine *line, const char **name, int *length, swError *error);
// Reads all numbers of the value, from 1 to `most` of them; "nan" is allowed.
bool sw_key_numbers(const swKeyLine *line, int most, double *number, int *count, swError *error);
// The unit of length with that name, in metres; 0 if there is none.
swReal sw_unit_named(const char *name, int length);
