// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Matrices of blocks and what solves with them.
#include "math/cholesky.h"
#include "math/order.h"
#include "model/model.h"
#include "solve/work.h"
#include "test_tools.h"

// ---- random matrices ----

typedef struct {
    swArena arena;
    swBlocks A;
    int n;         // numbers
    swReal *dense; // n x n
} Matrix;

// Rows of the sizes that nodes have, some of none; `kind` 0: anything couples with a chance, 1: a
// chain, 2: a net of cells, 3: everything, 4: nothing, 5: several bodies.
static bool coupled(Random *r, int kind, int rows, int i, int j) {
    const int side = sw_max_int(2, (int)sqrt(rows));
    switch (kind) {
    case 0: return random_int(r, 6) == 0;
    case 1: return i - j <= 1;
    case 2: return i - j == side || (i - j == 1 && i % side != 0);
    case 3: return true;
    case 4: return false;
    default: return i / 7 == j / 7 && random_int(r, 2);
    }
}

static void make_matrix(Random *r, int kind, int rows, Matrix *m) {
    static const int sizes[] = {3, 12, 30, 6, 12, 6, 3, 0};
    const swAllocator allocator = sw_default_config().allocator;
    sw_arena_init(&m->arena, &allocator);
    int *size = SW_NEW(&m->arena, rows, int, NULL), *row = SW_NEW(&m->arena, rows + 1, int, NULL),
        *column = SW_NEW(&m->arena, rows * (rows + 1) / 2, int, NULL);
    for (int i = 0; i < rows; i++) {
        size[i] = sizes[random_int(r, SW_COUNT(sizes))];
        row[i + 1] = row[i];
        for (int j = 0; j <= i; j++)
            if (j == i || coupled(r, kind, rows, i, j))
                column[row[i + 1]++] = j;
    }
    assert_true(sw_blocks_create(&m->A, (swPattern){rows, row, column}, size, &m->arena, NULL));
    for (int64_t i = 0; i < m->A.count; i++)
        m->A.value[i] = random_in(r, -1, 1);
    m->n = sw_blocks_rows(&m->A);
    m->dense = SW_NEW(&m->arena, m->n * m->n, swReal, NULL);
    sw_blocks_unpack(&m->A, m->dense, m->n);
    for (int i = 0; i < rows; i++) { // larger diagonals make it positive definite
        const swBlock d = sw_blocks_get(&m->A, i, i);
        for (int k = 0; k < size[i]; k++) {
            swReal sum = 0.1;
            for (int j = 0; j < m->n; j++)
                sum += fabs(m->dense[(m->A.start[i] + k) * m->n + j]);
            d.data[k * d.stride + k] += sum;
        }
    }
    sw_blocks_unpack(&m->A, m->dense, m->n);
}

static swReal *vector(Matrix *m, Random *r) {
    swReal *x = SW_NEW(&m->arena, m->n, swReal, NULL);
    for (int i = 0; r && i < m->n; i++)
        x[i] = random_in(r, -1, 1);
    return x;
}

static swReal far_apart(int n, const swReal *x, const swReal *y) {
    swReal worst = 0;
    for (int i = 0; i < n; i++)
        worst = isnan(x[i] - y[i]) ? INFINITY : sw_max(worst, fabs(x[i] - y[i]));
    return worst;
}

enum { PATTERNS = 6 };
static const swLinearKind kinds[] = {SW_LINEAR_AUTO, SW_LINEAR_DENSE, SW_LINEAR_SPARSE,
                                     SW_LINEAR_CG};

static void blocks_multiply_as_the_whole_matrix(void **state) {
    (void)state;
    Random r = {51};
    for (int kind = 0; kind < PATTERNS; kind++) {
        Matrix m;
        make_matrix(&r, kind, 25, &m);
        swReal *x = vector(&m, &r), *y = vector(&m, NULL), *z = vector(&m, NULL);
        sw_blocks_multiply(&m.A, x, y);
        for (int i = 0; i < m.n; i++)
            z[i] = sw_dot_n(m.n, m.dense + i * m.n, x);
        assert_near(far_apart(m.n, y, z), 0, 1e-11);
        sw_blocks_diagonal(&m.A, y);
        for (int i = 0; i < m.n; i++)
            assert_true(y[i] == m.dense[i * m.n + i]);
        for (int i = 0; i < 25; i++) // found where they are, and nowhere else
            for (int j = 0; j <= i; j++) {
                const int k = sw_pattern_find(&m.A.pattern, i, j);
                bool there = false;
                for (int e = m.A.pattern.row[i]; e < m.A.pattern.row[i + 1]; e++)
                    there = there || m.A.pattern.column[e] == j;
                assert_true(there == (k >= 0) && (k < 0 || m.A.pattern.column[k] == j));
            }
        sw_arena_free(&m.arena);
    }
}

