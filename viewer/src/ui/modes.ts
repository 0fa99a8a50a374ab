// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The list of vibrations to choose from.
import { h, unfocus } from './dom';
import { short } from './format';
import type { Host, Part } from './host';
import { Group } from './panel';
import type { SceneMessage } from '../protocol';

export class Modes implements Part {
    readonly element: HTMLElement;
    private readonly list = h('div', {
        class: 'modes', role: 'radiogroup', 'aria-label': 'Vibrations',
    });

    constructor(private readonly host: Host) {
        const group = new Group('Vibrations', true);
        group.body.append(this.list);
        this.element = group.element;
    }

    setScene(scene: SceneMessage | null): void {
        this.element.hidden = scene?.mode !== 'modal';
        if (!scene || scene.continues) return;
        const several = scene.bodies.length > 1;
        this.list.replaceChildren(...scene.modes.map(({ frequency, body }, index) => h('button', {
            type: 'button', role: 'radio', 'aria-checked': String(index === 0),
            click: (event) => {
                this.host.send({ do: 'mode', index });
                for (const button of this.list.children)
                    button.setAttribute('aria-checked', String(button === event.currentTarget));
                unfocus(event);
            },
        }, h('span', { class: 'mode-number' }, String(index + 1)),
        h('span', {}, `${short(frequency, 4)} Hz`),
        h('span', { class: 'mode-body' }, several ? scene.bodies[body]?.name ?? '' : ''))));
    }
}
