// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Laws against their formulas in higher precision, closed forms and the reference files; and what
// they make of their parameters.
#include "core/json.h"
#include "test_law.h"

// ---- materials to try, and their energies written down once more ----

typedef struct {
    const char *law;
    swReal young, poisson;
    int count;
    swReal param[9];
} Recipe;

static const Recipe recipes[] = {
    {"linear", 2e5, 0.3, 0, {0}},
    {"linear", 1, 0, 2, {3e4, 7e4}},
    {"stvk", 2e5, 0.3, 0, {0}},
    {"corotated", 2e5, 0.3, 0, {0}},
    {"corotated", 1e6, 0.49, 0, {0}},
    {"neo-hookean", 2e5, 0.3, 0, {0}},
    {"neo-hookean", 1, 0, 2, {3e4, 7e4}},
    {"stable-neo-hookean", 2e5, 0.3, 0, {0}},
    {"stable-neo-hookean", 1, 0, 2, {3e4, 7e4}},
    {"mooney-rivlin", 2e5, 0.3, 0, {0}},
    {"mooney-rivlin", 1, 0, 3, {2e4, 1e4, 5e5}},
    {"arruda-boyce", 2e5, 0.3, 0, {0}},
    {"arruda-boyce", 2e5, 0.45, 2, {1.8, 4e5}},
    {"ogden", 2e5, 0.3, 0, {0}},
    {"ogden", 2e5, 0.3, 2, {NAN, -3.5}},
    {"ogden", 1, 0, 7, {6.3e5, 1.3, 1.2e3, 5, -1e4, -2, 5e6}},
    {"fung", 2e5, 0.3, 0, {0}},
    {"fung", 2e5, 0.45, 2, {2.5, 6e5}},
    {"orthotropic", 2e5, 0.3, 0, {0}},
    {"orthotropic", 1, 0, 9, {9e5, 6e4, 1e5, 0.4, 0.2, 0.03, 7e4, 2e4, 5e4}},
    {"neo-hookean", 2e5, -0.4, 0, {0}},
    {"neo-hookean", 2e5, -0.9, 0, {0}},
    {"stable-neo-hookean", 2e5, -0.88, 0, {0}},
    {"ogden", 2e5, 0.3, 4, {1e5, 2, -8e4, 1.8}},
};

static swReal given(const Recipe *r, int i, swReal otherwise) {
    return i < r->count && !isnan(r->param[i]) ? r->param[i] : otherwise;
}

static Solid make_recipe(const Recipe *r) {
    return make_solid_with(sw_law_find(r->law), r->young, r->poisson, r->count, r->param);
}

// Invariants and principal stretches.
typedef struct {
    long double I1, I2, J, s[3], E[9]; // Green's strain
} Measures;

// The singular values: columns are turned until they are orthogonal.
static void singular_values(const long double F[9], long double s[3]) {
    long double B[9];
    memcpy(B, F, sizeof B);
    for (int turn = 0; turn < 60; turn++) {
        const int p = turn % 3, q = (turn + 1) % 3;
        long double aa = 0, bb = 0, ab = 0;
        for (int r = 0; r < 9; r += 3) {
            aa += B[r + p] * B[r + p];
            bb += B[r + q] * B[r + q];
            ab += B[r + p] * B[r + q];
        }
        s[p] = sqrtl(aa);
        s[q] = sqrtl(bb);
        if (ab == 0)
            continue;
        long double tau = (bb - aa) / (2 * ab),
                    t = (tau < 0 ? -1 : 1) / (fabsl(tau) + sqrtl(1 + tau * tau)),
                    c = 1 / sqrtl(1 + t * t);
        for (int r = 0; r < 9; r += 3) {
            long double x = B[r + p], y = B[r + q];
            B[r + p] = c * (x - t * y);
            B[r + q] = c * (t * x + y);
        }
    }
}

static Measures measure(const long double F[9]) {
    Measures m = {0};
    long double C[9], CC = 0;
    for (int i = 0; i < 9; i++) {
        C[i] = F[i / 3] * F[i % 3] + F[3 + i / 3] * F[3 + i % 3] + F[6 + i / 3] * F[6 + i % 3];
        CC += C[i] * C[i];
        m.E[i] = (C[i] - (i % 4 == 0)) / 2;
    }
    m.I1 = C[0] + C[4] + C[8];
    m.I2 = (m.I1 * m.I1 - CC) / 2;
    m.J = F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) +
          F[2] * (F[3] * F[7] - F[4] * F[6]);
    singular_values(F, m.s);
    const int least = m.s[0] < m.s[1] ? (m.s[0] < m.s[2] ? 0 : 2) : m.s[1] < m.s[2] ? 1 : 2;
    m.s[least] = copysignl(m.s[least], m.J);
    return m;
}

static long double hooke_energy(long double mu, long double lambda, const long double e[9]) {
    long double trace = e[0] + e[4] + e[8], sum = lambda / 2 * trace * trace;
    for (int i = 0; i < 9; i++)
        sum += mu * e[i] * e[i];
    return sum;
}

