// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Pictures: PNG, PGM, PPM and BMP. The value of a pixel is its grey level as stored, not stretched,
// or for colours the rounded mean of red, green and blue. A palette of greys gives its grey levels;
// one of colours is taken to stand for labels, and the index is the value. Transparency is ignored.
#include "formats/image_read.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 1 << 20 }; // most pixels along a side

// ---- pixels ----

typedef struct swPalette {
    int count;
    uint8_t value[256]; // grey level or label of each index
} swPalette;

// The colours in `rgb` are `stride` bytes apart, their channels in any order.
static void fill_palette(swPalette *palette, int count, const uint8_t *rgb, int stride) {
    bool grey = true;
    for (int i = 0; i < count; i++)
        grey = grey && rgb[i * stride] == rgb[i * stride + 1] &&
               rgb[i * stride] == rgb[i * stride + 2];
    palette->count = count;
    for (int i = 0; i < count; i++)
        palette->value[i] = grey ? rgb[i * stride] : (uint8_t)i;
}

static bool set_sides(swImage *image, uint64_t width, uint64_t height, swError *error) {
    if (width < 1 || height < 1 || width > SIDE || height > SIDE)
        return sw_fail(error, SW_ERROR_FORMAT,
                       "the picture has %llu x %llu pixels; expected 1 to %d along each side",
                       (unsigned long long)width, (unsigned long long)height, SIDE);
    image->n[0] = (int)width;
    image->n[1] = (int)height;
    image->flat = true;
    image->origin = sw_v3(0.5, 0.5, 0.5);
    return true;
}

// Allocates the pixels.
static bool new_pixels(swImage *image, swImageType type, swArena *arena, swError *error) {
    image->type = type;
    image->data = SW_NEW(arena, sw_image_count(image) * sw_stored_size(type), char, error);
    return image->data != NULL;
}

// Row y of the file, counted from the top, is stored from the bottom up.
static void put_pixel(swImage *image, int x, int y, unsigned value) {
    size_t i = (size_t)(image->n[1] - 1 - y) * (size_t)image->n[0] + (size_t)x;
    if (image->type == SW_IMAGE_U8)
        ((uint8_t *)image->data)[i] = (uint8_t)value;
    else
        ((uint16_t *)image->data)[i] = (uint16_t)value;
}

static unsigned mean(unsigned r, unsigned g, unsigned b) { return (r + g + b + 1) / 3; }

// Sample i of a row of samples with 1, 2, 4, 8 or 16 bits, most significant first.
static unsigned sample(const uint8_t *row, int bits, int64_t i) {
    if (bits == 8)
        return row[i];
    if (bits == 16)
        return (unsigned)row[2 * i] << 8 | row[2 * i + 1];
    return row[i * bits / 8] >> (8 - bits - i * bits % 8) & ((1u << bits) - 1);
}

static bool refuse_index(unsigned index, const swPalette *palette, swError *error) {
    return sw_fail(error, SW_ERROR_FORMAT, "a pixel has colour %u, but the palette has %d colours",
                   index, palette->count);
}

// ---- PNG ----

typedef struct swPng {
    int bits, color, channels; // colour types: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA
    bool interlaced;
    swPalette palette;
    char *packed; // contents of all IDAT chunks
    size_t npacked;
} swPng;

// First pixel and step of the seven passes of an interlaced picture; the last entry is for pictures
// that are not interlaced.
static const struct {
    int x, y, dx, dy;
} passes[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
              {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}, {0, 0, 1, 1}};

static bool read_png_header(const char *p, size_t size, swPng *png, swImage *image,
                            swError *error) {
    if (size != 13)
        return sw_fail(error, SW_ERROR_FORMAT, "IHDR has %zu bytes; expected 13", size);
    static const int channels[7] = {1, 0, 3, 1, 2, 0, 4};
    png->bits = (uint8_t)p[8];
    png->color = (uint8_t)p[9];
    png->channels = png->color < 7 ? channels[png->color] : 0;
    png->interlaced = p[12] == 1;
    bool small = png->bits == 1 || png->bits == 2 || png->bits == 4;
    bool fits = png->bits == 8 || (png->bits == 16 && png->color != 3) ||
                (small && (png->color == 0 || png->color == 3));
    if (!png->channels || !fits || p[10] || p[11] || (p[12] && !png->interlaced))
        return sw_fail(
            error, SW_ERROR_FORMAT,
            "colour type %d with %d bits and methods %d %d %d is not valid in a PNG file",
            png->color, png->bits, p[10], p[11], p[12]);
    return set_sides(image, sw_load(p, 4, true), sw_load(p + 4, 4, true), error);
}

