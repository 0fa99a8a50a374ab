// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the colours of surfaces and points show.
import * as THREE from 'three';
import {
    cssColor, fieldLegend, fieldMap, mapBytes, mostOf, Range, weightLegend, type MapName,
} from './colormap';
import type { FieldMessage, FieldName, SceneMessage, SceneSurface } from './protocol';
import type { SamplePoints } from './samples';
import type { ColorMode, Legend } from './stage_types';
import type { Surface, ValueUniforms } from './surface';

const palette = ['#e2725b', '#4f86c6', '#e3b04b', '#8f74b5', '#4ba39e', '#7aa657'];
// Rigid parts: the first one of a body, and the others; parts that are held in place.
const rigid = ['#b98a5e', '#5a5863'];
const held = '#a6abb3';

function materialColor(scene: SceneMessage, index: number): THREE.Color {
    const c = scene.materials[index]?.color ?? [0.7, 0.7, 0.7];
    return new THREE.Color(c[0], c[1], c[2]); // light, not sRGB
}

function css(c: THREE.Color): string {
    const s = c.clone().convertLinearToSRGB();
    return cssColor([s.r, s.g, s.b]);
}

const partsOf = (s: SceneSurface, scene: SceneMessage): number =>
    scene.surfaces.filter((other) => other.body === s.body).length;

/** Parts of one body are told apart by material, bodies by number. */
function plainColor(s: SceneSurface, scene: SceneMessage, mode: ColorMode): THREE.Color {
    const shows = mode === 'material' || partsOf(s, scene) > 1;
    if (shows && s.material >= 0) return materialColor(scene, s.material);
    return new THREE.Color(palette[s.body % palette.length]);
}

const isField = (mode: ColorMode): mode is FieldName =>
    mode === 'strain' || mode === 'stress' || mode === 'energy';

export class Coloring {
    readonly uniforms: ValueUniforms = {
        table: { value: new THREE.Texture() },
        valueScale: { value: new THREE.Vector2(1, 0) },
        fielded: { value: 0 },
    };
    mode: ColorMode = 'plain';
    node = 0;
    private field: FieldMessage | null = null;
    private readonly range = new Range();
    private readonly tables = new Map<MapName, THREE.Texture>();
    private readonly painted = new Map<string, string>(); // colours and what they stand for
    private shown = ''; // the legend that was last published

    constructor(private readonly tell: (l: Legend | null) => void) {}

    private table(name: MapName): THREE.Texture {
        let texture = this.tables.get(name);
        if (!texture) {
            // Final colours: the shader writes them unchanged.
            texture = new THREE.DataTexture(mapBytes(name, 256), 256, 1);
            texture.magFilter = texture.minFilter = THREE.LinearFilter;
            texture.needsUpdate = true;
            this.tables.set(name, texture);
        }
        return texture;
    }

    /** Colours everything again. */
    apply(scene: SceneMessage, surfaces: Surface[], points: SamplePoints | null): void {
        const { uniforms } = this;
        const { mode } = this;
        if (!isField(mode) || this.field?.field !== mode) {
            this.range.reset();
            this.field = null;
        }
        // Until the first values arrive, bodies are plain.
        uniforms.fielded.value = mode === 'weight' || this.field ? 1 : 0;
        if (mode === 'weight') {
            uniforms.table.value = this.table('cool');
            uniforms.valueScale.value.set(1, 0);
            for (const s of surfaces) s.setWeights(this.node);
            points?.setWeights(this.node);
        } else if (this.field) this.setField(this.field, surfaces, points, performance.now());
        this.painted.clear();
        for (const s of surfaces) this.paint(scene, s);
        this.setLegend(scene);
    }

