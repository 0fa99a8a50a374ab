// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "frames/place.h"

#include <string.h>

enum { LLOYD_ROUNDS = 20 };
#define BEYOND 1.5
#define MOVED 0.1 // of the way to the next frame: frames that move less are at rest

typedef struct {
    const swLattice *lattice;
    const swPlacement *def;
    swMarch march; // labels: the fixed sources, then the placed ones
    int count;     // placed
    swVec3 *at;
    swReal *amount; // per node: volume of material, counted by its cost
    swVec3 center;  // of all of it
    int *stamp;     // per node: the last source that had a share in it
    bool *usable; // per node: a frame placed there has this node; where a body is cut, another one
                  // may be in the same place
    int nflip;    // flips whose images frames are,
    swVec3 flip[3];
    int *image[3]; // [count]: which
} swPlacing;

int sw_frame_nodes(const swLattice *l, int cell, swVec3 p, int node[8]) {
    swReal N[8];
    int count = 0;
    sw_lattice_shape(l, cell, sw_lattice_clamp(l, cell, p), N, NULL);
    for (int k = 0; k < 8; k++) {
        bool known = fabs(N[k]) < 1e-9;
        for (int i = 0; i < count; i++)
            known |= node[i] == l->corner[8 * cell + k];
        if (!known)
            node[count++] = l->corner[8 * cell + k];
    }
    return count;
}

// The cell of p in which it is nearest to lying inside: p may be on the border between cells.
static int cell_of(const swLattice *l, swVec3 p) { return sw_lattice_find(l, p, 1); }

// Soft material counts for more: there frames are needed.
static void weigh_nodes(swPlacing *p) {
    const swLattice *l = p->lattice;
    for (int c = 0; c < l->ncell; c++) {
        swReal volume = 0;
        for (int v = l->grid->first[l->cell[c]]; v < l->grid->first[l->cell[c] + 1]; v++)
            volume += l->grid->voxel[v].volume;
        for (int k = 0; k < 8; k++)
            p->amount[l->corner[8 * c + k]] += volume / 8 * (p->def->cost ? p->def->cost[c] : 1);
    }
    swReal total = 0;
    for (int i = 0; i < l->n; i++) {
        p->center = sw_madd(p->center, p->amount[i], l->X[i]);
        total += p->amount[i];
    }
    p->center = sw_scale(1 / total, p->center);
}

static void find_usable(swPlacing *p) {
    for (int i = 0; i < p->lattice->n; i++) {
        int node[8];
        const swVec3 X = p->lattice->X[i];
        p->usable[i] =
            sw_frame_nodes(p->lattice, cell_of(p->lattice, X), X, node) == 1 && node[0] == i;
    }
}

// ---- among those that are as good as each other ----

typedef struct {
    int node;
    swReal much, rank;
} swBest;

// Keeps the node of least `much`; where rounding alone tells two apart, that of the higher rank.
static void compare(const swPlacing *p, swBest *best, int node, swReal much) {
    static const swReal alike = 1e-9;
    if (!p->usable[node] || (best->node >= 0 && much > best->much + alike * fabs(best->much)))
        return;
    const swReal rank = sw_mirrors_rank(p->def->mirrors, p->lattice->X[node]);
    if (best->node < 0 || much < best->much - alike * fabs(best->much) || rank > best->rank)
        *best = (swBest){node, much, rank};
}

// ---- Lloyd's relaxation ----

// Whether a frame at p would be in the part that is stamped.
static bool is_in_part(const swPlacing *p, swVec3 at, int stamp) {
    const swLattice *l = p->lattice;
    const int cell = l->index[sw_grid_cell(l->grid, at)];
    int node[8];
    const int n = cell < 0 ? 0 : sw_frame_nodes(l, cell, at, node);
    for (int k = 0; k < n; k++)
        if (p->stamp[node[k]] != stamp)
            return false;
    return n > 0;
}

