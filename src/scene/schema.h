// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The keys of the scene file: one table per struct of sinew/scene.h. Reading, writing, checking,
// defaults and the reference of keys all walk these tables; nothing about a key stands anywhere
// else.
#pragma once

#include "core/core.h"
#include "core/json.h"
#include "sinew/scene.h"

#include <string.h>

typedef enum swFieldType {
    SW_FIELD_VERSION, // the number 1; kept nowhere
    SW_FIELD_REAL,    // swReal; not-a-number where it is not given
    SW_FIELD_ANGLE,   // swReal [rad]; degrees in files
    SW_FIELD_COURSE,  // swReal; not-a-number where an object of fields says it over time
    SW_FIELD_INT,     // int
    SW_FIELD_VEC3,    // swVec3
    SW_FIELD_PAIR,    // swReal[2]
    SW_FIELD_TEXT,    // const char *
    SW_FIELD_FILE,    // the same, a path
    SW_FIELD_NAME,    // the same, one that name_at() knows
    SW_FIELD_ENUM,    // an enumerator, by the names
    SW_FIELD_ENUMS,   // an array of them and its count
    SW_FIELD_TEXTS,   // an array of const char * and its count
    SW_FIELD_FIXED,   // the only name there is; kept nowhere
    SW_FIELD_WORD,    // bool: the only name there is was given
    SW_FIELD_BOOL,    // bool
    SW_FIELD_SWITCH,  // an enumerator: false, true, and then by the names
    SW_FIELD_POINTS,  // swVec3 array and its count
    SW_FIELD_POLYGON, // swReal array of x, y and its count
    SW_FIELD_GRAPH,   // the same of x, f(x), ascending in x; the range is that of f
    SW_FIELD_LABELS,  // swLabels *: an object of "labels": "material"
    SW_FIELD_SWAPS,   // swLabels *: an object of "material": "material"
    SW_FIELD_OBJECT,  // a table of fields inside this struct
    SW_FIELD_OPTION,  // a pointer to a struct of such a table, or NULL
    SW_FIELD_LIST,    // a linked list of structs
    SW_FIELD_MAP,     // the same, as an object of named ones
    SW_FIELD_CHOICE,  // an enumerator by its name; the one past the names is an object of fields
    SW_FIELD_SHAPE,   // swShape *: an object with the key of its kind
    SW_FIELD_EMBED,   // swShape *: the key of its kind stands among this struct's own keys
    SW_FIELD_KIND,    // swShape: this key says the kind; its value is an object of fields
    SW_FIELD_LABEL,   // swShape: the same, its value is a label or a text of them
    SW_FIELD_UNION    // swShape: the same, its value is a list of shapes
} swFieldType;

typedef enum swRangeKind {
    SW_ANY,
    SW_ABOVE,    // lo < x
    SW_AT_LEAST, // lo <= x
    SW_BETWEEN,  // lo < x < hi
    SW_FROM_TO,  // lo <= x <= hi
    SW_NONZERO   // vectors: some component is not zero
} swRangeKind;

typedef struct swTable swTable;
typedef struct swPlace swPlace;

typedef struct swField {
    const char *key;
    swFieldType type;
    size_t offset, count_offset; // in the struct
    const char *const *names;    // ENUM, ENUMS, FIXED, WORD, CHOICE, SWITCH: ended by NULL
    const char *(*name_at)(int); // NAME
    const swTable *table;        // of the fields, items or kinds
    int kind;                    // KIND, UNION: the swShapeKind
    const char *unit;
    // Each component, the length of a list (numbers of items), or of a text (1: not empty).
    struct {
        swRangeKind kind;
        swReal lo, hi;
    } range;
    swReal number[3]; // the default of numbers, vectors and enumerators
    const char *text; // the default of texts
    bool required;    // has no default
    int either;       // 1, 2: at most one field of those with the same number may be given; 0: any
    const char *doc;
} swField;

struct swTable {
    const char *name; // in the reference
    const swField *field;
    int count;
    size_t size;      // of the struct, for those that lists hold
    bool named;       // items have names, all different
    const char *item; // what nameless items are called ("body": body1, body2, ...), or NULL
    bool exactly_one; // of the fields with `either` 1 must be given
    bool line;        // written on one line
    const swTable *(*written)(const void *item); // the keys that are written; NULL: all
    // Of what moves a body: whether it and the body go together, once their keys are sound one by
    // one; `place` is at it, and left at the culprit. NULL: always.
    bool (*check)(const swScene *scene, const swBody *body, swPlace *place, swError *error);
};

