// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Tearing of tetrahedra: the separation tensor, splits, and what a body keeps when it tears.
#include "geometry/tets_tear.h"
#include "world/body.h"
#include "world/world.h"
#include "test_scene.h"

// ---- the library ----

// A box of cells of edge 1, six tetrahedra each.
static swTetMesh box_mesh(const int n[3], swArena *arena) {
    static const int six[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                  {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    const int m[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
    swTetMesh mesh = {.nvertex = m[0] * m[1] * m[2], .ntet = 6 * n[0] * n[1] * n[2], .order = 1};
    mesh.X = SW_NEW(arena, mesh.nvertex, swVec3, NULL);
    mesh.vertex = SW_NEW(arena, 4 * mesh.ntet, int, NULL);
    for (int v = 0; v < mesh.nvertex; v++)
        mesh.X[v] = sw_v3(v % m[0], v / m[0] % m[1], v / m[0] / m[1]);
    for (int t = 0; t < mesh.ntet; t++) {
        const int c = t / 6, x = c % n[0], y = c / n[0] % n[1], z = c / n[0] / n[1];
        for (int i = 0; i < 4; i++) {
            const int k = six[t % 6][i];
            mesh.vertex[4 * t + i] =
                x + (k & 1) + m[0] * (y + (k >> 1 & 1) + m[1] * (z + (k >> 2)));
        }
        assert_true(sw_tets_volume(&mesh, t) > 0);
    }
    return mesh;
}

typedef struct {
    swArena arena;
    swTetMesh mesh;
    swTear tear;
    swMat3 *stress;
    bool *held;
} Block;

static Block make_block(int nx, int ny, int nz, swMat3 stress, swReal toughness) {
    Block b;
    const swConfig config = sw_default_config();
    sw_arena_init(&b.arena, &config.allocator);
    b.mesh = box_mesh((const int[]){nx, ny, nz}, &b.arena);
    swReal *bears = SW_NEW(&b.arena, b.mesh.ntet, swReal, NULL);
    b.stress = SW_NEW(&b.arena, b.mesh.ntet, swMat3, NULL);
    b.held = SW_NEW(&b.arena, b.mesh.nvertex, bool, NULL);
    for (int t = 0; t < b.mesh.ntet; t++) {
        b.stress[t] = stress;
        bears[t] = toughness;
    }
    b.tear = (swTear){b.mesh.X, b.stress, bears, b.held, 100};
    return b;
}

// Under an even tension an inner vertex is pulled by just that, in its direction; pressure does not
// pull, and no rotation matters.
static void an_even_tension_is_found(void **state) {
    (void)state;
    Random r = {7};
    for (int trial = 0; trial < 20; trial++) {
        const swMat3 R = random_rotation(&r);
        const swReal most = random_in(&r, 1, 3),
                     other = trial % 2 ? random_in(&r, -2, 0) : random_in(&r, 0, 0.5);
        const swVec3 n = {R.m[0], R.m[3], R.m[6]};
        const swMat3 D = sw_mat_diag(most, trial % 2 ? other : 0, other);
        Block b = make_block(4, 4, 4, sw_mat_mul(sw_mat_mul(R, D), sw_mat_t(R)), 1e9);
        swPulled *pulled = SW_NEW(&b.arena, b.mesh.nvertex, swPulled, NULL);
        assert_true(sw_tets_pulled(&b.mesh, &b.tear, pulled, &b.arena, NULL));
        const swPulled middle = pulled[2 + 5 * (2 + 5 * 2)];
        if (trial % 2) { // one that pulls alone, whatever presses across it
            assert_near(fabs(sw_dot(middle.normal, n)), 1, 0.05);
            assert_true(middle.stress > most * 0.99 && middle.stress < 1.5 * most - other);
        }
        for (int t = 0; t < b.mesh.ntet; t++)
            b.stress[t] = sw_mat_mul(sw_mat_mul(R, sw_mat_diag(most, 0, 0)), sw_mat_t(R));
        assert_true(sw_tets_pulled(&b.mesh, &b.tear, pulled, &b.arena, NULL));
        assert_near(pulled[62].stress, most, 1e-12 * most);
        assert_near(fabs(sw_dot(pulled[62].normal, n)), 1, 1e-6);
        for (int t = 0; t < b.mesh.ntet; t++)
            b.stress[t] = sw_mat_diag(-1, -2, -most);
        assert_true(sw_tets_pulled(&b.mesh, &b.tear, pulled, &b.arena, NULL));
        assert_near(pulled[62].stress, 0, 1e-12);
        sw_arena_free(&b.arena);
    }
}

// Splits keep every tetrahedron and the place of every corner; held vertices stay whole, and no
// tetrahedron has two vertices split at once.
static void splits_keep_tetrahedra(void **state) {
    (void)state;
    Block b = make_block(6, 4, 2, sw_mat_diag(2, 0, 0), 1);
    const int n = b.mesh.nvertex, ntet = b.mesh.ntet;
    int *before = SW_NEW(&b.arena, 4 * ntet, int, NULL);
    memcpy(before, b.mesh.vertex, 4 * (size_t)ntet * sizeof *before);
    b.held[3 + 7 * (2 + 5 * 1)] = true;
    swTorn torn;
    assert_true(sw_tets_tear(&b.mesh, &b.tear, &torn, &b.arena, NULL));
    assert_true(torn.splits > 2 && torn.beyond > torn.splits && torn.largest > 1.9);
    assert_true(b.mesh.nvertex >= n + torn.splits && b.mesh.ntet == ntet);
    for (int t = 0; t < ntet; t++) {
        int changed = 0;
        for (int i = 0; i < 4; i++) {
            const int v = before[4 * t + i], w = b.mesh.vertex[4 * t + i];
            assert_memory_equal(&b.mesh.X[v], &b.mesh.X[w], sizeof(swVec3));
            assert_false(b.held[v] && w != v);
            changed += v != w;
        }
        assert_true(changed <= 1);
    }
    // Below the toughness nothing happens.
    Block whole = make_block(3, 3, 2, sw_mat_diag(0.9, 0, 0), 1.5);
    assert_true(sw_tets_tear(&whole.mesh, &whole.tear, &torn, &whole.arena, NULL));
    assert_true(torn.splits == 0 && torn.beyond == 0 && torn.largest < 1);
    sw_arena_free(&b.arena);
    sw_arena_free(&whole.arena);
}

// ---- bodies ----

#define PLATE(material, more) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.004}, 'materials': {'m': {'law': " \
    "'stable-neo-hookean', 'young': 1e5, 'poisson': 0.3" material "}}, 'bodies': [{'shape': " \
    "{'box': {'size': [0.8, 0.3, 0.1]}}, 'voxel': 0.05, 'tets': {}" more ", 'handles': [{'name':" \
    " 'a', 'region': {'box': {'size': [0.05, 1, 1], 'center': [-0.4, 0, 0]}}, 'motion': {'keys':" \
    " [{'t': 0}, {'t': 0.4, 'translate': [-0.3, 0, 0]}]}}, {'name': 'b', 'region': {'box': " \
    "{'size': [0.05, 1, 1], 'center': [0.4, 0, 0]}}}]}]}"

// Into how many pieces the tetrahedra of a body fall, through vertices that they share.
static int count_pieces(const swBodyModel *m) {
    const swCrack *c = &m->crack[0];
    int *label = calloc((size_t)c->nvertex, sizeof *label), pieces = 0;
    for (int v = 0; v < c->nvertex; v++)
        label[v] = v;
    for (bool again = true; again;) {
        again = false;
        for (int t = 0; t < c->ntet; t++) {
            const int *v = m->crack_vertex + 4 * (c->tet + t);
            int least = label[v[0]];
            for (int i = 1; i < 4; i++)
                least = label[v[i]] < least ? label[v[i]] : least;
            for (int i = 0; i < 4; i++) {
                again = again || label[v[i]] != least;
                label[v[i]] = least;
            }
        }
    }
    for (int v = 0; v < c->nvertex; v++)
        pieces += label[v] == v;
    free(label);
    return pieces;
}

typedef struct {
    uint64_t hash;
    int pieces, splits, steps;
    swReal elastic; // energy at the end, over all work
} Outcome;

static swReal total(const swState *s) {
    const swEnergy e = sw_state_energy(s);
    return e.elastic + e.kinetic + e.potential + e.contact;
}

// Steps until the end or one that fails; every split keeps mass, momentum and energy.
static Outcome tear(const char *json, int threads, int steps) {
    swConfig config = sw_default_config();
    swError error = {0};
    config.threads = threads;
    swScene *scene = parse_with(json, &config, &error);
    require(scene != NULL, &error);
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    assert_true(sw_model_tears(m));
    const swReal mass = only_body(m)->body[0].mass;
    const swReal start = total(s);
    swReal work = 0, lost = 0;
    Outcome o = {0};
    for (; o.steps < steps && sw_step(m, s) == SW_OK; o.steps++) {
        work += sw_state_report(s)->work;
        lost += sw_state_report(s)->dissipated;
        swTearReport torn;
        swModel *next = sw_state_tear(s, scene, &torn, &error);
        if (!next) {
            assert_int_equal(error.code, SW_OK);
            assert_int_equal(torn.splits, 0);
            continue;
        }
        swState *t = make_state(next);
        swFitReport report;
        swVec3 before, after, turn, turned;
        sw_state_momentum(s, &before, &turn);
        require(sw_state_fit(t, s, &report, &error), &error);
        sw_state_momentum(t, &after, &turned);
        const swReal large = 1 + sw_norm(before) + sw_norm(turn);
        assert_near(sw_norm(sw_sub(before, after)), 0, 1e-13 * large);
        assert_near(sw_norm(sw_sub(turn, turned)), 0, 1e-13 * large);
        assert_near(only_body(next)->body[0].mass, mass, 1e-13 * mass);
        assert_near(report.energy, report.energy_before, 1e-11 * (1 + report.energy_before));
        o.splits += torn.splits;
        sw_state_destroy(s);
        sw_model_destroy(m);
        m = next;
        s = t;
    }
    // Nothing comes from nowhere.
    assert_true(total(s) <= start + work - lost + 1e-6 * (fabs(work) + fabs(start)));
    o.elastic = sw_state_energy(s).elastic / work;
    o.pieces = count_pieces(only_body(m));
    o.hash = sw_state_hash(s);
    assert_true(sw_model_check(m, "model", NULL));
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
    return o;
}

static void a_plate_tears_in_two_on_any_threads(void **state) {
    (void)state;
    static const char plate[] = PLATE(", 'toughness': 1.5e4", ", 'damping': {'stiffness': 0.003}");
    const Outcome one = tear(plate, 1, 150), two = tear(plate, 3, 150);
    assert_int_equal(one.steps, 150);
    assert_true(one.pieces >= 2);
    assert_true(one.splits >= 3); // each opens all the faces around it
    assert_true(one.hash == two.hash && one.splits == two.splits);
    assert_true(one.elastic < 0.5);
}

// Bars of any size, strength and pull. SINEW_TEARS: how many.
static void random_tears_stay_stable(void **state) {
    (void)state;
    const char *all = getenv("SINEW_TEARS");
    const int trials = all ? atoi(all) : 12, steps = 30;
    int done = 0, torn = 0;
    Random r = {5};
    for (int trial = 0; trial < trials; trial++) {
        char json[1024];
        const swReal young = exp(random_in(&r, log(1e4), log(1e6)));
        snprintf(json, sizeof json,
                 "{'sinew': 1, 'time': {'step': %g}, 'materials': {'m': {'law':"
                 " 'stable-neo-hookean', 'young': %g, 'poisson': %g, 'toughness': %g}}, 'bodies':"
                 " [{'shape': {'box': {'size': [0.5, %g, %g]}}, 'voxel': 0.05, 'tets': {}, 'spin':"
                 " [%g, 0, %g], 'damping': {'stiffness': %g}, 'handles': [{'name': 'a', 'region':"
                 " {'box': {'size': [0.05, 1, 1], 'center': [-0.25, 0, 0]}}, 'motion': {'keys':"
                 " [{'t': 0}, {'t': 0.1, 'translate': [%g, %g, 0], 'rotate': {'axis': [1, 0, 0],"
                 " 'degrees': %g}}]}}, {'name': 'b', 'region': {'box': {'size': [0.05, 1, 1],"
                 " 'center': [0.25, 0, 0]}}}]}], 'colliders': [{'plane': {'offset': -0.2, 'normal':"
                 " [0, 1, 0]}}]}",
                 random_in(&r, 0.002, 0.01), young, random_in(&r, 0, 0.45),
                 young * random_in(&r, 0.02, 0.3), random_in(&r, 0.1, 0.2),
                 random_in(&r, 0.05, 0.2), random_in(&r, -5, 5), random_in(&r, -5, 5),
                 random_in(&r, 1e-4, 5e-3), random_in(&r, -0.3, 0), random_in(&r, -0.1, 0.1),
                 random_in(&r, -90, 90));
        const Outcome o = tear(json, 1, steps);
        done += o.steps;
        torn += o.splits > 0;
    }
    assert_true(done > 0.97 * trials * steps);
    assert_true(torn > trials / 4);
    if (all)
        printf("%d of %d steps, %d of %d bars torn\n", done, trials * steps, torn, trials);
}

// A bar of tetrahedra pulled beyond yield and let go keeps its new length, of both kinds.
static void tetrahedra_flow(void **state) {
    (void)state;
    static const char *const kinds[] = {"'law': 'neo-hookean'",
                                        "'law': 'stvk', 'plasticity': 'additive'"};
    for (int i = 0; i < 2; i++) {
        char json[1024];
        snprintf(json, sizeof json,
                 "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.002}, 'materials': {'m':"
                 " {%s, 'young': 1e5, 'poisson': 0.3, 'yield': 4e3, 'hardening': 2e4}}, 'bodies':"
                 " [{'shape': {'box': {'size': [1, 0.2, 0.2], 'center': [0.5, 0, 0]}}, 'voxel':"
                 " 0.05, 'tets': {}, 'handles': [{'region': {'box': {'size': [0, 1, 1]}}}],"
                 " 'damping': {'mass': 20, 'stiffness': 0.002}}], 'probes': [{'name': 'tip',"
                 " 'point': [1, 0, 0]}]}",
                 kinds[i]);
        swModel *m = compile_text(json, NULL);
        swState *s = make_state(m);
        const swBodyInfo *body = only_body(m)->body;
        const swVec3 *tip = only_body(m)->point + body->point; // any vertex at the end
        int vertex = -1;
        for (int k = 0; k < body->npoint && vertex < 0; k++)
            if (tip[k].x > 0.99 && fabs(tip[k].y) < 0.06 && fabs(tip[k].z) < 0.11)
                vertex = k;
        const int pull = sw_pull_body(s, 0, vertex, sw_v3(1.6, 0, 0), 2e3);
        step_or_fail(m, s, 400);
        const swReal pulled = sw_probe_displacement(s, 0).x;
        sw_pull_release(s, pull);
        step_or_fail(m, s, 800);
        const swReal stays = sw_probe_displacement(s, 0).x;
        assert_true(pulled > 0.1 && stays > 0.2 * pulled && stays < pulled);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

static void impossible_bodies_are_refused(void **state) {
    (void)state;
    swError error = {0};
    swScene *scene = parse_scene(
        "{'sinew': 1, 'materials': {'m': {'toughness': 1e3}}, 'bodies': [{'shape': {'box': {'size':"
        " [1, 1, 1]}}, 'resolution': 3, 'tets': {'order': 'quadratic'}}]}",
        &error);
    require(scene != NULL, &error);
    assert_null(sw_compile(scene, &error));
    assert_non_null(strstr(error.message, "bodies[0].tets: expected linear tetrahedra"));
    sw_scene_destroy(scene);
    assert_null(parse_scene("{'sinew': 1, 'materials': {'m': {'toughness': 0}}, 'bodies': [{'shape'"
                            ": {'box': {'size': [1, 1, 1]}}}]}",
                            &error));
    assert_non_null(strstr(error.message, "materials.m.toughness: expected a number above 0"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_even_tension_is_found),
    cmocka_unit_test(splits_keep_tetrahedra),
    cmocka_unit_test(a_plate_tears_in_two_on_any_threads),
    cmocka_unit_test(random_tears_stay_stable),
    cmocka_unit_test(tetrahedra_flow),
    cmocka_unit_test(impossible_bodies_are_refused),
};

SW_SUITE(fracture, tests)
