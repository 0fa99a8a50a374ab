// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew compare: simulates a scene with every model and compares them with fine tetrahedra.
#include "compare.h"

#include "formats/png.h"
#include "render/render.h"

#include <string.h>

enum { MOMENTS = 20, STEPS = 5 }; // moments that are compared; timed steps of static scenes

// The result of simulating the scene with one model.
typedef struct {
    const CompareModel *model;
    bool done; // false: see `reason`
    char reason[SW_ERROR_MESSAGE];
    swModelInfo info;
    double compile, solve, step; // [s]; solve: of static scenes
    int nmoment;
    swVec3 *x[MOMENTS];  // vertices of all surfaces, body by body
    swReal error, worst; // RMS and largest distance, relative to the reference's largest motion
} Outcome;

typedef struct {
    swReal voxel, volume; // [m], [m^3]
} BodySize;

typedef struct {
    const char *scene;
    const char *json, *models;
    TextList outputs;
    int threads, size[2], cells;
    swVec3 view;
    swConfig config;
    swArena arena;
    int noutcome;
    Outcome *outcome;  // the reference comes first
    Outcome rough;     // the reference before it was refined
    BodySize *size_of; // of each body of the scene as given
    int nvertex, ntriangle, *triangle;
    swVec3 *rest;
} Compare;

// ---- one model ----

static int count_vertices(const swModel *m) {
    int n = 0;
    for (int i = 0; i < sw_body_count(m); i++)
        n += sw_body_vertex_count(m, i);
    return n;
}

static bool keep(Compare *c, const swState *s, swVec3 **x, swError *error) {
    const swModel *m = sw_state_model(s);
    if (!(*x = SW_NEW(&c->arena, c->nvertex, swVec3, error)))
        return false;
    for (int i = 0, at = 0; i < sw_body_count(m); at += sw_body_vertex_count(m, i++))
        sw_body_vertices(s, i, *x + at);
    return true;
}

// Keeps the surfaces of the first model; those of the others must have as many vertices.
static bool keep_surface(Compare *c, const swModel *m, const swState *s, swError *error) {
    const int n = count_vertices(m);
    if (c->triangle && n != c->nvertex)
        return sw_fail(error, SW_ERROR_VALUE, "its surface has %d vertices, the reference's %d", n,
                       c->nvertex);
    if (c->triangle)
        return true;
    c->nvertex = n;
    for (int i = 0; i < sw_body_count(m); i++)
        c->ntriangle += sw_body_triangle_count(m, i);
    if (!(c->triangle = SW_NEW(&c->arena, 3 * c->ntriangle + 1, int, error)) ||
        !keep(c, s, &c->rest, error))
        return false;
    int *to = c->triangle;
    for (int i = 0, at = 0; i < sw_body_count(m); at += sw_body_vertex_count(m, i++)) {
        sw_body_triangles(m, i, to);
        for (int k = 0; k < 3 * sw_body_triangle_count(m, i); k++)
            *to++ += at;
    }
    return true;
}

static bool fail_step(const swState *s, swError *error) {
    return sw_fail(error, SW_ERROR_NOT_CONVERGED, "%s", sw_state_report(s)->reason);
}

// Solves for equilibrium, and takes a few steps from rest to time them.
static bool run_static(Compare *c, const swModel *m, swState *s, Outcome *o, swError *error) {
    double start = sw_seconds();
    if (sw_solve_static(m, s) != SW_OK)
        return fail_step(s, error);
    o->solve = sw_seconds() - start;
    o->nmoment = 1;
    if (!keep(c, s, &o->x[0], error))
        return false;
    sw_state_reset(s);
    for (int i = 0; i < STEPS; i++) {
        start = sw_seconds();
        if (sw_step(m, s) != SW_OK)
            return fail_step(s, error);
        const double took = sw_seconds() - start;
        o->step = i == 0 || took < o->step ? took : o->step;
    }
    return true;
}

