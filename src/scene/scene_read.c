// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Converts JSON to structs by the tables of schema.c. This checks types, and which keys must or
// must not be given; scene_check.c checks whether the values make sense.
#include "scene/scene.h"

#include "formats/image.h"
#include "formats/mesh.h"
#include "formats/tets.h"
#include "math/vec.h"

typedef struct Reader {
    swScene *scene;
    swArena *arena; // of the scene
    const char *name;
    swPlace place;
    swError *error;
} Reader;

static bool read_object(Reader *r, const swTable *table, const swJson *json, void *object);

// Adds the position in the file to an error that only names the key.
static bool locate(Reader *r, int line, int column) {
    r->error->line = line;
    r->error->column = column;
    snprintf(r->error->path, sizeof r->error->path, "%s", r->name);
    return false;
}

static bool fail_found(Reader *r, const char *expected, const swJson *json) {
    char found[64];
    sw_place_fail(&r->place, r->error, SW_ERROR_FORMAT, "expected %s, found %s", expected,
                  sw_json_describe(json, found));
    return json ? locate(r, json->line, json->column) : false;
}

static bool fail_type(Reader *r, const swField *f, const swJson *json) {
    char expected[400];
    return fail_found(r, sw_schema_expected(f, expected, sizeof expected), json);
}

// ---- plain values ----

static bool read_numbers(Reader *r, const swField *f, const swJson *json, int count, swReal *x) {
    if (json->type != SW_JSON_ARRAY || json->count != count)
        return fail_type(r, f, json);
    for (int i = 0; i < count; i++) {
        sw_place_index(&r->place, i);
        if (json->item[i].type != SW_JSON_NUMBER)
            return fail_found(r, "a number", &json->item[i]);
        sw_place_up(&r->place);
        x[i] = json->item[i].number;
    }
    return true;
}

// Reads an array of tuples of `width` numbers.
static bool read_array(Reader *r, const swField *f, const swJson *json, void *object, int width) {
    if (json->type != SW_JSON_ARRAY)
        return fail_type(r, f, json);
    swReal *x = SW_NEW(r->arena, json->count * (size_t)width, swReal, r->error);
    if (!x)
        return false;
    const swField item = {.type = width == 3 ? SW_FIELD_VEC3 : SW_FIELD_PAIR};
    for (int i = 0; i < json->count; i++) {
        sw_place_index(&r->place, i);
        if (!read_numbers(r, &item, &json->item[i], width, x + (size_t)i * (size_t)width))
            return false;
        sw_place_up(&r->place);
    }
    sw_pointer_put(object, f->offset, x);
    memcpy((char *)object + f->count_offset, &json->count, sizeof json->count);
    return true;
}

static bool read_text(Reader *r, const swField *f, const swJson *json, void *at) {
    if (json->type != SW_JSON_TEXT)
        return fail_type(r, f, json);
    const char *copy = sw_arena_text(r->arena, json->text, (size_t)json->count, r->error);
    sw_pointer_put(at, 0, copy);
    return copy != NULL;
}

// Finds which of the field's names it is.
static bool read_name(Reader *r, const swField *f, const swJson *json, int *index) {
    const char *names[SW_SCHEMA_NAMES];
    int count = sw_schema_names(f, names);
    if (json->type != SW_JSON_TEXT)
        return fail_type(r, f, json);
    for (*index = 0; *index < count; ++*index)
        if (strcmp(names[*index], json->text) == 0)
            return true;
    fail_type(r, f, json);
    r->error->code = SW_ERROR_VALUE;
    return false;
}

static bool read_names(Reader *r, const swField *f, const swJson *json, void *object) {
    if (json->type != SW_JSON_ARRAY)
        return fail_type(r, f, json);
    int *index = SW_NEW(r->arena, json->count, int, r->error);
    const swField item = {.type = SW_FIELD_ENUM, .names = f->names};
    for (int i = 0; index && i < json->count; i++) {
        sw_place_index(&r->place, i);
        if (!read_name(r, &item, &json->item[i], &index[i]))
            return false;
        sw_place_up(&r->place);
    }
    sw_pointer_put(object, f->offset, index);
    memcpy((char *)object + f->count_offset, &json->count, sizeof json->count);
    return index != NULL;
}

