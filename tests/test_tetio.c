// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Files of tetrahedra: every format, good and bad; the facts of the shared assets.
#include "test_files.h"
#include "test_tools.h"

#include "io/tets_read.h"

#include <zlib.h>

// ---- tools ----

typedef struct Fixture {
    swConfig config;
    swArena arena;
    swTetMesh mesh;
    swTetReport report;
    swError error;
    char warnings[4096];
} Fixture;

static void keep_warning(void *context, swLogLevel level, const char *message) {
    Fixture *f = context;
    const size_t n = strlen(f->warnings);
    if (level == SW_LOG_WARNING)
        snprintf(f->warnings + n, sizeof f->warnings - n, "%s\n", message);
}

static int setup(void **state) {
    static Fixture f;
    f = (Fixture){.config = sw_default_config()};
    f.config.log = keep_warning;
    f.config.log_context = &f;
    sw_arena_init(&f.arena, &f.config.allocator);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    Fixture *f = *state;
    sw_arena_free(&f->arena);
    return 0;
}

static void write_bytes(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

static bool read_file(Fixture *f, const char *path) {
    f->warnings[0] = 0;
    sw_error_clear(&f->error);
    return sw_tets_read(path, &f->config, &f->arena, &f->mesh, &f->report, &f->error);
}

static bool read_bytes(Fixture *f, const char *suffix, const void *data, size_t size) {
    char name[64];
    snprintf(name, sizeof name, "given%s", suffix);
    write_bytes(path_of(name), data, size);
    return read_file(f, path_of(name));
}

// In memory; what is refused has a reason and a path.
static bool parse_bytes(Fixture *f, const swTetFormat *format, const void *data, size_t size) {
    char name[64];
    snprintf(name, sizeof name, "whole%s", format->suffix);
    const char *copy = sw_arena_text(&f->arena, data, size, &f->error);
    const swMeshFile file = {path_of(name), copy, size};
    f->warnings[0] = 0;
    sw_error_clear(&f->error);
    const bool ok =
        sw_tets_parse(&file, format, &f->config, &f->arena, &f->mesh, &f->report, &f->error);
    assert_true(ok || (f->error.code && f->error.message[0] && f->error.path[0]));
    return ok;
}

static void read_good(Fixture *f, const char *suffix, const char *text) {
    if (!read_bytes(f, suffix, text, strlen(text)))
        fail_msg("%s\n%s", f->error.message, text);
}

static void expect_error(Fixture *f, const char *suffix, const void *data, size_t size, int line,
                         const char *fragment) {
    if (read_bytes(f, suffix, data, size))
        fail_msg("read, but should say '%s':\n%.*s", fragment, (int)size, (const char *)data);
    if (!strstr(f->error.message, fragment) || f->error.line != line)
        fail_msg("'%s' in line %d; expected '%s' in line %d:\n%.*s", f->error.message,
                 f->error.line, fragment, line, (int)size, (const char *)data);
    assert_int_not_equal(f->error.code, SW_OK);
    assert_true(f->error.path[0] != 0);
    assert_null(f->mesh.X);
}

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
    assert_non_null(strstr(f->warnings, "cannot say that tetrahedra are partly filled"));
}

