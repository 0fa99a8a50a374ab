// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Skinning on the GPU: influences and node matrices in textures, and the vertex shader code that
// blends them, inserted into three.js's own materials.
import * as THREE from 'three';
import type { Mesh } from './mesh';
import type { Pose } from './pose';
import type { Skin } from './protocol';

const width = 2048; // texels per row of both textures, which every WebGL 2 supports

function floatTexture(texels: number): THREE.DataTexture {
    const rows = Math.max(1, Math.ceil(texels / width));
    const data = new Float32Array(4 * width * rows);
    const texture = new THREE.DataTexture(data, width, rows, THREE.RGBAFormat, THREE.FloatType);
    texture.needsUpdate = true;
    return texture;
}

function dataOf(texture: THREE.DataTexture): Float32Array {
    return texture.image.data as unknown as Float32Array;
}

/** The matrices of nodes, three texels each, shared by everything that moves with them. */
export class NodeTexture {
    readonly texture: THREE.DataTexture;
    constructor(nnode: number) {
        this.texture = floatTexture(3 * nnode);
    }
    update(pose: Pose): void {
        dataOf(this.texture).set(pose.rows);
        this.texture.needsUpdate = true;
    }
    dispose(): void {
        this.texture.dispose();
    }
}

/**
 * One texel for each influence: node, weight, slopes along the two tangents. Nodes with dual
 * quaternions are numbered from -1 downwards, so that one shader handles both kinds.
 */
export function influenceTexture(skin: Skin & Partial<Pick<Mesh, 'slope'>>, pose: Pose):
    THREE.DataTexture {
    const texture = floatTexture(skin.node.length);
    const data = dataOf(texture);
    skin.node.forEach((node, e) => {
        data[4 * e] = pose.dual[node] ? -1 - node : node;
        data[4 * e + 1] = skin.weight[e];
        data[4 * e + 2] = skin.slope ? skin.slope[2 * e] : 0;
        data[4 * e + 3] = skin.slope ? skin.slope[2 * e + 1] : 0;
    });
    return texture;
}

/** The first influence of each point and their number; with none, a point stays at its position. */
export function influenceAttribute(skin: Skin | null, count: number): THREE.BufferAttribute {
    const rows = new Float32Array(2 * count);
    if (skin)
        for (let v = 0; v < count; v++) {
            rows[2 * v] = skin.start[v];
            rows[2 * v + 1] = skin.start[v + 1] - skin.start[v];
        }
    return new THREE.BufferAttribute(rows, 2);
}

