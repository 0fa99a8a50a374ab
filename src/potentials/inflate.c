// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/inflate.h"
#include "potentials/potential.h"

#include <string.h>

bool sw_inflate_create(swInflateWork *w, const swBodyModel *m, swArena *arena, swError *error) {
    const int64_t n = m->size.nspring_face;
    *w = (swInflateWork){0};
    for (int64_t i = 0; i < m->size.nspring_body; i++)
        w->gas = w->gas || m->spring_body[i].gas;
    w->pair = SW_NEW(arena, 3 * n, int, error);
    w->stiffness = SW_NEW(arena, m->size.nspring_body, swReal, error);
    w->slope = SW_NEW(arena, w->gas ? m->size.nq : 0, swReal, error);
    if (!w->pair || !w->stiffness || !w->slope)
        return false;
    for (int64_t i = 0; i < 3 * n; i++) {
        const int a = m->spring_face[i], b = m->spring_face[i / 3 * 3 + (i + 1) % 3];
        w->pair[i] =
            (int)(sw_pair_find(m->pair, m->size.npair, sw_max_int(a, b), sw_min_int(a, b)) -
                  m->pair);
    }
    return true;
}

static swVec3 place(const swBodyModel *m, const swReal *q, int node) {
    const swReal *x = q + m->node[node].q;
    return sw_v3(x[0], x[1], x[2]);
}

// Corners of a face, from a vertex of the body, which keeps numbers small.
static void corners(const swBodyModel *m, const swSpringBody *net, int face, const swReal *q,
                    swVec3 x[3]) {
    const swVec3 origin = place(m, q, m->spring_face[3 * net->face]);
    for (int k = 0; k < 3; k++)
        x[k] = sw_sub(place(m, q, m->spring_face[3 * face + k]), origin);
}

swReal sw_inflate_volume(const swBodyModel *m, const swSpringBody *net, const swReal *q) {
    swReal sum = 0;
    swVec3 x[3];
    for (int f = net->face; f < net->face + net->nface; f++) {
        corners(m, net, f, q, x);
        sum += sw_dot(x[0], sw_cross(x[1], x[2]));
    }
    return sum / 6;
}

// The part of the Hessian in the corners of a face. Its second derivatives in corners k and k + 1
// are u . K v = -pressure/6 x_k+2 . (u x v).
static void curve(const swBodyModel *m, const swInflateWork *w, int face, swReal pressure,
                  const swVec3 x[3], const swBlocks *H) {
    for (int k = 0; k < 3; k++) {
        const int i = m->spring_face[3 * face + k], j = m->spring_face[3 * face + (k + 1) % 3];
        if (i == j || sw_blocks_size(H, i) != 3 || sw_blocks_size(H, j) != 3)
            continue;
        const swVec3 a = sw_scale((i > j ? -1 : 1) * pressure / 6, x[(k + 2) % 3]);
        swReal *K = H->value + H->at[w->pair[3 * face + k]];
        K[1] += a.z;
        K[2] -= a.y;
        K[3] -= a.z;
        K[5] += a.x;
        K[6] += a.y;
        K[7] -= a.x;
    }
}

static void inflate(const swBodyModel *m, const swInflateWork *w, int64_t index, const swReal *q,
                    swReal share, swSystem *out) {
    const swSpringBody *net = &m->spring_body[index];
    const swReal V = sw_inflate_volume(m, net, q), V0 = net->volume,
                 inside = net->gas ? net->ambient + share * net->pressure : 0;
    if (net->gas && !(V > 0)) {
        out->energy = INFINITY; // nothing is that small
        return;
    }
    const swReal pressure = net->gas ? inside * V0 / V - net->ambient : share * net->pressure;
    out->energy +=
        net->gas ? net->ambient * (V - V0) - inside * V0 * log(V / V0) : -pressure * (V - V0);
    if (out->H)
        w->stiffness[index] = inside * V0 / (V * V);
    for (int f = net->face; out->g && f < net->face + net->nface; f++) {
        swVec3 x[3];
        corners(m, net, f, q, x);
        for (int k = 0; k < 3; k++) {
            const swVec3 slope = sw_scale(1.0 / 6, sw_cross(x[(k + 1) % 3], x[(k + 2) % 3]));
            const int at = m->node[m->spring_face[3 * f + k]].q;
            for (int r = 0; r < 3; r++) {
                out->g[at + r] -= pressure * sw_get(slope, r);
                if (out->H && net->gas)
                    w->slope[at + r] += sw_get(slope, r);
            }
        }
        if (out->H && out->projection == SW_PROJECT_NONE)
            curve(m, w, f, pressure, x, out->H);
    }
}

void sw_inflate_add(const swBodyModel *m, const swInflateWork *w, const swReal *q, swReal share,
                    swSystem *out) {
    if (out->H && w->gas)
        memset(w->slope, 0, (size_t)m->size.nq * sizeof *w->slope);
    for (int64_t i = 0; i < m->size.nspring_body; i++)
        if (m->spring_body[i].nface > 0)
            inflate(m, w, i, q, share, out);
}

// ---- in the table ----

static void add(const swTerm *t, swSystem *out) {
    sw_inflate_add(t->m, t->inflate, t->in.q, t->load, out);
}

const swPotential sw_potential_pressure = {
    .name = "pressure", .energy = SW_ENERGY_LOADS, .measured = true, .add = add};
