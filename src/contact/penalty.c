// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "contact/contact.h"

#include "kinematics/points.h"
#include "potentials/point_force.h"
#include "potentials/potential.h"

#include <string.h>

enum { FEW = 64 }; // nodes whose blocks are found at once

// Colliders, the ball being the last of them.
static int collider_count(const swState *world) {
    return (int)world->model->size.ncollider + (world->ball.shape.r > 0);
}

// ---- what moves contact points ----

// Where positions are linear in q, x = sum of A_i N_i over the nodes of a point: N_i = w_i m_i.
typedef struct swContactLanes { // SW_LANES points one after another
    int node, nnode;            // in lane_node: all that move any of them
    int64_t N;                  // in lane_N: [column][SW_LANES]
} swContactLanes;

typedef struct swContactWork {
    swContactLanes *lanes;
    int *lane_node;
    swReal *lane_N;
    swReal *N;       // of one point after another, in the order of its nodes; NULL: not linear
    int *at;         // ncontact: where those of a point begin
    int *block;      // FEW nodes at most: [i][j] the block of two nodes, i >= j; else NULL
    swVec3 *x;       // ncontact: where points are
    swPointForce *f; // and what is done to them
    char *touched;
} swContactWork;

static bool is_linear(const swBodyModel *m) {
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (sw_node_is_dual(&m->node[i]) || sw_node_is_modes(&m->node[i]))
            return false;
    return true;
}

static bool find_rows(const swBodyModel *m, swContactWork *w, swArena *arena, swError *error) {
    int64_t count = 0;
    for (int64_t i = 0; i < m->size.ncontact; i++) {
        const swAnchor a = sw_point_anchor(m, m->contact[i].point);
        w->at[i] = (int)count;
        for (int e = 0; e < a.n; e++)
            count += m->node[a.node[e]].width;
    }
    if (!(w->N = SW_NEW(arena, count, swReal, error)))
        return false;
    swReal *N = w->N;
    for (int64_t i = 0; i < m->size.ncontact; i++) {
        const swAnchor a = sw_point_anchor(m, m->contact[i].point);
        for (int e = 0; e < a.n; e++) {
            const swNode *node = &m->node[a.node[e]];
            sw_monomials(node->width, sw_sub(a.p, node->origin), N);
            for (int c = 0; c < node->width; c++)
                *N++ *= a.weight[e];
        }
    }
    return true;
}

// The same for several points at a time.
static bool find_lanes(const swBodyModel *m, swContactWork *w, swArena *arena, swError *error) {
    const int nblock = (int)((m->size.ncontact + SW_LANES - 1) / SW_LANES);
    SW_LIST(int) nodes = {0};
    int *seen = SW_NEW(arena, m->size.nnode, int, error), *place; // block + 1; column there
    int64_t numbers = 0;
    place = SW_NEW(arena, m->size.nnode, int, error);
    if (!seen || !place || !(w->lanes = SW_NEW(arena, nblock, swContactLanes, error)))
        return false;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !(w->lane_N = SW_NEW(arena, numbers, swReal, error)))
            return false;
        for (int b = 0; b < nblock; b++) {
            swContactLanes *l = &w->lanes[b];
            int columns = 0;
            if (pass == 0)
                *l = (swContactLanes){nodes.count, 0, numbers};
            for (int k = 0; pass == 1 && k < l->nnode; k++) {
                place[nodes.item[l->node + k]] = columns;
                columns += m->node[nodes.item[l->node + k]].width;
            }
            for (int lane = 0; lane < SW_LANES; lane++) {
                const int64_t i = (int64_t)b * SW_LANES + lane;
                if (i >= m->size.ncontact)
                    break;
                const swAnchor a = sw_point_anchor(m, m->contact[i].point);
                const swReal *N = w->N + w->at[i];
                for (int e = 0; e < a.n; e++) {
                    const int node = a.node[e], d = m->node[node].width;
                    for (int c = 0; pass == 1 && c < d; c++)
                        w->lane_N[l->N + (place[node] + c) * SW_LANES + lane] = *N++;
                    if (pass == 1 || seen[node] == b + 1)
                        continue;
                    int *to = SW_PUSH(&nodes, arena, error);
                    if (!to)
                        return false;
                    *to = node;
                    seen[node] = b + 1;
                    l->nnode++;
                    numbers += d * SW_LANES;
                }
            }
        }
    }
    w->lane_node = nodes.item;
    return true;
}

