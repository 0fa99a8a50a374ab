// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The Laplacian on a lattice, its solver and modes, and the weights made of them.
#include "math/eigen.h"
#include "test_tools.h"
#include "volume/laplace_eigenmodes.h"
#include "weights/nodal.h"

enum { MAX_SITES = 12 };

// ---- a block of cells by hand, and sites in it; it must not be copied ----

typedef struct {
    swGrid grid;
    swLattice lattice;
    swArena arena;
    swReal *young; // per grid cell; of those that are filled, the lattice's
    swWeightsDef def;
    int nsite;
    swSite site[MAX_SITES];
    int *node[MAX_SITES];
    swWeightField field;
} Block;

// How full a cell is whose centre, in cells, is at (x, y, z), and how stiff.
typedef swReal Shape(const Block *b, swReal x, swReal y, swReal z, swReal *young);

static swReal full(const Block *b, swReal x, swReal y, swReal z, swReal *young) {
    (void)b, (void)x, (void)y, (void)z, (void)young;
    return 1;
}

// 1 : 10 : 100 along x.
static swReal layered(const Block *b, swReal x, swReal y, swReal z, swReal *young) {
    (void)y, (void)z;
    *young = pow(10, floor(3 * x / b->grid.n[0]));
    return 1;
}

// Layers of a sixth across y, 1 : 1e4.
static swReal sheets(const Block *b, swReal x, swReal y, swReal z, swReal *young) {
    (void)x, (void)z;
    *young = (int)(6 * y / b->grid.n[1]) % 2 ? 1e4 : 1;
    return 1;
}

// A ball with cells that are partly full at its surface, and a stiffness between 1 and 1e6.
static swReal ball(const Block *b, swReal x, swReal y, swReal z, swReal *young) {
    const swReal r = 0.5 * b->grid.n[0];
    const swReal d = r - sw_norm(sw_v3(x - r, y - r, z - r));
    *young = pow(10, 3 + 3 * sin(0.9 * x) * cos(0.7 * y + 0.3 * z));
    return sw_clamp(d + 0.5, 0, 1);
}

// Two blocks with a gap of one cell between them, the first the longer.
static swReal split(const Block *b, swReal x, swReal y, swReal z, swReal *young) {
    (void)y, (void)z, (void)young;
    return floor(x) != floor(0.6 * b->grid.n[0]);
}

static void make_block(Block *b, const swConfig *config, const int n[3], swReal h, Shape *shape) {
    swError error = {0};
    memset(b, 0, sizeof *b);
    sw_arena_init(&b->arena, &config->allocator);
    swGrid *g = &b->grid;
    const int ncell = n[0] * n[1] * n[2];
    g->h = h;
    memcpy(g->n, n, sizeof g->n);
    g->hi = sw_v3(h * n[0], h * n[1], h * n[2]);
    g->voxel = SW_NEW(&b->arena, ncell, swVoxel, &error);
    g->first = SW_NEW(&b->arena, ncell + 1, int, &error);
    g->open = SW_NEW(&b->arena, ncell, unsigned char, &error);
    b->young = SW_NEW(&b->arena, ncell, swReal, &error);
    for (int c = 0; c < ncell; c++) {
        const int x = c % n[0], y = c / n[0] % n[1], z = c / n[0] / n[1];
        b->young[c] = 1;
        const swReal fill = shape(b, x + 0.5, y + 0.5, z + 0.5, &b->young[c]);
        g->first[c] = g->nvoxel;
        if (fill > 0)
            g->voxel[g->nvoxel++] = (swVoxel){.cell = c, .volume = fill * h * h * h};
        g->volume += fill * h * h * h;
        g->open[c] = (unsigned char)((x < n[0] - 1) | (y < n[1] - 1) << 1 | (z < n[2] - 1) << 2);
    }
    g->first[ncell] = g->nvoxel;
    require(sw_lattice_create(g, &b->arena, &b->lattice, &error), &error);
    b->lattice.young = SW_NEW(&b->arena, b->lattice.ncell, swReal, &error);
    for (int c = 0; c < b->lattice.ncell; c++)
        b->lattice.young[c] = b->young[b->lattice.cell[c]];
}

