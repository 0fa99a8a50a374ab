// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What linear theory says of a body under its weight and loads, computed on bricks of two widths.
// The body's own answer to the same is compared with it in world/estimate.c.
#include "compile/large.h"
#include "compile/model_build.h"

#include "scene/scene.h"

// Why linear theory has no answer here, or NULL.
static const char *lacks(const swBuilder *b, const swBodyBuild *body) {
    for (int i = 0; i < body->nhandle; i++)
        if (body->handle_defs.item[i]->motion == SW_MOTION_FREE)
            return "a part of it is rigid and free";
    for (int i = 0; i < body->grid.nvoxel; i++) {
        const swMaterialInfo *m = &b->material.item[body->grid.voxel[i].stuff];
        if (m->fibre_stiffness > 0 && body->def->estimate != SW_ESTIMATE_LARGE)
            return "its fibres resist tension alone: linear theory does not know them";
    }
    return body->nhandle == 0           ? "nothing holds it"
           : body->def->beams           ? "it has beams"
           : body->def->slides          ? "frames of it slide"
           : body->def->cuts            ? "it is cut"
           : body->skeleton             ? "bones move it"
           : body->surface.nvertex == 0 ? "it has no surface"
                                        : NULL;
}

// Displacements of nodes to those of the points of the body, in the axes of the world.
static void move_points(const swBuilder *b, const swBodyBuild *body, const swBricks *bricks,
                        const swReal *u, swVec3 *move) {
    for (int i = 0; i < b->point.count; i++)
        move[i] = sw_build_is_held(body, b->point.item[i])
                      ? sw_v3(0, 0, 0)
                      : sw_mul(body->R, sw_bricks_at(bricks, u, b->point.item[i]));
}

// Forces on nodes of bricks; NULL on failure.
static swReal *find_forces(swBuilder *b, const swBodyBuild *body, const swBodyBricks *own,
                           swArena *arena, swError *error) {
    swReal *f = SW_NEW(arena, 3 * (size_t)own->bricks.nnode, swReal, error);
    if (!f || !sw_build_push_loads(b, body, own, sw_v3(1, 1, 1), 1, f, error))
        return NULL;
    sw_bricks_weigh(&own->bricks, own->stuff, sw_mul(sw_mat_t(body->R), b->scene->gravity), f);
    return f;
}

static bool solve_linear(swBuilder *b, const swBodyBuild *body, const swBodyBricks *own,
                         swArena *arena, swVec3 *move, swError *error) {
    swReal *u = find_forces(b, body, own, arena, error);
    if (!u)
        return false;
    sw_factor_solve(&own->matrix.factor, &own->matrix.K, u);
    move_points(b, body, &own->bricks, u, move);
    return true;
}

static swReal size_of(int n, const swVec3 *move) {
    swReal sum = 0;
    for (int i = 0; i < n; i++)
        sum += sw_norm2(move[i]);
    return sqrt(sum);
}

// What finer bricks say, less `move`, which is that of the body's; `left`: how much of that may be
// missing in the finer ones. Where all is smooth errors fall with the width to the power of 3, but
// strains are singular at re-entrant corners and where a clamp or a border of materials ends at the
// surface, and what these leave falls with the power of 1.1 to 1.4: where errors are large it is
// nearly all of them. Surfaces cut bricks of each width elsewhere, so that errors scatter about
// that, and what extrapolation would add may be wrong: it is in doubt.
static bool compare_finer(swBuilder *b, const swBodyBuild *body, const swVec3 *move, swArena *arena,
                          swVec3 *rest, swReal *left, swError *error) {
    static const swReal order = 1.5;
    swBodyBricks finer;
    if (!sw_build_finer_bricks(b, body, arena, &finer, error) ||
        !solve_linear(b, body, &finer, arena, rest, error))
        return false;
    *left = 1 / (pow(body->bricks->bricks.H / finer.bricks.H, order) - 1);
    for (int i = 0; i < b->point.count; i++)
        rest[i] = sw_sub(rest[i], move[i]);
    return true;
}

