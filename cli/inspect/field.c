// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The fields of a body that can be drawn: their values at points, colours and legends.
#include "inspect/inspect.h"

#include "material/paint.h"

#include <stdlib.h>
#include <string.h>

typedef struct FieldName {
    const char *name;
    swInspectDepth depth;
} FieldName;

static const FieldName names[] = {
    [FIELD_WEIGHT] = {"weight:", SW_INSPECT_WEIGHTS},
    [FIELD_WEIGHTS] = {"weights", SW_INSPECT_WEIGHTS},
    [FIELD_DISTANCE] = {"distance", SW_INSPECT_WEIGHTS},
    [FIELD_MATERIAL] = {"material", SW_INSPECT_VOLUME},
    [FIELD_STIFFNESS] = {"stiffness", SW_INSPECT_VOLUME},
    [FIELD_LABEL] = {"label", SW_INSPECT_VOLUME},
    [FIELD_REGIONS] = {"regions", SW_INSPECT_SAMPLES},
    [FIELD_POINTS] = {"points", SW_INSPECT_SAMPLES},
};

static const swColor rigid = {0.80f, 0.81f, 0.83f}, pale = {0.93f, 0.94f, 0.95f},
                     nowhere = {0.55f, 0.55f, 0.55f}, paper = {1, 1, 1};

// ---- names ----

bool field_parse(Field *f, const char *text, swError *error) {
    *f = (Field){.text = text};
    for (int i = 0; i < SW_COUNT(names); i++) {
        const size_t n = strlen(names[i].name);
        if (i == FIELD_WEIGHT ? strncmp(text, names[i].name, n) == 0 && text[n]
                              : strcmp(text, names[i].name) == 0) {
            f->kind = (FieldKind)i;
            return true;
        }
    }
    return sw_fail(error, SW_ERROR_VALUE,
                   "--of: expected weight:FRAME, weights, distance, material, stiffness, label, "
                   "regions or points, found \"%s\"",
                   text);
}

swInspectDepth field_depth(const Field *f) { return names[f->kind].depth; }

static bool find_site(Field *f, swError *error) {
    const swInspect *in = f->in;
    const char *word = f->text + strlen(names[FIELD_WEIGHT].name), *end = word + strlen(word);
    const int nframe = in->body.nsite - in->body.nhandle;
    char name[16], list[256] = "";
    double number;
    for (int s = nframe; s < in->body.nsite; s++) {
        const char *handle = sw_inspect_site_name(in, s, name);
        if (strcmp(handle, word) == 0) {
            f->site = s;
            return true;
        }
        const size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, ", \"%s\"", handle);
    }
    if (sw_text_number(word, end, &number) == end && number == floor(number) && number >= 0 &&
        number < in->body.nsite) {
        f->site = (int)number;
        return true;
    }
    return sw_fail(error, SW_ERROR_VALUE,
                   "--of weight: expected a frame from 0 to %d%s, found \"%s\"", in->body.nsite - 1,
                   list, word);
}

// ---- colours ----

swColor field_map(const Field *f, swReal value) {
    const swReal t =
        f->log ? log(value / f->lo) / log(f->hi / f->lo) : (value - f->lo) / (f->hi - f->lo);
    return sw_map_color(SW_MAP_SEQUENTIAL, t);
}

// ---- numbers ----

swReal field_nice(swReal size) {
    const swReal power = pow(10, floor(log10(size))), x = size / power;
    return power * (x < 1.5 ? 1 : x < 3.5 ? 2 : x < 7.5 ? 5 : 10);
}

int field_ticks(const Field *f, swReal tick[16]) {
    static const swReal digit[3] = {1, 2, 5};
    int n = 0;
    if (!f->log) {
        for (swReal k = ceil(f->lo / f->step - 1e-6); k * f->step <= f->hi * (1 + 1e-6) && n < 16;
             k++)
            tick[n++] = k * f->step;
        return n;
    }
    const bool decades = f->hi / f->lo > 2000;
    for (swReal power = pow(10, floor(log10(f->lo))); power <= f->hi; power *= 10)
        for (int i = 0; i < (decades ? 1 : 3) && n < 16; i++)
            if (digit[i] * power >= f->lo * (1 - 1e-9) && digit[i] * power <= f->hi * (1 + 1e-9))
                tick[n++] = digit[i] * power;
    if (n < 2) {
        tick[0] = f->lo;
        tick[1] = f->hi;
        n = 2;
    }
    return n;
}

