// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "test.h"

#include "formats/png.h"
#include "render/render.h"

#include <unistd.h>
#include <zlib.h>

static swArena arena;
static swError error;

static int setup(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    sw_arena_init(&arena, &config.allocator);
    sw_error_clear(&error);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    sw_arena_free(&arena);
    return 0;
}

// ---- PNG ----

static uint32_t get32(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int predict(int kind, int a, int b, int c) {
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    switch (kind) {
    case 1: return a;
    case 2: return b;
    case 3: return (a + b) / 2;
    case 4: return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    default: return 0;
    }
}

// A reader as the standard describes it; counts the filters seen.
static void check_png(const unsigned char *data, size_t size, int width, int height,
                      const unsigned char *rgb, int filters[5]) {
    static const unsigned char head[8] = {137, 80, 78, 71, 13, 10, 26, 10};
    assert_memory_equal(data, head, 8);
    size_t stride = 3 * (size_t)width + 1, room = stride * (size_t)height, at = 8;
    unsigned char *raw = test_malloc(room);
    bool header = false, end = false, body = false;
    while (at < size) {
        assert_false(end);
        assert_true(at + 12 <= size);
        uint32_t length = get32(data + at);
        assert_true(length <= size - at - 12);
        assert_int_equal(get32(data + at + 8 + length), crc32(0, data + at + 4, length + 4));
        if (memcmp(data + at + 4, "IHDR", 4) == 0) {
            assert_int_equal(length, 13);
            assert_int_equal(get32(data + at + 8), width);
            assert_int_equal(get32(data + at + 12), height);
            assert_memory_equal(data + at + 16, "\x08\x02\0\0\0", 5);
            header = true;
        } else if (memcmp(data + at + 4, "IDAT", 4) == 0) {
            uLongf got = (uLongf)room;
            assert_true(header && !body);
            assert_int_equal(uncompress(raw, &got, data + at + 8, length), Z_OK);
            assert_int_equal(got, room);
            body = true;
        } else if (memcmp(data + at + 4, "IEND", 4) == 0)
            end = true;
        at += length + 12;
    }
    assert_true(body && end);
    for (int y = 0; y < height; y++) {
        unsigned char *row = raw + (size_t)y * stride + 1, *above = row - stride;
        assert_true(row[-1] < 5);
        filters[row[-1]]++;
        for (int i = 0; i < 3 * width; i++) {
            int a = i >= 3 ? row[i - 3] : 0, b = y ? above[i] : 0,
                c = y && i >= 3 ? above[i - 3] : 0;
            row[i] = (unsigned char)(row[i] + predict(row[-1], a, b, c));
        }
        assert_memory_equal(row, rgb + (size_t)y * (stride - 1), stride - 1);
    }
    test_free(raw);
}

static void png_decodes_to_the_same_pixels(void **state) {
    (void)state;
    int filters[5] = {0};
    const int sizes[][2] = {{1, 1}, {37, 64}, {3, 1}, {1, 5}, {300, 90}};
    for (int s = 0; s < SW_COUNT(sizes); s++) {
        int w = sizes[s][0], h = sizes[s][1];
        swPicture image;
        assert_true(sw_picture_create(&image, w, h, (swColor){0}, &arena, &error));
        unsigned seed = 1;
        for (int y = 0; y < h; y++)
            for (int i = 0; i < 3 * w; i++) {
                seed = seed * 1664525u + 1013904223u;
                // Noise, then ramps along x, along y and along both.
                int kind = y * 4 / h, v = kind == 0 ? (int)(seed >> 24) : 0;
                v += kind == 1 ? i * i / 40 : kind == 2 ? y * 7 + i % 3 : kind == 3 ? i + 5 * y : 0;
                image.rgb[y * 3 * w + i] = (unsigned char)v;
            }
        unsigned char *data;
        size_t size;
        assert_true(sw_png_encode(w, h, image.rgb, &arena, &data, &size, &error));
        check_png(data, size, w, h, image.rgb, filters);
    }
    int used = 0;
    for (int i = 0; i < 5; i++)
        used += filters[i] > 0;
    assert_true(used >= 4);
}

static void png_goes_through_a_file(void **state) {
    (void)state;
    char path[] = P_tmpdir "/sinew_render_XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    unsigned char rgb[3 * 6] = {1, 2, 3, 250, 251, 252, 9}, *data;
    char *back;
    size_t size, got;
    swFile file;
    assert_true(sw_file_open(&file, path, &error));
    assert_true(sw_png_write(&file, 3, 2, rgb, &arena, &error));
    assert_true(sw_file_close(&file, &error));
    assert_true(sw_png_encode(3, 2, rgb, &arena, &data, &size, &error));
    assert_true(sw_file_read(path, &arena, &back, &got, &error));
    unlink(path);
    assert_int_equal(got, size);
    assert_memory_equal(back, data, size);
}

static void png_of_impossible_size_is_an_error(void **state) {
    (void)state;
    unsigned char rgb[3] = {0}, *data;
    size_t size;
    const int sizes[][2] = {{0, 1}, {1, 0}, {-1, 1}, {SW_PNG_SIDE + 1, 1}, {1, INT32_MAX}};
    for (int s = 0; s < SW_COUNT(sizes); s++) {
        sw_error_clear(&error);
        assert_false(sw_png_encode(sizes[s][0], sizes[s][1], rgb, &arena, &data, &size, &error));
        assert_int_equal(error.code, SW_ERROR_LIMIT);
    }
}

// ---- pictures of known things ----

static const swColor red = {1, 0, 0}, blue = {0, 0, 1}, white = {1, 1, 1};

// Looks along -z so that world x, y in [0, width] x [0, height] are pixels, y up; no ground, black
// behind, and one even light.
static swRender plain(int width, int height, int samples) {
    swRender r = sw_default_render();
    swVec3 middle = {0.5 * width, 0.5 * height, 0};
    r.width = width;
    r.height = height;
    r.samples = samples;
    r.camera = (swCamera){
        sw_add(middle, sw_v3(0, 0, 1000)), middle, {0, 1, 0}, 2 * atan(0.5 * height / 1000)};
    r.top = r.bottom = (swColor){0};
    r.ground = false;
    return r;
}

static void add_quad(swDrawing *d, swVec3 a, swVec3 b, swVec3 c, swVec3 e, swColor paint) {
    static const int triangle[6] = {0, 1, 2, 0, 2, 3};
    swVec3 *x = SW_NEW(&arena, 4, swVec3, &error);
    assert_non_null(x);
    x[0] = a, x[1] = b, x[2] = c, x[3] = e;
    swDrawMesh mesh = sw_default_draw_mesh();
    mesh.nvertex = 4;
    mesh.x = x;
    mesh.ntriangle = 2;
    mesh.triangle = triangle;
    mesh.paint = paint;
    assert_true(sw_draw_mesh(d, &mesh, &error));
}

// The rectangle lo..hi at height z, tilted so that its right side is at z + tilt.
static void add_rectangle(swDrawing *d, double x0, double y0, double x1, double y1, double z,
                          double tilt, swColor paint) {
    add_quad(d, sw_v3(x0, y0, z), sw_v3(x1, y0, z + tilt), sw_v3(x1, y1, z + tilt),
             sw_v3(x0, y1, z), paint);
}

static swPicture render(const swRender *r, const swDrawing *d) {
    swPicture image;
    if (!sw_render(r, d, NULL, &arena, &image, &error))
        fail_msg("%s", error.message);
    return image;
}

// Pixel column x, row y from below.
static const unsigned char *at(const swPicture *image, int x, int y) {
    return image->rgb + 3 * ((image->height - 1 - y) * image->width + x);
}

static bool lit(const unsigned char *p) { return p[0] + p[1] + p[2] > 0; }

static int sum_at(const swPicture *image, int x, int y) {
    const unsigned char *p = at(image, x, y);
    return p[0] + p[1] + p[2];
}

static void triangles_cover_their_pixels(void **state) {
    (void)state;
    swDrawing d;
    sw_drawing_init(&d, &arena);
    add_rectangle(&d, 10, 5, 30, 25, 0, 0, white); // its diagonal passes through pixel centres
    for (int samples = 1; samples <= 4; samples++) {
        swRender r = plain(48, 32, samples);
        swPicture image = render(&r, &d);
        for (int y = 0; y < 32; y++)
            for (int x = 0; x < 48; x++) {
                bool inside = x >= 10 && x < 30 && y >= 5 && y < 25;
                assert_int_equal(lit(at(&image, x, y)), inside);
                if (inside) // no crack along the diagonal
                    assert_true(abs(sum_at(&image, x, y) - sum_at(&image, 20, 8)) <= 6);
            }
    }
    // A half-covered pixel is half as bright in light, not in bytes.
    sw_drawing_init(&d, &arena);
    add_rectangle(&d, 2, 0, 4.5, 8, 0, 0, white);
    swRender r = plain(8, 8, 4);
    swPicture image = render(&r, &d);
    swColor full = {at(&image, 3, 3)[0] / 255.f, 0, 0}, half = {at(&image, 4, 3)[0] / 255.f, 0, 0};
    assert_near(sw_color_linear(half).x / sw_color_linear(full).x, 0.5, 0.02);
}

static void nearer_surfaces_hide_farther_ones(void **state) {
    (void)state;
    for (int order = 0; order < 2; order++) {
        swDrawing d;
        sw_drawing_init(&d, &arena);
        for (int i = 0; i < 2; i++)
            if (i == order)
                add_rectangle(&d, 0, 0, 20, 20, 1, 0, red);
            else
                add_rectangle(&d, 10, 0, 30, 20, 0, 0, blue);
        swRender r = plain(40, 20, 2);
        swPicture image = render(&r, &d);
        for (int x = 2; x < 28; x++) {
            assert_int_equal(at(&image, x, 10)[0] > at(&image, x, 10)[2], x < 20);
            assert_true(lit(at(&image, x, 10)));
        }
    }
    // Two that cross do so where their planes do.
    swDrawing d;
    sw_drawing_init(&d, &arena);
    add_rectangle(&d, 0, 0, 40, 20, -4, 8, red);
    add_rectangle(&d, 0, 0, 40, 20, 4, -8, blue);
    swRender r = plain(40, 20, 1);
    swPicture image = render(&r, &d);
    for (int x = 1; x < 39; x++)
        if (x != 19 && x != 20)
            assert_int_equal(at(&image, x, 10)[0] > at(&image, x, 10)[2], x >= 20);
}

static void surfaces_behind_the_camera_are_cut(void **state) {
    (void)state;
    swRender r = plain(40, 40, 1);
    r.camera = (swCamera){{0, 1, 0}, {0, 1, -1}, {0, 1, 0}, SW_PI / 2};
    swDrawing d;
    sw_drawing_init(&d, &arena);
    double big = 1e4; // a floor from far behind to far ahead
    add_quad(&d, sw_v3(-big, 0, big), sw_v3(big, 0, big), sw_v3(big, 0, -big), sw_v3(-big, 0, -big),
             white);
    swPicture image = render(&r, &d);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 40; x++)
            assert_int_equal(lit(at(&image, x, y)), y < 20);
    // Inside a closed surface every pixel sees it.
    sw_drawing_init(&d, &arena);
    assert_true(sw_draw_sphere(&d, sw_v3(0.2, 1.1, 0), 2, white, &error));
    image = render(&r, &d);
    for (int i = 0; i < 1600; i++)
        assert_true(lit(image.rgb + 3 * i));
}

