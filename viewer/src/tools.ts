// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The tools: grab, pin, move, poke, insert. Handles pointer events of mouse, pen and touch.
import * as THREE from 'three';
import { dragBall, dragPull, Follower, type Drag, type Send } from './drag';
import type { Eye } from './eye';
import { newId, type Gizmo } from './gizmo';
import type { Marker, Overlay } from './overlay';
import type { Pull, Vec3 } from './protocol';
import type { StageEvents, ViewOptions } from './stage_types';

export interface Picked {
    surface: number;
    vertex: number;
    triangle: number;
    share: Vec3; // barycentric coordinates of the place that is hit
    at: THREE.Vector3; // where the ray hits the surface
    place: THREE.Vector3; // position of the vertex
}

export interface ToolHost {
    readonly canvas: HTMLCanvasElement;
    readonly options: ViewOptions;
    readonly eye: Eye;
    readonly overlay: Overlay;
    readonly gizmo: Gizmo;
    readonly events: StageEvents;
    readonly touchable: boolean; // whether what is shown can be acted on
    pick(ray: THREE.Ray): Picked | null;
    describe(picked: Picked): string | null;
    sizeOf(surface: number): number; // of its body
    /** How a frame would be inserted there; null if the body is not prepared for it. */
    insertion(surface: number): { range: number; geodesic: boolean } | null;
    invalidate(): void;
}

const reach = 14; // pixels around a marker
const still = 4; // pixels that a click may move

export class Tools {
    private drag: Drag | null = null;
    private readonly pointers = new Map<number, { x: number; y: number }>(); // where they went down
    private holder = -1; // the pointer that drags
    private moved = false;
    private gizmoUsed = false; // by the pointer that is down
    private hovering: PointerEvent | null = null; // not handled yet
    private hoverTimer = 0;
    private nextHover = 0; // [ms]
    private readonly stop = new AbortController();

    constructor(private readonly host: ToolHost) {
        const { canvas } = host;
        const signal = this.stop.signal;
        // Listens before the controls of the view, which listen on the canvas itself.
        const parent = canvas.parentElement!;
        parent.addEventListener('pointerdown', (e) => this.down(e), { capture: true, signal });
        canvas.addEventListener('pointermove', (e) => this.move(e), { signal });
        for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
            canvas.addEventListener(name, (e) => this.up(e), { signal });
        const wheel = { capture: true, passive: false, signal };
        parent.addEventListener('wheel', (e) => this.wheel(e), wheel);
        canvas.addEventListener('dblclick', (e) => this.center(e), { signal });
        canvas.addEventListener('pointerleave', () => this.leave(), { signal });
        window.addEventListener('blur', () => {
            this.pointers.clear(); // the page will not be told when they go up
            this.cancel();
        }, { signal });
        window.addEventListener('keydown', (e) => {
            if (e.key !== 'Escape') return;
            this.cancel();
            this.choose(null);
        }, { signal });
        host.gizmo.controls.addEventListener('dragging-changed', (e) => {
            host.eye.controls.enabled = !e.value;
            this.gizmoUsed ||= e.value === true;
        });
    }

    private get send(): Send {
        return (c) => this.host.events.command(c);
    }

    // ---- places on the screen ----

    private ray(e: { clientX: number; clientY: number }): THREE.Ray {
        const box = this.host.canvas.getBoundingClientRect();
        const at = new THREE.Vector2((2 * (e.clientX - box.left)) / box.width - 1,
            1 - (2 * (e.clientY - box.top)) / box.height);
        const caster = new THREE.Raycaster();
        caster.setFromCamera(at, this.host.eye.camera);
        return caster.ray;
    }

    private pixels(p: THREE.Vector3, e: { clientX: number; clientY: number }): number {
        const box = this.host.canvas.getBoundingClientRect();
        const q = p.clone().project(this.host.eye.camera);
        if (q.z > 1) return Infinity;
        return Math.hypot(box.left + (q.x + 1) * 0.5 * box.width - e.clientX,
            box.top + (1 - q.y) * 0.5 * box.height - e.clientY);
    }

