// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Describes the fields of schema.c in words, and places in a scene.
#include "scene/schema.h"

// ---- text ----

static void put(char *out, size_t size, const char *format, ...) SW_PRINTF(3, 4);
static void put(char *out, size_t size, const char *format, ...) {
    size_t used = strlen(out);
    va_list args;
    va_start(args, format);
    vsnprintf(out + used, size - used, format, args);
    va_end(args);
}

const char *sw_schema_join(const char *const *names, int count, char *out, size_t size) {
    out[0] = 0;
    for (int i = 0; i < count; i++) {
        if (strlen(out) + strlen(names[i]) + 12 > size) {
            put(out, size, i ? ", ..." : "...");
            break;
        }
        put(out, size, "%s\"%s\"", i ? ", " : "", names[i]);
    }
    return out;
}

int sw_schema_names(const swField *field, const char *names[SW_SCHEMA_NAMES]) {
    int count = 0;
    if (field->name_at)
        while (count < SW_SCHEMA_NAMES && (names[count] = field->name_at(count)))
            count++;
    else if (field->names)
        while (count < SW_SCHEMA_NAMES && (names[count] = field->names[count]))
            count++;
    return count;
}

int sw_schema_keys(const swTable *table, const char *names[SW_SCHEMA_NAMES]) {
    int count = 0;
    for (int i = 0; i < table->count; i++) {
        const swField *f = &table->field[i];
        if (f->type == SW_FIELD_EMBED)
            count += sw_schema_keys(f->table, names + count);
        else
            names[count++] = f->key;
        SW_ASSERT(count < SW_SCHEMA_NAMES);
    }
    return count;
}

const char *sw_schema_either(const swTable *table, int group, char *out, size_t size) {
    const char *names[SW_SCHEMA_NAMES];
    int count = 0;
    for (int i = 0; i < table->count; i++) {
        const swField *f = &table->field[i];
        if (f->type == SW_FIELD_EMBED && group == 1)
            count += sw_schema_keys(f->table, names + count);
        else if (f->either == group)
            names[count++] = f->key;
    }
    return sw_schema_join(names, count, out, size);
}

static void put_range(const swField *f, char *out, size_t size) {
    char lo[32], hi[32];
    sw_text_format(f->range.lo, lo);
    sw_text_format(f->range.hi, hi);
    switch (f->range.kind) {
    case SW_ANY: break;
    case SW_ABOVE: put(out, size, " above %s", lo); break;
    case SW_AT_LEAST: put(out, size, " of at least %s", lo); break;
    case SW_BETWEEN: put(out, size, " above %s and below %s", lo, hi); break;
    case SW_FROM_TO: put(out, size, " from %s to %s", lo, hi); break;
    case SW_NONZERO: put(out, size, ", not all zero"); break;
    }
}

static void put_list(const swField *f, const char *items, char *out, size_t size) {
    if (f->range.lo > 0)
        put(out, size, "a list of %g to %g %s", f->range.lo, f->range.hi, items);
    else
        put(out, size, "a list of at most %g %s", f->range.hi, items);
}

const char *sw_schema_expected(const swField *f, char *out, size_t size) {
    const char *names[SW_SCHEMA_NAMES];
    char list[320];
    int count = sw_schema_names(f, names);
    if (f->type == SW_FIELD_SHAPE || f->type == SW_FIELD_EMBED)
        sw_schema_either(f->table, 1, list, sizeof list);
    else
        sw_schema_join(names, count, list, sizeof list);
    out[0] = 0;
    switch (f->type) {
    case SW_FIELD_VERSION: put(out, size, "the version %g", f->number[0]); break;
    case SW_FIELD_REAL:
    case SW_FIELD_COURSE:
    case SW_FIELD_ANGLE: put(out, size, "a number"); break;
    case SW_FIELD_INT: put(out, size, "a whole number"); break;
    case SW_FIELD_VEC3: put(out, size, "three numbers"); break;
    case SW_FIELD_PAIR: put(out, size, "two numbers"); break;
    case SW_FIELD_TEXT: put(out, size, f->range.lo > 0 ? "a non-empty string" : "a string"); break;
    case SW_FIELD_FILE: put(out, size, "the path of a file"); break;
    case SW_FIELD_NAME:
    case SW_FIELD_ENUM:
    case SW_FIELD_FIXED:
    case SW_FIELD_WORD: put(out, size, count > 1 ? "one of %s" : "%s", list); break;
    case SW_FIELD_BOOL: put(out, size, "true or false"); break;
    case SW_FIELD_SWITCH: put(out, size, "true, false or %s", list); break;
    case SW_FIELD_CHOICE:
        put(out, size, "one of %s, or an object with \"%s\"", list, f->table->field[0].key);
        break;
    case SW_FIELD_POINTS: put_list(f, "points [x, y, z]", out, size); break;
    case SW_FIELD_POLYGON: put_list(f, "points [x, y]", out, size); break;
    case SW_FIELD_GRAPH:
        put(out, size, "pairs [value, number], values ascending, each number");
        put_range(f, out, size);
        break;
    case SW_FIELD_SWAPS: put(out, size, "an object of pairs \"material\": \"material\""); break;
    case SW_FIELD_LABELS:
        put(out, size, "an object of at most %g pairs \"labels\": \"material\"", f->range.hi);
        break;
    case SW_FIELD_LABEL:
        put(out, size, "a label, or a string of labels such as \"1-3, 12\"");
        break;
    case SW_FIELD_ENUMS:
        put_list(f, "names", out, size);
        put(out, size, ", each one of %s", list);
        break;
    case SW_FIELD_TEXTS: put_list(f, "strings", out, size); break;
    case SW_FIELD_LIST: put_list(f, "objects", out, size); break;
    case SW_FIELD_UNION: put_list(f, "shapes", out, size); break;
    case SW_FIELD_MAP: put(out, size, "an object of at most %g objects", f->range.hi); break;
    case SW_FIELD_SHAPE:
    case SW_FIELD_EMBED: put(out, size, "an object with one of %s", list); break;
    case SW_FIELD_OBJECT:
    case SW_FIELD_OPTION:
    case SW_FIELD_KIND: put(out, size, "an object"); break;
    }
    if (f->type == SW_FIELD_REAL || f->type == SW_FIELD_ANGLE || f->type == SW_FIELD_INT ||
        f->type == SW_FIELD_VEC3 || f->type == SW_FIELD_COURSE)
        put_range(f, out, size);
    if (f->type == SW_FIELD_COURSE)
        put(out, size, ", or an object with \"%s\"", f->table->field[0].key);
    return out;
}

// ---- places ----

const char *sw_place_text(const swPlace *place, char *out, size_t size) {
    out[0] = 0;
    for (int i = 0; i < place->depth; i++) {
        if (place->at[i].key)
            put(out, size, "%s%.60s", i ? "." : "", place->at[i].key);
        else
            put(out, size, "[%d]", place->at[i].index);
    }
    for (char *c = out; *c; c++)
        if ((unsigned char)*c < 0x20)
            *c = ' '; // a message is a single line
    return out;
}

bool sw_place_fail(const swPlace *place, swError *error, swStatus code, const char *format, ...) {
    char where[256], message[SW_ERROR_MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    sw_place_text(place, where, sizeof where);
    return sw_fail(error, code, "%s%s%s", where, where[0] ? ": " : "", message);
}
