// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The stiffness of bricks at rest.
#include "volume/bricks.h"

#include "math/cholesky.h"
#include "core/simd.h"
#include "math/order.h"
#include "math/tangent.h"
#include "math/tiles.h"

#include <string.h>

// Springs of faces are this many times stiffer than material of the length of an edge.
static const swReal hold = 1e4;

// Curving of a field in a brick of which a share is empty costs this much of its shear modulus,
// beside the energy of its strains:
//   bent/2 shear share H^2 integral of |grad grad u|^2 over all of it.
// Where next to nothing is in a brick some of its nodes would move as they like, and modes with
// them. Uniform strains cost nothing.
static const swReal bent = 1e-6;

// ---- material ----

bool sw_soft_moduli(const swReal D[6][6], swReal *shear, swReal *bulk) {
    enum { STRIDE = 8 };
    swReal L[6 * STRIDE] = {0}, S[6][6], all = 0, normal = 0, shears = 0;
    for (int e = 0; e < 36; e++)
        L[e / 6 * STRIDE + e % 6] = D[e / 6][e % 6];
    if (sw_cholesky_factor(6, 6, L, STRIDE) != 6)
        return false;
    for (int e = 0; e < 6; e++) { // compliances
        for (int f = 0; f < 6; f++)
            S[e][f] = e == f;
        sw_cholesky_solve(6, L, STRIDE, S[e]);
    }
    for (int e = 0; e < 9; e++)
        all += S[e / 3][e % 3];
    for (int e = 0; e < 3; e++) {
        normal += S[e][e];
        shears += S[3 + e][3 + e];
    }
    *bulk = 1 / all;
    *shear = 15 / (6 * normal - 2 * all + 12 * shears);
    return true;
}

swBrickStuff sw_brick_stuff(const swReal D[6][6], swReal density) {
    swBrickStuff out = {.density = density};
    swReal along = 0, across = 0, shear = 0, bulk;
    memcpy(out.D, D, sizeof out.D);
    for (int i = 0; i < 3; i++) {
        along += D[i][i] / 3;
        across += D[i][(i + 1) % 3] / 3;
        shear += D[3 + i][3 + i] / 12;
    }
    out.shear = shear + (along - across - 2 * shear) / 5;
    out.bulk = (along + 2 * across) / 3;
    if (!sw_soft_moduli(D, &shear, &bulk))
        return out;
    out.more = sw_max(0, bulk - 13.0 / 6 * shear);
    for (int e = 0; e < 9; e++)
        out.D[e / 3][e % 3] -= out.more;
    return out;
}

void sw_brick_slack(swBrickStuff *s, swVec3 a, swReal half) {
    enum { STRIDE = 8 };
    swReal L[6 * STRIDE] = {0};
    for (int e = 0; e < 36; e++)
        L[e / 6 * STRIDE + e % 6] = s->D[e / 6][e % 6] + (e / 6 < 3 && e % 6 < 3 ? s->more : 0);
    for (int e = 0; e < 6; e++) {
        s->along[e] = (e < 3 ? 1 : 2) * sw_get(a, sw_pair_row[e]) * sw_get(a, sw_pair_column[e]);
        s->slack[e] = half * s->along[e];
    }
    if (sw_cholesky_factor(6, 6, L, STRIDE) == 6)
        sw_cholesky_solve(6, L, STRIDE, s->slack);
}

// ---- pattern ----

// Nodes of one brick need a block each two.
static bool make_pattern(const swBricks *b, swArena *arena, swPattern *out, swError *error) {
    int *start = SW_NEW(arena, b->n + 1, int, error),
        *node = SW_NEW(arena, SW_BRICK_MOST * (size_t)b->n, int, error);
    if (!start || !node)
        return false;
    for (int brick = 0; brick < b->n; brick++) {
        start[brick + 1] = start[brick] + sw_brick_count(b, brick);
        for (int a = 0; a < sw_brick_count(b, brick); a++)
            node[start[brick] + a] = sw_brick_node(b, brick, a);
    }
    return sw_pattern_of_sets(out, b->nnode, b->n, start, node, arena, error);
}

// ---- one brick ----

// Products of shape functions, or of their slopes, are polynomials of degree four along each axis:
// moments up to that degree say all of any number of points. c runs from -1 to 1 through a brick.
enum { POWERS = 5, MOMENTS = POWERS * POWERS * POWERS };

typedef struct {
    int count; // points that wait to be added together
    swReal c[3][SW_LANES], weight[SW_LANES];
    swReal sum[MOMENTS][SW_LANES]; // of weight cx^i cy^j cz^k, x fastest
} swBrickMoments;

