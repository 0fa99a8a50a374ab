// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/tiles.h"

#include "core/core.h"

enum { TI = 4, TJ = 3 }; // 12 sums, 3 vectors of B and one of A fill the sixteen registers of AVX2

// sum[i * nj + j] = sum over t of A_i(t) B_j(t). ni and nj are constants once this is inlined.
SW_INLINE void tile(const int ni, const int nj, int n, const double *a, ptrdiff_t arow,
                    ptrdiff_t astep, const double *b, ptrdiff_t brow, ptrdiff_t bstep,
                    swWide *sum) {
    for (int i = 0; i < ni * nj; i++)
        sum[i] = sw_wide(0);
    for (int t = 0; t < n; t++, a += astep, b += bstep) {
        swWide bj[TJ];
        for (int j = 0; j < nj; j++)
            bj[j] = sw_wide_load(b + j * brow);
        for (int i = 0; i < ni; i++) {
            swWide ai = sw_wide_load(a + i * arow);
            for (int j = 0; j < nj; j++)
                sum[i * nj + j] = sw_wide_fma(ai, bj[j], sum[i * nj + j]);
        }
    }
}

// Calls a kernel with its size, ni x nj up to TI x TJ, as constants.
// clang-format off
#define CASE(i, j, kernel, ...) case 3 * (i) + (j): kernel(i, j, __VA_ARGS__); break
#define OF_SIZE(ni, nj, kernel, ...) \
    switch (3 * (ni) + (nj)) { \
    CASE(1, 1, kernel, __VA_ARGS__); CASE(1, 2, kernel, __VA_ARGS__); CASE(1, 3, kernel, __VA_ARGS__); \
    CASE(2, 1, kernel, __VA_ARGS__); CASE(2, 2, kernel, __VA_ARGS__); CASE(2, 3, kernel, __VA_ARGS__); \
    CASE(3, 1, kernel, __VA_ARGS__); CASE(3, 2, kernel, __VA_ARGS__); CASE(3, 3, kernel, __VA_ARGS__); \
    CASE(4, 1, kernel, __VA_ARGS__); CASE(4, 2, kernel, __VA_ARGS__); CASE(4, 3, kernel, __VA_ARGS__); \
    default: SW_ASSERT(false); \
    }
// clang-format on

// The tiles at the edges, in a separate function so that the inlined loops stay small.
static void tile_any(int ni, int nj, int n, const double *a, ptrdiff_t arow, ptrdiff_t astep,
                     const double *b, ptrdiff_t brow, ptrdiff_t bstep, swWide *sum) {
    OF_SIZE(ni, nj, tile, n, a, arow, astep, b, brow, bstep, sum)
}

void sw_tiles_accumulate(int ni, int nj, int n, swRows A, swRows B, double *acc, int ld,
                         bool lower) {
    for (int i = 0; i < ni; i += TI) {
        int hi = sw_min_int(TI, ni - i), end = lower ? sw_min_int(nj, i + hi) : nj;
        for (int j = 0; j < end; j += TJ) {
            swWide sum[TI * TJ];
            int wj = sw_min_int(TJ, nj - j);
            if (hi == TI && wj == TJ)
                tile(TI, TJ, n, A.data + i * A.row, A.row, A.step, B.data + j * B.row, B.row,
                     B.step, sum);
            else
                tile_any(hi, wj, n, A.data + i * A.row, A.row, A.step, B.data + j * B.row, B.row,
                         B.step, sum);
            for (int p = 0; p < hi; p++)
                for (int c = 0; c < wj; c++) {
                    double *at = acc + ((ptrdiff_t)(i + p) * ld + j + c) * SW_LANES;
                    sw_wide_store(at, sw_wide_load(at) + sum[p * wj + c]);
                }
        }
    }
}

// The sizes are constants once this is inlined for a full tile.
SW_INLINE void subtract_sums(const int ni, const int nj, const swWide *sum, double *out,
                             ptrdiff_t ld) {
    for (int i = 0; i < ni; i++, sum += nj, out += ld) {
        double all[4];
        sw_quad_store(all, sw_wide_sums(sum[0], sum[nj > 1], sum[nj > 2 ? 2 : 0], sum[0]));
        for (int j = 0; j < nj; j++)
            out[j] -= all[j];
    }
}

void sw_tiles_subtract(int ni, int nj, int n, swRows A, swRows B, double *out, ptrdiff_t ld) {
    for (int i = 0; i < ni; i += TI)
        for (int j = 0; j < nj; j += TJ) {
            swWide sum[TI * TJ];
            int hi = sw_min_int(TI, ni - i), wj = sw_min_int(TJ, nj - j);
            if (hi == TI && wj == TJ)
                tile(TI, TJ, n, A.data + i * A.row, A.row, A.step, B.data + j * B.row, B.row,
                     B.step, sum);
            else
                tile_any(hi, wj, n, A.data + i * A.row, A.row, A.step, B.data + j * B.row, B.row,
                         B.step, sum);
            if (hi == TI && wj == TJ)
                subtract_sums(TI, TJ, sum, out + i * ld + j, ld);
            else
                subtract_sums(hi, wj, sum, out + i * ld + j, ld);
        }
}

// sum[i * nj + j] = sum over t of a_i(t) B_t(j).
SW_INLINE void spread(const int ni, const int nj, int n, swRows A, swRows B, swWide *sum) {
    const double *a = A.data, *b = B.data;
    for (int i = 0; i < ni * nj; i++)
        sum[i] = sw_wide(0);
    for (int t = 0; t < n; t++, a += A.step, b += B.row) {
        swWide bj[TJ];
        for (int j = 0; j < nj; j++)
            bj[j] = sw_wide_load(b + j * B.step);
        for (int i = 0; i < ni; i++) {
            const swWide ai = sw_wide(a[i * A.row]);
            for (int j = 0; j < nj; j++)
                sum[i * nj + j] = sw_wide_fma(ai, bj[j], sum[i * nj + j]);
        }
    }
}

static void spread_any(int ni, int nj, int n, swRows A, swRows B, swWide *sum) {
    OF_SIZE(ni, nj, spread, n, A, B, sum)
}

void sw_tiles_combine(int ni, int nj, int n, swRows A, swRows B, double *out, ptrdiff_t ld,
                      bool subtract) {
    for (int i = 0; i < ni; i += TI)
        for (int j = 0; j < nj; j += TJ) {
            swWide sum[TI * TJ];
            const int hi = sw_min_int(TI, ni - i), wj = sw_min_int(TJ, nj - j);
            const swRows a = {A.data + i * A.row, A.row, A.step},
                         b = {B.data + j * B.step, B.row, B.step};
            if (hi == TI && wj == TJ)
                spread(TI, TJ, n, a, b, sum);
            else
                spread_any(hi, wj, n, a, b, sum);
            for (int p = 0; p < hi; p++)
                for (int c = 0; c < wj; c++) {
                    double *at = out + (i + p) * ld + (ptrdiff_t)(j + c) * SW_LANES;
                    const swWide own = sum[p * wj + c], old = sw_wide_load(at);
                    sw_wide_store(at, subtract ? old - own : old + own);
                }
        }
}
