// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Meshes. A point is inside where |winding number| > 1/2.
//
// The boundary of an open surface is closed by caps, one per boundary loop. The surface with its
// caps is closed, so its winding number is an integer, found exactly by counting the crossings of a
// ray. The winding number of the surface alone is this integer minus that of the caps, which are
// few. A closed surface has no caps, and everything is exact.
#include "geometry/bvh.h"
#include "geometry/intersect.h"
#include "geometry/solid_internal.h"
#include "formats/mesh.h"

#include <stdlib.h>
#include <string.h>

#define BETA 3.0 // see sw_bvh_winding()

enum { MAX_TRIANGLES = 100000000 };

typedef struct swSolidMesh {
    swSurface surface;
    swBvh *bvh;
    swBvh *caps;       // NULL for a closed surface
    swReal resolution; // accuracy to which borders across holes are found
} swSolidMesh;

// ---- edges or triangles that remain when opposite ones cancel ----

typedef struct Net {
    int v[3];  // ascending
    int count; // number that run v0 -> v1 (-> v2) minus those that run the other way
} Net;

typedef struct NetTable {
    Net *item;
    size_t mask;
} NetTable;

static bool net_init(NetTable *table, int n, swArena *scratch, swError *error) {
    size_t size = 16;
    while (size < 2 * (size_t)n)
        size *= 2;
    table->mask = size - 1;
    table->item = SW_NEW(scratch, size, Net, error);
    for (size_t i = 0; table->item && i < size; i++)
        table->item[i].v[0] = -1;
    return table->item != NULL;
}

static void net_add(NetTable *table, int a, int b, int c, int sign) {
    int v[3] = {a, b, c};
    size_t at = (size_t)(sw_hash(SW_HASH_SEED, v, sizeof v) >> 20) & table->mask;
    while (table->item[at].v[0] >= 0 && memcmp(table->item[at].v, v, sizeof v) != 0)
        at = (at + 1) & table->mask;
    memcpy(table->item[at].v, v, sizeof v);
    table->item[at].count += sign;
}

static void net_add_edge(NetTable *table, int a, int b) {
    if (a != b)
        net_add(table, sw_min_int(a, b), sw_max_int(a, b), 0, a < b ? 1 : -1);
}

static void net_add_triangle(NetTable *table, int a, int b, int c) {
    int lo = sw_min_int(a, sw_min_int(b, c)), hi = sw_max_int(a, sw_max_int(b, c));
    bool even = (a < b) + (b < c) + (c < a) == 2; // a, b, c is a rotation of ascending order
    if (a != b && b != c && c != a)
        net_add(table, lo, a ^ b ^ c ^ lo ^ hi, hi, even ? 1 : -1);
}

// Whether every triangle is cancelled by an opposite one, so that nothing is inside.
static bool cancels(const swSurface *s, const int *first, swArena *scratch, bool *yes,
                    swError *error) {
    NetTable table;
    if (!net_init(&table, s->ntriangle, scratch, error))
        return false;
    for (int i = 0; i < s->ntriangle; i++) {
        const int *v = &s->triangle[3 * i];
        net_add_triangle(&table, first[v[0]], first[v[1]], first[v[2]]);
    }
    *yes = true;
    for (size_t i = 0; i <= table.mask; i++)
        *yes = *yes && table.item[i].count == 0;
    return true;
}

// ---- caps ----

typedef struct Boundary {
    int *start; // the edges from vertex v lead to to[start[v]] .. to[start[v + 1] - 1]
    int *to;
    int *path, *position; // vertices of the walk; position of each in it, from 1, or 0
} Boundary;

