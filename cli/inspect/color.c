// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the colours of a surface show.
#include "inspect/picture.h"

#include "kinematics/sample_map.h"
#include "material/paint.h"
#include "potentials/measure.h"
#include "world/world.h"

#include <string.h>

typedef struct BodyMeasure { // scratch
    swSampleMap map;
    swMeasureWork work;
    swReal *sample;
} BodyMeasure;

static const swColor palette[] = {{0.47f, 0.66f, 0.33f}, {0.90f, 0.44f, 0.32f},
                                  {0.33f, 0.53f, 0.77f}, {0.92f, 0.72f, 0.30f},
                                  {0.60f, 0.45f, 0.70f}, {0.30f, 0.64f, 0.62f}};
// Rigid parts: the first one of a body, and the others; parts that are held in place.
static const swColor rigid[2] = {{0.50f, 0.33f, 0.20f}, {0.16f, 0.15f, 0.17f}},
                     held = {0.52f, 0.55f, 0.59f};

// ---- the option ----

// Whether a body has more than one material, or a rigid part that is not a bone of a skeleton.
static bool is_made_of_parts(const swModel *model) {
    for (int64_t k = 0; k < model->size.ncompiled; k++) {
        const swBodyModel *m = model->compiled[k];
        if (m->size.npart > 0)
            return true;
        for (int64_t i = 0; i < m->size.nhandle; i++)
            if (m->handle[i].motion == SW_MOTION_FREE && m->handle[i].joint < 0)
                return true;
        for (int64_t i = 1; i < m->size.ngroup; i++)
            if (m->group[i].material != m->group[i - 1].material)
                return true;
    }
    return false;
}

static bool find_frame(const char *text, const swModel *m, int *frame, swError *error) {
    const char *end = text + strlen(text);
    const int nframe = sw_frame_count(m);
    double number;
    for (int i = 0; i < sw_handle_count(m); i++)
        if (strcmp(sw_handle_name(m, i), text) == 0) {
            *frame = sw_handle_frame(m, i);
            return true;
        }
    if (sw_text_number(text, end, &number) == end && number == floor(number) && number >= 0 &&
        number < nframe) {
        *frame = (int)number;
        return true;
    }
    return sw_fail(error, SW_ERROR_VALUE,
                   "--color weight: expected a frame from 0 to %d or the name of a handle, found "
                   "\"%s\"",
                   nframe - 1, text);
}

