// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/relax.h"

#include "math/tangent_wide.h"

#include <string.h>

const swZone *sw_zone_of(const swBodyModel *m, const swGroup *g, int block) {
    int lo = g->zone, hi = g->zone + g->nzone;
    while (hi - lo > 1) {
        const int middle = (lo + hi) / 2;
        if (m->zone[middle].block <= block)
            lo = middle;
        else
            hi = middle;
    }
    return hi > lo ? &m->zone[lo] : NULL;
}

void sw_relax_places(const swBodyModel *m, const swZone *c, swReal *place) {
    const swVec3 *p = m->sample_point + m->group[c->group].sample + (int64_t)c->block * SW_LANES;
    for (int b = 0; b < c->nblock; b++, place += SW_RELAX_PLACES * SW_LANES)
        for (int lane = 0; lane < SW_LANES; lane++, p++) {
            place[3 * SW_LANES + lane] = 1;
            for (int k = 0; k < 3; k++) {
                const swReal *e = c->axes + 3 * k;
                place[k * SW_LANES + lane] =
                    (e[0] * (p->x - c->center.x) + e[1] * (p->y - c->center.y) +
                     e[2] * (p->z - c->center.z)) /
                    c->extent[k];
            }
        }
}

SW_INLINE void load(int n, const swReal *from, swWide *to) {
    for (int i = 0; i < n; i++)
        to[i] = sw_wide_load(from + i * SW_LANES);
}

SW_INLINE void store(int n, const swWide *from, swReal *to) {
    for (int i = 0; i < n; i++)
        sw_wide_store(to + i * SW_LANES, from[i]);
}

// A S for symmetric S: 00 11 22 01 02 12.
SW_INLINE void times_symmetric(const swWide A[9], const swWide S[6], swWide out[9]) {
    for (int r = 0; r < 9; r += 3)
        for (int c = 0; c < 3; c++)
            out[r + c] = A[r] * S[sw_pair_at[c]] + A[r + 1] * S[sw_pair_at[3 + c]] +
                         A[r + 2] * S[sw_pair_at[6 + c]];
}

// The symmetric part of e_r x e_c for pair s of a zone's axes, in the world's.
static void shape(const swZone *c, int s, swReal S[6]) {
    const swReal *a = c->axes + 3 * sw_pair_row[s], *b = c->axes + 3 * sw_pair_column[s];
    for (int i = 0; i < 6; i++) {
        const int r = sw_pair_row[i], q = sw_pair_column[i];
        S[i] = 0.5 * (a[r] * b[q] + b[r] * a[q]);
    }
}

void sw_relax_strains(const swZone *c, swRelaxStrains *m) {
    m->n = m->used = 0;
    for (int bit = 0; bit < SW_RELAX_STRAINS; bit++)
        if (c->mask >> bit & 1) {
            m->along[m->n] = bit / SW_RELAX_SHAPES;
            m->shape[m->n++] = bit % SW_RELAX_SHAPES;
            m->used |= 1 << bit % SW_RELAX_SHAPES;
        }
    for (int s = 0; s < SW_RELAX_VOLUME; s++)
        if (m->used >> s & 1)
            shape(c, s, m->S[s]);
    for (int e = 0; e < 6; e++)
        m->S[SW_RELAX_VOLUME][e] = e < 3;
    m->across = c->across;
    m->wall = c->wall;
    for (int i = 0; i < 9; i++)
        m->arm[i / 3][i % 3] = c->axes[i] * c->extent[i / 3];
    shape(c, sw_pair_at[1], m->warp[0]);
    shape(c, sw_pair_at[2], m->warp[1]);
    for (int e = 0; e < 6; e++) { // over d_2 and d_1 as lengths, so that the two fit together
        m->warp[0][e] *= c->extent[2] / c->extent[1];
        m->S[SW_RELAX_WARP][e] = 0;
    }
}

// Sums of strains that go with d_0 .. d_3.
static void slopes(const swRelaxStrains *m, const swReal *a, swReal T[SW_RELAX_PLACES][6]) {
    memset(T, 0, SW_RELAX_PLACES * sizeof T[0]);
    for (int i = 0; i < m->n; i++)
        for (int e = 0; e < 6; e++) {
            T[m->along[i]][e] += a[i] * m->S[m->shape[i]][e];
            if (m->shape[i] == SW_RELAX_WARP) {
                T[2][e] += a[i] * m->warp[0][e];
                T[1][e] += a[i] * m->warp[1][e];
            }
        }
}

// S_s at d.
SW_INLINE void shape_at(const swRelaxStrains *m, int s, const swWide d[SW_RELAX_PLACES],
                        swWide S[6]) {
    for (int e = 0; e < 6; e++)
        S[e] =
            s == SW_RELAX_WARP ? d[2] * m->warp[0][e] + d[1] * m->warp[1][e] : sw_wide(m->S[s][e]);
}