static bool read_chunk(const char *name, const char *p, size_t size, swPng *png, swImage *image,
                       swError *error) {
    bool first = png->channels == 0;
    if (memcmp(name, "IHDR", 4) == 0 && first)
        return read_png_header(p, size, png, image, error);
    if (first)
        return sw_fail(error, SW_ERROR_FORMAT, "expected IHDR as the first chunk");
    if (memcmp(name, "PLTE", 4) == 0) {
        if (size % 3 || size > 768)
            return sw_fail(error, SW_ERROR_FORMAT, "PLTE has %zu bytes; expected 3 for each colour",
                           size);
        fill_palette(&png->palette, (int)size / 3, (const uint8_t *)p, 3);
    } else if (memcmp(name, "IDAT", 4) == 0) {
        memcpy(png->packed + png->npacked, p, size);
        png->npacked += size;
    } else if (!(name[0] & 0x20) && memcmp(name, "IEND", 4) != 0)
        return sw_fail(error, SW_ERROR_UNSUPPORTED, "the critical chunk '%.4s' is unknown", name);
    return true;
}

static bool read_chunks(const swImageFile *file, swPng *png, swImage *image, swError *error) {
    const char *p = file->data, *end = p + file->size;
    if (file->size < 8 || memcmp(p, "\x89PNG\r\n\x1a\n", 8) != 0)
        return sw_fail(error, SW_ERROR_FORMAT, "not a PNG file: its first 8 bytes are wrong");
    png->packed = SW_NEW(file->scratch, file->size, char, error);
    if (!png->packed)
        return false;
    bool last = false;
    for (p += 8; !last;) {
        size_t left = (size_t)(end - p), size = left < 8 ? 0 : (size_t)sw_load(p, 4, true);
        if (left < 12 || size > left - 12 || size > INT32_MAX)
            return sw_fail(error, SW_ERROR_FORMAT, "the file ends in a chunk at byte %zu",
                           (size_t)(p - file->data));
        uLong sum = crc32(0, (const Bytef *)p + 4, (uInt)size + 4);
        if (sum != sw_load(p + 8 + size, 4, true))
            return sw_fail(error, SW_ERROR_FORMAT, "the checksum of the chunk at byte %zu is wrong",
                           (size_t)(p - file->data));
        if (!read_chunk(p + 4, p + 8, size, png, image, error))
            return false;
        last = memcmp(p + 4, "IEND", 4) == 0;
        p += size + 12;
    }
    if (png->color == 3 && png->palette.count == 0)
        return sw_fail(error, SW_ERROR_FORMAT, "the palette (PLTE) is missing");
    return true;
}

// Reverses the filter of a row; `above` is NULL for the first one.
static bool unfilter(int kind, uint8_t *row, const uint8_t *above, size_t bytes, size_t step,
                     swError *error) {
    if (kind > 4)
        return sw_fail(error, SW_ERROR_FORMAT, "a row has filter %d; expected 0 to 4", kind);
    for (size_t i = 0; i < bytes; i++) {
        int a = i >= step ? row[i - step] : 0, b = above ? above[i] : 0;
        int c = above && i >= step ? above[i - step] : 0, guess = 0;
        int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
        switch (kind) {
        case 1: guess = a; break;
        case 2: guess = b; break;
        case 3: guess = (a + b) / 2; break;
        case 4: guess = pa <= pb && pa <= pc ? a : pb <= pc ? b : c; break;
        default: break;
        }
        row[i] = (uint8_t)(row[i] + guess);
    }
    return true;
}

static int in_pass(int n, int first, int step) {
    return n > first ? (n - first - 1) / step + 1 : 0;
}
static size_t row_bytes(const swPng *png, int width) { // including the byte for the filter
    return 1 + ((size_t)width * (size_t)(png->bits * png->channels) + 7) / 8;
}

// Reads the rows of one pass. Returns the first byte after them, or NULL.
static uint8_t *read_pass(const swPng *png, int pass, uint8_t *p, swImage *image, swError *error) {
    int dx = passes[pass].dx, dy = passes[pass].dy;
    int width = in_pass(image->n[0], passes[pass].x, dx);
    int height = width > 0 ? in_pass(image->n[1], passes[pass].y, dy) : 0;
    size_t bytes = row_bytes(png, width), step = (size_t)(png->bits * png->channels + 7) / 8;
    int64_t c = png->channels;
    for (int y = 0; y < height; y++, p += bytes) {
        if (!unfilter(p[0], p + 1, y > 0 ? p + 1 - bytes : NULL, bytes - 1, step, error))
            return NULL;
        for (int x = 0; x < width; x++) {
            unsigned v = sample(p + 1, png->bits, c * x);
            if (c >= 3)
                v = mean(v, sample(p + 1, png->bits, c * x + 1),
                         sample(p + 1, png->bits, c * x + 2));
            if (png->color == 3 && v >= (unsigned)png->palette.count) {
                refuse_index(v, &png->palette, error);
                return NULL;
            }
            put_pixel(image, passes[pass].x + dx * x, passes[pass].y + dy * y,
                      png->color == 3 ? png->palette.value[v] : v);
        }
    }
    return p;
}

