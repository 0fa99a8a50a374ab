// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Pictures of what is inside a body: fields on a slice through it, or on its surface.
#pragma once

#include "cli.h"
#include "compile/inspect.h"
#include "render/render.h"

typedef struct InspectOptions {
    const char *picture, *slice, *body; // NULL: not given, the surface, the first body
    TextList of;
    int size[2]; // pixels of one picture
    swVec3 view; // where to look at surfaces from; zero: from the front, right and above
} InspectOptions;

// Draws the fields of `of` side by side into one file.
bool inspect_write(const InspectOptions *options, const swScene *scene, swError *error);

// ---- field.c: what is drawn ----

typedef enum FieldKind {
    FIELD_WEIGHT, // of one site
    FIELD_WEIGHTS,
    FIELD_DISTANCE,
    FIELD_MATERIAL,
    FIELD_STIFFNESS,
    FIELD_LABEL,
    FIELD_REGIONS,
    FIELD_POINTS
} FieldKind;

typedef struct LegendItem {
    char name[64];
    swColor color;
} LegendItem;

typedef struct Field {
    FieldKind kind;
    const char *text; // as given: "weight:2"
    const swInspect *in;
    int site;               // FIELD_WEIGHT
    swVec3 *light;          // FIELD_WEIGHTS: each site's colour as linear light
    const swReal *distance; // FIELD_DISTANCE: per node of the lattice
    swColor *paint;         // FIELD_MATERIAL: per material
    int nlabel, *label;     // FIELD_LABEL: ascending
    char title[128];        // of the picture
    // If colours stand for numbers: their range, logarithmic or not, and isolines every `step`.
    const char *unit; // title of the colour bar; NULL: colours stand for categories
    swReal lo, hi, step;
    bool log;
    SW_LIST(LegendItem) legend; // of categories
} Field;

// What is drawn at a point.
typedef struct Look {
    swColor color;
    int band; // a line is drawn between points whose bands differ; -1: outside
} Look;

// Parses a value of --of; field_open() looks up its site.
bool field_parse(Field *field, const char *text, swError *error);
swInspectDepth field_depth(const Field *field); // how far the body must be compiled for it
bool field_open(Field *field, swInspect *in, swError *error);
// Evaluates the field at n points in filled cells; `scratch` has 4 nsite numbers for each.
void field_look(const Field *field, int n, const swVec3 *p, const int *cell, swReal *scratch,
                Look *look);
swColor field_map(const Field *field, swReal value);
swReal field_nice(swReal size); // 1, 2 or 5 times a power of ten, near `size`
// The values to label on the colour bar, ascending. Returns their number.
int field_ticks(const Field *field, swReal tick[16]);

// ---- draw.c: one picture ----

typedef struct Slice {
    int axis; // perpendicular to it: 0, 1, 2; -1: no slice, the surface
    swReal at;
} Slice;

// `legend`: pixels reserved for the legend at the right edge, see mark_legend_width().
bool inspect_draw(const Field *field, const Slice *slice, const InspectOptions *options, int legend,
                  swArena *arena, swPicture *picture, swError *error);

// ---- mark.c: marks and text in pictures ----

typedef struct Spot { // in pixels
    swReal x, y;
} Spot;

swReal mark_text_size(int width, int height); // height of capitals
void mark_disc(swPicture *picture, Spot at, swReal radius, swColor color, swReal cover);
// With a pale outline, so that it can be read on any colour.
void mark_text(swPicture *picture, Spot at, swReal size, const char *text);
// Draws a frame or handle and, unless `cover` is below 1, its name, which stays left of `width`.
void mark_site(swPicture *picture, int width, Spot at, swReal size, const char *name, swReal cover);
// Width of a legend at the right edge [pixels].
int mark_legend_width(const Field *field, swReal size);
void mark_legend(swPicture *picture, const Field *field, int width, swReal size);
// Draws a scale bar of a round length in the lower left corner.
void mark_scale(swPicture *picture, swReal pixels_per_metre, swReal longest, swReal size);
