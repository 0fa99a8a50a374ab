// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Pictures made byte by byte; images written and read again; failing memory; the shared volumes.
#include "test_image.h"

// ---- PNG ----

static void add_chunk(Bytes *b, const char *name, const void *data, size_t size) {
    b->big = true;
    add_bits(b, size, 4);
    size_t start = b->size;
    add_text(b, name);
    if (size)
        memcpy(b->data + b->size, data, size);
    b->size += size;
    add_bits(b, crc32(0, b->data + start, (uInt)(size + 4)), 4);
}

typedef struct Png {
    int width, height, bits, color, interlace;
    const void *palette; // of `npalette` bytes
    int npalette;
} Png;

// `rows` are the filtered ones.
static Bytes png(Png h, const void *rows, size_t size) {
    Bytes b = {.big = true}, header = {.big = true}, packed = {0};
    add_text(&b, "\x89PNG\r\n\x1a\n");
    add_bits(&header, (uint64_t)h.width, 4);
    add_bits(&header, (uint64_t)h.height, 4);
    add_bits(&header, (uint64_t)h.bits, 1);
    add_bits(&header, (uint64_t)h.color, 1);
    add_bits(&header, (uint64_t)h.interlace, 3); // the last of three methods
    add_chunk(&b, "IHDR", header.data, 13);
    add_chunk(&b, "tEXt", "a\0b", 3);
    if (h.palette)
        add_chunk(&b, "PLTE", h.palette, (size_t)h.npalette);
    add_zipped(&packed, rows, size, 15);
    add_chunk(&b, "IDAT", packed.data, 5);
    add_chunk(&b, "IDAT", packed.data + 5, packed.size - 5);
    add_chunk(&b, "IEND", NULL, 0);
    return b;
}

static void read_png(Fixture *f, Png h, const void *rows, size_t size) {
    Bytes b = png(h, rows, size);
    parse_bytes(f, "x.png", &b);
    assert_true(f->image.flat);
    assert_sizes(&f->image, h.width, h.height, 1);
    assert_vec(f->image.origin, 0.5, 0.5, 0.5, 0);
    for (int k = 0; k < 3; k++)
        assert_vec(f->image.axis[k], k == 0, k == 1, k == 2, 0);
    assert_near(f->image.unit, 0, 0);
}

static void test_png_kinds(void **state) {
    Fixture *f = *state;
    // Every filter; the last row of the file comes first.
    static const unsigned char filters[] = {0, 1, 2, 250, 1, 1, 1, 1, 2, 1,
                                            1, 1, 3, 1,   1, 1, 4, 1, 1, 1};
    read_png(f, (Png){3, 5, 8, 0, 0, NULL, 0}, filters, sizeof filters);
    assert_int_equal(f->image.type, SW_IMAGE_U8);
    assert_values(&f->image, VALUES(3, 4, 5, 2, 3, 4, 2, 3, 4, 1, 2, 3, 1, 2, 250));
    read_png(f, (Png){9, 2, 1, 0, 0, NULL, 0}, "\0\xa5\x80\0\x0f\0", 6);
    assert_values(&f->image, VALUES(0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 1));
    read_png(f, (Png){3, 1, 2, 0, 0, NULL, 0}, "\0\x1b", 2);
    assert_values(&f->image, VALUES(0, 1, 2));
    read_png(f, (Png){3, 1, 4, 0, 0, NULL, 0}, "\0\x1b\xf0", 3);
    assert_values(&f->image, VALUES(1, 11, 15));
    read_png(f, (Png){2, 1, 16, 0, 0, NULL, 0}, "\0\1\2\xff\xfe", 5);
    assert_int_equal(f->image.type, SW_IMAGE_U16);
    assert_values(&f->image, VALUES(258, 65534));
    read_png(f, (Png){2, 1, 8, 2, 0, NULL, 0}, "\0\1\2\4\0\0\1", 7);
    assert_values(&f->image, VALUES(2, 0)); // 7/3, 1/3
    read_png(f, (Png){2, 1, 8, 6, 0, NULL, 0}, "\0\1\2\5\x63\0\0\2\x63", 9);
    assert_values(&f->image, VALUES(3, 1)); // 8/3, 2/3
    read_png(f, (Png){2, 1, 8, 4, 0, NULL, 0}, "\0\1\2\5\x63", 5);
    assert_values(&f->image, VALUES(1, 5));
    read_png(f, (Png){1, 1, 16, 2, 0, NULL, 0}, "\0\1\0\2\0\3\0", 7);
    assert_values(&f->image, VALUES(512));
    // A palette of greys gives the greys, one of colours the index.
    read_png(f, (Png){2, 1, 4, 3, 0, "\7\7\7\x64\x64\x64", 6}, "\0\x10", 2);
    assert_values(&f->image, VALUES(100, 7));
    read_png(f, (Png){2, 1, 4, 3, 0, "\7\7\7\x64\x64\x65", 6}, "\0\x10", 2);
    assert_values(&f->image, VALUES(1, 0));
}

