// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Quadratic fields over bodies that cut their bricks anywhere.
#include "test_solid.h"

#include "volume/bricks.h"
#include "volume/voxelize.h"

typedef struct {
    swReal angle; // [rad] about z
    swReal young, poisson;
    swReal h; // of voxels
    int across;
} Bar;

// A bar of 1 x 0.1 x 0.1 that goes from x = -0.07 on, turned about the origin.
static void make_bar(const Bar *bar, swGrid *g, swBricks *b, swBrickStuff *stuff) {
    static const swReal corner[4][2] = {{-0.07, -0.05}, {1, -0.05}, {1, 0.05}, {-0.07, 0.05}};
    swReal polygon[8];
    swError error = {0};
    const swReal c = cos(bar->angle), s = sin(bar->angle);
    for (int i = 0; i < 4; i++) {
        polygon[2 * i] = c * corner[i][0] - s * corner[i][1];
        polygon[2 * i + 1] = s * corner[i][0] + c * corner[i][1];
    }
    const swShape shape = {
        .kind = SW_SHAPE_EXTRUDE, .polygon = polygon, .npolygon = 4, .zrange = {-0.05, 0.05}};
    swSolid *solid = try_create(&shape, &error);
    assert_non_null(solid);
    const swPaint paint = {.solid = solid};
    assert_true(sw_voxelize(1, &paint, bar->h, "bar", NULL, &config, &arena, g, &error));
    assert_true(sw_bricks_create(g, bar->across, &arena, b, &error));
    *stuff = isotropic(bar->young / (2 * (1 + bar->poisson)),
                       bar->young / (3 * (1 - 2 * bar->poisson)), 1000);
}

typedef struct {
    swGrid grid;
    swBricks bricks;
    swBrickStuff stuff;
    swBrickMatrix matrix;
} Made;

static swReal behind(void *context, swVec3 p) {
    const swReal angle = *(const swReal *)context;
    return -cos(angle) * p.x - sin(angle) * p.y;
}

static void make_matrix(Bar *bar, bool held, Made *made) {
    swError error = {0};
    make_bar(bar, &made->grid, &made->bricks, &made->stuff);
    if (held)
        assert_true(sw_bricks_hold(&made->bricks, behind, &bar->angle, &arena, &error));
    assert_true(sw_bricks_stiffness(&made->bricks, &made->stuff, &arena, &made->matrix, &error));
}

// How far the tip goes down, across the bar, for g = 0.01.
static swReal tip_of(Bar bar) {
    Made made;
    make_matrix(&bar, true, &made);
    const swBricks b = made.bricks;
    assert_true(sw_bricks_factor(&made.matrix));
    swReal *u = calloc(3 * (size_t)b.nnode, sizeof *u);
    const swVec3 down = {sin(bar.angle), -cos(bar.angle), 0};
    sw_bricks_weigh(&b, &made.stuff, sw_scale(0.01, down), u);
    sw_factor_solve(&made.matrix.factor, &made.matrix.K, u);
    const swReal tip = sw_dot(sw_bricks_at(&b, u, sw_v3(cos(bar.angle), sin(bar.angle), 0)), down);
    free(u);
    return tip;
}

// A bar under a hundredth of a m/s^2 goes down by as much as in finite elements that fit it,
// however it lies in the grid, with voxels of a thirtieth of its length and of half that, which
// bodies of few voxels get. Aim: 1 %. It is met but at 0.499 in large voxels, in which there are
// one and a half bricks across: 1.17 % too soft at 45 degrees, guarded by 1.2 %. Else 0.85 and 0.53
// % were measured.
static void bars_bend_the_same_at_any_angle(void **state) {
    (void)state;
    static const swReal angle[] = {0, 15, 30, 45, 72}, poisson[] = {0.3, 0.499},
                        h[] = {0.0335, 0.0164}, reference[] = {0.0075106895, 0.00738929535};
    for (int k = 0; k < SW_COUNT(h); k++)
        for (int n = 0; n < SW_COUNT(poisson); n++)
            for (int i = 0; i < SW_COUNT(angle); i++) {
                const Bar bar = {angle[i] * SW_PI / 180, 2e5, poisson[n], h[k], 2};
                const swReal off = tip_of(bar) / reference[n] - 1;
                const swReal most = k == 0 && poisson[n] > 0.4 ? 0.012 : 0.01;
                if (!(fabs(off) <= most))
                    fail_msg("nu %g, %g degrees, h %g: %.2f %% off", poisson[n], angle[i], h[k],
                             100 * off);
            }
}

