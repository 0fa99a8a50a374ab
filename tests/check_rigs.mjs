// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Usage: node check_rigs.mjs NODE_FOLDER SINEW WORK FILE[:CLIP[:OPTION...]]...
// Simulates each character with the command and looks at the .glb that comes out: with Khronos's
// validator, as bytes, and as three.js shows it. CLIP "*" stands for each clip of the file.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, sinew, work, ...jobs] = process.argv.slice(2);
const packages = path.join(path.resolve(folder), "node_modules");
const validator = createRequire(path.join(packages, "x"))("gltf-validator");
globalThis.self = globalThis;
globalThis.ProgressEvent ??= class extends Event {};
const THREE = await import(pathToFileURL(path.join(packages, "three/build/three.module.js")));
const { GLTFLoader } = await import(
  pathToFileURL(path.join(packages, "three/examples/jsm/loaders/GLTFLoader.js")));

const REST = 1e-5; // of the size: the rest pose
const OTHERS = 0.1; // of the size: clips that were not simulated, by weights of the simulation
const EXACT = 1e-4; // of the size: single precision through a chain of joints, at the keys

// ---- files ----

function readGltf(file) {
  const bytes = readFileSync(file);
  if (bytes.toString("latin1", 0, 4) !== "glTF") {
    const json = JSON.parse(bytes);
    const data = json.buffers.map(({ uri }) => Buffer.from(uri.split(",")[1], "base64"));
    return { json, data, bytes };
  }
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.toString("utf8", 20, 20 + length));
  return { json, data: [bytes.subarray(28 + length)], bytes };
}

function viewBytes({ json, data }, index, offset = 0) {
  const { buffer, byteOffset = 0, byteLength } = json.bufferViews[index];
  return data[buffer].subarray(byteOffset + offset, byteOffset + byteLength);
}

// Bytes of an accessor's items, whatever lies between them.
function itemBytes(gltf, index) {
  const a = gltf.json.accessors[index];
  const size = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 }[a.componentType] *
    { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }[a.type];
  const stride = gltf.json.bufferViews[a.bufferView].byteStride ?? size;
  const bytes = viewBytes(gltf, a.bufferView, a.byteOffset ?? 0);
  return Buffer.concat(Array.from({ length: a.count }, (_, i) =>
    bytes.subarray(i * stride, i * stride + size)));
}

// ---- what three.js makes of them ----

async function open(gltf) {
  const loader = new GLTFLoader();
  loader.register(() => ({ name: "no-textures", loadTexture: async () => new THREE.Texture() }));
  const { bytes } = gltf;
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { scene, animations } = await loader.parseAsync(buffer, "");
  scene.updateMatrixWorld(true);
  return { scene, animations, meshes: [], ...gltf };
}

function skinned(scene) {
  const meshes = [];
  scene.traverse((object) => object.isSkinnedMesh && meshes.push(object));
  return meshes;
}

// Vertices of all skinned meshes now, by all sets of joints; three.js itself reads the first.
function vertices(scene, sets) {
  scene.updateMatrixWorld(true);
  const out = [];
  const v = new THREE.Vector3();
  for (const mesh of skinned(scene)) {
    const { geometry, skeleton } = mesh;
    const matrices = skeleton.bones.map((bone, i) =>
      new THREE.Matrix4().multiplyMatrices(bone.matrixWorld, skeleton.boneInverses[i]));
    const joints = [geometry.attributes.skinIndex], weights = [geometry.attributes.skinWeight];
    for (let k = 1; sets > 1 && geometry.attributes[`joints_${k}`]; k++) {
      joints.push(geometry.attributes[`joints_${k}`]);
      weights.push(geometry.attributes[`weights_${k}`]);
    }
    for (let i = 0; i < geometry.attributes.position.count; i++) {
      if (sets === 1) {
        mesh.getVertexPosition(i, v).applyMatrix4(mesh.matrixWorld);
        out.push(v.x, v.y, v.z);
        continue;
      }
      const x = [0, 0, 0];
      let first = 1; // the share of the first set, which three.js has made one
      for (let k = 4; k < 4 * weights.length; k++) first -= weights[k >> 2].getComponent(i, k % 4);
      joints.forEach((joint, set) => {
        for (let k = 0; k < 4; k++) {
          const w = weights[set].getComponent(i, k) * (set ? 1 : first);
          if (w === 0) continue;
          v.fromBufferAttribute(geometry.attributes.position, i)
            .applyMatrix4(matrices[joint.getComponent(i, k)]);
          x[0] += w * v.x, x[1] += w * v.y, x[2] += w * v.z;
        }
      });
      out.push(...x);
    }
  }
  return out;
}

function pose(model, clip, t) {
  const mixer = new THREE.AnimationMixer(model.scene);
  const action = mixer.clipAction(model.animations[clip]);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  mixer.setTime(t);
  model.scene.updateMatrixWorld(true);
  return () => {
    mixer.stopAllAction();
    model.scene.updateMatrixWorld(true);
  };
}

