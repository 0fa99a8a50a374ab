// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Turns the parts of a mesh, as read from a file, into a valid mesh.
#include "formats/tets_read.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 4096 };
#define FARTHEST 1e30 // largest coordinate, so that products of three stay finite

// ---- collecting ----

void sw_tet_parts_warn(const swTetParts *parts, const char *format, ...) {
    char text[SW_ERROR_MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sw_warn(parts->config, "%s%s%s", parts->path ? parts->path : "", parts->path ? ": " : "", text);
}

bool sw_tet_parts_vertex(swTetParts *parts, int64_t number, swVec3 x, swError *error) {
    swVec3 *X = SW_PUSH(&parts->X, parts->arena, error);
    int64_t *to = X ? SW_PUSH(&parts->number, parts->arena, error) : NULL;
    if (!to)
        return false;
    *X = x;
    *to = number;
    return true;
}

bool sw_tet_parts_tet(swTetParts *parts, int order, const int64_t *vertex, int64_t tag, int line,
                      swError *error) {
    swTetItem *item = SW_PUSH(&parts->tet, parts->arena, error);
    if (!item)
        return false;
    const int t = parts->tet.count - 1;
    if (parts->order == 0)
        parts->order = order;
    if (parts->order != order)
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, line, 0,
                          "tetrahedron %d is of order %d, those before it of order %d: expected a "
                          "mesh of one order",
                          t, order, parts->order);
    if (tag < -INT32_MAX || tag > INT32_MAX)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, line, 0,
                          "tetrahedron %d has the material number %lld; expected at most %d", t,
                          (long long)tag, INT32_MAX);
    if (t >= INT32_MAX / 16)
        return sw_fail(error, SW_ERROR_LIMIT, "more than %d tetrahedra", INT32_MAX / 16);
    *item = (swTetItem){(int)tag, line};
    for (int k = 0; k < sw_tet_vertices(order); k++) {
        int64_t *to = SW_PUSH(&parts->vertex, parts->arena, error);
        if (!to)
            return false;
        *to = vertex[k];
    }
    return true;
}

swTetMaterial *sw_tet_parts_material(swTetParts *parts, int tag, swError *error) {
    for (int i = 0; i < parts->tag.count; i++)
        if (parts->tag.item[i].tag == tag)
            return &parts->tag.item[i].material;
    if (parts->tag.count == MOST_NAMES) {
        sw_fail(error, SW_ERROR_LIMIT, "more than %d materials have names", MOST_NAMES);
        return NULL;
    }
    swTetTag *new = SW_PUSH(&parts->tag, parts->arena, error);
    if (!new)
        return NULL;
    *new = (swTetTag){tag, {NULL, NAN, NAN, NAN}};
    return &new->material;
}

bool sw_tet_count_fits(const swScan *s, int64_t count, int64_t least, const char *what,
                       swError *error) {
    const int64_t left = s->end - s->at;
    return (count >= 0 && count <= left / least + 1) ||
           sw_fail_at(error, SW_ERROR_FORMAT, NULL, s->line, 0,
                      "%lld %s cannot fit in the %lld bytes that follow", (long long)count, what,
                      (long long)left);
}

bool sw_tet_integer(swScan *s, int64_t *value, swError *error) {
    sw_scan_white(s);
    return sw_scan_integer(s, value, error);
}

bool sw_tet_vec3(swScan *s, swVec3 *x, swError *error) {
    swReal v[3];
    for (int k = 0; k < 3; k++) {
        sw_scan_white(s);
        if (!sw_scan_number(s, &v[k], error))
            return false;
    }
    *x = sw_v3(v[0], v[1], v[2]);
    return true;
}

// ---- vertices ----

// A hash table from vertex numbers to vertices, with open addressing.
typedef struct Map {
    size_t size;
    int *slot; // vertex + 1; 0: empty
} Map;

static int *find_slot(const Map *map, const int64_t *number, int64_t key) {
    size_t at = (size_t)(sw_hash(SW_HASH_SEED, &key, sizeof key) >> 20) & (map->size - 1);
    while (map->slot[at] && number[map->slot[at] - 1] != key)
        at = (at + 1) & (map->size - 1);
    return &map->slot[at];
}

static bool fill_map(Map *map, const swTetParts *parts, swError *error) {
    map->size = 16;
    while (map->size < 2 * (size_t)parts->X.count)
        map->size *= 2;
    map->slot = SW_NEW(parts->arena, map->size, int, error);
    for (int i = 0; map->slot && i < parts->X.count; i++) {
        int *slot = find_slot(map, parts->number.item, parts->number.item[i]);
        if (*slot)
            return sw_fail(error, SW_ERROR_FORMAT, "vertex number %lld occurs twice",
                           (long long)parts->number.item[i]);
        *slot = i + 1;
    }
    return map->slot != NULL;
}

