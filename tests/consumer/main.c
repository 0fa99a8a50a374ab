// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <sinew/sinew.h>

#include <stdio.h>

int main(void) {
    swScene *scene = sw_scene_create(NULL);
    swBody *body = scene ? sw_scene_add_body(scene, "body") : NULL;
    if (!body)
        return 1;
    printf("sinew %s from C\n", sw_version());
    sw_scene_destroy(scene);
    return 0;
}
