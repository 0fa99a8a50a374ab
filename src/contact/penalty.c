// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "contact/contact.h"

#include "contact/near.h"
#include "contact/rows.h"
#include "potentials/potential.h"

#include <stddef.h>
#include <string.h>

// What rubs in a step: a point, and what it was pressed against in the last one.
typedef struct swRub {
    int64_t point;
    swReal force;  // coefficient times normal force [N]
    swVec3 normal; // of the collider
    swVec3 last;   // where the step began
    swVec3 from;   // where it would be if it stuck
    swReal over;   // of rub(), where its force is linear; 0: to be found
} swRub;

typedef struct swContactWork {
    swRows rows;
    swReal *q;            // where places were asked for last
    int64_t turn, *known; // ncontact: the turn in which its place was found, one for each q
    swVec3 *x;            // ncontact
    int nhit, *hit;       // points that something is done to, in the order in which it is
    int *slot;            // ncontact: from 1, which of them it is; 0: none
    swPointForce *force;  // of each of them
    int nrub;
    swRub *rub;
    swReal creep; // slip below which it sticks [m]
} swContactWork;

static void *create(const swBodyModel *m, swArena *arena, swError *error) {
    swContactWork *w = SW_NEW(arena, 1, swContactWork, error);
    const int64_t n = m->size.ncontact;
    const bool ok =
        w && (w->q = SW_NEW(arena, m->size.nq, swReal, error)) &&
        (w->known = SW_NEW(arena, n, int64_t, error)) && (w->x = SW_NEW(arena, n, swVec3, error)) &&
        (w->hit = SW_NEW(arena, n, int, error)) && (w->slot = SW_NEW(arena, n, int, error)) &&
        (w->force = SW_NEW(arena, n, swPointForce, error)) &&
        (w->rub = SW_NEW(arena, SW_TOUCHES * n, swRub, error)) &&
        sw_rows_create(&w->rows, m, arena, error);
    return ok ? w : NULL;
}

// ---- which points are inside ----

// Each place is found once, where it is asked for: many questions are about the same q.
static void turn_to(const swBodyModel *m, swContactWork *w, const swReal *q) {
    const size_t bytes = (size_t)m->size.nq * sizeof *q;
    if (w->turn > 0 && memcmp(w->q, q, bytes) == 0)
        return;
    memcpy(w->q, q, bytes);
    sw_rows_turn(m, &w->rows, q);
    w->turn++;
}

SW_INLINE swVec3 place_of(const swBodyModel *m, swContactWork *w, const swReal *q, int64_t i) {
    if (w->known[i] != w->turn) {
        w->x[i] = sw_rows_position(m, &w->rows, q, i);
        w->known[i] = w->turn;
    }
    return w->x[i];
}

static bool moves(const swState *world, int c) {
    return sw_state_collider(world, c)->motion != SW_COLLIDER_FIXED;
}

// The k-th collider that points may be inside of; -1: there are no more. The ball comes last.
static int listed(const swContactInput *in, int k) {
    const int n = in->near->ncollider, model = (int)in->world->model->size.ncollider;
    return k < n                                                  ? in->near->collider[k]
           : k == n && sw_state_collider_count(in->world) > model ? model
                                                                  : -1;
}

// Calls `fn` for every point that is inside a collider.
typedef void swInside(void *arg, const swPosed *collider, int number, int64_t point,
                      const swDepth *depth);