static long double orthotropic_energy(const Recipe *r, long double mu, const long double E[9]) {
    long double c[9], S[3][3], N[3][3], sum = 0;
    for (int i = 0; i < 9; i++)
        c[i] = given(r, i, i < 3 ? r->young : i < 6 ? r->poisson : (swReal)mu);
    for (int i = 0; i < 3; i++) { // c[3 + i] and c[6 + i] are nu and g of the axes i, j
        const int j = (i + 1) % 3;
        S[i][i] = 1 / c[i];
        S[i][j] = S[j][i] = -c[3 + i] / c[i];
        sum += 2 * c[6 + i] * E[3 * i + j] * E[3 * i + j];
    }
    long double det = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, d = (j + 1) % 3, e = (j + 2) % 3;
            N[i][j] = S[a][d] * S[b][e] - S[a][e] * S[b][d];
            det += i == 0 ? S[0][j] * N[0][j] : 0;
        }
    for (int i = 0; i < 9; i++)
        sum += N[i / 3][i % 3] / det * E[4 * (i / 3)] * E[4 * (i % 3)] / 2;
    return sum;
}

static long double ogden_energy(const Recipe *r, long double mu, const Measures *m) {
    long double sum = 0, left = 2 * mu;
    for (int p = 2; p >= 0; p--) {
        long double alpha = given(r, 2 * p + 1, 2),
                    factor = given(r, 2 * p, p == 0 ? (swReal)(left / alpha) : 0);
        left -= factor * alpha;
        for (int i = 0; i < 3; i++)
            sum += factor / alpha * (powl(m->s[i] * powl(m->J, -1.0L / 3), alpha) - 1);
    }
    return sum;
}

static long double arruda_boyce_energy(long double mu, long double limit, long double x) {
    static const long double series[5] = {1.0L / 2, 1.0L / 20, 11.0L / 1050, 19.0L / 7000,
                                          519.0L / 673750};
    long double sum = 0, rest = 0;
    for (int n = 1; n <= 5; n++) {
        long double c = series[n - 1] / powl(limit, 2 * n - 2);
        sum += c * (powl(x, n) - powl(3, n));
        rest += 2 * n * c * powl(3, n - 1);
    }
    return mu / rest * sum;
}

static bool is(const Recipe *r, const char *law) { return strcmp(r->law, law) == 0; }

static long double formula(const Recipe *r, const long double F[9]) {
    const Measures m = measure(F);
    const bool lame = r->count == 2 && r->young == 1;
    const long double nu = r->poisson, shear = r->young / (2 * (1 + nu)),
                      mu = lame ? r->param[0] : shear,
                      lambda = lame ? r->param[1] : 2 * shear * nu / (1 - 2 * nu),
                      bulk = r->young / (3 * (1 - 2 * nu));
    const long double x = m.I1 * powl(m.J, -2.0L / 3), y = m.I2 * powl(m.J, -4.0L / 3), j = m.J - 1;
    if (is(r, "linear")) {
        long double e[9];
        for (int i = 0; i < 9; i++)
            e[i] = (F[i] + F[i % 3 * 3 + i / 3]) / 2 - (i % 4 == 0);
        return hooke_energy(mu, lambda, e);
    }
    if (is(r, "stvk"))
        return hooke_energy(mu, lambda, m.E);
    if (is(r, "corotated")) {
        const long double e[9] = {m.s[0] - 1, 0, 0, 0, m.s[1] - 1, 0, 0, 0, m.s[2] - 1};
        return hooke_energy(mu, lambda, e);
    }
    if (is(r, "neo-hookean"))
        return mu / 2 * (m.I1 - 3) - mu * logl(m.J) +
               (lambda < 0 ? lambda * (9 * (cbrtl(m.J * m.J) - 1) - 6 * logl(m.J)) / 4
                           : lambda / 2 * logl(m.J) * logl(m.J));
    if (is(r, "stable-neo-hookean")) {
        const long double a = lame ? mu : 4 * mu / 3, b = lame ? lambda : lambda + 5 * mu / 6,
                          alpha = 1 + 3 * a / (4 * b);
        return a / 2 * (m.I1 - 3) - a / 2 * logl((m.I1 + 1) / 4) +
               b / 2 * (powl(m.J - alpha, 2) - powl(1 - alpha, 2));
    }
    if (is(r, "mooney-rivlin")) {
        const long double c01 = given(r, 1, 0), c10 = given(r, 0, (swReal)(mu / 2 - c01));
        return c10 * (x - 3) + c01 * (y - 3) + given(r, 2, (swReal)bulk) / 2 * j * j;
    }
    if (is(r, "arruda-boyce"))
        return arruda_boyce_energy(mu, given(r, 0, 3), x) + given(r, 1, (swReal)bulk) / 2 * j * j;
    if (is(r, "ogden"))
        return ogden_energy(r, mu, &m) + given(r, 6, (swReal)bulk) / 2 * j * j;
    if (is(r, "fung")) {
        const long double b = given(r, 0, 1);
        return mu / (2 * b) * expm1l(b * (x - 3)) + given(r, 1, (swReal)bulk) / 2 * j * j;
    }
    assert_true(is(r, "orthotropic"));
    return orthotropic_energy(r, mu, m.E);
}

