// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Every law of the table goes through every test here by itself.
#include "material/law.h"
#include "material/viscosity.h"
#include "core/json.h"
#include "test_tools.h"

// ---- one deformation gradient at a time ----

typedef struct {
    const swLaw *law;
    swReal young, poisson, mu, lambda;
    swReal coefficient[SW_LAW_COEFFICIENTS];
} Solid;

static Solid make_solid(const swLaw *law, swReal young, swReal poisson) {
    Solid s = {law,
               young,
               poisson,
               young / (2 * (1 + poisson)),
               young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
               {0}};
    swMaterial material = {.law = law->name, .young = young, .poisson = poisson, .density = 1};
    for (int i = 0; i < SW_MATERIAL_PARAMS; i++)
        material.param[i] = NAN;
    law->prepare(&material, s.coefficient);
    return s;
}

// The materials that each law is tried with.
static const swReal constants[][2] = {{2e5, 0.3}, {1, 0}, {1e9, 0.49}, {3e3, -0.5}};

static swReal largest(int n, const swReal *a) {
    swReal size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(a[i]));
    return size;
}

// C is the full 9 x 9 matrix; it and P may be NULL. All lanes hold F, and must agree.
static swReal evaluate(const Solid *s, swMat3 F, swMat3 *P, swReal C[81]) {
    swReal f[9 * SW_LANES], psi[SW_LANES], p[9 * SW_LANES], c[SW_TANGENT * SW_LANES];
    for (int i = 0; i < 9 * SW_LANES; i++)
        f[i] = F.m[i / SW_LANES];
    s->law->evaluate(s->coefficient, 1, f, psi, P ? p : NULL, C ? c : NULL);
    for (int lane = 1; lane < SW_LANES; lane++)
        assert_memory_equal(&psi[lane], &psi[0], sizeof psi[0]);
    for (int i = 0; P && i < 9; i++)
        P->m[i] = p[i * SW_LANES];
    for (int pair = 0; C && pair < 6; pair++)
        for (int kl = 0; kl < 9; kl++) {
            int a = 3 * sw_pair_row[pair] + kl / 3, b = 3 * sw_pair_column[pair] + kl % 3;
            C[9 * a + b] = C[9 * b + a] = c[(9 * pair + kl) * SW_LANES];
            if (sw_pair_row[pair] == sw_pair_column[pair]) // kept twice: must be symmetric
                assert_near(c[(9 * pair + kl) * SW_LANES],
                            c[(9 * pair + 3 * (kl % 3) + kl / 3) * SW_LANES],
                            1e-14 * largest(SW_TANGENT * SW_LANES, c));
        }
    return psi[0];
}

static swMat3 rotated_stretch(Random *r, swReal a, swReal b, swReal c) {
    swMat3 U = random_rotation(r), V = random_rotation(r);
    return sw_mat_mul(sw_mat_mul(U, sw_mat_diag(a, b, c)), V);
}

// Near rest, rotated, large strain, flattened, equal stretches, inverted once, inverted thrice.
enum { GRADIENT_KINDS = 7 };

// False where the law does not take such a deformation.
static bool some_gradient(const swLaw *law, Random *r, int kind, swMat3 *F) {
    swReal a = random_in(r, 0.4, 2.5), b = random_in(r, 0.4, 2.5), c = random_in(r, 0.4, 2.5);
    switch (kind) {
    case 0:
        *F = random_mat(r, 1e-3);
        for (int i = 0; i < 3; i++)
            F->m[4 * i] += 1;
        break;
    case 1: *F = rotated_stretch(r, 1 + 0.1 * a, 1, 1 - 0.1 * c); break;
    case 2: *F = rotated_stretch(r, a, b, c); break;
    case 3: *F = rotated_stretch(r, a, b, pow(10, random_in(r, -3, -1))); break;
    case 4: *F = rotated_stretch(r, a, a, a); break;
    case 5: *F = rotated_stretch(r, a, b, -c); break;
    default: *F = rotated_stretch(r, -a, -b, -c); break;
    }
    return law->takes_inversion || kind < 5;
}

// ---- derivatives ----

