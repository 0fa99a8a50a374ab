// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Usage: check_view_page.mjs SINEW NODE_FOLDER CHROMIUM FOLDER: the viewer as people use it, in headless
// Chromium with software rendering, against the real command.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { after, test } from 'node:test';
import { launch, packages, serve as start } from './view_browser.mjs';
import { skinnedBar } from './view_client.mjs';

const [sinew, nodeFolder, chromium, folder] = process.argv.slice(2);
const validator = packages(nodeFolder)('gltf-validator');
process.env.XDG_CACHE_HOME = path.resolve(folder); // where the command keeps tokens of ports
process.env.SINEW_CACHE = path.resolve(folder, 'kept'); // scenes that come again are not compiled again
process.env.SINEW_CACHE_AFTER = '0.05';

// ---- scenes ----

const material = { jelly: { young: 1e6, poisson: 0.3, density: 1000 } };
const floor = [{ plane: { normal: [0, 1, 0], offset: 0 } }];
// A cube in the air.
const cube = {
    sinew: 1, title: 'a cube falls', materials: material,
    bodies: [{ name: 'cube', shape: { box: { size: [0.2, 0.2, 0.2], center: [0, 0.6, 0] } },
        resolution: 10, frames: { count: 3 } }],
    colliders: floor, time: { step: 0.01, end: 10 },
};
// A bar held at its left end, weightless.
const bar = {
    sinew: 1, title: 'a bar', gravity: [0, 0, 0], materials: material,
    bodies: [{ name: 'bar', shape: { box: { size: [0.8, 0.16, 0.16], center: [0, 0.5, 0] } },
        resolution: 20, frames: { count: 4 }, damping: { mass: 4 },
        handles: [{ name: 'wall', region: { box: { size: [0.06, 0.4, 0.4], center: [-0.4, 0.5, 0] } } }] }],
    probes: [{ name: 'tip', point: [0.4, 0.5, 0] }],
    time: { step: 0.01, end: 10 },
};

function write(name, content) {
    const file = path.join(folder, name);
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
}

// ---- the server, the browser ----

const browser = await launch(nodeFolder, chromium);
after(() => browser.close());

// `sinew view ...`, until the test ends.
async function serve(t, ...args) {
    const server = await start(sinew, ...args);
    t.after(() => server.child.kill('SIGKILL'));
    return server;
}

// One that nobody listens on, as text.
const freePort = () => new Promise(resolve => {
    const listener = net.createServer().listen(0, '127.0.0.1', () => {
        const { port } = listener.address();
        listener.close(() => resolve(String(port)));
    });
});

// A page at an address, until the test ends, which fails where the page's console shows an error;
// with a scene, once its first frame is there. Small, as software draws it.
async function visit(t, address, { scene = true, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 640, height: 480 },
        acceptDownloads: true, ...options });
    context.setDefaultTimeout(120000); // a busy machine is waited for
    const page = await context.newPage();
    const errors = [];
    page.on('console', m => m.type() === 'error' && errors.push(m.text()));
    page.on('pageerror', e => errors.push(String(e)));
    t.after(() => context.close());
    await page.goto(address);
    if (scene)
        await page.waitForFunction(() => window.sinew?.app.last && window.sinew.stage.world?.shown);
    page.calm = () => assert.deepEqual(errors, []);
    return page;
}

// ---- what the page shows ----

// Of the vertices of the first surface, in the frame that came last.
const positions = page => page.evaluate(() => new Promise(resolve =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(Array.from(window.sinew.stage.positions(0)))))));
// The last frame; a scene that has just come has none yet.
const frame = async page => (await page.waitForFunction(() => {
    const last = window.sinew.app.last;
    return last && { time: last.time, probes: Array.from(last.probes), pulls: last.pulls };
})).jsonValue();
const time = async page => (await frame(page)).time;
const after_time = (page, t) => page.waitForFunction(t => window.sinew.app.last?.time >= t, t);
const wait = async (page, seconds) => after_time(page, (await time(page)) + seconds);
const key = (page, name) => page.keyboard.press(name);

function mean(x, axis) {
    let sum = 0;
    for (let i = axis; i < x.length; i += 3)
        sum += x[i];
    return sum / (x.length / 3);
}

