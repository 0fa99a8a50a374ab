// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The compiled scene (constant) and its state (everything that moves). A model has compiled bodies
// (model/body.h), bodies that are instances of these, each at its own place, and their
// surroundings. A state has one state for each body, and whatever acts between bodies.
#pragma once

#include "math/box.h"
#include "model/body.h"

// A body of the scene: an instance of a compiled body, which equal bodies share.
typedef struct swBodyPlace {
    int name;     // in `text`
    int compiled; // index of its compiled body
    int q;        // start of its numbers in q0 and v0
    // Index of its first item of each kind in the numbering of the model; `point`: embedded points.
    int frame, handle, muscle, shape, part, point;
    swAffine shift; // from where the first body of its kind is at t = 0 to where this one is
    swVec3 center;  // of mass at t = 0
} swBodyPlace;

// Ties an embedded point of one body to a point of another.
typedef struct swJointInfo {
    int name, body[2], point[2], unused;
    swReal stiffness; // [N/m]
} swJointInfo;

typedef struct swProbeInfo {
    int name, body, point; // point: an embedded point of the body
} swProbeInfo;

// What bodies collide with, see contact/collider.h: a solid in the local coordinates in which its
// shape is given. `place` puts it into the world until something moves it.
typedef struct swColliderInfo {
    int name, kind; // kind: swShapeKind
    int motion;     // swColliderMotion
    int key, nkey;  // range in `key`
    int mesh;       // for a mesh: index into collider_mesh; else -1
    swVec3 a, b;    // plane: normal; sphere: centre; box: centre, half size; others: from, to
    swReal r, top;  // plane: offset; others: radius; cylinder, cone: `top` is the radius at `to`
    swVec3 lo, hi;  // bounding box; infinite if unbounded
    swReal friction, stiffness; // stiffness <= 0: use each body's default
    swAffine place;             // a rotation and a translation
} swColliderInfo;

// The triangles of a collider mesh, closed and in the order of the leaves of its tree, see
// geometry/bvh.h.
typedef struct swColliderMesh {
    int vertex, nvertex, triangle, ntriangle, node, nnode; // ranges in its arrays
    int tangled, unused; // normals do not tell outside from inside: parts cross or face inwards
} swColliderMesh;

// The pose that the program gives a collider at the beginning and at the end of a step.
typedef struct swColliderPlace {
    swAffine last, now;
} swColliderPlace;

// A spring on a point of a body, or springs on a frame; see potentials/pull.h.
typedef struct swPullInfo {
    int body;
    int point, node; // one of them is -1
    int unused;
    swVec3 to;
    swMat3 rotation;
    swReal stiffness; // 0: not in use
} swPullInfo;

typedef struct swModelSizes {
#define SW_SIZE(name) int64_t name;
#define SW_ARRAY(type, name, count) int64_t count;
#define SW_FIELD(type, name, count)
#include "model/model_fields.inl"
} swModelSizes;

struct swModel {
    swConfig config;
    swSettings settings;
    swModelSizes size;
    void *block;
    size_t block_size;
#define SW_FIELD(type, name, count) type *name;
#include "model/model_fields.inl"
    swBodyModel **compiled; // size.ncompiled
};

struct swState {
    swConfig config;
    const swModel *model;
    swPool *pool;
    swReal t;
    int64_t step;
    swReal clock_time; // t = clock_time + (step - clock_step) clock_h: no sum of rounded steps
    int64_t clock_step;
    swReal clock_h;
    swVec3 gravity;  // the gravity that bodies use
    swReal keys_end; // time of the last key; a static analysis goes through all of them
    swBodyState **body;
    int npull; // number of the last pull in use, from 1
    swPullInfo pull[SW_PULLS];
    swColliderInfo ball;       // a sphere that the program controls; r = 0: none
    swColliderPlace *collider; // of each collider, and of the ball: the pose set by the program
    swStepReport report;
    swProfile profile;         // of work that bodies do not account for themselves
    struct swIslands *islands; // see world/islands.h
    swModel *view;             // the model with inserted frames, if any may exist; else NULL
};

enum { SW_MODEL_VERSION = 20 };
struct swArchive;
// Creates a model without bodies. NULL with `error` filled on failure.
swModel *sw_model_create(const swConfig *config, swError *error);
// Allocates its arrays (whose sizes are set) in one zeroed block.
bool sw_model_allocate(swModel *model, swError *error);
// Writes a model to the items of a file, or reads it from them. After reading it is not yet
// validated (see sw_model_check()).
void sw_model_put(const swModel *model, struct swArchive *archive);
bool sw_model_get(swModel *model, struct swArchive *archive, swError *error);

static inline const char *sw_model_text(const swModel *model, int offset) {
    return model->text + offset;
}
// The compiled body that a body is an instance of.
static inline const swBodyModel *sw_model_body(const swModel *model, int64_t body) {
    return model->compiled[model->place[body].compiled];
}
