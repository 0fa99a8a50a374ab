// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bodies/bodies.h"

#include "scene/scene.h"

extern const swBodyKind sw_kind_frames, sw_kind_tets, sw_kind_springs, sw_kind_particles,
    sw_kind_modes, sw_kind_rigid;

static const swBodyKind *const table[] = {
    &sw_kind_frames,    &sw_kind_tets,  &sw_kind_springs,
    &sw_kind_particles, &sw_kind_modes, &sw_kind_rigid,
};

swBodyBuild sw_body_begin(const swBody *def, int number) {
    swBodyBuild body = {.def = def, .kind = table[0], .number = number};
    for (int i = 0; i < SW_COUNT(table); i++)
        if (sw_text_equal(table[i]->name, sw_body_model(def)))
            body.kind = table[i];
    snprintf(body.key, sizeof body.key, "bodies[%d]", number);
    return body;
}
