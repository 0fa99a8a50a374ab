// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What linear theory says of a body under its weight and loads, computed on bricks. The body's own
// answer to the same is compared with it in world/estimate.c.
#include "compile/bricked.h"
#include "compile/model_build.h"

#include "material/law.h"

typedef struct {
    const swBodyBuild *body;
    const swBodyBricks *own;
    swReal *f; // of nodes, in the axes at rest
} swPush;

static bool push_bricks(const swForceAt *at, void *arg, swError *error) {
    (void)error;
    const swPush *push = arg;
    const swBricks *b = &push->own->bricks;
    const int brick = sw_bricks_find(b, at->p);
    const swVec3 f = sw_mul(sw_mat_t(push->body->R), at->f);
    swReal N[SW_BRICK_NODES];
    sw_brick_shape(b, brick, at->p, N, NULL);
    for (int k = 0; k < SW_BRICK_NODES; k++)
        for (int r = 0; r < 3; r++)
            push->f[3 * b->node[SW_BRICK_NODES * brick + k] + r] += N[k] * sw_get(f, r);
    return true;
}

// Why linear theory has no answer here, or NULL.
static const char *lacks(const swBuilder *b, const swBodyBuild *body) {
    for (int i = 0; i < body->nhandle; i++)
        if (body->handle_defs.item[i]->motion == SW_MOTION_FREE)
            return "a part of it is rigid and free";
    for (int i = 0; i < body->grid.nvoxel; i++) {
        const swMaterialInfo *m = &b->material.item[body->grid.voxel[i].stuff];
        if (!sw_law_at(m->law)->isotropic || m->fibre_stiffness > 0)
            return "a material of it has fibres or axes";
    }
    return body->nhandle == 0           ? "nothing holds it"
           : body->def->beams           ? "it has beams"
           : body->def->slides          ? "frames of it slide"
           : body->def->cuts            ? "it is cut"
           : body->skeleton             ? "bones move it"
           : body->surface.nvertex == 0 ? "it has no surface"
                                        : NULL;
}

bool sw_build_estimate(swBuilder *b, swBodyBuild *body, swError *error) {
    if (!body->def->estimate)
        return true;
    const char *reason = lacks(b, body);
    if (reason) {
        sw_warn(b->config, "%s.estimate: there is none, as %s", body->key, reason);
        return true;
    }
    const swBodyBricks *own = sw_build_bricks(b, body, error);
    swReal *f = own ? SW_NEW(&b->arena, 3 * (size_t)own->bricks.nnode, swReal, error) : NULL;
    swVec3 *fine = f ? SW_EXTEND(&b->fine, body->surface.nvertex, &b->arena, error) : NULL;
    swPush push = {body, own, f};
    if (!fine || !sw_loads_visit(b, body, push_bricks, &push, error))
        return false;
    sw_bricks_weigh(&own->bricks, own->stuff, sw_mul(sw_mat_t(body->R), b->scene->gravity), f);
    sw_factor_solve(&own->matrix.factor, &own->matrix.K, f);
    for (int i = 0; i < body->surface.nvertex; i++)
        if (!sw_build_is_held(body, body->surface.X[i]))
            fine[i] = sw_mul(body->R, sw_bricks_at(&own->bricks, f, body->surface.X[i]));
    return true;
}
