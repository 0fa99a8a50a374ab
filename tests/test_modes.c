// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reduced bodies: the basis, polynomials against the full model written down once more,
// derivatives.
#include "core/core.h"
#include "modes/basis.h"
#include "modes/polynomial.h"
#include "modes/select.h"
#include "world/body.h"
#include "test_tools.h"

#include <string.h>

// ---- a bar of tetrahedra along x, held at x = 0, of two materials ----

typedef struct {
    swArena arena;
    swTetMesh mesh;
    swTetBody body;
    swFull full;
} Bar;

static int middle(swTetMesh *m, int *known, int a, int b) { // of an edge, made once
    const int lo = a < b ? a : b, hi = a < b ? b : a;
    for (int k = 0; k < 64; k++) {
        int *slot = known + 3 * (64 * lo + k);
        if (slot[0] == 0) {
            m->X[m->nvertex] = sw_scale(0.5, sw_add(m->X[lo], m->X[hi]));
            slot[0] = 1;
            slot[1] = hi;
            slot[2] = m->nvertex++;
        }
        if (slot[1] == hi)
            return slot[2];
    }
    fail();
    return 0;
}

// Every cell of nx x n x n in six tetrahedra about its diagonal.
static void make_bar(Bar *bar, int order, int nx, int n, swVec3 size) {
    static const int path[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
    static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    swTetMesh *m = &bar->mesh;
    const swAllocator allocator = sw_default_config().allocator;
    memset(bar, 0, sizeof *bar);
    sw_arena_init(&bar->arena, &allocator);
    const int corners = (nx + 1) * (n + 1) * (n + 1), nv = sw_tet_vertices(order);
    m->order = order;
    m->ntet = 6 * nx * n * n;
    m->X = SW_NEW(&bar->arena, 8 * corners, swVec3, NULL);
    m->vertex = SW_NEW(&bar->arena, m->ntet * nv, int, NULL);
    int *known = SW_NEW(&bar->arena, (size_t)corners * 64 * 3, int, NULL);
    for (int i = 0; i <= nx; i++)
        for (int j = 0; j <= n; j++)
            for (int k = 0; k <= n; k++)
                m->X[m->nvertex++] = sw_v3(size.x * i / nx, size.y * j / n, size.z * k / n);
    int *v = m->vertex;
    for (int c = 0; c < nx * n * n; c++)
        for (int t = 0; t < 6; t++, v += nv) {
            int corner[4] = {0, path[t][0], path[t][1], 7};
            for (int a = 0; a < 4; a++) {
                const int i = c / (n * n) + (corner[a] & 1), j = c / n % n + (corner[a] >> 1 & 1),
                          k = c % n + (corner[a] >> 2);
                v[a] = (i * (n + 1) + j) * (n + 1) + k;
            }
            for (int e = 0; order == 2 && e < 6; e++)
                v[4 + e] = middle(m, known, v[edge[e][0]], v[edge[e][1]]);
        }
    bool *held = SW_NEW(&bar->arena, m->nvertex, bool, NULL);
    swReal *mu = SW_NEW(&bar->arena, m->ntet, swReal, NULL),
           *lambda = SW_NEW(&bar->arena, m->ntet, swReal, NULL),
           *density = SW_NEW(&bar->arena, m->ntet, swReal, NULL);
    for (int i = 0; i < m->nvertex; i++)
        held[i] = m->X[i].x == 0;
    for (int t = 0; t < m->ntet; t++) {
        const swReal young = t < m->ntet / 2 ? 2e5 : t % 7 == 0 ? 5e4 : 1e5, poisson = 0.3;
        mu[t] = young / (2 + 2 * poisson);
        lambda[t] = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
        density[t] = 1000;
    }
    bar->body = (swTetBody){m, held, mu, lambda, density};
    swError error;
    if (!sw_full_create(&bar->full, &bar->body, NULL, &bar->arena, &error))
        fail_msg("%s", error.message);
}

static void free_bar(Bar *bar) { sw_arena_free(&bar->arena); }

static swBasis make_basis(Bar *bar, swBasisKind kind, int count, int vibrations) {
    swBasis basis;
    swError error;
    const swBasisWish wish = {kind, count, vibrations, 0, NULL};
    if (!sw_basis_create(&basis, &bar->full, &wish, NULL, &bar->arena, &error))
        fail_msg("%s", error.message);
    return basis;
}

// ---- the full model, written down once more ----

static void barycentric(const swTetMesh *m, const int *v, swVec3 p, swReal L[4]) {
    const swVec3 o = m->X[v[0]], a = sw_sub(m->X[v[1]], o), b = sw_sub(m->X[v[2]], o),
                 c = sw_sub(m->X[v[3]], o);
    const swMat3 E = {{a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z}};
    const swVec3 s = sw_mul(sw_mat_inverse(E), sw_sub(p, o));
    L[0] = 1 - s.x - s.y - s.z;
    L[1] = s.x, L[2] = s.y, L[3] = s.z;
}

static swReal shape(int order, const swReal L[4], int a) {
    static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    if (order == 1)
        return L[a];
    return a < 4 ? L[a] * (2 * L[a] - 1) : 4 * L[edge[a - 4][0]] * L[edge[a - 4][1]];
}

// Differences are exact for shape functions of degree two.
static swVec3 shape_gradient(const swTetMesh *m, const int *v, swVec3 p, swReal h, int a) {
    swVec3 g;
    for (int k = 0; k < 3; k++) {
        swVec3 d = {0, 0, 0};
        swReal up[4], down[4];
        sw_set(&d, k, h);
        barycentric(m, v, sw_add(p, d), up);
        barycentric(m, v, sw_sub(p, d), down);
        sw_set(&g, k, (shape(m->order, up, a) - shape(m->order, down, a)) / (2 * h));
    }
    return g;
}

// Energy, forces f (over the free numbers) and, along y, stiffness times y of the full model at
// the displacement u.
static swReal full_forces(const Bar *bar, const swReal *u, const swReal *y, swReal *f, swReal *Ky) {
    static const swReal near = 0.58541019662496845446, far = 0.13819660112501051518;
    const swTetMesh *m = &bar->mesh;
    const int nv = sw_tet_vertices(m->order), np = m->order == 1 ? 1 : 4;
    swReal energy = 0;
    memset(f, 0, (size_t)bar->full.n * sizeof *f);
    memset(Ky, 0, (size_t)bar->full.n * sizeof *Ky);
    for (int t = 0; t < m->ntet; t++) {
        const int *v = m->vertex + t * nv;
        const swVec3 o = m->X[v[0]], e1 = sw_sub(m->X[v[1]], o), e2 = sw_sub(m->X[v[2]], o),
                     e3 = sw_sub(m->X[v[3]], o);
        const swReal volume = sw_dot(sw_cross(e1, e2), e3) / 6, mu = bar->body.mu[t],
                     lambda = bar->body.lambda[t], weight = volume / np;
        for (int k = 0; k < np; k++) {
            swVec3 p = {0, 0, 0}, g[10];
            for (int a = 0; a < 4; a++)
                p = sw_madd(p, np == 1 ? 0.25 : a == k ? near : far, m->X[v[a]]);
            swMat3 F = sw_mat_identity(), dF = {{0}};
            for (int a = 0; a < nv; a++) {
                g[a] = shape_gradient(m, v, p, 0.1 * sw_norm(e1), a);
                const swVec3 x = sw_full_at(&bar->full, u, v[a]),
                             d = sw_full_at(&bar->full, y, v[a]);
                for (int i = 0; i < 9; i++) {
                    F.m[i] += sw_get(x, i / 3) * sw_get(g[a], i % 3);
                    dF.m[i] += sw_get(d, i / 3) * sw_get(g[a], i % 3);
                }
            }
            const swMat3 C = sw_mat_mul(sw_mat_t(F), F),
                         dC = sw_mat_mul(sw_mat_t(dF), F); // its half
            swMat3 S, dS;
            swReal trace = 0.5 * (C.m[0] + C.m[4] + C.m[8] - 3), square = 0,
                   dtrace = dC.m[0] + dC.m[4] + dC.m[8];
            for (int i = 0; i < 9; i++) {
                const swReal e = 0.5 * (C.m[i] - (i % 4 == 0)),
                             de = 0.5 * (dC.m[i] + dC.m[3 * (i % 3) + i / 3]);
                square += e * e;
                S.m[i] = 2 * mu * e + (i % 4 == 0 ? lambda * trace : 0);
                dS.m[i] = 2 * mu * de + (i % 4 == 0 ? lambda * dtrace : 0);
            }
            energy += weight * (mu * square + 0.5 * lambda * trace * trace);
            const swMat3 P = sw_mat_mul(F, S), A = sw_mat_mul(dF, S), B = sw_mat_mul(F, dS);
            for (int a = 0; a < nv; a++)
                for (int i = 0; i < 9 && !bar->body.held[v[a]]; i++) {
                    const int at = bar->full.K.start[v[a]] + i / 3;
                    f[at] += weight * P.m[i] * sw_get(g[a], i % 3);
                    Ky[at] += weight * (A.m[i] + B.m[i]) * sw_get(g[a], i % 3);
                }
        }
    }
    return energy;
}

// ---- tests ----

static swReal *numbers(Bar *bar, int64_t n) { return SW_NEW(&bar->arena, n, swReal, NULL); }

static void vibrations_are_orthonormal_and_exact(void **state) {
    (void)state;
    for (int order = 1; order <= 2; order++) {
        Bar bar;
        make_bar(&bar, order, order == 1 ? 8 : 4, 2, sw_v3(1, 0.2, 0.2));
        const int n = bar.full.n;
        int found;
        swReal *lambda, *x, *Kx = numbers(&bar, n), *Mx = numbers(&bar, n);
        assert_true(sw_vibrations(&bar.full, 12, &bar.arena, &found, &lambda, &x, NULL));
        assert_int_equal(found, 12);
        for (int i = 0; i < found; i++) {
            sw_blocks_multiply(&bar.full.K, x + i * n, Kx);
            sw_full_mass(&bar.full, x + i * n, Mx);
            assert_true(i == 0 || lambda[i] >= lambda[i - 1]);
            swReal left = 0, size = 0;
            for (int k = 0; k < n; k++) {
                left += (Kx[k] - lambda[i] * Mx[k]) * (Kx[k] - lambda[i] * Mx[k]);
                size += Kx[k] * Kx[k];
            }
            assert_near(sqrt(left / size), 0, 1e-6);
            for (int j = 0; j < found; j++)
                assert_near(sw_dot_n(n, x + j * n, Mx), i == j, 1e-10);
        }
        free_bar(&bar);
    }
}

// A square bar has its bending twice: both are found. There is nothing below the lowest.
static void all_vibrations_of_a_small_mesh_are_found(void **state) {
    (void)state;
    Bar bar;
    make_bar(&bar, 1, 2, 1, sw_v3(1, 0.5, 0.5));
    const int n = bar.full.n;
    int found;
    swReal *lambda, *x, trace = 0, sum = 0;
    assert_true(sw_vibrations(&bar.full, n + 10, &bar.arena, &found, &lambda, &x, NULL));
    assert_int_equal(found, n);
    // trace of M^-1 K over all vibrations: sum of x^T K x
    swReal *Kx = numbers(&bar, n);
    for (int i = 0; i < n; i++) {
        sw_blocks_multiply(&bar.full.K, x + i * n, Kx);
        trace += sw_dot_n(n, x + i * n, Kx);
        sum += lambda[i];
    }
    assert_near(sum / trace, 1, 1e-9);
    free_bar(&bar);
}

// -K^-1 d2f: by differences of the forces of the full model.
static void modal_derivatives_are_second_derivatives(void **state) {
    (void)state;
    Bar bar;
    make_bar(&bar, 2, 3, 1, sw_v3(1, 0.3, 0.3));
    const int n = bar.full.n;
    const swBasis basis = make_basis(&bar, SW_BASIS_LINEAR, 4, 4);
    swReal *phi = numbers(&bar, n), *u = numbers(&bar, n), *Kphi = numbers(&bar, n),
           *f[2] = {numbers(&bar, n), numbers(&bar, n)},
           *df[2] = {numbers(&bar, n), numbers(&bar, n)};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++) {
            const swReal *x = basis.shape + i * n, *y = basis.shape + j * n, h = 1e-4;
            sw_modal_derivative(&bar.full, x, y, phi);
            for (int side = 0; side < 2; side++) {
                for (int k = 0; k < n; k++)
                    u[k] = (side ? h : -h) * x[k];
                full_forces(&bar, u, y, f[side], df[side]);
            }
            sw_blocks_multiply(&bar.full.K, phi, Kphi);
            swReal left = 0, size = 0;
            for (int k = 0; k < n; k++) {
                const swReal d2f = (df[1][k] - df[0][k]) / (2 * h);
                left += (Kphi[k] + d2f) * (Kphi[k] + d2f);
                size += d2f * d2f;
            }
            assert_near(sqrt(left / size), 0, 1e-6);
        }
    free_bar(&bar);
}