// Interlaced, of every size up to 9 x 9: pass after pass takes its pixels out of squares of 8 x 8.
static void test_png_interlaced(void **state) {
    Fixture *f = *state;
    static const char pattern[8][9] = {"16462646", "77777777", "56565656", "77777777",
                                       "36463646", "77777777", "56565656", "77777777"};
    for (int width = 1; width <= 9; width++)
        for (int height = 1; height <= 9; height++) {
            Bytes rows = {0};
            for (int pass = '1'; pass <= '7'; pass++)
                for (int y = 0; y < height; y++) {
                    bool begun = false;
                    for (int x = 0; x < width; x++)
                        if (pattern[y % 8][x % 8] == pass) {
                            if (!begun)
                                add_bits(&rows, 0, 1); // no filter
                            begun = true;
                            add_bits(&rows, (uint64_t)(10 * y + x), 1);
                        }
                }
            read_png(f, (Png){width, height, 8, 0, 1, NULL, 0}, rows.data, rows.size);
            for (int i = 0; i < width * height; i++)
                assert_near(sw_image_value(&f->image, (size_t)i),
                            10 * (height - 1 - i / width) + i % width, 0);
        }
}

static void test_png_malformed(void **state) {
    Fixture *f = *state;
    Bytes good = png((Png){2, 2, 8, 0, 0, NULL, 0}, "\0\1\2\0\3\4", 6), b = good;
    parse_bytes(f, "x.png", &good);
    for (b = good; b.size-- > 0;)
        refuse_bytes(f, "x.png", &b, "");
    b = good;
    b.data[40] ^= 1;
    refuse_bytes(f, "x.png", &b, "checksum of the chunk at byte 33");
    b = png((Png){2, 2, 8, 0, 0, NULL, 0}, "\0\1\2\0\3", 5);
    refuse_bytes(f, "x.png", &b, "expected 6 bytes of pixels, found 5");
    b = png((Png){2, 2, 8, 0, 0, NULL, 0}, "\0\1\2\0\3\4\5", 7);
    refuse_bytes(f, "x.png", &b, "expected 6 bytes of pixels, found 7");
    b = png((Png){1000000, 1000000, 8, 0, 0, NULL, 0}, "\0\1\2\0\3\4\5", 7);
    refuse_bytes(f, "x.png", &b, "expected 1000001000000 bytes of pixels, found 7");
    b = png((Png){0, 2, 8, 0, 0, NULL, 0}, "\0\1\2\0\3\4", 6);
    refuse_bytes(f, "x.png", &b, "0 x 2 pixels");
    b = png((Png){2, 2, 3, 0, 0, NULL, 0}, "\0\1\2\0\3\4", 6);
    refuse_bytes(f, "x.png", &b, "colour type 0 with 3 bits");
    b = png((Png){2, 2, 8, 5, 0, NULL, 0}, "\0\1\2\0\3\4", 6);
    refuse_bytes(f, "x.png", &b, "colour type 5");
    b = png((Png){2, 2, 8, 0, 2, NULL, 0}, "\0\1\2\0\3\4", 6);
    refuse_bytes(f, "x.png", &b, "methods 0 0 2");
    b = png((Png){2, 2, 8, 0, 0, NULL, 0}, "\5\1\2\0\3\4", 6);
    refuse_bytes(f, "x.png", &b, "filter 5");
    b = png((Png){2, 1, 8, 3, 0, NULL, 0}, "\0\1\2", 3);
    refuse_bytes(f, "x.png", &b, "the palette (PLTE) is missing");
    b = png((Png){2, 1, 8, 3, 0, "\1\2\3\4\5\6", 6}, "\0\1\2", 3);
    refuse_bytes(f, "x.png", &b, "colour 2, but the palette has 2");
    b = png((Png){2, 1, 8, 3, 0, "\1\2\3\4", 4}, "\0\1\2", 3);
    refuse_bytes(f, "x.png", &b, "PLTE has 4 bytes");
}

