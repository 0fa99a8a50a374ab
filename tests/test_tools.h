// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the suites on mathematics and mechanics share: random numbers, finite differences,
// allocators that count or fail, scenes ready to run.
#pragma once

#include "test.h"

#include "math/vec.h"
#include "model/model.h"
#include "sinew/sinew.h"

#include <unistd.h>

// ---- random numbers, the same in every run ----

typedef struct {
    uint64_t s;
} Random;

static inline swReal random_unit(Random *r) { // in [0, 1)
    uint64_t z = r->s += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (swReal)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static inline swReal random_in(Random *r, swReal lo, swReal hi) {
    return lo + (hi - lo) * random_unit(r);
}
static inline int random_int(Random *r, int n) { return (int)(random_unit(r) * n); } // 0 .. n - 1
static inline swVec3 random_vec(Random *r, swReal size) {
    swReal x = random_in(r, -size, size), y = random_in(r, -size, size);
    return sw_v3(x, y, random_in(r, -size, size));
}
static inline swMat3 random_mat(Random *r, swReal size) {
    swMat3 A;
    for (int i = 0; i < 9; i++)
        A.m[i] = random_in(r, -size, size);
    return A;
}
static inline swMat3 random_rotation(Random *r) { return sw_mat_rotation(random_vec(r, 3)); }

// ---- matrices ----

static inline swReal mat_distance(swMat3 A, swMat3 B) {
    swReal d = 0;
    for (int i = 0; i < 9; i++)
        d = fmax(d, fabs(A.m[i] - B.m[i]));
    return d;
}
#define assert_rotation(R, tolerance) \
    do { \
        assert_near(mat_distance(sw_mat_mul(sw_mat_t(R), R), sw_mat_identity()), 0, (tolerance)); \
        assert_near(sw_mat_det(R), 1, 3 * (tolerance)); \
    } while (0)

// Eigenvalues of a symmetric n x n matrix by Jacobi's rotations, in long double; A is destroyed, V
// (may be NULL) receives the vectors as columns.
static inline void symmetric_eigen(int n, long double *A, long double *w, long double *V) {
    for (int i = 0; V && i < n * n; i++)
        V[i] = i / n == i % n;
    for (int sweep = 0; sweep < 60; sweep++) {
        long double off = 0, size = 0;
        for (int p = 0; p < n; p++)
            for (int q = 0; q < n; q++)
                *(p == q ? &size : &off) += fabsl(A[p * n + q]);
        if (off <= 1e-19L * size)
            break;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (A[p * n + q] == 0)
                    continue;
                long double tau = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
                long double t = (tau >= 0 ? 1 : -1) / (fabsl(tau) + sqrtl(1 + tau * tau));
                long double c = 1 / sqrtl(1 + t * t), s = t * c;
                for (int k = 0; k < n; k++) {
                    long double x = A[k * n + p], y = A[k * n + q];
                    A[k * n + p] = c * x - s * y;
                    A[k * n + q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    long double x = A[p * n + k], y = A[q * n + k];
                    A[p * n + k] = c * x - s * y;
                    A[q * n + k] = s * x + c * y;
                }
                for (int k = 0; V && k < n; k++) {
                    long double x = V[k * n + p], y = V[k * n + q];
                    V[k * n + p] = c * x - s * y;
                    V[k * n + q] = s * x + c * y;
                }
            }
    }
    for (int i = 0; i < n; i++)
        w[i] = A[i * n + i];
}

// ---- allocators ----

// Counts what is held. From call `fail_at` on (counting from 1; 0: never) there is no memory; with
// `once`, for that call alone.
typedef struct {
    int calls, fail_at;
    bool once;
    int64_t held, bytes;
} Counter;

static inline void *counting_resize(void *context, void *old, size_t old_size, size_t new_size) {
    Counter *c = context;
    if (new_size == 0) {
        c->held--;
        c->bytes -= (int64_t)old_size;
        free(old);
        return NULL;
    }
    c->calls++;
    if (c->fail_at && (c->once ? c->calls == c->fail_at : c->calls >= c->fail_at))
        return NULL;
    void *p = realloc(old, new_size);
    c->held += p && !old;
    c->bytes += (int64_t)new_size - (old ? (int64_t)old_size : 0);
    return p;
}

static inline swConfig counting_config(Counter *counter) {
    swConfig config = sw_default_config();
    config.allocator = (swAllocator){counting_resize, counter};
    return config;
}

// ---- files ----

// A path in the folder for temporary files that no other process uses.
static inline const char *temporary_path(const char *name) {
    static char path[4][512];
    static int turn;
    const char *folder = getenv("TMPDIR");
    char *out = path[turn++ % 4];
    snprintf(out, sizeof path[0], "%s/sinew_%ld_%s", folder ? folder : P_tmpdir, (long)getpid(),
             name);
    return out;
}

// ---- scenes ----

// Kinds of frames that tests run over: those of swNodeKind, and rigid ones under dual-quaternion
// blending.
enum { TEST_DUAL = SW_NODE_KINDS, TEST_KINDS };
static inline void set_kind(swFrames *frames, int kind) {
    frames->kind = kind == TEST_DUAL ? SW_NODE_RIGID : (swNodeKind)kind;
    frames->blend = kind == TEST_DUAL ? SW_BLEND_DUAL_QUATERNION : SW_BLEND_LINEAR;
}

// Kinds of weights for frames at given places, without files: from index 0; NULL past the last one.
static inline const char *placed_weights(int index) {
    for (int i = 0; sw_weights_name(i); i++)
        if (strcmp(sw_weights_name(i), "painted") != 0 &&
            strcmp(sw_weights_name(i), "eigenmodes") != 0 && index-- == 0)
            return sw_weights_name(i);
    return NULL;
}

static inline void require(bool ok, const swError *error) {
    char text[1024];
    if (!ok)
        fail_msg("%s", sw_error_text(error, text, sizeof text));
}

static inline swModel *compile_scene(const swScene *scene) {
    swError error = {0};
    swModel *model = sw_compile(scene, &error);
    require(model != NULL, &error);
    return model;
}

static inline swState *make_state(const swModel *model) {
    swError error = {0};
    swState *state = sw_state_create(model, &error);
    require(state != NULL, &error);
    return state;
}

static inline void step_or_fail(const swModel *model, swState *state, int steps) {
    for (int i = 0; i < steps; i++)
        if (sw_step(model, state) != SW_OK)
            fail_msg("step %d: %s", i, sw_state_report(state)->reason);
}

static inline void solve_or_fail(const swModel *model, swState *state) {
    if (sw_solve_static(model, state) != SW_OK)
        fail_msg("static analysis, load %g: %s", sw_state_report(state)->load,
                 sw_state_report(state)->reason);
}

// ---- scenes of one body ----

static inline const swBodyModel *only_body(const swModel *model) {
    assert_int_equal(model->size.nbody, 1);
    return sw_model_body(model, 0);
}

static inline swBodyState *only_state(const swState *state) {
    assert_int_equal(state->model->size.nbody, 1);
    return state->body[0];
}