// psi and its first two derivatives along H at F, by differences of eighth order.
static void derive(const Recipe *r, swMat3 F, swMat3 H, swReal step, long double out[3]) {
    static const long double first[5] = {0, 4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
    static const long double second[5] = {-205.0L / 72, 8.0L / 5, -1.0L / 5, 8.0L / 315,
                                          -1.0L / 560};
    out[1] = out[2] = 0;
    for (int n = -4; n <= 4; n++) {
        long double at[9], h = step;
        for (int i = 0; i < 9; i++)
            at[i] = F.m[i] + n * h * H.m[i];
        long double psi = formula(r, at);
        if (n == 0)
            out[0] = psi;
        out[1] += (n < 0 ? -1 : 1) * first[abs(n)] * psi / h;
        out[2] += second[abs(n)] * psi / (h * h);
    }
}

static swReal dot(int n, const swReal *a, const swReal *b) {
    swReal sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// How much faster than a power of the stretch the energy grows there.
static swReal growth(const Recipe *r, swMat3 P, swReal least, swReal psi) {
    return 1 + least * largest(9, P.m) / (fabs(psi) + r->young + largest(r->count, r->param));
}

static void check_formula(const Recipe *r, const Solid *s, swMat3 F, swMat3 H) {
    swMat3 P;
    swReal C[81], CH[9], ratio, least = least_stretch(F, &ratio), psi = evaluate(s, F, &P, C);
    swReal steep = isinf(psi) ? 1 : growth(r, P, least, psi), condition = 1 + 0.01 * ratio * steep;
    long double exact[3];
    const swReal step = 3e-3 * least / steep, noise = 1e-17 * fabs(psi) / step; // of differences
    derive(r, F, H, step, exact);
    if (isinf(psi)) { // too large for a double, derivatives included
        assert_true(exact[0] > SW_LAW_ENERGY_LIMIT);
        return;
    }
    for (int i = 0; i < 9; i++)
        CH[i] = dot(9, C + 9 * i, H.m);
    // near rest psi is small against what it is made of in the formula
    assert_near(psi, (swReal)exact[0], 1e-11 * condition * fabs(psi) + 1e-16 * largest(81, C));
    assert_near(dot(9, P.m, H.m), (swReal)exact[1],
                1e-10 * condition * largest(9, P.m) + 1e-14 * largest(81, C) + noise);
    assert_near(dot(9, H.m, CH), (swReal)exact[2],
                1e-10 * condition * largest(81, C) + noise / step);
}

static void laws_are_their_formulas(void **state) {
    (void)state;
    Random r = {61};
    bool tried[64] = {false};
    for (int k = 0; k < SW_COUNT(recipes); k++) {
        const Solid s = make_recipe(&recipes[k]);
        for (int trial = 0; trial < 200; trial++) {
            swMat3 F, H = random_mat(&r, 1);
            if (some_gradient(s.law, &r, trial % GRADIENT_KINDS, &F))
                check_formula(&recipes[k], &s, F, H);
        }
        for (int i = 0; sw_law_at(i); i++)
            tried[i] = tried[i] || sw_law_at(i) == s.law;
    }
    for (int i = 0; sw_law_at(i); i++)
        assert_true(tried[i]); // a new law needs a recipe
}

// ---- curves ----

// The stretches across at which F = diag(stretch, ...) has no stress there; `biaxial`:
// diag(stretch, stretch, t). False where there is none.
static bool relax(const Solid *s, bool biaxial, swReal stretch, swMat3 *F) {
    *F = sw_mat_diag(stretch, biaxial ? stretch : 1, 1);
    for (int i = 0; i < 200; i++) {
        swMat3 P;
        swReal C[81], b, c;
        evaluate(s, *F, &P, C);
        if (biaxial) {
            b = 0;
            c = -P.m[8] / C[80];
        } else {
            swReal det = C[40] * C[80] - C[44] * C[44];
            b = -(P.m[4] * C[80] - P.m[8] * C[44]) / det;
            c = -(P.m[8] * C[40] - P.m[4] * C[44]) / det;
        }
        F->m[4] += sw_clamp(b, -0.2 * F->m[4], 0.2 * F->m[4]);
        F->m[8] += sw_clamp(c, -0.2 * F->m[8], 0.2 * F->m[8]);
        if (fabs(b) + fabs(c) < 1e-14)
            return F->m[4] > 1e-3 && F->m[8] > 1e-3; // not flat
    }
    return false;
}

// Uniaxial, equibiaxial and sheared states of every recipe have the stress of the formula along and
// none across.
static void curves_follow_the_formulas(void **state) {
    (void)state;
    for (int k = 0; k < SW_COUNT(recipes); k++) {
        const Solid s = make_recipe(&recipes[k]);
        for (int kind = 0; kind < 3; kind++)
            for (swReal x = 0.75; x < 2.2; x += 0.25) {
                swMat3 F = sw_mat_identity(), P, H = {{0}}, across = {{0}};
                long double along[3], none[3];
                if (kind == 2)
                    F.m[1] = x - 0.75;
                else if (!relax(&s, kind == 1, x, &F)) { // linear in a strain: none beyond
                    assert_true(x > 1.4 && s.law->takes_inversion);
                    continue;
                }
                swReal C[81], psi = evaluate(&s, F, &P, C), ratio, least = least_stretch(F, &ratio);
                swReal step = 3e-3 * least / growth(&recipes[k], P, least, psi);
                H.m[kind == 2 ? 1 : 0] = across.m[8] = 1;
                derive(&recipes[k], F, H, step, along);
                derive(&recipes[k], F, across, step, none);
                swReal size = largest(9, P.m) + 1e-4 * largest(81, C);
                assert_near(P.m[kind == 2 ? 1 : 0], (swReal)along[1], 1e-10 * size);
                assert_near(P.m[8], (swReal)none[1], 1e-10 * size);
                if (kind != 2)
                    assert_near(P.m[8], 0, 1e-9 * size);
            }
    }
}

// The shear stress P_xy of F = I + g e_x e_y^T, in closed form.
static swReal shear_stress(const Recipe *r, swReal g) {
    swReal mu = r->young / (2 * (1 + r->poisson)),
           lambda = 2 * mu * r->poisson / (1 - 2 * r->poisson);
    const swReal l = 0.5 * (g + sqrt(g * g + 4)); // stretches l, 1/l, 1
    if (is(r, "linear") || is(r, "neo-hookean") || is(r, "mooney-rivlin"))
        return mu * g;
    if (is(r, "stvk"))
        return mu * g + g * g * g * (mu + 0.5 * lambda);
    if (is(r, "corotated")) {
        swReal sum = lambda * (l + 1 / l - 2), a = 2 * mu * (l - 1), b = 2 * mu * (1 / l - 1);
        return ((a + sum) * l * l - (b + sum)) / (1 + l * l);
    }
    if (is(r, "stable-neo-hookean"))
        return 4.0 / 3 * mu * g * (1 - 1 / (g * g + 4));
    if (is(r, "fung"))
        return mu * g * exp(g * g);
    if (is(r, "ogden")) // one term, alpha = 2
        return mu * (l * l - 1 / (l * l)) / (l + 1 / l);
    if (is(r, "orthotropic"))
        return mu * g + g * g * g * (mu + 0.5 * lambda);
    // arruda-boyce, limit 3
    static const swReal series[5] = {1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};
    swReal slope = 0, rest = 0;
    for (int n = 0; n < 5; n++) {
        slope += (n + 1) * series[n] * pow((3 + g * g) / 9, n);
        rest += (n + 1) * series[n] * pow(3.0 / 9, n);
    }
    return mu * g * slope / rest;
}

static void shear_is_as_in_closed_form(void **state) {
    (void)state;
    for (int k = 0; k < SW_COUNT(recipes); k++)
        for (swReal g = -1.5; g <= 1.5; g += 0.3) {
            if (recipes[k].count > 0)
                continue;
            const Solid s = make_recipe(&recipes[k]);
            swMat3 F = sw_mat_identity(), P;
            F.m[1] = g;
            evaluate(&s, F, &P, NULL);
            swReal expected = shear_stress(&recipes[k], g);
            assert_near(P.m[1], expected, 1e-12 * fabs(expected) + 1e-10);
        }
}

// Pulled by one axis: Hooke's law in the strain measure of each law.
static void pulled_bars_are_as_in_closed_form(void **state) {
    (void)state;
    static const swReal wood[9] = {9e5, 6e4, 1e5, 0.4, 0.2, 0.03, 7e4, 2e4, 5e4};
    for (swReal l = 0.7; l < 1.45; l += 0.1) {
        swMat3 F, P;
        const swReal e = l - 1, green = 0.5 * (l * l - 1);
        Solid s = make_solid(sw_law_find("linear"), 2e5, 0.3);
        assert_true(relax(&s, false, l, &F));
        evaluate(&s, F, &P, NULL);
        assert_near(P.m[0], 2e5 * e, 1e-7);
        assert_near(F.m[4], 1 - 0.3 * e, 1e-12);
        s = make_solid(sw_law_find("corotated"), 2e5, 0.3);
        assert_true(relax(&s, false, l, &F));
        evaluate(&s, F, &P, NULL);
        assert_near(P.m[0], 2e5 * e, 1e-7);
        assert_true(relax(&s, true, l, &F));
        evaluate(&s, F, &P, NULL);
        assert_near(P.m[0], 2e5 * e / 0.7, 1e-7);
        s = make_solid(sw_law_find("stvk"), 2e5, 0.3);
        assert_true(relax(&s, true, l, &F));
        evaluate(&s, F, &P, NULL);
        assert_near(P.m[0], l * 2e5 * green / 0.7, 1e-7);
        s = make_solid_with(sw_law_find("orthotropic"), 1, 0, 9, wood);
        assert_true(relax(&s, false, l, &F));
        evaluate(&s, F, &P, NULL);
        assert_near(P.m[0], l * 9e5 * green, 1e-7);
        assert_near(F.m[4], sqrt(1 - 2 * 0.4 * green), 1e-12);
        assert_near(F.m[8], sqrt(1 - 2 * 0.03 / 1e5 * 9e5 * green), 1e-12);
    }
}

// Rubber that hardly changes its volume, against the formulas of incompressible rubber: 2 f'(I1) (l
// - 1/l^2) pulled, 2 f' (l - 1/l^5) pulled both ways; Ogden's by his own.
static void stiff_volumes_are_incompressible(void **state) {
    (void)state;
    const swReal mu = 1e5, bulk = 1e13;
    for (int biaxial = 0; biaxial < 2; biaxial++)
        for (swReal l = 0.7; l < 2.1; l += 0.2) {
            const swReal t = biaxial ? 1 / (l * l) : 1 / sqrt(l),
                         I1 = biaxial ? 2 * l * l + t * t : l * l + 2 * t * t;
            const swReal bend = biaxial ? l - 1 / pow(l, 5) : l - 1 / (l * l);
            const swReal b[2] = {0.8, bulk}, chain[2] = {4, bulk},
                         terms[7] = {6.3e4, 1.3, 120, 5, -1e3, -2, bulk};
            swReal ogden = 0;
            for (int p = 0; p < 3; p++)
                ogden += terms[2 * p] * (pow(l, terms[2 * p + 1]) - pow(t, terms[2 * p + 1])) / l;
            static const swReal series[5] = {1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000,
                                             519.0 / 673750};
            swReal slope = 0, rest = 0;
            for (int n = 0; n < 5; n++) {
                slope += (n + 1) * series[n] * pow(I1 / 16, n);
                rest += (n + 1) * series[n] * pow(3.0 / 16, n);
            }
            const swReal expected[3] = {mu * exp(0.8 * (I1 - 3)) * bend, mu * slope / rest * bend,
                                        ogden};
            const Solid s[3] = {
                make_solid_with(sw_law_find("fung"), 2.6 * mu, 0.3, 2, b),
                make_solid_with(sw_law_find("arruda-boyce"), 2.6 * mu, 0.3, 2, chain),
                make_solid_with(sw_law_find("ogden"), 1, 0, 7, terms)};
            for (int i = 0; i < 3; i++) {
                swMat3 F, P;
                assert_true(relax(&s[i], biaxial, l, &F));
                evaluate(&s[i], F, &P, NULL);
                assert_near(P.m[0], expected[i], 2e-5 * fabs(expected[i]) + 0.1);
                assert_near(F.m[8], t, 1e-5);
            }
        }
}

// ---- reference files ----

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

static swReal json_entry(const swJson *list, int i) {
    assert_non_null(sw_json_at(list, i));
    return sw_json_at(list, i)->number;
}

static swMat3 json_mat(const swJson *object, const char *key) {
    swMat3 A;
    for (int i = 0; i < 9; i++)
        A.m[i] = json_entry(sw_json_at(sw_json_member(object, key), i / 3), i % 3);
    return A;
}

// The names that the reference has for our laws, with its parameters.
static const struct {
    const char *name, *law, *param[3];
} models[] = {
    {"linear", "linear", {NULL}},
    {"StVK", "stvk", {NULL}},
    {"corotated", "corotated", {NULL}},
    {"NeoHookean", "neo-hookean", {"mu", "lambda"}},
    {"MooneyRivlin", "mooney-rivlin", {"c10", "c01", "k"}},
    {"StableNeoHookean_raw", "stable-neo-hookean", {"mu", "lambda"}},
    {"StableNeoHookean_lame", "stable-neo-hookean", {NULL}},
};

static void laws_match_the_reference(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "reference/materials.json");
    swArena arena;
    const swJson *json = read_json(path, &arena), *results = sw_json_member(json, "results"),
                 *entry;
    const swJson *parameters = sw_json_member(sw_json_member(json, "meta"), "parameters");
    for (int i = 0; i < SW_COUNT(models); i++) {
        int compared = 0, count = 0;
        swReal param[3];
        for (; count < 3 && models[i].param[count]; count++)
            param[count] = json_number(parameters, models[i].param[count]);
        Solid s = make_solid_with(sw_law_find(models[i].law), json_number(parameters, "E"),
                                  json_number(parameters, "nu"), count, param);
        swReal rest = 0; // ours is 0 at rest
        if (strcmp(models[i].law, "stable-neo-hookean") == 0)
            rest = 9.0 / 32 * s.coefficient[0] * s.coefficient[0] / s.coefficient[1] -
                   0.5 * s.coefficient[0] * log(4);
        for (int k = 0; (entry = sw_json_at(results, k)); k++) {
            const swJson *model = sw_json_member(sw_json_member(entry, "models"), models[i].name);
            swMat3 F = json_mat(entry, "F"), dF = json_mat(entry, "dF"), P;
            swReal C[81], dP[9], psi = evaluate(&s, F, &P, C) + rest;
            if (sw_mat_det(F) <= 0 && !s.law->takes_inversion) {
                assert_true(isinf(psi));
                continue;
            }
            swMat3 Pref = json_mat(model, "P"), dPref = json_mat(model, "dP");
            swReal expected = json_number(model, "psi");
            for (int a = 0; a < 9; a++)
                dP[a] = dot(9, C + 9 * a, dF.m) - dPref.m[a];
            assert_near(psi, expected, 1e-10 * fabs(expected));
            assert_near(mat_distance(P, Pref), 0, 1e-10 * largest(9, Pref.m));
            assert_near(largest(9, dP), 0, 1e-10 * largest(9, dPref.m));
            compared++;
        }
        assert_int_equal(compared, s.law->takes_inversion ? 60 : 50);
    }
    sw_arena_free(&arena);
}

static void bars_stretch_as_in_the_reference(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "reference/uniaxial.json");
    swArena arena;
    const swJson *results = sw_json_member(read_json(path, &arena), "results"), *entry;
    int compared = 0;
    for (int i = 0; i < SW_COUNT(models); i++)
        for (int n = 0; n < 2; n++) {
            Solid s = make_solid(sw_law_find(models[i].law), 2e5, n ? 0.3 : 0);
            char key[64];
            snprintf(key, sizeof key, "%s_nu%s", models[i].name, n ? "0.3" : "0.0");
            const swJson *curve = sw_json_member(results, key);
            for (int k = 0; (entry = sw_json_at(curve, k)); k++, compared++) {
                swReal stress = json_number(entry, "P"),
                       density = json_number(entry, "energy_density");
                swMat3 F, P; // the reference has nine digits
                assert_true(relax(&s, false, 1 + json_number(entry, "strain"), &F));
                assert_near(evaluate(&s, F, &P, NULL), density, 1e-8 * density);
                assert_near(F.m[4], json_number(entry, "lateral_stretch"), 6e-9);
                assert_near(P.m[0], stress, 1e-8 * fabs(stress));
                assert_near(P.m[4], 0, 1e-9 * fabs(stress));
            }
        }
    assert_int_equal(compared, 68);
    sw_arena_free(&arena);
}

