// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Dual-quaternion blending: the map from blended quaternions to x and F with its derivatives, the
// chain rule to the six unknowns of a frame, and what it promises: rigid motions are exact, signs
// do not matter, small motions are those of linear blending, twisted sections keep their area. The
// whole objective of a step is in test_kinematics.c, momentum and bars in test_mechanics.c, saving,
// threads and memory in test_state.c.
#include "io/gltf_write.h"
#include "kinematics/group.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"
#include "math/tangent.h"
#include "solve/work.h"
#include "test_tools.h"

enum { LANE = SW_LANES - 1 }; // the one that is looked at; the others hold other numbers

static swReal lane(swWide v) {
    swReal all[SW_LANES];
    sw_wide_store(all, v);
    return all[LANE];
}

static swWide random_wide(Random *r, swReal size) {
    swReal all[SW_LANES];
    for (int i = 0; i < SW_LANES; i++)
        all[i] = random_in(r, -size, size);
    return sw_wide_load(all);
}

static void random_map(Random *r, swWide B[4][SW_DUAL], swWide p[3]) {
    for (int a = 0; a < 4; a++)
        for (int i = 0; i < SW_DUAL; i++)
            B[a][i] = random_wide(r, 1) + (a == 0 && i == 0 ? 1.5 : 0.0); // not near zero
    for (int k = 0; k < 3; k++)
        p[k] = random_wide(r, 1);
}

// ---- the map ----

// Smooth fields b(p): F is the derivative of x along p.
static void gradients_are_those_of_positions(void **state) {
    (void)state;
    Random r = {201};
    for (int trial = 0; trial < 20; trial++) {
        swWide c[10][SW_DUAL], p[3], B[4][SW_DUAL];
        for (int m = 0; m < 10; m++)
            for (int i = 0; i < SW_DUAL; i++)
                c[m][i] = random_wide(&r, 0.4) + (m == 0 && i == 0 ? 1.5 : 0.0);
        const swVec3 at = random_vec(&r, 1);
        swReal slope[9], d = 1e-5;
        swDualGradient g;
        for (int step = -1; step < 6; step++) { // in the middle, then to both sides
            swVec3 here = at;
            if (step >= 0)
                sw_set(&here, step / 2, sw_get(at, step / 2) + (step % 2 ? d : -d));
            swReal m[10], dm[10][3];
            sw_monomials(10, here, m);
            sw_monomial_gradients(10, here, dm);
            for (int i = 0; i < SW_DUAL; i++)
                for (int a = 0; a < 4; a++) {
                    B[a][i] = sw_wide(0);
                    for (int k = 0; k < 10; k++)
                        B[a][i] = B[a][i] + (a == 0 ? m[k] : dm[k][a - 1]) * c[k][i];
                }
            for (int k = 0; k < 3; k++)
                p[k] = sw_wide(sw_get(here, k));
            swDualPoint point;
            sw_dual_point(B[0], p, &point);
            for (int a = 0; a < 3 && step >= 0; a++) {
                const swReal x = lane(point.x[a]) / (2 * d);
                slope[3 * a + step / 2] = step % 2 ? slope[3 * a + step / 2] + x : -x;
            }
            if (step < 0)
                sw_dual_gradient(B, p, &g);
        }
        for (int i = 0; i < 9; i++)
            assert_near(lane(g.F[i]), slope[i], 1e-7 * (1 + fabs(slope[i])));
    }
}

// An energy quadratic in F: psi = P0 : F + F : C : F / 2. Fills P.
static swReal quadratic(const swWide P0[9], const swWide C[54], const swWide F[9], swWide P[9]) {
    swWide psi = sw_wide(0);
    for (int i = 0; i < 9; i++) {
        P[i] = P0[i];
        psi = psi + P0[i] * F[i];
        for (int j = 0; j < 9; j++) { // C[(r,k),(s,l)]
            const int a = i / 3, k = i % 3, c = j / 3, l = j % 3;
            const swWide t = C[9 * sw_pair_at[3 * a + c] + (a <= c ? 3 * k + l : 3 * l + k)];
            P[i] = P[i] + t * F[j];
            psi = psi + 0.5 * F[i] * t * F[j];
        }
    }
    return lane(psi);
}

static void random_tangent(Random *r, swWide C[54]) {
    for (int i = 0; i < SW_TANGENT; i++)
        C[i] = random_wide(r, 1);
    for (int pair = 0; pair < 3; pair++) // of equal rows it is symmetric
        for (int kl = 0; kl < 9; kl++)
            if (kl / 3 > kl % 3)
                C[9 * pair + kl] = C[9 * pair + 3 * (kl % 3) + kl / 3];
}

typedef swReal Stiffness[4][SW_DUAL][4][SW_DUAL];

static void stiffness_of(const swDualGradient *g, const swWide P[9], const swWide C[54],
                         bool gauss_newton, Stiffness K) {
    swReal out[SW_DUAL_PAIRS * 16 * SW_LANES];
    sw_dual_stiffness(g, P, C, gauss_newton, out, 16 * SW_LANES);
    for (int a = 0; a < 4; a++)
        for (int r = 0; r < SW_DUAL; r++)
            for (int c = 0; c < 4; c++)
                for (int s = 0; s < SW_DUAL; s++) {
                    const swReal *pair =
                        out + sw_dual_pair(r < s ? r : s, r < s ? s : r) * 16 * SW_LANES;
                    K[a][r][c][s] = pair[(r <= s ? 4 * a + c : 4 * c + a) * SW_LANES + LANE];
                }
}

