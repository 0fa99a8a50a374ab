// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A shape made ready for questions: where it is, where a ray is inside it, how far its border is.
// One file per family of shapes; each kind is one row in the table of solid.c.
#pragma once

#include "geometry/surface.h"
#include "sinew/scene.h"

typedef struct swSpan {
    swReal lo, hi; // along x, lo < hi
    int entry;     // of a volume's palette; 0 in other solids
} swSpan;
typedef SW_LIST(swSpan) swSpanList;

typedef struct swSolid swSolid;

// What a volume is filled with where its spans name this entry.
typedef struct swSolidEntry {
    const char *material;  // by name; NULL: the shape's own
    int label;             // of the image; INT32_MIN: none
    swReal young, density; // not-a-number: the material's own
} swSolidEntry;

// Builds from one shape (not a union); reads the file of a mesh or volume from `folder`, repairs
// nothing, and warns through `config` of every defect it counts. `key` names the shape in errors
// ("bodies[0].shape").
swSolid *sw_solid_create(const swShape *shape, const char *folder, const char *key,
                         const swConfig *config, swArena *arena, swError *error);
// The same for SW_SHAPE_VOLUME from an image in memory, which is not needed afterwards.
struct swImage;
swSolid *sw_solid_of_image(const swShape *shape, const struct swImage *image, const char *key,
                           const swConfig *config, swArena *arena, swError *error);
// A mesh of triangles that is in memory, and is kept.
swSolid *sw_solid_of_surface(const swSurface *surface, const char *key, const swConfig *config,
                             swArena *arena, swError *error);
// The surface of a mesh, which must be closed and have an inside, scaled and posed; *crossings: how
// often it crosses itself. Warns of that.
struct swCrossings;
bool sw_solid_closed_surface(const swShape *shape, const char *folder, const char *key,
                             const swConfig *config, swSurface *surface,
                             struct swCrossings *crossings, swArena *arena, swError *error);
swShapeKind sw_solid_kind(const swSolid *solid);
void sw_solid_bounds(const swSolid *solid, swVec3 *lo, swVec3 *hi); // infinite for half-spaces
// Appends, in order and disjoint, the stretches of the line (x, y, z), x free, that lie inside.
bool sw_solid_spans(const swSolid *solid, swReal y, swReal z, swSpanList *list, swArena *arena,
                    swError *error);
// Values of coordinate `axis` (1 or 2) at which the cross-section changes abruptly (faces of boxes,
// corners of polygons, flat ends of cylinders along that axis): slabs between them integrate
// exactly. Appends as spans with lo = hi.
bool sw_solid_breaks(const swSolid *solid, int axis, swSpanList *list, swArena *arena,
                     swError *error);
bool sw_solid_is_box(
    const swSolid *solid); // spans do not vary between breaks: one ray per slab is exact
// To the border, negative inside. Of a volume the sign alone is right; its size is half a voxel.
swReal sw_solid_distance(const swSolid *solid, swVec3 p);
// Inside or on the border, to within rounding (1e-12 of the coordinates).
bool sw_solid_inside(const swSolid *solid, swVec3 p);
const swSurface *sw_solid_surface(const swSolid *solid); // of a mesh, else NULL
// Entries 1, 2, ... of a volume (0 is outside), else NULL; *count includes entry 0.
const swSolidEntry *sw_solid_palette(const swSolid *solid, int *count);
