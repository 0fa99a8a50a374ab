// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "correctors/correctors.h"

#include "correctors/combine.h"
#include "correctors/second.h"
#include "math/cholesky.h"
#include "math/eigen.h"
#include "math/tangent.h"
#include "math/tiles.h"

#include <string.h>

enum {
    UNIFORM = 6,       // motions of uniform stress
    SLACK_MOTIONS = 3, // soft ones in which fibres are slack or taut
};

typedef struct {
    const swBricks *b;
    const swBrickStuff *stuff;
    const swBrickMatrix *matrix;
    const swSkin *skin;
    int nc, nq, nu;             // columns and motions of free frames, unknowns of the bricks
    int nm;                     // columns of all that moves
    swReal *B;                  // [nc][nnode]: integrals of rho N phi, the same along x, y and z
    swReal *M;                  // [nm][nm]
    int nframe;                 // motions of frames,
    int nweighed;               // and of loads
    swReal *answer;             // [nload][nq]: what frames do of these
    swReal *L;                  // [nq]: M of motions, factored
    swReal *Y;                  // [nq][nu]: K^-1 B; then its combinations, fields of motions kept
    int n;                      // motions kept, others than those of frames last
    swReal *V;                  // [n][3 nm]: skin of these
    swReal *value;              // 1 / frequency^2 of those of frames
    swReal *N, (*G)[3];         // of the skin at a point,
    swReal *one_N, (*one_G)[3]; // or one of several
    swFields fields;            // Y less V
    swSecond second;            // of the softest motions
    int pair;                   // first of the motions of second order
} swCorrecting;

static swReal mass_of(const swCorrecting *c, const swBrickPoint *p) {
    const swVoxel *v = &c->b->grid->voxel[p->voxel];
    return p->volume * v->density * c->stuff[v->material].density;
}

// ---- moments ----

enum { TOGETHER = 64 }; // points whose moments are summed together

// Sums on the way to B and M: of columns [nm], and these times masses, and of shape functions, each
// of TOGETHER points side by side; and products of these, by lanes.
typedef struct {
    swReal *N, *weighted, *shape, *M, *B;
} swMoments;

// Adds those of `count` points of a brick.
static void add_some_moments(const swCorrecting *c, const swMoments *m, int count) {
    const int vectors = (count + SW_LANES - 1) / SW_LANES;
    for (int p = count; p < vectors * SW_LANES; p++) {
        for (int i = 0; i < c->nm; i++)
            m->N[i * TOGETHER + p] = m->weighted[i * TOGETHER + p] = 0;
        for (int a = 0; a < SW_BRICK_NODES; a++)
            m->shape[a * TOGETHER + p] = 0;
    }
    const swRows N = {m->N, TOGETHER, SW_LANES}, weighted = {m->weighted, TOGETHER, SW_LANES},
                 shape = {m->shape, TOGETHER, SW_LANES};
    sw_tiles_accumulate(c->nm, c->nm, vectors, N, weighted, m->M, c->nm, true);
    sw_tiles_accumulate(c->nc, SW_BRICK_NODES, vectors, weighted, shape, m->B, SW_BRICK_NODES,
                        false);
}

static void add_brick_moments(const swCorrecting *c, const swMoments *m, int brick, int *voxel) {
    const swBricks *b = c->b;
    const size_t size = (size_t)c->nc * SW_BRICK_NODES;
    int count = 0;
    memset(m->B, 0, size * SW_LANES * sizeof *m->B);
    for (int k = b->start[brick]; k < b->start[brick + 1]; k++) {
        const swBrickPoint *p = &b->point[k];
        const swReal mass = mass_of(c, p);
        swReal N[SW_BRICK_NODES];
        if (!(mass > 0))
            continue;
        if (p->voxel != *voxel)
            c->skin->begin(c->skin->context, *voxel = p->voxel);
        c->skin->at(c->skin->context, p->X, c->N, NULL);
        sw_brick_shape(b, brick, p->X, N, NULL);
        for (int i = 0; i < c->nm; i++) {
            m->N[i * TOGETHER + count] = c->N[i];
            m->weighted[i * TOGETHER + count] = mass * c->N[i];
        }
        for (int a = 0; a < SW_BRICK_NODES; a++)
            m->shape[a * TOGETHER + count] = N[a];
        if (++count == TOGETHER) {
            add_some_moments(c, m, count);
            count = 0;
        }
    }
    add_some_moments(c, m, count);
    for (size_t i = 0; i < size; i++)
        c->B[(ptrdiff_t)(i / SW_BRICK_NODES) * b->nnode +
             b->node[SW_BRICK_NODES * brick + (int)(i % SW_BRICK_NODES)]] +=
            sw_wide_sum(sw_wide_load(m->B + i * SW_LANES));
}