// Force and stiffness against differences; without the second-order term exactly that is missing.
static void forces_and_stiffness_are_derivatives(void **state) {
    (void)state;
    Random r = {202};
    const swReal d = 1e-6;
    for (int trial = 0; trial < 10; trial++) {
        swWide B[4][SW_DUAL], p[3], P0[9], P[9], C[54], none[54];
        Stiffness K, gauss, second;
        swDualGradient g;
        random_map(&r, B, p);
        random_tangent(&r, C);
        memset(none, 0, sizeof none);
        for (int i = 0; i < 9; i++)
            P0[i] = random_wide(&r, 1);
        sw_dual_gradient(B, p, &g);
        quadratic(P0, C, g.F, P);
        swWide force[4][SW_DUAL], moved[2][4][SW_DUAL];
        sw_dual_force(&g, P, force);
        stiffness_of(&g, P, C, false, K);
        stiffness_of(&g, P, C, true, gauss);
        stiffness_of(&g, P, none, false, second);
        for (int i = 0; i < 4 * SW_DUAL; i++) {
            swReal psi[2];
            for (int side = 0; side < 2; side++) {
                const swWide keep = B[i / SW_DUAL][i % SW_DUAL];
                swWide Q[9];
                B[i / SW_DUAL][i % SW_DUAL] = keep + (side ? d : -d);
                sw_dual_gradient(B, p, &g);
                psi[side] = quadratic(P0, C, g.F, Q);
                sw_dual_force(&g, Q, moved[side]);
                B[i / SW_DUAL][i % SW_DUAL] = keep;
            }
            const swReal f = lane(force[i / SW_DUAL][i % SW_DUAL]);
            assert_near((psi[1] - psi[0]) / (2 * d), f, 1e-6 * (1 + fabs(f)));
            for (int j = 0; j < 4 * SW_DUAL; j++) {
                const int a = i / SW_DUAL, s = i % SW_DUAL, c = j / SW_DUAL, t = j % SW_DUAL;
                const swReal fd = (lane(moved[1][c][t]) - lane(moved[0][c][t])) / (2 * d);
                assert_near(K[a][s][c][t], fd, 1e-6 * (1 + fabs(fd)));
                assert_near(K[a][s][c][t], K[c][t][a][s], 1e-12 * (1 + fabs(fd)));
                assert_near(gauss[a][s][c][t] + second[a][s][c][t], K[a][s][c][t],
                            1e-12 * (1 + fabs(fd)));
            }
        }
    }
}

static void slopes_and_curvature_are_derivatives(void **state) {
    (void)state;
    Random r = {203};
    const swReal d = 1e-6;
    for (int trial = 0; trial < 10; trial++) {
        swWide B[4][SW_DUAL], p[3], X[3][SW_DUAL], moved[2][3][SW_DUAL], f[3], fX[SW_DUAL],
            H[SW_DUAL][SW_DUAL];
        swDualPoint point, side[2];
        random_map(&r, B, p);
        sw_dual_point(B[0], p, &point);
        sw_dual_slope(&point, X);
        for (int a = 0; a < 3; a++)
            f[a] = random_wide(&r, 1);
        for (int i = 0; i < SW_DUAL; i++)
            fX[i] = f[0] * X[0][i] + f[1] * X[1][i] + f[2] * X[2][i];
        memset(H, 0, sizeof H);
        sw_dual_curvature(&point, f, fX, H);
        for (int i = 0; i < SW_DUAL; i++) {
            for (int s = 0; s < 2; s++) {
                swWide b[SW_DUAL];
                memcpy(b, B[0], sizeof b);
                b[i] = b[i] + (s ? d : -d);
                sw_dual_point(b, p, &side[s]);
                sw_dual_slope(&side[s], moved[s]);
            }
            for (int a = 0; a < 3; a++)
                assert_near((lane(side[1].x[a]) - lane(side[0].x[a])) / (2 * d), lane(X[a][i]),
                            1e-7);
            for (int j = i; j < SW_DUAL; j++) {
                swReal fd = 0;
                for (int a = 0; a < 3; a++)
                    fd += lane(f[a]) * (lane(moved[1][a][j]) - lane(moved[0][a][j])) / (2 * d);
                assert_near(lane(H[i][j]), fd, 1e-6 * (1 + fabs(fd)));
            }
        }
    }
}

// The length of b says nothing, and neither does its sign.
static void lengths_and_signs_do_not_matter(void **state) {
    (void)state;
    Random r = {204};
    for (int trial = 0; trial < 50; trial++) {
        swWide B[4][SW_DUAL], p[3];
        swDualGradient g, scaled;
        random_map(&r, B, p);
        sw_dual_gradient(B, p, &g);
        const swReal s = random_in(&r, -3, 3);
        for (int i = 0; i < 4 * SW_DUAL; i++)
            B[i / SW_DUAL][i % SW_DUAL] = s * B[i / SW_DUAL][i % SW_DUAL];
        sw_dual_gradient(B, p, &scaled);
        for (int a = 0; a < 3; a++)
            assert_near(lane(scaled.point.x[a]), lane(g.point.x[a]), 1e-13);
        for (int i = 0; i < 9; i++)
            assert_near(lane(scaled.F[i]), lane(g.F[i]), 1e-12 * (1 + fabs(lane(g.F[i]))));
    }
}