// The step of differences follows the smallest stretch; returns the ratio of stretches, by which
// rounding is magnified.
static swReal difference_step(swMat3 F, swReal *step) {
    swMat3 U, V;
    swVec3 s;
    sw_mat_svd(F, &U, &s, &V);
    *step = 1e-3 * fabs(s.z);
    return s.x / fabs(s.z);
}

static swReal shifted(const Solid *s, swMat3 F, int entry, swReal step, swMat3 *P) {
    F.m[entry] += step;
    return evaluate(s, F, P, NULL);
}

// Central differences of fourth order.
static void check_derivatives(const Solid *s, swMat3 F) {
    swMat3 P, Pa, Pb, Pc, Pd;
    swReal C[81], d, ratio = difference_step(F, &d);
    swReal psi = evaluate(s, F, &P, C), size = largest(81, C), share = 1e-9 + 1e-12 * ratio;
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
                assert_near(left, psi, tolerance); // objective
                assert_near(mat_distance(PR, sw_mat_mul(R, P)), 0, 1e-9 * s.young);
                assert_near(evaluate(&s, sw_mat_mul(F, R), NULL, NULL), psi,
                            tolerance); // isotropic
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
                       R = trial % 2 ? random_rotation(&r) : sw_mat_identity();
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
            else if (sw_mat_det(F) <= 0)
                assert_true(isinf(psi) && psi > 0);
            assert_true(isfinite(largest(9, P.m)) && isfinite(largest(81, C)));
            for (int k = 0; k < 81; k++)
                assert_false(isnan(C[k]) || isnan(P.m[k % 9]));
        }
}

// Where a law is infinite at zero volume, the way there goes uphill: no cheap collapse.
static void energy_grows_towards_zero_volume(void **state) {
    (void)state;
    for (int i = 0; sw_law_at(i); i++) {
        Solid s = make_solid(sw_law_at(i), 2e5, 0.3);
        if (s.law->takes_inversion)
            continue;
        swReal last = 0;
        for (swReal t = 0.9; t > 1e-60; t *= 0.7) {
            swMat3 P;
            swReal psi = evaluate(&s, sw_mat_diag(1, 1, t), &P, NULL);
            assert_true(isfinite(psi) && psi > last);
            assert_true(isfinite(P.m[8]) && P.m[8] < 0);
            last = psi;
        }
    }
}

// ---- positive semi-definite tangents ----

