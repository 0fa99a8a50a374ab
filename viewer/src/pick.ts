// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a ray hits, computed on the CPU.
import type { Vec3 } from './protocol';

export interface Hit {
    distance: number;
    triangle: number;
    share: Vec3; // barycentric coordinates of the place that is hit
    vertex: number; // the triangle's vertex nearest to that place
    at: Vec3;
}

/** A clipping plane: points with n . x + offset >= 0 are kept. */
export interface Cut {
    normal: Vec3;
    offset: number;
}

/**
 * The nearest triangle that a ray hits from either side (Moeller and Trumbore), without what `cut`
 * removes.
 */
export function pickTriangle(
    x: Float32Array, triangle: Uint32Array, from: Vec3, way: Vec3, cut: Cut | null = null,
): Hit | null {
    const [dx, dy, dz] = way;
    let best = Infinity;
    let found = -1;
    let share: Vec3 = [1, 0, 0];
    for (let t = 0; t < triangle.length; t += 3) {
        const a = 3 * triangle[t], b = 3 * triangle[t + 1], c = 3 * triangle[t + 2];
        const ax = x[a], ay = x[a + 1], az = x[a + 2];
        const ux = x[b] - ax, uy = x[b + 1] - ay, uz = x[b + 2] - az;
        const vx = x[c] - ax, vy = x[c + 1] - ay, vz = x[c + 2] - az;
        const px = dy * vz - dz * vy, py = dz * vx - dx * vz, pz = dx * vy - dy * vx;
        const det = ux * px + uy * py + uz * pz;
        if (det === 0) continue;
        const sx = from[0] - ax, sy = from[1] - ay, sz = from[2] - az;
        const s = (sx * px + sy * py + sz * pz) / det;
        if (!(s >= 0 && s <= 1)) continue;
        const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
        const r = (dx * qx + dy * qy + dz * qz) / det;
        if (!(r >= 0 && s + r <= 1)) continue;
        const distance = (vx * qx + vy * qy + vz * qz) / det;
        if (!(distance > 0 && distance < best)) continue;
        if (cut && side(cut, from, way, distance) < 0) continue;
        best = distance;
        found = t;
        share = [1 - s - r, s, r];
    }
    if (found < 0) return null;
    const at: Vec3 = [from[0] + best * dx, from[1] + best * dy, from[2] + best * dz];
    let vertex = triangle[found];
    for (let k = 1; k < 3; k++)
        if (distance2(x, triangle[found + k], at) < distance2(x, vertex, at))
            vertex = triangle[found + k];
    return { distance: best, triangle: found / 3, share, vertex, at };
}

function side(cut: Cut, from: Vec3, way: Vec3, s: number): number {
    const n = cut.normal;
    return n[0] * (from[0] + s * way[0]) + n[1] * (from[1] + s * way[1])
        + n[2] * (from[2] + s * way[2]) + cut.offset;
}

function distance2(x: Float32Array, v: number, p: Vec3): number {
    const [a, b, c] = [x[3 * v] - p[0], x[3 * v + 1] - p[1], x[3 * v + 2] - p[2]];
    return a * a + b * b + c * c;
}
