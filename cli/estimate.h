// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Error estimates of bodies, as run and info report them.
#pragma once

#include "core/json.h"
#include "sinew/sinew.h"

// Asks for estimates of all bodies, as the options say.
void estimate_ask(swScene *scene, bool linear, bool large);
// Print a line that begins with `head` for a body with an estimate, and for each of its probes.
void estimate_print(const swModel *model, int body, const char *head);
void estimate_print_probes(const swModel *model, int body, const char *head);
// Writes the same as members of the JSON object that is open.
void estimate_put(const swModel *model, int body, const swEstimate *e, swJsonWriter *w);
