// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The only matrix kernel: sums of products of SIMD-wide rows, computed in tiles that stay in
// registers.
#pragma once

#include "core/simd.h"

// Rows of vectors: vector t of row i starts at data + i * row + t * step (in doubles).
typedef struct swRows {
    const double *data;
    ptrdiff_t row, step;
} swRows;

// acc[i][j] += sum over t < n of A_i(t) * B_j(t), lane by lane, for i < ni, j < nj. `acc` holds
// SW_LANES doubles per entry, rows of ld entries. With `lower`, only tiles that touch j <= i are
// computed.
void sw_tiles_accumulate(int ni, int nj, int n, swRows A, swRows B, double *acc, int ld,
                         bool lower);
// out[i][j] -= the same sums, added over the lanes (row stride ld).
void sw_tiles_subtract(int ni, int nj, int n, swRows A, swRows B, double *out, ptrdiff_t ld);
// out[i][j] += (or -=) sum over t < n of a_i(t) * B_t(j), for scalars a_i(t) at A.data + i * A.row
// + t * A.step and vectors B_t(j) at B.data + t * B.row + j * B.step. The vectors of a row of `out`
// are adjacent (row stride ld).
void sw_tiles_combine(int ni, int nj, int n, swRows A, swRows B, double *out, ptrdiff_t ld,
                      bool subtract);
