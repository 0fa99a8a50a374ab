// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Samples: classes of voxels are cut into regions; in each the gradients d(w m)/dp are fitted by
// polynomials, and taken at the points of a rule that integrates the square of the fit exactly.
// What the fit leaves is sampled as well.
#include "compile/sampling.h"

#include "cubature/fit.h"
#include "math/principal.h"
#include "cubature/rule.h"
#include "kinematics/dual_blend.h"

#include <stdlib.h>
#include <string.h>

enum { REST_VOXELS = 128 };           // that stand for a region when residues are looked for
static const swReal LOCKED = 4;       // times too stiff: worth a word
static const swReal MAX_FACTOR = 1.5; // by which residues are blown up at most

typedef struct {
    swReader reader;
    swReal *mean;  // [function of the fit][column][3]: of phi G over the region
    swReal *share; // the same of phi N: [function][column], for dual quaternions
    swReal *rest;  // [voxel][column][3]: what the fit leaves
    swReal *residue, *score;
    swReal pattern[SW_PATTERNS][SW_RULE_POINTS];
    swReal *scale; // per column
    swReal *value; // one sample: [4][column], gradients and weights
    swRuleWork *rule;
} swSampleWorker;

typedef struct {
    swSampling *s;
    int degree; // of the rules
    bool every; // voxel is a point, or every cube of `edge` of them in a region
    int edge;
    int *cube; // with `every`: where the voxels of each point begin in r.voxel, and in the end
               // theirs
    swRegions r;
    swRule *rule;        // per region
    bool relaxed;        // regions become cells
    swDirections *found; // per region, where they do
    swPlaced *placed;    // per region
    swSampleWorker *worker;
} swSampleJob;

// Doubles per block of samples in gamma.
static int gamma_block(const swSampling *s, int ncolumn) {
    return s->dual ? sw_dual_block(ncolumn) : 3 * ncolumn * SW_LANES;
}

// A group with room for `count` samples.
static bool add_group(swSampling *s, const swClass *c, int count, swError *error) {
    swBuilder *b = s->b;
    const int nblock = (count + SW_LANES - 1) / SW_LANES;
    if ((int64_t)nblock * gamma_block(s, c->ncolumn) > INT32_MAX / 4)
        return sw_fail(
            error, SW_ERROR_LIMIT,
            "%s: %d integration points with %d columns each are too many: ask for fewer points",
            s->body->key, count, c->ncolumn);
    swGroup g = {.body = s->body->index,
                 .material = c->material,
                 .node = b->group_node.count,
                 .nnode = c->nsite,
                 .ncolumn = c->ncolumn,
                 .nfree = c->nfree,
                 .blend = s->dual ? SW_BLEND_DUAL_QUATERNION : SW_BLEND_LINEAR,
                 .sample = b->sample_volume.count,
                 .nblock = nblock,
                 .gamma = b->gamma.count,
                 .plastic = -1,
                 .stretch = -1,
                 .amplitudes = -1};
    if (b->material.item[c->material].yield > 0) {
        g.plastic = b->size.nplastic;
        b->size.nplastic += (int64_t)nblock * SW_PLASTIC * SW_LANES;
    }
    int *node = SW_EXTEND(&b->group_node, c->nsite, &b->arena, error);
    swGroup *group = node ? SW_EXTEND(&b->group, 1, &b->arena, error) : NULL;
    if (!group || !SW_EXTEND(&b->sample_volume, nblock * SW_LANES, &b->arena, error) ||
        !SW_EXTEND(&b->sample_weight, nblock * SW_LANES, &b->arena, error) ||
        !SW_EXTEND(&b->sample_point, nblock * SW_LANES, &b->arena, error) ||
        !SW_EXTEND(&b->gamma, nblock * gamma_block(s, c->ncolumn), &b->arena, error))
        return false;
    for (int i = 0; i < c->nsite; i++)
        node[i] = s->body->first_node + s->sites.item[c->first + i];
    *group = g;
    b->size.max_columns = sw_max_int((int)b->size.max_columns, c->ncolumn);
    return true;
}

