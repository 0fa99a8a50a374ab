// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Solids that bodies meet. Each is kept in local coordinates X, those its shape is given in; a
// pose, a rotation A and a translation b, puts it into the world: x = A X + b. A kind is one row of
// the table of collider.c, and knows nothing of poses.
#pragma once

#include "geometry/bvh.h"
#include "model/model.h"

// How deep a point is inside, with its derivatives there.
typedef struct swDepth {
    swReal depth;  // positive inside
    swVec3 normal; // out of it: d(depth)/dx = -normal
    swMat3 bend;   // dn/dx, symmetric; zero unless `curved`
    bool curved;
} swDepth;

// What a collider is made from.
typedef struct swColliderSource {
    const swShape *shape;
    const char *folder, *key; // of files; "colliders[0]"
    const swConfig *config;
    swArena *arena;
    swError *error;
    // Filled by meshes, in the arena:
    swBvh tree; // with triangles as numbers of vertices
    int nvertex;
    bool tangled; // as in swColliderMesh
} swColliderSource;

typedef struct swColliderKind {
    const char *name; // its key in scene files
    // From a shape to a, b, r and top, or to a mesh; the kind becomes what that is.
    bool (*read)(swColliderSource *source, swColliderInfo *collider);
    // In local coordinates. `inside` also says whether X is inside, and needs to fill `out` only
    // where it is; NULL: the sign of the depth does.
    swDepth (*depth)(const swModel *model, const swColliderInfo *collider, swVec3 X);
    bool (*inside)(const swModel *model, const swColliderInfo *collider, swVec3 X, swDepth *out);
    // A box around it, along the local axes; NULL: it has none.
    void (*bounds)(const swModel *model, const swColliderInfo *collider, swVec3 *lo, swVec3 *hi);
    // Whether what a file says of it can be used.
    bool (*sane)(const swModel *model, const swColliderInfo *collider);
    // Triangles to be shown, counter-clockwise from outside; NULL: it has no end.
    bool (*surface)(const swModel *model, const swColliderInfo *collider, swArena *arena,
                    swSurface *out, swError *error);
} swColliderKind;
extern const swColliderKind sw_collider_plane, sw_collider_box, sw_collider_sphere,
    sw_collider_capsule, sw_collider_cylinder, sw_collider_cone, sw_collider_trimesh,
    sw_collider_extrude;

// Whether what a file says of a collider can be used; its name, keys and mesh are there.
bool sw_collider_sane(const swModel *model, const swColliderInfo *collider);
// NULL: no collider is made from this kind of shape. Without a depth: it is read as another one.
const swColliderKind *sw_collider_kind(int kind);
// Sets lo and hi; a, b, r, top and mesh are there.
void sw_collider_measure(const swModel *model, swColliderInfo *collider);

swDepth sw_collider_depth(const swModel *model, const swColliderInfo *collider,
                          const swAffine *pose, swVec3 p);
// Whether p is inside; `out` is filled only where it is. Takes less time than the depth of a point
// that is not.
bool sw_collider_inside(const swModel *model, const swColliderInfo *collider, const swAffine *pose,
                        swVec3 p, swDepth *out);
// A box around it in the world; false: it has no end.
bool sw_collider_bounds(const swColliderInfo *collider, const swAffine *pose, swVec3 *lo,
                        swVec3 *hi);
// Where keys have it at time t; its place where it has none.
swAffine sw_collider_pose(const swModel *model, const swColliderInfo *collider, swReal t);
// Where a collider of a state is at a time of its next step.
swAffine sw_collider_where(const swState *world, int collider, swReal t);
// The colliders of a state: those of its model, and after them the ball where the program has
// brought it.
int sw_state_collider_count(const swState *world);
const swColliderInfo *sw_state_collider(const swState *world, int collider);

// A collider in a pose.
typedef struct swPosed {
    const swColliderInfo *info;
    swAffine pose;
    bool plane; // then that is normal . x = offset in the world
    swVec3 normal;
    swReal offset;
} swPosed;
swPosed sw_collider_posed(const swColliderInfo *collider, const swAffine *pose);
// As sw_collider_inside(). The bend is filled only where it is curved.
static inline bool sw_posed_inside(const swModel *model, const swPosed *collider, swVec3 p,
                                   swDepth *out) {
    if (!collider->plane)
        return sw_collider_inside(model, collider->info, &collider->pose, p, out);
    out->depth = collider->offset - sw_dot(collider->normal, p);
    out->normal = collider->normal;
    out->curved = false;
    return out->depth > 0;
}
// No point of a box in the world is nearer to it than this; negative: they may meet.
swReal sw_posed_gap(const swPosed *collider, swVec3 middle, swVec3 half);
// How far the point of a collider that is at x in one pose is from there in another: what sticks to
// it goes along.
swVec3 sw_collider_moved(const swAffine *from, const swAffine *to, swVec3 x);
// What is shown of it, in local coordinates; nothing where it has no end.
bool sw_collider_surface(const swModel *model, const swColliderInfo *collider, swArena *arena,
                         swSurface *out, swError *error);

// ---- for kinds ----
// k (I - n n^T - f f^T): normals fan out around n, but not along f (or zero).
swMat3 sw_collider_bend(swReal k, swVec3 normal, swVec3 flat);
// Fills the source's tree with a closed surface, which is changed; `crosses`: it may cross itself.
bool sw_collider_take_surface(swColliderSource *source, swSurface *surface, bool crosses);
