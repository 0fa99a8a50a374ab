// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// VTK's .vtu: XML with arrays as text, as base64 or as raw bytes appended to it, compressed by zlib
// or not. Pieces are joined. Cell arrays are used as in the legacy format.
#include "formats/tets_xml.h"

#include <string.h>

typedef struct swVtuPiece {
    int64_t npoint, ncell;
    bool counted;
    swXmlArray points, connectivity, offsets, types, material, fill;
    int suits; // how well the name of `material` suits
} swVtuPiece;

typedef struct swVtu {
    swXml xml;
    SW_LIST(swVtuPiece) piece;
    const char *section; // Points, Cells, CellData, ...
    int nsection;
    swTetParts *parts;
} swVtu;

static bool in_section(const swVtu *v, const char *name) {
    return sw_scan_is(v->section, v->nsection, name);
}

// ---- the outline ----

static bool read_root(swVtu *v, const swXmlTag *tag, swError *error) {
    swXml *x = &v->xml;
    const char *value;
    int n = sw_xml_attribute(tag, "type", &value);
    if (!sw_scan_is(value, n, "UnstructuredGrid"))
        return sw_xml_fail(x, SW_ERROR_UNSUPPORTED, error,
                           "the VTKFile has type '%.*s'; expected UnstructuredGrid",
                           sw_min_int(n, 40), value);
    n = sw_xml_attribute(tag, "byte_order", &value);
    x->big = sw_scan_is(value, n, "BigEndian");
    n = sw_xml_attribute(tag, "header_type", &value);
    x->header = sw_scan_is(value, n, "UInt64") ? 8 : 4;
    n = sw_xml_attribute(tag, "compressor", &value);
    x->zipped = n > 0;
    if (n > 0 && !sw_scan_is(value, n, "vtkZLibDataCompressor"))
        return sw_xml_fail(x, SW_ERROR_UNSUPPORTED, error,
                           "the data is compressed with %.*s; expected vtkZLibDataCompressor",
                           sw_min_int(n, 40), value);
    return true;
}

static bool read_piece(swVtu *v, const swXmlTag *tag, swError *error) {
    swVtuPiece *piece = SW_PUSH(&v->piece, v->parts->arena, error);
    if (!piece)
        return false;
    *piece = (swVtuPiece){.counted = true};
    piece->npoint = sw_xml_integer(tag, "NumberOfPoints");
    piece->ncell = sw_xml_integer(tag, "NumberOfCells");
    return (piece->npoint >= 0 && piece->ncell >= 0 && piece->npoint <= INT32_MAX &&
            piece->ncell <= INT32_MAX) ||
           sw_xml_fail(&v->xml, SW_ERROR_FORMAT, error,
                       "expected NumberOfPoints and NumberOfCells of a Piece, at most %d each",
                       INT32_MAX);
}

static bool read_array(swVtu *v, const swXmlTag *tag, swError *error) {
    swXmlArray array;
    if (v->piece.count == 0 || !v->nsection)
        return true; // data of the whole grid: times and the like
    swVtuPiece *piece = &v->piece.item[v->piece.count - 1];
    if (!sw_xml_array(&v->xml, tag, &array, error))
        return false;
    if (in_section(v, "Points"))
        piece->points = array;
    else if (in_section(v, "Cells") && sw_scan_is(array.name, array.nname, "connectivity"))
        piece->connectivity = array;
    else if (in_section(v, "Cells") && sw_scan_is(array.name, array.nname, "offsets"))
        piece->offsets = array;
    else if (in_section(v, "Cells") && sw_scan_is(array.name, array.nname, "types"))
        piece->types = array;
    else if (in_section(v, "CellData") && array.ncomponent == 1 && array.type != SW_XML_OTHER) {
        const int suits = sw_tet_cells_suits(array.name, array.nname);
        if (sw_scan_is(array.name, array.nname, "fill"))
            piece->fill = array;
        else if (suits > piece->suits) {
            piece->material = array;
            piece->suits = suits;
        }
    }
    return true;
}