    private paint(scene: SceneMessage, s: Surface): void {
        const plain = this.colorOf(s, scene);
        if (this.mode !== 'material') {
            s.paint(() => plain);
            return;
        }
        const colors = scene.materials.map((_, i) => materialColor(scene, i));
        const first = scene.handles.findIndex((h) => h.body === s.info.body);
        const whole = partsOf(s.info, scene) === 1; // else rigid parts have their own surfaces
        const parts = scene.handles.flatMap((h, i) => (whole && h.body === s.info.body ? [{
            node: h.node, name: h.motion !== 'free' ? 'held' : 'rigid',
            color: new THREE.Color(h.motion !== 'free' ? held : rigid[i === first ? 0 : 1]),
        }] : []));
        s.paint((v) => {
            const part = parts.find((p) => s.weightOf(v, p.node) > 0.999);
            const m = s.message.material[v];
            const color = part?.color ?? colors[m] ?? plain;
            this.painted.set(css(color), part?.name ?? scene.materials[m]?.name ?? '');
            return color;
        });
    }

    private colorOf(s: Surface, scene: SceneMessage): THREE.Color {
        return plainColor(s.info, scene, this.mode);
    }

    /** Grey if colours show values, as these are not known inside: parts differ in brightness. */
    cutColor(s: Surface, scene: SceneMessage): THREE.Color {
        const color = this.colorOf(s, scene);
        if (!this.uniforms.fielded.value) return color;
        return color.setScalar(0.2 + 0.4 * (0.3 * color.r + 0.6 * color.g + 0.1 * color.b));
    }

    /** For the swatch beside its name: the colour in the picture, if that shows materials. */
    colorOfMaterial(index: number, scene: SceneMessage, surfaces: Surface[]): string {
        const has = ({ info, message }: Surface): boolean =>
            info.material === index || message.material.includes(index);
        const surface = this.mode === 'plain' && surfaces.find(has);
        return css(surface ? this.colorOf(surface, scene) : materialColor(scene, index));
    }

    /** Returns true if colours now show values but did not before. */
    setField(
        f: FieldMessage, surfaces: Surface[], points: SamplePoints | null, now: number,
    ): boolean {
        if (f.field !== this.mode) return false;
        const count = surfaces.reduce((n, s) => n + s.count, 0);
        if (f.vertex.length !== count) return false;
        const begins = this.field === null;
        this.field = f;
        const visible: Uint16Array[] = [];
        let at = 0;
        for (const s of surfaces) {
            const values = f.vertex.subarray(at, (at += s.count));
            s.setValues(values);
            if (s.group.visible) visible.push(values);
        }
        // A peak in one corner must not leave everything else in a single colour.
        this.range.update(f.lo + ((f.hi - f.lo) * mostOf(visible)) / 65536, now);
        points?.setValues(f.sample);
        const { uniforms } = this;
        uniforms.table.value = this.table(fieldMap(f.field));
        uniforms.valueScale.value.set((f.hi - f.lo) / this.range.hi, f.lo / this.range.hi);
        uniforms.fielded.value = 1;
        this.publish(fieldLegend(f.field, this.range.hi));
        return begins;
    }

    private setLegend(scene: SceneMessage): void {
        if (this.mode === 'weight') this.publish(weightLegend(scene, this.node));
        else if (this.mode === 'material') this.publish(this.materialLegend());
        else if (!this.field) this.publish(null);
    }

    private materialLegend(): Legend {
        const items = [...this.painted].map(([color, name]) => ({ color, name }));
        return { title: 'Material', unit: '', lo: 0, hi: 0, colors: [], items };
    }

    private publish(legend: Legend | null): void {
        const text = JSON.stringify(legend);
        if (text === this.shown) return;
        this.shown = text;
        this.tell(legend);
    }

    /** The value at a vertex as text; `index` counts the vertices of all surfaces. */
    describe(scene: SceneMessage, s: Surface, vertex: number, index: number): string | null {
        if (this.mode === 'material') {
            const m = scene.materials[s.message.material[vertex]];
            return m ? m.name : null;
        }
        if (this.mode === 'weight') return s.weightOf(vertex, this.node).toFixed(2);
        if (!this.field) return null;
        const f = this.field;
        const value = f.lo + ((f.hi - f.lo) * f.vertex[index]) / 65535;
        const { hi, unit } = fieldLegend(f.field, this.range.hi);
        return `${Number(((value / this.range.hi) * hi).toPrecision(3))} ${unit}`;
    }

    clear(): void {
        this.field = null;
        this.range.reset();
        this.publish(null);
    }

    dispose(): void {
        for (const texture of this.tables.values()) texture.dispose();
    }
}
