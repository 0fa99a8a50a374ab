// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The strains that nodes lack, found zone by zone: Newton's method on the energy of the zone's
// samples at given F_nodes, from the amplitudes found last. What remains is a function of the nodes
// alone, whose stiffness is that at constant amplitudes less what these give way.
#include "potentials/chunk.h"

#include "kinematics/relax.h"
#include "math/tiles.h"

#include <string.h>

enum { MAX_ITERATIONS = 40, MAX_CUTS = 30, MAX_SHIFTS = 12 };
enum { MAX_TRIALS = 100 }; // of all iterations: few are usual, and what needs more is hopeless
// Decrease that a further step promises, over the energy, below which it need not be taken: its
// effect is added to first order, and what that leaves is the square of this.
static const swReal enough = 1e-10;

typedef swReal swAmplitudes[SW_RELAX_STRAINS];

// K = L L^T in place; false where it is not positive definite.
static bool factor(int n, swReal *K) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            swReal sum = K[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= K[i * n + k] * K[j * n + k];
            if (i > j)
                K[i * n + j] = sum / K[j * n + j];
            else if (sum > 1e-14 * K[i * n + i])
                K[i * n + i] = sqrt(sum);
            else
                return false;
        }
    return true;
}

// The same with as much added to the diagonal as it takes.
static bool factor_shifted(int n, const swReal *K, swReal *L) {
    swReal trace = 0, shift = 0;
    for (int i = 0; i < n; i++)
        trace += fabs(K[i * n + i]);
    for (int attempt = 0; attempt < MAX_SHIFTS && isfinite(trace); attempt++) {
        memcpy(L, K, (size_t)(n * n) * sizeof *L);
        for (int i = 0; i < n; i++)
            L[i * n + i] += shift;
        if (factor(n, L))
            return true;
        shift = shift > 0 ? 10 * shift : 1e-8 * trace;
    }
    return false;
}

static void solve(int n, const swReal *L, swReal *x) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
}

// A zone that is being relaxed.
typedef struct {
    swChunk *c;
    swRelaxStrains strains;
    swReal *a;
    int trials;
} swRelaxing;

static void guard(const swRelaxing *x, const swReal *a, swReal *energy, swReal *r, swReal *K) {
    const swChunk *c = x->c;
    const swBodyModel *m = c->job->model;
    sw_relax_guard(&x->strains, c->nblock, c->place,
                   m->sample_weight + c->group->sample + (int64_t)c->block * SW_LANES,
                   &m->material[c->group->material], a, energy, r, K);
}

// Energy, stress and tangent at amplitudes a.
static swReal energy_at(swRelaxing *x, const swReal *a) {
    swChunk *c = x->c;
    sw_relax_stretch(&x->strains, c->nblock, c->place, a, c->X);
    sw_relax_apply(c->nblock, c->X, c->F_nodes, c->F);
    swReal energy = sw_chunk_evaluate(c, true, true, SW_PROJECT_NONE);
    guard(x, a, &energy, NULL, NULL);
    return energy;
}

// Gradient and Hessian there.
static void reduce(const swRelaxing *x, swReal *r, swReal *K) {
    const swChunk *c = x->c;
    swReal energy = 0;
    sw_relax_reduce(&x->strains, c->nblock, c->place, c->F_nodes, c->P, c->C, r, K);
    guard(x, x->a, &energy, r, K);
}

// As far along `step` as the energy falls; false: it does not, and all is left at a.
static bool descend(swRelaxing *x, const swReal *step, swReal slope, swReal rounding,
                    swReal *energy) {
    swReal share = 1;
    swAmplitudes trial;
    for (int cut = 0; cut < MAX_CUTS && x->trials++ < MAX_TRIALS; cut++, share *= 0.5) {
        for (int i = 0; i < x->strains.n; i++)
            trial[i] = x->a[i] + share * step[i];
        const swReal there = energy_at(x, trial);
        if (isfinite(there) && there <= *energy + 1e-4 * share * slope +
                                            1e-14 * (fabs(*energy) + fabs(there)) + rounding) {
            memcpy(x->a, trial, (size_t)x->strains.n * sizeof *trial);
            *energy = there;
            return true;
        }
    }
    *energy = energy_at(x, x->a);
    return false;
}

