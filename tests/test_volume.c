// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From images to solids and voxels.
#include "test_volume.h"

#include "geometry/closing.h"
#include "geometry/labels.h"
#include "geometry/volume_fill.h"
#include "formats/image.h"
#include "volume/voxelize.h"

#include <limits.h>

// ---- tools ----

static swShape volume(void) {
    return (swShape){.kind = SW_SHAPE_VOLUME,
                     .file = "image",
                     .scale = 1,
                     .pixel = NAN,
                     .thickness = NAN,
                     .reach = NAN};
}

// Along the axes, its corner at the origin.
static swImage image_of(int nx, int ny, int nz, swVec3 edge, swImageType type, const void *data) {
    return (swImage){.n = {nx, ny, nz},
                     .type = type,
                     .data = data,
                     .slope = 1,
                     .unit = 1,
                     .origin = sw_scale(0.5, edge),
                     .axis = {{edge.x, 0, 0}, {0, edge.y, 0}, {0, 0, edge.z}}};
}

static const swSolid *solid_of(Fixture *f, const swShape *shape, const swImage *image) {
    const swSolid *solid =
        sw_solid_of_image(shape, image, "shape", &f->config, &f->arena, &f->error);
    require(solid != NULL, &f->error);
    return solid;
}

static const char *error_of(Fixture *f, const swShape *shape, const swImage *image) {
    assert_null(sw_solid_of_image(shape, image, "shape", &f->config, &f->arena, &f->error));
    return f->error.message;
}

// Material 0 for all; stiffness and density are the map's numbers.
static swGrid voxels_of(Fixture *f, const swSolid *solid, swReal h, swPool *pool) {
    int count;
    const swSolidEntry *from = sw_solid_palette(solid, &count);
    swPaintEntry *to = SW_NEW(&f->arena, count, swPaintEntry, NULL);
    for (int i = 1; i < count; i++)
        to[i] = (swPaintEntry){from[i].material && strcmp(from[i].material, "b") == 0,
                               from[i].label, isnan(from[i].young) ? 1 : from[i].young,
                               isnan(from[i].density) ? 1 : from[i].density};
    swGrid g;
    require(sw_voxelize(1, &(swPaint){solid, 0, to}, h, "body", pool, &f->config, &f->arena, &g,
                        &f->error),
            &f->error);
    return g;
}

static swReal volume_of_label(const swGrid *g, int label) {
    swReal sum = 0;
    for (int i = 0; i < g->nvoxel; i++)
        sum += g->voxel[i].label == label ? g->voxel[i].volume : 0;
    return sum;
}

enum { NX = 7, NY = 6, NZ = 5, N = NX * NY * NZ };
static const swVec3 edge = {0.3, 0.5, 0.7};

static void random_labels(uint8_t label[N]) {
    Random r = {5};
    for (int i = 0; i < N; i++)
        label[i] = (uint8_t)(random_int(&r, 2) * (1 + random_int(&r, 3)));
}

// ---- labels ----

static void labels_are_read(void **state) {
    (void)state;
    assert_true(sw_labels_has("7", 7));
    assert_false(sw_labels_has("7", 6));
    assert_true(sw_labels_has("1-3, 12", 2) && sw_labels_has("1-3, 12", 12));
    assert_false(sw_labels_has("1-3, 12", 4));
    assert_true(sw_labels_has(" -5 - -2 ,0", -3) && sw_labels_has("-5--2", -5));
    assert_false(sw_labels_has(NULL, 0) || sw_labels_has("", 0) || sw_labels_has("7", INT_MIN));
    static const char *const wrong[] = {"",    " ",          "a",     "1,",  ",1",
                                        "1 2", "3-1",        "1-",    "--1", "1.5",
                                        "1e3", "2147483648", "1-2-3", "1;2", "1,,2"};
    static swLabelRange range[SW_LABELS_MAX];
    for (int i = 0; i < SW_COUNT(wrong); i++) {
        int n = 0;
        assert_false(sw_labels_parse(wrong[i], range, &n));
    }
    int n = 0;
    assert_true(sw_labels_parse("1-3, 12", range, &n) && sw_labels_parse("4", range, &n));
    assert_int_equal(n, 3);
    assert_int_equal(range[0].hi, 3);
    assert_int_equal(range[2].lo, 4);
}

