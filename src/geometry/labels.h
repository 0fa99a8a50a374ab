// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Labels of an image as people write them: "7", "1-3, 12".
#pragma once

#include <stdbool.h>

enum { SW_LABELS_MAX = 4096 }; // ranges of one volume

typedef struct swLabelRange {
    int lo, hi;
} swLabelRange;

// The next range of *text, which moves past it: 1, or 0 at the end, or -1 where it is none.
int sw_labels_next(const char **text, swLabelRange *range);
// Appends the ranges of `text`. False where it is no list of labels, is empty, or more than
// SW_LABELS_MAX come together.
bool sw_labels_parse(const char *text, swLabelRange range[SW_LABELS_MAX], int *count);
// NULL and what is no list of labels have none.
bool sw_labels_has(const char *text, int label);