// The picture, small: [pixel][rgb].
const picture = page => page.evaluate(async () => {
    const image = await createImageBitmap(await window.sinew.stage.screenshot());
    const canvas = new OffscreenCanvas(128, 96), context = canvas.getContext('2d');
    context.drawImage(image, 0, 0, 128, 96);
    const data = context.getImageData(0, 0, 128, 96).data, out = [];
    for (let i = 0; i < data.length; i += 4)
        out.push([data[i], data[i + 1], data[i + 2]]);
    return out;
});
// The share of pixels that differ by more than a shade.
function difference(a, b) {
    let count = 0;
    for (let i = 0; i < a.length; i++)
        count += Math.max(...a[i].map((v, k) => Math.abs(v - b[i][k]))) > 12;
    return count / a.length;
}

// Without its bodies the picture is another one.
async function shows_bodies(page) {
    const hide = names => page.evaluate(names => {
        const { surfaces, materials } = window.sinew.app.scene;
        window.sinew.app.setOptions({ hidden: names ? [...surfaces, ...materials].map(s => s.name) : [] });
    }, names);
    const shown = await picture(page);
    await hide(true);
    const hidden = await picture(page);
    await hide(false);
    assert.ok(difference(shown, hidden) > 0.01, 'no body to be seen');
}

// Where a point of the world is in the window.
const project = (page, p) => page.evaluate(p => window.sinew.stage.project(p), p);

// From the front, once the view is there; it then stays, as after a hand has moved it.
async function front(page) {
    await page.evaluate(() => window.sinew.stage.look('front'));
    await page.waitForFunction(() => {
        const { flight, catching } = window.sinew.stage.eye;
        return flight === null && !catching;
    });
    await page.evaluate(() => window.sinew.stage.eye.controls.dispatchEvent({ type: 'start' }));
}

// With the mouse held down, from a place in the window.
async function drag(page, [x, y], right, down) {
    await page.mouse.move(x, y);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.mouse.down();
    await page.mouse.move(x + right, y + down, { steps: 6 });
    await page.mouse.up();
}

// A file onto the page.
async function drop(page, name, text) {
    const data = await page.evaluateHandle(([name, text]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], name));
        return transfer;
    }, [name, text]);
    await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
    await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