// ---- geometry ----

// The label of the image at a point, or 0.
static int label_at(const swImage *m, swVec3 p) {
    const swVec3 a = m->axis[0], b = m->axis[1], c = m->axis[2], d = sw_sub(p, m->origin);
    const swReal det = sw_dot(a, sw_cross(b, c));
    const swReal u[3] = {sw_dot(d, sw_cross(b, c)) / det, sw_dot(d, sw_cross(c, a)) / det,
                         sw_dot(d, sw_cross(a, b)) / det};
    size_t at = 0, stride = 1;
    for (int k = 0; k < 3; k++) {
        const swReal i = floor(u[k] + 0.5);
        if (i < 0 || i >= m->n[k])
            return 0;
        at += (size_t)i * stride;
        stride *= (size_t)m->n[k];
    }
    return ((const uint8_t *)m->data)[at];
}

// Spans against the image itself, at the middle of every stretch.
static void check_spans(Fixture *f, const swSolid *solid, const swImage *m, int rays) {
    int count;
    const swSolidEntry *palette = sw_solid_palette(solid, &count);
    swVec3 lo, hi;
    sw_solid_bounds(solid, &lo, &hi);
    Random r = {9};
    for (int i = 0; i < rays; i++) {
        const swReal y = random_in(&r, lo.y - 0.1, hi.y + 0.1), z = random_in(&r, lo.z, hi.z);
        swSpanList list = {0};
        assert_true(sw_solid_spans(solid, y, z, &list, &f->arena, &f->error));
        swReal x = lo.x - 0.1;
        for (int s = 0; s <= list.count; s++) {
            const swReal next = s < list.count ? list.item[s].lo : hi.x + 0.1;
            assert_true(next >= x - 1e-12);
            for (int k = 0; k < 8 && next > x + 1e-9; k++)
                assert_int_equal(label_at(m, sw_v3(x + (next - x) * (k + 0.5) / 8, y, z)), 0);
            if (s == list.count)
                break;
            const swSpan *span = &list.item[s];
            assert_true(span->lo < span->hi && span->entry > 0 && span->entry < count);
            for (int k = 0; k < 8 && span->hi > span->lo + 1e-9; k++) {
                const swVec3 p = {span->lo + (span->hi - span->lo) * (k + 0.5) / 8, y, z};
                assert_int_equal(label_at(m, p), palette[span->entry].label);
                assert_true(sw_solid_inside(solid, p));
                assert_true(sw_solid_distance(solid, p) < 0);
            }
            x = span->hi;
        }
    }
}

// Every way in which the axes of an image can be those of the world.
static void aligned_images_are_exact(void **state) {
    Fixture *f = *state;
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    uint8_t label[N];
    random_labels(label);
    int count[4] = {0};
    for (int i = 0; i < N; i++)
        count[label[i]]++;
    const swReal each = edge.x * edge.y * edge.z;
    for (int i = 0; i < 48; i++) {
        swImage m = image_of(NX, NY, NZ, edge, SW_IMAGE_U8, label);
        for (int k = 0; k < 3; k++) {
            m.axis[k] = sw_v3(0, 0, 0);
            sw_set(&m.axis[k], order[i / 8][k], (i >> k & 1 ? -1 : 1) * sw_get(edge, k));
        }
        m.origin = sw_v3(0.4, -2, 11);
        swShape shape = volume();
        const swSolid *solid = solid_of(f, &shape, &m);
        assert_true(sw_solid_is_box(solid));
        check_spans(f, solid, &m, 40);
        // cells that divide the voxels, and cells that do not
        static const swReal h[] = {0.1, 0.37, 1.3};
        for (int c = 0; c < 3; c++) {
            const swGrid g = voxels_of(f, solid, h[c], NULL);
            swReal moment[4] = {0};
            for (int v = 0; v < g.nvoxel; v++)
                moment[g.voxel[v].label] += g.voxel[v].volume * g.voxel[v].centroid.y;
            for (int l = 1; l < 4; l++)
                assert_near(volume_of_label(&g, l), count[l] * each, 1e-12);
            swReal y[4] = {0};
            for (int v = 0; v < N; v++)
                y[label[v]] += each * sw_add(sw_add(m.origin, sw_scale(v % NX, m.axis[0])),
                                             sw_add(sw_scale(v / NX % NY, m.axis[1]),
                                                    sw_scale(v / NX / NY, m.axis[2])))
                                          .y;
            for (int l = 1; l < 4; l++)
                assert_near(moment[l], y[l], 1e-10);
        }
    }
}

