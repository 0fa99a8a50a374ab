// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The volume of regions, instead of that of every sample: potentials/volumes.h.
#include "compile/correcting.h"

#include "math/cholesky.h"

#include <string.h>

bool sw_build_split(swBuilder *b, int material, int *law, swReal *bulk, swError *error) {
    static const swReal soft = 0.3; // Poisson's ratio of what is left to points
    const swReal mu = b->material.item[material].lame[0],
                 lambda = b->material.item[material].lame[1];
    const swMaterial *def = b->scene->materials;
    for (int i = 0; i < material && def->next; i++)
        def = def->next;
    *law = material;
    *bulk = 0;
    if (!sw_splits_volume(mu, lambda))
        return true;
    swMaterial softer = *def;
    softer.poisson = soft;
    softer.young = 2 * mu * (1 + soft);
    if (!sw_build_material(b, &softer, error))
        return false;
    const swMaterialInfo *made = &b->material.item[b->material.count - 1];
    if (fabs(made->lame[0] - mu) > 1e-9 * mu || !(made->lame[1] < lambda)) {
        b->material.count--; // its constants are not these
        return true;
    }
    *law = b->material.count - 1;
    *bulk = lambda - made->lame[1];
    return true;
}

bool sw_correcting_split(swStrainPoints *p, swError *error) {
    swSampling *s = p->skin->s;
    swBuilder *b = s->b;
    const int n = b->material.count;
    p->law = SW_NEW(&s->arena, n, int, error);
    p->bulk = SW_NEW(&s->arena, 2 * (size_t)n, swReal, error); // laws that come lack nothing
    for (int i = 0; p->law && p->bulk && i < n; i++)
        if (!sw_build_split(b, i, &p->law[i], &p->bulk[i], error))
            return false;
    return p->law && p->bulk;
}

// The volume of one material that one frame moves most.
typedef struct {
    int stuff;
    swReal volume, stiffness;
    swVec3 center;
    swReal size;
    swReal A[4][4];
    swReal *D; // [4][motions]: moments of their changes of volume
} swVolumeRegion;

