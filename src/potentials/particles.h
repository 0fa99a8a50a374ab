// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Elasticity of particles: the strain of linear elasticity in axes that turn with the material
// (stiffness warping),
//   E = sum over Gauss points of V (mu |e|^2 + lambda/2 (tr e)^2 + c |skew(R^T F)|^2),
//   e = sym(R^T F) - 1,
// with F = sum_I x_I g_I^T and a rotation R that is known before a step begins. So E is quadratic
// in x, with the stiffness
//   H_IJ = sum of R k_IJ R^T,
//   k_IJ = V (lambda g_I g_J^T + (mu - c) g_J g_I^T + (mu + c) (g_I . g_J) 1),
// which is that at rest, K, where nothing turns, and about Q K Q^T with the rotations Q of vertices
// elsewhere.
//
// c is 0 but in cells that handles hold, where the material turns as the handle does: particles on
// a line alone would leave it free to spin about that.
//
// Rotations of vertices are quaternions: the sum of those of handles, each with its harmonic
// weight (diffusion), or that of the mean deformation gradient around (polar). R is their mean with
// the shape functions, or the rotation of F itself (polar).
//
// Where R follows F, E is the energy of corotated elasticity, and its stiffness has besides
//   V R [g_I]x^T (mu + b D^-1) [g_J]x R^T,  b = lambda (tr S - 3) - 2 mu,  D = tr S - S,  F = R S.
#pragma once

#include "core/core.h"
#include "math/blocks.h"
#include "model/body.h"

struct swElasticInput;
struct swSystem;

// What the last evaluation with forces found, where nothing is turned since.
typedef struct swParticleMemory {
    bool known;
    bool follow;       // see sw_particles_follow()
    swReal rate;       // of damping
    swReal energy;     // damping included
    swReal *x, *force; // 3 per vertex
} swParticleMemory;

typedef struct swParticleWork {
    swParticleMemory *memory;
    swReal *turn;   // 4 per vertex of all bodies of particles: unit quaternion
    swMat3 *Rt;     // R^T of each Gauss point, and one to spare
    swReal *slab;   // sums over vertices, see particles.c
    swReal *handle; // 4 per handle: its quaternion
} swParticleWork;

bool sw_particles_create(swParticleWork *work, const swBodyModel *model, swArena *arena,
                         swError *error);
// Takes the rotations at q; until then nothing is turned. Returns by how much the entry
// of a matrix R changed that did most.
swReal sw_particles_turn(const swBodyModel *model, const swParticleWork *work, swPool *pool,
                         const swReal *q);
// From now on polar rotations are those at the q that is evaluated, and the stiffness is exact:
// that of corotated elasticity, where it is not to be positive semidefinite. Or they stay.
void sw_particles_follow(const swBodyModel *model, const swParticleWork *work, bool follow);
// Damping of stiffness is that of R^T (F - F_last), with R of this step.
void sw_particles_add(const swBodyModel *model, const swParticleWork *work, swPool *pool,
                      const struct swElasticInput *input, struct swSystem *out);
// y := H x, damping included, over vertices (ambient, as q); x is 0 where nothing moves.
void sw_particles_multiply(const swBodyModel *model, const swParticleWork *work, swPool *pool,
                           const struct swElasticInput *input, const swReal *x, swReal *y);
// The same at another place of which the vertices are known to be `step` away, and forces to be
// larger by `change`, which is H times that (both 3 per vertex).
void sw_particles_advance(const swBodyModel *model, const swParticleWork *work, const swReal *step,
                          const swReal *change);
// What damping makes of a body's stiffness.
swReal sw_particles_scale(const swBodyModel *model, const swParticleInfo *info,
                          const struct swElasticInput *input);
// K where nothing is turned, damping included, is added to H.
void sw_particles_stiffness(const swBodyModel *model, const swParticleWork *work,
                            const struct swElasticInput *input, const swBlocks *H);
// Vertices of particles in the order of work->turn: those of body i begin here.
static inline int64_t sw_particle_vertex(const swBodyModel *model, int64_t i) {
    return model->particle[i].turn - i; // particle_turn has one more for each body before
}
static inline int64_t sw_particle_count(const swBodyModel *model) {
    return model->size.nparticle_turn - model->size.nparticle;
}