static bool add_moments(const swCorrecting *c, swPool *pool, swArena *arena, swError *error) {
    const size_t nm = (size_t)c->nm;
    const swMoments m = {
        .N = SW_NEW(arena, TOGETHER * nm, swReal, error),
        .weighted = SW_NEW(arena, TOGETHER * nm, swReal, error),
        .shape = SW_NEW(arena, TOGETHER * SW_BRICK_NODES, swReal, error),
        .M = SW_NEW(arena, nm * nm * SW_LANES, swReal, error),
        .B = SW_NEW(arena, (size_t)c->nc * SW_BRICK_NODES * SW_LANES, swReal, error)};
    if (!m.N || !m.weighted || !m.shape || !m.M || !m.B)
        return false;
    for (int brick = 0, voxel = -1; brick < c->b->n; brick++) {
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        add_brick_moments(c, &m, brick, &voxel);
    }
    for (size_t i = 0; i < nm; i++)
        for (size_t j = 0; j <= i; j++)
            c->M[i * nm + j] = c->M[j * nm + i] =
                sw_wide_sum(sw_wide_load(m.M + (i * nm + j) * SW_LANES));
    return true;
}

swReal sw_skin_mass(const swSkinMotion *a, const swSkinMotion *b, const swReal *mass, int nc) {
    swReal sum = 0;
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++)
            sum += mass[(ptrdiff_t)(a->column + i) * nc + b->column + j] * sw_dot(a->f[i], b->f[j]);
    return sum;
}

// Y = K^-1 B
static bool solve_all(const swCorrecting *c, swPool *pool, swArena *arena, swError *error) {
    for (int q = 0; q < c->nq; q++) {
        const swSkinMotion *m = &c->skin->motion[q];
        swReal *y = c->Y + (ptrdiff_t)q * c->nu;
        for (int i = 0; i < m->n; i++) {
            const swReal *b = c->B + (ptrdiff_t)(m->column + i) * c->b->nnode;
            for (int a = 0; a < c->nu; a++)
                y[a] += b[a / 3] * sw_get(m->f[i], a % 3);
        }
    }
    return sw_factor_solve_many(&c->matrix->factor, &c->matrix->K, c->nq, c->Y, c->nu, pool, arena,
                                error);
}

// out[motion] := B^T y, of fields on bricks; `column` is scratch.
static void moments_of(const swCorrecting *c, const swReal *y, swVec3 *column, swReal *out) {
    enum { SOME = 512 };
    swReal part[3][SOME];
    memset(column, 0, (size_t)c->nc * sizeof *column);
    for (int first = 0; first < c->b->nnode; first += SOME) { // axis by axis
        const int count = sw_min_int(SOME, c->b->nnode - first);
        for (int a = 0; a < 3 * count; a++)
            part[a % 3][a / 3] = y[3 * first + a];
        for (int i = 0; i < c->nc; i++) {
            const swReal *b = c->B + (ptrdiff_t)i * c->b->nnode + first;
            column[i] =
                sw_add(column[i], sw_v3(sw_dot_n(count, b, part[0]), sw_dot_n(count, b, part[1]),
                                        sw_dot_n(count, b, part[2])));
        }
    }
    for (int q = 0; q < c->nq; q++) {
        const swSkinMotion *m = &c->skin->motion[q];
        out[q] = 0;
        for (int i = 0; i < m->n; i++)
            out[q] += sw_dot(m->f[i], column[m->column + i]);
    }
}

// v[3 columns] += the motions of these shares.
static void add_motions(const swCorrecting *c, const swReal *share, swReal *v) {
    for (int q = 0; q < c->nq; q++) {
        const swSkinMotion *m = &c->skin->motion[q];
        for (int e = 0; e < 3 * m->n; e++)
            v[3 * m->column + e] += share[q] * sw_get(m->f[e / 3], e % 3);
    }
}

// ---- the softest motions ----

// out[n][length] += V[n][from] Y[from][length], rows of V being `stride` apart; some entries at a
// time, which stay near.
static void combine_fields(int n, int length, int from, const swReal *V, int stride,
                           const swReal *Y, swReal *out) {
    enum { SOME = 256 };
    for (int first = 0; first < length; first += SOME) {
        const int count = sw_min_int(SOME, length - first), vectors = count / SW_LANES;
        sw_tiles_combine(n, vectors, from, (swRows){V, stride, 1},
                         (swRows){Y + first, length, SW_LANES}, out + first, length, false);
        for (int k = 0; k < n; k++)
            for (int a = first + vectors * SW_LANES; a < first + count; a++)
                for (int q = 0; q < from; q++)
                    out[(ptrdiff_t)k * length + a] +=
                        V[(ptrdiff_t)k * stride + q] * Y[(ptrdiff_t)q * length + a];
    }
}

// out := rows of A, `count` of them, turned.
static void turn_rows(int count, int length, const swReal *turn, swReal *A, swReal *scratch) {
    memset(scratch, 0, (size_t)count * (size_t)length * sizeof *A);
    combine_fields(count, length, count, turn, count, A, scratch);
    memcpy(A, scratch, (size_t)count * (size_t)length * sizeof *A);
}

