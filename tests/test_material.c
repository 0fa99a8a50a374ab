// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Every law of the table goes through every test here by itself.
#include "material/viscosity.h"
#include "math/svd_wide.h"
#include "test_law.h"

// The materials that each law is tried with.
static const swReal constants[][2] = {{2e5, 0.3}, {1, 0}, {1e9, 0.49}, {3e3, -0.5}};

// ---- principal stretches ----

// Regular, inverted, flat, equal, of rank one, none.
static swMat3 some_matrix(Random *r, int kind) {
    const swReal a = random_in(r, 0.1, 3), b = random_in(r, 0.1, 3);
    switch (kind) {
    case 0: return random_mat(r, 2);
    case 1: return rotated_stretch(r, a, b, -1e-3);
    case 2: return rotated_stretch(r, a, b, 0);
    case 3: return rotated_stretch(r, a, a, a * (1 + 1e-9));
    case 4: return rotated_stretch(r, a, 0, 0);
    case 5: return random_rotation(r);
    default: return (swMat3){{0}};
    }
}

static void principal_stretches_make_up_the_gradient(void **state) {
    (void)state;
    Random r = {50};
    for (int trial = 0; trial < 2000; trial++) {
        swReal f[9][SW_LANES], u[9][SW_LANES], v[9][SW_LANES], s[3][SW_LANES], alone[3][SW_LANES];
        swWide F[9], U[9], V[9], S[3], T[3];
        for (int lane = 0; lane < SW_LANES; lane++) {
            swMat3 A = some_matrix(&r, (trial + lane) % 7);
            for (int i = 0; i < 9; i++)
                f[i][lane] = A.m[i];
        }
        for (int i = 0; i < 9; i++)
            F[i] = sw_wide_load(f[i]);
        sw_wide_svd(F, U, S, V);
        sw_wide_svd(F, U, T, NULL);
        for (int i = 0; i < 9; i++) {
            sw_wide_store(u[i], U[i]);
            sw_wide_store(v[i], V[i]);
            sw_wide_store(s[i % 3], S[i % 3]);
            sw_wide_store(alone[i % 3], T[i % 3]);
        }
        assert_memory_equal(s, alone, sizeof s);
        for (int lane = 0; lane < SW_LANES; lane++) {
            swMat3 A, X, Y, D = sw_mat_diag(s[0][lane], s[1][lane], s[2][lane]);
            for (int i = 0; i < 9; i++) {
                A.m[i] = f[i][lane];
                X.m[i] = u[i][lane];
                Y.m[i] = v[i][lane];
            }
            assert_rotation(X, 1e-14);
            assert_rotation(Y, 1e-14);
            assert_near(mat_distance(sw_mat_mul(sw_mat_mul(X, D), sw_mat_t(Y)), A), 0, 3e-14);
            assert_true(D.m[0] >= 0 && D.m[4] >= 0);
            assert_true(fabs(D.m[8]) <= fmin(D.m[0], D.m[4]) * (1 + 1e-14) + 1e-15);
            assert_true(sw_mat_det(A) * D.m[8] >= -1e-15);
        }
    }
}

// ---- derivatives ----

static swReal shifted(const Solid *s, swMat3 F, int entry, swReal step, swMat3 *P) {
    F.m[entry] += step;
    return evaluate(s, F, P, NULL);
}

