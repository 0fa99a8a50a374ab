// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/surface.h"

#include "math/sets.h"

#include <float.h>
#include <string.h>

bool sw_surface_merge(int nvertex, const swVec3 *x, int *first, swArena *scratch, swError *error) {
    size_t size = 16;
    while (size < 2 * (size_t)nvertex)
        size *= 2;
    int *slot = SW_NEW(scratch, size, int, error); // vertex + 1; 0: empty
    if (!slot)
        return false;
    for (int i = 0; i < nvertex; i++) {
        swVec3 p = sw_v3(x[i].x + 0.0, x[i].y + 0.0, x[i].z + 0.0); // turns -0 into 0
        size_t at = (size_t)(sw_hash(SW_HASH_SEED, &p, sizeof p) >> 20) & (size - 1);
        for (;; at = (at + 1) & (size - 1)) {
            if (slot[at] == 0)
                slot[at] = i + 1;
            int j = slot[at] - 1;
            if (j == i || (x[j].x == p.x && x[j].y == p.y && x[j].z == p.z)) {
                first[i] = j;
                break;
            }
        }
    }
    return true;
}

// For edges {smaller vertex, larger vertex, 3 x triangle + side}; for triangles {sorted vertices}.
typedef struct swKeys {
    int k[3];
} swKeys;

// Stable counting sort by one key in [0, nkey): linear for any surface.
static void sort_by(int key, int n, const swKeys *from, swKeys *to, int nkey, int *start) {
    memset(start, 0, ((size_t)nkey + 1) * sizeof *start);
    for (int i = 0; i < n; i++)
        start[from[i].k[key] + 1]++;
    for (int i = 0; i < nkey; i++)
        start[i + 1] += start[i];
    for (int i = 0; i < n; i++)
        to[start[from[i].k[key]]++] = from[i];
}

typedef struct swDefectWork {
    int n, nvertex;        // number of triangles without a repeated corner; number of vertices
    int *corner;           // 3 x n, merged vertices
    swKeys *keys, *sorted; // 3 x n
    int *start;            // nvertex + 1
    int *parent;           // n: union-find over triangles
} swDefectWork;

static void count_edges(swDefectWork *w, swSurfaceFacts *facts) {
    int nedge = 3 * w->n;
    for (int e = 0; e < nedge; e++) {
        int a = w->corner[e], b = w->corner[e % 3 == 2 ? e - 2 : e + 1];
        w->keys[e] = (swKeys){{sw_min_int(a, b), sw_max_int(a, b), e}};
    }
    sort_by(1, nedge, w->keys, w->sorted, w->nvertex, w->start);
    sort_by(0, nedge, w->sorted, w->keys, w->nvertex, w->start);
    for (int t = 0; t < w->n; t++)
        w->parent[t] = t;
    facts->components = w->n;
    facts->closed = true;
    for (int i = 0, end; i < nedge; i = end) {
        const swKeys *edge = &w->keys[i];
        int balance = 0;
        for (end = i;
             end < nedge && w->keys[end].k[0] == edge->k[0] && w->keys[end].k[1] == edge->k[1];
             end++) {
            int e = w->keys[end].k[2];
            balance += w->corner[e] == edge->k[0] ? 1 : -1;
            facts->components -= sw_set_join(w->parent, edge->k[2] / 3, e / 3);
        }
        facts->boundary_edges += end - i == 1;
        facts->nonmanifold_edges += end - i > 2;
        facts->flipped_edges += end - i == 2 && balance != 0;
        facts->closed = facts->closed && balance == 0;
    }
}

static void count_duplicates(swDefectWork *w, swSurfaceFacts *facts) {
    for (int t = 0; t < w->n; t++) {
        int a = w->corner[3 * t], b = w->corner[3 * t + 1], c = w->corner[3 * t + 2];
        int lo = sw_min_int(a, sw_min_int(b, c)), hi = sw_max_int(a, sw_max_int(b, c));
        w->keys[t] = (swKeys){{lo, a ^ b ^ c ^ lo ^ hi, hi}};
    }
    sort_by(2, w->n, w->keys, w->sorted, w->nvertex, w->start);
    sort_by(1, w->n, w->sorted, w->keys, w->nvertex, w->start);
    sort_by(0, w->n, w->keys, w->sorted, w->nvertex, w->start);
    for (int t = 1; t < w->n; t++)
        facts->duplicate_triangles +=
            memcmp(&w->sorted[t], &w->sorted[t - 1], sizeof *w->sorted) == 0;
}

// Bounds (of the vertices in use), area and volume. Returns false if one of them overflows.
static bool measure(const swSurface *s, swSurfaceFacts *facts) {
    if (s->ntriangle == 0)
        return true;
    facts->lo = facts->hi = s->X[s->triangle[0]];
    for (int i = 0; i < 3 * s->ntriangle; i++) {
        facts->lo = sw_min3(facts->lo, s->X[s->triangle[i]]);
        facts->hi = sw_max3(facts->hi, s->X[s->triangle[i]]);
    }
    swVec3 middle = sw_lerp(facts->lo, facts->hi, 0.5);
    swVec3 far = sw_max3(facts->hi, sw_scale(-1, facts->lo));
    swReal rounding = 4 * DBL_EPSILON * sw_max(far.x, sw_max(far.y, far.z));
    for (int t = 0; t < s->ntriangle; t++) {
        const int *v = &s->triangle[3 * t];
        swVec3 a = sw_sub(s->X[v[0]], middle);
        swVec3 ab = sw_sub(s->X[v[1]], s->X[v[0]]), ac = sw_sub(s->X[v[2]], s->X[v[0]]);
        swReal longest2 = sw_max(sw_norm2(sw_sub(ac, ab)), sw_max(sw_norm2(ab), sw_norm2(ac)));
        swVec3 N = sw_cross(ab, ac);
        swReal twice = sw_norm(N);
        // No area means as thin as the rounding of its coordinates.
        facts->degenerate_triangles += twice <= rounding * sqrt(longest2);
        facts->volume += sw_dot(a, N) / 6;
        facts->area += twice / 2;
    }
    return isfinite(facts->volume) && isfinite(facts->area);
}