// Towards the centroid of the frame's part and beyond, which takes fewer rounds, or there, where
// that is in the part's material; else the lattice node nearest to it.
static swVec3 settle(const swPlacing *p, const swShares *shares, int frame) {
    const int s = p->def->nfixed + frame;
    const swShare *first = shares->list.item + shares->first[s],
                  *end = shares->list.item + shares->first[s + 1];
    swVec3 sum = {0, 0, 0};
    swReal volume = 0;
    for (const swShare *k = first; k < end; k++)
        if (k->much > 0) {
            sum = sw_madd(sum, k->much * p->amount[k->node], p->lattice->X[k->node]);
            volume += k->much * p->amount[k->node];
            if (k->much > 0.5) // what is as near to others is nobody's
                p->stamp[k->node] = s;
        }
    if (!(volume > 0))
        return p->at[frame];
    sum = sw_scale(1 / volume, sum);
    const swVec3 beyond = sw_mirrors_snap(p->def->mirrors, sw_lerp(p->at[frame], sum, BEYOND)),
                 there = sw_mirrors_snap(p->def->mirrors, sum);
    if (is_in_part(p, beyond, s))
        return beyond;
    if (is_in_part(p, there, s))
        return there;
    swBest nearest = {.node = -1};
    for (const swShare *k = first; k < end; k++)
        if (k->much > 0.5)
            compare(p, &nearest, k->node, sw_norm2(sw_sub(p->lattice->X[k->node], sum)));
    return nearest.node >= 0 ? p->lattice->X[nearest.node] : p->at[frame];
}

// The node nearest to the centre: the first frame, where there is no other source.
static int central_node(const swPlacing *p) {
    const swLattice *l = p->lattice;
    swBest best = {.node = -1};
    for (int i = 0; i < l->n; i++)
        compare(p, &best, i, sw_norm2(sw_sub(l->X[i], p->center)));
    return best.node;
}

// The node farthest from all sources, unreached parts first.
static int farthest_node(const swPlacing *p) {
    swBest best = {.node = -1};
    for (int i = 0; i < p->lattice->n; i++)
        compare(p, &best, i, -sw_min(p->march.time[i], 1e300));
    return best.node;
}

// The mean distance of a frame to the next one; or to a side of the body, where it is alone.
static swReal spacing(const swPlacing *p) {
    swReal sum = 0;
    for (int i = 0; i < p->count; i++) {
        swReal least = sw_norm2(sw_sub(p->lattice->grid->hi, p->lattice->grid->lo)) / 4;
        for (int k = 0; k < p->count; k++)
            if (k != i)
                least = sw_min(least, sw_norm2(sw_sub(p->at[i], p->at[k])));
        sum += sqrt(least);
    }
    return sum / p->count;
}

static void start_source(const void *context, int source, swMarch *march) {
    const swPlacing *p = context;
    const swLattice *l = p->lattice;
    int own[8];
    const int frame = source - p->def->nfixed;
    const int n = frame < 0 ? p->def->fixed[source].nnode
                            : sw_frame_nodes(l, cell_of(l, p->at[frame]), p->at[frame], own),
              *node = frame < 0 ? p->def->fixed[source].node : own;
    for (int k = 0; k < n; k++)
        sw_march_start(march, node[k], 0, source, 0);
}

// ---- frames that are images of each other ----

static bool is_inside(const swPlacing *p, swVec3 at) {
    const int cell = cell_of(p->lattice, at);
    return cell >= 0 && sw_norm(sw_sub(sw_lattice_clamp(p->lattice, cell, at), at)) <=
                            1e-6 * p->lattice->grid->h;
}

static bool share_nodes(const swPlacing *p, swVec3 a, swVec3 b) {
    const swLattice *l = p->lattice;
    int of_a[8], of_b[8];
    const int na = sw_frame_nodes(l, cell_of(l, a), a, of_a),
              nb = sw_frame_nodes(l, cell_of(l, b), b, of_b);
    for (int i = 0; i < na * nb; i++)
        if (of_a[i / nb] == of_b[i % nb])
            return true;
    return false;
}

// Whether a source that stays has a node of a frame at a.
static bool is_taken(const swPlacing *p, swVec3 a) {
    const swLattice *l = p->lattice;
    int node[8];
    const int n = sw_frame_nodes(l, cell_of(l, a), a, node);
    for (int s = 0; s < p->def->nfixed; s++)
        for (int k = 0; k < p->def->fixed[s].nnode * n; k++)
            if (p->def->fixed[s].node[k / n] == node[k % n])
                return true;
    return false;
}

