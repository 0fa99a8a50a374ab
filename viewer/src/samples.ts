// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Integration points: round dots that move with the nodes.
import * as THREE from 'three';
import type { Pose } from './pose';
import type { PointsMessage } from './protocol';
import { influenceAttribute, influenceTexture, skinMaterial } from './skin';
import { valueFragment, type ValueUniforms, passValues } from './surface';

/** Colours of regions: those with consecutive numbers differ clearly. */
function regionColor(region: number): THREE.Color {
    const hue = (0.12 + region * 0.61803398875) % 1;
    return new THREE.Color().setHSL(hue, 0.68, 0.5 + 0.12 * ((region % 3) - 1));
}

export class SamplePoints {
    readonly object: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
    private readonly influences: THREE.Texture;
    private readonly value: THREE.BufferAttribute;

    constructor(private readonly message: PointsMessage, pose: Pose, nodes: THREE.Texture,
        values: ValueUniforms, size: number) {
        const n = message.rest.length / 3;
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.BufferAttribute(message.rest, 3));
        geometry.setAttribute('influence', influenceAttribute(message, n));
        geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(3 * n), 3));
        this.value = new THREE.BufferAttribute(new Uint16Array(n), 1, true);
        geometry.setAttribute('value', this.value);
        this.influences = influenceTexture(message, pose);
        const uniforms = { influences: { value: this.influences }, nodes: { value: nodes } };
        const material = new THREE.PointsMaterial({
            size: size * Math.min(0.045, Math.max(0.014, 0.2 / Math.cbrt(n || 1))),
            vertexColors: true, toneMapped: false,
        });
        skinMaterial(material, uniforms, 'points', (shader) => {
            passValues(shader, values);
            shader.fragmentShader = shader.fragmentShader
                .replace('#include <common>', `#include <common>\n${valueFragment}`)
                .replace('#include <colorspace_fragment>', `#include <colorspace_fragment>
                    vec2 d = 2.0 * gl_PointCoord - 1.0;
                    float r = dot(d, d);
                    if (r > 1.0) discard;
                    if (fielded > 0.5) gl_FragColor.rgb = valueColor();
                    gl_FragColor.rgb *= 0.62 + 0.38 * sqrt(1.0 - r) - 0.12 * d.y;`);
        });
        this.object = new THREE.Points(geometry, material);
        this.object.frustumCulled = false;
    }

    setRegions(on: boolean): void {
        const attribute = this.object.geometry.attributes.color as THREE.BufferAttribute;
        const plain = new THREE.Color('#f2a33a');
        this.message.region.forEach((region, i) =>
            (on ? regionColor(region) : plain).toArray(attribute.array, 3 * i));
        attribute.needsUpdate = true;
    }

    setValues(value: Uint16Array): void {
        if (value.length !== this.value.count) return;
        (this.value.array as Uint16Array).set(value);
        this.value.needsUpdate = true;
    }

    setWeights(node: number): void {
        const { start, node: nodes, weight } = this.message;
        const value = this.value.array as Uint16Array;
        for (let i = 0; i < value.length; i++) {
            value[i] = 0;
            for (let e = start[i]; e < start[i + 1]; e++)
                if (nodes[e] === node) value[i] = 65535 * Math.min(1, Math.max(0, weight[e]));
        }
        this.value.needsUpdate = true;
    }

    setClipping(planes: THREE.Plane[] | null): void {
        this.object.material.clippingPlanes = planes;
    }

    dispose(): void {
        this.object.removeFromParent();
        this.object.geometry.dispose();
        this.object.material.dispose();
        this.influences.dispose();
    }
}
