// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Gmsh: 4.1 and 2.2, text and binary, and the text form of 1.0. Materials are the physical groups
// of volumes, or, if there are none but several volumes, the volumes themselves.
#include "formats/tets_read.h"

#include <stdlib.h>
#include <string.h>

typedef struct swVolume {
    int tag, physical;
} swVolume;

typedef struct swMsh {
    swScan s;
    const char *start; // beginning of the file
    int version;       // 10, 22 or 41
    bool binary, big;
    bool nodes, elements;     // whether these sections were seen
    SW_LIST(swVolume) volume; // volumes that have a physical group (4.1)
    SW_LIST(int) entity;      // volume of each tetrahedron
    swTetParts *parts;
} swMsh;

typedef enum swKind { FLAT, TET, SOLID, HIGH, UNKNOWN } swKind;

static const struct swType {
    swKind kind;
    int nodes;
    const char *name;
} types[] = {
    {UNKNOWN, 0, ""},
    {FLAT, 2, "line"},
    {FLAT, 3, "triangle"},
    {FLAT, 4, "quadrangle"},
    {TET, 4, "tetrahedron"},
    {SOLID, 8, "hexahedron"},
    {SOLID, 6, "prism"},
    {SOLID, 5, "pyramid"},
    {FLAT, 3, "line"},
    {FLAT, 6, "triangle"},
    {FLAT, 9, "quadrangle"},
    {TET, 10, "tetrahedron"},
    {SOLID, 27, "hexahedron"},
    {SOLID, 18, "prism"},
    {SOLID, 14, "pyramid"},
    {FLAT, 1, "point"},
    {FLAT, 8, "quadrangle"},
    {SOLID, 20, "hexahedron"},
    {SOLID, 15, "prism"},
    {SOLID, 13, "pyramid"},
    {FLAT, 9, "triangle"},
    {FLAT, 10, "triangle"},
    {FLAT, 12, "triangle"},
    {FLAT, 15, "triangle"},
    {FLAT, 15, "triangle"},
    {FLAT, 21, "triangle"},
    {FLAT, 4, "line"},
    {FLAT, 5, "line"},
    {FLAT, 6, "line"},
    {HIGH, 20, "tetrahedron of order 3"},
    {HIGH, 35, "tetrahedron of order 4"},
    {HIGH, 56, "tetrahedron of order 5"},
};

// ---- values ----

static int line_of(const swMsh *m) { return m->binary ? 0 : m->s.line; }

static bool fail(const swMsh *m, swStatus code, swError *error, const char *format, ...)
    SW_PRINTF(4, 5);
static bool fail(const swMsh *m, swStatus code, swError *error, const char *format, ...) {
    char text[SW_ERROR_MESSAGE - 64];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (m->binary)
        return sw_fail(error, code, "%s (before byte %lld)", text, (long long)(m->s.at - m->start));
    return sw_fail_at(error, code, NULL, m->s.line, 0, "%s", text);
}

// Takes the next bytes of a binary file, or returns NULL.
static const char *take(swMsh *m, int64_t bytes, swError *error) {
    if (m->s.end - m->s.at < bytes) {
        fail(m, SW_ERROR_FORMAT, error, "expected %lld bytes, found the end of the file",
             (long long)bytes);
        return NULL;
    }
    m->s.at += bytes;
    return m->s.at - bytes;
}

// Reads an integer, of 4 or 8 bytes in binary files.
static bool get_int(swMsh *m, int bytes, int64_t *value, swError *error) {
    if (!m->binary)
        return sw_tet_integer(&m->s, value, error);
    const char *p = take(m, bytes, error);
    if (!p)
        return false;
    const uint64_t bits = sw_load(p, bytes, m->big);
    *value = bytes == 4 ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits;
    return true;
}

static bool get_real(swMsh *m, double *value, swError *error) {
    if (!m->binary) {
        sw_scan_white(&m->s);
        return sw_scan_number(&m->s, value, error);
    }
    const char *p = take(m, 8, error);
    if (!p)
        return false;
    *value = sw_load_double(p, m->big);
    return true;
}

