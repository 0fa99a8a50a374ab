// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A small pool of threads that share one counter of chunks.
#include "core/core.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MAX_THREADS = 64 };

struct swPool {
    swAllocator allocator;
    int size; // the caller included
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
    atomic_int next;
};

static void drain(swPool *pool, int worker) {
    for (;;) {
        int start = atomic_fetch_add(&pool->next, 1);
        if (start >= (pool->n + pool->grain - 1) / pool->grain)
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
    if (threads <= 1)
        return NULL;
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
            break; // fewer threads change the speed, not the result
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

void sw_parallel_for(swPool *pool, int n, int grain, swTask *fn, void *arg) {
    SW_ASSERT(grain > 0);
    if (!pool || n <= grain) {
        for (int start = 0; start < n; start += grain)
            fn(start, sw_min_int(start + grain, n), 0, arg);
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->fn = fn;
    pool->arg = arg;
    pool->n = n;
    pool->grain = grain;
    atomic_store(&pool->next, 0);
    pool->busy = pool->size - 1;
    pool->round++;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    drain(pool, 0);
    pthread_mutex_lock(&pool->mutex);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}
