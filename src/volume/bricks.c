// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/bricks.h"

#include "math/sets.h"

#include <string.h>

// ---- which voxels are one brick ----

static int cell_at(const swGrid *g, int x, int y, int z) { return x + g->n[0] * (y + g->n[1] * z); }

static void place_of(const swGrid *g, int cell, int at[3]) {
    at[0] = cell % g->n[0];
    at[1] = cell / g->n[0] % g->n[1];
    at[2] = cell / g->n[0] / g->n[1];
}

// The neighbour of a cell along an axis that its material reaches, or -1.
static int neighbour(const swGrid *g, int cell, int axis) {
    static const int step[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int at[3];
    place_of(g, cell, at);
    if (!(g->open[cell] & (SW_OPEN_X << axis)) || at[axis] + 1 >= g->n[axis])
        return -1;
    return cell_at(g, at[0] + step[axis][0], at[1] + step[axis][1], at[2] + step[axis][2]);
}

static bool same_brick(const swBricks *b, int cell, int other) {
    int p[3], q[3];
    place_of(b->grid, cell, p);
    place_of(b->grid, other, q);
    for (int k = 0; k < 3; k++)
        if ((p[k] + b->before[k]) / b->across != (q[k] + b->before[k]) / b->across)
            return false;
    return true;
}

// b->brick of each cell: parts of a cube of cells that do not hang together there are bricks each.
static bool find_bricks(swBricks *b, swArena *arena, swError *error) {
    const swGrid *g = b->grid;
    const int ncell = g->n[0] * g->n[1] * g->n[2];
    int *parent = SW_NEW(arena, ncell, int, error);
    if (!parent || !(b->brick = SW_NEW(arena, ncell, int, error)))
        return false;
    for (int c = 0; c < ncell; c++)
        parent[c] = c;
    for (int c = 0; c < ncell; c++)
        for (int axis = 0; axis < 3; axis++) {
            const int other = neighbour(g, c, axis);
            if (other >= 0 && g->first[c + 1] > g->first[c] && same_brick(b, c, other))
                sw_set_join(parent, c, other);
        }
    b->n = 0;
    for (int c = 0; c < ncell; c++) {
        const bool filled = g->first[c + 1] > g->first[c];
        const int root = sw_set_find(parent, c); // never higher than c
        b->brick[c] = !filled ? -1 : root == c ? b->n++ : b->brick[root];
    }
    return true;
}

// ---- nodes ----

static void join_faces(const swBricks *b, int *parent) {
    const swGrid *g = b->grid;
    static const int stride[3] = {1, 3, 9};
    for (int c = 0; c < g->n[0] * g->n[1] * g->n[2]; c++)
        for (int axis = 0; axis < 3 && b->brick[c] >= 0; axis++) {
            const int other = neighbour(g, c, axis);
            if (other < 0 || b->brick[other] < 0 || same_brick(b, c, other))
                continue;
            const int s = stride[(axis + 1) % 3], t = stride[(axis + 2) % 3];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    const int on = i * s + j * t;
                    sw_set_join(parent, SW_BRICK_NODES * b->brick[c] + on + 2 * stride[axis],
                                SW_BRICK_NODES * b->brick[other] + on);
                }
        }
}

static bool make_nodes(swBricks *b, swArena *arena, swError *error) {
    const swGrid *g = b->grid;
    const int count = SW_BRICK_NODES * b->n;
    if (!(b->node = SW_NEW(arena, count, int, error)) ||
        !(b->corner = SW_NEW(arena, b->n, swVec3, error)))
        return false;
    for (int i = 0; i < count; i++)
        b->node[i] = i;
    join_faces(b, b->node);
    b->nnode = b->nplace = sw_set_number(b->node, count);
    if (!(b->X = SW_NEW(arena, b->nnode, swVec3, error)) ||
        !(b->first_kink = SW_NEW(arena, b->n + 1, int, error)))
        return false;
    for (int c = 0; c < g->n[0] * g->n[1] * g->n[2]; c++) {
        int at[3];
        place_of(g, c, at);
        for (int k = 0; k < 3 && b->brick[c] >= 0; k++) {
            const int cell = (at[k] + b->before[k]) / b->across * b->across - b->before[k];
            sw_set(&b->corner[b->brick[c]], k, sw_get(g->origin, k) + g->h * cell);
        }
    }
    for (int i = 0; i < count; i++) {
        const int k = i % SW_BRICK_NODES;
        b->X[b->node[i]] =
            sw_madd(b->corner[i / SW_BRICK_NODES], 0.5 * b->H, sw_v3(k % 3, k / 3 % 3, k / 9));
    }
    return true;
}

