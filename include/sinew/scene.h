// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The description of what is to be simulated: plain structs, built in C or read from JSON.
//
// Every struct below is made by an sw_*_add_* call, which sets each field to its default and links
// it into the scene; edit the fields freely until sw_compile(). Pointers stay valid as long as the
// scene. Names given to those calls are copied; a text or an array put into a field is borrowed: it
// must outlive the scene, or be copied into it with sw_scene_text(). A number that is not-a-number
// means "not given". SI units; angles in radians here (degrees in files); right-handed, y up.
//
// Places inside a body (shapes, frames, regions, probes) are in the body's own rest coordinates;
// `place` then puts the body into the world. Gravity, forces, colliders and handle motions are in
// world coordinates.
#pragma once

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct swScene swScene;

// ---- materials ----

enum { SW_MATERIAL_PARAMS = 12 };

/// How much of their strength fibres or a muscle have at a time, or how far a body's rest shape has
/// gone to a given one.
typedef struct swActivationKey {
    struct swActivationKey *next;
    swReal t;     ///< [s], ascending
    swReal value; ///< from 0 to 1
} swActivationKey;

/// Fibres in one direction, of muscle or tendon. None where stiffness and strength are 0, as they
/// are by default.
typedef struct swFibre {
    swVec3 direction;      ///< in the body's rest coordinates; need not be a unit vector
    swReal stiffness;      ///< k1: passive, where stretched alone [Pa]
    swReal exponent;       ///< k2: how fast they stiffen; 1 by default
    swReal strength;       ///< active stress along the fibre, per rest area, at activation 1 [Pa]
    swReal activation;     ///< from 0 to 1; not-a-number: by keys
    swActivationKey *keys; ///< linear between, held outside; sw_material_add_activation() adds one
    swReal repeat;         ///< the keys begin again after this time [s]; not-a-number: they do not
} swFibre;

/// Whether what is made of a material moves as a rigid part, each connected piece a free handle of
/// its own: where it is at least 10 000 times stiffer than the softest of the body (auto), or as
/// said.
typedef enum swRigid { SW_RIGID_AUTO, SW_RIGID_ALWAYS, SW_RIGID_NEVER } swRigid;

/// How a material with a yield stress flows: in a product F = Fe Fp, with any law, or in a sum of
/// strains e = e_el + e_pl, with laws that are linear in a strain (linear, stvk).
typedef enum swPlasticity { SW_PLASTICITY_MULTIPLICATIVE, SW_PLASTICITY_ADDITIVE } swPlasticity;

/// What a body is made of. Neo-Hookean with 1e5 Pa, 0.3 and 1000 kg/m^3 by default.
typedef struct swMaterial {
    struct swMaterial *next;
    const char *name;                 ///< shapes refer to it
    const char *law;                  ///< a name from sw_law_name()
    swReal young;                     ///< Young's modulus at rest [Pa]
    swReal poisson;                   ///< Poisson's ratio at rest, above -1 and below 0.5
    swReal density;                   ///< [kg/m^3]
    swReal param[SW_MATERIAL_PARAMS]; ///< the law's own parameters in its order; not-a-number:
                                      ///< derived from young and poisson
    swReal volume;                    ///< adds volume/2 (J - 1)^2 to any law [Pa]; 0 by default
    swFibre fibre;                    ///< add to any law
    swReal yield;            ///< stress in tension at which it flows [Pa]; not-a-number: never
    swReal hardening;        ///< rise of the yield stress with plastic strain [Pa]; 0 by default
    swPlasticity plasticity; ///< multiplicative by default
    swReal creep; ///< how fast stress above the yield stress decays [1/s]; not-a-number: at once
    swReal toughness; ///< tension at which it tears, in bodies of tets [Pa]; not-a-number: never
    swReal limit;     ///< largest plastic strain, additive alone; not-a-number: there is none
    swRigid rigid;    ///< auto by default
} swMaterial;

// ---- shapes: solids, regions and colliders are made of the same kinds ----

typedef enum swAxis { SW_AXIS_X, SW_AXIS_Y, SW_AXIS_Z } swAxis;

