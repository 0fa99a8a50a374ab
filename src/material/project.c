// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Makes tangents positive semi-definite.
#include "material/law.h"

#include "math/mat3_wide.h"
#include "math/svd_wide.h"
#include "math/tangent.h"
#include "math/vec.h"

#include <float.h>

static swReal project_value(swProjection projection, swReal w) {
    return w >= 0 ? w : projection == SW_PROJECT_ABSOLUTE ? -w : 0;
}

// ---- isotropic laws: in the singular basis U, V of F the stretches form a block, and each pair of
// axes has a twist and a flip mode of its own ----

// U_i V_j^T
static void put_dyad(const swWide U[9], const swWide V[9], int i, int j, swWide out[9]) {
    for (int a = 0; a < 9; a++)
        out[a] = U[3 * (a / 3) + i] * V[3 * (a % 3) + j];
}

static void multiply(swWide C[9][9], const swWide x[9], swWide out[9]) {
    for (int i = 0; i < 9; i++) {
        out[i] = C[i][0] * x[0];
        for (int j = 1; j < 9; j++)
            out[i] = sw_wide_fma(C[i][j], x[j], out[i]);
    }
}

// C += w (x y^T + y x^T) / 2
static void add_dyad(swWide C[9][9], swWide w, const swWide x[9], const swWide y[9]) {
    for (int i = 0; i < 9; i++)
        for (int j = i; j < 9; j++)
            C[j][i] = C[i][j] = sw_wide_fma(w, 0.5 * (x[i] * y[j] + y[i] * x[j]), C[i][j]);
}

// more[6] := what must be added to make the matrix with entries 00 11 22 01 02 12 semi-definite.
static void project_3x3(swProjection projection, const swWide B[6], swWide more[6]) {
    swReal from[6][SW_LANES], to[6][SW_LANES] = {{0}};
    for (int k = 0; k < 6; k++)
        sw_wide_store(from[k], B[k]);
    for (int lane = 0; lane < SW_LANES; lane++) {
        swReal b[6];
        for (int k = 0; k < 6; k++)
            b[k] = from[k][lane];
        const swMat3 S = {{b[0], b[3], b[4], b[3], b[1], b[5], b[4], b[5], b[2]}};
        swMat3 V;
        swVec3 w;
        sw_mat_eigen(S, &w, &V);
        for (int e = 0; e < 3; e++) {
            const swReal value = sw_get(w, e), rise = project_value(projection, value) - value;
            for (int k = 0; k < 6 && value < 0; k++)
                to[k][lane] += rise * V.m[3 * sw_pair_row[k] + e] * V.m[3 * sw_pair_column[k] + e];
        }
    }
    for (int k = 0; k < 6; k++)
        more[k] = sw_wide_load(to[k]);
}

// Whether the matrix is positive definite in every lane.
static bool is_definite(const swWide B[6]) {
    const swWide minor = B[0] * B[1] - B[3] * B[3], det = B[0] * (B[1] * B[2] - B[5] * B[5]) -
                                                          B[3] * (B[3] * B[2] - B[5] * B[4]) +
                                                          B[4] * (B[3] * B[5] - B[1] * B[4]);
    return !sw_wide_any(
        ~(SW_WIDE_MASK(B[0] > 0.0) & SW_WIDE_MASK(minor > 0.0) & SW_WIDE_MASK(det > 0.0)));
}

static void project_stretches(swProjection projection, const swWide U[9], const swWide V[9],
                              swWide C[9][9]) {
    swWide d[3][9], Cd[9], B[6], more[6];
    for (int i = 0; i < 3; i++)
        put_dyad(U, V, i, i, d[i]);
    for (int k = 0; k < 6; k++) {
        if (k < 3 || k == 3 || k == 5)
            multiply(C, d[sw_pair_row[k]], Cd);
        B[k] = sw_wide_dot9(Cd, d[sw_pair_column[k]]);
    }
    if (is_definite(B))
        return;
    project_3x3(projection, B, more);
    for (int k = 0; k < 6; k++)
        add_dyad(C, k < 3 ? more[k] : 2.0 * more[k], d[sw_pair_row[k]], d[sw_pair_column[k]]);
}

