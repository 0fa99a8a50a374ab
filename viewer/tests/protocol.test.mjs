// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { decode, frameHead } from '../build-tests/protocol.js';

/** A message of words (u), floats (f), doubles (d) and halves (s), little-endian. */
function message(...parts) {
    const size = { u: 4, f: 4, d: 8, s: 2 };
    const bytes = parts.reduce((sum, [kind, values]) => sum + size[kind] * values.length, 0);
    const view = new DataView(new ArrayBuffer(bytes));
    let at = 0;
    for (const [kind, values] of parts)
        for (const value of values) {
            if (kind === 'u') view.setUint32(at, value, true);
            else if (kind === 'f') view.setFloat32(at, value, true);
            else if (kind === 'd') view.setFloat64(at, value, true);
            else view.setUint16(at, value, true);
            at += size[kind];
        }
    return view.buffer;
}

const list = (typed) => Array.from(typed);
const floats = (n, from = 0) => Array.from({ length: n }, (_, i) => from + i);

const surface = (triangle = [0, 1, 2], start = [0, 1, 3, 4]) => message(
    ['u', [1, 7, 2, 3, 1, 4]], ['f', floats(9)], ['u', triangle], ['u', start],
    ['u', [5, 5, 6, 6]], ['f', [1, 0.5, 0.5, 1]], ['u', [0, 0, 1]],
);

test('a surface', () => {
    const buffer = surface();
    const s = decode(buffer);
    assert.equal(s.type, 'surface');
    assert.equal(s.generation, 7);
    assert.equal(s.surface, 2);
    assert.deepEqual(list(s.rest), floats(9));
    assert.deepEqual(list(s.triangle), [0, 1, 2]);
    assert.deepEqual(list(s.start), [0, 1, 3, 4]);
    assert.deepEqual(list(s.node), [5, 5, 6, 6]);
    assert.deepEqual(list(s.weight), [1, 0.5, 0.5, 1]);
    assert.deepEqual(list(s.material), [0, 0, 1]);
    assert.equal(s.rest.buffer, buffer, 'not copied');
});

test('a surface with invalid indices', () => {
    assert.throws(() => decode(surface([0, 1, 3])), /a triangle has vertex 3 of 3/);
    assert.throws(() => decode(surface([0, 1, 2], [0, 3, 1, 4])), /backwards/);
    assert.throws(() => decode(surface([0, 1, 2], [0, 1, 3, 3])), /do not fit/);
    assert.throws(() => decode(surface([0, 1, 2], [1, 1, 3, 4])), /do not fit/);
});

test('integration points', () => {
    const p = decode(message(
        ['u', [2, 3, 2, 3]], ['f', floats(6)], ['u', [0, 2, 3]], ['u', [0, 1, 1]],
        ['f', [0.25, 0.75, 1]], ['u', [8, 9]], ['u', [0, 1]],
    ));
    assert.equal(p.type, 'points');
    assert.deepEqual(list(p.weight), [0.25, 0.75, 1]);
    assert.deepEqual(list(p.region), [8, 9]);
    assert.deepEqual(list(p.body), [0, 1]);
});

/** A frame of so many nodes, pulls, probes, dual quaternions, streamed vertices and the rest. */
function frame({
    flags = 0, nodes = 0, pulls = 0, probes = 0, duals = 0, stream = 0, kind = 1, inserted = 0,
    muscles = 0, controls = 0,
}) {
    const pull = [];
    for (let i = 0; i < pulls; i++)
        pull.push(['u', [100 + i, kind]], ['f', [1, 2, 3, 4, 5, 6, 7.5, 50]]);
    return message(
        ['u', [3, 9, flags, nodes, pulls, probes, stream, inserted, muscles, controls, 1234]],
        ['d', [5.125]],
        ['f', [0.5, 1]], ['f', [10, 11, 12, 13]], ['f', [1, 2, 3, 4, 5, 15]], ['f', [2.5]],
        ['f', [0.1, 0.2, 0.3, 0.4]], ['f', [0.25]], ...pull,
        ['f', floats(3 * inserted, 5000)], ['f', floats(6 * muscles, 6000)],
        ['f', floats(2 * controls, 7000)], ['f', floats(3 * probes, 1000)],
        ['f', floats(12 * nodes, 2000)], ['f', floats(8 * duals, 3000)],
        ['f', floats(3 * stream, 4000)],
    );
}

