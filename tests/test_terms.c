// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What adds to any law: the volume term, fibres, plasticity; and activation over time.
#include "potentials/forces.h"
#include "material/plasticity.h"
#include "material/terms.h"
#include "solve/work.h"
#include "test_scene.h"
#include "test_tools.h"

// ---- derivatives, one block of samples at a time ----

typedef struct {
    swReal volume, k1, k2, tension;
    swVec3 direction;
} Term;

static const Term terms[] = {
    {.volume = 3, .k2 = 1, .direction = {1, 0, 0}},
    {.k1 = 2, .k2 = 0.7, .direction = {0.6, 0, 0.8}},
    {.k2 = 1, .tension = 1.5, .direction = {0, 1, 0}},
    {.volume = 1, .k1 = 2, .k2 = 0.3, .tension = 1, .direction = {0.48, 0.6, 0.64}},
};

static void add_term(const Term *t, const swReal *F, swReal *psi, swReal *P, swReal *C) {
    if (t->volume > 0)
        sw_volume_add(t->volume, 1, F, psi, P, C);
    if (t->k1 > 0 || t->tension > 0)
        sw_fibre_add(t->direction, t->k1, t->k2, t->tension, 1, F, psi, P, C);
}

static swReal entry(const swReal *C, int lane, int rk, int sl) {
    for (int i = 0; i < SW_TANGENT; i++) {
        const int a = 3 * sw_pair_row[i / 9] + i % 9 / 3, b = 3 * sw_pair_column[i / 9] + i % 3;
        if ((a == rk && b == sl) || (a == sl && b == rk))
            return C[i * SW_LANES + lane];
    }
    fail_msg("no entry %d, %d", rk, sl);
    return 0;
}

static void random_block(Random *r, swReal size, swReal *F) {
    for (int lane = 0; lane < SW_LANES; lane++) {
        swMat3 A = random_mat(r, size), R = random_rotation(r);
        for (int i = 0; i < 9; i++)
            A.m[i] += i % 4 == 0;
        A = sw_mat_mul(R, A);
        for (int i = 0; i < 9; i++)
            F[i * SW_LANES + lane] = A.m[i];
    }
}

static swReal block_det(const swReal *F, int lane) {
    swMat3 A;
    for (int i = 0; i < 9; i++)
        A.m[i] = F[i * SW_LANES + lane];
    return sw_mat_det(A);
}

typedef void Evaluate(const void *what, const swReal *F, swReal *psi, swReal *P, swReal *C);

// Energy to stress to tangent by central differences, in every entry of F.
static void check_derivatives(Evaluate *evaluate, const void *what, const swReal *F,
                              swReal tolerance) {
    const swReal h = 1e-6;
    swReal psi[SW_LANES] = {0}, P[9 * SW_LANES] = {0}, C[SW_TANGENT * SW_LANES] = {0};
    evaluate(what, F, psi, P, C);
    for (int sl = 0; sl < 9; sl++) {
        swReal psi2[2][SW_LANES] = {{0}}, P2[2][9 * SW_LANES] = {{0}}, G[9 * SW_LANES];
        for (int side = 0; side < 2; side++) {
            memcpy(G, F, sizeof G);
            for (int lane = 0; lane < SW_LANES; lane++)
                G[sl * SW_LANES + lane] += side ? h : -h;
            evaluate(what, G, psi2[side], P2[side], NULL);
        }
        for (int lane = 0; lane < SW_LANES; lane++) {
            const swReal slope = (psi2[1][lane] - psi2[0][lane]) / (2 * h);
            const swReal size = 1 + fabs(psi[lane]);
            assert_near(P[sl * SW_LANES + lane], slope, tolerance * size);
            for (int rk = 0; rk < 9; rk++) {
                const int i = rk * SW_LANES + lane;
                assert_near(entry(C, lane, rk, sl), (P2[1][i] - P2[0][i]) / (2 * h),
                            tolerance * size * 30);
            }
        }
    }
}

static void evaluate_term(const void *what, const swReal *F, swReal *psi, swReal *P, swReal *C) {
    add_term(what, F, psi, P, C);
}

static void stress_and_tangent_are_derivatives(void **state) {
    (void)state;
    Random r = {1};
    int inverted = 0;
    for (int i = 0; i < SW_COUNT(terms); i++)
        for (int trial = 0; trial < 40; trial++) {
            swReal F[9 * SW_LANES];
            random_block(&r, trial % 2 ? 0.2 : 0.9, F);
            for (int lane = 0; lane < SW_LANES; lane++)
                inverted += block_det(F, lane) < 0;
            check_derivatives(evaluate_term, &terms[i], F, 1e-6);
        }
    assert_true(inverted > 10);
}

