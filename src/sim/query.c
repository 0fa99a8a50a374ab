// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reading results out of a state.
#include "forces/muscle.h"
#include "kinematics/points.h"
#include "sim/inserts.h"

#include <string.h>

int sw_body_count(const swModel *m) { return (int)m->size.nbody; }
const char *sw_body_name(const swModel *m, int body) {
    return sw_model_text(m, m->body[body].name);
}
int sw_body_vertex_count(const swModel *m, int body) { return m->body[body].npoint; }
int sw_body_triangle_count(const swModel *m, int body) { return m->body[body].ntriangle; }

void sw_body_triangles(const swModel *m, int body, int *out) {
    const swBodyInfo *b = &m->body[body];
    for (int i = 0; i < 3 * b->ntriangle; i++)
        out[i] = m->triangle[3 * b->triangle + i] - b->point;
}

void sw_body_vertices(const swState *s, int body, swVec3 *out) {
    const swBodyInfo *b = &s->model->body[body];
    sw_points_positions(s->model, s->q, b->point, b->npoint, out);
}

int sw_part_count(const swModel *m) { return (int)m->size.npart; }
int sw_part_body(const swModel *m, int part) { return m->part[part].body; }
const char *sw_part_name(const swModel *m, int part) {
    return sw_model_text(m, m->material[m->part[part].material].name);
}
int sw_part_vertex_count(const swModel *m, int part) { return m->part[part].npoint; }
int sw_part_triangle_count(const swModel *m, int part) { return m->part[part].ntriangle; }

void sw_part_triangles(const swModel *m, int part, int *out) {
    const swPartInfo *p = &m->part[part];
    for (int i = 0; i < 3 * p->ntriangle; i++)
        out[i] = m->triangle[3 * p->triangle + i] - p->point;
}

void sw_part_vertices(const swState *s, int part, swVec3 *out) {
    const swPartInfo *p = &s->model->part[part];
    sw_points_positions(s->model, s->q, p->point, p->npoint, out);
}

int sw_probe_count(const swModel *m) { return (int)m->size.nprobe; }
const char *sw_probe_name(const swModel *m, int probe) {
    return sw_model_text(m, m->probe[probe].name);
}

int sw_probe_find(const swModel *m, const char *name) {
    for (int i = 0; i < m->size.nprobe; i++)
        if (strcmp(sw_probe_name(m, i), name) == 0)
            return i;
    return -1;
}

swVec3 sw_probe_position(const swState *s, int probe) {
    return sw_point_position(s->model, s->q, s->model->probe[probe].point);
}

swVec3 sw_probe_displacement(const swState *s, int probe) {
    swVec3 start = sw_point_position(s->model, s->model->q0, s->model->probe[probe].point);
    return sw_sub(sw_probe_position(s, probe), start);
}

int sw_material_find(const swModel *m, const char *name) {
    for (int i = 0; i < m->size.nmaterial; i++)
        if (strcmp(sw_model_text(m, m->material[i].name), name) == 0)
            return i;
    return -1;
}

int sw_handle_count(const swModel *m) { return (int)m->size.nhandle; }
const char *sw_handle_name(const swModel *m, int handle) {
    return sw_model_text(m, m->handle[handle].name);
}

void sw_handle_wrench(const swState *s, int handle, swVec3 *force, swVec3 *torque) {
    memcpy(force, s->handle_wrench + 6 * handle, sizeof *force);
    memcpy(torque, s->handle_wrench + 6 * handle + 3, sizeof *torque);
}

int sw_muscle_count(const swModel *m) { return (int)m->size.nmuscle; }
const char *sw_muscle_name(const swModel *m, int muscle) {
    return sw_model_text(m, m->muscle[muscle].name);
}

int sw_muscle_find(const swModel *m, const char *name) {
    for (int i = 0; i < m->size.nmuscle; i++)
        if (strcmp(sw_muscle_name(m, i), name) == 0)
            return i;
    return -1;
}

