// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What is seen where: triangles by homogeneous edge functions, which need no clipping (M. Olano,
// T. Greer, "Triangle scan conversion using 2D homogeneous coordinates", 1997), and strokes.
#include "render/stage.h"

bool sw_face_edges(const swStage *s, const swFace *face, swEdges *e) {
    const swStageMesh *mesh = &s->mesh[face->mesh];
    const int *i = mesh->draw->triangle + 3 * (size_t)face->triangle;
    swVec3 v[3] = {mesh->view[i[0]], mesh->view[i[1]], mesh->view[i[2]]};
    double det = sw_dot(v[0], sw_cross(v[1], v[2]));
    e->scale = 1 / fabs(det);
    if (!isfinite(e->scale))
        return false;
    for (int c = 0; c < 3; c++) {
        // Neighbours compute the same numbers with the other sign: no sample falls between them.
        swVec3 n = sw_scale(det < 0 ? -1 : 1, sw_cross(v[(c + 1) % 3], v[(c + 2) % 3]));
        double x = n.x * s->k, y = n.y * s->k;
        e->edge[c] = sw_v3(x, -y, n.z + (x * (0.5 - 0.5 * s->nx) + y * (0.5 * s->ny - 0.5)));
    }
    return true;
}

// Samples of a pixel that a mesh of this opacity covers, as bits.
static uint64_t coverage(int samples, swReal opacity) {
    int n = samples * samples;
    uint64_t mask = 0;
    for (int i = 0; i < n; i++)
        if (sw_sample_share(samples, i) < opacity)
            mask |= (uint64_t)1 << i;
    return mask;
}

// The part of row y between x0 and x1 where the edge function is not negative, with a sample to
// spare.
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
    if (!mask || !sw_face_edges(s, face, &e))
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

// A stroke on the image, in samples.
typedef struct Flat {
    double x, y, dx, dy, w, dw; // start, and from start to end; w is 1 / depth
    double half;                // of its width
    swVec3 color;
} Flat;

static bool flatten(const swStage *s, const swStroke *stroke, Flat *flat) {
    if (!sw_finite3(stroke->a) || !sw_finite3(stroke->b) || !(stroke->width > 0))
        return false;
    swVec3 p[2] = {sw_stage_view(s, stroke->a), sw_stage_view(s, stroke->b)};
    if (p[0].z < s->near && p[1].z < s->near)
        return false;
    for (int i = 0; i < 2; i++)
        if (p[i].z < s->near) { // cut where it passes the camera
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

// Samples of the row at height y that may be within the stroke.
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

// Strokes look like thin round rods under the key light.
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
            // The rod's axis, brought nearer by its radius.
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
