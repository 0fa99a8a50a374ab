// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Beams between handles, as links that join two rigid nodes: see potentials/links.h. With the
// axis a and the length L at rest, the ends' displacements u and rotations t, in turning axes,
//   E = EA / 2L (a . v)^2 + GJ / 2L (a . (t2 - t1))^2
//       + EI / 2L (3 |p1 + p2|^2 + |t2 - t1|^2 across a),  v = u2 - u1,  p = t - a x v / L,
// which is Euler's and Bernoulli's beam with cubic shape functions. Half of its mass goes with
// either handle.
#include "compile/build.h"

#include <string.h>

enum { WIDTH = 4, N = 2 * WIDTH, SIZE = 3 * N };
static const swReal chord = 8; // how much more the line between the ends counts in R than they do

typedef struct {
    const swBeam *def;
    int node[2];   // free ones first, then in order
    swVec3 rod[2]; // ends at rest
    swVec3 arm[2]; // and from the nodes' origins
    swVec3 axis;
    swReal length;
} swBeamBuild;

static bool find_beam(swBuilder *b, const swBodyBuild *body, const swBeam *def, int index,
                      swBeamBuild *out, swError *error) {
    const swMuscleEnd *end[2] = {&def->from, &def->to};
    *out = (swBeamBuild){.def = def};
    for (int i = 0; i < 2; i++) {
        char key[96];
        snprintf(key, sizeof key, "%s.beams[%d].%s", body->key, index, i == 0 ? "from" : "to");
        const int handle = sw_build_find_handle(b, body, end[i]->handle, key, error);
        if (handle < 0)
            return false;
        out->node[i] = b->handle.item[handle].node;
    }
    const swNode *node = b->node.item, *first = &node[out->node[0]], *second = &node[out->node[1]];
    const bool swap = (first->ndof > 0) != (second->ndof > 0) ? second->ndof > 0 : first > second;
    if (swap) {
        out->node[0] = (int)(second - node);
        out->node[1] = (int)(first - node);
    }
    for (int i = 0; i < 2; i++) {
        const swVec3 origin = node[out->node[i]].origin, point = end[swap ? 1 - i : i]->point;
        out->rod[i] = isnan(point.x) ? origin : point;
        out->arm[i] = sw_sub(out->rod[i], origin);
    }
    out->axis = sw_sub(out->rod[1], out->rod[0]);
    out->length = sw_norm(out->axis);
    if (!(out->length > 0))
        return sw_fail(error, SW_ERROR_GEOMETRY,
                       "%s.beams[%d]: expected two ends apart, found both in one place", body->key,
                       index);
    out->axis = sw_scale(1 / out->length, out->axis);
    return true;
}

// ---- stiffness ----

// A linear form of d = R^T A - A_rest, [3][N]: weights of displacement and rotation of both ends.
static void add_motion(const swBeamBuild *beam, int end, swVec3 move, swVec3 turn, swReal *form) {
    const swReal *t = (const swReal[]){turn.x, turn.y, turn.z};
    for (int r = 0; r < 3; r++) {
        swReal *row = form + (ptrdiff_t)r * N + (ptrdiff_t)end * WIDTH;
        row[0] += sw_get(move, r);
        for (int k = 0; k < 3; k++)
            row[1 + k] += sw_get(move, r) * sw_get(beam->arm[end], k);
        // rotation = axial vector of the skew part
        row[1 + (r + 1) % 3] -= 0.5 * t[(r + 2) % 3];
        row[1 + (r + 2) % 3] += 0.5 * t[(r + 1) % 3];
    }
}

// K += stiffness form form^T
static void add_square(const swReal *form, swReal stiffness, swReal *K) {
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            K[(ptrdiff_t)i * sw_link_stride(N) + j] += stiffness * form[i] * form[j];
}

// What is stiff against: stretch, twist, and in both directions across bending and shear.
static void add_stiffness(const swBeamBuild *beam, swReal *K) {
    static const swVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const swBeam *d = beam->def;
    const swVec3 a = beam->axis, none = {0, 0, 0};
    const swReal L = beam->length, r2 = d->radius * d->radius, area = SW_PI * r2, I = area * r2 / 4,
                 G = d->young / (2 * (1 + d->poisson));
    swReal form[SIZE] = {0};
    add_motion(beam, 0, sw_scale(-1, a), none, form);
    add_motion(beam, 1, a, none, form);
    add_square(form, d->young * area / L, K);
    memset(form, 0, sizeof form);
    add_motion(beam, 0, none, sw_scale(-1, a), form);
    add_motion(beam, 1, none, a, form);
    add_square(form, G * 2 * I / L, K);
    for (int k = 0; k < 3; k++) { // along the world's axes less a: as much as two across a
        const swVec3 e = sw_madd(axes[k], -sw_get(a, k), a),
                     side = sw_scale(2 / L, sw_cross(e, a)); // e . 2 (a x v) / L
        memset(form, 0, sizeof form);
        add_motion(beam, 0, side, e, form);
        add_motion(beam, 1, sw_scale(-1, side), e, form);
        add_square(form, 3 * d->young * I / L, K);
        memset(form, 0, sizeof form);
        add_motion(beam, 0, none, sw_scale(-1, e), form);
        add_motion(beam, 1, none, e, form);
        add_square(form, d->young * I / L, K);
    }
    // Rotations by their sines alone would be none after half a turn. The symmetric part of d is of
    // second order, and makes of the sine's square nearly that of the angle.
    for (int end = 0; end < 2; end++)
        for (int r = 0; r < 3; r++)
            for (int k = 0; k <= r; k++) {
                memset(form, 0, sizeof form);
                form[r * N + end * WIDTH + 1 + k] += 0.5;
                form[k * N + end * WIDTH + 1 + r] += 0.5;
                add_square(form, (r == k ? 1 : 2) * 8.0 / 3 * d->young * I / L, K);
            }
}

