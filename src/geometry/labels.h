// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Lists of image labels as users write them: "7", "1-3, 12".
#pragma once

#include <stdbool.h>

enum { SW_LABELS_MAX = 4096 }; // maximum number of ranges of one volume

typedef struct swLabelRange {
    int lo, hi;
} swLabelRange;

// Reads the next range of *text and advances *text past it. Returns 1, 0 at the end, or -1 if the
// text is not a range.
int sw_labels_next(const char **text, swLabelRange *range);
// Appends the ranges of `text`. Returns false if it is not a list of labels, is empty, or makes
// more than SW_LABELS_MAX in all.
bool sw_labels_parse(const char *text, swLabelRange range[SW_LABELS_MAX], int *count);
// NULL, and text that is not a list of labels, contain no label.
bool sw_labels_has(const char *text, int label);