SW_INLINE void visit_inside(const swBodyModel *m, const swContactInput *in, swInside *fn,
                            void *arg) {
    swContactWork *w = in->work;
    const swNear *near = in->near;
    const swModel *model = in->world->model;
    turn_to(m, w, in->q);
    if (sw_state_collider_count(in->world) == 0 || m->size.ncontact == 0)
        return;
    if (sw_near_find(in->near, m, &w->rows, in->world, in->q, w->x))
        for (int64_t i = 0; i < m->size.ncontact; i++)
            w->known[i] = w->turn;
    for (int k = 0, c; (c = listed(in, k)) >= 0; k++) {
        const swAffine pose = sw_collider_where(in->world, c, in->t);
        const swPosed posed = sw_collider_posed(sw_state_collider(in->world, c), &pose);
        const bool all = moves(in->world, c);
        const int64_t n = all ? m->size.ncontact : near->npoint;
        swDepth d;
        if (!sw_near_reaches(near, &posed))
            continue;
        for (int64_t p = 0; p < n; p++) {
            const int64_t i = all ? p : near->point[p];
            if (sw_posed_inside(model, &posed, place_of(m, w, in->q, i), &d))
                fn(arg, &posed, c + 1, i, &d);
        }
    }
}

bool sw_contact_reaches(const swBodyModel *m, const swContactInput *in, const swPosed *collider) {
    swContactWork *w = in->work;
    if (m->size.ncontact == 0)
        return false;
    turn_to(m, w, in->q);
    if (sw_near_find(in->near, m, &w->rows, in->world, in->q, w->x))
        for (int64_t i = 0; i < m->size.ncontact; i++)
            w->known[i] = w->turn;
    return sw_near_reaches(in->near, collider);
}

// ---- what is done to them ----

static swReal stiffness_of(const swColliderInfo *c, const swContactPoint *p) {
    return p->area * (c->stiffness > 0 ? c->stiffness : p->stiffness);
}

static void add_outer(swReal *H, swReal s, swVec3 a, swVec3 b) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            H[3 * r + c] += s * sw_get(a, r) * sw_get(b, c);
}

// k/2 depth^2, with d(depth)/dx = -n. What normals that spread add to the stiffness is negative.
SW_INLINE void push_out(swReal k, const swDepth *d, const swSystem *want, swPointForce *f) {
    f->energy += 0.5 * k * d->depth * d->depth;
    if (!want->g)
        return;
    f->gradient = sw_madd(f->gradient, -k * d->depth, d->normal);
    if (!want->H)
        return;
    add_outer(f->hessian, k, d->normal, d->normal);
    if (!d->curved ||
        (want->projection != SW_PROJECT_NONE && d->bend.m[0] + d->bend.m[4] + d->bend.m[8] > 0))
        return;
    for (int i = 0; i < 9; i++)
        f->hessian[i] -= k * d->depth * d->bend.m[i];
}

// Coulomb's force mu N against the slip s, smooth where |s| < e: potential mu N f(|s|) with
// f'(s) = 2 s/e - (s/e)^2 below e, 1 above. Linear: the Hessian f'/s (I - n n^T) takes energy from
// every slip, where the other one would let a force of constant size drive it back; r->over, where
// it is not zero, is f'/s then.
SW_INLINE void rub(const swRub *r, swVec3 x, swReal e, bool linear, const swSystem *want,
                   swPointForce *f) {
    const swVec3 n = r->normal, way = sw_sub(x, r->from), slip = sw_madd(way, -sw_dot(way, n), n);
    const swReal s = sw_norm(slip), u = s / e;
    const bool sticks = u < 1;
    f->energy += r->force * (sticks ? s * u * (1 - u / 3) : s - e / 3);
    if (!want->g)
        return;
    const swReal over = linear && r->over > 0 ? r->over : sticks ? (2 - u) / e : 1 / s; // f'/s
    f->gradient = sw_madd(f->gradient, r->force * over, slip);
    if (!want->H)
        return;
    for (int k = 0; k < 3;
         k++) // f'/s (I - n n^T - t t^T) + f'' t t^T, t being the slip's direction
        f->hessian[4 * k] += r->force * over;
    add_outer(f->hessian, -r->force * over, n, n);
    const swReal second = sticks ? 2 / e * (1 - u) : 0;
    const swVec3 t = s > 0 ? sw_scale(1 / s, slip) : sw_v3(0, 0, 0);
    if (!linear)
        add_outer(f->hessian, r->force * (second - over), t, t);
}

typedef struct {
    const swBodyModel *m;
    const swContactInput *in;
    const swSystem *want;
    swTouch *touch;
    swPointForce all;
    int count;
} swContactTask;

