// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// One picture: a field on a slice, pixel by pixel, or on the surface.
#include "inspect/inspect.h"

#include <string.h>

// Each pixel is evaluated at FINE x FINE places; a task paints ROWS rows of pixels.
enum { FINE = 2, ROWS = 8, BATCH = 64 };

static const swColor ink = {0.16f, 0.17f, 0.20f}, paper = {1, 1, 1}, glass = {0.60f, 0.67f, 0.76f};

// ---- from a slice to pixels ----

typedef struct Plane {
    swVec3 origin, right, up; // at the picture's middle; unit vectors
    Spot middle;
    swReal scale; // pixels per metre
} Plane;

static swVec3 plane_point(const Plane *p, swReal x, swReal y) {
    return sw_madd(sw_madd(p->origin, (x - p->middle.x) / p->scale, p->right),
                   (p->middle.y - y) / p->scale, p->up);
}

static Spot plane_spot(const Plane *p, swVec3 at) {
    const swVec3 d = sw_sub(at, p->origin);
    return (Spot){p->middle.x + p->scale * sw_dot(d, p->right),
                  p->middle.y - p->scale * sw_dot(d, p->up)};
}

// Looks against the direction of the axis. y points up; on a slice across y, z points down.
static Plane make_plane(const swGrid *g, const Slice *slice, swReal x, swReal y, swReal width,
                        swReal height) {
    static const swVec3 right[3] = {{0, 0, -1}, {1, 0, 0}, {1, 0, 0}},
                        up[3] = {{0, 1, 0}, {0, 0, -1}, {0, 1, 0}};
    Plane p = {.origin = sw_lerp(g->lo, g->hi, 0.5),
               .right = right[slice->axis],
               .up = up[slice->axis],
               .middle = {x + width / 2, y + height / 2}};
    const swVec3 size = sw_sub(g->hi, g->lo);
    sw_set(&p.origin, slice->axis, slice->at);
    p.scale = sw_min(width / sw_max(fabs(sw_dot(size, p.right)), 1e-300),
                     height / sw_max(fabs(sw_dot(size, p.up)), 1e-300));
    return p;
}

// ---- painting ----

typedef struct Painter {
    const Field *field;
    Plane plane;
    swPicture *picture;
    int width; // of the painted part, from the left
    struct {
        Look *look; // [FINE ROWS + 2][FINE width + 2]: the pixels of a task and a border
        swReal *scratch;
    } * worker;
} Painter;

static void look_row(const Painter *p, int row, int n, swReal *scratch, Look *look) {
    swVec3 at[BATCH];
    int cell[BATCH], place[BATCH], count = 0;
    Look out[BATCH];
    for (int i = 0; i < n; i++) {
        const swVec3 x = plane_point(&p->plane, (i - 0.5) / FINE, (row + 0.5) / FINE);
        const int c = sw_inspect_cell(p->field->in, x);
        look[i] = (Look){paper, -1};
        if (c >= 0) {
            at[count] = x;
            cell[count] = c;
            place[count++] = i;
        }
        if (count < BATCH && (i + 1 < n || count == 0))
            continue;
        field_look(p->field, count, at, cell, scratch, out);
        for (int k = 0; k < count; k++)
            look[place[k]] = out[k];
        count = 0;
    }
}

// Darkens the colour where bands meet, and more so along the outline.
static swVec3 shade(const Look *look, int stride) {
    const int beside[4] = {-1, 1, -stride, stride};
    swReal dark = 0;
    for (int k = 0; k < 4 && look->band >= 0; k++)
        if (look[beside[k]].band != look->band)
            dark = sw_max(dark, look[beside[k]].band < 0 ? 0.8 : 0.45);
    const swVec3 color = {look->color.r, look->color.g, look->color.b};
    return sw_lerp(color, sw_v3(ink.r, ink.g, ink.b), dark);
}

static void paint_rows(int start, int end, int worker, void *arg) {
    const Painter *p = arg;
    const int wide = FINE * p->width + 2;
    Look *look = p->worker[worker].look;
    for (int r = 0; r < FINE * (end - start) + 2; r++)
        look_row(p, FINE * start + r - 1, wide, p->worker[worker].scratch,
                 look + (size_t)r * (size_t)wide);
    for (int y = start; y < end; y++)
        for (int x = 0; x < p->width; x++) {
            swVec3 sum = {0, 0, 0};
            bool inside = false;
            for (int k = 0; k < FINE * FINE; k++) {
                const Look *at = look + (size_t)(1 + FINE * (y - start) + k / FINE) * (size_t)wide +
                                 1 + FINE * x + k % FINE;
                sum = sw_madd(sum, 1.0 / (FINE * FINE), shade(at, wide));
                inside = inside || at->band >= 0;
            }
            if (inside)
                sw_color_bytes((swColor){(float)sum.x, (float)sum.y, (float)sum.z},
                               p->picture->rgb +
                                   3 * ((size_t)y * (size_t)p->picture->width + (size_t)x));
        }
}