static void bases_are_orthonormal(void **state) {
    (void)state;
    Bar bar;
    make_bar(&bar, 1, 8, 2, sw_v3(1, 0.2, 0.2));
    const int n = bar.full.n;
    for (swBasisKind kind = SW_BASIS_LINEAR; kind <= SW_BASIS_PCA; kind++) {
        const swBasis b = make_basis(&bar, kind, 20, 8);
        swReal *image = numbers(&bar, n);
        assert_int_equal(b.count, 20);
        assert_int_equal(b.vibrations, kind == SW_BASIS_LINEAR ? 20 : kind == SW_BASIS_PCA ? 8 : 5);
        for (int i = 0; i < b.count; i++) {
            sw_full_mass(&bar.full, b.shape + i * n, image);
            for (int j = 0; j < b.count; j++)
                assert_near(sw_dot_n(n, b.shape + j * n, image), i == j, 1e-11);
            sw_blocks_multiply(&bar.full.K, b.shape + i * n, image);
            for (int j = 0; j < b.count; j++)
                assert_near(sw_dot_n(n, b.shape + j * n, image), i == j ? b.stiffness[i] : 0,
                            1e-9 * b.stiffness[b.count - 1]);
        }
        // The lowest frequencies of the space are those of the mesh, or little above.
        for (int i = 0; i < 3; i++)
            assert_near(b.stiffness[i] / b.lambda[i], 1, 1e-2);
    }
    free_bar(&bar);
}

