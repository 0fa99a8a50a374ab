// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/bump.h"

#include "volume/march.h"

#include <string.h>

enum { REACH = 2, LEAST_POINTS = 16 }; // cells beside the material; integration points inside

// While it is being made.
typedef struct {
    swBump *bump;
    swBedView view;
    swReal *phi; // per node of the lattice
    swError *error;
} swMaking;

void sw_bump_destroy(swBump *bump) {
    if (!bump)
        return;
    swArena arena = bump->arena; // which holds the bump itself
    sw_arena_free(&arena);
}

swReal sw_bump_at_node(const swBump *b, int node) {
    int lo = 0, hi = b->nnode;
    while (lo < hi) {
        const int middle = lo + (hi - lo) / 2;
        if (b->node[middle] < node)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < b->nnode && b->node[lo] == node ? b->value[lo] : 0;
}

void sw_bump_columns(const swBump *b, swVec3 p, const swReal phi[4], swReal N[4], swReal G[4][3]) {
    swReal m[4];
    sw_monomials(4, sw_sub(p, b->rest), m);
    for (int c = 0; c < 4; c++) {
        N[c] = phi[0] * m[c];
        for (int k = 0; k < 3; k++)
            G[c][k] = phi[1 + k] * m[c] + (c == k + 1 ? phi[0] : 0);
    }
}

// ---- phi ----

// Distances from the centre: of all nodes, or infinite beyond the range. NULL without memory.
static const swReal *measure(swMaking *k, swArena *arena) {
    const swBump *b = k->bump;
    const swLattice *l = &k->view.lattice;
    if (b->distance == SW_DISTANCE_EUCLIDEAN) {
        swReal *distance = SW_NEW(arena, l->n, swReal, k->error);
        for (int i = 0; distance && i < l->n; i++)
            distance[i] = sw_norm(sw_sub(l->X[i], b->rest));
        return distance;
    }
    swMarch march;
    if (!sw_march_create(&march, l, NULL, arena, k->error))
        return NULL;
    march.most = b->range;
    const int cell = sw_lattice_find(l, b->rest, REACH);
    for (int i = 0; i < 8; i++) {
        const int node = l->corner[8 * (ptrdiff_t)cell + i];
        sw_march_start(&march, node, sw_norm(sw_sub(l->X[node], b->rest)), 0, 0);
    }
    sw_march_run(&march);
    return march.time;
}

// What handles leave of a node of the lattice: they stay rigid.
static swReal left_by_handles(const swBedView *v, int node) {
    const swBodyModel *m = v->model;
    const swBed *bed = v->bed;
    const int *start = m->bed_weight_start + bed->node + (bed - m->bed) + node;
    swReal left = 1;
    for (int e = start[0]; e < start[1]; e++)
        if (m->node[m->body[bed->body].node + m->bed_site[bed->weight + e]].handle >= 0)
            left -= m->bed_weight[bed->weight + e];
    return sw_clamp(left, 0, 1);
}

static bool find_nodes(swMaking *k, swArena *arena) {
    swBump *b = k->bump;
    const swLattice *l = &k->view.lattice;
    const swReal *distance = measure(k, arena);
    k->phi = SW_NEW(arena, l->n, swReal, k->error);
    if (!distance || !k->phi)
        return false;
    for (int i = 0; i < l->n; i++) {
        const swReal t = distance[i] / b->range, rest = 1 - t * t;
        k->phi[i] = t < 1 ? rest * rest * left_by_handles(&k->view, i) : 0;
        b->nnode += k->phi[i] > 0;
    }
    b->node = SW_NEW(&b->arena, b->nnode, int, k->error);
    b->value = SW_NEW(&b->arena, b->nnode, swReal, k->error);
    if (!b->node || !b->value)
        return false;
    for (int i = 0, n = 0; i < l->n; i++)
        if (k->phi[i] > 0) {
            b->node[n] = i;
            b->value[n++] = k->phi[i];
        }
    return true;
}

// phi and its gradient at p in a cell, or the nearest point of it. False: both are zero.
static bool bump_in(const swMaking *k, int cell, swVec3 p, swReal phi[4]) {
    const swLattice *l = &k->view.lattice;
    const int *corner = l->corner + 8 * (ptrdiff_t)cell;
    swReal N[8], dN[8][3];
    bool any = false;
    for (int c = 0; c < 8; c++)
        any = any || k->phi[corner[c]] > 0;
    memset(phi, 0, 4 * sizeof *phi);
    if (!any)
        return false;
    sw_lattice_shape(l, cell, sw_lattice_clamp(l, cell, p), N, dN);
    for (int c = 0; c < 8; c++) {
        phi[0] += k->phi[corner[c]] * N[c];
        for (int a = 0; a < 3; a++)
            phi[1 + a] += k->phi[corner[c]] * dN[c][a];
    }
    return true;
}

// Whether it may be anything but zero at p, or in a cell where p is.
static bool is_near(const swMaking *k, swVec3 p) {
    const swReal far = k->bump->range + REACH * 1.8 * k->view.grid.h;
    return sw_norm2(sw_sub(p, k->bump->rest)) < far * far;
}

static bool bump_at(const swMaking *k, swVec3 p, swReal phi[4]) {
    const int cell = is_near(k, p) ? sw_lattice_find(&k->view.lattice, p, REACH) : -1;
    memset(phi, 0, 4 * sizeof *phi);
    return cell >= 0 && bump_in(k, cell, p, phi);
}

// ---- what it moves ----

// Copies n items of `size` bytes into the bump's own memory.
static void *keep(swMaking *k, const void *item, int n, size_t size) {
    void *copy = sw_arena_alloc(&k->bump->arena, (size_t)n, size, k->error);
    if (copy && n > 0)
        memcpy(copy, item, (size_t)n * size);
    return copy;
}

static bool find_samples(swMaking *k, swArena *arena) {
    const swBodyModel *m = k->view.model;
    swBump *b = k->bump;
    int *block = SW_NEW(arena, m->size.nsample / SW_LANES, int, k->error), n = 0;
    swReal *sample = SW_NEW(arena, 4 * m->size.nsample, swReal, k->error), phi[4];
    if (!block || !sample)
        return false;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        for (int e = g->sample / SW_LANES;
             g->body == b->body && e < g->sample / SW_LANES + g->nblock; e++) {
            swReal *to = sample + 4 * (ptrdiff_t)n * SW_LANES;
            bool any = false;
            for (int lane = 0; lane < SW_LANES; lane++) {
                const int s = e * SW_LANES + lane;
                const bool inside = bump_at(k, m->sample_point[s], phi);
                for (int a = 0; a < 4; a++)
                    to[a * SW_LANES + lane] = phi[a];
                b->npoints += inside && m->sample_volume[s] > 0;
                any = any || inside;
            }
            if (any)
                block[n++] = e;
        }
    }
    b->nblock = n;
    b->block = keep(k, block, n, sizeof *block);
    b->sample = keep(k, sample, n, 4 * SW_LANES * sizeof *sample);
    return b->block && b->sample;
}