// ---- batches against the map itself ----

enum { NODES = 7, BLOCKS = SW_DUAL_CHUNK };

static void batches_match_single_points(void **state) {
    (void)state;
    static swReal weights[BLOCKS * 4 * NODES * SW_LANES], Q[SW_DUAL * NODES],
        F[BLOCKS * 9 * SW_LANES], P[BLOCKS * 9 * SW_LANES], C[BLOCKS * SW_TANGENT * SW_LANES],
        force[SW_DUAL * NODES * SW_LANES], K[SW_DUAL_PAIRS * NODES * NODES * SW_LANES];
    static swDualGradient g[BLOCKS];
    swVec3 place[BLOCKS * SW_LANES];
    Random r = {205};
    for (int n = 1; n <= NODES; n++)
        for (int nblock = 1; nblock <= BLOCKS; nblock += 1 + n % 3) {
            const int nfree = n - n % 3;
            swReal *scratch = calloc(sw_dual_scratch(n), sizeof *scratch);
            for (int i = 0; i < SW_COUNT(weights); i++)
                weights[i] = random_in(&r, 0, 1);
            for (int i = 0; i < SW_DUAL * n; i++)
                Q[i] = random_in(&r, -0.3, 0.3) + (i < n);
            for (int i = 0; i < SW_COUNT(place); i++)
                place[i] = random_vec(&r, 1);
            for (int i = 0; i < SW_COUNT(P); i++)
                P[i] = random_in(&r, -1, 1);
            for (int b = 0; b < nblock; b++) {
                swWide tangent[SW_TANGENT];
                random_tangent(&r, tangent);
                memcpy(C + b * SW_TANGENT * SW_LANES, tangent, sizeof tangent);
            }
            memset(force, 0, sizeof force);
            memset(K, 0, sizeof K);
            sw_dual_blend_gradient(n, nblock, weights, place, Q, g, F);
            sw_dual_blend_force(n, nblock, weights, g, P, force);
            sw_dual_blend_stiffness(n, nfree, nblock, weights, g, P, C, false, K, scratch);
            swReal f[SW_DUAL][NODES] = {{0}};
            static swReal k[SW_DUAL][SW_DUAL][NODES][NODES];
            memset(k, 0, sizeof k);
            for (int b = 0; b < nblock; b++) {
                swWide B[4][SW_DUAL], p[3], stress[9], tangent[SW_TANGENT], gb[4][SW_DUAL];
                const swReal *w = weights + b * sw_dual_block(n) + LANE;
                swDualGradient one;
                Stiffness KB;
                for (int a = 0; a < 4; a++)
                    for (int i = 0; i < SW_DUAL; i++) {
                        swReal sum = 0;
                        for (int j = 0; j < n; j++)
                            sum += Q[i * n + j] * w[(a * n + j) * SW_LANES];
                        B[a][i] = sw_wide(sum);
                    }
                for (int a = 0; a < 3; a++)
                    p[a] = sw_wide(sw_get(place[b * SW_LANES + LANE], a));
                for (int i = 0; i < 9; i++)
                    stress[i] = sw_wide(P[(9 * b + i) * SW_LANES + LANE]);
                for (int i = 0; i < SW_TANGENT; i++)
                    tangent[i] = sw_wide(C[(SW_TANGENT * b + i) * SW_LANES + LANE]);
                sw_dual_gradient(B, p, &one);
                for (int i = 0; i < 9; i++)
                    assert_near(F[(9 * b + i) * SW_LANES + LANE], lane(one.F[i]), 1e-11);
                sw_dual_force(&one, stress, gb);
                stiffness_of(&one, stress, tangent, false, KB);
                for (int i = 0; i < n; i++)
                    for (int a = 0; a < 4; a++)
                        for (int s = 0; s < SW_DUAL; s++) {
                            f[s][i] += w[(a * n + i) * SW_LANES] * lane(gb[a][s]);
                            for (int j = 0; j < n; j++)
                                for (int c = 0; c < 4; c++)
                                    for (int t = 0; t < SW_DUAL; t++)
                                        k[s][t][i][j] += w[(a * n + i) * SW_LANES] *
                                                         KB[a][s][c][t] * w[(c * n + j) * SW_LANES];
                        }
            }
            for (int s = 0; s < SW_DUAL; s++)
                for (int i = 0; i < n; i++) {
                    assert_near(force[(s * n + i) * SW_LANES + LANE], f[s][i],
                                1e-10 * (1 + fabs(f[s][i])));
                    for (int t = s; t < SW_DUAL && i < nfree; t++)
                        for (int j = 0; j < (s == t ? i + 1 : nfree); j++)
                            assert_near(
                                K[((sw_dual_pair(s, t) * nfree + i) * nfree + j) * SW_LANES + LANE],
                                k[s][t][i][j], 1e-9 * (1 + fabs(k[s][t][i][j])));
                }
            free(scratch);
        }
}

// ---- scenes ----