static void sum_moments(swBrickMoments *m) {
    swWide power[3][POWERS];
    for (int p = m->count; p < SW_LANES; p++)
        m->weight[p] = m->c[0][p] = m->c[1][p] = m->c[2][p] = 0;
    for (int axis = 0; axis < 3; axis++) {
        power[axis][0] = sw_wide(1);
        for (int i = 1; i < POWERS; i++)
            power[axis][i] = power[axis][i - 1] * sw_wide_load(m->c[axis]);
    }
    for (int k = 0; k < POWERS * POWERS; k++) {
        const swWide own = sw_wide_load(m->weight) * power[1][k % POWERS] * power[2][k / POWERS];
        for (int i = 0; i < POWERS; i++) {
            swReal *to = m->sum[k * POWERS + i];
            sw_wide_store(to, sw_wide_fma(own, power[0][i], sw_wide_load(to)));
        }
    }
    m->count = 0;
}

static void add_to_moments(swBrickMoments *m, swVec3 c, swReal weight) {
    for (int axis = 0; axis < 3; axis++)
        m->c[axis][m->count] = sw_get(c, axis);
    m->weight[m->count] = weight;
    if (++m->count == SW_LANES)
        sum_moments(m);
}

// out := the sums, which begin anew.
static void take_moments(swBrickMoments *m, swReal out[MOMENTS]) {
    if (m->count > 0)
        sum_moments(m);
    for (int i = 0; i < MOMENTS; i++)
        out[i] = sw_wide_sum(sw_wide_load(m->sum[i]));
    memset(m->sum, 0, sizeof m->sum);
}

// The three functions along an axis, as polynomials in c, and their slopes over the edge.
static const swReal along[2][3][3] = {{{0, -0.5, 0.5}, {1, 0, -1}, {0, 0.5, 0.5}},
                                      {{-1, 2, 0}, {0, -4, 0}, {1, 2, 0}}};

// Products of each two: of values 0, of slopes of the second 1, of the first 2, of both 3.
typedef struct {
    swReal of[4][9][POWERS];
} swBrickTable;

static void make_table(swBrickTable *t) {
    memset(t, 0, sizeof *t);
    for (int kind = 0; kind < 4; kind++)
        for (int pair = 0; pair < 9; pair++)
            for (int e = 0; e < 9; e++)
                t->of[kind][pair][e / 3 + e % 3] +=
                    along[kind / 2][pair / 3][e / 3] * along[kind % 2][pair % 3][e % 3];
}

// Sums of products of shape functions a, b, or of their slopes (as kinds along x, y, z say):
// out[pair along z][that along y, x], a pair being 3 (place of a) + place of b.
static void sum_products(const swBrickTable *t, const swReal m[MOMENTS], const int kind[3],
                         swReal out[9][81]) {
    swReal X[POWERS][POWERS][9], Y[POWERS][81];
    memset(X, 0, sizeof X);
    memset(Y, 0, sizeof Y);
    for (int i = 0; i < MOMENTS; i++)
        for (int x = 0; x < 9; x++)
            X[i / POWERS / POWERS][i / POWERS % POWERS][x] += m[i] * t->of[kind[0]][x][i % POWERS];
    for (int k = 0; k < POWERS; k++)
        for (int y = 0; y < 9; y++)
            for (int j = 0; j < POWERS; j++)
                for (int x = 0; x < 9; x++)
                    Y[k][9 * y + x] += t->of[kind[1]][y][j] * X[k][j][x];
    memset(out, 0, sizeof(swReal) * 9 * 81);
    for (int z = 0; z < 9; z++)
        for (int k = 0; k < POWERS; k++)
            for (int i = 0; i < 81; i++)
                out[z][i] += t->of[kind[2]][z][k] * Y[k][i];
}

// Where products of a and b are.
typedef struct {
    int z, yx;
} swPairAt;
static swPairAt pair_at(int a, int b) {
    return (swPairAt){3 * (a / 9) + b / 9, 9 * (3 * (a / 3 % 3) + b / 3 % 3) + 3 * (a % 3) + b % 3};
}

// Stress over gradient: of each two entries of displacement, [3 r + s][3 x + y] is the stress along
// r across x for a slope of s along y.
typedef struct {
    swReal of[9][9];
} swBrickTangent;

static void find_tangent(const swReal D[6][6], swBrickTangent *out) {
    for (int i = 0; i < 81; i++) {
        const int r = i / 27, s = i / 9 % 3, x = i / 3 % 3, y = i % 3, e = sw_pair_at[3 * r + x],
                  f = sw_pair_at[3 * s + y];
        out->of[i / 9][i % 9] = D[e][f] * (e < 3 ? 1 : 0.5) * (f < 3 ? 1 : 0.5);
    }
}