extern const swTable sw_scene_table;
extern const swTable sw_material_table, sw_activation_table, sw_body_table, sw_handle_table,
    sw_key_table, sw_load_table, sw_slide_table, sw_cut_table;
extern const swTable sw_collider_table, sw_probe_table, sw_joint_table, sw_frames_table,
    sw_skeleton_table;
extern const swTable sw_muscle_table, sw_beam_table, sw_deform_table, sw_rest_shape_table;
extern const swTable sw_pose_table;
const swTable *sw_body_written(const void *body); // the keys of a body that are written
extern const swTable sw_shape_table;              // of bodies
extern const swTable sw_region_table;             // of handles and loads

// A material's keys with those of its law. `field` backs the result.
enum { SW_MATERIAL_FIELDS = 13 + SW_MATERIAL_PARAMS };
swTable sw_schema_material(const swMaterial *material, swField field[SW_MATERIAL_FIELDS]);
// The KIND, LABEL or UNION field of that kind, or NULL.
const swField *sw_schema_kind(const swTable *kinds, int kind);
// That of whatever may have such a shape.
const swField *sw_schema_any_kind(int kind);
swReal sw_schema_radians(swReal degrees);
// What sw_schema_radians() turns into those radians again, 90 rather than 90.00000000000001. A few
// radians lie between two neighbouring degrees: then one of these.
swReal sw_schema_degrees(swReal radians);
// Sets every field of the struct to its default.
void sw_schema_default(const swTable *table, void *object);
// "a number above 0", `one of "a", "b"`. Returns `out`.
const char *sw_schema_expected(const swField *field, char *out, size_t size);
// `"a", "b"`, cut where it grows long. Returns `out`.
const char *sw_schema_join(const char *const *names, int count, char *out, size_t size);
// The names a NAME, ENUM, ... field may have; returns how many.
enum { SW_SCHEMA_NAMES = 64 };
enum { SW_SWITCH_NAMES = 2 }; // the enumerator that a SWITCH's first name stands for
int sw_schema_names(const swField *field, const char *names[SW_SCHEMA_NAMES]);
// The keys of a table, those of embedded shapes included.
int sw_schema_keys(const swTable *table, const char *names[SW_SCHEMA_NAMES]);
// `"a", "b"`: the keys that exclude each other, "" where there are none. Returns `out`.
const char *sw_schema_either(const swTable *table, int group, char *out, size_t size);
enum { SW_EITHER_MODEL = 2, SW_EITHER = 2 }; // what moves a body; groups

// ---- where we are: bodies[0].frames.kind ----
struct swPlace {
    int depth;
    struct {
        const char *key; // or NULL: index
        int index;
    } at[SW_JSON_DEPTH + 8];
};

static inline void sw_place_key(swPlace *place, const char *key) {
    SW_ASSERT(place->depth < SW_COUNT(place->at));
    place->at[place->depth].key = key;
    place->at[place->depth++].index = 0;
}
static inline void sw_place_index(swPlace *place, int index) {
    sw_place_key(place, NULL);
    place->at[place->depth - 1].index = index;
}
static inline void sw_place_up(swPlace *place) { place->depth--; }
const char *sw_place_text(const swPlace *place, char *out, size_t size); // returns `out`
// Like sw_fail(), with the place before the message.
bool sw_place_fail(const swPlace *place, swError *error, swStatus code, const char *format, ...)
    SW_PRINTF(4, 5);

// ---- members of structs known by table alone; `next` is the first one of every item ----
static inline void *sw_pointer_at(const void *object, size_t offset) {
    void *p;
    memcpy(&p, (const char *)object + offset, sizeof p);
    return p;
}
static inline void sw_pointer_put(void *object, size_t offset, const void *p) {
    memcpy((char *)object + offset, &p, sizeof p);
}
static inline void *sw_next(const void *item) { return sw_pointer_at(item, 0); }
enum { SW_NAME_OFFSET = offsetof(swBody, name) }; // the same in every named item
static inline const char *sw_name(const void *item) { return sw_pointer_at(item, SW_NAME_OFFSET); }