typedef enum swShapeKind {
    SW_SHAPE_BOX,       ///< size, center
    SW_SHAPE_SPHERE,    ///< center, radius
    SW_SHAPE_CAPSULE,   ///< from, to, radius: all points within radius of the segment
    SW_SHAPE_CYLINDER,  ///< from, to, radius: flat ends
    SW_SHAPE_EXTRUDE,   ///< polygon in x, y (closed by itself, either winding); z from zrange[0] to
                        ///< zrange[1]
    SW_SHAPE_MESH,      ///< file; scale, then rotate, then translate
    SW_SHAPE_UNION,     ///< parts, later ones painting over earlier ones
    SW_SHAPE_HALFSPACE, ///< normal . x <= offset; regions and colliders alone
    SW_SHAPE_VOLUME,    ///< file: an image in space; what its labels or grey values say
    SW_SHAPE_LABEL,     ///< label: what the image gives these labels; regions alone
    SW_SHAPE_CONE,      ///< from, to, radius, top: flat ends of these radii; top 0: an apex
    SW_SHAPE_KINDS
} swShapeKind;

/// What labels of an image are made of.
typedef struct swLabels {
    struct swLabels *next;
    const char *labels;   ///< whole numbers and ranges of them: "7", "1-3, 12"
    const char *material; ///< by name
} swLabels;

/// A rotation about an axis through a point, then a translation. The identity by default.
typedef struct swPose {
    swVec3 axis;      ///< need not be a unit vector
    swReal angle;     ///< [rad]
    swVec3 about;     ///< [m]
    swVec3 translate; ///< [m]
} swPose;