// Forces and stiffness of the polynomial are those of the full model in the basis, to rounding.
static void polynomials_are_the_full_model(void **state) {
    (void)state;
    for (int order = 1; order <= 2; order++) {
        Bar bar;
        make_bar(&bar, order, order == 1 ? 8 : 4, 2, sw_v3(1, 0.2, 0.2));
        const int n = bar.full.n;
        const swBasis b = make_basis(&bar, SW_BASIS_PCA, 12, 6);
        const int r = b.count;
        swReal *c = numbers(&bar, sw_polynomial_size(r)),
               *scratch = numbers(&bar, sw_polynomial_scratch(r)), *u = numbers(&bar, n),
               *f = numbers(&bar, n), *Ky = numbers(&bar, n), z[12], g[12], size, H[12 * 12];
        assert_true(sw_polynomial_build(&bar.full, &b, NULL, c, &bar.arena, NULL));
        srand(3);
        for (int trial = 0; trial < 5; trial++) {
            memset(u, 0, (size_t)n * sizeof *u);
            for (int j = 0; j < r; j++) {
                z[j] = (rand() / (swReal)RAND_MAX - 0.5) * 0.6;
                for (int k = 0; k < n; k++)
                    u[k] += z[j] * b.shape[j * n + k];
            }
            memset(g, 0, sizeof g);
            memset(H, 0, sizeof H);
            const swReal energy = sw_polynomial_add(r, c, z, g, H, r, scratch, &size);
            swReal force = 0, stiffness = 0;
            for (int i = 0; i < r; i++) {
                force = fmax(force, fabs(g[i]));
                stiffness = fmax(stiffness, fabs(H[i * r + i]));
            }
            for (int i = 0; i < r; i++) {
                const swReal full = full_forces(&bar, u, b.shape + i * n, f, Ky);
                assert_near(energy, full, 1e-11 * full);
                for (int j = i; j < r; j++)
                    assert_near(H[j * r + i], sw_dot_n(n, Ky, b.shape + j * n), 1e-11 * stiffness);
                assert_near(g[i], sw_dot_n(n, f, b.shape + i * n), 1e-11 * force);
            }
        }
        free_bar(&bar);
    }
}

