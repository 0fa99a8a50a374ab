// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the mesh readers share: a text cursor that keeps track of its line, bytes in either order,
// and the conversion of polygons to a checked surface.
#pragma once

#include "formats/mesh.h"

extern const swMeshFormat sw_mesh_obj, sw_mesh_ply, sw_mesh_stl, sw_mesh_off, sw_mesh_glb,
    sw_mesh_gltf;

// ---- files ----
enum { SW_SUFFIX_LIST = 128 };
// Adds a suffix to the list of those that can be read or written.
void sw_suffix_add(char list[SW_SUFFIX_LIST], const char *suffix);
// "cannot read an image with the suffix '.x'; supported suffixes: .a .b"
bool sw_suffix_refuse(const char *path, const char *cannot, const char *list, swError *error);
// An error without a path is about this file: adds the path. Returns false.
bool sw_error_add_path(const char *path, swError *error);

// ---- text ----
typedef struct swScan {
    const char *at, *end;
    int line; // from 1
} swScan;

// Skips a byte order mark, and refuses UTF-16.
bool sw_scan_open(swScan *scan, const swMeshFile *file, swError *error);
// "expected <expected>, found '<the word at the cursor>'"
bool sw_scan_fail(const swScan *scan, swError *error, const char *expected);
// Each of these first skips blanks, but no line end. Words end at blanks.
bool sw_scan_number(swScan *scan, double *value, swError *error);
bool sw_scan_vec3(swScan *scan, swVec3 *x, swError *error); // three finite numbers
// Reads an integer. Huge values become INT64_MAX. It may be followed by a slash.
bool sw_scan_integer(swScan *scan, int64_t *value, swError *error);
int sw_scan_word(swScan *scan, const char **word); // returns its length, 0 at the end of the line
bool sw_scan_is(const char *word, int n, const char *name); // ignoring case
void sw_scan_next_line(swScan *scan);
void sw_scan_white(swScan *scan); // to the next word, past line ends and # comments

// Skips spaces, tabs, and a backslash that joins the next line.
static inline void sw_scan_blanks(swScan *s) {
    for (; s->at < s->end; s->at++) {
        if (*s->at == '\\' && (s->at[1] == '\n' || s->at[1] == '\r')) {
            s->at += s->at[1] == '\r' && s->at[2] == '\n' ? 2 : 1;
            s->line++;
        } else if (*s->at != ' ' && *s->at != '\t')
            return;
    }
}
static inline bool sw_scan_line_ended(const swScan *s) { // a comment also ends it
    return s->at >= s->end || *s->at == '\n' || *s->at == '\r' || *s->at == '#';
}

// ---- bytes ----
static inline uint64_t sw_load(const char *p, int bytes, bool big) {
    uint64_t v = 0;
    for (int i = 0; i < bytes; i++)
        v |= (uint64_t)(unsigned char)p[big ? bytes - 1 - i : i] << (8 * i);
    return v;
}
float sw_load_float(const char *p, bool big);
double sw_load_double(const char *p, bool big);
void sw_store(char *p, uint64_t value, int bytes); // little endian

// ---- polygons ----
typedef struct swPolygon {
    int start; // first of its corners
    int line;  // 0: none
} swPolygon;

typedef struct swPolygons {
    int base;    // number of the first vertex in the file: 0 or 1
    int nvertex; // as announced by the file; 0: not announced
    SW_LIST(swVec3) X;
    SW_LIST(int) corner; // vertex indices from 0
    SW_LIST(swPolygon) face;
} swPolygons;

bool sw_polygons_begin(swPolygons *polygons, int line, swArena *arena, swError *error);
// Adds a corner to the last face; `vertex` is numbered as in the file.
bool sw_polygons_corner(swPolygons *polygons, int64_t vertex, swArena *arena, swError *error);
// Checks the corners and triangulates the polygons.
bool sw_polygons_finish(swPolygons *polygons, swArena *arena, swSurface *surface, swError *error);

// ---- writing ----
void sw_file_vec3(swFile *file, swVec3 x); // "x y z" and a line end
