// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// VTK's legacy format, text and binary: an unstructured grid, with cells as in version 2 or 5. The
// cell array with the best name according to sw_tet_cells_suits(), such as "material", gives the
// materials; one called "fill" says how far tetrahedra are filled.
#include "formats/tets_read.h"

#include <string.h>

typedef enum swType { U8, I8, U16, I16, U32, I32, U64, I64, F32, F64, NTYPE } swType;
static const int type_size[NTYPE] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
static const char *const type_name[NTYPE][3] = {{"unsigned_char"},
                                                {"char"},
                                                {"unsigned_short"},
                                                {"short"},
                                                {"unsigned_int"},
                                                {"int", "vtkIdType"},
                                                {"unsigned_long", "vtktypeuint64"},
                                                {"long", "vtktypeint64"},
                                                {"float"},
                                                {"double"}};

typedef struct swVtk {
    swScan s;
    const char *start;
    bool binary, cell_data;
    int64_t npoint, ncell, ndata; // ndata: number of items of the attributes being read
    int64_t *offset, *connectivity, *type;
    double *material, *fill;
    int suits; // how well the name of `material` suits
    swTetParts *parts;
} swVtk;

// ---- values ----

static bool fail(const swVtk *v, swStatus code, swError *error, const char *format, ...)
    SW_PRINTF(4, 5);
static bool fail(const swVtk *v, swStatus code, swError *error, const char *format, ...) {
    char text[SW_ERROR_MESSAGE - 64];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (v->binary)
        return sw_fail(error, code, "%s (before byte %lld)", text, (long long)(v->s.at - v->start));
    return sw_fail_at(error, code, NULL, v->s.line, 0, "%s", text);
}

// Takes the next word of the line, and says whether it is this one.
static bool next_is(swScan *s, const char *name) {
    const char *word;
    const int n = sw_scan_word(s, &word);
    return sw_scan_is(word, n, name);
}

static bool read_type(swVtk *v, swType *type, swError *error) {
    const char *word;
    swScan start = v->s;
    const int n = sw_scan_word(&v->s, &word);
    for (int i = 0; i < NTYPE; i++)
        for (int k = 0; k < 3; k++)
            if (type_name[i][k] && sw_scan_is(word, n, type_name[i][k])) {
                *type = (swType)i;
                return true;
            }
    sw_scan_blanks(&start);
    return sw_scan_fail(&start, error, "a type like float or int");
}

static double load(const char *p, swType type) {
    const uint64_t bits = sw_load(p, type_size[type], true);
    switch (type) {
    case I8: return (int8_t)bits;
    case I16: return (int16_t)bits;
    case I32: return (int32_t)bits;
    case I64: return (double)(int64_t)bits;
    case F32: return (double)sw_load_float(p, true);
    case F64: return sw_load_double(p, true);
    default: return (double)bits;
    }
}

// Reads the numbers that follow as `real` or as `whole`; if both are NULL, skips them.
static bool read_values(swVtk *v, swType type, int64_t count, double *real, int64_t *whole,
                        swError *error) {
    if (v->binary) {
        sw_scan_next_line(&v->s);
        const int size = type_size[type];
        if (count > (v->s.end - v->s.at) / size)
            return fail(v, SW_ERROR_FORMAT, error,
                        "expected %lld values of %d bytes, found %lld bytes", (long long)count,
                        size, (long long)(v->s.end - v->s.at));
        for (int64_t i = 0; i < count; i++, v->s.at += size)
            if (real)
                real[i] = load(v->s.at, type);
            else if (whole)
                whole[i] = (int64_t)sw_clamp(load(v->s.at, type), -1e15, 1e15);
        return true;
    }
    for (int64_t i = 0; i < count; i++) {
        double value;
        const char *word;
        sw_scan_white(&v->s);
        if (!real && !whole) {
            if (sw_scan_word(&v->s, &word) == 0)
                return sw_scan_fail(&v->s, error, "a number");
        } else if (whole ? !sw_scan_integer(&v->s, &whole[i], error)
                         : !sw_scan_number(&v->s, &value, error))
            return false;
        else if (real)
            real[i] = value;
    }
    return true;
}

