// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/reduced.h"

#include "kinematics/dual.h"
#include "modes/polynomial.h"
#include "potentials/potential.h"

#include <string.h>

bool sw_reduced_create(swReducedWork *work, const swBodyModel *m, swArena *arena, swError *error) {
    int64_t size = 0;
    *work = (swReducedWork){0};
    for (int64_t i = 0; i < m->size.nreduced; i++) {
        const int r = m->node[m->reduced[i].node].nu;
        const int64_t own = sw_polynomial_scratch(r) + r;
        size = m->reduced[i].points == 0 && own > size ? own : size;
    }
    return size == 0 || (work->scratch = SW_NEW(arena, size, swReal, error));
}

static const swReal *inertia_of(const swBodyModel *m, const swReducedInfo *info) {
    return m->reduced_data + info->data;
}
static const swReal *polynomial_of(const swBodyModel *m, const swReducedInfo *info) {
    return inertia_of(m, info) + sw_reduced_inertia_size(m->node[info->node].nu);
}

// factor/2 (z - last)^T K (z - last), K the stiffness at rest: the first coefficients.
static void add_damping(int r, const swReal *K, swReal factor, const swReal *z, const swReal *last,
                        swReal *d, swSystem *out, swReal *g, swReal *H, int stride) {
    for (int i = 0; i < r; i++)
        d[i] = z[i] - last[i];
    for (int i = 0; i < r; i++)
        for (int j = 0; j <= i; j++) {
            const swReal k = factor * K[sw_modal_pair(i, j)];
            out->energy += (i == j ? 0.5 : 1) * k * d[i] * d[j];
            if (g) {
                g[i] += k * d[j];
                g[j] += i == j ? 0 : k * d[i];
            }
            if (H)
                H[(ptrdiff_t)i * stride + j] += k;
        }
}

void sw_reduced_elastic_add(const swBodyModel *m, const swReducedWork *work,
                            const swElasticInput *input, swSystem *out) {
    for (int64_t i = 0; i < m->size.nreduced; i++) {
        const swReducedInfo *info = &m->reduced[i];
        const swNode *node = &m->node[info->node];
        if (info->points > 0)
            continue;
        const swReal *c = polynomial_of(m, info), *z = input->q + sw_node_ambient(node),
                     damping = m->body[info->body].damping_stiffness + input->damping;
        swReal *g = out->g ? out->g + sw_node_ambient(node) : NULL, *d = work->scratch;
        const swBlock H = out->H ? sw_blocks_get(out->H, info->node, info->node) : (swBlock){0};
        swReal size;
        out->energy += sw_polynomial_add(node->nu, c, z, g, H.data, H.stride, d + node->nu, &size);
        out->cancelled += size;
        if (!input->q_last || !(damping > 0))
            continue;
        const swRates rates = sw_rates(damping, input->h, input->q_before != NULL);
        add_damping(node->nu, c, rates.last, z, input->q_last + sw_node_ambient(node), d, out, g,
                    H.data, H.stride);
        if (input->q_before)
            add_damping(node->nu, c, rates.before, z, input->q_before + sw_node_ambient(node), d,
                        out, g, H.data, H.stride);
    }
}

// ---- loads ----

// energy -= A : f a^T z: the force f on a mode whose vector a the matrix A of `node` turns, but for
// its first column; in `T` the sum of f a^T over all forces [N m].
static void add_load(const swNode *node, const swReal *T, swReal share, const swReal *q, int z,
                     swReal *row, swSystem *out) {
    const int d = node->width - 1;
    for (int e = 0; e < 3 * d; e++) {
        const int at = e / d * node->width + 1 + e % d;
        const swReal f = share * T[e], A = q[node->q + at];
        out->energy -= f * A * q[z];
        if (out->g) {
            out->g[node->q + at] -= f * q[z];
            out->g[z] -= f * A;
        }
        if (row)
            row[at] -= f;
    }
}

