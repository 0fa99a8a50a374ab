// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reading and writing surface meshes. Each format has its own file and a row in the table of
// mesh.c.
#pragma once

#include "geometry/surface.h"

typedef struct swMeshFile {
    const char *path; // to find the files it names; NULL: it has none
    const char *data; // the whole file; data[size] is a readable zero byte
    size_t size;      // at most INT32_MAX, so that lines and items can be counted in an int
} swMeshFile;

// A named run of triangles, from the given one up to the first of the next group.
typedef struct swMeshGroup {
    const char *name;
    int triangle;
} swMeshGroup;

typedef struct swMeshFormat {
    const char *name;   // "OBJ"
    const char *suffix; // ".obj"
    // Errors give a line or a face in their message; the caller adds the path. NULL: this format
    // cannot be read.
    bool (*read)(const swMeshFile *file, swArena *arena, swSurface *surface, swError *error);
    // Returns false if the format cannot represent the surface. Most formats ignore groups. NULL:
    // this format cannot be written.
    bool (*write)(const swSurface *surface, int ngroup, const swMeshGroup *group, swFile *file);
} swMeshFormat;

const swMeshFormat *sw_mesh_format(const char *path); // by suffix, or NULL
const swMeshFormat *sw_mesh_format_at(int index);     // NULL past the last one
// Reads a mesh into `arena`, and checks that it has at least one triangle, finite positions and
// indices in range.
bool sw_mesh_read(const char *path, swArena *arena, swSurface *surface, swError *error);
bool sw_mesh_write(const char *path, const swSurface *surface, swError *error);
bool sw_mesh_write_groups(const char *path, const swSurface *surface, int ngroup,
                          const swMeshGroup *group, swError *error);
