// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// NRRD: a text header, then the voxels, in this or another file.
#include "formats/image_read.h"

#include <string.h>
#include <strings.h>

enum { AXES = 16, SPACE = 4 };
typedef enum swEncoding { NO_ENCODING, RAW, GZIP, TEXT } swEncoding;

typedef struct swNrrd {
    int stored; // -1: not given
    swEncoding encoding;
    enum { NO_ENDIAN, LITTLE, BIG } endian;
    int dimension, nsize, nspacing, nkind, nunit, ndirection; // 0: not given
    double size[AXES], spacing[AXES];
    bool scalar[AXES];      // whether its kind can be a spatial axis
    swReal axis_unit[AXES]; // in metres; 0: unknown
    int components;         // number of components of spatial vectors
    swReal direction[AXES][SPACE], origin[SPACE];
    bool none[AXES]; // not a spatial axis
    int norigin, nspace_unit;
    swReal space_unit[AXES];
    swVec3 sign; // converts to right-anterior-superior
    bool medical;
    double line_skip, byte_skip;
    const char *file; // NULL: the voxels follow
    int nfile;
} swNrrd;

// ---- fields ----

static bool read_type(const swKeyLine *line, swNrrd *h, swError *error) {
    static const struct {
        const char *name;
        int stored;
    } types[] = {
        {"uchar", SW_IMAGE_U8},
        {"unsigned char", SW_IMAGE_U8},
        {"uint8", SW_IMAGE_U8},
        {"uint8_t", SW_IMAGE_U8},
        {"signed char", SW_IMAGE_I8},
        {"int8", SW_IMAGE_I8},
        {"int8_t", SW_IMAGE_I8},
        {"ushort", SW_IMAGE_U16},
        {"unsigned short", SW_IMAGE_U16},
        {"unsigned short int", SW_IMAGE_U16},
        {"uint16", SW_IMAGE_U16},
        {"uint16_t", SW_IMAGE_U16},
        {"short", SW_IMAGE_I16},
        {"short int", SW_IMAGE_I16},
        {"signed short", SW_IMAGE_I16},
        {"signed short int", SW_IMAGE_I16},
        {"int16", SW_IMAGE_I16},
        {"int16_t", SW_IMAGE_I16},
        {"uint", SW_IMAGE_U32},
        {"unsigned int", SW_IMAGE_U32},
        {"uint32", SW_IMAGE_U32},
        {"uint32_t", SW_IMAGE_U32},
        {"int", SW_IMAGE_I32},
        {"signed int", SW_IMAGE_I32},
        {"int32", SW_IMAGE_I32},
        {"int32_t", SW_IMAGE_I32},
        {"float", SW_IMAGE_F32},
        {"double", SW_IMAGE_F64},
        {"longlong", SW_STORED_I64},
        {"long long", SW_STORED_I64},
        {"long long int", SW_STORED_I64},
        {"signed long long", SW_STORED_I64},
        {"signed long long int", SW_STORED_I64},
        {"int64", SW_STORED_I64},
        {"int64_t", SW_STORED_I64},
        {"ulonglong", SW_STORED_U64},
        {"unsigned long long", SW_STORED_U64},
        {"unsigned long long int", SW_STORED_U64},
        {"uint64", SW_STORED_U64},
        {"uint64_t", SW_STORED_U64},
    };
    for (int i = 0; i < SW_COUNT(types); i++)
        if (sw_key_has(line, types[i].name)) {
            h->stored = types[i].stored;
            return true;
        }
    return sw_key_refuse(line, "a numeric type, such as uchar, short, int, float or double",
                         SW_ERROR_UNSUPPORTED, error);
}

static bool read_encoding(const swKeyLine *line, swNrrd *h, swError *error) {
    if (sw_key_has(line, "raw"))
        h->encoding = RAW;
    else if (sw_key_has(line, "gzip") || sw_key_has(line, "gz"))
        h->encoding = GZIP;
    else if (sw_key_has(line, "text") || sw_key_has(line, "txt") || sw_key_has(line, "ascii"))
        h->encoding = TEXT;
    else
        return sw_key_refuse(line, "raw, gzip or text, the supported encodings",
                             SW_ERROR_UNSUPPORTED, error);
    return true;
}

static bool read_endian(const swKeyLine *line, swNrrd *h, swError *error) {
    h->endian = sw_key_has(line, "little") ? LITTLE : sw_key_has(line, "big") ? BIG : NO_ENDIAN;
    return h->endian || sw_key_refuse(line, "little or big", SW_ERROR_FORMAT, error);
}

