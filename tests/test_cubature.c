// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Point rules, fits and modes of regions; classes, what varies inside a material, and merging.
#include "cubature/fit.h"
#include "math/principal.h"
#include "cubature/nnls.h"
#include "cubature/rule.h"
#include "potentials/forces.h"
#include "test_field.h"

// ---- grids ----

typedef struct {
    Field f;
    int *list; // voxels, some of which are a region
    swReal *measure;
} Voxels;

static void voxels_of(Voxels *x, swScene *s) {
    swError error = {0};
    static const swVec3 at[] = {{0, 0, 0}};
    s->bodies->frames.at = at;
    s->bodies->frames.nat = 1;
    require(build_field(&x->f, s, &error), &error);
    const int n = x->f.body.grid.nvoxel;
    x->list = calloc((size_t)n, sizeof *x->list);
    x->measure = calloc((size_t)n, sizeof *x->measure);
    Random r = {5};
    for (int v = 0; v < n; v++)
        x->measure[v] = x->f.body.grid.voxel[v].volume * random_in(&r, 0.5, 2);
}

static void free_voxels(Voxels *x) {
    free(x->list);
    free(x->measure);
    free_field(&x->f);
}

static void ball(Voxels *x, swReal voxel) {
    swScene *s = make_scene(voxel);
    sw_body_add_shape(s, s->bodies, SW_SHAPE_SPHERE)->radius = 0.5;
    voxels_of(x, s);
}

static void tee(Voxels *x) {
    swScene *s = make_scene(0.04);
    add_box(s, sw_v3(-0.1, -0.5, -0.09), sw_v3(0.13, 0.3, 0.1));
    add_box(s, sw_v3(-0.5, 0.3, -0.09), sw_v3(0.5, 0.47, 0.1));
    voxels_of(x, s);
}

// All voxels, those on one side of some planes, or a few next to each other. Returns how many.
static int random_region(Voxels *x, Random *r) {
    const swGrid *g = &x->f.body.grid;
    const int kind = random_int(r, 5);
    int n = 0;
    if (kind == 4) {
        const int first = random_int(r, g->nvoxel - 4);
        for (n = 0; n < 1 + random_int(r, 4); n++)
            x->list[n] = first + n;
        return n;
    }
    swVec3 a[3];
    swReal b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = random_vec(r, 1);
        b[k] = sw_dot(a[k], random_point(&x->f, r));
    }
    for (int v = 0; v < g->nvoxel; v++) {
        bool in = true;
        for (int k = 0; k < kind; k++)
            in = in && sw_dot(a[k], g->voxel[v].centroid) <= b[k];
        if (in)
            x->list[n++] = v;
    }
    return n > 0 ? n : (x->list[0] = 0, 1);
}

// ---- rules ----

