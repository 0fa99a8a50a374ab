// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The slider that shows and sets the time in a recording.
import { throttled } from './controls';
import { h, icon, iconButton } from './dom';
import { seconds } from './format';
import type { Host, Part } from './host';
import type { FrameMessage, SceneMessage, StatusMessage } from '../protocol';

export class Scrubber implements Part {
    readonly element: HTMLElement;
    private readonly play: HTMLButtonElement;
    private readonly range: HTMLInputElement;
    private readonly time = h('output', {}, seconds(0));
    private readonly end = h('span');
    private heldUntil = 0; // the slider follows the user, not frames that are still under way

    constructor(host: Host) {
        this.play = iconButton('play', 'Play', 'space', () => host.togglePlay());
        const seek = throttled((time: number) => host.send({ do: 'seek', time }));
        this.range = h('input', {
            type: 'range', min: 0, max: 1, step: 0.001, 'aria-label': 'Time in the recording',
            pointerup: () => this.range.blur(),
            input: () => {
                this.heldUntil = performance.now() + 300;
                this.show(Number(this.range.value));
                seek(Number(this.range.value));
            },
        });
        this.element = h('div', { class: 'scrubber', hidden: true },
            this.play, this.time, this.range, this.end);
    }

    setScene(scene: SceneMessage | null): void {
        this.element.hidden = scene?.mode !== 'recording';
        this.range.max = String(scene?.duration ?? 1);
        this.end.textContent = seconds(scene?.duration ?? 0);
        this.show(0);
    }

    setStatus(status: StatusMessage): void {
        this.play.replaceChildren(icon(status.playing ? 'pause' : 'play'));
        this.play.setAttribute('aria-label', status.playing ? 'Pause' : 'Play');
    }

    setFrame(frame: FrameMessage): void {
        if (!this.element.hidden && performance.now() > this.heldUntil) this.show(frame.time);
    }

    private show(time: number): void {
        this.range.value = String(time);
        this.time.textContent = seconds(time);
        const share = time / (Number(this.range.max) || 1);
        this.range.style.setProperty('--fill', `${100 * Math.min(1, share)}%`);
    }
}
