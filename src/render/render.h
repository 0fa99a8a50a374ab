// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Pictures of scenes without a GPU: a drawing is a list of meshes and strokes; sw_render turns it
// into an image, the same one for any number of threads.
#pragma once

#include "core/core.h"
#include "math/vec.h"

// ---- colours ----

typedef struct swColor {
    float r, g, b; // as on screen (sRGB), from 0 to 1
} swColor;

typedef enum swColorMap {
    SW_MAP_SEQUENTIAL, // dark blue, green, yellow: lightness rises evenly
    SW_MAP_DIVERGING,  // blue, nearly white at the middle, red: lightness falls evenly to both ends
    SW_MAPS
} swColorMap;

// The colour at t from 0 to 1; beyond, the nearest end. Grey where t is not-a-number.
swColor sw_map_color(swColorMap map, swReal t);
swColor sw_kind_color(int index); // of kinds: those of near indices differ well
// color[i] of value[i], lo at 0 and hi at 1.
void sw_map_values(swColorMap map, int n, const swReal *value, swReal lo, swReal hi,
                   swColor *color);
swVec3 sw_color_linear(swColor c); // sRGB to light
swColor sw_linear_color(swVec3 v); // and back, cut to 0..1
void sw_color_bytes(swColor c, unsigned char rgb[3]);

// ---- images ----

typedef struct swPicture {
    int width, height;
    unsigned char *rgb; // rows from the top
} swPicture;

enum { SW_IMAGE_SIDE = 16384 }; // the most pixels along a side

bool sw_picture_create(swPicture *image, int width, int height, swColor fill, swArena *arena,
                       swError *error);
// Writes text with its baseline starting at (x, y), capitals `size` pixels high. Returns its width;
// a NULL image only measures. Any byte outside printable ASCII becomes a box.
swReal sw_picture_text(swPicture *image, swReal x, swReal y, swReal size, swColor color,
                       const char *text);
// A vertical colour bar at the right edge with its title and the values at its ends.
void sw_picture_legend(swPicture *image, swColorMap map, swReal lo, swReal hi, const char *title);
// Images in rows of `columns` with a gap between them, each with its caption (NULL: none) in its
// lower left corner.
bool sw_picture_grid(swPicture *out, int n, const swPicture *image, const char *const *caption,
                     int columns, int gap, swArena *arena, swError *error);

// ---- drawings ----

typedef struct swDrawMesh {
    int nvertex, ntriangle;
    const swVec3 *x;      // borrowed, as the other arrays
    const int *triangle;  // counter-clockwise seen from outside
    const swVec3 *normal; // one per vertex, or NULL: computed
    const swColor *color; // one per vertex, or NULL: paint
    swColor paint;
    swReal crease;  // edges sharper than this angle stay sharp [rad]; 0: flat, pi: all smooth
    swReal opacity; // 1: solid; in steps of one sample of a pixel
} swDrawMesh;

// A line, or a dot where a = b.
typedef struct swStroke {
    swVec3 a, b;
    swReal width; // pixels
    swColor color;
    swReal ghost; // how much of it is seen where a surface hides it, 0 to 1
} swStroke;

typedef struct swDrawing {
    swArena *arena;
    SW_LIST(swDrawMesh) meshes;
    SW_LIST(swStroke) strokes;
} swDrawing;

void sw_drawing_init(swDrawing *drawing, swArena *arena);
// Over everything finite in it; lo > hi where there is nothing.
void sw_drawing_bounds(const swDrawing *drawing, swVec3 *lo, swVec3 *hi);

swDrawMesh sw_default_draw_mesh(void);
bool sw_draw_mesh(swDrawing *drawing, const swDrawMesh *mesh, swError *error);
bool sw_draw_stroke(swDrawing *drawing, const swStroke *stroke, swError *error);
bool sw_draw_dot(swDrawing *drawing, swVec3 at, swReal width, swColor color, swError *error);
// x red, y green, z blue: the columns of A, times length; seen faintly through surfaces.
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
    swReal fov; // of the image's height [rad]
} swCamera;

// Looks at the bounds along -direction (zero: from the front, right and above) so that they fill an
// image of `aspect` width / height.
swCamera sw_camera_frame(swVec3 lo, swVec3 hi, swVec3 direction, swReal fov, swReal aspect);

typedef struct swRender {
    int width, height;   // pixels
    int samples;         // samples x samples per pixel, 1 to 8
    swCamera camera;     // see sw_camera_frame
    swColor top, bottom; // the background's upper and lower edge
    swVec3 light;        // towards the key light
    swReal light_radius; // half the angle it is seen under: the softness of its shadow [rad]
    swReal key, sky;     // strength of the key light and of the sky around
    bool ground;
    swReal ground_height; // the plane y = ground_height
    swColor ground_color; // where it is lit; it fades into the background
    swReal grid;          // distance of its lines; 0: chosen by size, negative: none
} swRender;

swRender sw_default_render(void);
// Vertices and triangles that are not finite or out of range are left out.
bool sw_render(const swRender *render, const swDrawing *drawing, swPool *pool, swArena *arena,
               swPicture *image, swError *error);
