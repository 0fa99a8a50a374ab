// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// With B = R^T A, G = K d and the torque t = sum over columns of B_c x G_c,
//   dB = R^T dA - w x B,  w = D^-1 ax(R^T dA Gamma),  D = tr(S) - S,  S = R^T A Gamma,
//   R^T dE/dA = g = G - (D^-1 t) x Gamma.
// Let W, L and Q be the maps X -> w, w -> w x B and X -> sum g_c x X_c. Then the Hessian, in axes
// that turn with R, is
//   (1 - L W)^T K (1 - L W) + Q^T W + W^T Q - W^T Q L W = K + Y^T W + W^T Y,
//   Y = Q - (K L)^T + (L^T K L - Q L) W / 2.
// Without Q it is positive semidefinite. Strains take J^T J off, J = sum over e of C_e (1 - L W)
// R^T, and G is then K d - C_e^T b. Strains with amplitudes have J as their stiffness with nodes,
// and sums of volume add the square of theirs.
#include "potentials/links.h"

#include "math/svd_wide.h"
#include "potentials/potential.h"

#include <string.h>

enum { NOW, LAST, BEFORE, TIMES };
enum { VECTORS = 12 };                    // of scratch: L, K L, W, Y
static const swReal least_stretch = 1e-9; // of two singular values together, at least

// What a link's arrays in the model are.
typedef struct {
    const swLink *link;
    int n, stride;
    const swReal *gamma, *rest, *K, *strains;
} swLinkData;

// Rows that links share: of strains, and of sums of volume.
static int rows_of(const swLink *s) { return s->nstrain + s->nsquare; }

static swLinkData data_of(const swBodyModel *m, int link) {
    const swLink *s = &m->link[link];
    const int n = s->ncolumn;
    const swReal *data = m->link_data + s->data;
    const swReal *K = data + 6 * n;
    const int stride = sw_link_stride(n);
    return (swLinkData){s, n, stride, data, data + 3 * n, K, K + (ptrdiff_t)3 * n * stride};
}

typedef struct {
    const swBodyModel *model;
    const swLinkWork *work;
    const swElasticInput *input;
    bool damped, gradient, hessian, semidefinite;
} swLinkJob;

bool sw_links_create(swLinkWork *work, const swBodyModel *m, int workers, swArena *arena,
                     swError *error) {
    const int64_t n = m->size.nlink;
    work->task = SW_NEW(arena, n, swLinkTask, error);
    work->scratch = SW_NEW(arena, workers, swReal *, error);
    if (!work->task || !work->scratch)
        return false;
    work->stride = 0;
    for (int64_t i = 0; i < n; i++) {
        const swLink *s = &m->link[i];
        const size_t rows = 3 * (size_t)s->nfree;
        work->stride = sw_max_int(work->stride, sw_link_stride(s->ncolumn));
        swLinkTask *task = &work->task[i];
        swReal *vector = SW_NEW(arena, (size_t)(TIMES + 1) * work->stride, swReal, error);
        task->force = SW_NEW(arena, 3 * s->ncolumn, swReal, error);
        task->H = SW_NEW(arena, rows * rows, swReal, error);
        const size_t shared = s->tied > 0 ? (size_t)rows_of(s) : 0;
        task->J = SW_NEW(arena, shared * 3 * (size_t)s->ncolumn, swReal, error);
        task->b = SW_NEW(arena, shared, swReal, error);
        task->r = SW_NEW(arena, shared, swReal, error);
        if (!vector || !task->force || !task->H || !task->J || !task->b || !task->r)
            return false;
        for (int time = 0; time < TIMES; time++)
            task->B[time] = vector + (ptrdiff_t)time * work->stride;
        task->g = vector + (ptrdiff_t)TIMES * work->stride;
    }
    for (int w = 0; w < workers; w++)
        if (!(work->scratch[w] = SW_NEW(arena, VECTORS * (size_t)work->stride, swReal, error)))
            return false;
    return true;
}

// ---- where parts are ----