// Smallest eigenvalue of the tangent of a lane.
static swReal least_eigenvalue(const swReal *C, int lane) {
    long double A[81], w[9];
    swReal least = INFINITY;
    for (int i = 0; i < 81; i++)
        A[i] = entry(C, lane, i / 9, i % 9);
    symmetric_eigen(9, A, w, NULL);
    for (int i = 0; i < 9; i++)
        least = fmin(least, (swReal)w[i]);
    return least;
}

static void tangents_are_semidefinite(void **state) {
    (void)state;
    Random r = {2};
    const swLaw *law = sw_law_find("stvk");
    int negative = 0;
    for (int trial = 0; trial < 40; trial++) {
        swReal F[9 * SW_LANES], psi[SW_LANES] = {0}, C[SW_TANGENT * SW_LANES] = {0};
        random_block(&r, 0.9, F);
        sw_fibre_add(sw_v3(0.6, 0.8, 0), 1, 0.3, 2, 1, F, psi, NULL, C);
        for (int lane = 0; lane < SW_LANES; lane++)
            assert_true(least_eigenvalue(C, lane) > -1e-9 * (1 + fabs(psi[lane])));
        memset(C, 0, sizeof C);
        sw_volume_add(1, 1, F, psi, NULL, C);
        for (int lane = 0; lane < SW_LANES; lane++)
            negative += least_eigenvalue(C, lane) < -1e-3;
        sw_law_project(law->isotropic, SW_PROJECT_CLAMP, 1, F, C);
        for (int lane = 0; lane < SW_LANES; lane++)
            assert_true(least_eigenvalue(C, lane) > -1e-9);
    }
    assert_true(negative > 10);
}

static void a_rigid_motion_is_free(void **state) {
    (void)state;
    Random r = {3};
    for (int trial = 0; trial < 20; trial++) {
        swReal F[9 * SW_LANES], psi[SW_LANES] = {0}, P[9 * SW_LANES] = {0};
        random_block(&r, 0, F);
        sw_volume_add(1, 1, F, psi, P, NULL);
        sw_fibre_add(sw_v3(0, 0.6, 0.8), 1, 1, 0, 1, F, psi, P, NULL);
        for (int i = 0; i < 9 * SW_LANES; i++)
            assert_near(P[i], 0, 1e-14);
        for (int lane = 0; lane < SW_LANES; lane++)
            assert_near(psi[lane], 0, 1e-28);
    }
}

// Energy and stress go through I4 = 1 without a jump; shorter fibres carry nothing.
static void fibres_switch_on_smoothly(void **state) {
    (void)state;
    for (int side = 0; side < 2; side++)
        for (swReal d = 1e-3; d > 1e-9; d /= 10) {
            const swReal length = side ? 1 + d : 1 - d;
            swReal F[9 * SW_LANES] = {0}, psi[SW_LANES] = {0}, P[9 * SW_LANES] = {0};
            for (int lane = 0; lane < SW_LANES; lane++)
                F[lane] = length, F[4 * SW_LANES + lane] = F[8 * SW_LANES + lane] = 0.7;
            sw_fibre_add(sw_v3(1, 0, 0), 5, 2, 0, 1, F, psi, P, NULL);
            assert_near(psi[0], side ? 10 * d * d : 0, 40 * d * d * d + 1e-14 * d);
            assert_near(P[0], side ? 20 * d : 0, 60 * d * d + 1e-14);
            assert_near(P[4 * SW_LANES], 0, 0);
        }
}

// Where exp() would overflow the energy is infinite; a fibre without length has a finite one.
static void extreme_fibres_make_no_nonsense(void **state) {
    (void)state;
    static const swReal lengths[] = {0, 1e-200, 3, 1e3, 1e100, 1e200};
    for (int i = 0; i < SW_COUNT(lengths); i++) {
        swReal F[9 * SW_LANES] = {0}, psi[SW_LANES] = {0}, P[9 * SW_LANES] = {0},
                     C[SW_TANGENT * SW_LANES] = {0};
        for (int lane = 0; lane < SW_LANES; lane++)
            F[3 * SW_LANES + lane] = lengths[i];
        sw_fibre_add(sw_v3(1, 0, 0), 1e9, 10, 1e6, 1, F, psi, P, C);
        assert_true(lengths[i] < 3 ? isfinite(psi[0]) : psi[0] == INFINITY);
        for (int k = 0; k < 9 * SW_LANES; k++)
            assert_true(isfinite(P[k]));
        for (int k = 0; k < SW_TANGENT * SW_LANES; k++)
            assert_true(isfinite(C[k]));
        if (lengths[i] == 3) { // a muscle without passive stress has no limit
            psi[0] = 0;
            sw_fibre_add(sw_v3(1, 0, 0), 0, 1e6, 2, 1, F, psi, P, C);
            assert_near(psi[0], 6, 1e-14);
        }
    }
}

// ---- plasticity of samples ----