// A bar along x from 0 to 1 with frames at the given places and nothing that holds it.
static swScene *bar_scene(int kind, const swVec3 *at, int nat, const char *weights) {
    swScene *s = sw_scene_create(NULL);
    s->gravity = sw_v3(0, 0, 0);
    sw_scene_add_material(s, "rubber")->law = "neo-hookean";
    swBody *b = sw_scene_add_body(s, "bar");
    swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
    box->size = sw_v3(1, 0.2, 0.1);
    box->center = sw_v3(0.5, 0, 0);
    b->resolution = 10;
    b->integration.every_voxel = true;
    set_kind(&b->frames, kind);
    b->frames.count = 0;
    b->frames.at = at;
    b->frames.nat = nat;
    b->frames.weights.kind = weights;
    return s;
}

static const swVec3 three[] = {{0.1, 0, 0}, {0.9, 0, 0}, {0.5, 0, 0}}; // the last is in the middle

static void turn_node(const swModel *m, int node, swVec3 rotation, swReal *q) {
    swReal *A = q + m->node[node].q;
    const swMat3 R = sw_mat_rotation(rotation);
    for (int i = 0; i < 9; i++)
        A[4 * (i / 3) + 1 + i % 3] = R.m[i];
}

// However far each frame has turned, neighbours take the near one of both signs: the middle is
// never a whole turn off. The order of the frames does not matter, nor what signs there were
// before.
static void neighbours_take_the_same_sign(void **state) {
    (void)state;
    swScene *s = bar_scene(TEST_DUAL, three, 3, "hat");
    swModel *m = compile_scene(s);
    swState *a = make_state(m), *b = make_state(m);
    Random r = {206};
    for (int trial = 0; trial < 500; trial++) {
        const swVec3 axis = sw_unit(random_vec(&r, 1));
        const swReal start = random_in(&r, -7, 7);
        turn_node(m, 0, sw_scale(start, axis), a->q); // at most 170 degrees from one to the next
        turn_node(m, 2, sw_scale(start + random_in(&r, -2.9, 2.9), axis), a->q);
        turn_node(m, 1, sw_scale(start + random_in(&r, -2.9, 2.9), axis), a->q);
        sw_nodes_sync(m, a->q);
        memcpy(b->q, a->q, (size_t)m->size.nq * sizeof *a->q);
        const swReal *Q[3];
        for (int i = 0; i < 3; i++) {
            Q[i] = a->q + m->node[i].q + SW_NODE_DUAL;
            for (int k = 0; k < 8 && random_int(&r, 2); k++)
                b->q[m->node[i].q + SW_NODE_DUAL + k] *= -1;
        }
        for (int i = 0; i < 2; i++)
            assert_true(
                Q[i][0] * Q[2][0] + Q[i][1] * Q[2][1] + Q[i][2] * Q[2][2] + Q[i][3] * Q[2][3] >= 0);
        sw_nodes_sync(m, b->q);
        assert_memory_equal(a->q, b->q, (size_t)m->size.nq * sizeof *a->q);
        for (int64_t i = 0; i < m->size.nnode; i++) // all of them turned round is the same motion
            for (int k = 0; k < 8; k++)
                b->q[m->node[i].q + SW_NODE_DUAL + k] *= -1;
        for (int i = 0; i < m->size.npoint; i++)
            assert_near(
                sw_norm(sw_sub(sw_point_position(m, a->q, i), sw_point_position(m, b->q, i))), 0,
                1e-15);
    }
    sw_state_destroy(a);
    sw_state_destroy(b);
    sw_model_destroy(m);
    sw_scene_destroy(s);
}

static void rigid_motions_are_exact(void **state) {
    (void)state;
    swScene *s = bar_scene(TEST_DUAL, three, 3, "shepard");
    swModel *m = compile_scene(s);
    swState *a = make_state(m);
    Random r = {207};
    for (int trial = 0; trial < 20; trial++) {
        const swMat3 R = random_rotation(&r);
        const swVec3 t = random_vec(&r, 2);
        for (int64_t i = 0; i < m->size.nnode; i++) {
            const swVec3 x = sw_add(sw_mul(R, m->node[i].origin), t);
            for (int k = 0; k < 12; k++)
                a->q[m->node[i].q + k] = k % 4 ? R.m[3 * (k / 4) + k % 4 - 1] : sw_get(x, k / 4);
        }
        sw_nodes_sync(m, a->q);
        for (int i = 0; i < m->size.npoint; i++)
            assert_near(
                sw_norm(sw_sub(sw_point_position(m, a->q, i), sw_add(sw_mul(R, m->point[i]), t))),
                0, 1e-14 * 5);
        swReal Q[SW_DUAL * 3], F[9 * SW_LANES];
        for (int64_t i = 0; i < m->size.ngroup; i++) {
            sw_group_gather(m, &m->group[i], a->q, Q);
            for (int b = 0; b < m->group[i].nblock; b++) {
                sw_group_gradient(m, &m->group[i], b, 1, Q, NULL, F);
                for (int k = 0; k < 9 * SW_LANES; k++)
                    assert_near(F[k], R.m[k / SW_LANES], 1e-10);
            }
        }
        const swObjective elastic = {0};
        sw_objective_evaluate(m, a, &elastic, a->q, true, false, SW_PROJECT_NONE);
        swReal folded[18];
        sw_nodes_fold_gradient(m, a->q, a->work->g, folded);
        for (int i = 0; i < m->size.ndof; i++)
            assert_near(folded[i], 0, 1e-10 * 1e5 * 0.02); // of E times the area
    }
    sw_state_destroy(a);
    sw_model_destroy(m);
    sw_scene_destroy(s);
}

