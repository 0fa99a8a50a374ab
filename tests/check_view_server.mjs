// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Usage: check_view_server.mjs SINEW FOLDER: sinew view against what pages, and what no page, would send.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Page, http, serve, skinnedBar, sleep, upgrade, wsFrame } from './view_client.mjs';

const [sinew, work] = process.argv.slice(2);
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
// Scenes that come again are not compiled again.
const env = { ...process.env, TMPDIR: work, XDG_CACHE_HOME: join(resolve(work), '..', 'cache'),
    SINEW_CACHE: join(resolve(work), 'kept'), SINEW_CACHE_AFTER: '0.05' };

const scene = (changes = {}) => ({
    sinew: 1,
    title: 'a bar that hangs from a wall',
    time: { step: 0.01, end: 1 },
    materials: { rubber: { young: 2e5, poisson: 0.4, density: 1000 } },
    bodies: [
        {
            name: 'bar',
            shape: { box: { size: [1, 0.2, 0.2] }, material: 'rubber' },
            resolution: 10,
            frames: { count: 2 },
            handles: [
                { name: 'wall', region: { box: { size: [0.02, 1, 1], center: [-0.5, 0, 0] } } },
            ],
        },
    ],
    probes: [{ name: 'tip', point: [0.5, 0, 0] }],
    ...changes,
});
function file(name, content) {
    const path = join(work, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
}
const bar = file('bar.json', scene());
const near = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
/** The vertex of a surface with the largest x. */
function farthest(surface) {
    const x = Array.from({ length: surface.readUInt32LE(12) }, (_, i) => surface.readFloatLE(24 + 12 * i));
    return x.indexOf(Math.max(...x));
}
const start = (args, options) => serve(sinew, args, { env, ...options });
const leftovers = () => readdirSync(work).filter((name) => name.startsWith('sinew-'));
const withToken = (server, path) => `/${server.token}/${path}`;
const ready = (page) => page.until('a scene and a frame', () => page.text('scene') && page.frame);

const tests = {
    async 'the page and its files'(server) {
        const first = await Page.open(server);
        await ready(first);
        first.end();
        const page = await http(server, withToken(server, ''));
        assert.equal(page.status, 200);
        const html = gunzipSync(page.body).toString();
        assert.match(html, /<html/);
        for (const [, name] of html.matchAll(/(?:src|href)="\.\/([^"]+)"/g))
            assert.equal((await http(server, withToken(server, name))).status, 200, name);
        const policy = page.headers['content-security-policy'];
        assert.match(policy, /default-src 'self'/);
        assert.match(policy, /frame-ancestors 'none'/);
        assert.equal(page.headers['x-content-type-options'], 'nosniff');
        assert.equal(page.headers['referrer-policy'], 'no-referrer');
        assert.equal(page.headers['cache-control'], 'no-store');
        const picture = await http(server, withToken(server, 'gallery/beam.png'));
        assert.equal(picture.status, 200);
        assert.equal(picture.body.toString('latin1', 1, 4), 'PNG');
        const json = JSON.parse((await http(server, withToken(server, 'scene.json'))).body);
        assert.equal(json.bodies[0].name, 'bar');
        assert.equal(json.solver.iterations, 200); // every key is written out
    },

    async 'wrong tokens, hosts and origins'(server) {
        const status = (path, options) =>
            http(server, path, options).then((answer) => answer.status, () => 'hung up');
        const wrong = server.token.replace(/./g, (c) => (c === '0' ? '1' : '0'));
        assert.equal(await status('/'), 404);
        assert.equal(await status(`/${wrong}/`), 404);
        assert.equal(await status(`/${server.token}`), 404);
        assert.equal(await status(`/${server.token.slice(1)}/`), 404);
        for (const Host of ['evil.example', `evil.example:${server.port}`, '127.0.0.1', 'localhost'])
            assert.equal(await status(withToken(server, ''), { headers: { Host } }), 403, Host);
        const Host = `localhost:${server.port}`;
        assert.equal(await status(withToken(server, ''), { headers: { Host } }), 200);
        for (const path of ['../', '%2e%2e/', '../../etc/passwd', '%2e%2e%2fetc/passwd', '/etc/passwd',
            'recording.glb/../../x', 'assets/../../..', '.%00/', 'nothing'])
            assert.ok([404, 403, 'hung up'].includes(await status(withToken(server, path))), path);
        assert.equal(await status(withToken(server, 'recording.glb')), 404);
        assert.ok([404, 405].includes(await status(withToken(server, ''), { method: 'PUT' })));
        const socket = async (path, headers) => {
            const answer = await upgrade(server, path, headers);
            answer.socket.destroy();
            return answer.status;
        };
        const ws = withToken(server, 'ws');
        const there = `${server.host}:${server.port}`;
        assert.equal(await socket(ws), 101);
        assert.equal(await socket(`/${wrong}/ws`), 404);
        assert.equal(await socket('/ws'), 404);
        assert.equal(await socket(withToken(server, 'other')), 404);
        assert.equal(await socket(ws, { Host: `evil.example:${server.port}` }), 403);
        for (const Origin of ['http://evil.example', `http://evil.example:${server.port}`, 'null',
            `https://${there}`, `http://${there}.evil.example`, `http://localhost:${server.port}`])
            assert.equal(await socket(ws, { Origin }), 403, Origin);
        assert.equal(await socket(ws, { Origin: undefined }), 403);
        assert.equal(await socket(ws, { 'Sec-WebSocket-Protocol': undefined }), 404);
        assert.notEqual(await socket(ws, { 'Sec-WebSocket-Protocol': 'chat' }), 101);
        const drop = { method: 'POST', body: 'x', headers: {} };
        assert.equal(await status(withToken(server, 'drop?name=a.obj'), drop), 403);
        drop.headers.Origin = 'http://evil.example';
        assert.equal(await status(withToken(server, 'drop?name=a.obj'), drop), 403);
    },

    async 'several requests at once, with and without bodies'(server) {
        const head = (path, method = 'GET') => `${method} /${path} HTTP/1.1\r\n`
            + `Host: ${server.host}:${server.port}\r\nOrigin: http://${server.host}:${server.port}\r\n`;
        const answers = (text) => new Promise((done) => {
            const socket = connect(Number(server.port), server.host);
            let got = '';
            socket.on('data', (data) => (got += data.toString('latin1')));
            socket.on('error', () => {});
            socket.on('close', () => done(got.match(/HTTP\/1\.1 \d+/g)?.map((s) => Number(s.slice(9)))));
            socket.write(text);
        });
        const body = 'Content-Length: 2\r\n\r\nx\n';
        const drop = head(`${server.token}/drop?name=x.obj`, 'POST') + body;
        const last = `${head('last')}Connection: close\r\n\r\n`;
        assert.deepEqual(await answers(`${head('x')}\r\n`.repeat(3) + last), [404, 404, 404, 404]);
        // libwebsockets 4.1 never came back from the second of these.
        assert.deepEqual(await answers(drop + drop), [200]);
        assert.deepEqual(await answers((head('x', 'POST') + body).repeat(2)), [404]);
        assert.deepEqual(await answers((head('x') + body).repeat(2)), [400]);
        assert.equal((await http(server, withToken(server, ''))).status, 200);
    },

    async 'first messages'(server) {
        const page = await Page.open(server);
        await ready(page);
        assert.equal(page.texts[0].type, 'hello');
        assert.ok(page.texts[0].examples.length >= 3);
        const said = page.text('scene');
        assert.equal(said.mode, 'dynamic');
        assert.deepEqual(said.gravity, [0, -9.81, 0]);
        assert.equal(said.handles[0].motion, 'fixed');
        assert.deepEqual(said.handles[0].turn, [1, 0, 0, 0]);
        assert.ok(near(said.probes[0].point, [0.5, 0, 0]) < 1e-6, `${said.probes[0].point}`);
        assert.equal(page.frame.nnode, said.nodes.length);
        await page.until('surfaces', () => page.surfaces.length === said.surfaces.length);
        const [, , , nvertex, ntriangle, nweight] = new Uint32Array(
            page.surfaces[0].buffer.slice(page.surfaces[0].byteOffset), 0, 6);
        assert.equal(page.surfaces[0].length,
            4 * (6 + 3 * nvertex + 3 * ntriangle + nvertex + 1 + 2 * nweight + nvertex));
        page.send({ do: 'points' });
        await page.until('points', () => page.points.length);
        const [n, nw] = [page.points[0].readUInt32LE(8), page.points[0].readUInt32LE(12)];
        assert.equal(page.points[0].length, 4 * (4 + 3 * n + n + 1 + 2 * nw + 2 * n));
        assert.equal(n, said.points);
        let sum = 0; // weights of the first point
        for (let i = 0, first = 16 + 12 * n; i < page.points[0].readUInt32LE(first + 4); i++)
            sum += page.points[0].readFloatLE(first + 4 * (n + 1) + 4 * nw + 4 * i);
        assert.ok(Math.abs(sum - 1) < 1e-5, `weights sum to ${sum}`);
        page.end();
    },

    async 'nonsense is told and survived'(server) {
        const page = await Page.open(server);
        await ready(page);
        const errors = () => page.texts.filter((t) => t.type === 'message' && t.level === 'error');
        const bad = ['{', '[]', '1', '""', '{}', '{"do": 1}', '{"do": "paly"}', '{"do": "speed"}',
            '{"do": "speed", "value": 100}', '{"do": "speed", "value": "1"}', '{"do": "play", "x": 1}',
            '{"do": "move", "id": -1, "to": [0, 0, 0]}', '{"do": "move", "id": 1, "to": [0, 0]}',
            '{"do": "pull", "id": 1, "surface": 9, "vertex": 0, "to": [0, 0, 0], "pin": false}',
            '{"do": "pull", "id": 1, "surface": 0, "vertex": 99999999, "to": [0, 0, 0], "pin": false}',
            '{"do": "handle", "handle": 7, "to": [0, 0, 0], "turn": [1, 0, 0, 0]}',
            '{"do": "handle", "handle": 0, "to": [0, 0, 0], "turn": [0, 0, 0, 0]}',
            '{"do": "frame", "id": 1, "node": 2, "to": [0, 0, 0], "turn": [1, 0, 0, 0]}',
            '{"do": "ball", "at": [0, 0, 0], "radius": -1}', '{"do": "set"}',
            '{"do": "set", "material": 0, "young": -5}', '{"do": "set", "step": 0}',
            '{"do": "set", "material": 0, "poisson": 0.7}', '{"do": "set", "body": 4, "damping": [0, 0]}',
            '{"do": "field", "value": "colour"}', '{"do": "open", "example": "../../etc/passwd"}',
            '{"do": "insert", "surface": 0, "triangle": 0, "share": [1, 0, 0], "range": 0.1}',
            '{"do": "insert", "surface": 0, "triangle": 0, "share": [1, 1, 0], "range": 0.1, "geodesic": true}',
            '{"do": "insert", "surface": 0, "triangle": 0, "share": [2, -1, 0], "range": 0.1, "geodesic": true}',
            '{"do": "insert", "surface": 0, "triangle": 0, "share": [1, 0, 0], "range": -1, "geodesic": true}',
            '{"do": "insert", "surface": 0, "triangle": 99999999, "share": [1, 0, 0], "range": 0.1, "geodesic": true}',
            '{"do": "insert", "surface": 7, "triangle": 0, "share": [1, 0, 0], "range": 0.1, "geodesic": true}',
            '{"do": "insert", "surface": 0, "triangle": 0, "share": [1, 0, 0], "range": 0.1, "geodesic": true}',
            '{"do": "remove", "slot": -1}', '{"do": "remove", "slot": 0}', '{"do": "remove", "slot": 1000}',
            '{"do": "control", "control": 99, "value": 1, "set": true}',
            '{"do": "control", "control": 0, "value": "1", "set": true}',
            '{"do": "mode", "index": 3}', '[[[[[[[[', '{"do": "set", "gravity": [1e400, 0, 0]}'];
        for (const text of bad) page.socket.write(wsFrame(Buffer.from(text)));
        page.socket.write(wsFrame(Buffer.from([0xff, 0xfe, 1, 2, 3]), { opcode: 2 }));
        await page.until('an error for each', () => errors().length >= bad.length + 1);
        assert.ok(errors().some((e) => e.text.includes('did you mean "play"')));
        assert.ok(!errors().some((e) => e.text === ''));
        const { time } = page.frame;
        await page.until('motion', () => page.frame.time > time);
        for (let i = 0; i < 100; i++) page.socket.write(wsFrame(Buffer.from('{')));
        await page.until('the end', () => page.closed || undefined).catch(() => {});
        assert.ok(page.closed);
    },

    async 'oversized, unmasked and endless messages'(server) {
        const witness = await Page.open(server);
        await ready(witness);
        const attempts = {
            large: wsFrame(Buffer.alloc(65537, 32)),
            huge: wsFrame(Buffer.from('{"do"'), { length: 2 ** 40 }),
            endless: Buffer.concat(Array.from({ length: 40 }, (_, i) =>
                wsFrame(Buffer.alloc(2000, 32), { opcode: i ? 0 : 1, fin: false }))),
            unmasked: wsFrame(Buffer.from('{"do": "points"}'), { masked: false }),
            rubbish: Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) & 255)),
        };
        for (const [name, bytes] of Object.entries(attempts)) {
            const page = await Page.open(server);
            page.socket.on('error', () => {});
            page.socket.write(bytes);
            await Promise.race([
                page.until(name, () => page.closed).catch(() => {}),
                sleep(name === 'unmasked' ? 500 : 20000), // ignoring it would do as well
            ]);
            if (name !== 'unmasked') assert.ok(page.closed, name);
            page.end();
        }
        const { time } = witness.frame;
        await witness.until('motion', () => witness.frame.time > time);
        assert.ok(witness.text('status').playing);
        witness.end();
    },

    async 'two pages see the same; one that never reads disturbs nobody'(server) {
        const deaf = await upgrade(server, withToken(server, 'ws'));
        assert.equal(deaf.status, 101);
        deaf.socket.pause();
        const [a, b] = [await Page.open(server), await Page.open(server)];
        await ready(a);
        await ready(b);
        await a.until('frames', () => a.nframe > 100);
        const seen = new Map(a.frames.map((f) => [f.time, f.bytes]));
        const shared = b.frames.filter((f) => seen.has(f.time));
        assert.ok(shared.length > 20, `${shared.length} frames in common`);
        for (const f of shared) assert.ok(f.bytes.equals(seen.get(f.time)));
        deaf.socket.destroy();
        a.end();
        b.end();
    },

    async 'pages come and go, sixteen at a time'(server) {
        const pages = [];
        for (let i = 0; i < 16; i++) pages.push(await Page.open(server));
        assert.equal((await upgrade(server, withToken(server, 'ws'))).status, 503);
        for (const page of pages) page.end();
        await sleep(200);
        for (let i = 0; i < 30; i++) {
            const { socket } = await upgrade(server, withToken(server, 'ws'));
            socket.destroy();
        }
        const half = connect(Number(server.port), server.host);
        half.write(`GET ${withToken(server, '')} HTTP/1.1\r\nHost: `);
        await sleep(50);
        half.destroy();
        let page;
        for (let i = 0; !page && i < 100; i++)
            page = await Page.open(server).catch(() => sleep(50));
        await ready(page);
        page.end();
    },

    async 'pause, step, speed, exact reset'(server) {
        const page = await Page.open(server);
        await ready(page);
        page.send({ do: 'pause' });
        await page.until('a pause', () => page.text('status').playing === false);
        const first = await page.ask({ do: 'reset' }, 'reset', (f) => f.time === 0);
        const stepped = await page.ask({ do: 'step' }, 'a step', (f) => f.step === 1);
        assert.ok(Math.abs(stepped.time - 0.01) < 1e-12);
        assert.ok(!stepped.nodes.equals(first.nodes));
        const count = page.nframe;
        await sleep(300);
        assert.equal(page.nframe, count, 'nothing is sent while nothing changes');
        page.send({ do: 'play' });
        await page.until('motion', () => page.frame.time > 0.3);
        page.send({ do: 'pause' });
        const again = await page.ask({ do: 'reset' }, 'reset', (f) => f.time === 0 && !(f.flags & 1));
        assert.ok(again.bytes.equals(first.bytes), 'a reset is exact');
        await page.ask({ do: 'step' }, 'a step', (f) => f.step === 1 && f.nodes.equals(stepped.nodes));
        page.send({ do: 'speed', value: 0.1 });
        await page.until('the speed', () => page.text('status').speed === 0.1);
        page.send({ do: 'speed', value: 1 });
        page.send({ do: 'play' });
        page.end();
    },

    async 'pulls, pins, frames, handles, the ball'(server) {
        const page = await Page.open(server);
        await ready(page);
        page.send({ do: 'reset' });
        page.send({ do: 'play' });
        const vertex = 0;
        const id = 17;
        page.send({ do: 'pull', id, surface: 0, vertex, to: [-0.5, 0.4, 0], pin: false });
        const held = await page.until('a pull', () => page.frame.pulls.find((p) => p.id === id));
        assert.equal(held.kind, 0);
        assert.ok(held.force > 0);
        const free = page.text('scene').nodes.findIndex((n) => n.free);
        const before = page.frame.place(free);
        page.send({ do: 'release', id });
        await page.until('its end', () => page.frame.npull === 0);
        // The end of the bar goes where it is drawn to.
        const tip = farthest(page.surfaces[0]);
        const to = [0.5, 0.5, 0];
        page.send({ do: 'pull', id, surface: 0, vertex: tip, to: [0.5, 0, 0], pin: true });
        const pinned = await page.until('a pin', () => page.frame.pulls.find((p) => p.kind === 1));
        const distance = near(pinned.at, to);
        page.send({ do: 'move', id, to });
        await page.until('it follows', () => near(page.frame.pulls[0].at, to) < distance / 2);
        assert.ok(near(page.frame.place(free), before) > 0.01);
        page.send({ do: 'frame', id: 18, node: free, to: [0.3, 0.3, 0], turn: [1, 0, 0, 0] });
        await page.until('a drawn frame', () => page.frame.pulls.some((p) => p.kind === 2));
        page.send({ do: 'pull', id: 19, surface: 0, vertex: 3, to: [0, 1, 0], pin: false });
        await page.until('three', () => page.frame.npull === 3);
        // What a page holds goes with it; pins stay.
        const other = await Page.open(server);
        await ready(other);
        page.end();
        await other.until('the pin alone', () => other.frame.npull === 1);
        assert.equal(other.frame.pulls[0].kind, 1);
        other.send({ do: 'release', id });
        const wall = other.text('scene').handles[0];
        const there = wall.center.map((x, i) => x + [0, 0.2, 0][i]);
        const origin = other.frame.place(wall.node);
        other.send({ do: 'handle', handle: 0, to: there, turn: [1, 0, 0, 0] });
        await other.until('the handle', () =>
            Math.abs(other.frame.place(wall.node)[1] - origin[1] - 0.2) < 1e-4);
        // Half a turn has two ways.
        other.send({ do: 'handle', handle: 0, to: there, turn: [0, 0, 0, 1] });
        await other.until('the turned handle', () =>
            Math.abs(other.frame.nodes.readFloatLE(48 * wall.node + 4) + 1) < 1e-4);
        other.send({ do: 'handle', handle: 0, to: there, turn: [1, 0, 0, 0] });
        await other.until('the handle turned back', () =>
            Math.abs(other.frame.nodes.readFloatLE(48 * wall.node + 4) - 1) < 1e-4);
        other.send({ do: 'ball', at: [0, -2, 0], radius: 0.1 });
        await other.until('the ball', () =>
            Math.abs(other.frame.radius - 0.1) < 1e-6);
        other.send({ do: 'ball', at: [0, -2, 0], radius: 0 });
        await other.until('no ball', () => other.frame.radius === 0);
        const failed = other.texts.filter((t) => t.type === 'message' && t.level === 'error');
        assert.deepEqual(failed, []);
        await other.ask({ do: 'reset' }, 'reset', (f) => f.npull === 0 && f.time < 0.2);
        other.end();
    },

    async 'settings'(server) {
        const page = await Page.open(server);
        await ready(page);
        page.send({ do: 'pause' });
        page.send({ do: 'reset' });
        page.send({ do: 'set', gravity: [0, 5, 0] });
        await page.until('settings', () => page.text('settings')?.gravity[1] === 5);
        page.send({ do: 'play' });
        const sag = (f) => f.probes[0][1];
        await page.until('the tip rises', () => sag(page.frame) > 0.001);
        page.send({ do: 'set', body: 0, damping: [1, 0.01] });
        await page.until('damping', () => page.text('settings').bodies[0].damping[0] === 1);
        page.send({ do: 'set', step: 0.005 });
        await page.until('a step', () => page.text('settings').step === 0.005);
        const { generation } = page.text('scene');
        for (const young of [3e5, 4e5, 5e5]) page.send({ do: 'set', material: 0, young });
        const next = await page.until('the last of them', () =>
            page.texts.find((t) => t.type === 'scene' && t.generation > generation
                && t.materials[0].young === 5e5));
        assert.equal(next.continues, true);
        assert.deepEqual(next.gravity, [0, 5, 0]);
        assert.equal(next.step, 0.005);
        const { time } = page.frame;
        await page.until('it goes on', () => page.frame.time > time && page.frame.step > 0);
        const json = JSON.parse((await http(server, withToken(server, 'scene.json'))).body);
        assert.equal(json.materials.rubber.young, 5e5);
        assert.deepEqual(json.gravity, [0, 5, 0]);
        page.send({ do: 'set', gravity: [0, -9.81, 0] });
        // The first of these cannot be compiled, which must not take the second one back.
        page.send({ do: 'set', material: 0, young: 1e-300 });
        await sleep(10);
        page.send({ do: 'set', material: 0, young: 6e5 });
        await page.until('the good one', () => page.text('scene').materials[0].young === 6e5);
        const kept = JSON.parse((await http(server, withToken(server, 'scene.json'))).body);
        assert.equal(kept.materials.rubber.young, 6e5);
        page.end();
    },

    async fields(server) {
        const page = await Page.open(server);
        await ready(page);
        for (const [i, value] of ['strain', 'stress', 'energy'].entries()) {
            page.send({ do: 'field', value });
            const field = await page.until(value, () =>
                page.fields.find((f) => f.readUInt32LE(8) === i + 1 && f.readFloatLE(24) > 0));
            assert.equal(field.readUInt32LE(12), page.surfaces[0].readUInt32LE(12));
            assert.equal(field.readUInt32LE(16), page.text('scene').points);
        }
        page.send({ do: 'field', value: 'none' });
        await sleep(200);
        const count = page.fields.length;
        await page.until('frames', () => page.nframe > 30);
        assert.equal(page.fields.length, count);
        page.end();
    },

    async 'recording'(server) {
        const page = await Page.open(server);
        await ready(page);
        page.send({ do: 'reset' });
        page.send({ do: 'play' });
        page.send({ do: 'record', on: true });
        await page.until('recording', () => page.frame.flags & 8 && page.frame.time > 0.5);
        page.send({ do: 'record', on: false });
        const seconds = await page.until('recorded', () => page.text('status').recorded);
        assert.ok(seconds > 0.4, `${seconds} s`);
        const glb = await http(server, withToken(server, 'recording.glb'));
        assert.equal(glb.status, 200);
        assert.match(glb.headers['content-disposition'], /attachment/);
        assert.equal(glb.body.toString('latin1', 0, 4), 'glTF');
        assert.equal(glb.body.readUInt32LE(8), glb.body.length);
        const swr = await http(server, withToken(server, 'recording.swr'));
        assert.equal(swr.status, 200);
        const name = withToken(server, 'drop?name=run.swr');
        const Origin = `http://${server.host}:${server.port}`;
        const answer = await http(server, name, { method: 'POST', headers: { Origin }, body: swr.body });
        assert.equal(answer.status, 200);
        const played = await page.until('a recording', () =>
            page.texts.find((t) => t.type === 'scene' && t.mode === 'recording'));
        assert.ok(Math.abs(played.duration - seconds) < 1e-9);
        assert.equal(played.editable, false);
        await page.until('its end', () => page.text('status').playing === false);
        const told = page.texts.length;
        page.send({ do: 'ball', at: [0, 0, 0], radius: 0.1 });
        await page.until('that it cannot be touched', () => page.text('message', told));
        assert.equal(page.frame.radius, 0);
        await page.ask({ do: 'seek', time: seconds / 2 }, 'its middle',
            (f) => Math.abs(f.time - seconds / 2) < 1e-9);
        page.end();
    },

    async 'dropped files'(server) {
        const page = await Page.open(server);
        await page.until('hello', () => page.text('hello'));
        const Origin = `http://${server.host}:${server.port}`;
        const drop = async (name, body, headers = {}) =>
            (await http(server, withToken(server, `drop?name=${name}`), {
                method: 'POST', headers: { Origin, ...headers }, body,
            })).status;
        const cube = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n'
            + 'f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n';
        assert.equal(await drop('..%2F..%2Fa%20cube.obj', cube), 200);
        const scene1 = await page.until('a cube', () =>
            page.texts.find((t) => t.type === 'scene' && t.name === 'a_cube.obj'));
        assert.equal(scene1.mode, 'dynamic');
        const { generation } = page.text('scene');
        const frames = page.nframe;
        const from = page.texts.length;
        assert.equal(await drop('broken.obj', 'v 0 0\nf 1 2 3\n'), 200);
        const told = await page.until('an error', () =>
            page.texts.slice(from).find((t) => t.type === 'message' && t.level === 'error'));
        assert.match(told.text, /broken\.obj/);
        assert.ok(!told.text.includes(work), told.text);
        for (const [name, body] of [['x.json', '{"sinew": 1, "bodyes": []}'], ['x', ''], ['', 'abc'],
            ['x.nii.gz', '\x1f\x8b'], ['x.gltf', '{}'], ['x.swr', 'SINEW\r\n\x1arecord..']]) {
            const at = page.texts.length;
            assert.equal(await drop(name, body), 200);
            await page.until(`an error for ${name}`, () =>
                page.texts.slice(at).find((t) => t.type === 'message' && t.level === 'error'));
        }
        await page.until('the cube moves on', () => page.nframe > frames + 5);
        assert.equal(page.text('scene').generation, generation);
        // Too large, of no known length, gone in the middle.
        assert.equal(await drop('large.obj', undefined, { 'Content-Length': 512 * 2 ** 20 + 1 }), 413);
        const line = `POST ${withToken(server, 'drop?name=half.obj')} HTTP/1.1\r\n`
            + `Host: ${server.host}:${server.port}\r\nOrigin: ${Origin}\r\n`;
        const half = connect(Number(server.port), server.host);
        half.on('error', () => {});
        half.write(`${line}Content-Length: 1000000\r\n\r\nv 0 0 0\n`);
        await page.until('that it comes', () => page.text('busy')?.text === 'half.obj');
        half.destroy();
        await page.until('that it does not', () => page.text('busy').text === '');
        const endless = connect(Number(server.port), server.host);
        endless.on('error', () => {});
        endless.write(`${line}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`);
        await new Promise((done) => endless.on('close', done).on('data', done));
        endless.destroy();
        const again = page.nframe;
        await page.until('the cube moves on', () => page.nframe > again + 5);
        page.end();
    },

    async 'examples, statics, vibrations, the gallery'(server) {
        const page = await Page.open(server);
        await page.until('hello', () => page.text('hello'));
        const from = page.texts.length;
        page.send({ do: 'open', example: 'fork' });
        const fork = await page.until('vibrations', () =>
            page.texts.slice(from).find((t) => t.type === 'scene' && t.mode === 'modal'));
        assert.ok(fork.modes.length > 1 && fork.modes[0].frequency > 0);
        assert.equal(page.texts.filter((t) => t.type === 'hello').length, 1);
        page.send({ do: 'mode', index: 1 });
        const { nodes } = page.frame ?? (await page.until('a frame', () => page.frame));
        await page.until('it vibrates', () => !page.frame.nodes.equals(nodes));
        const still = scene({ analysis: 'static' });
        const Origin = `http://${server.host}:${server.port}`;
        await http(server, withToken(server, 'drop?name=still.json'),
            { method: 'POST', headers: { Origin }, body: JSON.stringify(still) });
        const said = await page.until('statics', () =>
            page.texts.find((t) => t.type === 'scene' && t.mode === 'static'));
        const sag = (f) => f.probes[0][1];
        const equilibrium = await page.until('an equilibrium', () =>
            page.frame.generation === said.generation && sag(page.frame) < -1e-4 && page.frame);
        const surface = await page.until('its surface', () =>
            page.surfaces.find((s) => s.readUInt32LE(4) === said.generation));
        page.send({ do: 'pull', id: 5, surface: 0, vertex: farthest(surface), to: [0, 1, 0], pin: false });
        await page.until('another one', () => page.frame.npull === 1
            && !page.frame.nodes.equals(equilibrium.nodes));
        page.send({ do: 'set', gravity: [0, 0, 0] });
        page.send({ do: 'release', id: 5 });
        await page.until('a third', () => Math.abs(sag(page.frame)) < 1e-3);
        page.send({ do: 'close' });
        await page.until('the gallery', () => page.text('hello').scene === false);
        page.send({ do: 'play' });
        await page.until('an error', () => page.text('message')?.text.includes('nothing is open'));
        page.end();
    },
};

