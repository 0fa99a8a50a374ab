// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Characters on the command line: options for how one is made into a scene.
#pragma once

#include "cli.h"

typedef struct CharacterOptions {
    const char *clip;
    TextList soft;
    swReal follow; // not-a-number: not given
    swReal length; // 0: not given
    int repeat;    // 0: not given
} CharacterOptions;

// Rows for a table of options.
#define CHARACTER_OPTIONS(c) \
    {"clip", "NAME", OPTION_TEXT, &(c)->clip, \
     .help = "of a character: play this motion (the first); none: stay"}, \
        {"soft", "PATTERN", OPTION_LIST, &(c)->soft, \
         .help = "of a character: bones that swing instead of following the clip, like\n" \
                 "'*tail*' (tails and ears); none: all follow it; may be given several\n" \
                 "times"}, \
        {"follow", \
         "HZ", \
         OPTION_REAL, \
         &(c)->follow, \
         0, \
         1000, \
         .help = "of a character: how fast bones that swing return to the clip: 2 is loose,\n" \
                 "8 tight (4); 0: they hang"}, \
        {"length", \
         "M", \
         OPTION_REAL, \
         &(c)->length, \
         1e-6, \
         1e6, \
         .help = "of a character: what its longest side is in nature [m] (1.5)"}, \
    { \
        "repeat", "N", OPTION_INT, &(c)->repeat, 1, 10000, \
            .help = "of a character: play the motion so often; the last time is written (2 for\n" \
                    "motions that end as they begin, else 1)" \
    }

// Reads a scene; the options are for characters alone, and refused elsewhere.
swScene *character_read(const char *path, const CharacterOptions *options, const swConfig *config,
                        swError *error);