// R is the rotation of F, which has the line between the ends and the mean of what is across.
static void add_gamma(const swBeamBuild *beam, swReal *gamma) {
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < 3; k++) {
            swReal *row = gamma + (ptrdiff_t)k * N + (ptrdiff_t)end * WIDTH;
            const swReal along = (end == 0 ? -1 : 1) * chord * sw_get(beam->axis, k) / beam->length;
            row[0] = along;
            for (int c = 0; c < 3; c++)
                row[1 + c] = along * sw_get(beam->arm[end], c) +
                             0.5 * ((c == k) - sw_get(beam->axis, c) * sw_get(beam->axis, k));
        }
}

static bool add_spring(swBuilder *b, const swBodyBuild *body, const swBeamBuild *beam,
                       swError *error) {
    swLink link = {.body = body->index,
                   .amplitudes = -1,
                   .node = b->link_node.count,
                   .nnode = 2,
                   .ncolumn = N,
                   .tied = 1,
                   .data = b->link_data.count};
    int *node = SW_EXTEND(&b->link_node, 2, &b->arena, error);
    swReal *gamma =
        node ? SW_EXTEND(&b->link_data, (int)sw_link_size(N, 0), &b->arena, error) : NULL;
    swLink *to = gamma ? SW_EXTEND(&b->link, 1, &b->arena, error) : NULL;
    if (!to)
        return false;
    swReal *rest = gamma + (ptrdiff_t)3 * N;
    const swVec3 mean = sw_scale(
        0.5, sw_add(b->node.item[beam->node[0]].origin, b->node.item[beam->node[1]].origin));
    for (int end = 0; end < 2; end++) {
        const swNode *own = &b->node.item[beam->node[end]];
        node[end] = beam->node[end];
        link.nfree += own->ndof > 0 ? WIDTH : 0;
        for (int r = 0; r < 3; r++) {
            rest[r * N + end * WIDTH] = sw_get(own->origin, r) - sw_get(mean, r);
            rest[r * N + end * WIDTH + 1 + r] = 1;
        }
    }
    add_gamma(beam, gamma);
    add_stiffness(beam, gamma + (ptrdiff_t)6 * N);
    *to = link;
    return true;
}

// ---- mass ----

static swReal mass_of(const swBeamBuild *beam) {
    return beam->def->density * SW_PI * beam->def->radius * beam->def->radius * beam->length;
}

// The integral of rho m m^T over the half that goes with a handle, and that of rho m.
static bool add_half(swBuilder *b, const swBeamBuild *beam, int end, swError *error) {
    const int node = beam->node[end];
    swNodePair *pair = (swNodePair *)sw_pair_find(b->pair.item, b->pair.count, node, node);
    const swReal half = 0.5 * mass_of(beam), L = 0.5 * beam->length;
    if (!pair || half == 0)
        return true;
    if (pair->mass < 0) {
        if (!SW_EXTEND(&b->mass, WIDTH * WIDTH, &b->arena, error))
            return false;
        pair->mass = b->mass.count - WIDTH * WIDTH;
    }
    const swVec3 middle = sw_madd(beam->arm[end], (end == 0 ? 0.5 : -0.5) * L, beam->axis);
    const swReal m[WIDTH] = {1, middle.x, middle.y, middle.z},
                 section = beam->def->radius * beam->def->radius / 4; // mean square across, each
    swReal *M = b->mass.item + pair->mass, *weight = b->weight_load.item + b->node.item[node].q / 3;
    for (int i = 0; i < WIDTH; i++) {
        weight[i] += half * m[i];
        for (int j = 0; j < WIDTH; j++) {
            M[i * WIDTH + j] += half * m[i] * m[j];
            if (i > 0 && j > 0) {
                const swReal along = sw_get(beam->axis, i - 1) * sw_get(beam->axis, j - 1);
                M[i * WIDTH + j] += half * (along * L * L / 12 + ((i == j) - along) * section);
            }
        }
    }
    return true;
}

bool sw_beams_weigh(swBuilder *b, const swBodyBuild *body, swReal *mass, swVec3 *center,
                    swError *error) {
    int i = 0;
    for (const swBeam *d = body->def->beams; d; d = d->next, i++) {
        swBeamBuild beam;
        if (!find_beam(b, body, d, i, &beam, error))
            return false;
        *mass += mass_of(&beam);
        *center = sw_madd(*center, 0.5 * mass_of(&beam), sw_add(beam.rod[0], beam.rod[1]));
    }
    return true;
}

bool sw_build_beams(swBuilder *b, swBodyBuild *body, swError *error) {
    swBodyInfo *info = &b->body.item[body->index];
    int i = 0;
    for (const swBeam *d = body->def->beams; d; d = d->next, i++) {
        swBeamBuild beam;
        if (!find_beam(b, body, d, i, &beam, error) || !add_spring(b, body, &beam, error) ||
            !add_half(b, &beam, 0, error) || !add_half(b, &beam, 1, error))
            return false;
        const swReal slender = d->radius / beam.length; // so that noise is that of its force
        info->stiffness = sw_max(info->stiffness, SW_PI * d->young * slender * slender);
    }
    return true;
}
