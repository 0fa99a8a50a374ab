// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the formats of tetrahedra share: the parts of a mesh as files store them, and names for the
// materials of files that only number them.
#pragma once

#include "formats/mesh_read.h"
#include "formats/tets.h"

extern const swTetFormat sw_tets_msh, sw_tets_node, sw_tets_ele, sw_tets_veg, sw_tets_medit,
    sw_tets_vtk, sw_tets_vtu;

// ---- reading ----
typedef struct swTetItem {
    int tag;  // of its material; 0 if the file gives none
    int line; // 0: none
} swTetItem;

typedef struct swTetTag {
    int tag;
    swTetMaterial material;
} swTetTag;

typedef struct swTetParts {
    swArena *arena;         // scratch memory of the reader, freed once the mesh is made
    const swConfig *config; // for warnings
    const char *path;       // of the file, for warnings; NULL: none
    swTetReport report;
    int order; // of the tetrahedra; 0: there are none yet
    SW_LIST(swVec3) X;
    SW_LIST(int64_t) number; // number of each vertex in the file; empty: they count from 0
    SW_LIST(int64_t) vertex; // of the tetrahedra: numbers as in the file, in VTK's order
    SW_LIST(swTetItem) tet;
    SW_LIST(swReal) fill;  // of each tetrahedron; empty: not given
    SW_LIST(swTetTag) tag; // what the file says about its materials
} swTetParts;

bool sw_tet_parts_vertex(swTetParts *parts, int64_t number, swVec3 x, swError *error);
// Adds a tetrahedron of order 1 (4 vertices) or 2 (10 vertices). All tetrahedra of a mesh have the
// same order.
bool sw_tet_parts_tet(swTetParts *parts, int order, const int64_t *vertex, int64_t tag, int line,
                      swError *error);
// The material of a tag, which is added if it is new.
swTetMaterial *sw_tet_parts_material(swTetParts *parts, int tag, swError *error);
// Makes the valid mesh that sw_tets_read() promises.
bool sw_tet_parts_finish(swTetParts *parts, swArena *arena, swTetMesh *mesh, swError *error);
void sw_tet_parts_warn(const swTetParts *parts, const char *format, ...) SW_PRINTF(2, 3);
// Fails if `count` items of at least `least` bytes cannot fit in the bytes left.
bool sw_tet_count_fits(const swScan *scan, int64_t count, int64_t least, const char *what,
                       swError *error);
// Skips line ends and comments before the number.
bool sw_tet_integer(swScan *scan, int64_t *value, swError *error);
bool sw_tet_vec3(swScan *scan, swVec3 *x, swError *error);

// Reads the two files of TetGen from memory; they need no paths.
bool sw_tetgen_parse(const swMeshFile *node, const swMeshFile *ele, swTetParts *parts,
                     swError *error);

// ---- cells as VTK has them ----
typedef struct swTetCells {
    int64_t npoint, ncell, base; // `base`: number of the first point
    const int64_t *offset;       // end of each cell in `connectivity`
    const int64_t *connectivity;
    const int64_t *type;
    const double *material, *fill; // per cell, or NULL
} swTetCells;
bool sw_tet_cells_take(const swTetCells *cells, swTetParts *parts, swError *error);
// How likely a cell array with this name holds materials: 0: it does not; larger is better.
int sw_tet_cells_suits(const char *name, int length);

// ---- writing ----
typedef struct swTetOut {
    const swTetMesh *mesh;
    const int *tag; // number of each material in the file
    bool notes;     // the format's own tags and names do not say everything: write notes
    swTetStyle style;
    swFile *file;
} swTetOut;

// The tag of a tetrahedron; 0 if there are no materials.
static inline int sw_tet_tag(const swTetOut *out, int tet) {
    const swTetMesh *m = out->mesh;
    return m->nmaterial == 0 ? 0 : out->tag[m->material ? m->material[tet] : 0];
}
// Formats everything about a material as one word, to be written in a comment; every reader looks
// for such words. Returns its length. Very long names are cut.
enum { SW_TET_NOTE = 1024 };
int sw_tet_note(int tag, const swTetMaterial *material, char text[SW_TET_NOTE]);
// Writes the notes of all materials, each between the two strings, if the mesh needs them.
void sw_tet_notes_write(const swTetOut *out, swFile *file, const char *before, const char *after);
bool sw_tet_notes_read(const swMeshFile *file, swTetParts *parts, swError *error);
bool sw_tets_write_msh(const swTetOut *out, swError *error);
void sw_file_int(swFile *file, int64_t value, int bytes, bool big);
void sw_file_real(swFile *file, double value, bool big);
