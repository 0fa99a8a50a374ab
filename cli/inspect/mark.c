// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Dots, rings, names, legends and scales in pictures.
#include "inspect/inspect.h"

#include <string.h>

static const swColor ink = {0.16f, 0.17f, 0.20f}, paper = {1, 1, 1};

swReal mark_text_size(int width, int height) {
    return sw_max(8, round(0.024 * sw_min_int(width, height)));
}

static void blend(swPicture *picture, int x, int y, swColor color, swReal cover) {
    unsigned char rgb[3], *to;
    if (x < 0 || y < 0 || x >= picture->width || y >= picture->height || !(cover > 0))
        return;
    sw_color_bytes(color, rgb);
    to = picture->rgb + 3 * ((size_t)y * (size_t)picture->width + (size_t)x);
    for (int k = 0; k < 3; k++)
        to[k] = (unsigned char)(to[k] + sw_min(cover, 1) * (rgb[k] - to[k]) + 0.5);
}

static void fill(swPicture *picture, int x, int y, int width, int height, swColor color) {
    for (int j = y; j < y + height; j++)
        for (int i = x; i < x + width; i++)
            blend(picture, i, j, color, 1);
}

// Paints the pixels at a distance from `inner` to `outer`, with smooth edges.
static void annulus(swPicture *picture, Spot at, swReal inner, swReal outer, swColor color,
                    swReal cover) {
    const int x0 = (int)floor(at.x - outer - 1), x1 = (int)ceil(at.x + outer + 1),
              y0 = (int)floor(at.y - outer - 1), y1 = (int)ceil(at.y + outer + 1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            const swReal d = hypot(x + 0.5 - at.x, y + 0.5 - at.y);
            blend(picture, x, y, color,
                  cover * sw_clamp(outer + 0.5 - d, 0, 1) * sw_clamp(d - inner + 0.5, 0, 1));
        }
}

void mark_disc(swPicture *picture, Spot at, swReal radius, swColor color, swReal cover) {
    annulus(picture, at, -1, radius, color, cover);
}

void mark_text(swPicture *picture, Spot at, swReal size, const char *text) {
    const swReal border = sw_max(1, size / 8);
    for (int k = 0; k < 8; k++) {
        const swReal angle = k * SW_PI / 4;
        sw_picture_text(picture, at.x + border * cos(angle), at.y + border * sin(angle), size,
                        paper, text);
    }
    sw_picture_text(picture, at.x, at.y, size, ink, text);
}

void mark_site(swPicture *picture, int width, Spot at, swReal size, const char *name,
               swReal cover) {
    const swReal radius = 0.45 * size, pen = sw_max(1.2, 0.14 * size);
    annulus(picture, at, radius - pen, radius + pen, paper, cover);
    annulus(picture, at, radius - pen / 2, radius + pen / 2, ink, cover);
    if (cover < 1)
        return;
    const swReal wide = sw_picture_text(NULL, 0, 0, size, ink, name);
    at.x += 1.8 * radius;
    at.y -= 1.2 * radius;
    if (at.x + wide > width - 2)
        at.x -= 3.6 * radius + wide;
    mark_text(picture, at, size, name);
}

// ---- legends ----

enum { SWATCH = 2 }; // times the size of text

static const char *number_text(swReal value, char text[32]) {
    snprintf(text, 32, "%.4g", fabs(value) < 1e-12 ? 0.0 : value);
    char *e = strchr(text, 'e'), *from = e ? e + 2 : NULL;
    if (!e)
        return text;
    while (*from == '0') // "2e+06" to "2e6"
        from++;
    memmove(e[1] == '-' ? e + 2 : e + 1, from, strlen(from) + 1);
    return text;
}

int mark_legend_width(const Field *f, swReal size) {
    swReal widest = f->unit ? sw_picture_text(NULL, 0, 0, size, ink, f->unit) - SWATCH * size : 0;
    swReal tick[16];
    char text[32];
    const int n = f->unit ? field_ticks(f, tick) : f->legend.count;
    if (n == 0)
        return 0;
    for (int i = 0; i < n; i++)
        widest = sw_max(
            widest, sw_picture_text(NULL, 0, 0, size, ink,
                                    f->unit ? number_text(tick[i], text) : f->legend.item[i].name));
    return (int)ceil(widest + (SWATCH + 3) * size);
}

static void bar(swPicture *picture, const Field *f, int x, swReal size) {
    const int tall = (int)(0.7 * picture->height), top = (picture->height - tall) / 2,
              wide = (int)(1.4 * size);
    swReal tick[16];
    char text[32];
    for (int y = 0; y < tall; y++) {
        const swReal t = 1 - (y + 0.5) / tall;
        fill(picture, x, top + y, wide, 1,
             field_map(f, f->log ? f->lo * pow(f->hi / f->lo, t) : f->lo + t * (f->hi - f->lo)));
    }
    const int n = field_ticks(f, tick);
    for (int i = 0; i < n; i++) {
        const swReal t = f->log ? log(tick[i] / f->lo) / log(f->hi / f->lo)
                                : (tick[i] - f->lo) / (f->hi - f->lo);
        const swReal y = top + (1 - sw_clamp(t, 0, 1)) * tall;
        fill(picture, x, (int)y, (int)(1.65 * size), 1, ink);
        sw_picture_text(picture, x + SWATCH * size, round(y + size / 2), size, ink,
                        number_text(tick[i], text));
    }
    sw_picture_text(picture, x, top - 1.2 * size, size, ink, f->unit);
}

void mark_legend(swPicture *picture, const Field *f, int width, swReal size) {
    const int x = picture->width - width + (int)(1.5 * size);
    if (f->unit) {
        bar(picture, f, x, size);
        return;
    }
    const swReal row = sw_min(2 * size, 0.8 * picture->height / sw_max_int(f->legend.count, 1));
    swReal y = (picture->height - row * f->legend.count) / 2;
    for (int i = 0; i < f->legend.count; i++, y += row) {
        const int tall = (int)sw_min(1.3 * size, row);
        fill(picture, x, (int)y, (int)(1.4 * size), tall, f->legend.item[i].color);
        sw_picture_text(picture, x + SWATCH * size, round(y + (tall + size) / 2), size, ink,
                        f->legend.item[i].name);
    }
}

void mark_scale(swPicture *picture, swReal pixels_per_metre, swReal longest, swReal size) {
    swReal length = field_nice(longest / pixels_per_metre);
    if (length * pixels_per_metre > longest)
        length /= 2;
    char text[48];
    snprintf(text, sizeof text, "%.3g m", length);
    const int wide = (int)round(length * pixels_per_metre), x = (int)(1.6 * size),
              y = picture->height - (int)(1.6 * size);
    fill(picture, x, y, wide, 2, ink);
    fill(picture, x, y - (int)(0.3 * size), 1, (int)(0.6 * size) + 2, ink);
    fill(picture, x + wide - 1, y - (int)(0.3 * size), 1, (int)(0.6 * size) + 2, ink);
    sw_picture_text(picture, x + wide + size, y + size / 2, size, ink, text);
}