static bool find_blocks(const swBodyModel *m, swContactWork *w, swArena *arena, swError *error) {
    const int n = (int)m->size.nnode;
    if (n > FEW)
        return true;
    if (!(w->block = SW_NEW(arena, n * n, int, error)))
        return false;
    for (int64_t p = 0; p < m->size.npair; p++)
        w->block[m->pair[p].i * n + m->pair[p].j] = (int)p;
    return true;
}

static void *create(const swBodyModel *m, swArena *arena, swError *error) {
    swContactWork *w = SW_NEW(arena, 1, swContactWork, error);
    const int64_t n = m->size.ncontact;
    const bool ok =
        w && (w->at = SW_NEW(arena, n, int, error)) && (w->x = SW_NEW(arena, n, swVec3, error)) &&
        (w->f = SW_NEW(arena, n, swPointForce, error)) &&
        (w->touched = SW_NEW(arena, n, char, error)) &&
        (!is_linear(m) || (find_rows(m, w, arena, error) && find_lanes(m, w, arena, error) &&
                           find_blocks(m, w, arena, error)));
    return ok ? w : NULL;
}

static void find_positions(const swBodyModel *m, const swContactWork *w, const swReal *q,
                           swVec3 *x) {
    const int64_t n = m->size.ncontact;
    for (int64_t i = 0; !w->N && i < n; i++)
        x[i] = sw_point_position(m, q, m->contact[i].point);
    for (int64_t first = 0; w->N && first < n; first += SW_LANES) {
        const swContactLanes *l = &w->lanes[first / SW_LANES];
        const swReal *N = w->lane_N + l->N;
        swWide sum[3] = {sw_wide(0), sw_wide(0), sw_wide(0)};
        for (int k = 0; k < l->nnode; k++) {
            const swNode *node = &m->node[w->lane_node[l->node + k]];
            const swReal *A = q + node->q;
            for (int c = 0; c < node->width; c++, N += SW_LANES) {
                const swWide N_c = sw_wide_load(N);
                for (int r = 0; r < 3; r++)
                    sum[r] = sw_wide_fma(sw_wide(A[r * node->width + c]), N_c, sum[r]);
            }
        }
        swReal out[3][SW_LANES];
        for (int r = 0; r < 3; r++)
            sw_wide_store(out[r], sum[r]);
        for (int lane = 0; lane < SW_LANES && first + lane < n; lane++)
            x[first + lane] = sw_v3(out[0][lane], out[1][lane], out[2][lane]);
    }
}

// H_ij += N_i N_j^T (x) K for two nodes of widths d and k.
static inline void add_product(int d, const swReal *Ni, int k, const swReal *Nj, const swReal K[9],
                               swBlock H) {
    for (int r = 0; r < 3; r++)
        for (int a = 0; a < d; a++) {
            swReal *row = H.data + (ptrdiff_t)(r * d + a) * H.stride;
            for (int s = 0; s < 3; s++) {
                const swReal f = Ni[a] * K[3 * r + s];
                for (int b = 0; b < k; b++)
                    row[s * k + b] += f * Nj[b];
            }
        }
}

// The same of two nodes of width 4, as most are.
static void add_four(const swReal Ni[4], const swReal Nj[4], const swReal K[9], swBlock H) {
    const swQuad n = sw_quad_load(Nj);
    for (int r = 0; r < 3; r++)
        for (int a = 0; a < 4; a++) {
            swReal *row = H.data + (ptrdiff_t)(4 * r + a) * H.stride;
            for (int s = 0; s < 3; s++)
                sw_quad_store(row + 4 * s,
                              sw_quad_fma(Ni[a] * K[3 * r + s], n, sw_quad_load(row + 4 * s)));
        }
}

