// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew mesh: converts tetrahedral meshes between file formats, or makes them from bodies.
#include "inspect/info.h"

#include "compile/inspect.h"
#include "scene/scene.h"
#include "volume/tets_split.h"
#include "volume/tets_stuff.h"

#include <string.h>

typedef struct MeshOptions {
    const char *path, *json, *body;
    TextList output;
    bool text, old, fit;
    swReal voxel;
    int order, threads; // order 0: unchanged
} MeshOptions;

// ---- from a body ----

static bool find_body(const swScene *scene, const char *name, int *index, swBody **body,
                      swError *error) {
    *index = 0;
    for (*body = scene->bodies; *body; *body = (*body)->next, ++*index)
        if (!name || sw_text_equal((*body)->name, name))
            return true;
    return sw_fail(error, SW_ERROR_VALUE, name ? "there is no body \"%s\"" : "there is no body",
                   name);
}

// Lists the scene's materials that the mesh uses, in the scene's order, and renumbers its
// tetrahedra accordingly.
static bool name_materials(const swBuilder *b, swTetMesh *m, swArena *arena, swError *error) {
    const int n = b->material.count;
    int *to = SW_NEW(arena, n, int, error);
    swTetMaterial *list = to ? SW_NEW(arena, n, swTetMaterial, error) : NULL;
    if (!list)
        return false;
    for (int t = 0; t < m->ntet; t++)
        to[m->material ? m->material[t] : 0] = 1;
    const swMaterial *d = b->scene->materials;
    for (int i = 0; i < n; i++, d = d->next) {
        if (!to[i])
            continue;
        const swMaterialInfo *info = &b->material.item[i];
        const char *name = sw_arena_text(arena, d->name, strlen(d->name), error);
        if (!name)
            return false;
        to[i] = m->nmaterial;
        list[m->nmaterial++] =
            (swTetMaterial){name, info->density, info->young,
                            info->lame[1] / (2 * (info->lame[0] + info->lame[1]))};
    }
    for (int t = 0; m->material && t < m->ntet; t++)
        m->material[t] = to[m->material[t]];
    if (m->nmaterial == 1)
        m->material = NULL;
    m->materials = list;
    return true;
}

static bool make(const MeshOptions *o, swScene *scene, int index, swArena *arena, swTetMesh *m,
                 swError *error) {
    swInspect in;
    bool ok = sw_inspect_create(&in, scene, index, SW_INSPECT_VOLUME, error);
    const swBodyBuild *body = &in.body;
    if (ok && !o->fit)
        ok = sw_tets_split(&body->lattice, arena, m, error);
    else if (ok) {
        swStuffLoss loss;
        ok = sw_tets_stuff(body->nsolid, body->paint, body->grid.h, body->key, in.builder.pool,
                           arena, m, error) &&
             sw_tets_tidy(m, body->grid.h, &body->lattice, body->key, sw_scene_config(scene), arena,
                          &loss, error);
    }
    bool full = true;
    for (int t = 0; ok && m->fill && t < m->ntet; t++)
        full = full && m->fill[t] > 1 - 1e-9;
    if (full)
        m->fill = NULL; // few formats can store it
    ok = ok && name_materials(&in.builder, m, arena, error);
    sw_inspect_free(&in);
    return ok;
}

