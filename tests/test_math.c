// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/cholesky.h"
#include "math/tiles.h"
#include "test_tools.h"

#include <float.h>

// ---- 3 x 3 matrices ----

// Matrices of every temper: by `kind` random, stretched, singular, repeated values, tiny, huge,
// reflected.
static swMat3 some_matrix(Random *r, int kind) {
    swMat3 U = random_rotation(r), V = random_rotation(r);
    swVec3 s = sw_v3(random_in(r, 0.2, 3), random_in(r, 0.2, 3), random_in(r, 0.2, 3));
    switch (kind) {
    case 0: return random_mat(r, 2);
    case 1: return sw_mat_identity();
    case 2: return U;
    case 3: s.z = -s.z; break;
    case 4: s.z = 0; break;
    case 5: s.y = s.z = 0; break;
    case 6: return (swMat3){{0}};
    case 7: s.y = s.x; break;
    case 8: s.y = s.z = -s.x; break;
    case 9: s = sw_v3(1, 1e-6, 1e-12); break;
    case 10: s = sw_v3(1e6, 1, -1e-6); break;
    case 11: s = sw_scale(1e-100, s); break;
    case 12: s = sw_scale(1e100, s); break;
    case 13: s = sw_v3(1, 1 + 1e-14, 1 - 1e-14); break;
    case 14: return sw_mat_diag(-1, -1, -1);
    case 15: return sw_mat_diag(0, 2, 0);
    case 16: return (swMat3){{0, 1, 0, 0, 0, 1, 0, 0, 0}};
    case 17: s = sw_v3(1, 1, 1e-9); break;
    default: return (swMat3){{1, 1, 1, 1, 1, 1, 1, 1, 1}};
    }
    return sw_mat_mul(sw_mat_mul(U, sw_mat_diag(s.x, s.y, s.z)), sw_mat_t(V));
}
enum { MATRIX_KINDS = 19 };

static swReal mat_size(swMat3 A) { return mat_distance(A, (swMat3){{0}}); }

static void singular_values_rebuild_the_matrix(void **state) {
    (void)state;
    Random r = {11};
    for (int i = 0; i < 4000; i++) {
        swMat3 A = some_matrix(&r, i % MATRIX_KINDS), U, V;
        swVec3 s;
        sw_mat_svd(A, &U, &s, &V);
        swReal size = mat_size(A);
        assert_rotation(U, 1e-14);
        assert_rotation(V, 1e-14);
        assert_true(s.x >= s.y && s.y >= fabs(s.z) * (1 - 1e-14));
        swMat3 B = sw_mat_mul(sw_mat_mul(U, sw_mat_diag(s.x, s.y, s.z)), sw_mat_t(V));
        assert_near(mat_distance(A, B), 0, 1e-14 * size);
        if (fabs(s.z) > 1e-10 * s.x)
            assert_true((s.z > 0) == (sw_mat_det(A) > 0));
    }
}

static void small_singular_values_are_accurate(void **state) {
    (void)state;
    Random r = {12};
    for (int i = 0; i < 300; i++) { // columns at right angles, of very different lengths
        swMat3 R = random_rotation(&r), U, V;
        swVec3 s;
        sw_mat_svd(sw_mat_mul(R, sw_mat_diag(1, 1e-8, 1e-16)), &U, &s, &V);
        assert_near(s.x, 1, 1e-14);
        assert_near(s.y, 1e-8, 1e-8 * 1e-7);
        assert_near(s.z, 1e-16, 1e-16 * 1e-6);
    }
}

static void the_polar_rotation_is_the_nearest(void **state) {
    (void)state;
    Random r = {13};
    for (int i = 0; i < 4000; i++) {
        swMat3 A = some_matrix(&r, i % MATRIX_KINDS), R, S;
        swReal size = mat_size(A);
        sw_mat_polar(A, &R, &S);
        assert_rotation(R, 1e-14);
        assert_near(mat_distance(S, sw_mat_t(S)), 0, 1e-14 * size);
        assert_near(mat_distance(sw_mat_mul(R, S), A), 0, 2e-14 * size);
        // no rotation nearby is nearer: tr(R^T A) is largest
        swReal best = 0;
        for (int k = 0; k < 9; k++)
            best += R.m[k] * A.m[k];
        for (int trial = 0; trial < 5; trial++) {
            swMat3 Q = sw_mat_mul(sw_mat_rotation(random_vec(&r, trial < 3 ? 0.1 : 3)), R);
            swReal other = 0;
            for (int k = 0; k < 9; k++)
                other += Q.m[k] * A.m[k];
            assert_true(other <= best + 1e-13 * size);
        }
    }
    swMat3 R, S, Q = random_rotation(&r);
    sw_mat_polar(Q, &R, &S);
    assert_near(mat_distance(R, Q), 0, 1e-15);
}

