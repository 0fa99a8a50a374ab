// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The drawing list, meshes of simple shapes, and camera placement.
#include "render/render.h"

void sw_drawing_init(swDrawing *drawing, swArena *arena) { *drawing = (swDrawing){.arena = arena}; }

static void extend(swVec3 *lo, swVec3 *hi, swVec3 p) {
    if (sw_finite3(p)) {
        *lo = sw_min3(*lo, p);
        *hi = sw_max3(*hi, p);
    }
}

void sw_drawing_bounds(const swDrawing *drawing, swVec3 *lo, swVec3 *hi) {
    *lo = sw_v3(INFINITY, INFINITY, INFINITY);
    *hi = sw_scale(-1, *lo);
    for (int m = 0; m < drawing->meshes.count; m++)
        for (int i = 0; i < drawing->meshes.item[m].nvertex; i++)
            extend(lo, hi, drawing->meshes.item[m].x[i]);
    for (int i = 0; i < drawing->strokes.count; i++) {
        extend(lo, hi, drawing->strokes.item[i].a);
        extend(lo, hi, drawing->strokes.item[i].b);
    }
}

swDrawMesh sw_default_draw_mesh(void) {
    return (swDrawMesh){.paint = {0.90f, 0.44f, 0.32f}, .crease = 40 * SW_PI / 180, .opacity = 1};
}

bool sw_draw_mesh(swDrawing *drawing, const swDrawMesh *mesh, swError *error) {
    swDrawMesh *item = SW_PUSH(&drawing->meshes, drawing->arena, error);
    if (item)
        *item = *mesh;
    return item;
}

bool sw_draw_stroke(swDrawing *drawing, const swStroke *stroke, swError *error) {
    swStroke *item = SW_PUSH(&drawing->strokes, drawing->arena, error);
    if (item)
        *item = *stroke;
    return item;
}

bool sw_draw_dot(swDrawing *drawing, swVec3 at, swReal width, swColor color, swError *error) {
    return sw_draw_stroke(drawing, &(swStroke){at, at, width, color, 0.3}, error);
}

bool sw_draw_axes(swDrawing *drawing, swVec3 at, swMat3 A, swReal length, swReal width,
                  swError *error) {
    static const swColor color[3] = {
        {0.86f, 0.20f, 0.18f}, {0.22f, 0.62f, 0.24f}, {0.16f, 0.38f, 0.86f}};
    for (int k = 0; k < 3; k++) {
        swVec3 column = sw_v3(A.m[k], A.m[3 + k], A.m[6 + k]);
        swStroke stroke = {at, sw_madd(at, length, column), width, color[k], 0.4};
        if (!sw_draw_stroke(drawing, &stroke, error))
            return false;
    }
    return true;
}

// ---- shapes ----

enum { RINGS = 32, SECTORS = 64 }; // RINGS is even, so that a capsule can be split at the equator

// A unit vector orthogonal to the unit vector a.
static swVec3 orthogonal(swVec3 a) {
    swVec3 b = fabs(a.x) < 0.6 ? sw_v3(1, 0, 0) : sw_v3(0, 0, 1);
    return sw_unit(sw_sub(b, sw_scale(sw_dot(a, b), a)));
}

bool sw_draw_capsule(swDrawing *drawing, swVec3 from, swVec3 to, swReal radius, swColor paint,
                     swError *error) {
    swVec3 axis = sw_unit(sw_sub(to, from));
    if (!(sw_norm2(axis) > 0))
        axis = sw_v3(0, 1, 0);
    swVec3 u = orthogonal(axis), v = sw_cross(axis, u);
    // Rings from pole to pole, with the equator twice.
    enum { ROWS = RINGS + 2 };
    swVec3 *x = SW_NEW(drawing->arena, ROWS * SECTORS, swVec3, error);
    swVec3 *normal = SW_NEW(drawing->arena, ROWS * SECTORS, swVec3, error);
    int *triangle = SW_NEW(drawing->arena, 6 * (ROWS - 1) * SECTORS, int, error);
    if (!x || !normal || !triangle)
        return false;
    int n = 0;
    for (int r = 0; r < ROWS; r++) {
        bool upper = r > RINGS / 2;
        double a = SW_PI * ((double)(r - upper) / RINGS - 0.5);
        for (int s = 0; s < SECTORS; s++) {
            double b = 2 * SW_PI * s / SECTORS;
            int i = r * SECTORS + s, j = r * SECTORS + (s + 1) % SECTORS;
            normal[i] = sw_add(sw_scale(sin(a), axis),
                               sw_scale(cos(a), sw_madd(sw_scale(cos(b), u), sin(b), v)));
            x[i] = sw_madd(upper ? to : from, radius, normal[i]);
            if (r + 1 == ROWS)
                continue;
            int corner[6] = {i, j, j + SECTORS, i, j + SECTORS, i + SECTORS};
            for (int k = 0; k < 6; k++)
                triangle[n++] = corner[k];
        }
    }
    swDrawMesh mesh = sw_default_draw_mesh();
    mesh.nvertex = ROWS * SECTORS;
    mesh.x = x;
    mesh.normal = normal;
    mesh.ntriangle = n / 3;
    mesh.triangle = triangle;
    mesh.paint = paint;
    return sw_draw_mesh(drawing, &mesh, error);
}

