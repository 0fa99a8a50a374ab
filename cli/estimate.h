// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// How wrong bodies are, as run and info tell it.
#pragma once

#include "core/json.h"
#include "sinew/sinew.h"

// Of all bodies, by options.
void estimate_ask(swScene *scene, bool linear, bool large);
// A line that begins with `head` for each body that was asked for one, and for probes.
void estimate_print(const swModel *model, int body, const char *head);
void estimate_print_probes(const swModel *model, int body, const char *head);
// The same as numbers: members of the object that is open.
void estimate_put(const swModel *model, int body, const swEstimate *e, swJsonWriter *w);