static swReal power(swReal x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
static swReal monomial(swVec3 p, int a, int b, int c) {
    return power(p.x, a) * power(p.y, b) * power(p.z, c);
}

// A voxel's eight points.
static swVec3 point_in(const swVoxel *v, int corner) {
    swVec3 p = v->centroid;
    for (int k = 0; k < 3; k++)
        sw_set(&p, k, sw_get(p, k) + (corner >> k & 1 ? 1 : -1) * sqrt(sw_get(v->second, k)));
    return p;
}

// The largest error of any moment up to the rule's degree, in coordinates that have the region in
// [-1, 1], over the region's measure.
static swReal moment_error(const Voxels *x, int n, const swRule *rule) {
    const swGrid *g = &x->f.body.grid;
    swVec3 lo = {INFINITY, INFINITY, INFINITY}, hi = sw_scale(-1, lo);
    swReal worst = 0;
    long double total = 0;
    for (int i = 0; i < n; i++) {
        lo = sw_min3(lo, point_in(&g->voxel[x->list[i]], 0));
        hi = sw_max3(hi, point_in(&g->voxel[x->list[i]], 7));
        total += x->measure[x->list[i]];
    }
    const swVec3 c = sw_lerp(lo, hi, 0.5), h = sw_scale(0.5, sw_sub(hi, lo));
#define LOCAL(p) sw_v3(((p).x - c.x) / h.x, ((p).y - c.y) / h.y, ((p).z - c.z) / h.z)
    for (int a = 0; a <= rule->degree; a++)
        for (int b = 0; a + b <= rule->degree; b++)
            for (int d = 0; a + b + d <= rule->degree; d++) {
                long double sum = 0;
                for (int i = 0; i < n; i++)
                    for (int corner = 0; corner < 8; corner++)
                        sum += x->measure[x->list[i]] / 8 *
                               monomial(LOCAL(point_in(&g->voxel[x->list[i]], corner)), a, b, d);
                for (int i = 0; i < rule->n; i++)
                    sum -= rule->weight[i] * monomial(LOCAL(rule->point[i]), a, b, d);
                worst = fmax(worst, (swReal)fabsl(sum / total));
            }
#undef LOCAL
    return worst;
}

static void check_rule(Voxels *x, int n, int degree, swRuleWork *work) {
    swVec3 point[SW_RULE_POINTS];
    swReal weight[SW_RULE_POINTS];
    swRule rule = {.point = point, .weight = weight};
    sw_rule_create(&rule, degree, &x->f.body.grid, n, x->list, x->measure, work);
    assert_int_equal(rule.degree, degree);
    assert_true(rule.n >= 1 && rule.n <= sw_rule_size(degree));
    for (int i = 0; i < rule.n; i++)
        assert_true(weight[i] > 0);
    assert_near(moment_error(x, n, &rule), 0, 1e-12);
}

static void check_rules(Voxels *x, int trials, int most) {
    Random r = {17};
    swError error = {0};
    for (int degree = 1; degree <= most; degree++) {
        swRuleWork *work = sw_rule_work(degree, &x->f.builder.arena, &error);
        assert_non_null(work);
        for (int trial = 0; trial < trials; trial++)
            check_rule(x, random_region(x, &r), degree, work);
    }
}

static void rules_match_every_moment(void **state) {
    (void)state;
    Voxels x;
    ball(&x, 0.1);
    check_rules(&x, 12, 6);
    free_voxels(&x);
    tee(&x);
    check_rules(&x, 12, SW_RULE_DEGREE);
    free_voxels(&x);
}

static void rules_of_the_bunny(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/meshes/bunny.obj");
    swScene *s = make_scene(NAN);
    sw_body_add_shape(s, s->bodies, SW_SHAPE_MESH)->file = path;
    s->bodies->resolution = 24;
    swError error = {0};
    Voxels x;
    s->bodies->frames.count = 1;
    require(build_field(&x.f, s, &error), &error);
    const int n = x.f.body.grid.nvoxel;
    x.list = calloc((size_t)n, sizeof *x.list);
    x.measure = calloc((size_t)n, sizeof *x.measure);
    for (int v = 0; v < n; v++)
        x.measure[v] = x.f.body.grid.voxel[v].volume;
    check_rules(&x, 6, 6);
    free_voxels(&x);
}

// Far more voxels than points to choose from.
static void rules_of_large_regions(void **state) {
    (void)state;
    Voxels x;
    ball(&x, 0.018);
    const int n = x.f.body.grid.nvoxel;
    swError error = {0};
    assert_true(n > 90000);
    for (int v = 0; v < n; v++)
        x.list[v] = v;
    for (int degree = 2; degree <= 4; degree++) {
        swRuleWork *work = sw_rule_work(degree, &x.f.builder.arena, &error);
        assert_non_null(work);
        check_rule(&x, n, degree, work);
    }
    free_voxels(&x);
}

// What is left by a solution of non-negative least squares falls along no column.
static void nnls_ends_at_the_least(void **state) {
    (void)state;
    enum { ROWS = 12, COLUMNS = 40 };
    Random r = {23};
    swConfig config = sw_default_config();
    swError error = {0};
    swArena arena;
    swNnls s;
    sw_arena_init(&arena, &config.allocator);
    require(sw_nnls_create(&s, ROWS, COLUMNS, &arena, &error), &error);
    int inexact = 0;
    for (int trial = 0; trial < 200; trial++) {
        swReal A[ROWS][COLUMNS], b[ROWS];
        for (int i = 0; i < ROWS; i++) {
            b[i] = random_in(&r, -1, 1);
            for (int c = 0; c < COLUMNS; c++) // some columns are alike
                A[i][c] = c % 7 == 6 ? A[i][c - 1] : random_in(&r, trial % 2 ? -1 : 0, 1);
        }
        sw_nnls_solve(&s, ROWS, COLUMNS, A[0], COLUMNS, b);
        swReal left[ROWS], size = 0;
        for (int i = 0; i < ROWS; i++) {
            left[i] = b[i];
            for (int k = 0; k < s.k; k++)
                left[i] -= A[i][s.column[k]] * s.x[k];
            size += left[i] * left[i];
            assert_near(left[i], s.r[i], 1e-13);
        }
        inexact += size > 1e-6;
        for (int k = 0; k < s.k; k++)
            assert_true(s.x[k] > 0);
        for (int c = 0; c < COLUMNS; c++) {
            swReal slope = 0;
            for (int i = 0; i < ROWS; i++)
                slope += A[i][c] * left[i];
            assert_true(slope < 1e-11);
        }
    }
    assert_true(inexact > 20);
    sw_arena_free(&arena);
}

// The same by products of columns, to what these can tell; no more columns than asked for.
static void nnls_by_products_ends_at_the_least(void **state) {
    (void)state;
    enum { ROWS = 16, COLUMNS = 60 };
    Random r = {24};
    swConfig config = sw_default_config();
    swError error = {0};
    for (int trial = 0; trial < 200; trial++) {
        static swReal A[COLUMNS][ROWS], b[ROWS], G[COLUMNS][COLUMNS], product[COLUMNS], left[ROWS];
        swArena arena;
        sw_arena_init(&arena, &config.allocator);
        const bool few = trial % 5 == 0;
        for (int i = 0; i < ROWS; i++)
            b[i] = random_in(&r, -1, 1);
        for (int c = 0; c < COLUMNS; c++)
            for (int i = 0; i < ROWS; i++)
                A[c][i] = c % 7 == 6 ? A[c - 1][i] : random_in(&r, trial % 2 ? -1 : 0, 1);
        for (int c = 0; c < COLUMNS; c++) {
            product[c] = sw_dot_n(ROWS, A[c], b);
            for (int d = 0; d < COLUMNS; d++)
                G[c][d] = sw_dot_n(ROWS, A[c], A[d]);
        }
        swNnlsProducts s = {.columns = COLUMNS,
                            .G = G[0],
                            .c = product,
                            .square = sw_dot_n(ROWS, b, b),
                            .most = few ? 4 : ROWS,
                            .enough = 1e-12};
        require(sw_nnls_products(&s, &arena, &error), &error);
        assert_true(s.k <= s.most);
        memcpy(left, b, sizeof left);
        for (int k = 0; k < s.k; k++)
            for (int i = 0; i < ROWS; i++)
                left[i] -= A[s.column[k]][i] * s.x[k];
        assert_near(sw_dot_n(ROWS, left, left), s.left, 1e-12);
        for (int k = 0; k < s.k; k++)
            assert_true(s.x[k] > 0);
        for (int c = 0; c < COLUMNS; c++) {
            bool used = false;
            swReal slope = 0;
            for (int k = 0; k < s.k; k++)
                used = used || s.column[k] == c;
            for (int i = 0; i < ROWS; i++)
                slope += A[c][i] * left[i];
            if (used)
                assert_near(slope, 0, 1e-7);
            else if (!few)
                assert_true(slope < 1e-7);
        }
        sw_arena_free(&arena);
    }
}

// ---- fits ----

static void fits_give_polynomials_back(void **state) {
    (void)state;
    Voxels x;
    tee(&x);
    const swGrid *g = &x.f.body.grid;
    Random r = {29};
    for (int trial = 0; trial < 40; trial++) {
        const int n = random_region(&x, &r), degree = trial % (SW_FIT_DEGREE + 1);
        swReal mean[SW_FIT_SIZE] = {0}, phi[SW_FIT_SIZE], total = 0, c[SW_FIT_SIZE];
        swFit fit;
        sw_fit_create(&fit, degree, false, g, n, x.list, x.measure);
        if (fit.n > n / 4)
            continue;
        for (int k = 0; k < fit.n; k++)
            c[k] = random_in(&r, -1, 1);
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < n; i++) {
                const swVec3 p = g->voxel[x.list[i]].centroid;
                swReal value = 0, back = 0;
                int k = 0;
                for (int a = 0; a <= degree; a++)
                    for (int b = 0; a + b <= degree; b++)
                        for (int d = 0; a + b + d <= degree; d++)
                            value += c[k++] * monomial(p, a, b, d);
                sw_fit_values(&fit, p, phi, NULL);
                total += pass == 0 ? x.measure[x.list[i]] : 0;
                for (k = 0; k < fit.n; k++) {
                    mean[k] += pass == 0 ? x.measure[x.list[i]] * value * phi[k] : 0;
                    back += mean[k] * phi[k] / total;
                }
                if (pass == 1)
                    assert_near(back, value, 1e-9);
            }
    }
    free_voxels(&x);
}

