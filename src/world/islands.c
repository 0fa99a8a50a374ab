// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "world/islands.h"

#include "world/inserts.h"

#include <string.h>

// Equal bodies share scratch memory, as many as there are threads: it stays in the cache. Particles
// keep what they know of the last evaluation there.
static int works_of(const swState *s, size_t compiled) {
    const int count = s->islands->count[compiled];
    const bool own = s->model->compiled[compiled]->size.nparticle > 0;
    return own ? count : sw_min_int(count, s->islands->nworker);
}

static swWork *create_work(const swState *s, int compiled, swError *error) {
    const swBodyModel *m = s->model->compiled[compiled];
    return sw_work_create(m, s->pool, sw_body_state_bytes(m), error);
}

bool sw_islands_create(swState *s, swError *error) {
    const swAllocator *a = &s->config.allocator;
    const swModel *m = s->model;
    swIslands *in = s->islands = sw_alloc(a, sizeof *in);
    if (!in)
        return sw_fail_memory(error, sizeof *in);
    const size_t nbody = (size_t)m->size.nbody, ncompiled = (size_t)m->size.ncompiled;
    in->nworker = sw_pool_size(s->pool);
    in->count = sw_alloc(a, ncompiled * sizeof *in->count);
    in->nwork = sw_alloc(a, ncompiled * sizeof *in->nwork);
    in->work = sw_alloc(a, ncompiled * sizeof *in->work);
    in->own = sw_alloc(a, nbody * sizeof *in->own);
    in->ordinal = sw_alloc(a, nbody * sizeof *in->ordinal);
    in->start = sw_alloc(a, (nbody + 1) * sizeof *in->start);
    in->first_bond = sw_alloc(a, (nbody + 1) * sizeof *in->first_bond);
    in->body = sw_alloc(a, nbody * sizeof *in->body);
    in->root = sw_alloc(a, nbody * sizeof *in->root);
    in->number = sw_alloc(a, nbody * sizeof *in->number);
    in->joined = sw_alloc(a, nbody * sizeof *in->joined);
    if (!in->count || !in->nwork || !in->work || !in->own || !in->ordinal || !in->start ||
        !in->first_bond || !in->body || !in->root || !in->number || !in->joined)
        return sw_fail_memory(error, nbody * sizeof *in->body);
    for (size_t i = 0; i < nbody; i++)
        in->ordinal[i] = in->count[m->place[i].compiled]++;
    for (size_t i = 0; i < nbody; i++)
        in->root[i] = (int)i;
    for (size_t c = 0; c < ncompiled; c++) {
        in->nwork[c] = works_of(s, c);
        if (!(in->work[c] = sw_alloc(a, (size_t)in->nwork[c] * sizeof *in->work[c])))
            return sw_fail_memory(error, (size_t)in->nwork[c] * sizeof *in->work[c]);
        for (int k = 0; k < in->nwork[c]; k++)
            if (!(in->work[c][k] = create_work(s, (int)c, error)))
                return false;
    }
    for (size_t i = 0; i < nbody; i++) {
        const int c = m->place[i].compiled;
        s->body[i]->work = in->work[c][in->ordinal[i] % in->nwork[c]];
    }
    return true;
}

void sw_islands_destroy(swState *s) {
    const swAllocator *a = &s->config.allocator;
    swIslands *in = s->islands;
    if (!in)
        return;
    const size_t nbody = (size_t)s->model->size.nbody, ncompiled = (size_t)s->model->size.ncompiled;
    for (size_t c = 0; in->work && c < ncompiled; c++) {
        for (int k = 0; in->work[c] && k < in->nwork[c]; k++)
            sw_work_destroy(in->work[c][k], a);
        sw_free(a, in->work[c], in->work[c] ? (size_t)in->nwork[c] * sizeof *in->work[c] : 0);
    }
    for (size_t i = 0; i < nbody; i++) {
        if (in->own)
            sw_work_destroy(in->own[i], a);
        if (in->joined && in->joined[i]) {
            sw_joined_free(in->joined[i]);
            sw_free(a, in->joined[i], sizeof *in->joined[i]);
        }
    }
    sw_free(a, in->work, ncompiled * sizeof *in->work);
    sw_free(a, in->count, ncompiled * sizeof *in->count);
    sw_free(a, in->nwork, ncompiled * sizeof *in->nwork);
    sw_free(a, in->own, nbody * sizeof *in->own);
    sw_free(a, in->ordinal, nbody * sizeof *in->ordinal);
    sw_free(a, in->start, (nbody + 1) * sizeof *in->start);
    sw_free(a, in->first_bond, (nbody + 1) * sizeof *in->first_bond);
    sw_free(a, in->body, nbody * sizeof *in->body);
    sw_free(a, in->root, nbody * sizeof *in->root);
    sw_free(a, in->number, nbody * sizeof *in->number);
    sw_free(a, in->joined, nbody * sizeof *in->joined);
    for (int k = 0; k < 2; k++)
        sw_free(a, in->bond[k], (size_t)in->room * sizeof *in->bond[k]);
    sw_free(a, in, sizeof *in);
    s->islands = NULL;
}

