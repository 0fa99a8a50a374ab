// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "solve/island.h"

#include "kinematics/rigid.h"

#include <stdlib.h>
#include <string.h>

// ---- what acts between bodies ----

static void visit_bonds(const swIsland *is, swCoupled *c) {
    for (int i = 0; i < is->nbond; i++) {
        const swBond *b = &is->bond[i];
        b->potential->between(c, is->world, b->item, is->world->body[b->one]->member,
                              is->world->body[b->other]->member);
    }
}

void sw_joined_add(const swIsland *is, bool trial, bool hessian, swProjection projection,
                   swValue *value) {
    swJoined *j = is->joined;
    swCoupled c = {.n = is->n, .body = j->coupled, .A = hessian ? &j->A : NULL};
    if (hessian)
        sw_blocks_clear(&j->A);
    for (int i = 0; i < is->n; i++) {
        swWork *w = is->body[i]->work;
        j->coupled[i].s = is->body[i];
        j->coupled[i].q = trial ? w->q_trial : is->q[i];
        j->coupled[i].sys =
            (swSystem){.g = w->g, .H = hessian ? &w->H : NULL, .projection = projection};
    }
    visit_bonds(is, &c);
    for (int i = 0; i < is->n; i++) {
        const swSystem *sys = &j->coupled[i].sys;
        swBalance *balance = is->body[i]->work->balance;
        balance->scale = sw_max(balance->scale, sys->force);
        sw_nodes_release(is->body[i]->model, sys->g);
        value->energy += sys->energy;
        value->magnitude += fabs(sys->energy) + sys->cancelled;
    }
}

swReal sw_bond_energy(const swState *world, const swBond *b) {
    swCoupledBody body[2] = {{.s = world->body[b->one], .q = world->body[b->one]->q},
                             {.s = world->body[b->other], .q = world->body[b->other]->q}};
    swCoupled c = {.n = 2, .body = body};
    b->potential->between(&c, world, b->item, 0, 1);
    return body[0].sys.energy + body[1].sys.energy;
}

// ---- the matrix of all ----

typedef struct {
    swArena *arena;
    int count, room;
    int (*bridge)[2];
    bool failed;
} swBridges;

static void need(void *context, int row, int column) {
    swBridges *l = context;
    if (l->count == l->room) {
        const int room = sw_max_int(64, 2 * l->room);
        int(*more)[2] = sw_arena_alloc(l->arena, (size_t)room, sizeof *more, NULL);
        if (!more) {
            l->failed = true;
            return;
        }
        if (l->count)
            memcpy(more, l->bridge, (size_t)l->count * sizeof *more);
        l->bridge = more;
        l->room = room;
    }
    l->bridge[l->count][0] = sw_max_int(row, column);
    l->bridge[l->count++][1] = sw_min_int(row, column);
}

static int by_place(const void *a, const void *b) {
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] != y[1] ? (x[1] < y[1] ? -1 : 1) : 0;
}

static int without_copies(int n, int (*bridge)[2]) {
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || by_place(bridge[i], bridge[kept - 1]) != 0)
            memmove(bridge[kept++], bridge[i], sizeof *bridge);
    return kept;
}

// Rows of all bodies one after the other; in each first what is between it and bodies before it.
static bool lay_out(swJoined *j, const swIsland *is, swError *error) {
    swArena *a = &j->layout;
    int nnode = 0, nblock = j->nbridge, ndof = 0;
    for (int i = 0; i < is->n; i++) {
        j->node[i] = nnode;
        j->dof[i] = ndof;
        nnode += (int)is->body[i]->model->size.nnode;
        ndof += (int)is->body[i]->model->size.ndof;
        nblock += (int)is->body[i]->model->size.npair;
    }
    int *row = SW_NEW(a, nnode + 1, int, error), *column = SW_NEW(a, nblock, int, error),
        *size = SW_NEW(a, nnode, int, error);
    j->block = SW_NEW(a, nblock, int, error);
    if (!row || !column || !size || !j->block)
        return false;
    int bridge = 0, at = 0, block = 0;
    for (int i = 0; i < is->n; i++) {
        const swBodyModel *m = is->body[i]->model;
        for (int n = 0, pair = 0; n < m->size.nnode; n++) {
            size[j->node[i] + n] = m->node[n].ndof;
            for (; bridge < j->nbridge && j->bridge[bridge][0] == j->node[i] + n; bridge++)
                column[at++] = j->bridge[bridge][1];
            for (; pair < m->size.npair && m->pair[pair].i == n; pair++) {
                j->block[block++] = at;
                column[at++] = j->node[i] + m->pair[pair].j;
            }
            row[j->node[i] + n + 1] = at;
        }
    }
    const swSettings *settings = &is->world->model->settings;
    if (!sw_blocks_create(&j->A, (swPattern){nnode, row, column}, size, a, error) ||
        !sw_linear_create(&j->linear, &j->A, (swLinearKind)settings->linear,
                          sw_work_gradients(settings), a, error) ||
        !(j->residual = SW_NEW(a, ndof, swReal, error)) ||
        !(j->step = SW_NEW(a, ndof, swReal, error)) || !(j->size = SW_NEW(a, ndof, swReal, error)))
        return false;
    sw_linear_watch(&j->linear, is->world->pool);
    return true;
}