static bool read_dimension(const swKeyLine *line, swNrrd *h, swError *error) {
    double v;
    int n;
    if (!sw_key_numbers(line, 1, &v, &n, error))
        return false;
    if (!(v >= 1 && v <= AXES && v == floor(v)))
        return sw_key_refuse(line, "a whole number from 1 to 16", SW_ERROR_FORMAT, error);
    h->dimension = (int)v;
    return true;
}

static bool read_space(const swKeyLine *line, swNrrd *h, swError *error) {
    static const struct {
        const char *name, *abbreviation;
        swVec3 sign;
        bool medical;
    } spaces[] = {
        {"right-anterior-superior", "RAS", {1, 1, 1}, true},
        {"left-anterior-superior", "LAS", {-1, 1, 1}, true},
        {"left-posterior-superior", "LPS", {-1, -1, 1}, true},
        {"scanner-xyz", "scanner-xyz", {1, 1, 1}, true},
        {"3D-right-handed", "3DR", {1, 1, 1}, false},
        {"3D-left-handed", "3DL", {1, 1, -1}, false},
    };
    for (int i = 0; i < SW_COUNT(spaces); i++)
        for (int time = 0; time < 2; time++) {
            char name[40], abbreviation[40];
            snprintf(name, sizeof name, "%s%s", spaces[i].name, time ? "-time" : "");
            snprintf(abbreviation, sizeof abbreviation, "%s%s", spaces[i].abbreviation,
                     time ? "T" : "");
            if (!sw_key_has(line, name) && !sw_key_has(line, abbreviation))
                continue;
            h->components = 3 + time;
            h->sign = spaces[i].sign;
            h->medical = spaces[i].medical;
            return true;
        }
    return sw_key_refuse(line, "a space such as right-anterior-superior or LPS", SW_ERROR_FORMAT,
                         error);
}

static bool read_space_dimension(const swKeyLine *line, swNrrd *h, swError *error) {
    double v;
    int n;
    if (!sw_key_numbers(line, 1, &v, &n, error))
        return false;
    if (v != 2 && v != 3 && v != 4)
        return sw_key_refuse(line, "2, 3 or 4", SW_ERROR_UNSUPPORTED, error);
    h->components = (int)v;
    return true;
}

// Reads "(x,y,z)" at *at, not past `end`. The number of components must agree with the header.
static bool read_vector(const swKeyLine *line, const char **at, swNrrd *h, swReal *x,
                        swError *error) {
    const char *p = *at, *end = line->value.end;
    int n = 0;
    for (p++; **at == '(' && n < SPACE; p++) {
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        p = sw_text_number(p, end, &x[n]);
        if (!p)
            break;
        n++;
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        if (p >= end || *p != ',')
            break;
    }
    if (!p || p >= end || *p != ')' || n < 2 || (h->components && n != h->components))
        return sw_key_refuse(line,
                             "vectors (x,y,z) with one number for each dimension of the space",
                             SW_ERROR_FORMAT, error);
    h->components = n;
    for (*at = p + 1; *at < end && (**at == ' ' || **at == '\t');)
        ++*at;
    return true;
}

static bool read_directions(const swKeyLine *line, swNrrd *h, swError *error) {
    const char *p = line->value.at, *end = line->value.end;
    for (h->ndirection = 0; p < end && h->ndirection < AXES; h->ndirection++) {
        h->none[h->ndirection] = end - p >= 4 && strncasecmp(p, "none", 4) == 0;
        if (h->none[h->ndirection])
            for (p += 4; p < end && (*p == ' ' || *p == '\t'); p++)
                ;
        else if (!read_vector(line, &p, h, h->direction[h->ndirection], error))
            return false;
    }
    return true;
}

static bool read_origin(const swKeyLine *line, swNrrd *h, swError *error) {
    const char *p = line->value.at;
    h->norigin = 1;
    return read_vector(line, &p, h, h->origin, error);
}

// Reads units such as "mm" "mm" "mm".
static void read_units(const swKeyLine *line, swReal *unit, int *count) {
    const char *p = line->value.at, *end = line->value.end;
    for (*count = 0; *count < AXES; ++*count) {
        const char *from = memchr(p, '"', (size_t)(end - p));
        const char *to = from ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;
        if (!to)
            return;
        unit[*count] = sw_unit_named(from + 1, (int)(to - from - 1));
        p = to + 1;
    }
}

