// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/volume_fill.h"

#include "geometry/labels.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEVELS = 4096,    // for an image with more distinct values than palette entries
    SMALL = 65536,    // number of 16-bit values
    SLOTS = 1 << 18,  // size of the table of values
    NONE = INT32_MIN, // no label
};

// ---- values ----

// Values of at most 16 bits as an index from 0 to SMALL - 1; -1 for wider types.
static int small_number(const swImage *m, size_t i) {
    switch (m->type) {
    case SW_IMAGE_U8: return ((const uint8_t *)m->data)[i];
    case SW_IMAGE_I8: return ((const int8_t *)m->data)[i] + SMALL / 2;
    case SW_IMAGE_U16: return ((const uint16_t *)m->data)[i];
    case SW_IMAGE_I16: return ((const int16_t *)m->data)[i] + SMALL / 2;
    default: return -1;
    }
}

static swReal small_value(const swImage *m, int number) {
    const bool is_signed = m->type == SW_IMAGE_I8 || m->type == SW_IMAGE_I16;
    return m->slope * (number - (is_signed ? SMALL / 2 : 0)) + m->intercept;
}

static bool is_small(const swImage *m) { return m->type <= SW_IMAGE_I16; }

// A hash table of values, for wider types.
typedef struct ValueTable {
    swReal *key;
    int *number; // 1 + number of the key, or 0
} ValueTable;

static bool table_init(ValueTable *t, swArena *arena, swError *error) {
    t->key = SW_NEW(arena, SLOTS, swReal, error);
    t->number = SW_NEW(arena, SLOTS, int, error);
    return t->key && t->number;
}

// The slot that holds the value, or a free one for it.
static size_t table_slot(const ValueTable *t, swReal value) {
    uint64_t bits;
    value += 0.0; // turns -0 into 0
    memcpy(&bits, &value, sizeof bits);
    size_t at = (size_t)(bits * 0x9e3779b97f4a7c15ull >> 46);
    _Static_assert(SLOTS == 1 << 18, "the top 18 bits of 64");
    while (t->number[at] && t->key[at] != value)
        at = (at + 1) % SLOTS;
    return at;
}

typedef struct Counted {
    swReal value;
    size_t voxels;
} Counted;

static int by_value(const void *a, const void *b) {
    const swReal x = ((const Counted *)a)->value, y = ((const Counted *)b)->value;
    return (x > y) - (x < y);
}

static bool count_small(const swImage *image, Counted *list, int *count, swArena *scratch,
                        swError *error) {
    const size_t n = sw_image_count(image);
    size_t *seen = SW_NEW(scratch, SMALL, size_t, error);
    if (!seen)
        return false;
    for (size_t i = 0; i < n; i++)
        seen[small_number(image, i)]++;
    for (int i = 0; i < SMALL; i++)
        if (seen[i] && isfinite(small_value(image, i)))
            list[(*count)++] = (Counted){small_value(image, i), seen[i]};
    return true;
}

static bool count_wide(const swImage *image, Counted *list, int *count, bool *all, swReal range[2],
                       swArena *scratch, swError *error) {
    const size_t n = sw_image_count(image);
    ValueTable table;
    if (!table_init(&table, scratch, error))
        return false;
    swReal last = NAN;
    int at = -1; // index of the last value in the list
    for (size_t i = 0; i < n; i++) {
        const swReal v = sw_image_value(image, i);
        if (!isfinite(v))
            continue;
        if (v != last) {
            size_t slot = table_slot(&table, v);
            if (!table.number[slot] && *count < SMALL) {
                table.key[slot] = list[*count].value = v + 0.0;
                table.number[slot] = ++*count;
            }
            at = table.number[slot] - 1;
            *all = *all && at >= 0;
            last = v;
            range[0] = sw_min(range[0], v);
            range[1] = sw_max(range[1], v);
        }
        if (at >= 0)
            list[at].voxels++;
    }
    return true;
}