// A group for each class that has regions, and the place of each region's samples in it.
static bool add_groups(swSampleJob *job, swError *error) {
    swSampling *s = job->s;
    for (int first = 0, end; first < job->r.count; first = end) {
        const swClass *c = sw_class_of(s, job->r.voxel[job->r.start[first]]);
        int count = 0;
        for (end = first;
             end < job->r.count && sw_class_of(s, job->r.voxel[job->r.start[end]]) == c; end++) {
            job->placed[end] = (swPlaced){s->b->group.count, count, job->rule[end].n};
            count += job->rule[end].n;
            if (job->relaxed) // cells are made of whole blocks
                count = (count + SW_LANES - 1) / SW_LANES * SW_LANES;
        }
        if (!add_group(s, c, count, error))
            return false;
    }
    return true;
}

// Sample i of a group from value[4][ncolumn]. Dual quaternions want weights first.
static void set_sample(const swSampling *s, const swGroup *g, int i, const swReal *value,
                       swReal volume, swReal weight, swVec3 at) {
    const int n = g->ncolumn;
    swReal *gamma =
        s->b->gamma.item + g->gamma + (int64_t)(i / SW_LANES) * gamma_block(s, n) + i % SW_LANES;
    for (int k = 0; k < 3 * n; k++)
        gamma[(s->dual ? n + k : k) * SW_LANES] = value[k];
    for (int k = 0; k < n && s->dual; k++)
        gamma[k * SW_LANES] = value[3 * n + k];
    s->b->sample_volume.item[g->sample + i] = volume;
    s->b->sample_weight.item[g->sample + i] = weight;
    s->b->sample_point.item[g->sample + i] = at;
}

// Padding repeats the last sample of a region, or of a group, with no volume.
static void pad(const swSampling *s, const swGroup *g, int last) {
    const int rows = s->dual ? 4 : 3;
    swReal *from = s->b->gamma.item + g->gamma +
                   (int64_t)(last / SW_LANES) * gamma_block(s, g->ncolumn) + last % SW_LANES;
    for (int i = last + 1; i % SW_LANES != 0; i++) {
        for (int a = 0; a < rows * g->ncolumn; a++)
            from[a * SW_LANES + i - last] = from[a * SW_LANES];
        s->b->sample_point.item[g->sample + i] = s->b->sample_point.item[g->sample + last];
    }
}

static void pad_groups(const swSampleJob *job) {
    for (int i = 0; i < job->r.count; i++) {
        const swPlaced *p = &job->placed[i];
        if (job->relaxed || i + 1 == job->r.count || p[1].group != p->group)
            pad(job->s, &job->s->b->group.item[p->group], p->sample + p->n - 1);
    }
}

// What makes squares of different columns comparable: motions that displace alike over the distance
// between frames.
static void set_scale(const swSampling *s, swSampleWorker *w, const swClass *c) {
    const swReal length = cbrt(s->body->grid.volume / s->body->nsite);
    swReal *scale = w->scale;
    for (int k = 0; k < c->nsite; k++) {
        const int width = sw_node_columns(sw_site_node(s, s->sites.item[c->first + k]));
        for (int a = 0; a < width; a++)
            *scale++ = a == 0 ? length * length : a < 4 ? 1 : 1 / (length * length);
    }
}

static swReal size_of(const swSampleWorker *w, int ncolumn, const swReal *G) {
    swReal sum = 0;
    for (int a = 0; a < ncolumn; a++, G += 3)
        sum += w->scale[a] * (G[0] * G[0] + G[1] * G[1] + G[2] * G[2]);
    return sum;
}

// Adds to the means of phi G what changes inside a voxel, to first order; returns the square of
// that.
static swReal add_inside(const swSampling *s, swSampleWorker *w, const swClass *c, int voxel, int i,
                         swReal part, const swFit *fit) {
    const swVoxel *v = &s->body->grid.voxel[voxel];
    const int nc = c->ncolumn;
    swReal phi[SW_FIT_SIZE], slope[SW_FIT_SIZE][3], square = 0;
    sw_reader_slopes(s, &w->reader, c, voxel, i);
    sw_fit_values(fit, v->centroid, phi, slope);
    for (int x = 0; x < 3; x++)
        for (int a = 0; a < nc; a++) {
            const swReal *d = w->reader.slope[a][x], second = sw_get(v->second, x);
            square += second * w->scale[a] * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            for (int k = 0; k < fit->n; k++)
                for (int e = 0; e < 3; e++)
                    w->mean[3 * (nc * k + a) + e] += part * second * slope[k][x] * d[e];
        }
    return square;
}

