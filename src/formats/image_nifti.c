// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// NIfTI-1 and NIfTI-2: a single file, or a header with its voxels in a file beside it; compressed
// or not, whatever the suffix says. Coordinates are right-anterior-superior already.
#include "formats/image_read.h"

#include <string.h>

// The offsets of the fields of a header.
typedef struct swNiftiLayout {
    int size, magic;
    int dim, dim_bytes;
    int datatype;
    int real_bytes; // size of the real numbers from pixdim on
    int pixdim, scale, units, units_bytes;
    int codes, code_bytes; // qform, sform
    int quaternion, rows;
} swNiftiLayout;

static const swNiftiLayout layouts[] = {
    {348, 344, 40, 2, 70, 4, 76, 112, 123, 1, 252, 2, 256, 280},
    {540, 4, 16, 8, 12, 8, 104, 176, 500, 4, 344, 4, 352, 400},
};

typedef struct swNifti {
    const swNiftiLayout *at;
    bool big, single; // single: the voxels are in this file
    char bytes[540];
} swNifti;

static int64_t integer(const swNifti *h, int at, int bytes) {
    uint64_t v = sw_load(h->bytes + at, bytes, h->big);
    switch (bytes) {
    case 1: return (int8_t)v;
    case 2: return (int16_t)v;
    case 4: return (int32_t)v;
    default: return (int64_t)v;
    }
}

// Real number i of the array at offset `at`.
static double real(const swNifti *h, int at, int i) {
    const char *p = h->bytes + at + i * h->at->real_bytes;
    return h->at->real_bytes == 4 ? sw_load_float(p, h->big) : sw_load_double(p, h->big);
}

static bool read_header(swNifti *h, swInput *in, swError *error) {
    size_t got = sw_input_read(in, h->bytes, 4);
    for (int i = 0; i < 4 && got == 4; i++) {
        const swNiftiLayout *at = &layouts[i / 2];
        if (sw_load(h->bytes, 4, i % 2) == (uint64_t)at->size) {
            h->at = at;
            h->big = i % 2;
        }
    }
    if (!h->at)
        return sw_fail(error, SW_ERROR_FORMAT,
                       "not a NIfTI header: expected it to begin with its size, 348 or 540");
    got += sw_input_read(in, h->bytes + 4, (size_t)h->at->size - 4);
    if (got < (size_t)h->at->size)
        return sw_fail(error, SW_ERROR_FORMAT, "expected a header of %d bytes, found %zu",
                       h->at->size, got);
    const char *magic = h->bytes + h->at->magic, version = h->at->size == 348 ? '1' : '2';
    h->single = magic[1] == '+';
    if (magic[0] != 'n' || (!h->single && magic[1] != 'i') || magic[2] != version || magic[3])
        return sw_fail(
            error, SW_ERROR_UNSUPPORTED,
            "not marked as NIfTI; Analyze files do not give the orientation of the patient");
    return true;
}

static bool read_sizes(const swNifti *h, swImage *image, swError *error) {
    int64_t dim[8];
    for (int i = 0; i < 8; i++)
        dim[i] = integer(h, h->at->dim + i * h->at->dim_bytes, h->at->dim_bytes);
    if (dim[0] < 1 || dim[0] > 7)
        return sw_fail(error, SW_ERROR_FORMAT, "the image has %lld dimensions; expected 1 to 7",
                       (long long)dim[0]);
    for (int i = 1; i <= dim[0]; i++) {
        if (i <= 3 && !sw_voxels_size(image, i - 1, (double)dim[i], error))
            return false;
        if (i > 3 && dim[i] != 1)
            return sw_fail(error, SW_ERROR_UNSUPPORTED,
                           "%lld volumes along dimension %d; expected a single volume",
                           (long long)dim[i], i);
    }
    return true;
}

// Returns a swImageType or swStored; -1 with `error` filled in if the type is neither.
static int read_type(const swNifti *h, swError *error) {
    static const struct {
        int code, stored;
    } types[] = {
        {2, SW_IMAGE_U8},      {256, SW_IMAGE_I8},    {512, SW_IMAGE_U16}, {4, SW_IMAGE_I16},
        {768, SW_IMAGE_U32},   {8, SW_IMAGE_I32},     {16, SW_IMAGE_F32},  {64, SW_IMAGE_F64},
        {1024, SW_STORED_I64}, {1280, SW_STORED_U64},
    };
    int code = (int)integer(h, h->at->datatype, 2);
    for (int i = 0; i < SW_COUNT(types); i++)
        if (types[i].code == code)
            return types[i].stored;
    const char *name = code == 128 || code == 2304  ? " (colours)"
                       : code == 32 || code == 1792 ? " (complex)"
                                                    : "";
    sw_fail(
        error, SW_ERROR_UNSUPPORTED,
        "voxels have data type %d%s; only integers of 8 to 64 bits, float and double can be read",
        code, name);
    return -1;
}

