// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "math/vec.h"

// A node of a bounding volume tree over triangles, see geometry/bvh.h. The root comes first.
typedef struct swBoxNode {
    swVec3 lo, hi;
    int right;        // index of the right child; the left one follows its parent
    int first, count; // triangles of a leaf; count 0: an inner node
    int unused;       // in place of padding, which would be hashed
} swBoxNode;