void sw_muscle_ends(const swState *s, int muscle, swVec3 *from, swVec3 *to) {
    const swMuscleInfo *info = &s->model->muscle[muscle];
    *from = sw_point_position(s->model, s->q, info->point[0]);
    *to = sw_point_position(s->model, s->q, info->point[1]);
}

static swVec3 between_ends(const swState *s, int muscle) {
    swVec3 from, to;
    sw_muscle_ends(s, muscle, &from, &to);
    return sw_sub(to, from);
}

swReal sw_muscle_length(const swState *s, int muscle) { return sw_norm(between_ends(s, muscle)); }

swReal sw_muscle_activation(const swState *s, int muscle) {
    return s->activation[sw_control_muscle(s->model, muscle)];
}

swReal sw_muscle_force(const swState *s, int muscle) {
    return sw_muscle_tension(&s->model->muscle[muscle], sw_muscle_activation(s, muscle),
                             between_ends(s, muscle));
}

int sw_rest_shape_count(const swModel *m) { return (int)m->size.nshape; }
const char *sw_rest_shape_name(const swModel *m, int shape) {
    return sw_model_text(m, m->shape[shape].name);
}

int sw_rest_shape_find(const swModel *m, const char *name) {
    for (int i = 0; i < m->size.nshape; i++)
        if (strcmp(sw_rest_shape_name(m, i), name) == 0)
            return i;
    return -1;
}

swReal sw_rest_shape_value(const swState *s, int shape) {
    return s->activation[sw_control_shape(s->model, shape)];
}

int sw_frame_count(const swModel *m) { return (int)m->size.nnode; }

void sw_frame_get(const swState *s, int frame, swVec3 *position, swMat3 *linear) {
    const swNode *node = &s->model->node[frame];
    const swReal *A = s->q + node->q;
    for (int i = 0; sw_node_is_inserted(s->model, frame) && i < SW_INSERTS; i++)
        if (s->insert[i].used && sw_insert_node(s, i) == frame) {
            sw_insert_place(s, i, position, linear);
            return;
        }
    const int d = node->width;
    *position = sw_v3(A[0], A[d], A[2 * d]);
    *linear = sw_mat_identity();
    for (int r = 0; r < 3 && d >= 4; r++)
        memcpy(linear->m + 3 * r, A + r * d + 1, 3 * sizeof *A);
}

swEnergy sw_state_energy(const swState *s) { return sw_state_energy_with(s, s->activation); }

swEnergy sw_state_energy_with(const swState *s, const swReal *activation) {
    const swModel *m = sw_state_enter(s->model, s);
    swSystem elastic = {0}, loads = {0};
    sw_amplitudes_recall(s);
    sw_particles_turn(m, &s->work->elastic.particles, s->pool, s->q);
    swElasticInput input = {
        .q = s->q, .activation = activation, .plastic = s->plastic, .relax = s->work->relax};
    sw_elastic_add(m, &s->work->elastic, s->pool, &input, &elastic, NULL);
    sw_loads_add(m, s->q, 1, &loads);
    swBulkInput dead = {.q = s->q, .load = 1};
    sw_bulk_add(m, &s->work->bulk, &dead, &loads);
    sw_inflate_add(m, &s->work->inflate, s->q, 1, &loads);
    swReal kinetic = sw_mass_energy(m, s->v);
    for (int i = 0; i < m->size.nbulk; i++)
        for (int k = 0; k < m->bulk[i].nblock * SW_LANES; k++)
            kinetic +=
                0.5 * sw_bulk_mass(m, i, k) * sw_norm2(s->bulk_velocity[m->bulk[i].point + k]);
    swSystem contact = {0};
    sw_colliders_pose(m, s->t, s->work->pose);
    swContactInput touch = {.q = s->q, .pose = s->work->pose, .ball = s->ball};
    sw_contact_add(m, &touch, &contact);
    swSystem pulls = {0};
    sw_pulls_add(m, s->pull, s->q, &pulls);
    sw_holds_add(m, s->t, s->q, &pulls);
    swSystem muscles = {0};
    sw_muscles_add(m, activation, s->q, &muscles);
    return (swEnergy){elastic.energy + sw_follow_energy(m, activation),
                      kinetic,
                      loads.energy,
                      contact.energy,
                      pulls.energy,
                      muscles.energy};
}

