// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Films: pictures piped to ffmpeg.
#include "inspect/picture.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool movie_possible(void) {
    const char *path = getenv("PATH");
    char name[4096];
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        snprintf(name, sizeof name, "%.*s/ffmpeg", (int)strcspn(path, ":"), path);
        if (access(name, X_OK) == 0)
            return true;
    }
    return false;
}

typedef struct Encoder {
    pid_t process;
    FILE *pipe;
} Encoder;

static void exec_ffmpeg(const Picture *p, const char *path) {
    char size[32], rate[16];
    const int width = p->render.width, height = p->render.height;
    snprintf(size, sizeof size, "%dx%d", width + picture_legend_width(p, width, height), height);
    snprintf(rate, sizeof rate, "%d", p->run->options.fps);
    // yuv420p plays everywhere, but needs even widths and heights; faststart lets browsers begin
    // to play before they have the whole file.
    execlp("ffmpeg", "ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24",
           "-s", size, "-r", rate, "-i", "-", "-an", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2",
           "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", path, (char *)NULL);
    _exit(127);
}

static bool encoder_start(Encoder *e, const Picture *p, const char *path, swError *error) {
    int ends[2];
    if (pipe(ends) != 0)
        return sw_fail(error, SW_ERROR_FILE, "cannot create a pipe to ffmpeg: %s", strerror(errno));
    fflush(stdout);
    e->process = fork();
    if (e->process == 0) {
        dup2(ends[0], STDIN_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO); // standard output may carry our results
        close(ends[0]);
        close(ends[1]);
        signal(SIGINT, SIG_IGN); // an interrupted run still becomes a film
        exec_ffmpeg(p, path);
    }
    close(ends[0]);
    e->pipe = e->process > 0 ? fdopen(ends[1], "wb") : NULL;
    if (e->pipe)
        return true;
    close(ends[1]);
    return sw_fail(error, SW_ERROR_FILE, "cannot start ffmpeg: %s", strerror(errno));
}

static bool encoder_end(Encoder *e, swError *error) {
    int status = 1;
    bool ok = fclose(e->pipe) == 0;
    while (waitpid(e->process, &status, 0) < 0 && errno == EINTR) {
    }
    if (ok && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    return sw_fail(error, SW_ERROR_FILE, "ffmpeg failed, see its message above");
}

static bool encode(Picture *p, Encoder *e, swError *error) {
    bool ok = true;
    for (int k = 0; ok && k < stage_keys(p->run); k++) {
        char text[64];
        const char *caption = text;
        if (!p->run->options.quiet)
            cli_progress("film  %3.0f%%", 100.0 * k / stage_keys(p->run));
        swArena arena;
        swPicture image, captioned, frame;
        sw_arena_init(&arena, &p->arena.allocator);
        picture_caption(p->run, k, text);
        ok = picture_draw(p, k, &arena, &image, error) &&
             sw_picture_grid(&captioned, 1, &image, &caption, 1, 0, &arena, error) &&
             picture_add_legend(p, &captioned, &arena, &frame, error);
        size_t size = ok ? 3 * (size_t)frame.width * (size_t)frame.height : 0;
        if (ok && fwrite(frame.rgb, 1, size, e->pipe) != size)
            ok = sw_fail(error, SW_ERROR_FILE, "ffmpeg ended early, see its message above");
        sw_arena_free(&arena);
    }
    cli_progress(NULL);
    return ok;
}

static bool write_film(Picture *p, const char *path, swError *error) {
    char temporary[1100];
    snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid());
    Encoder e = {0};
    if (!encoder_start(&e, p, temporary, error))
        return false;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); // ffmpeg may fail
    bool ok = encode(p, &e, error);
    ok = encoder_end(&e, ok ? error : NULL) && ok;
    signal(SIGPIPE, before);
    if (ok && rename(temporary, path) != 0)
        ok = sw_fail(error, SW_ERROR_FILE, "cannot write: %s", strerror(errno));
    if (!ok)
        remove(temporary);
    return ok;
}

bool movie_write(const Run *run, const char *path, swError *error) {
    const RunOptions *o = &run->options;
    const int n = stage_keys(run);
    const int width = o->size[0] ? o->size[0] : 960, height = o->size[1] ? o->size[1] : 540;
    Picture picture = {0};
    swArena arena;
    sw_arena_init(&arena, &run->model->config.allocator);
    int *key = SW_NEW(&arena, n, int, error);
    for (int i = 0; key && i < n; i++)
        key[i] = i;
    bool ok = key && picture_create(&picture, run, width, height, key, n, error);
    picture.render.samples = 2; // many pictures, each shown only briefly
    ok = ok && write_film(&picture, path, error);
    if (!ok && error && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", path);
    picture_free(&picture);
    sw_arena_free(&arena);
    return ok;
}