// ---- the chain rule ----

enum { NDOF = 18, NU = 24 };

// A cubic function of all dual quaternions, f = b.Q + Q.S.Q/2 + (a.Q)^3/6.
typedef struct {
    swReal b[NU], a[NU], S[NU][NU];
} Function;

// Value, gradient g over q, and, where H is given, the ambient Hessian (lower triangle).
static swReal function_at(const Function *f, const swModel *m, const swReal *q, swReal *g,
                          swReal *H) {
    swReal Q[NU], value = 0, aQ = 0;
    for (int i = 0; i < NU; i++) {
        Q[i] = q[m->node[i / 8].q + SW_NODE_DUAL + i % 8];
        aQ += f->a[i] * Q[i];
    }
    memset(g, 0, (size_t)m->size.nq * sizeof *g);
    for (int i = 0; i < NU; i++) {
        swReal SQ = 0;
        for (int j = 0; j < NU; j++) {
            SQ += f->S[i][j] * Q[j];
            if (H && j <= i)
                H[i * NU + j] = f->S[i][j] + aQ * f->a[i] * f->a[j];
        }
        value += f->b[i] * Q[i] + 0.5 * Q[i] * SQ;
        g[m->node[i / 8].q + SW_NODE_DUAL + i % 8] = f->b[i] + SQ + 0.5 * aQ * aQ * f->a[i];
    }
    return value + aQ * aQ * aQ / 6;
}

static void folding_is_the_chain_rule(void **state) {
    (void)state;
    static Function f;
    swScene *s = bar_scene(TEST_DUAL, three, 3, "shepard");
    s->bodies->place = (swPose){{1, 2, 3}, 1.1, {0, 0, 0}, {0.3, -0.2, 0.5}};
    swModel *m = compile_scene(s);
    assert_int_equal(m->size.ndof, NDOF);
    assert_int_equal(m->size.nu, NU);
    swArena arena;
    swBlocks ambient, own;
    sw_arena_init(&arena, &m->config.allocator);
    assert_true(sw_work_blocks(m, true, &arena, &ambient, NULL) &&
                sw_work_blocks(m, false, &arena, &own, NULL));
    const size_t bytes = (size_t)m->size.nq * sizeof(swReal);
    swReal *q = malloc(bytes), *moved = malloc(bytes), *g = malloc(bytes);
    swReal H[NU * NU] = {0}, A[NDOF * NDOF], folded[NDOF], step[NDOF], fd[NDOF][NDOF], d = 1e-5;
    Random r = {208};
    for (int i = 0; i < NU; i++) {
        f.a[i] = random_in(&r, -1, 1);
        f.b[i] = random_in(&r, -1, 1);
        for (int j = 0; j <= i; j++)
            f.S[i][j] = f.S[j][i] = random_in(&r, -1, 1);
    }
    memcpy(q, m->q0, bytes);
    for (int i = 0; i < NDOF; i++)
        step[i] = random_in(&r, -1, 1);
    sw_nodes_move(m, step, 0.6, q);
    function_at(&f, m, q, g, H);
    sw_nodes_fold_gradient(m, q, g, folded);
    for (int i = 0; i < NU; i++)
        for (int j = 0; j <= i; j++)
            sw_blocks_get(&ambient, i / 8, j / 8).data[i % 8 * 8 + j % 8] = H[i * NU + j];
    sw_nodes_fold_hessian(m, q, g, &ambient, &own);
    sw_blocks_unpack(&own, A, NDOF);
    for (int i = 0; i < NDOF; i++) {
        swReal value[2], slope[2][NDOF];
        for (int side = 0; side < 2; side++) {
            memset(step, 0, sizeof step);
            step[i] = 1;
            memcpy(moved, q, bytes);
            sw_nodes_move(m, step, side ? d : -d, moved);
            value[side] = function_at(&f, m, moved, g, NULL);
            sw_nodes_fold_gradient(m, moved, g, slope[side]);
        }
        assert_near((value[1] - value[0]) / (2 * d), folded[i], 1e-7);
        for (int j = 0; j < NDOF; j++)
            fd[i][j] = (slope[1][j] - slope[0][j]) / (2 * d);
    }
    for (int i = 0; i < NDOF; i++) // symmetric part: see test_kinematics.c
        for (int j = 0; j <= i; j++)
            assert_near(0.5 * (fd[i][j] + fd[j][i]), A[i * NDOF + j], 1e-7);
    sw_arena_free(&arena);
    free(q);
    free(moved);
    free(g);
    sw_model_destroy(m);
    sw_scene_destroy(s);
}