static void eigenvectors_rebuild_the_matrix(void **state) {
    (void)state;
    Random r = {14};
    for (int i = 0; i < 4000; i++) {
        swMat3 A = some_matrix(&r, i % MATRIX_KINDS), V;
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < k; l++)
                A.m[3 * k + l] = A.m[3 * l + k];
        swVec3 w;
        sw_mat_eigen(A, &w, &V);
        swReal size = mat_size(A);
        assert_rotation(V, 1e-14);
        assert_true(w.x <= w.y && w.y <= w.z);
        swMat3 B = sw_mat_mul(sw_mat_mul(V, sw_mat_diag(w.x, w.y, w.z)), sw_mat_t(V));
        assert_near(mat_distance(A, B), 0, 1e-14 * size);
    }
}

static void rotations_turn_by_their_angle(void **state) {
    (void)state;
    Random r = {15};
    static const swReal angles[] = {0,   1e-300, 1e-12, 1e-8,  0.99e-4, 1e-4, 1.01e-4, 1e-3,
                                    0.5, 1.5,    3.1,   SW_PI, 4,       6.3,  100};
    for (int i = 0; i < 50 * SW_COUNT(angles); i++) {
        swReal angle = angles[i % SW_COUNT(angles)];
        swVec3 axis = sw_unit(random_vec(&r, 1)), side = sw_unit(sw_cross(axis, sw_v3(0.3, 1, 2)));
        swMat3 R = sw_mat_rotation(sw_scale(angle, axis));
        assert_rotation(R, 1e-15 * 4);
        swVec3 up = sw_cross(axis, side), turned = sw_mul(R, side);
        assert_near(sw_dot(turned, side), cos(angle), 2e-15 * (1 + angle));
        assert_near(sw_dot(turned, up), sin(angle), 2e-15 * (1 + angle));
        assert_near(sw_norm(sw_sub(sw_mul(R, axis), axis)), 0, 2e-15);
        // small angles keep their relative accuracy
        if (angle < 1e-3 && angle > 0)
            assert_near(R.m[3] - R.m[1], 2 * sin(angle) * axis.z, 1e-14 * angle);
    }
    for (int i = 0; i < 100; i++) { // the derivative at zero is the cross product
        swVec3 w = random_vec(&r, 1e-6), v = random_vec(&r, 1);
        swVec3 change = sw_sub(sw_mul(sw_mat_rotation(w), v), v);
        assert_near(sw_norm(sw_sub(change, sw_cross(w, v))), 0, 1e-11);
    }
}

// ---- Cholesky ----

enum { MAX = 130, STRIDE = 136 };

// A positive definite matrix.
static void positive_matrix(Random *r, int n, double *A) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            A[i * STRIDE + j] = A[j * STRIDE + i] = random_in(r, -1, 1);
    for (int i = 0; i < n; i++) {
        double sum = 0.1;
        for (int j = 0; j < n; j++)
            sum += j == i ? 0 : fabs(A[i * STRIDE + j]);
        A[i * STRIDE + i] = sum;
    }
}

// The factors of the first n rows and columns, and what is made of the rows below.
static void check_cholesky(Random *r, int rows, int n) {
    static double A[MAX * STRIDE], L[MAX * STRIDE], x[MAX], b[MAX];
    const int stride = sw_cholesky_stride(n);
    assert_true(stride >= n && stride <= STRIDE);
    memset(A, 0, sizeof A);
    positive_matrix(r, rows, A);
    memset(L, 0xff, sizeof L); // not-a-number wherever it has no business
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < stride; j++)
            L[i * stride + j] = j <= i && j < n ? A[i * STRIDE + j] : NAN;
    assert_int_equal(sw_cholesky_factor(rows, n, L, stride), n);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i && j < n; j++) {
            double sum = 0;
            for (int k = 0; k <= j; k++)
                sum += L[i * stride + k] * L[j * stride + k];
            assert_near(sum, A[i * STRIDE + j], 1e-13 * n);
        }
    for (int i = 0; i < n; i++)
        x[i] = random_in(r, -1, 1);
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int j = 0; j < n; j++)
            b[i] += A[i * STRIDE + j] * x[j];
    }
    sw_cholesky_solve(n, L, stride, b);
    for (int i = 0; i < n; i++)
        assert_near(b[i], x[i], 1e-11 * n);
}

static void cholesky_solves_every_size(void **state) {
    (void)state;
    Random r = {21};
    for (int n = 1; n <= MAX; n++) {
        check_cholesky(&r, n, n);
        check_cholesky(&r, n + random_int(&r, MAX + 1 - n), n);
    }
}

