// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Muscles and rest shapes.
#include "compile/build.h"

enum { SUGGESTIONS = 64 };                // names that a wrong one is compared with
static const swReal least_stretch = 0.02; // of a mix of rest shapes, along any direction

bool sw_build_course(swBuilder *b, swReal value, const swActivationKey *keys, swReal repeat,
                     swCourse *course, swError *error) {
    const swActivationKey *key = isnan(value) ? keys : NULL;
    *course = (swCourse){b->activation_key.count, 0, key && !isnan(repeat) ? repeat : 0};
    do {
        swActivation *to = SW_EXTEND(&b->activation_key, 1, &b->arena, error);
        if (!to)
            return false;
        *to = key ? (swActivation){key->t, key->value} : (swActivation){0, value};
        course->nkey++;
        key = key ? key->next : NULL;
    } while (key);
    return true;
}

// ---- muscles ----

// An embedded point that moves with a node alone.
static bool add_carried(swBuilder *b, int node, swVec3 p, swError *error) {
    swVec3 *point = SW_EXTEND(&b->point, 1, &b->arena, error);
    int *material = point ? SW_EXTEND(&b->point_material, 1, &b->arena, error) : NULL,
        *to = material ? SW_EXTEND(&b->point_node, 1, &b->arena, error) : NULL,
        *start = to ? SW_EXTEND(&b->point_start, 1, &b->arena, error) : NULL;
    swReal *weight = start ? SW_EXTEND(&b->point_weight, 1, &b->arena, error) : NULL;
    if (!weight)
        return false;
    *point = p;
    *to = node;
    *weight = 1;
    *start = b->point_node.count;
    return true;
}