// ---- PGM, PPM, BMP ----

static void test_pnm(void **state) {
    Fixture *f = *state;
    parse_text(f, "x.pgm", "P2 # grey\n2 # wide\n2\n300\n1 2\n300 4\n");
    assert_int_equal(f->image.type, SW_IMAGE_U16);
    assert_true(f->image.flat);
    assert_vec(f->image.origin, 0.5, 0.5, 0.5, 0);
    assert_values(&f->image, VALUES(300, 4, 1, 2));
    parse_text(f, "x.ppm", "P3\n2 1\n9\n1 2 5 0 0 1");
    assert_int_equal(f->image.type, SW_IMAGE_U8);
    assert_values(&f->image, VALUES(3, 0));
    parse_text(f, "x.pgm", "P5\n#x\n2 2 255\n\n#\2\1");
    assert_values(&f->image, VALUES(2, 1, 10, 35));
    parse_text(f, "x.pnm", "P6 1 2 255 \1\2\5\6\6\7");
    assert_values(&f->image, VALUES(6, 3));
}

static void test_pnm_wide(void **state) {
    Fixture *f = *state;
    Bytes b = {0};
    add_text(&b, "P5 2 1 1000\n");
    b.big = true;
    add_bits(&b, 1000, 2);
    add_bits(&b, 3, 2);
    parse_bytes(f, "x.pgm", &b);
    assert_values(&f->image, VALUES(1000, 3));
    b.size--;
    refuse_bytes(f, "x.pgm", &b, "expected 4 bytes of voxels (2 x 1 x 1 of uint16), found 3");
    static const char *const bad[][2] = {
        {"P4 1 1 x", "expected it to begin with P2"},
        {"P5 1 x", "expected a whole number, found 'x'"},
        {"P5 1 0 255 x", "1 x 0 pixels"},
        {"P5 1 -3 255 x", "1 x 0 pixels"},
        {"P5 9999999 1 255 x", "9999999 x 1 pixels"},
        {"P5 1 1 65536 xx", "the largest value is 65536"},
        {"P5 1 1 0 xx", "the largest value is 0"},
        {"P5 1 1 9 x", "pixel (0, 0) is 120, but the header gives 9"},
        {"P6 1 1 255 xx", "expected 3 bytes of voxels"},
        {"P6 1 1 255 xxxx", "expected 3 bytes of voxels"},
        {"P2 1 1 255 256", "voxel (0, 0, 0) is 256"},
        {"P2 2 1 255 1", "2 numbers cannot fit"},
    };
    for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); i++)
        refuse_text(f, "x.ppm", bad[i][0], bad[i][1]);
}

// A header of 40 bytes, then a palette of 4-byte colours; rows still to come.
static Bytes bmp(int width, int height, int bits, int packing, int ncolor, const void *color) {
    Bytes b = {0};
    add_text(&b, "BM");
    add_bits(&b, 0, 8);
    add_bits(&b, (uint64_t)(54 + 4 * ncolor), 4);
    add_bits(&b, 40, 4);
    add_bits(&b, (uint64_t)width, 4);
    add_bits(&b, (uint64_t)height, 4);
    add_bits(&b, 1, 2);
    add_bits(&b, (uint64_t)bits, 2);
    add_bits(&b, (uint64_t)packing, 4);
    add_bits(&b, 0, 8);
    add_bits(&b, 0, 4);
    add_bits(&b, bits <= 8 ? (uint64_t)ncolor : 0, 4);
    add_bits(&b, 0, 4);
    if (ncolor)
        memcpy(b.data + b.size, color, 4 * (size_t)ncolor);
    b.size += 4 * (size_t)ncolor;
    return b;
}

