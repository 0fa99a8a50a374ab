// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Quadratic fields over a body: bricks of a few voxels along each edge, with 27 nodes each, of
// which only the material inside counts. Surfaces and borders of materials may cut them anywhere:
// integrals run over the voxels' own points. Bricks that touch in the grid but not in the material
// have nodes of their own.
#pragma once

#include "math/factor.h"
#include "volume/grid.h"

enum {
    SW_BRICK_NODES = 27,
    SW_BRICK_KINKS = 2, // borders inside of one brick at most
    SW_KINK_NODES = 4,
    SW_BRICK_MOST = SW_BRICK_NODES + SW_BRICK_KINKS * SW_KINK_NODES,
    SW_BRICK_DOF = 3 * SW_BRICK_MOST
};

// Where integrals are taken: eight points for each voxel, or several of them (sw_bricks_merge()),
// whose volume, centroid and second moments are those of its material.
typedef struct swBrickPoint {
    swVec3 X;
    swReal volume;
    int voxel;
} swBrickPoint;

// A bit of the border between what is held and what is not.
typedef struct swBrickFace {
    swVec3 X;
    swReal area;
    int brick;
} swBrickFace;

// Across a border of materials strains jump, and fields have a kink. A brick that one runs through
// has four more nodes, which move no point but have gradients:
//   (f - smooth) normal,   f = 1, cx, cy, cz in one of the materials, 0 elsewhere,
// c running from -1 to 1 through the brick; `smooth` is the linear function that is nearest to f,
// which other nodes can have. So no linear stress does work on them: where strains are linear, as
// in bars that bend, they are not too soft, though neighbours may differ where they meet.
typedef struct swBrickKink {
    int stuff;
    swVec3 normal;
    swReal smooth[SW_KINK_NODES][4]; // shares of 1, cx, cy, cz
} swBrickKink;

typedef struct swBricks {
    const swGrid *grid;
    int across;    // voxels along an edge
    int before[3]; // the first ones have so many less: bricks lie evenly about the grid's middle,
                   // unless `across` is even and the number of cells is not
    swReal H;      // edge
    int n;         // bricks
    swVec3 *corner;
    int *node;                 // [n][27], x fastest
    int nplace, nnode;         // nodes of these, and all
    swVec3 *X;                 // of nodes
    int *first_kink;           // n + 1, into kink
    SW_LIST(swBrickKink) kink; // their nodes are the last
    int *start;                // n + 1, into point
    swBrickPoint *point;
    bool merged; // points are of several voxels
    SW_LIST(swBrickFace) face;
    int *brick; // of each grid cell, or -1
} swBricks;

// What the material of a voxel does at small strain: the energy of the strains E, in the order of
// math/tangent.h, is 1/2 E^T D E + more/2 (tr E)^2. The latter is what of its bulk modulus a
// Poisson's ratio of 0.3 has not: with no more than that quadratic fields do not lock.
typedef struct swBrickStuff {
    swReal shear, bulk, density; // moduli: means over all directions
    swReal more, D[6][6];
    // Fibres that resist tension alone have half of that in D. The other half acts by |e|, e being
    // how much they are stretched: each e has the stress of the strains slack |e|.
    swReal along[6], slack[6]; // e = along . E; both zero: there are none
} swBrickStuff;
// Of all of D.
swBrickStuff sw_brick_stuff(const swReal D[6][6], swReal density);
// With fibres along the unit vector a, of which D has the stiffness `half`.
void sw_brick_slack(swBrickStuff *stuff, swVec3 a, swReal half);
// Moduli of the same stuff that count what is soft most, as where all stresses are equal (Reuss):
// the bulk modulus is the largest that can be taken out of D. They are those of D where it is
// isotropic. False: D does not resist every strain.
bool sw_soft_moduli(const swReal D[6][6], swReal *shear, swReal *bulk);
// Whether a Poisson's ratio is above this one. Of Lame's constants.
static inline bool sw_poisson_above(swReal most, swReal mu, swReal lambda) {
    return lambda > 2 * most * (lambda + mu) * (1 + 1e-9);
}
// That of the material whose law a voxel follows is to be multiplied by this.
static inline swReal sw_brick_share(const swVoxel *v, const swBrickStuff *stuff) {
    const swBrickStuff *own = &stuff[v->material], *law = &stuff[v->stuff];
    const swReal young = own->bulk * own->shear / (3 * own->bulk + own->shear),
                 other = law->bulk * law->shear / (3 * law->bulk + law->shear);
    return v->stuff == v->material ? v->stiffness : v->stiffness * young / other;
}

