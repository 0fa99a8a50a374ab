// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// All potentials there are.
#include "potentials/potential.h"

extern const swPotential sw_potential_loads, sw_potential_pulls, sw_potential_holds,
    sw_potential_muscles, sw_potential_pressure, sw_potential_samples, sw_potential_springs,
    sw_potential_lines, sw_potential_reduced, sw_potential_particles, sw_potential_contact,
    sw_potential_bulk, sw_potential_inertia, sw_potential_damping, sw_potential_joints;

static const swPotential *const table[] = {
    &sw_potential_loads,    &sw_potential_pulls,     &sw_potential_holds,   &sw_potential_muscles,
    &sw_potential_pressure, &sw_potential_samples,   &sw_potential_springs, &sw_potential_lines,
    &sw_potential_reduced,  &sw_potential_particles, &sw_potential_contact, &sw_potential_bulk,
    &sw_potential_inertia,  &sw_potential_damping,   &sw_potential_joints,
};
_Static_assert(SW_COUNT(table) <= SW_POTENTIALS, "room for all of them");

const swPotential *sw_potential_at(int index) {
    return index >= 0 && index < SW_COUNT(table) ? table[index] : NULL;
}
