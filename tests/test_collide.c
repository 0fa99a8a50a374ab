// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The geometry of colliders, over every row of the table, turned and moved; meshes; files.
#include "contact/collider.h"
#include "geometry/solid.h"
#include "world/world.h"
#include "test_blocks.h"

// ---- colliders of a scene ----

typedef struct {
    swScene *scene;
    swModel *model;
    char file[512];
} World;

// A scene to put colliders into, with a body far from them.
static World new_world(void) {
    World w = {.scene = sw_scene_create(NULL)};
    swBody *b = sw_scene_add_body(w.scene, NULL);
    sw_scene_add_material(w.scene, NULL);
    swShape *box = sw_body_add_shape(w.scene, b, SW_SHAPE_BOX);
    box->size = sw_v3(0.1, 0.1, 0.1);
    box->center = sw_v3(0, 100, 0);
    b->resolution = 2;
    b->frames.count = 1;
    return w;
}

static void end_world(World *w) {
    sw_model_destroy(w->model);
    sw_scene_destroy(w->scene);
    if (w->file[0])
        remove(w->file);
}

static const swReal star[] = {0,   0,   0.8, 0.2,  1.2, -0.2, 1,    0.6,
                              1.2, 1.2, 0.6, 0.44, 0,   1,    0.36, 0.48};
static const swReal comb[] = {0,    0,   -1.2, 0,   -1.2, 1.2, -0.9, 1.2, -0.9, 0.4,
                              -0.6, 0.4, -0.6, 1.2, -0.3, 1.2, -0.3, 0.4, 0,    0.4};

enum { EXAMPLES = 14, FIRST = 10 }; // the first of them can be in one scene

// One of each kind and more of those that have forms.
static void add_example(World *w, int i) {
    static const struct {
        swShapeKind kind;
        swReal radius, top;
        unsigned filled;
    } example[EXAMPLES] = {{SW_SHAPE_HALFSPACE, 0, 0, 0},  {SW_SHAPE_SPHERE, 0.7, 0, 0},
                           {SW_SHAPE_BOX, 0, 0, 0},        {SW_SHAPE_CAPSULE, 0.4, 0, 0},
                           {SW_SHAPE_CYLINDER, 0.5, 0, 0}, {SW_SHAPE_CYLINDER, 1.2, 0, 0},
                           {SW_SHAPE_CONE, 0.8, 0, 0},     {SW_SHAPE_CONE, 0.3, 0.9, 0},
                           {SW_SHAPE_CONE, 1.4, 0.2, 0},   {SW_SHAPE_MESH, 0, 0, 0x7f},
                           {SW_SHAPE_MESH, 0, 0, 0x3d},    {SW_SHAPE_MESH, 0, 0, 0x69},
                           {SW_SHAPE_EXTRUDE, 0, 0, 0},    {SW_SHAPE_EXTRUDE, 0, 0, 1}};
    swCollider *c = sw_scene_add_collider(w->scene, example[i].kind);
    swShape *s = c->shape;
    s->normal = sw_v3(1, 2, -1);
    s->offset = 0.2;
    s->center = sw_v3(0.1, 0.2, -0.1);
    s->size = sw_v3(1.2, 0.8, 1);
    s->from = sw_v3(0.1, -0.2, -0.5);
    s->to = sw_v3(0.4, 0.5, 0.6);
    s->radius = example[i].radius;
    s->top = example[i].top;
    s->polygon = example[i].filled ? comb : star; // clockwise, and not
    s->npolygon = example[i].filled ? SW_COUNT(comb) / 2 : SW_COUNT(star) / 2;
    s->zrange[0] = -0.6;
    s->zrange[1] = 0.5;
    if (s->kind != SW_SHAPE_MESH)
        return;
    snprintf(w->file, sizeof w->file, "%s", blocks_path("blocks.obj", example[i].filled, -1));
    s->file = sw_scene_text(w->scene, w->file); // worlds are copied
    s->scale = 0.6;
    s->pose = (swPose){{1, 2, 3}, 0.4, {0, 0, 0}, {-0.5, -0.6, -0.4}};
}

