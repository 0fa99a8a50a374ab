// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "core/core.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *sw_path_join(const char *folder, const char *file, swArena *arena, swError *error) {
    if (!folder || file[0] == '/')
        folder = "";
    size_t size = strlen(folder) + strlen(file) + 2;
    char *path = sw_arena_alloc(arena, size, 1, error);
    if (path)
        snprintf(path, size, "%s%s%s", folder, folder[0] ? "/" : "", file);
    return path;
}

bool sw_file_read(const char *path, swArena *arena, char **data, size_t *size, swError *error) {
    struct stat info;
    if (stat(path, &info) != 0)
        return sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "cannot open: %s", strerror(errno));
    if (!S_ISREG(info.st_mode)) // opening a pipe would block until its other end is opened
        return sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "not a regular file");
    FILE *f = fopen(path, "rb");
    if (!f)
        return sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "cannot open: %s", strerror(errno));
    *size = (size_t)info.st_size;
    *data = sw_arena_alloc(arena, *size + 1, 1, error);
    bool ok = *data && fread(*data, 1, *size, f) == *size;
    if (*data && !ok)
        sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "cannot read the whole file");
    fclose(f);
    return ok;
}

bool sw_file_open(swFile *file, const char *path, swError *error) {
    memset(file, 0, sizeof *file);
    if (strlen(path) >= sizeof file->path)
        return sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "the path is longer than %d bytes",
                          (int)sizeof file->path - 1);
    strcpy(file->path, path);
    // Do not replace a device or pipe with a file.
    struct stat info;
    bool special = stat(path, &info) == 0 && !S_ISREG(info.st_mode);
    if (!special)
        snprintf(file->temporary, sizeof file->temporary, "%s.%ld.tmp", path, (long)getpid());
    file->stream = fopen(special ? path : file->temporary, "wb");
    if (!file->stream)
        return sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "cannot write: %s", strerror(errno));
    return true;
}

void sw_file_write(swFile *file, const void *data, size_t size) {
    if (size && fwrite(data, 1, size, file->stream) != size)
        file->failed = true;
}

void sw_file_print(swFile *file, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (vfprintf(file->stream, format, args) < 0)
        file->failed = true;
    va_end(args);
}

void sw_file_number(swFile *file, double value) {
    char text[32];
    sw_file_write(file, text, (size_t)sw_text_format(value, text));
}

bool sw_file_close(swFile *file, swError *error) {
    bool failed = file->failed;
    if (fclose(file->stream) != 0)
        failed = true;
    file->stream = NULL;
    if (failed || (file->temporary[0] && rename(file->temporary, file->path) != 0)) {
        int reason = errno;
        if (file->temporary[0])
            remove(file->temporary);
        return sw_fail_at(error, SW_ERROR_FILE, file->path, 0, 0, "cannot write: %s",
                          strerror(reason));
    }
    return true;
}

void sw_file_abandon(swFile *file) {
    if (file->stream)
        fclose(file->stream);
    file->stream = NULL;
    if (file->temporary[0])
        remove(file->temporary);
}
