// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/rig_read.h"

#include <stdlib.h>

static const swRigFormat *const formats[] = {&sw_rig_glb, &sw_rig_gltf, &sw_rig_bvh};

const swRigFormat *sw_rig_format_at(int index) {
    return index >= 0 && index < SW_COUNT(formats) ? formats[index] : NULL;
}

static const swRigFormat *find(const char *path) {
    for (int i = 0; i < SW_COUNT(formats); i++)
        if (sw_text_has_suffix(path, formats[i]->suffix))
            return formats[i];
    return NULL;
}

bool sw_rig_format(const char *path) { return find(path) != NULL; }

static int by_node(const void *a, const void *b) {
    const swRigChannel *p = a, *q = b;
    return p->node != q->node ? (p->node < q->node ? -1 : 1) : (int)p->path - (int)q->path;
}

static bool is_finite(const swAffine *f) {
    for (int k = 0; k < 9; k++)
        if (!isfinite(f->A.m[k]))
            return false;
    return sw_finite3(f->b);
}

static bool check_clip(const swRig *rig, int index, swError *error) {
    const swRigClip *clip = &rig->clip[index];
    for (int i = 0; i < clip->nchannel; i++) {
        const swRigChannel *c = &clip->channel[i];
        const int width = c->path == SW_RIG_ROTATION ? 4 : 3;
        const int64_t n = (int64_t)c->nkey * width * (c->interpolation == SW_RIG_CUBIC ? 3 : 1);
        if (i > 0 && c[-1].node == c->node && c[-1].path == c->path)
            return sw_fail(error, SW_ERROR_FORMAT,
                           "clip %d \"%.60s\" has two channels for the same property of node %d",
                           index, clip->name, rig->node[c->node].index);
        for (int k = 0; k < c->nkey; k++)
            if (!isfinite(c->t[k]) || (k > 0 && !(c->t[k] > c->t[k - 1])))
                return sw_fail(error, SW_ERROR_FORMAT,
                               "clip %d \"%.60s\", node %d: expected ascending times, found %g "
                               "after %g",
                               index, clip->name, rig->node[c->node].index, c->t[k],
                               k > 0 ? c->t[k - 1] : 0.0);
        for (int64_t k = 0; k < n; k++)
            if (!isfinite(c->value[k]))
                return sw_fail(error, SW_ERROR_FORMAT,
                               "clip %d \"%.60s\", node %d: a value is not finite", index,
                               clip->name, rig->node[c->node].index);
    }
    return true;
}

bool sw_rig_finish(swRig *rig, swError *error) {
    for (int i = 0; i < rig->nnode; i++)
        if (!is_finite(&rig->node[i].local))
            return sw_fail(error, SW_ERROR_FORMAT, "the transform of node %d is not finite",
                           rig->node[i].index);
    for (int i = 0; i < rig->nbind; i++)
        if (!is_finite(&rig->bind[i].inverse))
            return sw_fail(error, SW_ERROR_FORMAT,
                           "the inverse bind matrix of node %d is not finite",
                           rig->node[rig->bind[i].node].index);
    for (int i = 0; i < rig->nclip; i++) {
        swRigClip *clip = &rig->clip[i];
        if (clip->nchannel > 0)
            qsort(clip->channel, (size_t)clip->nchannel, sizeof *clip->channel, by_node);
        if (!check_clip(rig, i, error))
            return false;
        for (int k = 0; k < clip->nchannel; k++)
            clip->duration = sw_max(clip->duration, clip->channel[k].t[clip->channel[k].nkey - 1]);
    }
    return true;
}

bool sw_rig_read(const char *path, swArena *arena, swRig *rig, swError *error) {
    const swRigFormat *format = find(path);
    char *data;
    swMeshFile file = {.path = path};
    *rig = (swRig){0};
    if (!format)
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, path, 0, 0,
                          "a skeleton can only be read from a .glb, .gltf or .bvh file");
    if (!sw_file_read(path, arena, &data, &file.size, error))
        return false;
    file.data = data;
    bool ok = file.size <= INT32_MAX ||
              sw_fail(error, SW_ERROR_LIMIT, "the file has %zu bytes; rigs can have at most %d",
                      file.size, INT32_MAX);
    ok = ok && format->read(&file, arena, rig, error) && sw_rig_finish(rig, error);
    if (!ok && error && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", path);
    return ok;
}