static void sphere_casts_a_shadow(void **state) {
    (void)state;
    swRender r = sw_default_render();
    r.width = 160;
    r.height = 120;
    r.light = sw_v3(-1, 1, 0);
    r.camera = (swCamera){{0, 6, 8}, {0, 0, 0}, {0, 1, 0}, 0.8};
    r.grid = -1;
    swDrawing d;
    sw_drawing_init(&d, &arena);
    assert_true(sw_draw_sphere(&d, sw_v3(0, 0.02, 0), 0.01, red, &error)); // keeps the scene's size
    assert_true(sw_draw_sphere(&d, sw_v3(0, 1.5, 0), 1e-9, red, &error));
    swPicture bare = render(&r, &d);
    assert_true(sw_draw_sphere(&d, sw_v3(0, 1.5, 0), 0.5, red, &error));
    swPicture image = render(&r, &d);
    // The place at x on the ground's line z = 0, in pixels.
    double k = 60 / tan(0.4);
    int shadow = 80 + (int)(1.5 / 10 * 0.95 * k), row = 60;
    int before = sum_at(&bare, shadow, row), after = sum_at(&image, shadow, row);
    assert_true(after < 0.8 * before);
    int other = 80 - (int)(1.5 / 10 * k); // the side towards the light
    assert_true(abs(sum_at(&image, other, row) - sum_at(&bare, other, row)) < 25);
    // A small light makes a sharp shadow: fewer pixels between dark and light.
    int between[2];
    for (int i = 0; i < 2; i++) {
        r.light_radius = i ? 0.25 : 0.005;
        image = render(&r, &d);
        between[i] = 0;
        for (int x = 85; x < 155; x++) {
            double share = (double)sum_at(&image, x, row) / sum_at(&bare, x, row);
            between[i] += share > 0.75 && share < 0.96;
        }
    }
    assert_true(between[1] > between[0] + 3);
}

