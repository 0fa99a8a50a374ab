// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "volume/distance.h"

// Places `count` frames by farthest-point sampling and Lloyd relaxation in geodesic distance, away
// from `nfixed` sources that stay. Positions are inside the material.
bool sw_frames_place(const swLattice *lattice, int nfixed, const swSource *fixed, int count,
                     swArena *arena, swVec3 *at, swError *error);
