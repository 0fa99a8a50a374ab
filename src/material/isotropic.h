// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Shared by laws that have a shear modulus and a bulk modulus at rest.
#pragma once

#include "material/law.h"

// mu and lambda at rest, and the bulk modulus, computed from young and poisson.
void sw_law_rest_lame(const swMaterial *material, swReal lame[2]);
swReal sw_law_rest_bulk(const swMaterial *material);

// For laws whose first two parameters are mu and lambda: coefficient[0] = mu and coefficient[1] =
// lambda, as given or else the values at rest.
const char *sw_law_check_lame(const swMaterial *material);
void sw_law_prepare_lame(const swMaterial *material, swReal coefficient[SW_LAW_COEFFICIENTS]);
#define SW_LAME_PARAMS \
    {"mu", "Pa", "shear modulus; given together with lambda, it replaces young and poisson", 0, \
     INFINITY}, \
    { \
        "lambda", "Pa", "Lame's first constant", -INFINITY, INFINITY \
    }
#define SW_BULK_PARAM \
    { "bulk", "Pa", "bulk modulus; by default from young and poisson", 0, INFINITY }
