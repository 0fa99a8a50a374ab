// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/bvh.h"

enum { LEAF = 4, STACK = 64 }; // halving 2^31 triangles gives 31 levels

typedef swBoxNode Node;

// Far field of a node: its area vector, placed at its centre of area.
typedef struct swDipole {
    swVec3 center, N;
    swReal area, radius;
} Dipole;

typedef struct Build {
    swBvh *bvh;
    Node *node;
    Dipole *dipole;
    swVec3 *corner;
    int *triangle;
    const swSurface *surface;
    swVec3 *center; // centre of each triangle's box
    int *order;
    uint32_t random;
} Build;

// Reorders order[lo, hi) so that the item at `middle` is the one that sorting by coordinate `axis`
// would put there, with smaller ones before it. Pivots are random, so that no particular input is
// slow.
static void select_middle(Build *b, int axis, int lo, int hi, int middle) {
    for (hi--; lo < hi;) {
        b->random = b->random * 1664525u + 1013904223u;
        int at = lo + (int)((uint64_t)b->random * (uint64_t)(hi - lo + 1) >> 32);
        swReal pivot = sw_get(b->center[b->order[at]], axis);
        int i = lo, j = hi;
        while (i <= j) {
            while (sw_get(b->center[b->order[i]], axis) < pivot)
                i++;
            while (sw_get(b->center[b->order[j]], axis) > pivot)
                j--;
            if (i <= j) {
                int keep = b->order[i];
                b->order[i++] = b->order[j];
                b->order[j--] = keep;
            }
        }
        if (middle <= j)
            hi = j;
        else if (middle >= i)
            lo = i;
        else
            return;
    }
}

static void finish_dipole(const Node *node, Dipole *d, swVec3 weighted) {
    d->center = d->area > 0 ? sw_scale(1 / d->area, weighted) : sw_lerp(node->lo, node->hi, 0.5);
    d->radius = sw_norm(sw_max3(sw_sub(node->hi, d->center), sw_sub(d->center, node->lo)));
}

static void build_leaf(Build *b, Node *node, Dipole *d, int lo, int hi) {
    swVec3 weighted = {0, 0, 0};
    node->first = lo;
    node->count = hi - lo;
    for (int i = lo; i < hi; i++) {
        swVec3 *c = &b->corner[3 * (size_t)i];
        b->triangle[i] = b->order[i];
        for (int k = 0; k < 3; k++) {
            c[k] = b->surface->X[b->surface->triangle[3 * (size_t)b->order[i] + (size_t)k]];
            node->lo = sw_min3(node->lo, c[k]);
            node->hi = sw_max3(node->hi, c[k]);
        }
        swVec3 N = sw_scale(0.5, sw_cross(sw_sub(c[1], c[0]), sw_sub(c[2], c[0])));
        swReal area = sw_norm(N);
        d->N = sw_add(d->N, N);
        d->area += area;
        weighted = sw_madd(weighted, area / 3, sw_add(c[0], sw_add(c[1], c[2])));
    }
    finish_dipole(node, d, weighted);
}

static int build_node(Build *b, int lo, int hi) {
    int at = b->bvh->nnode++;
    Node *node = &b->node[at];
    Dipole *d = &b->dipole[at];
    node->lo = sw_v3(INFINITY, INFINITY, INFINITY);
    node->hi = sw_scale(-1, node->lo);
    if (hi - lo <= LEAF) {
        build_leaf(b, node, d, lo, hi);
        return at;
    }
    swVec3 min = node->lo, max = node->hi;
    for (int i = lo; i < hi; i++) {
        min = sw_min3(min, b->center[b->order[i]]);
        max = sw_max3(max, b->center[b->order[i]]);
    }
    swVec3 extent = sw_sub(max, min);
    int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    int middle = lo + (hi - lo) / 2;
    select_middle(b, axis, lo, hi, middle);
    int left = build_node(b, lo, middle), right = build_node(b, middle, hi);
    node->right = right;
    node->lo = sw_min3(b->node[left].lo, b->node[right].lo);
    node->hi = sw_max3(b->node[left].hi, b->node[right].hi);
    const Dipole *dl = &b->dipole[left], *dr = &b->dipole[right];
    d->N = sw_add(dl->N, dr->N);
    d->area = dl->area + dr->area;
    finish_dipole(node, d, sw_madd(sw_scale(dl->area, dl->center), dr->area, dr->center));
    return at;
}

