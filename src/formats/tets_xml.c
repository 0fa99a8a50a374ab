// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/tets_xml.h"

#include "formats/image_read.h"

#include <string.h>

static bool is_white(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool sw_xml_fail(const swXml *x, swStatus code, swError *error, const char *format, ...) {
    char text[SW_ERROR_MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return sw_fail_at(error, code, NULL, x->s.line, 0, "%s", text);
}

// ---- tags ----

bool sw_xml_open(swXml *x, const swMeshFile *file, swArena *arena, swError *error) {
    *x = (swXml){.start = file->data, .arena = arena, .header = 4};
    return sw_scan_open(&x->s, file, error);
}

static void move_to(swXml *x, const char *to) {
    for (; x->s.at < to; x->s.at++)
        x->s.line += *x->s.at == '\n';
}

static const char *find(const char *at, const char *end, const char *text) {
    const size_t n = strlen(text);
    for (; end - at >= (ptrdiff_t)n; at++)
        if (memcmp(at, text, n) == 0)
            return at;
    return NULL;
}

int sw_xml_next(swXml *x, swXmlTag *tag, swError *error) {
    for (;;) {
        const char *at = memchr(x->s.at, '<', (size_t)(x->s.end - x->s.at));
        if (!at) {
            move_to(x, x->s.end);
            return 0;
        }
        move_to(x, at);
        const bool comment = find(at, at + 4 < x->s.end ? at + 4 : x->s.end, "<!--") != NULL;
        const char *close = find(at, x->s.end, comment ? "-->" : ">");
        if (!close) {
            sw_xml_fail(x, SW_ERROR_FORMAT, error,
                        "expected the end of a %s, found the end of the "
                        "file",
                        comment ? "comment" : "tag");
            return -1;
        }
        move_to(x, close + (comment ? 3 : 1));
        if (comment || at[1] == '?' || at[1] == '!')
            continue;
        *tag = (swXmlTag){.closing = at[1] == '/', .empty = close[-1] == '/'};
        tag->name = at + 1 + tag->closing;
        tag->end = close - (tag->empty && close > tag->name);
        tag->at = tag->name;
        while (tag->at < tag->end && !is_white(*tag->at))
            tag->at++;
        tag->nname = (int)(tag->at - tag->name);
        return 1;
    }
}

bool sw_xml_is(const swXmlTag *tag, const char *name) {
    return sw_scan_is(tag->name, tag->nname, name);
}

int sw_xml_attribute(const swXmlTag *tag, const char *name, const char **value) {
    *value = "";
    for (const char *p = tag->at; p < tag->end;) {
        while (p < tag->end && is_white(*p))
            p++;
        const char *key = p;
        while (p < tag->end && *p != '=' && !is_white(*p))
            p++;
        const int nkey = (int)(p - key);
        while (p < tag->end && (is_white(*p) || *p == '='))
            p++;
        if (p >= tag->end || (*p != '"' && *p != '\''))
            return 0;
        const char *text = p + 1, *close = memchr(text, *p, (size_t)(tag->end - text));
        if (!close)
            return 0;
        if (sw_scan_is(key, nkey, name)) {
            *value = text;
            return (int)(close - text);
        }
        p = close + 1;
    }
    return 0;
}

int64_t sw_xml_integer(const swXmlTag *tag, const char *name) {
    const char *text;
    double value;
    const int n = sw_xml_attribute(tag, name, &text);
    if (n == 0 || sw_text_number(text, text + n, &value) != text + n || value != floor(value) ||
        !(value >= 0 && value < 1e15))
        return -1;
    return (int64_t)value;
}

// ---- arrays ----

static const struct swNumber {
    const char *name;
    int size;
} numbers[] = {{"Int8", 1},   {"UInt8", 1}, {"Int16", 2},  {"UInt16", 2},  {"Int32", 4},
               {"UInt32", 4}, {"Int64", 8}, {"UInt64", 8}, {"Float32", 4}, {"Float64", 8}};

bool sw_xml_array(swXml *x, const swXmlTag *tag, swXmlArray *a, swError *error) {
    const char *text;
    int n = sw_xml_attribute(tag, "type", &text);
    const char *close = memchr(x->s.at, '<', (size_t)(x->s.end - x->s.at));
    *a = (swXmlArray){.from = x->s.at, .end = close ? close : x->s.end, .line = x->s.line};
    if (tag->empty)
        a->end = a->from;
    a->type = SW_XML_OTHER;
    for (int i = 0; i < SW_COUNT(numbers); i++)
        if (sw_scan_is(text, n, numbers[i].name))
            a->type = (swXmlType)i;
    a->nname = sw_xml_attribute(tag, "Name", &a->name);
    a->ncomponent = sw_xml_attribute(tag, "NumberOfComponents", &text) > 0
                        ? sw_xml_integer(tag, "NumberOfComponents")
                        : 1;
    n = sw_xml_attribute(tag, "format", &text);
    a->format = sw_scan_is(text, n, "binary")     ? SW_XML_BASE64
                : sw_scan_is(text, n, "appended") ? SW_XML_APPENDED
                                                  : SW_XML_TEXT;
    a->offset = sw_xml_integer(tag, "offset");
    return a->format != SW_XML_APPENDED || a->offset >= 0 ||
           sw_xml_fail(x, SW_ERROR_FORMAT, error, "an appended array has no offset");
}

bool sw_xml_appended(swXml *x, const swXmlTag *tag, swError *error) {
    const char *text;
    const int n = sw_xml_attribute(tag, "encoding", &text);
    x->appended_base64 = sw_scan_is(text, n, "base64");
    if (!x->appended_base64 && !sw_scan_is(text, n, "raw"))
        return sw_xml_fail(x, SW_ERROR_UNSUPPORTED, error,
                           "the appended data has the encoding '%.*s'; expected raw or base64",
                           sw_min_int(n, 40), text);
    while (x->s.at < x->s.end && is_white(*x->s.at))
        x->s.at++;
    if (x->s.at >= x->s.end || *x->s.at != '_')
        return sw_xml_fail(x, SW_ERROR_FORMAT, error, "expected _ before the appended data");
    x->appended = x->s.at + 1;
    return true;
}

// Bytes, possibly in base64. Padding may also occur inside base64, when parts were encoded
// separately.
typedef struct swBytes {
    const char *at, *end;
    bool base64;
    unsigned bits;
    int nbit;
} swBytes;

static int digit(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

static bool take(swBytes *b, char *to, size_t n) {
    if (!b->base64) {
        if ((size_t)(b->end - b->at) < n)
            return false;
        memcpy(to, b->at, n);
        b->at += n;
        return true;
    }
    for (size_t i = 0; i < n;) {
        if (b->at >= b->end)
            return false;
        const char c = *b->at++;
        if (c == '=')
            b->nbit = 0;
        if (c == '=' || is_white(c))
            continue;
        if (digit(c) < 0)
            return false;
        b->bits = (b->bits << 6 | (unsigned)digit(c)) & 0xffff;
        b->nbit += 6;
        if (b->nbit >= 8) {
            b->nbit -= 8;
            to[i++] = (char)(b->bits >> b->nbit & 0xff);
        }
    }
    return true;
}

static bool take_count(const swXml *x, swBytes *b, uint64_t *value) {
    char bytes[8];
    if (!take(b, bytes, (size_t)x->header))
        return false;
    *value = sw_load(bytes, x->header, x->big);
    return true;
}

static size_t left_in(const swBytes *b) {
    return b->base64 ? (size_t)(b->end - b->at) / 4 * 3 + 3 : (size_t)(b->end - b->at);
}

static bool refuse(const swXmlArray *a, const char *what, size_t expected, uint64_t found,
                   swError *error) {
    return sw_fail_at(error, SW_ERROR_FORMAT, NULL, a->line, 0,
                      "%s: expected %zu bytes, found %llu", what, expected,
                      (unsigned long long)found);
}

static bool truncated(const swXmlArray *a, const char *what, swError *error) {
    return sw_fail_at(error, SW_ERROR_FORMAT, NULL, a->line, 0,
                      "%s: the encoded data ends too early, or is damaged", what);
}

// The data begins with the number of blocks, the size of each block and of the last one, and the
// compressed size of each block.
static bool inflate_blocks(swXml *x, const swXmlArray *a, swBytes *b, const char *what, char *to,
                           size_t bytes, swError *error) {
    uint64_t nblock, size, last;
    if (!take_count(x, b, &nblock) ||
        (nblock > 0 && (!take_count(x, b, &size) || !take_count(x, b, &last))))
        return truncated(a, what, error);
    if (nblock == 0)
        return bytes == 0 || refuse(a, what, bytes, 0, error);
    last = last ? last : size;
    if (nblock > left_in(b) / (size_t)x->header || size > bytes || last > bytes ||
        (nblock > 1 && size > (bytes - last) / (nblock - 1)) || (nblock - 1) * size + last != bytes)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, a->line, 0,
                          "%s: %llu compressed blocks of %llu and %llu bytes; expected %zu bytes",
                          what, (unsigned long long)nblock, (unsigned long long)size,
                          (unsigned long long)last, bytes);
    uint64_t *packed = SW_NEW(x->arena, nblock, uint64_t, error);
    for (uint64_t i = 0; packed && i < nblock; i++)
        if (!take_count(x, b, &packed[i]) || packed[i] > left_in(b))
            return truncated(a, what, error);
    for (uint64_t i = 0; packed && i < nblock; i++) {
        const size_t n = (size_t)(i + 1 < nblock ? size : last);
        swArena scratch;
        sw_arena_init(&scratch, &x->arena->allocator);
        char *block = SW_NEW(&scratch, packed[i], char, error), *out = NULL;
        if (block && take(b, block, (size_t)packed[i])) {
            swInput in = {.at = block, .left = (size_t)packed[i]};
            if (sw_input_inflate(&in, &scratch, error))
                out = sw_input_finish(&in, n, what, &scratch, error);
        } else if (block)
            truncated(a, what, error);
        if (out)
            memcpy(to, out, n);
        sw_arena_free(&scratch);
        if (!out)
            return false;
        to += n;
    }
    return packed != NULL;
}

static char *decode(swXml *x, const swXmlArray *a, const char *what, size_t bytes, swError *error) {
    swBytes b = {.at = a->from, .end = a->end, .base64 = true};
    if (a->format == SW_XML_APPENDED) {
        if (!x->appended || a->offset > x->s.end - x->appended) {
            sw_fail_at(error, SW_ERROR_FORMAT, NULL, a->line, 0,
                       "%s: byte %lld of the appended data does not exist", what,
                       (long long)a->offset);
            return NULL;
        }
        b = (swBytes){x->appended + a->offset, x->s.end, x->appended_base64, 0, 0};
    }
    const size_t most = x->zipped ? 1032 : 1; // the best compression ratio of deflate
    if (bytes / most > left_in(&b)) {
        refuse(a, what, bytes, left_in(&b), error);
        return NULL;
    }
    char *to = SW_NEW(x->arena, bytes ? bytes : 1, char, error);
    if (!to)
        return NULL;
    if (x->zipped)
        return inflate_blocks(x, a, &b, what, to, bytes, error) ? to : NULL;
    uint64_t found;
    if (!take_count(x, &b, &found))
        truncated(a, what, error);
    else if (found != bytes)
        refuse(a, what, bytes, found, error);
    else if (!take(&b, to, bytes))
        truncated(a, what, error);
    else
        return to;
    return NULL;
}

static void load(const char *p, swXmlType type, bool big, double *real, int64_t *whole) {
    const uint64_t bits = sw_load(p, numbers[type].size, big);
    int64_t w = 0;
    double r = NAN;
    switch (type) {
    case SW_XML_I8: w = (int8_t)bits; break;
    case SW_XML_I16: w = (int16_t)bits; break;
    case SW_XML_I32: w = (int32_t)bits; break;
    case SW_XML_F32: r = (double)sw_load_float(p, big); break;
    case SW_XML_F64: r = sw_load_double(p, big); break;
    default: w = (int64_t)bits; break;
    }
    const bool is_real = type == SW_XML_F32 || type == SW_XML_F64;
    if (real)
        *real = is_real ? r : (double)w;
    else
        *whole = !is_real ? w : fabs(r) < 1e15 ? (int64_t)r : -1;
}

static bool parse(const swXmlArray *a, const char *what, int64_t count, double *real,
                  int64_t *whole, swError *error) {
    swScan s = {a->from, a->end, a->line};
    int64_t i = 0;
    for (sw_scan_white(&s); s.at < s.end && i < count; sw_scan_white(&s), i++)
        if (real ? !sw_scan_number(&s, &real[i], error) : !sw_scan_integer(&s, &whole[i], error))
            return false;
    return (i == count && s.at >= s.end) ||
           sw_fail_at(error, SW_ERROR_FORMAT, NULL, s.line, 0,
                      "%s: expected %lld numbers, found %s%lld", what, (long long)count,
                      i == count ? "more than " : "", (long long)i);
}

// One of `real` and `whole` is given.
static bool read_numbers(swXml *x, const swXmlArray *a, const char *what, int64_t count,
                         double *real, int64_t *whole, swError *error) {
    if (a->format == SW_XML_TEXT)
        return parse(a, what, count, real, whole, error);
    const size_t size = (size_t)numbers[a->type].size;
    const char *bytes = decode(x, a, what, (size_t)count * size, error);
    for (int64_t i = 0; bytes && i < count; i++)
        load(bytes + (size_t)i * size, a->type, x->big, real ? &real[i] : NULL,
             whole ? &whole[i] : NULL);
    return bytes != NULL;
}

static bool check(const swXml *x, const swXmlArray *a, const char *what, int64_t count,
                  swError *error) {
    if (!a->from)
        return sw_fail(error, SW_ERROR_FORMAT, "the file has no array of %s", what);
    if (a->type == SW_XML_OTHER)
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, a->line, 0,
                          "%s: expected an array of numbers like Float32 or Int64", what);
    // The most that text or deflate could store in the whole file.
    const int64_t most = (x->s.end - x->start) * (x->zipped ? 1032 : 1) + 1;
    return count <= most ||
           sw_fail_at(error, SW_ERROR_FORMAT, NULL, a->line, 0,
                      "%s: %lld numbers cannot fit in the file", what, (long long)count);
}

double *sw_xml_reals(swXml *x, const swXmlArray *a, const char *what, int64_t count,
                     swError *error) {
    if (!check(x, a, what, count, error))
        return NULL;
    double *to = SW_NEW(x->arena, count ? count : 1, double, error);
    return to && read_numbers(x, a, what, count, to, NULL, error) ? to : NULL;
}

int64_t *sw_xml_integers(swXml *x, const swXmlArray *a, const char *what, int64_t count,
                         swError *error) {
    if (!check(x, a, what, count, error))
        return NULL;
    int64_t *to = SW_NEW(x->arena, count ? count : 1, int64_t, error);
    return to && read_numbers(x, a, what, count, NULL, to, error) ? to : NULL;
}
