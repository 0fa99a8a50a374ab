// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/mesh.h"
#include "formats/mesh_read.h"

#include <string.h>

static const swMeshFormat *const formats[] = {&sw_mesh_obj, &sw_mesh_ply, &sw_mesh_stl,
                                              &sw_mesh_off, &sw_mesh_glb, &sw_mesh_gltf};

const swMeshFormat *sw_mesh_format_at(int index) {
    return index >= 0 && index < SW_COUNT(formats) ? formats[index] : NULL;
}

const swMeshFormat *sw_mesh_format(const char *path) {
    for (int i = 0; i < SW_COUNT(formats); i++)
        if (sw_text_has_suffix(path, formats[i]->suffix))
            return formats[i];
    return NULL;
}

static bool refuse_suffix(const char *path, bool writing, swError *error) {
    char list[SW_SUFFIX_LIST] = "";
    for (int i = 0; i < SW_COUNT(formats); i++)
        if (writing ? formats[i]->write != NULL : formats[i]->read != NULL)
            sw_suffix_add(list, formats[i]->suffix);
    return sw_suffix_refuse(path, writing ? "write a surface mesh" : "read a surface mesh", list,
                            error);
}

static bool check(const swSurface *s, swError *error) {
    if (s->ntriangle == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY, "no triangles: %d vertices and no faces",
                       s->nvertex);
    if (s->ntriangle > INT32_MAX / 6)
        return sw_fail(error, SW_ERROR_LIMIT, "%d triangles are too many; at most %d can be used",
                       s->ntriangle, INT32_MAX / 6);
    for (int i = 0; i < s->nvertex; i++)
        if (!sw_finite3(s->X[i]))
            return sw_fail(error, SW_ERROR_FORMAT, "vertex %d is not finite: %g %g %g", i,
                           s->X[i].x, s->X[i].y, s->X[i].z);
    for (int i = 0; i < 3 * s->ntriangle; i++)
        if (s->triangle[i] < 0 || s->triangle[i] >= s->nvertex)
            return sw_fail(error, SW_ERROR_FORMAT,
                           "triangle %d refers to vertex %d, but there are %d vertices", i / 3,
                           s->triangle[i], s->nvertex);
    return true;
}

// Readers allocate more than the surface, so they work in an arena of their own.
static bool read_in(swArena *scratch, const char *path, const swMeshFormat *format, swArena *arena,
                    swSurface *surface, swError *error) {
    char *data;
    swMeshFile file = {.path = path};
    if (!sw_file_read(path, scratch, &data, &file.size, error))
        return false;
    file.data = data;
    if (file.size > INT32_MAX)
        return sw_fail(error, SW_ERROR_LIMIT,
                       "the file has %zu bytes; mesh files can have at most %d", file.size,
                       INT32_MAX);
    if (!format->read(&file, scratch, surface, error) || !check(surface, error))
        return false;
    size_t nX = (size_t)surface->nvertex, nindex = 3 * (size_t)surface->ntriangle;
    surface->X = sw_arena_grow(arena, surface->X, nX, nX, sizeof *surface->X, error);
    surface->triangle = sw_arena_grow(arena, surface->triangle, nindex, nindex, sizeof(int), error);
    return surface->X && surface->triangle;
}

bool sw_mesh_read(const char *path, swArena *arena, swSurface *surface, swError *error) {
    memset(surface, 0, sizeof *surface);
    const swMeshFormat *format = sw_mesh_format(path);
    if (!format || !format->read)
        return refuse_suffix(path, false, error);
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    bool ok = read_in(&scratch, path, format, arena, surface, error);
    sw_arena_free(&scratch);
    if (ok)
        return true;
    memset(surface, 0, sizeof *surface);
    return sw_error_add_path(path, error);
}

bool sw_mesh_write(const char *path, const swSurface *surface, swError *error) {
    return sw_mesh_write_groups(path, surface, 0, NULL, error);
}

bool sw_mesh_write_groups(const char *path, const swSurface *surface, int ngroup,
                          const swMeshGroup *group, swError *error) {
    const swMeshFormat *format = sw_mesh_format(path);
    if (!format || !format->write)
        return refuse_suffix(path, true, error);
    if (!check(surface, error))
        return sw_error_add_path(path, error);
    swFile file;
    if (!sw_file_open(&file, path, error))
        return false;
    if (!format->write(surface, ngroup, group, &file)) {
        sw_file_abandon(&file);
        return sw_fail_at(error, SW_ERROR_VALUE, path, 0, 0,
                          "%s cannot store this surface: a number is too large for it",
                          format->name);
    }
    return sw_file_close(&file, error);
}