static void random_plastic(Random *r, swReal *plastic) {
    memset(plastic, 0, SW_PLASTIC * SW_LANES * sizeof *plastic);
    for (int lane = 0; lane < SW_LANES; lane++) {
        const swReal a = random_in(r, 0.7, 1.4), b = random_in(r, 0.7, 1.4);
        swMat3 A = sw_mat_mul(sw_mat_mul(random_rotation(r), sw_mat_diag(a, b, 1 / (a * b))),
                              random_rotation(r));
        for (int i = 0; i < 9; i++)
            plastic[i * SW_LANES + lane] = A.m[i];
    }
}

typedef struct {
    const swLaw *law;
    swReal coefficient[SW_LAW_COEFFICIENTS];
    swReal plastic[SW_PLASTIC * SW_LANES];
} Plastic;

static void evaluate_plastic(const void *what, const swReal *F, swReal *psi, swReal *P, swReal *C) {
    const Plastic *p = what;
    swReal Fe[9 * SW_LANES];
    sw_plastic_split(1, p->plastic, F, Fe);
    p->law->evaluate(p->coefficient, 1, Fe, psi, P, C);
    sw_plastic_pull(1, p->plastic, P, C);
}

static void stress_and_tangent_after_flow_are_derivatives(void **state) {
    (void)state;
    Random r = {4};
    const swReal none = NAN;
    swMaterial material = {.young = 2, .poisson = 0.3};
    for (int i = 0; i < SW_MATERIAL_PARAMS; i++)
        material.param[i] = none;
    Plastic p = {.law = sw_law_find("stvk")};
    p.law->prepare(&material, p.coefficient);
    for (int trial = 0; trial < 20; trial++) {
        swReal F[9 * SW_LANES];
        random_plastic(&r, p.plastic);
        random_block(&r, 0.4, F);
        check_derivatives(evaluate_plastic, &p, F, 1e-6);
    }
}

// The size of the deviator of ln Fe, and det A, of a lane.
static swReal log_deviator(const swReal *F, const swReal *plastic, int lane, swReal *det) {
    swReal Fe[9 * SW_LANES];
    swMat3 E, A, U, V;
    swVec3 s;
    sw_plastic_split(1, plastic, F, Fe);
    for (int i = 0; i < 9; i++) {
        E.m[i] = Fe[i * SW_LANES + lane];
        A.m[i] = plastic[i * SW_LANES + lane];
    }
    *det = sw_mat_det(A);
    sw_mat_svd(E, &U, &s, &V);
    const swVec3 e = {log(s.x), log(s.y), log(s.z)};
    const swReal mean = (e.x + e.y + e.z) / 3;
    return sw_norm(sw_sub(e, sw_v3(mean, mean, mean)));
}

static void flow_returns_to_the_yield_surface(void **state) {
    (void)state;
    Random r = {5};
    const swReal mu = 3, yield = 0.5, hardening = 0.7;
    const swFlowRule rule = {mu, yield, hardening, 1, INFINITY};
    int flowed = 0, stayed = 0;
    for (int trial = 0; trial < 100; trial++) {
        swReal F[9 * SW_LANES], plastic[SW_PLASTIC * SW_LANES], before[SW_PLASTIC * SW_LANES];
        random_block(&r, trial % 2 ? 0.02 : 0.3, F);
        memset(plastic, 0, sizeof plastic);
        for (int i = 0; i < 3 * SW_LANES; i++)
            plastic[i / SW_LANES * 4 * SW_LANES + i % SW_LANES] = 1;
        if (trial % 4 == 0)
            random_plastic(&r, plastic);
        memcpy(before, plastic, sizeof before);
        swReal worst = sw_plastic_flow(&rule, 1, F, plastic), expected = 0;
        for (int lane = 0; lane < SW_LANES; lane++) {
            swReal det, norm = 2 * mu * log_deviator(F, before, lane, &det);
            const swReal radius = sqrt(2.0 / 3) * yield, alpha = plastic[9 * SW_LANES + lane];
            expected = fmax(expected, norm / radius - 1);
            if (norm > radius) {
                norm = 2 * mu * log_deviator(F, plastic, lane, &det);
                assert_near(norm, sqrt(2.0 / 3) * (yield + hardening * alpha), 1e-12);
                assert_true(alpha > 0);
                assert_near(det, 1, 1e-14);
                flowed++;
            } else {
                for (int i = 0; i < SW_PLASTIC; i++)
                    assert_true(plastic[i * SW_LANES + lane] == before[i * SW_LANES + lane]);
                stayed++;
            }
        }
        assert_near(worst, expected, 1e-9);
        assert_near(sw_plastic_flow(&rule, 1, F, plastic), 0, 1e-12);
    }
    assert_true(flowed > 25 && stayed > 25);
}

