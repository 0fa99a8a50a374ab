// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Skin weights from the embedded surface of a body.
//
// If the number of joints per vertex is limited, the remaining joints get the weights with which
// they follow the motion best, those that minimise
//     sum_k c_k |sum_i w_i (x_ik - x_k)|^2 + S (sum_i w_i - 1)^2 + T S |w - w0|^2,
// where x_ik is the position to which joint i moves the vertex in pose k, x_k its actual position,
// c_k the weight of the pose (1 for recorded keys, less for others), S the size of the first term,
// and w0 the present weights, which decide where the motion does not. Joints are dropped until few
// enough are left: first those with negative weights, then the one whose loss costs least.
#include "output/gltf.h"

#include "math/cholesky.h"

#include <stdlib.h>
#include <string.h>

enum { TRIED = 16, LOOKED_AT = 32 }; // joints of a vertex; keys of the clip
#define TRUST 1e-3                   // T
#define OTHERS 0.1 // sum of c over all other poses, relative to that over all keys

typedef struct Influence {
    int joint; // index of the frame in the body
    swReal w;
} Influence;

// Finds the frames that move point p, by descending weight. Returns their number.
static int influences(const swBodyModel *m, const swBodyInfo *b, int p, Influence *out) {
    int n = 0;
    for (int e = m->point_start[p]; e < m->point_start[p + 1]; e++) {
        Influence now = {m->point_node[e] - b->node, m->point_weight[e]};
        if (!(now.w > 0))
            continue;
        int at = n++;
        for (; at > 0 && out[at - 1].w < now.w; at--)
            out[at] = out[at - 1];
        out[at] = now;
    }
    return n;
}

// Returns sum_i w_i x_i, where x_i is the position to which joint i moves point p.
static swVec3 blend(const swBodyModel *m, const swBodyInfo *b, const swReal *q, int p, int n,
                    const Influence *in) {
    swVec3 x = {0, 0, 0};
    for (int i = 0; i < n; i++) {
        const swNode *frame = &m->node[b->node + in[i].joint];
        const swReal *A = q + frame->q;
        swReal mono[SW_MAX_MONOMIALS];
        swVec3 arm = sw_sub(m->point[p], frame->origin);
        sw_monomials(frame->width, arm, mono);
        if (frame->width == 1)
            x = sw_madd(x, in[i].w, arm);
        for (int c = 0; c < frame->width; c++)
            x = sw_madd(x, in[i].w * mono[c],
                        sw_v3(A[c], A[frame->width + c], A[2 * frame->width + c]));
    }
    return x;
}

// Adds the contribution of a pose to G.
static void add_pose(const swBodyModel *m, const swBodyInfo *b, const swReal *q, swReal count,
                     int p, int nall, int n, const Influence *in, swReal *G) {
    const swVec3 now = blend(m, b, q, p, nall, in);
    swVec3 x[TRIED];
    for (int i = 0; i < n; i++) {
        const Influence one = {in[i].joint, 1};
        x[i] = sw_sub(blend(m, b, q, p, 1, &one), now);
        for (int j = 0; j <= i; j++)
            G[i * TRIED + j] += count * sw_dot(x[i], x[j]);
    }
}

// Assembles the normal equations G w = c for n joints of point p, x_k being the position to which
// all of its joints move it.
static void gather(const swBodyModel *m, const swBodyClip *clip, const swGltfSets *sets, int p,
                   int nall, int n, const Influence *in, swReal *G, swReal *c) {
    const swBodyInfo *b = &m->body[sets->body];
    const int nkey = clip->keys.count, step = nkey / LOOKED_AT + 1;
    const swReal others = OTHERS * ((nkey - 1) / step + 1) / sw_max_int(sets->npose, 1);
    swReal size = 0;
    memset(G, 0, TRIED * TRIED * sizeof *G);
    for (int k = 0; k < nkey; k += step)
        add_pose(m, b, clip->keys.item[k].q, 1, p, nall, n, in, G);
    for (int k = 0; k < sets->npose; k++)
        add_pose(m, b, sets->pose + k * m->size.nq, others, p, nall, n, in, G);
    for (int i = 0; i < n; i++)
        size += G[i * TRIED + i];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            G[i * TRIED + j] += size;
        G[i * TRIED + i] += TRUST * size;
        c[i] = size + TRUST * size * in[i].w;
    }
}

// Removes row and column `out`.
static void leave_out(int n, int out, Influence *in, swReal *G, swReal *c) {
    for (int i = out; i < n - 1; i++) {
        in[i] = in[i + 1];
        c[i] = c[i + 1];
        memcpy(G + i * TRIED, G + (i + 1) * TRIED, TRIED * sizeof *G);
        for (int j = out; j <= i; j++)
            G[i * TRIED + j] = G[i * TRIED + j + 1];
    }
}

// Reduces n influences to at most `kept`. Returns how many are left.
static int fit(int n, int kept, Influence *in, swReal *G, swReal *c) {
    for (;; n--) {
        _Alignas(64) swReal L[TRIED * TRIED], w[TRIED];
        memcpy(L, G, sizeof L);
        memcpy(w, c, sizeof w);
        if (sw_cholesky_factor(n, n, L, TRIED) < n)
            return sw_min_int(n, kept); // nothing moves, so any weights do
        sw_cholesky_solve(n, L, TRIED, w);
        int worst = -1, out = 0;
        swReal least = INFINITY;
        for (int i = 0; i < n; i++) {
            _Alignas(64) swReal e[TRIED] = {0};
            e[i] = 1;
            sw_cholesky_lower(n, L, TRIED, e);
            const swReal loss = w[i] * w[i] / sw_dot_n(n, e, e); // w_i^2 / (G^-1)_ii
            if (w[i] < 0 && (worst < 0 || w[i] < w[worst]))
                worst = i;
            if (loss < least) {
                least = loss;
                out = i;
            }
        }
        if (n <= kept && worst < 0) {
            for (int i = 0; i < n; i++)
                in[i].w = w[i];
            return n;
        }
        leave_out(n, worst >= 0 ? worst : out, in, G, c);
    }
}

