// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A body's skeleton: its file, the bones that are used, and their motion as tracks of keys.
#include "compile/skeleton.h"

#include "formats/rig_read.h"

#include <string.h>

#define SAMPLING 120.0   // keys of a track per second, at least; a key at the end of every step
#define FASTEST 480.0    // and at most, where steps are short
#define LARGEST_KEYS 5e6 // of all bones

// ---- the file ----

static bool matches(const char *name, int n, const char *const *pattern) {
    for (int i = 0; i < n; i++)
        if (sw_text_matches(name, pattern[i]))
            return true;
    return false;
}

// Adds a name to a list in an error message, while there is room.
static void list_name(char *list, size_t size, const char *name) {
    const size_t used = strlen(list);
    if (used + strlen(name) + 5 < size)
        snprintf(list + used, size - used, "%s\"%s\"", used ? ", " : "", name);
}

static bool find_clip(const swBodyBuild *body, swSkeletonBuild *s, swError *error) {
    const swRig *rig = &s->rig;
    const char *name = s->def->clip;
    s->clip = rig->nclip > 0 ? 0 : -1;
    if (!name)
        return true;
    s->clip = sw_rig_find_clip(rig, name);
    if (s->clip >= 0 || sw_text_matches(name, "none"))
        return true;
    char list[400] = "";
    for (int i = 0; i < rig->nclip; i++)
        list_name(list, sizeof list, rig->clip[i].name[0] ? rig->clip[i].name : "0");
    return sw_fail(error, SW_ERROR_VALUE, "%s.skeleton.clip: expected one of %s, found \"%.60s\"",
                   body->key, rig->nclip ? list : "\"none\", as the file has no clips", name);
}

// Where the shape is the file's own mesh, the skeleton goes with it.
static bool find_place(const swBodyBuild *body, swSkeletonBuild *s, bool *own, swError *error) {
    const swShape *shape = body->def->shape;
    const swReal f = s->def->scale;
    *own = shape->kind == SW_SHAPE_MESH && sw_text_equal(shape->file, s->def->file);
    if (!*own) {
        s->place = (swAffine){sw_mat_diag(f, f, f), {0, 0, 0}};
        return true;
    }
    if (f != 1)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.skeleton.scale: expected 1, as the skeleton is scaled with the mesh of "
                       "the same file, found %g",
                       body->key, f);
    sw_pose_matrix(&shape->pose, &s->place.A, &s->place.b);
    for (int k = 0; k < 9; k++)
        s->place.A.m[k] *= shape->scale;
    return true;
}

// Patterns that find no bone are typing errors.
static bool check_patterns(const swBodyBuild *body, const swRig *rig, const char *key, int n,
                           const char *const *pattern, swError *error) {
    for (int i = 0; i < n; i++) {
        bool found = false;
        char list[240] = "";
        for (int k = 0; k < rig->nnode && !found; k++) {
            const char *name = rig->node[k].name;
            found = rig->node[k].joint && sw_text_matches(name, pattern[i]);
            if (rig->node[k].joint)
                list_name(list, sizeof list, name);
        }
        if (!found)
            return sw_fail(error, SW_ERROR_VALUE,
                           "%s.skeleton.%s: no bone is named like \"%.60s\"; there are %s, ...",
                           body->key, key, pattern[i], list);
    }
    return true;
}

static bool find_bones(swBuilder *b, swBodyBuild *body, swSkeletonBuild *s, swError *error) {
    const swSkeleton *def = s->def;
    const swRig *rig = &s->rig;
    if (rig->njoint > 0 && (!check_patterns(body, rig, "soft", def->nsoft, def->soft, error) ||
                            !check_patterns(body, rig, "bones", def->nbones, def->bones, error)))
        return false;
    if (!(s->bone = SW_NEW(&b->arena, rig->njoint, swBone, error)) ||
        !(s->bone_of = SW_NEW(&b->arena, rig->nnode, int, error)))
        return false;
    for (int i = 0; i < rig->nnode; i++) {
        s->bone_of[i] = -1;
        if (!rig->node[i].joint ||
            (def->nbones && !matches(rig->node[i].name, def->nbones, def->bones)))
            continue;
        char name[160];
        snprintf(name, sizeof name, rig->node[i].name[0] ? "%.120s" : "joint", rig->node[i].name);
        for (int k = 0; k < s->nbone; k++)
            if (strcmp(s->bone[k].name, name) == 0) {
                snprintf(name, sizeof name, "%.120s %d",
                         rig->node[i].name[0] ? rig->node[i].name : "joint", rig->node[i].index);
                break;
            }
        swBone *bone = &s->bone[s->nbone];
        *bone = (swBone){.node = i,
                         .soft = matches(rig->node[i].name, def->nsoft, def->soft),
                         .name = sw_arena_text(&b->arena, name, strlen(name), error),
                         .handle = -1};
        if (!bone->name)
            return false;
        s->bone_of[i] = s->nbone++;
    }
    return s->nbone > 0 ||
           sw_fail(error, SW_ERROR_VALUE,
                   "%s.skeleton: the file has no skeleton: no joints of a skin", body->key);
}