async function check(name, run) {
    const start = Date.now();
    try {
        await Promise.race([run(), sleep(120000).then(() => assert.fail('no end'))]);
        console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
        console.log(`FAILED  ${name}\n${error.stack}`);
        process.exitCode = 1;
    }
}

// ---- one simulation for all of these, which has to live through them ----
const server = await start([bar]);
for (const [name, run] of Object.entries(tests)) await check(name, () => run(server));
await check('Ctrl-C ends it, and nothing stays', async () => {
    const page = await Page.open(server);
    assert.equal(await server.stop('SIGINT'), 0);
    assert.equal(server.err.replace(/sinew: warning.*\n/g, ''), '');
    assert.deepEqual(leftovers(), []);
    page.end();
});

await check('a step that fails is told, and reset leads out of it', async () => {
    const wild = scene({ gravity: [0, -1e9, 0] });
    wild.solver = { iterations: 2 };
    const failing = await start([file('wild.json', wild)]);
    const page = await Page.open(failing);
    await page.until('a failure', () => page.text('status')?.failed);
    await page.until('its flag', () => page.frame?.flags & 4 && !(page.frame.flags & 1));
    await page.ask({ do: 'reset' }, 'reset', (f) => f.time === 0 && !(f.flags & 4));
    assert.equal(page.text('status').failed, '');
    assert.equal(await failing.stop('SIGTERM'), 0);
});

