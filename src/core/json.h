// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// JSON (RFC 8259). Reading keeps the line and column of every value, for error messages; writing
// streams to a file.
#pragma once

#include "core/core.h"

enum { SW_JSON_DEPTH = 64 }; // lists and objects inside each other, at most

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
    int line, column;         // of the value, from 1; columns count characters
    int key_line, key_column; // of the key
    int count;                // bytes of a text, items of an array, members of an object
    const char *key;          // of a member of an object, else NULL
    union {
        bool boolean;
        double number;             // finite
        const char *text;          // UTF-8 with a final zero and no other one
        const struct swJson *item; // `count` values in the order of the file
    };
} swJson;

// Parses `size` bytes into `arena`; `name` stands in error messages. NULL with `error` filled when
// it is not JSON, nests too deep, or an object has the same key twice. A byte order mark is
// skipped.
const swJson *sw_json_parse(const char *text, size_t size, const char *name, swArena *arena,
                            swError *error);
// The member of that name; NULL when there is none, or `object` is NULL or no object.
const swJson *sw_json_member(const swJson *object, const char *key);
// Item `index` of an array; NULL past its ends, or when `array` is NULL or no array.
const swJson *sw_json_at(const swJson *array, int index);
// A value as errors show it: `0.5`, `"afine"` (cut when long), `a list of 2`, `an object`.
// "nothing" for NULL. Returns `out`.
const char *sw_json_describe(const swJson *value, char out[64]);
bool sw_json_is_utf8(const char *text);

// ---- writing ----
// Start with {.file = file, .indent = 2}. `key` is NULL inside arrays and at the top. A failure to
// write is kept in the file; sw_file_close() tells.
typedef struct swJsonWriter {
    swFile *file;
    int indent; // spaces per level; 0: no white space at all
    int depth;
    int line;    // depth from which everything goes on one line; 0: nowhere
    bool filled; // the innermost array or object has a member
    char close[SW_JSON_DEPTH];
} swJsonWriter;

void sw_json_begin(swJsonWriter *w, const char *key, char bracket);      // '[' or '{'
void sw_json_begin_line(swJsonWriter *w, const char *key, char bracket); // all of it on one line
void sw_json_end(swJsonWriter *w); // the last end also ends the line
void sw_json_put_number(swJsonWriter *w, const char *key, double value); // null when not finite
void sw_json_put_numbers(swJsonWriter *w, const char *key, int count, const double *value);
void sw_json_put_vector(swJsonWriter *w, const char *key, swVec3 v);
void sw_json_put_int(swJsonWriter *w, const char *key, int64_t value);
void sw_json_put_bool(swJsonWriter *w, const char *key, bool value);
// Escaped as needed; bytes that are not UTF-8 become U+FFFD. null for NULL.
void sw_json_put_text(swJsonWriter *w, const char *key, const char *text);
// A value that was read, with all that is in it: numbers to the same bits, members in their order.
void sw_json_put(swJsonWriter *w, const char *key, const swJson *value);
