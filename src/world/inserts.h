// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Inserted frames of a state: which they are stands in state->insert; what follows from that, the
// model that has them, in state->inserts.
#pragma once

#include "kinematics/derive.h"
#include "world/body.h"

typedef struct swInserts {
    swBump *bump[SW_INSERTS]; // by slot
    int order[SW_INSERTS];    // of each slot: its place among the bumps of `derived`, or -1
    bool met[SW_INSERTS * SW_INSERTS]; // whether slots i > j share mass, and that
    swReal cross[SW_INSERTS * SW_INSERTS][16];
    swDerived derived; // its model is the state's, where there is one
    swSpare spare;     // memory of the last one
    // Of the base model, while another is in use: going back cannot fail. The scratch memory is
    // that of islands.
    void *block;
    size_t block_size;
    swWork *work;
} swInserts;

void sw_inserts_destroy(swInserts *inserts, const swAllocator *allocator); // NULL is fine
bool sw_inserts_sane(const swBodyModel *base, const swInsertInfo *insert);
// Back to the base model; what the nodes and cells of the state hold is not kept.
void sw_inserts_end(swBodyState *state);

// A state on its way to other inserted frames. `next` is a state of its own, where everything has
// been carried over: new frames are at rest, and those that are gone have left nothing.
typedef struct swRefit {
    swBodyState next;
    swInserts *inserts;
} swRefit;
bool sw_refit_begin(swRefit *refit, swBodyState *state, const swInsertInfo *insert, swError *error);
// Numbers of nodes, as q and v are, from the state to `next`.
void sw_refit_carry(const swRefit *refit, const swBodyState *state, const swReal *from, swReal *to);
// `next` becomes the state; or nothing happens.
void sw_refit_commit(swRefit *refit, swBodyState *state);
void sw_refit_abandon(swRefit *refit, swBodyState *state);
// All of it. False with `error` filled, and nothing changed, where it cannot be.
bool sw_body_refit(swBodyState *state, const swInsertInfo *insert, swError *error);

// Room for what a state keeps of its present model, and its arrays in that.
size_t sw_body_state_bytes(const swBodyModel *model);
void sw_body_lay(swBodyState *state);
// At t = 0, with the frames that are inserted.
void sw_body_start(swBodyState *state);

int sw_insert_node(const swBodyState *state, int slot); // of its model
// Where a point of a body with a bed is, and F there; false: it is outside the body.
bool sw_body_position(const swBodyState *state, swVec3 rest, swVec3 *x, swMat3 *F);
// The same of the centre of an inserted frame.
void sw_insert_place(const swBodyState *state, int slot, swVec3 *x, swMat3 *F);
// A frame as the bed says, at a point of the body at rest. Its slot, or -1.
int sw_insert_at_rest(swBodyState *state, const swBed *bed, swVec3 rest, swError *error);
// As sw_frame_remove(), of one body and its own slots.
bool sw_body_remove(swBodyState *state, int slot, swInsertReport *report, swError *error);