// Nothing beside the diagonal: solved without factors, and where it is not positive that is said.
static void diagonals_are_solved_as_such(void **state) {
    (void)state;
    Random r = {57};
    Matrix m;
    make_matrix(&r, 2, 25, &m);
    swReal *d = vector(&m, NULL), *b = vector(&m, &r), *x = vector(&m, NULL);
    sw_blocks_diagonal(&m.A, d);
    assert_false(sw_blocks_is_diagonal(&m.A));
    sw_blocks_clear(&m.A);
    sw_blocks_add_diagonal(&m.A, d);
    assert_true(sw_blocks_is_diagonal(&m.A));
    for (int k = 0; k < SW_COUNT(kinds); k++) {
        swLinear l;
        assert_true(sw_linear_create(&l, &m.A, kinds[k], 60, &m.arena, NULL));
        assert_true(sw_linear_prepare(&l, 0, 0, NULL) && l.diagonal);
        assert_int_equal(sw_linear_solve(&l, b, x, 1e-12), SW_LINEAR_SOLVED);
        for (int i = 0; i < m.n; i++)
            assert_near(x[i] * d[i], b[i], 1e-15);
    }
    swLinear l;
    assert_true(sw_linear_create(&l, &m.A, SW_LINEAR_AUTO, 60, &m.arena, NULL));
    for (int64_t i = 0; i < m.A.count; i++) // the last number of the last row that has some
        if (m.A.value[i] == d[m.n - 1])
            m.A.value[i] = -1;
    assert_false(sw_linear_prepare(&l, 0, 0, NULL) &&
                 sw_linear_solve(&l, b, x, 1e-12) == SW_LINEAR_SOLVED);
    sw_arena_free(&m.arena);
}

// Every row once, and coupled to later ones alone; what is coupled is what elimination fills in.
static void eliminations_know_what_they_fill(void **state) {
    (void)state;
    Random r = {52};
    for (int kind = 0; kind < PATTERNS; kind++)
        for (int rows = 1; rows <= 40; rows += 13) {
            Matrix m;
            swElimination e;
            static bool full[40][40];
            int step[40] = {0};
            make_matrix(&r, kind, rows, &m);
            assert_true(sw_order_least(&m.A, NULL, &m.arena, &e, NULL));
            memset(full, 0, sizeof full);
            for (int i = 0; i < rows; i++)
                for (int k = m.A.pattern.row[i]; k < m.A.pattern.row[i + 1]; k++)
                    full[i][m.A.pattern.column[k]] = full[m.A.pattern.column[k]][i] =
                        sw_blocks_size(&m.A, i) > 0 &&
                        sw_blocks_size(&m.A, m.A.pattern.column[k]) > 0;
            for (int k = 0; k < e.n; k++) {
                assert_true(step[e.order[k]] == 0 && sw_blocks_size(&m.A, e.order[k]) > 0);
                step[e.order[k]] = k + 1;
            }
            for (int k = 0; k < e.n; k++) {
                const int p = e.order[k];
                int count = 0;
                for (int i = 0; i < rows; i++)
                    for (int j = 0; full[p][i] && step[i] > k + 1 && j < rows; j++)
                        full[i][j] = full[i][j] || (full[p][j] && step[j] > k + 1);
                for (int i = 0; i < rows; i++)
                    count += full[p][i] && step[i] > k + 1;
                assert_int_equal(e.first[k + 1] - e.first[k], count);
                for (int64_t i = e.first[k]; i < e.first[k + 1]; i++)
                    assert_true(full[p][e.list[i]] && step[e.list[i]] > k + 1);
            }
            sw_arena_free(&m.arena);
        }
}