static bool is_made_of(const swPlacing *p, swVec3 flip) {
    for (int a = 0; a < 1 << p->nflip; a++) {
        swVec3 f = {1, 1, 1};
        for (int k = 0; k < p->nflip; k++)
            if (a >> k & 1)
                f = sw_v3(f.x * p->flip[k].x, f.y * p->flip[k].y, f.z * p->flip[k].z);
        if (f.x == flip.x && f.y == flip.y && f.z == flip.z)
            return true;
    }
    return false;
}

// Frame i after some of the flips, a bit for each.
static int image_of(const swPlacing *p, int i, int flips) {
    for (int k = 0; k < p->nflip; k++)
        i = flips >> k & 1 ? p->image[k][i] : i;
    return i;
}

// Whether i and j can be images by a further flip: what those before do to one they do to the
// other.
static bool can_pair(const swPlacing *p, int i, int j) {
    for (int a = 0; a < 1 << p->nflip; a++)
        for (int b = 0; b < a; b++)
            if ((image_of(p, i, a) == image_of(p, i, b)) !=
                (image_of(p, j, a) == image_of(p, j, b)))
                return false;
    return true;
}

// Pairs up frames, and some with themselves, that are nearest to being images of each other.
static void pair_up(const swPlacing *p, swVec3 flip, int *image) {
    static const swReal alike = 1e-9;
    const swMirrors *m = p->def->mirrors;
    for (int i = 0; i < p->count; i++)
        image[i] = -1;
    for (;;) {
        int best[2] = {-1, -1};
        swReal least = INFINITY, first = 0;
        for (int i = 0; i < p->count; i++)
            for (int j = i; j < p->count && image[i] < 0; j++) {
                const swReal far = sw_norm2(sw_sub(p->at[i], sw_mirrors_image(m, flip, p->at[j]))),
                             rank = sw_mirrors_rank(m, p->at[i]) + sw_mirrors_rank(m, p->at[j]);
                if (image[j] >= 0 || far > least * (1 + alike) ||
                    (far >= least * (1 - alike) && rank <= first) || !can_pair(p, i, j))
                    continue;
                least = far;
                first = rank;
                best[0] = i;
                best[1] = j;
            }
        if (best[0] < 0)
            return;
        for (int a = 0; a < 1 << p->nflip; a++) {
            const int i = image_of(p, best[0], a), j = image_of(p, best[1], a);
            image[i] = j;
            image[j] = i;
        }
    }
}

// Two that would be in one place stand aside of the middle.
static void part(const swPlacing *p, swVec3 flip, swVec3 *a, swVec3 *b) {
    enum { STEPS = 4 };
    const swMirrors *m = p->def->mirrors;
    for (int step = 0; step < STEPS && share_nodes(p, *a, *b); step++) {
        for (int k = 0; k < 3; k++)
            if (sw_get(flip, k) < 0) {
                const swReal d = sw_get(*a, k) - sw_get(m->center, k);
                sw_set(a, k, sw_get(*a, k) + (d < 0 ? -0.5 : 0.5) * m->h);
            }
        *b = sw_mirrors_image(m, flip, *a);
    }
}

// Frames go to the middle between where they are and the images of those that are to be theirs.
// False where they would leave the material, or meet: two that do are in `clash`, if it is two of
// them.
static bool make_images(const swPlacing *p, swVec3 *at, int clash[2]) {
    const swMirrors *m = p->def->mirrors;
    for (int k = 0; k < p->nflip; k++)
        for (int i = 0; i < p->count; i++) {
            const int j = p->image[k][i];
            if (j < i)
                continue;
            at[i] = sw_mirrors_snap(m, sw_lerp(at[i], sw_mirrors_image(m, p->flip[k], at[j]), 0.5));
            if (j == i)
                continue;
            at[j] = sw_mirrors_image(m, p->flip[k], at[i]);
            part(p, p->flip[k], &at[i], &at[j]);
        }
    clash[0] = clash[1] = -1;
    for (int i = 0; i < p->count; i++) {
        if (!is_inside(p, at[i]) || is_taken(p, at[i]))
            return false;
        for (int j = 0; j < i; j++)
            if (share_nodes(p, at[i], at[j])) {
                clash[0] = j;
                clash[1] = i;
                return false;
            }
    }
    return true;
}

