// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "model/model.h"

#include "model/archive.h"

#include <string.h>

enum { ALIGN = 64 };

static size_t padded(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN; }

int sw_node_width(swNodeKind kind) {
    static const int width[] = {1, 4, 4, 10, [SW_NODE_MODES] = 4};
    return width[kind];
}

int64_t sw_polynomial_size(int r) {
    const int64_t n = (int64_t)r * (r + 1) / 2, lanes = SW_LANES;
    int64_t size = 2 * ((n + lanes - 1) / lanes) * lanes + n * ((r + lanes - 1) / lanes) * lanes;
    for (int64_t p = 0; p < n; p++)
        size += (p + lanes - 1) / lanes * lanes;
    return size;
}

const swNodePair *sw_pair_find(const swNodePair *pair, int64_t n, int i, int j) {
    int64_t lo = 0, hi = n; // the first pair that is not before (i, j)
    while (lo < hi) {
        const int64_t middle = lo + (hi - lo) / 2;
        const swNodePair *p = &pair[middle];
        if (p->i < i || (p->i == i && p->j < j))
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < n && pair[lo].i == i && pair[lo].j == j ? &pair[lo] : NULL;
}

void sw_monomial_gradients(int d, swVec3 p, swReal (*g)[3]) {
    memset(g, 0, (size_t)d * sizeof *g);
    if (d >= 4)
        g[1][0] = g[2][1] = g[3][2] = 1;
    if (d >= 10) {
        g[4][0] = 2 * p.x;
        g[5][1] = 2 * p.y;
        g[6][2] = 2 * p.z;
        g[7][0] = p.y, g[7][1] = p.x;
        g[8][1] = p.z, g[8][2] = p.y;
        g[9][2] = p.x, g[9][0] = p.z;
    }
}

swModel *sw_model_create(const swConfig *config, swError *error) {
    swModel *model = sw_alloc(&config->allocator, sizeof *model);
    if (!model)
        sw_fail_memory(error, sizeof *model);
    else
        model->config = *config;
    return model;
}

void sw_model_destroy(swModel *model) {
    if (!model)
        return;
    swAllocator a = model->config.allocator;
    sw_free(&a, model->block, model->block_size);
    sw_free(&a, model, sizeof *model);
}

// Counts in field lists are expressions in swModelSizes' members; `s` brings those into scope.
#define MODEL_COUNTS \
    const int64_t nbody = s->nbody, npart = s->npart, ncell = s->ncell, nnode = s->nnode, \
                  nq = s->nq, nmaterial = s->nmaterial, ngroup = s->ngroup, \
                  ngroup_node = s->ngroup_node, nsample = s->nsample, ngamma = s->ngamma, \
                  npair = s->npair, nmass = s->nmass, npoint = s->npoint, nweight = s->nweight, \
                  ntriangle = s->ntriangle, nhandle = s->nhandle, nkey = s->nkey, \
                  ncollider = s->ncollider, ncontact = s->ncontact, nprobe = s->nprobe, \
                  ntext = s->ntext, nbulk = s->nbulk, nbulk_node = s->nbulk_node, \
                  nbulk_data = s->nbulk_data, nactivation = s->nactivation, nspring = s->nspring, \
                  nspring_node = s->nspring_node, nspring_data = s->nspring_data, \
                  nmuscle = s->nmuscle, nshape = s->nshape, nstretch = s->nstretch, \
                  nbed = s->nbed, nbed_index = s->nbed_index, nbed_cell = s->nbed_cell, \
                  nbed_node = s->nbed_node, nbed_around = s->nbed_around, \
                  nbed_weight = s->nbed_weight, nbed_voxel = s->nbed_voxel, \
                  nbed_load = s->nbed_load, nrig = s->nrig, ncrack = s->ncrack, \
                  ncrack_tet = s->ncrack_tet, ncrack_vertex = s->ncrack_vertex, \
                  nline_net = s->nline_net, nline = s->nline, nline_cell = s->nline_cell, \
                  nline_face = s->nline_face, nreduced = s->nreduced, \
                  nreduced_data = s->nreduced_data, nvector = s->nvector, \
                  nparticle = s->nparticle, ngauss = s->ngauss, ngauss_shape = s->ngauss_shape, \
                  nparticle_turn = s->nparticle_turn, nturn_share = s->nturn_share, \
                  ncollider_mesh = s->ncollider_mesh, ncollider_vertex = s->ncollider_vertex, \
                  ncollider_triangle = s->ncollider_triangle, ncollider_node = s->ncollider_node

static size_t model_bytes(const swModelSizes *s) {
    MODEL_COUNTS;
    size_t bytes = ALIGN;
#define SW_FIELD(type, name, count) bytes += padded((size_t)(count) * sizeof(type));
#include "model/model_fields.inl"
#undef SW_FIELD
    return bytes;
}

static void lay(swModel *model) {
    const swModelSizes *s = &model->size;
    MODEL_COUNTS;
    char *at = (char *)padded((size_t)(uintptr_t)model->block);
#define SW_FIELD(type, name, count) \
    model->name = (type *)(void *)at; \
    at += padded((size_t)(count) * sizeof(type));
#include "model/model_fields.inl"
#undef SW_FIELD
}

bool sw_model_allocate(swModel *model, swError *error) {
    model->block_size = model_bytes(&model->size);
    model->block = sw_alloc(&model->config.allocator, model->block_size);
    if (!model->block)
        return sw_fail_memory(error, model->block_size);
    lay(model);
    return true;
}

bool sw_model_allocate_in(swModel *model, swSpare *spare, swError *error) {
    const swAllocator *a = &model->config.allocator;
    const size_t bytes = model_bytes(&model->size);
    if (spare->block && spare->size >= bytes) {
        model->block = spare->block;
        model->block_size = spare->size;
        *spare = (swSpare){0};
    } else {
        model->block_size = bytes + bytes / 4;
        model->block = a->resize(a->context, NULL, 0, model->block_size);
    }
    if (!model->block)
        return sw_fail_memory(error, model->block_size);
    lay(model);
    return true;
}

void sw_model_retire(swModel *model, swSpare *spare) {
    if (model->block && model->block_size > spare->size) {
        const swSpare old = *spare;
        *spare = (swSpare){model->block, model->block_size};
        model->block = old.block;
        model->block_size = old.size;
    }
    sw_model_destroy(model);
}

// Everything after the header, in one order for saving, loading and hashing.
static void model_items(swModel *model, swArchive *a) {
    const swModelSizes *s = &model->size;
    MODEL_COUNTS;
    sw_archive_item(a, &model->settings, sizeof model->settings);
#define SW_FIELD(type, name, count) sw_archive_item(a, model->name, (size_t)(count) * sizeof(type));
#include "model/model_fields.inl"
#undef SW_FIELD
}

uint64_t sw_model_hash(const swModel *model) {
    swArchive a = {.mode = SW_ARCHIVE_HASH, .hash = SW_HASH_SEED};
    sw_archive_item(&a, (void *)&model->size, sizeof model->size);
    model_items((swModel *)model, &a); // hashing only reads
    return a.hash;
}

void sw_model_put(const swModel *model, swArchive *a) {
    sw_archive_item(a, (void *)&model->size, sizeof model->size);
    model_items((swModel *)model, a); // saving only reads
}

bool sw_model_save(const swModel *model, const char *path, swError *error) {
    swArchive a;
    if (!sw_archive_save(&a, path, "model", SW_MODEL_VERSION, error))
        return false;
    sw_model_put(model, &a);
    return sw_archive_close(&a, error);
}

// No count is negative, and the arrays are not longer than what is left of the file.
static bool sizes_sane(const swModelSizes *s, size_t left) {
    const int64_t *n = (const int64_t *)(const void *)s;
    for (size_t i = 0; i < sizeof *s / sizeof *n; i++)
        if (n[i] < 0 || (uint64_t)n[i] > left)
            return false;
    MODEL_COUNTS;
    double bytes = 0;
#define SW_FIELD(type, name, count) bytes += (double)(count) * (double)sizeof(type);
#include "model/model_fields.inl"
#undef SW_FIELD
    return s->nnode > 0 && s->ntext > 0 && bytes <= (double)left;
}

bool sw_model_get(swModel *model, swArchive *a, swError *error) {
    sw_archive_item(a, &model->size, sizeof model->size);
    if (a->failed || !sizes_sane(&model->size, sw_archive_left(a)))
        return sw_fail_at(error, SW_ERROR_FORMAT, a->path, 0, 0,
                          "damaged: the sizes of its model make no sense");
    if (!sw_model_allocate(model, error))
        return false;
    model_items(model, a);
    return true;
}

bool sw_model_check(const swModel *model, const char *path, swError *error) {
    return sw_model_sane(model) || sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0,
                                              "damaged: an index of its model is out of range");
}

