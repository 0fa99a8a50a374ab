// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// q -> F -> psi, P, C -> forces and stiffness, chunk by chunk so that everything stays in the
// cache. Tasks do not depend on the number of workers; their results are added in order.
#include "potentials/chunk.h"
#include "potentials/potential.h"

#include "kinematics/element.h"
#include "kinematics/relax.h"
#include "material/plasticity.h"
#include "material/rest.h"
#include "material/terms.h"
#include "material/viscosity.h"

#include <string.h>

enum {
    CHUNK = 16,
    TASK_BLOCKS = 64,
    MAX_TASKS = 16
}; // blocks in a chunk; in a task at least; tasks per group at most

static int task_blocks(const swGroup *g) {
    if (g->nsample > 0)
        return TASK_BLOCKS / g->nsample * g->nsample;
    int share = (g->nblock + MAX_TASKS - 1) / MAX_TASKS;
    return sw_max_int(TASK_BLOCKS, (share + CHUNK - 1) / CHUNK * CHUNK);
}

// Pairs r <= s of rows of the unknowns, each with its stiffness matrix.
static int group_pairs(const swGroup *g) { return sw_group_rows(g) * (sw_group_rows(g) + 1) / 2; }
static size_t stiffness_size(const swGroup *g) {
    return (size_t)group_pairs(g) * (size_t)g->nfree * (size_t)g->nfree * SW_LANES;
}

// Blocks of a chunk: a zone is never cut.
static int chunk_room(const swBodyModel *m) {
    int room = CHUNK;
    for (int64_t i = 0; i < m->size.nzone; i++)
        room = sw_max_int(room, m->zone[i].nblock);
    return room;
}

// Amplitudes of the body's computed strains.
static size_t count_amplitudes(const swBodyModel *m) {
    int most = 0;
    for (int64_t i = 0; i < m->size.ngroup; i++)
        if (m->group[i].amplitudes >= 0)
            most = sw_max_int(most, m->node[m->group[i].amplitudes].nu);
    return (size_t)most;
}

static bool has_elements(const swBodyModel *m) {
    for (int64_t i = 0; i < m->size.ngroup; i++)
        if (m->group[i].nsample > 0)
            return true;
    return false;
}

// Lays a chunk of `room` blocks into `scratch` (NULL: only counts); returns the doubles it takes.
static size_t lay_chunk(const swBodyModel *m, int room, swReal *scratch, swChunk *c) {
    const size_t n = (size_t)room * SW_LANES, columns = (size_t)m->size.max_columns,
                 amplitudes = count_amplitudes(m),
                 relaxed = m->size.nzone > 0 || amplitudes > 0 ? n : 0,
                 dual = (size_t)room * sizeof(swDualGradient) / sizeof(swReal),
                 elements = has_elements(m) ? SW_LANES : 0;
    const size_t rows = 3 * CHUNK * SW_LANES * columns, product = sw_dual_scratch((int)columns);
    const struct {
        swReal **at;
        size_t size;
    } part[] = {{(swReal **)(void *)&c->dual, m->size.nbulk > 0 ? dual : 0},
                {&c->F_nodes, 9 * n},
                {&c->F, 9 * relaxed},
                {&c->F_last, 9 * n},
                {&c->F_before, 9 * n},
                {&c->Fe, m->size.nplastic > 0 || m->size.nstretch > 0 ? 9 * n : 0},
                {&c->inverse, m->size.nstretch > 0 ? SW_PLASTIC * n : 0},
                {&c->psi, n},
                {&c->P, 9 * n},
                {&c->C, SW_TANGENT * n},
                {&c->place, SW_RELAX_PLACES * relaxed},
                {&c->X, 6 * relaxed},
                {&c->coupling, 9 * relaxed},
                {&c->last, 9 * relaxed},
                {&c->a, SW_DUAL * columns},
                {&c->a_last, SW_DUAL * columns},
                {&c->a_before, SW_DUAL * columns},
                {&c->rows, rows > product ? rows : product},
                {&c->force, relaxed || elements ? SW_DUAL * columns * SW_LANES : 0},
                {&c->K, 9 * SW_ELEMENT_PAIRS * elements},
                {&c->strains, relaxed ? 2 * SW_CHUNK_STRAINS * SW_DUAL * columns : 0},
                {&c->pair, 12 * n * amplitudes},
                {&c->changes, 9 * n * amplitudes}};
    size_t at = 0;
    for (int i = 0; i < SW_COUNT(part); i++) {
        *part[i].at = scratch ? scratch + at : NULL;
        at += (part[i].size + 7) / 8 * 8;
    }
    return at;
}