// ---- points ----

static bool make_points(swBricks *b, swArena *arena, swError *error) {
    const swGrid *g = b->grid;
    if (!(b->start = SW_NEW(arena, b->n + 1, int, error)) ||
        !(b->point = SW_NEW(arena, 8 * (size_t)g->nvoxel, swBrickPoint, error)))
        return false;
    for (int v = 0; v < g->nvoxel; v++)
        b->start[b->brick[g->voxel[v].cell] + 1] += 8;
    for (int i = 0; i < b->n; i++)
        b->start[i + 1] += b->start[i];
    int *next = SW_NEW(arena, b->n, int, error);
    if (!next)
        return false;
    memcpy(next, b->start, (size_t)b->n * sizeof *next);
    for (int v = 0; v < g->nvoxel; v++) {
        const swVoxel *voxel = &g->voxel[v];
        swVec3 point[8];
        sw_voxel_points(voxel, point);
        for (int k = 0; k < 8; k++)
            b->point[next[b->brick[voxel->cell]]++] =
                (swBrickPoint){.X = point[k], .volume = 0.125 * voxel->volume, .voxel = v};
    }
    return true;
}

bool sw_bricks_create(const swGrid *grid, int across, swArena *arena, swBricks *b, swError *error) {
    *b = (swBricks){.grid = grid, .across = across, .H = across * grid->h};
    for (int k = 0; k < 3; k++) {
        int more = (across - grid->n[k] % across) % across;
        if (more % 2 && across % 2)
            more += across;
        b->before[k] = more / 2;
    }
    return find_bricks(b, arena, error) && make_nodes(b, arena, error) &&
           make_points(b, arena, error);
}

// ---- what is held ----

typedef struct {
    swBricks *b;
    swHoldDepth *depth;
    void *context;
} swHold;

// Whether there is material at x, and that is not held.
static bool is_free(const swHold *hold, swVec3 x) {
    const swGrid *g = hold->b->grid;
    const int cell = sw_grid_cell(g, x);
    for (int i = g->first[cell]; i < g->first[cell + 1]; i++) {
        const swVoxel *v = &g->voxel[i];
        if (x.x >= v->lo.x && x.x <= v->hi.x && x.y >= v->lo.y && x.y <= v->hi.y &&
            x.z >= v->lo.z && x.z <= v->hi.z)
            return hold->depth(hold->context, x) < 0;
    }
    return false;
}

// A box of size d around x, that the border may cut.
typedef struct {
    swReal left;   // share of it that is not held,
    swVec3 middle; // whose middle this is
    swReal width;  // of the box across the border; 0: there is none
    swVec3 on;     // where the border is
    swVec3 beyond; // in what is not held
} swCutBox;