static void read_kinds(const swKeyLine *line, swNrrd *h) {
    static const char *const scalars[] = {"domain", "space", "???", "none"};
    swScan s = line->value;
    const char *word;
    int n;
    for (h->nkind = 0; h->nkind < AXES && (n = sw_scan_word(&s, &word)) > 0; h->nkind++)
        for (int i = 0; i < SW_COUNT(scalars); i++)
            h->scalar[h->nkind] = h->scalar[h->nkind] || sw_scan_is(word, n, scalars[i]);
}

static bool read_skip(const swKeyLine *line, double least, double *skip, swError *error) {
    int n;
    if (!sw_key_numbers(line, 1, skip, &n, error))
        return false;
    return (*skip >= least && *skip < 0x1p53 && *skip == floor(*skip)) ||
           sw_key_refuse(line, "a whole number", SW_ERROR_FORMAT, error);
}

static bool read_field(const swKeyLine *line, swNrrd *h, swError *error) {
    if (sw_key_is(line, "type"))
        return read_type(line, h, error);
    if (sw_key_is(line, "encoding"))
        return read_encoding(line, h, error);
    if (sw_key_is(line, "endian"))
        return read_endian(line, h, error);
    if (sw_key_is(line, "dimension"))
        return read_dimension(line, h, error);
    if (sw_key_is(line, "sizes"))
        return sw_key_numbers(line, AXES, h->size, &h->nsize, error);
    if (sw_key_is(line, "spacings"))
        return sw_key_numbers(line, AXES, h->spacing, &h->nspacing, error);
    if (sw_key_is(line, "space"))
        return read_space(line, h, error);
    if (sw_key_is(line, "space dimension"))
        return read_space_dimension(line, h, error);
    if (sw_key_is(line, "space directions"))
        return read_directions(line, h, error);
    if (sw_key_is(line, "space origin"))
        return read_origin(line, h, error);
    if (sw_key_is(line, "line skip") || sw_key_is(line, "lineskip"))
        return read_skip(line, 0, &h->line_skip, error);
    if (sw_key_is(line, "byte skip") || sw_key_is(line, "byteskip"))
        return read_skip(line, -1, &h->byte_skip, error);
    if (sw_key_is(line, "data file") || sw_key_is(line, "datafile"))
        return sw_key_file(line, &h->file, &h->nfile, error);
    if (sw_key_is(line, "space units"))
        read_units(line, h->space_unit, &h->nspace_unit);
    else if (sw_key_is(line, "units"))
        read_units(line, h->axis_unit, &h->nunit);
    else if (sw_key_is(line, "kinds"))
        read_kinds(line, h);
    return true; // other fields do not matter here
}

static bool read_header(swScan *s, swNrrd *h, swError *error) {
    swKeyLine line = sw_header_line(s, ':');
    if (line.nkey != 8 || memcmp(line.key, "NRRD000", 7) != 0)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, 1, 0,
                          "not an NRRD file: expected it to begin with NRRD000 and a digit");
    bool ended = false;
    while (s->at < s->end && !ended) {
        line = sw_header_line(s, ':');
        bool pair = line.value.at < line.value.end && line.value.at[-1] == ':' &&
                    line.value.at[0] == '='; // key:=value
        ended = line.nkey == 0 && line.value.at == line.value.end;
        if (!pair && !(line.nkey > 0 && line.key[0] == '#') && !read_field(&line, h, error))
            return false;
    }
    if (!ended && !h->file)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, s->line, 0,
                          "the header does not end: expected an empty line before the voxels");
    const char *missing = h->stored < 0                ? "type"
                          : h->dimension == 0          ? "dimension"
                          : h->nsize == 0              ? "sizes"
                          : h->encoding == NO_ENCODING ? "encoding"
                                                       : NULL;
    return !missing || sw_fail(error, SW_ERROR_FORMAT, "the header has no '%s'", missing);
}

// ---- what the fields mean ----

// Removes the first axis.
static void drop_first(swNrrd *h) {
    int n = --h->dimension;
    memmove(h->size, h->size + 1, (size_t)n * sizeof *h->size);
    memmove(h->spacing, h->spacing + 1, (size_t)n * sizeof *h->spacing);
    memmove(h->scalar, h->scalar + 1, (size_t)n * sizeof *h->scalar);
    memmove(h->axis_unit, h->axis_unit + 1, (size_t)n * sizeof *h->axis_unit);
    memmove(h->direction, h->direction + 1, (size_t)n * sizeof *h->direction);
    memmove(h->none, h->none + 1, (size_t)n * sizeof *h->none);
}

