// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reading and writing tetrahedral meshes. Each format has its own file and a row in the table of
// tets.c.
#pragma once

#include "geometry/tets.h"
#include "formats/mesh.h"

// What a file contained, and how it was repaired. Tetrahedra are numbered as in the file, from 0.
typedef struct swTetReport {
    char format[32];              // "Gmsh 4.1, binary"
    int64_t skipped;              // points, lines, triangles and quadrangles, which are ignored
    int flipped, first_flipped;   // tetrahedra of wrong orientation, which were flipped
    int flat, first_flat;         // tetrahedra without volume, which were dropped
    int repeated, first_repeated; // tetrahedra like an earlier one, which were dropped
    int unused;                   // vertices of no tetrahedron, which were dropped
} swTetReport;

struct swTetParts; // tets_read.h
struct swTetOut;

typedef struct swTetFormat {
    const char *name;   // "Gmsh"
    const char *suffix; // ".msh"
    bool holds_fill;    // whether it can store how far tetrahedra are filled
    // Errors give a line or a byte in their message; the caller adds the path.
    bool (*read)(const swMeshFile *file, struct swTetParts *parts, swError *error);
    bool (*write)(const struct swTetOut *out, swError *error);
} swTetFormat;

typedef struct swTetStyle {
    bool text; // for formats that are binary by default: .msh, .vtk, .vtu
    bool old;  // Gmsh 2.2 instead of 4.1
} swTetStyle;

const swTetFormat *sw_tets_format(const char *path); // by suffix, or NULL
const swTetFormat *sw_tets_format_at(int index);     // NULL past the last one
// Reads a mesh into `arena`. The mesh is valid: its vertices are finite and all used, its
// tetrahedra are right-handed with positive volume (quadratic ones including their curved edges),
// and no two are equal. The repairs this took are logged as warnings (`config` may be NULL) and
// counted in `report` (may be NULL).
bool sw_tets_read(const char *path, const swConfig *config, swArena *arena, swTetMesh *mesh,
                  swTetReport *report, swError *error);
// Does the same for a file in memory. Its path may be NULL; it must then be complete by itself.
bool sw_tets_parse(const swMeshFile *file, const swTetFormat *format, const swConfig *config,
                   swArena *arena, swTetMesh *mesh, swTetReport *report, swError *error);
// Writes a mesh such that reading it gives the same mesh, bit for bit. `style` may be NULL.
bool sw_tets_write(const char *path, const swTetMesh *mesh, const swTetStyle *style,
                   const swConfig *config, swError *error);
