// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "contact/contact.h"

#include "kinematics/dual.h"
#include "kinematics/points.h"

#include <string.h>

// Energy, gradient and Hessian of one contact in terms of the point's position.
typedef struct swPointForce {
    swReal energy;
    swVec3 gradient;
    swReal hessian[9];
} swPointForce;

static void add_outer(swReal *H, swReal s, swVec3 a, swVec3 b) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            H[3 * r + c] += s * sw_get(a, r) * sw_get(b, c);
}

static swReal stiffness_of(const swColliderInfo *c, const swContactPoint *p) {
    return p->area * (c->stiffness > 0 ? c->stiffness : p->stiffness);
}

// k/2 depth^2. d(depth)/dx = -n, dn/dx = curvature (I - n n^T - flat flat^T).
static void push_out(swReal k, swDepth d, bool semidefinite, swPointForce *f) {
    f->energy += 0.5 * k * d.depth * d.depth;
    f->gradient = sw_madd(f->gradient, -k * d.depth, d.normal);
    add_outer(f->hessian, k, d.normal, d.normal);
    if (semidefinite || d.curvature == 0)
        return;
    swReal bend = -k * d.depth * d.curvature;
    for (int r = 0; r < 3; r++)
        f->hessian[4 * r] += bend;
    add_outer(f->hessian, -bend, d.normal, d.normal);
    add_outer(f->hessian, -bend, d.flat, d.flat);
}

// Coulomb's force mu N against the slip s, smooth where |s| < e: potential mu N f(|s|) with
// f'(s) = 2 s/e - (s/e)^2 below e, 1 above.
static void rub(swReal friction, swVec3 normal, swVec3 slip, swReal e, swPointForce *f) {
    slip = sw_madd(slip, -sw_dot(slip, normal), normal);
    swReal s = sw_norm(slip), first, over, second; // f', f'/s, f''
    if (s < e) {
        first = s / e * (2 - s / e);
        over = (2 - s / e) / e;
        second = 2 / e * (1 - s / e);
        f->energy += friction * (s * s / e - s * s * s / (3 * e * e));
    } else {
        first = 1;
        over = 1 / s;
        second = 0;
        f->energy += friction * (s - e / 3);
    }
    swVec3 t = s > 0 ? sw_scale(1 / s, slip) : sw_v3(0, 0, 0);
    f->gradient = sw_madd(f->gradient, friction * first, t);
    for (int r = 0; r < 3; r++) // f'/s (I - n n^T - t t^T) + f'' t t^T
        f->hessian[4 * r] += friction * over;
    add_outer(f->hessian, -friction * over, normal, normal);
    add_outer(f->hessian, friction * (second - over), t, t);
}

// The same under dual-quaternion blending: g_i += w_i X^T f, H_ij += w_i w_j (X^T hessian X + f .
// x_bb).
static void spread_dual(const swModel *m, const swReal *q, int point, const swPointForce *f,
                        swSystem *out) {
    swWide b[SW_DUAL], p[3], slope[3][SW_DUAL], fX[SW_DUAL], H[SW_DUAL][SW_DUAL];
    swDualPoint d;
    const int first = m->point_start[point], end = m->point_start[point + 1];
    for (int r = 0; r < SW_DUAL; r++) {
        swReal sum = 0;
        for (int e = first; e < end; e++)
            sum += m->point_weight[e] * q[m->node[m->point_node[e]].q + SW_NODE_DUAL + r];
        b[r] = sw_wide(sum);
    }
    const swWide force[3] = {sw_wide(f->gradient.x), sw_wide(f->gradient.y),
                             sw_wide(f->gradient.z)};
    for (int k = 0; k < 3; k++)
        p[k] = sw_wide(sw_get(m->point[point], k));
    sw_dual_point(b, p, &d);
    sw_dual_slope(&d, slope);
    for (int r = 0; r < SW_DUAL; r++)
        fX[r] = force[0] * slope[0][r] + force[1] * slope[1][r] + force[2] * slope[2][r];
    memset(H, 0, sizeof H);
    if (out->H && !out->gauss_newton)
        sw_dual_curvature(&d, force, fX, H);
    swReal g[SW_DUAL], K[SW_DUAL][SW_DUAL], lanes[SW_LANES], X[3][SW_DUAL];
    for (int r = 0; r < SW_DUAL; r++)
        for (int a = 0; a < 3; a++) {
            sw_wide_store(lanes, slope[a][r]);
            X[a][r] = lanes[0];
        }
    for (int r = 0; r < SW_DUAL; r++) {
        g[r] = X[0][r] * f->gradient.x + X[1][r] * f->gradient.y + X[2][r] * f->gradient.z;
        for (int s = 0; s < SW_DUAL; s++) {
            sw_wide_store(lanes, r <= s ? H[r][s] : H[s][r]);
            K[r][s] = lanes[0];
            for (int a = 0; a < 9; a++)
                K[r][s] += X[a / 3][r] * f->hessian[a] * X[a % 3][s];
        }
    }
    for (int e = first; e < end; e++) {
        const swNode *ni = &m->node[m->point_node[e]];
        for (int r = 0; r < SW_DUAL; r++)
            out->g[ni->q + SW_NODE_DUAL + r] += m->point_weight[e] * g[r];
        for (int o = first; out->H && ni->u >= 0 && o < end; o++) {
            const swNode *nj = &m->node[m->point_node[o]];
            if (nj->u < 0 || nj->u > ni->u)
                continue;
            const swBlock to = sw_blocks_get(out->H, m->point_node[e], m->point_node[o]);
            for (int r = 0; r < SW_DUAL; r++)
                for (int s = 0; s < SW_DUAL; s++)
                    to.data[r * to.stride + s] += m->point_weight[e] * m->point_weight[o] * K[r][s];
        }
    }
}

