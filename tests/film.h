// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Models made by hand for tests of what is written: tori moved by a few frames whose motion is a
// formula.
#pragma once

#include "test_tools.h"

#include "output/clip.h"
#include "kinematics/points.h"

// ---- models ----

enum { AROUND = 14, ACROSS = 8, NVERTEX = AROUND * ACROSS, NTRIANGLE = 2 * NVERTEX };

// The matrix A (row by row, width d) of a frame at time t.
typedef void Motion(int frame, swReal t, swVec3 origin, int d, swReal *A);

typedef struct Spec {
    const char *name;
    swNodeKind kind;
    int nframe, ninfluence;
    Motion *motion;
    bool handle;   // the first frame is one
    bool enclosed; // four frames around the body, barycentric weights
    swReal excess; // of the weights over one
} Spec;

enum { MAX_BODIES = 2 };
typedef struct Made {
    swModel *model;
    const Spec *spec[MAX_BODIES];
} Made;

static const swVec3 center = {3, 1, -2};

static inline swVec3 torus_point(int i) {
    swReal a = 2 * SW_PI * (i / ACROSS) / AROUND, b = 2 * SW_PI * (i % ACROSS) / ACROSS;
    swReal r = 1 + 0.3 * cos(b);
    return sw_add(center, sw_v3(r * cos(a), 0.3 * sin(b), -r * sin(a)));
}

static inline swVec3 frame_origin(const Spec *s, int i) {
    static const swVec3 corner[4] = {{-4, -3, -3}, {5, -3, -3}, {0, -3, 6}, {0, 6, 0}};
    if (s->enclosed)
        return sw_add(center, corner[i]);
    swReal a = 2 * SW_PI * i / s->nframe;
    return sw_add(center, sw_v3(cos(a), 0.1 * (i % 3), -sin(a)));
}

static inline void barycentric(const swVec3 c[4], swVec3 p, swReal w[4]) {
    for (int i = 0; i < 4; i++) { // height over the opposite face
        swVec3 a = c[(i + 1) % 4],
               n = sw_cross(sw_sub(c[(i + 2) % 4], a), sw_sub(c[(i + 3) % 4], a));
        w[i] = sw_dot(n, sw_sub(p, a)) / sw_dot(n, sw_sub(c[i], a));
    }
}

// The nearest `ninfluence` frames by inverse squares of distance.
static inline void set_weights(const swBodyModel *m, const Spec *s, int p, int *node,
                               swReal *weight) {
    swReal distance[400], sum = 0;
    assert_true(s->nframe <= 400);
    for (int i = 0; i < s->nframe; i++)
        distance[i] = 0.01 + sw_norm2(sw_sub(m->point[p], m->node[i].origin));
    for (int k = 0; k < s->ninfluence; k++) {
        int best = 0;
        for (int i = 1; i < s->nframe; i++)
            if (distance[i] < distance[best])
                best = i;
        node[k] = best;
        weight[k] = 1 / distance[best];
        sum += weight[k];
        distance[best] = INFINITY;
    }
    for (int k = 0; k < s->ninfluence; k++)
        weight[k] *= (1 + s->excess) / sum;
    if (s->enclosed) {
        swVec3 c[4];
        for (int i = 0; i < 4; i++) {
            c[i] = m->node[i].origin;
            node[i] = i;
        }
        barycentric(c, m->point[p], weight);
    }
}