static void polynomials_agree_with_differences(void **state) {
    (void)state;
    Bar bar;
    make_bar(&bar, 1, 5, 1, sw_v3(1, 0.2, 0.2));
    const swBasis b = make_basis(&bar, SW_BASIS_DERIVATIVES, 9, 0);
    const int r = b.count;
    assert_int_equal(r, 9);
    swReal *c = numbers(&bar, sw_polynomial_size(r)),
           *scratch = numbers(&bar, sw_polynomial_scratch(r));
    assert_true(sw_polynomial_build(&bar.full, &b, NULL, c, &bar.arena, NULL));
    swReal z[9], g[9] = {0}, H[81] = {0}, size, h = 1e-5;
    for (int i = 0; i < r; i++)
        z[i] = 0.3 * sin(1 + 2 * i);
    sw_polynomial_add(r, c, z, g, H, r, scratch, &size);
    for (int i = 0; i < r; i++) {
        swReal gs[2][9] = {{0}}, e[2];
        for (int side = 0; side < 2; side++) {
            swReal there[9];
            memcpy(there, z, sizeof there);
            there[i] += side ? h : -h;
            e[side] = sw_polynomial_add(r, c, there, gs[side], NULL, 0, scratch, &size);
        }
        assert_near((e[1] - e[0]) / (2 * h), g[i], 1e-6 * fabs(g[i]) + 1e-3);
        for (int j = 0; j <= i; j++)
            assert_near((gs[1][j] - gs[0][j]) / (2 * h), H[i * r + j], 1e-7 * b.stiffness[r - 1]);
    }
    free_bar(&bar);
}