// Skips values that are not used.
static bool skip(swMsh *m, int64_t count, int bytes, swError *error) {
    const char *p;
    if (m->binary)
        return (count >= 0 && count <= (m->s.end - m->s.at) / bytes)
                   ? take(m, count * bytes, error) != NULL
                   : fail(m, SW_ERROR_FORMAT, error, "%lld values cannot fit in the bytes left",
                          (long long)count);
    for (; count > 0; count--) {
        sw_scan_white(&m->s);
        if (sw_scan_word(&m->s, &p) == 0)
            return sw_scan_fail(&m->s, error, "a number");
    }
    return true;
}

static bool get_count(swMsh *m, int bytes, int64_t least, const char *what, int64_t *count,
                      swError *error) {
    if (!get_int(m, bytes, count, error))
        return false;
    const int64_t left = m->s.end - m->s.at;
    return (*count >= 0 && *count <= left / least + 1) ||
           fail(m, SW_ERROR_FORMAT, error, "%lld %s cannot fit in the %lld bytes that follow",
                (long long)*count, what, (long long)left);
}

static bool get_vec3(swMsh *m, swVec3 *x, swError *error) {
    return get_real(m, &x->x, error) && get_real(m, &x->y, error) && get_real(m, &x->z, error);
}

// In version 2.2 counts are text even in binary files, followed by one line end.
static bool text_count(swMsh *m, int64_t least, const char *what, int64_t *count, swError *error) {
    const bool binary = m->binary;
    m->binary = false;
    const bool ok = get_count(m, 8, least, what, count, error);
    m->binary = binary;
    if (ok && binary)
        sw_scan_next_line(&m->s);
    return ok;
}

// ---- sections ----

static bool read_format(swMsh *m, swError *error) {
    double version;
    int64_t kind, size;
    sw_scan_white(&m->s);
    if (!sw_scan_number(&m->s, &version, error) || !sw_tet_integer(&m->s, &kind, error) ||
        !sw_tet_integer(&m->s, &size, error))
        return false;
    m->version = version >= 2 && version < 3 ? 22 : version == 4.1 ? 41 : 0;
    if (!m->version)
        return fail(m, SW_ERROR_UNSUPPORTED, error,
                    "version %g of Gmsh's format cannot be read; save the mesh as 4.1 or 2.2",
                    version);
    if (size != 8 || (kind != 0 && kind != 1))
        return fail(m, SW_ERROR_UNSUPPORTED, error,
                    "file type %lld with %lld bytes for a number; expected 0 or 1 with 8",
                    (long long)kind, (long long)size);
    m->binary = kind == 1;
    snprintf(m->parts->report.format, sizeof m->parts->report.format, "Gmsh %g, %s", version,
             m->binary ? "binary" : "text");
    if (!m->binary)
        return true;
    sw_scan_next_line(&m->s);
    const char *one = take(m, 4, error);
    if (!one)
        return false;
    m->big = sw_load(one, 4, true) == 1;
    return m->big || sw_load(one, 4, false) == 1 ||
           fail(m, SW_ERROR_FORMAT, error, "expected the number 1, which indicates the byte order");
}

static bool read_names(swMsh *m, swError *error) {
    swScan *s = &m->s;
    int64_t count, dimension, tag;
    sw_scan_white(s);
    if (!sw_scan_integer(s, &count, error) || !sw_tet_count_fits(s, count, 6, "names", error))
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (!sw_tet_integer(s, &dimension, error) || !sw_tet_integer(s, &tag, error))
            return false;
        sw_scan_blanks(s);
        if (s->at >= s->end || *s->at != '"')
            return sw_scan_fail(s, error, "a name in quotes");
        const char *name = ++s->at;
        while (s->at < s->end && *s->at != '"' && *s->at != '\n')
            s->at++;
        if (s->at >= s->end || *s->at != '"')
            return sw_scan_fail(s, error, "the closing quote of a name");
        const size_t length = (size_t)(s->at++ - name);
        if (dimension != 3 || tag < -INT32_MAX || tag > INT32_MAX)
            continue;
        swTetMaterial *material = sw_tet_parts_material(m->parts, (int)tag, error);
        if (!material || !(material->name = sw_arena_text(m->parts->arena, name, length, error)))
            return false;
    }
    return true;
}

