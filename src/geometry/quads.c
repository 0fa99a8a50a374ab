// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/quads.h"

#include <string.h>

// Corner k of a cell lies at (k & 1, k >> 1 & 1, k >> 2). Its edge 4 a + i runs along axis a from
// the corner that has the bits of i on axes a + 1 and a + 2. Its face 2 a + s lies across axis a.
typedef struct swPatches {
    unsigned char count;
    unsigned char of[12]; // the patch that crosses each edge
} swPatches;

typedef struct swNetWork {
    swQuads *net;
    swPatches patches[256]; // by the set of corners inside; faces crossed twice join them
    int *vertex;            // per cell, named by its lowest point: 1 + its first vertex, or 0
    SW_LIST(swQuadEdge) edge;
    SW_LIST(int) cell;
} swNetWork;

// ---- patches of a cell ----

static int edge_from(int axis, int corner) {
    return 4 * axis + (corner >> (axis + 1) % 3 & 1) + 2 * (corner >> (axis + 2) % 3 & 1);
}

static int find_root(const unsigned char *root, int edge) {
    while (root[edge] != edge)
        edge = root[edge];
    return edge;
}

// Joins the edges between which the border crosses one face. If it crosses all four, joins either
// the corners inside (parts are more often convex than close together), or those outside.
static void join_across(int in, int face, bool outside, unsigned char *root) {
    int axis = face / 2, a = (axis + 1) % 3, b = (axis + 2) % 3, corner = face % 2 << axis, n = 0;
    int edge[4] = {edge_from(a, corner), edge_from(b, corner | 1 << a),
                   edge_from(a, corner | 1 << b), edge_from(b, corner)};
    int around[5] = {corner, corner | 1 << a, corner | 1 << a | 1 << b, corner | 1 << b, corner};
    int crossed[4];
    for (int i = 0; i < 4; i++)
        if ((in >> around[i] & 1) != (in >> around[i + 1] & 1))
            crossed[n++] = edge[i];
    int first = n == 4 && outside == (in >> corner & 1); // which corners are cut off
    for (int i = 0; i < n; i += 2)
        root[find_root(root, crossed[(first + i + 1) % n])] =
            (unsigned char)find_root(root, crossed[first + i]);
}

// `apart` has the faces that join the corners outside.
static swPatches find_patches(int in, int apart) {
    swPatches patches = {0};
    unsigned char root[12];
    int number[12];
    for (int e = 0; e < 12; e++) {
        root[e] = (unsigned char)e;
        number[e] = -1;
    }
    for (int face = 0; face < 6; face++)
        join_across(in, face, apart >> face & 1, root);
    for (int e = 0; e < 12; e++) {
        int axis = e / 4, from = (e & 1) << (axis + 1) % 3 | (e >> 1 & 1) << (axis + 2) % 3;
        if ((in >> from & 1) == (in >> (from | 1 << axis) & 1))
            continue;
        int r = find_root(root, e);
        if (number[r] < 0)
            number[r] = patches.count++;
        patches.of[e] = (unsigned char)number[r];
    }
    return patches;
}

static int corners_inside(const swQuads *net, int cell) {
    const unsigned char *in = net->in + cell;
    int y = sw_quads_stride(net, 1), z = sw_quads_stride(net, 2);
    return (in[0] & 1) | (in[1] & 1) << 1 | (in[y] & 1) << 2 | (in[y + 1] & 1) << 3 |
           (in[z] & 1) << 4 | (in[z + 1] & 1) << 5 | (in[y + z] & 1) << 6 |
           (in[y + z + 1] & 1) << 7;
}

static swPatches patches_of(const swNetWork *w, int cell) {
    int in = corners_inside(w->net, cell), apart = w->net->in[cell] >> 1;
    return apart ? find_patches(in, apart) : w->patches[in];
}

// Whether a single patch crosses all four edges of a face.
static bool is_pinched(const swNetWork *w, int cell, int face) {
    const swPatches patches = patches_of(w, cell);
    int axis = face / 2, a = (axis + 1) % 3, b = (axis + 2) % 3, corner = face % 2 << axis;
    int patch = patches.of[edge_from(a, corner)];
    return patches.of[edge_from(b, corner)] == patch &&
           patches.of[edge_from(a, corner | 1 << b)] == patch &&
           patches.of[edge_from(b, corner | 1 << a)] == patch;
}

// If a face is crossed twice and both crossings belong to the same patch in either cell, they would
// be one edge of four quadrangles. Joining the corners outside instead cuts both patches in two. It
// never joins any patches, so faces handled earlier stay valid.
static void part_face(const swNetWork *w, int point, int axis) {
    unsigned char *in = w->net->in;
    int u = sw_quads_stride(w->net, (axis + 1) % 3), v = sw_quads_stride(w->net, (axis + 2) % 3);
    int a = in[point] & 1, b = in[point + u] & 1;
    int below = point - sw_quads_stride(w->net, axis), face = 2 * axis;
    if (a == b || (in[point + v] & 1) != b || (in[point + u + v] & 1) != a ||
        !is_pinched(w, point, face) || !is_pinched(w, below, face + 1))
        return;
    in[point] |= (unsigned char)(2 << face);
    in[below] |= (unsigned char)(2 << (face + 1));
}

// ---- edges and the cells around them ----