static void a_mesh_that_nothing_holds_is_refused(void **state) {
    (void)state;
    Bar bar;
    swError error;
    make_bar(&bar, 1, 2, 1, sw_v3(1, 0.2, 0.2));
    bool *held = SW_NEW(&bar.arena, bar.mesh.nvertex, bool, NULL);
    bar.body.held = held;
    swFull full;
    assert_false(sw_full_create(&full, &bar.body, NULL, &bar.arena, &error));
    assert_non_null(strstr(error.message, "hold every piece"));
    held[0] = true; // it still turns about a point
    assert_false(sw_full_create(&full, &bar.body, NULL, &bar.arena, &error));
    free_bar(&bar);
}

// ---- scenes ----

// A bar along x that a wall holds, of linear tetrahedra: reduced, or all of them.
typedef struct {
    const char *law;
    int count;
    bool whole; // not reduced
    swReal gravity;
    int threads;
} Beam;

static swScene *beam_scene(const Beam *beam) {
    swConfig config = sw_default_config();
    config.threads = beam->threads ? beam->threads : 1;
    swScene *s = sw_scene_create(&config);
    s->gravity = sw_v3(0, -beam->gravity, 0);
    s->time.step = 0.02;
    swMaterial *m = sw_scene_add_material(s, "rubber");
    m->law = beam->law;
    m->young = 2e5;
    m->poisson = 0.3;
    m->density = 1000;
    swBody *b = sw_scene_add_body(s, "bar");
    swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
    box->size = sw_v3(1, 0.1, 0.1);
    box->center = sw_v3(0.5, 0, 0);
    b->voxel = 0.05;
    if (beam->whole)
        sw_body_add_tets(s, b);
    else
        sw_body_add_modes(s, b)->count = beam->count;
    swHandle *wall = sw_body_add_handle(s, b, "wall", SW_SHAPE_BOX);
    wall->region->size = sw_v3(0, 1, 1);
    wall->motion = SW_MOTION_FIXED;
    sw_scene_add_probe(s, "tip", sw_v3(1, 0, 0));
    return s;
}

static swModel *beam_model(const Beam *beam) {
    swScene *s = beam_scene(beam);
    swModel *m = compile_scene(s);
    sw_scene_destroy(s);
    return m;
}

static swVec3 solve_tip(const Beam *beam) {
    swModel *m = beam_model(beam);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    const swVec3 u = sw_probe_displacement(s, 0);
    sw_state_destroy(s);
    sw_model_destroy(m);
    return u;
}

