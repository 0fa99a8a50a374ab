// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Elasticity of precomputed bodies. Such a body is cut into parts, and each of them is a link
// that joins all nodes that move it:
//   E = 1/2 d^T K d,  d = R^T A - A_rest,
// A being the matrices of these nodes side by side (3 x n), K the stiffness of the part at rest and
// R the rotation of the part's mean deformation gradient A Gamma. K knows nothing of translations,
// so that A and A_rest are taken about the mean of the nodes' positions.
//
// Where a zone of relaxed strains is cut into several parts, these strains see all of them: the
// energy of its links e together is less by
//   1/2 |b|^2,  b = sum over e of C_e d_e,
// b being the amplitudes, in units that make their stiffness one, and C_e what the part does to
// them.
//
// Corrected bodies have amplitudes a, unknowns beside the nodes', and sums of volume m:
//   E = sum over e of 1/2 d_e^T K_e d_e + a^T b + 1/2 a^T K_a a + 1/2 |m|^2,
//   b = sum over e of C_e d_e,  m = sum over e of M_e d_e + M_a a.
//
// E does not change under rigid motions and its gradient is exact, so that the forces of a link
// have neither a sum nor a torque. Where a part is inverted R is the rotation of its singular value
// decomposition with one negative value; where two of its values cancel, so that R may be anything
// about an axis, it is one of them, and the derivative of R is cut there.
#pragma once

#include "core/core.h"
#include "model/body.h"

struct swElasticInput;
struct swSystem;

typedef struct swLinkTask {
    swReal energy;
    swMat3 R, inverse; // and D^-1
    swReal *B[3];      // now, at the last step and before, [3][ncolumn]
    swReal *g;         // in turning axes
    swReal *force;     // [3][ncolumn]
    swReal *H;         // [3 nfree][3 nfree]
    // Of the first of those that share strains:
    swReal *J; // [nstrain + nsquare][3][ncolumn]
    swReal *b; // [nstrain + nsquare]
    swReal *r; // [nstrain]: the force on amplitudes
} swLinkTask;

typedef struct swLinkWork {
    swLinkTask *task; // one per link
    swReal **scratch; // one per worker
    int stride;       // the largest of all links
} swLinkWork;

bool sw_links_create(swLinkWork *work, const swBodyModel *model, int workers, swArena *arena,
                     swError *error);
// Damping of stiffness is that of d, so that rigid motion is not damped.
void sw_links_add(const swBodyModel *model, const swLinkWork *work, swPool *pool,
                  const struct swElasticInput *input, struct swSystem *out);
// Whether a part has no volume left.
bool sw_links_inverted(const swBodyModel *model, const swLinkWork *work, const swReal *q);