// Of the softest motions those that are as soft as each other are turned so that each goes along an
// axis: mirror images of a body then get the same.
static bool turn_equal(const swCorrecting *c, swArena *arena, swError *error) {
    enum { MOST = 8 };
    static const swReal alike = 1e-4;
    const int length = 3 * c->nm;
    swReal *scratch = SW_NEW(arena, MOST * (size_t)c->nu + MOST * (size_t)length, swReal, error);
    for (int first = 0, end; scratch && first < sw_min_int(SW_SOFT_MOTIONS, c->n); first = end) {
        swReal Q[MOST * MOST] = {0}, turn[MOST * MOST], value[MOST], work[2 * MOST];
        for (end = first + 1;
             end < c->n && end - first < MOST && c->value[end] > (1 - alike) * c->value[end - 1];)
            end++;
        const int count = end - first;
        for (int k = 0; k < count * count; k++) {
            const swReal *v = c->V + (ptrdiff_t)(first + k / count) * length,
                         *w = c->V + (ptrdiff_t)(first + k % count) * length;
            for (int a = 0; a < c->nm; a++)
                for (int b = 0; b < c->nm; b++)
                    Q[k] += c->M[(ptrdiff_t)a * c->nm + b] *
                            (v[3 * a + 1] * w[3 * b + 1] + 2 * v[3 * a + 2] * w[3 * b + 2]);
        }
        if (count == 1 || !sw_eigen_symmetric(count, Q, value, turn, work))
            continue;
        turn_rows(count, c->nu, turn, c->Y + (ptrdiff_t)first * c->nu, scratch);
        turn_rows(count, length, turn, c->V + (ptrdiff_t)first * length, scratch);
    }
    return scratch != NULL;
}

// At most, beside those of frames.
static int more_motions(const swSkin *skin) {
    return 6 * skin->ndriver + skin->nload + UNIFORM + 3 * SLACK_MOTIONS + SW_SECOND_MODES;
}

// With M = L L^T, the eigenvectors x of C = L^-1 (B^T Y) L^-T are motions V = L^-T x of frequency^2
// = 1 / their eigenvalue, and Y V are the fine motions of least energy, over that.
static bool find_motions(swCorrecting *c, swReal least, swVec3 *column, swArena *arena,
                         swError *error) {
    const int n = c->nq, stride = sw_cholesky_stride(n);
    swReal *A = SW_NEW(arena, (size_t)n * (size_t)n, swReal, error),
           *X = SW_NEW(arena, (size_t)n * (size_t)n, swReal, error),
           *value = SW_NEW(arena, n, swReal, error),
           *work = SW_NEW(arena, 4 * (size_t)n, swReal, error);
    c->L = SW_NEW(arena, (size_t)n * (size_t)stride, swReal, error);
    if (!c->L || !A || !X || !value || !work)
        return false;
    for (int p = 0; p < n; p++)
        for (int q = 0; q <= p; q++)
            c->L[(ptrdiff_t)p * stride + q] =
                sw_skin_mass(&c->skin->motion[p], &c->skin->motion[q], c->M, c->nm);
    if (sw_cholesky_factor(n, n, c->L, stride) != n)
        return true; // a motion without mass: nothing is corrected
    for (int p = 0; p < n; p++)
        moments_of(c, c->Y + (ptrdiff_t)p * c->nu, column, A + (ptrdiff_t)p * n);
    for (int side = 0; side < 2; side++) { // L^-1 on the rows, then on what were the columns
        for (int p = 0; p < n; p++)
            sw_cholesky_lower(n, c->L, stride, A + (ptrdiff_t)p * n);
        for (int p = 0; p < n; p++)
            for (int q = 0; q < n; q++)
                X[(ptrdiff_t)q * n + p] = A[(ptrdiff_t)p * n + q];
        memcpy(A, X, (size_t)n * (size_t)n * sizeof *A);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            A[i * n + j] = A[j * n + i] = 0.5 * (A[i * n + j] + A[j * n + i]);
    if (!sw_eigen_symmetric(n, A, value, X, work))
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "the frames' softest motions were not found");
    // 1 / frequency^2, from the stiffest on: those that nothing but the ground holds are rigid.
    swReal *share = A;
    for (int k = n - 1; k >= 0; k--) {
        if (!(value[k] > 0) || value[k] * least > 1)
            continue;
        memcpy(share + (ptrdiff_t)c->n * n, X + (ptrdiff_t)k * n, (size_t)n * sizeof *share);
        sw_cholesky_upper(n, c->L, stride, share + (ptrdiff_t)c->n * n);
        c->value[c->n++] = value[k];
    }
    swReal *field =
        SW_NEW(arena, (size_t)(c->n + more_motions(c->skin)) * (size_t)c->nu, swReal, error);
    if (!field)
        return false;
    combine_fields(c->n, c->nu, n, share, n, c->Y, field);
    c->Y = field;
    for (int k = 0; k < c->n; k++) {
        for (int q = 0; q < n; q++)
            share[(ptrdiff_t)k * n + q] *= c->value[k];
        add_motions(c, share + (ptrdiff_t)k * n, c->V + (ptrdiff_t)k * 3 * c->nm);
    }
    return turn_equal(c, arena, error);
}

// ---- motions of drivers, of loads and of uniform stress ----

// A motion more, whose field is in c->Y: frames with the moments of it, beside what of the skin
// c->V has already. `moment` and `column` are scratch.
static void add_motion(swCorrecting *c, swReal *moment, swVec3 *column) {
    swReal *v = c->V + (ptrdiff_t)c->n * 3 * c->nm;
    moments_of(c, c->Y + (ptrdiff_t)c->n * c->nu, column, moment);
    for (int q = 0; q < c->nq; q++) {
        const swSkinMotion *m = &c->skin->motion[q];
        for (int i = 0; i < m->n; i++)
            for (int a = 0; a < c->nm; a++)
                moment[q] -= c->M[(ptrdiff_t)(m->column + i) * c->nm + a] *
                             sw_dot(m->f[i], sw_v3(v[3 * a], v[3 * a + 1], v[3 * a + 2]));
    }
    sw_cholesky_solve(c->nq, c->L, sw_cholesky_stride(c->nq), moment);
    add_motions(c, moment, v);
    c->n++;
}

