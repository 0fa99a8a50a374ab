// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Natural vibrations about a state: K x = w^2 M x, K the plain tangent of elasticity, contact and
// loads there. Bodies do not couple: each has its own.
#include "kinematics/rigid.h"
#include "sim/sim.h"
#include "solve/pencil.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    swReal lambda;
    int body, first, n; // unknowns that move
    const swReal *shape;
} swMode;

struct swModesMemory {
    swArena arena;
    const swModel *model;
    swReal *q, *relax; // what is vibrated about
    swMode *mode;
};

// A body's rows of the matrix that is being built, as a matrix of their own.
static bool create(const swBlocks *A, const swBodyInfo *body, swArena *arena, swPencil *p,
                   swError *error) {
    const int n = body->nnode, *from = A->pattern.row + body->node, nblock = from[n] - from[0];
    int *row = SW_NEW(arena, n + 1, int, error), *column = SW_NEW(arena, nblock, int, error),
        *size = SW_NEW(arena, n, int, error);
    if (!row || !column || !size)
        return false;
    for (int i = 0; i < n; i++) {
        row[i + 1] = from[i + 1] - from[0];
        size[i] = sw_blocks_size(A, body->node + i);
    }
    for (int k = 0; k < nblock; k++)
        column[k] = A->pattern.column[from[0] + k] - body->node;
    return sw_pencil_create(p, (swPattern){n, row, column}, size, arena, error);
}

static void take(const swBlocks *A, const swBodyInfo *body, const swBlocks *to) {
    if (to->count)
        memcpy(to->value, A->value + A->at[A->pattern.row[body->node]],
               (size_t)to->count * sizeof *to->value);
}

static swReal unbalanced_force(const swWork *w, int first, int n) {
    swReal largest = 0;
    for (int i = first; i < first + n; i++)
        largest = sw_max(largest, fabs(w->residual[i]) / w->length[i]);
    return largest;
}

// What rounded strains do, in which relaxation may cancel nearly all stiffness [N/m].
static swReal rounded_force(const swModel *m, int body) {
    swReal stiffest = 0;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swReal *lame = m->material[m->group[i].material].lame;
        if (m->group[i].body == body)
            stiffest = sw_max(stiffest, lame[1] + 2 * lame[0]);
    }
    return 16 * DBL_EPSILON * stiffest * sw_body_length(&m->body[body]);
}

static bool take_stiffness(const swModel *m, swState *s, swReal load, swPencil *pencil,
                           const int *first, swError *error) {
    swWork *w = s->work;
    const swObjective here = {.load = load};
    sw_amplitudes_recall(s);
    sw_particles_turn(m, &s->work->elastic.particles, s->pool, s->q);
    const swReal energy =
        sw_objective_evaluate(m, s, &here, s->q, true, true, SW_PROJECT_NONE).energy;
    if (sw_pool_stopped(s->pool))
        return sw_fail_stopped(error);
    if (!isfinite(energy))
        return sw_fail(error, SW_ERROR_NOT_FINITE, "a sample has no volume left in this state");
    sw_nodes_fold_gradient(m, s->q, w->g, w->residual);
    if (w->folded)
        sw_nodes_fold_hessian(m, s->q, w->g, &w->H, &w->A);
    for (int b = 0; b < m->size.nbody; b++) {
        take(&w->A, &m->body[b], &pencil[b].K);
        pencil[b].length = w->length + first[b];
        pencil[b].pool = s->pool;
        pencil[b].unbalanced =
            unbalanced_force(w, first[b], pencil[b].n) / sw_body_length(&m->body[b]) +
            rounded_force(m, b);
    }
    return true;
}

static void take_mass(const swModel *m, swState *s, const swPencil *pencil) {
    sw_inertia_matrix(m, s, s->q, 1);
    for (int b = 0; b < m->size.nbody; b++)
        take(&s->work->A, &m->body[b], &pencil[b].M);
}

static int by_frequency(const void *a, const void *b) {
    const swMode *x = a, *y = b;
    if (x->lambda != y->lambda)
        return x->lambda < y->lambda ? -1 : 1;
    if (x->body != y->body)
        return x->body < y->body ? -1 : 1;
    return x->shape < y->shape ? -1 : 1; // one after the other in one array
}

