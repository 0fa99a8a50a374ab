// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The description of what to simulate: plain structs, built in C or read from JSON.
//
// Every struct below is created by an sw_*_add_* call, which sets each field to its default and
// links it into the scene. Edit the fields freely until sw_compile(). Pointers stay valid as long
// as the scene. The calls copy the names they are given; a string or array that is assigned to a
// field is only borrowed and must outlive the scene (sw_scene_text() copies a string into it). NaN
// in a number means "not given". Units are SI, angles are in radians here (in degrees in files),
// and coordinates are right-handed with y up.
//
// Positions inside a body (shapes, frames, regions, probes) are in the body's own rest coordinates;
// `place` then puts the body into the world. Gravity, forces, colliders and the motion of handles
// are in world coordinates.
#pragma once

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct swScene swScene;

// ---- materials ----

enum { SW_MATERIAL_PARAMS = 12 };

/// A key of a value over time: the activation of fibres or of a muscle, or the share of a rest
/// shape.
typedef struct swActivationKey {
    struct swActivationKey *next;
    swReal t;     ///< [s], ascending
    swReal value; ///< from 0 to 1
} swActivationKey;

/// Fibres in one direction, of muscle or tendon. There are none if stiffness and strength are both
/// 0, the default.
typedef struct swFibre {
    swVec3 direction;      ///< in the body's rest coordinates; need not be a unit vector
    swReal stiffness;      ///< k1: passive stiffness, in tension only [Pa]
    swReal exponent;       ///< k2: how fast they stiffen; 1 by default
    swReal strength;       ///< active stress along the fibre, per rest area, at activation 1 [Pa]
    swReal activation;     ///< from 0 to 1; NaN: given by keys
    swActivationKey *keys; ///< piecewise linear, constant before the first and after the last;
                           ///< added with sw_material_add_activation()
    swReal repeat;         ///< period after which the keys start again [s]; NaN: they do not
} swFibre;

/// Whether material moves as a rigid part, each connected piece being a free handle of its own. By
/// default it does where it is at least 10 000 times stiffer than the softest material of the body.
typedef enum swRigid { SW_RIGID_AUTO, SW_RIGID_ALWAYS, SW_RIGID_NEVER } swRigid;

/// How a material with a yield stress flows: by a product F = Fe Fp, with any law, or by a sum of
/// strains e = e_el + e_pl, with laws that are linear in a strain (linear, stvk).
typedef enum swPlasticity { SW_PLASTICITY_MULTIPLICATIVE, SW_PLASTICITY_ADDITIVE } swPlasticity;

/// What a body is made of. By default neo-Hookean with E = 1e5 Pa, nu = 0.3 and 1000 kg/m^3.
typedef struct swMaterial {
    struct swMaterial *next;
    const char *name;                 ///< by which shapes refer to it
    const char *law;                  ///< constitutive law, a name from sw_law_name()
    swReal young;                     ///< Young's modulus at rest [Pa]
    swReal poisson;                   ///< Poisson's ratio at rest, above -1 and below 0.5
    swReal density;                   ///< [kg/m^3]
    swReal param[SW_MATERIAL_PARAMS]; ///< the law's own parameters, in its order; NaN: derived
                                      ///< from young and poisson
    swReal volume;                    ///< adds volume/2 (J - 1)^2 to any law [Pa]; 0 by default
    swFibre fibre;                    ///< added to any law
    swReal yield;                     ///< stress in tension at which it flows [Pa]; NaN: never
    swReal hardening;        ///< increase of the yield stress per plastic strain [Pa]; 0 by default
    swPlasticity plasticity; ///< multiplicative by default
    swReal creep;     ///< rate at which stress above the yield stress decays [1/s]; NaN: at once
    swReal toughness; ///< tension at which it tears, in bodies of tets [Pa]; NaN: never
    swReal limit;     ///< largest plastic strain, for additive plasticity only; NaN: no limit
    swRigid rigid;    ///< auto by default
} swMaterial;

// ---- shapes: solids, regions and colliders are all made of these kinds ----

typedef enum swAxis { SW_AXIS_X, SW_AXIS_Y, SW_AXIS_Z } swAxis;

/// The kinds of shapes, each with the fields that it uses.
typedef enum swShapeKind {
    SW_SHAPE_BOX,       ///< size, center
    SW_SHAPE_SPHERE,    ///< center, radius
    SW_SHAPE_CAPSULE,   ///< from, to, radius: all points within the radius of the segment
    SW_SHAPE_CYLINDER,  ///< from, to, radius: flat ends
    SW_SHAPE_EXTRUDE,   ///< polygon in x and y (closed automatically, either winding), extruded
                        ///< along z from zrange[0] to zrange[1]
    SW_SHAPE_MESH,      ///< file; scaled, then rotated, then translated
    SW_SHAPE_UNION,     ///< parts, later ones painted over earlier ones
    SW_SHAPE_HALFSPACE, ///< normal . x <= offset; for regions and colliders only
    SW_SHAPE_VOLUME,    ///< file: a volume image, filled by its labels or grey values
    SW_SHAPE_LABEL,     ///< label: the material with these labels of the image; for regions only
    SW_SHAPE_CONE,      ///< from, to, radius, top: flat ends with these radii; top 0: an apex
    SW_SHAPE_KINDS
} swShapeKind;

