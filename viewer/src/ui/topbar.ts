// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The bar at the top: name, play, step, reset, speed, time, the real-time badge.
import { SpeedSelect } from './controls';
import { h, icon, iconButton } from './dom';
import { seconds, short } from './format';
import type { Host, Part } from './host';
import type { FrameMessage, SceneMessage, StatusMessage } from '../protocol';

const slowHelp = 'The simulation cannot keep up with the chosen speed. ' +
    'A lower speed, a larger step, fewer frames or a coarser grid helps.';

export class TopBar implements Part {
    readonly element: HTMLElement;
    private readonly name = h('span', { class: 'name' });
    private readonly title = h('span', { class: 'title' });
    private readonly play: HTMLButtonElement;
    private readonly step: HTMLButtonElement;
    private readonly reset: HTMLButtonElement;
    private readonly speed: SpeedSelect;
    private readonly time = h('output', { class: 'time', 'aria-label': 'Time' });
    private readonly badge = h('span', { class: 'badge', role: 'status' });
    private readonly theme: HTMLButtonElement;
    private readonly panel: HTMLButtonElement;
    private readonly run: HTMLElement;
    private badgeAt = 0;

    constructor(private readonly host: Host) {
        this.play = iconButton('play', 'Play', 'space', () => host.togglePlay());
        this.step = iconButton('step', 'Single step', '.', () => host.send({ do: 'step' }));
        this.reset = iconButton('reset', 'Reset', 'r', () => host.reset());
        this.speed = new SpeedSelect((value) => host.send({ do: 'speed', value }));
        this.panel = iconButton('panel', 'Panel', 'm', () => host.togglePanel());
        this.theme = iconButton('moon', 'Dark or light theme', 'd', () => host.toggleTheme());
        const brand = h('button', {
            type: 'button', class: 'brand', title: 'Gallery (g)', 'aria-label': 'Open the gallery',
            click: () => host.toggleGallery(),
        }, icon('menu'), h('span', { class: 'brand-name' }, 'sinew'), this.name, this.title);
        this.run = h('div', { class: 'run', role: 'toolbar', 'aria-label': 'Simulation' },
            this.play, this.step, this.reset, this.speed.element, this.time, this.badge);
        this.element = h('header', { class: 'topbar' }, brand, this.run,
            h('div', { class: 'topbar-end' },
                iconButton('help', 'Keys and mouse', '?', () => host.toggleHelp()),
                this.theme, this.panel));
    }

    setScene(scene: SceneMessage | null): void {
        const still = scene?.mode === 'static';
        this.name.textContent = scene?.name || '';
        this.title.textContent = this.title.title = scene?.title || '';
        this.run.hidden = scene === null;
        this.play.hidden = this.speed.element.hidden = this.time.hidden = still;
        this.step.hidden = still || scene?.mode === 'recording' || scene?.mode === 'modal';
        this.badgeAt = 0;
        document.title = scene ? `${scene.name || scene.title} · sinew` : 'sinew';
    }

    setStatus(status: StatusMessage): void {
        const label = status.playing ? 'Pause' : 'Play';
        this.play.replaceChildren(icon(status.playing ? 'pause' : 'play'));
        this.play.setAttribute('aria-label', label);
        this.play.title = `${label} (space)`;
        this.speed.setSpeed(status.speed);
        this.badgeAt = 0;
    }

    setPanel(open: boolean): void {
        this.panel.setAttribute('aria-pressed', String(open));
    }

    setTheme(dark: boolean): void {
        this.theme.replaceChildren(icon(dark ? 'sun' : 'moon'));
    }

    setFrame(frame: FrameMessage): void {
        this.time.textContent = seconds(frame.time);
        const now = performance.now();
        if (now - this.badgeAt < 250) return; // text that changes with every frame cannot be read
        this.badgeAt = now;
        const [kind, text, help] = this.sign(frame);
        this.badge.className = `badge ${kind}`;
        this.badge.title = help;
        const [first, more] = text.split(','); // narrow windows show the first part
        this.badge.replaceChildren(h('span', { class: 'badge-text' }, first,
            ...(more ? [h('span', { class: 'badge-more' }, `,${more}`)] : [])));
    }

    private sign(frame: FrameMessage): [kind: string, text: string, help: string] {
        const mode = this.host.scene?.mode;
        if (mode === 'static')
            return ['calm', 'equilibrium', `Largest unbalanced force: ${short(frame.residual)} N`];
        if (frame.failed) return ['bad', 'failed', 'The last step failed'];
        if (!frame.playing) return ['calm', 'paused', ''];
        if (mode === 'modal') return ['calm', 'vibration', ''];
        if (mode === 'recording') return ['calm', 'recording', 'Played back, not simulated'];
        if (frame.slow && frame.speed < 0.97 * frame.asked) // ignores hiccups
            return ['slow', `${short(frame.speed, 2)} ×, cannot keep up`, slowHelp];
        if (frame.asked === 1) return ['good', 'real time', 'The simulation runs in real time'];
        return ['good', `${short(frame.asked)} × real time`, 'It runs at the chosen speed'];
    }
}
