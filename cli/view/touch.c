// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What pages do to bodies: pulls, pins, frames and handles that are dragged, the ball.
#include "view/sim.h"

#include "kinematics/rigid.h"
#include "solve/work.h"

static const swReal pin_factor = 20, frame_factor = 5; // times the stiffness of a grab
// Longest stretch of a pull's spring, by kind, in body lengths: beyond it the pull is no stronger.
static const swReal reach[] = {[PULL_GRAB] = 0.5, [PULL_PIN] = 0.05, [PULL_FRAME] = 0.25};
static const swReal body_lengths = 10, turns = 10; // fastest drag, per second; fastest turn [rad/s]

// The rotation vector (axis times angle) of a quaternion, at most half a turn.
static swVec3 turn_of(const swReal q[4]) {
    const swVec3 axis = sw_v3(q[1], q[2], q[3]);
    const swReal sine = sw_norm(axis), cosine = q[0];
    const swReal angle = 2 * atan2(sine, fabs(cosine));
    return sine > 0 ? sw_scale((cosine < 0 ? -angle : angle) / sine, axis) : sw_v3(0, 0, 0);
}

// Called after every action of a page: static scenes find a new equilibrium.
static void touched(Sim *s) { s->solve = s->mode == MODE_STATIC; }

static swReal length_of(const swModel *m, int body) {
    return sw_body_length(sw_model_body(m, body)->body);
}

// ---- pulls ----

static SimPull *find(Sim *s, int id) {
    for (int i = 0; i < s->npull; i++)
        if (s->pull[i].id == id)
            return &s->pull[i];
    return NULL;
}

static void drop(Sim *s, SimPull *pull) {
    sw_pull_release(s->now->state, pull->pull);
    *pull = s->pull[--s->npull];
    touched(s);
}

// Moves the spring towards the goal of the pull, but stretches it no farther than its reach: beyond
// that the solver would need very many iterations or fail.
static void draw(Sim *s, const SimPull *pull) {
    swPull now;
    if (!sw_pull_get(s->now->state, pull->pull, &now))
        return;
    const swVec3 way = sw_sub(pull->goal, now.at);
    const swReal distance = sw_norm(way);
    const swReal most =
        s->mode == MODE_STATIC ? INFINITY : reach[pull->kind] * length_of(s->now->model, now.body);
    const swVec3 to = distance <= most ? pull->goal : sw_madd(now.at, most / distance, way);
    if (pull->kind == PULL_FRAME)
        sw_pull_turn(s->now->state, pull->pull, to, pull->turn);
    else if (sw_norm2(sw_sub(to, now.to)) > 0)
        sw_pull_move(s->now->state, pull->pull, to);
}

static void keep(Sim *s, const Command *c, PullKind kind, int pull) {
    if (pull < 0) {
        view_say(s->view, c->page, "error", "there are already %d pulls", SW_PULLS);
        return;
    }
    s->pull[s->npull] =
        (SimPull){c->id, c->page, kind, pull, c->at, sw_mat_rotation(turn_of(c->turn))};
    draw(s, &s->pull[s->npull++]);
    touched(s);
}

bool sim_can_touch(Sim *s, const Command *c) {
    const bool can = s->mode == MODE_DYNAMIC || s->mode == MODE_STATIC;
    if (!can)
        view_say(s->view, c->page, "info", "%s cannot be touched",
                 s->mode == MODE_MODAL ? "vibrations" : "recordings");
    return can;
}

void sim_pull(Sim *s, const Command *c) {
    swState *state = s->now->state;
    if (!sim_can_touch(s, c))
        return;
    if (c->index >= s->surfaces.count || c->vertex >= s->surfaces.item[c->index].part.npoint) {
        view_say(s->view, c->page, "error", "pull: there is no vertex %d of surface %d", c->vertex,
                 c->index);
        return;
    }
    if (find(s, c->id))
        drop(s, find(s, c->id));
    const Surface *surface = &s->surfaces.item[c->index];
    const swReal k = sw_pull_stiffness(s->now->model, surface->body) * (c->on ? pin_factor : 1);
    keep(s, c, c->on ? PULL_PIN : PULL_GRAB,
         surface->index < 0 ? sw_pull_body(state, surface->body, c->vertex, c->at, k)
                            : sw_pull_part(state, surface->index, c->vertex, c->at, k));
}

