// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A compiled body (constant, shared by equal bodies) and its state (everything that moves): plain
// arrays, each in one memory block. The model and state of a whole scene are built from these, see
// model/model.h.
//
// Node i carries a 3 x d matrix A_i, stored row by row in q: A[r][m] = q[node.q + r d + m], where m
// runs over the monomials of p - origin: 1, x, y, z (affine, rigid), then xx, yy, zz, xy, yz, zx
// (quadratic). A point with rest position p moves to sum_i w_i(p) A_i m_i(p). "Columns" number the
// monomials of all nodes: column = q / 3.
//
// Under dual-quaternion blending a rigid node stores, after A, the dual quaternion (r, d) of the
// same motion, and its only column is its weight; see kinematics/dual.h.
//
// A reduced body has one node of modes, which stores its r amplitudes z after A. Only the
// amplitudes move: x = A m(p - origin + sum_j z_j phi_j(p)). A stays constant; the amplitudes are
// the node's ambient unknowns. See potentials/reduced.h.
//
// Nodes with prescribed motion have no unknowns. Free nodes have 3 d of them (u, the ambient
// unknowns), of which a rigid node uses six: a translation and a rotation (dof).
//
// Bodies of tetrahedra, springs or particles are nets: their vertices are nodes with one column
// each. A vertex held by a handle is carried by the handle's rigid node: it has ambient unknowns if
// that node is free, but no unknowns of the solver.
#pragma once

#include "core/core.h"
#include "core/simd.h"
#include "math/vec.h"
#include "sinew/sinew.h"

enum { SW_MAX_MONOMIALS = 10 };

typedef struct swSettings {
    int analysis, integrator, iterations, increments, title;
    int tangent, definite;  // swTangent, swDefinite
    int modes, about, path; // of a modal analysis: number per body; swAbout; swPath
    int linear, sleep;      // swLinearKind; whether bodies at rest are skipped
    int saddles, unused;    // swSaddles
    swReal step, end, tolerance;
    swReal cut; // time of the next cut of a body [s]; infinite: never
    swVec3 gravity;
} swSettings;

typedef struct swNode {
    int kind, width; // swNodeKind; d
    int motion;      // swMotion
    int body;
    int handle; // or -1
    int q;      // start of its 3 d numbers in q and v
    int u;      // first ambient unknown, or -1
    int dof;    // first unknown of the solver, or -1
    int ndof;
    int nu;      // number of ambient unknowns if free: 3 d, 8 under dual-quaternion blending, or r
    int parent;  // the node whose dual quaternion decides the sign of this one's, or -1
    int turn;    // the node whose sign is chosen at this node's turn, so that parents come first
    int carrier; // for a vertex held by a handle: the handle's rigid node; else -1
    int slide;   // for a vertex: bits 1, 2, 4 for the axes along which it cannot move
    swVec3 origin; // rest position
} swNode;

// Whether the strains that frames lack are computed in advance (the body is corrected), or why not.
typedef enum swCorrection {
    SW_STRAINS_OTHER, // not a body of frames
    SW_STRAINS_CORRECTED,
    SW_STRAINS_NOT_ASKED,
    SW_STRAINS_KIND,
    SW_STRAINS_NO_FRAME,
    SW_STRAINS_INSERTED,
    SW_STRAINS_DEGREE,
    SW_STRAINS_CUT,
    SW_STRAINS_EXPLICIT,
    SW_STRAINS_LOCKED,
    SW_STRAINS_FLOW,
    SW_STRAINS_LAW,
    SW_STRAINS_MINIMA,
    SW_STRAINS_TOUCHED,
    SW_STRAINS_BONES,
    SW_STRAINS_PARTS,
    SW_STRAINS_FREE_PART,
    SW_STRAINS_MANY,
    SW_STRAINS_FEW_POINTS,
    SW_STRAINS_FAILED,
    SW_STRAINS_COUNT
} swCorrection;
// What the body would need in order to be corrected (NULL: it is corrected, or may be), and why it
// is not ("" if it is).
const char *sw_strains_expected(swCorrection strains);
const char *sw_strains_reason(swCorrection strains);

