// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Arrays that a struct points to and one block of memory holds: what the lists of fields (*.inl)
// expand to, and what is done with all of them alike.
#pragma once

#include "model/archive.h"

#include <stddef.h>

typedef struct swBlockField {
    size_t at;     // of the pointer in its struct
    size_t size;   // of an item
    int64_t count; // items
} swBlockField;
enum { SW_MAX_FIELDS = 128 };
// Fills `fields` at its end; for SW_FIELD of a list.
#define SW_FIELD_OF(owner, type, name, count) \
    (swBlockField) { offsetof(owner, name), sizeof(type), (int64_t)(count) }

// Bytes of a block for them, each from a multiple of 64 bytes on.
size_t sw_fields_bytes(int n, const swBlockField *field);
// Points the struct's pointers into a block.
void sw_fields_lay(int n, const swBlockField *field, void *owner, void *block);
// Writes, reads or hashes all of them.
void sw_fields_items(int n, const swBlockField *field, void *owner, swArchive *archive);
// Whether no size is negative or larger than what is left of a file: before fields are asked for,
// whose counts are products of sizes. `size` is a struct of int64_t alone.
bool sw_sizes_sane(const void *size, size_t bytes, size_t left);
// Whether all arrays together are no larger than that.
bool sw_fields_fit(int n, const swBlockField *field, size_t left);
