// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Frames as nodes with translation, rotation and scale, at rest and at the keys.
//
// An affine frame L = R V diag(s) V^T (its polar decomposition, with the stretch in principal axes)
// becomes three nodes: R, then V and s, then V^T. A viewer interpolates each of them between two
// keys: the rotation takes the shortest path whatever the axes do, and axes that are arbitrary
// because stretches are equal have no effect.
#include "output/gltf.h"

typedef struct Stretch {
    swMat3 R, V; // rotations
    swVec3 s;    // signed
} Stretch;

static swVec3 column(swMat3 A, int k) { return sw_v3(A.m[k], A.m[3 + k], A.m[6 + k]); }

static swMat3 columns(const swVec3 a[3]) {
    return (swMat3){{a[0].x, a[1].x, a[2].x, a[0].y, a[1].y, a[2].y, a[0].z, a[1].z, a[2].z}};
}

// Rotates the axes V, and with them b = L V, until the columns of b are orthogonal (one-sided
// Jacobi). No rotation exceeds 45 degrees and nothing is sorted, so the axes stay close to the
// previous ones. Columns that are nearly orthogonal are left alone, or noise would rotate the axes
// of equal stretches.
static void follow_axes(swVec3 b[3], swVec3 V[3]) {
    static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    bool done = false;
    for (int sweep = 0; sweep < 30 && !done; sweep++) {
        done = true;
        for (int k = 0; k < 3; k++) {
            int p = pair[k][0], q = pair[k][1];
            swReal pp = sw_norm2(b[p]), qq = sw_norm2(b[q]), pq = sw_dot(b[p], b[q]);
            if (fabs(pq) <= 1e-10 * sqrt(pp * qq))
                continue;
            done = false;
            swReal tau = (qq - pp) / (2 * pq);
            swReal t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
            swReal c = 1 / sqrt(1 + t * t), s = t * c;
            for (int both = 0; both < 2; both++) {
                swVec3 *a = both ? V : b, ap = a[p], aq = a[q];
                a[p] = sw_sub(sw_scale(c, ap), sw_scale(s, aq));
                a[q] = sw_add(sw_scale(s, ap), sw_scale(c, aq));
            }
        }
    }
}

// Replaces `f` by the decomposition of L that continues it. Stretches keep their signs; if the
// determinant changes sign, it is the smallest stretch that went through zero.
static void follow(Stretch *f, swMat3 L) {
    swMat3 B = sw_mat_mul(L, f->V), U = sw_mat_mul(f->R, f->V);
    swVec3 b[3], V[3], u[3];
    swReal size[3];
    for (int k = 0; k < 3; k++) {
        b[k] = column(B, k);
        V[k] = column(f->V, k);
    }
    follow_axes(b, V);
    int i = 0, j = 1, k = 2; // indices by size, largest first
    for (int n = 0; n < 3; n++)
        size[n] = sw_norm(b[n]);
    if (size[j] > size[i])
        i = 1, j = 0;
    if (size[k] > size[i])
        k = j, j = i, i = 2;
    else if (size[k] > size[j])
        k = j, j = 2;
    // The two largest columns give their directions, or keep the last ones where they vanish; the
    // third direction completes a rotation.
    swReal si = sw_get(f->s, i) < 0 ? -1 : 1, sj = sw_get(f->s, j) < 0 ? -1 : 1;
    u[i] = size[i] > 0 ? sw_scale(si / size[i], b[i]) : column(U, i);
    u[j] = size[j] > 1e-12 * size[i] ? sw_scale(sj / size[j], b[j]) : column(U, j);
    u[j] = sw_madd(u[j], -sw_dot(u[i], u[j]), u[i]);
    if (sw_norm(u[j]) < 0.1)
        u[j] = sw_cross(u[i], fabs(u[i].x) < 0.6 ? sw_v3(1, 0, 0) : sw_v3(0, 1, 0));
    u[j] = sw_unit(u[j]);
    u[k] = sw_cross(u[(k + 1) % 3], u[(k + 2) % 3]);
    f->s = sw_v3(sw_dot(u[0], b[0]), sw_dot(u[1], b[1]), sw_dot(u[2], b[2]));
    f->V = columns(V);
    f->R = sw_mat_mul(columns(u), sw_mat_t(f->V));
}

// Replaces q by the unit quaternion (x, y, z, w) of R, with the sign that is nearer to the old q.
static void follow_quaternion(swMat3 R, swReal q[4]) {
    const swReal *m = R.m, trace = m[0] + m[4] + m[8];
    swReal p[4];
    int k = m[0] >= m[4] && m[0] >= m[8] ? 0 : m[4] >= m[8] ? 1 : 2;
    if (trace >= m[4 * k]) { // starts from the largest component
        p[0] = m[7] - m[5];
        p[1] = m[2] - m[6];
        p[2] = m[3] - m[1];
        p[3] = 1 + trace;
    } else {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        p[k] = 1 + 2 * m[4 * k] - trace;
        p[i] = m[3 * k + i] + m[3 * i + k];
        p[j] = m[3 * k + j] + m[3 * j + k];
        p[3] = m[3 * j + i] - m[3 * i + j];
    }
    swReal norm = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    swReal side = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    for (int n = 0; n < 4; n++)
        q[n] = p[n] / (side < 0 ? -norm : norm);
}