/// One solid, region or collider; its kind says which of the fields count.
typedef struct swShape {
    struct swShape *next; ///< the next part of the same union
    swShapeKind kind;
    const char *material;  ///< by name; NULL: the enclosing shape's, or the scene's only material
    swVec3 size, center;   ///< [m]
    swVec3 from, to;       ///< [m]
    swReal radius;         ///< [m]
    swReal top;            ///< of a cone: radius at `to` [m]; 0 by default
    swVec3 normal;         ///< need not be a unit vector
    swReal offset;         ///< along the unit normal [m]
    swReal zrange[2];      ///< [m]
    const swReal *polygon; ///< x0 y0 x1 y1 ... [m], borrowed
    int npolygon;          ///< corners
    const char *file; ///< a mesh (.obj, .ply, .stl, .off, .glb, .gltf) or an image (.nii, .nrrd,
                      ///< .mha, .png, ...); relative to the scene's folder
    swReal scale;     ///< file units to metres; 1 by default
    swPose pose; ///< meshes: rotation (about the origin unless said) and translation after scaling
    struct swShape *parts; ///< of a union
    // Of a volume: the image is scaled, rotated and translated as a mesh is, a scale that is
    // not-a-number meaning the file's own unit of length where it names one.
    swLabels *labels; ///< what is filled and with what, sw_shape_add_labels() adds; NULL: all but 0
    const swReal *young;   ///< grey values to Young's modulus: g0 E0 g1 E1 ..., ascending in g,
                           ///< linear between, held outside [Pa], borrowed; 0 is empty
    int nyoung;            ///< pairs; 0: the material's own
    const swReal *density; ///< the same for density [kg/m^3]
    int ndensity;
    swReal pixel, thickness; ///< of a flat image: edge of a pixel, extent along z [m]
    const char *fill;        ///< a material for gaps between what is filled, by name; NULL: none
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
/// How frames share a point: x = sum w A p, or blended dual quaternions (rigid frames alone).
typedef enum swBlend { SW_BLEND_LINEAR, SW_BLEND_DUAL_QUATERNION, SW_BLENDS } swBlend;
/// What a reduced body is made of: its lowest vibrations; those and how each bends in another, as
/// many vibrations as fit; or the most important combinations of more of them, by mass.
typedef enum swBasisKind { SW_BASIS_LINEAR, SW_BASIS_DERIVATIVES, SW_BASIS_PCA } swBasisKind;
/// A handle is simulated as a rigid part, held where it is, or moved by its keys.
typedef enum swMotion { SW_MOTION_FREE, SW_MOTION_FIXED, SW_MOTION_KEYS } swMotion;
/// Straight through the air, inside the material, or inside it and divided by Young's modulus:
/// what is stiff is short.
typedef enum swDistance {
    SW_DISTANCE_EUCLIDEAN,
    SW_DISTANCE_GEODESIC,
    SW_DISTANCE_COMPLIANCE
} swDistance;

/// Exact, or without coupling between frames.
typedef enum swMass { SW_MASS_FULL, SW_MASS_LUMPED } swMass;

/// How much each frame moves each point.
typedef struct swWeightsDef {
    const char *kind;    ///< a name from sw_weights_name(); "smooth" by default
    swDistance distance; ///< by which frames are placed and weights fade; geodesic by default
    int levels;          ///< voronoi: isosurfaces between a frame's border and its neighbours; 2
    swReal spread;       ///< smooth: how far parts are blurred, of the square of the distance to
                         ///< the nearest frame in the mean; 2 by default
    swReal power;        ///< shepard: weight = distance^-power, at least 1; 2 by default
    swVec3 axis;         ///< hat, spline: along this axis; zero: the body's longest side
    const char *maps;    ///< painted: images of the weights, "w%d.nrrd" with %d the frame from 0
} swWeightsDef;

enum { SW_INSERTS = 32 }; ///< frames that may be inserted into a body at a time

/// Frames that are inserted while the body moves, and removed again.
typedef struct swAdapt {
    int budget;          ///< at most so many at a time; 0, the default: none, and nothing kept
    swReal range;        ///< how far from its centre a frame acts, at rest [m], from two voxels to
                         ///< the body's diagonal; not-a-number: a quarter of the cube root of the
                         ///< volume, four voxels at least
    swDistance distance; ///< euclidean, or geodesic (the default)
    bool contact;  ///< sw_state_adapt() inserts where something presses or pulls; true by default
    swReal strain; ///< and where the largest principal strain exceeds this; not-a-number: nowhere
} swAdapt;

enum { SW_FRAMES_AUTO = -1 };

/// The frames of a body; its handles come on top of them.
typedef struct swFrames {
    swNodeKind kind; ///< affine by default
    swBlend blend;   ///< linear by default
    int count;       ///< placed automatically, besides those in `at`; SW_FRAMES_AUTO by default: 5,
                     ///< and of a corrected body without `at` as many more as bring its error by
                     ///< linear theory below 2 %
    swReal error;    ///< instead of count: as many as bring the estimated error of displacements
                     ///< below this share; not-a-number: by count
    const swVec3 *at;        ///< given rest positions [m], borrowed
    int nat;                 ///< their number
    const swNodeKind *kinds; ///< of each frame in `at`, borrowed; NULL: all of them are of `kind`
    int nkinds;              ///< 0, or nat
    swWeightsDef weights;
    bool precompute; ///< springs in the place of integration points; false
    int springs;     ///< where precomputed: for each frame, at most; 2
    swAdapt adapt;
} swFrames;

/// Displacements over a tetrahedron: linear with four vertices, quadratic with ten.
typedef enum swTetOrder { SW_TETS_OWN, SW_TETS_LINEAR, SW_TETS_QUADRATIC } swTetOrder;
/// Whether the volume may change from point to point, or as a whole in each tetrahedron (linear
/// ones: in some that lie together), against locking.
typedef enum swTetVolume { SW_TETS_PLAIN, SW_TETS_MEAN } swTetVolume;

/// Finite elements instead of frames: docs/tets.md.
typedef struct swTets {
    const char *file; ///< a mesh of tetrahedra, relative to the scene's folder; NULL: made from the
                      ///< shape
    swReal scale;     ///< file units to metres; 1 by default
    swReal voxel; ///< edge of the cells that they are made from [m]; not-a-number: the body's voxel
    bool fit;     ///< their surface lies on the shape's; else cells are cut into six each
    swTetOrder order;   ///< by default the file's own, else linear
    swTetVolume volume; ///< plain by default
} swTets;

/// Masses and springs instead of frames: docs/mass_springs.md.
typedef enum swSpringsOver {
    SW_SPRINGS_LATTICE, ///< the cells of the body's voxels: a solid
    SW_SPRINGS_SURFACE, ///< the triangles of its surface: a hollow body
    SW_SPRINGS_TETS     ///< the edges of tetrahedra
} swSpringsOver;

typedef struct swSpringNet {
    swSpringsOver over; ///< lattice by default
    swReal voxel; ///< edge of the cells whose corners are the masses [m]; not-a-number: the body's
    swReal structural; ///< factor of the stiffness of springs along edges; 1 by default
    swReal shear;      ///< the same of springs along diagonals of cells and their faces
    swReal bend;       ///< lattice: share of the stiffness along edges that springs over two edges
                       ///< have instead; surface: factor of springs across edges. 0 by default
    bool volume;       ///< but surface: what springs lack for the material's Poisson's ratio; true
    swReal thickness;  ///< of the surface [m]; not-a-number: not given
    swReal pressure;   ///< surface: inside at rest, beyond that around the body [Pa]; 0 by default
    bool gas;          ///< surface: inside p V = const, instead of a given pressure; false
    swReal ambient;    ///< pressure around the body, which a gas begins with [Pa]; 101325
    swTets tets;       ///< tets: linear ones
} swSpringNet;

/// Where the rotations of particles come from: by diffusion from handles, or by polar decomposition
/// of the deformation.
typedef enum swRotations { SW_ROTATIONS_DIFFUSION, SW_ROTATIONS_POLAR } swRotations;

/// Particles around a skeleton instead of frames: docs/particles.md.
typedef struct swParticles {
    int count;      ///< in all, those that handles hold included; 0: 1000, or one in each voxel
                    ///< where these are fewer
    swReal spacing; ///< instead of count: about their distance [m]; not-a-number: by count
    int samples;    ///< of them, held by handles together; 0: as many as their distance suggests
    int neighbours; ///< how many reach as far as two thirds of a particle's support; 6 by default
    swReal points;  ///< Gauss points for each particle, about; 5 by default
    swRotations rotations; ///< diffusion by default
} swParticles;

/// Modes of vibration instead of frames: docs/modes.md.
typedef struct swModeBasis {
    int count;         ///< degrees of freedom; 20 by default
    swBasisKind basis; ///< principal ones by default
    int vibrations;    ///< principal ones: of so many vibrations and their derivatives; 10
    int points;        ///< where laws other than stvk are evaluated; 0: eight for each mode
    swTets tets;       ///< what they are the modes of
} swModeBasis;

/// One rigid frame that moves all of the body, which does not deform: docs/rigid.md. Of its
/// materials the density counts alone.
typedef struct swRigidBody {
    swReal stiffness; ///< pressure per depth of its surface against colliders that give none
                      ///< [Pa/m]; not-a-number: under its own weight a block sinks in by a
                      ///< thousandth of its height
} swRigidBody;

/// How wrong a body is: not asked for, by linear theory, or at large displacements too, which takes
/// longer: docs/estimate.md.
typedef enum swEstimateKind {
    SW_ESTIMATE_NONE,
    SW_ESTIMATE_LINEAR,
    SW_ESTIMATE_LARGE
} swEstimateKind;

/// Whether strains that frames lack are computed for the body as a whole, beforehand. Where they
/// are not, they are found in each region while it moves. SW_CORRECT_YES is refused where it cannot
/// be; SW_CORRECT_AUTO leaves such bodies as they are without.
typedef enum swCorrect { SW_CORRECT_NO, SW_CORRECT_YES, SW_CORRECT_AUTO } swCorrect;

/// Where elasticity is evaluated.
typedef struct swIntegration {
    bool every_voxel; ///< one point per voxel and material
    int points;       ///< otherwise: points in all; 0: 30 per frame, 120 per quadratic one; where
                ///< corrected 60, and 32 for each frame (80 for a quadratic one) and each handle
                ///< that moves
    int degree; ///< polynomials up to this degree are integrated exactly in each region: 1 by one
                ///< point, 2 by eight, more by as many as it takes; 0: 2, or 1 where points are few
    bool
        relax; ///< whether strains that frames lack are found in each region, against locking; true
    swCorrect correct; ///< whether they are computed instead; SW_CORRECT_AUTO: where the analysis
                       ///< is static or modal, and that can be
} swIntegration;

/// Where a handle or a collider is at a time.
typedef struct swKey {
    struct swKey *next;
    swReal t;    ///< [s], ascending
    swPose pose; ///< from where it is at rest, in the world
} swKey;

/// A part of the body carried rigidly by a rigid frame of its own.
typedef struct swHandle {
    struct swHandle *next;
    const char *name;
    swShape *region; ///< what of the body it carries, border included; handles must not overlap
    swMotion motion; ///< fixed by default
    swKey *keys; ///< SW_MOTION_KEYS: interpolated linearly in rotation vector and translation, held
                 ///< outside
} swHandle;

/// A skeleton from a file, whose bones become handles of a body: see docs/rigs.md. Bones that move
/// no part of the body are left out.
typedef struct swSkeleton {
    const char *file; ///< .glb, .gltf or .bvh; relative to the scene's folder
    const char *clip; ///< its motion by name, or by number from 0; NULL: the first, if there is
                      ///< one; "none": it stays as it is at rest
    const char *const *soft;  ///< patterns of names ("*tail*") of bones that are simulated, as free
                              ///< handles, instead of following the clip; borrowed
    int nsoft;                ///< their number
    const char *const *bones; ///< patterns of the bones that are used; NULL: all; borrowed
    int nbones;               ///< their number
    swReal radius; ///< of a bone, as a share of the flesh around its axis; 0.4 by default
    int repeat;    ///< how often the clip is played; 1 by default
    swReal lead;   ///< from rest to the clip's first pose [s]; 0: it starts there, moving; 0.5
    swReal follow; ///< how fast bones that are simulated return to where the clip has them, as a
                   ///< frequency [Hz]; 0, the default: they hang freely
    swReal scale;  ///< file units to metres; 1 by default. Where the body's shape is the mesh of
                   ///< the same file the skeleton goes where that puts it
} swSkeleton;

/// A dead load (fixed direction) on the part of the surface inside `on`; a `force` on a region that
/// holds no surface is spread over the volume inside it. One of force, traction and pressure.
typedef struct swLoad {
    struct swLoad *next;
    swVec3 force;    ///< total [N]
    swVec3 traction; ///< per rest area [N/m^2]
    swReal pressure; ///< per rest area along the inward rest normal [Pa]
    swShape *on;     ///< where, in rest coordinates
} swLoad;

/// A plane, an edge or any other part of a body of tetrahedra that does not move along one axis of
/// the world and slides freely across it: a smooth wall, or a plane of symmetry.
typedef struct swSlide {
    struct swSlide *next;
    swShape *region; ///< in rest coordinates: its vertices; those of handles go with these
    swAxis axis;     ///< x by default
} swSlide;

/// A cut: what lies in a region goes away at a time, and the body falls apart where that separates
/// it. For bodies of frames, see sw_compile_at().
typedef struct swCut {
    struct swCut *next;
    swReal t;        ///< when [s]
    swShape *region; ///< in rest coordinates; boxes thinner than a voxel are made thicker
} swCut;

/// Where a muscle is fastened: a point that moves with a handle, or one of the body.
typedef struct swMuscleEnd {
    const char *handle; ///< of the body, a bone or a rigid part, by name; NULL: the body's own
                        ///< motion at `point`
    swVec3 point;       ///< at rest [m]; not-a-number: the handle's centre
} swMuscleEnd;

/// A line between two points of a body that pulls them together: with `strength` times its
/// activation whatever its length, and as a spring where it is longer than at rest.
typedef struct swMuscle {
    struct swMuscle *next;
    const char *name;
    swMuscleEnd from, to;
    swReal strength;       ///< at activation 1 [N]
    swReal stiffness;      ///< where stretched alone [N/m]
    swReal length;         ///< at rest [m]; not-a-number: the distance of its ends
    swReal activation;     ///< from 0 to 1; not-a-number: by keys
    swActivationKey *keys; ///< linear between, held outside; sw_muscle_add_activation() adds one
    swReal repeat;         ///< the keys begin again after this time [s]; not-a-number: they do not
} swMuscle;

/// An elastic rod of round section between two handles of a body, which holds them as its ends do:
/// docs/springs.md.
typedef struct swBeam {
    struct swBeam *next;
    swMuscleEnd from, to; ///< with a handle each
    swReal young;         ///< Young's modulus [Pa]
    swReal poisson;       ///< Poisson's ratio, for twist; 0.3 by default
    swReal radius;        ///< of its section [m]
    swReal density;       ///< [kg/m^3]; 0 by default: without mass
} swBeam;

/// How a rest shape differs from the body at rest in a part of it: stretched along the axes, then
/// bent or twisted; or as a pose of its surface says.
typedef struct swDeform {
    struct swDeform *next;
    swVec3 stretch;   ///< along x, y and z
    swReal bend;      ///< from `from` to `to`, about `axis` [rad]
    swReal twist;     ///< from `from` to `to`, about the line between [rad]
    swVec3 from, to;  ///< what is beyond these along their line is neither bent nor twisted [m]
    swVec3 axis;      ///< need not be a unit vector, nor at a right angle to the line
    const char *file; ///< instead of these: a mesh with the vertices of the body's surface in
                      ///< another pose, relative to the scene's folder; NULL: none
    swShape *on;      ///< where, at rest; NULL: everywhere
} swDeform;

/// A shape that a body can take as its rest shape, at a share from 0 to 1 that is given, set by the
/// program, or found by the body itself (`follow`).
typedef struct swRestShape {
    struct swRestShape *next;
    const char *name;
    swReal value;          ///< from 0 to 1; not-a-number: by keys
    swActivationKey *keys; ///< linear between, held outside; sw_rest_shape_add_value() adds one
    swReal repeat;         ///< the keys begin again after this time [s]; not-a-number: they do not
    swReal follow;   ///< the share is that of least energy, against a spring so stiff relative to
                     ///< the body's resistance; not-a-number: it is given
    swDeform *parts; ///< later ones painting over earlier ones
} swRestShape;

/// What is drawn and written of a body: its surface, or that of each of its materials.
typedef enum swSurfaces { SW_SURFACES_OUTER, SW_SURFACES_MATERIALS } swSurfaces;

/// What deforms.
typedef struct swBody {
    struct swBody *next;
    const char *name;
    const char *like;    ///< NULL, or the name of an earlier body: this one is as if it were
                         ///< described alike, but for name, place, velocity, spin and materials.
                         ///< Equal bodies are compiled once
    swLabels *materials; ///< with `like`: other materials, `material` in the place of `labels`
    swShape *shape;  ///< at rest; sw_body_add_shape() makes it; NULL: that of the tetrahedra's file
    swReal voxel;    ///< edge of a voxel [m]; not-a-number: from resolution
    int resolution;  ///< voxels along the longest side, used when voxel is not given; 32 by default
    swFrames frames; ///< what moves it, unless one of the five below is there
    swTets *tets;    ///< or NULL; sw_body_add_tets() makes it, and so on
    swSpringNet *springs;   ///< or NULL
    swParticles *particles; ///< or NULL
    swModeBasis *modes;     ///< or NULL
    swRigidBody *rigid;     ///< or NULL
    swIntegration integration;
    swMass mass; ///< full by default; lumped for linear blending alone
    swHandle *handles;
    swSkeleton *skeleton; ///< NULL: none; sw_body_add_skeleton() makes it
    swLoad *loads;
    swSlide *slides; ///< for tetrahedra alone
    swMuscle *muscles;
    swBeam *beams;
    swCut *cuts;              ///< in any order
    swRestShape *shapes;      ///< that its rest shape can go to
    swPose place;             ///< from rest coordinates to the world at t = 0
    swVec3 velocity;          ///< at t = 0, of the centre of mass [m/s]
    swVec3 spin;              ///< at t = 0, about the centre of mass [rad/s]
    swReal damping_mass;      ///< Rayleigh alpha [1/s]
    swReal damping_stiffness; ///< Rayleigh beta [s]
    int contact_points;       ///< at most so many surface points meet colliders; 500 by default
    swSurfaces surfaces;      ///< outer by default
    swEstimateKind estimate;  ///< how wrong the body is: see sw_body_estimate(); not asked for
} swBody;

// ---- surroundings ----

/// A collider stays where it is, is put elsewhere by the program, or is moved by its keys.
typedef enum swColliderMotion {
    SW_COLLIDER_FIXED,
    SW_COLLIDER_PROGRAM,
    SW_COLLIDER_KEYS
} swColliderMotion;

/// What bodies fall on.
typedef struct swCollider {
    struct swCollider *next;
    const char *name;
    swShape *shape; ///< halfspace ("plane") or any solid but images and unions; meshes are closed
    swPose place;   ///< from the coordinates of the shape to the world
    swColliderMotion motion; ///< fixed by default
    swKey *keys;      ///< SW_COLLIDER_KEYS: from its place, in the world; as those of handles
    swReal friction;  ///< Coulomb's coefficient; 0.3 by default
    swReal stiffness; ///< pressure per depth [Pa/m]; not-a-number: the softest Young's modulus over
                      ///< the voxel
} swCollider;

/// Holds a point of a body to a point of another, about which both can turn: a spring of no length
/// between the two.
typedef struct swJoint {
    struct swJoint *next;
    const char *name;
    const char *body, *to; ///< by name
    swVec3 at;             ///< of both, where they are at t = 0 [m]
    swReal stiffness;      ///< [N/m]
} swJoint;

/// A point of a body whose motion is reported.
typedef struct swProbe {
    struct swProbe *next;
    const char *name;
    const char *body; ///< by name; NULL: the only one
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
    swReal step;            ///< [s]; 0.01 by default
    swReal end;             ///< [s]; 1 by default
    const char *integrator; ///< a name from sw_integrator_name()
} swTime;

/// The tangent of dual-quaternion blending: exact, or without the second derivatives of the motion
/// (Gauss-Newton).
typedef enum swTangent { SW_TANGENT_EXACT, SW_TANGENT_GAUSS_NEWTON } swTangent;
/// Where a tangent is not positive definite, its negative eigenvalues are set to zero or to their
/// absolute value.
typedef enum swDefinite { SW_DEFINITE_CLAMP, SW_DEFINITE_ABSOLUTE } swDefinite;

/// How a static analysis comes to the full load: in load increments alone; along the path of
/// equilibria, over limit points (arc length); or that where load increments fail.
typedef enum swPath { SW_PATH_AUTO, SW_PATH_LOAD, SW_PATH_ARC_LENGTH } swPath;

/// How the equations of a Newton iteration are solved: by the factors of a dense matrix or of a
/// sparse one, or by conjugate gradients; by default as sizes suggest.
typedef enum swLinearKind {
    SW_LINEAR_AUTO,
    SW_LINEAR_DENSE,
    SW_LINEAR_SPARSE,
    SW_LINEAR_CG
} swLinearKind;

/// What statics do where an equilibrium is unstable: go on along the motion that it gives way to,
/// or stay there and report it.
typedef enum swSaddles { SW_SADDLES_LEAVE, SW_SADDLES_KEEP } swSaddles;

typedef struct swSolverDef {
    swReal tolerance;  ///< largest residual force over the largest force at work; 1e-6 by default
    int iterations;    ///< Newton iterations per step or increment, at most; 200 by default
    int increments;    ///< load increments of a static analysis, if none must be cut; 1 by default
    swPath path;       ///< auto by default
    swSaddles saddles; ///< leave by default; along an arc length all are kept
    swTangent tangent; ///< exact by default
    swDefinite definite; ///< clamp by default
    swLinearKind linear; ///< auto by default
    bool sleep; ///< bodies at rest are left as they are until something touches, pulls or changes
                ///< them; true by default
} swSolverDef;

/// Vibrations about the scene at t = 0 without its loads, or about equilibrium under them.
typedef enum swAbout { SW_ABOUT_REST, SW_ABOUT_STATIC } swAbout;

typedef struct swModalDef {
    int count;     ///< vibrations of each body, at most; 12 by default
    swAbout about; ///< rest by default
} swModalDef;

/// Get one from sw_scene_create(), sw_scene_read() or sw_scene_parse().
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
    const char *folder;           ///< files are looked for here; NULL: the working folder
    struct swSceneMemory *memory; ///< the scene's own
};

