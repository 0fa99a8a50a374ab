// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Present poses of nodes, and points blended from them on the CPU with the shader's formulas.
import type { FrameMessage, SceneMessage, Skin } from './protocol';

/** Matrices of all nodes, about the origin of the rest coordinates. */
export class Pose {
    /** [node][3][4]: x = L p + t, as rows (L, t); for dual quaternions (r, d, 0), w first. */
    readonly rows: Float32Array;
    readonly dual: Uint8Array; // [node]
    /** [node][3][4] as in frame messages: A about the node's own origin. */
    readonly raw: Float32Array;

    constructor(private readonly scene: SceneMessage) {
        const n = scene.nodes.length;
        this.rows = new Float32Array(12 * n);
        this.raw = new Float32Array(12 * n);
        this.dual = Uint8Array.from(scene.nodes, (node) =>
            scene.bodies[node.body]?.blend === 'dual-quaternion' ? 1 : 0);
        scene.nodes.forEach((node, i) => {
            for (let k = 0; k < 3; k++) {
                this.raw[12 * i + 4 * k] = node.origin[k];
                this.raw[12 * i + 5 * k + 1] = 1;
            }
            if (this.dual[i]) this.rows[12 * i] = 1;
            else this.setLinear(i);
        });
    }

    private setLinear(i: number): void {
        const o = this.scene.nodes[i].origin;
        for (let k = 0; k < 3; k++) {
            const at = 12 * i + 4 * k;
            const [t, x, y, z] = this.raw.subarray(at, at + 4) as unknown as number[];
            this.rows[at] = x!;
            this.rows[at + 1] = y!;
            this.rows[at + 2] = z!;
            this.rows[at + 3] = t! - x! * o[0] - y! * o[1] - z! * o[2];
        }
    }

    update(frame: FrameMessage): void {
        this.raw.set(frame.nodes);
        let d = 0;
        for (let i = 0; i < this.dual.length; i++) {
            if (!this.dual[i]) this.setLinear(i);
            else this.rows.set(frame.duals.subarray(d, (d += 8)), 12 * i);
        }
    }
}

/** Whether a frame message fits a scene: one of another model must not be drawn. */
export function frameFits(scene: SceneMessage, pose: Pose, frame: FrameMessage): boolean {
    let duals = 0;
    for (const flag of pose.dual) duals += flag;
    return frame.nodes.length === 12 * scene.nodes.length && frame.duals.length === 8 * duals;
}

// (r, d) blended, then x = Vec((r p + 2 d) r*) / (r . r)
function moveDual(b: Float64Array, px: number, py: number, pz: number, out: Float32Array,
    at: number): void {
    const [w, vx, vy, vz] = [b[0], b[1], b[2], b[3]];
    const s = 2 * b[4] - (vx * px + vy * py + vz * pz);
    const yx = w * px + vy * pz - vz * py + 2 * b[5];
    const yy = w * py + vz * px - vx * pz + 2 * b[6];
    const yz = w * pz + vx * py - vy * px + 2 * b[7];
    const f = 1 / (w * w + vx * vx + vy * vy + vz * vz);
    out[at] = f * (w * yx - s * vx - (yy * vz - yz * vy));
    out[at + 1] = f * (w * yy - s * vy - (yz * vx - yx * vz));
    out[at + 2] = f * (w * yz - s * vz - (yx * vy - yy * vx));
}

const blended = new Float64Array(8);

/** The present position of point i of a skin. */
export function movePoint(skin: Skin, pose: Pose, i: number, out: Float32Array, at: number): void {
    const { start, node, weight, rest } = skin;
    const [from, to] = [start[i], start[i + 1]];
    const px = rest[3 * i], py = rest[3 * i + 1], pz = rest[3 * i + 2];
    const rows = pose.rows;
    if (from < to && pose.dual[node[from]]) {
        blended.fill(0);
        for (let e = from; e < to; e++)
            for (let k = 0; k < 8; k++) blended[k] += weight[e] * rows[12 * node[e] + k];
        moveDual(blended, px, py, pz, out, at);
        return;
    }
    let x = 0, y = 0, z = 0;
    for (let e = from; e < to; e++) {
        const w = weight[e];
        const k = 12 * node[e];
        x += w * (rows[k] * px + rows[k + 1] * py + rows[k + 2] * pz + rows[k + 3]);
        y += w * (rows[k + 4] * px + rows[k + 5] * py + rows[k + 6] * pz + rows[k + 7]);
        z += w * (rows[k + 8] * px + rows[k + 9] * py + rows[k + 10] * pz + rows[k + 11]);
    }
    out[at] = x;
    out[at + 1] = y;
    out[at + 2] = z;
}

/** The present positions of all points of a skin. */
export function movePoints(skin: Skin, pose: Pose, out: Float32Array): void {
    for (let i = 0; i < skin.rest.length / 3; i++) movePoint(skin, pose, i, out, 3 * i);
}
