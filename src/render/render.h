// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Software rendering of pictures: a drawing is a list of meshes and strokes, and sw_render() turns
// it into an image, which does not depend on the number of threads.
#pragma once

#include "core/core.h"
#include "math/vec.h"

// ---- colours ----

typedef struct swColor {
    float r, g, b; // sRGB, from 0 to 1
} swColor;

typedef enum swColorMap {
    SW_MAP_SEQUENTIAL, // dark blue, green, yellow: lightness increases evenly
    SW_MAP_DIVERGING,  // blue, nearly white in the middle, red: lightness decreases evenly towards
                       // both ends
    SW_MAPS
} swColorMap;

// The colour at t, which is clamped to 0 .. 1. Grey if t is NaN.
swColor sw_map_color(swColorMap map, swReal t);
// The colour of a category; those of neighbouring indices are easy to tell apart.
swColor sw_kind_color(int index);
// Sets color[i] to the colour of value[i], with lo at 0 and hi at 1.
void sw_map_values(swColorMap map, int n, const swReal *value, swReal lo, swReal hi,
                   swColor *color);
swVec3 sw_color_linear(swColor c); // sRGB to linear light
swColor sw_linear_color(swVec3 v); // linear light to sRGB, clamped to 0..1
void sw_color_bytes(swColor c, unsigned char rgb[3]);

// ---- images ----

typedef struct swPicture {
    int width, height;
    unsigned char *rgb; // rows from the top
} swPicture;

enum { SW_IMAGE_SIDE = 16384 }; // most pixels along a side

bool sw_picture_create(swPicture *image, int width, int height, swColor fill, swArena *arena,
                       swError *error);
// Draws text with its baseline starting at (x, y) and capitals `size` pixels high. Returns its
// width; if `image` is NULL, it only measures. Characters outside printable ASCII become boxes.
swReal sw_picture_text(swPicture *image, swReal x, swReal y, swReal size, swColor color,
                       const char *text);
// Draws a vertical colour bar at the right edge, with its title and three of its values.
void sw_picture_legend(swPicture *image, swColorMap map, swReal lo, swReal hi, const char *title);
// Arranges images in rows of `columns` with a gap between them, each with its caption (NULL: none)
// in the lower left corner.
bool sw_picture_grid(swPicture *out, int n, const swPicture *image, const char *const *caption,
                     int columns, int gap, swArena *arena, swError *error);

// ---- drawings ----

typedef struct swDrawMesh {
    int nvertex, ntriangle;
    const swVec3 *x;      // borrowed, like the other arrays
    const int *triangle;  // counter-clockwise seen from outside
    const swVec3 *normal; // one per vertex; NULL: computed
    const swColor *color; // one per vertex; NULL: paint
    swColor paint;
    swReal crease;  // edges with a larger angle stay sharp [rad]; 0: flat shading, pi: smooth
                    // everywhere
    swReal opacity; // 1: opaque; resolved in steps of one sample of a pixel
} swDrawMesh;

// A line, or a dot if a = b.
typedef struct swStroke {
    swVec3 a, b;
    swReal width; // in pixels
    swColor color;
    swReal ghost; // its opacity where a surface hides it, 0 to 1
} swStroke;

typedef struct swDrawing {
    swArena *arena;
    SW_LIST(swDrawMesh) meshes;
    SW_LIST(swStroke) strokes;
} swDrawing;

void sw_drawing_init(swDrawing *drawing, swArena *arena);
// The bounding box of everything finite in the drawing; lo > hi if there is nothing.
void sw_drawing_bounds(const swDrawing *drawing, swVec3 *lo, swVec3 *hi);

swDrawMesh sw_default_draw_mesh(void);
bool sw_draw_mesh(swDrawing *drawing, const swDrawMesh *mesh, swError *error);
bool sw_draw_stroke(swDrawing *drawing, const swStroke *stroke, swError *error);
bool sw_draw_dot(swDrawing *drawing, swVec3 at, swReal width, swColor color, swError *error);
// Draws the columns of A times `length`: x red, y green, z blue, faintly visible through surfaces.
bool sw_draw_axes(swDrawing *drawing, swVec3 at, swMat3 A, swReal length, swReal width,
                  swError *error);
bool sw_draw_sphere(swDrawing *drawing, swVec3 center, swReal radius, swColor paint,
                    swError *error);
bool sw_draw_box(swDrawing *drawing, swVec3 center, swMat3 R, swVec3 size, swColor paint,
                 swError *error);
bool sw_draw_capsule(swDrawing *drawing, swVec3 from, swVec3 to, swReal radius, swColor paint,
                     swError *error);

// ---- rendering ----

typedef struct swCamera {
    swVec3 eye, target, up;
    swReal fov; // vertical field of view [rad]
} swCamera;

// A camera that looks at the bounding box along -direction (zero: from the front, right and above),
// so that it fills an image with `aspect` width / height.
swCamera sw_camera_frame(swVec3 lo, swVec3 hi, swVec3 direction, swReal fov, swReal aspect);

typedef struct swRender {
    int width, height;   // in pixels
    int samples;         // samples x samples per pixel, 1 to 8
    swCamera camera;     // see sw_camera_frame()
    swColor top, bottom; // background colours at the upper and lower edge
    swVec3 light;        // direction towards the key light
    swReal light_radius; // angular radius of the key light, which softens its shadow [rad]
    swReal key, sky;     // intensity of the key light and of the sky
    bool ground;
    swReal ground_height; // the ground is the plane y = ground_height
    swColor ground_color; // colour in full light; the ground fades into the background
    swReal grid;          // spacing of grid lines on the ground; 0: chosen by size, negative: none
} swRender;

swRender sw_default_render(void);
// Renders a drawing. Vertices and triangles that are not finite or out of range are skipped.
bool sw_render(const swRender *render, const swDrawing *drawing, swPool *pool, swArena *arena,
               swPicture *image, swError *error);