// The chunk's blocks from `skip` on, `count` of them.
static swChunk part_of(const swChunk *c, int skip, int count) {
    const ptrdiff_t n = (ptrdiff_t)skip * SW_LANES;
    swChunk part = *c;
    part.block += skip;
    part.nblock = count;
    part.dual += part.dual ? skip : 0;
    swReal **nine[] = {&part.F_nodes, &part.F, &part.F_last, &part.F_before, &part.P};
    for (int i = 0; i < SW_COUNT(nine); i++)
        *nine[i] += 9 * n;
    part.C += SW_TANGENT * n;
    part.psi += n;
    return part;
}

// The task's blocks from b on that make a chunk.
static int chunk_blocks(const swBodyModel *m, const swGroup *g, int b, int end, int size) {
    if (g->nsample > 0)
        size = size / g->nsample * g->nsample;
    if (g->nzone == 0)
        return sw_min_int(size, end - b);
    int n = 0;
    for (const swZone *c = sw_zone_of(m, g, b); b + n < end; c++) {
        if (n > 0 && n + c->nblock > size)
            break;
        n += c->nblock;
    }
    return n;
}

// The end of a task that begins at block b.
static int task_end(const swBodyModel *m, const swGroup *g, int b) {
    const int size = task_blocks(g);
    return b + chunk_blocks(m, g, b, g->nblock, size);
}

// The blocks of a group that are gone through.
static int blocks_of(const swBodyModel *m, int64_t group, bool step) {
    return step && m->body[m->group[group].body].precomputed ? 0 : m->group[group].nblock;
}

// Those of samples of frames, with room for what they add up to, or those of elements.
static bool add_tasks(swElasticWork *work, const swBodyModel *m, bool elements, bool step,
                      swArena *arena, swError *error) {
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        const size_t own = elements ? 0 : 1;
        for (int b = 0, end; elements == (g->nsample > 0) && b < blocks_of(m, i, step); b = end) {
            swElasticTask *task = &work->task[work->ntask++];
            end = task_end(m, g, b);
            *task = (swElasticTask){.group = (int)i, .block = b, .nblock = end - b};
            task->force = SW_NEW(arena, own * (size_t)(sw_group_rows(g) * g->ncolumn) * SW_LANES,
                                 swReal, error);
            task->K = SW_NEW(arena, step ? own * stiffness_size(g) : 0, swReal, error);
            task->shares = SW_NEW(arena, m->size.nstretch > 0 ? SW_SHARES : 0, swReal, error);
            if (!task->force || !task->K || !task->shares ||
                !sw_corrected_create(m, g, step, arena, task, error))
                return false;
        }
    }
    return true;
}

bool sw_elastic_create(swElasticWork *work, const swBodyModel *m, int workers, bool step,
                       swArena *arena, swError *error) {
    swChunk chunk;
    work->links = (swLinkWork){0};
    work->springs = (swSpringWork){0};
    work->reduced = (swReducedWork){0};
    work->particles = (swParticleWork){0};
    work->volumes = (swVolumesWork){0};
    const bool links = step && m->size.nbody > 0 && m->body[0].precomputed; // have them too
    if (!links && !sw_volumes_create(&work->volumes, m, arena, error))
        return false;
    if (step && (!sw_links_create(&work->links, m, workers, arena, error) ||
                 !sw_springs_create(&work->springs, m, arena, error) ||
                 !sw_reduced_create(&work->reduced, m, arena, error) ||
                 !sw_particles_create(&work->particles, m, arena, error)))
        return false;
    work->room = chunk_room(m);
    const size_t scratch = lay_chunk(m, work->room, NULL, &chunk);
    int ntask = 0;
    for (int64_t i = 0; i < m->size.ngroup; i++)
        for (int b = 0; b < blocks_of(m, i, step); b = task_end(m, &m->group[i], b))
            ntask++;
    work->ntask = 0;
    work->task = SW_NEW(arena, ntask, swElasticTask, error);
    work->scratch = SW_NEW(arena, workers, swReal *, error);
    if (!work->task || !work->scratch)
        return false;
    for (int w = 0; w < workers; w++)
        if (!(work->scratch[w] = SW_NEW(arena, scratch, swReal, error)))
            return false;
    if (!add_tasks(work, m, false, step, arena, error))
        return false;
    const int first = work->ntask;
    return add_tasks(work, m, true, step, arena, error) &&
           sw_elements_create(&work->elements, m, first, ntask - first, work->task + first, step,
                              arena, error);
}

