// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The table of kinds, and what poses do to them.
#include "contact/collider.h"

#include "kinematics/keys.h"

static const swColliderKind *const table[SW_SHAPE_KINDS] = {
    [SW_SHAPE_HALFSPACE] = &sw_collider_plane,   [SW_SHAPE_SPHERE] = &sw_collider_sphere,
    [SW_SHAPE_BOX] = &sw_collider_box,           [SW_SHAPE_CAPSULE] = &sw_collider_capsule,
    [SW_SHAPE_CYLINDER] = &sw_collider_cylinder, [SW_SHAPE_CONE] = &sw_collider_cone,
    [SW_SHAPE_MESH] = &sw_collider_trimesh,      [SW_SHAPE_EXTRUDE] = &sw_collider_extrude,
};

const swColliderKind *sw_collider_kind(int kind) {
    return kind >= 0 && kind < SW_SHAPE_KINDS ? table[kind] : NULL;
}

void sw_collider_measure(const swModel *m, swColliderInfo *c) {
    c->lo = sw_v3(-INFINITY, -INFINITY, -INFINITY);
    c->hi = sw_v3(INFINITY, INFINITY, INFINITY);
    if (table[c->kind]->bounds)
        table[c->kind]->bounds(m, c, &c->lo, &c->hi);
}

// ---- in the world ----

static swVec3 to_local(const swAffine *pose, swVec3 p) {
    return sw_mul_t(pose->A, sw_sub(p, pose->b));
}

static swDepth to_world(const swAffine *pose, swDepth d) {
    d.normal = sw_mul(pose->A, d.normal);
    if (d.curved)
        d.bend = sw_mat_mul(sw_mat_mul(pose->A, d.bend), sw_mat_t(pose->A));
    return d;
}

swDepth sw_collider_depth(const swModel *m, const swColliderInfo *c, const swAffine *pose,
                          swVec3 p) {
    return to_world(pose, table[c->kind]->depth(m, c, to_local(pose, p)));
}

bool sw_collider_inside(const swModel *m, const swColliderInfo *c, const swAffine *pose, swVec3 p,
                        swDepth *out) {
    const swColliderKind *kind = table[c->kind];
    const swVec3 X = to_local(pose, p);
    if (!(X.x > c->lo.x && X.x < c->hi.x && X.y > c->lo.y && X.y < c->hi.y && X.z > c->lo.z &&
          X.z < c->hi.z))
        return false;
    swDepth d = {0};
    if (kind->inside ? !kind->inside(m, c, X, &d) : !((d = kind->depth(m, c, X)).depth > 0))
        return false;
    *out = to_world(pose, d);
    return true;
}

bool sw_collider_bounds(const swColliderInfo *c, const swAffine *pose, swVec3 *lo, swVec3 *hi) {
    *lo = sw_v3(-INFINITY, -INFINITY, -INFINITY);
    *hi = sw_v3(INFINITY, INFINITY, INFINITY);
    if (!sw_finite3(c->lo) || !sw_finite3(c->hi))
        return false;
    const swVec3 middle = sw_affine_at(*pose, sw_lerp(c->lo, c->hi, 0.5));
    const swVec3 half = sw_scale(0.5, sw_sub(c->hi, c->lo));
    const swReal *A = pose->A.m;
    const swVec3 reach = {fabs(A[0]) * half.x + fabs(A[1]) * half.y + fabs(A[2]) * half.z,
                          fabs(A[3]) * half.x + fabs(A[4]) * half.y + fabs(A[5]) * half.z,
                          fabs(A[6]) * half.x + fabs(A[7]) * half.y + fabs(A[8]) * half.z};
    *lo = sw_sub(middle, reach);
    *hi = sw_add(middle, reach);
    return true;
}

// ---- in a pose ----

swPosed sw_collider_posed(const swColliderInfo *c, const swAffine *pose) {
    swPosed p = {.info = c, .pose = *pose, .plane = c->kind == SW_SHAPE_HALFSPACE};
    if (p.plane) {
        p.normal = sw_mul(pose->A, c->a);
        p.offset = c->r + sw_dot(p.normal, pose->b);
    }
    return p;
}

// Along each axis of the pose.
static swReal gap_along(swReal lo, swReal hi, swReal middle, swReal half) {
    return sw_max(sw_max(lo - middle, middle - hi) - half, 0);
}