swBvh *sw_bvh_create(const swSurface *surface, swArena *arena, swError *error) {
    int n = surface->ntriangle;
    SW_ASSERT(n > 0);
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    swBvh *bvh = SW_NEW(arena, 1, swBvh, error);
    Build b = {.bvh = bvh, .surface = surface, .random = 1};
    // A leaf holds at least two triangles, unless it is the only one, so there are at most n nodes.
    bool ok = bvh && (b.node = SW_NEW(arena, n, Node, error)) &&
              (b.dipole = SW_NEW(arena, n, Dipole, error)) &&
              (b.corner = SW_NEW(arena, 3 * (size_t)n, swVec3, error)) &&
              (b.triangle = SW_NEW(arena, n, int, error)) &&
              (b.center = SW_NEW(&scratch, n, swVec3, error)) &&
              (b.order = SW_NEW(&scratch, n, int, error));
    if (ok) {
        for (int i = 0; i < n; i++) {
            const int *v = &surface->triangle[3 * (size_t)i];
            swVec3 p = surface->X[v[0]], q = surface->X[v[1]], r = surface->X[v[2]];
            b.center[i] = sw_lerp(sw_min3(p, sw_min3(q, r)), sw_max3(p, sw_max3(q, r)), 0.5);
            b.order[i] = i;
        }
        *bvh = (swBvh){.ntriangle = n,
                       .node = b.node,
                       .corner = b.corner,
                       .triangle = b.triangle,
                       .dipole = b.dipole};
        build_node(&b, 0, n);
    }
    sw_arena_free(&scratch);
    return ok ? bvh : NULL;
}

// The corners of triangle i; `room` holds them if they are not stored together.
static const swVec3 *corners(const swBvh *bvh, int i, swVec3 room[3]) {
    if (bvh->corner)
        return &bvh->corner[3 * (size_t)i];
    for (int k = 0; k < 3; k++)
        room[k] = bvh->X[bvh->index[3 * (size_t)i + (size_t)k]];
    return room;
}

// ---- trees from files ----

typedef struct Branch {
    int node, end; // the branch consists of nodes node .. end - 1
} Branch;

bool sw_bvh_sane(const swBvh *bvh) {
    Branch stack[STACK];
    int top = 0, next = 0; // next: the triangle expected next
    if (bvh->nnode < 1)
        return false;
    stack[top++] = (Branch){0, bvh->nnode};
    while (top > 0) {
        const Branch at = stack[--top];
        const Node *node = &bvh->node[at.node];
        if (node->count != 0) {
            if (node->count < 0 || node->first != next || node->count > bvh->ntriangle - next ||
                at.end != at.node + 1)
                return false;
            next += node->count;
            continue;
        }
        if (node->right <= at.node + 1 || node->right >= at.end || node->first != 0 ||
            top + 2 > STACK)
            return false;
        stack[top++] = (Branch){node->right, at.end};
        stack[top++] = (Branch){at.node + 1, node->right};
    }
    return next == bvh->ntriangle;
}

// ---- nearest point ----

// Where on a triangle: in its interior, on the edge from corner k, or at corner k.
typedef struct Spot {
    swBvhPart part;
    int k;
} Spot;