static bool make_skin(swBuilder *b, swSkeletonBuild *s, swError *error) {
    const swSurface *from = &s->rig.surface;
    s->skin = *from;
    s->skin.X = SW_NEW(&b->arena, from->nvertex, swVec3, error);
    if (!s->skin.X)
        return false;
    for (int i = 0; i < from->nvertex; i++)
        s->skin.X[i] = sw_affine_at(s->place, from->X[i]);
    return (s->near = sw_bvh_create(&s->skin, &b->arena, error)) != NULL;
}

bool sw_skeleton_read(swBuilder *b, swBodyBuild *body, swError *error) {
    const swSkeleton *def = body->def->skeleton;
    if (!def)
        return true;
    swSkeletonBuild *s = SW_NEW(&b->arena, 1, swSkeletonBuild, error);
    const char *path = s ? sw_path_join(b->scene->folder, def->file, &b->arena, error) : NULL;
    bool own;
    if (!path)
        return false;
    s->def = def;
    s->path = path;
    body->skeleton = s;
    if (!sw_rig_read(path, &b->arena, &s->rig, error) || !find_clip(body, s, error) ||
        !find_place(body, s, &own, error) || !find_bones(b, body, s, error) ||
        !(s->rest = SW_NEW(&b->arena, s->rig.nnode, swAffine, error)) ||
        !(s->joint = SW_NEW(&b->arena, s->rig.nnode, swVec3, error)))
        return false;
    sw_rig_pose(&s->rig, -1, 0, s->rest);
    for (int i = 0; i < s->rig.nnode; i++)
        s->joint[i] = sw_affine_at(s->place, s->rest[i].b);
    return !own || s->rig.surface.ntriangle == 0 || make_skin(b, s, error);
}

// ---- motion ----

// Rotations and places of bones in the world, from where they are at rest.
typedef struct swBonePose {
    swMat3 R;
    swVec3 about, translate;
    swReal stretch; // left out: largest change of a length, as a share
} swBonePose;

static void pose_at(const swBodyBuild *body, swReal t, swAffine *global) {
    const swSkeletonBuild *s = body->skeleton;
    const swReal lead = s->def->lead;
    const swReal duration = s->clip >= 0 ? s->rig.clip[s->clip].duration : 0;
    const swReal u = lead > 0 ? sw_clamp(t / lead, 0, 1) : 1;
    swReal since = sw_clamp(t - lead, 0, duration * s->def->repeat);
    if (duration > 0 && since > duration) {
        const swReal over = fmod(since, duration);
        since = over > 0 ? over : duration; // an end is the last pose, not the first
    }
    sw_rig_blend(&s->rig, s->clip, since, u * u * (3 - 2 * u), global);
}

static swBonePose bone_pose(const swBodyBuild *body, int node, const swAffine *global) {
    const swSkeletonBuild *s = body->skeleton;
    swMat3 Q, S, R;
    sw_mat_polar(sw_mat_mul(body->R, s->place.A), &Q, &S); // from the file to the world
    sw_mat_polar(sw_mat_mul(global[node].A, sw_mat_inverse(s->rest[node].A)), &R, &S);
    swReal stretch = 0;
    for (int k = 0; k < 9; k++)
        stretch = sw_max(stretch, fabs(S.m[k] - (k % 4 == 0)));
    const swVec3 from = sw_add(sw_mul(body->R, s->joint[node]), body->t);
    const swVec3 to = sw_add(sw_mul(body->R, sw_affine_at(s->place, global[node].b)), body->t);
    return (swBonePose){sw_mat_mul(Q, sw_mat_mul(R, sw_mat_t(Q))), from, sw_sub(to, from), stretch};
}