// What cannot be written is refused, and nothing is left of it.
static void test_refusals(void **state) {
    Fixture *f = *state;
    swTetMesh m = make_cubes(f, 1, 2), quadratic, empty = {.order = 1};
    assert_true(sw_tets_quadratic(&m, &f->arena, &quadratic, &f->error));
    assert_false(sw_tets_write(path_of("no.veg"), &quadratic, NULL, NULL, &f->error));
    assert_non_null(strstr(f->error.message, "order 1 alone"));
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

// ---- forms ----

#define POINTS "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n"
#define NODES "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"

// The two tetrahedra of POINTS that most texts below hold.
static void assert_pair(Fixture *f) {
    static const int vertex[] = {0, 1, 2, 3, 1, 2, 3, 4};
    assert_int_equal(f->mesh.nvertex, 5);
    assert_int_equal(f->mesh.ntet, 2);
    assert_memory_equal(f->mesh.vertex, vertex, sizeof vertex);
    assert_near(sw_tets_volume(&f->mesh, 0), 1.0 / 6, 1e-15);
    assert_near(sw_tets_volume(&f->mesh, 1), 1.0 / 3, 1e-15);
    assert_string_equal(f->warnings, "");
}

static void assert_names(Fixture *f, const char *first, const char *second) {
    assert_int_equal(f->mesh.nmaterial, 2);
    assert_string_equal(f->mesh.materials[0].name, first);
    assert_string_equal(f->mesh.materials[1].name, second);
    assert_int_equal(f->mesh.material[0], 0);
    assert_int_equal(f->mesh.material[1], 1);
}

static void test_msh_forms(void **state) {
    Fixture *f = *state;
    read_good(f, ".msh",
              "$NOD\n5\n" NODES "$ENDNOD\n$ELM\n3\n1 2 1 1 3 1 2 3\n2 4 1 1 4 1 2 3 4\n"
              "3 4 1 1 4 2 3 4 5\n$ENDELM\n");
    assert_pair(f);
    assert_int_equal(f->report.skipped, 1);
    assert_string_equal(f->mesh.materials[0].name, "1");
    // Names, sections of others, tags beyond two, numbers out of order.
    read_good(f, ".MSH",
              "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"skin\"\n"
              "3 4 \"soft part\"\n3 9 \"hard\"\n$EndPhysicalNames\n$Nodes\n5\n10 0 0 0\n"
              "2 1 0 0\n300 0 1 0\n4000000000 0 0 1\n5 1 1 1\n$EndNodes\n$Elements\n3\n"
              "1 15 2 0 1 2\n7 4 3 4 1 0 10 2 300 4000000000\n"
              "9 4 2 9 2 2 300 4000000000 5\n$EndElements\n$NodeData\n1\nx\n$EndNodeData\n");
    assert_pair(f);
    assert_names(f, "soft part", "hard");
    // Without physical groups several volumes are told apart.
    read_good(f, ".msh",
              "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n" NODES "$EndNodes\n$Elements\n2\n"
              "1 4 2 0 3 1 2 3 4\n2 4 2 0 8 2 3 4 5\n$EndElements\n");
    assert_names(f, "3", "8");
    read_good(f, ".msh",
              "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 6 \"in\"\n"
              "$EndPhysicalNames\n$Entities\n1 1 0 2\n1 0 0 0 0\n1 0 0 0 1 0 0 1 77 2 1 -1\n"
              "1 0 0 0 1 1 1 1 6 0\n2 0 0 0 1 1 1 2 5 6 0\n$EndEntities\n$Nodes\n2 5 1 5\n"
              "0 1 0 1\n1\n0 0 0\n2 1 1 4\n2\n3\n4\n5\n1 0 0 0.5 0.5\n0 1 0 0.5 0.5\n0 0 1 0 0\n"
              "1 1 1 1 1\n$EndNodes\n$Elements\n3 3 1 3\n1 1 1 1\n1 1 2\n3 2 4 1\n2 1 2 3 4\n"
              "3 1 4 1\n3 2 3 4 5\n$EndElements\n");
    assert_pair(f);
    assert_int_equal(f->report.skipped, 1);
    assert_string_equal(f->report.format, "Gmsh 4.1, text");
    assert_int_equal(f->mesh.nmaterial, 2);
    assert_string_equal(f->mesh.materials[0].name, "5");
    assert_string_equal(f->mesh.materials[1].name, "in");
    assert_int_equal(f->mesh.material[0], 0);
}

static void test_text_forms(void **state) {
    Fixture *f = *state;
    write_bytes(path_of("given.node"), "# a\n5 3 1 1\n" NODES, strlen("# a\n5 3 1 1\n" NODES));
    read_good(f, ".ele", "2 4 1\n1 1 2 3 4 -3 # b\n\n2 2 3 4 5 1.0\n");
    assert_pair(f);
    assert_names(f, "-3", "1");
    assert_true(read_file(f, path_of("given.node")));
    assert_pair(f);
    read_good(f, ".ele", "2 4 1\n1 1 2 3 4 0.5\n2 2 3 4 5 1.0\n");
    assert_non_null(strstr(f->warnings, "not whole numbers"));
    assert_int_equal(f->mesh.nmaterial, 0);
    // From 0, which the vertices tell.
    write_bytes(path_of("given.node"), "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1",
                strlen("5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1"));
    read_good(f, ".ele", "2 4\n0 0 1 2 3\n1 1 2 3 4");
    assert_pair(f);

    read_good(f, ".mesh",
              "MeshVersionFormatted 2\n\nDimension\n3\n# c\nVertices\n5\n0 0 0 1\n1 0 0 1\n0 1 0 0 "
              "0 0 1 0\n1 1 1 7\nTriangles 1\n1 2 3 4\nRidges\n1\n1\nTetrahedra\n2\n1 2 3 4 5\n"
              "2 3 4 5 6\nEnd\nnothing more");
    assert_pair(f);
    assert_names(f, "5", "6");
    assert_int_equal(f->report.skipped, 1);

    read_good(f, ".veg",
              "# c\n*VERTICES\n5 3 0 0\n" NODES "\n*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4 # c\n"
              "2, 2, 3, 4, 5\n*MATERIAL soft\nENU, 1000, 1e4, 0.4\n*MATERIAL hard\n"
              "ENU, 2000, 1e9, .3\n*SET a\n1,\n*SET b\n2\n*SET ghosts\n77\n*REGION\na, hard\n"
              "*REGION\nb, soft\n");
    assert_pair(f);
    assert_names(f, "hard", "soft");
    assert_near(f->mesh.materials[0].density, 2000, 0);
    assert_near(f->mesh.materials[0].young, 1e9, 0);
    assert_near(f->mesh.materials[1].poisson, 0.4, 0);
    write_bytes(path_of("part.txt"), "1 # in here\n", 12);
    read_good(f, ".veg",
              "*VERTICES\n5 3 0 0\n" NODES "*ELEMENTS\nTETS\n2 4 0\n1 1 2 3 4\n2 2 3 4 5\n"
              "*SET a\n*INCLUDE part.txt\n*MATERIAL m\nMOONEYRIVLIN, 900, 1, 2, 3\n"
              "*REGION\na, m\n");
    assert_non_null(strstr(f->warnings, "'m' is of the law MOONEYRIVLIN: its density alone"));
    assert_int_equal(f->mesh.nmaterial, 2);
    assert_string_equal(f->mesh.materials[0].name, "0"); // of no region
    assert_string_equal(f->mesh.materials[1].name, "m");
    assert_near(f->mesh.materials[1].density, 900, 0);
    assert_true(isnan(f->mesh.materials[1].young));
    assert_int_equal(f->mesh.material[0], 1);
}

static void test_vtk_forms(void **state) {
    Fixture *f = *state;
    read_good(
        f, ".vtk",
        "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n" POINTS
        "CELLS 3 14\n3 0 1 2\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 3\n5\n10\n10\n"
        "POINT_DATA 5\nSCALARS material int\nLOOKUP_TABLE default\n1 2 3 4 5\n"
        "CELL_DATA 3\nVECTORS v double\n1 2 3 4 5 6 7 8 9\nFIELD FieldData 2\n"
        "region 1 3 int\n9 4 4\nnames 1 1 string\na b\nSCALARS material float 1\n"
        "LOOKUP_TABLE default\n0 8 9\nCOLOR_SCALARS c 1\n1 1 1\n");
    assert_pair(f);
    assert_names(f, "8", "9"); // the name suits better than "region"
    assert_int_equal(f->report.skipped, 1);
    read_good(
        f, ".vtk",
        "# vtk DataFile Version 5.1\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n" POINTS
        "\nMETADATA\nINFORMATION 0\n\nCELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\n"
        "CONNECTIVITY vtktypeint64\n0 1 2 3 1 2 3 4\nCELL_TYPES 2\n10\n10\n");
    assert_pair(f);
    assert_int_equal(f->mesh.nmaterial, 0);
}

// An array of a .vtu in any of its encodings.
typedef struct Encoding {
    bool base64, zipped, big;
    int header;
} Encoding;

typedef struct Bytes {
    unsigned char data[4096];
    size_t size;
} Bytes;

static void add_bits(Bytes *b, uint64_t bits, int size, bool big) {
    for (int i = 0; i < size; i++)
        b->data[b->size++] = (unsigned char)(bits >> 8 * (big ? size - 1 - i : i));
}

static void add_base64(Bytes *to, const Bytes *from) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < from->size; i += 3) {
        unsigned bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < from->size ? from->data[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            to->data[to->size++] =
                i + k <= from->size ? (unsigned char)digit[bits >> (18 - 6 * k) & 63] : '=';
    }
}

