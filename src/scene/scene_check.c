// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Checks that a scene is valid, whether it was read from a file or built in C.
#include "scene/scene.h"

#include "geometry/labels.h"
#include "material/law.h"
#include "math/vec.h"

#include <math.h>

// Leaves room below the deepest shape for the JSON of its keys.
enum { SHAPE_DEPTH = SW_JSON_DEPTH - 4, SUGGESTIONS = 256 };
static const swReal max_steps = 1e9;

typedef struct Check {
    const swScene *scene;
    swPlace *place; // goes up only on success, so that a failure leaves it at the offending key
    swError *error;
} Check;

static bool check_table(Check *c, const swTable *table, const void *object);

static bool fail_value(Check *c, const swField *f, const char *found) {
    char expected[400];
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE, "expected %s, found %s",
                         sw_schema_expected(f, expected, sizeof expected), found);
}

static bool fail_text(Check *c, const swField *f, const char *found) {
    char text[64];
    swJson value = {SW_JSON_TEXT, .count = (int)strnlen(found, 1000), .text = found};
    return fail_value(c, f, sw_json_describe(&value, text));
}

// ---- numbers ----

static bool in_range(const swField *f, swReal x) {
    swReal lo = f->range.lo, hi = f->range.hi;
    switch (f->range.kind) {
    case SW_ABOVE: return x > lo;
    case SW_AT_LEAST: return x >= lo;
    case SW_BETWEEN: return x > lo && x < hi;
    case SW_FROM_TO: return x >= lo && x <= hi;
    case SW_ANY:
    case SW_NONZERO: break;
    }
    return true;
}

static const char *number_text(swReal x, char out[32]) {
    if (isnan(x))
        return "not-a-number";
    if (isinf(x))
        return x > 0 ? "infinity" : "-infinity";
    sw_text_format(x, out);
    return out;
}

static bool check_numbers(Check *c, const swField *f, int count, const swReal *x) {
    if (isnan(x[0]) && !f->required && isnan(f->number[0]))
        return true; // optional and not given
    bool good = true, zero = true, given = false;
    for (int i = 0; i < count; i++) {
        good = good && isfinite(x[i]) && in_range(f, x[i]);
        zero = zero && x[i] == 0;
        given = given || !isnan(x[i]);
    }
    if (good && !(zero && f->range.kind == SW_NONZERO))
        return true;
    char text[3][32], found[128];
    if (!given)
        snprintf(found, sizeof found, "nothing");
    else if (count == 1)
        snprintf(found, sizeof found, "%s", number_text(x[0], text[0]));
    else
        snprintf(found, sizeof found, count == 2 ? "[%s, %s]" : "[%s, %s, %s]",
                 number_text(x[0], text[0]), number_text(x[1], text[1]),
                 number_text(x[count - 1], text[2]));
    return fail_value(c, f, found);
}

static bool check_whole(Check *c, const swField *f, int x) {
    char found[32];
    if (in_range(f, x))
        return true;
    snprintf(found, sizeof found, "%d", x);
    return fail_value(c, f, found);
}

// Reads the number of items of an array, which must exist.
static bool check_count(Check *c, const swField *f, const void *object, int *count) {
    const void *x = sw_pointer_at(object, f->offset);
    char found[48];
    memcpy(count, (const char *)object + f->count_offset, sizeof *count);
    if (in_range(f, *count) && (*count == 0 || x))
        return true;
    snprintf(found, sizeof found, x || *count == 0 ? "%d" : "%d at a null pointer", *count);
    return fail_value(c, f, found);
}

// An array of `count` tuples of `width` numbers.
static bool check_array(Check *c, const swField *f, const void *object, int width) {
    const swReal *x = sw_pointer_at(object, f->offset);
    int count;
    if (!check_count(c, f, object, &count))
        return false;
    for (int i = 0; i < count * width; i++)
        if (!isfinite(x[i])) {
            sw_place_index(c->place, i / width);
            return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                 "expected finite numbers, found not-a-number or infinity");
        }
    return true;
}