// Whether the voxels of a region lie in one layer: then what varies across it, does so inside them.
static bool is_thin(const swGrid *g, int n, const int *voxel) {
    swVec3 lo = g->voxel[voxel[0]].centroid, hi = lo;
    for (int i = 1; i < n; i++) {
        lo = sw_min3(lo, g->voxel[voxel[i]].centroid);
        hi = sw_max3(hi, g->voxel[voxel[i]].centroid);
    }
    const swVec3 size = sw_sub(hi, lo);
    return sw_min(size.x, sw_min(size.y, size.z)) < 0.5 * g->h;
}

// Means over the region: of phi G (with what changes inside voxels where these are `thin`), of phi
// N with that, and of G^2.
static swReal fit_region(const swSampling *s, swSampleWorker *w, const swClass *c, int n,
                         const int *voxel, const swFit *fit, const swFit *inner, bool thin) {
    const int nc = c->ncolumn;
    swReal total = 0, square = 0, phi[SW_FIT_SIZE], slope[SW_FIT_SIZE][3];
    memset(w->mean, 0, 3 * (size_t)nc * (size_t)fit->n * sizeof *w->mean);
    memset(w->share, 0, (size_t)nc * (size_t)fit->n * sizeof *w->share);
    for (int i = 0; i < n; i++)
        total += s->measure[voxel[i]];
    for (int i = 0; i < n; i++) {
        const swVoxel *v = &s->body->grid.voxel[voxel[i]];
        const swReal part = s->measure[voxel[i]] / total, *G = w->reader.G[0];
        if (i % SW_BATCH == 0)
            sw_reader_read(s, &w->reader, sw_min_int(SW_BATCH, n - i), voxel + i);
        sw_reader_columns(s, &w->reader, c, voxel[i], i % SW_BATCH, false);
        sw_fit_values(fit, v->centroid, phi, NULL);
        for (int k = 0; k < fit->n; k++) {
            const swReal f = part * phi[k];
            swReal *mean = w->mean + 3 * nc * k;
            for (int a = 0; a < 3 * nc; a++)
                mean[a] += f * G[a];
        }
        square += part * size_of(w, nc, G);
        if (thin)
            square += part * add_inside(s, w, c, voxel[i], i % SW_BATCH, part, fit);
        if (!s->dual)
            continue;
        sw_fit_values(inner, v->centroid, phi, slope);
        for (int k = 0; k < fit->n; k++)
            for (int a = 0; a < nc; a++)
                w->share[k * nc + a] +=
                    part * (phi[k] * w->reader.N[a] + v->second.x * slope[k][0] * G[3 * a] +
                            v->second.y * slope[k][1] * G[3 * a + 1] +
                            v->second.z * slope[k][2] * G[3 * a + 2]);
    }
    return square;
}

// What the fit leaves of the gradients in some voxels of the region, scaled: w->rest. Returns how
// many voxels.
static int gather_rest(const swSampling *s, swSampleWorker *w, const swClass *c, int n,
                       const int *voxel, const swFit *fit) {
    const int nc = c->ncolumn, count = sw_min_int(n, REST_VOXELS);
    swReal total = 0, phi[SW_FIT_SIZE];
    for (int i = 0; i < count; i++) {
        const int v = voxel[sw_spread_index(i, count, n)];
        const swReal *G = w->reader.G[0];
        swReal *rest = w->rest + 3 * nc * i;
        sw_reader_read(s, &w->reader, 1, &v);
        sw_reader_columns(s, &w->reader, c, v, 0, false);
        sw_fit_values(fit, s->body->grid.voxel[v].centroid, phi, NULL);
        for (int a = 0; a < 3 * nc; a++) {
            swReal left = G[a];
            for (int k = 0; k < fit->n; k++)
                left -= phi[k] * w->mean[3 * nc * k + a];
            rest[a] = sqrt(s->measure[v] * w->scale[a / 3]) * left;
        }
        total += s->measure[v];
    }
    for (int a = 0; a < 3 * nc * count; a++)
        w->rest[a] /= sqrt(total);
    return count;
}