static void box_edges_stay_sharp(void **state) {
    (void)state;
    static const int triangle[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                     2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    swVec3 x[8];
    for (int i = 0; i < 8; i++)
        x[i] = sw_v3(i & 1, i >> 1 & 1, i >> 2);
    swRender r = sw_default_render();
    r.width = r.height = 60;
    r.camera = sw_camera_frame(x[0], x[7], sw_v3(0, 0, 0), r.camera.fov, 1);
    swPicture image[3];
    const double crease[3] = {0, 40 * SW_PI / 180, SW_PI};
    for (int i = 0; i < 3; i++) {
        swDrawing d;
        sw_drawing_init(&d, &arena);
        swDrawMesh mesh = sw_default_draw_mesh();
        mesh.nvertex = 8;
        mesh.x = x;
        mesh.ntriangle = 12;
        mesh.triangle = triangle;
        mesh.crease = crease[i];
        assert_true(sw_draw_mesh(&d, &mesh, &error));
        image[i] = render(&r, &d);
    }
    int sharp = 0, round_ = 0;
    for (int i = 0; i < 3 * 3600; i++) {
        sharp = sw_max_int(sharp, abs(image[0].rgb[i] - image[1].rgb[i]));
        round_ = sw_max_int(round_, abs(image[0].rgb[i] - image[2].rgb[i]));
    }
    assert_true(sharp <= 2);
    assert_true(round_ > 20);
}

static void strokes_have_width_and_depth(void **state) {
    (void)state;
    swRender r = plain(60, 40, 3);
    swDrawing d;
    sw_drawing_init(&d, &arena);
    swStroke stroke = {sw_v3(10, 20, 0), sw_v3(50, 20, 0), 6, red, 0};
    assert_true(sw_draw_stroke(&d, &stroke, &error));
    swPicture image = render(&r, &d);
    int covered = 0;
    for (int i = 0; i < 60 * 40; i++)
        covered += image.rgb[3 * i] > 90;
    assert_near(covered, 40 * 6 + SW_PI * 9, 12); // with round ends
    // Behind a white wall over its right half: nothing, then faint.
    int wall[2];
    for (int i = 0; i < 2; i++) {
        sw_drawing_init(&d, &arena);
        stroke.ghost = 0.5 * i;
        assert_true(sw_draw_stroke(&d, &stroke, &error));
        add_rectangle(&d, 30, 0, 60, 40, 20, 0, white);
        image = render(&r, &d);
        assert_true(at(&image, 20, 20)[0] > 150 && at(&image, 20, 20)[1] < 50);
        wall[i] = at(&image, 40, 20)[0] - at(&image, 40, 20)[1];
    }
    assert_true(abs(wall[0]) < 12);
    assert_true(wall[1] > 40);
    // Axes: each in its colour, at its place.
    sw_drawing_init(&d, &arena);
    assert_true(sw_draw_axes(&d, sw_v3(20, 10, 0), sw_mat_identity(), 20, 3, &error));
    image = render(&r, &d);
    const unsigned char *px = at(&image, 35, 10), *py = at(&image, 20, 25);
    assert_true(px[0] > px[1] && px[0] > px[2] && px[0] > 120);
    assert_true(py[1] > py[0] && py[1] > py[2] && py[1] > 80);
}

static void translucent_bodies_show_what_is_behind(void **state) {
    (void)state;
    swRender r = plain(20, 20, 4);
    swDrawing d;
    sw_drawing_init(&d, &arena);
    add_rectangle(&d, 0, 0, 20, 20, 0, 0, red);
    add_rectangle(&d, 0, 0, 20, 20, 5, 0, blue);
    int last = 256;
    for (int i = 0; i <= 4; i++) {
        d.meshes.item[1].opacity = 0.25 * i;
        swPicture image = render(&r, &d);
        assert_true(at(&image, 10, 10)[0] < last);
        last = at(&image, 10, 10)[0];
    }
    assert_true(last < 40);
}

static swDrawing busy_drawing(void) {
    swDrawing d;
    sw_drawing_init(&d, &arena);
    assert_true(sw_draw_sphere(&d, sw_v3(-0.6, 0.5, 0), 0.5, red, &error));
    assert_true(
        sw_draw_box(&d, sw_v3(0.6, 0.4, 0), sw_mat_identity(), sw_v3(0.8, 0.8, 0.8), blue, &error));
    assert_true(sw_draw_capsule(&d, sw_v3(-1, 0.2, 0.8), sw_v3(1, 0.2, 0.8), 0.2, white, &error));
    d.meshes.item[1].opacity = 0.6;
    assert_true(sw_draw_axes(&d, sw_v3(0, 0.3, 0), sw_mat_identity(), 1, 3, &error));
    assert_true(sw_draw_dot(&d, sw_v3(0, 1, 0), 9, blue, &error));
    return d;
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    swDrawing d = busy_drawing();
    swVec3 lo, hi;
    sw_drawing_bounds(&d, &lo, &hi);
    swRender r = sw_default_render();
    r.width = 200;
    r.height = 131;
    r.camera = sw_camera_frame(lo, hi, sw_v3(0, 0, 0), r.camera.fov, 200 / 131.);
    swPicture one = render(&r, &d), three;
    swConfig config = sw_default_config();
    swPool *pool = sw_pool_create(&config.allocator, 3);
    assert_true(sw_render(&r, &d, pool, &arena, &three, &error));
    sw_pool_destroy(pool);
    assert_memory_equal(one.rgb, three.rgb, 3 * 200 * 131);
}

static void camera_frames_the_bounds(void **state) {
    (void)state;
    const swVec3 direction[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, -0.3, 2}};
    swVec3 lo = {-3, 1, 2}, hi = {5, 2, 2.5};
    for (int i = 0; i < SW_COUNT(direction); i++) {
        double aspect = 1.5, fov = 0.6, most = 0;
        swCamera c = sw_camera_frame(lo, hi, direction[i], fov, aspect);
        swVec3 forward = sw_unit(sw_sub(c.target, c.eye));
        swVec3 right = sw_unit(sw_cross(forward, c.up)), up = sw_cross(right, forward);
        for (int k = 0; k < 8; k++) {
            swVec3 p = sw_v3(k & 1 ? hi.x : lo.x, k & 2 ? hi.y : lo.y, k & 4 ? hi.z : lo.z);
            p = sw_sub(p, c.eye);
            double z = sw_dot(p, forward), t = tan(fov / 2);
            assert_true(z > 0);
            most = sw_max(most, fabs(sw_dot(p, right)) / (z * t * aspect));
            most = sw_max(most, fabs(sw_dot(p, up)) / (z * t));
        }
        assert_true(most < 1 && most > 0.7);
    }
    swCamera c = sw_camera_frame(sw_v3(1, 1, 1), sw_v3(-1, -1, -1), sw_v3(NAN, 0, 0), NAN, 0);
    assert_true(sw_finite3(c.eye) && sw_finite3(c.target) && c.fov > 0);
}

