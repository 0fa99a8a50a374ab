// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Converts structs to JSON by the tables of schema.c, writing every key with its value.
#include "scene/scene.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

typedef struct Writer {
    swJsonWriter json;
    // Real paths of folders with a final slash; empty if paths need not be rewritten.
    char from[PATH_MAX + 2], to[PATH_MAX + 2];
    bool not_utf8;
} Writer;

static void write_table(Writer *w, const swTable *table, const void *object);
static void write_shape(Writer *w, const char *key, const swTable *kinds, const swShape *shape);

static void write_text(Writer *w, const char *key, const char *text) {
    if (!text)
        return; // not given
    w->not_utf8 = w->not_utf8 || !sw_json_is_utf8(text);
    sw_json_put_text(&w->json, key, text);
}

// Rewrites a path so that it names the same file when the scene moves to another folder.
static void write_file(Writer *w, const char *key, const char *file) {
    char path[2 * PATH_MAX + 4];
    if (!file || file[0] == '/' || !w->from[0] || strlen(file) > PATH_MAX) {
        write_text(w, key, file);
        return;
    }
    snprintf(path, sizeof path, "%s%s", w->from, file);
    size_t n = strlen(w->to);
    write_text(w, key, strncmp(path, w->to, n) == 0 ? path + n : path);
}

// Whether an alternative has a value. The first one that has is written, or else the first.
static bool is_given(const swField *f, const void *object) {
    const char *at = (const char *)object + f->offset;
    swReal x[3] = {0};
    switch (f->type) {
    case SW_FIELD_REAL:
    case SW_FIELD_ANGLE: memcpy(x, at, sizeof x[0]); break;
    case SW_FIELD_VEC3: memcpy(x, at, sizeof x); break;
    case SW_FIELD_WORD: return *(const bool *)at;
    case SW_FIELD_OPTION: return sw_pointer_at(at, 0) != NULL;
    case SW_FIELD_OBJECT: return false;
    default: return true;
    }
    return !isnan(x[0]) && (x[0] != 0 || x[1] != 0 || x[2] != 0);
}

static const swField *chosen(const swTable *table, int group, const void *object) {
    const swField *first = NULL;
    for (int i = 0; i < table->count; i++) {
        const swField *f = &table->field[i];
        if (f->either == group && is_given(f, object))
            return f;
        if (f->either == group && !first)
            first = f;
    }
    return first;
}

static void write_array(Writer *w, const swField *f, const void *object, int width) {
    const swReal *x = sw_pointer_at(object, f->offset);
    int count;
    memcpy(&count, (const char *)object + f->count_offset, sizeof count);
    sw_json_begin_line(&w->json, f->key, '[');
    for (int i = 0; i < count; i++)
        sw_json_put_numbers(&w->json, NULL, width, x + (size_t)i * (size_t)width);
    sw_json_end(&w->json);
}

static void write_names(Writer *w, const swField *f, const void *object) {
    const int *index = sw_pointer_at(object, f->offset);
    int count;
    memcpy(&count, (const char *)object + f->count_offset, sizeof count);
    sw_json_begin_line(&w->json, f->key, '[');
    for (int i = 0; i < count; i++)
        sw_json_put_text(&w->json, NULL, f->names[index[i]]);
    sw_json_end(&w->json);
}

static void write_texts(Writer *w, const swField *f, const void *object) {
    const char *const *text = sw_pointer_at(object, f->offset);
    int count;
    memcpy(&count, (const char *)object + f->count_offset, sizeof count);
    sw_json_begin_line(&w->json, f->key, '[');
    for (int i = 0; i < count; i++)
        write_text(w, NULL, text[i]);
    sw_json_end(&w->json);
}

static void write_labels(Writer *w, const swField *f, const swLabels *first) {
    sw_json_begin_line(&w->json, f->key, '{');
    for (const swLabels *l = first; l; l = l->next)
        write_text(w, l->labels, l->material);
    sw_json_end(&w->json);
}

