// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Colours: sRGB and linear light, and colour maps laid out in Oklab, where equal distances look
// equal (B. Ottosson, "A perceptual color space for image processing", 2020).
#include "render/render.h"

static double to_linear(double c) {
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}
static double to_screen(double c) {
    c = c > 0 ? sw_min(c, 1) : 0; // 0 for NaN too
    return c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

swVec3 sw_color_linear(swColor c) { return sw_v3(to_linear(c.r), to_linear(c.g), to_linear(c.b)); }

swColor sw_linear_color(swVec3 v) {
    return (swColor){(float)to_screen(v.x), (float)to_screen(v.y), (float)to_screen(v.z)};
}

static unsigned char byte_of(float c) {
    return (unsigned char)(c > 0 ? sw_min(c, 1) * 255 + 0.5 : 0); // 0 for NaN
}

void sw_color_bytes(swColor c, unsigned char rgb[3]) {
    rgb[0] = byte_of(c.r);
    rgb[1] = byte_of(c.g);
    rgb[2] = byte_of(c.b);
}

// Converts lightness, chroma and hue (in degrees) to sRGB.
static swColor from_oklch(double L, double chroma, double hue) {
    double a = chroma * cos(hue * SW_PI / 180), b = chroma * sin(hue * SW_PI / 180);
    double l = L + 0.3963377774 * a + 0.2158037573 * b;
    double m = L - 0.1055613458 * a - 0.0638541728 * b;
    double s = L - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    return sw_linear_color(sw_v3(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                                 -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                                 -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

// Linear interpolation in a table of n values over [0, 1].
static double table(const double *value, int n, double t) {
    int i = sw_min_int((int)(t * (n - 1)), n - 2);
    double u = t * (n - 1) - i;
    return value[i] + u * (value[i + 1] - value[i]);
}

swColor sw_map_color(swColorMap map, swReal t) {
    if (isnan(t))
        return (swColor){0.5f, 0.5f, 0.5f};
    t = sw_clamp(t, 0, 1);
    if (map == SW_MAP_DIVERGING) {
        double s = fabs(2 * t - 1);
        double hue = t < 0.5 ? 250 + 12 * s : 45 - 18 * s;
        return from_oklch(0.96 - 0.48 * s, 0.17 * s * (1.5 - 0.5 * s), hue);
    }
    // Chroma follows the limit of the sRGB gamut at each lightness and hue.
    static const double hue[] = {300, 284, 262, 238, 212, 184, 160, 142, 125, 110, 98};
    static const double chroma[] = {.120, .140, .130, .104, .092, .100,
                                    .122, .150, .174, .180, .164};
    return from_oklch(0.30 + 0.61 * t, table(chroma, SW_COUNT(chroma), t),
                      table(hue, SW_COUNT(hue), t));
}

swColor sw_kind_color(int index) {
    static const double L[3] = {0.72, 0.60, 0.82}, chroma[3] = {0.15, 0.16, 0.11};
    return from_oklch(L[index % 3], chroma[index % 3],
                      fmod(55 + index * 137.50776405003785, 360)); // the golden angle
}

void sw_map_values(swColorMap map, int n, const swReal *value, swReal lo, swReal hi,
                   swColor *color) {
    swReal scale = hi > lo ? 1 / (hi - lo) : 0;
    for (int i = 0; i < n; i++)
        color[i] = sw_map_color(map, (value[i] - lo) * scale);
}