static World example_world(int i) {
    World w = new_world();
    add_example(&w, i);
    w.model = compile_scene(w.scene);
    return w;
}

static swAffine random_pose(Random *r) { return (swAffine){random_rotation(r), random_vec(r, 2)}; }

static const swAffine identity = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};

static void every_kind_is_tried(void **state) {
    (void)state;
    bool tried[SW_SHAPE_KINDS] = {0};
    for (int i = 0; i < EXAMPLES; i++) {
        World w = example_world(i);
        const swShapeKind kind = w.scene->colliders->shape->kind;
        tried[kind] = true;
        assert_int_equal(w.model->collider[0].kind == (int)kind,
                         sw_collider_kind((int)kind)->depth != NULL);
        assert_true(sw_model_check(w.model, "", NULL));
        end_world(&w);
    }
    for (int kind = -1; kind <= SW_SHAPE_KINDS; kind++)
        if (sw_collider_kind(kind))
            assert_true(tried[kind]);
}

// ---- depth ----

// Normal and bend against differences of depth and normal, in any pose.
static void depths_have_their_derivatives(void **state) {
    (void)state;
    Random r = {69};
    for (int i = 0; i < EXAMPLES; i++) {
        World w = example_world(i);
        const swColliderInfo *c = w.model->collider;
        int inside = 0, smooth = 0, curved = 0;
        enum { TRIALS = 2000 };
        for (int trial = 0; trial < TRIALS; trial++) {
            const swAffine pose = trial % 2 ? random_pose(&r) : identity;
            const swVec3 p = sw_affine_at(pose, random_vec(&r, 1.5));
            const swDepth at = sw_collider_depth(w.model, c, &pose, p);
            const swReal d = 1e-6;
            assert_near(sw_norm(at.normal), 1, 1e-14);
            swMat3 bend = {{0}};
            swVec3 slope = {0, 0, 0};
            swReal size = 0, jump = 0; // of bends, and between them
            for (int k = 0; k < 3; k++) {
                swVec3 lo = p, hi = p;
                sw_set(&lo, k, sw_get(p, k) - d);
                sw_set(&hi, k, sw_get(p, k) + d);
                const swDepth a = sw_collider_depth(w.model, c, &pose, lo),
                              b = sw_collider_depth(w.model, c, &pose, hi);
                sw_set(&slope, k, (b.depth - a.depth) / (2 * d));
                for (int j = 0; j < 3; j++)
                    bend.m[3 * j + k] = (sw_get(b.normal, j) - sw_get(a.normal, j)) / (2 * d);
                jump = fmax(jump, mat_distance(a.bend, b.bend));
                jump = fmax(jump, sw_norm(sw_sub(a.normal, b.normal)));
                size = fmax(size, mat_distance(at.bend, (swMat3){{0}}));
            }
            inside += at.depth > 0;
            curved += at.curved;
            assert_true(at.curved || size == 0);
            if (jump > 1e-2 || size > 20) // what is nearest changes, or nearly so
                continue;
            smooth++;
            assert_near(sw_norm(sw_add(slope, at.normal)), 0, 1e-8);
            assert_near(mat_distance(bend, at.bend), 0, 2e-8 * (1 + size * size));
            assert_near(mat_distance(at.bend, sw_mat_t(at.bend)), 0, 1e-13 * (1 + size));
            assert_near(sw_norm(sw_mul(at.bend, at.normal)), 0, 1e-12 * (1 + size));
        }
        assert_true(inside > 30 && smooth > 0.9 * TRIALS);
        assert_true((curved > 100) == (c->kind != SW_SHAPE_HALFSPACE));
        end_world(&w);
    }
}

