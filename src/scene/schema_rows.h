// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Macros for the rows of the tables of keys.
#pragma once

#include "scene/schema.h"

#include <math.h>

#define TABLE(fields) .field = fields, .count = SW_COUNT(fields)
#define AT(type, member) .offset = offsetof(type, member)
#define NAMES(...) \
    .names = (const char *const[]) { __VA_ARGS__, NULL }
#define ABOVE(a) .range = {SW_ABOVE, a, 0}
#define AT_LEAST(a) .range = {SW_AT_LEAST, a, 0}
#define BETWEEN(a, b) .range = {SW_BETWEEN, a, b}
#define FROM_TO(a, b) .range = {SW_FROM_TO, a, b}
#define UP_TO(n) .range = {SW_FROM_TO, 0, n}
#define NOT_ZERO .range = {SW_NONZERO, 0, 0}
#define NOT_EMPTY .range = {SW_AT_LEAST, 1, 0}
#define REQUIRED .required = true
#define EITHER .either = 1
#define MODEL .either = SW_EITHER_MODEL
