// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Which voxels a bone holds: those around its axis, where that runs through flesh that follows it;
// else those deepest below the skin that does.
#include "compile/skeleton.h"

#include "math/sets.h"

#include <string.h>

#define DEEP 0.6              // of the depth of the skin's flesh, where a bone has no axis in it
#define TIP 0.85              // of the way from a leaf's joint to the end of its skin
enum { LARGEST_AXIS = 2000 }; // points

// ---- skin ----

int sw_skeleton_shares(const swSkeletonBuild *s, swVec3 p, swBoneShare share[SW_BONE_SHARES]) {
    int n = 0, triangle;
    if (!s->near) {
        swReal least = INFINITY;
        for (int i = 0; i < s->nbone; i++)
            for (int k = 0; k < s->bone[i].axis.count; k++) {
                const swReal d = sw_norm2(sw_sub(p, s->bone[i].axis.item[k]));
                if (d < least) {
                    least = d;
                    share[0] = (swBoneShare){i, 1};
                    n = 1;
                }
            }
        return n;
    }
    swReal sum = 0;
    sw_bvh_closest(s->near, p, &triangle);
    for (int c = 0; c < 3; c++) {
        const int v = s->skin.triangle[3 * triangle + c];
        for (int k = s->rig.start[v]; k < s->rig.start[v + 1]; k++) {
            const swRigInfluence *in = &s->rig.influence[k];
            const int bone = s->bone_of[s->rig.bind[in->bind].node];
            int at = 0;
            if (bone < 0)
                continue;
            while (at < n && share[at].bone != bone)
                at++;
            if (at == n)
                share[n++] = (swBoneShare){bone, 0};
            share[at].weight += in->weight;
            sum += in->weight;
        }
    }
    for (int i = 0; i < n; i++)
        share[i].weight /= sum;
    return n;
}

// The bone that moves the skin nearest to p the most, or -1.
static int main_bone(const swSkeletonBuild *s, swVec3 p) {
    swBoneShare share[SW_BONE_SHARES];
    const int n = sw_skeleton_shares(s, p, share);
    int best = -1;
    for (int i = 0; i < n; i++)
        if (best < 0 || share[i].weight > share[best].weight)
            best = i;
    return best < 0 ? -1 : share[best].bone;
}

// How far p is below the surface; negative outside.
static swReal depth_at(const swBodyBuild *body, swVec3 p) {
    swReal depth = -INFINITY;
    for (int i = 0; i < body->nsolid; i++)
        depth = sw_max(depth, -sw_solid_distance(body->solid[i], p));
    return depth;
}

// ---- axes ----

// The end of a leaf: as far as its skin reaches, towards the middle of it.
static swVec3 leaf_end(const swSkeletonBuild *s, int node) {
    const swVec3 from = s->joint[node];
    swVec3 middle = {0, 0, 0};
    swReal total = 0, reach = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int v = 0; v < s->skin.nvertex; v++)
            for (int k = s->rig.start[v]; k < s->rig.start[v + 1]; k++) {
                const swRigInfluence *in = &s->rig.influence[k];
                if (s->rig.bind[in->bind].node != node || in->weight < 0.5)
                    continue;
                const swVec3 arm = sw_sub(s->skin.X[v], from);
                if (pass == 0) {
                    middle = sw_madd(middle, in->weight, arm);
                    total += in->weight;
                } else
                    reach = sw_max(reach, sw_dot(arm, sw_unit(middle)));
            }
    return total > 0 ? sw_madd(from, TIP * reach, sw_unit(middle)) : from;
}

// Points of a segment that lie in flesh which follows the bone; depths say how much is around them.
static bool add_axis(swBuilder *b, const swBodyBuild *body, int index, swVec3 from, swVec3 to,
                     swError *error) {
    swSkeletonBuild *s = body->skeleton;
    swBone *bone = &s->bone[index];
    const swReal length = sw_norm(sw_sub(to, from)), h = body->grid.h;
    const int n = (int)sw_min(ceil(2 * length / h) + 1, LARGEST_AXIS);
    for (int i = 0; i <= n; i++) {
        const swVec3 p = sw_lerp(from, to, (swReal)i / n);
        if (!(depth_at(body, p) > 0) || (s->near && main_bone(s, p) != index))
            continue;
        swVec3 *point = SW_PUSH(&bone->axis, &b->arena, error);
        if (!point)
            return false;
        *point = p;
    }
    return true;
}

