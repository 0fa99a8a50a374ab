// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Real files: every closed mesh becomes a solid of the right volume, as it lies and turned; every
// broken file becomes a solid with a warning, or a clean error.
#include "test.h"

#include "geometry/solid.h"
#include "formats/mesh.h"
#include "sinew/sinew.h"
#include "volume/voxelize.h"

#include <dirent.h>

enum { MOST = 128 };

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

// The files of an asset folder in order; 0 (and a printed reason) when it is not there.
static int list_files(const char *folder, char (*name)[256]) {
    const char *path = test_asset(folder);
    DIR *dir = path ? opendir(path) : NULL;
    int count = 0;
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.' && count < MOST)
            snprintf(name[count++], 256, "%.255s", e->d_name);
    if (dir)
        closedir(dir);
    qsort(name, (size_t)count, sizeof *name, by_name);
    return count;
}

static void count_warning(void *context, swLogLevel level, const char *message) {
    (void)message;
    if (level == SW_LOG_WARNING)
        ++*(int *)context;
}

// Volume of the voxels at resolution 96 over the mesh's own; negative when the mesh is not closed.
static double volume_ratio(const char *path, swPose pose, swArena *arena) {
    swError error;
    swConfig config = sw_default_config();
    swShape shape = {.kind = SW_SHAPE_MESH, .file = path, .scale = 1, .pose = pose};
    swSolid *solid = sw_solid_create(&shape, NULL, "mesh", &config, arena, &error);
    if (!solid) {
        print_error("%s: %s\n", path, error.message);
        fail();
    }
    swSurfaceFacts facts;
    assert_true(sw_surface_facts(sw_solid_surface(solid), &facts, arena, &error));
    if (!facts.closed)
        return -1;
    swVec3 d = sw_sub(facts.hi, facts.lo);
    swGrid grid;
    swPaint paint = {.solid = solid};
    if (!sw_voxelize(1, &paint, sw_max(d.x, sw_max(d.y, d.z)) / 96, "mesh", NULL, &config, arena,
                     &grid, &error)) {
        print_error("%s: %s\n", path, error.message);
        fail();
    }
    return grid.volume / facts.volume;
}

static void closed_meshes_keep_their_volume(void **state) {
    (void)state;
    static char name[MOST][256];
    const int n = list_files("assets/meshes", name);
    if (n == 0)
        skip();
    const swPose poses[2] = {{.axis = {0, 1, 0}}, {.axis = {1, 2, -0.5}, .angle = 0.7}};
    double worst = 0;
    int closed = 0;
    for (int i = 0; i < n; i++) {
        char path[1024], asset[300];
        snprintf(asset, sizeof asset, "assets/meshes/%.255s", name[i]);
        snprintf(path, sizeof path, "%s", test_asset(asset));
        double ratio[2];
        for (int k = 0; k < 2; k++) {
            swArena arena;
            swConfig config = sw_default_config();
            sw_arena_init(&arena, &config.allocator);
            ratio[k] = volume_ratio(path, poses[k], &arena);
            sw_arena_free(&arena);
        }
        if (ratio[0] < 0) {
            printf("  %-28s not closed\n", name[i]);
            continue;
        }
        closed++;
        for (int k = 0; k < 2; k++)
            worst = fmax(worst, fabs(ratio[k] - 1));
        printf("  %-28s volume off by %9.2e, turned %9.2e\n", name[i], ratio[0] - 1, ratio[1] - 1);
        assert_near(ratio[0], 1, 0.02);
        assert_near(ratio[1], 1, 0.02);
    }
    printf("  %d closed meshes, volume off by %.2e at most\n", closed, worst);
    assert_true(closed > 30);
}

// Simulates a file with defaults for a few steps. Returns what it came to.
static const char *try_file(const char *path, char *text, size_t size) {
    int warnings = 0;
    swConfig config = sw_default_config();
    config.log = count_warning;
    config.log_context = &warnings;
    swError error;
    swScene *scene = sw_scene_read(path, &config, &error);
    swModel *model = scene ? sw_compile(scene, &error) : NULL;
    swState *st = model ? sw_state_create(model, &error) : NULL;
    if (!st) {
        assert_true(error.code != SW_OK);
        assert_true(strlen(error.message) > 8);
        sw_error_text(&error, text, size);
    } else {
        swStatus status = SW_OK;
        for (int i = 0; i < 3 && status == SW_OK; i++)
            status = sw_step(model, st);
        swEnergy e = sw_state_energy(st);
        assert_true(isfinite(e.elastic) && isfinite(e.kinetic));
        snprintf(text, size, "%d voxels, %d warnings, %s", sw_model_info(model).voxels, warnings,
                 sw_status_text(status));
    }
    sw_state_destroy(st);
    sw_model_destroy(model);
    sw_scene_destroy(scene);
    return text;
}

static void broken_files_are_survived(void **state) {
    (void)state;
    static char name[MOST][256];
    const int n = list_files("assets/broken", name);
    if (n == 0)
        skip();
    for (int i = 0; i < n; i++) {
        char path[1024], asset[300], text[1024];
        snprintf(asset, sizeof asset, "assets/broken/%.255s", name[i]);
        snprintf(path, sizeof path, "%s", test_asset(asset));
        try_file(path, text, sizeof text);
        const char *message = strstr(text, name[i]);
        printf("  %-28s %s\n", name[i], message ? message + strlen(name[i]) : text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(closed_meshes_keep_their_volume),
    cmocka_unit_test(broken_files_are_survived),
};
SW_SUITE(assets, tests)
