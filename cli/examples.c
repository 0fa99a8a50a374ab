// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "examples.h"

#include <string.h>

const Example *example_find(const char *name) {
    int n;
    const Example *list = examples(&n);
    for (int i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

static bool write_file(const char *folder, const char *name, const void *data, size_t size,
                       char path[EXAMPLE_PATH], swError *error) {
    swFile file;
    if (snprintf(path, EXAMPLE_PATH, "%s/%s", folder, name) >= EXAMPLE_PATH)
        return sw_fail_at(error, SW_ERROR_FILE, folder, 0, 0, "the path is too long");
    if (!sw_file_open(&file, path, error))
        return false;
    sw_file_write(&file, data, size);
    return sw_file_close(&file, error);
}

bool example_unpack(const Example *e, const char *folder, char path[EXAMPLE_PATH], swError *error) {
    char name[64];
    for (int i = 0; i < e->nfile; i++)
        if (!write_file(folder, e->file[i].name, e->file[i].data, e->file[i].size, path, error))
            return false;
    snprintf(name, sizeof name, "%s.json", e->name);
    return write_file(folder, name, e->text, e->size, path, error);
}
