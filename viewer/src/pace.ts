// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Lighter pictures where they take long, as without a graphics processor.

/** How a picture is drawn: share of the pixels along each side, shadows with every n-th one. */
export interface Quality {
    pixels: number;
    shadow: number;
}
const qualities: Quality[] = [
    { pixels: 1, shadow: 1 }, { pixels: 0.75, shadow: 3 }, { pixels: 0.5, shadow: 4 },
];
export const best = qualities[0];
const slow = 40; // [ms]
const quick = 25;
const looked = 9; // pictures the median is of

export class Pace {
    private level = 0;
    private patience = 120; // quick pictures before a better quality is tried
    private quickOnes = 0;
    private times: number[] = [];

    get quality(): Quality {
        return qualities[this.level];
    }

    /** What the last picture took [ms]. */
    took(ms: number): void {
        this.times.push(ms);
        this.quickOnes = ms < quick ? this.quickOnes + 1 : 0;
        if (this.times.length > looked) this.times.shift();
        const median = [...this.times].sort((a, b) => a - b)[looked >> 1];
        if (median > slow && this.level < qualities.length - 1) {
            this.change(1);
            this.patience = Math.min(2 * this.patience, 4000); // or it would come and go
        } else if (this.level > 0 && this.quickOnes >= this.patience) this.change(-1);
    }

    private change(by: number): void {
        this.level += by;
        this.times = [];
        this.quickOnes = 0;
    }
}
