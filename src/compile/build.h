// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From scene to model, stage by stage. Arrays grow in a builder and move into the model's one block
// at the end.
#pragma once

#include "cubature/regions.h"
#include "model/body.h"
#include "volume/mirrors.h"
#include "volume/voxelize.h"
#include "weights/weights.h"

typedef struct swBuilder {
    const swScene *scene;
    const swLabels *swaps; // materials that take the place of others in the body
    const swConfig *config;
    swArena arena;
    swPool *pool;
    int ntorn; // bodies that are torn
    const struct swTornBody *torn;
    swReal time;      // cuts up to this time are made [s]
    swBodySizes size; // those not counted by the lists
#define SW_FIELD(type, name, count) SW_LIST(type) name;
#include "model/body_fields.inl"
} swBuilder;

// A point of a body under dual-quaternion blending that carries mass or a load.
typedef struct swBulkPoint {
    swVec3 p, force;
    swReal mass;
    swReal *weight; // per site
} swBulkPoint;

// A body as vertices, each a node of one column, instead of frames.
typedef struct swNet {
    int n;
    swVec3 *X;      // at rest
    swReal *weight; // share of the body's mass: the integral of rho N [kg]
    // Vertices that move p, and how much: fills both (room for SW_NET_NEAR) and returns their
    // number. `far`: p is away from all material.
    int (*locate)(const struct swNet *net, swVec3 p, int *vertex, swReal *weight, bool *far);
    const void *data;   // of locate
    const int *lattice; // the vertex at each lattice node, or -1; NULL: vertices are elsewhere
    swReal reach;       // where they are elsewhere: a handle's region holds those so near to it [m]
    int *held;          // the handle of each vertex, or -1; NULL: as its place says
    int *slide;         // as swNode.slide, or NULL
    const int *surface; // the vertex at each of the surface's; NULL: these are located
    int crack;          // 1 + that of the body, where it can tear
} swNet;
enum { SW_NET_NEAR = 128 };

typedef struct swBodyKind swBodyKind;

// One body on its way, from sw_body_begin() on.
typedef struct swBodyBuild {
    const swBody *def;
    const swBodyKind *kind;
    char key[32];     // "bodies[0]"
    int number;       // that
    int index;        // of its swBodyInfo in the builder: 0
    int nsolid, ncut; // the last solids are what was cut away
    const swSolid **solid;
    const swPaint *paint; // the same with their materials
    const swSolid *given; // what its kind has for a shape where the scene has none; or NULL
    swReal cell;          // edge of the cells that its kind asks for [m]; not above 0: its voxels
    swGrid grid;
    int *region; // per voxel: its integration region, or -1; NULL: not asked for
    swLattice lattice;
    swSurface surface;
    swMirrors mirrors;
    int nsite, nhandle; // frames come first, then handles
    swSite *site;
    SW_LIST(swSite) handles;
    SW_LIST(const swHandle *) handle_defs;
    struct swSkeletonBuild *skeleton; // NULL: none
    int first_bone, nbone;            // handles that are its bones
    int first_node;                   // node of site 0
    swWeightField weights;            // of frames
    swNet net;                        // n = 0: frames
    struct swTetBuild *tets;          // NULL: none
    struct swModesBuild *reduced;     // NULL: the net's vertices are nodes
    int nmode;                        // of its node of modes
    swCorrection strains;             // whether they are computed, from sw_build_strains() on
    bool again;                       // a stage failed that will not with the strains it found
    struct swBodyBricks *bricks;      // NULL: nobody has asked for them
    struct swModeFields *fields;      // of modes that move points before frames do; NULL: none
    SW_LIST(swBulkPoint) bulk;
    SW_LIST(swBedLoad) dead; // loads, where frames may be inserted
    swMat3 R;                // place: x = R X + t
    swVec3 t;
} swBodyBuild;

static inline swReal sw_voxel_mass(const swBuilder *b, const swVoxel *v) {
    return b->material.item[v->material].density * v->density * v->volume;
}

// Adds text to the model's names; its offset, or -1 without memory.
int sw_build_text(swBuilder *b, const char *text, swError *error);
// Appends n zeroed items and returns the first, or NULL.
#define SW_EXTEND(list, n, arena, error) \
    sw_build_extend((void **)&(list)->item, &(list)->count, &(list)->room, (n), \
                    sizeof(*(list)->item), (arena), (error))
void *sw_build_extend(void **item, int *count, int *room, int n, size_t size, swArena *arena,
                      swError *error);

