// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Smooth weights: each frame or handle has the part of the material that is nearest to it; the
// parts, 1 inside and 0 outside, are blurred by diffusion through the material, twice:
//
//   (1 - spread r^2 div (E / E_min grad)) w' = w,     no flow through the surface,
//
// with r the root mean square of the distance to the nearest frame (of frames closer to each other
// than their distance across: of 0.7 of the way between them). They add up to one because the
// parts do, and stay between 0 and 1; in a rod they depend on its length alone, as B-splines do,
// for wherever its frames are, the border between two of them runs straight across. A frame need
// not have all of the weight at its own place; handles do.
#include "weights/harmonic.h"

#include <string.h>

enum { BLURS = 2 };
static const swReal least_value = 1e-6; // smaller ones are dropped at once
static const swReal least_peak = 0.3;   // of a frame's weights, before they add up to one
static const swReal cut = 0.001;        // taken off all, so that frames act around themselves only

typedef struct {
    swShares shares; // of the nodes that each site is nearest to
    swReal shift;
} swSmooth;

// Sets x to 1 in the parts of the sites from `first` on, and blurs it.
static swReal blur(const swBatches *batches, const swLaplaceWork *work, int first, swWide *x) {
    const swSmooth *smooth = batches->arg;
    const swLattice *l = batches->laplace->lattice;
    swWide *b = work->load;
    double *value = (double *)x;
    swReal residual = 0;
    int iterations;
    for (int lane = 0; lane < SW_LANES && first + lane < batches->nsite; lane++)
        for (int k = smooth->shares.first[first + lane]; k < smooth->shares.first[first + lane + 1];
             k++) {
            const swShare *share = &smooth->shares.list.item[k];
            value[(ptrdiff_t)share->node * SW_LANES + lane] = share->much;
        }
    for (int k = 0; k < BLURS; k++) {
        for (int i = 0; i < l->n; i++)
            b[i] = x[i] * sw_wide(smooth->shift * l->volume[i]);
        residual = sw_max(residual, sw_laplace_solve(batches->laplace, work, b, x, &iterations));
    }
    return residual;
}

static void start_site(const void *field, int site, swMarch *m) {
    sw_weights_start_site(field, site, m);
}

// The nodes that each site is nearest to, and how far they are; parts of the material that none
// reaches are left to sw_harmonic_loose().
static bool find_parts(const swWeightField *f, swArena *arena, swMarch *m, swShares *shares,
                       swError *error) {
    const swReal *cost;
    if (!sw_march_cost(f->lattice, f->def->distance, arena, &cost, error) ||
        !sw_march_create(m, f->lattice, cost, arena, error) ||
        !(m->label = SW_NEW(arena, f->lattice->n, int, error)))
        return false;
    for (int i = 0; i < f->lattice->n; i++)
        m->label[i] = -1;
    if (!sw_weights_start(f, m, error))
        return false;
    sw_march_run(m);
    if (sw_pool_stopped(f->lattice->pool))
        return sw_fail_stopped(error);
    return sw_march_share(m, f->nsite, start_site, f, arena, shares, error);
}

// Mean square of the distance to the nearest site, over what no handle carries.
static swReal mean_square(const swLattice *l, const swMarch *m, const char *fixed) {
    swReal sum = 0, volume = 0;
    for (int i = 0; i < l->n; i++)
        if (!fixed[i]) {
            sum += l->volume[i] * m->time[i] * m->time[i];
            volume += l->volume[i];
        }
    return volume > 0 && sum > 0 ? sum / volume : l->grid->h * l->grid->h;
}

