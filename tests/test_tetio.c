// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Files of tetrahedra: every mesh reads back as it was written; order, damage; the facts of the
// shared assets.
#include "test_tetio.h"

// ---- tools ----

static bool same_number(swReal a, swReal b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

// To the bit: places, order, materials, names.
static void assert_same(const swTetMesh *a, const swTetMesh *b, const char *what) {
    if (a->nvertex != b->nvertex || a->ntet != b->ntet || a->order != b->order ||
        a->nmaterial != b->nmaterial || !a->material != !b->material)
        fail_msg("%s: %d vertices, %d tetrahedra of order %d, %d materials; were %d, %d, %d, %d",
                 what, b->nvertex, b->ntet, b->order, b->nmaterial, a->nvertex, a->ntet, a->order,
                 a->nmaterial);
    const size_t n = (size_t)a->ntet;
    if (memcmp(a->X, b->X, (size_t)a->nvertex * sizeof *a->X) != 0)
        fail_msg("%s: the vertices differ", what);
    if (memcmp(a->vertex, b->vertex, n * (size_t)sw_tet_vertices(a->order) * sizeof(int)) != 0)
        fail_msg("%s: the tetrahedra differ", what);
    if (a->material && memcmp(a->material, b->material, n * sizeof(int)) != 0)
        fail_msg("%s: the materials of tetrahedra differ", what);
    for (int i = 0; i < a->nmaterial; i++) {
        const swTetMaterial *p = &a->materials[i], *q = &b->materials[i];
        if (strcmp(p->name, q->name) != 0 || !same_number(p->density, q->density) ||
            !same_number(p->young, q->young) || !same_number(p->poisson, q->poisson))
            fail_msg("%s: material %d is '%s' %g %g %g, was '%s' %g %g %g", what, i, q->name,
                     q->density, q->young, q->poisson, p->name, p->density, p->young, p->poisson);
    }
}

// Styles that differ: text or not, and of Gmsh old or not.
static int ways_of(const swTetFormat *format) {
    return format == &sw_tets_msh ? 4 : format == &sw_tets_vtk || format == &sw_tets_vtu ? 2 : 1;
}

// Writes and reads the mesh in every way there is.
static void round_trip(Fixture *f, const swTetMesh *mesh, const char *what) {
    for (int i = 0; sw_tets_format_at(i); i++)
        for (int way = 0; way < ways_of(sw_tets_format_at(i)); way++) {
            const swTetFormat *format = sw_tets_format_at(i);
            const swTetStyle style = {.text = way % 2, .old = way / 2};
            char name[64], title[200];
            if (strcmp(format->suffix, ".veg") == 0 && mesh->order == 2)
                continue; // refused, see test_refusals
            snprintf(name, sizeof name, "trip%s", format->suffix);
            snprintf(title, sizeof title, "%s as %s%s%s", what, format->suffix,
                     style.text ? ", text" : "", style.old ? ", old" : "");
            sw_error_clear(&f->error);
            if (!sw_tets_write(path_of(name), mesh, &style, &f->config, &f->error) ||
                !read_file(f, path_of(name)))
                fail_msg("%s: %s", title, f->error.message);
            if (f->warnings[0])
                fail_msg("%s: %s", title, f->warnings);
            assert_same(mesh, &f->mesh, title);
            for (int t = 0; mesh->fill && format->holds_fill && t < mesh->ntet; t++)
                assert_true(f->mesh.fill && f->mesh.fill[t] == mesh->fill[t]);
        }
}

// ---- meshes made here ----

// n x n x n cubes of six tetrahedra each, their corners moved about at random.
static swTetMesh make_cubes(Fixture *f, int n, unsigned seed) {
    static const int path[6][2] = {{1, 2}, {2, 1}, {0, 2}, {2, 0}, {0, 1}, {1, 0}};
    swTetMesh m = {.nvertex = (n + 1) * (n + 1) * (n + 1), .ntet = 6 * n * n * n, .order = 1};
    m.X = SW_NEW(&f->arena, m.nvertex, swVec3, &f->error);
    m.vertex = SW_NEW(&f->arena, 4 * m.ntet, int, &f->error);
    for (int i = 0; i < m.nvertex; i++) {
        swReal r[3];
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            r[k] = 0.3 * ((double)seed / 4294967296.0 - 0.5);
        }
        m.X[i] = sw_v3((i % (n + 1) + r[0]) / 3, i / (n + 1) % (n + 1) + r[1],
                       1e-7 * (i / (n + 1) / (n + 1) + r[2]));
    }
    const int step[3] = {1, n + 1, (n + 1) * (n + 1)};
    for (int c = 0, t = 0; c < n * n * n; c++) {
        const int origin = c % n + c / n % n * step[1] + c / n / n * step[2];
        for (int k = 0; k < 6; k++, t++) {
            const int a = path[k][0], b = path[k][1];
            int *v = &m.vertex[4 * t];
            v[0] = origin;
            v[1] = origin + step[a];
            v[2] = v[1] + step[b];
            v[3] = origin + step[0] + step[1] + step[2];
            if (sw_tets_volume(&m, t) < 0) {
                v[1] = v[2];
                v[2] = origin + step[a];
            }
        }
    }
    return m;
}

