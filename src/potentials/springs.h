// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Mass-spring nets: springs between vertices, and what central forces cannot do, in cells.
//
// A spring of length l = |x_a - x_b| has the energy
//   k/2 (l - rest)^2 + last/2 k (l - l_last)^2 + before/2 k (l - l_before)^2,
// the latter two its damping over a step (see swRates): forces along the spring against the rate of
// its length, so that rigid motion is not damped. Lengths are rounded near zero.
//
// Springs alone have equal Lame constants. A cell adds excess = (lambda - mu) times its volume:
//   excess/2 (J - 1)^2, J = det F, where that is positive; it is damped alike;
//   3/2 excess (|F| - sqrt 3)^2 where it is negative: the same for small strains, and less than
//   the springs have everywhere.
// F is that in the middle of the cell, sum_k x_k slope_k^T.
#pragma once

#include "math/blocks.h"
#include "model/body.h"

// Of some items with `width` vertices each: those at a node, as width * item + place.
typedef struct swRing {
    int *start; // of each node
    int *item;
} swRing;

typedef struct swSpringWork {
    swReal *spring;   // [block of a net's springs][9][SW_LANES]: force on node[0], stiffness
    swReal *cell;     // of each cell, see springs.c
    swReal *energy;   // of blocks of springs, or of cells, of one net
    int *spring_pair; // of the nodes of each spring
    int *cell_pair;   // [cell][36], of its vertices
    int *diagonal;    // pair of each node with itself
    swRing springs, cells;
} swSpringWork;

struct swElasticInput;
struct swSystem;
// For all nets of the model. With room for H where `step`.
bool sw_springs_create(swSpringWork *work, const swBodyModel *model, swArena *arena,
                       swError *error);
void sw_springs_add(const swBodyModel *model, const swSpringWork *work, swPool *pool,
                    const struct swElasticInput *input, struct swSystem *out);
// Which of n items around each node; `node(item, place)` is read from rows of `stride` ints.
bool sw_ring_create(swRing *ring, int64_t nnode, int64_t n, int width, const int *node,
                    size_t stride, swArena *arena, swError *error);