static int by_tag(const void *a, const void *b) {
    const int x = ((const swVolume *)a)->tag, y = ((const swVolume *)b)->tag;
    return (x > y) - (x < y);
}

// Reads points, curves, surfaces and volumes. For volumes the first physical group is kept.
static bool read_entities(swMsh *m, swError *error) {
    int64_t count[4], tag, nphysical, physical, nbound;
    for (int d = 0; d < 4; d++)
        if (!get_count(m, 8, 4, "entities", &count[d], error))
            return false;
    for (int d = 0; d < 4; d++)
        for (int64_t i = 0; i < count[d]; i++) {
            if (!get_int(m, 4, &tag, error) || !skip(m, d == 0 ? 3 : 6, 8, error) ||
                !get_count(m, 8, 1, "physical groups", &nphysical, error))
                return false;
            if (nphysical > 0 && !get_int(m, 4, &physical, error))
                return false;
            if (!skip(m, nphysical > 0 ? nphysical - 1 : 0, 4, error))
                return false;
            if (d > 0 && (!get_count(m, 8, 1, "bounding entities", &nbound, error) ||
                          !skip(m, nbound, 4, error)))
                return false;
            if (d < 3 || nphysical == 0)
                continue;
            swVolume *volume = SW_PUSH(&m->volume, m->parts->arena, error);
            if (!volume)
                return false;
            *volume = (swVolume){(int)tag, (int)physical};
        }
    if (m->volume.count)
        qsort(m->volume.item, (size_t)m->volume.count, sizeof(swVolume), by_tag);
    return true;
}

static int physical_of(const swMsh *m, int64_t tag) {
    const swVolume key = {.tag = (int)tag};
    const swVolume *found =
        m->volume.count ? bsearch(&key, m->volume.item, (size_t)m->volume.count, sizeof key, by_tag)
                        : NULL;
    return found ? found->physical : 0;
}

static bool read_nodes_old(swMsh *m, swError *error) {
    int64_t count, number;
    swVec3 x;
    if (!text_count(m, m->binary ? 28 : 8, "nodes", &count, error))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (!get_int(m, 4, &number, error) || !get_vec3(m, &x, error) ||
            !sw_tet_parts_vertex(m->parts, number, x, error))
            return false;
    return true;
}

static bool read_nodes(swMsh *m, swError *error) {
    int64_t nblock, total, dimension, parametric, count;
    if (!get_count(m, 8, 4, "blocks of nodes", &nblock, error) ||
        !get_count(m, 8, m->binary ? 32 : 8, "nodes", &total, error) || !skip(m, 2, 8, error))
        return false;
    for (int64_t block = 0; block < nblock; block++) {
        if (!get_int(m, 4, &dimension, error) || !skip(m, 1, 4, error) ||
            !get_int(m, 4, &parametric, error) ||
            !get_count(m, 8, m->binary ? 32 : 8, "nodes", &count, error))
            return false;
        const int first = m->parts->X.count;
        for (int64_t i = 0; i < count; i++) {
            int64_t number;
            if (!get_int(m, 8, &number, error) ||
                !sw_tet_parts_vertex(m->parts, number, sw_v3(0, 0, 0), error))
                return false;
        }
        for (int64_t i = 0; i < count; i++)
            if (!get_vec3(m, &m->parts->X.item[first + i], error) ||
                (parametric && !skip(m, dimension < 3 ? dimension : 3, 8, error)))
                return false;
    }
    return m->parts->X.count == total ||
           fail(m, SW_ERROR_FORMAT, error, "expected %lld nodes in the blocks, found %d",
                (long long)total, m->parts->X.count);
}

