// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The volume of regions, instead of that of every sample: potentials/volumes.h.
#include "compile/correcting.h"

#include "math/cholesky.h"
#include "math/sets.h"

#include <string.h>

// Of what its law at points does at rest.
static bool find_root(const swStrainPoints *p, int material, swError *error) {
    enum { STRIDE = 8 };
    swReal D[6][6], L[6 * STRIDE] = {0};
    sw_build_rest(&p->skin->s->b->material.item[p->law[material]], D);
    for (int e = 0; e < 36; e++)
        L[e / 6 * STRIDE + e % 6] = D[e / 6][e % 6];
    if (sw_cholesky_factor(6, 6, L, STRIDE) != 6)
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "a material does not resist every strain");
    for (int e = 0; e < 36; e++)
        p->root[material].of[e / 6][e % 6] = e % 6 >= e / 6 ? L[e % 6 * STRIDE + e / 6] : 0;
    return true;
}

bool sw_correcting_split(swStrainPoints *p, swError *error) {
    swSampling *s = p->skin->s;
    swBuilder *b = s->b;
    const int n = b->material.count;
    p->law = SW_NEW(&s->arena, n, int, error);
    p->bulk = SW_NEW(&s->arena, 2 * (size_t)n, swReal, error); // laws that come lack nothing
    p->root = SW_NEW(&s->arena, n, swStrainRoot, error);
    for (int i = 0; p->law && p->bulk && p->root && i < n; i++)
        if (!sw_build_split(b, i, false, &p->law[i], &p->bulk[i], error) || !find_root(p, i, error))
            return false;
    return p->law && p->bulk && p->root;
}

// The volume of one material that one frame moves most, or several that are mirror images of each
// other.
struct swVolumeRegion {
    int stuff;
    swReal volume, stiffness;
    swVec3 center;
    swReal size;
    swReal A[4][4];
    swReal *D;      // [4][motions]: moments of their changes of volume,
    int n;          // then with n functions of unit square over the region,
    swReal W[4][4]; // which are these combinations,
    swReal root;    // and times this: m_f
};

// The frame that moves the points from `first` to `end` most, of those that are free. Mirror images
// that move them as much are joined: neither rounding nor the order of frames decides. `sum` is
// scratch.
static int find_mover(const swStrainPoints *p, int first, int end, swReal *sum, int *joined) {
    static const swReal alike = 1e-6;
    const swSampling *s = p->skin->s;
    int best = -1;
    swReal most = 0, highest = -INFINITY;
    memset(sum, 0, (size_t)s->body->nsite * sizeof *sum);
    for (int i = first; i < end; i++) {
        sw_correcting_skin(p, i);
        for (int k = 0; k < s->body->nsite; k++)
            sum[k] += p->volume[i] * p->N[p->skin->column[k]];
    }
    for (int k = 0; k < s->body->nsite; k++)
        if (sw_site_node(s, k)->ndof > 0)
            most = sw_max(most, sum[k]);
    for (int k = 0; k < s->body->nsite; k++) {
        if (!(sw_site_node(s, k)->ndof > 0 && sum[k] >= (1 - alike) * most))
            continue;
        const swReal rank = sw_mirrors_orbit_rank(&s->body->mirrors, s->body->site[k].origin);
        if (best >= 0 && fabs(rank - highest) <= alike)
            sw_set_join(joined, best, k);
        else if (rank > highest) {
            best = k;
            highest = rank;
        }
    }
    return best;
}

static void functions_at(const swVolumeRegion *r, swVec3 X, swReal f[4]) {
    const swVec3 t = sw_scale(1 / r->size, sw_sub(X, r->center));
    f[0] = 1;
    f[1] = t.x;
    f[2] = t.y;
    f[3] = t.z;
}