// ---- bad input ----

static void bad_geometry_is_left_out(void **state) {
    (void)state;
    const int triangle[] = {0, 1, 2, 0, 1, 9, -1, 0, 1, 3,         0, 1,
                            4, 4, 4, 0, 5, 1, 6,  0, 1, INT32_MAX, 0, 1};
    const swVec3 x[] = {{0, 0, 0},   {1, 0, 0},   {0, 1, 0},     {NAN, 0, 0},
                        {0.5, 0, 1}, {0.5, 0, 0}, {1e300, 1, 1}, {INFINITY, 0, 0}};
    swDrawMesh mesh = sw_default_draw_mesh(), empty = mesh, odd = mesh;
    mesh.nvertex = SW_COUNT(x);
    mesh.x = x;
    mesh.ntriangle = SW_COUNT(triangle) / 3;
    mesh.triangle = triangle;
    odd.nvertex = -5;
    odd.ntriangle = 7;
    swDrawing d;
    sw_drawing_init(&d, &arena);
    swRender r = sw_default_render();
    for (int i = 0; i < 2; i++) {
        for (int side = 1; side <= 33; side += 16) {
            r.width = r.height = side;
            for (r.samples = 1; r.samples <= 8; r.samples += 7)
                render(&r, &d);
        }
        if (i)
            break;
        assert_true(sw_draw_mesh(&d, &mesh, &error));
        assert_true(sw_draw_mesh(&d, &empty, &error));
        assert_true(sw_draw_mesh(&d, &odd, &error));
        mesh.opacity = NAN;
        mesh.crease = NAN;
        mesh.paint = (swColor){NAN, 1e30f, -4};
        assert_true(sw_draw_mesh(&d, &mesh, &error));
        assert_true(sw_draw_sphere(&d, sw_v3(NAN, 0, 0), 1, red, &error));
        assert_true(sw_draw_sphere(&d, sw_v3(0, 0, 0), -INFINITY, red, &error));
        assert_true(sw_draw_dot(&d, sw_v3(0, NAN, 0), 3, red, &error));
        assert_true(sw_draw_dot(&d, sw_v3(0, 0, 0), 1e300, red, &error));
        swStroke far = {sw_v3(-1e308, 0, 0), sw_v3(1e308, 1, -1e308), 3, red, NAN};
        assert_true(sw_draw_stroke(&d, &far, &error));
    }
    swVec3 lo, hi;
    sw_drawing_bounds(&d, &lo, &hi);
    assert_true(sw_finite3(lo) && sw_finite3(hi));
}