// The row at which a matrix stops being positive definite is named.
static void cholesky_sees_what_is_not_positive(void **state) {
    (void)state;
    static double A[MAX * STRIDE], L[MAX * STRIDE];
    Random r = {22};
    for (int n = 1; n <= MAX; n += n < 20 ? 1 : 7)
        for (int kind = 0; kind < 3; kind++) {
            const int stride = sw_cholesky_stride(n), bad = random_int(&r, n);
            memset(A, 0, sizeof A);
            positive_matrix(&r, n, A);
            A[bad * STRIDE + bad] = kind == 0 ? -1 : kind == 1 ? NAN : 0;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < stride; j++)
                    L[i * stride + j] = j <= i ? A[i * STRIDE + j] : 0;
            assert_int_equal(sw_cholesky_factor(n, n, L, stride), bad);
        }
    double zero[8] = {0};
    assert_int_equal(sw_cholesky_factor(1, 1, zero, 8), 0);
    assert_int_equal(sw_cholesky_factor(0, 0, zero, 8), 0);
}

// ---- tiles ----

static void tiles_are_sums_of_products(void **state) {
    (void)state;
    enum { ROWS = 14, STEPS = 6, LD = 17 };
    static double a[ROWS * STEPS * SW_LANES], b[ROWS * STEPS * SW_LANES];
    static double acc[ROWS * LD * SW_LANES], start[ROWS * LD * SW_LANES], out[ROWS * LD];
    Random r = {31};
    for (int i = 0; i < SW_COUNT(a); i++) {
        a[i] = random_in(&r, -1, 1);
        b[i] = random_in(&r, -1, 1);
    }
    for (int i = 0; i < SW_COUNT(start); i++)
        start[i] = random_in(&r, -1, 1);
    for (int ni = 0; ni <= ROWS; ni++)
        for (int nj = 0; nj <= ROWS; nj++)
            for (int lower = 0; lower < 2; lower++) {
                const int n = (ni + 2 * nj) % (STEPS + 1);
                // rows far apart and steps close, or the other way round
                swRows A = {a, STEPS * SW_LANES, SW_LANES}, B = {b, SW_LANES, ROWS * SW_LANES};
                memcpy(acc, start, sizeof acc);
                memset(out, 0, sizeof out);
                sw_tiles_accumulate(ni, nj, n, A, B, acc, LD, lower);
                sw_tiles_subtract(ni, nj, n, A, B, out, LD);
                for (int i = 0; i < ROWS; i++)
                    for (int j = 0; j < LD; j++) {
                        double total = 0;
                        bool inside = i < ni && j < nj;
                        for (int lane = 0; lane < SW_LANES; lane++) {
                            double sum = 0;
                            for (int t = 0; inside && t < n; t++)
                                sum += A.data[i * A.row + t * A.step + lane] *
                                       B.data[j * B.row + t * B.step + lane];
                            total += sum;
                            int at = (i * LD + j) * SW_LANES + lane;
                            if (inside && lower && j > i) // may or may not be there
                                continue;
                            assert_near(acc[at], start[at] + sum, 1e-14);
                        }
                        assert_near(out[i * LD + j], -total, 4e-14);
                    }
            }
}

// Numbers times vectors, rows of numbers far apart and close, to sums and from them.
static void tiles_combine_vectors(void **state) {
    (void)state;
    enum { ROWS = 9, STEPS = 6, LD = 11 * SW_LANES };
    static double a[ROWS * STEPS], b[STEPS * LD], start[ROWS * LD], out[ROWS * LD];
    Random r = {37};
    for (int i = 0; i < SW_COUNT(a); i++)
        a[i] = random_in(&r, -1, 1);
    for (int i = 0; i < SW_COUNT(b); i++)
        b[i] = random_in(&r, -1, 1);
    for (int i = 0; i < SW_COUNT(start); i++)
        start[i] = random_in(&r, -1, 1);
    for (int ni = 0; ni <= ROWS; ni++)
        for (int nj = 0; nj <= 5; nj++)
            for (int n = 0; n <= STEPS; n++) {
                const bool subtract = (ni + nj + n) % 2, across = ni % 2;
                const swRows A = {a, across ? 1 : STEPS, across ? ROWS : 1},
                             B = {b, LD, 2 * SW_LANES};
                memcpy(out, start, sizeof out);
                sw_tiles_combine(ni, nj, n, A, B, out, LD, subtract);
                for (int i = 0; i < ROWS * LD; i++) {
                    const int row = i / LD, j = i % LD / SW_LANES, lane = i % SW_LANES;
                    double sum = 0;
                    for (int t = 0; row < ni && j < nj && t < n; t++)
                        sum += A.data[row * A.row + t * A.step] *
                               B.data[t * B.row + j * B.step + lane];
                    assert_near(out[i], start[i] + (subtract ? -sum : sum), 1e-14);
                }
            }
}