bool sw_image_values(const swImage *image, swArena *arena, swImageValues *values, swError *error) {
    swReal range[2] = {INFINITY, -INFINITY};
    swArena scratch;
    int count = 0;
    *values = (swImageValues){.all = true};
    sw_arena_init(&scratch, &arena->allocator);
    Counted *list = SW_NEW(&scratch, SMALL, Counted, error);
    bool ok = list && (is_small(image)
                           ? count_small(image, list, &count, &scratch, error)
                           : count_wide(image, list, &count, &values->all, range, &scratch, error));
    if (ok) {
        qsort(list, (size_t)count, sizeof *list, by_value);
        values->value = SW_NEW(arena, count, swReal, error);
        values->voxels = SW_NEW(arena, count, size_t, error);
        ok = values->value && values->voxels;
    }
    for (int i = 0; ok && i < count; i++) {
        const int n = values->count;
        if (n == 0 || values->value[n - 1] != list[i].value) // a slope of zero makes values equal
            values->value[values->count++] = list[i].value;
        values->voxels[values->count - 1] += list[i].voxels;
    }
    values->all = values->all && values->count <= SW_IMAGE_VALUES;
    if (count) {
        values->lo = sw_min(range[0], list[0].value);
        values->hi = sw_max(range[1], list[count - 1].value);
    }
    sw_arena_free(&scratch);
    return ok;
}

// ---- entries ----

typedef struct Fill {
    const swSolidSource *source;
    const swShape *shape;
    swImageValues values;
    int nrange;
    swLabelRange *range;
    const char **material; // of each range
    int *shared;           // of each range: the entry that all its labels share, or 0
    bool *met;             // of each range: whether it occurs in the image
    swFilled *filled;
} Fill;

static bool fail(const Fill *f, const char *key, swStatus code, const char *format, ...)
    SW_PRINTF(4, 5);
static bool fail(const Fill *f, const char *key, swStatus code, const char *format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return sw_fail(f->source->error, code, "%s.volume%s: %s: %s", f->source->key, key,
                   f->shape->file ? f->shape->file : "the image", text);
}

static bool is_grey(const swShape *shape) { return shape->nyoung > 0 || shape->ndensity > 0; }

// Interpolates linearly between the pairs, constant beyond them; not-a-number without any.
static swReal map_at(const swReal *pair, int n, swReal x) {
    if (n == 0)
        return NAN;
    if (!(x > pair[0]))
        return pair[1];
    for (int i = 1; i < n; i++) {
        const swReal *a = pair + 2 * (i - 1), *b = pair + 2 * i;
        if (x <= b[0])
            return a[1] + (b[1] - a[1]) * ((x - a[0]) / (b[0] - a[0]));
    }
    return pair[2 * n - 1];
}

static int add_entry(Fill *f, const char *material, int label, swReal value) {
    const swShape *s = f->shape;
    const int number = f->filled->npalette++;
    f->filled->palette[number] = (swSolidEntry){.material = material,
                                                .label = label,
                                                .young = map_at(s->young, s->nyoung, value),
                                                .density = map_at(s->density, s->ndensity, value)};
    return number;
}

// The palette entry for a value; 0: outside.
static int entry_of(Fill *f, swReal value) {
    if (!f->shape->labels)
        return value == 0 ? 0 : add_entry(f, NULL, is_grey(f->shape) ? NONE : (int)value, value);
    int r = 0;
    while (r < f->nrange && !(f->range[r].lo <= value && value <= f->range[r].hi))
        r++;
    if (r == f->nrange)
        return 0;
    f->met[r] = true;
    if (f->shared[r])
        return f->shared[r];
    const bool apart = f->values.count <= SW_IMAGE_LABELS && !is_grey(f->shape);
    const int entry = add_entry(f, f->material[r], apart ? (int)value : f->range[r].lo, value);
    if (!apart && !is_grey(f->shape))
        f->shared[r] = entry;
    return entry;
}

