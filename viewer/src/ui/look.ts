// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// How the body is drawn.
import { Choice, Select, Slider, Toggle, row } from './controls';
import { h, icon, swatch, textButton, unfocus } from './dom';
import type { Host, Part } from './host';
import { Group } from './panel';
import type { SceneMessage } from '../protocol';
import { isFrame } from '../scene_nodes';
import type { Axis, ColorMode, ViewOptions } from '../stage_types';

export const colorNames: Record<ColorMode, string> = {
    plain: 'Plain',
    material: 'Material',
    weight: 'Weight of a frame',
    strain: 'Largest principal strain',
    stress: 'Von Mises stress',
    energy: 'Energy density',
};

export class Look implements Part {
    readonly element: HTMLElement;
    private readonly color: Select;
    private readonly weight: Select;
    private readonly weightRow: HTMLElement;
    private readonly toggles: [Toggle, (o: Readonly<ViewOptions>) => boolean][];
    private readonly muscles: Toggle; // shown only if the scene has some
    private readonly points: Choice<ViewOptions['points']>;
    private readonly axis: Choice<Axis>;
    private readonly at: Slider;
    private readonly flip: Toggle;
    private readonly sectionBody: HTMLElement;
    private readonly shown = h('div', { class: 'shown' });
    private names: { name: string; material?: number }[] = [];

    constructor(private readonly host: Host) {
        const set = (o: Partial<ViewOptions>) => host.setOptions(o);
        const section = (o: Partial<ViewOptions['section']>) =>
            set({ section: { ...host.stage.options.section, ...o } });

        this.color = new Select('Colour', (value) => set({ color: value as ColorMode }));
        this.color.fill(Object.entries(colorNames), 'plain');
        this.weight = new Select('Frame', (value) => set({ weightNode: Number(value) }));
        this.weightRow = row('Frame', this.weight.element);
        this.muscles = new Toggle('Muscles', '', (muscles) => set({ muscles }));
        this.toggles = [
            [new Toggle('Wireframe', 'w', (wireframe) => set({ wireframe })), (o) => o.wireframe],
            [new Toggle('Frames', '', (frames) => set({ frames })), (o) => o.frames],
            [new Toggle('Handles', '', (handles) => set({ handles })), (o) => o.handles],
            [this.muscles, (o) => o.muscles],
            [new Toggle('Shadow', '', (shadow) => set({ shadow })), (o) => o.shadow],
            [new Toggle('Ground', '', (ground) => set({ ground })), (o) => o.ground],
            [new Toggle('Section', 's', (on) => section({ on })), (o) => o.section.on],
        ];
        this.points = new Choice('Integration points',
            { off: 'Off', points: 'Points', regions: 'Regions' }, (points) => set({ points }));
        this.axis = new Choice('Section axis', { x: 'x', y: 'y', z: 'z' },
            (axis) => section({ axis }));
        this.at = new Slider({
            label: 'Position', unit: '', lo: 0, hi: 1, scale: 'linear',
            changed: (at) => section({ at }),
        });
        this.flip = new Toggle('Other side', '', (flip) => section({ flip }));
        this.sectionBody = h('div', { class: 'nested' },
            row('Across', this.axis.element), this.at.element, this.flip.element);

        const group = new Group('Look', true);
        group.body.append(
            row('Colour', this.color.element), this.weightRow,
            h('div', { class: 'toggles' }, ...this.toggles.map(([toggle]) => toggle.element)),
            this.sectionBody, row('Inside', this.points.element), this.shown,
            h('div', { class: 'buttons four' },
                textButton('Front', () => host.stage.look('front')),
                textButton('Right', () => host.stage.look('right')),
                textButton('Top', () => host.stage.look('top')),
                textButton('Corner', () => host.stage.look('corner'))));
        this.element = group.element;
    }

    setScene(scene: SceneMessage | null): void {
        if (!scene) return;
        this.muscles.element.hidden = !scene.controls.some(({ kind }) => kind === 'muscle');
        const several = scene.bodies.length > 1;
        this.weight.fill(scene.nodes.flatMap((node, i): [string, string][] => {
            if (!isFrame(node)) return [];
            const handle = scene.handles[node.handle]?.name;
            const inserted = scene.inserted.some((item) => item.node === i);
            const kind = inserted ? 'inserted' : node.kind;
            const name = handle ? `handle ${handle}` : `${i}: ${kind}`;
            return [[String(i), several ? `${scene.bodies[node.body]?.name}, ${name}` : name]];
        }), String(this.host.stage.options.weightNode));
        this.names = hideable(scene);
        this.showNames(this.host.stage.options.hidden);
    }

    setOptions(options: Readonly<ViewOptions>): void {
        this.color.set(options.color);
        this.weight.set(String(options.weightNode));
        this.weightRow.hidden = options.color !== 'weight';
        for (const [toggle, value] of this.toggles) toggle.set(value(options));
        this.points.set(options.points);
        this.sectionBody.hidden = !options.section.on;
        this.axis.set(options.section.axis);
        this.at.set(options.section.at);
        this.flip.set(options.section.flip);
        this.showNames(options.hidden);
    }

    private showNames(hidden: readonly string[]): void {
        this.shown.hidden = this.names.length === 0;
        const title = h('span', { class: 'shown-title' }, 'Shown');
        this.shown.replaceChildren(title, ...this.names.map(({ name, material }) => {
            const off = hidden.includes(name);
            return h('button', {
                type: 'button', class: 'chip', 'aria-pressed': String(!off),
                title: `${off ? 'Show' : 'Hide'} ${name}`,
                click: (event) => {
                    this.host.setOptions({
                        hidden: off ? hidden.filter((n) => n !== name) : [...hidden, name],
                    });
                    unfocus(event);
                },
            }, material === undefined ? '' : swatch(this.host.stage.colorOfMaterial(material)),
            name, icon('eye'));
        }));
    }
}

/** Materials that have a surface, and surfaces with names of their own, if there are several. */
function hideable(scene: SceneMessage): { name: string; material?: number }[] {
    const used = new Set(scene.surfaces.map((surface) => surface.material));
    const materials = scene.materials.flatMap(({ name }, material) =>
        (used.has(material) || used.has(-1) ? [{ name, material }] : []));
    const list: { name: string; material?: number }[] = materials.length > 1 ? materials : [];
    if (scene.surfaces.length > 1)
        for (const { name } of scene.surfaces)
            if (name && !list.some((item) => item.name === name)) list.push({ name });
    return list;
}