    private nearest<T extends { at: THREE.Vector3 }>(items: T[], e: PointerEvent): T | null {
        let best: T | null = null;
        let least = e.pointerType === 'touch' ? 2 * reach : reach;
        for (const item of items) {
            const d = this.pixels(item.at, e);
            if (!(d < least)) continue;
            best = item;
            least = d;
        }
        return best;
    }

    private pinAt(e: PointerEvent): Pull | null {
        return this.nearest(this.host.overlay.pins(), e)?.pull ?? null;
    }

    private markerAt(e: PointerEvent): Marker | null {
        return this.nearest(this.host.overlay.markers(), e);
    }

    // ---- pointers ----

    private down(e: PointerEvent): void {
        if (e.target !== this.host.canvas) return;
        this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
        this.leave();
        this.moved = this.gizmoUsed = false;
        if (this.pointers.size > 1) {
            this.cancel(); // a second finger moves the view instead
            this.host.eye.setTurning(true);
            return;
        }
        if (e.button !== 0) return;
        this.drag = this.host.touchable ? this.start(e) : null;
        this.host.eye.setTurning(this.drag === null);
        if (!this.drag) return;
        this.holder = e.pointerId;
        this.host.canvas.style.cursor = 'grabbing';
        this.host.invalidate();
    }

    /** Starts to drag what the tool grabs there. */
    private start(e: PointerEvent): Drag | null {
        const { host } = this;
        const { tool } = host.options;
        const camera = host.eye.camera;
        const ray = this.ray(e);
        if (tool === 'move' || tool === 'insert') return null;
        if (tool === 'pin') {
            const pin = this.pinAt(e);
            if (pin) {
                const follower = new Follower(new THREE.Vector3(...pin.to), camera, ray);
                return dragPull(pin.id, follower, 0, this.send, (moved) => {
                    if (!moved) this.send({ do: 'release', id: pin.id });
                });
            }
        }
        const hit = host.pick(ray);
        if (!hit) return null;
        const size = host.sizeOf(hit.surface);
        if (tool === 'poke') {
            const radius = 0.08 * size;
            // A little into the surface, so that it acts at once.
            const center = hit.at.clone().addScaledVector(ray.direction, -0.7 * radius);
            return dragBall(new Follower(center, camera, ray), radius, this.send);
        }
        const id = newId();
        const pin = tool === 'pin';
        const to = hit.place.toArray() as Vec3;
        this.send({ do: 'pull', id, surface: hit.surface, vertex: hit.vertex, to, pin });
        return dragPull(id, new Follower(hit.place, camera, ray), size, this.send, () => {
            if (!pin) this.send({ do: 'release', id });
        });
    }

    private move(e: PointerEvent): void {
        const start = this.pointers.get(e.pointerId);
        if (start && Math.hypot(e.clientX - start.x, e.clientY - start.y) > still)
            this.moved = true;
        if (this.drag && e.pointerId === this.holder) {
            // The slight motion of a click does not move a pin.
            if (this.moved || this.host.options.tool !== 'pin') this.drag.move(this.ray(e));
            this.host.invalidate();
        } else if (this.pointers.size === 0 && e.pointerType !== 'touch') {
            this.hovering = e;
            this.hoverLater();
        }
    }

    private up(e: PointerEvent): void {
        if (!this.pointers.delete(e.pointerId)) return;
        if (e.type !== 'pointerup') this.moved = true; // not a click
        if (this.drag && e.pointerId === this.holder) {
            this.drag.flush();
            this.finish(true);
        } else if (!this.moved && e.button === 0) this.click(e);
    }

    private click(e: PointerEvent): void {
        const { options, touchable } = this.host;
        if (options.tool === 'move' && touchable && !this.gizmoUsed) this.choose(this.markerAt(e));
        if (options.tool === 'insert' && touchable) this.insert(e);
    }

    /** Inserts a frame, or removes the one under the pointer. */
    private insert(e: PointerEvent): void {
        const { host } = this;
        const mark = this.nearest(host.overlay.inserted(), e);
        const hit = mark ? null : host.pick(this.ray(e));
        const how = hit && host.insertion(hit.surface);
        if (mark) this.send({ do: 'remove', slot: mark.slot });
        else if (hit && how) {
            const { surface, triangle, share } = hit;
            this.send({ do: 'insert', surface, triangle, share, ...how });
        }
    }