// Where what is done to point i is summed: energies alone need no place of their own.
SW_INLINE swPointForce *force_on(swContactTask *task, int64_t i) {
    swContactWork *w = task->in->work;
    if (!task->want->g)
        return &task->all;
    if (w->slot[i] == 0) {
        w->hit[w->nhit++] = (int)i;
        w->slot[i] = w->nhit;
        memset(&w->force[w->nhit - 1], 0,
               task->want->H ? sizeof *w->force : offsetof(swPointForce, hessian));
    }
    return &w->force[w->slot[i] - 1];
}

SW_INLINE void push(void *arg, const swPosed *collider, int number, int64_t i, const swDepth *d) {
    swContactTask *task = arg;
    (void)number;
    const swReal k = stiffness_of(collider->info, &task->m->contact[i]);
    push_out(k, d, task->want, force_on(task, i));
    task->count++;
}

// Forces of friction are linear about a place: f'/s of each is that there.
static void find_slopes(const swBodyModel *m, const swContactInput *in) {
    swContactWork *w = in->work;
    for (int k = 0; k < w->nrub; k++)
        w->rub[k].over = 0;
    if (!in->about)
        return;
    turn_to(m, w, in->about);
    for (int k = 0; k < w->nrub; k++) {
        swRub *r = &w->rub[k];
        const swVec3 way = sw_sub(place_of(m, w, in->about, r->point), r->from);
        const swReal s = sw_norm(sw_madd(way, -sw_dot(way, r->normal), r->normal));
        r->over = s < w->creep ? (2 - s / w->creep) / w->creep : 1 / s;
    }
}

int sw_contact_add(const swBodyModel *m, const swContactInput *in, swSystem *out) {
    swContactWork *w = in->work;
    if (in->rubs && in->linear)
        find_slopes(m, in);
    swContactTask task = {.m = m, .in = in, .want = out};
    w->nhit = 0;
    visit_inside(m, in, push, &task);
    for (int k = 0; in->rubs && k < w->nrub; k++) {
        const int64_t i = w->rub[k].point;
        rub(&w->rub[k], place_of(m, w, in->q, i), w->creep, in->linear, out, force_on(&task, i));
    }
    out->energy += task.all.energy;
    sw_rows_add(m, &w->rows, in->q, w->nhit, w->hit, w->force, out);
    for (int k = 0; k < w->nhit; k++)
        w->slot[w->hit[k]] = 0;
    return task.count;
}

// ---- over a step ----

// The collider of a touch, or -1.
static int touched(const swState *world, const swTouch *touch) {
    return touch->force > 0 && touch->collider > 0 &&
                   touch->collider <= sw_state_collider_count(world)
               ? (int)touch->collider - 1
               : -1;
}

void sw_contact_begin(const swBodyModel *m, const swContactInput *in) {
    const swState *world = in->world;
    swContactWork *w = in->work;
    // Sticking is a creep below half a per cent of the body's size per second.
    w->creep = 5e-3 * sw_norm(sw_sub(m->body[0].hi, m->body[0].lo)) * in->h;
    w->nrub = 0;
    turn_to(m, w, in->q);
    for (int64_t k = 0; k < SW_TOUCHES * m->size.ncontact; k++) {
        const int c = touched(world, &in->touch[k]);
        const swColliderInfo *info = c < 0 ? NULL : sw_state_collider(world, c);
        if (!info || !(info->friction > 0))
            continue;
        const int64_t i = k / SW_TOUCHES;
        const swAffine pose = sw_collider_where(world, c, in->t),
                       last = sw_collider_where(world, c, in->t - in->h);
        const swVec3 x = place_of(m, w, in->q, i),
                     from = sw_add(x, sw_collider_moved(&last, &pose, x));
        w->rub[w->nrub++] = (swRub){
            .point = i,
            .force = info->friction * in->touch[k].force,
            .normal = sw_collider_depth(world->model, info, &pose, from).normal,
            .last = x,
            .from = from,
        };
    }
}

