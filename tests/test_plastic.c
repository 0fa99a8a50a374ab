// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Additive plasticity, and creep of both kinds.
#include "material/plasticity.h"
#include "test_law.h"
#include "test_scene.h"

// A law with what samples remember: all lanes alike.
typedef struct {
    Solid solid;
    swReal plastic[SW_PLASTIC * SW_LANES];
} Sample;

static Sample make_sample(const char *law) {
    Sample s = {.solid = make_solid(sw_law_find(law), 2e5, 0.3)};
    for (int i = 0; i < 3 * SW_LANES; i++)
        s.plastic[4 * SW_LANES * (i / SW_LANES) + i % SW_LANES] = 1;
    return s;
}

static void spread(swMat3 F, swReal *f) {
    for (int i = 0; i < 9 * SW_LANES; i++)
        f[i] = F.m[i / SW_LANES];
}

static swReal energy_of(const Sample *s, swMat3 F, swMat3 *P, swReal C[81]) {
    swReal f[9 * SW_LANES], psi[SW_LANES], p[9 * SW_LANES], c[SW_TANGENT * SW_LANES];
    spread(F, f);
    s->solid.law->evaluate(s->solid.coefficient, 1, f, psi, p, c);
    sw_additive_evaluate(s->solid.law->strain, (swReal[]){s->solid.mu, s->solid.lambda}, 1,
                         s->plastic, f, psi, p, c);
    for (int i = 0; P && i < 9; i++)
        P->m[i] = p[i * SW_LANES];
    if (C)
        unpack_tangent(c, 0, C);
    return psi[0];
}

static swReal flow(Sample *s, const swFlowRule *rule, swMat3 F) {
    swReal f[9 * SW_LANES];
    spread(F, f);
    return sw_additive_flow(rule, s->solid.law->strain, 1, f, s->plastic);
}

static swMat3 plastic_part(const Sample *s) {
    swMat3 p;
    for (int i = 0; i < 9; i++)
        p.m[i] = s->plastic[i * SW_LANES] - (i % 4 == 0);
    return p;
}

static swReal size_of(swMat3 A) {
    swReal sum = 0;
    for (int i = 0; i < 9; i++)
        sum += A.m[i] * A.m[i];
    return sqrt(sum);
}

static swMat3 random_matrix(Random *r, swReal size) {
    swMat3 F = sw_mat_identity();
    for (int i = 0; i < 9; i++)
        F.m[i] += random_in(r, -size, size);
    return F;
}

static const char *const laws[] = {"linear", "stvk"};
static const swFlowRule at_once = {2e5 / 2.6, 5e3, 2e4, 1, INFINITY};

static void stress_and_tangent_are_derivatives(void **state) {
    (void)state;
    Random r = {11};
    for (int trial = 0; trial < 40; trial++) {
        Sample s = make_sample(laws[trial % 2]);
        flow(&s, &at_once, random_matrix(&r, 0.4));
        const swMat3 F = random_matrix(&r, 0.4);
        swMat3 P;
        swReal C[81];
        const swReal h = 1e-6;
        assert_true(energy_of(&s, F, &P, C) >= 0);
        for (int i = 0; i < 9; i++) {
            swMat3 up = F, down = F, Pu, Pd;
            up.m[i] += h;
            down.m[i] -= h;
            const swReal slope = energy_of(&s, up, &Pu, NULL) - energy_of(&s, down, &Pd, NULL);
            assert_near(P.m[i], slope / (2 * h), 1e-6 * 2e5);
            for (int k = 0; k < 9; k++)
                assert_near(C[9 * k + i], (Pu.m[k] - Pd.m[k]) / (2 * h), 1e-6 * 2e5);
        }
    }
}

// Flow ends on the surface, loses energy, keeps the trace, and there is nothing left to flow.
static void flow_dissipates(void **state) {
    (void)state;
    Random r = {12};
    int flowed = 0;
    for (int trial = 0; trial < 200; trial++) {
        Sample s = make_sample(laws[trial % 2]);
        swFlowRule rule = at_once;
        rule.share = trial % 3 ? 1 : random_in(&r, 0, 1);
        rule.limit = trial % 5 ? INFINITY : 0.05;
        for (int turn = 0; turn < 4; turn++) {
            const swMat3 F = random_matrix(&r, turn % 2 ? 0.3 : 0.02);
            const swReal before = energy_of(&s, F, NULL, NULL);
            const swMat3 p0 = plastic_part(&s);
            const swReal beyond = flow(&s, &rule, F), after = energy_of(&s, F, NULL, NULL);
            const swMat3 p = plastic_part(&s);
            assert_true(after <= before);
            assert_true((after < before) == (beyond > 0));
            assert_near(p.m[0] + p.m[4] + p.m[8], 0, 1e-14);
            assert_true(sqrt(2.0 / 3) * size_of(p) <= rule.limit * (1 + 1e-12));
            if (beyond == 0)
                assert_memory_equal(&p, &p0, sizeof p);
            else if (rule.share == 1)
                assert_near(flow(&s, &rule, F), 0, 1e-10);
            flowed += beyond > 0;
        }
    }
    assert_true(flowed > 200);
}