size_t sw_islands_memory(const swState *s) {
    const swIslands *in = s->islands;
    size_t bytes = 2 * (size_t)in->room * sizeof *in->bond[0];
    for (int64_t c = 0; c < s->model->size.ncompiled; c++)
        for (int k = 0; k < in->nwork[c]; k++)
            bytes += sizeof(swWork) + in->work[c][k]->arena.total;
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        bytes += in->own[i] ? sizeof(swWork) + in->own[i]->arena.total : 0;
        if (in->joined[i])
            bytes += sizeof(swJoined) + in->joined[i]->arena.total + in->joined[i]->layout.total;
    }
    return bytes;
}

void sw_islands_forget(swState *s) {
    for (int64_t i = 0; s->islands && i < s->model->size.nbody; i++)
        if (s->islands->joined[i])
            sw_joined_free(s->islands->joined[i]);
}

// ---- which bodies belong together ----

typedef struct {
    swState *state;
    const swPotential *potential;
    bool failed;
} swGather;

static int root_of(int *root, int i) {
    while (root[i] != i) {
        root[i] = root[root[i]];
        i = root[i];
    }
    return i;
}

static void add_bond(int one, int other, int item, void *arg) {
    swGather *g = arg;
    swIslands *in = g->state->islands;
    const swAllocator *a = &g->state->config.allocator;
    if (in->nbond == in->room) {
        const int room = sw_max_int(16, 2 * in->room);
        for (int k = 0; k < 2; k++) {
            swBond *more = sw_alloc(a, (size_t)room * sizeof *more);
            if (!more) {
                g->failed = true;
                return;
            }
            if (in->nbond)
                memcpy(more, in->bond[k], (size_t)in->nbond * sizeof *more);
            sw_free(a, in->bond[k], (size_t)in->room * sizeof *more);
            in->bond[k] = more;
            if (k == 1)
                in->room = room;
        }
    }
    in->bond[1][in->nbond++] = (swBond){g->potential, item, one, other, 0};
    const int x = root_of(in->root, one), y = root_of(in->root, other);
    in->root[sw_max_int(x, y)] = sw_min_int(x, y); // the first body of an island is its root
}

static bool find_bonds(swState *s) {
    swIslands *in = s->islands;
    swGather gather = {.state = s};
    in->nbond = 0;
    for (int64_t i = 0; i < s->model->size.nbody; i++)
        in->root[i] = (int)i;
    for (int p = 0; sw_potential_at(p); p++) {
        gather.potential = sw_potential_at(p);
        if (gather.potential->pairs)
            gather.potential->pairs(s, add_bond, &gather);
    }
    for (int64_t i = 0; i < s->model->size.nbody && in->nbond; i++)
        in->root[i] = root_of(in->root, (int)i);
    return !gather.failed;
}

static bool prepare_member(swState *s, swBodyState *b) {
    swIslands *in = s->islands;
    swWork **own = &in->own[b->index];
    b->rest->asleep = 0;
    if (b->model != b->base)
        return true; // its memory is its own
    if (!*own)
        *own = create_work(s, s->model->place[b->index].compiled, NULL);
    if (*own)
        b->work = *own;
    return *own != NULL;
}

// Numbers the islands that are awake: one wakes with any of its bodies, and stops with any of them.
static void number_islands(swState *s) {
    enum { AWAKE = 1, STOPPED = 2 };
    swIslands *in = s->islands;
    const int nbody = (int)s->model->size.nbody;
    memset(in->number, 0, (size_t)nbody * sizeof *in->number);
    for (int i = 0; i < nbody; i++) {
        const swBodyRest *rest = s->body[i]->rest;
        in->number[in->root[i]] |= rest->stopped ? STOPPED : rest->asleep ? 0 : AWAKE;
    }
    in->n = 0;
    for (int i = 0; i < nbody; i++)
        if (in->root[i] == i)
            in->number[i] = in->number[i] == AWAKE ? in->n++ : -1;
}

