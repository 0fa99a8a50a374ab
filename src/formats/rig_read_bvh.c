// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// BVH motion capture: a tree of joints with offsets, then a row of channel values per frame. At
// rest all angles are zero, and roots are where their motion begins. The position channels of a
// root are added to its offset; those of any other joint replace it, as programs that write such
// channels intend.
#include "formats/mesh_read.h"
#include "formats/rig_read.h"

#include <string.h>

enum { MAX_JOINTS = 10000, MAX_CHANNELS = 6 };
static const swReal degree = SW_PI / 180;

typedef struct swBvhJoint {
    int nchannel;
    int channel[MAX_CHANNELS]; // axis, + 3 for rotations
    bool has_position, has_rotation;
} swBvhJoint;

typedef struct swBvhFile {
    swScan scan;
    SW_LIST(swRigNode) node;
    SW_LIST(swBvhJoint) joint; // per node
    int width;                 // number of channels of all joints
    swArena *arena;
    swError *error;
} swBvhFile;

// Reads the next word, past line ends, which must be this one.
static bool expect(swBvhFile *b, const char *name) {
    const char *word;
    sw_scan_white(&b->scan);
    const swScan before = b->scan;
    const int n = sw_scan_word(&b->scan, &word);
    if (sw_scan_is(word, n, name))
        return true;
    return sw_scan_fail(&before, b->error, name);
}

// Whether the next word, past line ends, is this one. If so, skips it.
static bool accept(swBvhFile *b, const char *name) {
    const char *word;
    sw_scan_white(&b->scan);
    const swScan before = b->scan;
    const int n = sw_scan_word(&b->scan, &word);
    if (n > 0 && sw_scan_is(word, n, name))
        return true;
    b->scan = before;
    return false;
}

// Reads the rest of the line, up to an opening brace and without trailing blanks.
static const char *read_name(swBvhFile *b) {
    sw_scan_blanks(&b->scan);
    const char *from = b->scan.at;
    while (b->scan.at < b->scan.end && *b->scan.at != '\n' && *b->scan.at != '\r' &&
           *b->scan.at != '{')
        b->scan.at++;
    const char *to = b->scan.at;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
        to--;
    return sw_arena_text(b->arena, from, (size_t)(to - from), b->error);
}

static bool read_channels(swBvhFile *b, swBvhJoint *joint) {
    static const char *const names[] = {"Xposition", "Yposition", "Zposition",
                                        "Xrotation", "Yrotation", "Zrotation"};
    int64_t n;
    if (joint->nchannel > 0)
        return sw_scan_fail(&b->scan, b->error, "CHANNELS once for each joint");
    const swScan start = b->scan;
    if (!sw_scan_integer(&b->scan, &n, b->error))
        return false;
    if (n < 0 || n > MAX_CHANNELS)
        return sw_scan_fail(&start, b->error, "a number of channels from 0 to 6");
    for (; joint->nchannel < n; joint->nchannel++) {
        const char *word;
        sw_scan_white(&b->scan);
        const swScan before = b->scan;
        const int length = sw_scan_word(&b->scan, &word);
        int kind = 0;
        while (kind < 6 && !sw_scan_is(word, length, names[kind]))
            kind++;
        if (length == 0 || kind == 6)
            return sw_scan_fail(&before, b->error, "a channel, such as Xposition or Zrotation");
        joint->channel[joint->nchannel] = kind;
        *(kind < 3 ? &joint->has_position : &joint->has_rotation) = true;
    }
    b->width += joint->nchannel;
    return true;
}

static bool add_joint(swBvhFile *b, int parent) {
    if (b->node.count == MAX_JOINTS)
        return sw_fail_at(b->error, SW_ERROR_LIMIT, NULL, b->scan.line, 0, "more than %d joints",
                          MAX_JOINTS);
    const int index = b->node.count;
    swRigNode *node = SW_PUSH(&b->node, b->arena, b->error);
    swBvhJoint *joint = node ? SW_PUSH(&b->joint, b->arena, b->error) : NULL;
    const char *name = joint ? read_name(b) : NULL;
    if (!name)
        return false;
    *joint = (swBvhJoint){0};
    *node = (swRigNode){.name = name,
                        .parent = parent,
                        .index = index,
                        .joint = true,
                        .scale = {1, 1, 1},
                        .rotation = {0, 0, 0, 1}};
    return expect(b, "{");
}

static bool read_end_site(swBvhFile *b, swRigNode *node) {
    return expect(b, "Site") && expect(b, "{") && expect(b, "OFFSET") &&
           sw_scan_vec3(&b->scan, &node->tip, b->error) && expect(b, "}");
}

// Reads a root and all joints below it.
static bool read_tree(swBvhFile *b) {
    if (!add_joint(b, -1))
        return false;
    for (int at = b->node.count - 1; at >= 0;) {
        swRigNode *node = &b->node.item[at];
        if (accept(b, "OFFSET")) {
            if (!sw_scan_vec3(&b->scan, &node->translation, b->error))
                return false;
        } else if (accept(b, "CHANNELS")) {
            if (!read_channels(b, &b->joint.item[at]))
                return false;
        } else if (accept(b, "JOINT")) {
            if (!add_joint(b, at))
                return false;
            at = b->node.count - 1;
        } else if (accept(b, "End")) {
            if (!read_end_site(b, node))
                return false;
        } else if (accept(b, "}"))
            at = node->parent;
        else
            return sw_scan_fail(&b->scan, b->error, "OFFSET, CHANNELS, JOINT, End Site or }");
    }
    return true;
}

static void multiply(const swReal *a, const swReal *b, swReal *out) { // product of quaternions
    const swReal q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                         a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, q, sizeof q);
}