// The matrices of a link's nodes about the mean of their positions.
static void gather(const swBodyModel *m, const swLinkData *s, const swReal *q, swReal *A) {
    const int n = s->n, nnode = s->link->nnode, *node = m->link_node + s->link->node;
    swReal mean[3] = {0};
    for (int i = 0; i < nnode; i++)
        for (int r = 0; r < 3; r++)
            mean[r] += q[m->node[node[i]].q + r * m->node[node[i]].width] / nnode;
    for (int i = 0, column = 0; i < nnode; i++) {
        const int width = m->node[node[i]].width;
        for (int r = 0; r < 3; r++) {
            memcpy(A + r * n + column, q + m->node[node[i]].q + r * width,
                   (size_t)width * sizeof *A);
            A[r * n + column] -= mean[r];
        }
        column += width;
    }
}

// A Gamma
static swMat3 mean_gradient(const swLinkData *s, const swReal *A) {
    swMat3 F;
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            F.m[3 * r + k] = sw_dot_n(s->n, A + r * s->n, s->gamma + k * s->n);
    return F;
}

static swVec3 at(const swReal *X, int n, int c) { return sw_v3(X[c], X[n + c], X[2 * n + c]); }
static void set(swReal *X, int n, int c, swVec3 v) {
    X[c] = v.x;
    X[n + c] = v.y;
    X[2 * n + c] = v.z;
}

// X := M X
static void turn(swMat3 M, int n, swReal *X) {
    for (int c = 0; c < n; c++)
        set(X, n, c, sw_mul(M, at(X, n, c)));
}

static swMat3 lane_of(const swWide M[9], int lane) {
    swMat3 out;
    for (int k = 0; k < 9; k++) {
        swReal lanes[SW_LANES];
        sw_wide_store(lanes, M[k]);
        out.m[k] = lanes[lane];
    }
    return out;
}

// B of up to SW_LANES links from `first` on at a time; now, also how they are turned.
static void place(const swLinkJob *job, int first, int count, const swReal *q, int time) {
    const swBodyModel *m = job->model;
    swLinkTask *task = job->work->task + first;
    swReal lanes[9][SW_LANES], pair[3][SW_LANES];
    swWide F[9], U[9], V[9], stretch[3];
    for (int i = 0; i < SW_LANES; i++) {
        swMat3 mean = sw_mat_identity();
        if (i < count) {
            const swLinkData data = data_of(m, first + i);
            gather(m, &data, q, task[i].B[time]);
            mean = mean_gradient(&data, task[i].B[time]);
        }
        for (int k = 0; k < 9; k++)
            lanes[k][i] = mean.m[k];
    }
    for (int k = 0; k < 9; k++)
        F[k] = sw_wide_load(lanes[k]);
    sw_wide_svd(F, U, stretch, V);
    for (int k = 0; k < 3; k++)
        sw_wide_store(pair[k], stretch[(k + 1) % 3] + stretch[(k + 2) % 3]);
    for (int i = 0; i < count; i++) {
        const swMat3 v = lane_of(V, i), R = sw_mat_mul(lane_of(U, i), sw_mat_t(v));
        turn(sw_mat_t(R), m->link[first + i].ncolumn, task[i].B[time]);
        if (time != NOW)
            continue;
        swReal d[3];
        for (int k = 0; k < 3; k++)
            d[k] = 1 / sw_max(pair[k][i], least_stretch);
        task[i].R = R;
        task[i].inverse = sw_mat_mul(v, sw_mat_mul(sw_mat_diag(d[0], d[1], d[2]), sw_mat_t(v)));
    }
}

// How much the energy of each time counts: that of d, and of d less what it was.
static void find_rates(const swLinkJob *job, const swLink *s, swReal rate[TIMES]) {
    const swElasticInput *in = job->input;
    const swReal damping = job->model->body[s->body].damping_stiffness + in->damping;
    const swRates rates =
        job->damped ? sw_rates(damping, in->h, in->q_before != NULL) : (swRates){0};
    rate[NOW] = 1;
    rate[LAST] = rates.last;
    rate[BEFORE] = rates.before;
}

static void find_change(const swLinkData *s, const swLinkTask *task, int time, swReal *d) {
    const swReal *from = time == NOW ? s->rest : task->B[time];
    for (int i = 0; i < 3 * s->n; i++)
        d[i] = task->B[NOW][i] - from[i];
}

