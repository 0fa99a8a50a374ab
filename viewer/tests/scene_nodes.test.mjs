// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { sameNode } from '../build-tests/scene_nodes.js';

/** A scene of so many nodes, of which some were inserted. */
const scene = (count, ...inserted) => ({
    nodes: Array.from({ length: count }, () => ({})),
    inserted: inserted.map(([slot, node]) => ({ slot, node })),
});

test('nodes are found again after others are inserted and removed before them', () => {
    const [none, one, two] = [scene(5), scene(6, [0, 2]), scene(7, [0, 2], [3, 6])];
    assert.deepEqual([0, 1, 2, 3, 4].map((i) => sameNode(none, one, i)), [0, 1, 3, 4, 5]);
    assert.deepEqual([0, 1, 3, 4, 5].map((i) => sameNode(one, none, i)), [0, 1, 2, 3, 4]);
    assert.deepEqual([0, 1, 3, 4, 5].map((i) => sameNode(one, two, i)), [0, 1, 3, 4, 5]);
});

test('inserted nodes are found by their slot', () => {
    const [one, other] = [scene(6, [4, 5]), scene(7, [1, 2], [4, 6])];
    assert.equal(sameNode(one, other, 5), 6);
    assert.equal(sameNode(other, one, 2), 0, 'it is gone');
});
