// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Lowers the quality of pictures if they take long, as they do without a GPU.

/** How pictures are drawn: share of the pixels along each side, shadow updated in every nth one. */
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
const looked = 9; // pictures in the median

export class Pace {
    private level = 0;
    private patience = 120; // quick pictures before a higher quality is tried
    private quickOnes = 0;
    private times: number[] = [];

    get quality(): Quality {
        return qualities[this.level];
    }

    /** Takes the time of the last picture [ms]. */
    took(ms: number): void {
        this.times.push(ms);
        this.quickOnes = ms < quick ? this.quickOnes + 1 : 0;
        if (this.times.length > looked) this.times.shift();
        const median = [...this.times].sort((a, b) => a - b)[looked >> 1];
        if (median > slow && this.level < qualities.length - 1) {
            this.change(1);
            this.patience = Math.min(2 * this.patience, 4000); // or quality would keep changing
        } else if (this.level > 0 && this.quickOnes >= this.patience) this.change(-1);
    }

    private change(by: number): void {
        this.level += by;
        this.times = [];
        this.quickOnes = 0;
    }
}
