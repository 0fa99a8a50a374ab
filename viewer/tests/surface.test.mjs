// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Preparing surfaces for the GPU, and the same formulas on the CPU.
import assert from 'node:assert/strict';
import test from 'node:test';
import { edgesOf, isClosed, prepareMesh, tangents, weld } from '../build-tests/mesh.js';
import { frameFits, movePoints, Pose } from '../build-tests/pose.js';
import { pickTriangle } from '../build-tests/pick.js';

const near = (a, b, eps = 1e-5) => assert.ok(Math.abs(a - b) <= eps, `${a} is not ${b}`);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) =>
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((x) => x / Math.hypot(...a));

// A box [0, 1]^3 with n squares along an edge, welded, facing outwards.
function box(n) {
    const rest = [], triangle = [], name = new Map();
    const vertex = (p) => {
        const key = p.map((x) => Math.round(x * n)).join();
        if (!name.has(key)) {
            name.set(key, rest.length);
            rest.push(p);
        }
        return name.get(key);
    };
    for (let k = 0; k < 3; k++)
        for (const side of [0, 1])
            for (let i = 0; i < n; i++)
                for (let j = 0; j < n; j++) {
                    const at = (u, v) => {
                        const p = [0, 0, 0];
                        p[k] = side;
                        p[(k + 1) % 3] = (i + u) / n;
                        p[(k + 2) % 3] = (j + v) / n;
                        return vertex(p);
                    };
                    const q = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
                    if (!side) q.reverse();
                    triangle.push(q[0], q[1], q[2], q[0], q[2], q[3]);
                }
    return { rest: Float32Array.from(rest.flat()), triangle: Uint32Array.from(triangle) };
}

function sphere(n) {
    const b = box(n);
    for (let v = 0; v < b.rest.length; v += 3) {
        const p = unit([0, 1, 2].map((k) => b.rest[v + k] - 0.5));
        b.rest.set(p, v);
    }
    return b;
}

// Weights of four nodes that vary linearly in space.
function skinned(mesh) {
    const n = mesh.rest.length / 3;
    const start = Uint32Array.from({ length: n + 1 }, (_, v) => 4 * v);
    const node = Uint32Array.from({ length: 4 * n }, (_, e) => e % 4);
    const weight = new Float32Array(4 * n);
    for (let v = 0; v < n; v++) {
        const p = mesh.rest.subarray(3 * v, 3 * v + 3);
        for (let k = 0; k < 3; k++) weight[4 * v + k] = 0.25 + 0.1 * p[k];
        weight[4 * v + 3] = 0.25 - 0.1 * (p[0] + p[1] + p[2]);
    }
    return { ...mesh, start, node, weight };
}

function sceneOf(origins, blend = 'linear') {
    return {
        bodies: [{ blend }],
        nodes: origins.map((origin) => ({ body: 0, kind: 'affine', origin })),
    };
}

test('tangents are a right-handed frame everywhere', () => {
    const t = new Float64Array(6);
    const axes = [[0, 0, 1], [0, 0, -1], [1, 0, 0], [0, -1, 0]];
    const all = [...axes, unit([1, 2, -3]), unit([1e-9, 0, -1])];
    for (const n of all) {
        tangents(...n, t);
        const [a, b] = [[...t.subarray(0, 3)], [...t.subarray(3)]];
        near(dot(a, a), 1);
        near(dot(b, b), 1);
        near(dot(a, b), 0);
        cross(a, b).forEach((x, k) => near(x, n[k]));
    }
});

test('a box is split along its edges, a sphere nowhere', () => {
    const cube = prepareMesh(skinned(box(3)), box(3).triangle, 4);
    assert.equal(cube.count, 6 * 16);
    for (let v = 0; v < cube.count; v++) {
        const n = [...cube.normal.subarray(3 * v, 3 * v + 3)].map(Math.abs).sort();
        near(n[2], 1);
        near(n[1], 0);
    }
    const ball = sphere(8);
    const smooth = prepareMesh(skinned(ball), ball.triangle, 4);
    assert.equal(smooth.count, ball.rest.length / 3);
    for (let v = 0; v < smooth.count; v++)
        assert.ok(dot(smooth.normal.subarray(3 * v), smooth.rest.subarray(3 * v)) > 0.99);
});