/// Which material labels of an image are made of.
typedef struct swLabels {
    struct swLabels *next;
    const char *labels;   ///< integers and ranges of them: "7", "1-3, 12"
    const char *material; ///< by name
} swLabels;

/// A rotation about an axis through a point, then a translation. The identity by default.
typedef struct swPose {
    swVec3 axis;      ///< need not be a unit vector
    swReal angle;     ///< [rad]
    swVec3 about;     ///< a point of the axis [m]
    swVec3 translate; ///< [m]
} swPose;

/// One solid, region or collider. Its kind says which of the fields are used.
typedef struct swShape {
    struct swShape *next; ///< the next part of the same union
    swShapeKind kind;
    const char *material;  ///< by name; NULL: that of the enclosing shape, or the scene's only one
    swVec3 size, center;   ///< [m]
    swVec3 from, to;       ///< [m]
    swReal radius;         ///< [m]
    swReal top;            ///< of a cone: radius at `to` [m]; 0 by default
    swVec3 normal;         ///< need not be a unit vector
    swReal offset;         ///< along the unit normal [m]
    swReal zrange[2];      ///< lowest and highest z [m]
    const swReal *polygon; ///< x0 y0 x1 y1 ... [m], borrowed
    int npolygon;          ///< number of corners
    const char *file; ///< a mesh (.obj, .ply, .stl, .off, .glb, .gltf) or an image (.nii, .nrrd,
                      ///< .mha, .png, ...); relative to the scene's folder
    swReal scale;     ///< from file units to metres; 1 by default
    swPose pose;      ///< meshes: rotation (about the origin by default) and translation, applied
                      ///< after the scale
    struct swShape *parts; ///< of a union
    // The rest is for volumes. Their image is scaled, rotated and translated like a mesh; if
    // `scale` is NaN, the file's own unit of length is used if it names one, else 1.
    swLabels *labels;        ///< what is filled, and with which material; added with
                             ///< sw_shape_add_labels(). NULL: everything but 0
    const swReal *young;     ///< Young's modulus as a function of grey value: g0 E0 g1 E1 ... [Pa],
                             ///< ascending in g, piecewise linear, constant outside; 0 is empty.
                             ///< Borrowed
    int nyoung;              ///< number of pairs; 0: the modulus of the material
    const swReal *density;   ///< density as a function of grey value, likewise [kg/m^3]
    int ndensity;            ///< number of pairs; 0: the density of the material
    swReal pixel, thickness; ///< of a flat picture: edge of a pixel, and extent along z [m]
    const char *fill;        ///< name of a material for the gaps between what is filled; NULL: none
    swReal reach;            ///< gaps narrower than twice this are filled [m]
    const char *label;       ///< of a label region: "7", "1-3, 12"
} swShape;

// ---- bodies ----

/// What a frame can do.
typedef enum swNodeKind {
    SW_NODE_POINT,     ///< translate: 3 degrees of freedom
    SW_NODE_RIGID,     ///< translate and rotate: 6
    SW_NODE_AFFINE,    ///< any affine map: 12
    SW_NODE_QUADRATIC, ///< any quadratic map: 30
    SW_NODE_KINDS
} swNodeKind;
/// How the frames that move a point combine: linearly, x = sum w A p, or by blending dual
/// quaternions (rigid frames only).
typedef enum swBlend { SW_BLEND_LINEAR, SW_BLEND_DUAL_QUATERNION, SW_BLENDS } swBlend;
/// The basis of a reduced body: its lowest vibrations; as many vibrations as fit together with all
/// of their modal derivatives; or the principal components, by mass, of more of both.
typedef enum swBasisKind { SW_BASIS_LINEAR, SW_BASIS_DERIVATIVES, SW_BASIS_PCA } swBasisKind;
/// How a handle moves: simulated as a rigid part, held where it is, or moved by its keys.
typedef enum swMotion { SW_MOTION_FREE, SW_MOTION_FIXED, SW_MOTION_KEYS } swMotion;
/// How distances are measured: in a straight line, through the material, or through the material
/// with each length divided by Young's modulus, so that stiff paths are short.
typedef enum swDistance {
    SW_DISTANCE_EUCLIDEAN,
    SW_DISTANCE_GEODESIC,
    SW_DISTANCE_COMPLIANCE
} swDistance;

/// The mass matrix: exact, or without coupling between frames.
typedef enum swMass { SW_MASS_FULL, SW_MASS_LUMPED } swMass;