static void add_rows(Bytes *b, const void *rows, size_t size) {
    memcpy(b->data + b->size, rows, size);
    b->size += size;
}

static void test_bmp(void **state) {
    Fixture *f = *state;
    Bytes b = bmp(2, 2, 24, 0, 0, NULL); // from the bottom, rows of a multiple of 4 bytes
    add_rows(&b, "\1\2\5\6\6\7\0\0\x9\x9\x9\xff\xff\xff\0\0", 16);
    parse_bytes(f, "x.bmp", &b);
    assert_true(f->image.flat);
    assert_values(&f->image, VALUES(3, 6, 9, 255));
    b = bmp(2, -2, 32, 0, 0, NULL); // from the top
    add_rows(&b, "\1\2\5\x63\6\6\7\x63\x9\x9\x9\x63\xff\xff\xff\x63", 16);
    parse_bytes(f, "x.bmp", &b);
    assert_values(&f->image, VALUES(9, 255, 3, 6));
    b = bmp(1, 1, 32, 3, 3, "\0\0\xff\0\0\xff\0\0\xff\0\0\0");
    add_rows(&b, "\1\2\3\4", 4);
    parse_bytes(f, "x.bmp", &b);
    assert_values(&f->image, VALUES(2));
    b = bmp(3, 1, 8, 0, 3, "\5\5\5\0\x50\x50\x50\0\xff\xff\xff\0");
    add_rows(&b, "\2\1\0\0", 4);
    parse_bytes(f, "x.bmp", &b);
    assert_values(&f->image, VALUES(255, 80, 5));
    b.data[54] = 6; // now a palette of colours
    parse_bytes(f, "x.bmp", &b);
    assert_values(&f->image, VALUES(2, 1, 0));
    b.data[b.size - 4] = 3;
    refuse_bytes(f, "x.bmp", &b, "colour 3, but the palette has 3");
    b = bmp(3, 1, 4, 0, 3, "\5\5\5\0\x50\x50\x50\0\xff\xff\xff\0");
    add_rows(&b, "\x21\0\0\0", 4);
    parse_bytes(f, "x.bmp", &b);
    assert_values(&f->image, VALUES(255, 80, 5));
    b = bmp(9, 1, 1, 0, 2, "\0\0\0\0\1\1\1\0");
    add_rows(&b, "\x81\x80\0\0", 4);
    parse_bytes(f, "x.bmp", &b);
    assert_values(&f->image, VALUES(1, 0, 0, 0, 0, 0, 0, 1, 1));
    // The oldest header.
    b = (Bytes){0};
    add_text(&b, "BM");
    add_bits(&b, 0, 8);
    add_bits(&b, 26, 4);
    add_bits(&b, 12, 4);
    add_bits(&b, 1, 2);
    add_bits(&b, 1, 2);
    add_bits(&b, 1, 2);
    add_bits(&b, 24, 2);
    add_rows(&b, "\1\2\3\0", 4);
    parse_bytes(f, "x.bmp", &b);
    assert_values(&f->image, VALUES(2));
    b.size--;
    refuse_bytes(f, "x.bmp", &b, "expected 4 bytes of pixels from byte 26 on, found 3");
    b = bmp(2, 2, 16, 0, 0, NULL);
    refuse_bytes(f, "x.bmp", &b, "16 bits per pixel");
    b = bmp(2, 2, 8, 1, 0, NULL);
    refuse_bytes(f, "x.bmp", &b, "compression 1");
    b = bmp(2, 2, 8, 0, 0, NULL);
    refuse_bytes(f, "x.bmp", &b, "a palette of 256 colours does not fit in 54 bytes");
    b = bmp(-2, 2, 24, 0, 0, NULL);
    refuse_bytes(f, "x.bmp", &b, "0 x 2 pixels");
    b = bmp(1 << 20, 1 << 20, 32, 0, 0, NULL);
    refuse_bytes(f, "x.bmp", &b, "expected 4398046511104 bytes of pixels from byte 54 on, found 0");
    put_bits(&b, 10, 0xffffffff, 4);
    refuse_bytes(f, "x.bmp", &b, "found 0");
    put_bits(&b, 14, 39, 4);
    refuse_bytes(f, "x.bmp", &b, "the header has 39 bytes");
}