static inline void set_body(swBodyModel *m, const Spec *s) {
    const int d = sw_node_width(s->kind);
    m->body[0] = (swBodyInfo){.nnode = s->nframe,
                              .npoint = NVERTEX,
                              .ntriangle = NTRIANGLE,
                              .lo = sw_sub(center, sw_v3(1.3, 0.3, 1.3)),
                              .hi = sw_add(center, sw_v3(1.3, 0.3, 1.3))};
    snprintf(m->text, 32, "%s", s->name);
    for (int i = 0; i < s->nframe; i++)
        m->node[i] = (swNode){.kind = s->kind,
                              .width = d,
                              .handle = -1,
                              .carrier = -1,
                              .q = 3 * d * i,
                              .origin = frame_origin(s, i)};
    if (s->handle)
        m->node[0].handle = 0;
    for (int i = 0, weight = 0; i < NVERTEX; i++) {
        m->point[i] = torus_point(i);
        m->point_start[i] = weight;
        set_weights(m, s, i, m->point_node + weight, m->point_weight + weight);
        m->point_start[i + 1] = weight += s->ninfluence;
        int u = i / ACROSS, v = i % ACROSS, u1 = (u + 1) % AROUND, v1 = (v + 1) % ACROSS;
        int corner[6] = {i, u1 * ACROSS + v,  u1 * ACROSS + v1,
                         i, u1 * ACROSS + v1, u * ACROSS + v1};
        memcpy(m->triangle + 6 * i, corner, sizeof corner);
    }
    m->handle[0].name = 32;
    strcpy(m->text + 32, "grip");
}

static inline swBodyModel *make_body(const swModel *world, const Spec *s) {
    swBodyModel *m = sw_body_model_create(&world->config, &world->settings, NULL);
    assert_non_null(m);
    m->size = (swBodySizes){.nbody = 1, .nhandle = 1, .ntext = 64};
    m->size.npoint = NVERTEX;
    m->size.ntriangle = NTRIANGLE;
    m->size.nnode = s->nframe;
    m->size.nq = 3 * s->nframe * sw_node_width(s->kind);
    m->size.nweight = NVERTEX * s->ninfluence;
    assert_true(sw_body_model_allocate(m, NULL));
    set_body(m, s);
    return m;
}

// Numbers of one of the bodies.
static inline void move(const Made *made, int body, swReal t, swReal *q) {
    const swBodyModel *m = sw_model_body(made->model, body);
    for (int i = 0; i < m->size.nnode; i++) {
        const swNode *n = &m->node[i];
        made->spec[body]->motion(i, t, n->origin, n->width, q + n->q);
    }
}

static inline Made make(const swConfig *config, int nbody, const Spec *spec, int ncollider) {
    Made made = {.model = sw_model_create(config, NULL)};
    swModel *m = made.model;
    assert_non_null(m);
    m->size = (swModelSizes){.nbody = nbody, .ncompiled = nbody, .ntext = 32 * nbody};
    m->size.ncollider = ncollider;
    m->size.nkey = 2;
    for (int b = 0; b < nbody; b++)
        m->size.nq += 3 * spec[b].nframe * sw_node_width(spec[b].kind);
    assert_true(sw_model_allocate(m, NULL));
    for (int b = 0, q = 0, frame = 0; b < nbody; b++) {
        made.spec[b] = &spec[b];
        m->compiled[b] = make_body(m, &spec[b]);
        m->place[b] = (swBodyPlace){.name = 32 * b, .compiled = b, .q = q, .frame = frame};
        m->place[b].handle = b;
        m->place[b].point = b * NVERTEX;
        m->place[b].shift.A = sw_mat_identity();
        snprintf(m->text + 32 * b, 32, "%s", spec[b].name);
        q += (int)m->compiled[b]->size.nq;
        frame += spec[b].nframe;
    }
    return made;
}

// A key of all bodies.
static inline bool record_at(const Made *made, swClip *clip, swReal t, swError *error) {
    swReal *q = malloc((size_t)made->model->size.nq * sizeof *q);
    bool ok = sw_clip_open(clip, error);
    for (int b = 0; ok && b < made->model->size.nbody; b++) {
        move(made, b, t, q);
        ok = sw_body_clip_add(&clip->body[b], t, q, NULL, NULL, error);
    }
    free(q);
    return ok;
}

static inline Made make_one(const Spec *spec) {
    swConfig config = sw_default_config();
    return make(&config, 1, spec, 0);
}

static inline void record(const Made *made, swClip *clip, int nkey, swReal step) {
    sw_clip_init(clip, made->model);
    for (int k = 0; k < nkey; k++)
        assert_true(record_at(made, clip, k * step, NULL));
}

// ---- motions ----

