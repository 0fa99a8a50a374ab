// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew verify: compares results of frames and tetrahedra with finite elements and closed forms.
//
//   Case       a problem with known results: how its scene is made, which values are read
//   Variant    the frames or tetrahedra that it is solved with
//   Row        a case with a variant, and bounds on its errors
//   Reference  a known result, named "case/value"
#pragma once

#include "cli.h"

// DUAL: rigid, dual quaternions. TETS1, TETS2: linear and quadratic tetrahedra instead of frames.
typedef enum Node { RIGID, DUAL, AFFINE, QUADRATIC, TETS1, TETS2, NODES } Node;

// See swIntegration: relaxed, not relaxed (locked), or with default settings, which correct.
typedef enum Relax { RELAXED, LOCKED, CORRECTED, RELAXES } Relax;

typedef struct Variant {
    Node node;
    const char *weights; // of tetrahedra: how volume change is treated, "plain" or "mean"
    int frames; // including handles that hold or move the body; of tetrahedra: cells across a bar
    Relax relax;
} Variant;

typedef struct Reference {
    const char *name;
    double value, error; // error: relative error of the reference itself; NaN: unknown
    int dof;             // 0: exact
    const char *origin;
    int npoint;
    const double *curve; // x, u(x) of each point
} Reference;

enum { VERIFY_VALUES = 8, VERIFY_FRAMES = 32 };

typedef enum Read {
    READ_NONE,
    READ_PROBE,  // displacement of the probe `of` along `axis` [m]
    READ_STRAIN, // of the line from the first probe to the second, along x
    READ_LINE,   // displacement of the last probe along x [m]; error: the largest along the curve
    READ_FORCE,  // of the handle `of` on the body along `axis` [N]
    READ_TORQUE, // the same [N m]
    READ_ENERGY, // elastic [J]
    READ_LOW,    // lowest displacement of the first probe along y in swing number `axis` [m]
    READ_PERIOD, // half the time of its second return to the top [s]
    READ_DRIFT,  // largest change of the total energy over the largest elastic energy
    READ_MODE    // frequency of vibration number `axis` of the kind `of` [Hz]
} Read;

typedef struct Value {
    const char *name;
    Read read;
    const char *of;
    int axis;
} Value;

typedef struct Case Case;

// A scene under construction; it owns what the scene refers to and must outlive it.
typedef struct Plan {
    const Case *problem;
    const Variant *variant;
    int refine;       // factor on voxels along each side; its square on integration points
    const char *mesh; // file of the tetrahedra, for rows for which verify_needs_mesh() is true
    swVec3 at[VERIFY_FRAMES];
} Plan;

struct Case {
    const char *name;
    bool (*build)(swScene *scene, Plan *plan); // false: out of memory
    const char *law;
    swReal poisson;
    swReal load;            // its meaning depends on `build`
    int kind;               // selects one of several bodies or loads
    const char *integrator; // of dynamic cases
    const Value *value;     // the last one has no name
};

typedef struct Row {
    const char *problem;
    Variant variant;
    double bound[VERIFY_VALUES]; // on the errors of the values, in their order [%]; 0: none yet
} Row;

typedef struct Result {
    double value[VERIFY_VALUES], error[VERIFY_VALUES]; // error [%]; NaN if the run failed
    int frames, dof;
    double seconds;
    char reason[SW_ERROR_MESSAGE]; // why it failed
} Result;

// The tables: NULL past the last, or if there is none of that name.
const Row *verify_row(int index);
const Case *verify_case(const char *name);
const Reference *verify_reference(const char *problem, const char *value);
// "cantilever-neo-hookean-g0.5-affine-hat-5". Returns `text`.
const char *verify_name(const Row *row, char text[96]);
extern const char *const verify_node_names[NODES], *const verify_relax_names[RELAXES];

// Kinds of bodies and loads, for the table of cases.
enum { PLATE_UNIFORM, PLATE_GRADIENT, PLATE_BAND, PLATE_BLOCK };
enum { COOK_FREE, COOK_PLANE }; // faces are free, or stay in their planes
enum { MODAL_BAR, MODAL_L, MODAL_T };
enum { MODAL_AXIS = 9 }; // probes on the axis of a vibrating bar, followed by as many at its side
bool build_pulled(swScene *scene, Plan *plan);     // load: Mooney's k [Pa]; kind: directions pulled
bool build_squeezed(swScene *scene, Plan *plan);   // load: strain
bool build_sheared(swScene *scene, Plan *plan);    // load: gamma
bool build_cantilever(swScene *scene, Plan *plan); // load: gravity [m/s^2]
bool build_tip_traction(swScene *scene, Plan *plan); // load: traction [N/m^2]
bool build_release(swScene *scene, Plan *plan);      // load: gravity [m/s^2]
bool build_torsion(swScene *scene, Plan *plan);      // load: angle [degrees]
bool build_plate(swScene *scene, Plan *plan);        // load: traction [N/m^2]
bool build_layers(swScene *scene, Plan *plan);       // kind: layers
bool build_contrast(swScene *scene, Plan *plan);     // load: ratio of the stiffnesses
bool build_cook(swScene *scene, Plan *plan);         // load: traction [N/m^2]; kind: its faces
bool build_t(swScene *scene, Plan *plan);            // load: force [N]; kind: axis of the force
bool build_modal(swScene *scene, Plan *plan);        // load: 1 if it is held

// Whether the tetrahedra of a row come from a file.
bool verify_needs_mesh(const Row *row);
// Writes that file if it is needed.
bool verify_write_mesh(const Row *row, int refine, const char *path, swError *error);
// Makes the scene of a row, and writes its mesh to the file `mesh` if it needs one; NULL with
// `error` filled on failure. The scene must be destroyed before the plan, which keeps `mesh`.
swScene *verify_scene(const Row *row, int refine, const char *mesh, Plan *plan, swError *error);
// Runs a row; false if it cannot be set up. If the simulation fails, the result has the reason.
bool verify_run(const Row *row, int refine, Result *result, swError *error);
// Whether value number `i` is missing or its error exceeds its bound.
bool verify_is_worse(const Row *row, const Result *result, int i);