static bool has_samples(const swModel *m) {
    for (int64_t k = 0; k < m->size.ncompiled; k++)
        if (m->compiled[k]->size.nsample > 0)
            return true;
    return false;
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
            return !is_measured(c) || has_samples(m) ||
                   sw_fail(error, SW_ERROR_UNSUPPORTED,
                           "--color: expected plain, material or weight:FRAME, as the model has no "
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

// ---- constant colours ----

// For one body: `color` has an entry for each of its own embedded points.
static void color_plain(const swBodyModel *m, int body, swColor *color) {
    const swColor paint = palette[(body + 1) % SW_COUNT(palette)];
    for (int64_t p = 0; p < m->size.npoint; p++)
        color[p] = paint;
}

// The weight of a node at a point, including vertices that the node carries, as these move with it.
static swReal weight_of(const swBodyModel *m, int point, int node) {
    swReal weight = 0;
    for (int e = m->point_start[point]; e < m->point_start[point + 1]; e++)
        if (m->point_node[e] == node || m->node[m->point_node[e]].carrier == node)
            weight += m->point_weight[e];
    return weight;
}

static void color_weight(const swBodyModel *m, int node, swColor *color) {
    for (int p = 0; p < m->size.npoint; p++)
        color[p] = sw_map_color(SW_MAP_SEQUENTIAL,
                                node >= 0 && node < m->size.nnode ? weight_of(m, p, node) : 0);
}

static bool color_materials(const swBodyModel *m, swColor *color, swArena *arena, swError *error) {
    swColor *paint = SW_NEW(arena, m->size.nmaterial, swColor, error);
    if (!paint)
        return false;
    for (int i = 0; i < m->size.nmaterial; i++)
        paint[i] = sw_linear_color(sw_material_paint(sw_body_text(m, m->material[i].name), i));
    for (int p = 0; p < m->size.npoint; p++)
        color[p] = paint[m->point_material[p]];
    for (int64_t i = 0; i < m->size.nhandle; i++) {
        const swHandleInfo *h = &m->handle[i];
        const swBodyInfo *b = &m->body[0];
        for (int p = b->point; p < b->point + b->npoint; p++)
            if (m->node[h->node].kind != SW_NODE_MODES && weight_of(m, p, h->node) > 0.999)
                color[p] = h->motion == SW_MOTION_FREE ? rigid[i > 0] : held;
    }
    for (int64_t i = 0; i < m->size.npart; i++)
        for (int p = 0; p < m->part[i].npoint; p++)
            color[m->part[i].point + p] = paint[m->part[i].material];
    return true;
}

// ---- strain, stress, energy ----

static void measure(const Coloring *c, const swClip *clip, int key) {
    for (int64_t b = 0; b < clip->model->size.nbody; b++) {
        const BodyMeasure *body = &c->body[b];
        const swBodyClip *of = &clip->body[b];
        const swClipKey *now = &of->keys.item[key];
        const swMeasureInput input = {now->q, now->activation, now->plastic, NULL};
        if (of->model->size.nsample == 0)
            continue;
        sw_measure(of->model, &body->work, NULL, (swMeasure)(c->kind - COLOR_STRAIN), &input,
                   body->sample);
        sw_sample_map_values(&body->map, body->sample, c->value + clip->model->place[b].point);
    }
}

// Percent for strain; else the unit that keeps the numbers of the legend below a thousand.
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
                       "--color: expected plain, material or weight:FRAME, as frames were "
                       "inserted, whose strain pictures cannot show");
    const int npoint = sw_model_last(m).point;
    c->body = SW_NEW(arena, m->size.nbody, BodyMeasure, error);
    c->value = SW_NEW(arena, npoint, swReal, error);
    if (!c->body || !c->value)
        return false;
    for (int64_t b = 0; b < m->size.nbody; b++) {
        const swBodyModel *of = sw_model_body(m, b);
        c->body[b].sample = SW_NEW(arena, of->size.nsample, swReal, error);
        if (!c->body[b].sample || !sw_sample_map_create(&c->body[b].map, of, arena, error) ||
            !sw_measure_create(&c->body[b].work, of, 1, arena, error))
            return false;
    }
    c->hi = c->kind == COLOR_STRAIN ? 1e-4 : 1; // at least, as nothing may have moved
    for (int i = 0; i < nkey; i++) {
        measure(c, clip, key[i]);
        for (int p = 0; p < npoint; p++)
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
    c->color = SW_NEW(arena, sw_model_last(m).point, swColor, error);
    if (!c->color)
        return false;
    if (is_measured(c))
        return create_measure(c, clip, key, nkey, arena, error);
    if (c->kind == COLOR_WEIGHT) {
        c->title = "weight";
        c->hi = 1;
    }
    for (int b = 0; b < m->size.nbody; b++) {
        const swBodyModel *body = sw_model_body(m, b);
        swColor *color = c->color + m->place[b].point;
        if (c->kind == COLOR_PLAIN)
            color_plain(body, b, color);
        else if (c->kind == COLOR_WEIGHT)
            color_weight(body, c->frame - m->place[b].frame, color);
        else if (!color_materials(body, color, arena, error))
            return false;
    }
    return true;
}

void coloring_update(Coloring *c, const swClip *clip, int key) {
    if (!is_measured(c))
        return;
    measure(c, clip, key);
    sw_map_values(SW_MAP_SEQUENTIAL, sw_model_last(clip->model).point, c->value, 0, c->hi * c->unit,
                  c->color);
}
