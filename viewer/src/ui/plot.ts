// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A plot of the last ten seconds of several series.
import { h, swatch, unfocus } from './dom';
import { prefixOf, short, withUnit } from './format';
import { FollowingRange, History, ticks } from './scale';

const span = 10; // [s]
const gap = 1; // [s]: samples farther apart are not joined
const margin = { left: 44, right: 8, top: 8, bottom: 20 };

export interface Series {
    name: string;
    color: string; // name of a CSS custom property
    hidden?: boolean;
}

/** The canvas and, below it, the names of the series: a click on one hides it. */
export class Plot {
    readonly element: HTMLElement;
    readonly history: History;
    private readonly canvas = h('canvas', { role: 'img' });
    private readonly title: HTMLElement;
    private readonly unitText = h('span', { class: 'plot-unit' });
    private readonly values: HTMLElement[];
    private readonly range = new FollowingRange();
    private pointer: number | null = null; // [px] from the left

    /** @param least the axis begins at or below this value. */
    constructor(
        title: string, private readonly unit: string, private readonly series: Series[],
        private readonly least = Infinity,
    ) {
        this.history = new History(series.length);
        this.title = h('h3', {}, title, this.unitText);
        this.canvas.setAttribute('aria-label', `${title} against time`);
        this.canvas.addEventListener('pointermove', (event) => {
            this.pointer = event.offsetX;
            this.draw();
        });
        this.canvas.addEventListener('pointerleave', () => {
            this.pointer = null;
            this.draw();
        });
        this.values = series.map(() => h('span', { class: 'plot-value' }));
        this.element = h('figure', { class: 'plot' }, this.title, this.canvas,
            h('figcaption', {}, ...series.map((s, k) => this.key(s, k))));
    }

    private key(series: Series, k: number): HTMLElement {
        const button = h('button', {
            type: 'button', class: 'key', 'aria-pressed': String(!series.hidden),
            title: `Show or hide ${series.name}`,
            click: (event) => {
                series.hidden = !series.hidden;
                button.setAttribute('aria-pressed', String(!series.hidden));
                this.range.reset();
                this.draw();
                unfocus(event);
            },
        }, swatch(`var(${series.color})`), h('span', { class: 'key-name' }, series.name),
        this.values[k]);
        return button;
    }

    clear(): void {
        this.history.clear();
        this.range.reset();
    }

    draw(): void {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        const context = this.canvas.getContext('2d');
        if (!context || width === 0) return;
        const ratio = window.devicePixelRatio;
        if (this.canvas.width !== Math.round(width * ratio) ||
            this.canvas.height !== Math.round(height * ratio)) {
            this.canvas.width = Math.round(width * ratio);
            this.canvas.height = Math.round(height * ratio);
        }
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        this.paint(context, width, height);
    }

    private paint(context: CanvasRenderingContext2D, width: number, height: number): void {
        const { history } = this;
        const style = getComputedStyle(this.canvas);
        const end = history.length > 0 ? Math.max(span, history.time(history.length - 1)) : span;
        const first = history.since(end - span);
        this.follow(first);
        const { lo, hi } = this.range;
        const size = Math.max(Math.abs(lo), Math.abs(hi));
        const [prefix, factor] = this.unit ? prefixOf(size) : ['', 1];
        this.unitText.textContent = this.unit ? `${prefix}${this.unit}` : '';

        const right = width - margin.right;
        const bottom = height - margin.bottom;
        const x = (t: number) => right + ((t - end) / span) * (right - margin.left);
        const y = (v: number) => bottom - ((v - lo) / (hi - lo)) * (bottom - margin.top);

        context.font = `11px ${style.fontFamily}`;
        context.fillStyle = style.getPropertyValue('--muted');
        context.strokeStyle = style.getPropertyValue('--grid');
        context.lineWidth = 1;
        context.textBaseline = 'middle';
        context.textAlign = 'right';
        context.beginPath();
        for (const v of ticks(lo, hi, 4)) {
            const at = Math.round(y(v)) + 0.5;
            context.moveTo(margin.left, at);
            context.lineTo(right, at);
            context.fillText(short(v / factor), margin.left - 6, at);
        }
        context.textAlign = 'center';
        for (const t of ticks(end - span, end, 5)) {
            const at = Math.round(x(t)) + 0.5;
            context.moveTo(at, bottom);
            context.lineTo(at, bottom + 4);
            if (at < right - 12) context.fillText(short(t, 4), at, bottom + 12);
        }
        context.textAlign = 'right';
        context.fillText('s', right, bottom + 12);
        context.stroke();

        context.save();
        context.beginPath();
        context.rect(margin.left, 0, right - margin.left, height);
        context.clip();
        this.paintSeries(context, style, first, x, y);
        this.paintPointer(context, style, x, bottom);
        context.restore();
    }

