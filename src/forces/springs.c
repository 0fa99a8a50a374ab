// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// With B = R^T A, G = K d and the torque t = sum over columns of B_c x G_c,
//   dB = R^T dA - w x B,  w = D^-1 ax(R^T dA Gamma),  D = tr(S) - S,  S = R^T A Gamma,
//   R^T dE/dA = g = G - (D^-1 t) x Gamma.
// Let W, L and Q be the maps X -> w, w -> w x B and X -> sum g_c x X_c. Then the Hessian, in axes
// that turn with R, is
//   (1 - L W)^T K (1 - L W) + Q^T W + W^T Q - W^T Q L W = K + Y^T W + W^T Y,
//   Y = Q - (K L)^T + (L^T K L - Q L) W / 2.
// Without Q it is positive semidefinite.
#include "forces/springs.h"

#include "forces/forces.h"
#include "math/svd_wide.h"

#include <string.h>

// Vectors of one spring in scratch: B of each lane now and in the past; d, K d and g; L, K L, W, Y.
enum { NOW, LAST, BEFORE, TIMES };
enum { VECTORS = TIMES * SW_LANES + 3 + 12 };
static const swReal least_stretch = 1e-9; // of two singular values together, at least

// What a spring's arrays in the model are.
typedef struct {
    const swJointSpring *spring;
    int n, stride;
    const swReal *gamma, *rest, *K;
} swSpringData;

static swSpringData data_of(const swModel *m, int spring) {
    const swJointSpring *s = &m->spring[spring];
    const int n = s->ncolumn;
    const swReal *data = m->spring_data + s->data;
    return (swSpringData){s, n, sw_spring_stride(n), data, data + 3 * n, data + 6 * n};
}

// A rotation of a part, and D^-1.
typedef struct {
    swMat3 R, inverse;
} swTurn;

typedef struct {
    const swModel *model;
    const swSpringWork *work;
    const swElasticInput *input;
    bool gradient, hessian, semidefinite;
} swSpringJob;

bool sw_springs_create(swSpringWork *work, const swModel *m, int workers, swArena *arena,
                       swError *error) {
    const int64_t n = m->size.nspring;
    work->task = SW_NEW(arena, n, swSpringTask, error);
    work->scratch = SW_NEW(arena, workers, swReal *, error);
    if (!work->task || !work->scratch)
        return false;
    work->stride = 0;
    for (int64_t i = 0; i < n; i++) {
        const swJointSpring *s = &m->spring[i];
        const size_t rows = 3 * (size_t)s->nfree;
        work->stride = sw_max_int(work->stride, sw_spring_stride(s->ncolumn));
        work->task[i].force = SW_NEW(arena, 3 * s->ncolumn, swReal, error);
        work->task[i].H = SW_NEW(arena, rows * rows, swReal, error);
        if (!work->task[i].force || !work->task[i].H)
            return false;
    }
    for (int w = 0; w < workers; w++)
        if (!(work->scratch[w] = SW_NEW(arena, VECTORS * (size_t)work->stride, swReal, error)))
            return false;
    return true;
}

// ---- where parts are ----

