// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Whole images: creating them, legends, and arranging several in one.
#include "render/render.h"

#include <string.h>

static const swColor ink = {0.20f, 0.22f, 0.26f};

static unsigned char *pixel(const swPicture *image, int x, int y) {
    return image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
}

bool sw_picture_create(swPicture *image, int width, int height, swColor fill, swArena *arena,
                       swError *error) {
    *image = (swPicture){0};
    if (width < 1 || height < 1 || width > SW_IMAGE_SIDE || height > SW_IMAGE_SIDE)
        return sw_fail(error, SW_ERROR_LIMIT,
                       "an image of %d x %d pixels: sides from 1 to %d are possible", width, height,
                       SW_IMAGE_SIDE);
    size_t n = (size_t)width * (size_t)height;
    unsigned char *rgb = SW_NEW(arena, 3 * n, unsigned char, error);
    if (!rgb)
        return false;
    for (size_t i = 0; i < n; i++)
        sw_color_bytes(fill, rgb + 3 * i);
    *image = (swPicture){width, height, rgb};
    return true;
}

// A height of capitals that is easy to read in an image of this size.
static double text_size(const swPicture *image) {
    return sw_max(8, round(0.024 * sw_min_int(image->width, image->height)));
}

// Formats a number with three digits, which is enough for a colour scale: "1230", "-0.0123",
// "1.2e-5".
static void number_text(double value, char out[32]) {
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%.2e", value);
    if (n > 2 && digits[value < 0 ? 2 : 1] == ',') // the decimal comma of some locales
        digits[value < 0 ? 2 : 1] = '.';
    sw_text_number(digits, digits + n, &value);
    snprintf(out, 32, "%.6g", value);
    char *comma = strchr(out, ','), *e = strchr(out, 'e');
    if (comma)
        *comma = '.';
    if (e && (e[1] == '+' || e[1] == '-')) { // "e+05" to "e5"
        char *from = e + 2, *to = e[1] == '-' ? e + 2 : e + 1;
        while (*from == '0')
            from++;
        memmove(to, from, strlen(from) + 1);
    }
}

void sw_picture_legend(swPicture *image, swColorMap map, swReal lo, swReal hi, const char *title) {
    double size = text_size(image), margin = round(1.6 * size), widest = 0;
    char label[3][32];
    for (int i = 0; i < 3; i++) {
        number_text(lo + (hi - lo) * i / 2, label[i]);
        widest = sw_max(widest, sw_picture_text(NULL, 0, 0, size, ink, label[i]));
    }
    int bar = (int)round(1.3 * size), tall = (int)(0.4 * image->height);
    int x0 = (int)(image->width - margin - widest - 0.8 * size) - bar;
    int y0 = (image->height - tall) / 2;
    for (int y = sw_max_int(y0, 0); y < y0 + tall && y < image->height; y++)
        for (int x = sw_max_int(x0, 0); x < x0 + bar && x < image->width; x++) {
            double t = tall > 1 ? 1 - (double)(y - y0) / (tall - 1) : 0;
            sw_color_bytes(sw_map_color(map, t), pixel(image, x, y));
        }
    for (int i = 0; i < 3; i++) {
        double y = y0 + tall - (tall - 1) * i / 2.0 - 0.5;
        sw_picture_text(image, x0 + bar + 0.8 * size, round(y + size / 2), size, ink, label[i]);
    }
    if (title) {
        double width = sw_picture_text(NULL, 0, 0, size, ink, title);
        sw_picture_text(image, sw_min(x0, image->width - margin - width), y0 - 1.4 * size, size,
                        ink, title);
    }
}

bool sw_picture_grid(swPicture *out, int n, const swPicture *image, const char *const *caption,
                     int columns, int gap, swArena *arena, swError *error) {
    *out = (swPicture){0};
    if (n < 1 || columns < 1 || gap < 0 || gap > SW_IMAGE_SIDE)
        return sw_fail(error, SW_ERROR_VALUE, "a grid of %d images in %d columns with a gap of %d",
                       n, columns, gap);
    columns = sw_min_int(columns, n);
    int wide = 1, tall = 1, rows = (n - 1) / columns + 1;
    for (int i = 0; i < n; i++) {
        wide = sw_max_int(wide, image[i].width);
        tall = sw_max_int(tall, image[i].height);
    }
    int64_t width = (int64_t)columns * (wide + gap) - gap,
            height = (int64_t)rows * (tall + gap) - gap;
    if (width > SW_IMAGE_SIDE || height > SW_IMAGE_SIDE)
        return sw_fail(error, SW_ERROR_LIMIT,
                       "a grid of %lld x %lld pixels: sides from 1 to %d are possible",
                       (long long)width, (long long)height, SW_IMAGE_SIDE);
    const swColor white = {1, 1, 1};
    if (!sw_picture_create(out, (int)width, (int)height, white, arena, error))
        return false;
    for (int i = 0; i < n; i++) {
        int x0 = i % columns * (wide + gap), y0 = i / columns * (tall + gap);
        for (int y = 0; y < image[i].height; y++)
            memcpy(pixel(out, x0, y0 + y), pixel(&image[i], 0, y), 3 * (size_t)image[i].width);
        double size = text_size(&image[i]);
        if (caption && caption[i])
            sw_picture_text(out, x0 + 1.6 * size, y0 + image[i].height - 1.6 * size, size, ink,
                            caption[i]);
    }
    return true;
}