typedef struct swBodyInfo {
    int name;
    int node, nnode;
    int point, npoint;       // surface vertices, among the embedded points
    int triangle, ntriangle; // of the surface
    int nvoxel;
    int blend;         // swBlend
    int part, npart;   // surfaces of its materials; none if the outer surface is shown
    int shape, nshape; // shapes that its rest shape can move to
    int precomputed;   // links replace its samples, which are kept only for display
    int ninserted;     // inserted nodes, the last of its nodes: see kinematics/bump.h
    int net;           // number of vertices, its first nodes, if it is a net; 0: a body of frames
    int strains;       // swCorrection
    int large;         // whether `fine` holds large displacements
    swReal voxel, volume, mass;
    swVec3 lo, hi; // bounding box at rest
    swVec3 center; // centre of mass at rest
    swReal damping_mass, damping_stiffness;
    swReal stiffness; // for nets: Young's modulus of the stiffest material [Pa]
} swBodyInfo;

// The closed surface around one material of a body, which is shown instead of the body's own
// surface.
typedef struct swPartInfo {
    int body, material;
    int point, npoint, triangle, ntriangle; // as in swBodyInfo
} swPartInfo;

// A share over time: the activation of a fibre or muscle, or the share of a rest shape.
typedef struct swCourse {
    int key, nkey; // range in activation_key
    swReal repeat; // period after which the keys repeat [s]; 0: they do not
} swCourse;

typedef struct swMaterialInfo {
    int name, law;
    swReal density, young;
    swReal lame[2];                         // mu, lambda at rest, for viscosity
    swReal coefficient[SW_MATERIAL_PARAMS]; // coefficients that the law derives from its parameters
    swReal volume;                          // k in the term k/2 (J - 1)^2 [Pa]
    swVec3 fibre;                           // unit direction at rest
    swReal fibre_stiffness, fibre_exponent, fibre_strength;
    swReal yield, hardening; // [Pa]; yield 0: no plastic flow
    swReal creep, limit;     // [1/s], infinite: instantaneous; plastic strain, infinite: no limit
    swReal toughness;        // [Pa]; infinite: does not tear
    int plasticity, unused;  // swPlasticity
    swCourse activation;     // of its fibres
} swMaterialInfo;

typedef struct swActivation {
    swReal t, value;
} swActivation;

// A line between two embedded points, see potentials/muscle.h.
typedef struct swMuscleInfo {
    int name, body;
    int point[2];
    swReal length, stiffness, strength; // at rest [m]; [N/m]; [N]
    swCourse activation;
} swMuscleInfo;

// A shape that a body's rest shape can move to, see material/rest.h.
typedef struct swRestInfo {
    int name, body;
    swReal follow; // if its share is solved for: stiffness that holds it at 0 [J]; else 0
    swCourse value;
} swRestInfo;

