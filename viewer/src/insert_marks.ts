// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Inserted frames: a dot and a ball as large as the range, and the same under the pointer.
import * as THREE from 'three';
import type { FrameMessage, SceneMessage } from './protocol';

const colors = { hand: '#8e4ec6', automatic: '#12a594', reach: '#ffb224' };

/** Unlit and translucent, visible through everything. */
function glass(color: string, opacity: number): THREE.MeshBasicMaterial {
    return new THREE.MeshBasicMaterial({
        color, opacity, transparent: true, depthTest: false, depthWrite: false, toneMapped: false,
    });
}

const sphere = new THREE.SphereGeometry(1, 48, 32);
const circle = new THREE.RingGeometry(0.97, 1, 96);

/** A translucent ball with an outline and a dot in its middle. */
class Mark {
    readonly group = new THREE.Group();
    private readonly ball: THREE.Mesh;
    private readonly ring: THREE.Mesh;
    private readonly dot: THREE.Mesh;

    constructor(dot: THREE.BufferGeometry, color: string, readonly slot: number) {
        this.ball = new THREE.Mesh(sphere, glass(color, 0.12));
        this.ring = new THREE.Mesh(circle, glass(color, 0.8));
        this.dot = new THREE.Mesh(dot, glass(color, 1));
        this.group.add(this.ball, this.ring, this.dot);
    }

    get at(): THREE.Vector3 {
        return this.group.position;
    }

    setRange(range: number): void {
        this.ball.scale.setScalar(range);
        this.ring.scale.setScalar(range);
    }

    update(camera: THREE.Camera, pixelAt: (p: THREE.Vector3) => number): void {
        this.ring.quaternion.copy(camera.quaternion);
        this.dot.scale.setScalar(5 * pixelAt(this.at));
    }

    dispose(): void {
        this.group.removeFromParent();
        for (const mesh of [this.ball, this.ring, this.dot])
            (mesh.material as THREE.Material).dispose();
    }
}

export class InsertMarks {
    readonly group = new THREE.Group();
    marks: Mark[] = [];
    private readonly reach: Mark;

    constructor(private readonly dot: THREE.BufferGeometry) {
        this.reach = new Mark(dot, colors.reach, -1);
        this.reach.group.visible = false;
        this.group.add(this.reach.group);
    }

    setScene(scene: SceneMessage | null): void {
        for (const mark of this.marks) mark.dispose();
        this.marks = (scene?.inserted ?? []).map(({ slot, range, automatic }) => {
            const mark = new Mark(this.dot, automatic ? colors.automatic : colors.hand, slot);
            mark.setRange(range);
            this.group.add(mark.group);
            return mark;
        });
    }

    setFrame(frame: FrameMessage): void {
        this.marks.forEach((mark, i) => mark.at.fromArray(frame.inserted, 3 * i));
    }

    /** Shows where a frame would be inserted; true if that changes the picture. */
    setReach(at: THREE.Vector3 | null, range: number): boolean {
        const { group } = this.reach;
        const changes = group.visible || at !== null;
        group.visible = at !== null;
        if (at) group.position.copy(at);
        this.reach.setRange(range);
        return changes;
    }

    update(camera: THREE.Camera, pixelAt: (p: THREE.Vector3) => number): void {
        for (const mark of [...this.marks, this.reach]) mark.update(camera, pixelAt);
    }

    dispose(): void {
        this.setScene(null);
        this.reach.dispose();
    }
}
