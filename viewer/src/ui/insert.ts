// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The panel of the insert tool: the range of frames, and how many are inserted.
import { Choice, Slider, row } from './controls';
import { h, textButton } from './dom';
import type { Host, Part } from './host';
import { Group } from './panel';
import type { SceneMessage } from '../protocol';
import type { ViewOptions } from '../stage_types';

export class Insert implements Part {
    readonly element: HTMLElement;
    private readonly range: Slider;
    private readonly distance: Choice<'geodesic' | 'euclidean'>;
    private readonly count = h('p', { class: 'note' });
    private scene: SceneMessage | null = null;
    private chosen = false; // whether the tool is
    private asked = false; // whether the server was asked to prepare the scene

    constructor(private readonly host: Host) {
        const group = new Group('Insert', true);
        this.range = new Slider({
            label: 'Range', unit: 'm', lo: 0.01, hi: 1, scale: 'log', allow: (v) => v > 0,
            changed: (range) => host.setOptions({ range }),
        });
        this.distance = new Choice('Distance', { geodesic: 'Inside', euclidean: 'Straight' },
            (value) => host.setOptions({ geodesic: value === 'geodesic' }));
        group.body.append(this.range.element, row('Distance', this.distance.element), this.count,
            h('div', { class: 'buttons' },
                textButton('Defaults', () => host.setOptions({ range: null, geodesic: null })),
                textButton('Remove all', () => this.removeAll())));
        this.element = group.element;
    }

    setScene(scene: SceneMessage | null): void {
        this.scene = scene;
        if (!scene?.continues) this.asked = false;
        this.update(this.host.stage.options);
        if (!scene) return;
        const budget = scene.bodies.reduce((sum, body) => sum + (body.insert?.budget ?? 0), 0);
        this.count.textContent = budget > 0 ? `${scene.inserted.length} of ${budget} inserted`
            : 'Not prepared for inserted frames';
    }

    setOptions(options: Readonly<ViewOptions>): void {
        this.update(options);
    }

    private update(options: Readonly<ViewOptions>): void {
        const { scene } = this;
        const touchable = scene?.mode === 'dynamic' || scene?.mode === 'static';
        this.chosen = options.tool === 'insert' && touchable;
        this.element.hidden = !this.chosen;
        if (!scene || !this.chosen) return;
        const body = scene.bodies.find(({ insert }) => insert);
        if (!this.asked && scene.bodies.some(({ insert }) => !insert))
            this.host.send({ do: 'prepare' });
        this.asked = true;
        if (!body?.insert) return;
        const { lo, hi, insert } = body;
        this.range.setRange(insert.least, Math.hypot(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]));
        this.range.set(options.range ?? insert.range);
        this.distance.set(options.geodesic ?? insert.geodesic ? 'geodesic' : 'euclidean');
    }

    private removeAll(): void {
        for (const { slot } of this.scene?.inserted ?? [])
            this.host.send({ do: 'remove', slot });
    }
}
