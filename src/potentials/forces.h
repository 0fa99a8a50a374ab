// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Potentials and what they add to the energy that a step minimises. Each kind adds to the same
// three places.
#pragma once

#include "potentials/elements.h"
#include "potentials/springs.h"
#include "potentials/volumes.h"
#include "potentials/reduced.h"
#include "potentials/particles.h"
#include "potentials/links.h"
#include "material/law.h"
#include "math/blocks.h"
#include "model/body.h"

// g and H are ambient: over q, and over the ambient unknowns of free nodes, a block for each pair
// of nodes. NULL where not wanted. `scale` collects the largest entry of each kind's
// gradient, per length: forces at work [N].
typedef struct swSystem {
    swReal energy;
    swReal cancelled; // the size of parts that cancel in it: what rounding is relative to
    swReal *g;
    const swBlocks *H;       // its numbers are added to
    swProjection projection; // of tangents that may be indefinite
    bool gauss_newton;       // leaves out second derivatives of dual-quaternion motion
    int unrelaxed;           // zones in which the search for relaxed strains failed
    int contacts;            // points that touch something
    swReal force;            // the largest that another body exerts on a point [N]
} swSystem;

// Damping works against rates, (q - last) / h, or with a place before that (3 q - 4 last + before)
// / (2 h), of second order. Half the square of either, times h or 2 h / 3, is last/2 |q - q_last|^2
// + before/2 |q - q_before|^2 up to a constant, of squares of anything: of places and of strains.
typedef struct swRates {
    swReal last, before;
} swRates;
static inline swRates sw_rates(swReal damping, swReal h, bool before) {
    return before ? (swRates){2 * damping / h, -0.5 * damping / h} : (swRates){damping / h, 0};
}

// ---- elasticity: the sum of psi over all samples, and springs that stand for some ----

typedef struct swElasticTask {
    int group, block, nblock;  // some blocks of one group
    swReal energy, seconds[3]; // kinematics, material, assembly
    swReal beyond;             // yield: of sw_plastic_flow()
    int unrelaxed;             // zones whose amplitudes were not found
    swReal *shares;            // of sw_follow(): SW_SHARES
    // Of samples of frames:
    swReal *force; // [rows][ncolumn][SW_LANES], see sw_group_rows()
    swReal *K;     // [pairs of rows][nfree][nfree][SW_LANES]
    // Of amplitudes: gradient, stiffness, and that with the columns of nodes, [mode][3][ncolumn].
    swReal *r, *Kaa, *Kqa;
} swElasticTask;

typedef struct swElasticWork {
    int ntask;
    swElasticTask *task;
    swReal **scratch; // one per worker
    int room;         // blocks of a chunk
    swElementWork elements;
    swLinkWork links;
    swSpringWork springs;
    swReducedWork reduced;
    swParticleWork particles;
    swVolumesWork volumes;
} swElasticWork;

typedef struct swElasticInput {
    const swReal *q;
    const swReal *q_last;   // the bodies' stiffness damping over a step of h from here; NULL: none
    const swReal *q_before; // a step before q_last, or NULL: see swRates
    swReal h;
    swReal damping;           // of stiffness, beside that of bodies [s]
    const swReal *activation; // of all controls, see sw_control_count()
    const swReal *plastic;    // of the samples that flow
    swReal *relax;            // amplitudes of relaxed strains: where the search begins, and its end
    const swReal *relax_last, *relax_before; // those at q_last and q_before
    bool frozen;                             // there is no search: an estimate of the energy
} swElasticInput;

// For a step: with room for H, and springs in the place of the samples of precomputed bodies.
// Otherwise to look at samples: all of them, without springs.
bool sw_elastic_create(swElasticWork *work, const swBodyModel *model, int workers, bool step,
                       swArena *arena, swError *error);
// Of samples and elements. Adds to profile's stage times and counts when it is not NULL.
void sw_samples_add(const swBodyModel *model, const swElasticWork *work, swPool *pool,
                    const swElasticInput *input, swSystem *out, swProfile *profile);
// Of all that resists deformation.
void sw_elastic_add(const swBodyModel *model, const swElasticWork *work, swPool *pool,
                    const swElasticInput *input, swSystem *out);

// Of one block of a zone at rest: adds its stiffness in the amplitudes to K[n][n], and how the
// force on each of the n amplitudes changes with the nodes to coupling[n][3][ncolumn]. `force` is
// scratch, [3][ncolumn][SW_LANES].
void sw_zone_rest(const swBodyModel *model, const swZone *zone, int block,
                  const swElasticInput *input, swReal *force, swReal *K, swReal *coupling);
// coupling[n][size] := L^-1 coupling, K = L L^T: amplitudes of unit stiffness. Nothing, where K is
// not positive.
void sw_zone_scale(int n, int size, const swReal *K, swReal *coupling);

// ---- plastic flow: what the samples with a yield stress remember ----
void sw_plastic_reset(const swBodyModel *model, swReal *plastic);
// Lets them flow at q over a time h, which may be infinite. Returns how far the worst was beyond
// its yield stress, over that.
swReal sw_plastic_update(const swBodyModel *model, const swElasticWork *work, swPool *pool,
                         const swReal *q, const swReal *relax, swReal h, swReal *plastic);

// ---- rest shapes that a body follows ----
enum { SW_SHARES = 1 + SW_FOLLOWED + SW_FOLLOWED * SW_FOLLOWED }; // energy and its derivatives
// What holds their shares at 0: the sum of follow/2 z^2 [J].
swReal sw_follow_energy(const swBodyModel *model, const swReal *activation);
// Moves the shares of those with set[control] not-a-number, among input's activations, to the least
// of elastic energy and that at input's q; never up. Returns how far the farthest went.
swReal sw_follow(const swBodyModel *model, const swElasticWork *work, swPool *pool,
                 const swElasticInput *input, const swReal *set, swReal *activation);

// ---- dead loads and gravity: linear in q, scaled by `share` ----
void sw_loads_add(const swBodyModel *model, const swReal *q, swReal share, swSystem *out);

// ---- quadratic: factor/2 (q - target)^T M (q - target), with the mass matrix; inertia and mass
// damping ----
void sw_mass_add(const swBodyModel *model, const swReal *q, const swReal *target, swReal factor,
                 swSystem *out);
// The same without the amplitudes of computed strains, as damping and energy are: in steps these
// follow the frames at once. They are faster than any step resolves, and integrators that keep
// energy would let them ring.
void sw_inertia_add(const swBodyModel *model, const swReal *q, const swReal *target, swReal factor,
                    swSystem *out);
// body factors multiply in: factor * (damping_mass of each node's body)
void sw_mass_damping_add(const swBodyModel *model, const swReal *q, const swReal *target,
                         swReal factor, swSystem *out);
// v^T M v / 2
swReal sw_mass_energy(const swBodyModel *model, const swReal *v);