// ---- one link ----

// y = K x of `count` vectors at once, which are `stride` apart; K is symmetric, so that its padded
// rows are columns.
SW_INLINE void multiply_all(const swLinkData *s, int count, const swReal *x, swReal *y) {
    enum { WIDE = 2, MOST = 4 };
    const int rows = 3 * s->n;
    for (int at = 0; at < s->stride; at += WIDE * SW_LANES) {
        const int n = sw_min_int(WIDE, (s->stride - at) / SW_LANES);
        const swReal *K = s->K + at;
        swWide sum[MOST][WIDE];
        memset(sum, 0, sizeof sum);
        for (int j = 0; j < rows; j++, K += s->stride) {
            const swWide first = sw_wide_load(K), last = sw_wide_load(K + (n - 1) * SW_LANES);
            for (int v = 0; v < count; v++) {
                const swWide xj = sw_wide(x[v * s->stride + j]);
                sum[v][0] = sw_wide_fma(first, xj, sum[v][0]);
                sum[v][1] = sw_wide_fma(last, xj, sum[v][1]);
            }
        }
        for (int v = 0; v < count; v++)
            for (int i = 0; i < n; i++)
                sw_wide_store(y + v * s->stride + at + i * SW_LANES, sum[v][i]);
    }
}
static void multiply(const swLinkData *s, const swReal *x, swReal *y) { multiply_all(s, 1, x, y); }
static void multiply_three(const swLinkData *s, const swReal *x, swReal *y) {
    multiply_all(s, 3, x, y);
}

// G += factor K x, y being scratch; returns factor x^T K x / 2.
static swReal pull(const swLinkData *s, swReal factor, const swReal *x, swReal *y, swReal *G) {
    const int n = 3 * s->n;
    multiply(s, x, y);
    for (int i = 0; i < n; i++)
        G[i] += factor * y[i];
    return 0.5 * factor * sw_dot_n(n, x, y);
}

// The rows of H, up to the end of a node's own columns: those of K, and Y^T W + W^T Y, all in the
// world's axes. T is scratch.
static void find_rows(const swBodyModel *m, const swLinkData *s, swReal scale, swMat3 R,
                      const swReal *W, const swReal *Y, swReal *restrict T, swReal *restrict H) {
    const int n = s->n, nfree = s->link->nfree, size = 3 * nfree, stride = s->stride,
              *node = m->link_node + s->link->node;
    const ptrdiff_t next = (ptrdiff_t)n * stride;
    for (int a = 0, end = 0; a < nfree; a++) {
        end += a == end ? m->node[*node++].width : 0;
        for (int r = 0; r < 3; r++) {
            const swReal x = scale * R.m[3 * r], y = scale * R.m[3 * r + 1],
                         z = scale * R.m[3 * r + 2];
            const int at = r * n + a;
            const swReal w0 = W[at], w1 = W[stride + at], w2 = W[2 * stride + at], y0 = Y[at],
                         y1 = Y[stride + at], y2 = Y[2 * stride + at];
            for (int c = 0; c < 3; c++) {
                const swReal *K = s->K + (ptrdiff_t)a * stride + c * n;
                for (int b = 0; b < end; b++)
                    T[c * n + b] = x * K[b] + y * K[next + b] + z * K[2 * next + b];
            }
            for (int c = 0; c < 3; c++) {
                const swReal *Rc = R.m + 3 * c, *w = W + c * n, *u = Y + c * n;
                swReal *row = H + (ptrdiff_t)(r * nfree + a) * size + c * nfree;
                for (int b = 0; b < end; b++)
                    row[b] = Rc[0] * T[b] + Rc[1] * T[n + b] + Rc[2] * T[2 * n + b] +
                             (y0 * w[b] + w0 * u[b]) + (y1 * w[stride + b] + w1 * u[stride + b]) +
                             (y2 * w[2 * stride + b] + w2 * u[2 * stride + b]);
            }
        }
    }
}

