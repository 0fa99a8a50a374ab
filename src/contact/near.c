// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "contact/near.h"

#include <string.h>

static const swReal margin = 1.0 / 32; // of the body's diagonal
static const swReal rounding = 1e-9;   // of places

size_t sw_near_bytes(const swBodyModel *m, int64_t ncollider) {
    return sizeof(swNear) + (size_t)m->size.nq * sizeof(swReal) +
           (size_t)(ncollider + m->size.ncontact) * sizeof(int) + (size_t)m->size.ncontact;
}

swNear *sw_near_create(const swBodyModel *m, int64_t ncollider, swError *error) {
    const size_t bytes = sw_near_bytes(m, ncollider);
    swNear *n = sw_alloc(&m->config.allocator, bytes);
    if (!n) {
        sw_fail_memory(error, bytes);
        return NULL;
    }
    n->model = m;
    n->margin = margin * sw_norm(sw_sub(m->body[0].hi, m->body[0].lo));
    n->slack = -1;
    n->q = (swReal *)(n + 1);
    n->collider = (int *)(n->q + m->size.nq);
    n->point = n->collider + ncollider;
    n->listed = (char *)(n->point + m->size.ncontact);
    return n;
}

void sw_near_destroy(swNear *n, int64_t ncollider) {
    if (n)
        sw_free(&n->model->config.allocator, n, sw_near_bytes(n->model, ncollider));
}

static void find_box(swNear *n, int64_t count, const swVec3 *x) {
    swVec3 lo = {INFINITY, INFINITY, INFINITY}, hi = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t i = 0; i < count; i++) {
        lo = sw_min3(lo, x[i]);
        hi = sw_max3(hi, x[i]);
    }
    n->middle = sw_lerp(lo, hi, 0.5);
    n->half = sw_scale(0.5, sw_sub(hi, lo));
}

// A gap that is not a number is a small one.
static bool is_far(swNear *n, swReal gap) {
    if (!(gap >= n->margin))
        return false;
    n->slack = sw_min(n->slack, gap);
    return true;
}

static void look(swNear *n, const swBodyModel *m, const swState *world, const swVec3 *x) {
    static const swVec3 zero = {0, 0, 0};
    n->ncollider = n->npoint = 0;
    n->slack = INFINITY;
    n->moved = 0;
    memset(n->listed, 0, (size_t)m->size.ncontact);
    find_box(n, m->size.ncontact, x);
    for (int c = 0; c < world->model->size.ncollider; c++) {
        const swColliderInfo *info = &world->model->collider[c];
        const swPosed posed = sw_collider_posed(info, &info->place);
        const bool moves = info->motion != SW_COLLIDER_FIXED;
        if (!moves && is_far(n, sw_posed_gap(&posed, n->middle, n->half)))
            continue;
        n->collider[n->ncollider++] = c;
        for (int64_t i = 0; !moves && i < m->size.ncontact; i++)
            if (!is_far(n, sw_posed_gap(&posed, x[i], zero)))
                n->listed[i] = 1;
    }
    for (int64_t i = 0; i < m->size.ncontact; i++)
        if (n->listed[i])
            n->point[n->npoint++] = (int)i;
    // Gaps are rounded, and so are the places that they are compared with.
    n->slack -= rounding * (sw_norm(n->middle) + sw_norm(n->half));
    n->slack *= 1 - rounding;
}

bool sw_near_find(swNear *n, const swBodyModel *m, const swRows *rows, const swState *world,
                  const swReal *q, swVec3 *x) {
    const bool keeps = m == n->model && rows->N;
    if (keeps && n->slack > 0) {
        n->moved = sw_rows_motion(m, rows, n->q, q);
        if (n->moved < n->slack)
            return false;
    }
    for (int64_t i = 0; i < m->size.ncontact; i++)
        x[i] = sw_rows_position(m, rows, q, i);
    look(n, m, world, x);
    if (keeps)
        memcpy(n->q, q, (size_t)m->size.nq * sizeof *q);
    else
        n->slack = -1;
    return true;
}

bool sw_near_reaches(const swNear *n, const swPosed *collider) {
    const swReal wide = n->moved + rounding * (sw_norm(n->middle) + sw_norm(n->half));
    return !(sw_posed_gap(collider, n->middle, sw_add(n->half, sw_v3(wide, wide, wide))) > 0);
}