// Central differences of fourth order. Their step follows the least stretch, and how fast the
// energy grows as that goes to zero; rounding is magnified by that and by the ratio of stretches.
static void check_derivatives(const Solid *s, swMat3 F) {
    swMat3 P, Pa, Pb, Pc, Pd;
    swReal C[81], ratio, least = least_stretch(F, &ratio);
    swReal psi = evaluate(s, F, &P, C), size = largest(81, C);
    swReal growth = 1 + least * largest(9, P.m) / (fabs(psi) + s->young);
    swReal d = 1e-3 * least / growth, share = 1e-9 + 1e-12 * ratio * growth;
    if (isinf(psi) && least < 0.01 && !s->law->takes_inversion) // too flat for a double
        return;
    assert_true(isfinite(psi) && (psi >= 0 || s->poisson < 0));
    swReal noise = share * (largest(9, P.m) + fabs(psi) + d * size * 1e3);
    for (int i = 0; i < 9; i++) {
        swReal a = shifted(s, F, i, -2 * d, &Pa), b = shifted(s, F, i, -d, &Pb),
               c = shifted(s, F, i, d, &Pc), e = shifted(s, F, i, 2 * d, &Pd);
        assert_near((a - 8 * b + 8 * c - e) / (12 * d), P.m[i], noise);
        for (int k = 0; k < 9; k++)
            assert_near((Pa.m[k] - 8 * Pb.m[k] + 8 * Pc.m[k] - Pd.m[k]) / (12 * d), C[9 * i + k],
                        share * size);
    }
}

static void stress_and_tangent_are_derivatives(void **state) {
    (void)state;
    Random r = {51};
    for (int i = 0; sw_law_at(i); i++)
        for (int m = 0; m < SW_COUNT(constants); m++)
            for (int kind = 0; kind < GRADIENT_KINDS; kind++)
                for (int trial = 0; trial < 20; trial++) {
                    Solid s = make_solid(sw_law_at(i), constants[m][0], constants[m][1]);
                    swMat3 F;
                    if (some_gradient(s.law, &r, kind, &F))
                        check_derivatives(&s, F);
                }
}

// Any subset of the outputs may be asked for, over any number of blocks, and is the same.
static void outputs_do_not_depend_on_what_else_is_asked(void **state) {
    (void)state;
    enum { N = 5 };
    Random r = {52};
    static swReal F[N * 9 * SW_LANES], psi[2][N * SW_LANES], P[2][N * 9 * SW_LANES],
        C[2][N * SW_TANGENT * SW_LANES];
    for (int i = 0; sw_law_at(i); i++) {
        Solid s = make_solid(sw_law_at(i), 2e5, 0.3);
        for (int k = 0; k < SW_COUNT(F); k++)
            F[k] = (k / SW_LANES % 9 % 4 == 0) + random_in(&r, -0.3, 0.3);
        s.law->evaluate(s.coefficient, N, F, psi[0], P[0], C[0]);
        for (int b = 0; b < N; b++) {
            s.law->evaluate(s.coefficient, 1, F + 9 * b * SW_LANES, psi[1] + b * SW_LANES, NULL,
                            NULL);
            s.law->evaluate(s.coefficient, 1, F + 9 * b * SW_LANES, NULL, P[1] + 9 * b * SW_LANES,
                            NULL);
            s.law->evaluate(s.coefficient, 1, F + 9 * b * SW_LANES, NULL, NULL,
                            C[1] + SW_TANGENT * b * SW_LANES);
        }
        assert_memory_equal(psi[0], psi[1], sizeof psi[0]);
        assert_memory_equal(P[0], P[1], sizeof P[0]);
        assert_memory_equal(C[0], C[1], sizeof C[0]);
    }
}

// ---- invariance and the state of rest ----

static void energy_ignores_rotations(void **state) {
    (void)state;
    Random r = {53};
    for (int i = 0; sw_law_at(i); i++)
        for (int kind = 0; kind < GRADIENT_KINDS; kind++)
            for (int trial = 0; trial < 50; trial++) {
                Solid s = make_solid(sw_law_at(i), 2e5, 0.3);
                swMat3 F, P, PR, R = random_rotation(&r);
                if (!some_gradient(s.law, &r, kind, &F) || kind == 3)
                    continue;
                swReal psi = evaluate(&s, F, &P, NULL), tolerance = 1e-11 * (psi + 1);
                swReal left = evaluate(&s, sw_mat_mul(R, F), &PR, NULL);
                if (s.law->objective) {
                    assert_near(left, psi, tolerance);
                    assert_near(mat_distance(PR, sw_mat_mul(R, P)), 0, 1e-9 * s.young);
                }
                if (s.law->isotropic)
                    assert_near(evaluate(&s, sw_mat_mul(F, R), NULL, NULL), psi, tolerance);
            }
}