/// How much each frame moves each point.
typedef struct swWeightsDef {
    const char *kind;    ///< a name from sw_weights_name(); "smooth" by default
    swDistance distance; ///< by which frames are placed and weights fade; geodesic by default
    int levels;          ///< voronoi: number of isosurfaces between the border of a frame's part
                         ///< and the neighbouring frames; 2 by default
    swReal spread;       ///< smooth: how far the parts of frames are blurred, relative to the mean
                         ///< square of the distance to the nearest frame; 2 by default
    swReal power;        ///< shepard: weight = distance^-power, at least 1; 2 by default
    swVec3 axis;         ///< hat, spline: axis along which they vary; zero: the body's longest side
    const char *maps;    ///< painted: image files of the weights, such as "w%d.nrrd", with %d the
                         ///< number of the frame from 0
} swWeightsDef;

enum { SW_INSERTS = 32 }; ///< most frames that can be inserted into a body at a time

/// Frames that are inserted while the body moves, and removed again.
typedef struct swAdapt {
    int budget;          ///< most frames inserted at a time; 0, the default: none, and the body
                         ///< keeps nothing for them
    swReal range;        ///< radius within which an inserted frame acts, at rest [m], from two
                         ///< voxels to the body's diagonal; NaN: a quarter of the cube root of the
                         ///< volume, but at least four voxels
    swDistance distance; ///< how the range is measured: euclidean, or geodesic (the default)
    bool contact;  ///< sw_state_adapt() inserts where something presses or pulls; true by default
    swReal strain; ///< it also inserts where the largest principal strain exceeds this; NaN: never
} swAdapt;

enum { SW_FRAMES_AUTO = -1 };

/// The frames of a body. Handles come in addition.
typedef struct swFrames {
    swNodeKind kind;  ///< affine by default
    swBlend blend;    ///< linear by default
    int count;        ///< frames placed automatically, in addition to those in `at`. By default
                      ///< SW_FRAMES_AUTO: 5, or for a corrected body without `at` as many more as
                      ///< bring its error by linear theory below 2 %
    swReal error;     ///< instead of count: as many frames as bring the estimated error of
                      ///< displacements below this fraction; NaN: use count
    const swVec3 *at; ///< rest positions of further frames [m], borrowed
    int nat;          ///< their number
    const swNodeKind *kinds; ///< kind of each frame in `at`, borrowed; NULL: all are of `kind`
    int nkinds;              ///< 0 or nat
    swWeightsDef weights;
    bool precompute; ///< springs between frames replace integration points; false by default
    int springs;     ///< if precomputed: most springs for each frame; 2 by default
    swAdapt adapt;
} swFrames;

/// The order of displacements over a tetrahedron: that of the file, linear (four vertices), or
/// quadratic (ten).
typedef enum swTetOrder { SW_TETS_OWN, SW_TETS_LINEAR, SW_TETS_QUADRATIC } swTetOrder;
/// Whether the change of volume may vary from point to point, or is averaged over each tetrahedron
/// (linear ones: over patches of a few) to avoid locking.
typedef enum swTetVolume { SW_TETS_PLAIN, SW_TETS_MEAN } swTetVolume;

/// Finite elements instead of frames: docs/tets.md.
typedef struct swTets {
    const char *file; ///< a tetrahedral mesh, relative to the scene's folder; NULL: made from the
                      ///< shape
    swReal scale;     ///< from file units to metres; 1 by default
    swReal voxel; ///< edge of the cells that tetrahedra are made from [m]; NaN: the body's voxel
    bool fit;     ///< the mesh follows the shape's surface; otherwise each cell is cut into six
    swTetOrder order;   ///< by default the file's own, or linear without a file
    swTetVolume volume; ///< plain by default
} swTets;

/// Where the masses and springs of a body lie.
typedef enum swSpringsOver {
    SW_SPRINGS_LATTICE, ///< on the cells of the body's voxels: a solid
    SW_SPRINGS_SURFACE, ///< on the triangles of its surface: a hollow body
    SW_SPRINGS_TETS     ///< on the edges of tetrahedra: a solid
} swSpringsOver;

/// Masses and springs instead of frames: docs/mass_springs.md.
typedef struct swSpringNet {
    swSpringsOver over; ///< lattice by default
    swReal voxel; ///< edge of the cells whose corners are the masses [m]; NaN: the body's voxel
    swReal structural; ///< scales the stiffness of springs along edges; 1 by default
    swReal shear;      ///< lattice: scales that of springs along the diagonals of cells and of
                       ///< their faces; 1 by default
    swReal bend;       ///< lattice: share of the stiffness along edges that is given to springs
                       ///< over two edges instead; surface: scales springs across edges. 0 by
                       ///< default
    bool volume;       ///< lattice, tets: adds the stiffness that springs lack for the material's
                       ///< Poisson's ratio; true by default
    swReal thickness;  ///< surface: thickness of the skin [m]; NaN: not given
    swReal pressure;   ///< surface: pressure inside at rest, relative to that outside [Pa]; 0 by
                       ///< default
    bool gas;          ///< surface: what is inside obeys p V = const; otherwise its pressure is
                       ///< constant, the default
    swReal ambient;    ///< pressure outside; a gas inside has this plus `pressure` at rest [Pa];
                       ///< 101325 by default
    swTets tets;       ///< tets: the mesh, of linear tetrahedra
} swSpringNet;