// The axes given by the last three components of a unit quaternion; `side` is 1 or -1, the
// handedness.
static void quaternion_axes(const swNifti *h, const double *spacing, double side, swVec3 *axis) {
    double b = real(h, h->at->quaternion, 0), c = real(h, h->at->quaternion, 1),
           d = real(h, h->at->quaternion, 2), a = 1 - (b * b + c * c + d * d);
    if (a < 1e-7) { // a rotation by 180 degrees, up to rounding
        double n = 1 / sqrt(b * b + c * c + d * d);
        a = 0;
        b *= n;
        c *= n;
        d *= n;
    } else
        a = sqrt(a);
    axis[0] = sw_v3(a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c));
    axis[1] = sw_v3(2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b));
    axis[2] = sw_v3(2 * (b * d + a * c), 2 * (c * d - a * b), a * a + d * d - b * b - c * c);
    for (int k = 0; k < 3; k++)
        axis[k] = sw_scale(k == 2 ? side * spacing[2] : spacing[k], axis[k]);
}

static void read_place(const swNifti *h, swImage *image) {
    const swNiftiLayout *at = h->at;
    double spacing[3];
    int64_t ndim = integer(h, at->dim, at->dim_bytes);
    for (int k = 0; k < 3; k++) {
        spacing[k] = fabs(real(h, at->pixdim, k + 1));
        if (k >= ndim && !(spacing[k] > 0))
            spacing[k] = 1;
    }
    if (integer(h, at->codes + at->code_bytes, at->code_bytes) > 0) {
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                sw_set(&image->axis[i], k, real(h, at->rows, 4 * k + i));
            sw_set(&image->origin, k, real(h, at->rows, 4 * k + 3));
        }
    } else if (integer(h, at->codes, at->code_bytes) > 0) {
        quaternion_axes(h, spacing, real(h, at->pixdim, 0) < 0 ? -1 : 1, image->axis);
        for (int k = 0; k < 3; k++)
            sw_set(&image->origin, k, real(h, at->quaternion, 3 + k));
    } else
        for (int k = 0; k < 3; k++)
            image->axis[k] = sw_scale(spacing[k], image->axis[k]);
    static const swReal metres[8] = {0, 1, 1e-3, 1e-6};
    image->unit = metres[integer(h, at->units, at->units_bytes) & 7];
    double slope = real(h, at->scale, 0);
    if (isfinite(slope) && slope != 0) {
        image->slope = slope;
        image->intercept = real(h, at->scale, 1);
    }
}

// Moves the input to the first voxel.
static bool skip_to_voxels(const swNifti *h, swInput *in, swError *error) {
    double offset =
        h->at->size == 348 ? sw_load_float(h->bytes + 108, h->big) : (double)integer(h, 168, 8);
    double least = h->single ? h->at->size : 0;
    if (offset == 0)
        offset = h->single ? h->at->size + 4 : 0;
    if (!(offset >= least && offset < 0x1p53) || offset != floor(offset))
        return sw_fail(error, SW_ERROR_FORMAT,
                       "the voxels begin at byte %g; expected a whole number from %g", offset,
                       least);
    size_t skip = (size_t)(offset - least), got = sw_input_read(in, NULL, skip);
    if (got < skip)
        return sw_fail_at(error, SW_ERROR_FORMAT, in->path, 0, 0,
                          "the voxels begin at byte %.0f, but there are %.0f bytes", offset,
                          least + (double)got);
    return true;
}

// The voxels of x.hdr are in x.img or x.img.gz.
static bool open_voxels(const swImageFile *file, swInput *in, swError *error) {
    if (!file->path)
        return sw_input_beside(in, file, "*.img", 5, error);
    const char *slash = strrchr(file->path, '/'), *name = slash ? slash + 1 : file->path;
    if (!sw_text_has_suffix(name, ".hdr"))
        return sw_fail(
            error, SW_ERROR_FORMAT,
            "the header says that the voxels are in another file; its name should end in .hdr");
    int stem = (int)strlen(name) - 4;
    char *voxels = SW_NEW(file->scratch, stem + 8, char, error);
    if (!voxels)
        return false;
    snprintf(voxels, (size_t)stem + 8, "%.*s.img.gz", stem, name);
    swError ignored;
    return sw_input_beside(in, file, voxels, stem + 7, &ignored)
               ? sw_input_inflate(in, file->scratch, error)
               : sw_input_beside(in, file, voxels, stem + 4, error);
}

static bool read_nifti(const swImageFile *file, swArena *arena, swImage *image, swError *error) {
    swNifti h = {0};
    swInput in = {.at = file->data, .left = file->size};
    bool zipped = file->size >= 2 && memcmp(file->data, "\x1f\x8b", 2) == 0;
    if ((zipped && !sw_input_inflate(&in, file->scratch, error)) || !read_header(&h, &in, error) ||
        !read_sizes(&h, image, error))
        return false;
    int stored = read_type(&h, error);
    if (stored < 0)
        return false;
    read_place(&h, image);
    return (h.single || open_voxels(file, &in, error)) && skip_to_voxels(&h, &in, error) &&
           sw_voxels_load(&in, stored, h.big, file->scratch, arena, image, error);
}

const swImageFormat sw_image_nii = {".nii", read_nifti};
const swImageFormat sw_image_nii_gz = {".nii.gz", read_nifti};
const swImageFormat sw_image_hdr = {".hdr", read_nifti};
