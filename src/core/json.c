// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "core/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_LENGTH = 300 };

typedef struct Parser {
    const char *at, *end;
    const char *line_start;
    int line, skipped; // skipped: UTF-8 continuation bytes in this line
    int depth;
    char *text; // where the next decoded string goes; has room for all strings
    const char *name;
    swArena *arena, scratch;
    SW_LIST(swJson) stack; // values of the arrays and objects that are still open
    SW_LIST(const swJson *) order;
    swError *error;
} Parser;

// Length in bytes of the UTF-8 character at `text`, or 0 if it is not valid.
static int utf8_length(const char *text, const char *end) {
    const unsigned char *p = (const unsigned char *)text;
    if (text >= end)
        return 0;
    if (p[0] < 0x80)
        return 1;
    int n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || end - text < n)
        return 0;
    for (int i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    // overlong forms, surrogates, beyond U+10FFFF
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return n;
}

bool sw_json_is_utf8(const char *text) {
    const char *end = text + strlen(text);
    while (text < end) {
        int n = utf8_length(text, end);
        if (n == 0)
            return false;
        text += n;
    }
    return true;
}

static int column(const Parser *p) { return (int)(p->at - p->line_start) + 1 - p->skipped; }

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Fails with "expected ..., found ..." at the parser's current position.
static bool fail_expected(const Parser *p, const char *expected) {
    char found[80];
    const char *at = p->at;
    int n = utf8_length(at, p->end), word = 0;
    while (at + word < p->end && word < 24 && is_word(at[word]))
        word++;
    if (at >= p->end)
        snprintf(found, sizeof found, "the end of the text");
    else if (n == 0 || (unsigned char)*at < 0x20)
        snprintf(found, sizeof found, "the byte 0x%02x", (unsigned char)*at);
    else if (*at == '/' || *at == '#')
        snprintf(found, sizeof found, "'%c' (JSON has no comments)", *at);
    else if (*at == '\'')
        snprintf(found, sizeof found, "' (JSON uses double quotes)");
    else if (word > 0)
        snprintf(found, sizeof found, "%.*s", word, at);
    else
        snprintf(found, sizeof found, "'%.*s'", n, at);
    return sw_fail_at(p->error, SW_ERROR_FORMAT, p->name, p->line, column(p),
                      "expected %s, found %s", expected, found);
}

static void skip_space(Parser *p) {
    for (; p->at < p->end; p->at++) {
        if (*p->at == '\n') {
            p->line++;
            p->line_start = p->at + 1;
            p->skipped = 0;
        } else if (*p->at != ' ' && *p->at != '\t' && *p->at != '\r')
            return;
    }
}

// ---- strings ----

static bool read_hex4(Parser *p, unsigned *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, p->at++) {
        char c = p->at < p->end ? *p->at : 0;
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return fail_expected(p, "four hexadecimal digits after \\u");
        *code = 16 * *code + (unsigned)digit;
    }
    return true;
}

static void put_utf8(Parser *p, unsigned c) {
    if (c < 0x80)
        *p->text++ = (char)c;
    else if (c < 0x800) {
        *p->text++ = (char)(0xc0 | c >> 6);
        *p->text++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *p->text++ = (char)(0xe0 | c >> 12);
        *p->text++ = (char)(0x80 | (c >> 6 & 0x3f));
        *p->text++ = (char)(0x80 | (c & 0x3f));
    } else {
        *p->text++ = (char)(0xf0 | c >> 18);
        *p->text++ = (char)(0x80 | (c >> 12 & 0x3f));
        *p->text++ = (char)(0x80 | (c >> 6 & 0x3f));
        *p->text++ = (char)(0x80 | (c & 0x3f));
    }
}

