// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the suites on scenes share.
#pragma once

#include "test_tools.h"

#include "math/vec.h"
#include "scene/scene.h"

// JSON in these tests has single quotes.
static inline char *quoted(const char *text) {
    static char out[8][65536];
    static int turn;
    char *copy = out[turn++ % 8];
    snprintf(copy, sizeof out[0], "%s", text);
    for (char *c = copy; *c; c++)
        if (*c == '\'')
            *c = '"';
    return copy;
}

static inline swScene *parse_with(const char *json, const swConfig *config, swError *error) {
    const char *text = quoted(json);
    return sw_scene_parse(text, strlen(text), "scene.json", config, error);
}
static inline swScene *parse_scene(const char *json, swError *error) {
    return parse_with(json, NULL, error);
}

static inline swModel *compile_text(const char *json, const swConfig *config) {
    swError error = {0};
    swScene *scene = parse_with(json, config, &error);
    require(scene != NULL, &error);
    swModel *model = compile_scene(scene);
    sw_scene_destroy(scene); // the model needs it no more
    return model;
}

// Scenes of one ball, with something more at the top, in the body, ...
#define SCENE(more) "{'sinew': 1, 'bodies': [{'shape': {'sphere': {'radius': 1}}}]" more "}"
#define BODY(more) "{'sinew': 1, 'bodies': [{'shape': {'sphere': {'radius': 1}}" more "}]}"
#define SHAPE(shape) "{'sinew': 1, 'bodies': [{'shape': " shape "}]}"
#define REGION(region) BODY(", 'handles': [{'region': " region "}]")
#define LOAD(load) BODY(", 'loads': [{" load "'on': {'sphere': {'radius': 1}}}]")
#define MOTION(motion) \
    BODY(", 'handles': [{'region': {'sphere': {'radius': 1}}, 'motion': " motion "}]")
#define TWO(more) \
    "{'sinew': 1, 'materials': {'rubber': {}, 'steel': {}}, 'bodies': [{'shape': " more "}]}"

// A sound scene with one of everything, built in C.
static inline swScene *built_scene(void) {
    swScene *s = sw_scene_create(NULL);
    sw_scene_add_material(s, "rubber");
    swBody *b = sw_scene_add_body(s, "bar");
    swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
    box->size = sw_v3(1, 1, 1);
    swHandle *h = sw_body_add_handle(s, b, "wall", SW_SHAPE_HALFSPACE);
    h->region->normal = sw_v3(1, 0, 0);
    sw_handle_add_key(s, h, 0);
    sw_handle_add_key(s, h, 1)->pose.angle = 1;
    swLoad *load = sw_body_add_load(s, b, SW_SHAPE_SPHERE);
    load->on->radius = 1;
    load->traction = sw_v3(1, 0, 0);
    sw_scene_add_collider(s, SW_SHAPE_BOX)->shape->size = sw_v3(1, 1, 1);
    sw_scene_add_probe(s, "tip", sw_v3(1, 0, 0));
    return s;
}