static void bad_settings_are_errors(void **state) {
    (void)state;
    swDrawing d;
    sw_drawing_init(&d, &arena);
    for (int i = 0; i < 12; i++) {
        swRender r = sw_default_render();
        r.width = r.height = 4;
        switch (i) {
        case 0: r.width = 0; break;
        case 1: r.height = SW_IMAGE_SIDE + 1; break;
        case 2: r.samples = 0; break;
        case 3: r.samples = 9; break;
        case 4: r.camera.eye = r.camera.target; break;
        case 5: r.camera.eye.x = NAN; break;
        case 6: r.camera.fov = 4; break;
        case 7: r.light = sw_v3(0, 0, 0); break;
        case 8: r.key = NAN; break;
        case 9: r.ground_height = INFINITY; break;
        case 10: r.grid = NAN; break;
        default: break; // the last one is good
        }
        swPicture image;
        sw_error_clear(&error);
        assert_int_equal(sw_render(&r, &d, NULL, &arena, &image, &error), i == 11);
        assert_int_equal(error.code != SW_OK && error.message[0], i != 11);
        assert_int_equal(image.rgb != NULL, i == 11);
    }
}

typedef struct Faulty {
    int calls, fail_at;
    size_t held;
} Faulty;

static void *faulty_resize(void *context, void *old, size_t old_size, size_t new_size) {
    Faulty *f = context;
    if (new_size == 0) {
        f->held -= old_size;
        free(old);
        return NULL;
    }
    if (f->calls++ == f->fail_at)
        return NULL;
    void *p = realloc(old, new_size);
    f->held += p ? new_size - old_size : 0;
    return p;
}