// The edges that remain when opposite ones cancel; as many begin as end at each vertex.
static bool find_boundary(const swSurface *s, const int *first, Boundary *b, swArena *scratch,
                          swError *error) {
    NetTable table;
    int n = s->nvertex, nedge = 0;
    if (!net_init(&table, 3 * s->ntriangle, scratch, error))
        return false;
    for (int i = 0; i < s->ntriangle; i++)
        for (int k = 0; k < 3; k++)
            net_add_edge(&table, first[s->triangle[3 * i + k]],
                         first[s->triangle[3 * i + (k + 1) % 3]]);
    for (size_t i = 0; i <= table.mask; i++)
        nedge += abs(table.item[i].count);
    if (!(b->start = SW_NEW(scratch, (size_t)n + 2, int, error)) ||
        !(b->to = SW_NEW(scratch, nedge, int, error)) ||
        !(b->path = SW_NEW(scratch, (size_t)n + 1, int, error)) ||
        !(b->position = SW_NEW(scratch, n, int, error)))
        return false;
    // Count two entries ahead and sum up; filling then moves the starts back by one.
    for (size_t i = 0; i <= table.mask; i++) {
        const Net *e = &table.item[i];
        if (e->count)
            b->start[e->v[e->count < 0] + 2] += abs(e->count);
    }
    for (int v = 0; v < n; v++)
        b->start[v + 2] += b->start[v + 1];
    for (size_t i = 0; i <= table.mask; i++) {
        const Net *e = &table.item[i];
        for (int k = 0; k < abs(e->count); k++)
            b->to[b->start[e->v[e->count < 0] + 1]++] = e->v[e->count > 0];
    }
    return true;
}

// Closes the loop v[i], ..., v[j] by a triangle across its middle and two smaller loops. This gives
// large triangles inside and small ones at the rim, which suits the far field approximation.
static void cap_loop(swSurface *caps, const int *v, int i, int j) {
    if (j - i < 2)
        return;
    int middle = i + (j - i) / 2, *t = &caps->triangle[3 * caps->ntriangle++];
    t[0] = v[j];
    t[1] = v[middle];
    t[2] = v[i];
    cap_loop(caps, v, i, middle);
    cap_loop(caps, v, middle, j);
}

// Walks along the boundary and cuts off a loop whenever the walk meets itself.
static bool make_caps(const swSurface *s, const int *first, swSurface *caps, swArena *scratch,
                      swError *error) {
    Boundary b;
    if (!find_boundary(s, first, &b, scratch, error))
        return false;
    int *path = b.path, nedge = b.start[s->nvertex];
    int *next =
        sw_arena_grow(scratch, b.start, (size_t)s->nvertex, (size_t)s->nvertex, sizeof(int), error);
    *caps = (swSurface){s->nvertex, 0, s->X, SW_NEW(scratch, 3 * (size_t)nedge, int, error)};
    if (!next || !caps->triangle)
        return false;
    for (int v = 0; v < s->nvertex; v++) {
        int length = 1;
        path[0] = v;
        b.position[v] = 1;
        while (next[path[length - 1]] < b.start[path[length - 1] + 1]) {
            int to = b.to[next[path[length - 1]]++], meet = b.position[to];
            if (!meet) {
                path[length++] = to;
                b.position[to] = length;
                continue;
            }
            cap_loop(caps, path, meet - 1, length - 1);
            while (length > meet)
                b.position[path[--length]] = 0;
        }
        b.position[v] = 0;
    }
    return true;
}

static swReal volume(const swSurface *s, swVec3 about) {
    swReal sum = 0;
    for (int i = 0; i < s->ntriangle; i++) {
        const int *v = &s->triangle[3 * i];
        swVec3 a = sw_sub(s->X[v[0]], about), b = sw_sub(s->X[v[1]], about);
        sum += sw_dot(a, sw_cross(b, sw_sub(s->X[v[2]], about))) / 6;
    }
    return sum;
}

// ---- creation ----

// Must be called before the pose is applied, as rounding would make parts cross that only touch.
static bool count_crossings(const swSolidSource *source, const swSurface *surface,
                            swCrossings *crossings) {
    swArena scratch;
    sw_arena_init(&scratch, &source->arena->allocator);
    bool ok = sw_surface_crossings(surface, crossings, &scratch, source->error);
    sw_arena_free(&scratch);
    return ok;
}