// Columns stretch, P, stretch across, J, psi.
static int check_curve(const swJson *curve, bool biaxial, const swReal param[3]) {
    const swJson *row;
    const Solid s = make_solid_with(sw_law_find("mooney-rivlin"), 1, 0, 3, param);
    int n = 0;
    for (; (row = sw_json_at(sw_json_member(curve, "rows"), n)); n++) {
        swMat3 F, P;
        const swReal stretch = json_entry(row, 0), stress = json_entry(row, 1);
        // beyond 0.7 of its length pushed both ways, rubber may take several thicknesses
        if (biaxial && stretch < 0.7)
            F = sw_mat_diag(stretch, stretch, json_entry(row, 2));
        else
            assert_true(relax(&s, biaxial, stretch, &F));
        swReal psi = evaluate(&s, F, &P, NULL), density = json_entry(row, 4);
        assert_near(F.m[8], json_entry(row, 2), 1e-8 * F.m[8]);
        assert_near(sw_mat_det(F), json_entry(row, 3), 1e-8);
        assert_near(P.m[0], stress, 2e-8 * (fabs(stress) + param[2]));
        assert_near(P.m[8], 0, 2e-8 * (fabs(stress) + param[2]));
        assert_near(psi, density, 2e-8 * (density + param[2]));
    }
    return n;
}