// psi(R F) = psi(F) for Green's strain, and flow does not see the rotation either.
static void rotations_are_not_seen(void **state) {
    (void)state;
    Random r = {13};
    for (int trial = 0; trial < 30; trial++) {
        Sample a = make_sample("stvk"), b = make_sample("stvk");
        for (int turn = 0; turn < 3; turn++) {
            const swMat3 F = random_matrix(&r, 0.3), G = sw_mat_mul(random_rotation(&r), F);
            assert_near(energy_of(&a, F, NULL, NULL), energy_of(&b, G, NULL, NULL), 1e-9);
            flow(&a, &at_once, F);
            flow(&b, &at_once, G);
        }
        for (int i = 0; i < SW_PLASTIC * SW_LANES; i++)
            assert_near(a.plastic[i], b.plastic[i], 1e-13);
    }
}

// A bar in tension at a strain e: what its sides do, and the stress along it.
static swReal pull_bar(Sample *s, const swFlowRule *rule, swReal e) {
    const swReal mu = s->solid.mu, lambda = s->solid.lambda;
    swMat3 F = sw_mat_identity(), P;
    do {
        const swReal side = (2 * mu * plastic_part(s).m[4] - lambda * e) / (2 * (mu + lambda));
        F = sw_mat_diag(1 + e, 1 + side, 1 + side);
    } while (flow(s, rule, F) > 1e-13);
    energy_of(s, F, &P, NULL);
    assert_near(P.m[4], 0, 1e-6);
    return P.m[0];
}

// E to the yield stress, E H / (E + H) from there on, E on the way back, where the strain that
// stays is (sigma - sigma_y) / H.
static void the_curve_in_tension_is_known(void **state) {
    (void)state;
    Sample s = make_sample("linear");
    const swReal E = 2e5, H = at_once.hardening, yield = at_once.yield, top = 0.2;
    swReal stress = 0;
    for (int i = 0; i <= 40; i++) {
        const swReal e = top * i / 40;
        const swReal expected = e < yield / E ? E * e : yield + E * H / (E + H) * (e - yield / E);
        stress = pull_bar(&s, &at_once, e);
        assert_near(stress, expected, 1e-7 * yield);
    }
    const swReal stays = (stress - yield) / H;
    assert_near(s.plastic[9 * SW_LANES], stays, 1e-9);
    assert_near(pull_bar(&s, &at_once, stays), 0, 1e-6 * yield); // no load, and a new length
    assert_near(pull_bar(&s, &at_once, 0.5 * (stays + top)), 0.5 * stress, 1e-6 * yield);
}

// At a strain that is held, stress above the surface decays as exp(-creep t), however long steps
// are; of both kinds.
static void creep_has_its_time(void **state) {
    (void)state;
    const swMaterialInfo material = {
        .lame = {1e5, 1e5}, .yield = 1e3, .creep = 3, .limit = INFINITY};
    for (int kind = 0; kind < 2; kind++) {
        const swMat3 F = sw_mat_diag(1.1, 1 / sqrt(1.1), 1 / sqrt(1.1));
        swReal f[9 * SW_LANES];
        spread(F, f);
        for (int n = 1; n <= 64; n *= 8) {
            Sample s = make_sample("stvk");
            const swFlowRule rule = sw_flow_rule(&material, 0.5 / n), full = at_once;
            swReal first = 0, beyond = 0;
            for (int i = 0; i <= n; i++) {
                Sample look = s; // how far beyond it is, all the way back
                swFlowRule all = full;
                all.mu = 1e5, all.yield = 1e3, all.hardening = 0;
                beyond = kind ? sw_additive_flow(&all, SW_STRAIN_GREEN, 1, f, look.plastic)
                              : sw_plastic_flow(&all, 1, f, look.plastic);
                first = i == 0 ? beyond : first;
                if (kind)
                    sw_additive_flow(&rule, SW_STRAIN_GREEN, 1, f, s.plastic);
                else
                    sw_plastic_flow(&rule, 1, f, s.plastic);
            }
            assert_near(beyond / first, exp(-1.5), 1e-9);
        }
    }
    assert_true(sw_flow_rule(&material, INFINITY).share == 1);
}

// ---- bodies ----

// One affine frame without anything around it: F is that frame's matrix.
#define LUMP(material) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 1e-4}, 'materials': {'m': {'law': 'stvk'" \
    ", 'young': 1e6, 'poisson': 0.3, 'yield': 2e4, 'plasticity': 'additive'" material "}}" \
    ", 'bodies': [{'shape': {'box': {'size': [1, 0.2, 0.2]}}, 'resolution': 5" \
    ", 'frames': {'count': 1}, 'damping': {'mass': 300}}]}"

