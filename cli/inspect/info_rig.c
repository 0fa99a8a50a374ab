// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew info: bones and clips of a character.
#include "inspect/info.h"

bool info_rig_read(RigFacts *f, const char *path, swArena *arena, swError *error) {
    f->found = sw_rig_format(path) && sw_rig_read(path, arena, &f->rig, NULL) && f->rig.njoint > 0;
    if (!f->found)
        return true; // a mesh, whose own reader reports errors
    if (!(f->flesh = SW_NEW(arena, f->rig.nnode, int, error)))
        return false;
    for (int v = 0; v < f->rig.surface.nvertex; v++)
        for (int k = f->rig.start[v]; k < f->rig.start[v + 1]; k++)
            f->flesh[f->rig.bind[f->rig.influence[k].bind].node]++;
    return true;
}

void info_rig_print(const RigFacts *f, const char *path) {
    const swRig *r = &f->rig;
    printf("%s: %s with %d joints, %d clip%s\n", path,
           r->surface.nvertex > 0 ? "a character" : "motion capture", r->njoint, r->nclip,
           r->nclip == 1 ? "" : "s");
    for (int i = 0; i < r->nclip; i++)
        printf("  clip       %d \"%s\", %.4g s\n", i, r->clip[i].name, r->clip[i].duration);
    for (int i = 0; i < r->nnode; i++) {
        if (!r->node[i].joint)
            continue;
        printf("  bone       \"%s\"", r->node[i].name);
        if (r->surface.nvertex > 0 && f->flesh[i] > 0)
            printf(", moves %d vertices", f->flesh[i]);
        printf(r->surface.nvertex > 0 && f->flesh[i] == 0 ? ", without flesh\n" : "\n");
    }
    printf("\n");
    fflush(stdout);
}

void info_rig_put(const RigFacts *f, swJsonWriter *w) {
    const swRig *r = &f->rig;
    sw_json_begin(w, "skeleton", '{');
    sw_json_begin(w, "clips", '[');
    for (int i = 0; i < r->nclip; i++) {
        sw_json_begin_line(w, NULL, '{');
        sw_json_put_text(w, "name", r->clip[i].name);
        sw_json_put_number(w, "seconds", r->clip[i].duration);
        sw_json_end(w);
    }
    sw_json_end(w);
    sw_json_begin(w, "bones", '[');
    for (int i = 0; i < r->nnode; i++) {
        if (!r->node[i].joint)
            continue;
        sw_json_begin_line(w, NULL, '{');
        sw_json_put_text(w, "name", r->node[i].name);
        if (r->surface.nvertex > 0)
            sw_json_put_int(w, "vertices", f->flesh[i]);
        sw_json_end(w);
    }
    sw_json_end(w);
    sw_json_end(w);
}