static bool read_labels(Fill *f, swArena *scratch) {
    swError *error = f->source->error;
    f->range = SW_NEW(scratch, SW_LABELS_MAX, swLabelRange, error);
    f->material = SW_NEW(scratch, SW_LABELS_MAX, const char *, error);
    f->shared = SW_NEW(scratch, SW_LABELS_MAX, int, error);
    f->met = SW_NEW(scratch, SW_LABELS_MAX, bool, error);
    if (!f->range || !f->material || !f->shared || !f->met)
        return false;
    for (const swLabels *l = f->shape->labels; l; l = l->next) {
        const int first = f->nrange;
        if (!l->labels || !sw_labels_parse(l->labels, f->range, &f->nrange))
            return fail(f, ".labels", SW_ERROR_VALUE,
                        "expected labels such as \"1-3, 12\", at most %d of them, found \"%.60s\"",
                        SW_LABELS_MAX, l->labels ? l->labels : "");
        for (int i = first; i < f->nrange; i++)
            f->material[i] = l->material;
    }
    return true;
}

// Labels must be whole numbers, and not too many.
static bool check_labels(const Fill *f) {
    const swImageValues *v = &f->values;
    const char *key = f->shape->labels ? ".labels" : "";
    for (int i = 0; i < v->count; i++)
        if (v->value[i] != floor(v->value[i]) || fabs(v->value[i]) > INT32_MAX)
            return fail(f, key, SW_ERROR_VALUE,
                        "expected whole numbers as labels, found %g; use a \"map\" for grey values",
                        v->value[i]);
    if (!v->all || (!f->shape->labels && v->count > SW_IMAGE_LABELS))
        return fail(f, key, SW_ERROR_VALUE,
                    "it has %s%d different values from %g to %g, like a grey image: say what is "
                    "filled with \"labels\" (ranges such as \"200-3000\") or \"map\"",
                    v->all ? "" : "more than ", v->count, v->lo, v->hi);
    return true;
}

// Warns of ranges that do not occur in the image.
static void warn_unmet(const Fill *f) {
    char text[160] = "";
    int unmet = 0;
    for (int r = 0; r < f->nrange; r++) {
        const swLabelRange *range = &f->range[r];
        const size_t used = strlen(text);
        if (f->met[r])
            continue;
        unmet++;
        if (used + 32 < sizeof text && range->lo == range->hi)
            snprintf(text + used, sizeof text - used, ", %d", range->lo);
        else if (used + 32 < sizeof text)
            snprintf(text + used, sizeof text - used, ", %d-%d", range->lo, range->hi);
    }
    if (unmet)
        sw_warn(f->source->config, "%s.volume.labels: %s has no voxels for %d of the labels: %s",
                f->source->key, f->shape->file ? f->shape->file : "the image", unmet, text + 2);
}

static bool fail_empty(const Fill *f) {
    char text[160] = "", number[32];
    for (int i = 0; i < f->values.count; i++) {
        const size_t used = strlen(text);
        sw_text_format(f->values.value[i], number);
        if (used + strlen(number) + 8 > sizeof text) {
            snprintf(text + used, sizeof text - used, ", ...");
            break;
        }
        snprintf(text + used, sizeof text - used, ", %s", number);
    }
    return fail(f, f->shape->labels ? ".labels" : "", SW_ERROR_GEOMETRY,
                "nothing is filled; the values of the image are %s",
                text[0] ? text + 2 : "not finite");
}

