// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A compiled body (constant, shared by equal bodies) and its state (all that moves): plain arrays,
// one memory block each. The model of a scene and its state are made of these: model/model.h.
//
// Node i carries a 3 x d matrix A_i, kept row by row in q: A[r][m] = q[node.q + r d + m], m running
// over the monomials of p - origin: 1, x, y, z (affine, rigid), then xx, yy, zz, xy, yz, zx
// (quadratic). A point of rest position p moves to sum_i w_i(p) A_i m_i(p). "Columns" number the
// monomials of all nodes: column = q / 3.
//
// Under dual-quaternion blending a rigid node keeps, after A, the dual quaternion (r, d) of the
// same motion, and its one column is its weight; see kinematics/dual.h.
//
// A reduced body has one node of modes, which keeps, after A, its r amplitudes z, and is all they
// move: x = A m(p - origin + sum_j z_j phi_j(p)). A stays where it is; the amplitudes are its
// ambient unknowns. See potentials/reduced.h.
//
// Nodes whose motion is given have no unknowns. Free nodes have 3 d of them (u, the ambient
// unknowns), of which a rigid node uses six: a translation and a rotation (dof).
//
// Bodies of tetrahedra, springs or particles are nets: their vertices are nodes of one column.
// A vertex that a handle holds is carried by the handle's rigid node: it has ambient unknowns where
// that is free, and none of the solver's.
#pragma once

#include "core/core.h"
#include "core/simd.h"
#include "math/vec.h"
#include "sinew/sinew.h"

enum { SW_MAX_MONOMIALS = 10 };

typedef struct swSettings {
    int analysis, integrator, iterations, increments, title;
    int tangent, definite;  // swTangent, swDefinite
    int modes, about, path; // of each body; swAbout; swPath
    int linear, sleep;      // swLinearKind; whether bodies at rest are left alone
    int saddles, unused;    // swSaddles
    swReal step, end, tolerance;
    swReal cut; // when a body is cut next [s]; infinite: never
    swVec3 gravity;
} swSettings;

typedef struct swNode {
    int kind, width; // swNodeKind; d
    int motion;      // swMotion
    int body;
    int handle; // or -1
    int q;      // first of its 3 d numbers in q and v
    int u;      // first ambient unknown, or -1
    int dof;    // first unknown of the solver, or -1
    int ndof;
    int nu;        // ambient unknowns of a free node: 3 d, 8 under dual-quaternion blending, or r
    int parent;    // dual quaternions take the sign that is nearest to this node's, or -1
    int turn;      // the node whose sign is chosen in this one's place: parents come first
    int carrier;   // of a vertex that a handle holds: the handle's rigid node; else -1
    int slide;     // of a vertex: 1, 2, 4 for each axis along which it does not move
    swVec3 origin; // at rest
} swNode;