// Called after the backslash.
static bool read_escape(Parser *p) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *known = p->at < p->end && *p->at ? strchr(from, *p->at) : NULL;
    if (known) {
        *p->text++ = to[known - from];
        p->at++;
        return true;
    }
    if (p->at >= p->end || *p->at != 'u')
        return fail_expected(p, "one of \" \\ / b f n r t u after a backslash");
    p->at++;
    unsigned code, low;
    if (!read_hex4(p, &code))
        return false;
    if (code == 0)
        return sw_fail_at(p->error, SW_ERROR_FORMAT, p->name, p->line, column(p),
                          "expected text without the character \\u0000");
    if (code >= 0xd800 && code < 0xe000) {
        bool pair = code < 0xdc00 && p->end - p->at >= 2 && p->at[0] == '\\' && p->at[1] == 'u';
        if (!pair)
            return fail_expected(p, "a pair of surrogates (\\ud83d\\ude00)");
        p->at += 2;
        if (!read_hex4(p, &low))
            return false;
        if (low < 0xdc00 || low > 0xdfff)
            return fail_expected(p, "a low surrogate (\\udc00 to \\udfff) before this place");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    put_utf8(p, code);
    return true;
}

// Called at the opening quote. A string with its final zero is never longer than its source with
// quotes, so p->text has room.
static bool read_string(Parser *p, const char **text, int *length) {
    char *start = p->text;
    p->at++;
    for (;;) {
        const char *run = p->at; // a run of plain characters
        while (run < p->end && *run >= 0x20 && *run < 0x7f && *run != '"' && *run != '\\')
            run++;
        memcpy(p->text, p->at, (size_t)(run - p->at));
        p->text += run - p->at;
        p->at = run;
        if (p->at >= p->end)
            return fail_expected(p, "the closing '\"' of a string");
        if (*p->at == '"')
            break;
        if (*p->at == '\\') {
            p->at++;
            if (!read_escape(p))
                return false;
            continue;
        }
        int n = utf8_length(p->at, p->end);
        if (n == 0)
            return fail_expected(p, "UTF-8 text");
        if (*p->at == '\n' || *p->at == '\r')
            return fail_expected(p, "the closing '\"' of a string before the end of the line");
        if ((unsigned char)*p->at < 0x20)
            return fail_expected(p, "an escape (like \\t) for this character");
        memcpy(p->text, p->at, (size_t)n);
        p->text += n;
        p->at += n;
        p->skipped += n - 1;
    }
    p->at++;
    *text = start;
    *length = (int)(p->text - start);
    *p->text++ = 0;
    return true;
}

// ---- numbers ----

static const char *skip_digits(const char *at, const char *end) {
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

static bool read_number(Parser *p, double *value) {
    const char *start = p->at, *digits;
    int start_column = column(p);
    if (*p->at == '-')
        p->at++;
    digits = p->at;
    p->at = skip_digits(p->at, p->end);
    if (p->at == digits)
        return fail_expected(p, "a digit");
    if (*digits == '0' && p->at - digits > 1)
        return sw_fail_at(p->error, SW_ERROR_FORMAT, p->name, p->line, start_column,
                          "expected a number without leading zeros, found %.*s",
                          (int)(p->at - start > 24 ? 24 : p->at - start), start);
    if (p->at < p->end && *p->at == '.') {
        digits = ++p->at;
        p->at = skip_digits(p->at, p->end);
        if (p->at == digits)
            return fail_expected(p, "a digit after the decimal point");
    }
    if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
        p->at++;
        if (p->at < p->end && (*p->at == '-' || *p->at == '+'))
            p->at++;
        digits = p->at;
        p->at = skip_digits(p->at, p->end);
        if (p->at == digits)
            return fail_expected(p, "a digit in the exponent");
    }
    if (p->at < p->end && is_word(*p->at))
        return fail_expected(p, "the end of the number");
    if (p->at - start > NUMBER_LENGTH)
        return sw_fail_at(p->error, SW_ERROR_LIMIT, p->name, p->line, start_column,
                          "expected a number of at most %d characters, found %lld", NUMBER_LENGTH,
                          (long long)(p->at - start));
    if (!sw_text_number(start, p->at, value) || !isfinite(*value))
        return sw_fail_at(p->error, SW_ERROR_FORMAT, p->name, p->line, start_column,
                          "expected a number below 1.8e308, found %.*s",
                          (int)(p->at - start > 24 ? 24 : p->at - start), start);
    return true;
}