static void test_round_trips(void **state) {
    Fixture *f = *state;
    static const swTetMaterial numbered[] = {
        {"2", NAN, NAN, NAN}, {"7", NAN, NAN, NAN}, {"2000000000", NAN, NAN, NAN}};
    static const swTetMaterial named[] = {
        {"bone", 1800, 1.7e10, 0.3},
        {"a fat, \"soft\" one--#*\xc3\xa9", 1.0 / 3, 1e-300, -0.25},
        {"3", NAN, NAN, NAN},
        {"half", 900, NAN, NAN}};
    swTetMesh m = make_cubes(f, 3, 1);
    round_trip(f, &m, "plain");
    m.nmaterial = 1;
    m.materials = named;
    round_trip(f, &m, "one material");
    m.material = SW_NEW(&f->arena, m.ntet, int, &f->error);
    for (int t = 0; t < m.ntet; t++)
        m.material[t] = t * t / 3 % 3;
    m.nmaterial = 3;
    m.materials = numbered;
    round_trip(f, &m, "numbered materials");
    for (int t = 0; t < m.ntet; t++)
        m.material[t] = t % 4;
    m.nmaterial = 4;
    m.materials = named;
    round_trip(f, &m, "named materials");
    swTetMesh quadratic;
    assert_true(sw_tets_quadratic(&m, &f->arena, &quadratic, &f->error));
    for (int i = m.nvertex; i < quadratic.nvertex; i++) // edges that bend
        quadratic.X[i].y += 0.05 * sin(i);
    round_trip(f, &quadratic, "quadratic");
    swTetMesh corners;
    assert_true(sw_tets_linear(&quadratic, &f->arena, &corners, &f->error));
    assert_same(&m, &corners, "corners");
    swReal *fill = SW_NEW(&f->arena, m.ntet, swReal, &f->error);
    for (int t = 0; t < m.ntet; t++)
        fill[t] = (t + 1) / (m.ntet + 0.5);
    m.fill = fill;
    for (int text = 0; text < 2; text++) {
        const swTetStyle style = {.text = text};
        assert_true(sw_tets_write(path_of("fill.vtu"), &m, &style, &f->config, &f->error));
        assert_true(read_file(f, path_of("fill.vtu")));
        assert_memory_equal(f->mesh.fill, fill, (size_t)m.ntet * sizeof *fill);
        assert_true(sw_tets_write(path_of("fill.vtk"), &m, &style, &f->config, &f->error));
        assert_true(read_file(f, path_of("fill.vtk")));
        assert_memory_equal(f->mesh.fill, fill, (size_t)m.ntet * sizeof *fill);
    }
    f->warnings[0] = 0;
    assert_true(sw_tets_write(path_of("fill.msh"), &m, NULL, &f->config, &f->error));
    assert_non_null(strstr(f->warnings, "cannot store how far tetrahedra are filled"));
}