// For keys: those of bones that are simulated begin at rest coordinates, the others in the world.
static swBonePose track_pose(const swBodyBuild *body, const swBone *bone, const swAffine *global) {
    swBonePose pose = bone_pose(body, bone->node, global);
    if (bone->soft) {
        const swVec3 to = sw_add(pose.about, pose.translate);
        pose.R = sw_mat_mul(pose.R, body->R);
        pose.about = body->skeleton->joint[bone->node];
        pose.translate = sw_sub(to, pose.about);
    }
    return pose;
}

// Times between keys: steps end at keys.
static swReal spacing(const swBuilder *b) {
    const swReal h = b->scene->time.step;
    return h > 1 / SAMPLING ? h / ceil(h * SAMPLING) : h * ceil(1 / (FASTEST * h));
}

// The pose of a node whose transform at rest cannot be undone: none that can be said.
static bool check_rest(const swBodyBuild *body, swError *error) {
    const swSkeletonBuild *s = body->skeleton;
    for (int i = 0; i < s->nbone; i++)
        if (s->bone[i].handle >= 0 && !(fabs(sw_mat_det(s->rest[s->bone[i].node].A)) > 0))
            return sw_fail(error, SW_ERROR_VALUE,
                           "%s.skeleton: the bone \"%.60s\" is scaled to nothing at rest",
                           body->key, s->bone[i].name);
    return true;
}

bool sw_skeleton_track(swBuilder *b, swBodyBuild *body, swError *error) {
    const swSkeletonBuild *s = body->skeleton;
    if (!s || !check_rest(body, error))
        return !s;
    const swReal dt = spacing(b);
    const swReal end =
        s->clip < 0 ? 0 : s->def->lead + s->rig.clip[s->clip].duration * s->def->repeat;
    if (end / dt * s->nbone > LARGEST_KEYS)
        return sw_fail(error, SW_ERROR_LIMIT,
                       "%s.skeleton: %g s of %d bones are more than %g poses", body->key, end,
                       s->nbone, LARGEST_KEYS);
    const int n = (int)ceil(end / dt - 1e-9) + 1;
    swAffine *global = SW_NEW(&b->arena, s->rig.nnode, swAffine, error);
    swKey **keys = global ? SW_NEW(&b->arena, s->nbone, swKey *, error) : NULL;
    if (!keys)
        return false;
    for (int i = 0; i < s->nbone; i++) {
        const swBone *bone = &s->bone[i];
        if (bone->handle < 0 || (bone->soft ? !(s->def->follow > 0) : s->clip < 0))
            continue;
        if (!(keys[i] = SW_NEW(&b->arena, n, swKey, error)))
            return false;
        ((swHandle *)body->handle_defs.item[bone->handle])->keys = keys[i];
    }
    swReal stretch = 0;
    const char *worst = "";
    for (int k = 0; k < n; k++) {
        pose_at(body, k * dt, global);
        for (int i = 0; i < s->nbone; i++) {
            if (!keys[i])
                continue;
            const swBonePose pose = track_pose(body, &s->bone[i], global);
            const swVec3 turn = sw_mat_turn(pose.R);
            keys[i][k] = (swKey){.next = k + 1 < n ? &keys[i][k + 1] : NULL,
                                 .t = k * dt,
                                 .pose = {.axis = turn,
                                          .angle = sw_norm(turn),
                                          .about = pose.about,
                                          .translate = pose.translate}};
            if (pose.stretch > stretch) {
                stretch = pose.stretch;
                worst = s->bone[i].name;
            }
        }
    }
    if (stretch > 1e-3)
        sw_warn(b->config,
                "%s.skeleton: bones turn and move, but do not change their size: %.2g of \"%.60s\" "
                "is left out",
                body->key, stretch, worst);
    return true;
}

// ---- the start ----

// x -> A x + b in the world at t, from rest, of what moves as some bones do.
static swAffine flow(const swBodyBuild *body, const swAffine *global, int n,
                     const swBoneShare *share) {
    swAffine sum = {{{0}}, {0, 0, 0}};
    for (int i = 0; i < n; i++) {
        const swBonePose p = bone_pose(body, body->skeleton->bone[share[i].bone].node, global);
        const swVec3 to = sw_add(p.about, p.translate);
        for (int k = 0; k < 9; k++)
            sum.A.m[k] += share[i].weight * p.R.m[k];
        sum.b = sw_madd(sum.b, share[i].weight, sw_sub(to, sw_mul(p.R, p.about)));
    }
    return sum;
}