static bool make_from_body(const MeshOptions *o, const swConfig *config, swArena *arena,
                           swTetMesh *m, swError *error) {
    swBody *body;
    int index;
    swScene *scene = sw_scene_read(o->path, config, error);
    bool ok = scene && find_body(scene, o->body, &index, &body, error);
    if (ok && o->voxel > 0)
        body->voxel = o->voxel;
    ok = ok && make(o, scene, index, arena, m, error);
    sw_scene_destroy(scene);
    if (!ok && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", o->path);
    return ok;
}

// ---- the command ----

static bool check_outputs(const MeshOptions *o, swError *error) {
    for (int i = 0; i < o->output.count; i++) {
        if (!sw_tets_format(o->output.item[i]))
            return sw_tets_write(o->output.item[i], NULL, NULL, NULL, error); // reports why
        if (!cli_output_prepare(o->output.item[i], error))
            return false;
    }
    return true;
}

static bool write_json(const TetsFacts *f, const MeshOptions *o, swError *error) {
    swFile file;
    if (!cli_output_prepare(o->json, error) || !cli_output_open(&file, o->json, error))
        return false;
    swJsonWriter w = {.file = &file, .indent = 2};
    sw_json_begin(&w, NULL, '{');
    sw_json_put_text(&w, "file", o->path);
    info_tets_put(f, &w);
    sw_json_end(&w);
    return cli_output_close(&file, error);
}

static bool perform(const MeshOptions *o, swArena *arena, swError *error) {
    const swConfig config = cli_config(o->threads, false);
    const swTetStyle style = {.text = o->text, .old = o->old};
    TetsFacts f = {.count = NULL};
    if (!check_outputs(o, error))
        return false;
    bool ok = sw_tets_format(o->path)
                  ? sw_tets_read(o->path, &config, arena, &f.mesh, &f.report, error)
                  : make_from_body(o, &config, arena, &f.mesh, error);
    if (ok && o->order == 2 && f.mesh.order == 1) {
        const swTetMesh linear = f.mesh;
        ok = sw_tets_quadratic(&linear, arena, &f.mesh, error);
    } else if (ok && o->order == 1 && f.mesh.order == 2) {
        const swTetMesh quadratic = f.mesh;
        ok = sw_tets_linear(&quadratic, arena, &f.mesh, error);
    }
    if (!ok || !info_tets_measure(&f, arena, error))
        return false;
    if (!sw_text_equal(o->json, "-"))
        info_tets_print(&f, o->path);
    for (int i = 0; i < o->output.count; i++) {
        if (!sw_tets_write(o->output.item[i], &f.mesh, &style, &config, error))
            return false;
        if (!sw_text_equal(o->json, "-"))
            printf("wrote %s\n", o->output.item[i]);
    }
    return !o->json || write_json(&f, o, error);
}

int cmd_mesh(int argc, char **argv) {
    MeshOptions o = {.threads = 1};
    int status;
    const Option options[] = {
        {"o", "FILE", OPTION_LIST, &o.output,
         .help = "write the mesh; the extension selects the format; may be repeated:\n"
                 ".msh (Gmsh), .node or .ele (TetGen), .veg (Vega), .mesh (Medit),\n"
                 ".vtk, .vtu"},
        {"text", NULL, OPTION_FLAG, &o.text, .help = "write .msh, .vtk and .vtu as text"},
        {"msh22", NULL, OPTION_FLAG, &o.old, .help = "write version 2.2 of Gmsh's format, not 4.1"},
        {"order", "N", OPTION_INT, &o.order, 1, 2,
         .help = "1: vertices at corners only; 2: also on edges (default: unchanged)"},
        {"voxel", "H", OPTION_REAL, &o.voxel, 1e-9, INFINITY,
         .help = "from a body: edge of the cells that are split into tetrahedra [m]"},
        {"fit", NULL, OPTION_FLAG, &o.fit,
         .help = "from a body: fit the surface (isosurface stuffing) instead of splitting\n"
                 "each cell into six"},
        {"body", "NAME", OPTION_TEXT, &o.body,
         .help = "from a scene: the body to mesh (default: the first)"},
        {"json", "FILE", OPTION_TEXT, &o.json,
         .help = "write the facts as JSON; - for standard output"},
        {"threads", "N", OPTION_INT, &o.threads, 1, 256, .help = "worker threads (default 1)"},
    };
    const Usage usage = {
        "mesh",
        "FILE [-o OUT] [options]",
        "Reads a tetrahedral mesh (.msh, .node, .ele, .veg, .mesh, .vtk, .vtu), cleans it up and\n"
        "describes it; or makes one from a closed surface, a volume or a body of a scene. Files\n"
        "that it writes read back as bitwise the same mesh.\n",
        "FILE: a tetrahedral mesh, a surface, a volume or a scene",
        options,
        SW_COUNT(options),
        "  sinew mesh liver.vtu                      describe it\n"
        "  sinew mesh dragon.veg -o dragon.msh --text\n"
        "  sinew mesh bunny.obj --fit --voxel 0.05 -o out/bunny.vtu\n"
        "  sinew mesh examples/turtle.json --order 2 -o out/turtle.msh\n",
    };
    if (!cli_options(&usage, argc, argv, &o.path, &status))
        return status;
    const InputKind kind = cli_input_kind(o.path);
    if (kind == INPUT_TETS && (o.fit || o.body || o.voxel > 0))
        return cli_usage("mesh", "--fit, --voxel and --body are for bodies; %s is a mesh already",
                         o.path);
    if (kind == INPUT_MODEL || kind == INPUT_STATE || kind == INPUT_RECORDING)
        return cli_usage("mesh", "%s: expected a mesh or a scene", o.path);
    swError error;
    swArena arena;
    sw_error_clear(&error);
    const swAllocator allocator = sw_default_config().allocator;
    sw_arena_init(&arena, &allocator);
    status = perform(&o, &arena, &error) ? CLI_OK : cli_fail(&error);
    sw_arena_free(&arena);
    return status;
}