// What cannot be written is refused, and nothing is left of it.
static void test_refusals(void **state) {
    Fixture *f = *state;
    swTetMesh m = make_cubes(f, 1, 2), quadratic, empty = {.order = 1};
    assert_true(sw_tets_quadratic(&m, &f->arena, &quadratic, &f->error));
    assert_false(sw_tets_write(path_of("no.veg"), &quadratic, NULL, NULL, &f->error));
    assert_non_null(strstr(f->error.message, "only hold tetrahedra of order 1"));
    assert_int_not_equal(access(path_of("no.veg"), F_OK), 0);
    assert_false(sw_tets_write(path_of("no.obj"), &m, NULL, NULL, &f->error));
    assert_non_null(strstr(f->error.message, ".msh .node .ele .veg .vtk .vtu .mesh"));
    assert_false(sw_tets_write(path_of("no.msh"), &empty, NULL, NULL, &f->error));
    m.vertex[5] = m.nvertex;
    assert_false(sw_tets_write(path_of("no.msh"), &m, NULL, NULL, &f->error));
    m.vertex[5] = 0;
    m.X[3].y = NAN;
    assert_false(sw_tets_write(path_of("no.msh"), &m, NULL, NULL, &f->error));
    assert_int_not_equal(access(path_of("no.msh"), F_OK), 0);
    static const swTetMaterial alike[] = {{"a b", NAN, NAN, NAN}, {"a_b", NAN, NAN, NAN}};
    m = make_cubes(f, 1, 2);
    m.material = (int[6]){0, 1, 0, 1, 0, 1};
    m.nmaterial = 2;
    m.materials = alike;
    assert_false(sw_tets_write(path_of("no.veg"), &m, NULL, NULL, &f->error));
    assert_non_null(strstr(f->error.message, "two materials"));
    assert_false(read_file(f, path_of("no.obj")));
    assert_false(read_file(f, path_of("no.node")));
    assert_int_equal(f->error.code, SW_ERROR_FILE);
}

// ---- putting in order ----