static void scale(int nblock, int entries, const swReal *weight, swReal *data) {
    for (int b = 0; b < nblock; b++) {
        swWide w = sw_wide_load(weight + b * SW_LANES);
        for (int i = 0; i < entries; i++, data += SW_LANES)
            sw_wide_store(data, w * sw_wide_load(data));
    }
}

// Padding has no weight, but an infinite energy there must not become not-a-number.
static swReal weighted_sum(int nblock, const swReal *weight, const swReal *psi) {
    swReal sum = 0;
    for (int i = 0; i < nblock * SW_LANES; i++)
        if (weight[i] > 0)
            sum += weight[i] * psi[i];
    return sum;
}

const swReal *sw_chunk_elastic(swChunk *c, const swReal **inverse) {
    const swElasticInput *input = c->job->input;
    const swBodyModel *m = c->job->model;
    const swGroup *g = c->group;
    const swBodyInfo *body = &m->body[g->body];
    *inverse = NULL;
    if (g->plastic >= 0 && m->material[g->material].plasticity == SW_PLASTICITY_ADDITIVE)
        return c->F; // sw_chunk_law() sees to it
    if (g->plastic >= 0)
        *inverse = input->plastic + g->plastic + (int64_t)c->block * SW_PLASTIC * SW_LANES;
    else if (g->stretch >= 0) {
        const swReal *stretch =
            m->stretch + g->stretch + (int64_t)c->block * body->nshape * SW_STRETCH * SW_LANES;
        sw_rest_inverse(c->nblock, body->nshape,
                        input->activation + sw_control_shape(m, body->shape), stretch, c->inverse);
        *inverse = c->inverse;
    } else
        return c->F;
    sw_plastic_split(c->nblock, *inverse, c->F, c->Fe);
    return c->Fe;
}

void sw_chunk_law(swChunk *c, swReal *P, swReal *C, swProjection projection) {
    const swMaterialInfo *material = &c->job->model->material[c->group->material];
    const swLaw *law = sw_law_at(material->law);
    const swReal *inverse, *F = sw_chunk_elastic(c, &inverse);
    const bool additive = c->group->plastic >= 0 && !inverse;
    if (!additive || C)
        law->evaluate(material->coefficient, c->nblock, F, c->psi, P, C);
    if (additive)
        sw_additive_evaluate(law->strain, material->lame, c->nblock,
                             c->job->input->plastic + c->group->plastic +
                                 (int64_t)c->block * SW_PLASTIC * SW_LANES,
                             F, c->psi, P, C);
    if (material->volume != 0)
        sw_volume_add(material->volume, c->nblock, F, c->psi, P, C);
    if (C)
        sw_law_project(law->isotropic && !additive, projection, c->nblock, F, C);
    if (inverse)
        sw_plastic_pull(c->nblock, inverse, P, C);
}

// The law and the volume term see the elastic part of F, fibres and viscosity all of it.
swReal sw_chunk_evaluate(swChunk *c, bool stress, bool tangent, swProjection projection) {
    const swBodyModel *m = c->job->model;
    const swGroup *g = c->group;
    const swMaterialInfo *material = &m->material[g->material];
    const int nb = c->nblock;
    const swReal *weight = m->sample_weight + g->sample + (int64_t)c->block * SW_LANES;
    const swReal tension = material->fibre_strength * c->job->input->activation[g->material];
    const bool semidefinite = projection != SW_PROJECT_NONE;
    swReal *P = stress ? c->P : NULL, *C = tangent ? c->C : NULL;
    sw_chunk_law(c, P, C, projection);
    if (material->fibre_stiffness > 0 || tension > 0)
        sw_fibre_add(material->fibre, material->fibre_stiffness, material->fibre_exponent, tension,
                     nb, c->F, c->psi, P, C);
    if (c->damping.last > 0)
        sw_viscosity_add(material->lame[0], material->lame[1], c->damping.last, semidefinite, nb,
                         c->F, c->F_last, c->psi, P, C);
    if (c->damping.before < 0)
        sw_viscosity_add(material->lame[0], material->lame[1], c->damping.before, semidefinite, nb,
                         c->F, c->F_before, c->psi, P, C);
    if (P)
        scale(nb, 9, weight, P);
    if (C)
        scale(nb, SW_TANGENT, weight, C);
    return weighted_sum(nb, weight, c->psi);
}

