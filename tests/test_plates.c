// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The reference plates, 10 x 4 x 0.2 m, pulled at one end: even, with a stiffness that grows along
// them, with a stiff band, with a stiff block. Displacement along the centreline against finite
// elements.
#include "core/json.h"
#include "test_tools.h"

typedef enum { UNIFORM, GRADIENT, BAND, BLOCK, PLATES } Plate;
static const char *const names[PLATES] = {"uniform", "gradient", "band", "block"};
enum { CENTRELINE = 61, SLICES = 50 };

typedef struct {
    const char *name, *weights;
    int levels;
    swDistance distance;
    swNodeKind kind;
    swReal bound[PLATES]
                [3]; // of the error with 5, 10 and 20 frames: a tenth above what was measured
} Setting;

typedef struct {
    swReal traction, x[CENTRELINE], ux[CENTRELINE];
} Reference;

static Reference read_reference(const char *path, Plate plate) {
    Reference r = {.traction = plate == GRADIENT ? 4000 : 1500};
    swError error = {0};
    swArena arena;
    swConfig config = sw_default_config();
    sw_arena_init(&arena, &config.allocator);
    char *text = NULL;
    size_t size = 0;
    require(sw_file_read(path, &arena, &text, &size, &error), &error);
    const swJson *root = sw_json_parse(text, size, path, &arena, &error);
    require(root != NULL, &error);
    char key[64], load[64];
    snprintf(key, sizeof key, "%s_NeoHookean", names[plate]);
    snprintf(load, sizeof load, "%.1f", r.traction);
    const swJson *line = sw_json_member(
        sw_json_member(sw_json_member(sw_json_member(root, key), "results"), load), "centreline");
    const swJson *x = sw_json_member(line, "x"), *ux = sw_json_member(line, "ux");
    assert_true(x && ux && x->count == CENTRELINE && ux->count == CENTRELINE);
    for (int i = 0; i < CENTRELINE; i++) {
        r.x[i] = sw_json_at(x, i)->number;
        r.ux[i] = sw_json_at(ux, i)->number;
    }
    sw_arena_free(&arena);
    return r;
}

// From x = lo to hi, |y| <= half.
static void add_part(swScene *s, swReal lo, swReal hi, swReal half, swReal young) {
    static char name[16];
    snprintf(name, sizeof name, "%g", young);
    swMaterial *m = sw_scene_add_material(s, name);
    m->young = young;
    m->density = 1;
    swShape *box = sw_body_add_shape(s, s->bodies, SW_SHAPE_BOX);
    box->size = sw_v3(hi - lo, 2 * half, 0.2);
    box->center = sw_v3(0.5 * (lo + hi), 0, 0);
    box->material = m->name;
}

static swScene *plate_scene(Plate plate, const Reference *r) {
    swScene *s = sw_scene_create(NULL);
    s->gravity = sw_v3(0, 0, 0);
    s->analysis = SW_ANALYSIS_STATIC;
    s->solver.increments = 2;
    swBody *b = sw_scene_add_body(s, "plate");
    b->voxel = 0.1;
    b->integration.every_voxel = true;
    if (plate == GRADIENT) {
        for (int i = 0; i < SLICES; i++)
            add_part(s, 10.0 * i / SLICES, 10.0 * (i + 1) / SLICES, 2,
                     1e5 + 9e5 * (i + 0.5) / SLICES);
    } else
        add_part(s, 0, 10, 2, 1e5);
    if (plate == BAND || plate == BLOCK)
        add_part(s, 10.0 / 3, 20.0 / 3, plate == BAND ? 2 : 2.0 / 3, 1e9);
    sw_body_add_handle(s, b, "wall", SW_SHAPE_BOX)->region->size = sw_v3(0, 9, 9);
    swLoad *load = sw_body_add_load(s, b, SW_SHAPE_BOX);
    load->on->size = sw_v3(0, 9, 9);
    load->on->center = sw_v3(10, 0, 0);
    load->traction = sw_v3(r->traction, 0, 0);
    for (int i = 0; i < CENTRELINE; i++)
        sw_scene_add_probe(s, NULL, sw_v3(r->x[i], 0, 0));
    return s;
}