static void test_order_of_edges(void **state) {
    // The same tetrahedron of ten vertices in Gmsh's order, in TetGen's, and in none of theirs.
    static const char *const gmsh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n"
                                    "1 0 0 0\n2 2 0 0\n3 0 2 0\n4 0 0 2\n5 1 0 0\n6 1 1 0\n"
                                    "7 0 1 0\n8 0 0 1\n9 1 0 1\n10 0 1 1\n$EndNodes\n$Elements\n1\n"
                                    "1 11 2 0 1 1 2 3 4 %s\n$EndElements\n";
    static const int vertex[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    Fixture *f = *state;
    char text[600];
    snprintf(text, sizeof text, gmsh, "5 6 7 8 10 9");
    read_good(f, ".msh", text);
    assert_memory_equal(f->mesh.vertex, vertex, sizeof vertex);
    assert_string_equal(f->warnings, "");
    snprintf(text, sizeof text, gmsh, "5 6 7 8 9 10"); // VTK's, where Gmsh's belongs
    read_good(f, ".msh", text);
    assert_memory_equal(f->mesh.vertex, vertex, sizeof vertex);
    assert_non_null(strstr(f->warnings, "not in the order of Gmsh 2.2, text"));
    const char *node = "10 3 0 0\n0 0 0 0\n1 2 0 0\n2 0 2 0\n3 0 0 2\n4 1 0 0\n5 1 1 0\n6 0 1 0\n"
                       "7 0 0 1\n8 1 0 1\n9 0 1 1\n";
    write_bytes(path_of("given.node"), node, strlen(node));
    read_good(f, ".ele", "1 10 0\n0 0 1 2 3 9 7 4 5 8 6\n");
    assert_memory_equal(f->mesh.vertex, vertex, sizeof vertex);
    assert_string_equal(f->warnings, "");
    // Of wrong winding: turned over with its edges.
    read_good(f, ".ele", "1 10 0\n0 0 2 1 3 8 7 6 5 9 4\n");
    assert_memory_equal(f->mesh.vertex, vertex, sizeof vertex);
    assert_int_equal(f->report.flipped, 1);
}

static void test_clean_up(void **state) {
    Fixture *f = *state;
    read_good(
        f, ".mesh",
        "MeshVersionFormatted 1\nDimension 3\nVertices 8\n9 9 9 0\n0 0 0 0\n1 0 0 0\n0 1 0 0\n"
        "0 0 1 0\n1 1 1 0\n8 8 8 0\n0.5 0.5 0 0\n"
        "Tetrahedra 6\n2 3 4 5 1\n3 5 4 6 1\n2 3 3 5 1\n" // right, left-handed, an edge
        "2 3 4 8 1\n5 4 3 2 1\n3 4 5 6 2\n");             // flat, twice the others
    assert_int_equal(f->mesh.ntet, 2);
    assert_int_equal(f->mesh.nvertex, 5);
    assert_int_equal(f->report.unused, 3);
    assert_int_equal(f->report.flipped, 1);
    assert_int_equal(f->report.first_flipped, 1);
    assert_int_equal(f->report.flat, 2);
    assert_int_equal(f->report.first_flat, 2);
    assert_int_equal(f->report.repeated, 2);
    assert_int_equal(f->report.first_repeated, 4);
    assert_non_null(
        strstr(f->warnings, "1 tetrahedron has the wrong orientation (the first is number 1,"));
    assert_non_null(strstr(f->warnings, "2 tetrahedra have no volume (the first is number 2,"));
    assert_non_null(strstr(f->warnings, "2 tetrahedra are duplicates (the first is number 4,"));
    static const int vertex[] = {0, 1, 2, 3, 1, 2, 3, 4};
    assert_memory_equal(f->mesh.vertex, vertex, sizeof vertex);
    swTetFacts facts;
    assert_true(sw_tets_facts(&f->mesh, &facts, &f->arena, &f->error));
    assert_int_equal(facts.left_handed, 0);
    assert_int_equal(facts.components, 1);
    assert_near(facts.volume, 0.5, 1e-15);
}

// ---- damage ----

// What every format writes, cut off or damaged anywhere: refused with a reason, or a sound mesh.
static void test_damage(void **state) {
    static const swTetMaterial named[] = {{"a b", 1, 2, 0.3}, {"c", NAN, NAN, NAN}};
    Fixture *f = *state;
    swTetMesh m = make_cubes(f, 1, 3);
    m.material = (int[6]){0, 1, 1, 0, 1, 0};
    m.nmaterial = 2;
    m.materials = named;
    for (int i = 0; sw_tets_format_at(i); i++)
        for (int way = 0; way < ways_of(sw_tets_format_at(i)); way++) {
            const swTetStyle style = {.text = way % 2, .old = way / 2};
            char name[64], *data;
            size_t size;
            snprintf(name, sizeof name, "whole%s", sw_tets_format_at(i)->suffix);
            assert_true(sw_tets_write(path_of(name), &m, &style, &f->config, &f->error));
            assert_true(sw_file_read(path_of(name), &f->arena, &data, &size, &f->error));
            for (int k = 0; k < 100; k++) {
                const size_t at = size * (size_t)k / 100;
                parse_bytes(f, sw_tets_format_at(i), data, at);
                data[at] ^= 0x11;
                parse_bytes(f, sw_tets_format_at(i), data, size);
                data[at] ^= 0x11;
            }
        }
}

static void test_failing_memory(void **state) {
    static const swTetMaterial named[] = {{"a b", 1, 2, 0.3}, {"c", NAN, NAN, NAN}};
    Fixture *f = *state;
    swTetMesh m = make_cubes(f, 1, 4);
    m.material = (int[6]){0, 1, 1, 0, 1, 0};
    m.nmaterial = 2;
    m.materials = named;
    for (int i = 0; sw_tets_format_at(i); i++) {
        char name[64];
        snprintf(name, sizeof name, "memory%s", sw_tets_format_at(i)->suffix);
        bool ok = false;
        assert_true(sw_tets_write(path_of(name), &m, NULL, &f->config, &f->error));
        for (int at = 1; !ok; at++) {
            Counter counter = {.fail_at = at};
            const swConfig config = counting_config(&counter);
            swArena arena;
            swTetMesh mesh;
            swError error = {0};
            sw_arena_init(&arena, &config.allocator);
            ok = sw_tets_read(path_of(name), &config, &arena, &mesh, NULL, &error);
            if (!ok)
                assert_int_equal(error.code, SW_ERROR_MEMORY);
            sw_arena_free(&arena);
            assert_int_equal(counter.held, 0);
            assert_true(at < 200);
        }
    }
}

// ---- the shared assets ----

static const struct Asset {
    const char *name;
    int nvertex, ntet, order, materials, flipped, outer;
    double volume, quality[2]; // as INDEX.md of the assets has them: the power 1.5 of ours
    const char *refused;
} assets[] = {
    {"artisynth_tongue.1.ele", 2228, 11098, 1, 0, 0, 1812, 9.61886e-05, {0.00938, 0.652}, NULL},
    {"artisynth_tongue.1.node", 2228, 11098, 1, 0, 0, 1812, 9.61886e-05, {0.00938, 0.652}, NULL},
    {"asianDragon.veg", 959, 2591, 1, 1, 0, 1854, 34.2555, {0.0691, 0.532}, NULL},
    {"beam3_tet.veg", 208, 450, 1, 1, 0, 412, 0.0048, {0.57, 0.666}, NULL},
    {"cleaver_spheres.ele", 1434, 7011, 1, 4, 7011, 834, 21882.1, {0.0869, 0.809}, NULL},
    {"cleaver_spheres.node", 1434, 7011, 1, 4, 7011, 834, 21882.1, {0.0869, 0.809}, NULL},
    {"comb.tet.veg", 1623, 5844, 1, 1, 0, 2372, 15218.8, {0.57, 0.666}, NULL},
    {"igl_bunny_in_hull.mesh", 5433, 34055, 1, 0, 0, 670, 0.00124941, {2.41e-07, 0.455}, NULL},
    {"pneunet.vtk", 2316, 9560, 1, 0, 0, 2968, 51162.5, {0.0169, 0.444}, NULL},
    {"polyfem_bar-2523.msh", 886, 2523, 1, 0, 0, 1618, 5, {0.0196, 0.611}, NULL},
    {"polyfem_bimetal.msh", 3881, 16275, 1, 2, 0, 4632, 10, {0.243, 0.755}, NULL},
    {"polyfem_bunny.msh", 4670, 19379, 1, 0, 0, 6266, 6.0104, {0.00416, 0.586}, NULL},
    {"polyfem_dinosaur.msh", 13270, 49973, 1, 0, 0, 17212, 0.0254424, {0.23, 0.749}, NULL},
    {"polyfem_mat40x40.msh", 3200, 9126, 1, 0, 0, 6396, 0.008, {0.272, 0.357}, NULL},
    {"polyfem_microP2.msh", 10475, 6414, 2, 0, 0, 1762, 0.0467191, {0.000399, 0.267}, NULL},
    {"polyfem_msh_22_ascii.msh", 8, 5, 1, 3, 0, 12, 0.833333, {0.657, 0.82}, NULL},
    {"polyfem_msh_22_binary.msh", 8, 5, 1, 3, 0, 12, 0.833333, {0.657, 0.82}, NULL},
    {"polyfem_msh_41_ascii.msh", 8, 5, 1, 3, 0, 12, 0.833333, {0.657, 0.82}, NULL},
    {"polyfem_msh_41_binary.msh", 8, 5, 1, 3, 0, 12, 0.833333, {0.657, 0.82}, NULL},
    {"polyfem_screw.msh", 1732, 6059, 1, 0, 0, 2828, 383.58, {5.39e-05, 0.393}, NULL},
    {"polyfem_sphereP1.msh", 18, 30, 1, 0, 0, 30, 2.86209, {0.605, 0.909}, NULL},
    {"polyfem_sphereP2.msh", 80, 30, 2, 0, 0, 30, 2.86209, {0.605, 0.909}, NULL},
    {"polyfem_sphereP3.msh",
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     {0, 0},
     "a tetrahedron of order 3 (Gmsh's type 29); save the mesh with order 1 or 2"},
    {"polyfem_square_beam.mesh", 739, 2886, 1, 0, 0, 894, 40000, {0.303, 0.76}, NULL},
    {"sofa_liver.msh", 181, 596, 1, 1, 0, 276, 36.5609, {0.0794, 0.579}, NULL},
    {"sofa_liverFine.vtu", 4293, 22019, 1, 0, 0, 3202, 38.9562, {0.0108, 0.751}, NULL},
    {"sofa_truthcylinder1.msh", 642, 2524, 1, 1, 0, 706, 1513.42, {0.353, 0.801}, NULL},
    {"turtle_heterogeneous.veg",
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     {0, 0},
     "*INCLUDE shellElementList.txt: cannot open"},
    {"turtle_homogeneous.veg", 347, 1185, 1, 1, 0, 530, 45.187, {0.139, 0.717}, NULL},
};

static void check_asset(Fixture *f, const struct Asset *a) {
    swTetFacts facts;
    assert_true(sw_tets_facts(&f->mesh, &facts, &f->arena, &f->error));
    swReal mean = 0; // of the powers
    for (int t = 0; t < f->mesh.ntet; t++) {
        const int *v = sw_tets_at(&f->mesh, t);
        swReal square = 0;
        for (int e = 0; e < 6; e++)
            square +=
                sw_norm2(sw_sub(f->mesh.X[v[sw_tet_edge[e][0]]], f->mesh.X[v[sw_tet_edge[e][1]]])) /
                6;
        mean += 6 * sqrt(2) * sw_tets_volume(&f->mesh, t) / (square * sqrt(square)) / f->mesh.ntet;
    }
    const swReal least = pow(facts.quality, 1.5);
    if (f->mesh.nvertex != a->nvertex || f->mesh.ntet != a->ntet || f->mesh.order != a->order ||
        f->report.flipped != a->flipped || f->mesh.nmaterial != a->materials ||
        facts.outer_faces != a->outer || f->report.flat || f->report.repeated ||
        fabs(mean - a->quality[1]) > 1e-3 || fabs(least / a->quality[0] - 1) > 0.01)
        fail_msg("%s: %d vertices, %d tetrahedra of order %d, %d flipped, %d materials, %d outer "
                 "faces, %d flat, %d repeated, quality %g and %g",
                 a->name, f->mesh.nvertex, f->mesh.ntet, f->mesh.order, f->report.flipped,
                 f->mesh.nmaterial, facts.outer_faces, f->report.flat, f->report.repeated, least,
                 mean);
    // Of eight in polyfem_microP2.msh, whose edges bend, the corners are left-handed, but not the
    // tetrahedra: nothing is turned over.
    const bool bent = strcmp(a->name, "polyfem_microP2.msh") == 0;
    assert_int_equal(facts.left_handed, bent ? 8 : 0);
    assert_int_equal(facts.unused_vertices, 0);
    assert_near(facts.volume / a->volume, 1, bent ? 1e-4 : 1e-5);
}

static void test_assets(void **state) {
    Fixture *f = *state;
    char name[200];
    for (int i = 0; i < SW_COUNT(assets); i++) {
        const struct Asset *a = &assets[i];
        snprintf(name, sizeof name, "assets/tets/%s", a->name);
        SKIP_WITHOUT_ASSET(path, name);
        const bool ok = read_file(f, path);
        if (ok == (a->refused != NULL) || (a->refused && !strstr(f->error.message, a->refused)))
            fail_msg("%s: %s", a->name, ok ? "was read" : f->error.message);
        if (!ok)
            continue;
        check_asset(f, a);
        const swTetMesh mesh = f->mesh;
        round_trip(f, &mesh, a->name);
        sw_arena_free(&f->arena);
        sw_arena_init(&f->arena, &f->config.allocator);
    }
}

// No file of that folder is missing from the table.
static void test_all_assets(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/tets");
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        bool known = entry->d_name[0] == '.';
        for (int i = 0; i < SW_COUNT(assets); i++)
            known = known || strcmp(assets[i].name, entry->d_name) == 0;
        if (!known)
            fail_msg("%s is not in the table", entry->d_name);
    }
    closedir(dir);
}