void sw_islands_find(swState *s) {
    swIslands *in = s->islands;
    const int nbody = (int)s->model->size.nbody;
    in->failed = !find_bonds(s);
    number_islands(s);
    memset(in->start, 0, (size_t)(in->n + 1) * sizeof *in->start);
    memset(in->first_bond, 0, (size_t)(in->n + 1) * sizeof *in->first_bond);
    for (int i = 0; i < nbody; i++) {
        const int k = in->number[in->root[i]];
        if (k >= 0)
            s->body[i]->member = in->start[k + 1]++;
    }
    for (int i = 0; i < in->nbond; i++) {
        const int k = in->number[in->root[in->bond[1][i].one]];
        if (k >= 0)
            in->bond[1][i].ordinal = in->first_bond[k + 1]++;
    }
    for (int k = 0; k < in->n; k++) {
        in->start[k + 1] += in->start[k];
        in->first_bond[k + 1] += in->first_bond[k];
    }
    for (int i = 0; i < nbody; i++) {
        const int k = in->number[in->root[i]];
        if (k < 0)
            continue;
        in->body[in->start[k] + s->body[i]->member] = i;
        if (in->start[k + 1] - in->start[k] > 1)
            in->failed = !prepare_member(s, s->body[i]) || in->failed;
    }
    for (int i = 0; i < in->nbond; i++) {
        const int k = in->number[in->root[in->bond[1][i].one]];
        if (k >= 0)
            in->bond[0][in->first_bond[k] + in->bond[1][i].ordinal] = in->bond[1][i];
    }
}

// ---- side by side ----

typedef struct {
    swState *state;
    swIslandTask *fn;
    void *arg;
} swRun;

static void run_alone(const swRun *run, swIsland *is, int index) {
    swBodyState *body = run->state->body[index];
    swReal *q = body->work->q_new;
    swObjective objective = {0};
    is->body = &body;
    is->q = &q;
    is->objective = &objective;
    run->fn(is, run->arg);
}

static void fail_memory(const swState *s, int n, const int *index) {
    for (int i = 0; i < n; i++) {
        swStepReport *report = &s->body[index[i]]->report;
        memset(report, 0, sizeof *report);
        report->status = SW_ERROR_MEMORY;
        snprintf(report->reason, sizeof report->reason, "no memory to solve for it with others");
    }
}

static void run_joined(const swRun *run, swIsland *is, const int *index) {
    const swState *s = run->state;
    const swAllocator *a = &s->config.allocator;
    swJoined **joined = &s->islands->joined[index[0]];
    swError error;
    if (!*joined)
        *joined = sw_alloc(a, sizeof **joined);
    if (!*joined || !sw_joined_enter(*joined, is, index, &error))
        fail_memory(s, is->n, index);
    else
        run->fn(is, run->arg);
}

static void run_one(const swRun *run, int i) {
    const swState *s = run->state;
    const swIslands *in = s->islands;
    const int *index = in->body + in->start[i];
    swIsland is = {.world = s,
                   .n = in->start[i + 1] - in->start[i],
                   .nbond = in->first_bond[i + 1] - in->first_bond[i],
                   .bond = in->bond[0] ? in->bond[0] + in->first_bond[i] : NULL};
    if (in->failed)
        fail_memory(s, is.n, index);
    else if (is.n == 1)
        run_alone(run, &is, *index);
    else
        run_joined(run, &is, index);
}

// The scratch memory is the worker's, unless there is some for every body. It does not matter to
// results which.
static void run_some(int start, int end, int worker, void *arg) {
    const swRun *run = arg;
    const swState *s = run->state;
    const swIslands *in = s->islands;
    for (int i = start; i < end; i++) {
        for (int k = in->start[i]; k < in->start[i + 1]; k++) {
            swBodyState *body = s->body[in->body[k]];
            const int c = s->model->place[body->index].compiled;
            if (in->start[i + 1] - in->start[i] == 1 && body->model == body->base)
                body->work =
                    in->work[c][in->nwork[c] < in->count[c] ? worker : in->ordinal[body->index]];
            body->pool = NULL;
        }
        run_one(run, i);
        for (int k = in->start[i]; k < in->start[i + 1]; k++)
            s->body[in->body[k]]->pool = s->pool;
    }
}

void sw_islands_run(swState *s, swIslandTask *fn, void *arg) {
    swRun run = {s, fn, arg};
    if (s->islands->n >= s->islands->nworker)
        sw_parallel_for(s->pool, s->islands->n, 1, run_some, &run);
    else // the parts of each run side by side
        for (int i = 0; i < s->islands->n; i++)
            run_one(&run, i);
}

// ---- energy ----

typedef struct {
    const swState *state;
    const swPotential *potential;
    swReal *energy;
} swSum;

static void add_energy(int one, int other, int item, void *arg) {
    const swSum *sum = arg;
    const swBond bond = {sum->potential, item, one, other, 0};
    sum->energy[sum->potential->energy] += sw_bond_energy(sum->state, &bond);
}

void sw_islands_energy(const swState *s, swReal energy[SW_ENERGIES]) {
    swSum sum = {.state = s, .energy = energy};
    for (int p = 0; sw_potential_at(p); p++) {
        sum.potential = sw_potential_at(p);
        if (sum.potential->pairs)
            sum.potential->pairs(s, add_energy, &sum);
    }
}