// The same for several, of which c->Y has forces.
static bool add_forced(swCorrecting *c, int count, swReal *moment, swVec3 *column, swPool *pool,
                       swArena *arena, swError *error) {
    if (!sw_factor_solve_many(&c->matrix->factor, &c->matrix->K, count,
                              c->Y + (ptrdiff_t)c->n * c->nu, c->nu, pool, arena, error))
        return false;
    for (int k = 0; k < count; k++)
        add_motion(c, moment, column);
    return true;
}

// Forces of its springs where a driver moves or turns, by `much`, and its skin: of motion `at`.
static void push(const swCorrecting *c, int at, const swDriver *driver, int k, swReal much) {
    const swSkinMotion own = sw_skin_rigid(driver->column, k);
    const swVec3 axis = {k % 3 == 0, k % 3 == 1, k % 3 == 2}, by = sw_scale(much, axis),
                 zero = {0, 0, 0};
    swReal *v = c->V + (ptrdiff_t)at * 3 * c->nm + (ptrdiff_t)3 * own.column;
    for (int e = 0; e < 3 * own.n; e++)
        v[e] = much * sw_get(own.f[e / 3], e % 3);
    sw_bricks_push(c->b, c->matrix, driver->face, driver->nface, k < 3 ? by : zero,
                   k < 3 ? zero : by, driver->origin, c->Y + (ptrdiff_t)at * c->nu);
}

// A unit of one entry of strain, the same everywhere.
static void uniform_strain(void *context, int brick, int point, swReal *E) {
    (void)context;
    (void)brick;
    (void)point;
    for (int field = 0; field < UNIFORM; field++)
        for (int e = 0; e < SW_VOXEL_STRAIN; e++)
            E[SW_VOXEL_STRAIN * field + e] =
                e / SW_VOXEL_POINTS == field ? (field < 3 ? 1 : 0.5) : 0;
}

// The answers to loads, with as much energy as the softest motion of frames.
static bool add_loads(swCorrecting *c, swReal *moment, swVec3 *column, swPool *pool, swArena *arena,
                      swError *error) {
    const swSkin *skin = c->skin;
    const size_t all = (size_t)skin->nload * (size_t)c->nu;
    swReal *u = c->Y + (ptrdiff_t)c->n * c->nu;
    c->answer = SW_NEW(arena, (size_t)skin->nload * (size_t)c->nq, swReal, error);
    if (!c->answer)
        return false;
    if (all > 0)
        memcpy(u, skin->load, all * sizeof *u);
    if (!sw_factor_solve_many(&c->matrix->factor, &c->matrix->K, skin->nload, u, c->nu, pool, arena,
                              error))
        return false;
    for (int k = 0; k < skin->nload; k++, u += c->nu) {
        const swReal energy = sw_dot_n(c->nu, u, skin->load + (ptrdiff_t)k * c->nu),
                     scale = energy > 0 ? sqrt(c->value[0] / energy) : 0;
        for (int i = 0; i < c->nu; i++)
            u[i] *= scale;
        add_motion(c, moment, column);
        memcpy(c->answer + (ptrdiff_t)k * c->nq, moment, (size_t)c->nq * sizeof *moment);
    }
    return true;
}

static bool add_more_motions(swCorrecting *c, swReal *moment, swVec3 *column, swPool *pool,
                             swArena *arena, swError *error) {
    const swReal size = sw_norm(sw_sub(c->b->grid->hi, c->b->grid->lo));
    const int count = 6 * c->skin->ndriver;
    if (!add_loads(c, moment, column, pool, arena, error))
        return false;
    c->nweighed = c->n;
    for (int k = 0; k < count; k++)
        push(c, c->n + k, &c->skin->driver[k / 6], k % 6, k % 6 < 3 ? size : 1);
    if (!add_forced(c, count, moment, column, pool, arena, error))
        return false;
    return !c->skin->rigid || (sw_bricks_strain(c->b, c->stuff, UNIFORM, uniform_strain, NULL, pool,
                                                arena, c->Y + (ptrdiff_t)c->n * c->nu, error) &&
                               add_forced(c, UNIFORM, moment, column, pool, arena, error));
}

// ---- fibres ----

// Of fibres that are taut where a motion stretches them and slack elsewhere: what they do besides
// what they do in the mean.
static void slack_strains(void *context, int brick, int point, swReal *E) {
    swCorrecting *c = context;
    swFieldPoint at[SW_VOXEL_POINTS];
    for (int i = 0; i < SW_VOXEL_POINTS; i++) {
        const swBrickPoint *p = &c->b->point[point + i];
        at[i] = (swFieldPoint){p->X, brick, c->b->grid->voxel[p->voxel].stuff};
    }
    const swBrickStuff *stuff = &c->stuff[at[0].stuff];
    sw_fields_at(&c->fields, SW_VOXEL_POINTS, at);
    for (int k = 0; k < c->fields.n; k++)
        for (int i = 0; i < SW_VOXEL_POINTS; i++) {
            const swReal *strain = c->fields.strain + k * SW_FIELD_STRAIN + sw_field_at(6, 0, i);
            swReal stretch = 0;
            for (int e = 0; e < 6; e++)
                stretch += stuff->along[e] * strain[e * SW_LANES];
            for (int e = 0; e < 6; e++)
                E[SW_VOXEL_STRAIN * k + SW_VOXEL_POINTS * e + i] = stuff->slack[e] * fabs(stretch);
        }
}

