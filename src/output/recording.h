// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Recordings (.swr): a model and its motion in one file, which needs no scene.
#pragma once

#include "output/clip.h"

typedef struct swRecording {
    swModel *model;
    swClip clip; // at least one key
} swRecording;

bool sw_recording_save(const swClip *clip, const char *path, swError *error);
// `config` may be NULL. On failure there is nothing to free.
bool sw_recording_load(swRecording *recording, const char *path, const swConfig *config,
                       swError *error);
void sw_recording_free(swRecording *recording);
