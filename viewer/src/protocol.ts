// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The messages of docs/viewer.md: their types, and a decoder of the binary ones.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w first

export interface HelloMessage {
    type: 'hello';
    version: string;
    examples: { name: string; title: string }[];
    scene: boolean;
}
export interface BusyMessage {
    type: 'busy';
    text: string;
    share?: number;
}
export interface TextMessage {
    type: 'message';
    level: 'info' | 'warning' | 'error';
    text: string;
}
export interface StatusMessage {
    type: 'status';
    playing: boolean;
    speed: number;
    recording: boolean;
    recorded: number;
    failed: string;
}
/** Settings of a scene that have changed without a new model. */
export interface SettingsMessage {
    type: 'settings';
    generation: number;
    step: number;
    gravity: Vec3;
    bodies: { damping: [number, number] }[];
    materials: { young: number; poisson: number }[];
}
export interface SceneBody {
    name: string;
    blend: 'linear' | 'dual-quaternion';
    damping: [number, number];
    mass: number;
    lo: Vec3;
    hi: Vec3;
    /** Estimated error over the largest displacement; missing unless the scene asks for it. */
    estimate?: { error: number; worst: number; large: boolean };
    /** What frames may be inserted; missing if the body is not prepared for them. */
    insert?: { budget: number; range: number; least: number; geodesic: boolean };
}
export interface SceneSurface {
    body: number;
    material: number;
    name: string;
    skinned: boolean;
}
export interface SceneNode {
    body: number;
    /** `vertex`: of a mesh, springs or particles; there may be thousands. */
    kind: 'point' | 'rigid' | 'affine' | 'quadratic' | 'vertex' | 'modes';
    handle: number;
    free: boolean;
    origin: Vec3;
}
export interface SceneHandle {
    name: string;
    body: number;
    node: number;
    motion: 'free' | 'fixed' | 'keys';
    center: Vec3;
    turn: Quat; // orientation at t = 0
}
export interface SceneInserted {
    slot: number;
    body: number;
    node: number;
    range: number; // [m]
    geodesic: boolean;
    automatic: boolean;
}
export interface SceneControl {
    kind: 'fibres' | 'muscle' | 'shape';
    name: string;
    index: number; // among the controls of a frame
    keys: boolean; // the scene has keys for it
}
export interface SceneMaterial {
    name: string;
    law: string;
    young: number;
    poisson: number;
    density: number;
    color: Vec3;
}
export interface ScenePlane {
    kind: 'plane';
    name: string;
    normal: Vec3;
    offset: number;
}
export interface SceneSolid {
    kind: 'sphere' | 'box' | 'capsule' | 'cylinder' | 'cone' | 'mesh';
    name: string;
    turn: number[]; // rows of a rotation
    at: Vec3;
    x: number[];
    triangle: number[];
}
export type SceneCollider = ScenePlane | SceneSolid;
export interface SceneMessage {
    type: 'scene';
    generation: number;
    title: string;
    name: string;
    mode: 'dynamic' | 'static' | 'modal' | 'recording';
    step: number;
    end: number;
    integrator: string;
    gravity: Vec3;
    duration: number;
    editable: boolean;
    continues: boolean;
    lo: Vec3;
    hi: Vec3;
    bodies: SceneBody[];
    surfaces: SceneSurface[];
    nodes: SceneNode[];
    handles: SceneHandle[];
    materials: SceneMaterial[];
    colliders: SceneCollider[];
    inserted: SceneInserted[];
    controls: SceneControl[];
    probes: { name: string; body: number; point?: Vec3 }[];
    modes: { frequency: number; body: number }[];
    clips: string[]; // of its skeleton
    clip: number; // the one that plays, or -1
    voxels: number;
    points: number;
    dof: number;
}
export type ServerText =
    HelloMessage | BusyMessage | TextMessage | StatusMessage | SettingsMessage | SceneMessage;