await check('what is pulled too hard is let go', async () => {
    const tense = await start([bar]);
    const page = await Page.open(tense);
    await ready(page);
    await page.until('a surface', () => page.surfaces.length);
    const vertex = farthest(page.surfaces[0]);
    page.send({ do: 'pull', id: 1, surface: 0, vertex, to: [0.5, 0, 0], pin: true });
    page.send({ do: 'pull', id: 2, surface: 0, vertex, to: [1e6, 1e6, 0], pin: false });
    await page.until('both', () => page.frame.npull === 2);
    page.send({ do: 'ball', at: [0, 0, 0], radius: 1e8 });
    await page.until('a warning', () => page.text('message')?.text.includes('let go'));
    const { time } = page.frame;
    await page.until('it goes on', () => page.frame.time > time + 0.1 && page.frame.npull === 1);
    assert.equal(page.frame.pulls[0].kind, 1);
    assert.equal(page.frame.radius, 0);
    assert.equal(page.text('status').failed, '');
    assert.equal(await tense.stop(), 0);
});

await check('frames are inserted and removed', async () => {
    const soft = await start([bar]);
    const page = await Page.open(soft);
    await ready(page);
    const errors = () => page.texts.filter((t) => t.type === 'message' && t.level === 'error');
    const insert = (triangle, range = 0.4) => page.send({
        do: 'insert', surface: 0, triangle, share: [0.25, 0.25, 0.5], range, geodesic: true });
    insert(0);
    await page.until('a body that is not prepared', () => errors()[0]?.text.includes('not prepared'));
    page.send({ do: 'prepare' });
    const prepared = await page.until('a prepared body', () => page.texts.find((t) => t.bodies?.[0].insert));
    assert.equal(prepared.continues, true);
    assert.equal(prepared.bodies[0].insert.budget, 8);
    assert.deepEqual(prepared.inserted, []);
    await page.until('motion', () => page.frame.generation === prepared.generation && page.frame.time > 0.1);
    const last = page.surfaces.at(-1);
    const ntriangle = last.readUInt32LE(16);
    const steps = page.frame.step;
    for (let i = 0; i < 9; i++)
        insert(Math.floor((i * ntriangle) / 9));
    await page.until('one too many', () => errors()[1]?.text.includes('budget'));
    const full = page.text('scene');
    assert.equal(full.inserted.length, 8);
    assert.equal(full.nodes.length, prepared.nodes.length + 8);
    assert.equal(full.continues, true);
    await page.until('its surface', () => page.surfaces.at(-1).readUInt32LE(4) === full.generation);
    const frame = await page.until('its frame', () => page.frame.generation === full.generation && page.frame);
    assert.equal(frame.nnode, full.nodes.length);
    assert.equal(frame.ninserted, 8);
    assert.ok(frame.step >= steps, 'the motion goes on');
    for (const at of frame.inserted)
        assert.ok(near(at, [0, 0, 0]) < 1, `${at}`);
    page.send({ do: 'points' });
    await page.until('points', () => page.points.at(-1)?.readUInt32LE(4) === full.generation);
    page.send({ do: 'field', value: 'strain' });
    await page.until('a field', () => page.fields.at(-1)?.readUInt32LE(4) === full.generation);
    // A page that comes later sees it all, as something new.
    const late = await Page.open(soft);
    await ready(late);
    assert.equal(late.text('scene').inserted.length, 8);
    assert.equal(late.text('scene').continues, false);
    late.end();
    // What is recorded meanwhile has no .swr.
    page.send({ do: 'record', on: true });
    await page.until('recording', () => page.frame.flags & 8);
    const { time } = page.frame;
    await page.until('motion', () => page.frame.time > time + 0.2);
    page.send({ do: 'remove', slot: full.inserted[7].slot });
    await page.until('one less', () => page.text('scene').inserted.length === 7);
    insert(Math.floor((7 * ntriangle) / 9));
    await page.until('as many again', () => page.text('scene').inserted.length === 8);
    page.send({ do: 'record', on: false });
    await page.until('recorded', () => page.text('status').recorded > 0);
    const glb = await http(soft, withToken(soft, 'recording.glb'));
    assert.equal(glb.body.toString('latin1', 0, 4), 'glTF');
    assert.equal((await http(soft, withToken(soft, 'recording.swr'))).status, 404);
    // Another material: the frames stay. Gravity: at once.
    page.send({ do: 'set', material: 0, young: 4e5 });
    await page.until('another material', () => page.text('scene').materials[0].young === 4e5);
    assert.equal(page.text('scene').inserted.length, 8);
    page.send({ do: 'set', gravity: [0, 5, 0] });
    await page.until('the tip rises', () => page.frame.probes[0][1] > 0.001);
    page.send({ do: 'remove', slot: full.inserted[3].slot });
    await page.until('seven', () => page.text('scene').inserted.length === 7);
    page.send({ do: 'remove', slot: full.inserted[3].slot });
    await page.until('it is gone', () => errors()[2]?.text.includes('no frame was inserted'));
    const told = page.texts.filter((t) => t.type === 'message' && t.level === 'info');
    assert.match(told.at(-1).text, /removed: .* integration points, energy .* J, .* ms/);
    page.send({ do: 'reset' });
    await page.until('a reset', () => page.text('scene').inserted.length === 0);
    await page.until('frames of the base', () => page.frame.nnode === prepared.nodes.length && page.frame.time > 0);
    const json = JSON.parse((await http(soft, withToken(soft, 'scene.json'))).body);
    assert.deepEqual(json.bodies[0].frames.adapt.budget, 8);
    assert.equal(await soft.stop(), 0);
});