/// An empty scene with defaults. `config` is copied; NULL: the default one. NULL when there is no
/// memory.
SW_API swScene *sw_scene_create(const swConfig *config);
/// Reads a JSON scene; or, with defaults, a mesh or an image in space. NULL with `error` filled on
/// failure.
SW_API swScene *sw_scene_read(const char *path, const swConfig *config, swError *error);
/// What a scene made of a character should be like; sw_default_character().
typedef struct swCharacter {
    const char *clip;        ///< as in swSkeleton
    const char *const *soft; ///< as in swSkeleton; NULL: names with "tail", or "ear" as a word
    int nsoft;
    int repeat;    ///< as in swSkeleton; 0, the default: twice where the clip ends as it begins, so
                   ///< that the second time goes on where it ends; else once
    swReal follow; ///< as in swSkeleton [Hz]; 4 by default
    swReal length; ///< what its longest side is taken to be in nature [m]; 1.5 by default
} swCharacter;
SW_API swCharacter sw_default_character(void);
/// A character with a skeleton (.glb, .gltf) whose flesh follows a clip, or motion capture (.bvh)
/// with flesh around it. NULL for `character`: the default one; sw_scene_read() does that. The
/// scene is in the file's own units: gravity, density and stiffness are chosen so that it moves as
/// one of the given length does. NULL with `error` filled on failure.
SW_API swScene *sw_scene_read_character(const char *path, const swCharacter *character,
                                        const swConfig *config, swError *error);
