// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "core/core.h"

#include <string.h>
#include <time.h>

double sw_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// FNV-1a over eight bytes at a time with a final mix. It tells states apart; it is not
// cryptographic.
uint64_t sw_hash(uint64_t seed, const void *data, size_t size) {
    const unsigned char *p = data;
    uint64_t h = seed, word;
    for (; size >= 8; p += 8, size -= 8) {
        memcpy(&word, p, 8);
        h = (h ^ word) * 0x100000001b3ull;
        h ^= h >> 29;
    }
    for (; size; p++, size--)
        h = (h ^ *p) * 0x100000001b3ull;
    h ^= h >> 32;
    return h * 0x9e3779b97f4a7c15ull;
}