const declarations = /* glsl */ `
uniform highp sampler2D influences;
uniform highp sampler2D nodes;
attribute vec2 influence;

vec4 texelOf(highp sampler2D table, int i) {
    return texelFetch(table, ivec2(i % ${width}, i / ${width}), 0);
}
// Quaternions, w first.
vec4 product(vec4 a, vec4 b) {
    return vec4(a.x * b.x - dot(a.yzw, b.yzw), a.x * b.yzw + b.x * a.yzw + cross(a.yzw, b.yzw));
}
vec4 conjugate(vec4 a) {
    return vec4(a.x, -a.yzw);
}
void tangents(vec3 n, out vec3 t1, out vec3 t2) {
    float s = n.z >= 0.0 ? 1.0 : -1.0;
    float a = -1.0 / (s + n.z), b = n.x * n.y * a;
    t1 = vec3(1.0 + s * n.x * n.x * a, s * b, -s * n.x);
    t2 = vec3(b, s + n.y * n.y * a, -n.y);
}
// F t of a blended dual quaternion (r, d) with slope (rt, dt) along t; m = r p + 2 d.
vec3 alongDual(vec4 r, vec4 m, vec3 x, vec4 rt, vec4 dt, vec3 p, vec3 t) {
    vec4 mt = product(rt, vec4(0.0, p)) + 2.0 * dt + product(r, vec4(0.0, t));
    vec3 y = (product(mt, conjugate(r)) + product(m, conjugate(rt))).yzw;
    return (y - 2.0 * dot(r, rt) * x) / dot(r, r);
}
void blendDual(int from, int to, vec3 p, vec3 t1, vec3 t2, out vec3 x, out vec3 n) {
    vec4 r = vec4(0.0), d = vec4(0.0), r1 = r, d1 = d, r2 = r, d2 = d;
    for (int e = from; e < to; e++) {
        vec4 i = texelOf(influences, e);
        int k = 3 * (-1 - int(i.x));
        vec4 ri = texelOf(nodes, k), di = texelOf(nodes, k + 1);
        r += i.y * ri;
        d += i.y * di;
        r1 += i.z * ri;
        d1 += i.z * di;
        r2 += i.w * ri;
        d2 += i.w * di;
    }
    vec4 m = product(r, vec4(0.0, p)) + 2.0 * d;
    x = product(m, conjugate(r)).yzw / dot(r, r);
    n = cross(alongDual(r, m, x, r1, d1, p, t1), alongDual(r, m, x, r2, d2, p, t2));
}
void blendLinear(int from, int to, vec3 p, vec3 t1, vec3 t2, out vec3 x, out vec3 n) {
    x = vec3(0.0);
    vec3 f1 = x, f2 = x;
    for (int e = from; e < to; e++) {
        vec4 i = texelOf(influences, e);
        int k = 3 * int(i.x);
        vec4 a = texelOf(nodes, k), b = texelOf(nodes, k + 1), c = texelOf(nodes, k + 2);
        vec4 q = vec4(p, 1.0);
        vec3 y = vec3(dot(a, q), dot(b, q), dot(c, q));
        x += i.y * y;
        f1 += i.y * vec3(dot(a.xyz, t1), dot(b.xyz, t1), dot(c.xyz, t1)) + i.z * y;
        f2 += i.y * vec3(dot(a.xyz, t2), dot(b.xyz, t2), dot(c.xyz, t2)) + i.w * y;
    }
    n = cross(f1, f2);
}
// Where p is now, and the normal there.
void blend(vec3 p, vec3 rest, out vec3 x, out vec3 n) {
    int from = int(influence.x), to = from + int(influence.y);
    vec3 t1, t2;
    tangents(rest, t1, t2);
    x = p;
    n = rest;
    if (from == to) {} // moved by the CPU
    else if (texelOf(influences, from).x < 0.0) blendDual(from, to, p, t1, t2, x, n);
    else blendLinear(from, to, p, t1, t2, x, n);
    n /= max(length(n), 1e-30);
}
`;

export interface SkinUniforms {
    influences: { value: THREE.Texture };
    nodes: { value: THREE.Texture };
}

type Shader = THREE.WebGLProgramParametersWithUniforms;

/** Makes the vertex shader of a three.js material blend its points and normals. */
export function skinShader(shader: Shader, uniforms: SkinUniforms): void {
    Object.assign(shader.uniforms, uniforms);
    const hasNormal = shader.vertexShader.includes('#include <normal_vertex>');
    shader.vertexShader = shader.vertexShader.replace(
        '#include <common>', `#include <common>\n${declarations}`);
    if (hasNormal)
        shader.vertexShader = shader.vertexShader
            .replace('#include <beginnormal_vertex>',
                'vec3 moved, objectNormal; blend(position, normal, moved, objectNormal);')
            .replace('#include <begin_vertex>', 'vec3 transformed = moved;');
    else
        shader.vertexShader = shader.vertexShader.replace('#include <begin_vertex>',
            'vec3 transformed, unused; blend(position, vec3(0.0, 0.0, 1.0), transformed, unused);');
}

/** Makes a material move with the nodes; `more` changes the shader further. */
export function skinMaterial<M extends THREE.Material>(
    material: M, uniforms: SkinUniforms, key: string, more?: (shader: Shader) => void,
): M {
    material.onBeforeCompile = (shader) => {
        skinShader(shader, uniforms);
        more?.(shader);
    };
    material.customProgramCacheKey = () => key;
    return material;
}