static void add_block(int d, const swReal *Ni, int k, const swReal *Nj, const swReal K[9],
                      swBlock H) {
    if (d == 4 && k == 4)
        add_four(Ni, Nj, K, H);
    else
        add_product(d, Ni, k, Nj, K, H);
}

// As sw_point_force_add(), from the rows of point i.
static void add_force(const swBodyModel *m, const swContactWork *w, int64_t i,
                      const swPointForce *f, swSystem *out) {
    const int *start = m->point_start + m->contact[i].point;
    const swReal *Ni = w->N + w->at[i];
    out->energy += f->energy;
    for (int e = start[0]; out->g && e < start[1]; e++) {
        const int node = m->point_node[e];
        const swNode *ni = &m->node[node];
        for (int r = 0; r < 3; r++)
            for (int a = 0; a < ni->width; a++)
                out->g[ni->q + r * ni->width + a] += Ni[a] * sw_get(f->gradient, r);
        const swReal *Nj = w->N + w->at[i];
        for (int o = start[0]; out->H && ni->u >= 0 && o < start[1]; o++) {
            const int other = m->point_node[o];
            const swNode *nj = &m->node[other];
            if (nj->u >= 0 && other <= node) {
                const int block = w->block ? w->block[node * m->size.nnode + other]
                                           : sw_pattern_find(&out->H->pattern, node, other);
                add_block(ni->width, Ni, nj->width, Nj, f->hessian,
                          sw_blocks_item(out->H, block, other));
            }
            Nj += nj->width;
        }
        Ni += ni->width;
    }
}

// ---- what a collider does to a point ----

static void add_outer(swReal *H, swReal s, swVec3 a, swVec3 b) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            H[3 * r + c] += s * sw_get(a, r) * sw_get(b, c);
}

static swReal stiffness_of(const swColliderInfo *c, const swContactPoint *p) {
    return p->area * (c->stiffness > 0 ? c->stiffness : p->stiffness);
}

// The ball is small and everybody watches it: it sinks in less than other colliders.
static swReal ball_stiffness(const swContactPoint *p) { return 10 * p->area * p->stiffness; }

// k/2 depth^2, with d(depth)/dx = -n. What normals that spread add to the stiffness is negative.
static void push_out(swReal k, const swDepth *d, bool semidefinite, swPointForce *f) {
    f->energy += 0.5 * k * d->depth * d->depth;
    f->gradient = sw_madd(f->gradient, -k * d->depth, d->normal);
    add_outer(f->hessian, k, d->normal, d->normal);
    const swReal spread = d->bend.m[0] + d->bend.m[4] + d->bend.m[8];
    if (!d->curved || (semidefinite && spread > 0))
        return;
    for (int i = 0; i < 9; i++)
        f->hessian[i] -= k * d->depth * d->bend.m[i];
}

// Coulomb's force mu N against the slip s, smooth where |s| < e: potential mu N f(|s|) with
// f'(s) = 2 s/e - (s/e)^2 below e, 1 above. Linear: the Hessian f'/s (I - n n^T) takes energy from
// every slip, where the other one would let a force of constant size drive it back; f'/s is that at
// the slip `about`.
static void rub(swReal friction, swVec3 normal, swVec3 slip, swVec3 about, swReal e, bool linear,
                swPointForce *f) {
    slip = sw_madd(slip, -sw_dot(slip, normal), normal);
    about = sw_madd(about, -sw_dot(about, normal), normal);
    swReal s = sw_norm(about), over, second; // f'/s, f''
    if (s < e) {
        over = (2 - s / e) / e;
        second = 2 / e * (1 - s / e);
        f->energy += friction * (s * s / e - s * s * s / (3 * e * e));
    } else {
        over = 1 / s;
        second = 0;
        f->energy += friction * (s - e / 3);
    }
    const swVec3 t = s > 0 ? sw_scale(1 / s, about) : sw_v3(0, 0, 0);
    f->gradient = sw_madd(f->gradient, friction * over, slip);
    for (int r = 0; r < 3; r++) // f'/s (I - n n^T - t t^T) + f'' t t^T
        f->hessian[4 * r] += friction * over;
    add_outer(f->hessian, -friction * over, normal, normal);
    if (!linear)
        add_outer(f->hessian, friction * (second - over), t, t);
}