test('an empty frame has the documented length', () => {
    const buffer = frame({});
    assert.equal(buffer.byteLength, frameHead);
    const f = decode(buffer);
    assert.equal(f.duals.length, 0);
    assert.equal(f.playing || f.slow || f.failed || f.recording, false);
});

test('a frame', () => {
    const f = decode(frame({
        flags: 5, nodes: 2, pulls: 2, probes: 1, duals: 3, stream: 2, inserted: 2, muscles: 1,
        controls: 3,
    }));
    assert.equal(f.generation, 9);
    assert.deepEqual([f.playing, f.slow, f.failed, f.recording], [true, false, true, false]);
    assert.equal(f.step, 1234);
    assert.equal(f.time, 5.125);
    assert.deepEqual([f.speed, f.asked, f.newton, f.residual], [0.5, 1, 2.5, 0.25]);
    assert.deepEqual(list(f.energy), [10, 11, 12, 13]);
    assert.deepEqual(list(f.timing), [1, 2, 3, 4, 5, 15]);
    assert.deepEqual(list(f.ball), [0.1, 0.2, 0.3, 0.4].map(Math.fround));
    assert.deepEqual(f.pulls[1], {
        id: 101, kind: 'pin', at: [1, 2, 3], to: [4, 5, 6], force: 7.5, stiffness: 50,
    });
    assert.deepEqual(list(f.inserted), floats(6, 5000));
    assert.deepEqual(list(f.muscles), floats(6, 6000));
    assert.deepEqual(list(f.controls), floats(6, 7000));
    assert.deepEqual(list(f.probes), floats(3, 1000));
    assert.deepEqual(list(f.nodes), floats(24, 2000));
    assert.deepEqual(list(f.duals), floats(24, 3000));
    assert.deepEqual(list(f.stream), floats(6, 4000));
});

test('the flags of a frame', () => {
    for (const [flag, name] of [[1, 'playing'], [2, 'slow'], [4, 'failed'], [8, 'recording']])
        assert.equal(decode(frame({ flags: flag }))[name], true, name);
});

test('invalid frames', () => {
    const whole = frame({ nodes: 1, pulls: 1, duals: 1, stream: 1 });
    for (let bytes = 0; bytes < whole.byteLength; bytes += 4) {
        const cut = whole.byteLength - bytes;
        if (bytes !== 0 && cut !== 32) // without its dual quaternion it is valid, too
            assert.throws(() => decode(whole.slice(0, bytes)), RangeError, `${bytes} bytes`);
    }
    assert.throws(() => decode(frame({ pulls: 1, kind: 3 })), /a pull of kind 3/);
    const many = frame({});
    new DataView(many).setUint32(16, 0xffffffff, true);
    assert.throws(() => decode(many), /pulls/);
});

test('a field, padded', () => {
    const head = [['u', [4, 6, 2, 2, 1]], ['f', [0, 4e4]]];
    const f = decode(message(...head, ['s', [0, 65535, 7, 0]]));
    assert.equal(f.type, 'field');
    assert.equal(f.field, 'stress');
    assert.deepEqual([f.lo, f.hi], [0, 4e4]);
    assert.deepEqual(list(f.vertex), [0, 65535]);
    assert.deepEqual(list(f.sample), [7]);
    assert.throws(() => decode(message(...head, ['s', [0, 1]])), /too early/);
    assert.throws(() => decode(message(...head, ['s', [0, 1, 2, 3, 4, 5]])), /too long/);
    assert.throws(() => decode(message(['u', [4, 6, 4, 0, 0]], ['f', [0, 1]])), /field 4/);
});

test('invalid messages', () => {
    assert.throws(() => decode(new ArrayBuffer(0)), RangeError);
    assert.throws(() => decode(message(['u', [5, 1]])), /kind 5/);
});