static int by_weight(const void *a, const void *b) {
    const Influence *p = a, *q = b;
    return p->w != q->w ? (p->w < q->w ? 1 : -1) : p->joint - q->joint;
}

// Writes at most `kept` of n influences to `some` and returns their number. `error` becomes the
// largest distance this causes at the keys.
static int limit(const swBodyModel *m, const swBodyClip *clip, const swGltfSets *sets, int p, int n,
                 int kept, const Influence *all, Influence *some, swReal *error) {
    const swBodyInfo *b = &m->body[sets->body];
    _Alignas(64) swReal G[TRIED * TRIED], c[TRIED];
    const int tried = sw_min_int(n, sw_max_int(kept, TRIED));
    memcpy(some, all, (size_t)tried * sizeof *some);
    if (n <= kept)
        return n;
    if (kept < TRIED) {
        gather(m, clip, sets, p, n, tried, all, G, c);
        kept = fit(tried, kept, some, G, c);
    }
    qsort(some, (size_t)kept, sizeof *some, by_weight);
    swReal sum = 0;
    for (int i = 0; i < kept; i++)
        sum += some[i].w;
    for (int i = 0; i < kept; i++)
        some[i].w /= sum;
    for (int k = 0; k < clip->keys.count; k++) {
        const swReal *q = clip->keys.item[k].q;
        const swVec3 gap = sw_sub(blend(m, b, q, p, kept, some), blend(m, b, q, p, n, all));
        *error = sw_max(*error, sw_norm(gap));
    }
    return kept;
}

void sw_gltf_put_influence(const swGltf *g, const swGltfSets *sets, int vertex, int place,
                           int joint, float weight) {
    const swGltfAccessor *to = sw_gltf_at(g, sets->set + place / 4 * 2);
    const size_t at = 4 * (size_t)vertex + (size_t)(place % 4);
    ((float *)to[1].data)[at] = weight;
    if (to->component == SW_GLTF_UBYTE)
        ((uint8_t *)to->data)[at] = (uint8_t)joint;
    else
        ((uint16_t *)to->data)[at] = (uint16_t)joint;
}

// The largest weight takes the rounding errors, so that weights sum to one in single precision too.
static void put_influences(const swGltf *g, const swGltfSets *sets, int vertex, int n,
                           const Influence *in) {
    double rest = 1;
    for (int i = n - 1; i >= 0; i--) {
        const float weight = (float)(i > 0 ? in[i].w : rest);
        const int joint = sets->joint ? sets->joint[in[i].joint] : in[i].joint;
        rest -= weight;
        if (weight != 0) // an unused slot has joint 0
            sw_gltf_put_influence(g, sets, vertex, i, joint, weight);
    }
}

// The embedded point of a vertex, or -1.
static int point_of(const swGltfSets *sets, int vertex) {
    if (!sets->point)
        return sets->first + vertex;
    return sets->point[vertex] < 0 ? -1 : sets->first + sets->point[vertex];
}

static bool add_sets(swGltf *g, const swBodyModel *m, const swBodyClip *clip, swGltfSets *sets,
                     int max_influences, swGltfReport *report, swArena *scratch) {
    const swBodyInfo *b = &m->body[sets->body];
    int room = 1, found = 1;
    for (int v = 0, p; v < sets->nvertex; v++)
        if ((p = point_of(sets, v)) >= 0)
            room = sw_max_int(room, m->point_start[p + 1] - m->point_start[p]);
    Influence *all = SW_NEW(scratch, room, Influence, g->error);
    Influence *some = SW_NEW(scratch, room, Influence, g->error);
    if (!all || !some)
        return false;
    for (int v = 0, p; v < sets->nvertex; v++)
        if ((p = point_of(sets, v)) >= 0)
            found = sw_max_int(found, influences(m, b, p, all));
    int most = max_influences > 0 ? sw_min_int(found, max_influences) : found;
    int component = sets->njoint <= 256 ? SW_GLTF_UBYTE : SW_GLTF_USHORT;
    sets->nset = (most + 3) / 4;
    sets->set = sw_gltf_last(g) + 1;
    for (int i = 0; i < sets->nset; i++)
        if (!sw_gltf_add(g, component, 4, sets->nvertex, SW_GLTF_VERTICES) ||
            !sw_gltf_add(g, SW_GLTF_FLOAT, 4, sets->nvertex, SW_GLTF_VERTICES))
            return false;
    swReal error = 0, size = sw_norm(sw_sub(b->hi, b->lo));
    for (int v = 0, p; v < sets->nvertex; v++) {
        if ((p = point_of(sets, v)) < 0)
            continue;
        const int n = influences(m, b, p, all);
        const int kept = limit(m, clip, sets, p, n, most, all, some, &error);
        put_influences(g, sets, v, kept, some);
    }
    report->max_influences_found = sw_max_int(report->max_influences_found, found);
    report->largest_error = sw_max(report->largest_error, size > 0 ? error / size : 0);
    return true;
}

bool sw_gltf_add_sets(swGltf *g, const swBodyModel *m, const swBodyClip *clip, swGltfSets *sets,
                      int max_influences, swGltfReport *report) {
    swArena scratch;
    sw_arena_init(&scratch, &m->config.allocator);
    bool ok = add_sets(g, m, clip, sets, max_influences, report, &scratch);
    sw_arena_free(&scratch);
    return ok;
}