// How the body gives way to that, in the softest motions, and with it: as these go one way and the
// other.
static bool add_slack(swCorrecting *c, swReal *moment, swVec3 *column, swPool *pool, swArena *arena,
                      swError *error) {
    const int n = sw_min_int(SLACK_MOTIONS, c->nframe), first = c->n;
    const ptrdiff_t nu = c->nu;
    swReal *u = SW_NEW(arena, (size_t)(2 * n) * (size_t)nu, swReal, error);
    if (!u)
        return false;
    for (int round = 0; round < 2; round++) {
        const int count = (1 + round) * n;
        for (ptrdiff_t a = 0; a < count * nu; a++) {
            const ptrdiff_t k = a / nu, own = k % n * nu + a % nu;
            u[a] = c->Y[own] + round * (k < n ? 1 : -1) * c->Y[first * nu + own];
        }
        if (!sw_fields_create(&c->fields, c->b, count, u, 0, NULL, false, arena, error) ||
            !sw_bricks_strain(c->b, c->stuff, count, slack_strains, c, pool, arena,
                              c->Y + c->n * nu, error) ||
            !add_forced(c, count, moment, column, pool, arena, error))
            return false;
    }
    return true;
}

static bool has_slack(const swCorrecting *c) {
    const swGrid *g = c->b->grid;
    bool any = false;
    for (int v = 0; v < g->nvoxel && !any; v++)
        for (int e = 0; e < 6; e++)
            any = any || c->stuff[g->voxel[v].stuff].slack[e] != 0;
    return any;
}

// ---- motions of second order ----

// The skin in the mean over the eight points from `first` on.
static void find_mean_skin(const swCorrecting *c, int first) {
    const size_t n = (size_t)c->skin->ncolumn;
    memset(c->N, 0, n * sizeof *c->N);
    memset(c->G, 0, n * sizeof *c->G);
    for (int k = first; k < first + SW_VOXEL_POINTS; k++) {
        c->skin->at(c->skin->context, c->b->point[k].X, c->one_N, c->one_G);
        for (size_t i = 0; i < n; i++) {
            c->N[i] += c->one_N[i] / SW_VOXEL_POINTS;
            for (int x = 0; x < 3; x++)
                c->G[i][x] += c->one_G[i][x] / SW_VOXEL_POINTS;
        }
    }
}

// The skin at X, which is one of the eight points from `first` on or their middle, for fields. The
// middle of several voxels is where gradients of weights jump: there it is that of all eight.
static void set_skin(const swCorrecting *c, const swFields *fields, int at, swVec3 X, int first) {
    c->skin->begin(c->skin->context, c->b->point[first].voxel);
    if (c->b->merged)
        find_mean_skin(c, first);
    else
        c->skin->at(c->skin->context, X, c->N, c->G);
    sw_fields_skin(fields, at, c->N, (const swReal(*)[3])c->G);
}

// What the pairs have as a whole.
static void second_strains(void *context, int brick, int point, swReal *E) {
    swCorrecting *c = context;
    const int voxel = c->b->point[point].voxel, count = sw_bricks_large(c->b) ? 1 : SW_VOXEL_POINTS;
    swFieldPoint at[SW_VOXEL_POINTS];
    for (int i = 0; i < count; i++) {
        swReal volume;
        const swVec3 X =
            count > 1 ? c->b->point[point + i].X : sw_brick_middle(c->b, point, &volume);
        at[i] = (swFieldPoint){X, brick, c->b->grid->voxel[voxel].stuff};
        set_skin(c, &c->second.fields, i, X, point);
    }
    sw_second_at(&c->second, count, at);
    for (int k = 0; k < c->second.pairs; k++)
        for (int e = 0; e < SW_VOXEL_STRAIN; e++)
            E[SW_VOXEL_STRAIN * k + e] =
                c->second.whole[(ptrdiff_t)k * SW_FIELD_STRAIN +
                                sw_field_at(6, e / SW_VOXEL_POINTS, e % SW_VOXEL_POINTS % count)];
}

// Frames that are rigid turn by 1 + z Theta + z^2 / 2 Theta^2: what they do of second order is not
// theirs to choose. v[3 columns] := that of a pair of motions.
static void turn_twice(const swCorrecting *c, int i, int j, swReal *v) {
    const swReal *x = c->V + (ptrdiff_t)i * 3 * c->nm, *y = c->V + (ptrdiff_t)j * 3 * c->nm,
                 half = i == j ? 0.25 : 0.5;
    for (int q = 0; q < c->nq; q++) {
        const swSkinMotion *m = &c->skin->motion[q];
        const int at = 3 * (m->column + 1); // Theta, column by column
        const bool first = q == 0 || m[-1].n != m->n || m[-1].column != m->column;
        for (int e = 0; m->n == 4 && first && e < 9; e++)
            for (int k = 0; k < 3; k++)
                v[at + e] += half * (x[at + 3 * k + e % 3] * y[at + e / 3 * 3 + k] +
                                     y[at + 3 * k + e % 3] * x[at + e / 3 * 3 + k]);
    }
}

