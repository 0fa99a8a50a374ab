// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "model/model.h"

#include "model/fields.h"

static int fields(const swModelSizes *s, swBlockField *field) {
    int n = 0;
#define SW_FIELD(type, name, count) field[n++] = SW_FIELD_OF(swModel, type, name, count);
#include "model/model_fields.inl"
    return n;
}

swModel *sw_model_create(const swConfig *config, swError *error) {
    swModel *model = sw_alloc(&config->allocator, sizeof *model);
    if (!model)
        sw_fail_memory(error, sizeof *model);
    else
        model->config = *config;
    return model;
}

bool sw_model_allocate(swModel *model, swError *error) {
    const swAllocator *a = &model->config.allocator;
    const size_t pointers = (size_t)model->size.ncompiled * sizeof(void *);
    swBlockField field[SW_MAX_FIELDS];
    const int n = fields(&model->size, field);
    model->block_size = sw_fields_bytes(n, field);
    model->block = sw_alloc(a, model->block_size);
    model->compiled = sw_alloc(a, pointers);
    if (!model->block || !model->compiled)
        return sw_fail_memory(error, model->block_size + pointers);
    sw_fields_lay(n, field, model, model->block);
    return true;
}

void sw_model_destroy(swModel *model) {
    if (!model)
        return;
    const swAllocator a = model->config.allocator;
    for (int64_t i = 0; model->compiled && i < model->size.ncompiled; i++)
        sw_body_model_destroy(model->compiled[i]);
    sw_free(&a, model->compiled, (size_t)model->size.ncompiled * sizeof *model->compiled);
    sw_free(&a, model->block, model->block_size);
    sw_free(&a, model, sizeof *model);
}

// Everything after the header, in one order for saving, loading and hashing.
static void items(swModel *model, swArchive *a) {
    swBlockField field[SW_MAX_FIELDS];
    sw_archive_item(a, &model->settings, sizeof model->settings);
    sw_fields_items(fields(&model->size, field), field, model, a);
}

void sw_model_put(const swModel *model, swArchive *a) {
    sw_archive_item(a, (void *)&model->size, sizeof model->size);
    items((swModel *)model, a); // saving only reads
    for (int64_t i = 0; i < model->size.ncompiled; i++)
        sw_body_model_put(model->compiled[i], a);
}

uint64_t sw_model_hash(const swModel *model) {
    swArchive a = {.task = SW_ARCHIVE_HASH, .hash = SW_HASH_SEED};
    sw_model_put(model, &a);
    return a.hash;
}

bool sw_model_get(swModel *model, swArchive *a, swError *error) {
    swBlockField field[SW_MAX_FIELDS];
    sw_archive_item(a, &model->size, sizeof model->size);
    const swModelSizes *s = &model->size;
    const bool sane = !a->failed && sw_sizes_sane(s, sizeof *s, sw_archive_left(a)) &&
                      sw_fields_fit(fields(s, field), field, sw_archive_left(a)) && s->nbody > 0 &&
                      s->ncompiled > 0 && s->ntext > 0;
    if (!sane) {
        model->size = (swModelSizes){0};
        return sw_fail_at(error, SW_ERROR_FORMAT, a->path, 0, 0,
                          "damaged: the sizes of its model make no sense");
    }
    if (!sw_model_allocate(model, error))
        return false;
    items(model, a);
    for (int64_t i = 0; i < s->nbody; i++) // checked before anything uses it
        if (model->place[i].compiled < 0 || model->place[i].compiled >= s->ncompiled)
            return sw_fail_at(error, SW_ERROR_FORMAT, a->path, 0, 0,
                              "damaged: a body of its model has no compiled body");
    for (int64_t i = 0; i < s->ncompiled; i++)
        if (!(model->compiled[i] = sw_body_model_create(&model->config, &model->settings, error)) ||
            !sw_body_model_get(model->compiled[i], a, error))
            return false;
    return true;
}
