// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Points chosen for the stiffness of all.
#include "test_tools.h"

#include "correctors/choose.h"

enum { POINTS = 1200, MOTIONS = 14, KINDS = 2 };

// Waves along a line.
static void wave_strains(void *context, int count, const int *point, swReal *out) {
    (void)context;
    memset(out, 0, sizeof(swReal) * MOTIONS * SW_FIELD_STRAIN);
    for (int i = 0; i < count; i++) {
        const swReal x = (point[i] + 0.5) / POINTS;
        for (int k = 0; k < MOTIONS; k++)
            for (int e = 0; e < 6; e++)
                out[(ptrdiff_t)k * SW_FIELD_STRAIN + sw_field_at(6, e, i)] =
                    k % 2 ? sin(9.1 * (k + 1) * (1 + 0.3 * e) * x) : cos(8.3 * (k + e) * x);
    }
}

// The stiffness of the softest motions and the volume of each kind.
static void chosen_points_are_exact(void **state) {
    (void)state;
    static swReal volume[POINTS], all[MOTIONS * MOTIONS], mass[MOTIONS * MOTIONS],
        strain[MOTIONS * SW_FIELD_STRAIN];
    static int kind[POINTS], first[POINTS + 1], orbit[POINTS];
    swReal whole[KINDS] = {0}, has[KINDS] = {0}, K[MOTIONS][MOTIONS] = {{0}};
    for (int i = 0; i < POINTS; i++) {
        kind[i] = i % 7 < 3;
        orbit[i] = i;
        first[i + 1] = i + 1;
        volume[i] = 1 + 0.5 * sin(i);
        whole[kind[i]] += volume[i];
    }
    for (int i = 0; i < MOTIONS; i++)
        mass[i * (MOTIONS + 1)] = 1.0 / (1 + i);
    for (int p = 0; p < POINTS; p++) {
        wave_strains(NULL, 1, &p, strain);
        for (int i = 0; i < MOTIONS * MOTIONS; i++)
            for (int e = 0; e < 6; e++)
                all[i] += volume[p] * strain[i / MOTIONS * SW_FIELD_STRAIN + sw_field_at(6, e, 0)] *
                          strain[i % MOTIONS * SW_FIELD_STRAIN + sw_field_at(6, e, 0)];
    }
    const int end = POINTS;
    const swPointSet set = {.npoint = POINTS,
                            .n = MOTIONS,
                            .volume = volume,
                            .stiffness = all,
                            .mass = mass,
                            .nkind = KINDS,
                            .kind = kind,
                            .nclass = 1,
                            .end = &end,
                            .first = first,
                            .orbit = orbit,
                            .strains = wave_strains};
    const swConfig config = sw_default_config();
    swChosenPoints chosen;
    swError error = {0};
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    require(sw_points_choose(&set, 1e-6, 240, NULL, &arena, &chosen, &error), &error);
    assert_in_range(chosen.n, 20, 240);
    assert_in_range(chosen.soft, 3, MOTIONS);
    for (int k = 0; k < chosen.n; k++) {
        has[kind[chosen.point[k]]] += chosen.volume[k];
        wave_strains(NULL, 1, &chosen.point[k], strain);
        for (int e = 0; e < 6; e++) {
            swReal z[MOTIONS] = {0};
            for (int i = 0; i < chosen.soft; i++)
                for (int m = 0; m < MOTIONS; m++)
                    z[i] += chosen.motion[i * MOTIONS + m] *
                            strain[m * SW_FIELD_STRAIN + sw_field_at(6, e, 0)];
            for (int i = 0; i < chosen.soft * chosen.soft; i++)
                K[i / chosen.soft][i % chosen.soft] +=
                    chosen.volume[k] * z[i / chosen.soft] * z[i % chosen.soft];
        }
    }
    for (int k = 0; k < KINDS; k++)
        assert_near(has[k], whole[k], 1e-9 * whole[k]);
    for (int i = 0; i < chosen.soft * chosen.soft; i++)
        assert_near(K[i / chosen.soft][i % chosen.soft], i / chosen.soft == i % chosen.soft, 1e-6);
    sw_arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(chosen_points_are_exact),
};
SW_SUITE(choose, tests)