test('vertices repeated along a seam are welded', () => {
    const ball = sphere(6);
    const soup = new Float32Array(3 * ball.triangle.length);
    ball.triangle.forEach((v, c) => soup.set(ball.rest.subarray(3 * v, 3 * v + 3), 3 * c));
    const triangle = Uint32Array.from({ length: ball.triangle.length }, (_, c) => c);
    assert.equal(new Set(weld(soup)).size, ball.rest.length / 3);
    const skin = { ...skinned({ rest: soup }), triangle };
    assert.equal(prepareMesh(skin, triangle, 4).count, ball.rest.length / 3);
    assert.ok(isClosed(soup, triangle));
});

test('the two sides of a crack stay apart', () => {
    // Two triangles at one edge, each with vertices of its own at the edge's ends.
    const rest = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0);
    const triangle = Uint32Array.of(0, 1, 2, 3, 4, 5);
    const skin = node => ({ rest, start: Uint32Array.of(0, 1, 2, 3, 4, 5, 6), node: Uint32Array.from(node),
        weight: new Float32Array(6).fill(1) });
    assert.equal(prepareMesh(skin([0, 1, 2, 3, 4, 5]), triangle, 6).count, 6);
    assert.equal(prepareMesh(skin([0, 1, 2, 2, 1, 5]), triangle, 6).count, 4);
});

test('a surface with a hole is not closed', () => {
    const { rest, triangle } = box(2);
    assert.ok(isClosed(rest, triangle));
    assert.ok(!isClosed(rest, triangle.subarray(3)));
});

test('each edge is drawn once', () => {
    const { rest, triangle } = box(2);
    const edges = edgesOf(triangle, rest.length / 3);
    assert.equal(edges.length / 2, triangle.length / 2);
    assert.equal(new Set(Array.from({ length: edges.length / 2 }, (_, e) =>
        [edges[2 * e], edges[2 * e + 1]].sort().join())).size, edges.length / 2);
});

test('slopes of linear weights are exact and sum to zero', () => {
    const ball = skinned(sphere(10));
    const mesh = prepareMesh(ball, ball.triangle, 4);
    const t = new Float64Array(6);
    const flat = box(4);
    const cube = prepareMesh(skinned(flat), flat.triangle, 4);
    const gradient = [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1], [-0.1, -0.1, -0.1]];
    for (const m of [cube, mesh])
        for (let v = 0; v < m.count; v++) {
            tangents(...m.normal.subarray(3 * v, 3 * v + 3), t);
            const sum = [0, 0];
            for (let e = m.start[v]; e < m.start[v + 1]; e++)
                for (let k = 0; k < 2; k++) {
                    // exact on flat faces; on the sphere, neighbours are not in the tangent plane
                    const eps = m === cube ? 1e-5 : 0.02;
                    near(m.slope[2 * e + k], dot(gradient[m.node[e]], t.subarray(3 * k)), eps);
                    sum[k] += m.slope[2 * e + k];
                }
            near(sum[0], 0);
            near(sum[1], 0);
        }
});

test('nodes that act only on neighbours have a slope, too', () => {
    const { rest, triangle } = box(2);
    const n = rest.length / 3;
    const skin = { rest, start: Uint32Array.from({ length: n + 1 }, (_, v) => v),
        node: Uint32Array.from({ length: n }, (_, v) => (rest[3 * v] > 0.75 ? 1 : 0)),
        weight: new Float32Array(n).fill(1) };
    const mesh = prepareMesh(skin, triangle, 2);
    for (let v = 0; v < mesh.count; v++) {
        let sum = 0;
        for (let e = mesh.start[v]; e < mesh.start[v + 1]; e++)
            sum += mesh.slope[2 * e] + mesh.slope[2 * e + 1];
        near(sum, 0);
    }
    assert.ok(mesh.weight.some((w) => w === 0));
});

// n = F t1 x F t2 as in the shader.
function movedNormal(mesh, pose, v) {
    const t = new Float64Array(6);
    tangents(...mesh.normal.subarray(3 * v, 3 * v + 3), t);
    const p = mesh.rest.subarray(3 * v, 3 * v + 3);
    const f = [[0, 0, 0], [0, 0, 0]];
    for (let e = mesh.start[v]; e < mesh.start[v + 1]; e++)
        for (let r = 0; r < 3; r++) {
            const row = pose.rows.subarray(12 * mesh.node[e] + 4 * r);
            const x = dot(row, p) + row[3];
            for (let k = 0; k < 2; k++)
                f[k][r] += mesh.weight[e] * dot(row, t.subarray(3 * k)) + mesh.slope[2 * e + k] * x;
        }
    return unit(cross(f[0], f[1]));
}

