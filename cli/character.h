// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Characters on the command line: options that control how a character becomes a scene.
#pragma once

#include "cli.h"

typedef struct CharacterOptions {
    const char *clip;
    TextList soft;
    swReal follow; // NaN: not given
    swReal length; // 0: not given
    int repeat;    // 0: not given
} CharacterOptions;

// Rows for a table of options.
#define CHARACTER_OPTIONS(c) \
    {"clip", "NAME", OPTION_TEXT, &(c)->clip, \
     .help = "character: clip to play (default: the first); none: stand still"}, \
        {"soft", "PATTERN", OPTION_LIST, &(c)->soft, \
         .help = "character: bones that swing instead of following the clip, such as\n" \
                 "'*tail*' (default: tails and ears); none: all bones follow; may be\n" \
                 "repeated"}, \
        {"follow", \
         "HZ", \
         OPTION_REAL, \
         &(c)->follow, \
         0, \
         1000, \
         .help = "character: how fast swinging bones return to the clip: 2 is loose, 8\n" \
                 "tight (default 4); 0: they hang freely"}, \
        {"length", \
         "M", \
         OPTION_REAL, \
         &(c)->length, \
         1e-6, \
         1e6, \
         .help = "character: real length of its longest side [m] (default 1.5)"}, \
    { \
        "repeat", "N", OPTION_INT, &(c)->repeat, 1, 10000, \
            .help = "character: how often to play the clip; only the last time is written\n" \
                    "(default: 2 for clips that end as they begin, else 1)" \
    }

// Reads a scene. The options apply to characters only and are refused for other files.
swScene *character_read(const char *path, const CharacterOptions *options, const swConfig *config,
                        swError *error);
