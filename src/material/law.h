// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Constitutive laws. A law is one file that ends in one `const swLaw`, and one line in the table of
// law.c. It only knows deformation gradients, not nodes.
#pragma once

#include "core/core.h"
#include "core/simd.h"
#include "math/tangent.h"
#include "sinew/scene.h"

// Data come in blocks of SW_LANES samples, entry by entry: F and P are [block][9][SW_LANES] (entry
// 3 r + k), energies [block][SW_LANES], and tangents [block][SW_TANGENT][SW_LANES] in the layout of
// math/tangent.h.
enum { SW_LAW_COEFFICIENTS = SW_MATERIAL_PARAMS }; // as many as a compiled model stores

// An energy density above this counts as infinite, so that neither derivatives nor their squares
// overflow.
#define SW_LAW_ENERGY_LIMIT 1e60

typedef struct swLawParam {
    const char *name, *unit, *doc;
    swReal lo, hi; // allowed range, ends included
} swLawParam;

// The strain in which a law is linear, if any: psi = mu e:e + lambda/2 (tr e)^2.
typedef enum swStrain {
    SW_STRAIN_NONE,
    SW_STRAIN_SMALL, // (F + F^T)/2 - I
    SW_STRAIN_GREEN, // (F^T F - I)/2
} swStrain;

typedef struct swLaw {
    const char *name, *doc;
    int nparam;
    swLawParam param[SW_MATERIAL_PARAMS];
    bool objective;       // psi(R F) = psi(F) for any rotation R
    bool isotropic;       // psi(F R) = psi(F): the tangent splits in the singular basis of F
    bool takes_inversion; // finite energy and stress for det F <= 0; else infinite energy there
    bool hookean;         // Hooke's law except for rotations: mu and lambda define it fully
    swStrain strain;
    // What was expected of the constants together, or NULL if they are valid; each is within its
    // range already. May be NULL.
    const char *(*check)(const swMaterial *material);
    // Computes the coefficients for evaluate() from a checked description.
    void (*prepare)(const swMaterial *material, swReal coefficient[SW_LAW_COEFFICIENTS]);
    // psi [J/m^3], P = dpsi/dF and C = dP/dF; each may be NULL.
    void (*evaluate)(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C);
} swLaw;

const swLaw *sw_law_find(const char *name); // NULL if there is none
const swLaw *sw_law_at(int index);          // NULL past the last one

// mu and lambda of Hooke's law at rest, determined from the tangent there. For an anisotropic law,
// those of the nearest isotropic one (Voigt's mean over all directions).
void sw_law_rest(const swLaw *law, const swReal *coefficient, swReal lame[2]);

typedef enum swProjection { SW_PROJECT_NONE, SW_PROJECT_CLAMP, SW_PROJECT_ABSOLUTE } swProjection;
// Makes each tangent positive semi-definite: negative eigenvalues become zero, or their absolute
// value. In the singular basis of F the tangent of an isotropic law splits into one 3 x 3 and three
// 2 x 2 blocks; for any other law all nine eigenvalues are computed.
void sw_law_project(bool isotropic, swProjection projection, int nblock, const swReal *F,
                    swReal *C);