// ---- writing ----

static void test_write(void **state) {
    Fixture *f = *state;
    static const int16_t voxels[] = {-5, 7, 1000, -32768, 0, 1};
    static const swReal units[] = {1, 1e-2, 1e-3, 1e-6, 1e-9, 0};
    const char *path = temporary_path("written.nrrd");
    swImage m = {.n = {3, 1, 2},
                 .type = SW_IMAGE_I16,
                 .data = voxels,
                 .slope = 1,
                 .origin = {0.1, 1.0 / 3, -3},
                 .axis = {{0, 2, 0}, {1e-7, 0, 0.1}, {3, 1, 1}}};
    for (int i = 0; i < 6; i++) {
        m.unit = units[i];
        require(sw_image_write(path, &m, &f->error), &f->error);
        require(sw_image_read(path, &f->arena, &f->image, &f->error), &f->error);
        assert_int_equal(f->image.type, SW_IMAGE_I16);
        assert_memory_equal(f->image.data, voxels, sizeof voxels);
        assert_memory_equal(f->image.n, m.n, sizeof m.n);
        assert_memory_equal(&f->image.origin, &m.origin, sizeof m.origin); // to the bit
        assert_memory_equal(f->image.axis, m.axis, sizeof m.axis);
        assert_near(f->image.unit, m.unit, 0);
    }
    // A unit without a name becomes metres; a scale becomes part of the values.
    m.unit = 0.0254;
    m.slope = 0.25;
    m.intercept = 3;
    require(sw_image_write(path, &m, &f->error), &f->error);
    require(sw_image_read(path, &f->arena, &f->image, &f->error), &f->error);
    assert_int_equal(f->image.type, SW_IMAGE_F64);
    assert_values(&f->image, VALUES(1.75, 4.75, 253, -8189, 3, 3.25));
    assert_near(f->image.unit, 1, 0);
    assert_vec(f->image.axis[0], 0, 2 * 0.0254, 0, 1e-17);
    remove(path);
    assert_false(sw_image_write("x.nii", &m, &f->error));
    assert_non_null(strstr(f->error.message, "expected the suffix .nrrd"));
    assert_false(sw_image_write("no/such/folder/x.nrrd", &m, &f->error));
    assert_int_equal(f->error.code, SW_ERROR_FILE);
}

// ---- memory ----

// Without memory at the k-th call, for every k: an error that says so, and nothing kept.
static void test_failing_memory(void **state) {
    Fixture *f = *state;
    Bytes small = png((Png){2, 2, 8, 0, 0, NULL, 0}, "\0\1\2\0\3\4", 6), b = {0};
    static const unsigned char zeros[300000]; // more than a block of an arena
    add_text(&b, "NRRD0004\ntype: int64\ndimension: 3\nsizes: 10 20 150\nendian: big\n"
                 "encoding: gzip\n\n");
    add_zipped(&b, zeros, 240000, 31);
    const struct {
        const char *name;
        const Bytes *bytes;
    } files[] = {{"x.png", &small}, {"x.nrrd", &b}};
    for (int i = 0; i < 2; i++) {
        bool ok = false;
        for (int k = 1; !ok; k++) {
            Counter counter = {.fail_at = k};
            swConfig config = counting_config(&counter);
            swArena arena;
            sw_arena_init(&arena, &config.allocator);
            ok = sw_image_parse(files[i].bytes->data, files[i].bytes->size, files[i].name, &arena,
                                &f->image, &f->error);
            if (!ok)
                assert_int_equal(f->error.code, SW_ERROR_MEMORY);
            sw_arena_free(&arena);
            assert_int_equal(counter.held, 0);
            assert_int_equal(counter.bytes, 0);
            assert_true(k < 100);
            assert_true(!ok || k > 2);
        }
    }
}