// The Hessian, from B and g. `scale` is that of K, damping included.
static void find_stiffness(const swLinkJob *job, const swLinkData *s, const swLinkTask *task,
                           swReal scale, swReal *scratch) {
    static const swVec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int n = s->n, stride = s->stride;
    const swReal *B = task->B[NOW], *g = task->g;
    swReal *L = scratch, *KL = L + 3 * stride, *W = KL + 3 * stride, *Y = W + 3 * stride;
    swReal Z[9] = {0};
    const swReal curved = job->semidefinite ? 0 : 1; // what Q counts
    for (int k = 0; k < 3; k++) {
        const swVec3 axis = sw_mul(task->inverse, e[k]);
        for (int c = 0; c < n; c++) {
            set(L + k * stride, n, c, sw_cross(e[k], at(B, n, c)));
            set(W + k * stride, n, c, sw_cross(axis, at(s->gamma, n, c)));
        }
    }
    multiply_three(s, L, KL);
    for (int c = 0; c < n; c++) { // Q L
        const swVec3 b = at(B, n, c), f = sw_scale(curved, at(g, n, c));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                Z[3 * i + j] += (i == j ? sw_dot(f, b) : 0) -
                                0.5 * (sw_get(b, i) * sw_get(f, j) + sw_get(b, j) * sw_get(f, i));
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            Z[3 * i + j] = scale * sw_dot_n(3 * n, L + i * stride, KL + j * stride) - Z[3 * i + j];
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < n; c++) {
            swVec3 y = sw_scale(curved, sw_cross(e[k], at(g, n, c)));
            y = sw_madd(y, -scale, at(KL + k * stride, n, c));
            for (int j = 0; j < 3; j++)
                y = sw_madd(y, 0.5 * Z[3 * k + j], at(W + j * stride, n, c));
            set(Y + k * stride, n, c, y);
        }
    for (int k = 0; k < 3; k++) {
        turn(task->R, n, W + k * stride);
        turn(task->R, n, Y + k * stride);
    }
    find_rows(job->model, s, scale, task->R, W, Y, L, task->H);
}

// X less what turns the part: a link's forces have no torque.
static void balance(const swLinkData *s, const swLinkTask *task, const swReal *X, swReal *out) {
    const int n = s->n;
    swVec3 torque = {0, 0, 0};
    for (int c = 0; c < n; c++)
        torque = sw_add(torque, sw_cross(at(task->B[NOW], n, c), at(X, n, c)));
    const swVec3 about = sw_mul(task->inverse, torque);
    for (int c = 0; c < n; c++)
        set(out, n, c, sw_sub(at(X, n, c), sw_cross(about, at(s->gamma, n, c))));
}

// First all links are placed and pulled by themselves, as many at once as there are lanes.
static void pull_springs(int start, int end, int worker, void *arg) {
    const swLinkJob *job = arg;
    const swElasticInput *in = job->input;
    const swReal *q[TIMES] = {in->q, in->q_last, in->q_before};
    swReal *d = job->work->scratch[worker], *y = d + job->work->stride;
    for (int first = start * SW_LANES; first < end * SW_LANES; first += SW_LANES) {
        const int count = sw_min_int(SW_LANES, (int)job->model->size.nlink - first);
        for (int time = 0; time < (job->damped ? TIMES : 1); time++)
            if (q[time])
                place(job, first, count, q[time], time);
        for (int i = first; i < first + count; i++) {
            const swLinkData s = data_of(job->model, i);
            swLinkTask *task = &job->work->task[i];
            swReal rate[TIMES];
            find_rates(job, s.link, rate);
            memset(task->g, 0, (size_t)(3 * s.n) * sizeof *task->g);
            task->energy = 0;
            for (int time = 0; time < TIMES; time++) {
                if (rate[time] == 0)
                    continue;
                find_change(&s, task, time, d);
                task->energy += pull(&s, rate[time], d, y, task->g);
            }
        }
    }
}

// b := rows of all links that share them, times how these have changed since `time`. d is scratch.
static void sum_rows(const swLinkJob *job, int first, int time, swReal *d, swReal *b) {
    const swLink *tie = &job->model->link[first];
    memset(b, 0, (size_t)rows_of(tie) * sizeof *b);
    for (int i = first; i < first + tie->tied; i++) {
        const swLinkData s = data_of(job->model, i);
        find_change(&s, &job->work->task[i], time, d);
        for (int k = 0; k < rows_of(tie); k++)
            b[k] += sw_dot_n(3 * s.n, s.strains + k * s.stride, d);
    }
}