// Reads a count of values, which must fit in the rest of the file with at least one byte each.
static bool read_count(swVtk *v, int64_t *count, swError *error) {
    return sw_scan_integer(&v->s, count, error) &&
           sw_tet_count_fits(&v->s, *count, 1, "values", error);
}

// ---- sections ----

static bool read_points(swVtk *v, swError *error) {
    swType type;
    if (!read_count(v, &v->npoint, error) || !read_type(v, &type, error) ||
        !sw_tet_count_fits(&v->s, v->npoint, 6, "points", error))
        return false;
    double *x = SW_NEW(v->parts->arena, 3 * v->npoint, double, error);
    if (!x || !read_values(v, type, 3 * v->npoint, x, NULL, error))
        return false;
    for (int64_t i = 0; i < v->npoint; i++)
        if (!sw_tet_parts_vertex(v->parts, i, sw_v3(x[3 * i], x[3 * i + 1], x[3 * i + 2]), error))
            return false;
    return true;
}

// Version 2: each cell is the number of its points, then the points.
static bool split_cells(swVtk *v, int64_t total, const int64_t *list, swError *error) {
    v->connectivity = SW_NEW(v->parts->arena, sw_max_int((int)total, 1), int64_t, error);
    v->offset = SW_NEW(v->parts->arena, sw_max_int((int)v->ncell, 1), int64_t, error);
    if (!v->connectivity || !v->offset)
        return false;
    int64_t at = 0, to = 0;
    for (int64_t i = 0; i < v->ncell; i++) {
        const int64_t n = at < total ? list[at++] : -1;
        if (n < 0 || n > total - at)
            return fail(v, SW_ERROR_FORMAT, error,
                        "cell %lld of %lld exceeds the %lld numbers announced", (long long)i,
                        (long long)v->ncell, (long long)total);
        memcpy(v->connectivity + to, list + at, (size_t)n * sizeof *list);
        at += n;
        to += n;
        v->offset[i] = to;
    }
    return true;
}

// Version 5: the offsets of the cells, one more than there are cells, then the points of all cells.
static bool read_offsets(swVtk *v, int64_t noffset, int64_t npoint, swError *error) {
    const int64_t count[] = {noffset, npoint};
    static const char *const name[] = {"OFFSETS", "CONNECTIVITY"};
    int64_t *list[2];
    for (int k = 0; k < 2; k++) {
        swType type;
        sw_scan_white(&v->s);
        swScan start = v->s;
        if (!next_is(&v->s, name[k]))
            return sw_scan_fail(&start, error, name[k]);
        list[k] = SW_NEW(v->parts->arena, sw_max_int((int)count[k], 1), int64_t, error);
        if (!list[k] || !read_type(v, &type, error) ||
            !read_values(v, type, count[k], NULL, list[k], error))
            return false;
    }
    v->ncell = sw_max_int((int)noffset - 1, 0);
    for (int64_t i = 0; i < noffset; i++)
        if (list[0][i] < (i > 0 ? list[0][i - 1] : 0) || list[0][i] > npoint)
            return fail(v, SW_ERROR_FORMAT, error,
                        "offset %lld is %lld; expected ascending offsets from 0 to %lld",
                        (long long)i, (long long)list[0][i], (long long)npoint);
    if (noffset > 0 && list[0][0] != 0)
        return fail(v, SW_ERROR_FORMAT, error, "the first offset is %lld; expected 0",
                    (long long)list[0][0]);
    v->offset = list[0] + 1;
    v->connectivity = list[1];
    return true;
}

static bool read_cells(swVtk *v, swError *error) {
    int64_t total;
    if (v->offset)
        return fail(v, SW_ERROR_FORMAT, error, "a second CELLS section");
    if (!read_count(v, &v->ncell, error) || !read_count(v, &total, error))
        return false;
    swScan ahead = v->s;
    sw_scan_white(&ahead);
    if (next_is(&ahead, "OFFSETS"))
        return read_offsets(v, v->ncell, total, error);
    int64_t *list = SW_NEW(v->parts->arena, sw_max_int((int)total, 1), int64_t, error);
    return list && read_values(v, I32, total, NULL, list, error) &&
           split_cells(v, total, list, error);
}

