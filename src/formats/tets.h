// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reading and writing meshes of tetrahedra. A format is one file with one row in the table of
// tets.c.
#pragma once

#include "geometry/tets.h"
#include "formats/mesh.h"

// What a file held, and what was made of it. Tetrahedra are numbered as in the file, from 0.
typedef struct swTetReport {
    char format[32];              // "Gmsh 4.1, binary"
    int64_t skipped;              // points, lines, triangles and quadrangles
    int flipped, first_flipped;   // of wrong winding: turned over
    int flat, first_flat;         // without volume: dropped
    int repeated, first_repeated; // with the corners of one before: dropped
    int unused;                   // vertices of no tetrahedron: dropped
} swTetReport;

struct swTetParts; // tets_read.h
struct swTetOut;

typedef struct swTetFormat {
    const char *name;   // "Gmsh"
    const char *suffix; // ".msh"
    bool holds_fill;    // whether it can say how far tetrahedra are filled
    // Errors carry a line or a byte in their message; the path is added by the caller.
    bool (*read)(const swMeshFile *file, struct swTetParts *parts, swError *error);
    bool (*write)(const struct swTetOut *out, swError *error);
} swTetFormat;

typedef struct swTetStyle {
    bool text; // of formats that are binary otherwise: .msh, .vtk, .vtu
    bool old;  // Gmsh 2.2 instead of 4.1
} swTetStyle;

const swTetFormat *sw_tets_format(const char *path); // by suffix, or NULL
const swTetFormat *sw_tets_format_at(int index);     // NULL past the last one
// The mesh, allocated in `arena`, is sound: finite vertices, all of them used, right-handed
// tetrahedra with volume (quadratic ones with that of their bent edges), no two alike. What had to
// be done for that is warned of (`config` may be NULL) and counted in `report` (may be NULL).
bool sw_tets_read(const char *path, const swConfig *config, swArena *arena, swTetMesh *mesh,
                  swTetReport *report, swError *error);
// The same of a file in memory; its path may be NULL, it must then stand alone.
bool sw_tets_parse(const swMeshFile *file, const swTetFormat *format, const swConfig *config,
                   swArena *arena, swTetMesh *mesh, swTetReport *report, swError *error);
// What is read again is the same mesh, to the bit. `style` may be NULL.
bool sw_tets_write(const char *path, const swTetMesh *mesh, const swTetStyle *style,
                   const swConfig *config, swError *error);
