// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Characters back in their own file: a bar on three joints, made here, simulated and read again.
// Where SINEW_TEST_FILES names a folder, the .glb files stay there for check_gltf.mjs.
#include "test_files.h"
#include "test_tools.h"

#include "core/json.h"
#include "formats/rig_read.h"
#include "output/character.h"
#include "formats/mesh_gltf.h"
#include "kinematics/points.h"
#include "sinew/sinew.h"

// ---- the rig: stored along z in centimetres below an armature that scales by 100 and turns ----

enum { RINGS = 9, ACROSS = 5, NVERTEX = RINGS * ACROSS, NINDEX = 3 * (8 * (RINGS - 1) + 4) };
enum { ARMATURE, ROOT, MIDDLE, TIP, SHOWN, RIGID, NNODE }; // nodes of the file

typedef struct Rig {
    float position[NVERTEX][3], normal[NVERTEX][3], coordinate[NVERTEX][2], target[NVERTEX][3];
    uint8_t joint[NVERTEX][4];
    float weight[NVERTEX][4];
    uint16_t index[NINDEX];
    float bind[3][16];
    float time[3], turn[3][4], shift[3][3];
} Rig;

static const float joint_z[3] = {0, 0.0133F, 0.0267F};

// The last corner of a ring lies where the first one is: a seam of the texture.
static void fill_rig(Rig *r) {
    static const float corner[ACROSS][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    for (int i = 0; i < NVERTEX; i++) {
        const float *c = corner[i % ACROSS], u = (float)(i / ACROSS) / (RINGS - 1);
        const float x[3] = {0.005F * c[0], 0.005F * c[1], 0.04F * u};
        memcpy(r->position[i], x, sizeof x);
        memcpy(r->normal[i], (float[3]){0.70710678F * c[0], 0.70710678F * c[1], 0}, sizeof x);
        memcpy(r->coordinate[i], (float[2]){(float)(i % ACROSS) / 4, u}, 2 * sizeof u);
        memcpy(r->target[i], (float[3]){0, 0.001F * u, 0}, sizeof x);
        const float at = 2 * u; // along the joints
        const int j = at < 1 ? 0 : 1;
        r->weight[i][0] = 1 - (at - (float)j);
        r->weight[i][1] = at - (float)j;
        for (int k = 0; k < 2; k++)
            r->joint[i][k] = r->weight[i][k] > 0 ? (uint8_t)(j + k) : 0;
    }
    int n = 0;
    for (int k = 0; k < RINGS - 1; k++)
        for (int s = 0; s < 4; s++) {
            const int a = k * ACROSS + s, b = a + 1, c = a + ACROSS, d = c + 1;
            const int corners[6] = {a, b, d, a, d, c};
            for (int i = 0; i < 6; i++)
                r->index[n++] = (uint16_t)corners[i];
        }
    const int last = (RINGS - 1) * ACROSS;
    const int caps[12] = {0, 2, 1, 0, 3, 2, last, last + 1, last + 2, last, last + 2, last + 3};
    for (int i = 0; i < 12; i++)
        r->index[n++] = (uint16_t)caps[i];
    assert_int_equal(n, NINDEX);
    for (int j = 0; j < 3; j++) {
        r->bind[j][0] = r->bind[j][5] = r->bind[j][10] = r->bind[j][15] = 1;
        r->bind[j][14] = -joint_z[j];
        r->time[j] = 0.2F * (float)j;
        const float half = 0.1F * (float)j;
        memcpy(r->turn[j], (float[4]){0, sinf(half), 0, cosf(half)}, sizeof r->turn[j]);
        memcpy(r->shift[j], (float[3]){0, 0, 0.001F * (float)j}, sizeof r->shift[j]);
    }
}

static void put_accessor(swJsonWriter *w, int view, size_t count, int component, const char *type) {
    sw_json_begin(w, NULL, '{');
    sw_json_put_int(w, "bufferView", view);
    sw_json_put_int(w, "componentType", component);
    sw_json_put_int(w, "count", (int64_t)count);
    sw_json_put_text(w, "type", type);
}

static void put_node(swJsonWriter *w, const char *name, int child, const double *translation,
                     const double *rotation) {
    sw_json_begin(w, NULL, '{');
    sw_json_put_text(w, "name", name);
    if (child > 0)
        sw_json_put_numbers(w, "children", 1, (double[1]){child});
    if (translation)
        sw_json_put_numbers(w, "translation", 3, translation);
    if (rotation)
        sw_json_put_numbers(w, "rotation", 4, rotation);
}

static void put_channel(swJsonWriter *w, const char *name, int node, const char *path, int output) {
    sw_json_begin(w, NULL, '{');
    sw_json_put_text(w, "name", name);
    sw_json_begin(w, "samplers", '[');
    sw_json_begin(w, NULL, '{');
    sw_json_put_int(w, "input", 8);
    sw_json_put_int(w, "output", output);
    sw_json_end(w);
    sw_json_end(w);
    sw_json_begin(w, "channels", '[');
    sw_json_begin(w, NULL, '{');
    sw_json_put_int(w, "sampler", 0);
    sw_json_begin(w, "target", '{');
    sw_json_put_int(w, "node", node);
    sw_json_put_text(w, "path", path);
    for (int i = 0; i < 4; i++)
        sw_json_end(w);
}

static void put_nodes(swJsonWriter *w, bool bent) {
    static const double turned[4] = {-0.70710678118654752, 0, 0, 0.70710678118654752};
    const double half = bent ? 0.2 : 0, bend[4] = {sin(half), 0, 0, cos(half)};
    sw_json_begin(w, "nodes", '[');
    put_node(w, "armature", ROOT, NULL, turned);
    sw_json_put_numbers(w, "scale", 3, (double[3]){100, 100, 100});
    sw_json_end(w);
    put_node(w, "root", MIDDLE, NULL, NULL);
    sw_json_end(w);
    put_node(w, "middle", TIP, (double[3]){0, 0, joint_z[1] - joint_z[0]}, bend);
    sw_json_end(w);
    put_node(w, "tip", 0, (double[3]){0, 0, joint_z[2] - joint_z[1]}, NULL);
    sw_json_end(w);
    put_node(w, "shown", 0, NULL, NULL);
    sw_json_put_int(w, "mesh", 0);
    sw_json_put_int(w, "skin", 0);
    sw_json_end(w);
    put_node(w, "elsewhere", 0, (double[3]){5, 0, 0}, NULL); // in no scene
    sw_json_put_int(w, "mesh", 1);
    sw_json_end(w);
    sw_json_end(w);
}

static void put_mesh(swJsonWriter *w) {
    static const char *const names[] = {"POSITION", "NORMAL", "TEXCOORD_0", "JOINTS_0",
                                        "WEIGHTS_0"};
    static const int accessor[] = {0, 1, 2, 4, 5};
    sw_json_begin(w, "meshes", '[');
    sw_json_begin(w, NULL, '{');
    sw_json_put_text(w, "name", "bar");
    sw_json_begin(w, "extras", '{');
    sw_json_put_number(w, "kept", 0.1);
    sw_json_put_text(w, "text", "\"\\\n");
    sw_json_end(w);
    sw_json_begin(w, "primitives", '[');
    sw_json_begin(w, NULL, '{');
    sw_json_begin(w, "attributes", '{');
    for (int i = 0; i < 5; i++)
        sw_json_put_int(w, names[i], accessor[i]);
    sw_json_end(w);
    sw_json_put_int(w, "indices", 6);
    sw_json_put_int(w, "material", 0);
    sw_json_begin(w, "targets", '[');
    sw_json_begin(w, NULL, '{');
    sw_json_put_int(w, "POSITION", 3);
    for (int i = 0; i < 5; i++)
        sw_json_end(w);
    sw_json_begin(w, NULL, '{'); // another mesh, of the same positions
    sw_json_begin(w, "primitives", '[');
    sw_json_begin(w, NULL, '{');
    sw_json_begin(w, "attributes", '{');
    sw_json_put_int(w, "POSITION", 0);
    sw_json_end(w);
    sw_json_put_int(w, "indices", 6);
    for (int i = 0; i < 4; i++)
        sw_json_end(w);
}

static void put_data(swJsonWriter *w) {
    const struct {
        size_t offset, size, count;
        int component;
        const char *type;
    } a[] = {
#define ITEM(field, n, component, type) \
    {offsetof(Rig, field), sizeof((Rig *)0)->field, n, component, type}
        ITEM(position, NVERTEX, 5126, "VEC3"),
        ITEM(normal, NVERTEX, 5126, "VEC3"),
        ITEM(coordinate, NVERTEX, 5126, "VEC2"),
        ITEM(target, NVERTEX, 5126, "VEC3"),
        ITEM(joint, NVERTEX, 5121, "VEC4"),
        ITEM(weight, NVERTEX, 5126, "VEC4"),
        ITEM(index, NINDEX, 5123, "SCALAR"),
        ITEM(bind, 3, 5126, "MAT4"),
        ITEM(time, 3, 5126, "SCALAR"),
        ITEM(turn, 3, 5126, "VEC4"),
        ITEM(shift, 3, 5126, "VEC3")};
    sw_json_begin(w, "accessors", '[');
    for (int i = 0; i < SW_COUNT(a); i++) {
        put_accessor(w, i, a[i].count, a[i].component, a[i].type);
        if (i == 0) {
            sw_json_put_numbers(w, "min", 3, (double[3]){-0.005F, -0.005F, 0});
            sw_json_put_numbers(w, "max", 3, (double[3]){0.005F, 0.005F, 0.04F});
        } else if (i == 3) {
            sw_json_put_numbers(w, "min", 3, (double[3]){0, 0, 0});
            sw_json_put_numbers(w, "max", 3, (double[3]){0, 0.001F, 0});
        } else if (i == 8) {
            sw_json_put_numbers(w, "min", 1, (double[1]){0});
            sw_json_put_numbers(w, "max", 1, (double[1]){0.4F});
        }
        sw_json_end(w);
    }
    sw_json_end(w);
    sw_json_begin(w, "bufferViews", '[');
    for (int i = 0; i < SW_COUNT(a); i++) {
        sw_json_begin(w, NULL, '{');
        sw_json_put_int(w, "buffer", 0);
        sw_json_put_int(w, "byteOffset", (int64_t)a[i].offset);
        sw_json_put_int(w, "byteLength", (int64_t)a[i].size);
        sw_json_end(w);
    }
    sw_json_end(w);
    sw_json_begin(w, "buffers", '[');
    sw_json_begin(w, NULL, '{');
    sw_json_put_text(w, "uri", "bar%20data.bin");
    sw_json_put_int(w, "byteLength", sizeof(Rig));
    sw_json_end(w);
    sw_json_end(w);
}

static const unsigned char picture[] = { // one grey pixel
    0x89, 'P',  'N',  'G',  13,   10,  26,   10,   0,    0,    0,    13,   'I',  'H',
    'D',  'R',  0,    0,    0,    1,   0,    0,    0,    1,    8,    0,    0,    0,
    0,    0x3a, 0x7e, 0x9b, 0x55, 0,   0,    0,    10,   'I',  'D',  'A',  'T',  0x78,
    0x9c, 0x63, 0x68, 0,    0,    0,   0x82, 0,    0x81, 0x77, 0xcd, 0x72, 0xb6, 0,
    0,    0,    0,    'I',  'E',  'N', 'D',  0xae, 0x42, 0x60, 0x82};

// `bent`: the default pose is another one than that of the stored positions.
static void write_rig(const char *name, bool bent) {
    static Rig rig;
    swFile file;
    memset(&rig, 0, sizeof rig);
    fill_rig(&rig);
    assert_true(sw_file_open(&file, path_of("bar data.bin"), NULL));
    sw_file_write(&file, &rig, sizeof rig);
    assert_true(sw_file_close(&file, NULL));
    assert_true(sw_file_open(&file, path_of("grey.png"), NULL));
    sw_file_write(&file, picture, sizeof picture);
    assert_true(sw_file_close(&file, NULL));
    assert_true(sw_file_open(&file, path_of(name), NULL));
    swJsonWriter w = {.file = &file, .indent = 1};
    sw_json_begin(&w, NULL, '{');
    sw_json_begin(&w, "asset", '{');
    sw_json_put_text(&w, "version", "2.0");
    sw_json_end(&w);
    sw_json_begin(&w, "scenes", '[');
    sw_json_begin(&w, NULL, '{');
    sw_json_put_numbers(&w, "nodes", 2, (double[2]){ARMATURE, SHOWN});
    sw_json_end(&w);
    sw_json_end(&w);
    put_nodes(&w, bent);
    put_mesh(&w);
    sw_json_begin(&w, "skins", '[');
    sw_json_begin(&w, NULL, '{');
    sw_json_put_int(&w, "inverseBindMatrices", 7);
    sw_json_put_int(&w, "skeleton", ROOT);
    sw_json_put_numbers(&w, "joints", 3, (double[3]){ROOT, MIDDLE, TIP});
    sw_json_end(&w);
    sw_json_end(&w);
    sw_json_begin(&w, "animations", '[');
    put_channel(&w, "turn", MIDDLE, "rotation", 9);
    put_channel(&w, "shift", ROOT, "translation", 10);
    sw_json_end(&w);
    sw_json_begin(&w, "materials", '[');
    sw_json_begin(&w, NULL, '{');
    sw_json_begin(&w, "pbrMetallicRoughness", '{');
    sw_json_begin(&w, "baseColorTexture", '{');
    sw_json_put_int(&w, "index", 0);
    for (int i = 0; i < 4; i++)
        sw_json_end(&w);
    sw_json_begin(&w, "textures", '[');
    sw_json_begin(&w, NULL, '{');
    sw_json_put_int(&w, "source", 0);
    sw_json_end(&w);
    sw_json_end(&w);
    sw_json_begin(&w, "images", '[');
    sw_json_begin(&w, NULL, '{');
    sw_json_put_text(&w, "uri", "grey.png");
    sw_json_end(&w);
    sw_json_end(&w);
    put_data(&w);
    sw_json_end(&w);
    assert_true(sw_file_close(&file, NULL));
}

// ---- the simulation: the tip is a simulated bone, the others follow a clip ----

enum { TURN, SHIFT }; // clips
#define SCALE 0.1     // of the body against the file
#define LEAD 0.1      // before the clip [s]

typedef struct Soft {
    const swConfig *config; // or NULL
    swModel *model;
    swClip clip;
} Soft;

static void simulate(Soft *s, const char *name, swNodeKind kind, const char *clip, int repeat) {
    static const char *const soft[] = {"t*p"};
    swScene *scene = sw_scene_create(s->config);
    swError error = {0};
    sw_scene_add_material(scene, "flesh")->young = 2e4;
    swBody *b = sw_scene_add_body(scene, "bar");
    swShape *mesh = sw_body_add_shape(scene, b, SW_SHAPE_MESH);
    mesh->file = path_of(name);
    mesh->scale = SCALE;
    mesh->pose.translate = sw_v3(0, 0, 0.5);
    b->place.axis = sw_v3(0, 1, 0.3);
    b->place.angle = 0.7;
    b->place.translate = sw_v3(2, 0, 1);
    b->resolution = 24;
    b->frames.kind = kind;
    b->frames.count = 3;
    swSkeleton *skeleton = sw_body_add_skeleton(scene, b, mesh->file);
    skeleton->clip = clip;
    skeleton->soft = soft;
    skeleton->nsoft = SW_COUNT(soft);
    skeleton->lead = LEAD;
    skeleton->repeat = repeat;
    scene->gravity = sw_v3(3, -9.81, 0);
    scene->time.step = 0.01;
    s->model = sw_compile(scene, &error);
    if (!s->model)
        fail_msg("%s", error.message);
    sw_scene_destroy(scene);
    swState *state = sw_state_create(s->model, NULL);
    sw_clip_init(&s->clip, s->model);
    assert_true(sw_clip_add(&s->clip, state, NULL));
    for (int i = 0; i < 10 + 40 * repeat; i += 2) {
        for (int k = 0; k < 2; k++)
            assert_int_equal(sw_step(s->model, state), SW_OK);
        assert_true(sw_clip_add(&s->clip, state, NULL));
    }
    sw_state_destroy(state);
}

static void release(Soft *s) {
    sw_clip_free(&s->clip);
    sw_model_destroy(s->model);
}

// ---- what comes back ----

typedef struct Back {
    swArena arena;
    swRig rig;
    swMeshFile data;
    swGltfFile file;
} Back;

static void read_back(Back *b, const char *name) {
    swConfig config = sw_default_config();
    swError error = {0};
    char *data;
    sw_arena_init(&b->arena, &config.allocator);
    if (!sw_rig_read(path_of(name), &b->arena, &b->rig, &error))
        fail_msg("%s", error.message);
    b->data.path = path_of(name);
    assert_true(sw_file_read(b->data.path, &b->arena, &data, &b->data.size, NULL));
    b->data.data = data;
    assert_true(sw_gltf_open(&b->file, &b->data, &b->arena, NULL));
}

// The largest distance between the skin at a time of the clip and the simulation, over the size.
static swReal largest_gap(const Back *b, const Soft *s, int clip, swReal t, const swReal *q) {
    const swRig *rig = &b->rig;
    const swBodyModel *m = sw_model_body(s->model, 0);
    swAffine rest[64], now[64];
    swReal gap = 0;
    assert_true(rig->nnode <= SW_COUNT(rest));
    sw_rig_pose(rig, -1, 0, rest);
    sw_rig_pose(rig, clip, t, now);
    for (int v = 0; v < rig->surface.nvertex; v++) {
        swVec3 x = {0, 0, 0};
        for (int k = rig->start[v]; k < rig->start[v + 1]; k++) {
            const int node = rig->bind[rig->influence[k].bind].node;
            const swAffine f = sw_affine_mul(now[node], sw_affine_inverse(rest[node]));
            x = sw_madd(x, rig->influence[k].weight, sw_affine_at(f, rig->surface.X[v]));
        }
        const swVec3 there = sw_point_position(m, q, m->body[0].point + v);
        gap = sw_max(gap, sw_norm(sw_sub(sw_affine_at(m->rig[0].place, x), there)));
    }
    return gap / sw_norm(sw_sub(m->body[0].hi, m->body[0].lo));
}

static void expect_rest(const Back *before, const Back *after) {
    assert_int_equal(before->rig.surface.nvertex, after->rig.surface.nvertex);
    for (int v = 0; v < before->rig.surface.nvertex; v++)
        assert_near(sw_norm(sw_sub(before->rig.surface.X[v], after->rig.surface.X[v])), 0, 4e-6);
}

static const swJson *get(const Back *b, const char *list, int index) {
    return sw_json_at(sw_json_member(b->file.root, list), index);
}

static void expect_same(const Back *a, const Back *b, const char *list, int index,
                        const char *key) {
    char from[64], to[64];
    const swJson *x = sw_json_member(get(a, list, index), key),
                 *y = sw_json_member(get(b, list, index), key);
    assert_non_null(x);
    assert_string_equal(sw_json_describe(x, from), sw_json_describe(y, to));
}

static void check_kept(Back *before, Back *after) {
    for (int i = 0; i < NNODE; i++)
        expect_same(before, after, "nodes", i, "name");
    const swJson *extras = sw_json_member(get(after, "meshes", 0), "extras");
    assert_true(sw_json_member(extras, "kept")->number == 0.1);
    assert_string_equal(sw_json_member(extras, "text")->text, "\"\\\n");
    expect_same(before, after, "animations", 0, "name");
    expect_same(before, after, "animations", 1, "name");
    assert_int_equal(sw_gltf_count(&after->file, "animations"), 2);
    assert_int_equal(sw_gltf_count(&after->file, "buffers"), 1);
    swGltfItems x, y; // coordinates of the texture, by their old number
    assert_true(sw_gltf_accessor(&before->file, get(before, "accessors", 2), "VEC2", 2, &x));
    assert_true(sw_gltf_accessor(&after->file, get(after, "accessors", 2), "VEC2", 2, &y));
    assert_memory_equal(x.data, y.data, NVERTEX * 2 * sizeof(float));
    const swJson *image = get(after, "images", 0);
    assert_string_equal(sw_json_member(image, "mimeType")->text, "image/png");
    const swJson *view = sw_gltf_item(&after->file, image, "bufferView", "bufferViews");
    int64_t offset, size;
    assert_true(sw_gltf_whole(&after->file, view, "byteOffset", 0, &offset));
    assert_true(sw_gltf_whole(&after->file, view, "byteLength", -1, &size));
    assert_int_equal(size, sizeof picture);
    assert_memory_equal(after->file.bin + offset, picture, sizeof picture);
}

// At every recorded moment from the start of the clip on.
static swReal largest_of_all(const Back *after, const Soft *s, int clip, swReal start) {
    swReal gap = 0;
    for (int k = 0; k < sw_clip_count(&s->clip); k++) {
        const swClipKey *key = &s->clip.body[0].keys.item[k];
        if (key->t > start - 1e-9)
            gap = sw_max(gap, largest_gap(after, s, clip, key->t - start, key->q));
    }
    return gap;
}

static void check(bool bent, swNodeKind kind, const char *rig, const char *out) {
    Soft s = {0};
    Back before, after;
    swGltfReport report;
    swError error = {0};
    write_rig(rig, bent);
    simulate(&s, rig, kind, "shift", 1);
    const swGltfOptions all = {0};
    if (!sw_character_write(s.model, &s.clip, 0, path_of(out), &all, &report, &error))
        fail_msg("%s", error.message);
    read_back(&before, rig);
    read_back(&after, out);
    expect_rest(&before, &after);
    check_kept(&before, &after);
    assert_near(largest_of_all(&after, &s, SHIFT, LEAD), 0, 2e-6);
    assert_true(largest_of_all(&before, &s, SHIFT, LEAD) > 0.01); // the file alone does not do it
    // One joint each is not enough, and told.
    const swGltfOptions one = {.max_influences = 1};
    assert_true(sw_character_write(s.model, &s.clip, 0, path_of("one.glb"), &one, &report, NULL));
    assert_true(report.max_influences_found > 1 && report.largest_error > 1e-3);
    Back few;
    read_back(&few, "one.glb");
    expect_rest(&before, &few);
    assert_near(largest_of_all(&few, &s, SHIFT, LEAD), report.largest_error, 1e-2);
    sw_arena_free(&few.arena);
    sw_arena_free(&before.arena);
    sw_arena_free(&after.arena);
    release(&s);
}

static void test_straight(void **state) {
    (void)state;
    check(false, SW_NODE_AFFINE, "straight.gltf", "straight.glb");
    check(false, SW_NODE_RIGID, "straight.gltf", "straight_rigid.glb");
}

// The default pose is not that of the stored positions: these are written anew.
static void test_bent(void **state) {
    (void)state;
    check(true, SW_NODE_AFFINE, "bent.gltf", "bent.glb");
}

// The last time of a clip that is repeated.
static void test_repeat(void **state) {
    (void)state;
    Soft s = {0};
    Back after;
    const swGltfOptions all = {0};
    write_rig("straight.gltf", false);
    simulate(&s, "straight.gltf", SW_NODE_AFFINE, "turn", 2);
    assert_true(sw_character_write(s.model, &s.clip, 0, path_of("twice.glb"), &all, NULL, NULL));
    read_back(&after, "twice.glb");
    assert_near(after.rig.clip[TURN].duration, 0.4, 1e-6);
    assert_near(largest_of_all(&after, &s, TURN, LEAD + sw_model_body(s.model, 0)->rig[0].duration),
                0, 2e-6);
    sw_arena_free(&after.arena);
    // Stopped in the second round, the first one is whole.
    sw_clip_cut(&s.clip, 36); // 0.7 s
    assert_true(sw_character_write(s.model, &s.clip, 0, path_of("once.glb"), &all, NULL, NULL));
    read_back(&after, "once.glb");
    assert_near(after.rig.clip[TURN].duration, 0.4, 1e-6);
    sw_clip_cut(&s.clip, 26); // 0.5 s
    assert_near(largest_of_all(&after, &s, TURN, LEAD), 0, 2e-6);
    sw_arena_free(&after.arena);
    release(&s);
}

// Weights as they were; the simulated bone goes where the simulation has it, the others do not.
static void test_kept_weights(void **state) {
    (void)state;
    Soft s = {0};
    Back before, after;
    const swGltfOptions options = {.keep_weights = true};
    write_rig("straight.gltf", false);
    simulate(&s, "straight.gltf", SW_NODE_AFFINE, "shift", 1);
    assert_true(sw_character_write(s.model, &s.clip, 0, path_of("own.glb"), &options, NULL, NULL));
    read_back(&before, "straight.gltf");
    read_back(&after, "own.glb");
    expect_rest(&before, &after);
    assert_int_equal(before.rig.nnode, after.rig.nnode);
    const swClipKey *last = &s.clip.body[0].keys.item[sw_clip_count(&s.clip) - 1];
    swAffine now[NNODE], then[NNODE], rest[NNODE];
    sw_rig_pose(&before.rig, -1, 0, rest);
    sw_rig_pose(&before.rig, SHIFT, last->t - LEAD, then);
    sw_rig_pose(&after.rig, SHIFT, last->t - LEAD, now);
    for (int i = 0; i < after.rig.nnode; i++) {
        if (after.rig.node[i].index != TIP) {
            assert_near(sw_norm(sw_sub(now[i].b, then[i].b)), 0, 1e-12);
            continue;
        }
        const swBodyModel *m = sw_model_body(s.model, 0);
        int h = 0;
        while (m->handle[h].joint != TIP)
            h++;
        const swNode *node = &m->node[m->handle[h].node];
        const swReal *q = last->q + node->q;
        const swVec3 arm = sw_sub(sw_affine_at(m->rig[0].rest, rest[i].b), node->origin);
        const swVec3 x = {q[0] + q[1] * arm.x + q[2] * arm.y + q[3] * arm.z,
                          q[4] + q[5] * arm.x + q[6] * arm.y + q[7] * arm.z,
                          q[8] + q[9] * arm.x + q[10] * arm.y + q[11] * arm.z};
        assert_near(sw_norm(sw_sub(sw_affine_at(m->rig[0].place, now[i].b), x)), 0, 1e-6);
        assert_true(sw_norm(sw_sub(now[i].b, then[i].b)) > 0.01);
    }
    sw_arena_free(&before.arena);
    sw_arena_free(&after.arena);
    release(&s);
}

// Another file in the place of that the model was made of; nothing is left behind.
static void test_refusals(void **state) {
    (void)state;
    Soft s = {0};
    swError error = {0};
    write_rig("changed.gltf", false);
    simulate(&s, "changed.gltf", SW_NODE_AFFINE, "shift", 1);
    write_rig("changed.gltf", true);
    assert_false(sw_character_write(s.model, &s.clip, 0, path_of("no.glb"), NULL, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_VALUE);
    assert_non_null(strstr(error.path, "changed.gltf"));
    assert_int_equal(access(path_of("no.glb"), F_OK), -1);
    write_rig("changed.gltf", false);
    remove(path_of("grey.png"));
    assert_false(sw_character_write(s.model, &s.clip, 0, path_of("no.glb"), NULL, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_FILE);
    assert_int_equal(access(path_of("no.glb"), F_OK), -1);
    release(&s);
}

// Fails at the k-th allocation, for every k.
static void test_memory(void **state) {
    (void)state;
    Counter counter = {0};
    swConfig config = counting_config(&counter);
    Soft s = {.config = &config};
    write_rig("bent.gltf", true);
    simulate(&s, "bent.gltf", SW_NODE_AFFINE, "shift", 1);
    const int64_t before = counter.bytes;
    bool done = false;
    for (int k = 1; !done; k++) {
        swError error = {0};
        counter.calls = 0;
        counter.fail_at = k;
        done = sw_character_write(s.model, &s.clip, 0, path_of("scarce.glb"), NULL, NULL, &error);
        assert_true(done || error.code == SW_ERROR_MEMORY);
        assert_true(!done || k > 4);
        assert_int_equal(counter.bytes, before);
    }
    release(&s);
    assert_int_equal(counter.bytes, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_straight), cmocka_unit_test(test_bent),
    cmocka_unit_test(test_repeat),   cmocka_unit_test(test_kept_weights),
    cmocka_unit_test(test_refusals), cmocka_unit_test(test_memory),
};

SW_SUITE(character, tests)