/// A scene from `size` bytes of JSON; `name` stands in error messages.
SW_API swScene *sw_scene_parse(const char *json, size_t size, const char *name,
                               const swConfig *config, swError *error);
/// NULL is fine.
SW_API void sw_scene_destroy(swScene *scene);
/// The scene as JSON with every key written out, to a file ("-": standard output).
SW_API bool sw_scene_write(const swScene *scene, const char *path, swError *error);
/// The keys of the scene file with types, units, defaults and meaning, as Markdown. Returns the
/// length it has, and writes at most `size` bytes of it with a final zero.
SW_API size_t sw_scene_keys(char *text, size_t size);

/// Copies text into the scene, which owns the copy. NULL when there is no memory.
SW_API const char *sw_scene_text(swScene *scene, const char *text);
/// Each of these adds an item with its defaults, which the scene owns, and returns it; NULL when
/// there is no memory. A name may be NULL: materials are then called "default", the others "body1",
/// "handle2", ... by their place in the list.
SW_API swMaterial *sw_scene_add_material(swScene *scene, const char *name);
SW_API swBody *sw_scene_add_body(swScene *scene, const char *name);
/// It is called "collider1", ... by its place in the list.
SW_API swCollider *sw_scene_add_collider(swScene *scene, swShapeKind kind);
SW_API swProbe *sw_scene_add_probe(swScene *scene, const char *name, swVec3 point);
/// Between two bodies, by their names, at a point of both where they are at t = 0.
SW_API swJoint *sw_scene_add_joint(swScene *scene, const char *name, const char *body,
                                   const char *to, swVec3 at, swReal stiffness);
