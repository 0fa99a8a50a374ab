// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Arrays of the state of a body: SW_FIELD(type, name, count), with counts in terms of swBodySizes. The struct, its allocation, copying,
// reset, saving, loading and hashing all expand from this list.
SW_FIELD(swReal, q, nq)                          // node matrices, see body.h
SW_FIELD(swReal, v, nq)                          // their rates [1/s]
SW_FIELD(swTouch, touch, SW_TOUCHES *ncontact)   // for each contact point: what it touched in the last step
SW_FIELD(swReal, handle_wrench, 6 * nhandle)     // force [N] and torque [N m] of each handle on its body
SW_FIELD(swVec3, bulk_velocity, nbulk_point)      // of the bulk points [m/s]
SW_FIELD(swReal, activation, ncontrol)           // shares in the last step: of materials' fibres, of muscles, of rest shapes
SW_FIELD(swReal, activation_set, ncontrol)       // shares set by the program; not-a-number: keys apply
SW_FIELD(swInsertInfo, insert, ninsert)          // inserted frames, by slot
SW_FIELD(swHandlePlace, handle_place, nhandle)
SW_FIELD(swReal, q_past, npast)                  // q one step earlier, for multistep integrators
SW_FIELD(swReal, v_past, npast)
SW_FIELD(swVec3, bulk_past, nbulk_past)          // positions of the bulk points
SW_FIELD(swVec3, bulk_velocity_past, nbulk_past)
SW_FIELD(int64_t, remembered, npast > 0)         // whether there is an earlier step
SW_FIELD(swReal, lead, nlead)                    // for particles: the offset of the last step's end from where inertia alone led
SW_FIELD(swReal, plastic, nplastic)              // for samples that can flow, see material/plasticity.h
SW_FIELD(swReal, relax, nrelax)                  // amplitudes of relaxed strains, see kinematics/relax.h
SW_FIELD(swReal, relax_past, npast > 0 ? nrelax : 0)
SW_FIELD(swBodyRest, rest, 1)                     // whether it rests, and for how long
SW_FIELD(swReal, keeping, SW_KEEPING)              // for integrators that keep energy, see world/balance.c
