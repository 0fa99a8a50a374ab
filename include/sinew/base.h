// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define SW_API
#else
#define SW_API __attribute__((visibility("default")))
#endif

#if defined(__GNUC__)
#define SW_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define SW_PRINTF(at, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The floating-point type of the whole library: double precision.
typedef double swReal;

/// A point or a vector. Its unit is given wherever one is used.
typedef struct swVec3 {
    swReal x, y, z;
} swVec3;

/// A 3 x 3 matrix, stored row by row.
typedef struct swMat3 {
    swReal m[9];
} swMat3;

/// The result of a call. Zero is success.
typedef enum swStatus {
    SW_OK = 0,
    SW_ERROR_MEMORY,        ///< the allocator returned NULL
    SW_ERROR_FILE,          ///< a file could not be opened, read or written
    SW_ERROR_FORMAT,        ///< a file does not conform to its format
    SW_ERROR_VALUE,         ///< a parameter or key has a value that is not allowed
    SW_ERROR_GEOMETRY,      ///< a shape is empty, or a region selects nothing
    SW_ERROR_LIMIT,         ///< the request exceeds a documented limit
    SW_ERROR_UNSUPPORTED,   ///< the request is valid, but this build cannot serve it
    SW_ERROR_NOT_CONVERGED, ///< a solve stopped before it reached its tolerance
    SW_ERROR_NOT_FINITE,    ///< a number became infinite or NaN
    SW_ERROR_STOPPED        ///< a callback asked to stop
} swStatus;

enum { SW_ERROR_MESSAGE = 512, SW_ERROR_PATH = 256 };

/// Why a call failed. The caller owns it and passes a pointer to it, or NULL if the reason does not
/// matter; calls that fail fill it in.
typedef struct swError {
    swStatus code;
    int line, column;               ///< position in the file, from 1; 0 if there is none
    char path[SW_ERROR_PATH];       ///< the file concerned, or ""
    char message[SW_ERROR_MESSAGE]; ///< one sentence: what was expected, and what was found
} swError;

/// The source of all memory. `resize(context, NULL, 0, n)` allocates n bytes, aligned to at least
/// 16, and returns NULL on failure; `resize(context, p, size, 0)` frees the block p of that size.
/// sw_compile() may call it from several threads, but never from two at once; all other calls use
/// it only on the thread that called the library.
typedef struct swAllocator {
    void *(*resize)(void *context, void *old, size_t old_size, size_t new_size);
    void *context; ///< passed to resize; must outlive every object made with this allocator
} swAllocator;

/// A warning says that something in the input was not as it should be, and how it was handled.
typedef enum swLogLevel { SW_LOG_INFO, SW_LOG_WARNING } swLogLevel;

/// Options for a scene and every object made from it. Objects keep a copy. Start from
/// sw_default_config().
typedef struct swConfig {
    swAllocator allocator;
    /// Receives information and warnings, one line per call, without a newline. NULL: no log.
    void (*log)(void *context, swLogLevel level, const char *message);
    void *log_context; ///< passed to log
    /// Reports progress and lets the program stop long work. It is called on the thread that called
    /// the library: between the stages of a compile, between the increments of a static analysis,
    /// and about ten times a second within these, within modal analyses, and within steps (where
    /// `stage` is "step"). `share` is the fraction of the work done, from 0 to 1. Return false to
    /// stop. NULL: never called.
    bool (*progress)(void *context, const char *stage, double share);
    void *progress_context; ///< passed to progress
    int threads; ///< number of threads, including the caller's; 1 by default, at most 64 are used.
                 ///< Each compile and each state has its own. Results do not depend on it
} swConfig;

/// Formats an error for people as "file:line:column: message". Writes at most `size` bytes,
/// including the terminating zero, to `text`, and returns `text`.
SW_API const char *sw_error_text(const swError *error, char *text, size_t size);
/// Describes a status in a word or two. Returns static text, never NULL.
SW_API const char *sw_status_text(swStatus status);
/// The C library's allocator, no log, no progress callback, one thread.
SW_API swConfig sw_default_config(void);
/// The version of the library, such as "0.1.0". Returns static text.
SW_API const char *sw_version(void);

#ifdef __cplusplus
}
#endif
