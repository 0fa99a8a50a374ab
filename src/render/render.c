// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "render/stage.h"

#include "geometry/crease.h"

// Prepares a drawing for the passes: camera, normals, and the triangles that matter.

#define FAR_AWAY 1e9 // coordinates beyond this are skipped: the simulation has blown up

static bool sane(swVec3 p) {
    return fabs(p.x) < FAR_AWAY && fabs(p.y) < FAR_AWAY && fabs(p.z) < FAR_AWAY; // false for NaN
}

// Returns the vertices of triangle t; false if it cannot be drawn.
static bool corners(const swDrawMesh *mesh, int t, const int **corner) {
    const int *v = mesh->triangle + 3 * (size_t)t;
    *corner = v;
    for (int c = 0; c < 3; c++)
        if (v[c] < 0 || v[c] >= mesh->nvertex || !sane(mesh->x[v[c]]))
            return false;
    return true;
}

static void store(float out[3], swVec3 v) {
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

// ---- normals ----

static bool make_normals(swStageMesh *mesh, swArena *arena, swError *error) {
    const swDrawMesh *draw = mesh->draw;
    const size_t n = (size_t)draw->ntriangle;
    swCornerFans fans = {0};
    bool *skip = SW_NEW(arena, n, bool, error);
    mesh->normal = (float(*)[3])SW_NEW(arena, 9 * n, float, error);
    if (!mesh->normal || !skip)
        return false;
    const int *v;
    for (size_t t = 0; t < n; t++)
        skip[t] = !corners(draw, (int)t, &v);
    if (!draw->normal && !sw_fans_create(&fans, draw->nvertex, draw->x, draw->ntriangle,
                                         draw->triangle, skip, arena, error))
        return false;
    const bool flat = !(draw->crease > 0);
    const swReal least = sw_crease_cosine(draw->crease);
    for (int t = 0; t < draw->ntriangle; t++)
        for (int c = 0; c < 3 && corners(draw, t, &v); c++) {
            const swVec3 own = draw->normal ? sw_unit(draw->normal[v[c]])
                               : flat       ? fans.face[t]
                                            : sw_fans_normal(&fans, v[c], t, least);
            store(mesh->normal[3 * (size_t)t + (size_t)c], sw_finite3(own) ? own : sw_v3(0, 0, 0));
        }
    return true;
}

// ---- camera ----

static void aim_camera(swStage *s) {
    const swCamera *camera = &s->def->camera;
    s->nx = s->def->width * s->def->samples;
    s->ny = s->def->height * s->def->samples;
    swVec3 look = sw_sub(camera->target, camera->eye);
    s->near = 1e-3 * sw_norm(look);
    s->size = tan(camera->fov / 2) * sw_norm(look);
    s->forward = sw_unit(look);
    s->right = sw_cross(s->forward, camera->up);
    if (!(sw_norm2(s->right) > 1e-12 * sw_norm2(camera->up))) // looking along `up`
        s->right = sw_cross(s->forward, fabs(s->forward.y) < 0.9 ? sw_v3(0, 1, 0) : sw_v3(0, 0, 1));
    s->right = sw_unit(s->right);
    s->up = sw_cross(s->right, s->forward);
    double side = sw_dot(s->light, s->right) > 0 ? -1 : 1; // opposite to the key light
    s->fill =
        sw_unit(sw_sub(sw_madd(sw_scale(0.3, s->up), side, s->right), sw_scale(0.6, s->forward)));
    s->k = 2 * tan(camera->fov / 2) / s->ny;
}

// Finds the range of samples that a triangle can cover with its part in front of the camera.
// Returns false if there are none.
static bool face_bounds(const swStage *s, const swVec3 v[3], swFace *face) {
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        swVec3 a = v[i], b = v[(i + 1) % 3], point[2];
        int n = 0;
        if (a.z >= s->near)
            point[n++] = a;
        if ((a.z < s->near) != (b.z < s->near)) {
            point[n] = sw_lerp(a, b, (s->near - a.z) / (b.z - a.z));
            point[n++].z = s->near;
        }
        for (int j = 0; j < n; j++) {
            double at[2] = {0.5 * s->nx + point[j].x / (s->k * point[j].z),
                            0.5 * s->ny - point[j].y / (s->k * point[j].z)};
            for (int k = 0; k < 2; k++) {
                lo[k] = sw_min(lo[k], at[k]);
                hi[k] = sw_max(hi[k], at[k]);
            }
        }
    }
    const double slack = 0.5 + 1e-6; // sample i is at i + 1/2
    face->x0 = (int)ceil(sw_clamp(lo[0] - slack, 0, s->nx));
    face->y0 = (int)ceil(sw_clamp(lo[1] - slack, 0, s->ny));
    face->x1 = (int)floor(sw_clamp(hi[0] + slack, 0, s->nx));
    face->y1 = (int)floor(sw_clamp(hi[1] + slack, 0, s->ny));
    return face->x0 < face->x1 && face->y0 < face->y1;
}

// ---- triangles ----