// What the fit leaves, as residues that the samples carry beside it: sample i has the sum of
// pattern[k][i] residue[k]. Patterns say nothing to the functions of the fit, so a fit to the
// samples is the region's own; residues have in the mean the square that the fit leaves over the
// region, so that energy it cannot see is not lost. `square` is that of the gradients. Returns how
// many.
static int find_residues(const swSampling *s, swSampleWorker *w, const swClass *c, int n,
                         const int *voxel, const swFit *fit, const swRule *rule, swReal square,
                         swReal soft) {
    const int nc = c->ncolumn;
    swReal left = square, there = 0;
    for (int k = 0; k < fit->n; k++)
        left -= size_of(w, nc, w->mean + 3 * nc * k);
    if (!(left > 1e-12 * square)) // rounding
        return 0;
    const int patterns = sw_rule_patterns(rule, fit, w->pattern);
    const int rows = gather_rest(s, w, c, n, voxel, fit);
    const int count = sw_principal_rows(rows, 3 * nc, w->rest, patterns, w->residue, w->score);
    for (int a = 0; a < 3 * nc * count; a++)
        there += w->residue[a] * w->residue[a];
    if (!(there > 1e-12 * square))
        return 0;
    for (int a = 0; a < 3 * nc * count; a++)
        w->residue[a] *= soft * sw_min(sqrt(left / there), MAX_FACTOR) / sqrt(w->scale[a / 3 % nc]);
    return count;
}

// A sample in every voxel of a region, or in the middle of several.
static void take_voxels(const swSampleJob *job, swSampleWorker *w, int region) {
    const swSampling *s = job->s;
    const swClass *c = sw_class_of(s, job->r.voxel[job->r.start[region]]);
    const int nc = c->ncolumn;
    const int *cube = job->cube + (job->rule[region].point - job->rule[0].point);
    for (int i = 0; i < job->rule[region].n; i++) {
        swReal weight = 0, volume = 0;
        swVec3 at = {0, 0, 0};
        for (int v = cube[i]; v < cube[i + 1]; v++)
            weight += s->measure[job->r.voxel[v]];
        memset(w->value, 0, 4 * (size_t)nc * sizeof *w->value);
        for (int v = cube[i]; v < cube[i + 1]; v++) {
            const int voxel = job->r.voxel[v];
            const swReal share = s->measure[voxel] / weight;
            sw_reader_read(s, &w->reader, 1, &voxel);
            sw_reader_columns(s, &w->reader, c, voxel, 0, false);
            for (int a = 0; a < 3 * nc; a++)
                w->value[a % 3 * nc + a / 3] += share * w->reader.G[a / 3][a % 3];
            for (int a = 0; a < nc; a++)
                w->value[3 * nc + a] += share * w->reader.N[a];
            at = sw_madd(at, share, s->body->grid.voxel[voxel].centroid);
            volume += s->body->grid.voxel[voxel].volume;
        }
        set_sample(s, &s->b->group.item[job->placed[region].group], job->placed[region].sample + i,
                   w->value, volume, weight, at);
    }
}

static void make_samples(const swSampleJob *job, swSampleWorker *w, int region) {
    const swSampling *s = job->s;
    const int *voxel = job->r.voxel + job->r.start[region],
              n = job->r.start[region + 1] - job->r.start[region];
    const swClass *c = sw_class_of(s, voxel[0]);
    const swRule *rule = &job->rule[region];
    const int nc = c->ncolumn, degree = rule->degree / 2;
    swReal volume = 0, weight = 0, phi[SW_FIT_SIZE];
    int nresidue = 0;
    swFit fit, inner = {0};
    for (int i = 0; i < n; i++) {
        volume += s->body->grid.voxel[voxel[i]].volume;
        weight += s->measure[voxel[i]];
    }
    const bool thin = !s->dual && degree > 0 && is_thin(&s->body->grid, n, voxel);
    sw_fit_create(&fit, degree, thin, &s->body->grid, n, voxel, s->measure);
    if (s->dual)
        sw_fit_create(&inner, degree, true, &s->body->grid, n, voxel, s->measure);
    set_scale(s, w, c);
    const swReal square = fit_region(s, w, c, n, voxel, &fit, &inner, thin);
    if (rule->n > 1)
        nresidue =
            find_residues(s, w, c, n, voxel, &fit, rule, square,
                          job->relaxed ? sw_sampling_softness(s, c, &job->found[region]) : 1);
    for (int i = 0; i < rule->n; i++) {
        sw_fit_values(&fit, rule->point[i], phi, NULL);
        for (int a = 0; a < 3 * nc; a++) {
            swReal sum = 0;
            for (int k = 0; k < fit.n; k++)
                sum += phi[k] * w->mean[3 * nc * k + a];
            for (int k = 0; k < nresidue; k++)
                sum += w->pattern[k][i] * w->residue[3 * nc * k + a];
            w->value[a % 3 * nc + a / 3] = sum;
        }
        if (s->dual)
            sw_fit_values(&inner, rule->point[i], phi, NULL);
        for (int a = 0; a < nc && s->dual; a++) {
            w->value[3 * nc + a] = 0;
            for (int k = 0; k < fit.n; k++)
                w->value[3 * nc + a] += phi[k] * w->share[k * nc + a];
        }
        set_sample(s, &s->b->group.item[job->placed[region].group], job->placed[region].sample + i,
                   w->value, rule->weight[i] * (volume / weight), rule->weight[i], rule->point[i]);
    }
}

