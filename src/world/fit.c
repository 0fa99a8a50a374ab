// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A state goes on with bodies that have been cut: their frames take over the motion of the old
// ones, the nearest in the mean over the mass.
#include "integrate/integrator.h"
#include "kinematics/bed.h"
#include "kinematics/rigid.h"
#include "world/world.h"

#include <string.h>

enum { ROUNDS = 4 }; // of rigid frames, whose directions change with where they are

bool sw_model_tears(const swModel *m) {
    for (int64_t i = 0; i < m->size.ncompiled; i++)
        if (m->compiled[i]->size.ncrack > 0)
            return true;
    return false;
}

swReal sw_model_next_cut(const swModel *m) { return m->settings.cut; }

// ---- bodies that are as they were ----

// Whether vertices of its surface are the same and move alike: a cut that takes nothing away may
// still part what weights went through.
static bool same_surface(const swBodyModel *a, const swBodyModel *b, const swBodyInfo *x,
                         const swBodyInfo *y) {
    const int i = a->point_start[x->point], n = a->point_start[x->point + x->npoint] - i;
    const int k = b->point_start[y->point];
    return b->point_start[y->point + y->npoint] - k == n &&
           memcmp(a->point + x->point, b->point + y->point, (size_t)x->npoint * sizeof *a->point) ==
               0 &&
           memcmp(a->point_weight + i, b->point_weight + k, (size_t)n * sizeof *a->point_weight) ==
               0;
}

static bool is_same(const swBodyModel *a, const swBodyModel *b) {
    const swBodyInfo *x = &a->body[0], *y = &b->body[0];
    if (x->nnode != y->nnode || x->nvoxel != y->nvoxel || x->volume != y->volume ||
        x->mass != y->mass || x->npoint != y->npoint)
        return false;
    for (int i = 0; i < x->nnode; i++) {
        const swNode *n = &a->node[x->node + i], *o = &b->node[y->node + i];
        if (n->kind != o->kind || n->nu != o->nu || n->motion != o->motion ||
            memcmp(&n->origin, &o->origin, sizeof n->origin) != 0)
            return false;
    }
    return same_surface(a, b, x, y);
}

// What its samples have gone through; groups come in the same order.
static void copy_samples(swBodyState *to, const swBodyState *from) {
    const swBodyModel *a = from->model, *b = to->model;
    for (int64_t i = 0; i < a->size.ngroup && i < b->size.ngroup; i++) {
        const swGroup *g = &a->group[i], *h = &b->group[i];
        if (g->plastic >= 0)
            memcpy(to->plastic + h->plastic, from->plastic + g->plastic,
                   (size_t)g->nblock * SW_PLASTIC * SW_LANES * sizeof *to->plastic);
        for (int c = 0; c < g->nzone; c++)
            memcpy(to->relax + b->zone[h->zone + c].strain,
                   from->relax + a->zone[g->zone + c].strain,
                   (size_t)a->zone[g->zone + c].nstrain * sizeof *to->relax);
    }
}

static void copy_body(swBodyState *to, const swBodyState *from) {
    for (int i = 0; i < from->model->size.nnode; i++) {
        const swNode *n = &from->model->node[i], *o = &to->model->node[i];
        const size_t bytes = (size_t)sw_node_size(n) * sizeof *to->q;
        memcpy(to->q + o->q, from->q + n->q, bytes);
        memcpy(to->v + o->q, from->v + n->q, bytes);
    }
    copy_samples(to, from);
    if (from->model->size.ncontact == to->model->size.ncontact)
        memcpy(to->touch, from->touch,
               (size_t)(SW_TOUCHES * to->model->size.ncontact) * sizeof *to->touch);
}

// ---- bodies that have torn ----

static const swCrack *crack_of(const swBodyModel *m) {
    return m->size.ncrack > 0 ? &m->crack[0] : NULL;
}