static void lack_of_memory_is_an_error(void **state) {
    (void)state;
    swDrawing d = busy_drawing();
    bool done = false;
    for (int k = 0; k < 100 && !done; k++) {
        Faulty f = {.fail_at = k};
        swAllocator allocator = {faulty_resize, &f};
        swArena own;
        sw_arena_init(&own, &allocator);
        swRender r = sw_default_render();
        r.width = r.height = 8;
        r.samples = 1;
        swPicture image;
        unsigned char *data;
        size_t size;
        sw_error_clear(&error);
        done = sw_render(&r, &d, NULL, &own, &image, &error) &&
               sw_png_encode(8, 8, image.rgb, &own, &data, &size, &error);
        assert_int_equal(error.code, done ? SW_OK : SW_ERROR_MEMORY);
        sw_arena_free(&own);
        assert_int_equal(f.held, 0);
    }
    assert_true(done);
}

// ---- colours, text, sheets ----

static double lightness(swColor c) { // CIE L*
    swVec3 v = sw_color_linear(c);
    double y = 0.2126 * v.x + 0.7152 * v.y + 0.0722 * v.z;
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

static void color_maps_are_even_in_lightness(void **state) {
    (void)state;
    double step[2] = {1e9, 0};
    for (int i = 0; i < 100; i++) {
        double a = lightness(sw_map_color(SW_MAP_SEQUENTIAL, 0.01 * i));
        double b = lightness(sw_map_color(SW_MAP_SEQUENTIAL, 0.01 * (i + 1)));
        step[0] = sw_min(step[0], b - a);
        step[1] = sw_max(step[1], b - a);
        double c = lightness(sw_map_color(SW_MAP_DIVERGING, 0.01 * i));
        double e = lightness(sw_map_color(SW_MAP_DIVERGING, 0.01 * (i + 1)));
        assert_int_equal(e > c, i < 50);
    }
    assert_true(step[0] > 0.3 && step[1] < 1.1);
    // Both ends alike, and the ends held beyond.
    assert_near(lightness(sw_map_color(SW_MAP_DIVERGING, 0)),
                lightness(sw_map_color(SW_MAP_DIVERGING, 1)), 6);
    swColor a = sw_map_color(SW_MAP_SEQUENTIAL, 1), b = sw_map_color(SW_MAP_SEQUENTIAL, 7);
    assert_memory_equal(&a, &b, sizeof a);
    a = sw_map_color(SW_MAP_SEQUENTIAL, NAN);
    assert_true(a.r == a.g && a.g == a.b);
    swReal value[3] = {2, 3, 4};
    swColor color[3];
    sw_map_values(SW_MAP_DIVERGING, 3, value, 2, 4, color);
    b = sw_map_color(SW_MAP_DIVERGING, 0.5);
    assert_memory_equal(&color[1], &b, sizeof b);
    for (int i = 0; i <= 255; i++) { // sRGB there and back
        unsigned char byte[3];
        swColor c = {(float)i / 255, (float)i / 255, 0};
        sw_color_bytes(sw_linear_color(sw_color_linear(c)), byte);
        assert_int_equal(byte[0], i);
    }
}

static void text_leaves_its_ink(void **state) {
    (void)state;
    swPicture image;
    assert_true(sw_picture_create(&image, 300, 40, white, &arena, &error));
    double narrow = sw_picture_text(NULL, 0, 0, 14, red, "iii"), wide;
    wide = sw_picture_text(NULL, 0, 0, 14, red, "MMM");
    assert_true(narrow > 0 && wide > 2 * narrow);
    assert_near(sw_picture_text(NULL, 0, 0, 28, red, "MMM"), 2 * wide, 1e-9);
    for (int c = 33; c < 127; c++) { // every character is drawn, within its width
        char text[2] = {(char)c, 0};
        memset(image.rgb, 255, 3 * 300 * 40);
        double width = sw_picture_text(&image, 20, 25, 14, (swColor){0}, text);
        int ink = 0;
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < 300; x++)
                if (image.rgb[3 * (y * 300 + x)] < 200) {
                    ink++;
                    assert_true(x >= 18 && x <= 20 + width + 2 && y >= 8 && y <= 31);
                }
        assert_true(ink >= 2);
    }
    // A ring has ink in all its quarters, and none in the middle.
    memset(image.rgb, 255, 3 * 300 * 40);
    double ring = sw_picture_text(&image, 20, 35, 30, (swColor){0}, "O");
    int quarter[4] = {0};
    for (int y = 5; y < 35; y++)
        for (int x = 20; x < 20 + (int)ring; x++)
            quarter[2 * (y >= 20) + (x >= 20 + ring / 2)] += image.rgb[3 * (y * 300 + x)] < 128;
    for (int i = 0; i < 4; i++)
        assert_near(quarter[i], quarter[0], 0.25 * quarter[0]);
    assert_true(image.rgb[3 * (20 * 300 + 20 + (int)(ring / 2))] == 255);
    // Beyond the border, and absurd sizes: nothing happens.
    sw_picture_text(&image, -50, 1000, 14, red, "out");
    sw_picture_text(&image, 290, 5, 60, red, "cut \xc3\xa9 \n \xff");
    assert_true(sw_picture_text(&image, NAN, 0, 14, red, "x") == 0);
    assert_true(sw_picture_text(&image, 0, 0, -1, red, "x") == 0);
    assert_true(sw_picture_text(&image, 0, 0, 14, red, "") == 0);
}

