// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "material/paint.h"

#include "core/core.h"

#include <math.h>
#include <string.h>

typedef struct swPaintWord {
    const char *word;
    swVec3 color; // sRGB
} swPaintWord;

static const swPaintWord words[] = {
    {"bone", {0.93, 0.89, 0.78}},   {"cartilage", {0.62, 0.76, 0.88}},
    {"tendon", {0.93, 0.81, 0.77}}, {"ligament", {0.88, 0.80, 0.84}},
    {"muscle", {0.74, 0.27, 0.24}}, {"meat", {0.78, 0.34, 0.31}},
    {"flesh", {0.83, 0.44, 0.38}},  {"skin", {0.91, 0.72, 0.60}},
    {"fat", {0.95, 0.83, 0.48}},    {"rubber", {0.36, 0.41, 0.48}},
    {"steel", {0.66, 0.70, 0.75}},  {"wood", {0.70, 0.52, 0.33}},
    {"artery", {0.85, 0.20, 0.16}}, {"vein", {0.32, 0.44, 0.74}},
    {"nerve", {0.95, 0.87, 0.36}},
};
static const swVec3 palette[] = {{0.47, 0.66, 0.33}, {0.90, 0.44, 0.32}, {0.33, 0.53, 0.77},
                                 {0.92, 0.72, 0.30}, {0.60, 0.45, 0.70}, {0.30, 0.64, 0.62},
                                 {0.80, 0.45, 0.58}, {0.55, 0.42, 0.30}};

static double to_linear(double c) {
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

swVec3 sw_material_paint(const char *name, int index) {
    swVec3 c = palette[index % SW_COUNT(palette)];
    char lower[64];
    snprintf(lower, sizeof lower, "%s", name);
    for (char *letter = lower; *letter; letter++)
        *letter += *letter >= 'A' && *letter <= 'Z' ? 'a' - 'A' : 0;
    for (int i = SW_COUNT(words) - 1; i >= 0; i--)
        if (strstr(lower, words[i].word))
            c = words[i].color;
    return (swVec3){to_linear(c.x), to_linear(c.y), to_linear(c.z)};
}