// ---- comparisons: each returns what is wrong ----

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function compareContents(from, to) {
  const wrong = [];
  for (const key of ["asset", "materials", "textures", "samplers", "scenes", "scene", "cameras",
    "extensions", "extensionsUsed", "extras"])
    if (!same(from.json[key], to.json[key])) wrong.push(`${key} changed`);
  (from.json.images ?? []).forEach((image, i) => {
    const now = to.json.images[i];
    const bytes = image.uri ? Buffer.from(image.uri.split(",")[1], "base64")
      : viewBytes(from, image.bufferView);
    if (!bytes.equals(viewBytes(to, now.bufferView))) wrong.push(`image ${i} changed`);
  });
  from.json.meshes.forEach((mesh, m) => mesh.primitives.forEach((primitive, p) => {
    const now = to.json.meshes[m].primitives[p];
    if (primitive.material !== now.material) wrong.push(`mesh ${m}: another material`);
    for (const [name, accessor] of Object.entries({ indices: primitive.indices, ...primitive.attributes })) {
      if (accessor === undefined || /^(JOINTS|WEIGHTS|POSITION|NORMAL|TANGENT)/.test(name)) continue;
      const other = name === "indices" ? now.indices : now.attributes[name];
      if (!itemBytes(from, accessor).equals(itemBytes(to, other)))
        wrong.push(`mesh ${m}.${p}: ${name} changed`);
    }
  }));
  from.json.nodes.forEach((node, i) => {
    const { children = [], ...rest } = node, { children: more = [], ...now } = to.json.nodes[i];
    if (!same(rest, now) || !same(children, more.slice(0, children.length)))
      wrong.push(`node ${i} changed`);
  });
  (from.json.animations ?? []).forEach((animation, i) => {
    const now = to.json.animations[i];
    if (animation.name !== now.name || !same(animation.samplers, now.samplers.slice(0, animation.samplers.length)))
      wrong.push(`animation ${i} changed`);
  });
  return wrong;
}

function extent(x) {
  const lo = [Infinity, Infinity, Infinity], hi = lo.map((v) => -v);
  x.forEach((v, i) => {
    lo[i % 3] = Math.min(lo[i % 3], v);
    hi[i % 3] = Math.max(hi[i % 3], v);
  });
  return Math.hypot(...lo.map((v, k) => hi[k] - v));
}

function largest(a, b, map = (i) => i) {
  let gap = 0;
  for (let i = 0; i < a.length / 3; i++) {
    const j = map(i);
    const d = Math.hypot(a[3 * i] - b[3 * j], a[3 * i + 1] - b[3 * j + 1], a[3 * i + 2] - b[3 * j + 2]);
    if (!(d <= gap)) gap = Number.isNaN(d) ? Infinity : d;
  }
  return gap;
}

// The vertex of the simulation at each vertex of the file, by where they are at rest.
function correspondence(rest, simulated) {
  const map = [];
  for (let i = 0; i < rest.length; i += 3) {
    let best = 0, least = Infinity;
    for (let j = 0; j < simulated.length; j += 3) {
      const d = (rest[i] - simulated[j]) ** 2 + (rest[i + 1] - simulated[j + 1]) ** 2 +
        (rest[i + 2] - simulated[j + 2]) ** 2;
      if (d < least) [best, least] = [j / 3, d];
    }
    map.push(best);
  }
  return (i) => map[i];
}

function readObj(file) {
  return readFileSync(file, "utf8").split("\n").filter((line) => line.startsWith("v "))
    .flatMap((line) => line.slice(2).trim().split(/\s+/).map(Number));
}

// Nodes that the simulation moves instead of the clip.
function softNodes(from, to, clip) {
  const first = from.json.accessors.length;
  const { channels, samplers } = to.json.animations[clip];
  return new Set(channels.filter(({ sampler }) => samplers[sampler].output >= first)
    .map(({ target }) => target.node));
}

// ---- one clip ----