// Where cells are voxels, each is what the image says.
static void cells_may_be_voxels(void **state) {
    Fixture *f = *state;
    uint8_t label[N];
    random_labels(label);
    swImage m = image_of(NX, NY, NZ, sw_v3(0.25, 0.25, 0.25), SW_IMAGE_U8, label);
    for (int k = 0; k < 3; k++) // so that nothing is cropped
        label[0] = label[N - 1] = 1;
    swShape shape = volume();
    const swGrid g = voxels_of(f, solid_of(f, &shape, &m), 0.25, NULL);
    assert_int_equal(g.n[0], NX);
    assert_int_equal(g.n[2], NZ);
    for (int c = 0; c < N; c++) {
        assert_int_equal(g.first[c + 1] - g.first[c], label[c] != 0);
        if (label[c]) {
            assert_int_equal(g.voxel[g.first[c]].label, label[c]);
            assert_near(g.voxel[g.first[c]].volume, 1.0 / 64, 1e-15);
            assert_true(g.voxel[g.first[c]].stiffness == 1 && g.voxel[g.first[c]].density == 1);
        }
    }
}

// A rotation of the shape by right angles is exact as well, any other nearly.
static void rotated_images_keep_their_volume(void **state) {
    Fixture *f = *state;
    uint8_t label[N];
    random_labels(label);
    int count = 0;
    for (int i = 0; i < N; i++)
        count += label[i] == 2;
    const swImage m = image_of(NX, NY, NZ, edge, SW_IMAGE_U8, label);
    const swReal expected = count * edge.x * edge.y * edge.z * 8; // scaled by 2
    swShape shape = volume();
    shape.scale = 2;
    shape.pose.translate = sw_v3(1, 2, 3);
    shape.pose.axis = sw_v3(0, 0, 1);
    shape.pose.angle = SW_PI / 2;
    const swSolid *solid = solid_of(f, &shape, &m);
    assert_true(sw_solid_is_box(solid));
    swVec3 lo, hi;
    sw_solid_bounds(solid, &lo, &hi);
    assert_near(lo.x, 1 - 2 * NY * edge.y, 1e-12); // y becomes -x
    assert_near(hi.y, 2 + 2 * NX * edge.x, 1e-12);
    swGrid g = voxels_of(f, solid, 0.33, NULL);
    assert_near(volume_of_label(&g, 2), expected, 1e-11);

    static const swReal angle[] = {0.7, -0.7, 2.5};
    shape.pose.axis = sw_v3(1, 2, -1);
    for (int i = 0; i < SW_COUNT(angle); i++) {
        shape.pose.angle = angle[i];
        solid = solid_of(f, &shape, &m);
        assert_false(sw_solid_is_box(solid));
        swImage turned = m; // the same by hand
        const swMat3 R = sw_mat_rotation(sw_scale(angle[i], sw_unit(shape.pose.axis)));
        for (int k = 0; k < 3; k++)
            turned.axis[k] = sw_scale(2, sw_mul(R, m.axis[k]));
        turned.origin = sw_add(sw_scale(2, sw_mul(R, m.origin)), sw_v3(1, 2, 3));
        check_spans(f, solid, &turned, 400);
        g = voxels_of(f, solid, 0.25, NULL);
        assert_near(volume_of_label(&g, 2), expected, 3e-3 * expected);
    }
}