static Block *new_block(const int n[3], swReal h, Shape *shape) {
    const swConfig config = sw_default_config();
    Block *b = malloc(sizeof *b);
    make_block(b, &config, n, h, shape);
    return b;
}

static void free_block(Block *b) {
    sw_arena_free(&b->arena);
    free(b);
}

static int add_site(Block *b, swSite site, int nnode) {
    static const char *const keys[MAX_SITES] = {"site 0", "site 1", "site 2",  "site 3",
                                                "site 4", "site 5", "site 6",  "site 7",
                                                "site 8", "site 9", "site 10", "site 11"};
    site.node = b->node[b->nsite];
    site.nnode = nnode;
    site.key = keys[b->nsite];
    b->site[b->nsite] = site;
    return b->nsite++;
}

// A frame in the middle of a grid cell: all its corners.
static int add_frame(Block *b, int x, int y, int z) {
    const swLattice *l = &b->lattice;
    const int c = l->index[x + b->grid.n[0] * (y + b->grid.n[1] * z)];
    assert_true(c >= 0);
    int *node = b->node[b->nsite] = SW_NEW(&b->arena, 8, int, NULL);
    for (int k = 0; k < l->ndistinct; k++)
        node[k] = l->corner[8 * c + l->distinct[k]];
    const swVec3 at = sw_scale(b->grid.h, sw_v3(x + 0.5, y + 0.5, z + 0.5));
    return add_site(b, (swSite){.origin = at, .cell = c}, l->ndistinct);
}

// A handle: all nodes with lo <= x <= hi, in metres.
static int add_handle(Block *b, swReal lo, swReal hi) {
    int *node = b->node[b->nsite] = SW_NEW(&b->arena, b->lattice.n, int, NULL), n = 0;
    swVec3 center = {0, 0, 0};
    for (int i = 0; i < b->lattice.n; i++)
        if (b->lattice.X[i].x >= lo - 1e-9 && b->lattice.X[i].x <= hi + 1e-9) {
            node[n++] = i;
            center = sw_add(center, b->lattice.X[i]);
        }
    return add_site(b, (swSite){.origin = sw_scale(1.0 / n, center), .cell = -1}, n);
}

static bool create_weights(Block *b, const char *kind, swDistance distance, swPool *pool,
                           swError *error) {
    b->def = (swWeightsDef){.kind = kind, .distance = distance};
    return sw_weights_create(&b->field, &b->def, NULL, &b->lattice, b->nsite, b->site, pool,
                             &b->arena, error);
}

static void require_weights(Block *b, const char *kind, swDistance distance) {
    swError error = {0};
    require(create_weights(b, kind, distance, NULL, &error), &error);
}

static swReal node_weight(const Block *b, int node, int site) {
    const swNodal *nodal = b->field.data;
    for (int a = nodal->start[node]; a < nodal->start[node + 1]; a++)
        if (nodal->site[a] == site)
            return nodal->value[a];
    return 0;
}

// ---- the operator and its solver ----

// Energies of affine fields are those of the continuum, in any number of dimensions.
static void energies_of_affine_fields_are_exact(void **state) {
    (void)state;
    static const int sizes[][3] = {{5, 4, 3}, {5, 4, 1}, {5, 1, 1}, {1, 1, 4}};
    for (int s = 0; s < SW_COUNT(sizes); s++) {
        Block *b = new_block(sizes[s], 0.2, full);
        const int n = b->lattice.n;
        swError error = {0};
        swLaplace A;
        char *fixed = SW_NEW(&b->arena, n, char, &error);
        swWide *x = SW_NEW(&b->arena, n, swWide, &error), *y = SW_NEW(&b->arena, n, swWide, &error);
        require(sw_laplace_create(&b->lattice, NULL, fixed, 0, &b->arena, &A, &error), &error);
        const swVec3 slope = {1.5, -0.4, 0.7};
        for (int i = 0; i < n; i++)
            x[i] = sw_wide(sw_dot(slope, b->lattice.X[i]));
        sw_laplace_multiply(&A, x, y);
        swWide energy = sw_wide(0);
        for (int i = 0; i < n; i++)
            energy += x[i] * y[i];
        swReal expected = 0;
        for (int k = 0; k < 3; k++)
            expected += sizes[s][k] == 1 ? 0 : sw_get(slope, k) * sw_get(slope, k);
        assert_near(sw_wide_sum(energy), SW_LANES * expected * b->grid.volume, 1e-12);
        free_block(b);
    }
}

