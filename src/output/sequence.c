// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "output/sequence.h"

#include "formats/mesh.h"
#include "kinematics/points.h"

#include <string.h>

// A surface of a body that is written.
typedef struct swShownPart {
    int body;
    swPartInfo part;
} swShownPart;

// The surfaces of all bodies as one, and which parts of it they are.
typedef struct swShownParts {
    swSurface surface;
    int count;
    swShownPart *piece;
    swMeshGroup *group;
} swShownParts;

static bool allocate(const swModel *m, swShownParts *all, swArena *arena, swError *error) {
    int64_t nvertex = 0, ntriangle = 0, count = 0;
    for (int b = 0; b < m->size.nbody; b++) {
        const swBodyModel *body = sw_model_body(m, b);
        for (int i = 0; i < sw_body_shown_count(&body->body[0]); i++, count++) {
            nvertex += sw_body_shown(body, 0, i).npoint;
            ntriangle += sw_body_shown(body, 0, i).ntriangle;
        }
    }
    if (ntriangle == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY, "no body has a surface to write");
    if (nvertex > INT32_MAX || ntriangle > INT32_MAX / 3)
        return sw_fail(error, SW_ERROR_LIMIT, "the surfaces have more than %d indices", INT32_MAX);
    all->surface.nvertex = (int)nvertex;
    all->surface.ntriangle = (int)ntriangle;
    all->surface.X = SW_NEW(arena, nvertex, swVec3, error);
    all->surface.triangle = SW_NEW(arena, 3 * ntriangle, int, error);
    all->piece = SW_NEW(arena, count, swShownPart, error);
    all->group = SW_NEW(arena, count, swMeshGroup, error);
    return all->surface.X && all->surface.triangle && all->piece && all->group;
}

// "body/material", or the name of the body.
static const char *group_name(const swModel *m, const swShownPart *piece, swArena *arena,
                              swError *error) {
    const char *body = sw_model_text(m, m->place[piece->body].name);
    if (piece->part.material < 0)
        return body;
    const swBodyModel *b = sw_model_body(m, piece->body);
    const char *material = sw_body_text(b, b->material[piece->part.material].name);
    const size_t size = strlen(body) + strlen(material) + 2;
    char *name = SW_NEW(arena, size, char, error);
    if (name)
        snprintf(name, size, "%s/%s", body, material);
    return name;
}

static bool collect(const swModel *m, swShownParts *all, swArena *arena, swError *error) {
    if (!allocate(m, all, arena, error))
        return false;
    int vertex = 0, *out = all->surface.triangle;
    for (int b = 0; b < m->size.nbody; b++) {
        const swBodyModel *body = sw_model_body(m, b);
        for (int i = 0; i < sw_body_shown_count(&body->body[0]); i++) {
            const swShownPart piece = {b, sw_body_shown(body, 0, i)};
            const swPartInfo *part = &piece.part;
            const char *name = group_name(m, &piece, arena, error);
            if (!name)
                return false;
            all->piece[all->count] = piece;
            all->group[all->count++] = (swMeshGroup){name, (int)(out - all->surface.triangle) / 3};
            for (int t = 0; t < 3 * part->ntriangle; t++)
                *out++ = body->triangle[3 * part->triangle + t] - part->point + vertex;
            vertex += part->npoint;
        }
    }
    return true;
}

static bool write_keys(const swModel *m, const swClip *clip, const char *path, int first, int count,
                       swArena *arena, swError *error) {
    const swMeshFormat *format = sw_mesh_format(path);
    int stem = (int)(strlen(path) - (format ? strlen(format->suffix) : 0));
    swShownParts all = {0};
    if (!collect(m, &all, arena, error))
        return false;
    int digits = count > 10000 ? snprintf(NULL, 0, "%d", count - 1) : 4;
    size_t room = strlen(path) + 16;
    char *name = SW_NEW(arena, room, char, error);
    bool ok = name != NULL;
    for (int k = 0; ok && k < sw_clip_count(clip); k++) {
        swVec3 *x = all.surface.X;
        for (int i = 0; i < all.count; i++) {
            const swShownPart *piece = &all.piece[i];
            sw_body_clip_points(&clip->body[piece->body], k, piece->part.point, piece->part.npoint,
                                x);
            x += piece->part.npoint;
        }
        snprintf(name, room, "%.*s_%0*d%s", stem, path, digits, first + k, path + stem);
        ok = sw_mesh_write_groups(name, &all.surface, all.count, all.group, error);
    }
    return ok;
}

bool sw_sequence_write(const swModel *model, const swClip *clip, const char *path, swError *error) {
    return sw_sequence_write_part(model, clip, path, 0, sw_clip_count(clip), error);
}

bool sw_sequence_write_part(const swModel *model, const swClip *clip, const char *path, int first,
                            int count, swError *error) {
    if (sw_clip_count(clip) == 0)
        return sw_fail_at(error, SW_ERROR_VALUE, path, 0, 0, "no motion was recorded");
    swArena arena;
    sw_arena_init(&arena, &model->config.allocator);
    bool ok = write_keys(model, clip, path, first, count, &arena, error);
    sw_arena_free(&arena);
    return ok;
}