// Two blocks where it is compressed; the header is then encoded by itself.
static void add_array(Bytes *to, const Bytes *raw, Encoding e) {
    Bytes head = {.size = 0}, body = {.size = 0};
    if (e.zipped) {
        const size_t half = (raw->size + 1) / 2, part[2] = {half, raw->size - half};
        add_bits(&head, 2, e.header, e.big);
        add_bits(&head, part[0], e.header, e.big);
        add_bits(&head, part[1], e.header, e.big);
        for (int k = 0; k < 2; k++) {
            uLongf room = sizeof body.data - body.size;
            assert_int_equal(
                compress(body.data + body.size, &room, raw->data + (k ? half : 0), (uLong)part[k]),
                Z_OK);
            add_bits(&head, room, e.header, e.big);
            body.size += room;
        }
    } else {
        add_bits(&head, raw->size, e.header, e.big);
        memcpy(body.data, raw->data, body.size = raw->size);
    }
    if (e.base64 && e.zipped)
        add_base64(to, &head);
    else if (e.base64) {
        memcpy(head.data + head.size, body.data, body.size);
        head.size += body.size;
        body = head;
    } else {
        memcpy(to->data + to->size, head.data, head.size);
        to->size += head.size;
    }
    if (e.base64)
        add_base64(to, &body);
    else {
        memcpy(to->data + to->size, body.data, body.size);
        to->size += body.size;
    }
}