static bool refuse_vertex(const swTetParts *parts, int tet, int64_t number, swError *error) {
    const int n = parts->X.count;
    int64_t lo = 0, hi = n - 1;
    for (int i = 0; i < parts->number.count; i++) {
        lo = i == 0 || parts->number.item[i] < lo ? parts->number.item[i] : lo;
        hi = i == 0 || parts->number.item[i] > hi ? parts->number.item[i] : hi;
    }
    if (n == 0)
        return sw_fail(error, SW_ERROR_FORMAT, "there are tetrahedra but no vertices");
    return sw_fail_at(error, SW_ERROR_FORMAT, NULL, parts->tet.item[tet].line, 0,
                      "tetrahedron %d refers to vertex %lld, but there are %d vertices, numbered "
                      "from %lld to %lld",
                      tet, (long long)number, n, (long long)lo, (long long)hi);
}

// Replaces the file's vertex numbers by indices.
static int *resolve(const swTetParts *parts, swError *error) {
    const int per = sw_tet_vertices(parts->order), n = parts->X.count;
    // Unsigned differences, since numbers may be anything.
    const uint64_t base = parts->number.count > 0 ? (uint64_t)parts->number.item[0] : 0;
    bool plain = true;
    for (int i = 0; plain && i < parts->number.count; i++)
        plain = (uint64_t)parts->number.item[i] - base == (uint64_t)i;
    Map map = {0};
    int *out = SW_NEW(parts->arena, parts->vertex.count, int, error);
    if (!out || (!plain && !fill_map(&map, parts, error)))
        return NULL;
    for (int i = 0; i < parts->vertex.count; i++) {
        const int64_t v = parts->vertex.item[i];
        int at = -1;
        if (!plain)
            at = *find_slot(&map, parts->number.item, v) - 1;
        else if ((uint64_t)v - base < (uint64_t)n)
            at = (int)((uint64_t)v - base);
        if (at < 0) {
            refuse_vertex(parts, i / per, v, error);
            return NULL;
        }
        out[i] = at;
    }
    return out;
}

static bool check_vertices(const swTetParts *parts, swError *error) {
    for (int i = 0; i < parts->X.count; i++) {
        const swVec3 x = parts->X.item[i];
        if (!(fabs(x.x) < FARTHEST && fabs(x.y) < FARTHEST && fabs(x.z) < FARTHEST))
            return sw_fail(error, SW_ERROR_FORMAT,
                           "vertex %d (from 0) is (%g, %g, %g): expected finite numbers below %g",
                           i, x.x, x.y, x.z, FARTHEST);
    }
    return true;
}

// ---- tetrahedra ----

// Programs differ in the order of mid-edge vertices, and some do not follow their format's order,
// so their positions decide. Each slot votes for the edge whose midpoint is nearest; if the vote is
// not clear, the format's order is kept.
static void order_edges(const swTetParts *parts, int *vertex) {
    const swVec3 *X = parts->X.item;
    int votes[6][6] = {{0}}, place[6] = {-1, -1, -1, -1, -1, -1};
    for (int t = 0; t < parts->tet.count; t++) {
        const int *v = vertex + 10 * (size_t)t;
        for (int k = 0; k < 6; k++) {
            int best = 0;
            swReal least = INFINITY;
            for (int e = 0; e < 6; e++) {
                const swVec3 middle =
                    sw_lerp(X[v[sw_tet_edge[e][0]]], X[v[sw_tet_edge[e][1]]], 0.5);
                const swReal far = sw_norm2(sw_sub(middle, X[v[4 + k]]));
                if (far < least) {
                    least = far;
                    best = e;
                }
            }
            votes[k][best]++;
        }
    }
    bool same = true;
    for (int k = 0; k < 6; k++)
        for (int e = 0; e < 6; e++)
            if (votes[k][e] > parts->tet.count / 2) {
                place[e] = k;
                same = same && e == k;
            }
    for (int e = 0; e < 6; e++)
        if (place[e] < 0 || same)
            return;
    sw_tet_parts_warn(
        parts, "the mid-edge vertices are not in the order of %s: reordered by their positions",
        parts->report.format);
    for (int t = 0; t < parts->tet.count; t++) {
        int *v = vertex + 10 * (size_t)t, old[10];
        memcpy(old, v, sizeof old);
        for (int e = 0; e < 6; e++)
            v[4 + e] = old[4 + place[e]];
    }
}

