// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Some blocks of samples of one group on their way through q -> F -> psi, P, C. For elastic.c,
// which adds up chunks, and relaxed.c, which looks for the strains that nodes lack.
#pragma once

#include "potentials/forces.h"
#include "potentials/potential.h"
#include "kinematics/group.h"

typedef struct swElasticJob {
    const swBodyModel *model;
    const swElasticWork *work;
    const swElasticInput *input;
    bool gradient, hessian;
    swProjection projection;
    bool gauss_newton;
    swReal *g; // elements add to them directly
    const swBlocks *H;
    int first; // of the tasks that run at once
} swElasticJob;

typedef struct swChunk {
    const swElasticJob *job;
    const swGroup *group;
    swRates damping;
    int block, nblock; // of the group
    // [block][..][SW_LANES]
    swReal *F_nodes, *F; // of the nodes, and as it is with relaxed strains
    swReal *F_last, *F_before;
    swReal *Fe;      // the elastic part of F, where there is plasticity or a rest shape
    swReal *inverse; // of the rest shape
    swReal *psi, *P, *C;
    swDualGradient *dual;                   // per block
    swReal *place, *X, *coupling, *last;    // see kinematics/relax.h
    swReal *a, *a_last, *a_before;          // gathered from q, q_last and q_before
    const swReal *at, *at_last, *at_before; // these, or for elements q itself
    swReal *rows;                           // for the stiffness product
    swReal *force;   // of one strain, or of elements: [rows][ncolumn][SW_LANES]
    swReal *K;       // of elements, see kinematics/element.h
    swReal *strains; // what relaxed strains take off the stiffness, the square of this:
                     // SW_CHUNK_STRAINS rows [strain / SW_LANES][rows][nfree][SW_LANES], and after
                     // them their opposites
    int nstrain;
    swReal *pair, *changes; // scratch, and D of kinematics/correct.h
} swChunk;
enum { SW_CHUNK_STRAINS = 64 }; // room for them

// The elastic part of F, and in *inverse what F is multiplied with for it (NULL: F is all elastic).
const swReal *sw_chunk_elastic(swChunk *chunk, const swReal **inverse);
// psi, and P and C where they are not NULL, of the law and the volume term alone, per volume.
void sw_chunk_law(swChunk *chunk, swReal *P, swReal *C, swProjection projection);
// Energy, psi, P and C from F, all terms included; P and C times the samples' weight. Stress and
// tangent as asked for.
swReal sw_chunk_evaluate(swChunk *chunk, bool stress, bool tangent, swProjection projection);
// Relaxes zone, whose blocks are those of the chunk, from and to amplitudes a: F, and P and C as
// derivatives in F_nodes. Its strains are added to chunk->strains. Returns its energy; `done` says
// whether the amplitudes are those of least energy.
swReal sw_chunk_relax(swChunk *chunk, const swZone *zone, swReal *a, bool *done);
// The same of samples whose strains have amplitudes among the unknowns: what concerns these is
// added to the task's own.
void sw_chunk_correct(swChunk *chunk, swElasticTask *task);
// Whether its F are found already, with the volume of regions; then the chunk has them.
bool sw_chunk_known(swChunk *chunk);
bool sw_corrected_create(const swBodyModel *model, const swGroup *group, bool step, swArena *arena,
                         swElasticTask *task, swError *error);
void sw_corrected_clear(const swElasticJob *job, const swGroup *group, swElasticTask *task);
void sw_corrected_gather(const swBodyModel *model, const swElasticTask *task, swSystem *out);
bool sw_corrected_couple(const swBodyModel *model, swCouple *visit, void *arg);
// K[pair][nfree][nfree][SW_LANES] less the squares of all strains so far, which are then forgotten.
void sw_chunk_condense(swChunk *chunk, swReal *K);
