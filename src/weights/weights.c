// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/weights.h"

extern const swWeightKind sw_weights_voronoi;
extern const swWeightKind sw_weights_smooth;
extern const swWeightKind sw_weights_shepard;
extern const swWeightKind sw_weights_hat;
extern const swWeightKind sw_weights_spline;
extern const swWeightKind sw_weights_painted;
extern const swWeightKind sw_weights_harmonic;
extern const swWeightKind sw_weights_eigenmodes;

static const swWeightKind *const table[] = {
    &sw_weights_voronoi, &sw_weights_smooth,  &sw_weights_shepard,  &sw_weights_hat,
    &sw_weights_spline,  &sw_weights_painted, &sw_weights_harmonic, &sw_weights_eigenmodes};

const char *sw_weights_name(int index) {
    return index >= 0 && index < SW_COUNT(table) ? table[index]->name : NULL;
}

const swWeightKind *sw_weights_find(const char *name) {
    for (int i = 0; i < SW_COUNT(table); i++)
        if (sw_text_equal(table[i]->name, name))
            return table[i];
    return NULL;
}

bool sw_weights_create(swWeightField *field, const swWeightsDef *def, const char *folder,
                       const swLattice *lattice, int nsite, const swSite *site, swPool *pool,
                       swArena *arena, swError *error) {
    *field = (swWeightField){.kind = sw_weights_find(def->kind),
                             .def = def,
                             .folder = folder,
                             .lattice = lattice,
                             .nsite = nsite,
                             .site = site};
    if (!field->kind)
        return sw_fail(error, SW_ERROR_VALUE, "unknown kind of weights \"%s\"", def->kind);
    return !field->kind->prepare || field->kind->prepare(field, pool, arena, error);
}

static swReal far_from(const swWeightField *field, int s, swVec3 p) {
    const swSolid *region = field->site[s].region;
    return region ? sw_solid_distance(region, p)
                  : sw_grid_distance(field->lattice->grid, s, p, field->fade);
}

// Part of what others have at p, `far` from what site s holds, goes to s: all of it at the border,
// nothing where fading begins.
static void fade(const swWeightField *field, int s, swVec3 p, swReal far, swReal *w, swReal *dw) {
    const swReal t = far / field->fade, share = t * (2 - t), step = 1e-4 * field->fade;
    swReal slope[3];
    for (int x = 0; x < 3; x++) {
        swVec3 before = p, after = p;
        sw_set(&before, x, sw_get(p, x) - step);
        sw_set(&after, x, sw_get(p, x) + step);
        slope[x] = (far_from(field, s, after) - far_from(field, s, before)) / (2 * step) *
                   (2 - 2 * t) / field->fade;
    }
    for (int k = 0; k < field->nsite; k++) {
        const swReal full = w[k] - (k == s);
        w[k] = share * full + (k == s);
        for (int x = 0; x < 3; x++)
            dw[3 * k + x] = share * dw[3 * k + x] + slope[x] * full;
    }
}

void sw_weights_evaluate(const swWeightField *field, int n, const swVec3 *p, const int *cell,
                         swReal *w, swReal *dw) {
    const int nsite = field->nsite;
    field->kind->evaluate(field, n, p, cell, w, dw);
    for (int s = 0; s < nsite; s++) {
        const swSite *site = &field->site[s];
        if (!site->region && (site->cell >= 0 || field->fade == 0))
            continue;
        const swVec3 size = sw_sub(site->hi, site->lo);
        const bool flat = sw_min(size.x, sw_min(size.y, size.z)) <= 0; // slopes begin there
        const swReal reach = flat ? 0 : field->fade;
        for (int i = 0; i < n; i++) {
            swReal *to = w + (size_t)i * (size_t)nsite, *slope = dw + 3 * (to - w);
            const swVec3 out = sw_max3(sw_sub(site->lo, p[i]), sw_sub(p[i], site->hi));
            if (sw_max(out.x, sw_max(out.y, out.z)) > reach)
                continue;
            const swReal far = far_from(field, s, p[i]);
            if (far > 0 && far < reach)
                fade(field, s, p[i], far, to, slope);
            if (far > 0)
                continue;
            for (int k = 0; k < nsite; k++)
                to[k] = k == s;
            for (int k = 0; k < 3 * nsite && !flat; k++)
                slope[k] = 0;
        }
    }
}

void sw_weights_start_site(const swWeightField *f, int site, swMarch *m) {
    const swLattice *l = f->lattice;
    const swSite *s = &f->site[site];
    for (int k = 0; k < s->nnode; k++) {
        const swReal cost = m->cost ? m->cost[l->around[l->start[s->node[k]]] / 8] : 1;
        sw_march_start(m, s->node[k], s->gap ? cost * s->gap[k] : 0, site, 0);
    }
}

bool sw_weights_start(const swWeightField *f, swMarch *m, swError *error) {
    const swLattice *l = f->lattice;
    for (int s = 0; s < f->nsite; s++) {
        for (int k = 0; k < f->site[s].nnode; k++) {
            const int node = f->site[s].node[k];
            if (!isinf(m->time[node]))
                return sw_fail(error, SW_ERROR_VALUE,
                               "%s and %s are less than a voxel apart, near (%.4g, %.4g, %.4g)",
                               f->site[m->label[node]].key, f->site[s].key, l->X[node].x,
                               l->X[node].y, l->X[node].z);
        }
        sw_weights_start_site(f, s, m);
    }
    return true;
}