await check('frames come by themselves where the scene says so', async () => {
    const pressed = scene({ gravity: [0, 0, 0] });
    pressed.bodies[0].resolution = 20;
    pressed.bodies[0].frames.adapt = { budget: 4 };
    const server = await start([file('pressed.json', pressed)]);
    const page = await Page.open(server);
    await ready(page);
    assert.deepEqual(page.text('scene').inserted, []);
    page.send({ do: 'ball', at: [0.2, 0.12, 0], radius: 0.1 });
    const said = await page.until('a frame', () => page.texts.find((t) => t.inserted?.length > 0));
    assert.ok(said.inserted.every(({ automatic }) => automatic));
    await page.until('it goes on', () => page.frame.generation >= said.generation && page.frame.time > 0.3);
    assert.equal(page.text('message'), undefined);
    assert.equal(await server.stop(), 0);
});

await check('bodies into which no frames can be inserted', async () => {
    for (const frames of [{ count: 2, kind: 'rigid', blend: 'dual-quaternion' }, { count: 2, precompute: true }]) {
        const stiff = scene();
        stiff.bodies[0].frames = frames;
        const server = await start([file('stiff.json', stiff)]);
        const page = await Page.open(server);
        await ready(page);
        page.send({ do: 'prepare' });
        await page.until('an error', () => page.text('message')?.text.includes('no frames can be inserted'));
        page.send({ do: 'field', value: 'strain' });
        await page.until('strain', () => page.fields.at(-1)?.readFloatLE(24) > 0);
        assert.equal(await server.stop(), 0);
    }
});