static bool run_dynamic(Compare *c, const swModel *m, swState *s, swReal h, swReal end, Outcome *o,
                        swError *error) {
    const int steps = sw_max_int(1, (int)lround(end / h)), apart = (steps + MOMENTS - 1) / MOMENTS;
    double spent = 0;
    for (int i = 1; i <= steps; i++) {
        const double start = sw_seconds();
        if (sw_step(m, s) != SW_OK)
            return fail_step(s, error);
        spent += sw_seconds() - start;
        cli_progress("%-14s %3d %%", o->model->name, 100 * i / steps);
        if ((i % apart == 0 || i == steps) && o->nmoment < MOMENTS &&
            !keep(c, s, &o->x[o->nmoment++], error))
            return false;
    }
    cli_progress(NULL);
    o->step = spent / steps;
    return true;
}

static bool run_scene(Compare *c, swScene *scene, Outcome *o, swError *error) {
    const BodySize *size = c->size_of;
    for (swBody *b = scene->bodies; b; b = b->next, size++)
        if (!compare_set(o->model, scene, b, size->voxel, size->volume, c->cells))
            return sw_fail(error, SW_ERROR_MEMORY, "out of memory");
    const swAnalysis analysis = scene->analysis;
    const swReal h = scene->time.step, end = scene->time.end;
    if (analysis == SW_ANALYSIS_MODAL)
        return sw_fail(error, SW_ERROR_UNSUPPORTED,
                       "analysis: expected \"static\" or \"dynamic\", found \"modal\"");
    const double start = sw_seconds();
    swModel *m = sw_compile(scene, error);
    swState *s = m ? sw_state_create(m, error) : NULL;
    o->compile = sw_seconds() - start;
    bool ok = s && keep_surface(c, m, s, error);
    if (ok) {
        o->info = sw_model_info(m);
        ok = analysis == SW_ANALYSIS_STATIC ? run_static(c, m, s, o, error)
                                            : run_dynamic(c, m, s, h, end, o, error);
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
    return ok;
}

// If a model cannot simulate this scene, its reason is kept and the others go on; the reference
// must succeed.
static bool run_model(Compare *c, Outcome *o, swError *error) {
    swError own = {0};
    swScene *scene = sw_scene_read(c->scene, &c->config, error);
    if (!scene)
        return false;
    cli_progress("%s", o->model->name);
    o->done = run_scene(c, scene, o, &own);
    cli_progress(NULL);
    sw_scene_destroy(scene);
    snprintf(o->reason, sizeof o->reason, "%s", own.message);
    if (!o->done && o == c->outcome)
        *error = own;
    return o->done || o != c->outcome;
}

// Distances from the reference's surfaces, relative to its largest motion.
static void measure(const Compare *c, Outcome *o) {
    const Outcome *fine = &c->outcome[0];
    swReal far = 0, sum = 0;
    for (int k = 0; k < fine->nmoment; k++)
        for (int v = 0; v < c->nvertex; v++)
            far = sw_max(far, sw_norm(sw_sub(fine->x[k][v], c->rest[v])));
    far = far > 0 ? far : 1; // nothing moves: absolute distances
    for (int k = 0; k < o->nmoment; k++)
        for (int v = 0; v < c->nvertex; v++) {
            const swReal d = sw_norm(sw_sub(o->x[k][v], fine->x[k][v])) / far;
            sum += d * d;
            o->worst = sw_max(o->worst, d);
        }
    o->error = sqrt(sum / ((swReal)o->nmoment * c->nvertex));
}

// ---- tables ----

static void print_table(const Compare *c) {
    printf("%-14s %9s %9s %10s %10s %10s %10s\n", "model", "dof", "points", "error", "worst",
           "ms/step", "compile, s");
    for (int i = 0; i < c->noutcome; i++) {
        const Outcome *o = &c->outcome[i];
        printf("%-14s ", o->model->name);
        if (!o->done) {
            printf("%s\n", o->reason);
            continue;
        }
        printf("%9d %9d ", o->info.dof, o->info.points);
        if (i == 0)
            printf("%10s %10s ", "reference", "");
        else
            printf("%8.2f %% %8.2f %% ", 100 * o->error, 100 * o->worst);
        printf("%10.3f %10.2f\n", 1e3 * o->step, o->compile);
    }
    if (c->rough.done)
        printf(
            "\nThe reference was refined once: on cells twice as large, with %d dof, its surface "
            "differs by %.2f %%,\n%.2f %% at most.\n",
            c->rough.info.dof, 100 * c->rough.error, 100 * c->rough.worst);
    else
        printf("\nThe reference could not be solved on cells twice as large: %s\n",
               c->rough.reason);
}

static bool write_json(const Compare *c, const char *path, swError *error) {
    swFile file;
    if (!cli_output_open(&file, path, error))
        return false;
    sw_file_print(&file, "{\n  \"models\": [");
    for (int i = 0; i < c->noutcome; i++) {
        const Outcome *o = &c->outcome[i];
        sw_file_print(&file, "%s\n    {\"name\": \"%s\", \"done\": %s", i ? "," : "",
                      o->model->name, o->done ? "true" : "false");
        if (o->done)
            sw_file_print(&file,
                          ", \"dof\": %d, \"points\": %d, \"error\": %.6g, \"worst\": %.6g, "
                          "\"step_s\": %.6g, \"solve_s\": %.6g, \"compile_s\": %.6g",
                          o->info.dof, o->info.points, o->error, o->worst, o->step, o->solve,
                          o->compile);
        sw_file_print(&file, "}");
    }
    sw_file_print(&file, "\n  ]");
    if (c->rough.done) // how far off the reference was before it was refined
        sw_file_print(&file, ",\n  \"refined\": {\"dof\": %d, \"error\": %.6g, \"worst\": %.6g}",
                      c->rough.info.dof, c->rough.error, c->rough.worst);
    sw_file_print(&file, "\n}\n");
    return cli_output_close(&file, error);
}

// ---- pictures ----

// Bounds of the final surfaces of the reference and all models.
static void bounds(const Compare *c, swVec3 *lo, swVec3 *hi) {
    *lo = sw_v3(INFINITY, INFINITY, INFINITY);
    *hi = sw_v3(-INFINITY, -INFINITY, -INFINITY);
    for (int i = 0; i < c->noutcome; i++)
        for (int v = 0; c->outcome[i].done && v < c->nvertex; v++) {
            const swVec3 x = c->outcome[i].x[c->outcome[i].nmoment - 1][v];
            *lo = sw_min3(*lo, x);
            *hi = sw_max3(*hi, x);
        }
}

static bool draw(const Compare *c, const Outcome *o, const swRender *render, swReal most,
                 swPool *pool, swArena *arena, swPicture *image, swError *error) {
    const Outcome *fine = &c->outcome[0];
    const swVec3 *x = o->x[o->nmoment - 1], *y = fine->x[fine->nmoment - 1];
    swReal *off = SW_NEW(arena, c->nvertex, swReal, error);
    swColor *color = SW_NEW(arena, c->nvertex, swColor, error);
    swDrawing drawing;
    sw_drawing_init(&drawing, arena);
    if (!off || !color)
        return false;
    for (int v = 0; v < c->nvertex; v++)
        off[v] = sw_norm(sw_sub(x[v], y[v]));
    sw_map_values(SW_MAP_SEQUENTIAL, c->nvertex, off, 0, most, color);
    swDrawMesh mesh = sw_default_draw_mesh();
    mesh.nvertex = c->nvertex;
    mesh.ntriangle = c->ntriangle;
    mesh.x = x;
    mesh.triangle = c->triangle;
    mesh.color = color;
    return sw_draw_mesh(&drawing, &mesh, error) &&
           sw_render(render, &drawing, pool, arena, image, error);
}

static bool write_png(const char *path, const swPicture *image, swArena *arena, swError *error) {
    swFile file;
    if (!cli_output_open(&file, path, error))
        return false;
    if (sw_png_write(&file, image->width, image->height, image->rgb, arena, error))
        return cli_output_close(&file, error);
    cli_output_abandon(&file);
    return false;
}

// Colours go up to a tenth of the reference's largest displacement.
static bool write_picture(const Compare *c, const char *path, swError *error) {
    swArena arena;
    swPool *pool = sw_pool_create(&c->config.allocator, c->config.threads);
    swRender render = sw_default_render();
    swPicture *image, grid;
    const char *caption[COMPARE_MODELS];
    char text[COMPARE_MODELS][96];
    swVec3 lo, hi;
    int n = 0;
    sw_arena_init(&arena, &c->config.allocator);
    bounds(c, &lo, &hi);
    render.width = c->size[0];
    render.height = c->size[1];
    render.camera =
        sw_camera_frame(lo, hi, c->view, render.camera.fov, (swReal)render.width / render.height);
    render.ground = false;
    swReal far = 0;
    const Outcome *fine = &c->outcome[0];
    for (int v = 0; v < c->nvertex; v++)
        far = sw_max(far, sw_norm(sw_sub(fine->x[fine->nmoment - 1][v], c->rest[v])));
    bool ok = (image = SW_NEW(&arena, c->noutcome, swPicture, error)) != NULL;
    for (int i = 0; i < c->noutcome && ok; i++) {
        const Outcome *o = &c->outcome[i];
        if (!o->done)
            continue;
        if (i == 0)
            snprintf(text[n], sizeof text[n], "%s, %d dof", o->model->name, o->info.dof);
        else
            snprintf(text[n], sizeof text[n], "%s, %d dof, %.1f %%", o->model->name, o->info.dof,
                     100 * o->error);
        caption[n] = text[n];
        ok = draw(c, o, &render, 0.1 * far, pool, &arena, &image[n++], error);
    }
    ok = ok && sw_picture_grid(&grid, n, image, caption, n < 4 ? n : 4, 4, &arena, error) &&
         write_png(path, &grid, &arena, error);
    sw_pool_destroy(pool);
    sw_arena_free(&arena);
    return ok;
}

// ---- the command ----

static bool refuse_name(const char *name, int length, swError *error) {
    char all[256] = "";
    for (int i = 0, at = 0; compare_model(i); i++)
        at += snprintf(all + at, sizeof all - (size_t)at, "%s%s", i ? ", " : "",
                       compare_model(i)->name);
    return sw_fail(error, SW_ERROR_VALUE, "--models: expected some of %s, found \"%.*s\"", all,
                   length, name);
}

// Marks the models in a comma-separated list of names.
static bool find_models(const char *list, bool *wanted, swError *error) {
    for (const char *name = list;; name++) {
        name += strspn(name, " ");
        const char *end = name + strcspn(name, ",");
        int length = (int)(end - name), i = 0;
        while (length > 0 && name[length - 1] == ' ')
            length--;
        while (compare_model(i) && ((int)strlen(compare_model(i)->name) != length ||
                                    strncmp(compare_model(i)->name, name, (size_t)length) != 0))
            i++;
        if (!compare_model(i))
            return refuse_name(name, length, error);
        wanted[i] = true;
        if (!*end)
            return true;
        name = end;
    }
}

static bool choose(Compare *c, swError *error) {
    bool wanted[COMPARE_MODELS] = {true}; // the reference is always needed
    c->outcome = SW_NEW(&c->arena, COMPARE_MODELS, Outcome, error);
    if (!c->outcome || (c->models && !find_models(c->models, wanted, error)))
        return false;
    for (int i = 0; compare_model(i); i++)
        if (!c->models || wanted[i])
            c->outcome[c->noutcome++].model = compare_model(i);
    return true;
}

// Finds the voxels and volumes of the bodies, which decide the size of the tetrahedra's cells.
static bool look_at_bodies(Compare *c, swError *error) {
    swScene *scene = sw_scene_read(c->scene, &c->config, error);
    swModel *m = scene ? sw_compile(scene, error) : NULL;
    sw_scene_destroy(scene);
    if (!m)
        return false;
    c->size_of = SW_NEW(&c->arena, sw_body_count(m), BodySize, error);
    for (int i = 0; c->size_of && i < sw_body_count(m); i++)
        c->size_of[i] = (BodySize){sw_body_voxel(m, i), sw_body_volume(m, i)};
    sw_model_destroy(m);
    return c->size_of != NULL;
}

static bool compare(Compare *c, swError *error) {
    c->rough.model = &compare_rough;
    if (!choose(c, error) || !look_at_bodies(c, error))
        return false;
    for (int i = 0; i < c->noutcome; i++) {
        if (!run_model(c, &c->outcome[i], error))
            return false;
        if (c->outcome[i].done)
            measure(c, &c->outcome[i]);
        if (i == 0 && !run_model(c, &c->rough, error))
            return false;
    }
    if (c->rough.done)
        measure(c, &c->rough);
    print_table(c);
    if (c->json && !write_json(c, c->json, error))
        return false;
    for (int i = 0; i < c->outputs.count; i++)
        if (!write_picture(c, c->outputs.item[i], error))
            return false;
    return true;
}

int cmd_compare(int argc, char **argv) {
    Compare c = {.threads = 1, .size = {400, 300}, .cells = 3000};
    const Option option[] = {
        {"o", "FILE.png", OPTION_LIST, &c.outputs, 0, 0,
         "draw the final state of every model, coloured by its distance from the\n"
         "reference: yellow means a tenth of the reference's largest motion or more"},
        {"json", "FILE", OPTION_TEXT, &c.json, 0, 0,
         "write the table as JSON; - for standard output"},
        {"models", "LIST", OPTION_TEXT, &c.models, 0, 0,
         "only these models, by name: \"frames 5, springs\""},
        {"cells", "N", OPTION_INT, &c.cells, 8, 1e6,
         "most cells of the fine tetrahedra (default 3000); the coarse ones have a\n"
         "tenth"},
        {"threads", "N", OPTION_INT, &c.threads, 1, 1024, "worker threads (default 1)"},
        {"size", "WxH", OPTION_SIZE, c.size, 16, SW_IMAGE_SIDE,
         "pixels of each picture (default 400x300)"},
        {"view", "X,Y,Z", OPTION_VEC3, &c.view, 0, 0, "look from this direction"},
    };
    const Usage usage = {
        .command = "compare",
        .synopsis = "SCENE [options]",
        .about =
            "Simulates a scene with every kind of model (frames, tetrahedra, springs, particles\n"
            "and modes), whatever its bodies specify, and compares their surfaces with those of\n"
            "fine quadratic tetrahedra, the reference. `error` is the root mean square distance\n"
            "over vertices and moments, `worst` the largest, both relative to the reference's\n"
            "largest motion. The reference is also solved on cells twice as large: the difference\n"
            "shows how accurate it is itself. Times are per step; for a static scene, of the\n"
            "first steps after it is released from rest. There are twenty modes and a thousand\n"
            "particles, which use the law \"corotated\" instead of their own, as their stiffness\n"
            "is precomputed.\n",
        .operand = "SCENE",
        .option = option,
        .noption = SW_COUNT(option),
        .examples = "  sinew compare examples/compare/t.json -o out/compare-t.png\n",
    };
    int status;
    swError error = {0};
    if (!cli_options(&usage, argc, argv, &c.scene, &status))
        return status;
    for (int i = 0; i < c.outputs.count; i++)
        if (!sw_text_has_suffix(c.outputs.item[i], ".png"))
            return cli_usage("compare", "-o %s: expected a .png file", c.outputs.item[i]);
        else if (!cli_output_prepare(c.outputs.item[i], &error))
            return cli_fail(&error);
    c.config = cli_config(c.threads, true);
    sw_arena_init(&c.arena, &c.config.allocator);
    const bool ok = compare(&c, &error);
    sw_arena_free(&c.arena);
    return ok ? CLI_OK : cli_fail(&error);
}
