// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "frames/scatter.h"

#include <string.h>

enum { MAX_BOXES = 1 << 24 };

// Points in boxes as wide as they see.
typedef struct {
    swVec3 lo;
    swReal width;
    int n[3];
    int *first, *item;
} swBoxes;

typedef struct {
    const swVec3 *p;
    swReal reach; // points nearer than this crowd each other
    swBoxes boxes;
    swReal *crowd;         // of each point; the heap's largest goes first
    int *heap, *spot, top; // spot: -1 where it is gone
} swCrowd;

static int box_along(const swBoxes *b, swVec3 p, int k) {
    const swReal t = floor((sw_get(p, k) - sw_get(b->lo, k)) / b->width);
    return (int)sw_clamp(t, 0, b->n[k] - 1);
}

static int box_of(const swBoxes *b, swVec3 p) {
    return box_along(b, p, 0) + b->n[0] * (box_along(b, p, 1) + b->n[1] * box_along(b, p, 2));
}

static bool make_boxes(swBoxes *b, int n, const swVec3 *p, swReal width, swArena *arena,
                       swError *error) {
    swVec3 lo = p[0], hi = p[0];
    for (int i = 1; i < n; i++) {
        lo = sw_min3(lo, p[i]);
        hi = sw_max3(hi, p[i]);
    }
    *b = (swBoxes){.lo = lo, .width = width};
    double count = 0;
    for (; count == 0 || count > MAX_BOXES; b->width *= count > MAX_BOXES ? 2 : 1) {
        count = 1;
        for (int k = 0; k < 3; k++) {
            const swReal along = 1 + floor((sw_get(hi, k) - sw_get(lo, k)) / b->width);
            b->n[k] = (int)sw_min(along, MAX_BOXES);
            count *= along;
        }
    }
    b->first = SW_NEW(arena, (size_t)count + 2, int, error);
    b->item = SW_NEW(arena, n, int, error);
    if (!b->first || !b->item)
        return false;
    for (int i = 0; i < n; i++)
        b->first[box_of(b, p[i]) + 2]++;
    for (int k = 2; k < (int)count + 2; k++)
        b->first[k] += b->first[k - 1];
    for (int i = 0; i < n; i++)
        b->item[b->first[box_of(b, p[i]) + 1]++] = i;
    return true;
}

static bool before(const swCrowd *c, int a, int b) {
    return c->crowd[a] > c->crowd[b] || (c->crowd[a] == c->crowd[b] && a < b);
}

static void put(swCrowd *c, int at, int point) {
    c->heap[at] = point;
    c->spot[point] = at;
}

static void sift(swCrowd *c, int point) {
    int at = c->spot[point];
    for (; at > 0 && before(c, point, c->heap[(at - 1) / 2]); at = (at - 1) / 2)
        put(c, at, c->heap[(at - 1) / 2]);
    for (int child; (child = 2 * at + 1) < c->top; at = child) {
        if (child + 1 < c->top && before(c, c->heap[child + 1], c->heap[child]))
            child++;
        if (!before(c, c->heap[child], point))
            break;
        put(c, at, c->heap[child]);
    }
    put(c, at, point);
}

static swReal crowding(const swCrowd *c, int i, int j) {
    const swReal near = 1 - sw_norm(sw_sub(c->p[i], c->p[j])) / c->reach, square = near * near,
                 fourth = square * square;
    return near > 0 ? fourth * fourth : 0;
}

// Adds what its neighbours do to point i (sign > 0), or takes from them what it does (sign < 0).
static void look_around(swCrowd *c, int i, int sign) {
    const swBoxes *b = &c->boxes;
    int lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        const int at = box_along(b, c->p[i], k);
        lo[k] = sw_max_int(at - 1, 0);
        hi[k] = sw_min_int(at + 1, b->n[k] - 1);
    }
    for (int z = lo[2]; z <= hi[2]; z++)
        for (int y = lo[1]; y <= hi[1]; y++)
            for (int x = lo[0]; x <= hi[0]; x++) {
                const int box = x + b->n[0] * (y + b->n[1] * z);
                for (int k = b->first[box]; k < b->first[box + 1]; k++) {
                    const int j = b->item[k];
                    const swReal share = j == i || c->spot[j] < 0 ? 0 : crowding(c, i, j);
                    if (share == 0)
                        continue;
                    c->crowd[sign > 0 ? i : j] += sign * share;
                    if (sign < 0)
                        sift(c, j);
                }
            }
}

bool sw_scatter(int n, const swVec3 *p, swReal volume, int count, swArena *arena, int *kept,
                swError *error) {
    // Twice the distance of nearest neighbours where spheres are packed densest would be 4 r.
    swCrowd c = {.p = p, .reach = 2.4 * cbrt(volume / (4 * sqrt(2) * sw_max_int(count, 1)))};
    c.crowd = SW_NEW(arena, n, swReal, error);
    c.heap = SW_NEW(arena, n, int, error);
    c.spot = SW_NEW(arena, n, int, error);
    if (!c.crowd || !c.heap || !c.spot ||
        (n > 0 && !make_boxes(&c.boxes, n, p, c.reach, arena, error)))
        return false;
    for (int i = 0; i < n; i++)
        look_around(&c, i, 1);
    for (int i = 0; i < n; i++) {
        put(&c, c.top++, i);
        sift(&c, i);
    }
    while (c.top > count) {
        const int gone = c.heap[0], last = c.heap[--c.top];
        put(&c, 0, last);
        c.spot[gone] = -1;
        if (c.top > 0 && last != gone)
            sift(&c, last);
        look_around(&c, gone, -1);
    }
    for (int i = 0, k = 0; i < n; i++)
        if (c.spot[i] >= 0)
            kept[k++] = i;
    return true;
}
