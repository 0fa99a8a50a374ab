// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Elastic energy with few integration points against that of all voxels, for random motions of the
// frames.
#include "kinematics/group.h"
#include "test_examples.h"
#include "test_field.h"

enum { SEEDS = 20 };

// ---- motions ----

// Frame by frame an affine motion of its own, `size` apart from rest; what is held stays. With
// `field` all frames follow one quadratic motion of the whole body instead.
static void deform(const swBodyModel *m, Random *r, swReal size, bool field, swReal *q) {
    const swVec3 diagonal = sw_sub(m->body[0].hi, m->body[0].lo), middle = m->body[0].center;
    const swReal length =
        field ? 0.5 * sw_norm(diagonal) : cbrt(m->body[0].volume / (swReal)m->size.nnode);
    const swMat3 linear = random_mat(r, size);
    swMat3 bend[3];
    for (int k = 0; k < 3; k++)
        bend[k] = random_mat(r, 0.5 * size / length);
    memcpy(q, m->q0, (size_t)m->size.nq * sizeof *q);
    for (const swNode *n = m->node; n < m->node + m->size.nnode; n++) {
        if (n->ndof == 0)
            continue;
        const swVec3 p = sw_sub(n->origin, middle);
        swMat3 A = field ? linear : random_mat(r, size);
        swVec3 t = field ? sw_mul(linear, p) : random_vec(r, size * length);
        for (int k = 0; field && k < 3; k++) { // t_k += p . bend_k p
            const swVec3 b = sw_mul(bend[k], p), c = sw_mul(sw_mat_t(bend[k]), p);
            sw_set(&t, k, sw_get(t, k) + sw_dot(p, b));
            for (int d = 0; d < 3; d++)
                A.m[3 * k + d] += sw_get(b, d) + sw_get(c, d);
        }
        const swMat3 R = sw_mat_rotation(sw_v3(A.m[7], A.m[2], A.m[3]));
        for (int k = 0; k < 3; k++) {
            q[n->q + k * n->width] += sw_get(t, k);
            for (int d = 0; d < 3; d++)
                q[n->q + k * n->width + 1 + d] =
                    n->kind == SW_NODE_RIGID ? R.m[3 * k + d] : A.m[3 * k + d] + (k == d);
        }
    }
}

typedef struct {
    swReal mean, worst;
} Error;

static void note(Error *e, swReal error) {
    e->mean += fabs(error) / SEEDS;
    e->worst = fmax(e->worst, fabs(error));
}

static swReal energy(const swModel *m, swState *a, const swReal *q) {
    memcpy(only_state(a)->q, q, (size_t)m->size.nq * sizeof *q);
    return sw_state_energy(a).elastic;
}

// Relative errors of the energy, over half small and half moderate motions.
static Error compare(const swModel *m, const swModel *fine, bool field) {
    Random r = {7};
    Error e = {0};
    swReal *q = calloc((size_t)m->size.nq, sizeof *q);
    swState *a = make_state(m), *b = make_state(fine);
    assert_non_null(q);
    assert_int_equal(m->size.nq, fine->size.nq);
    for (int seed = 0; seed < SEEDS; seed++) {
        deform(only_body(m), &r, seed % 2 ? 0.1 : 0.002, field, q);
        const swReal exact = energy(fine, b, q);
        assert_true(exact > 0 && isfinite(exact));
        note(&e, energy(m, a, q) / exact - 1);
    }
    free(q);
    sw_state_destroy(a);
    sw_state_destroy(b);
    return e;
}

// A row of the table for `points` of `degree` (0: as the product chooses).
static Error try_rule(swScene *s, const swModel *fine, int points, int degree) {
    s->bodies->integration.points = points;
    s->bodies->integration.degree = degree;
    swModel *m = compile_scene(s);
    const Error own = compare(m, fine, false), one = compare(m, fine, true);
    printf("    %6d, degree %d: %6d   %6.2f %6.2f   %6.2f %6.2f\n", points, degree,
           sw_model_info(m).points, 100 * own.mean, 100 * own.worst, 100 * one.mean,
           100 * one.worst);
    sw_model_destroy(m);
    return (Error){fmax(own.mean, one.mean), fmax(own.worst, one.worst)};
}