// All solvers against a dense one on the whole matrix, with and without a shift.
static void solvers_agree_with_a_dense_one(void **state) {
    (void)state;
    Random r = {53};
    for (int kind = 0; kind < PATTERNS; kind++)
        for (int rows = 1; rows <= 60; rows = 2 * rows + 3)
            for (int solver = 0; solver < SW_COUNT(kinds); solver++) {
                Matrix m;
                swLinear l;
                make_matrix(&r, kind, rows, &m);
                const int n = m.n, stride = sw_cholesky_stride(n);
                swReal *L = SW_NEW(&m.arena, n * stride, swReal, NULL), *b = vector(&m, &r),
                       *x = vector(&m, NULL), *y = vector(&m, NULL), *scale = vector(&m, &r);
                assert_true(sw_linear_create(&l, &m.A, kinds[solver], 60, &m.arena, NULL));
                assert_true(l.kind != SW_LINEAR_AUTO);
                for (int i = 0; i < n; i++)
                    scale[i] = fabs(scale[i]);
                for (int turn = 0; turn < 2; turn++) { // a second one does not see the first
                    const swReal shift = turn == 0 ? 3 : 0;
                    for (int i = 0; i < n; i++)
                        memcpy(L + i * stride, m.dense + i * n, (size_t)n * sizeof *L);
                    for (int i = 0; i < n; i++)
                        L[i * (stride + 1)] += shift * scale[i];
                    assert_int_equal(sw_cholesky_factor(n, n, L, stride), n);
                    memcpy(y, b, (size_t)n * sizeof *y);
                    sw_cholesky_solve(n, L, stride, y);
                    assert_true(sw_linear_prepare(&l, shift, 0, scale));
                    assert_int_equal(sw_linear_solve(&l, b, x, 1e-13), SW_LINEAR_SOLVED);
                    assert_near(far_apart(n, x, y), 0,
                                kinds[solver] == SW_LINEAR_CG ? 1e-10 : 1e-12);
                }
                sw_arena_free(&m.arena);
            }
}

// Many right-hand sides at once, for one thread and for three, have the solutions they have alone.
static void many_sides_are_solved_as_each(void **state) {
    (void)state;
    enum { MOST = 101 };
    Random r = {57};
    swConfig config = sw_default_config();
    swPool *pool = sw_pool_create(&config.allocator, 3);
    assert_non_null(pool);
    for (int kind = 0; kind < PATTERNS; kind++)
        for (int rows = 1; rows <= 60; rows = 2 * rows + 3)
            for (int count = 1; count <= MOST; count += 50) {
                Matrix m;
                swFactor f;
                make_matrix(&r, kind, rows, &m);
                const size_t n = (size_t)m.n, stride = n + 2;
                swReal *x = SW_NEW(&m.arena, MOST * stride, swReal, NULL),
                       *y = SW_NEW(&m.arena, MOST * stride, swReal, NULL),
                       *z = SW_NEW(&m.arena, n, swReal, NULL);
                assert_true(x && y && z);
                for (size_t i = 0; i < MOST * stride; i++)
                    x[i] = y[i] = random_in(&r, -1, 1);
                assert_true(sw_factor_plan(&f, &m.A, SW_FACTOR_SPARSE, NULL, &m.arena, NULL) &&
                            sw_factor_allocate(&f, &m.arena, NULL) &&
                            sw_factor_compute(&f, &m.A, 0, 0, NULL));
                swReal first = x[n];
                for (int k = 0; k < count; k++) {
                    memcpy(z, x + (size_t)k * stride, n * sizeof *z);
                    sw_factor_solve(&f, &m.A, z);
                    if (k > 0)
                        assert_true(sw_factor_solve_many(&f, &m.A, 1, y + (size_t)k * stride,
                                                         (ptrdiff_t)stride, NULL, &m.arena, NULL));
                    else
                        memcpy(y, z, n * sizeof *z);
                    assert_near(far_apart(m.n, y + (size_t)k * stride, z), 0, 1e-12);
                }
                assert_true(sw_factor_solve_many(&f, &m.A, count, x, (ptrdiff_t)stride, pool,
                                                 &m.arena, NULL));
                assert_true(x[n] == first); // beyond a vector nothing is written
                for (int k = 1; k < count; k++)
                    assert_memory_equal(x + (size_t)k * stride, y + (size_t)k * stride,
                                        n * sizeof *x);
                sw_arena_free(&m.arena);
            }
    sw_pool_destroy(pool);
}

