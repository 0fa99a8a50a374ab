// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What moves contact points. Where positions are linear in q, x = sum over the columns of a point's
// nodes of a_c N_c, N_c = w m_c: these rows are kept. Of corrected bodies they are those at rest,
// and modes change them.
#pragma once

#include "contact/mode_rows.h"

typedef struct swRows {
    swReal *N;     // of one point after another, in the order of its nodes; NULL: not linear
    int *at;       // ncontact: where those of a point begin
    int *nodes;    // ncontact: equal for points one after another that the same nodes move
    int *block;    // of few nodes: [i][j] the block of two of them, i >= j; else NULL
    swReal *reach; // of each column: the largest |m_c| at a point that its node moves
    swReal share;  // the largest sum of |w| of a point
    swReal *a;     // of each column: a_c and a spare number, of the q that sw_rows_turn() was given
    swModeRows modes;
    swReal *bent; // of SW_MODE_RUN points, as modes make them; NULL: there are none
} swRows;

bool sw_rows_create(swRows *rows, const swBodyModel *model, swArena *arena, swError *error);
void sw_rows_turn(const swBodyModel *model, swRows *rows, const swReal *q);
// Of contact point i, at the q that rows were turned to.
swVec3 sw_rows_position(const swBodyModel *model, const swRows *rows, const swReal *q, int64_t i);
// No contact point is farther than this from one q to another: each node moves what it moves by no
// more than sum_c |a'_c - a_c| |m_c|, and points are moved by their nodes in shares w.
// Positions must be linear.
swReal sw_rows_motion(const swBodyModel *model, const swRows *rows, const swReal *from,
                      const swReal *to);
// As sw_point_force_add(), of forces on several contact points.
void sw_rows_add(const swBodyModel *model, const swRows *rows, const swReal *q, int n,
                 const int *point, const swPointForce *force, swSystem *out);