static swModel *all_voxels(swScene *s, const char *name) {
    s->bodies->integration.every_voxel = true;
    s->bodies->integration.relax = false; // which depends on the regions
    swModel *fine = compile_scene(s);
    s->bodies->integration.every_voxel = false;
    printf("%s, %d frames, %d voxels that deform: error of the energy [%%], mean and worst\n", name,
           sw_model_info(fine).frames, sw_model_info(fine).points);
    printf("    asked for         points   frames apart    one bend\n");
    return fine;
}

// Bounds are a tenth above what was measured.
static void check_table(swScene *s, const char *name, swReal mean, swReal worst) {
    swModel *fine = all_voxels(s, name);
    const int hundredth = sw_model_info(fine).points / 100;
    try_rule(s, fine, 0, 0);
    for (int degree = 0; degree <= 4; degree++) {
        if (degree != 2 && !whole_tables())
            continue;
        const Error e = try_rule(s, fine, hundredth, degree);
        if (degree != 2)
            continue;
        assert_true(e.mean < mean);
        assert_true(e.worst < worst);
    }
    sw_model_destroy(fine);
    sw_scene_destroy(s);
}

static void energy_of_the_steak(void **state) {
    (void)state;
    check_table(read_example("steak"), "the steak", 0.014, 0.0365);
    swScene *s = read_example("steak");
    s->bodies->voxel = 0.0025;
    check_table(s, "the steak in voxels of 2.5 mm", 0.0048, 0.0136);
}

static void energy_of_the_bunny(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/meshes/bunny.obj");
    swScene *s = sw_scene_create(NULL);
    sw_scene_add_material(s, "rubber");
    swBody *b = sw_scene_add_body(s, "bunny");
    sw_body_add_shape(s, b, SW_SHAPE_MESH)->file = path;
    b->resolution = 64;
    b->frames.count = 10;
    check_table(s, "the bunny", 0.012, 0.03);
}

// ---- uniform sampling ----

// One block of a uniform grid.
typedef struct {
    swReal volume, stiffness; // stiffness times volume
    swMat3 F;                 // times volume
} Block;

typedef struct {
    swVec3 lo;
    swReal edge;
    int n[3];
} Blocks;

static int block_of(const Blocks *b, swVec3 p) {
    int i[3];
    for (int k = 0; k < 3; k++)
        i[k] = sw_min_int(b->n[k] - 1, (int)((sw_get(p, k) - sw_get(b->lo, k)) / b->edge));
    return i[0] + b->n[0] * (i[1] + b->n[1] * i[2]);
}

static void set_edge(Blocks *b, const swGrid *g, swReal edge) {
    b->lo = g->lo;
    b->edge = edge;
    for (int k = 0; k < 3; k++)
        b->n[k] = (int)ceil((sw_get(g->hi, k) - sw_get(g->lo, k)) / edge - 1e-9);
}

static int filled_blocks(const Blocks *b, const swGrid *g) {
    char *hit = calloc((size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2], 1);
    int count = 0;
    for (int v = 0; v < g->nvoxel; v++) {
        char *at = &hit[block_of(b, g->voxel[v].centroid)];
        count += !*at;
        *at = 1;
    }
    free(hit);
    return count;
}

// Corotated Hooke, for Young's modulus 1 and Poisson's ratio nu.
static swReal density(swMat3 F, swReal nu) {
    swMat3 U, V;
    swVec3 s;
    sw_mat_svd(F, &U, &s, &V);
    const swVec3 e = sw_sub(s, sw_v3(1, 1, 1));
    const swReal mu = 0.5 / (1 + nu), lambda = nu / ((1 + nu) * (1 - 2 * nu));
    return mu * sw_norm2(e) + 0.5 * lambda * (e.x + e.y + e.z) * (e.x + e.y + e.z);
}

static void add_to(Block *b, swReal volume, swReal young, swMat3 F) {
    b->volume += volume;
    b->stiffness += volume * young;
    for (int k = 0; k < 9; k++)
        b->F.m[k] += volume * F.m[k];
}

