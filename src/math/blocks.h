// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A symmetric matrix of which only some blocks are other than zero: those of the lower triangle are
// kept, each row by row. Of blocks on the diagonal the lower triangle counts.
#pragma once

#include "core/core.h"

// Which blocks there are: in row i the columns column[row[i]] .. column[row[i + 1] - 1], ascending;
// the last is i itself.
typedef struct swPattern {
    int n;
    const int *row, *column;
} swPattern;

typedef struct swBlocks {
    swPattern pattern;
    const int *start;  // n + 1: the first number of each row of blocks in a vector
    const int64_t *at; // of each block: where it begins in `value`
    int64_t count;     // numbers in all blocks
    swReal *value;
} swBlocks;

// One block: entry (r, c) is data[r * stride + c].
typedef struct swBlock {
    swReal *data;
    int stride;
} swBlock;

// Members of one of nset sets, member[start[s]] .. member[start[s + 1] - 1] of n rows, need a block
// each two.
bool sw_pattern_of_sets(swPattern *out, int n, int nset, const int *start, const int *member,
                        swArena *arena, swError *error);
// size[i]: rows of numbers in row i of blocks, which may be none. The pattern is kept, not copied.
bool sw_blocks_create(swBlocks *blocks, swPattern pattern, const int *size, swArena *arena,
                      swError *error);
void sw_blocks_clear(const swBlocks *blocks);
// The number of block (i, j), i >= j; -1: there is none.
int sw_pattern_find(const swPattern *pattern, int i, int j);
static inline int sw_blocks_size(const swBlocks *b, int i) { return b->start[i + 1] - b->start[i]; }
static inline int sw_blocks_rows(const swBlocks *b) { return b->start[b->pattern.n]; }
// Block number k, which is in column j.
static inline swBlock sw_blocks_item(const swBlocks *b, int k, int j) {
    return (swBlock){b->value + b->at[k], sw_blocks_size(b, j)};
}
// Block (i, j), i >= j, which must be there.
swBlock sw_blocks_get(const swBlocks *blocks, int i, int j);
// y := A x
void sw_blocks_multiply(const swBlocks *A, const swReal *x, swReal *y);
void sw_blocks_diagonal(const swBlocks *A, swReal *out);
// Whether nothing stands beside the diagonal, as in the mass of vertices.
bool sw_blocks_is_diagonal(const swBlocks *A);
// A += diag(x)
void sw_blocks_add_diagonal(const swBlocks *A, const swReal *x);
// The whole matrix, both triangles, with rows of `stride`.
void sw_blocks_unpack(const swBlocks *A, swReal *out, int stride);