static void threads_do_not_matter(void **state) {
    Fixture *f = *state;
    uint8_t label[N];
    random_labels(label);
    const swImage m = image_of(NX, NY, NZ, edge, SW_IMAGE_U8, label);
    swShape shape = volume();
    shape.pose.axis = sw_v3(1, 2, -1);
    shape.pose.angle = 0.7;
    const swSolid *solid = solid_of(f, &shape, &m);
    const swGrid one = voxels_of(f, solid, 0.1, NULL);
    swPool *pool = sw_pool_create(&f->config.allocator, 3);
    const swGrid three = voxels_of(f, solid, 0.1, pool);
    sw_pool_destroy(pool);
    assert_int_equal(one.nvoxel, three.nvoxel);
    for (int i = 0; i < one.nvoxel; i++) {
        assert_int_equal(one.voxel[i].label, three.voxel[i].label);
        assert_true(one.voxel[i].volume == three.voxel[i].volume);
        assert_true(one.voxel[i].centroid.z == three.voxel[i].centroid.z);
    }
    for (int i = 1; i < one.nvoxel; i++) // by cell, then label
        assert_true(one.voxel[i - 1].cell < one.voxel[i].cell ||
                    one.voxel[i - 1].label < one.voxel[i].label);
}

// A picture goes from the origin to the right and up, half of it on either side of z = 0.
static void pictures_have_a_size(void **state) {
    Fixture *f = *state;
    const uint8_t data[6] = {1, 0, 0, 1, 1, 2}; // the rows of y = 0, 1
    swImage m = image_of(3, 2, 1, sw_v3(1, 1, 1), SW_IMAGE_U8, data);
    m.flat = true;
    m.unit = 0;
    swShape shape = volume();
    shape.scale = NAN;
    assert_non_null(strstr(error_of(f, &shape, &m),
                           "shape.volume.pixel: expected the edge of a pixel in metres"));
    for (int flip = 0; flip < 2; flip++) {
        shape.pixel = 0.1;
        shape.thickness = flip ? 0.3 : NAN;
        if (flip) { // the first row on top
            m.axis[1] = sw_v3(0, -1, 0);
            m.origin.y = 1.5;
        }
        const swSolid *solid = solid_of(f, &shape, &m);
        swVec3 lo, hi;
        sw_solid_bounds(solid, &lo, &hi);
        assert_near(sw_norm(sw_sub(lo, sw_v3(0, 0, flip ? -0.15 : -0.05))), 0, 1e-15);
        assert_near(sw_norm(sw_sub(hi, sw_v3(0.3, 0.2, flip ? 0.15 : 0.05))), 0, 1e-15);
        assert_true(sw_solid_inside(solid, sw_v3(0.25, flip ? 0.05 : 0.15, 0)));
        assert_false(sw_solid_inside(solid, sw_v3(0.25, flip ? 0.15 : 0.05, 0)));
        const swGrid g = voxels_of(f, solid, 0.07, NULL);
        assert_near(g.volume, 4 * 0.01 * (flip ? 0.3 : 0.1), 1e-14);
    }
    shape.pixel = -1;
    assert_non_null(strstr(error_of(f, &shape, &m), "pixel: expected a positive number, found -1"));
    m.flat = false;
    shape.pixel = 1;
    assert_non_null(strstr(error_of(f, &shape, &m),
                           "pixel: expected none, as the file gives the size of its voxels"));
}

// ---- values ----

