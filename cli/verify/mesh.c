// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Tetrahedra for problems that voxels do not suit: a block of cells, mapped to the shape. With
// voxels, the edges of Cook's membrane would be stairs. The axial force of a twisted bar is a small
// difference of large terms, which needs smaller cells where strains are large: at the ends and
// sides of the bar.
#include "verify/verify.h"

#include "compile/inspect.h"
#include "formats/tets.h"
#include "volume/tets_split.h"

typedef struct Block {
    int n[3];                               // cells, whose edges are 1 before they are mapped
    swVec3 (*bend)(swVec3 p, const int *n); // maps the block to the body
} Block;

// ---- shapes ----

// Maps 0 .. 1 to itself; at both ends, spacing is reduced to 1 - `by` of even spacing.
static swReal crowd(swReal s, swReal by) { return s - by * sin(2 * SW_PI * s) / (2 * SW_PI); }

static swVec3 bend_cook(swVec3 p, const int *n) {
    const swReal s = p.x / n[0], low = 44 * s, high = 44 + 16 * s;
    return sw_v3(48 * s, low + (high - low) * p.y / n[1], p.z / n[2] - 0.5);
}

static swVec3 bend_bar(swVec3 p, const int *n) {
    return sw_v3(crowd(p.x / n[0], 0.7), 0.2 * crowd(p.y / n[1], 0.5) - 0.1,
                 0.2 * crowd(p.z / n[2], 0.5) - 0.1);
}

// Cook's membrane has two cells through its thickness, so that there are vertices in the middle.
static bool block_of(const Row *row, int refine, Block *block) {
    const int n = row->variant.frames * refine;
    const Case *c = verify_case(row->problem);
    if (row->variant.node < TETS1)
        return false;
    if (c->build == build_cook)
        *block = (Block){{n, n, 2}, bend_cook};
    else if (c->build == build_torsion)
        *block = (Block){{5 * n / 2, n, n}, bend_bar};
    else
        return false;
    return true;
}

bool verify_needs_mesh(const Row *row) {
    Block block;
    return block_of(row, 1, &block);
}

// ---- meshes ----

static swScene *block_scene(const int *n) {
    swScene *s = sw_scene_create(NULL);
    swMaterial *material = s ? sw_scene_add_material(s, "rubber") : NULL;
    swBody *body = material ? sw_scene_add_body(s, NULL) : NULL;
    swShape *box =
        body && sw_body_add_tets(s, body) ? sw_body_add_shape(s, body, SW_SHAPE_BOX) : NULL;
    if (!box) {
        sw_scene_destroy(s);
        return NULL;
    }
    box->size = sw_v3(n[0], n[1], n[2]);
    box->center = sw_scale(0.5, box->size);
    body->voxel = 1;
    return s;
}

static bool write_block(const swScene *scene, const Block *block, const char *path, swArena *arena,
                        swError *error) {
    swInspect in;
    swTetMesh mesh;
    bool ok = sw_inspect_create(&in, scene, 0, SW_INSPECT_VOLUME, error) &&
              sw_tets_split(&in.body.lattice, arena, &mesh, error);
    if (ok) {
        for (int i = 0; i < mesh.nvertex; i++)
            mesh.X[i] = block->bend(mesh.X[i], block->n);
        mesh.material = NULL;
        mesh.fill = NULL;
        ok = sw_tets_write(path, &mesh, NULL, NULL, error);
    }
    sw_inspect_free(&in);
    return ok;
}

bool verify_write_mesh(const Row *row, int refine, const char *path, swError *error) {
    Block block;
    swArena arena;
    if (!block_of(row, refine, &block))
        return true;
    swScene *scene = block_scene(block.n);
    if (!scene)
        return sw_fail_memory(error, 0);
    const swAllocator allocator = sw_default_config().allocator;
    sw_arena_init(&arena, &allocator);
    const bool ok = write_block(scene, &block, path, &arena, error);
    sw_arena_free(&arena);
    sw_scene_destroy(scene);
    return ok;
}
