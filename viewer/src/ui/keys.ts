// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Keyboard shortcuts, and the help that lists them.
import { h, iconButton } from './dom';
import type { Host } from './host';
import type { ColorMode } from '../stage_types';
import { toolKeys } from './toolstrip';

interface Key {
    key: string; // as the browser names it
    text: string;
    act(host: Host): void;
}

const colors: ColorMode[] = ['plain', 'material', 'weight', 'strain', 'stress', 'energy'];

const keys: Key[] = [
    { key: ' ', text: 'Play or pause', act: (host) => host.togglePlay() },
    { key: '.', text: 'Single step', act: (host) => host.send({ do: 'step' }) },
    { key: 'r', text: 'Reset', act: (host) => host.reset() },
    ...toolKeys.map((tool, i): Key => ({
        key: String(i + 1), text: `Tool: ${tool}`, act: (host) => host.setOptions({ tool }),
    })),
    {
        key: 't', text: 'Move tool: rotate or move',
        act: (host) => host.setOptions({ turn: !host.stage.options.turn }),
    },
    {
        key: 'c', text: 'Next colouring',
        act: (host) => host.setOptions({
            color: colors[(colors.indexOf(host.stage.options.color) + 1) % colors.length],
        }),
    },
    {
        key: 'w', text: 'Wireframe',
        act: (host) => host.setOptions({ wireframe: !host.stage.options.wireframe }),
    },
    {
        key: 's', text: 'Section',
        act: (host) => {
            const { section } = host.stage.options;
            host.setOptions({ section: { ...section, on: !section.on } });
        },
    },
    { key: 'f', text: 'Fit everything into view', act: (host) => host.stage.fit() },
    { key: 'p', text: 'Screenshot', act: (host) => host.screenshot() },
    { key: 'm', text: 'Show or hide the panel', act: (host) => host.togglePanel() },
    { key: 'g', text: 'Gallery', act: (host) => host.toggleGallery() },
    { key: 'd', text: 'Dark or light theme', act: (host) => host.toggleTheme() },
    { key: '?', text: 'This help', act: (host) => host.toggleHelp() },
];

const pointer: [string, string][] = [
    ['Drag on a body', 'grabs, pins or pokes it, depending on the tool; the wheel pulls or pushes'],
    ['Click a pin', 'removes it'],
    ['Click a frame or handle', 'move tool: shows a gizmo to drag it with'],
    ['Click a body', 'insert tool: inserts a frame; click the frame to remove it'],
    ['Drag beside bodies', 'rotates the view'],
    ['Right button, or two fingers', 'moves the view'],
    ['Wheel, or pinch', 'zooms'],
];

export class Help {
    readonly element: HTMLElement;

    constructor(host: Host) {
        const name = (key: string) => (key === ' ' ? 'space' : key);
        const rows = (list: [Node | string, string][]) => h('dl', {},
            ...list.flatMap(([term, text]) => [h('dt', {}, term), h('dd', {}, text)]));
        this.element = h('div', {
            class: 'help', role: 'dialog', 'aria-label': 'Keys and mouse', hidden: true,
            click: (event) => {
                if (event.target === this.element) host.toggleHelp();
            },
        }, h('div', { class: 'help-card' },
            h('header', {}, h('h2', {}, 'Keys and mouse'),
                iconButton('close', 'Close', 'Esc', () => host.toggleHelp())),
            rows(keys.map(({ key, text }) => [h('kbd', {}, name(key)), text])),
            rows(pointer)));
    }
}

/** Whether an element handles keys itself: text fields all, buttons and boxes the space bar. */
function takesKeys(target: EventTarget | null, key: string): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target instanceof HTMLInputElement && target.type === 'range') return false;
    if (target instanceof HTMLInputElement && target.type !== 'checkbox') return true;
    if (target instanceof HTMLSelectElement || target.isContentEditable) return true;
    return key === ' ' && target.matches('button, input, summary, a');
}

export function listenToKeys(host: Host, escape: () => void): void {
    window.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === 'Escape') escape();
        if (takesKeys(event.target, event.key)) return;
        const found = keys.find(({ key }) => key === event.key.toLowerCase());
        if (!found || (event.repeat && event.key !== '.')) return;
        event.preventDefault();
        found.act(host);
    });
}
