// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The table of kinds, what they share, and half-spaces.
#include "geometry/solid_internal.h"

#include <string.h>

#define SLACK 1e-12 // relative rounding error of coordinates

static const swSolidType *const types[SW_SHAPE_KINDS] = {
    [SW_SHAPE_BOX] = &sw_solid_box,         [SW_SHAPE_SPHERE] = &sw_solid_sphere,
    [SW_SHAPE_CAPSULE] = &sw_solid_capsule, [SW_SHAPE_CYLINDER] = &sw_solid_cylinder,
    [SW_SHAPE_CONE] = &sw_solid_cone,       [SW_SHAPE_EXTRUDE] = &sw_solid_extrude,
    [SW_SHAPE_MESH] = &sw_solid_mesh,       [SW_SHAPE_HALFSPACE] = &sw_solid_halfspace,
    [SW_SHAPE_VOLUME] = &sw_solid_volume,
};

static swSolid *create(const swSolidSource *source, const swImage *image) {
    const swShape *shape = source->shape;
    swSolid *solid = SW_NEW(source->arena, 1, swSolid, source->error);
    if (!solid)
        return NULL;
    solid->kind = shape->kind;
    solid->type = types[shape->kind];
    if (image) {
        swArena scratch;
        sw_arena_init(&scratch, &source->arena->allocator);
        bool ok = sw_volume_create(solid, source, image, &scratch);
        sw_arena_free(&scratch);
        if (!ok)
            return NULL;
    } else if (!solid->type->create(solid, source))
        return NULL;
    swReal size = fabs(solid->length);
    for (int k = 0; k < 3 && solid->kind != SW_SHAPE_HALFSPACE; k++)
        size = sw_max(size, sw_max(-sw_get(solid->lo, k), sw_get(solid->hi, k)));
    solid->slack = SLACK * size;
    return solid;
}

swSolid *sw_solid_create(const swShape *shape, const char *folder, const char *key,
                         const swConfig *config, swArena *arena, swError *error) {
    const swSolidSource source = {shape, folder, key ? key : "shape", config, arena, error, NULL};
    if ((unsigned)shape->kind < SW_SHAPE_KINDS && types[shape->kind])
        return create(&source, NULL);
    sw_fail(error, SW_ERROR_VALUE, "%s: expected one solid, found %s", source.key,
            shape->kind == SW_SHAPE_UNION   ? "a union"
            : shape->kind == SW_SHAPE_LABEL ? "labels of an image"
                                            : "an unknown kind");
    return NULL;
}

swSolid *sw_solid_of_image(const swShape *shape, const swImage *image, const char *key,
                           const swConfig *config, swArena *arena, swError *error) {
    SW_ASSERT(shape->kind == SW_SHAPE_VOLUME);
    return create(&(swSolidSource){shape, NULL, key, config, arena, error, NULL}, image);
}

swSolid *sw_solid_of_surface(const swSurface *surface, const char *key, const swConfig *config,
                             swArena *arena, swError *error) {
    const swShape shape = {.kind = SW_SHAPE_MESH, .scale = 1, .file = key};
    return create(&(swSolidSource){&shape, NULL, key, config, arena, error, surface}, NULL);
}

swShapeKind sw_solid_kind(const swSolid *solid) { return solid->kind; }

void sw_solid_bounds(const swSolid *solid, swVec3 *lo, swVec3 *hi) {
    *lo = solid->lo;
    *hi = solid->hi;
}

bool sw_solid_spans(const swSolid *solid, swReal y, swReal z, swSpanList *list, swArena *arena,
                    swError *error) {
    if (solid->type->spans)
        return solid->type->spans(solid, y, z, list, arena, error);
    swSpan span = solid->type->span(solid, y, z);
    span.lo = sw_max(span.lo, solid->lo.x);
    span.hi = sw_min(span.hi, solid->hi.x);
    if (!(span.lo < span.hi))
        return true;
    swSpan *last = SW_PUSH(list, arena, error);
    if (last)
        *last = span;
    return last != NULL;
}

static bool push_break(swReal at, swSpanList *list, swArena *arena, swError *error) {
    swSpan *last = SW_PUSH(list, arena, error);
    if (last)
        *last = (swSpan){at, at, 0};
    return last != NULL;
}

bool sw_solid_breaks(const swSolid *solid, int axis, swSpanList *list, swArena *arena,
                     swError *error) {
    SW_ASSERT(axis == 1 || axis == 2);
    if (solid->kind == SW_SHAPE_EXTRUDE && axis == 1) {
        for (int i = 0; i < solid->npolygon; i++)
            if (!push_break(solid->polygon[2 * i + 1], list, arena, error))
                return false;
        return true;
    }
    if (!solid->flat[axis])
        return true;
    if (solid->kind == SW_SHAPE_VOLUME)
        return sw_volume_breaks(solid, axis, list, arena, error);
    if (solid->kind == SW_SHAPE_HALFSPACE)
        return push_break(solid->length * sw_get(solid->axis, axis), list, arena, error);
    return push_break(sw_get(solid->lo, axis), list, arena, error) &&
           push_break(sw_get(solid->hi, axis), list, arena, error);
}

bool sw_solid_is_box(const swSolid *solid) { return solid->is_box; }

swReal sw_solid_distance(const swSolid *solid, swVec3 p) { return solid->type->distance(solid, p); }