// g of these links += rate rows^T b.
static void spread_rows(const swLinkJob *job, int first, swReal rate, const swReal *b) {
    const swLink *tie = &job->model->link[first];
    for (int i = first; i < first + tie->tied; i++) {
        const swLinkData s = data_of(job->model, i);
        swReal *g = job->work->task[i].g;
        for (int k = 0; k < rows_of(tie); k++)
            for (int x = 0; x < 3 * s.n; x++)
                g[x] += rate * b[k] * s.strains[k * s.stride + x];
    }
}

// Strains whose amplitudes are unknowns: b becomes (a, m), by which links are pulled.
static void pull_amplitudes(const swLinkJob *job, int first, swReal rate, const swReal *a,
                            const swReal *last, swReal *b) {
    const swLink *tie = &job->model->link[first];
    const int n = tie->nstrain;
    const swReal *K = job->model->link_data + tie->shared, *M = K + (ptrdiff_t)n * n;
    swLinkTask *task = &job->work->task[first];
    swReal z[SW_MAX_MODES];
    for (int k = 0; k < n; k++)
        z[k] = a[k] - (last ? last[k] : 0);
    for (int f = 0; f < tie->nsquare; f++) {
        swReal *m = &b[n + f];
        *m += sw_dot_n(n, M + (ptrdiff_t)f * n, z);
        task->energy += 0.5 * rate * *m * *m;
        for (int k = 0; k < n; k++)
            task->r[k] += rate * *m * M[(ptrdiff_t)f * n + k];
    }
    for (int k = 0; k < n; k++) {
        const swReal own = sw_dot_n(n, K + (ptrdiff_t)k * n, z);
        task->r[k] += rate * (b[k] + own);
        task->energy += rate * z[k] * (b[k] + 0.5 * own);
    }
    memcpy(b, z, (size_t)n * sizeof *b);
}

// Then the strains of those that share them: they give way, or pull with their amplitudes.
static void relax_springs(int start, int end, int worker, void *arg) {
    const swLinkJob *job = arg;
    const swElasticInput *in = job->input;
    const swReal *q[TIMES] = {NULL, in->q_last, in->q_before};
    for (int first = start; first < end; first++) {
        const swLink *tie = &job->model->link[first];
        swLinkTask *task = &job->work->task[first];
        swReal rate[TIMES];
        if (tie->tied == 0 || tie->nstrain == 0)
            continue;
        const int at =
            tie->amplitudes < 0 ? 0 : sw_node_ambient(&job->model->node[tie->amplitudes]);
        find_rates(job, tie, rate);
        memset(task->r, 0, (size_t)tie->nstrain * sizeof *task->r);
        for (int time = 0; time < TIMES; time++) {
            if (rate[time] == 0)
                continue;
            sum_rows(job, first, time, job->work->scratch[worker], task->b);
            if (tie->amplitudes < 0)
                task->energy -= 0.5 * rate[time] * sw_dot_n(tie->nstrain, task->b, task->b);
            else
                pull_amplitudes(job, first, rate[time], in->q + at, q[time] ? q[time] + at : NULL,
                                task->b);
            spread_rows(job, first, tie->amplitudes < 0 ? -rate[time] : rate[time], task->b);
        }
    }
}

// Then forces and stiffness of each.
static void turn_springs(int start, int end, int worker, void *arg) {
    const swLinkJob *job = arg;
    for (int i = start; i < end; i++) {
        const swLinkData s = data_of(job->model, i);
        swLinkTask *task = &job->work->task[i];
        swReal rate[TIMES];
        find_rates(job, s.link, rate);
        balance(&s, task, task->g, task->g);
        memcpy(task->force, task->g, (size_t)(3 * s.n) * sizeof *task->g);
        turn(task->R, s.n, task->force);
        if (job->hessian)
            find_stiffness(job, &s, task, rate[NOW] + rate[LAST] + rate[BEFORE],
                           job->work->scratch[worker]);
    }
}

