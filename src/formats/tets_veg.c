// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Vega's .veg: sections *VERTICES, *ELEMENTS, *MATERIAL, *SET and *REGION, and *INCLUDE for lines
// of another file. A region assigns a material to the tetrahedra of a set. A set without a region
// becomes a material with unknown constants.
#include "formats/tets_read.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8, INCLUDES = 64, ITEMS = 4096, NAME = 128 };

typedef struct swVegFile {
    const char *path;
    swScan s;
} swVegFile;

typedef struct swVegSet {
    const char *name;
    int first, count; // range in the list of members
    bool used;        // whether a region uses it
} swVegSet;

typedef struct swVegRegion {
    int set; // -1: all elements
    const char *material;
    int line;
} swVegRegion;

typedef struct swVegMaterial {
    const char *name;
    swTetMaterial values;
} swVegMaterial;

typedef struct swVeg {
    swVegFile source[DEPTH]; // the file and those it includes, innermost last
    int depth, nincluded;
    bool ended;  // the end of the file was reached
    swScan line; // the current line, without its comment
    swTetParts *parts;
    SW_LIST(int64_t) element; // number of each tetrahedron in the file
    SW_LIST(int64_t) member;  // members of all sets
    SW_LIST(swVegSet) set;
    SW_LIST(swVegMaterial) material;
    SW_LIST(swVegRegion) region;
} swVeg;

// ---- lines ----

static bool blank(char c) { return c == ' ' || c == '\t' || c == ','; }

// Errors in an included file name that file.
static bool in_source(const swVeg *g, swError *error) {
    if (error && !error->path[0] && g->depth > 1)
        snprintf(error->path, sizeof error->path, "%s", g->source[g->depth - 1].path);
    return false;
}

static bool fail(const swVeg *g, swError *error, const char *expected) {
    if (g->line.at < g->line.end || g->ended)
        sw_scan_fail(&g->line, error, expected);
    else
        sw_fail_at(error, SW_ERROR_FORMAT, NULL, g->line.line, 0,
                   "expected %s, found the end of the line", expected);
    return in_source(g, error);
}

// Limits the length of a list.
static bool has_room(const swVeg *g, int count, const char *what, swError *error) {
    return count < ITEMS ||
           sw_fail_at(error, SW_ERROR_LIMIT, NULL, g->line.line, 0, "more than %d %s", ITEMS, what);
}

static bool include(swVeg *g, const char *name, int n, swError *error) {
    const char *own = g->source[0].path;
    swArena *arena = g->parts->arena;
    if (!own)
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, g->line.line, 0,
                          "*INCLUDE of '%.*s'; this file must be complete by itself",
                          sw_min_int(n, 100), name);
    if (g->depth == DEPTH || ++g->nincluded > INCLUDES)
        return sw_fail_at(error, SW_ERROR_LIMIT, NULL, g->line.line, 0,
                          "*INCLUDE is nested more than %d levels deep or used more than %d times",
                          DEPTH - 1, INCLUDES);
    const char *slash = strrchr(own, '/');
    char *folder = slash ? sw_arena_text(arena, own, (size_t)(slash - own), error) : NULL;
    char *file = sw_arena_text(arena, name, (size_t)n, error), *data;
    swMeshFile included = {0};
    swError cause = {0};
    if ((slash && !folder) || !file ||
        !(included.path = sw_path_join(slash && !*folder ? "/." : folder, file, arena, error)))
        return false;
    if (!sw_file_read(included.path, arena, &data, &included.size, &cause)) {
        sw_fail_at(error, cause.code, NULL, g->line.line, 0, "*INCLUDE %.100s: %.200s", file,
                   cause.message);
        return in_source(g, error);
    }
    included.data = data;
    swVegFile *source = &g->source[g->depth];
    source->path = included.path;
    if (included.size > INT32_MAX || !sw_scan_open(&source->s, &included, error))
        return sw_fail_at(error, SW_ERROR_LIMIT, included.path, 0, 0, "expected a small text file");
    g->depth++;
    return true;
}

