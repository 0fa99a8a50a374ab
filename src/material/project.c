// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Positive semi-definite tangents.
#include "material/law.h"

#include "math/vec.h"

#include <float.h>

static swReal project_value(swProjection projection, swReal w) {
    return w >= 0 ? w : projection == SW_PROJECT_ABSOLUTE ? -w : 0;
}

// ---- isotropic laws: block by block in the singular basis of F ----

// The projected part of [a b; b d].
static void project_2x2(swProjection projection, swReal *a, swReal *b, swReal *d) {
    swReal mean = 0.5 * (*a + *d), half = 0.5 * (*a - *d), radius = sqrt(half * half + *b * *b);
    if (mean - radius >= 0 || radius == 0) {
        if (radius == 0)
            *a = *d = project_value(projection, mean);
        return;
    }
    swReal w1 = project_value(projection, mean + radius),
           w2 = project_value(projection, mean - radius);
    swReal m = 0.5 * (w1 + w2), r = 0.5 * (w1 - w2) / radius;
    *a = m + r * half;
    *d = m - r * half;
    *b = r * *b;
}

static void project_3x3(swProjection projection, swReal B[3][3]) {
    swMat3 S = {{B[0][0], B[0][1], B[0][2], B[0][1], B[1][1], B[1][2], B[0][2], B[1][2], B[2][2]}},
           V;
    swVec3 w;
    sw_mat_eigen(S, &w, &V);
    if (w.x >= 0)
        return;
    swMat3 D = sw_mat_diag(project_value(projection, w.x), project_value(projection, w.y),
                           project_value(projection, w.z));
    S = sw_mat_mul(sw_mat_mul(V, D), sw_mat_t(V));
    for (int i = 0; i < 9; i++)
        B[i / 3][i % 3] = S.m[i];
}

// T_ij,ab = sum over r k s l of U_ri V_kj C_rk,sl U_sa V_lb; with U and V transposed, back again.
static void change_basis(const swReal *U, const swReal *V, const swReal in[81], swReal out[81]) {
    swReal M[9][9], half[9][9]; // M_(ij),(rk) = U_ri V_kj
    for (int i = 0; i < 9; i++)
        for (int r = 0; r < 9; r++)
            M[i][r] = U[3 * (r / 3) + i / 3] * V[3 * (r % 3) + i % 3];
    for (int i = 0; i < 9; i++)
        for (int c = 0; c < 9; c++) {
            half[i][c] = 0;
            for (int r = 0; r < 9; r++)
                half[i][c] += M[i][r] * in[9 * r + c];
        }
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            out[9 * i + j] = 0;
            for (int c = 0; c < 9; c++)
                out[9 * i + j] += half[i][c] * M[j][c];
        }
}

static void project_isotropic(swProjection projection, swMat3 F, swReal C[81]) {
    swMat3 U, V;
    swVec3 s;
    sw_mat_svd(F, &U, &s, &V);
    swReal T[81], P[81] = {0}, B[3][3];
    change_basis(U.m, V.m, C, T);
    for (int i = 0; i < 3; i++) // the stretches: entries (i,i), (j,j)
        for (int j = 0; j < 3; j++)
            B[i][j] = 0.5 * (T[9 * (4 * i) + 4 * j] + T[9 * (4 * j) + 4 * i]);
    project_3x3(projection, B);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            P[9 * (4 * i) + 4 * j] = B[i][j];
    for (int i = 0; i < 2; i++) // twist and flip: entries (i,j), (j,i)
        for (int j = i + 1; j < 3; j++) {
            int p = 3 * i + j, q = 3 * j + i;
            swReal a = T[9 * p + p], b = 0.5 * (T[9 * p + q] + T[9 * q + p]), d = T[9 * q + q];
            project_2x2(projection, &a, &b, &d);
            P[9 * p + p] = a;
            P[9 * p + q] = P[9 * q + p] = b;
            P[9 * q + q] = d;
        }
    swMat3 Ut = sw_mat_t(U), Vt = sw_mat_t(V);
    change_basis(Ut.m, Vt.m, P, C);
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

// Jacobi's rotations: A becomes diagonal, the rows of V its eigenvectors.
static void diagonalize(swReal A[81], swReal V[81]) {
    for (int i = 0; i < 81; i++)
        V[i] = i % 10 == 0;
    for (int sweep = 0; sweep < 30; sweep++) {
        swReal off = 0, size = 0;
        for (int i = 0; i < 81; i++)
            *(i % 10 == 0 ? &size : &off) += A[i] * A[i];
        if (!(off > DBL_EPSILON * DBL_EPSILON * size)) // not-a-number ends it too
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

static void project_general(swProjection projection, swReal C[81]) {
    swReal A[81], V[81];
    memcpy(A, C, sizeof A);
    diagonalize(A, V);
    for (int e = 0; e < 9; e++) {
        const swReal w = A[10 * e], more = project_value(projection, w) - w, *v = V + 9 * e;
        for (int i = 0; i < 81 && w < 0; i++)
            C[i] += more * v[i / 9] * v[i % 9];
    }
}

void sw_law_project(bool isotropic, swProjection projection, int nblock, const swReal *F,
                    swReal *C) {
    if (projection == SW_PROJECT_NONE)
        return;
    for (int b = 0; b < nblock; b++, F += 9 * SW_LANES, C += SW_TANGENT * SW_LANES)
        for (int lane = 0; lane < SW_LANES; lane++) {
            swMat3 G;
            swReal full[81];
            for (int i = 0; i < 9; i++)
                G.m[i] = F[i * SW_LANES + lane];
            for (int pair = 0; pair < 6; pair++)
                for (int kl = 0; kl < 9; kl++) {
                    int a = 3 * sw_pair_row[pair] + kl / 3, c = 3 * sw_pair_column[pair] + kl % 3;
                    full[9 * a + c] = full[9 * c + a] = C[(9 * pair + kl) * SW_LANES + lane];
                }
            if (isotropic)
                project_isotropic(projection, G, full);
            else
                project_general(projection, full);
            for (int pair = 0; pair < 6; pair++)
                for (int kl = 0; kl < 9; kl++) {
                    int a = 3 * sw_pair_row[pair] + kl / 3, c = 3 * sw_pair_column[pair] + kl % 3;
                    C[(9 * pair + kl) * SW_LANES + lane] = full[9 * a + c];
                }
        }
}
