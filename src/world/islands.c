// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "world/inserts.h"
#include "world/islands.h"

// Equal bodies share scratch memory, as many as there are threads: it stays in the cache. Particles
// keep what they know of the last evaluation there.
static int works_of(const swState *s, size_t compiled) {
    const int count = s->islands->count[compiled];
    const bool own = s->model->compiled[compiled]->size.nparticle > 0;
    return own ? count : sw_min_int(count, s->islands->nworker);
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
    in->ordinal = sw_alloc(a, nbody * sizeof *in->ordinal);
    in->body = sw_alloc(a, nbody * sizeof *in->body);
    if (!in->count || !in->nwork || !in->work || !in->ordinal || !in->body)
        return sw_fail_memory(error, nbody * sizeof *in->body);
    for (size_t i = 0; i < nbody; i++)
        in->ordinal[i] = in->count[m->place[i].compiled]++;
    for (size_t c = 0; c < ncompiled; c++) {
        in->nwork[c] = works_of(s, c);
        if (!(in->work[c] = sw_alloc(a, (size_t)in->nwork[c] * sizeof *in->work[c])))
            return sw_fail_memory(error, (size_t)in->nwork[c] * sizeof *in->work[c]);
        for (int k = 0; k < in->nwork[c]; k++)
            if (!(in->work[c][k] = sw_work_create(m->compiled[c], s->pool,
                                                  sw_body_state_bytes(m->compiled[c]), error)))
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
    sw_free(a, in->work, ncompiled * sizeof *in->work);
    sw_free(a, in->count, ncompiled * sizeof *in->count);
    sw_free(a, in->nwork, ncompiled * sizeof *in->nwork);
    sw_free(a, in->ordinal, nbody * sizeof *in->ordinal);
    sw_free(a, in->body, nbody * sizeof *in->body);
    sw_free(a, in, sizeof *in);
    s->islands = NULL;
}

void sw_islands_find(swState *s) {
    swIslands *in = s->islands;
    in->n = 0;
    for (int64_t i = 0; i < s->model->size.nbody; i++)
        if (!s->body[i]->rest->asleep && !s->body[i]->rest->stopped)
            in->body[in->n++] = (int)i;
}

typedef struct {
    swState *state;
    swIslandTask *fn;
    void *arg;
} swRun;

// The scratch memory is the worker's, unless there is some for every body. It does not matter to
// results which.
static void run_some(int start, int end, int worker, void *arg) {
    const swRun *run = arg;
    const swState *s = run->state;
    const swIslands *in = s->islands;
    for (int i = start; i < end; i++) {
        swBodyState *body = s->body[in->body[i]];
        const int c = s->model->place[body->index].compiled;
        if (body->model == body->base)
            body->work =
                in->work[c][in->nwork[c] < in->count[c] ? worker : in->ordinal[body->index]];
        body->pool = NULL;
        run->fn(body, run->arg);
        body->pool = s->pool;
    }
}

void sw_islands_run(swState *s, swIslandTask *fn, void *arg) {
    swRun run = {s, fn, arg};
    if (s->islands->n >= s->islands->nworker)
        sw_parallel_for(s->pool, s->islands->n, 1, run_some, &run);
    else // the parts of each run side by side
        for (int i = 0; i < s->islands->n; i++)
            fn(s->body[s->islands->body[i]], arg);
}