static void labels_choose_materials(void **state) {
    Fixture *f = *state;
    const int16_t data[8] = {0, 1, 2, 3, -4, 5, 6, 700};
    const swImage m = image_of(8, 1, 1, sw_v3(1, 1, 1), SW_IMAGE_I16, data);
    swLabels b = {.labels = "5, 700", .material = "b"},
             a = {.next = &b, .labels = "-4, 1-3", .material = "a"};
    swShape shape = volume();
    shape.labels = &a;
    swGrid g = voxels_of(f, solid_of(f, &shape, &m), 0.9, NULL);
    static const struct {
        int label, material;
    } expected[] = {{1, 0}, {2, 0}, {3, 0}, {-4, 0}, {5, 1}, {700, 1}};
    assert_near(g.volume, 6, 1e-13); // not 0, not 6
    for (int i = 0; i < SW_COUNT(expected); i++) {
        assert_near(volume_of_label(&g, expected[i].label), 1, 1e-14);
        for (int v = 0; v < g.nvoxel; v++)
            if (g.voxel[v].label == expected[i].label)
                assert_int_equal(g.voxel[v].material, expected[i].material);
    }
    assert_int_equal(f->warnings, 0);
    // 0 may be one of them; what is not in the image is told
    b.labels = "0, 8-9";
    g = voxels_of(f, solid_of(f, &shape, &m), 1, NULL);
    assert_near(volume_of_label(&g, 0), 1, 1e-14);
    assert_non_null(strstr(f->warning, "no voxels for 1 of the labels: 8-9"));
    // the slope of the file counts
    swImage scaled = m;
    scaled.slope = -2;
    scaled.intercept = 1;
    b.labels = "-9";
    g = voxels_of(f, solid_of(f, &shape, &scaled), 1, NULL);
    assert_near(volume_of_label(&g, -9), 1, 1e-14);
    assert_near(volume_of_label(&g, 1), 1, 1e-14);
    // wide types give the same
    int32_t wide[8];
    swReal real[8];
    for (int i = 0; i < 8; i++)
        real[i] = wide[i] = data[i];
    b.labels = "5, 700";
    const swImage w = image_of(8, 1, 1, sw_v3(1, 1, 1), SW_IMAGE_I32, wide),
                  d = image_of(8, 1, 1, sw_v3(1, 1, 1), SW_IMAGE_F64, real);
    g = voxels_of(f, solid_of(f, &shape, &w), 1, NULL);
    assert_near(volume_of_label(&g, 700), 1, 1e-14);
    real[3] = NAN; // nothing
    g = voxels_of(f, solid_of(f, &shape, &d), 1, NULL);
    assert_near(g.volume, 5, 1e-14);
}

// With too many values to be labels, what is listed together has one label.
static void grey_values_have_thresholds(void **state) {
    Fixture *f = *state;
    static int16_t data[3000];
    for (int i = 0; i < 3000; i++)
        data[i] = (int16_t)(i - 1000);
    const swImage m = image_of(30, 10, 10, sw_v3(0.1, 0.1, 0.1), SW_IMAGE_I16, data);
    swLabels list = {.labels = "200-2000", .material = "b"};
    swShape shape = volume();
    assert_non_null(
        strstr(error_of(f, &shape, &m), "it has 3000 different values from -1000 to 1999"));
    shape.labels = &list;
    const swSolid *solid = solid_of(f, &shape, &m);
    int count;
    sw_solid_palette(solid, &count);
    assert_int_equal(count, 2); // so that spans are long
    const swGrid g = voxels_of(f, solid, 0.5, NULL);
    assert_near(volume_of_label(&g, 200), 1.8, 1e-12);
    assert_near(g.volume, 1.8, 1e-12);
}

static void maps_give_stiffness_and_density(void **state) {
    Fixture *f = *state;
    static const swReal young[] = {1, 100, 3, 500, 4, 400}, density[] = {2, 10};
    const uint8_t data[8] = {0, 1, 2, 3, 4, 5, 0, 2};
    const swReal E[8] = {0, 100, 300, 500, 400, 400, 0, 300}; // held outside
    const swImage m = image_of(8, 1, 1, sw_v3(1, 1, 1), SW_IMAGE_U8, data);
    swShape shape = volume();
    shape.young = young;
    shape.nyoung = 3;
    swGrid g = voxels_of(f, solid_of(f, &shape, &m), 1, NULL);
    assert_int_equal(g.nvoxel, 6);
    for (int v = 0; v < g.nvoxel; v++) {
        assert_near(g.voxel[v].stiffness, E[1 + g.voxel[v].cell], 1e-10);
        assert_true(g.voxel[v].density == 1);
        assert_int_equal(g.voxel[v].label, SW_NO_LABEL);
    }
    // in one cell of all: the harmonic mean of stiffness, the mean of density
    shape.density = density;
    shape.ndensity = 1;
    g = voxels_of(f, solid_of(f, &shape, &m), 8, NULL);
    assert_int_equal(g.nvoxel, 1);
    swReal compliance = 0;
    for (int i = 0; i < 8; i++)
        compliance += E[i] ? 1 / E[i] : 0;
    assert_near(g.voxel[0].stiffness, 6 / compliance, 1e-10);
    assert_near(g.voxel[0].density, 10, 1e-12);
    // with labels, these say what is filled
    swLabels list = {.labels = "0, 2-3", .material = "b"};
    shape.labels = &list;
    g = voxels_of(f, solid_of(f, &shape, &m), 1, NULL);
    assert_near(g.volume, 5, 1e-13);
    assert_int_equal(g.voxel[0].material, 1);
    assert_near(g.voxel[0].stiffness, 100, 1e-10);
}