/// Where the rotations of particles come from: diffusion from handles, or the polar decomposition
/// of the deformation.
typedef enum swRotations { SW_ROTATIONS_DIFFUSION, SW_ROTATIONS_POLAR } swRotations;

/// Particles around a skeleton instead of frames: docs/particles.md.
typedef struct swParticles {
    int count;      ///< total number, including those that handles hold; 0: 1000, or one for each
                    ///< voxel if there are fewer voxels
    swReal spacing; ///< instead of count: their approximate distance [m]; NaN: use count
    int samples;    ///< how many of them all handles together hold; 0: as many as the spacing
                    ///< suggests
    int neighbours; ///< how many lie within two thirds of a particle's support; 6 by default
    swReal points;  ///< approximate number of Gauss points per particle; 5 by default
    swRotations rotations; ///< diffusion by default
} swParticles;

/// Modes of vibration instead of frames: docs/modes.md.
typedef struct swModeBasis {
    int count;         ///< number of modes, which are the degrees of freedom; 20 by default
    swBasisKind basis; ///< SW_BASIS_PCA by default
    int vibrations;    ///< SW_BASIS_PCA: number of vibrations that it starts from; 10 by default
    int points;        ///< integration points for laws other than stvk; 0: eight for each mode
    swTets tets;       ///< the mesh whose modes these are
} swModeBasis;

/// One rigid frame that moves the whole body, which does not deform: docs/rigid.md. Only the
/// density of its materials is used.
typedef struct swRigidBody {
    swReal stiffness; ///< contact pressure per depth, for colliders that do not give one [Pa/m];
                      ///< NaN: so that a block sinks in by a thousandth of its height under its own
                      ///< weight
} swRigidBody;

/// Whether to estimate the error of a body: no, by linear theory, or also at large displacements,
/// which takes longer: docs/estimate.md.
typedef enum swEstimateKind {
    SW_ESTIMATE_NONE,
    SW_ESTIMATE_LINEAR,
    SW_ESTIMATE_LARGE
} swEstimateKind;

/// Whether the strains that frames lack are computed in advance, for the body as a whole. If not,
/// they are found in each region as the body moves (see swIntegration.relax). SW_CORRECT_YES is an
/// error for bodies where this is impossible; SW_CORRECT_AUTO leaves such bodies uncorrected.
typedef enum swCorrect { SW_CORRECT_NO, SW_CORRECT_YES, SW_CORRECT_AUTO } swCorrect;

/// Where elasticity is evaluated.
typedef struct swIntegration {
    bool every_voxel; ///< one point per voxel and material
    int points;       ///< otherwise: total number of points; 0: 30 per frame, 120 per quadratic
                      ///< one; for a corrected body 60, plus 32 for each frame (80 for a quadratic
                      ///< one) and each handle that moves
    int degree; ///< polynomials up to this degree are integrated exactly in each region: 1 takes
                ///< one point, 2 eight, more as many as needed; 0: 2, or 1 if points are few
    bool relax; ///< the strains that frames lack are found in each region, to avoid locking; true
                ///< by default
    swCorrect correct; ///< whether they are computed in advance instead; SW_CORRECT_AUTO: if the
                       ///< analysis is static or modal, and it is possible
} swIntegration;

/// The pose of a handle or a collider at a given time.
typedef struct swKey {
    struct swKey *next;
    swReal t;    ///< [s], ascending
    swPose pose; ///< relative to its place at rest, in world coordinates
} swKey;

/// A part of the body that a rigid frame of its own carries.
typedef struct swHandle {
    struct swHandle *next;
    const char *name;
    swShape *region; ///< the part of the body, its border included; handles must not overlap
    swMotion motion; ///< fixed by default
    swKey *keys;     ///< SW_MOTION_KEYS: rotation vectors and translations are interpolated
                     ///< linearly, and constant before the first key and after the last
} swHandle;

/// A skeleton from a file, whose bones become handles of a body: docs/rigs.md. Bones that move no
/// part of the body are left out.
typedef struct swSkeleton {
    const char *file; ///< .glb, .gltf or .bvh; relative to the scene's folder
    const char *clip; ///< the clip to play, by name or by number from 0; NULL: the first, if there
                      ///< is one; "none": the skeleton stays at rest
    const char *const *soft;  ///< name patterns ("*tail*") of bones that are simulated as free
                              ///< handles instead of following the clip; borrowed
    int nsoft;                ///< their number
    const char *const *bones; ///< name patterns of the bones to use; NULL: all; borrowed
    int nbones;               ///< their number
    swReal radius; ///< radius of a bone, as a fraction of the distance from its axis to the
                   ///< surface; 0.4 by default
    int repeat;    ///< how often the clip is played; 1 by default
    swReal lead;   ///< time from rest to the clip's first pose [s]; 0: start there, in motion; 0.5
                   ///< by default
    swReal follow; ///< stiffness of the springs that draw simulated bones to where the clip has
                   ///< them, as a frequency [Hz]; 0, the default: they hang freely
    swReal scale;  ///< from file units to metres; 1 by default. Not used if the body's shape is the
                   ///< mesh of the same file: the skeleton then goes where the shape does
} swSkeleton;