bool sw_bricks_create(const swGrid *grid, int across, swArena *arena, swBricks *bricks,
                      swError *error);
// Something holds what is inside of it, which is no longer material: its points are removed, or
// shrink to what is outside, and faces come where the two meet. Once for each thing that holds.
// `depth` is how deep inside p is, negative outside: its border is no nearer than that.
typedef swReal swHoldDepth(void *context, swVec3 p);
bool sw_bricks_hold(swBricks *bricks, swHoldDepth *depth, void *context, swArena *arena,
                    swError *error);
// Kinks for the borders of materials that are not alike; once all that holds it is known.
bool sw_bricks_kink(swBricks *bricks, const swBrickStuff *stuff, swArena *arena, swError *error);
// Nodes of a brick, 27 and those of kinks: how many, and node a of it.
static inline int sw_brick_count(const swBricks *b, int brick) {
    return SW_BRICK_NODES + SW_KINK_NODES * (b->first_kink[brick + 1] - b->first_kink[brick]);
}
static inline int sw_brick_node(const swBricks *b, int brick, int a) {
    return a < SW_BRICK_NODES
               ? b->node[SW_BRICK_NODES * brick + a]
               : b->nplace + SW_KINK_NODES * b->first_kink[brick] + a - SW_BRICK_NODES;
}
// From -1 to 1 through a brick.
static inline swVec3 sw_brick_place(const swBricks *b, int brick, swVec3 X) {
    const swVec3 half = {0.5 * b->H, 0.5 * b->H, 0.5 * b->H};
    return sw_scale(2 / b->H, sw_sub(X, sw_add(b->corner[brick], half)));
}
// Where bricks are many voxels wide, points of several voxels of one stuff become those of all of
// them: they have the volume, centroid and second moments of what there is of these. To be called
// when the stiffness is known, and what is held. One voxel stands for all.
bool sw_bricks_merge(swBricks *bricks, swArena *arena, swError *error);
// Whether fields hardly vary within a voxel: what is asked of them at its middle will do.
static inline bool sw_bricks_large(const swBricks *b) { return b->across >= 4; }
// The middle of what there is of a voxel, whose points begin at `first`; `volume` of it.
static inline swVec3 sw_brick_middle(const swBricks *b, int first, swReal *volume) {
    swVec3 sum = {0, 0, 0};
    *volume = 0;
    for (int k = first; k < first + 8; k++) {
        *volume += b->point[k].volume;
        sum = sw_madd(sum, b->point[k].volume, b->point[k].X);
    }
    return *volume > 0 ? sw_scale(1 / *volume, sum) : b->point[first].X;
}
// The three quadratic functions on [0, 1] at t, and their slopes.
static inline void sw_quadratics(swReal t, swReal value[3], swReal slope[3]) {
    value[0] = (1 - t) * (1 - 2 * t);
    value[1] = 4 * t * (1 - t);
    value[2] = t * (2 * t - 1);
    slope[0] = 4 * t - 3;
    slope[1] = 4 - 8 * t;
    slope[2] = 4 * t - 1;
}
// Shape functions of a brick at p, which may be outside of it, and their gradients (may be NULL).
void sw_brick_shape(const swBricks *bricks, int brick, swVec3 p, swReal N[27], swReal dN[27][3]);
// Gradients of all nodes of a brick at a point of it in this material; returns how many.
int sw_brick_gradients(const swBricks *bricks, int brick, swVec3 p, int stuff, swReal N[27],
                       swReal dN[SW_BRICK_MOST][3]);