static swCutBox cut_box(const swHold *hold, swVec3 x, swVec3 d) {
    const swReal deep = hold->depth(hold->context, x), step = 1e-3 * hold->b->grid->h;
    swCutBox box = {.left = deep < 0, .middle = x};
    if (fabs(deep) > 0.51 * sw_norm(d))
        return box;
    swVec3 n; // towards what is held
    for (int k = 0; k < 3; k++) {
        swVec3 p = x;
        sw_set(&p, k, sw_get(x, k) + step);
        sw_set(&n, k, (hold->depth(hold->context, p) - deep) / step);
    }
    const swReal length = sw_norm(n);
    if (!(length > 0))
        return box;
    n = sw_scale(1 / length, n);
    const swReal width = fabs(n.x) * d.x + fabs(n.y) * d.y + fabs(n.z) * d.z;
    // Where the border is a side of boxes, those that are held count it.
    if (deep < 0 ? -deep > 0.4999 * width : deep > 0.5001 * width)
        return box;
    const swVec3 beyond = deep < 0 ? x : sw_madd(x, -deep - 0.5 * width, n);
    if (deep >= 0 && !is_free(hold, beyond))
        return box; // the border is where the body ends
    box.left = sw_clamp(0.5 - deep / width, 0, 1);
    box.middle = sw_madd(x, -0.5 * (deep + 0.5 * width), n);
    box.width = width;
    box.on = sw_madd(x, -deep, n);
    box.beyond = beyond;
    return box;
}

// What is left of a voxel: sums of 1, X and of products of X, less a corner.
typedef struct {
    bool whole;
    swReal volume;
    swVec3 first, second, mixed;
} swLeft;

// Boxes along an edge of an eighth of a voxel, two of which along each edge share a face.
enum { SIDE = 4, HALF = SIDE / 2 };

typedef struct {
    swReal area;
    swVec3 moment, beyond; // of places on it, and of those in what it holds
    int brick;             // of one of these
} swBorder;

// That of one of its points, by boxes that fill its eighth of the voxel, and go along with the
// point; and the border in each eighth of that.
static void add_left(const swHold *hold, const swBrickPoint *p, swLeft *left, swBorder border[8]) {
    enum { ALL = SIDE * SIDE * SIDE };
    const swVoxel *v = &hold->b->grid->voxel[p->voxel];
    swVec3 lo = v->lo, hi = v->hi;
    *(p->X.x < v->centroid.x ? &hi.x : &lo.x) = v->centroid.x;
    *(p->X.y < v->centroid.y ? &hi.y : &lo.y) = v->centroid.y;
    *(p->X.z < v->centroid.z ? &hi.z : &lo.z) = v->centroid.z;
    const swVec3 d = sw_scale(1.0 / SIDE, sw_sub(hi, lo)),
                 shift = sw_sub(p->X, sw_lerp(lo, hi, 0.5));
    for (int i = 0; i < ALL; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        const swVec3 x = {lo.x + d.x * (at[0] + 0.5), lo.y + d.y * (at[1] + 0.5),
                          lo.z + d.z * (at[2] + 0.5)};
        const swCutBox box = cut_box(hold, x, d);
        swReal w = p->volume / ALL;
        if (box.width > 0) {
            swBorder *own = &border[at[0] / HALF + 2 * (at[1] / HALF) + 4 * (at[2] / HALF)];
            own->area += w / box.width;
            own->moment = sw_madd(own->moment, w / box.width, box.on);
            own->beyond = sw_madd(own->beyond, w / box.width, box.beyond);
            own->brick = hold->b->brick[sw_grid_cell(hold->b->grid, box.beyond)];
        }
        left->whole = left->whole && box.left == 1;
        w *= box.left;
        const swVec3 t = sw_sub(sw_add(box.middle, shift), v->lo);
        left->volume += w;
        left->first = sw_madd(left->first, w, t);
        left->second = sw_madd(left->second, w,
                               sw_v3(t.x * t.x + d.x * d.x / 12, t.y * t.y + d.y * d.y / 12,
                                     t.z * t.z + d.z * d.z / 12));
        left->mixed = sw_madd(left->mixed, w, sw_v3(t.y * t.z, t.z * t.x, t.x * t.y));
    }
}