static void sample_regions(int start, int end, int worker, void *arg) {
    const swSampleJob *job = arg;
    for (int i = start; i < end; i++)
        (job->every ? take_voxels : make_samples)(job, &job->worker[worker], i);
}

static void make_rules(int start, int end, int worker, void *arg) {
    const swSampleJob *job = arg;
    for (int i = start; i < end && !job->every; i++)
        sw_rule_create(&job->rule[i], job->degree, &job->s->body->grid,
                       job->r.start[i + 1] - job->r.start[i], job->r.voxel + job->r.start[i],
                       job->s->measure, job->worker[worker].rule);
}

// ---- regions ----

// What the cutting of regions looks at: gradients of weights, with which those of all columns vary
// linearly; those of all columns where a region has one point, which feels no slopes.
static int region_values(void *arg, int n, const int *voxel, swReal *out) {
    const swSampleJob *job = arg;
    const swSampling *s = job->s;
    swSampleWorker *w = &job->worker[0];
    const swClass *c = sw_class_of(s, voxel[0]);
    if (job->degree > 1)
        return sw_sampling_gradients(s, &w->reader, n, voxel, out);
    set_scale(s, w, c);
    for (int i = 0; i < n; i++) {
        if (i % SW_BATCH == 0)
            sw_reader_read(s, &w->reader, sw_min_int(SW_BATCH, n - i), voxel + i);
        sw_reader_columns(s, &w->reader, c, voxel[i], i % SW_BATCH, false);
        for (int a = 0; a < 3 * c->ncolumn; a++)
            *out++ = sqrt(s->b->material.item[c->material].young * w->scale[a / 3]) *
                     w->reader.G[a / 3][a % 3];
    }
    return 3 * c->ncolumn;
}

// Regions of the classes that deform.
static bool cut_regions(swSampleJob *job, int count, swError *error) {
    swSampling *s = job->s;
    const swGrid *g = &s->body->grid;
    int *kind = SW_NEW(&s->arena, g->nvoxel, int, error);
    for (int v = 0; kind && v < g->nvoxel; v++) {
        const int into = s->classes.item[s->kind[v]].into;
        kind[v] = s->classes.item[into].elastic ? into : -1;
    }
    const swRegionsDef def = {.grid = g,
                              .kind = kind,
                              .nkind = s->classes.count,
                              .measure = s->measure,
                              .count = count,
                              .values = region_values,
                              .arg = job,
                              .max_values = 3 * (job->degree > 1 ? s->body->nsite : s->ncolumn),
                              .degree = job->degree / 2,
                              .sections = job->relaxed,
                              .pool = s->b->pool};
    return kind && sw_regions_create(&def, &s->arena, &job->r, error);
}

static void note_regions(const swSampleJob *job) {
    const swBodyBuild *body = job->s->body;
    for (int v = 0; body->region && v < body->grid.nvoxel; v++)
        body->region[v] = -1;
    for (int i = 0; body->region && i < job->r.count; i++)
        for (int k = job->r.start[i]; k < job->r.start[i + 1]; k++)
            body->region[job->r.voxel[k]] = i;
}

// ---- all together ----