// The index of a value in the list, or -1.
static int find_value(const swImageValues *values, swReal v) {
    int lo = 0, hi = values->count;
    while (lo < hi) {
        const int middle = (lo + hi) / 2;
        if (values->value[middle] < v)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < values->count && values->value[lo] == v ? lo : -1;
}

// `of` holds the entry for each value.
static bool fill_small(const Fill *f, const swImage *image, const uint16_t *of, swArena *scratch) {
    const size_t n = sw_image_count(image);
    uint16_t *of_number = SW_NEW(scratch, SMALL, uint16_t, f->source->error);
    if (!of_number)
        return false;
    for (int i = 0; i < SMALL; i++) {
        const int at = find_value(&f->values, small_value(image, i));
        of_number[i] = at >= 0 ? of[at] : 0;
    }
    for (size_t i = 0; i < n; i++)
        f->filled->entry[i] = of_number[small_number(image, i)];
    return true;
}

static bool fill_wide(const Fill *f, const swImage *image, const uint16_t *of, swArena *scratch) {
    const size_t n = sw_image_count(image);
    ValueTable table;
    if (!table_init(&table, scratch, f->source->error))
        return false;
    for (int i = 0; i < f->values.count; i++) {
        const size_t slot = table_slot(&table, f->values.value[i]);
        table.key[slot] = f->values.value[i];
        table.number[slot] = 1 + of[i];
    }
    swReal last = NAN;
    uint16_t entry = 0;
    for (size_t i = 0; i < n; i++) {
        const swReal v = sw_image_value(image, i);
        if (v != last) // also true for NaN
            entry = isfinite(v) ? (uint16_t)(table.number[table_slot(&table, v)] - 1) : 0;
        last = v;
        f->filled->entry[i] = entry;
    }
    return true;
}

// Gives each value an entry of its own or a shared one.
static bool fill_values(Fill *f, const swImage *image, swArena *scratch) {
    uint16_t *of = SW_NEW(scratch, f->values.count, uint16_t, f->source->error);
    if (!of)
        return false;
    for (int i = 0; i < f->values.count; i++)
        of[i] = (uint16_t)entry_of(f, f->values.value[i]);
    return is_small(image) ? fill_small(f, image, of, scratch) : fill_wide(f, image, of, scratch);
}

// For too many grey values: uses even levels over the part of their range where the maps vary.
static void fill_levels(Fill *f, const swImage *image) {
    const swShape *s = f->shape;
    const size_t n = sw_image_count(image);
    swReal lo = INFINITY, hi = -INFINITY;
    if (s->nyoung) {
        lo = s->young[0];
        hi = s->young[2 * s->nyoung - 2];
    }
    if (s->ndensity) {
        lo = sw_min(lo, s->density[0]);
        hi = sw_max(hi, s->density[2 * s->ndensity - 2]);
    }
    lo = sw_clamp(lo, f->values.lo, f->values.hi);
    hi = sw_clamp(hi, f->values.lo, f->values.hi);
    for (int i = 0; i < LEVELS; i++)
        add_entry(f, NULL, NONE, lo + (i + 0.5) * ((hi - lo) / LEVELS));
    for (size_t i = 0; i < n; i++) {
        const swReal v = sw_image_value(image, i);
        if (v == 0 || !isfinite(v))
            continue;
        const swReal level = hi > lo ? (v - lo) / (hi - lo) * LEVELS : 0;
        f->filled->entry[i] = (uint16_t)(1 + (int)sw_clamp(level, 0, LEVELS - 1));
    }
    sw_info(
        f->source->config,
        "%s.volume: %s has more than %d different values: they are grouped into %d levels from %g "
        "to %g",
        f->source->key, s->file ? s->file : "the image", SW_IMAGE_VALUES, LEVELS, lo, hi);
}

bool sw_volume_fill(const swSolidSource *source, const swImage *image, swArena *scratch,
                    swFilled *filled) {
    swError *error = source->error;
    Fill f = {.source = source, .shape = source->shape, .filled = filled};
    if (!sw_image_values(image, scratch, &f.values, error) ||
        (f.shape->labels && !read_labels(&f, scratch)))
        return false;
    if ((f.shape->labels || !is_grey(f.shape)) && !check_labels(&f))
        return false;
    const int most = f.values.all ? f.values.count : LEVELS;
    filled->entry = SW_NEW(scratch, sw_image_count(image), uint16_t, error);
    filled->palette = SW_NEW(source->arena, (size_t)most + 2, swSolidEntry, error);
    filled->npalette = 1;
    if (!filled->entry || !filled->palette)
        return false;
    if (!f.values.all)
        fill_levels(&f, image);
    else if (!fill_values(&f, image, scratch))
        return false;
    if (filled->npalette == 1)
        return fail_empty(&f);
    warn_unmet(&f);
    return true;
}
