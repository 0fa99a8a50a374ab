// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "cache/cache.h"

#include "model/archive.h"
#include "model/model.h"
#include "scene/scene.h"
#include "world/world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Models that compile faster are not kept; beyond this size the oldest files are removed.
static const double least_seconds = 0.3, most_megabytes = 512;
enum { FOLDER = 900, PATH = 1024, OLD = 3600 }; // OLD: age of files left by a command that died [s]
static const char suffix[] = ".swc";

// ---- the folder ----

static double setting(const char *name, double usual) {
    const char *text = getenv(name);
    double value;
    return text && *text && sw_text_number(text, text + strlen(text), &value) && value >= 0 ? value
                                                                                            : usual;
}

// False if nothing is to be cached.
static bool find_folder(char out[FOLDER]) {
    const char *own = getenv("SINEW_CACHE"), *all = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    int n = -1;
    if (own && *own)
        n = strcmp(own, "off") == 0 ? -1 : snprintf(out, FOLDER, "%s", own);
    else if (all && all[0] == '/')
        n = snprintf(out, FOLDER, "%s/sinew", all);
    else if (home && home[0] == '/')
        n = snprintf(out, FOLDER, "%s/.cache/sinew", home);
    return n > 0 && n < FOLDER;
}

static bool make_folder(const char folder[FOLDER]) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/", folder);
    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            if (mkdir(path, 0700) != 0 && errno != EEXIST)
                return false;
            *at = '/';
        }
    return access(folder, W_OK | X_OK) == 0;
}

typedef struct {
    char name[64];
    double size;
    struct timespec used;
} Entry;

static int compare_age(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    const bool later = x->used.tv_sec != y->used.tv_sec ? x->used.tv_sec > y->used.tv_sec
                                                        : x->used.tv_nsec > y->used.tv_nsec;
    return later                                             ? 1
           : memcmp(&x->used, &y->used, sizeof x->used) == 0 ? strcmp(x->name, y->name)
                                                             : -1;
}