// Finds the range of a weight; some kinds of weights go below 0 and above 1.
static bool weight_range(Field *f, swInspect *in, swError *error) {
    enum { BATCH = 64 };
    const swGrid *g = &in->body.grid;
    const size_t n = (size_t)in->body.nsite;
    f->unit = "weight";
    f->hi = 1;
    swReal *w = SW_NEW(&in->builder.arena, 4 * BATCH * n, swReal, error);
    if (!w || !in->body.weights.kind->negative)
        return w != NULL;
    for (int first = 0; first < g->nvoxel; first += BATCH) {
        const int count = sw_min_int(BATCH, g->nvoxel - first);
        swVec3 p[BATCH];
        int cell[BATCH];
        for (int i = 0; i < count; i++) {
            p[i] = g->voxel[first + i].centroid;
            cell[i] = in->body.lattice.index[g->voxel[first + i].cell];
        }
        sw_inspect_weights(in, count, p, cell, w, w + BATCH * n);
        for (int i = 0; i < count; i++) {
            f->lo = sw_min(f->lo, w[(size_t)i * n + (size_t)f->site]);
            f->hi = sw_max(f->hi, w[(size_t)i * n + (size_t)f->site]);
        }
    }
    return true;
}

static void distance_range(Field *f) {
    const swLattice *l = &f->in->body.lattice;
    f->unit = l->young && f->in->body.def->frames.weights.distance == SW_DISTANCE_COMPLIANCE
                  ? "m of the softest"
                  : "m";
    for (int i = 0; i < l->n; i++)
        if (isfinite(f->distance[i]))
            f->hi = sw_max(f->hi, f->distance[i]);
    if (!(f->hi > 0))
        f->hi = l->grid->h;
}

static void stiffness_range(Field *f) {
    f->unit = "Pa";
    f->log = true;
    f->lo = INFINITY;
    for (int v = 0; v < f->in->body.grid.nvoxel; v++) {
        f->lo = sw_min(f->lo, sw_inspect_young(f->in, v));
        f->hi = sw_max(f->hi, sw_inspect_young(f->in, v));
    }
    if (f->hi < 1.001 * f->lo) {
        f->lo /= 2;
        f->hi *= 2;
    }
}

// ---- kinds ----

static bool add_legend(Field *f, swColor color, swArena *arena, const char *name, swError *error) {
    LegendItem *item = SW_PUSH(&f->legend, arena, error);
    if (!item)
        return false;
    item->color = color;
    snprintf(item->name, sizeof item->name, "%s", name);
    return true;
}

static bool material_legend(Field *f, swInspect *in, swError *error) {
    swArena *a = &in->builder.arena;
    const swGrid *g = &in->body.grid;
    const int n = in->builder.material.count;
    bool *used = SW_NEW(a, n, bool, error);
    f->paint = SW_NEW(a, n, swColor, error);
    bool ok = used && f->paint;
    for (int v = 0; ok && v < g->nvoxel; v++)
        used[g->voxel[v].material] = true;
    for (int i = 0; ok && i < n; i++) {
        const char *name = in->builder.text.item + in->builder.material.item[i].name;
        f->paint[i] = sw_linear_color(sw_material_paint(name, i));
        ok = !used[i] || add_legend(f, f->paint[i], a, name, error);
    }
    return ok;
}