// ---- the shared files ----

typedef struct Facts {
    const char *name;
    int n[3];
    swImageType type;
    swReal spacing[3], unit;
    int distinct;
    size_t nonzero;     // 0: not counted
    double lo, hi, sum; // where lo < hi
    int label;          // a value ...
    size_t voxels;      // ... and how many have it
} Facts;

static void check_facts(Fixture *f, const Facts *facts) {
    const swImage *m = &f->image;
    assert_sizes(m, facts->n[0], facts->n[1], facts->n[2]);
    assert_int_equal(m->type, facts->type);
    assert_near(m->unit, facts->unit, 0);
    for (int k = 0; k < 3; k++)
        assert_near(sw_norm(m->axis[k]), facts->spacing[k], 1e-5 * facts->spacing[k]);
    static int count[1 << 16]; // of value v at v + 1 << 15
    memset(count, 0, sizeof count);
    int distinct = 0;
    double lo = INFINITY, hi = -INFINITY, sum = 0;
    size_t nonzero = 0, total = sw_image_count(m);
    for (size_t i = 0; i < total; i++) {
        double v = sw_image_value(m, i);
        int *slot = &count[(int)v + (1 << 15)];
        distinct += (*slot)++ == 0;
        nonzero += v != 0;
        lo = fmin(lo, v);
        hi = fmax(hi, v);
        sum += v;
    }
    assert_int_equal(distinct, facts->distinct);
    if (facts->nonzero)
        assert_int_equal(nonzero, facts->nonzero);
    if (facts->lo < facts->hi) {
        assert_near(lo, facts->lo, 0);
        assert_near(hi, facts->hi, 0);
        assert_near(sum, facts->sum, 0);
    }
    if (facts->voxels)
        assert_int_equal(count[facts->label + (1 << 15)], facts->voxels);
}

static void test_volumes(void **state) {
    Fixture *f = *state;
    static const Facts all[] = {
        {"spl_knee_seg.nrrd",
         {512, 512, 119},
         SW_IMAGE_I16,
         {0.27734, 0.27734, 1},
         1e-3,
         50,
         7338572,
         0,
         0,
         0,
         95,
         1838595},
        {"spl_abdomen_seg.nrrd",
         {256, 256, 113},
         SW_IMAGE_I16,
         {0.9375, 0.9375, 1.5},
         1e-3,
         96,
         1446889,
         0,
         0,
         0,
         299,
         86900},
        {"cleaver_mickey.nrrd",
         {63, 63, 63},
         SW_IMAGE_U16,
         {1, 1, 1},
         1e-3,
         5,
         250047,
         0,
         0,
         0,
         5,
         27},
        {"ts_torso_ct.nii.gz",
         {122, 101, 112},
         SW_IMAGE_I32,
         {3, 3, 3},
         0,
         2598,
         0,
         -1207,
         3382,
         -496851173,
         0,
         0},
        {"ts_torso_seg.nii.gz",
         {122, 101, 112},
         SW_IMAGE_U8,
         {3, 3, 3},
         0,
         62,
         345988,
         0,
         0,
         0,
         20,
         59968},
        {"ts_slab_ct.nii.gz",
         {122, 101, 30},
         SW_IMAGE_I16,
         {3, 3, 3},
         0,
         1711,
         0,
         -1100,
         1207,
         -130894872,
         0,
         0},
        {"ts_slab_merged_labels.nii.gz",
         {122, 101, 30},
         SW_IMAGE_U8,
         {3, 3, 3},
         0,
         45,
         200110,
         0,
         0,
         0,
         202,
         35357},
        {"aal.nii.gz", {181, 217, 181}, SW_IMAGE_U8, {1, 1, 1}, 0, 117, 1479969, 0, 0, 0, 8, 40374},
        {"allen_human_brain.nii.gz",
         {318, 388, 310},
         SW_IMAGE_U8,
         {0.5, 0.5, 0.5},
         1e-3,
         139,
         13963402,
         0,
         0,
         0,
         51,
         4161543},
    };
    for (int i = 0; i < (int)(sizeof all / sizeof all[0]); i++) {
        char name[100];
        snprintf(name, sizeof name, "assets/volumes/%s", all[i].name);
        SKIP_WITHOUT_ASSET(path, name);
        require(sw_image_read(path, &f->arena, &f->image, &f->error), &f->error);
        check_facts(f, &all[i]);
        const swVec3 *axis = f->image.axis;
        if (i == 0) { // left, posterior, superior with its second axis reversed
            assert_vec(f->image.origin, 70.860420225865852, -70.860420225865852, -59, 0);
            assert_vec(axis[0], -0.27734019657873127, 0, 0, 0);
            assert_vec(axis[1], 0, 0.27734019657873127, 0, 0);
            assert_vec(axis[2], 0, 0, 1, 0);
        }
        if (i == 7) {
            assert_vec(f->image.origin, -90, -125, -71, 0);
            assert_vec(axis[1], 0, 1, 0, 0);
        }
        sw_arena_free(&f->arena);
    }
}