// Between 0 at x = 0 and 1 at the other end; returns the iterations.
static int solve_between_ends(Block *b, swWide *x) {
    const swLattice *l = &b->lattice;
    swError error = {0};
    swLaplace A;
    swLaplaceWork work;
    char *fixed = SW_NEW(&b->arena, l->n, char, &error);
    for (int i = 0; i < l->n; i++) {
        fixed[i] = l->X[i].x < 1e-9 || l->X[i].x > b->grid.hi.x - 1e-9;
        x[i] = sw_wide(l->X[i].x > 1e-9);
    }
    require(sw_laplace_create(l, l->young, fixed, 0, &b->arena, &A, &error), &error);
    require(sw_laplace_work(&A, &b->arena, &work, &error), &error);
    int iterations;
    assert_true(sw_laplace_solve(&A, &work, NULL, x, &iterations) <= SW_LAPLACE_TOLERANCE);
    return iterations;
}

static void iterations_hardly_grow_with_size(void **state) {
    (void)state;
    static Shape *const shapes[] = {full, layered, sheets};
    for (int s = 0; s < SW_COUNT(shapes); s++)
        for (int size = 12; size <= 48; size *= 2) {
            Block *b = new_block((int[3]){size, size, size}, 1.0 / size, shapes[s]);
            swWide *x = SW_NEW(&b->arena, b->lattice.n, swWide, NULL);
            assert_in_range(solve_between_ends(b, x), 5, 18);
            free_block(b);
        }
}

// Solutions stay between the fixed values, whatever the stiffness and the shape.
static void the_maximum_principle_holds(void **state) {
    (void)state;
    Block *b = new_block((int[3]){18, 18, 18}, 0.1, ball);
    const swLattice *l = &b->lattice;
    Random r = {5};
    swError error = {0};
    swLaplace A;
    swLaplaceWork work;
    char *fixed = SW_NEW(&b->arena, l->n, char, &error);
    swWide *x = SW_NEW(&b->arena, l->n, swWide, &error),
           *y = SW_NEW(&b->arena, l->n, swWide, &error);
    double *value = (double *)x, *rest = (double *)y;
    for (int k = 0; k < 60; k++) {
        const int i = random_int(&r, l->n);
        fixed[i] = 1;
        for (int lane = 0; lane < SW_LANES; lane++)
            value[i * SW_LANES + lane] = k % 3 == 0 ? 1 : random_in(&r, 0, lane + 1.0) / SW_LANES;
    }
    require(sw_laplace_create(l, l->young, fixed, 0, &b->arena, &A, &error), &error);
    require(sw_laplace_work(&A, &b->arena, &work, &error), &error);
    int iterations;
    assert_true(sw_laplace_solve(&A, &work, NULL, x, &iterations) <= SW_LAPLACE_TOLERANCE);
    sw_laplace_multiply(&A, x, y);
    for (int i = 0; i < l->n; i++)
        for (int lane = 0; lane < SW_LANES; lane++) {
            const swReal v = value[i * SW_LANES + lane], q = rest[i * SW_LANES + lane];
            assert_true(v >= -1e-9 && v <= 1 + 1e-9);
            assert_true(fabs(q) <= 1e-8 * sw_laplace_diagonal(&A, i)); // it is a solution
        }
    free_block(b);
}

// ---- harmonic weights ----