/** Vertices or integration points with the weights of the nodes that move them, row by row. */
export interface Skin {
    rest: Float32Array; // [n][3]
    start: Uint32Array; // [n + 1]
    node: Uint32Array;
    weight: Float32Array;
}
export interface SurfaceMessage extends Skin {
    type: 'surface';
    generation: number;
    surface: number;
    triangle: Uint32Array; // [ntriangle][3]
    material: Uint32Array; // [nvertex]
}
export interface PointsMessage extends Skin {
    type: 'points';
    generation: number;
    region: Uint32Array;
    body: Uint32Array;
}
export type PullKind = 'grab' | 'pin' | 'frame';
export interface Pull {
    id: number;
    kind: PullKind;
    at: Vec3;
    to: Vec3;
    force: number; // [N]
    stiffness: number; // [N/m]
}
export interface FrameMessage {
    type: 'frame';
    generation: number;
    playing: boolean;
    slow: boolean;
    failed: boolean;
    recording: boolean;
    step: number;
    time: number;
    speed: number; // that is reached
    asked: number; // that is asked for
    energy: Float32Array; // elastic, kinetic, potential, contact [J]
    timing: Float32Array; // [ms] per step: kinematics, material, assembly, contact, solve, all
    newton: number;
    ball: Float32Array; // centre, radius
    residual: number; // [N]
    pulls: Pull[];
    inserted: Float32Array; // [ninserted][3]: their centres
    muscles: Float32Array; // [nmuscle][2][3]: their ends
    controls: Float32Array; // [ncontrol][2]: share, 1 where it was set by hand
    probes: Float32Array; // [nprobe][3]
    nodes: Float32Array; // [nnode][12]: A[3][4]
    duals: Float32Array; // [ndual][8]
    stream: Float32Array; // [nstream][3]
}
export type FieldName = 'strain' | 'stress' | 'energy';
export interface FieldMessage {
    type: 'field';
    generation: number;
    field: FieldName;
    lo: number;
    hi: number;
    vertex: Uint16Array;
    sample: Uint16Array;
}
export type ServerBinary = SurfaceMessage | PointsMessage | FrameMessage | FieldMessage;

export type Command =
    | { do: 'play' | 'pause' | 'step' | 'reset' | 'points' | 'prepare' | 'close' }
    | { do: 'speed'; value: number }
    | { do: 'pull'; id: number; surface: number; vertex: number; to: Vec3; pin: boolean }
    | { do: 'move'; id: number; to: Vec3 }
    | { do: 'frame'; id: number; node: number; to: Vec3; turn: Quat }
    | { do: 'release'; id: number }
    | { do: 'handle'; handle: number; to: Vec3; turn: Quat }
    | { do: 'ball'; at: Vec3; radius: number }
    | {
        do: 'insert'; surface: number; triangle: number; share: Vec3; range: number;
        geodesic: boolean;
    }
    | { do: 'remove'; slot: number }
    | { do: 'clip'; index: number }
    | { do: 'control'; control: number; value: number; set: boolean }
    | { do: 'set'; gravity: Vec3 }
    | { do: 'set'; step: number }
    | { do: 'set'; body: number; damping: [number, number] }
    | { do: 'set'; material: number; young: number }
    | { do: 'set'; material: number; poisson: number }
    | { do: 'field'; value: 'none' | FieldName }
    | { do: 'record'; on: boolean }
    | { do: 'seek'; time: number }
    | { do: 'mode'; index: number }
    | { do: 'open'; example: string };

/** Bytes before the first array of a frame message: 11 words, the time, 18 floats. */
export const frameHead = 124;

/** Reads arrays from a message one after another, as views without copying. */
class Reader {
    private at = 0;
    private readonly view: DataView;
    constructor(private readonly buffer: ArrayBuffer) {
        this.view = new DataView(buffer);
    }
    get left(): number {
        return this.buffer.byteLength - this.at;
    }
    private take(bytes: number): number {
        if (bytes > this.left)
            throw new RangeError(`a message ends ${bytes - this.left} bytes too early`);
        const from = this.at;
        this.at += bytes;
        return from;
    }
    u32(): number {
        return this.view.getUint32(this.take(4), true);
    }
    f32(): number {
        return this.view.getFloat32(this.take(4), true);
    }
    f64(): number {
        return this.view.getFloat64(this.take(8), true);
    }
    u32s(n: number): Uint32Array {
        return new Uint32Array(this.buffer, this.take(4 * n), n);
    }
    f32s(n: number): Float32Array {
        return new Float32Array(this.buffer, this.take(4 * n), n);
    }
    u16s(n: number): Uint16Array {
        return new Uint16Array(this.buffer, this.take(2 * n), n);
    }
    vec3(): Vec3 {
        return [this.f32(), this.f32(), this.f32()];
    }
    end(slack = 0): void {
        if (this.left > slack) throw new RangeError(`a message is ${this.left} bytes too long`);
    }
}

/** Checks that rows start at 0, never go back and end at n. */
function checkRows(start: Uint32Array, n: number): void {
    let last = 0;
    for (const at of start) {
        if (at < last) throw new RangeError('rows of weights go backwards');
        last = at;
    }
    if (start[0] !== 0 || last !== n) throw new RangeError('rows of weights do not fit');
}