swReal sw_posed_gap(const swPosed *p, swVec3 middle, swVec3 half) {
    if (p->plane)
        return sw_dot(p->normal, middle) - p->offset - fabs(p->normal.x) * half.x -
               fabs(p->normal.y) * half.y - fabs(p->normal.z) * half.z;
    const swColliderInfo *c = p->info;
    const swVec3 X = to_local(&p->pose, middle);
    const swReal *A = p->pose.A.m;
    const swVec3 reach = {fabs(A[0]) * half.x + fabs(A[3]) * half.y + fabs(A[6]) * half.z,
                          fabs(A[1]) * half.x + fabs(A[4]) * half.y + fabs(A[7]) * half.z,
                          fabs(A[2]) * half.x + fabs(A[5]) * half.y + fabs(A[8]) * half.z};
    return sw_norm(sw_v3(gap_along(c->lo.x, c->hi.x, X.x, reach.x),
                         gap_along(c->lo.y, c->hi.y, X.y, reach.y),
                         gap_along(c->lo.z, c->hi.z, X.z, reach.z)));
}

// ---- of a state ----

int sw_state_collider_count(const swState *world) {
    return (int)world->model->size.ncollider + (world->ball.r > 0);
}

const swColliderInfo *sw_state_collider(const swState *world, int c) {
    return c < world->model->size.ncollider ? &world->model->collider[c] : &world->ball;
}

swAffine sw_collider_pose(const swModel *m, const swColliderInfo *c, swReal t) {
    if (c->motion != SW_COLLIDER_KEYS || c->nkey == 0)
        return c->place;
    const swPoseKey key = sw_keys_at(m->key + c->key, c->nkey, false, t);
    return sw_key_move(&key, &c->place);
}

// Part of the way from one pose to another.
static swAffine between(const swAffine *from, const swAffine *to, swReal u) {
    const swVec3 turn = sw_mat_turn(sw_mat_mul(to->A, sw_mat_t(from->A)));
    return (swAffine){sw_mat_mul(sw_mat_rotation(sw_scale(u, turn)), from->A),
                      sw_lerp(from->b, to->b, u)};
}

swAffine sw_collider_where(const swState *world, int collider, swReal t) {
    const swModel *m = world->model;
    const swColliderPlace *place = &world->collider[collider];
    const swColliderInfo *c = sw_state_collider(world, collider);
    if (c->motion != SW_COLLIDER_PROGRAM)
        return sw_collider_pose(m, c, t);
    const swReal u = (t - world->t) / m->settings.step;
    return u >= 1 - 1e-9 ? place->now
           : u <= 0      ? place->last
                         : between(&place->last, &place->now, u);
}

swVec3 sw_collider_moved(const swAffine *from, const swAffine *to, swVec3 x) {
    return sw_sub(sw_affine_at(*to, to_local(from, x)), x);
}

// ---- of files and for pictures ----

static bool is_rotation(swMat3 R) {
    const swMat3 I = sw_mat_mul(sw_mat_t(R), R);
    for (int i = 0; i < 9; i++)
        if (!(fabs(I.m[i] - (i % 4 == 0)) < 1e-6))
            return false;
    return sw_mat_det(R) > 0;
}

bool sw_collider_sane(const swModel *m, const swColliderInfo *c) {
    const swColliderKind *kind = sw_collider_kind(c->kind);
    return kind && kind->depth && is_rotation(c->place.A) && sw_finite3(c->place.b) &&
           c->friction >= 0 && isfinite(c->friction) && isfinite(c->stiffness) &&
           c->lo.x <= c->hi.x && c->lo.y <= c->hi.y && c->lo.z <= c->hi.z && kind->sane(m, c);
}

bool sw_collider_surface(const swModel *m, const swColliderInfo *c, swArena *arena, swSurface *out,
                         swError *error) {
    *out = (swSurface){0};
    const swColliderKind *kind = sw_collider_kind(c->kind);
    return !kind || !kind->surface || kind->surface(m, c, arena, out, error);
}

swMat3 sw_collider_bend(swReal k, swVec3 n, swVec3 f) {
    swMat3 B;
    for (int i = 0; i < 9; i++)
        B.m[i] = k * ((i % 4 == 0) - sw_get(n, i / 3) * sw_get(n, i % 3) -
                      sw_get(f, i / 3) * sw_get(f, i % 3));
    return B;
}
