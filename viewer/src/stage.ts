// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Draws the simulation, and passes on what the user does to it.
import * as THREE from 'three';
import { Coloring } from './coloring';
import { Eye, type View } from './eye';
import { Gizmo } from './gizmo';
import { Look } from './look';
import { Overlay } from './overlay';
import { best, Pace, type Quality } from './pace';
import { pickTriangle } from './pick';
import { frameFits, Pose } from './pose';
import type {
    FieldMessage, FrameMessage, PointsMessage, SceneMessage, SurfaceMessage, Vec3,
} from './protocol';
import { SamplePoints } from './samples';
import { Section } from './section';
import { NodeTexture } from './skin';
import { defaultOptions, type StageApi, type StageEvents, type ViewOptions } from './stage_types';
import { Surface } from './surface';
import { Tools, type Picked } from './tools';

/** What belongs to one generation of the model. */
interface World {
    message: SceneMessage;
    pose: Pose;
    nodes: NodeTexture;
    surfaces: (Surface | undefined)[];
    points: SamplePoints | null;
    frame: FrameMessage | null;
    shown: boolean; // all of it has arrived
}

const restTime = 400; // [ms]

export class Stage implements StageApi {
    options: ViewOptions = structuredClone(defaultOptions);
    readonly canvas = document.createElement('canvas');
    readonly eye: Eye;
    readonly overlay = new Overlay();
    readonly gizmo: Gizmo;
    private readonly room: Look;
    private readonly coloring: Coloring;
    private readonly section = new Section();
    private readonly tools: Tools;
    private world: World | null = null;
    private past: World | null = null; // stays visible until all of the next one has arrived
    private retired: World | null = null; // kept until the next picture, which needs its shaders
    private readonly bounds = new THREE.Box3(); // of the bodies now, approximately
    private request = 0;
    private readonly pace = new Pace();
    private rest = 0; // timer: a picture that stays is drawn again in the best quality
    private recolor = false;
    private resection = false;
    private replane = false; // otherwise the plane stays where it was while bodies move

    constructor(private readonly parent: HTMLElement, readonly events: StageEvents) {
        this.canvas.style.cssText = 'display: block; width: 100%; height: 100%; touch-action: none';
        parent.append(this.canvas);
        this.room = new Look(this.canvas);
        const changed = (): void => this.invalidate();
        const command = events.command.bind(events);
        // The gizmo listens before the controls of the view, so that it can keep them from turning.
        const camera = new THREE.PerspectiveCamera();
        this.gizmo = new Gizmo(camera, this.canvas, this.overlay, command, changed);
        this.eye = new Eye(this.canvas, changed);
        this.gizmo.controls.camera = this.eye.camera;
        this.coloring = new Coloring((l) => events.legend(l));
        this.room.scene.add(this.overlay.ball);
        this.tools = new Tools(this);
        this.room.setTheme(false);
        this.resize();
    }

    // ---- options ----

    setOptions(o: Partial<ViewOptions>): void {
        const last = this.options;
        const next = (this.options = { ...last, ...o });
        const changed = (key: keyof ViewOptions): boolean =>
            JSON.stringify(last[key]) !== JSON.stringify(next[key]);
        if (changed('dark')) this.room.setTheme(next.dark);
        this.room.setShown(next.ground, next.shadow);
        const moves = next.tool === 'move';
        this.overlay.show(next.frames || moves, next.handles || moves,
            next.frames || next.tool === 'insert', next.muscles);
        if (changed('tool')) {
            this.tools.cancel();
            this.gizmo.choose(null);
            this.overlay.setReach(null, 0);
        }
        this.gizmo.setTurn(next.turn);
        this.coloring.mode = next.color;
        this.coloring.node = next.weightNode;
        if (changed('color') || changed('weightNode')) this.recolor = true;
        if (changed('section')) this.replane = true;
        if (changed('hidden') || changed('wireframe') || changed('dark') || changed('points')
            || changed('section') || changed('color')) this.resection = true;
        this.invalidate();
    }

    // ---- what is simulated ----