// How far vertices are apart, at most.
function distance(a, b) {
    let most = 0;
    for (let i = 0; i < a.length; i += 3)
        most = Math.max(most, Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
    return most;
}

// ---- tests ----

test('the page loads, shows the body, and the body falls', async t => {
    const server = await serve(t, '--paused', write('cube.json', cube));
    const page = await visit(t, server.address);
    await shows_bodies(page);
    await key(page, 'Space');
    const start = await positions(page);
    await after_time(page, 0.2);
    const fallen = mean(start, 1) - mean(await positions(page), 1);
    assert.ok(fallen > 0.1, `fell by ${fallen} m`);
    page.calm();
    assert.equal(await server.stop(), 0);
});

test('the panel says how far off a body is that was asked for it', async t => {
    const heavy = structuredClone(bar);
    heavy.gravity = [0, -1, 0];
    heavy.bodies[0].estimate = 'large';
    const server = await serve(t, '--paused', write('estimate.json', heavy));
    const page = await visit(t, server.address);
    const { error, worst, large } = await page.evaluate(() => window.sinew.app.scene.bodies[0].estimate);
    assert.ok(large && error > 0 && error < worst && worst < 0.05);
    const facts = await page.locator('.panel footer').textContent();
    assert.match(facts, /error [\d.]+ %, [\d.]+ % at most/);
    page.calm();
    assert.equal(await server.stop(), 0);
});

test('a grabbed point goes where the mouse goes, and swings back', async t => {
    const server = await serve(t, write('bar.json', bar));
    const page = await visit(t, server.address);
    await page.evaluate(() => window.sinew.stage.look('front'));
    await page.waitForTimeout(800);
    const rest = await positions(page);
    const from = await project(page, [0.35, 0.5, 0.08]);
    await page.mouse.move(from[0], from[1]);
    await page.mouse.down();
    const to = [from[0], from[1] - 120];
    await page.mouse.move(to[0], to[1], { steps: 10 });
    await page.waitForFunction(() => window.sinew.app.last.pulls.length === 1);
    await wait(page, 0.7);
    const pulled = (await frame(page)).pulls[0];
    const at = await project(page, pulled.at);
    assert.ok(from[1] - at[1] > 30, `moved up by ${from[1] - at[1]} of 120 pixels`);
    assert.ok(Math.abs(at[0] - from[0]) < 60, `moved aside by ${at[0] - from[0]} pixels`);
    assert.ok(pulled.force > 0);
    await page.screenshot({ path: path.join(folder, 'grab.png') });
    const away = distance(await positions(page), rest);
    await page.mouse.up();
    await page.waitForFunction(() => window.sinew.app.last.pulls.length === 0);
    await wait(page, 1.5);
    const left = distance(await positions(page), rest);
    assert.ok(left < 0.3 * away, `${left} m from rest after ${away} m`);
    page.calm();
});

test('a pin holds, is dragged, and is taken out by a click', async t => {
    const server = await serve(t, write('bar.json', bar));
    const page = await visit(t, server.address);
    await front(page);
    await key(page, '2');
    const from = await project(page, [0.35, 0.5, 0.08]);
    await page.mouse.click(...from);
    await page.waitForFunction(() => window.sinew.app.last.pulls.length === 1);
    const pull = async () => (await frame(page)).pulls[0];
    const first = await pull();
    assert.equal(first.kind, 'pin');
    await drag(page, await project(page, first.at), 0, -60);
    await wait(page, 0.6);
    const moved = await pull();
    assert.equal(moved.id, first.id);
    assert.ok(moved.to[1] > first.to[1] + 0.02, `pulled up by ${moved.to[1] - first.to[1]} m`);
    assert.ok(moved.at[1] > first.at[1] + 0.5 * (moved.to[1] - first.to[1]), 'the body stays behind');
    await page.mouse.click(...await project(page, moved.at));
    await page.waitForFunction(() => window.sinew.app.last.pulls.length === 0);
    page.calm();
});

test('handles and frames follow the gizmo', async t => {
    // The body is placed turned by a right angle: the handle's axes are not those of the world.
    const scene = structuredClone(bar);
    scene.bodies[0].place = { rotate: { axis: [0, 0, 1], degrees: 90 }, translate: [0.5, 0.5, 0] };
    scene.probes = [];
    const server = await serve(t, write('placed.json', scene));
    const page = await visit(t, server.address);
    await front(page);
    await key(page, '3');
    const node = index => page.evaluate(index => {
        const a = window.sinew.app.last.nodes.subarray(12 * index, 12 * index + 12);
        return { at: [a[0], a[4], a[8]], across: a[5] };
    }, index);
    const handle = await page.evaluate(() => window.sinew.app.scene.handles[0].node);
    const start = await node(handle);
    // Click to choose it, then along its upward arrow.
    let at = await project(page, start.at);
    await page.mouse.click(...at);
    await page.waitForFunction(() => window.sinew.stage.gizmo.chosen !== null);
    await drag(page, [at[0], at[1] - 40], 0, -50);
    await wait(page, 1);
    const up = await node(handle);
    assert.ok(up.at[1] > start.at[1] + 0.03, `moved up by ${up.at[1] - start.at[1]} m`);
    assert.ok(Math.abs(up.at[0] - start.at[0]) < 0.01, `moved aside by ${up.at[0] - start.at[0]} m`);
    assert.ok(Math.abs(up.across - start.across) < 1e-3, 'moving turns');
    // A frame is drawn by springs until it is let go.
    const frame = await page.evaluate(() => { // the lowest one, which is in the picture
        const { overlay } = window.sinew.stage;
        return overlay.markers().filter(m => m.kind === 'node').sort((a, b) => a.at.y - b.at.y)[0].index;
    });
    await page.evaluate(index => {
        const { gizmo, overlay } = window.sinew.stage;
        gizmo.choose(overlay.markers().find(m => m.kind === 'node' && m.index === index));
    }, frame);
    const before = await node(frame);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    at = await project(page, before.at);
    await drag(page, [at[0], at[1] - 40], 0, -50);
    await page.waitForFunction(() => window.sinew.app.last.pulls.some(p => p.kind === 'frame'));
    await wait(page, 0.5);
    const pulled = await node(frame);
    assert.ok(pulled.at[1] > before.at[1] + 0.02, `drawn up by ${pulled.at[1] - before.at[1]} m`);
    await key(page, 'Escape');
    await page.waitForFunction(() => window.sinew.app.last.pulls.length === 0);
    page.calm();
});

test('a ball pokes, and is gone after that', async t => {
    const server = await serve(t, write('bar.json', bar));
    const page = await visit(t, server.address);
    await front(page);
    await key(page, '4');
    const rest = await positions(page);
    const from = await project(page, [0.35, 0.5, 0.08]);
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0], from[1] + 5);
    for (let i = 0; i < 4; i++)
        await page.mouse.wheel(0, -200);
    await page.waitForFunction(() => window.sinew.app.last.ball[3] > 0);
    await wait(page, 0.5);
    const dent = distance(await positions(page), rest);
    assert.ok(dent > 0.005, `pushed by ${dent} m`);
    await page.mouse.up();
    await page.waitForFunction(() => window.sinew.app.last.ball[3] === 0);
    page.calm();
});