/// A dead load (of fixed direction) on the part of the surface inside `on`. A `force` whose region
/// contains no surface is distributed over the volume inside it. Give one of force, traction and
/// pressure.
typedef struct swLoad {
    struct swLoad *next;
    swVec3 force;    ///< total [N]
    swVec3 traction; ///< per rest area [N/m^2]
    swReal pressure; ///< per rest area, along the inward rest normal [Pa]
    swShape *on;     ///< where it acts, in rest coordinates
} swLoad;

/// A face, an edge or any other part of a body of tetrahedra that does not move along one axis of
/// the world and slides freely across it: a smooth wall, or a plane of symmetry.
typedef struct swSlide {
    struct swSlide *next;
    swShape *region; ///< its vertices, in rest coordinates; vertices that a handle holds move with
                     ///< the handle
    swAxis axis;     ///< x by default
} swSlide;

/// A cut: the material in a region is removed at a given time, and the body falls apart if that
/// separates it. For bodies of frames; see sw_compile_at().
typedef struct swCut {
    struct swCut *next;
    swReal t;        ///< [s]
    swShape *region; ///< in rest coordinates; boxes thinner than a voxel are made thicker
} swCut;

/// Where a muscle or beam is attached: to a point that moves with a handle, or to one of the body.
typedef struct swMuscleEnd {
    const char *handle; ///< name of a handle of the body, a bone or a rigid part; NULL: the end
                        ///< moves with the body at `point`
    swVec3 point;       ///< at rest [m]; NaN: the centre of the handle
} swMuscleEnd;

/// A line between two points of a body that pulls them together: with `strength` times its
/// activation at any length, and like a spring when it is longer than at rest.
typedef struct swMuscle {
    struct swMuscle *next;
    const char *name;
    swMuscleEnd from, to;
    swReal strength;       ///< force at activation 1 [N]
    swReal stiffness;      ///< in tension only [N/m]
    swReal length;         ///< at rest [m]; NaN: the distance of its ends
    swReal activation;     ///< from 0 to 1; NaN: given by keys
    swActivationKey *keys; ///< piecewise linear, constant before the first and after the last;
                           ///< added with sw_muscle_add_activation()
    swReal repeat;         ///< period after which the keys start again [s]; NaN: they do not
} swMuscle;

/// An elastic rod of circular cross-section between two handles of a body, clamped to both:
/// docs/springs.md.
typedef struct swBeam {
    struct swBeam *next;
    swMuscleEnd from, to; ///< each with a handle
    swReal young;         ///< Young's modulus [Pa]
    swReal poisson;       ///< Poisson's ratio, for torsion; 0.3 by default
    swReal radius;        ///< of its cross-section [m]
    swReal density;       ///< [kg/m^3]; 0 by default: no mass of its own
} swBeam;

/// How a rest shape differs from the body at rest in some part of it: stretched along the axes,
/// then bent or twisted; or as in a posed copy of the body's surface.
typedef struct swDeform {
    struct swDeform *next;
    swVec3 stretch;   ///< factors along x, y and z
    swReal bend;      ///< angle by which the line from `from` to `to` is bent about `axis` [rad]
    swReal twist;     ///< angle by which it is twisted from `from` to `to` [rad]
    swVec3 from, to;  ///< what lies beyond these along the line is neither bent nor twisted [m]
    swVec3 axis;      ///< need not be a unit vector, nor perpendicular to the line
    const char *file; ///< instead of these: a mesh with the vertices of the body's surface in
                      ///< another pose, relative to the scene's folder; NULL: none
    swShape *on;      ///< where it applies, at rest; NULL: everywhere
} swDeform;

/// A shape that a body can take as its rest shape, by a share from 0 to 1 that is given, set by the
/// program, or found by the body itself (`follow`).
typedef struct swRestShape {
    struct swRestShape *next;
    const char *name;
    swReal value;          ///< the share, from 0 to 1; NaN: given by keys
    swActivationKey *keys; ///< piecewise linear, constant before the first and after the last;
                           ///< added with sw_rest_shape_add_value()
    swReal repeat;         ///< period after which the keys start again [s]; NaN: they do not
    swReal follow;         ///< the share minimises the energy, against a spring with this stiffness
                           ///< relative to the body's own resistance; NaN: the share is given
    swDeform *parts;       ///< later ones are painted over earlier ones
} swRestShape;

/// What is drawn and written of a body: its surface, or a closed surface around each material.
typedef enum swSurfaces { SW_SURFACES_OUTER, SW_SURFACES_MATERIALS } swSurfaces;

