// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the passes of the renderer share. A render goes: prepare meshes and faces, draw one shadow
// map per light, then band by band of the image: visibility, shading, strokes, average of samples.
#pragma once

#include "render/render.h"

enum { SW_LIGHT_DEPTHS = 65500, SW_LIGHT_TAPS = 12 };

// A cone of directional light with its shadow map. The key light and the sky are both made of many
// of them, so that soft shadows and occlusion come from one mechanism without noise.
typedef struct swLight {
    swVec3 towards;
    swReal radius;          // of the cone [rad]
    bool sky;               // else key
    float s[4], t[4], d[4]; // rows of the map from a place to texels and depth
    float texel;            // its size
    float slope;            // (depths per length / texels per length)^2
    float spread;           // the shadow's blur in texels per depth between it and its caster
    float steepest;         // the least normal . d allowed, where a surface is seen edge on
    int side;               // texels
    uint16_t *depth;        // of what is nearest to the light, growing towards it; 0: nothing
} swLight;

// Where a sample looks around itself in a shadow map: points of the unit disc, for key and sky.
typedef struct swTaps {
    float point[2][SW_LIGHT_TAPS][2];
} swTaps;

typedef struct swStageMesh {
    const swDrawMesh *draw;
    swVec3 *view;       // vertices in the camera's space: right, up, depth
    float (*normal)[3]; // of each triangle's corners
    float (*color)[3];  // linear, per vertex; NULL: paint
    swVec3 paint;       // linear
} swStageMesh;

// A triangle that may be seen, with the samples it can cover: x0 <= x < x1, y0 <= y < y1.
typedef struct swFace {
    int mesh, triangle;
    int x0, y0, x1, y1;
} swFace;

// A triangle that throws a shadow, from the scene's centre.
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
    swReal k;    // a sample's size at depth 1
    swReal near; // nothing nearer is drawn
    swReal size; // half the height seen at the target: does not change while bodies move
    int nx, ny;  // samples
    // scene
    swVec3 lo, hi, center; // bounds of what throws shadows
    swReal radius;
    swReal grid;                // distance of lines on the ground, or negative
    swVec3 top, bottom, ground; // linear colours
    swVec3 light, fill; // unit directions to the key light and to a weak one beside the camera
    // lights: sample i of a pixel asks n of each kind from i n on
    int nkey, nsky; // for each sample
    swLight *key, *sky;
    swTaps *tap; // per sample
} swStage;

// Samples of a few rows of pixels.
typedef struct swBand {
    int y0, rows; // in samples
    float *w;     // 1 / depth; 0: nothing
    int *face;    // index, or -1
    float (*color)[3];
} swBand;

// A mesh less opaque than this is absent for sample i of a pixel and for the lights it asks: what
// is inside a translucent body is seen, and lit.
static inline swReal sw_sample_share(int samples, int i) {
    return fmod(0.5 / (samples * samples) + i * 0.61803398874989485, 1);
}

// The camera's space: right, up, depth.
static inline swVec3 sw_stage_view(const swStage *s, swVec3 p) {
    p = sw_sub(p, s->def->camera.eye);
    return sw_v3(sw_dot(s->right, p), sw_dot(s->up, p), sw_dot(s->forward, p));
}

void sw_band_raster(const swStage *stage, swBand *band);
void sw_band_shade(const swStage *stage, swBand *band);
void sw_band_strokes(const swStage *stage, swBand *band);

bool sw_lights_create(swStage *stage, swPool *pool, swArena *arena, swError *error);
// Share of the light that reaches place p (from the scene's centre) with unit normal n.
float sw_light_reaches(const swLight *light, swVec3 p, swVec3 n, const swTaps *tap);