test('a frame inserted by a click makes a dent local, and a click removes it', async t => {
    const scene = { ...bar, probes: [], bodies: [{ name: 'pad', frames: { count: 2 }, resolution: 20,
        damping: { mass: 4 }, shape: { box: { size: [0.8, 0.6, 0.2], center: [0, 0.5, 0] } },
        handles: [{ name: 'wall', region: { box: { size: [1, 1, 0.06], center: [0, 0.5, -0.1] } } }] }] };
    const server = await serve(t, write('pad.json', scene));
    const page = await visit(t, server.address, { viewport: { width: 840, height: 480 } });
    await front(page);
    const middle = await project(page, [0.1, 0.5, 0.1]);
    // How far a push with the ball moves what is far from it, of what it moves most.
    const poke = async name => {
        await key(page, '4');
        const rest = await positions(page);
        await page.mouse.move(...middle);
        await page.mouse.down();
        await page.mouse.move(middle[0], middle[1] + 2);
        for (let i = 0; i < 4; i++)
            await page.mouse.wheel(0, -200);
        await page.waitForFunction(() => window.sinew.app.last?.ball[3] > 0);
        await wait(page, 0.6);
        const pushed = await positions(page);
        await page.screenshot({ path: path.join(folder, `${name}.png`) });
        await page.mouse.up();
        await wait(page, 1);
        let [most, far] = [0, 0];
        for (let i = 0; i < rest.length; i += 3) {
            const d = Math.hypot(pushed[i] - rest[i], pushed[i + 1] - rest[i + 1], pushed[i + 2] - rest[i + 2]);
            most = Math.max(most, d);
            if (Math.hypot(rest[i] - 0.1, rest[i + 1] - 0.5) > 0.3)
                far = Math.max(far, d);
        }
        return far / most;
    };
    const coarse = await poke('push');
    const inserted = n => page.waitForFunction(n => window.sinew.app.scene.inserted.length === n
        && window.sinew.stage.world.shown && window.sinew.app.last !== null, n);
    await key(page, '5');
    await page.waitForFunction(() => window.sinew.app.scene.bodies[0].insert && window.sinew.stage.world.shown);
    const before = { time: await time(page), camera: await page.evaluate(() => window.sinew.stage.eye.camera.position.toArray()) };
    const rest = await positions(page);
    await page.getByRole('textbox', { name: 'Range, number' }).fill('0.22 m');
    await page.keyboard.press('Enter');
    await page.mouse.move(middle[0] + 30, middle[1] - 20);
    await page.mouse.move(...middle);
    await page.waitForTimeout(300);
    await page.screenshot({ path: path.join(folder, 'reach.png') });
    await page.mouse.click(...middle);
    await inserted(1);
    await page.locator('.notices').getByText(/frame inserted: .* integration points/).waitFor();
    const [mark] = await page.evaluate(() => window.sinew.stage.overlay.inserted().map(m => m.at.toArray()));
    assert.ok(Math.hypot(mark[0] - 0.1, mark[1] - 0.5, mark[2] - 0.1) < 0.02, `inserted at ${mark}`);
    assert.ok(distance(await positions(page), rest) < 2e-3, 'the body jumps');
    assert.deepEqual(await page.evaluate(() => window.sinew.stage.eye.camera.position.toArray()), before.camera);
    assert.ok(await time(page) > before.time);
    assert.equal(await page.evaluate(() => window.sinew.stage.options.tool), 'insert');
    const fine = await poke('dent');
    t.diagnostic(`far from the ball it moves by ${fine.toFixed(3)} of the dent, ${coarse.toFixed(3)} before`);
    assert.ok(fine < 0.5 * coarse, `far from the ball it moves by ${fine} of the dent, ${coarse} before`);
    await key(page, '5');
    await page.mouse.click(...middle);
    await inserted(0);
    await page.locator('.notices').getByText(/frame removed/).waitFor();
    await wait(page, 0.1);
    // A reset ends what is inserted.
    await page.mouse.click(middle[0] + 60, middle[1]);
    await inserted(1);
    await key(page, 'r');
    await inserted(0);
    page.calm();
});

