// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Mesh files of every format, good and bad; the facts of the shared assets.
#include "test.h"

#include "formats/mesh.h"

#include <dirent.h>
#include <unistd.h>

// ---- tools ----

typedef struct Fixture {
    swConfig config;
    swArena arena;
    swSurface surface;
    swError error;
    char path[300];
} Fixture;

static int setup(void **state) {
    static Fixture f;
    f = (Fixture){.config = sw_default_config()};
    sw_arena_init(&f.arena, &f.config.allocator);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    Fixture *f = *state;
    sw_arena_free(&f->arena);
    if (f->path[0])
        remove(f->path);
    return 0;
}

// A path of our own that ends in `suffix`.
static const char *temporary(Fixture *f, const char *suffix) {
    const char *folder = getenv("TMPDIR");
    if (f->path[0])
        remove(f->path);
    snprintf(f->path, sizeof f->path, "%s/sinew_mesh_%ld%s", folder ? folder : P_tmpdir,
             (long)getpid(), suffix);
    return f->path;
}

static void write_bytes(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

static bool read_bytes(Fixture *f, const char *suffix, const void *data, size_t size) {
    write_bytes(temporary(f, suffix), data, size);
    return sw_mesh_read(f->path, &f->arena, &f->surface, &f->error);
}

static void read_good(Fixture *f, const char *suffix, const char *text) {
    if (!read_bytes(f, suffix, text, strlen(text)))
        fail_msg("%s\n%s", f->error.message, text);
}

static swSurfaceFacts facts_of(Fixture *f) {
    swSurfaceFacts facts;
    assert_true(sw_surface_facts(&f->surface, &facts, &f->arena, &f->error));
    return facts;
}

static void expect_error(Fixture *f, const char *suffix, const void *data, size_t size, int line,
                         const char *fragment) {
    if (read_bytes(f, suffix, data, size))
        fail_msg("read, but should say '%s':\n%.*s", fragment, (int)size, (const char *)data);
    if (!strstr(f->error.message, fragment) || f->error.line != line)
        fail_msg("'%s' in line %d; expected '%s' in line %d:\n%.*s", f->error.message,
                 f->error.line, fragment, line, (int)size, (const char *)data);
    assert_int_not_equal(f->error.code, SW_OK);
    assert_string_equal(f->error.path, f->path);
    assert_null(f->surface.X);
}

// Bytes of a binary file, little or big endian.
typedef struct Bytes {
    char data[4096];
    size_t size;
    bool big;
} Bytes;

static void add_text(Bytes *b, const char *text) {
    memcpy(b->data + b->size, text, strlen(text));
    b->size += strlen(text);
}

static void add_bits(Bytes *b, uint64_t bits, int size) {
    for (int i = 0; i < size; i++)
        b->data[b->size++] = (char)(bits >> 8 * (b->big ? size - 1 - i : i));
}

static void add_float(Bytes *b, float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    add_bits(b, bits, 4);
}

// ---- reading ----

static const char *const tetrahedron_obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                           "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static void assert_tetrahedron(Fixture *f) {
    swSurfaceFacts facts = facts_of(f);
    char text[200];
    assert_int_equal(f->surface.nvertex, 4);
    assert_int_equal(f->surface.ntriangle, 4);
    assert_true(facts.closed);
    assert_int_equal(facts.components, 1);
    assert_near(facts.volume, 1.0 / 6, 1e-15);
    assert_near(facts.area, 1.5 + sqrt(3) / 2, 1e-15);
    assert_string_equal(sw_surface_defects(&facts, text, sizeof text), "");
}

