// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Lights and their shadow maps: orthographic depth images of the drawing, as seen from each light.
#include "render/stage.h"

// The least number of lights of each kind over all samples of a pixel, and the sides of their maps.
enum { KEYS = 9, SKIES = 18, KEY_SIDE = 740, SKY_SIDE = 250, MARGIN = 3 };

#define GOLDEN_ANGLE 2.39996322972865332

static void frame(swVec3 n, swVec3 *u, swVec3 *v) {
    swVec3 a = fabs(n.y) < 0.9 ? sw_v3(0, 1, 0) : sw_v3(1, 0, 0);
    *u = sw_unit(sw_cross(a, n));
    *v = sw_cross(n, *u);
}

// Chooses directions on a disc around the key light and over the upper half of the sky, both along
// golden spirals. The lights of each sample are spread over the whole of it.
static void aim(swStage *s) {
    int count = s->def->samples * s->def->samples;
    int nkey = s->nkey * count, nsky = s->nsky * count;
    swVec3 u, v;
    frame(s->light, &u, &v);
    double wide = tan(sw_clamp(s->def->light_radius, 0, 1));
    for (int i = 0; i < nkey; i++) {
        swLight *light = &s->key[i % count * s->nkey + i / count];
        double r = wide * sqrt((i + 0.5) / nkey), angle = i * GOLDEN_ANGLE;
        light->towards = sw_unit(sw_madd(sw_madd(s->light, r * cos(angle), u), r * sin(angle), v));
        light->radius = 1.2 * wide / sqrt(nkey);
    }
    for (int i = 0; i < nsky; i++) {
        swLight *light = &s->sky[i % count * s->nsky + i / count];
        double height = 0.06 + 0.94 * (i + 0.5) / nsky, across = sqrt(1 - height * height);
        double angle = i * GOLDEN_ANGLE;
        light->towards = sw_v3(across * cos(angle), height, across * sin(angle));
        light->radius = sqrt(2.0 / nsky);
        light->sky = true;
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < SW_LIGHT_TAPS; k++) {
            // The points of one sample fill the disc, and so do those of all samples together. For
            // the sky they are denser towards the middle.
            double r = sqrt(fmod((k + 0.5) * 0.61803398874989485 + (i + 0.5) / count, 1));
            double angle = (k * count + i) * GOLDEN_ANGLE;
            for (int sky = 0; sky < 2; sky++, r *= r) {
                s->tap[i].point[sky][k][0] = (float)(r * cos(angle));
                s->tap[i].point[sky][k][1] = (float)(r * sin(angle));
            }
        }
}

// Fits the map to the bounding box of what casts shadows.
static void fit(const swStage *s, swLight *light) {
    swVec3 row[3] = {{0, 0, 0}, {0, 0, 0}, light->towards};
    frame(light->towards, &row[0], &row[1]);
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 8; i++) {
        swVec3 corner =
            sw_v3(i & 1 ? s->hi.x : s->lo.x, i & 2 ? s->hi.y : s->lo.y, i & 4 ? s->hi.z : s->lo.z);
        for (int k = 0; k < 3; k++) {
            double at = sw_dot(row[k], sw_sub(corner, s->center));
            lo[k] = sw_min(lo[k], at);
            hi[k] = sw_max(hi[k], at);
        }
    }
    double size = sw_max(sw_max(hi[0] - lo[0], hi[1] - lo[1]), 1e-6 * s->radius);
    double scale = (light->side - 2 * MARGIN) / size;
    double depth = SW_LIGHT_DEPTHS / sw_max(hi[2] - lo[2], 1e-6 * s->radius);
    float *out[3] = {light->s, light->t, light->d};
    for (int k = 0; k < 3; k++) {
        double by = k < 2 ? scale : depth, from = k < 2 ? MARGIN - 0.5 : 1;
        swVec3 r = sw_scale(by, row[k]);
        out[k][0] = (float)r.x, out[k][1] = (float)r.y, out[k][2] = (float)r.z;
        out[k][3] = (float)(from - by * lo[k]);
    }
    light->texel = (float)(1 / scale);
    light->slope = (float)((depth / scale) * (depth / scale));
    light->spread = (float)(tan(light->radius) * scale / depth);
    light->steepest = (float)(0.2 * depth);
}