static void depths_are_distances(void **state) {
    (void)state;
    Random r = {70};
    for (int i = 0; i < EXAMPLES; i++) {
        World w = example_world(i);
        const swColliderInfo *c = w.model->collider;
        swArena arena;
        swError error = {0};
        sw_arena_init(&arena, &w.model->config.allocator);
        const swSolid *solid = sw_solid_create(w.scene->colliders->shape, NULL, "shape",
                                               &w.model->config, &arena, &error);
        require(solid != NULL, &error);
        int inside = 0;
        for (int trial = 0; trial < 1000; trial++) {
            const swAffine pose = trial % 2 ? random_pose(&r) : identity;
            const swVec3 X = random_vec(&r, 1.3), p = sw_affine_at(pose, X);
            const swDepth at = sw_collider_depth(w.model, c, &pose, p);
            swDepth in;
            assert_near(at.depth, -sw_solid_distance(solid, X), 1e-13);
            // On the border, following the normal.
            const swVec3 q = sw_madd(p, at.depth, at.normal);
            assert_near(sw_collider_depth(w.model, c, &pose, q).depth, 0, 1e-13);
            if (fabs(at.depth) < 1e-12)
                continue;
            inside += at.depth > 0;
            assert_int_equal(sw_collider_inside(w.model, c, &pose, p, &in), at.depth > 0);
            if (at.depth > 0) {
                assert_memory_equal(&in.normal, &at.normal, sizeof in.normal);
                assert_true(in.depth == at.depth && mat_distance(in.bend, at.bend) == 0);
            }
        }
        assert_true(inside > 30);
        sw_arena_free(&arena);
        end_world(&w);
    }
}

// All of a collider is in its bounds, and its surface is closed, on the border and seen from
// outside.
static void bounds_and_surfaces_fit(void **state) {
    (void)state;
    Random r = {71};
    for (int i = 0; i < EXAMPLES; i++) {
        World w = example_world(i);
        const swColliderInfo *c = w.model->collider;
        const swAffine pose = random_pose(&r);
        swVec3 lo, hi;
        swSurface s;
        swArena arena;
        swSurfaceFacts facts;
        sw_arena_init(&arena, &w.model->config.allocator);
        const bool finite = sw_collider_bounds(c, &pose, &lo, &hi);
        assert_true(sw_collider_surface(w.model, c, &arena, &s, NULL));
        assert_int_equal(finite, c->kind != SW_SHAPE_HALFSPACE);
        assert_int_equal(finite, s.ntriangle > 0);
        for (int k = 0; k < s.nvertex; k++) {
            const swVec3 x = sw_affine_at(pose, s.X[k]);
            assert_near(sw_collider_depth(w.model, c, &pose, x).depth, 0, 1e-14);
            for (int j = 0; j < 3; j++)
                assert_true(sw_get(x, j) > sw_get(lo, j) - 1e-12 &&
                            sw_get(x, j) < sw_get(hi, j) + 1e-12);
        }
        if (finite) {
            assert_true(sw_surface_facts(&s, &facts, &arena, NULL));
            assert_true(facts.closed && facts.volume > 0 && facts.flipped_edges == 0 &&
                        facts.degenerate_triangles == 0 && facts.unused_vertices == 0);
            // No larger than need be, along the axes it is given in.
            assert_true(sw_collider_bounds(c, &identity, &lo, &hi));
            assert_near(sw_norm(sw_sub(facts.lo, lo)), 0, 5e-3);
            assert_near(sw_norm(sw_sub(facts.hi, hi)), 0, 5e-3);
        }
        sw_arena_free(&arena);
        end_world(&w);
    }
}