    setScene(message: SceneMessage | null): void {
        const keeps = message?.continues === true && this.world !== null;
        if (keeps && this.world?.shown) [this.past, this.world] = [this.world, this.past];
        this.clear(this.world);
        this.world = null;
        if (!keeps) {
            this.gizmo.setScene(null);
            this.overlay.setScene(null, null);
            this.clear(this.past);
            this.past = null;
            this.section.clear();
            this.tools.forget();
            this.coloring.clear();
            this.replane = true;
        }
        if (!message) {
            this.bounds.makeEmpty();
            this.invalidate();
            return;
        }
        const pose = new Pose(message);
        const nodes = new NodeTexture(message.nodes.length);
        nodes.update(pose);
        this.world = {
            message, pose, nodes, surfaces: message.surfaces.map(() => undefined), points: null,
            frame: null, shown: false,
        };
        this.bounds.set(new THREE.Vector3(...message.lo), new THREE.Vector3(...message.hi));
        this.room.setWorld(message.colliders, this.bounds);
        if (!keeps) this.eye.fit(this.room.frame(this.bounds), 'corner', false);
        this.recolor = this.resection = true;
        this.invalidate();
    }

    setSurface(g: SurfaceMessage): void {
        const { world } = this;
        const info = world?.message.surfaces[g.surface];
        if (!world || !info || g.generation !== world.message.generation) return;
        if (g.node.some((n) => n >= world.message.nodes.length))
            throw new RangeError('weights refer to nodes that do not exist');
        world.surfaces[g.surface]?.dispose();
        const { pose, nodes } = world;
        const surface = new Surface(g, info, pose, nodes.texture, this.coloring.uniforms);
        world.surfaces[g.surface] = surface;
        if (world.frame) this.moveStreams(world, world.frame);
        world.shown = false;
        this.reveal(world);
        this.recolor = this.resection = true;
        this.invalidate();
    }

    setPoints(p: PointsMessage): void {
        const { world } = this;
        if (!world || p.generation !== world.message.generation) return;
        if (p.node.some((n) => n >= world.message.nodes.length))
            throw new RangeError('weights refer to nodes that do not exist');
        world.points?.dispose();
        const size = this.bounds.getSize(new THREE.Vector3()).length() || 1;
        world.points =
            new SamplePoints(p, world.pose, world.nodes.texture, this.coloring.uniforms, size);
        this.room.scene.add(world.points.object);
        this.recolor = this.resection = true;
        this.invalidate();
    }

    setFrame(f: FrameMessage): void {
        const { world } = this;
        if (!world || f.generation !== world.message.generation) return;
        if (!frameFits(world.message, world.pose, f)) return;
        world.frame = f;
        world.pose.update(f);
        world.nodes.update(world.pose);
        this.moveStreams(world, f);
        this.reveal(world);
        if (world.shown) this.overlay.setFrame(f);
        this.gizmo.setPulls(f.pulls);
        this.tools.setPulls(f.pulls);
        this.measure();
        this.invalidate();
    }

    /** Shows a world once all of its surfaces have arrived and have positions. */
    private reveal(world: World): void {
        if (world.shown || !world.frame || world.surfaces.includes(undefined)) return;
        world.shown = true;
        this.retire();
        this.gizmo.setScene(world.message);
        this.overlay.setScene(world.message, world.pose);
        this.overlay.setFrame(world.frame);
        for (const s of world.surfaces) if (s) this.room.scene.add(s.group);
    }

    /** Removes what was shown before. */
    private retire(): void {
        this.clear(this.retired);
        this.retired = this.past;
        this.past = null;
        for (const s of this.retired?.surfaces ?? []) s?.group.removeFromParent();
        this.retired?.points?.object.removeFromParent();
    }

    private moveStreams(world: World, f: FrameMessage): void {
        let at = 0;
        for (const s of world.surfaces) {
            if (!s) return; // where later surfaces begin is not known
            if (s.info.skinned) continue;
            const end = at + 3 * s.count;
            if (end > f.stream.length) return;
            s.setStream(f.stream.subarray(at, end));
            at = end;
        }
    }