// A part of a load: a force [N] on a point, in world directions and rest coordinates. `vertex` and
// `share`: the corners of the surface's triangle it lies on and its place there, or NULL inside.
typedef struct swForceAt {
    swVec3 p, f;
    const int *vertex;
    const swReal *share;
} swForceAt;
// What can move a body: a file of bodies/ each, and a line in the table of bodies/bodies.c.
typedef enum swStiffParts {
    SW_PARTS_ASKED, // material that is always rigid, as free handles
    SW_PARTS_FOUND, // and what is much stiffer than the softest
    SW_PARTS_NONE   // it moves as a whole
} swStiffParts;

struct swBodyKind {
    const char *name; // the key of the scene file
    bool weights;     // sites have weights, which can be looked at
    bool tears;       // materials with a toughness do
    swStiffParts parts;
    // Before the volume is looked at: reads files, sets `given` and `cell`. May be NULL.
    bool (*open)(swBuilder *b, swBodyBuild *body, swError *error);
    // Once there are voxels: gives them materials of a file. May be NULL.
    void (*paint)(swBodyBuild *body);
    // Makes its nodes: those of body->net by sw_net_nodes(), or others; voxels and handles are
    // there.
    bool (*nodes)(swBuilder *b, swBodyBuild *body, swError *error);
    // Makes what resists, and mass.
    bool (*forces)(swBuilder *b, swBodyBuild *body, swError *error);
    // sw_build_points().
    bool (*points)(swBuilder *b, const swBodyBuild *body, int n, const swVec3 *p, int material,
                   int *far, swError *error);
    // A part of a load that acts on its nodes; NULL: on embedded points.
    bool (*load)(swBuilder *b, swBodyBuild *body, const swForceAt *at, swError *error);
    // Pressure per depth of its surface [Pa/m]; NULL: of its softest voxel over one more of them.
    swReal (*contact)(const swBuilder *b, const swBodyBuild *body);
};

// The stages, in order.
bool sw_build_materials(swBuilder *b, swError *error);
bool sw_build_material(swBuilder *b, const swMaterial *def, swError *error); // one more
// Where changes of volume are to be split off a material: the law that is left to points, and the
// bulk modulus that this lacks. Elsewhere the material itself, and nothing. They are above a
// Poisson's ratio of 0.4, of `bricks` above 0.3.
bool sw_build_split(swBuilder *b, int material, bool bricks, int *law, swReal *bulk,
                    swError *error);
// Whether they are to be, but cannot.
bool sw_build_is_whole(swBuilder *b, int material, bool *whole, swError *error);
// A material at rest: the energy of small strains E is 1/2 E^T D E. All that asks for it comes
// here.
void sw_build_rest(const swMaterialInfo *material, swReal D[6][6]);
bool sw_build_volume(swBuilder *b, swBodyBuild *body,
                     swError *error); // solids, voxels, lattice, surface
bool sw_build_handles(swBuilder *b, swBodyBuild *body, swError *error); // and rigid parts
bool sw_build_sites(swBuilder *b, swBodyBuild *body,
                    swError *error); // handles and frames, as nodes
bool sw_build_samples(swBuilder *b, swBodyBuild *body, swError *error); // groups, samples, mass
bool sw_build_links(swBuilder *b, swBodyBuild *body, swError *error);   // of precomputed bodies
bool sw_build_surface(swBuilder *b, swBodyBuild *body,
                      swError *error); // embedded vertices, contact points
bool sw_build_parts(swBuilder *b, swBodyBuild *body, swError *error); // surfaces of materials
bool sw_build_loads(swBuilder *b, swBodyBuild *body, swError *error); // dead ones
bool sw_build_muscles(swBuilder *b, swBodyBuild *body, swError *error);
bool sw_build_beams(swBuilder *b, swBodyBuild *body, swError *error);  // stiffness and mass
bool sw_build_shapes(swBuilder *b, swBodyBuild *body, swError *error); // at all samples
bool sw_build_start(swBuilder *b, swBodyBuild *body,
                    swError *error); // positions and velocities at t = 0
bool sw_build_bulk(swBuilder *b, swBodyBuild *body,
                   swError *error); // mass and loads of dual quaternions
bool sw_build_bed(swBuilder *b, swBodyBuild *body, swError *error); // for frames to be inserted
bool sw_build_estimate(swBuilder *b, swBodyBuild *body, swError *error); // linear theory's answer
bool sw_build_pairs(swBuilder *b, swError *error); // those that mass and samples do not know of

typedef bool swForceVisit(const swForceAt *at, void *arg, swError *error);
// Calls `visit` with all parts of a body's loads.
bool sw_loads_visit(swBuilder *b, const swBodyBuild *body, swForceVisit *visit, void *arg,
                    swError *error);
// A dead force f on a point X that modes move by phi before the node of `site` does.
bool sw_build_mode_load(swBuilder *b, const swBodyBuild *body, int site, swVec3 X, swVec3 f,
                        const swVec3 *phi, swError *error);
