// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies of tetrahedra that can tear: their surface is that of the tetrahedra, faces of cracks
// included, and the model keeps their mesh.
#pragma once

#include "compile/build.h"
#include "geometry/tets.h"

// The mesh of a body that is torn. New vertices come last; each was one of the whole body.
typedef struct swTornBody {
    int body;
    int nvertex, ntet;
    const swVec3 *X;
    const int *vertex, *root;
} swTornBody;

// As sw_compile_at(), with bodies that are torn.
swModel *sw_compile_torn(const swScene *scene, swReal t, int ntorn, const swTornBody *torn,
                         swError *error);
// The mesh of a compiled body that can tear, as body number `body`; what it points to belongs to
// the model and the arena. False without memory.
bool sw_torn_body(const swBodyModel *model, int body, swTornBody *out, swArena *arena,
                  swError *error);

// Says where a material can tear and its body cannot.
void sw_torn_warn(const swBuilder *b, const swBodyBuild *body);
// The mesh of a body that can tear: torn as it is, before vertices are held; and after that, kept
// in the model, its border as the body's surface.
bool sw_torn_mesh(swBuilder *b, swBodyBuild *body, swTetMesh *mesh, swError *error);
bool sw_torn_keep(swBuilder *b, swBodyBuild *body, const swTetMesh *mesh, swError *error);