// New vertices move as those that they were before, which the same corners had; handles come last.
static bool copy_torn(swBodyState *to, const swBodyState *from) {
    const swBodyModel *a = from->model, *b = to->model;
    const swCrack *c = crack_of(a), *d = crack_of(b);
    if (!c || !d || c->ntet != d->ntet || d->nvertex < c->nvertex ||
        a->size.nnode - c->nvertex != b->size.nnode - d->nvertex)
        return false;
    const swNode *old = a->node, *now = b->node;
    for (int i = 0; i < 4 * c->ntet; i++) {
        const int v = a->crack_vertex[4 * c->tet + i], w = b->crack_vertex[4 * d->tet + i];
        memcpy(to->q + now[w].q, from->q + old[v].q, 3 * sizeof *to->q);
        memcpy(to->v + now[w].q, from->v + old[v].q, 3 * sizeof *to->v);
    }
    for (int i = c->nvertex; i < a->size.nnode; i++) {
        const swNode *x = &old[i], *y = &now[i + d->nvertex - c->nvertex];
        memcpy(to->q + y->q, from->q + x->q, (size_t)sw_node_size(x) * sizeof *to->q);
        memcpy(to->v + y->q, from->v + x->q, (size_t)sw_node_size(x) * sizeof *to->v);
    }
    copy_samples(to, from); // elements stay in order
    return true;
}

// ---- bodies that have been cut ----

// A body before and after, and what is summed over its voxels.
typedef struct {
    swBodyState *to;
    const swBodyState *from;
    swBedView before, after;
    swReal *w, (*dw)[3];      // of its nodes at a point
    swReal *place, *momentum; // integrals of rho w m x and rho w m v, per unknown of q
} swCutFit;

static bool old_motion(const swCutFit *f, const swReal *q, swVec3 p, swVec3 *x, swMat3 *F) {
    const swBedMotion motion = {.view = &f->before, .q = q};
    return sw_bed_position(&motion, p, x, F);
}

// Weights of the nodes now, and their slopes, at a voxel's middle.
static void find_weights(const swCutFit *f, const swBedVoxel *v) {
    const swBodyModel *m = f->to->model;
    const swBed *bed = f->after.bed;
    const swLattice *l = &f->after.lattice;
    const int nnode = m->body[bed->body].nnode,
              *start = m->bed_weight_start + bed->node + (bed - m->bed);
    swReal N[8], dN[8][3];
    sw_lattice_shape(l, (int)v->cell, v->p, N, dN);
    memset(f->w, 0, (size_t)nnode * sizeof *f->w);
    memset(f->dw, 0, (size_t)nnode * sizeof *f->dw);
    for (int k = 0; k < 8; k++) {
        const int node = l->corner[8 * v->cell + k];
        for (int e = start[node]; e < start[node + 1]; e++) {
            const int site = m->bed_site[bed->weight + e];
            const swReal w = m->bed_weight[bed->weight + e];
            f->w[site] += w * N[k];
            for (int a = 0; a < 3; a++)
                f->dw[site][a] += w * dN[k][a];
        }
    }
}

// Adds the integral over a voxel of w m y, where y has the slope D.
static void add_voxel(const swCutFit *f, const swBedVoxel *v, swVec3 y, swMat3 D, swReal *sum) {
    const swBodyModel *m = f->to->model;
    const swBodyInfo *body = &m->body[f->after.bed->body];
    for (int i = 0; i < body->nnode; i++) {
        const swNode *n = &m->node[body->node + i];
        const swVec3 p = sw_sub(v->p, n->origin);
        swReal mono[SW_MAX_MONOMIALS], dm[SW_MAX_MONOMIALS][3];
        if (f->w[i] == 0 && f->dw[i][0] == 0 && f->dw[i][1] == 0 && f->dw[i][2] == 0)
            continue;
        sw_monomials(n->width, p, mono);
        sw_monomial_gradients(n->width, p, dm);
        for (int c = 0; c < n->width; c++)
            for (int r = 0; r < 3; r++) {
                swReal mean = f->w[i] * mono[c] * sw_get(y, r);
                for (int a = 0; a < 3; a++)
                    mean += sw_get(v->second, a) * D.m[3 * r + a] *
                            (f->dw[i][a] * mono[c] + f->w[i] * dm[c][a]);
                sum[n->q + r * n->width + c] += v->mass * mean;
            }
    }
}

