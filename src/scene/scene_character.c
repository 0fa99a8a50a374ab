// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Makes a scene from a character or from motion capture: its bones follow a clip, and its flesh
// follows the bones.
//
// Files have no reliable unit. The scene keeps the unit of the file, so that the output fits the
// input, and scales the physics instead: with s file units per metre, gravity is multiplied by s, a
// density in kg/m^3 is divided by s^3, and a stiffness in Pa is divided by s.
#include "scene/scene.h"

#include "formats/rig_read.h"

#include <ctype.h>
#include <strings.h>

enum { RESOLUTION = 64, FRAMES = 12, POINTS = 960 };
#define GRAVITY 9.81   // [m/s^2]
#define DENSITY 1000.0 // of flesh [kg/m^3]
#define YOUNG 2e5      // [Pa]
#define POISSON 0.4
#define STEP (1.0 / 60) // [s]
#define DAMPING 0.005   // of stiffness [s]
#define TOLERANCE 1e-4  // of forces: a smaller error is not visible
#define CLOSED 0.1      // largest gap between the ends of a cyclic clip, relative to the size
#define TURNED 0.6      // largest rotation of its joints between the ends [rad]
#define STAY 1.0        // duration for a character without a clip [s]
#define THICKNESS 0.057 // of generated limbs: see limb_radius()
#define HEAD 0.055      // radius of a generated head, relative to the height
#define THINNEST 0.012  // least radius of a limb, relative to the height

typedef struct Character {
    swScene *scene;
    const swCharacter *wish;
    swRig rig;
    swArena arena;    // for the rig
    const char *file; // file name without folders
    swVec3 *joint;    // per node, at rest
    swReal *below;    // per node: total length of the bones from it on
    swReal size;      // longest side of the bounding box at rest
    swError *error;
} Character;

swCharacter sw_default_character(void) { return (swCharacter){.follow = 4, .length = 1.5}; }

// ---- bones that swing ----

// Finds "ear" as a separate word, not as in "Forearm": Ear1.L, left_ear, RightEar.
static bool has_ear(const char *name) {
    for (const char *at = name; *at; at++) {
        if (strncasecmp(at, "ear", 3) != 0)
            continue;
        const bool begins = at == name || !isalpha((unsigned char)at[-1]) ||
                            (isupper((unsigned char)at[0]) && islower((unsigned char)at[-1]));
        const char *end = at[3] == 's' || at[3] == 'S' ? at + 4 : at + 3;
        const bool ends = !isalpha((unsigned char)*end) ||
                          (isupper((unsigned char)*end) && islower((unsigned char)at[2]));
        if (begins && ends)
            return true;
    }
    return false;
}

// Chooses those that the caller names, or else tails and ears.
static bool choose_soft(Character *c, swSkeleton *skeleton) {
    const swCharacter *wish = c->wish;
    swArena *arena = &c->scene->memory->arena;
    const char **soft =
        SW_NEW(arena, sw_max_int(wish->nsoft, c->rig.nnode), const char *, c->error);
    if (!soft)
        return false;
    char list[240] = "";
    for (int i = 0; i < (wish->soft ? wish->nsoft : c->rig.nnode); i++) {
        const char *name = wish->soft ? wish->soft[i] : c->rig.node[i].name;
        if (!wish->soft &&
            (!c->rig.node[i].joint || (!sw_text_matches(name, "*tail*") && !has_ear(name))))
            continue;
        if (!(soft[skeleton->nsoft++] = sw_arena_text(arena, name, strlen(name), c->error)))
            return false;
        const size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%.40s", n ? ", " : "", name);
    }
    skeleton->soft = soft;
    if (skeleton->nsoft > 0)
        sw_info(sw_scene_config(c->scene), "bones that swing freely: %s", list);
    return true;
}

// ---- flesh around motion capture ----

// As in the branches of a tree, a bone is thicker the more hangs on it.
static swReal limb_radius(const Character *c, int node, swReal length) {
    const swReal r = THICKNESS * sqrt(sw_max(c->below[node], length) * c->size);
    const bool head = sw_text_matches(c->rig.node[node].name, "*head*");
    return sw_max(r, (head ? HEAD : THINNEST) * c->size);
}

