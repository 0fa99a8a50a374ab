// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew view as a test sees it: the command as a process, plain HTTP, and a WebSocket made by hand, so that
// what no browser sends can be sent.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Starts the command and waits for its address. */
export async function serve(sinew, args, options = {}) {
    const child = spawn(sinew, ['view', '--no-browser', ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        ...options,
    });
    const kill = () => child.kill('SIGKILL');
    process.on('exit', kill);
    child.on('exit', () => process.off('exit', kill));
    const server = { child, out: '', err: '', code: undefined };
    child.stderr.on('data', (data) => (server.err += data));
    server.ended = new Promise((done) =>
        child.on('exit', (code, signal) => done((server.code = code ?? signal))),
    );
    await new Promise((done) => {
        child.stdout.on('data', (data) => {
            server.out += data;
            if (server.out.includes('\n')) done();
        });
        server.ended.then(done);
    });
    const address = /open (http:\/\/([\d.]+):(\d+)\/([0-9a-f]{32})\/)/.exec(server.out);
    if (address) [, server.url, server.host, server.port, server.token] = address;
    server.stop = async (signal = 'SIGINT') => {
        child.kill(signal);
        return server.ended;
    };
    return server;
}

/** A request with full control over path and headers: {status, headers, body}. */
export function http(server, path, { method = 'GET', headers = {}, body } = {}) {
    return new Promise((done, fail) => {
        const sent = request(
            {
                host: server.host,
                port: server.port,
                method,
                path,
                headers: { Host: `${server.host}:${server.port}`, ...headers },
            },
            (answer) => {
                const parts = [];
                answer.on('data', (part) => parts.push(part));
                answer.on('error', fail);
                answer.on('end', () =>
                    done({
                        status: answer.statusCode,
                        headers: answer.headers,
                        body: Buffer.concat(parts),
                    }),
                );
            },
        );
        sent.on('error', fail);
        sent.end(body);
    });
}

/** A masked frame, as clients send them. */
export function wsFrame(payload, { opcode = 1, fin = true, length = payload.length, masked = true } = {}) {
    const head = [(fin ? 0x80 : 0) | opcode];
    const bit = masked ? 0x80 : 0;
    if (length < 126) head.push(bit | length);
    else if (length < 65536) head.push(bit | 126, length >> 8, length & 255);
    else {
        const wide = Buffer.alloc(8);
        wide.writeBigUInt64BE(BigInt(length));
        head.push(bit | 127, ...wide);
    }
    const mask = masked ? randomBytes(4) : Buffer.alloc(0);
    const data = Buffer.from(payload);
    if (masked) for (let i = 0; i < data.length; i++) data[i] ^= mask[i & 3];
    return Buffer.concat([Buffer.from(head), mask, data]);
}

/** The answer to an upgrade, and the socket: {status, socket, rest}. */
export function upgrade(server, path, headers = {}) {
    const all = {
        Host: `${server.host}:${server.port}`,
        Origin: `http://${server.host}:${server.port}`,
        Upgrade: 'websocket',
        Connection: 'Upgrade',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Protocol': 'sinew',
        ...headers,
    };
    return new Promise((done) => {
        const socket = connect(Number(server.port), server.host);
        let head = Buffer.alloc(0);
        socket.on('error', () => done({ status: 0, socket }));
        socket.on('close', () => done({ status: 0, socket }));
        const look = (data) => {
            head = Buffer.concat([head, data]);
            const end = head.indexOf('\r\n\r\n');
            if (end < 0) return;
            socket.off('data', look);
            socket.pause();
            done({
                status: Number(head.toString('latin1', 9, 12)),
                socket,
                rest: head.subarray(end + 4),
            });
        };
        socket.on('data', look);
        const lines = Object.entries(all).filter(([, value]) => value !== undefined);
        socket.write(
            `GET ${path} HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`,
        );
    });
}

const frameHead = 124;