// ---- wide logarithms ----

static void compare_log(double x) {
    double in[SW_LANES], out[SW_LANES];
    for (int i = 0; i < SW_LANES; i++)
        in[i] = x * (1 + 0.125 * i);
    sw_wide_store(out, sw_wide_log(sw_wide_load(in)));
    for (int i = 0; i < SW_LANES; i++)
        assert_near(out[i], log(in[i]), 3 * DBL_EPSILON * fabs(log(in[i])));
}

static void compare_log1p(double x) {
    double in[SW_LANES], out[SW_LANES];
    for (int i = 0; i < SW_LANES; i++)
        in[i] = x * (1 - 0.125 * i);
    sw_wide_store(out, sw_wide_log1p(sw_wide_load(in)));
    for (int i = 0; i < SW_LANES; i++)
        assert_near(out[i], log1p(in[i]), 4 * DBL_EPSILON * fabs(log1p(in[i])));
}

static void wide_logarithms_are_accurate(void **state) {
    (void)state;
    Random r = {41};
    for (int i = 0; i < 50000; i++) {
        compare_log(random_in(&r, 0.5, 2));
        compare_log(exp(random_in(&r, -700, 700)));
        compare_log(1 + random_in(&r, -1e-5, 1e-5));
        compare_log1p(random_in(&r, -0.9, 2));
        compare_log1p((random_int(&r, 2) ? 1 : -1) * exp(random_in(&r, -700, -1)));
        compare_log1p(exp(random_in(&r, -1, 700)));
    }
    compare_log(DBL_MIN);
    compare_log(DBL_MAX / 2);
    compare_log(1);
    compare_log(0.70710678118654752440);
    compare_log(nextafter(0.70710678118654752440, 0));
    compare_log1p(0);
    compare_log1p(-1 + 1e-10);
    compare_log1p(1e-320);
}

// To the last bit, as factors are the same whichever adds them up.
static void sums_of_four_vectors_are_those_of_each(void **state) {
    (void)state;
    Random r = {17};
    double v[4][SW_LANES], sum[4];
    for (int trial = 0; trial < 100; trial++) {
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < SW_LANES; i++)
                v[k][i] = random_in(&r, -1, 1);
        sw_quad_store(sum, sw_wide_sums(sw_wide_load(v[0]), sw_wide_load(v[1]), sw_wide_load(v[2]),
                                        sw_wide_load(v[3])));
        for (int k = 0; k < 4; k++)
            assert_true(sum[k] == sw_wide_sum(sw_wide_load(v[k])));
    }
}

static void wide_arithmetic_is_lane_by_lane(void **state) {
    (void)state;
    double a[SW_LANES], b[SW_LANES], out[SW_LANES], sum = 0;
    for (int i = 0; i < SW_LANES; i++) {
        a[i] = i + 1;
        b[i] = 10 * i - 3;
        sum += a[i];
    }
    swWide A = sw_wide_load(a), B = sw_wide_load(b);
    assert_true(sw_wide_sum(A) == sum);
    sw_wide_store(out, sw_wide_fma(A, B, sw_wide(7)));
    for (int i = 0; i < SW_LANES; i++)
        assert_true(out[i] == a[i] * b[i] + 7);
    sw_wide_store(out, sw_wide_select(SW_WIDE_MASK(B > 0.0), A, sw_wide(NAN)));
    for (int i = 0; i < SW_LANES; i++)
        assert_true(b[i] > 0 ? out[i] == a[i] : isnan(out[i]));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(singular_values_rebuild_the_matrix),
    cmocka_unit_test(small_singular_values_are_accurate),
    cmocka_unit_test(the_polar_rotation_is_the_nearest),
    cmocka_unit_test(eigenvectors_rebuild_the_matrix),
    cmocka_unit_test(rotations_turn_by_their_angle),
    cmocka_unit_test(cholesky_solves_every_size),
    cmocka_unit_test(cholesky_sees_what_is_not_positive),
    cmocka_unit_test(tiles_are_sums_of_products),
    cmocka_unit_test(tiles_combine_vectors),
    cmocka_unit_test(wide_logarithms_are_accurate),
    cmocka_unit_test(sums_of_four_vectors_are_those_of_each),
    cmocka_unit_test(wide_arithmetic_is_lane_by_lane),
};
SW_SUITE(math, tests)
