// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Corrected samples: F = F_nodes X, X = 1 + A + c A^2, A = sum over modes of a_m G_m, with strains
// G_m (symmetric: 00 11 22 01 02 12) that were computed for the body (correctors/correctors.h) and
// amplitudes a of its node of modes, which are unknowns like any others. c: correctors/square.h.
//
// Arrays are [block][entries][SW_LANES]; G is [block][mode][6][SW_LANES]. P and C are times the
// samples' weights.
#pragma once

#include "correctors/square.h"
#include "model/body.h"

// The node of amplitudes of a corrected body; -1: there is none.
int sw_corrected_node(const swBodyModel *model);
// G of blocks of a group from `block` on.
const swReal *sw_group_correctors(const swBodyModel *model, const swGroup *group, int block);
// X [block][6] for amplitudes a.
void sw_correct_stretch(int n, int nblock, const swReal *G, const swReal *a, swReal *X);
// r[mode][SW_LANES] += P : dF/da_m. F is that of the nodes.
void sw_correct_force(int n, int nblock, const swReal *G, const swReal *a, const swReal *F,
                      const swReal *P, swReal *r);
// K[n][n][SW_LANES] += dF/da_m : C : dF/da_k + P : d^2F/da_m da_k; and D[mode][row][block][3], how
// P X, the stress in F_nodes, changes with the amplitudes, row by row. With `semidefinite` without
// what stress does. `pair` is scratch, [2][mode][block][6].
void sw_correct_stiffness(int n, int nblock, const swReal *G, const swReal *a, const swReal *F,
                          const swReal *X, const swReal *P, const swReal *C, bool semidefinite,
                          swReal *pair, swReal *K, swReal *D);
// F := F X of some blocks of a group, for the amplitudes in q.
void sw_group_correct(const swBodyModel *model, const swGroup *group, int first, int nblock,
                      const swReal *q, swReal *F);