// The largest difference along the centreline over the displacement of the end.
static swReal plate_error(Plate plate, const Reference *r, const Setting *set, int frames) {
    swScene *s = plate_scene(plate, r);
    swFrames *f = &s->bodies->frames;
    f->count = frames;
    f->kind = set->kind;
    f->weights.kind = set->weights;
    f->weights.levels = set->levels;
    f->weights.distance = set->distance;
    swModel *m = compile_scene(s);
    swState *a = make_state(m);
    solve_or_fail(m, a);
    swReal worst = 0;
    for (int i = 0; i < CENTRELINE; i++)
        worst = fmax(worst, fabs(sw_probe_displacement(a, i).x - r->ux[i]));
    sw_state_destroy(a);
    sw_model_destroy(m);
    sw_scene_destroy(s);
    return worst / r->ux[CENTRELINE - 1];
}

// clang-format off
static const Setting settings[] = {
    {"voronoi, 2 levels", "voronoi", 2, SW_DISTANCE_COMPLIANCE, SW_NODE_AFFINE,
     {{6.1, 3.9, 1.8}, {7.3, 5.7, 4.3}, {5.5, 6.5, 5.4}, {15.5, 10.7, 7.6}}},
    {"voronoi, 5 levels", "voronoi", 5, SW_DISTANCE_COMPLIANCE, SW_NODE_AFFINE,
     {{2.7, 1.6, 1}, {5.4, 3.8, 2.8}, {3.1, 2.2, 1.7}, {17.9, 5.5, 3.2}}},
    {"voronoi, 5 levels, quadratic", "voronoi", 5, SW_DISTANCE_COMPLIANCE, SW_NODE_QUADRATIC,
     {{2.2, 1.1}, {3.4, 2.2}, {4.9, 2.3}, {11.9, 3.7}}},
    {"smooth", "smooth", 2, SW_DISTANCE_COMPLIANCE, SW_NODE_AFFINE,
     {{1.6, 1.5, 0.7}, {4, 2.7, 1.7}, {2.6, 2.9, 1.9}, {4.7, 1.7, 1.2}}},
    {"eigenmodes", "eigenmodes", 2, SW_DISTANCE_COMPLIANCE, SW_NODE_AFFINE,
     {{1.8, 1, 0.7}, {3.5, 2.2, 1.7}, {2.9, 2, 0.8}, {5.8, 5.4, 6.3}}},
    {"harmonic", "harmonic", 2, SW_DISTANCE_COMPLIANCE, SW_NODE_AFFINE,
     {{4, 2, 1.3}, {4.7, 3.3, 1.9}, {6.5, 4.5, 3.1}, {16.9, 4.6, 2.9}}},
    {"harmonic, quadratic", "harmonic", 2, SW_DISTANCE_COMPLIANCE, SW_NODE_QUADRATIC,
     {{1.9, 1.1}, {3.1, 1.6}, {6.1, 2.5}, {14.9, 2.2}}},
};
// clang-format on

static void plates_are_pulled_as_they_should(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "reference/plates.json");
    static const int counts[] = {5, 10, 20};
    int worse = 0;
    printf("error along the centreline, %% of the end's displacement, with 5, 10, 20 frames\n%-30s",
           "");
    for (int p = 0; p < PLATES; p++)
        printf("%-21s", names[p]);
    for (int k = 0; k < SW_COUNT(settings); k++) {
        printf("\n%-28s", settings[k].name);
        for (int p = 0; p < PLATES; p++) {
            const Reference r = read_reference(path, (Plate)p);
            for (int c = 0; c < SW_COUNT(counts); c++) {
                if (settings[k].bound[p][c] == 0 || (counts[c] == 20 && !whole_tables()))
                    continue;
                const swReal e = 100 * plate_error((Plate)p, &r, &settings[k], counts[c]);
                printf("%6.2f", e);
                worse += e > settings[k].bound[p][c];
            }
            printf("%*s", settings[k].kind == SW_NODE_QUADRATIC || !whole_tables() ? 9 : 3, "");
        }
    }
    printf("\n");
    assert_int_equal(worse, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plates_are_pulled_as_they_should),
};
SW_SUITE(plates, tests)