static void add_triangles(swStage *s, int m) {
    const swDrawMesh *draw = s->mesh[m].draw;
    const int *v;
    for (int t = 0; t < draw->ntriangle; t++) {
        if (!corners(draw, t, &v))
            continue;
        swVec3 view[3];
        swCaster *caster = &s->caster[s->ncaster++];
        caster->opacity = (float)draw->opacity;
        for (int c = 0; c < 3; c++) {
            store(caster->x[c], sw_sub(draw->x[v[c]], s->center));
            view[c] = s->mesh[m].view[v[c]];
        }
        swFace face = {.mesh = m, .triangle = t};
        if (face_bounds(s, (const swVec3 *)view, &face))
            s->face[s->nface++] = face;
    }
}

static bool prepare_mesh(swStage *s, swStageMesh *mesh, swArena *arena, swError *error) {
    const swDrawMesh *draw = mesh->draw;
    size_t n = (size_t)draw->nvertex;
    mesh->paint = sw_color_linear(draw->paint);
    mesh->view = SW_NEW(arena, n, swVec3, error);
    if (!mesh->view || !make_normals(mesh, arena, error))
        return false;
    for (size_t i = 0; i < n; i++)
        mesh->view[i] = sw_stage_view(s, draw->x[i]);
    if (!draw->color)
        return true;
    mesh->color = (float(*)[3])SW_NEW(arena, 3 * n, float, error);
    for (size_t i = 0; i < n && mesh->color; i++)
        store(mesh->color[i], sw_color_linear(draw->color[i]));
    return mesh->color;
}

// The bounding box of the triangles; without any, one unit to each side of the camera's target.
static void find_bounds(swStage *s) {
    s->lo = sw_v3(INFINITY, INFINITY, INFINITY);
    s->hi = sw_scale(-1, s->lo);
    for (int m = 0; m < s->nmesh; m++) {
        const swDrawMesh *draw = s->mesh[m].draw;
        const int *v;
        for (int t = 0; t < draw->ntriangle; t++)
            for (int c = 0; c < 3 && corners(draw, t, &v); c++) {
                s->lo = sw_min3(s->lo, draw->x[v[c]]);
                s->hi = sw_max3(s->hi, draw->x[v[c]]);
            }
    }
    if (s->lo.x > s->hi.x) {
        s->lo = sw_sub(s->def->camera.target, sw_v3(1, 1, 1));
        s->hi = sw_add(s->def->camera.target, sw_v3(1, 1, 1));
    }
    s->center = sw_scale(0.5, sw_add(s->lo, s->hi));
    s->radius = sw_max(0.5 * sw_norm(sw_sub(s->hi, s->lo)), 1e-9);
}

static bool prepare(swStage *s, swArena *arena, swError *error) {
    int64_t total = 0;
    s->mesh = SW_NEW(arena, s->drawing->meshes.count, swStageMesh, error);
    if (!s->mesh)
        return false;
    for (int m = 0; m < s->drawing->meshes.count; m++) {
        const swDrawMesh *draw = &s->drawing->meshes.item[m];
        if (draw->nvertex < 1 || draw->ntriangle < 1 || !draw->x || !draw->triangle)
            continue;
        s->mesh[s->nmesh++].draw = draw;
        total += draw->ntriangle;
    }
    if (total > INT32_MAX / 16)
        return sw_fail(error, SW_ERROR_LIMIT, "a drawing of %lld triangles: at most %d",
                       (long long)total, INT32_MAX / 16);
    s->face = SW_NEW(arena, total, swFace, error);
    s->caster = SW_NEW(arena, total, swCaster, error);
    if (!s->face || !s->caster)
        return false;
    aim_camera(s);
    find_bounds(s);
    for (int m = 0; m < s->nmesh; m++) {
        if (!prepare_mesh(s, &s->mesh[m], arena, error))
            return false;
        add_triangles(s, m);
    }
    return true;
}

// ---- bands of rows ----

enum { ROWS = 8 }; // rows of pixels per band

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

// 1, 2 or 5 times a power of ten, near a sixth of the visible height.
static double choose_grid(double size) {
    double raw = 0.33 * size, power = pow(10, floor(log10(raw))), digit = raw / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

// What all workers share, and a band for each of them.
typedef struct RenderJob {
    swStage stage;
    swBand *band;
    swPicture *image;
} RenderJob;

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
    RenderJob *job = arg;
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

static bool make_bands(RenderJob *job, int workers, swArena *arena, swError *error) {
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
    RenderJob job = {.stage = {.def = render, .drawing = drawing}, .image = &out};
    swStage *s = &job.stage;
    s->top = sw_color_linear(render->top);
    s->bottom = sw_color_linear(render->bottom);
    s->ground = sw_color_linear(render->ground_color);
    s->light = sw_unit(render->light);
    bool ok = prepare(s, &scratch, error) && sw_lights_create(s, pool, &scratch, error) &&
              make_bands(&job, sw_pool_size(pool), &scratch, error);
    if (ok) {
        s->grid = render->grid == 0 ? choose_grid(s->size) : render->grid;
        sw_parallel_for(pool, (render->height + ROWS - 1) / ROWS, 1, render_bands, &job);
        *image = out;
    }
    sw_arena_free(&scratch);
    return ok;
}