static void rubber_follows_the_reference_curves(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "reference/mooney-rivlin-curves.json");
    swArena arena;
    const swJson *json = read_json(path, &arena), *row;
    const swReal soft[3] = {2e4, 1e4, 5e5}, stiff[3] = {2e4, 1e4, 5e6};
    int n = check_curve(sw_json_member(json, "compressible_k500000_uniaxial"), false, soft);
    n += check_curve(sw_json_member(json, "compressible_k500000_equibiaxial"), true, soft);
    n += check_curve(sw_json_member(json, "compressible_k5000000_uniaxial"), false, stiff);
    n += check_curve(sw_json_member(json, "compressible_k5000000_equibiaxial"), true, stiff);
    assert_int_equal(n, 4 * 53);
    // sheared, F given: gamma, psi, P11, P12, P21, P22, P33
    const Solid s = make_solid_with(sw_law_find("mooney-rivlin"), 1, 0, 3, soft);
    const swJson *rows =
        sw_json_member(sw_json_member(json, "compressible_simple_shear_prescribed_F"), "rows");
    static const int entry[5] = {0, 1, 3, 4, 8};
    for (n = 0; (row = sw_json_at(rows, n)); n++) {
        swMat3 F = sw_mat_identity(), P;
        F.m[1] = json_entry(row, 0);
        assert_near(evaluate(&s, F, &P, NULL), json_entry(row, 1),
                    1e-8 * json_entry(row, 1) + 1e-9);
        for (int k = 0; k < 5; k++)
            assert_near(P.m[entry[k]], json_entry(row, 2 + k), 1e-8 * largest(9, P.m) + 1e-9);
    }
    assert_int_equal(n, 41);
    // swollen and shrunk: J, psi, mean Cauchy stress, P11
    rows = sw_json_member(sw_json_member(json, "volumetric_k500000"), "rows");
    for (n = 0; (row = sw_json_at(rows, n)); n++) {
        const swReal t = cbrt(json_entry(row, 0));
        swMat3 P;
        swReal psi = evaluate(&s, sw_mat_diag(t, t, t), &P, NULL);
        assert_near(psi, json_entry(row, 1), 1e-8 * psi + 1e-9);
        for (int k = 0; k < 9; k += 4)
            assert_near(P.m[k], json_entry(row, 3), 1e-8 * largest(9, P.m) + 1e-9);
    }
    assert_int_equal(n, 27);
    sw_arena_free(&arena);
}