static bool read_surface(const swSolidSource *source, swSurface *surface, swCrossings *crossings) {
    const swShape *shape = source->shape;
    char *path = sw_solid_path(source);
    if (!path)
        return false;
    if (!sw_mesh_read(path, source->arena, surface, source->error))
        return false;
    if (surface->ntriangle > MAX_TRIANGLES || surface->nvertex > 3 * MAX_TRIANGLES)
        return sw_fail_at(source->error, SW_ERROR_LIMIT, path, 0, 0,
                          "expected at most %d triangles, found %d with %d vertices", MAX_TRIANGLES,
                          surface->ntriangle, surface->nvertex);
    if (!count_crossings(source, surface, crossings))
        return false;
    swMat3 R;
    swVec3 t;
    sw_solid_pose(shape, &R, &t);
    sw_surface_transform(surface, shape->scale, R, t);
    for (int i = 0; i < surface->nvertex; i++)
        if (!sw_solid_finite3(surface->X[i]))
            return sw_fail_at(source->error, SW_ERROR_VALUE, path, 0, 0,
                              "expected finite coordinates, found vertex %d out of range", i);
    return true;
}

// One line per file: its defects and how they are treated.
static void warn_of_defects(const swSolidSource *source, const swSurfaceFacts *facts,
                            const swCrossings *crossings, bool empty, bool inward) {
    char defects[512], crossing[128], text[1024] = "";
    const char *say[4];
    int n = 0;
    if (sw_surface_defects(facts, defects, sizeof defects)[0])
        say[n++] = defects;
    if (!facts->closed)
        say[n++] = "not closed; the winding number decides what is inside";
    if (inward)
        say[n++] = "triangles face inward; treated as solid anyway";
    if (empty)
        say[n++] = "each triangle coincides with an opposite one; nothing is inside";
    if (crossings->pairs) {
        snprintf(crossing, sizeof crossing, "%s%d %s of triangles cross each other; %s",
                 crossings->all ? "" : "at least ", crossings->pairs,
                 crossings->pairs == 1 ? "pair" : "pairs", "overlapping parts are one solid");
        say[n++] = crossing;
    }
    for (int i = 0, length = 0; i < n; i++) {
        const char *join = i == 0 ? "" : i == 1 && !facts->closed ? ": " : "; ";
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%s", join, say[i]);
    }
    if (n)
        sw_warn(source->config, "%s: %s", source->shape->file, text);
}

static bool examine(swSolid *solid, swSolidMesh *mesh, const swSolidSource *source,
                    const swCrossings *crossings, swArena *scratch) {
    swSurfaceFacts facts;
    const swSurface *s = &mesh->surface;
    int *first = SW_NEW(scratch, s->nvertex, int, source->error);
    if (!first || !sw_surface_merge(s->nvertex, s->X, first, scratch, source->error) ||
        !sw_surface_facts(s, &facts, scratch, source->error))
        return false;
    solid->lo = facts.lo;
    solid->hi = facts.hi;
    mesh->resolution = 1e-5 * sw_norm(sw_sub(facts.hi, facts.lo));
    swReal enclosed = facts.volume, none = 1e-9 * facts.area * sqrt(facts.area);
    if (!facts.closed) {
        swSurface caps;
        if (!make_caps(s, first, &caps, scratch, source->error))
            return false;
        if (caps.ntriangle && !(mesh->caps = sw_bvh_create(&caps, source->arena, source->error)))
            return false;
        enclosed = volume(s, facts.lo) + volume(&caps, facts.lo);
    }
    bool empty = false;
    if (fabs(enclosed) <= none && !cancels(s, first, scratch, &empty, source->error))
        return false;
    warn_of_defects(source, &facts, crossings, empty, enclosed < -none);
    return (mesh->bvh = sw_bvh_create(s, source->arena, source->error)) != NULL;
}