void sw_state_momentum(const swState *s, swVec3 *linear, swVec3 *angular) {
    const swModel *m = s->model;
    *linear = *angular = sw_v3(0, 0, 0);
    swVec3 *place = s->work->bulk_last; // free between steps
    sw_bulk_positions(m, s->q, place);
    for (int i = 0; i < m->size.nbulk; i++)
        for (int k = 0; k < m->bulk[i].nblock * SW_LANES; k++) {
            const int at = m->bulk[i].point + k;
            const swVec3 p = sw_scale(sw_bulk_mass(m, i, k), s->bulk_velocity[at]);
            *linear = sw_add(*linear, p);
            *angular = sw_add(*angular, sw_cross(place[at], p));
        }
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *n = &m->node[i];
        const swReal *v = s->v + n->q;
        for (int c = 0; c < n->width && !sw_node_is_dual(n); c++)
            *linear = sw_madd(*linear, m->weight_load[n->q / 3 + c],
                              sw_v3(v[c], v[n->width + c], v[2 * n->width + c]));
    }
    for (int64_t i = 0; i < m->size.nreduced; i++) {
        const swReducedInfo *info = &m->reduced[i];
        const swNode *n = &m->node[info->node];
        const swMat3 R = sw_node_rotation(n, s->q);
        swVec3 first;
        swMat3 M; // of velocities with places
        sw_reduced_moments(m, info, s->q + sw_node_ambient(n), s->v + sw_node_ambient(n), &first,
                           &M);
        const swVec3 p = sw_mul(R, first),
                     L = sw_v3(M.m[7] - M.m[5], M.m[2] - M.m[6], M.m[3] - M.m[1]),
                     origin = sw_v3(s->q[n->q], s->q[n->q + 4], s->q[n->q + 8]);
        *linear = sw_add(*linear, p);
        *angular = sw_add(*angular, sw_add(sw_mul(R, L), sw_cross(origin, p)));
    }
    for (int64_t p = 0; p < m->size.npair; p++)
        for (int swap = 0; m->pair[p].mass >= 0 && swap <= (m->pair[p].i != m->pair[p].j);
             swap++) { // M_ab x_a x v_b over both orders
            const swNode *ni = &m->node[m->pair[p].i], *nj = &m->node[m->pair[p].j];
            const swReal *M = m->mass + m->pair[p].mass;
            for (int a = 0; a < ni->width; a++)
                for (int b = 0; b < nj->width; b++) {
                    const swNode *nx = swap ? nj : ni, *nv = swap ? ni : nj;
                    int cx = swap ? b : a, cv = swap ? a : b;
                    const swReal *x = s->q + nx->q, *v = s->v + nv->q;
                    swVec3 X = sw_v3(x[cx], x[nx->width + cx], x[2 * nx->width + cx]);
                    swVec3 V = sw_v3(v[cv], v[nv->width + cv], v[2 * nv->width + cv]);
                    *angular = sw_madd(*angular, M[a * nj->width + b], sw_cross(X, V));
                }
        }
}

swSolverInfo sw_state_solver(const swState *s) {
    const swLinear *l = &s->work->linear;
    return (swSolverInfo){.linear = l->kind,
                          .matrix = (double)l->A->count,
                          .factors = l->vertices ? (double)l->A->count : l->factor.nonzeros,
                          .memory =
                              sizeof *s + s->block_size + sizeof *s->work + s->work->arena.total};
}
