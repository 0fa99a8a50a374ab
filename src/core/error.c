// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "core/core.h"

#include <stdlib.h>
#include <string.h>

#ifndef SW_VERSION
#define SW_VERSION "0.0.0"
#endif

void sw_assert_fail(const char *expression, const char *file, int line) {
    fprintf(stderr, "sinew: assertion failed: %s (%s:%d)\n", expression, file, line);
    abort();
}

const char *sw_version(void) { return SW_VERSION; }

const char *sw_status_text(swStatus status) {
    switch (status) {
    case SW_OK: return "success";
    case SW_ERROR_MEMORY: return "out of memory";
    case SW_ERROR_FILE: return "file error";
    case SW_ERROR_FORMAT: return "malformed file";
    case SW_ERROR_VALUE: return "bad value";
    case SW_ERROR_GEOMETRY: return "bad geometry";
    case SW_ERROR_LIMIT: return "too large";
    case SW_ERROR_UNSUPPORTED: return "not supported";
    case SW_ERROR_NOT_CONVERGED: return "not converged";
    case SW_ERROR_NOT_FINITE: return "not finite";
    case SW_ERROR_STOPPED: return "stopped";
    }
    return "unknown status";
}

const char *sw_error_text(const swError *error, char *text, size_t size) {
    const char *message = error->message[0] ? error->message : sw_status_text(error->code);
    if (error->path[0] && error->line > 0 && error->column > 0)
        snprintf(text, size, "%s:%d:%d: %s", error->path, error->line, error->column, message);
    else if (error->path[0] && error->line > 0)
        snprintf(text, size, "%s:%d: %s", error->path, error->line, message);
    else if (error->path[0])
        snprintf(text, size, "%s: %s", error->path, message);
    else
        snprintf(text, size, "%s", message);
    return text;
}

bool sw_fail_stopped(swError *error) { return sw_fail(error, SW_ERROR_STOPPED, "stopped"); }

void sw_error_clear(swError *error) {
    if (error)
        memset(error, 0, sizeof *error);
}

static void fill(swError *error, swStatus code, const char *path, int line, int column,
                 const char *format, va_list args) {
    if (!error)
        return;
    error->code = code;
    error->line = line;
    error->column = column;
    snprintf(error->path, sizeof error->path, "%s", path ? path : "");
    vsnprintf(error->message, sizeof error->message, format, args);
}

bool sw_fail(swError *error, swStatus code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fill(error, code, NULL, 0, 0, format, args);
    va_end(args);
    return false;
}

bool sw_fail_at(swError *error, swStatus code, const char *path, int line, int column,
                const char *format, ...) {
    va_list args;
    va_start(args, format);
    fill(error, code, path, line, column, format, args);
    va_end(args);
    return false;
}

bool sw_fail_memory(swError *error, size_t bytes) {
    return sw_fail(error, SW_ERROR_MEMORY, "not enough memory for %.3g MB", (double)bytes / 1e6);
}

static void log_line(const swConfig *config, swLogLevel level, const char *format, va_list args) {
    if (!config || !config->log)
        return;
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    config->log(config->log_context, level, text);
}

void sw_info(const swConfig *config, const char *format, ...) {
    va_list args;
    va_start(args, format);
    log_line(config, SW_LOG_INFO, format, args);
    va_end(args);
}

void sw_warn(const swConfig *config, const char *format, ...) {
    va_list args;
    va_start(args, format);
    log_line(config, SW_LOG_WARNING, format, args);
    va_end(args);
}

bool sw_progress(const swConfig *config, const char *stage, double share) {
    return !config || !config->progress || config->progress(config->progress_context, stage, share);
}