// The frame that moves a point most, of those that are free.
static int main_site(const swStrainPoints *p) {
    const swSampling *s = p->skin->s;
    int best = -1;
    for (int i = 0; i < s->body->nsite; i++)
        if (sw_site_node(s, i)->ndof > 0 &&
            (best < 0 || p->N[p->skin->column[i]] > p->N[p->skin->column[best]]))
            best = i;
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

static swVolumeRegion *region_of(swVolumeRegion *list, const swStrainPoints *p, int point) {
    const int stuff = p->b->grid->voxel[p->point[point].voxel].stuff;
    swVolumeRegion *r = &list[main_site(p) * p->skin->s->b->material.count + stuff];
    r->stuff = stuff;
    return p->bulk[stuff] > 0 ? r : NULL;
}

// Weights of points of a region, x, so that sums of T x are D: near those of the rule, which x has
// at first.
static bool fit_weights(int n, int rows, const swReal *T, const swReal *D, const swReal *scale,
                        swReal *x, swArena *arena, swError *error) {
    const int stride = sw_cholesky_stride(n);
    swReal *K = SW_NEW(arena, (size_t)n * (size_t)stride, swReal, error),
           *r = SW_NEW(arena, rows, swReal, error), *step = SW_NEW(arena, n, swReal, error);
    if (!K || !r || !step)
        return false;
    swReal trace = 0;
    for (int row = 0; row < rows; row++) {
        const swReal *t = T + (ptrdiff_t)row * n;
        r[row] = D[row];
        for (int i = 0; i < n; i++)
            r[row] -= t[i] * x[i];
        for (int i = 0; i < n; i++) {
            step[i] += t[i] * scale[i] * r[row];
            for (int j = 0; j <= i; j++)
                K[(ptrdiff_t)i * stride + j] += t[i] * scale[i] * t[j] * scale[j];
        }
    }
    for (int i = 0; i < n; i++)
        trace += K[(ptrdiff_t)i * stride + i];
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
                    const int *sample, const int *region, int own, swReal *rows, swReal *left,
                    swError *error) {
    swSampling *s = p->skin->s;
    const int nm = chosen->nmotion, n = p->skin->nmotion + p->found->n;
    int count = 0;
    for (int k = 0; k < chosen->n; k++)
        count += region[k] == own;
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
        if (region[k] != own)
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
    // Functions of unit square over the region: rows of L^-1.
    swReal L[4][4], W[4][4] = {{0}};
    int which[4];
    const int nf = sw_min_int(count, sw_cholesky_some(4, r->A[0], 1e-3 * r->volume, which, L[0]));
    for (int f = 0; f < nf; f++)
        for (int j = 0; j < 4; j++) {
            W[f][j] = which[f] == j;
            for (int k = 0; k < f; k++)
                W[f][j] -= L[f][k] * W[k][j];
            W[f][j] /= L[f][f];
        }
    const swReal root = sqrt(p->bulk[r->stuff] * r->stiffness / r->volume);
    for (int f = 0; f < nf; f++) {
        swReal square = 0, off = 0;
        memset(D, 0, (size_t)nm * sizeof *D);
        for (int row = 0; row < nm; row++)
            for (int j = 0; j < 4; j++)
                D[row] += W[f][j] *
                          sw_dot_n(n, r->D + (ptrdiff_t)j * n, chosen->motion + (ptrdiff_t)row * n);
        for (int i = 0; i < count; i++) {
            swReal value[4];
            functions_at(r, X[i], value);
            x[i] = scale[i] * (W[f][0] * value[0] + W[f][1] * value[1] + W[f][2] * value[2] +
                               W[f][3] * value[3]);
        }
        if (!fit_weights(count, nm, T, D, scale, x, &s->arena, error))
            return -1;
        for (int row = 0; row < nm; row++) {
            const swReal rest = D[row] - sw_dot_n(count, T + (ptrdiff_t)row * count, x);
            square += D[row] * D[row];
            off += rest * rest;
        }
        *left = sw_max(*left, sqrt(off / sw_max(square, 1e-300)));
        for (int k = 0, i = 0; k < chosen->n; k++)
            if (region[k] == own)
                rows[(ptrdiff_t)f * s->b->sample_volume.count + sample[k]] = root * x[i++];
    }
    return nf;
}

// Volumes and centers of all regions; at[point] is that of each, or -1.
static void measure_regions(const swStrainPoints *p, swVolumeRegion *list, int nregion, int *at) {
    for (int i = 0; i < p->n; i++) {
        sw_correcting_skin(p, i);
        swVolumeRegion *r = region_of(list, p, i);
        const swReal volume = p->volume[i];
        at[i] = r ? (int)(r - list) : -1;
        if (!r)
            continue;
        r->volume += volume;
        r->stiffness += volume * sw_brick_share(&p->b->grid->voxel[p->point[i].voxel], p->stuff);
        r->center = sw_madd(r->center, volume, p->point[i].X);
    }
    for (int i = 0; i < nregion; i++)
        if (list[i].volume > 0) {
            list[i].center = sw_scale(1 / list[i].volume, list[i].center);
            list[i].size = cbrt(list[i].volume);
        }
}

// Moments of the changes of volume by all motions. `change` is scratch.
static bool sum_changes(swStrainPoints *p, swVolumeRegion *list, const int *at, swReal *change,
                        swError *error) {
    swSampling *s = p->skin->s;
    const int n = p->skin->nmotion + p->found->n;
    for (int first = 0, end; first < p->n; first = end) {
        int point[SW_FIELD_POINTS], count = 0;
        if (!sw_pool_goes_on(s->b->pool))
            return sw_fail_stopped(error);
        for (end = first; end < p->n && count < SW_FIELD_POINTS; end++)
            if (at[end] >= 0)
                point[count++] = end;
        if (count > 0)
            sw_correcting_strains(p, count, point);
        for (int i = 0; i < count; i++) {
            swVolumeRegion *r = &list[at[point[i]]];
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

bool sw_correcting_volumes(swStrainPoints *p, const swChosenPoints *chosen, const int *sample,
                           swError *error) {
    swSampling *s = p->skin->s;
    swBuilder *b = s->b;
    const int nregion = s->body->nsite * b->material.count, n = p->skin->nmotion + p->found->n;
    bool any = false;
    for (int i = 0; i < b->material.count; i++)
        any = any || p->bulk[i] > 0;
    if (!any)
        return true;
    swVolumeRegion *list = SW_NEW(&s->arena, nregion, swVolumeRegion, error);
    int *region = SW_NEW(&s->arena, chosen->n, int, error),
        *at = SW_NEW(&s->arena, p->n, int, error);
    swReal *change = SW_NEW(&s->arena, n, swReal, error);
    if (!list || !region || !at || !change)
        return false;
    measure_regions(p, list, nregion, at);
    if (!sum_changes(p, list, at, change, error))
        return false;
    for (int k = 0; k < chosen->n; k++)
        region[k] = at[chosen->point[k]];
    swReal left = 0;
    swReal *rows = SW_NEW(&s->arena, 4 * (size_t)b->sample_volume.count, swReal, error);
    if (!rows)
        return false;
    for (int i = 0; i < nregion; i++) {
        if (!(list[i].volume > 0))
            continue;
        memset(rows, 0, 4 * (size_t)b->sample_volume.count * sizeof *rows);
        const int nf = add_sums(p, &list[i], chosen, sample, region, i, rows, &left, error);
        swReal *to =
            nf < 0 ? NULL
                   : SW_EXTEND(&b->volume_weight, nf * b->sample_volume.count, &b->arena, error);
        if (nf > 0 && !to)
            return false;
        if (nf < 0)
            return false;
        if (nf > 0)
            memcpy(to, rows, (size_t)nf * (size_t)b->sample_volume.count * sizeof *rows);
        b->size.nvolume += nf;
    }
    if (b->size.nvolume > 0)
        sw_info(b->config, "%s: %lld sums of volume, fitted to %.2g", s->body->key,
                (long long)b->size.nvolume, left);
    return true;
}
