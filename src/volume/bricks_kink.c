// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Which bricks have borders of materials inside, and which way these face.
#include "volume/bricks.h"

#include "math/cholesky.h"

#include <string.h>

// ---- which way a border faces ----

// Sums over points around a place, weighted by their distance alone: what a plane cuts off is then
// on the one side of it, whichever way it goes.
typedef struct {
    swReal weight, inside;
    swVec3 first, inside_first;
    swMat3 second;
} swAround;

static void add_around(swAround *a, swVec3 t, swReal w, bool inside) {
    a->weight += w;
    a->first = sw_madd(a->first, w, t);
    for (int e = 0; e < 9; e++)
        a->second.m[e] += w * sw_get(t, e / 3) * sw_get(t, e % 3);
    if (!inside)
        return;
    a->inside += w;
    a->inside_first = sw_madd(a->inside_first, w, t);
}

// The slope of the linear function that is nearest to 1 in a material and 0 elsewhere.
static swVec3 slope_around(const swAround *a) {
    const swVec3 middle = sw_scale(1 / a->weight, a->first),
                 with = sw_madd(a->inside_first, -a->inside, middle);
    swMat3 S = a->second;
    for (int e = 0; e < 9; e++)
        S.m[e] -= a->weight * sw_get(middle, e / 3) * sw_get(middle, e % 3);
    const swReal little = 1e-3 * (S.m[0] + S.m[4] + S.m[8]); // thin bodies
    for (int e = 0; e < 9; e += 4)
        S.m[e] += little;
    return sw_mul(sw_mat_inverse(S), with);
}

// The slope around the middle of a cell.
static swVec3 slope_at(const swGrid *g, int cell, int stuff) {
    enum { REACH = 2 };
    const int at[3] = {cell % g->n[0], cell / g->n[0] % g->n[1], cell / g->n[0] / g->n[1]};
    const swVec3 middle = sw_madd(sw_grid_corner(g, cell, 0), 0.5 * g->h, sw_v3(1, 1, 1));
    swAround around = {0};
    int lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = sw_max_int(at[k] - REACH, 0);
        hi[k] = sw_min_int(at[k] + REACH, g->n[k] - 1);
    }
    for (int z = lo[2]; z <= hi[2]; z++)
        for (int y = lo[1]; y <= hi[1]; y++)
            for (int i = g->first[lo[0] + g->n[0] * (y + g->n[1] * z)];
                 i < g->first[hi[0] + g->n[0] * (y + g->n[1] * z) + 1]; i++) {
                swVec3 point[8];
                sw_voxel_points(&g->voxel[i], point);
                for (int k = 0; k < 8; k++) {
                    const swVec3 t = sw_scale(1 / (REACH * g->h), sw_sub(point[k], middle));
                    const swReal in = 1 - sw_norm2(t);
                    if (in > 0)
                        add_around(&around, t, in * in * g->voxel[i].volume,
                                   g->voxel[i].stuff == stuff);
                }
            }
    return around.weight > 0 ? slope_around(&around) : sw_v3(0, 0, 0);
}

// Across the border of a material within a brick: layers have two, which face opposite ways.
static swVec3 find_normal(const swBricks *b, int brick, int stuff) {
    swMat3 sum = {{0}}, V;
    swVec3 w;
    for (int i = b->start[brick], last = -1; i < b->start[brick + 1]; i += 8) {
        const swVoxel *v = &b->grid->voxel[b->point[i].voxel];
        if (v->cell == last)
            continue;
        const swVec3 slope = slope_at(b->grid, last = v->cell, stuff);
        for (int e = 0; e < 9; e++)
            sum.m[e] += sw_get(slope, e / 3) * sw_get(slope, e % 3);
    }
    sw_mat_eigen(sum, &w, &V);
    return sw_v3(V.m[2], V.m[5], V.m[8]);
}

// ---- which bricks ----

typedef struct {
    int stuff;
    swReal volume;
} swPart;

