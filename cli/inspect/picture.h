// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Pictures of a run, and movies.
#pragma once

#include "render/render.h"
#include "run.h"

// ---- color.c: what the colours of a surface show ----

typedef enum ColorKind { // the measures in the order of swMeasure
    COLOR_PLAIN,
    COLOR_MATERIAL,
    COLOR_STRAIN,
    COLOR_STRESS,
    COLOR_ENERGY,
    COLOR_WEIGHT
} ColorKind;

typedef struct Coloring {
    ColorKind kind;
    int frame;                // COLOR_WEIGHT
    const char *title;        // of the legend; NULL: there is none
    swReal lo, hi;            // of the legend
    swReal unit;              // of the legend, of measures
    char text[40];            // the title of measures
    struct BodyMeasure *body; // of measures
    swReal *value;            // of measures, of each embedded point of all bodies
    swColor *color;           // of each embedded point, now
} Coloring;

// By the word of --color, NULL: what suits the model.
bool coloring_parse(const char *text, const swModel *model, Coloring *coloring, swError *error);
// Legends cover the given keys of the clip.
bool coloring_create(Coloring *coloring, const swClip *clip, const int *key, int nkey,
                     swArena *arena, swError *error);
// The same legend for what belongs together.
void coloring_share(Coloring *coloring, int n);
void coloring_update(Coloring *coloring, const swClip *clip, int key);

// ---- picture.c, movie.c ----

typedef struct Picture {
    const Run *run;
    swArena arena;
    swPool *pool;
    swRender render; // the same camera for all moments
    swVec3 *x;       // of all embedded points, now
    int nlook;
    struct Look *look;  // what is seen, for each stage of the motion
    Coloring *coloring; // of each
} Picture;

// Before anything is computed: are there parts called like those to be hidden?
bool picture_check(const RunOptions *options, const swModel *model, swError *error);

// For these keys of the clip; picture_free in any case.
bool picture_create(Picture *picture, const Run *run, int width, int height, const int *key,
                    int nkey, swError *error);
void picture_free(Picture *picture);
// The image of one key, in `arena`.
bool picture_draw(Picture *picture, int key, swArena *arena, swPicture *image, swError *error);
// Pixels that a legend adds to the right of an image, where colours mean numbers.
int picture_legend_width(const Picture *picture, int width, int height);
// A colour bar to the right of the image, where colours mean numbers; `image` itself elsewhere.
bool picture_add_legend(const Picture *picture, const swPicture *image, swArena *arena,
                        swPicture *out, swError *error);
void picture_caption(const Run *run, int key, char text[64]);
bool picture_write_strip(const Run *run, const char *path, swError *error);

bool movie_possible(void); // ffmpeg is installed
bool movie_write(const Run *run, const char *path, swError *error);
