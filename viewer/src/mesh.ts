// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Prepares a surface once: splits vertices at creases, and computes normals and the slopes of
// weights along the surface, from which the normals of the deformed surface follow exactly.
import type { Skin } from './protocol';

/** A skin ready to be drawn. Rows of influences also contain nodes that act only on neighbours. */
export interface Mesh {
    count: number;
    source: Uint32Array; // [count]: the vertex of the message that each one comes from
    rest: Float32Array; // [count][3]
    normal: Float32Array; // [count][3]
    triangle: Uint32Array; // [ntriangle][3]
    start: Uint32Array; // [count + 1]
    node: Uint32Array;
    weight: Float32Array;
    slope: Float32Array; // [..][2]: dw/dt1, dw/dt2 along the tangents of tangents()
}

const creaseCosine = Math.cos((40 * Math.PI) / 180);

/** Two unit vectors with t1 x t2 = n (Duff et al. 2017); the shader does the same. */
export function tangents(x: number, y: number, z: number, out: Float64Array): void {
    const s = z >= 0 ? 1 : -1;
    const a = -1 / (s + z);
    const b = x * y * a;
    out[0] = 1 + s * x * x * a;
    out[1] = s * b;
    out[2] = -s * x;
    out[3] = b;
    out[4] = s + y * y * a;
    out[5] = -y;
}

/** Unit normals of triangles; zero if the area is zero. */
export function faceNormals(x: Float32Array, triangle: Uint32Array): Float32Array {
    const out = new Float32Array(triangle.length);
    for (let t = 0; t < triangle.length; t += 3) {
        const a = 3 * triangle[t], b = 3 * triangle[t + 1], c = 3 * triangle[t + 2];
        const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
        const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
        const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
        if (!(length > 0)) continue;
        out[t] = nx / length;
        out[t + 1] = ny / length;
        out[t + 2] = nz / length;
    }
    return out;
}

/** Corners (3 t + k) around each of n vertices, row by row. */
function cornersOf(n: number, triangle: Uint32Array): { start: Uint32Array; corner: Uint32Array } {
    const start = new Uint32Array(n + 1);
    for (const v of triangle) start[v + 1]++;
    for (let v = 0; v < n; v++) start[v + 1] += start[v];
    const next = start.slice(0, n);
    const corner = new Uint32Array(triangle.length);
    for (let c = 0; c < triangle.length; c++) corner[next[triangle[c]]++] = c;
    return { start, corner };
}

/** Whether the same nodes move two vertices, in the same way. */
function moveAlike({ start, node, weight }: Skin, u: number, v: number): boolean {
    const [a, b, n] = [start[u], start[v], start[u + 1] - start[u]];
    if (start[v + 1] - b !== n) return false;
    for (let e = 0; e < n; e++)
        if (node[a + e] !== node[b + e] || weight[a + e] !== weight[b + e]) return false;
    return true;
}

/**
 * For each vertex, the first one in the same place: files may repeat vertices along seams. With a
 * skin, vertices must also move alike, which the two sides of a crack do not.
 */
export function weld(x: Float32Array, skin?: Skin): Uint32Array {
    const n = x.length / 3;
    const same = new Uint32Array(n);
    const bits = new Uint32Array(x.buffer, x.byteOffset, x.length);
    let size = 1;
    while (size < 2 * n) size *= 2;
    const table = new Int32Array(size).fill(-1);
    for (let v = 0; v < n; v++) {
        const i = 3 * v;
        let h = Math.imul(bits[i], 0x9e3779b1) ^ Math.imul(bits[i + 1], 0x85ebca6b);
        h = Math.imul(h ^ (h >>> 15) ^ Math.imul(bits[i + 2], 0xc2b2ae35), 0x27d4eb2f);
        let at = (h ^ (h >>> 13)) & (size - 1);
        for (let u; (u = table[at]) >= 0; at = (at + 1) & (size - 1))
            if (x[3 * u] === x[i] && x[3 * u + 1] === x[i + 1] && x[3 * u + 2] === x[i + 2]
                && (!skin || moveAlike(skin, u, v))) break;
        if (table[at] < 0) table[at] = v;
        same[v] = table[at];
    }
    return same;
}

