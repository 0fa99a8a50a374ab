// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew view: the command. It starts the threads, prints the address, and waits for Ctrl-C.
#include "view/view.h"

#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// ---- messages between threads ----

void view_end(View *v, int status) {
    int none = CLI_OK;
    atomic_compare_exchange_strong(&v->status, &none, status);
    kill(getpid(), SIGTERM); // the main thread waits for this signal
}

static bool is_gradual(CommandKind kind) {
    return kind == DO_MOVE || kind == DO_FRAME || kind == DO_HANDLE || kind == DO_BALL ||
           kind == DO_CONTROL || kind == DO_SET || kind == DO_SEEK || kind == DO_SPEED;
}

// While a long step is under way, only the last position of something that is dragged counts.
static int look(const void *old, const void *item) {
    const Command *a = old, *b = item;
    if (!is_gradual(a->kind) || !is_gradual(b->kind))
        return -1;
    return a->kind == b->kind && a->page == b->page && a->id == b->id && a->index == b->index &&
           a->setting == b->setting;
}

bool view_command(View *v, const Command *command) { return box_put(&v->commands, command, look); }

static void post(View *v, const Post *p) {
    if ((!p->bytes && p->kind != POST_CLOSED) || !box_put(&v->posts, p, NULL))
        bytes_drop(p->bytes);
    else
        lws_cancel_service(v->server);
}

void view_post(View *v, PostKind kind, int page, Bytes *bytes) {
    post(v, &(Post){.kind = kind, .page = page, .bytes = bytes});
}

void view_post_field(View *v, int field, Bytes *bytes) {
    post(v, &(Post){.kind = POST_FIELD, .index = field, .bytes = bytes});
}

void view_say(View *v, int page, const char *level, const char *format, ...) {
    char line[1200];
    Text text;
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    swJsonWriter *w = message_begin(&text, "message");
    if (!w)
        return;
    sw_json_put_text(w, "level", level);
    sw_json_put_text(w, "text", line);
    view_post(v, POST_TEXT, page, message_end(&text));
}

void view_busy(View *v, const char *what, double share) {
    Text text;
    swJsonWriter *w = message_begin(&text, "busy");
    if (!w)
        return;
    sw_json_put_text(w, "text", what);
    sw_json_put_number(w, "share", share);
    view_post(v, POST_BUSY, 0, message_end(&text));
}

// ---- the browser ----

// Opens the page if there is a display. If that fails, the address is still in the terminal.
static void open_browser(const char *address) {
#if defined(__APPLE__)
    const char *program = "open";
#else
    const char *program = "xdg-open";
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return;
#endif
    sigset_t none;
    sigemptyset(&none);
    const pid_t child = fork();
    if (child > 0)
        waitpid(child, NULL, 0);
    if (child != 0)
        return;
    const int nothing = open("/dev/null", O_RDWR);
    if (fork() == 0 && nothing >= 0) { // nobody has to wait for this second process
        for (int fd = 0; fd < 3; fd++)
            dup2(nothing, fd);
        setsid();
        sigprocmask(SIG_SETMASK, &none, NULL);
        execlp(program, program, address, (char *)NULL);
    }
    _exit(0);
}

// ---- the command ----

// Opens the file given on the command line.
static bool open_first(View *v, swError *error) {
    const char *path = v->options.scene;
    Job job = {.first = true};
    if (!path)
        return true;
    if (strlen(path) >= sizeof job.path)
        return sw_fail(error, SW_ERROR_FILE, "the path is longer than %d bytes", VIEW_PATH - 1);
    if (access(path, R_OK) != 0)
        return sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "cannot open: %s", strerror(errno));
    const char *slash = strrchr(path, '/');
    snprintf(job.name, sizeof job.name, "%.*s", VIEW_NAME - 1, slash ? slash + 1 : path);
    snprintf(job.path, sizeof job.path, "%s", path);
    view_open(v, &job);
    return true;
}

// Frees what is left in the mailboxes.
static void drop_rest(View *v) {
    void *box;
    int left = box_take(&v->commands, 0, &box);
    for (int i = 0; i < left; i++)
        opened_destroy(((Command *)box)[i].opened);
    free(box);
    left = box_take(&v->recordings, 0, &box);
    for (int i = 0; i < left; i++)
        recording_free((Recording *)box + i);
    free(box);
}

// Waits for the threads, but not for long: compiling and solving look up only between stages.
static bool all_end(const View *v) {
    const double deadline = sw_seconds() + 1;
    while (atomic_load(&v->running) > 0 && sw_seconds() < deadline)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    return atomic_load(&v->running) == 0;
}

// Prints the address and opens the browser. The server already listens, and answers as soon as its
// thread runs.
static void invite(const View *v, int port) {
    char address[128];
    const bool all = strcmp(v->options.host, "0.0.0.0") == 0; // not an address to open
    snprintf(address, sizeof address, "http://%s:%d/%s/", all ? "127.0.0.1" : v->options.host, port,
             v->token);
    printf("sinew view: open %s\n", address);
    fflush(stdout);
    if (!v->options.no_browser)
        open_browser(address);
}

// Opens standard streams that were closed: otherwise a file or connection could get their number,
// and with it what is printed.
static void fill_streams(void) {
    int fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = dup(fd);
    if (fd >= 0)
        close(fd);
}