// Points that nothing but a handle carries stay with it.
static bool find_points(swMaking *k, swArena *arena) {
    const swBodyModel *m = k->view.model;
    swBump *b = k->bump;
    int *point = SW_NEW(arena, m->size.npoint, int, k->error), n = 0;
    swReal *value = SW_NEW(arena, m->size.npoint, swReal, k->error), phi[4];
    if (!point || !value)
        return false;
    for (int p = 0; p < m->size.npoint; p++) {
        const int first = m->point_start[p], count = m->point_start[p + 1] - first;
        const swNode *node = count > 0 ? &m->node[m->point_node[first]] : NULL;
        if (!node || node->body != b->body || (count == 1 && node->handle >= 0) ||
            !bump_at(k, m->point[p], phi) || phi[0] == 0)
            continue;
        point[n] = p;
        value[n++] = phi[0];
    }
    b->npoint = n;
    b->point = keep(k, point, n, sizeof *point);
    b->point_value = keep(k, value, n, sizeof *value);
    return b->point && b->point_value;
}

static bool find_voxels(swMaking *k, swArena *arena) {
    const swBodyModel *m = k->view.model;
    const swBed *bed = k->view.bed;
    swBump *b = k->bump;
    int *voxel = SW_NEW(arena, bed->nvoxel, int, k->error), n = 0;
    swReal(*value)[4] = (swReal(*)[4])SW_NEW(arena, 4 * bed->nvoxel, swReal, k->error);
    if (!voxel || !value)
        return false;
    for (int v = 0; v < bed->nvoxel; v++) {
        const swBedVoxel *at = &m->bed_voxel[bed->voxel + v];
        if (is_near(k, at->p) && bump_in(k, (int)at->cell, at->p, value[n]))
            voxel[n++] = v;
    }
    b->nvoxel = n;
    b->voxel = keep(k, voxel, n, sizeof *voxel);
    b->voxel_value = keep(k, value, n, sizeof *value);
    return b->voxel && b->voxel_value;
}