static bool read_texts(Reader *r, const swField *f, const swJson *json, void *object) {
    if (json->type != SW_JSON_ARRAY)
        return fail_type(r, f, json);
    const char **text = SW_NEW(r->arena, json->count, const char *, r->error);
    const swField item = {.type = SW_FIELD_TEXT};
    for (int i = 0; text && i < json->count; i++) {
        sw_place_index(&r->place, i);
        if (!read_text(r, &item, &json->item[i], &text[i]))
            return false;
        sw_place_up(&r->place);
    }
    sw_pointer_put(object, f->offset, text);
    memcpy((char *)object + f->count_offset, &json->count, sizeof json->count);
    return text != NULL;
}

static bool read_version(Reader *r, const swField *f, const swJson *json) {
    if (json->type == SW_JSON_NUMBER && json->number == f->number[0])
        return true;
    fail_type(r, f, json);
    if (json->type == SW_JSON_NUMBER)
        r->error->code = SW_ERROR_UNSUPPORTED;
    return false;
}

// ---- lists ----

// Reads the law first, as it determines which other keys there are.
static bool read_material(Reader *r, const swJson *json, swMaterial *material) {
    const swField *f = &sw_material_table.field[0];
    const swJson *law = sw_json_member(json, f->key);
    material->name = sw_arena_text(r->arena, json->key, strlen(json->key), r->error);
    if (!material->name)
        return false;
    if (law) {
        int which;
        sw_place_key(&r->place, f->key);
        if (!read_name(r, f, law, &which))
            return false;
        sw_place_up(&r->place);
        material->law = f->name_at(which);
    }
    swField field[SW_MATERIAL_FIELDS];
    swTable table = sw_schema_material(material, field);
    return read_object(r, &table, json, material);
}

static bool read_labels(Reader *r, const swField *f, const swJson *json, void *at) {
    if (json->type != SW_JSON_OBJECT)
        return fail_type(r, f, json);
    const swField name = {.type = SW_FIELD_TEXT, .range = {SW_AT_LEAST, 1, 0}};
    void *last = NULL;
    for (int i = 0; i < json->count; i++) {
        const char *key = json->item[i].key;
        swLabels *item = SW_NEW(r->arena, 1, swLabels, r->error);
        sw_place_key(&r->place, key);
        if (!item || !(item->labels = sw_arena_text(r->arena, key, strlen(key), r->error)) ||
            !read_text(r, &name, &json->item[i], &item->material))
            return false;
        sw_place_up(&r->place);
        sw_pointer_put(last ? last : at, 0, item);
        last = item;
    }
    return true;
}

static bool read_item(Reader *r, const swTable *table, const swJson *json, int index, void *item) {
    if (json->type != SW_JSON_OBJECT)
        return fail_found(r, "an object", json);
    if (table == &sw_material_table)
        return read_material(r, json, item);
    for (int i = 0; i < table->count; i++)
        if (table->field[i].type == SW_FIELD_EMBED) {
            swShape *shape = SW_NEW(r->arena, 1, swShape, r->error);
            if (!shape)
                return false;
            sw_pointer_put(item, table->field[i].offset, shape);
        }
    if (!read_object(r, table, json, item))
        return false;
    if (!table->item || sw_name(item))
        return true;
    const char *name = sw_scene_item_name(r->scene, table, index, r->error);
    sw_pointer_put(item, SW_NAME_OFFSET, name);
    return name != NULL;
}

static bool read_list(Reader *r, const swField *f, const swJson *json, void *at) {
    if (json->type != (f->type == SW_FIELD_MAP ? SW_JSON_OBJECT : SW_JSON_ARRAY))
        return fail_type(r, f, json);
    void *last = NULL;
    for (int i = 0; i < json->count; i++) {
        if (f->type == SW_FIELD_MAP)
            sw_place_key(&r->place, json->item[i].key);
        else
            sw_place_index(&r->place, i);
        void *item = sw_scene_new_item(r->scene, f->table, r->error);
        if (!item || !read_item(r, f->table, &json->item[i], i, item))
            return false;
        sw_place_up(&r->place);
        sw_pointer_put(last ? last : at, 0, item);
        last = item;
    }
    return true;
}

// ---- shapes ----

static swShape *read_shape(Reader *r, const swField *f, const swJson *json) {
    if (json->type != SW_JSON_OBJECT) {
        fail_type(r, f, json);
        return NULL;
    }
    swShape *shape = SW_NEW(r->arena, 1, swShape, r->error);
    return shape && read_object(r, f->table, json, shape) ? shape : NULL;
}