// Pairs x, f(x), ascending in x.
static bool check_graph(Check *c, const swField *f, const void *object) {
    const swReal *x = sw_pointer_at(object, f->offset);
    const swField rows = {.type = SW_FIELD_POLYGON,
                          .offset = f->offset,
                          .count_offset = f->count_offset,
                          .range = {SW_FROM_TO, 0, 10000}};
    int count;
    if (!check_array(c, &rows, object, 2) || !check_count(c, &rows, object, &count))
        return false;
    for (int i = 0; i < count; i++, x += 2) {
        char before[32], found[32];
        sw_place_index(c->place, i);
        if (i > 0 && !(x[0] > x[-2]))
            return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                 "expected values in ascending order, found %s after %s",
                                 number_text(x[0], found), number_text(x[-2], before));
        const swField value = {.type = SW_FIELD_REAL, .range = f->range};
        if (!check_numbers(c, &value, 1, &x[1]))
            return false;
        sw_place_up(c->place);
    }
    return true;
}

// ---- texts ----

static bool check_name(Check *c, const swField *f, const char *name) {
    const char *names[SW_SCHEMA_NAMES];
    int count = sw_schema_names(f, names);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return fail_text(c, f, name);
}

static bool check_text(Check *c, const swField *f, const char *text) {
    if (!text)
        return f->required || f->type == SW_FIELD_NAME ? fail_value(c, f, "nothing") : true;
    if (f->type == SW_FIELD_NAME)
        return check_name(c, f, text);
    return text[0] || f->range.lo == 0 ? true : fail_text(c, f, text);
}

static bool check_enum(Check *c, const swField *f, int value) {
    const char *names[SW_SCHEMA_NAMES];
    int count = sw_schema_names(f, names) + (f->type == SW_FIELD_CHOICE) +
                (f->type == SW_FIELD_SWITCH ? SW_SWITCH_NAMES : 0);
    char found[32];
    if (value >= 0 && value < count)
        return true;
    snprintf(found, sizeof found, "the number %d", value);
    return fail_value(c, f, found);
}

static bool check_enums(Check *c, const swField *f, const void *object) {
    const int *value = sw_pointer_at(object, f->offset);
    const swField item = {.type = SW_FIELD_ENUM, .names = f->names};
    int count;
    if (!check_count(c, f, object, &count))
        return false;
    for (int i = 0; i < count; i++) {
        sw_place_index(c->place, i);
        if (!check_enum(c, &item, value[i]))
            return false;
        sw_place_up(c->place);
    }
    return true;
}

static bool check_texts(Check *c, const swField *f, const void *object) {
    const char *const *text = sw_pointer_at(object, f->offset);
    int count;
    if (!check_count(c, f, object, &count))
        return false;
    for (int i = 0; i < count; i++)
        if (!text[i] || !text[i][0]) {
            sw_place_index(c->place, i);
            return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                 "expected a non-empty string, found %s",
                                 text[i] ? "\"\"" : "none");
        }
    return true;
}

static bool fail_reference(Check *c, const char *what, const void *list, const char *name) {
    const char *names[SUGGESTIONS] = {NULL};
    char known[256], found[64];
    int n = 0;
    for (const void *item = list; item && n < SUGGESTIONS; item = sw_next(item))
        names[n++] = sw_name(item);
    if (n == 0)
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected a %s in the scene, found none", what);
    sw_schema_join(names, n, known, sizeof known);
    swJson value = {SW_JSON_TEXT, .count = name ? (int)strnlen(name, 1000) : 0, .text = name};
    const char *near = name ? sw_text_nearest(name, names, n) : NULL;
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected the name of a %s (%s), found %s%s%s%s", what, known,
                         sw_json_describe(name ? &value : NULL, found),
                         near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

// `name` must be that of an item in the list; NULL is allowed if there is exactly one.
static bool check_reference(Check *c, const char *what, const void *list, const char *name) {
    if (!name && list && !sw_next(list))
        return true;
    for (const void *item = list; item && name; item = sw_next(item))
        if (strcmp(sw_name(item), name) == 0)
            return true;
    return fail_reference(c, what, list, name);
}

// ---- shapes ----

static bool fail_labels(Check *c, const char *text) {
    char found[64];
    swJson value = {SW_JSON_TEXT, .count = text ? (int)strnlen(text, 1000) : 0, .text = text};
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected labels such as \"7\" or \"1-3, 12\", at most %d of them, found "
                         "%s",
                         SW_LABELS_MAX, sw_json_describe(text ? &value : NULL, found));
}