    setField(f: FieldMessage): void {
        const { world } = this;
        if (!world || f.generation !== world.message.generation) return;
        const surfaces = this.allSurfaces();
        if (surfaces.length !== world.surfaces.length) return;
        const begins = this.coloring.setField(f, surfaces, world.points, performance.now());
        if (begins) this.resection = true;
        this.invalidate();
    }

    private allSurfaces(): Surface[] {
        return this.world?.surfaces.filter((s) => s !== undefined) ?? [];
    }

    private measure(): void {
        const surfaces = this.allSurfaces();
        if (surfaces.length === 0) return;
        const box = new THREE.Box3();
        for (const s of surfaces) s.expand(box);
        const size = box.getSize(new THREE.Vector3()).length();
        if (Number.isFinite(size)) this.bounds.copy(box.expandByScalar(0.01 * size));
    }

    // ---- views ----

    fit(): void {
        this.eye.fit(this.room.near(this.bounds), null, true);
        this.invalidate();
    }

    look(from: View): void {
        this.eye.fit(this.room.near(this.bounds), from, true);
        this.invalidate();
    }

    async screenshot(): Promise<Blob> {
        this.draw(performance.now(), best); // browsers clear the buffer after showing it
        return new Promise((done, fail) => this.canvas.toBlob(
            (blob) => (blob ? done(blob) : fail(new Error('the picture could not be taken'))),
            'image/png'));
    }

    project(p: Vec3): [number, number] {
        const at = new THREE.Vector3(...p).project(this.eye.camera);
        const box = this.canvas.getBoundingClientRect();
        return [box.left + (0.5 + 0.5 * at.x) * box.width, box.top + (0.5 - 0.5 * at.y) * box.height];
    }

    colorOfMaterial(index: number): string {
        const scene = this.world?.message;
        return scene ? this.coloring.colorOfMaterial(index, scene, this.allSurfaces()) : '';
    }

    positions(surface: number): Float32Array {
        return this.world?.surfaces[surface]?.positions() ?? new Float32Array(0);
    }

    resize(): void {
        const w = Math.max(1, this.parent.clientWidth);
        const h = Math.max(1, this.parent.clientHeight);
        this.room.resize(w, h);
        this.eye.resize(w, h);
        // Setting the size clears the canvas: draws at once, or it would flicker.
        this.draw(performance.now());
    }

    // ---- for the tools ----

    get touchable(): boolean {
        const mode = this.world?.message.mode;
        return mode === 'dynamic' || mode === 'static';
    }

    pick(ray: THREE.Ray): Picked | null {
        const from = ray.origin.toArray() as Vec3;
        const way = ray.direction.toArray() as Vec3;
        let best: Picked | null = null;
        let least = Infinity;
        this.world?.surfaces.forEach((s, surface) => {
            if (!s?.group.visible) return;
            const x = s.positions();
            const hit = pickTriangle(x, s.triangle, from, way, this.section.cut);
            if (!hit || hit.distance >= least) return;
            least = hit.distance;
            best = {
                surface, vertex: hit.vertex, triangle: s.triangleIndex(hit.triangle),
                share: hit.share, at: new THREE.Vector3(...hit.at),
                place: new THREE.Vector3().fromArray(x, 3 * hit.vertex),
            };
        });
        return best;
    }

    describe(p: Picked): string | null {
        const { world } = this;
        const s = world?.surfaces[p.surface];
        if (!world || !s) return null;
        const before = this.allSurfaces().slice(0, p.surface).reduce((n, o) => n + o.count, 0);
        return this.coloring.describe(world.message, s, p.vertex, before + p.vertex);
    }

