// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A small thread pool whose threads take chunks from a shared counter.
#include "core/core.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { MAX_THREADS = 64 };
static const double often = 0.1; // [s] between two calls of the user's progress function

struct swPool {
    swAllocator allocator;
    int size; // including the caller
    pthread_t thread[MAX_THREADS];
    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    unsigned round; // counts parallel loops
    int started, busy;
    bool quit;
    // the loop in progress
    swTask *fn;
    void *arg;
    int n, grain;
    bool asking; // whether the loop may be stopped
    atomic_int next;
    // asking whether to go on
    const swConfig *config;
    const char *stage;
    double share, asked; // asked: time of the last call [s]
    pthread_t owner;     // the thread that asks
    atomic_bool stopped;
};

static void drain(swPool *pool, int worker) {
    for (;;) {
        int start = atomic_fetch_add(&pool->next, 1);
        if (start >= (pool->n + pool->grain - 1) / pool->grain)
            return;
        if (pool->asking && !sw_pool_goes_on(pool))
            return;
        start *= pool->grain;
        pool->fn(start, sw_min_int(start + pool->grain, pool->n), worker, pool->arg);
    }
}

static void *worker_main(void *arg) {
    swPool *pool = arg;
    pthread_mutex_lock(&pool->mutex);
    int worker = ++pool->started;
    unsigned seen = 0;
    for (;;) {
        while (!pool->quit && pool->round == seen)
            pthread_cond_wait(&pool->work, &pool->mutex);
        if (pool->quit)
            break;
        seen = pool->round;
        pthread_mutex_unlock(&pool->mutex);
        drain(pool, worker);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

swPool *sw_pool_create(const swAllocator *allocator, int threads) {
    swPool *pool = sw_alloc(allocator, sizeof *pool);
    if (!pool)
        return NULL;
    pool->allocator = *allocator;
    pool->size = 1;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (; pool->size < sw_min_int(threads, MAX_THREADS); pool->size++)
        if (pthread_create(&pool->thread[pool->size], NULL, worker_main, pool) != 0)
            break; // fewer threads change the speed but not the result
    return pool;
}

void sw_pool_destroy(swPool *pool) {
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 1; i < pool->size; i++)
        pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    swAllocator allocator = pool->allocator;
    sw_free(&allocator, pool, sizeof *pool);
}

int sw_pool_size(const swPool *pool) { return pool ? pool->size : 1; }

void sw_pool_watch(swPool *pool, const swConfig *config, const char *stage, double share) {
    if (!pool)
        return;
    pool->config = config;
    pool->stage = stage;
    pool->share = share;
    pool->asked = sw_seconds();
    pool->owner = pthread_self();
    atomic_store(&pool->stopped, false);
}

bool sw_pool_stopped(const swPool *pool) { return pool && atomic_load(&pool->stopped); }

bool sw_pool_goes_on(swPool *pool) {
    if (!pool || !pool->config || sw_pool_stopped(pool) ||
        !pthread_equal(pthread_self(), pool->owner))
        return !sw_pool_stopped(pool);
    const double now = sw_seconds();
    if (now - pool->asked < often)
        return true;
    if (!sw_progress(pool->config, pool->stage, pool->share))
        atomic_store(&pool->stopped, true);
    pool->asked = sw_seconds();
    return !sw_pool_stopped(pool);
}

// Runs the whole loop in the caller's thread.
static void run_alone(swPool *pool, int n, int grain, bool asking, swTask *fn, void *arg) {
    for (int start = 0; start < n && (!asking || sw_pool_goes_on(pool)); start += grain)
        fn(start, sw_min_int(start + grain, n), 0, arg);
}

// Waits for the other workers. If the loop may be stopped, it waits only briefly and then asks
// whether to go on, as the others may take long.
static void wait_for_others(swPool *pool) {
    struct timespec until;
    if (!pool->asking) {
        pthread_cond_wait(&pool->done, &pool->mutex);
        return;
    }
    timespec_get(&until, TIME_UTC);
    until.tv_nsec += (long)(often * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&pool->done, &pool->mutex, &until);
    pthread_mutex_unlock(&pool->mutex);
    sw_pool_goes_on(pool);
    pthread_mutex_lock(&pool->mutex);
}

static void run(swPool *pool, int n, int grain, bool asking, swTask *fn, void *arg) {
    SW_ASSERT(grain > 0);
    if (!pool || pool->size == 1 || n <= grain) {
        run_alone(pool, n, grain, asking, fn, arg);
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->fn = fn;
    pool->arg = arg;
    pool->n = n;
    pool->grain = grain;
    pool->asking = asking;
    atomic_store(&pool->next, 0);
    pool->busy = pool->size - 1;
    pool->round++;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    drain(pool, 0);
    pthread_mutex_lock(&pool->mutex);
    while (pool->busy > 0)
        wait_for_others(pool);
    pthread_mutex_unlock(&pool->mutex);
}

void sw_parallel_for(swPool *pool, int n, int grain, swTask *fn, void *arg) {
    run(pool, n, grain, false, fn, arg);
}

bool sw_parallel_try(swPool *pool, int n, int grain, swTask *fn, void *arg) {
    run(pool, n, grain, true, fn, arg);
    return !sw_pool_stopped(pool);
}