// The brick that holds p, or the nearest one.
int sw_bricks_find(const swBricks *bricks, swVec3 p);

// When nodes are eliminated, for swBlocks: those that halves of the body share come last.
bool sw_bricks_turns(const swBricks *bricks, swArena *arena, const int **out, swError *error);
// About what a factor of their stiffness costs.
bool sw_bricks_cost(const swBricks *bricks, swArena *arena, swFactorLimit *out, swError *error);
// Their stiffness at rest: that of shape at every point, that of volume, beyond what a Poisson's
// ratio of 0.3 has, on linear functions over each brick and material, so that nothing locks; faces
// are held by stiff springs.
// stuff[voxel->stuff] is that of a voxel, times sw_brick_share().
typedef struct swBrickMatrix {
    swBlocks K;
    swFactor factor;
    swReal *scale; // of what holds nodes that hardly any material moves
    swReal *hold;  // springs of faces, for each brick [N/m^3]
} swBrickMatrix;
bool sw_bricks_stiffness(const swBricks *bricks, const swBrickStuff *stuff, swArena *arena,
                         swBrickMatrix *out, swError *error);
// What of it is not material: springs of faces, and what keeps nodes in place around hardly any. It
// has no factor.
bool sw_bricks_bare(const swBricks *bricks, const swBrickStuff *stuff, swArena *arena,
                    swBrickMatrix *out, swError *error);
// out += the stiffness of a brick, of which the lower triangle counts.
void sw_bricks_scatter(const swBricks *bricks, int brick, swReal K[SW_BRICK_DOF][SW_BRICK_DOF],
                       const swBlocks *out);
// Functions over a part of a brick on which changes of volume act: of 1 and the coordinates those
// along which the part is not thin, they being of the size of 1. One that fills less than half of
// the brick, `whole`, has its mean alone: with four of its own it would lock. A, the integrals of
// their products, is L L^T; returns how many there are, and which.
int sw_brick_functions(swReal whole, swReal A[4][4], int which[4], swReal L[4][4]);
// Factors it, with a little on the diagonal for nodes around hardly any material. False: it is not
// positive definite, as nothing holds it.
bool sw_bricks_factor(swBrickMatrix *matrix);
// f[3 nnode] += the integral of density * acceleration, stuff[voxel->material] being that of a
// voxel.
void sw_bricks_weigh(const swBricks *bricks, const swBrickStuff *stuff, swVec3 acceleration,
                     swReal *f);
// force[n][3 nnode] += forces of the stresses that go with n fields of strains, in the way of the
// stiffness. `strains` gives those of the eight points of a voxel from `point` on: E[n][6][8].
enum { SW_VOXEL_POINTS = 8, SW_VOXEL_STRAIN = 6 * SW_VOXEL_POINTS };
typedef void swBrickStrains(void *context, int brick, int point, swReal *E);
bool sw_bricks_strain(const swBricks *bricks, const swBrickStuff *stuff, int n,
                      swBrickStrains *strains, void *context, swPool *pool, swArena *arena,
                      swReal *force, swError *error);
// Springs of `ground` [N/m^4] to where it is at rest hold all material a little, so that a body
// that nothing else holds has a factor too: call it before sw_bricks_factor().
void sw_bricks_ground(const swBricks *bricks, swReal ground, swBrickMatrix *matrix);
// f[3 nnode] += forces of the springs of some faces whose other ends go to X + move + turn x (X -
// center).
void sw_bricks_push(const swBricks *bricks, const swBrickMatrix *matrix, int first, int count,
                    swVec3 move, swVec3 turn, swVec3 center, swReal *f);
// The displacement of p under the displacements u[3 nnode] of nodes.
swVec3 sw_bricks_at(const swBricks *bricks, const swReal *u, swVec3 p);
