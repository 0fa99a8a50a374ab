// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the readers of images share: bytes that may be compressed, voxels of any type, headers of
// lines "key: value".
#pragma once

#include "formats/image.h"
#include "formats/mesh_read.h"

#include <zlib.h>

typedef struct swImageFile {
    const char *path; // files named by this one are beside it; NULL: it must stand alone
    const char *data; // the whole file; data[size] is a readable zero byte
    size_t size;
    swArena *scratch; // released when the image has been read
} swImageFile;

extern const swImageFormat sw_image_nii, sw_image_nii_gz, sw_image_hdr, sw_image_nrrd,
    sw_image_nhdr, sw_image_mha, sw_image_mhd, sw_image_png, sw_image_pgm, sw_image_ppm,
    sw_image_pnm, sw_image_bmp;

// ---- bytes, compressed or not ----
typedef struct swInput {
    const char *path; // NULL: of the image file itself
    const char *at;
    size_t left;
    // Where the bytes are compressed:
    bool zipped, ended;
    size_t size; // before anything was read
    int status;  // of zlib
    z_stream z;
} swInput;

// A file named in the header, `name` relative to the header's folder.
bool sw_input_beside(swInput *in, const swImageFile *file, const char *name, int length,
                     swError *error);
// What is left is compressed.
bool sw_input_inflate(swInput *in, swArena *scratch, swError *error);
// The next n bytes (NULL: skipped). Returns how many there were: fewer at the end, or where the
// compressed data is damaged.
size_t sw_input_read(swInput *in, void *to, size_t n);
// The n bytes that must be all that is left, in `arena`; `what` stands in messages. NULL: failed.
void *sw_input_finish(swInput *in, size_t n, const char *what, swArena *arena, swError *error);
// No more than this can follow, however well it is compressed.
static inline size_t sw_input_most(const swInput *in) {
    const size_t ratio = 1032; // deflate's best: 258 bytes in two bits
    return !in->zipped ? in->left : in->size < SIZE_MAX / ratio ? in->size * ratio : SIZE_MAX;
}

// ---- voxels ----
// Files may also hold integers of 64 bits; they become 32 bits if they fit.
typedef enum swStored { SW_STORED_I64 = SW_IMAGE_F64 + 1, SW_STORED_U64, SW_STORED_TYPES } swStored;
size_t sw_stored_size(int stored); // in bytes; `stored` is a swImageType or a swStored
static inline bool sw_machine_is_big(void) { return *(const char *)&(const uint16_t){1} == 0; }

// Sizes as a header has them; refuses what is not a whole number from 1 to INT32_MAX.
bool sw_voxels_size(swImage *image, int axis, double size, swError *error);
// The bytes of all voxels of a type; 0 with `error` filled where they exceed all bounds.
size_t sw_voxels_bytes(const swImage *image, int stored, swError *error);
// To the first voxel: `skip` bytes, or -1: they are the last bytes there are. `key` stands in the
// message.
bool sw_voxels_skip(swInput *in, double skip, const char *key, const swImage *image, int stored,
                    swError *error);
// All voxels, which must be all that is left of the input.
bool sw_voxels_load(swInput *in, int stored, bool big, swArena *scratch, swArena *arena,
                    swImage *image, swError *error);
// The same of numbers written as text.
bool sw_voxels_parse(swInput *in, int stored, swArena *arena, swImage *image, swError *error);

// ---- headers of text ----
typedef struct swKeyLine {
    const char *key;
    int nkey;
    swScan value; // ends where the line ends, blanks removed
} swKeyLine;

// At most the first megabyte: what has no end by then is no header.
swScan sw_header_open(const swImageFile *file);
// The line at the cursor, split at the first `separator` (without one it is all key); the cursor
// goes to the next line.
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
// The name of a single file.
bool sw_key_file(const swKeyLine *line, const char **name, int *length, swError *error);
// All numbers of the value, from 1 to `most` of them; "nan" is one.
bool sw_key_numbers(const swKeyLine *line, int most, double *number, int *count, swError *error);
// Metres in the unit of that name; 0: not a name of a unit of length.
swReal sw_unit_named(const char *name, int length);