// Between handles at the ends of a bar, the displacement of a bar under tension.
static void bars_have_their_exact_weights(void **state) {
    (void)state;
    static const int sizes[][3] = {{30, 4, 3}, {30, 5, 1}, {30, 1, 1}};
    static Shape *const shapes[] = {full, layered};
    for (int k = 0; k < SW_COUNT(sizes) * 4; k++) {
        const swDistance distance = k % 2 ? SW_DISTANCE_COMPLIANCE : SW_DISTANCE_GEODESIC;
        const bool stiff = k / 2 % 2 && distance == SW_DISTANCE_COMPLIANCE;
        Block *b = new_block(sizes[k / 4], 1.0 / 30, shapes[k / 2 % 2]);
        add_handle(b, 0, 0);
        add_handle(b, 1, 1);
        require_weights(b, "harmonic", distance);
        const swReal compliance[3] = {1, 0.1, 0.01};
        for (int i = 0; i < b->lattice.n; i++) {
            const swReal x = b->lattice.X[i].x;
            swReal sum = 0;
            for (int c = 0; c < 3; c++)
                sum += compliance[c] / 1.11 * sw_clamp(3 * x - c, 0, 1);
            assert_near(node_weight(b, i, 1), stiff ? sum : x, 1e-9);
            assert_near(node_weight(b, i, 0), 1 - (stiff ? sum : x), 1e-9);
        }
        free_block(b);
    }
}

static swReal sum_at(const Block *b, swVec3 p, int cell, swReal *w, swReal *dw, swVec3 *slope) {
    swReal sum = 0;
    *slope = sw_v3(0, 0, 0);
    sw_weights_evaluate(&b->field, 1, &p, &cell, w, dw);
    for (int s = 0; s < b->nsite; s++) {
        sum += w[s];
        *slope = sw_add(*slope, sw_v3(dw[3 * s], dw[3 * s + 1], dw[3 * s + 2]));
    }
    return sum;
}

static Block *ball_with_sites(int handles) {
    Block *b = new_block((int[3]){15, 15, 15}, 0.1, ball);
    add_frame(b, 4, 4, 6);
    add_frame(b, 10, 9, 5);
    add_frame(b, 7, 7, 11);
    add_frame(b, 5, 10, 9);
    if (handles > 0)
        add_handle(b, 0, 0.2);
    if (handles > 1)
        add_handle(b, 1.3, 1.5);
    return b;
}

static const char *const kinds[] = {"harmonic", "eigenmodes"};

// Both kinds, both distances, with and without handles.
#define FOR_ALL_BALLS(b, k) \
    for (int k = 0; k < 8; k++) \
        for (b = ball_with_sites(k / 4 * 2), \
            require_weights(b, kinds[k % 2], \
                            k / 2 % 2 ? SW_DISTANCE_COMPLIANCE : SW_DISTANCE_GEODESIC); \
             b; free_block(b), b = NULL)

static void weights_add_up_to_one_and_are_bounded(void **state) {
    (void)state;
    Random r = {3};
    Block *b;
    FOR_ALL_BALLS(b, k) {
        for (int trial = 0; trial < 1000; trial++) {
            const int cell = random_int(&r, b->lattice.ncell);
            const swVec3 lo = b->lattice.X[b->lattice.corner[8 * cell]];
            const swVec3 p = sw_add(lo, sw_v3(0.05, 0.03, 0.1 * random_unit(&r)));
            swReal w[MAX_SITES], dw[3 * MAX_SITES];
            swVec3 slope;
            assert_near(sum_at(b, p, cell, w, dw, &slope), 1, 1e-12);
            assert_near(sw_norm(slope), 0, 1e-10);
            for (int s = 0; s < b->nsite && k % 2 == 0; s++)
                assert_true(w[s] >= 0 && w[s] <= 1 + 1e-15);
        }
    }
}

static void weights_are_one_at_their_own_site(void **state) {
    (void)state;
    Block *b;
    FOR_ALL_BALLS(b, k) {
        for (int s = 0; s < b->nsite; s++)
            for (int i = 0; i < b->site[s].nnode; i++)
                for (int t = 0; t < b->nsite; t++)
                    if (k % 2 == 0 || b->site[s].cell < 0) // modes have no place
                        assert_near(node_weight(b, b->site[s].node[i], t), s == t, 1e-12);
    }
}