// H += scale J^T J of `count` rows, as far as find_rows() goes.
static void add_square(const swBodyModel *m, const swLink *s, swReal scale, int count,
                       const swReal *J, swReal *H) {
    const int n = s->ncolumn, nfree = s->nfree, *node = m->link_node + s->node;
    for (int a = 0, end = 0; a < nfree; a++) {
        end += a == end ? m->node[*node++].width : 0;
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < count; k++) {
                const swReal *row = J + (ptrdiff_t)k * 3 * n, x = scale * row[r * n + a];
                for (int c = 0; c < 3; c++) {
                    swReal *to = H + (ptrdiff_t)(r * nfree + a) * 3 * nfree + c * nfree;
                    for (int b = 0; b < end; b++)
                        to[b] += x * row[c * n + b];
                }
            }
    }
}

// And what strains take off the stiffness, or sums of volume add to it: from, or to, that of the
// first link that has them. How forces on amplitudes change with nodes is left in J.
static void soften_springs(int start, int end, int worker, void *arg) {
    const swLinkJob *job = arg;
    swReal *row = job->work->scratch[worker];
    for (int first = start; first < end; first++) {
        const swLink *tie = &job->model->link[first];
        const int n = tie->ncolumn, nstrain = tie->nstrain;
        swLinkTask *task = &job->work->task[first];
        swReal rate[TIMES], *J = task->J;
        if (tie->tied == 0 || nstrain == 0)
            continue;
        find_rates(job, tie, rate);
        const swReal scale = rate[NOW] + rate[LAST] + rate[BEFORE];
        memset(J, 0, (size_t)(rows_of(tie) * 3 * n) * sizeof *J);
        for (int i = first; i < first + tie->tied; i++) {
            const swLinkData s = data_of(job->model, i);
            for (int k = 0; k < rows_of(tie); k++) {
                balance(&s, &job->work->task[i], s.strains + k * s.stride, row);
                turn(job->work->task[i].R, n, row);
                for (int x = 0; x < 3 * n; x++)
                    J[k * 3 * n + x] += row[x];
            }
        }
        if (tie->amplitudes < 0) {
            add_square(job->model, tie, -scale, nstrain, J, task->H);
            continue;
        }
        add_square(job->model, tie, scale, tie->nsquare, J + (ptrdiff_t)nstrain * 3 * n, task->H);
        const swReal *M = job->model->link_data + tie->shared + (ptrdiff_t)nstrain * nstrain;
        for (int f = 0; f < tie->nsquare; f++)
            for (int k = 0; k < nstrain; k++)
                for (int x = 0; x < 3 * n; x++)
                    J[k * 3 * n + x] += M[f * nstrain + k] * J[(nstrain + f) * 3 * n + x];
        for (int x = 0; x < nstrain * 3 * n; x++)
            J[x] *= scale;
    }
}

// ---- sums ----

static void add_force(const swBodyModel *m, const swLinkData *s, const swReal *force, swReal *out) {
    const int *node = m->link_node + s->link->node;
    for (int i = 0, column = 0; i < s->link->nnode; i++) {
        const int width = m->node[node[i]].width;
        swReal *to = out + m->node[node[i]].q;
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < width; k++)
                to[r * width + k] += force[r * s->n + column + k];
        column += width;
    }
}

static void add_stiffness(const swBodyModel *m, const swLinkData *s, const swReal *K,
                          const swBlocks *H) {
    const int *node = m->link_node + s->link->node, nfree = s->link->nfree;
    for (int i = 0, ci = 0; ci < nfree; ci += m->node[node[i++]].width)
        for (int j = 0, cj = 0; cj < nfree; cj += m->node[node[j++]].width) {
            if (node[j] > node[i])
                continue;
            const int wi = m->node[node[i]].width, wj = m->node[node[j]].width;
            const swBlock block = sw_blocks_get(H, node[i], node[j]);
            for (int r = 0; r < 3 * wi; r++) {
                const swReal *row = K + (ptrdiff_t)(r / wi * nfree + ci + r % wi) * 3 * nfree + cj;
                swReal *to = block.data + r * block.stride;
                for (int c = 0; c < 3; c++)
                    for (int k = 0; k < wj; k++)
                        to[c * wj + k] += row[c * nfree + k];
            }
        }
}