// Rates of a motion are those of places that it leads to, at its beginning and at its end.
static void rates_are_derivatives(void **state) {
    (void)state;
    static const swReal d = 1e-5, share = 0.6;
    for (int dual = 0; dual < 2; dual++) {
        swScene *s = bar_scene(dual ? TEST_DUAL : SW_NODE_RIGID, three, 3, "shepard");
        swModel *m = compile_scene(s);
        const size_t bytes = (size_t)m->size.nq * sizeof(swReal),
                     points = (size_t)m->size.nbulk_point * sizeof(swVec3);
        swReal *q[2] = {malloc(bytes), malloc(bytes)}, *v[2] = {calloc(1, bytes), malloc(bytes)},
               *side[2] = {malloc(bytes), malloc(bytes)}, step[NDOF];
        swVec3 *rate = malloc(points), *x[2] = {malloc(points), malloc(points)};
        Random r = {210};
        for (int i = 0; i < NDOF; i++)
            step[i] = random_in(&r, -1, 1);
        memcpy(q[0], m->q0, bytes);
        sw_nodes_move(m, step, 0.5, q[0]);
        for (int i = 0; i < NDOF; i++)
            step[i] = random_in(&r, -1, 1);
        memcpy(q[1], q[0], bytes);
        sw_nodes_move(m, step, share, q[1]);
        sw_nodes_add_rates(m, q[0], step, 1, v[0]);
        sw_nodes_rates(m, q[0], q[1], share, v[1]);
        for (int end = 0; end < 2; end++) {
            for (int k = 0; k < 2; k++) {
                memcpy(side[k], q[0], bytes);
                sw_nodes_move(m, step, (end ? share : 0) + (k ? d : -d), side[k]);
                sw_bulk_positions(m, side[k], x[k]);
            }
            for (int64_t i = 0; i < m->size.nq; i++)
                assert_near((side[1][i] - side[0][i]) / (2 * d), v[end][i], 1e-8);
            sw_bulk_rates(m, q[end], v[end], rate);
            for (int64_t i = 0; i < m->size.nbulk_point; i++)
                assert_near(sw_norm(sw_sub(sw_scale(0.5 / d, sw_sub(x[1][i], x[0][i])), rate[i])),
                            0, 1e-8);
        }
        for (int k = 0; k < 2; k++) {
            free(q[k]);
            free(v[k]);
            free(side[k]);
            free(x[k]);
        }
        free(rate);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
}

// ---- against linear blending ----

// Folded stiffness of elasticity (or mass) at rest.
static void rest_matrix(const swModel *m, swState *s, bool mass, swReal A[NDOF * NDOF],
                        swReal residual[NDOF]) {
    swObjective o = {.inertia = mass ? 1 : 0, .target = m->q0};
    sw_bulk_positions(m, s->q, s->work->bulk_target);
    sw_objective_evaluate(m, s, &o, s->q, true, true, SW_PROJECT_NONE);
    swWork *w = s->work;
    sw_nodes_fold_gradient(m, s->q, w->g, residual);
    sw_nodes_fold_hessian(m, s->q, w->g, &w->H, &w->A);
    sw_blocks_unpack(&w->A, A, NDOF);
}

static swReal largest_difference(const swReal *A, const swReal *B, swReal *size) {
    swReal worst = 0;
    for (int i = 0; i < NDOF * NDOF; i++) {
        *size = fmax(*size, fabs(A[i]));
        worst = fmax(worst, fabs(A[i] - B[i]));
    }
    return worst;
}

static void small_motions_are_those_of_linear_blending(void **state) {
    (void)state;
    for (int weights = 0; placed_weights(weights); weights++) {
        swModel *m[2];
        swState *a[2];
        static swReal K[2][NDOF * NDOF], M[2][NDOF * NDOF];
        swReal residual[NDOF], step[NDOF], gap[2];
        swVec3 *x[2];
        Random r = {209};
        for (int dual = 0; dual < 2; dual++) {
            swScene *s =
                bar_scene(dual ? TEST_DUAL : SW_NODE_RIGID, three, 3, placed_weights(weights));
            m[dual] = compile_scene(s);
            a[dual] = make_state(m[dual]);
            rest_matrix(m[dual], a[dual], false, K[dual], residual);
            for (int i = 0; i < NDOF; i++)
                assert_near(residual[i], 0, 1e-10);
            rest_matrix(m[dual], a[dual], true, M[dual], residual);
            x[dual] = malloc((size_t)m[dual]->body[0].npoint * sizeof *x[dual]);
            sw_scene_destroy(s);
        }
        swReal size = 0, mass = 0;
        const swReal soft = largest_difference(K[0], K[1], &size);
        assert_near(soft, 0, 1e-9 * size);
        for (int i = 0; i < NDOF * NDOF; i++)
            M[0][i] -= K[0][i], M[1][i] -= K[1][i];
        const swReal off = largest_difference(M[0], M[1], &mass);
        print_message("%s weights: mass at rest differs from that of linear blending by %.1g\n",
                      placed_weights(weights), off / mass);
        assert_true(off < 4e-3 * mass); // eight points per region against all voxels
        for (int i = 0; i < NDOF; i++)
            step[i] = random_in(&r, -1, 1);
        for (int half = 0; half < 2; half++) {
            gap[half] = 0;
            for (int dual = 0; dual < 2; dual++) {
                sw_state_reset(a[dual]);
                sw_nodes_move(m[dual], step, half ? 0.005 : 0.01, a[dual]->q);
                sw_body_vertices(a[dual], 0, x[dual]);
            }
            for (int i = 0; i < m[0]->body[0].npoint; i++)
                gap[half] = fmax(gap[half], sw_norm(sw_sub(x[0][i], x[1][i])));
        }
        assert_true(gap[0] < 1e-3 && gap[0] > 1e-6);
        assert_near(gap[0] / gap[1], 4, 0.1); // second order
        for (int dual = 0; dual < 2; dual++) {
            free(x[dual]);
            sw_state_destroy(a[dual]);
            sw_model_destroy(m[dual]);
        }
    }
}

// ---- what it is for ----

// The area of the section at x = 1/2 over that at rest, from the corners of the surface there, when
// one end of a bar has turned against the other by an angle.
static swReal section_area(int kind, swReal angle) {
    swScene *s = bar_scene(kind, NULL, 0, "hat");
    swBody *b = s->bodies;
    const swReal y = 0.1, z = 0.05;
    const swVec3 corner[4] = {{0.5, -y, -z}, {0.5, y, -z}, {0.5, y, z}, {0.5, -y, z}};
    for (int end = 0; end < 2; end++) {
        swHandle *h = sw_body_add_handle(s, b, NULL, SW_SHAPE_BOX);
        h->region->size = sw_v3(0, 1, 1);
        h->region->center = sw_v3(end, 0, 0);
        sw_handle_add_key(s, h, 0);
        if (end)
            sw_handle_add_key(s, h, 1)->pose = (swPose){{1, 0, 0}, angle, {0, 0, 0}, {0, 0, 0}};
    }
    for (int i = 0; i < 4; i++)
        sw_scene_add_probe(s, NULL, corner[i]);
    swModel *m = compile_scene(s);
    swState *a = make_state(m);
    solve_or_fail(m, a);
    swVec3 area = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        area = sw_madd(area, 0.5,
                       sw_cross(sw_probe_position(a, i), sw_probe_position(a, (i + 1) % 4)));
    for (int i = 0; i < 4; i++)
        assert_near(sw_probe_position(a, i).x, 0.5, 1e-12); // it stays a section
    sw_state_destroy(a);
    sw_model_destroy(m);
    sw_scene_destroy(s);
    return sw_norm(area) / (4 * y * z);
}

// Linear blending of two rotations about the bar shrinks the middle by cos(angle / 2), the area by
// its square; dual quaternions keep it.
static void twisted_bars_keep_their_section(void **state) {
    (void)state;
    static const swReal degrees[] = {30, 90, 150, 170};
    for (int i = 0; i < SW_COUNT(degrees); i++) {
        const swReal angle = degrees[i] * SW_PI / 180;
        const swReal linear = section_area(SW_NODE_RIGID, angle),
                     dual = section_area(TEST_DUAL, angle);
        print_message("twisted by %g degrees the middle section keeps %.4f of its area; dual "
                      "quaternions: %.4f\n",
                      degrees[i], linear, dual);
        assert_near(linear, pow(cos(angle / 2), 2), 1e-10);
        assert_near(dual, 1, 1e-10);
    }
}

// ---- failure ----

// Three frames, each half a turn from the next: the first and the last are the same rotation with
// opposite signs, and cancel half-way between them.
static void cancelling_frames_are_an_error(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.1, 0, 0}, {0.5, 0.08, 0}, {0.9, 0, 0}};
    swScene *s = bar_scene(TEST_DUAL, at, 3, "shepard");
    swModel *m = compile_scene(s);
    swState *a = make_state(m);
    assert_true(sw_points_defined(m, a->q));
    for (int i = 0; i < 3; i++)
        turn_node(m, i, sw_v3(i * (SW_PI - 1e-9), 0, 0), a->q);
    sw_nodes_sync(m, a->q);
    const swReal *first = a->q + m->node[0].q + SW_NODE_DUAL,
                 *last = a->q + m->node[2].q + SW_NODE_DUAL;
    assert_near(fabs(first[0]), 1, 1e-8);
    assert_near(first[0] * last[0], -1, 1e-8);
    // a point moved by those two alone, each by half
    const int e = m->point_start[0];
    assert_true(m->point_start[1] - e >= 2);
    for (int k = e; k < m->point_start[1]; k++)
        m->point_weight[k] = m->point_node[k] == 1 ? 0 : 0.5;
    assert_false(sw_points_defined(m, a->q));
    // where it happens to samples the energy is not a number: the step fails, the state stays
    const uint64_t before = sw_state_hash(a);
    for (int i = 0; i < m->size.ngamma; i++)
        m->gamma[i] = 0;
    assert_int_not_equal(sw_step(m, a), SW_OK);
    assert_true(strlen(sw_state_report(a)->reason) > 0);
    assert_true(sw_state_hash(a) == before);
    sw_state_destroy(a);
    sw_model_destroy(m);
    sw_scene_destroy(s);
}