static bool paint(Painter *p, swArena *arena, swError *error) {
    const swInspect *in = p->field->in;
    const int workers = sw_pool_size(in->builder.pool);
    if (!(p->worker = sw_arena_alloc(arena, (size_t)workers, sizeof *p->worker, error)))
        return false;
    for (int i = 0; i < workers; i++) {
        p->worker[i].look =
            SW_NEW(arena, (size_t)(FINE * ROWS + 2) * (size_t)(FINE * p->width + 2), Look, error);
        p->worker[i].scratch = SW_NEW(arena, 4 * BATCH * (in->body.nsite + 1), swReal, error);
        if (!p->worker[i].look || !p->worker[i].scratch)
            return false;
    }
    sw_parallel_for(in->builder.pool, p->picture->height, ROWS, paint_rows, p);
    return true;
}

// ---- marks ----

static bool shows_points(const Field *f) {
    return f->kind == FIELD_REGIONS || f->kind == FIELD_POINTS;
}
static bool shows_sites(const Field *f) { return field_depth(f) == SW_INSPECT_WEIGHTS; }

// How far an integration point reaches: half the edge of a cube with its volume.
static swReal reach_of(const Field *f, int point) { return cbrt(f->in->volume[point]) / 2; }

// Marks integration points and sites; those away from the slice are faint.
static void mark_slice(const Painter *p, const Slice *slice, swReal size) {
    const swInspect *in = p->field->in;
    char name[16];
    for (int pass = 0; pass < 2; pass++) { // faint ones first
        for (int i = 0; shows_points(p->field) && i < in->npoint; i++) {
            const swReal reach = reach_of(p->field, i);
            const bool near = fabs(sw_get(in->point[i], slice->axis) - slice->at) <= reach;
            if (near == (pass == 1))
                mark_disc(p->picture, plane_spot(&p->plane, in->point[i]),
                          sw_clamp(0.3 * reach * p->plane.scale, 1.2, 0.6 * size), ink,
                          near ? 1 : 0.15);
        }
        for (int s = 0; shows_sites(p->field) && s < in->body.nsite; s++) {
            const swSite *site = &in->body.site[s];
            const swReal d = fabs(sw_get(site->origin, slice->axis) - slice->at);
            const bool near = d <= 2 * in->body.grid.h ||
                              (site->cell < 0 && slice->at >= sw_get(site->lo, slice->axis) &&
                               slice->at <= sw_get(site->hi, slice->axis));
            if (near == (pass == 1))
                mark_site(p->picture, p->width, plane_spot(&p->plane, site->origin), size,
                          sw_inspect_site_name(in, s, name), near ? 1 : 0.3);
        }
    }
}

static void mark_axes(swPicture *picture, const Slice *slice, Spot at, swReal size) {
    static const char *const names[3][2] = {{"-z", "y"}, {"x", "-z"}, {"x", "y"}};
    const swReal length = 2.5 * size;
    for (int i = 0; i <= (int)length; i++) {
        mark_disc(picture, (Spot){at.x + i, at.y}, 0.7, ink, 1);
        mark_disc(picture, (Spot){at.x, at.y - i}, 0.7, ink, 1);
    }
    mark_text(picture, (Spot){at.x + length + 0.5 * size, at.y + size / 2}, size,
              names[slice->axis][0]);
    mark_text(picture, (Spot){at.x - 0.3 * size, at.y - length - 0.6 * size}, size,
              names[slice->axis][1]);
}

static bool draw_slice(const Field *f, const Slice *slice, int width, swReal size, swArena *arena,
                       swPicture *picture, swError *error) {
    const swReal margin = 1.6 * size, head = 4 * size, foot = 4.5 * size,
                 tall = sw_max(picture->height - head - foot, 0.2 * picture->height);
    Painter p = {.field = f, .picture = picture, .width = width};
    p.plane = make_plane(&f->in->body.grid, slice, margin, head,
                         sw_max(width - 2 * margin, 0.2 * width), tall);
    if (!paint(&p, arena, error))
        return false;
    mark_slice(&p, slice, size);
    mark_scale(picture, p.plane.scale, 0.3 * width, size);
    mark_axes(picture, slice, (Spot){width - 5.5 * size, picture->height - 1.6 * size}, size);
    return true;
}

// ---- surfaces ----

