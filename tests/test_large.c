// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bricks at large displacements: what Newton's method is given.
#include "test_solid.h"

#include "compile/large.h"
#include "material/law.h"

static swReal behind(void *context, swVec3 p) {
    (void)context;
    return -0.8 * p.x - 0.6 * p.y;
}

typedef struct {
    swBodyBricks own;
    swMaterialInfo material[2];
    int law[2];
    swReal bulk[2];
    swLarge large;
} Made;

static int index_of(const char *name) {
    int i = 0;
    while (strcmp(sw_law_at(i)->name, name) != 0)
        i++;
    return i;
}

// A bar of two layers, whose border runs through bricks, with an oblique clamp. The volume of the
// second is split off.
static void make(const char *law, Made *m) {
    static const swReal poisson = 0.3, young[2] = {2e5, 1e5};
    const swShape layer[2] = {
        {.kind = SW_SHAPE_BOX, .size = {0.3, 0.043, 0.1}, .center = {0.1, 0.0285, 0}},
        {.kind = SW_SHAPE_BOX, .size = {0.3, 0.057, 0.1}, .center = {0.1, -0.0215, 0}}};
    swPaint paint[2];
    swError error = {0};
    *m = (Made){.own.stuff = SW_NEW(&arena, 2, swBrickStuff, &error), .law = {0, 1}};
    for (int i = 0; i < 2; i++) {
        swMaterial def = {.law = law, .young = young[i], .poisson = poisson};
        for (int k = 0; k < SW_MATERIAL_PARAMS; k++)
            def.param[k] = NAN;
        swMaterialInfo *info = &m->material[i];
        *info = (swMaterialInfo){.law = index_of(law), .density = 1000, .young = young[i]};
        sw_law_at(info->law)->prepare(&def, info->coefficient);
        sw_law_rest(sw_law_at(info->law), info->coefficient, info->lame);
        m->bulk[i] = i * 20 * young[i];
        m->own.stuff[i] =
            isotropic(info->lame[0], info->lame[1] + 2.0 / 3 * info->lame[0] + m->bulk[i], 1000);
        paint[i] = (swPaint){.solid = try_create(&layer[i], &error), .material = i};
    }
    swBodyBricks *own = &m->own;
    assert_true(sw_voxelize(2, paint, 0.02, "bar", NULL, &config, &arena, &own->grid, &error));
    for (int i = 0; i < own->grid.nvoxel; i++)
        own->grid.voxel[i].stuff = own->grid.voxel[i].material;
    assert_true(sw_bricks_create(&own->grid, 3, &arena, &own->bricks, &error));
    assert_true(sw_bricks_hold(&own->bricks, behind, NULL, &arena, &error));
    assert_true(sw_bricks_kink(&own->bricks, own->stuff, &arena, &error));
    assert_true(own->bricks.kink.count > 0);
    assert_true(sw_bricks_stiffness(&own->bricks, own->stuff, &arena, &own->matrix, &error));
    assert_true(sw_large_init(&m->large, own, 2, m->material, m->law, m->bulk, &arena, &error));
}

// Numbers of the size of 1 for nodes, those of kinks being strains.
static swReal *random_move(const swBricks *b, swReal size) {
    swError error = {0};
    swReal *u = SW_NEW(&arena, 3 * (size_t)b->nnode, swReal, &error);
    assert_non_null(u);
    for (int i = 0; i < 3 * b->nnode; i++)
        u[i] = size * between(-1, 1) * (i < 3 * b->nplace ? b->H : 1);
    return u;
}

// Bends the bar by half of its length and shakes it: energy, gradient and stiffness are derivatives
// of each other. The stiffness is so where pressures are those of the volumes there.
static void derivatives_are_right(void **state) {
    (void)state;
    static const char *law[] = {"neo-hookean", "stvk", "stable-neo-hookean"};
    for (int i = 0; i < SW_COUNT(law); i++) {
        Made m;
        make(law[i], &m);
        swLarge *l = &m.large;
        const swBricks *b = l->bricks;
        const int n = 3 * b->nnode;
        const swReal step = 1e-5, load = 0.7;
        swReal *u = random_move(b, 0.02), *d = random_move(b, 1), *f = random_move(b, 10),
               *at = random_move(b, 0), *Kd = random_move(b, 0), *g[2], energy[2];
        for (int k = 0; k < b->nplace; k++)
            u[3 * k + 1] += 2 * b->X[k].x * b->X[k].x;
        assert_true(sw_large_assemble(l, u, f, load));
        sw_large_press(l, 1); // l->step is nothing: to where volumes are
        assert_true(sw_large_assemble(l, u, f, load));
        sw_blocks_multiply(&l->now.K, d, Kd);
        swReal slope = 0, size = 0, off = 0, all = 0;
        for (int k = 0; k < n; k++) {
            slope += l->g[k] * d[k];
            size += fabs(l->g[k] * d[k]);
        }
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < n; k++)
                at[k] = u[k] + (side ? step : -step) * d[k];
            assert_true(sw_large_assemble(l, at, f, load));
            energy[side] = l->energy;
            g[side] = random_move(b, 0);
            memcpy(g[side], l->g, (size_t)n * sizeof *l->g);
        }
        for (int k = 0; k < n; k++) {
            off += pow((g[1][k] - g[0][k]) / (2 * step) - Kd[k], 2);
            all += Kd[k] * Kd[k];
        }
        assert_near((energy[1] - energy[0]) / (2 * step), slope, 1e-7 * size);
        if (!(off < 1e-12 * all))
            fail_msg("%s: the stiffness is off by %g", law[i], sqrt(off / all));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(derivatives_are_right, setup, teardown),
};
SW_SUITE(large, tests)