// One negative number on the diagonal, or a motion that nothing resists.
static void solvers_see_what_is_not_definite(void **state) {
    (void)state;
    Random r = {54};
    for (int kind = 0; kind < PATTERNS; kind++)
        for (int solver = 0; solver < SW_COUNT(kinds); solver++)
            for (int soft = 0; soft < 2; soft++) {
                Matrix m;
                swLinear l;
                make_matrix(&r, kind, 20, &m);
                swReal *b = vector(&m, &r), *x = vector(&m, NULL), *scale = vector(&m, NULL);
                int bad = random_int(&r, 20);
                while (sw_blocks_size(&m.A, bad) == 0)
                    bad = random_int(&r, 20);
                for (int i = 0; i < m.n; i++)
                    scale[i] = 1;
                const swBlock d = sw_blocks_get(&m.A, bad, bad);
                if (soft) // the last number is tied to nothing, and next to nothing itself
                    for (int i = 0; i < 20; i++)
                        for (int k = m.A.pattern.row[i]; k < m.A.pattern.row[i + 1]; k++) {
                            const int j = m.A.pattern.column[k], wide = sw_blocks_size(&m.A, j);
                            for (int e = 0; i == bad && e < wide; e++)
                                m.A.value[m.A.at[k] + (d.stride - 1) * wide + e] = 0;
                            for (int e = 0; j == bad && e < sw_blocks_size(&m.A, i); e++)
                                m.A.value[m.A.at[k] + (e + 1) * wide - 1] = 0;
                        }
                d.data[d.stride * d.stride - 1] = soft ? 1e-15 : -1;
                assert_true(sw_linear_create(&l, &m.A, kinds[solver], 60, &m.arena, NULL));
                const bool ready = sw_linear_prepare(&l, 0, 1e-13, scale);
                assert_true(!ready || sw_linear_solve(&l, b, x, 1e-12) == SW_LINEAR_INDEFINITE);
                assert_true(!soft || sw_linear_prepare(&l, 0, 0, NULL)); // without a limit it is
                sw_arena_free(&m.arena);
            }
}

// Indefinite though its diagonal is not: [1 2; 2 1] in the middle of others.
static void gradients_find_negative_curvature(void **state) {
    (void)state;
    Random r = {55};
    for (int solver = 0; solver < SW_COUNT(kinds); solver++) {
        Matrix m;
        swLinear l;
        make_matrix(&r, 4, 30, &m);
        int at = 0;
        while (sw_blocks_size(&m.A, at) < 2)
            at++;
        const swBlock d = sw_blocks_get(&m.A, at, at);
        for (int i = 0; i < d.stride * d.stride; i++)
            d.data[i] = i % (d.stride + 1) == 0 ? 1 : 0;
        d.data[d.stride] = 2;
        swReal *b = vector(&m, &r), *x = vector(&m, NULL);
        assert_true(sw_linear_create(&l, &m.A, kinds[solver], 60, &m.arena, NULL));
        assert_true(!sw_linear_prepare(&l, 0, 0, NULL) ||
                    sw_linear_solve(&l, b, x, 1e-12) == SW_LINEAR_INDEFINITE);
        sw_arena_free(&m.arena);
    }
}

