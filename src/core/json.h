// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// JSON (RFC 8259). The reader keeps the line and column of every value for error messages; the
// writer streams to a file.
#pragma once

#include "core/core.h"

enum { SW_JSON_DEPTH = 64 }; // maximum nesting of lists and objects

typedef enum swJsonType {
    SW_JSON_NULL,
    SW_JSON_BOOL,
    SW_JSON_NUMBER,
    SW_JSON_TEXT,
    SW_JSON_ARRAY,
    SW_JSON_OBJECT
} swJsonType;

typedef struct swJson {
    swJsonType type;
    int line, column;         // where the value starts, from 1; columns count characters
    int key_line, key_column; // where its key starts
    int count;                // bytes of a text, items of an array, or members of an object
    const char *key;          // for members of an object, else NULL
    union {
        bool boolean;
        double number;             // always finite
        const char *text;          // UTF-8, zero-terminated, with no other zero byte
        const struct swJson *item; // `count` values in file order
    };
} swJson;

// Parses `size` bytes into `arena`; `name` is the file name shown in error messages. Returns NULL
// with `error` filled when the text is not JSON, nests too deeply, or has an object with the same
// key twice. A byte order mark is skipped.
const swJson *sw_json_parse(const char *text, size_t size, const char *name, swArena *arena,
                            swError *error);
// The member with that key; NULL if there is none, or if `object` is NULL or not an object.
const swJson *sw_json_member(const swJson *object, const char *key);
// Item `index` of an array; NULL if out of range, or if `array` is NULL or not an array.
const swJson *sw_json_at(const swJson *array, int index);
// Describes a value for error messages: `0.5`, `"afine"` (cut when long), `a list of 2`, `an
// object`; "nothing" for NULL. Returns `out`.
const char *sw_json_describe(const swJson *value, char out[64]);
bool sw_json_is_utf8(const char *text);

// ---- writing ----
// Start with {.file = file, .indent = 2}. `key` is NULL inside arrays and at the top level. Write
// failures are kept in the file and reported by sw_file_close().
typedef struct swJsonWriter {
    swFile *file;
    int indent; // spaces per level; 0: no white space at all
    int depth;
    int line;    // depth from which everything is written on one line; 0: no such depth
    bool filled; // the innermost array or object already has a member
    char close[SW_JSON_DEPTH];
} swJsonWriter;

void sw_json_begin(swJsonWriter *w, const char *key, char bracket);      // '[' or '{'
void sw_json_begin_line(swJsonWriter *w, const char *key, char bracket); // all of it on one line
void sw_json_end(swJsonWriter *w); // the outermost end also ends the line
void sw_json_put_number(swJsonWriter *w, const char *key, double value); // null when not finite
void sw_json_put_numbers(swJsonWriter *w, const char *key, int count, const double *value);
void sw_json_put_vector(swJsonWriter *w, const char *key, swVec3 v);
void sw_json_put_int(swJsonWriter *w, const char *key, int64_t value);
void sw_json_put_bool(swJsonWriter *w, const char *key, bool value);
// Escapes what needs escaping; bytes that are not UTF-8 become U+FFFD. Writes null for NULL.
void sw_json_put_text(swJsonWriter *w, const char *key, const char *text);
// Writes a value that was read, with all its contents: numbers keep their bits, members their
// order.
void sw_json_put(swJsonWriter *w, const char *key, const swJson *value);