int sw_gltf_joint_depth(const swNode *frame) { return frame->kind == SW_NODE_AFFINE ? 3 : 1; }

const char *sw_gltf_frame_name(swGltf *g, const char *body, const swBodyModel *m,
                               const swNode *frame) {
    if (frame->handle >= 0)
        return sw_gltf_name(g, "%s/%s", body, sw_body_text(m, m->handle[frame->handle].name));
    return sw_gltf_name(g, "%s/frame%d", body, (int)(frame - m->node));
}

// Values at rest and at the keys, as in the file.
typedef struct Tracks {
    float (*T)[3], (*R)[4], (*V)[4], (*s)[3], (*Vt)[4];
} Tracks;

static bool allocate_tracks(Tracks *a, swArena *arena, int n, swError *error) {
    a->T = sw_arena_alloc(arena, (size_t)n, sizeof *a->T, error);
    a->R = sw_arena_alloc(arena, (size_t)n, sizeof *a->R, error);
    a->V = sw_arena_alloc(arena, (size_t)n, sizeof *a->V, error);
    a->s = sw_arena_alloc(arena, (size_t)n, sizeof *a->s, error);
    a->Vt = sw_arena_alloc(arena, (size_t)n, sizeof *a->Vt, error);
    return a->T && a->R && a->V && a->s && a->Vt;
}

// Decomposes L = R diag(s), for transforms without shear. s is left unchanged unless the change
// exceeds rounding.
static void unscale(Stretch *f, swMat3 L) {
    swMat3 S;
    swVec3 last = f->s;
    sw_mat_polar(L, &f->R, &S);
    f->s = sw_v3(S.m[0], S.m[4], S.m[8]);
    if (sw_norm(sw_sub(f->s, last)) <= 1e-6 * sw_norm(last))
        f->s = last;
}

static void fill_tracks(swGltf *g, const swAffine *track, bool shear, Tracks *a) {
    Stretch f = {sw_mat_identity(), sw_mat_identity(), {1, 1, 1}};
    swReal R[4] = {0, 0, 0, 1}, V[4] = {0, 0, 0, 1};
    for (int k = 0; k <= g->nkey; k++) {
        swMat3 L = track[k].A;
        sw_gltf_put(g, a->T[k], track[k].b);
        for (int n = 0; n < 9; n++)
            sw_gltf_float(g, L.m[n]); // notes numbers whose squares may overflow
        if (shear)
            follow(&f, L);
        else
            unscale(&f, L);
        follow_quaternion(f.R, R);
        follow_quaternion(f.V, V);
        sw_gltf_put(g, a->s[k], f.s);
        for (int n = 0; n < 4; n++) {
            a->R[k][n] = (float)R[n];
            a->V[k][n] = (float)V[n];
            a->Vt[k][n] = (float)(n < 3 ? -V[n] : V[n]);
        }
    }
}

static bool all_one(int n, float (*s)[3]) {
    for (int k = 0; k < n; k++)
        if (s[k][0] != 1 || s[k][1] != 1 || s[k][2] != 1)
            return false;
    return true;
}

static bool animate(swGltf *g, const char *name, const Tracks *a, int outer, int inner) {
    sw_gltf_node(g, outer)->name = name;
    if (!sw_gltf_animate(g, outer, SW_GLTF_TRANSLATION, a->T[0]) ||
        !sw_gltf_animate(g, outer, SW_GLTF_ROTATION, a->R[0]))
        return false;
    if (inner < 0)
        return all_one(g->nkey + 1, a->s) || sw_gltf_animate(g, outer, SW_GLTF_SCALE, a->s[0]);
    swGltfNode *out = sw_gltf_node(g, outer), *in = sw_gltf_node(g, inner);
    out->child = inner;
    in->child = inner + 1;
    out->nchild = in->nchild = 1;
    in[0].name = sw_gltf_name(g, "%s/stretch", name);
    in[1].name = sw_gltf_name(g, "%s/joint", name);
    return in[0].name && in[1].name && sw_gltf_animate(g, inner, SW_GLTF_ROTATION, a->V[0]) &&
           sw_gltf_animate(g, inner, SW_GLTF_SCALE, a->s[0]) &&
           sw_gltf_animate(g, inner + 1, SW_GLTF_ROTATION, a->Vt[0]);
}

bool sw_gltf_animate_joint(swGltf *g, const char *name, const swAffine *track, int outer,
                           int inner) {
    swArena scratch;
    Tracks a;
    sw_arena_init(&scratch, &g->arena.allocator);
    bool ok = allocate_tracks(&a, &scratch, g->nkey + 1, g->error);
    if (ok) {
        fill_tracks(g, track, inner >= 0, &a);
        ok = animate(g, name, &a, outer, inner);
    }
    sw_arena_free(&scratch);
    return ok;
}