// Changes of volume by all motions at one of the points that sw_correcting_strains() was called
// for.
static void changes_at(const swStrainPoints *p, int place, swReal *out) {
    const swFields *f = &p->fields;
    const int n = p->skin->nmotion, x = sw_field_at(3, 0, place), e = sw_field_at(6, 0, place);
    for (int k = 0; k < n; k++) {
        const swSkinMotion *motion = &p->skin->motion[k];
        out[k] = 0;
        for (int a = 0; a < motion->n; a++) {
            const swReal *g = f->skin + (ptrdiff_t)(motion->column + a) * 3 * SW_FIELD_POINTS + x;
            out[k] += sw_dot(motion->f[a], sw_v3(g[0], g[SW_LANES], g[2 * SW_LANES]));
        }
    }
    for (int m = 0; m < f->n; m++) {
        const swReal *E = f->strain + (ptrdiff_t)m * SW_FIELD_STRAIN + e;
        out[n + m] = E[0] + E[SW_LANES] + E[2 * SW_LANES];
    }
}

// Weights of points of a region, x, so that sums of T x are D: near those of the rule, which x has
// at first. The first rows, of soft motions, are as good as exact.
static bool fit_weights(int n, int rows, int soft, const swReal *T, const swReal *D,
                        const swReal *scale, swReal *x, swArena *arena, swError *error) {
    static const swReal matter = 1e4; // the square of how much more
    const int stride = sw_cholesky_stride(n);
    swReal *K = SW_NEW(arena, (size_t)n * (size_t)stride, swReal, error),
           *step = SW_NEW(arena, n, swReal, error);
    if (!K || !step)
        return false;
    swReal trace = 0;
    for (int row = 0; row < rows; row++) {
        const swReal *t = T + (ptrdiff_t)row * n, much = row < soft ? matter : 1,
                     r = much * (D[row] - sw_dot_n(n, t, x));
        for (int i = 0; i < n; i++) {
            step[i] += t[i] * scale[i] * r;
            for (int j = 0; j <= i; j++)
                K[(ptrdiff_t)i * stride + j] += much * t[i] * scale[i] * t[j] * scale[j];
            if (row >= soft)
                trace += t[i] * scale[i] * t[i] * scale[i];
        }
    }
    for (int i = 0; i < n; i++)
        K[(ptrdiff_t)i * stride + i] += 1e-6 * trace / n + 1e-300;
    if (sw_cholesky_factor(n, n, K, stride) != n)
        return true;
    sw_cholesky_solve(n, K, stride, step);
    for (int i = 0; i < n; i++)
        x[i] += scale[i] * step[i];
    return true;
}

// Sums m_f of one region, into rows [4][nsample] of weights; returns how many.
static int add_sums(swStrainPoints *p, const swVolumeRegion *r, const swChosenPoints *chosen,
                    const int *sample, swReal *rows, swReal *left, swError *error) {
    swSampling *s = p->skin->s;
    const int nm = chosen->nmotion, n = p->skin->nmotion + p->found->n, own = (int)(r - p->region);
    int count = 0;
    for (int k = 0; k < chosen->n; k++)
        count += p->home[chosen->point[k]] == own;
    if (count == 0)
        return 0;
    swReal *T = SW_NEW(&s->arena, (size_t)nm * (size_t)count, swReal, error),
           *D = SW_NEW(&s->arena, nm, swReal, error), *x = SW_NEW(&s->arena, count, swReal, error),
           *scale = SW_NEW(&s->arena, count, swReal, error),
           *change = SW_NEW(&s->arena, n, swReal, error);
    swVec3 *X = SW_NEW(&s->arena, count, swVec3, error);
    if (!T || !D || !x || !scale || !change || !X)
        return -1;
    for (int k = 0, i = 0; k < chosen->n; k++) {
        if (p->home[chosen->point[k]] != own)
            continue;
        sw_correcting_strains(p, 1, &chosen->point[k]);
        changes_at(p, 0, change);
        X[i] = p->point[chosen->point[k]].X;
        scale[i] = chosen->volume[k];
        for (int row = 0; row < nm; row++)
            T[(ptrdiff_t)row * count + i] =
                sw_dot_n(n, chosen->motion + (ptrdiff_t)row * n, change);
        i++;
    }
    const int nf = sw_min_int(count, r->n);
    for (int f = 0; f < nf; f++) {
        swReal square = 0, off = 0;
        for (int row = 0; row < nm; row++)
            D[row] = sw_dot_n(n, r->D + (ptrdiff_t)f * n, chosen->motion + (ptrdiff_t)row * n);
        for (int i = 0; i < count; i++) {
            swReal value[4];
            functions_at(r, X[i], value);
            x[i] = scale[i] * sw_dot_n(4, r->W[f], value);
        }
        if (!fit_weights(count, nm, sw_min_int(chosen->soft, count / 2), T, D, scale, x, &s->arena,
                         error))
            return -1;
        for (int row = 0; row < nm; row++) {
            const swReal rest = D[row] - sw_dot_n(count, T + (ptrdiff_t)row * count, x);
            square += D[row] * D[row];
            off += rest * rest;
        }
        *left = sw_max(*left, sqrt(off / sw_max(square, 1e-300)));
        for (int k = 0, i = 0; k < chosen->n; k++)
            if (p->home[chosen->point[k]] == own)
                rows[(ptrdiff_t)f * s->b->sample_volume.count + sample[k]] = r->root * x[i++];
    }
    return nf;
}

