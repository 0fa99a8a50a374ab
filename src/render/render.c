// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "render/stage.h"

enum { ROWS = 8 }; // pixels per band

swRender sw_default_render(void) {
    return (swRender){
        .width = 640,
        .height = 480,
        .samples = 3,
        .camera = {{2, 1.6, 4}, {0, 0, 0}, {0, 1, 0}, 30 * SW_PI / 180},
        .top = {0.80f, 0.85f, 0.91f},
        .bottom = {0.95f, 0.955f, 0.965f},
        .light = {-0.55, 1, 0.5},
        .light_radius = 0.12,
        .key = 1.1,
        .sky = 0.5,
        .ground = true,
        .ground_color = {0.93f, 0.935f, 0.945f},
    };
}

static bool check(const swRender *r, swError *error) {
    if (r->samples < 1 || r->samples > 8)
        return sw_fail(error, SW_ERROR_VALUE, "samples per pixel: expected 1 to 8, found %d",
                       r->samples);
    const swCamera *c = &r->camera;
    swReal distance = sw_norm(sw_sub(c->target, c->eye));
    if (!(sw_norm(c->eye) < 1e9) || !(distance > 1e-9 && distance < 1e9) || !sw_finite3(c->up))
        return sw_fail(error, SW_ERROR_VALUE,
                       "the camera needs two points within 1e9 as eye and target, and an up");
    if (!(c->fov > 1e-3 && c->fov < 3.1))
        return sw_fail(error, SW_ERROR_VALUE,
                       "the camera's field of view: expected 0.001 to 3.1, found %g", c->fov);
    if (!sw_finite3(r->light) || !(sw_norm2(r->light) > 0) || !(r->key >= 0 && r->key <= 100) ||
        !(r->sky >= 0 && r->sky <= 100) || !isfinite(r->light_radius))
        return sw_fail(error, SW_ERROR_VALUE,
                       "the light has no direction, or no possible strength");
    if (!isfinite(r->ground_height) || !isfinite(r->grid))
        return sw_fail(error, SW_ERROR_NOT_FINITE, "the ground's height or grid is not finite");
    return true;
}

// 1, 2 or 5 times a power of ten, near a sixth of the height seen.
static double choose_grid(double size) {
    double raw = 0.33 * size, power = pow(10, floor(log10(raw))), digit = raw / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

// What all workers share, and a band for each.
typedef struct Job {
    swStage stage;
    swBand *band;
    swPicture *image;
} Job;

static void average(const swStage *s, const swBand *band, int y, unsigned char *out) {
    int n = s->def->samples, row = y * n - band->y0;
    for (int x = 0; x < s->def->width; x++) {
        swVec3 sum = {0, 0, 0};
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                const float *c =
                    band->color[(size_t)(row + j) * (size_t)s->nx + (size_t)(x * n + i)];
                sum = sw_add(sum, sw_v3(c[0], c[1], c[2]));
            }
        sw_color_bytes(sw_linear_color(sw_scale(1.0 / (n * n), sum)), out + 3 * x);
    }
}

static void render_bands(int start, int end, int worker, void *arg) {
    Job *job = arg;
    const swStage *s = &job->stage;
    swBand *band = &job->band[worker];
    for (int b = start; b < end; b++) {
        int y0 = b * ROWS, y1 = sw_min_int(y0 + ROWS, s->def->height);
        band->y0 = y0 * s->def->samples;
        band->rows = (y1 - y0) * s->def->samples;
        for (size_t i = 0; i < (size_t)band->rows * (size_t)s->nx; i++) {
            band->w[i] = 0;
            band->face[i] = -1;
        }
        sw_band_raster(s, band);
        sw_band_shade(s, band);
        sw_band_strokes(s, band);
        for (int y = y0; y < y1; y++)
            average(s, band, y, job->image->rgb + 3 * (size_t)y * (size_t)s->def->width);
    }
}

static bool make_bands(Job *job, int workers, swArena *arena, swError *error) {
    job->band = SW_NEW(arena, workers, swBand, error);
    size_t n = (size_t)job->stage.nx * (size_t)(ROWS * job->stage.def->samples);
    for (int i = 0; i < workers && job->band; i++) {
        swBand *band = &job->band[i];
        band->w = SW_NEW(arena, n, float, error);
        band->face = SW_NEW(arena, n, int, error);
        band->color = (float(*)[3])SW_NEW(arena, 3 * n, float, error);
        if (!band->w || !band->face || !band->color)
            return false;
    }
    return job->band;
}

bool sw_render(const swRender *render, const swDrawing *drawing, swPool *pool, swArena *arena,
               swPicture *image, swError *error) {
    *image = (swPicture){0};
    if (!check(render, error))
        return false;
    swPicture out;
    if (!sw_picture_create(&out, render->width, render->height, render->top, arena, error))
        return false;
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    Job job = {.stage = {.def = render, .drawing = drawing}, .image = &out};
    swStage *s = &job.stage;
    s->top = sw_color_linear(render->top);
    s->bottom = sw_color_linear(render->bottom);
    s->ground = sw_color_linear(render->ground_color);
    s->light = sw_unit(render->light);
    bool ok = sw_stage_prepare(s, &scratch, error) && sw_lights_create(s, pool, &scratch, error) &&
              make_bands(&job, sw_pool_size(pool), &scratch, error);
    if (ok) {
        s->grid = render->grid == 0 ? choose_grid(s->size) : render->grid;
        sw_parallel_for(pool, (render->height + ROWS - 1) / ROWS, 1, render_bands, &job);
        *image = out;
    }
    sw_arena_free(&scratch);
    return ok;
}
