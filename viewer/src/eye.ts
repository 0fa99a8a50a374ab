// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The eye: orbit, pan and zoom, and smooth ways to views of the bodies.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const directions = {
    front: [0, 0.06, 1], right: [1, 0.06, 0], top: [0, 1, 0.001], corner: [0.75, 0.5, 1],
} as const;
export type View = keyof typeof directions;

interface Flight {
    start: number;
    from: { eye: THREE.Vector3; target: THREE.Vector3 };
    to: { eye: THREE.Vector3; target: THREE.Vector3 };
}
const flightTime = 450; // [ms]

export class Eye {
    readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
    readonly controls: OrbitControls;
    private flight: Flight | null = null;
    private touched = false; // by hand, since all was last put into view

    constructor(canvas: HTMLCanvasElement, changed: () => void) {
        this.camera.position.set(1, 1, 1);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.zoomToCursor = true;
        this.controls.zoomSpeed = 1.1;
        this.controls.addEventListener('change', changed);
        this.controls.addEventListener('start', () => {
            this.flight = null; // the hand is stronger
            this.touched = true;
            changed();
        });
    }

    /** Whether dragging with the left button or one finger turns the view. */
    setTurning(on: boolean): void {
        if (!on) this.touched = true; // a view that moves would pull at what the hand holds
        this.controls.mouseButtons.LEFT = on ? THREE.MOUSE.ROTATE : null;
        this.controls.touches.ONE = on ? THREE.TOUCH.ROTATE : null;
    }

    resize(width: number, height: number): void {
        this.camera.aspect = width / Math.max(1, height);
        this.camera.updateProjectionMatrix();
    }

    /** Puts the bounds into view, from where the eye is or from a given side. */
    fit(bounds: THREE.Box3, from: View | null, smooth: boolean): void {
        if (bounds.isEmpty()) return;
        const center = bounds.getCenter(new THREE.Vector3());
        const radius = Math.max(0.5 * bounds.getSize(new THREE.Vector3()).length(), 1e-6);
        const way = from ? new THREE.Vector3(...directions[from])
            : this.camera.position.clone().sub(this.controls.target);
        if (way.lengthSq() === 0) way.set(...directions.corner);
        way.normalize();
        this.touched = false;
        const distance = Math.max(1.2 * this.distanceTo(bounds, center, way), 0.2 * radius);
        this.fly(center.clone().addScaledVector(way, distance), center, smooth);
        this.controls.minDistance = 0.02 * radius;
        this.controls.maxDistance = 60 * radius;
    }

    /** How far away all corners of a box are in view. */
    private distanceTo(bounds: THREE.Box3, center: THREE.Vector3, way: THREE.Vector3): number {
        const right = new THREE.Vector3().crossVectors(this.camera.up, way).normalize();
        const up = new THREE.Vector3().crossVectors(way, right);
        const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
        const { min, max } = bounds;
        let distance = 0;
        for (let i = 0; i < 8; i++) {
            const corner = new THREE.Vector3(
                i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).sub(center);
            const side = Math.max(Math.abs(corner.dot(up)),
                Math.abs(corner.dot(right)) / this.camera.aspect);
            distance = Math.max(distance, side / tangent + corner.dot(way));
        }
        return distance;
    }

    /** Turns around a place from now on. */
    center(at: THREE.Vector3): void {
        const eye = this.camera.position.clone().add(at).sub(this.controls.target);
        this.fly(eye, at, true);
    }

    private fly(eye: THREE.Vector3, target: THREE.Vector3, smooth: boolean): void {
        const from = { eye: this.camera.position.clone(), target: this.controls.target.clone() };
        const start = smooth ? performance.now() : -Infinity;
        this.flight = { start, from, to: { eye: eye.clone(), target: target.clone() } };
    }

    /** Moves on; true while there is more to come. */
    update(now: number, bounds: THREE.Box3): boolean {
        if (this.flight) this.step(this.flight, now);
        else if (!this.touched && !bounds.isEmpty()) this.follow(bounds);
        const moving = this.controls.update() || this.flight !== null;
        const ball = bounds.isEmpty() ? new THREE.Sphere(undefined, 1)
            : bounds.getBoundingSphere(new THREE.Sphere());
        const r = Math.max(ball.radius, 1e-6);
        const distance = this.camera.position.distanceTo(ball.center);
        this.camera.near = Math.max(distance - 4 * r, 0.004 * distance, 1e-4 * r);
        this.camera.far = distance + 14 * r;
        this.camera.updateProjectionMatrix();
        return moving;
    }

    /** Goes after bodies that leave the picture, as long as nobody has chosen another view. */
    private follow(bounds: THREE.Box3): void {
        const offset = bounds.getCenter(new THREE.Vector3()).sub(this.controls.target);
        const free = 0.16 * this.camera.position.distanceTo(this.controls.target);
        const beyond = offset.length() - free;
        if (!(beyond > 0)) return;
        offset.setLength(0.08 * beyond);
        this.controls.target.add(offset);
        this.camera.position.add(offset);
    }

    /** Along an arc about the target, so that a change of side does not pass through the body. */
    private step(flight: Flight, now: number): void {
        const share = Math.min(1, (now - flight.start) / flightTime);
        const s = share * share * (3 - 2 * share);
        const { from, to } = flight;
        const a = new THREE.Spherical().setFromVector3(from.eye.clone().sub(from.target));
        const b = new THREE.Spherical().setFromVector3(to.eye.clone().sub(to.target));
        let turn = b.theta - a.theta;
        turn -= 2 * Math.PI * Math.round(turn / (2 * Math.PI));
        const at = new THREE.Spherical(a.radius * (b.radius / a.radius) ** s,
            a.phi + s * (b.phi - a.phi), a.theta + s * turn).makeSafe();
        this.controls.target.lerpVectors(from.target, to.target, s);
        this.camera.position.setFromSpherical(at).add(this.controls.target);
        if (share >= 1) this.flight = null;
    }

    dispose(): void {
        this.controls.dispose();
    }
}