// K += a pair of nodes' part, Q being the integral of Ga Gb^T
static void add_pair(int a, int b, swReal Q[3][3], const swBrickTangent *D,
                     swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    for (int rs = 0; rs < 9; rs++) {
        const swReal *own = D->of[rs];
        swReal sum = 0;
        for (int xy = 0; xy < 9; xy++)
            sum += own[xy] * Q[xy / 3][xy % 3];
        K[3 * a + rs / 3][3 * b + rs % 3] += sum;
    }
}

// K += what resists at points, by moments of the volume
static void add_shape(const swBrickTable *t, const swReal m[MOMENTS], swReal H,
                      const swBrickTangent *D, swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    swReal S[6][9][81]; // of slopes along two axes
    for (int e = 0; e < 6; e++) {
        int kind[3] = {0, 0, 0};
        kind[first[e]] += 2;
        kind[second[e]] += 1;
        sum_products(t, m, kind, S[e]);
    }
    const swReal scale = 1 / (H * H);
    for (int a = 0; a < SW_BRICK_NODES; a++)
        for (int b = 0; b <= a; b++) {
            const swPairAt ab = pair_at(a, b), ba = pair_at(b, a);
            swReal Q[3][3]; // sums of Ga Gb^T
            for (int e = 0; e < 6; e++) {
                Q[second[e]][first[e]] = scale * S[e][ba.z][ba.yx];
                Q[first[e]][second[e]] = scale * S[e][ab.z][ab.yx];
            }
            add_pair(a, b, Q, D, K);
        }
}

// K += springs that hold values, by moments of their stiffness
static void add_springs(const swBrickTable *t, const swReal m[MOMENTS],
                        swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    swReal S[9][81];
    sum_products(t, m, (const int[3]){0, 0, 0}, S);
    for (int a = 0; a < SW_BRICK_NODES; a++)
        for (int b = 0; b <= a; b++) {
            const swPairAt at = pair_at(a, b);
            for (int r = 0; r < 3; r++)
                K[3 * a + r][3 * b + r] += S[at.z][at.yx];
        }
}

// Gradients of a brick's kinks in one material: linear functions of 1, cx, cy, cz times normals.
enum { LINES = SW_BRICK_MOST - SW_BRICK_NODES };
typedef struct {
    int n;
    swReal line[LINES][4];
    swVec3 normal[LINES];
} swKinkLines;

static void find_lines(const swBricks *b, int brick, int stuff, swKinkLines *out) {
    out->n = 0;
    for (int k = b->first_kink[brick]; k < b->first_kink[brick + 1]; k++)
        for (int m = 0; m < SW_KINK_NODES; m++, out->n++) {
            const swBrickKink *kink = &b->kink.item[k];
            out->normal[out->n] = kink->normal;
            for (int f = 0; f < 4; f++)
                out->line[out->n][f] = (f == m && kink->stuff == stuff) - kink->smooth[m][f];
        }
}

static const int step[4] = {0, 1, POWERS, POWERS *POWERS}; // 1, cx, cy, cz among moments

// out[f][3 a + d] := the integral of function f of these times the slope of N_a along d.
static void sum_slopes(const swReal m[MOMENTS], swReal H, swReal out[4][SW_BRICK_DOF]) {
    for (int a = 0; a < 3 * SW_BRICK_NODES; a++) {
        const swReal *x = along[a % 3 == 0][a / 3 % 3], *y = along[a % 3 == 1][a / 9 % 3],
                     *z = along[a % 3 == 2][a / 27];
        for (int f = 0; f < 4; f++) {
            swReal sum = 0;
            for (int e = 0; e < 27; e++)
                sum += z[e / 9] * y[e / 3 % 3] * x[e % 3] *
                       m[step[f] + e / 9 * step[3] + e / 3 % 3 * step[2] + e % 3];
            out[f][a] = sum / H;
        }
    }
}

// The same as add_shape() of pairs of nodes of which one or both are a kink's.
static void add_kinks(const swKinkLines *k, const swReal m[MOMENTS], swReal H,
                      const swBrickTangent *D, swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    swReal slope[4][SW_BRICK_DOF], Q[3][3];
    if (k->n == 0)
        return;
    sum_slopes(m, H, slope);
    for (int i = 0; i < k->n; i++) {
        const swReal *own = k->line[i];
        for (int b = 0; b < SW_BRICK_NODES; b++) {
            for (int e = 0; e < 9; e++) {
                const int to = 3 * b + e % 3;
                Q[e / 3][e % 3] =
                    sw_get(k->normal[i], e / 3) * (own[0] * slope[0][to] + own[1] * slope[1][to] +
                                                   own[2] * slope[2][to] + own[3] * slope[3][to]);
            }
            add_pair(SW_BRICK_NODES + i, b, Q, D, K);
        }
        for (int j = 0; j <= i; j++) {
            swReal sum = 0;
            for (int e = 0; e < 16; e++)
                sum += own[e / 4] * k->line[j][e % 4] * m[step[e / 4] + step[e % 4]];
            for (int e = 0; e < 9; e++)
                Q[e / 3][e % 3] = sum * sw_get(k->normal[i], e / 3) * sw_get(k->normal[j], e % 3);
            add_pair(SW_BRICK_NODES + i, SW_BRICK_NODES + j, Q, D, K);
        }
    }
}