await check('muscles and shapes are set by hand', async () => {
    const strong = scene({ gravity: [0, 0, 0] });
    strong.bodies[0].muscles = [{ name: 'biceps', from: { point: [-0.3, 0.05, 0] }, to: { point: [0.3, 0.05, 0] },
        strength: 200, activation: 0.1 }];
    const server = await start([file('strong.json', strong)]);
    const page = await Page.open(server);
    await ready(page);
    const said = page.text('scene');
    assert.deepEqual(said.controls.map(({ kind, name }) => [kind, name]), [['muscle', 'biceps']]);
    const { index } = said.controls[0];
    const length = () => near(...page.frame.muscles);
    await page.until('its own share', () => Math.abs(page.frame.controls[index].value - 0.1) < 1e-6);
    const before = length();
    page.send({ do: 'control', control: index, value: 7, set: true });
    await page.until('all of it', () => page.frame.controls[index].value === 1 && page.frame.controls[index].set);
    await page.until('it is shorter', () => length() < before - 0.005);
    page.send({ do: 'control', control: index, value: 0, set: false });
    await page.until('as it was', () => !page.frame.controls[index].set
        && Math.abs(page.frame.controls[index].value - 0.1) < 1e-6);
    assert.equal(await server.stop(), 0);
});

await check('a character: its clips', async () => {
    const server = await start([file('bar.gltf', skinnedBar())]);
    const page = await Page.open(server);
    await ready(page);
    const said = page.text('scene');
    assert.deepEqual([said.clips, said.clip], [['Bend', 'Stay'], 0]);
    const upper = said.handles.find(({ name }) => name === 'Upper').node;
    const aside = () => page.frame.nodes.readFloatLE(48 * upper + 8); // sine of the angle it is turned by
    await page.until('it bends', () => Math.abs(aside()) > 0.3);
    page.send({ do: 'clip', index: 9 });
    await page.until('an error', () => page.text('message')?.text.includes('no clip 9'));
    page.send({ do: 'clip', index: 1 });
    const other = await page.until('the other clip', () => page.texts.find((t) => t.type === 'scene' && t.clip === 1));
    assert.deepEqual([other.continues, other.clips], [true, ['Bend', 'Stay']]);
    await page.until('its beginning', () => page.frame.generation === other.generation);
    assert.ok(page.frame.time < 0.5, `it starts at ${page.frame.time} s`);
    await page.until('its end', () => page.frame.time > 1);
    assert.ok(Math.abs(aside()) < 0.01, 'it stays straight');
    assert.equal(await server.stop(), 0);
});

