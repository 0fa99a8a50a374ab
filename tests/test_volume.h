// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the suites on images share.
#pragma once

#include "test_scene.h"
#include "test_tools.h"

typedef struct Fixture {
    swConfig config;
    swArena arena;
    swError error;
    int warnings, infos;
    char warning[512], info[512];
} Fixture;

static inline void keep_line(void *context, swLogLevel level, const char *message) {
    Fixture *f = context;
    const bool warning = level == SW_LOG_WARNING;
    *(warning ? &f->warnings : &f->infos) += 1;
    snprintf(warning ? f->warning : f->info, sizeof f->warning, "%s", message);
}

static inline int setup(void **state) {
    static Fixture f;
    f = (Fixture){.config = sw_default_config()};
    f.config.log = keep_line;
    f.config.log_context = &f;
    sw_arena_init(&f.arena, &f.config.allocator);
    *state = &f;
    return 0;
}

static inline int teardown(void **state) {
    sw_arena_free(&((Fixture *)*state)->arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