// Keeps a tetrahedron and counts elements of lower dimension; check_type() has refused all others.
static bool read_element(swMsh *m, int64_t type, int bytes, int64_t physical, int64_t entity,
                         swError *error) {
    const struct swType *t = &types[type];
    swTetParts *parts = m->parts;
    if (t->kind == FLAT) {
        parts->report.skipped++;
        return skip(m, t->nodes, bytes, error);
    }
    int64_t node[10];
    const int line = line_of(m);
    for (int k = 0; k < t->nodes; k++)
        if (!get_int(m, bytes, &node[k], error))
            return false;
    if (t->nodes == 10) { // Gmsh has edge 23 before edge 13
        const int64_t last = node[9];
        node[9] = node[8];
        node[8] = last;
    }
    int *to = SW_PUSH(&m->entity, parts->arena, error);
    if (!to || !sw_tet_parts_tet(parts, t->nodes == 4 ? 1 : 2, node, physical, line, error))
        return false;
    *to = (int)entity;
    return true;
}

static bool check_type(const swMsh *m, int64_t type, swError *error) {
    const swKind kind = type > 0 && type < SW_COUNT(types) ? types[type].kind : UNKNOWN;
    if (kind == FLAT || kind == TET)
        return true;
    if (kind == HIGH)
        return fail(m, SW_ERROR_UNSUPPORTED, error,
                    "an element is a %s (Gmsh's type %lld); save the mesh with order 1 or 2",
                    types[type].name, (long long)type);
    return fail(m, SW_ERROR_UNSUPPORTED, error,
                "an element is a %s (Gmsh's type %lld); expected only tetrahedra",
                kind == SOLID ? types[type].name : "shape of unknown kind", (long long)type);
}

static bool read_elements(swMsh *m, swError *error) {
    int64_t nblock, total, dimension, entity, type, count, seen = 0;
    const int64_t least = m->binary ? 16 : 4;
    if (!get_count(m, 8, 4, "blocks of elements", &nblock, error) ||
        !get_count(m, 8, least, "elements", &total, error) || !skip(m, 2, 8, error))
        return false;
    for (int64_t block = 0; block < nblock; block++) {
        if (!get_int(m, 4, &dimension, error) || !get_int(m, 4, &entity, error) ||
            !get_int(m, 4, &type, error) || !check_type(m, type, error) ||
            !get_count(m, 8, least, "elements", &count, error))
            return false;
        const int physical = dimension == 3 ? physical_of(m, entity) : 0;
        for (int64_t i = 0; i < count; i++, seen++)
            if (!skip(m, 1, 8, error) || !read_element(m, type, 8, physical, entity, error))
                return false;
    }
    return seen == total ||
           fail(m, SW_ERROR_FORMAT, error, "expected %lld elements in the blocks, found %lld",
                (long long)total, (long long)seen);
}

// The element number comes before the type in text files, and after the header of a block in binary
// files.
static bool read_elements_old(swMsh *m, swError *error) {
    int64_t total, type = 0, count = 1, ntag = 2, tag[2], nnode;
    if (!text_count(m, m->binary ? 12 : 4, "elements", &total, error))
        return false;
    for (int64_t i = 0; i < total;) {
        if ((!m->binary && !skip(m, 1, 4, error)) || !get_int(m, 4, &type, error) ||
            !check_type(m, type, error) || (m->binary && !get_int(m, 4, &count, error)) ||
            (m->version > 10 && !get_int(m, 4, &ntag, error)))
            return false;
        if (count < 1 || count > total - i || ntag < 0)
            return fail(m, SW_ERROR_FORMAT, error,
                        "a block of %lld elements with %lld tags; %lld elements are left",
                        (long long)count, (long long)ntag, (long long)(total - i));
        for (int64_t k = 0; k < count; k++, i++) {
            tag[0] = tag[1] = 0;
            if (m->binary && !skip(m, 1, 4, error))
                return false;
            for (int j = 0; j < 2 && j < ntag; j++)
                if (!get_int(m, 4, &tag[j], error))
                    return false;
            if (!skip(m, ntag > 2 ? ntag - 2 : 0, 4, error))
                return false;
            if (m->version == 10 && (!get_int(m, 4, &nnode, error) || nnode != types[type].nodes))
                return fail(m, SW_ERROR_FORMAT, error, "expected an element with %d nodes",
                            types[type].nodes);
            if (!read_element(m, type, 4, tag[0], tag[1], error))
                return false;
        }
    }
    return true;
}

