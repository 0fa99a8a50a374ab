// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// PLY, text and binary in either byte order: x, y and z of the element "vertex", and the list
// vertex_indices (or vertex_index) of the element "face". Everything else is skipped.
#include "formats/mesh_read.h"

#include <string.h>

typedef enum swType { I8, U8, I16, U16, I32, U32, F32, F64, NTYPE } swType;
static const int type_size[] = {1, 1, 2, 2, 4, 4, 4, 8};
static const char *const type_name[2][NTYPE] = {
    {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"},
    {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"}};

typedef enum swRole { SKIP, POSITION_X, POSITION_Y, POSITION_Z, INDICES } swRole;

typedef struct swProperty {
    bool list;
    swType count, type; // `count` is for lists only
    swRole role;
} swProperty;

typedef struct swElement {
    const char *name;
    int nname, line;
    int64_t count;
    int first, nproperty;
    bool vertex, face;
} swElement;

typedef struct swPly {
    swScan s;
    bool text, big;
    SW_LIST(swElement) element;
    SW_LIST(swProperty) property;
    swPolygons g;
    const swElement *now; // the element being read
    int64_t item;
} swPly;

static int line_of(const swPly *ply) { return ply->text ? ply->s.line : 0; }

// ---- header ----

static bool read_type(swScan *s, swType *type, swError *error) {
    const char *word;
    swScan start = *s;
    int n = sw_scan_word(s, &word);
    for (int i = 0; i < 2 * NTYPE; i++)
        if (sw_scan_is(word, n, type_name[i / NTYPE][i % NTYPE])) {
            *type = (swType)(i % NTYPE);
            return true;
        }
    sw_scan_blanks(&start);
    return sw_scan_fail(&start, error, "a type like float or uchar");
}

static bool read_property(swPly *ply, swArena *arena, swError *error) {
    static const char *const axis[] = {"x", "y", "z"};
    if (ply->element.count == 0)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, ply->s.line, 0,
                          "a property before any element");
    swElement *e = &ply->element.item[ply->element.count - 1];
    swProperty *p = SW_PUSH(&ply->property, arena, error);
    if (!p)
        return false;
    e->nproperty++;
    const char *word;
    swScan start = ply->s;
    int n = sw_scan_word(&ply->s, &word);
    p->list = sw_scan_is(word, n, "list");
    if (!p->list)
        ply->s = start;
    if ((p->list && !read_type(&ply->s, &p->count, error)) || !read_type(&ply->s, &p->type, error))
        return false;
    if (p->list && (p->count == F32 || p->count == F64))
        return sw_fail_at(
            error, SW_ERROR_FORMAT, NULL, ply->s.line, 0,
            "the number of items of a list must have an integer type, not float or double");
    n = sw_scan_word(&ply->s, &word);
    for (int k = 0; k < 3; k++)
        if (e->vertex && !p->list && sw_scan_is(word, n, axis[k]))
            p->role = POSITION_X + k;
    if (e->face && p->list &&
        (sw_scan_is(word, n, "vertex_indices") || sw_scan_is(word, n, "vertex_index")))
        p->role = INDICES;
    for (int i = 0; p->role && i + 1 < e->nproperty; i++)
        if (ply->property.item[e->first + i].role == p->role)
            return sw_fail_at(error, SW_ERROR_FORMAT, NULL, ply->s.line, 0,
                              "property %.*s occurs twice in one element", sw_min_int(n, 32), word);
    return true;
}

static bool read_element(swPly *ply, swArena *arena, swError *error) {
    swElement e = {.line = ply->s.line, .first = ply->property.count};
    e.nname = sw_min_int(sw_scan_word(&ply->s, &e.name), 32);
    if (!sw_scan_integer(&ply->s, &e.count, error))
        return false;
    e.vertex = sw_scan_is(e.name, e.nname, "vertex");
    e.face = sw_scan_is(e.name, e.nname, "face");
    if (e.count < 0)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, e.line, 0, "the count is negative");
    if (e.count > 0 && sw_scan_is(e.name, e.nname, "tristrips"))
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, e.line, 0,
                          "triangle strips (element tristrips) cannot be read; save the mesh with "
                          "faces");
    for (int i = 0; i < ply->element.count; i++)
        if ((e.vertex && ply->element.item[i].vertex) || (e.face && ply->element.item[i].face))
            return sw_fail_at(error, SW_ERROR_FORMAT, NULL, e.line, 0, "element %.*s occurs twice",
                              e.nname, e.name);
    swElement *new = SW_PUSH(&ply->element, arena, error);
    if (new)
        *new = e;
    return new != NULL;
}