// Energy with one point per block: gradients averaged over it (F is linear in them), and so is the
// stiffness. With `bone`, that counts as well; it is held, so its F is one.
static swReal uniform_energy(const swBodyModel *fine, const Field *f, const Blocks *b,
                             const swReal *q, bool bone) {
    const int n = b->n[0] * b->n[1] * b->n[2];
    Block *block = calloc((size_t)n, sizeof *block);
    swReal *a = calloc(3 * (size_t)fine->size.max_columns, sizeof *a), F[9 * SW_LANES], sum = 0;
    assert_true(block && a);
    for (const swGroup *g = fine->group; g < fine->group + fine->size.ngroup; g++) {
        sw_group_gather(fine, g, q, a);
        for (int i = 0; i < g->nblock * SW_LANES; i++) {
            const int s = g->sample + i;
            swMat3 A;
            if (i % SW_LANES == 0)
                sw_group_gradient(fine, g, i / SW_LANES, 1, a, NULL, F);
            for (int k = 0; k < 9; k++)
                A.m[k] = F[k * SW_LANES + i % SW_LANES];
            if (fine->sample_volume[s] > 0)
                add_to(&block[block_of(b, fine->sample_point[s])], fine->sample_volume[s],
                       fine->material[g->material].young * fine->sample_weight[s] /
                           fine->sample_volume[s],
                       A);
        }
    }
    for (int v = 0; bone && v < f->body.grid.nvoxel; v++) {
        const swVoxel *x = &f->body.grid.voxel[v];
        if (x->owner >= 0)
            add_to(&block[block_of(b, x->centroid)], x->volume, sw_build_young(&f->builder, x),
                   sw_mat_identity());
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 9 && block[i].volume > 0; k++)
            block[i].F.m[k] /= block[i].volume;
        if (block[i].volume > 0)
            sum += block[i].stiffness * density(block[i].F, 0.3);
    }
    free(block);
    free(a);
    return sum;
}

// As many points either way. Uniform blocks feel means of stiff and soft, and of strains of other
// signs; with the bone in them, they stiffen beyond use.
static void uniform_sampling_stiffens(void **state) {
    (void)state;
    static const int counts[] = {10, 24, 92, 400};
    swScene *s = read_example("steak");
    s->bodies->frames.weights.kind = "voronoi"; // those of the paper
    s->bodies->integration.every_voxel = true;
    s->bodies->integration.relax = false; // which depends on the regions
    swModel *fine = compile_scene(s);
    s->bodies->integration.every_voxel = false;
    swState *b = make_state(fine);
    Field f;
    swError error = {0};
    require(build_field(&f, s, &error), &error);
    swReal *q = calloc((size_t)fine->size.nq, sizeof *q);
    printf("energy over that of all voxels, geometric mean: points; regions; blocks; blocks with "
           "bone\n");
    for (int c = 0; c < SW_COUNT(counts); c++) {
        s->bodies->integration.points = counts[c];
        s->bodies->integration.degree = counts[c] > 10 ? 2 : 1;
        swModel *m = compile_scene(s);
        swState *a = make_state(m);
        Blocks blocks;
        swReal edge = 0.1, mean[3] = {0};
        for (set_edge(&blocks, &f.body.grid, edge);
             filled_blocks(&blocks, &f.body.grid) < sw_model_info(m).points;)
            set_edge(&blocks, &f.body.grid, edge *= 0.99);
        Random r = {7};
        for (int seed = 0; seed < SEEDS; seed++) {
            deform(only_body(m), &r, seed % 2 ? 0.1 : 0.002, false, q);
            const swReal exact = energy(fine, b, q);
            mean[0] += log(energy(m, a, q) / exact) / SEEDS;
            mean[1] += log(uniform_energy(only_body(fine), &f, &blocks, q, false) / exact) / SEEDS;
            mean[2] += log(uniform_energy(only_body(fine), &f, &blocks, q, true) / exact) / SEEDS;
        }
        printf("    %4d regions: %.3f; %4d blocks of %.4f m: %.3f, %.3g\n", sw_model_info(m).points,
               exp(mean[0]), filled_blocks(&blocks, &f.body.grid), edge, exp(mean[1]),
               exp(mean[2]));
        assert_true(fabs(mean[0]) < fabs(mean[1]));
        assert_true(mean[2] > log(1000)); // measured: more than 10 000 times too stiff
        sw_state_destroy(a);
        sw_model_destroy(m);
    }
    free(q);
    free_field(&f); // and the scene
    sw_state_destroy(b);
    sw_model_destroy(fine);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(energy_of_the_steak),
    cmocka_unit_test(energy_of_the_bunny),
    cmocka_unit_test(uniform_sampling_stiffens),
};
SW_SUITE(energy, tests)