// A collider where it is, and where it was when the step began.
typedef struct {
    const swColliderInfo *info;
    int number; // from 1, as touches count them
    swAffine pose, last;
    swVec3 lo, hi; // a box around it
    bool plane;    // what is in front of it is outside
    swVec3 normal;
    swReal offset;
} swMet;

static void bound(swMet *with) {
    sw_collider_bounds(with->info, &with->pose, &with->lo, &with->hi);
    with->plane = with->info->kind == SW_SHAPE_HALFSPACE;
    if (with->plane)
        sw_collider_face(with->info, &with->pose, &with->normal, &with->offset);
}

// Whether a point cannot be inside: told without much work.
static inline bool is_away(const swMet *with, swVec3 x) {
    if (with->plane)
        return sw_dot(with->normal, x) > with->offset + 1e-9 * fabs(with->offset);
    return x.x < with->lo.x || x.x > with->hi.x || x.y < with->lo.y || x.y > with->hi.y ||
           x.z < with->lo.z || x.z > with->hi.z;
}

static swMet met(const swState *world, int c, swReal t, swReal h) {
    const swModel *m = world->model;
    swMet with = {.number = c + 1};
    if (c < m->size.ncollider) {
        with.info = &m->collider[c];
        with.pose = sw_collider_where(world, c, t);
        with.last = sw_collider_where(world, c, t - h);
        bound(&with);
        return with;
    }
    with.info = &world->ball.shape;
    with.pose = with.last = (swAffine){sw_mat_identity(), {0, 0, 0}};
    with.last.b = sw_scale(h / m->settings.step, sw_sub(world->ball.last, world->ball.shape.a));
    bound(&with);
    return with;
}

static swReal stiffness_at(const swState *world, const swMet *with, const swContactPoint *p) {
    return with->info == &world->ball.shape ? ball_stiffness(p) : stiffness_of(with->info, p);
}

static swReal last_force(const swTouch *touch, int number) {
    for (int i = 0; i < SW_TOUCHES; i++)
        if (touch[i].collider == number)
            return touch[i].force;
    return 0;
}

// Adds what a collider does to contact point i at x; the first that does anything marks it.
static void touch(const swBodyModel *m, const swContactInput *in, int64_t i, const swMet *with,
                  swVec3 x, bool semidefinite, swPointForce *f, char *touched, int *count) {
    const swModel *model = in->world->model;
    const swReal N =
        in->x_last && with->info->friction > 0
            ? with->info->friction * last_force(in->touch + SW_TOUCHES * i, with->number)
            : 0;
    const bool away = is_away(with, x);
    if (away && N == 0)
        return;
    swDepth d;
    const bool inside = !away && sw_collider_inside(model, with->info, &with->pose, x, &d);
    if (!inside && N == 0)
        return;
    if (!*touched) {
        *f = (swPointForce){0};
        *touched = 1;
    }
    if (inside) {
        push_out(stiffness_at(in->world, with, &m->contact[i]), &d, semidefinite, f);
        ++*count;
    }
    if (N > 0) {
        // Sticking is a creep below half a per cent of the body's size per second.
        const swReal e = 5e-3 * sw_norm(sw_sub(m->body[0].hi, m->body[0].lo)) * in->h;
        // What sticks is carried along.
        const swVec3 from =
            sw_add(in->x_last[i], sw_collider_moved(&with->last, &with->pose, in->x_last[i]));
        const swVec3 about = in->x_about ? in->x_about[i] : x;
        rub(N, sw_collider_depth(model, with->info, &with->pose, from).normal, sw_sub(x, from),
            sw_sub(about, from), e, in->linear, f);
    }
}

