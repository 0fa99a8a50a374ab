// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "model/fields.h"

#include <string.h>

enum { ALIGN = 64 };

static size_t padded(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN; }

static size_t bytes_of(const swBlockField *f) { return (size_t)f->count * f->size; }

size_t sw_fields_bytes(int n, const swBlockField *field) {
    size_t bytes = ALIGN;
    for (int i = 0; i < n; i++)
        bytes += padded(bytes_of(&field[i]));
    return bytes;
}

void sw_fields_lay(int n, const swBlockField *field, void *owner, void *block) {
    char *at = (char *)padded((size_t)(uintptr_t)block);
    for (int i = 0; i < n; i++) {
        void *array = at;
        memcpy((char *)owner + field[i].at, &array, sizeof array); // whatever its item type
        at += padded(bytes_of(&field[i]));
    }
}

void sw_fields_items(int n, const swBlockField *field, void *owner, swArchive *a) {
    for (int i = 0; i < n; i++) {
        void *array;
        memcpy(&array, (char *)owner + field[i].at, sizeof array);
        sw_archive_item(a, array, bytes_of(&field[i]));
    }
}

bool sw_sizes_sane(const void *size, size_t bytes, size_t left) {
    const int64_t *count = size;
    for (size_t i = 0; i < bytes / sizeof *count; i++)
        if (count[i] < 0 || (uint64_t)count[i] > left)
            return false;
    return true;
}

bool sw_fields_fit(int n, const swBlockField *field, size_t left) {
    double all = 0;
    for (int i = 0; i < n; i++)
        all += (double)field[i].count * (double)field[i].size;
    return all <= (double)left;
}