// Voxels in one plane: nothing is known across it, so nothing is said.
static void fits_of_flat_regions_stay_flat(void **state) {
    (void)state;
    Voxels x;
    tee(&x);
    const swGrid *g = &x.f.body.grid;
    int n = 0;
    for (int v = 0; v < g->nvoxel; v++)
        if (fabs(g->voxel[v].centroid.z - g->voxel[0].centroid.z) < 1e-9)
            x.list[n++] = v;
    assert_true(n > 50 && n < g->nvoxel / 2);
    swFit fit;
    swReal phi[2][SW_FIT_SIZE];
    sw_fit_create(&fit, 2, false, g, n, x.list, x.measure);
    const swVec3 p = g->voxel[x.list[7]].centroid;
    sw_fit_values(&fit, p, phi[0], NULL);
    sw_fit_values(&fit, sw_add(p, sw_v3(0, 0, 0.01)), phi[1], NULL);
    for (int k = 0; k < fit.n; k++)
        assert_near(phi[0][k], phi[1][k], 1e-9);
    free_voxels(&x);
}

// Rows of low rank are kept to rounding, others as well as the best of that rank.
static void modes_keep_squares(void **state) {
    (void)state;
    enum { M = 60, N = 24, K = 4 };
    Random r = {37};
    swReal row[M][N] = {{0}}, mode[SW_PRINCIPAL][N], score[M * SW_PRINCIPAL];
    for (int k = 0; k < K; k++) {
        swReal u[M], v[N];
        for (int i = 0; i < M; i++)
            u[i] = random_in(&r, -1, 1);
        for (int j = 0; j < N; j++)
            v[j] = random_in(&r, -1, 1);
        for (int i = 0; i < M * N; i++)
            row[i / N][i % N] += u[i / N] * v[i % N];
    }
    assert_int_equal(sw_principal_rows(M, N, row[0], K, mode[0], score), K);
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++) {
            swReal d = 0;
            for (int i = 0; i < M; i++)
                d += row[i][a] * row[i][b];
            for (int k = 0; k < K; k++)
                d -= mode[k][a] * mode[k][b];
            assert_near(d, 0, 1e-10);
        }
    assert_int_equal(sw_principal_rows(M, N, row[0], 6, mode[0], score), K);
    assert_int_equal(sw_principal_rows(M, N, row[0], 0, mode[0], score), 0);
    // noise of a hundredth: what is missing is noise
    swReal whole = 0, kept = 0;
    for (int i = 0; i < M * N; i++)
        whole += power(row[i / N][i % N] += random_in(&r, -0.01, 0.01), 2);
    assert_int_equal(sw_principal_rows(M, N, row[0], K, mode[0], score), K);
    for (int i = 0; i < K * N; i++)
        kept += power(mode[i / N][i % N], 2);
    assert_true(kept < whole && kept > whole - 1.1 * M * N * 0.0001 / 3);
}

