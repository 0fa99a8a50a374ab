// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the suites on examples share: reading one, and where its body is strained.
#pragma once

#include "potentials/measure.h"
#include "test_tools.h"

// A scene of the folder examples/.
static inline swScene *read_example(const char *name) {
    char path[1024];
    swError error = {0};
    snprintf(path, sizeof path, "%s/%s.json", SW_TEST_EXAMPLES, name);
    swScene *s = sw_scene_read(path, NULL, &error);
    require(s != NULL, &error);
    return s;
}

// Of every sample, with memory of its own.
static inline void measure_samples(const swBodyModel *m, swMeasure measure,
                                   const swMeasureInput *input, swReal *out) {
    swArena arena;
    swMeasureWork work;
    swError error = {0};
    sw_arena_init(&arena, &m->config.allocator);
    require(sw_measure_create(&work, m, 1, &arena, &error), &error);
    sw_measure(m, &work, NULL, measure, input, out);
    sw_arena_free(&arena);
}

// The largest principal strain of samples: its mean over their volume, and its maximum.
typedef struct {
    swReal mean, largest;
    int samples;
} Strain;

// Of the samples with a Young's modulus from lo to hi.
static inline Strain strain_between(const swBodyModel *m, const swReal *q, swReal lo, swReal hi) {
    swReal *strain = calloc((size_t)m->size.nsample, sizeof *strain), volume = 0;
    measure_samples(m, SW_MEASURE_STRAIN, &(swMeasureInput){.q = q}, strain);
    Strain out = {0};
    for (const swGroup *g = m->group; g < m->group + m->size.ngroup; g++)
        for (int i = g->sample; i < g->sample + g->nblock * SW_LANES; i++) {
            const swReal young =
                m->material[g->material].young * m->sample_weight[i] / m->sample_volume[i];
            if (!(young >= lo && young <= hi)) // not-a-number: padding
                continue;
            volume += m->sample_volume[i];
            out.mean += m->sample_volume[i] * strain[i];
            out.largest = fmax(out.largest, strain[i]);
            out.samples++;
        }
    if (volume > 0)
        out.mean /= volume;
    free(strain);
    return out;
}
