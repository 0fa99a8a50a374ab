// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reduced bodies: one node with r amplitudes z and a rigid frame A that stays where it is,
//   x(p) = A m(d(p)),  d(p) = p - origin + sum_j z_j phi_j(p).
// The phi_j are orthonormal in mass, so that inertia is 1/2 |z - target|^2. What elasticity adds is
// a polynomial in z (modes/polynomial.h) or comes from samples, as that of frames does.
//
// The numbers of a body in reduced_data: inertia: S[r] = integral of rho phi_j, N[r] = that of rho
// phi_j (p - origin)^T, L[r][r] = that of rho phi_j phi_i^T at [j][i], vectors first; the
// polynomial. Dead forces f are in mode_load, as sums of f phi_j^T.
// The amplitudes of corrected bodies are such a node too, whose frame moves nothing: frames move
// what its modes have moved (kinematics/points.h).
#pragma once

#include "core/core.h"
#include "model/body.h"

struct swElasticInput;
struct swSystem;

typedef struct swReducedWork {
    swReal *scratch; // NULL: there is no body with a polynomial
} swReducedWork;

bool sw_reduced_create(swReducedWork *work, const swBodyModel *model, swArena *arena,
                       swError *error);
// Energies of polynomials. Damping of stiffness is that of the stiffness at rest.
void sw_reduced_elastic_add(const swBodyModel *model, const swReducedWork *work,
                            const struct swElasticInput *input, struct swSystem *out);
// Dead loads and gravity on the amplitudes, and what their motion changes of those on A.
void sw_reduced_loads_add(const swBodyModel *model, const swReal *q, swReal share,
                          struct swSystem *out);
// factor/2 |z - target|^2 (target NULL: of z itself); where `damping`, times the body's damping.
void sw_reduced_mass_add(const swBodyModel *model, const swReal *q, const swReal *target,
                         swReal factor, bool damping, struct swSystem *out);
// The integrals of rho u and of rho u d^T over a body, u = sum_j w_j phi_j, in coordinates at rest.
void sw_reduced_moments(const swBodyModel *model, const swReducedInfo *info, const swReal *z,
                        const swReal *w, swVec3 *first, swMat3 *second);
// The rotation of a node's frame.
static inline swMat3 sw_node_rotation(const swNode *node, const swReal *q) {
    const swReal *A = q + node->q;
    return (swMat3){{A[1], A[2], A[3], A[5], A[6], A[7], A[9], A[10], A[11]}};
}
