// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the tests of files of tetrahedra share.
#pragma once

#include "test_files.h"
#include "test_tools.h"

#include "formats/tets_read.h"

typedef struct Fixture {
    swConfig config;
    swArena arena;
    swTetMesh mesh;
    swTetReport report;
    swError error;
    char warnings[4096];
} Fixture;

static inline void keep_warning(void *context, swLogLevel level, const char *message) {
    Fixture *f = context;
    const size_t n = strlen(f->warnings);
    if (level == SW_LOG_WARNING)
        snprintf(f->warnings + n, sizeof f->warnings - n, "%s\n", message);
}

static inline int setup(void **state) {
    static Fixture f;
    f = (Fixture){.config = sw_default_config()};
    f.config.log = keep_warning;
    f.config.log_context = &f;
    sw_arena_init(&f.arena, &f.config.allocator);
    *state = &f;
    return 0;
}

static inline int teardown(void **state) {
    Fixture *f = *state;
    sw_arena_free(&f->arena);
    return 0;
}

static inline void write_bytes(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

static inline bool read_file(Fixture *f, const char *path) {
    f->warnings[0] = 0;
    sw_error_clear(&f->error);
    return sw_tets_read(path, &f->config, &f->arena, &f->mesh, &f->report, &f->error);
}

static inline bool read_bytes(Fixture *f, const char *suffix, const void *data, size_t size) {
    char name[64];
    snprintf(name, sizeof name, "given%s", suffix);
    write_bytes(path_of(name), data, size);
    return read_file(f, path_of(name));
}

// In memory; what is refused has a reason and a path.
static inline bool parse_bytes(Fixture *f, const swTetFormat *format, const void *data,
                               size_t size) {
    char name[64];
    snprintf(name, sizeof name, "whole%s", format->suffix);
    const char *copy = sw_arena_text(&f->arena, data, size, &f->error);
    const swMeshFile file = {path_of(name), copy, size};
    f->warnings[0] = 0;
    sw_error_clear(&f->error);
    const bool ok =
        sw_tets_parse(&file, format, &f->config, &f->arena, &f->mesh, &f->report, &f->error);
    assert_true(ok || (f->error.code && f->error.message[0] && f->error.path[0]));
    return ok;
}

static inline void read_good(Fixture *f, const char *suffix, const char *text) {
    if (!read_bytes(f, suffix, text, strlen(text)))
        fail_msg("%s\n%s", f->error.message, text);
}

static inline void expect_error(Fixture *f, const char *suffix, const void *data, size_t size,
                                int line, const char *fragment) {
    if (read_bytes(f, suffix, data, size))
        fail_msg("read, but should say '%s':\n%.*s", fragment, (int)size, (const char *)data);
    if (!strstr(f->error.message, fragment) || f->error.line != line)
        fail_msg("'%s' in line %d; expected '%s' in line %d:\n%.*s", f->error.message,
                 f->error.line, fragment, line, (int)size, (const char *)data);
    assert_int_not_equal(f->error.code, SW_OK);
    assert_true(f->error.path[0] != 0);
    assert_null(f->mesh.X);
}