bool sw_solid_inside(const swSolid *solid, swVec3 p) {
    if (solid->type->inside && solid->type->inside(solid, p))
        return true;
    swReal size = sw_max(sw_max(fabs(p.x), fabs(p.y)), fabs(p.z));
    return solid->type->distance(solid, p) <= solid->slack + SLACK * size;
}

// ---- checks ----

static int put_number(char *text, size_t size, swReal value) {
    char number[32];
    if (isfinite(value))
        sw_text_format(value, number);
    else
        strcpy(number, isnan(value) ? "none" : value > 0 ? "inf" : "-inf");
    return snprintf(text, size, "%s", number);
}

bool sw_solid_bad(const swSolidSource *source, const char *field, const char *expected,
                  const swReal *found, int n) {
    char text[128];
    int length = n > 1 ? snprintf(text, sizeof text, "[") : 0;
    for (int i = 0; i < n; i++) {
        if (i)
            length += snprintf(text + length, sizeof text - (size_t)length, ", ");
        length += put_number(text + length, sizeof text - (size_t)length, found[i]);
    }
    snprintf(text + length, sizeof text - (size_t)length, "%s", n > 1 ? "]" : "");
    return sw_fail(source->error, SW_ERROR_VALUE, "%s.%s.%s: expected %s, found %s", source->key,
                   types[source->shape->kind]->name, field, expected, text);
}

bool sw_solid_check_point(const swSolidSource *source, const char *field, swVec3 p) {
    return sw_solid_finite3(p) ||
           sw_solid_bad(source, field, "finite coordinates", (swReal[]){p.x, p.y, p.z}, 3);
}

bool sw_solid_check_positive(const swSolidSource *source, const char *field, swReal value) {
    return (value > 0 && sw_solid_finite(value)) ||
           sw_solid_bad(source, field, "a positive number", &value, 1);
}

// ---- files ----

bool sw_solid_check_file(const swSolidSource *source) {
    const swShape *shape = source->shape;
    const swPose *pose = &shape->pose;
    if (!shape->file || !shape->file[0])
        return sw_fail(source->error, SW_ERROR_VALUE,
                       "%s.%s.file: expected the name of a file, found none", source->key,
                       types[shape->kind]->name);
    if (!sw_solid_check_point(source, "rotate.about", pose->about) ||
        !sw_solid_check_point(source, "rotate.axis", pose->axis) ||
        !sw_solid_check_point(source, "translate", pose->translate))
        return false;
    if (!sw_solid_finite(pose->angle))
        return sw_solid_bad(source, "rotate.degrees", "a finite angle", &pose->angle, 1);
    if (pose->angle != 0 && !(sw_norm(pose->axis) > 0))
        return sw_solid_bad(source, "rotate.axis", "a direction",
                            (swReal[]){pose->axis.x, pose->axis.y, pose->axis.z}, 3);
    return true;
}

char *sw_solid_path(const swSolidSource *source) {
    return sw_path_join(source->folder, source->shape->file, source->arena, source->error);
}

void sw_solid_pose(const swShape *shape, swMat3 *R, swVec3 *t) {
    const swPose *pose = &shape->pose;
    *R = sw_mat_rotation(sw_scale(pose->angle, sw_unit(pose->axis)));
    *t = sw_sub(sw_add(pose->about, pose->translate), sw_mul(*R, pose->about));
}

// Shell sort: most rays have only a few crossings, but in some meshes hundreds.
void sw_span_sort(swSpan *span, int count) {
    static const int gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (int g = 0; g < SW_COUNT(gaps); g++)
        for (int gap = gaps[g], i = gap; i < count; i++) {
            swSpan s = span[i];
            int j = i;
            for (; j >= gap && span[j - gap].lo > s.lo; j -= gap)
                span[j] = span[j - gap];
            span[j] = s;
        }
}

// ---- half-spaces: axis . x <= length ----

static bool halfspace_create(swSolid *solid, const swSolidSource *source) {
    const swShape *shape = source->shape;
    swVec3 n = shape->normal;
    solid->axis = sw_solid_direction(n);
    solid->length = shape->offset;
    if (!sw_solid_finite3(n) || !(sw_norm(solid->axis) > 0.5))
        return sw_solid_bad(source, "normal", "a direction", (swReal[]){n.x, n.y, n.z}, 3);
    if (!sw_solid_finite(shape->offset))
        return sw_solid_bad(source, "offset", "a finite number", &shape->offset, 1);
    solid->lo = sw_v3(-INFINITY, -INFINITY, -INFINITY);
    solid->hi = sw_v3(INFINITY, INFINITY, INFINITY);
    for (int k = 0; k < 3; k++)
        solid->is_box |= solid->flat[k] = fabs(sw_get(solid->axis, k)) == 1;
    return true;
}

static swSpan halfspace_span(const swSolid *solid, swReal y, swReal z) {
    swVec3 n = solid->axis;
    swReal rest = solid->length - n.y * y - n.z * z; // n.x x <= rest
    if (n.x == 0)
        return rest < 0 ? (swSpan){0, 0, 0} : (swSpan){-INFINITY, INFINITY, 0};
    return n.x > 0 ? (swSpan){-INFINITY, rest / n.x, 0} : (swSpan){rest / n.x, INFINITY, 0};
}

static swReal halfspace_distance(const swSolid *solid, swVec3 p) {
    return sw_dot(solid->axis, p) - solid->length;
}

const swSolidType sw_solid_halfspace = {.name = "halfspace",
                                        .create = halfspace_create,
                                        .span = halfspace_span,
                                        .distance = halfspace_distance};
