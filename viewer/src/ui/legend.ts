// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the colours mean, what is under the pointer, how hard one pulls.
import { h } from './dom';
import { prefixOf, short, withUnit } from './format';
import { ticks } from './scale';
import type { Legend } from '../stage_types';

export class LegendBox {
    readonly element = h('div', { class: 'legend', hidden: true, role: 'img' });
    private shown = '';

    set(legend: Legend | null): void {
        this.element.hidden = legend === null;
        // It may come with every frame.
        const text = JSON.stringify(legend);
        if (!legend || text === this.shown) return;
        this.shown = text;
        const title = h('span', { class: 'legend-title' });
        this.element.replaceChildren(title, legend.items ? items(legend.items) : scale(legend));
        const word = /^[A-Za-z]+$/.test(legend.unit);
        const prefix = word ? prefixOf(size(legend))[0] : '';
        title.textContent = legend.unit ? `${legend.title} [${prefix}${legend.unit}]` : legend.title;
        this.element.setAttribute('aria-label', legend.items ?
            `${legend.title}: ${legend.items.map((item) => item.name).join(', ')}` :
            `${legend.title}, ${withUnit(legend.lo, legend.unit)} to ${withUnit(legend.hi, legend.unit)}`);
    }
}

const size = (legend: Legend) => Math.max(Math.abs(legend.lo), Math.abs(legend.hi));

function items(list: { color: string; name: string }[]): HTMLElement {
    return h('div', { class: 'legend-items' }, ...list.map(({ color, name }) => {
        const swatch = h('span', { class: 'swatch' });
        swatch.style.background = color;
        return h('span', {}, swatch, name);
    }));
}

function scale({ unit, lo, hi, colors }: Legend): HTMLElement {
    const bar = h('div', { class: 'legend-bar' });
    bar.style.background = `linear-gradient(to right, ${colors.join(', ')})`;
    const factor = /^[A-Za-z]+$/.test(unit) ? prefixOf(Math.max(Math.abs(lo), Math.abs(hi)))[1] : 1;
    const marks = h('div', { class: 'legend-marks' }, ...ticks(lo, hi, 4).map((value) => {
        const mark = h('span', {}, short(value / factor));
        mark.style.left = `${(100 * (value - lo)) / (hi - lo)}%`;
        return mark;
    }));
    return h('div', { class: 'legend-scale' }, bar, marks);
}

/** Beside the pointer. */
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

export class ForceSign {
    readonly element = h('div', { class: 'force', hidden: true });

    set(force: number | null): void {
        this.element.hidden = force === null;
        if (force !== null) this.element.textContent = withUnit(force, 'N');
    }
}