void sim_move(Sim *s, const Command *c) {
    SimPull *pull = find(s, c->id);
    if (!pull) // a reset may have just removed it
        return;
    pull->goal = c->at;
    draw(s, pull);
    touched(s);
}

// The body of a free frame, or -1.
static int find_free(const swModel *m, int frame) {
    if (frame >= sw_frame_count(m))
        return -1;
    const int body = SW_OWNER(m, frame, frame);
    const swNode *node = &sw_model_body(m, body)->node[frame - m->place[body].frame];
    return node->motion == SW_MOTION_FREE ? body : -1;
}

void sim_pull_frame(Sim *s, const Command *c) {
    if (!sim_can_touch(s, c))
        return;
    const int body = find_free(sim_model(s), c->index);
    if (body < 0) {
        view_say(s->view, c->page, "error", "frame: there is no free frame %d", c->index);
        return;
    }
    SimPull *old = find(s, c->id);
    const swMat3 R = sw_mat_rotation(turn_of(c->turn));
    if (old && old->kind == PULL_FRAME) {
        old->goal = c->at;
        old->turn = R;
        draw(s, old);
        touched(s);
    } else if (!old)
        keep(s, c, PULL_FRAME,
             sw_pull_frame(s->now->state, c->index, c->at, R,
                           frame_factor * sw_pull_stiffness(s->now->model, body)));
}

void sim_release(Sim *s, const Command *c) {
    if (find(s, c->id))
        drop(s, find(s, c->id));
}

void sim_release_page(Sim *s, int page) {
    for (int i = s->npull - 1; i >= 0; i--)
        if (s->pull[i].page == page && s->pull[i].kind != PULL_PIN) {
            drop(s, &s->pull[i]);
            s->changed = true;
        }
}

int sim_list_pulls(const Sim *s, FramePull out[SW_PULLS]) {
    int count = 0;
    for (int i = 0; i < s->npull; i++) {
        swPull pull;
        if (sw_pull_get(s->now->state, s->pull[i].pull, &pull))
            out[count++] = (FramePull){.id = s->pull[i].id,
                                       .kind = s->pull[i].kind,
                                       .at = pull.at,
                                       .to = s->pull[i].goal,
                                       .force = sw_norm(pull.force),
                                       .stiffness = pull.stiffness};
    }
    return count;
}

// ---- what follows the pointer ----

static swReal largest_body(const swModel *m) {
    swReal size = 0;
    for (int64_t i = 0; i < m->size.ncompiled; i++)
        size = sw_max(size, sw_body_length(m->compiled[i]->body));
    return size;
}

// Moves towards the goal by at most `way` and `angle`; true once it is reached.
static bool approach(Follower *f, swReal way, swReal angle) {
    const swVec3 left = sw_sub(f->goal, f->now);
    const swReal distance = sw_norm(left);
    swReal q[4];
    sw_quaternion_of(sw_mat_mul(f->turn_goal, sw_mat_t(f->turn)), q);
    const swVec3 rest = turn_of(q);
    const swReal turn = sw_norm(rest);
    f->now = distance <= way ? f->goal : sw_madd(f->now, way / distance, left);
    f->turn = turn <= angle ? f->turn_goal
                            : sw_mat_mul(sw_mat_rotation(sw_scale(angle / turn, rest)), f->turn);
    return distance <= way && turn <= angle;
}

void sim_ball(Sim *s, const Command *c) {
    if (!sim_can_touch(s, c))
        return;
    const bool appears = !s->ball.on || s->radius == 0;
    s->radius = c->value[0];
    s->ball.on = true;
    s->ball.goal = c->at;
    if (appears)
        s->ball.now = c->at;
    s->ball.turn = s->ball.turn_goal = sw_mat_identity();
    touched(s);
}

