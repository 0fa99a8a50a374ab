// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What is sent while the pointer holds something.
import * as THREE from 'three';
import type { Command, Vec3 } from './protocol';

/** Something held by a pointer. */
export interface Drag {
    id: number | null; // of the pull
    move(ray: THREE.Ray): void;
    wheel(turns: number): void;
    flush(): void; // at most once per picture
    end(moved: boolean): void;
}

export type Send = (c: Command) => void;

/** A place that follows the pointer in a plane through the place, parallel to the screen. */
export class Follower {
    readonly place: THREE.Vector3;
    pending = false;
    private readonly offset = new THREE.Vector3();
    private readonly plane = new THREE.Plane();

    constructor(place: THREE.Vector3, private readonly camera: THREE.Camera, ray: THREE.Ray) {
        this.place = place.clone();
        this.plane.setFromNormalAndCoplanarPoint(this.forward(), place);
        const at = ray.intersectPlane(this.plane, new THREE.Vector3());
        if (at) this.offset.subVectors(place, at);
    }

    private forward(): THREE.Vector3 {
        return this.camera.getWorldDirection(new THREE.Vector3());
    }

    move(ray: THREE.Ray): void {
        const at = ray.intersectPlane(this.plane, new THREE.Vector3());
        if (!at) return;
        this.place.addVectors(at, this.offset);
        this.pending = true;
    }

    /** Away from the eye, or towards it. */
    push(distance: number): void {
        const step = this.forward().multiplyScalar(distance);
        this.place.add(step);
        this.plane.setFromNormalAndCoplanarPoint(this.plane.normal, this.place);
        this.pending = true;
    }

    take(): Vec3 | null {
        if (!this.pending) return null;
        this.pending = false;
        return this.place.toArray() as Vec3;
    }
}

export function dragPull(id: number, follower: Follower, size: number, send: Send,
    end: (moved: boolean) => void): Drag {
    return {
        id,
        move: (ray) => follower.move(ray),
        wheel: (turns) => follower.push(0.03 * size * turns),
        flush: () => {
            const to = follower.take();
            if (to) send({ do: 'move', id, to });
        },
        end,
    };
}

export function dragBall(follower: Follower, radius: number, send: Send): Drag {
    follower.pending = true;
    return {
        id: null,
        move: (ray) => follower.move(ray),
        wheel: (turns) => follower.push(0.15 * radius * turns),
        flush: () => {
            const at = follower.take();
            if (at) send({ do: 'ball', at, radius });
        },
        end: () => send({ do: 'ball', at: follower.place.toArray() as Vec3, radius: 0 }),
    };
}