static void swap(int *a, int *b) {
    const int c = *a;
    *a = *b;
    *b = c;
}

static void flip(int *v, int order) {
    swap(&v[1], &v[2]);
    if (order == 2) {
        swap(&v[4], &v[6]); // edges 01 and 20
        swap(&v[8], &v[9]); // edges 13 and 23
    }
}

// Six times the volume, including the effect of curved edges: the corners of a quadratic
// tetrahedron alone may be inverted although the tetrahedron is not.
static swReal measure(const swVec3 *X, const int *v, int order) {
    static const swReal near = 0.58541019662496845446,
                        far = 0.13819660112501051518; // coordinates of the four quadrature points
    swVec3 x[10], dN[10];
    swReal sum = 0;
    if (order == 1)
        return sw_tet_det(X[v[0]], X[v[1]], X[v[2]], X[v[3]]);
    for (int i = 0; i < 10; i++)
        x[i] = X[v[i]];
    for (int i = 0; i < 4; i++) {
        swReal bary[4] = {far, far, far, far};
        bary[i] = near;
        sum += sw_tet_gradients(2, x, bary, dN) / 4;
    }
    return sum;
}

// The sign of the volume; 0 if it is within rounding errors of zero.
static int handed(const swVec3 *X, const int *v, int order) {
    const int n = sw_tet_vertices(order);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++)
            if (v[a] == v[b])
                return 0;
    swReal longest = 0;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            longest = sw_max(longest, sw_norm(sw_sub(X[v[a]], X[v[b]])));
    const swReal det = measure(X, v, order);
    const swReal least = SW_TET_FLAT * longest * longest * longest;
    return det > least ? 1 : det < -least ? -1 : 0;
}

typedef struct Corners {
    int v[4]; // ascending
    bool used;
} Corners;

static bool is_new(Corners *table, size_t size, const int *v) {
    Corners key = {{v[0], v[1], v[2], v[3]}, true};
    for (int a = 1; a < 4; a++)
        for (int b = a; b > 0 && key.v[b - 1] > key.v[b]; b--)
            swap(&key.v[b - 1], &key.v[b]);
    size_t at = (size_t)(sw_hash(SW_HASH_SEED, key.v, sizeof key.v) >> 20) & (size - 1);
    for (; table[at].used; at = (at + 1) & (size - 1))
        if (memcmp(table[at].v, key.v, sizeof key.v) == 0)
            return false;
    table[at] = key;
    return true;
}

static void count(int *total, int *first, int tet) {
    if ((*total)++ == 0)
        *first = tet;
}

// Flips inverted tetrahedra, and sets keep[t] for each tetrahedron t that stays. Returns how many
// stay, or -1.
static int sort_out(swTetParts *parts, int *vertex, bool *keep, swError *error) {
    const int per = sw_tet_vertices(parts->order), n = parts->tet.count;
    swTetReport *r = &parts->report;
    size_t size = 16;
    while (size < 2 * (size_t)n)
        size *= 2;
    Corners *table = SW_NEW(parts->arena, size, Corners, error);
    if (!table)
        return -1;
    for (int t = 0; t < n; t++) {
        int *v = vertex + (size_t)t * (size_t)per;
        const int hand = handed(parts->X.item, v, parts->order);
        keep[t] = hand != 0 && is_new(table, size, v);
        if (hand == 0)
            count(&r->flat, &r->first_flat, t);
        else if (!keep[t])
            count(&r->repeated, &r->first_repeated, t);
        else if (hand < 0) {
            flip(v, parts->order);
            count(&r->flipped, &r->first_flipped, t);
        }
    }
    const int kept = n - r->flat - r->repeated;
    if (kept > 0)
        return kept;
    sw_fail(error, SW_ERROR_GEOMETRY, "none of the %d tetrahedra has a volume", n);
    return -1;
}

// ---- materials ----

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static const char *name_of(int tag, const char *name, swArena *arena, swError *error) {
    char text[16];
    snprintf(text, sizeof text, "%d", tag);
    name = name ? name : text;
    return sw_arena_text(arena, name, strlen(name), error);
}