// ---- parameters ----

// Constants that say the same make the same law.
static void parameters_replace_young_and_poisson(void **state) {
    (void)state;
    const swReal mu = 2e5 / 2.6, lambda = 2e5 * 0.3 / (1.3 * 0.4), bulk = lambda + 2 * mu / 3;
    const struct {
        const char *law;
        int count;
        swReal param[9];
    } same[] = {
        {"linear", 2, {mu, lambda}},
        {"stvk", 2, {mu, lambda}},
        {"corotated", 2, {mu, lambda}},
        {"neo-hookean", 2, {mu, lambda}},
        {"stable-neo-hookean", 2, {4 * mu / 3, lambda + 5 * mu / 6}},
        {"mooney-rivlin", 3, {0.5 * mu, 0, bulk}},
        {"ogden", 7, {mu, 2, 0, 2, 0, 2, bulk}},
        {"orthotropic", 9, {2e5, 2e5, 2e5, 0.3, 0.3, 0.3, mu, mu, mu}},
    };
    for (int i = 0; i < SW_COUNT(same); i++) {
        const swLaw *law = sw_law_find(same[i].law);
        const Solid s = make_solid(law, 2e5, 0.3),
                    given_all = make_solid_with(law, 1, 0, same[i].count, same[i].param);
        for (int k = 0; k < SW_LAW_COEFFICIENTS; k++)
            assert_near(given_all.coefficient[k], s.coefficient[k], 1e-14 * fabs(s.coefficient[k]));
    }
}