static void add_text(Bytes *b, const char *format, ...) SW_PRINTF(2, 3);
static void add_text(Bytes *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    b->size += (size_t)vsnprintf((char *)b->data + b->size, sizeof b->data - b->size, format, args);
    va_end(args);
}

static void make_vtu(Bytes *out, Encoding e, bool appended) {
    static const char *const head[5] = {
        "<Points>\n<DataArray type=\"Float32\" NumberOfComponents=\"3\" Name=\"p\"",
        "</Points>\n<Cells>\n<DataArray Name=\"connectivity\" type=\"Int64\"",
        "<DataArray type=\"Int32\" Name=\"offsets\"", "<DataArray type=\"UInt8\" Name='types'",
        "</Cells>\n<CellData Scalars=\"x\"><DataArray type=\"Int16\" Name=\"gmsh:physical\""};
    static const float x[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    static const int connectivity[8] = {0, 1, 2, 3, 1, 2, 3, 4};
    Bytes raw[5] = {{.size = 0}}, data = {.size = 0};
    for (int i = 0; i < 15; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], 4);
        add_bits(&raw[0], bits, 4, e.big);
    }
    for (int i = 0; i < 8; i++)
        add_bits(&raw[1], (uint64_t)connectivity[i], 8, e.big);
    for (unsigned i = 0; i < 2; i++) {
        add_bits(&raw[2], 4 * i + 4, 4, e.big);
        add_bits(&raw[3], 10, 1, e.big);
        add_bits(&raw[4], i ? 20 : (uint64_t)-30, 2, e.big);
    }
    out->size = 0;
    add_text(out,
             "<?xml version=\"1.0\"?>\n<!-- <a> -->\n<VTKFile type=\"UnstructuredGrid\" "
             "byte_order=\"%s\" header_type=\"%s\"%s>\n<UnstructuredGrid><FieldData><DataArray "
             "type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\">0</DataArray></FieldData>"
             "<Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">\n",
             e.big ? "BigEndian" : "LittleEndian", e.header == 8 ? "UInt64" : "UInt32",
             e.zipped ? " compressor=\"vtkZLibDataCompressor\"" : "");
    for (int k = 0; k < 5; k++) {
        if (appended) {
            add_text(out, "%s format=\"appended\" offset=\"%zu\"/>\n", head[k], data.size);
            add_array(&data, &raw[k], e);
            continue;
        }
        add_text(out, "%s format=\"binary\">\n  ", head[k]);
        add_array(out, &raw[k], e);
        add_text(out, "\n</DataArray>\n");
    }
    add_text(out, "</CellData></Piece></UnstructuredGrid>\n");
    if (appended) {
        add_text(out, "<AppendedData encoding=\"%s\">\n _", e.base64 ? "base64" : "raw");
        memcpy(out->data + out->size, data.data, data.size);
        out->size += data.size;
        add_text(out, "\n</AppendedData>");
    }
    add_text(out, "</VTKFile>\n");
}