static swReal hooke(const Solid *s, int row, int column) {
    int r = row / 3, k = row % 3, q = column / 3, l = column % 3;
    return s->mu * ((r == q && k == l) + (r == l && k == q)) + s->lambda * (r == k && q == l);
}

static void rest_is_free_of_stress_and_linear(void **state) {
    (void)state;
    Random r = {54};
    for (int i = 0; sw_law_at(i); i++)
        for (int m = 0; m < SW_COUNT(constants); m++) {
            Solid s = make_solid(sw_law_at(i), constants[m][0], constants[m][1]);
            swMat3 P;
            swReal C[81];
            assert_near(evaluate(&s, sw_mat_identity(), &P, C), 0, 1e-30 * s.young);
            assert_near(largest(9, P.m), 0, 1e-15 * s.young);
            for (int k = 0; k < 81; k++)
                assert_near(C[k], hooke(&s, k / 9, k % 9), 1e-14 * largest(81, C));
            if (!s.law->objective)
                continue;
            // and any turned state of rest
            evaluate(&s, random_rotation(&r), &P, NULL);
            assert_near(largest(9, P.m), 0, 1e-14 * largest(81, C));
        }
}

// The mean of psi at +H and -H is Hooke's energy of the strain up to relative order H^2: at strains
// of 1e-6 the rounding of the law is all that is left.
static void energy_is_accurate_at_tiny_strains(void **state) {
    (void)state;
    Random r = {55};
    for (int i = 0; sw_law_at(i); i++)
        for (int m = 0; m < SW_COUNT(constants); m++)
            for (int trial = 0; trial < 200; trial++) {
                Solid s = make_solid(sw_law_at(i), constants[m][0], constants[m][1]);
                swMat3 H = random_mat(&r, 1e-6),
                       R = trial % 2 && s.law->objective ? random_rotation(&r) : sw_mat_identity();
                swReal mean = 0, expected = 0;
                for (int sign = -1; sign <= 1; sign += 2) {
                    swMat3 F = sw_mat_identity();
                    for (int k = 0; k < 9; k++)
                        F.m[k] += sign * H.m[k];
                    mean += 0.5 * evaluate(&s, sw_mat_mul(R, F), NULL, NULL);
                }
                for (int a = 0; a < 9; a++)
                    for (int b = 0; b < 9; b++)
                        expected += 0.5 * H.m[a] * hooke(&s, a, b) * H.m[b];
                assert_near(mean, expected, 1e-6 * expected);
            }
}

// A law that does not take inversion says so with an infinite energy, and no not-a-number.
static void inversion_is_refused_or_taken(void **state) {
    (void)state;
    Random r = {56};
    for (int i = 0; sw_law_at(i); i++)
        for (int trial = 0; trial < 100; trial++) {
            Solid s = make_solid(sw_law_at(i), 2e5, 0.3);
            swMat3 F = rotated_stretch(&r, 1.2, 0.8, trial % 3 ? -random_unit(&r) : 0), P;
            if (trial % 10 == 0)
                F = (swMat3){{0}};
            swReal C[81], psi = evaluate(&s, F, &P, C);
            if (s.law->takes_inversion)
                assert_true(isfinite(psi));
            else if (sw_mat_det(F) < -1e-14) // zero may be rounded to either side
                assert_true(isinf(psi) && psi > 0);
            assert_true(isfinite(largest(9, P.m)) && isfinite(largest(81, C)));
            for (int k = 0; k < 81; k++)
                assert_false(isnan(C[k]) || isnan(P.m[k % 9]));
        }
}

