// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Points and positive weights that integrate polynomials over a region exactly.
//
// The region's measure is that of its voxels, each of which is eight equal points, one root of its
// second moments away from its centroid along every axis: for a box these are the points of Gauss,
// exact to degree three. So the measure is a finite sum, and a rule on some of its points exists
// for every degree.
#pragma once

#include "cubature/fit.h"
#include "cubature/polynomial.h"
#include "volume/grid.h"

enum { SW_RULE_DEGREE = SW_POLY_DEGREE, SW_RULE_POINTS = SW_POLY_SIZE };

typedef struct swRule {
    int degree; // what it reached; 2 where more was asked for, but not found
    int n;
    swVec3 *point;  // room for sw_rule_size()
    swReal *weight; // add up to the measure of the region
} swRule;

typedef struct swRuleWork swRuleWork; // scratch of one worker

// Points that a rule takes at most: 1, 8, 20, 35, 56, ...; degrees are 1 to SW_RULE_DEGREE.
int sw_rule_size(int degree);
// NULL without memory.
swRuleWork *sw_rule_work(int degree, swArena *arena, swError *error);
// `measure` is per voxel of the grid and positive.
void sw_rule_create(swRule *rule, int degree, const swGrid *grid, int n, const int *voxel,
                    const swReal *measure, swRuleWork *work);
// Values pattern[k][point], SW_PATTERNS of them at most, orthonormal in the mean over the rule's
// points, and to all functions of the fit. Returns how many.
enum { SW_PATTERNS = 16 };
int sw_rule_patterns(const swRule *rule, const swFit *fit, swReal (*pattern)[SW_RULE_POINTS]);