static bool are_labels(const char *text) {
    swLabelRange range[SW_LABELS_MAX];
    int n = 0;
    return text && sw_labels_parse(text, range, &n);
}

// Each label must occur only once, with an existing material.
static bool check_labels(Check *c, const swField *f, const swLabels *first) {
    swLabelRange range[SW_LABELS_MAX];
    int n = 0, nitem = 0;
    for (const swLabels *l = first; l; l = l->next) {
        int before = n;
        if (!check_whole(c, f, ++nitem))
            return false;
        sw_place_key(c->place, l->labels ? l->labels : "");
        if (!l->labels || !sw_labels_parse(l->labels, range, &n))
            return fail_labels(c, l->labels);
        for (int i = before; i < n; i++)
            for (int k = 0; k < i; k++)
                if (range[i].lo <= range[k].hi && range[k].lo <= range[i].hi)
                    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                         "expected each label once, found %d again",
                                         sw_max_int(range[i].lo, range[k].lo));
        if (!l->material)
            return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                 "expected the name of a material, found nothing");
        if (!check_reference(c, "material", c->scene->materials, l->material))
            return false;
        sw_place_up(c->place);
    }
    return true;
}

// All materials must exist, and each may be replaced only once.
static bool check_swaps(Check *c, const swLabels *first) {
    for (const swLabels *l = first; l; l = l->next) {
        sw_place_key(c->place, l->labels ? l->labels : "");
        if (!l->labels || !l->material)
            return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                 "expected the names of two materials, found nothing");
        if (!check_reference(c, "material", c->scene->materials, l->labels) ||
            !check_reference(c, "material", c->scene->materials, l->material))
            return false;
        for (const swLabels *other = first; other != l; other = other->next)
            if (sw_text_equal(other->labels, l->labels))
                return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                     "expected each material once, found it again");
        sw_place_up(c->place);
    }
    return true;
}

// A material for gaps must come with their width.
static bool check_fill(Check *c, const swShape *s) {
    sw_place_key(c->place, "fill");
    if (!s->fill && isnan(s->reach)) {
        sw_place_up(c->place);
        return true;
    }
    sw_place_key(c->place, s->fill ? "reach" : "material");
    if (!s->fill || isnan(s->reach))
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE, "expected %s, found nothing",
                             s->fill ? "a length" : "the name of a material");
    c->place->at[c->place->depth - 1].key = "material";
    if (!check_reference(c, "material", c->scene->materials, s->fill))
        return false;
    sw_place_up(c->place);
    sw_place_up(c->place);
    return true;
}

static bool check_geometry(Check *c, const swTable *kinds, const swShape *s) {
    bool solid = kinds != &sw_region_table;
    swReal z0 = s->zrange[0], z1 = s->zrange[1];
    if ((s->kind == SW_SHAPE_CYLINDER || s->kind == SW_SHAPE_CONE) &&
        sw_norm2(sw_sub(s->to, s->from)) == 0) {
        sw_place_key(c->place, "to");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected a point other than \"from\", found the same");
    }
    if (s->kind == SW_SHAPE_EXTRUDE && (solid ? z0 >= z1 : z0 > z1)) {
        char lo[32], hi[32];
        sw_place_key(c->place, "z");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected two numbers, the lower first, found [%s, %s]",
                             number_text(z0, lo), number_text(z1, hi));
    }
    if (s->kind == SW_SHAPE_VOLUME)
        return check_fill(c, s);
    return true;
}