// Whether strains that frames lack are computed beforehand, or why not.
typedef enum swCorrection {
    SW_STRAINS_OTHER, // the body is not one of frames
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
// What a body would have to be to have them, NULL: it has, or may; and why it has none, "" else.
const char *sw_strains_expected(swCorrection strains);
const char *sw_strains_reason(swCorrection strains);

typedef struct swBodyInfo {
    int name;
    int node, nnode;
    int point, npoint;       // vertices of its surface, in the embedded points
    int triangle, ntriangle; // of its surface
    int nvoxel;
    int blend;         // swBlend
    int part, npart;   // surfaces of its materials; none where the outer one is shown
    int shape, nshape; // that its rest shape can go to
    int precomputed;   // springs stand for its samples, which are there to be looked at
    int ninserted;     // of its nodes, the last ones: see kinematics/bump.h
    int net;           // its vertices, the first of its nodes; 0: it is one of frames
    int strains;       // swCorrection
    int large;         // whether fine displacements are large ones
    swReal voxel, volume, mass;
    swVec3 lo, hi; // bounds at rest
    swVec3 center; // of mass at rest
    swReal damping_mass, damping_stiffness;
    swReal stiffness; // of nets: that of the stiffest material [Pa]
} swBodyInfo;

// The closed surface around one material of a body, to be shown instead of the body's own.
typedef struct swPartInfo {
    int body, material;
    int point, npoint, triangle, ntriangle; // as those of a body
} swPartInfo;

// A share over time: of a fibre's or muscle's strength, or of a rest shape.
typedef struct swCourse {
    int key, nkey; // into activation_key
    swReal repeat; // when keys begin again [s]; 0: never
} swCourse;

typedef struct swMaterialInfo {
    int name, law;
    swReal density, young;
    swReal lame[2];                         // mu, lambda at rest: viscosity
    swReal coefficient[SW_MATERIAL_PARAMS]; // what its law makes of its parameters
    swReal volume;                          // k of the term k/2 (J - 1)^2 [Pa]
    swVec3 fibre;                           // unit direction at rest
    swReal fibre_stiffness, fibre_exponent, fibre_strength;
    swReal yield, hardening; // [Pa]; yield 0: never flows
    swReal creep, limit;     // [1/s]; of plastic strain; infinite: at once, any
    swReal toughness;        // [Pa]; infinite: never tears
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
    swReal length, stiffness, strength; // at rest [m], [N/m], [N]
    swCourse activation;
} swMuscleInfo;

// A shape that a body's rest shape can go to, see material/rest.h.
typedef struct swRestInfo {
    int name, body;
    swReal follow; // stiffness of what holds its share at 0 where that is found [J]; 0: it is given
    swCourse value;
} swRestInfo;

// Samples of one material moved by the same nodes: they share the list of columns. Free nodes come
// first. Or elements of one material and kind, SW_LANES of them side by side: block e nsample + p
// has point p of each, and nodes are [e][nnode][SW_LANES], a column each, whether they are free or
// not. Where their number is no multiple of SW_LANES, the last of them is repeated without weight.
typedef struct swGroup {
    int body, material;
    int node, nnode;    // into group_node
    int ncolumn, nfree; // columns of all nodes, of the free ones
    int blend;          // swBlend, or SW_BLEND_MODES
    int nsample;        // of an element; 0: these are samples of frames
    int mean, unused;   // whether volume changes are the mean of each element
    int sample, nblock; // first sample, blocks of SW_LANES
    int64_t gamma;      // [block][3][ncolumn][SW_LANES]: d(w m)/dp, so that F = A Gamma; dual
                        // quaternions: [block][4][ncolumn][SW_LANES], w and dw/dp; modes:
                        // [block][9][ncolumn][SW_LANES], dphi/dp
    int64_t plastic;    // into the state's `plastic`, or -1
    int64_t stretch;    // into `stretch`, or -1: its rest shape stays as it is
    int zone, nzone;    // its blocks by region, where some are relaxed; else none
    int amplitudes;     // the node of modes that has those of computed strains, or -1
    int unused2;
    int64_t corrector; // these strains, see kinematics/correct.h
} swGroup;
enum { SW_ELEMENT_VERTICES = 10, SW_ELEMENT_SAMPLES = 14 }; // at most
enum { SW_BLEND_MODES = SW_BLENDS };                        // F = 1 + sum_j z_j dphi_j/dp
static inline int sw_group_gamma_rows(const swGroup *g) {
    return g->blend == SW_BLEND_LINEAR ? 3 : g->blend == SW_BLEND_MODES ? 9 : 4;
}
enum { SW_PLASTIC = 10 }; // numbers per sample, see material/plasticity.h
enum { SW_STRETCH = 6 };  // per sample and rest shape, see material/rest.h
enum { SW_FOLLOWED = 8 }; // shapes that a body can follow, at most

// Blocks of a group that lie in one region, and the strains that are relaxed there: see
// kinematics/relax.h.
typedef struct swZone {
    int group;
    int block, nblock;   // of its group
    int strain, nstrain; // into the state's `relax`
    uint32_t mask;       // of strains
    int across;          // first axis along which weights do not vary, where there is a wall
    swReal wall; // how far a rigid part at its end lets it get thinner only [m]; 0: there is none
    swVec3 center;
    swReal axes[9]; // one per row
    swReal extent[3];
} swZone;

// A part of a precomputed body, as one spring between all nodes that move it; see
// potentials/links.h. Free nodes come first, in ascending order. Links that follow one another
// may share a zone's relaxed strains, or all of them a corrected body's; they have the same nodes.
enum { SW_LINK_STRAINS = 32 };
typedef struct swLink {
    int body;
    int node, nnode;      // into link_node
    int ncolumn, nfree;   // n: columns of all nodes, of the free ones
    int tied;             // links that share strains, from this one on; 0: it is one of the others
    int nstrain, nsquare; // strains, and sums of volume, that are shared
    int amplitudes;       // the node that has the strains' amplitudes; -1: they are relaxed
    int unused;
    int64_t data;   // mean gamma [3][n], rest [3][n], stiffness [3 n][sw_link_stride], rows of
                    // strains and of sums [nstrain + nsquare][sw_link_stride]
    int64_t shared; // of the first link, where there are amplitudes: their stiffness
                    // [nstrain][nstrain] and what they do to sums [nsquare][nstrain]
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
    int body, gas; // gas: what is inside obeys p V = const
    int spring, nspring, cell, ncell;
    int face, nface; // of the surface around what is inside
    swReal pressure; // inside at rest, beyond that around it [Pa]
    swReal ambient;  // that around it [Pa]
    swReal volume;   // inside at rest [m^3]
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

// A body of particles: vertices with moving least squares, see potentials/particles.h.
typedef struct swParticleInfo {
    int body, rotations;   // swRotations
    int64_t gauss, ngauss; // its Gauss points
    int64_t turn; // first of its vertices in particle_turn, which has one more than they are
} swParticleInfo;

// A Gauss point: shape functions first .. first + count - 1 are not zero there.
typedef struct swGaussPoint {
    int64_t first;
    int count, material;
    swReal volume;
    swReal mu, lambda; // [Pa]
    swReal hold;       // against turning away from R [Pa]
} swGaussPoint;

// The share of a handle's rotation in that of a vertex; the largest comes first.
typedef struct swTurnShare {
    int64_t handle;
    swReal weight;
} swTurnShare;

// The node pairs (i >= j) with any sample, mass, load or embedded point in common, and every node
// with itself: the blocks of matrices.
typedef struct swNodePair {
    int i, j;
    int mass; // offset of the d_i x d_j block of the integrals of rho w_i m_i w_j m_j; -1 where
              // there is none (lumped, dual quaternions)
} swNodePair;

// Points with mass and dead loads of a body under dual-quaternion blending, where neither is linear
// in q. Bodies with many nodes have several, each with the nodes that move its points.
typedef struct swBulk {
    int body, nblock; // blocks of SW_LANES points
    int point;        // first, in bulk_velocity
    int node, nnode;  // into bulk_node; free nodes come first
    int unused;
    int64_t data; // [block][7 + nnode][SW_LANES]: rest position, mass, force, weights
} swBulk;
enum { SW_BULK_MASS = 3, SW_BULK_FORCE = 4, SW_BULK_WEIGHT = 7 };

// What a body keeps so that frames can be inserted into it while it moves: the lattice of its
// voxels with the weights of its nodes there, mass voxel by voxel, dead loads point by point. See
// kinematics/bed.h.
typedef struct swBed {
    int body, budget;      // inserted frames at most
    int distance, contact; // swDistance; whether contact asks for frames
    swReal range, strain;  // of inserted frames [m]; that asks for one, or not-a-number
    swVec3 origin;         // the grid of the lattice, see volume/lattice.h
    swReal h;
    int n[3], ncell;
    int distinct[8];
    int ndistinct, nnode;
    int64_t index, cell, node, around, weight; // first of each in the arrays below
    int64_t voxel, nvoxel, load, nload;
} swBed;

typedef struct swBedVoxel {
    swVec3 p, second; // as those of swVoxel
    swReal mass;
    int64_t cell; // filled cell of the lattice
} swBedVoxel;

typedef struct swBedLoad {
    swVec3 p, force;
} swBedLoad;

// What moves a reduced body; see potentials/reduced.h.
typedef struct swReducedInfo {
    int body, node;
    int vibrations, points; // that its basis was made from; where its law is evaluated, 0: nowhere
    int64_t data;           // inertia, then the polynomial if it has one
    swReal error;           // of forces at other poses than those that its points were chosen for
    swReal frequency[2];    // of its basis at rest, lowest and highest [Hz]
} swReducedInfo;
// Numbers of each in reduced_data.
static inline int64_t sw_reduced_inertia_size(int r) {
    return 12 * (int64_t)r + 9 * r * (int64_t)r;
}
int64_t sw_polynomial_size(int r); // see modes/polynomial.h

// The mesh of a body that can tear, see geometry/tets_tear.h.
typedef struct swCrack {
    int body, unused;
    int tet, ntet;       // in crack_vertex (four each) and crack_sample
    int vertex, nvertex; // in crack_root
} swCrack;

typedef struct swHandleInfo {
    int name, body, node;
    int motion;    // swMotion
    int key, nkey; // into keys
    int arc;       // between keys it turns along the shortest arc, not in rotation vectors
    int joint;     // the node of the skeleton's file that it stands for, or -1
    // Springs to where keys have a free handle, from rest coordinates of the body; see
    // potentials/pull.h. Stiffness [N/m], 0: none, and distance L [m].
    swReal hold, arm;
    swVec3 center; // at rest, in the world: torques are about it
} swHandleInfo;

// A body whose handles come from a skeleton.
typedef struct swRigInfo {
    int body, file;   // file: where it is, in text
    int clip, repeat; // clip: -1: none
    int own, unused;  // the body's surface begins with the vertices of the file's own mesh
    swReal lead;      // before the clip begins [s]
    swReal duration;  // of the clip, once [s]
    swAffine rest;    // from the file's coordinates to those of the body at rest
    swAffine place;   // and to the world at t = 0
} swRigInfo;

typedef struct swPoseKey {
    swReal t;
    swVec3 rotation; // axis times angle
    swVec3 about, translate;
} swPoseKey;

// A frame that was inserted; see kinematics/bump.h.
typedef struct swInsertInfo {
    int used;            // 0: not in use
    int body;            // which has a bed
    int distance;        // swDistance
    int automatic, idle; // by sw_state_adapt(); steps for which nothing has asked for it
    int unused;
    swVec3 rest; // its centre
    swReal range;
} swInsertInfo;

// Where the program puts a handle.
typedef struct swHandlePlace {
    int64_t set; // 0: it is where its keys say
    swVec3 center;
    swMat3 rotation; // of its frame
} swHandlePlace;

typedef struct swContactPoint {
    int point, body;
    swReal area;      // of surface it stands for
    swReal stiffness; // default pressure per depth
} swContactPoint;

// How many there are of everything: a number for each array that is counted by itself, and the
// others that body_fields.inl lists.
typedef struct swBodySizes {
#define SW_SIZE(name) int64_t name;
#define SW_ARRAY(type, name, count) int64_t count;
#define SW_FIELD(type, name, count)
#include "model/body_fields.inl"
} swBodySizes;

typedef struct swBodyModel {
    swConfig config;
    const swSettings *settings; // of the model that it is part of
    swBodySizes size;
    void *block;
    size_t block_size;
#define SW_FIELD(type, name, count) type *name;
#include "model/body_fields.inl"
} swBodyModel;

// What a contact point touched: a collider, and how hard.
enum { SW_TOUCHES = 4 }; // at a time; beyond that the hardest
typedef struct swTouch {
    int64_t collider; // from 1; 0: nothing
    swReal force;     // normal to it [N]
} swTouch;

// Whether steps are taken, and what came in the way.
typedef struct swBodyRest {
    swReal still;    // for how long it has not moved [s]
    swReal surplus;  // energy that nothing explains, which losses have not taken back [J]
    swReal swing;    // of the last part of a step, see swIntegrator [J]
    swReal scale;    // the most there was that moves or deforms it [J]
    int64_t asleep;  // steps leave it as it is until something touches, pulls or changes it
    int64_t stopped; // swStatus of a step that failed: it stays where it was before that
    int64_t busy;    // its last search took iterations
} swBodyRest;

// What a state remembers to keep energy: what there is too much [J], the stiffness damping against
// it [s], and the most elastic and kinetic energy there was [J].
enum { SW_KEEP_SURPLUS, SW_KEEP_DAMPING, SW_KEEP_SCALE, SW_KEEPING };

struct swWork; // scratch of the step, see solve/work.h
struct swNear; // what it may touch, see contact/near.h

typedef struct swBodyState {
    swConfig config;
    const struct swState *world; // that it is part of
    int index;                   // among the bodies of that
    int member;                  // among the bodies that it is solved for with
    const swBodyModel *model; // of what moves now: base, or one of the state's own with more frames
    const swBodyModel *base;  // that the state was made from
    struct swInserts *inserts; // see world/inserts.h; NULL: there are none, nor were there any
    swPool *pool;              // NULL: there is one thread
    const swReal *q0, *v0;     // positions and velocities at t = 0, of the base model's nodes
    swReal t;                  // the time that it has come to [s]
    swReal h, next;            // of its next step: how long it is and when it ends [s]
    swReal end;                // when handles are where the program moves them to [s]
    swReal energy, elastic;    // of all kinds, at t; not-a-number: to be found; and of strains [J]
    void *block;
    size_t block_size;
#define SW_FIELD(type, name, count) type *name;
#include "model/body_state_fields.inl"
#undef SW_FIELD
    swStepReport report;
    swProfile profile;
    struct swNear *near; // what it may touch, as long as it stays about where it is
    struct swWork *work;
} swBodyState;

// Lays the arrays of `model` (sizes set) into one zeroed block.
bool sw_body_model_allocate(swBodyModel *model, swError *error);
// A block that is kept for the next model: memory that is in use already costs much less.
typedef struct swSpare {
    void *block; // or NULL
    size_t size;
} swSpare;
// The same for one of which all will be written: in the spare block, or in a new one with some
// room.
bool sw_body_model_allocate_in(swBodyModel *model, swSpare *spare, swError *error);
// Destroys a model but for its block, which becomes the spare one if that is smaller.
void sw_body_model_retire(swBodyModel *model, swSpare *spare);
swBodyModel *sw_body_model_create(const swConfig *config, const swSettings *settings,
                                  swError *error);
void sw_body_model_destroy(swBodyModel *model); // NULL is allowed
// Whether all indices stay inside their arrays: of a file that something else may have written.
bool sw_body_model_sane(const swBodyModel *model);
// A body among the items of a file: its arrays alone; with their sizes, into it; out of it.
struct swArchive;
void sw_body_model_items(swBodyModel *model, struct swArchive *archive);
void sw_body_model_put(const swBodyModel *model, struct swArchive *archive);
bool sw_body_model_get(swBodyModel *model, struct swArchive *archive, swError *error);
static inline const char *sw_body_text(const swBodyModel *model, int offset) {
    return model->text + offset;
}
// The pair (i, j), i >= j, among n sorted ones, or NULL.
const swNodePair *sw_pair_find(const swNodePair *pair, int64_t n, int i, int j);
// Shares that vary in time: of materials' fibres, then of muscles, then of rest shapes.
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
// Whether a node adds to the motion of the others: x += phi B m(p - origin), see kinematics/bump.h.
static inline bool sw_node_is_inserted(const swBodyModel *model, int64_t node) {
    const swBodyInfo *b = &model->body[model->node[node].body];
    return node >= b->node + b->nnode - b->ninserted;
}
static inline bool sw_body_is_corrected(const swBodyModel *model) {
    return model->body[0].strains == SW_STRAINS_CORRECTED;
}
// Nodes but that of the amplitudes of a corrected body, which is the last: what counts as frames.
static inline int sw_body_frames(const swBodyModel *model) {
    return (int)model->size.nnode - sw_body_is_corrected(model);
}
// The node of a reduced body, beside the kinds that frames have.
enum { SW_NODE_MODES = SW_NODE_KINDS, SW_MAX_MODES = 70 };
static inline bool sw_node_is_modes(const swNode *node) { return node->kind == SW_NODE_MODES; }
static inline bool sw_node_is_dual(const swNode *node) {
    return node->kind == SW_NODE_RIGID && node->nu == 8;
}
// Whether number k of its part of q never moves.
static inline bool sw_node_holds(const swNode *node, int k) {
    return node->slide && node->slide >> k & 1;
}
static inline bool sw_node_is_carried(const swNode *node) { return node->carrier >= 0; }
enum { SW_NODE_DUAL = 12 }; // where dual quaternion or amplitudes begin in a node's part of q
// Numbers of a node in q and v: always a multiple of three, so that columns are q / 3.
static inline int sw_node_size(const swNode *node) {
    return sw_node_is_dual(node)    ? 21
           : sw_node_is_modes(node) ? SW_NODE_DUAL + (node->nu + 2) / 3 * 3
                                    : 3 * node->width;
}
// Where its ambient unknowns are in q.
static inline int sw_node_ambient(const swNode *node) {
    return node->q + (sw_node_is_dual(node) || sw_node_is_modes(node) ? SW_NODE_DUAL : 0);
}
// Ambient unknowns are numbered [row][column]: 3 rows of d, 8 of one, or one of r.
static inline int sw_node_columns(const swNode *node) {
    return sw_node_is_dual(node) ? 1 : sw_node_is_modes(node) ? node->nu : node->width;
}

// Numbers that the dead loads on one mode have for a node: of all its columns but the first.
static inline int sw_mode_load_size(const swNode *node) { return 3 * (node->width - 1); }

// Elements of a group, in blocks of SW_LANES.
static inline int sw_element_blocks(const swGroup *g) { return g->nblock / g->nsample; }
static inline const int *sw_element_nodes(const swBodyModel *m, const swGroup *g, int element) {
    return m->group_node + g->node + (int64_t)element * g->nnode * SW_LANES;
}
// Where the numbers of a node of its body are in q: 3 node and this.
static inline int sw_element_base(const swBodyModel *m, const swGroup *g) {
    const int first = m->body[g->body].node;
    return m->node[first].q - 3 * first;
}

// What is shown of a body: its parts, or its own surface as one of no material (-1).
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