    sizeOf(surface: number): number {
        const scene = this.world?.message;
        const body = scene?.bodies[scene.surfaces[surface]?.body ?? -1];
        if (!body) return this.bounds.getSize(new THREE.Vector3()).length();
        const { lo, hi } = body;
        return Math.hypot(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]);
    }

    insertion(surface: number): { range: number; geodesic: boolean } | null {
        const scene = this.world?.message;
        const insert = scene?.bodies[scene.surfaces[surface]?.body ?? -1]?.insert;
        if (!insert) return null;
        const { range, geodesic } = this.options;
        return {
            range: Math.max(range ?? insert.range, insert.least),
            geodesic: geodesic ?? insert.geodesic,
        };
    }

    // ---- drawing ----

    /** Requests a picture; nothing is drawn without that. */
    invalidate(): void {
        if (this.request) return;
        this.request = requestAnimationFrame((now) => {
            this.request = 0;
            this.tools.flush();
            this.draw(now);
            // The next animation frame begins when this picture is finished.
            const begin = performance.now();
            requestAnimationFrame(() => this.pace.took(performance.now() - begin));
        });
    }

    private draw(now: number, quality: Quality = this.pace.quality): void {
        const { world, room, eye } = this;
        const camera = eye.camera;
        room.setQuality(quality);
        window.clearTimeout(this.rest);
        if (quality !== best)
            this.rest = window.setTimeout(() => this.draw(performance.now(), best), restTime);
        if (world?.shown) this.refresh(world);
        if (eye.update(now, room.all(this.bounds), room.near(this.bounds))) this.invalidate();
        if (world) this.gizmo.follow();
        camera.updateMatrixWorld();
        this.overlay.update(camera, this.canvas.clientHeight, this.gizmo.chosen);
        if (this.options.wireframe) this.setDensity(camera);
        if (!this.bounds.isEmpty()) room.aim(this.bounds, camera);
        const { renderer } = room;
        renderer.clear();
        renderer.render(room.scene, camera);
        renderer.clearDepth();
        renderer.render(this.overlay.scene, camera);
        this.clear(this.retired);
        this.retired = null;
    }

    /** Lines that lie close together on the screen are fainter. */
    private setDensity(camera: THREE.PerspectiveCamera): void {
        const distance = camera.position.distanceTo(this.bounds.getCenter(new THREE.Vector3()));
        const high = 2 * distance * Math.tan((camera.fov * Math.PI) / 360);
        for (const s of this.allSurfaces()) s.setDensity(this.canvas.height / Math.max(high, 1e-9));
    }

    /** Applies changed options and new surfaces, once before a picture. */
    private refresh(world: World): void {
        const surfaces = this.allSurfaces();
        const { options } = this;
        if (this.recolor) this.coloring.apply(world.message, surfaces, world.points);
        if (this.resection) this.applyShown(world, surfaces);
        if (this.resection || this.recolor) {
            const ghost = options.points !== 'off' && world.points !== null;
            if (this.replane) this.section.set(options.section, this.bounds);
            this.section.apply(surfaces, this.bounds, !ghost,
                (s) => this.coloring.cutColor(s, world.message));
            world.points?.setClipping(this.section.planes);
        }
        this.recolor = this.resection = this.replane = false;
    }

    private applyShown(world: World, surfaces: Surface[]): void {
        const { options } = this;
        const hidden = new Set(options.hidden);
        const materials = new Set(
            world.message.materials.flatMap((m, i) => (hidden.has(m.name) ? [i] : [])));
        const ghost = options.points !== 'off' && world.points !== null;
        for (const s of surfaces) {
            s.setHidden(hidden.has(s.info.name) || materials.has(s.info.material), materials);
            s.setWireframe(options.wireframe, options.dark);
            s.setGhost(ghost);
        }
        if (world.points) {
            world.points.object.visible = ghost;
            world.points.setRegions(options.points === 'regions');
        }
    }

    private clear(world: World | null): void {
        if (!world) return;
        for (const s of world.surfaces) s?.dispose();
        world.points?.dispose();
        world.nodes.dispose();
    }

    dispose(): void {
        cancelAnimationFrame(this.request);
        window.clearTimeout(this.rest);
        this.tools.dispose();
        this.gizmo.dispose();
        this.section.dispose();
        this.clear(this.retired);
        this.clear(this.past);
        this.clear(this.world);
        this.overlay.dispose();
        this.coloring.dispose();
        this.eye.dispose();
        this.room.dispose();
        this.canvas.remove();
    }
}