// The same on modes whose vectors the dual quaternions of a node turn: x_k = Vec(r e_k r*) / (r .
// r) and its derivatives in r.
typedef struct {
    swReal x[3][3], slope[3][3][4]; // [k]
    swDualPoint point[3];
    swWide X[3][3][SW_DUAL];
} swTurnedAxes;

static swReal first_of(swWide wide) {
    swReal lanes[SW_LANES];
    sw_wide_store(lanes, wide);
    return lanes[0];
}

static void turn_axes(const swNode *node, const swReal *q, swTurnedAxes *o) {
    swWide b[SW_DUAL];
    for (int i = 0; i < SW_DUAL; i++)
        b[i] = sw_wide(i < 4 ? q[sw_node_ambient(node) + i] : 0);
    for (int k = 0; k < 3; k++) {
        const swWide p[3] = {sw_wide(k == 0), sw_wide(k == 1), sw_wide(k == 2)};
        sw_dual_point(b, p, &o->point[k]);
        sw_dual_slope(&o->point[k], o->X[k]);
        for (int a = 0; a < 3; a++) {
            o->x[k][a] = first_of(o->point[k].x[a]);
            for (int i = 0; i < 4; i++)
                o->slope[k][a][i] = first_of(o->X[k][a][i]);
        }
    }
}

// H -= sum of all, T : d2x/dr2.
static void bend_axes(const swTurnedAxes *o, const swReal *T, swBlock H) {
    for (int k = 0; k < 3; k++) {
        const swWide f[3] = {sw_wide(T[k]), sw_wide(T[3 + k]), sw_wide(T[6 + k])};
        swWide fX[SW_DUAL], K[SW_DUAL][SW_DUAL];
        memset(K, 0, sizeof K);
        for (int i = 0; i < SW_DUAL; i++)
            fX[i] = f[0] * o->X[k][0][i] + f[1] * o->X[k][1][i] + f[2] * o->X[k][2][i];
        sw_dual_curvature(&o->point[k], f, fX, K);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                H.data[i * H.stride + j] -= first_of(i <= j ? K[i][j] : K[j][i]);
    }
}

// T[mode][3][3] of a node.
static void add_dual_load(const swBodyModel *m, int index, int modes, const swReal *T, swReal share,
                          const swReal *q, swSystem *out) {
    const swNode *node = &m->node[index];
    const int z = sw_node_ambient(&m->node[modes]), at = sw_node_ambient(node);
    const bool moves = out->H && node->u >= 0;
    const swBlock H = moves ? sw_blocks_get(out->H, modes, index) : (swBlock){0};
    swTurnedAxes o;
    swReal sum[9] = {0};
    turn_axes(node, q, &o);
    for (int j = 0; j < m->node[modes].nu; j++, T += 9)
        for (int e = 0; e < 9; e++) {
            const swReal f = share * T[e], *slope = o.slope[e % 3][e / 3], x = o.x[e % 3][e / 3];
            sum[e] += f * q[z + j];
            out->energy -= f * x * q[z + j];
            if (out->g)
                out->g[z + j] -= f * x;
            for (int i = 0; i < 4 && out->g; i++)
                out->g[at + i] -= f * slope[i] * q[z + j];
            for (int i = 0; i < 4 && moves; i++)
                H.data[(ptrdiff_t)j * H.stride + i] -= f * slope[i];
        }
    if (moves && !out->gauss_newton)
        bend_axes(&o, sum, sw_blocks_get(out->H, index, index));
}

