// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the suites of solids share.
#pragma once

#include "geometry/solid.h"
#include "test.h"
#include "volume/bricks.h"

static swArena arena;
static swConfig config;
static char logged[4096];

static inline void keep_log(void *context, swLogLevel level, const char *message) {
    (void)context;
    assert_int_equal(level, SW_LOG_WARNING);
    size_t n = strlen(logged);
    snprintf(logged + n, sizeof logged - n, "%s\n", message);
}

static inline int setup(void **state) {
    (void)state;
    config = sw_default_config();
    config.log = keep_log;
    logged[0] = 0;
    sw_arena_init(&arena, &config.allocator);
    return 0;
}

static inline int teardown(void **state) {
    (void)state;
    sw_arena_free(&arena);
    return 0;
}

// Deterministic numbers in [0, 1).
static inline swReal uniform(void) {
    static uint64_t s = 88172645463325252ull;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return (swReal)(s >> 11) * 0x1p-53;
}

static inline swReal between(swReal lo, swReal hi) { return lo + (hi - lo) * uniform(); }

static inline swVec3 random_in(swVec3 lo, swVec3 hi) {
    return sw_v3(between(lo.x, hi.x), between(lo.y, hi.y), between(lo.z, hi.z));
}

static inline swVec3 random_direction(void) {
    for (;;) {
        swVec3 v = random_in(sw_v3(-1, -1, -1), sw_v3(1, 1, 1));
        if (sw_norm(v) > 0.1 && sw_norm(v) <= 1)
            return sw_unit(v);
    }
}

static inline swSolid *try_create(const swShape *shape, swError *error) {
    *error = (swError){0};
    return sw_solid_create(shape, NULL, "bodies[0].shape", &config, &arena, error);
}

static inline swSolid *create(swShape shape) {
    swError error;
    char text[600];
    swSolid *solid = try_create(&shape, &error);
    if (!solid)
        fail_msg("%s", sw_error_text(&error, text, sizeof text));
    return solid;
}

static inline int spans(const swSolid *solid, swReal y, swReal z, swSpanList *list) {
    swError error;
    list->count = 0;
    assert_true(sw_solid_spans(solid, y, z, list, &arena, &error));
    for (int i = 0; i < list->count; i++) {
        assert_true(list->item[i].lo < list->item[i].hi);
        assert_true(i == 0 || list->item[i - 1].hi < list->item[i].lo);
    }
    return list->count;
}

// Volume and first moment from n x n rays through the middles of cells.
static inline swReal raster(const swSolid *solid, int n, swVec3 *moment) {
    swVec3 lo, hi;
    swSpanList list = {0};
    swReal volume = 0;
    sw_solid_bounds(solid, &lo, &hi);
    swReal hy = (hi.y - lo.y) / n, hz = (hi.z - lo.z) / n;
    swVec3 sum = {0, 0, 0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            swReal y = lo.y + (i + 0.5) * hy, z = lo.z + (j + 0.5) * hz;
            for (int k = spans(solid, y, z, &list) - 1; k >= 0; k--) {
                swSpan s = list.item[k];
                assert_true(s.lo >= lo.x && s.hi <= hi.x);
                swReal v = (s.hi - s.lo) * hy * hz;
                volume += v;
                sum = sw_madd(sum, v, sw_v3(0.5 * (s.lo + s.hi), y, z));
            }
        }
    if (moment)
        *moment = sum;
    return volume;
}

// Lame's second constant and the bulk modulus, alike in all directions.
static inline swBrickStuff isotropic(swReal shear, swReal bulk, swReal density) {
    swReal D[6][6] = {{0}};
    for (int e = 0; e < 9; e++)
        D[e / 3][e % 3] = bulk + shear * (e % 4 == 0 ? 4.0 / 3 : -2.0 / 3);
    for (int e = 3; e < 6; e++)
        D[e][e] = 4 * shear;
    return sw_brick_stuff((const swReal(*)[6])D, density);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