// Across a face of two cells that are connected the weights are the same from both sides, and
// inside a cell gradients are those of the weights.
static void weights_are_continuous_with_exact_gradients(void **state) {
    (void)state;
    Random r = {4};
    Block *b;
    FOR_ALL_BALLS(b, k) {
        const swLattice *l = &b->lattice;
        for (int trial = 0; trial < 400; trial++) {
            const int c = random_int(&r, l->ncell), axis = trial % 3;
            const int stride[3] = {1, b->grid.n[0], b->grid.n[0] * b->grid.n[1]};
            const int at = l->cell[c] / stride[axis] % b->grid.n[axis];
            const int other = at < b->grid.n[axis] - 1 ? l->index[l->cell[c] + stride[axis]] : -1;
            const swVec3 lo = l->X[l->corner[8 * c]];
            swVec3 p = sw_add(lo, sw_scale(b->grid.h, sw_v3(random_in(&r, 0.1, 0.9), 0.3, 0.6)));
            swReal w[3][MAX_SITES], dw[3][3 * MAX_SITES];
            swVec3 slope;
            sum_at(b, p, c, w[0], dw[0], &slope);
            for (int side = 1; side < 3; side++) {
                swVec3 q = p;
                sw_set(&q, axis, sw_get(p, axis) + (side == 1 ? -1e-3 : 1e-3));
                sum_at(b, q, c, w[side], dw[side], &slope);
            }
            for (int s = 0; s < b->nsite; s++) // a trilinear field is linear along an axis
                assert_near((w[2][s] - w[1][s]) / 2e-3, dw[0][3 * s + axis], 1e-10);
            if (other < 0)
                continue;
            sw_set(&p, axis, sw_get(lo, axis) + b->grid.h);
            sum_at(b, p, c, w[0], dw[0], &slope);
            sum_at(b, p, other, w[1], dw[1], &slope);
            for (int s = 0; s < b->nsite; s++)
                assert_near(w[0][s], w[1][s], 1e-12);
        }
    }
}

// A part without a site follows the nearest one; nothing crosses a gap.
static void loose_parts_follow_the_nearest_site(void **state) {
    (void)state;
    Block *b = new_block((int[3]){20, 3, 3}, 0.05, split); // to 0.6, and from 0.65
    add_handle(b, 0, 0);
    add_handle(b, 0.45, 0.5);
    require_weights(b, "harmonic", SW_DISTANCE_GEODESIC);
    for (int i = 0; i < b->lattice.n; i++)
        if (b->lattice.X[i].x > 0.64)
            assert_true(node_weight(b, i, 0) == 0 && node_weight(b, i, 1) == 1);
        else if (b->lattice.X[i].x > 0.51)
            assert_near(node_weight(b, i, 1), 1, 1e-9); // beyond the handle, up to the gap
    free_block(b);
}

static void bad_sites_are_refused(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Block *b = new_block((int[3]){6, 3, 3}, 0.1, full);
        swError error = {0};
        add_handle(b, 0, 0.2);
        assert_false(create_weights(b, kinds[k], SW_DISTANCE_EUCLIDEAN, NULL, &error));
        assert_int_equal(error.code, SW_ERROR_VALUE);
        assert_non_null(strstr(error.message, "found \"euclidean\""));
        add_handle(b, 0.2, 0.3);
        assert_false(create_weights(b, kinds[k], SW_DISTANCE_GEODESIC, NULL, &error));
        assert_int_equal(error.code, SW_ERROR_GEOMETRY);
        assert_non_null(strstr(error.message, "site 0 and site 1"));
        b->site[0].nnode = 0;
        assert_false(create_weights(b, kinds[k], SW_DISTANCE_GEODESIC, NULL, &error));
        assert_int_equal(error.code, SW_ERROR_GEOMETRY);
        assert_non_null(strstr(error.message, "site 0"));
        free_block(b);
    }
    Block *b = new_block((int[3]){1, 1, 2}, 0.1, full); // three nodes in a row
    swError error = {0};
    for (int k = 0; k < 3; k++)
        add_frame(b, 0, 0, k % 2);
    require(create_weights(b, "eigenmodes", SW_DISTANCE_GEODESIC, NULL, &error), &error);
    add_frame(b, 0, 0, 0);
    assert_false(create_weights(b, "eigenmodes", SW_DISTANCE_GEODESIC, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_VALUE);
    assert_non_null(strstr(error.message, "at most 3 modes"));
    free_block(b);
}

