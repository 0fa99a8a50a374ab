// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Makes a scene, with defaults, from a mesh, tetrahedra or a volume: the body falls onto a plane a
// quarter of its height below it.
#include "scene/scene.h"

#include "geometry/solid.h"
#include "formats/image.h"
#include "formats/mesh.h"
#include "formats/tets.h"
#include "math/vec.h"

enum { VOLUME_RESOLUTION = 48, MOST_MATERIALS = 64 };
#define MILLIMETRE 1e-3        // assumed for images that do not state their unit
#define PICTURE_SIZE 1.0       // longest side of a picture [m]
#define PICTURE_THICKNESS 0.05 // [m]

// Takes the part of `path` before its last slash; NULL for the working directory.
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

// Adds a body named after the file up to `dot`, and a floor.
static swBody *add_named(swScene *scene, const char *file, const char *dot, swError *error) {
    const char *name = dot && dot > file
                           ? sw_arena_text(&scene->memory->arena, file, (size_t)(dot - file), error)
                           : NULL; // a body without a name gets a default one
    swBody *body = sw_scene_add_body(scene, name);
    if (body && sw_scene_add_collider(scene, SW_SHAPE_HALFSPACE))
        return body;
    sw_fail_memory(error, sizeof *body);
    return NULL;
}

// Adds a body with one shape, a material and a floor.
static swBody *add_body(swScene *scene, const char *path, swShapeKind kind, swError *error) {
    const char *file = file_of(path), *dot = strchr(file, '.');
    if (kind == SW_SHAPE_MESH)
        dot = strrchr(file, '.'); // volumes may have two: .nii.gz
    swBody *body = add_named(scene, file, dot, error);
    swShape *shape = body ? sw_body_add_shape(scene, body, kind) : NULL;
    if (body && (!shape || !sw_scene_add_material(scene, NULL) ||
                 !(shape->file = sw_scene_text(scene, file)))) {
        sw_fail_memory(error, sizeof *body);
        return NULL;
    }
    return body;
}

static void find_height(int n, const swVec3 *X, swReal y[2]) {
    y[0] = INFINITY;
    y[1] = -INFINITY;
    for (int i = 0; i < n; i++) {
        y[0] = sw_min(y[0], X[i].y);
        y[1] = sw_max(y[1], X[i].y);
    }
}

static bool drop_mesh(swScene *scene, const char *path, swArena *scratch, swReal y[2],
                      swError *error) {
    swSurface surface;
    if (!sw_mesh_read(path, scratch, &surface, error) ||
        !add_body(scene, path, SW_SHAPE_MESH, error))
        return false;
    find_height(surface.nvertex, surface.X, y);
    return true;
}

// Takes over the materials of the file, with the properties that it specifies. If there are too
// many to be useful, uses a single one.
static bool add_materials(swScene *scene, const swTetMesh *mesh, swError *error) {
    const bool own = mesh->nmaterial > 0 && mesh->nmaterial <= MOST_MATERIALS;
    for (int i = 0; i < (own ? mesh->nmaterial : 1); i++) {
        const swTetMaterial *from = own ? &mesh->materials[i] : NULL;
        swMaterial *to = sw_scene_add_material(scene, own ? from->name : NULL);
        if (!to)
            return sw_fail_memory(error, sizeof *to);
        if (own && isfinite(from->density))
            to->density = from->density;
        if (own && isfinite(from->young))
            to->young = from->young;
        if (own && isfinite(from->poisson))
            to->poisson = from->poisson;
    }
    return true;
}

static bool drop_tets(swScene *scene, const char *path, swArena *scratch, swReal y[2],
                      swError *error) {
    const char *file = file_of(path);
    swTetMesh mesh;
    // Warnings will be given when the scene is compiled.
    if (!sw_tets_read(path, NULL, scratch, &mesh, NULL, error))
        return false;
    swBody *body = add_named(scene, file, strrchr(file, '.'), error);
    swTets *tets = body ? sw_body_add_tets(scene, body) : NULL;
    if (!body || !add_materials(scene, &mesh, error))
        return false;
    if (!tets || !(tets->file = sw_scene_text(scene, file)))
        return sw_fail_memory(error, sizeof *tets);
    find_height(mesh.nvertex, mesh.X, y);
    return true;
}

// Everything but 0 is a single soft material.
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
                "%s: a picture has no physical size: assuming a longest side of %g m and a "
                "thickness of %g m",
                path, PICTURE_SIZE, PICTURE_THICKNESS);
    } else if (!(image.unit > 0)) {
        shape->scale = MILLIMETRE;
        sw_info(config, "%s: does not state its unit of length: millimetres assumed", path);
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
    swReal y[2] = {0, 0}; // lowest and highest
    sw_arena_init(&scratch, &scene->memory->config.allocator);
    bool ok = sw_mesh_format(path)   ? drop_mesh(scene, path, &scratch, y, error)
              : sw_tets_format(path) ? drop_tets(scene, path, &scratch, y, error)
                                     : drop_volume(scene, path, &scratch, y, error);
    sw_arena_free(&scratch);
    if (!ok || !sw_scene_set_folder(scene, path, error))
        return false;
    scene->colliders->shape->offset = y[0] - 0.25 * (y[1] - y[0]);
    return sw_scene_check(scene, error);
}