swModel *sw_model_load(const char *path, const swConfig *config, swError *error) {
    swConfig c = config ? *config : sw_default_config();
    swModel *model = sw_model_create(&c, error);
    swArchive a;
    if (!model || !sw_archive_load(&a, path, "model", SW_MODEL_VERSION, &c.allocator, error)) {
        sw_model_destroy(model);
        return NULL;
    }
    bool ok = sw_model_get(model, &a, error);
    if (!ok)
        sw_archive_abandon(&a);
    if (ok && sw_archive_close(&a, error) && sw_model_check(model, path, error))
        return model;
    sw_model_destroy(model);
    return NULL;
}

swModelInfo sw_model_info(const swModel *m) {
    swModelInfo info = {.bodies = (int)m->size.nbody,
                        .frames = (int)(m->size.nnode - m->size.nreduced),
                        .handles = (int)m->size.nhandle,
                        .dof = (int)m->size.ndof,
                        .contact_points = (int)m->size.ncontact,
                        .probes = (int)m->size.nprobe,
                        .springs = (int)m->size.nspring,
                        .step = m->settings.step,
                        .end = m->settings.end,
                        .memory = m->block_size,
                        .analysis = (swAnalysis)m->settings.analysis};
    for (int64_t i = 0; i < m->size.nbody; i++) {
        info.voxels += m->body[i].nvoxel;
        info.frames -= m->body[i].net;
        info.net += m->body[i].net;
        info.vertices += m->body[i].npoint;
        info.triangles += m->body[i].ntriangle;
        info.mass += m->body[i].mass;
    }
    for (int64_t i = 0; i < m->size.nsample; i++)
        info.points += m->sample_volume[i] > 0;
    return info;
}
