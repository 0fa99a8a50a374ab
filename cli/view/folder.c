// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Temporary folders: the command's own, and those that killed commands left behind.
#include "view/view.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char form[] = "sinew-XXXXXX";

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *at) {
    (void)info;
    (void)type;
    (void)at;
    remove(path);
    return 0;
}

void remove_folder(const char *path) { nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS); }

bool view_make_folder(View *v, char path[VIEW_PATH], swError *error) {
    const int n = snprintf(path, VIEW_PATH, "%s/XXXXXX", v->folder);
    if (n < VIEW_PATH && mkdtemp(path))
        return true;
    path[0] = 0;
    return sw_fail(error, SW_ERROR_FILE, "cannot create a temporary folder: %s", strerror(errno));
}

// ---- the command's own folder: a file in it is locked as long as the command lives ----

// The lock file gets its final name only once it is locked: a file of that name that is not locked
// belongs to a command that has ended.
static int lock_folder(const char *folder) {
    char path[VIEW_PATH + 16], fresh[VIEW_PATH + 16];
    snprintf(path, sizeof path, "%s/lock", folder);
    snprintf(fresh, sizeof fresh, "%s/lock.new", folder);
    const int file = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        rename(fresh, path);
    return file;
}

static bool is_ours(const char *path) {
    struct stat s;
    return lstat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() &&
           (s.st_mode & 0777) == 0700;
}

static void remove_left_behind(const char *parent) {
    DIR *folder = opendir(parent);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[VIEW_PATH], lock[VIEW_PATH + 16];
        if (strlen(entry->d_name) != sizeof form - 1 || strncmp(entry->d_name, form, 6) != 0 ||
            snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) >= VIEW_PATH ||
            !is_ours(path))
            continue;
        snprintf(lock, sizeof lock, "%s/lock", path);
        const int file = open(lock, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
        if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
            remove_folder(path);
        if (file >= 0)
            close(file);
    }
    if (folder)
        closedir(folder);
}

bool view_create_folder(View *v, swError *error) {
    const char *given = getenv("TMPDIR"), *parent = given && *given ? given : P_tmpdir;
    char path[VIEW_PATH];
    remove_left_behind(parent);
    snprintf(path, sizeof path, "%s/%s", parent, form);
    // The real path, as paths in scenes start from there.
    char *made = mkdtemp(path), *real = made ? realpath(made, NULL) : NULL;
    const bool ok = real && strlen(real) < VIEW_PATH / 2;
    if (ok) {
        strcpy(v->folder, real);
        v->lock = lock_folder(real);
    }
    free(real);
    if (!ok && made)
        rmdir(made);
    return ok || sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "cannot create a temporary folder");
}

void view_remove_folder(View *v) {
    remove_folder(v->folder);
    if (v->lock >= 0)
        close(v->lock);
}
