// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import {
    cssColor, fieldLegend, mapBytes, mapColor, mostOf, niceAbove, parseColor, Range, weightLegend,
} from '../build-tests/colormap.js';

function lightness(rgb) {
    const [r, g, b] = rgb.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 116 * Math.cbrt(0.2126 * r + 0.7152 * g + 0.0722 * b) - 16;
}

test('lightness rises evenly along both maps', () => {
    for (const name of ['cool', 'warm']) {
        const all = Array.from({ length: 41 }, (_, i) => lightness(mapColor(name, i / 40)));
        const mean = (all[40] - all[0]) / 40;
        assert.ok(mean > 1.5);
        for (let i = 0; i < 40; i++) {
            const step = all[i + 1] - all[i];
            const isEven = step > 0.6 * mean && step < 1.5 * mean;
            assert.ok(isEven, `${name}, step ${i}: ${step} of ${mean}`);
        }
    }
});

test('maps end where their tables do, and stay constant outside', () => {
    assert.equal(cssColor(mapColor('cool', -1)), cssColor(parseColor('#440154')));
    assert.equal(cssColor(mapColor('cool', 2)), 'rgb(253, 231, 37)');
    const bytes = mapBytes('cool', 256);
    assert.deepEqual([...bytes.subarray(0, 4)], [68, 1, 84, 255]);
    assert.deepEqual([...bytes.subarray(4 * 255)], [253, 231, 37, 255]);
});

test('the next round number', () => {
    const pairs = [[0.9, 1], [1, 1], [1.2, 1.5], [4.1, 5], [7.6, 10], [3e-7, 3e-7], [1234, 1500]];
    for (const [x, y] of pairs)
        assert.ok(Math.abs(niceAbove(x) - y) < 1e-9 * y, `${x}: ${niceAbove(x)}`);
    for (const x of [0, -1, NaN, Infinity]) assert.equal(niceAbove(x), 1);
});

test('a few peaks do not set the scale', () => {
    const values = Uint16Array.from({ length: 2000 }, (_, i) => (i < 5 ? 65535 : (i % 1000) + 1));
    const most = mostOf([values.subarray(0, 700), values.subarray(700)]);
    assert.ok(most >= 1000 && most <= 1088, `${most}`);
    assert.equal(mostOf([new Uint16Array(10).fill(65535)]), 65536);
    assert.ok(mostOf([]) >= 0 && mostOf([new Uint16Array(5)]) <= 64);
});

test('a range rises at once and falls slowly', () => {
    const range = new Range();
    range.update(3.5, 0);
    assert.equal(range.hi, 5);
    range.update(12, 20);
    assert.equal(range.hi, 15);
    range.update(0.1, 120);
    assert.equal(range.hi, 15);
    for (let t = 0; t < 20; t++) range.update(0.1, 1000 * t);
    assert.ok(range.hi < 0.2);
    range.update(NaN, 1e6);
    assert.ok(Number.isFinite(range.hi) && range.hi > 0);
});

test('legends have common units', () => {
    assert.deepEqual([fieldLegend('strain', 0.3).hi, fieldLegend('strain', 0.3).unit], [30, '%']);
    assert.deepEqual([fieldLegend('stress', 2e4).hi, fieldLegend('stress', 2e4).unit], [20, 'kPa']);
    assert.deepEqual([fieldLegend('stress', 500).hi, fieldLegend('stress', 500).unit], [500, 'Pa']);
    assert.equal(fieldLegend('energy', 1.5e6).unit, 'MJ/m³');
    const scene = { nodes: [{ handle: -1 }, { handle: 0 }], handles: [{ name: 'wall' }] };
    assert.equal(weightLegend(scene, 0).title, 'Weight of frame 0');
    assert.equal(weightLegend(scene, 1).title, 'Weight of wall');
});