/** What a frame message says, as far as tests ask. */
export function decodeFrame(bytes) {
    const u32 = (at) => bytes.readUInt32LE(at);
    const frame = {
        bytes,
        generation: u32(4),
        flags: u32(8),
        nnode: u32(12),
        npull: u32(16),
        nprobe: u32(20),
        nstream: u32(24),
        ninserted: u32(28),
        nmuscle: u32(32),
        ncontrol: u32(36),
        step: u32(40),
        time: bytes.readDoubleLE(44),
        reached: bytes.readFloatLE(52),
        radius: bytes.readFloatLE(116), // of the ball
        pulls: [],
    };
    let at = frameHead;
    for (let i = 0; i < frame.npull; i++, at += 40)
        frame.pulls.push({
            id: u32(at),
            kind: u32(at + 4),
            at: [8, 12, 16].map((k) => bytes.readFloatLE(at + k)),
            to: [20, 24, 28].map((k) => bytes.readFloatLE(at + k)),
            force: bytes.readFloatLE(at + 32),
        });
    const vectors = (n) => Array.from({ length: n }, () =>
        [0, 1, 2].map(() => bytes.readFloatLE((at += 4) - 4)));
    frame.inserted = vectors(frame.ninserted);
    frame.muscles = vectors(2 * frame.nmuscle);
    frame.controls = Array.from({ length: frame.ncontrol }, () => ({
        value: bytes.readFloatLE((at += 8) - 8), set: bytes.readFloatLE(at - 4) === 1,
    }));
    frame.probes = vectors(frame.nprobe);
    frame.nodes = bytes.subarray(at, at + 48 * frame.nnode);
    /** Where node i's origin is. */
    frame.place = (i) => [0, 16, 32].map((k) => frame.nodes.readFloatLE(48 * i + k));
    return frame;
}

/** A page: collects what it is told; `until` waits for it. */
export class Page {
    texts = [];
    frames = [];
    surfaces = [];
    fields = [];
    points = [];
    nframe = 0;
    nbyte = 0;
    closed = false;
    #buffer = Buffer.alloc(0);
    #waiting = [];

    static async open(server, headers) {
        const answer = await upgrade(server, `/${server.token}/ws`, headers);
        if (answer.status !== 101) throw new Error(`a page was refused with ${answer.status}`);
        return new Page(answer.socket, answer.rest);
    }

    constructor(socket, rest) {
        this.socket = socket;
        socket.on('data', (data) => this.#take(data));
        socket.on('close', () => {
            this.closed = true;
            this.#wake();
        });
        this.#take(rest);
        socket.resume();
    }

    #take(data) {
        this.#buffer = Buffer.concat([this.#buffer, data]);
        for (;;) {
            const b = this.#buffer;
            if (b.length < 2) break;
            let size = b[1] & 127;
            let at = 2;
            if (size === 126) [size, at] = b.length < 4 ? [Infinity, 4] : [b.readUInt16BE(2), 4];
            else if (size === 127)
                [size, at] = b.length < 10 ? [Infinity, 10] : [Number(b.readBigUInt64BE(2)), 10];
            if (b.length < at + size) break;
            this.#message(b[0] & 15, Buffer.from(b.subarray(at, at + size)));
            this.#buffer = b.subarray(at + size);
        }
        this.#wake();
    }