static bool read_outline(swVtu *v, swError *error) {
    static const char *const sections[] = {"Points", "Cells", "CellData", "PointData", "FieldData"};
    swXmlTag tag;
    bool root = false;
    int found;
    while ((found = sw_xml_next(&v->xml, &tag, error)) > 0) {
        if (!root && !sw_xml_is(&tag, "VTKFile"))
            return sw_xml_fail(&v->xml, SW_ERROR_FORMAT, error, "expected <VTKFile, found <%.*s",
                               sw_min_int(tag.nname, 40), tag.name);
        for (int i = 0; i < SW_COUNT(sections); i++)
            if (sw_xml_is(&tag, sections[i])) {
                v->section = tag.name;
                v->nsection = tag.closing || tag.empty ? 0 : tag.nname;
            }
        bool ok = true;
        if (!tag.closing && sw_xml_is(&tag, "VTKFile"))
            ok = root = read_root(v, &tag, error);
        else if (!tag.closing && sw_xml_is(&tag, "Piece"))
            ok = read_piece(v, &tag, error);
        else if (!tag.closing && sw_xml_is(&tag, "DataArray"))
            ok = read_array(v, &tag, error);
        else if (!tag.closing && sw_xml_is(&tag, "AppendedData"))
            return sw_xml_appended(&v->xml, &tag, error); // it is the last tag
        if (!ok)
            return false;
    }
    return found == 0 && (root || sw_fail(error, SW_ERROR_FORMAT,
                                          "expected <VTKFile, found the "
                                          "end of the file"));
}

// ---- pieces ----

static bool load_points(swVtu *v, const swVtuPiece *p, swError *error) {
    const double *x = sw_xml_reals(&v->xml, &p->points, "points", 3 * p->npoint, error);
    for (int64_t i = 0; x && i < p->npoint; i++)
        if (!sw_tet_parts_vertex(v->parts, v->parts->X.count,
                                 sw_v3(x[3 * i], x[3 * i + 1], x[3 * i + 2]), error))
            return false;
    return x != NULL;
}

static bool load_piece(swVtu *v, const swVtuPiece *p, swError *error) {
    swXml *x = &v->xml;
    swTetCells cells = {.npoint = p->npoint, .ncell = p->ncell, .base = v->parts->X.count};
    if (!load_points(v, p, error) ||
        !(cells.offset = sw_xml_integers(x, &p->offsets, "offsets", p->ncell, error)) ||
        !(cells.type = sw_xml_integers(x, &p->types, "types", p->ncell, error)))
        return false;
    for (int64_t i = 0; i < p->ncell; i++)
        if (cells.offset[i] < (i > 0 ? cells.offset[i - 1] : 0) || cells.offset[i] > INT32_MAX)
            return sw_fail(error, SW_ERROR_FORMAT,
                           "offset %lld is %lld; expected the ends of cells in ascending order",
                           (long long)i, (long long)cells.offset[i]);
    const int64_t total = p->ncell > 0 ? cells.offset[p->ncell - 1] : 0;
    cells.connectivity = sw_xml_integers(x, &p->connectivity, "connectivity", total, error);
    if (!cells.connectivity)
        return false;
    if (p->material.from &&
        !(cells.material = sw_xml_reals(x, &p->material, "materials", p->ncell, error)))
        return false;
    if (p->fill.from && !(cells.fill = sw_xml_reals(x, &p->fill, "fill", p->ncell, error)))
        return false;
    return sw_tet_cells_take(&cells, v->parts, error);
}

static bool read_vtu(const swMeshFile *file, swTetParts *parts, swError *error) {
    swVtu v = {.parts = parts, .section = ""};
    if (!sw_xml_open(&v.xml, file, parts->arena, error) || !read_outline(&v, error))
        return false;
    snprintf(parts->report.format, sizeof parts->report.format, "VTU%s",
             v.xml.zipped ? ", compressed" : "");
    if (v.piece.count == 0)
        return sw_fail(error, SW_ERROR_FORMAT, "the file has no <Piece>");
    for (int i = 0; i < v.piece.count; i++)
        if (!load_piece(&v, &v.piece.item[i], error))
            return false;
    return true;
}

// ---- writing ----

// An array as text, or as base64 after its number of bytes.
typedef struct swArrayOut {
    const swTetOut *out;
    unsigned bits;
    int nbyte; // number of bytes in `bits`
} swArrayOut;

