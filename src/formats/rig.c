// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The transforms of the nodes of a rig at a time of a clip.
#include "formats/rig.h"

#include <string.h>
#include <strings.h>

swAffine sw_rig_local(swVec3 translation, const swReal q[4], swVec3 scale) {
    const swReal x = q[0], y = q[1], z = q[2], w = q[3];
    const swMat3 R = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                       2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    return (swAffine){sw_mat_mul(R, sw_mat_diag(scale.x, scale.y, scale.z)), translation};
}

static void normalize(swReal q[4]) {
    const swReal length = sqrt(sw_dot_n(4, q, q));
    for (int k = 0; k < 4; k++)
        q[k] = length > 0 ? q[k] / length : k == 3;
}

// Interpolates along the shorter arc.
static void slerp(const swReal *a, const swReal *b, swReal u, swReal out[4]) {
    static const swReal near = 1 - 1e-10;
    const swReal cosine = sw_dot_n(4, a, b), sign = cosine < 0 ? -1 : 1;
    swReal f = 1 - u, g = u;
    if (fabs(cosine) < near) {
        const swReal angle = acos(fabs(cosine));
        f = sin((1 - u) * angle) / sin(angle);
        g = sin(u * angle) / sin(angle);
    }
    for (int k = 0; k < 4; k++)
        out[k] = f * a[k] + sign * g * b[k];
    normalize(out);
}

// Cubic Hermite interpolation between the values p and q with tangents m and n, per second.
static swReal hermite(swReal p, swReal m, swReal q, swReal n, swReal u, swReal dt) {
    const swReal u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * p + (u3 - 2 * u2 + u) * dt * m + (3 * u2 - 2 * u3) * q +
           (u3 - u2) * dt * n;
}

static void channel_at(const swRigChannel *c, swReal t, swReal out[4]) {
    const int width = c->path == SW_RIG_ROTATION ? 4 : 3;
    const bool cubic = c->interpolation == SW_RIG_CUBIC;
    const int stride = cubic ? 3 * width : width, value = cubic ? width : 0;
    int lo = 0, hi = c->nkey - 1; // t[lo] <= t < t[hi], if there are such keys
    const bool inside = t > c->t[0] && t < c->t[hi];
    while (inside && hi - lo > 1) {
        const int middle = (lo + hi) / 2;
        *(c->t[middle] <= t ? &lo : &hi) = middle;
    }
    const swReal *a = c->value + (size_t)stride * (size_t)(t >= c->t[c->nkey - 1] ? hi : lo);
    memcpy(out, a + value, (size_t)width * sizeof *out);
    if (!inside || c->interpolation == SW_RIG_STEP)
        return;
    const swReal *b = c->value + (size_t)stride * (size_t)hi;
    const swReal dt = c->t[hi] - c->t[lo], u = (t - c->t[lo]) / dt;
    if (cubic) {
        for (int k = 0; k < width; k++)
            out[k] = hermite(a[width + k], a[2 * width + k], b[width + k], b[k], u, dt);
        if (width == 4)
            normalize(out);
    } else if (width == 4)
        slerp(a, b, u, out);
    else
        for (int k = 0; k < width; k++)
            out[k] = a[k] + u * (b[k] - a[k]);
}

void sw_rig_pose(const swRig *rig, int clip, swReal t, swAffine *global) {
    sw_rig_blend(rig, clip, t, 1, global);
}

void sw_rig_blend(const swRig *rig, int clip, swReal t, swReal share, swAffine *global) {
    const swRigClip *c = clip >= 0 ? &rig->clip[clip] : NULL;
    int next = 0; // index of the next channel
    for (int i = 0; i < rig->nnode; i++) {
        const swRigNode *node = &rig->node[i];
        swAffine local = node->local;
        swVec3 translation = node->translation, scale = node->scale;
        swReal q[4], v[4];
        memcpy(q, node->rotation, sizeof q);
        const int first = next;
        for (; c && next < c->nchannel && c->channel[next].node == i; next++) {
            const swRigChannel *channel = &c->channel[next];
            channel_at(channel, t, v);
            swVec3 *to = channel->path == SW_RIG_SCALE ? &scale : &translation;
            if (channel->path == SW_RIG_ROTATION && share >= 1)
                memcpy(q, v, sizeof q);
            else if (channel->path == SW_RIG_ROTATION)
                slerp(node->rotation, v, share, q);
            else
                *to = share >= 1 ? sw_v3(v[0], v[1], v[2])
                                 : sw_lerp(*to, sw_v3(v[0], v[1], v[2]), share);
        }
        if (next > first && !node->has_matrix)
            local = sw_rig_local(translation, q, scale);
        global[i] = node->parent < 0 ? local : sw_affine_mul(global[node->parent], local);
    }
}

// Compares the whole name, and what follows the last separator in it: exporters write
// "Armature|Fox_Run".
static int find_clip(const swRig *rig, const char *name, char separator) {
    for (int i = 0; i < rig->nclip && name[0]; i++) {
        const char *whole = rig->clip[i].name, *last = strrchr(whole, separator);
        if (strcasecmp(whole, name) == 0 || (last && strcasecmp(last + 1, name) == 0))
            return i;
    }
    return -1;
}

int sw_rig_find_clip(const swRig *rig, const char *name) {
    const int named = find_clip(rig, name, '|');
    double number;
    const char *end = name + strlen(name);
    if (named >= 0)
        return named;
    if (sw_text_number(name, end, &number) == end) // "2" must not match "Idle_2"
        return number >= 0 && number < rig->nclip && number == floor(number) ? (int)number : -1;
    return find_clip(rig, name, '_');
}