bool sw_surface_facts(const swSurface *s, swSurfaceFacts *facts, swArena *scratch, swError *error) {
    *facts = (swSurfaceFacts){0};
    if (s->ntriangle > INT32_MAX / 3)
        return sw_fail(error, SW_ERROR_LIMIT, "more than %d triangles", INT32_MAX / 3);
    if (!measure(s, facts))
        return sw_fail(error, SW_ERROR_NOT_FINITE,
                       "coordinates that are too large or not numbers: the area overflows");
    size_t nedge = 3 * (size_t)s->ntriangle;
    swDefectWork w = {.nvertex = s->nvertex};
    int *first = SW_NEW(scratch, s->nvertex, int, error);
    if (!first || !(w.corner = SW_NEW(scratch, nedge, int, error)) ||
        !(w.keys = SW_NEW(scratch, nedge, swKeys, error)) ||
        !(w.sorted = SW_NEW(scratch, nedge, swKeys, error)) ||
        !(w.start = SW_NEW(scratch, (size_t)s->nvertex + 1, int, error)) ||
        !(w.parent = SW_NEW(scratch, s->ntriangle, int, error)) ||
        !sw_surface_merge(s->nvertex, s->X, first, scratch, error))
        return false;

    int *used = w.start; // free until the sorts
    for (int t = 0; t < s->ntriangle; t++) {
        int *c = &w.corner[3 * w.n];
        for (int k = 0; k < 3; k++) {
            int v = s->triangle[3 * t + k];
            SW_ASSERT(v >= 0 && v < s->nvertex);
            c[k] = first[v];
            used[c[k]] = 1;
        }
        w.n += c[0] != c[1] && c[1] != c[2] && c[2] != c[0];
    }
    for (int i = 0; i < s->nvertex; i++)
        facts->unused_vertices += first[i] == i && !used[i];
    count_edges(&w, facts);
    count_duplicates(&w, facts);
    return true;
}

const char *sw_surface_defects(const swSurfaceFacts *facts, char *text, size_t size) {
    const struct {
        int count;
        const char *one, *many;
    } defect[] = {
        {facts->boundary_edges, "boundary edge", "boundary edges"},
        {facts->nonmanifold_edges, "non-manifold edge", "non-manifold edges"},
        {facts->flipped_edges, "flipped edge", "flipped edges"},
        {facts->duplicate_triangles, "duplicate triangle", "duplicate triangles"},
        {facts->degenerate_triangles, "degenerate triangle", "degenerate triangles"},
        {facts->unused_vertices, "unused vertex", "unused vertices"},
    };
    size_t length = 0;
    if (size)
        text[0] = 0;
    for (int i = 0; i < SW_COUNT(defect); i++)
        if (defect[i].count && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%d %s", length ? ", " : "",
                                       defect[i].count,
                                       defect[i].count == 1 ? defect[i].one : defect[i].many);
    return text;
}

void sw_surface_transform(swSurface *s, swReal scale, swMat3 R, swVec3 t) {
    for (int i = 0; i < s->nvertex; i++)
        s->X[i] = sw_add(sw_mul(R, sw_scale(scale, s->X[i])), t);
    if ((scale < 0) != (sw_mat_det(R) < 0)) // mirrored: keep the outside outside
        for (int i = 0; i < s->ntriangle; i++) {
            int *v = &s->triangle[3 * i], keep = v[1];
            v[1] = v[2];
            v[2] = keep;
        }
}

void sw_surface_areas(const swVec3 *x, int ntriangle, const int *triangle, swReal *area) {
    for (const int *v = triangle; v < triangle + 3 * (ptrdiff_t)ntriangle; v += 3) {
        const swVec3 a = sw_sub(x[v[1]], x[v[0]]), b = sw_sub(x[v[2]], x[v[0]]);
        for (int k = 0; k < 3; k++)
            area[v[k]] += sw_norm(sw_cross(a, b)) / 6;
    }
}

void sw_surface_normals(int nvertex, const swVec3 *x, int ntriangle, const int *triangle,
                        swVec3 *normal) {
    memset(normal, 0, (size_t)nvertex * sizeof *normal);
    for (int t = 0; t < ntriangle; t++) {
        const int *v = &triangle[3 * t];
        swVec3 ab = sw_sub(x[v[1]], x[v[0]]), bc = sw_sub(x[v[2]], x[v[1]]);
        swVec3 ca = sw_sub(x[v[0]], x[v[2]]), N = sw_cross(ab, bc);
        swReal twice = sw_norm(N); // |side x side| is the same at each corner
        if (!(twice > 0) || !isfinite(twice))
            continue;
        swReal angle_a = atan2(twice, -sw_dot(ca, ab)), angle_b = atan2(twice, -sw_dot(ab, bc));
        swReal angle[3] = {angle_a, angle_b, sw_max(0, SW_PI - angle_a - angle_b)};
        for (int k = 0; k < 3; k++)
            normal[v[k]] = sw_madd(normal[v[k]], angle[k] / twice, N);
    }
    for (int i = 0; i < nvertex; i++)
        normal[i] = sw_unit(normal[i]);
}
