// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The tools on the left.
import { h, iconButton } from './dom';
import type { Host, Part } from './host';
import type { FrameMessage, SceneMessage } from '../protocol';
import type { Tool, ViewOptions } from '../stage_types';

const tools: [Tool, string, string][] = [
    ['grab', 'Grab', 'pull a point of the surface'],
    ['pin', 'Pin', 'hold a point of the surface where it is; click a pin to remove it'],
    ['move', 'Move', 'drag frames and handles'],
    ['poke', 'Poke', 'push with a ball'],
    ['insert', 'Insert', 'click a body to insert a frame; click the frame to remove it'],
];

export const toolKeys = tools.map(([tool]) => tool);

export class ToolStrip implements Part {
    readonly element: HTMLElement;
    private readonly buttons = new Map<Tool, HTMLButtonElement>();
    private readonly turn: HTMLButtonElement;
    private readonly unpin: HTMLButtonElement;
    private readonly pins = h('span', { class: 'count' });
    private readonly physics = h('div', { class: 'tool-group' });

    constructor(private readonly host: Host) {
        tools.forEach(([tool, name, help], i) => {
            const button = iconButton(tool, name, String(i + 1), () => host.setOptions({ tool }));
            button.title = `${name}: ${help} (${i + 1})`;
            button.append(h('kbd', { 'aria-hidden': 'true' }, String(i + 1)));
            this.buttons.set(tool, button);
        });
        this.turn = iconButton('turn', 'Rotate instead of moving', 't',
            () => host.setOptions({ turn: !host.stage.options.turn }));
        this.unpin = iconButton('unpin', 'Remove all pins', '', () => this.releaseAll());
        this.unpin.append(this.pins);
        this.physics.append(...this.buttons.values(), this.turn, this.unpin);
        this.element = h('nav', { class: 'toolstrip', 'aria-label': 'Tools' }, this.physics,
            h('div', { class: 'tool-group' },
                iconButton('fit', 'Fit everything into view', 'f', () => host.stage.fit())));
    }

    setScene(scene: SceneMessage | null): void {
        this.element.hidden = scene === null;
        this.physics.hidden = scene?.mode === 'recording' || scene?.mode === 'modal';
    }

    setOptions(options: Readonly<ViewOptions>): void {
        for (const [tool, button] of this.buttons)
            button.setAttribute('aria-pressed', String(tool === options.tool));
        this.turn.hidden = options.tool !== 'move';
        this.turn.setAttribute('aria-pressed', String(options.turn));
    }

    setFrame(frame: FrameMessage): void {
        const held = frame.pulls.filter((pull) => pull.kind !== 'grab').length;
        this.unpin.hidden = held === 0;
        this.pins.textContent = String(held);
    }

    private releaseAll(): void {
        for (const pull of this.host.last?.pulls ?? [])
            if (pull.kind !== 'grab') this.host.send({ do: 'release', id: pull.id });
    }
}