static bool read_png(const swImageFile *file, swArena *arena, swImage *image, swError *error) {
    swPng png = {0};
    if (!read_chunks(file, &png, image, error))
        return false;
    int first = png.interlaced ? 0 : 7, last = png.interlaced ? 7 : 8;
    size_t bytes = 0;
    for (int i = first; i < last; i++) {
        int width = in_pass(image->n[0], passes[i].x, passes[i].dx);
        int height = in_pass(image->n[1], passes[i].y, passes[i].dy);
        bytes += width > 0 ? row_bytes(&png, width) * (size_t)height : 0;
    }
    swInput in = {.at = png.packed, .left = png.npacked};
    if (!sw_input_inflate(&in, file->scratch, error))
        return false;
    uint8_t *rows = sw_input_finish(&in, bytes, "pixels", file->scratch, error);
    if (!rows || !new_pixels(image, png.bits == 16 ? SW_IMAGE_U16 : SW_IMAGE_U8, arena, error))
        return false;
    for (int i = first; i < last && rows; i++)
        rows = read_pass(&png, i, rows, image, error);
    return rows != NULL;
}

// ---- PGM and PPM ----

// Reads the next number of the header, skipping white space and comments.
static bool read_pnm_number(swScan *s, int64_t *value, swError *error) {
    sw_scan_white(s);
    return sw_scan_integer(s, value, error);
}

static bool read_pnm(const swImageFile *file, swArena *arena, swImage *image, swError *error) {
    swScan s = sw_header_open(file);
    int kind = file->size >= 2 && s.at[0] == 'P' ? s.at[1] - '0' : 0;
    if (kind != 2 && kind != 3 && kind != 5 && kind != 6)
        return sw_fail(error, SW_ERROR_FORMAT,
                       "not a PGM or PPM file: expected it to begin with P2, P3, P5 or P6");
    s.at += 2;
    int64_t width, height, most;
    if (!read_pnm_number(&s, &width, error) || !read_pnm_number(&s, &height, error) ||
        !read_pnm_number(&s, &most, error))
        return false;
    if (most < 1 || most > UINT16_MAX)
        return sw_fail(error, SW_ERROR_FORMAT, "the largest value is %lld; expected 1 to %d",
                       (long long)most, UINT16_MAX);
    if (!set_sides(image, width < 0 ? 0 : (uint64_t)width, height < 0 ? 0 : (uint64_t)height,
                   error))
        return false;
    // After one white-space character come the samples, which are read as an image with all
    // channels side by side.
    s.at += s.at < s.end;
    int channels = kind % 3 == 0 ? 3 : 1;
    swInput in = {.at = s.at, .left = (size_t)(file->data + file->size - s.at)};
    swImage all = {.n = {channels * image->n[0], image->n[1], 1}};
    swImageType type = most > UINT8_MAX ? SW_IMAGE_U16 : SW_IMAGE_U8;
    bool ok = kind < 4 ? sw_voxels_parse(&in, type, file->scratch, &all, error)
                       : sw_voxels_load(&in, type, true, file->scratch, file->scratch, &all, error);
    if (!ok || !new_pixels(image, type, arena, error))
        return false;
    for (int y = 0; y < image->n[1]; y++)
        for (int x = 0; x < image->n[0]; x++) {
            size_t i = ((size_t)y * (size_t)image->n[0] + (size_t)x) * (size_t)channels;
            unsigned v[3] = {0};
            for (int c = 0; c < channels; c++) {
                v[c] = type == SW_IMAGE_U8 ? ((const uint8_t *)all.data)[i + (size_t)c]
                                           : ((const uint16_t *)all.data)[i + (size_t)c];
                if (v[c] > most)
                    return sw_fail(
                        error, SW_ERROR_FORMAT,
                        "pixel (%d, %d) is %u, but the header gives %lld as the largest value", x,
                        y, v[c], (long long)most);
            }
            put_pixel(image, x, y, channels == 3 ? mean(v[0], v[1], v[2]) : v[0]);
        }
    return true;
}

