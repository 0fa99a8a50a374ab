// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Muscles: tubes between their ends, which redden and swell with activation.
import * as THREE from 'three';
import type { FrameMessage, SceneMessage } from './protocol';
import { lit } from './pull_view';

const [slack, tense] = [new THREE.Color('#e6c9bf'), new THREE.Color('#c8141f')];
const up = new THREE.Vector3(0, 1, 0);

interface Tube {
    mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
    control: number;
    width: number; // pixels
}

export class MuscleMarks {
    readonly group = new THREE.Group();
    private tubes: Tube[] = [];

    constructor(private readonly shaft: THREE.BufferGeometry) {}

    setScene(scene: SceneMessage | null): void {
        for (const { mesh } of this.tubes) {
            mesh.removeFromParent();
            mesh.material.dispose();
        }
        const muscles = (scene?.controls ?? []).filter(({ kind }) => kind === 'muscle');
        this.tubes = muscles.map(({ index }) => {
            const mesh = new THREE.Mesh(this.shaft, lit('#ffffff', 0.85));
            this.group.add(mesh);
            return { mesh, control: index, width: 0 };
        });
    }

    setFrame(frame: FrameMessage): void {
        this.tubes.forEach((tube, i) => {
            const { mesh } = tube;
            const way = new THREE.Vector3().fromArray(frame.muscles, 6 * i + 3);
            way.sub(mesh.position.fromArray(frame.muscles, 6 * i));
            const activation = frame.controls[2 * tube.control];
            mesh.scale.y = Math.max(way.length(), 1e-9);
            mesh.quaternion.setFromUnitVectors(up, way.normalize());
            mesh.material.color.lerpColors(slack, tense, activation);
            tube.width = 2 + 2 * activation;
        });
    }

    update(pixelAt: (p: THREE.Vector3) => number): void {
        for (const { mesh, width } of this.tubes)
            mesh.scale.x = mesh.scale.z = width * pixelAt(mesh.position);
    }

    dispose(): void {
        this.setScene(null);
    }
}