// Changes of volume on linear functions over a material's part of a brick, and the bulk modulus
// that acts on them.
typedef struct {
    swReal D[4][SW_BRICK_DOF], A[4][4], bulk, volume;
    swReal whole; // volume of the brick
    int ndof;
} swBrickVolume;

// From moments of the volume.
static void find_volume(const swReal m[MOMENTS], swReal H, const swKinkLines *k, swBrickVolume *v) {
    v->volume = m[0];
    v->whole = H * H * H;
    v->ndof = 3 * (SW_BRICK_NODES + k->n);
    for (int e = 0; e < 16; e++)
        v->A[e / 4][e % 4] = m[step[e / 4] + step[e % 4]];
    sum_slopes(m, H, v->D);
    for (int i = 0; i < 3 * k->n; i++)
        for (int f = 0; f < 4; f++) {
            const swReal *own = k->line[i / 3], *A = v->A[f];
            v->D[f][3 * SW_BRICK_NODES + i] =
                sw_get(k->normal[i / 3], i % 3) *
                (own[0] * A[0] + own[1] * A[1] + own[2] * A[2] + own[3] * A[3]);
        }
}

int sw_brick_functions(swReal whole, swReal A[4][4], int which[4], swReal L[4][4]) {
    const swReal volume = A[0][0];
    return sw_min_int(volume < 0.5 * whole ? 1 : 4,
                      sw_cholesky_some(4, A[0], 0.03 * volume, which, L[0]));
}

// Factors A; returns how many functions there are, and which; L Y = D.
static int factor_volume(swBrickVolume *v, int which[4], swReal L[4][4],
                         swReal Y[4][SW_BRICK_DOF]) {
    const int n = sw_brick_functions(v->whole, v->A, which, L);
    for (int m = 0; m < n; m++)
        for (int a = 0; a < v->ndof; a++) {
            Y[m][a] = v->D[which[m]][a];
            for (int k = 0; k < m; k++)
                Y[m][a] -= L[m][k] * Y[k][a];
            Y[m][a] /= L[m][m];
        }
    return n;
}

// K += bulk D^T A^-1 D
static void finish_volume(swBrickVolume *v, swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    swReal L[4][4], Y[4][SW_BRICK_DOF];
    int which[4];
    const swReal bulk = v->bulk / v->volume;
    const int n = factor_volume(v, which, L, Y);
    for (int m = 0; m < n; m++)
        for (int a = 0; a < v->ndof; a++)
            for (int b = 0; b <= a; b++)
                K[a][b] += bulk * Y[m][a] * Y[m][b];
}

// Whether a point of a brick before `end` is of this material.
static bool is_earlier(const swBricks *b, int from, int end, int stuff) {
    bool is = false;
    for (int k = from; k < end && !is; k++)
        is = b->grid->voxel[b->point[k].voxel].stuff == stuff;
    return is;
}

// Room for what bricks are made of, one after another.
typedef struct {
    swBrickTable table;
    swBrickMoments shape, volume;
    swKinkLines kinks;
    swReal K[SW_BRICK_DOF][SW_BRICK_DOF];
} swBrickWork;

static void add_brick(const swBricks *b, int brick, const swBrickStuff *stuff, swBrickWork *w) {
    const int from = b->start[brick], to = b->start[brick + 1];
    memset(w->K, 0, sizeof w->K);
    for (int i = from; i < to; i++) {
        const int own = b->grid->voxel[b->point[i].voxel].stuff;
        if (is_earlier(b, from, i, own))
            continue;
        swBrickVolume volume = {0};
        swReal m[MOMENTS];
        const swReal more = stuff[own].more;
        for (int k = i; k < to; k++) {
            const swBrickPoint *p = &b->point[k];
            const swVoxel *v = &b->grid->voxel[p->voxel];
            if (v->stuff != own)
                continue;
            const swVec3 c = sw_brick_place(b, brick, p->X);
            const swReal share = p->volume * sw_brick_share(v, stuff);
            add_to_moments(&w->shape, c, share);
            if (!(more > 0))
                continue;
            add_to_moments(&w->volume, c, p->volume);
            volume.bulk += share * more;
        }
        find_lines(b, brick, own, &w->kinks);
        if (volume.bulk > 0) {
            take_moments(&w->volume, m);
            find_volume(m, b->H, &w->kinks, &volume);
            finish_volume(&volume, w->K);
        }
        swBrickTangent D;
        find_tangent(stuff[own].D, &D);
        take_moments(&w->shape, m);
        add_shape(&w->table, m, b->H, &D, w->K);
        add_kinks(&w->kinks, m, b->H, &D, w->K);
    }
}