// A chain's factors grow with its length, a full matrix is one panel.
static void factors_are_as_large_as_they_must_be(void **state) {
    (void)state;
    const swAllocator allocator = sw_default_config().allocator;
    double nonzeros[2];
    for (int turn = 0; turn < 2; turn++) {
        const int n = turn == 0 ? 100 : 1000;
        swArena arena;
        swBlocks A;
        swFactor f;
        sw_arena_init(&arena, &allocator);
        int *size = SW_NEW(&arena, n, int, NULL), *row = SW_NEW(&arena, n + 1, int, NULL),
            *column = SW_NEW(&arena, 2 * n, int, NULL);
        for (int i = 0; i < n; i++) {
            size[i] = 12;
            row[i + 1] = row[i];
            for (int j = sw_max_int(0, i - 1); j <= i; j++)
                column[row[i + 1]++] = j;
        }
        assert_true(sw_blocks_create(&A, (swPattern){n, row, column}, size, &arena, NULL));
        assert_true(sw_factor_plan(&f, &A, SW_FACTOR_SPARSE, NULL, &arena, NULL));
        nonzeros[turn] = f.nonzeros;
        assert_true(f.nonzeros < 2.1 * (double)A.count);
        sw_arena_free(&arena);
    }
    assert_near(nonzeros[1] / nonzeros[0], 10, 0.2);
    Random r = {56};
    Matrix m;
    swFactor f;
    make_matrix(&r, 3, 40, &m);
    assert_true(sw_factor_plan(&f, &m.A, SW_FACTOR_SPARSE, NULL, &m.arena, NULL));
    assert_int_equal(f.npanel, 1);
    const double flops = f.flops;
    for (int side = 0; side < 2; side++) { // plans are given up just where they cost too much
        const swFactorLimit limit = {(side ? 1.01 : 0.99) * flops, INFINITY};
        assert_true(sw_factor_plan(&f, &m.A, SW_FACTOR_SPARSE, &limit, &m.arena, NULL));
        assert_true(f.beyond == (side == 0) && (f.npanel == 0) == (side == 0));
    }
    sw_arena_free(&m.arena);
}

// Frames in all directions couple so many that conjugate gradients cost less.
static void sizes_choose_the_solver(void **state) {
    (void)state;
    enum { SIDE = 8, N = SIDE * SIDE * SIDE };
    const swAllocator allocator = sw_default_config().allocator;
    static int size[N], row[N + 1], column[14 * N];
    for (int block = 3; block <= 30; block += 27) {
        swArena arena;
        swBlocks A;
        swLinear l;
        sw_arena_init(&arena, &allocator);
        for (int i = 0; i < N; i++) {
            size[i] = block;
            row[i + 1] = row[i];
            for (int k = 0; k < 14; k++) { // neighbours before it, and itself
                const int x = i % SIDE + k % 3 - 1, y = i / SIDE % SIDE + k / 3 % 3 - 1,
                          z = i / SIDE / SIDE + k / 9 - 1;
                if (x >= 0 && x < SIDE && y >= 0 && y < SIDE && z >= 0)
                    column[row[i + 1]++] = x + SIDE * (y + SIDE * z);
            }
        }
        assert_true(sw_blocks_create(&A, (swPattern){N, row, column}, size, &arena, NULL));
        assert_true(sw_linear_create(&l, &A, SW_LINEAR_AUTO, 60, &arena, NULL));
        assert_int_equal(l.kind, block == 3 ? SW_LINEAR_SPARSE : SW_LINEAR_CG);
        assert_true(sw_linear_create(&l, &A, SW_LINEAR_AUTO, 10000, &arena, NULL)); // it takes long
        assert_int_equal(l.kind, SW_LINEAR_SPARSE);
        sw_arena_free(&arena);
    }
}

static bool make_all(const swAllocator *allocator, const swBlocks *A, swLinearKind kind) {
    swArena arena;
    swLinear l;
    swError error = {0};
    sw_arena_init(&arena, allocator);
    const bool ok = sw_linear_create(&l, A, kind, 60, &arena, &error);
    assert_true(ok || error.code == SW_ERROR_MEMORY);
    sw_arena_free(&arena);
    return ok;
}

static void solvers_live_without_memory(void **state) {
    (void)state;
    Random r = {57};
    Matrix m;
    make_matrix(&r, 2, 50, &m);
    for (int solver = 0; solver < SW_COUNT(kinds); solver++)
        for (int k = 1;; k++) {
            Counter counter = {.fail_at = k};
            const swAllocator failing = {counting_resize, &counter};
            const bool ok = make_all(&failing, &m.A, kinds[solver]);
            assert_int_equal(counter.held, 0);
            if (ok)
                break;
        }
    sw_arena_free(&m.arena);
}

// ---- scenes ----

enum { FRAMES = 30, STEPS = 9 };