    #message(opcode, data) {
        this.nbyte += data.length;
        if (opcode === 1) this.texts.push(JSON.parse(data.toString()));
        else if (opcode === 8) this.socket.end(wsFrame(data, { opcode }));
        else if (opcode === 9) this.socket.write(wsFrame(data, { opcode: 10 }));
        else if (opcode === 2) {
            const kind = data.readUInt32LE(0);
            if (kind === 3) {
                this.nframe++;
                this.frames.push(decodeFrame(data));
            } else [null, this.surfaces, this.points, null, this.fields][kind].push(data);
        }
    }

    #wake() {
        this.#waiting = this.#waiting.filter((look) => !look());
    }

    /** The first true value of `look`, which is asked after everything that comes in. */
    until(what, look, seconds = 120) {
        return new Promise((done, fail) => {
            const timer = setTimeout(() => fail(new Error(`in vain: ${what}`)), 1000 * seconds);
            const ask = () => {
                const value = look(this);
                if (!value && !this.closed) return false;
                clearTimeout(timer);
                if (value) done(value);
                else fail(new Error(`closed while waiting for: ${what}`));
                return true;
            };
            if (!ask()) this.#waiting.push(ask);
        });
    }

    send(message) {
        this.socket.write(wsFrame(Buffer.from(JSON.stringify(message))));
    }

    text(type, from = 0) {
        return this.texts.slice(from).findLast((text) => text.type === type);
    }
    get frame() {
        return this.frames.at(-1);
    }

    /** Sends, and waits for a frame that comes later and is as asked. */
    async ask(message, what, look) {
        const from = this.frames.length;
        this.send(message);
        return this.until(what, () => this.frames.slice(from).find(look));
    }

    end() {
        this.socket.destroy();
    }
}

/** A glTF file of a bar along y with two bones and two clips: it bends, or stays. */
export function skinnedBar() {
    const parts = [], views = [], accessors = [];
    const add = (data, componentType, type, extra = {}) => {
        const byteOffset = parts.reduce((sum, p) => sum + p.length, 0);
        const bytes = Buffer.from(data.buffer);
        parts.push(bytes);
        views.push({ buffer: 0, byteOffset, byteLength: bytes.length });
        const size = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 }[type];
        accessors.push({ bufferView: views.length - 1, componentType, type, count: data.length / size, ...extra });
        return accessors.length - 1;
    };
    const [position, joints, weights, index] = [[], [], [], []];
    const rings = 9;
    for (let k = 0; k < rings; k++)
        for (const [x, z] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
            position.push(0.15 * x, k / (rings - 1), 0.15 * z);
            joints.push(0, 1, 0, 0);
            const upper = Math.min(1, Math.max(0, k - 3) / 2);
            weights.push(1 - upper, upper, 0, 0);
        }
    for (let k = 0; k + 1 < rings; k++)
        for (let i = 0; i < 4; i++) {
            const [a, b] = [4 * k + i, 4 * k + (i + 1) % 4];
            index.push(a, a + 4, b, b, a + 4, b + 4);
        }
    const top = 4 * (rings - 1);
    index.push(0, 1, 2, 0, 2, 3, top, top + 2, top + 1, top, top + 3, top + 2);
    const one = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const lower = [...one.slice(0, 13), -0.5, ...one.slice(14)];
    const attributes = {
        POSITION: add(new Float32Array(position), 5126, 'VEC3', { min: [-0.15, 0, -0.15], max: [0.15, 1, 0.15] }),
        JOINTS_0: add(new Uint16Array(joints), 5123, 'VEC4'),
        WEIGHTS_0: add(new Float32Array(weights), 5126, 'VEC4'),
    };
    const indices = add(new Uint32Array(index), 5125, 'SCALAR');
    const inverseBindMatrices = add(new Float32Array([...one, ...lower]), 5126, 'MAT4');
    const input = add(new Float32Array([0, 1]), 5126, 'SCALAR', { min: [0], max: [1] });
    const clip = (name, angle) => ({
        name,
        samplers: [{ input, output: add(new Float32Array([0, 0, 0, 1, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)]),
            5126, 'VEC4') }],
        channels: [{ sampler: 0, target: { node: 2, path: 'rotation' } }],
    });
    const animations = [clip('Bend', 1), clip('Stay', 0)];
    const all = Buffer.concat(parts);
    return JSON.stringify({
        asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0, 1] }],
        nodes: [{ mesh: 0, skin: 0 }, { name: 'Lower', children: [2] }, { name: 'Upper', translation: [0, 0.5, 0] }],
        meshes: [{ primitives: [{ attributes, indices }] }],
        skins: [{ joints: [1, 2], inverseBindMatrices }], animations, accessors, bufferViews: views,
        buffers: [{ byteLength: all.length, uri: `data:application/octet-stream;base64,${all.toString('base64')}` }],
    });
}