static void project(swProjection projection, swMat3 F, swReal C[81]) {
    swReal f[9 * SW_LANES], c[SW_TANGENT * SW_LANES];
    for (int i = 0; i < 9 * SW_LANES; i++)
        f[i] = F.m[i / SW_LANES];
    for (int i = 0; i < SW_TANGENT * SW_LANES; i++) {
        int pair = i / SW_LANES / 9, kl = i / SW_LANES % 9;
        c[i] = C[9 * (3 * sw_pair_row[pair] + kl / 3) + 3 * sw_pair_column[pair] + kl % 3];
    }
    sw_law_project(projection, 1, f, c);
    for (int pair = 0; pair < 6; pair++)
        for (int kl = 0; kl < 9; kl++) {
            int a = 3 * sw_pair_row[pair] + kl / 3, b = 3 * sw_pair_column[pair] + kl % 3;
            C[9 * a + b] = C[9 * b + a] = c[(9 * pair + kl) * SW_LANES];
        }
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

static void projected_tangents_are_semidefinite(void **state) {
    (void)state;
    Random r = {57};
    for (int i = 0; sw_law_at(i); i++) {
        int plain = 0, projected = 0;
        for (int trial = 0; trial < 2000; trial++) {
            Solid s = make_solid(sw_law_at(i), 2e5, constants[trial % 4][1]);
            swMat3 F;
            swReal C[81], clamped[81], absolute[81], same[81], wanted[81];
            if (!some_gradient(s.law, &r, trial % GRADIENT_KINDS, &F))
                continue;
            evaluate(&s, F, NULL, C);
            memcpy(clamped, C, sizeof C);
            memcpy(absolute, C, sizeof C);
            memcpy(same, C, sizeof C);
            project(SW_PROJECT_CLAMP, F, clamped);
            project(SW_PROJECT_ABSOLUTE, F, absolute);
            project(SW_PROJECT_NONE, F, same);
            assert_memory_equal(same, C, sizeof C);
            swReal size = largest(81, C);
            bool definite = reference_projection(SW_PROJECT_CLAMP, C, wanted) >= 0;
            for (int k = 0; k < 81; k++)
                assert_near(clamped[k], definite ? C[k] : wanted[k], 1e-11 * size);
            reference_projection(SW_PROJECT_ABSOLUTE, C, wanted);
            for (int k = 0; k < 81; k++)
                assert_near(absolute[k], wanted[k], 1e-11 * size);
            assert_true(lowest_eigenvalue(clamped) >= -1e-10 * size);
            assert_true(lowest_eigenvalue(absolute) >= -1e-10 * size);
            plain += definite;
            projected += !definite;
        }
        assert_true(plain > 50 && projected > 50); // both cases were met
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
    for (int i = 0; C && i < SW_TANGENT; i++) {
        int a = 3 * sw_pair_row[i / 9] + i % 9 / 3, b = 3 * sw_pair_column[i / 9] + i % 9 % 3;
        C[9 * a + b] = C[9 * b + a] = c[i * SW_LANES];
    }
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

// ---- reference values ----

// The names that the reference files have for our laws.
static const char *reference_name(const swLaw *law) {
    static const char *const names[][2] = {{"stvk", "StVK"},
                                           {"neo-hookean", "NeoHookean"},
                                           {"linear", "linear"},
                                           {"corotated", "corotated"},
                                           {"stable-neo-hookean", "StableNeoHookean_lame"}};
    for (int i = 0; i < SW_COUNT(names); i++)
        if (strcmp(law->name, names[i][0]) == 0)
            return names[i][1];
    return NULL;
}

static const swJson *read_json(const char *path, swArena *arena) {
    char *data;
    size_t size;
    swError error = {0};
    swConfig config = sw_default_config();
    sw_arena_init(arena, &config.allocator);
    require(sw_file_read(path, arena, &data, &size, &error), &error);
    const swJson *json = sw_json_parse(data, size, path, arena, &error);
    require(json != NULL, &error);
    return json;
}

static swReal json_number(const swJson *object, const char *key) {
    const swJson *n = sw_json_member(object, key);
    assert_non_null(n);
    assert_int_equal(n->type, SW_JSON_NUMBER);
    return n->number;
}

static swMat3 json_mat(const swJson *object, const char *key) {
    swMat3 A;
    for (int i = 0; i < 9; i++) {
        const swJson *n = sw_json_at(sw_json_at(sw_json_member(object, key), i / 3), i % 3);
        assert_non_null(n);
        A.m[i] = n->number;
    }
    return A;
}

static void laws_match_the_reference(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "reference/materials.json");
    swArena arena;
    const swJson *json = read_json(path, &arena), *results = sw_json_member(json, "results"),
                 *entry;
    const swJson *parameters = sw_json_member(sw_json_member(json, "meta"), "parameters");
    swReal young = json_number(parameters, "E"), poisson = json_number(parameters, "nu");
    int compared = 0;
    for (int i = 0; sw_law_at(i); i++)
        for (int k = 0; (entry = sw_json_at(results, k)); k++) {
            Solid s = make_solid(sw_law_at(i), young, poisson);
            const char *name = reference_name(s.law);
            const swJson *model = sw_json_member(sw_json_member(entry, "models"), name ? name : "");
            if (!model || model->type != SW_JSON_OBJECT)
                continue; // not of this law, or inverted
            swMat3 F = json_mat(entry, "F"), dF = json_mat(entry, "dF"), P,
                   Pref = json_mat(model, "P"), dPref = json_mat(model, "dP"), dP = {{0}};
            swReal C[81], psi = json_number(model, "psi");
            assert_near(evaluate(&s, F, &P, C), psi, 1e-10 * fabs(psi));
            for (int a = 0; a < 81; a++)
                dP.m[a / 9] += C[a] * dF.m[a % 9];
            assert_near(mat_distance(P, Pref), 0, 1e-10 * largest(9, Pref.m));
            assert_near(mat_distance(dP, dPref), 0, 1e-10 * largest(9, dPref.m));
            compared++;
        }
    assert_true(compared >= 100);
    sw_arena_free(&arena);
}

// The lateral stretch at which a bar stretched to 1 + e has no lateral stress.
static swReal lateral_stretch(const Solid *s, swReal e) {
    swReal t = 1;
    for (int i = 0; i < 60; i++) {
        swMat3 P;
        swReal C[81];
        evaluate(s, sw_mat_diag(1 + e, t, t), &P, C);
        swReal step = -P.m[4] / (C[9 * 4 + 4] + C[9 * 4 + 8]);
        t += sw_clamp(step, -0.2 * t, 0.2 * t);
        if (fabs(step) < 1e-15)
            break;
    }
    return t;
}

static void bars_stretch_as_in_the_reference(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "reference/uniaxial.json");
    swArena arena;
    const swJson *results = sw_json_member(read_json(path, &arena), "results"), *entry;
    int compared = 0;
    for (int i = 0; sw_law_at(i); i++)
        for (int n = 0; n < 2; n++) {
            Solid s = make_solid(sw_law_at(i), 2e5, n ? 0.3 : 0);
            char key[64];
            const char *name = reference_name(s.law);
            snprintf(key, sizeof key, "%s_nu%s", name ? name : "", n ? "0.3" : "0.0");
            const swJson *curve = sw_json_member(results, key);
            for (int k = 0; (entry = sw_json_at(curve, k)); k++, compared++) {
                swReal e = json_number(entry, "strain"), t = lateral_stretch(&s, e), psi;
                swReal stress = json_number(entry, "P"),
                       density = json_number(entry, "energy_density");
                swMat3 P; // the reference has nine digits
                psi = evaluate(&s, sw_mat_diag(1 + e, t, t), &P, NULL);
                assert_near(t, json_number(entry, "lateral_stretch"), 6e-9);
                assert_near(P.m[0], stress, 1e-8 * fabs(stress));
                assert_near(psi, density, 1e-8 * density);
                assert_near(P.m[4], 0, 1e-9 * fabs(stress));
            }
        }
    assert_true(compared >= 60);
    sw_arena_free(&arena);
}

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

// Lame's constants may be given instead of Young's modulus and Poisson's ratio.
static void parameters_replace_young_and_poisson(void **state) {
    (void)state;
    for (int i = 0; sw_law_at(i); i++) {
        const swLaw *law = sw_law_at(i);
        if (law->nparam < 2 || strcmp(law->param[0].name, "mu") != 0)
            continue;
        Solid s = make_solid(law, 2e5, 0.3), given = s;
        swMaterial material = {.law = law->name, .young = 1, .poisson = 0, .density = 1};
        for (int k = 0; k < SW_MATERIAL_PARAMS; k++)
            material.param[k] = NAN;
        material.param[0] = s.mu;
        material.param[1] = s.lambda;
        law->prepare(&material, given.coefficient);
        assert_memory_equal(given.coefficient, s.coefficient, sizeof s.coefficient);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_table_answers_by_name),
    cmocka_unit_test(parameters_replace_young_and_poisson),
    cmocka_unit_test(stress_and_tangent_are_derivatives),
    cmocka_unit_test(outputs_do_not_depend_on_what_else_is_asked),
    cmocka_unit_test(energy_ignores_rotations),
    cmocka_unit_test(rest_is_free_of_stress_and_linear),
    cmocka_unit_test(energy_is_accurate_at_tiny_strains),
    cmocka_unit_test(inversion_is_refused_or_taken),
    cmocka_unit_test(energy_grows_towards_zero_volume),
    cmocka_unit_test(projected_tangents_are_semidefinite),
    cmocka_unit_test(viscosity_has_its_derivatives),
    cmocka_unit_test(viscosity_leaves_rigid_motion_alone),
    cmocka_unit_test(laws_match_the_reference),
    cmocka_unit_test(bars_stretch_as_in_the_reference),
};
SW_SUITE(material, tests)