/// A body.
typedef struct swBody {
    struct swBody *next;
    const char *name;
    const char *like;    ///< NULL, or the name of an earlier body whose description this one
                         ///< shares, except for name, place, velocity, spin and materials. Equal
                         ///< bodies are compiled once
    swLabels *materials; ///< with `like`: replacements of materials, from `labels` to `material`
    swShape *shape;  ///< at rest; made by sw_body_add_shape(). NULL: that of the tetrahedra's file
    swReal voxel;    ///< edge of a voxel [m]; NaN: from resolution
    int resolution;  ///< voxels along the longest side, if voxel is not given; 32 by default
    swFrames frames; ///< what moves the body, unless one of the next five is given
    swTets *tets;    ///< or NULL; made by sw_body_add_tets(), and so on
    swSpringNet *springs;   ///< or NULL
    swParticles *particles; ///< or NULL
    swModeBasis *modes;     ///< or NULL
    swRigidBody *rigid;     ///< or NULL
    swIntegration integration;
    swMass mass; ///< full by default; lumped for linear blending only
    swHandle *handles;
    swSkeleton *skeleton; ///< or NULL; made by sw_body_add_skeleton()
    swLoad *loads;
    swSlide *slides; ///< for tetrahedra only
    swMuscle *muscles;
    swBeam *beams;
    swCut *cuts;              ///< in any order
    swRestShape *shapes;      ///< rest shapes that the body can take
    swPose place;             ///< from rest coordinates to the world at t = 0
    swVec3 velocity;          ///< of the centre of mass at t = 0 [m/s]
    swVec3 spin;              ///< about the centre of mass at t = 0 [rad/s]
    swReal damping_mass;      ///< Rayleigh damping alpha, by mass [1/s]
    swReal damping_stiffness; ///< Rayleigh damping beta, by stiffness [s]
    int contact_points;       ///< most points of its surface that meet colliders; 500 by default
    swSurfaces surfaces;      ///< outer by default
    swEstimateKind estimate;  ///< whether to estimate its error, for sw_body_estimate(); none by
                              ///< default
} swBody;

// ---- surroundings ----

/// How a collider moves: not at all, as the program says, or by its keys.
typedef enum swColliderMotion {
    SW_COLLIDER_FIXED,
    SW_COLLIDER_PROGRAM,
    SW_COLLIDER_KEYS
} swColliderMotion;

/// An obstacle that bodies collide with.
typedef struct swCollider {
    struct swCollider *next;
    const char *name;
    swShape *shape; ///< a halfspace ("plane" in files) or any solid except volumes and unions;
                    ///< meshes must be closed
    swPose place;   ///< from the coordinates of the shape to the world
    swColliderMotion motion; ///< fixed by default
    swKey *keys;      ///< SW_COLLIDER_KEYS: from its place, in the world; as those of handles
    swReal friction;  ///< Coulomb's coefficient; 0.3 by default
    swReal stiffness; ///< contact pressure per depth [Pa/m]; NaN: the softest Young's modulus of
                      ///< the body over the edge of its voxels
} swCollider;

/// Holds a point of one body to a point of another by a spring of zero rest length. Both bodies can
/// turn about it.
typedef struct swJoint {
    struct swJoint *next;
    const char *name;
    const char *body, *to; ///< names of the two bodies
    swVec3 at;             ///< position of both points at t = 0, in the world [m]
    swReal stiffness;      ///< [N/m]
} swJoint;

/// A point of a body whose motion is reported.
typedef struct swProbe {
    struct swProbe *next;
    const char *name;
    const char *body; ///< by name; NULL: the only body
    swVec3 point;     ///< rest position [m]
} swProbe;

/// Motion over time, equilibrium under the loads, or natural frequencies.
typedef enum swAnalysis {
    SW_ANALYSIS_DYNAMIC,
    SW_ANALYSIS_STATIC,
    SW_ANALYSIS_MODAL,
    SW_ANALYSES
} swAnalysis;

typedef struct swTime {
    swReal step;            ///< time step [s]; 0.01 by default
    swReal end;             ///< end time [s]; 1 by default
    const char *integrator; ///< a name from sw_integrator_name()
} swTime;

/// The tangent of dual-quaternion blending: exact, or without the second derivatives of the motion
/// (Gauss-Newton).
typedef enum swTangent { SW_TANGENT_EXACT, SW_TANGENT_GAUSS_NEWTON } swTangent;
/// How a tangent is made positive definite: its negative eigenvalues are set to zero, or to their
/// absolute values.
typedef enum swDefinite { SW_DEFINITE_CLAMP, SW_DEFINITE_ABSOLUTE } swDefinite;

/// How a static analysis reaches the full load: by load increments; along the equilibrium path,
/// past limit points (arc length); or (auto) by increments, and along the path where these fail.
typedef enum swPath { SW_PATH_AUTO, SW_PATH_LOAD, SW_PATH_ARC_LENGTH } swPath;