// One row of c->strains for each strain: L^-1 times how its force changes with the nodes.
static void add_strains(const swRelaxing *x, const swReal *L) {
    swChunk *c = x->c;
    const swGroup *g = c->group;
    const int n = x->strains.n, size = sw_group_rows(g) * g->nfree;
    const bool semidefinite = c->job->projection != SW_PROJECT_NONE;
    const swReal *gamma = c->job->model->gamma + g->gamma + (int64_t)c->block * sw_group_stride(g);
    const ptrdiff_t opposite = (ptrdiff_t)SW_CHUNK_STRAINS * size;
    SW_ASSERT(c->nstrain + n <= SW_CHUNK_STRAINS);
    for (int i = 0; i < n; i++, c->nstrain++) {
        // rows of L^-1 K combine strains; so do their couplings
        swAmplitudes row = {0};
        row[i] = 1 / L[i * n + i];
        for (int j = i - 1; j >= 0; j--) {
            swReal sum = 0;
            for (int k = j + 1; k <= i; k++)
                sum += row[k] * L[k * n + j];
            row[j] = -sum / L[j * n + j];
        }
        sw_relax_couple(&x->strains, c->nblock, c->place, c->F_nodes, c->X, c->P, c->C, row,
                        semidefinite, c->coupling);
        memset(c->force, 0, (size_t)(sw_group_rows(g) * g->ncolumn * SW_LANES) * sizeof *c->force);
        if (g->blend == SW_BLEND_LINEAR)
            sw_linear_force(g->ncolumn, c->nblock, gamma, c->coupling, c->force);
        else
            sw_dual_blend_force(g->ncolumn, c->nblock, gamma, c->dual, c->coupling, c->force);
        swReal *to = c->strains + (ptrdiff_t)(c->nstrain / SW_LANES) * size * SW_LANES +
                     c->nstrain % SW_LANES;
        for (int r = 0; r < sw_group_rows(g); r++)
            for (int k = 0; k < g->nfree; k++, to += SW_LANES) {
                to[0] = sw_wide_sum(sw_wide_load(c->force + (r * g->ncolumn + k) * SW_LANES));
                to[opposite] = -to[0];
            }
    }
}

void sw_chunk_condense(swChunk *c, swReal *K) {
    const swGroup *g = c->group;
    const int rows = sw_group_rows(g), nfree = g->nfree, size = rows * nfree;
    const ptrdiff_t opposite = (ptrdiff_t)SW_CHUNK_STRAINS * size;
    for (; c->nstrain % SW_LANES != 0; c->nstrain++) // the rest of the last vector
        for (int at = 0; at < size; at++) {
            swReal *row = c->strains + ((ptrdiff_t)(c->nstrain / SW_LANES) * size + at) * SW_LANES +
                          c->nstrain % SW_LANES;
            row[0] = row[opposite] = 0;
        }
    int pair = 0;
    for (int apart = 0; apart < 2; apart++) // pairs r = s first, then r < s
        for (int r = 0; r < rows && c->nstrain > 0; r++)
            for (int s = apart ? r + 1 : r; s < (apart ? rows : r + 1); s++, pair++) {
                const swRows A = {c->strains + (ptrdiff_t)r * nfree * SW_LANES, SW_LANES,
                                  (ptrdiff_t)size * SW_LANES},
                             B = {c->strains + opposite + (ptrdiff_t)s * nfree * SW_LANES, SW_LANES,
                                  (ptrdiff_t)size * SW_LANES};
                sw_tiles_accumulate(nfree, nfree, c->nstrain / SW_LANES, A, B,
                                    K + (ptrdiff_t)pair * nfree * nfree * SW_LANES, nfree,
                                    apart == 0);
            }
    c->nstrain = 0;
}

// F of an earlier step, with the amplitudes of then.
static void relax_past(swRelaxing *x, const swReal *a, swReal *F) {
    swChunk *c = x->c;
    sw_relax_stretch(&x->strains, c->nblock, c->place, a, c->X);
    sw_relax_apply(c->nblock, c->X, F, F);
}