// Two frames that would both be their own images, in one place, become each other's.
static bool couple(swPlacing *p, const int clash[2]) {
    int *image = p->image[p->nflip - 1];
    const int i = clash[0], j = clash[1];
    bool ok = i >= 0 && image[i] == i && image[j] == j;
    p->nflip--;
    ok = ok && can_pair(p, i, j);
    for (int a = 0; ok && a < 1 << p->nflip; a++) {
        const int k = image_of(p, i, a), l = image_of(p, j, a);
        image[k] = l;
        image[l] = k;
    }
    p->nflip++;
    return ok;
}

// `to` is scratch.
static void mirror(swPlacing *p, swVec3 *to) {
    const swMirrors *m = p->def->mirrors;
    for (int k = 1; k < m->n; k++) {
        if (is_made_of(p, m->flip[k]))
            continue;
        pair_up(p, m->flip[k], p->image[p->nflip]);
        p->flip[p->nflip++] = m->flip[k];
        int clash[2];
        bool ok;
        do {
            memcpy(to, p->at, (size_t)p->count * sizeof *to);
            ok = make_images(p, to, clash);
        } while (!ok && couple(p, clash));
        if (ok)
            memcpy(p->at, to, (size_t)p->count * sizeof *to);
        else
            p->nflip--;
    }
}

// ---- all together ----

static bool restart(swPlacing *p) {
    sw_march_clear(&p->march);
    for (int s = 0; s < p->def->nfixed + p->count; s++)
        start_source(p, s, &p->march);
    sw_march_run(&p->march);
    return !sw_pool_stopped(p->lattice->pool);
}

// `to` is scratch.
static bool relax(swPlacing *p, swVec3 *to, const swAllocator *allocator, swError *error) {
    const int nsource = p->def->nfixed + p->count;
    for (int round = 0; round < LLOYD_ROUNDS; round++) {
        swShares shares;
        swArena scratch;
        swReal moved = 0;
        sw_arena_init(&scratch, allocator);
        const bool ok =
            sw_march_share(&p->march, nsource, start_source, p, &scratch, &shares, error);
        for (int i = 0; i < p->lattice->n; i++)
            p->stamp[i] = -1;
        for (int i = 0; ok && i < p->count; i++)
            to[i] = settle(p, &shares, i);
        sw_arena_free(&scratch);
        if (!ok)
            return false;
        for (int i = 0; i < p->count; i++) {
            moved = sw_max(moved, sw_norm(sw_sub(to[i], p->at[i])));
            p->at[i] = to[i];
        }
        if (moved <= sw_max(0.5 * p->lattice->grid->h, MOVED * spacing(p)))
            return true;
        if (!restart(p))
            return sw_fail_stopped(error);
    }
    return true;
}

// By farthest points. False where the lattice's pool is stopped.
static bool spread(swPlacing *p) {
    swReal reach = INFINITY;
    if (!restart(p))
        return false;
    while (p->count < p->def->count) {
        const int node = p->march.nreached > 0 ? farthest_node(p) : central_node(p);
        const swReal far = node < 0 ? 0 : p->march.time[node];
        if (far == 0) // every node has a frame
            break;
        if (isinf(reach) && !isinf(far))
            reach = far;
        if (far <= sqrt(p->def->error) * reach)
            break;
        p->at[p->count] = p->lattice->X[node];
        start_source(p, p->def->nfixed + p->count++, &p->march);
        sw_march_run(&p->march);
        if (sw_pool_stopped(p->lattice->pool))
            return false;
    }
    return true;
}

bool sw_frames_place(const swLattice *l, const swPlacement *def, swArena *arena, swVec3 *at,
                     int *placed, swError *error) {
    swPlacing p = {.lattice = l, .def = def, .at = at};
    swVec3 *to = SW_NEW(arena, def->count + 1, swVec3, error);
    *placed = 0;
    if (def->count == 0)
        return true;
    if (!to || !sw_march_create(&p.march, l, def->cost, arena, error) ||
        !(p.stamp = SW_NEW(arena, l->n, int, error)) ||
        !(p.usable = SW_NEW(arena, l->n, bool, error)) ||
        !(p.amount = SW_NEW(arena, l->n, swReal, error)))
        return false;
    for (int k = 0; k < 3; k++)
        if (!(p.image[k] = SW_NEW(arena, def->count, int, error)))
            return false;
    weigh_nodes(&p);
    find_usable(&p);
    if (!spread(&p) || !restart(&p))
        return sw_fail_stopped(error);
    if (!relax(&p, to, &arena->allocator, error))
        return false;
    mirror(&p, to);
    *placed = p.count;
    return true;
}