static bool gather(swModes *modes, const swSpectrum *found, const int *first, const swPencil *p,
                   swError *error) {
    struct swModesMemory *memory = modes->memory;
    const int nbody = (int)memory->model->size.nbody;
    for (int b = 0; b < nbody; b++) {
        modes->count += found[b].count;
        modes->rigid += found[b].rigid;
        modes->unstable += found[b].unstable;
    }
    swReal *frequency = SW_NEW(&memory->arena, modes->count, swReal, error);
    int *body = SW_NEW(&memory->arena, modes->count, int, error);
    memory->mode = SW_NEW(&memory->arena, modes->count, swMode, error);
    if (!frequency || !body || !memory->mode)
        return false;
    for (int b = 0, at = 0; b < nbody; b++)
        for (int i = 0; i < found[b].count; i++)
            memory->mode[at++] = (swMode){found[b].lambda[i], b, first[b], p[b].n,
                                          found[b].shape + (ptrdiff_t)i * p[b].n};
    qsort(memory->mode, (size_t)modes->count, sizeof *memory->mode, by_frequency);
    for (int i = 0; i < modes->count; i++) {
        frequency[i] = sqrt(memory->mode[i].lambda) / (2 * SW_PI);
        body[i] = memory->mode[i].body;
    }
    modes->frequency = frequency;
    modes->body = body;
    return true;
}

static bool find(swModes *modes, swState *s, swReal load, int count, swArena *scratch,
                 swError *error) {
    struct swModesMemory *memory = modes->memory;
    const swModel *m = memory->model;
    const size_t nbody = (size_t)m->size.nbody, nq = (size_t)m->size.nq,
                 nrelax = (size_t)m->size.nrelax;
    swPencil *pencil = SW_NEW(scratch, nbody, swPencil, error);
    swSpectrum *found = SW_NEW(scratch, nbody, swSpectrum, error);
    int *first = SW_NEW(scratch, nbody, int, error);
    memory->q = SW_NEW(&memory->arena, nq, swReal, error);
    memory->relax = SW_NEW(&memory->arena, nrelax, swReal, error);
    if (!pencil || !found || !first || !memory->q || !memory->relax)
        return false;
    memcpy(memory->q, s->q, nq * sizeof *s->q);
    memcpy(memory->relax, s->relax, nrelax * sizeof *s->relax);
    for (int b = 0; b < m->size.nbody; b++) {
        first[b] = s->work->A.start[m->body[b].node];
        if (!create(&s->work->A, &m->body[b], scratch, &pencil[b], error))
            return false;
    }
    if (!take_stiffness(m, s, load, pencil, first, error))
        return false;
    take_mass(m, s, pencil);
    for (int b = 0; b < m->size.nbody; b++)
        if (!sw_pencil_solve(&pencil[b], count, &memory->arena, &found[b], error))
            return false;
    return gather(modes, found, first, pencil, error);
}

swModes *sw_solve_modal(const swModel *m, swState *s, swReal load, int count, swError *error) {
    m = sw_state_enter(m, s);
    SW_ASSERT(count > 0);
    const swAllocator *a = &m->config.allocator;
    sw_error_clear(error);
    swModes *modes = sw_alloc(a, sizeof *modes);
    if (!modes || !(modes->memory = sw_alloc(a, sizeof *modes->memory))) {
        sw_free(a, modes, sizeof *modes);
        sw_fail_memory(error, sizeof *modes);
        return NULL;
    }
    swArena scratch;
    sw_arena_init(&scratch, a);
    sw_arena_init(&modes->memory->arena, a);
    modes->memory->model = m;
    const double start = sw_seconds();
    sw_pool_watch(s->pool, &s->config, "modal", 0);
    const bool ok = find(modes, s, load, count, &scratch, error);
    sw_pool_watch(s->pool, NULL, NULL, 0);
    s->profile.total += sw_seconds() - start;
    sw_arena_free(&scratch);
    if (ok)
        return modes;
    sw_modes_destroy(modes);
    return NULL;
}

void sw_modes_destroy(swModes *modes) {
    if (!modes)
        return;
    const swAllocator a = modes->memory->arena.allocator;
    sw_arena_free(&modes->memory->arena);
    sw_free(&a, modes->memory, sizeof *modes->memory);
    sw_free(&a, modes, sizeof *modes);
}

void sw_modes_pose(const swModes *modes, int mode, swReal amplitude, swState *s) {
    const struct swModesMemory *memory = modes->memory;
    const swModel *m = memory->model;
    const swMode *shape = &memory->mode[mode];
    swWork *w = s->work;
    SW_ASSERT(s->model == m && mode >= 0 && mode < modes->count);
    memset(w->step, 0, (size_t)m->size.ndof * sizeof *w->step);
    memcpy(w->step + shape->first, shape->shape, (size_t)shape->n * sizeof *w->step);
    memcpy(w->q_new, memory->q, (size_t)m->size.nq * sizeof *w->q_new);
    sw_nodes_move(m, w->step, amplitude, w->q_new);
    sw_state_rest(m, s, w->q_new);
    const swObjective here = {.load = 1};
    memcpy(w->relax, memory->relax, (size_t)m->size.nrelax * sizeof *w->relax);
    sw_objective_finite(m, s, &here, s->q);
    sw_amplitudes_keep(s);
}
