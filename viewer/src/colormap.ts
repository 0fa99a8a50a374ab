// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Colour maps: equal steps of the value look like equal steps to the eye.
import type { FieldName, SceneMessage } from './protocol';
import type { Legend } from './stage_types';

export type Rgb = [number, number, number]; // sRGB, 0 .. 1

// Evenly spaced colours of the maps, from dark to light in equal steps of lightness (CIE L*).
const tables = {
    cool: ['#440154', '#482878', '#3e4a89', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58',
        '#b5de2b', '#fde725'],
    warm: ['#35307f', '#5f3991', '#894393', '#af5188', '#cf6479', '#e57b6f', '#f2976c', '#f8b573',
        '#f9d485', '#f9f0a5'],
};
export type MapName = keyof typeof tables;

export function parseColor(css: string): Rgb {
    const n = parseInt(css.slice(1), 16);
    return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}

export function cssColor(c: Rgb): string {
    const byte = (x: number): number => Math.round(255 * Math.min(1, Math.max(0, x)));
    return `rgb(${byte(c[0])}, ${byte(c[1])}, ${byte(c[2])})`;
}

/** The colour of a share from 0 to 1. */
export function mapColor(name: MapName, share: number): Rgb {
    const table = tables[name];
    const at = Math.min(1, Math.max(0, share)) * (table.length - 1);
    const i = Math.min(table.length - 2, Math.floor(at));
    const [a, b] = [parseColor(table[i]), parseColor(table[i + 1])];
    const f = at - i;
    return [a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1]), a[2] + f * (b[2] - a[2])];
}

/** n colours of a map as bytes, for a texture. */
export function mapBytes(name: MapName, n: number): Uint8Array {
    const out = new Uint8Array(4 * n);
    for (let i = 0; i < n; i++) {
        mapColor(name, i / (n - 1)).forEach((c, k) => (out[4 * i + k] = Math.round(255 * c)));
        out[4 * i + 3] = 255;
    }
    return out;
}

/** The smallest number of at least x among 1, 1.5, 2, 3, 5, 7.5 times a power of ten. */
export function niceAbove(x: number): number {
    if (!(x > 0) || !Number.isFinite(x)) return 1;
    const power = 10 ** Math.floor(Math.log10(x));
    for (const step of [1, 1.5, 2, 3, 5, 7.5, 10])
        if (x <= step * power * (1 + 1e-9)) return step * power;
    return 10 * power;
}

/** The top of a scale: rises at once with the values, falls slowly, is always a round number. */
export class Range {
    hi = 0;
    private peak = 0;
    private time = 0;
    update(hi: number, now: number): void {
        const past = Math.min(1, Math.max(0, (now - this.time) / 1000));
        this.time = now;
        this.peak = Math.max(Number.isFinite(hi) ? hi : 0, this.peak * Math.exp(-past / 2));
        // Some slack, or a value near a step would make the scale jump back and forth.
        if (this.peak > this.hi || niceAbove(1.2 * this.peak) < this.hi || this.hi === 0)
            this.hi = niceAbove(this.peak);
    }
    reset(): void {
        this.hi = this.peak = 0;
    }
}

/** The value, out of 65535, below which all but a few of the visible vertices are. */
export function mostOf(values: Uint16Array[]): number {
    const bins = new Uint32Array(1024);
    let total = 0;
    for (const list of values) {
        total += list.length;
        for (const v of list) bins[v >> 6]++;
    }
    let above = 0;
    let bin = bins.length;
    while (bin > 0 && above <= 0.005 * total) above += bins[--bin];
    return (bin + 1) << 6;
}

interface Scale {
    title: string;
    map: MapName;
    units: [number, string][];
}
const fieldLegends: Record<FieldName, Scale> = {
    strain: { title: 'Largest principal strain', map: 'warm', units: [[0.01, '%']] },
    stress: {
        title: 'Von Mises stress', map: 'warm',
        units: [[1, 'Pa'], [1e3, 'kPa'], [1e6, 'MPa'], [1e9, 'GPa']],
    },
    energy: {
        title: 'Energy density', map: 'cool',
        units: [[1, 'J/m³'], [1e3, 'kJ/m³'], [1e6, 'MJ/m³'], [1e9, 'GJ/m³']],
    },
};

const legendSteps = 16;

function legendColors(map: MapName): string[] {
    return Array.from({ length: legendSteps }, (_, i) =>
        cssColor(mapColor(map, i / (legendSteps - 1))));
}

export function fieldMap(field: FieldName): MapName {
    return fieldLegends[field].map;
}

export function fieldLegend(field: FieldName, hi: number): Legend {
    const { title, map, units } = fieldLegends[field];
    let [scale, unit] = units[0];
    for (const [factor, name] of units) if (hi >= factor) [scale, unit] = [factor, name];
    const top = Number((hi / scale).toPrecision(6));
    return { title, unit, lo: 0, hi: top, colors: legendColors(map) };
}

export function weightLegend(scene: SceneMessage, node: number): Legend {
    const handle = scene.handles[scene.nodes[node]?.handle ?? -1];
    const title = handle ? `Weight of ${handle.name}` : `Weight of frame ${node}`;
    return { title, unit: '', lo: 0, hi: 1, colors: legendColors('cool') };
}