// ---- modes ----

static void dense_eigenvectors_are_eigenvectors(void **state) {
    (void)state;
    Random r = {11};
    for (int n = 1; n <= 48; n += n < 6 ? 1 : 14)
        for (int trial = 0; trial < 6; trial++) {
            double A[48 * 48] = {0}, B[48 * 48], V[48 * 48], value[48], work[96];
            for (int i = 0; i < n; i++) // full; of low rank; already diagonal
                for (int j = 0; j <= i; j++)
                    A[i * n + j] = A[j * n + i] = trial % 3 == 0   ? random_in(&r, -1, 1)
                                                  : trial % 3 == 1 ? (i + 1.0) * (j + 1)
                                                                   : (i == j) * (3 - i % 4);
            memcpy(B, A, sizeof B);
            assert_true(sw_eigen_symmetric(n, B, value, V, work));
            for (int k = 0; k < n; k++) {
                assert_true(k == 0 || value[k] >= value[k - 1]);
                for (int i = 0; i < n; i++) {
                    double sum = -value[k] * V[k * n + i], dot = -(k == i);
                    for (int j = 0; j < n; j++) {
                        sum += A[i * n + j] * V[k * n + j];
                        dot += V[i * n + j] * V[k * n + j];
                    }
                    assert_near(sum, 0, 1e-12 * (trial % 3 == 1 ? n * n * n : n));
                    assert_near(dot, 0, 1e-13 * n);
                }
            }
            A[0] = NAN;
            assert_false(sw_eigen_symmetric(n, A, value, V, work));
        }
}

// Modes of a block: lambda, phi from phi[0] on; the constant is known where nothing is fixed.
typedef struct {
    int nknown, count, iterations;
    swReal lambda[MAX_SITES + 32], *phi[MAX_SITES + 32];
} Modes;

static void find_modes(Block *b, const char *fixed, int count, Modes *m) {
    swError error = {0};
    const swLattice *l = &b->lattice;
    *m = (Modes){.nknown = 1, .count = count};
    for (int i = 0; i < l->n; i++)
        m->nknown &= !fixed[i];
    if (m->nknown) {
        m->phi[0] = SW_NEW(&b->arena, l->n, swReal, &error);
        for (int i = 0; i < l->n; i++)
            m->phi[0][i] = 1 / sqrt(b->grid.volume);
    }
    require(sw_laplace_eigenmodes(l, l->young, fixed, m->nknown, count, NULL, &b->arena, m->lambda,
                                  m->phi, &m->iterations, &error),
            &error);
}

// |K phi - lambda M phi| against |lambda M phi|, where the diagonal of K is 1; and orthogonality.
static void check_modes(Block *b, const char *fixed, const Modes *m) {
    const swLattice *l = &b->lattice;
    swError error = {0};
    swLaplace A;
    swWide *x = SW_NEW(&b->arena, l->n, swWide, &error),
           *y = SW_NEW(&b->arena, l->n, swWide, &error);
    const double *image = (const double *)y;
    require(sw_laplace_create(l, l->young, fixed, 0, &b->arena, &A, &error), &error);
    for (int j = 0; j < m->nknown + m->count; j++) {
        swReal left = 0, size = 0;
        for (int i = 0; i < l->n; i++)
            x[i] = sw_wide(m->phi[j][i]);
        sw_laplace_multiply(&A, x, y);
        for (int i = 0; i < l->n; i++) {
            const swReal load = m->lambda[j] * l->volume[i] * m->phi[j][i];
            const swReal r = image[i * SW_LANES] - load;
            assert_true(!fixed[i] || m->phi[j][i] == 0);
            left += r * r / sw_laplace_diagonal(&A, i);
            size += load * load / sw_laplace_diagonal(&A, i);
        }
        assert_true(j < m->nknown || sqrt(left) <= 2 * SW_MODES_TOLERANCE * sqrt(size));
        assert_true(j <= m->nknown || m->lambda[j] >= m->lambda[j - 1]);
        for (int k = 0; k <= j; k++) {
            swReal dot = 0;
            for (int i = 0; i < l->n; i++)
                dot += l->volume[i] * m->phi[j][i] * m->phi[k][i];
            assert_near(dot, j == k, 1e-9);
        }
    }
}