// Pulled along by a third: no vibration among the lowest does that.
static void modes_know_the_loads(void **state) {
    (void)state;
    swVec3 u[2];
    for (int whole = 0; whole < 2; whole++) {
        swScene *scene = beam_scene(&(Beam){"neo-hookean", 8, whole, 0, 1});
        swLoad *load = sw_body_add_load(scene, scene->bodies, SW_SHAPE_BOX);
        load->on->size = sw_v3(0, 1, 1);
        load->on->center = sw_v3(1, 0, 0);
        load->traction = sw_v3(5e4, 0, 0);
        swModel *m = compile_scene(scene);
        swState *s = make_state(m);
        solve_or_fail(m, s);
        u[whole] = sw_probe_displacement(s, 0);
        sw_state_destroy(s);
        sw_model_destroy(m);
        sw_scene_destroy(scene);
    }
    assert_true(u[1].x > 0.25);
    assert_near(sw_norm(sw_sub(u[0], u[1])) / u[1].x, 0, 0.02);
}

// Bent to an angle of some 50 degrees by its weight: by all tetrahedra, and in 20 modes.
static void modes_bend_as_the_whole_mesh_does(void **state) {
    (void)state;
    static const char *const laws[] = {"stvk", "neo-hookean"};
    for (int i = 0; i < 2; i++) {
        const swVec3 whole = solve_tip(&(Beam){laws[i], 0, true, 1.5, 1}),
                     reduced = solve_tip(&(Beam){laws[i], 20, false, 1.5, 1});
        assert_true(whole.y < -0.4);
        assert_near(sw_norm(sw_sub(reduced, whole)) / sw_norm(whole), 0, 0.03);
    }
}

// Everything that adds to the objective, by differences: gravity, a load, a muscle, a pull, a
// plane, damping, inertia.
static void objectives_agree_with_differences(void **state) {
    (void)state;
    static const char *const laws[] = {"stvk", "neo-hookean"};
    for (int law = 0; law < 2; law++) {
        swScene *scene = beam_scene(&(Beam){laws[law], 8, false, 2, 1});
        swBody *body = scene->bodies;
        body->place = (swPose){.axis = {1, 2, 0}, .angle = 0.4, .translate = {0.1, 0, 0.2}};
        body->damping_mass = 0.5;
        body->damping_stiffness = 0.01;
        swLoad *load = sw_body_add_load(scene, body, SW_SHAPE_BOX);
        load->on->center = sw_v3(1, 0, 0);
        load->on->size = sw_v3(0, 1, 1);
        load->traction = sw_v3(10, 20, 30);
        swMuscle *muscle = sw_body_add_muscle(scene, body, "muscle");
        muscle->from.point = sw_v3(0.3, 0.04, 0);
        muscle->to.point = sw_v3(0.8, 0.04, 0);
        muscle->strength = 3;
        muscle->stiffness = 50;
        muscle->activation = 0.7;
        swCollider *floor = sw_scene_add_collider(scene, SW_SHAPE_HALFSPACE);
        floor->shape->normal = sw_v3(0, 1, 0);
        floor->shape->offset = -0.3;
        swModel *model = compile_scene(scene);
        swState *world = make_state(model);
        const swBodyModel *m = only_body(model);
        swBodyState *s = only_state(world);
        swWork *w = s->work;
        assert_true(sw_pull_body(world, 0, 17, sw_v3(0.5, 0.2, 0), 40) >= 0);
        const swNode *node = &m->node[m->reduced[0].node];
        const int at = sw_node_ambient(node), r = node->nu;
        assert_int_equal(r, 8);
        swReal *q = malloc((size_t)m->size.nq * sizeof *q), g[8], H[64],
               *last = malloc((size_t)m->size.nq * sizeof *q);
        memcpy(q, m->q0, (size_t)m->size.nq * sizeof *q);
        memcpy(last, q, (size_t)m->size.nq * sizeof *q);
        Random random = {3};
        for (int j = 0; j < r; j++) {
            q[at + j] = random_in(&random, -0.3, 0.3) / (1 + j);
            last[at + j] = random_in(&random, -0.01, 0.01);
        }
        q[at] += 1; // into the plane
        const swObjective o = {
            .inertia = 400, .target = m->q0, .q_last = last, .h = 0.05, .load = 1, .t = 0};
        swValue v = sw_objective_evaluate(m, s, &o, q, true, true, SW_PROJECT_NONE);
        assert_true(isfinite(v.energy));
        const swBlock block = sw_blocks_get(&w->H, m->reduced[0].node, m->reduced[0].node);
        swReal largest = 0;
        for (int i = 0; i < r; i++) {
            g[i] = w->g[at + i];
            for (int j = 0; j <= i; j++)
                H[8 * i + j] = block.data[i * block.stride + j];
            largest = fmax(largest, fabs(H[9 * i]));
        }
        for (int i = 0; i < r; i++) {
            const swReal h = 1e-5, keep = q[at + i];
            swReal e[2], gs[2][8];
            for (int side = 0; side < 2; side++) {
                q[at + i] = keep + (side ? h : -h);
                e[side] = sw_objective_evaluate(m, s, &o, q, true, false, SW_PROJECT_NONE).energy;
                memcpy(gs[side], w->g + at, sizeof gs[side]);
            }
            q[at + i] = keep;
            assert_near((e[1] - e[0]) / (2 * h), g[i], 1e-5 * fabs(g[i]) + 1e-6 * largest);
            for (int j = 0; j <= i; j++)
                assert_near((gs[1][j] - gs[0][j]) / (2 * h), H[8 * i + j], 1e-5 * largest);
        }
        free(q);
        free(last);
        sw_state_destroy(world);
        sw_model_destroy(model);
        sw_scene_destroy(scene);
    }
}