// `around`: the material of the enclosing union.
static bool check_shape(Check *c, const swField *f, const swShape *s, const char *around) {
    const swTable *kinds = f->table;
    if (!s)
        return fail_value(c, f, "nothing");
    if (c->place->depth > SHAPE_DEPTH)
        return sw_place_fail(c->place, c->error, SW_ERROR_LIMIT,
                             "expected less deeply nested unions");
    const swField *kind = sw_schema_kind(kinds, (int)s->kind);
    if (!kind) {
        const swField *known = sw_schema_any_kind((int)s->kind);
        return known ? fail_text(c, f, known->key) : fail_value(c, f, "an unknown kind");
    }
    if (!check_table(c, kinds, s))
        return false;
    // A union needs no material of its own, nor does a volume whose labels name theirs.
    bool needed = s->kind != SW_SHAPE_UNION && !(s->kind == SW_SHAPE_VOLUME && s->labels);
    if (kinds == &sw_shape_table && (s->material || (!around && needed))) {
        sw_place_key(c->place, "material");
        if (!check_reference(c, "material", c->scene->materials, s->material))
            return false;
        sw_place_up(c->place);
    }
    sw_place_key(c->place, kind->key);
    if (kind->type == SW_FIELD_UNION) {
        int n = 0;
        for (const swShape *part = s->parts; part && n <= kind->range.hi; part = part->next, n++) {
            sw_place_index(c->place, n);
            if (!check_shape(c, &(swField){.type = SW_FIELD_SHAPE, .table = kinds}, part,
                             s->material ? s->material : around))
                return false;
            sw_place_up(c->place);
        }
        if (!check_whole(c, kind, n))
            return false;
    } else if (kind->type == SW_FIELD_LABEL) {
        if (!are_labels(s->label))
            return fail_labels(c, s->label);
    } else if (!check_table(c, kind->table, s) || !check_geometry(c, kinds, s))
        return false;
    sw_place_up(c->place);
    return true;
}

// ---- lists ----

// Keys must be ordered by time, which has the same offset in all kinds of keys.
static bool check_order(Check *c, const void *key, const void *before) {
    _Static_assert(offsetof(swKey, t) == offsetof(swActivationKey, t), "keys begin alike");
    char lo[32], found[32];
    swReal t, last = -INFINITY;
    memcpy(&t, (const char *)key + offsetof(swKey, t), sizeof t);
    if (before)
        memcpy(&last, (const char *)before + offsetof(swKey, t), sizeof last);
    if (t > last)
        return true;
    sw_place_key(c->place, "t");
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE, "expected a time after %s, found %s",
                         number_text(last, lo), number_text(t, found));
}

static bool check_unique(Check *c, const swField *f, const void *first, const void *item) {
    const char *name = sw_name(item);
    int i = 0;
    for (const void *other = first; other != item; other = sw_next(other), i++)
        if (strcmp(sw_name(other), name) == 0) {
            if (f->type == SW_FIELD_LIST)
                sw_place_key(c->place, "name");
            return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                 "expected a unique name, found that of %s[%d]", f->key, i);
        }
    return true;
}

static bool check_load(Check *c, const swLoad *load) {
    int given = (load->force.x != 0 || load->force.y != 0 || load->force.z != 0) +
                (load->traction.x != 0 || load->traction.y != 0 || load->traction.z != 0) +
                (load->pressure != 0);
    return given <= 1 ? true
                      : sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                      "expected one of \"force\", \"traction\", \"pressure\", "
                                      "found %d of them",
                                      given);
}

static bool check_deform(Check *c, const swDeform *part) {
    const swVec3 along = sw_sub(part->to, part->from);
    if (part->bend != 0 && part->twist != 0)
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected \"bend\" or \"twist\", found both");
    if (part->file && (part->bend != 0 || part->twist != 0 || part->stretch.x != 1 ||
                       part->stretch.y != 1 || part->stretch.z != 1))
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected a \"file\" alone, found \"stretch\", \"bend\" or \"twist\" "
                             "as well");
    if (part->bend == 0 && part->twist == 0)
        return true;
    sw_place_key(c->place, "to");
    if (sw_norm2(along) == 0)
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected a point other than \"from\", found the same");
    c->place->at[c->place->depth - 1].key = "axis";
    if (part->bend != 0 && !(sw_norm2(sw_cross(sw_unit(part->axis), sw_unit(along))) > 1e-12))
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected an axis across the line from \"from\" to \"to\", found one "
                             "along it");
    sw_place_up(c->place);
    return true;
}

// Keys later than the time at which they repeat are never reached.
static bool check_repeat(Check *c, const swTable *course, const void *object) {
    const swActivationKey *key = sw_pointer_at(object, course->field[0].offset);
    char last[32], found[32];
    swReal repeat;
    memcpy(&repeat, (const char *)object + course->field[1].offset, sizeof repeat);
    while (key && key->next)
        key = key->next;
    if (isnan(repeat) || !key || key->t <= repeat)
        return true;
    sw_place_key(c->place, course->field[1].key);
    return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                         "expected at least the time of the last key, %s, found %s",
                         number_text(key->t, last), number_text(repeat, found));
}