static void draw_triangle(swLight *light, float p[3][3]) {
    float s[3], t[3], d[3];
    for (int c = 0; c < 3; c++) {
        const float *x = p[c], *a = light->s, *b = light->t, *e = light->d;
        s[c] = a[0] * x[0] + a[1] * x[1] + a[2] * x[2] + a[3];
        t[c] = b[0] * x[0] + b[1] * x[1] + b[2] * x[2] + b[3];
        d[c] = e[0] * x[0] + e[1] * x[1] + e[2] * x[2] + e[3];
    }
    float ax = s[1] - s[0], ay = t[1] - t[0], bx = s[2] - s[0], by = t[2] - t[0];
    float area = ax * by - ay * bx;
    if (!(fabsf(area) > 1e-9f))
        return;
    float ds = ((d[1] - d[0]) * by - (d[2] - d[0]) * ay) / area;
    float dt = ((d[2] - d[0]) * ax - (d[1] - d[0]) * bx) / area;
    float lo = fminf(d[0], fminf(d[1], d[2])), hi = fmaxf(d[0], fmaxf(d[1], d[2]));
    int i0 = sw_max_int(0, (int)ceilf(fminf(s[0], fminf(s[1], s[2]))));
    int j0 = sw_max_int(0, (int)ceilf(fminf(t[0], fminf(t[1], t[2]))));
    int i1 = sw_min_int(light->side - 1, (int)floorf(fmaxf(s[0], fmaxf(s[1], s[2]))));
    int j1 = sw_min_int(light->side - 1, (int)floorf(fmaxf(t[0], fmaxf(t[1], t[2]))));
    float sign = area > 0 ? 1.0f : -1.0f;
    float slack = 1e-3f * (fabsf(ax) + fabsf(ay) + fabsf(bx) + fabsf(by)); // avoids cracks
    ax *= sign, ay *= sign, bx *= sign, by *= sign, area *= sign;
    for (int j = j0; j <= j1; j++) {
        uint16_t *row = light->depth + j * light->side;
        float y = (float)j - t[0];
        for (int i = i0; i <= i1; i++) {
            float x = (float)i - s[0];
            float u = x * by - y * bx, v = ax * y - ay * x; // barycentric, times area
            if (u < -slack || v < -slack || u + v > area + slack)
                continue;
            float depth = fminf(fmaxf(d[0] + ds * x + dt * y, lo), hi);
            if (depth > (float)row[i])
                row[i] = (uint16_t)depth;
        }
    }
}

static void draw_maps(int start, int end, int worker, void *arg) {
    (void)worker;
    const swStage *s = arg;
    int nkey = s->nkey * s->def->samples * s->def->samples;
    for (int i = start; i < end; i++) {
        swLight *light = i < nkey ? &s->key[i] : &s->sky[i - nkey];
        int sample = i < nkey ? i / s->nkey : (i - nkey) / s->nsky;
        swReal share = sw_sample_share(s->def->samples, sample);
        fit(s, light);
        for (int c = 0; c < s->ncaster; c++)
            if (s->caster[c].opacity > share)
                draw_triangle(light, s->caster[c].x);
    }
}

static swLight *make_lights(int n, int side, swArena *arena, swError *error) {
    size_t texels = (size_t)side * (size_t)side;
    swLight *light = SW_NEW(arena, n, swLight, error);
    uint16_t *depth = SW_NEW(arena, (size_t)n * texels, uint16_t, error);
    for (int i = 0; i < n && light && depth; i++) {
        light[i].side = side;
        light[i].depth = depth + (size_t)i * texels;
    }
    return depth ? light : NULL;
}