// Samples of one material moved by the same nodes, which share one list of columns with free nodes
// first. Or elements of one material and kind, SW_LANES of them side by side: block e nsample + p
// holds point p of each, and nodes are [e][nnode][SW_LANES] with one column each, whether free or
// not. If the number of elements is not a multiple of SW_LANES, the last one is repeated with zero
// weight.
typedef struct swGroup {
    int body, material;
    int node, nnode;    // range in group_node
    int ncolumn, nfree; // number of columns of all nodes, and of the free ones
    int blend;          // swBlend, or SW_BLEND_MODES
    int nsample;        // samples per element; 0: these are samples of frames
    int mean, unused;   // mean: whether the change of volume is averaged over each element
    int sample, nblock; // first sample; number of blocks of SW_LANES
    int64_t gamma;      // [block][3][ncolumn][SW_LANES]: d(w m)/dp, so that F = A Gamma; dual
                        // quaternions: [block][4][ncolumn][SW_LANES], w and dw/dp; modes:
                        // [block][9][ncolumn][SW_LANES], dphi/dp
    int64_t plastic;    // index into the state's `plastic`, or -1
    int64_t stretch;    // index into `stretch`, or -1 if its rest shape does not change
    int zone, nzone;    // the zones that its blocks form, if any of them are relaxed; else none
    int amplitudes;     // the node of modes whose amplitudes scale its computed strains, or -1
    int unused2;
    int64_t corrector; // index of these strains in `corrector`, see kinematics/correct.h
} swGroup;
enum { SW_ELEMENT_VERTICES = 10, SW_ELEMENT_SAMPLES = 14 }; // upper bounds
enum { SW_BLEND_MODES = SW_BLENDS };                        // F = 1 + sum_j z_j dphi_j/dp
static inline int sw_group_gamma_rows(const swGroup *g) {
    return g->blend == SW_BLEND_LINEAR ? 3 : g->blend == SW_BLEND_MODES ? 9 : 4;
}
enum { SW_PLASTIC = 10 }; // numbers per sample, see material/plasticity.h
enum { SW_STRETCH = 6 };  // numbers per sample and rest shape, see material/rest.h
enum { SW_FOLLOWED = 8 }; // maximum number of shapes that a body follows

// Consecutive blocks of a group that lie in one region, and the strains relaxed there: see
// kinematics/relax.h.
typedef struct swZone {
    int group;
    int block, nblock;   // range of blocks in its group
    int strain, nstrain; // range in the state's `relax`
    uint32_t mask;       // of strains
    int across;          // the first axis along which weights do not vary, used if there is a wall
    swReal wall;         // distance to which a rigid part at its end hinders thinning [m]; 0: none
    swVec3 center;
    swReal axes[9]; // one per row
    swReal extent[3];
} swZone;

// A part of a precomputed body, as one spring between all nodes that move it; see
// potentials/links.h. Free nodes come first, in ascending order. Consecutive links may share the
// relaxed strains of a zone, or, in a corrected body, all of its computed strains; such links have
// the same nodes.
enum { SW_LINK_STRAINS = 32 };
typedef struct swLink {
    int body;
    int node, nnode;    // range in link_node
    int ncolumn, nfree; // number of columns n of all nodes, and of the free ones
    int tied; // number of links from this one on that share strains; 0: not the first of them
    int nstrain, nsquare; // number of strains, and of volume sums, that are shared
    int amplitudes;       // the node that has the strains' amplitudes; -1: they are relaxed
    int unused;
    int64_t data;   // mean gamma [3][n], rest [3][n], stiffness [3 n][sw_link_stride], then rows of
                    // strains and of sums [nstrain + nsquare][sw_link_stride]
    int64_t shared; // for the first link, if there are amplitudes: their stiffness
                    // [nstrain][nstrain] and their effect on the sums [nsquare][nstrain]
} swLink;
static inline int sw_link_stride(int ncolumn) {
    return (3 * ncolumn + SW_LANES - 1) / SW_LANES * SW_LANES;
}
static inline int64_t sw_link_size(int ncolumn, int nrow) {
    return 6 * (int64_t)ncolumn + ((int64_t)3 * ncolumn + nrow) * sw_link_stride(ncolumn);
}
static inline int64_t sw_link_shared_size(const swLink *link) {
    return link->amplitudes < 0 ? 0 : (int64_t)(link->nstrain + link->nsquare) * link->nstrain;
}

// A mass-spring body, see potentials/springs.h and potentials/inflate.h. Its nodes are points.
typedef struct swSpringBody {
    int body, gas; // gas: whether the contents obey p V = const
    int spring, nspring, cell, ncell;
    int face, nface; // triangles of the surface that encloses the contents
    swReal pressure; // pressure inside at rest, above the ambient one [Pa]
    swReal ambient;  // ambient pressure [Pa]
    swReal volume;   // enclosed volume at rest [m^3]
} swSpringBody;