static bool add_limb(Character *c, swBody *body, int node, swVec3 to, swReal length) {
    swShape *limb = sw_body_add_shape(c->scene, body, SW_SHAPE_CAPSULE);
    if (!limb)
        return sw_fail_memory(c->error, sizeof *limb);
    limb->from = c->joint[node];
    limb->to = to;
    limb->radius = limb_radius(c, node, length);
    return true;
}

// Adds a capsule for each bone, with a radius that depends on what lies beyond it.
static bool add_limbs(Character *c, swBody *body) {
    const swRig *rig = &c->rig;
    for (int i = rig->nnode - 1; i >= 0; i--) {
        const int up = rig->node[i].parent;
        c->below[i] += sw_norm(rig->node[i].tip);
        if (up >= 0)
            c->below[up] += c->below[i] + sw_norm(sw_sub(c->joint[i], c->joint[up]));
    }
    for (int i = 0; i < rig->nnode; i++) {
        const int up = rig->node[i].parent;
        const swReal tip = sw_norm(rig->node[i].tip);
        const swReal length = up >= 0 ? sw_norm(sw_sub(c->joint[i], c->joint[up])) : 0;
        if (length > 0 && !add_limb(c, body, up, c->joint[i], length + c->below[i]))
            return false;
        if (tip > 0 && !add_limb(c, body, i, sw_add(c->joint[i], rig->node[i].tip), tip))
            return false;
    }
    return body->shape || sw_fail(c->error, SW_ERROR_GEOMETRY, "no bone has any length");
}

// ---- the scene ----

// Computes the size at rest, from the skin or else from the joints.
static bool measure(Character *c) {
    const swRig *rig = &c->rig;
    swAffine *rest = SW_NEW(&c->arena, rig->nnode, swAffine, c->error);
    c->joint = rest ? SW_NEW(&c->arena, rig->nnode, swVec3, c->error) : NULL;
    c->below = c->joint ? SW_NEW(&c->arena, rig->nnode, swReal, c->error) : NULL;
    if (!c->below)
        return false;
    sw_rig_pose(rig, -1, 0, rest);
    swVec3 lo = {INFINITY, INFINITY, INFINITY}, hi = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < rig->nnode; i++) {
        c->joint[i] = rest[i].b;
        if (rig->surface.nvertex > 0)
            continue;
        lo = sw_min3(lo, sw_min3(rest[i].b, sw_affine_at(rest[i], rig->node[i].tip)));
        hi = sw_max3(hi, sw_max3(rest[i].b, sw_affine_at(rest[i], rig->node[i].tip)));
    }
    for (int i = 0; i < rig->surface.nvertex; i++) {
        lo = sw_min3(lo, rig->surface.X[i]);
        hi = sw_max3(hi, rig->surface.X[i]);
    }
    const swVec3 d = sw_sub(hi, lo);
    c->size = sw_max(d.x, sw_max(d.y, d.z));
    return (c->size > 0 && isfinite(c->size)) ||
           sw_fail(c->error, SW_ERROR_GEOMETRY, "the character has no extent");
}

static bool add_body(Character *c) {
    swScene *scene = c->scene;
    const swCharacter *wish = c->wish;
    const char *dot = strrchr(c->file, '.');
    const char *name = dot && dot > c->file ? sw_arena_text(&scene->memory->arena, c->file,
                                                            (size_t)(dot - c->file), c->error)
                                            : NULL; // a body without a name gets a default one
    swBody *body = sw_scene_add_body(scene, name);
    swMaterial *flesh = body ? sw_scene_add_material(scene, "flesh") : NULL;
    swSkeleton *skeleton = flesh ? sw_body_add_skeleton(scene, body, c->file) : NULL;
    if (!skeleton)
        return sw_fail_memory(c->error, sizeof *body);
    if (c->rig.surface.ntriangle > 0) {
        swShape *shape = sw_body_add_shape(scene, body, SW_SHAPE_MESH);
        if (!shape || !(shape->file = sw_scene_text(scene, c->file)))
            return sw_fail_memory(c->error, sizeof *shape);
    } else if (!add_limbs(c, body))
        return false;
    body->resolution = RESOLUTION;
    body->frames.count = FRAMES;
    body->frames.weights.kind = "voronoi";
    body->integration.points = POINTS;
    body->damping_stiffness = DAMPING;
    scene->solver.tolerance = TOLERANCE;
    flesh->law = "stable-neo-hookean";
    const swReal s = c->size / wish->length;
    flesh->density = DENSITY / (s * s * s);
    flesh->young = YOUNG / s;
    flesh->poisson = POISSON;
    scene->gravity = sw_v3(0, -GRAVITY * s, 0);
    skeleton->follow = wish->follow;
    if (wish->clip && !(skeleton->clip = sw_scene_text(scene, wish->clip)))
        return sw_fail_memory(c->error, 1);
    return choose_soft(c, skeleton);
}

