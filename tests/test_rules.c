// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Point rules: positive, and exact for every polynomial up to their degree.
#include "cubature/rule.h"
#include "test_field.h"

// Moments of the region about c, scaled to its size, summed over the eight points of every voxel in
// long double; and those of the rule.
static void moments(const swGrid *g, int n, const int *voxel, const swReal *measure, swVec3 c,
                    swReal size, const swRule *rule, int a, int b, int d, long double *exact,
                    long double *found) {
    *exact = *found = 0;
    for (int i = 0; i < n; i++) {
        const swVoxel *v = &g->voxel[voxel[i]];
        for (int k = 0; k < 8; k++) {
            const swVec3 p = sw_add(v->centroid, sw_v3((k & 1 ? 1 : -1) * sqrt(v->second.x),
                                                       (k & 2 ? 1 : -1) * sqrt(v->second.y),
                                                       (k & 4 ? 1 : -1) * sqrt(v->second.z)));
            *exact += measure[voxel[i]] / 8 * powl((p.x - c.x) / size, a) *
                      powl((p.y - c.y) / size, b) * powl((p.z - c.z) / size, d);
        }
    }
    for (int i = 0; i < rule->n; i++) {
        const swVec3 p = rule->point[i];
        *found += (long double)rule->weight[i] * powl((p.x - c.x) / size, a) *
                  powl((p.y - c.y) / size, b) * powl((p.z - c.z) / size, d);
    }
}

// A region: the voxels of a body in a ball somewhere in it.
static int take_region(const swGrid *g, Random *r, int *voxel, swVec3 *center, swReal *size) {
    const swVec3 c = g->voxel[random_int(r, g->nvoxel)].centroid;
    const swReal radius = random_in(r, 0.2, 0.6) * sw_norm(sw_sub(g->hi, g->lo));
    int n = 0;
    for (int v = 0; v < g->nvoxel; v++)
        if (sw_norm(sw_sub(g->voxel[v].centroid, c)) < radius)
            voxel[n++] = v;
    *center = c;
    *size = radius;
    return n;
}

static void check_body(swScene *s, Random *r) {
    swReal worst = 0;
    Field f;
    swError error = {0};
    s->bodies->frames.count = 1;
    require(build_field(&f, s, &error), &error);
    const swGrid *g = &f.body.grid;
    int *voxel = calloc((size_t)g->nvoxel, sizeof *voxel);
    swReal *measure = calloc((size_t)g->nvoxel, sizeof *measure);
    for (int v = 0; v < g->nvoxel; v++) // stiffness varies as well
        measure[v] = g->voxel[v].volume * random_in(r, 0.5, 2);
    for (int degree = 1; degree <= 6; degree++) {
        swVec3 point[SW_RULE_POINTS];
        swReal weight[SW_RULE_POINTS];
        swRule rule = {.point = point, .weight = weight};
        swRuleWork *work = sw_rule_work(degree, &f.builder.arena, &error);
        require(work != NULL, &error);
        for (int trial = 0; trial < 3; trial++) {
            swVec3 c;
            swReal size;
            const int n = take_region(g, r, voxel, &c, &size);
            sw_rule_create(&rule, degree, g, n, voxel, measure, work);
            assert_int_equal(rule.degree, degree);
            assert_true(rule.n >= 1 && rule.n <= sw_rule_size(degree));
            long double total, found;
            moments(g, n, voxel, measure, c, size, &rule, 0, 0, 0, &total, &found);
            for (int i = 0; i < rule.n; i++)
                assert_true(rule.weight[i] > 0);
            for (int a = 0; a <= degree; a++)
                for (int b = 0; a + b <= degree; b++)
                    for (int d = 0; a + b + d <= degree; d++) {
                        long double exact;
                        moments(g, n, voxel, measure, c, size, &rule, a, b, d, &exact, &found);
                        worst = sw_max(worst, (swReal)(fabsl(found - exact) / total));
                        assert_true(fabsl(found - exact) < 1e-12L * total);
                    }
        }
    }
    print_message("%d voxels: moments differ by %.1e at most\n", g->nvoxel, worst);
    free(voxel);
    free(measure);
    free_field(&f);
}

static void rules_match_all_moments(void **state) {
    (void)state;
    Random r = {101};
    swScene *s = make_scene(0.08); // a ball
    sw_body_add_shape(s, s->bodies, SW_SHAPE_SPHERE)->radius = 0.5;
    check_body(s, &r);
    s = make_scene(0.05); // a T
    add_box(s, sw_v3(-0.1, 0, -0.1), sw_v3(0.1, 0.6, 0.1));
    add_box(s, sw_v3(-0.4, 0.6, -0.1), sw_v3(0.4, 0.8, 0.1));
    check_body(s, &r);
}

static void rules_match_all_moments_of_a_bunny(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/meshes/bunny.obj");
    Random r = {102};
    swScene *s = make_scene(NAN);
    s->bodies->resolution = 24;
    sw_body_add_shape(s, s->bodies, SW_SHAPE_MESH)->file = path;
    check_body(s, &r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rules_match_all_moments),
    cmocka_unit_test(rules_match_all_moments_of_a_bunny),
};

SW_SUITE(rules, tests)
