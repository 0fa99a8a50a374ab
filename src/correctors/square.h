// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// How much of the square of A, what modes strain, goes into F = F_nodes X, X = 1 + A + c A^2.
//
// Two things are asked of the square. Where modes take back what frames strain, A = -S, there is
// left (c - 1) S^2 of (1 + S) X: with c < 1 a shortening that tension makes grow. Where modes
// stand alone, ln X = A + (c - 1/2) A^2: with c > 1/2 a lengthening that pressure makes grow, and
// modes of a block that is pressed lose their stiffness long before the block does. c is between
// the two: bars that are pulled by a fifth have up to 3 % less energy for it, and what is pressed
// by its own weight leans as it should, nearly up to where it falls (tests/test_pressed.c).
#pragma once

#define SW_CORRECT_SQUARE 0.75 // c