static void test_obj_forms(void **state) {
    Fixture *f = *state;
    read_good(f, ".obj", tetrahedron_obj);
    assert_tetrahedron(f);
    // Every form of an index, CRLF, CR alone, a byte order mark, continuation, comments, colours,
    // unknown words, no line end at the end.
    read_good(f, ".obj",
              "\xef\xbb\xbf# a\r\nmtllib x\r\no name\rv 0 0 0 0.5 0.5 0.5\r\n  v 1 0 0 1\r\n"
              "v\t0 1 \\\r\n 0\nv 0 0 +1.0e0\nvt 0 0\nvn 1 0 0\ns off\nusemtl f 1 2\n"
              "f 1/1/1 3//1 2/1 #f 1\nf -4/-1/-1 -3//-1 -1\\\n\nf 1 4/ 3//\nl 1 2\nf 2 \\\n3 4");
    assert_tetrahedron(f);
    // Faces before their vertices.
    read_good(f, ".obj",
              "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    assert_tetrahedron(f);
    // A repeated corner stays.
    read_good(f, ".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\nf 1 2 3\n");
    assert_int_equal(f->surface.ntriangle, 2);
    assert_int_equal(facts_of(f).degenerate_triangles, 1);
}

// A polygon in the plane x + y + z = 1, traversed either way, is covered once.
static void check_polygon(Fixture *f, int n, const swReal (*p)[2], bool reversed) {
    char text[4000];
    size_t length = 0;
    swReal area = 0;
    for (int i = 0; i < n; i++) {
        const swReal *a = p[i], *b = p[(i + 1) % n];
        area += (a[0] * b[1] - a[1] * b[0]) / 2;
        length += (size_t)snprintf(text + length, sizeof text - length, "v %g %g %g\n", a[0], a[1],
                                   1 - a[0] - a[1]);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "f");
    for (int i = 0; i < n; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, " %d", reversed ? n - i : i + 1);
    read_good(f, ".obj", text);
    assert_int_equal(f->surface.ntriangle, n - 2);
    assert_near(facts_of(f).area, area * sqrt(3), 1e-13);
    swReal turned = 0; // each triangle faces the way of the polygon
    for (int t = 0; t < n - 2; t++) {
        const int *v = &f->surface.triangle[3 * t];
        swVec3 *X = f->surface.X;
        swVec3 N = sw_cross(sw_sub(X[v[1]], X[v[0]]), sw_sub(X[v[2]], X[v[0]]));
        assert_true(reversed ? N.z < 1e-14 : N.z > -1e-14);
        turned += N.z / 2;
    }
    assert_near(fabs(turned), area, 1e-13);
}

static void test_polygons(void **state) {
    static const swReal square[][2] = {{0, 0}, {1, 0}, {1, 1}, {0.5, 1}, {0, 1}};
    static const swReal arrow[][2] = {{1, 0}, {0, 1}, {0.2, 0}, {0, -1}};
    static const swReal u[][2] = {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const swReal comb[][2] = {{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1},
                                     {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    static const swReal keyhole[][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0},
                                        {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    Fixture *f = *state;
    for (int reversed = 0; reversed < 2; reversed++) {
        check_polygon(f, SW_COUNT(square), square, reversed);
        check_polygon(f, SW_COUNT(arrow), arrow, reversed);
        check_polygon(f, SW_COUNT(u), u, reversed);
        check_polygon(f, SW_COUNT(comb), comb, reversed);
        check_polygon(f, SW_COUNT(keyhole), keyhole, reversed);
    }
}

static void test_off_forms(void **state) {
    Fixture *f = *state;
    const char *body = "0 0 0\n1 0 0\n\n0 1 0 # c\n0 0 1\n3 0 2 1\n3 0 1 3 255 0 0\n"
                       "3 0 3 2 0.5 0.5 0.5 1\n3 1 2 3\n";
    const char *heads[] = {"OFF\n4 4 6\n",         "OFF 4 4 6\n", "OFF4 4 6\n",
                           "# c\nOFF\n# c\n4 4\n", "4 4 6\n",     "COFF\n4 4 0\n"};
    char text[400];
    for (int i = 0; i < SW_COUNT(heads); i++) {
        snprintf(text, sizeof text, "%s%s", heads[i], body);
        read_good(f, ".off", text);
        assert_tetrahedron(f);
    }
    read_good(f, ".OFF",
              "NOFF\n4 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n"
              "4 0 1 2 3\n");
    assert_int_equal(f->surface.ntriangle, 2);
    assert_near(facts_of(f).area, 1, 0);
}

static void test_stl_forms(void **state) {
    Fixture *f = *state;
    read_good(f, ".stl",
              "solid two words\r\n facet normal nan nan nan\r\n outer loop\r\n"
              "  vertex 0 0 0\r\n  vertex 1 0 0\r\n  vertex 0 1 0\r\n endloop\r\n endfacet\r\n"
              "endsolid\r\nSOLID b\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 1 0\n"
              "VERTEX 1 0 0\nVERTEX 1 1 -0\nENDLOOP\nENDFACET\nENDSOLID b");
    assert_int_equal(f->surface.ntriangle, 2);
    assert_int_equal(f->surface.nvertex, 4); // equal corners are one vertex
    // A binary file that begins with "solid"; -0 and 0 are equal.
    Bytes b = {.size = 80};
    memcpy(b.data, "solid but binary", 16);
    add_bits(&b, 2, 4);
    static const float x[2][9] = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, -0.0f, 1, -0.0f, 0, 1, 1, 0}};
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < 12; i++)
            add_float(&b, i < 3 ? NAN : x[t][i - 3]);
        add_bits(&b, 7, 2);
    }
    assert_true(read_bytes(f, ".stl", b.data, b.size));
    assert_int_equal(f->surface.ntriangle, 2);
    assert_int_equal(f->surface.nvertex, 4);
    expect_error(f, ".stl", b.data, b.size - 1, 0, "2 triangles take 184 bytes");
    memset(b.data + 80, 255, 4);
    expect_error(f, ".stl", b.data, b.size, 0, "4294967295 triangles take");
    memset(b.data + 84, 255, 100);
    b.data[80] = 2, b.data[81] = b.data[82] = b.data[83] = 0;
    expect_error(f, ".stl", b.data, b.size, 0, "triangle 0: a coordinate is not finite");
}

// Odd types, an order of its own, extra properties, lists and elements, all line ends.
static void add_ply(Bytes *b, const char *format, const char *newline) {
    char text[600];
    snprintf(text, sizeof text,
             "ply\nformat %s 1.0\ncomment end_header\nobj_info x\nelement junk 2\n"
             "property list uchar short values\nproperty double d\nelement face 2\n"
             "property uchar flag\nproperty list uint16 uint vertex_index\n"
             "property list uchar float texcoord\nelement vertex 4\nproperty short z\n"
             "property double weight\nproperty float x\nproperty int8 y\nelement edge 1\n"
             "property int vertex1\nend_header\n",
             format);
    for (const char *c = text; *c; c++)
        add_text(b, *c == '\n' ? newline : (char[]){*c, 0});
}

static void assert_square(Fixture *f) { // 2 x 3 and a half of it again
    assert_int_equal(f->surface.nvertex, 4);
    assert_int_equal(f->surface.ntriangle, 3);
    swSurfaceFacts facts = facts_of(f);
    assert_near(facts.area, 9, 0);
    assert_near(facts.lo.z, -300, 0);
    assert_near(facts.hi.x, 2, 0);
    assert_near(facts.lo.y, -3, 0);
}

static void test_ply_forms(void **state) {
    Fixture *f = *state;
    static const char *const newlines[] = {"\n", "\r\n", "\r"};
    static const float xy[4][2] = {{0, 0}, {2, 0}, {2, -3}, {0, -3}};
    for (int n = 0; n < SW_COUNT(newlines); n++) {
        Bytes text = {0};
        add_ply(&text, "ascii", newlines[n]);
        add_text(&text, "2 7 8 nan 0 inf\n1 4 0 3 2 1 6 0 0 1 0 1 1\n0 3 0 3\n2 0\n"
                        "-300 nan 0 0\n-300 0 2 0 -300 0 2e0 -3\n-300 0 0 -3\n0\n");
        if (!read_bytes(f, ".ply", text.data, text.size))
            fail_msg("%d: %s", f->error.line, f->error.message);
        assert_square(f);
        for (int big = 0; big < 2; big++) {
            Bytes b = {.big = big};
            add_ply(&b, big ? "binary_big_endian" : "binary_little_endian", newlines[n]);
            for (int i = 0; i < 2; i++) { // a list of 10: its first byte looks like a line end
                add_bits(&b, 10, 1);
                for (int k = 0; k < 10; k++)
                    add_bits(&b, (uint64_t)k, 2);
                add_bits(&b, ~0ull, 8);
            }
            static const int corner[2][4] = {{0, 3, 2, 1}, {0, 3, 2, -1}};
            for (int i = 0; i < 2; i++) {
                add_bits(&b, 1, 1);
                add_bits(&b, i ? 3 : 4, 2);
                for (int k = 0; k < (i ? 3 : 4); k++)
                    add_bits(&b, (uint64_t)corner[i][k], 4);
                add_bits(&b, 1, 1);
                add_float(&b, 0.5f);
            }
            for (int i = 0; i < 4; i++) {
                add_bits(&b, (uint64_t)-300, 2);
                add_bits(&b, ~0ull, 8);
                add_float(&b, xy[i][0]);
                add_bits(&b, (uint64_t)(int)xy[i][1], 1);
            }
            add_bits(&b, 1, 4);
            if (!read_bytes(f, ".ply", b.data, b.size))
                fail_msg("%s", f->error.message);
            assert_square(f);
            for (size_t cut = 1; cut < b.size; cut++)
                assert_false(read_bytes(f, ".ply", b.data, b.size - cut));
            expect_error(f, ".ply", b.data, b.size - 1, 0, "the file ends within item 0 of the 1");
        }
    }
}

// ---- refusing ----

#define PLY(elements, body) "ply\nformat ascii 1.0\n" elements "end_header\n" body
#define PLY_VERTEX "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_FACE "element face 1\nproperty list uchar int vertex_indices\n"
#define XYZ "0 0 0\n1 0 0\n0 1 0\n"

static void test_malformed(void **state) {
    static const struct {
        const char *suffix, *text;
        int line;
        const char *fragment;
    } cases[] = {
        {".obj", "", 0, "no triangles: 0 vertices"},
        {".obj", "v 0 0 0\n", 0, "no triangles: 1 vertices and no face"},
        {".obj", "v 0 0\nf 1 1 1\n", 1, "expected a number, found the end of the line"},
        {".obj", "v 0 0 0\n\nv 1,5 0 0\n", 3, "expected a number, found '1,5'"},
        {".obj", "v 0 nan 0\n", 1, "expected a number, found 'nan'"},
        {".obj", "v 0 0 1e999\n", 1, "a coordinate is not finite"},
        {".obj", "v 0 0 0\nf 1 1 2\n", 2, "face 1 refers to vertex 2, but there are 1 vertices"},
        {".obj", "v 0 0 0\nf 1 1 0\n", 2, "vertex 0, but there are 1 vertices, numbered from 1"},
        {".obj", "v 0 0 0\nf 1 1 -2\n", 2, "vertex -2, but there are 1"},
        {".obj", "v 0 0 0\nf 1 1 99999999999999999999\n", 2, "but there are 1 vertices"},
        {".obj", "v 0 0 0\nf 1 2\n", 2, "face 1 has 2 corners; at least 3"},
        {".obj", "v 0 0 0\nf 1 1 1\nf\n", 3, "face 2 has 0 corners"},
        {".obj", "v 0 0 0\nf 1 x 1\n", 2, "expected a whole number, found 'x'"},
        {".obj", "v 0 0 0\nf 1 1.5 1\n", 2, "found '1.5'"},
        {".obj", "v 0 0 0\nf 1/1/1/1 1 1\n", 2, "expected a corner like"},
        {".obj", "v 0 0 0\nf 1 1 \\\n \\\n\x01 1\n", 4, "found '?'"},

        {".off", "", 1, "expected OFF, found the end of the file"},
        {".off", "PLY\n", 1, "expected OFF, found 'PLY'"},
        {".off", "OFF\n", 2, "expected a whole number, found the end of the file"},
        {".off", "OFF BINARY\n", 1, "binary OFF"},
        {".off", "4OFF\n", 1, "other than three coordinates"},
        {".off", "nOFF\n4\n", 1, "other than three coordinates"},
        {".off", "OFF\n3 -1 0\n" XYZ, 2, "-1 faces cannot fit"},
        {".off", "OFF\n3 1000000 0\n" XYZ, 2, "1000000 faces cannot fit in the 21 bytes"},
        {".off", "OFF\n99999999999999999999999 1 0\n" XYZ, 2, "cannot fit in"},
        {".off", "OFF\n3 1 0\n" XYZ, 6, "expected a whole number, found the end of the file"},
        {".off", "OFF\n3 1 0\n0 0 0\n1 0\n", 4, "expected a number, found the end of the line"},
        {".off", "OFF\n3 1 0\n" XYZ "3 0 1 3\n", 6, "face 0 refers to vertex 3, but there are 3"},
        {".off", "OFF\n3 1 0\n" XYZ "3 0 1 -1\n", 6, "refers to vertex -1, but there are 3"},
        {".off", "OFF\n3 1 0\n" XYZ "2 0 1\n", 6, "face 0 has 2 corners"},
        {".off", "OFF\n3 1 0\n" XYZ "-3 0 1\n", 6, "face 0 has 0 corners"},
        {".off", "OFF\n3 1 0\n" XYZ "3 0 1\n", 6, "expected a whole number, found the end of"},
        {".off", "OFF\n3 1 0\n" XYZ "3 0 1 2.5\n", 6, "found '2.5'"},
        {".off", "OFF\n3 0 0\n" XYZ, 0, "no triangles: 3 vertices"},

        {".stl", "", 0, "too few"},
        {".stl", "solid\nendsolid\n", 0, "no triangles"},
        {".stl", "solid\n", 2, "expected endsolid, found the end of the file"},
        {".stl", "solid\nfacet\nvertex 0 0 0\n", 3, "expected 'outer', found 'vertex'"},
        {".stl", "solid\nfoo\n", 2, "expected 'facet' or 'endsolid', found 'foo'"},
        {".stl", "solid\nfacet\nouter\nvertex 0 0 0\nendloop\n", 5, "expected 'vertex'"},
        {".stl", "solid\nfacet\nouter\nvertex 0 0\n", 4, "expected a number"},
        {".stl", "solid\nfacet\nouter\nvertex 0 0 1e999\n", 4, "not finite"},
        {".stl", "solid\nfacet\nouter\nvertex 0 0 0\n", 5, "found the end of the file"},
        {".stl", "solid\nendsolid\nfacet\n", 3, "expected 'solid', found 'facet'"},

        {".ply", "", 1, "expected ply, found the end of the file"},
        {".ply", "plyx\n", 1, "expected ply, found 'plyx'"},
        {".ply", "ply\nformat ascii 1.0\n", 3, "expected element, property or end_header"},
        {".ply", "ply\nend_header\n", 2, "the header has no format"},
        {".ply", "ply\nformat utf8 1.0\n", 2, "expected ascii, binary_little_endian or"},
        {".ply", PLY("foo\n", ""), 3, "found 'foo'"},
        {".ply", PLY("property float x\n", ""), 3, "a property before any element"},
        {".ply", PLY("element vertex x\n", ""), 3, "expected a whole number, found 'x'"},
        {".ply", PLY("element vertex -1\n", ""), 3, "the count is negative"},
        {".ply", PLY("element vertex 1\nproperty real x\n", ""), 4, "found 'real'"},
        {".ply", PLY("element vertex 1\nproperty float x\n", "0\n"), 3, "needs the properties x"},
        {".ply", PLY("element vertex 1\nproperty float x\nproperty int x\n", ""), 5,
         "x occurs twice"},
        {".ply", PLY(PLY_VERTEX PLY_VERTEX, ""), 7, "element vertex occurs twice"},
        {".ply", PLY(PLY_VERTEX "element face 1\nproperty int q\n", XYZ "1\n"), 7,
         "needs the list vertex_indices"},
        {".ply", PLY(PLY_VERTEX "element face 1\nproperty list float int q\n", ""), 8, "not float"},
        {".ply", PLY(PLY_VERTEX "element tristrips 1\n", ""), 7, "triangle strips"},
        {".ply",
         PLY("element vertex 99999999999\nproperty float x\nproperty float y\nproperty "
             "float z\n",
             XYZ),
         3, "99999999999 items of element vertex cannot fit in the 18 bytes"},
        {".ply", PLY(PLY_VERTEX, XYZ), 0, "no triangles: 3 vertices"},
        {".ply", PLY(PLY_VERTEX PLY_FACE, XYZ), 13, "a number, found the end of the file"},
        {".ply", PLY(PLY_VERTEX PLY_FACE, XYZ "3 0 1 3\n"), 13, "face 0 refers to vertex 3, but"},
        {".ply", PLY(PLY_VERTEX PLY_FACE, XYZ "3 0 1 -1\n"), 13, "vertex -1, but there are 3"},
        {".ply", PLY(PLY_VERTEX PLY_FACE, XYZ "3 0 1 1.5\n"), 13, "not a whole number"},
        {".ply", PLY(PLY_VERTEX PLY_FACE, XYZ "3 0 1"), 13, "found the end of the file"},
        {".ply", PLY(PLY_VERTEX PLY_FACE, XYZ "99 0 1 2"), 13, "has a list of 99 values"},
        {".ply", PLY(PLY_VERTEX PLY_FACE, XYZ "-1 0 1 2"), 13, "has a list of -1 values"},
        {".ply", PLY(PLY_VERTEX PLY_FACE, XYZ "2 0 1\n"), 13, "face 0 has 2 corners"},
        {".ply", PLY(PLY_VERTEX PLY_FACE, "0 0 0\n1 0 0\n0 inf 0\n3 0 1 2\n"), 12, "found 'inf'"},
        {".ply", PLY(PLY_VERTEX PLY_FACE, "0 0 0\n1 0 0\n0 1e999 0\n3 0 1 2\n"), 12, "not finite"},

        {".msh", "", 0, "suffix '.msh'; supported suffixes: .obj .ply .stl .off .glb .gltf"},
        {".vtu", "", 0, "cannot read a surface mesh"},
    };
    Fixture *f = *state;
    for (int i = 0; i < SW_COUNT(cases); i++)
        expect_error(f, cases[i].suffix, cases[i].text, strlen(cases[i].text), cases[i].line,
                     cases[i].fragment);
    static const char *const texts[] = {".obj", ".off", ".ply", ".stl", ".gltf"};
    for (int i = 0; i < SW_COUNT(texts); i++) {
        expect_error(f, texts[i], "\xff\xfev\0 \0", 6, 1, "UTF-16");
        expect_error(f, texts[i], "\0v\0 \0", 5, 1, "UTF-16");
    }
    assert_false(sw_mesh_read("no/such/mesh.obj", &f->arena, &f->surface, &f->error));
    assert_int_equal(f->error.code, SW_ERROR_FILE);
    assert_false(sw_mesh_read("mesh", &f->arena, &f->surface, NULL)); // an error nobody wants
}

// ---- glTF ----

#define TETRAHEDRON \
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/" \
    "AAACAAEAAAABAAMAAAADAAIAAQACAAMA"
#define GLTF_BUFFER(uri) \
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":72,\"uri\":\"" uri "\"}]," \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48," \
    "\"byteLength\":24}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4," \
    "\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":" \
    "\"SCALAR\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}," \
    "{\"mode\":1,\"attributes\":{\"POSITION\":0}}]}]"
#define GLTF(rest) GLTF_BUFFER("data:application/octet-stream;base64," TETRAHEDRON) rest "}"

static void test_gltf_forms(void **state) {
    Fixture *f = *state;
    read_good(f, ".gltf", GLTF("")); // meshes alone
    assert_tetrahedron(f);
    read_good(f, ".gltf", GLTF(",\"nodes\":[{\"mesh\":0}]"));
    assert_tetrahedron(f);

    // A quarter turn about z, scaled by 2, moved, under a mirrored parent; a second one without
    // anything; a third one that is not in the scene.
    read_good(f, ".gltf",
              GLTF(",\"scene\":1,\"scenes\":[{},{\"nodes\":[2,1]}],\"nodes\":[{\"mesh\":0,"
                   "\"rotation\":[0,0,0.7071067811865476,0.7071067811865476],\"scale\":[2,2,2],"
                   "\"translation\":[10,0,0]},{\"matrix\":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,5,1],"
                   "\"children\":[0]},{\"mesh\":0},{\"mesh\":0}]"));
    swSurfaceFacts facts = facts_of(f);
    assert_int_equal(f->surface.ntriangle, 8);
    assert_int_equal(facts.components, 2);
    assert_true(facts.closed);
    assert_near(facts.volume, 9.0 / 6, 1e-14); // positive: mirroring turned the triangles round
    assert_near(facts.lo.x, -10, 1e-14);       // -(10 + 0)
    assert_near(facts.hi.y, 2, 1e-14);
    assert_near(facts.hi.z, 7, 1e-14);

    // A buffer in a file beside it, with its name percent-encoded; one behind a path is refused.
    read_good(f, ".gltf", GLTF(""));
    Bytes bin = {0};
    for (int i = 0; i < 12; i++)
        add_float(&bin, i == 3 || i == 7 || i == 11 ? 1 : 0);
    static const int index[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    for (int i = 0; i < 12; i++)
        add_bits(&bin, (uint64_t)index[i], 2);
    char path[sizeof f->path + 8], text[2000];
    snprintf(path, sizeof path, "%s+.bin", f->path);
    write_bytes(path, bin.data, bin.size);
    snprintf(text, sizeof text, GLTF_BUFFER("%s%%2b.bin") "}", strrchr(f->path, '/') + 1);
    bool ok = read_bytes(f, ".gltf", text, strlen(text));
    remove(path);
    assert_true(ok);
    assert_tetrahedron(f);
    assert_false(read_bytes(f, ".gltf", text, strlen(text)));
    assert_int_equal(f->error.code, SW_ERROR_FILE);
    assert_string_equal(f->error.path, path);
}

static void test_gltf_strips(void **state) {
    Fixture *f = *state;
    char text[2000], *mode;
    snprintf(text, sizeof text, "%s", GLTF(""));
    // 0 1 2 3 without indices: a strip of two triangles, a fan of two.
    mode = strstr(text, "\"indices\":1");
    memcpy(mode, "\"mode\": 5  ", 11);
    read_good(f, ".gltf", text);
    static const int strip[] = {0, 1, 2, 1, 3, 2}, fan[] = {1, 2, 0, 2, 3, 0};
    assert_int_equal(f->surface.ntriangle, 2);
    swVec3 X[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 6; i++)
        assert_memory_equal(&f->surface.X[f->surface.triangle[i]], &X[strip[i]], sizeof(swVec3));
    memcpy(mode, "\"mode\": 6  ", 11);
    read_good(f, ".gltf", text);
    for (int i = 0; i < 6; i++)
        assert_memory_equal(&f->surface.X[f->surface.triangle[i]], &X[fan[i]], sizeof(swVec3));
    memcpy(mode, "\"mode\": 4  ", 11);
    assert_false(read_bytes(f, ".gltf", text, strlen(text)));
    assert_non_null(strstr(f->error.message, "a multiple of three"));
}

// One edit of the text, and what it leads to.
static void test_gltf_malformed(void **state) {
    static const struct {
        const char *old, *new, *fragment;
    } cases[] = {
        {"2.0", "1.0", "version 2.0"},
        {"\"asset\"", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"asset\"",
         "KHR_draco_mesh_compression cannot be read"},
        {"\"count\":4", "\"count\":5", "accessor 0 reaches past its data"},
        {"\"count\":4", "\"count\":3", "triangle 1 refers to vertex 3, but there are 3"},
        {"\"count\":4", "\"count\":-4", "count: expected a whole number"},
        {"\"count\":4", "\"count\":1e15", "reaches past its data"},
        {"\"count\":4,", "", "count: expected a whole number"},
        {"\"count\":12", "\"count\":11", "a multiple of three"},
        {"\"byteLength\":48}", "\"byteLength\":148}", "in a buffer of 72"},
        {"\"byteOffset\":48", "\"byteOffset\":49", "reaches past its data"},
        {"\"byteLength\":48}", "\"byteLength\":48,\"byteStride\":4}", "reaches past its data"},
        {"{\"buffer\":0,\"byteL", "{\"buffer\":1,\"byteL", "buffer is 1, but there are 1 buffers"},
        {"\"POSITION\":0", "\"POSITION\":2", "POSITION is 2, but there are 2 accessors"},
        {"\"POSITION\":0", "\"POSITION\":1", "accessor type: expected VEC3"},
        {"\"POSITION\":0", "\"POSITION\":\"a\"", "POSITION: expected a whole number"},
        {"5126", "5124", "componentType: expected"},
        {"5123", "5122", "unsigned whole numbers"},
        {"\"bufferView\":0,", "", "sparse or compressed"},
        {"base64,AA", "base64,A*", "base64 data"},
        {";base64", "", "base64 data"},
        {"data:", "http://", "not a file beside this one"},
        {"\"indices\":1", "\"mode\":7", "mode: expected 0 to 6"},
        {"\"mesh\":0", "\"mesh\":1", "mesh is 1, but there are 1 meshes"},
        {"\"children\":[1]", "\"children\":[2]", "the number of a node"},
        {"\"children\":[1]", "\"children\":[1,1]", "no other parent"},
        {"\"children\":[1]", "\"children\":[0]", "found a cycle"},
        {"\"children\":[1]", "\"matrix\":[1]", "matrix: expected 16 numbers"},
        {"\"children\":[1]", "\"rotation\":[0,0,0,0]", "other than zero"},
        {"\"children\":[1]", "\"scale\":[1,1,\"a\"]", "scale: expected a number"},
        {"\"scene\":0", "\"scene\":1", "scene is 1, but there are 1 scenes"},
        {"\"scene\":0", "\"scene\":0.5", "scene: expected a whole number"},
        {"\"mesh\":0", "\"mesh\":0,\"skin\":0", "skin is 0, but there are 0 skins"},
        {"\"meshes\"", "\"meshes\"!", "':'"},
    };
    static const char good[] = GLTF(",\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":"
                                    "[{\"mesh\":0,\"children\":[1]},{}]");
    Fixture *f = *state;
    char text[3000];
    read_good(f, ".gltf", good);
    assert_tetrahedron(f);
    for (int i = 0; i < SW_COUNT(cases); i++) {
        const char *at = strstr(good, cases[i].old);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, cases[i].new,
                 at + strlen(cases[i].old));
        expect_error(f, ".gltf", text, strlen(text), 1, cases[i].fragment);
    }
    const char *empty = GLTF(",\"scenes\":[{\"nodes\":[]}],\"nodes\":[{\"mesh\":0}]");
    expect_error(f, ".gltf", empty, strlen(empty), 0, "no triangles");
    // GLB: every shorter file is refused.
    Bytes b = {0};
    const char *json = "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36}],"
                       "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{"
                       "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
                       "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}";
    add_text(&b, "glTF");
    add_bits(&b, 2, 4);
    add_bits(&b, 12 + 16 + strlen(json) + 36, 4);
    add_bits(&b, strlen(json), 4);
    add_text(&b, "JSON");
    add_text(&b, json);
    add_bits(&b, 36, 4);
    add_text(&b, "BIN");
    add_bits(&b, 0, 1);
    for (int i = 0; i < 9; i++)
        add_float(&b, i == 3 || i == 7);
    assert_true(read_bytes(f, ".glb", b.data, b.size));
    assert_near(facts_of(f).area, 0.5, 0);
    for (size_t cut = 1; cut < b.size; cut++)
        assert_false(read_bytes(f, ".glb", b.data, b.size - cut));
}

// ---- writing ----

static void test_round_trip(void **state) {
    Fixture *f = *state;
    read_good(f, ".obj",
              "v 0.1 -2e-300 3\nv 1 0.3333333333333333 0\nv 123456789.125 1 0\n"
              "v 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    swSurface a = f->surface;
    int written = 0;
    for (int i = 0; sw_mesh_format_at(i); i++) {
        const swMeshFormat *format = sw_mesh_format_at(i);
        assert_ptr_equal(sw_mesh_format(temporary(f, format->suffix)), format);
        if (!format->write) {
            assert_false(sw_mesh_write(f->path, &a, &f->error));
            assert_non_null(strstr(f->error.message, "cannot write"));
            continue;
        }
        written++;
        if (!sw_mesh_write(f->path, &a, &f->error) ||
            !sw_mesh_read(f->path, &f->arena, &f->surface, &f->error))
            fail_msg("%s: %s", format->name, f->error.message);
        assert_int_equal(f->surface.nvertex, a.nvertex);
        assert_int_equal(f->surface.ntriangle, a.ntriangle);
        // STL keeps single precision, and vertices in the order of the triangles.
        bool stl = strcmp(format->suffix, ".stl") == 0;
        for (int k = 0; k < 3 * a.ntriangle; k++)
            for (int axis = 0; axis < 3; axis++) {
                swReal x = sw_get(a.X[a.triangle[k]], axis);
                swReal y = sw_get(f->surface.X[f->surface.triangle[k]], axis);
                assert_true(y == (stl ? (float)x : x));
            }
    }
    assert_int_equal(written, 4);
    // What cannot be written leaves no file.
    swVec3 keep = a.X[0];
    a.X[0].x = 1e39;
    assert_false(sw_mesh_write(temporary(f, ".stl"), &a, &f->error));
    assert_non_null(strstr(f->error.message, "too large"));
    a.X[0].x = NAN;
    assert_false(sw_mesh_write(f->path, &a, &f->error));
    assert_non_null(strstr(f->error.message, "not finite"));
    assert_int_not_equal(access(f->path, F_OK), 0);
    a.X[0] = keep;
    assert_false(sw_mesh_write("no/such/folder/a.obj", &a, &f->error));
    assert_int_equal(f->error.code, SW_ERROR_FILE);
}

// ---- memory ----

typedef struct Failing {
    swAllocator inner;
    int calls, fail_at;
    long held;
} Failing;

static void *failing_resize(void *context, void *old, size_t old_size, size_t new_size) {
    Failing *x = context;
    if (new_size && x->calls++ == x->fail_at)
        return NULL;
    x->held += (new_size > 0) - (old != NULL);
    return x->inner.resize(x->inner.context, old, old_size, new_size);
}

static void test_failing_memory(void **state) {
    Fixture *f = *state;
    read_good(f, ".obj", tetrahedron_obj);
    swSurface a = f->surface;
    for (int i = 0; sw_mesh_format_at(i); i++) {
        const char *path = temporary(f, sw_mesh_format_at(i)->suffix);
        if (sw_mesh_format_at(i)->write)
            assert_true(sw_mesh_write(path, &a, &f->error));
        else
            write_bytes(path, GLTF(""), strlen(GLTF("")));
        bool ok = false;
        for (int fail_at = 0; !ok; fail_at++) {
            Failing x = {.inner = f->config.allocator, .fail_at = fail_at};
            swAllocator allocator = {failing_resize, &x};
            swArena arena;
            sw_arena_init(&arena, &allocator);
            swSurface s;
            swSurfaceFacts facts;
            swError error = {0};
            ok = sw_mesh_read(path, &arena, &s, &error) &&
                 sw_surface_facts(&s, &facts, &arena, &error);
            if (!ok)
                assert_int_equal(error.code, SW_ERROR_MEMORY);
            sw_arena_free(&arena);
            assert_int_equal(x.held, 0);
            assert_true(fail_at < 100);
        }
    }
}

// ---- the shared assets ----

static void test_assets(void **state) {
    static const struct {
        const char *name;
        int nvertex, ntriangle, closed, components;
        double volume;
        const char *defects;
    } cases[] = {
        {"meshes/bunny.obj", 3301, 6598, true, 1, 0.749334, ""},
        {"meshes/stanford_dragon_100k.ply", 50000, 100000, true, 1, 155.747, ""},
        {"meshes/turtle_cage.obj", 347, 530, true, 1, 45.187, "80 unused vertices"},
        {"meshes/comb.obj", 4910, 9816, true, 1, 3338.02, ""},
        {"meshes/quadknot.obj", 1440, 2880, true, 1, 1.05731e6, ""},
        {"meshes/screw.ply", 1732, 2828, true, 1, 383.58, "316 unused vertices"},
        {"meshes/plate_holes.STL", 618, 1252, true, 1, 767362, ""},
        {"meshes/tray_bottom.STL", 2216, 4520, true, 1, 347866, ""},
        {"meshes/bp3d_liver.stl", 9710, 19416, true, 1, 1.56893e6, ""},
        {"meshes/pneunet.stl", 1488, 2968, true, 2, 51162.5, ""},
        {"meshes/knee_med_meniscus.ply", 18715, 36620, true, 4, 2154.88, ""},
        {"meshes/aneurysm.off", 7095, 14186, true, 1, 1378.79, ""},
        {"meshes/menger_sponge3.glb", 7983, 21598, true, 1, 0.406442, ""},
        {"rigs/Fox.glb", 1728, 576, true, 1, 66487.7, ""},
        {"rigs/CesiumMan.glb", 3273, 4672, true, 1, 0.0537133, ""},
        {"rigs/Horse.glb", 4400, 2182, true, 1, 6.03539, ""}, // its skin scales by 100, and bends
        {"rigs/SimpleSkin.gltf", 10, 8, false, 1, 0, "10 boundary edges"},
        {"broken/dragon_vrip_res3.ply", 22998, 47794, true, 2, 0.000476154,
         "2094 non-manifold edges, 1254 duplicate triangles, 16 unused vertices"},
        {"broken/stanford-bunny-original.obj", 35947, 69451, false, 1, NAN,
         "223 boundary edges, 1113 unused vertices"},
        {"broken/turtle_render.obj", 1961, 3654, false, 6, NAN,
         "128 boundary edges, 32 non-manifold edges, 48 flipped edges"},
        {"broken/human_heart.obj", 7349, 14720, false, 1, NAN,
         "16 boundary edges, 1 non-manifold edge"},
        {"broken/soup.stl", 300, 100, false, 100, NAN, "300 boundary edges"},
        {"broken/multibody_flipped.stl", 20, 32, false, 2, NAN, "12 flipped edges"},
        {"broken/joined_tetrahedra.obj", 5, 8, true, 1, 0.866025,
         "3 non-manifold edges, 1 duplicate triangle"},
        {"broken/chair_doubled.obj", 3186, 12756, true, 3, NAN,
         "9518 non-manifold edges, 6382 duplicate triangles"},
        {"broken/spider.obj", 762, 1368, false, 18, NAN,
         "72 boundary edges, 10 flipped edges, 56 degenerate triangles"},
        {"broken/negative_indices.obj", 8, 12, true, 1, 8, ""},
    };
    Fixture *f = *state;
    char name[100], text[200];
    for (int i = 0; i < SW_COUNT(cases); i++) {
        snprintf(name, sizeof name, "assets/%s", cases[i].name);
        SKIP_WITHOUT_ASSET(path, name);
        if (!sw_mesh_read(path, &f->arena, &f->surface, &f->error))
            fail_msg("%s: %s", name, f->error.message);
        swSurfaceFacts facts = facts_of(f);
        if (f->surface.nvertex != cases[i].nvertex || f->surface.ntriangle != cases[i].ntriangle ||
            facts.closed != cases[i].closed || facts.components != cases[i].components ||
            strcmp(sw_surface_defects(&facts, text, sizeof text), cases[i].defects) != 0)
            fail_msg("%s: %d vertices, %d triangles, %d components, %s, %s", name,
                     f->surface.nvertex, f->surface.ntriangle, facts.components,
                     facts.closed ? "closed" : "open", text);
        if (!isnan(cases[i].volume))
            assert_near(facts.volume, cases[i].volume, 5e-6 * fabs(cases[i].volume));
    }
}

// Every file is read into a surface that holds, or refused with a reason.
static void test_asset_folders(void **state) {
    static const char *const folders[] = {"assets/broken", "assets/meshes", "assets/rigs",
                                          "assets/figures", "assets/tets"};
    Fixture *f = *state;
    int read = 0, refused = 0;
    for (int i = 0; i < SW_COUNT(folders); i++) {
        SKIP_WITHOUT_ASSET(root, folders[i]);
        char folder[500], path[1000];
        snprintf(folder, sizeof folder, "%s", root);
        DIR *dir = opendir(folder);
        assert_non_null(dir);
        for (struct dirent *entry; (entry = readdir(dir));) {
            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            swArena arena;
            sw_arena_init(&arena, &f->config.allocator);
            swSurfaceFacts facts;
            sw_error_clear(&f->error);
            if (sw_mesh_read(path, &arena, &f->surface, &f->error)) {
                read++;
                assert_true(sw_surface_facts(&f->surface, &facts, &arena, &f->error));
            } else {
                refused++;
                assert_true(f->error.message[0] && f->error.path[0]);
                assert_int_not_equal(f->error.code, SW_ERROR_FILE);
                assert_true(i != 1); // of the good meshes none
            }
            sw_arena_free(&arena);
        }
        closedir(dir);
    }
    assert_true(read > 60);
    assert_true(refused > 30);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    TEST(test_obj_forms),     TEST(test_polygons),       TEST(test_off_forms),
    TEST(test_stl_forms),     TEST(test_ply_forms),      TEST(test_malformed),
    TEST(test_gltf_forms),    TEST(test_gltf_strips),    TEST(test_gltf_malformed),
    TEST(test_round_trip),    TEST(test_failing_memory), TEST(test_assets),
    TEST(test_asset_folders),
};

SW_SUITE(mesh, tests)