// Moduli at rest are those of the description, or the mean over directions.
static void moduli_at_rest_are_read_off(void **state) {
    (void)state;
    swReal lame[2];
    for (int i = 0; sw_law_at(i); i++) {
        const Solid s = make_solid(sw_law_at(i), 2e5, 0.45);
        sw_law_rest(s.law, s.coefficient, lame);
        assert_near(lame[0], s.mu, 1e-12 * s.lambda);
        assert_near(lame[1], s.lambda, 1e-12 * s.lambda);
    }
    // along x alone ten times as stiff, no lateral contraction: D11 = 10, D22 = D33 = 1, G = 1/2
    static const swReal constants[9] = {10, 1, 1, 0, 0, 0, 0.5, 0.5, 0.5};
    const Solid s = make_solid_with(sw_law_find("orthotropic"), 1, 0, 9, constants);
    sw_law_rest(s.law, s.coefficient, lame);
    assert_near(lame[0], (4 - 0 + 1.5) / 5, 1e-14);
    assert_near(lame[1], (4 + 0 - 1) / 5.0, 1e-14);
}

// Turned by a quarter about z, the axes of an orthotropic body change places.
static void orthotropic_axes_are_those_of_the_body(void **state) {
    (void)state;
    Random r = {62};
    static const swReal a[9] = {9e5, 6e4, 1e5, 0.4, 0.2, 0.03, 7e4, 2e4, 5e4};
    // x, y -> y, -x: e1 and e2, g23 and g31 exchanged; nu12 is the old nu21, ...
    const swReal b[9] = {
        a[1], a[0], a[2], a[3] * a[1] / a[0], a[5] * a[0] / a[2], a[4] * a[2] / a[1],
        a[6], a[8], a[7]};
    const Solid s = make_solid_with(sw_law_find("orthotropic"), 1, 0, 9, a),
                turned = make_solid_with(sw_law_find("orthotropic"), 1, 0, 9, b);
    const swMat3 Q = {{0, -1, 0, 1, 0, 0, 0, 0, 1}};
    for (int i = 0; i < 100; i++) {
        swMat3 F, P, PQ;
        some_gradient(s.law, &r, 2, &F);
        swReal psi = evaluate(&s, F, &P, NULL);
        assert_near(evaluate(&turned, sw_mat_mul(F, Q), &PQ, NULL), psi, 1e-12 * psi);
        assert_near(mat_distance(PQ, sw_mat_mul(P, Q)), 0, 1e-12 * largest(9, P.m));
    }
}