static bool mesh_create(swSolid *solid, const swSolidSource *source) {
    swSolidMesh *mesh = SW_NEW(source->arena, 1, swSolidMesh, source->error);
    solid->mesh = mesh;
    swCrossings crossings = {0};
    if (!mesh)
        return false;
    if (source->surface)
        mesh->surface = *source->surface;
    else if (!sw_solid_check_file(source) ||
             !sw_solid_check_positive(source, "scale", source->shape->scale) ||
             !read_surface(source, &mesh->surface, &crossings))
        return false;
    swArena scratch;
    sw_arena_init(&scratch, &source->arena->allocator);
    bool ok = examine(solid, mesh, source, &crossings, &scratch);
    sw_arena_free(&scratch);
    return ok;
}

bool sw_solid_closed_surface(const swShape *shape, const char *folder, const char *key,
                             const swConfig *config, swSurface *surface, swCrossings *crossings,
                             swArena *arena, swError *error) {
    const swSolidSource source = {shape, folder, key, config, arena, error, NULL};
    if (!sw_solid_check_file(&source) || !sw_solid_check_positive(&source, "scale", shape->scale) ||
        !read_surface(&source, surface, crossings))
        return false;
    swArena scratch;
    swSurfaceFacts facts;
    bool empty = false;
    char defects[512];
    sw_arena_init(&scratch, &arena->allocator);
    int *first = SW_NEW(&scratch, surface->nvertex, int, error);
    bool ok = first && sw_surface_merge(surface->nvertex, surface->X, first, &scratch, error) &&
              sw_surface_facts(surface, &facts, &scratch, error) &&
              cancels(surface, first, &scratch, &empty, error);
    sw_arena_free(&scratch);
    if (!ok)
        return false;
    if (!facts.closed)
        return sw_fail_at(error, SW_ERROR_GEOMETRY, shape->file, 0, 0,
                          "%s.mesh: expected a closed surface, found %s", key,
                          sw_surface_defects(&facts, defects, sizeof defects));
    if (empty)
        return sw_fail_at(error, SW_ERROR_GEOMETRY, shape->file, 0, 0,
                          "%s.mesh: expected a surface with an inside, found that each triangle is "
                          "coincides with an opposite one",
                          key);
    warn_of_defects(&source, &facts, crossings, false, facts.volume < 0);
    return true;
}

const swSurface *sw_solid_surface(const swSolid *solid) {
    return solid->mesh ? &solid->mesh->surface : NULL;
}

// ---- queries ----

typedef struct Winding {
    swReal x;
    int count;
} Winding;

static bool add_beyond(void *arg, swReal x, int sign) {
    Winding *sum = arg;
    if (x > sum->x)
        sum->count += sign;
    return true;
}

static bool mesh_inside(const swSolid *solid, swVec3 p) {
    const swSolidMesh *mesh = solid->mesh;
    Winding sum = {p.x, 0};
    sw_bvh_pierce(mesh->bvh, p.y, p.z, add_beyond, &sum);
    if (!mesh->caps)
        return sum.count != 0;
    sw_bvh_pierce(mesh->caps, p.y, p.z, add_beyond, &sum);
    return fabs(sum.count - sw_bvh_winding(mesh->caps, p, BETA)) > 0.5;
}

static swReal mesh_distance(const swSolid *solid, swVec3 p) {
    swReal d = sw_norm(sw_sub(p, sw_bvh_closest(solid->mesh->bvh, p, NULL)));
    return mesh_inside(solid, p) ? -d : d;
}

typedef struct Ray {
    const swSolid *solid;
    swReal y, z;
    swSpanList *list;
    int first; // first span of this ray
    swArena *arena;
    swError *error;
} Ray;

// Stores crossings in the list as {x, sign} until their spans are known.
static bool add_crossing(void *arg, swReal x, int sign) {
    Ray *ray = arg;
    swSpan *crossing = SW_PUSH(ray->list, ray->arena, ray->error);
    if (crossing)
        *crossing = (swSpan){sw_clamp(x, ray->solid->lo.x, ray->solid->hi.x), sign, 0};
    return crossing != NULL;
}

