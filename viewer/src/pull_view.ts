// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What pulls at a body: the arrow of a grab, the peg of a pin.
import * as THREE from 'three';
import { Label } from './label';
import type { Pull } from './protocol';

const pullColors = { grab: '#f76b15', pin: '#d6336c', frame: '#7c5cc4' };

/** Shapes of unit size, of which all marks are made. */
export interface Shapes {
    shaft: THREE.BufferGeometry; // along y, from 0 to 1, radius 1
    cone: THREE.BufferGeometry;
    ball: THREE.BufferGeometry;
}

/** Newtons, with two or three digits. */
export function forceText(newton: number): string {
    if (!(newton >= 5e-6)) return '0 N';
    const units: [number, string][] = [[1e6, 'MN'], [1e3, 'kN'], [1, 'N'], [1e-3, 'mN']];
    const [scale, unit] = units.find(([s]) => newton >= s) ?? [1e-3, 'mN'];
    const value = newton / scale;
    return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(2))} ${unit}`;
}

export function lit(color: string, opacity = 1): THREE.MeshLambertMaterial {
    return new THREE.MeshLambertMaterial({
        color, opacity, transparent: opacity < 1, toneMapped: false,
    });
}

/** An arrow from a point to where it is pulled, or the peg of a pin. */
export class PullView {
    readonly group = new THREE.Group();
    private readonly material: THREE.MeshLambertMaterial;
    private readonly shaft: THREE.Mesh;
    private readonly head: THREE.Mesh;
    private readonly dot: THREE.Mesh;
    private readonly label: Label;
    pull: Pull;
    readonly end = new THREE.Vector3(); // the head

    constructor(pull: Pull, shapes: Shapes) {
        this.pull = pull;
        this.material = lit(pullColors[pull.kind]);
        this.shaft = new THREE.Mesh(shapes.shaft, this.material);
        this.head = new THREE.Mesh(pull.kind === 'pin' ? shapes.ball : shapes.cone, this.material);
        this.dot = new THREE.Mesh(shapes.ball, this.material);
        this.label = new Label(pullColors[pull.kind]);
        this.group.add(this.shaft, this.head, this.dot, this.label.sprite);
    }

    update(camera: THREE.Camera, pixelAt: (p: THREE.Vector3) => number, pixel: number): void {
        const { pull } = this;
        const at = new THREE.Vector3(...pull.at);
        const to = new THREE.Vector3(...pull.to);
        const px = pixelAt(at);
        const isPin = pull.kind === 'pin';
        // A pin's head stands off the surface, towards the top of the screen.
        const up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
        const end = this.end.copy(to).addScaledVector(up, isPin ? 18 * px : 0);
        const way = end.clone().sub(at);
        const length = way.length();
        const headLength = isPin ? 0 : Math.min(0.6 * length, 14 * px);
        way.normalize();
        const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), way);
        this.dot.position.copy(at);
        this.dot.scale.setScalar((isPin ? 2.5 : 4.5) * px);
        this.shaft.position.copy(at);
        this.shaft.quaternion.copy(turn);
        this.shaft.scale.set(1.4 * px, Math.max(length - headLength, 1e-9), 1.4 * px);
        this.head.quaternion.copy(turn);
        if (isPin) {
            this.head.position.copy(end);
            this.head.scale.setScalar(6 * px);
        } else {
            this.head.position.copy(end).addScaledVector(way, -headLength);
            this.head.scale.set(5 * px, Math.max(headLength, 1e-9), 5 * px);
        }
        this.head.visible = this.shaft.visible = length > 2 * px;
        this.label.sprite.visible = pull.kind === 'grab' || (isPin && pull.force > 0);
        this.label.set(forceText(pull.force));
        this.label.place(end, pixel);
    }

    dispose(): void {
        this.group.removeFromParent();
        this.material.dispose();
        this.label.dispose();
    }
}