static bool prepare_workers(swSampleJob *job, swError *error) {
    swSampling *s = job->s;
    swArena *a = &s->arena;
    const size_t c = (size_t)s->ncolumn, n = (size_t)sw_poly_size(job->degree / 2);
    const int workers = sw_pool_size(s->b->pool);
    if (!(job->worker = SW_NEW(a, workers, swSampleWorker, error)))
        return false;
    for (int i = 0; i < workers; i++) {
        swSampleWorker *w = &job->worker[i];
        w->mean = SW_NEW(a, 3 * c * n, swReal, error);
        w->share = SW_NEW(a, c * n, swReal, error);
        w->value = SW_NEW(a, 4 * c, swReal, error);
        w->scale = SW_NEW(a, c, swReal, error);
        w->rest = SW_NEW(a, 3 * c * REST_VOXELS, swReal, error);
        w->residue = SW_NEW(a, 3 * c * SW_PRINCIPAL, swReal, error);
        w->score = SW_NEW(a, SW_PRINCIPAL * REST_VOXELS, swReal, error);
        w->rule = sw_rule_work(job->degree, a, error);
        if (!w->mean || !w->share || !w->value || !w->scale || !w->rest || !w->residue ||
            !w->score || !w->rule || !sw_reader_create(s, &w->reader, a, error))
            return false;
    }
    return true;
}

// Voxels of a region sorted by the cube they lie in.
typedef struct {
    int64_t cube;
    int voxel;
} swCubed;

static int compare_cubes(const void *a, const void *b) {
    const swCubed *x = a, *y = b;
    return x->cube != y->cube ? (x->cube < y->cube ? -1 : 1) : x->voxel - y->voxel;
}

// Points of all regions are cubes of voxels.
static bool find_cubes(swSampleJob *job, swError *error) {
    swArena *a = &job->s->arena;
    const swGrid *g = &job->s->body->grid;
    const int all = job->r.start[job->r.count];
    swCubed *list = SW_NEW(a, all, swCubed, error);
    job->cube = SW_NEW(a, all + 1, int, error);
    if (!list || !job->cube)
        return false;
    int n = 0;
    for (int i = 0; i < job->r.count; i++) {
        const int first = job->r.start[i], end = job->r.start[i + 1];
        for (int v = first; v < end; v++) {
            const int voxel = job->r.voxel[v], cell = g->voxel[voxel].cell, e = job->edge,
                      x = cell % g->n[0] / e, y = cell / g->n[0] % g->n[1] / e,
                      z = cell / g->n[0] / g->n[1] / e;
            list[v] =
                (swCubed){e > 1 ? x + (int64_t)g->n[0] * (y + (int64_t)g->n[1] * z) : v, voxel};
        }
        qsort(list + first, (size_t)(end - first), sizeof *list, compare_cubes);
        const int before = n;
        for (int v = first; v < end; v++) {
            job->r.voxel[v] = list[v].voxel;
            if (v == first || list[v].cube != list[v - 1].cube)
                job->cube[n++] = v;
        }
        job->rule[i].n = n - before;
    }
    job->cube[n] = all;
    return true;
}

static bool prepare_rules(swSampleJob *job, swError *error) {
    swArena *a = &job->s->arena;
    const int size = job->every ? 0 : sw_rule_size(job->degree);
    const size_t n = (size_t)job->r.count,
                 all = job->every ? (size_t)job->r.start[n] : n * (size_t)size;
    swVec3 *point = SW_NEW(a, all, swVec3, error);
    swReal *weight = SW_NEW(a, all, swReal, error);
    job->rule = SW_NEW(a, n, swRule, error);
    job->placed = SW_NEW(a, n, swPlaced, error);
    if (!point || !weight || !job->rule || !job->placed || (job->every && !find_cubes(job, error)))
        return false;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        job->rule[i] = (swRule){
            .point = point + at, .weight = weight + at, .degree = job->degree, .n = job->rule[i].n};
        at += (size_t)(job->every ? job->rule[i].n : size);
    }
    return true;
}