static void project_turns(swProjection projection, const swWide U[9], const swWide V[9],
                          swWide C[9][9]) {
    for (int k = 3; k < 6; k++)
        for (int flip = 0; flip < 2; flip++) {
            swWide x[9], y[9], Cx[9];
            put_dyad(U, V, sw_pair_row[k], sw_pair_column[k], x);
            put_dyad(U, V, sw_pair_column[k], sw_pair_row[k], y);
            for (int a = 0; a < 9; a++)
                x[a] = 0.70710678118654752 * (flip ? x[a] + y[a] : x[a] - y[a]);
            multiply(C, x, Cx);
            const swWide value = sw_wide_dot9(x, Cx);
            const swMask negative = SW_WIDE_MASK(value < 0.0);
            const swReal back = projection == SW_PROJECT_ABSOLUTE ? -2 : -1;
            if (sw_wide_any(negative))
                add_dyad(C, sw_wide_select(negative, back * value, sw_wide(0)), x, x);
        }
}

static void project_isotropic(swProjection projection, const swReal *F, swWide C[9][9]) {
    swWide A[9], U[9], s[3], V[9];
    sw_wide_load9(F, A);
    sw_wide_svd(A, U, s, V);
    project_stretches(projection, U, V, C);
    project_turns(projection, U, V, C);
}

// ---- any law: all nine eigenvalues ----

// Rows p and q of the 9 x 9 matrix become c p - s q and s p + c q.
static void rotate_rows(swReal *A, int p, int q, swReal c, swReal s) {
    for (int k = 0; k < 9; k++) {
        swReal x = A[9 * p + k], y = A[9 * q + k];
        A[9 * p + k] = c * x - s * y;
        A[9 * q + k] = s * x + c * y;
    }
}

// Jacobi rotations: A becomes diagonal, and the rows of V become its eigenvectors.
static void diagonalize(swReal A[81], swReal V[81]) {
    for (int i = 0; i < 81; i++)
        V[i] = i % 10 == 0;
    for (int sweep = 0; sweep < 30; sweep++) {
        swReal off = 0, size = 0;
        for (int i = 0; i < 81; i++)
            *(i % 10 == 0 ? &size : &off) += A[i] * A[i];
        if (!(off > DBL_EPSILON * DBL_EPSILON * size)) // also stops on NaN
            return;
        for (int p = 0; p < 8; p++)
            for (int q = p + 1; q < 9; q++) {
                if (A[9 * p + q] == 0)
                    continue;
                swReal tau = (A[10 * q] - A[10 * p]) / (2 * A[9 * p + q]);
                swReal t = (tau < 0 ? -1 : 1) / (fabs(tau) + sqrt(1 + tau * tau));
                swReal c = 1 / sqrt(1 + t * t), s = t * c;
                for (int k = 0; k < 9; k++) {
                    swReal x = A[9 * k + p], y = A[9 * k + q];
                    A[9 * k + p] = c * x - s * y;
                    A[9 * k + q] = s * x + c * y;
                }
                rotate_rows(A, p, q, c, s);
                rotate_rows(V, p, q, c, s);
            }
    }
}

static void project_general(swProjection projection, swWide C[9][9]) {
    swReal all[81][SW_LANES];
    for (int i = 0; i < 81; i++)
        sw_wide_store(all[i], C[i / 9][i % 9]);
    for (int lane = 0; lane < SW_LANES; lane++) {
        swReal A[81], V[81];
        for (int i = 0; i < 81; i++)
            A[i] = all[i][lane];
        diagonalize(A, V);
        for (int e = 0; e < 9; e++) {
            const swReal w = A[10 * e], more = project_value(projection, w) - w, *v = V + 9 * e;
            for (int i = 0; i < 81 && w < 0; i++)
                all[i][lane] += more * v[i / 9] * v[i % 9];
        }
    }
    for (int i = 0; i < 81; i++)
        C[i / 9][i % 9] = sw_wide_load(all[i]);
}

void sw_law_project(bool isotropic, swProjection projection, int nblock, const swReal *F,
                    swReal *C) {
    if (projection == SW_PROJECT_NONE)
        return;
    for (int b = 0; b < nblock; b++, F += 9 * SW_LANES, C += SW_TANGENT * SW_LANES) {
        swWide full[9][9];
        for (int i = 0; i < SW_TANGENT; i++) {
            const int a = 3 * sw_pair_row[i / 9] + i % 9 / 3, c = 3 * sw_pair_column[i / 9] + i % 3;
            full[a][c] = full[c][a] = sw_wide_load(C + i * SW_LANES);
        }
        if (isotropic)
            project_isotropic(projection, F, full);
        else
            project_general(projection, full);
        for (int i = 0; i < SW_TANGENT; i++)
            sw_wide_store(
                C + i * SW_LANES,
                full[3 * sw_pair_row[i / 9] + i % 9 / 3][3 * sw_pair_column[i / 9] + i % 3]);
    }
}
