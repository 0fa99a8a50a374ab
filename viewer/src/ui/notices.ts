// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Notices: toasts, the banner of a failed step, progress, a lost connection.
import type { Link } from './connection';
import { h, icon, textButton } from './dom';
import { seconds } from './format';
import type { Level } from './host';

const lasts: Record<Level, number> = { info: 5000, warning: 9000, error: 15_000 }; // [ms]

export class Toasts {
    readonly element = h('div', { class: 'toasts', role: 'log', 'aria-live': 'polite' });
    private readonly shown = new Map<string, {
        level: Level; toast: HTMLElement; times: number; timer: number;
    }>();

    /** Shows a text; repetitions are counted instead of piling up. */
    show(level: Level, text: string): void {
        const old = this.shown.get(text);
        const times = (old?.times ?? 0) + 1;
        this.remove(text);
        const role = level === 'error' ? 'alert' : 'status';
        const toast = h('div', { class: `toast ${level}`, role },
            h('span', { class: 'toast-text' }, text),
            ...(times > 1 ? [h('span', { class: 'times' }, `${times} ×`)] : []),
            h('button', {
                type: 'button', class: 'icon-button small', 'aria-label': 'Dismiss',
                click: () => this.remove(text),
            }, icon('close')));
        this.element.append(toast);
        const timer = window.setTimeout(() => this.remove(text), lasts[level]);
        this.shown.set(text, { level, toast, times, timer });
        if (this.shown.size > 4) this.remove([...this.shown.keys()][0]);
    }

    /** Removes errors of a scene that is gone. */
    forgetErrors(): void {
        for (const [text, { level }] of [...this.shown]) if (level === 'error') this.remove(text);
    }

    private remove(text: string): void {
        const old = this.shown.get(text);
        if (!old) return;
        clearTimeout(old.timer);
        old.toast.remove();
        this.shown.delete(text);
    }
}

/** The banner below the bar. */
export class Banner {
    private readonly text = h('span', { class: 'banner-text' });
    readonly element: HTMLElement;

    constructor(reset: () => void) {
        this.element = h('div', { class: 'banner', role: 'alert', hidden: true },
            this.text, textButton('Reset', reset, 'reset'));
    }

    set(failed: string, time: number, equilibrium: boolean): void {
        this.element.hidden = !failed;
        const what = equilibrium ? 'No equilibrium was found' :
            `The step at t = ${seconds(time)} failed`;
        const text = failed ? `${what}: ${failed}` : '';
        if (this.text.textContent !== text) this.text.textContent = text; // read aloud once
    }
}

/** Progress of opening: a card in the middle while the user waits for it, else a small sign. */
export class Busy {
    private readonly text = h('span', { class: 'busy-text' });
    private readonly bar = h('progress', { max: 1, 'aria-label': 'Progress' });
    readonly element = h('div', { class: 'busy', role: 'status', hidden: true },
        h('div', { class: 'busy-card' }, this.text, this.bar));

    set(text: string, share: number | undefined, waiting: boolean): void {
        this.element.hidden = !text;
        this.element.classList.toggle('waiting', waiting);
        this.text.textContent = text;
        if (share === undefined || share <= 0) this.bar.removeAttribute('value');
        else this.bar.value = Math.min(1, share);
    }
}

const linkTexts: Record<Link, string> = {
    open: '',
    lost: 'Connection lost, reconnecting …',
    ended: 'The server has stopped: restart it, and open the address that it prints.',
};

export class LinkNote {
    readonly element = h('div', { class: 'link-note', role: 'status', hidden: true });

    set(link: Link): void {
        this.element.hidden = link === 'open';
        this.element.classList.toggle('ended', link === 'ended');
        this.element.textContent = linkTexts[link];
    }
}