// The matrices of a spring's nodes about the mean of their positions.
static void gather(const swModel *m, const swSpringData *s, const swReal *q, swReal *A) {
    const int n = s->n, nnode = s->spring->nnode, *node = m->spring_node + s->spring->node;
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
static swMat3 mean_gradient(const swSpringData *s, const swReal *A) {
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

// B of up to SW_LANES springs from `first` on, one after the other, and how they are turned (may be
// NULL).
static void place(const swSpringJob *job, int first, int count, const swReal *q, swReal *B,
                  swTurn *out) {
    const swModel *m = job->model;
    swReal lanes[9][SW_LANES], pair[3][SW_LANES];
    swWide F[9], U[9], V[9], stretch[3];
    for (int i = 0; i < SW_LANES; i++) {
        swMat3 mean = sw_mat_identity();
        if (i < count) {
            const swSpringData data = data_of(m, first + i);
            gather(m, &data, q, B + (ptrdiff_t)i * job->work->stride);
            mean = mean_gradient(&data, B + (ptrdiff_t)i * job->work->stride);
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
        turn(sw_mat_t(R), m->spring[first + i].ncolumn, B + (ptrdiff_t)i * job->work->stride);
        if (!out)
            continue;
        swReal d[3];
        for (int k = 0; k < 3; k++)
            d[k] = 1 / sw_max(pair[k][i], least_stretch);
        out[i].R = R;
        out[i].inverse = sw_mat_mul(v, sw_mat_mul(sw_mat_diag(d[0], d[1], d[2]), sw_mat_t(v)));
    }
}

// ---- one spring ----

// y = K x of `count` vectors at once, which are `stride` apart; K is symmetric, so that its padded
// rows are columns.
SW_INLINE void multiply_all(const swSpringData *s, int count, const swReal *x, swReal *y) {
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
static void multiply(const swSpringData *s, const swReal *x, swReal *y) {
    multiply_all(s, 1, x, y);
}
static void multiply_three(const swSpringData *s, const swReal *x, swReal *y) {
    multiply_all(s, 3, x, y);
}

// G += factor K x, y being scratch; returns factor x^T K x / 2.
static swReal pull(const swSpringData *s, swReal factor, const swReal *x, swReal *y, swReal *G) {
    const int n = 3 * s->n;
    multiply(s, x, y);
    for (int i = 0; i < n; i++)
        G[i] += factor * y[i];
    return 0.5 * factor * sw_dot_n(n, x, y);
}

// The rows of H, up to the end of a node's own columns: those of K, and Y^T W + W^T Y, all in the
// world's axes. T is scratch.
static void find_rows(const swModel *m, const swSpringData *s, swReal scale, swMat3 R,
                      const swReal *W, const swReal *Y, swReal *restrict T, swReal *restrict H) {
    const int n = s->n, nfree = s->spring->nfree, size = 3 * nfree, stride = s->stride,
              *node = m->spring_node + s->spring->node;
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
static void find_stiffness(const swSpringJob *job, const swSpringData *s, const swTurn *turned,
                           swReal scale, const swReal *B, const swReal *g, swReal *scratch,
                           swReal *H) {
    static const swVec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int n = s->n, stride = s->stride;
    swReal *L = scratch, *KL = L + 3 * stride, *W = KL + 3 * stride, *Y = W + 3 * stride;
    swReal Z[9] = {0};
    const swReal curved = job->semidefinite ? 0 : 1; // what Q counts
    for (int k = 0; k < 3; k++) {
        const swVec3 axis = sw_mul(turned->inverse, e[k]);
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
        turn(turned->R, n, W + k * stride);
        turn(turned->R, n, Y + k * stride);
    }
    find_rows(job->model, s, scale, turned->R, W, Y, L, H);
}

// B now, at the last step and before, where there is damping.
static void run_spring(const swSpringJob *job, int index, const swTurn *turned, swRates rates,
                       swReal *const B[TIMES], swReal *scratch) {
    const swSpringData s = data_of(job->model, index);
    swSpringTask *task = &job->work->task[index];
    const int n = s.n, size = 3 * n;
    swReal *d = scratch, *y = d + s.stride, *g = y + s.stride;
    memset(g, 0, (size_t)size * sizeof *g);
    for (int i = 0; i < size; i++)
        d[i] = B[NOW][i] - s.rest[i];
    task->energy = pull(&s, 1, d, y, g);
    for (int time = LAST; time <= BEFORE; time++) {
        const swReal rate = time == LAST ? rates.last : rates.before;
        for (int i = 0; i < size && rate != 0; i++)
            d[i] = B[NOW][i] - B[time][i];
        if (rate != 0)
            task->energy += pull(&s, rate, d, y, g);
    }
    if (!job->gradient)
        return;
    swVec3 torque = {0, 0, 0};
    for (int c = 0; c < n; c++)
        torque = sw_add(torque, sw_cross(at(B[NOW], n, c), at(g, n, c)));
    const swVec3 about = sw_mul(turned->inverse, torque);
    for (int c = 0; c < n; c++) {
        const swVec3 force = sw_sub(at(g, n, c), sw_cross(about, at(s.gamma, n, c)));
        set(g, n, c, force);
        set(task->force, n, c, sw_mul(turned->R, force));
    }
    if (job->hessian)
        find_stiffness(job, &s, turned, 1 + rates.last + rates.before, B[NOW], g, g + s.stride,
                       task->H);
}

// As many springs as there are lanes.
static void run_batch(const swSpringJob *job, int first, swReal *scratch) {
    const swModel *m = job->model;
    const swElasticInput *in = job->input;
    const int count = sw_min_int(SW_LANES, (int)m->size.nspring - first),
              stride = job->work->stride;
    swReal *B[TIMES], *rest = scratch + TIMES * SW_LANES * stride;
    swTurn turned[SW_LANES];
    for (int time = 0; time < TIMES; time++)
        B[time] = scratch + (ptrdiff_t)time * SW_LANES * stride;
    swReal most = 0;
    for (int i = 0; i < count; i++)
        most = sw_max(most, m->body[m->spring[first + i].body].damping_stiffness);
    const bool damped = in->q_last && most + in->damping > 0;
    place(job, first, count, in->q, B[NOW], turned);
    if (damped)
        place(job, first, count, in->q_last, B[LAST], NULL);
    if (damped && in->q_before)
        place(job, first, count, in->q_before, B[BEFORE], NULL);
    for (int i = 0; i < count; i++) {
        const swReal damping = m->body[m->spring[first + i].body].damping_stiffness + in->damping;
        const swRates rates =
            damped ? sw_rates(damping, in->h, in->q_before != NULL) : (swRates){0};
        run_spring(job, first + i, &turned[i], rates, B, rest);
        for (int time = 0; time < TIMES; time++)
            B[time] += stride;
    }
}

static void run_batches(int start, int end, int worker, void *arg) {
    const swSpringJob *job = arg;
    for (int i = start; i < end; i++)
        run_batch(job, i * SW_LANES, job->work->scratch[worker]);
}

// ---- sums ----

static void add_force(const swModel *m, const swSpringData *s, const swReal *force, swReal *out) {
    const int *node = m->spring_node + s->spring->node;
    for (int i = 0, column = 0; i < s->spring->nnode; i++) {
        const int width = m->node[node[i]].width;
        swReal *to = out + m->node[node[i]].q;
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < width; k++)
                to[r * width + k] += force[r * s->n + column + k];
        column += width;
    }
}

static void add_stiffness(const swModel *m, const swSpringData *s, const swReal *K,
                          const swBlocks *H) {
    const int *node = m->spring_node + s->spring->node, nfree = s->spring->nfree;
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

void sw_springs_add(const swModel *m, const swSpringWork *work, swPool *pool,
                    const swElasticInput *input, swSystem *out) {
    const swSpringJob job = {.model = m,
                             .work = work,
                             .input = input,
                             .gradient = out->g || out->H,
                             .hessian = out->H != NULL,
                             .semidefinite = out->projection != SW_PROJECT_NONE};
    const int n = (int)m->size.nspring;
    sw_parallel_for(pool, (n + SW_LANES - 1) / SW_LANES, 1, run_batches, (void *)&job);
    for (int i = 0; i < n; i++) {
        const swSpringData s = data_of(m, i);
        out->energy += work->task[i].energy;
        if (out->g)
            add_force(m, &s, work->task[i].force, out->g);
        if (out->H)
            add_stiffness(m, &s, work->task[i].H, out->H);
    }
}

bool sw_springs_inverted(const swModel *m, const swSpringWork *work, const swReal *q) {
    for (int i = 0; i < m->size.nspring; i++) {
        const swSpringData s = data_of(m, i);
        gather(m, &s, q, work->scratch[0]);
        if (!(sw_mat_det(mean_gradient(&s, work->scratch[0])) > 0))
            return true;
    }
    return false;
}
