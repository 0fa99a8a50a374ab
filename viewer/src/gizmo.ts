// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Moves and rotates the selected frame or handle.
import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { Marker, Overlay } from './overlay';
import type { Command, Pull, Quat, SceneMessage, Vec3 } from './protocol';
import { sameNode } from './scene_nodes';

export function newId(): number {
    return Math.floor(Math.random() * 2 ** 31);
}

function quat(q: THREE.Quaternion): Quat {
    return [q.w, q.x, q.y, q.z];
}

/** The rotation nearest to a matrix, its polar factor. */
function rotationOf(m: THREE.Matrix4, out: THREE.Quaternion): THREE.Quaternion {
    let r = new THREE.Matrix3().setFromMatrix4(m);
    // R := (R + R^-T) / 2 converges quadratically to the polar factor.
    for (let i = 0; i < 20; i++) {
        if (!(Math.abs(r.determinant()) > 1e-12)) return out.identity();
        const inverse = r.clone().invert().transpose();
        const next = r.clone();
        next.elements.forEach((e, k) => (next.elements[k] = 0.5 * (e + inverse.elements[k])));
        r = next;
    }
    if (r.determinant() < 0) return out.identity();
    return out.setFromRotationMatrix(new THREE.Matrix4().setFromMatrix3(r)).normalize();
}

export class Gizmo {
    readonly controls: TransformControls;
    chosen: Marker | null = null;
    private readonly proxy = new THREE.Object3D();
    private id = 0; // of the springs on the frame; 0 while there are none
    private seen = false; // the server has these springs
    private pending = false;
    private scene: SceneMessage | null = null;

    constructor(camera: THREE.Camera, canvas: HTMLCanvasElement, private readonly overlay: Overlay,
        private readonly command: (c: Command) => void, changed: () => void) {
        this.controls = new TransformControls(camera, canvas);
        this.controls.setColors('#e5484d', '#46a758', '#3e7bfa', '#ffd166');
        this.controls.size = 0.8;
        this.controls.enabled = false;
        this.controls.addEventListener('change', changed);
        this.controls.addEventListener('objectChange', () => (this.pending = true));
        overlay.scene.add(this.proxy, this.controls.getHelper());
    }

    setScene(scene: SceneMessage | null): void {
        const keep = scene?.continues && this.chosen;
        if (keep && this.scene && this.chosen?.kind === 'node')
            this.chosen.index = sameNode(this.scene, scene, this.chosen.index);
        this.scene = scene;
        if (!keep) this.drop();
    }

    choose(marker: Marker | null): void {
        if (this.chosen?.kind === marker?.kind && this.chosen?.index === marker?.index) return;
        this.release();
        this.chosen = marker;
        this.controls.enabled = marker !== null;
        if (!marker) {
            this.controls.detach();
            return;
        }
        this.follow();
        this.controls.attach(this.proxy);
    }

    setTurn(on: boolean): void {
        this.controls.setMode(on ? 'rotate' : 'translate');
        this.controls.setSpace(on ? 'local' : 'world');
    }

    private node(marker: Marker): number {
        return marker.kind === 'node' ? marker.index : this.scene!.handles[marker.index].node;
    }

    nameOf(marker: Marker): string {
        const scene = this.scene!;
        const handle = marker.kind === 'handle' ? marker.index : scene.nodes[marker.index].handle;
        return scene.handles[handle]?.name || `Frame ${this.node(marker)}`;
    }

    /** The gizmo stays on its object, unless it is being dragged or springs pull towards it. */
    follow(): void {
        if (!this.chosen || this.controls.dragging || this.pending || this.id) return;
        const m = this.overlay.matrix(this.node(this.chosen), new THREE.Matrix4());
        this.proxy.position.setFromMatrixPosition(m);
        rotationOf(m, this.proxy.quaternion);
        this.proxy.updateMatrixWorld();
    }

    /** Sends the new pose, at most once per picture. */
    flush(): void {
        if (!this.pending || !this.chosen) return;
        this.pending = false;
        const to = this.proxy.position.toArray() as Vec3;
        const turn = this.proxy.quaternion.clone();
        if (this.chosen.kind === 'node') {
            this.id ||= newId();
            const node = this.chosen.index;
            this.command({ do: 'frame', id: this.id, node, to, turn: quat(turn) });
            return;
        }
        const [w, x, y, z] = this.scene!.handles[this.chosen.index].turn;
        turn.multiply(new THREE.Quaternion(x, y, z, w).invert()); // from rest
        this.command({ do: 'handle', handle: this.chosen.index, to, turn: quat(turn) });
    }

    private release(): void {
        if (this.id) this.command({ do: 'release', id: this.id });
        this.id = 0;
        this.seen = this.pending = false;
    }

    /** Clears the selection without sending anything, as what was held is gone. */
    private drop(): void {
        this.id = 0;
        this.choose(null);
    }

    /** Notices when a reset or another page has released the frame. */
    setPulls(pulls: Pull[]): void {
        const here = pulls.some((p) => p.id === this.id);
        if (this.seen && !here) this.id = 0;
        this.seen = here;
    }

    dispose(): void {
        this.controls.detach();
        this.controls.getHelper().removeFromParent();
        this.controls.dispose();
    }
}
