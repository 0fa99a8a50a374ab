// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Scene files: what is read, built and written. What is refused: test_scene_errors.c.
#include "test_scene.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static swScene *parse_good(const char *json) {
    swError error = {0};
    char text[800];
    swScene *scene = parse_scene(json, &error);
    if (!scene)
        fail_msg("%s", sw_error_text(&error, text, sizeof text));
    return scene;
}

// The scene as text, to be freed.
static char *print(const swScene *scene) {
    char *text = NULL, message[800];
    size_t size;
    swError error = {0};
    swFile file = {.stream = open_memstream(&text, &size)};
    if (!sw_scene_print(scene, NULL, &file, &error))
        fail_msg("%s", sw_error_text(&error, message, sizeof message));
    fclose(file.stream);
    return text;
}

// Writing, reading and writing again gives the same bytes.
static void assert_round_trip(const swScene *scene) {
    swError error = {0};
    char *first = print(scene);
    swScene *again = sw_scene_parse(first, strlen(first), "again", NULL, &error);
    if (!again)
        fail_msg("%s in %s", error.message, first);
    char *second = print(again);
    assert_string_equal(first, second);
    free(first);
    free(second);
    sw_scene_destroy(again);
}

static char folder[256];

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "%s/sinew-scene-XXXXXX", P_tmpdir);
    return mkdtemp(folder) ? 0 : -1;
}