test('normals of the deformed surface are those of its deformed faces', () => {
    const flat = box(6);
    const skin = skinned(flat);
    const mesh = prepareMesh(skin, flat.triangle, 4);
    const origins = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.3, 0.3, 1]];
    for (const far of [0, 1000]) {
        const pose = new Pose(sceneOf(origins));
        const nodes = origins.flatMap((o, i) => [
            o[0] + 0.2 * i + far, 1 + 0.1 * i, 0.2, 0,
            o[1], -0.1 * i, 0.9, 0.1 * i,
            o[2] - 0.1 * i, 0, 0, 1.1,
        ]);
        pose.update({ nodes: Float32Array.from(nodes), duals: new Float32Array(0) });
        const x = new Float32Array(flat.rest.length);
        movePoints(skin, pose, x);
        for (let t = 0; t < mesh.triangle.length; t += 3) {
            const corner = [0, 1, 2].map((k) => {
                const s = mesh.source[mesh.triangle[t + k]];
                return [...x.subarray(3 * s, 3 * s + 3)];
            });
            const edge = (k) => corner[k].map((c, m) => c - corner[0][m]);
            const face = unit(cross(edge(1), edge(2)));
            const normal = movedNormal(mesh, pose, mesh.triangle[t]);
            assert.ok(dot(face, normal) > 0.995, `${face} and ${normal} at ${far}`);
        }
    }
});

test('dual quaternions: equal nodes give one rigid motion', () => {
    const mesh = skinned(box(2));
    const pose = new Pose(sceneOf([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], 'dual-quaternion'));
    const x = new Float32Array(mesh.rest.length);
    movePoints(mesh, pose, x);
    x.forEach((c, i) => near(c, mesh.rest[i]));
    // a quarter turn about z, then (1, 2, 3): d = t r / 2
    const s = Math.SQRT1_2;
    const dual = [s, 0, 0, s, -1.5 * s, 1.5 * s, 0.5 * s, 1.5 * s];
    const duals = Float32Array.from([...dual, ...dual, ...dual, ...dual]);
    pose.update({ nodes: pose.raw, duals });
    movePoints(mesh, pose, x);
    for (let i = 0; i < x.length; i += 3) {
        near(x[i], 1 - mesh.rest[i + 1]);
        near(x[i + 1], 2 + mesh.rest[i]);
        near(x[i + 2], 3 + mesh.rest[i + 2]);
    }
});

test('frames of another model do not fit', () => {
    const scene = sceneOf([[0, 0, 0]], 'dual-quaternion');
    const pose = new Pose(scene);
    const frame = (n, d) => ({ nodes: new Float32Array(12 * n), duals: new Float32Array(8 * d) });
    assert.ok(frameFits(scene, pose, frame(1, 1)));
    assert.ok(!frameFits(scene, pose, frame(1, 0)));
    assert.ok(!frameFits(scene, pose, frame(2, 1)));
});

test('a ray meets the nearest triangle and its nearest vertex', () => {
    const { rest, triangle } = box(4);
    const hit = pickTriangle(rest, triangle, [0.3, 0.3, 5], [0, 0, -1]);
    near(hit.distance, 4);
    near(hit.at[2], 1);
    near(rest[3 * hit.vertex], 0.25);
    near(rest[3 * hit.vertex + 1], 0.25);
    near(rest[3 * hit.vertex + 2], 1);
    for (let k = 0; k < 3; k++) // the barycentric coordinates give the place that is hit
        near(hit.share.reduce((sum, s, i) =>
            sum + s * rest[3 * triangle[3 * hit.triangle + i] + k], 0), hit.at[k]);
    assert.equal(pickTriangle(rest, triangle, [2, 2, 5], [0, 0, -1]), null);
    assert.equal(pickTriangle(rest, triangle, [0.3, 0.3, 5], [0, 0, 1]), null);
    // what is cut away is not hit: the ray hits the far side from inside
    const cut = { normal: [0, 0, -1], offset: 0.5 };
    near(pickTriangle(rest, triangle, [0.3, 0.3, 5], [0, 0, -1], cut).at[2], 0);
});