// What holds the body is the rate of its momentum less its weight, at every step.
static void handles_feel_weight_and_inertia(void **state) {
    (void)state;
    swScene *scene = beam_scene(&(Beam){"stvk", 12, false, 1, 1});
    scene->bodies->place = (swPose){.axis = {0, 1, 0}, .angle = 0.7};
    scene->time.integrator = "implicit-euler";
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    const swReal mass = only_body(m)->body[0].mass;
    for (int i = 0; i < 30; i++) {
        swVec3 before, after, angular[2], force, torque;
        const swReal h = m->settings.step;
        sw_state_momentum(s, &before, &angular[0]);
        step_or_fail(m, s, 1);
        sw_state_momentum(s, &after, &angular[1]);
        sw_handle_wrench(s, 0, &force, &torque);
        const swVec3 rate = sw_scale(1 / h, sw_sub(after, before)),
                     expected = sw_sub(rate, sw_scale(mass, scene->gravity));
        assert_near(sw_norm(sw_sub(force, expected)), 0, 1e-6 * sw_norm(expected));
    }
    // In balance it is the weight, and its torque about the wall that of where the weight is.
    solve_or_fail(m, s);
    swVec3 force, torque;
    sw_handle_wrench(s, 0, &force, &torque);
    assert_near(force.y, mass, 1e-4);
    assert_true(fabs(torque.z) < 0.5 * mass && fabs(torque.z) > 0.2 * mass);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static void midpoint_keeps_energy(void **state) {
    (void)state;
    swScene *scene = beam_scene(&(Beam){"stvk", 10, false, 1, 1});
    scene->time.integrator = "midpoint";
    scene->time.step = 0.01;
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    const swEnergy e0 = sw_state_energy(s);
    const swReal start = e0.elastic + e0.kinetic + e0.potential;
    swReal most = 0, swing = 0;
    for (int i = 0; i < 300; i++) {
        step_or_fail(m, s, 1);
        const swEnergy e = sw_state_energy(s);
        most = fmax(most, fabs(e.elastic + e.kinetic + e.potential - start));
        swing = fmax(swing, e.kinetic + e.elastic);
    }
    assert_true(swing > 1);
    assert_near(most / swing, 0, 0.01);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// The vibrations of the reduced body are those of all tetrahedra.
static void frequencies_are_those_of_the_mesh(void **state) {
    (void)state;
    static const char *const laws[] = {"stvk", "neo-hookean"};
    for (int law = 0; law < 2; law++) {
        swReal frequency[2][4];
        for (int way = 0; way < 2; way++) {
            swScene *scene = beam_scene(&(Beam){laws[law], 20, way == 0, 0, 1});
            if (way == 1)
                scene->bodies->modes->basis = SW_BASIS_LINEAR;
            swModel *m = compile_scene(scene);
            swState *s = make_state(m);
            swError error = {0};
            swModes *modes = sw_solve_modal(m, s, 0, 4, &error);
            require(modes != NULL, &error);
            assert_int_equal(modes->count, 4);
            for (int i = 0; i < 4; i++)
                frequency[way][i] = modes->frequency[i];
            sw_modes_destroy(modes);
            sw_state_destroy(s);
            sw_model_destroy(m);
            sw_scene_destroy(scene);
        }
        for (int i = 0; i < 4; i++) // the points of other laws are chosen for large motions
            assert_near(frequency[1][i] / frequency[0][i], 1, law == 0 ? 1e-7 : 0.03);
    }
}

static void points_have_weight_and_stand_for_the_rest(void **state) {
    (void)state;
    swModel *model = beam_model(&(Beam){"neo-hookean", 12, false, 1, 1});
    const swBodyModel *m = only_body(model);
    const swReducedInfo *info = &m->reduced[0];
    int points = 0;
    for (int64_t i = 0; i < m->size.nsample; i++) {
        assert_true(m->sample_weight[i] >= 0);
        points += m->sample_weight[i] > 0;
    }
    assert_int_equal(points, info->points);
    assert_true(points > 12 && points <= 96);
    assert_true(info->error > 0 && info->error < 0.1);
    sw_model_destroy(model);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    static const char *const laws[] = {"stvk", "neo-hookean"};
    for (int law = 0; law < 2; law++) {
        uint64_t hash[2];
        for (int way = 0; way < 2; way++) {
            swModel *m = beam_model(&(Beam){laws[law], 10, false, 1, way ? 3 : 1});
            swState *s = make_state(m);
            step_or_fail(m, s, 5);
            hash[way] = sw_state_hash(s);
            sw_state_destroy(s);
            sw_model_destroy(m);
        }
        assert_true(hash[0] == hash[1]);
    }
}

static void models_are_saved_and_loaded(void **state) {
    (void)state;
    const char *path = temporary_path("modes.swm");
    swError error = {0};
    swModel *m = beam_model(&(Beam){"neo-hookean", 9, false, 1, 1});
    require(sw_model_save(m, path, &error), &error);
    const swConfig config = sw_default_config();
    swModel *again = sw_model_load(path, &config, &error);
    require(again != NULL, &error);
    swState *a = make_state(m), *b = make_state(again);
    step_or_fail(m, a, 3);
    step_or_fail(again, b, 3);
    assert_true(sw_state_hash(a) == sw_state_hash(b));
    sw_state_destroy(a);
    sw_state_destroy(b);
    sw_model_destroy(m);
    sw_model_destroy(again);
    remove(path);
}

static void bodies_that_nothing_holds_are_refused(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        swError error = {0};
        swScene *s = beam_scene(&(Beam){"stvk", 5, false, 1, 1});
        if (way == 0)
            s->bodies->handles = NULL;
        if (way == 1)
            s->bodies->handles->motion = SW_MOTION_FREE;
        if (way == 2)
            s->bodies->velocity = sw_v3(1, 0, 0);
        if (way == 3)
            s->bodies->mass = SW_MASS_LUMPED;
        assert_null(sw_compile(s, &error));
        assert_non_null(strstr(error.message, "modes need a body held in place by handles"));
        sw_scene_destroy(s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(vibrations_are_orthonormal_and_exact),
    cmocka_unit_test(all_vibrations_of_a_small_mesh_are_found),
    cmocka_unit_test(modal_derivatives_are_second_derivatives),
    cmocka_unit_test(bases_are_orthonormal),
    cmocka_unit_test(polynomials_are_the_full_model),
    cmocka_unit_test(polynomials_agree_with_differences),
    cmocka_unit_test(a_mesh_that_nothing_holds_is_refused),
    cmocka_unit_test(modes_know_the_loads),
    cmocka_unit_test(modes_bend_as_the_whole_mesh_does),
    cmocka_unit_test(objectives_agree_with_differences),
    cmocka_unit_test(handles_feel_weight_and_inertia),
    cmocka_unit_test(midpoint_keeps_energy),
    cmocka_unit_test(frequencies_are_those_of_the_mesh),
    cmocka_unit_test(points_have_weight_and_stand_for_the_rest),
    cmocka_unit_test(threads_do_not_matter),
    cmocka_unit_test(models_are_saved_and_loaded),
    cmocka_unit_test(bodies_that_nothing_holds_are_refused),
};
SW_SUITE(modes, tests)
