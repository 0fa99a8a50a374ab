// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The camera: orbit, pan and zoom, and smooth transitions to views of the bodies.
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
const room = 1.25; // margin around what is fitted into view
const lift = 0.1; // of half the height: leaves room for legends at the bottom

function corner({ min, max }: THREE.Box3, i: number): THREE.Vector3 {
    return new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
}

export class Eye {
    readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
    readonly controls: OrbitControls;
    private flight: Flight | null = null;
    private last = 0; // time of the last picture [ms]
    private touched = false; // moved by hand since everything was last fitted into view
    private held = false; // something is held: moving the view would pull at it
    private catching = false; // moving towards a view of all bodies
    private readonly latest = new THREE.Box3(); // bounds that were last followed
    private readonly swept = new THREE.Box3(); // where bodies have been in the last few seconds

    constructor(canvas: HTMLCanvasElement, changed: () => void) {
        this.camera.position.set(1, 1, 1);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.zoomToCursor = true;
        this.controls.zoomSpeed = 1.1;
        this.controls.addEventListener('change', changed);
        this.controls.addEventListener('start', () => {
            this.flight = null; // moving by hand takes precedence
            this.touched = true;
            changed();
        });
    }

    /** Whether dragging with the left button or one finger turns the view. */
    setTurning(on: boolean): void {
        this.held = !on;
        this.controls.mouseButtons.LEFT = on ? THREE.MOUSE.ROTATE : null;
        this.controls.touches.ONE = on ? THREE.TOUCH.ROTATE : null;
    }

    resize(width: number, height: number): void {
        this.camera.aspect = width / Math.max(1, height);
        this.camera.updateProjectionMatrix();
    }

    /** Fits the bounds into view, from the present direction or from a given side. */
    fit(bounds: THREE.Box3, from: View | null, smooth: boolean): void {
        if (bounds.isEmpty()) return;
        const radius = Math.max(0.5 * bounds.getSize(new THREE.Vector3()).length(), 1e-6);
        const way = from ? new THREE.Vector3(...directions[from])
            : this.camera.position.clone().sub(this.controls.target);
        if (way.lengthSq() === 0) way.set(...directions.corner);
        way.normalize();
        this.touched = this.catching = false;
        this.swept.copy(bounds);
        const { distance, target } = this.goal(bounds, way);
        this.fly(target.clone().addScaledVector(way, distance), target, smooth);
        this.controls.minDistance = 0.02 * radius;
        this.controls.maxDistance = 60 * radius;
    }

    /** The distance and target from which all corners of a box are in view. */
    private goal(bounds: THREE.Box3, way: THREE.Vector3):
        { distance: number; target: THREE.Vector3 } {
        const right = new THREE.Vector3().crossVectors(this.camera.up, way).normalize();
        const up = new THREE.Vector3().crossVectors(way, right);
        const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
        const center = bounds.getCenter(new THREE.Vector3());
        let distance = 1e-6;
        for (let i = 0; i < 8; i++) {
            const p = corner(bounds, i).sub(center);
            const side = Math.max(Math.abs(p.dot(up)), Math.abs(p.dot(right)) / this.camera.aspect);
            distance = Math.max(distance, room * (side / tangent + p.dot(way)));
        }
        return { distance, target: center.addScaledVector(up, -lift * tangent * distance) };
    }

    /** Makes a place the new centre of rotation. */
    center(at: THREE.Vector3): void {
        const eye = this.camera.position.clone().add(at).sub(this.controls.target);
        this.fly(eye, at, true);
    }

    private fly(eye: THREE.Vector3, target: THREE.Vector3, smooth: boolean): void {
        const from = { eye: this.camera.position.clone(), target: this.controls.target.clone() };
        const start = smooth ? performance.now() : -Infinity;
        this.flight = { start, from, to: { eye: eye.clone(), target: target.clone() } };
    }

    /** Moves on; true while it is still moving. `all`: everything; `near`: what to follow. */
    update(now: number, all: THREE.Box3, near: THREE.Box3): boolean {
        // The same motion per second whatever the frame rate, with a gentle start after a rest.
        const past = Math.min(300, Math.max(0, now - this.last));
        const share = 1 - Math.exp(-past / 130);
        this.last = now;
        this.controls.dampingFactor = share;
        if (this.flight) this.step(this.flight, now);
        else if (!this.touched && !this.held && this.controls.enabled && !near.isEmpty())
            this.follow(near, past);
        const moving = this.controls.update() || this.flight !== null || this.catching;
        const ball = all.isEmpty() ? new THREE.Sphere(undefined, 1)
            : all.getBoundingSphere(new THREE.Sphere());
        const r = Math.max(ball.radius, 1e-6);
        const distance = this.camera.position.distanceTo(ball.center);
        this.camera.near = Math.max(distance - 4 * r, 0.004 * distance, 1e-4 * r);
        this.camera.far = distance + 14 * r;
        this.camera.updateProjectionMatrix();
        return moving;
    }

    /**
     * Brings bodies back into view that leave the picture or become small, unless the user has
     * moved the view. Follows the region where they have recently been, so that a pendulum does
     * not make the view sway.
     */
    private follow(bounds: THREE.Box3, past: number): void {
        const forget = bounds.equals(this.latest) ? 0 : 1 - Math.exp(-past / 1500);
        this.latest.copy(bounds);
        this.swept.min.lerp(bounds.min, forget).min(bounds.min);
        this.swept.max.lerp(bounds.max, forget).max(bounds.max);
        this.catching ||= !this.shows(this.swept);
        if (!this.catching) return;
        const { target } = this.controls;
        const way = this.camera.position.clone().sub(target);
        const from = way.length();
        way.divideScalar(from || 1);
        const { distance: to, target: at } = this.goal(this.swept, way);
        const share = 1 - Math.exp(-past / 250);
        this.catching = target.distanceTo(at) > 0.01 * to || Math.abs(from / to - 1) > 0.01;
        target.lerp(at, share);
        this.camera.position.copy(target).addScaledVector(way, from + share * (to - from));
    }

    /** Whether a box is entirely in the picture, large enough and near the middle. */
    private shows(box: THREE.Box3): boolean {
        this.camera.updateMatrixWorld();
        const seen = new THREE.Box2();
        for (let i = 0; i < 8; i++) {
            const p = corner(box, i).applyMatrix4(this.camera.matrixWorldInverse);
            if (p.z >= 0) return false;
            p.applyMatrix4(this.camera.projectionMatrix);
            seen.expandByPoint(new THREE.Vector2(p.x, p.y));
        }
        const most = Math.max(-seen.min.x, -seen.min.y, seen.max.x, seen.max.y);
        const size = seen.getSize(new THREE.Vector2());
        const middle = seen.getCenter(new THREE.Vector2());
        return most < 0.97 && Math.max(size.x, size.y) > 0.85
            && Math.max(Math.abs(middle.x), Math.abs(middle.y - lift)) < 0.2;
    }

    /** Moves along an arc about the target, so as not to pass through the body. */
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