// g_c += N_c gradient, H_cd += N_c N_d hessian over the columns of the nodes that move the point.
static void spread(const swModel *m, const swReal *q, int point, const swPointForce *f,
                   swSystem *out) {
    (void)q;
    swReal Ni[SW_MAX_MONOMIALS], Nj[SW_MAX_MONOMIALS];
    const int first = m->point_start[point], end = m->point_start[point + 1];
    for (int e = first; e < end; e++) {
        const swNode *ni = &m->node[m->point_node[e]];
        sw_monomials(ni->width, sw_sub(m->point[point], ni->origin), Ni);
        for (int r = 0; r < 3; r++)
            for (int a = 0; a < ni->width; a++)
                out->g[ni->q + r * ni->width + a] +=
                    m->point_weight[e] * Ni[a] * sw_get(f->gradient, r);
        if (!out->H || ni->u < 0)
            continue;
        for (int o = first; o < end; o++) {
            const swNode *nj = &m->node[m->point_node[o]];
            if (nj->u < 0 || nj->u > ni->u)
                continue;
            sw_monomials(nj->width, sw_sub(m->point[point], nj->origin), Nj);
            const swBlock H = sw_blocks_get(out->H, m->point_node[e], m->point_node[o]);
            swReal w = m->point_weight[e] * m->point_weight[o];
            for (int r = 0; r < 3; r++)
                for (int a = 0; a < ni->width; a++) {
                    swReal *row = H.data + (r * ni->width + a) * H.stride;
                    for (int s = 0; s < 3; s++)
                        for (int b = 0; b < nj->width; b++)
                            row[s * nj->width + b] += w * Ni[a] * Nj[b] * f->hessian[3 * r + s];
                }
        }
    }
}

// Adds what collider c does to contact point i at x. False: nothing.
static bool touch(const swModel *m, const swContactInput *in, int i, int c, swVec3 x,
                  bool semidefinite, swPointForce *f, int *count) {
    const swColliderInfo *collider = &m->collider[c];
    const swContactPoint *p = &m->contact[i];
    const swReal N =
        in->x_last ? collider->friction * in->normal_force[i * m->size.ncollider + c] : 0;
    const swDepth d = sw_collider_depth(collider, x);
    if (d.depth <= 0 && N == 0)
        return false;
    if (d.depth > 0) {
        push_out(stiffness_of(collider, p), d, semidefinite, f);
        ++*count;
    }
    if (N > 0) {
        // Sticking is a creep below half a per cent of the body's size per second.
        const swBodyInfo *body = &m->body[p->body];
        const swReal e = 5e-3 * sw_norm(sw_sub(body->hi, body->lo)) * in->h;
        const swVec3 normal = sw_collider_depth(collider, in->x_last[i]).normal;
        rub(N, normal, sw_sub(x, in->x_last[i]), e, f);
    }
    return true;
}

int sw_contact_add(const swModel *m, const swContactInput *in, swSystem *out) {
    int count = 0;
    const int ncollider = (int)m->size.ncollider;
    const bool semidefinite = out->projection != SW_PROJECT_NONE;
    swPointForce f = {0};
    for (int i = 0; i < m->size.ncontact && ncollider; i++) {
        const int point = m->contact[i].point;
        const swVec3 x = sw_point_position(m, in->q, point);
        bool touched = false;
        for (int c = 0; c < ncollider; c++)
            touched = touch(m, in, i, c, x, semidefinite, &f, &count) || touched;
        if (!touched)
            continue;
        out->energy += f.energy;
        if (out->g)
            (m->body[m->contact[i].body].blend == SW_BLEND_LINEAR ? spread : spread_dual)(
                m, in->q, point, &f, out);
        f = (swPointForce){0};
    }
    return count;
}

void sw_contact_forces(const swModel *m, const swReal *q, swReal *normal_force) {
    const int ncollider = (int)m->size.ncollider;
    for (int i = 0; i < m->size.ncontact && ncollider; i++) {
        const swVec3 x = sw_point_position(m, q, m->contact[i].point);
        for (int c = 0; c < ncollider; c++) {
            swReal depth = sw_collider_depth(&m->collider[c], x).depth;
            normal_force[i * ncollider + c] =
                depth > 0 ? depth * stiffness_of(&m->collider[c], &m->contact[i]) : 0;
        }
    }
}

void sw_contact_positions(const swModel *m, const swReal *q, swVec3 *x) {
    for (int i = 0; i < m->size.ncontact; i++)
        x[i] = sw_point_position(m, q, m->contact[i].point);
}