test('muscles are drawn, and their sliders pull', async t => {
    const scene = structuredClone(bar);
    scene.bodies[0].muscles = [{ name: 'biceps', strength: 700, from: { point: [-0.3, 0.56, 0] },
        to: { point: [0.3, 0.56, 0] }, activation: { keys: [{ t: 0, value: 0 }, { t: 1e3, value: 0 }] } }];
    const server = await serve(t, write('muscle.json', scene));
    const page = await visit(t, server.address, { viewport: { width: 840, height: 480 } });
    await front(page);
    const tip = async () => (await frame(page)).probes[1];
    const shown = await picture(page);
    await page.evaluate(() => window.sinew.app.setOptions({ muscles: false }));
    assert.ok(difference(await picture(page), shown) > 0.001, 'no muscle to be seen');
    await page.evaluate(() => window.sinew.app.setOptions({ muscles: true }));
    const slider = page.getByRole('slider', { name: 'Activation' });
    await slider.fill('1');
    await page.waitForFunction(() => window.sinew.app.last.controls.at(-1) === 1);
    await wait(page, 1.5);
    const bent = await tip();
    await page.screenshot({ path: path.join(folder, 'muscle.png') });
    assert.ok(bent > 0.01, `bends up by ${bent} m`);
    await slider.blur();
    await page.getByRole('button', { name: 'Follow its keys' }).click();
    await page.waitForFunction(() => window.sinew.app.last.controls.at(-1) === 0);
    await wait(page, 1.5);
    assert.ok(await tip() < 0.3 * bent, 'stays bent');
    page.calm();
});

test('a bar is cut in two, and whole again after a reset', async t => {
    const scene = structuredClone(bar);
    scene.bodies[0].cuts = [{ t: 0.1, region: { box: { size: [0.04, 1, 1], center: [0.1, 0.5, 0] } } }];
    scene.gravity = [0, -10, 0];
    scene.probes = [];
    const server = await serve(t, '--paused', write('cut.json', scene));
    const page = await visit(t, server.address);
    const whole = await positions(page);
    await key(page, 'Space');
    await after_time(page, 0.5);
    await page.locator('.notices').getByText(/cut: removed .* kg/).waitFor();
    const x = await positions(page);
    let [lowest, left] = [1, 1]; // beyond the cut it falls, before it it hangs
    for (let i = 0; i < x.length; i += 3)
        if (x[i] > 0.15)
            lowest = Math.min(lowest, x[i + 1]);
        else if (x[i] < -0.3)
            left = Math.min(left, x[i + 1]);
    assert.ok(lowest < 0.1 && left > 0.3, `lowest at ${lowest} m, held at ${left} m`);
    await key(page, 'Space');
    await key(page, 'r');
    await page.waitForFunction(n => window.sinew.app.last?.time === 0
        && window.sinew.stage.positions(0).length === n, whole.length);
    assert.ok(distance(await positions(page), whole) < 1e-5);
    page.calm();
});

