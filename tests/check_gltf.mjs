// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Usage: node check_gltf.mjs NODE_FOLDER FILE.glb...
// Gives each file to Khronos's validator, and fails on any error or warning. Where FILE.json lies
// beside it, also works out the vertices from the .glb alone and compares them with those of
//   {"checks": [{"what", "limit", "size", "t": [..], "bodies": {"name": [[x, y, z, ..], ..]}}]}:
// distances over the size stay below the limit.
import { createRequire } from "node:module";
import { existsSync, readFileSync } from "node:fs";

// ---- reading ----

function readGlb(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== 0x46546c67 || view.getUint32(8, true) !== bytes.byteLength)
    throw new Error("not a .glb file, or its length is wrong");
  const length = view.getUint32(12, true);
  const text = new TextDecoder().decode(bytes.subarray(20, 20 + length));
  return { ...JSON.parse(text), data: view, start: 20 + length + 8 };
}

const widths = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };
const getters = {
  5121: ["getUint8", 1], 5123: ["getUint16", 2], 5125: ["getUint32", 4], 5126: ["getFloat32", 4],
};

// The items of an accessor, each an array of numbers.
function readAccessor(gltf, index) {
  const { bufferView, byteOffset = 0, componentType, count, type } = gltf.accessors[index];
  const view = gltf.bufferViews[bufferView];
  const [getter, size] = getters[componentType];
  const width = widths[type];
  const stride = view.byteStride ?? width * size;
  const first = gltf.start + (view.byteOffset ?? 0) + byteOffset;
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: width }, (_, k) =>
      gltf.data[getter](first + i * stride + k * size, true)));
}

// ---- moving: matrices are column by column, as in glTF ----

const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
const lerp = (a, b, s) => a.map((x, k) => x + s * (b[k] - x));

function slerp(a, b, s) {
  let cosine = dot(a, b);
  if (cosine < 0) [b, cosine] = [b.map((x) => -x), -cosine];
  const angle = Math.acos(Math.min(cosine, 1));
  if (angle < 1e-6) return lerp(a, b, s);
  const [p, q] = [Math.sin((1 - s) * angle), Math.sin(s * angle)].map((x) => x / Math.sin(angle));
  return a.map((x, k) => p * x + q * b[k]);
}

function compose({ translation: t = [0, 0, 0], rotation = [0, 0, 0, 1], scale: s = [1, 1, 1] }) {
  const n = Math.sqrt(dot(rotation, rotation));
  const [x, y, z, w] = rotation.map((c) => c / n);
  return [
    s[0] * (1 - 2 * (y * y + z * z)), s[0] * 2 * (x * y + z * w), s[0] * 2 * (x * z - y * w), 0,
    s[1] * 2 * (x * y - z * w), s[1] * (1 - 2 * (x * x + z * z)), s[1] * 2 * (y * z + x * w), 0,
    s[2] * 2 * (x * z + y * w), s[2] * 2 * (y * z - x * w), s[2] * (1 - 2 * (x * x + y * y)), 0,
    ...t, 1];
}

function multiply(a, b) {
  const c = new Array(16).fill(0);
  for (let j = 0; j < 4; j++)
    for (let i = 0; i < 4; i++)
      for (let k = 0; k < 4; k++) c[4 * j + i] += a[4 * k + i] * b[4 * j + k];
  return c;
}

const transform = (m, [x, y, z]) =>
  [0, 1, 2].map((i) => m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i]);

function readAnimation(gltf) {
  const cache = new Map();
  const read = (index) =>
    cache.get(index) ?? cache.set(index, readAccessor(gltf, index)).get(index);
  return (gltf.animations ?? []).flatMap(({ samplers, channels }) =>
    channels.map(({ sampler, target }) => {
      const { input, output, interpolation = "LINEAR" } = samplers[sampler];
      if (interpolation !== "LINEAR") throw new Error(`interpolation ${interpolation}`);
      const times = read(input).map(([t]) => t);
      let values = read(output);
      if (target.path === "weights") {
        const n = values.length / times.length;
        values = times.map((_, k) => values.slice(k * n, (k + 1) * n).map(([w]) => w));
      }
      return { ...target, times, values };
    }));
}

function sample({ times, values, path }, t) {
  const last = times.length - 1;
  if (t <= times[0]) return values[0];
  if (t >= times[last]) return values[last];
  const k = times.findIndex((time) => time > t) - 1;
  const share = (t - times[k]) / (times[k + 1] - times[k]);
  return (path === "rotation" ? slerp : lerp)(values[k], values[k + 1], share);
}