static void test_vtu_forms(void **state) {
    Fixture *f = *state;
    Bytes file;
    for (int i = 0; i < 32; i++) {
        const Encoding e = {
            .base64 = i & 1, .zipped = i & 2, .big = i & 4, .header = i & 8 ? 8 : 4};
        const bool appended = i & 16;
        if (!appended && !e.base64)
            continue;
        make_vtu(&file, e, appended);
        if (!read_bytes(f, ".vtu", file.data, file.size))
            fail_msg("encoding %d: %s", i, f->error.message);
        assert_pair(f);
        assert_names(f, "-30", "20");
        // Cut off anywhere, it is refused with a reason or still whole.
        for (size_t size = 0; size < file.size; size += 7)
            if (parse_bytes(f, &sw_tets_vtu, file.data, size))
                assert_pair(f);
        for (size_t at = 0; at < file.size; at += 3) { // and damaged anywhere
            file.data[at] ^= 0x15;
            parse_bytes(f, &sw_tets_vtu, file.data, file.size);
            file.data[at] ^= 0x15;
        }
    }
    // Two pieces, the second without its own points; text.
    read_good(f, ".vtu",
              "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>"
              "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><Points><DataArray type=\"Float64\" "
              "NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells>"
              "<DataArray type=\"Int32\" Name=\"connectivity\">0 1 2 3</DataArray><DataArray "
              "type=\"Int32\" Name=\"offsets\">4</DataArray><DataArray type=\"Int32\" "
              "Name=\"types\">10</DataArray></Cells></Piece>"
              "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><Points><DataArray type=\"Float64\" "
              "NumberOfComponents=\"3\">0 0 5 1 0 5 0 1 5 0 0 6</DataArray></Points><Cells>"
              "<DataArray type=\"Int32\" Name=\"connectivity\">0 1 2 3</DataArray><DataArray "
              "type=\"Int32\" Name=\"offsets\">4</DataArray><DataArray type=\"Int32\" "
              "Name=\"types\">10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>");
    assert_int_equal(f->mesh.ntet, 2);
    assert_int_equal(f->mesh.vertex[4], 4);
    assert_near(f->mesh.X[7].z, 6, 0);
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
        strstr(f->warnings, "1 tetrahedron is of wrong winding (the first is number 1,"));
    assert_non_null(strstr(f->warnings, "2 tetrahedra have no volume (the first is number 2,"));
    assert_non_null(strstr(f->warnings, "2 tetrahedra are there twice (the first is number 4,"));
    static const int vertex[] = {0, 1, 2, 3, 1, 2, 3, 4};
    assert_memory_equal(f->mesh.vertex, vertex, sizeof vertex);
    swTetFacts facts;
    assert_true(sw_tets_facts(&f->mesh, &facts, &f->arena, &f->error));
    assert_int_equal(facts.left_handed, 0);
    assert_int_equal(facts.components, 1);
    assert_near(facts.volume, 0.5, 1e-15);
}

// ---- broken files ----