// ---- values ----

static int compare_keys(const void *pa, const void *pb) {
    const swJson *a = *(const swJson *const *)pa, *b = *(const swJson *const *)pb;
    int c = strcmp(a->key, b->key);
    return c ? c : (a > b) - (a < b);
}

// Finds duplicate keys by sorting, so that a hostile object with many keys stays cheap.
static bool check_duplicates(Parser *p, const swJson *item, int count) {
    p->order.count = 0;
    for (int i = 0; i < count; i++) {
        const swJson **slot = SW_PUSH(&p->order, &p->scratch, p->error);
        if (!slot)
            return false;
        *slot = &item[i];
    }
    if (count > 1)
        qsort(p->order.item, (size_t)count, sizeof *p->order.item, compare_keys);
    for (int i = 1; i < count; i++) {
        const swJson *a = p->order.item[i - 1], *b = p->order.item[i];
        if (strcmp(a->key, b->key) == 0) {
            char found[64];
            swJson key = {SW_JSON_TEXT, .count = (int)strlen(b->key), .text = b->key};
            return sw_fail_at(p->error, SW_ERROR_FORMAT, p->name, b->key_line, b->key_column,
                              "expected each key once, found %s again (first on line %d)",
                              sw_json_describe(&key, found), a->key_line);
        }
    }
    return true;
}

static bool read_key(Parser *p, swJson *value) {
    value->key_line = p->line;
    value->key_column = column(p);
    int length;
    if (p->at >= p->end || *p->at != '"')
        return fail_expected(p, "a key in double quotes");
    if (!read_string(p, &value->key, &length))
        return false;
    skip_space(p);
    if (p->at >= p->end || *p->at != ':')
        return fail_expected(p, "':' after a key");
    p->at++;
    skip_space(p);
    return true;
}

static bool read_value(Parser *p, swJson *value);

// Called at the opening bracket. Items gather on the stack and move to the arena once their number
// is known.
static bool read_items(Parser *p, swJson *value) {
    bool object = *p->at == '{';
    char close = object ? '}' : ']';
    int base = p->stack.count;
    if (++p->depth > SW_JSON_DEPTH)
        return sw_fail_at(p->error, SW_ERROR_LIMIT, p->name, p->line, column(p),
                          "expected at most %d nested lists and objects", SW_JSON_DEPTH);
    p->at++;
    skip_space(p);
    bool more = p->at >= p->end || *p->at != close;
    while (more) {
        swJson item = {0};
        if ((object && !read_key(p, &item)) || !read_value(p, &item))
            return false;
        swJson *slot = SW_PUSH(&p->stack, &p->scratch, p->error);
        if (!slot)
            return false;
        *slot = item;
        skip_space(p);
        more = p->at < p->end && *p->at == ',';
        if (more) {
            p->at++;
            skip_space(p);
        } else if (p->at >= p->end || *p->at != close)
            return fail_expected(p,
                                 object ? "',' or '}' after a member" : "',' or ']' after an item");
    }
    p->at++;
    p->depth--;
    int count = p->stack.count - base;
    swJson *copy = SW_NEW(p->arena, count, swJson, p->error);
    if (!copy)
        return false;
    if (count)
        memcpy(copy, p->stack.item + base, (size_t)count * sizeof *copy);
    p->stack.count = base;
    value->type = object ? SW_JSON_OBJECT : SW_JSON_ARRAY;
    value->item = copy;
    value->count = count;
    return !object || check_duplicates(p, copy, count);
}

