// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Writes the tables of schema.c as Markdown.
#include "scene/schema.h"

#include "material/law.h"

#include <math.h>

enum { MAX_TABLES = 64 };
static const char head[] = "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";

typedef struct Text {
    char *text;
    size_t size, used; // `used` may exceed `size`: it is the length that the full text would have
    const swTable *table[MAX_TABLES]; // tables to write, each once
    int count;
} Text;

static void put(Text *t, const char *format, ...) SW_PRINTF(2, 3);
static void put(Text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    bool room = t->used < t->size;
    int n = vsnprintf(room ? t->text + t->used : NULL, room ? t->size - t->used : 0, format, args);
    va_end(args);
    t->used += n > 0 ? (size_t)n : 0;
}

static void add_table(Text *t, const swTable *table) {
    for (int i = 0; i < t->count; i++)
        if (t->table[i] == table)
            return;
    SW_ASSERT(t->count < MAX_TABLES);
    t->table[t->count++] = table;
}

static void put_number(Text *t, swReal x) {
    char text[32];
    sw_text_format(x, text);
    put(t, "%s", text);
}

static void put_default(Text *t, const swTable *table, const swField *f) {
    if (table->item && f->offset == SW_NAME_OFFSET && strcmp(f->key, "name") == 0) {
        put(t, "`\"%s1\"`, ...", table->item);
        return;
    }
    if (f->required) {
        put(t, "required");
        return;
    }
    switch (f->type) {
    case SW_FIELD_REAL:
    case SW_FIELD_COURSE:
    case SW_FIELD_ANGLE:
    case SW_FIELD_INT:
        if (!isnan(f->number[0]))
            put_number(t, f->number[0]);
        break;
    case SW_FIELD_VEC3:
        for (int k = 0; k < 3 && !isnan(f->number[0]); k++) {
            put(t, k ? ", " : "[");
            put_number(t, f->number[k]);
            put(t, k == 2 ? "]" : "");
        }
        break;
    case SW_FIELD_BOOL: put(t, f->number[0] != 0 ? "true" : "false"); break;
    case SW_FIELD_SWITCH:
        if (f->number[0] < SW_SWITCH_NAMES)
            put(t, f->number[0] != 0 ? "true" : "false");
        else
            put(t, "`\"%s\"`", f->names[(int)f->number[0] - SW_SWITCH_NAMES]);
        break;
    case SW_FIELD_ENUM:
    case SW_FIELD_CHOICE: put(t, "`\"%s\"`", f->names[(int)f->number[0]]); break;
    case SW_FIELD_FIXED: put(t, "`\"%s\"`", f->names[0]); break;
    case SW_FIELD_TEXT:
    case SW_FIELD_NAME:
        if (f->text)
            put(t, "`\"%s\"`", f->text);
        break;
    case SW_FIELD_SWAPS:
    case SW_FIELD_LABELS: put(t, "`{}`"); break;
    case SW_FIELD_GRAPH:
    case SW_FIELD_POINTS:
    case SW_FIELD_ENUMS:
    case SW_FIELD_TEXTS:
    case SW_FIELD_LIST: put(t, "`[]`"); break;
    default: break;
    }
}

static void put_field(Text *t, const swTable *table, const swField *f) {
    char expected[400];
    put(t, "| `%s` | %s", f->key, sw_schema_expected(f, expected, sizeof expected));
    if (f->table && f->type != SW_FIELD_UNION)
        put(t, ": %s", f->table->name);
    put(t, " | %s | ", f->unit ? f->unit : "");
    put_default(t, table, f);
    put(t, " | %s |\n", f->doc);
    if (f->table)
        add_table(t, f->table);
}

static void put_fields(Text *t, const swTable *table) {
    for (int i = 0; i < table->count; i++) {
        const swField *f = &table->field[i];
        if (f->type == SW_FIELD_EMBED)
            put_fields(t, f->table);
        else
            put_field(t, table, f);
    }
}

static void put_table(Text *t, const swTable *table) {
    put(t, "\n## %s\n\n%s", table->name, head);
    put_fields(t, table);
    char either[400];
    for (int group = 1; group <= SW_EITHER; group++)
        if (sw_schema_either(table, group, either, sizeof either)[0])
            put(t, "\n%s one of %s is given.\n",
                table->exactly_one && group == 1 ? "Exactly" : "At most", either);
}

size_t sw_scene_keys(char *text, size_t size) {
    Text t = {.text = text, .size = size};
    put(&t, "# The keys of a scene file\n\n"
            "A scene is a JSON object. Units are SI; angles are in degrees; coordinates are "
            "right-handed with y up. Unknown keys are errors. Positions inside a body are in its "
            "rest coordinates; gravity, forces, motions and colliders are in world coordinates.\n");
    add_table(&t, &sw_scene_table);
    for (int i = 0; i < t.count; i++)
        put_table(&t, t.table[i]);
    for (int i = 0; sw_law_at(i); i++) {
        const swLaw *law = sw_law_at(i);
        swField field[SW_MATERIAL_FIELDS];
        swMaterial material = {.law = law->name};
        swTable table = sw_schema_material(&material, field);
        put(&t, "\n## materials with the law `%s`\n\n%s\n", law->name, law->doc ? law->doc : "");
        if (law->nparam == 0)
            continue;
        put(&t, "\n%s", head);
        for (int k = sw_material_table.count; k < table.count; k++)
            put_field(&t, &table, &table.field[k]);
    }
    return t.used;
}
