// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Constitutive laws. A law is one file ending in one `const swLaw`, and one line in the table of
// law.c. It knows deformation gradients, nothing of nodes.
#pragma once

#include "core/core.h"
#include "core/simd.h"
#include "math/tangent.h"
#include "sinew/scene.h"

// Blocks of SW_LANES samples, entry by entry: F and P are [block][9][SW_LANES] (entry 3 r + k),
// energies [block][SW_LANES], tangents [block][SW_TANGENT][SW_LANES]. The
// layout of tangents is in math/tangent.h.
enum { SW_LAW_COEFFICIENTS = SW_MATERIAL_PARAMS }; // as a compiled model keeps

// An energy density above it counts as infinite, so that neither derivatives nor their squares
// overflow.
#define SW_LAW_ENERGY_LIMIT 1e60

typedef struct swLawParam {
    const char *name, *unit, *doc;
    swReal lo, hi; // allowed, ends included
} swLawParam;

// The strain in which a law is linear, if there is one: psi = mu e:e + lambda/2 (tr e)^2.
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
    bool takes_inversion; // finite energy and stress where det F <= 0; else such a sample has
                          // infinite energy
    bool hookean;         // Hooke's law but for rotations: mu and lambda say all
    swStrain strain;
    // What the constants together should be and are not, or NULL; each is in its range. May be
    // NULL.
    const char *(*check)(const swMaterial *material);
    // From a checked description to what evaluate() wants.
    void (*prepare)(const swMaterial *material, swReal coefficient[SW_LAW_COEFFICIENTS]);
    // psi [J/m^3], P = dpsi/dF and C = dP/dF; each may be NULL.
    void (*evaluate)(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C);
} swLaw;

const swLaw *sw_law_find(const char *name); // NULL when there is none
const swLaw *sw_law_at(int index);          // NULL past the last one

// mu and lambda of Hooke's law at rest, read off the tangent there; of an anisotropic law the
// isotropic ones nearest to it (Voigt's mean over all directions).
void sw_law_rest(const swLaw *law, const swReal *coefficient, swReal lame[2]);

typedef enum swProjection { SW_PROJECT_NONE, SW_PROJECT_CLAMP, SW_PROJECT_ABSOLUTE } swProjection;
// Makes each tangent positive semi-definite: eigenvalues below zero become zero, or their absolute
// value. In the singular basis of F the tangent of an isotropic law splits into one 3 x 3 and three
// 2 x 2 blocks; that of any other needs all nine eigenvalues.
void sw_law_project(bool isotropic, swProjection projection, int nblock, const swReal *F,
                    swReal *C);
