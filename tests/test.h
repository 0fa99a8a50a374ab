// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// One executable; a suite is one file ending in SW_SUITE(name, tests), and one line in
// tests/main.c.
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SW_SUITE(name, tests) \
    int suite_##name(void); \
    int suite_##name(void) { return cmocka_run_group_tests_name(#name, tests, NULL, NULL); }

// |a - b| <= tolerance, in double precision (cmocka's own compares floats).
#define assert_near(a, b, tolerance) test_near((a), (b), (tolerance), #a, #b, __FILE__, __LINE__)
static inline void test_near(double a, double b, double tolerance, const char *ta, const char *tb,
                             const char *file, int line) {
    if (!(fabs(a - b) <= tolerance)) {
        print_error("%s = %.17g, %s = %.17g: differ by %.3g, allowed %.3g\n", ta, a, tb, b,
                    fabs(a - b), tolerance);
        _fail(file, line);
    }
}

// Whether tables are made with all their rows, as `make check-long` does.
static inline bool whole_tables(void) { return getenv("SINEW_TABLES") != NULL; }

// Path of a shared asset, or NULL (and a printed reason to skip) when it is not there. SINEW_SHARED
// names the folder.
const char *test_asset(const char *name);
#define SKIP_WITHOUT_ASSET(path, name) \
    const char *path = test_asset(name); \
    if (!path) \
    skip()