// Where a law is infinite at zero volume, the way there goes uphill: no cheap collapse. Energies
// too large to be derived in double precision are infinite before that, and stay so.
static void energy_grows_towards_zero_volume(void **state) {
    (void)state;
    for (int i = 0; sw_law_at(i); i++) {
        Solid s = make_solid(sw_law_at(i), 2e5, 0.3);
        if (s.law->takes_inversion)
            continue;
        swReal last = 0;
        for (swReal t = 0.9; t > 1e-60; t *= 0.7) {
            swMat3 P;
            swReal C[81], psi = evaluate(&s, sw_mat_diag(1, 1, t), &P, C);
            assert_true(psi > last || (isinf(last) && isinf(psi)));
            if (isinf(psi))
                assert_true(last > 1e40 || t < 1e-40);
            else
                assert_true(P.m[8] < 0 && C[80] > 0);
            assert_true(isfinite(largest(9, P.m)) && isfinite(largest(81, C)));
            last = psi;
        }
    }
}

// ---- positive semi-definite tangents ----

static void project(const swLaw *law, swProjection projection, swMat3 F, swReal C[81]) {
    swReal f[9 * SW_LANES], c[SW_TANGENT * SW_LANES];
    for (int i = 0; i < 9 * SW_LANES; i++)
        f[i] = F.m[i / SW_LANES];
    for (int i = 0; i < SW_TANGENT * SW_LANES; i++)
        c[i] = C[9 * tangent_row(i / SW_LANES) + tangent_column(i / SW_LANES)];
    sw_law_project(law->isotropic, projection, 1, f, c);
    unpack_tangent(c, 0, C);
}

// The projection by all nine eigenvalues, which needs no structure of the law.
static swReal reference_projection(swProjection projection, const swReal C[81], swReal out[81]) {
    long double A[81], w[9], V[81], lowest = INFINITY;
    for (int i = 0; i < 81; i++)
        A[i] = C[i];
    symmetric_eigen(9, A, w, V);
    for (int k = 0; k < 9; k++) {
        lowest = fminl(lowest, w[k]);
        if (w[k] < 0)
            w[k] = projection == SW_PROJECT_ABSOLUTE ? -w[k] : 0;
    }
    for (int i = 0; i < 81; i++) {
        long double sum = 0;
        for (int k = 0; k < 9; k++)
            sum += V[i / 9 * 9 + k] * w[k] * V[i % 9 * 9 + k];
        out[i] = (swReal)sum;
    }
    return (swReal)lowest;
}

static swReal lowest_eigenvalue(const swReal C[81]) {
    long double A[81], w[9], lowest = INFINITY;
    for (int i = 0; i < 81; i++)
        A[i] = C[i];
    symmetric_eigen(9, A, w, NULL);
    for (int k = 0; k < 9; k++)
        lowest = fminl(lowest, w[k]);
    return (swReal)lowest;
}

// The orthotropic law is isotropic by default: every other time it gets constants of its own.
static Solid solid_to_project(const swLaw *law, int trial) {
    static const swReal wood[9] = {9e5, 6e4, 1e5, 0.4, 0.2, 0.03, 7e4, 2e4, 5e4};
    const bool own = trial % 2 && strcmp(law->name, "orthotropic") == 0;
    return make_solid_with(law, 2e5, constants[trial % 4][1], own ? 9 : 0, wood);
}

static void tangents_are_projected_to_the_nearest(void **state) {
    (void)state;
    Random r = {57};
    for (int i = 0; sw_law_at(i); i++) {
        int plain = 0, projected = 0;
        for (int trial = 0; trial < 420; trial++) {
            Solid s = solid_to_project(sw_law_at(i), trial);
            swMat3 F;
            swReal C[81], clamped[81], absolute[81], same[81], wanted[81];
            if (!some_gradient(s.law, &r, trial % GRADIENT_KINDS, &F))
                continue;
            evaluate(&s, F, NULL, C);
            memcpy(clamped, C, sizeof C);
            memcpy(absolute, C, sizeof C);
            memcpy(same, C, sizeof C);
            project(s.law, SW_PROJECT_CLAMP, F, clamped);
            project(s.law, SW_PROJECT_ABSOLUTE, F, absolute);
            project(s.law, SW_PROJECT_NONE, F, same);
            assert_memory_equal(same, C, sizeof C);
            swReal size = largest(81, C);
            bool definite = reference_projection(SW_PROJECT_CLAMP, C, wanted) >= -1e-15 * size;
            for (int k = 0; k < 81; k++)
                assert_near(clamped[k], definite ? C[k] : wanted[k], 1e-11 * size);
            reference_projection(SW_PROJECT_ABSOLUTE, C, wanted);
            for (int k = 0; k < 81; k++)
                assert_near(absolute[k], wanted[k], 1e-11 * size);
            plain += definite;
            projected += !definite;
        }
        assert_true(plain > 20); // both cases were met; Hooke's law has none of the other
        assert_true(projected > 50 || !sw_law_at(i)->objective);
    }
}

