// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A model on its way: bodies, each compiled by a builder of its own (compile/build.h), and what is
// around them.
#pragma once

#include "compile/build.h"
#include "compile/torn.h"
#include "model/model.h"

typedef struct swModelBuild {
    const swScene *scene;
    const swConfig *config;
    swArena arena;
    swPool *pool;
    swReal time; // cuts up to this time are made [s]
    int ntorn;   // bodies that are torn
    const swTornBody *torn;
    int nbody, ncompiled;
    const swBody **def;   // of each body
    int *compiled;        // what each body is made of
    int *first;           // of each compiled one: the first body that is made of it
    swBodyModel **model;  // compiled ones, as far as they are done
    bool given;           // they belong to the model
    SW_LIST(int) jointed; // of ends of joints: joint, end, embedded point
    SW_LIST(int) found;   // of probes: probe and embedded point of its body, one after the other
#define SW_FIELD(type, name, count) SW_LIST(type) name;
#include "model/model_fields.inl"
} swModelBuild;

// Adds text to the model's names; its offset, or -1 without memory.
int sw_build_word(swModelBuild *w, const char *text, swError *error);
bool sw_build_colliders(swModelBuild *w, swError *error);
// Embeds the probes of all bodies that are made of this one; and lists them, when all are.
bool sw_build_probes(swModelBuild *w, swBuilder *b, const swBodyBuild *body, swError *error);
bool sw_build_probe_list(swModelBuild *w, swError *error);
// The same of joints.
bool sw_build_joints(swModelBuild *w, swBuilder *b, const swBodyBuild *body, swError *error);
bool sw_build_joint_list(swModelBuild *w, swError *error);
