// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the suites on images share: files made byte by byte, in memory.
#pragma once

#include "test_tools.h"

#include "formats/image.h"

#include <zlib.h>

typedef struct Fixture {
    swConfig config;
    swArena arena;
    swImage image;
    swError error;
} Fixture;

static inline int setup(void **state) {
    static Fixture f;
    f = (Fixture){.config = sw_default_config()};
    sw_arena_init(&f.arena, &f.config.allocator);
    *state = &f;
    return 0;
}

static inline int teardown(void **state) {
    Fixture *f = *state;
    sw_arena_free(&f->arena);
    return 0;
}

// A file in the making.
typedef struct Bytes {
    unsigned char data[4096];
    size_t size;
    bool big;
} Bytes;

static inline void add_text(Bytes *b, const char *text) {
    memcpy(b->data + b->size, text, strlen(text));
    b->size += strlen(text);
}

static inline void put_bits(Bytes *b, size_t at, uint64_t bits, int size) {
    for (int i = 0; i < size; i++)
        b->data[at + (size_t)i] = (unsigned char)(bits >> 8 * (b->big ? size - 1 - i : i));
}

static inline void add_bits(Bytes *b, uint64_t bits, int size) {
    put_bits(b, b->size, bits, size);
    b->size += (size_t)size;
}

static inline void put_real(Bytes *b, size_t at, double v, int size) {
    float single = (float)v;
    uint32_t bits4;
    uint64_t bits8;
    memcpy(&bits4, &single, 4);
    memcpy(&bits8, &v, 8);
    put_bits(b, at, size == 4 ? bits4 : bits8, size);
}

// Appends `size` bytes as a stream of gzip (31) or zlib (15).
static inline void add_zipped(Bytes *b, const void *data, size_t size, int kind) {
    z_stream z = {.next_in = (Bytef *)data, .avail_in = (uInt)size};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, kind, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_out = b->data + b->size;
    z.avail_out = (uInt)(sizeof b->data - b->size);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    b->size = sizeof b->data - z.avail_out;
    deflateEnd(&z);
}

static inline void parse_bytes(Fixture *f, const char *name, const Bytes *b) {
    if (!sw_image_parse(b->data, b->size, name, &f->arena, &f->image, &f->error))
        fail_msg("%s: %s", f->error.path, f->error.message);
}

static inline void parse_text(Fixture *f, const char *name, const char *text) {
    Bytes b = {.size = 0};
    add_text(&b, text);
    parse_bytes(f, name, &b);
}

static inline void check_failed(Fixture *f, bool ok, const char *path, const char *fragment) {
    if (ok)
        fail_msg("read, but should say '%s'", fragment);
    if (!strstr(f->error.message, fragment))
        fail_msg("'%s'; expected '%s'", f->error.message, fragment);
    assert_int_not_equal(f->error.code, SW_OK);
    assert_string_equal(f->error.path, path);
    assert_null(f->image.data);
}

static inline void refuse_bytes(Fixture *f, const char *name, const Bytes *b,
                                const char *fragment) {
    bool ok = sw_image_parse(b->data, b->size, name, &f->arena, &f->image, &f->error);
    check_failed(f, ok, name, fragment);
}

static inline void refuse_text(Fixture *f, const char *name, const char *text,
                               const char *fragment) {
    Bytes b = {.size = 0};
    add_text(&b, text);
    refuse_bytes(f, name, &b, fragment);
}

static inline void write_file(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

static inline void assert_vec(swVec3 v, swReal x, swReal y, swReal z, swReal tolerance) {
    assert_near(v.x, x, tolerance);
    assert_near(v.y, y, tolerance);
    assert_near(v.z, z, tolerance);
}

static inline void assert_sizes(const swImage *m, int x, int y, int z) {
    assert_int_equal(m->n[0], x);
    assert_int_equal(m->n[1], y);
    assert_int_equal(m->n[2], z);
}

static inline void assert_values(const swImage *m, int count, const double *values) {
    assert_int_equal(sw_image_count(m), count);
    for (int i = 0; i < count; i++)
        assert_near(sw_image_value(m, (size_t)i), values[i], 0);
}
#define VALUES(...) \
    (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (const double[]) { __VA_ARGS__ }
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