// Checks the lengths of the per-axis lists, and leaves two or three axes.
static bool take_axes(swNrrd *h, swError *error) {
    const struct {
        const char *name;
        int count;
    } lists[] = {{"sizes", h->nsize},
                 {"spacings", h->nspacing},
                 {"kinds", h->nkind},
                 {"units", h->nunit},
                 {"space directions", h->ndirection}};
    int given = h->dimension;
    for (int i = 0; i < SW_COUNT(lists); i++)
        if (lists[i].count && lists[i].count != given)
            return sw_fail(error, SW_ERROR_FORMAT, "%s has %d entries; the dimension is %d",
                           lists[i].name, lists[i].count, given);
    while (h->dimension > 1) {
        int last = h->dimension - 1;
        if (h->size[0] == 1 && (h->dimension > 3 || h->none[0]))
            drop_first(h);
        else if (h->size[last] == 1 && (h->dimension > 3 || h->none[last]))
            h->dimension = last;
        else
            break;
    }
    if (h->dimension != 2 && h->dimension != 3)
        return sw_fail(
            error, SW_ERROR_UNSUPPORTED,
            "the image has %d dimensions; expected 2 or 3, and any others to be of size 1", given);
    for (int k = 0; k < h->dimension; k++)
        if (h->none[k] || (h->nkind && !h->scalar[k]))
            return sw_fail(
                error, SW_ERROR_UNSUPPORTED,
                "axis %d, of size %g, is not a spatial direction; expected one number per voxel",
                k + 1, h->size[k]);
    return true;
}

// The units of the axes are used if the space has none.
static bool take_unit(const swNrrd *h, swImage *image, swError *error) {
    const swReal *unit = h->nspace_unit ? h->space_unit : h->axis_unit;
    int count = h->nspace_unit ? sw_min_int(h->nspace_unit, 3) : h->nunit ? h->dimension : 0;
    if (h->medical && !h->nspace_unit) {
        image->unit = 1e-3;
        return true;
    }
    for (int k = 0; k < count; k++)
        if (unit[k] != unit[0])
            return sw_fail(error, SW_ERROR_UNSUPPORTED, "the axes have different units of length");
    image->unit = count > 0 ? unit[0] : 0;
    return true;
}

// Converts a vector of the file to right-anterior-superior space.
static swVec3 turned(const swNrrd *h, const swReal *v) {
    return sw_v3(h->sign.x * v[0], h->sign.y * v[1], h->components > 2 ? h->sign.z * v[2] : 0);
}

static bool take_place(const swNrrd *h, swImage *image, swError *error) {
    swVec3 *axis = image->axis;
    for (int k = 0; k < h->dimension; k++) {
        if (!sw_voxels_size(image, k, h->size[k], error))
            return false;
        // A spacing of "nan" means unknown.
        swReal step[3] = {0};
        step[k] = h->nspacing && !isnan(h->spacing[k]) ? h->spacing[k] : 1;
        axis[k] = h->ndirection
                      ? turned(h, h->direction[k])
                      : sw_v3(h->sign.x * step[0], h->sign.y * step[1], h->sign.z * step[2]);
    }
    if (h->norigin)
        image->origin = turned(h, h->origin);
    image->flat = h->dimension == 2;
    if (!image->flat)
        return true;
    if (!h->ndirection) { // a picture
        axis[0].x = fabs(axis[0].x);
        axis[1].y = -fabs(axis[1].y);
        image->origin = sw_v3(0.5 * axis[0].x, (0.5 - image->n[1]) * axis[1].y, 0.5);
    } else if (h->components == 2)
        image->origin.z = 0.5;
    else
        axis[2] = sw_unit(sw_cross(axis[0], axis[1]));
    return true;
}

// ---- voxels ----

static bool skip_lines(swInput *in, double lines, swError *error) {
    for (double i = 0; i < lines; i++) {
        const char *end = memchr(in->at, '\n', in->left);
        if (!end)
            return sw_fail_at(error, SW_ERROR_FORMAT, in->path, 0, 0,
                              "line skip is %.0f, but there are %.0f lines", lines, i);
        in->left -= (size_t)(end + 1 - in->at);
        in->at = end + 1;
    }
    return true;
}

