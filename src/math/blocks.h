// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A symmetric matrix stored by blocks. Only the nonzero blocks of the lower triangle are kept, each
// row-major. In a block on the diagonal only the lower triangle is used.
#pragma once

#include "core/core.h"

// The blocks that exist: row i has the columns column[row[i]] .. column[row[i + 1] - 1] in
// ascending order; the last one is i itself.
typedef struct swPattern {
    int n;
    const int *row, *column;
} swPattern;

typedef struct swBlocks {
    swPattern pattern;
    const int *start;  // n + 1: first entry of each row of blocks in a vector
    const int64_t *at; // where each block begins in `value`
    int64_t count;     // number of entries in all blocks
    swReal *value;
    const int *turn; // of rows: when they are eliminated, lower ones earlier; NULL: at any time
} swBlocks;

// One block; entry (r, c) is data[r * stride + c].
typedef struct swBlock {
    swReal *data;
    int stride;
} swBlock;

// Makes the pattern in which every two members of a set share a block. The members of set s of
// nset, rows below n, are member[start[s]] .. member[start[s + 1] - 1].
bool sw_pattern_of_sets(swPattern *out, int n, int nset, const int *start, const int *member,
                        swArena *arena, swError *error);
// size[i]: number of scalar rows in row i of blocks, possibly 0. The pattern is kept, not copied.
bool sw_blocks_create(swBlocks *blocks, swPattern pattern, const int *size, swArena *arena,
                      swError *error);
void sw_blocks_clear(const swBlocks *blocks);
// The index of block (i, j), i >= j, or -1 if it does not exist.
int sw_pattern_find(const swPattern *pattern, int i, int j);
static inline int sw_blocks_size(const swBlocks *b, int i) { return b->start[i + 1] - b->start[i]; }
static inline int sw_blocks_rows(const swBlocks *b) { return b->start[b->pattern.n]; }
// Block number k, which lies in column j.
static inline swBlock sw_blocks_item(const swBlocks *b, int k, int j) {
    return (swBlock){b->value + b->at[k], sw_blocks_size(b, j)};
}
// Block (i, j), i >= j, which must exist.
swBlock sw_blocks_get(const swBlocks *blocks, int i, int j);
// y := A x
void sw_blocks_multiply(const swBlocks *A, const swReal *x, swReal *y);
void sw_blocks_diagonal(const swBlocks *A, swReal *out);
// Whether all entries off the diagonal are zero, as in the mass matrix of vertices.
bool sw_blocks_is_diagonal(const swBlocks *A);
// A += diag(x)
void sw_blocks_add_diagonal(const swBlocks *A, const swReal *x);
// Writes the full matrix, both triangles, with row stride `stride`.
void sw_blocks_unpack(const swBlocks *A, swReal *out, int stride);
