// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A folder of a suite's own. Where SINEW_TEST_FILES names one the files stay there, for another
// program to look at; else they go when the tests end.
#pragma once

#include "test.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static char test_folder[512];

static inline bool keeps_files(void) { return getenv("SINEW_TEST_FILES") != NULL; }

static inline void remove_test_folder(void) {
    DIR *dir = opendir(test_folder);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", test_folder, entry->d_name);
        if (entry->d_name[0] != '.')
            remove(path);
    }
    if (dir)
        closedir(dir);
    rmdir(test_folder);
}

// The last four stay valid.
static inline const char *path_of(const char *name) {
    static char path[4][1024];
    static int next;
    if (!test_folder[0]) {
        const char *kept = getenv("SINEW_TEST_FILES");
        snprintf(test_folder, sizeof test_folder, "%s", kept ? kept : P_tmpdir "/sinew_XXXXXX");
        if (!kept) {
            assert_non_null(mkdtemp(test_folder));
            atexit(remove_test_folder);
        }
    }
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", test_folder, name);
    return path[next];
}
