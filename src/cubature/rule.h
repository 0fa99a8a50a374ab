// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Points and positive weights that integrate polynomials over a region exactly.
//
// The measure of a region is that of its voxels. Each voxel counts as eight equal points, offset
// from its centroid by the root of its second moments along every axis; for a box these are the
// Gauss points, exact to degree three. So the measure is a finite sum, and for every degree there
// is a rule on a subset of its points.
#pragma once

#include "cubature/fit.h"
#include "cubature/polynomial.h"
#include "volume/grid.h"

enum { SW_RULE_DEGREE = SW_POLY_DEGREE, SW_RULE_POINTS = SW_POLY_SIZE };

typedef struct swRule {
    int degree; // degree reached; 2 if more was requested but not found
    int n;
    swVec3 *point;  // room for sw_rule_size()
    swReal *weight; // their sum is the measure of the region
} swRule;

typedef struct swRuleWork swRuleWork; // scratch memory of one worker

// Maximum number of points of a rule: 1, 8, 20, 35, 56, ... for degrees 1 to SW_RULE_DEGREE.
int sw_rule_size(int degree);
// NULL if memory runs out.
swRuleWork *sw_rule_work(int degree, swArena *arena, swError *error);
// `measure` is per voxel of the grid, and positive.
void sw_rule_create(swRule *rule, int degree, const swGrid *grid, int n, const int *voxel,
                    const swReal *measure, swRuleWork *work);
// Values pattern[k][point] of at most SW_PATTERNS patterns, orthonormal in the mean over the points
// of the rule, and orthogonal to all functions of the fit. Returns how many.
enum { SW_PATTERNS = 16 };
int sw_rule_patterns(const swRule *rule, const swFit *fit, swReal (*pattern)[SW_RULE_POINTS]);
