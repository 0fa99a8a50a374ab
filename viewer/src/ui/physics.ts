// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The settings that can be changed while the simulation runs.
import { Select, Slider, row } from './controls';
import { h, swatch, textButton } from './dom';
import type { Host, Part } from './host';
import { Group } from './panel';
import type { SceneMessage, Vec3 } from '../protocol';

export class Physics implements Part {
    readonly element: HTMLElement;
    private readonly body: HTMLElement;
    private readonly updates: ((scene: SceneMessage) => void)[] = [];
    private readonly signs: HTMLElement[] = []; // swatches of the materials' colours
    private opened: Vec3 = [0, 0, 0]; // gravity as the scene has it

    constructor(private readonly host: Host) {
        const group = new Group('Physics', true);
        this.element = group.element;
        this.body = group.body;
    }

    setScene(scene: SceneMessage | null): void {
        this.element.hidden = !scene || scene.mode === 'recording';
        if (!scene) return;
        // Controls are rebuilt only for another scene, as the user may be dragging one.
        if (!scene.continues || this.updates.length === 0) this.build(scene);
        this.setSettings(scene);
    }

    setSettings(scene: SceneMessage): void {
        for (const update of this.updates) update(scene);
    }

    setOptions(): void {
        this.signs.forEach((sign, i) => {
            sign.style.background = this.host.stage.colorOfMaterial(i);
        });
    }

    private build(scene: SceneMessage): void {
        this.updates.length = this.signs.length = 0;
        this.opened = [...scene.gravity];
        const parts: HTMLElement[] = [];
        if (scene.clips.length > 1) parts.push(this.clip(scene.clips));
        if (scene.mode !== 'modal') parts.push(this.gravity());
        parts.push(...scene.materials.map((material, i) => this.material(scene, material, i)));
        if (!scene.editable && scene.materials.length > 0)
            parts.push(h('p', { class: 'note' }, 'Materials of a saved model cannot be changed.'));
        if (scene.mode === 'dynamic') {
            parts.push(...scene.bodies.map((body, i) => this.damping(body.name, i)));
            parts.push(this.step());
        }
        this.body.replaceChildren(...parts);
    }

    private clip(names: string[]): HTMLElement {
        const select = new Select('Clip', (value) =>
            this.host.send({ do: 'clip', index: Number(value) }));
        select.fill(names.map((name, i) => [String(i), name || `Clip ${i}`]), '');
        this.updates.push((scene) => select.set(String(scene.clip)));
        return row('Clip', select.element);
    }

    private gravity(): HTMLElement {
        const value: Vec3 = [...this.opened];
        const send = () => this.host.send({ do: 'set', gravity: [...value] });
        const sliders = ['x', 'y', 'z'].map((axis, k) => new Slider({
            label: axis, unit: 'm/s²', lo: -20, hi: 20, scale: 'linear',
            allow: (v) => Math.abs(v) <= 1e4,
            changed: (v) => {
                value[k] = v;
                send();
            },
        }));
        const show = (g: Vec3) => sliders.forEach((slider, k) => {
            value[k] = g[k];
            slider.set(g[k]);
        });
        const put = (g: Vec3) => {
            show(g);
            send();
        };
        this.updates.push((scene) => show(scene.gravity));
        return section('Gravity',
            h('div', { class: 'axes' }, ...sliders.map((slider) => slider.element)),
            h('div', { class: 'buttons' },
                textButton('None', () => put([0, 0, 0])),
                textButton('As opened', () => put([...this.opened]))));
    }

    private material(
        scene: SceneMessage, { name, law, young }: SceneMessage['materials'][number],
        index: number,
    ): HTMLElement {
        const decade = 10 ** Math.round(Math.log10(young > 0 ? young : 1));
        const stiffness = new Slider({
            label: "Young's modulus", unit: 'Pa', lo: decade / 100, hi: decade * 100, scale: 'log',
            allow: (v) => v > 0 && v < 1e15,
            changed: (v) => this.host.send({ do: 'set', material: index, young: v }),
        });
        const poisson = new Slider({
            label: "Poisson's ratio", unit: '', lo: 0, hi: 0.499, scale: 'linear',
            allow: (v) => v > -1 && v < 0.5,
            changed: (v) => this.host.send({ do: 'set', material: index, poisson: v }),
        });
        stiffness.disable(!scene.editable);
        poisson.disable(!scene.editable);
        this.updates.push(({ materials }) => {
            stiffness.set(materials[index].young);
            poisson.set(materials[index].poisson);
        });
        const sign = swatch(this.host.stage.colorOfMaterial(index));
        this.signs.push(sign);
        return h('section', {},
            h('h3', {}, sign, name || 'Material', h('small', {}, law)),
            stiffness.element, poisson.element);
    }

    private damping(name: string, body: number): HTMLElement {
        const value: [number, number] = [0, 0];
        const slider = (label: string, unit: string, hi: number, k: 0 | 1) => new Slider({
            label, unit, lo: 0, hi, scale: 'cubic', allow: (v) => v >= 0 && v <= 1e6,
            changed: (v) => {
                value[k] = v;
                this.host.send({ do: 'set', body, damping: [...value] });
            },
        });
        const sliders = [slider('Mass', '1/s', 20, 0), slider('Stiffness', 's', 1, 1)];
        this.updates.push(({ bodies }) => sliders.forEach((s, k) => {
            value[k] = bodies[body].damping[k];
            s.set(value[k]);
        }));
        return section(`Damping${name ? ` of ${name}` : ''}`, ...sliders.map((s) => s.element));
    }

    private step(): HTMLElement {
        const slider = new Slider({
            label: 'Step', unit: 's', lo: 1e-4, hi: 0.05, scale: 'log',
            allow: (v) => v > 0 && v <= 1,
            changed: (step) => this.host.send({ do: 'set', step }),
        });
        this.updates.push((scene) => slider.set(scene.step));
        return section('Time', slider.element);
    }
}

function section(title: string, ...children: HTMLElement[]): HTMLElement {
    return h('section', {}, h('h3', {}, title), ...children);
}