// ---- samples from given voxels ----

// A bar between two handles with frames along it, compiled as far as its samples. `edit` may change
// the voxels before.
typedef void Edit(swBodyBuild *body);

static void build_bar(Field *f, const char *weights, int frames, swReal young, int points,
                      int degree, Edit *edit) {
    static swVec3 at[32];
    swScene *s = make_scene(0.05);
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.22, 0.2));
    s->materials->law = "stvk";
    s->materials->young = young;
    s->materials->rigid = SW_RIGID_NEVER;
    s->bodies->frames.weights.kind = weights;
    s->bodies->frames.nat = frames;
    s->bodies->frames.at = at;
    for (int i = 0; i < frames; i++)
        at[i] = sw_v3((i + 0.5) / frames, 0.1, 0.1);
    s->bodies->integration.points = points;
    s->bodies->integration.degree = degree;
    s->bodies->integration.every_voxel = points == 0;
    swError error = {0};
    require(build_field(f, s, &error), &error);
    if (edit)
        edit(&f->body);
    require(sw_build_start(&f->builder, &f->body, &error) &&
                sw_build_samples(&f->builder, &f->body, &error),
            &error);
}

// The builder's arrays as a model, as far as elasticity looks at it.
static swBodyModel as_model(Field *f) {
    static const swSettings settings;
    swBuilder *b = &f->builder;
    swBodyModel m = {.size = b->size, .settings = &settings};
#define SW_FIELD(type, name, count) m.name = b->name.item;
#include "model/body_fields.inl"
#undef SW_FIELD
    m.size.ngroup = b->group.count;
    m.size.nzone = b->zone.count;
    m.size.nsample = b->sample_volume.count;
    m.size.nnode = b->node.count;
    m.size.nq = b->q0.count;
    return m;
}