// The materials of a brick, those there is most of first; returns how many, at most `most`.
static int find_parts(const swBricks *b, int brick, int most, swPart *part) {
    int n = 0;
    for (int i = b->start[brick]; i < b->start[brick + 1]; i++) {
        const int stuff = b->grid->voxel[b->point[i].voxel].stuff;
        int k = 0;
        while (k < n && part[k].stuff != stuff)
            k++;
        if (k == n && n == most)
            continue;
        if (k == n)
            part[n++] = (swPart){stuff, 0};
        part[k].volume += b->point[i].volume;
    }
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && part[k].volume > part[k - 1].volume; k--) {
            const swPart other = part[k];
            part[k] = part[k - 1];
            part[k - 1] = other;
        }
    return n;
}

static bool are_like(const swBrickStuff *a, const swBrickStuff *b) {
    static const swReal much = 0.01;
    bool like =
        fabs(a->shear - b->shear) < much * a->shear && fabs(a->bulk - b->bulk) < much * a->bulk;
    for (int e = 0; e < 36 && like; e++)
        like = fabs(a->D[e / 6][e % 6] - b->D[e / 6][e % 6]) <
               much * sw_max(a->D[e / 6][e / 6], a->D[e % 6][e % 6]);
    return like;
}

// Finds `smooth` by least squares over a brick.
static void smooth_kink(const swBricks *b, int brick, swBrickKink *kink) {
    swReal all[4][4] = {{0}}, own[4][4] = {{0}}, L[4][4];
    int which[4];
    for (int i = b->start[brick]; i < b->start[brick + 1]; i++) {
        const swBrickPoint *p = &b->point[i];
        const bool in = b->grid->voxel[p->voxel].stuff == kink->stuff;
        const swVec3 c = sw_brick_place(b, brick, p->X);
        const swReal f[4] = {1, c.x, c.y, c.z};
        for (int e = 0; e < 16; e++) {
            const swReal product = p->volume * f[e / 4] * f[e % 4];
            all[e / 4][e % 4] += product;
            own[e / 4][e % 4] += in ? product : 0;
        }
    }
    const int n = sw_cholesky_some(4, all[0], 1e-3 * all[0][0], which, L[0]);
    for (int m = 0; m < SW_KINK_NODES; m++) {
        swReal x[4];
        for (int i = 0; i < n; i++) {
            x[i] = own[m][which[i]];
            for (int k = 0; k < i; k++)
                x[i] -= L[i][k] * x[k];
            x[i] /= L[i][i];
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++)
                x[i] -= L[k][i] * x[k];
            kink->smooth[m][which[i]] = x[i] /= L[i][i];
        }
    }
}

// Adds those of a brick.
static bool add_kinks(swBricks *b, int brick, const swBrickStuff *stuff, swArena *arena,
                      swError *error) {
    enum { MANY = 8 };
    static const swReal little = 1e-5; // of a brick
    swPart part[MANY];
    const int parts = find_parts(b, brick, MANY, part);
    for (int i = 1, n = 0; i < parts && n < SW_BRICK_KINKS; i++) {
        if (!(part[i].volume > little * b->H * b->H * b->H) ||
            are_like(&stuff[part[0].stuff], &stuff[part[i].stuff]))
            continue;
        swBrickKink *kink = SW_PUSH(&b->kink, arena, error);
        if (!kink)
            return false;
        *kink =
            (swBrickKink){.stuff = part[i].stuff, .normal = find_normal(b, brick, part[i].stuff)};
        smooth_kink(b, brick, kink);
        n++;
    }
    return true;
}

bool sw_bricks_kink(swBricks *b, const swBrickStuff *stuff, swArena *arena, swError *error) {
    for (int i = 0; i < b->n; i++) {
        if (!add_kinks(b, i, stuff, arena, error))
            return false;
        b->first_kink[i + 1] = b->kink.count;
    }
    b->nnode = b->nplace + SW_KINK_NODES * b->kink.count;
    return true;
}
