// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Contact points of corrected bodies, which modes move before frames do:
//   x = sum_i w_i A_i m_i(p + u),  u = sum_j z_j phi_j(p),  m_i(p) = (1, p - origin_i).
// Forces on many of them are added up together.
#pragma once

#include "potentials/point_force.h"

typedef struct swModeRows {
    int node;              // of modes; -1: none move points of frames
    swReal *reach;         // of each mode: its largest |phi| at a contact point
    swReal *phi, *X, *KX;  // of some points: [mode][3][block][SW_LANES]
    swReal *column, *pull; // [node][4][block][SW_LANES], [node][3][block][SW_LANES]
    swReal *sum;           // of products: [3 modes][columns][SW_LANES]
} swModeRows;

// Points that the same frames move, and their rows w_i m_i(p + u).
typedef struct swModeRun {
    int n;
    const int *point;
    const swReal *row;
    ptrdiff_t stride; // from one row to the next
    const swPointForce *force;
} swModeRun;
enum { SW_MODE_RUN = 32 }; // points at most

bool sw_mode_rows_create(swModeRows *rows, const swBodyModel *model, swArena *arena,
                         swError *error);
// u of contact point i.
swVec3 sw_mode_rows_bend(const swModeRows *rows, const swBodyModel *model, const swReal *q,
                         int64_t i);
// Bounds of |u|, and of how far u goes from one q to another, of any contact point.
swReal sw_mode_rows_change(const swModeRows *rows, const swBodyModel *model, const swReal *from,
                           const swReal *to, swReal *size);
// What forces do to modes, and between them and frames.
void sw_mode_rows_add(const swModeRows *rows, const swBodyModel *model, const swReal *q,
                      const swModeRun *run, swSystem *out);