/// Paints a further part onto the body's shape; from the second on that is a union of them.
SW_API swShape *sw_body_add_shape(swScene *scene, swBody *body, swShapeKind kind);
/// In a body that is like another: a material in the place of one of that body's.
SW_API swLabels *sw_body_add_material(swScene *scene, swBody *body, const char *from,
                                      const char *to);
SW_API swHandle *sw_body_add_handle(swScene *scene, swBody *body, const char *name,
                                    swShapeKind region);
/// A body has one skeleton at most: a further one takes its place.
SW_API swSkeleton *sw_body_add_skeleton(swScene *scene, swBody *body, const char *file);
/// These four take the place of the body's frames, and of one another.
SW_API swTets *sw_body_add_tets(swScene *scene, swBody *body);
SW_API swSpringNet *sw_body_add_springs(swScene *scene, swBody *body);
SW_API swParticles *sw_body_add_particles(swScene *scene, swBody *body);
SW_API swModeBasis *sw_body_add_modes(swScene *scene, swBody *body);
/// Frames move it again, whatever was added by the calls above or in a file.
SW_API void sw_body_clear_model(swBody *body);
SW_API swRigidBody *sw_body_add_rigid(swScene *scene, swBody *body);
/// Also makes the activation of the material's fibres one by keys.
SW_API swActivationKey *sw_material_add_activation(swScene *scene, swMaterial *material, swReal t,
                                                   swReal value);
