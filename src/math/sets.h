// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Disjoint sets. parent[i] starts as i itself and leads to the lowest member of i's set.
#pragma once

#include <stdbool.h>

static inline int sw_set_find(int *parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// The lower index becomes the root, so numbering does not depend on the order of joins. Returns
// true if the two were in different sets.
static inline bool sw_set_join(int *parent, int a, int b) {
    a = sw_set_find(parent, a);
    b = sw_set_find(parent, b);
    parent[a > b ? a : b] = a < b ? a : b;
    return a != b;
}

// Numbers the sets in order of their lowest members: parent[i] becomes the number of i's set.
// Returns the number of sets.
static inline int sw_set_number(int *parent, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
        parent[i] = sw_set_find(parent, i);
    for (int i = 0; i < n; i++)
        parent[i] = parent[i] == i ? count++ : parent[parent[i]];
    return count;
}
