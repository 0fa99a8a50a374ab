// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A mesh or a volume as a scene, with defaults: it falls on a plane a quarter of its height below
// it.
#include "scene/scene.h"

#include "geometry/solid.h"
#include "io/image.h"
#include "io/mesh.h"
#include "math/vec.h"

enum { VOLUME_RESOLUTION = 48 };
#define MILLIMETRE 1e-3        // what images are in that do not say
#define PICTURE_SIZE 1.0       // longest side of a picture [m]
#define PICTURE_THICKNESS 0.05 // [m]

// The part of `path` before its last slash; NULL for the working folder.
bool sw_scene_set_folder(swScene *scene, const char *path, swError *error) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return true;
    size_t length = slash > path ? (size_t)(slash - path) : 1;
    scene->folder = sw_arena_text(&scene->memory->arena, path, length, error);
    return scene->folder != NULL;
}

static const char *file_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// A body of one shape, a material and a floor.
static swBody *add_body(swScene *scene, const char *path, swShapeKind kind, swError *error) {
    const char *file = file_of(path), *dot = strchr(file, '.');
    if (kind == SW_SHAPE_MESH)
        dot = strrchr(file, '.'); // volumes may have two: .nii.gz
    const char *name = dot && dot > file
                           ? sw_arena_text(&scene->memory->arena, file, (size_t)(dot - file), error)
                           : NULL; // a nameless body gets a name
    swBody *body = sw_scene_add_body(scene, name);
    swShape *shape = body ? sw_body_add_shape(scene, body, kind) : NULL;
    if (!shape || !sw_scene_add_collider(scene, SW_SHAPE_HALFSPACE) ||
        !sw_scene_add_material(scene, NULL) || !(shape->file = sw_scene_text(scene, file))) {
        sw_fail_memory(error, sizeof *body);
        return NULL;
    }
    return body;
}

static bool drop_mesh(swScene *scene, const char *path, swArena *scratch, swReal y[2],
                      swError *error) {
    swSurface surface;
    if (!sw_mesh_read(path, scratch, &surface, error) ||
        !add_body(scene, path, SW_SHAPE_MESH, error))
        return false;
    y[0] = INFINITY;
    y[1] = -INFINITY;
    for (int i = 0; i < surface.nvertex; i++) {
        y[0] = sw_min(y[0], surface.X[i].y);
        y[1] = sw_max(y[1], surface.X[i].y);
    }
    return true;
}

// Everything but 0 is of one soft material.
static bool drop_volume(swScene *scene, const char *path, swArena *scratch, swReal y[2],
                        swError *error) {
    const swConfig *config = sw_scene_config(scene);
    swImage image;
    if (!sw_image_read(path, scratch, &image, error))
        return false;
    swBody *body = add_body(scene, path, SW_SHAPE_VOLUME, error);
    if (!body)
        return false;
    swShape *shape = body->shape;
    body->resolution = VOLUME_RESOLUTION;
    if (image.flat) {
        shape->pixel = PICTURE_SIZE / sw_max_int(image.n[0], image.n[1]);
        shape->thickness = PICTURE_THICKNESS;
        sw_info(config,
                "%s: a picture has no size: its longest side is taken to be %g m, its "
                "thickness %g m",
                path, PICTURE_SIZE, PICTURE_THICKNESS);
    } else if (!(image.unit > 0)) {
        shape->scale = MILLIMETRE;
        sw_info(config, "%s: does not name its unit of length: taken to be millimetres", path);
    }
    const swSolid *solid =
        sw_solid_of_image(shape, &image, "bodies[0].shape", config, scratch, error);
    if (!solid)
        return false;
    swVec3 lo, hi;
    sw_solid_bounds(solid, &lo, &hi);
    y[0] = lo.y;
    y[1] = hi.y;
    return true;
}

bool sw_scene_drop(swScene *scene, const char *path, swError *error) {
    swArena scratch;
    swReal y[2]; // lowest and highest
    sw_arena_init(&scratch, &scene->memory->config.allocator);
    bool ok = sw_mesh_format(path) ? drop_mesh(scene, path, &scratch, y, error)
                                   : drop_volume(scene, path, &scratch, y, error);
    sw_arena_free(&scratch);
    if (!ok || !sw_scene_set_folder(scene, path, error))
        return false;
    scene->colliders->shape->offset = y[0] - 0.25 * (y[1] - y[0]);
    return sw_scene_check(scene, error);
}