// A single label is a number, several are a string.
static bool read_label(Reader *r, const swField *f, const swJson *json, swShape *shape) {
    char text[32];
    if (json->type != SW_JSON_NUMBER)
        return read_text(r, f, json, &shape->label);
    if (json->number != floor(json->number) || fabs(json->number) > INT32_MAX)
        return fail_type(r, f, json);
    snprintf(text, sizeof text, "%d", (int)json->number);
    shape->label = sw_arena_text(r->arena, text, strlen(text), r->error);
    return shape->label != NULL;
}

static bool read_kind(Reader *r, const swField *f, const swJson *json, swShape *shape) {
    shape->kind = (swShapeKind)f->kind;
    if (f->type == SW_FIELD_LABEL)
        return read_label(r, f, json, shape);
    if (json->type != (f->type == SW_FIELD_UNION ? SW_JSON_ARRAY : SW_JSON_OBJECT))
        return fail_type(r, f, json);
    if (f->type == SW_FIELD_KIND) {
        sw_schema_default(f->table, shape);
        return read_object(r, f->table, json, shape);
    }
    const swField part = {.type = SW_FIELD_SHAPE, .table = f->table};
    swShape **next = &shape->parts;
    for (int i = 0; i < json->count; i++) {
        sw_place_index(&r->place, i);
        *next = read_shape(r, &part, &json->item[i]);
        if (!*next)
            return false;
        sw_place_up(&r->place);
        next = &(*next)->next;
    }
    return true;
}

// ---- fields ----

static bool read_fields(Reader *r, const swField *f, const swJson *json, void *object) {
    if (json->type != SW_JSON_OBJECT)
        return fail_type(r, f, json);
    if (!read_object(r, f->table, json, object))
        return false;
    if (f->table == &sw_frames_table) {
        swFrames *frames = object;
        if (frames->nat > 0 && !sw_json_member(json, "count"))
            frames->count = 0;
    }
    return true;
}

static bool read_field(Reader *r, const swField *f, const swJson *json, void *object) {
    char *at = (char *)object + f->offset;
    swReal x[3];
    int whole;
    switch (f->type) {
    case SW_FIELD_VERSION: return read_version(r, f, json);
    case SW_FIELD_REAL:
    case SW_FIELD_ANGLE:
        if (json->type != SW_JSON_NUMBER)
            return fail_type(r, f, json);
        x[0] = f->type == SW_FIELD_ANGLE ? sw_schema_radians(json->number) : json->number;
        memcpy(at, x, sizeof x[0]);
        return true;
    case SW_FIELD_COURSE:
        x[0] = json->type == SW_JSON_NUMBER ? json->number : NAN;
        memcpy(at, x, sizeof x[0]);
        if (json->type == SW_JSON_OBJECT)
            return read_object(r, f->table, json, object);
        return json->type == SW_JSON_NUMBER ? true : fail_type(r, f, json);
    case SW_FIELD_INT:
        if (json->type != SW_JSON_NUMBER || json->number != floor(json->number) ||
            fabs(json->number) > INT32_MAX)
            return fail_type(r, f, json);
        whole = (int)json->number;
        memcpy(at, &whole, sizeof whole);
        return true;
    case SW_FIELD_PAIR:
    case SW_FIELD_VEC3: {
        int n = f->type == SW_FIELD_VEC3 ? 3 : 2;
        if (!read_numbers(r, f, json, n, x))
            return false;
        memcpy(at, x, (size_t)n * sizeof x[0]);
        return true;
    }
    case SW_FIELD_TEXT:
    case SW_FIELD_FILE: return read_text(r, f, json, at);
    case SW_FIELD_NAME:
        if (!read_name(r, f, json, &whole))
            return false;
        sw_pointer_put(at, 0, f->name_at(whole));
        return true;
    case SW_FIELD_FIXED: return read_name(r, f, json, &whole);
    case SW_FIELD_WORD: *(bool *)at = read_name(r, f, json, &whole); return *(bool *)at;
    case SW_FIELD_BOOL:
        if (json->type != SW_JSON_BOOL)
            return fail_type(r, f, json);
        *(bool *)at = json->boolean;
        return true;
    case SW_FIELD_SWITCH:
        if (json->type == SW_JSON_BOOL)
            whole = json->boolean;
        else if (read_name(r, f, json, &whole))
            whole += SW_SWITCH_NAMES;
        else
            return false;
        memcpy(at, &whole, sizeof whole);
        return true;
    case SW_FIELD_CHOICE:
        if (json->type == SW_JSON_OBJECT) {
            const char *names[SW_SCHEMA_NAMES];
            whole = sw_schema_names(f, names);
            memcpy(at, &whole, sizeof whole);
            return read_object(r, f->table, json, object);
        } // fall through
    case SW_FIELD_ENUM:
        if (!read_name(r, f, json, &whole))
            return false;
        memcpy(at, &whole, sizeof whole);
        return true;
    case SW_FIELD_ENUMS: return read_names(r, f, json, object);
    case SW_FIELD_POINTS: return read_array(r, f, json, object, 3);
    case SW_FIELD_POLYGON:
    case SW_FIELD_GRAPH: return read_array(r, f, json, object, 2);
    case SW_FIELD_LABELS:
    case SW_FIELD_SWAPS: return read_labels(r, f, json, at);
    case SW_FIELD_TEXTS: return read_texts(r, f, json, object);
    case SW_FIELD_OBJECT: return read_fields(r, f, json, at);
    case SW_FIELD_OPTION: {
        void *part = sw_scene_new_item(r->scene, f->table, r->error);
        sw_pointer_put(at, 0, part);
        return part && read_fields(r, f, json, part);
    }
    case SW_FIELD_LIST:
    case SW_FIELD_MAP: return read_list(r, f, json, at);
    case SW_FIELD_SHAPE: {
        swShape *shape = read_shape(r, f, json);
        sw_pointer_put(at, 0, shape);
        return shape != NULL;
    }
    case SW_FIELD_KIND:
    case SW_FIELD_LABEL:
    case SW_FIELD_UNION: return read_kind(r, f, json, object);
    case SW_FIELD_EMBED: break; // has no key of its own
    }
    return true;
}