// Eight points that have what is left: two along each axis, without which a slice of a brick would
// bend as it likes.
static void replace_points(const swLeft *left, swVec3 corner, swBrickPoint p[8]) {
    swVoxel v = {0};
    swVec3 X[8];
    for (int k = 0; k < 8; k++)
        p[k].volume = left->volume / 8;
    if (!(left->volume > 0))
        return;
    const swVec3 c = sw_scale(1 / left->volume, left->first);
    const swReal w = 1 / left->volume;
    v.centroid = sw_add(corner, c);
    v.second =
        sw_v3(sw_max(0, w * left->second.x - c.x * c.x), sw_max(0, w * left->second.y - c.y * c.y),
              sw_max(0, w * left->second.z - c.z * c.z));
    v.mixed = sw_sub(sw_scale(w, left->mixed), sw_v3(c.y * c.z, c.z * c.x, c.x * c.y));
    sw_voxel_points(&v, X);
    for (int k = 0; k < 8; k++)
        p[k].X = X[k];
}

// Faces of the border in a voxel.
static bool add_faces(swBricks *b, const swBorder border[8], swArena *arena, swError *error) {
    for (int i = 0; i < 8; i++) {
        if (!(border[i].area > 0))
            continue;
        swBrickFace *face = SW_PUSH(&b->face, arena, error);
        if (!face)
            return false;
        // A face near the side of a brick belongs to the brick that most of what it holds is in.
        const swVec3 beyond = sw_scale(1 / border[i].area, border[i].beyond);
        const int brick = b->brick[sw_grid_cell(b->grid, beyond)];
        *face = (swBrickFace){.X = sw_scale(1 / border[i].area, border[i].moment),
                              .area = border[i].area,
                              .brick = brick >= 0 ? brick : border[i].brick};
    }
    return true;
}

bool sw_bricks_hold(swBricks *b, swHoldDepth *depth, void *context, swArena *arena,
                    swError *error) {
    const swHold hold = {b, depth, context};
    for (int k = 0; k < b->start[b->n]; k += 8) {
        const swVoxel *v = &b->grid->voxel[b->point[k].voxel];
        const swReal deep = depth(context, sw_lerp(v->lo, v->hi, 0.5));
        swLeft left = {.whole = true};
        if (fabs(deep) > 0.6 * sw_norm(sw_sub(v->hi, v->lo))) { // far from the border
            for (int i = k; i < k + 8 && deep > 0; i++)
                b->point[i].volume = 0;
            continue;
        }
        for (int i = k; i < k + 8; i++) {
            swBorder border[8];
            memset(border, 0, sizeof border);
            add_left(&hold, &b->point[i], &left, border);
            if (!add_faces(b, border, arena, error))
                return false;
        }
        if (!left.whole)
            replace_points(&left, v->lo, b->point + k);
    }
    return true;
}

// ---- fewer points ----

// Voxels of a brick and material next to each other, together.
typedef struct {
    swLeft sum;
    int voxel; // one of them, near the middle of all,
    swReal far;
    int next; // clump of the same block, or -1
} swClump;

enum { BLOCKS = 4 }; // along an edge of a brick; of an odd number of voxels one more

// Blocks lie evenly about the middle of a brick.
static int block_of(const swBricks *b, int cell) {
    const int blocks = BLOCKS + b->across % 2;
    int at[3], block = 0;
    place_of(b->grid, cell, at);
    for (int k = 0; k < 3; k++) {
        const int place = (at[k] + b->before[k]) % b->across;
        block = block * blocks + (2 * place + 1) * blocks / (2 * b->across);
    }
    return block;
}

static bool is_same_stuff(const swVoxel *v, const swVoxel *w) {
    return v->material == w->material && v->stuff == w->stuff && v->density == w->density &&
           v->stiffness == w->stiffness;
}

// Of a block, whose clumps begin at *first, that which a voxel belongs to; a new one is number n.
static int clump_of(const swBricks *b, swClump *clump, int *first, int n, int voxel) {
    const swVoxel *v = &b->grid->voxel[voxel];
    for (int i = *first; i >= 0; i = clump[i].next)
        if (is_same_stuff(v, &b->grid->voxel[clump[i].voxel]))
            return i;
    clump[n] = (swClump){.voxel = voxel, .far = INFINITY, .next = *first};
    return *first = n;
}

