// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// x = G(x) by iteration that looks back: the next x is where the last differences say that G(x) - x
// is least. Walker and Ni, "Anderson acceleration for fixed-point iterations" (2011).
#pragma once

#include "core/core.h"

enum { SW_ANDERSON = 5 }; // differences that are kept

typedef struct swAnderson {
    int64_t n, count; // count: of calls since the start
    swReal *memory;   // NULL: none, G(x) is what comes next
    swReal *x, *f;    // the last, f = G(x) - x
    swReal *dx[SW_ANDERSON], *df[SW_ANDERSON];
    swReal size; // |f|^2
} swAnderson;

// Without memory it does nothing.
void sw_anderson_create(swAnderson *anderson, int64_t n, const swAllocator *allocator);
void sw_anderson_destroy(swAnderson *anderson, const swAllocator *allocator);
// next: G(x), and then what to try next.
void sw_anderson_next(swAnderson *anderson, const swReal *x, swReal *next);