static swVec3 closest_on_segment(swVec3 a, swVec3 b, swVec3 p, int k, Spot *spot) {
    swVec3 ab = sw_sub(b, a);
    swReal length2 = sw_norm2(ab), t = length2 > 0 ? sw_dot(sw_sub(p, a), ab) / length2 : 0;
    *spot =
        t > 0 && t < 1 ? (Spot){SW_BVH_EDGE, k} : (Spot){SW_BVH_CORNER, t >= 1 ? (k + 1) % 3 : k};
    return length2 > 0 ? sw_madd(a, sw_clamp(t, 0, 1), ab) : a;
}

static swVec3 closest_on_triangle(const swVec3 c[3], swVec3 p, Spot *spot) {
    swVec3 ab = sw_sub(c[1], c[0]), ac = sw_sub(c[2], c[0]), N = sw_cross(ab, ac);
    swReal N2 = sw_norm2(N), longest2 = sw_max(sw_norm2(ab), sw_norm2(ac)), nearest = INFINITY;
    bool needle = !(N2 > 1e-24 * longest2 * longest2); // N is only rounding: use the edges alone
    swVec3 best = c[0];
    *spot = (Spot){SW_BVH_FACE, 0};
    for (int k = 0; k < 3; k++) {
        swVec3 a = c[k], b = c[k == 2 ? 0 : k + 1];
        if (!needle && sw_dot(sw_cross(N, sw_sub(b, a)), sw_sub(p, a)) >= 0)
            continue; // p is on the inner side of this edge
        Spot here;
        swVec3 q = closest_on_segment(a, b, p, k, &here);
        swReal d = sw_norm2(sw_sub(q, p));
        if (d < nearest) {
            nearest = d;
            best = q;
            *spot = here;
        }
    }
    if (nearest < INFINITY)
        return best;
    return sw_madd(p, sw_dot(N, sw_sub(c[0], p)) / N2, N);
}

static swReal box_distance2(const Node *node, swVec3 p) {
    return sw_norm2(sw_max3(sw_max3(sw_sub(node->lo, p), sw_sub(p, node->hi)), sw_v3(0, 0, 0)));
}

// Finds the nearest point within sqrt(nearest) of p, its triangle in leaf order (or -1), and where
// on the triangle it lies.
static swVec3 search(const swBvh *bvh, swVec3 p, swReal nearest, int *triangle, Spot *spot) {
    struct {
        int node;
        swReal d;
    } stack[STACK];
    int top = 0;
    swVec3 best = {0, 0, 0}, room[3];
    *triangle = -1;
    stack[top].node = 0;
    stack[top++].d = 0;
    while (top > 0) {
        top--;
        if (stack[top].d >= nearest)
            continue;
        int at = stack[top].node;
        const Node *node = &bvh->node[at];
        for (int i = node->first; i < node->first + node->count; i++) {
            Spot here;
            swVec3 q = closest_on_triangle(corners(bvh, i, room), p, &here);
            swReal d = sw_norm2(sw_sub(q, p));
            if (d < nearest) {
                nearest = d;
                best = q;
                *triangle = i;
                *spot = here;
            }
        }
        if (node->count)
            continue;
        // Push the nearer child last, so that it is visited first.
        int near = at + 1, far = node->right;
        swReal dnear = box_distance2(&bvh->node[near], p), dfar = box_distance2(&bvh->node[far], p);
        bool swap = dfar < dnear;
        stack[top].node = swap ? near : far;
        stack[top++].d = swap ? dnear : dfar;
        stack[top].node = swap ? far : near;
        stack[top++].d = swap ? dfar : dnear;
    }
    return best;
}

swVec3 sw_bvh_closest(const swBvh *bvh, swVec3 p, int *triangle) {
    Spot spot;
    int found;
    swVec3 room[3], best = search(bvh, p, INFINITY, &found, &spot);
    if (triangle)
        *triangle = found < 0 ? 0 : bvh->triangle ? bvh->triangle[found] : found;
    return found < 0 ? corners(bvh, 0, room)[0] : best; // p is not finite
}