// Where no direction is nearest there is one all the same, and what is on the border is there.
static void axes_and_centres_have_normals(void **state) {
    (void)state;
    for (int i = 0; i < EXAMPLES; i++) {
        World w = example_world(i);
        const swColliderInfo *c = w.model->collider;
        const swVec3 at[] = {c->a,
                             c->b,
                             sw_lerp(c->a, c->b, 0.5),
                             sw_lerp(c->a, c->b, -0.3),
                             sw_lerp(c->a, c->b, 1.7),
                             sw_lerp(c->lo, c->hi, 0.5)};
        for (int k = 0; k < SW_COUNT(at); k++) {
            if (!sw_finite3(at[k]))
                continue;
            const swDepth d = sw_collider_depth(w.model, c, &identity, at[k]);
            assert_near(sw_norm(d.normal), 1, 1e-14);
            for (int j = 0; j < 9; j++)
                assert_true(isfinite(d.bend.m[j]));
        }
        end_world(&w);
    }
}

// ---- meshes ----

static swReal point_segment(swVec3 p, swVec3 a, swVec3 b) {
    const swVec3 d = sw_sub(b, a);
    const swReal t = sw_clamp(sw_dot(sw_sub(p, a), d) / sw_norm2(d), 0, 1);
    return sw_norm(sw_sub(p, sw_madd(a, t, d)));
}

static swReal point_triangle(swVec3 p, swVec3 a, swVec3 b, swVec3 c) {
    const swVec3 n = sw_unit(sw_cross(sw_sub(b, a), sw_sub(c, a)));
    const swVec3 q = sw_madd(p, -sw_dot(sw_sub(p, a), n), n);
    const swVec3 corner[3] = {a, b, c};
    bool in = true;
    swReal nearest = INFINITY;
    for (int k = 0; k < 3; k++) {
        const swVec3 s = corner[k], e = corner[(k + 1) % 3];
        in = in && sw_dot(sw_cross(sw_sub(e, s), sw_sub(q, s)), n) >= 0;
        nearest = fmin(nearest, point_segment(p, s, e));
    }
    return in ? fabs(sw_dot(sw_sub(p, a), n)) : nearest;
}

// How often the surface winds around p, by solid angles.
static swReal winding(const swSurface *s, swVec3 p) {
    swReal sum = 0;
    for (int t = 0; t < s->ntriangle; t++) {
        swVec3 v[3];
        for (int k = 0; k < 3; k++)
            v[k] = sw_unit(sw_sub(s->X[s->triangle[3 * t + k]], p));
        sum += 2 * atan2(sw_dot(v[0], sw_cross(v[1], v[2])),
                         1 + sw_dot(v[0], v[1]) + sw_dot(v[1], v[2]) + sw_dot(v[2], v[0]));
    }
    return sum / (4 * SW_PI);
}

static void check_mesh(const swModel *m, const swColliderInfo *c, Random *r, int trials) {
    swArena arena;
    swSurface s;
    sw_arena_init(&arena, &m->config.allocator);
    assert_true(sw_collider_surface(m, c, &arena, &s, NULL));
    const swReal size = sw_norm(sw_sub(c->hi, c->lo));
    int inside = 0;
    for (int i = 0; i < trials; i++) {
        // Anywhere around it, or near its surface.
        const swVec3 at = sw_sub(c->lo, sw_v3(0.1 * size, 0.1 * size, 0.1 * size)),
                     to = sw_add(c->hi, sw_v3(0.1 * size, 0.1 * size, 0.1 * size));
        const swVec3 p = i % 2 ? sw_add(s.X[random_int(r, s.nvertex)], random_vec(r, 0.02 * size))
                               : sw_v3(random_in(r, at.x, to.x), random_in(r, at.y, to.y),
                                       random_in(r, at.z, to.z));
        swReal nearest = INFINITY;
        for (int t = 0; t < s.ntriangle; t++) {
            const int *v = &s.triangle[3 * t];
            nearest = fmin(nearest, point_triangle(p, s.X[v[0]], s.X[v[1]], s.X[v[2]]));
        }
        const bool in = fabs(winding(&s, p)) > 0.5;
        const swDepth d = sw_collider_depth(m, c, &identity, p);
        swDepth again;
        assert_near(d.depth, in ? nearest : -nearest, 1e-11 * size);
        assert_int_equal(sw_collider_inside(m, c, &identity, p, &again), in);
        if (in)
            assert_true(again.depth == d.depth);
        const swVec3 q = sw_madd(p, d.depth, d.normal); // on the surface
        assert_near(sw_collider_depth(m, c, &identity, q).depth, 0, 1e-9 * size);
        inside += in;
    }
    assert_true(inside > trials / 20 && inside < trials);
    sw_arena_free(&arena);
}

