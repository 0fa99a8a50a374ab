// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The panel on the right: groups that open and close.
import { h, icon, unfocus } from './dom';
import { count } from './format';
import type { Part } from './host';
import type { SceneBody, SceneMessage } from '../protocol';
import { isFrame } from '../scene_nodes';
import { recall, remember } from './theme';

export class Group {
    readonly element: HTMLDetailsElement;
    readonly body = h('div', { class: 'group-body' });

    constructor(readonly name: string, open: boolean, toggled?: () => void) {
        const key = `group-${name}`;
        const kept = recall(key);
        this.element = h('details', {
            class: 'group', open: kept ? kept === 'open' : open,
            toggle: () => {
                remember(key, this.element.open ? 'open' : 'closed');
                toggled?.();
            },
        }, h('summary', { click: unfocus }, icon('chevron'), name), this.body);
    }

    get open(): boolean {
        return this.element.open && !this.element.hidden;
    }
}

function describe(e: NonNullable<SceneBody['estimate']>, name: string): string {
    const percent = (share: number) => `${Number((100 * share).toPrecision(2))} %`;
    return `${name && `${name}: `}error ${percent(e.error)}, ${percent(e.worst)} at most`
        + (e.large ? '' : ', by linear theory');
}

export class Panel implements Part {
    readonly element: HTMLElement;
    private readonly facts = h('p', { class: 'facts' });
    private readonly estimates = h('p', { class: 'facts' });
    private readonly rate = h('p', { class: 'facts' });

    constructor(groups: HTMLElement[]) {
        this.element = h('aside', { class: 'panel', 'aria-label': 'Settings' },
            ...groups, h('footer', {}, this.facts, this.estimates, this.rate));
    }

    setScene(scene: SceneMessage | null): void {
        if (!scene) return;
        const things: [number, string][] = [
            [scene.voxels, 'voxels'], [scene.nodes.filter(isFrame).length, 'frames'],
            [scene.nodes.filter((node) => node.kind === 'vertex').length, 'vertices'],
            [scene.points, 'integration points'], [scene.dof, 'degrees of freedom'],
        ];
        this.facts.textContent = things.filter(([n]) => n > 0)
            .map(([n, what]) => `${count(n)} ${what}`).join(' · ');
        this.estimates.textContent = scene.bodies.flatMap(({ name, estimate }) =>
            estimate ? [describe(estimate, scene.bodies.length > 1 ? name : '')] : []).join(' · ');
        this.estimates.hidden = !this.estimates.textContent;
        this.estimates.title = 'Estimated error of displacements, relative to the largest one';
    }

    setRate(fps: number, bytes: number): void {
        this.rate.textContent = `${Math.round(fps)} frames per second · ${count(bytes)} bytes each`;
    }
}
