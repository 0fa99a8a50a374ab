// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The keys of the scene file: one table per struct of sinew/scene.h. Reading, writing, checking,
// default values and the key reference all use these tables; nothing about a key is defined
// anywhere else.
#pragma once

#include "core/core.h"
#include "core/json.h"
#include "sinew/scene.h"

#include <string.h>

typedef enum swFieldType {
    SW_FIELD_VERSION, // the number 1; not stored
    SW_FIELD_REAL,    // swReal; not-a-number if not given
    SW_FIELD_ANGLE,   // swReal [rad]; degrees in files
    SW_FIELD_COURSE,  // swReal; not-a-number if an object of fields gives it over time
    SW_FIELD_INT,     // int
    SW_FIELD_VEC3,    // swVec3
    SW_FIELD_PAIR,    // swReal[2]
    SW_FIELD_TEXT,    // const char *
    SW_FIELD_FILE,    // the same, a path
    SW_FIELD_NAME,    // the same, one of those returned by name_at()
    SW_FIELD_ENUM,    // an enumerator, given by name
    SW_FIELD_ENUMS,   // an array of them and its count
    SW_FIELD_TEXTS,   // an array of const char * and its count
    SW_FIELD_FIXED,   // the only possible name; not stored
    SW_FIELD_WORD,    // bool: whether the only possible name was given
    SW_FIELD_BOOL,    // bool
    SW_FIELD_SWITCH,  // an enumerator: false, true, then by name
    SW_FIELD_POINTS,  // swVec3 array and its count
    SW_FIELD_POLYGON, // swReal array of x, y and its count
    SW_FIELD_GRAPH,   // the same with x, f(x), ascending in x; the range applies to f
    SW_FIELD_LABELS,  // swLabels *: an object of "labels": "material"
    SW_FIELD_SWAPS,   // swLabels *: an object of "material": "material"
    SW_FIELD_OBJECT,  // a table of fields inside this struct
    SW_FIELD_OPTION,  // a pointer to a struct with such a table, or NULL
    SW_FIELD_LIST,    // a linked list of structs
    SW_FIELD_MAP,     // the same, given as an object with named members
    SW_FIELD_CHOICE,  // an enumerator given by name; the one after the last is an object of fields
    SW_FIELD_SHAPE,   // swShape *: an object with a key for its kind
    SW_FIELD_EMBED,   // swShape *: the key for its kind is one of this struct's own keys
    SW_FIELD_KIND,    // swShape: this key gives the kind; its value is an object of fields
    SW_FIELD_LABEL,   // swShape: the same, with a label or a string of labels as value
    SW_FIELD_UNION    // swShape: the same, with a list of shapes as value
} swFieldType;

typedef enum swRangeKind {
    SW_ANY,
    SW_ABOVE,    // lo < x
    SW_AT_LEAST, // lo <= x
    SW_BETWEEN,  // lo < x < hi
    SW_FROM_TO,  // lo <= x <= hi
    SW_NONZERO   // vectors: at least one component is not zero
} swRangeKind;

typedef struct swTable swTable;
typedef struct swPlace swPlace;

typedef struct swField {
    const char *key;
    swFieldType type;
    size_t offset, count_offset; // in the struct
    const char *const *names;    // for ENUM, ENUMS, FIXED, WORD, CHOICE, SWITCH: terminated by NULL
    const char *(*name_at)(int); // for NAME
    const swTable *table;        // of the fields, items or kinds
    int kind;                    // for KIND, UNION: the swShapeKind
    const char *unit;
    // Applies to each component, to the length of a list (in items), or to that of a text (1: not
    // empty).
    struct {
        swRangeKind kind;
        swReal lo, hi;
    } range;
    swReal number[3]; // default value of numbers, vectors and enumerators
    const char *text; // default value of texts
    bool required;    // has no default value
    int either; // 1, 2: at most one field with the same number may be given; 0: no such restriction
    const char *doc;
} swField;