// ---- the file ----

static bool is(const char *name, int n, const char *a, const char *b) {
    return sw_scan_is(name, n, a) || sw_scan_is(name, n, b);
}

static bool read_section(swMsh *m, const char *name, int n, swError *error) {
    const bool old = m->version != 41;
    if (is(name, n, "Nodes", "NOD")) {
        if (m->nodes)
            return fail(m, SW_ERROR_FORMAT, error, "a second section of nodes");
        m->nodes = true;
        return old ? read_nodes_old(m, error) : read_nodes(m, error);
    }
    if (is(name, n, "Elements", "ELM")) {
        if (m->elements)
            return fail(m, SW_ERROR_FORMAT, error, "a second section of elements");
        m->elements = true;
        return old ? read_elements_old(m, error) : read_elements(m, error);
    }
    if (sw_scan_is(name, n, "PhysicalNames"))
        return read_names(m, error);
    if (sw_scan_is(name, n, "Entities") && !old)
        return read_entities(m, error);
    return true;
}

// Skips to the end of the current section, ignoring whatever else it contains.
static bool end_section(swMsh *m, const char *name, int n, swError *error) {
    for (const char *p = m->s.at;; p++) {
        p = memchr(p, '$', (size_t)(m->s.end - p));
        if (!p)
            break;
        const char *word = p + 1;
        if (m->s.end - word < n + 3 || !sw_scan_is(word, 3, "End") ||
            memcmp(word + 3, name, (size_t)n) != 0)
            continue;
        while (m->s.at < word + 3 + n) {
            m->s.line += *m->s.at == '\n';
            m->s.at++;
        }
        return true;
    }
    return fail(m, SW_ERROR_FORMAT, error, "expected $End%.*s, found the end of the file",
                sw_min_int(n, 32), name);
}

// Uses volumes as materials if nothing else gives them.
static void use_entities(swMsh *m) {
    const int n = m->parts->tet.count;
    bool several = false;
    for (int t = 0; t < n; t++) {
        if (m->parts->tet.item[t].tag != 0)
            return;
        several = several || m->entity.item[t] != m->entity.item[0];
    }
    for (int t = 0; several && t < n; t++)
        m->parts->tet.item[t].tag = m->entity.item[t];
}

static bool read_msh(const swMeshFile *file, swTetParts *parts, swError *error) {
    swMsh m = {.start = file->data, .parts = parts};
    if (!sw_scan_open(&m.s, file, error))
        return false;
    for (sw_scan_white(&m.s); m.s.at < m.s.end; sw_scan_white(&m.s)) {
        if (*m.s.at != '$')
            return m.version ? fail(&m, SW_ERROR_FORMAT, error, "expected a section like $Nodes")
                             : sw_scan_fail(&m.s, error, "$MeshFormat");
        const char *name;
        m.s.at++;
        const int n = sw_scan_word(&m.s, &name);
        const bool first = m.version == 0, ancient = sw_scan_is(name, n, "NOD");
        if (first && ancient) {
            m.version = 10;
            snprintf(parts->report.format, sizeof parts->report.format, "Gmsh 1.0, text");
        } else if (first && sw_scan_is(name, n, "MeshFormat")) {
            if (!read_format(&m, error) || !end_section(&m, name, n, error))
                return false;
            continue;
        }
        if (!m.version && !sw_scan_is(name, n, "Comments"))
            return fail(&m, SW_ERROR_FORMAT, error, "expected $MeshFormat before $%.*s",
                        sw_min_int(n, 32), name);
        if (m.version && m.binary)
            sw_scan_next_line(&m.s);
        if ((m.version && !read_section(&m, name, n, error)) || !end_section(&m, name, n, error))
            return false;
    }
    if (!m.nodes || !m.elements)
        return sw_fail(error, SW_ERROR_FORMAT, "the file has no section $%s",
                       m.nodes ? "Elements" : "Nodes");
    use_entities(&m);
    return true;
}

const swTetFormat sw_tets_msh = {"Gmsh", ".msh", false, read_msh, sw_tets_write_msh};
