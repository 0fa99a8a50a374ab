// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "correctors/second.h"

#include "correctors/square.h"
#include "math/tangent.h"
#include "math/tiles.h"

#include <string.h>

bool sw_second_create(swSecond *s, const swBricks *b, int n, const swReal *u, int nm,
                      const swReal *v, swArena *arena, swError *error) {
    *s = (swSecond){.n = n, .pairs = sw_second_pairs(n)};
    const size_t size = (size_t)s->pairs * SW_FIELD_STRAIN;
    return sw_fields_create(&s->fields, b, n, u, nm, v, false, arena, error) &&
           (s->skin = SW_NEW(arena, 9 * (size_t)n * SW_FIELD_POINTS, swReal, error)) &&
           (s->whole = SW_NEW(arena, size, swReal, error)) &&
           (s->lack = SW_NEW(arena, size, swReal, error));
}

// What one motion does at some points.
typedef struct {
    swWide phi[9], psi[9];  // gradients
    swWide strain[9], A[9]; // of phi, and what modes add
} swMotionAt;

static void load_motion(const swSecond *s, int motion, int vector, swMotionAt *m) {
    const int row = 3 * SW_FIELD_POINTS;
    for (int k = 0; k < 9; k++) {
        const ptrdiff_t at =
            ((ptrdiff_t)3 * motion + k / 3) * row + (3 * vector + k % 3) * SW_LANES;
        m->phi[k] = sw_wide_load(s->skin + at);
        m->A[k] = sw_wide_load(s->fields.D + at);
        m->psi[k] = m->phi[k] + m->A[k];
        m->strain[k] = m->phi[k];
    }
    for (int k = 0; k < 3; k++) { // symmetric
        const int a = 3 * sw_pair_row[3 + k] + sw_pair_column[3 + k],
                  b = 3 * sw_pair_column[3 + k] + sw_pair_row[3 + k];
        m->strain[a] = m->strain[b] = 0.5 * (m->strain[a] + m->strain[b]);
        m->A[a] = m->A[b] = 0.5 * (m->A[a] + m->A[b]);
    }
}

// An entry of a^T b + b^T a.
static inline swWide both(const swWide a[9], const swWide b[9], int r, int c) {
    return a[r] * b[c] + a[3 + r] * b[3 + c] + a[6 + r] * b[6 + c] + a[c] * b[r] +
           a[3 + c] * b[3 + r] + a[6 + c] * b[6 + r];
}

static void add_pair(const swMotionAt *x, const swMotionAt *y, bool same, swReal *whole,
                     swReal *lack) {
    const swReal half = same ? 0.25 : 0.5, square = 1 + 2 * SW_CORRECT_SQUARE;
    for (int e = 0; e < 6; e++) {
        const int r = sw_pair_row[e], c = sw_pair_column[e];
        const swWide own = both(x->psi, y->psi, r, c),
                     has = both(x->phi, y->phi, r, c) + square * both(x->A, y->A, r, c) +
                           2.0 * (both(x->A, y->strain, r, c) + both(y->A, x->strain, r, c));
        sw_wide_store(whole + e * SW_LANES, half * own);
        sw_wide_store(lack + e * SW_LANES, half * (own - has));
    }
}

void sw_second_at(swSecond *s, int count, const swFieldPoint *point) {
    const swFields *f = &s->fields;
    const int row = 3 * SW_FIELD_POINTS, vectors = (count + SW_LANES - 1) / SW_LANES;
    sw_fields_at(&s->fields, count, point);
    memset(s->skin, 0, (size_t)3 * (size_t)s->n * (size_t)row * sizeof *s->skin);
    for (int r = 0; r < 3; r++)
        sw_tiles_combine(s->n, vectors * 3, f->nm, (swRows){f->v + r, 3 * f->nm, 3},
                         (swRows){f->skin, row, SW_LANES}, s->skin + r * row, (ptrdiff_t)3 * row,
                         false);
    for (int v = 0; v < vectors; v++)
        for (int i = 0, pair = 0; i < s->n; i++) {
            swMotionAt x, y;
            load_motion(s, i, v, &x);
            for (int j = 0; j <= i; j++, pair++) {
                const ptrdiff_t at = (ptrdiff_t)pair * SW_FIELD_STRAIN + 6 * v * SW_LANES;
                load_motion(s, j, v, &y);
                add_pair(&x, &y, i == j, s->whole + at, s->lack + at);
            }
        }
}