bool sw_bvh_nearest(const swBvh *bvh, swVec3 p, swReal reach, swBvhNearest *out) {
    Spot spot;
    swVec3 room[3];
    out->point = search(bvh, p, reach * reach, &out->triangle, &spot);
    if (out->triangle < 0)
        return false;
    const swVec3 *c = corners(bvh, out->triangle, room);
    out->part = spot.part;
    out->along =
        spot.part == SW_BVH_EDGE ? sw_unit(sw_sub(c[(spot.k + 1) % 3], c[spot.k])) : sw_v3(0, 0, 0);
    out->normal = sw_unit(sw_cross(sw_sub(c[1], c[0]), sw_sub(c[2], c[0])));
    return true;
}

// ---- lines along x ----

typedef struct Span {
    swVec3 lo, hi; // lower and upper end in z
} Span;

// Whether (y, z) lies on the side of smaller y. Both triangles at an edge call this with the same
// end points in the same order, so they get the same answer whatever the rounding.
static bool is_left(const Span *e, swReal y, swReal z) {
    if (y < sw_min(e->lo.y, e->hi.y))
        return true;
    if (y >= sw_max(e->lo.y, e->hi.y))
        return false;
    return (e->hi.y - e->lo.y) * (z - e->lo.z) > (y - e->lo.y) * (e->hi.z - e->lo.z);
}

// The winding number of the triangle, projected along -x, about (y, z): the number of edges that a
// ray towards +y crosses upwards less those it crosses downwards. An edge includes its lower end
// but not its upper one, so either two edges or none reach z, and over a closed surface the sum
// cancels edge by edge.
static int pierce_triangle(const swVec3 c[3], swReal y, swReal z, swReal *x) {
    Span edge[3];
    int count = 0, sign = 0;
    for (int k = 0; k < 3; k++) {
        swVec3 a = c[k], b = c[k == 2 ? 0 : k + 1];
        bool up = a.z < b.z;
        Span e = {up ? a : b, up ? b : a};
        if (z < e.lo.z || z >= e.hi.z)
            continue;
        if (is_left(&e, y, z))
            sign += up ? 1 : -1;
        edge[count++] = e;
    }
    if (sign == 0)
        return 0;
    swReal ex[2], ey[2];
    for (int k = 0; k < 2; k++) {
        const Span *e = &edge[k];
        swReal t = (z - e->lo.z) / (e->hi.z - e->lo.z);
        ey[k] = e->lo.y + t * (e->hi.y - e->lo.y);
        ex[k] = e->lo.x + t * (e->hi.x - e->lo.x);
    }
    // Interpolate from smaller to larger y, so that two opposite triangles agree to the last bit.
    int a = ey[0] > ey[1], b = !a;
    swReal t = ey[a] == ey[b] ? 0.5 : sw_clamp((y - ey[a]) / (ey[b] - ey[a]), 0, 1);
    *x = ex[a] + t * (ex[b] - ex[a]);
    return sign;
}

bool sw_bvh_pierce(const swBvh *bvh, swReal y, swReal z, swBvhHit *fn, void *arg) {
    int stack[STACK], top = 0;
    swVec3 room[3];
    stack[top++] = 0;
    while (top > 0) {
        int at = stack[--top];
        const Node *node = &bvh->node[at];
        if (y < node->lo.y || y > node->hi.y || z < node->lo.z || z > node->hi.z)
            continue;
        for (int i = node->first; i < node->first + node->count; i++) {
            swReal x;
            int sign = pierce_triangle(corners(bvh, i, room), y, z, &x);
            if (sign && !fn(arg, x, sign))
                return false;
        }
        if (node->count == 0) {
            stack[top++] = node->right;
            stack[top++] = at + 1;
        }
    }
    return true;
}

// ---- pairs of nearby triangles ----

typedef struct Pairs {
    const swBvh *bvh;
    swBvhPair *fn;
    void *arg;
} Pairs;