// The modes of a bar of length 1, thin enough to have none across among the first ones: on the
// lattice lambda = (2 - 2 cos(kappa h)) / h^2 exactly, with kappa = pi k where both ends are free,
// pi (k - 1/2) where one is held and pi k where both are.
static void bars_have_their_known_modes(void **state) {
    (void)state;
    for (int held = 0; held < 3; held++) {
        swReal error[2][5];
        for (int fine = 0; fine < 2; fine++) {
            const int n = fine ? 80 : 40;
            const swReal h = 1.0 / n;
            Block *b = new_block((int[3]){n, 2 * (fine + 1), 2 * (fine + 1)}, h, full);
            char *fixed = SW_NEW(&b->arena, b->lattice.n, char, NULL);
            for (int i = 0; i < b->lattice.n; i++)
                fixed[i] = (held > 0 && b->lattice.X[i].x < 1e-9) ||
                           (held > 1 && b->lattice.X[i].x > 1 - 1e-9);
            Modes m;
            find_modes(b, fixed, 5, &m);
            check_modes(b, fixed, &m);
            for (int k = 0; k < 5; k++) {
                const swReal kappa = SW_PI * (k + (held == 1 ? 0.5 : 1)), exact = kappa * kappa;
                const swReal lambda = m.lambda[m.nknown + k];
                assert_near(lambda, (2 - 2 * cos(kappa * h)) / (h * h), 1e-10 * exact);
                error[fine][k] = exact - lambda;
                assert_true(error[fine][k] > 0 &&
                            error[fine][k] < exact * kappa * kappa * h * h / 11);
            }
            free_block(b);
        }
        for (int k = 0; k < 5; k++) // of second order
            assert_near(error[0][k] / error[1][k], 4, 0.05);
    }
}

// Threefold eigenvalues of a cube, more modes than fit into one block, and uneven material.
static void blocks_have_all_their_modes(void **state) {
    (void)state;
    const int n = 12;
    Block *b = new_block((int[3]){n, n, n}, 1.0 / n, full);
    char *fixed = SW_NEW(&b->arena, b->lattice.n, char, NULL);
    Modes m;
    find_modes(b, fixed, 26, &m);
    check_modes(b, fixed, &m);
    // products of cosines with wave numbers a, b, c: K's symbol over the lumped mass
    swReal expected[343];
    int count = 0;
    for (int k = 0; k < 343; k++) {
        const swReal x = cos(SW_PI * (k % 7) / n), y = cos(SW_PI * (k / 7 % 7) / n);
        const swReal z = cos(SW_PI * (k / 49) / n);
        const swReal value =
            n * n * (8.0 / 3 - 2.0 / 3 * (x * y + y * z + z * x) - 2.0 / 3 * x * y * z);
        int at = count++;
        for (; at > 0 && expected[at - 1] > value; at--)
            expected[at] = expected[at - 1];
        expected[at] = value;
    }
    for (int k = 1; k < m.nknown + m.count; k++)
        assert_near(m.lambda[k], expected[k], 1e-9 * expected[k]);
    free_block(b);
    b = new_block((int[3]){14, 14, 14}, 0.1, ball);
    fixed = SW_NEW(&b->arena, b->lattice.n, char, NULL);
    find_modes(b, fixed, 10, &m);
    check_modes(b, fixed, &m);
    free_block(b);
}

