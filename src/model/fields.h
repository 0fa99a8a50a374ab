// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Arrays that a struct points to and that live in one block of memory: what the lists of fields
// (*.inl) expand to, and the operations on all of them.
#pragma once

#include "model/archive.h"

#include <stddef.h>

typedef struct swBlockField {
    size_t at;     // offset of the pointer in its struct
    size_t size;   // bytes per item
    int64_t count; // number of items
} swBlockField;
enum { SW_MAX_FIELDS = 128 };
// Initialises one swBlockField; used to define SW_FIELD when including a list.
#define SW_FIELD_OF(owner, type, name, count) \
    (swBlockField) { offsetof(owner, name), sizeof(type), (int64_t)(count) }

// Size of a block that holds all arrays, each aligned to 64 bytes.
size_t sw_fields_bytes(int n, const swBlockField *field);
// Points the struct's pointers into a block.
void sw_fields_lay(int n, const swBlockField *field, void *owner, void *block);
// Writes, reads or hashes all arrays.
void sw_fields_items(int n, const swBlockField *field, void *owner, swArchive *archive);
// Whether no size is negative or exceeds the bytes left in a file. To be called before the fields
// are built, as their counts are products of sizes. `size` is a struct of int64_t only.
bool sw_sizes_sane(const void *size, size_t bytes, size_t left);
// Whether all arrays together fit in the bytes left.
bool sw_fields_fit(int n, const swBlockField *field, size_t left);