// Reads the next line that is not empty. Returns 0 at the end, -1 if an include fails.
static int next_line(swVeg *g, swError *error) {
    while (g->depth > 0) {
        swScan *s = &g->source[g->depth - 1].s;
        if (s->at >= s->end) {
            if (g->depth == 1) {
                g->line = (swScan){s->end, s->end, s->line};
                g->ended = true;
                return 0;
            }
            g->depth--;
            continue;
        }
        const char *start = s->at;
        const int number = s->line;
        sw_scan_next_line(s);
        const char *end = memchr(start, '#', (size_t)(s->at - start));
        end = end ? end : s->at;
        while (start < end && blank(*start))
            start++;
        while (start < end && (blank(end[-1]) || end[-1] == '\n' || end[-1] == '\r'))
            end--;
        g->line = (swScan){start, end, number};
        if (start == end)
            continue;
        if (end - start < 9 || !sw_scan_is(start, 8, "*INCLUDE") || !blank(start[8]))
            return 1;
        for (start += 9; start < end && blank(*start);)
            start++;
        if (!include(g, start, (int)(end - start), error))
            return -1;
    }
    return 0;
}

static void pass_blanks(swVeg *g) {
    while (g->line.at < g->line.end && blank(*g->line.at))
        g->line.at++;
}

// Reads the next word of the line, which ends at blanks or a comma.
static int next_word(swVeg *g, const char **word) {
    pass_blanks(g);
    *word = g->line.at;
    while (g->line.at < g->line.end && !blank(*g->line.at))
        g->line.at++;
    return (int)(g->line.at - *word);
}

static bool next_number(swVeg *g, double *value, swError *error) {
    pass_blanks(g);
    const char *p = sw_text_number(g->line.at, g->line.end, value);
    if (!p || (p < g->line.end && !blank(*p)))
        return fail(g, error, "a number");
    g->line.at = p;
    return true;
}

static bool next_integer(swVeg *g, int64_t *value, swError *error) {
    double number;
    const swScan start = g->line;
    if (!next_number(g, &number, error))
        return false;
    if (!(fabs(number) < 1e15) || number != floor(number)) {
        g->line = start;
        pass_blanks(g);
        return fail(g, error, "a whole number");
    }
    *value = (int64_t)number;
    return true;
}

static bool need_line(swVeg *g, const char *expected, swError *error) {
    const int found = next_line(g, error);
    if (found < 0)
        return false;
    return (found > 0 && *g->line.at != '*') || fail(g, error, expected);
}

// ---- sections ----

static bool read_count(swVeg *g, int64_t *count, int64_t *second, swError *error) {
    if (!need_line(g, "the number of items", error) || !next_integer(g, count, error) ||
        !next_integer(g, second, error))
        return false;
    return true;
}

static bool read_vertices(swVeg *g, swError *error) {
    int64_t count, dimension, number;
    swVec3 x;
    if (!read_count(g, &count, &dimension, error))
        return false;
    if (dimension != 3)
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, g->line.line, 0,
                          "vertices have %lld dimensions; expected 3", (long long)dimension);
    for (int64_t i = 0; i < count; i++)
        if (!need_line(g, "a vertex", error) || !next_integer(g, &number, error) ||
            !next_number(g, &x.x, error) || !next_number(g, &x.y, error) ||
            !next_number(g, &x.z, error) || !sw_tet_parts_vertex(g->parts, number, x, error))
            return in_source(g, error);
    return true;
}

static bool read_elements(swVeg *g, swError *error) {
    int64_t count, per, v[4];
    const char *word;
    if (!need_line(g, "TET", error))
        return false;
    const swScan start = g->line;
    const int n = next_word(g, &word);
    if (!sw_scan_is(word, n, "TET") && !sw_scan_is(word, n, "TETS")) {
        g->line = start;
        return fail(g, error, "elements of type TET");
    }
    if (!read_count(g, &count, &per, error))
        return false;
    if (per != 4)
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, g->line.line, 0,
                          "elements have %lld vertices; expected 4", (long long)per);
    for (int64_t i = 0; i < count; i++) {
        if (!need_line(g, "an element", error))
            return false;
        int64_t *number = SW_PUSH(&g->element, g->parts->arena, error);
        if (!number || !next_integer(g, number, error))
            return false;
        for (int k = 0; k < 4; k++)
            if (!next_integer(g, &v[k], error))
                return false;
        if (!sw_tet_parts_tet(g->parts, 1, v, 0, g->depth == 1 ? g->line.line : 0, error))
            return in_source(g, error);
    }
    return true;
}

