// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void estimate_ask(swScene *scene, bool linear, bool large) {
    const swEstimateKind kind = large    ? SW_ESTIMATE_LARGE
                                : linear ? SW_ESTIMATE_LINEAR
                                         : SW_ESTIMATE_NONE;
    for (swBody *b = scene->bodies; b; b = b->next)
        if (!b->like && b->estimate < kind)
            b->estimate = kind;
}

void estimate_print(const swModel *model, int body, const char *head) {
    swEstimate e;
    swError error;
    sw_error_clear(&error);
    if (sw_body_estimate(model, body, &e, &error))
        printf("%s%.2g %% RMS over the surface, %.2g %% at most, of the largest displacement %s, "
               "%.3g m\n",
               head, 100 * e.error, 100 * e.worst, e.large ? "in equilibrium" : "by linear theory",
               e.largest);
    else if (error.code != SW_ERROR_UNSUPPORTED)
        printf("%sunknown: %s\n", head, error.message);
}

// NULL if no probe has an estimate.
static swReal *find_probes(const swModel *model) {
    const int n = sw_probe_count(model);
    swReal *off = n > 0 ? malloc((size_t)n * sizeof *off) : NULL;
    if (off && sw_probe_estimates(model, off, NULL))
        return off;
    free(off);
    return NULL;
}

void estimate_print_probes(const swModel *model, int body, const char *head) {
    enum { MOST = 10 };
    swReal *off = find_probes(model);
    int count = 0;
    for (int i = 0; off && i < sw_probe_count(model); i++)
        if (sw_probe_body(model, i) == body && !isnan(off[i]) && ++count <= MOST)
            printf("%sprobe \"%s\": %.2g m\n", head, sw_probe_name(model, i), off[i]);
    if (count > MOST)
        printf("%sand %d more probes\n", head, count - MOST);
    free(off);
}

void estimate_put(const swModel *model, int body, const swEstimate *e, swJsonWriter *w) {
    sw_json_put_text(w, "estimate", e->large ? "large" : "linear");
    sw_json_put_number(w, "error", e->error);
    sw_json_put_number(w, "worst_error", e->worst);
    sw_json_put_number(w, "doubt", e->doubt);
    sw_json_put_number(w, "largest_displacement", e->largest);
    swReal *off = find_probes(model);
    if (!off)
        return;
    sw_json_begin_line(w, "probe_errors", '{');
    for (int i = 0; i < sw_probe_count(model); i++)
        if (sw_probe_body(model, i) == body)
            sw_json_put_number(w, sw_probe_name(model, i), off[i]);
    sw_json_end(w);
    free(off);
}