// ---- mass ----

// rho v (N N^T + sum_k second_k G_k G_k^T) of two frames in a voxel, as in compile/build_mass.c.
static void add_mass(const swBedVoxel *v, int na, const swReal *Na, swReal (*Ga)[3], int nb,
                     const swReal *Nb, swReal (*Gb)[3], swReal *M) {
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            M[i * nb + j] +=
                v->mass * (Na[i] * Nb[j] + v->second.x * Ga[i][0] * Gb[j][0] +
                           v->second.y * Ga[i][1] * Gb[j][1] + v->second.z * Ga[i][2] * Gb[j][2]);
}

// w and dw/dp of the body's nodes at a voxel.
static void voxel_weights(const swMaking *k, const swBedVoxel *v, int nsite, swReal (*w)[4]) {
    const swBodyModel *m = k->view.model;
    const swBed *bed = k->view.bed;
    const swLattice *l = &k->view.lattice;
    swReal N[8], dN[8][3];
    memset(w, 0, (size_t)nsite * sizeof *w);
    sw_lattice_shape(l, (int)v->cell, v->p, N, dN);
    for (int c = 0; c < 8; c++) {
        const int *start =
            m->bed_weight_start + bed->node + (bed - m->bed) + l->corner[8 * v->cell + c];
        for (int e = start[0]; e < start[1]; e++) {
            const swReal value = m->bed_weight[bed->weight + e];
            swReal *to = w[m->bed_site[bed->weight + e]];
            to[0] += value * N[c];
            for (int a = 0; a < 3; a++)
                to[1 + a] += value * dN[c][a];
        }
    }
}

static bool sum_mass(swMaking *k, swArena *arena) {
    const swBodyModel *m = k->view.model;
    const swBed *bed = k->view.bed;
    const swBodyInfo *body = &m->body[bed->body];
    swBump *b = k->bump;
    int size = 0;
    for (int s = 0; s < body->nnode; s++)
        size += 4 * m->node[body->node + s].width;
    b->mass = SW_NEW(&b->arena, size, swReal, k->error);
    b->met = SW_NEW(&b->arena, body->nnode, bool, k->error);
    swReal(*w)[4] = (swReal(*)[4])SW_NEW(arena, 4 * body->nnode, swReal, k->error);
    if (!b->mass || !b->met || !w)
        return false;
    for (int i = 0; i < b->nvoxel; i++) {
        const swBedVoxel *v = &m->bed_voxel[bed->voxel + b->voxel[i]];
        swReal N[4], G[4][3], Ni[SW_MAX_MONOMIALS], Gi[SW_MAX_MONOMIALS][3], *M = b->mass;
        sw_bump_columns(b, v->p, b->voxel_value[i], N, G);
        add_mass(v, 4, N, G, 4, N, G, b->own);
        for (int c = 0; c < 4; c++)
            b->weight[c] += v->mass * N[c];
        voxel_weights(k, v, body->nnode, w);
        for (int s = 0; s < body->nnode; s++) {
            const swNode *node = &m->node[body->node + s];
            const int d = node->width;
            swReal mono[SW_MAX_MONOMIALS];
            if (w[s][0] != 0 || w[s][1] != 0 || w[s][2] != 0 || w[s][3] != 0) {
                const swVec3 p = sw_sub(v->p, node->origin);
                sw_monomials(d, p, mono);
                sw_monomial_gradients(d, p, Gi);
                for (int c = 0; c < d; c++) {
                    Ni[c] = w[s][0] * mono[c];
                    for (int a = 0; a < 3; a++)
                        Gi[c][a] = w[s][0] * Gi[c][a] + w[s][1 + a] * mono[c];
                }
                add_mass(v, 4, N, G, d, Ni, Gi, M);
                b->met[s] = true;
            }
            M += 4 * d;
        }
    }
    return true;
}

