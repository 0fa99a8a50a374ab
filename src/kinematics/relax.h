// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Relaxation: in a zone the deformation gradient may leave what the nodes make of it,
//   F = F_nodes X,  X = I + sum over strains of a_m d_k S_s,
// by strains that nodes lack: a bent bar must get thinner where it is long. d_k = axes_k . (p -
// center), k < 3, are coordinates in the zone's own axes, each over the zone's extent; they have no
// mean, so that a constant stress does no work on such strains. d_3 = 1. S_s is the symmetric part
// of e_r x e_c for the six pairs (r, c) of math/tangent.h; I for SW_RELAX_VOLUME, a change of
// volume, against a spring (see sw_relax_guard); and d_2 sym(e_0 x e_1) + d_1 sym(e_0 x e_2) for
// SW_RELAX_WARP, which is how the section of a twisted bar bulges. The amplitudes a_m are those of
// least energy.
//
// Arrays are [block][entries][SW_LANES] over the blocks of one zone; F, P and C are those of laws,
// P and C times the samples' weights.
#pragma once

#include "model/body.h"

// Strains are numbered 8 k + s; a zone uses those of its mask.
enum {
    SW_RELAX_PLACES = 4, // d_0 .. d_3
    SW_RELAX_SHAPES = 8,
    SW_RELAX_STRAINS = SW_RELAX_PLACES * SW_RELAX_SHAPES,
    SW_RELAX_VOLUME = 6,
    SW_RELAX_WARP = 7
};
static inline uint32_t sw_relax_bit(int k, int s) { return 1u << (SW_RELAX_SHAPES * k + s); }
// They are held back where strains E are of this size, by (|E|^2 / limit^2 - 1/4)^4 of the
// stiffness: nothing where they are as they should be, and a wall where nodes are scrambled.
#define SW_RELAX_LIMIT 0.7

// The strains of a zone in their order.
typedef struct swRelaxStrains {
    int n;
    int along[SW_RELAX_STRAINS], shape[SW_RELAX_STRAINS]; // k, s
    int used;                                             // bits of shapes
    swReal S[SW_RELAX_SHAPES][6];                         // in the world's axes; none of WARP
    int across;                                           // of the zone
    swReal wall, arm[3][3];                               // of the zone; its axes times extents
    swReal warp[2][6];                                    // what goes with d_2 and d_1 there
} swRelaxStrains;

void sw_relax_strains(const swZone *zone, swRelaxStrains *strains);
// The zone that a block of the group belongs to, or NULL.
const swZone *sw_zone_of(const swBodyModel *model, const swGroup *group, int block);

// d_k of the zone's samples: [block][4].
void sw_relax_places(const swBodyModel *model, const swZone *zone, swReal *place);
// X [block][6], in the world's axes, for amplitudes a.
void sw_relax_stretch(const swRelaxStrains *strains, int nblock, const swReal *place,
                      const swReal *a, swReal *X);
// out = F X; may be F itself.
void sw_relax_apply(int nblock, const swReal *X, const swReal *F, swReal *out);
// What holds strains back, for a material and weights of samples: at large strains, changes of
// volume, and next to a wall. Added to energy, and to r and K (as below; may be NULL).
void sw_relax_guard(const swRelaxStrains *strains, int nblock, const swReal *place,
                    const swReal *weight, const swMaterialInfo *material, const swReal *a,
                    swReal *energy, swReal *r, swReal *K);
// The bulk modulus that strains of volume leave to strains that vary over a zone. Of stuff that
// hardly changes its volume (a Poisson's ratio above 0.463) that of a ratio of 0.3: a section that
// cannot breathe has about the stiffness it should then. Of all other its own.
static inline swReal sw_relax_bulk(const swReal lame[2]) {
    const swReal bulk = lame[1] + 2.0 / 3 * lame[0];
    return bulk > 13 * lame[0] ? 13.0 / 6 * lame[0] : bulk;
}
// Gradient r[n] and Hessian K[n][n] of the energy in the amplitudes.
void sw_relax_reduce(const swRelaxStrains *strains, int nblock, const swReal *place,
                     const swReal *F, const swReal *P, const swReal *C, swReal *r, swReal *K);
// The derivative in F_nodes of a . r for constant a, [block][9]; with `semidefinite` without what
// stress does.
void sw_relax_couple(const swRelaxStrains *strains, int nblock, const swReal *place,
                     const swReal *F, const swReal *X, const swReal *P, const swReal *C,
                     const swReal *a, bool semidefinite, swReal *out);
// From stress and tangent in F to those in F_nodes, at constant amplitudes: P X and X C_rs X.
void sw_relax_pull(int nblock, const swReal *X, swReal *P, swReal *C);

// F := F X of some blocks of a group, for the amplitudes of all zones.
void sw_group_relax(const swBodyModel *model, const swGroup *group, int first, int nblock,
                    const swReal *amplitude, swReal *F);