// The strain they make at d.
SW_INLINE void strain_at(const swWide d[SW_RELAX_PLACES], swReal T[SW_RELAX_PLACES][6],
                         swWide E[6]) {
    for (int e = 0; e < 6; e++)
        E[e] = d[0] * T[0][e] + d[1] * T[1][e] + d[2] * T[2][e] + d[3] * T[3][e];
}

void sw_relax_stretch(const swRelaxStrains *m, int nblock, const swReal *place, const swReal *a,
                      swReal *X) {
    swReal T[SW_RELAX_PLACES][6];
    slopes(m, a, T);
    for (int b = 0; b < nblock; b++, place += SW_RELAX_PLACES * SW_LANES, X += 6 * SW_LANES) {
        swWide d[SW_RELAX_PLACES], E[6];
        load(SW_RELAX_PLACES, place, d);
        strain_at(d, T, E);
        for (int e = 0; e < 3; e++)
            E[e] = E[e] + 1.0;
        store(6, E, X);
    }
}

static const swReal twice[6] = {1, 1, 1, 2, 2, 2}; // entries of a symmetric matrix in its square

// Energy of one sample held back at strain E, s = |E|^2 / limit^2 - 1/4 above zero; w is its weight
// times the stiffness, d its place, SW_LANES apart.
static void hold_sample(const swRelaxStrains *m, const swReal *d, const swReal E[6], swReal s,
                        swReal w, swReal *energy, swReal *r, swReal *K) {
    const swReal limit2 = SW_RELAX_LIMIT * SW_RELAX_LIMIT;
    swReal along[SW_RELAX_STRAINS], M[SW_RELAX_STRAINS][6]; // ds/da; strains of unit amplitudes
    *energy += w * s * s * s * s;
    for (int i = 0; i < m->n && r; i++) {
        const bool warp = m->shape[i] == SW_RELAX_WARP;
        along[i] = 0;
        for (int e = 0; e < 6; e++) {
            M[i][e] = warp ? d[2 * SW_LANES] * m->warp[0][e] + d[SW_LANES] * m->warp[1][e]
                           : d[m->along[i] * SW_LANES] * m->S[m->shape[i]][e];
            along[i] += 2 / limit2 * twice[e] * E[e] * M[i][e];
        }
        r[i] += 4 * w * s * s * s * along[i];
        for (int j = 0; j <= i; j++) {
            swReal both = 0;
            for (int e = 0; e < 6; e++)
                both += 2 / limit2 * twice[e] * M[i][e] * M[j][e];
            K[i * m->n + j] += w * (4 * s * s * s * both + 12 * s * s * along[i] * along[j]);
        }
    }
}

// Strains beyond the limit.
static void hold_back(const swRelaxStrains *m, int nblock, const swReal *place,
                      const swReal *weight, swReal stiffness, const swReal *a, swReal *energy,
                      swReal *r, swReal *K) {
    swReal T[SW_RELAX_PLACES][6];
    slopes(m, a, T);
    for (int b = 0; b < nblock; b++, place += SW_RELAX_PLACES * SW_LANES, weight += SW_LANES) {
        swWide d[SW_RELAX_PLACES], E[6], square = sw_wide(0);
        swReal s[SW_LANES], strain[6 * SW_LANES];
        load(SW_RELAX_PLACES, place, d);
        strain_at(d, T, E);
        for (int e = 0; e < 6; e++)
            square = sw_wide_fma(twice[e] * E[e], E[e], square);
        sw_wide_store(s, square / (SW_RELAX_LIMIT * SW_RELAX_LIMIT) - 0.25);
        store(6, E, strain);
        for (int lane = 0; lane < SW_LANES; lane++) {
            swReal one[6];
            if (!(s[lane] > 0) || !(weight[lane] > 0))
                continue;
            for (int e = 0; e < 6; e++)
                one[e] = strain[e * SW_LANES + lane];
            hold_sample(m, place + lane, one, s[lane], weight[lane] * stiffness, energy, r, K);
        }
    }
}

// A spring in series with the bulk modulus, so that both together have the one of sw_relax_bulk().
static void hold_volume(const swRelaxStrains *m, int nblock, const swReal *place,
                        const swReal *weight, const swReal lame[2], const swReal *a, swReal *energy,
                        swReal *r, swReal *K) {
    const swReal bulk = lame[1] + 2.0 / 3 * lame[0], left = sw_relax_bulk(lame),
                 spring = 9 * bulk * left / sw_max(bulk - left, 1e-9 * bulk); // 9: of traces
    swReal second[3][3] = {{0}};
    for (int sample = 0; sample < nblock * SW_LANES; sample++) {
        const swReal *d =
            place + sample / SW_LANES * SW_RELAX_PLACES * SW_LANES + sample % SW_LANES;
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
                second[k][l] += weight[sample] * spring * d[k * SW_LANES] * d[l * SW_LANES];
    }
    for (int i = 0; i < m->n; i++)
        for (int j = 0; j < m->n; j++) {
            if (m->shape[i] != SW_RELAX_VOLUME || m->shape[j] != SW_RELAX_VOLUME)
                continue;
            const swReal k = second[m->along[i]][m->along[j]];
            *energy += 0.5 * a[i] * k * a[j];
            if (!r)
                continue;
            r[i] += k * a[j];
            K[i * m->n + j] += j <= i ? k : 0;
        }
}

