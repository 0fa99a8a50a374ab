// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Messages in memory, and the mailboxes in which threads leave them.
#include "view/view.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- bytes ----

Bytes *bytes_create(size_t size) {
    Bytes *b = calloc(1, sizeof *b + BYTES_BEFORE + size + 1);
    if (!b)
        return NULL;
    atomic_init(&b->users, 1);
    b->size = size;
    b->data = (unsigned char *)(b + 1) + BYTES_BEFORE;
    return b;
}

Bytes *bytes_copy(const void *data, size_t size) {
    Bytes *b = bytes_create(size);
    if (b)
        memcpy(b->data, data, size);
    return b;
}

Bytes *bytes_keep(Bytes *b) {
    if (b)
        atomic_fetch_add(&b->users, 1);
    return b;
}

void bytes_drop(Bytes *b) {
    if (b && atomic_fetch_sub(&b->users, 1) == 1)
        free(b);
}

bool text_begin(Text *t) {
    memset(t, 0, sizeof *t);
    t->file.stream = open_memstream(&t->data, &t->size);
    t->json.file = &t->file;
    return t->file.stream != NULL;
}

Bytes *text_end(Text *t) {
    const bool ok = fclose(t->file.stream) == 0 && !t->file.failed;
    Bytes *b = ok ? bytes_copy(t->data, t->size) : NULL;
    free(t->data);
    return b;
}

swJsonWriter *message_begin(Text *t, const char *type) {
    if (!text_begin(t))
        return NULL;
    sw_json_begin(&t->json, NULL, '{');
    sw_json_put_text(&t->json, "type", type);
    return &t->json;
}

Bytes *message_end(Text *t) {
    sw_json_end(&t->json);
    return text_end(t);
}

// ---- mailboxes ----

bool box_init(Box *box, size_t size) {
    memset(box, 0, sizeof *box);
    box->size = size;
    pthread_condattr_t steady; // the clock of sw_seconds()
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    const bool ok = pthread_mutex_init(&box->mutex, NULL) == 0 &&
                    pthread_cond_init(&box->changed, &steady) == 0;
    pthread_condattr_destroy(&steady);
    return ok;
}

void box_free(Box *box) {
    free(box->item);
    pthread_mutex_destroy(&box->mutex);
    pthread_cond_destroy(&box->changed);
}

// The place of an older item that the new one replaces, or NULL.
static char *find_replaced(const Box *box, const void *item, BoxLook *look) {
    for (int i = box->count - 1, found = 0; look && i >= 0 && found == 0; i--) {
        char *old = box->item + (size_t)i * box->size;
        found = look(old, item);
        if (found > 0)
            return old;
    }
    return NULL;
}

static bool grow(Box *box) {
    const int room = box->room > 0 ? 2 * box->room : 16;
    char *more = box->room < BOX_MOST ? realloc(box->item, (size_t)room * box->size) : NULL;
    if (!more)
        return false;
    box->item = more;
    box->room = room;
    return true;
}

bool box_put(Box *box, const void *item, BoxLook *look) {
    pthread_mutex_lock(&box->mutex);
    char *to = find_replaced(box, item, look);
    if (!to && (box->count < box->room || grow(box)))
        to = box->item + (size_t)box->count++ * box->size;
    if (to) {
        memcpy(to, item, box->size);
        pthread_cond_signal(&box->changed);
    }
    pthread_mutex_unlock(&box->mutex);
    return to != NULL;
}

int box_take(Box *box, double deadline, void **item) {
    const bool forever = isinf(deadline);
    const double end = forever ? 0 : deadline;
    const struct timespec until = {(time_t)end, (long)(1e9 * (end - floor(end)))};
    int late = 0;
    pthread_mutex_lock(&box->mutex);
    while (box->count == 0 && late == 0 && deadline > 0)
        late = forever ? pthread_cond_wait(&box->changed, &box->mutex)
                       : pthread_cond_timedwait(&box->changed, &box->mutex, &until);
    const int count = box->count;
    *item = box->item;
    box->item = NULL;
    box->count = box->room = 0;
    pthread_mutex_unlock(&box->mutex);
    return count;
}