// The field with that key; *object becomes the struct that contains it.
static const swField *find(const swTable *table, const char *key, void **object) {
    for (int i = 0; i < table->count; i++) {
        const swField *f = &table->field[i];
        if (f->type == SW_FIELD_EMBED) {
            void *inner = sw_pointer_at(*object, f->offset);
            const swField *found = find(f->table, key, &inner);
            if (found) {
                *object = inner;
                return found;
            }
        } else if (strcmp(f->key, key) == 0)
            return f;
    }
    return NULL;
}

static bool fail_unknown(Reader *r, const swTable *table, const swJson *member) {
    const char *names[SW_SCHEMA_NAMES];
    char list[320];
    int count = sw_schema_keys(table, names);
    const char *near = sw_text_nearest(member->key, names, count);
    if (near)
        sw_place_fail(&r->place, r->error, SW_ERROR_FORMAT, "unknown key, did you mean \"%s\"?",
                      near);
    else
        sw_place_fail(&r->place, r->error, SW_ERROR_FORMAT, "unknown key, expected one of %s",
                      sw_schema_join(names, count, list, sizeof list));
    return locate(r, member->key_line, member->key_column);
}

static bool read_object(Reader *r, const swTable *table, const swJson *json, void *object) {
    const swField *given[SW_EITHER + 1] = {0}; // the one given in each group
    char list[320];
    for (int i = 0; i < json->count; i++) {
        const swJson *member = &json->item[i];
        void *owner = object;
        const swField *f = find(table, member->key, &owner);
        sw_place_key(&r->place, member->key);
        if (!f)
            return fail_unknown(r, table, member);
        if (f->either && given[f->either]) {
            sw_place_fail(&r->place, r->error, SW_ERROR_FORMAT,
                          "expected only one of %s, found \"%s\" as well",
                          sw_schema_either(table, f->either, list, sizeof list),
                          given[f->either]->key);
            return locate(r, member->key_line, member->key_column);
        }
        given[f->either] = f;
        if (!read_field(r, f, member, owner))
            return false;
        sw_place_up(&r->place);
    }
    if (table->exactly_one && !given[1]) {
        sw_place_fail(&r->place, r->error, SW_ERROR_FORMAT, "expected one of %s, found none",
                      sw_schema_either(table, 1, list, sizeof list));
        return locate(r, json->line, json->column);
    }
    return true;
}

// ---- scenes ----

