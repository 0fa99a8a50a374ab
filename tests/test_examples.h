// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the suites on examples share: reading one, and where its body is strained.
#pragma once

#include "kinematics/strain.h"
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

// The largest principal strain of samples: its mean over their volume, and its maximum.
typedef struct {
    swReal mean, largest;
    int samples;
} Strain;

// Of the samples with a Young's modulus from lo to hi.
static inline Strain strain_between(const swModel *m, const swReal *q, swReal lo, swReal hi) {
    swReal *scratch = calloc(8 * (size_t)m->size.max_columns, sizeof *scratch);
    swReal *strain = calloc((size_t)m->size.nsample, sizeof *strain), volume = 0;
    assert_true(scratch && strain);
    sw_samples_strain(m, q, NULL, scratch, strain);
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
    free(scratch);
    free(strain);
    return out;
}
