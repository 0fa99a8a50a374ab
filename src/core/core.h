// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What every stage uses: errors, memory, logging, text, files, threads and time.
#pragma once

#include "sinew/base.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

// ---- assertions: for bugs of the caller ----
void sw_assert_fail(const char *expression, const char *file, int line);
// Assertions stand outside hot loops, so they stay enabled in optimised builds.
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
// These fill `error` (may be NULL) and return false, so that a caller can write `return
// sw_fail(...)`.
bool sw_fail(swError *error, swStatus code, const char *format, ...) SW_PRINTF(3, 4);
bool sw_fail_at(swError *error, swStatus code, const char *path, int line, int column,
                const char *format, ...) SW_PRINTF(6, 7);
bool sw_fail_memory(swError *error, size_t bytes);
bool sw_fail_stopped(swError *error); // stopped by the user
void sw_error_clear(swError *error);

// ---- log ----
void sw_info(const swConfig *config, const char *format, ...) SW_PRINTF(2, 3);
void sw_warn(const swConfig *config, const char *format, ...) SW_PRINTF(2, 3);
// Returns false when the user has asked to stop.
bool sw_progress(const swConfig *config, const char *stage, double share);

// ---- memory ----
void *sw_alloc(const swAllocator *a, size_t size); // zeroed, or NULL
void sw_free(const swAllocator *a, void *p, size_t size);

// Makes an allocator that several threads can use from one that need not be thread-safe.
typedef struct swLockedAllocator {
    swAllocator allocator, inner;
    pthread_mutex_t mutex;
} swLockedAllocator;
const swAllocator *sw_locked_init(swLockedAllocator *locked, const swAllocator *inner);
void sw_locked_free(swLockedAllocator *locked); // everything allocated from it must be freed first

// A growing arena: many allocations, one release. Memory is zeroed and 64-byte aligned.
typedef struct swArenaBlock swArenaBlock;
typedef struct swArena {
    swAllocator allocator;
    swArenaBlock *block;
    size_t total; // bytes held
} swArena;

void sw_arena_init(swArena *arena, const swAllocator *allocator);
void sw_arena_free(swArena *arena);
// Returns zeroed memory, or NULL with `error` filled. A count or size that overflows fails the same
// way.
void *sw_arena_alloc(swArena *arena, size_t count, size_t size, swError *error);
// Copies `old` into a block with room for new_count items; the old block stays in the arena.
void *sw_arena_grow(swArena *arena, void *old, size_t old_count, size_t new_count, size_t size,
                    swError *error);
char *sw_arena_text(swArena *arena, const char *text, size_t length, swError *error);
// Usage: `pointer = SW_NEW(arena, count, type, error)`
#define SW_NEW(arena, count, type, error) \
    ((type *)sw_arena_alloc((arena), (size_t)(count), sizeof(type), (error)))

// A growing array inside an arena: SW_PUSH(&list, arena, error) returns a pointer to the new last
// item, or NULL.
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

// ---- text: numbers, independent of the process's locale ----
// Reads a decimal number at `text` without going past `end`. Returns the first byte after it, or
// NULL if there is no number.
const char *sw_text_number(const char *text, const char *end, double *value);
// Writes the shortest text that reads back as the same double, or "null" for a number that is not
// finite. Returns its length.
int sw_text_format(double value, char out[32]);
bool sw_text_equal(const char *a, const char *b);              // NULL equals only NULL
bool sw_text_has_suffix(const char *text, const char *suffix); // ignores case
// Whether the text matches the pattern, in which * stands for any number of characters and ? for
// exactly one. Ignores case.
bool sw_text_matches(const char *text, const char *pattern);
// The entry of `names` nearest to `word` by edit distance, or NULL when none is close.
const char *sw_text_nearest(const char *word, const char *const *names, int count);

// ---- files ----
// The path of a file named relative to a folder (NULL: the working directory), allocated in the
// arena. NULL if memory runs out.
char *sw_path_join(const char *folder, const char *file, swArena *arena, swError *error);
// Reads the whole file into the arena and puts a zero byte after its end.
bool sw_file_read(const char *path, swArena *arena, char **data, size_t *size, swError *error);
// Writes to a temporary file beside `path`; sw_file_close() renames it, sw_file_abandon() removes
// it.
typedef struct swFile {
    FILE *stream;
    char path[1024], temporary[1040];
    bool failed;
} swFile;
bool sw_file_open(swFile *file, const char *path, swError *error);
void sw_file_write(swFile *file, const void *data, size_t size); // failures are reported on close
void sw_file_print(swFile *file, const char *format, ...) SW_PRINTF(2, 3);
void sw_file_number(swFile *file, double value); // formatted by sw_text_format()
bool sw_file_close(swFile *file, swError *error);
void sw_file_abandon(swFile *file);

// ---- time and hashes ----
double sw_seconds(void); // from a monotonic clock
uint64_t sw_hash(uint64_t seed, const void *data, size_t size);
#define SW_HASH_SEED 0xcbf29ce484222325ull

// ---- threads ----
// Calls fn(start, end, worker, arg) over [0, n) in chunks of `grain`. The chunks do not depend on
// the number of workers, and any chunk may run on any worker: write only to memory that belongs to
// the chunk, and sum afterwards in order.
typedef struct swPool swPool;
typedef void swTask(int start, int end, int worker, void *arg);
swPool *sw_pool_create(const swAllocator *allocator, int threads); // NULL if memory runs out
void sw_pool_destroy(swPool *pool);
int sw_pool_size(const swPool *pool); // 1 for NULL
void sw_parallel_for(swPool *pool, int n, int grain, swTask *fn, void *arg);

// Long computations ask whether to go on. After this call they do so by calling sw_progress() with
// this stage and share; with config NULL they never stop.
void sw_pool_watch(swPool *pool, const swConfig *config, const char *stage, double share);
// Asks if the last time was long enough ago and this is the thread that called sw_pool_watch(), so
// it may be called as often as you like. Returns false once the user wants to stop; true for NULL.
bool sw_pool_goes_on(swPool *pool);
bool sw_pool_stopped(const swPool *pool); // the answer last time
// Like sw_parallel_for(), but asks between chunks. Returns false if it was stopped, in which case
// some chunks have not been run.
bool sw_parallel_try(swPool *pool, int n, int grain, swTask *fn, void *arg);
