// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Pictures and films of a run.
#pragma once

#include "render/render.h"
#include "run.h"

// ---- color.c: what the colours of a surface show ----

typedef enum ColorKind { // measures are in the order of swMeasure
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
    swReal unit;              // of the legend, for measures
    char text[40];            // title of the legend, for measures
    struct BodyMeasure *body; // for measures
    swReal *value;            // for measures: at each embedded point of all bodies
    swColor *color;           // current colour of each embedded point
} Coloring;

// Parses the value of --color; NULL: what suits the model.
bool coloring_parse(const char *text, const swModel *model, Coloring *coloring, swError *error);
// Legends cover the given keys of the clip.
bool coloring_create(Coloring *coloring, const swClip *clip, const int *key, int nkey,
                     swArena *arena, swError *error);
// Gives n colourings the same legend.
void coloring_share(Coloring *coloring, int n);
void coloring_update(Coloring *coloring, const swClip *clip, int key);

// ---- picture.c, movie.c ----

typedef struct Picture {
    const Run *run;
    swArena arena;
    swPool *pool;
    swRender render; // the same camera for all moments
    swVec3 *x;       // current positions of all embedded points
    int nlook;
    struct Look *look;  // what is visible, for each stage of the motion
    Coloring *coloring; // of each stage
} Picture;

// Checks before anything is computed whether the parts to be hidden exist.
bool picture_check(const RunOptions *options, const swModel *model, swError *error);

// For these keys of the clip. picture_free() must be called even after a failure.
bool picture_create(Picture *picture, const Run *run, int width, int height, const int *key,
                    int nkey, swError *error);
void picture_free(Picture *picture);
// Draws one key; `arena` holds the image.
bool picture_draw(Picture *picture, int key, swArena *arena, swPicture *image, swError *error);
// Width of the legend to the right of an image [pixels]; 0 unless colours stand for numbers.
int picture_legend_width(const Picture *picture, int width, int height);
// Adds a colour bar to the right of the image if colours stand for numbers; else `out` is `image`.
bool picture_add_legend(const Picture *picture, const swPicture *image, swArena *arena,
                        swPicture *out, swError *error);
void picture_caption(const Run *run, int key, char text[64]);
bool picture_write_strip(const Run *run, const char *path, swError *error);

bool movie_possible(void); // whether ffmpeg is installed
bool movie_write(const Run *run, const char *path, swError *error);