// ---- forces of given strains ----

typedef struct {
    const swBricks *b;
    const swBrickStuff *stuff;
    int n;
    swBrickStrains *strains;
    void *context;
    swReal *E;      // [n][6][8]
    swReal *stress; // [n][3][3][8]
    swReal *slope;  // [SW_BRICK_MOST][3][8]: of shape functions
    swReal *sum;    // [n][3][SW_BRICK_MOST][lanes]: forces of stresses
    swReal *local;  // [n][SW_BRICK_DOF]: those of changes of volume
    swReal *moment; // [n][4]: of what changes the volume
    swBrickMoments *volume;
} swBrickStrain;

// The eight points of a voxel from `first` on, side by side.
static void strain_voxel(const swBrickStrain *s, int brick, int first, swReal *bulk) {
    const swBricks *b = s->b;
    const swVoxel *v = &b->grid->voxel[b->point[first].voxel];
    const swBrickStuff *stuff = &s->stuff[v->stuff];
    const swReal share = sw_brick_share(v, s->stuff);
    swReal volume[SW_VOXEL_POINTS], P[4][SW_VOXEL_POINTS];
    s->strains(s->context, brick, first, s->E);
    for (int k = 0; k < SW_VOXEL_POINTS; k++) {
        const swBrickPoint *p = &b->point[first + k];
        const swVec3 t = sw_brick_place(b, brick, p->X);
        swReal N[SW_BRICK_NODES], G[SW_BRICK_MOST][3];
        sw_brick_gradients(b, brick, p->X, v->stuff, N, G);
        for (int a = 0; a < 3 * sw_brick_count(b, brick); a++)
            s->slope[SW_VOXEL_POINTS * a + k] = G[a / 3][a % 3];
        add_to_moments(s->volume, t, p->volume);
        *bulk += p->volume * share * stuff->more;
        volume[k] = P[0][k] = p->volume;
        for (int axis = 0; axis < 3; axis++)
            P[1 + axis][k] = p->volume * sw_get(t, axis);
    }
    for (int i = 0; i < s->n; i++) {
        const swReal *E = s->E + SW_VOXEL_STRAIN * i;
        swReal own[6][SW_VOXEL_POINTS] = {{0}};
        for (int e = 0; e < 36; e++) {
            const swReal D = share * (e < 18 ? 1 : 0.5) * stuff->D[e / 6][e % 6];
            for (int k = 0; k < SW_VOXEL_POINTS && D != 0; k++)
                own[e / 6][k] += D * volume[k] * E[SW_VOXEL_POINTS * (e % 6) + k];
        }
        for (int e = 0; e < 9; e++)
            memcpy(s->stress + (9 * i + e) * SW_VOXEL_POINTS, own[sw_pair_at[e]], sizeof own[0]);
        for (int m = 0; m < 4; m++)
            for (int k = 0; k < SW_VOXEL_POINTS; k++)
                s->moment[4 * i + m] += P[m][k] * (E[k] + E[8 + k] + E[16 + k]);
    }
    enum { ROW = 3 * SW_VOXEL_POINTS };
    sw_tiles_accumulate(3 * s->n, sw_brick_count(b, brick), ROW / SW_LANES,
                        (swRows){s->stress, ROW, SW_LANES}, (swRows){s->slope, ROW, SW_LANES},
                        s->sum, SW_BRICK_MOST, false);
}

// local += bulk D^T A^-1 moment
static void strain_volume(const swBrickStrain *s, int brick, int stuff, swReal bulk) {
    swReal L[4][4], Y[4][SW_BRICK_DOF], m[MOMENTS];
    swBrickVolume v = {.bulk = bulk};
    swKinkLines kinks;
    int which[4];
    take_moments(s->volume, m);
    if (!(bulk > 0))
        return;
    find_lines(s->b, brick, stuff, &kinks);
    find_volume(m, s->b->H, &kinks, &v);
    const int n = factor_volume(&v, which, L, Y);
    for (int i = 0; i < s->n; i++)
        for (int f = 0; f < n; f++) {
            swReal *z = s->moment + 4 * i, own = z[which[f]];
            for (int k = 0; k < f; k++)
                own -= L[f][k] * z[which[k]];
            z[which[f]] = own / L[f][f];
            for (int a = 0; a < v.ndof; a++)
                s->local[SW_BRICK_DOF * i + a] += bulk / v.volume * Y[f][a] * z[which[f]];
        }
}