typedef struct swSpring {
    int node[2];
    swReal rest, stiffness; // [m], [N/m]
} swSpring;

typedef struct swSpringCell {
    int node[8]; // -1 from nnode on
    int nnode, unused;
    swReal slope[8][3]; // F = sum_k x_k slope_k^T
    swReal excess;      // [J]
} swSpringCell;

// A body of particles: vertices with moving-least-squares shape functions, see
// potentials/particles.h.
typedef struct swParticleInfo {
    int body, rotations;   // swRotations
    int64_t gauss, ngauss; // its Gauss points
    int64_t turn;          // its first entry in particle_turn, which has one more than vertices
} swParticleInfo;

// A Gauss point. Shape functions first .. first + count - 1 are nonzero there.
typedef struct swGaussPoint {
    int64_t first;
    int count, material;
    swReal volume;
    swReal mu, lambda; // [Pa]
    swReal hold;       // resistance to rotating away from R [Pa]
} swGaussPoint;

// The share of a handle's rotation in that of a vertex; the largest share comes first.
typedef struct swTurnShare {
    int64_t handle;
    swReal weight;
} swTurnShare;

// The pairs of nodes (i >= j) that share a sample, mass, load or embedded point, and every node
// paired with itself: the blocks of matrices.
typedef struct swNodePair {
    int i, j;
    int mass; // offset of the d_i x d_j block of integrals of rho w_i m_i w_j m_j; -1: none
              // (lumped, dual quaternions)
} swNodePair;

// Points that carry mass and dead loads of a body under dual-quaternion blending, where neither is
// linear in q. A body with many nodes has several of these, each with the nodes that move its
// points.
typedef struct swBulk {
    int body, nblock; // blocks of SW_LANES points
    int point;        // its first point in bulk_velocity
    int node, nnode;  // range in bulk_node; free nodes come first
    int unused;
    int64_t data; // [block][7 + nnode][SW_LANES]: rest position, mass, force, weights
} swBulk;
enum { SW_BULK_MASS = 3, SW_BULK_FORCE = 4, SW_BULK_WEIGHT = 7 };

// What a body stores so that frames can be inserted while it moves: the lattice of its voxels with
// the weights of its nodes, the mass of each voxel, and the dead load at each point. See
// kinematics/bed.h.
typedef struct swBed {
    int body, budget;      // maximum number of inserted frames
    int distance, contact; // swDistance; whether contact can request frames
    swReal range, strain; // range of inserted frames [m]; strain that requests one, or not-a-number
    swVec3 origin;        // grid of the lattice, see volume/lattice.h
    swReal h;
    int n[3], ncell;
    int distinct[8];
    int ndistinct, nnode;
    int64_t index, cell, node, around, weight; // start of each in the arrays below
    int64_t voxel, nvoxel, load, nload;
} swBed;

typedef struct swBedVoxel {
    swVec3 p, second; // as in swVoxel
    swReal mass;
    int64_t cell; // its filled cell of the lattice
} swBedVoxel;

typedef struct swBedLoad {
    swVec3 p, force;
} swBedLoad;

// The motion of a reduced body; see potentials/reduced.h.
typedef struct swReducedInfo {
    int body, node;
    int vibrations, points; // vibrations in its basis; points where its law is evaluated, 0: none
    int64_t data;           // inertia, then the polynomial if there is one
    swReal error; // relative error of forces at poses other than those its points were chosen for
    swReal frequency[2]; // of its basis at rest, lowest and highest [Hz]
} swReducedInfo;
// Sizes of the parts of reduced_data.
static inline int64_t sw_reduced_inertia_size(int r) {
    return 12 * (int64_t)r + 9 * r * (int64_t)r;
}
int64_t sw_polynomial_size(int r); // see modes/polynomial.h

