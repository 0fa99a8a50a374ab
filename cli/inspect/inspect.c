// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Pictures of what is inside a body: which body, which slice, which fields, and the file.
#include "inspect/inspect.h"

#include "formats/png.h"

#include <string.h>

static const char *body_name(const swBody *body, int index, char text[32]) {
    snprintf(text, 32, "body%d", index + 1);
    return body->name ? body->name : text;
}

// Finds a body by name; NULL: the first one.
static bool find_body(const swScene *scene, const char *name, int *index, swError *error) {
    char text[32], list[256] = "";
    *index = 0;
    for (const swBody *b = scene->bodies; b; b = b->next, ++*index) {
        if (!name || strcmp(body_name(b, *index, text), name) == 0)
            return true;
        const size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s\"%s\"", n ? ", " : "", body_name(b, *index, text));
    }
    if (!name)
        return sw_fail(error, SW_ERROR_VALUE, "the scene has no body to draw");
    return sw_fail(error, SW_ERROR_VALUE, "--body: expected one of %s, found \"%s\"", list, name);
}

// "z", or "z=0.01".
static bool parse_slice(Slice *slice, const char *text, swError *error) {
    *slice = (Slice){.axis = -1, .at = NAN};
    if (!text)
        return true;
    const char *end = text + strlen(text);
    if (text[0] >= 'x' && text[0] <= 'z' &&
        (!text[1] || (text[1] == '=' && sw_text_number(text + 2, end, &slice->at) == end &&
                      isfinite(slice->at)))) {
        slice->axis = text[0] - 'x';
        return true;
    }
    return sw_fail(error, SW_ERROR_VALUE,
                   "--slice: expected x, y or z, or a place like z=0.01, found \"%s\"", text);
}

static bool place_slice(Slice *slice, const swGrid *g, swError *error) {
    if (slice->axis < 0)
        return true;
    const swReal lo = sw_get(g->lo, slice->axis), hi = sw_get(g->hi, slice->axis);
    if (isnan(slice->at))
        slice->at = fabs(lo + hi) > 1e-9 * (hi - lo) ? (lo + hi) / 2 : 0;
    if (slice->at < lo || slice->at > hi)
        return sw_fail(error, SW_ERROR_VALUE,
                       "--slice: expected %c from %.4g to %.4g, the extent of the body, found %.4g",
                       'x' + slice->axis, lo, hi, slice->at);
    return true;
}

static bool write_file(const char *path, const swPicture *picture, swArena *arena, swError *error) {
    swFile file;
    if (!sw_file_open(&file, path, error))
        return false;
    if (sw_png_write(&file, picture->width, picture->height, picture->rgb, arena, error))
        return sw_file_close(&file, error);
    sw_file_abandon(&file);
    return false;
}

static bool draw_all(const InspectOptions *o, Slice *slice, int n, Field *field, swInspect *in,
                     swError *error) {
    swArena *arena = &in->builder.arena;
    swPicture picture[CLI_LIST], grid;
    const int columns = n <= 3 ? n : (int)ceil(sqrt(n));
    if (!place_slice(slice, &in->body.grid, error))
        return false;
    for (int i = 0; i < n; i++)
        if (!field_open(&field[i], in, error))
            return false;
    int legend = 0; // the same width for all, so that all pictures have the same scale
    for (int i = 0; i < n; i++)
        legend = sw_max_int(legend,
                            mark_legend_width(&field[i], mark_text_size(o->size[0], o->size[1])));
    legend = sw_min_int(legend, o->size[0] / 2);
    for (int i = 0; i < n; i++)
        if (!inspect_draw(&field[i], slice, o, legend, arena, &picture[i], error))
            return false;
    return sw_picture_grid(&grid, n, picture, NULL, columns, 4, arena, error) &&
           write_file(o->picture, &grid, arena, error);
}

bool inspect_write(const InspectOptions *options, const swScene *scene, swError *error) {
    InspectOptions o = *options;
    Field field[CLI_LIST];
    swInspectDepth depth = SW_INSPECT_VOLUME;
    Slice slice;
    int body;
    if (o.of.count == 0)
        o.of = (TextList){{"weights"}, 1};
    if (o.size[0] == 0)
        o.size[0] = 640, o.size[1] = 480;
    for (int i = 0; i < o.of.count; i++) {
        if (!field_parse(&field[i], o.of.item[i], error))
            return false;
        depth = field_depth(&field[i]) > depth ? field_depth(&field[i]) : depth;
    }
    if (!sw_text_has_suffix(o.picture, ".png"))
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, o.picture, 0, 0,
                          "expected a name that ends in .png");
    if (!parse_slice(&slice, o.slice, error) || !find_body(scene, o.body, &body, error) ||
        !cli_output_prepare(o.picture, error))
        return false;
    swInspect in;
    const bool ok = sw_inspect_create(&in, scene, body, depth, error) &&
                    draw_all(&o, &slice, o.of.count, field, &in, error);
    sw_inspect_free(&in);
    return ok;
}