swReal sw_contact_friction(const swBodyModel *m, const swContactInput *in) {
    swContactWork *w = in->work;
    swReal g = 0, work = 0;
    turn_to(m, w, in->q);
    for (int k = 0; k < w->nrub; k++) {
        const swVec3 x = place_of(m, w, in->q, w->rub[k].point);
        swPointForce f = {0};
        rub(&w->rub[k], x, w->creep, false, &(swSystem){.g = &g}, &f);
        work += sw_dot(f.gradient, sw_sub(x, w->rub[k].last));
    }
    return work;
}

// Takes the place of the weakest touch.
SW_INLINE void keep(void *arg, const swPosed *collider, int number, int64_t i, const swDepth *d) {
    const swContactTask *task = arg;
    const swReal force = d->depth * stiffness_of(collider->info, &task->m->contact[i]);
    swTouch *touch = task->touch + SW_TOUCHES * i;
    int weakest = 0;
    for (int k = 1; k < SW_TOUCHES; k++)
        if (touch[k].force < touch[weakest].force)
            weakest = k;
    if (force > touch[weakest].force)
        touch[weakest] = (swTouch){number, force};
}

void sw_contact_forces(const swBodyModel *m, const swContactInput *in, swTouch *touch) {
    swContactTask task = {.m = m, .in = in, .touch = touch};
    memset(touch, 0, (size_t)m->size.ncontact * SW_TOUCHES * sizeof *touch);
    visit_inside(m, in, keep, &task);
}

swReal sw_contact_work(const swBodyModel *m, const swContactInput *in, swReal from, swReal to,
                       const swTouch *touch) {
    const swState *world = in->world;
    swContactWork *w = in->work;
    swReal work = 0;
    bool any = false;
    for (int k = 0, c; !any && (c = listed(in, k)) >= 0; k++)
        any = moves(world, c);
    turn_to(m, w, in->q);
    for (int64_t k = 0; any && k < SW_TOUCHES * m->size.ncontact; k++) {
        const int c = touched(world, &touch[k]);
        if (c < 0 || !moves(world, c))
            continue;
        const swAffine begin = sw_collider_where(world, c, from),
                       at = sw_collider_where(world, c, in->t),
                       end = sw_collider_where(world, c, to);
        const swVec3 x = place_of(m, w, in->q, k / SW_TOUCHES);
        swDepth d;
        if (sw_collider_inside(world->model, sw_state_collider(world, c), &at, x, &d))
            work += touch[k].force * sw_dot(d.normal, sw_sub(sw_collider_moved(&at, &end, x),
                                                             sw_collider_moved(&at, &begin, x)));
    }
    return work;
}

// ---- in the table ----

static void add(const swTerm *t, swSystem *out) {
    const double start = sw_seconds();
    const swContactInput in = {.q = t->in.q,
                               .t = t->t,
                               .rubs = t->in.q_last != NULL,
                               .touch = t->s->touch,
                               .world = t->s->world,
                               .near = t->s->near,
                               .work = t->work,
                               .h = t->in.h,
                               .linear = t->linear,
                               .about = t->about};
    out->contacts += sw_contact_add(t->m, &in, out);
    t->s->profile.contact += sw_seconds() - start;
}

// Points of the surface touch something or are pulled. Neighbours often have the same nodes.
static bool couple(const swBodyModel *m, swCouple *visit, void *arg) {
    for (int64_t p = 0; p < m->size.npoint; p++) {
        const int *start = m->point_start + p, *node = m->point_node + start[0],
                  n = start[1] - start[0];
        const bool again = p > 0 && start[0] - start[-1] == n &&
                           memcmp(node, node - n, (size_t)n * sizeof *node) == 0;
        if (!again && !visit(n, node, 0, NULL, arg))
            return false;
    }
    return true;
}

const swPotential sw_potential_contact = {.name = "contact",
                                          .energy = SW_ENERGY_CONTACT,
                                          .measured = true,
                                          .add = add,
                                          .couple = couple,
                                          .create = create};
