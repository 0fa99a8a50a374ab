// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The section plane: removes what lies in front of it, and fills the cut.
import * as THREE from 'three';
import type { Cut } from './pick';
import { skinMaterial } from './skin';
import type { Surface } from './surface';
import type { Section as SectionOptions } from './stage_types';

const stencil: THREE.MaterialParameters = {
    colorWrite: false, depthWrite: false, depthTest: false, stencilWrite: true,
    stencilFunc: THREE.AlwaysStencilFunc,
};

/** Counts how often rays enter and leave a surface behind the plane: unequally where it is cut. */
class Cap {
    private readonly quad: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
    private readonly passes: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>[];

    constructor(
        private readonly surface: Surface, plane: THREE.Plane, geometry: THREE.BufferGeometry,
    ) {
        const count = (side: THREE.Side, op: THREE.StencilOp): THREE.MeshBasicMaterial =>
            skinMaterial(new THREE.MeshBasicMaterial({
                ...stencil, side, clippingPlanes: [plane],
                stencilFail: op, stencilZFail: op, stencilZPass: op,
            }), surface.uniforms, 'count');
        this.passes = [
            count(THREE.BackSide, THREE.IncrementWrapStencilOp),
            count(THREE.FrontSide, THREE.DecrementWrapStencilOp),
        ].map((material) => {
            const mesh = new THREE.Mesh(surface.shaded.geometry, material);
            mesh.frustumCulled = false;
            surface.group.add(mesh);
            return mesh;
        });
        this.quad = new THREE.Mesh(geometry, new THREE.ShaderMaterial({
            uniforms: { color: { value: new THREE.Color() } },
            vertexShader: `varying vec2 at;
                void main() {
                    at = position.xy;
                    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
                }`,
            fragmentShader: `uniform vec3 color; varying vec2 at;
                void main() {
                    float p = (at.x + at.y) * 160.0, w = fwidth(p);
                    float line = 1.0 - smoothstep(0.06, 0.06 + w, abs(fract(p) - 0.5));
                    gl_FragColor = vec4(color * mix(1.0, 0.82, line), 1.0);
                    #include <colorspace_fragment>
                }`,
            side: THREE.DoubleSide, toneMapped: false, stencilWrite: true, stencilRef: 0,
            stencilFunc: THREE.NotEqualStencilFunc, stencilFail: THREE.ReplaceStencilOp,
            stencilZFail: THREE.ReplaceStencilOp, stencilZPass: THREE.ReplaceStencilOp,
        }));
        this.quad.frustumCulled = false;
        this.quad.onAfterRender = (renderer) => renderer.clearStencil();
        surface.group.add(this.quad);
    }

    place(center: THREE.Vector3, normal: THREE.Vector3, size: number, order: number): void {
        this.quad.position.copy(center);
        this.quad.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
        this.quad.scale.setScalar(size);
        for (const mesh of this.passes) mesh.renderOrder = order;
        this.quad.renderOrder = order + 0.5;
    }

    setColor(color: THREE.Color): void {
        const lighter = this.quad.material.uniforms.color.value as THREE.Color;
        lighter.copy(color).lerp(new THREE.Color(1, 1, 1), 0.3);
    }

    dispose(): void {
        for (const mesh of this.passes) {
            this.surface.group.remove(mesh);
            mesh.material.dispose();
        }
        this.surface.group.remove(this.quad);
        this.quad.material.dispose();
    }
}

export class Section {
    readonly plane = new THREE.Plane();
    private caps = new Map<Surface, Cap>();
    private readonly geometry = new THREE.PlaneGeometry(2, 2);
    private isOn = false;

    /** Keeps what lies below `at` along the axis, or above it when flipped. */
    set(options: SectionOptions, bounds: THREE.Box3): void {
        this.isOn = options.on;
        const k = 'xyz'.indexOf(options.axis);
        const [lo, hi] = [bounds.min.getComponent(k), bounds.max.getComponent(k)];
        // A little wider than the bodies, so that the two ends show everything and nothing.
        const margin = 0.02 * (hi - lo);
        const at = lo - margin + options.at * (hi - lo + 2 * margin);
        const sign = options.flip ? 1 : -1;
        this.plane.normal.set(0, 0, 0).setComponent(k, sign);
        this.plane.constant = -sign * at;
    }

    get planes(): THREE.Plane[] | null {
        return this.isOn ? [this.plane] : null;
    }

    get cut(): Cut | null {
        const { normal, constant } = this.plane;
        return this.isOn ? { normal: [normal.x, normal.y, normal.z], offset: constant } : null;
    }

    /** Cuts these surfaces; larger ones are drawn first, so that inner ones end up on top. */
    apply(surfaces: Surface[], bounds: THREE.Box3, filled: boolean,
        colorOf: (s: Surface) => THREE.Color): void {
        for (const surface of surfaces) surface.setClipping(this.planes, filled);
        const cut = new Set(this.isOn && filled ? surfaces.filter((s) => s.closed) : []);
        for (const [surface, cap] of this.caps)
            if (!cut.has(surface)) {
                cap.dispose();
                this.caps.delete(surface);
            }
        const center = bounds.getCenter(new THREE.Vector3());
        this.plane.projectPoint(center.clone(), center);
        const size = bounds.getSize(new THREE.Vector3()).length() || 1;
        const extent = (s: Surface): number => {
            const box = new THREE.Box3();
            s.expand(box);
            return box.getSize(new THREE.Vector3()).length();
        };
        const sorted = [...cut].map((s) => ({ s, size: extent(s) }))
            .sort((a, b) => b.size - a.size);
        sorted.forEach(({ s }, i) => {
            const cap = this.caps.get(s) ?? new Cap(s, this.plane, this.geometry);
            this.caps.set(s, cap);
            cap.place(center, this.plane.normal, 4 * size, 1 + i); // wide: bodies move
            cap.setColor(colorOf(s));
        });
    }

    clear(): void {
        for (const cap of this.caps.values()) cap.dispose();
        this.caps.clear();
    }

    dispose(): void {
        this.clear();
        this.geometry.dispose();
    }
}
