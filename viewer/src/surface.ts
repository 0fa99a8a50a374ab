// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// One surface as it is drawn: shaded, with shadow, edges and cut.
import * as THREE from 'three';
import { edgesOf, isClosed, prepareMesh, type Mesh } from './mesh';
import { movePoint, movePoints, type Pose } from './pose';
import type { SceneSurface, SurfaceMessage } from './protocol';
import { influenceAttribute, influenceTexture, skinMaterial, type SkinUniforms } from './skin';

/** How values become colours, shared by all surfaces and points. */
export interface ValueUniforms {
    table: { value: THREE.Texture };
    valueScale: { value: THREE.Vector2 }; // share of the table = value x + y
    fielded: { value: number }; // 1: colours show values
}

export const valueFragment = /* glsl */ `
uniform sampler2D table;
uniform vec2 valueScale;
uniform float fielded;
varying float vValue;
vec3 valueColor() {
    // Half a texel from each end, where the table begins and ends.
    float share = clamp(vValue * valueScale.x + valueScale.y, 0.0, 1.0);
    return texture2D(table, vec2(mix(0.5 / 256.0, 255.5 / 256.0, share), 0.5)).rgb;
}`;

type Shader = THREE.WebGLProgramParametersWithUniforms;

/** Passes the value of each vertex to the fragment shader. */
export function passValues(shader: Shader, values: ValueUniforms): void {
    Object.assign(shader.uniforms, values);
    shader.vertexShader = shader.vertexShader
        .replace('#include <common>',
            '#include <common>\nattribute float value;\nvarying float vValue;')
        .replace('#include <project_vertex>', 'vValue = value;\n#include <project_vertex>');
}

