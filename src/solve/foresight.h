// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Newton's method with pressures that are foreseen (potentials/volumes.h): a few steps where energy
// alone would allow tens of short ones. What is minimised then is the energy less a gap, which
// changes with the pressures.
#pragma once

#include "solve/island.h"

// Whether some body has pressures, and none anything that does not go with it.
bool sw_foresight_applies(const swIsland *island);
// Pressures are at first those of where the step began.
void sw_foresight_begin(const swIsland *island);
// `back`: to where the search began.
void sw_foresight_end(const swIsland *island, bool back);
// What is lacking of the energy, where it was evaluated last [J].
swReal sw_foresight_gap(const swIsland *island);
// Pressures go to the end of work->step; value's energy and its slope are then with these.
void sw_foresight_move(const swIsland *island, swValue *value, swReal *slope);