// Removes the least recently used models until the rest fits. Leaves other files alone.
static void tidy(const char *folder, swArena *arena) {
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    SW_LIST(Entry) list = {0};
    double total = 0;
    char path[PATH];
    for (struct dirent *d; (d = readdir(dir));) {
        struct stat info;
        const char *own = strstr(d->d_name, suffix);
        if (!own || strlen(d->d_name) >= sizeof list.item->name ||
            snprintf(path, sizeof path, "%s/%s", folder, d->d_name) >= PATH ||
            lstat(path, &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        if (own[strlen(suffix)]) { // temporary: being written, or never finished
            if (time(NULL) - info.st_mtime > OLD)
                unlink(path);
            continue;
        }
        Entry *e = SW_PUSH(&list, arena, NULL);
        if (!e)
            break;
        *e = (Entry){.size = (double)info.st_size, .used = info.st_mtim};
        strcpy(e->name, d->d_name);
        total += e->size;
    }
    closedir(dir);
    const double most = 1e6 * setting("SINEW_CACHE_SIZE", most_megabytes);
    if (list.count > 0)
        qsort(list.item, (size_t)list.count, sizeof *list.item, compare_age);
    for (int i = 0; i < list.count && total > most; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, list.item[i].name);
        if (unlink(path) == 0)
            total -= list.item[i].size;
    }
}

// ---- messages of a compile ----

typedef struct {
    swConfig config; // where messages go
    FILE *out;       // for each message: its level, its text and a zero byte
    char *text;
    size_t size;
} Log;

static void keep_line(void *context, swLogLevel level, const char *message) {
    Log *log = context;
    fputc((int)level, log->out);
    fwrite(message, 1, strlen(message) + 1, log->out);
    if (log->config.log)
        log->config.log(log->config.log_context, level, message);
}

static void say_again(const swConfig *config, const char *line, size_t size) {
    for (size_t at = 0; at < size && config->log; at += strlen(line + at + 1) + 2)
        config->log(config->log_context, (swLogLevel)line[at], line + at + 1);
}

// Models keep the log that they were compiled with: puts the original one back.
static void restore_log(swModel *m, const swConfig *config) {
    m->config.log = config->log;
    m->config.log_context = config->log_context;
    for (int64_t i = 0; i < m->size.ncompiled; i++) {
        m->compiled[i]->config.log = config->log;
        m->compiled[i]->config.log_context = config->log_context;
    }
}

// ---- models ----

static void save(const char *path, const char *identity, size_t size, const Log *log,
                 const swModel *model) {
    uint64_t head[2] = {size, log->size};
    swArchive a;
    swError error; // ignored
    sw_error_clear(&error);
    if (!sw_archive_save(&a, path, "cache", SW_MODEL_VERSION, &error))
        return;
    sw_archive_item(&a, head, sizeof head);
    sw_archive_item(&a, (void *)identity, size);
    sw_archive_item(&a, log->text, log->size);
    sw_model_put(model, &a);
    sw_archive_close(&a, &error);
}

// Reads the identity and the messages of a file; false if its identity is not that of this scene.
static bool read_head(swArchive *a, const char *identity, size_t size, swArena *arena, char **line,
                      uint64_t head[2]) {
    sw_archive_item(a, head, 2 * sizeof *head);
    if (a->failed || head[0] != size || head[1] > sw_archive_left(a) ||
        size > sw_archive_left(a) - head[1])
        return false;
    char *own = sw_arena_alloc(arena, size + 1, 1, NULL);
    *line = sw_arena_alloc(arena, head[1] + 1, 1, NULL);
    if (!own || !*line)
        return false;
    sw_archive_item(a, own, size);
    sw_archive_item(a, *line, head[1]);
    return memcmp(own, identity, size) == 0 && (head[1] == 0 || (*line)[head[1] - 1] == 0);
}

// NULL if there is no such file or it cannot be used.
static swModel *load(const char *path, const char *identity, size_t size, const swConfig *config,
                     swArena *arena) {
    swArchive a;
    swError error;
    char *line = NULL;
    uint64_t head[2] = {0};
    sw_error_clear(&error);
    if (!sw_archive_load(&a, path, "cache", SW_MODEL_VERSION, &config->allocator, &error))
        return NULL;
    swModel *model = sw_model_create(config, &error);
    bool ok = model && read_head(&a, identity, size, arena, &line, head) &&
              sw_model_get(model, &a, &error);
    if (!ok)
        sw_archive_abandon(&a);
    ok = ok && sw_archive_close(&a, &error) && sw_model_check(model, path, &error);
    if (!ok) {
        sw_model_destroy(model);
        return NULL;
    }
    utimensat(AT_FDCWD, path, NULL, 0); // marks it as just used
    say_again(config, line, head[1]);
    return model;
}

// ---- compiling ----

// Compiles and records all messages; false if some could not be recorded.
static bool listen(swScene *scene, Log *log, swModel **model, swError *error) {
    swConfig *config = &scene->memory->config;
    *log = (Log){.config = *config};
    if (!(log->out = open_memstream(&log->text, &log->size))) {
        *model = sw_compile(scene, error);
        return false;
    }
    config->log = keep_line;
    config->log_context = log;
    *model = sw_compile(scene, error);
    config->log = log->config.log;
    config->log_context = log->config.log_context;
    if (*model)
        restore_log(*model, config);
    const bool failed = ferror(log->out);
    return fclose(log->out) == 0 && !failed;
}

static swModel *compile(swScene *scene, const char *folder, const char *path, const char *identity,
                        size_t size, swArena *arena, swError *error) {
    Log log;
    swModel *model;
    const double start = sw_seconds();
    const bool heard = listen(scene, &log, &model, error);
    if (model && heard && sw_seconds() - start >= setting("SINEW_CACHE_AFTER", least_seconds) &&
        make_folder(folder)) {
        save(path, identity, size, &log, model);
        tidy(folder, arena);
    }
    free(log.text);
    return model;
}

swModel *cache_compile(swScene *scene, bool off, bool *cached, swError *error) {
    char folder[FOLDER], path[PATH];
    size_t size = 0;
    swArena arena;
    *cached = false;
    if (off || !find_folder(folder))
        return sw_compile(scene, error);
    sw_arena_init(&arena, &sw_scene_config(scene)->allocator);
    const char *identity = cache_identity(scene, &arena, &size);
    swModel *model = NULL;
    if (identity) {
        snprintf(path, sizeof path, "%s/%016llx%016llx%s", folder,
                 (unsigned long long)sw_hash(SW_HASH_SEED, identity, size),
                 (unsigned long long)sw_hash(~SW_HASH_SEED, identity, size), suffix);
        model = load(path, identity, size, sw_scene_config(scene), &arena);
        *cached = model != NULL;
        if (!model)
            model = compile(scene, folder, path, identity, size, &arena, error);
    } else
        model = sw_compile(scene, error);
    sw_arena_free(&arena);
    return model;
}