// Why there is no more than linear theory, or NULL.
static const char *stays_small(const swBuilder *b, const swBodyBuild *body) {
    for (int i = 0; i < body->nhandle; i++)
        if (body->handle_defs.item[i]->motion != SW_MOTION_FIXED)
            return "a handle of it moves";
    for (int i = 0; i < body->grid.nvoxel; i++)
        if (b->material.item[body->grid.voxel[i].stuff].yield > 0)
            return "a material of it flows";
    for (const swJoint *j = b->scene->joints; j; j = j->next)
        if (sw_text_equal(j->body, body->def->name) || sw_text_equal(j->to, body->def->name))
            return "a joint holds it";
    return body->def->muscles  ? "muscles pull it"
           : body->def->shapes ? "its rest shape changes"
                               : NULL;
}

// Points in equilibrium; they are left as they are where none is found.
static bool solve_large(swBuilder *b, swBodyBuild *body, swArena *arena, swVec3 *move,
                        swError *error) {
    const char *reason = stays_small(b, body);
    const swBodyBricks *own = body->bricks;
    bool found = false;
    if (!reason) {
        const swReal *f = find_forces(b, body, own, arena, error);
        swReal *u = SW_NEW(arena, 3 * (size_t)own->bricks.nnode, swReal, error);
        if (!f || !u || !sw_build_large(b, own, f, arena, u, &found, error))
            return false;
        reason = "no equilibrium was found on its bricks";
        if (found)
            move_points(b, body, &own->bricks, u, move);
    }
    if (!found)
        sw_warn(b->config, "%s.estimate: it is of linear theory alone, as %s", body->key, reason);
    b->body.item[0].large = found;
    return true;
}

// What bricks lack is that of linear theory, grown or shrunk with all displacements where these are
// large. Two lattices that happen to agree do not know the answer better than `least` of it.
static bool find_fine(swBuilder *b, swBodyBuild *body, swArena *arena, swVec3 *fine, swReal *doubt,
                      swError *error) {
    static const swReal least = 5e-4;
    const int n = b->point.count;
    swVec3 *rest = SW_NEW(arena, n, swVec3, error);
    swReal left;
    if (!rest || !solve_linear(b, body, body->bricks, arena, fine, error) ||
        !compare_finer(b, body, fine, arena, rest, &left, error))
        return false;
    const swReal before = size_of(n, fine);
    if (body->def->estimate == SW_ESTIMATE_LARGE && !solve_large(b, body, arena, fine, error))
        return false;
    const swReal grown = before > 0 ? size_of(n, fine) / before : 1;
    for (int i = 0; i < n; i++) {
        fine[i] = sw_madd(fine[i], grown, rest[i]);
        doubt[i] = hypot(grown * left * sw_norm(rest[i]), least * sw_norm(fine[i]));
    }
    return true;
}

// On the bricks of correctors, which are there.
static bool find_quick(swBuilder *b, swBodyBuild *body, swError *error) {
    if (body->strains != SW_STRAINS_CORRECTED || !body->bricks || lacks(b, body))
        return true;
    swVec3 *fine = SW_EXTEND(&b->fine, b->point.count, &b->arena, error);
    return fine && SW_EXTEND(&b->fine_doubt, b->point.count, &b->arena, error) &&
           solve_linear(b, body, body->bricks, &b->arena, fine, error);
}

bool sw_build_estimate(swBuilder *b, swBodyBuild *body, swError *error) {
    if (body->def->estimate == SW_ESTIMATE_NONE)
        return !b->scene->memory->quick || find_quick(b, body, error);
    const char *reason = lacks(b, body);
    if (reason) {
        sw_warn(b->config, "%s.estimate: there is none, as %s", body->key, reason);
        return true;
    }
    swVec3 *fine = SW_EXTEND(&b->fine, b->point.count, &b->arena, error);
    swReal *doubt = SW_EXTEND(&b->fine_doubt, b->point.count, &b->arena, error);
    swArena arena;
    sw_arena_init(&arena, &b->config->allocator);
    const bool ok = fine && doubt && sw_build_bricks(b, body, error) &&
                    find_fine(b, body, &arena, fine, doubt, error);
    sw_arena_free(&arena);
    return ok;
}
