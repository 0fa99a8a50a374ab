// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reading results out of a state.
#include "potentials/muscle.h"
#include "kinematics/points.h"
#include "world/world.h"

#include <string.h>

// ---- bodies and their parts ----

int sw_body_count(const swModel *m) { return (int)m->size.nbody; }
const char *sw_body_name(const swModel *m, int body) {
    return sw_model_text(m, m->place[body].name);
}
int sw_body_find(const swModel *m, const char *name) {
    for (int i = 0; i < m->size.nbody; i++)
        if (strcmp(sw_body_name(m, i), name) == 0)
            return i;
    return -1;
}

// A surface of a body, as one of its parts.
static swPartInfo outer(const swModel *m, int body) {
    return sw_body_outer(sw_model_body(m, body), 0);
}

static void copy_triangles(const swBodyModel *m, const swPartInfo *p, int *out) {
    for (int i = 0; i < 3 * p->ntriangle; i++)
        out[i] = m->triangle[3 * p->triangle + i] - p->point;
}

static void copy_vertices(const swBodyState *s, const swPartInfo *p, swVec3 *out) {
    sw_points_positions(s->model, s->q, p->point, p->npoint, out);
}

swReal sw_body_volume(const swModel *m, int body) { return sw_model_body(m, body)->body[0].volume; }
swReal sw_body_voxel(const swModel *m, int body) { return sw_model_body(m, body)->body[0].voxel; }

int sw_body_vertex_count(const swModel *m, int body) { return outer(m, body).npoint; }
int sw_body_triangle_count(const swModel *m, int body) { return outer(m, body).ntriangle; }

void sw_body_triangles(const swModel *m, int body, int *out) {
    const swPartInfo p = outer(m, body);
    copy_triangles(sw_model_body(m, body), &p, out);
}

void sw_body_vertices(const swState *s, int body, swVec3 *out) {
    const swPartInfo p = outer(s->model, body);
    copy_vertices(s->body[body], &p, out);
}

int sw_part_count(const swModel *m) { return sw_model_last(m).part; }

static const swPartInfo *part_of(const swModel *m, int part, int *body) {
    *body = SW_OWNER(m, part, part);
    return &sw_model_body(m, *body)->part[part - m->place[*body].part];
}

int sw_part_body(const swModel *m, int part) { return SW_OWNER(m, part, part); }

const char *sw_part_name(const swModel *m, int part) {
    int body;
    const swPartInfo *p = part_of(m, part, &body);
    const swBodyModel *b = sw_model_body(m, body);
    return sw_body_text(b, b->material[p->material].name);
}

int sw_part_vertex_count(const swModel *m, int part) {
    int body;
    return part_of(m, part, &body)->npoint;
}

int sw_part_triangle_count(const swModel *m, int part) {
    int body;
    return part_of(m, part, &body)->ntriangle;
}

void sw_part_triangles(const swModel *m, int part, int *out) {
    int body;
    const swPartInfo *p = part_of(m, part, &body);
    copy_triangles(sw_model_body(m, body), p, out);
}

void sw_part_vertices(const swState *s, int part, swVec3 *out) {
    int body;
    const swPartInfo *p = part_of(s->model, part, &body);
    copy_vertices(s->body[body], p, out);
}

// ---- probes, materials ----

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

int sw_probe_body(const swModel *m, int probe) { return m->probe[probe].body; }

swVec3 sw_probe_position(const swState *s, int probe) {
    const swProbeInfo *p = &s->model->probe[probe];
    const swBodyState *b = s->body[p->body];
    return sw_point_position(b->model, b->q, p->point);
}

swVec3 sw_probe_start(const swModel *m, int probe) {
    const swProbeInfo *p = &m->probe[probe];
    return sw_point_position(sw_model_body(m, p->body), m->q0 + m->place[p->body].q, p->point);
}

swVec3 sw_probe_displacement(const swState *s, int probe) {
    return sw_sub(sw_probe_position(s, probe), sw_probe_start(s->model, probe));
}

// All bodies know all materials.
int sw_material_find(const swModel *m, const char *name) {
    const swBodyModel *b = sw_model_body(m, 0);
    for (int i = 0; i < b->size.nmaterial; i++)
        if (strcmp(sw_body_text(b, b->material[i].name), name) == 0)
            return i;
    return -1;
}

// ---- handles ----

int sw_handle_count(const swModel *m) { return sw_model_last(m).handle; }

const char *sw_handle_name(const swModel *m, int handle) {
    const int body = sw_handle_body(m, handle);
    const swBodyModel *b = sw_model_body(m, body);
    return sw_body_text(b, b->handle[handle - m->place[body].handle].name);
}

int sw_handle_body(const swModel *m, int handle) { return SW_OWNER(m, handle, handle); }

int sw_handle_frame(const swModel *m, int handle) {
    const swBodyPlace *place = &m->place[sw_handle_body(m, handle)];
    return place->frame + m->compiled[place->compiled]->handle[handle - place->handle].node;
}

void sw_handle_wrench(const swState *s, int handle, swVec3 *force, swVec3 *torque) {
    const int body = sw_handle_body(s->model, handle);
    const swReal *wrench =
        s->body[body]->handle_wrench + 6 * (handle - s->model->place[body].handle);
    memcpy(force, wrench, sizeof *force);
    memcpy(torque, wrench + 3, sizeof *torque);
}