bool sw_lights_create(swStage *s, swPool *pool, swArena *arena, swError *error) {
    int count = s->def->samples * s->def->samples;
    s->nkey = (KEYS + count - 1) / count;
    s->nsky = (SKIES + count - 1) / count;
    s->key = make_lights(s->nkey * count, KEY_SIDE, arena, error);
    s->sky = make_lights(s->nsky * count, SKY_SIDE, arena, error);
    s->tap = SW_NEW(arena, count, swTaps, error);
    if (!s->key || !s->sky || !s->tap)
        return false;
    aim(s);
    sw_parallel_for(pool, (s->nkey + s->nsky) * count, 1, draw_maps, s);
    return true;
}

// Unlike fmaxf(), this is one instruction.
static inline float max_of(float a, float b) { return a > b ? a : b; }

// The receiver's plane, and how far above it the nearest caster is at (s + u, t + v).
typedef struct Plane {
    float s, t, d, ds, dt;
} Plane;
static inline float height_at(const swLight *light, const Plane *plane, float u, float v) {
    int last = light->side - 1; // the border is empty
    int i = (int)(plane->s + u), j = (int)(plane->t + v);
    i = i < 0 ? 0 : i > last ? last : i;
    j = j < 0 ? 0 : j > last ? last : j;
    float depth = light->depth[j * light->side + i];
    return depth - max_of(plane->d + plane->ds * u + plane->dt * v, 0);
}

// The fraction of the points around the plane's origin that are in shadow.
static float hidden_share(const swLight *light, const Plane *plane, const float (*point)[2],
                          float radius) {
    int hidden = 0;
    for (int i = 0; i < SW_LIGHT_TAPS; i++)
        hidden += height_at(light, plane, radius * point[i][0], radius * point[i][1]) > 0;
    return (float)hidden / SW_LIGHT_TAPS;
}

// Points around p are compared with the plane through p, so that a surface does not shadow itself.
float sw_light_reaches(const swLight *light, swVec3 p, swVec3 n, const swTaps *tap) {
    float x[3] = {(float)p.x, (float)p.y, (float)p.z}, y[3] = {(float)n.x, (float)n.y, (float)n.z};
    float at[3], along[3];
    const float *row[3] = {light->s, light->t, light->d};
    for (int k = 0; k < 3; k++) {
        along[k] = row[k][0] * y[0] + row[k][1] * y[1] + row[k][2] * y[2];
        at[k] = row[k][0] * x[0] + row[k][1] * x[1] + row[k][2] * x[2] + row[k][3] +
                1.5f * light->texel * along[k];
    }
    float radius = max_of(light->spread * (SW_LIGHT_DEPTHS - max_of(at[2], 0)), 1);
    float low = -radius, high = (float)light->side + radius;
    if (!(at[0] > low && at[1] > low && at[0] < high && at[1] < high))
        return 1; // outside everything that casts shadows
    float tilt = -light->slope / max_of(along[2], light->steepest);
    Plane plane = {at[0] + 0.5f, at[1] + 0.5f, at[2], tilt * along[0], tilt * along[1]};
    const float(*point)[2] = tap->point[light->sky];
    if (light->sky)
        return 1 - hidden_share(light, &plane, point, radius);
    // Percentage-closer soft shadows (R. Fernando, 2005): the distance of the casters determines
    // the radius of the lookup.
    float sum = 0;
    int count = 0;
    for (int i = 0; i < SW_LIGHT_TAPS; i++) {
        float above = height_at(light, &plane, radius * point[i][0], radius * point[i][1]);
        sum += max_of(above, 0);
        count += above > 0;
    }
    if (count == 0)
        return 1;
    return 1 - hidden_share(light, &plane, point, max_of(light->spread * sum / (float)count, 1));
}
