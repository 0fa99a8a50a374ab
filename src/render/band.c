// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A band of the picture: visibility and shading. Triangles are rasterised by homogeneous edge
// functions, which need no clipping (M. Olano, T. Greer, "Triangle scan conversion using 2D
// homogeneous coordinates", 1997); strokes are added last.
#include "render/stage.h"

// Barycentric coordinates as linear functions of the sample position (x, y): dot(edge[i], (x, y,
// 1)) is proportional to coordinate i over depth. This also works for triangles that reach behind
// the camera.
typedef struct swEdges {
    swVec3 edge[3];
    swReal scale; // the sum of the three times scale is 1 / depth
} swEdges;

// Returns false if the triangle has no area.
static bool face_edges(const swStage *s, const swFace *face, swEdges *e) {
    const swStageMesh *mesh = &s->mesh[face->mesh];
    const int *i = mesh->draw->triangle + 3 * (size_t)face->triangle;
    swVec3 v[3] = {mesh->view[i[0]], mesh->view[i[1]], mesh->view[i[2]]};
    double det = sw_dot(v[0], sw_cross(v[1], v[2]));
    e->scale = 1 / fabs(det);
    if (!isfinite(e->scale))
        return false;
    for (int c = 0; c < 3; c++) {
        // Neighbouring triangles compute the same numbers with opposite signs, so that no sample
        // falls between them.
        swVec3 n = sw_scale(det < 0 ? -1 : 1, sw_cross(v[(c + 1) % 3], v[(c + 2) % 3]));
        double x = n.x * s->k, y = n.y * s->k;
        e->edge[c] = sw_v3(x, -y, n.z + (x * (0.5 - 0.5 * s->nx) + y * (0.5 * s->ny - 0.5)));
    }
    return true;
}

// The samples of a pixel that a mesh of this opacity covers, as a bit mask.
static uint64_t coverage(int samples, swReal opacity) {
    int n = samples * samples;
    uint64_t mask = 0;
    for (int i = 0; i < n; i++)
        if (sw_sample_share(samples, i) < opacity)
            mask |= (uint64_t)1 << i;
    return mask;
}

// Narrows x0 .. x1 to the part of row y where the edge function is not negative, with a margin of
// one sample.
static void narrow(swVec3 edge, double y, int *x0, int *x1) {
    double r = edge.y * y + edge.z;
    if (edge.x == 0)
        return;
    double at = sw_clamp(-r / edge.x, *x0 - 1, *x1 + 1);
    if (edge.x > 0)
        *x0 = sw_max_int(*x0, (int)at - 1);
    else
        *x1 = sw_min_int(*x1, (int)at + 2);
}

static void raster_face(const swStage *s, swBand *band, int f) {
    const swFace *face = &s->face[f];
    int n = s->def->samples;
    swReal opacity = s->mesh[face->mesh].draw->opacity, nearest = 1 / s->near;
    uint64_t mask = opacity < 1 ? coverage(n, opacity) : ~(uint64_t)0;
    swEdges e;
    if (!mask || !face_edges(s, face, &e))
        return;
    int y0 = sw_max_int(face->y0, band->y0), y1 = sw_min_int(face->y1, band->y0 + band->rows);
    for (int y = y0; y < y1; y++) {
        int x0 = face->x0, x1 = face->x1;
        double r[3];
        for (int c = 0; c < 3; c++) {
            r[c] = e.edge[c].y * y + e.edge[c].z;
            if (x1 - x0 > 8)
                narrow(e.edge[c], y, &x0, &x1);
        }
        size_t row = (size_t)(y - band->y0) * (size_t)s->nx;
        for (int x = x0; x < x1; x++) {
            double a = e.edge[0].x * x + r[0], b = e.edge[1].x * x + r[1];
            double c = e.edge[2].x * x + r[2];
            if (!(a >= 0 && b >= 0 && c >= 0))
                continue;
            double w = (a + b + c) * e.scale;
            if (w > band->w[row + (size_t)x] && w <= nearest && mask >> (y % n * n + x % n) & 1) {
                band->w[row + (size_t)x] = (float)w;
                band->face[row + (size_t)x] = f;
            }
        }
    }
}

void sw_band_raster(const swStage *s, swBand *band) {
    for (int f = 0; f < s->nface; f++)
        if (s->face[f].y0 < band->y0 + band->rows && s->face[f].y1 > band->y0)
            raster_face(s, band, f);
}

// ---- strokes ----

// A stroke projected to the image, in samples.
typedef struct Flat {
    double x, y, dx, dy, w, dw; // start, and vector from start to end; w is 1 / depth
    double half;                // half its width
    swVec3 color;
} Flat;