// Where the material at a node's origin is, for a start; nodes of handles stay with these.
static void start_nodes(const swCutFit *f) {
    const swBodyModel *a = f->from->model, *b = f->to->model;
    const swBodyInfo *body = &b->body[f->after.bed->body];
    for (int i = body->node; i < body->node + body->nnode; i++) {
        const swNode *n = &b->node[i];
        const size_t bytes = (size_t)sw_node_size(n) * sizeof(swReal);
        swReal *q = f->to->q + n->q, *v = f->to->v + n->q;
        swVec3 x;
        swMat3 F;
        memset(v, 0, bytes);
        for (int64_t h = 0; n->handle >= 0 && h < a->size.nhandle; h++)
            if (a->handle[h].body == n->body &&
                strcmp(sw_body_text(a, a->handle[h].name),
                       sw_body_text(b, b->handle[n->handle].name)) == 0) {
                const swNode *old = &a->node[a->handle[h].node];
                memcpy(q, f->from->q + old->q, bytes);
                if (n->ndof == 0)
                    memcpy(v, f->from->v + old->q, bytes);
                f->to->handle_place[n->handle] = f->from->handle_place[h];
            }
        if (n->handle >= 0 || !old_motion(f, f->from->q, n->origin, &x, &F))
            continue;
        memset(q, 0, bytes);
        for (int r = 0; r < 3; r++) {
            q[r * n->width] = sw_get(x, r);
            for (int c = 1; c < 4 && n->width >= 4; c++)
                q[r * n->width + c] = F.m[3 * r + c - 1];
        }
    }
    sw_nodes_make_rigid(b, f->to->q);
}

// Sums over the voxels of what the old motion is there. False where some of it was not in the body.
static bool sum_motion(const swCutFit *f) {
    const swBodyModel *m = f->to->model;
    const swBed *bed = f->after.bed;
    for (int64_t i = bed->voxel; i < bed->voxel + bed->nvoxel; i++) {
        const swBedVoxel *v = &m->bed_voxel[i];
        swVec3 x, u;
        swMat3 F, L;
        if (!old_motion(f, f->from->q, v->p, &x, &F) || !old_motion(f, f->from->v, v->p, &u, &L))
            return false;
        find_weights(f, v);
        add_voxel(f, v, x, F, f->place);
        add_voxel(f, v, u, L, f->momentum);
    }
    return true;
}

// Looks for the positions and velocities whose integrals these are; other bodies stay.
static const char *project(const swCutFit *f, swReal *force, swReal *g) {
    swBodyState *s = f->to;
    const swBodyModel *m = s->model;
    const swBodyInfo *body = &m->body[f->after.bed->body];
    const int first = m->node[body->node].q, last = body->node + body->nnode - 1,
              end = m->node[last].q + sw_node_size(&m->node[last]);
    const size_t bytes = (size_t)m->size.nq * sizeof *force;
    swReal *zero = s->work->target, *q = s->work->q_new;
    memset(zero, 0, bytes);
    for (int round = 0; round < ROUNDS; round++) {
        swSystem sys = {.g = g};
        memset(g, 0, bytes);
        memset(force, 0, bytes);
        sw_mass_add(m, s->q, zero, 1, &sys);
        for (int i = first; i < end; i++)
            force[i] = g[i] - f->place[i];
        memcpy(q, s->q, bytes);
        sw_bulk_positions(m, q, s->work->bulk_target);
        const swInertia in = {.inertia = 1, .at = s->q, .target = s->q, .force = force};
        const char *reason = sw_inertia_solve(m, s, &in, q, g);
        if (reason)
            return reason;
        sw_nodes_make_rigid(m, q);
        memcpy(s->q, q, bytes);
    }
    swSystem sys = {.g = g};
    memset(g, 0, bytes);
    memset(force, 0, bytes);
    sw_mass_add(m, s->v, zero, 1, &sys); // of handles that are moved
    for (int i = first; i < end; i++)
        force[i] = f->momentum[i] - g[i];
    return sw_body_add_momentum(s, force) ? NULL : "a motion of the frames has no mass";
}

static swReal largest_miss(const swCutFit *f) {
    const swBodyModel *m = f->to->model;
    const swBed *bed = f->after.bed;
    const swBedMotion now = {.view = &f->after, .q = f->to->q};
    swReal miss = 0;
    for (int64_t i = bed->voxel; i < bed->voxel + bed->nvoxel; i++) {
        swVec3 x, y;
        swMat3 F;
        if (old_motion(f, f->from->q, m->bed_voxel[i].p, &x, &F) &&
            sw_bed_position(&now, m->bed_voxel[i].p, &y, &F))
            miss = sw_max(miss, sw_norm(sw_sub(x, y)));
    }
    return miss;
}