static bool read_word(Parser *p, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0 ||
        (p->at + n < p->end && is_word(p->at[n])))
        return false;
    p->at += n;
    return true;
}

static bool read_value(Parser *p, swJson *value) {
    value->line = p->line;
    value->column = column(p);
    char c = p->at < p->end ? *p->at : 0;
    if (c == '{' || c == '[')
        return read_items(p, value);
    if (c == '"') {
        value->type = SW_JSON_TEXT;
        return read_string(p, &value->text, &value->count);
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        value->type = SW_JSON_NUMBER;
        return read_number(p, &value->number);
    }
    if (read_word(p, "true")) {
        value->type = SW_JSON_BOOL;
        value->boolean = true;
        return true;
    }
    if (read_word(p, "false")) {
        value->type = SW_JSON_BOOL;
        return true;
    }
    if (read_word(p, "null"))
        return true;
    return fail_expected(p, "a value");
}

const swJson *sw_json_parse(const char *text, size_t size, const char *name, swArena *arena,
                            swError *error) {
    if (size >= INT32_MAX) {
        sw_fail_at(error, SW_ERROR_LIMIT, name, 0, 0,
                   "expected less than 2 GB of JSON, found more");
        return NULL;
    }
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    Parser p = {.at = text, .end = text + size, .line_start = text, .line = 1};
    p.name = name;
    p.arena = arena;
    p.error = error;
    p.text = sw_arena_alloc(arena, size + 1, 1, error);
    swJson *root = SW_NEW(arena, 1, swJson, error);
    if (!p.text || !root)
        return NULL;
    sw_arena_init(&p.scratch, &arena->allocator);
    skip_space(&p);
    bool ok = read_value(&p, root);
    if (ok) {
        skip_space(&p);
        ok = p.at == p.end || fail_expected(&p, "the end of the text");
    }
    sw_arena_free(&p.scratch);
    return ok ? root : NULL;
}

const swJson *sw_json_member(const swJson *object, const char *key) {
    if (object && object->type == SW_JSON_OBJECT)
        for (int i = 0; i < object->count; i++)
            if (strcmp(object->item[i].key, key) == 0)
                return &object->item[i];
    return NULL;
}

const swJson *sw_json_at(const swJson *array, int index) {
    bool there = array && array->type == SW_JSON_ARRAY && index >= 0 && index < array->count;
    return there ? &array->item[index] : NULL;
}

const char *sw_json_describe(const swJson *value, char out[64]) {
    if (!value)
        return strcpy(out, "nothing");
    switch (value->type) {
    case SW_JSON_NULL: strcpy(out, "null"); break;
    case SW_JSON_BOOL: strcpy(out, value->boolean ? "true" : "false"); break;
    case SW_JSON_NUMBER: sw_text_format(value->number, out); break;
    case SW_JSON_OBJECT: strcpy(out, "an object"); break;
    case SW_JSON_ARRAY: snprintf(out, 64, "a list of %d", value->count); break;
    case SW_JSON_TEXT: {
        int n = 0; // length of the whole characters that fit
        while (n < value->count && n < 40)
            n += utf8_length(value->text + n, value->text + value->count);
        snprintf(out, 64, "\"%.*s%s\"", n, value->text, n < value->count ? "..." : "");
        for (char *c = out; *c; c++)
            if ((unsigned char)*c < 0x20)
                *c = ' '; // a message is a single line
        break;
    }
    }
    return out;
}

// ---- writing ----

static void put_escaped(swFile *file, const char *text) {
    sw_file_write(file, "\"", 1);
    const char *end = text + strlen(text), *plain = text;
    while (text < end) {
        int n = utf8_length(text, end);
        unsigned char c = (unsigned char)*text;
        if (n > 0 && c >= 0x20 && c != '"' && c != '\\') {
            text += n;
            continue;
        }
        sw_file_write(file, plain, (size_t)(text - plain));
        if (n == 0)
            sw_file_print(file, "\xef\xbf\xbd");
        else if (c == '\n')
            sw_file_print(file, "\\n");
        else if (c < 0x20)
            sw_file_print(file, "\\u%04x", c);
        else
            sw_file_print(file, "\\%c", c);
        plain = ++text;
    }
    sw_file_write(file, plain, (size_t)(text - plain));
    sw_file_write(file, "\"", 1);
}