static bool read_types(swVtk *v, swError *error) {
    int64_t count;
    if (!read_count(v, &count, error))
        return false;
    if (count != v->ncell)
        return fail(v, SW_ERROR_FORMAT, error, "%lld types for %lld cells", (long long)count,
                    (long long)v->ncell);
    v->type = SW_NEW(v->parts->arena, sw_max_int((int)count, 1), int64_t, error);
    return v->type && read_values(v, I32, count, NULL, v->type, error);
}

// ---- attributes ----

// Reads an array, and keeps it if it gives the materials or fill of cells.
static bool read_array(swVtk *v, const char *name, int length, swType type, int64_t ncomponent,
                       int64_t count, swError *error) {
    const bool single = v->cell_data && ncomponent == 1 && count == v->ncell;
    const int suits = single ? sw_tet_cells_suits(name, length) : 0;
    const bool fill = single && sw_scan_is(name, length, "fill");
    if (ncomponent < 0 || count < 0 || (ncomponent > 0 && count > INT32_MAX / ncomponent))
        return fail(v, SW_ERROR_FORMAT, error, "an array cannot have %lld x %lld values",
                    (long long)ncomponent, (long long)count);
    double *values = NULL;
    if ((fill || suits > v->suits) &&
        !(values = SW_NEW(v->parts->arena, sw_max_int((int)count, 1), double, error)))
        return false;
    if (fill)
        v->fill = values;
    else if (values) {
        v->material = values;
        v->suits = suits;
    }
    return read_values(v, type, ncomponent * count, values, NULL, error);
}

static bool read_scalars(swVtk *v, swError *error) {
    const char *name, *word;
    swType type;
    int64_t ncomponent = 1;
    const int n = sw_scan_word(&v->s, &name);
    if (!read_type(v, &type, error))
        return false;
    sw_scan_blanks(&v->s);
    if (!sw_scan_line_ended(&v->s) && !sw_scan_integer(&v->s, &ncomponent, error))
        return false;
    swScan ahead = v->s;
    sw_scan_white(&ahead);
    if (next_is(&ahead, "LOOKUP_TABLE")) {
        sw_scan_word(&ahead, &word);
        v->s = ahead;
    }
    return read_array(v, name, n, type, ncomponent, v->ndata, error);
}

// Strings are on lines of their own, in binary files preceded by their lengths. Those about
// materials are found as notes, so all of them are skipped.
static bool skip_texts(swVtk *v, int64_t count, swError *error) {
    sw_scan_next_line(&v->s);
    for (int64_t i = 0; i < count; i++) {
        if (v->s.at >= v->s.end)
            return fail(v, SW_ERROR_FORMAT, error, "expected a string, found the end of the file");
        if (!v->binary) {
            sw_scan_next_line(&v->s);
            continue;
        }
        // The two highest bits of the first byte say how many bytes the length has.
        const int bytes = 8 >> ((unsigned char)*v->s.at >> 6);
        if (v->s.end - v->s.at < bytes)
            return fail(v, SW_ERROR_FORMAT, error, "expected the length of a string");
        const uint64_t bits = sw_load(v->s.at, bytes, true);
        const uint64_t length = bytes == 8 ? bits : bits & ((1ull << (8 * bytes - 2)) - 1);
        v->s.at += bytes;
        if (length > (uint64_t)(v->s.end - v->s.at))
            return fail(v, SW_ERROR_FORMAT, error, "expected a string of %llu bytes",
                        (unsigned long long)length);
        v->s.at += length;
    }
    return true;
}

// Skips lines up to an empty one.
static void skip_metadata(swVtk *v) {
    do {
        sw_scan_next_line(&v->s);
        sw_scan_blanks(&v->s);
    } while (v->s.at < v->s.end && *v->s.at != '\n' && *v->s.at != '\r');
}