static const char *in_folder(const char *name) {
    static char path[16][512];
    static int turn;
    char *out = path[turn++ % 16];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static void put_file(const char *path, const char *text) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

// ---- what is read ----

static const char example[] =
    "{'sinew': 1, 'title': 'a rubber beam with a steel core, bent by gravity',\n"
    " 'gravity': [0, -9.81, 0], 'analysis': 'dynamic',\n"
    " 'time': {'step': 0.01, 'end': 2.0, 'integrator': 'implicit-euler'},\n"
    " 'materials': {\n"
    "  'rubber': {'law': 'neo-hookean', 'young': 2e5, 'poisson': 0.45, 'density': 1000},\n"
    "  'steel': {'law': 'stvk', 'young': 2e11, 'poisson': 0.3, 'density': 7800}},\n"
    " 'bodies': [{\n"
    "  'name': 'beam',\n"
    "  'shape': {'union': [\n"
    "   {'box': {'size': [1, 0.1, 0.1], 'center': [0.5, 0, 0]}, 'material': 'rubber'},\n"
    "   {'cylinder': {'from': [0.4, 0, 0], 'to': [0.6, 0, 0], 'radius': 0.02},\n"
    "    'material': 'steel'}]},\n"
    "  'voxel': 0.01,\n"
    "  'frames': {'kind': 'affine', 'blend': 'linear', 'count': 4,\n"
    "   'weights': {'kind': 'shepard', 'distance': 'euclidean', 'power': 3}},\n"
    "  'integration': {'points': 60},\n"
    "  'handles': [{'name': 'wall', 'region': {'box': {'size': [0.02, 1, 1],\n"
    "   'center': [0, 0, 0]}}, 'motion': 'fixed'},\n"
    "   {'region': {'halfspace': {'normal': [-1, 0, 0], 'offset': -0.9}}, 'motion': {'keys': [\n"
    "    {'t': 0}, {'t': 1, 'rotate': {'axis': [1, 0, 0], 'degrees': 90, 'about': [1, 0, 0]},\n"
    "    'translate': [0, 0.5, 0]}]}},\n"
    "   {'name': 'bone', 'region': {'sphere': {'radius': 0.1}}, 'motion': 'free'}],\n"
    "  'loads': [{'force': [0, -1, 0], 'on': {'box': {'size': [0.02, 1, 1],\n"
    "   'center': [1, 0, 0]}}}, {'pressure': 5, 'on': {'capsule': {'from': [0, 0, 0],\n"
    "   'to': [0, 0, 1], 'radius': 0.25}}}],\n"
    "  'place': {'rotate': {'axis': [0, 0, 2], 'degrees': -30}, 'translate': [0, 2, 0]},\n"
    "  'velocity': [1, 2, 3], 'spin': [4, 5, 6], 'damping': {'mass': 0.5, 'stiffness': 0.25},\n"
    "  'contact': {'points': 50}}],\n"
    " 'colliders': [{'plane': {'normal': [0, 1, 0], 'offset': -1}, 'friction': 0.5}],\n"
    " 'probes': [{'name': 'tip', 'body': 'beam', 'point': [1, 0, 0]}]}";

static void assert_vec3(swVec3 a, swReal x, swReal y, swReal z) {
    assert_true(a.x == x && a.y == y && a.z == z);
}

static void test_example(void **state) {
    (void)state;
    swScene *s = parse_good(example);
    assert_string_equal(s->title, "a rubber beam with a steel core, bent by gravity");
    assert_near(s->time.end, 2, 0);
    const swMaterial *steel = s->materials->next;
    assert_string_equal(steel->name, "steel");
    assert_string_equal(steel->law, "stvk");
    assert_near(steel->young, 2e11, 0);
    assert_true(isnan(steel->param[0]));
    const swBody *b = s->bodies;
    assert_string_equal(b->name, "beam");
    assert_int_equal(b->shape->kind, SW_SHAPE_UNION);
    assert_int_equal(b->shape->parts->kind, SW_SHAPE_BOX);
    assert_vec3(b->shape->parts->size, 1, 0.1, 0.1);
    const swShape *core = b->shape->parts->next;
    assert_int_equal(core->kind, SW_SHAPE_CYLINDER);
    assert_string_equal(core->material, "steel");
    assert_vec3(core->to, 0.6, 0, 0);
    assert_near(core->radius, 0.02, 0);
    assert_null(core->next);
    assert_near(b->voxel, 0.01, 0);
    assert_int_equal(b->frames.count, 4);
    assert_int_equal(b->frames.weights.distance, SW_DISTANCE_EUCLIDEAN);
    assert_near(b->frames.weights.power, 3, 0);
    assert_int_equal(b->integration.points, 60);
    assert_false(b->integration.every_voxel);

    const swHandle *h = b->handles;
    assert_string_equal(h->name, "wall");
    assert_int_equal(h->motion, SW_MOTION_FIXED);
    assert_vec3(h->region->size, 0.02, 1, 1);
    h = h->next;
    assert_string_equal(h->name, "handle2");
    assert_int_equal(h->motion, SW_MOTION_KEYS);
    assert_int_equal(h->region->kind, SW_SHAPE_HALFSPACE);
    assert_near(h->keys->t, 0, 0);
    assert_near(h->keys->pose.angle, 0, 0);
    assert_near(h->keys->next->pose.angle, SW_PI / 2, 1e-15);
    assert_vec3(h->keys->next->pose.about, 1, 0, 0);
    assert_vec3(h->keys->next->pose.translate, 0, 0.5, 0);
    assert_int_equal(h->next->motion, SW_MOTION_FREE);

    assert_vec3(b->loads->force, 0, -1, 0);
    assert_near(b->loads->next->pressure, 5, 0);
    assert_near(b->loads->next->on->radius, 0.25, 0);
    assert_near(b->place.angle, -SW_PI / 6, 1e-15);
    assert_vec3(b->place.axis, 0, 0, 2);
    assert_vec3(b->place.translate, 0, 2, 0);
    assert_vec3(b->velocity, 1, 2, 3);
    assert_vec3(b->spin, 4, 5, 6);
    assert_near(b->damping_mass, 0.5, 0);
    assert_near(b->damping_stiffness, 0.25, 0);
    assert_int_equal(b->contact_points, 50);
    assert_int_equal(s->colliders->shape->kind, SW_SHAPE_HALFSPACE);
    assert_near(s->colliders->shape->offset, -1, 0);
    assert_near(s->colliders->friction, 0.5, 0);
    assert_true(isnan(s->colliders->stiffness));
    assert_string_equal(s->probes->body, "beam");
    assert_null(s->folder);
    assert_round_trip(s);
    sw_scene_destroy(s);
}

static void test_defaults(void **state) {
    (void)state;
    swScene *s =
        parse_good(SCENE(", 'colliders': [{'plane': {}}], 'probes': [{'point': [1,2,3]}]"));
    assert_string_equal(s->title, "");
    assert_vec3(s->gravity, 0, -9.81, 0);
    assert_int_equal(s->analysis, SW_ANALYSIS_DYNAMIC);
    assert_near(s->time.step, 0.01, 0);
    assert_near(s->time.end, 1, 0);
    assert_string_equal(s->time.integrator, "implicit-euler");
    assert_near(s->solver.tolerance, 1e-6, 0);
    assert_int_equal(s->solver.iterations, 200);
    assert_int_equal(s->solver.increments, 1);
    assert_string_equal(s->materials->name, "default");
    assert_string_equal(s->materials->law, "neo-hookean");
    assert_near(s->materials->young, 1e5, 0);
    assert_near(s->materials->poisson, 0.3, 0);
    assert_near(s->materials->density, 1000, 0);
    const swBody *b = s->bodies;
    assert_string_equal(b->name, "body1");
    assert_int_equal(b->shape->kind, SW_SHAPE_SPHERE);
    assert_null(b->shape->material);
    assert_true(isnan(b->voxel));
    assert_int_equal(b->resolution, 32);
    assert_int_equal(b->frames.kind, SW_NODE_AFFINE);
    assert_int_equal(b->frames.count, SW_FRAMES_AUTO);
    assert_string_equal(b->frames.weights.kind, "smooth");
    assert_int_equal(b->frames.weights.distance, SW_DISTANCE_GEODESIC);
    assert_int_equal(b->integration.correct, SW_CORRECT_AUTO);
    assert_int_equal(b->frames.weights.levels, 2);
    assert_near(b->frames.weights.power, 2, 0);
    assert_int_equal(b->integration.points, 0);
    assert_int_equal(b->contact_points, 500);
    assert_near(b->place.angle, 0, 0);
    assert_near(s->colliders->friction, 0.3, 0);
    assert_vec3(s->colliders->shape->normal, 0, 1, 0);
    assert_string_equal(s->probes->name, "probe1");
    assert_null(s->probes->body);

    // Built in C, the same scene has the same defaults.
    swScene *c = sw_scene_create(NULL);
    sw_scene_add_material(c, NULL);
    sw_body_add_shape(c, sw_scene_add_body(c, NULL), SW_SHAPE_SPHERE)->radius = 1;
    sw_scene_add_collider(c, SW_SHAPE_HALFSPACE);
    sw_scene_add_probe(c, NULL, sw_v3(1, 2, 3));
    char *read = print(s), *built = print(c);
    assert_string_equal(read, built);
    free(read);
    free(built);
    sw_scene_destroy(c);
    sw_scene_destroy(s);

    // Given places replace the automatic ones.
    s = parse_good(BODY(", 'frames': {'at': [[1, 2, 3], [4, 5, 6]]}"));
    assert_int_equal(s->bodies->frames.count, 0);
    assert_int_equal(s->bodies->frames.nat, 2);
    assert_vec3(s->bodies->frames.at[1], 4, 5, 6);
    sw_scene_destroy(s);
    s = parse_good(BODY(", 'frames': {'at': [[1, 2, 3]], 'count': 7}, 'integration': "
                        "{'every': 'voxel'}"));
    assert_int_equal(s->bodies->frames.count, 7);
    assert_true(s->bodies->integration.every_voxel);
    assert_round_trip(s);
    sw_scene_destroy(s);
    s = parse_good(BODY(", 'frames': {'at': [[1, 2, 3], [4, 5, 6]], 'kinds': ['rigid', 'point']}"));
    assert_int_equal(s->bodies->frames.nkinds, 2);
    assert_int_equal(s->bodies->frames.kinds[0], SW_NODE_RIGID);
    assert_int_equal(s->bodies->frames.kinds[1], SW_NODE_POINT);
    assert_round_trip(s);
    sw_scene_destroy(s);
    s = parse_good(BODY(", 'frames': {'at': []}"));
    assert_int_equal(s->bodies->frames.count, SW_FRAMES_AUTO);
    sw_scene_destroy(s);
}

static void test_text(void **state) {
    (void)state;
    swScene *s = parse_good("\xef\xbb\xbf" SCENE(
        ", 'title': '\\u20ac\\u00e4\xc3\xb6 \\ud83d\\ude00 \\'\\\\\\/\\b\\f\\n\\r\\t\\u0001'"));
    assert_string_equal(s->title,
                        "\xe2\x82\xac\xc3\xa4\xc3\xb6 \xf0\x9f\x98\x80 \"\\/\b\f\n\r\t\x01");
    assert_round_trip(s);
    sw_scene_destroy(s);
    s = parse_good(SHAPE("{'extrude': {'polygon': [[0, 0], [1.5, 0], [0, 1]], 'z': [-1, 2e-3]}}"));
    assert_int_equal(s->bodies->shape->npolygon, 3);
    assert_near(s->bodies->shape->polygon[2], 1.5, 0);
    assert_near(s->bodies->shape->zrange[1], 2e-3, 0);
    assert_round_trip(s);
    sw_scene_destroy(s);
    s = parse_good(
        SHAPE("{'mesh': {'file': 'x/b.obj', 'scale': 0.001, 'rotate': {'axis': [1, 0, 0],"
              " 'degrees': -90}, 'translate': [1, 2, 3]}}"));
    assert_string_equal(s->bodies->shape->file, "x/b.obj");
    assert_near(s->bodies->shape->pose.angle, -SW_PI / 2, 1e-15);
    assert_vec3(s->bodies->shape->pose.translate, 1, 2, 3);
    assert_round_trip(s);
    sw_scene_destroy(s);
    // a wall of a region may have no thickness
    sw_scene_destroy(parse_good(REGION("{'box': {'size': [0, 1, 1]}}")));
    // materials come from the union around
    s = parse_good(TWO("{'union': [{'union': [{'sphere': {'radius': 1}}]}], 'material': 'steel'}"));
    assert_round_trip(s);
    sw_scene_destroy(s);
}

static void test_colliders(void **state) {
    (void)state;
    swScene *s = parse_good(
        SCENE(", 'colliders': [{'plane': {}},"
              " {'cone': {'from': [0, 0, 0], 'to': [0, 1, 0], 'radius': 2, 'top': 0.5}, 'name':"
              " 'hat', 'place': {'rotate': {'axis': [0, 0, 1], 'degrees': 90}, 'translate': [1, 2,"
              " 3]}, 'motion': 'program'},"
              " {'mesh': {'file': 'a.obj', 'scale': 2}, 'motion': {'keys': [{'t': 0}, {'t': 2,"
              " 'translate': [1, 0, 0]}]}},"
              " {'cylinder': {'from': [0, 0, 0], 'to': [0, 1, 0], 'radius': 2}, 'motion': 'fixed'},"
              " {'capsule': {'from': [0, 0, 0], 'to': [0, 1, 0], 'radius': 2}}]"));
    const swCollider *c = s->colliders;
    assert_string_equal(c->name, "collider1");
    assert_int_equal(c->motion, SW_COLLIDER_FIXED);
    assert_near(c->place.angle, 0, 0);
    c = c->next;
    assert_string_equal(c->name, "hat");
    assert_int_equal(c->shape->kind, SW_SHAPE_CONE);
    assert_near(c->shape->top, 0.5, 0);
    assert_near(c->place.angle, SW_PI / 2, 1e-15);
    assert_vec3(c->place.translate, 1, 2, 3);
    assert_int_equal(c->motion, SW_COLLIDER_PROGRAM);
    c = c->next;
    assert_string_equal(c->name, "collider3");
    assert_string_equal(c->shape->file, "a.obj");
    assert_int_equal(c->motion, SW_COLLIDER_KEYS);
    assert_near(c->keys->next->t, 2, 0);
    assert_vec3(c->keys->next->pose.translate, 1, 0, 0);
    assert_null(c->keys->next->next);
    assert_round_trip(s);
    sw_scene_destroy(s);
    // built in C
    s = built_scene();
    swCollider *wall = sw_scene_add_collider(s, SW_SHAPE_HALFSPACE);
    assert_string_equal(wall->name, "collider2");
    sw_collider_add_key(s, wall, 1);
    sw_collider_add_key(s, wall, 2)->pose.angle = 1;
    assert_int_equal(wall->motion, SW_COLLIDER_KEYS);
    assert_round_trip(s);
    sw_scene_destroy(s);
}

static void test_law_parameters(void **state) {
    (void)state;
    swScene *s = parse_good(SCENE(", 'materials': {'a': {'mu': 3e4, 'law': 'stvk'}}"));
    assert_near(s->materials->param[0], 3e4, 0);
    assert_true(isnan(s->materials->param[1]));
    assert_round_trip(s);
    s->materials->param[0] = -1;
    swError error = {0};
    assert_false(sw_scene_check(s, &error));
    assert_string_equal(error.message, "materials.a.mu: expected a number of at least 0, found -1");
    sw_scene_destroy(s);
}

// ---- what is built in C ----

static void test_built(void **state) {
    (void)state;
    swScene *s = built_scene();
    swBody *b = s->bodies;
    swShape *box = b->shape;
    assert_int_equal(box->kind, SW_SHAPE_BOX);
    assert_int_equal(b->handles->motion, SW_MOTION_KEYS);
    assert_round_trip(s);
    // a second shape makes a union of both, a third joins it
    sw_body_add_shape(s, b, SW_SHAPE_SPHERE)->radius = 2;
    assert_int_equal(b->shape->kind, SW_SHAPE_UNION);
    assert_ptr_equal(b->shape->parts, box);
    sw_body_add_shape(s, b, SW_SHAPE_SPHERE)->radius = 3;
    assert_near(box->next->next->radius, 3, 0);
    assert_round_trip(s);
    assert_string_equal(sw_scene_add_body(s, NULL)->name, "body2");
    assert_string_equal(sw_body_add_handle(s, b, NULL, SW_SHAPE_BOX)->name, "handle2");
    assert_string_equal(sw_scene_add_probe(s, NULL, sw_v3(0, 0, 0))->name, "probe2");
    assert_null(sw_scene_text(s, NULL));
    sw_scene_destroy(s);
    sw_scene_destroy(NULL);
}

// ---- what is written ----

static void test_degrees(void **state) {
    (void)state;
    for (int i = -720; i <= 720; i++)
        assert_near(sw_schema_degrees(sw_schema_radians(i)), i, 0);
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        swReal radians = ((swReal)(seed >> 11) / (swReal)(1ull << 53) - 0.5) * 10;
        swReal degrees = sw_schema_degrees(radians), back = sw_schema_radians(degrees);
        assert_near(back, radians, 2e-15);
        assert_near(sw_schema_degrees(back), degrees, 0);
    }
}

