// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "io/sequence.h"

#include "io/mesh.h"
#include "kinematics/points.h"

#include <string.h>

// Room for the vertices of all bodies, and their triangles.
static bool surface_init(const swModel *m, swSurface *surface, swArena *arena, swError *error) {
    int64_t nvertex = 0, ntriangle = 0;
    for (int b = 0; b < m->size.nbody; b++) {
        nvertex += m->body[b].npoint;
        ntriangle += m->body[b].ntriangle;
    }
    if (ntriangle == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY, "no body has a surface to write");
    if (nvertex > INT32_MAX || ntriangle > INT32_MAX / 3)
        return sw_fail(error, SW_ERROR_LIMIT, "the surfaces have more than %d indices", INT32_MAX);
    surface->nvertex = (int)nvertex;
    surface->ntriangle = (int)ntriangle;
    surface->X = SW_NEW(arena, nvertex, swVec3, error);
    surface->triangle = SW_NEW(arena, 3 * ntriangle, int, error);
    if (!surface->X || !surface->triangle)
        return false;
    int first = 0, *out = surface->triangle;
    for (int b = 0; b < m->size.nbody; b++) {
        const swBodyInfo *body = &m->body[b];
        for (int i = 0; i < 3 * body->ntriangle; i++)
            *out++ = m->triangle[3 * body->triangle + i] - body->point + first;
        first += body->npoint;
    }
    return true;
}

static bool write_keys(const swModel *m, const swClip *clip, const char *path, swArena *arena,
                       swError *error) {
    const swMeshFormat *format = sw_mesh_format(path);
    int stem = (int)(strlen(path) - (format ? strlen(format->suffix) : 0));
    swSurface surface = {0};
    if (!surface_init(m, &surface, arena, error))
        return false;
    int digits = clip->keys.count > 10000 ? snprintf(NULL, 0, "%d", clip->keys.count - 1) : 4;
    size_t room = strlen(path) + 16;
    char *name = SW_NEW(arena, room, char, error);
    bool ok = name != NULL;
    for (int k = 0; ok && k < clip->keys.count; k++) {
        swVec3 *x = surface.X;
        for (int b = 0; b < m->size.nbody; b++) {
            sw_points_positions(m, clip->keys.item[k].q, m->body[b].point, m->body[b].npoint, x);
            x += m->body[b].npoint;
        }
        snprintf(name, room, "%.*s_%0*d%s", stem, path, digits, k, path + stem);
        ok = sw_mesh_write(name, &surface, error);
    }
    return ok;
}

bool sw_sequence_write(const swModel *model, const swClip *clip, const char *path, swError *error) {
    if (clip->keys.count == 0)
        return sw_fail_at(error, SW_ERROR_VALUE, path, 0, 0, "no motion was recorded");
    swArena arena;
    sw_arena_init(&arena, &model->config.allocator);
    bool ok = write_keys(model, clip, path, &arena, error);
    sw_arena_free(&arena);
    return ok;
}
