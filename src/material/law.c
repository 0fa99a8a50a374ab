// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "material/isotropic.h"

#include "math/vec.h"

extern const swLaw sw_law_linear, sw_law_stvk, sw_law_corotated, sw_law_neo_hookean,
    sw_law_stable_neo_hookean, sw_law_mooney_rivlin, sw_law_arruda_boyce, sw_law_ogden, sw_law_fung;

static const swLaw *const table[] = {
    &sw_law_linear,
    &sw_law_stvk,
    &sw_law_corotated,
    &sw_law_neo_hookean,
    &sw_law_stable_neo_hookean,
    &sw_law_mooney_rivlin,
    &sw_law_arruda_boyce,
    &sw_law_ogden,
    &sw_law_fung,
};

void sw_law_rest_lame(const swMaterial *m, swReal lame[2]) {
    lame[0] = m->young / (2 * (1 + m->poisson));
    lame[1] = m->young * m->poisson / ((1 + m->poisson) * (1 - 2 * m->poisson));
}

void sw_law_prepare_lame(const swMaterial *m, swReal coefficient[SW_LAW_COEFFICIENTS]) {
    sw_law_rest_lame(m, coefficient);
    if (!isnan(m->param[0])) {
        coefficient[0] = m->param[0];
        coefficient[1] = m->param[1];
    }
}

const swLaw *sw_law_at(int index) {
    return index >= 0 && index < SW_COUNT(table) ? table[index] : NULL;
}

const char *sw_law_name(int index) { return sw_law_at(index) ? sw_law_at(index)->name : NULL; }

const swLaw *sw_law_find(const char *name) {
    for (int i = 0; i < SW_COUNT(table); i++)
        if (sw_text_equal(table[i]->name, name))
            return table[i];
    return NULL;
}

void sw_law_rest(const swLaw *law, const swReal *coefficient, swReal lame[2]) {
    swReal F[9 * SW_LANES], C[SW_TANGENT * SW_LANES];
    for (int i = 0; i < 9 * SW_LANES; i++)
        F[i] = i / SW_LANES % 4 == 0;
    law->evaluate(coefficient, 1, F, NULL, NULL, C);
    lame[0] = C[4 * SW_LANES];           // dP_xy / dF_xy
    lame[1] = C[(9 * 3 + 1) * SW_LANES]; // dP_xx / dF_yy
}

static swReal project_value(swProjection projection, swReal w) {
    return w >= 0 ? w : projection == SW_PROJECT_ABSOLUTE ? -w : 0;
}

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

static void project_one(swProjection projection, swMat3 F, swReal C[81]) {
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

void sw_law_project(swProjection projection, int nblock, const swReal *F, swReal *C) {
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
            project_one(projection, G, full);
            for (int pair = 0; pair < 6; pair++)
                for (int kl = 0; kl < 9; kl++) {
                    int a = 3 * sw_pair_row[pair] + kl / 3, c = 3 * sw_pair_column[pair] + kl % 3;
                    C[(9 * pair + kl) * SW_LANES + lane] = full[9 * a + c];
                }
        }
}