/// How the linear system of a Newton iteration is solved: by factoring a dense or a sparse matrix,
/// or by conjugate gradients. Auto chooses by size.
typedef enum swLinearKind {
    SW_LINEAR_AUTO,
    SW_LINEAR_DENSE,
    SW_LINEAR_SPARSE,
    SW_LINEAR_CG
} swLinearKind;

/// What a static analysis does at an unstable equilibrium: leave it along the unstable motion, or
/// stay there and report it.
typedef enum swSaddles { SW_SADDLES_LEAVE, SW_SADDLES_KEEP } swSaddles;

typedef struct swSolverDef {
    swReal tolerance;    ///< largest residual force over the largest force at work; 1e-6 by default
    int iterations;      ///< most Newton iterations per step or increment; 200 by default
    int increments;      ///< load increments of a static analysis if none fails; 1 by default
    swPath path;         ///< auto by default
    swSaddles saddles;   ///< leave by default; with SW_PATH_ARC_LENGTH they are always kept
    swTangent tangent;   ///< exact by default
    swDefinite definite; ///< clamp by default
    swLinearKind linear; ///< auto by default
    bool sleep; ///< bodies at rest are skipped until something touches, pulls or changes them; true
                ///< by default
} swSolverDef;

/// The state that vibrations are about: the scene at t = 0 without its loads, or equilibrium under
/// them.
typedef enum swAbout { SW_ABOUT_REST, SW_ABOUT_STATIC } swAbout;

typedef struct swModalDef {
    int count;     ///< most vibrations of each body; 12 by default
    swAbout about; ///< rest by default
} swModalDef;

/// A scene. Get one from sw_scene_create(), sw_scene_read() or sw_scene_parse().
struct swScene {
    const char *title; ///< one line for people
    swVec3 gravity;    ///< [m/s^2]
    swAnalysis analysis;
    swTime time;
    swSolverDef solver;
    swModalDef modal;
    swMaterial *materials;
    swBody *bodies;
    swCollider *colliders;
    swJoint *joints;
    swProbe *probes;
    const char *folder;           ///< file names are relative to it; NULL: the working directory
    struct swSceneMemory *memory; ///< internal
};

/// Creates an empty scene with default settings. `config` is copied; NULL means the default one.
/// Returns NULL if memory runs out. Release the scene, like those of the functions below, with
/// sw_scene_destroy().
SW_API swScene *sw_scene_create(const swConfig *config);
/// Reads a JSON scene, or makes one with default settings from a surface mesh, a tetrahedral mesh,
/// an image or a character. Returns NULL with `error` filled in on failure.
SW_API swScene *sw_scene_read(const char *path, const swConfig *config, swError *error);
/// How to make a scene from a character. Start from sw_default_character().
typedef struct swCharacter {
    const char *clip;        ///< as in swSkeleton
    const char *const *soft; ///< as in swSkeleton; NULL: names with "tail", or with "ear" as a word
    int nsoft;
    int repeat;    ///< as in swSkeleton; 0, the default: twice if the clip ends as it begins, so
                   ///< that the second round continues where the first ends; otherwise once
    swReal follow; ///< as in swSkeleton [Hz]; 4 by default
    swReal length; ///< length of its longest side in nature [m]; 1.5 by default
} swCharacter;
/// The defaults given above.
SW_API swCharacter sw_default_character(void);
/// Makes a scene from a character with a skeleton (.glb, .gltf) whose flesh follows a clip, or from
/// motion capture (.bvh) with flesh generated around it. NULL for `character` means the default
/// one, which sw_scene_read() uses. The scene is in the file's own units: gravity, density and
/// stiffness are scaled so that it moves like a character of the given length. Returns NULL with
/// `error` filled in on failure.
SW_API swScene *sw_scene_read_character(const char *path, const swCharacter *character,
                                        const swConfig *config, swError *error);
/// Makes a scene from `size` bytes of JSON. `name` is used as the file name in error messages.
/// Returns NULL with `error` filled in on failure.
SW_API swScene *sw_scene_parse(const char *json, size_t size, const char *name,
                               const swConfig *config, swError *error);
/// Releases a scene and everything in it. NULL is allowed.
SW_API void sw_scene_destroy(swScene *scene);
/// Writes the scene as JSON, with every key spelled out, to a file ("-": standard output). Returns
/// false with `error` filled in on failure.
SW_API bool sw_scene_write(const swScene *scene, const char *path, swError *error);
/// Writes the reference of scene files (keys, types, units, defaults and meanings) as Markdown: at
/// most `size` bytes to `text`, including the terminating zero. Returns the length of the whole
/// text without that zero.
SW_API size_t sw_scene_keys(char *text, size_t size);

