// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Arrays of the state of a body: SW_FIELD(type, name, count), counts in terms of swBodySizes.
// The struct, its allocation, copy, reset, saving, loading and hash expand from this list.
SW_FIELD(swReal, q, nq)                          // node matrices, see model.h
SW_FIELD(swReal, v, nq)                          // their rates [1/s]
SW_FIELD(swTouch, touch, SW_TOUCHES *ncontact)   // of each contact point: what it touched in the last step
SW_FIELD(swReal, handle_wrench, 6 * nhandle)     // force [N] and torque [N m] of each handle on its body
SW_FIELD(swVec3, bulk_velocity, nbulk_point)      // of the points of bulk [m/s]
SW_FIELD(swReal, activation, ncontrol)           // shares in the last step: of materials' fibres, of muscles, of rest shapes
SW_FIELD(swReal, activation_set, ncontrol)       // what the program asks for; not-a-number: by keys
SW_FIELD(swInsertInfo, insert, ninsert)          // frames that are inserted, by slot
SW_FIELD(swHandlePlace, handle_place, nhandle)
SW_FIELD(swReal, q_past, npast)                  // q a step before, for integrators that look back
SW_FIELD(swReal, v_past, npast)
SW_FIELD(swVec3, bulk_past, nbulk_past)          // places of the points of bulk
SW_FIELD(swVec3, bulk_velocity_past, nbulk_past)
SW_FIELD(int64_t, remembered, npast > 0)         // whether there is a step before
SW_FIELD(swReal, lead, nlead)                    // of particles: from where inertia led to where the last step did
SW_FIELD(swReal, plastic, nplastic)              // of samples that can flow, see material/plasticity.h
SW_FIELD(swReal, relax, nrelax)                  // amplitudes of relaxed strains, see kinematics/relax.h
SW_FIELD(swReal, relax_past, npast > 0 ? nrelax : 0)
SW_FIELD(swBodyRest, rest, 1)                     // whether it rests, and how long
SW_FIELD(swReal, keeping, SW_KEEPING)              // of integrators that keep energy, see sim/balance.c