static void meshes_match_brute_force(void **state) {
    (void)state;
    Random r = {72};
    for (unsigned filled = 1; filled < 0x100; filled += 6) {
        World w = new_world();
        swCollider *c = sw_scene_add_collider(w.scene, SW_SHAPE_MESH);
        snprintf(w.file, sizeof w.file, "%s", blocks_path("some.obj", filled, -1));
        c->shape->file = w.file;
        w.model = compile_scene(w.scene);
        check_mesh(w.model, w.model->collider, &r, 200);
        end_world(&w);
    }
}

static void keep_message(void *context, swLogLevel level, const char *message) {
    if (level == SW_LOG_WARNING)
        snprintf(context, 512, "%s", message);
}

// Two cubes of `size` whose corners are at a and b, the second turned inside out if asked for.
static void write_cubes(const char *path, swVec3 a, swVec3 b, swReal size, bool flip) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int k = 0; k < 16; k++) {
        const swVec3 p =
            sw_add(k < 8 ? a : b, sw_scale(size, sw_v3(k & 1, k >> 1 & 1, k >> 2 & 1)));
        fprintf(file, "v %.17g %.17g %.17g\n", p.x, p.y, p.z);
    }
    static const int faces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    for (int k = 0; k < 72; k += 3) {
        const int *v = faces + k % 36, more = k < 36 ? 1 : 9, turn = k >= 36 && flip;
        fprintf(file, "f %d %d %d\n", v[0] + more, v[turn ? 2 : 1] + more, v[turn ? 1 : 2] + more);
    }
    fclose(file);
}

// Overlapping parts are one solid, and parts that face inwards are solid too.
static void tangled_meshes_are_solid(void **state) {
    (void)state;
    Random r = {73};
    for (int i = 0; i < 3; i++) {
        char heard[512] = "";
        swConfig config = sw_default_config();
        config.log = keep_message;
        config.log_context = heard;
        World w = new_world();
        sw_scene_destroy(w.scene);
        w.scene = sw_scene_create(&config);
        sw_scene_add_material(w.scene, NULL);
        swBody *b = sw_scene_add_body(w.scene, NULL);
        sw_body_add_shape(w.scene, b, SW_SHAPE_BOX)->size = sw_v3(1, 1, 1);
        b->place.translate = sw_v3(0, 100, 0);
        b->resolution = 2;
        b->frames.count = 1;
        snprintf(w.file, sizeof w.file, "%s", temporary_path("two.obj"));
        write_cubes(w.file, sw_v3(0, 0, 0), i == 1 ? sw_v3(0.41, 0.52, 0.33) : sw_v3(2, 0, 0), 1,
                    i == 2);
        sw_scene_add_collider(w.scene, SW_SHAPE_MESH)->shape->file = w.file;
        w.model = compile_scene(w.scene);
        assert_int_equal(w.model->collider_mesh[0].tangled, i > 0);
        assert_int_equal(strstr(heard, "cross each other") != NULL, i == 1);
        check_mesh(w.model, w.model->collider, &r, 400);
        end_world(&w);
    }
}

static void assert_refused(World *w, const char *expected) {
    swError error = {0};
    char text[1024];
    assert_null(sw_compile(w->scene, &error));
    if (!strstr(sw_error_text(&error, text, sizeof text), expected))
        fail_msg("expected \"%s\", found \"%s\"", expected, text);
}

