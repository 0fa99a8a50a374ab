// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "correctors/fields.h"

#include "math/tangent.h"
#include "math/tiles.h"

#include <string.h>

static int row_of(const swFields *f) { return f->parts * SW_FIELD_POINTS; }

bool sw_fields_create(swFields *f, const swBricks *b, int n, const swReal *u, int nm,
                      const swReal *v, bool values, swArena *arena, swError *error) {
    *f = (swFields){.b = b, .n = n, .nm = nm, .parts = values ? 4 : 3, .u = u, .v = v, .brick = -1};
    const size_t row = (size_t)row_of(f), count = (size_t)n;
    f->local = SW_NEW(arena, SW_BRICK_DOF * count, swReal, error);
    f->node = SW_NEW(arena, SW_BRICK_MOST * row, swReal, error);
    f->skin = SW_NEW(arena, (size_t)nm * row, swReal, error);
    f->D = SW_NEW(arena, 3 * count * row, swReal, error);
    f->strain = SW_NEW(arena, SW_FIELD_STRAIN * count, swReal, error);
    return f->local && f->node && f->skin && f->D && f->strain;
}

void sw_fields_gather(const swBricks *b, int brick, int n, int stride, const swReal *u,
                      swReal *local) {
    const int count = sw_brick_count(b, brick);
    for (int k = 0; k < n; k++, u += stride, local += SW_BRICK_DOF)
        for (int a = 0; a < count; a++)
            memcpy(local + 3 * a, u + 3 * sw_brick_node(b, brick, a), 3 * sizeof *local);
}

void sw_fields_skin(const swFields *f, int p, const swReal *N, const swReal (*G)[3]) {
    swReal *to = f->skin + sw_field_at(f->parts, 0, p);
    for (int i = 0; i < f->nm; i++, to += row_of(f)) {
        for (int e = 0; e < 3; e++)
            to[e * SW_LANES] = G[i][e];
        if (f->parts == 4)
            to[3 * SW_LANES] = N[i];
    }
}

// The bricks' part of points first .. end - 1, which are of one brick: D += u of it.
static void add_brick(const swFields *f, int first, int end, const swFieldPoint *point) {
    const int row = row_of(f), from = first / SW_LANES, to = (end - 1) / SW_LANES + 1,
              start = from * f->parts * SW_LANES, count = sw_brick_count(f->b, point[first].brick);
    for (int a = 0; a < count; a++)
        memset(f->node + a * row + start, 0,
               (size_t)((to - from) * f->parts * SW_LANES) * sizeof *f->node);
    for (int p = first; p < end; p++) {
        swReal N[SW_BRICK_NODES], G[SW_BRICK_MOST][3],
            *to_lane = f->node + sw_field_at(f->parts, 0, p);
        sw_brick_gradients(f->b, point[p].brick, point[p].X, point[p].stuff, N, G);
        for (int a = 0; a < count; a++, to_lane += row) {
            for (int e = 0; e < 3; e++)
                to_lane[e * SW_LANES] = G[a][e];
            if (f->parts == 4 && a < SW_BRICK_NODES)
                to_lane[3 * SW_LANES] = N[a];
        }
    }
    for (int r = 0; r < 3; r++)
        sw_tiles_combine(f->n, (to - from) * f->parts, count,
                         (swRows){f->local + r, SW_BRICK_DOF, 3},
                         (swRows){f->node + start, row, SW_LANES}, f->D + r * row + start,
                         (ptrdiff_t)3 * row, false);
}

static void find_strains(const swFields *f, int vectors) {
    const int row = row_of(f);
    for (int k = 0; k < f->n; k++)
        for (int i = 0; i < vectors; i++) {
            const swReal *D = f->D + (ptrdiff_t)3 * k * row + i * f->parts * SW_LANES;
            swReal *to = f->strain + (ptrdiff_t)k * SW_FIELD_STRAIN + i * 6 * SW_LANES;
            for (int e = 0; e < 6; e++) {
                const int r = sw_pair_row[e], s = sw_pair_column[e];
                const swWide sum = sw_wide_load(D + (ptrdiff_t)r * row + s * SW_LANES) +
                                   sw_wide_load(D + (ptrdiff_t)s * row + r * SW_LANES);
                sw_wide_store(to + e * SW_LANES, 0.5 * sum);
            }
        }
}

void sw_fields_at(swFields *f, int count, const swFieldPoint *point) {
    const int row = row_of(f), vectors = (count + SW_LANES - 1) / SW_LANES;
    memset(f->D, 0, (size_t)3 * (size_t)f->n * (size_t)row * sizeof *f->D);
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && point[end].brick == point[first].brick;)
            end++;
        if (point[first].brick != f->brick)
            sw_fields_gather(f->b, point[first].brick, f->n, 3 * f->b->nnode, f->u, f->local);
        f->brick = point[first].brick;
        add_brick(f, first, end, point);
    }
    for (int p = count; p < vectors * SW_LANES; p++)
        for (int e = 0; e < f->parts * f->nm; e++)
            f->skin[(ptrdiff_t)(e / f->parts) * row + sw_field_at(f->parts, e % f->parts, p)] = 0;
    for (int r = 0; r < 3; r++)
        sw_tiles_combine(f->n, vectors * f->parts, f->nm, (swRows){f->v + r, 3 * f->nm, 3},
                         (swRows){f->skin, row, SW_LANES}, f->D + r * row, (ptrdiff_t)3 * row,
                         true);
    find_strains(f, vectors);
}

void sw_matrices_clear(swPointMatrices *m) { memset(m, 0, sizeof *m); }

void sw_matrices_set(swPointMatrices *m, int p, swReal factor, const swReal M[6][6]) {
    for (int e = 0; e < 36; e++) {
        m->of[e][p] = factor * M[e / 6][e % 6];
        m->some[e] = m->some[e] || m->of[e][p] != 0;
    }
}
