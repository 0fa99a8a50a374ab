// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Light on surfaces and on the ground.
#include "render/stage.h"

enum { TILE = 32 }; // pixels

static const swVec3 sky_tint = {0.95, 0.98, 1.05}, key_tint = {1.03, 1.0, 0.95};
static const swVec3 bounce_tint = {1.02, 1.0, 0.97};

static swVec3 times(swVec3 a, swVec3 b) { return sw_v3(a.x * b.x, a.y * b.y, a.z * b.z); }

static double smooth(double lo, double hi, double x) {
    x = sw_clamp((x - lo) / (hi - lo), 0, 1);
    return x * x * (3 - 2 * x);
}

// Bends what is too bright towards 1 instead of cutting it.
static float tone(double x) {
    const double knee = 0.6;
    return (float)(x < knee ? x : knee + (1 - knee) * (1 - exp((knee - x) / (1 - knee))));
}

static void store(float out[3], swVec3 c) {
    out[0] = (float)c.x, out[1] = (float)c.y, out[2] = (float)c.z;
}

// Shares of the key light and of the sky that reach a place with this normal. Every sample of a
// pixel asks its own few lights, so that the pixel's average asks them all.
static void visible(const swStage *s, int sample, swVec3 p, swVec3 n, double *key, double *sky) {
    const swTaps *tap = &s->tap[sample];
    const swLight *light = s->key + sample * s->nkey;
    double sum = 0, weight = 0;
    bool faces = sw_dot(n, s->light) > 0;
    for (int i = 0; i < s->nkey && faces; i++)
        sum += sw_light_reaches(&light[i], p, n, tap);
    *key = sum / s->nkey;
    light = s->sky + sample * s->nsky;
    sum = 0;
    for (int i = 0; i < s->nsky; i++) {
        double c = sw_dot(n, light[i].towards);
        if (c > 0) {
            weight += c;
            sum += c * sw_light_reaches(&light[i], p, n, tap);
        }
    }
    // Relative to what is above the surface: without any occlusion the result is exactly 1.
    *sky = weight > 0 ? sum / weight : 1;
}

// ---- surfaces ----

// A face made ready for many samples.
typedef struct Patch {
    int face;
    swEdges e;
    swVec3 p[3], n[3], color[3]; // places from the scene's centre
} Patch;

static void load(const swStage *s, int f, Patch *patch) {
    const swFace *face = &s->face[f];
    const swStageMesh *mesh = &s->mesh[face->mesh];
    const int *v = mesh->draw->triangle + 3 * (size_t)face->triangle;
    patch->face = f;
    sw_face_edges(s, face, &patch->e);
    for (int c = 0; c < 3; c++)
        patch->p[c] = sw_sub(mesh->draw->x[v[c]], s->center);
    swVec3 flat =
        sw_unit(sw_cross(sw_sub(patch->p[1], patch->p[0]), sw_sub(patch->p[2], patch->p[0])));
    swVec3 eye = sw_sub(s->def->camera.eye, s->center);
    double side = sw_dot(flat, sw_sub(eye, patch->p[0])) < 0 ? -1 : 1; // seen from behind
    for (int c = 0; c < 3; c++) {
        const float *n = mesh->normal[3 * (size_t)face->triangle + (size_t)c];
        const float *color = mesh->color ? mesh->color[v[c]] : NULL;
        swVec3 normal = sw_v3(n[0], n[1], n[2]);
        patch->n[c] = sw_scale(side, sw_norm2(normal) > 0 ? normal : flat);
        patch->color[c] = color ? sw_v3(color[0], color[1], color[2]) : mesh->paint;
    }
}

static swVec3 diffuse_light(const swStage *s, swVec3 p, swVec3 n, double key, double sky) {
    const swRender *def = s->def;
    // Light from below is what the ground throws back; less of it near the ground.
    double height = sw_max(0, p.y + s->center.y - def->ground_height) / s->size;
    double open = def->ground ? height / (height + 0.12) : 1;
    double below = 0.45 * open * (0.5 - 0.5 * n.y) * (0.4 + 0.6 * sky);
    double above = sky * (0.5 + 0.5 * n.y);
    double beside = 0.35 * sky * sw_max(0, 0.3 + 0.7 * sw_dot(n, s->fill));
    swVec3 light = sw_scale(def->key * key * sw_max(0, sw_dot(n, s->light)), key_tint);
    light = sw_madd(light, def->sky * (above + beside), sky_tint);
    return sw_madd(light, def->sky * below, bounce_tint);
}

// A gentle highlight, and the sky at grazing angles.
static double mirrored_light(const swStage *s, swVec3 n, swVec3 view, double key, double sky) {
    double nl = sw_max(0, sw_dot(n, s->light));
    double nh = sw_max(0, sw_dot(n, sw_unit(sw_add(s->light, view))));
    double rim = 1 - sw_max(0, sw_dot(n, view));
    rim *= rim;
    return 0.26 * s->def->key * key * nl * pow(nh, 56) +
           0.16 * s->def->sky * sky * rim * rim * (0.6 + 0.4 * n.y);
}

static swVec3 mix3(const double b[3], const swVec3 v[3]) {
    return sw_madd(sw_madd(sw_scale(b[0], v[0]), b[1], v[1]), b[2], v[2]);
}

