// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the formats of tetrahedra share: parts of a mesh as files have them, and how materials are
// called in files that know numbers alone.
#pragma once

#include "formats/mesh_read.h"
#include "formats/tets.h"

extern const swTetFormat sw_tets_msh, sw_tets_node, sw_tets_ele, sw_tets_veg, sw_tets_medit,
    sw_tets_vtk, sw_tets_vtu;

// ---- reading ----
typedef struct swTetItem {
    int tag;  // of its material; 0 where a file has none
    int line; // 0: none
} swTetItem;

typedef struct swTetTag {
    int tag;
    swTetMaterial material;
} swTetTag;

typedef struct swTetParts {
    swArena *arena;         // for what the reader needs; gone when the mesh is made
    const swConfig *config; // for warnings
    const char *path;       // of the file, for warnings
    swTetReport report;
    int order; // of the tetrahedra; 0: there is none yet
    SW_LIST(swVec3) X;
    SW_LIST(int64_t) number; // of the vertices in the file; empty: from 0 on
    SW_LIST(int64_t) vertex; // of the tetrahedra, in VTK's order, as the file calls them
    SW_LIST(swTetItem) tet;
    SW_LIST(swReal) fill;  // of each tetrahedron, or empty
    SW_LIST(swTetTag) tag; // what the file says of its materials
} swTetParts;

bool sw_tet_parts_vertex(swTetParts *parts, int64_t number, swVec3 x, swError *error);
// Of order 1 or 2; `vertex` has 4 or 10. All tetrahedra of a mesh have the same order.
bool sw_tet_parts_tet(swTetParts *parts, int order, const int64_t *vertex, int64_t tag, int line,
                      swError *error);
swTetMaterial *sw_tet_parts_material(swTetParts *parts, int tag, swError *error); // new or not
// The sound mesh: what its caller promises in tets.h.
bool sw_tet_parts_finish(swTetParts *parts, swArena *arena, swTetMesh *mesh, swError *error);
void sw_tet_parts_warn(const swTetParts *parts, const char *format, ...) SW_PRINTF(2, 3);
// False, with a message, where `count` items of `least` bytes cannot be in the bytes left.
bool sw_tet_count_fits(const swScan *scan, int64_t count, int64_t least, const char *what,
                       swError *error);
// Over lines and comments to the next number.
bool sw_tet_integer(swScan *scan, int64_t *value, swError *error);
bool sw_tet_vec3(swScan *scan, swVec3 *x, swError *error);

// The two files of TetGen, which need no path.
bool sw_tetgen_parse(const swMeshFile *node, const swMeshFile *ele, swTetParts *parts,
                     swError *error);

// ---- cells as VTK has them ----
typedef struct swTetCells {
    int64_t npoint, ncell, base; // `base`: number of its first point
    const int64_t *offset;       // of the end of each cell in `connectivity`
    const int64_t *connectivity;
    const int64_t *type;
    const double *material, *fill; // of each cell, or NULL
} swTetCells;
bool sw_tet_cells_take(const swTetCells *cells, swTetParts *parts, swError *error);
// How well a cell array of this name suits as materials: 0, or more the better.
int sw_tet_cells_suits(const char *name, int length);

// ---- writing ----
typedef struct swTetOut {
    const swTetMesh *mesh;
    const int *tag; // of each material in the file
    bool notes;     // tags and names of the format do not say all: write notes
    swTetStyle style;
    swFile *file;
} swTetOut;

// 0 without materials.
static inline int sw_tet_tag(const swTetOut *out, int tet) {
    const swTetMesh *m = out->mesh;
    return m->nmaterial == 0 ? 0 : out->tag[m->material ? m->material[tet] : 0];
}
// A word that says all of a material, to stand in a comment; every reader looks for such words.
// Returns its length; very long names are cut.
enum { SW_TET_NOTE = 1024 };
int sw_tet_note(int tag, const swTetMaterial *material, char text[SW_TET_NOTE]);
// The notes of all materials, between two texts, where the mesh needs them.
void sw_tet_notes_write(const swTetOut *out, swFile *file, const char *before, const char *after);
bool sw_tet_notes_read(const swMeshFile *file, swTetParts *parts, swError *error);
bool sw_tets_write_msh(const swTetOut *out, swError *error);
void sw_file_int(swFile *file, int64_t value, int bytes, bool big);
void sw_file_real(swFile *file, double value, bool big);