static void open_meshes_are_refused(void **state) {
    (void)state;
    World w = new_world();
    swCollider *c = sw_scene_add_collider(w.scene, SW_SHAPE_SPHERE);
    c->shape->radius = 1;
    c = sw_scene_add_collider(w.scene, SW_SHAPE_MESH);
    snprintf(w.file, sizeof w.file, "%s", blocks_path("open.obj", 0x7f, 5));
    c->shape->file = w.file;
    assert_refused(&w, "open.obj: colliders[1].mesh: expected a closed surface, found 4 boundary "
                       "edges");
    // A sheet doubled by its other side is closed, but has no inside.
    FILE *file = fopen(w.file, "w");
    fprintf(file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n");
    fclose(file);
    assert_refused(&w, "colliders[1].mesh: expected a surface with an inside");
    c->shape->file = "nowhere.obj";
    assert_refused(&w, "nowhere.obj: cannot open");
    c->shape->file = w.file;
    c->shape->scale = -1;
    assert_refused(&w, "colliders[1].mesh.scale: expected a number above 0, found -1");
    end_world(&w);
}

static void meshes_of_assets_match_brute_force(void **state) {
    (void)state;
    static const char *const meshes[] = {"bunny.obj",    "nut.obj",
                                         "mug.obj",      "bp3d_right_patella.stl",
                                         "spot_low.obj", "turtle_cage.obj"};
    Random r = {74};
    for (int i = 0; i < SW_COUNT(meshes); i++) {
        char name[64];
        snprintf(name, sizeof name, "assets/meshes/%s", meshes[i]);
        SKIP_WITHOUT_ASSET(path, name);
        World w = new_world();
        sw_scene_add_collider(w.scene, SW_SHAPE_MESH)->shape->file = path;
        w.model = compile_scene(w.scene);
        check_mesh(w.model, w.model->collider, &r, 60);
        end_world(&w);
    }
}

// Two colliders with the same mesh keep it once.
static void meshes_are_shared(void **state) {
    (void)state;
    World w = new_world();
    snprintf(w.file, sizeof w.file, "%s", blocks_path("shared.obj", 0x7f, -1));
    for (int i = 0; i < 4; i++) {
        swCollider *c = sw_scene_add_collider(w.scene, SW_SHAPE_MESH);
        c->shape->file = w.file;
        c->shape->scale = i == 2 ? 2 : 1;
        c->place.translate = sw_v3(5 * i, 0, 0);
    }
    w.model = compile_scene(w.scene);
    assert_int_equal(w.model->size.ncollider_mesh, 2);
    const int expected[] = {0, 0, 1, 0};
    for (int i = 0; i < 4; i++) {
        const swColliderInfo *c = &w.model->collider[i];
        assert_int_equal(c->mesh, expected[i]);
        const swReal scale = i == 2 ? 2 : 1;
        const swVec3 p = {5 * i + scale * 0.5, scale * 0.4, scale * 0.7};
        assert_near(sw_collider_depth(w.model, c, &c->place, p).depth, 0.4 * scale, 1e-14);
    }
    end_world(&w);
}

// A screw of many corners, most of them concave, as a mesh of as few triangles as it takes.
static void polygons_are_cut_into_triangles(void **state) {
    (void)state;
    enum { N = 400 };
    static swReal polygon[2 * N];
    for (int i = 0; i < N; i++) { // two spirals, one inside the other
        const int k = i < N / 2 ? i : N - 1 - i;
        const swReal angle = 0.1 * k, r = 0.2 + 0.01 * k + (i < N / 2 ? 0.02 : 0);
        polygon[2 * i] = r * cos(angle);
        polygon[2 * i + 1] = r * sin(angle);
    }
    World w = new_world();
    swShape *s = sw_scene_add_collider(w.scene, SW_SHAPE_EXTRUDE)->shape;
    s->polygon = polygon;
    s->npolygon = N;
    s->zrange[0] = 0;
    s->zrange[1] = 0.3;
    w.model = compile_scene(w.scene);
    const swColliderMesh *mesh = w.model->collider_mesh;
    assert_int_equal(mesh->nvertex, 2 * N);
    assert_int_equal(mesh->ntriangle, 4 * N - 4);
    assert_int_equal(mesh->tangled, 0);
    swArena arena;
    swSurface surface;
    swSurfaceFacts facts;
    sw_arena_init(&arena, &w.model->config.allocator);
    assert_true(sw_collider_surface(w.model, w.model->collider, &arena, &surface, NULL));
    assert_true(sw_surface_facts(&surface, &facts, &arena, NULL));
    swReal area = 0;
    for (int i = 0, k = N - 1; i < N; k = i++)
        area += 0.5 * (polygon[2 * k] * polygon[2 * i + 1] - polygon[2 * k + 1] * polygon[2 * i]);
    assert_true(facts.closed);
    assert_near(facts.volume, fabs(area) * 0.3, 1e-12);
    sw_arena_free(&arena);
    s->npolygon = 2;
    assert_refused(&w, "colliders[0].extrude.polygon: expected a list of 3 to 10000 points");
    static const swReal bow[] = {0, 0, 1, 1, 1, 0, 0, 1};
    s->polygon = bow;
    s->npolygon = 4;
    assert_refused(&w, "colliders[0].extrude.polygon: expected a simple polygon");
    end_world(&w);
}

// Without memory at some moment there is an error, and nothing is left.
static void colliders_fail_without_memory(void **state) {
    (void)state;
    Counter counter = {0};
    swConfig config = counting_config(&counter);
    World w = {.scene = sw_scene_create(&config)};
    swBody *b = sw_scene_add_body(w.scene, NULL);
    sw_scene_add_material(w.scene, NULL);
    sw_body_add_shape(w.scene, b, SW_SHAPE_BOX)->size = sw_v3(1, 1, 1);
    b->resolution = 1;
    b->frames.count = 1;
    b->integration.relax = false;
    add_example(&w, 9);
    add_example(&w, 12);
    const int64_t held = counter.held;
    int failures = 0;
    for (bool done = false; !done; failures++) {
        swError error = {0};
        counter.calls = 0;
        counter.fail_at = failures + 1;
        swModel *m = sw_compile(w.scene, &error);
        done = m != NULL;
        if (!m)
            assert_int_equal(error.code, SW_ERROR_MEMORY);
        sw_model_destroy(m);
        assert_int_equal(counter.held, held);
    }
    assert_true(failures > 8);
    counter.fail_at = 0;
    end_world(&w);
}

// ---- files ----

static void models_with_colliders_are_saved(void **state) {
    (void)state;
    World w = new_world();
    for (int i = 0; i < FIRST; i++)
        add_example(&w, i);
    swCollider *c = w.scene->colliders;
    sw_collider_add_key(w.scene, c, 1)->pose.angle = 1;
    c->next->name = "ball";
    w.model = compile_scene(w.scene);
    const char *path = temporary_path("colliders.model");
    swError error = {0};
    require(sw_model_save(w.model, path, &error), &error);
    swModel *again = sw_model_load(path, NULL, &error);
    require(again != NULL, &error);
    assert_true(sw_model_hash(again) == sw_model_hash(w.model));
    assert_string_equal(sw_model_text(again, again->collider[1].name), "ball");
    assert_string_equal(sw_model_text(again, again->collider[2].name), "collider3");
    Random r = {75};
    for (int i = 0; i < 500; i++) {
        const int k = i % (FIRST);
        const swVec3 p = random_vec(&r, 1.5);
        const swAffine pose = sw_collider_pose(again, &again->collider[k], 0.01 * i);
        const swDepth a = sw_collider_depth(w.model, &w.model->collider[k], &pose, p),
                      b = sw_collider_depth(again, &again->collider[k], &pose, p);
        assert_true(a.depth == b.depth && memcmp(&a.normal, &b.normal, sizeof a.normal) == 0);
    }
    remove(path);
    sw_model_destroy(again);
    end_world(&w);
}

#define BREAK(change) \
    do { \
        swColliderInfo *c = &m->collider[9]; \
        swColliderMesh *mesh = m->collider_mesh; \
        const swColliderInfo old = *c; \
        const swColliderMesh old_mesh = *mesh; \
        const swBoxNode root = m->collider_node[0]; \
        const swVec3 vertex = m->collider_vertex[0]; \
        const int corner = m->collider_triangle[4]; \
        assert_true(sw_model_check(m, "", NULL)); \
        change; \
        assert_false(sw_model_check(m, "", NULL)); \
        *c = old; \
        *mesh = old_mesh; \
        m->collider_node[0] = root; \
        m->collider_vertex[0] = vertex; \
        m->collider_triangle[4] = corner; \
    } while (0)

static void damaged_colliders_are_refused(void **state) {
    (void)state;
    World w = new_world();
    for (int i = 0; i < FIRST; i++)
        add_example(&w, i);
    swModel *m = w.model = compile_scene(w.scene);
    BREAK(c->kind = SW_SHAPE_UNION);
    BREAK(c->kind = -1);
    BREAK(c->motion = 3);
    BREAK(c->motion = SW_COLLIDER_KEYS); // without keys
    BREAK(c->nkey = 1);
    BREAK(c->mesh = 1);
    BREAK(c->mesh = -1);
    BREAK(c->place.A.m[0] = 2);
    BREAK(c->place.A.m[0] *= -1);
    BREAK(c->place.b.x = NAN);
    BREAK(c->friction = -1);
    BREAK(c->stiffness = INFINITY);
    BREAK(c->lo.x = NAN);
    BREAK(c->name = 1 << 30);
    BREAK(mesh->nvertex--);
    BREAK(mesh->ntriangle++);
    BREAK(mesh->ntriangle = 0);
    BREAK(mesh->nnode--);
    BREAK(mesh->node = 1);
    BREAK(m->collider_node[0].right = 1);
    BREAK(m->collider_node[0].right = mesh->nnode);
    BREAK(m->collider_vertex[0].y = NAN);
    BREAK(m->collider_triangle[4] = mesh->nvertex);
    BREAK(m->collider_triangle[4] = -1);
    BREAK((c[-1].r = -1, c->kind = -1));
    m->collider[8].r = 1.4;
    for (int i = 0; i < FIRST - 1; i++) { // numbers of all other kinds
        const swColliderInfo old = m->collider[i];
        swReal *number[] = {&m->collider[i].a.x, &m->collider[i].r};
        for (int k = 0; k < 2; k++) {
            *number[k] = NAN;
            assert_true(sw_model_check(m, "", NULL) == (old.kind == SW_SHAPE_BOX && k == 1));
            m->collider[i] = old;
        }
    }
    assert_true(sw_model_check(m, "", NULL));
    end_world(&w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_kind_is_tried),
    cmocka_unit_test(depths_have_their_derivatives),
    cmocka_unit_test(depths_are_distances),
    cmocka_unit_test(bounds_and_surfaces_fit),
    cmocka_unit_test(axes_and_centres_have_normals),
    cmocka_unit_test(meshes_match_brute_force),
    cmocka_unit_test(tangled_meshes_are_solid),
    cmocka_unit_test(open_meshes_are_refused),
    cmocka_unit_test(meshes_of_assets_match_brute_force),
    cmocka_unit_test(meshes_are_shared),
    cmocka_unit_test(polygons_are_cut_into_triangles),
    cmocka_unit_test(colliders_fail_without_memory),
    cmocka_unit_test(models_with_colliders_are_saved),
    cmocka_unit_test(damaged_colliders_are_refused),
};
SW_SUITE(collide, tests)
