// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the colours of a surface show.
#include "run.h"

#include "material/paint.h"

#include <string.h>

static const swColor palette[] = {{0.47f, 0.66f, 0.33f}, {0.90f, 0.44f, 0.32f},
                                  {0.33f, 0.53f, 0.77f}, {0.92f, 0.72f, 0.30f},
                                  {0.60f, 0.45f, 0.70f}, {0.30f, 0.64f, 0.62f}};
// Rigid parts: the first of a body, the others; parts that are held.
static const swColor rigid[2] = {{0.50f, 0.33f, 0.20f}, {0.16f, 0.15f, 0.17f}},
                     held = {0.52f, 0.55f, 0.59f};

// ---- the word ----

// More than one material in a body, or a rigid part that is no bone of a skeleton.
static bool is_made_of_parts(const swModel *m) {
    int material[2] = {-1, -1}; // body, material of the last group
    if (m->size.npart > 0)
        return true;
    for (int64_t i = 0; i < m->size.nhandle; i++)
        if (m->handle[i].motion == SW_MOTION_FREE && m->handle[i].joint < 0)
            return true;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        if (g->body == material[0] && g->material != material[1])
            return true;
        material[0] = g->body;
        material[1] = g->material;
    }
    return false;
}

static bool find_frame(const char *text, const swModel *m, int *frame, swError *error) {
    const char *end = text + strlen(text);
    double number;
    for (int64_t i = 0; i < m->size.nhandle; i++)
        if (strcmp(sw_handle_name(m, (int)i), text) == 0) {
            *frame = m->handle[i].node;
            return true;
        }
    if (sw_text_number(text, end, &number) == end && number == floor(number) && number >= 0 &&
        number < (double)m->size.nnode) {
        *frame = (int)number;
        return true;
    }
    return sw_fail(error, SW_ERROR_VALUE,
                   "--color weight: expected a frame from 0 to %d or the name of a handle, found "
                   "\"%s\"",
                   (int)m->size.nnode - 1, text);
}

static bool is_measured(const Coloring *c) {
    return c->kind == COLOR_STRAIN || c->kind == COLOR_STRESS || c->kind == COLOR_ENERGY;
}

bool coloring_parse(const char *text, const swModel *m, Coloring *c, swError *error) {
    static const char *const names[] = {"plain", "material", "strain", "stress", "energy"};
    *c = (Coloring){.kind = is_made_of_parts(m) ? COLOR_MATERIAL : COLOR_PLAIN};
    if (!text)
        return true;
    for (int i = 0; i < SW_COUNT(names); i++)
        if (strcmp(text, names[i]) == 0) {
            c->kind = (ColorKind)i;
            return !is_measured(c) || m->size.nsample > 0 ||
                   sw_fail(error, SW_ERROR_UNSUPPORTED,
                           "--color: expected plain, material or weight:FRAME, as there are no "
                           "points at which %s is known, found \"%s\"",
                           text, text);
        }
    c->kind = COLOR_WEIGHT;
    if (strncmp(text, "weight:", 7) == 0)
        return find_frame(text + 7, m, &c->frame, error);
    return sw_fail(
        error, SW_ERROR_VALUE,
        "--color: expected plain, material, strain, stress, energy or weight:FRAME, found "
        "\"%s\"",
        text);
}

// ---- colours that stay ----

static void color_plain(const Coloring *c, const swModel *m) {
    for (int b = 0; b < m->size.nbody; b++)
        for (int p = 0; p < m->body[b].npoint; p++)
            c->color[m->body[b].point + p] = palette[(b + 1) % SW_COUNT(palette)];
    for (int64_t i = 0; i < m->size.npart; i++)
        for (int p = 0; p < m->part[i].npoint; p++)
            c->color[m->part[i].point + p] = palette[(m->part[i].body + 1) % SW_COUNT(palette)];
}

// Vertices that a node carries move as it does.
static swReal weight_of(const swModel *m, int point, int node) {
    swReal weight = 0;
    for (int e = m->point_start[point]; e < m->point_start[point + 1]; e++)
        if (m->point_node[e] == node || m->node[m->point_node[e]].carrier == node)
            weight += m->point_weight[e];
    return weight;
}

static void color_weight(const Coloring *c, const swModel *m) {
    for (int p = 0; p < m->size.npoint; p++)
        c->color[p] = sw_map_color(SW_MAP_SEQUENTIAL, weight_of(m, p, c->frame));
}