// Regions are made of whole bricks: these keep the volume of linear functions over each of them,
// and of parts of them they do not. Volumes and centers. `sum` is scratch.
static void measure_regions(const swStrainPoints *p, swReal *sum, int *joined) {
    const int nstuff = p->skin->s->b->material.count, nsite = p->skin->s->body->nsite;
    for (int k = 0; k < nsite; k++)
        joined[k] = k;
    for (int first = 0, end; first < p->n; first = end) {
        end = sw_correcting_brick_end(p, first);
        const int site = find_mover(p, first, end, sum, joined);
        for (int i = first; i < end; i++)
            p->home[i] = site;
    }
    for (int i = 0; i < p->n; i++) {
        const swVoxel *v = &p->b->grid->voxel[p->point[i].voxel];
        const swReal volume = p->volume[i];
        p->home[i] =
            p->bulk[v->stuff] > 0 ? sw_set_find(joined, p->home[i]) * nstuff + v->stuff : -1;
        if (p->home[i] < 0)
            continue;
        swVolumeRegion *r = &p->region[p->home[i]];
        r->stuff = v->stuff;
        r->volume += volume;
        r->stiffness += volume * sw_brick_share(v, p->stuff);
        r->center = sw_madd(r->center, volume, p->point[i].X);
    }
    for (swVolumeRegion *r = p->region; r < p->region + p->nregion; r++)
        if (r->volume > 0) {
            r->center = sw_scale(1 / r->volume, r->center);
            r->size = cbrt(r->volume);
        }
}

// Moments of the changes of volume by all motions. `change` is scratch.
static bool sum_changes(swStrainPoints *p, swReal *change, swError *error) {
    swSampling *s = p->skin->s;
    const int n = p->skin->nmotion + p->found->n;
    for (int first = 0, end; first < p->n; first = end) {
        int point[SW_FIELD_POINTS], count = 0;
        if (!sw_pool_goes_on(s->b->pool))
            return sw_fail_stopped(error);
        for (end = first; end < p->n && count < SW_FIELD_POINTS; end++)
            if (p->home[end] >= 0)
                point[count++] = end;
        if (count > 0)
            sw_correcting_strains(p, count, point);
        for (int i = 0; i < count; i++) {
            swVolumeRegion *r = &p->region[p->home[point[i]]];
            const swReal volume = p->volume[point[i]];
            swReal f[4];
            if (!r->D && !(r->D = SW_NEW(&s->arena, 4 * (size_t)n, swReal, error)))
                return false;
            functions_at(r, p->point[point[i]].X, f);
            changes_at(p, i, change);
            for (int m = 0; m < 4; m++) {
                for (int k = 0; k < 4; k++)
                    r->A[m][k] += volume * f[m] * f[k];
                for (int k = 0; k < n; k++)
                    r->D[m * n + k] += volume * f[m] * change[k];
            }
        }
    }
    return true;
}