// ---- BMP ----

typedef struct swBmp {
    int bits;
    bool down; // the first row is the top one
    size_t start;
    swPalette palette;
} swBmp;

static bool read_bmp_header(const swImageFile *file, swBmp *bmp, swImage *image, swError *error) {
    const char *p = file->data;
    if (file->size < 26 || memcmp(p, "BM", 2) != 0)
        return sw_fail(error, SW_ERROR_FORMAT, "not a BMP file: expected it to begin with BM");
    size_t info = (size_t)sw_load(p + 14, 4, false);
    bool old = info == 12;
    if ((!old && info < 40) || info > file->size - 14)
        return sw_fail(error, SW_ERROR_FORMAT,
                       "the header has %zu bytes; expected 12, or 40 to %zu", info,
                       file->size - 14);
    bmp->start = (size_t)sw_load(p + 10, 4, false);
    int64_t width = old ? (int64_t)sw_load(p + 18, 2, false) : (int32_t)sw_load(p + 18, 4, false);
    int64_t height = old ? (int64_t)sw_load(p + 20, 2, false) : (int32_t)sw_load(p + 22, 4, false);
    bmp->bits = (int)sw_load(p + (old ? 24 : 28), 2, false);
    bmp->down = height < 0;
    unsigned packing = old ? 0 : (unsigned)sw_load(p + 30, 4, false);
    // Bit masks that describe the usual layout.
    bool usual = packing == 3 && bmp->bits == 32 && file->size >= 66 &&
                 sw_load(p + 54, 4, false) == 0xff0000 && sw_load(p + 58, 4, false) == 0xff00 &&
                 sw_load(p + 62, 4, false) == 0xff;
    bool known =
        bmp->bits == 1 || bmp->bits == 4 || bmp->bits == 8 || bmp->bits == 24 || bmp->bits == 32;
    if (!known || (packing != 0 && !usual))
        return sw_fail(error, SW_ERROR_UNSUPPORTED,
                       "%d bits per pixel with compression %u; expected 1, 4, 8, 24 or 32 bits "
                       "without compression",
                       bmp->bits, packing);
    if (bmp->bits <= 8) {
        size_t each = old ? 3 : 4, used = old ? 0 : (size_t)sw_load(p + 46, 4, false);
        size_t count = used ? used : (size_t)1 << bmp->bits;
        if (count > 256 || 14 + info + count * each > file->size)
            return sw_fail(error, SW_ERROR_FORMAT,
                           "a palette of %zu colours does not fit in %zu bytes", count, file->size);
        fill_palette(&bmp->palette, (int)count, (const uint8_t *)p + 14 + info, (int)each);
    }
    return set_sides(image, width < 0 ? 0 : (uint64_t)width,
                     (uint64_t)(height < 0 ? -height : height), error);
}

static bool read_bmp(const swImageFile *file, swArena *arena, swImage *image, swError *error) {
    swBmp bmp = {0};
    if (!read_bmp_header(file, &bmp, image, error))
        return false;
    int width = image->n[0], height = image->n[1], bytes = bmp.bits / 8;
    size_t row = ((size_t)width * (size_t)bmp.bits + 31) / 32 * 4, need = row * (size_t)height;
    if (bmp.start > file->size || need > file->size - bmp.start)
        return sw_fail(error, SW_ERROR_FORMAT,
                       "expected %zu bytes of pixels from byte %zu on, found %zu", need, bmp.start,
                       bmp.start > file->size ? 0 : file->size - bmp.start);
    if (!new_pixels(image, SW_IMAGE_U8, arena, error))
        return false;
    const uint8_t *p = (const uint8_t *)file->data + bmp.start;
    for (int y = 0; y < height; y++, p += row)
        for (int x = 0; x < width; x++) {
            unsigned v;
            if (bmp.bits <= 8) {
                unsigned index = sample(p, bmp.bits, x);
                if (index >= (unsigned)bmp.palette.count)
                    return refuse_index(index, &bmp.palette, error);
                v = bmp.palette.value[index];
            } else
                v = mean(p[bytes * x], p[bytes * x + 1], p[bytes * x + 2]);
            put_pixel(image, x, bmp.down ? y : height - 1 - y, v);
        }
    return true;
}

const swImageFormat sw_image_png = {".png", read_png};
const swImageFormat sw_image_pgm = {".pgm", read_pnm};
const swImageFormat sw_image_ppm = {".ppm", read_pnm};
const swImageFormat sw_image_pnm = {".pnm", read_pnm};
const swImageFormat sw_image_bmp = {".bmp", read_bmp};
