// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Strains of second order. Where a body moves by the soft motions psi_i z_i, its strain is
//   sum_i z_i B_i + 1/2 sum_ij z_i z_j (D_i^T D_j + strain of u_ij),   D_i = grad psi_i,
// u_ij being how it gives way. What F = F_nodes (1 + A + c A^2) makes of the frames' motions phi_i
// and the modes that belong to them is another: where A_i = B_i - S_i, S_i the strain of phi_i,
//   D^T D of phi + (1 + 2 c) A^2 + 2 (A S + S A).
// The difference is no strain of any field: frames between which a plate bends make it wavy, and
// its waves turn with it. It locks thin bodies that turn far, so it is made up for as a strain.
#pragma once

#include "correctors/fields.h"

static inline int sw_second_pairs(int n) { return n * (n + 1) / 2; }

typedef struct swSecond {
    int n, pairs;    // motions; pairs i >= j of them
    swFields fields; // psi - phi
    swReal *skin;    // [n][3][vectors][3][lanes]: gradients of phi
    // [pairs][vectors][6][lanes], of both orders of a pair:
    swReal *whole; // 1/2 D_i^T D_j
    swReal *lack;  // that less what there is
} swSecond;

// u and v: of motions, as those of fields.
bool sw_second_create(swSecond *second, const swBricks *bricks, int n, const swReal *u, int nm,
                      const swReal *v, swArena *arena, swError *error);
// At count <= SW_FIELD_POINTS points, whose skin the fields have.
void sw_second_at(swSecond *second, int count, const swFieldPoint *point);