bool sw_bricks_strain(const swBricks *b, const swBrickStuff *stuff, int n, swBrickStrains *strains,
                      void *context, swPool *pool, swArena *arena, swReal *force, swError *error) {
    const size_t count = (size_t)n;
    const swBrickStrain s = {.b = b,
                             .stuff = stuff,
                             .n = n,
                             .strains = strains,
                             .context = context,
                             .E = SW_NEW(arena, SW_VOXEL_STRAIN * count, swReal, error),
                             .stress = SW_NEW(arena, 9 * SW_VOXEL_POINTS * count, swReal, error),
                             .slope = SW_NEW(arena, SW_BRICK_DOF * SW_VOXEL_POINTS, swReal, error),
                             .sum = SW_NEW(arena, SW_BRICK_DOF * SW_LANES * count, swReal, error),
                             .local = SW_NEW(arena, SW_BRICK_DOF * count, swReal, error),
                             .moment = SW_NEW(arena, 4 * count, swReal, error),
                             .volume = SW_NEW(arena, 1, swBrickMoments, error)};
    if (!s.E || !s.stress || !s.slope || !s.sum || !s.local || !s.moment || !s.volume)
        return false;
    for (int brick = 0; brick < b->n; brick++) {
        const int from = b->start[brick], to = b->start[brick + 1];
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        memset(s.local, 0, SW_BRICK_DOF * count * sizeof *s.local);
        memset(s.sum, 0, SW_BRICK_DOF * SW_LANES * count * sizeof *s.sum);
        for (int i = from; i < to; i += 8) { // material by material
            const int own = b->grid->voxel[b->point[i].voxel].stuff;
            if (is_earlier(b, from, i, own))
                continue;
            swReal bulk = 0;
            memset(s.moment, 0, 4 * count * sizeof *s.moment);
            for (int k = i; k < to; k += 8)
                if (b->grid->voxel[b->point[k].voxel].stuff == own)
                    strain_voxel(&s, brick, k, &bulk);
            strain_volume(&s, brick, own, bulk);
        }
        for (int k = 0; k < 3 * n * sw_brick_count(b, brick); k++) {
            const int field = k / (3 * sw_brick_count(b, brick)),
                      a = k / 3 % sw_brick_count(b, brick), r = k % 3;
            const ptrdiff_t at = ((ptrdiff_t)3 * field + r) * SW_BRICK_MOST + a;
            force[(ptrdiff_t)field * 3 * b->nnode + 3 * sw_brick_node(b, brick, a) + r] +=
                s.local[(ptrdiff_t)SW_BRICK_DOF * field + 3 * a + r] +
                sw_wide_sum(sw_wide_load(s.sum + at * SW_LANES));
        }
    }
    return true;
}

// ---- curving ----

// H times the integral of grad grad N_a : grad grad N_b over a brick, which is the same for all.
static void integrate_bent(swReal out[SW_BRICK_NODES][SW_BRICK_NODES]) {
    static const swReal weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18}, second[3] = {4, -8, 4};
    memset(out, 0, sizeof(swReal) * SW_BRICK_NODES * SW_BRICK_NODES);
    for (int k = 0; k < 27; k++) { // points of Gauss
        const int at[3] = {k % 3, k / 3 % 3, k / 9};
        swReal s[3][3], d[3][3], w = 1, D[SW_BRICK_NODES][6];
        for (int i = 0; i < 3; i++) {
            sw_quadratics(0.5 + 0.5 * sqrt(0.6) * (at[i] - 1), s[i], d[i]);
            w *= weight[at[i]];
        }
        for (int a = 0; a < SW_BRICK_NODES; a++) {
            const int x = a % 3, y = a / 3 % 3, z = a / 9;
            const swReal own[6] = {
                second[x] * s[1][y] * s[2][z],           s[0][x] * second[y] * s[2][z],
                s[0][x] * s[1][y] * second[z],           sqrt(2.0) * d[0][x] * d[1][y] * s[2][z],
                sqrt(2.0) * d[0][x] * s[1][y] * d[2][z], sqrt(2.0) * s[0][x] * d[1][y] * d[2][z]};
            memcpy(D[a], own, sizeof own);
            for (int b = 0; b <= a; b++)
                for (int e = 0; e < 6; e++)
                    out[a][b] += w * D[a][e] * D[b][e];
        }
    }
}

static void add_bent(swReal unit[SW_BRICK_NODES][SW_BRICK_NODES], swReal stiffness,
                     swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    for (int a = 0; a < SW_BRICK_NODES; a++)
        for (int b = 0; b <= a; b++)
            for (int r = 0; r < 3; r++)
                K[3 * a + r][3 * b + r] += stiffness * unit[a][b];
}