static bool color_surface(const Field *f, swColor *color, swArena *arena, swError *error) {
    const swSurface *s = &f->in->body.surface;
    swReal *scratch = SW_NEW(arena, 4 * (f->in->body.nsite + 1), swReal, error);
    for (int v = 0; scratch && v < s->nvertex; v++) {
        const int cell = sw_lattice_find(&f->in->body.lattice, s->X[v], 2);
        Look look = {.color = {0.5f, 0.5f, 0.5f}};
        if (cell >= 0)
            field_look(f, 1, &s->X[v], &cell, scratch, &look);
        color[v] = look.color;
    }
    return scratch != NULL;
}

static Spot camera_spot(const swRender *r, swVec3 at) {
    const swVec3 forward = sw_unit(sw_sub(r->camera.target, r->camera.eye)),
                 right = sw_unit(sw_cross(forward, r->camera.up)), up = sw_cross(right, forward),
                 d = sw_sub(at, r->camera.eye);
    const swReal scale = 0.5 * r->height / tan(r->camera.fov / 2) / sw_dot(d, forward);
    return (Spot){0.5 * r->width + scale * sw_dot(d, right),
                  0.5 * r->height - scale * sw_dot(d, up)};
}

static bool draw_points(const Field *f, const swRender *r, swDrawing *drawing, swReal size,
                        swError *error) {
    const swReal scale =
        0.5 * r->height / tan(r->camera.fov / 2) / sw_norm(sw_sub(r->camera.target, r->camera.eye));
    for (int i = 0; shows_points(f) && i < f->in->npoint; i++)
        if (!sw_draw_dot(drawing, f->in->point[i],
                         sw_clamp(0.6 * reach_of(f, i) * scale, 2.4, 1.2 * size), ink, error))
            return false;
    return true;
}

static bool draw_surface(const Field *f, swVec3 view, int width, swReal size, swArena *arena,
                         swPicture *picture, swError *error) {
    const swInspect *in = f->in;
    swRender r = sw_default_render();
    swDrawMesh mesh = sw_default_draw_mesh();
    swColor *color = SW_NEW(arena, in->body.surface.nvertex, swColor, error);
    swDrawing drawing;
    swPicture image;
    char name[16];
    if (!color || !color_surface(f, color, arena, error))
        return false;
    sw_drawing_init(&drawing, arena);
    r.width = width;
    r.height = picture->height;
    r.ground = false;
    r.top = r.bottom = paper;
    mesh.nvertex = in->body.surface.nvertex;
    mesh.x = in->body.surface.X;
    mesh.ntriangle = in->body.surface.ntriangle;
    mesh.triangle = in->body.surface.triangle;
    if (f->kind == FIELD_POINTS) {
        mesh.paint = glass;
        mesh.opacity = 0.3;
    } else
        mesh.color = color;
    r.camera = sw_camera_frame(in->body.grid.lo, in->body.grid.hi, view, r.camera.fov,
                               (swReal)r.width / r.height);
    if (!sw_draw_mesh(&drawing, &mesh, error) || !draw_points(f, &r, &drawing, size, error) ||
        !sw_render(&r, &drawing, in->builder.pool, arena, &image, error))
        return false;
    for (int y = 0; y < image.height; y++)
        memcpy(picture->rgb + 3 * (size_t)y * (size_t)picture->width,
               image.rgb + 3 * (size_t)y * (size_t)image.width, 3 * (size_t)image.width);
    for (int s = 0; shows_sites(f) && s < in->body.nsite; s++)
        mark_site(picture, width, camera_spot(&r, in->body.site[s].origin), size,
                  sw_inspect_site_name(in, s, name), 1);
    return true;
}

// ---- the whole picture ----

bool inspect_draw(const Field *f, const Slice *slice, const InspectOptions *o, int legend,
                  swArena *arena, swPicture *picture, swError *error) {
    const swReal size = mark_text_size(o->size[0], o->size[1]);
    const int width = o->size[0] - legend;
    char title[256];
    if (!sw_picture_create(picture, o->size[0], o->size[1], paper, arena, error))
        return false;
    if (slice->axis < 0) {
        snprintf(title, sizeof title, "%s", f->title);
        if (!draw_surface(f, o->view, width, size, arena, picture, error))
            return false;
    } else {
        snprintf(title, sizeof title, "%s, %c = %.3g m", f->title, 'x' + slice->axis, slice->at);
        if (!draw_slice(f, slice, width, size, arena, picture, error))
            return false;
    }
    if (legend > 0)
        mark_legend(picture, f, legend, size);
    mark_text(picture, (Spot){1.6 * size, 2.4 * size}, size, title);
    return true;
}