static inline void set_affine(swReal *A, int d, swVec3 t, swMat3 L) {
    for (int r = 0; r < 3; r++) {
        A[r * d] = sw_get(t, r);
        for (int c = 0; c < 3; c++)
            A[r * d + 1 + c] = L.m[3 * r + c];
    }
}

static inline swVec3 wander(int frame, swReal t, swVec3 origin) {
    return sw_add(origin, sw_v3(0.5 * t, 0.2 * sin(3 * t + frame), 0.1 * frame * t));
}

// Two and a half turns in two seconds.
static inline swMat3 turn(int frame, swReal t) {
    swVec3 axis = sw_unit(sw_v3(1, 2 + frame, 0.5));
    return sw_mat_rotation(sw_scale(2.5 * SW_PI * t + 0.1 * frame, axis));
}

static inline void rigid_motion(int frame, swReal t, swVec3 origin, int d, swReal *A) {
    if (frame == 0) // held
        set_affine(A, d, origin, sw_mat_rotation(sw_v3(0, SW_PI, 0)));
    else
        set_affine(A, d, wander(frame, t, origin), turn(frame, t));
}

static inline swMat3 stretch(swVec3 axes, swReal a, swReal b, swReal c) {
    swMat3 V = sw_mat_rotation(axes);
    return sw_mat_mul(sw_mat_mul(V, sw_mat_diag(a, b, c)), sw_mat_t(V));
}

// Strong stretches about turning axes; every third frame is mirrored all along, every third one
// goes through zero into its mirror image and back.
static inline void affine_motion(int frame, swReal t, swVec3 origin, int d, swReal *A) {
    swReal c = frame % 3 == 1 ? -0.7 : frame % 3 == 2 ? cos(SW_PI * t) : 1;
    swMat3 S = stretch(sw_v3(0.4 * t, frame, 0.7 * sin(t)), 3 + sin(2 * t), 2 - cos(t), c);
    set_affine(A, d, wander(frame, t, origin), sw_mat_mul(turn(frame, t), S));
}

// Trembling about a rotation: the axes of stretch are noise.
static inline void trembling_motion(int frame, swReal t, swVec3 origin, int d, swReal *A) {
    uint64_t seed = sw_hash(SW_HASH_SEED + (uint64_t)frame, &t, sizeof t);
    swReal e[6];
    for (int k = 0; k < 6; k++) {
        seed = sw_hash(seed, &k, sizeof k);
        e[k] = 1e-3 * ((swReal)(seed % 20001) / 10000 - 1);
    }
    swMat3 S = {{1 + e[0], e[3], e[4], e[3], 1 + e[1], e[5], e[4], e[5], 1 + e[2]}};
    set_affine(A, d, wander(frame, t, origin), sw_mat_mul(turn(frame, t), S));
}

// What a decomposition may stumble over: equal stretches, none, flat, thin and mirrored ones.
static inline void singular_motion(int frame, swReal t, swVec3 origin, int d, swReal *A) {
    static const swReal s[8][3] = {{1, 1, 1},  {0, 0, 0}, {2, 0, 0}, {0, 0, 1e-9},
                                   {1, 1, -1}, {1, 1, 0}, {2, 2, 1}, {-1, -1, -1}};
    const swReal *now = s[(int)lround(10 * t + frame) % 8];
    swMat3 S = stretch(sw_v3(frame, 0, t), now[0], now[1], now[2]);
    set_affine(A, d, origin, sw_mat_mul(turn(frame, t), S));
}

static inline void point_motion(int frame, swReal t, swVec3 origin, int d, swReal *A) {
    swVec3 x = sw_mul(turn(0, t), wander(frame, t, origin));
    A[0] = x.x, A[d] = x.y, A[2 * d] = x.z;
}

static inline void quadratic_motion(int frame, swReal t, swVec3 origin, int d, swReal *A) {
    affine_motion(frame, t, origin, d, A);
    for (int r = 0; r < 3; r++)
        for (int c = 4; c < d; c++)
            A[r * d + c] = 0.3 * sin(t * (c + r) + frame);
}
