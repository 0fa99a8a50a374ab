// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "compile/torn.h"

// As sw_compile_at(), with bodies that are torn; frames.error goes by distances.
swModel *sw_compile_torn(const swScene *scene, swReal t, int ntorn, const swTornBody *torn,
                         swError *error);