static void inverted_samples_do_not_flow(void **state) {
    (void)state;
    const swFlowRule rule = {1, 0.1, 0, 1, INFINITY};
    swReal F[9 * SW_LANES] = {0}, plastic[SW_PLASTIC * SW_LANES] = {0};
    for (int lane = 0; lane < SW_LANES; lane++) {
        F[lane] = 2, F[4 * SW_LANES + lane] = 1, F[8 * SW_LANES + lane] = lane % 2 ? -1 : 0;
        for (int i = 0; i < 3; i++)
            plastic[4 * i * SW_LANES + lane] = 1;
    }
    assert_true(sw_plastic_flow(&rule, 1, F, plastic) == 0);
    for (int i = 0; i < SW_PLASTIC * SW_LANES; i++)
        assert_true(plastic[i] == (i / SW_LANES < 9 && i / SW_LANES % 4 == 0));
}

// ---- scenes ----

// A bar from 0 to 1 along x, held at 0; F is the same in all of it where Poisson's ratio is 0.
#define BAR(scene, material, body) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'solver': {'tolerance': 1e-10}" scene \
    ", 'materials': {'m': {'law': 'stvk', 'young': 1e5, 'poisson': 0" material "}}" \
    ", 'bodies': [{'shape': {'box': {'size': [1, 0.2, 0.2], 'center': [0.5, 0, 0]}}" \
    ", 'resolution': 10, 'frames': {'at': [[1, 0, 0]], 'weights': {'kind': 'hat'}}" \
    ", 'integration': {'every': 'voxel'}, 'handles': [{'name': 'wall', 'region': {'box': {'size':" \
    " [0, 1, 1]}}}]" body "}], 'probes': [{'name': 'tip', 'point': [1, 0, 0]}]}"
#define MUSCLE ", 'fibre': {'direction': [2, 0, 0], 'strength': 1.5e4, 'activation': "

// The length at which E (l^2 - 1)/2 l + stress = 0.
static swReal contracted(swReal young, swReal stress) {
    swReal l = 1;
    for (int i = 0; i < 50; i++)
        l -= (0.5 * young * (l * l * l - l) + stress) / (0.5 * young * (3 * l * l - 1));
    return l;
}