// From Green's strain e along it, and -e/2 across.
static swMat3 stretch_and_release(const char *json, swReal e) {
    swModel *m = compile_text(json, NULL);
    swState *s = make_state(m);
    const swMat3 A = sw_mat_diag(sqrt(1 + 2 * e), sqrt(1 - e), sqrt(1 - e));
    for (int i = 0; i < 9; i++)
        only_state(s)->q[only_body(m)->node[0].q + i / 3 * 4 + 1 + i % 3] = A.m[i];
    swReal least = 0;
    for (int i = 0; i < 2000; i++) {
        step_or_fail(m, s, 1);
        least = fmin(least, sw_state_report(s)->dissipated);
    }
    assert_true(least >= -1e-12);
    swVec3 x;
    swMat3 out;
    sw_frame_get(s, 0, &x, &out);
    sw_state_destroy(s);
    sw_model_destroy(m);
    return out;
}

// The strain that stays is that at its largest, less what the yield stress takes back: exact. The
// trace of Green's strain stays zero, and so volume stays up to squares of the strain.
static void a_bar_pulled_beyond_yield_keeps_its_new_length(void **state) {
    (void)state;
    const swReal mu = 1e6 / 2.6;
    for (int i = 0; i < 2; i++) {
        const swReal e = i ? 0.2 : 0.05, stays = e - 2e4 / (3 * mu);
        const swMat3 A = stretch_and_release(LUMP(""), e);
        assert_near(A.m[0], sqrt(1 + 2 * stays), 1e-3);
        assert_near(A.m[4], sqrt(1 - stays), 1e-3);
        assert_true(fabs(sw_mat_det(A) - 1) < 2 * stays * stays);
    }
    const swMat3 A = stretch_and_release(LUMP(", 'limit': 0.03"), 0.2);
    assert_near(A.m[0], sqrt(1 + 2 * 0.03), 1e-3); // uniaxial: sqrt(2/3) |e_pl| is e_pl along it
    const swMat3 B = stretch_and_release(LUMP(", 'creep': 1"), 0.2);
    assert_true(B.m[0] < 1.01); // it is back long before it has flowed
}

// Statics flow until nothing does, whatever the rate. Past the limit the bar is elastic again and
// carries the load, without one it does not.
#define LOADED(material) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'analysis': 'static', 'materials': {'m': {'law': 'stvk'" \
    ", 'young': 1e6, 'poisson': 0, 'yield': 1e3, 'plasticity': 'additive', 'creep': 0.1" material \
    "}}, 'bodies': [{'shape': {'box': {'size': [1, 0.2, 0.2], 'center': [0.5, 0, 0]}}," \
    " 'resolution': 20, 'frames': {'count': 4}, 'handles': [{'region': {'box': {'size': [0, 1, 1]" \
    "}}}], 'loads': [{'force': [100, 0, 0], 'on': {'box': {'size': [0, 1, 1], 'center': [1, 0, 0]" \
    "}}}]}], 'probes': [{'name': 'tip', 'point': [1, 0, 0]}]}"

static void statics_flow_to_the_end(void **state) {
    (void)state;
    swModel *m = compile_text(LOADED(", 'limit': 0.02"), NULL);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    assert_near(sw_probe_displacement(s, 0).x, 0.0222, 0.002); // the end that is held gives less
    sw_state_destroy(s);
    sw_model_destroy(m);
    m = compile_text(LOADED(""), NULL);
    s = make_state(m);
    assert_int_equal(sw_solve_static(m, s), SW_ERROR_NOT_CONVERGED);
    assert_non_null(strstr(sw_state_report(s)->reason, "flows"));
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void impossible_materials_are_refused(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {"'yield': 1, 'plasticity': 'additive'",
         "materials.m.plasticity: expected \"multiplicative\": the law \"neo-hookean\""},
        {"'yield': 1, 'limit': 0.1",
         "materials.m.limit: expected none unless plasticity is additive, found 0.1"},
        {"'creep': 0", "materials.m.creep: expected a number above 0, found 0"}};
    for (int i = 0; i < SW_COUNT(bad); i++) {
        char json[512];
        swError error = {0};
        snprintf(json, sizeof json,
                 "{'sinew': 1, 'materials': {'m': {%s}}, 'bodies': [{'shape': {'sphere': "
                 "{'radius': 1}}}]}",
                 bad[i][0]);
        assert_null(parse_scene(json, &error));
        assert_non_null(strstr(error.message, bad[i][1]));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(stress_and_tangent_are_derivatives),
    cmocka_unit_test(flow_dissipates),
    cmocka_unit_test(rotations_are_not_seen),
    cmocka_unit_test(the_curve_in_tension_is_known),
    cmocka_unit_test(creep_has_its_time),
    cmocka_unit_test(a_bar_pulled_beyond_yield_keeps_its_new_length),
    cmocka_unit_test(statics_flow_to_the_end),
    cmocka_unit_test(impossible_materials_are_refused),
};

SW_SUITE(plastic, tests)