// The approximate angle between two transforms of the same joint [rad].
static swReal turn_between(swMat3 a, swMat3 b) {
    swReal d = 0, size = 0;
    for (int k = 0; k < 9; k++) {
        d += (a.m[k] - b.m[k]) * (a.m[k] - b.m[k]);
        size += a.m[k] * a.m[k];
    }
    return sqrt(1.5 * d / size);
}

// Whether the last pose of a clip equals its first.
static bool goes_round(Character *c, int clip, bool *yes) {
    const swRig *rig = &c->rig;
    swAffine *first = SW_NEW(&c->arena, rig->nnode, swAffine, c->error);
    swAffine *last = first ? SW_NEW(&c->arena, rig->nnode, swAffine, c->error) : NULL;
    if (!last)
        return false;
    sw_rig_pose(rig, clip, 0, first);
    sw_rig_pose(rig, clip, rig->clip[clip].duration, last);
    *yes = true;
    for (int i = 0; i < rig->nnode; i++)
        *yes = *yes && (!rig->node[i].joint ||
                        (sw_norm(sw_sub(first[i].b, last[i].b)) <= CLOSED * c->size &&
                         turn_between(first[i].A, last[i].A) <= TURNED));
    return true;
}

// Compiling reports unknown clips.
static bool set_time(Character *c) {
    swSkeleton *skeleton = c->scene->bodies->skeleton;
    const int clip = skeleton->clip ? sw_rig_find_clip(&c->rig, skeleton->clip)
                                    : sw_min_int(c->rig.nclip, 1) - 1;
    bool round = false;
    if (c->wish->repeat == 0 && clip >= 0 && !goes_round(c, clip, &round))
        return false;
    skeleton->repeat = c->wish->repeat ? c->wish->repeat : round ? 2 : 1;
    c->scene->time.step = STEP;
    c->scene->time.end = clip >= 0 ? skeleton->lead + c->rig.clip[clip].duration * skeleton->repeat
                                   : skeleton->lead + STAY;
    return true;
}

static bool make(Character *c, const char *path) {
    const char *slash = strrchr(path, '/');
    c->file = slash ? slash + 1 : path;
    if (!sw_rig_read(path, &c->arena, &c->rig, c->error))
        return false;
    if (c->rig.njoint == 0)
        return sw_fail_at(c->error, SW_ERROR_VALUE, path, 0, 0,
                          "expected a character, found no skeleton: no mesh has a skin");
    if (!measure(c) || !add_body(c) || !sw_scene_set_folder(c->scene, path, c->error) ||
        !set_time(c))
        return false;
    return sw_scene_check(c->scene, c->error);
}

swScene *sw_scene_read_character(const char *path, const swCharacter *wish, const swConfig *config,
                                 swError *error) {
    const swCharacter usual = sw_default_character();
    Character c = {.scene = sw_scene_create(config), .wish = wish ? wish : &usual, .error = error};
    sw_error_clear(error);
    if (!c.scene) {
        sw_fail_memory(error, sizeof(struct swSceneMemory));
        return NULL;
    }
    sw_arena_init(&c.arena, &c.scene->memory->config.allocator);
    const bool ok = make(&c, path);
    sw_arena_free(&c.arena);
    if (ok)
        return c.scene;
    if (error && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", path);
    sw_scene_destroy(c.scene);
    return NULL;
}

bool sw_scene_is_character(const char *path, const swConfig *config) {
    if (!sw_rig_format(path))
        return false;
    swConfig chosen = config ? *config : sw_default_config();
    swArena arena;
    swRig rig;
    sw_arena_init(&arena, &chosen.allocator);
    // A file whose clips cannot be read still is a character: reading it reports why.
    sw_rig_read(path, &arena, &rig, NULL);
    const bool yes = sw_text_has_suffix(path, ".bvh") || rig.njoint > 0;
    sw_arena_free(&arena);
    return yes;
}