static bool read_scene(Reader *r, const swJson *root) {
    if (root->type != SW_JSON_OBJECT)
        return fail_found(r, "an object with the keys of a scene", root);
    // Check the version first: another version may have other keys.
    const swField *version = &sw_scene_table.field[0];
    const swJson *given = sw_json_member(root, version->key);
    sw_place_key(&r->place, version->key);
    if (!given) {
        fail_type(r, version, NULL);
        return locate(r, root->line, root->column);
    }
    if (!read_version(r, version, given))
        return false;
    sw_place_up(&r->place);
    if (!read_object(r, &sw_scene_table, root, r->scene))
        return false;
    if (!r->scene->materials && !sw_scene_add_material(r->scene, NULL))
        return sw_fail_memory(r->error, sizeof(swMaterial));
    if (sw_scene_check_at(r->scene, &r->place, r->error))
        return true;
    // Report the value in the file that is nearest to the offending key.
    const swJson *at = root, *inner = root;
    for (int i = 0; i < r->place.depth && inner; i++) {
        inner = r->place.at[i].key ? sw_json_member(at, r->place.at[i].key)
                                   : sw_json_at(at, r->place.at[i].index);
        at = inner ? inner : at;
    }
    return locate(r, at->line, at->column);
}

swScene *sw_scene_parse(const char *json, size_t size, const char *name, const swConfig *config,
                        swError *error) {
    swError local = {.code = SW_OK};
    swScene *scene = sw_scene_create(config);
    if (!scene) {
        sw_fail_memory(error, sizeof(struct swSceneMemory));
        return NULL;
    }
    swArena scratch;
    sw_arena_init(&scratch, &scene->memory->config.allocator);
    Reader r = {.scene = scene, .arena = &scene->memory->arena, .name = name ? name : "scene"};
    r.error = &local;
    const swJson *root = sw_json_parse(json, size, r.name, &scratch, &local);
    bool ok = root && read_scene(&r, root);
    sw_arena_free(&scratch);
    if (ok)
        return scene;
    sw_scene_destroy(scene);
    if (error)
        *error = local;
    return NULL;
}

// A .json file, or any file that starts like one.
static bool looks_like_scene(const char *path, const char *data) {
    if (strncmp(data, "\xef\xbb\xbf", 3) == 0)
        data += 3;
    return sw_text_has_suffix(path, ".json") || data[strspn(data, " \t\r\n")] == '{';
}

static bool fail_unknown_file(const char *path, swError *error) {
    char mesh[128] = "", tets[128] = "", image[128] = "";
    for (int i = 0; sw_mesh_format_at(i); i++)
        if (sw_mesh_format_at(i)->read)
            snprintf(mesh + strlen(mesh), sizeof mesh - strlen(mesh), ", %s",
                     sw_mesh_format_at(i)->suffix);
    for (int i = 0; sw_tets_format_at(i); i++)
        snprintf(tets + strlen(tets), sizeof tets - strlen(tets), ", %s",
                 sw_tets_format_at(i)->suffix);
    for (int i = 0; sw_image_format_at(i); i++)
        snprintf(image + strlen(image), sizeof image - strlen(image), ", %s",
                 sw_image_format_at(i)->suffix);
    return sw_fail_at(
        error, SW_ERROR_UNSUPPORTED, path, 0, 0,
        "expected a scene (.json), a mesh (%s), tetrahedra (%s) or a volume (%s), found "
        "none of them",
        mesh + 2, tets + 2, image + 2);
}

swScene *sw_scene_read(const char *path, const swConfig *config, swError *error) {
    swScene *scene = NULL;
    if (sw_scene_is_character(path, config))
        return sw_scene_read_character(path, NULL, config, error);
    if (sw_mesh_format(path) || sw_tets_format(path) || sw_image_format(path)) {
        scene = sw_scene_create(config);
        if (scene && sw_scene_drop(scene, path, error))
            return scene;
        if (!scene)
            sw_fail_memory(error, sizeof(struct swSceneMemory));
        sw_scene_destroy(scene);
        return NULL;
    }
    swConfig chosen = config ? *config : sw_default_config();
    swArena scratch;
    char *data;
    size_t size;
    sw_arena_init(&scratch, &chosen.allocator);
    if (sw_file_read(path, &scratch, &data, &size, error)) {
        if (looks_like_scene(path, data))
            scene = sw_scene_parse(data, size, path, config, error);
        else
            fail_unknown_file(path, error);
    }
    sw_arena_free(&scratch);
    if (scene && !sw_scene_set_folder(scene, path, error)) {
        sw_scene_destroy(scene);
        scene = NULL;
    }
    return scene;
}