static void write_fields(Writer *w, const char *key, const swTable *table, const void *object) {
    if (table->line)
        sw_json_begin_line(&w->json, key, '{');
    else
        sw_json_begin(&w->json, key, '{');
    write_table(w, table, object);
    sw_json_end(&w->json);
}

static void write_list(Writer *w, const swField *f, const void *first) {
    swField field[SW_MATERIAL_FIELDS];
    sw_json_begin(&w->json, f->key, f->type == SW_FIELD_MAP ? '{' : '[');
    for (const void *item = first; item; item = sw_next(item)) {
        if (f->table == &sw_material_table) {
            swTable table = sw_schema_material(item, field);
            w->not_utf8 = w->not_utf8 || !sw_json_is_utf8(sw_name(item));
            write_fields(w, sw_name(item), &table, item);
        } else
            write_fields(w, NULL, f->table, item);
    }
    sw_json_end(&w->json);
}

// Writes the key for the kind, with its fields.
static void write_kind(Writer *w, const swTable *kinds, const swShape *shape) {
    const swField *kind = sw_schema_kind(kinds, (int)shape->kind);
    if (kind->type == SW_FIELD_KIND) {
        write_fields(w, kind->key, kind->table, shape);
        return;
    }
    if (kind->type == SW_FIELD_LABEL) {
        write_text(w, kind->key, shape->label);
        return;
    }
    sw_json_begin(&w->json, kind->key, '[');
    for (const swShape *part = shape->parts; part; part = part->next)
        write_shape(w, NULL, kinds, part);
    sw_json_end(&w->json);
}

static void write_shape(Writer *w, const char *key, const swTable *kinds, const swShape *shape) {
    if (shape->kind == SW_SHAPE_UNION)
        sw_json_begin(&w->json, key, '{');
    else
        sw_json_begin_line(&w->json, key, '{');
    write_kind(w, kinds, shape);
    write_table(w, kinds, shape);
    sw_json_end(&w->json);
}

static void write_field(Writer *w, const swField *f, const void *object) {
    const char *at = (const char *)object + f->offset;
    swReal x[3];
    int whole;
    switch (f->type) {
    case SW_FIELD_VERSION: sw_json_put_number(&w->json, f->key, f->number[0]); break;
    case SW_FIELD_REAL:
        memcpy(x, at, sizeof x[0]);
        if (!isnan(x[0]))
            sw_json_put_number(&w->json, f->key, x[0]);
        break;
    case SW_FIELD_COURSE:
        memcpy(x, at, sizeof x[0]);
        if (isnan(x[0]))
            write_fields(w, f->key, f->table, object);
        else
            sw_json_put_number(&w->json, f->key, x[0]);
        break;
    case SW_FIELD_ANGLE:
        memcpy(x, at, sizeof x[0]);
        sw_json_put_number(&w->json, f->key, sw_schema_degrees(x[0]));
        break;
    case SW_FIELD_PAIR:
        memcpy(x, at, 2 * sizeof x[0]);
        sw_json_put_numbers(&w->json, f->key, 2, x);
        break;
    case SW_FIELD_VEC3:
        memcpy(x, at, sizeof x);
        if (!isnan(x[0]))
            sw_json_put_numbers(&w->json, f->key, 3, x);
        break;
    case SW_FIELD_INT:
        memcpy(&whole, at, sizeof whole);
        sw_json_put_int(&w->json, f->key, whole);
        break;
    case SW_FIELD_TEXT:
    case SW_FIELD_NAME: write_text(w, f->key, sw_pointer_at(at, 0)); break;
    case SW_FIELD_FILE: write_file(w, f->key, sw_pointer_at(at, 0)); break;
    case SW_FIELD_FIXED:
    case SW_FIELD_WORD: sw_json_put_text(&w->json, f->key, f->names[0]); break;
    case SW_FIELD_BOOL: sw_json_put_bool(&w->json, f->key, *(const bool *)at); break;
    case SW_FIELD_SWITCH:
        memcpy(&whole, at, sizeof whole);
        if (whole < SW_SWITCH_NAMES)
            sw_json_put_bool(&w->json, f->key, whole != 0);
        else
            sw_json_put_text(&w->json, f->key, f->names[whole - SW_SWITCH_NAMES]);
        break;
    case SW_FIELD_ENUM:
    case SW_FIELD_CHOICE:
        memcpy(&whole, at, sizeof whole);
        if (f->names[whole])
            sw_json_put_text(&w->json, f->key, f->names[whole]);
        else
            write_fields(w, f->key, f->table, object);
        break;
    case SW_FIELD_ENUMS: write_names(w, f, object); break;
    case SW_FIELD_POINTS: write_array(w, f, object, 3); break;
    case SW_FIELD_POLYGON:
    case SW_FIELD_GRAPH: write_array(w, f, object, 2); break;
    case SW_FIELD_LABELS: write_labels(w, f, sw_pointer_at(at, 0)); break;
    case SW_FIELD_SWAPS:
        if (sw_pointer_at(at, 0))
            write_labels(w, f, sw_pointer_at(at, 0));
        break;
    case SW_FIELD_TEXTS: write_texts(w, f, object); break;
    case SW_FIELD_OBJECT: write_fields(w, f->key, f->table, at); break;
    case SW_FIELD_OPTION:
        if (sw_pointer_at(at, 0))
            write_fields(w, f->key, f->table, sw_pointer_at(at, 0));
        break;
    case SW_FIELD_LIST:
    case SW_FIELD_MAP: write_list(w, f, sw_pointer_at(at, 0)); break;
    case SW_FIELD_SHAPE:
        if (sw_pointer_at(at, 0))
            write_shape(w, f->key, f->table, sw_pointer_at(at, 0));
        break;
    case SW_FIELD_EMBED: write_kind(w, f->table, sw_pointer_at(at, 0)); break;
    case SW_FIELD_KIND:
    case SW_FIELD_LABEL:
    case SW_FIELD_UNION: break; // handled by write_kind()
    }
}

