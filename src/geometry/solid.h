// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A shape prepared for queries: its bounds, the spans of a ray inside it, the distance to its
// border. There is one file per family of shapes; each kind is a row in the table of solid.c.
#pragma once

#include "geometry/surface.h"
#include "sinew/scene.h"

typedef struct swSpan {
    swReal lo, hi; // along x, lo < hi
    int entry;     // index in a volume's palette; 0 for other solids
} swSpan;
typedef SW_LIST(swSpan) swSpanList;

typedef struct swSolid swSolid;

// What fills a volume in spans that have this palette entry.
typedef struct swSolidEntry {
    const char *material;  // by name; NULL: the shape's own
    int label;             // label in the image; INT32_MIN: none
    swReal young, density; // not-a-number: the material's own
} swSolidEntry;

// Creates a solid from a shape that is not a union. Reads the file of a mesh or volume relative to
// `folder`, repairs nothing, and warns through `config` of every defect it finds. `key` names the
// shape in errors ("bodies[0].shape").
swSolid *sw_solid_create(const swShape *shape, const char *folder, const char *key,
                         const swConfig *config, swArena *arena, swError *error);
// The same for SW_SHAPE_VOLUME from an image in memory, which is not needed afterwards.
struct swImage;
swSolid *sw_solid_of_image(const swShape *shape, const struct swImage *image, const char *key,
                           const swConfig *config, swArena *arena, swError *error);
// Creates a mesh solid from triangles in memory, which must stay.
swSolid *sw_solid_of_surface(const swSurface *surface, const char *key, const swConfig *config,
                             swArena *arena, swError *error);
// Reads, scales and poses the surface of a mesh, which must be closed and have an inside. Sets
// *crossings to the number of its self-intersections and warns of them.
struct swCrossings;
bool sw_solid_closed_surface(const swShape *shape, const char *folder, const char *key,
                             const swConfig *config, swSurface *surface,
                             struct swCrossings *crossings, swArena *arena, swError *error);
swShapeKind sw_solid_kind(const swSolid *solid);
void sw_solid_bounds(const swSolid *solid, swVec3 *lo, swVec3 *hi); // infinite for half-spaces
// Appends, in order and disjoint, the parts of the line (x, y, z) with free x that lie inside.
bool sw_solid_spans(const swSolid *solid, swReal y, swReal z, swSpanList *list, swArena *arena,
                    swError *error);
// Appends the values of coordinate `axis` (1 or 2) at which the cross-section changes abruptly
// (faces of boxes, corners of polygons, flat ends of cylinders along that axis), as spans with lo =
// hi. Slabs between them can be integrated exactly.
bool sw_solid_breaks(const swSolid *solid, int axis, swSpanList *list, swArena *arena,
                     swError *error);
bool sw_solid_is_box(
    const swSolid *solid); // spans do not vary between breaks: one ray per slab is exact
// Signed distance to the border, negative inside. For a volume only the sign is right; the
// magnitude is half a voxel.
swReal sw_solid_distance(const swSolid *solid, swVec3 p);
// Whether p is inside or on the border, up to rounding (1e-12 of the coordinates).
bool sw_solid_inside(const swSolid *solid, swVec3 p);
const swSurface *sw_solid_surface(const swSolid *solid); // for a mesh, else NULL
// Entries 1, 2, ... of a volume's palette (0 is outside), or NULL for other solids; *count includes
// entry 0.
const swSolidEntry *sw_solid_palette(const swSolid *solid, int *count);