// How the body gives way to 1/2 D^T D of pairs of the n softest motions.
static bool add_second(swCorrecting *c, int n, swReal *moment, swVec3 *column, swPool *pool,
                       swArena *arena, swError *error) {
    c->pair = c->n;
    swReal *force = c->Y + (ptrdiff_t)c->n * c->nu;
    if (!sw_second_create(&c->second, c->b, n, c->Y, c->nm, c->V, arena, error) ||
        !sw_bricks_strain(c->b, c->stuff, c->second.pairs, second_strains, c, pool, arena, force,
                          error))
        return false;
    for (ptrdiff_t a = 0; a < (ptrdiff_t)c->second.pairs * c->nu; a++)
        force[a] = -force[a];
    swReal *v = c->V + (ptrdiff_t)c->n * 3 * c->nm;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++, v += 3 * c->nm)
            turn_twice(c, i, j, v);
    return add_forced(c, c->second.pairs, moment, column, pool, arena, error);
}

// ---- strains ----

// Products of all two motions over the body: of strains as energy, of displacements as mass.
typedef struct {
    swReal *energy, *mass; // [n][n]
    swReal stiffness;      // the body's volume times shear moduli [J]
} swProducts;

// Voxels on the way to them, side by side.
typedef struct {
    int count;
    swFieldPoint point[SW_FIELD_POINTS];
    swPointMatrices D;            // stiffness of each,
    swReal mass[SW_FIELD_POINTS]; // and mass
    swReal *stress;               // [n][vectors][6][lanes]
    swReal *move, *momentum;      // [n][vectors][3][lanes]
    swReal *energy, *work;        // [n][n][lanes]: sums
} swLook;

static void add_products(swCorrecting *c, swLook *look) {
    const int n = c->n, vectors = (look->count + SW_LANES - 1) / SW_LANES;
    const swFields *f = &c->fields;
    enum { MOVE = 3 * SW_FIELD_POINTS };
    for (int p = look->count; p < vectors * SW_LANES; p++)
        look->mass[p] = 0;
    sw_fields_at(&c->fields, look->count, look->point);
    if (c->second.n > 0) {
        sw_second_at(&c->second, look->count, look->point);
        for (int k = 0; k < c->second.pairs * SW_FIELD_STRAIN; k++)
            f->strain[c->pair * SW_FIELD_STRAIN + k] += c->second.lack[k];
    }
    for (int k = 0; k < n * vectors; k++) {
        const int field = k / vectors, i = k % vectors;
        const swReal *E = f->strain + field * SW_FIELD_STRAIN + i * 6 * SW_LANES,
                     *D = f->D + 3 * field * 4 * SW_FIELD_POINTS + i * 4 * SW_LANES;
        const swWide mass = sw_wide_load(look->mass + i * SW_LANES);
        sw_matrices_apply(&look->D, i, E,
                          look->stress + field * SW_FIELD_STRAIN + 6 * i * SW_LANES);
        for (int r = 0; r < 3; r++) {
            const int at = field * MOVE + (3 * i + r) * SW_LANES;
            const swWide x = sw_wide_load(D + (4 * SW_FIELD_POINTS) * r + 3 * SW_LANES);
            sw_wide_store(look->move + at, x);
            sw_wide_store(look->momentum + at, mass * x);
        }
    }
    sw_tiles_accumulate(n, n, 6 * vectors, (swRows){f->strain, SW_FIELD_STRAIN, SW_LANES},
                        (swRows){look->stress, SW_FIELD_STRAIN, SW_LANES}, look->energy, n, true);
    sw_tiles_accumulate(n, n, 3 * vectors, (swRows){look->move, MOVE, SW_LANES},
                        (swRows){look->momentum, MOVE, SW_LANES}, look->work, n, true);
    look->count = 0;
    sw_matrices_clear(&look->D);
}

// The middle of a voxel's points, from `first` on.
static void look_at_voxel(swCorrecting *c, int brick, int first, swLook *look, swProducts *out) {
    const swBricks *b = c->b;
    const swVoxel *v = &b->grid->voxel[b->point[first].voxel];
    const swBrickStuff *stuff = &c->stuff[v->stuff];
    swReal volume;
    const swVec3 p = sw_brick_middle(b, first, &volume);
    if (!(volume > 0))
        return;
    const swReal share = volume * sw_brick_share(v, c->stuff);
    set_skin(c, &c->fields, look->count, p, first);
    if (c->second.n > 0)
        sw_fields_skin(&c->second.fields, look->count, c->N, (const swReal(*)[3])c->G);
    look->point[look->count] = (swFieldPoint){p, brick, v->stuff};
    sw_matrices_set(&look->D, look->count, share, stuff->D);
    look->mass[look->count] = volume * v->density * c->stuff[v->material].density;
    out->stiffness += share * stuff->shear;
    if (++look->count == SW_FIELD_POINTS)
        add_products(c, look);
}