void sw_reduced_loads_add(const swBodyModel *m, const swReal *q, swReal share, swSystem *out) {
    const swVec3 gravity = m->settings->gravity;
    for (int64_t i = 0; i < m->size.nreduced; i++) {
        const swReducedInfo *info = &m->reduced[i];
        const swNode *modes = &m->node[info->node];
        const swReal *S = inertia_of(m, info), *T = m->mode_load;
        const int z = sw_node_ambient(modes);
        for (int j = 0; j < modes->nu; j++) {
            swReal weight[9];
            for (int e = 0; e < 9; e++)
                weight[e] = sw_get(gravity, e / 3) * S[3 * j + e % 3];
            add_load(modes, weight, share, q, z + j, NULL, out);
        }
        for (int64_t n = 0; T < m->mode_load + m->size.nmode_load; n++) {
            const swNode *node = &m->node[n];
            if (sw_node_is_dual(node)) {
                add_dual_load(m, (int)n, info->node, T, share, q, out);
                T += modes->nu * sw_mode_load_size(node);
                continue;
            }
            const bool moves = out->H && node->u >= 0 && node != modes; // the frame of which stays
            const swBlock H = moves ? sw_blocks_get(out->H, info->node, (int)n) : (swBlock){0};
            for (int j = 0; j < modes->nu; j++, T += sw_mode_load_size(node))
                add_load(node, T, share, q, z + j, moves ? H.data + (ptrdiff_t)j * H.stride : NULL,
                         out);
        }
    }
}

// ---- mass ----

void sw_reduced_moments(const swBodyModel *m, const swReducedInfo *info, const swReal *z,
                        const swReal *w, swVec3 *first, swMat3 *second) {
    const int r = m->node[info->node].nu;
    const swReal *S = inertia_of(m, info), *N = S + 3 * r, *L = N + 9 * r;
    *first = sw_v3(0, 0, 0);
    *second = (swMat3){{0}};
    for (int j = 0; j < r; j++) {
        *first = sw_madd(*first, w[j], sw_v3(S[3 * j], S[3 * j + 1], S[3 * j + 2]));
        for (int e = 0; e < 9; e++) {
            swReal sum = N[9 * j + e];
            for (int i = 0; i < r; i++)
                sum += z[i] * L[9 * ((ptrdiff_t)j * r + i) + e];
            second->m[e] += w[j] * sum;
        }
    }
}

// What holds the frame against the inertia of amplitudes that are d away from where they tend to.
static void add_reaction(const swBodyModel *m, const swReducedInfo *info, const swReal *q,
                         swReal factor, const swReal *d, swReal *g) {
    const swNode *node = &m->node[info->node];
    const swMat3 R = sw_node_rotation(node, q);
    swVec3 first;
    swMat3 second;
    sw_reduced_moments(m, info, q + sw_node_ambient(node), d, &first, &second);
    const swVec3 force = sw_mul(R, first);
    const swMat3 turn = sw_mat_mul(R, second);
    for (int r = 0; r < 3; r++) {
        g[node->q + 4 * r] += factor * sw_get(force, r);
        for (int k = 0; k < 3; k++)
            g[node->q + 4 * r + 1 + k] += factor * turn.m[3 * r + k];
    }
}

void sw_reduced_mass_add(const swBodyModel *m, const swReal *q, const swReal *target, swReal factor,
                         bool damping, swSystem *out) {
    for (int64_t i = 0; i < m->size.nreduced; i++) {
        const swReducedInfo *info = &m->reduced[i];
        const swNode *node = &m->node[info->node];
        const swReal f = damping ? factor * m->body[info->body].damping_mass : factor;
        const int at = sw_node_ambient(node);
        const swBlock H = out->H ? sw_blocks_get(out->H, info->node, info->node) : (swBlock){0};
        swReal d[SW_MAX_MODES];
        if (f == 0)
            continue;
        for (int j = 0; j < node->nu; j++) {
            d[j] = q[at + j] - (target ? target[at + j] : 0);
            out->energy += 0.5 * f * d[j] * d[j];
            if (out->g)
                out->g[at + j] += f * d[j];
            if (out->H)
                H.data[(ptrdiff_t)j * H.stride + j] += f;
        }
        if (out->g)
            add_reaction(m, info, q, f, d, out->g);
    }
}

// ---- in the table ----

static void add_term(const swTerm *t, swSystem *out) {
    if (t->elastic->reduced.scratch)
        sw_reduced_elastic_add(t->m, &t->elastic->reduced, &t->in, out);
}

const swPotential sw_potential_reduced = {
    .name = "reduced", .energy = SW_ENERGY_ELASTIC, .add = add_term};
