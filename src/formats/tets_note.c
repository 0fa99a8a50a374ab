// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Notes about materials, written in comments of formats that only number them:
// "sinew:material=TAG;DENSITY;YOUNG;POISSON;NAME". A note is one word, with ? for unknown values,
// and the name encoded as in URLs: %20 is a space.
#include "formats/tets_read.h"

#include <string.h>

static const char mark[] = "sinew:material=";

// Whether a character needs no encoding in words, XML comments and VTK strings.
static bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == ':';
}

int sw_tet_note(int tag, const swTetMaterial *m, char text[SW_TET_NOTE]) {
    const swReal value[] = {m->density, m->young, m->poisson};
    int n = snprintf(text, SW_TET_NOTE, "%s%d;", mark, tag);
    for (int k = 0; k < 3; k++) {
        char number[32] = "?";
        if (isfinite(value[k]))
            number[sw_text_format(value[k], number)] = 0;
        n += snprintf(text + n, SW_TET_NOTE - (size_t)n, "%s;", number);
    }
    for (const char *p = m->name; *p && n < SW_TET_NOTE - 4; p++)
        n += snprintf(text + n, SW_TET_NOTE - (size_t)n, is_plain(*p) ? "%c" : "%%%02X",
                      (unsigned)(unsigned char)*p);
    return n;
}

static int digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

static const char *read_value(const char *p, const char *end, double *value) {
    const char *next = NULL;
    if (p && p < end && *p == '?')
        next = p + 1;
    else if (p)
        next = sw_text_number(p, end, value);
    return next && next < end && *next == ';' ? next + 1 : NULL;
}

static bool read_note(const char *p, const char *end, swTetParts *parts, swError *error) {
    double tag = NAN, value[3] = {NAN, NAN, NAN};
    char name[SW_TET_NOTE];
    size_t n = 0;
    p = read_value(p, end, &tag);
    for (int k = 0; k < 3; k++)
        p = read_value(p, end, &value[k]);
    if (!p || !(fabs(tag) <= INT32_MAX) || tag != floor(tag))
        return true; // not one of our notes
    for (; p < end && n < sizeof name - 1; p++) {
        char c = *p;
        if (c == '%' && end - p > 2 && digit(p[1]) >= 0 && digit(p[2]) >= 0) {
            c = (char)(16 * digit(p[1]) + digit(p[2]));
            p += 2;
        } else if (!is_plain(c))
            break;
        if (c == 0)
            break;
        name[n++] = c;
    }
    swTetMaterial *m = sw_tet_parts_material(parts, (int)tag, error);
    const char *text = m ? sw_arena_text(parts->arena, name, n, error) : NULL;
    if (!text)
        return false;
    *m = (swTetMaterial){text, value[0], value[1], value[2]};
    return true;
}

bool sw_tet_notes_read(const swMeshFile *file, swTetParts *parts, swError *error) {
    const char *end = file->data + file->size;
    const size_t n = sizeof mark - 1;
    for (const char *p = file->data; end - p > (ptrdiff_t)n; p++) {
        p = memchr(p, mark[0], (size_t)(end - p));
        if (!p || end - p <= (ptrdiff_t)n)
            break;
        if (memcmp(p, mark, n) == 0 && !read_note(p + n, end, parts, error))
            return false;
    }
    return true;
}

void sw_tet_notes_write(const swTetOut *out, swFile *file, const char *before, const char *after) {
    char text[SW_TET_NOTE];
    for (int i = 0; out->notes && i < out->mesh->nmaterial; i++) {
        sw_tet_note(out->tag[i], &out->mesh->materials[i], text);
        sw_file_print(file, "%s%s%s", before, text, after);
    }
}

void sw_file_int(swFile *file, int64_t value, int bytes, bool big) {
    char little[8], p[8];
    sw_store(little, (uint64_t)value, bytes);
    for (int i = 0; i < bytes; i++)
        p[i] = little[big ? bytes - 1 - i : i];
    sw_file_write(file, p, (size_t)bytes);
}

void sw_file_real(swFile *file, double value, bool big) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sw_file_int(file, bits, 8, big);
}