static swVec3 square(swVec3 a) { return sw_v3(a.x * a.x, a.y * a.y, a.z * a.z); }

static swVec3 products(swVec3 a) { return sw_v3(a.y * a.z, a.z * a.x, a.x * a.y); }

// Eight points have the moments of a voxel of any shape, and those of all voxels together are the
// body's: of a slanted capsule, whose axis has J more than what is across it.
static void points_have_all_moments(void **state) {
    (void)state;
    const swVec3 d = {0.4, 0.3, -0.5};
    const swReal r = 0.3, l = 2 * sw_norm(d), ball = 4.0 / 3 * SW_PI * r * r * r,
                 rod = SW_PI * r * r * l, caps = ball * (l * l / 4 + l * 3.0 / 8 * r),
                 J = rod * (l * l / 12 - r * r / 4) + caps;
    const swShape shape = {.kind = SW_SHAPE_CAPSULE, .from = sw_scale(-1, d), .to = d, .radius = r};
    swGrid g;
    swError error = {0};
    const swPaint paint = {.solid = try_create(&shape, &error)};
    assert_non_null(paint.solid);
    assert_true(sw_voxelize(1, &paint, 0.05, "capsule", NULL, &config, &arena, &g, &error));
    swVec3 all = {0, 0, 0};
    for (int i = 0; i < g.nvoxel; i++) {
        const swVoxel *v = &g.voxel[i];
        swVec3 point[8], first = {0, 0, 0}, second = {0, 0, 0}, mixed = {0, 0, 0};
        sw_voxel_points(v, point);
        for (int k = 0; k < 8; k++) {
            const swVec3 off = sw_sub(point[k], v->centroid);
            first = sw_madd(first, 0.125, off);
            second = sw_madd(second, 0.125, square(off));
            mixed = sw_madd(mixed, 0.125, products(off));
            all = sw_madd(all, 0.125 * v->volume, products(point[k]));
        }
        assert_true(sw_norm(first) < 1e-12 * g.h);
        assert_true(sw_norm(sw_sub(second, v->second)) < 1e-9 * g.h * g.h);
        assert_true(sw_norm(sw_sub(mixed, v->mixed)) < 1e-9 * g.h * g.h);
    }
    const swVec3 right = sw_scale(J / sw_norm2(d), products(d));
    assert_true(sw_norm(sw_sub(all, right)) < 2e-3 * sw_norm(right));
}

// u = A X
static void set_linear(const swBricks *b, const swReal A[9], swReal *u) {
    for (int i = 0; i < b->nnode; i++)
        for (int r = 0; r < 3; r++)
            u[3 * i + r] =
                A[3 * r] * b->X[i].x + A[3 * r + 1] * b->X[i].y + A[3 * r + 2] * b->X[i].z;
}