static void put_break(swJsonWriter *w) {
    if (w->indent > 0)
        sw_file_print(w->file, "\n%*s", w->indent * w->depth, "");
}

// Writes what precedes a value: comma, white space, key.
static void put_start(swJsonWriter *w, const char *key) {
    if (w->filled)
        sw_file_write(w->file, ",", 1);
    if (w->line) {
        if (w->filled && w->indent > 0)
            sw_file_write(w->file, " ", 1);
    } else if (w->depth > 0)
        put_break(w);
    if (key) {
        put_escaped(w->file, key);
        sw_file_print(w->file, w->indent > 0 ? ": " : ":");
    }
    w->filled = true;
}

void sw_json_begin(swJsonWriter *w, const char *key, char bracket) {
    SW_ASSERT(w->depth < SW_JSON_DEPTH);
    put_start(w, key);
    sw_file_write(w->file, &bracket, 1);
    w->close[w->depth++] = bracket == '{' ? '}' : ']';
    w->filled = false;
}

void sw_json_begin_line(swJsonWriter *w, const char *key, char bracket) {
    sw_json_begin(w, key, bracket);
    if (!w->line)
        w->line = w->depth;
}

void sw_json_end(swJsonWriter *w) {
    SW_ASSERT(w->depth > 0);
    w->depth--;
    if (w->filled && !w->line)
        put_break(w);
    if (w->depth < w->line)
        w->line = 0;
    sw_file_write(w->file, &w->close[w->depth], 1);
    if (w->depth == 0 && w->indent > 0)
        sw_file_write(w->file, "\n", 1);
    w->filled = true;
}

void sw_json_put_number(swJsonWriter *w, const char *key, double value) {
    put_start(w, key);
    sw_file_number(w->file, value);
}

void sw_json_put_numbers(swJsonWriter *w, const char *key, int count, const double *value) {
    sw_json_begin_line(w, key, '[');
    for (int i = 0; i < count; i++)
        sw_json_put_number(w, NULL, value[i]);
    sw_json_end(w);
}

void sw_json_put_vector(swJsonWriter *w, const char *key, swVec3 v) {
    sw_json_put_numbers(w, key, 3, (double[3]){v.x, v.y, v.z});
}

void sw_json_put_int(swJsonWriter *w, const char *key, int64_t value) {
    put_start(w, key);
    sw_file_print(w->file, "%lld", (long long)value);
}

void sw_json_put_bool(swJsonWriter *w, const char *key, bool value) {
    put_start(w, key);
    sw_file_print(w->file, "%s", value ? "true" : "false");
}

void sw_json_put_text(swJsonWriter *w, const char *key, const char *text) {
    put_start(w, key);
    if (text)
        put_escaped(w->file, text);
    else
        sw_file_print(w->file, "null");
}

void sw_json_put(swJsonWriter *w, const char *key, const swJson *value) {
    switch (value->type) {
    case SW_JSON_NULL: sw_json_put_text(w, key, NULL); break;
    case SW_JSON_BOOL: sw_json_put_bool(w, key, value->boolean); break;
    case SW_JSON_NUMBER: sw_json_put_number(w, key, value->number); break;
    case SW_JSON_TEXT: sw_json_put_text(w, key, value->text); break;
    case SW_JSON_ARRAY:
    case SW_JSON_OBJECT:
        sw_json_begin(w, key, value->type == SW_JSON_OBJECT ? '{' : '[');
        for (int i = 0; i < value->count; i++)
            sw_json_put(w, value->item[i].key, &value->item[i]);
        sw_json_end(w);
        break;
    }
}
