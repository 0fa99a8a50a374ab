// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What laws with Lame's constants share.
#pragma once

#include "material/law.h"

// mu and lambda at rest, from young and poisson.
void sw_law_rest_lame(const swMaterial *material, swReal lame[2]);
// coefficient[0] = mu, coefficient[1] = lambda, from param[0], param[1] where given, else at rest.
void sw_law_prepare_lame(const swMaterial *material, swReal coefficient[SW_LAW_COEFFICIENTS]);
#define SW_LAME_PARAMS \
    {"mu", "Pa", "shear modulus; with lambda, instead of young and poisson", 0, INFINITY}, { \
        "lambda", "Pa", "Lame's first constant", -INFINITY, INFINITY \
    }
#define SW_BULK_PARAM \
    { "bulk", "Pa", "bulk modulus; by default that of young and poisson", 0, INFINITY }