static bool create_look(swCorrecting *c, swLook *look, swArena *arena, swError *error) {
    const size_t n = (size_t)c->n;
    *look = (swLook){.stress = SW_NEW(arena, n * SW_FIELD_STRAIN, swReal, error),
                     .move = SW_NEW(arena, n * 3 * SW_FIELD_POINTS, swReal, error),
                     .momentum = SW_NEW(arena, n * 3 * SW_FIELD_POINTS, swReal, error),
                     .energy = SW_NEW(arena, n * n * SW_LANES, swReal, error),
                     .work = SW_NEW(arena, n * n * SW_LANES, swReal, error)};
    return look->stress && look->move && look->momentum && look->energy && look->work &&
           sw_fields_create(&c->fields, c->b, c->n, c->Y, c->nm, c->V, true, arena, error);
}

static bool sum_products(swCorrecting *c, swPool *pool, swArena *arena, swProducts *out,
                         swError *error) {
    const swBricks *b = c->b;
    const size_t n = (size_t)c->n;
    swLook look;
    if (!create_look(c, &look, arena, error))
        return false;
    for (int brick = 0; brick < b->n; brick++) {
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        for (int k = b->start[brick]; k < b->start[brick + 1]; k += 8)
            look_at_voxel(c, brick, k, &look, out);
    }
    if (look.count > 0)
        add_products(c, &look);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            const size_t at = (i * n + j) * SW_LANES;
            out->energy[i * n + j] = out->energy[j * n + i] =
                sw_wide_sum(sw_wide_load(look.energy + at));
            out->mass[i * n + j] = out->mass[j * n + i] = sw_wide_sum(sw_wide_load(look.work + at));
        }
    return true;
}

// Motions of drivers and of uniform stress count as much as the most important one of frames and
// loads, unless they strain nothing, as where nothing else holds the body.
static void level(swCorrecting *c, swProducts *p) {
    swReal most = 0;
    for (int i = 0; i < c->nweighed; i++)
        most = sw_max(most, p->energy[(ptrdiff_t)i * (c->n + 1)]);
    for (int i = c->nweighed; i < c->pair; i++) {
        const swReal own = p->energy[(ptrdiff_t)i * (c->n + 1)],
                     scale = own > 1e-6 * p->stiffness ? sqrt(most / own) : 0;
        for (int a = 0; a < c->nu; a++)
            c->Y[(ptrdiff_t)i * c->nu + a] *= scale;
        for (int a = 0; a < 3 * c->nm; a++)
            c->V[(ptrdiff_t)i * 3 * c->nm + a] *= scale;
        for (int j = 0; j < c->n; j++) {
            p->energy[(ptrdiff_t)i * c->n + j] *= scale;
            p->energy[(ptrdiff_t)j * c->n + i] *= scale;
            p->mass[(ptrdiff_t)i * c->n + j] *= scale;
            p->mass[(ptrdiff_t)j * c->n + i] *= scale;
        }
    }
}

// ---- modes ----

// What the answers to loads are made of: of the modes V, what comes nearest to their strains.
static bool find_answers(const swCorrecting *c, const swProducts *p, const swReal *V, int n,
                         swArena *arena, swCorrectors *out, swError *error) {
    const int np = c->pair, stride = sw_cholesky_stride(n), all = c->nq + n;
    swReal *E = SW_NEW(arena, (size_t)n * (size_t)stride, swReal, error),
           *work = SW_NEW(arena, (size_t)n * (size_t)np, swReal, error);
    out->answer = SW_NEW(arena, (size_t)c->skin->nload * (size_t)all, swReal, error);
    if (!E || !work || !out->answer)
        return false;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < np; i++)
            work[(ptrdiff_t)k * np + i] =
                sw_dot_n(np, p->energy + (ptrdiff_t)i * c->n, V + (ptrdiff_t)k * np);
    for (int k = 0; k < n; k++)
        for (int l = 0; l <= k; l++)
            E[(ptrdiff_t)k * stride + l] =
                sw_dot_n(np, work + (ptrdiff_t)k * np, V + (ptrdiff_t)l * np);
    for (int k = 0; k < n; k++)
        E[(ptrdiff_t)k * (stride + 1)] *= 1 + 1e-10; // modes may nearly depend on each other
    if (sw_cholesky_factor(n, n, E, stride) != n)
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "what frames lack was not found");
    for (int load = 0; load < c->skin->nload; load++) {
        swReal *to = out->answer + (ptrdiff_t)load * all;
        memcpy(to, c->answer + (ptrdiff_t)load * c->nq, (size_t)c->nq * sizeof *to);
        for (int k = 0; k < n; k++)
            to[c->nq + k] = work[(ptrdiff_t)k * np + c->nframe + load];
        sw_cholesky_solve(n, E, stride, to + c->nq);
    }
    return true;
}

