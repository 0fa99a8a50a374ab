// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the passes of the renderer share. Rendering prepares meshes and faces, draws one shadow map
// per light, then processes the image band by band: visibility, shading, strokes, averaging of
// samples.
#pragma once

#include "render/render.h"

enum { SW_LIGHT_DEPTHS = 65500, SW_LIGHT_TAPS = 12 };

// A cone of directional light with its shadow map. The key light and the sky both consist of many
// of these, so that soft shadows and ambient occlusion come from one mechanism without noise.
typedef struct swLight {
    swVec3 towards;
    swReal radius;          // angular radius of the cone [rad]
    bool sky;               // part of the sky; otherwise of the key light
    float s[4], t[4], d[4]; // rows of the affine map from positions to texels and depth
    float texel;            // its size
    float slope;            // (depths per length / texels per length)^2
    float spread;           // blur of the shadow, in texels per depth between receiver and caster
    float steepest;         // lower limit of normal . d, for surfaces seen edge-on
    int side;               // in texels
    uint16_t *depth;        // depth of the nearest caster, increasing towards the light; 0: none
} swLight;

// The offsets at which a sample looks up a shadow map: points of the unit disc, for key light and
// sky.
typedef struct swTaps {
    float point[2][SW_LIGHT_TAPS][2];
} swTaps;

typedef struct swStageMesh {
    const swDrawMesh *draw;
    swVec3 *view;       // vertices in camera space: right, up, depth
    float (*normal)[3]; // at the corners of each triangle
    float (*color)[3];  // linear, per vertex; NULL: paint
    swVec3 paint;       // linear
} swStageMesh;

// A triangle that may be visible, with the range of samples it can cover: x0 <= x < x1, y0 <= y <
// y1.
typedef struct swFace {
    int mesh, triangle;
    int x0, y0, x1, y1;
} swFace;

// A triangle that casts a shadow, relative to the scene's centre.
typedef struct swCaster {
    float x[3][3], opacity;
} swCaster;

typedef struct swStage {
    const swRender *def;
    const swDrawing *drawing;
    int nmesh, nface, ncaster;
    swStageMesh *mesh;
    swFace *face;
    swCaster *caster;
    // camera
    swVec3 right, up, forward;
    swReal k;    // size of a sample at depth 1
    swReal near; // near plane: nothing nearer is drawn
    swReal size; // half the visible height at the target, which does not change while bodies move
    int nx, ny;  // in samples
    // scene
    swVec3 lo, hi, center; // bounding box of what casts shadows
    swReal radius;
    swReal grid;                // spacing of grid lines on the ground, or negative
    swVec3 top, bottom, ground; // linear colours
    swVec3 light, fill; // unit directions to the key light and to a weak light by the camera
    // lights: sample i of a pixel uses n of each kind, from i n on
    int nkey, nsky; // number of lights per sample
    swLight *key, *sky;
    swTaps *tap; // per sample
} swStage;

// The samples of a few rows of pixels.
typedef struct swBand {
    int y0, rows; // in samples
    float *w;     // 1 / depth; 0: nothing
    int *face;    // index, or -1
    float (*color)[3];
} swBand;

// A mesh less opaque than this is skipped for sample i of a pixel and for the lights that the
// sample uses, so that the inside of a translucent body is visible and lit.
static inline swReal sw_sample_share(int samples, int i) {
    return fmod(0.5 / (samples * samples) + i * 0.61803398874989485, 1);
}

// Transforms a position to camera space: right, up, depth.
static inline swVec3 sw_stage_view(const swStage *s, swVec3 p) {
    p = sw_sub(p, s->def->camera.eye);
    return sw_v3(sw_dot(s->right, p), sw_dot(s->up, p), sw_dot(s->forward, p));
}

void sw_band_raster(const swStage *stage, swBand *band);
void sw_band_shade(const swStage *stage, swBand *band);
void sw_band_strokes(const swStage *stage, swBand *band);

bool sw_lights_create(swStage *stage, swPool *pool, swArena *arena, swError *error);
// The fraction of the light that reaches position p (relative to the scene's centre) with unit
// normal n.
float sw_light_reaches(const swLight *light, swVec3 p, swVec3 n, const swTaps *tap);