static void add_to_clump(const swBrickPoint p[8], swVec3 corner, swLeft *sum) {
    for (int k = 0; k < 8; k++) {
        const swVec3 t = sw_sub(p[k].X, corner);
        const swReal w = p[k].volume;
        sum->volume += w;
        sum->first = sw_madd(sum->first, w, t);
        sum->second = sw_madd(sum->second, w, sw_v3(t.x * t.x, t.y * t.y, t.z * t.z));
        sum->mixed = sw_madd(sum->mixed, w, sw_v3(t.y * t.z, t.z * t.x, t.x * t.y));
    }
}

// Of voxels that are as near as each other that which is farthest from the grid's middle stands for
// all, so that images of points in the body's mirror planes have voxels that are images.
static void look_near(const swBricks *b, swVec3 corner, int voxel, swClump *c) {
    const swGrid *g = b->grid;
    const swVec3 X = g->voxel[voxel].centroid,
                 d = sw_sub(X, sw_madd(corner, 1 / c->sum.volume, c->sum.first)),
                 size = sw_v3(g->h * g->n[0], g->h * g->n[1], g->h * g->n[2]),
                 out = sw_sub(X, sw_madd(g->origin, 0.5, size));
    const swReal far =
        sw_norm2(d) - 1e-6 * g->h * (fabs(out.x) + 2 * fabs(out.y) + 4 * fabs(out.z));
    if (far < c->far) {
        c->far = far;
        c->voxel = voxel;
    }
}

// Those of one brick, from `from` to `end`, in place of it at `to`; returns where they end. of[8th
// point]: scratch.
static int merge_brick(swBricks *b, int brick, int from, int end, int to, swClump *clump, int *of) {
    enum { MOST = (BLOCKS + 1) * (BLOCKS + 1) * (BLOCKS + 1) };
    const swVec3 corner = b->corner[brick];
    int first[MOST], n = 0;
    for (int i = 0; i < MOST; i++)
        first[i] = -1;
    for (int k = from; k < end; k += 8) {
        const int voxel = b->point[k].voxel,
                  own =
                      clump_of(b, clump, &first[block_of(b, b->grid->voxel[voxel].cell)], n, voxel);
        n += own == n;
        add_to_clump(b->point + k, corner, &clump[own].sum);
        of[(k - from) / 8] = own;
    }
    for (int k = from; k < end; k += 8)
        if (clump[of[(k - from) / 8]].sum.volume > 0)
            look_near(b, corner, b->point[k].voxel, &clump[of[(k - from) / 8]]);
    for (int i = 0; i < n; i++) {
        if (!(clump[i].sum.volume > 0))
            continue;
        for (int k = 0; k < 8; k++)
            b->point[to + k].voxel = clump[i].voxel;
        replace_points(&clump[i].sum, corner, b->point + to);
        to += 8;
    }
    return to;
}

bool sw_bricks_merge(swBricks *b, swArena *arena, swError *error) {
    int count = 0;
    swArena scratch;
    if (b->across <= BLOCKS + b->across % 2)
        return true;
    for (int i = 0; i < b->n; i++)
        count = sw_max_int(count, (b->start[i + 1] - b->start[i]) / 8);
    sw_arena_init(&scratch, &arena->allocator);
    swClump *clump = SW_NEW(&scratch, count, swClump, error);
    int *of = SW_NEW(&scratch, count, int, error);
    for (int i = 0, from = 0, to = 0; clump && of && i < b->n; i++) {
        const int end = b->start[i + 1];
        b->start[i + 1] = to = merge_brick(b, i, from, end, to, clump, of);
        from = end;
    }
    sw_arena_free(&scratch);
    b->merged = true;
    return clump && of;
}

// ---- fields ----