// ---- muscles ----

int sw_muscle_count(const swModel *m) { return sw_model_last(m).muscle; }

const char *sw_muscle_name(const swModel *m, int muscle) {
    const int body = SW_OWNER(m, muscle, muscle);
    const swBodyModel *b = sw_model_body(m, body);
    return sw_body_text(b, b->muscle[muscle - m->place[body].muscle].name);
}

int sw_muscle_find(const swModel *m, const char *name) {
    for (int i = 0; i < sw_muscle_count(m); i++)
        if (strcmp(sw_muscle_name(m, i), name) == 0)
            return i;
    return -1;
}

static const swBodyState *muscle_of(const swState *s, int *muscle) {
    const int body = SW_OWNER(s->model, muscle, *muscle);
    *muscle -= s->model->place[body].muscle;
    return s->body[body];
}

void sw_muscle_ends(const swState *s, int muscle, swVec3 *from, swVec3 *to) {
    const swBodyState *b = muscle_of(s, &muscle);
    const swMuscleInfo *info = &b->model->muscle[muscle];
    *from = sw_point_position(b->model, b->q, info->point[0]);
    *to = sw_point_position(b->model, b->q, info->point[1]);
}

static swVec3 between_ends(const swState *s, int muscle) {
    swVec3 from, to;
    sw_muscle_ends(s, muscle, &from, &to);
    return sw_sub(to, from);
}

swReal sw_muscle_length(const swState *s, int muscle) { return sw_norm(between_ends(s, muscle)); }

swReal sw_muscle_activation(const swState *s, int muscle) {
    const swBodyState *b = muscle_of(s, &muscle);
    return b->activation[sw_control_muscle(b->model, muscle)];
}

swReal sw_muscle_force(const swState *s, int muscle) {
    int own = muscle;
    const swBodyState *b = muscle_of(s, &own);
    return sw_muscle_tension(&b->model->muscle[own], sw_muscle_activation(s, muscle),
                             between_ends(s, muscle));
}

// ---- rest shapes ----

int sw_rest_shape_count(const swModel *m) { return sw_model_last(m).shape; }

const char *sw_rest_shape_name(const swModel *m, int shape) {
    const int body = SW_OWNER(m, shape, shape);
    const swBodyModel *b = sw_model_body(m, body);
    return sw_body_text(b, b->shape[shape - m->place[body].shape].name);
}

int sw_rest_shape_find(const swModel *m, const char *name) {
    for (int i = 0; i < sw_rest_shape_count(m); i++)
        if (strcmp(sw_rest_shape_name(m, i), name) == 0)
            return i;
    return -1;
}

swReal sw_rest_shape_value(const swState *s, int shape) {
    const int body = SW_OWNER(s->model, shape, shape);
    const swBodyState *b = s->body[body];
    return b->activation[sw_control_shape(b->model, shape - s->model->place[body].shape)];
}

// ---- frames ----

int sw_frame_count(const swModel *m) { return sw_model_last(m).frame; }

void sw_frame_get(const swState *s, int frame, swVec3 *position, swMat3 *linear) {
    const swModel *m = sw_state_model(s);
    const int body = SW_OWNER(m, frame, frame);
    sw_body_frame(s->body[body], frame - m->place[body].frame, position, linear);
}

// ---- all of a state ----

swReal sw_state_time(const swState *s) { return s->t; }
int64_t sw_state_steps(const swState *s) { return s->step; }
const swStepReport *sw_state_report(const swState *s) { return &s->report; }
const swStepReport *sw_body_report(const swState *s, int body) { return &s->body[body]->report; }

swProfile sw_state_profile(const swState *s) {
    swProfile sum = s->profile;
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        const swProfile *p = &s->body[i]->profile;
        sum.kinematics += p->kinematics;
        sum.material += p->material;
        sum.assembly += p->assembly;
        sum.contact += p->contact;
        sum.solve += p->solve;
        sum.iterations += p->iterations;
        sum.assemblies += p->assemblies;
        sum.linear_iterations += p->linear_iterations;
        sum.flops += p->flops;
    }
    return sum;
}

swEnergy sw_state_energy(const swState *s) {
    swEnergy sum = {0};
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        const swEnergy e = sw_body_energy(s->body[i]);
        sum.elastic += e.elastic;
        sum.kinetic += e.kinetic;
        sum.potential += e.potential;
        sum.contact += e.contact;
        sum.pull += e.pull;
        sum.muscle += e.muscle;
    }
    swReal between[SW_ENERGIES] = {0};
    sw_islands_energy(s, between);
    sum.contact += between[SW_ENERGY_CONTACT];
    sum.pull += between[SW_ENERGY_PULL];
    sum.muscle += between[SW_ENERGY_MUSCLE];
    return sum;
}

void sw_state_momentum(const swState *s, swVec3 *linear, swVec3 *angular) {
    *linear = *angular = sw_v3(0, 0, 0);
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        swVec3 p, L;
        sw_body_momentum(s->body[i], &p, &L);
        *linear = sw_add(*linear, p);
        *angular = sw_add(*angular, L);
    }
}

// ---- frames of one body ----

void sw_body_frame(const swBodyState *s, int frame, swVec3 *position, swMat3 *linear) {
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