static bool find_axis(swBuilder *b, const swBodyBuild *body, int index, swError *error) {
    const swSkeletonBuild *s = body->skeleton;
    const int node = s->bone[index].node;
    const swVec3 from = s->joint[node];
    int nend = 0;
    for (int i = node + 1; i < s->rig.nnode; i++)
        if (s->rig.node[i].parent == node && sw_norm(sw_sub(s->joint[i], from)) > 0) {
            nend++;
            if (!add_axis(b, body, index, from, s->joint[i], error))
                return false;
        }
    if (nend > 0)
        return true;
    const swVec3 tip = s->rig.node[node].tip;
    const swVec3 end =
        s->near ? leaf_end(s, node) : sw_affine_at(s->place, sw_affine_at(s->rest[node], tip));
    return add_axis(b, body, index, from, end, error);
}

// ---- voxels ----

typedef struct swBoneVoxels {
    swBuilder *b;
    swBodyBuild *body;
    int *bone;   // per voxel: who holds it, or -1
    swReal *far; // per voxel: from the axis
    int *count;  // per bone: its voxels
} swBoneVoxels;

static void take(swBoneVoxels *f, int v, int bone, swReal far) {
    if (f->bone[v] >= 0)
        f->count[f->bone[v]]--;
    f->bone[v] = bone;
    f->far[v] = far;
    if (bone >= 0)
        f->count[bone]++;
}

// Voxels around the points of the axis, unless they are nearer to another one; the nearest one in
// any case.
static void fill_axis(swBoneVoxels *f, int index) {
    const swSkeletonBuild *s = f->body->skeleton;
    const swBone *bone = &s->bone[index];
    const swGrid *g = &f->body->grid;
    int nearest = -1;
    swReal least = INFINITY;
    for (int i = 0; i < bone->axis.count; i++) {
        const swVec3 p = bone->axis.item[i];
        const swReal r = s->def->radius * depth_at(f->body, p);
        for (int v = 0; v < g->nvoxel; v++) {
            if (g->voxel[v].owner >= 0)
                continue;
            const swReal d = sw_norm(sw_sub(g->voxel[v].centroid, p));
            if (d <= r && (f->bone[v] < 0 || d < f->far[v]))
                take(f, v, index, d);
            if (d < least && f->bone[v] < 0) {
                least = d;
                nearest = v;
            }
        }
    }
    if (f->count[index] == 0 && nearest >= 0)
        take(f, nearest, index, least);
}

// A bone whose axis is elsewhere holds what is deepest below its skin.
static bool fill_skin(swBoneVoxels *f, swError *error) {
    const swSkeletonBuild *s = f->body->skeleton;
    const swGrid *g = &f->body->grid;
    swReal *deepest = SW_NEW(&f->b->arena, s->nbone, swReal, error);
    int *main = deepest ? SW_NEW(&f->b->arena, g->nvoxel, int, error) : NULL;
    swReal *depth = main ? SW_NEW(&f->b->arena, g->nvoxel, swReal, error) : NULL;
    if (!depth || !s->near)
        return depth != NULL;
    for (int v = 0; v < g->nvoxel; v++) {
        main[v] = f->bone[v] < 0 && g->voxel[v].owner < 0 ? main_bone(s, g->voxel[v].centroid) : -1;
        if (main[v] < 0 || f->count[main[v]] > 0) {
            main[v] = -1;
            continue;
        }
        depth[v] = depth_at(f->body, g->voxel[v].centroid);
        deepest[main[v]] = sw_max(deepest[main[v]], depth[v]);
    }
    for (int v = 0; v < g->nvoxel; v++)
        if (main[v] >= 0 && depth[v] > 0 && depth[v] >= DEEP * deepest[main[v]])
            take(f, v, main[v], deepest[main[v]] - depth[v]);
    return true;
}

// Calls for the voxels in the cells around one, itself left out.
static int neighbours(const swGrid *g, int v, int out[26 * 4]) {
    const int cell = g->voxel[v].cell, x = cell % g->n[0], y = cell / g->n[0] % g->n[1],
              z = cell / g->n[0] / g->n[1];
    int n = 0;
    for (int k = sw_max_int(z - 1, 0); k <= sw_min_int(z + 1, g->n[2] - 1); k++)
        for (int j = sw_max_int(y - 1, 0); j <= sw_min_int(y + 1, g->n[1] - 1); j++)
            for (int i = sw_max_int(x - 1, 0); i <= sw_min_int(x + 1, g->n[0] - 1); i++) {
                const int c = i + g->n[0] * (j + g->n[1] * k);
                for (int w = g->first[c]; w < g->first[c + 1] && n < 26 * 4; w++)
                    if (w != v)
                        out[n++] = w;
            }
    return n;
}