// Whether all eigenvalues of C + shift I are positive (Cholesky).
static bool is_definite(const swReal C[81], swReal shift) {
    swReal L[81];
    for (int i = 0; i < 9; i++)
        for (int j = 0; j <= i; j++) {
            swReal sum = C[9 * i + j] + (i == j ? shift : 0);
            for (int k = 0; k < j; k++)
                sum -= L[9 * i + k] * L[9 * j + k];
            if (i == j && !(sum > 0))
                return false;
            L[9 * i + j] = i == j ? sqrt(sum) : sum / L[10 * j];
        }
    return true;
}

// Ten thousand gradients of each law, block by block.
static void projected_tangents_are_semidefinite(void **state) {
    (void)state;
    Random r = {60};
    for (int i = 0; sw_law_at(i); i++)
        for (int trial = 0; trial < 10000; trial += SW_LANES) {
            Solid s = solid_to_project(sw_law_at(i), trial / SW_LANES);
            swReal f[9 * SW_LANES], c[SW_TANGENT * SW_LANES], projected[SW_TANGENT * SW_LANES];
            for (int lane = 0; lane < SW_LANES; lane++) {
                swMat3 F;
                while (!some_gradient(s.law, &r, random_int(&r, GRADIENT_KINDS), &F))
                    continue;
                for (int k = 0; k < 9; k++)
                    f[k * SW_LANES + lane] = F.m[k];
            }
            s.law->evaluate(s.coefficient, 1, f, NULL, NULL, c);
            for (int way = SW_PROJECT_CLAMP; way <= SW_PROJECT_ABSOLUTE; way++) {
                memcpy(projected, c, sizeof c);
                sw_law_project(s.law->isotropic, (swProjection)way, 1, f, projected);
                for (int lane = 0; lane < SW_LANES; lane++) {
                    swReal C[81], size;
                    unpack_tangent(c, lane, C);
                    size = largest(81, C); // 0 where the energy is infinite
                    unpack_tangent(projected, lane, C);
                    assert_true(isfinite(largest(81, C)));
                    assert_true(size == 0 || is_definite(C, 1e-10 * size));
                }
            }
        }
}

// ---- viscosity ----

static swReal viscous(const Solid *s, swReal factor, bool semidefinite, swMat3 F, swMat3 F0,
                      swMat3 *P, swReal C[81]) {
    swReal f[9 * SW_LANES], f0[9 * SW_LANES], psi[SW_LANES] = {0}, p[9 * SW_LANES] = {0},
                                              c[SW_TANGENT * SW_LANES] = {0};
    for (int i = 0; i < 9 * SW_LANES; i++) {
        f[i] = F.m[i / SW_LANES];
        f0[i] = F0.m[i / SW_LANES];
    }
    sw_viscosity_add(s->mu, s->lambda, factor, semidefinite, 1, f, f0, psi, P ? p : NULL,
                     C ? c : NULL);
    for (int i = 0; P && i < 9; i++)
        P->m[i] = p[i * SW_LANES];
    if (C)
        unpack_tangent(c, 0, C);
    return psi[0];
}

