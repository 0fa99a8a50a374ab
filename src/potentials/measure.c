// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/measure.h"

#include "potentials/chunk.h"
#include "kinematics/correct.h"
#include "kinematics/relax.h"
#include "material/terms.h"

#include <string.h>

bool sw_measure_create(swMeasureWork *work, const swBodyModel *m, int workers, swArena *arena,
                       swError *error) {
    work->activation = SW_NEW(arena, sw_control_count(m), swReal, error);
    work->plastic = SW_NEW(arena, m->size.nplastic, swReal, error);
    work->relax = SW_NEW(arena, m->size.nrelax, swReal, error);
    work->g = SW_NEW(arena, m->size.nq, swReal, error);
    if (!work->activation || !work->plastic || !work->relax || !work->g)
        return false;
    sw_plastic_reset(m, work->plastic);
    return sw_elastic_create(&work->elastic, m, workers, false, arena, error);
}

// sqrt(3/2) |dev sigma|; of a flat sample, whose stress has no bound, as if it had some volume.
static swReal von_mises(swMat3 P, swMat3 F) {
    const swReal J = sw_max(fabs(sw_mat_det(F)), 1e-9);
    const swMat3 S = sw_mat_mul(P, sw_mat_t(F));
    const swReal xx = S.m[0], yy = S.m[4], zz = S.m[8], xy = S.m[1], yz = S.m[5], zx = S.m[6];
    return sqrt(0.5 * ((xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx)) +
                3 * (xy * xy + yz * yz + zx * zx)) /
           J;
}

static swReal largest_strain(swMat3 F) {
    swMat3 U, V;
    swVec3 stretch;
    sw_mat_svd(F, &U, &stretch, &V);
    return stretch.x - 1;
}

// Energy of what holds a block's relaxed strains back.
static swReal held_back(const swChunk *c) {
    const swBodyModel *m = c->job->model;
    const swZone *zone = sw_zone_of(m, c->group, c->block);
    swReal energy = 0, place[SW_RELAX_PLACES * SW_LANES];
    if (!zone || zone->nstrain == 0)
        return 0;
    swRelaxStrains strains;
    swZone one = *zone;
    one.block = c->block;
    one.nblock = 1;
    sw_relax_strains(zone, &strains);
    sw_relax_places(m, &one, place);
    sw_relax_guard(
        &strains, 1, place, m->sample_weight + c->group->sample + (int64_t)c->block * SW_LANES,
        &m->material[c->group->material], c->job->input->relax + zone->strain, &energy, NULL, NULL);
    return energy;
}

static swMat3 lane_of(const swReal *wide, int lane, swReal scale) {
    swMat3 A;
    for (int k = 0; k < 9; k++)
        A.m[k] = scale * wide[k * SW_LANES + lane];
    return A;
}

typedef struct {
    swElasticJob elastic;
    swMeasure measure;
    swReal *out;
    swMat3 *stress; // instead, or NULL
} swMeasureJob;