// With every node at its place each sample must be at rest: weights that do not reproduce positions
// strain point frames.
static bool check_rest(const swSampling *s, int first_group, swError *error) {
    const swBuilder *b = s->b;
    if (s->dual) // rigid frames at rest blend to a rigid motion, whatever the weights
        return true;
    for (int i = first_group; i < b->group.count; i++) {
        const swGroup *g = &b->group.item[i];
        for (int k = 0; k < g->nblock * SW_LANES; k++) {
            const swReal *gamma = b->gamma.item + g->gamma +
                                  (int64_t)(k / SW_LANES) * 3 * g->ncolumn * SW_LANES +
                                  k % SW_LANES;
            swReal F[9] = {-1, 0, 0, 0, -1, 0, 0, 0, -1},
                   worst = 0; // F - I, of the nodes' own rest
            int column = 0;
            for (int n = g->node; n < g->node + g->nnode; n++) {
                const swNode *node = &b->node.item[b->group_node.item[n]];
                for (int a = 0; a < node->width && a < 4; a++)
                    for (int r = 0; r < 3; r++)
                        for (int d = 0; d < 3; d++)
                            F[3 * r + d] += (a == 0 ? sw_get(node->origin, r) : a == r + 1) *
                                            gamma[(d * g->ncolumn + column + a) * SW_LANES];
                column += node->width;
            }
            for (int r = 0; r < 9; r++)
                worst = sw_max(worst, fabs(F[r]));
            if (!(worst < 1e-6))
                return sw_fail(error, SW_ERROR_VALUE,
                               "%s.frames: the body is strained by %.2g at rest, near (%.4g, %.4g, "
                               "%.4g): point frames need "
                               "weights that reproduce positions; use affine or rigid ones",
                               s->body->key, worst, b->sample_point.item[g->sample + k].x,
                               b->sample_point.item[g->sample + k].y,
                               b->sample_point.item[g->sample + k].z);
        }
    }
    return true;
}

// Sections that cannot breathe bend with lambda + 2 mu instead of Young's modulus.
static void report_locking(const swSampleJob *job) {
    const swSampling *s = job->s;
    swReal worst = 0;
    for (int i = 0; i < s->classes.count; i++) {
        const swMaterialInfo *m = &s->b->material.item[s->classes.item[i].material];
        if (s->classes.item[i].elastic)
            worst = sw_max(worst, (m->lame[1] + 2 * m->lame[0]) / m->young);
    }
    const bool quadratic = s->body->def->frames.kind == SW_NODE_QUADRATIC;
    if (worst > LOCKED && (!job->relaxed || quadratic))
        sw_warn(s->b->config,
                "%s: nearly incompressible material may bend up to %.0f times too stiffly%s",
                s->body->key, worst,
                quadratic ? " with quadratic frames; use affine ones"
                          : " without relaxation (integration.relax)");
}

static void report(const swSampleJob *job, int asked) {
    const swSampling *s = job->s;
    int points = 0, weaker = 0, ndof = 0, felt = 0; // points that differ for linear strains
    for (int i = 0; i < job->r.count; i++) {
        points += job->rule[i].n;
        weaker += job->rule[i].degree < job->degree;
        felt += sw_min_int(job->rule[i].n, sw_poly_size(job->rule[i].degree / 2));
    }
    for (int i = 0; i < s->body->nsite; i++)
        ndof += sw_site_node(s, i)->ndof;
    if (!job->every && points > asked)
        sw_info(s->b->config,
                "%s: %d integration points instead of %d: %d for each material and stiffness at "
                "least",
                s->body->key, points, asked, sw_rule_size(job->degree));
    if (weaker)
        sw_info(s->b->config,
                "%s: %d of %d regions have integration points of degree 2 instead of %d: none of "
                "that degree were found",
                s->body->key, weaker, job->r.count, job->degree);
    if (job->r.count > 0 && 6 * (job->every ? points : felt) < ndof - 6)
        sw_warn(s->b->config,
                "%s: %d integration points feel %d strains, but the frames have %d degrees of "
                "freedom: some motions cost no energy; ask for more points",
                s->body->key, points, 6 * (job->every ? points : felt), ndof);
}

// As many as put `enough` into the ball that an inserted frame moves: at a corner there is an
// eighth of it.
static swReal adapt_points(const swBodyBuild *body) {
    enum { enough = 400, most = 20000 };
    const swReal r = sw_build_range(body), ball = 4.0 / 3 * 3.14159265358979 * r * r * r;
    return sw_min(sw_max(enough * body->grid.volume / ball, enough), most);
}