// World matrices and morph weights of all nodes at time t.
function pose(gltf, channels, t) {
  const nodes = gltf.nodes.map((node) => ({ ...node }));
  for (const channel of channels) nodes[channel.node][channel.path] = sample(channel, t);
  const visit = (index, parent) => {
    nodes[index].world = multiply(parent, compose(nodes[index]));
    for (const child of nodes[index].children ?? []) visit(child, nodes[index].world);
  };
  for (const root of gltf.scenes[gltf.scene].nodes) visit(root, compose({}));
  return nodes;
}

// What does not change with time.
function readMesh(gltf, node) {
  const mesh = gltf.meshes[node.mesh];
  const { attributes, targets = [] } = mesh.primitives[0];
  const influences = readAccessor(gltf, attributes.POSITION).map(() => []);
  for (let set = 0; `JOINTS_${set}` in attributes; set++) {
    const joints = readAccessor(gltf, attributes[`JOINTS_${set}`]);
    const weights = readAccessor(gltf, attributes[`WEIGHTS_${set}`]);
    joints.forEach((joint, v) =>
      joint.forEach((j, k) => weights[v][k] && influences[v].push([j, weights[v][k]])));
  }
  const skin = gltf.skins?.[node.skin];
  return {
    positions: readAccessor(gltf, attributes.POSITION),
    targets: targets.map(({ POSITION }) => readAccessor(gltf, POSITION)),
    weights: mesh.weights ?? [],
    influences,
    joints: skin?.joints,
    binds: skin && readAccessor(gltf, skin.inverseBindMatrices),
  };
}

function vertices(mesh, node, nodes) {
  const weights = node.weights ?? mesh.weights;
  const active = mesh.targets.map((target, k) => [target, weights[k]]).filter(([, w]) => w);
  const matrices = mesh.joints?.map((joint, k) => multiply(nodes[joint].world, mesh.binds[k]));
  return mesh.positions.map((rest, v) => {
    const X = active.reduce((x, [target, w]) => x.map((c, k) => c + w * target[v][k]), rest);
    if (!matrices) return transform(node.world, X);
    return mesh.influences[v].reduce((x, [j, w]) => {
      const y = transform(matrices[j], X);
      return x.map((c, k) => c + w * y[k]);
    }, [0, 0, 0]);
  });
}

// ---- checking ----

// The largest distance over the size, over all times and vertices of one check.
function largestError(gltf, channels, { t, size, bodies }) {
  let error = 0;
  for (const [name, expected] of Object.entries(bodies)) {
    const index = gltf.nodes.findIndex((node) => node.name === name && node.mesh !== undefined);
    if (index < 0) throw new Error(`no mesh node is named ${name}`);
    const mesh = readMesh(gltf, gltf.nodes[index]);
    t.forEach((time, k) => {
      const nodes = pose(gltf, channels, time);
      const found = vertices(mesh, nodes[index], nodes);
      if (found.length * 3 !== expected[k].length)
        throw new Error(`${name} has ${found.length} vertices, not ${expected[k].length / 3}`);
      found.forEach((x, v) => {
        const gap = Math.hypot(...x.map((c, i) => c - expected[k][3 * v + i])) / size;
        if (!(gap <= error)) error = Number.isNaN(gap) ? Infinity : gap;
      });
    });
  }
  return error;
}

async function validate(validator, file, bytes) {
  const report = await validator.validateBytes(bytes, { uri: file, maxIssues: 20 });
  const { numErrors, numWarnings, messages } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings`);
  for (const { code, message, pointer } of messages)
    console.log(`  ${code} ${pointer ?? ""}: ${message}`);
  return numErrors + numWarnings === 0;
}

function compare(file, bytes) {
  const sidecar = file.replace(/\.glb$/, ".json");
  if (sidecar === file || !existsSync(sidecar)) return true;
  const gltf = readGlb(bytes);
  const channels = readAnimation(gltf);
  return JSON.parse(readFileSync(sidecar, "utf8")).checks.map((check) => {
    const error = largestError(gltf, channels, check);
    const good = error <= check.limit;
    const text = `largest error ${error.toExponential(2)}, limit ${check.limit.toExponential(2)}`;
    console.log(`  ${check.what}: ${text}${good ? "" : ": FAILED"}`);
    return good;
  }).every(Boolean);
}

const [folder, ...files] = process.argv.slice(2);
const validator = createRequire(`${folder}/package.json`)("gltf-validator");
for (const file of files) {
  const bytes = new Uint8Array(readFileSync(file));
  const valid = await validate(validator, file, bytes);
  if (!compare(file, bytes) || !valid) process.exitCode = 1;
}
if (files.length === 0) {
  console.log("no files to check");
  process.exitCode = 1;
}