// A frame close to stiffer ones may have next to nothing of the material, and would have to move
// far for what little it does: its weights are raised to what others have. Then tails are cut.
static bool trim(const swWeightField *f, swNodalList *list, swArena *arena, swError *error) {
    swReal *peak = SW_NEW(arena, f->nsite, swReal, error);
    for (int i = 0; peak && i < list->count; i++)
        peak[list->item[i].site] = sw_max(peak[list->item[i].site], list->item[i].value);
    for (int s = 0; peak && s < f->nsite; s++)
        if (!(peak[s] > 0))
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "%s has no part of the material: others are as near everywhere; put it "
                           "elsewhere, or use smaller voxels",
                           f->site[s].key);
    int count = 0;
    for (int i = 0; peak && i < list->count; i++) {
        swNodalValue v = list->item[i];
        v.value = v.value * sw_max(1, least_peak / peak[v.site]) - cut;
        if (v.value > 0)
            list->item[count++] = v;
    }
    list->count = count;
    return peak != NULL;
}

// Mean square of the distance from each frame to the nearest other one, or handle; infinite where
// it is alone. In a thick bar with many frames the way to the nearest is mostly across.
static swReal spacing(const swWeightField *f) {
    swReal sum = 0;
    int count = 0;
    for (int i = 0; i < f->nsite; i++) {
        swReal nearest = INFINITY;
        for (int j = 0; j < f->nsite && f->site[i].cell >= 0; j++) {
            const swSite *other = &f->site[j];
            const swVec3 p = f->site[i].origin,
                         at = other->cell >= 0 ? other->origin
                                               : sw_min3(sw_max3(p, other->lo), other->hi);
            if (j != i)
                nearest = sw_min(nearest, sw_norm2(sw_sub(at, p)));
        }
        if (isfinite(nearest)) {
            sum += nearest;
            count++;
        }
    }
    return count > 0 && sum > 0 ? sum / count : INFINITY;
}

static bool create(const swWeightField *f, swPool *pool, swArena *scratch, swArena *arena,
                   swNodal *nodal, swError *error) {
    const swLattice *l = f->lattice;
    const swReal *stiffness = NULL;
    swSmooth smooth = {0};
    swLaplace laplace;
    const swBatches job = {&laplace, f->nsite, f->site, least_value, blur, &smooth};
    swPieces pieces;
    swMarch march;
    swNodalList list = {0};
    int *owner;
    char *fixed = SW_NEW(scratch, l->n, char, error);
    if (!fixed || !sw_harmonic_stiffness(f, &stiffness, error) ||
        !sw_harmonic_owners(l, f->nsite, f->site, scratch, &owner, error) ||
        !sw_harmonic_parts(l, owner, scratch, &pieces, error) ||
        !find_parts(f, scratch, &march, &smooth.shares, error))
        return false;
    swReal softest = stiffness ? INFINITY : 1;
    for (int c = 0; c < l->ncell && stiffness; c++)
        softest = sw_min(softest, stiffness[c]);
    for (int i = 0; i < l->n; i++)
        fixed[i] = (owner[i] >= 0 && f->site[owner[i]].cell < 0) || pieces.owner[pieces.of[i]] < 0;
    const swReal reach = sw_min(mean_square(l, &march, fixed), spacing(f) / 2);
    smooth.shift = softest / (f->def->spread * reach);
    return sw_laplace_create(l, stiffness, fixed, smooth.shift, scratch, &laplace, error) &&
           sw_batches_solve(&job, pool, &list, scratch, error) &&
           sw_harmonic_loose(&job, &pieces, &list, scratch, error) &&
           trim(f, &list, scratch, error) &&
           sw_nodal_create(l, list.count, list.item, arena, nodal, error);
}

static bool prepare(swWeightField *f, swPool *pool, swArena *arena, swError *error) {
    swArena scratch;
    swNodal *nodal = SW_NEW(arena, 1, swNodal, error);
    f->data = nodal;
    sw_arena_init(&scratch, &arena->allocator);
    const bool ok = nodal && create(f, pool, &scratch, arena, nodal, error);
    sw_arena_free(&scratch);
    return ok;
}

const swWeightKind sw_weights_smooth = {
    .name = "smooth",
    .doc =
        "the part nearest to each frame, blurred through the material: bends well with few frames",
    .prepare = prepare,
    .evaluate = sw_nodal_evaluate,
};