swReal sw_chunk_relax(swChunk *c, const swZone *zone, swReal *a, bool *done) {
    const swElasticJob *job = c->job;
    const int n = zone->nstrain;
    swRelaxing x = {.c = c, .a = a};
    swAmplitudes r, step = {0};
    swReal K[SW_RELAX_STRAINS * SW_RELAX_STRAINS], L[SW_RELAX_STRAINS * SW_RELAX_STRAINS],
        slope = 0;
    sw_relax_strains(zone, &x.strains);
    sw_relax_places(job->model, zone, c->place);
    if (c->damping.last > 0)
        relax_past(&x, job->input->relax_last + zone->strain, c->F_last);
    if (c->damping.before < 0)
        relax_past(&x, job->input->relax_before + zone->strain, c->F_before);
    swReal energy = energy_at(&x, a);
    if (!isfinite(energy)) {
        memset(a, 0, (size_t)n * sizeof *a);
        energy = energy_at(&x, a);
    }
    *done = job->input->frozen;
    bool factored = false;
    for (int i = 0; i < MAX_ITERATIONS && isfinite(energy) && !*done; i++) {
        swReal largest = 0;
        slope = 0;
        reduce(&x, r, K);
        if (!(factored = factor_shifted(n, K, L)))
            break;
        for (int k = 0; k < n; k++)
            step[k] = -r[k];
        solve(n, L, step);
        for (int k = 0; k < n; k++) {
            slope += r[k] * step[k];
            largest = sw_max(largest, K[(n + 1) * k]);
        }
        *done = -slope <= enough * fabs(energy) + 1e-28 * largest;
        // Next to rest energies are differences of numbers of the size of the stiffness.
        if (!*done && !descend(&x, step, slope, 1e-15 * largest, &energy))
            break;
    }
    if (!*done) { // then the last step is no small one
        memset(step, 0, sizeof step);
        slope = 0;
        factored = false;
    }
    if (!isfinite(energy) || (!job->gradient && !job->hessian))
        return energy + 0.5 * slope;
    sw_relax_couple(&x.strains, c->nblock, c->place, c->F_nodes, c->X, c->P, c->C, step, false,
                    c->last);
    if (job->hessian) {
        if (job->projection != SW_PROJECT_NONE || !factored) {
            sw_chunk_evaluate(c, true, true, job->projection);
            reduce(&x, r, K);
            factored = factor_shifted(n, K, L);
        }
        if (factored)
            add_strains(&x, L);
    }
    sw_relax_pull(c->nblock, c->X, c->P, job->hessian ? c->C : NULL);
    for (int i = 0; i < 9 * c->nblock * SW_LANES; i++)
        c->P[i] += c->last[i];
    for (int i = 0; i < n; i++)
        a[i] += step[i];
    return energy + 0.5 * slope;
}

void sw_zone_rest(const swBodyModel *m, const swZone *zone, int block, const swElasticInput *input,
                  swReal *force, swReal *K, swReal *coupling) {
    const swElasticJob job = {.model = m, .input = input};
    const swGroup *g = &m->group[zone->group];
    const int n = zone->nstrain, size = 3 * g->ncolumn;
    swReal F[9 * SW_LANES], P[9 * SW_LANES], C[SW_TANGENT * SW_LANES], psi[SW_LANES],
        X[6 * SW_LANES], place[SW_RELAX_PLACES * SW_LANES], slope[9 * SW_LANES];
    swReal here[SW_RELAX_STRAINS * SW_RELAX_STRAINS], energy = 0;
    swAmplitudes r, a = {0};
    swRelaxStrains strains;
    swZone one = *zone;
    one.block = block;
    one.nblock = 1;
    for (int i = 0; i < 9 * SW_LANES; i++)
        F[i] = i / SW_LANES % 4 == 0;
    swChunk c = {
        .job = &job, .group = g, .block = block, .nblock = 1, .F = F, .psi = psi, .P = P, .C = C};
    sw_relax_strains(zone, &strains);
    sw_relax_places(m, &one, place);
    sw_relax_stretch(&strains, 1, place, a, X);
    sw_chunk_evaluate(&c, true, true, SW_PROJECT_NONE);
    sw_relax_reduce(&strains, 1, place, F, P, C, r, here);
    sw_relax_guard(&strains, 1, place, m->sample_weight + g->sample + (int64_t)block * SW_LANES,
                   &m->material[g->material], a, &energy, r, here);
    for (int i = 0; i < n * n; i++)
        K[i] += here[i];
    for (int i = 0; i < n; i++, coupling += size) {
        memset(a, 0, sizeof a);
        a[i] = 1;
        sw_relax_couple(&strains, 1, place, F, X, P, C, a, false, slope);
        memset(force, 0, (size_t)(size * SW_LANES) * sizeof *force);
        sw_linear_force(g->ncolumn, 1, m->gamma + g->gamma + (int64_t)block * sw_group_stride(g),
                        slope, force);
        for (int k = 0; k < size; k++)
            coupling[k] += sw_wide_sum(sw_wide_load(force + k * SW_LANES));
    }
}

void sw_zone_scale(int n, int size, const swReal *K, swReal *coupling) {
    swReal L[SW_RELAX_STRAINS * SW_RELAX_STRAINS];
    if (!factor_shifted(n, K, L)) {
        memset(coupling, 0, (size_t)(n * size) * sizeof *coupling);
        return;
    }
    for (int i = 0; i < n; i++)
        for (int x = 0; x < size; x++) {
            for (int k = 0; k < i; k++)
                coupling[i * size + x] -= L[i * n + k] * coupling[k * size + x];
            coupling[i * size + x] /= L[i * n + i];
        }
}
