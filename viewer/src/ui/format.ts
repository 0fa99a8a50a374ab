// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Writes and reads numbers with units.

const prefixes: [string, number][] = [
    ['p', 1e-12], ['n', 1e-9], ['µ', 1e-6], ['m', 1e-3], ['', 1],
    ['k', 1e3], ['M', 1e6], ['G', 1e9], ['T', 1e12],
];

/** A number with so many significant digits, without trailing zeros: 0.3, 120, 1.25. */
export function short(value: number, digits = 3): string {
    if (!Number.isFinite(value)) return '-';
    if (value === 0) return '0';
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-4) return value.toExponential(Math.max(0, digits - 1))
        .replace(/\.?0+e/, 'e').replace('e+', 'e');
    const rounded = Number(value.toPrecision(digits));
    return String(rounded);
}

/** The prefix with which a number is at least 1: ['k', 1000] for 1200. */
export function prefixOf(value: number): [string, number] {
    const size = Math.abs(value);
    if (!Number.isFinite(size) || size === 0) return ['', 1];
    let best = prefixes[0];
    for (const prefix of prefixes) if (size >= prefix[1] * 0.99951) best = prefix;
    return best;
}

/** 2.1e5, 'Pa' becomes 210 kPa. Units that are not a single word take no prefix. */
export function withUnit(value: number, unit: string, digits = 3): string {
    if (!unit) return short(value, digits);
    if (!/^[A-Za-z]+$/.test(unit)) return `${short(value, digits)} ${unit}`;
    const [prefix, factor] = prefixOf(value);
    return `${short(value / factor, digits)} ${prefix}${unit}`;
}

/** Reads 200 kPa, 2e5, 0.2M or 2e5 Pa; NaN if the text has another form. */
export function parseWithUnit(text: string, unit: string): number {
    const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(\S*)\s*$/.exec(
        text.replace(',', '.'),
    );
    if (!match) return NaN;
    const value = Number(match[1]);
    let rest = match[2];
    if (rest === unit || rest === '') return value;
    if (unit && rest.endsWith(unit)) rest = rest.slice(0, -unit.length);
    const factor = prefixes.find(([prefix]) => prefix === rest.replace('u', 'µ'))?.[1];
    return factor === undefined ? NaN : value * factor;
}

export function count(n: number): string {
    return n.toLocaleString('en').replace(/,/g, '\u202f');
}

/** Simulated time: 12.34 s. */
export function seconds(time: number): string {
    return `${time.toFixed(2)} s`;
}