static swReal energy_of(Field *f, const swReal *q) {
    const swBodyModel m = as_model(f);
    const swConfig config = sw_default_config();
    swArena arena;
    swError error = {0};
    swElasticWork work;
    swReal activation[4] = {0};
    swReal *relax = calloc((size_t)m.size.nrelax + 1, sizeof *relax);
    const swElasticInput in = {.q = q, .h = 1, .activation = activation, .relax = relax};
    swSystem out = {0};
    sw_arena_init(&arena, &config.allocator);
    require(sw_elastic_create(&work, &m, 1, true, &arena, &error), &error);
    sw_elastic_add(&m, &work, NULL, &in, &out);
    sw_arena_free(&arena);
    free(relax);
    return out.energy;
}

// All frames move by x -> A x (with `field`), or each in its own way.
static void move_frames(const Field *f, Random *r, bool field, swMat3 A, swReal *q) {
    const swBuilder *b = &f->builder;
    memcpy(q, b->q0.item, (size_t)b->q0.count * sizeof *q);
    for (int i = 0; i < b->node.count; i++) {
        const swNode *n = &b->node.item[i];
        const swVec3 t = field ? sw_mul(A, n->origin) : sw_add(n->origin, random_vec(r, 0.01));
        const swMat3 own = random_mat(r, 0.1), one = sw_mat_identity();
        for (int k = 0; k < 3; k++) {
            q[n->q + k * n->width] = sw_get(t, k);
            for (int d = 0; d < 3; d++)
                q[n->q + k * n->width + 1 + d] =
                    field ? A.m[3 * k + d] : one.m[3 * k + d] + own.m[3 * k + d];
        }
    }
}