// ---- in a row ----

typedef struct {
    swReal from, to;
    bool open[2]; // nothing is at this end
    int count;
} swGap;

// With half a spacing left at open ends.
static swReal gap_spacing(const swGap *g, int count) {
    return (g->to - g->from) / (count + 1 - 0.5 * (g->open[0] + g->open[1]));
}

// The middle of the material of a cell's thickness at s; on the material nearest to it, where that
// is hollow.
static swVec3 middle_at(const swLattice *l, swVec3 axis, swReal s) {
    const swGrid *g = l->grid;
    swVec3 sum = {0, 0, 0};
    swReal volume = 0, reach = 0.5 * g->h;
    for (; volume == 0; reach *= 2)
        for (int v = 0; v < g->nvoxel; v++)
            if (fabs(sw_dot(axis, g->voxel[v].centroid) - s) <= reach) {
                sum = sw_madd(sum, g->voxel[v].volume, g->voxel[v].centroid);
                volume += g->voxel[v].volume;
            }
    swVec3 p = sw_scale(1 / volume, sum);
    p = sw_madd(p, s - sw_dot(axis, p), axis);
    if (sw_lattice_find(l, p, 1) >= 0)
        return p;
    int nearest = 0;
    for (int v = 1; v < g->nvoxel; v++)
        if (sw_norm2(sw_sub(g->voxel[v].centroid, p)) <
            sw_norm2(sw_sub(g->voxel[nearest].centroid, p)))
            nearest = v;
    return g->voxel[nearest].centroid;
}

// Where frame k of those in a gap stands.
static swReal place_in(const swGap *g, int k, bool at_ends) {
    if (g->count == 1 && g->open[0] && g->open[1])
        return 0.5 * (g->from + g->to);
    const swReal left = at_ends ? 0 : 0.5, // spacings beyond the frames at open ends
        first = g->open[0] ? left : 1, last = g->open[1] ? left : 1;
    return g->from + (first + k) * (g->to - g->from) / (g->count - 1 + first + last);
}

bool sw_frames_row(const swLattice *l, swVec3 axis, int ntaken, swStretch *taken, int count,
                   bool at_ends, swArena *arena, swVec3 *at, swError *error) {
    swReal lo = INFINITY, hi = -INFINITY;
    for (int v = 0; v < l->grid->nvoxel; v++)
        for (int k = 0; k < 8; k++) {
            const swVoxel *x = &l->grid->voxel[v];
            const swReal s =
                sw_dot(axis, sw_v3(k & 1 ? x->hi.x : x->lo.x, k & 2 ? x->hi.y : x->lo.y,
                                   k & 4 ? x->hi.z : x->lo.z));
            lo = sw_min(lo, s);
            hi = sw_max(hi, s);
        }
    swGap *gap = SW_NEW(arena, ntaken + 1, swGap, error);
    if (!gap)
        return false;
    for (int i = 1; i < ntaken; i++)
        for (int k = i; k > 0 && taken[k].lo < taken[k - 1].lo; k--) {
            const swStretch t = taken[k];
            taken[k] = taken[k - 1];
            taken[k - 1] = t;
        }
    for (int i = 0; i <= ntaken; i++)
        gap[i] = (swGap){
            i > 0 ? taken[i - 1].hi : lo, i < ntaken ? taken[i].lo : hi, {i == 0, i == ntaken}, 0};
    for (int i = 0; i < count; i++) { // each where most room is
        int best = 0;
        for (int k = 1; k <= ntaken; k++)
            if (gap_spacing(&gap[k], gap[k].count) > gap_spacing(&gap[best], gap[best].count))
                best = k;
        gap[best].count++;
    }
    int n = 0;
    for (int i = 0; i <= ntaken; i++)
        for (int k = 0; k < gap[i].count; k++)
            at[n++] = middle_at(l, axis, place_in(&gap[i], k, at_ends));
    return true;
}
