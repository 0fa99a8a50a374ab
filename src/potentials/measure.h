// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Strain, stress and energy at samples, for people to look at. See kinematics/sample_map.h for the
// way to the surface.
#pragma once

#include "potentials/forces.h"

typedef enum swMeasure {
    SW_MEASURE_STRAIN, // the largest principal stretch, from the present rest shape, less one
    SW_MEASURE_STRESS, // von Mises' equivalent of Cauchy's stress P F^T / J [Pa]
    SW_MEASURE_ENERGY, // elastic, per volume at rest [J/m^3]; with what holds relaxed strains back
    SW_MEASURES
} swMeasure;

typedef struct swMeasureInput {
    const swReal *q;
    const swReal *activation; // of all controls; NULL: none acts
    const swReal *plastic;    // of the samples that flow; NULL: none has
    const swReal *relax;      // amplitudes at q; NULL: those of least energy are looked for
} swMeasureInput;
// Steps of precomputed bodies know no amplitudes.
static inline swMeasureInput sw_measure_input(const swBodyState *s) {
    return (swMeasureInput){s->q, s->activation, s->plastic,
                            s->model->size.nlink > 0 ? NULL : s->relax};
}

typedef struct swMeasureWork {
    swElasticWork elastic;
    swReal *activation, *plastic; // of a body at rest
    swReal *relax, *g;
} swMeasureWork;

bool sw_measure_create(swMeasureWork *work, const swBodyModel *model, int workers, swArena *arena,
                       swError *error);
// Cauchy's stress at each sample [Pa], likewise.
void sw_measure_stress(const swBodyModel *model, const swMeasureWork *work, swPool *pool,
                       const swMeasureInput *input, swMat3 *out);
// A value for each sample, damping left aside. Zero for padding, and where a law has no stress.
void sw_measure(const swBodyModel *model, const swMeasureWork *work, swPool *pool,
                swMeasure measure, const swMeasureInput *input, swReal *out);