// F at all steps, from what was gathered.
static void find_gradients(swChunk *c) {
    const swBodyModel *m = c->job->model;
    if (c->damping.last > 0)
        sw_group_gradient(m, c->group, c->block, c->nblock, c->at_last, NULL, c->F_last);
    if (c->damping.before < 0)
        sw_group_gradient(m, c->group, c->block, c->nblock, c->at_before, NULL, c->F_before);
    if (!sw_chunk_known(c) || c->group->blend == SW_BLEND_DUAL_QUATERNION) // whose map is needed
        sw_group_gradient(m, c->group, c->block, c->nblock, c->at, c->dual, c->F_nodes);
}

// Energies, and stress and tangent in F_nodes, zone by zone where there are any.
static void evaluate(swChunk *c, swElasticTask *task) {
    const swElasticJob *job = c->job;
    const swBodyModel *m = job->model;
    if (c->group->amplitudes >= 0) {
        sw_chunk_correct(c, task);
        return;
    }
    if (c->group->nzone == 0) {
        c->F = c->F_nodes;
        task->energy += sw_chunk_evaluate(c, job->gradient, job->hessian, job->projection);
        return;
    }
    const swZone *zone = sw_zone_of(m, c->group, c->block);
    for (int at = 0; at < c->nblock; at += zone++->nblock) {
        swChunk part = part_of(c, at, zone->nblock);
        bool done = true;
        if (zone->nstrain == 0) {
            part.F = part.F_nodes;
            task->energy += sw_chunk_evaluate(&part, job->gradient, job->hessian, job->projection);
            continue;
        }
        if (part.nstrain + zone->nstrain > SW_CHUNK_STRAINS)
            sw_chunk_condense(&part, task->K);
        task->energy += sw_chunk_relax(&part, zone, job->input->relax + zone->strain, &done);
        task->unrelaxed += !done;
        c->nstrain = part.nstrain;
    }
}

// Blocks that are assembled at a time: as many as chunk->rows has room for.
static int assembled_blocks(const swGroup *g) {
    return g->blend == SW_BLEND_LINEAR  ? CHUNK
           : g->blend == SW_BLEND_MODES ? CHUNK / 3
                                        : SW_DUAL_CHUNK;
}

// Adds the chunk's stress and tangent to the task's forces and stiffness.
static void assemble(swChunk *c, swElasticTask *task) {
    const swElasticJob *job = c->job;
    const swGroup *g = c->group;
    const bool linear = g->blend == SW_BLEND_LINEAR, strains = g->blend == SW_BLEND_MODES;
    const int n = g->ncolumn, size = assembled_blocks(g);
    for (int at = 0; at < c->nblock; at += size) {
        swChunk part = part_of(c, at, sw_min_int(size, c->nblock - at));
        const swReal *gamma =
            job->model->gamma + g->gamma + (int64_t)part.block * sw_group_stride(g);
        if (job->gradient && linear)
            sw_linear_force(n, part.nblock, gamma, part.P, task->force);
        if (job->hessian && linear)
            sw_linear_stiffness(n, g->nfree, part.nblock, gamma, part.C, task->K, part.rows);
        if (job->gradient && strains)
            sw_modes_force(n, part.nblock, gamma, part.P, task->force);
        if (job->hessian && strains)
            sw_modes_stiffness(n, part.nblock, gamma, part.C, task->K, part.rows);
        if (job->gradient && !linear && !strains)
            sw_dual_blend_force(n, part.nblock, gamma, part.dual, part.P, task->force);
        if (job->hessian && !linear && !strains)
            sw_dual_blend_stiffness(n, g->nfree, part.nblock, gamma, part.dual, part.P, part.C,
                                    job->gauss_newton, task->K, part.rows);
    }
    if (job->hessian)
        sw_chunk_condense(c, task->K);
}

