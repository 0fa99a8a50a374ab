// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Pictures of a motion: one camera, one range of colours, as many moments as asked for.
#include "inspect/picture.h"

#include "contact/collider.h"
#include "formats/png.h"
#include "world/world.h"

#include <string.h>

// A stage of the motion.
typedef struct Look {
    const Run *run;
    int ntriangle, *triangle; // that are visible
} Look;

enum { BOUNDS_KEYS = 200, COLUMNS = 5 };

static const swReal margin = 1.15;
static const swColor collider_paint = {0.66f, 0.69f, 0.74f};

// ---- where to look ----

static void extend(swVec3 *lo, swVec3 *hi, swVec3 from, swVec3 to) {
    *lo = sw_min3(*lo, from);
    *hi = sw_max3(*hi, to);
}

// Positions of the embedded points of all bodies at a key.
static void find_points(const swClip *clip, int key, swVec3 *x) {
    const swModel *m = clip->model;
    for (int64_t b = 0; b < m->size.nbody; b++)
        sw_body_clip_points(&clip->body[b], key, 0, (int)clip->body[b].model->size.npoint,
                            x + m->place[b].point);
}

// Calls add(view, x) for every point of the bodies, over the whole motion.
typedef void AddPoint(void *view, swVec3 x);
static void visit_points(const Picture *p, AddPoint *add, void *view) {
    for (const Run *run = p->run; run; run = run->before) {
        const swClip *clip = &run->clip;
        const int n = sw_clip_count(clip), stride = 1 + (n - 1) / BOUNDS_KEYS;
        for (int k = 0; k < n; k += stride) {
            find_points(clip, k, p->x);
            for (int i = 0; i < sw_model_last(run->model).point; i++)
                add(view, p->x[i]);
        }
    }
}

typedef struct Bounds {
    swVec3 lo, hi;
} Bounds;

static const Bounds nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void add_bounds(void *view, swVec3 x) {
    Bounds *b = view;
    extend(&b->lo, &b->hi, x, x);
}

// Adds the colliders, wherever they go, unless they dwarf the bodies.
static Bounds with_colliders(const Picture *p, Bounds b) {
    const swReal size = sw_norm(sw_sub(b.hi, b.lo));
    for (const Run *run = p->run; run; run = run->before) {
        const swModel *m = run->model;
        const swClip *clip = &run->clip;
        const int n = sw_clip_count(clip), stride = 1 + (n - 1) / BOUNDS_KEYS;
        for (int64_t i = 0; i < m->size.ncollider; i++)
            for (int k = 0; k < n; k += stride) {
                const swAffine pose = sw_collider_pose(m, &m->collider[i], sw_clip_time(clip, k));
                swVec3 from, to;
                if (sw_collider_bounds(&m->collider[i], &pose, &from, &to) &&
                    sw_norm(sw_sub(to, from)) < 2 * size)
                    extend(&b.lo, &b.hi, from, to);
            }
    }
    return b;
}

// The points that a camera sees, as slopes along its right and up directions.
typedef struct Sight {
    swVec3 eye, forward, right, up;
    Bounds slopes;
} Sight;

static void add_sight(void *view, swVec3 x) {
    Sight *s = view;
    swVec3 d = sw_sub(x, s->eye);
    swReal depth = sw_dot(d, s->forward);
    if (depth > 0)
        add_bounds(&s->slopes, sw_v3(sw_dot(d, s->right) / depth, sw_dot(d, s->up) / depth, 0));
}

// A camera that sees the corners of a bounding box shows more than the bodies: turns it towards
// their middle and zooms in.
static void zoom(const Picture *p, const Bounds *colliders, swReal aspect, swCamera *camera) {
    Sight s = {.eye = camera->eye, .slopes = nothing};
    s.forward = sw_unit(sw_sub(camera->target, camera->eye));
    s.right = sw_unit(sw_cross(s.forward, camera->up));
    s.up = sw_cross(s.right, s.forward);
    visit_points(p, add_sight, &s);
    for (int i = 0; i < 8 && colliders; i++)
        add_sight(&s, sw_v3(i & 1 ? colliders->hi.x : colliders->lo.x,
                            i & 2 ? colliders->hi.y : colliders->lo.y,
                            i & 4 ? colliders->hi.z : colliders->lo.z));
    swVec3 middle = sw_lerp(s.slopes.lo, s.slopes.hi, 0.5);
    swVec3 half = sw_scale(0.5, sw_sub(s.slopes.hi, s.slopes.lo));
    if (!sw_finite3(half) || !(sw_norm2(half) > 0))
        return;
    swVec3 d = sw_madd(sw_madd(s.forward, middle.x, s.right), middle.y, s.up);
    camera->target = sw_madd(camera->eye, sw_norm(sw_sub(camera->target, camera->eye)), d);
    camera->fov = 2 * atan(margin * sw_max(half.y, half.x / aspect));
}