/** Splits vertices into smooth fans, of faces that meet at less than 40 degrees. */
function splitCreases(
    x: Float32Array, welded: Uint32Array, face: Float32Array,
): { source: Uint32Array; triangle: Uint32Array } {
    const n = x.length / 3;
    const { start, corner } = cornersOf(n, welded);
    const triangle = new Uint32Array(welded.length);
    const source = new Uint32Array(welded.length); // of the largest possible length
    const seen = new Int32Array(n).fill(-1); // the vertex whose fan last had an edge to this one
    const first = new Int32Array(n); // in that fan: the first corner with the edge
    const root = new Int32Array(welded.length);
    const name = new Int32Array(welded.length);
    let count = 0;
    const find = (i: number): number => {
        while (root[i] !== i) i = root[i] = root[root[i]];
        return i;
    };
    // Corner i of the fan has an edge to u.
    const join = (v: number, i: number, u: number): void => {
        if (seen[u] !== v) {
            seen[u] = v;
            first[u] = i;
            return;
        }
        const a = corner[i] - (corner[i] % 3), b = corner[first[u]] - (corner[first[u]] % 3);
        const cosine = face[a] * face[b] + face[a + 1] * face[b + 1] + face[a + 2] * face[b + 2];
        if (cosine > creaseCosine) root[find(i)] = find(first[u]);
    };
    for (let v = 0; v < n; v++) {
        for (let i = start[v]; i < start[v + 1]; i++) {
            const c = corner[i], t = c - (c % 3);
            root[i] = i;
            name[i] = -1;
            join(v, i, welded[t + ((c + 1) % 3)]);
            join(v, i, welded[t + ((c + 2) % 3)]);
        }
        for (let i = start[v]; i < start[v + 1]; i++) {
            const fan = find(i);
            if (name[fan] < 0) {
                name[fan] = count;
                source[count++] = v;
            }
            triangle[corner[i]] = name[fan];
        }
    }
    return { source: source.slice(0, count), triangle };
}

/** Normals of vertices: means over their faces, weighted by the angle at the vertex. */
export function vertexNormals(
    x: Float32Array, triangle: Uint32Array, face: Float32Array, out: Float32Array,
): void {
    out.fill(0);
    for (let t = 0; t < triangle.length; t += 3)
        for (let k = 0; k < 3; k++) {
            const a = 3 * triangle[t + k];
            const b = 3 * triangle[t + ((k + 1) % 3)], c = 3 * triangle[t + ((k + 2) % 3)];
            const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
            const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
            const lengths = Math.sqrt(
                (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz));
            if (!(lengths > 0)) continue;
            const cosine = (ux * vx + uy * vy + uz * vz) / lengths;
            const angle = Math.acos(Math.min(1, Math.max(-1, cosine)));
            for (let m = 0; m < 3; m++) out[a + m] += angle * face[t + m];
        }
    for (let i = 0; i < out.length; i += 3) {
        const length = Math.sqrt(out[i] ** 2 + out[i + 1] ** 2 + out[i + 2] ** 2);
        if (length > 0) for (let m = 0; m < 3; m++) out[i + m] /= length;
        else out[i + 1] = 1;
    }
}

/** The neighbours of each vertex, row by row. */
function rings(n: number, triangle: Uint32Array): { start: Uint32Array; other: Uint32Array } {
    const { start: from, corner } = cornersOf(n, triangle);
    const start = new Uint32Array(n + 1);
    const other = new Uint32Array(2 * triangle.length);
    const seen = new Int32Array(n).fill(-1);
    let at = 0;
    for (let v = 0; v < n; v++) {
        for (let i = from[v]; i < from[v + 1]; i++) {
            const c = corner[i], t = c - (c % 3);
            for (let k = 1; k < 3; k++) {
                const u = triangle[t + ((c + k) % 3)];
                if (seen[u] === v) continue;
                seen[u] = v;
                other[at++] = u;
            }
        }
        start[v + 1] = at;
    }
    return { start, other: other.subarray(0, at) };
}

/** A list of influences that grows. */
class Growing {
    node: Uint32Array;
    value: Float64Array; // [..][3]: w, dw/dt1, dw/dt2
    length = 0;
    constructor(size: number) {
        this.node = new Uint32Array(size);
        this.value = new Float64Array(3 * size);
    }
    push(node: number): number {
        if (this.length === this.node.length) {
            const nodes = this.node, values = this.value;
            this.node = new Uint32Array(2 * this.length + 16);
            this.value = new Float64Array(3 * this.node.length);
            this.node.set(nodes);
            this.value.set(values);
        }
        this.node[this.length] = node;
        return this.length++;
    }
}

/**
 * Slopes of the weights along the surface, by least squares over the neighbours. Every node that
 * acts on a vertex or on one of its neighbours gets an entry, so that the slopes sum to zero.
 */