// The mesh of a body that can tear, see geometry/tets_tear.h.
typedef struct swCrack {
    int body, unused;
    int tet, ntet;       // range in crack_vertex (four each) and crack_sample
    int vertex, nvertex; // range in crack_root
} swCrack;

typedef struct swHandleInfo {
    int name, body, node;
    int motion;    // swMotion
    int key, nkey; // range in `key`
    int arc;       // between keys it rotates along the shortest arc, not by rotation vectors
    int joint;     // the node of the skeleton file that it stands for, or -1
    // Springs that pull a free handle towards its keys, in rest coordinates of the body; see
    // potentials/pull.h. Stiffness [N/m], 0: none, and distance L [m].
    swReal hold, arm;
    swVec3 center; // at rest, in the world; torques are taken about it
} swHandleInfo;

// A body whose handles come from a skeleton.
typedef struct swRigInfo {
    int body, file;   // file: its path, in `text`
    int clip, repeat; // clip: -1: none
    int own, unused;  // own: the body's surface begins with the vertices of the mesh in the file
    swReal lead;      // time before the clip begins [s]
    swReal duration;  // duration of one pass of the clip [s]
    swAffine rest;    // from the file's coordinates to those of the body at rest
    swAffine place;   // and to the world at t = 0
} swRigInfo;

typedef struct swPoseKey {
    swReal t;
    swVec3 rotation; // rotation: axis times angle
    swVec3 about, translate;
} swPoseKey;

// An inserted frame; see kinematics/bump.h.
typedef struct swInsertInfo {
    int used;            // 0: not in use
    int body;            // the body, which has a bed
    int distance;        // swDistance
    int automatic, idle; // inserted by sw_state_adapt(); steps since anything last needed it
    int unused;
    swVec3 rest; // rest position of its centre
    swReal range;
} swInsertInfo;

// The pose that the program has set for a handle.
typedef struct swHandlePlace {
    int64_t set; // 0: it follows its keys
    swVec3 center;
    swMat3 rotation; // of the handle's frame
} swHandlePlace;

typedef struct swContactPoint {
    int point, body;
    swReal area;      // area of surface that it represents
    swReal stiffness; // default pressure per unit of depth
} swContactPoint;

// The number of everything: one count for each array that has its own, and the further ones that
// body_fields.inl lists.
typedef struct swBodySizes {
#define SW_SIZE(name) int64_t name;
#define SW_ARRAY(type, name, count) int64_t count;
#define SW_FIELD(type, name, count)
#include "model/body_fields.inl"
} swBodySizes;

typedef struct swBodyModel {
    swConfig config;
    const swSettings *settings; // of the model that it belongs to
    swBodySizes size;
    void *block;
    size_t block_size;
#define SW_FIELD(type, name, count) type *name;
#include "model/body_fields.inl"
} swBodyModel;

// A collider that a contact point touched, and with what force.
enum { SW_TOUCHES = 4 }; // contacts kept per point; if there are more, the strongest
typedef struct swTouch {
    int64_t collider; // number of the collider from 1; 0: none
    swReal force;     // normal force [N]
} swTouch;

// Whether the body is stepped, and what stopped it.
typedef struct swBodyRest {
    swReal still;    // how long it has not moved [s]
    swReal surplus;  // unexplained energy gain that later losses have not offset [J]
    swReal swing;    // of the last part of a step, see swIntegrator [J]
    swReal scale;    // the largest energy of motion or deformation so far [J]
    int64_t asleep;  // steps skip it until something touches, pulls or changes it
    int64_t stopped; // swStatus of a step that failed: it stays where it was before that step
    int64_t busy;    // its last solve took iterations
} swBodyRest;

// What the state of an integrator that keeps energy remembers: the energy surplus [J], the
// stiffness damping that counteracts it [s], and the largest elastic plus kinetic energy so far
// [J].
enum { SW_KEEP_SURPLUS, SW_KEEP_DAMPING, SW_KEEP_SCALE, SW_KEEPING };