// The highest plane that faces up is the ground.
static void set_ground(const swModel *m, swVec3 center, swRender *render) {
    render->ground = false;
    for (int64_t i = 0; i < m->size.ncollider; i++) {
        const swColliderInfo *c = &m->collider[i];
        const swAffine pose = sw_collider_pose(m, c, 0);
        const swPosed p = sw_collider_posed(c, &pose);
        if (!p.plane || p.normal.y < 0.99)
            continue;
        swReal height = (p.offset - p.normal.x * center.x - p.normal.z * center.z) / p.normal.y;
        if (!render->ground || height > render->ground_height)
            render->ground_height = height;
        render->ground = true;
    }
}

// ---- what to see ----

static bool is_hidden(const RunOptions *o, const char *name) {
    for (int i = 0; i < o->hide.count; i++)
        if (strcmp(o->hide.item[i], name) == 0)
            return true;
    return false;
}

bool picture_check(const RunOptions *o, const swModel *m, swError *error) {
    for (int i = 0; i < o->hide.count; i++) {
        int part = 0;
        while (part < sw_part_count(m) && strcmp(o->hide.item[i], sw_part_name(m, part)) != 0)
            part++;
        if (part == sw_part_count(m))
            return sw_fail(error, SW_ERROR_VALUE,
                           part == 0 ? "--hide %s: no body has \"surfaces\": \"materials\""
                                     : "--hide: expected a material of a body with \"surfaces\": "
                                       "\"materials\", found \"%s\"",
                           o->hide.item[i]);
    }
    return true;
}

// Adds the visible triangles of a body, whose points begin at `first`; returns their number.
static int add_triangles(const RunOptions *o, const swBodyModel *m, int first, int *out) {
    int count = 0;
    for (int i = 0; i < (o->outer ? 1 : sw_body_shown_count(&m->body[0])); i++) {
        const swPartInfo part = o->outer ? sw_body_outer(m, 0) : sw_body_shown(m, 0, i);
        if (part.material >= 0 && is_hidden(o, sw_body_text(m, m->material[part.material].name)))
            continue;
        for (int k = 0; k < 3 * part.ntriangle; k++)
            out[3 * count + k] = first + m->triangle[3 * part.triangle + k];
        count += part.ntriangle;
    }
    return count;
}

static bool choose_triangles(Look *look, swArena *arena, swError *error) {
    const swModel *m = look->run->model;
    int64_t ntriangle = 0;
    for (int64_t b = 0; b < m->size.nbody; b++)
        ntriangle += sw_model_body(m, b)->size.ntriangle;
    look->triangle = SW_NEW(arena, 3 * ntriangle, int, error);
    if (!look->triangle)
        return false;
    for (int64_t b = 0; b < m->size.nbody; b++)
        look->ntriangle +=
            add_triangles(&look->run->options, sw_model_body(m, b), m->place[b].point,
                          look->triangle + 3 * (ptrdiff_t)look->ntriangle);
    return true;
}

// The last stage comes first, as stages are linked backwards.
static bool make_looks(Picture *p, const int *key, int nkey, swError *error) {
    int npoint = 0;
    for (const Run *run = p->run; run; run = run->before, p->nlook++)
        npoint = sw_max_int(npoint, sw_model_last(run->model).point);
    p->x = SW_NEW(&p->arena, npoint, swVec3, error);
    p->look = SW_NEW(&p->arena, p->nlook, Look, error);
    p->coloring = SW_NEW(&p->arena, p->nlook, Coloring, error);
    int *own = SW_NEW(&p->arena, nkey + 1, int, error), i = 0;
    if (!p->x || !p->look || !p->coloring || !own)
        return false;
    for (const Run *run = p->run; run; run = run->before, i++) {
        int n = 0;
        for (int k = 0; k < nkey; k++) {
            own[n] = key[k];
            n += stage_of(p->run, &own[n]) == run;
        }
        p->look[i].run = run;
        if (!coloring_parse(run->options.color, run->model, &p->coloring[i], error) ||
            !coloring_create(&p->coloring[i], &run->clip, own, n, &p->arena, error) ||
            !choose_triangles(&p->look[i], &p->arena, error))
            return false;
    }
    if (p->nlook > 1)
        coloring_share(p->coloring, p->nlook);
    return true;
}