static bool flatten(const swStage *s, const swStroke *stroke, Flat *flat) {
    if (!sw_finite3(stroke->a) || !sw_finite3(stroke->b) || !(stroke->width > 0))
        return false;
    swVec3 p[2] = {sw_stage_view(s, stroke->a), sw_stage_view(s, stroke->b)};
    if (p[0].z < s->near && p[1].z < s->near)
        return false;
    for (int i = 0; i < 2; i++)
        if (p[i].z < s->near) { // clip it at the near plane
            p[i] = sw_lerp(p[i], p[!i], (s->near - p[i].z) / (p[!i].z - p[i].z));
            p[i].z = s->near;
        }
    double x[2], y[2];
    for (int i = 0; i < 2; i++) {
        x[i] = 0.5 * s->nx + p[i].x / (s->k * p[i].z);
        y[i] = 0.5 * s->ny - p[i].y / (s->k * p[i].z);
    }
    *flat = (Flat){.x = x[0], .y = y[0], .dx = x[1] - x[0], .dy = y[1] - y[0]};
    flat->w = 1 / p[0].z;
    flat->dw = 1 / p[1].z - 1 / p[0].z;
    flat->half = sw_min(0.5 * stroke->width, 1e4) * s->def->samples;
    flat->color = sw_color_linear(stroke->color);
    return isfinite(flat->dx) && isfinite(flat->dy) && isfinite(flat->dw);
}

// The samples of the row at height y that may lie within the stroke.
static void row_range(const Flat *f, double y, int nx, int *i0, int *i1) {
    double t0 = 0, t1 = 1;
    if (fabs(f->dy) > f->half) {
        double a = (y - f->half - f->y) / f->dy, b = (y + f->half - f->y) / f->dy;
        t0 = sw_clamp(sw_min(a, b), 0, 1);
        t1 = sw_clamp(sw_max(a, b), 0, 1);
    }
    double a = f->x + t0 * f->dx, b = f->x + t1 * f->dx;
    *i0 = (int)sw_clamp(sw_min(a, b) - f->half, 0, nx);
    *i1 = (int)sw_clamp(sw_max(a, b) + f->half + 1, 0, nx);
}

// Shades strokes like thin round rods under the key light.
static void draw_stroke(const swStage *s, swBand *band, const Flat *f, swReal ghost) {
    double y0 = sw_min(f->y, f->y + f->dy) - f->half, y1 = sw_max(f->y, f->y + f->dy) + f->half;
    double length2 = f->dx * f->dx + f->dy * f->dy;
    double lx = sw_dot(s->light, s->right), ly = sw_dot(s->light, s->up);
    double lz = -sw_dot(s->light, s->forward);
    int j0 = (int)sw_clamp(y0, band->y0, band->y0 + band->rows);
    int j1 = (int)sw_clamp(y1 + 1, band->y0, band->y0 + band->rows);
    for (int j = j0; j < j1; j++) {
        int i0, i1;
        row_range(f, j + 0.5, s->nx, &i0, &i1);
        for (int i = i0; i < i1; i++) {
            double px = i + 0.5 - f->x, py = j + 0.5 - f->y;
            double t = length2 > 0 ? sw_clamp((px * f->dx + py * f->dy) / length2, 0, 1) : 0;
            double nx = (px - t * f->dx) / f->half, ny = (t * f->dy - py) / f->half;
            double r2 = nx * nx + ny * ny;
            if (!(r2 <= 1))
                continue;
            // The axis of the rod, moved nearer by its radius.
            double w = f->w + t * f->dw, nz = sqrt(1 - r2);
            w /= sw_max(1 - nz * f->half * s->k, 0.5);
            size_t at = (size_t)(j - band->y0) * (size_t)s->nx + (size_t)i;
            bool hidden = w < band->w[at];
            double mix = hidden ? ghost : 1;
            double shade = 0.72 + 0.38 * sw_max(0, nx * lx + ny * ly + nz * lz);
            const double c[3] = {f->color.x, f->color.y, f->color.z};
            for (int k = 0; k < 3; k++)
                band->color[at][k] += (float)(mix * (shade * c[k] - band->color[at][k]));
            if (!hidden)
                band->w[at] = (float)w;
        }
    }
}

void sw_band_strokes(const swStage *s, swBand *band) {
    for (int i = 0; i < s->drawing->strokes.count; i++) {
        const swStroke *stroke = &s->drawing->strokes.item[i];
        Flat flat;
        if (flatten(s, stroke, &flat))
            draw_stroke(s, band, &flat, sw_clamp(stroke->ghost, 0, 1));
    }
}