static void run_task(const swElasticJob *job, swElasticTask *task, swReal *scratch) {
    const swBodyModel *m = job->model;
    const swGroup *g = &m->group[task->group];
    const swReal *q_last = job->input->q_last, *q_before = job->input->q_before,
                 stiffness = m->body[g->body].damping_stiffness + job->input->damping;
    const int end = task->block + task->nblock,
              size = g->blend == SW_BLEND_DUAL_QUATERNION ? SW_DUAL_CHUNK : CHUNK;
    swChunk c = {.job = job, .group = g};
    lay_chunk(m, job->work->room, scratch, &c);
    if (q_last && stiffness > 0)
        c.damping = sw_rates(stiffness, job->input->h, q_before != NULL);
    c.at = sw_group_gather(m, g, job->input->q, c.a);
    if (c.damping.last > 0)
        c.at_last = sw_group_gather(m, g, q_last, c.a_last);
    if (c.damping.before < 0)
        c.at_before = sw_group_gather(m, g, q_before, c.a_before);
    task->energy = task->seconds[0] = task->seconds[1] = task->seconds[2] = 0;
    task->unrelaxed = 0;
    const bool own = g->nsample == 0;
    if (job->gradient && own)
        memset(task->force, 0, (size_t)(sw_group_rows(g) * g->ncolumn * SW_LANES) * sizeof(swReal));
    if (job->hessian && own)
        memset(task->K, 0, stiffness_size(g) * sizeof(swReal));
    if (g->amplitudes >= 0)
        sw_corrected_clear(job, g, task);
    double t0 = sw_seconds();
    for (c.block = task->block; c.block < end; c.block += c.nblock) {
        swChunk chunk = c;
        chunk.nblock = c.nblock = chunk_blocks(m, g, c.block, end, size);
        find_gradients(&chunk);
        const double t1 = sw_seconds();
        evaluate(&chunk, task);
        const double t2 = sw_seconds();
        if (own)
            assemble(&chunk, task);
        else
            sw_elements_assemble(&chunk);
        const double t3 = sw_seconds();
        task->seconds[0] += t1 - t0;
        task->seconds[1] += t2 - t1;
        task->seconds[2] += t3 - t2;
        t0 = t3;
    }
}

static void run_tasks(int start, int end, int worker, void *arg) {
    const swElasticJob *job = arg;
    for (int i = start; i < end; i++)
        run_task(job, &job->work->task[job->first + i], job->work->scratch[worker]);
}

static void add_force(const swBodyModel *m, const swGroup *g, const swReal *force, swReal *out) {
    int column = 0;
    for (int i = 0; i < g->nnode; i++) {
        const swNode *node = &m->node[m->group_node[g->node + i]];
        const int width = sw_node_columns(node);
        swReal *to = out + sw_node_ambient(node);
        for (int r = 0; r < sw_group_rows(g); r++)
            for (int k = 0; k < width; k++)
                to[r * width + k] +=
                    sw_wide_sum(sw_wide_load(force + (r * g->ncolumn + column + k) * SW_LANES));
        column += width;
    }
}

// The block at columns (ci, cj) of K goes to rows r, s of nodes i and j.
static void add_block(const swGroup *g, const swNode *ni, int ci, const swNode *nj, int cj,
                      const swReal *K, swBlock H) {
    const int rows = sw_group_rows(g), nfree = g->nfree, wi = sw_node_columns(ni),
              wj = sw_node_columns(nj);
    for (int r = 0; r < rows; r++)
        for (int s = 0; s < rows; s++) {
            const int lo = sw_min_int(r, s), hi = sw_max_int(r, s);
            const int pair = r == s ? r : rows + lo * (2 * rows - lo - 1) / 2 + hi - lo - 1;
            const swReal *Krs = K + (ptrdiff_t)pair * nfree * nfree * SW_LANES;
            for (int a = 0; a < wi; a++) {
                swReal *row = H.data + (r * wi + a) * H.stride + s * wj;
                for (int b = 0; b < wj; b++) {
                    // K_sr = K_rs^T; of K_rr the lower triangle is there
                    bool transpose = r > s || (r == s && ci + a < cj + b);
                    ptrdiff_t at = transpose ? (ptrdiff_t)(cj + b) * nfree + ci + a
                                             : (ptrdiff_t)(ci + a) * nfree + cj + b;
                    row[b] += sw_wide_sum(sw_wide_load(Krs + at * SW_LANES));
                }
            }
        }
}