// A bar held at one end, with 30 frames along it, that falls on a ball; a shorter one beside it.
static swScene *long_bars(int kind, const char *weights, swLinearKind linear) {
    static swVec3 at[2][FRAMES];
    swScene *s = sw_scene_create(NULL);
    sw_scene_add_material(s, "rubber")->young = 2e5;
    s->time.step = 0.01;
    s->solver.linear = linear;
    s->solver.tolerance = 1e-10;
    for (int b = 0; b < 2; b++) {
        swBody *bar = sw_scene_add_body(s, b == 0 ? "long" : "short");
        swShape *box = sw_body_add_shape(s, bar, SW_SHAPE_BOX);
        const int frames = b == 0 ? FRAMES : 7;
        const swReal length = 0.1 * frames;
        box->size = sw_v3(length, 0.2, 0.2);
        box->center = sw_v3(length / 2, b, 0);
        bar->voxel = 0.05;
        set_kind(&bar->frames, kind);
        bar->frames.weights.kind = weights;
        for (int i = 0; i < frames; i++)
            at[b][i] = sw_v3(length * (i + 1) / frames, b, 0);
        bar->frames.at = at[b];
        bar->frames.nat = frames;
        bar->frames.count = 0;
        sw_body_add_handle(s, bar, "wall", SW_SHAPE_BOX)->region->size = sw_v3(0.1, 4, 4);
    }
    swCollider *ball = sw_scene_add_collider(s, SW_SHAPE_SPHERE);
    ball->shape->center = sw_v3(2, -0.4, 0);
    ball->shape->radius = 0.3;
    return s;
}

// Positions of all vertices after some steps.
static swReal *motion_of(swScene *s, int *n) {
    swModel *m = compile_scene(s);
    swState *state = make_state(m);
    step_or_fail(m, state, STEPS);
    assert_true(sw_state_report(state)->contacts > 0);
    const int first = sw_body_vertex_count(m, 0);
    *n = 3 * (first + sw_body_vertex_count(m, 1));
    swVec3 *x = malloc((size_t)*n * sizeof(swReal));
    sw_body_vertices(state, 0, x);
    sw_body_vertices(state, 1, x + first);
    sw_state_destroy(state);
    sw_model_destroy(m);
    sw_scene_destroy(s);
    return (swReal *)x;
}

static void solvers_give_the_same_motion(void **state) {
    (void)state;
    static const char *weights[] = {"hat", "spline"};
    for (int w = 0; w < 2; w++)
        for (int kind = 0; kind < TEST_KINDS; kind++) {
            int n = 0;
            if (kind == SW_NODE_POINT) // strained at rest by these weights
                continue;
            swReal *dense = motion_of(long_bars(kind, weights[w], SW_LINEAR_DENSE), &n);
            for (int i = 2; i < SW_COUNT(kinds); i++) {
                swReal *x = motion_of(long_bars(kind, weights[w], kinds[i]), &n);
                assert_near(far_apart(n, x, dense), 0, kinds[i] == SW_LINEAR_CG ? 1e-7 : 1e-9);
                free(x);
            }
            free(dense);
        }
}

// The matrices of all nodes.
static swReal *matrices_of(const swState *x) {
    const swModel *m = x->model;
    swReal *q = malloc((size_t)m->size.nq * sizeof *q);
    for (int64_t b = 0; b < m->size.nbody; b++)
        memcpy(q + m->place[b].q, x->body[b]->q, (size_t)sw_model_body(m, b)->size.nq * sizeof *q);
    return q;
}

// Statics, an explicit step, one that solves for mass, and one solve a step.
static void solvers_serve_every_analysis(void **state) {
    (void)state;
    static const char *integrators[] = {"midpoint", "linear-implicit", "symplectic-euler"};
    for (int kind = SW_NODE_AFFINE; kind <= SW_NODE_RIGID; kind++)
        for (int i = 0; i < SW_COUNT(integrators) + 1; i++) {
            swReal *first = NULL;
            for (int k = 1; k < SW_COUNT(kinds); k++) {
                swScene *s = long_bars(kind, "hat", kinds[k]);
                const bool explicit = i == 2;
                if (i < 3)
                    s->time.integrator = integrators[i];
                if (explicit)
                    s->time.step = 1e-4;
                s->gravity = sw_v3(0, -0.1, 0);
                swModel *m = compile_scene(s);
                swState *x = make_state(m);
                if (i < 3)
                    step_or_fail(m, x, 3);
                else
                    solve_or_fail(m, x);
                swReal *q = matrices_of(x);
                if (!first)
                    first = matrices_of(x);
                assert_near(far_apart((int)m->size.nq, q, first), 0, 1e-7);
                free(q);
                if (explicit)
                    assert_true(sw_stable_step(m, NULL) > 1e-4);
                sw_state_destroy(x);
                sw_model_destroy(m);
                sw_scene_destroy(s);
            }
            free(first);
        }
}

