// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Closed surfaces around the materials of a body, to be shown: embedded as its own surface is.
#include "compile/build.h"

#include "volume/fill_surface.h"

#define TOLD 0.01 // share of a material: less without a surface is not worth a warning

static bool add_part(swBuilder *b, swBodyBuild *body, int material, swReal volume, swError *error) {
    swSurface s;
    swReal lost;
    if (!sw_fill_surface(&body->grid, material, b->pool, &b->arena, &s, &lost, error))
        return false;
    if (lost > TOLD * volume)
        sw_warn(b->config,
                "%s: %.3g%% of its \"%s\" is thinner than half a voxel or so, and not seen in the "
                "surface of that material",
                body->key, 100 * lost / volume, b->text.item + b->material.item[material].name);
    if (s.ntriangle == 0)
        return true;
    swPartInfo *part = SW_EXTEND(&b->part, 1, &b->arena, error);
    if (!part)
        return false;
    *part = (swPartInfo){.body = body->index,
                         .material = material,
                         .point = b->point.count,
                         .npoint = s.nvertex,
                         .triangle = b->triangle.count / 3,
                         .ntriangle = s.ntriangle};
    int *triangle = SW_EXTEND(&b->triangle, 3 * s.ntriangle, &b->arena, error);
    if (!triangle)
        return false;
    for (int i = 0; i < 3 * s.ntriangle; i++)
        triangle[i] = part->point + s.triangle[i];
    return sw_build_points(b, body, s.nvertex, s.X, material, NULL, error);
}

bool sw_build_parts(swBuilder *b, swBodyBuild *body, swError *error) {
    swBodyInfo *info = &b->body.item[body->index];
    info->part = b->part.count;
    swReal *volume = SW_NEW(&b->arena, b->material.count, swReal, error);
    if (!volume)
        return false;
    int count = 0;
    for (int i = 0; i < body->grid.nvoxel; i++) {
        const swVoxel *v = &body->grid.voxel[i];
        count += volume[v->material] == 0;
        volume[v->material] += v->volume;
    }
    if (body->def->surfaces != SW_SURFACES_MATERIALS || count < 2)
        return true;
    for (int m = 0; m < b->material.count; m++)
        if (volume[m] > 0 && !add_part(b, body, m, volume[m], error))
            return false;
    info->npart = b->part.count - info->part;
    return true;
}