// The first frame without handles, or the handles, have what the modes leave; modes are of size one
// and vanish on handles.
static void mode_weights_span_the_modes(void **state) {
    (void)state;
    for (int handles = 0; handles <= 2; handles++) {
        Block *b = ball_with_sites(handles);
        require_weights(b, "eigenmodes", SW_DISTANCE_COMPLIANCE);
        for (int s = handles ? 0 : 1; s < 4; s++) {
            swReal most = 0;
            for (int i = 0; i < b->lattice.n; i++)
                most = sw_max(most, fabs(node_weight(b, i, s)));
            assert_near(most, 1, 1e-12);
            for (int t = 4; t < b->nsite; t++)
                for (int i = 0; i < b->site[t].nnode; i++)
                    assert_true(node_weight(b, b->site[t].node[i], s) == 0);
        }
        free_block(b);
    }
    Block *b = new_block((int[3]){20, 3, 3}, 0.05, split); // two parts, one frame for each
    add_frame(b, 1, 1, 1);
    add_frame(b, 2, 1, 1);
    require_weights(b, "eigenmodes", SW_DISTANCE_COMPLIANCE);
    for (int i = 0; i < b->lattice.n; i++)
        assert_near(node_weight(b, i, 1), b->lattice.X[i].x > 0.64, 1e-12);
    free_block(b);
}

// ---- threads and memory ----

static void threads_do_not_change_weights(void **state) {
    (void)state;
    const swConfig config = sw_default_config();
    for (int k = 0; k < 2; k++) {
        Block *one = ball_with_sites(1);
        require_weights(one, kinds[k], SW_DISTANCE_COMPLIANCE);
        const swNodal *a = one->field.data;
        for (int threads = 2; threads <= 3; threads++) {
            Block *b = ball_with_sites(1);
            swError error = {0};
            swPool *pool = sw_pool_create(&config.allocator, threads);
            require(create_weights(b, kinds[k], SW_DISTANCE_COMPLIANCE, pool, &error), &error);
            const swNodal *c = b->field.data;
            const int count = a->start[one->lattice.n];
            assert_int_equal(c->start[b->lattice.n], count);
            assert_memory_equal(a->value, c->value, (size_t)count * sizeof *a->value);
            assert_memory_equal(a->site, c->site, (size_t)count * sizeof *a->site);
            sw_pool_destroy(pool);
            free_block(b);
        }
        free_block(one);
    }
}

static void memory_may_run_out_anywhere(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        bool ok = false;
        for (int fail = 1; !ok; fail++) {
            Counter counter = {0};
            const swConfig config = counting_config(&counter);
            Block *b = malloc(sizeof *b);
            make_block(b, &config, (int[3]){6, 4, 4}, 0.1, layered);
            add_frame(b, 1, 1, 1);
            add_frame(b, 4, 1, 1);
            add_handle(b, 0, 0);
            counter.fail_at = counter.calls + fail;
            swError error = {0};
            ok = create_weights(b, kinds[k], SW_DISTANCE_COMPLIANCE, NULL, &error);
            assert_true(ok || error.code == SW_ERROR_MEMORY);
            free_block(b);
            assert_int_equal(counter.held, 0);
            assert_true(fail < 500);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(energies_of_affine_fields_are_exact),
    cmocka_unit_test(iterations_hardly_grow_with_size),
    cmocka_unit_test(the_maximum_principle_holds),
    cmocka_unit_test(bars_have_their_exact_weights),
    cmocka_unit_test(weights_add_up_to_one_and_are_bounded),
    cmocka_unit_test(weights_are_one_at_their_own_site),
    cmocka_unit_test(weights_are_continuous_with_exact_gradients),
    cmocka_unit_test(loose_parts_follow_the_nearest_site),
    cmocka_unit_test(bad_sites_are_refused),
    cmocka_unit_test(dense_eigenvectors_are_eigenvectors),
    cmocka_unit_test(bars_have_their_known_modes),
    cmocka_unit_test(blocks_have_all_their_modes),
    cmocka_unit_test(mode_weights_span_the_modes),
    cmocka_unit_test(threads_do_not_change_weights),
    cmocka_unit_test(memory_may_run_out_anywhere),
};
SW_SUITE(laplace, tests)