// A uniform strain has the energy of the body's volume, cut bricks or not, and turning has none.
static void uniform_strains_are_exact(void **state) {
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        Bar bar = {0.5 * turn, 2e5, 0.49, 0.03, 2};
        Made made;
        make_matrix(&bar, false, &made);
        const swBricks b = made.bricks;
        const swBrickStuff stuff = made.stuff;
        const size_t n = 3 * (size_t)b.nnode;
        swReal *u = calloc(n, sizeof *u), *f = calloc(n, sizeof *f);
        const swReal strain[9] = {0.1, 0.02, 0, 0.05, -0.07, 0.01, 0.03, 0, 0.04},
                     spin[9] = {0, -3, 2, 3, 0, -1, -2, 1, 0};
        for (int rigid = 0; rigid < 2; rigid++) {
            const swReal *A = rigid ? spin : strain;
            swReal energy = 0, density = 0, trace = A[0] + A[4] + A[8];
            set_linear(&b, A, u);
            sw_blocks_multiply(&made.matrix.K, u, f);
            for (size_t i = 0; i < n; i++)
                energy += 0.5 * u[i] * f[i];
            for (int i = 0; i < 9; i++) {
                const swReal e =
                    0.5 * (A[i] + A[3 * (i % 3) + i / 3]) - (i % 4 == 0 ? trace / 3 : 0);
                density += stuff.shear * e * e;
            }
            density += 0.5 * stuff.bulk * trace * trace;
            assert_near(energy, density * 0.0107, 1e-10 * stuff.bulk * 0.0107);
        }
        free(u);
        free(f);
    }
}

// Not even nodes of bricks that next to nothing is in.
static void no_node_moves_for_nothing(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        Bar bar = {0.1 + 0.2 * k, 2e5, 0.3, 0.03, 2};
        Made made;
        make_matrix(&bar, false, &made);
        swReal *d = calloc(3 * (size_t)made.bricks.nnode, sizeof *d);
        sw_blocks_diagonal(&made.matrix.K, d);
        for (int i = 0; i < 3 * made.bricks.nnode; i++)
            assert_true(d[i] > 1e-7 * made.stuff.shear * made.bricks.H);
        free(d);
    }
}

// Two blocks with a gap finer than a voxel between them share no node, though bricks and even
// voxels do; one block of their size does.
static void gaps_stay_open(void **state) {
    (void)state;
    for (int trial = 0; trial < 4; trial++) {
        const bool gap = trial % 2;
        const int across = 2 + trial / 2;
        swError error = {0};
        swShape block[2] = {
            {.kind = SW_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .center = {-0.125, 0, 0}},
            {.kind = SW_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .center = {0.125, 0, 0}}};
        if (!gap)
            block[1].center.x = 0.07;
        const swPaint paint[2] = {{.solid = try_create(&block[0], &error)},
                                  {.solid = try_create(&block[1], &error)}};
        swGrid g;
        swBricks b;
        assert_true(sw_voxelize(2, paint, 0.04, "blocks", NULL, &config, &arena, &g, &error));
        assert_true(sw_bricks_create(&g, across, &arena, &b, &error));
        int *side = calloc((size_t)b.nnode, sizeof *side), both = 0;
        for (int i = 0; i < b.n; i++)
            for (int k = 0; k < SW_BRICK_NODES; k++) {
                swReal middle = 0;
                for (int p = b.start[i]; p < b.start[i + 1]; p++)
                    middle += b.point[p].X.x;
                side[b.node[SW_BRICK_NODES * i + k]] |= middle < 0 ? 1 : 2;
            }
        for (int i = 0; i < b.nnode; i++)
            both += side[i] == 3;
        assert_true(gap ? both == 0 : both > 0);
        free(side);
    }
}

