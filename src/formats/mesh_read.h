// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the mesh readers share: a cursor over text that knows its line, bytes of either order, and
// polygons that become a checked surface.
#pragma once

#include "formats/mesh.h"

extern const swMeshFormat sw_mesh_obj, sw_mesh_ply, sw_mesh_stl, sw_mesh_off, sw_mesh_glb,
    sw_mesh_gltf;

// ---- files ----
enum { SW_SUFFIX_LIST = 128 };
// Adds a suffix to a list of those that can be read or written.
void sw_suffix_add(char list[SW_SUFFIX_LIST], const char *suffix);
// "cannot read an image with the suffix '.x'; these can be: .a .b"
bool sw_suffix_refuse(const char *path, const char *cannot, const char *list, swError *error);
// An error that names no other file is about this one.
bool sw_error_add_path(const char *path, swError *error);

// ---- text ----
typedef struct swScan {
    const char *at, *end;
    int line; // from 1
} swScan;

// Skips a byte order mark; refuses UTF-16.
bool sw_scan_open(swScan *scan, const swMeshFile *file, swError *error);
// "expected <expected>, found '<the word at the cursor>'"
bool sw_scan_fail(const swScan *scan, swError *error, const char *expected);
// Each of these skips blanks first, but never a line end; words end at blanks.
bool sw_scan_number(swScan *scan, double *value, swError *error);
bool sw_scan_vec3(swScan *scan, swVec3 *x, swError *error); // three finite numbers
// A whole number; huge ones become INT64_MAX. It may end at a slash.
bool sw_scan_integer(swScan *scan, int64_t *value, swError *error);
int sw_scan_word(swScan *scan, const char **word);          // its length; 0 at the end of the line
bool sw_scan_is(const char *word, int n, const char *name); // ignoring case
void sw_scan_next_line(swScan *scan);
void sw_scan_white(swScan *scan); // to the next word, over lines and # comments

// Spaces, and a backslash that joins the next line.
static inline void sw_scan_blanks(swScan *s) {
    for (; s->at < s->end; s->at++) {
        if (*s->at == '\\' && (s->at[1] == '\n' || s->at[1] == '\r')) {
            s->at += s->at[1] == '\r' && s->at[2] == '\n' ? 2 : 1;
            s->line++;
        } else if (*s->at != ' ' && *s->at != '\t')
            return;
    }
}
static inline bool sw_scan_line_ended(const swScan *s) { // a comment ends it too
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
    int start; // of its corners
    int line;  // 0: none
} swPolygon;

typedef struct swPolygons {
    int base;    // what the file calls its first vertex: 0 or 1
    int nvertex; // announced by the file; 0: it does not say
    SW_LIST(swVec3) X;
    SW_LIST(int) corner; // vertices from 0
    SW_LIST(swPolygon) face;
} swPolygons;

bool sw_polygons_begin(swPolygons *polygons, int line, swArena *arena, swError *error);
// Adds a corner to the last face; `vertex` as the file has it.
bool sw_polygons_corner(swPolygons *polygons, int64_t vertex, swArena *arena, swError *error);
// Checks the corners and cuts each polygon into triangles.
bool sw_polygons_finish(swPolygons *polygons, swArena *arena, swSurface *surface, swError *error);

// ---- writing ----
void sw_file_vec3(swFile *file, swVec3 x); // "x y z" and the end of the line