// Makes one material for each tag, in ascending order; none if all tags are 0 and the file says
// nothing about tag 0.
static bool make_materials(const swTetParts *parts, const int *tag, swArena *arena, swTetMesh *mesh,
                           swError *error) {
    int *distinct = SW_NEW(parts->arena, mesh->ntet, int, error), n = 0;
    if (!distinct)
        return false;
    memcpy(distinct, tag, (size_t)mesh->ntet * sizeof *tag);
    qsort(distinct, (size_t)mesh->ntet, sizeof *distinct, by_number);
    for (int i = 0; i < mesh->ntet; i++)
        if (n == 0 || distinct[n - 1] != distinct[i])
            distinct[n++] = distinct[i];
    bool said = n > 1 || distinct[0] != 0;
    for (int i = 0; i < parts->tag.count; i++)
        said = said || parts->tag.item[i].tag == distinct[0];
    if (!said)
        return true;
    swTetMaterial *material = SW_NEW(arena, n, swTetMaterial, error);
    if (!material)
        return false;
    for (int i = 0; i < n; i++)
        material[i] = (swTetMaterial){NULL, NAN, NAN, NAN};
    for (int i = 0; i < parts->tag.count; i++) {
        const swTetTag *said_of = &parts->tag.item[i];
        int *at = bsearch(&said_of->tag, distinct, (size_t)n, sizeof *distinct, by_number);
        if (at)
            material[at - distinct] = said_of->material;
    }
    for (int i = 0; i < n; i++)
        if (!(material[i].name = name_of(distinct[i], material[i].name, arena, error)))
            return false;
    mesh->nmaterial = n;
    mesh->materials = material;
    if (n == 1)
        return true;
    mesh->material = SW_NEW(arena, mesh->ntet, int, error);
    for (int t = 0; mesh->material && t < mesh->ntet; t++)
        mesh->material[t] =
            (int)((int *)bsearch(&tag[t], distinct, (size_t)n, sizeof *distinct, by_number) -
                  distinct);
    return mesh->material != NULL;
}

// ---- the mesh ----

// Keeps the vertices of the remaining tetrahedra, in their order.
static bool take_vertices(swTetParts *parts, const int *vertex, const bool *keep, swArena *arena,
                          swTetMesh *mesh, int *at, swError *error) {
    const int per = sw_tet_vertices(parts->order);
    for (int i = 0; i < parts->vertex.count; i++)
        if (keep[i / per])
            at[vertex[i]] = 1;
    int n = 0;
    for (int i = 0; i < parts->X.count; i++)
        at[i] = at[i] ? n++ : -1;
    parts->report.unused = parts->X.count - n;
    mesh->nvertex = n;
    mesh->X = SW_NEW(arena, n, swVec3, error);
    for (int i = 0; mesh->X && i < parts->X.count; i++)
        if (at[i] >= 0)
            mesh->X[at[i]] = parts->X.item[i];
    return mesh->X != NULL;
}

bool sw_tet_parts_finish(swTetParts *parts, swArena *arena, swTetMesh *mesh, swError *error) {
    const int n = parts->tet.count;
    *mesh = (swTetMesh){.order = parts->order};
    if (n == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY,
                       "no tetrahedra, but %d vertices and %lld other elements%s", parts->X.count,
                       (long long)parts->report.skipped,
                       parts->report.skipped > 0
                           ? ": a surface has no interior to simulate; mesh its volume first"
                           : "");
    const int per = sw_tet_vertices(parts->order);
    bool *keep = SW_NEW(parts->arena, n, bool, error);
    int *at = keep ? SW_NEW(parts->arena, sw_max_int(parts->X.count, 1), int, error) : NULL;
    int *vertex = at ? resolve(parts, error) : NULL;
    if (!vertex || !check_vertices(parts, error))
        return false;
    if (parts->order == 2)
        order_edges(parts, vertex);
    mesh->ntet = sort_out(parts, vertex, keep, error);
    if (mesh->ntet < 0 || !take_vertices(parts, vertex, keep, arena, mesh, at, error))
        return false;
    mesh->vertex = SW_NEW(arena, (size_t)mesh->ntet * (size_t)per, int, error);
    int *tag = SW_NEW(parts->arena, mesh->ntet, int, error);
    if (parts->fill.count == n)
        mesh->fill = SW_NEW(arena, mesh->ntet, swReal, error);
    if (!mesh->vertex || !tag || (parts->fill.count == n && !mesh->fill))
        return false;
    for (int t = 0, to = 0; t < n; t++)
        if (keep[t]) {
            for (int k = 0; k < per; k++)
                mesh->vertex[(size_t)to * (size_t)per + (size_t)k] =
                    at[vertex[(size_t)t * (size_t)per + (size_t)k]];
            if (mesh->fill)
                mesh->fill[to] = parts->fill.item[t];
            tag[to++] = parts->tet.item[t].tag;
        }
    return make_materials(parts, tag, arena, mesh, error);
}
