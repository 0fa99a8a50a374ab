// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "core/core.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 64, BLOCK = 1 << 18, LARGE = 1 << 22 };

// The system maps memory page by page when it is first touched. For a large block, ask for large
// pages, so that there are few of them.
static void *ask_for_large_pages(void *block, size_t size) {
#if defined(MADV_HUGEPAGE)
    enum { PAGE = 4096 };
    const uintptr_t first = ((uintptr_t)block + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    if (block && size >= LARGE)
        (void)madvise((void *)first, size - PAGE,
                      MADV_HUGEPAGE); // it may refuse: nothing is lost
#else
    (void)size;
#endif
    return block;
}

static void *default_resize(void *context, void *old, size_t old_size, size_t new_size) {
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return ask_for_large_pages(realloc(old, new_size), new_size);
}

swConfig sw_default_config(void) {
    return (swConfig){.allocator = {default_resize, NULL}, .threads = 1};
}

void *sw_alloc(const swAllocator *a, size_t size) {
    void *p = a->resize(a->context, NULL, 0, size);
    if (p)
        memset(p, 0, size);
    return p;
}

void sw_free(const swAllocator *a, void *p, size_t size) {
    if (p)
        a->resize(a->context, p, size, 0);
}

static void *locked_resize(void *context, void *old, size_t old_size, size_t new_size) {
    swLockedAllocator *a = context;
    pthread_mutex_lock(&a->mutex);
    void *p = a->inner.resize(a->inner.context, old, old_size, new_size);
    pthread_mutex_unlock(&a->mutex);
    return p;
}

const swAllocator *sw_locked_init(swLockedAllocator *locked, const swAllocator *inner) {
    locked->inner = *inner;
    locked->allocator = (swAllocator){locked_resize, locked};
    pthread_mutex_init(&locked->mutex, NULL);
    return &locked->allocator;
}

void sw_locked_free(swLockedAllocator *locked) { pthread_mutex_destroy(&locked->mutex); }

struct swArenaBlock {
    swArenaBlock *next;
    size_t size, used; // of the whole block, including this header
};

void sw_arena_init(swArena *arena, const swAllocator *allocator) {
    *arena = (swArena){.allocator = *allocator};
}

void sw_arena_free(swArena *arena) {
    for (swArenaBlock *b = arena->block, *next; b; b = next) {
        next = b->next;
        sw_free(&arena->allocator, b, b->size);
    }
    arena->block = NULL;
    arena->total = 0;
}

// The next aligned address in block b with room for `bytes`, or NULL.
static char *place(swArenaBlock *b, size_t bytes) {
    uintptr_t at = ((uintptr_t)b + b->used + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1);
    size_t used = (size_t)(at - (uintptr_t)b) + bytes;
    if (used > b->size)
        return NULL;
    b->used = used;
    return (char *)at;
}

void *sw_arena_alloc(swArena *arena, size_t count, size_t size, swError *error) {
    if (size && count > (SIZE_MAX / 4) / size) {
        sw_fail_memory(error, SIZE_MAX / 4);
        return NULL;
    }
    size_t bytes = count * size;
    if (bytes == 0)
        bytes = 1;
    char *p = arena->block ? place(arena->block, bytes) : NULL;
    if (!p) {
        // A large request gets a block of its own behind the current one, which stays in use.
        size_t need = bytes + sizeof(swArenaBlock) + ALIGN;
        bool large = need > BLOCK / 4 && arena->block;
        size_t total = large || need > BLOCK ? need : BLOCK;
        swArenaBlock *b = arena->allocator.resize(arena->allocator.context, NULL, 0, total);
        if (!b) {
            sw_fail_memory(error, total);
            return NULL;
        }
        *b = (swArenaBlock){.size = total, .used = sizeof *b};
        if (large) {
            b->next = arena->block->next;
            arena->block->next = b;
        } else {
            b->next = arena->block;
            arena->block = b;
        }
        arena->total += total;
        p = place(b, bytes);
    }
    memset(p, 0, bytes);
    return p;
}

void *sw_arena_grow(swArena *arena, void *old, size_t old_count, size_t new_count, size_t size,
                    swError *error) {
    void *p = sw_arena_alloc(arena, new_count, size, error);
    if (p && old_count)
        memcpy(p, old, old_count * size);
    return p;
}

char *sw_arena_text(swArena *arena, const char *text, size_t length, swError *error) {
    char *copy = sw_arena_alloc(arena, length + 1, 1, error);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

bool sw_list_reserve(swArena *arena, void **item, int count, int *room, size_t size,
                     swError *error) {
    if (count < *room)
        return true;
    if (count > INT32_MAX / 2)
        return sw_fail(error, SW_ERROR_LIMIT, "a list has more than %d items", count);
    int more = count < 8 ? 16 : 2 * count;
    void *p = sw_arena_grow(arena, *item, (size_t)count, (size_t)more, size, error);
    if (!p)
        return false;
    *item = p;
    *room = more;
    return true;
}