// Three slabs across y, of 0.6 x 0.12 x 0.1 from x = -0.04 on, that meet at y = -0.02 and 0.02,
// turned about z: stiff, soft, stiff.
static void make_slabs(swReal angle, swReal h, int across, const swBrickStuff *stuff, Made *made) {
    static const swReal y[4] = {-0.06, -0.02, 0.02, 0.06};
    const swReal c = cos(angle), s = sin(angle);
    swPaint paint[3];
    swError error = {0};
    for (int i = 0; i < 3; i++) {
        const swReal x[4] = {-0.04, 0.56, 0.56, -0.04}, at[4] = {y[i], y[i], y[i + 1], y[i + 1]};
        swReal polygon[8];
        for (int k = 0; k < 4; k++) {
            polygon[2 * k] = c * x[k] - s * at[k];
            polygon[2 * k + 1] = s * x[k] + c * at[k];
        }
        const swShape shape = {
            .kind = SW_SHAPE_EXTRUDE, .polygon = polygon, .npolygon = 4, .zrange = {-0.05, 0.05}};
        paint[i] = (swPaint){.solid = try_create(&shape, &error), .material = i == 1};
        assert_non_null(paint[i].solid);
    }
    assert_true(sw_voxelize(3, paint, h, "slabs", NULL, &config, &arena, &made->grid, &error));
    for (int i = 0; i < made->grid.nvoxel; i++) // as a body's own voxels may not
        made->grid.voxel[i].stuff = made->grid.voxel[i].material;
    assert_true(sw_bricks_create(&made->grid, across, &arena, &made->bricks, &error));
    assert_true(sw_bricks_hold(&made->bricks, behind, &angle, &arena, &error));
    assert_true(sw_bricks_kink(&made->bricks, stuff, &arena, &error));
    assert_true(sw_bricks_stiffness(&made->bricks, stuff, &arena, &made->matrix, &error));
}

// Their soft layer shears most, wherever its borders are in bricks: the tip goes as far as in
// hexahedra that fit them (27 nodes each, 32 400 unknowns; with twice as large ones 0.23 % less).
// Measured: 1.0 % at most; 2.8 % without kinks.
static void layers_bend_the_same_at_any_angle(void **state) {
    (void)state;
    const swBrickStuff stuff[2] = {isotropic(3e5 / 2.6, 3e5 / 1.2, 1000),
                                   isotropic(3e4 / 2.96, 3e4 / 0.12, 1000)};
    static const swReal angle[] = {0, 12, 33, 45};
    for (int i = 0; i < SW_COUNT(angle); i++) {
        const swReal a = angle[i] * SW_PI / 180, c = cos(a), s = sin(a);
        Made made;
        make_slabs(a, 0.01, 3, stuff, &made);
        assert_true(sw_bricks_factor(&made.matrix));
        swReal *u = calloc(3 * (size_t)made.bricks.nnode, sizeof *u), most = 0;
        sw_bricks_weigh(&made.bricks, stuff, sw_v3(1.5 * s, -1.5 * c, 0.8), u);
        sw_factor_solve(&made.matrix.factor, &made.matrix.K, u);
        for (int k = 0; k < 4; k++) {
            const swReal y = k % 2 ? 0.06 : -0.06;
            const swVec3 p = {0.56 * c - y * s, 0.56 * s + y * c, k / 2 ? 0.05 : -0.05};
            most = sw_max(most, sw_norm(sw_bricks_at(&made.bricks, u, p)));
        }
        if (!(fabs(most / 0.0883988 - 1) <= 0.012))
            fail_msg("%g degrees: %.2f %% off", angle[i], 100 * (most / 0.0883988 - 1));
        free(u);
    }
}

