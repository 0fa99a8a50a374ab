// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Whether strains that frames lack are computed beforehand or relaxed while the body moves.
#include "compile/build.h"

#include "material/law.h"

enum { MOST = 60 }; // frames, and handles that move, of a body that is corrected without being told

static bool fits(swNodeKind kind) { return kind == SW_NODE_AFFINE || kind == SW_NODE_RIGID; }

// What no corrected body can have.
static swCorrection obstacle(const swBody *def) {
    const swFrames *f = &def->frames;
    const swIntegration *d = &def->integration;
    bool fit = fits(f->kind) || (f->nkinds > 0 && f->count == 0 && isnan(f->error));
    for (int i = 0; i < f->nkinds; i++)
        fit = fit && fits(f->kinds[i]);
    return !fit                                              ? SW_STRAINS_KIND
           : f->blend != SW_BLEND_LINEAR                     ? SW_STRAINS_BLEND
           : f->precompute                                   ? SW_STRAINS_PRECOMPUTED
           : f->adapt.budget > 0                             ? SW_STRAINS_INSERTED
           : d->every_voxel || d->degree > 0                 ? SW_STRAINS_DEGREE
           : def->cuts                                       ? SW_STRAINS_CUT
           : f->count == 0 && f->nat == 0 && isnan(f->error) ? SW_STRAINS_NO_FRAME
                                                             : SW_STRAINS_CORRECTED;
}

// Modes are those of isotropic stuff.
static bool has_grain(const swBuilder *b, const swGrid *g) {
    for (int v = 0; v < g->nvoxel; v++) {
        const swMaterialInfo *m = &b->material.item[g->voxel[v].material];
        if (m->fibre_stiffness > 0 || !sw_law_at(m->law)->isotropic)
            return true;
    }
    return false;
}

void sw_build_strains(const swBuilder *b, swBodyBuild *body) {
    const swBody *def = body->def;
    const swIntegration *d = &def->integration;
    if (!body->kind->weights || body->strains != SW_STRAINS_OTHER)
        return; // it has none, or was tried
    body->strains = d->correct == SW_CORRECT_NO ? SW_STRAINS_NOT_ASKED : obstacle(def);
    if (d->correct == SW_CORRECT_AUTO && body->strains == SW_STRAINS_CORRECTED)
        body->strains = !d->relax                                    ? SW_STRAINS_LOCKED
                        : has_grain(b, &body->grid)                  ? SW_STRAINS_GRAIN
                        : def->frames.count + def->frames.nat > MOST ? SW_STRAINS_MANY
                                                                     : SW_STRAINS_CORRECTED;
}

// Not all of them are known before frames are placed.
static int count_moving(const swBuilder *b, const swBodyBuild *body) {
    int count = 0;
    for (int i = 0; i < body->nsite; i++) {
        const swNode *n = &b->node.item[body->first_node + i];
        count += n->ndof > 0 || n->motion != (int)SW_MOTION_FIXED;
    }
    return count;
}

bool sw_build_check_strains(const swBuilder *b, swBodyBuild *body, swError *error) {
    const bool told = body->def->integration.correct == SW_CORRECT_YES;
    const char *expected = sw_strains_expected(body->strains);
    if (body->strains == SW_STRAINS_CORRECTED && !told && count_moving(b, body) > MOST) {
        body->strains = SW_STRAINS_MANY;
        body->again = true;
        return sw_fail(error, SW_ERROR_LIMIT, "%s: it has more than %d frames", body->key, MOST);
    }
    return !told || !expected ||
           sw_fail(error, SW_ERROR_VALUE, "%s.integration.correct: expected %s", body->key,
                   expected);
}

void sw_build_relax_instead(const swBuilder *b, swBodyBuild *body, const swError *error) {
    if (body->def->integration.correct != SW_CORRECT_AUTO || error->code != SW_ERROR_NOT_CONVERGED)
        return;
    sw_warn(b->config, "%s: it is relaxed instead of corrected: %s", body->key, error->message);
    body->strains = SW_STRAINS_FAILED;
    body->again = true;
}