// ---- light on surfaces and on the ground ----

enum { TILE = 32 }; // in pixels

static const swVec3 sky_tint = {0.95, 0.98, 1.05}, key_tint = {1.03, 1.0, 0.95};
static const swVec3 bounce_tint = {1.02, 1.0, 0.97};

static swVec3 times(swVec3 a, swVec3 b) { return sw_v3(a.x * b.x, a.y * b.y, a.z * b.z); }

static double smooth(double lo, double hi, double x) {
    x = sw_clamp((x - lo) / (hi - lo), 0, 1);
    return x * x * (3 - 2 * x);
}

// Compresses bright values towards 1 instead of clipping them.
static float tone(double x) {
    const double knee = 0.6;
    return (float)(x < knee ? x : knee + (1 - knee) * (1 - exp((knee - x) / (1 - knee))));
}

static void store(float out[3], swVec3 c) {
    out[0] = (float)c.x, out[1] = (float)c.y, out[2] = (float)c.z;
}

// The fractions of the key light and of the sky that reach a position with this normal. Every
// sample of a pixel uses a few lights of its own, so that the average over the pixel uses them all.
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
    // Relative to the lights above the surface: without occlusion the result is exactly 1.
    *sky = weight > 0 ? sum / weight : 1;
}

// ---- surfaces ----

// A face prepared for shading many samples.
typedef struct Patch {
    int face;
    swEdges e;
    swVec3 p[3], n[3], color[3]; // positions relative to the scene's centre
} Patch;

static void load(const swStage *s, int f, Patch *patch) {
    const swFace *face = &s->face[f];
    const swStageMesh *mesh = &s->mesh[face->mesh];
    const int *v = mesh->draw->triangle + 3 * (size_t)face->triangle;
    patch->face = f;
    face_edges(s, face, &patch->e);
    for (int c = 0; c < 3; c++)
        patch->p[c] = sw_sub(mesh->draw->x[v[c]], s->center);
    swVec3 flat =
        sw_unit(sw_cross(sw_sub(patch->p[1], patch->p[0]), sw_sub(patch->p[2], patch->p[0])));
    swVec3 eye = sw_sub(s->def->camera.eye, s->center);
    double side = sw_dot(flat, sw_sub(eye, patch->p[0])) < 0 ? -1 : 1; // -1: seen from behind
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
    // Light from below is reflected by the ground; there is less of it near the ground.
    double height = sw_max(0, p.y + s->center.y - def->ground_height) / s->size;
    double open = def->ground ? height / (height + 0.12) : 1;
    double below = 0.45 * open * (0.5 - 0.5 * n.y) * (0.4 + 0.6 * sky);
    double above = sky * (0.5 + 0.5 * n.y);
    double beside = 0.35 * sky * sw_max(0, 0.3 + 0.7 * sw_dot(n, s->fill));
    swVec3 light = sw_scale(def->key * key * sw_max(0, sw_dot(n, s->light)), key_tint);
    light = sw_madd(light, def->sky * (above + beside), sky_tint);
    return sw_madd(light, def->sky * below, bounce_tint);
}

// A soft highlight, and the reflection of the sky at grazing angles.
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
    // Shadows are evaluated on the smooth surface that the normals describe, not on the flat
    // triangle (J. Hanika, "Hacking the shadow terminator", 2021).
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

// The fraction of a pixel of width `wide` that a grid line covers. Lines never get much thinner
// than a pixel.
static double grid_line(double at, double wide, double spacing) {
    double line = sw_max(0.012 * spacing, 0.7 * wide);
    double d = fabs(at - spacing * round(at / spacing));
    double cover = sw_clamp((0.5 * (line + wide) - d) / wide, 0, sw_min(1, line / wide));
    return cover * (1 - smooth(0.15 * spacing, 0.5 * spacing, wide));
}

// Shades the ground where the ray d (d . forward = 1) hits it at `depth`.
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
    double w = def->ground && above > 0 ? -d.y / above : 0; // 1 / depth of the ground
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
    // Shades samples with the same index one after the other in each tile: they use the same few
    // lights, whose shadow maps stay in the cache.
    for (int tile = 0; tile < s->nx; tile += TILE * n)
        for (int sample = 0; sample < n * n; sample++)
            for (int y = band->y0 + sample / n; y < band->y0 + band->rows; y += n)
                for (int x = tile + sample % n; x < sw_min_int(tile + TILE * n, s->nx); x += n)
                    shade_sample(s, band, x, y, &patch);
}