// A block of 0.12 along the three axes in slabs across one of them, which meet inside of bricks,
// three materials of them in the same one.
static void make_laminate(int axis, const swBrickStuff *stuff, Made *made) {
    static const swReal at[] = {0, 0.023, 0.035, 0.101, 0.12};
    swPaint paint[4];
    swError error = {0};
    for (int i = 0; i < 4; i++) {
        swShape box = {
            .kind = SW_SHAPE_BOX, .size = {0.12, 0.12, 0.12}, .center = {0.06, 0.06, 0.06}};
        sw_set(&box.size, axis, at[i + 1] - at[i]);
        sw_set(&box.center, axis, 0.5 * (at[i] + at[i + 1]));
        paint[i] = (swPaint){.solid = try_create(&box, &error), .material = i % 3};
        assert_non_null(paint[i].solid);
    }
    assert_true(sw_voxelize(4, paint, 0.02, "slabs", NULL, &config, &arena, &made->grid, &error));
    for (int i = 0; i < made->grid.nvoxel; i++)
        made->grid.voxel[i].stuff = made->grid.voxel[i].material;
    assert_true(sw_bricks_create(&made->grid, 2, &arena, &made->bricks, &error));
    assert_true(sw_bricks_kink(&made->bricks, stuff, &arena, &error));
    assert_true(made->bricks.kink.count > 0);
    for (int i = 0; i < made->bricks.kink.count; i++) { // near the surface they are found nearly
        swVec3 *normal = &made->bricks.kink.item[i].normal, exact = {0, 0, 0};
        sw_set(&exact, axis, 1);
        assert_true(fabs(sw_dot(*normal, exact)) > 0.999);
        *normal = exact;
    }
    assert_true(sw_bricks_stiffness(&made->bricks, stuff, &arena, &made->matrix, &error));
}

// A stress that all layers have gives each of them its own strain: sheared along them, or pulled
// across where they do not get thinner.
static void laminates_are_exact(void **state) {
    (void)state;
    const swBrickStuff stuff[3] = {isotropic(1e5, 2e5 / 3, 0), isotropic(1e4, 2e4 / 3, 0),
                                   isotropic(4e4, 8e4 / 3, 0)};
    for (int axis = 0; axis < 3; axis++) {
        Made made;
        make_laminate(axis, stuff, &made);
        const swBricks *b = &made.bricks;
        swReal *f = calloc(3 * (size_t)b->nnode, sizeof *f),
               *u = calloc(3 * (size_t)b->nnode, sizeof *u);
        swReal stress[3][3] = {{0}}, work = 0, true_work = 0;
        const int next = (axis + 1) % 3;
        stress[axis][axis] = 3;
        stress[axis][next] = stress[next][axis] = 2;
        for (int brick = 0; brick < b->n; brick++)
            for (int k = b->start[brick]; k < b->start[brick + 1]; k++) {
                const swBrickPoint *p = &b->point[k];
                const int own = b->grid->voxel[p->voxel].stuff;
                swReal N[SW_BRICK_NODES], G[SW_BRICK_MOST][3];
                const int n = sw_brick_gradients(b, brick, p->X, own, N, G);
                for (int a = 0; a < 3 * n; a++)
                    f[3 * sw_brick_node(b, brick, a / 3) + a % 3] +=
                        p->volume *
                        (stress[a % 3][0] * G[a / 3][0] + stress[a % 3][1] * G[a / 3][1] +
                         stress[a % 3][2] * G[a / 3][2]);
                true_work += p->volume * (9 + 2 * 4) / (2 * stuff[own].shear);
            }
        sw_bricks_ground(b, 1e-3, &made.matrix);
        assert_true(sw_bricks_factor(&made.matrix));
        memcpy(u, f, 3 * (size_t)b->nnode * sizeof *u);
        sw_factor_solve(&made.matrix.factor, &made.matrix.K, u);
        for (int i = 0; i < 3 * b->nnode; i++)
            work += f[i] * u[i];
        assert_near(work, true_work, 1e-8 * true_work);
        free(f);
        free(u);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(bars_bend_the_same_at_any_angle, setup, teardown),
    cmocka_unit_test_setup_teardown(layers_bend_the_same_at_any_angle, setup, teardown),
    cmocka_unit_test_setup_teardown(laminates_are_exact, setup, teardown),
    cmocka_unit_test_setup_teardown(points_have_all_moments, setup, teardown),
    cmocka_unit_test_setup_teardown(uniform_strains_are_exact, setup, teardown),
    cmocka_unit_test_setup_teardown(no_node_moves_for_nothing, setup, teardown),
    cmocka_unit_test_setup_teardown(gaps_stay_open, setup, teardown),
};
SW_SUITE(bricks, tests)