// A section next to a wall gets thinner only gradually: what it moves across, about E p / 2 for
// strains E at p from its middle, comes up from nothing over the zone's length and shears it. (The
// square of the motion is twice that for the strains of bending.)
static void hold_wall(const swRelaxStrains *m, int nblock, const swReal *place,
                      const swReal *weight, swReal mu, const swReal *a, swReal *energy, swReal *r,
                      swReal *K) {
    swReal k[SW_RELAX_STRAINS][SW_RELAX_STRAINS];
    int held[SW_RELAX_STRAINS], n = 0;
    for (int i = 0; i < m->n; i++)
        if (m->shape[i] < SW_RELAX_VOLUME && m->along[i] < 3 && m->along[i] >= m->across &&
            sw_pair_row[m->shape[i]] >= m->across)
            held[n++] = i;
    for (int i = 0; i < n; i++)
        memset(k[i], 0, (size_t)n * sizeof k[i][0]);
    for (int sample = 0; sample < nblock * SW_LANES && n > 0; sample++) {
        const swReal *d =
            place + sample / SW_LANES * SW_RELAX_PLACES * SW_LANES + sample % SW_LANES;
        swReal p[3] = {0}, move[SW_RELAX_STRAINS][3];
        for (int x = m->across; x < 3; x++)
            for (int e = 0; e < 3; e++)
                p[e] += d[x * SW_LANES] * m->arm[x][e];
        for (int i = 0; i < n; i++)
            for (int e = 0; e < 3; e++) {
                const swReal *S = m->S[m->shape[held[i]]];
                move[i][e] = d[m->along[held[i]] * SW_LANES] *
                             (S[sw_pair_at[3 * e]] * p[0] + S[sw_pair_at[3 * e + 1]] * p[1] +
                              S[sw_pair_at[3 * e + 2]] * p[2]);
            }
        const swReal w = weight[sample] * mu / (2 * m->wall * m->wall);
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                k[i][j] += w * (move[i][0] * move[j][0] + move[i][1] * move[j][1] +
                                move[i][2] * move[j][2]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const int row = held[i], column = held[j];
            *energy += (i == j ? 0.5 : 1) * a[row] * k[i][j] * a[column];
            if (!r)
                continue;
            r[row] += k[i][j] * a[column];
            if (i != j)
                r[column] += k[i][j] * a[row];
            K[row * m->n + column] += k[i][j];
        }
}

void sw_relax_guard(const swRelaxStrains *m, int nblock, const swReal *place, const swReal *weight,
                    const swMaterialInfo *material, const swReal *a, swReal *energy, swReal *r,
                    swReal *K) {
    hold_back(m, nblock, place, weight, material->young, a, energy, r, K);
    if (m->used >> SW_RELAX_VOLUME & 1)
        hold_volume(m, nblock, place, weight, material->lame, a, energy, r, K);
    if (m->wall > 0)
        hold_wall(m, nblock, place, weight, material->lame[0], a, energy, r, K);
    for (int i = 0; i < m->n && r; i++)
        for (int j = 0; j < i; j++)
            K[j * m->n + i] = K[i * m->n + j];
}

void sw_relax_apply(int nblock, const swReal *X, const swReal *F, swReal *out) {
    for (int b = 0; b < nblock; b++) {
        swWide A[9], S[6], G[9];
        load(9, F + 9 * b * SW_LANES, A);
        load(6, X + 6 * b * SW_LANES, S);
        times_symmetric(A, S, G);
        store(9, G, out + 9 * b * SW_LANES);
    }
}

SW_INLINE swWide dot9(const swWide A[9], const swWide B[9]) {
    swWide sum = A[0] * B[0];
    for (int i = 1; i < 9; i++)
        sum = sw_wide_fma(A[i], B[i], sum);
    return sum;
}

void sw_relax_reduce(const swRelaxStrains *m, int nblock, const swReal *place, const swReal *F,
                     const swReal *P, const swReal *C, swReal *r, swReal *K) {
    const int n = m->n;
    swWide gradient[SW_RELAX_STRAINS], hessian[SW_RELAX_STRAINS][SW_RELAX_STRAINS];
    for (int i = 0; i < n; i++) {
        gradient[i] = sw_wide(0);
        for (int j = 0; j <= i; j++)
            hessian[i][j] = sw_wide(0);
    }
    for (int b = 0; b < nblock; b++) {
        swWide G[9], Q[9], d[SW_RELAX_PLACES], S[6], CB[9];
        swWide B[SW_RELAX_SHAPES][9], force[SW_RELAX_SHAPES], D[SW_RELAX_SHAPES][SW_RELAX_SHAPES];
        load(9, F + 9 * b * SW_LANES, G);
        load(9, P + 9 * b * SW_LANES, Q);
        load(SW_RELAX_PLACES, place + SW_RELAX_PLACES * b * SW_LANES, d);
        for (int s = 0; s < SW_RELAX_SHAPES; s++) {
            if (!(m->used >> s & 1))
                continue;
            shape_at(m, s, d, S);
            times_symmetric(G, S, B[s]);
            force[s] = dot9(Q, B[s]);
            sw_tangent_times(C + SW_TANGENT * b * SW_LANES, B[s], CB);
            for (int t = 0; t <= s; t++)
                if (m->used >> t & 1)
                    D[s][t] = D[t][s] = dot9(CB, B[t]);
        }
        for (int i = 0; i < n; i++) {
            const swWide di = d[m->along[i]]; // of WARP: 1
            gradient[i] = sw_wide_fma(di, force[m->shape[i]], gradient[i]);
            for (int j = 0; j <= i; j++)
                hessian[i][j] =
                    sw_wide_fma(di * d[m->along[j]], D[m->shape[i]][m->shape[j]], hessian[i][j]);
        }
    }
    for (int i = 0; i < n; i++) {
        r[i] = sw_wide_sum(gradient[i]);
        for (int j = 0; j <= i; j++)
            K[i * n + j] = K[j * n + i] = sw_wide_sum(hessian[i][j]);
    }
}

void sw_relax_couple(const swRelaxStrains *m, int nblock, const swReal *place, const swReal *F,
                     const swReal *X, const swReal *P, const swReal *C, const swReal *a,
                     bool semidefinite, swReal *out) {
    swReal T[SW_RELAX_PLACES][6];
    slopes(m, a, T);
    for (int b = 0; b < nblock; b++) {
        swWide G[9], Q[9], S[6], E[6], B[9], CB[9], sum[9], d[SW_RELAX_PLACES];
        load(SW_RELAX_PLACES, place + SW_RELAX_PLACES * b * SW_LANES, d);
        load(9, F + 9 * b * SW_LANES, G);
        load(6, X + 6 * b * SW_LANES, S);
        strain_at(d, T, E);
        times_symmetric(G, E, B);
        sw_tangent_times(C + SW_TANGENT * b * SW_LANES, B, CB);
        times_symmetric(CB, S, sum);
        if (!semidefinite) {
            load(9, P + 9 * b * SW_LANES, Q);
            times_symmetric(Q, E, B);
            for (int i = 0; i < 9; i++)
                sum[i] = sum[i] + B[i];
        }
        store(9, sum, out + 9 * b * SW_LANES);
    }
}

void sw_relax_pull(int nblock, const swReal *X, swReal *P, swReal *C) {
    for (int b = 0; b < nblock; b++) {
        swWide S[6], A[9], T[9], half[9], out[9];
        load(6, X + 6 * b * SW_LANES, S);
        if (P) {
            load(9, P + 9 * b * SW_LANES, A);
            times_symmetric(A, S, out);
            store(9, out, P + 9 * b * SW_LANES);
        }
        for (int pair = 0; pair < 6 && C; pair++) {
            swReal *at = C + (SW_TANGENT * b + 9 * pair) * SW_LANES;
            load(9, at, A);
            times_symmetric(A, S, half);
            for (int i = 0; i < 9; i++)
                T[i] = half[3 * (i % 3) + i / 3];
            times_symmetric(T, S, half);
            for (int i = 0; i < 9; i++)
                out[i] = half[3 * (i % 3) + i / 3];
            store(9, out, at);
        }
    }
}

void sw_group_relax(const swBodyModel *m, const swGroup *g, int first, int nblock,
                    const swReal *amplitude, swReal *F) {
    for (int b = first; b < first + nblock; b++, F += 9 * SW_LANES) {
        const swZone *c = sw_zone_of(m, g, b);
        if (!amplitude || !c || c->nstrain == 0)
            continue;
        swReal place[SW_RELAX_PLACES * SW_LANES], X[6 * SW_LANES];
        swRelaxStrains strains;
        swZone one = *c;
        one.block = b;
        one.nblock = 1;
        sw_relax_places(m, &one, place);
        sw_relax_strains(c, &strains);
        sw_relax_stretch(&strains, 1, place, amplitude + c->strain, X);
        sw_relax_apply(1, X, F, F);
    }
}