static void only_rigid_frames_blend_so(void **state) {
    (void)state;
    swScene *s = bar_scene(TEST_DUAL, three, 3, "shepard");
    s->bodies->frames.kind = SW_NODE_AFFINE;
    swError error = {0};
    assert_null(sw_compile(s, &error));
    assert_int_equal(error.code, SW_ERROR_VALUE);
    assert_non_null(strstr(error.message, "bodies[0].frames.blend"));
    assert_non_null(strstr(error.message, "\"rigid\""));
    static const swNodeKind kinds[] = {SW_NODE_RIGID, SW_NODE_RIGID, SW_NODE_AFFINE};
    s->bodies->frames.kind = SW_NODE_RIGID;
    s->bodies->frames.kinds = kinds;
    s->bodies->frames.nkinds = 3;
    assert_null(sw_compile(s, &error));
    assert_non_null(strstr(error.message, "frame 2"));
    s->bodies->frames.nkinds = 0;
    s->bodies->mass = SW_MASS_LUMPED; // it sits on points already
    assert_null(sw_compile(s, &error));
    assert_non_null(strstr(error.message, "bodies[0].mass: expected \"full\""));
    sw_scene_destroy(s);
}

// ---- output ----

static void keep_log(void *context, swLogLevel level, const char *message) {
    (void)level;
    char *text = context;
    snprintf(text, 256, "%s", message);
}

