// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Shared by the files that implement solids.
#pragma once

#include "geometry/solid.h"
#include "formats/image.h"

// Larger coordinates are rejected as not finite, so that products of a few of them stay in range.
#define SW_SOLID_LIMIT 1e60

// The input from which a solid is created.
typedef struct swSolidSource {
    const swShape *shape;
    const char *folder, *key;
    const swConfig *config;
    swArena *arena;
    swError *error;
    const swSurface *surface; // for a mesh that is not in a file, else NULL
} swSolidSource;

// One kind of solid. Convex kinds provide `span`, the others `spans`.
typedef struct swSolidType {
    const char *name; // its key in scene files
    bool (*create)(swSolid *solid, const swSolidSource *source);
    swSpan (*span)(const swSolid *solid, swReal y, swReal z); // lo >= hi: outside
    bool (*spans)(const swSolid *solid, swReal y, swReal z, swSpanList *list, swArena *arena,
                  swError *error);
    swReal (*distance)(const swSolid *solid, swVec3 p);
    // NULL: use distance <= 0
    bool (*inside)(const swSolid *solid, swVec3 p);
} swSolidType;

struct swSolid {
    const swSolidType *type;
    swShapeKind kind;
    swVec3 lo, hi;
    swReal slack; // rounding: of the border in sw_solid_inside(); of spans of a mesh
    bool is_box;
    bool flat[3];  // the faces normal to this axis are breaks
    swVec3 a, b;   // sphere: centre a; capsule, cylinder and cone: the ends
    swVec3 axis;   // capsule, cylinder and cone: unit vector from a to b; half-space: its normal
    swReal length; // distance from a to b; half-space: its offset
    swReal radius;
    swReal top;            // cone: radius at b
    const swReal *polygon; // extrude: x0 y0 x1 y1 ...
    int npolygon;
    const struct swSolidMesh *mesh;
    const struct swSolidVolume *volume;
};

extern const swSolidType sw_solid_box, sw_solid_sphere, sw_solid_capsule, sw_solid_cylinder,
    sw_solid_cone, sw_solid_extrude, sw_solid_mesh, sw_solid_halfspace, sw_solid_volume;

// Fails with "KEY.KIND.FIELD: expected EXPECTED, found FOUND", where `found` has n numbers. Returns
// false.
bool sw_solid_bad(const swSolidSource *source, const char *field, const char *expected,
                  const swReal *found, int n);
// Fails unless every component is finite.
bool sw_solid_check_point(const swSolidSource *source, const char *field, swVec3 p);
bool sw_solid_check_positive(const swSolidSource *source, const char *field, swReal value);
// For meshes and volumes: checks the file name and the pose.
bool sw_solid_check_file(const swSolidSource *source);
char *sw_solid_path(const swSolidSource *source);               // NULL if memory runs out
void sw_solid_pose(const swShape *shape, swMat3 *R, swVec3 *t); // x = R (scale X) + t
// Creates the volume that source->shape makes of an image.
bool sw_volume_create(swSolid *solid, const swSolidSource *source, const swImage *image,
                      swArena *scratch);
// The breaks of a volume that is aligned with the axes.
bool sw_volume_breaks(const swSolid *solid, int axis, swSpanList *list, swArena *arena,
                      swError *error);

static inline bool sw_solid_finite(swReal v) { return fabs(v) <= SW_SOLID_LIMIT; }
static inline bool sw_solid_finite3(swVec3 v) {
    return sw_solid_finite(v.x) && sw_solid_finite(v.y) && sw_solid_finite(v.z);
}

// v / |v|, or zero. Divides, so that a vector along an axis becomes exactly that axis.
static inline swVec3 sw_solid_direction(swVec3 v) {
    swReal n = sw_norm(v);
    return n > 0 ? sw_v3(v.x / n, v.y / n, v.z / n) : sw_v3(0, 0, 0);
}

// Sorts by lo, ascending.
void sw_span_sort(swSpan *span, int count);
