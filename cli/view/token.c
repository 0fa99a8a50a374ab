// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The secret token in the address of the page.
#include "view/view.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 32 };

static bool make(char token[DIGITS + 1], swError *error) {
    unsigned char bytes[DIGITS / 2];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return sw_fail(error, SW_ERROR_UNSUPPORTED, "the system provides no random numbers");
    for (int i = 0; i < SW_COUNT(bytes); i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

// The path of a file in the user's cache folder, which is created if it is missing.
static bool find_file(int port, char *path, size_t size) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool given = cache && *cache == '/';
    if (!given && !(home && *home == '/'))
        return false;
    int n = snprintf(path, size, "%s%s", given ? cache : home, given ? "" : "/.cache");
    if (n < 0 || (size_t)n + 32 > size)
        return false;
    mkdir(path, 0700);
    n += snprintf(path + n, size - (size_t)n, "/sinew");
    mkdir(path, 0700);
    snprintf(path + n, size - (size_t)n, "/view-%d", port);
    return true;
}

// Reads the token of an earlier run, but only if nobody else can have read or written the file.
static bool recall(const char *path, char token[DIGITS + 1]) {
    struct stat s;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool ok = fstat(file, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid() &&
                    (s.st_mode & 077) == 0 && s.st_size == DIGITS &&
                    read(file, token, DIGITS) == DIGITS;
    close(file);
    token[DIGITS] = '\0';
    return ok && strspn(token, "0123456789abcdef") == DIGITS;
}

static void remember(const char *path, const char *token) {
    unlink(path); // whatever is there
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    if (write(file, token, DIGITS) != DIGITS)
        unlink(path);
    close(file);
}

bool token_make(int port, char token[33], swError *error) {
    char path[VIEW_PATH];
    const bool kept = port > 0 && find_file(port, path, sizeof path);
    if (kept && recall(path, token))
        return true;
    if (!make(token, error))
        return false;
    if (kept)
        remember(path, token);
    return true;
}