static swReal sum_of(const swReal *x, int n) {
    swReal sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static void double_stiffness(swBodyBuild *body) {
    for (int v = 0; v < body->grid.nvoxel; v++)
        body->grid.voxel[v].stiffness = 2;
}

static void stiffness_is_a_factor_on_young(void **state) {
    (void)state;
    static const int points[] = {0, 8, 90, 90, 140}, degree[] = {0, 1, 2, 3, 4};
    Random r = {41};
    for (int i = 0; i < SW_COUNT(points); i++) {
        Field a, b;
        build_bar(&a, "shepard", 4, 1e5, points[i], degree[i], double_stiffness);
        build_bar(&b, "shepard", 4, 2e5, points[i], degree[i], NULL);
        const int n = a.builder.sample_volume.count;
        assert_int_equal(n, b.builder.sample_volume.count);
        assert_near(sum_of(a.builder.sample_volume.item, n), 0.044, 1e-14);
        assert_near(sum_of(a.builder.sample_weight.item, n), 0.088, 1e-14);
        assert_near(sum_of(b.builder.sample_weight.item, n), 0.044, 1e-14);
        for (int trial = 0; trial < 5; trial++) {
            swReal q[256];
            assert_true(a.builder.q0.count <= SW_COUNT(q));
            move_frames(&a, &r, false, sw_mat_identity(), q);
            const swReal e = energy_of(&b, q);
            assert_true(e > 1);
            assert_near(energy_of(&a, q), e, 1e-12 * e);
        }
        free_field(&a);
        free_field(&b);
    }
}

static void triple_density(swBodyBuild *body) {
    for (int v = 0; v < body->grid.nvoxel; v++)
        body->grid.voxel[v].density = body->grid.voxel[v].centroid.x > 0.5 ? 3 : 1;
}

static void density_is_a_factor_on_mass(void **state) {
    (void)state;
    Field f;
    build_bar(&f, "hat", 4, 1e5, 32, 2, triple_density);
    const swBodyInfo *info = &f.builder.body.item[0];
    assert_near(info->mass, 1000 * 0.044 * 2, 1e-10);
    assert_near(info->center.x, (0.25 + 3 * 0.75) / 4, 1e-13);
    // columns of the constant monomials sum up to the mass, those of x to its first moment
    swReal mass = 0, moment = 0;
    for (int i = 0; i < f.builder.node.count; i++) {
        const swNode *n = &f.builder.node.item[i];
        const swReal *w = f.builder.weight_load.item + n->q / 3;
        mass += w[0];
        moment += w[1] + n->origin.x * w[0];
    }
    assert_near(mass, info->mass, 1e-10);
    assert_near(moment, info->mass * info->center.x, 1e-10);
    free_field(&f);
}

// Soft and stiff voxels side by side, as grey values of an image may be.
static void speckle(swBodyBuild *body) {
    Random r = {43};
    for (int v = 0; v < body->grid.nvoxel; v++)
        body->grid.voxel[v].stiffness =
            random_int(&r, 2) ? random_in(&r, 1, 1.4) : random_in(&r, 64, 90);
}

static void soft_is_never_averaged_into_stiff(void **state) {
    (void)state;
    Field few, all;
    build_bar(&few, "shepard", 4, 1e5, 64, 2, speckle);
    build_bar(&all, "shepard", 4, 1e5, 0, 0, speckle);
    const int n = few.builder.sample_volume.count;
    for (int i = 0; i < n; i++) {
        const swReal volume = few.builder.sample_volume.item[i];
        const swReal ratio = volume > 0 ? few.builder.sample_weight.item[i] / volume : 1;
        assert_true((ratio >= 1 && ratio <= 1.4) || (ratio >= 64 && ratio <= 90));
    }
    assert_near(sum_of(few.builder.sample_volume.item, n), 0.044, 1e-14);
    assert_near(sum_of(few.builder.sample_weight.item, n),
                sum_of(all.builder.sample_weight.item, all.builder.sample_weight.count), 1e-12);
    free_field(&few);
    free_field(&all);
}

// ---- merging ----

// Sixteen frames make fifteen stretches and two ends; with two regions for all of them the body is
// at rest where it should be, and any motion of all frames alike is exact.
static void merged_classes_keep_rest_and_affine_motion(void **state) {
    (void)state;
    Random r = {47};
    Field few, all;
    build_bar(&all, "hat", 16, 1e5, 0, 0, NULL);
    assert_true(all.builder.group.count > 15);
    for (int degree = 1; degree <= 4; degree++) {
        build_bar(&few, "hat", 16, 1e5, 2 * sw_rule_size(degree), degree, NULL);
        swReal q[512];
        assert_int_equal(few.builder.group.count, 2);
        assert_near(sum_of(few.builder.sample_volume.item, few.builder.sample_volume.count), 0.044,
                    1e-14);
        assert_near(energy_of(&few, few.builder.q0.item), 0, 1e-20);
        for (int trial = 0; trial < 5; trial++) {
            swMat3 A = random_mat(&r, 0.2);
            for (int k = 0; k < 3; k++)
                A.m[4 * k] += 1;
            move_frames(&few, &r, true, A, q);
            const swReal e = energy_of(&all, q);
            assert_near(energy_of(&few, q), e, 1e-11 * e);
        }
        // mass does not know of it, but for pairs that have none
        for (int i = 0, j = 0; i < few.builder.pair.count; i++) {
            const swNodePair *p = &few.builder.pair.item[i];
            const bool both = j < all.builder.pair.count && all.builder.pair.item[j].i == p->i &&
                              all.builder.pair.item[j].j == p->j;
            for (int k = 0; k < 16; k++)
                assert_near(few.builder.mass.item[p->mass + k],
                            both ? all.builder.mass.item[all.builder.pair.item[j].mass + k] : 0,
                            1e-13);
            j += both;
        }
        free_field(&few);
    }
    free_field(&all);
}

// Merging ends where materials or stiffness differ.
static void halves(swBodyBuild *body) {
    for (int v = 0; v < body->grid.nvoxel; v++)
        body->grid.voxel[v].stiffness = body->grid.voxel[v].centroid.z > 0.1 ? 1 : 10;
}

static void classes_of_different_stiffness_stay_apart(void **state) {
    (void)state;
    Field f;
    build_bar(&f, "hat", 16, 1e5, 1, 1, halves);
    assert_int_equal(f.builder.group.count, 2);
    assert_near(f.builder.sample_weight.item[f.builder.group.item[0].sample] /
                    f.builder.sample_volume.item[f.builder.group.item[0].sample],
                10, 1e-12);
    free_field(&f);
}

// Many classes, of which those of one material are all among the small ones.
static void merging_ends_at_one_class_per_material(void **state) {
    (void)state;
    enum { FRAMES = 600 };
    static swVec3 at[FRAMES];
    swScene *s = make_scene(0.1);
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.2, 0.1));
    sw_scene_add_material(s, "skin");
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.01, 0.1))->material = "skin";
    s->bodies->shape->material = "rubber";
    s->bodies->frames.weights.kind = "hat";
    s->bodies->frames.at = at;
    s->bodies->frames.nat = FRAMES;
    for (int i = 0; i < FRAMES; i++)
        at[i] = sw_v3((i + 0.5) / FRAMES, 0.1, 0.05);
    s->bodies->integration.points = 16;
    s->bodies->integration.degree = 2;
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error) && sw_build_start(&f.builder, &f.body, &error) &&
                sw_build_samples(&f.builder, &f.body, &error),
            &error);
    assert_int_equal(f.builder.group.count, 2);
    assert_int_equal(f.builder.sample_volume.count, 16);
    assert_near(sum_of(f.builder.sample_volume.item, 16), 0.02, 1e-14);
    free_field(&f);
}