// More values than are told apart are cut into levels.
static void many_values_become_levels(void **state) {
    Fixture *f = *state;
    enum { SIDE = 50 };
    static float data[SIDE * SIDE * SIDE];
    Random r = {3};
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        data[i] = (float)random_in(&r, 1, 3);
    data[0] = 0;
    data[1] = NAN;
    data[2] = 1e30f; // far beyond the map: as its end
    const swImage m = image_of(SIDE, SIDE, SIDE, sw_v3(0.1, 0.1, 0.1), SW_IMAGE_F32, data);
    static const swReal young[] = {1, 100, 2, 200};
    swShape shape = volume();
    shape.young = young;
    shape.nyoung = 2;
    const swSolid *solid = solid_of(f, &shape, &m);
    int count;
    sw_solid_palette(solid, &count);
    assert_int_equal(count, 4097);
    assert_non_null(strstr(f->info, "grouped into 4096 levels from 1 to 2"));
    const swGrid g = voxels_of(f, solid, 0.1, NULL);
    assert_int_equal(g.nvoxel, SIDE * SIDE * SIDE - 2);
    for (int v = 0; v < g.nvoxel; v++)
        assert_near(g.voxel[v].stiffness, 100 * fmin(data[g.voxel[v].cell], 2), 100.0 / 4096);
}

static void wrong_images_are_refused(void **state) {
    Fixture *f = *state;
    const float data[4] = {1, 2, 2.5f, 0};
    const uint8_t none[4] = {0};
    swImage m = image_of(4, 1, 1, sw_v3(1, 1, 1), SW_IMAGE_F32, data);
    swShape shape = volume();
    assert_non_null(strstr(error_of(f, &shape, &m),
                           "shape.volume: image: expected whole numbers as labels, found 2.5"));
    swImage empty = image_of(4, 1, 1, sw_v3(1, 1, 1), SW_IMAGE_U8, none);
    assert_non_null(strstr(error_of(f, &shape, &empty), "nothing is filled; the values of the "
                                                        "image are 0"));
    swLabels list = {.labels = "7"};
    const uint8_t some[4] = {1, 2, 3, 4};
    empty.data = some;
    shape.labels = &list;
    assert_non_null(strstr(error_of(f, &shape, &empty),
                           "shape.volume.labels: image: nothing is "
                           "filled; the values of the image are 1, 2"));
    list.labels = "7;8";
    assert_non_null(strstr(error_of(f, &shape, &empty), "expected labels such as"));
    shape = volume();
    shape.scale = 0;
    assert_non_null(strstr(error_of(f, &shape, &empty), "scale: expected a positive number"));
    shape = volume();
    empty.axis[2] = sw_v3(1, 1, 0);
    assert_non_null(strstr(error_of(f, &shape, &empty), "three independent axes"));
    empty.axis[2] = sw_v3(0, 0, 0);
    assert_non_null(strstr(error_of(f, &shape, &empty), "found edges of 1, 1 and 0 m"));
    empty.axis[2] = sw_v3(0, 0, NAN);
    assert_non_null(strstr(error_of(f, &shape, &empty), "three independent axes"));
    empty.axis[2] = sw_v3(0, 0, 1);
    shape.fill = "fat";
    assert_non_null(strstr(error_of(f, &shape, &empty), "fill.reach: expected a positive number"));
    shape.reach = 1e6;
    assert_non_null(strstr(error_of(f, &shape, &empty), "a reach of 1e+06 m needs"));
    assert_int_equal(f->error.code, SW_ERROR_LIMIT);
    // a file without a unit is told
    shape = volume();
    shape.scale = NAN;
    empty.unit = 0;
    solid_of(f, &shape, &empty);
    assert_non_null(strstr(f->warning, "image does not state its unit of length: metres assumed"));
    empty.unit = 0.001;
    swVec3 lo, hi;
    sw_solid_bounds(solid_of(f, &shape, &empty), &lo, &hi);
    assert_near(hi.x - lo.x, 0.004, 1e-15);
}