static const char *rest_of_line(swVeg *g, const char *expected, swError *error) {
    pass_blanks(g);
    if (g->line.at == g->line.end) {
        fail(g, error, expected);
        return NULL;
    }
    return sw_arena_text(g->parts->arena, g->line.at,
                         (size_t)sw_min_int((int)(g->line.end - g->line.at), NAME), error);
}

// Constants of laws that are not isotropic are ignored, with a warning, except for the density,
// which all laws give first.
static bool read_material(swVeg *g, swError *error) {
    const char *name = rest_of_line(g, "the name of a material", error), *word;
    if (!has_room(g, g->material.count, "materials", error))
        return false;
    swVegMaterial *m = name ? SW_PUSH(&g->material, g->parts->arena, error) : NULL;
    if (!m || !need_line(g, "the values of a material", error))
        return false;
    *m = (swVegMaterial){name, {name, NAN, NAN, NAN}};
    const int line = g->line.line, n = next_word(g, &word);
    if (!next_number(g, &m->values.density, error))
        return false;
    if (!sw_scan_is(word, n, "ENU")) {
        sw_tet_parts_warn(g->parts, "material '%s' has the law %.*s: only its density is used",
                          name, sw_min_int(n, 40), word);
    } else if (!next_number(g, &m->values.young, error) ||
               !next_number(g, &m->values.poisson, error))
        return false;
    const swTetMaterial *v = &m->values;
    if (!(v->density > 0 && v->density < INFINITY) || v->young <= 0 || v->young == INFINITY ||
        v->poisson <= -1 || v->poisson >= 0.5) {
        sw_fail_at(error, SW_ERROR_VALUE, NULL, line, 0,
                   "material '%s': density %g, Young's modulus %g, Poisson's ratio %g; expected "
                   "the first two above 0 and the last between -1 and 0.5",
                   name, v->density, v->young, v->poisson);
        return in_source(g, error);
    }
    return true;
}

// Reads lines of numbers up to the next section, where the cursor stays.
static int read_set(swVeg *g, swError *error) {
    const char *name = rest_of_line(g, "the name of a set", error);
    if (!has_room(g, g->set.count, "sets", error))
        return -1;
    swVegSet *set = name ? SW_PUSH(&g->set, g->parts->arena, error) : NULL;
    if (!set)
        return -1;
    *set = (swVegSet){.name = name, .first = g->member.count};
    int found;
    while ((found = next_line(g, error)) > 0 && *g->line.at != '*')
        for (pass_blanks(g); g->line.at < g->line.end; pass_blanks(g)) {
            int64_t *member = SW_PUSH(&g->member, g->parts->arena, error);
            if (!member || !next_integer(g, member, error))
                return -1;
        }
    set->count = g->member.count - set->first;
    return found;
}

static bool read_region(swVeg *g, swError *error) {
    if (!need_line(g, "a set and a material", error))
        return false;
    const char *set;
    const int n = next_word(g, &set);
    if (!has_room(g, g->region.count, "regions", error))
        return false;
    swVegRegion *region = SW_PUSH(&g->region, g->parts->arena, error);
    if (!region)
        return false;
    *region = (swVegRegion){.set = -1, .line = g->line.line};
    region->material = rest_of_line(g, "the material of a region", error);
    if (!region->material)
        return false;
    for (int i = 0; i < g->set.count; i++)
        if (strlen(g->set.item[i].name) == (size_t)n &&
            memcmp(g->set.item[i].name, set, (size_t)n) == 0) {
            region->set = i;
            g->set.item[i].used = true;
        }
    if (region->set < 0 && !sw_scan_is(set, n, "allElements")) {
        sw_fail_at(error, SW_ERROR_FORMAT, NULL, g->line.line, 0, "there is no set '%.*s'",
                   sw_min_int(n, 100), set);
        return in_source(g, error);
    }
    return true;
}

// ---- materials ----

// Elements sorted by number: files may have them in any order.
typedef struct Element {
    int64_t number;
    int tet;
} Element;

static int by_number(const void *a, const void *b) {
    const int64_t x = ((const Element *)a)->number, y = ((const Element *)b)->number;
    return (x > y) - (x < y);
}

static swTetItem *find_tet(const swVeg *g, const Element *element, int64_t number) {
    const Element key = {number, 0};
    const Element *found = bsearch(&key, element, (size_t)g->element.count, sizeof key, by_number);
    return found ? &g->parts->tet.item[found->tet] : NULL;
}