static void an_active_bar_shortens_by_the_formula(void **state) {
    (void)state;
    swModel *m = compile_text(BAR(", 'analysis': 'static'", MUSCLE "0.8}", ""), NULL);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    assert_near(sw_probe_position(s, 0).x, contracted(1e5, 0.8 * 1.5e4), 1e-8);
    assert_near(sw_probe_position(s, 0).y, 0, 1e-8);
    sw_state_reset(s); // the program instead
    sw_state_set_activation(s, sw_material_find(m, "m"), 0.4);
    solve_or_fail(m, s);
    assert_near(sw_probe_position(s, 0).x, contracted(1e5, 0.4 * 1.5e4), 1e-8);
    assert_int_equal(sw_material_find(m, "n"), -1);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// Fibres pulled by a load: E (l^2 - 1)/2 l + 2 k1 (l^2 - 1) l exp(k2 (l^2 - 1)^2) = traction.
static void a_pulled_bar_with_fibres_lengthens_by_the_formula(void **state) {
    (void)state;
    swModel *m = compile_text(BAR(", 'analysis': 'static'",
                                  ", 'volume': 0, 'fibre': {'stiffness': 2e4, 'exponent': 3}",
                                  ", 'loads': [{'traction': [4e4, 0, 0], 'on': {'box': {'size':"
                                  " [0, 1, 1], 'center': [1, 0, 0]}}}]"),
                              NULL);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    const swReal l = sw_probe_position(s, 0).x, e = l * l - 1;
    assert_true(l > 1.1);
    assert_near(0.5e5 * e * l + 4e4 * e * l * exp(3 * e * e), 4e4, 1);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// Enclosed by the surface of body 0.
static swReal enclosed(const swModel *m, const swState *s) {
    const int n = sw_body_triangle_count(m, 0);
    swVec3 *x = calloc((size_t)sw_body_vertex_count(m, 0), sizeof *x);
    int *corner = calloc(3 * (size_t)n, sizeof *corner);
    swReal volume = 0;
    sw_body_vertices(s, 0, x);
    sw_body_triangles(m, 0, corner);
    for (int i = 0; i < 3 * n; i += 3)
        volume += sw_dot(x[corner[i]], sw_cross(x[corner[i + 1]], x[corner[i + 2]])) / 6;
    free(x);
    free(corner);
    return volume;
}

// A bar that contracts bulges instead of losing volume.
static void the_volume_term_keeps_the_volume(void **state) {
    (void)state;
    swReal volume[2];
    for (int i = 0; i < 2; i++) {
        const char *scene = i ? BAR(", 'analysis': 'static'", ", 'volume': 1e7" MUSCLE "1}", "")
                              : BAR(", 'analysis': 'static'", MUSCLE "1}", "");
        swModel *m = compile_text(scene, NULL);
        swState *s = make_state(m);
        solve_or_fail(m, s);
        volume[i] = enclosed(m, s);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
    assert_true(volume[0] < 0.9 * 0.04);
    assert_near(volume[1], 0.04, 0.01 * 0.04);
}

static void activation_follows_keys_and_program(void **state) {
    (void)state;
    swModel *m = compile_text(BAR(", 'time': {'step': 0.01}",
                                  MUSCLE "{'keys': [{'t': 0, 'value': 0.2}, {'t': 0.1, 'value': 1},"
                                         " {'t': 0.2, 'value': 0}]}}",
                                  ""),
                              NULL);
    swState *s = make_state(m);
    const swReal *activation = only_state(s)->activation;
    assert_near(activation[0], 0.2, 0);
    step_or_fail(m, s, 5);
    assert_near(activation[0], 0.6, 1e-12);
    step_or_fail(m, s, 10);
    assert_near(activation[0], 0.5, 1e-12);
    sw_state_set_activation(s, 0, 7);
    assert_near(activation[0], 0.5, 1e-12); // from the next step on
    uint64_t set = sw_state_hash(s);
    step_or_fail(m, s, 1);
    assert_near(activation[0], 1, 0);
    sw_state_set_activation(s, 0, NAN);
    step_or_fail(m, s, 1);
    assert_near(activation[0], 0.3, 1e-12);
    sw_state_reset(s);
    step_or_fail(m, s, 15);
    assert_true(sw_state_hash(s) != set); // what the next step depends on is not the same
    step_or_fail(m, s, 20);
    assert_near(activation[0], 0, 0);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void statics_ramp_activation_with_the_load(void **state) {
    (void)state;
    swModel *m =
        compile_text(BAR(", 'analysis': 'static'",
                         MUSCLE "{'keys': [{'t': 0, 'value': 0}, {'t': 2, 'value': 0.6}]}}", ""),
                     NULL);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    assert_near(sw_state_time(s), 2, 1e-12);
    assert_near(only_state(s)->activation[0], 0.6, 1e-12);
    assert_near(sw_probe_position(s, 0).x, contracted(1e5, 0.6 * 1.5e4), 1e-8);
    const swReal l = contracted(1e5, 0.6 * 1.5e4), e = 0.5 * (l * l - 1);
    assert_near(sw_state_energy(s).elastic, 0.04 * (0.5e5 * e * e + 0.6 * 1.5e4 * l), 1e-4);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// ---- plastic bodies ----

// One affine frame without anything around it: F is that frame's matrix.
#define LUMP(material, end) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 1e-4}" \
    ", 'materials': {'m': {'young': 1e6, 'poisson': 0.3" material "}}" \
    ", 'bodies': [{'shape': {'box': {'size': [1, 0.2, 0.2]}}, 'resolution': 5" \
    ", 'frames': {'count': 1}, 'integration': {'correct': false}" \
    ", 'damping': {'mass': 300}}]" end "}"

static swMat3 stretch_and_release(const char *json, swMat3 A) {
    swModel *m = compile_text(json, NULL);
    swState *s = make_state(m);
    const swNode *node = only_body(m)->node;
    const int d = node->width;
    for (int i = 0; i < 9; i++)
        only_state(s)->q[node->q + i / 3 * d + 1 + i % 3] = A.m[i];
    step_or_fail(m, s, 2000);
    swVec3 x;
    sw_frame_get(s, 0, &x, &A);
    sw_state_destroy(s);
    sw_model_destroy(m);
    return A;
}

static void a_bar_stretched_beyond_yield_keeps_its_length(void **state) {
    (void)state;
    const swReal mu = 1e6 / 2.6, yield = 2e4, l = 1.2;
    const swMat3 stretched = sw_mat_diag(l, 1 / sqrt(l), 1 / sqrt(l));
    swMat3 A = stretch_and_release(LUMP(", 'yield': 2e4", ""), stretched);
    assert_near(A.m[0], l * exp(-yield / (3 * mu)), 2e-3);
    assert_near(sw_mat_det(A), 1, 1e-3);
    assert_near(A.m[4], A.m[8], 1e-9);
    A = stretch_and_release(LUMP("", ""), stretched); // elastic: all of it comes back
    assert_near(mat_distance(A, sw_mat_identity()), 0, 1e-3);
    // With hardening less of it stays.
    swMat3 B = stretch_and_release(LUMP(", 'yield': 2e4, 'hardening': 1e6", ""), stretched);
    assert_true(B.m[0] > 1.02 && B.m[0] < 1.15);
}

#define PULLED(material, by) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'analysis': 'static', 'solver': {'increments': 4}" \
    ", 'materials': {'m': {'young': 1e6, 'poisson': 0.3" material "}}, 'bodies': [{'shape':" \
    " {'box': {'size': [1, 0.2, 0.2], 'center': [0.5, 0, 0]}}, 'resolution': 20, 'frames':" \
    " {'at': [[0.1, 0, 0], [0.2, 0, 0], [0.3, 0, 0], [0.4, 0, 0], [0.5, 0, 0], [0.6, 0, 0]," \
    " [0.7, 0, 0], [0.8, 0, 0], [0.9, 0, 0]], 'weights': {'kind': 'hat'}}" \
    ", 'integration': {'every': 'voxel'}, 'handles': [{'name': 'a', 'region': {'box': {'size':" \
    " [0, 1, 1]}}}, {'name': 'b', 'region': {'box': {'size': [0, 1, 1], 'center': [1, 0, 0]}}" \
    ", 'motion': {'keys': [{'t': 0}, {'t': 1, 'translate': [" by ", 0, 0]}]}}]}]}"

// Beyond yield the force is that of the yield stress, the section shrinking with the length; enough
// hardening keeps it from necking.
static void the_force_stays_at_the_yield_stress(void **state) {
    (void)state;
    swModel *m = compile_text(PULLED(", 'yield': 5e3, 'hardening': 1e4", "0.05"), NULL);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    swVec3 force, torque;
    sw_handle_wrench(s, 1, &force, &torque);
    const swReal expected = (5e3 + 1e4 * (log(1.05) - 5.4e-3)) * 0.04 / 1.05;
    assert_near(force.x, expected, 0.02 * expected); // the ends cannot shrink
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// Below yield every position has the bits of the elastic body, in statics and in motion.
static void below_yield_nothing_changes(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {PULLED("", "0.01"), PULLED(", 'yield': 1e5", "0.01")},
        {BAR("", MUSCLE "0.3}", ""), BAR("", ", 'yield': 1e6" MUSCLE "0.3}", "")}};
    for (int i = 0; i < SW_COUNT(pairs); i++) {
        swModel *m[2];
        swState *s[2];
        for (int k = 0; k < 2; k++) {
            m[k] = compile_text(pairs[i][k], NULL);
            s[k] = make_state(m[k]);
            if (i == 0)
                solve_or_fail(m[k], s[k]);
            else
                step_or_fail(m[k], s[k], 20);
        }
        const swBodyModel *body = only_body(m[1]);
        assert_true(only_body(m[0])->size.nplastic == 0 && body->size.nplastic > 0);
        assert_memory_equal(only_state(s[0])->q, only_state(s[1])->q,
                            (size_t)m[0]->size.nq * sizeof(swReal));
        swReal *fresh = calloc((size_t)body->size.nplastic, sizeof *fresh);
        sw_plastic_reset(body, fresh);
        assert_memory_equal(only_state(s[1])->plastic, fresh,
                            (size_t)body->size.nplastic * sizeof *fresh);
        free(fresh);
        for (int k = 0; k < 2; k++) {
            sw_state_destroy(s[k]);
            sw_model_destroy(m[k]);
        }
    }
}

// More than the section can carry: no equilibrium, said in words, nothing kept of the attempt.
static void a_load_beyond_yield_has_no_equilibrium(void **state) {
    (void)state;
    swModel *m = compile_text(BAR(", 'analysis': 'static'", ", 'yield': 1e3",
                                  ", 'loads': [{'force': [100, 0, 0], 'on': {'box': {'size':"
                                  " [0, 1, 1], 'center': [1, 0, 0]}}}]"),
                              NULL);
    swState *s = make_state(m);
    assert_int_equal(sw_solve_static(m, s), SW_ERROR_NOT_CONVERGED);
    assert_true(sw_state_report(s)->load > 0.2 && sw_state_report(s)->load < 1);
    assert_true(strstr(sw_state_report(s)->reason, "flows") != NULL);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// ---- states ----

// A muscle that bends and flows, driven by keys and by the program.
#define ALIVE \
    BAR(", 'time': {'step': 0.005}", \
        ", 'volume': 2e5, 'yield': 4e3, 'hardening': 1e4, 'fibre': {'direction': [1, 0.5, 0]" \
        ", 'stiffness': 1e4, 'strength': 4e4, 'activation': {'keys': [{'t': 0, 'value': 0}" \
        ", {'t': 0.1, 'value': 1}]}}", \
        ", 'damping': {'stiffness': 0.01}")

static uint64_t run_on(const swModel *m, swState *s) {
    sw_state_set_activation(s, 0, 0.7);
    step_or_fail(m, s, 10);
    return sw_state_hash(s);
}

static void threads_replay_flow_and_activation(void **state) {
    (void)state;
    const char *path = temporary_path("terms.state"), *saved = temporary_path("terms.model");
    swConfig config = sw_default_config();
    swError error = {0};
    swModel *m = compile_text(ALIVE, &config);
    swState *s = make_state(m), *other = make_state(m);
    step_or_fail(m, s, 15);
    swReal largest = 0;
    for (int64_t i = 0; i < only_body(m)->size.nplastic; i++)
        if (i / SW_LANES % SW_PLASTIC == 9)
            largest = fmax(largest, only_state(s)->plastic[i]);
    assert_true(largest > 1e-3); // it does flow
    require(sw_state_save(s, path, &error), &error);
    const uint64_t half = sw_state_hash(s), full = run_on(m, s);
    require(sw_state_load(other, path, &error), &error);
    assert_true(sw_state_hash(other) == half);
    assert_true(run_on(m, other) == full);
    sw_state_reset(s);
    step_or_fail(m, s, 15);
    assert_true(sw_state_hash(s) == half);
    sw_state_copy(other, s);
    assert_true(run_on(m, other) == full);
    sw_state_destroy(other);
    require(sw_model_save(m, saved, &error), &error);
    for (int threads = 2; threads <= 5; threads += 3) {
        config.threads = threads;
        swModel *again = sw_model_load(saved, &config, &error);
        require(again != NULL, &error);
        assert_true(sw_model_hash(again) == sw_model_hash(m));
        other = make_state(again);
        step_or_fail(again, other, 15);
        assert_true(run_on(again, other) == full);
        sw_state_destroy(other);
        sw_model_destroy(again);
    }
    remove(path);
    remove(saved);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// Samples of materials that flow have places of their own, the others none.
static void only_samples_that_flow_remember(void **state) {
    (void)state;
    swModel *model = compile_text(
        "{'sinew': 1, 'materials': {'a': {}, 'b': {'yield': 1e4}, 'c': {'yield': 1e3}}, 'bodies':"
        " [{'shape': {'union': [{'box': {'size': [1, 0.2, 0.2]}, 'material': 'a'}, {'box': {'size':"
        " [0.3, 0.2, 0.2]}, 'material': 'b'}, {'box': {'size': [0.1, 0.2, 0.2], 'center': [0.4, 0,"
        " 0]}, 'material': 'c'}]}, 'resolution': 20, 'frames': {'count': 3}}]}",
        NULL);
    const swBodyModel *m = only_body(model);
    int64_t next = 0;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        assert_true(g->plastic == (m->material[g->material].yield > 0 ? next : -1));
        if (g->plastic >= 0)
            next += (int64_t)g->nblock * SW_PLASTIC * SW_LANES;
    }
    assert_true(next > 0 && next == m->size.nplastic && next < SW_PLASTIC * m->size.nsample);
    sw_model_destroy(model);
}

// The gradient of all terms together, after flow, in the unknowns of a body.
static void the_objective_has_the_terms(void **state) {
    (void)state;
    swModel *model = compile_text(ALIVE, NULL);
    swState *world = make_state(model);
    const swBodyModel *m = only_body(model);
    swBodyState *s = only_state(world);
    step_or_fail(model, world, 15);
    const swObjective elastic = {0};
    const swReal h = 1e-6;
    const int n = (int)m->size.nq;
    swReal *q = calloc((size_t)n, sizeof *q), *g = calloc((size_t)n, sizeof *g);
    memcpy(q, s->q, (size_t)n * sizeof *q);
    sw_objective_evaluate(m, s, &elastic, q, true, false, SW_PROJECT_NONE);
    memcpy(g, s->work->g, (size_t)n * sizeof *g);
    for (int i = 0; i < 12; i++) { // of the affine frame
        swReal energy[2];
        for (int side = 0; side < 2; side++) {
            q[i] = s->q[i] + (side ? h : -h);
            energy[side] =
                sw_objective_evaluate(m, s, &elastic, q, false, false, SW_PROJECT_NONE).energy;
        }
        q[i] = s->q[i];
        assert_near(g[i], (energy[1] - energy[0]) / (2 * h), 1e-3);
    }
    free(q);
    free(g);
    sw_state_destroy(world);
    sw_model_destroy(model);
}

static void steps_with_terms_allocate_nothing(void **state) {
    (void)state;
    Counter counter = {0};
    swConfig config = counting_config(&counter);
    swModel *m = compile_text(ALIVE, &config);
    swState *s = make_state(m);
    const int calls = counter.calls;
    step_or_fail(m, s, 10);
    assert_int_equal(counter.calls, calls);
    sw_state_destroy(s);
    sw_model_destroy(m);
    assert_int_equal(counter.held, 0);
}

// ---- the scene file ----

#define MATERIAL(keys) \
    "{'sinew': 1, 'materials': {'m': {" keys "}}, 'bodies': [{'shape': {'sphere': {'radius': " \
    "1}}}]}"

static void wrong_terms_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *json, *message;
    } bad[] = {
        {MATERIAL("'volume': -1"), "materials.m.volume: expected a number of at least 0, found -1"},
        {MATERIAL("'yield': 0"), "materials.m.yield: expected a number above 0, found 0"},
        {MATERIAL("'hardening': -1"), "materials.m.hardening: expected a number of at least 0"},
        {MATERIAL("'yeld': 1"), "materials.m.yeld: unknown key, did you mean \"yield\"?"},
        {MATERIAL("'fibre': 1"), "materials.m.fibre: expected an object, found 1"},
        {MATERIAL("'fibre': {'direction': [0, 0, 0]}"),
         "materials.m.fibre.direction: expected three numbers, not all zero"},
        {MATERIAL("'fibre': {'stiffness': -1}"), "materials.m.fibre.stiffness: expected a number"},
        {MATERIAL("'fibre': {'exponent': 0}"),
         "materials.m.fibre.exponent: expected a number from"},
        {MATERIAL("'fibre': {'strength': 'x'}"), "materials.m.fibre.strength: expected a number"},
        {MATERIAL("'fibre': {'activation': 2}"),
         "materials.m.fibre.activation: expected a number from 0 to 1, or an object with \"keys\", "
         "found 2"},
        {MATERIAL("'fibre': {'activation': 'on'}"),
         "materials.m.fibre.activation: expected a number from 0 to 1, or an object with \"keys\", "
         "found \"on\""},
        {MATERIAL("'fibre': {'activation': {}}"),
         "materials.m.fibre.activation.keys: expected a list of 1 to 100000 objects, found 0"},
        {MATERIAL("'fibre': {'activation': {'keys': [{'t': 0, 'value': 1.5}]}}"),
         "materials.m.fibre.activation.keys[0].value: expected a number from 0 to 1, found 1.5"},
        {MATERIAL("'fibre': {'activation': {'keys': [{'t': 0}]}}"),
         "materials.m.fibre.activation.keys[0].value: expected a number from 0 to 1, found "
         "nothing"},
        {MATERIAL(
             "'fibre': {'activation': {'keys': [{'t': 1, 'value': 1}, {'t': 1, 'value': 0}]}}"),
         "materials.m.fibre.activation.keys[1].t: expected a time after 1, found 1"},
    };
    for (int i = 0; i < SW_COUNT(bad); i++) {
        swError error = {0};
        swScene *scene = parse_with(bad[i].json, NULL, &error);
        assert_null(scene);
        if (strncmp(error.message, bad[i].message, strlen(bad[i].message)) != 0)
            fail_msg("%s\n    instead of\n%s", error.message, bad[i].message);
        assert_true(error.line == 1 && error.column > 1);
    }
}

// Written and read again they make the same model, built in C as well.
static void written_terms_read_back(void **state) {
    (void)state;
    const char *path = temporary_path("terms.json");
    swError error = {0};
    swScene *scene = parse_with(ALIVE, NULL, &error);
    require(scene != NULL, &error);
    swModel *m = compile_scene(scene);
    require(sw_scene_write(scene, path, &error), &error);
    sw_scene_destroy(scene);
    scene = sw_scene_read(path, NULL, &error);
    require(scene != NULL, &error);
    assert_true(isnan(scene->materials->fibre.activation));
    swModel *again = compile_scene(scene);
    assert_true(sw_model_hash(again) == sw_model_hash(m));
    sw_model_destroy(again);
    scene->materials->fibre.keys = NULL; // the same keys by hand
    sw_material_add_activation(scene, scene->materials, 0, 0);
    sw_material_add_activation(scene, scene->materials, 0.1, 1);
    again = compile_scene(scene);
    assert_true(sw_model_hash(again) == sw_model_hash(m));
    sw_model_destroy(again);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
    remove(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(stress_and_tangent_are_derivatives),
    cmocka_unit_test(tangents_are_semidefinite),
    cmocka_unit_test(a_rigid_motion_is_free),
    cmocka_unit_test(fibres_switch_on_smoothly),
    cmocka_unit_test(extreme_fibres_make_no_nonsense),
    cmocka_unit_test(stress_and_tangent_after_flow_are_derivatives),
    cmocka_unit_test(flow_returns_to_the_yield_surface),
    cmocka_unit_test(inverted_samples_do_not_flow),
    cmocka_unit_test(an_active_bar_shortens_by_the_formula),
    cmocka_unit_test(a_pulled_bar_with_fibres_lengthens_by_the_formula),
    cmocka_unit_test(the_volume_term_keeps_the_volume),
    cmocka_unit_test(activation_follows_keys_and_program),
    cmocka_unit_test(statics_ramp_activation_with_the_load),
    cmocka_unit_test(a_bar_stretched_beyond_yield_keeps_its_length),
    cmocka_unit_test(the_force_stays_at_the_yield_stress),
    cmocka_unit_test(below_yield_nothing_changes),
    cmocka_unit_test(a_load_beyond_yield_has_no_equilibrium),
    cmocka_unit_test(threads_replay_flow_and_activation),
    cmocka_unit_test(only_samples_that_flow_remember),
    cmocka_unit_test(the_objective_has_the_terms),
    cmocka_unit_test(steps_with_terms_allocate_nothing),
    cmocka_unit_test(wrong_terms_are_refused),
    cmocka_unit_test(written_terms_read_back),
};
SW_SUITE(terms, tests)