test('tetrahedra tear where they are pulled, and their vertices are no frames', async t => {
    const server = await serve(t, write('tear.json', { ...bar, probes: [],
        materials: { jelly: { ...material.jelly, young: 1e5, toughness: 1e4 } },
        bodies: [{ ...bar.bodies[0], voxel: 0.08, resolution: undefined, frames: undefined, tets: {} }] }));
    const page = await visit(t, server.address);
    await front(page);
    await page.evaluate(() => window.sinew.app.setOptions({ frames: true }));
    assert.equal(await page.evaluate(() =>
        window.sinew.stage.overlay.markers().filter(m => m.kind === 'node').length), 0);
    const rest = await positions(page);
    const from = await project(page, [0.38, 0.5, 0.08]);
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0] + 150, from[1], { steps: 10 });
    await page.waitForFunction(n => window.sinew.stage.positions(0).length > n, rest.length);
    await page.locator('.notices').getByText(/begins to tear/).waitFor();
    await page.waitForFunction(() => window.sinew.app.last?.pulls.length === 1); // still held
    await page.mouse.up();
    await wait(page, 0.2);
    await page.screenshot({ path: path.join(folder, 'tear.png') });
    await key(page, '5');
    await page.locator('.notices').getByText(/not made of frames/).waitFor();
    page.calm();
});

test('springs say that they know no strain', async t => {
    const server = await serve(t, write('springs.json', { ...bar, probes: [],
        bodies: [{ ...bar.bodies[0], voxel: 0.08, resolution: undefined, frames: undefined, springs: {} }] }));
    const page = await visit(t, server.address);
    await page.evaluate(() => window.sinew.app.setOptions({ color: 'strain' }));
    await page.locator('.notices').getByText(/no points at which strain/).waitFor();
    await shows_bodies(page);
    page.calm();
});

test('a static scene is solved anew where it is pulled', async t => {
    const server = await serve(t, write('still.json', { ...bar, analysis: 'static', probes: [] }));
    const page = await visit(t, server.address);
    assert.equal(await page.evaluate(() => window.sinew.app.scene.mode), 'static');
    assert.equal(await page.getByRole('button', { name: 'Play' }).first().isVisible(), false);
    await front(page);
    const rest = await positions(page);
    const moved = d => page.waitForFunction(([rest, d]) => {
        const x = window.sinew.stage.positions(0);
        return d > 0 ? x.some((v, i) => Math.abs(v - rest[i]) > d) : x.every((v, i) => Math.abs(v - rest[i]) < -d);
    }, [rest, d]);
    const from = await project(page, [0.35, 0.5, 0.08]);
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0], from[1] - 80, { steps: 4 });
    await moved(0.01);
    await page.mouse.up();
    await moved(-0.002);
    page.calm();
});

test('vibrations are listed, shown and chosen', async t => {
    const server = await serve(t, write('rings.json', { ...bar, analysis: 'modal', modal: { count: 4 }, probes: [] }));
    const page = await visit(t, server.address, { viewport: { width: 900, height: 500 } });
    const list = page.getByRole('radiogroup', { name: 'Vibrations' }).getByRole('radio');
    assert.equal(await list.count(), 4);
    const sway = async () => { // how far along y and z, over a swing
        const most = [0, 0], first = await positions(page), begin = await time(page);
        while (await time(page) < begin + 1.5) {
            const x = await positions(page);
            x.forEach((v, i) => { if (i % 3) most[i % 3 - 1] = Math.max(most[i % 3 - 1], Math.abs(v - first[i])); });
        }
        return most;
    };
    const one = await sway();
    await list.nth(1).click();
    assert.equal(await list.nth(1).getAttribute('aria-checked'), 'true');
    await wait(page, 0.1);
    const two = await sway();
    assert.ok(Math.max(...one) > 0.02 && Math.max(...two) > 0.02, `${one}, ${two}`);
    page.calm();
});

test('reset is exact', async t => {
    const server = await serve(t, '--paused', write('cube.json', cube));
    const page = await visit(t, server.address);
    const start = await positions(page);
    await key(page, 'Space');
    await after_time(page, 0.3);
    assert.notDeepEqual(await positions(page), start);
    await key(page, 'Space');
    await key(page, 'r');
    await page.waitForFunction(() => window.sinew.app.last.step === 0);
    assert.deepEqual(await positions(page), start);
    await key(page, '.');
    await page.waitForFunction(() => window.sinew.app.last.step === 1);
    assert.notDeepEqual(await positions(page), start);
    page.calm();
});