static const swTetMaterial *find_material(const swVeg *g, const char *name) {
    for (int i = 0; i < g->material.count; i++)
        if (strcmp(g->material.item[i].name, name) == 0)
            return &g->material.item[i].values;
    return NULL;
}

// The tag of a material is 1 + its position in the list, in which sets are in the order of the
// file.
static int tag_of(swTetParts *parts, const swTetMaterial *material, swError *error) {
    for (int i = 0; i < parts->tag.count; i++)
        if (strcmp(parts->tag.item[i].material.name, material->name) == 0)
            return parts->tag.item[i].tag;
    const int tag = parts->tag.count + 1;
    swTetMaterial *new = sw_tet_parts_material(parts, tag, error);
    if (!new)
        return 0;
    *new = *material;
    return tag;
}

static bool use_region(swVeg *g, const swVegRegion *r, const Element *element, swError *error) {
    const swTetMaterial *material = find_material(g, r->material);
    if (!material)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, r->line, 0, "there is no material '%s'",
                          r->material);
    const int tag = tag_of(g->parts, material, error);
    if (tag == 0)
        return false;
    for (int t = 0; r->set < 0 && t < g->parts->tet.count; t++)
        g->parts->tet.item[t].tag = tag;
    const swVegSet none = {0}, *set = r->set < 0 ? &none : &g->set.item[r->set];
    for (int i = 0; i < set->count; i++) {
        const int64_t number = g->member.item[set->first + i];
        swTetItem *item = find_tet(g, element, number);
        if (!item)
            return sw_fail(error, SW_ERROR_FORMAT,
                           "set '%s' has the element %lld, which does not exist", set->name,
                           (long long)number);
        item->tag = tag;
    }
    return true;
}

// A set that no region uses is the material of those of its elements that have none. It may also be
// a set of vertices, or of elements that do not exist.
static bool use_set(swVeg *g, const swVegSet *set, const Element *element, swError *error) {
    const swTetMaterial unknown = {set->name, NAN, NAN, NAN};
    int tag = 0;
    for (int i = 0; i < set->count; i++) {
        swTetItem *item = find_tet(g, element, g->member.item[set->first + i]);
        if (!item || item->tag != 0)
            continue;
        if (tag == 0 && (tag = tag_of(g->parts, &unknown, error)) == 0)
            return false;
        item->tag = tag;
    }
    return true;
}

// Applies regions of all elements first, then sets in their order.
static bool apply(swVeg *g, swError *error) {
    const int n = g->element.count;
    Element *element = SW_NEW(g->parts->arena, sw_max_int(n, 1), Element, error);
    if (!element)
        return false;
    for (int t = 0; t < n; t++)
        element[t] = (Element){g->element.item[t], t};
    qsort(element, (size_t)n, sizeof *element, by_number);
    for (int set = -1; set < g->set.count; set++) {
        for (int i = 0; i < g->region.count; i++)
            if (g->region.item[i].set == set && !use_region(g, &g->region.item[i], element, error))
                return false;
        if (set >= 0 && !g->set.item[set].used && !use_set(g, &g->set.item[set], element, error))
            return false;
    }
    return true;
}

// ---- the file ----

static int read_section(swVeg *g, swError *error) {
    const char *word;
    const swScan start = g->line;
    const int n = next_word(g, &word);
    bool ok = true;
    if (sw_scan_is(word, n, "*VERTICES"))
        ok = read_vertices(g, error);
    else if (sw_scan_is(word, n, "*ELEMENTS"))
        ok = read_elements(g, error);
    else if (sw_scan_is(word, n, "*MATERIAL"))
        ok = read_material(g, error);
    else if (sw_scan_is(word, n, "*SET"))
        return read_set(g, error);
    else if (sw_scan_is(word, n, "*REGION"))
        ok = read_region(g, error);
    else {
        g->line = start;
        ok = fail(g, error, "*VERTICES, *ELEMENTS, *MATERIAL, *SET or *REGION");
    }
    return ok ? next_line(g, error) : -1;
}

static bool read_veg(const swMeshFile *file, swTetParts *parts, swError *error) {
    swVeg g = {.depth = 1, .parts = parts};
    g.source[0].path = file->path;
    snprintf(parts->report.format, sizeof parts->report.format, "Vega, text");
    if (!sw_scan_open(&g.source[0].s, file, error))
        return false;
    int found = next_line(&g, error);
    while (found > 0)
        found = read_section(&g, error);
    return found == 0 && apply(&g, error);
}

