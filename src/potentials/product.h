// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The stiffness of particles times a vector, without its matrix and in single precision: for
// conjugate gradients, whose residual is looked at in double precision afterwards. What it costs is
// to read the gradients of all shape functions.
#pragma once

#include "potentials/particles.h"

// The gradient of a shape function at a Gauss point, and the vertex that it is of.
typedef struct swSlope {
    float g[3];
    int vertex;
} swSlope;

typedef struct swProduct {
    int64_t *first; // of each Gauss point, in `slope`
    swSlope *slope;
    float *point; // blocks of Gauss points: R^T and stiffness, side by side
    float *x, *y; // 4 per vertex, one of them spare; one vertex to spare
    float *slab;  // sums over vertices
} swProduct;

bool sw_product_create(swProduct *product, const swBodyModel *model, swArena *arena,
                       swError *error);
// Takes the rotations that `work` has, and the damping.
void sw_product_prepare(const swProduct *product, const swBodyModel *model,
                        const swParticleWork *work, const struct swElasticInput *input);
// y := H x, damping included, over the model's particles: product->x and product->y.
void sw_product_apply(const swProduct *product, const swBodyModel *model, swPool *pool);
