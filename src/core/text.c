// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Conversion between numbers and text, independent of the process's locale.
#include "core/core.h"

#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { DIGITS = 800 }; // no double needs more digits to be told from its neighbours

// Handles rare numbers with more digits than a double holds exactly. It calls strtod on the digits
// without a decimal point, since strtod's decimal point depends on the locale. `exponent` is the
// one written after the e.
static double slow_number(const char *text, const char *end, int exponent) {
    char copy[DIGITS + 32];
    int n = 0;
    bool fraction = false, more = false;
    for (; text < end && *text != 'e' && *text != 'E'; text++) {
        if (*text < '0' || *text > '9') {
            fraction = fraction || *text == '.';
            continue;
        }
        if (n < DIGITS) {
            if (n > 0 || *text != '0')
                copy[n++] = *text;
            exponent -= fraction;
        } else {
            more = more || *text != '0';
            exponent += !fraction;
        }
    }
    if (more) { // a trailing 1 breaks ties when the kept digits are halfway between two doubles
        copy[n++] = '1';
        exponent--;
    }
    snprintf(copy + n, 32, "e%d", exponent);
    return strtod(copy, NULL);
}

const char *sw_text_number(const char *text, const char *end, double *value) {
    const char *p = text;
    bool negative = false;
    if (p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    uint64_t mantissa = 0;
    int digits = 0, exponent = 0, written = 0, seen = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++, seen++) {
        if (digits < 19) {
            mantissa = 10 * mantissa + (uint64_t)(*p - '0');
            digits += mantissa > 0;
        } else if (exponent < 1000000000)
            exponent++;
    }
    if (p < end && *p == '.')
        for (p++; p < end && *p >= '0' && *p <= '9'; p++, seen++)
            if (digits < 19) {
                mantissa = 10 * mantissa + (uint64_t)(*p - '0');
                digits += mantissa > 0;
                if (exponent > -1000000000)
                    exponent--;
            }
    if (seen == 0)
        return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;
        bool minus = false;
        if (q < end && (*q == '-' || *q == '+'))
            minus = *q++ == '-';
        if (q < end && *q >= '0' && *q <= '9') {
            for (; q < end && *q >= '0' && *q <= '9'; q++)
                if (written < 100000000)
                    written = 10 * written + (*q - '0');
            written = minus ? -written : written;
            exponent += written;
            p = q;
        }
    }
    // Exact when both factors are (Clinger); otherwise take the slow path.
    double v;
    if (mantissa == 0)
        v = 0;
    else if (mantissa <= (1ull << 53) && exponent >= -22 && exponent <= 22)
        v = exponent < 0 ? (double)mantissa / powers[-exponent]
                         : (double)mantissa * powers[exponent];
    else
        v = slow_number(text, p, written);
    *value = negative ? -v : v;
    return p;
}

int sw_text_format(double value, char out[32]) {
    if (!isfinite(value))
        return snprintf(out, 32, "null");
    const char *point = localeconv()->decimal_point; // may be any string
    const size_t length = strlen(point);
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15;; digits++) {
        int n = snprintf(out, 32, "%.*g", digits, value);
        char *at = length > 0 ? strstr(out, point) : NULL;
        if (at) {
            *at = '.';
            memmove(at + 1, at + length, strlen(at + length) + 1);
            n -= (int)length - 1;
        }
        double back;
        if (digits == 17 || (sw_text_number(out, out + n, &back) && back == value))
            return n;
    }
}

bool sw_text_equal(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

bool sw_text_has_suffix(const char *text, const char *suffix) {
    size_t n = strlen(text), m = strlen(suffix);
    if (n < m)
        return false;
    for (size_t i = 0; i < m; i++)
        if (tolower((unsigned char)text[n - m + i]) != tolower((unsigned char)suffix[i]))
            return false;
    return true;
}

// Edit distance with transpositions, for words of at most 31 characters.
static int edit_distance(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > 31 || m > 31)
        return 99;
    int row[3][32];
    for (int j = 0; j <= m; j++)
        row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int cost = a[i - 1] != b[j - 1];
            now[j] = sw_min_int(sw_min_int(last[j] + 1, now[j - 1] + 1), last[j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = sw_min_int(now[j], before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

const char *sw_text_nearest(const char *word, const char *const *names, int count) {
    const char *best = NULL;
    int least = sw_max_int(2, (int)strlen(word) / 2) + 1;
    for (int i = 0; i < count; i++) {
        int distance = edit_distance(word, names[i]);
        if (distance < least && distance < (int)strlen(names[i])) {
            least = distance;
            best = names[i];
        }
    }
    return best;
}

bool sw_text_matches(const char *text, const char *pattern) {
    const char *star = NULL, *retry = NULL; // the last star, and where its match was last tried
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern == '?' || (*pattern && strncasecmp(pattern, text, 1) == 0)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else
            return false;
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}
