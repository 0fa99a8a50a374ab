// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "model/body.h"

#include "model/fields.h"

#include <string.h>

// For each swCorrection: what a body would need to be corrected (NULL: nothing would help, or it
// may be), and why this one is not.
static const char *const strains[SW_STRAINS_COUNT][2] = {
    [SW_STRAINS_NOT_ASKED] = {NULL, "integration.correct is false"},
    [SW_STRAINS_KIND] = {"frames that can rotate", "some of its frames are points"},
    [SW_STRAINS_NO_FRAME] = {"a free frame", "it has no frames besides its handles"},
    [SW_STRAINS_INSERTED] = {"frames without a budget for insertion", "frames may be inserted"},
    [SW_STRAINS_DEGREE] = {"neither a degree nor a point in every voxel",
                           "integration sets a degree, or a point in every voxel"},
    [SW_STRAINS_CUT] = {"a body without cuts", "it is cut"},
    [SW_STRAINS_EXPLICIT] = {"an implicit integrator", "its steps are explicit"},
    [SW_STRAINS_LOCKED] = {NULL, "integration.relax is false"},
    [SW_STRAINS_FLOW] = {NULL, "one of its materials yields"},
    [SW_STRAINS_LAW] = {NULL, "a law with constants of its own is nearly incompressible"},
    [SW_STRAINS_MINIMA] = {NULL, "it moves, and one of its laws may come to rest inside out"},
    [SW_STRAINS_TOUCHED] = {NULL, "it moves among colliders"},
    [SW_STRAINS_BONES] = {NULL, "it is moved by bones"},
    [SW_STRAINS_PARTS] = {NULL, "it moves, and consists of disconnected parts"},
    [SW_STRAINS_FREE_PART] = {NULL, "it moves, and has a part that is rigid and free"},
    [SW_STRAINS_MANY] = {NULL, "it has too many frames and moving handles"},
    [SW_STRAINS_FEW_POINTS] = {NULL, "integration.points is too small"},
    [SW_STRAINS_FAILED] = {NULL, "its correctors could not be computed"},
};

const char *sw_strains_expected(swCorrection own) { return strains[own][0]; }
const char *sw_strains_reason(swCorrection own) { return strains[own][1] ? strains[own][1] : ""; }

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
    int64_t lo = 0, hi = n; // finds the first pair that is not before (i, j)
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

swBodyModel *sw_body_model_create(const swConfig *config, const swSettings *settings,
                                  swError *error) {
    swBodyModel *model = sw_alloc(&config->allocator, sizeof *model);
    if (!model) {
        sw_fail_memory(error, sizeof *model);
        return NULL;
    }
    model->config = *config;
    model->settings = settings;
    return model;
}

void sw_body_model_destroy(swBodyModel *model) {
    if (!model)
        return;
    swAllocator a = model->config.allocator;
    sw_free(&a, model->block, model->block_size);
    sw_free(&a, model, sizeof *model);
}

static int fields(const swBodySizes *s, swBlockField *field) {
    int n = 0;
#define SW_FIELD(type, name, count) field[n++] = SW_FIELD_OF(swBodyModel, type, name, count);
#include "model/body_fields.inl"
    return n;
}

static size_t model_bytes(const swBodySizes *s) {
    swBlockField field[SW_MAX_FIELDS];
    return sw_fields_bytes(fields(s, field), field);
}

static void lay(swBodyModel *model) {
    swBlockField field[SW_MAX_FIELDS];
    sw_fields_lay(fields(&model->size, field), field, model, model->block);
}

bool sw_body_model_allocate(swBodyModel *model, swError *error) {
    model->block_size = model_bytes(&model->size);
    model->block = sw_alloc(&model->config.allocator, model->block_size);
    if (!model->block)
        return sw_fail_memory(error, model->block_size);
    lay(model);
    return true;
}

bool sw_body_model_allocate_in(swBodyModel *model, swSpare *spare, swError *error) {
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

void sw_body_model_retire(swBodyModel *model, swSpare *spare) {
    if (model->block && model->block_size > spare->size) {
        const swSpare old = *spare;
        *spare = (swSpare){model->block, model->block_size};
        model->block = old.block;
        model->block_size = old.size;
    }
    sw_body_model_destroy(model);
}

void sw_body_model_items(swBodyModel *model, swArchive *a) {
    swBlockField field[SW_MAX_FIELDS];
    sw_fields_items(fields(&model->size, field), field, model, a);
}

void sw_body_model_put(const swBodyModel *model, swArchive *a) {
    sw_archive_item(a, (void *)&model->size, sizeof model->size);
    sw_body_model_items((swBodyModel *)model, a); // saving only reads
}

bool sw_body_model_get(swBodyModel *model, swArchive *a, swError *error) {
    swBlockField field[SW_MAX_FIELDS];
    sw_archive_item(a, &model->size, sizeof model->size);
    const swBodySizes *s = &model->size;
    if (a->failed || !sw_sizes_sane(s, sizeof *s, sw_archive_left(a)) ||
        !sw_fields_fit(fields(s, field), field, sw_archive_left(a)) || s->nbody != 1 ||
        s->nnode <= 0 || s->ntext <= 0)
        return sw_fail_at(error, SW_ERROR_FORMAT, a->path, 0, 0,
                          "damaged: the sizes of its model make no sense");
    if (!sw_body_model_allocate(model, error))
        return false;
    sw_body_model_items(model, a);
    return true;
}
