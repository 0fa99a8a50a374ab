// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Recording, downloads, screenshots, and copying the scene.
import { download, downloadBlob, h, icon, textButton } from './dom';
import { seconds } from './format';
import type { Host, Part } from './host';
import { Group } from './panel';
import type { SceneMessage, StatusMessage } from '../protocol';

export class Record implements Part {
    readonly element: HTMLElement;
    private readonly button: HTMLButtonElement;
    private readonly downloads: HTMLButtonElement[];
    private readonly note = h('p', { class: 'note' });
    private readonly recorder: HTMLElement;

    constructor(private readonly host: Host) {
        this.button = textButton('Record',
            () => host.send({ do: 'record', on: !host.status.recording }), 'record', 'wide');
        this.downloads = ['glb', 'swr'].map((ending) => textButton(`.${ending}`,
            () => download(`recording.${ending}`, `${this.stem()}.${ending}`), 'download'));
        this.recorder = h('div', { class: 'recorder' }, this.button, this.note,
            h('div', { class: 'buttons' }, ...this.downloads));
        const group = new Group('Record', true);
        group.body.append(this.recorder, h('div', { class: 'buttons' },
            textButton('Screenshot', () => host.screenshot(), 'camera'),
            textButton('Copy scene', () => void this.copyScene(), 'copy')));
        this.element = group.element;
    }

    setScene(scene: SceneMessage | null): void {
        this.recorder.hidden = scene?.mode === 'recording' || scene?.mode === 'static';
    }

    setStatus({ recording, recorded }: StatusMessage): void {
        this.button.replaceChildren(icon(recording ? 'stop' : 'record'),
            recording ? 'Stop recording' : 'Record');
        this.button.classList.toggle('recording', recording);
        this.button.setAttribute('aria-pressed', String(recording));
        for (const button of this.downloads) button.disabled = recording || !(recorded > 0);
        this.note.textContent = recording ? 'Recording …' :
            recorded > 0 ? `${seconds(recorded)} recorded` : 'Nothing recorded yet';
    }

    private stem(): string {
        const name = this.host.scene?.name ?? '';
        return name.replace(/^.*\//, '').replace(/\.[^.]*$/, '') || 'sinew';
    }

    private async copyScene(): Promise<void> {
        try {
            const answer = await fetch('scene.json');
            if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
            const text = await answer.text();
            try {
                await navigator.clipboard.writeText(text);
                this.host.toast('info', 'The scene was copied to the clipboard as JSON.');
            } catch {
                // Browsers refuse the clipboard to pages from other machines.
                downloadBlob(new Blob([text], { type: 'application/json' }), `${this.stem()}.json`);
            }
        } catch (error) {
            this.host.toast('error', `The scene could not be fetched: ${String(error)}`);
        }
    }
}