// Samples remember what the nearest one of their material did: found by the cells of the bed.
static bool fit_samples(const swCutFit *f, swArena *arena, swError *error) {
    const swBodyModel *a = f->from->model, *b = f->to->model;
    const swGrid *grid = &f->before.grid;
    const int n[3] = {grid->n[0], grid->n[1], grid->n[2]};
    int *head = SW_NEW(arena, n[0] * n[1] * n[2], int, error), // from 1; 0: none
        *next = SW_NEW(arena, a->size.nsample, int, error),
        *place = SW_NEW(arena, a->size.nsample, int, error);
    if (!head || !next || !place)
        return false;
    for (int64_t i = 0; i < a->size.ngroup; i++)
        for (int k = 0; a->group[i].plastic >= 0 && k < a->group[i].nblock * SW_LANES; k++) {
            const int sample = a->group[i].sample + k,
                      cell = sw_grid_cell(grid, a->sample_point[sample]);
            if (!(a->sample_volume[sample] > 0))
                continue;
            place[sample] = (int)i;
            next[sample] = head[cell];
            head[cell] = sample + 1;
        }
    for (int64_t i = 0; i < b->size.ngroup; i++) {
        const swGroup *g = &b->group[i];
        for (int k = 0; g->plastic >= 0 && k < g->nblock * SW_LANES; k++) {
            const swVec3 p = b->sample_point[g->sample + k];
            const int cell = sw_grid_cell(grid, p),
                      at[3] = {cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]},
                      most = sw_max_int(n[0], sw_max_int(n[1], n[2]));
            int best = -1, reach = 0;
            // One shell of cells more than the first that holds any.
            for (int end = most; reach <= end; reach++)
                for (int z = sw_max_int(0, at[2] - reach); z <= sw_min_int(n[2] - 1, at[2] + reach);
                     z++)
                    for (int y = sw_max_int(0, at[1] - reach);
                         y <= sw_min_int(n[1] - 1, at[1] + reach); y++)
                        for (int x = sw_max_int(0, at[0] - reach);
                             x <= sw_min_int(n[0] - 1, at[0] + reach); x++)
                            for (int s = head[x + n[0] * (y + n[1] * z)]; s; s = next[s - 1]) {
                                if (a->group[place[s - 1]].material != g->material ||
                                    (best >= 0 && sw_norm2(sw_sub(a->sample_point[s - 1], p)) >=
                                                      sw_norm2(sw_sub(a->sample_point[best], p))))
                                    continue;
                                end = best < 0 ? sw_min_int(most, reach + 1) : end;
                                best = s - 1;
                            }
            for (int e = 0; best >= 0 && e < SW_PLASTIC; e++) {
                const swGroup *o = &a->group[place[best]];
                const int j = best - o->sample;
                f->to->plastic[g->plastic + ((int64_t)(k / SW_LANES) * SW_PLASTIC + e) * SW_LANES +
                               k % SW_LANES] =
                    f->from->plastic[o->plastic +
                                     ((int64_t)(j / SW_LANES) * SW_PLASTIC + e) * SW_LANES +
                                     j % SW_LANES];
            }
        }
    }
    return true;
}

static bool fit_body(swBodyState *to, const swBodyState *from, swArena *arena, swReal *miss,
                     swError *error) {
    const swBed *before = sw_bed_of(from->model, 0), *after = sw_bed_of(to->model, 0);
    const int64_t nq = to->model->size.nq, nnode = to->model->size.nnode;
    const char *name = sw_body_name(to->world->model, to->index);
    swCutFit f = {.to = to, .from = from};
    if (!before || !after)
        return sw_fail(error, SW_ERROR_VALUE,
                       "the body \"%s\" differs between the two models, and not by a cut", name);
    sw_bed_view(from->model, before, &f.before);
    sw_bed_view(to->model, after, &f.after);
    f.w = SW_NEW(arena, nnode, swReal, error);
    f.dw = sw_arena_alloc(arena, (size_t)nnode, sizeof *f.dw, error);
    f.place = SW_NEW(arena, nq, swReal, error);
    f.momentum = SW_NEW(arena, nq, swReal, error);
    swReal *force = SW_NEW(arena, nq, swReal, error), *g = SW_NEW(arena, nq, swReal, error);
    if (!f.w || !f.dw || !f.place || !f.momentum || !force || !g ||
        (to->model->size.nplastic > 0 && !fit_samples(&f, arena, error)))
        return false;
    start_nodes(&f);
    if (!sum_motion(&f))
        return sw_fail(error, SW_ERROR_GEOMETRY, "the body \"%s\" has material where it had none",
                       name);
    const char *reason = project(&f, force, g);
    if (reason)
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "%s", reason);
    *miss = sw_max(*miss, largest_miss(&f));
    return true;
}