static void test_broken_assets(void **state) {
    Fixture *f = *state;
    SKIP_WITHOUT_ASSET(bad, "assets/broken/sofa_6_tetra_bad.msh");
    assert_true(read_file(f, bad));
    assert_int_equal(f->mesh.ntet, 6);
    assert_int_equal(f->report.flipped, 1);
    SKIP_WITHOUT_ASSET(broken, "assets/broken/sofa_Armadillo_broken.vtu");
    assert_false(read_file(f, broken));
    printf("sofa_Armadillo_broken.vtu: %s\n", f->error.message);
    assert_non_null(strstr(f->error.message, "expected"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_round_trips, setup, teardown),
    cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
    cmocka_unit_test_setup_teardown(test_order_of_edges, setup, teardown),
    cmocka_unit_test_setup_teardown(test_clean_up, setup, teardown),
    cmocka_unit_test_setup_teardown(test_damage, setup, teardown),
    cmocka_unit_test_setup_teardown(test_failing_memory, setup, teardown),
    cmocka_unit_test_setup_teardown(test_assets, setup, teardown),
    cmocka_unit_test_setup_teardown(test_all_assets, setup, teardown),
    cmocka_unit_test_setup_teardown(test_broken_assets, setup, teardown),
};
SW_SUITE(tetio, tests)