static bool read_format(swPly *ply, swError *error) {
    const char *word;
    swScan start = ply->s;
    int n = sw_scan_word(&ply->s, &word);
    ply->text = sw_scan_is(word, n, "ascii");
    ply->big = sw_scan_is(word, n, "binary_big_endian");
    if (ply->text || ply->big || sw_scan_is(word, n, "binary_little_endian"))
        return true;
    sw_scan_blanks(&start);
    return sw_scan_fail(&start, error, "ascii, binary_little_endian or binary_big_endian");
}

static bool read_header(swPly *ply, swArena *arena, swError *error) {
    swScan *s = &ply->s;
    const char *word;
    swScan start = *s;
    int n = sw_scan_word(s, &word);
    if (!sw_scan_is(word, n, "ply"))
        return sw_scan_fail(&start, error, "ply");
    sw_scan_next_line(s);
    bool lone = s->at[-1] == '\r'; // lines end in a single CR
    bool format = false;
    while (true) {
        sw_scan_blanks(s);
        start = *s;
        n = sw_scan_word(s, &word);
        if (sw_scan_is(word, n, "end_header"))
            break;
        bool ok = true;
        if (sw_scan_is(word, n, "format"))
            ok = format = read_format(ply, error);
        else if (sw_scan_is(word, n, "element"))
            ok = read_element(ply, arena, error);
        else if (sw_scan_is(word, n, "property"))
            ok = read_property(ply, arena, error);
        else if (!sw_scan_is(word, n, "comment") && !sw_scan_is(word, n, "obj_info") &&
                 (n > 0 || s->at >= s->end))
            return sw_scan_fail(&start, error, "element, property or end_header");
        if (!ok)
            return false;
        sw_scan_next_line(s);
    }
    if (!format)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, s->line, 0, "the header has no format");
    // Skips exactly one line end: the first byte of the body may look like another.
    while (s->at < s->end && *s->at != '\n' && *s->at != '\r')
        s->at++;
    if (s->at < s->end)
        s->at += !lone && s->at[0] == '\r' && s->at[1] == '\n' ? 2 : 1;
    s->line++;
    return true;
}

// ---- body ----

static bool truncated(const swPly *ply, swError *error) {
    return sw_fail_at(error, SW_ERROR_FORMAT, NULL, line_of(ply), 0,
                      "the file ends within item %lld of the %lld items of element %.*s",
                      (long long)ply->item, (long long)ply->now->count, ply->now->nname,
                      ply->now->name);
}

// Reads the next number of the body.
static bool read_value(swPly *ply, swType type, double *value, swError *error) {
    swScan *s = &ply->s;
    if (ply->text) {
        sw_scan_white(s);
        return sw_scan_number(s, value, error);
    }
    int size = type_size[type];
    if (s->end - s->at < size)
        return truncated(ply, error);
    uint64_t bits = type < F32 ? sw_load(s->at, size, ply->big) : 0;
    switch (type) {
    case I8: *value = (int8_t)bits; break;
    case I16: *value = (int16_t)bits; break;
    case I32: *value = (int32_t)bits; break;
    case F32: *value = sw_load_float(s->at, ply->big); break;
    case F64: *value = sw_load_double(s->at, ply->big); break;
    default: *value = (double)bits; break;
    }
    s->at += size;
    return true;
}

// Values that are not used may be anything, including "nan".
static bool skip_values(swPly *ply, swType type, int64_t count, swError *error) {
    swScan *s = &ply->s;
    if (!ply->text) {
        if (count > (s->end - s->at) / type_size[type])
            return truncated(ply, error);
        s->at += count * type_size[type];
        return true;
    }
    for (const char *word; count > 0; count--) {
        sw_scan_white(s);
        if (sw_scan_word(s, &word) == 0)
            return truncated(ply, error);
    }
    return true;
}

static bool read_indices(swPly *ply, const swProperty *p, int64_t count, swArena *arena,
                         swError *error) {
    for (int64_t i = 0; i < count; i++) {
        double v;
        if (!read_value(ply, p->type, &v, error))
            return false;
        if (!(fabs(v) < 1e15) || v != floor(v))
            return sw_fail_at(error, SW_ERROR_FORMAT, NULL, line_of(ply), 0,
                              "face %d refers to vertex %g, which is not a whole number",
                              ply->g.face.count - 1, v);
        if (!sw_polygons_corner(&ply->g, (int64_t)v, arena, error))
            return false;
    }
    return true;
}

