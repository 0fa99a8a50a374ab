// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a compile depends on. Files are found by trial: any string in the scene that is the path of
// an existing file counts, and so does any string in files that may refer to others. A file too
// many does no harm.
#include "cache/cache.h"

#include "core/simd.h"
#include "model/model.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { HEADER = 1 << 16, NAME = 512, DEPTH = 8, MOST = 4096 };

typedef struct {
    swArena *arena;
    FILE *out;
    SW_LIST(char *) file; // already added
    bool veg;             // a .veg file was added: files that it includes may include others
    bool failed;
} Key;

static void put_hash(Key *k, const char *data, size_t size) {
    fprintf(k->out, " %zu %016llx %016llx\n", size,
            (unsigned long long)sw_hash(SW_HASH_SEED, data, size),
            (unsigned long long)sw_hash(~SW_HASH_SEED, data, size));
}

// ---- files ----

static void add_file(Key *k, const char *path, int depth);

static void try_path(Key *k, const char *folder, const char *name, int depth) {
    char path[2 * NAME];
    struct stat info;
    if (!folder || name[0] == '/')
        folder = "";
    if (snprintf(path, sizeof path, "%s%s%s", folder, folder[0] ? "/" : "", name) >=
        (int)sizeof path)
        k->failed = true;
    else if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
        add_file(k, path, depth);
}

// Decodes percent-encoded characters (%20 is a space), which some formats use.
static void decode(const char *text, char *name) {
    for (; *text; text++) {
        char code[3] = "", *end = code;
        if (text[0] == '%' && text[1] && text[2]) {
            memcpy(code, text + 1, 2);
            *name = (char)strtol(code, &end, 16);
        }
        if (end == code + 2)
            text += 2;
        else
            *name = *text;
        name++;
    }
    *name = 0;
}

// Tries a text that may be the path of a file in `folder`.
static void try_name(Key *k, const char *folder, const char *text, size_t size, int depth) {
    char name[NAME], plain[NAME];
    double number;
    for (; size > 0 && text[0] == ' '; size--)
        text++;
    while (size > 0 && text[size - 1] == ' ')
        size--;
    if (size == 0 || size >= NAME || memchr(text, 0, size) ||
        sw_text_number(text, text + size, &number) == text + size)
        return;
    memcpy(name, text, size);
    name[size] = 0;
    decode(name, plain);
    try_path(k, folder, name, depth);
    if (strcmp(name, plain) != 0)
        try_path(k, folder, plain, depth);
}

// Tries everything between two of the bytes in `marks` or control characters.
static void try_names(Key *k, const char *folder, const char *text, size_t size, const char *marks,
                      int depth) {
    size_t first = 0;
    for (size_t i = 0; i <= size && !k->failed; i++)
        if (i == size || (unsigned char)text[i] < ' ' || (text[i] && strchr(marks, text[i]))) {
            try_name(k, folder, text + first, i - first, depth);
            first = i + 1;
        }
}

// Tries the strings of a JSON text. Escapes are not decoded: scenes that contain any are not
// cached.
static void try_json(Key *k, const char *folder, const char *text, size_t size, int depth) {
    const char *end = text + size, *first, *last;
    k->failed = k->failed || memchr(text, '\\', size);
    for (; !k->failed && (first = memchr(text, '"', (size_t)(end - text))); text = last + 1) {
        if (!(last = memchr(first + 1, '"', (size_t)(end - first - 1))))
            return;
        try_name(k, folder, first + 1, (size_t)(last - first - 1), depth);
    }
}

// Tries the same path with another suffix.
static void try_suffix(Key *k, const char *path, const char *suffix, int depth) {
    char other[NAME];
    const char *dot = strrchr(path, '.');
    snprintf(other, sizeof other, "%.*s%s", (int)(dot - path), path, suffix);
    try_name(k, NULL, other, strlen(other), depth);
}