static int compare_int(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool label_legend(Field *f, swInspect *in, swError *error) {
    enum { MOST = 24 };
    const swGrid *g = &in->body.grid;
    swArena *a = &in->builder.arena;
    f->label = SW_NEW(a, g->nvoxel, int, error);
    for (int v = 0; f->label && v < g->nvoxel; v++)
        f->label[v] = g->voxel[v].label;
    if (!f->label)
        return false;
    qsort(f->label, (size_t)g->nvoxel, sizeof *f->label, compare_int);
    for (int v = 0; v < g->nvoxel; v++)
        if (f->nlabel == 0 || f->label[f->nlabel - 1] != f->label[v])
            f->label[f->nlabel++] = f->label[v];
    for (int i = 0; i < f->nlabel && i < MOST; i++) {
        char name[32];
        snprintf(name, sizeof name, f->label[i] == SW_NO_LABEL ? "no label" : "%d", f->label[i]);
        if (!add_legend(f, sw_kind_color(i), a, name, error))
            return false;
    }
    snprintf(f->title, sizeof f->title, "labels");
    if (f->nlabel > MOST) {
        char more[32];
        snprintf(more, sizeof more, "and %d more", f->nlabel - MOST);
        return add_legend(f, paper, a, more, error);
    }
    return true;
}

static bool region_legend(Field *f, swInspect *in, swError *error) {
    snprintf(f->title, sizeof f->title, "%d region%s of integration, %d point%s", in->nregion,
             in->nregion == 1 ? "" : "s", in->npoint, in->npoint == 1 ? "" : "s");
    for (int v = 0; v < in->body.grid.nvoxel; v++)
        if (in->body.region[v] < 0)
            return add_legend(f, rigid, &in->builder.arena, "rigid", error);
    return true;
}

bool field_open(Field *f, swInspect *in, swError *error) {
    char name[16];
    bool ok = true;
    f->in = in;
    switch (f->kind) {
    case FIELD_WEIGHT:
        if (!find_site(f, error))
            return false;
        ok = weight_range(f, in, error);
        snprintf(f->title, sizeof f->title, "weight of %s %s",
                 f->site < in->body.nsite - in->body.nhandle ? "frame" : "handle",
                 sw_inspect_site_name(in, f->site, name));
        break;
    case FIELD_WEIGHTS:
        snprintf(f->title, sizeof f->title, "weights of all frames and handles");
        f->light = SW_NEW(&in->builder.arena, in->body.nsite, swVec3, error);
        for (int i = 0; f->light && i < in->body.nsite; i++)
            f->light[i] = sw_color_linear(sw_kind_color(i));
        ok = f->light != NULL;
        break;
    case FIELD_DISTANCE:
        snprintf(f->title, sizeof f->title, "distance to the nearest frame or handle");
        if (!sw_inspect_distance(in, &f->distance, error))
            return false;
        distance_range(f);
        break;
    case FIELD_MATERIAL:
        snprintf(f->title, sizeof f->title, "materials");
        ok = material_legend(f, in, error);
        break;
    case FIELD_STIFFNESS:
        snprintf(f->title, sizeof f->title, "Young's modulus");
        stiffness_range(f);
        break;
    case FIELD_LABEL: ok = label_legend(f, in, error); break;
    case FIELD_REGIONS: ok = region_legend(f, in, error); break;
    case FIELD_POINTS:
        snprintf(f->title, sizeof f->title, "%d points of integration", in->npoint);
        break;
    }
    f->step = f->unit ? field_nice((f->hi - f->lo) / 10) : 1;
    return ok;
}

// ---- at points ----

static Look look_value(const Field *f, swReal value) {
    if (!isfinite(value))
        return (Look){nowhere, INT32_MAX};
    // The tolerance keeps rounding from drawing lines where the field is flat.
    const swReal band = f->log ? 0 : floor(value / f->step + 1e-6) - floor(f->lo / f->step);
    return (Look){field_map(f, value), sw_max_int(0, (int)band)};
}

static Look look_weights(const Field *f, const swReal *w) {
    swVec3 sum = {0, 0, 0};
    int best = 0;
    for (int s = 0; s < f->in->body.nsite; s++) {
        sum = sw_madd(sum, w[s], f->light[s]);
        best = w[s] > w[best] ? s : best;
    }
    return (Look){sw_linear_color(sum), best};
}

static swReal distance_at(const Field *f, int cell, swVec3 p) {
    const swLattice *l = &f->in->body.lattice;
    swReal N[8], sum = 0;
    sw_lattice_shape(l, cell, sw_lattice_clamp(l, cell, p), N, NULL);
    for (int k = 0; k < 8; k++)
        sum += N[k] > 0 ? N[k] * f->distance[l->corner[8 * (ptrdiff_t)cell + k]] : 0;
    return sum;
}

static Look look_voxel(const Field *f, int voxel) {
    const swInspect *in = f->in;
    const swVoxel *v = &in->body.grid.voxel[voxel];
    switch (f->kind) {
    case FIELD_MATERIAL: return (Look){f->paint[v->material], v->material};
    case FIELD_STIFFNESS: return look_value(f, sw_inspect_young(in, voxel));
    case FIELD_LABEL: {
        const int *at = bsearch(&v->label, f->label, (size_t)f->nlabel, sizeof *at, compare_int);
        return (Look){sw_kind_color((int)(at - f->label)), (int)(at - f->label)};
    }
    case FIELD_REGIONS: {
        const int region = in->body.region[voxel];
        return (Look){region < 0 ? rigid : sw_kind_color(region), region + 1};
    }
    default: return (Look){in->body.region[voxel] < 0 ? rigid : pale, v->material};
    }
}

void field_look(const Field *f, int n, const swVec3 *p, const int *cell, swReal *scratch,
                Look *look) {
    const size_t nsite = (size_t)f->in->body.nsite;
    if (f->kind == FIELD_WEIGHT || f->kind == FIELD_WEIGHTS)
        sw_inspect_weights(f->in, n, p, cell, scratch, scratch + (size_t)n * nsite);
    for (int i = 0; i < n; i++) {
        const swReal *w = scratch + (size_t)i * nsite;
        look[i] = f->kind == FIELD_WEIGHT    ? look_value(f, w[f->site])
                  : f->kind == FIELD_WEIGHTS ? look_weights(f, w)
                  : f->kind == FIELD_DISTANCE
                      ? look_value(f, distance_at(f, cell[i], p[i]))
                      : look_voxel(f, sw_inspect_voxel(f->in, cell[i], p[i]));
    }
}