static void sum_loads(swMaking *k) {
    const swBodyModel *m = k->view.model;
    const swBed *bed = k->view.bed;
    swBump *b = k->bump;
    for (int64_t i = bed->load; i < bed->load + bed->nload; i++) {
        const swBedLoad *load = &m->bed_load[i];
        swReal phi[4], N[4], G[4][3];
        if (!bump_at(k, load->p, phi))
            continue;
        sw_bump_columns(b, load->p, phi, N, G);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++)
                b->load[4 * r + c] += N[c] * sw_get(load->force, r);
    }
}

bool sw_bump_cross(const swBodyModel *m, const swBump *a, const swBump *b, swReal mass[16]) {
    memset(mass, 0, 16 * sizeof *mass);
    const swBed *bed = a->body == b->body ? sw_bed_of(m, a->body) : NULL;
    bool any = false;
    for (int i = 0, j = 0; bed && i < a->nvoxel && j < b->nvoxel;) {
        if (a->voxel[i] != b->voxel[j]) {
            if (a->voxel[i] < b->voxel[j])
                i++;
            else
                j++;
            continue;
        }
        const swBedVoxel *v = &m->bed_voxel[bed->voxel + a->voxel[i]];
        swReal Na[4], Ga[4][3], Nb[4], Gb[4][3];
        sw_bump_columns(a, v->p, a->voxel_value[i++], Na, Ga);
        sw_bump_columns(b, v->p, b->voxel_value[j++], Nb, Gb);
        add_mass(v, 4, Na, Ga, 4, Nb, Gb, mass);
        any = true;
    }
    return any;
}

// ---- all together ----

static bool make(swMaking *k, const swInsertInfo *insert, swArena *arena) {
    swBump *b = k->bump;
    b->body = insert->body;
    b->rest = insert->rest;
    b->range = insert->range;
    b->distance = insert->distance;
    if (sw_lattice_find(&k->view.lattice, b->rest, REACH) < 0)
        return sw_fail(k->error, SW_ERROR_GEOMETRY,
                       "the point (%.4g, %.4g, %.4g) at rest is outside the body", b->rest.x,
                       b->rest.y, b->rest.z);
    if (!(b->range >= 2 * k->view.grid.h))
        return sw_fail(k->error, SW_ERROR_VALUE,
                       "expected a range of two voxels, %.4g m, at least, found %.4g m",
                       2 * k->view.grid.h, b->range);
    const swBodyInfo *body = &k->view.model->body[b->body];
    const swReal most = sw_norm(sw_sub(body->hi, body->lo));
    if (b->range > most)
        return sw_fail(k->error, SW_ERROR_VALUE,
                       "expected a range of the body's diagonal, %.4g m, at most, found %.4g m: a "
                       "wider frame does nothing that the others cannot do",
                       most, b->range);
    if (!find_nodes(k, arena) || !find_samples(k, arena))
        return false;
    if (b->npoints < LEAST_POINTS)
        return sw_fail(k->error, SW_ERROR_GEOMETRY,
                       "expected %d integration points within the range of %.4g m at least, found "
                       "%d: take a wider range, or more points (integration.points)%s",
                       LEAST_POINTS, b->range, b->npoints,
                       b->nnode == 0 ? "; what is there is held by a handle" : "");
    if (!find_points(k, arena) || !find_voxels(k, arena) || !sum_mass(k, arena))
        return false;
    sum_loads(k);
    return true;
}

swBump *sw_bump_create(const swBodyModel *m, const swInsertInfo *insert, swError *error) {
    const swBed *bed = sw_bed_of(m, insert->body);
    swArena own, scratch;
    swMaking k = {.error = error};
    if (!bed) {
        sw_fail(error, SW_ERROR_VALUE,
                "the body is not prepared for frames to be inserted: give it a budget in "
                "frames.adapt");
        return NULL;
    }
    sw_arena_init(&own, &m->config.allocator);
    sw_arena_init(&scratch, &m->config.allocator);
    sw_bed_view(m, bed, &k.view);
    bool ok = (k.bump = SW_NEW(&own, 1, swBump, error)) != NULL;
    if (ok)
        k.bump->arena = own;
    ok = ok && make(&k, insert, &scratch);
    sw_arena_free(&scratch);
    if (ok)
        return k.bump;
    if (k.bump)
        sw_bump_destroy(k.bump);
    else
        sw_arena_free(&own);
    return NULL;
}