function showValues(shader: Shader, values: ValueUniforms): void {
    passValues(shader, values);
    // Light is computed on grey, and its brightness then shades the colour of the value. This keeps
    // the hue whatever tone mapping does, and matches the legend where the surface is lit.
    shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${valueFragment}`)
        .replace('#include <color_fragment>',
            '#include <color_fragment>\nif (fielded > 0.5) diffuseColor.rgb = vec3(0.5);')
        .replace('#include <colorspace_fragment>', `#include <colorspace_fragment>
            if (fielded > 0.5) {
                float light = dot(gl_FragColor.rgb, vec3(0.3, 0.6, 0.1));
                gl_FragColor.rgb = valueColor() * mix(0.5, 1.0, smoothstep(0.3, 0.85, light));
            }`);
}

/** Vertex normals weighted by the area of faces: fast enough to compute for every frame. */
function areaNormals(x: Float32Array, triangle: Uint32Array, out: Float32Array): void {
    out.fill(0);
    for (let t = 0; t < triangle.length; t += 3) {
        const a = 3 * triangle[t], b = 3 * triangle[t + 1], c = 3 * triangle[t + 2];
        const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
        const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
        const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        for (const i of [a, b, c]) {
            out[i] += nx;
            out[i + 1] += ny;
            out[i + 2] += nz;
        }
    }
}

const samples = 300; // vertices used for bounds
const scratch = new Float32Array(3);

export class Surface {
    readonly group = new THREE.Group();
    readonly closed: boolean;
    readonly shaded: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
    readonly uniforms: SkinUniforms;
    /** The triangles that are shown, by vertices of the message. */
    triangle: Uint32Array;
    private readonly mesh: Mesh;
    private wireOpacity = 0; // of lines that are far apart
    private edge = 0; // mean length of edges
    private wire: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial> | null = null;
    private readonly value: THREE.BufferAttribute;
    private readonly color: THREE.BufferAttribute;
    private stream: Float32Array | null = null;
    private hidden = ''; // materials that are not shown
    private shown: number[] | null = null; // triangles that are shown, if not all are

    constructor(
        readonly message: SurfaceMessage, readonly info: SceneSurface, private readonly pose: Pose,
        nodes: THREE.Texture, values: ValueUniforms,
    ) {
        const skin = info.skinned ? message : { ...message, node: new Uint32Array(0),
            weight: new Float32Array(0), start: new Uint32Array(message.start.length) };
        this.mesh = prepareMesh(skin, message.triangle, pose.dual.length);
        this.closed = isClosed(message.rest, message.triangle);
        this.triangle = message.triangle;
        const { mesh } = this;
        const geometry = new THREE.BufferGeometry();
        const usage = info.skinned ? THREE.StaticDrawUsage : THREE.DynamicDrawUsage;
        geometry.setAttribute('position', new THREE.BufferAttribute(mesh.rest, 3).setUsage(usage));
        geometry.setAttribute('normal', new THREE.BufferAttribute(mesh.normal, 3).setUsage(usage));
        geometry.setAttribute('influence',
            influenceAttribute(info.skinned ? mesh : null, mesh.count));
        this.value = new THREE.BufferAttribute(new Uint16Array(mesh.count), 1, true);
        this.value.setUsage(THREE.DynamicDrawUsage);
        this.color = new THREE.BufferAttribute(new Float32Array(3 * mesh.count).fill(1), 3);
        geometry.setAttribute('value', this.value);
        geometry.setAttribute('color', this.color);
        geometry.setIndex(new THREE.BufferAttribute(mesh.triangle, 1));
        this.uniforms = {
            influences: { value: influenceTexture(mesh, pose) }, nodes: { value: nodes },
        };
        const material = skinMaterial(
            new THREE.MeshStandardMaterial({
                vertexColors: true, roughness: 0.55, clipShadows: true,
                side: this.closed ? THREE.FrontSide : THREE.DoubleSide,
                shadowSide: this.closed ? THREE.BackSide : THREE.DoubleSide,
                polygonOffsetFactor: 1, polygonOffsetUnits: 1,
            }),
            this.uniforms, 'surface', (shader) => showValues(shader, values));
        this.shaded = new THREE.Mesh(geometry, material);
        this.shaded.castShadow = this.shaded.receiveShadow = true;
        this.shaded.customDepthMaterial =
            skinMaterial(new THREE.MeshDepthMaterial(), this.uniforms, 'shadow');
        this.add(this.shaded);
    }

    /** Adds an object; it is not culled, as three.js does not know the moved vertices. */
    private add(object: THREE.Object3D): void {
        object.frustumCulled = false;
        this.group.add(object);
    }

    get count(): number {
        return this.message.rest.length / 3;
    }

    /** The number in the message of a triangle that is shown. */
    triangleIndex(t: number): number {
        return this.shown ? this.shown[t] : t;
    }

    // ---- motion ----

    /** Sets the vertices of a surface that nodes do not move. */
    setStream(x: Float32Array): void {
        const { mesh } = this;
        this.stream = x;
        for (let v = 0; v < mesh.count; v++) {
            const s = 3 * mesh.source[v];
            mesh.rest[3 * v] = x[s];
            mesh.rest[3 * v + 1] = x[s + 1];
            mesh.rest[3 * v + 2] = x[s + 2];
        }
        areaNormals(mesh.rest, mesh.triangle, mesh.normal);
        this.shaded.geometry.attributes.position.needsUpdate = true;
        this.shaded.geometry.attributes.normal.needsUpdate = true;
    }

    /** The present positions of all vertices of the message, in the world. */
    positions(): Float32Array {
        if (!this.info.skinned) return (this.stream ?? this.message.rest).slice();
        const out = new Float32Array(this.message.rest.length);
        movePoints(this.message, this.pose, out);
        return out;
    }

    /** The present position of one vertex. */
    position(vertex: number, out: THREE.Vector3): THREE.Vector3 {
        if (!this.info.skinned) return out.fromArray(this.stream ?? this.message.rest, 3 * vertex);
        movePoint(this.message, this.pose, vertex, scratch, 0);
        return out.fromArray(scratch);
    }

    /** Expands a box to include some of the vertices. */
    expand(box: THREE.Box3): void {
        const p = new THREE.Vector3();
        const step = Math.max(1, Math.floor(this.count / samples));
        for (let v = 0; v < this.count; v += step) box.expandByPoint(this.position(v, p));
    }

    // ---- colours ----

    /** The same colour everywhere, or one for each vertex of the message (linear light). */
    paint(colorOf: (vertex: number) => THREE.Color): void {
        const data = this.color.array as Float32Array;
        for (let v = 0; v < this.mesh.count; v++) colorOf(this.mesh.source[v]).toArray(data, 3 * v);
        this.color.needsUpdate = true;
    }

    /** Sets values from 0 to 65535, one for each vertex of the message. */
    setValues(value: Uint16Array): void {
        const data = this.value.array as Uint16Array;
        for (let v = 0; v < this.mesh.count; v++) data[v] = value[this.mesh.source[v]];
        this.value.needsUpdate = true;
    }

    weightOf(vertex: number, node: number): number {
        const { start, node: nodes, weight } = this.message;
        for (let e = start[vertex]; e < start[vertex + 1]; e++)
            if (nodes[e] === node) return weight[e];
        return 0;
    }

    setWeights(node: number): void {
        const value = new Uint16Array(this.count);
        for (let v = 0; v < this.count; v++)
            value[v] = Math.round(65535 * Math.min(1, Math.max(0, this.weightOf(v, node))));
        this.setValues(value);
    }

    // ---- visibility ----

    /** Hides the surface, or the triangles whose vertices all have hidden materials. */
    setHidden(all: boolean, materials: Set<number>): void {
        const { triangle, material } = this.message;
        const key = [...materials].join();
        this.group.visible = !all;
        if (key === this.hidden) return;
        this.hidden = key;
        const shown: number[] = [];
        for (let t = 0; 3 * t < triangle.length; t++)
            if (![0, 1, 2].every((k) => materials.has(material[triangle[3 * t + k]])))
                shown.push(t);
        this.shown = shown;
        const take = (from: Uint32Array): Uint32Array =>
            Uint32Array.from(shown.flatMap((t) => [...from.subarray(3 * t, 3 * t + 3)]));
        this.triangle = take(triangle);
        this.shaded.geometry.setIndex(new THREE.BufferAttribute(take(this.mesh.triangle), 1));
        this.setWireframe(false, false); // made again when needed
    }

    setWireframe(on: boolean, dark: boolean): void {
        if (on && !this.wire) {
            const geometry = this.shaded.geometry.clone();
            for (const name of Object.keys(geometry.attributes)) // shared, not copied
                geometry.setAttribute(name, this.shaded.geometry.attributes[name]);
            const index = this.shaded.geometry.index!.array as Uint32Array;
            const edges = edgesOf(index, this.mesh.count);
            geometry.setIndex(new THREE.BufferAttribute(edges, 1));
            this.edge = this.meanLength(edges);
            const material = skinMaterial(
                new THREE.LineBasicMaterial({ transparent: true, toneMapped: false }),
                this.uniforms, 'wire');
            this.wire = new THREE.LineSegments(geometry, material);
            this.add(this.wire);
        }
        if (!on && this.wire) {
            this.group.remove(this.wire);
            this.wire.geometry.dispose();
            this.wire.material.dispose();
            this.wire = null;
        }
        this.shaded.material.polygonOffset = on; // lines lie before the faces
        if (!this.wire) return;
        this.wire.material.color.set(dark ? '#ffffff' : '#10151c');
        this.wireOpacity = dark ? 0.28 : 0.3;
    }

    private meanLength(edges: Uint32Array): number {
        const { source } = this.mesh;
        const [a, b] = [new THREE.Vector3(), new THREE.Vector3()];
        const step = 2 * Math.max(1, Math.floor(edges.length / 2 / samples));
        let [sum, n] = [0, 0];
        for (let e = 0; e < edges.length; e += step, n++)
            sum += this.position(source[edges[e]], a)
                .distanceTo(this.position(source[edges[e + 1]], b));
        return sum / Math.max(1, n);
    }

    /** @param pixels per unit of length on the screen. */
    setDensity(pixels: number): void {
        if (!this.wire) return;
        const share = Math.min(1, Math.max(0.3, (this.edge * pixels) / 10));
        this.wire.material.opacity = this.wireOpacity * share;
    }

    /** Makes the surface translucent, so that its inside is visible. */
    setGhost(on: boolean): void {
        const m = this.shaded.material;
        if (m.transparent === on) return;
        m.transparent = on;
        m.opacity = on ? 0.22 : 1;
        this.shaded.receiveShadow = !on; // its own shadow would hide the inside
        m.needsUpdate = true;
    }

    /** If the cut is not filled, the inside of the surface is visible. */
    setClipping(planes: THREE.Plane[] | null, filled: boolean): void {
        const m = this.shaded.material;
        const side = this.closed && (!planes || filled) ? THREE.FrontSide : THREE.DoubleSide;
        m.clippingPlanes = planes;
        if (m.side !== side) m.needsUpdate = true;
        m.side = side;
        if (this.wire) this.wire.material.clippingPlanes = planes;
    }

    dispose(): void {
        this.setWireframe(false, false);
        this.shaded.geometry.dispose();
        this.shaded.material.dispose();
        this.shaded.customDepthMaterial?.dispose();
        this.uniforms.influences.value.dispose();
        this.group.removeFromParent();
    }
}
