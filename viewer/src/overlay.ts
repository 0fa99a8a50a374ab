// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What is drawn on top of the bodies: frames, handles, probes, muscles, pins, pulls, the ball.
import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { InsertMarks } from './insert_marks';
import { Label } from './label';
import type { Pose } from './pose';
import type { FrameMessage, Pull, SceneMessage } from './protocol';
import { MuscleMarks } from './muscle_marks';
import { lit, PullView, type Shapes } from './pull_view';
import { isFrame } from './scene_nodes';

const axisColors = ['#e5484d', '#46a758', '#3e7bfa'];
const handleColors = { fixed: '#5b6675', keys: '#7c5cc4', free: '#b0713a' };
const selected = new THREE.Color('#ffd166');
const fewHandles = 12; // more get no labels: those of a skeleton's bones would cover the body

export interface Marker {
    kind: 'node' | 'handle';
    index: number;
    at: THREE.Vector3;
}

function painted(geometry: THREE.BufferGeometry, color: string): THREE.BufferGeometry {
    const c = new THREE.Color(color);
    const n = geometry.attributes.position.count;
    const data = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) c.toArray(data, 3 * i);
    return geometry.setAttribute('color', new THREE.BufferAttribute(data, 3));
}

/** Three arrows of unit length and a ball between them. */
function axesGeometry(): THREE.BufferGeometry {
    const parts = [painted(new THREE.SphereGeometry(0.09, 16, 12), '#f2f4f7')];
    axisColors.forEach((color, k) => {
        const shaft = new THREE.CylinderGeometry(0.032, 0.032, 0.76, 12).translate(0, 0.38, 0);
        const head = new THREE.ConeGeometry(0.09, 0.26, 20).translate(0, 0.87, 0);
        for (const part of [shaft, head]) {
            if (k === 0) part.rotateZ(-Math.PI / 2);
            if (k === 2) part.rotateX(Math.PI / 2);
            parts.push(painted(part, color));
        }
    });
    const merged = mergeGeometries(parts);
    parts.forEach((p) => p.dispose());
    return merged;
}