static void write_table(Writer *w, const swTable *table, const void *object) {
    table = table->written ? table->written(object) : table;
    for (int i = 0; i < table->count; i++) {
        const swField *f = &table->field[i];
        if (!f->either || f == chosen(table, f->either, object))
            write_field(w, f, object);
    }
}

// The real path of a folder with a final slash, or "" if it does not exist.
static void real_folder(const char *folder, char out[PATH_MAX + 2]) {
    if (!realpath(folder, out))
        out[0] = 0;
    else if (strcmp(out, "/") != 0)
        strcat(out, "/");
}

static void set_folders(Writer *w, const char *from, const char *to) {
    real_folder(from ? from : ".", w->from);
    real_folder(to, w->to);
    if (!w->to[0] || strcmp(w->from, w->to) == 0)
        w->from[0] = 0;
}

bool sw_scene_print(const swScene *scene, const char *folder, swFile *file, swError *error) {
    Writer w = {.json = {.file = file, .indent = 2}};
    if (!sw_scene_check(scene, error))
        return false;
    if (folder)
        set_folders(&w, scene->folder, folder);
    write_fields(&w, NULL, &sw_scene_table, scene);
    if (w.not_utf8)
        return sw_fail(error, SW_ERROR_VALUE,
                       "expected names and texts in UTF-8, found other bytes");
    return true;
}

bool sw_scene_write(const swScene *scene, const char *path, swError *error) {
    swFile file = {.stream = stdout};
    char folder[sizeof file.path];
    if (strcmp(path, "-") == 0) {
        if (!sw_scene_print(scene, ".", &file, error))
            return false;
        if (fflush(stdout) != 0 || file.failed)
            return sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "cannot write: %s",
                              strerror(errno));
        return true;
    }
    if (!sw_file_open(&file, path, error))
        return false;
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1,
             slash ? path : ".");
    if (sw_scene_print(scene, folder, &file, error))
        return sw_file_close(&file, error);
    sw_file_abandon(&file);
    return false;
}
