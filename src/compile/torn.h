// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies of tetrahedra that are torn, see docs/fracture.md.
#pragma once

#include "compile/build.h"

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
