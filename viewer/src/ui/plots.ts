// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Plots of data in frame messages: energies, probes, Newton iterations, time per stage.
import { Select, row } from './controls';
import { h } from './dom';
import type { Part } from './host';
import { Group } from './panel';
import { Plot } from './plot';
import type { FrameMessage, SceneMessage } from '../protocol';

const color = (k: number) => `--series-${k % 8}`;
const named = (names: string[]) => names.map((name, k) => ({ name, color: color(k) }));
const maxProbes = 8; // shown at once

export class Plots implements Part {
    readonly element: HTMLElement;
    private readonly group: Group;
    private readonly energy: Plot;
    private readonly newton: Plot;
    private readonly timing: Plot;
    private readonly probeChoice: Select;
    private readonly probeRow: HTMLElement;
    private readonly probePlace = h('div');
    private probe: Plot | null = null;
    private probes: string[] = [];
    private chosen = -1; // -1: magnitudes of all of them

    constructor() {
        this.group = new Group('Plots', false, () => this.draw());
        this.energy = new Plot('Energy', 'J',
            named(['elastic', 'kinetic', 'potential', 'contact', 'sum']));
        this.newton = new Plot('Newton iterations per body and step', '', named(['iterations']), 0);
        this.timing = new Plot('Time per step', 's',
            named(['kinematics', 'material', 'assembly', 'contact', 'solve', 'all']), 0);
        this.probeChoice = new Select('Probe', (value) => {
            this.chosen = Number(value);
            this.buildProbe();
        });
        this.probeRow = row('Probe', this.probeChoice.element);
        this.group.body.append(this.energy.element, this.probeRow, this.probePlace,
            this.newton.element, this.timing.element);
        this.element = this.group.element;
    }

    private get all(): Plot[] {
        return [this.energy, this.newton, this.timing, ...(this.probe ? [this.probe] : [])];
    }

    setScene(scene: SceneMessage | null): void {
        this.element.hidden = !scene || scene.mode === 'modal';
        if (!scene || (scene.continues && this.probe)) return;
        this.probes = scene.probes.map((probe, i) => probe.name || `probe ${i}`);
        this.chosen = this.probes.length === 1 ? 0 : -1;
        const names = this.probes.map((name, i): [string, string] => [String(i), name]);
        this.probeChoice.fill([['-1', 'all, magnitude'], ...names], String(this.chosen));
        this.buildProbe();
        for (const plot of this.all) plot.clear();
    }

    private buildProbe(): void {
        this.probeRow.hidden = this.probes.length < 2;
        this.probePlace.replaceChildren();
        this.probe = null;
        if (this.probes.length === 0) return;
        this.probe = this.chosen < 0 ?
            new Plot('Displacement', 'm', named(this.probes.slice(0, maxProbes))) :
            new Plot(`Displacement of ${this.probes[this.chosen]}`, 'm',
                named(['x', 'y', 'z', 'magnitude']));
        this.probePlace.append(this.probe.element);
    }

    /** Takes the data of every frame, whether it is drawn or not. */
    push(frame: FrameMessage): void {
        const { time, energy } = frame;
        this.energy.history.push(time, [...energy, energy[0] + energy[1] + energy[2] + energy[3]]);
        if (frame.timing[5] > 0) { // else there has been no step since the last frame
            this.newton.history.push(time, [frame.newton]);
            this.timing.history.push(time, frame.timing.map((ms) => ms / 1000));
        }
        if (!this.probe) return;
        const u = (i: number) => frame.probes.subarray(3 * i, 3 * i + 3);
        this.probe.history.push(time, this.chosen < 0 ?
            this.probes.slice(0, maxProbes).map((_, i) => Math.hypot(...u(i))) :
            [...u(this.chosen), Math.hypot(...u(this.chosen))]);
    }

    setFrame(): void {
        this.draw();
    }

    draw(): void {
        if (this.group.open) for (const plot of this.all) plot.draw();
    }
}
