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

/// All of sinew computes in double precision.
typedef double swReal;

/// A point or a vector; its unit stands where it is used.
typedef struct swVec3 {
    swReal x, y, z;
} swVec3;

/// A 3 x 3 matrix, row by row.
typedef struct swMat3 {
    swReal m[9];
} swMat3;

/// What a call says of itself. Zero is success.
typedef enum swStatus {
    SW_OK = 0,
    SW_ERROR_MEMORY,        ///< the allocator returned NULL
    SW_ERROR_FILE,          ///< a file could not be opened, read or written
    SW_ERROR_FORMAT,        ///< a file is not what its format asks for
    SW_ERROR_VALUE,         ///< a parameter or key has a value it cannot have
    SW_ERROR_GEOMETRY,      ///< a shape is empty, or a region selects nothing
    SW_ERROR_LIMIT,         ///< the request is larger than a stated limit
    SW_ERROR_UNSUPPORTED,   ///< a valid request that this build cannot serve
    SW_ERROR_NOT_CONVERGED, ///< a solve stopped before its tolerance
    SW_ERROR_NOT_FINITE,    ///< a number became infinite or not-a-number
    SW_ERROR_STOPPED        ///< a callback asked to stop
} swStatus;

enum { SW_ERROR_MESSAGE = 512, SW_ERROR_PATH = 256 };

/// Filled by calls that fail; the caller owns it and may pass NULL.
typedef struct swError {
    swStatus code;
    int line, column;               ///< position in the file, from 1; 0 when it has none
    char path[SW_ERROR_PATH];       ///< the file concerned, or empty
    char message[SW_ERROR_MESSAGE]; ///< one sentence: what was expected, what was found
} swError;

/// Where memory comes from. `resize(ctx, NULL, 0, n)` allocates, `resize(ctx, p, old, 0)` frees.
/// Memory is aligned to 16 bytes at least. sw_compile() with several threads calls it from them,
/// one at a time; everything else only from the thread that calls sinew.
typedef struct swAllocator {
    void *(*resize)(void *context, void *old, size_t old_size, size_t new_size);
    void *context; ///< passed on to resize; must live as long as what is made with it
} swAllocator;

/// A warning tells that something was not as it should be, and what was made of it.
typedef enum swLogLevel { SW_LOG_INFO, SW_LOG_WARNING } swLogLevel;

/// Options shared by every object made from a scene. Copied; get one from sw_default_config().
typedef struct swConfig {
    swAllocator allocator;
    /// Receives information and warnings, one line each, without a newline. NULL: silence.
    void (*log)(void *context, swLogLevel level, const char *message);
    void *log_context;
    /// Called between the stages of a compile and the increments of a static analysis, and ten
    /// times a second or so within them, within the search for vibrations and within steps (for
    /// which `stage` is "step"), with the share done, from 0 to 1, by the thread that called the
    /// library; return false to stop. NULL: none.
    bool (*progress)(void *context, const char *stage, double share);
    void *progress_context;
    int threads; ///< threads to work with, the caller's included: 1 by default, at most 64 are
                 ///< used. A compile and every state have their own. Results do not depend on it.
} swConfig;

/// "file:line:column: message" for people, cut to `size`. Returns `text`.
SW_API const char *sw_error_text(const swError *error, char *text, size_t size);
/// A status in a word or two. Static text, never NULL.
SW_API const char *sw_status_text(swStatus status);
/// The C library's memory, no log, no progress, one thread.
SW_API swConfig sw_default_config(void);
/// "0.1.0". Static text.
SW_API const char *sw_version(void);

#ifdef __cplusplus
}
#endif
