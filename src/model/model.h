// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The compiled scene (constant) and its state (all that moves). A model has compiled bodies
// (model/body.h), bodies that are made of these, each at its own place, and what is around them. A
// state has a state for each body, and what acts between them.
#pragma once

#include "math/box.h"
#include "model/body.h"

// A body of the scene: an instance of a compiled one, which equal bodies share.
typedef struct swBodyPlace {
    int name;     // in text
    int compiled; // which one it is made of
    int q;        // first of its numbers in q0 and v0
    // First of each, as they are numbered in the model; `point`: embedded ones
    int frame, handle, muscle, shape, part, point;
    swAffine shift; // from where the first body of its kind is at t = 0 to where it is
    swVec3 center;  // of mass at t = 0
} swBodyPlace;

// Holds an embedded point of a body to one of another.
typedef struct swJointInfo {
    int name, body[2], point[2], unused;
    swReal stiffness; // [N/m]
} swJointInfo;

typedef struct swProbeInfo {
    int name, body, point; // an embedded point of its body
} swProbeInfo;

// What bodies meet, see contact/collider.h: a solid in local coordinates, those its shape is given
// in, which `place` puts into the world until something moves it.
typedef struct swColliderInfo {
    int name, kind; // kind: swShapeKind
    int motion;     // swColliderMotion
    int key, nkey;  // into keys
    int mesh;       // of a mesh: into collider_mesh; else -1
    swVec3 a, b;    // plane: normal; sphere: center; box: center, half size; others: from, to
    swReal r, top;  // plane: offset; others: radius; cylinder, cone: that at `to`
    swVec3 lo, hi;  // bounds; infinite where it has none
    swReal friction, stiffness; // stiffness <= 0: each body's default
    swAffine place;             // a rotation and a translation
} swColliderInfo;

// The triangles of a mesh that bodies meet, closed and in the order of the leaves of its tree, see
// geometry/bvh.h.
typedef struct swColliderMesh {
    int vertex, nvertex, triangle, ntriangle, node, nnode; // of its arrays
    int tangled, unused; // normals do not tell outside from inside: parts cross or face inwards
} swColliderMesh;

// Where the program has a collider: at the beginning of a step, and at its end.
typedef struct swColliderPlace {
    swAffine last, now;
} swColliderPlace;

// A spring on a point of a body, or springs on a frame; see potentials/pull.h.
typedef struct swPullInfo {
    int body;
    int point, node; // of which one is -1
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
    swVec3 gravity;  // that bodies know of
    swReal keys_end; // time of the last key there is: statics walk all of them
    swBodyState **body;
    int npull; // the last pull in use, from 1
    swPullInfo pull[SW_PULLS];
    swColliderInfo ball;       // a sphere that the program brings; r = 0: there is none
    swColliderPlace *collider; // of each, and of the ball: where the program has it
    swStepReport report;
    swProfile profile;         // of what bodies do not count themselves
    struct swIslands *islands; // see world/islands.h
    swModel *view;             // the model with inserted frames, where there may be any; or NULL
};

enum { SW_MODEL_VERSION = 20 };
struct swArchive;
// One without bodies. NULL with `error` filled on failure.
swModel *sw_model_create(const swConfig *config, swError *error);
// Lays its arrays (sizes set) into one zeroed block.
bool sw_model_allocate(swModel *model, swError *error);
// A model among the items of a file: into it; out of it, where the sizes are not yet believed (see
// sw_model_check()).
void sw_model_put(const swModel *model, struct swArchive *archive);
bool sw_model_get(swModel *model, struct swArchive *archive, swError *error);

static inline const char *sw_model_text(const swModel *model, int offset) {
    return model->text + offset;
}
// What a body is made of.
static inline const swBodyModel *sw_model_body(const swModel *model, int64_t body) {
    return model->compiled[model->place[body].compiled];
}