static void memory_may_run_out(void **state) {
    (void)state;
    uint8_t label[N];
    random_labels(label);
    const swImage m = image_of(NX, NY, NZ, edge, SW_IMAGE_U8, label);
    swLabels list = {.labels = "1-2", .material = "a"};
    swShape shape = volume();
    shape.labels = &list;
    shape.fill = "b";
    shape.reach = 0.8;
    bool done = false;
    for (int k = 1; !done; k++) {
        Counter counter = {.fail_at = k};
        const swConfig config = counting_config(&counter);
        swArena arena;
        swError error = {0};
        sw_arena_init(&arena, &config.allocator);
        done = sw_solid_of_image(&shape, &m, "shape", &config, &arena, &error) != NULL;
        assert_true(done || error.code == SW_ERROR_MEMORY);
        sw_arena_free(&arena);
        assert_int_equal(counter.held, 0);
        assert_true(k < 100);
    }
}

// ---- gaps ----

// Closing by its definition, the border of the image going on outside.
static void close_slowly(const int n[3], const swReal d[3], swReal reach, const uint16_t *in,
                         uint16_t fill, uint16_t *out) {
    int pad[3], size[3];
    for (int k = 0; k < 3; k++) {
        pad[k] = (int)(2 * reach / d[k]) + 2;
        size[k] = n[k] + 2 * pad[k];
    }
    const int total = size[0] * size[1] * size[2];
    char *set = calloc((size_t)total, 1), *wide = calloc((size_t)total, 1);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < total; i++) {
            const int p[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
            bool near = false;
            int inside[3], q[3], r[3];
            for (int k = 0; k < 3; k++) {
                inside[k] = sw_min_int(sw_max_int(p[k] - pad[k], 0), n[k] - 1);
                r[k] = (int)(reach / d[k]);
            }
            if (pass == 0)
                set[i] = in[inside[0] + n[0] * (inside[1] + n[1] * inside[2])] != 0;
            for (q[2] = -r[2]; pass == 1 && q[2] <= r[2]; q[2]++)
                for (q[1] = -r[1]; q[1] <= r[1]; q[1]++)
                    for (q[0] = -r[0]; q[0] <= r[0]; q[0]++) {
                        int at[3];
                        swReal d2 = 0;
                        for (int k = 0; k < 3; k++) {
                            at[k] = sw_min_int(sw_max_int(p[k] + q[k], 0), size[k] - 1);
                            d2 += q[k] * d[k] * q[k] * d[k];
                        }
                        near = near || (d2 <= reach * reach &&
                                        set[at[0] + size[0] * (at[1] + size[1] * at[2])]);
                    }
            if (pass == 1)
                wide[i] = near;
        }
    for (int i = 0; i < n[0] * n[1] * n[2]; i++) {
        const int p[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
        bool all = true;
        for (int j = 0; j < total; j++) {
            const int q[3] = {j % size[0], j / size[0] % size[1], j / size[0] / size[1]};
            swReal d2 = 0;
            for (int k = 0; k < 3; k++)
                d2 += (q[k] - pad[k] - p[k]) * d[k] * (q[k] - pad[k] - p[k]) * d[k];
            all = all && (d2 > reach * reach || wide[j]);
        }
        out[i] = in[i] ? in[i] : all ? fill : 0;
    }
    free(set);
    free(wide);
}

static void gaps_are_closed_by_definition(void **state) {
    Fixture *f = *state;
    Random r = {11};
    int changed = 0;
    for (int trial = 0; trial < 30; trial++) {
        const int n[3] = {2 + random_int(&r, 7), 1 + random_int(&r, 8), 1 + random_int(&r, 5)};
        const swReal d[3] = {random_in(&r, 0.5, 1.5), random_in(&r, 0.5, 1.5),
                             random_in(&r, 0.5, 1.5)},
                     reach = random_in(&r, 0.4, 2.5);
        const int total = n[0] * n[1] * n[2];
        uint16_t in[400], slow[400], fast[400];
        const swReal share = random_in(&r, 0.05, 0.4);
        for (int i = 0; i < total; i++)
            fast[i] = in[i] = random_unit(&r) < share ? 3 : 0;
        size_t count;
        assert_true(sw_closing_fill(n, d, reach, 9, fast, &f->arena, &count, &f->error));
        close_slowly(n, d, reach, in, 9, slow);
        for (int i = 0; i < total; i++) {
            assert_int_equal(fast[i], slow[i]);
            changed += fast[i] != in[i];
        }
    }
    assert_true(changed > 100);
}

// Two plates that the image cuts off: the gap between them is filled to the very ends, and nothing
// outside of them, near as the border may be.
static void gaps_are_filled_to_the_ends(void **state) {
    Fixture *f = *state;
    enum { W = 20, H = 12 };
    uint8_t data[W * H * 3];
    for (int i = 0; i < W * H * 3; i++) {
        const int x = i % W;
        data[i] = x == 2 || x == 3 ? 1 : x == 9 || x == 10 ? 2 : 0;
    }
    const swImage m = image_of(W, H, 3, sw_v3(0.5, 1, 2), SW_IMAGE_U8, data);
    swShape shape = volume();
    shape.fill = "b";
    shape.reach = 1.6; // 5 voxels of 0.5 m between the plates: the middle one is 1.5 m from both
    swGrid g = voxels_of(f, solid_of(f, &shape, &m), 0.7, NULL);
    const swReal section = H * 1 * 3 * 2;
    assert_near(volume_of_label(&g, 1), section, 1e-11);
    assert_near(volume_of_label(&g, SW_NO_LABEL), 2.5 * section, 1e-11);
    assert_near(g.volume, 4.5 * section, 1e-11);
    for (int v = 0; v < g.nvoxel; v++)
        assert_int_equal(g.voxel[v].material, g.voxel[v].label == SW_NO_LABEL);
    assert_non_null(strstr(f->info, "180 voxels of image become \"b\", 180 m^3"));
    shape.reach = 1.4;
    g = voxels_of(f, solid_of(f, &shape, &m), 0.7, NULL);
    assert_near(g.volume, 2 * section, 1e-11);
}

// ---- assets ----

static void the_knee_is_counted(void **state) {
    Fixture *f = *state;
    SKIP_WITHOUT_ASSET(path, "assets/volumes/spl_knee_seg.nrrd");
    swImage m;
    require(sw_image_read(path, &f->arena, &m, &f->error), &f->error);
    swShape shape = volume();
    shape.scale = 0.001;
    swImageValues values;
    require(sw_image_values(&m, &f->arena, &values, &f->error), &f->error);
    assert_int_equal(values.count, 50);
    const swGrid g = voxels_of(f, solid_of(f, &shape, &m), 0.004, NULL);
    const swReal each = 1e-9 * fabs(sw_dot(m.axis[0], sw_cross(m.axis[1], m.axis[2])));
    for (int i = 1; i < values.count; i++) {
        const swReal expected = (swReal)values.voxels[i] * each;
        assert_near(volume_of_label(&g, (int)values.value[i]), expected, 1e-10 * expected + 1e-16);
    }
}

static const struct CMUnitTest tests[] = {
    TEST(labels_are_read),
    TEST(aligned_images_are_exact),
    TEST(cells_may_be_voxels),
    TEST(rotated_images_keep_their_volume),
    TEST(threads_do_not_matter),
    TEST(pictures_have_a_size),
    TEST(labels_choose_materials),
    TEST(grey_values_have_thresholds),
    TEST(maps_give_stiffness_and_density),
    TEST(many_values_become_levels),
    TEST(wrong_images_are_refused),
    TEST(memory_may_run_out),
    TEST(gaps_are_closed_by_definition),
    TEST(gaps_are_filled_to_the_ends),
    TEST(the_knee_is_counted),
};

SW_SUITE(volume, tests)
