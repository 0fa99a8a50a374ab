// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Saves, loads or hashes the same list of items. A file holds: magic, kind, version, number of
// lanes, byte order, the items, and a hash of all of it.
#pragma once

#include "core/core.h"

typedef struct swArchive {
    enum { SW_ARCHIVE_SAVE, SW_ARCHIVE_LOAD, SW_ARCHIVE_HASH } task;
    uint64_t hash;
    swFile file;   // for SAVE
    swArena arena; // for LOAD: holds the file
    const char *data;
    size_t size, at;
    bool failed;
    char path[SW_ERROR_PATH];
} swArchive;

// `kind` is a readable word; its first eight letters identify the kind of file.
bool sw_archive_save(swArchive *a, const char *path, const char *kind, int version, swError *error);
bool sw_archive_load(swArchive *a, const char *path, const char *kind, int version,
                     const swAllocator *allocator, swError *error);
// Writes, reads or hashes `item`, depending on the task.
void sw_archive_item(swArchive *a, void *item, size_t size);
// The number of bytes of items still to be loaded.
size_t sw_archive_left(const swArchive *a);
// Finishes the file; after loading, checks that all of it was read.
bool sw_archive_close(swArchive *a, swError *error);
void sw_archive_abandon(swArchive *a);
