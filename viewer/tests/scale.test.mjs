// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { FollowingRange, History, niceRange, niceStep, ticks } from '../build-tests/ui/scale.js';
import { parseWithUnit, prefixOf, short, withUnit } from '../build-tests/ui/format.js';

const near = (a, b) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)), `${a}, ${b}`);

test('steps are 1, 2 or 5 times a power of ten', () => {
    near(niceStep(1, 4), 0.2);
    near(niceStep(10, 5), 2);
    near(niceStep(3e-7, 3), 1e-7);
    near(niceStep(23, 5), 5);
});

test('ticks lie within the range', () => {
    assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
    assert.deepEqual(ticks(-1, 1, 4), [-1, -0.5, 0, 0.5, 1]);
    assert.ok(Object.is(ticks(-1, 1, 4)[2], 0), 'no minus zero');
    for (const t of ticks(3.3, 4.1, 4)) assert.ok(t >= 3.3 && t <= 4.1);
    assert.deepEqual(ticks(1, 1, 4), []);
    assert.deepEqual(ticks(NaN, 1, 4), []);
    assert.deepEqual(ticks(0, Infinity, 4), []);
});

test('ranges contain the data', () => {
    const cases = [[0, 1], [-3.2, 7.7], [1e-9, 2e-9], [-5, -5], [0, 0], [3, 3], [1e6, 1e6]];
    for (const [lo, hi] of cases) {
        const [a, b] = niceRange(lo, hi);
        assert.ok(a <= lo && b >= hi && b > a, `${lo} .. ${hi}: ${a} .. ${b}`);
    }
    assert.deepEqual(niceRange(Infinity, -Infinity), [0, 1], 'of no data');
    assert.deepEqual(niceRange(NaN, NaN), [0, 1]);
});

test('a range grows at once and shrinks late', () => {
    const range = new FollowingRange();
    range.follow(0, 10);
    assert.deepEqual([range.lo, range.hi], [0, 10]);
    range.follow(1, 9);
    assert.deepEqual([range.lo, range.hi], [0, 10], 'kept');
    range.follow(0, 10.1);
    assert.ok(range.hi >= 10.1, 'grown');
    range.follow(0, 1);
    near(range.hi, 1);
});

test('history drops the oldest samples, and restarts when time goes back', () => {
    const history = new History(2, 4);
    for (let i = 0; i < 6; i++) history.push(i, [i, -i]);
    assert.equal(history.length, 4);
    assert.deepEqual([history.time(0), history.value(3, 0), history.value(3, 1)], [2, 5, -5]);
    assert.equal(history.since(3.5), 2);
    assert.equal(history.since(-1), 0);
    assert.equal(history.since(99), 4);
    history.push(5, [50, 0]);
    assert.equal(history.length, 4, 'the same time replaces');
    assert.equal(history.value(3, 0), 50);
    history.push(0, [1, 1]);
    assert.equal(history.length, 1);
});

test('numbers with units', () => {
    assert.equal(withUnit(210e3, 'Pa'), '210 kPa');
    assert.equal(withUnit(999.9, 'Pa'), '1 kPa');
    assert.equal(withUnit(0.00417, 's'), '4.17 ms');
    assert.equal(withUnit(0, 'J'), '0 J');
    assert.equal(withUnit(1200, 'J/m³'), '1200 J/m³');
    assert.equal(withUnit(NaN, 'J'), '- J');
    assert.equal(short(0.30000001), '0.3');
    assert.equal(short(1.5e-9), '1.5e-9');
    assert.equal(short(2e7), '2e7');
    assert.deepEqual(prefixOf(-2e6), ['M', 1e6]);
});

test('numbers with units are read in the form in which they are written', () => {
    for (const [text, value] of [['200 kPa', 2e5], ['2e5', 2e5], ['0.2M', 2e5], ['2e5 Pa', 2e5],
        ['1,5 MPa', 1.5e6], ['.5GPa', 5e8]]) near(parseWithUnit(text, 'Pa'), value);
    near(parseWithUnit('4 ms', 's'), 0.004);
    near(parseWithUnit('4 us', 's'), 4e-6);
    for (const text of ['', 'x', '2 kg', '1e', '--1'])
        assert.ok(Number.isNaN(parseWithUnit(text, 'Pa')), text);
});