// Tries the files that a file may refer to.
static void follow(Key *k, const char *path, const char *data, size_t size, int depth) {
    const char *slash = strrchr(path, '/');
    char *folder = sw_arena_text(k->arena, path, slash ? (size_t)(slash - path) : 0, NULL);
    const size_t head = size < HEADER ? size : HEADER;
    if (!folder) {
        k->failed = true;
        return;
    }
    if (slash == path)
        folder = "/.";
    const char *where = slash ? folder : NULL;
    if (sw_text_has_suffix(path, ".gltf"))
        try_json(k, where, data, size, depth);
    else if (sw_text_has_suffix(path, ".glb") && size >= 20) {
        uint32_t length;
        memcpy(&length, data + 12, sizeof length);
        try_json(k, where, data + 20, length < size - 20 ? length : size - 20, depth);
    } else if (sw_text_has_suffix(path, ".hdr")) {
        try_suffix(k, path, ".img", depth);
        try_suffix(k, path, ".img.gz", depth);
    } else if (sw_text_has_suffix(path, ".node") || sw_text_has_suffix(path, ".ele")) {
        static const char *const both[] = {".node", ".ele", ".NODE", ".ELE"};
        for (int i = 0; i < SW_COUNT(both); i++)
            try_suffix(k, path, both[i], depth);
    } else if (sw_text_has_suffix(path, ".veg") || (k->veg && depth > 1)) {
        k->veg = true;
        try_names(k, where, data, size, "", depth);
        try_names(k, where, data, size, " \t", depth);
    } else if (sw_text_has_suffix(path, ".mhd") || sw_text_has_suffix(path, ".mha") ||
               sw_text_has_suffix(path, ".nhdr") || sw_text_has_suffix(path, ".nrrd")) {
        try_names(k, where, data, head, "=:", depth);
        try_names(k, where, data, head, "=: \t", depth);
    }
}

static void add_file(Key *k, const char *path, int depth) {
    swArena scratch;
    char *data;
    size_t size;
    for (int i = 0; i < k->file.count; i++)
        if (strcmp(k->file.item[i], path) == 0)
            return;
    char **seen = SW_PUSH(&k->file, k->arena, NULL);
    if (!seen || !(*seen = sw_arena_text(k->arena, path, strlen(path), NULL)) ||
        k->file.count > MOST || depth > DEPTH) {
        k->failed = true;
        return;
    }
    sw_arena_init(&scratch, &k->arena->allocator);
    if (sw_file_read(path, &scratch, &data, &size, NULL)) {
        fprintf(k->out, "file %s", path);
        put_hash(k, data, size);
        follow(k, path, data, size, depth + 1);
    } else
        k->failed = true;
    sw_arena_free(&scratch);
}

// ---- the command and the machine ----

// Hashes the whole command, which contains the library. Functions of the C library may round
// differently in another version or on another processor.
static void put_build(Key *k) {
    swArena scratch;
    struct utsname machine;
    char *data, libc[128] = "";
    size_t size;
    sw_arena_init(&scratch, &k->arena->allocator);
    if (uname(&machine) != 0 || !sw_file_read("/proc/self/exe", &scratch, &data, &size, NULL))
        k->failed = true;
    else {
#if defined(_CS_GNU_LIBC_VERSION)
        confstr(_CS_GNU_LIBC_VERSION, libc, sizeof libc);
#endif
        fprintf(k->out, "sinew %s, models %d, lanes %d, %s, %s %s\ncommand", sw_version(),
                SW_MODEL_VERSION, SW_LANES, libc, machine.nodename, machine.machine);
        put_hash(k, data, size);
    }
    sw_arena_free(&scratch);
}

static void put_scene(Key *k, const swScene *scene) {
    char *text = NULL;
    size_t size = 0;
    swFile file = {.stream = open_memstream(&text, &size)};
    bool ok = file.stream && sw_scene_print(scene, NULL, &file, NULL) && !file.failed;
    if (file.stream)
        ok = fclose(file.stream) == 0 && ok;
    k->failed = k->failed || !ok;
    if (ok) {
        fprintf(k->out, "in %s\n", scene->folder ? scene->folder : "");
        fwrite(text, 1, size, k->out);
        try_json(k, scene->folder, text, size, 0);
    }
    free(text);
}

char *cache_identity(const swScene *scene, swArena *arena, size_t *size) {
    char *text = NULL, *copy = NULL;
    Key k = {.arena = arena, .out = open_memstream(&text, size)};
    if (!k.out)
        return NULL;
    put_build(&k);
    put_scene(&k, scene);
    const bool failed = ferror(k.out);
    if (fclose(k.out) == 0 && !failed && !k.failed)
        copy = sw_arena_text(arena, text, *size, NULL);
    free(text);
    return copy;
}
