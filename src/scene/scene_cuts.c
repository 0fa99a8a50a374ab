// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

// Weights must be defined by paths through the material, so that no path crosses a cut.
static bool goes_through(const swWeightsDef *w) {
    return sw_text_equal(w->kind, "smooth") || sw_text_equal(w->kind, "voronoi") ||
           sw_text_equal(w->kind, "harmonic") ||
           (sw_text_equal(w->kind, "shepard") && w->distance != SW_DISTANCE_EUCLIDEAN);
}

// The motion of a body must be linear in its frames, so that the frames after a cut can take it
// over.
const char *sw_cuts_expected(const swScene *scene, const swBody *body) {
    const swFrames *f = &body->frames;
    for (const swCut *cut = body->cuts; cut; cut = cut->next) {
        if (cut->t > 0 && scene->analysis != SW_ANALYSIS_DYNAMIC)
            return "t = 0 unless the analysis is dynamic";
        if (cut->region && cut->region->kind == SW_SHAPE_LABEL)
            return "regions given by a shape, not by labels";
    }
    return !body->cuts                   ? NULL
           : sw_body_model(body)         ? "a body of frames"
           : f->blend != SW_BLEND_LINEAR ? "linear blending"
           : f->adapt.budget > 0         ? "no budget of inserted frames"
           : body->shapes                ? "no rest shapes"
           : body->skeleton              ? "no skeleton"
           : goes_through(&f->weights)
               ? NULL
               : "weights that follow paths in the material (smooth, voronoi, harmonic, or shepard "
                 "with a distance other than euclidean)";
}
