// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Sliders with number fields, switches, choices.
import { h, unfocus } from './dom';
import { parseWithUnit, short, withUnit } from './format';

/** Calls at most 20 times a second, and always with the last value. */
export function throttled<T>(call: (value: T) => void): (value: T) => void {
    const interval = 50;
    let last = -Infinity;
    let timer = 0;
    return (value) => {
        const now = performance.now();
        clearTimeout(timer);
        const fire = () => {
            last = performance.now();
            call(value);
        };
        if (now - last >= interval) fire();
        else timer = window.setTimeout(fire, interval - (now - last));
    };
}

export interface SliderOptions {
    label: string;
    unit: string;
    lo: number;
    hi: number;
    /** linear; log: needs lo > 0; cubic: needs lo = 0, and is fine near it. */
    scale: 'linear' | 'log' | 'cubic';
    /** Which values may be typed, if these are more than the slider's. */
    allow?: (value: number) => boolean;
    changed: (value: number) => void;
}

/** A named slider with a number field, which accepts units and prefixes. */
export class Slider {
    readonly element: HTMLElement;
    private readonly range: HTMLInputElement;
    private readonly field: HTMLInputElement;
    private readonly changed: (value: number) => void;
    private value = 0;
    private lo: number;
    private hi: number;

    constructor(private readonly options: SliderOptions) {
        this.lo = options.lo;
        this.hi = options.hi;
        this.changed = throttled(options.changed);
        this.range = h('input', {
            type: 'range', min: 0, max: 1, step: 0.001, 'aria-label': options.label,
            input: () => this.take(this.fromShare(Number(this.range.value))),
            pointerup: () => this.range.blur(), // so that it shows what others set again
        });
        this.field = h('input', {
            type: 'text', class: 'number', inputmode: 'decimal', spellcheck: 'false',
            'aria-label': `${options.label}, number`,
            change: () => this.typed(),
            focus: () => this.field.select(),
            keydown: (event) => {
                if (event instanceof KeyboardEvent && event.key === 'Enter') this.field.blur();
            },
        });
        this.element = h('div', { class: 'slider' },
            h('span', { class: 'slider-label' }, options.label), this.range, this.field);
    }

    /** Shows a value, unless the user is changing it at the moment. */
    set(value: number): void {
        if (this.element.contains(document.activeElement)) return;
        this.value = value;
        this.show();
    }

    setRange(lo: number, hi: number): void {
        this.lo = lo;
        this.hi = hi;
        this.show();
    }

    disable(disabled: boolean): void {
        this.range.disabled = this.field.disabled = disabled;
    }

    private typed(): void {
        const value = parseWithUnit(this.field.value, this.options.unit);
        const allow = this.options.allow ?? ((v: number) => v >= this.lo && v <= this.hi);
        const good = Number.isFinite(value) && allow(value);
        if (good) this.take(value);
        else this.show();
        this.field.classList.toggle('refused', !good);
        setTimeout(() => this.field.classList.remove('refused'), 600);
    }

    private take(value: number): void {
        this.value = value;
        this.show();
        this.changed(value);
    }

    private show(): void {
        const share = Math.min(1, Math.max(0, this.toShare(this.value)));
        this.range.value = String(share);
        this.range.style.setProperty('--fill', `${100 * share}%`);
        this.field.value = withUnit(this.value, this.options.unit);
        this.range.setAttribute('aria-valuetext', this.field.value);
    }

    private toShare(value: number): number {
        const { lo, hi } = this;
        if (this.options.scale === 'log') return Math.log(value / lo) / Math.log(hi / lo);
        if (this.options.scale === 'cubic') return Math.cbrt(value / hi);
        return (value - lo) / (hi - lo);
    }

    private fromShare(share: number): number {
        const { lo, hi } = this;
        let value = lo + share * (hi - lo);
        if (this.options.scale === 'log') value = lo * (hi / lo) ** share;
        if (this.options.scale === 'cubic') value = hi * share ** 3;
        return Number(value.toPrecision(3));
    }
}

export class Toggle {
    readonly element: HTMLElement;
    private readonly box: HTMLInputElement;

    constructor(label: string, key: string, changed: (on: boolean) => void) {
        this.box = h('input', {
            type: 'checkbox', role: 'switch',
            change: () => changed(this.box.checked),
            click: unfocus,
        });
        this.element = h('label', { class: 'toggle' }, h('span', {}, label), this.box);
        if (key) this.element.title = `${label} (${key})`;
    }

    set(on: boolean): void {
        this.box.checked = on;
    }
}

/** One of several, as a row of buttons. */
export class Choice<T extends string> {
    readonly element: HTMLElement;
    private readonly buttons: Map<T, HTMLButtonElement>;

    constructor(label: string, names: Record<T, string>, changed: (value: T) => void) {
        this.buttons = new Map((Object.keys(names) as T[]).map((value) => [value, h('button', {
            type: 'button', role: 'radio', 'aria-checked': 'false',
            click: (event) => {
                changed(value);
                unfocus(event);
            },
        }, names[value])]));
        this.element = h('div', { class: 'choice', role: 'radiogroup', 'aria-label': label },
            ...this.buttons.values());
    }

    set(chosen: T): void {
        for (const [value, button] of this.buttons)
            button.setAttribute('aria-checked', String(value === chosen));
    }
}

export class Select {
    readonly element: HTMLSelectElement;

    constructor(label: string, changed: (value: string) => void) {
        this.element = h('select', {
            'aria-label': label,
            change: () => changed(this.element.value),
        });
    }

    fill(items: [value: string, text: string][], chosen: string): void {
        this.element.replaceChildren(...items.map(([value, text]) => h('option', { value }, text)));
        this.set(chosen);
    }

    set(value: string): void {
        this.element.value = value;
    }
}

/** Speeds to choose from; if the server has another one, it is added. */
export class SpeedSelect extends Select {
    constructor(changed: (speed: number) => void) {
        super('Speed', (value) => changed(Number(value)));
        this.element.classList.add('speed');
        this.element.title = 'Speed of the simulation (1 ×: real time)';
    }

    setSpeed(speed: number): void {
        const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];
        if (!speeds.includes(speed)) speeds.push(speed);
        speeds.sort((a, b) => a - b);
        this.fill(speeds.map((s) => [String(s), `${short(s)} ×`]), String(speed));
    }
}

export function row(label: string, ...controls: HTMLElement[]): HTMLElement {
    return h('div', { class: 'row' }, h('span', {}, label), ...controls);
}