static void shade_surface(const swStage *s, const Patch *patch, int x, int y, int sample,
                          float out[3]) {
    double b[3], sum = 0;
    for (int c = 0; c < 3; c++)
        sum += b[c] = patch->e.edge[c].x * x + (patch->e.edge[c].y * y + patch->e.edge[c].z);
    for (int c = 0; c < 3; c++)
        b[c] /= sum;
    swVec3 n = sw_unit(mix3(b, patch->n)), albedo = mix3(b, patch->color), p = mix3(b, patch->p);
    // Shadows are asked for on the smooth surface the normals stand for, not on the flat triangle
    // (J. Hanika, "Hacking the shadow terminator", 2021).
    swVec3 lifted = p;
    for (int c = 0; c < 3; c++) {
        double depth = sw_dot(sw_sub(p, patch->p[c]), patch->n[c]);
        lifted = sw_madd(lifted, -b[c] * sw_min(0, depth), patch->n[c]);
    }
    double key, sky;
    visible(s, sample, lifted, n, &key, &sky);
    swVec3 view = sw_unit(sw_sub(sw_sub(s->def->camera.eye, s->center), p));
    swVec3 c = times(albedo, diffuse_light(s, p, n, key, sky));
    double shine = mirrored_light(s, n, view, key, sky);
    out[0] = tone(c.x + shine), out[1] = tone(c.y + shine), out[2] = tone(c.z + shine);
}

// ---- ground and background ----

// How much of a pixel `wide` across lies on a grid line; lines never get much thinner than a pixel.
static double grid_line(double at, double wide, double spacing) {
    double line = sw_max(0.012 * spacing, 0.7 * wide);
    double d = fabs(at - spacing * round(at / spacing));
    double cover = sw_clamp((0.5 * (line + wide) - d) / wide, 0, sw_min(1, line / wide));
    return cover * (1 - smooth(0.15 * spacing, 0.5 * spacing, wide));
}

// The ground where ray d (d . forward = 1) meets it at `depth`.
static swVec3 shade_ground(const swStage *s, swVec3 d, double depth, int sample, swVec3 behind) {
    const swRender *def = s->def;
    swVec3 p = sw_madd(sw_sub(def->camera.eye, s->center), depth, d);
    swVec3 away = sw_sub(sw_add(p, s->center), def->camera.target);
    double fade = 1 - smooth(2, 8, sqrt(away.x * away.x + away.z * away.z) / s->size);
    swVec3 base = sw_lerp(behind, s->ground, fade);
    if (s->grid > 0 && fade > 0) {
        // Size of a pixel on the ground along x and z.
        double pixel = s->k * def->samples * depth;
        double wx = pixel * (fabs(s->right.x) + fabs(s->up.x - d.x * s->up.y / d.y));
        double wz = pixel * (fabs(s->right.z) + fabs(s->up.z - d.z * s->up.y / d.y));
        double gx = grid_line(p.x + s->center.x, wx, s->grid);
        double gz = grid_line(p.z + s->center.z, wz, s->grid);
        base = sw_scale(1 - 0.16 * fade * sw_max(gx, gz), base);
    }
    double key, sky, up = sw_max(s->light.y, 0);
    visible(s, sample, p, sw_v3(0, 1, 0), &key, &sky);
    // Relative to the ground in full light, whose colour is given.
    double full = def->key * up + def->sky;
    double light = full > 0 ? (def->key * up * key + def->sky * sky) / full : 1;
    return sw_scale(light, base);
}

static void shade_sample(const swStage *s, swBand *band, int x, int y, Patch *patch) {
    const swRender *def = s->def;
    int n = def->samples, sample = y % n * n + x % n;
    size_t at = (size_t)(y - band->y0) * (size_t)s->nx + (size_t)x;
    swVec3 behind = sw_lerp(s->top, s->bottom, (y + 0.5) / s->ny);
    swVec3 d = sw_madd(s->forward, s->k * (0.5 * s->ny - y - 0.5), s->up);
    d = sw_madd(d, s->k * (x + 0.5 - 0.5 * s->nx), s->right);
    double above = def->camera.eye.y - def->ground_height;
    double w = def->ground && above > 0 ? -d.y / above : 0; // of the ground
    if (w > band->w[at]) {
        band->w[at] = (float)w;
        store(band->color[at], shade_ground(s, d, 1 / w, sample, behind));
    } else if (band->face[at] >= 0) {
        if (band->face[at] != patch->face)
            load(s, band->face[at], patch);
        shade_surface(s, patch, x, y, sample, band->color[at]);
    } else
        store(band->color[at], behind);
}

void sw_band_shade(const swStage *s, swBand *band) {
    int n = s->def->samples;
    Patch patch = {.face = -1};
    // A tile's samples of one kind after the other: they ask the same few lights, whose shadow maps
    // stay in the cache.
    for (int tile = 0; tile < s->nx; tile += TILE * n)
        for (int sample = 0; sample < n * n; sample++)
            for (int y = band->y0 + sample / n; y < band->y0 + band->rows; y += n)
                for (int x = tile + sample % n; x < sw_min_int(tile + TILE * n, s->nx); x += n)
                    shade_sample(s, band, x, y, &patch);
}
