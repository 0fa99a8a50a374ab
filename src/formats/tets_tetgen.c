// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// TetGen: vertices in NAME.node, tetrahedra in NAME.ele. Either file may be named. The first
// attribute of a tetrahedron is its material.
#include "formats/tets_read.h"

#include <string.h>

// The position in TetGen's order of each vertex in VTK's order.
static const int place[10] = {0, 1, 2, 3, 6, 7, 9, 5, 8, 4};

static bool read_nodes(const swMeshFile *file, swTetParts *parts, swError *error) {
    swScan s;
    int64_t count, dimension, number;
    swVec3 x;
    if (!sw_scan_open(&s, file, error) || !sw_tet_integer(&s, &count, error) ||
        !sw_scan_integer(&s, &dimension, error))
        return false;
    if (dimension != 3)
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, s.line, 0,
                          "vertices have %lld dimensions; expected 3", (long long)dimension);
    if (!sw_tet_count_fits(&s, count, 8, "vertices", error))
        return false;
    sw_scan_next_line(&s); // attributes and boundary markers are not used
    for (int64_t i = 0; i < count; i++, sw_scan_next_line(&s)) {
        if (!sw_tet_integer(&s, &number, error) || !sw_scan_vec3(&s, &x, error) ||
            !sw_tet_parts_vertex(parts, number, x, error))
            return false;
    }
    return true;
}

static bool read_tet(swScan *s, int per, bool attribute, swTetParts *parts, bool *whole,
                     swError *error) {
    int64_t v[10], vtk[10], number;
    double material = 0;
    if (!sw_tet_integer(s, &number, error))
        return false;
    for (int k = 0; k < per; k++)
        if (!sw_scan_integer(s, &v[k], error))
            return false;
    if (attribute && !sw_scan_number(s, &material, error))
        return false;
    if (!(fabs(material) <= INT32_MAX) || material != floor(material)) {
        *whole = false;
        material = 0;
    }
    for (int k = 0; k < per; k++)
        vtk[k] = v[place[k]];
    return sw_tet_parts_tet(parts, per == 4 ? 1 : 2, vtk, (int64_t)material, s->line, error);
}

static bool read_tets(const swMeshFile *file, swTetParts *parts, swError *error) {
    swScan s;
    int64_t count, per, nattribute = 0;
    bool whole = true;
    if (!sw_scan_open(&s, file, error) || !sw_tet_integer(&s, &count, error) ||
        !sw_scan_integer(&s, &per, error))
        return false;
    sw_scan_blanks(&s);
    if (!sw_scan_line_ended(&s) && !sw_scan_integer(&s, &nattribute, error))
        return false;
    if (per != 4 && per != 10)
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, s.line, 0,
                          "elements have %lld vertices; expected 4 or 10", (long long)per);
    if (!sw_tet_count_fits(&s, count, 2 * per + 2, "tetrahedra", error))
        return false;
    sw_scan_next_line(&s);
    for (int64_t i = 0; i < count; i++, sw_scan_next_line(&s))
        if (!read_tet(&s, (int)per, nattribute > 0, parts, &whole, error))
            return false;
    if (!whole) {
        sw_tet_parts_warn(parts,
                          "attributes that are not whole numbers cannot be materials: ignored");
        for (int t = 0; t < parts->tet.count; t++)
            parts->tet.item[t].tag = 0;
    }
    return true;
}

// The path of the other file: the stem of this one with another suffix.
static char *other_path(const char *path, const char *suffix, swArena *arena, swError *error) {
    size_t stem = strlen(path) - strlen(strrchr(path, '.')), n = strlen(suffix);
    char *other = SW_NEW(arena, stem + n + 1, char, error);
    if (other)
        snprintf(other, stem + n + 1, "%.*s%s", (int)stem, path, suffix);
    return other;
}

static bool read_pair(const swMeshFile *file, bool named_node, swTetParts *parts, swError *error) {
    if (!file->path)
        return sw_fail(
            error, SW_ERROR_UNSUPPORTED,
            "vertices and tetrahedra are in two files; this file must be complete by itself");
    swMeshFile other = {0};
    char *data;
    other.path = other_path(file->path, named_node ? ".ele" : ".node", parts->arena, error);
    if (!other.path || !sw_file_read(other.path, parts->arena, &data, &other.size, error))
        return false;
    other.data = data;
    if (other.size > INT32_MAX)
        return sw_fail_at(error, SW_ERROR_LIMIT, other.path, 0, 0,
                          "the file has %zu bytes; mesh files can have at most %d", other.size,
                          INT32_MAX);
    if (sw_tetgen_parse(named_node ? file : &other, named_node ? &other : file, parts, error) &&
        sw_tet_notes_read(&other, parts, error))
        return true;
    return false;
}

static bool in_file(const swMeshFile *file, bool ok, swError *error) {
    if (!ok && error && !error->path[0] && file->path)
        snprintf(error->path, sizeof error->path, "%s", file->path);
    return ok;
}

bool sw_tetgen_parse(const swMeshFile *node, const swMeshFile *ele, swTetParts *parts,
                     swError *error) {
    snprintf(parts->report.format, sizeof parts->report.format, "TetGen");
    return in_file(node, read_nodes(node, parts, error), error) &&
           in_file(ele, read_tets(ele, parts, error), error);
}

static bool read_node(const swMeshFile *file, swTetParts *parts, swError *error) {
    return read_pair(file, true, parts, error);
}
static bool read_ele(const swMeshFile *file, swTetParts *parts, swError *error) {
    return read_pair(file, false, parts, error);
}

// ---- writing ----

static void write_nodes(const swTetOut *out, swFile *file) {
    const swTetMesh *m = out->mesh;
    sw_file_print(file, "%d 3 0 0\n", m->nvertex);
    for (int i = 0; i < m->nvertex; i++) {
        sw_file_print(file, "%d ", i);
        sw_file_vec3(file, m->X[i]);
    }
}

static void write_tets(const swTetOut *out, swFile *file) {
    const swTetMesh *m = out->mesh;
    const int per = sw_tet_vertices(m->order);
    sw_file_print(file, "%d %d %d\n", m->ntet, per, m->nmaterial > 0);
    sw_tet_notes_write(out, file, "# ", "\n");
    for (int t = 0; t < m->ntet; t++) {
        int v[10];
        for (int k = 0; k < per; k++)
            v[place[k]] = sw_tets_at(m, t)[k];
        sw_file_print(file, "%d", t);
        for (int k = 0; k < per; k++)
            sw_file_print(file, " %d", v[k]);
        if (m->nmaterial > 0)
            sw_file_print(file, " %d", sw_tet_tag(out, t));
        sw_file_print(file, "\n");
    }
}

// The caller has opened one of the two files. This opens and closes the other.
static bool write_pair(const swTetOut *out, bool named_node, swError *error) {
    const char *path = out->file->path, *dot = strrchr(path, '.');
    char name[sizeof out->file->path + 8];
    swFile other;
    snprintf(name, sizeof name, "%.*s%s", (int)(dot - path), path, named_node ? ".ele" : ".node");
    if (!sw_file_open(&other, name, error))
        return false;
    write_nodes(out, named_node ? out->file : &other);
    write_tets(out, named_node ? &other : out->file);
    return sw_file_close(&other, error);
}

static bool write_node(const swTetOut *out, swError *error) { return write_pair(out, true, error); }
static bool write_ele(const swTetOut *out, swError *error) { return write_pair(out, false, error); }

const swTetFormat sw_tets_node = {"TetGen", ".node", false, read_node, write_node};
const swTetFormat sw_tets_ele = {"TetGen", ".ele", false, read_ele, write_ele};