// ---- all of a state ----

#define CARRY(name, count) memcpy(to->name, from->name, (size_t)(count) * sizeof *to->name)

static bool check(const swState *to, const swState *from, swError *error) {
    const swModel *a = from->model, *b = to->model;
    bool same = a->size.nbody == b->size.nbody && a->size.ncollider == b->size.ncollider;
    for (int64_t i = 0; same && i < b->size.nbody; i++) {
        const swBodyState *x = from->body[i], *y = to->body[i];
        if (x->model != x->base || y->model != y->base)
            return sw_fail(error, SW_ERROR_UNSUPPORTED,
                           "frames are inserted: remove them before the body is cut");
        same = x->model->size.nmaterial == y->model->size.nmaterial &&
               sw_control_count(x->model) == sw_control_count(y->model);
    }
    return same ||
           sw_fail(error, SW_ERROR_VALUE, "expected models of the same scene, found others");
}

static swReal internal(const swBodyState *s) {
    const swEnergy e = sw_body_energy(s);
    return e.elastic + e.kinetic;
}

static void carry_rest(swBodyState *to, const swBodyState *from) {
    const swBodyModel *b = to->model;
    to->t = from->t;
    to->h = from->h;
    to->next = from->next;
    to->end = from->end;
    CARRY(keeping, SW_KEEPING);
    CARRY(activation, sw_control_count(b));
    CARRY(activation_set, sw_control_count(b));
    if (from->model->size.nbulk_point == b->size.nbulk_point)
        CARRY(bulk_velocity, b->size.nbulk_point);
    if (from->model->size.nhandle == b->size.nhandle)
        CARRY(handle_place, b->size.nhandle);
}

// One body goes on in another model; `to` is at t = 0.
static bool go_on(swBodyState *to, const swBodyState *from, swFitReport *about, swError *error) {
    const swBodyModel *a = from->model, *b = to->model;
    swArena arena;
    bool ok = true;
    const bool same = is_same(a, b), torn = !same && copy_torn(to, from);
    carry_rest(to, from);
    about->mass += a->body[0].mass - b->body[0].mass;
    if (same) {
        copy_body(to, from);
        CARRY(rest, 1);
    } else if (!torn) {
        sw_arena_init(&arena, &to->config.allocator);
        about->bodies++;
        ok = fit_body(to, from, &arena, &about->miss, error);
        sw_arena_free(&arena);
    }
    if (!ok)
        return false;
    sw_nodes_follow(b, to->q);
    const swReal before = internal(from);
    swReal energy = internal(to);
    if (!isfinite(energy))
        return sw_fail(error, SW_ERROR_NOT_CONVERGED,
                       "after the cut the frames would turn the material inside out");
    if (energy > before * (1 + 1e-9) && !same && !crack_of(b)) {
        const swReal rest = sw_body_total(to) - energy; // of weight and contact
        if (sw_body_calm(to, energy - before) > 0)
            sw_body_give_way(to, rest + before);
        energy = sw_body_total(to) - rest;
        about->calmed++;
    }
    about->energy_before += before;
    about->energy += energy;
    sw_amplitudes_keep(to);
    to->energy = NAN;
    return true;
}

bool sw_state_fit(swState *to, const swState *from, swFitReport *report, swError *error) {
    swFitReport about = {0};
    sw_error_clear(error);
    if (!check(to, from, error))
        return false;
    sw_state_reset(to);
    to->t = from->t;
    to->step = from->step;
    to->clock_time = from->clock_time;
    to->clock_step = from->clock_step;
    to->clock_h = from->clock_h;
    sw_state_carry_colliders(to, from);
    for (int64_t i = 0; i < to->model->size.nbody; i++)
        if (!go_on(to->body[i], from->body[i], &about, error))
            return false;
    swVec3 now, angular;
    sw_state_momentum(from, &about.momentum, &angular);
    sw_state_momentum(to, &now, &angular);
    about.momentum = sw_sub(about.momentum, now);
    if (report)
        *report = about;
    return true;
}