static void legend_and_grid(void **state) {
    (void)state;
    swPicture image[3], sheet;
    for (int i = 0; i < 3; i++)
        assert_true(sw_picture_create(&image[i], 120, 100, i == 1 ? red : blue, &arena, &error));
    sw_picture_legend(&image[0], SW_MAP_SEQUENTIAL, -1, 2.5e-7, "a title longer than the image");
    unsigned char top[3], bottom[3];
    sw_color_bytes(sw_map_color(SW_MAP_SEQUENTIAL, 1), top);
    sw_color_bytes(sw_map_color(SW_MAP_SEQUENTIAL, 0), bottom);
    int found[2] = {0, 0};
    for (int i = 0; i < 120 * 100; i++) {
        found[0] += memcmp(image[0].rgb + 3 * i, top, 3) == 0;
        found[1] += memcmp(image[0].rgb + 3 * i, bottom, 3) == 0;
    }
    assert_true(found[0] > 3 && found[1] > 3);

    const char *const caption[3] = {"t = 0.50 s", NULL, "c"};
    assert_true(sw_picture_grid(&sheet, 3, image, caption, 2, 4, &arena, &error));
    assert_int_equal(sheet.width, 244);
    assert_int_equal(sheet.height, 204);
    assert_memory_equal(sheet.rgb + 3 * 124, image[1].rgb, 3 * 120);
    assert_memory_equal(sheet.rgb + 3 * 120, "\xff\xff\xff", 3); // the gap
    int changed = 0;
    for (int y = 0; y < 100; y++)
        changed += memcmp(sheet.rgb + 3 * 244 * y, image[0].rgb + 3 * 120 * y, 3 * 120) != 0;
    assert_true(changed > 4 && changed < 30); // the caption's rows
    assert_false(sw_picture_grid(&sheet, 3, image, NULL, 2, SW_IMAGE_SIDE, &arena, &error));
    assert_false(sw_picture_grid(&sheet, 0, image, NULL, 2, 4, &arena, &error));
    // Tiny images take a legend without harm.
    assert_true(sw_picture_create(&image[0], 1, 1, red, &arena, &error));
    sw_picture_legend(&image[0], SW_MAP_DIVERGING, NAN, INFINITY, NULL);
    assert_true(sw_picture_grid(&sheet, 1, image, caption, 5, 0, &arena, &error));
    assert_int_equal(sheet.width, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    TEST(png_decodes_to_the_same_pixels),
    TEST(png_goes_through_a_file),
    TEST(png_of_impossible_size_is_an_error),
    TEST(triangles_cover_their_pixels),
    TEST(nearer_surfaces_hide_farther_ones),
    TEST(surfaces_behind_the_camera_are_cut),
    TEST(sphere_casts_a_shadow),
    TEST(box_edges_stay_sharp),
    TEST(strokes_have_width_and_depth),
    TEST(translucent_bodies_show_what_is_behind),
    TEST(threads_do_not_change_a_bit),
    TEST(camera_frames_the_bounds),
    TEST(bad_geometry_is_left_out),
    TEST(bad_settings_are_errors),
    TEST(lack_of_memory_is_an_error),
    TEST(color_maps_are_even_in_lightness),
    TEST(text_leaves_its_ink),
    TEST(legend_and_grid),
};
SW_SUITE(render, tests)