void sw_brick_shape(const swBricks *b, int brick, swVec3 p, swReal N[27], swReal dN[27][3]) {
    swReal s[3][3], d[3][3];
    for (int k = 0; k < 3; k++) {
        sw_quadratics((sw_get(p, k) - sw_get(b->corner[brick], k)) / b->H, s[k], d[k]);
        for (int i = 0; i < 3; i++)
            d[k][i] /= b->H;
    }
    for (int i = 0; i < SW_BRICK_NODES; i++) {
        const int x = i % 3, y = i / 3 % 3, z = i / 9;
        N[i] = s[0][x] * s[1][y] * s[2][z];
        if (!dN)
            continue;
        dN[i][0] = d[0][x] * s[1][y] * s[2][z];
        dN[i][1] = s[0][x] * d[1][y] * s[2][z];
        dN[i][2] = s[0][x] * s[1][y] * d[2][z];
    }
}

int sw_brick_gradients(const swBricks *b, int brick, swVec3 p, int stuff, swReal N[27],
                       swReal dN[SW_BRICK_MOST][3]) {
    const swVec3 c = sw_brick_place(b, brick, p);
    const swReal f[4] = {1, c.x, c.y, c.z};
    int n = SW_BRICK_NODES;
    sw_brick_shape(b, brick, p, N, dN);
    for (int k = b->first_kink[brick]; k < b->first_kink[brick + 1]; k++) {
        const swBrickKink *kink = &b->kink.item[k];
        for (int m = 0; m < SW_KINK_NODES; m++, n++) {
            const swReal *s = kink->smooth[m], own = kink->stuff == stuff ? f[m] : 0,
                         rest = own - s[0] - s[1] * f[1] - s[2] * f[2] - s[3] * f[3];
            for (int r = 0; r < 3; r++)
                dN[n][r] = rest * sw_get(kink->normal, r);
        }
    }
    return n;
}

int sw_bricks_find(const swBricks *b, swVec3 p) {
    const int here = b->brick[sw_grid_cell(b->grid, p)];
    if (here >= 0)
        return here;
    int nearest = -1;
    swReal least = INFINITY;
    const swVec3 half = {0.5 * b->H, 0.5 * b->H, 0.5 * b->H};
    for (int i = 0; i < b->n; i++) {
        const swVec3 d = sw_sub(p, sw_add(b->corner[i], half));
        const swReal far = sw_max(fabs(d.x), sw_max(fabs(d.y), fabs(d.z)));
        if (far < least) {
            least = far;
            nearest = i;
        }
    }
    return nearest;
}

swVec3 sw_bricks_at(const swBricks *b, const swReal *u, swVec3 p) {
    const int brick = sw_bricks_find(b, p);
    swReal N[SW_BRICK_NODES];
    swVec3 sum = {0, 0, 0};
    sw_brick_shape(b, brick, p, N, NULL);
    for (int i = 0; i < SW_BRICK_NODES; i++) {
        const swReal *at = u + 3 * b->node[SW_BRICK_NODES * brick + i];
        sum = sw_madd(sum, N[i], sw_v3(at[0], at[1], at[2]));
    }
    return sum;
}

void sw_bricks_weigh(const swBricks *b, const swBrickStuff *stuff, swVec3 acceleration, swReal *f) {
    for (int i = 0; i < b->n; i++)
        for (int k = b->start[i]; k < b->start[i + 1]; k++) {
            const swBrickPoint *p = &b->point[k];
            const swVoxel *v = &b->grid->voxel[p->voxel];
            const swReal mass = p->volume * v->density * stuff[v->material].density;
            swReal N[SW_BRICK_NODES];
            sw_brick_shape(b, i, p->X, N, NULL);
            for (int a = 0; a < SW_BRICK_NODES; a++)
                for (int r = 0; r < 3; r++)
                    f[3 * b->node[SW_BRICK_NODES * i + a] + r] +=
                        mass * N[a] * sw_get(acceleration, r);
        }
}