// Conjugate gradients meet negative curvature and go on with the projected tangent.
static void gradients_project_what_is_indefinite(void **state) {
    (void)state;
    int projections[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        swScene *s = long_bars(SW_NODE_AFFINE, "hat", k ? SW_LINEAR_CG : SW_LINEAR_SPARSE);
        s->materials->law = "stvk";
        s->solver.tolerance = 1e-6;
        swModel *m = compile_scene(s);
        swState *x = make_state(m);
        for (int64_t b = 0; b < m->size.nbody; b++) {
            const swBodyModel *body = sw_model_body(m, b);
            swReal *q = x->body[b]->q;
            for (int64_t i = 0; i < body->size.nnode; i++) // pressed to a half
                if (body->node[i].ndof)
                    q[body->node[i].q + 1] *= 0.5, q[body->node[i].q] *= 0.5;
        }
        for (int i = 0; i < 4; i++) {
            step_or_fail(m, x, 1);
            projections[k] += sw_state_report(x)->projections;
        }
        assert_true(k == 0 || sw_state_profile(x).linear_iterations > 0);
        sw_state_destroy(x);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
    assert_true(projections[0] > 0 && projections[1] > 0);
}

// Blocks that no voxel knows of: contacts and loads on the surface have pairs too, and the numbers
// of states grow with the frames, not with their square.
static void memory_grows_with_the_frames(void **state) {
    (void)state;
    int64_t bytes[2];
    for (int turn = 0; turn < 2; turn++) {
        Counter counter = {0};
        const swConfig config = counting_config(&counter);
        static swVec3 at[400];
        const int frames = turn == 0 ? 100 : 400;
        swScene *s = sw_scene_create(&config);
        sw_scene_add_material(s, "rubber");
        swBody *bar = sw_scene_add_body(s, "bar");
        sw_body_add_shape(s, bar, SW_SHAPE_BOX)->size = sw_v3(0.1 * frames, 0.1, 0.1);
        bar->voxel = 0.05;
        bar->frames.weights.kind = "hat";
        for (int i = 0; i < frames; i++)
            at[i] = sw_v3(0.1 * (i + 0.5 - 0.5 * frames), 0, 0);
        bar->frames.at = at;
        bar->frames.nat = frames;
        bar->frames.count = 0;
        bar->integration.points = 8 * frames;
        swModel *m = compile_scene(s);
        const int64_t before = counter.bytes;
        swState *x = make_state(m);
        bytes[turn] = counter.bytes - before;
        sw_state_destroy(x);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
    assert_true(bytes[1] < 4.5 * (double)bytes[0] && bytes[1] < 100000 * 400);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_multiply_as_the_whole_matrix),
    cmocka_unit_test(diagonals_are_solved_as_such),
    cmocka_unit_test(eliminations_know_what_they_fill),
    cmocka_unit_test(solvers_agree_with_a_dense_one),
    cmocka_unit_test(many_sides_are_solved_as_each),
    cmocka_unit_test(solvers_see_what_is_not_definite),
    cmocka_unit_test(gradients_find_negative_curvature),
    cmocka_unit_test(factors_are_as_large_as_they_must_be),
    cmocka_unit_test(sizes_choose_the_solver),
    cmocka_unit_test(solvers_live_without_memory),
    cmocka_unit_test(solvers_give_the_same_motion),
    cmocka_unit_test(solvers_serve_every_analysis),
    cmocka_unit_test(gradients_project_what_is_indefinite),
    cmocka_unit_test(memory_grows_with_the_frames),
};
SW_SUITE(linear, tests)