// ---- owners ----

// The middle of the bar is carried by frame 2.
static void give_to_frame(swBodyBuild *body) {
    for (int v = 0; v < body->grid.nvoxel; v++)
        body->grid.voxel[v].owner = fabs(body->grid.voxel[v].centroid.x - 0.5) < 0.1 ? 2 : -1;
}

static void carried_voxels_have_mass_alone(void **state) {
    (void)state;
    swScene *s = make_scene(0.05);
    static const swVec3 at[] = {{0.1, 0.1, 0.1}, {0.9, 0.1, 0.1}, {0.5, 0.1, 0.1}};
    add_box(s, sw_v3(0, 0, 0), sw_v3(1, 0.2, 0.2));
    s->bodies->frames.kind = SW_NODE_RIGID;
    s->bodies->frames.weights.kind = "shepard";
    s->bodies->frames.at = at;
    s->bodies->frames.nat = 3;
    s->bodies->integration.correct = SW_CORRECT_NO; // bricks know nothing of what is done by hand
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error), &error);
    give_to_frame(&f.body);
    require(sw_build_start(&f.builder, &f.body, &error) &&
                sw_build_samples(&f.builder, &f.body, &error),
            &error);
    assert_near(sum_of(f.builder.sample_volume.item, f.builder.sample_volume.count), 0.032, 1e-14);
    swReal mass = 0;
    for (int i = 0; i < 3; i++)
        mass += f.builder.weight_load.item[f.builder.node.item[i].q / 3];
    assert_near(mass, 40, 1e-10);
    assert_true(f.builder.weight_load.item[f.builder.node.item[2].q / 3] > 8);
    free_field(&f);
}

