// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "cli.h"

#include "formats/image.h"
#include "formats/mesh.h"
#include "formats/rig_read.h"
#include "formats/tets.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- messages ----

static bool progress_shown;

void cli_progress(const char *format, ...) {
    static double last;
    const double now = sw_seconds();
    if (!format && progress_shown) {
        fputs("\r\033[K", stderr);
        progress_shown = false;
    }
    if (!format || now - last < 0.1 || !isatty(STDERR_FILENO))
        return;
    last = now;
    progress_shown = true;
    va_list args;
    va_start(args, format);
    fputc('\r', stderr);
    vfprintf(stderr, format, args);
    fputs("\033[K", stderr);
    va_end(args);
}

static void say(const char *format, va_list args) {
    cli_progress(NULL);
    fputs("sinew: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void cli_say(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

int cli_fail(const swError *error) {
    char text[SW_ERROR_MESSAGE + SW_ERROR_PATH + 32];
    cli_say("%s", sw_error_text(error, text, sizeof text));
    bool simulation = error->code == SW_ERROR_NOT_CONVERGED || error->code == SW_ERROR_NOT_FINITE ||
                      error->code == SW_ERROR_STOPPED;
    return simulation ? CLI_FAILED : CLI_USAGE;
}

int cli_usage(const char *command, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    fprintf(stderr, "See: sinew %s%s--help\n", command ? command : "", command ? " " : "");
    return CLI_USAGE;
}

static void log_line(void *context, swLogLevel level, const char *message) {
    const bool *quiet = context;
    if (level == SW_LOG_WARNING)
        cli_say("warning: %s", message);
    else if (!*quiet)
        cli_say("%s", message);
}

const char *cli_analysis_name(swAnalysis analysis) {
    static const char *const name[SW_ANALYSES] = {"dynamic", "static", "modal"};
    return name[analysis];
}

swConfig cli_config(int threads, bool quiet) {
    static const bool flag[2] = {false, true};
    swConfig config = sw_default_config();
    config.threads = threads;
    config.log = log_line;
    config.log_context = (void *)&flag[quiet];
    return config;
}

// ---- input ----

InputKind cli_input_kind(const char *path) {
    char head[16] = {0};
    struct stat info; // opening a pipe would wait for its other end
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    if (n == sizeof head && memcmp(head, "SINEW\r\n\x1a", 8) == 0)
        return memcmp(head + 8, "state", 5) == 0    ? INPUT_STATE
               : memcmp(head + 8, "record", 6) == 0 ? INPUT_RECORDING
                                                    : INPUT_MODEL;
    if (sw_text_has_suffix(path, ".swr"))
        return INPUT_RECORDING; // its reader reports what the file really is
    return sw_mesh_format(path) || sw_rig_format(path) ? INPUT_MESH
           : sw_tets_format(path)                      ? INPUT_TETS
           : sw_image_format(path)                     ? INPUT_VOLUME
                                                       : INPUT_SCENE;
}

// ---- output ----

bool cli_output_open(swFile *file, const char *path, swError *error) {
    if (strcmp(path, "-") != 0)
        return sw_file_open(file, path, error);
    *file = (swFile){.stream = stdout, .path = "-"};
    return true;
}

bool cli_output_close(swFile *file, swError *error) {
    if (file->stream != stdout)
        return sw_file_close(file, error);
    file->stream = NULL;
    if (fflush(stdout) != 0 || file->failed)
        return sw_fail_at(error, SW_ERROR_FILE, "standard output", 0, 0, "cannot write: %s",
                          strerror(errno));
    return true;
}

void cli_output_abandon(swFile *file) {
    if (file->stream && file->stream != stdout)
        sw_file_abandon(file);
    file->stream = NULL;
}

// Creates every missing folder of the path.
static bool make_folders(char *path, swError *error) {
    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            if (mkdir(path, 0777) != 0 && errno != EEXIST)
                return sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "cannot create this folder: %s",
                                  strerror(errno));
            *at = '/';
        }
    return true;
}

bool cli_output_prepare(const char *path, swError *error) {
    char copy[1024];
    struct stat info;
    if (strcmp(path, "-") == 0)
        return true;
    if (strlen(path) >= sizeof copy)
        return sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "the path is longer than %d bytes",
                          (int)sizeof copy - 1);
    strcpy(copy, path);
    if (!make_folders(copy, error))
        return false;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "cannot write: it is a folder");
    char *slash = strrchr(copy, '/');
    if (slash)
        slash[slash == copy] = 0;
    const char *folder = slash ? copy : ".";
    if (access(folder, W_OK) != 0)
        return sw_fail_at(error, SW_ERROR_FILE, path, 0, 0, "cannot write to the folder %s: %s",
                          folder, strerror(errno));
    return true;
}