static bool has_bodies(const swJoined *j, int n, const int *body) {
    return j->nbody == n && memcmp(j->body, body, (size_t)n * sizeof *body) == 0;
}

// For other bodies: everything anew.
static bool begin(swJoined *j, const swState *world, int n, const int *body, swError *error) {
    sw_joined_free(j);
    sw_arena_init(&j->arena, &world->config.allocator);
    swArena *a = &j->arena;
    if (!(j->state = SW_NEW(a, n, swBodyState *, error)) ||
        !(j->objective = SW_NEW(a, n, swObjective, error)) ||
        !(j->q = SW_NEW(a, n, swReal *, error)) ||
        !(j->coupled = SW_NEW(a, n, swCoupledBody, error)) ||
        !(j->body = SW_NEW(a, n, int, error)) || !(j->node = SW_NEW(a, n, int, error)) ||
        !(j->dof = SW_NEW(a, n, int, error)))
        return false;
    memcpy(j->body, body, (size_t)n * sizeof *body);
    j->nbody = n;
    j->nbridge = -1;
    for (int i = 0, node = 0; i < n; i++) {
        j->coupled[i].node = node;
        node += (int)world->body[body[i]]->model->size.nnode;
    }
    return true;
}

static bool plan(swJoined *j, const swIsland *is, swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &is->world->config.allocator);
    swBridges bridges = {.arena = &scratch};
    swCoupled c = {.n = is->n, .body = j->coupled, .need = need, .context = &bridges};
    for (int i = 0; i < is->n; i++) {
        j->coupled[i].s = is->body[i];
        j->coupled[i].q = is->body[i]->q;
    }
    visit_bonds(is, &c);
    bool ok = !bridges.failed || sw_fail_memory(error, sizeof *bridges.bridge);
    if (ok && bridges.count) {
        qsort(bridges.bridge, (size_t)bridges.count, sizeof *bridges.bridge, by_place);
        bridges.count = without_copies(bridges.count, bridges.bridge);
    }
    const size_t bytes = (size_t)sw_max_int(bridges.count, 0) * sizeof *bridges.bridge;
    if (ok &&
        (j->nbridge != bridges.count || (bytes && memcmp(j->bridge, bridges.bridge, bytes) != 0))) {
        if (j->layout.allocator.resize)
            sw_arena_free(&j->layout);
        sw_arena_init(&j->layout, &is->world->config.allocator);
        ok = (j->bridge =
                  sw_arena_alloc(&j->layout, (size_t)bridges.count + 1, sizeof *j->bridge, error));
        if (ok && bytes)
            memcpy(j->bridge, bridges.bridge, bytes);
        j->nbridge = bridges.count;
        ok = ok && lay_out(j, is, error);
    }
    if (!ok)
        j->nbody = 0; // everything anew next time
    sw_arena_free(&scratch);
    return ok;
}

bool sw_joined_enter(swJoined *j, swIsland *is, const int *body, swError *error) {
    if (!has_bodies(j, is->n, body) && !begin(j, is->world, is->n, body, error)) {
        j->nbody = 0;
        return false;
    }
    is->joined = j;
    is->body = j->state;
    is->objective = j->objective;
    is->q = j->q;
    for (int i = 0; i < is->n; i++) {
        j->state[i] = is->world->body[body[i]];
        j->q[i] = j->state[i]->work->q_new;
    }
    return plan(j, is, error);
}

void sw_joined_free(swJoined *j) {
    if (j->arena.allocator.resize)
        sw_arena_free(&j->arena);
    if (j->layout.allocator.resize)
        sw_arena_free(&j->layout);
    *j = (swJoined){0};
}

void sw_joined_take_residual(const swIsland *is) {
    for (int i = 0; i < is->n; i++)
        memcpy(is->joined->residual + is->joined->dof[i], is->body[i]->work->residual,
               (size_t)is->body[i]->model->size.ndof * sizeof(swReal));
}

void sw_joined_take(const swIsland *is) {
    swJoined *j = is->joined;
    const int *to = j->block;
    for (int i = 0; i < is->n; i++) {
        const swBodyModel *m = is->body[i]->model;
        const swWork *w = is->body[i]->work;
        for (int p = 0; p < m->size.npair; p++, to++) {
            const size_t count =
                (size_t)m->node[m->pair[p].i].ndof * (size_t)m->node[m->pair[p].j].ndof;
            memcpy(j->A.value + j->A.at[*to], w->A.value + w->A.at[p], count * sizeof(swReal));
        }
        memcpy(j->size + j->dof[i], w->size, (size_t)m->size.ndof * sizeof(swReal));
    }
    sw_joined_take_residual(is);
}

void sw_joined_give(const swIsland *is) {
    const swJoined *j = is->joined;
    for (int i = 0; i < is->n; i++)
        memcpy(is->body[i]->work->step, j->step + j->dof[i],
               (size_t)is->body[i]->model->size.ndof * sizeof(swReal));
}