// No deformation has less energy than none, whatever Poisson's ratio a law takes.
static void energy_is_least_at_rest(void **state) {
    (void)state;
    static const swReal ratio[] = {-0.999, -0.99, -0.9, -0.88, -0.5, -0.1, 0, 0.3, 0.499999};
    Random r = {63};
    for (int i = 0; sw_law_at(i); i++)
        for (int k = 0; k < SW_COUNT(ratio); k++) {
            const swLaw *law = sw_law_at(i);
            const swMaterial material = make_material(law, 1, ratio[k], 0, NULL);
            if (law->check && law->check(&material)) {
                assert_string_equal(law->name, "stable-neo-hookean");
                assert_true(ratio[k] < -0.88);
                continue;
            }
            const Solid s = make_solid(law, 1, ratio[k]);
            for (int trial = 0; trial < 4000; trial++) {
                const bool alike = trial % 2 == 0; // from a thousandth to a thousandfold
                const swReal a = pow(10, alike ? 1e-3 * trial - 3 : random_in(&r, -3, 3)),
                             b = alike ? a : pow(10, random_in(&r, -3, 3)),
                             c = alike ? a : pow(10, random_in(&r, -3, 3));
                const swReal sign = law->takes_inversion && trial % 3 == 0 ? -1 : 1;
                const swReal psi = evaluate(&s, rotated_stretch(&r, a, b, sign * c), NULL, NULL);
                if (!(psi >= -1e-12 * (s.mu + fabs(s.lambda))))
                    fail_msg("%s, %g: %g at %g %g %g", law->name, ratio[k], psi, a, b, c);
            }
        }
}

// Where a second minimum becomes deeper than rest: at equal stretches of 0.595.
static void shrunk_stable_neo_hookean_is_refused(void **state) {
    (void)state;
    const swLaw *law = sw_law_find("stable-neo-hookean");
    swReal edge[2];
    for (int i = 0; i < 2; i++) {
        swMaterial m = make_material(law, 1, i == 0 ? -0.8809 : -0.8811, 0, NULL);
        Solid s = {.law = law};
        assert_true((law->check(&m) == NULL) == (i == 0));
        law->prepare(&m, s.coefficient);
        edge[i] = evaluate(&s, sw_mat_diag(0.595, 0.595, 0.595), NULL, NULL);
        m.volume = 0.1 * s.coefficient[0]; // as good as more of lambda
        assert_null(law->check(&m));
    }
    assert_true(edge[0] > 0 && edge[1] < 0);
}

static void bad_constants_are_told(void **state) {
    (void)state;
    static const struct {
        const char *law;
        int count;
        swReal param[9];
        const char *expected;
    } cases[] = {
        {"neo-hookean", 1, {1e5}, "both mu and lambda"},
        {"linear", 2, {NAN, 1e5}, "both mu and lambda"},
        {"stvk", 2, {0, 1e5}, "stiff in shear"},
        {"corotated", 2, {1e5, -1e5}, "stiff in shear"},
        {"stable-neo-hookean", 2, {1e5, -1e5}, "at least 0.14655 mu"},
        {"mooney-rivlin", 2, {NAN, 1e6}, "c01 at most half"},
        {"mooney-rivlin", 3, {0, 0, 1e5}, "stiff in shear"},
        {"fung", 2, {1, 0}, "stiff in shear"},
        {"ogden", 4, {NAN, NAN, 1e5, 0}, "exponents other than 0"},
        {"ogden", 2, {-1e5, 2}, "stiff in shear"},
        {"ogden", 4, {1e5, 2, -1e3, 5}, "energy is lowest at rest"},
        {"ogden", 4, {1e5, 2, 1e3, -5}, "energy is lowest at rest"},
        {"orthotropic", 1, {0}, "e1, e2, e3"},
        {"orthotropic", 9, {1e5, 1e5, 1e5, 0.3, 0.3, 0.3, 1e4, 0, 1e4}, "g23"},
        {"orthotropic", 4, {1e5, 1e6, 1e5, 0.4}, "nu12^2 < e1/e2"},
        {"orthotropic", 6, {1e5, 1e5, 1e5, 0.6, 0.6, 0.6}, "resist every strain"},
    };
    for (int i = 0; i < SW_COUNT(cases); i++) {
        swScene *s = sw_scene_create(NULL);
        swMaterial *m = sw_scene_add_material(s, "rubber");
        m->law = cases[i].law;
        for (int k = 0; k < cases[i].count; k++)
            m->param[k] = cases[i].param[k];
        sw_body_add_shape(s, sw_scene_add_body(s, "block"), SW_SHAPE_BOX)->size = sw_v3(1, 1, 1);
        swError error = {0};
        assert_null(sw_compile(s, &error));
        if (!strstr(error.message, "materials.rubber: expected") ||
            !strstr(error.message, cases[i].expected))
            fail_msg("case %d: expected a word on \"%s\", found: %s", i, cases[i].expected,
                     error.message);
        sw_scene_destroy(s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(laws_are_their_formulas),
    cmocka_unit_test(curves_follow_the_formulas),
    cmocka_unit_test(shear_is_as_in_closed_form),
    cmocka_unit_test(pulled_bars_are_as_in_closed_form),
    cmocka_unit_test(stiff_volumes_are_incompressible),
    cmocka_unit_test(laws_match_the_reference),
    cmocka_unit_test(bars_stretch_as_in_the_reference),
    cmocka_unit_test(rubber_follows_the_reference_curves),
    cmocka_unit_test(parameters_replace_young_and_poisson),
    cmocka_unit_test(moduli_at_rest_are_read_off),
    cmocka_unit_test(orthotropic_axes_are_those_of_the_body),
    cmocka_unit_test(energy_is_least_at_rest),
    cmocka_unit_test(shrunk_stable_neo_hookean_is_refused),
    cmocka_unit_test(bad_constants_are_told),
};
SW_SUITE(laws, tests)