// Reads a list, or the single value of a scalar property. Positions are stored in x.
static bool read_values(swPly *ply, const swProperty *p, swVec3 *x, swArena *arena,
                        swError *error) {
    double count = 1, v;
    if (p->list && !read_value(ply, p->count, &count, error))
        return false;
    if (!(count >= 0 && count <= (double)(ply->s.end - ply->s.at)))
        return sw_fail_at(
            error, SW_ERROR_FORMAT, NULL, line_of(ply), 0,
            "item %lld of element %.*s has a list of %g values, but only %lld bytes are left",
            (long long)ply->item, ply->now->nname, ply->now->name, count,
            (long long)(ply->s.end - ply->s.at));
    if (p->role == SKIP)
        return skip_values(ply, p->type, (int64_t)count, error);
    if (p->role == INDICES)
        return sw_polygons_begin(&ply->g, line_of(ply), arena, error) &&
               read_indices(ply, p, (int64_t)count, arena, error);
    if (!read_value(ply, p->type, &v, error))
        return false;
    sw_set(x, (int)p->role - POSITION_X, v);
    return true;
}

static bool read_item(swPly *ply, swArena *arena, swError *error) {
    const swElement *e = ply->now;
    swVec3 x = {0, 0, 0};
    for (int i = 0; i < e->nproperty; i++)
        if (!read_values(ply, &ply->property.item[e->first + i], &x, arena, error))
            return false;
    if (!e->vertex)
        return true;
    if (!sw_finite3(x))
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, line_of(ply), 0,
                          "vertex %lld: a coordinate is not finite", (long long)ply->item);
    swVec3 *new = SW_PUSH(&ply->g.X, arena, error);
    if (new)
        *new = x;
    return new != NULL;
}

static bool check_element(const swPly *ply, const swElement *e, swError *error) {
    int roles = 0;
    int64_t least = 0; // smallest size of one item [bytes]
    for (int i = 0; i < e->nproperty; i++) {
        const swProperty *p = &ply->property.item[e->first + i];
        roles += p->role != SKIP;
        least += ply->text ? 1 : type_size[p->list ? p->count : p->type];
    }
    if (e->vertex && roles != 3)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, e->line, 0,
                          "element vertex needs the properties x, y and z");
    if (e->face && roles != 1)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, e->line, 0,
                          "element face needs the list vertex_indices");
    if (least > 0 && e->count > (ply->s.end - ply->s.at) / least)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, e->line, 0,
                          "%lld items of element %.*s cannot fit in the %lld bytes that follow",
                          (long long)e->count, e->nname, e->name,
                          (long long)(ply->s.end - ply->s.at));
    return true;
}

static bool read_ply(const swMeshFile *file, swArena *arena, swSurface *surface, swError *error) {
    swPly ply = {.g.base = 0};
    if (!sw_scan_open(&ply.s, file, error) || !read_header(&ply, arena, error))
        return false;
    for (int i = 0; i < ply.element.count; i++) {
        const swElement *e = &ply.element.item[i];
        if (!check_element(&ply, e, error))
            return false;
        if (e->vertex)
            ply.g.nvertex = (int)e->count;
    }
    for (int i = 0; i < ply.element.count; i++) {
        ply.now = &ply.element.item[i];
        int64_t count = ply.now->nproperty > 0 ? ply.now->count : 0;
        for (ply.item = 0; ply.item < count; ply.item++)
            if (!read_item(&ply, arena, error))
                return false;
    }
    return sw_polygons_finish(&ply.g, arena, surface, error);
}

static bool write_ply(const swSurface *s, int ngroup, const swMeshGroup *group, swFile *file) {
    (void)ngroup, (void)group;
    sw_file_print(file,
                  "ply\nformat binary_little_endian 1.0\nelement vertex %d\n"
                  "property double x\nproperty double y\nproperty double z\nelement face %d\n"
                  "property list uchar int vertex_indices\nend_header\n",
                  s->nvertex, s->ntriangle);
    char bytes[24];
    for (int i = 0; i < s->nvertex; i++) {
        for (int k = 0; k < 3; k++) {
            double v = sw_get(s->X[i], k);
            uint64_t bits;
            memcpy(&bits, &v, sizeof bits);
            sw_store(bytes + 8 * k, bits, 8);
        }
        sw_file_write(file, bytes, 24);
    }
    bytes[0] = 3;
    for (int t = 0; t < s->ntriangle; t++) {
        for (int k = 0; k < 3; k++)
            sw_store(bytes + 1 + 4 * k, (uint64_t)s->triangle[3 * t + k], 4);
        sw_file_write(file, bytes, 13);
    }
    return true;
}

const swMeshFormat sw_mesh_ply = {"PLY", ".ply", read_ply, write_ply};