/** Drawn after everything else, with its own depth buffer. */
export class Overlay {
    readonly scene = new THREE.Scene();
    readonly ball: THREE.Mesh; // stands among the bodies
    private readonly shapes: Shapes = {
        shaft: new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0),
        cone: new THREE.ConeGeometry(1, 1, 24).translate(0, 0.5, 0),
        ball: new THREE.SphereGeometry(1, 24, 16),
    };
    private readonly axes = axesGeometry();
    private readonly axesMaterial = new THREE.MeshLambertMaterial({
        vertexColors: true, transparent: true, opacity: 0.92, toneMapped: false,
    });
    private frames: THREE.InstancedMesh | null = null;
    private sizes: number[] = []; // of axes, by body
    private handles: { index: number; dot: THREE.Mesh; label: Label }[] = [];
    private probes: { rest: THREE.Vector3; dot: THREE.Mesh; label: Label }[] = [];
    private readonly pulls = new Map<number, PullView>();
    private readonly hover: THREE.Mesh;
    private readonly inserts = new InsertMarks(this.shapes.ball);
    private readonly muscles = new MuscleMarks(this.shapes.shaft);
    private scene0: SceneMessage | null = null;
    private pose: Pose | null = null;
    private showsFrames = false;
    private showsHandles = false;

    constructor() {
        this.scene.add(new THREE.HemisphereLight(0xffffff, 0xa9adb5, 3));
        this.ball = new THREE.Mesh(this.shapes.ball, new THREE.MeshStandardMaterial({
            color: '#8fa3bd', transparent: true, opacity: 0.55, roughness: 0.15, depthWrite: false,
        }));
        this.ball.castShadow = true;
        this.ball.visible = false;
        this.hover = new THREE.Mesh(this.shapes.ball, lit('#ffffff', 0.85));
        this.hover.visible = false;
        this.scene.add(this.hover, this.inserts.group, this.muscles.group);
    }

    setScene(scene: SceneMessage | null, pose: Pose | null): void {
        this.clear();
        this.scene0 = scene;
        this.pose = pose;
        this.inserts.setScene(scene);
        this.muscles.setScene(scene);
        if (!scene) return;
        const count = scene.bodies.map((_, b) => scene.nodes.filter((n) => n.body === b && isFrame(n)).length);
        this.sizes = scene.bodies.map((b, i) =>
            Math.hypot(b.hi[0] - b.lo[0], b.hi[1] - b.lo[1], b.hi[2] - b.lo[2])
            * Math.min(0.11, Math.max(0.02, 0.18 / Math.cbrt(count[i] || 1))));
        this.frames = new THREE.InstancedMesh(this.axes, this.axesMaterial, scene.nodes.length);
        this.frames.frustumCulled = false;
        this.scene.add(this.frames);
        this.handles = scene.handles.map((handle, index) => {
            const dot = new THREE.Mesh(this.shapes.ball, lit(handleColors[handle.motion]));
            const label = new Label(handleColors[handle.motion]);
            label.set(handle.name || `handle ${index}`);
            this.scene.add(dot, label.sprite);
            return { index, dot, label };
        });
        this.probes = scene.probes.flatMap((probe) => {
            if (!probe.point) return [];
            const dot = new THREE.Mesh(this.shapes.ball, lit('#12a594'));
            const label = new Label('#0d7a6e');
            label.set(probe.name);
            this.scene.add(dot, label.sprite);
            return [{ rest: new THREE.Vector3(...probe.point), dot, label }];
        });
    }

    show(frames: boolean, handles: boolean, inserts: boolean, muscles: boolean): void {
        this.inserts.group.visible = inserts;
        this.muscles.group.visible = muscles;
        this.showsFrames = frames;
        this.showsHandles = handles;
    }

    setFrame(frame: FrameMessage): void {
        const ids = new Set(frame.pulls.map((p) => p.id));
        for (const [id, view] of this.pulls)
            if (!ids.has(id)) {
                view.dispose();
                this.pulls.delete(id);
            }
        for (const pull of frame.pulls) {
            let view = this.pulls.get(pull.id);
            if (!view) {
                view = new PullView(pull, this.shapes);
                this.pulls.set(pull.id, view);
                this.scene.add(view.group);
            }
            view.pull = pull;
        }
        this.probes.forEach((probe, i) => {
            const d = frame.probes.subarray(3 * i, 3 * i + 3);
            probe.dot.position.copy(probe.rest).add(new THREE.Vector3(d[0], d[1], d[2]));
        });
        this.inserts.setFrame(frame);
        this.muscles.setFrame(frame);
        const [x, y, z, r] = frame.ball;
        this.ball.visible = r > 0;
        if (r > 0) {
            this.ball.position.set(x, y, z);
            this.ball.scale.setScalar(r);
        }
    }

    /** The frame's matrix; a point node has no axes of its own. */
    matrix(node: number, out: THREE.Matrix4): THREE.Matrix4 {
        const a = this.pose!.raw.subarray(12 * node, 12 * node + 12);
        const hasAxes = this.scene0!.nodes[node].kind !== 'point';
        const l = hasAxes ? a : [0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
        return out.set(l[1], l[2], l[3], a[0], l[5], l[6], l[7], a[4], l[9], l[10], l[11], a[8],
            0, 0, 0, 1);
    }

    nodePlace(node: number, out = new THREE.Vector3()): THREE.Vector3 {
        const a = this.pose!.raw;
        return out.set(a[12 * node], a[12 * node + 4], a[12 * node + 8]);
    }

    /** Positions everything before it is drawn. */
    update(camera: THREE.PerspectiveCamera, viewHeight: number, chosen: Marker | null): void {
        const scene = this.scene0;
        const pixel = (2 * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(1, viewHeight);
        const forward = camera.getWorldDirection(new THREE.Vector3());
        const pixelAt = (p: THREE.Vector3): number =>
            pixel * Math.max(1e-9, p.clone().sub(camera.position).dot(forward));
        if (!scene || !this.frames) return;
        this.frames.visible = this.showsFrames;
        if (this.showsFrames) this.updateAxes(scene, this.frames);
        for (const { index, dot, label } of this.handles) {
            this.nodePlace(scene.handles[index].node, dot.position);
            const isChosen = chosen?.kind === 'handle' && chosen.index === index;
            const few = this.handles.length <= fewHandles;
            dot.visible = this.showsHandles;
            label.sprite.visible = this.showsHandles && (few || isChosen);
            dot.scale.setScalar((few ? 6 : 4) * pixelAt(dot.position));
            (dot.material as THREE.MeshLambertMaterial).color
                .set(isChosen ? selected : handleColors[scene.handles[index].motion]);
            label.place(dot.position, pixel);
        }
        for (const { dot, label } of this.probes) {
            dot.visible = label.sprite.visible = this.showsHandles;
            dot.scale.setScalar(4 * pixelAt(dot.position));
            label.place(dot.position, pixel);
        }
        for (const view of this.pulls.values()) view.update(camera, pixelAt, pixel);
        this.hover.scale.setScalar(4 * pixelAt(this.hover.position));
        this.inserts.update(camera, pixelAt);
        this.muscles.update(pixelAt);
    }

    private updateAxes(scene: SceneMessage, frames: THREE.InstancedMesh): void {
        const m = new THREE.Matrix4();
        const inserted = new Set(scene.inserted.map((item) => item.node));
        scene.nodes.forEach((node, i) => {
            // Inserted frames add to the motion of the others: they have no position of their own.
            const isBone = !node.free && scene.handles.length > fewHandles;
            const size = inserted.has(i) || isBone || !isFrame(node) ? 0
                : this.sizes[node.body] * (node.kind === 'point' ? 0.6 : 1);
            frames.setMatrixAt(i, this.matrix(i, m).scale(new THREE.Vector3(size, size, size)));
        });
        frames.instanceMatrix.needsUpdate = true;
    }

    /** Marks a vertex that can be grabbed; true if that changes the picture. */
    setHover(at: THREE.Vector3 | null): boolean {
        const { visible, position } = this.hover;
        const changes = visible !== (at !== null) || (at !== null && !position.equals(at));
        this.hover.visible = at !== null;
        if (at) position.copy(at);
        return changes;
    }

    /** Shows how far a frame would act if it were inserted there. */
    setReach(at: THREE.Vector3 | null, range: number): boolean {
        return this.inserts.setReach(at, range);
    }

    /** Inserted frames that can be clicked. */
    inserted(): { slot: number; at: THREE.Vector3 }[] {
        return this.inserts.group.visible ? this.inserts.marks : [];
    }

    /** Frames and handles that can be selected. */
    markers(): Marker[] {
        const scene = this.scene0;
        if (!scene) return [];
        const inserted = new Set(scene.inserted.map((item) => item.node));
        return [
            ...scene.handles.flatMap((h, index) => (this.showsHandles && h.motion !== 'free'
                ? [{ kind: 'handle' as const, index, at: this.nodePlace(h.node) }] : [])),
            ...scene.nodes.flatMap((n, index) => (n.free && isFrame(n) && !inserted.has(index) && (this.showsFrames
                || (this.showsHandles && n.handle >= 0))
                ? [{ kind: 'node' as const, index, at: this.nodePlace(index) }] : [])),
        ];
    }

    /** Pins, each listed with its foot and its head. */
    pins(): { pull: Pull; at: THREE.Vector3 }[] {
        return [...this.pulls.values()].filter((v) => v.pull.kind === 'pin').flatMap((v) => [
            { pull: v.pull, at: new THREE.Vector3(...v.pull.at) }, { pull: v.pull, at: v.end },
        ]);
    }

    private clear(): void {
        for (const view of this.pulls.values()) view.dispose();
        this.pulls.clear();
        for (const item of [...this.handles, ...this.probes]) {
            item.dot.removeFromParent();
            (item.dot.material as THREE.Material).dispose();
            item.label.dispose();
        }
        this.handles = [];
        this.probes = [];
        this.frames?.removeFromParent();
        this.frames?.dispose();
        this.frames = null;
        this.hover.visible = this.ball.visible = false;
    }

    dispose(): void {
        this.clear();
        this.inserts.dispose();
        this.muscles.dispose();
        const { shaft, cone, ball } = this.shapes;
        for (const geometry of [shaft, cone, ball, this.axes]) geometry.dispose();
        for (const m of [this.axesMaterial, this.ball.material, this.hover.material])
            (m as THREE.Material).dispose();
    }
}