static void test_beam(void **state) {
    Fixture *f = *state;
    SKIP_WITHOUT_ASSET(path, "assets/volumes/beam_bimaterial.mhd");
    require(sw_image_read(path, &f->arena, &f->image, &f->error), &f->error);
    const swImage *m = &f->image;
    assert_sizes(m, 20, 20, 100);
    assert_int_equal(m->type, SW_IMAGE_F64);
    assert_vec(m->origin, -0.19, -0.19, -0.99, 0);
    for (int k = 0; k < 3; k++)
        assert_vec(m->axis[k], 0.02 * (k == 0), 0.02 * (k == 1), 0.02 * (k == 2), 0);
    assert_near(m->unit, 0, 0);
    int soft = 0, stiff = 0, first = -1;
    for (int i = 0; i < 40000; i++) {
        double v = sw_image_value(m, (size_t)i);
        soft += v == 0.1;
        stiff += v == 1;
        first = first < 0 && v > 0 ? i : first;
    }
    assert_int_equal(soft, 15876);
    assert_int_equal(stiff, 15876);
    assert_int_equal(first, 421);
}

// Sums over the pixels of a value tell where they are.
static void check_picture(Fixture *f, const char *name, int nx, int ny, int value, long count,
                          long sum_x, long sum_y) {
    char asset[100];
    snprintf(asset, sizeof asset, "assets/figures/%s", name);
    SKIP_WITHOUT_ASSET(path, asset);
    require(sw_image_read(path, &f->arena, &f->image, &f->error), &f->error);
    assert_sizes(&f->image, nx, ny, 1);
    assert_true(f->image.flat);
    long n = 0, x = 0, y = 0;
    for (int i = 0; i < nx * ny; i++)
        if (sw_image_value(&f->image, (size_t)i) == value) {
            n++;
            x += i % nx;
            y += i / nx;
        }
    assert_int_equal(n, count);
    assert_int_equal(x, sum_x);
    assert_int_equal(y, sum_y);
}

static void test_figures(void **state) {
    Fixture *f = *state;
    check_picture(f, "steak-seg-highres.ppm", 400, 300, 255, 5839, 1723742, 817088);
    check_picture(f, "steak-seg.ppm", 100, 75, 255, 362, 26668, 12467);
    check_picture(f, "plate.bmp", 128, 128, 255, 1255, 79567, 96140);
    check_picture(f, "degrade.bmp", 100, 40, 256, 0, 0, 0);
    double sum = 0;
    for (size_t i = 0; i < 4000; i++)
        sum += sw_image_value(&f->image, i);
    assert_near(sum, 505181, 0);
    assert_near(sw_image_value(&f->image, 9), 23, 0);
}

static const struct CMUnitTest tests[] = {
    TEST(test_png_kinds), TEST(test_png_interlaced), TEST(test_png_malformed),
    TEST(test_pnm),       TEST(test_pnm_wide),       TEST(test_bmp),
    TEST(test_write),     TEST(test_failing_memory), TEST(test_volumes),
    TEST(test_beam),      TEST(test_figures),
};

SW_SUITE(pictures, tests)
