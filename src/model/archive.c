// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "model/archive.h"

#include "core/simd.h"

#include <string.h>

typedef struct {
    char magic[8];
    char kind[8];
    uint32_t version, lanes;
    uint64_t order; // 0x0102030405060708 in this machine's byte order
} swHeader;

static swHeader make_header(const char *kind, int version) {
    swHeader h = {.version = (uint32_t)version, .lanes = SW_LANES, .order = 0x0102030405060708ull};
    memcpy(h.magic, "SINEW\r\n\x1a", 8);
    memcpy(h.kind, kind, strlen(kind) < 8 ? strlen(kind) : 8);
    return h;
}

bool sw_archive_save(swArchive *a, const char *path, const char *kind, int version,
                     swError *error) {
    memset(a, 0, sizeof *a);
    a->task = SW_ARCHIVE_SAVE;
    a->hash = SW_HASH_SEED;
    if (!sw_file_open(&a->file, path, error))
        return false;
    swHeader h = make_header(kind, version);
    sw_archive_item(a, &h, sizeof h);
    return true;
}

// Why the header of a file of the same kind differs from the expected one, or NULL.
static const char *header_problem(const swHeader *h, const swHeader *want) {
    if (h->order != want->order)
        return "saved on a machine with another byte order";
    if (h->version != want->version)
        return "saved by another version of sinew: create it again from the scene";
    if (h->lanes != want->lanes)
        return "saved by a build with another vector width: create it again from the scene";
    return NULL;
}

bool sw_archive_load(swArchive *a, const char *path, const char *kind, int version,
                     const swAllocator *allocator, swError *error) {
    memset(a, 0, sizeof *a);
    a->task = SW_ARCHIVE_LOAD;
    snprintf(a->path, sizeof a->path, "%s", path);
    sw_arena_init(&a->arena, allocator);
    char *data;
    if (!sw_file_read(path, &a->arena, &data, &a->size, error)) {
        sw_archive_abandon(a);
        return false;
    }
    a->data = data;
    swHeader h, want = make_header(kind, version);
    memset(&h, 0, sizeof h);
    memcpy(&h, data, a->size < sizeof h ? a->size : sizeof h);
    const char *problem = header_problem(&h, &want);
    if (memcmp(h.magic, want.magic, sizeof h.magic) != 0)
        sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0, "not a file saved by sinew");
    else if (memcmp(h.kind, want.kind, sizeof h.kind) != 0)
        sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0, "expected a %s, found another kind of file",
                   kind);
    else if (problem || a->size < sizeof h + sizeof(uint64_t))
        sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0, "%s",
                   problem ? problem : "the file ends too early");
    else {
        // The file was hashed item by item when it was written, so hash it the same way here. The
        // hash is compared at the end.
        a->hash = sw_hash(SW_HASH_SEED, data, sizeof h);
        a->at = sizeof h;
        return true;
    }
    sw_archive_abandon(a);
    return false;
}

size_t sw_archive_left(const swArchive *a) {
    return a->failed ? 0 : a->size - sizeof(uint64_t) - a->at;
}

void sw_archive_item(swArchive *a, void *item, size_t size) {
    if (a->task == SW_ARCHIVE_SAVE)
        sw_file_write(&a->file, item, size);
    if (a->task == SW_ARCHIVE_LOAD) {
        if (a->failed || size > sw_archive_left(a)) {
            a->failed = true;
            memset(item, 0, size);
            return;
        }
        memcpy(item, a->data + a->at, size);
        a->at += size;
    }
    a->hash = sw_hash(a->hash, item, size);
}

bool sw_archive_close(swArchive *a, swError *error) {
    if (a->task == SW_ARCHIVE_SAVE) {
        sw_file_write(&a->file, &a->hash, sizeof a->hash);
        return sw_file_close(&a->file, error);
    }
    bool ok = true;
    uint64_t hash = 0;
    if (a->failed || a->at != a->size - sizeof hash)
        ok = sw_fail_at(error, SW_ERROR_FORMAT, a->path, 0, 0,
                        "the file ends too early or is too long");
    else {
        memcpy(&hash, a->data + a->at, sizeof hash);
        if (hash != a->hash)
            ok = sw_fail_at(error, SW_ERROR_FORMAT, a->path, 0, 0,
                            "damaged: its checksum does not match");
    }
    sw_archive_abandon(a);
    return ok;
}

void sw_archive_abandon(swArchive *a) {
    if (a->task == SW_ARCHIVE_SAVE)
        sw_file_abandon(&a->file);
    if (a->task == SW_ARCHIVE_LOAD)
        sw_arena_free(&a->arena);
}
