// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The built-in examples with pictures, and a place to drop files.
import { h, icon, iconButton } from './dom';
import type { Host } from './host';
import type { HelloMessage } from '../protocol';

export class Gallery {
    readonly element: HTMLElement;
    private readonly cards = h('div', { class: 'cards' });
    private readonly version = h('span', { class: 'version' });
    private readonly close: HTMLButtonElement;
    private examples: HelloMessage['examples'] = [];

    constructor(private readonly host: Host) {
        const chooser = h('input', {
            type: 'file', hidden: true, 'aria-label': 'File to open',
            change: () => {
                const file = chooser.files?.[0];
                if (file) host.openFile(file);
                chooser.value = '';
            },
        });
        const drop = h('button', {
            type: 'button', class: 'drop-here', click: () => chooser.click(),
        }, icon('upload'), h('span', {},
            'Drop a mesh, volume or scene here, or ', h('u', {}, 'choose a file')));
        this.close = iconButton('close', 'Close the gallery', 'Esc', () => this.show(false));
        this.element = h('div', {
            class: 'gallery', role: 'dialog', 'aria-label': 'Gallery', tabindex: -1, hidden: true,
        }, h('div', { class: 'gallery-inner' },
            h('header', {},
                h('h1', {}, 'sinew', this.version),
                h('p', {}, 'Soft solids, simulated with a few moving frames. ' +
                    'Pick one and pull it.'),
                this.close),
            drop, chooser, this.cards));
    }

    get visible(): boolean {
        return !this.element.hidden;
    }

    setHello(hello: HelloMessage): void {
        this.version.textContent = hello.version;
        this.examples = hello.examples;
        this.cards.replaceChildren();
        if (this.visible) this.fill();
    }

    show(on: boolean): void {
        if (!on && !this.host.scene) return; // nothing is behind it
        this.element.hidden = !on;
        if (on) this.fill();
        this.close.hidden = !this.host.scene;
        if (on) this.element.focus(); // the Tab key then goes to its buttons
    }

    /** Fetches pictures only when the gallery is shown. */
    private fill(): void {
        if (this.cards.childElementCount > 0) return;
        this.cards.append(...this.examples.map(({ name, title }) => this.card(name, title)));
    }

    private card(name: string, title: string): HTMLElement {
        const label = name.charAt(0).toUpperCase() + name.slice(1).replace(/-/g, ' ');
        const picture = h('img', {
            src: `gallery/${encodeURIComponent(name)}.png`, alt: '',
            error: () => picture.remove(), // shows the initial behind it
        });
        return h('button', {
            type: 'button', class: 'card', click: () => this.host.openExample(name),
        }, h('span', { class: 'card-picture', 'data-initial': label[0] ?? '?' }, picture),
        h('span', { class: 'card-name' }, label),
        h('span', { class: 'card-title' }, title));
    }
}