// The mean shear modulus of a brick, times the share of it that is empty.
static swReal lack_of(const swBricks *b, int brick, const swBrickStuff *stuff) {
    swReal volume = 0, shear = 0;
    for (int i = b->start[brick]; i < b->start[brick + 1]; i++) {
        const swVoxel *v = &b->grid->voxel[b->point[i].voxel];
        volume += b->point[i].volume;
        shear += b->point[i].volume * sw_brick_share(v, stuff) * stuff[v->stuff].shear;
    }
    const swReal filled = sw_min(1, volume / (b->H * b->H * b->H));
    return volume > 0 ? (1 - filled) * shear / volume : 0;
}

// Springs to where faces are, those of one brick being `count` of list.
static void add_faces(const swBricks *b, int brick, int count, const int *list, swReal stiffness,
                      swBrickWork *w) {
    swReal m[MOMENTS];
    for (int i = 0; i < count; i++) {
        const swBrickFace *face = &b->face.item[list[i]];
        add_to_moments(&w->volume, sw_brick_place(b, brick, face->X), stiffness * face->area);
    }
    take_moments(&w->volume, m);
    add_springs(&w->table, m, w->K);
}

// Faces of each brick: those from first[brick] to first[brick + 1] of list.
static bool sort_faces(const swBricks *b, swArena *arena, int **first, int **list, swError *error) {
    int *end = *first = SW_NEW(arena, b->n + 2, int, error);
    *list = SW_NEW(arena, b->face.count, int, error);
    if (!*first || !*list)
        return false;
    end++; // while they are listed, each is where the next face of its brick goes
    for (int i = 0; i < b->face.count; i++)
        end[b->face.item[i].brick + 1]++;
    for (int i = 0; i < b->n; i++)
        end[i + 1] += end[i];
    for (int i = 0; i < b->face.count; i++)
        (*list)[end[b->face.item[i].brick]++] = i;
    return true;
}

// ---- all of them ----

void sw_bricks_scatter(const swBricks *b, int brick, swReal K[SW_BRICK_DOF][SW_BRICK_DOF],
                       const swBlocks *out) {
    int node[SW_BRICK_MOST];
    for (int a = 0; a < sw_brick_count(b, brick); a++)
        node[a] = sw_brick_node(b, brick, a);
    for (int a = 0; a < sw_brick_count(b, brick); a++)
        for (int c = 0; c <= a; c++) {
            const int i = sw_max_int(node[a], node[c]), j = sw_min_int(node[a], node[c]);
            const swBlock block = sw_blocks_get(out, i, j);
            for (int r = 0; r < 3; r++)
                for (int s = 0; s < 3; s++) {
                    const swReal k =
                        a == c && s > r ? K[3 * a + s][3 * c + r] : K[3 * a + r][3 * c + s];
                    block.data[node[a] >= node[c] ? r * block.stride + s : s * block.stride + r] +=
                        k;
                }
        }
}

// What is stiffest in a brick sets the scale of it and its nodes: elsewhere materials may be softer
// by many orders.
static bool find_scales(const swBricks *b, const swBrickStuff *stuff, swArena *arena,
                        swBrickMatrix *out, swError *error) {
    out->scale = SW_NEW(arena, 3 * (size_t)b->nnode, swReal, error);
    out->hold = SW_NEW(arena, b->n, swReal, error);
    for (int i = 0; i < b->n && out->scale && out->hold; i++) {
        swReal most = 0;
        for (int p = b->start[i]; p < b->start[i + 1]; p++) {
            const swVoxel *v = &b->grid->voxel[b->point[p].voxel];
            most = sw_max(most, sw_brick_share(v, stuff) * stuff[v->stuff].shear);
        }
        out->hold[i] = hold * most / b->H;
        for (int k = 0; k < 3 * sw_brick_count(b, i); k++) {
            swReal *scale = &out->scale[3 * sw_brick_node(b, i, k / 3) + k % 3];
            *scale = sw_max(*scale, most * b->H * (k < 3 * SW_BRICK_NODES ? 1 : b->H * b->H));
        }
    }
    return out->scale && out->hold;
}