static bool check_material(Check *c, const swMaterial *m) {
    swField field[SW_MATERIAL_FIELDS];
    const swTable table = sw_schema_material(m, field);
    const bool additive = m->plasticity == SW_PLASTICITY_ADDITIVE;
    if (!check_table(c, &table, m))
        return false;
    if (additive && sw_law_find(m->law)->strain == SW_STRAIN_NONE) {
        sw_place_key(c->place, "plasticity");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected \"multiplicative\": the law \"%s\" is not linear in a "
                             "strain, as \"linear\" and \"stvk\" are, found \"additive\"",
                             m->law);
    }
    if (!additive && !isnan(m->limit)) {
        sw_place_key(c->place, "limit");
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected none unless plasticity is additive, found %g", m->limit);
    }
    return true;
}

// A joint needs two different bodies. A modal analysis treats each body by itself.
static bool check_joint(Check *c, const swJoint *joint) {
    sw_place_key(c->place, "body");
    if (!check_reference(c, "body", c->scene->bodies, joint->body))
        return false;
    sw_place_up(c->place);
    sw_place_key(c->place, "to");
    if (!check_reference(c, "body", c->scene->bodies, joint->to))
        return false;
    if (sw_text_equal(joint->body, joint->to))
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected a body other than \"%s\", found the same", joint->body);
    sw_place_up(c->place);
    if (c->scene->analysis == SW_ANALYSIS_MODAL)
        return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                             "expected none in a modal analysis, found one");
    for (const swBody *b = c->scene->bodies; b; b = b->next) {
        swBody own;
        sw_body_resolve(c->scene, b, &own);
        if ((sw_text_equal(b->name, joint->body) || sw_text_equal(b->name, joint->to)) &&
            own.springs && own.springs->gas)
            return sw_place_fail(c->place, c->error, SW_ERROR_VALUE,
                                 "expected bodies without gas inside, found \"%s\"", b->name);
    }
    return true;
}

static bool check_item(Check *c, const swField *f, const void *item, const void *before) {
    if (f->table == &sw_material_table)
        return check_material(c, item);
    if (!check_table(c, f->table, item))
        return false;
    if (f->table == &sw_key_table || f->table == &sw_activation_table)
        return check_order(c, item, before);
    if (f->table == &sw_load_table)
        return check_load(c, item);
    if (f->table == &sw_deform_table)
        return check_deform(c, item);
    if (f->table == &sw_body_table)
        return sw_body_check(c->scene, item, c->place, c->error);
    if (f->table == &sw_joint_table)
        return check_joint(c, item);
    if (f->table == &sw_probe_table) {
        sw_place_key(c->place, "body");
        const swProbe *probe = item;
        if (!check_reference(c, "body", c->scene->bodies, probe->body))
            return false;
        sw_place_up(c->place);
    }
    return true;
}

static bool check_list(Check *c, const swField *f, const void *first) {
    int n = 0, limit = (int)f->range.hi;
    for (const void *item = first; item && n <= limit; item = sw_next(item))
        n++;
    if (n > limit) {
        char expected[64];
        return sw_place_fail(c->place, c->error, SW_ERROR_LIMIT, "expected %s, found more",
                             sw_schema_expected(f, expected, sizeof expected));
    }
    if (!check_whole(c, f, n))
        return false;
    // Check names first: references to items rely on them.
    n = 0;
    for (const void *item = f->table->named ? first : NULL; item; item = sw_next(item), n++) {
        const char *name = sw_name(item);
        sw_place_index(c->place, n);
        if (!name || !name[0])
            return sw_place_fail(c->place, c->error, SW_ERROR_VALUE, "expected a name, found %s",
                                 name ? "an empty one" : "none");
        if (f->type == SW_FIELD_MAP)
            c->place->at[c->place->depth - 1].key = name;
        if (!check_unique(c, f, first, item))
            return false;
        sw_place_up(c->place);
    }
    n = 0;
    for (const void *item = first, *before = NULL; item; before = item, item = sw_next(item), n++) {
        sw_place_index(c->place, n);
        if (f->type == SW_FIELD_MAP)
            c->place->at[c->place->depth - 1].key = sw_name(item);
        if (!check_item(c, f, item, before))
            return false;
        sw_place_up(c->place);
    }
    return true;
}

// ---- fields ----