test('every way of colouring, and of looking inside, changes the picture', async t => {
    const scene = structuredClone(bar);
    scene.gravity = [0, -9.81, 0];
    const server = await serve(t, write('sagging.json', scene));
    const page = await visit(t, server.address);
    await after_time(page, 0.5);
    await key(page, 'Space');
    await page.waitForFunction(() => !window.sinew.app.last.playing);
    const set = async options => {
        await page.evaluate(o => window.sinew.app.setOptions(o), options);
        await page.waitForTimeout(500);
        return picture(page);
    };
    const pictures = { plain: await set({ color: 'plain' }) };
    for (const color of ['material', 'weight', 'strain', 'stress', 'energy']) {
        pictures[color] = await set({ color });
        for (const other of Object.keys(pictures).filter(name => name !== color))
            if (!(color === 'material' && other === 'plain'))
                assert.ok(difference(pictures[color], pictures[other]) > 0.01, `${color} looks like ${other}`);
    }
    const plain = await set({ color: 'plain' });
    const section = { on: true, axis: 'x', at: 0.5, flip: false };
    for (const look of [{ wireframe: true }, { section }, { frames: true }, { points: 'regions' }, { handles: true }]) {
        const changed = await set(look);
        assert.ok(difference(changed, plain) > 0.001, `${JSON.stringify(look)} changes nothing`);
        await set({ wireframe: false, section: { ...section, on: false }, frames: false, points: 'off', handles: false });
    }
    page.calm();
});

test('live parameters change the motion', async t => {
    const server = await serve(t, write('bar.json', bar));
    const page = await visit(t, server.address);
    await after_time(page, 0.1);
    const tip = async () => (await frame(page)).probes[1];
    const send = c => page.evaluate(c => window.sinew.app.send(c), c);
    assert.ok(Math.abs(await tip()) < 1e-4);
    await send({ do: 'set', gravity: [0, -9.81, 0] });
    await wait(page, 2.5);
    const sag = await tip();
    assert.ok(sag < -0.02, `sags by ${sag} m`);
    await send({ do: 'set', material: 0, young: 4e6 });
    let stiffer = sag;
    for (let i = 0; i < 10 && stiffer <= 0.5 * sag; i++) { // it moves on while it is compiled anew
        await wait(page, 2.5);
        stiffer = await tip();
    }
    assert.ok(stiffer > 0.5 * sag, `sags by ${stiffer} m of ${sag} m when stiffer`);
    const scene = await (await page.request.get(new URL('scene.json', server.address).href)).json();
    assert.deepEqual(scene.gravity, [0, -9.81, 0]);
    assert.equal(scene.materials.jelly.young, 4e6);
    // Nonsense is answered in words.
    await send({ do: 'set', material: 0, poisson: 0.7 });
    await page.locator('.notices').getByText(/poisson/i).first().waitFor();
    page.calm();
});

test('a dropped mesh appears', async t => {
    const server = await serve(t, write('bar.json', bar));
    const page = await visit(t, server.address);
    const obj = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n' +
        'f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n';
    await drop(page, 'crate.obj', obj);
    await page.waitForFunction(() => window.sinew.app.scene?.name.includes('crate'));
    await page.waitForFunction(() => window.sinew.stage.positions(0).length > 0);
    const size = (await positions(page)).length;
    assert.ok(size >= 24);
    // A bad file is told of, and what was there goes on.
    await drop(page, 'bad.obj', 'f 1 2 3\n');
    await page.locator('.notices').getByText(/bad\.obj/).first().waitFor();
    assert.equal((await positions(page)).length, size);
    const now = await time(page);
    await after_time(page, now + 0.05);
    page.calm();
});

test('a character is dropped, moves, and plays another clip', async t => {
    const server = await serve(t, write('bar.json', bar));
    const page = await visit(t, server.address, { viewport: { width: 840, height: 480 } });
    await drop(page, 'bar.gltf', skinnedBar());
    await page.waitForFunction(() => window.sinew.app.scene?.name === 'bar.gltf' && window.sinew.stage.world?.shown);
    const turned = () => page.evaluate(() => {
        const { node } = window.sinew.app.scene.handles.find(h => h.name === 'Upper');
        return Math.abs(window.sinew.app.last?.nodes[12 * node + 2] ?? 0);
    });
    await after_time(page, 1.5); // lead, clip
    assert.ok(await turned() > 0.5, `turned by ${await turned()}`);
    await page.getByRole('combobox', { name: 'Clip' }).selectOption({ label: 'Stay' });
    await page.waitForFunction(() => window.sinew.app.scene.clip === 1 && window.sinew.app.last?.time < 1);
    await after_time(page, 1.5);
    assert.ok(await turned() < 0.01, 'the other clip stays straight');
    page.calm();
});