struct swWork; // scratch memory of a step, see solve/work.h
struct swNear; // colliders within reach, see contact/near.h

typedef struct swBodyState {
    swConfig config;
    const struct swState *world; // the state of the scene that it belongs to
    int index;                   // among the bodies of `world`
    int member;                  // among the bodies that it is solved together with
    const swBodyModel *model;    // the model in use: base, or an own one with inserted frames
    const swBodyModel *base;     // the model that the state was made from
    struct swInserts *inserts;   // see world/inserts.h; NULL: no frame has been inserted
    swPool *pool;                // NULL: single-threaded
    const swReal *q0, *v0;  // positions and velocities at t = 0, for the nodes of the base model
    swReal t;               // time that it has reached [s]
    swReal h, next;         // length of its next step and the time at which that ends [s]
    swReal end;             // time by which handles reach the poses that the program set [s]
    swReal energy, elastic; // total energy at t, not-a-number: not known yet; elastic energy [J]
    void *block;
    size_t block_size;
#define SW_FIELD(type, name, count) type *name;
#include "model/body_state_fields.inl"
#undef SW_FIELD
    swStepReport report;
    swProfile profile;
    struct swNear *near; // colliders within reach; valid while the body stays about where it is
    struct swWork *work;
} swBodyState;

// Allocates the arrays of `model` (whose sizes are set) in one zeroed block.
bool sw_body_model_allocate(swBodyModel *model, swError *error);
// A block that is kept for the next model: reusing memory costs much less than mapping new memory.
typedef struct swSpare {
    void *block; // may be NULL
    size_t size;
} swSpare;
// The same for a model that will be overwritten completely: uses the spare block if it is large
// enough, or else a new block with some slack.
bool sw_body_model_allocate_in(swBodyModel *model, swSpare *spare, swError *error);
// Destroys a model but keeps its block as the spare one if it is larger.
void sw_body_model_retire(swBodyModel *model, swSpare *spare);
swBodyModel *sw_body_model_create(const swConfig *config, const swSettings *settings,
                                  swError *error);
void sw_body_model_destroy(swBodyModel *model); // NULL is allowed
// Whether all indices lie within their arrays, for a file that sinew may not have written.
bool sw_body_model_sane(const swBodyModel *model);
// A body among the items of a file: transfers only its arrays; writes sizes and arrays; reads them.
struct swArchive;
void sw_body_model_items(swBodyModel *model, struct swArchive *archive);
void sw_body_model_put(const swBodyModel *model, struct swArchive *archive);
bool sw_body_model_get(swBodyModel *model, struct swArchive *archive, swError *error);
static inline const char *sw_body_text(const swBodyModel *model, int offset) {
    return model->text + offset;
}
// The pair (i, j), i >= j, among n sorted ones, or NULL.
const swNodePair *sw_pair_find(const swNodePair *pair, int64_t n, int i, int j);
// Shares that vary over time, in this order: fibres of materials, muscles, rest shapes.
static inline int64_t sw_control_count(const swBodyModel *model) {
    return model->size.nmaterial + model->size.nmuscle + model->size.nshape;
}
static inline int64_t sw_control_muscle(const swBodyModel *model, int64_t muscle) {
    return model->size.nmaterial + muscle;
}
static inline int64_t sw_control_shape(const swBodyModel *model, int64_t shape) {
    return model->size.nmaterial + model->size.nmuscle + shape;
}
int sw_node_width(swNodeKind kind); // d
// Whether a node was inserted, i.e. adds to the motion of the others: x += phi B m(p - origin), see
// kinematics/bump.h.
static inline bool sw_node_is_inserted(const swBodyModel *model, int64_t node) {
    const swBodyInfo *b = &model->body[model->node[node].body];
    return node >= b->node + b->nnode - b->ninserted;
}
static inline bool sw_body_is_corrected(const swBodyModel *model) {
    return model->body[0].strains == SW_STRAINS_CORRECTED;
}
// Number of nodes that count as frames: all but the last node of a corrected body, which holds the
// amplitudes.
static inline int sw_body_frames(const swBodyModel *model) {
    return (int)model->size.nnode - sw_body_is_corrected(model);
}
// The node of a reduced body, an addition to the kinds that frames have.
enum { SW_NODE_MODES = SW_NODE_KINDS, SW_MAX_MODES = 70 };
static inline bool sw_node_is_modes(const swNode *node) { return node->kind == SW_NODE_MODES; }
static inline bool sw_node_is_dual(const swNode *node) {
    return node->kind == SW_NODE_RIGID && node->nu == 8;
}
// Whether number k of its part of q is fixed.
static inline bool sw_node_holds(const swNode *node, int k) {
    return node->slide && node->slide >> k & 1;
}
static inline bool sw_node_is_carried(const swNode *node) { return node->carrier >= 0; }
// Where the dual quaternion or the amplitudes begin in a node's part of q.
enum { SW_NODE_DUAL = 12 };
// Size of a node's part of q and v: always a multiple of three, so that columns are q / 3.
static inline int sw_node_size(const swNode *node) {
    return sw_node_is_dual(node)    ? 21
           : sw_node_is_modes(node) ? SW_NODE_DUAL + (node->nu + 2) / 3 * 3
                                    : 3 * node->width;
}
// Where its ambient unknowns begin in q.
static inline int sw_node_ambient(const swNode *node) {
    return node->q + (sw_node_is_dual(node) || sw_node_is_modes(node) ? SW_NODE_DUAL : 0);
}
// Ambient unknowns are numbered [row][column]: 3 rows of d, one row of 8, or one row of r. Returns
// the number of columns.
static inline int sw_node_columns(const swNode *node) {
    return sw_node_is_dual(node) ? 1 : sw_node_is_modes(node) ? node->nu : node->width;
}