// Reads the values of a joint for one frame, at the cursor: its position, and its rotation composed
// in the order of its channels.
static bool read_values(swBvhFile *b, const swRigNode *node, const swBvhJoint *joint,
                        swReal position[3], swReal q[4]) {
    swReal given[3] = {node->translation.x, node->translation.y, node->translation.z};
    const swReal base[3] = {node->parent < 0 ? given[0] : 0, node->parent < 0 ? given[1] : 0,
                            node->parent < 0 ? given[2] : 0};
    memcpy(q, (const swReal[4]){0, 0, 0, 1}, 4 * sizeof *q);
    for (int k = 0; k < joint->nchannel; k++) {
        double value;
        sw_scan_white(&b->scan);
        const swScan before = b->scan;
        if (!sw_scan_number(&b->scan, &value, b->error))
            return false;
        if (!isfinite(value) || fabs(value) > 1e12)
            return sw_scan_fail(&before, b->error, "a number up to 1e12");
        const int axis = joint->channel[k] % 3;
        if (joint->channel[k] < 3)
            given[axis] = base[axis] + value;
        else {
            swReal turn[4] = {0, 0, 0, cos(0.5 * degree * value)};
            turn[axis] = sin(0.5 * degree * value);
            multiply(q, turn, q);
        }
    }
    memcpy(position, given, sizeof given);
    return true;
}

// Creates the channels of the clip, with room for all frames.
static bool open_channels(swBvhFile *b, swRigClip *clip, int nframe, const swReal *t,
                          swReal **position, swReal **rotation) {
    clip->channel = SW_NEW(b->arena, 2 * b->node.count, swRigChannel, b->error);
    for (int i = 0; clip->channel && i < b->node.count; i++) {
        const swBvhJoint *joint = &b->joint.item[i];
        for (int path = 0; path < 2; path++) {
            if (!(path ? joint->has_rotation : joint->has_position))
                continue;
            swReal *value =
                sw_arena_alloc(b->arena, (size_t)nframe * (path ? 4 : 3), sizeof *value, b->error);
            if (!value)
                return false;
            *(path ? &rotation[i] : &position[i]) = value;
            clip->channel[clip->nchannel++] = (swRigChannel){
                i, path ? SW_RIG_ROTATION : SW_RIG_TRANSLATION, SW_RIG_LINEAR, nframe, t, value};
        }
    }
    return clip->channel != NULL;
}

static bool read_frames(swBvhFile *b, swRigClip *clip, int nframe, swReal step) {
    const int n = b->node.count;
    swReal *t = SW_NEW(b->arena, nframe, swReal, b->error);
    swReal **position = t ? SW_NEW(b->arena, n, swReal *, b->error) : NULL;
    swReal **rotation = position ? SW_NEW(b->arena, n, swReal *, b->error) : NULL;
    if (!rotation || !open_channels(b, clip, nframe, t, position, rotation))
        return false;
    for (int f = 0; f < nframe; f++) {
        t[f] = f * step;
        for (int i = 0; i < n; i++) {
            swReal place[3], turn[4];
            if (!read_values(b, &b->node.item[i], &b->joint.item[i], place, turn))
                return false;
            if (position[i])
                memcpy(position[i] + (size_t)3 * (size_t)f, place, sizeof place);
            if (rotation[i])
                memcpy(rotation[i] + (size_t)4 * (size_t)f, turn, sizeof turn);
        }
    }
    for (int i = 0; i < n; i++)
        if (b->node.item[i].parent < 0 && position[i])
            b->node.item[i].translation = sw_v3(position[i][0], position[i][1], position[i][2]);
    return true;
}

static bool read_motion(swBvhFile *b, swRig *rig) {
    int64_t nframe;
    double step;
    if (!expect(b, "MOTION") || !expect(b, "Frames:"))
        return false;
    const swScan count = b->scan;
    if (!sw_scan_integer(&b->scan, &nframe, b->error))
        return false;
    // A frame takes at least two bytes for each of its numbers.
    if (nframe < 0 || nframe > (b->scan.end - b->scan.at) / sw_max_int(1, 2 * b->width) + 1)
        return sw_scan_fail(&count, b->error, "a number of frames that fits in the file");
    if (!expect(b, "Frame") || !expect(b, "Time:"))
        return false;
    const swScan before = b->scan;
    if (!sw_scan_number(&b->scan, &step, b->error))
        return false;
    if (!(step > 0) || !isfinite(step))
        return sw_scan_fail(&before, b->error, "a time above 0 between frames");
    if (nframe == 0 || b->width == 0)
        return true;
    rig->clip = SW_NEW(b->arena, 1, swRigClip, b->error);
    if (!rig->clip)
        return false;
    rig->clip[0].name = "";
    rig->nclip = 1;
    return read_frames(b, rig->clip, (int)nframe, step);
}

static bool read_bvh(const swMeshFile *file, swArena *arena, swRig *rig, swError *error) {
    swBvhFile bvh = {.arena = arena, .error = error}, *b = &bvh;
    *rig = (swRig){0};
    if (!sw_scan_open(&b->scan, file, error) || !expect(b, "HIERARCHY") || !expect(b, "ROOT") ||
        !read_tree(b))
        return false;
    while (accept(b, "ROOT"))
        if (!read_tree(b))
            return false;
    if (!read_motion(b, rig))
        return false;
    for (int i = 0; i < b->node.count; i++) {
        swRigNode *node = &b->node.item[i];
        node->local = sw_rig_local(node->translation, node->rotation, node->scale);
    }
    rig->node = b->node.item;
    rig->nnode = rig->njoint = b->node.count;
    return true;
}

const swRigFormat sw_rig_bvh = {".bvh", read_bvh};