    private follow(first: number): void {
        let [lo, hi] = [this.least, -Infinity];
        this.series.forEach((series, k) => {
            if (series.hidden) return;
            for (let i = first; i < this.history.length; i++) {
                const v = this.history.value(i, k);
                if (v < lo) lo = v;
                if (v > hi) hi = v;
            }
        });
        this.range.follow(lo, hi);
    }

    private paintSeries(
        context: CanvasRenderingContext2D, style: CSSStyleDeclaration, first: number,
        x: (t: number) => number, y: (v: number) => number,
    ): void {
        const { history } = this;
        const grain = (1.5 * span) / (x(span) - x(0));
        context.lineWidth = 1.5;
        context.lineJoin = 'round';
        this.series.forEach((series, k) => {
            if (series.hidden) return;
            context.strokeStyle = style.getPropertyValue(series.color);
            context.beginPath();
            let last = -Infinity;
            for (let i = Math.max(0, first - 1); i < history.length;) {
                // Several samples within a pixel are drawn as their mean, as a line that jumps
                // would fill an area. Pixels are aligned to time, not to the screen, so that the
                // plot does not flicker as it scrolls.
                const t = history.time(i);
                const end = grain * (Math.floor(t / grain) + 1);
                let [sum, n] = [0, 0];
                do {
                    sum += history.value(i++, k);
                    n++;
                } while (i < history.length && history.time(i) < end);
                if (t - last > gap) context.moveTo(x(t), y(sum / n));
                else context.lineTo(x(t), y(sum / n));
                last = t;
            }
            context.stroke();
            if (history.length === 1) this.dot(context, x(last), y(history.value(0, k)));
        });
    }

    private dot(context: CanvasRenderingContext2D, x: number, y: number): void {
        context.fillStyle = context.strokeStyle;
        context.beginPath();
        context.arc(x, y, 3, 0, 2 * Math.PI);
        context.fill();
    }

    /** The values below the plot are those under the pointer, else the newest ones. */
    private paintPointer(
        context: CanvasRenderingContext2D, style: CSSStyleDeclaration,
        x: (t: number) => number, bottom: number,
    ): void {
        const { history } = this;
        let at = history.length - 1;
        if (this.pointer !== null && at >= 0) {
            while (at > 0 && x(history.time(at)) > this.pointer) at--;
            const px = Math.round(x(history.time(at))) + 0.5;
            context.strokeStyle = style.getPropertyValue('--muted');
            context.lineWidth = 1;
            context.beginPath();
            context.moveTo(px, margin.top);
            context.lineTo(px, bottom);
            context.stroke();
            const text = `${history.time(at).toFixed(2)} s`;
            const half = context.measureText(text).width / 2 + 4;
            const right = this.canvas.clientWidth - margin.right;
            const middle = Math.max(margin.left + half, Math.min(right - half, px));
            context.fillStyle = style.getPropertyValue('--surface');
            context.fillRect(middle - half, bottom + 2, 2 * half, margin.bottom);
            context.fillStyle = style.getPropertyValue('--text');
            context.textAlign = 'center';
            context.fillText(text, middle, bottom + 12);
        }
        this.values.forEach((element, k) => {
            element.textContent = at >= 0 ? withUnit(history.value(at, k), this.unit) : '';
        });
    }
}