// How many numbers the dead loads on one mode have for a node: all its columns but the first.
static inline int sw_mode_load_size(const swNode *node) { return 3 * (node->width - 1); }

// Number of blocks of SW_LANES elements in a group.
static inline int sw_element_blocks(const swGroup *g) { return g->nblock / g->nsample; }
static inline const int *sw_element_nodes(const swBodyModel *m, const swGroup *g, int element) {
    return m->group_node + g->node + (int64_t)element * g->nnode * SW_LANES;
}
// Offset of the body's nodes in q: the numbers of `node` start at 3 node plus this.
static inline int sw_element_base(const swBodyModel *m, const swGroup *g) {
    const int first = m->body[g->body].node;
    return m->node[first].q - 3 * first;
}

// The surfaces that are shown for a body: its parts, or its own surface with no material (-1).
static inline int sw_body_shown_count(const swBodyInfo *body) {
    return body->npart > 0 ? body->npart : 1;
}
static inline swPartInfo sw_body_outer(const swBodyModel *model, int body) {
    const swBodyInfo *b = &model->body[body];
    return (swPartInfo){body, -1, b->point, b->npoint, b->triangle, b->ntriangle};
}
static inline swPartInfo sw_body_shown(const swBodyModel *model, int body, int i) {
    const swBodyInfo *b = &model->body[body];
    return b->npart > 0 ? model->part[b->part + i] : sw_body_outer(model, body);
}

// Monomials m(p - origin) of a node of width d, and their gradients g[m][k].
static inline void sw_monomials(int d, swVec3 p, swReal *m) {
    m[0] = 1;
    if (d >= 4) {
        m[1] = p.x;
        m[2] = p.y;
        m[3] = p.z;
    }
    if (d >= 10) {
        m[4] = p.x * p.x;
        m[5] = p.y * p.y;
        m[6] = p.z * p.z;
        m[7] = p.x * p.y;
        m[8] = p.y * p.z;
        m[9] = p.z * p.x;
    }
}
void sw_monomial_gradients(int d, swVec3 p, swReal (*g)[3]);
