// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Files of tetrahedra as other programs write them, and broken ones: what is said of each.
#include "test_tetio.h"

#include <zlib.h>

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
    assert_non_null(strstr(f->warnings, "'m' has the law MOONEYRIVLIN: only its density"));
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
         "99999999999 nodes cannot fit in the 9 bytes that follow"},
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
         0, "number 1 occurs twice"},
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
        {".veg", "*VERTICES\n1 2 0 0\n", 2, "have 2 dimensions; expected 3"},
        {".veg", "*VERTICES\n2 3 0 0\n1 0 0 0\n*ELEMENTS\n", 4, "expected a vertex, found '*ELEM"},
        {".veg", "*VERTICES\n2 3 0 0\n1 0 0 0\n", 4,
         "expected a vertex, found the end of the file"},
        {".veg", "*VERTICES\n1 3 0 0\n1 0 0\n", 3, "expected a number, found the end of the line"},
        {".veg", "*ELEMENTS\nCUBIC\n1 8 0\n", 2, "of type TET, found 'CUBIC'"},
        {".veg", "*MATERIAL m\nENU, 1000, -1, 0.4\n", 2, "Young's modulus -1"},
        {".veg", "*SET a\n1, b\n", 2, "expected a number, found 'b'"},
        {".veg", "*REGION\na, b\n", 2, "there is no set 'a'"},
        {".veg", "*BODY\n", 1, "expected *VERTICES, *ELEMENTS"},
        {".veg", "*SET a\n*INCLUDE nothing.txt\n", 2, "*INCLUDE nothing.txt: cannot open"},
        {".veg", "*INCLUDE given.veg\n", 1, "*INCLUDE is nested more than 7 levels deep"},
        {".mesh", "Vertices\n", 1, "expected MeshVersionFormatted, found 'Vertices'"},
        {".mesh", "MeshVersionFormatted 1\nDimension 2\n", 2, "Dimension 2; expected 3"},
        {".mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 1\n0 0 0\n", 5,
         "expected a whole number, found the end of the file"},
        {".mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 99999999\n0 0 0 0\n", 3,
         "99999999 vertices cannot fit in the 9 bytes"},
        {".mesh", "MeshVersionFormatted 1\nVertices 1\n0 0 0 0\nTetrahedra 1\n1 1 2 1 0\n", 5,
         "refers to vertex 2, but there are 1 vertices, numbered from 1 to 1"},
        {".mesh", "MeshVersionFormatted 1\nVertices 1\n0 0 0 0\nHexahedra 2\n1 1 2 1 0\n", 4,
         "2 Hexahedra; expected only tetrahedra"},
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
         8, "cell 0 of 1 exceeds the 4 numbers announced"},
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
         "compressed with vtkLZ4DataCompressor"},
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
         4, "3000000000 numbers cannot fit in the file"},
        {".vtu",
         "<VTKFile type=\"UnstructuredGrid\">\n<Piece NumberOfPoints=\"1\" "
         "NumberOfCells=\"0\">\n<Points>\n<DataArray type=\"Float32\" format=\"appended\" "
         "offset=\"7\"/>",
         4, "byte 7 of the appended data does not exist"},
    };
    Fixture *f = *state;
    for (int i = 0; i < SW_COUNT(cases); i++)
        expect_error(f, cases[i].suffix, cases[i].text, strlen(cases[i].text), cases[i].line,
                     cases[i].fragment);
    write_bytes(path_of("given.node"), "1 3 0 0\n1 0 0 0\n", 16);
    expect_error(f, ".ele", "1 4 0\n1 1 1 2 1\n", 16, 2, "refers to vertex 2");
    expect_error(f, ".ele", "1 8 0\n1 1 1 1 1 1 1 1 1\n", 24, 1, "elements have 8 vertices");
    expect_error(f, ".ele", "7 4 0\n1 1 1 1 1\n", 16, 1, "7 tetrahedra cannot fit in");
    write_bytes(path_of("given.node"), "1 3 0 0\n1 0 zero 0\n", 19);
    expect_error(f, ".ele", "1 4 0\n1 1 1 1 1\n", 16, 2, "expected a number, found 'zero'");
    assert_non_null(strstr(f->error.path, "given.node")); // the one that is wrong
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_msh_forms, setup, teardown),
    cmocka_unit_test_setup_teardown(test_text_forms, setup, teardown),
    cmocka_unit_test_setup_teardown(test_vtk_forms, setup, teardown),
    cmocka_unit_test_setup_teardown(test_vtu_forms, setup, teardown),
    cmocka_unit_test_setup_teardown(test_broken, setup, teardown),
};
SW_SUITE(tetio_forms, tests)