// ---- writing ----

// In this format names are single words.
static char in_name(char c) {
    return blank(c) || c == '#' || c == '*' || (c >= 0 && c < ' ') ? '_' : c;
}

static void put_name(swFile *file, const char *name) {
    if (!*name)
        sw_file_print(file, "_");
    for (; *name; name++)
        sw_file_print(file, "%c", in_name(*name));
}

static bool same_names(const char *a, const char *b) {
    a = *a ? a : "_";
    b = *b ? b : "_";
    for (; *a && *b; a++, b++)
        if (in_name(*a) != in_name(*b))
            return false;
    return !*a && !*b;
}

static bool is_known(const swTetMaterial *m) {
    return isfinite(m->density) && isfinite(m->young) && isfinite(m->poisson);
}

static bool is_word(const char *name) { return *name && !strpbrk(name, " \t,#*\n\r"); }

static void write_set(const swTetOut *out, int material) {
    const swTetMesh *m = out->mesh;
    int count = 0;
    sw_file_print(out->file, "\n*SET ");
    put_name(out->file, m->materials[material].name);
    for (int t = 0; t < m->ntet; t++)
        if (!m->material || m->material[t] == material)
            sw_file_print(out->file, "%s%d", count++ % 8 == 0 ? "\n" : ", ", t + 1);
    sw_file_print(out->file, "\n");
}

static void write_material(const swTetOut *out, int material) {
    const swTetMaterial *m = &out->mesh->materials[material];
    const swReal value[] = {m->density, m->young, m->poisson};
    sw_file_print(out->file, "\n*MATERIAL ");
    put_name(out->file, m->name);
    sw_file_print(out->file, "\nENU");
    for (int k = 0; k < 3; k++) {
        sw_file_print(out->file, ", ");
        sw_file_number(out->file, value[k]);
    }
    sw_file_print(out->file, "\n\n*REGION\n");
    put_name(out->file, m->name);
    sw_file_print(out->file, ", ");
    put_name(out->file, m->name);
    sw_file_print(out->file, "\n");
}

static bool write_veg(const swTetOut *out, swError *error) {
    const swTetMesh *m = out->mesh;
    if (m->order != 1)
        return sw_fail(error, SW_ERROR_UNSUPPORTED,
                       "Vega's format can only hold tetrahedra of order 1, not of order 2");
    for (int i = 0; i < m->nmaterial; i++)
        for (int j = 0; j < i; j++)
            if (same_names(m->materials[i].name, m->materials[j].name))
                return sw_fail(error, SW_ERROR_UNSUPPORTED,
                               "two materials would be called '%.100s' in Vega's format",
                               m->materials[i].name);
    sw_file_print(out->file, "# Vega mesh file\n# %d vertices, %d elements\n", m->nvertex, m->ntet);
    for (int i = 0; i < m->nmaterial; i++) {
        const swTetMaterial *material = &m->materials[i];
        // The sections say everything unless a name is not a single word or only some constants are
        // known.
        if (is_word(material->name) &&
            (is_known(material) || !(isfinite(material->density) || isfinite(material->young) ||
                                     isfinite(material->poisson))))
            continue;
        char note[SW_TET_NOTE];
        sw_tet_note(i + 1, material, note); // as they will be numbered when read
        sw_file_print(out->file, "# %s\n", note);
    }
    sw_file_print(out->file, "\n*VERTICES\n%d 3 0 0\n", m->nvertex);
    for (int i = 0; i < m->nvertex; i++) {
        sw_file_print(out->file, "%d ", i + 1);
        sw_file_vec3(out->file, m->X[i]);
    }
    sw_file_print(out->file, "\n*ELEMENTS\nTET\n%d 4 0\n", m->ntet);
    for (int t = 0; t < m->ntet; t++) {
        const int *v = sw_tets_at(m, t);
        sw_file_print(out->file, "%d %d %d %d %d\n", t + 1, v[0] + 1, v[1] + 1, v[2] + 1, v[3] + 1);
    }
    for (int i = 0; i < m->nmaterial; i++)
        write_set(out, i);
    for (int i = 0; i < m->nmaterial; i++)
        if (is_known(&m->materials[i]))
            write_material(out, i);
    return true;
}

const swTetFormat sw_tets_veg = {"Vega", ".veg", false, read_veg, write_veg};
