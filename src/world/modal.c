// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Natural vibrations about a state: K x = w^2 M x, K the plain tangent of elasticity, contact and
// loads there. Bodies do not couple: each has its own.
#include "kinematics/rigid.h"
#include "world/world.h"
#include "solve/pencil.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    swReal lambda;
    int body, n; // its unknowns
    const swReal *shape;
} swMode;

struct swModesMemory {
    swArena arena;
    const swState *state;
    swReal **q, **relax; // of each body: what is vibrated about
    swMode *mode;
};

static swReal unbalanced_force(const swBodyModel *m, const swWork *w) {
    swReal largest = 0;
    for (int64_t i = 0; i < m->size.ndof; i++)
        largest = sw_max(largest, fabs(w->residual[i]) / w->length[i]);
    return largest;
}

// What rounded strains do, in which relaxation may cancel nearly all stiffness [N/m].
static swReal rounded_force(const swBodyModel *m) {
    swReal stiffest = 0;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swReal *lame = m->material[m->group[i].material].lame;
        stiffest = sw_max(stiffest, lame[1] + 2 * lame[0]);
    }
    return 16 * DBL_EPSILON * stiffest * sw_body_length(&m->body[0]);
}

static void take(const swBlocks *A, const swBlocks *to) {
    if (to->count)
        memcpy(to->value, A->value, (size_t)to->count * sizeof *to->value);
}

static bool take_stiffness(swBodyState *s, swReal load, swPencil *pencil, swError *error) {
    const swBodyModel *m = s->model;
    swWork *w = s->work;
    const swObjective here = {.load = load, .t = s->t};
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
    take(&w->A, &pencil->K);
    pencil->length = w->length;
    pencil->pool = s->pool;
    pencil->unbalanced = unbalanced_force(m, w) / sw_body_length(&m->body[0]) + rounded_force(m);
    return true;
}

static bool find_of(swBodyState *s, swReal load, int count, swArena *keep, swArena *scratch,
                    swSpectrum *found, swPencil *pencil, swError *error) {
    const swBodyModel *m = sw_body_enter(s);
    const swBlocks *A = &s->work->A;
    int *size = SW_NEW(scratch, m->size.nnode, int, error);
    if (!size)
        return false;
    for (int i = 0; i < m->size.nnode; i++)
        size[i] = sw_blocks_size(A, i);
    if (!sw_pencil_create(pencil, A->pattern, size, scratch, error) ||
        !take_stiffness(s, load, pencil, error))
        return false;
    sw_inertia_matrix(m, s, s->q, 1);
    take(A, &pencil->M);
    return sw_pencil_solve(pencil, count, keep, found, error);
}

static int by_frequency(const void *a, const void *b) {
    const swMode *x = a, *y = b;
    if (x->lambda != y->lambda)
        return x->lambda < y->lambda ? -1 : 1;
    if (x->body != y->body)
        return x->body < y->body ? -1 : 1;
    return x->shape < y->shape ? -1 : 1; // one after the other in one array
}

static bool gather(swModes *modes, const swSpectrum *found, const swPencil *p, swError *error) {
    struct swModesMemory *memory = modes->memory;
    const int nbody = (int)memory->state->model->size.nbody;
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
            memory->mode[at++] =
                (swMode){found[b].lambda[i], b, p[b].n, found[b].shape + (ptrdiff_t)i * p[b].n};
    qsort(memory->mode, (size_t)modes->count, sizeof *memory->mode, by_frequency);
    for (int i = 0; i < modes->count; i++) {
        frequency[i] = sqrt(memory->mode[i].lambda) / (2 * SW_PI);
        body[i] = memory->mode[i].body;
    }
    modes->frequency = frequency;
    modes->body = body;
    return true;
}

static bool remember(struct swModesMemory *memory, const swBodyState *s, swError *error) {
    const size_t nq = (size_t)s->model->size.nq, nrelax = (size_t)s->model->size.nrelax;
    swReal *q = memory->q[s->index] = SW_NEW(&memory->arena, nq, swReal, error),
           *relax = memory->relax[s->index] = SW_NEW(&memory->arena, nrelax, swReal, error);
    if (!q || !relax)
        return false;
    memcpy(q, s->q, nq * sizeof *q);
    memcpy(relax, s->relax, nrelax * sizeof *relax);
    return true;
}

static bool find(swModes *modes, swState *s, swReal load, int count, swArena *scratch,
                 swError *error) {
    struct swModesMemory *memory = modes->memory;
    const size_t nbody = (size_t)s->model->size.nbody;
    swPencil *pencil = SW_NEW(scratch, nbody, swPencil, error);
    swSpectrum *found = SW_NEW(scratch, nbody, swSpectrum, error);
    memory->q = SW_NEW(&memory->arena, nbody, swReal *, error);
    memory->relax = SW_NEW(&memory->arena, nbody, swReal *, error);
    if (!pencil || !found || !memory->q || !memory->relax)
        return false;
    for (size_t b = 0; b < nbody; b++)
        if (!remember(memory, s->body[b], error) ||
            !find_of(s->body[b], load, count, &memory->arena, scratch, &found[b], &pencil[b],
                     error))
            return false;
    return gather(modes, found, pencil, error);
}

swModes *sw_solve_modal(const swModel *m, swState *s, swReal load, int count, swError *error) {
    SW_ASSERT(count > 0 && (m == s->model || m == s->view));
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
    modes->memory->state = s;
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

void sw_modes_pose(const swModes *modes, int mode, swReal amplitude, swState *state) {
    const struct swModesMemory *memory = modes->memory;
    SW_ASSERT(mode >= 0 && mode < modes->count);
    for (int64_t b = 0; b < state->model->size.nbody; b++) {
        swBodyState *s = state->body[b];
        const swBodyModel *m = s->model;
        const swMode *shape = &memory->mode[mode];
        swWork *w = s->work;
        memcpy(w->q_new, memory->q[b], (size_t)m->size.nq * sizeof *w->q_new);
        if (shape->body == b)
            sw_nodes_move(m, shape->shape, amplitude, w->q_new);
        sw_body_rest(m, s, w->q_new);
        const swObjective here = {.load = 1, .t = s->t};
        memcpy(w->relax, memory->relax[b], (size_t)m->size.nrelax * sizeof *w->relax);
        sw_objective_finite(m, s, &here, s->q);
        sw_amplitudes_keep(s);
    }
}