// Node matrices under a map of the world: A -> f(A), translations in the first column.
static void apply(const swNode *node, swAffine f, const swReal *from, swReal *to) {
    for (int c = 0; c < node->width && c < 4; c++) {
        swVec3 x = {from[c], from[node->width + c], from[2 * node->width + c]};
        x = c == 0 ? sw_affine_at(f, x) : sw_mul(f.A, x);
        for (int r = 0; r < 3; r++)
            to[r * node->width + c] = sw_get(x, r);
    }
}

bool sw_skeleton_start(swBuilder *b, swBodyBuild *body, swError *error) {
    static const swReal moment = 1e-5; // [s]: over which speeds are measured
    const swSkeletonBuild *s = body->skeleton;
    if (!s || s->clip < 0 || s->def->lead > 0)
        return true;
    swAffine *now = SW_NEW(&b->arena, s->rig.nnode, swAffine, error);
    swAffine *next = now ? SW_NEW(&b->arena, s->rig.nnode, swAffine, error) : NULL;
    if (!next)
        return false;
    pose_at(body, 0, now);
    pose_at(body, moment, next);
    const int nframe = body->nsite - body->nhandle;
    for (int i = 0; i < body->nsite; i++) {
        const swNode *node = &b->node.item[body->first_node + i];
        swBoneShare share[SW_BONE_SHARES] = {{-1, 1}};
        int n = 1;
        for (int k = 0; k < s->nbone && i >= nframe; k++)
            if (s->bone[k].handle == i - nframe)
                share[0].bone = k;
        if (share[0].bone < 0)
            n = sw_skeleton_shares(s, node->origin, share);
        if (n == 0)
            continue;
        const swAffine f = flow(body, now, n, share), g = flow(body, next, n, share);
        swAffine rate = {{{0}}, sw_scale(1 / moment, sw_sub(g.b, f.b))}, start = f;
        for (int k = 0; k < 9; k++)
            rate.A.m[k] = (g.A.m[k] - f.A.m[k]) / moment;
        swReal *A = b->q0.item + node->q, *V = b->v0.item + node->q, rest[12];
        if (node->width > 4 || sw_node_is_dual(node))
            continue; // they start where they are at rest
        memcpy(rest, A, (size_t)(3 * node->width) * sizeof *A);
        if (node->kind == SW_NODE_RIGID) {
            // Turned about its own place: blended rotations are none.
            const swVec3 x = {rest[0], rest[4], rest[8]}, to = sw_affine_at(f, x);
            swMat3 S;
            sw_mat_polar(f.A, &start.A, &S);
            start.b = sw_sub(to, sw_mul(start.A, x));
        }
        apply(node, rate, rest, V);
        if (node->ndof > 0) // keys move the others from where they are at rest
            apply(node, start, rest, A);
    }
    return true;
}

// ---- springs ----

// With them alone a bone and the flesh that it moves would swing at the wanted frequency, in
// translation as in rotation: each of k/7 at a distance L both ways along an axis is, about the
// origin, 2/7 k L^2, as much for k as the second moment of mass is for mass.
bool sw_skeleton_hold(swBuilder *b, swBodyBuild *body, swError *error) {
    const swSkeletonBuild *s = body->skeleton;
    const swReal rate = s ? 2 * SW_PI * s->def->follow : 0;
    for (int i = 0; s && i < s->nbone && rate > 0; i++) {
        if (!s->bone[i].soft || s->bone[i].handle < 0)
            continue;
        const int n = body->first_node + body->nsite - body->nhandle + s->bone[i].handle;
        const swNode *node = &b->node.item[n];
        const swNodePair *pair = sw_pair_find(b->pair.item, b->pair.count, n, n);
        if (!pair || pair->mass < 0)
            return sw_fail(error, SW_ERROR_VALUE,
                           "%s.skeleton.follow: expected 0 with dual quaternions, found %g",
                           body->key, s->def->follow);
        const swReal *M = b->mass.item + pair->mass;
        swHandleInfo *handle = &b->handle.item[node->handle];
        handle->hold = rate * rate * b->weight_load.item[node->q / 3];
        handle->arm = sqrt(3.5 * (M[5] + M[10] + M[15]) / (3 * M[0]));
    }
    return true;
}