// Played once, so that recorded moments are moments of the clip.
async function check(file, clip, options) {
  const name = `${path.basename(file).replace(/\.\w+$/, "")}-${clip < 0 ? "rest" : clip}`;
  const out = path.join(work, `${name}.glb`), films = path.join(work, name);
  rmSync(films, { recursive: true, force: true });
  mkdirSync(films, { recursive: true });
  const args = ["run", file, "-o", out, "-o", path.join(films, "x.obj"), "--json", "-",
    ...(clip >= 0 ? ["--clip", String(clip), "--repeat", "1"] : []), ...options];
  const { status, stdout, stderr } = spawnSync(sinew, args, { encoding: "utf8", maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`sinew ${args.join(" ")}: status ${status}\n${stderr}`);
  const results = JSON.parse(stdout);
  // What the command says that leaving out joints costs.
  const told = Number(stderr.match(/moves a vertex by (\S+) of/)?.[1] ?? 0);
  const from = await open(readGltf(file)), to = await open(readGltf(out));
  const wrong = compareContents(from, to);
  const report = await validator.validateBytes(new Uint8Array(to.bytes), { maxIssues: 50 });
  const before = await validator.validateBytes(new Uint8Array(from.bytes), { maxIssues: 50 });
  if (report.issues.numErrors > 0) wrong.push("invalid: " + report.issues.messages[0].message);
  if (report.issues.numWarnings > before.issues.numWarnings)
    wrong.push("new warning: " + report.issues.messages.find(({ severity }) => severity === 1)?.message);
  const all = options.includes("--keep-weights") ? 1 : 8;

  const rest = vertices(from.scene, 1), size = extent(rest);
  const restGap = largest(rest, vertices(to.scene, 1)) / size;
  if (!(restGap <= REST)) wrong.push(`rest pose off by ${restGap}`);

  const frames = readdirSync(films).sort();
  const map = correspondence(rest, readObj(path.join(films, frames[0])));
  const start = clip < 0 ? 0 : 0.5, fps = 30; // the lead of a character; the recorded moments
  let gap = 0, cut = 0, bones = 0;
  const animation = Math.max(clip, 0);
  const soft = softNodes(from, to, animation);
  const softNames = new Set([...soft].map((n) => THREE.PropertyBinding.sanitizeNodeName(to.json.nodes[n].name ?? "")));
  const times = frames.map((_, i) => i / fps - start).filter((t, i) => t >= -1e-9 && i < frames.length - 1);
  for (let k = 0; k < 6; k++) {
    const t = Math.max(0, times[Math.round(k * (times.length - 1) / 5)]);
    const undo = pose(to, animation, t);
    const there = readObj(path.join(films, frames[Math.round((t + start) * fps)]));
    if (!options.includes("--keep-weights")) {
      gap = Math.max(gap, largest(vertices(to.scene, all), there, map) / size);
      cut = Math.max(cut, largest(vertices(to.scene, 1), there, map) / size);
    }
    if (clip >= 0) {
      const back = pose(from, clip, t);
      const below = (object) => object && (softNames.has(object.name) || below(object.parent));
      from.scene.traverse((bone) => {
        if (!bone.isBone || below(bone)) return;
        const other = to.scene.getObjectByName(bone.name);
        const d = bone.matrixWorld.elements.reduce((sum, x, i) =>
          Math.max(sum, Math.abs(x - other.matrixWorld.elements[i])), 0) / size;
        bones = Math.max(bones, d);
      });
      back();
    }
    undo();
  }
  let others = 0;
  for (let i = 0; i < from.animations.length; i++) {
    if (i === clip) continue;
    const t = 0.4 * from.animations[i].duration;
    const back = [pose(from, i, t), pose(to, i, t)];
    others = Math.max(others, largest(vertices(from.scene, 1), vertices(to.scene, 1)) / size);
    back.forEach((undo) => undo());
  }
  if (!(others <= OTHERS)) wrong.push(`another clip is off by ${others}`);
  // Told over the diagonal of the body, which is larger than that of the skin where it has meshes without one.
  const body = extent(readObj(path.join(films, frames[0]))) / size;
  if (!(gap <= EXACT + 1.1 * told * Math.max(1, body))) wrong.push(`${gap} from the simulation`);
  if (!(bones <= 1e-6)) wrong.push(`scripted bones off by ${bones}`);
  rmSync(films, { recursive: true, force: true });
  const speed = results.timing?.times_real_time;
  console.log(`${wrong.length ? "FAILED " : "ok     "}${name} ${(from.json.animations ?? [])[clip]?.name ?? ""}: ` +
    `rest ${restGap.toExponential(1)}, moving ${gap.toExponential(1)} (told ${told.toExponential(1)}, first set ${cut.toExponential(1)}), ` +
    `bones ${bones.toExponential(1)}, other clips ${others.toExponential(1)}, ${soft.size} soft or new nodes, ${speed?.toPrecision(3)} x real time`);
  wrong.slice(0, 8).forEach((text) => console.log(`  ${text}`));
  return wrong.length === 0;
}

let failed = 0;
for (const job of jobs) {
  const [file, clip = "0", ...options] = job.split(":");
  const { json } = readGltf(file);
  const n = json.animations?.length ?? 0;
  const clips = n === 0 ? [-1] : clip === "*" ? json.animations.keys()
    : [/^\d+$/.test(clip) ? Number(clip) : json.animations.findIndex(({ name }) => name === clip)];
  for (const c of clips)
    try {
      if (!(await check(file, c, options))) failed++;
    } catch (error) {
      console.log(`FAILED ${file} ${c}: ${error.stack}`);
      failed++;
    }
}
process.exitCode = failed ? 1 : 0;
