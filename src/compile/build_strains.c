// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Whether strains that frames lack are computed beforehand or relaxed while the body moves.
#include "compile/build.h"

#include "integrate/integrator.h"
#include "material/law.h"

// Of bodies that are corrected without being told:
enum {
    MOST = 240, // columns of frames, and of handles that move: four each, ten of quadratic frames
    LEAST = 30, // points of integration that were asked for, and more for each of those:
    LEAST_EACH = 4 // half of what it would take
};

static bool fits(swNodeKind kind) { return kind != SW_NODE_POINT; }

// Amplitudes have no mass in steps.
static bool is_explicit(const swScene *scene) {
    const swIntegrator *integrator = sw_integrator_find(scene->time.integrator, NULL);
    return scene->analysis == SW_ANALYSIS_DYNAMIC && integrator && integrator->direct;
}

// What no corrected body can have.
static swCorrection obstacle(const swScene *scene, const swBody *def) {
    const swFrames *f = &def->frames;
    const swIntegration *d = &def->integration;
    bool fit = fits(f->kind) || (f->nkinds > 0 && f->count == 0 && isnan(f->error));
    for (int i = 0; i < f->nkinds; i++)
        fit = fit && fits(f->kinds[i]);
    return !fit                                              ? SW_STRAINS_KIND
           : f->adapt.budget > 0                             ? SW_STRAINS_INSERTED
           : d->every_voxel || d->degree > 0                 ? SW_STRAINS_DEGREE
           : def->cuts                                       ? SW_STRAINS_CUT
           : is_explicit(scene)                              ? SW_STRAINS_EXPLICIT
           : f->count == 0 && f->nat == 0 && isnan(f->error) ? SW_STRAINS_NO_FRAME
                                                             : SW_STRAINS_CORRECTED;
}

static bool is_made_of(const swGrid *g, int material) {
    for (int v = 0; v < g->nvoxel; v++)
        if (g->voxel[v].material == material)
            return true;
    return false;
}

static bool is_dynamic(const swBuilder *b) { return b->scene->analysis == SW_ANALYSIS_DYNAMIC; }

// What flows keeps other shapes than those of modes. Hooke's law has minima inside out, and with
// modes more of them. Of nearly incompressible stuff volumes are split off, where that can be.
static bool find_stuff(swBuilder *b, const swBodyBuild *body, swCorrection *out, swError *error) {
    const bool moves = is_dynamic(b);
    for (int i = 0; i < b->material.count && *out == SW_STRAINS_CORRECTED; i++) {
        bool whole;
        if (!is_made_of(&body->grid, i))
            continue;
        if (!sw_build_is_whole(b, i, &whole, error))
            return false;
        const swMaterialInfo *m = &b->material.item[i];
        const swLaw *law = sw_law_at(m->law);
        if (m->yield > 0)
            *out = SW_STRAINS_FLOW;
        else if (whole)
            *out = SW_STRAINS_LAW;
        else if (moves && law->hookean && law->objective && !body->def->frames.precompute)
            *out = SW_STRAINS_MINIMA;
    }
    return true;
}

// Of a body of which so many columns move, unless it is told to be corrected.
static swCorrection unwise(const swIntegration *d, int moving) {
    return moving > MOST                                              ? SW_STRAINS_MANY
           : d->points > 0 && d->points < LEAST + LEAST_EACH * moving ? SW_STRAINS_FEW_POINTS
                                                                      : SW_STRAINS_CORRECTED;
}

static int count_columns(const swFrames *f) {
    int n = 0;
    for (int i = 0; i < f->nat + f->count; i++)
        n += sw_node_width(i < f->nkinds ? f->kinds[i] : f->kind);
    return n;
}

bool sw_build_strains(swBuilder *b, swBodyBuild *body, int parts, swError *error) {
    const swBody *def = body->def;
    const swIntegration *d = &def->integration;
    if (!body->kind->weights || body->strains != SW_STRAINS_OTHER)
        return true; // it has none, or was tried
    body->strains = d->correct == SW_CORRECT_NO ? SW_STRAINS_NOT_ASKED : obstacle(b->scene, def);
    if (d->correct != SW_CORRECT_AUTO || body->strains != SW_STRAINS_CORRECTED)
        return true;
    // Points that touch move with all modes, which takes long, and modes couple parts that nothing
    // else does. What bones move is to be written as a skin, which has no modes.
    const bool moves = is_dynamic(b);
    body->strains = !d->relax                      ? SW_STRAINS_LOCKED
                    : moves && b->scene->colliders ? SW_STRAINS_TOUCHED
                    : def->skeleton                ? SW_STRAINS_BONES
                    : moves && parts > 1           ? SW_STRAINS_PARTS
                                                   : SW_STRAINS_CORRECTED;
    if (!find_stuff(b, body, &body->strains, error))
        return false;
    if (body->strains == SW_STRAINS_CORRECTED)
        body->strains = unwise(d, count_columns(&def->frames));
    return true;
}

// Frames may be placed by an error, and handles be bones or stiff parts: those are known late.
// Steps with free ones take up to three times as long.
static swCorrection find_late(const swBuilder *b, const swBodyBuild *body) {
    const int first = body->first_node + body->nsite - body->nhandle;
    int moving = 0;
    for (int i = body->first_node; i < first + body->nhandle; i++) {
        const swNode *node = &b->node.item[i];
        if (i >= first && node->ndof > 0 && is_dynamic(b))
            return SW_STRAINS_FREE_PART;
        moving += node->motion != (int)SW_MOTION_FIXED ? node->width : 0;
    }
    return unwise(&body->def->integration, moving);
}

bool sw_build_check_strains(const swBuilder *b, swBodyBuild *body, swError *error) {
    const swIntegration *d = &body->def->integration;
    const char *expected = sw_strains_expected(body->strains);
    if (d->correct == SW_CORRECT_YES && expected)
        return sw_fail(error, SW_ERROR_VALUE, "%s.integration.correct: expected %s", body->key,
                       expected);
    if (d->correct != SW_CORRECT_AUTO || body->strains != SW_STRAINS_CORRECTED)
        return true;
    body->strains = find_late(b, body);
    body->again = body->strains != SW_STRAINS_CORRECTED;
    return !body->again || sw_fail(error, SW_ERROR_VALUE, "%s: it is not corrected, as %s",
                                   body->key, sw_strains_reason(body->strains));
}

void sw_build_relax_instead(const swBuilder *b, swBodyBuild *body, const swError *error) {
    if (body->def->integration.correct != SW_CORRECT_AUTO || error->code != SW_ERROR_NOT_CONVERGED)
        return;
    sw_warn(b->config, "%s: it is relaxed instead of corrected: %s", body->key, error->message);
    body->strains = SW_STRAINS_FAILED;
    body->again = true;
}