static bool color_materials(Coloring *c, const swModel *m, swArena *arena, swError *error) {
    swColor *paint = SW_NEW(arena, m->size.nmaterial, swColor, error);
    if (!paint)
        return false;
    for (int i = 0; i < m->size.nmaterial; i++)
        paint[i] = sw_linear_color(sw_material_paint(sw_model_text(m, m->material[i].name), i));
    for (int p = 0; p < m->size.npoint; p++)
        c->color[p] = paint[m->point_material[p]];
    for (int64_t i = 0; i < m->size.nhandle; i++) {
        const swHandleInfo *h = &m->handle[i];
        const swBodyInfo *b = &m->body[h->body];
        const bool first = i == 0 || m->handle[i - 1].body != h->body;
        for (int p = b->point; p < b->point + b->npoint; p++)
            if (m->node[h->node].kind != SW_NODE_MODES && weight_of(m, p, h->node) > 0.999)
                c->color[p] = h->motion == SW_MOTION_FREE ? rigid[!first] : held;
    }
    for (int64_t i = 0; i < m->size.npart; i++)
        for (int p = 0; p < m->part[i].npoint; p++)
            c->color[m->part[i].point + p] = paint[m->part[i].material];
    return true;
}

// ---- strain, stress, energy ----

static void measure(const Coloring *c, const swModel *m, const swClipKey *key) {
    const swMeasureInput input = {key->q, key->activation, key->plastic, NULL};
    sw_measure(m, &c->work, NULL, (swMeasure)(c->kind - COLOR_STRAIN), &input, c->sample);
    sw_sample_map_values(&c->map, c->sample, c->value);
}

// The legend in percent, or in the unit that leaves numbers below a thousand.
static void choose_unit(Coloring *c) {
    static const char *const pascal[] = {"Pa", "kPa", "MPa", "GPa"}, *const joule[] = {
                                                                         "J/m^3", "kJ/m^3",
                                                                         "MJ/m^3", "GJ/m^3"};
    int power = 0;
    if (c->kind == COLOR_STRAIN) {
        c->unit = 0.01;
        snprintf(c->text, sizeof c->text, "principal strain [%%]");
    } else {
        for (c->unit = 1; power < 3 && c->hi >= 1000 * c->unit; power++)
            c->unit *= 1000;
        snprintf(c->text, sizeof c->text, "%s [%s]",
                 c->kind == COLOR_STRESS ? "von Mises" : "energy",
                 (c->kind == COLOR_STRESS ? pascal : joule)[power]);
    }
    c->title = c->text;
    c->hi /= c->unit;
}

static bool create_measure(Coloring *c, const swClip *clip, const int *key, int nkey,
                           swArena *arena, swError *error) {
    const swModel *m = clip->model;
    if (sw_clip_has_points(clip))
        return sw_fail(error, SW_ERROR_UNSUPPORTED,
                       "--color: expected plain, material or weight:FRAME where frames were "
                       "inserted: pictures do not know what strain these make");
    c->sample = SW_NEW(arena, m->size.nsample, swReal, error);
    c->value = SW_NEW(arena, m->size.npoint, swReal, error);
    if (!c->sample || !c->value || !sw_sample_map_create(&c->map, m, arena, error) ||
        !sw_measure_create(&c->work, m, 1, arena, error))
        return false;
    c->hi = c->kind == COLOR_STRAIN ? 1e-4 : 1; // at least: nothing may have moved
    for (int i = 0; i < nkey; i++) {
        measure(c, m, &clip->keys.item[key[i]]);
        for (int p = 0; p < m->size.npoint; p++)
            c->hi = sw_max(c->hi, c->value[p]);
    }
    choose_unit(c);
    return true;
}

void coloring_share(Coloring *c, int n) {
    swReal hi = 0;
    for (int i = 0; i < n && is_measured(c); i++)
        hi = sw_max(hi, c[i].hi * c[i].unit);
    for (int i = 0; i < n && is_measured(c); i++) {
        c[i].hi = hi;
        choose_unit(&c[i]);
    }
}

bool coloring_create(Coloring *c, const swClip *clip, const int *key, int nkey, swArena *arena,
                     swError *error) {
    const swModel *m = clip->model;
    c->color = SW_NEW(arena, m->size.npoint, swColor, error);
    if (!c->color)
        return false;
    switch (c->kind) {
    case COLOR_PLAIN: color_plain(c, m); break;
    case COLOR_MATERIAL: return color_materials(c, m, arena, error);
    case COLOR_STRAIN:
    case COLOR_STRESS:
    case COLOR_ENERGY: return create_measure(c, clip, key, nkey, arena, error);
    case COLOR_WEIGHT:
        c->title = "weight";
        c->hi = 1;
        color_weight(c, m);
        break;
    }
    return true;
}

void coloring_update(Coloring *c, const swModel *m, const swClipKey *key) {
    if (!is_measured(c))
        return;
    measure(c, m, key);
    sw_map_values(SW_MAP_SEQUENTIAL, (int)m->size.npoint, c->value, 0, c->hi * c->unit, c->color);
}