/// Also makes the handle one that keys move.
SW_API swKey *sw_handle_add_key(swScene *scene, swHandle *handle, swReal t);
/// Also makes the collider one that keys move.
SW_API swKey *sw_collider_add_key(swScene *scene, swCollider *collider, swReal t);
/// Labels of a volume, and the material they are made of.
SW_API swLabels *sw_shape_add_labels(swScene *scene, swShape *shape, const char *labels,
                                     const char *material);
SW_API swLoad *sw_body_add_load(swScene *scene, swBody *body, swShapeKind region);
SW_API swSlide *sw_body_add_slide(swScene *scene, swBody *body, swAxis axis, swShapeKind region);
SW_API swCut *sw_body_add_cut(swScene *scene, swBody *body, swReal t, swShapeKind region);

/// Ends are to be filled in.
SW_API swMuscle *sw_body_add_muscle(swScene *scene, swBody *body, const char *name);
/// Between two handles, by name; young and radius are to be set.
SW_API swBeam *sw_body_add_beam(swScene *scene, swBody *body, const char *from, const char *to);
/// Also makes the activation of the muscle one by keys.
SW_API swActivationKey *sw_muscle_add_activation(swScene *scene, swMuscle *muscle, swReal t,
                                                 swReal value);
SW_API swRestShape *sw_body_add_rest_shape(swScene *scene, swBody *body, const char *name);
/// A further part of it, everywhere in the body unless `on` is set; its stretch, bend or twist is
/// to be filled in.
SW_API swDeform *sw_rest_shape_add_part(swScene *scene, swRestShape *shape);
/// Where a part acts.
SW_API swShape *sw_deform_on(swScene *scene, swDeform *part, swShapeKind region);
/// Also makes the value of the shape one by keys.
SW_API swActivationKey *sw_rest_shape_add_value(swScene *scene, swRestShape *shape, swReal t,
                                                swReal value);

/// Names of what a scene can ask for, from index 0; NULL past the last one. Static text.
SW_API const char *sw_law_name(int index);
SW_API const char *sw_weights_name(int index);
SW_API const char *sw_integrator_name(int index);

#ifdef __cplusplus
}
#endif