static bool read_field(swVtk *v, swError *error) {
    const char *name, *word;
    int64_t narray, ncomponent, count;
    sw_scan_word(&v->s, &name);
    if (!read_count(v, &narray, error))
        return false;
    for (int64_t i = 0; i < narray; i++) {
        swType type;
        sw_scan_white(&v->s);
        const int n = sw_scan_word(&v->s, &name);
        if (n == 0)
            return sw_scan_fail(&v->s, error, "the name of an array");
        if (sw_scan_is(name, n, "METADATA")) {
            i--;
            skip_metadata(v);
            continue;
        }
        if (!read_count(v, &ncomponent, error) || !read_count(v, &count, error))
            return false;
        swScan ahead = v->s;
        const int nword = sw_scan_word(&ahead, &word);
        if (sw_scan_is(word, nword, "string") || sw_scan_is(word, nword, "utf8_string")) {
            v->s = ahead;
            if (!skip_texts(v, count, error))
                return false;
        } else if (!read_type(v, &type, error) ||
                   !read_array(v, name, n, type, ncomponent, count, error))
            return false;
    }
    return true;
}

static bool read_tuples(swVtk *v, int64_t ncomponent, swError *error) {
    const char *name;
    swType type;
    const int n = sw_scan_word(&v->s, &name);
    return read_type(v, &type, error) && read_array(v, name, n, type, ncomponent, v->ndata, error);
}

static bool begin_data(swVtk *v, bool cells, swError *error) {
    v->cell_data = cells;
    return read_count(v, &v->ndata, error);
}

// ---- the file ----

// Returns 1 for a section, 0 at the end or if what follows is unknown, -1 on failure.
static int read_section(swVtk *v, swError *error) {
    const char *word;
    sw_scan_white(&v->s);
    swScan start = v->s;
    const int n = sw_scan_word(&v->s, &word);
    if (n == 0)
        return v->s.at >= v->s.end ? 0 : (sw_scan_fail(&start, error, "a section like CELLS"), -1);
    bool ok = true;
    if (sw_scan_is(word, n, "POINTS"))
        ok = read_points(v, error);
    else if (sw_scan_is(word, n, "CELLS"))
        ok = read_cells(v, error);
    else if (sw_scan_is(word, n, "CELL_TYPES"))
        ok = read_types(v, error);
    else if (sw_scan_is(word, n, "CELL_DATA") || sw_scan_is(word, n, "POINT_DATA"))
        ok = begin_data(v, sw_scan_is(word, n, "CELL_DATA"), error);
    else if (sw_scan_is(word, n, "SCALARS"))
        ok = read_scalars(v, error);
    else if (sw_scan_is(word, n, "VECTORS") || sw_scan_is(word, n, "NORMALS"))
        ok = read_tuples(v, 3, error);
    else if (sw_scan_is(word, n, "TENSORS"))
        ok = read_tuples(v, 9, error);
    else if (sw_scan_is(word, n, "FIELD"))
        ok = read_field(v, error);
    else if (sw_scan_is(word, n, "METADATA"))
        skip_metadata(v);
    else if (v->type)
        return 0; // the mesh is complete; what follows are attributes that are not used
    else
        ok = sw_scan_fail(&start, error, "POINTS, CELLS or CELL_TYPES");
    return ok ? 1 : -1;
}

static bool read_head(swVtk *v, swError *error) {
    const char *word;
    static const char first[] = "# vtk DataFile Version";
    if (v->s.end - v->s.at < (ptrdiff_t)sizeof first ||
        memcmp(v->s.at, first, sizeof first - 1) != 0)
        return sw_scan_fail(&v->s, error, first);
    sw_scan_next_line(&v->s);
    sw_scan_next_line(&v->s); // the title
    sw_scan_white(&v->s);
    swScan start = v->s;
    const int n = sw_scan_word(&v->s, &word);
    const bool binary = sw_scan_is(word, n, "BINARY");
    if (!binary && !sw_scan_is(word, n, "ASCII"))
        return sw_scan_fail(&start, error, "ASCII or BINARY");
    sw_scan_white(&v->s);
    start = v->s;
    if (!next_is(&v->s, "DATASET"))
        return sw_scan_fail(&start, error, "DATASET");
    sw_scan_blanks(&v->s);
    start = v->s;
    if (!next_is(&v->s, "UNSTRUCTURED_GRID"))
        return sw_scan_fail(&start, error, "UNSTRUCTURED_GRID");
    v->binary = binary;
    snprintf(v->parts->report.format, sizeof v->parts->report.format, "VTK, %s",
             binary ? "binary" : "text");
    return true;
}