int sw_build_find_handle(swBuilder *b, const swBodyBuild *body, const char *find, const char *key,
                         swError *error) {
    const char *names[SUGGESTIONS];
    int n = 0;
    for (int i = 0; i < b->handle.count; i++) {
        const swHandleInfo *h = &b->handle.item[i];
        const char *name = b->text.item + h->name;
        if (h->body != body->index)
            continue;
        if (sw_text_equal(name, find))
            return i;
        if (n < SUGGESTIONS)
            names[n++] = name;
    }
    const char *near = sw_text_nearest(find, names, n);
    sw_fail(error, SW_ERROR_VALUE,
            "%s.handle: expected the name of a handle, a bone or a rigid part of the body, "
            "found \"%s\"%s%s%s",
            key, find, near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return -1;
}

static bool add_handle_end(swBuilder *b, const swBodyBuild *body, const swMuscleEnd *end,
                           const char *key, swError *error) {
    const int i = sw_build_find_handle(b, body, end->handle, key, error);
    if (i < 0)
        return false;
    const int node = b->handle.item[i].node;
    return add_carried(b, node, isnan(end->point.x) ? b->node.item[node].origin : end->point,
                       error);
}

static bool add_end(swBuilder *b, const swBodyBuild *body, const swMuscleEnd *end, const char *key,
                    swError *error) {
    int far = 0;
    if (end->handle)
        return add_handle_end(b, body, end, key, error);
    if (!sw_build_points(b, body, 1, &end->point, -1, &far, error))
        return false;
    return far == 0 ||
           sw_fail(error, SW_ERROR_GEOMETRY, "%s.point: (%.4g, %.4g, %.4g) is outside the body",
                   key, end->point.x, end->point.y, end->point.z);
}

static bool add_muscle(swBuilder *b, const swBodyBuild *body, const swMuscle *d, int index,
                       swError *error) {
    char key[96];
    swMuscleInfo info = {.name = sw_build_text(b, d->name, error),
                         .body = body->index,
                         .point = {b->point.count, b->point.count + 1},
                         .stiffness = d->stiffness,
                         .strength = d->strength};
    if (info.name < 0)
        return false;
    snprintf(key, sizeof key, "%s.muscles[%d].from", body->key, index);
    if (!add_end(b, body, &d->from, key, error))
        return false;
    snprintf(key, sizeof key, "%s.muscles[%d].to", body->key, index);
    if (!add_end(b, body, &d->to, key, error))
        return false;
    const swVec3 *end = b->point.item + info.point[0];
    info.length = isnan(d->length) ? sw_norm(sw_sub(end[1], end[0])) : d->length;
    if (!(info.length > 0))
        return sw_fail(
            error, SW_ERROR_GEOMETRY,
            "%s.muscles[%d]: expected two ends apart, or a \"length\", found both in one "
            "place",
            body->key, index);
    swMuscleInfo *to = SW_EXTEND(&b->muscle, 1, &b->arena, error);
    if (!to || !sw_build_course(b, d->activation, d->keys, d->repeat, &info.activation, error))
        return false;
    *to = info;
    return true;
}

bool sw_build_muscles(swBuilder *b, swBodyBuild *body, swError *error) {
    int i = 0;
    for (const swMuscle *d = body->def->muscles; d; d = d->next, i++)
        if (!add_muscle(b, body, d, i, error))
            return false;
    return true;
}

// ---- rest shapes ----

typedef struct {
    const swDeform *def;
    const swSolid *on;  // NULL: everywhere
    const swVec3 *pose; // of sw_build_pose(), or NULL
} swPainted;

// U of D = R U; zero where D turns inside out.
static swMat3 stretch_of(swMat3 D) {
    swMat3 R, U;
    if (!(sw_mat_det(D) > 0))
        return (swMat3){{0}};
    sw_mat_polar(D, &R, &U);
    return U;
}

// That of a sample of a group whose nodes are in a pose.
static swMat3 posed_stretch(const swBuilder *b, const swBodyBuild *body, const swGroup *g, int i,
                            const swVec3 *pose) {
    const swReal *gamma = b->gamma.item + g->gamma + i % SW_LANES +
                          (int64_t)(i / SW_LANES) * 3 * g->ncolumn * SW_LANES;
    const int first = b->node.item[body->first_node].q / 3;
    swMat3 F = {{0}};
    int column = 0;
    for (int k = g->node; k < g->node + g->nnode; k++) {
        const swNode *node = &b->node.item[b->group_node.item[k]];
        for (int c = 0; c < node->width; c++, column++)
            for (int e = 0; e < 9; e++)
                F.m[e] += sw_get(pose[node->q / 3 - first + c], e / 3) *
                          gamma[(e % 3 * g->ncolumn + column) * SW_LANES];
    }
    return stretch_of(F);
}

// That of a part's motion at p. With S the stretch along the axes, a the line's direction and r = S
// (p - from), the motion turns sections across the line: D = S + rate a^T.
static swMat3 stretch_at(const swDeform *part, swVec3 p) {
    const swVec3 line = sw_sub(part->to, part->from), s = part->stretch;
    const swReal length = sw_norm(line), along = sw_dot(sw_sub(p, part->from), line) / length;
    swMat3 D = {{s.x, 0, 0, 0, s.y, 0, 0, 0, s.z}};
    if ((part->bend == 0 && part->twist == 0) || along < 0 || along > length)
        return D;
    const swVec3 a = sw_unit(line), d = sw_sub(p, part->from),
                 r = sw_v3(s.x * d.x, s.y * d.y, s.z * d.z),
                 axis = sw_unit(sw_madd(part->axis, -sw_dot(part->axis, a), a));
    const swVec3 rate = part->bend != 0
                            ? sw_scale(-part->bend / length * sw_dot(sw_cross(axis, a), r), a)
                            : sw_scale(part->twist / length, sw_cross(a, r));
    for (int k = 0; k < 9; k++)
        D.m[k] += sw_get(rate, k / 3) * sw_get(a, k % 3);
    return stretch_of(D);
}

static bool read_parts(swBuilder *b, const swBodyBuild *body, const swRestShape *d, const char *key,
                       int *count, swPainted **out, swError *error) {
    int n = 0;
    for (const swDeform *p = d->parts; p; p = p->next)
        n++;
    swPainted *part = SW_NEW(&b->arena, n, swPainted, error);
    if (!part)
        return false;
    *out = part;
    *count = n;
    n = 0;
    for (const swDeform *p = d->parts; p; p = p->next, n++) {
        char on[160];
        snprintf(on, sizeof on, "%s.parts[%d].on", key, n);
        part[n].def = p;
        if (p->on && p->on->kind == SW_SHAPE_LABEL)
            return sw_fail(error, SW_ERROR_VALUE, "%s: expected a region by its form, found labels",
                           on);
        if (p->on && !(part[n].on = sw_solid_create(p->on, b->scene->folder, on, b->config,
                                                    &b->arena, error)))
            return false;
        snprintf(on, sizeof on, "%s.parts[%d].file", key, n);
        if (p->file && !(part[n].pose = sw_build_pose(b, body, p->file, on, error)))
            return false;
    }
    return true;
}

// U - I of a shape at every sample of the body, into places `k` of `stretch`; *touched: some of it
// is not zero. What holds a followed share at 0 is relative to the stiffness of going there.
static bool paint(swBuilder *b, const swBodyBuild *body, const swRestShape *d, int k, int nshape,
                  const char *key, swReal *stiffness, swError *error) {
    swPainted *part;
    int npart;
    bool touched = false;
    if (!read_parts(b, body, d, key, &npart, &part, error))
        return false;
    *stiffness = 0;
    for (int i = 0; i < b->group.count; i++) {
        const swGroup *g = &b->group.item[i];
        const swMaterialInfo *material = &b->material.item[g->material];
        for (int j = 0; j < g->nblock * SW_LANES && g->body == body->index; j++) {
            const swVec3 p = b->sample_point.item[g->sample + j];
            const swReal weight = b->sample_weight.item[g->sample + j];
            int at = npart - 1;
            while (at >= 0 && part[at].on && !sw_solid_inside(part[at].on, p))
                at--;
            if (at < 0 || !(weight > 0))
                continue;
            const swMat3 U = part[at].pose ? posed_stretch(b, body, g, j, part[at].pose)
                                           : stretch_at(part[at].def, p);
            const swReal six[] = {U.m[0] - 1, U.m[4] - 1, U.m[8] - 1, U.m[1], U.m[5], U.m[6]};
            swReal *to = b->stretch.item + g->stretch + j % SW_LANES +
                         ((int64_t)(j / SW_LANES) * nshape + k) * SW_STRETCH * SW_LANES;
            swReal square = 0, trace = six[0] + six[1] + six[2];
            for (int e = 0; e < SW_STRETCH; e++) {
                to[e * SW_LANES] = six[e];
                square += (e < 3 ? 1 : 2) * six[e] * six[e];
            }
            touched = touched || square > 0;
            *stiffness += weight * (2 * material->lame[0] * square +
                                    (material->lame[1] + material->volume) * trace * trace);
        }
    }
    return touched || sw_fail(error, SW_ERROR_GEOMETRY,
                              "%s: changes nothing at any integration point of the body", key);
}

// Shares go from 0 to 1 each: the mix is positive definite for all of them where what shapes take
// away together, each along its shortest direction, leaves something.
static bool check_mixes(const swBuilder *b, const swBodyBuild *body, int nshape, swError *error) {
    for (int i = 0; i < b->group.count; i++) {
        const swGroup *g = &b->group.item[i];
        for (int j = 0; j < g->nblock * SW_LANES && g->body == body->index; j++) {
            const swReal *six = b->stretch.item + g->stretch + j % SW_LANES +
                                (int64_t)(j / SW_LANES) * nshape * SW_STRETCH * SW_LANES;
            swReal left = 1;
            for (int k = 0; k < nshape; k++, six += SW_STRETCH * SW_LANES) {
                const swReal *e = six;
                const swReal xy = e[3 * SW_LANES], yz = e[4 * SW_LANES], zx = e[5 * SW_LANES];
                const swMat3 D = {{e[0], xy, zx, xy, e[SW_LANES], yz, zx, yz, e[2 * SW_LANES]}};
                swMat3 V;
                swVec3 w;
                sw_mat_eigen(D, &w, &V);
                left += sw_min(0, sw_min(w.x, sw_min(w.y, w.z)));
            }
            const swVec3 p = b->sample_point.item[g->sample + j];
            if (!(left >= least_stretch))
                return sw_fail(
                    error, SW_ERROR_GEOMETRY,
                    "%s.shapes: expected shapes that together leave at least %g of every "
                    "length, found %.3g at (%.4g, %.4g, %.4g)",
                    body->key, least_stretch, left, p.x, p.y, p.z);
        }
    }
    return true;
}

static bool make_room(swBuilder *b, const swBodyBuild *body, int nshape, swError *error) {
    for (int i = 0; i < b->group.count; i++) {
        swGroup *g = &b->group.item[i];
        if (g->body != body->index)
            continue;
        if (g->plastic >= 0)
            return sw_fail(error, SW_ERROR_VALUE,
                           "%s.shapes: expected a body of materials that do not yield, found "
                           "\"%s\": a rest shape is given or flows, not both",
                           body->key, b->text.item + b->material.item[g->material].name);
        g->stretch = b->stretch.count;
        if (g->nblock > INT32_MAX / (4 * SW_STRETCH * SW_LANES) / nshape)
            return sw_fail(error, SW_ERROR_LIMIT, "%s.shapes: too many for so many points",
                           body->key);
        if (!SW_EXTEND(&b->stretch, g->nblock * nshape * SW_STRETCH * SW_LANES, &b->arena, error))
            return false;
    }
    return true;
}

bool sw_build_shapes(swBuilder *b, swBodyBuild *body, swError *error) {
    int nshape = 0, nfollow = 0, k = 0;
    for (const swRestShape *d = body->def->shapes; d; d = d->next) {
        nshape++;
        nfollow += !isnan(d->follow);
    }
    if (nfollow > SW_FOLLOWED)
        return sw_fail(error, SW_ERROR_LIMIT, "%s.shapes: expected at most %d to follow, found %d",
                       body->key, SW_FOLLOWED, nfollow);
    b->body.item[body->index].shape = b->shape.count;
    b->body.item[body->index].nshape = nshape;
    if (nshape == 0)
        return true;
    if (!make_room(b, body, nshape, error))
        return false;
    for (const swRestShape *d = body->def->shapes; d; d = d->next, k++) {
        char key[128];
        swReal stiffness;
        swRestInfo info = {.name = sw_build_text(b, d->name, error), .body = body->index};
        snprintf(key, sizeof key, "%s.shapes[%d]", body->key, k);
        swRestInfo *to = SW_EXTEND(&b->shape, 1, &b->arena, error);
        if (!to || info.name < 0 ||
            !sw_build_course(b, d->value, d->keys, d->repeat, &info.value, error) ||
            !paint(b, body, d, k, nshape, key, &stiffness, error))
            return false;
        info.follow = isnan(d->follow) ? 0 : d->follow * stiffness;
        *to = info;
    }
    return check_mixes(b, body, nshape, error);
}