function slopes(
    skin: Skin, source: Uint32Array, normal: Float32Array, triangle: Uint32Array, nnode: number,
): { start: Uint32Array; grown: Growing } {
    const n = source.length;
    const ring = rings(n, triangle);
    const start = new Uint32Array(n + 1);
    const copies = n / (skin.rest.length / 3 || 1);
    const grown = new Growing(Math.ceil(1.3 * copies * skin.node.length));
    const place = new Int32Array(nnode); // the node's entry, if `owner` is the present vertex
    const owner = new Int32Array(nnode).fill(-1);
    const t = new Float64Array(6);
    const { rest } = skin;
    const row = (node: number, v: number): number => {
        if (owner[node] !== v) {
            owner[node] = v;
            place[node] = grown.push(node);
        }
        return 3 * place[node];
    };
    for (let v = 0; v < n; v++) {
        const s = source[v];
        tangents(normal[3 * v], normal[3 * v + 1], normal[3 * v + 2], t);
        for (let e = skin.start[s]; e < skin.start[s + 1]; e++) {
            const i = row(skin.node[e], v);
            grown.value[i] = skin.weight[e];
        }
        let a = 0, b = 0, c = 0, sum1 = 0, sum2 = 0;
        for (let j = ring.start[v]; j < ring.start[v + 1]; j++) {
            const from = source[ring.other[j]];
            const x = rest[3 * from] - rest[3 * s];
            const y = rest[3 * from + 1] - rest[3 * s + 1];
            const z = rest[3 * from + 2] - rest[3 * s + 2];
            const e1 = t[0] * x + t[1] * y + t[2] * z, e2 = t[3] * x + t[4] * y + t[5] * z;
            a += e1 * e1;
            b += e1 * e2;
            c += e2 * e2;
            sum1 += e1;
            sum2 += e2;
            for (let e = skin.start[from]; e < skin.start[from + 1]; e++) {
                const i = row(skin.node[e], v);
                grown.value[i + 1] += e1 * skin.weight[e];
                grown.value[i + 2] += e2 * skin.weight[e];
            }
        }
        const det = a * c - b * b;
        const flat = !(det > 1e-8 * (a + c) * (a + c)); // all in a line: no slope across it
        const value = grown.value;
        for (let i = 3 * start[v]; i < 3 * grown.length; i += 3) {
            const r1 = value[i + 1] - value[i] * sum1, r2 = value[i + 2] - value[i] * sum2;
            value[i + 1] = flat ? 0 : (c * r1 - b * r2) / det;
            value[i + 2] = flat ? 0 : (a * r2 - b * r1) / det;
        }
        start[v + 1] = grown.length;
    }
    return { start, grown };
}

/** Everything about a surface that does not change while it moves. */
export function prepareMesh(skin: Skin, triangle: Uint32Array, nnode: number): Mesh {
    const same = weld(skin.rest, skin);
    const welded = triangle.map((v) => same[v]);
    const face = faceNormals(skin.rest, welded);
    const { source, triangle: split } = splitCreases(skin.rest, welded, face);
    const count = source.length;
    const rest = new Float32Array(3 * count);
    for (let v = 0; v < count; v++)
        for (let m = 0; m < 3; m++) rest[3 * v + m] = skin.rest[3 * source[v] + m];
    const normal = new Float32Array(3 * count);
    vertexNormals(rest, split, face, normal);
    const { start, grown } = slopes(skin, source, normal, split, nnode);
    const total = grown.length;
    const weight = new Float32Array(total);
    const slope = new Float32Array(2 * total);
    for (let e = 0; e < total; e++) {
        weight[e] = grown.value[3 * e];
        slope[2 * e] = grown.value[3 * e + 1];
        slope[2 * e + 1] = grown.value[3 * e + 2];
    }
    const node = grown.node.slice(0, total);
    return { count, source, rest, normal, triangle: split, start, node, weight, slope };
}

/** Each edge once, as pairs of vertices of the message. */
export function edgesOf(triangle: Uint32Array, n: number): Uint32Array {
    const { start, other } = rings(n, triangle);
    const out: number[] = [];
    for (let v = 0; v < n; v++)
        for (let j = start[v]; j < start[v + 1]; j++) if (other[j] > v) out.push(v, other[j]);
    return Uint32Array.from(out);
}

/** Whether nearly every edge has two faces: only then is there an inside that can be cut. */
export function isClosed(x: Float32Array, triangle: Uint32Array): boolean {
    const same = weld(x);
    const n = x.length / 3;
    const edges = new Map<number, number>(); // signed sum over the directions of an edge
    for (let c = 0; c < triangle.length; c++) {
        const a = same[triangle[c]];
        const b = same[triangle[c - (c % 3) + ((c + 1) % 3)]];
        const key = a < b ? a * n + b : b * n + a;
        edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
    }
    let open = 0;
    for (const sum of edges.values()) if (sum !== 0) open++;
    return open <= 0.001 * edges.size;
}
