// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What every stage uses: errors, memory, log, text, files, threads, time.
#pragma once

#include "sinew/base.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

// ---- assertions: a caller's bug ----
void sw_assert_fail(const char *expression, const char *file, int line);
// They stand outside hot loops, so they stay in optimised builds.
#if defined(SW_NO_ASSERT)
#define SW_ASSERT(x) ((void)0)
#else
#define SW_ASSERT(x) ((x) ? (void)0 : sw_assert_fail(#x, __FILE__, __LINE__))
#endif

#define SW_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static inline int sw_min_int(int a, int b) { return a < b ? a : b; }
static inline int sw_max_int(int a, int b) { return a > b ? a : b; }
static inline swReal sw_min(swReal a, swReal b) { return a < b ? a : b; }
static inline swReal sw_max(swReal a, swReal b) { return a > b ? a : b; }
static inline swReal sw_clamp(swReal a, swReal lo, swReal hi) { return sw_min(sw_max(a, lo), hi); }

// ---- errors ----
// Fill `error` (may be NULL) and return false, so that a caller writes `return sw_fail(...)`.
bool sw_fail(swError *error, swStatus code, const char *format, ...) SW_PRINTF(3, 4);
bool sw_fail_at(swError *error, swStatus code, const char *path, int line, int column,
                const char *format, ...) SW_PRINTF(6, 7);
bool sw_fail_memory(swError *error, size_t bytes);
bool sw_fail_stopped(swError *error); // by the user
void sw_error_clear(swError *error);

// ---- log ----
void sw_info(const swConfig *config, const char *format, ...) SW_PRINTF(2, 3);
void sw_warn(const swConfig *config, const char *format, ...) SW_PRINTF(2, 3);
// False when the user asked to stop.
bool sw_progress(const swConfig *config, const char *stage, double share);

// ---- memory ----
void *sw_alloc(const swAllocator *a, size_t size); // zeroed, or NULL
void sw_free(const swAllocator *a, void *p, size_t size);

// An allocator for several threads, made of one that need not be.
typedef struct swLockedAllocator {
    swAllocator allocator, inner;
    pthread_mutex_t mutex;
} swLockedAllocator;
const swAllocator *sw_locked_init(swLockedAllocator *locked, const swAllocator *inner);
void sw_locked_free(swLockedAllocator *locked); // what came from it must be gone

// A growing arena: many allocations, one release. Blocks are zeroed and 64-byte aligned.
typedef struct swArenaBlock swArenaBlock;
typedef struct swArena {
    swAllocator allocator;
    swArenaBlock *block;
    size_t total; // bytes held
} swArena;

void sw_arena_init(swArena *arena, const swAllocator *allocator);
void sw_arena_free(swArena *arena);
// Zeroed memory, or NULL with `error` filled. A count or size that overflows fails the same way.
void *sw_arena_alloc(swArena *arena, size_t count, size_t size, swError *error);
// A copy of `old` with room for new_count items; the old block is left to the arena.
void *sw_arena_grow(swArena *arena, void *old, size_t old_count, size_t new_count, size_t size,
                    swError *error);
char *sw_arena_text(swArena *arena, const char *text, size_t length, swError *error);
// `pointer = SW_NEW(arena, count, type, error)`
#define SW_NEW(arena, count, type, error) \
    ((type *)sw_arena_alloc((arena), (size_t)(count), sizeof(type), (error)))

// A growing array inside an arena: SW_PUSH(&list, arena, error) returns the new last item or NULL.
#define SW_LIST(type) \
    struct { \
        type *item; \
        int count, room; \
    }
bool sw_list_reserve(swArena *arena, void **item, int count, int *room, size_t size,
                     swError *error);
#define SW_PUSH(list, arena, error) \
    (sw_list_reserve((arena), (void **)&(list)->item, (list)->count, &(list)->room, \
                     sizeof(*(list)->item), (error)) \
         ? &(list)->item[(list)->count++] \
         : NULL)

// ---- text: numbers without the process's locale ----
// Reads a decimal number at `text` (not past `end`); returns the first byte after it, or NULL when
// there is none.
const char *sw_text_number(const char *text, const char *end, double *value);
// Shortest text that reads back to the same double; "null" for a number that is not finite. Returns
// its length.
int sw_text_format(double value, char out[32]);
bool sw_text_equal(const char *a, const char *b);              // NULL is equal to NULL alone
bool sw_text_has_suffix(const char *text, const char *suffix); // ignoring case
// Whether the text is like the pattern, in which * stands for any characters and ? for one; ignores
// case.
bool sw_text_matches(const char *text, const char *pattern);
// The nearest of `names` to `word` by edit distance, or NULL when none is near.
const char *sw_text_nearest(const char *word, const char *const *names, int count);

// ---- files ----
// The path of a file that is named relative to a folder (NULL: the working one). In the arena; NULL
// without memory.
char *sw_path_join(const char *folder, const char *file, swArena *arena, swError *error);
// The whole file, with a zero byte after its end. In the arena.
bool sw_file_read(const char *path, swArena *arena, char **data, size_t *size, swError *error);
// Writing goes to a temporary name beside `path`; close renames it, abandon removes it.
typedef struct swFile {
    FILE *stream;
    char path[1024], temporary[1040];
    bool failed;
} swFile;
bool sw_file_open(swFile *file, const char *path, swError *error);
void sw_file_write(swFile *file, const void *data, size_t size); // failures are kept for close
void sw_file_print(swFile *file, const char *format, ...) SW_PRINTF(2, 3);
void sw_file_number(swFile *file, double value); // sw_text_format
bool sw_file_close(swFile *file, swError *error);
void sw_file_abandon(swFile *file);

// ---- time and hashes ----
double sw_seconds(void); // of a monotonic clock
uint64_t sw_hash(uint64_t seed, const void *data, size_t size);
#define SW_HASH_SEED 0xcbf29ce484222325ull

// ---- threads ----
// fn(start, end, worker, arg) over [0, n) in chunks of `grain`. Chunks do not depend on the number
// of workers, and any chunk may run on any worker: write to places that belong to the chunk, sum
// afterwards in order.
typedef struct swPool swPool;
typedef void swTask(int start, int end, int worker, void *arg);
swPool *sw_pool_create(const swAllocator *allocator, int threads); // NULL without memory
void sw_pool_destroy(swPool *pool);
int sw_pool_size(const swPool *pool); // 1 for NULL
void sw_parallel_for(swPool *pool, int n, int grain, swTask *fn, void *arg);

// What takes long asks whether it should go on. From here on sw_progress() is called with this
// stage and share; with NULL nobody is asked.
void sw_pool_watch(swPool *pool, const swConfig *config, const char *stage, double share);
// Asks, if that is a while ago and this is the thread that called sw_pool_watch(): call it as often
// as you like. False from when the user wants to stop; true for NULL.
bool sw_pool_goes_on(swPool *pool);
bool sw_pool_stopped(const swPool *pool); // it was so, the last time
// sw_parallel_for() that asks between chunks. False where it was stopped: some chunks are not done.
bool sw_parallel_try(swPool *pool, int n, int grain, swTask *fn, void *arg);