// A skin cannot say it: the file has a morph target per key, and the log tells.
static void gltf_has_morph_targets(void **state) {
    (void)state;
    char text[256] = "", path[512];
    swConfig config = sw_default_config();
    config.log = keep_log;
    config.log_context = text;
    swScene *s = bar_scene(TEST_DUAL, three, 3, "shepard"), *t = sw_scene_create(&config);
    t->bodies = s->bodies;
    t->materials = s->materials;
    swModel *m = compile_scene(t);
    swState *a = make_state(m);
    swClip clip;
    swError error = {0};
    swGltfReport report;
    sw_clip_init(&clip, m);
    for (int i = 0; i < 3; i++) {
        require(sw_clip_add(&clip, a, &error), &error);
        step_or_fail(m, a, 1);
    }
    snprintf(path, sizeof path, "%s", temporary_path("dual.glb"));
    require(sw_gltf_write(m, &clip, path, NULL, &report, &error), &error);
    assert_int_equal(report.morphed, 1);
    assert_int_equal(report.skinned, 0);
    assert_non_null(strstr(text, "blends dual quaternions"));
    assert_non_null(strstr(text, "morph target"));
    remove(path);
    sw_clip_free(&clip);
    sw_state_destroy(a);
    sw_model_destroy(m);
    t->bodies = NULL;
    t->materials = NULL;
    sw_scene_destroy(t);
    sw_scene_destroy(s);
}

// Both tangents, and both ways to make one positive definite, find the same equilibrium.
static void solver_choices_find_the_same_equilibrium(void **state) {
    (void)state;
    swReal tip[4];
    for (int k = 0; k < 4; k++) {
        swScene *s = sw_scene_create(NULL);
        swMaterial *m = sw_scene_add_material(s, "rubber");
        m->young = 2e5;
        m->poisson = 0.3;
        swBody *b = sw_scene_add_body(s, "bar");
        sw_body_add_shape(s, b, SW_SHAPE_BOX)->size = sw_v3(1, 0.1, 0.1);
        b->resolution = 20;
        b->frames.kind = SW_NODE_RIGID;
        b->frames.blend = SW_BLEND_DUAL_QUATERNION;
        b->frames.count = 3;
        swShape *wall = sw_body_add_handle(s, b, "wall", SW_SHAPE_BOX)->region;
        wall->size = sw_v3(0, 1, 1);
        wall->center = sw_v3(-0.5, 0, 0);
        s->analysis = SW_ANALYSIS_STATIC;
        s->gravity =
            sw_v3(0, -0.5, 0); // Gauss-Newton converges slowly, under large loads not at all
        s->solver.tolerance = 1e-8;
        s->solver.iterations = 200;
        s->solver.tangent = k & 1 ? SW_TANGENT_GAUSS_NEWTON : SW_TANGENT_EXACT;
        s->solver.definite = k & 2 ? SW_DEFINITE_ABSOLUTE : SW_DEFINITE_CLAMP;
        sw_scene_add_probe(s, "tip", sw_v3(0.5, 0, 0));
        swModel *model = compile_scene(s);
        swState *a = make_state(model);
        solve_or_fail(model, a);
        tip[k] = sw_probe_displacement(a, 0).y;
        sw_state_destroy(a);
        sw_model_destroy(model);
        sw_scene_destroy(s);
    }
    assert_true(tip[0] < -0.001);
    for (int k = 1; k < 4; k++)
        assert_near(tip[k], tip[0], 1e-6 * fabs(tip[0]));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(solver_choices_find_the_same_equilibrium),
    cmocka_unit_test(gradients_are_those_of_positions),
    cmocka_unit_test(forces_and_stiffness_are_derivatives),
    cmocka_unit_test(slopes_and_curvature_are_derivatives),
    cmocka_unit_test(lengths_and_signs_do_not_matter),
    cmocka_unit_test(batches_match_single_points),
    cmocka_unit_test(neighbours_take_the_same_sign),
    cmocka_unit_test(rigid_motions_are_exact),
    cmocka_unit_test(folding_is_the_chain_rule),
    cmocka_unit_test(rates_are_derivatives),
    cmocka_unit_test(small_motions_are_those_of_linear_blending),
    cmocka_unit_test(twisted_bars_keep_their_section),
    cmocka_unit_test(cancelling_frames_are_an_error),
    cmocka_unit_test(only_rigid_frames_blend_so),
    cmocka_unit_test(gltf_has_morph_targets),
};
SW_SUITE(dual, tests)