    private choose(marker: Marker | null): void {
        this.host.gizmo.choose(marker);
        this.host.invalidate();
    }

    private finish(release: boolean): void {
        const drag = this.drag;
        this.drag = null;
        this.holder = -1;
        if (release) drag?.end(this.moved);
        if (drag) this.host.events.grabbing(null);
        this.host.canvas.style.cursor = '';
        this.host.eye.setTurning(true);
        this.host.invalidate();
    }

    /** Releases what is held. */
    cancel(): void {
        this.moved = true; // no longer a click
        this.finish(true);
    }

    /** Forgets what was held, which is gone with the scene. */
    forget(): void {
        this.finish(false);
        this.leave();
    }

    private wheel(e: WheelEvent): void {
        if (!this.drag) return;
        e.preventDefault();
        e.stopPropagation();
        const lines = e.deltaMode === 0 ? e.deltaY / 100 : e.deltaY / 3;
        this.drag.wheel(-Math.max(-3, Math.min(3, lines)));
        this.host.invalidate();
    }

    private center(e: MouseEvent): void {
        const hit = this.host.pick(this.ray(e));
        if (hit) this.host.eye.center(hit.at);
        this.host.invalidate();
    }

    /** Sends what has moved, before each picture. */
    flush(): void {
        this.drag?.flush();
        this.host.gizmo.flush();
    }

    // ---- under the pointer ----

    /** Picking is a pass over all surfaces: it may take up to a tenth of the time. */
    private hoverLater(): void {
        if (this.hoverTimer) return;
        this.hoverTimer = window.setTimeout(() => {
            this.hoverTimer = 0;
            if (!this.hovering) return;
            const start = performance.now();
            this.look(this.hovering);
            this.hovering = null;
            this.nextHover = performance.now() + 10 * (performance.now() - start);
        }, Math.max(0, this.nextHover - performance.now()));
    }

    private look(e: PointerEvent): void {
        const { host } = this;
        const { tool } = host.options;
        const marker = tool === 'move' && host.touchable ? this.markerAt(e) : null;
        const pin = tool === 'pin' ? this.pinAt(e) : null;
        const inserts = tool === 'insert' && host.touchable;
        const mark = inserts ? this.nearest(host.overlay.inserted(), e) : null;
        const hit = host.pick(this.ray(e));
        const how = inserts && hit && !mark ? host.insertion(hit.surface) : null;
        const acts = host.touchable && (tool === 'move' ? marker ?? host.gizmo.controls.axis
            : tool === 'insert' ? mark ?? how : hit ?? pin);
        host.canvas.style.cursor = acts ? (tool === 'grab' || pin ? 'grab' : 'pointer') : '';
        const shows = hit && host.touchable && (tool === 'grab' || tool === 'pin') && !pin;
        if (host.overlay.setHover(shows ? hit.place : null)) host.invalidate();
        if (host.overlay.setReach(how && hit ? hit.at : null, how?.range ?? 0)) host.invalidate();
        let text = hit ? host.describe(hit) : null;
        if (pin) text = 'Pin: click to remove, drag to move';
        if (marker) text = host.gizmo.nameOf(marker);
        if (mark) text = 'Inserted frame: click to remove';
        else if (inserts && hit && !how) text = 'Not prepared for inserted frames';
        host.events.hover(text, e.clientX, e.clientY);
    }

    private leave(): void {
        this.hovering = null;
        const { overlay } = this.host;
        if (overlay.setHover(null) || overlay.setReach(null, 0)) this.host.invalidate();
        this.host.events.hover(null, 0, 0);
    }

    /** Shows how hard the user pulls. */
    setPulls(pulls: Pull[]): void {
        const mine = this.drag && pulls.find((p) => p.id === this.drag?.id);
        if (mine) this.host.events.grabbing(mine.force);
    }

    dispose(): void {
        this.cancel();
        window.clearTimeout(this.hoverTimer);
        this.stop.abort();
    }
}