static bool read_vtk(const swMeshFile *file, swTetParts *parts, swError *error) {
    swVtk v = {.start = file->data, .parts = parts};
    if (!sw_scan_open(&v.s, file, error) || !read_head(&v, error))
        return false;
    int found;
    while ((found = read_section(&v, error)) > 0)
        continue;
    if (found < 0)
        return false;
    if (!v.type || !v.offset)
        return sw_fail(error, SW_ERROR_FORMAT, "the file has no section %s",
                       v.offset ? "CELL_TYPES" : "CELLS");
    const swTetCells cells = {.npoint = v.npoint,
                              .ncell = v.ncell,
                              .offset = v.offset,
                              .connectivity = v.connectivity,
                              .type = v.type,
                              .material = v.material,
                              .fill = v.fill};
    return sw_tet_cells_take(&cells, parts, error);
}

// ---- writing ----

static void put(const swTetOut *out, int64_t value, char behind) {
    if (out->style.text)
        sw_file_print(out->file, "%lld%c", (long long)value, behind);
    else
        sw_file_int(out->file, value, 4, true);
}

static void put_real(const swTetOut *out, double value, char behind) {
    if (out->style.text) {
        sw_file_number(out->file, value);
        sw_file_write(out->file, &behind, 1);
    } else
        sw_file_real(out->file, value, true);
}

// Writes notes about materials as an array of strings, in binary files with lengths of four bytes.
static void write_notes(const swTetOut *out) {
    const swTetMesh *m = out->mesh;
    sw_file_print(out->file, "FIELD FieldData 1\nmaterials 1 %d string\n", m->nmaterial);
    for (int i = 0; i < m->nmaterial; i++) {
        char note[SW_TET_NOTE];
        const int length = sw_tet_note(out->tag[i], &m->materials[i], note);
        if (!out->style.text)
            sw_file_int(out->file, (int64_t)(0x40000000u | (unsigned)length), 4, true);
        sw_file_print(out->file, "%s%s", note, out->style.text ? "\n" : "");
    }
    if (!out->style.text)
        sw_file_print(out->file, "\n");
}

static bool write_vtk(const swTetOut *out, swError *error) {
    (void)error; // the format can represent any mesh
    const swTetMesh *m = out->mesh;
    const int per = sw_tet_vertices(m->order);
    swFile *file = out->file;
    const char *end = out->style.text ? "" : "\n";
    sw_file_print(file, "# vtk DataFile Version 3.0\ntetrahedra\n%s\nDATASET UNSTRUCTURED_GRID\n",
                  out->style.text ? "ASCII" : "BINARY");
    if (out->notes)
        write_notes(out);
    sw_file_print(file, "POINTS %d double\n", m->nvertex);
    for (int i = 0; i < m->nvertex; i++)
        for (int k = 0; k < 3; k++)
            put_real(out, sw_get(m->X[i], k), k < 2 ? ' ' : '\n');
    sw_file_print(file, "%sCELLS %d %lld\n", end, m->ntet, (long long)m->ntet * (per + 1));
    for (int t = 0; t < m->ntet; t++) {
        put(out, per, ' ');
        for (int k = 0; k < per; k++)
            put(out, sw_tets_at(m, t)[k], k < per - 1 ? ' ' : '\n');
    }
    sw_file_print(file, "%sCELL_TYPES %d\n", end, m->ntet);
    for (int t = 0; t < m->ntet; t++)
        put(out, m->order == 1 ? 10 : 24, '\n');
    sw_file_print(file, "%s", end);
    if (m->nmaterial > 0 || m->fill)
        sw_file_print(file, "CELL_DATA %d\n", m->ntet);
    if (m->nmaterial > 0) {
        sw_file_print(file, "SCALARS material int 1\nLOOKUP_TABLE default\n");
        for (int t = 0; t < m->ntet; t++)
            put(out, sw_tet_tag(out, t), '\n');
        sw_file_print(file, "%s", end);
    }
    if (m->fill) {
        sw_file_print(file, "SCALARS fill double 1\nLOOKUP_TABLE default\n");
        for (int t = 0; t < m->ntet; t++)
            put_real(out, m->fill[t], '\n');
        sw_file_print(file, "%s", end);
    }
    return true;
}

const swTetFormat sw_tets_vtk = {"VTK", ".vtk", true, read_vtk, write_vtk};