int sw_contact_add(const swBodyModel *m, const swContactInput *in, swSystem *out) {
    const swContactWork *w = in->work;
    const int ncollider = collider_count(in->world);
    const bool semidefinite = out->projection != SW_PROJECT_NONE;
    const int64_t n = ncollider > 0 ? m->size.ncontact : 0;
    int count = 0;
    if (n == 0)
        return 0;
    find_positions(m, w, in->q, w->x);
    memset(w->touched, 0, (size_t)n);
    for (int c = 0; c < ncollider; c++) {
        const swMet with = met(in->world, c, in->t, in->h);
        for (int64_t i = 0; i < n; i++)
            touch(m, in, i, &with, w->x[i], semidefinite, &w->f[i], &w->touched[i], &count);
    }
    for (int64_t i = 0; i < n; i++) {
        if (!w->touched[i])
            continue;
        if (w->N) {
            add_force(m, w, i, &w->f[i], out);
            continue;
        }
        const swAnchor anchor = sw_point_anchor(m, m->contact[i].point);
        sw_point_force_add(m, in->q, &anchor, &w->f[i], out);
    }
    return count;
}

// Takes the place of the weakest touch.
static void keep(swTouch *touch, swTouch now) {
    int weakest = 0;
    for (int i = 1; i < SW_TOUCHES; i++)
        if (touch[i].force < touch[weakest].force)
            weakest = i;
    if (now.force > touch[weakest].force)
        touch[weakest] = now;
}

void sw_contact_forces(const swBodyModel *m, const swContactInput *in, swTouch *touch) {
    const swContactWork *w = in->work;
    const int ncollider = collider_count(in->world);
    memset(touch, 0, (size_t)m->size.ncontact * SW_TOUCHES * sizeof *touch);
    if (ncollider > 0)
        find_positions(m, w, in->q, w->x);
    for (int c = 0; c < ncollider; c++) {
        const swMet with = met(in->world, c, in->t, 0);
        swDepth d;
        for (int64_t i = 0; i < m->size.ncontact; i++)
            if (!is_away(&with, w->x[i]) &&
                sw_collider_inside(in->world->model, with.info, &with.pose, w->x[i], &d))
                keep(touch + SW_TOUCHES * i,
                     (swTouch){c + 1, d.depth * stiffness_at(in->world, &with, &m->contact[i])});
    }
}

void sw_contact_positions(const swBodyModel *m, const swContactInput *in, swVec3 *x) {
    if (collider_count(in->world) > 0)
        find_positions(m, in->work, in->q, x);
}

swReal sw_contact_work(const swBodyModel *m, const swContactInput *in, swReal from, swReal to,
                       const swTouch *touch) {
    const swModel *model = in->world->model;
    const swContactWork *w = in->work;
    swReal work = 0;
    for (int64_t c = 0; c < model->size.ncollider; c++) {
        const swColliderInfo *collider = &model->collider[c];
        if (collider->motion == SW_COLLIDER_FIXED)
            continue;
        const swAffine begin = sw_collider_where(in->world, (int)c, from),
                       at = sw_collider_where(in->world, (int)c, in->t),
                       end = sw_collider_where(in->world, (int)c, to);
        find_positions(m, w, in->q, w->x);
        for (int64_t i = 0; i < m->size.ncontact; i++) {
            const swVec3 x = w->x[i];
            const swReal force = last_force(touch + SW_TOUCHES * i, (int)c + 1);
            swDepth d;
            if (force > 0 && sw_collider_inside(model, collider, &at, x, &d))
                work += force * sw_dot(d.normal, sw_sub(sw_collider_moved(&at, &end, x),
                                                        sw_collider_moved(&at, &begin, x)));
        }
    }
    return work;
}

// ---- in the table ----

static void add(const swTerm *t, swSystem *out) {
    const double start = sw_seconds();
    const swContactInput in = {.q = t->in.q,
                               .t = t->t,
                               .x_last = t->in.q_last ? t->x_last : NULL,
                               .x_about = t->x_about,
                               .touch = t->s->touch,
                               .world = t->s->world,
                               .work = t->work,
                               .h = t->in.h,
                               .linear = t->linear};
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