await check('a saved model: all but its materials can change', async () => {
    const saved = join(work, 'bar.model');
    execFileSync(sinew, ['run', bar, '--end', '0.01', '--save-model', saved], { stdio: 'ignore' });
    const model = await start([saved]);
    const page = await Page.open(model);
    await ready(page);
    assert.equal(page.text('scene').editable, false);
    page.send({ do: 'set', gravity: [0, 5, 0] });
    page.send({ do: 'set', step: 0.005 });
    page.send({ do: 'set', body: 0, damping: [1, 0.01] });
    await page.until('all of it', () => page.text('settings')?.bodies[0].damping[0] === 1
        && page.text('settings').step === 0.005 && page.text('settings').gravity[1] === 5);
    const errors = () => page.texts.filter((t) => t.type === 'message' && t.level === 'error').length;
    const bad = [{ step: 0 }, { body: 0, damping: [-1, 0] }, { body: 1, damping: [0, 0] },
        { material: 0, young: 1e5 }];
    for (const what of bad) page.send({ do: 'set', ...what });
    await page.until('errors', () => errors() === bad.length);
    assert.equal(await model.stop(), 0);
});

await check('what a killed command left goes with the next one', async () => {
    const killed = await start([]);
    assert.equal(await killed.stop('SIGKILL'), 'SIGKILL');
    assert.equal(leftovers().length, 1);
    const [one, two] = [await start([]), await start([])];
    assert.equal(leftovers().length, 2);
    assert.equal(await one.stop(), 0);
    assert.equal(await two.stop(), 0);
    assert.deepEqual(leftovers(), []);
});