static bool read_nrrd(const swImageFile *file, swArena *arena, swImage *image, swError *error) {
    swNrrd h = {.stored = -1, .sign = {1, 1, 1}};
    swScan s = sw_header_open(file);
    if (!read_header(&s, &h, error) || !take_axes(&h, error) || !take_unit(&h, image, error) ||
        !take_place(&h, image, error))
        return false;
    if (sw_stored_size(h.stored) > 1 && h.encoding != TEXT && h.endian == NO_ENDIAN)
        return sw_fail(error, SW_ERROR_FORMAT,
                       "the header has no 'endian'; expected little or big");
    if (h.byte_skip < 0 && h.encoding != RAW)
        return sw_fail(error, SW_ERROR_FORMAT,
                       "byte skip is -1, which is allowed only with the encoding raw");
    swInput in = {.at = s.at, .left = (size_t)(file->data + file->size - s.at)};
    if ((h.file && !sw_input_beside(&in, file, h.file, h.nfile, error)) ||
        !skip_lines(&in, h.line_skip, error) ||
        (h.encoding == GZIP && !sw_input_inflate(&in, file->scratch, error)) ||
        !sw_voxels_skip(&in, h.byte_skip, "byte skip", image, h.stored, error))
        return false;
    if (h.encoding == TEXT)
        return sw_voxels_parse(&in, h.stored, arena, image, error);
    return sw_voxels_load(&in, h.stored, h.endian == BIG, file->scratch, arena, image, error);
}

const swImageFormat sw_image_nrrd = {".nrrd", read_nrrd};
const swImageFormat sw_image_nhdr = {".nhdr", read_nrrd};

// ---- writing ----

static void write_vector(swFile *file, swReal scale, swVec3 v) {
    for (int k = 0; k < 3; k++) {
        sw_file_write(file, k ? "," : "(", 1);
        sw_file_number(file, scale * sw_get(v, k));
    }
    sw_file_write(file, ")", 1);
}

static void write_header(swFile *file, const swImage *m, swImageType type) {
    static const char *const types[] = {"uint8",  "int8",  "uint16", "int16",
                                        "uint32", "int32", "float",  "double"};
    static const char *const units[] = {"m", "cm", "mm", "um", "nm"};
    const char *unit = "m";
    for (int i = 0; i < SW_COUNT(units); i++)
        if (sw_unit_named(units[i], (int)strlen(units[i])) == m->unit)
            unit = units[i];
    // Other units are converted to metres. If there is no unit, a patient space would imply
    // millimetres.
    swReal scale = m->unit > 0 ? m->unit / sw_unit_named(unit, (int)strlen(unit)) : 1;
    sw_file_print(file, "NRRD0004\ntype: %s\ndimension: 3\nspace: %s\nsizes: %d %d %d\n",
                  types[type], m->unit > 0 ? "right-anterior-superior" : "3D-right-handed", m->n[0],
                  m->n[1], m->n[2]);
    sw_file_print(file, "space directions:");
    for (int k = 0; k < 3; k++) {
        sw_file_write(file, " ", 1);
        write_vector(file, scale, m->axis[k]);
    }
    sw_file_print(file, "\nkinds: domain domain domain\nendian: %s\nencoding: raw\nspace origin: ",
                  sw_machine_is_big() ? "big" : "little");
    write_vector(file, scale, m->origin);
    if (m->unit > 0)
        sw_file_print(file, "\nspace units: \"%s\" \"%s\" \"%s\"", unit, unit, unit);
    sw_file_print(file, "\n\n");
}

bool sw_image_write(const char *path, const swImage *m, swError *error) {
    if (!sw_text_has_suffix(path, ".nrrd"))
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, path, 0, 0,
                          "images can only be written as NRRD; expected the suffix .nrrd");
    swFile file;
    if (!sw_file_open(&file, path, error))
        return false;
    bool scaled = m->slope != 1 || m->intercept != 0;
    size_t count = sw_image_count(m);
    write_header(&file, m, scaled ? SW_IMAGE_F64 : m->type);
    if (!scaled)
        sw_file_write(&file, m->data, count * sw_stored_size(m->type));
    for (size_t i = 0; scaled && i < count; i++) {
        double v = sw_image_value(m, i);
        sw_file_write(&file, &v, sizeof v);
    }
    return sw_file_close(&file, error);
}