// What amplitudes have: forces, their own stiffness, and that with nodes, which is in J.
static void add_amplitudes(const swLinkJob *job, int first, swSystem *out) {
    const swBodyModel *m = job->model;
    const swLink *s = &m->link[first];
    const swLinkTask *task = &job->work->task[first];
    const int n = s->nstrain, *node = m->link_node + s->node;
    const swReal *K = m->link_data + s->shared, *M = K + (ptrdiff_t)n * n;
    swReal rate[TIMES];
    for (int k = 0; k < n && out->g; k++)
        out->g[sw_node_ambient(&m->node[s->amplitudes]) + k] += task->r[k];
    if (!out->H)
        return;
    find_rates(job, s, rate);
    const swReal scale = rate[NOW] + rate[LAST] + rate[BEFORE];
    const swBlock own = sw_blocks_get(out->H, s->amplitudes, s->amplitudes);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            swReal k = K[(ptrdiff_t)i * n + j];
            for (int f = 0; f < s->nsquare; f++)
                k += M[(ptrdiff_t)f * n + i] * M[(ptrdiff_t)f * n + j];
            own.data[(ptrdiff_t)i * own.stride + j] += scale * k;
        }
    for (int e = 0, column = 0; column < s->nfree; column += m->node[node[e++]].width) {
        const int width = m->node[node[e]].width;
        const swBlock H = sw_blocks_get(out->H, s->amplitudes, node[e]);
        for (int k = 0; k < n; k++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < width; c++)
                    H.data[(ptrdiff_t)k * H.stride + r * width + c] +=
                        task->J[(3 * k + r) * s->ncolumn + column + c];
    }
}

void sw_links_add(const swBodyModel *m, const swLinkWork *work, swPool *pool,
                  const swElasticInput *input, swSystem *out) {
    swLinkJob job = {.model = m,
                     .work = work,
                     .input = input,
                     .gradient = out->g || out->H,
                     .hessian = out->H != NULL,
                     .semidefinite = out->projection != SW_PROJECT_NONE};
    const int n = (int)m->size.nlink;
    for (int64_t i = 0; i < m->size.nbody && input->q_last; i++)
        job.damped = job.damped || m->body[i].damping_stiffness + input->damping > 0;
    sw_parallel_for(pool, (n + SW_LANES - 1) / SW_LANES, 1, pull_springs, &job);
    sw_parallel_for(pool, n, 1, relax_springs, &job);
    if (job.gradient)
        sw_parallel_for(pool, n, 1, turn_springs, &job);
    if (job.hessian)
        sw_parallel_for(pool, n, 1, soften_springs, &job);
    for (int i = 0; i < n; i++) {
        const swLinkData s = data_of(m, i);
        out->energy += work->task[i].energy;
        if (out->g)
            add_force(m, &s, work->task[i].force, out->g);
        if (out->H)
            add_stiffness(m, &s, work->task[i].H, out->H);
        if (s.link->tied > 0 && s.link->amplitudes >= 0)
            add_amplitudes(&job, i, out);
    }
}

bool sw_links_inverted(const swBodyModel *m, const swLinkWork *work, const swReal *q) {
    for (int i = 0; i < m->size.nlink; i++) {
        const swLinkData s = data_of(m, i);
        gather(m, &s, q, work->scratch[0]);
        if (!(sw_mat_det(mean_gradient(&s, work->scratch[0])) > 0))
            return true;
    }
    return false;
}

// ---- in the table ----

static void add(const swTerm *t, swSystem *out) {
    if (t->elastic->links.task)
        sw_links_add(t->m, &t->elastic->links, t->s->pool, &t->in, out);
}

static bool couple(const swBodyModel *m, swCouple *visit, void *arg) {
    for (int64_t i = 0; i < m->size.nlink; i++)
        if (!visit(m->link[i].nnode, m->link_node + m->link[i].node, 0, NULL, arg))
            return false;
    return true;
}

const swPotential sw_potential_links = {
    .name = "links", .energy = SW_ENERGY_ELASTIC, .add = add, .couple = couple};