// Finds the present centre of a handle and its rotation since t = 0.
static void locate(const swBodyState *state, int handle, Follower *f) {
    const swNode *n = &state->model->node[state->model->handle[handle].node];
    const swReal *A0 = state->q0 + n->q, *A = state->q + n->q;
    const swMat3 R0 = {{A0[1], A0[2], A0[3], A0[5], A0[6], A0[7], A0[9], A0[10], A0[11]}};
    const swMat3 R1 = {{A[1], A[2], A[3], A[5], A[6], A[7], A[9], A[10], A[11]}};
    f->turn = sw_mat_mul(R1, sw_mat_t(R0));
    const swVec3 arm = sw_sub(sw_handle_center(state, handle), sw_v3(A0[0], A0[4], A0[8]));
    f->now = sw_add(sw_v3(A[0], A[4], A[8]), sw_mul(f->turn, arm));
}

void sim_handle(Sim *s, const Command *c) {
    const swModel *m = s->now->model;
    if (!sim_can_touch(s, c))
        return;
    const bool known = c->index < sw_handle_count(m);
    const int body = known ? SW_OWNER(m, handle, c->index) : 0;
    const int own = c->index - m->place[body].handle;
    if (!known || sw_model_body(m, body)->handle[own].motion == SW_MOTION_FREE) {
        view_say(s->view, c->page, "error", "handle: there is no fixed or moved handle %d",
                 c->index);
        return;
    }
    Follower *f = &s->handle[c->index];
    if (!f->on)
        locate(s->now->state->body[body], own, f);
    f->on = true;
    f->goal = c->at;
    f->turn_goal = sw_mat_rotation(turn_of(c->turn));
    touched(s);
}

void sim_control(Sim *s, const Command *c) {
    const swModel *m = s->now->model;
    const int muscle = c->index - control_muscle(m, 0);
    const int shape = c->index - control_shape(m, 0);
    const swReal value = c->on ? c->value[0] : NAN;
    if (!sim_can_touch(s, c))
        return;
    if (c->index >= control_count(m))
        view_say(s->view, c->page, "error", "control: there is no control %d", c->index);
    else if (shape >= 0)
        sw_state_set_shape(s->now->state, shape, value);
    else if (muscle >= 0)
        sw_state_set_muscle(s->now->state, muscle, value);
    else
        sw_state_set_activation(s->now->state, c->index, value);
    touched(s);
}

bool sim_holds(const Sim *s) {
    bool found = s->ball.on;
    for (int i = 0; i < s->npull; i++)
        found = found || s->pull[i].kind != PULL_PIN;
    for (int i = 0; i < sw_handle_count(s->now->model); i++)
        found = found || s->handle[i].moved;
    return found;
}

void sim_let_go(Sim *s) {
    swState *state = s->now->state;
    for (int i = s->npull - 1; i >= 0; i--)
        if (s->pull[i].kind != PULL_PIN)
            drop(s, &s->pull[i]);
    if (s->ball.on)
        sw_state_set_ball(state, s->ball.now, 0);
    s->ball.on = false;
    for (int i = 0; i < sw_handle_count(s->now->model); i++) {
        Follower *f = &s->handle[i];
        if (f->moved)
            sw_handle_move(state, i, f->last, f->turn_last);
        f->on = f->moved = false;
    }
}

void sim_follow(Sim *s, swReal h) {
    const swModel *m = s->now->model;
    swState *state = s->now->state;
    for (int i = 0; i < s->npull; i++)
        draw(s, &s->pull[i]);
    if (s->ball.on) {
        approach(&s->ball, body_lengths * largest_body(m) * h, INFINITY);
        sw_state_set_ball(state, s->ball.now, s->radius);
        s->ball.on = s->radius > 0;
    }
    for (int i = 0; i < sw_handle_count(m); i++) {
        Follower *f = &s->handle[i];
        f->moved = f->on;
        if (!f->on)
            continue;
        f->last = f->now;
        f->turn_last = f->turn;
        f->on = !approach(f, body_lengths * length_of(m, SW_OWNER(m, handle, i)) * h, turns * h);
        sw_handle_move(state, i, f->now, f->turn);
    }
}