// Bones that touch could not move apart: of two voxels the one farther from its axis is let go. A
// bone keeps one voxel.
static bool part_bones(swBoneVoxels *f, swError *error) {
    const swSkeletonBuild *s = f->body->skeleton;
    const swGrid *g = &f->body->grid;
    char *lost = SW_NEW(&f->b->arena, g->nvoxel, char, error);
    int *best = lost ? SW_NEW(&f->b->arena, s->nbone, int, error) : NULL;
    if (!best)
        return false;
    for (int i = 0; i < s->nbone; i++)
        best[i] = -1;
    for (int v = 0; v < g->nvoxel; v++) {
        const int own = f->bone[v];
        if (own < 0)
            continue;
        if (best[own] < 0 || f->far[v] < f->far[best[own]])
            best[own] = v;
        int near[26 * 4];
        const int n = neighbours(g, v, near);
        for (int k = 0; k < n && !lost[v]; k++) {
            const int w = near[k];
            lost[v] = f->bone[w] >= 0 && f->bone[w] != own &&
                      (f->far[v] > f->far[w] || (f->far[v] == f->far[w] && v > w));
        }
    }
    for (int v = 0; v < g->nvoxel; v++)
        if (lost[v] && best[f->bone[v]] != v)
            take(f, v, -1, 0);
    return true;
}

// Connected voxels have the lowest index of them.
static void join_voxels(const swGrid *g, int *part) {
    const int step[3] = {1, g->n[0], g->n[0] * g->n[1]};
    for (int v = 0; v < g->nvoxel; v++)
        part[v] = v;
    for (int v = 0; v < g->nvoxel; v++) {
        const int cell = g->voxel[v].cell;
        for (int axis = 0; axis < 3; axis++)
            if (g->open[cell] & SW_OPEN_X << axis)
                for (int w = g->first[cell + step[axis]]; w < g->first[cell + step[axis] + 1]; w++)
                    sw_set_join(part, v, w);
    }
    for (int v = 0; v < g->nvoxel; v++)
        part[v] = sw_set_find(part, v);
}

// A part of the body that no bone reaches would fall off: it goes with the nearest one.
static bool hold_islands(swBoneVoxels *f, swError *error) {
    const swGrid *g = &f->body->grid;
    int *part = SW_NEW(&f->b->arena, g->nvoxel, int, error);
    char *held = part ? SW_NEW(&f->b->arena, g->nvoxel, char, error) : NULL;
    int *with = held ? SW_NEW(&f->b->arena, g->nvoxel, int, error) : NULL;
    if (!with)
        return false;
    join_voxels(g, part);
    for (int v = 0; v < g->nvoxel; v++)
        if (f->bone[v] >= 0 || g->voxel[v].owner >= 0)
            held[part[v]] = true;
    for (int v = 0; v < g->nvoxel; v++) {
        if (held[part[v]])
            continue;
        swReal least = INFINITY;
        for (int w = 0; w < g->nvoxel && part[v] == v; w++) {
            const swReal d = sw_norm2(sw_sub(g->voxel[w].centroid, g->voxel[v].centroid));
            if (f->bone[w] >= 0 && held[part[w]] && d < least) {
                least = d;
                with[v] = f->bone[w] + 1;
            }
        }
        if (with[part[v]])
            take(f, v, with[part[v]] - 1, 0);
    }
    return true;
}

bool sw_skeleton_fill(swBuilder *b, swBodyBuild *body, int first, swError *error) {
    swSkeletonBuild *s = body->skeleton;
    const swGrid *g = &body->grid;
    swBoneVoxels f = {b, body, SW_NEW(&b->arena, g->nvoxel, int, error),
                      SW_NEW(&b->arena, g->nvoxel, swReal, error),
                      SW_NEW(&b->arena, s->nbone, int, error)};
    if (!f.bone || !f.far || !f.count)
        return false;
    for (int v = 0; v < g->nvoxel; v++)
        f.bone[v] = -1;
    for (int i = 0; i < s->nbone; i++) {
        if (!find_axis(b, body, i, error))
            return false;
        fill_axis(&f, i);
    }
    if (!fill_skin(&f, error) || !part_bones(&f, error) || !hold_islands(&f, error))
        return false;
    int empty = 0;
    for (int i = 0; i < s->nbone; i++) {
        s->bone[i].handle = f.count[i] > 0 ? first++ : -1;
        empty += f.count[i] == 0;
    }
    for (int v = 0; v < g->nvoxel; v++)
        if (f.bone[v] >= 0)
            g->voxel[v].owner = s->bone[f.bone[v]].handle;
    sw_info(b->config, "%s: %d bones of %s hold flesh; %d without any are left out", body->key,
            s->nbone - empty, s->def->file, empty);
    return empty < s->nbone ||
           sw_fail(error, SW_ERROR_GEOMETRY,
                   "%s.skeleton: no bone of %s is inside the body; \"scale\" may be wrong",
                   body->key, s->def->file);
}