// Appends [lo, hi], or extends the last span of this ray if it ends at lo.
static bool add_span(Ray *ray, swReal lo, swReal hi) {
    swSpanList *list = ray->list;
    if (!(lo < hi))
        return true;
    if (list->count > ray->first && list->item[list->count - 1].hi == lo) {
        list->item[list->count - 1].hi = hi;
        return true;
    }
    swSpan *last = SW_PUSH(list, ray->arena, ray->error);
    if (last)
        *last = (swSpan){lo, hi, 0};
    return last != NULL;
}

// The winding number of the surface, given that of surface and caps together.
static swReal winding_at(const Ray *ray, swReal x, int winding) {
    return winding - sw_bvh_winding(ray->solid->mesh->caps, sw_v3(x, ray->y, ray->z), BETA);
}

static bool ray_inside(const Ray *ray, swReal x, int winding) {
    return fabs(winding_at(ray, x, winding)) > 0.5;
}

// Between two crossings the winding number of the caps is smooth. It is evaluated just inside the
// ends and at points in between, more of them where holes have influence, with bisection where two
// neighbours disagree.
static bool add_open_stretch(Ray *ray, swReal lo, swReal hi, int winding) {
    swReal length = hi - lo, begin = lo, a = lo + 1e-6 * length;
    bool inside = ray_inside(ray, a, winding);
    swReal w = winding_at(ray, lo + 0.5 * length, winding);
    int parts = fabs(w - round(w)) < 0.1 ? 2 : 8;
    for (int k = 1; k <= parts; k++) {
        swReal next = k < parts ? lo + k * length / parts : hi - 1e-6 * length, b = next;
        if (ray_inside(ray, b, winding) != inside) {
            for (int i = 0; i < 40 && b - a > ray->solid->mesh->resolution; i++) {
                swReal middle = 0.5 * (a + b);
                *(ray_inside(ray, middle, winding) == inside ? &a : &b) = middle;
            }
            if (inside && !add_span(ray, begin, b))
                return false;
            begin = b;
            inside = !inside;
        }
        a = next;
    }
    return !inside || add_span(ray, begin, hi);
}

static bool add_stretch(Ray *ray, swReal lo, swReal hi, int winding) {
    if (!(lo < hi))
        return true;
    if (ray->solid->mesh->caps)
        return add_open_stretch(ray, lo, hi, winding);
    return winding == 0 || add_span(ray, lo, hi);
}

static bool mesh_spans(const swSolid *solid, swReal y, swReal z, swSpanList *list, swArena *arena,
                       swError *error) {
    const swSolidMesh *mesh = solid->mesh;
    if (y < solid->lo.y || y > solid->hi.y || z < solid->lo.z || z > solid->hi.z)
        return true;
    int start = list->count, winding = 0;
    Ray ray = {solid, y, z, list, 0, arena, error};
    if (!sw_bvh_pierce(mesh->bvh, y, z, add_crossing, &ray) ||
        (mesh->caps && !sw_bvh_pierce(mesh->caps, y, z, add_crossing, &ray)))
        return false;
    int n = list->count - start;
    if (n)
        sw_span_sort(list->item + start, n);
    ray.first = list->count;
    swReal x = solid->lo.x;
    for (int i = 0; i <= n; i++) {
        swSpan next = i < n ? list->item[start + i] : (swSpan){solid->hi.x, 0, 0};
        if (!add_stretch(&ray, x, next.lo, winding))
            return false;
        x = next.lo;
        winding -= (int)next.hi;
    }
    // The spans replace the crossings, without the slivers between coincident triangles.
    int end = list->count;
    list->count = start;
    for (int i = ray.first; i < end; i++)
        if (list->item[i].hi - list->item[i].lo > solid->slack)
            list->item[list->count++] = list->item[i];
    return true;
}

const swSolidType sw_solid_mesh = {.name = "mesh",
                                   .create = mesh_create,
                                   .spans = mesh_spans,
                                   .distance = mesh_distance,
                                   .inside = mesh_inside};