struct swTable {
    const char *name; // name in the reference
    const swField *field;
    int count;
    size_t size;      // size of the struct, for items of lists
    bool named;       // items have names, which must be unique
    const char *item; // default name of items ("body": body1, body2, ...), or NULL
    bool exactly_one; // one of the fields with `either` 1 must be given
    bool line;        // write it on one line
    const swTable *(*written)(const void *item); // selects the keys to write; NULL: all
    // For what moves a body: checks whether it is consistent with the body, once their keys are
    // valid individually. `place` is at it, and on failure left at the offending key. NULL: always
    // valid.
    bool (*check)(const swScene *scene, const swBody *body, swPlace *place, swError *error);
};

extern const swTable sw_scene_table;
extern const swTable sw_material_table, sw_activation_table, sw_body_table, sw_handle_table,
    sw_key_table, sw_load_table, sw_slide_table, sw_cut_table;
extern const swTable sw_collider_table, sw_probe_table, sw_joint_table, sw_frames_table,
    sw_skeleton_table;
extern const swTable sw_muscle_table, sw_beam_table, sw_deform_table, sw_rest_shape_table;
extern const swTable sw_pose_table;
const swTable *sw_body_written(const void *body); // the keys to write for a body
extern const swTable sw_shape_table;              // of bodies
extern const swTable sw_region_table;             // of handles and loads

// The keys of a material including those of its law. `field` is the storage for the result.
enum { SW_MATERIAL_FIELDS = 13 + SW_MATERIAL_PARAMS };
swTable sw_schema_material(const swMaterial *material, swField field[SW_MATERIAL_FIELDS]);
// The KIND, LABEL or UNION field for that kind, or NULL.
const swField *sw_schema_kind(const swTable *kinds, int kind);
// The same, searching everything that can have such a shape.
const swField *sw_schema_any_kind(int kind);
swReal sw_schema_radians(swReal degrees);
// The degrees that sw_schema_radians() converts back to exactly these radians, e.g. 90 rather than
// 90.00000000000001. For the few radians that lie between two neighbouring degrees, it returns one
// of the two.
swReal sw_schema_degrees(swReal radians);
// Sets all fields of the struct to their default values.
void sw_schema_default(const swTable *table, void *object);
// "a number above 0", `one of "a", "b"`. Returns `out`.
const char *sw_schema_expected(const swField *field, char *out, size_t size);
// `"a", "b"`, truncated if it grows too long. Returns `out`.
const char *sw_schema_join(const char *const *names, int count, char *out, size_t size);
// Lists the names that a NAME, ENUM, ... field may have; returns how many.
enum { SW_SCHEMA_NAMES = 64 };
enum { SW_SWITCH_NAMES = 2 }; // the enumerator of a SWITCH's first name
int sw_schema_names(const swField *field, const char *names[SW_SCHEMA_NAMES]);
// Lists the keys of a table, including those of embedded shapes; returns how many.
int sw_schema_keys(const swTable *table, const char *names[SW_SCHEMA_NAMES]);
// `"a", "b"`: the keys that exclude each other, "" if there are none. Returns `out`.
const char *sw_schema_either(const swTable *table, int group, char *out, size_t size);
enum { SW_EITHER_MODEL = 2, SW_EITHER = 2 }; // the group of what moves a body; the number of groups

// ---- the current position in a scene: bodies[0].frames.kind ----
struct swPlace {
    int depth;
    struct {
        const char *key; // NULL: use index
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
// Like sw_fail(), with the place in front of the message.
bool sw_place_fail(const swPlace *place, swError *error, swStatus code, const char *format, ...)
    SW_PRINTF(4, 5);

// ---- members of structs known only by their table; `next` is the first member of every item ----
static inline void *sw_pointer_at(const void *object, size_t offset) {
    void *p;
    memcpy(&p, (const char *)object + offset, sizeof p);
    return p;
}
static inline void sw_pointer_put(void *object, size_t offset, const void *p) {
    memcpy((char *)object + offset, &p, sizeof p);
}
static inline void *sw_next(const void *item) { return sw_pointer_at(item, 0); }
enum { SW_NAME_OFFSET = offsetof(swBody, name) }; // the same for all named items
static inline const char *sw_name(const void *item) { return sw_pointer_at(item, SW_NAME_OFFSET); }