static char *slurp(const char *path) {
    swConfig config = sw_default_config();
    swArena arena;
    char *data, *copy = NULL;
    size_t size;
    sw_arena_init(&arena, &config.allocator);
    if (sw_file_read(path, &arena, &data, &size, NULL))
        copy = strdup(data);
    sw_arena_free(&arena);
    return copy;
}

static void test_files(void **state) {
    (void)state;
    swError error = {0};
    const char *one = in_folder("one.json"), *two = in_folder("two.json");
    put_file(one, quoted(example));
    swScene *s = sw_scene_read(one, NULL, &error);
    assert_non_null(s);
    assert_string_equal(s->folder, folder);
    assert_true(sw_scene_write(s, one, &error));
    sw_scene_destroy(s);
    s = sw_scene_read(one, NULL, &error);
    assert_non_null(s);
    assert_true(sw_scene_write(s, two, &error));
    char *a = slurp(one), *b = slurp(two);
    assert_string_equal(a, b);
    free(a);
    free(b);
    // "-" is standard output
    fflush(stdout);
    int out = dup(1), file = open(in_folder("three.json"), O_CREAT | O_WRONLY, 0600);
    assert_true(out >= 0 && file >= 0 && dup2(file, 1) == 1);
    bool written = sw_scene_write(s, "-", &error);
    dup2(out, 1);
    close(out);
    close(file);
    assert_true(written);
    a = slurp(two);
    b = slurp(in_folder("three.json"));
    assert_string_equal(a, b);
    free(a);
    free(b);
    remove(in_folder("three.json"));
    // a failure leaves nothing behind
    s->materials->name = "\xff";
    s->bodies->shape->parts->material = "\xff";
    assert_false(sw_scene_write(s, in_folder("three.json"), &error));
    assert_int_equal(error.code, SW_ERROR_VALUE);
    assert_null(slurp(in_folder("three.json")));
    assert_false(sw_scene_write(s, in_folder("none/three.json"), &error));
    assert_int_equal(error.code, SW_ERROR_FILE);
    sw_scene_destroy(s);

    assert_null(sw_scene_read(in_folder("none.json"), NULL, &error));
    assert_int_equal(error.code, SW_ERROR_FILE);
    assert_string_equal(error.path, in_folder("none.json"));
    assert_null(sw_scene_read(folder, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_FILE);
    put_file(one, "{");
    assert_null(sw_scene_read(one, NULL, &error));
    assert_string_equal(error.path, one);
    assert_int_equal(error.line, 1);
    remove(one);
    remove(two);
}

static const char tetrahedron[] = "v 0 1 0\nv 1 1 0\nv 0 1 1\nv 0 3 0\n"
                                  "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n";

static void test_mesh(void **state) {
    (void)state;
    swError error = {0};
    const char *path = in_folder("my.shape.obj");
    put_file(path, tetrahedron);
    swScene *s = sw_scene_read(path, NULL, &error);
    assert_non_null(s);
    assert_string_equal(s->folder, folder);
    assert_string_equal(s->bodies->name, "my.shape");
    assert_int_equal(s->bodies->shape->kind, SW_SHAPE_MESH);
    assert_string_equal(s->bodies->shape->file, "my.shape.obj");
    assert_string_equal(s->materials->name, "default");
    assert_int_equal(s->colliders->shape->kind, SW_SHAPE_HALFSPACE);
    assert_near(s->colliders->shape->offset, 0.5, 1e-12);
    assert_round_trip(s);

    // Written elsewhere, the scene still finds its mesh: below that place, or anywhere.
    const char *inside = in_folder("sub");
    assert_int_equal(mkdir(inside, 0700), 0);
    assert_true(sw_scene_write(s, in_folder("sub/scene.json"), &error));
    swScene *moved = sw_scene_read(in_folder("sub/scene.json"), NULL, &error);
    assert_non_null(moved);
    char *real = realpath(path, NULL);
    assert_string_equal(moved->bodies->shape->file, real);
    free(real);
    sw_scene_destroy(moved);
    rename(path, in_folder("sub/my.shape.obj"));
    s->folder = inside;
    assert_true(sw_scene_write(s, in_folder("scene.json"), &error));
    moved = sw_scene_read(in_folder("scene.json"), NULL, &error);
    assert_non_null(moved);
    assert_string_equal(moved->bodies->shape->file, "sub/my.shape.obj");
    sw_scene_destroy(moved);
    sw_scene_destroy(s);
    remove(in_folder("scene.json"));
    remove(in_folder("sub/scene.json"));
    remove(in_folder("sub/my.shape.obj"));
    remove(in_folder("sub"));

    assert_null(sw_scene_read(in_folder("none.obj"), NULL, &error));
    assert_int_equal(error.code, SW_ERROR_FILE);
    put_file(path, "hello\n");
    assert_null(sw_scene_read(path, NULL, &error));
    assert_string_equal(error.path, path);
    remove(path);
}

static void test_bunny(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/meshes/bunny.obj");
    swError error = {0};
    swScene *s = sw_scene_read(path, NULL, &error);
    assert_non_null(s);
    assert_string_equal(s->bodies->name, "bunny");
    sw_scene_destroy(s);
}

// ---- the reference ----

static void assert_documented(const swTable *table, const char *text, int depth) {
    for (int i = 0; i < table->count && depth < 12; i++) {
        const swField *f = &table->field[i];
        char row[64];
        snprintf(row, sizeof row, "\n| `%s` | ", f->key ? f->key : "");
        if (f->key && !strstr(text, row))
            fail_msg("no %s in the reference", f->key);
        if (f->key && (!f->doc || !f->doc[0]))
            fail_msg("%s is not explained", f->key);
        if (f->table)
            assert_documented(f->table, text, depth + 1);
    }
}

static void test_keys(void **state) {
    (void)state;
    size_t length = sw_scene_keys(NULL, 0);
    char *text = malloc(length + 1), some[100];
    assert_int_equal(sw_scene_keys(text, length + 1), length);
    assert_int_equal(strlen(text), length);
    assert_documented(&sw_scene_table, text, 0);
    for (int i = 0; sw_law_name(i); i++)
        assert_non_null(strstr(text, sw_law_name(i)));
    assert_non_null(strstr(text, "| `mu` | "));
    assert_int_equal(sw_scene_keys(some, sizeof some), length);
    assert_int_equal(strlen(some), sizeof some - 1);
    assert_memory_equal(some, text, sizeof some - 1);
    free(text);
}

// ---- memory ----

typedef struct Purse {
    int left;
    size_t live;
} Purse;

static void *purse_resize(void *context, void *old, size_t old_size, size_t new_size) {
    Purse *purse = context;
    if (new_size && purse->left-- <= 0)
        return NULL;
    purse->live += new_size - old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

// A scene whose parts are too large for the arena's first block, so that each asks for memory.
static char *large_scene(void) {
    enum { N = 100000 };
    char *text = malloc(16 * N), *at = text, *filler = calloc(N + 1, 1);
    memset(filler, 'x', N);
    at += sprintf(at, "{\"sinew\": 1, \"title\": \"%s\", \"materials\": {\"%s\": {}}, ", filler,
                  filler);
    at += sprintf(at, "\"bodies\": [{\"name\": \"%s\", \"frames\": {\"at\": [[0, 0, 0]", filler);
    for (int i = 1; i < 5000; i++)
        at += sprintf(at, ", [%d, 0, 0]", i);
    at += sprintf(at, "]}, \"shape\": {\"extrude\": {\"z\": [0, 1], \"polygon\": [[0, 0]");
    for (int i = 1; i < 5000; i++)
        at += sprintf(at, ", [%d, %d]", i, i * i);
    sprintf(at, "]}}}]}");
    free(filler);
    return text;
}

static void test_memory(void **state) {
    (void)state;
    char *large = large_scene();
    const char *mesh = in_folder("m.obj"), *file = in_folder("m.json");
    put_file(mesh, tetrahedron);
    put_file(file, quoted(example));
    for (int kind = 0; kind < 4; kind++) {
        swScene *s = NULL;
        int k = 0;
        for (; !s && k < 100; k++) {
            Purse purse = {.left = k};
            swConfig config = sw_default_config();
            config.allocator = (swAllocator){purse_resize, &purse};
            swError error = {0};
            const char *text = quoted(example);
            s = kind == 0   ? sw_scene_parse(text, strlen(text), "scene", &config, &error)
                : kind == 1 ? sw_scene_read(file, &config, &error)
                : kind == 2 ? sw_scene_read(mesh, &config, &error)
                            : sw_scene_parse(large, strlen(large), "scene", &config, &error);
            if (!s)
                assert_int_equal(error.code, SW_ERROR_MEMORY);
            else
                sw_scene_destroy(s);
            assert_int_equal(purse.live, 0);
        }
        assert_in_range(k, 3, 99);
    }
    free(large);
    // calls on a scene that has no more memory fail and leave it as it was
    Purse purse = {.left = 2};
    swConfig config = sw_default_config();
    config.allocator = (swAllocator){purse_resize, &purse};
    swScene *s = sw_scene_create(&config);
    int bodies = 0;
    while (sw_scene_add_body(s, NULL))
        bodies++;
    assert_in_range(bodies, 10, 10000);
    for (swBody *b = s->bodies; b; b = b->next, bodies--)
        assert_non_null(b->name);
    assert_int_equal(bodies, 0);
    sw_scene_destroy(s);
    assert_int_equal(purse.live, 0);
    remove(mesh);
    remove(file);
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder); // and so no test has left a file behind
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_example),
    cmocka_unit_test(test_defaults),
    cmocka_unit_test(test_text),
    cmocka_unit_test(test_colliders),
    cmocka_unit_test(test_law_parameters),
    cmocka_unit_test(test_built),
    cmocka_unit_test(test_degrees),
    cmocka_unit_test_setup_teardown(test_files, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown(test_mesh, make_folder, remove_folder),
    cmocka_unit_test(test_bunny),
    cmocka_unit_test(test_keys),
    cmocka_unit_test_setup_teardown(test_memory, make_folder, remove_folder),
};

SW_SUITE(scene, tests)