await check('an end in the middle of compiling and receiving', async () => {
    const large = scene();
    large.bodies[0].resolution = 150;
    const busy = await start([file('large.json', large)]);
    const socket = connect(Number(busy.port), busy.host);
    socket.on('error', () => {});
    socket.write(`POST /${busy.token}/drop?name=a.obj HTTP/1.1\r\nHost: ${busy.host}:${busy.port}\r\n`
        + `Origin: http://${busy.host}:${busy.port}\r\nContent-Length: 1000\r\n\r\nv 0 0 0\n`);
    await sleep(300);
    assert.equal(await busy.stop(), 0);
    assert.deepEqual(leftovers(), []);
});

await check('mistakes on the command line', async () => {
    const first = await start([]);
    const second = await start(['--port', first.port]);
    assert.equal(await second.ended, 2);
    assert.match(second.err, new RegExp(`port ${first.port} is in use`));
    assert.equal(await first.stop('SIGHUP'), 0);
    const pipe = join(work, 'pipe.json');
    execFileSync('mkfifo', [pipe]);
    for (const [args, expected] of [
        [['missing.json'], /missing\.json/],
        [[pipe], /not a regular file/],
        [[file('bad.json', '{"sinew": 1, "bodeis": []}')], /bodies/],
        [['--host', 'somewhere'], /--host/],
        [['--port', '70000'], /--port/],
    ]) {
        const wrong = await start(args);
        assert.equal(await wrong.ended, 2, args.join(' '));
        assert.match(wrong.err, expected);
    }
    assert.deepEqual(leftovers(), []);
});
process.exit(); // pages of tests that failed may still listen