static bool add_edge(swNetWork *w, int point, int axis, swArena *scratch, swError *error) {
    swQuadEdge *e = SW_PUSH(&w->edge, scratch, error);
    if (!e)
        return false;
    *e = (swQuadEdge){.point = point, .axis = axis};
    int u = sw_quads_stride(w->net, (axis + 1) % 3), v = sw_quads_stride(w->net, (axis + 2) % 3);
    const int at[4] = {point - u - v, point - v, point, point - u}, bits[4] = {3, 2, 0, 1};
    for (int i = 0; i < 4; i++) { // counter-clockwise seen from the end of the edge
        const swPatches patches = patches_of(w, at[i]);
        if (!w->vertex[at[i]]) {
            w->vertex[at[i]] = w->cell.count + 1;
            for (int n = patches.count; n > 0; n--) {
                int *cell = SW_PUSH(&w->cell, scratch, error);
                if (!cell)
                    return false;
                *cell = at[i];
            }
        }
        bool out = w->net->in[point] & 1; // the edge points outwards
        e->vertex[out ? i : 3 - i] = w->vertex[at[i]] - 1 + patches.of[4 * axis + bits[i]];
    }
    return true;
}

// No point on the border of the lattice is inside, so edges and faces on the border are never
// crossed.
static bool add_edges(swNetWork *w, swArena *scratch, swError *error) {
    const swQuads *net = w->net;
    const int *n = net->n;
    for (int parting = 1; parting >= 0; parting--)
        for (int z = 0; z < n[2] - 1; z++)
            for (int y = 0; y < n[1] - 1; y++)
                for (int x = 0; x < n[0] - 1; x++) {
                    int point = x + n[0] * (y + n[1] * z), inside = net->in[point] & 1;
                    for (int axis = 0; axis < 3; axis++) {
                        if (parting)
                            part_face(w, point, axis);
                        else if (inside != (net->in[point + sw_quads_stride(net, axis)] & 1) &&
                                 !add_edge(w, point, axis, scratch, error))
                            return false;
                    }
                }
    return w->edge.count <= INT32_MAX / 6 ||
           sw_fail(error, SW_ERROR_LIMIT, "a surface of %d quadrangles is too large",
                   w->edge.count);
}

bool sw_quads_create(const int n[3], unsigned char *in, swArena *scratch, swQuads *net,
                     swError *error) {
    *net = (swQuads){.n = {n[0], n[1], n[2]}, .in = in};
    swNetWork w = {.net = net};
    for (int i = 0; i < 256; i++)
        w.patches[i] = find_patches(i, 0);
    w.vertex = SW_NEW(scratch, (size_t)n[0] * (size_t)n[1] * (size_t)n[2], int, error);
    if (!w.vertex || !add_edges(&w, scratch, error))
        return false;
    net->nedge = w.edge.count;
    net->edge = w.edge.item;
    net->nvertex = w.cell.count;
    net->cell = w.cell.item;
    return true;
}

// ---- triangles ----

// The worse of the two triangles, by area towards N over the sum of squared edges.
static swReal split_quality(swVec3 a, swVec3 b, swVec3 c, swVec3 d, swVec3 N) {
    swVec3 ab = sw_sub(b, a), ac = sw_sub(c, a), ad = sw_sub(d, a);
    swVec3 bc = sw_sub(c, b), cd = sw_sub(d, c);
    swReal size0 = sw_norm2(ab) + sw_norm2(ac) + sw_norm2(bc);
    swReal size1 = sw_norm2(ac) + sw_norm2(ad) + sw_norm2(cd);
    return sw_min(size0 > 0 ? sw_dot(N, sw_cross(ab, ac)) / size0 : 0,
                  size1 > 0 ? sw_dot(N, sw_cross(ac, ad)) / size1 : 0);
}

typedef struct swSplit {
    const swQuads *net;
    const swVec3 *X;
    int *triangle;
} swSplit;

// Where both diagonals are as good: the one that points away from the middle of the lattice, so
// that mirror images are divided alike. 0 or 1: the corner that it starts from.
static int outward(const swQuads *net, const swQuadEdge *edge) {
    int i[3], sign = net->in[edge->point] & 1 ? 1 : -1; // corners go round the other way
    sw_quads_coordinates(net, edge->point, i);
    for (int k = 0; k < 3; k++)
        if (k != edge->axis && 2 * i[k] < net->n[k] - 1)
            sign = -sign;
    return sign < 0;
}

static void split(int start, int end, int worker, void *arg) {
    static const swReal alike = 1e-6;
    (void)worker;
    const swSplit *split = arg;
    const swVec3 *X = split->X;
    for (int e = start; e < end; e++) {
        const int *v = split->net->edge[e].vertex;
        const swVec3 N = sw_unit(sw_cross(sw_sub(X[v[2]], X[v[0]]), sw_sub(X[v[3]], X[v[1]])));
        const swReal first = split_quality(X[v[0]], X[v[1]], X[v[2]], X[v[3]], N),
                     other = split_quality(X[v[1]], X[v[2]], X[v[3]], X[v[0]], N);
        const int s = fabs(first - other) <= alike ? outward(split->net, &split->net->edge[e])
                                                   : first < other;
        int corner[6] = {v[s], v[s + 1], v[s + 2], v[s], v[s + 2], v[(s + 3) % 4]};
        memcpy(split->triangle + 6 * (size_t)e, corner, sizeof corner);
    }
}

void sw_quads_triangles(const swQuads *net, const swVec3 *X, swPool *pool, int *triangle) {
    sw_parallel_for(pool, net->nedge, 4096, split, &(swSplit){net, X, triangle});
}
