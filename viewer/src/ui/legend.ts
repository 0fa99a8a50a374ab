// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The legend of colours, the tip under the pointer, and the force of a pull.
import type { Legend } from '../stage_types';
import { h, swatch } from './dom';
import { short, withUnit } from './format';
import { ticks } from './scale';

export class LegendBox {
    readonly element = h('div', { class: 'legend', hidden: true, role: 'img' });
    private shown = '';

    set(legend: Legend | null): void {
        this.element.hidden = legend === null;
        // This may be called for every frame.
        const text = JSON.stringify(legend);
        if (!legend || text === this.shown) return;
        this.shown = text;
        const { title, unit, lo, hi, items } = legend;
        const name = unit ? `${title} [${unit}]` : title;
        this.element.replaceChildren(h('span', { class: 'legend-title' }, name),
            items ? itemList(items) : scale(legend));
        this.element.setAttribute('aria-label', items ?
            `${name}: ${items.map((item) => item.name).join(', ')}` :
            `${name}, ${short(lo)} to ${short(hi)}`);
    }
}

function itemList(items: { color: string; name: string }[]): HTMLElement {
    return h('div', { class: 'legend-items' }, ...items.map(({ color, name }) =>
        h('span', {}, swatch(color), name)));
}

function scale({ lo, hi, colors }: Legend): HTMLElement {
    const bar = h('div', { class: 'legend-bar' });
    bar.style.background = `linear-gradient(to right, ${colors.join(', ')})`;
    const marks = h('div', { class: 'legend-marks' }, ...ticks(lo, hi, 4).map((value) => {
        const mark = h('span', {}, short(value));
        mark.style.left = `${(100 * (value - lo)) / (hi - lo)}%`;
        return mark;
    }));
    return h('div', { class: 'legend-scale' }, bar, marks);
}

/** A text beside the pointer. */
export class Tip {
    readonly element = h('div', { class: 'tip', hidden: true, role: 'tooltip' });

    set(text: string | null, x: number, y: number): void {
        this.element.hidden = text === null;
        if (text === null) return;
        this.element.textContent = text;
        const room = this.element.offsetWidth + 28;
        this.element.style.left = `${x + room > innerWidth ? x - room + 12 : x + 14}px`;
        this.element.style.top = `${Math.min(y + 14, innerHeight - 40)}px`;
    }
}

/** The force of the pull, below the stage, where no finger covers it. */
export class ForceSign {
    readonly element = h('div', { class: 'force', hidden: true });

    set(force: number | null): void {
        this.element.hidden = force === null;
        if (force !== null) this.element.textContent = `Pulling with ${withUnit(force, 'N')}`;
    }
}
