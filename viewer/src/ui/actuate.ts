// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Fibres, muscles and rest shapes: the amount of each, set by hand or by the scene.
import { Slider } from './controls';
import { h, textButton } from './dom';
import type { Host, Part } from './host';
import { Group } from './panel';
import type { FrameMessage, SceneControl, SceneMessage } from '../protocol';

const titles = { fibres: 'Fibres of', muscle: 'Muscle', shape: 'Shape' };

interface Row {
    control: SceneControl;
    slider: Slider;
    back: HTMLButtonElement;
}

export class Actuate implements Part {
    readonly element: HTMLElement;
    private readonly group: Group;
    private rows: Row[] = [];
    private shownAt = 0; // [ms]

    constructor(private readonly host: Host) {
        this.group = new Group('Actuation', true);
        this.element = this.group.element;
    }

    setScene(scene: SceneMessage | null): void {
        const touchable = scene?.mode === 'dynamic' || scene?.mode === 'static';
        this.element.hidden = !touchable || scene.controls.length === 0;
        if (!scene || (scene.continues && this.rows.length > 0)) return;
        this.rows = scene.controls.map((control) => this.row(control));
        this.group.body.replaceChildren(...this.rows.map(({ control, slider, back }) =>
            h('section', {}, h('h3', {}, `${titles[control.kind]} ${control.name}`),
                slider.element, h('div', { class: 'buttons' }, back))));
    }

    private row(control: SceneControl): Row {
        const send = (value: number, set: boolean) =>
            this.host.send({ do: 'control', control: control.index, value, set });
        const slider = new Slider({
            label: control.kind === 'shape' ? 'Amount' : 'Activation', unit: '', lo: 0, hi: 1,
            scale: 'linear', changed: (value) => send(value, true),
        });
        const back = textButton(control.keys ? 'Follow its keys' : 'As in the scene',
            () => send(0, false));
        back.hidden = true; // until the slider is used
        return { control, slider, back };
    }

    setFrame(frame: FrameMessage): void {
        const now = performance.now();
        if (!this.group.open || now - this.shownAt < 100) return; // slow enough to read the numbers
        this.shownAt = now;
        for (const { control, slider, back } of this.rows) {
            slider.set(Number(frame.controls[2 * control.index].toFixed(3)));
            back.hidden = frame.controls[2 * control.index + 1] === 0;
        }
    }
}
