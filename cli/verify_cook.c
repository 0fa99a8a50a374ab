// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Cook's membrane as tetrahedra: a block of cells, bent to its shape. Made from voxels, its edges
// would be steps; and it must be the same on both sides of its plane, or it leaves that.
#include "verify.h"

#include "compile/inspect.h"
#include "io/tets.h"
#include "volume/tets_split.h"

enum { DEEP = 2 }; // cells through the thickness

// A block of n x n x DEEP cells of edge 1, from the origin.
static swScene *block_scene(int n) {
    swScene *s = sw_scene_create(NULL);
    swMaterial *material = s ? sw_scene_add_material(s, "rubber") : NULL;
    swBody *body = material ? sw_scene_add_body(s, NULL) : NULL;
    swShape *box =
        body && sw_body_add_tets(s, body) ? sw_body_add_shape(s, body, SW_SHAPE_BOX) : NULL;
    if (!box) {
        sw_scene_destroy(s);
        return NULL;
    }
    box->size = sw_v3(n, n, DEEP);
    box->center = sw_scale(0.5, box->size);
    body->voxel = 1;
    return s;
}

static swVec3 bend(swVec3 cell, int n) {
    const swReal s = cell.x / n, low = 44 * s, high = 44 + 16 * s;
    return sw_v3(48 * s, low + (high - low) * cell.y / n, cell.z / DEEP - 0.5);
}

static bool write_block(const swScene *scene, int n, const char *path, swArena *arena,
                        swError *error) {
    swInspect in;
    swTetMesh mesh;
    bool ok = sw_inspect_create(&in, scene, 0, SW_INSPECT_VOLUME, error) &&
              sw_tets_split(&in.body.lattice, arena, &mesh, error);
    if (ok) {
        for (int i = 0; i < mesh.nvertex; i++)
            mesh.X[i] = bend(mesh.X[i], n);
        mesh.material = NULL;
        mesh.fill = NULL;
        ok = sw_tets_write(path, &mesh, NULL, NULL, error);
    }
    sw_inspect_free(&in);
    return ok;
}

bool verify_cook_mesh(int n, const char *path, swError *error) {
    swArena arena;
    swScene *scene = block_scene(n);
    if (!scene)
        return sw_fail_memory(error, 0);
    const swAllocator allocator = sw_default_config().allocator;
    sw_arena_init(&arena, &allocator);
    const bool ok = write_block(scene, n, path, &arena, error);
    sw_arena_free(&arena);
    sw_scene_destroy(scene);
    return ok;
}