typedef struct Box {
    swVec3 lo, hi;
} Box;

static Box box_of(const swVec3 c[3]) {
    return (Box){sw_min3(c[0], sw_min3(c[1], c[2])), sw_max3(c[0], sw_max3(c[1], c[2]))};
}

static bool meet(Box a, Box b) {
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
           a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

static bool pairs_of_leaves(const Pairs *pairs, const Node *a, const Node *b) {
    const swVec3 *ca = &pairs->bvh->corner[3 * (size_t)a->first];
    const swVec3 *cb = &pairs->bvh->corner[3 * (size_t)b->first];
    Box box[LEAF];
    for (int j = 0; j < b->count; j++)
        box[j] = box_of(&cb[3 * j]);
    for (int i = 0; i < a->count; i++) {
        Box own = box_of(&ca[3 * i]);
        for (int j = a == b ? i + 1 : 0; j < b->count; j++)
            if (meet(own, box[j]) && !pairs->fn(pairs->arg, &ca[3 * i], &cb[3 * j]))
                return false;
    }
    return true;
}

// Visits the pairs of a triangle below node i and one below node j; if i == j, the pairs within
// that node.
static bool visit_pairs(const Pairs *pairs, int i, int j) {
    const Node *a = &pairs->bvh->node[i], *b = &pairs->bvh->node[j];
    if (!meet((Box){a->lo, a->hi}, (Box){b->lo, b->hi}))
        return true;
    if (a->count && b->count)
        return pairs_of_leaves(pairs, a, b);
    if (i == j)
        return visit_pairs(pairs, i + 1, i + 1) && visit_pairs(pairs, a->right, a->right) &&
               visit_pairs(pairs, i + 1, a->right);
    bool larger = sw_norm2(sw_sub(a->hi, a->lo)) > sw_norm2(sw_sub(b->hi, b->lo));
    if (b->count || (!a->count && larger))
        return visit_pairs(pairs, i + 1, j) && visit_pairs(pairs, a->right, j);
    return visit_pairs(pairs, i, j + 1) && visit_pairs(pairs, i, b->right);
}

bool sw_bvh_pairs(const swBvh *bvh, swBvhPair *fn, void *arg) {
    return visit_pairs(&(Pairs){bvh, fn, arg}, 0, 0);
}

// ---- the winding number ----

// The solid angle of a triangle at p over 4 pi (van Oosterom and Strackee 1983).
static swReal winding_of_triangle(const swVec3 c[3], swVec3 p) {
    swVec3 a = sw_sub(c[0], p), b = sw_sub(c[1], p), d = sw_sub(c[2], p);
    swReal la = sw_norm(a), lb = sw_norm(b), ld = sw_norm(d);
    swReal volume = sw_dot(a, sw_cross(b, d));
    swReal rest = la * lb * ld + sw_dot(a, b) * ld + sw_dot(b, d) * la + sw_dot(d, a) * lb;
    return atan2(volume, rest) / (2 * SW_PI);
}

swReal sw_bvh_winding(const swBvh *bvh, swVec3 p, swReal beta) {
    int stack[STACK], top = 0;
    swReal w = 0;
    stack[top++] = 0;
    while (top > 0) {
        int at = stack[--top];
        const Node *node = &bvh->node[at];
        const Dipole *d = &bvh->dipole[at];
        swVec3 r = sw_sub(d->center, p);
        swReal r2 = sw_norm2(r);
        if (r2 > beta * beta * d->radius * d->radius) {
            w += sw_dot(d->N, r) / (4 * SW_PI * r2 * sqrt(r2));
            continue;
        }
        for (int i = node->first; i < node->first + node->count; i++)
            w += winding_of_triangle(&bvh->corner[3 * (size_t)i], p);
        if (node->count == 0) {
            stack[top++] = node->right;
            stack[top++] = at + 1;
        }
    }
    return w;
}