bool picture_create(Picture *p, const Run *run, int width, int height, const int *key, int nkey,
                    swError *error) {
    const swModel *m = run->model;
    *p = (Picture){.run = run, .render = sw_default_render()};
    sw_arena_init(&p->arena, &m->config.allocator);
    p->pool = sw_pool_create(&m->config.allocator, run->options.threads);
    if (!make_looks(p, key, nkey, error))
        return false;
    Bounds bodies = nothing;
    visit_points(p, add_bounds, &bodies);
    set_ground(m, sw_lerp(bodies.lo, bodies.hi, 0.5), &p->render);
    const Bounds all = with_colliders(p, bodies);
    const bool more = memcmp(&all, &bodies, sizeof all) != 0;
    const swReal aspect = (swReal)width / height;
    p->render.width = width;
    p->render.height = height;
    p->render.camera =
        sw_camera_frame(all.lo, all.hi, run->options.view, p->render.camera.fov, aspect);
    zoom(p, more ? &all : NULL, aspect, &p->render.camera);
    return true;
}

void picture_free(Picture *p) {
    sw_pool_destroy(p->pool);
    sw_arena_free(&p->arena);
}

// ---- what to draw ----

static bool draw_colliders(const swModel *m, swReal t, swDrawing *drawing, swError *error) {
    for (int64_t i = 0; i < m->size.ncollider; i++) {
        const swColliderInfo *c = &m->collider[i];
        const swAffine pose = sw_collider_pose(m, c, t);
        swSurface s;
        if (!sw_collider_surface(m, c, drawing->arena, &s, error))
            return false;
        if (s.ntriangle == 0)
            continue;
        for (int v = 0; v < s.nvertex; v++)
            s.X[v] = sw_affine_at(pose, s.X[v]);
        swDrawMesh mesh = sw_default_draw_mesh();
        mesh.nvertex = s.nvertex;
        mesh.x = s.X;
        mesh.ntriangle = s.ntriangle;
        mesh.triangle = s.triangle;
        mesh.paint = collider_paint;
        if (!sw_draw_mesh(drawing, &mesh, error))
            return false;
    }
    return true;
}

static bool draw_frames(const Picture *p, const swBodyModel *m, const swReal *q, swDrawing *drawing,
                        swError *error) {
    const swReal width = 0.008 * sw_min_int(p->render.width, p->render.height);
    for (int64_t i = 0; i < sw_body_frames(m); i++) {
        const swNode *node = &m->node[i];
        const swReal length = 0.07 * sw_norm(sw_sub(m->body[0].hi, m->body[0].lo));
        const swReal *A = q + node->q;
        const int d = node->width;
        swMat3 L = sw_mat_identity();
        for (int r = 0; r < 3 && d >= 4; r++)
            memcpy(L.m + 3 * r, A + r * d + 1, 3 * sizeof *A);
        if (!sw_draw_axes(drawing, sw_v3(A[0], A[d], A[2 * d]), L, length, width, error))
            return false;
    }
    return true;
}

// Draws muscles as lines that redden with activation and show through whatever covers them.
static bool draw_muscles(const Picture *p, const swBodyModel *m, const swVec3 *x,
                         const swClipKey *now, swDrawing *drawing, swError *error) {
    for (int64_t i = 0; i < m->size.nmuscle; i++) {
        const float a = (float)now->activation[sw_control_muscle(m, i)];
        const swStroke stroke = {.a = x[m->muscle[i].point[0]],
                                 .b = x[m->muscle[i].point[1]],
                                 .width = 0.02 * sw_min_int(p->render.width, p->render.height),
                                 .color = {0.9f - 0.2f * a, 0.8f * (1 - a), 0.75f * (1 - a)},
                                 .ghost = 0.7};
        if (!sw_draw_stroke(drawing, &stroke, error))
            return false;
    }
    return true;
}

bool picture_draw(Picture *p, int key, swArena *arena, swPicture *image, swError *error) {
    const Run *stage = stage_of(p->run, &key);
    const swModel *m = stage->model;
    int look = 0;
    swDrawing drawing;
    while (p->look[look].run != stage)
        look++;
    sw_drawing_init(&drawing, arena);
    find_points(&stage->clip, key, p->x);
    coloring_update(&p->coloring[look], &stage->clip, key);
    swDrawMesh mesh = sw_default_draw_mesh();
    mesh.nvertex = sw_model_last(m).point;
    mesh.x = p->x;
    mesh.ntriangle = p->look[look].ntriangle;
    mesh.triangle = p->look[look].triangle;
    mesh.color = p->coloring[look].color;
    bool ok = sw_draw_mesh(&drawing, &mesh, error) &&
              draw_colliders(m, sw_clip_time(&stage->clip, key), &drawing, error);
    for (int64_t b = 0; ok && b < m->size.nbody; b++) {
        const swBodyModel *body = sw_model_body(m, b);
        const swClipKey *now = &stage->clip.body[b].keys.item[key];
        ok = draw_muscles(p, body, p->x + m->place[b].point, now, &drawing, error) &&
             (!p->run->options.frames || draw_frames(p, body, now->q, &drawing, error));
    }
    return ok && sw_render(&p->render, &drawing, p->pool, arena, image, error);
}

