// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/labels.h"

#include <stddef.h>
#include <stdint.h>

static const char *skip_blanks(const char *c) {
    while (*c == ' ' || *c == '\t')
        c++;
    return c;
}

// Reads a whole number; returns the position after it, or NULL.
static const char *read_label(const char *c, int *label) {
    const bool negative = *c == '-';
    int64_t value = 0;
    c += negative;
    if (*c < '0' || *c > '9')
        return NULL;
    for (; *c >= '0' && *c <= '9'; c++) {
        value = 10 * value + (*c - '0');
        if (value > INT32_MAX)
            return NULL;
    }
    *label = (int)(negative ? -value : value);
    return c;
}

int sw_labels_next(const char **text, swLabelRange *range) {
    const char *c = skip_blanks(*text);
    if (!*c)
        return 0;
    if (!(c = read_label(c, &range->lo)))
        return -1;
    range->hi = range->lo;
    c = skip_blanks(c);
    if (*c == '-' && !(c = read_label(skip_blanks(c + 1), &range->hi)))
        return -1;
    c = skip_blanks(c);
    if (range->hi < range->lo || (*c && *c != ','))
        return -1;
    if (*c == ',' && !*(c = skip_blanks(c + 1)))
        return -1; // nothing follows the comma
    *text = c;
    return 1;
}

bool sw_labels_parse(const char *text, swLabelRange range[SW_LABELS_MAX], int *count) {
    swLabelRange next;
    int more, before = *count;
    while ((more = sw_labels_next(&text, &next)) > 0) {
        if (*count == SW_LABELS_MAX)
            return false;
        range[(*count)++] = next;
    }
    return more == 0 && *count > before;
}

bool sw_labels_has(const char *text, int label) {
    swLabelRange range;
    while (text && sw_labels_next(&text, &range) > 0)
        if (range.lo <= label && label <= range.hi)
            return true;
    return false;
}