bool sw_draw_sphere(swDrawing *drawing, swVec3 center, swReal radius, swColor paint,
                    swError *error) {
    return sw_draw_capsule(drawing, center, center, radius, paint, error);
}

bool sw_draw_box(swDrawing *drawing, swVec3 center, swMat3 R, swVec3 size, swColor paint,
                 swError *error) {
    static const int faces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    swVec3 *x = SW_NEW(drawing->arena, 8, swVec3, error);
    if (!x)
        return false;
    for (int i = 0; i < 8; i++) // corner i: bit k is set at the upper end of axis k
        x[i] = sw_add(center,
                      sw_mul(R, sw_v3((i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                                      (i & 4 ? 0.5 : -0.5) * size.z)));
    swDrawMesh mesh = sw_default_draw_mesh();
    mesh.nvertex = 8;
    mesh.x = x;
    mesh.ntriangle = 12;
    mesh.triangle = faces;
    mesh.paint = paint;
    return sw_draw_mesh(drawing, &mesh, error);
}

// ---- camera ----

swCamera sw_camera_frame(swVec3 lo, swVec3 hi, swVec3 direction, swReal fov, swReal aspect) {
    swVec3 up = sw_v3(0, 1, 0), center = sw_scale(0.5, sw_add(lo, hi));
    if (!sw_finite3(lo) || !sw_finite3(hi) || lo.x > hi.x) {
        center = sw_v3(0, 0, 0);
        lo = sw_v3(-1, -1, -1);
        hi = sw_v3(1, 1, 1);
    }
    if (!(fov > 1e-3 && fov < 3.1))
        fov = sw_default_render().camera.fov;
    if (!(aspect > 1e-3 && aspect < 1e3))
        aspect = 1;
    if (!sw_finite3(direction) || !(sw_norm2(direction) > 0))
        direction = sw_v3(0.5, 0.42, 1);
    direction = sw_unit(direction);
    if (fabs(direction.y) > 0.999)
        up = sw_v3(0, 0, -1);
    swVec3 right = sw_unit(sw_cross(up, direction)), over = sw_cross(direction, right);
    double ky = 1.12 / tan(fov / 2), kx = ky / aspect; // a margin of twelve percent
    // Moves the target until the projected corners are centred, and backs off until all of them
    // fit.
    double distance = 0;
    for (int round = 0; round < 8; round++) {
        double box[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY}, need = 0;
        for (int i = 0; i < 8; i++) {
            swVec3 p = sw_v3(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z);
            p = sw_sub(p, center);
            double x = sw_dot(p, right), y = sw_dot(p, over), z = sw_dot(p, direction);
            need = sw_max(need, z + sw_max(fabs(x) * kx, fabs(y) * ky));
            double shrink = distance > z ? distance / (distance - z) : 1;
            box[0] = sw_min(box[0], x * shrink), box[1] = sw_max(box[1], x * shrink);
            box[2] = sw_min(box[2], y * shrink), box[3] = sw_max(box[3], y * shrink);
        }
        distance = need;
        if (round > 0 && round < 7) {
            center = sw_madd(center, (box[0] + box[1]) / 2, right);
            center = sw_madd(center, (box[2] + box[3]) / 2, over);
        }
    }
    if (!(distance > 0))
        distance = 1;
    return (swCamera){sw_madd(center, distance, direction), center, up, fov};
}