// K, with or without that of material.
static bool fill(const swBricks *b, const swBrickStuff *stuff, bool material, swArena *arena,
                 swBrickMatrix *out, swError *error) {
    swPattern pattern;
    int *size = SW_NEW(arena, b->nnode, int, error);
    if (!size || !make_pattern(b, arena, &pattern, error))
        return false;
    for (int i = 0; i < b->nnode; i++)
        size[i] = 3;
    if (!sw_blocks_create(&out->K, pattern, size, arena, error) ||
        !sw_bricks_turns(b, arena, &out->K.turn, error))
        return false;
    int *first, *face;
    swBrickWork *w = SW_NEW(arena, 1, swBrickWork, error);
    if (!w || !find_scales(b, stuff, arena, out, error) ||
        !sort_faces(b, arena, &first, &face, error))
        return false;
    swReal unit[SW_BRICK_NODES][SW_BRICK_NODES];
    integrate_bent(unit);
    make_table(&w->table);
    sw_blocks_clear(&out->K);
    for (int i = 0; i < b->n; i++) {
        if (material)
            add_brick(b, i, stuff, w);
        else
            memset(w->K, 0, sizeof w->K);
        add_bent(unit, bent * lack_of(b, i, stuff) * b->H, w->K);
        if (first[i + 1] > first[i])
            add_faces(b, i, first[i + 1] - first[i], face + first[i], out->hold[i], w);
        sw_bricks_scatter(b, i, w->K, &out->K);
    }
    return true;
}

// Of nodes at corners alone there is an eighth, and the same of any section through the bricks is
// a fourth.
bool sw_bricks_cost(const swBricks *b, swArena *arena, swFactorLimit *out, swError *error) {
    static const int corner[8] = {0, 2, 6, 8, 18, 20, 24, 26};
    int *start = SW_NEW(arena, b->n + 1, int, error), *node = SW_NEW(arena, 8 * b->n, int, error),
        *number = SW_NEW(arena, b->nnode, int, error), *size = SW_NEW(arena, b->nnode, int, error),
        n = 0;
    swPattern pattern;
    swBlocks A;
    swElimination e;
    if (!start || !node || !number || !size)
        return false;
    for (int i = 0; i < 8 * b->n; i++) {
        int *own = &number[b->node[SW_BRICK_NODES * (i / 8) + corner[i % 8]]];
        if (*own == 0)
            *own = ++n;
        node[i] = *own - 1;
        start[i / 8 + 1] = i + 1;
    }
    for (int i = 0; i < n; i++)
        size[i] = 1;
    if (!sw_pattern_of_sets(&pattern, n, b->n, start, node, arena, error) ||
        !sw_blocks_create(&A, pattern, size, arena, error) ||
        !sw_order_least(&A, NULL, arena, &e, error))
        return false;
    *out = (swFactorLimit){e.flops, e.nonzeros};
    return true;
}

bool sw_bricks_bare(const swBricks *b, const swBrickStuff *stuff, swArena *arena,
                    swBrickMatrix *out, swError *error) {
    return fill(b, stuff, false, arena, out, error);
}

bool sw_bricks_stiffness(const swBricks *b, const swBrickStuff *stuff, swArena *arena,
                         swBrickMatrix *out, swError *error) {
    return fill(b, stuff, true, arena, out, error) &&
           sw_factor_plan(&out->factor, &out->K, SW_FACTOR_SPARSE, NULL, arena, error) &&
           sw_factor_allocate(&out->factor, arena, error);
}

void sw_bricks_ground(const swBricks *b, swReal ground, swBrickMatrix *matrix) {
    swBrickWork w;
    memset(&w, 0, sizeof w);
    make_table(&w.table);
    for (int brick = 0; brick < b->n; brick++) {
        swReal m[MOMENTS];
        for (int p = b->start[brick]; p < b->start[brick + 1]; p++)
            add_to_moments(&w.volume, sw_brick_place(b, brick, b->point[p].X),
                           ground * b->point[p].volume);
        take_moments(&w.volume, m);
        memset(w.K, 0, sizeof w.K);
        add_springs(&w.table, m, w.K);
        sw_bricks_scatter(b, brick, w.K, &matrix->K);
    }
}

void sw_bricks_push(const swBricks *b, const swBrickMatrix *matrix, int first, int count,
                    swVec3 move, swVec3 turn, swVec3 center, swReal *f) {
    swReal N[SW_BRICK_NODES];
    for (int i = first; i < first + count; i++) {
        const swBrickFace *face = &b->face.item[i];
        const swVec3 to = sw_add(move, sw_cross(turn, sw_sub(face->X, center)));
        sw_brick_shape(b, face->brick, face->X, N, NULL);
        for (int a = 0; a < SW_BRICK_NODES; a++)
            for (int r = 0; r < 3; r++)
                f[3 * b->node[SW_BRICK_NODES * face->brick + a] + r] +=
                    matrix->hold[face->brick] * face->area * N[a] * sw_get(to, r);
    }
}

bool sw_bricks_factor(swBrickMatrix *matrix) {
    return sw_factor_compute(&matrix->factor, &matrix->K, 1e-10, 0, matrix->scale);
}