// Modes of second order come after those of first order, and have as much energy as one of these
// at least: as displacements they would have, loads would take them for motions of first order.
static bool keep_modes(swCorrecting *c, const swProducts *p, int count, swArena *arena,
                       swCorrectors *out, swError *error) {
    const int pairs = c->second.pairs;
    const ptrdiff_t second = (ptrdiff_t)c->pair * (c->n + 1);
    swReal *V = SW_NEW(arena, (size_t)c->pair * (size_t)c->pair, swReal, error), most = 0;
    out->share = SW_NEW(arena, (size_t)pairs * (size_t)pairs + 1, swReal, error);
    if (!V || !out->share)
        return false;
    const int n = sw_modes_combine(c->n, p->energy, p->mass, c->pair, count, arena, V, error),
              more = pairs == 0 || n < 0
                         ? 0
                         : sw_modes_combine(c->n, p->energy + second, p->energy + second, pairs,
                                            pairs, arena, out->share, error);
    if (n < 0 || more < 0 || !find_answers(c, p, V, n, arena, out, error))
        return false;
    out->nfirst = n;
    out->n = n + more;
    out->nsoft = more > 0 ? c->second.n : 0;
    out->soft_u = c->Y;
    out->soft_c = c->V;
    out->u = SW_NEW(arena, (size_t)out->n * (size_t)c->nu, swReal, error);
    out->c = SW_NEW(arena, 3 * (size_t)out->n * (size_t)c->nm, swReal, error);
    if (!out->u || !out->c)
        return false;
    for (int k = 0; k < n; k++) {
        const swReal *v = V + (ptrdiff_t)k * c->pair;
        swReal own = 0;
        for (int i = 0; i < c->pair; i++)
            own += v[i] * sw_dot_n(c->pair, p->energy + (ptrdiff_t)i * c->n, v);
        most = sw_max(most, own);
    }
    for (int k = 0; k < more * pairs; k++)
        out->share[k] *= sqrt(most);
    combine_fields(n, c->nu, c->pair, V, c->pair, c->Y, out->u);
    combine_fields(n, 3 * c->nm, c->pair, V, c->pair, c->V, out->c);
    combine_fields(more, c->nu, pairs, out->share, pairs, c->Y + (ptrdiff_t)c->pair * c->nu,
                   out->u + (ptrdiff_t)n * c->nu);
    combine_fields(more, 3 * c->nm, pairs, out->share, pairs, c->V + (ptrdiff_t)c->pair * 3 * c->nm,
                   out->c + (ptrdiff_t)n * 3 * c->nm);
    return true;
}

bool sw_correctors_create(const swBricks *b, const swBrickStuff *stuff, const swBrickMatrix *matrix,
                          swReal ground, const swSkin *skin, int count, swPool *pool,
                          swArena *arena, swCorrectors *out, swError *error) {
    swCorrecting correcting = {.b = b,
                               .stuff = stuff,
                               .matrix = matrix,
                               .skin = skin,
                               .nc = skin->nfree,
                               .nq = skin->nmotion,
                               .nm = skin->nmoving,
                               .nu = 3 * b->nnode},
                 *c = &correcting;
    const size_t nc = (size_t)c->nc, nm = (size_t)c->nm, nq = (size_t)(c->nq + more_motions(skin));
    *out = (swCorrectors){0};
    c->B = SW_NEW(arena, nc * (size_t)b->nnode, swReal, error);
    c->M = SW_NEW(arena, nm * nm, swReal, error);
    c->Y = SW_NEW(arena, (size_t)c->nq * (size_t)c->nu, swReal, error);
    c->V = SW_NEW(arena, nq * 3 * nm, swReal, error);
    c->value = SW_NEW(arena, nq, swReal, error);
    swReal *moment = SW_NEW(arena, nq, swReal, error);
    swVec3 *column = SW_NEW(arena, nc, swVec3, error);
    c->N = SW_NEW(arena, skin->ncolumn, swReal, error);
    c->G = (swReal(*)[3])SW_NEW(arena, 3 * (size_t)skin->ncolumn, swReal, error);
    c->one_N = SW_NEW(arena, skin->ncolumn, swReal, error);
    c->one_G = (swReal(*)[3])SW_NEW(arena, 3 * (size_t)skin->ncolumn, swReal, error);
    if (!c->B || !c->M || !c->Y || !c->V || !c->N || !c->G || !c->one_N || !c->one_G || !c->value ||
        !moment || !column || !add_moments(c, pool, arena, error))
        return false;
    out->mass = c->M;
    swReal density = INFINITY;
    for (int v = 0; v < b->grid->nvoxel; v++) {
        const swVoxel *voxel = &b->grid->voxel[v];
        density = sw_min(density, voxel->density * stuff[voxel->material].density);
    }
    if (!solve_all(c, pool, arena, error))
        return false;
    if (!find_motions(c, 100 * ground / density, column, arena, error))
        return false;
    if (c->n == 0)
        return true;
    c->nframe = c->n;
    if (!add_more_motions(c, moment, column, pool, arena, error) ||
        (has_slack(c) && !add_slack(c, moment, column, pool, arena, error)) ||
        !add_second(c, sw_min_int(SW_SOFT_MOTIONS, c->nframe), moment, column, pool, arena, error))
        return false;
    const size_t n = (size_t)c->n;
    swProducts products = {.energy = SW_NEW(arena, n * n, swReal, error),
                           .mass = SW_NEW(arena, n * n, swReal, error)};
    if (!products.energy || !products.mass || !sum_products(c, pool, arena, &products, error))
        return false;
    level(c, &products);
    return keep_modes(c, &products, count, arena, out, error);
}
