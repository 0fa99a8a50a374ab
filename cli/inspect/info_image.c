// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew info: sizes, directions and values of an image.
#include "inspect/info.h"

enum { SHOWN = 10 }; // values that are listed

static const char *const types[] = {"8 bits",  "8 bits, signed",  "16 bits", "16 bits, signed",
                                    "32 bits", "32 bits, signed", "float",   "double"};

bool info_image_read(ImageFacts *f, const char *path, swArena *arena, swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    bool ok = sw_image_read(path, &scratch, &f->image, error) &&
              sw_image_values(&f->image, arena, &f->values, error);
    f->image.data = NULL;
    sw_arena_free(&scratch);
    return ok;
}

// The value with the most voxels after `last` (-1: the first call); values with equally many keep
// their order. -1: none is left.
static int next_value(const swImageValues *v, int last) {
    int best = -1;
    for (int i = 0; i < v->count; i++) {
        const bool after = last < 0 || v->voxels[i] < v->voxels[last] ||
                           (v->voxels[i] == v->voxels[last] && i > last);
        if (after && (best < 0 || v->voxels[i] > v->voxels[best]))
            best = i;
    }
    return best;
}

static swVec3 spacing(const swImage *m) {
    return sw_v3(sw_norm(m->axis[0]), sw_norm(m->axis[1]), sw_norm(m->axis[2]));
}

// "+x", "-z", or the vector of an oblique direction.
static const char *direction(swVec3 axis, char text[64]) {
    const swVec3 d = sw_unit(axis);
    for (int k = 0; k < 3; k++)
        if (fabs(sw_get(d, k)) > 1 - 1e-9) {
            snprintf(text, 64, "%c%c", sw_get(d, k) > 0 ? '+' : '-', "xyz"[k]);
            return text;
        }
    snprintf(text, 64, "(%.4f, %.4f, %.4f)", d.x, d.y, d.z);
    return text;
}

static void print_values(const swImageValues *v, size_t voxels) {
    printf("  values     %s%d different, from %g to %g\n", v->all ? "" : "more than ", v->count,
           v->lo, v->hi);
    for (int i = next_value(v, -1), n = 0; i >= 0 && n < SHOWN; i = next_value(v, i), n++)
        printf("  %10g  %zu voxels, %.2f %%\n", v->value[i], v->voxels[i],
               100.0 * (double)v->voxels[i] / (double)voxels);
    if (v->count > SHOWN)
        printf("  ...\n");
}

void info_image_print(const ImageFacts *f, const char *path) {
    const swImage *m = &f->image;
    const swVec3 s = spacing(m);
    char text[3][64];
    printf("%s: %s\n", path, m->flat ? "a picture" : "a volume image");
    printf("  size       %d x %d x %d voxels of %s\n", m->n[0], m->n[1], m->n[2], types[m->type]);
    if (!m->flat) {
        printf("  spacing    %.6g x %.6g x %.6g ", s.x, s.y, s.z);
        if (m->unit > 0)
            printf("(times %g m)\n", m->unit);
        else
            printf("(unknown unit: set \"scale\")\n");
        printf("  origin     %.6g, %.6g, %.6g\n", m->origin.x, m->origin.y, m->origin.z);
        printf("  axes       %s, %s, %s\n", direction(m->axis[0], text[0]),
               direction(m->axis[1], text[1]), direction(m->axis[2], text[2]));
    }
    print_values(&f->values, sw_image_count(m));
    printf("\n");
    fflush(stdout);
}

void info_image_put(const ImageFacts *f, swJsonWriter *w) {
    const swImage *m = &f->image;
    const swImageValues *v = &f->values;
    const swVec3 s = spacing(m);
    sw_json_begin(w, "image", '{');
    sw_json_put_numbers(w, "size", 3, (double[3]){m->n[0], m->n[1], m->n[2]});
    sw_json_put_bool(w, "flat", m->flat);
    sw_json_put_numbers(w, "spacing", 3, (double[3]){s.x, s.y, s.z});
    if (m->unit > 0)
        sw_json_put_number(w, "unit", m->unit);
    sw_json_put_numbers(w, "origin", 3, (double[3]){m->origin.x, m->origin.y, m->origin.z});
    sw_json_begin_line(w, "axes", '[');
    for (int k = 0; k < 3; k++)
        sw_json_put_numbers(w, NULL, 3, (double[3]){m->axis[k].x, m->axis[k].y, m->axis[k].z});
    sw_json_end(w);
    sw_json_put_int(w, "different", v->count);
    sw_json_begin(w, "values", '[');
    for (int i = next_value(v, -1), n = 0; i >= 0 && n < SHOWN; i = next_value(v, i), n++) {
        sw_json_begin_line(w, NULL, '{');
        sw_json_put_number(w, "value", v->value[i]);
        sw_json_put_int(w, "voxels", (int64_t)v->voxels[i]);
        sw_json_end(w);
    }
    sw_json_end(w);
    sw_json_end(w);
}