static void put_base64(swArrayOut *a, bool end) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4];
    if (a->nbyte == 0 || (a->nbyte < 3 && !end))
        return;
    const unsigned bits = a->bits << 8 * (3 - a->nbyte);
    for (int k = 0; k < 4; k++)
        text[k] = k <= a->nbyte ? digit[bits >> (18 - 6 * k) & 63] : '=';
    sw_file_write(a->out->file, text, 4);
    a->bits = 0;
    a->nbyte = 0;
}

static void put_bits(swArrayOut *a, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        a->bits = a->bits << 8 | (unsigned)(value >> 8 * i & 0xff);
        a->nbyte++;
        put_base64(a, false);
    }
}

static swArrayOut begin(const swTetOut *out, const char *type, const char *name, int ncomponent,
                        int64_t bytes) {
    swArrayOut a = {.out = out};
    sw_file_print(out->file,
                  "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"%s\">\n",
                  type, name, ncomponent, out->style.text ? "ascii" : "binary");
    if (!out->style.text)
        put_bits(&a, (uint64_t)bytes, 8);
    return a;
}

static void put(swArrayOut *a, int64_t value, int bytes) {
    if (a->out->style.text)
        sw_file_print(a->out->file, "%lld\n", (long long)value);
    else
        put_bits(a, (uint64_t)value, bytes);
}

static void put_real(swArrayOut *a, double value, const char *behind) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (a->out->style.text) {
        sw_file_number(a->out->file, value);
        sw_file_print(a->out->file, "%s", behind);
    } else
        put_bits(a, bits, 8);
}

static void end(swArrayOut *a) {
    put_base64(a, true);
    sw_file_print(a->out->file, "%s</DataArray>\n", a->out->style.text ? "" : "\n");
}

static void write_cells(const swTetOut *out) {
    const swTetMesh *m = out->mesh;
    const int per = sw_tet_vertices(m->order);
    const int64_t n = m->ntet;
    sw_file_print(out->file, "<Cells>\n");
    swArrayOut a = begin(out, "Int32", "connectivity", 1, 4 * n * per);
    for (int64_t i = 0; i < n * per; i++)
        put(&a, m->vertex[i], 4);
    end(&a);
    a = begin(out, "Int64", "offsets", 1, 8 * n);
    for (int64_t t = 1; t <= n; t++)
        put(&a, per * t, 8);
    end(&a);
    a = begin(out, "UInt8", "types", 1, n);
    for (int64_t t = 0; t < n; t++)
        put(&a, m->order == 1 ? 10 : 24, 1);
    end(&a);
    sw_file_print(out->file, "</Cells>\n<CellData>\n");
    if (m->nmaterial > 0) {
        a = begin(out, "Int32", "material", 1, 4 * n);
        for (int t = 0; t < m->ntet; t++)
            put(&a, sw_tet_tag(out, t), 4);
        end(&a);
    }
    if (m->fill) {
        a = begin(out, "Float64", "fill", 1, 8 * n);
        for (int t = 0; t < m->ntet; t++)
            put_real(&a, m->fill[t], "\n");
        end(&a);
    }
    sw_file_print(out->file, "</CellData>\n");
}

static bool write_vtu(const swTetOut *out, swError *error) {
    (void)error; // the format can represent any mesh
    const swTetMesh *m = out->mesh;
    sw_file_print(out->file,
                  "<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
                  "header_type=\"UInt64\">\n");
    sw_tet_notes_write(out, out->file, "<!-- ", " -->\n");
    sw_file_print(out->file,
                  "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n"
                  "<Points>\n",
                  m->nvertex, m->ntet);
    swArrayOut a = begin(out, "Float64", "Points", 3, 24 * (int64_t)m->nvertex);
    for (int i = 0; i < m->nvertex; i++)
        for (int k = 0; k < 3; k++)
            put_real(&a, sw_get(m->X[i], k), k < 2 ? " " : "\n");
    end(&a);
    sw_file_print(out->file, "</Points>\n");
    write_cells(out);
    sw_file_print(out->file, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    return true;
}

const swTetFormat sw_tets_vtu = {"VTU", ".vtu", true, read_vtu, write_vtu};
