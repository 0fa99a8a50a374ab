// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies tear: where their vertices are pulled apart, the next model has more of them.
#include "compile/compile.h"
#include "potentials/measure.h"
#include "geometry/tets_tear.h"
#include "world/world.h"

#include <string.h>

enum { SHARE = 500, LEAST = 4 }; // of vertices split in one step: one of so many, and at least

// Splits what is to be split of a body; one where nothing is stays as it is.
static bool tear_body(const swBodyState *s, const swCrack *c, const swMat3 *stress,
                      swTornBody *body, swTearReport *report, swArena *arena, swError *error) {
    const swBodyModel *m = s->model;
    const swNode *node = m->node + m->body[c->body].node;
    const int n = c->nvertex, *sample = m->crack_sample + c->tet;
    swTetMesh mesh = {.nvertex = n, .ntet = c->ntet, .order = 1};
    swVec3 *x = SW_NEW(arena, n, swVec3, error);
    swMat3 *own = SW_NEW(arena, c->ntet, swMat3, error);
    swReal *toughness = SW_NEW(arena, c->ntet, swReal, error);
    bool *held = SW_NEW(arena, n, bool, error);
    mesh.X = SW_NEW(arena, n, swVec3, error);
    mesh.vertex = SW_NEW(arena, 4 * (size_t)c->ntet, int, error);
    if (!x || !own || !toughness || !held || !mesh.X || !mesh.vertex)
        return false;
    memcpy(mesh.X, body->X, (size_t)n * sizeof *x);
    memcpy(mesh.vertex, body->vertex, 4 * (size_t)c->ntet * sizeof *mesh.vertex);
    for (int v = 0; v < n; v++) {
        const swReal *q = s->q + node[v].q;
        x[v] = sw_v3(q[0], q[1], q[2]);
        held[v] = sw_node_is_carried(&node[v]);
    }
    for (int64_t g = 0; g < m->size.ngroup; g++)
        for (int t = 0; m->group[g].body == c->body && t < c->ntet; t++)
            if (sample[t] >= m->group[g].sample &&
                sample[t] < m->group[g].sample + m->group[g].nblock * SW_LANES)
                toughness[t] = m->material[m->group[g].material].toughness;
    for (int t = 0; t < c->ntet; t++)
        own[t] = stress[sample[t]];
    const swTear how = {x, own, toughness, held, sw_max_int(LEAST, n / SHARE)};
    swTorn torn;
    if (!sw_tets_tear(&mesh, &how, &torn, arena, error))
        return false;
    report->splits += torn.splits;
    report->beyond += torn.beyond;
    report->largest = sw_max(report->largest, torn.largest);
    if (torn.splits == 0)
        return true;
    int *root = SW_NEW(arena, mesh.nvertex, int, error);
    if (!root)
        return false;
    for (int i = 0; i < 4 * c->ntet; i++)
        root[mesh.vertex[i]] = body->root[body->vertex[i]];
    body->nvertex = mesh.nvertex;
    body->X = mesh.X;
    body->vertex = mesh.vertex;
    body->root = root;
    return true;
}

// The mesh of a body that can tear, as body number `body`; what it points to belongs to the model
// and the arena.
static bool torn_body(const swBodyModel *m, int body, swTornBody *out, swArena *arena,
                      swError *error) {
    const swCrack *c = &m->crack[0];
    swVec3 *X = SW_NEW(arena, c->nvertex, swVec3, error);
    if (!X)
        return false;
    for (int v = 0; v < c->nvertex; v++)
        X[v] = m->node[v].origin;
    *out = (swTornBody){.body = body,
                        .nvertex = c->nvertex,
                        .ntet = c->ntet,
                        .X = X,
                        .vertex = m->crack_vertex + 4 * c->tet,
                        .root = m->crack_root + c->vertex};
    return true;
}

// Bodies that can tear, as they are. -1: no memory.
static int torn_bodies(const swState *s, swTornBody *out, swArena *arena, swError *error) {
    int n = 0;
    for (int i = 0; i < s->model->size.nbody; i++)
        if (s->body[i]->model->size.ncrack > 0 &&
            !torn_body(s->body[i]->model, i, &out[n++], arena, error))
            return -1;
    return n;
}

static bool tear(const swBodyState *s, swTornBody *body, swTearReport *report, swArena *arena,
                 swError *error) {
    const swBodyModel *m = s->model;
    swMeasureWork work;
    swMat3 *stress = SW_NEW(arena, m->size.nsample, swMat3, error);
    if (!stress || !sw_measure_create(&work, m, 1, arena, error))
        return false;
    const swMeasureInput input = sw_measure_input(s);
    sw_measure_stress(m, &work, NULL, &input, stress);
    return tear_body(s, &m->crack[0], stress, body, report, arena, error);
}

swModel *sw_state_tear(const swState *s, const swScene *scene, swTearReport *report,
                       swError *error) {
    swTearReport about = {0};
    swArena arena;
    swModel *next = NULL;
    sw_error_clear(error);
    sw_arena_init(&arena, &s->config.allocator);
    swTornBody *body = SW_NEW(&arena, s->model->size.nbody, swTornBody, error);
    const int n = body ? torn_bodies(s, body, &arena, error) : -1;
    bool ok = n >= 0;
    for (int i = 0; ok && i < n; i++)
        ok = tear(s->body[body[i].body], &body[i], &about, &arena, error);
    if (ok && about.splits > 0)
        next = sw_compile_counted(scene, s->t, n, body, error);
    sw_arena_free(&arena);
    if (report)
        *report = about;
    return next;
}

swModel *sw_state_cut(const swState *s, const swScene *scene, swReal t, swError *error) {
    swArena arena;
    sw_error_clear(error);
    sw_arena_init(&arena, &s->config.allocator);
    swTornBody *body = SW_NEW(&arena, s->model->size.nbody, swTornBody, error);
    const int n = body ? torn_bodies(s, body, &arena, error) : -1;
    swModel *next = n >= 0 ? sw_compile_counted(scene, t, n, body, error) : NULL;
    sw_arena_free(&arena);
    return next;
}