static void test_broken(void **state) {
    static const struct {
        const char *suffix, *text;
        int line;
        const char *fragment;
    } cases[] = {
        {".msh", "", 0, "no section $Nodes"},
        {".msh", "solid x\n", 1, "expected $MeshFormat, found 'solid'"},
        {".msh", "$MeshFormat\n3 0 8\n", 2, "version 3 of Gmsh's format"},
        {".msh", "$MeshFormat\n2.2 0 4\n", 2, "expected 0 or 1 with 8"},
        {".msh", "$MeshFormat\n2.2 1 8\nabcd", 0, "the byte order (before byte 24)"},
        {".msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n99999999999\n1 0 0 0\n", 5,
         "99999999999 nodes cannot be in the 9 bytes that follow"},
        {".msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 x\n", 6,
         "expected a number, found 'x'"},
        {".msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 nan\n", 6,
         "expected a number, found 'nan'"},
        {".msh",
         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 1e999\n$EndNodes\n"
         "$Elements\n1\n1 4 2 0 0 1 1 1 1\n$EndElements\n",
         0, "(0, 0, inf)"},
        {".msh",
         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n" NODES "$EndNodes\n$Elements\n"
         "1\n1 4 2 0 0 1 2 3 9\n$EndElements\n",
         14, "refers to vertex 9, but there are 5 vertices, numbered from 1 to 5"},
        {".msh",
         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n"
         "$Elements\n1\n1 4 2 0 0 1 2 3 9\n$EndElements\n",
         0, "number 1 is there twice"},
        {".msh",
         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n" NODES "$EndNodes\n$Elements\n"
         "1\n1 5 2 0 0 1 2 3 4 5 1 2 3\n$EndElements\n",
         14, "a hexahedron (Gmsh's type 5)"},
        {".msh",
         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n" NODES "$EndNodes\n$Elements\n"
         "1\n1 29 2 0 0 1 2 3 4 5 1 2 3\n$EndElements\n",
         14, "order 3 (Gmsh's type 29)"},
        {".msh",
         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n" NODES "$EndNodes\n$Elements\n"
         "1\n1 2 2 0 0 1 2 3\n$EndElements\n",
         0, "no tetrahedra, but 5 vertices and 1 other elements: a surface"},
        {".msh",
         "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 2 1 1\n3 0 0 1\n1\n0 0 0\n"
         "$EndNodes\n",
         8, "expected 2 nodes in the blocks, found 1"},
        {".msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 1 1\n3 0 0 1\n1\n0 0 0\n", 8,
         "expected $EndNodes, found the end of the file"},
        {".veg", "*VERTICES\n1 2 0 0\n", 2, "of 2 dimensions; expected 3"},
        {".veg", "*VERTICES\n2 3 0 0\n1 0 0 0\n*ELEMENTS\n", 4, "expected a vertex, found '*ELEM"},
        {".veg", "*VERTICES\n2 3 0 0\n1 0 0 0\n", 4,
         "expected a vertex, found the end of the file"},
        {".veg", "*VERTICES\n1 3 0 0\n1 0 0\n", 3, "expected a number, found the end of the line"},
        {".veg", "*ELEMENTS\nCUBIC\n1 8 0\n", 2, "of the kind TET, found 'CUBIC'"},
        {".veg", "*MATERIAL m\nENU, 1000, -1, 0.4\n", 2, "Young's modulus -1"},
        {".veg", "*SET a\n1, b\n", 2, "expected a number, found 'b'"},
        {".veg", "*REGION\na, b\n", 2, "there is no set 'a'"},
        {".veg", "*BODY\n", 1, "expected *VERTICES, *ELEMENTS"},
        {".veg", "*SET a\n*INCLUDE nothing.txt\n", 2, "*INCLUDE nothing.txt: cannot open"},
        {".veg", "*INCLUDE given.veg\n", 1, "*INCLUDE is nested more than 7 deep"},
        {".mesh", "Vertices\n", 1, "expected MeshVersionFormatted, found 'Vertices'"},
        {".mesh", "MeshVersionFormatted 1\nDimension 2\n", 2, "Dimension 2; expected 3"},
        {".mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 1\n0 0 0\n", 5,
         "expected a whole number, found the end of the file"},
        {".mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 99999999\n0 0 0 0\n", 3,
         "99999999 vertices cannot be in the 9 bytes"},
        {".mesh", "MeshVersionFormatted 1\nVertices 1\n0 0 0 0\nTetrahedra 1\n1 1 2 1 0\n", 5,
         "refers to vertex 2, but there are 1 vertices, numbered from 1 to 1"},
        {".mesh", "MeshVersionFormatted 1\nVertices 1\n0 0 0 0\nHexahedra 2\n1 1 2 1 0\n", 4,
         "2 Hexahedra; expected tetrahedra"},
        {".mesh", "MeshVersionFormatted 1\nVertices 1\n0 0 0 0\nTetrahedra 1\n1 1 1 1 0\n", 0,
         "none of the 1 tetrahedra has a volume"},
        {".vtk", "# vtk\n", 1, "expected # vtk DataFile Version"},
        {".vtk", "# vtk DataFile Version 2.0\nx\nASCII\nDATASET POLYDATA\n", 4,
         "expected UNSTRUCTURED_GRID, found 'POLYDATA'"},
        {".vtk",
         "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 int\n"
         "0 0 0\nCELLS 1 5\n4 0 0 0\n",
         9, "expected a whole number"},
        {".vtk",
         "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 int\n"
         "0 0 0\nCELLS 1 4\n4 0 0 0\nCELL_TYPES 1\n10\n",
         8, "cell 0 of 1 goes beyond the 4 numbers announced"},
        {".vtk",
         "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 int\n"
         "0 0 0\nCELLS 1 5\n4 0 0 0 7\nCELL_TYPES 1\n10\n",
         0, "cell 0 refers to point 7, but there are 1 points"},
        {".vtk",
         "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 int\n"
         "0 0 0\nCELLS 1 5\n4 0 0 0 0\nCELL_TYPES 1\n12\n",
         0, "a hexahedron (VTK's type 12)"},
        {".vtk",
         "# vtk DataFile Version 2.0\nx\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 double\n"
         "\nCELLS 1 5\n",
         0, "expected 3 values of 8 bytes, found"},
        {".vtu", "<VTKFile type=\"PolyData\">", 1, "type 'PolyData'; expected UnstructuredGrid"},
        {".vtu", "<a/>", 1, "expected <VTKFile, found <a"},
        {".vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">", 1,
         "compressed by vtkLZ4DataCompressor"},
        {".vtu", "<VTKFile type=\"UnstructuredGrid\">\n<Piece NumberOfPoints=\"-1\"/>", 2,
         "expected NumberOfPoints"},
        {".vtu",
         "<VTKFile type=\"UnstructuredGrid\">\n<Piece NumberOfPoints=\"1\" "
         "NumberOfCells=\"0\"/>\n</VTKFile>",
         0, "no array of points"},
        {".vtu",
         "<VTKFile type=\"UnstructuredGrid\">\n<Piece NumberOfPoints=\"1\" "
         "NumberOfCells=\"0\">\n<Points>\n<DataArray type=\"Float32\">1 2\n</DataArray>",
         5, "points: expected 3 numbers, found 2"},
        {".vtu",
         "<VTKFile type=\"UnstructuredGrid\">\n<Piece NumberOfPoints=\"1000000000\" "
         "NumberOfCells=\"0\">\n<Points>\n<DataArray type=\"Float32\">1 2\n</DataArray>",
         4, "3000000000 numbers cannot be in the file"},
        {".vtu",
         "<VTKFile type=\"UnstructuredGrid\">\n<Piece NumberOfPoints=\"1\" "
         "NumberOfCells=\"0\">\n<Points>\n<DataArray type=\"Float32\" format=\"appended\" "
         "offset=\"7\"/>",
         4, "byte 7 of the appended data is not there"},
    };
    Fixture *f = *state;
    for (int i = 0; i < SW_COUNT(cases); i++)
        expect_error(f, cases[i].suffix, cases[i].text, strlen(cases[i].text), cases[i].line,
                     cases[i].fragment);
    write_bytes(path_of("given.node"), "1 3 0 0\n1 0 0 0\n", 16);
    expect_error(f, ".ele", "1 4 0\n1 1 1 2 1\n", 16, 2, "refers to vertex 2");
    expect_error(f, ".ele", "1 8 0\n1 1 1 1 1 1 1 1 1\n", 24, 1, "elements of 8 vertices");
    expect_error(f, ".ele", "7 4 0\n1 1 1 1 1\n", 16, 1, "7 tetrahedra cannot be in");
    write_bytes(path_of("given.node"), "1 3 0 0\n1 0 zero 0\n", 19);
    expect_error(f, ".ele", "1 4 0\n1 1 1 1 1\n", 16, 2, "expected a number, found 'zero'");
    assert_non_null(strstr(f->error.path, "given.node")); // the one that is wrong
}

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
    cmocka_unit_test_setup_teardown(test_msh_forms, setup, teardown),
    cmocka_unit_test_setup_teardown(test_text_forms, setup, teardown),
    cmocka_unit_test_setup_teardown(test_vtk_forms, setup, teardown),
    cmocka_unit_test_setup_teardown(test_vtu_forms, setup, teardown),
    cmocka_unit_test_setup_teardown(test_order_of_edges, setup, teardown),
    cmocka_unit_test_setup_teardown(test_clean_up, setup, teardown),
    cmocka_unit_test_setup_teardown(test_broken, setup, teardown),
    cmocka_unit_test_setup_teardown(test_damage, setup, teardown),
    cmocka_unit_test_setup_teardown(test_failing_memory, setup, teardown),
    cmocka_unit_test_setup_teardown(test_assets, setup, teardown),
    cmocka_unit_test_setup_teardown(test_all_assets, setup, teardown),
    cmocka_unit_test_setup_teardown(test_broken_assets, setup, teardown),
};
SW_SUITE(tetio, tests)
