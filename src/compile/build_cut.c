// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "compile/cut.h"

#include <string.h>

#define THICK 1.2 // voxels: both sides of a thinner cut could share a cell, and be one

swReal sw_cut_next(const swScene *scene, swReal t) {
    swReal next = INFINITY;
    for (const swBody *body = scene->bodies; body; body = body->next)
        for (const swCut *cut = body->cuts; cut; cut = cut->next)
            if (cut->t > t)
                next = sw_min(next, cut->t);
    return next;
}

bool sw_cut_paint(swBuilder *b, swBodyBuild *body, swReal h, swPaintList *list, swError *error) {
    int i = 0;
    for (const swCut *cut = body->def->cuts; cut; cut = cut->next, i++) {
        swShape shape = *cut->region;
        char key[96];
        if (cut->t > b->time)
            continue;
        snprintf(key, sizeof key, "%s.cuts[%d].region", body->key, i);
        if (shape.kind == SW_SHAPE_BOX)
            shape.size = sw_max3(shape.size, sw_v3(THICK * h, THICK * h, THICK * h));
        const swSolid *solid =
            sw_solid_create(&shape, b->scene->folder, key, b->config, &b->arena, error);
        swPaint *paint = solid ? SW_PUSH(list, &b->arena, error) : NULL;
        if (!paint)
            return false;
        *paint = (swPaint){solid, -1, NULL};
        body->ncut++;
    }
    return true;
}

static int piece_of(const swBodyBuild *body, const int *piece, const swVoxel *v) {
    const swLattice *l = &body->lattice;
    return piece[l->corner[8 * l->index[v->cell]]];
}

bool sw_cut_crumbs(swBuilder *b, swBodyBuild *body, swError *error) {
    swGrid *g = &body->grid;
    const int ncell = g->n[0] * g->n[1] * g->n[2];
    int count;
    const int *piece = sw_lattice_pieces(&body->lattice, &b->arena, &count, error);
    swReal *volume = piece ? SW_NEW(&b->arena, count, swReal, error) : NULL;
    if (!volume || body->ncut == 0)
        return volume != NULL;
    for (int v = 0; v < g->nvoxel; v++)
        volume[piece_of(body, piece, &g->voxel[v])] += g->voxel[v].volume;
    int kept = 0;
    g->volume = 0;
    for (int c = 0, v = 0; c < ncell; c++) {
        const int end = g->first[c + 1];
        g->first[c] = kept;
        for (; v < end; v++)
            if (volume[piece_of(body, piece, &g->voxel[v])] >= g->h * g->h * g->h) {
                g->volume += g->voxel[v].volume;
                g->voxel[kept++] = g->voxel[v];
            }
    }
    if (kept == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY, "%s.cuts: nothing of the body is left", body->key);
    g->first[ncell] = g->nvoxel = kept;
    return sw_lattice_create(g, &b->arena, &body->lattice, error);
}

// Of all voxels of a piece, the one nearest to its middle, unless handles carry all of it.
int sw_cut_lonely(const swBodyBuild *body, int n, swArena *arena, int *voxel, swError *error) {
    const swLattice *l = &body->lattice;
    const swGrid *g = &body->grid;
    int npiece, count = 0;
    const int *piece = sw_lattice_pieces(l, arena, &npiece, error);
    char *held = SW_NEW(arena, l->n, char, error), *has = SW_NEW(arena, npiece, char, error);
    swVec3 *middle = SW_NEW(arena, npiece, swVec3, error);
    swReal *volume = SW_NEW(arena, npiece, swReal, error);
    if (!piece || !held || !has || !middle || !volume)
        return -1;
    for (int i = 0; i < body->nhandle; i++)
        for (int k = 0; k < body->handles.item[i].nnode; k++)
            held[body->handles.item[i].node[k]] = 1;
    memset(has, 1, (size_t)npiece);
    for (int i = 0; i < l->n; i++)
        if (!held[i])
            has[piece[i]] = 0;
    for (int i = 0; i < n; i++)
        has[piece[body->site[i].node[0]]] = 1;
    for (int v = 0; v < g->nvoxel; v++) {
        const int p = piece_of(body, piece, &g->voxel[v]);
        middle[p] = sw_madd(middle[p], g->voxel[v].volume, g->voxel[v].centroid);
        volume[p] += g->voxel[v].volume;
    }
    for (int p = 0; p < npiece; p++) {
        const swVec3 at = sw_scale(1 / volume[p], middle[p]);
        int best = -1;
        for (int v = 0; v < g->nvoxel && !has[p]; v++)
            if (piece_of(body, piece, &g->voxel[v]) == p &&
                (best < 0 || sw_norm2(sw_sub(g->voxel[v].centroid, at)) <
                                 sw_norm2(sw_sub(g->voxel[best].centroid, at))))
                best = v;
        if (best >= 0)
            voxel[count++] = best;
    }
    return count;
}