/// Copies a string into the scene, which owns the copy. Returns NULL if memory runs out.
SW_API const char *sw_scene_text(swScene *scene, const char *text);
/// Each of the functions below adds an item with default settings and returns it, or NULL if memory
/// runs out. The scene owns the item. If a name is NULL, a material is called "default", and other
/// items "body1", "handle2", ... by their position in the list.
SW_API swMaterial *sw_scene_add_material(swScene *scene, const char *name);
SW_API swBody *sw_scene_add_body(swScene *scene, const char *name);
/// Adds a collider, called "collider1", ... by its position in the list. Its shape has the given
/// kind and must be filled in.
SW_API swCollider *sw_scene_add_collider(swScene *scene, swShapeKind kind);
/// Adds a probe at a rest position [m]. Its `body` must be set unless the scene has only one.
SW_API swProbe *sw_scene_add_probe(swScene *scene, const char *name, swVec3 point);
/// Joins two bodies, given by name, at the point where both are at t = 0 [m], by a spring of the
/// given stiffness [N/m].
SW_API swJoint *sw_scene_add_joint(swScene *scene, const char *name, const char *body,
                                   const char *to, swVec3 at, swReal stiffness);
/// Paints another shape over the body's shape and returns it, to be filled in. From the second one
/// on, the body's shape is the union of them.
SW_API swShape *sw_body_add_shape(swScene *scene, swBody *body, swShapeKind kind);
/// For a body with `like`: replaces the material `from` of the other body by the material `to`.
SW_API swLabels *sw_body_add_material(swScene *scene, swBody *body, const char *from,
                                      const char *to);
/// Adds a handle. Its region has the given kind and must be filled in.
SW_API swHandle *sw_body_add_handle(swScene *scene, swBody *body, const char *name,
                                    swShapeKind region);
/// Sets the skeleton of a body, which has at most one: it replaces the previous one.
SW_API swSkeleton *sw_body_add_skeleton(swScene *scene, swBody *body, const char *file);
/// These four replace the body's frames, and one another.
SW_API swTets *sw_body_add_tets(swScene *scene, swBody *body);
SW_API swSpringNet *sw_body_add_springs(swScene *scene, swBody *body);
SW_API swParticles *sw_body_add_particles(swScene *scene, swBody *body);
SW_API swModeBasis *sw_body_add_modes(swScene *scene, swBody *body);
/// Makes frames move the body again, whatever replaced them.
SW_API void sw_body_clear_model(swBody *body);
/// Also replaces the body's frames, and the four above.
SW_API swRigidBody *sw_body_add_rigid(swScene *scene, swBody *body);
/// Adds a key to the activation of a material's fibres, which is then given by keys.
SW_API swActivationKey *sw_material_add_activation(swScene *scene, swMaterial *material, swReal t,
                                                   swReal value);
/// Adds a key to a handle, whose motion is then SW_MOTION_KEYS.
SW_API swKey *sw_handle_add_key(swScene *scene, swHandle *handle, swReal t);
/// Adds a key to a collider, whose motion is then SW_COLLIDER_KEYS.
SW_API swKey *sw_collider_add_key(swScene *scene, swCollider *collider, swReal t);
/// Adds labels of a volume, and the material they are made of.
SW_API swLabels *sw_shape_add_labels(swScene *scene, swShape *shape, const char *labels,
                                     const char *material);
/// These three add a load, a slide or a cut. Its region has the given kind and must be filled in.
SW_API swLoad *sw_body_add_load(swScene *scene, swBody *body, swShapeKind region);
SW_API swSlide *sw_body_add_slide(swScene *scene, swBody *body, swAxis axis, swShapeKind region);
SW_API swCut *sw_body_add_cut(swScene *scene, swBody *body, swReal t, swShapeKind region);

/// Adds a muscle. Its ends must be filled in.
SW_API swMuscle *sw_body_add_muscle(swScene *scene, swBody *body, const char *name);
/// Adds a beam between two handles, given by name. Its `young` and `radius` must be set.
SW_API swBeam *sw_body_add_beam(swScene *scene, swBody *body, const char *from, const char *to);
/// Adds a key to the activation of a muscle, which is then given by keys.
SW_API swActivationKey *sw_muscle_add_activation(swScene *scene, swMuscle *muscle, swReal t,
                                                 swReal value);
SW_API swRestShape *sw_body_add_rest_shape(swScene *scene, swBody *body, const char *name);
/// Adds a part to a rest shape. Its stretch, bend or twist must be filled in. It applies everywhere
/// in the body unless `on` is set.
SW_API swDeform *sw_rest_shape_add_part(swScene *scene, swRestShape *shape);
/// Sets the region where a part of a rest shape applies, and returns it to be filled in.
SW_API swShape *sw_deform_on(swScene *scene, swDeform *part, swShapeKind region);
/// Adds a key to the share of a rest shape, which is then given by keys.
SW_API swActivationKey *sw_rest_shape_add_value(swScene *scene, swRestShape *shape, swReal t,
                                                swReal value);

/// The names that a scene can use, by index from 0; NULL past the last one. Static text.
SW_API const char *sw_law_name(int index);
SW_API const char *sw_weights_name(int index);
SW_API const char *sw_integrator_name(int index);

#ifdef __cplusplus
}
#endif
