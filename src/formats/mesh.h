// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reading and writing surface meshes. A format is one file with one row in the table of mesh.c.
#pragma once

#include "geometry/surface.h"

typedef struct swMeshFile {
    const char *path; // to find files named by this one; NULL: there are none
    const char *data; // the whole file; data[size] is a readable zero byte
    size_t size;      // at most INT32_MAX, so that lines and items can be counted in an int
} swMeshFile;

// Triangles with a name, from the one given to the first of the next group.
typedef struct swMeshGroup {
    const char *name;
    int triangle;
} swMeshGroup;

typedef struct swMeshFormat {
    const char *name;   // "OBJ"
    const char *suffix; // ".obj"
    // Errors carry a line or a face in their message; the path is added by the caller. NULL: cannot
    // be read.
    bool (*read)(const swMeshFile *file, swArena *arena, swSurface *surface, swError *error);
    // False where the format cannot hold the surface; most cannot hold groups. NULL: cannot be
    // written.
    bool (*write)(const swSurface *surface, int ngroup, const swMeshGroup *group, swFile *file);
} swMeshFormat;

const swMeshFormat *sw_mesh_format(const char *path); // by suffix, or NULL
const swMeshFormat *sw_mesh_format_at(int index);     // NULL past the last one
// Also checks: at least one triangle, finite positions, indices in range. Everything allocated in
// `arena`.
bool sw_mesh_read(const char *path, swArena *arena, swSurface *surface, swError *error);
bool sw_mesh_write(const char *path, const swSurface *surface, swError *error);
bool sw_mesh_write_groups(const char *path, const swSurface *surface, int ngroup,
                          const swMeshGroup *group, swError *error);