// Most files that cannot be opened fail within a moment: waits for that, so that no browser opens a
// dead address. The page shows the progress of what takes longer.
static bool ends_at_once(View *v, const sigset_t *ends) {
    const struct timespec moment = {.tv_nsec = 10000000};
    int signal = -1;
    for (int i = 0; i < 30 && signal < 0 && view_is_opening(v); i++)
        signal = sigtimedwait(ends, NULL, &moment);
    return signal >= 0 || atomic_load(&v->status) != CLI_OK;
}

// Runs the threads until a signal arrives. Only the main thread handles signals.
static int serve(View *v, int port, const sigset_t *ends) {
    enum { SIMULATION, OPENING, RECORDING, NETWORK, THREADS };
    static void *(*const run[THREADS])(void *) = {sim_thread, open_thread, record_thread,
                                                  server_thread};
    pthread_t thread[THREADS];
    int count = 0;
    atomic_store(&v->running, THREADS);
    while (count < THREADS && pthread_create(&thread[count], NULL, run[count], v) == 0)
        count++;
    atomic_fetch_sub(&v->running, THREADS - count);
    if (count == THREADS) {
        if (!ends_at_once(v, ends)) {
            invite(v, port);
            sigwaitinfo(ends, NULL);
        }
    } else
        atomic_store(&v->status, CLI_FAILED);
    atomic_store(&v->ending, true);
    sigset_t again; // a second Ctrl-C ends at once; the signal of view_end() must not
    sigemptyset(&again);
    sigaddset(&again, SIGINT);
    pthread_sigmask(SIG_UNBLOCK, &again, NULL);
    view_command(v, &(Command){.kind = DO_END});
    box_put(&v->recordings, &(Recording){0}, NULL);
    pthread_mutex_lock(&v->mutex);
    pthread_cond_signal(&v->changed);
    pthread_mutex_unlock(&v->mutex);
    lws_cancel_service(v->server);
    if (!all_end(v)) {
        view_remove_folder(v);
        _exit(atomic_load(&v->status));
    }
    for (int i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
    drop_rest(v);
    return atomic_load(&v->status);
}

static int perform(View *v) {
    swError error;
    int port = 0, status = CLI_USAGE;
    fill_streams();
    sigset_t ends; // this thread waits for these, so that everything is cleaned up
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP); // its terminal was closed
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    sw_error_clear(&error);
    if (!token_make(v->options.port, v->token, &error) || !view_create_folder(v, &error))
        return cli_fail(&error);
    bool ok = open_first(v, &error) && server_create(v, &port, &error);
    if (ok) {
        if (strcmp(v->options.host, "127.0.0.1") != 0)
            cli_say("warning: others on the network who have the page's address (with that of this "
                    "machine in it) can use the page, and read the files that it can read");
        status = serve(v, port, &ends);
        server_destroy(v);
    } else
        status = cli_fail(&error);
    view_open_cancel(v);
    view_remove_folder(v);
    return status;
}

int cmd_view(int argc, char **argv) {
    View v = {.options = {.host = "127.0.0.1", .threads = 1, .character.follow = NAN}};
    ViewOptions *o = &v.options;
    const Option options[] = {
        {"port", "N", OPTION_INT, &o->port, 0, 65535,
         .help = "serve on this port (default: any free one), with the same page\n"
                 "address every time, so that an open page finds the server again"},
        {"host", "ADDRESS", OPTION_TEXT, &o->host,
         .help = "serve on this address (default 127.0.0.1); others on the network\n"
                 "who have the page's address can then use it"},
        {"no-browser", NULL, OPTION_FLAG, &o->no_browser, .help = "do not open a browser"},
        {"paused", NULL, OPTION_FLAG, &o->paused, .help = "start paused"},
        {"threads", "N", OPTION_INT, &o->threads, 1, 256,
         .help = "worker threads (default 1); results do not depend on them"},
        {"no-cache", NULL, OPTION_FLAG, &o->no_cache,
         .help = "always compile, and keep nothing in the cache"},
        CHARACTER_OPTIONS(&o->character),
    };
    const Usage usage = {
        "view",
        "[SCENE] [options]",
        "Simulates SCENE in real time on a page in the browser, where you can look around, pull\n"
        "bodies and change settings. SCENE is a scene file (.json); a surface mesh, a tetrahedral\n"
        "mesh or a volume, which falls onto a plane; a character (.glb, .gltf) or motion capture\n"
        "(.bvh); a saved model; or a recording (.swr). Without it the page shows the examples.\n"
        "Ctrl-C ends the command.\n",
        "SCENE: a scene, a mesh, a volume, a character, a saved model or a recording",
        options,
        SW_COUNT(options),
        "  sinew view\n"
        "  sinew view examples/turtle.json\n"
        "  sinew view bunny.obj --paused\n"
        "  sinew view fox.glb --clip Run\n",
    };
    int status;
    if (!cli_options(&usage, argc, argv, &o->scene, &status))
        return status;
    if (!box_init(&v.commands, sizeof(Command)) || !box_init(&v.posts, sizeof(Post)) ||
        !box_init(&v.recordings, sizeof(Recording)) || pthread_mutex_init(&v.settings, NULL) != 0 ||
        pthread_mutex_init(&v.mutex, NULL) != 0 || pthread_cond_init(&v.changed, NULL) != 0) {
        cli_say("out of memory");
        return CLI_FAILED;
    }
    status = perform(&v);
    box_free(&v.commands);
    box_free(&v.posts);
    box_free(&v.recordings);
    pthread_mutex_destroy(&v.settings);
    pthread_mutex_destroy(&v.mutex);
    pthread_cond_destroy(&v.changed);
    return status;
}