// Functions of unit square over the region, rows of L^-1, and their moments in place of those of
// 1, x, y and z.
static bool find_functions(const swStrainPoints *p, swVolumeRegion *r, swError *error) {
    const int n = p->skin->nmotion + p->found->n;
    swReal L[4][4], *D = SW_NEW(&p->skin->s->arena, 4 * (size_t)n, swReal, error);
    int which[4];
    if (!D)
        return false;
    r->n = sw_cholesky_some(4, r->A[0], 1e-3 * r->volume, which, L[0]);
    r->root = sqrt(p->bulk[r->stuff] * r->stiffness / r->volume);
    for (int f = 0; f < r->n; f++)
        for (int j = 0; j < 4; j++) {
            r->W[f][j] = which[f] == j;
            for (int k = 0; k < f; k++)
                r->W[f][j] -= L[f][k] * r->W[k][j];
            r->W[f][j] /= L[f][f];
        }
    for (int f = 0; f < r->n; f++)
        for (int e = 0; e < 4 * n; e++)
            D[(ptrdiff_t)f * n + e % n] += r->W[f][e / n] * r->D[e];
    r->D = D;
    return true;
}

bool sw_correcting_regions(swStrainPoints *p, swError *error) {
    swSampling *s = p->skin->s;
    const int n = p->skin->nmotion + p->found->n;
    bool any = false;
    for (int i = 0; i < s->b->material.count; i++)
        any = any || p->bulk[i] > 0;
    if (!any)
        return true;
    p->nregion = s->body->nsite * s->b->material.count;
    p->region = SW_NEW(&s->arena, p->nregion, swVolumeRegion, error);
    p->home = SW_NEW(&s->arena, p->room, int, error);
    p->stiff = SW_NEW(&s->arena, (size_t)n * (size_t)n, swReal, error);
    swReal *change = SW_NEW(&s->arena, sw_max_int(n, s->body->nsite), swReal, error);
    int *joined = SW_NEW(&s->arena, s->body->nsite, int, error);
    if (!p->region || !p->home || !p->stiff || !change || !joined)
        return false;
    measure_regions(p, change, joined);
    if (!sum_changes(p, change, error))
        return false;
    for (swVolumeRegion *r = p->region; r < p->region + p->nregion; r++) {
        if (r->volume > 0 && !find_functions(p, r, error))
            return false;
        for (int f = 0; f < r->n; f++) {
            const swReal *D = r->D + (ptrdiff_t)f * n;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    p->stiff[(ptrdiff_t)i * n + j] += r->root * r->root * D[i] * D[j];
        }
    }
    return true;
}

bool sw_correcting_volumes(swStrainPoints *p, const swChosenPoints *chosen, const int *sample,
                           swError *error) {
    swSampling *s = p->skin->s;
    swBuilder *b = s->b;
    const size_t nsample = (size_t)b->sample_volume.count;
    swReal *rows = SW_NEW(&s->arena, 4 * nsample, swReal, error), left = 0;
    if (!rows)
        return false;
    for (const swVolumeRegion *r = p->region; r < p->region + p->nregion; r++) {
        memset(rows, 0, 4 * nsample * sizeof *rows);
        const int nf = r->n > 0 ? add_sums(p, r, chosen, sample, rows, &left, error) : 0;
        swReal *to =
            nf > 0 ? SW_EXTEND(&b->volume_weight, nf * (int)nsample, &b->arena, error) : NULL;
        if (nf < 0 || (nf > 0 && !to))
            return false;
        if (nf > 0)
            memcpy(to, rows, (size_t)nf * nsample * sizeof *rows);
        b->size.nvolume += nf;
    }
    if (b->size.nvolume > 0)
        sw_info(b->config, "%s: %lld sums of volume, fitted to %.2g", s->body->key,
                (long long)b->size.nvolume, left);
    return true;
}