static void add_stiffness(const swBodyModel *m, const swGroup *g, const swReal *K,
                          const swBlocks *H) {
    const int *node = m->group_node + g->node;
    int ci = 0;
    for (int i = 0; i < g->nnode && ci < g->nfree; i++) {
        const swNode *ni = &m->node[node[i]];
        int cj = 0;
        for (int j = 0; j < g->nnode && cj < g->nfree; j++) {
            const swNode *nj = &m->node[node[j]];
            if (node[j] <= node[i])
                add_block(g, ni, ci, nj, cj, K, sw_blocks_get(H, node[i], node[j]));
            cj += sw_node_columns(nj);
        }
        ci += sw_node_columns(ni);
    }
}

void sw_samples_add(const swBodyModel *m, const swElasticWork *work, swPool *pool,
                    const swElasticInput *input, swSystem *out, swProfile *profile) {
    swElasticJob job = {.model = m,
                        .work = work,
                        .input = input,
                        .gradient = out->g != NULL,
                        .hessian = out->H != NULL,
                        .projection = out->projection,
                        .gauss_newton = out->gauss_newton,
                        .g = out->g,
                        .H = out->H};
    if (work->volumes.pressure)
        out->energy += sw_volumes_find(&work->volumes, m, input->q);
    // Energies alone meet nowhere.
    const bool meet = job.gradient || job.hessian;
    // Where the user stops this nobody looks at what comes out.
    sw_parallel_try(pool, meet ? work->elements.first : work->ntask, 1, run_tasks, &job);
    for (int i = 0; meet && i < work->elements.ncolor; i++) {
        job.first = work->elements.color[i];
        sw_parallel_try(pool, work->elements.color[i + 1] - job.first, 1, run_tasks, &job);
    }
    double start = sw_seconds();
    for (int i = 0; i < work->ntask; i++) {
        const swElasticTask *task = &work->task[i];
        const swGroup *g = &m->group[task->group];
        out->energy += task->energy;
        out->unrelaxed += task->unrelaxed;
        if (out->g && g->nsample == 0)
            add_force(m, g, task->force, out->g);
        if (out->H && g->nsample == 0)
            add_stiffness(m, g, task->K, out->H);
        if (g->amplitudes >= 0)
            sw_corrected_gather(m, task, out);
        if (profile) {
            profile->kinematics += task->seconds[0];
            profile->material += task->seconds[1];
            profile->assembly += task->seconds[2];
            if (out->H && g->blend == SW_BLEND_LINEAR)
                profile->flops += (g->nsample > 0 ? sw_element_flops(g->nnode)
                                                  : sw_linear_flops(g->ncolumn, g->nfree)) *
                                  task->nblock * SW_LANES;
        }
    }
    if (work->volumes.pressure && out->H)
        sw_volumes_stiffness(&work->volumes, m, input->q, out);
    if (profile) {
        profile->assembly += sw_seconds() - start;
        profile->assemblies += out->H != NULL;
    }
}

void sw_elastic_add(const swBodyModel *m, const swElasticWork *work, swPool *pool,
                    const swElasticInput *input, swSystem *out) {
    sw_samples_add(m, work, pool, input, out, NULL);
    if (work->links.task)
        sw_links_add(m, &work->links, pool, input, out);
    if (work->springs.spring)
        sw_springs_add(m, &work->springs, pool, input, out);
    if (work->reduced.scratch)
        sw_reduced_elastic_add(m, &work->reduced, input, out);
    if (work->particles.turn)
        sw_particles_add(m, &work->particles, pool, input, out);
}

// ---- in the table ----

static void add(const swTerm *t, swSystem *out) {
    sw_samples_add(t->m, t->elastic, t->s->pool, &t->in, out, &t->s->profile);
}

const swPotential sw_potential_samples = {
    .name = "samples", .energy = SW_ENERGY_ELASTIC, .add = add, .couple = sw_corrected_couple};