// ---- all of a compile ----

static swScene *tee_scene(const swConfig *config, swReal voxel, int degree) {
    swScene *s = sw_scene_create(config);
    if (!s || !sw_scene_add_material(s, "rubber"))
        return s;
    swBody *b = sw_scene_add_body(s, "tee");
    for (int i = 0; b && i < 2; i++) {
        swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
        if (!box)
            return s;
        box->size = i ? sw_v3(1, 0.2, 0.2) : sw_v3(0.2, 0.8, 0.2);
        box->center = i ? sw_v3(0, 0.5, 0) : sw_v3(0, 0, 0);
    }
    if (b) {
        b->voxel = voxel;
        b->frames.count = 5;
        b->integration.degree = degree;
    }
    return s;
}

static void threads_do_not_show(void **state) {
    (void)state;
    for (int degree = 0; degree <= 4; degree += 2) {
        uint64_t hash[2];
        for (int i = 0; i < 2; i++) {
            swConfig config = sw_default_config();
            config.threads = i ? 3 : 1;
            swScene *s = tee_scene(&config, 0.02, degree);
            swModel *m = compile_scene(s);
            hash[i] = sw_model_hash(m);
            sw_model_destroy(m);
            sw_scene_destroy(s);
        }
        assert_true(hash[0] == hash[1]);
    }
}

// Without memory at any one call a compile fails and leaves nothing behind.
static void compiles_fail_cleanly(void **state) {
    (void)state;
    bool done = false;
    for (int k = 1; !done; k++) {
        Counter counter = {.fail_at = k, .once = true};
        const swConfig config = counting_config(&counter);
        swScene *s = tee_scene(&config, 0.1, 3);
        swError error = {0};
        swModel *m = s && s->bodies && s->bodies->shape ? sw_compile(s, &error) : NULL;
        done = counter.calls < k;
        assert_true(!done || m);
        sw_model_destroy(m);
        sw_scene_destroy(s);
        assert_int_equal(counter.held, 0);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rules_match_every_moment),
    cmocka_unit_test(rules_of_the_bunny),
    cmocka_unit_test(rules_of_large_regions),
    cmocka_unit_test(nnls_ends_at_the_least),
    cmocka_unit_test(nnls_by_products_ends_at_the_least),
    cmocka_unit_test(fits_give_polynomials_back),
    cmocka_unit_test(fits_of_flat_regions_stay_flat),
    cmocka_unit_test(modes_keep_squares),
    cmocka_unit_test(stiffness_is_a_factor_on_young),
    cmocka_unit_test(density_is_a_factor_on_mass),
    cmocka_unit_test(soft_is_never_averaged_into_stiff),
    cmocka_unit_test(merged_classes_keep_rest_and_affine_motion),
    cmocka_unit_test(classes_of_different_stiffness_stay_apart),
    cmocka_unit_test(merging_ends_at_one_class_per_material),
    cmocka_unit_test(carried_voxels_have_mass_alone),
    cmocka_unit_test(threads_do_not_show),
    cmocka_unit_test(compiles_fail_cleanly),
};
SW_SUITE(cubature, tests)
