// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// STL, text and binary. The format has no shared vertices: exactly equal corners are merged.
#include "formats/mesh_read.h"

#include <float.h>
#include <string.h>
#include <strings.h>

enum { HEADER = 84, FACET = 50 }; // bytes

// X has three corners per triangle.
static bool finish(int ncorner, swVec3 *X, swArena *arena, swSurface *surface, swError *error) {
    int *first = SW_NEW(arena, ncorner, int, error);
    int *triangle = first ? SW_NEW(arena, ncorner, int, error) : NULL;
    if (!triangle || !sw_surface_merge(ncorner, X, first, arena, error))
        return false;
    int nvertex = 0;
    for (int i = 0; i < ncorner; i++) {
        if (first[i] == i) {
            X[nvertex] = X[i];
            triangle[i] = nvertex++;
        } else
            triangle[i] = triangle[first[i]];
    }
    *surface = (swSurface){nvertex, ncorner / 3, X, triangle};
    return true;
}

static bool read_binary(const swMeshFile *file, swArena *arena, swSurface *surface,
                        swError *error) {
    if (file->size < HEADER)
        return sw_fail(error, SW_ERROR_FORMAT, "%zu bytes are too few for an STL file", file->size);
    uint64_t n = sw_load(file->data + 80, 4, false);
    if (HEADER + FACET * n > file->size)
        return sw_fail(error, SW_ERROR_FORMAT,
                       "%llu triangles take %llu bytes, but the file has %zu",
                       (unsigned long long)n, (unsigned long long)(HEADER + FACET * n), file->size);
    swVec3 *X = SW_NEW(arena, 3 * n, swVec3, error);
    if (!X)
        return false;
    for (int i = 0; i < 3 * (int)n; i++) {
        const char *p = file->data + HEADER + (size_t)(i / 3) * FACET + 12 * (size_t)(i % 3 + 1);
        X[i] = sw_v3(sw_load_float(p, false), sw_load_float(p + 4, false),
                     sw_load_float(p + 8, false));
        if (!sw_finite3(X[i]))
            return sw_fail(error, SW_ERROR_FORMAT, "triangle %d: a coordinate is not finite",
                           i / 3);
    }
    return finish(3 * (int)n, X, arena, surface, error);
}

// The words that begin the lines of a facet, in order; `next` is the one expected.
static const char *const words[] = {"facet",  "outer",   "vertex",  "vertex",
                                    "vertex", "endloop", "endfacet"};

static bool read_text(swScan *s, swArena *arena, swSurface *surface, swError *error) {
    SW_LIST(swVec3) X = {0};
    bool inside = false; // inside a solid
    int next = 0;
    for (sw_scan_white(s); s->at < s->end; sw_scan_next_line(s), sw_scan_white(s)) {
        const char *word;
        swScan start = *s;
        int n = sw_scan_word(s, &word);
        if (next == 0 && sw_scan_is(word, n, inside ? "endsolid" : "solid")) {
            inside = !inside;
            continue; // the rest is a name, which is free text
        }
        if (!inside || !sw_scan_is(word, n, words[next])) {
            char expected[40];
            snprintf(expected, sizeof expected, "'%s'%s", inside ? words[next] : "solid",
                     inside && next == 0 ? " or 'endsolid'" : "");
            return sw_scan_fail(&start, error, expected);
        }
        if (next >= 2 && next <= 4) {
            swVec3 *x = SW_PUSH(&X, arena, error);
            if (!x || !sw_scan_vec3(s, x, error))
                return false;
        }
        next = (next + 1) % SW_COUNT(words);
    }
    if (inside)
        return sw_scan_fail(s, error, next ? words[next] : "endsolid");
    return finish(X.count, X.item, arena, surface, error);
}

static bool read_stl(const swMeshFile *file, swArena *arena, swSurface *surface, swError *error) {
    swScan s;
    if (file->size >= HEADER && HEADER + FACET * sw_load(file->data + 80, 4, false) == file->size)
        return read_binary(file, arena, surface, error); // even if it begins with "solid"
    if (!sw_scan_open(&s, file, error))
        return false;
    sw_scan_white(&s);
    size_t head = file->size < HEADER ? file->size : HEADER;
    if (s.end - s.at >= 5 && strncasecmp(s.at, "solid", 5) == 0 && !memchr(file->data, 0, head))
        return read_text(&s, arena, surface, error);
    return read_binary(file, arena, surface, error);
}

static bool write_stl(const swSurface *s, int ngroup, const swMeshGroup *group, swFile *file) {
    (void)ngroup, (void)group;
    char bytes[HEADER] = "binary STL written by sinew";
    sw_store(bytes + 80, (uint64_t)s->ntriangle, 4);
    sw_file_write(file, bytes, HEADER);
    memset(bytes, 0, sizeof bytes);
    for (int t = 0; t < s->ntriangle; t++) {
        swVec3 x[4];
        for (int k = 0; k < 3; k++)
            x[k + 1] = s->X[s->triangle[3 * t + k]];
        x[0] = sw_unit(sw_cross(sw_sub(x[2], x[1]), sw_sub(x[3], x[1])));
        for (int i = 0; i < 12; i++) {
            swReal v = sw_get(x[i / 3], i % 3);
            if (!(fabs(v) <= FLT_MAX))
                return false;
            float f = (float)v;
            uint32_t bits;
            memcpy(&bits, &f, sizeof bits);
            sw_store(bytes + 4 * i, bits, 4);
        }
        sw_file_write(file, bytes, FACET);
    }
    return true;
}

const swMeshFormat sw_mesh_stl = {"STL", ".stl", read_stl, write_stl};