int picture_legend_width(const Picture *p, int width, int height) {
    return p->coloring->title && !p->run->options.bare ? (int)(0.42 * sw_min_int(width, height))
                                                       : 0;
}

bool picture_add_legend(const Picture *p, const swPicture *image, swArena *arena, swPicture *out,
                        swError *error) {
    const swColor white = {1, 1, 1};
    const int more = picture_legend_width(p, image->width, image->height);
    *out = *image;
    if (!more)
        return true;
    if (!sw_picture_create(out, image->width + more, image->height, white, arena, error))
        return false;
    for (int y = 0; y < image->height; y++)
        memcpy(out->rgb + 3 * (size_t)y * (size_t)out->width,
               image->rgb + 3 * (size_t)y * (size_t)image->width, 3 * (size_t)image->width);
    sw_picture_legend(out, SW_MAP_SEQUENTIAL, p->coloring->lo, p->coloring->hi, p->coloring->title);
    return true;
}

static swReal key_time(const Run *run, int key) {
    run = stage_of(run, &key);
    return sw_clip_time(&run->clip, key);
}

void picture_caption(const Run *run, int key, char text[64]) {
    const swAnalysis analysis = sw_model_info(run->model).analysis;
    const int mode = sw_max_int(run->options.mode, 1);
    if (run->options.bare)
        text[0] = 0;
    else if (run->modes && run->modes->count > 0)
        snprintf(text, 64, "mode %d: %.4g Hz", mode, run->modes->frequency[mode - 1]);
    else if (analysis == SW_ANALYSIS_DYNAMIC)
        snprintf(text, 64, "t = %.2f s", key_time(run, key));
    else if (key == 0)
        snprintf(text, 64, "at rest");
    else if (run->status == SW_OK)
        snprintf(text, 64, "equilibrium");
    else
        snprintf(text, 64, "at %.3g%% of the load", 100 * sw_state_report(run->state)->load);
}

// ---- the strip ----

// Chooses the keys nearest to evenly spaced times, each only once; returns their number.
static int choose_moments(const Run *run, int wanted, int *key) {
    const int n = stage_keys(run);
    const swReal t0 = key_time(run, 0), t1 = key_time(run, n - 1);
    int count = 0;
    for (int i = 0, at = 0; i < wanted; i++) {
        swReal t = wanted > 1 ? t0 + (t1 - t0) * i / (wanted - 1) : t1;
        while (at + 1 < n && fabs(key_time(run, at + 1) - t) <= fabs(key_time(run, at) - t))
            at++;
        if (count == 0 || key[count - 1] != at)
            key[count++] = at;
    }
    return count;
}

static bool draw_strip(Picture *p, const int *key, int n, swPicture *strip, swError *error) {
    swPicture *image = SW_NEW(&p->arena, n, swPicture, error);
    char(*text)[64] = sw_arena_alloc(&p->arena, (size_t)n, sizeof *text, error);
    const char **caption = SW_NEW(&p->arena, n, const char *, error);
    if (!image || !text || !caption)
        return false;
    for (int i = 0; i < n; i++) {
        if (!picture_draw(p, key[i], &p->arena, &image[i], error))
            return false;
        picture_caption(p->run, key[i], text[i]);
        caption[i] = text[i];
    }
    swPicture grid;
    return sw_picture_grid(&grid, n, image, caption, COLUMNS, 4, &p->arena, error) &&
           picture_add_legend(p, &grid, &p->arena, strip, error);
}

bool picture_write_strip(const Run *run, const char *path, swError *error) {
    int key[100];
    const RunOptions *o = &run->options;
    int n = choose_moments(run, sw_min_int(o->moments, SW_COUNT(key)), key);
    Picture picture;
    swPicture strip;
    swFile file;
    bool ok = picture_create(&picture, run, o->size[0] ? o->size[0] : 480,
                             o->size[1] ? o->size[1] : 400, key, n, error) &&
              draw_strip(&picture, key, n, &strip, error) && sw_file_open(&file, path, error);
    if (ok) {
        ok = sw_png_write(&file, strip.width, strip.height, strip.rgb, &picture.arena, error);
        if (ok)
            ok = sw_file_close(&file, error);
        else
            sw_file_abandon(&file);
    }
    picture_free(&picture);
    return ok;
}