static bool check_field(Check *c, const swField *f, const void *object) {
    const char *at = (const char *)object + f->offset;
    swReal x[3];
    int whole;
    switch (f->type) {
    case SW_FIELD_REAL: memcpy(x, at, sizeof x[0]); return check_numbers(c, f, 1, x);
    case SW_FIELD_COURSE:
        memcpy(x, at, sizeof x[0]);
        if (!isnan(x[0]))
            return check_numbers(c, f, 1, x);
        return check_table(c, f->table, object) && check_repeat(c, f->table, object);
    case SW_FIELD_ANGLE:
        memcpy(x, at, sizeof x[0]);
        x[0] = sw_schema_degrees(x[0]); // in degrees, as in the file
        return check_numbers(c, f, 1, x);
    case SW_FIELD_PAIR: memcpy(x, at, 2 * sizeof x[0]); return check_numbers(c, f, 2, x);
    case SW_FIELD_VEC3: memcpy(x, at, sizeof x); return check_numbers(c, f, 3, x);
    case SW_FIELD_INT: memcpy(&whole, at, sizeof whole); return check_whole(c, f, whole);
    case SW_FIELD_TEXT:
    case SW_FIELD_FILE:
    case SW_FIELD_NAME: return check_text(c, f, sw_pointer_at(at, 0));
    case SW_FIELD_SWITCH:
    case SW_FIELD_ENUM: memcpy(&whole, at, sizeof whole); return check_enum(c, f, whole);
    case SW_FIELD_CHOICE:
        memcpy(&whole, at, sizeof whole);
        if (!check_enum(c, f, whole))
            return false;
        return f->names[whole] ? true : check_table(c, f->table, object);
    case SW_FIELD_ENUMS: return check_enums(c, f, object);
    case SW_FIELD_POINTS: return check_array(c, f, object, 3);
    case SW_FIELD_POLYGON: return check_array(c, f, object, 2);
    case SW_FIELD_GRAPH: return check_graph(c, f, object);
    case SW_FIELD_LABELS: return check_labels(c, f, sw_pointer_at(at, 0));
    case SW_FIELD_SWAPS: return check_swaps(c, sw_pointer_at(at, 0));
    case SW_FIELD_TEXTS: return check_texts(c, f, object);
    case SW_FIELD_OBJECT: return check_table(c, f->table, at);
    case SW_FIELD_OPTION:
        return !sw_pointer_at(at, 0) || check_table(c, f->table, sw_pointer_at(at, 0));
    case SW_FIELD_LIST:
    case SW_FIELD_MAP: return check_list(c, f, sw_pointer_at(at, 0));
    case SW_FIELD_SHAPE:
        if (!sw_pointer_at(at, 0) && !f->required)
            return true; // fall through
    case SW_FIELD_EMBED: return check_shape(c, f, sw_pointer_at(at, 0), NULL);
    case SW_FIELD_VERSION:
    case SW_FIELD_FIXED:
    case SW_FIELD_WORD:
    case SW_FIELD_BOOL:
    case SW_FIELD_KIND:
    case SW_FIELD_LABEL:
    case SW_FIELD_UNION: break; // nothing is stored for these, or the shape checks them
    }
    return true;
}

static bool check_table(Check *c, const swTable *table, const void *object) {
    for (int i = 0; i < table->count; i++) {
        const swField *f = &table->field[i];
        if (f->key)
            sw_place_key(c->place, f->key);
        if (!check_field(c, f, object))
            return false;
        if (f->key)
            sw_place_up(c->place);
    }
    return true;
}

static bool check_time(Check *c, const swTime *time) {
    char found[32];
    if (time->end / time->step <= max_steps)
        return true;
    sw_place_key(c->place, "time");
    sw_place_key(c->place, "end");
    sw_text_format(time->end / time->step, found);
    return sw_place_fail(c->place, c->error, SW_ERROR_LIMIT, "expected at most 1e9 steps, found %s",
                         found);
}

bool sw_scene_check_at(const swScene *scene, swPlace *place, swError *error) {
    Check c = {.scene = scene, .place = place, .error = error};
    place->depth = 0;
    return check_table(&c, &sw_scene_table, scene) && check_time(&c, &scene->time);
}

bool sw_scene_check(const swScene *scene, swError *error) {
    swPlace place;
    return sw_scene_check_at(scene, &place, error);
}
