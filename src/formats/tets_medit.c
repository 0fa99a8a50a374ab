// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Medit's .mesh in text form: keywords, each followed by a count and that many items. References of
// tetrahedra are materials. Sections that are not used are skipped.
#include "formats/tets_read.h"

#include <ctype.h>
#include <string.h>

static bool read_count(swScan *s, int64_t least, const char *what, int64_t *count, swError *error) {
    return sw_tet_integer(s, count, error) && sw_tet_count_fits(s, *count, least, what, error);
}

static bool read_vertices(swScan *s, swTetParts *parts, swError *error) {
    int64_t count, reference;
    swVec3 x;
    if (parts->X.count > 0)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, s->line, 0, "a second Vertices section");
    if (!read_count(s, 8, "vertices", &count, error))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (!sw_tet_vec3(s, &x, error) || !sw_tet_integer(s, &reference, error) ||
            !sw_tet_parts_vertex(parts, i + 1, x, error))
            return false;
    return true;
}

static bool read_tets(swScan *s, int order, swTetParts *parts, swError *error) {
    const int per = sw_tet_vertices(order);
    int64_t count, v[10], reference;
    if (!read_count(s, 2 * per + 2, "tetrahedra", &count, error))
        return false;
    for (int64_t i = 0; i < count; i++) {
        for (int k = 0; k < per; k++)
            if (!sw_tet_integer(s, &v[k], error))
                return false;
        const int line = s->line;
        if (!sw_tet_integer(s, &reference, error) ||
            !sw_tet_parts_tet(parts, order, v, reference, line, error))
            return false;
    }
    return true;
}

static bool is_any(const char *word, int n, int count, const char *const *names) {
    for (int i = 0; i < count; i++)
        if (sw_scan_is(word, n, names[i]))
            return true;
    return false;
}

// Skips numbers up to the next keyword.
static void skip_numbers(swScan *s) {
    const char *word;
    for (sw_scan_white(s); s->at < s->end && !isalpha((unsigned char)*s->at); sw_scan_white(s))
        if (sw_scan_word(s, &word) == 0)
            s->at++; // a byte that is not text
}

static bool read_section(swScan *s, const char *word, int n, swTetParts *parts, swError *error) {
    static const char *const flat[] = {"Edges",       "EdgesP2",        "Triangles",
                                       "TrianglesP2", "Quadrilaterals", "QuadrilateralsQ2"};
    static const char *const solid[] = {"Hexahedra",    "Hexaedra", "HexahedraQ2", "Prisms",
                                        "PrismsP2",     "Pyramids", "PyramidsP2",  "TetrahedraP3",
                                        "TetrahedraP4", "Penta6",   "Pentahedra"};
    const int line = s->line;
    int64_t count;
    if (sw_scan_is(word, n, "Vertices"))
        return read_vertices(s, parts, error);
    if (sw_scan_is(word, n, "Tetrahedra"))
        return read_tets(s, 1, parts, error);
    if (sw_scan_is(word, n, "TetrahedraP2"))
        return read_tets(s, 2, parts, error);
    if (sw_scan_is(word, n, "Dimension")) {
        if (!sw_tet_integer(s, &count, error))
            return false;
        return count == 3 || sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, line, 0,
                                        "Dimension %lld; expected 3", (long long)count);
    }
    if (is_any(word, n, SW_COUNT(solid), solid)) {
        if (!sw_tet_integer(s, &count, error))
            return false;
        if (count > 0)
            return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, line, 0,
                              "%lld %.*s; expected only tetrahedra of order 1 or 2",
                              (long long)count, n, word);
    } else if (is_any(word, n, SW_COUNT(flat), flat)) {
        if (!read_count(s, 4, "elements", &count, error))
            return false;
        parts->report.skipped += count;
    }
    skip_numbers(s);
    return true;
}

static bool read_medit(const swMeshFile *file, swTetParts *parts, swError *error) {
    swScan s;
    const char *word;
    if (!sw_scan_open(&s, file, error))
        return false;
    snprintf(parts->report.format, sizeof parts->report.format, "Medit, text");
    sw_scan_white(&s);
    swScan start = s;
    int n = sw_scan_word(&s, &word);
    if (!sw_scan_is(word, n, "MeshVersionFormatted"))
        return sw_scan_fail(&start, error, "MeshVersionFormatted");
    skip_numbers(&s);
    while (s.at < s.end) {
        start = s;
        n = sw_scan_word(&s, &word);
        if (sw_scan_is(word, n, "End"))
            break;
        if (!isalpha((unsigned char)*word))
            return sw_scan_fail(&start, error, "a keyword like Tetrahedra");
        if (!read_section(&s, word, n, parts, error))
            return false;
        sw_scan_white(&s);
    }
    return true;
}

static bool write_medit(const swTetOut *out, swError *error) {
    (void)error; // the format can represent any mesh
    const swTetMesh *m = out->mesh;
    const int per = sw_tet_vertices(m->order);
    sw_file_print(out->file, "MeshVersionFormatted 2\nDimension 3\n");
    sw_tet_notes_write(out, out->file, "# ", "\n");
    sw_file_print(out->file, "Vertices\n%d\n", m->nvertex);
    for (int i = 0; i < m->nvertex; i++) {
        for (int k = 0; k < 3; k++) {
            sw_file_number(out->file, sw_get(m->X[i], k));
            sw_file_print(out->file, " ");
        }
        sw_file_print(out->file, "0\n");
    }
    sw_file_print(out->file, "%s\n%d\n", m->order == 1 ? "Tetrahedra" : "TetrahedraP2", m->ntet);
    for (int t = 0; t < m->ntet; t++) {
        for (int k = 0; k < per; k++)
            sw_file_print(out->file, "%d ", sw_tets_at(m, t)[k] + 1);
        sw_file_print(out->file, "%d\n", sw_tet_tag(out, t));
    }
    sw_file_print(out->file, "End\n");
    return true;
}

const swTetFormat sw_tets_medit = {"Medit", ".mesh", false, read_medit, write_medit};