test('a recording plays and scrubs', async t => {
    const file = path.join(folder, 'cube.swr');
    const made = spawnSync(sinew, ['run', write('cube.json', cube), '--end', '0.6', '-o', file]);
    assert.equal(made.status, 0, String(made.stderr));
    const server = await serve(t, '--paused', file);
    const page = await visit(t, server.address);
    assert.equal(await page.evaluate(() => window.sinew.app.scene.mode), 'recording');
    const start = await positions(page);
    const scrub = page.getByRole('slider', { name: /time/i });
    await scrub.fill('0.3');
    await page.waitForFunction(() => Math.abs(window.sinew.app.last.time - 0.3) < 0.02);
    const fallen = mean(start, 1) - mean(await positions(page), 1);
    assert.ok(Math.abs(fallen - 0.5 * 9.81 * 0.09) < 0.05, `fell by ${fallen} m in 0.3 s`);
    await key(page, 'Space');
    await after_time(page, 0.45);
    page.calm();
});

test('recorded motion downloads as .glb, and validates', async t => {
    const server = await serve(t, '--paused', write('cube.json', cube));
    const page = await visit(t, server.address, { viewport: { width: 900, height: 700 } });
    await page.getByRole('button', { name: 'Record', exact: true }).last().click();
    await page.waitForFunction(() => window.sinew.app.status.recording);
    await key(page, 'Space');
    await wait(page, 0.6);
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.waitForFunction(() => window.sinew.app.status.recorded > 0.2);
    const [download] = await Promise.all([page.waitForEvent('download'),
        page.getByRole('button', { name: '.glb' }).click()]);
    const file = path.join(folder, 'recorded.glb');
    await download.saveAs(file);
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    assert.equal(report.issues.numErrors, 0, JSON.stringify(report.issues.messages));
    assert.equal(report.issues.numWarnings, 0, JSON.stringify(report.issues.messages));
    assert.equal(report.info.animationCount, 1);
    page.calm();
});

test('the gallery shows the examples and opens them', async t => {
    const server = await serve(t);
    const page = await visit(t, server.address, { scene: false });
    const cards = page.locator('.gallery img');
    await cards.first().waitFor();
    const count = await cards.count();
    assert.ok(count >= 8, `${count} examples`);
    await page.waitForFunction(() => [...document.querySelectorAll('.gallery img')].every(i => i.naturalWidth > 0));
    await page.getByRole('button', { name: /steak/i }).first().click();
    await page.waitForFunction(() => window.sinew.app.scene?.name.includes('steak') && window.sinew.app.last !== null);
    page.calm();
});

test('two pages see one simulation; a page finds a server that has restarted', async t => {
    const file = write('cube.json', cube);
    const port = await freePort();
    let server = await serve(t, '--paused', '--port', port, file);
    const first = await visit(t, server.address), second = await visit(t, server.address);
    await key(first, 'Space');
    await after_time(second, 0.1);
    await key(second, 'Space');
    await first.waitForFunction(() => !window.sinew.app.last.playing);
    await first.waitForTimeout(300);
    assert.equal(await time(first), await time(second));
    assert.deepEqual(await positions(first), await positions(second));
    await second.context().close();
    const address = server.address;
    await server.stop();
    await first.getByText(/connection/i).first().waitFor();
    server = await serve(t, '--paused', '--port', port, file);
    assert.equal(server.address, address);
    await first.waitForFunction(() => window.sinew.app.last?.step === 0);
    await first.context().close();
    await server.stop();
});

test('narrow, dark and high-DPI windows', async t => {
    const server = await serve(t, write('bar.json', bar));
    for (const [name, options] of Object.entries({
        narrow: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 },
        dark: { colorScheme: 'dark' },
        light: { colorScheme: 'light', deviceScaleFactor: 2 },
    })) {
        const page = await visit(t, server.address, options);
        await page.waitForTimeout(500);
        await page.screenshot({ path: path.join(folder, `${name}.png`) });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name}: ${wide} pixels too wide`);
        await shows_bodies(page);
        await page.setViewportSize({ width: 700, height: 500 });
        await page.waitForTimeout(300);
        page.calm();
        await page.context().close();
    }
});
