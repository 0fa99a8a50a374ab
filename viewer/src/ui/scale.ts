// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Scales of plots.

/** 1, 2 or 5 times a power of ten, so that about n steps make up the length. */
export function niceStep(length: number, n: number): number {
    const raw = length / Math.max(1, n);
    const power = 10 ** Math.floor(Math.log10(raw));
    const lead = raw / power;
    return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
}

/** Round numbers from lo to hi, about n of them. */
export function ticks(lo: number, hi: number, n: number): number[] {
    if (!(hi > lo) || !Number.isFinite(hi - lo)) return [];
    const step = niceStep(hi - lo, n);
    const list: number[] = [];
    for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + 1e-9 * step; i++)
        list.push(i * step || 0); // no minus zero
    return list;
}

/** A range that ends on round numbers, with room above and below; around a single value, too. */
export function niceRange(lo: number, hi: number): [number, number] {
    if (!Number.isFinite(lo) || !Number.isFinite(hi) || lo > hi) return [0, 1];
    if (hi - lo <= 1e-6 * Math.max(Math.abs(lo), Math.abs(hi), 1e-30)) {
        const size = Math.abs(hi) > 1e-30 ? 0.5 * Math.abs(hi) : 1;
        return lo >= 0 && lo - size < 0 ? [0, 2 * size] : [lo - size, hi + size];
    }
    const step = niceStep(hi - lo, 4);
    return [Math.floor(lo / step + 1e-9) * step, Math.ceil(hi / step - 1e-9) * step];
}

/** A range that follows data without jitter: grows at once, shrinks when half of it is empty. */
export class FollowingRange {
    lo = 0;
    hi = 1;
    private fresh = true;

    follow(lo: number, hi: number): void {
        const room = this.hi - this.lo;
        const fits = lo >= this.lo && hi <= this.hi && hi - lo > 0.45 * room;
        if (!this.fresh && fits) return;
        [this.lo, this.hi] = niceRange(lo, hi);
        this.fresh = false;
    }

    reset(): void {
        this.fresh = true;
    }
}

/** The last few thousand samples of some series against time, oldest first. */
export class History {
    private readonly data: Float64Array; // rows of time and values, a ring
    private first = 0;
    length = 0;

    constructor(readonly width: number, readonly capacity = 4096) {
        this.data = new Float64Array(capacity * (width + 1));
    }

    clear(): void {
        this.first = this.length = 0;
    }

    /** If time goes back, the history restarts; the same time again replaces the last sample. */
    push(time: number, values: ArrayLike<number>): void {
        const last = this.length > 0 ? this.time(this.length - 1) : -Infinity;
        if (time < last) this.clear();
        if (time !== last || this.length === 0) {
            if (this.length === this.capacity) this.first = (this.first + 1) % this.capacity;
            else this.length++;
        }
        const at = this.row(this.length - 1);
        this.data[at] = time;
        for (let k = 0; k < this.width; k++) this.data[at + 1 + k] = values[k];
    }

    time(i: number): number {
        return this.data[this.row(i)];
    }

    value(i: number, k: number): number {
        return this.data[this.row(i) + 1 + k];
    }

    /** The first sample at a time or later; `length` if there is none. */
    since(time: number): number {
        let [lo, hi] = [0, this.length];
        while (lo < hi) {
            const mid = (lo + hi) >> 1;
            if (this.time(mid) < time) lo = mid + 1;
            else hi = mid;
        }
        return lo;
    }

    private row(i: number): number {
        return ((this.first + i) % this.capacity) * (this.width + 1);
    }
}