// One block, from F on.
static void measure_block(const swMeasureJob *job, swChunk *c) {
    const swBodyModel *m = job->elastic.model;
    const int64_t first = c->group->sample + (int64_t)c->block * SW_LANES;
    const swReal *volume = m->sample_volume + first, *weight = m->sample_weight + first;
    const swReal *inverse, *F = c->group->stretch >= 0 ? sw_chunk_elastic(c, &inverse) : c->F;
    const swReal *pressure = job->elastic.work->volumes.pressure; // of regions' volumes
    swReal all = 0, held = 0;
    if (job->measure != SW_MEASURE_STRAIN)
        sw_chunk_evaluate(c, job->measure == SW_MEASURE_STRESS, false, SW_PROJECT_NONE);
    if (job->measure == SW_MEASURE_STRESS && pressure)
        sw_pressure_add(pressure + first, 1, c->F, c->P, NULL);
    if (job->measure == SW_MEASURE_ENERGY) {
        held = held_back(c);
        for (int lane = 0; lane < SW_LANES; lane++)
            all += weight[lane];
    }
    for (int lane = 0; lane < SW_LANES; lane++) {
        swReal value = 0;
        if (job->stress) {
            const swMat3 now = lane_of(c->F, lane, 1);
            const swReal J = sw_mat_det(now);
            job->stress[first + lane] =
                volume[lane] > 0 && J > 0
                    ? sw_mat_mul(lane_of(c->P, lane, 1 / (J * volume[lane])), sw_mat_t(now))
                    : (swMat3){{0}};
            continue;
        }
        if (!(volume[lane] > 0))
            value = 0;
        else if (job->measure == SW_MEASURE_STRAIN)
            value = largest_strain(lane_of(F, lane, 1));
        else if (job->measure == SW_MEASURE_STRESS)
            value = von_mises(lane_of(c->P, lane, 1 / volume[lane]), lane_of(c->F, lane, 1));
        else if (all > 0)
            value = weight[lane] / volume[lane] * (c->psi[lane] + held / all) +
                    (pressure ? 0.5 * pressure[first + lane] / volume[lane] *
                                    (sw_mat_det(lane_of(c->F, lane, 1)) - 1)
                              : 0);
        job->out[first + lane] = isfinite(value) ? value : 0;
    }
}

static void run_tasks(int start, int end, int worker, void *arg) {
    const swMeasureJob *job = arg;
    const swBodyModel *m = job->elastic.model;
    const swElasticInput *input = job->elastic.input;
    swReal F[9 * SW_LANES], Fe[9 * SW_LANES], P[9 * SW_LANES], psi[SW_LANES],
        inverse[SW_PLASTIC * SW_LANES];
    for (int i = start; i < end; i++) {
        const swElasticTask *task = &job->elastic.work->task[i];
        swChunk c = {.job = &job->elastic,
                     .group = &m->group[task->group],
                     .nblock = 1,
                     .F = F,
                     .Fe = Fe,
                     .inverse = inverse,
                     .P = P,
                     .psi = psi};
        const swReal *a = sw_group_gather(m, c.group, input->q, job->elastic.work->scratch[worker]);
        for (c.block = task->block; c.block < task->block + task->nblock; c.block++) {
            sw_group_gradient(m, c.group, c.block, 1, a, NULL, F);
            sw_group_relax(m, c.group, c.block, 1, input->relax, F);
            sw_group_correct(m, c.group, c.block, 1, input->q, F);
            measure_block(job, &c);
        }
    }
}

static void perform(const swBodyModel *m, const swMeasureWork *work, swPool *pool,
                    const swMeasureInput *in, swMeasureJob job) {
    swElasticInput input = {.q = in->q,
                            .activation = in->activation ? in->activation : work->activation,
                            .plastic = in->plastic ? in->plastic : work->plastic,
                            .relax = work->relax};
    const size_t relax = (size_t)m->size.nrelax * sizeof *work->relax;
    if (in->relax)
        memcpy(work->relax, in->relax, relax);
    else if (relax > 0) {
        // From nothing, so that results do not depend on what was asked before; with a gradient,
        // so that the last step of the search is taken.
        swSystem found = {.g = work->g};
        memset(work->relax, 0, relax);
        memset(work->g, 0, (size_t)m->size.nq * sizeof *work->g);
        sw_elastic_add(m, &work->elastic, pool, &input, &found);
    }
    if (work->elastic.volumes.pressure)
        sw_volumes_find(&work->elastic.volumes, m, in->q);
    job.elastic = (swElasticJob){.model = m, .work = &work->elastic, .input = &input};
    sw_parallel_for(pool, work->elastic.ntask, 1, run_tasks, &job);
}

void sw_measure(const swBodyModel *m, const swMeasureWork *work, swPool *pool, swMeasure measure,
                const swMeasureInput *in, swReal *out) {
    perform(m, work, pool, in, (swMeasureJob){.measure = measure, .out = out});
}

void sw_measure_stress(const swBodyModel *m, const swMeasureWork *work, swPool *pool,
                       const swMeasureInput *in, swMat3 *out) {
    perform(m, work, pool, in, (swMeasureJob){.measure = SW_MEASURE_STRESS, .stress = out});
}