// Mass and centre of mass, times that, of the body's beams are added to what it has.
bool sw_beams_weigh(swBuilder *b, const swBodyBuild *body, swReal *mass, swVec3 *center,
                    swError *error);
// The handle of a body with that name, a bone or a rigid part included, or -1.
int sw_build_find_handle(swBuilder *b, const swBodyBuild *body, const char *name, const char *key,
                         swError *error);

// Once there are voxels, in so many parts: whether strains that frames lack are computed, in
// body->strains.
bool sw_build_strains(swBuilder *b, swBodyBuild *body, int parts, swError *error);
// Once there are nodes. False with `error` filled: as the scene has it, that cannot be, or, with
// body->again, will not.
bool sw_build_check_strains(const swBuilder *b, swBodyBuild *body, swError *error);
// They could not be computed: a body that was not told to have them can do without.
void sw_build_relax_instead(const swBuilder *b, swBodyBuild *body, const swError *error);

// A node at a place of the body, and those of all handles, which come last.
swNode *sw_build_node(swBuilder *b, const swBodyBuild *body, swNodeKind kind, swMotion motion,
                      swVec3 origin, swError *error);
bool sw_build_handle_nodes(swBuilder *b, swBodyBuild *body, swError *error);
// Fills body->net.held: as handles hold the lattice's nodes, or by the vertices' places.
bool sw_net_hold(swBuilder *b, swBodyBuild *body, swError *error);
// Nodes of body->net and of the handles, of which some carry vertices; and what of the vertices'
// weight.
bool sw_net_nodes(swBuilder *b, swBodyBuild *body, swError *error);
// Pairs of vertices of the net, each once or more with a part of its mass [kg], in any order: those
// of one pair add up. Every vertex is with itself, without being listed.
typedef struct swNetPair {
    int i, j;
    swReal mass;
} swNetPair;
bool sw_net_pairs(swBuilder *b, const swBodyBuild *body, int n, const swNetPair *pair,
                  swError *error);
// Points and loads of nets, for the rows of their kinds.
bool sw_net_points(swBuilder *b, const swBodyBuild *body, int n, const swVec3 *p, int material,
                   int *far, swError *error);
bool sw_net_load(swBuilder *b, swBodyBuild *body, const swForceAt *at, swError *error);

// A share over time: constant, which is a single key, or by keys where `value` is not-a-number.
bool sw_build_course(swBuilder *b, swReal value, const swActivationKey *keys, swReal repeat,
                     swCourse *course, swError *error);
swPoseKey sw_build_key(const swKey *key); // of a rigid motion
// The matrices of a body's nodes in the pose that a mesh has of its surface, turned to be nearest
// to rest: a column each, in the order of q / 3 from the body's first node on. NULL on failure.
swVec3 *sw_build_pose(swBuilder *b, const swBodyBuild *body, const char *file, const char *key,
                      swError *error);
// Young's modulus of a voxel, and the least of a body's voxels.
swReal sw_build_young(const swBuilder *b, const swVoxel *v);
swReal sw_build_softest(const swBuilder *b, const swGrid *grid);
// Whether a voxel does not deform: as its material says, or so much stiffer than the softest.
bool sw_build_is_rigid(const swBuilder *b, const swBodyBuild *body, const swVoxel *v,
                       swReal softest);
// Gives each voxel the site that carries it, or -1, once voxels are no longer split.
void sw_build_owners(swBodyBuild *body);
// Appends embedded points with their weights; cells are looked up. Points of a material (-1: of
// whatever is there) go with what carries it rigidly, if anything does. `far` (may be NULL) counts
// points away from any material.
bool sw_build_points(swBuilder *b, const swBodyBuild *body, int n, const swVec3 *p, int material,
                     int *far, swError *error);
// One of them, which some sites move.
bool sw_build_point(swBuilder *b, const swBodyBuild *body, swVec3 p, int n, const int *site,
                    const swReal *weight, swError *error);
// The site that carries the material's voxel nearest to p, which is a cell away at most; -1: none
// does.
int sw_build_carrier(const swBodyBuild *body, int material, swVec3 p);
enum { SW_POINT_REACH = 2 }; // cells: points farther away from any material are outside
// How far frames inserted into a body act, where none of them says.
swReal sw_build_range(const swBodyBuild *body);
// A further zeroed bulk point, or NULL.
swBulkPoint *sw_build_bulk_point(swBuilder *b, swBodyBuild *body, swError *error);
void sw_pose_matrix(const swPose *pose, swMat3 *R, swVec3 *t);
// Positions and velocities of nodes at t = 0, in a body at a place that moves rigidly.
typedef struct swStart {
    swAffine place; // a rotation and a translation
    swVec3 center;  // of mass, there
    swVec3 velocity, spin;
} swStart;
void sw_nodes_start(const swNode *node, int n, const swStart *start, swReal *q, swReal *v);