function checkBelow(index: Uint32Array, n: number, what: string): void {
    for (const at of index) if (at >= n) throw new RangeError(`${what} ${at} of ${n}`);
}

function decodeSurface(r: Reader, generation: number): SurfaceMessage {
    const surface = r.u32();
    const [nvertex, ntriangle, nweight] = [r.u32(), r.u32(), r.u32()];
    const rest = r.f32s(3 * nvertex);
    const triangle = r.u32s(3 * ntriangle);
    const start = r.u32s(nvertex + 1);
    const [node, weight] = [r.u32s(nweight), r.f32s(nweight)];
    const material = r.u32s(nvertex);
    r.end();
    checkRows(start, nweight);
    checkBelow(triangle, nvertex, 'a triangle has vertex');
    return {
        type: 'surface', generation, surface, rest, triangle, start, node, weight, material,
    };
}

function decodePoints(r: Reader, generation: number): PointsMessage {
    const [n, nweight] = [r.u32(), r.u32()];
    const rest = r.f32s(3 * n);
    const start = r.u32s(n + 1);
    const [node, weight] = [r.u32s(nweight), r.f32s(nweight)];
    const [region, body] = [r.u32s(n), r.u32s(n)];
    r.end();
    checkRows(start, nweight);
    return { type: 'points', generation, rest, start, node, weight, region, body };
}

const pullKinds: PullKind[] = ['grab', 'pin', 'frame'];

function decodePull(r: Reader): Pull {
    const [id, index] = [r.u32(), r.u32()];
    const kind = pullKinds[index];
    if (!kind) throw new RangeError(`a pull of kind ${index}`);
    return { id, kind, at: r.vec3(), to: r.vec3(), force: r.f32(), stiffness: r.f32() };
}

function decodeFrame(r: Reader, generation: number): FrameMessage {
    const flags = r.u32();
    const [nnode, npull, nprobe, nstream] = [r.u32(), r.u32(), r.u32(), r.u32()];
    const [ninserted, nmuscle, ncontrol] = [r.u32(), r.u32(), r.u32()];
    const step = r.u32();
    const time = r.f64();
    const [speed, asked] = [r.f32(), r.f32()];
    const [energy, timing] = [r.f32s(4), r.f32s(6)];
    const newton = r.f32();
    const ball = r.f32s(4);
    const residual = r.f32();
    if (40 * npull > r.left) throw new RangeError(`${npull} pulls in ${r.left} bytes`);
    const pulls = Array.from({ length: npull }, () => decodePull(r));
    const inserted = r.f32s(3 * ninserted);
    const muscles = r.f32s(6 * nmuscle);
    const controls = r.f32s(2 * ncontrol);
    const probes = r.f32s(3 * nprobe);
    const nodes = r.f32s(12 * nnode);
    // The scene determines the number of dual quaternions; they fill what is left over.
    const bytes = r.left - 12 * nstream;
    if (bytes < 0 || bytes % 32) throw new RangeError('a frame has the wrong length');
    const duals = r.f32s(bytes / 4);
    const stream = r.f32s(3 * nstream);
    return {
        type: 'frame', generation,
        playing: (flags & 1) !== 0, slow: (flags & 2) !== 0,
        failed: (flags & 4) !== 0, recording: (flags & 8) !== 0,
        step, time, speed, asked, energy, timing, newton, ball, residual,
        pulls, inserted, muscles, controls, probes, nodes, duals, stream,
    };
}

const fieldNames: FieldName[] = ['strain', 'stress', 'energy'];

function decodeField(r: Reader, generation: number): FieldMessage {
    const index = r.u32();
    const field = fieldNames[index - 1];
    if (!field) throw new RangeError(`unknown field ${index}`);
    const [nvertex, nsample] = [r.u32(), r.u32()];
    const [lo, hi] = [r.f32(), r.f32()];
    const [vertex, sample] = [r.u16s(nvertex), r.u16s(nsample)];
    r.end(2);
    return { type: 'field', generation, field, lo, hi, vertex, sample };
}

/** Decodes a binary message. Its arrays are views of the buffer. Throws RangeError if invalid. */
export function decode(buffer: ArrayBuffer): ServerBinary {
    const r = new Reader(buffer);
    const [kind, generation] = [r.u32(), r.u32()];
    switch (kind) {
        case 1: return decodeSurface(r, generation);
        case 2: return decodePoints(r, generation);
        case 3: return decodeFrame(r, generation);
        case 4: return decodeField(r, generation);
        default: throw new RangeError(`a message of unknown kind ${kind}`);
    }
}