static void viscosity_has_its_derivatives(void **state) {
    (void)state;
    Random r = {58};
    for (int trial = 0; trial < 200; trial++) {
        Solid s = make_solid(sw_law_at(0), 2e5, constants[trial % 4][1]);
        swMat3 F = random_mat(&r, 1.5), F0 = random_mat(&r, 1.5), P, Pa, Pb;
        swReal C[81], factor = random_in(&r, 0.1, 3), d = 1e-5;
        swReal psi = viscous(&s, factor, false, F, F0, &P, C), size = largest(81, C);
        assert_true(psi >= 0);
        for (int i = 0; i < 9; i++) {
            swMat3 A = F, B = F;
            A.m[i] -= d;
            B.m[i] += d;
            swReal slope = (viscous(&s, factor, false, B, F0, &Pb, NULL) -
                            viscous(&s, factor, false, A, F0, &Pa, NULL)) /
                           (2 * d);
            assert_near(slope, P.m[i], 1e-8 * size);
            for (int k = 0; k < 9; k++)
                assert_near((Pb.m[k] - Pa.m[k]) / (2 * d), C[9 * i + k], 1e-8 * size);
        }
        viscous(&s, factor, true, F, F0, NULL, C);
        assert_true(lowest_eigenvalue(C) >= -1e-12 * size);
    }
}

static void viscosity_leaves_rigid_motion_alone(void **state) {
    (void)state;
    Random r = {59};
    for (int trial = 0; trial < 200; trial++) {
        Solid s = make_solid(sw_law_at(0), 2e5, 0.3);
        swMat3 F0 = random_mat(&r, 1.5), P;
        swReal psi = viscous(&s, 1, false, sw_mat_mul(random_rotation(&r), F0), F0, &P, NULL);
        assert_near(psi, 0, 1e-26 * s.young);
        assert_near(largest(9, P.m), 0, 1e-13 * s.young);
        // and for small strains it is Hooke's energy of the change of strain
        swMat3 H = random_mat(&r, 1e-6), F = sw_mat_identity();
        swReal expected = 0;
        for (int a = 0; a < 9; a++) {
            F.m[a] += H.m[a];
            for (int b = 0; b < 9; b++)
                expected += 0.5 * H.m[a] * hooke(&s, a, b) * H.m[b];
        }
        psi = viscous(&s, 2.5, false, F, sw_mat_identity(), NULL, NULL);
        assert_near(psi, 2.5 * expected, 1e-5 * expected);
    }
}

// ---- the table ----

static void the_table_answers_by_name(void **state) {
    (void)state;
    int n = 0;
    for (; sw_law_at(n); n++) {
        assert_string_equal(sw_law_name(n), sw_law_at(n)->name);
        assert_ptr_equal(sw_law_find(sw_law_name(n)), sw_law_at(n));
        assert_true(sw_law_at(n)->nparam <= SW_MATERIAL_PARAMS);
        assert_true(strlen(sw_law_at(n)->doc) > 0);
    }
    assert_true(n >= 2);
    assert_null(sw_law_name(n));
    assert_null(sw_law_at(-1));
    assert_null(sw_law_find("no such law"));
    assert_null(sw_law_find(NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_table_answers_by_name),
    cmocka_unit_test(principal_stretches_make_up_the_gradient),
    cmocka_unit_test(stress_and_tangent_are_derivatives),
    cmocka_unit_test(outputs_do_not_depend_on_what_else_is_asked),
    cmocka_unit_test(energy_ignores_rotations),
    cmocka_unit_test(rest_is_free_of_stress_and_linear),
    cmocka_unit_test(energy_is_accurate_at_tiny_strains),
    cmocka_unit_test(inversion_is_refused_or_taken),
    cmocka_unit_test(energy_grows_towards_zero_volume),
    cmocka_unit_test(tangents_are_projected_to_the_nearest),
    cmocka_unit_test(projected_tangents_are_semidefinite),
    cmocka_unit_test(viscosity_has_its_derivatives),
    cmocka_unit_test(viscosity_leaves_rigid_motion_alone),
};
SW_SUITE(material, tests)