// What kind of rules, and how many regions.
static int plan(swSampleJob *job, int *points) {
    const swSampling *s = job->s;
    const swIntegration *d = &s->body->def->integration;
    *points = d->points;
    for (int i = 0; i < s->body->nsite && d->points == 0; i++)
        *points += sw_site_node(s, i)->kind == SW_NODE_QUADRATIC ? 120 : 30;
    job->every = d->every_voxel;
    job->edge = 1;
    if (d->points == 0 && d->degree == 0 && !job->every && s->body->def->frames.adapt.budget > 0) {
        // Frames that come later ask for points everywhere, not only where the present ones differ.
        job->every = true;
        job->edge = sw_max_int(1, (int)lround(cbrt(s->body->grid.nvoxel / adapt_points(s->body))));
    }
    job->degree = d->degree > 0 && !job->every ? d->degree : 2;
    if (d->degree == 0 && !job->every && d->points > 0) {
        int nclass = 0; // points that were asked for may be too few to feel more than means
        for (int i = 0; i < s->nfound; i++)
            nclass += s->classes.item[i].elastic;
        const int least = sw_max_int(sw_sampling_stuffs(s), sw_min_int(nclass, s->body->nsite));
        job->degree = d->points < 8 * least ? 1 : 2;
    }
    job->relaxed = d->relax && job->degree > 1;
    return sw_max_int(1, *points / sw_rule_size(job->degree));
}

// All of a material is one region.
static bool note_materials(swSampling *s, swError *error) {
    const swBodyBuild *body = s->body;
    if (!body->region)
        return true;
    int *region = SW_NEW(&s->arena, s->b->material.count, int, error), count = 0;
    for (int v = 0; region && v < body->grid.nvoxel; v++) {
        int *own = &region[body->grid.voxel[v].stuff]; // from 1 on
        if (sw_class_of(s, v)->elastic && *own == 0)
            *own = ++count;
        body->region[v] = sw_class_of(s, v)->elastic ? *own - 1 : -1;
    }
    return region != NULL;
}

static bool build_corrected(swSampling *s, swError *error) {
    swError own = {0};
    const bool bulk = !s->dual || (sw_sampling_merge(s, 4 * s->body->nsite, &own) >= 0 &&
                                   sw_sampling_bulk(s, &own));
    if (bulk && note_materials(s, &own) && sw_sampling_mass(s, &own) &&
        sw_sampling_correct(s, &own))
        return true;
    sw_build_relax_instead(s->b, s->body, &own);
    if (error)
        *error = own;
    return false;
}

static bool build(swSampling *s, swError *error) {
    swSampleJob job = {.s = s};
    const int first_group = s->b->group.count;
    int points;
    if (!sw_sampling_classify(s, error))
        return false;
    if (!sw_build_check_strains(s->b, s->body, error))
        return false;
    if (sw_sampling_corrected(s))
        return build_corrected(s, error);
    const int count = plan(&job, &points);
    if (!job.every && sw_sampling_merge(s, count, error) < 0)
        return false;
    if ((s->dual && !sw_sampling_bulk(s, error)) || !sw_sampling_mass(s, error) ||
        !prepare_workers(&job, error) || !cut_regions(&job, count, error) ||
        !prepare_rules(&job, error))
        return false;
    note_regions(&job);
    if (job.relaxed &&
        !(job.found = sw_sampling_directions(s, &job.worker[0].reader, &job.r, error)))
        return false;
    const int grain = 1 + job.r.count / 1000;
    if (!sw_parallel_try(s->b->pool, job.r.count, grain, make_rules, &job))
        return sw_fail_stopped(error);
    if (!add_groups(&job, error))
        return false;
    if (!sw_parallel_try(s->b->pool, job.r.count, grain, sample_regions, &job))
        return sw_fail_stopped(error);
    pad_groups(&job);
    if (job.relaxed && !sw_sampling_zones(s, &job.r, job.placed, job.found, error))
        return false;
    report(&job, points);
    report_locking(&job);
    return check_rest(s, first_group, error);
}

bool sw_build_samples(swBuilder *b, swBodyBuild *body, swError *error) {
    swSampling s = {
        .b = b, .body = body, .dual = body->def->frames.blend == SW_BLEND_DUAL_QUATERNION};
    sw_arena_init(&s.arena, &b->config->allocator);
    for (int i = 0; i < body->nsite; i++)
        s.ncolumn += sw_node_columns(sw_site_node(&s, i));
    const bool ok = build(&s, error);
    sw_arena_free(&s.arena);
    return ok;
}
