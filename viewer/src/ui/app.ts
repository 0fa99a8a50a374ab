// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Connects the parts of the page: passes messages of the server to all of them, and their commands
// to the server.
import { Actuate } from './actuate';
import { Connection } from './connection';
import type { Link } from './connection';
import { downloadBlob, h } from './dom';
import { dropTarget, upload } from './drop';
import { Gallery } from './gallery';
import type { Host, Level, Part } from './host';
import { Insert } from './insert';
import { Help, listenToKeys } from './keys';
import { ForceSign, LegendBox, Tip } from './legend';
import { Look } from './look';
import { Modes } from './modes';
import { Banner, Busy, LinkNote, Toasts } from './notices';
import { Panel } from './panel';
import { Physics } from './physics';
import { Plots } from './plots';
import { isFrame, sameNode } from '../scene_nodes';
import type {
    Command, FieldMessage, FrameMessage, HelloMessage, SceneMessage, ServerBinary, ServerText,
    SettingsMessage, StatusMessage, SurfaceMessage,
} from '../protocol';
import { Record } from './record';
import { Scrubber } from './scrubber';
import type { StageApi, StageClass, ViewOptions } from '../stage_types';
import { Theme, recall, remember } from './theme';
import { ToolStrip } from './toolstrip';
import { TopBar } from './topbar';

/** For tests and the console: what was received since the page was loaded. */
export interface Counters {
    frames: number;
    bytes: number; // of all binary messages
    frameBytes: number; // of the last frame
    fps: number; // frames received, over the last second
}

const narrow = matchMedia('(max-width: 800px)');

/** As in rendered pictures: by material if a body has several or rigid parts. */
function colorFor(scene: SceneMessage): ViewOptions['color'] {
    const { surfaces, handles, bodies, materials } = scene;
    const parts = (bodies.length === 1 && materials.length > 1)
        || surfaces.length > new Set(surfaces.map((s) => s.body)).size
        || handles.some((h) => h.motion === 'free');
    return parts ? 'material' : 'plain';
}

export class App implements Host {
    readonly stage: StageApi;
    readonly counters: Counters = { frames: 0, bytes: 0, frameBytes: 0, fps: 0 };
    scene: SceneMessage | null = null;
    status: StatusMessage = {
        type: 'status', playing: false, speed: 1, recording: false, recorded: 0, failed: '',
    };
    last: FrameMessage | null = null;

    private readonly connection: Connection;
    private readonly theme: Theme;
    private readonly parts: Part[];
    private readonly topBar = new TopBar(this);
    private readonly plots = new Plots();
    private readonly panel: Panel;
    private readonly gallery = new Gallery(this);
    private readonly help = new Help(this);
    private readonly toasts = new Toasts();
    private readonly banner = new Banner(() => this.reset());
    private readonly busy = new Busy();
    private readonly linkNote = new LinkNote();
    private readonly tip = new Tip();
    private readonly legend = new LegendBox();
    private readonly force = new ForceSign();
    private waiting = false; // for something that the user has opened
    private newFrame: FrameMessage | null = null; // not drawn yet
    private newField: FieldMessage | null = null;
    private shownFps = 0;
    private framesSince = 0; // since countedAt, for the rate
    private countedAt = performance.now();

    constructor(private readonly root: HTMLElement, Stage: StageClass) {
        const canvas = h('main', { class: 'stage' });
        const tools = new ToolStrip(this);
        const scrubber = new Scrubber(this);
        const groups = [new Modes(this), new Insert(this), new Actuate(this), new Look(this),
            new Physics(this), this.plots, new Record(this)];
        this.panel = new Panel(groups.map((group) => group.element));
        this.parts = [this.topBar, tools, scrubber, ...groups, this.panel];
        const bottom = h('div', { class: 'bottom' },
            this.force.element, this.legend.element, scrubber.element);
        const view = h('div', { class: 'view' }, canvas, tools.element, bottom);
        root.append(this.topBar.element, this.gallery.element, view, this.panel.element,
            this.busy.element,
            h('div', { class: 'notices' },
                this.linkNote.element, this.banner.element, this.toasts.element),
            this.tip.element, this.help.element,
            dropTarget((file) => this.openFile(file), (text) => this.toast('warning', text)));

        this.stage = new Stage(canvas, {
            command: (command) => this.send(command),
            legend: (legend) => this.legend.set(legend),
            hover: (text, x, y) => this.tip.set(text, x, y),
            grabbing: (force) => this.force.set(force),
        });
        this.theme = new Theme((dark) => {
            this.topBar.setTheme(dark);
            this.setOptions({ dark });
        });
        this.showPanel(!narrow.matches && recall('panel') !== 'closed');
        narrow.addEventListener('change', () => this.showPanel(!narrow.matches));
        this.setScene(null);
        this.tellParts((part) => part.setStatus?.(this.status));
        listenToKeys(this, () => this.escape());

        const address = new URL('ws', location.href.replace(/^http/, 'ws'));
        this.connection = new Connection(address.href, {
            text: (message) => this.text(message),
            binary: (message, bytes) => this.binary(message, bytes),
            link: (link) => this.link(link),
            garbled: (why) => this.toast('error',
                `A message from the server could not be read: ${why}. Reload the page.`),
        });
        new ResizeObserver(() => this.stage.resize()).observe(canvas);
        requestAnimationFrame(() => this.draw());
    }

    send(command: Command): void {
        this.connection.send(command);
    }

    setOptions(options: Partial<ViewOptions>): void {
        const before = this.stage.options;
        const [color, points] = [before.color, before.points];
        this.stage.setOptions(options);
        const now = this.stage.options;
        if (now.color !== color) this.subscribe();
        if (now.points !== points && now.points !== 'off') this.send({ do: 'points' });
        this.tellParts((part) => part.setOptions?.(now));
    }

    toast(level: Level, text: string): void {
        this.toasts.show(level, text);
    }

    togglePlay(): void {
        if (this.scene?.mode === 'static') return;
        this.send({ do: this.status.playing ? 'pause' : 'play' });
    }

    reset(): void {
        this.send({ do: 'reset' });
    }

    screenshot(): void {
        this.stage.screenshot().then(
            (blob) => downloadBlob(blob, 'sinew.png'),
            (error: unknown) => this.toast('error', `The screenshot failed: ${String(error)}`),
        );
    }

    toggleGallery(): void {
        this.gallery.show(!this.gallery.visible);
    }

    togglePanel(): void {
        this.showPanel(!this.root.classList.contains('with-panel'));
    }

    toggleTheme(): void {
        this.theme.toggle();
    }

    toggleHelp(): void {
        this.help.element.hidden = !this.help.element.hidden;
    }

    openExample(example: string): void {
        this.waiting = true;
        this.send({ do: 'open', example });
    }

    openFile(file: File): void {
        this.waiting = true;
        this.busy.set(`Uploading ${file.name}`, undefined, true);
        upload(file, (share) => this.busy.set(`Uploading ${file.name}`, share, true)).then(
            () => this.busy.set('', 0, false),
            (error: Error) => {
                this.waiting = false;
                this.busy.set('', 0, false);
                this.toast('error', error.message);
            },
        );
    }

    private showPanel(on: boolean): void {
        this.root.classList.toggle('with-panel', on);
        this.topBar.setPanel(on);
        if (!narrow.matches) remember('panel', on ? 'open' : 'closed');
        this.plots.draw();
    }

    private escape(): void {
        if (!this.help.element.hidden) this.toggleHelp();
        else if (this.gallery.visible) this.gallery.show(false);
        else if (narrow.matches) this.showPanel(false);
    }

    private tellParts(tell: (part: Part) => void): void {
        for (const part of this.parts) tell(part);
    }

    /** Asks for the field that this page shows, which a new connection does not know. */
    private subscribe(): void {
        const { color } = this.stage.options;
        const field = color === 'strain' || color === 'stress' || color === 'energy';
        this.send({ do: 'field', value: field ? color : 'none' });
    }

    private link(link: Link): void {
        this.linkNote.set(link);
        this.root.classList.toggle('offline', link !== 'open');
        if (link !== 'open') this.busy.set('', 0, false);
    }

    private text(message: ServerText): void {
        switch (message.type) {
            case 'hello': return this.hello(message);
            case 'busy': return this.busy.set(message.text, message.share, this.waiting);
            case 'message':
                if (message.level === 'error') this.waiting = false;
                return this.toast(message.level, message.text);
            case 'status':
                this.status = message;
                this.showFailure(message.failed);
                return this.tellParts((part) => part.setStatus?.(message));
            case 'settings': return this.setSettings(message);
            case 'scene': return this.setScene(message);
        }
    }

    private showFailure(failed: string): void {
        this.banner.set(failed, this.last?.time ?? 0, this.scene?.mode === 'static');
    }

    private hello(hello: HelloMessage): void {
        this.gallery.setHello(hello);
        if (!hello.scene) this.setScene(null);
        this.gallery.show(!hello.scene);
        this.subscribe();
    }

    private setSettings(settings: SettingsMessage): void {
        const { scene } = this;
        if (!scene || settings.generation !== scene.generation) return;
        const { step, gravity } = settings;
        const bodies = scene.bodies.map((body, i) => ({ ...body, ...settings.bodies[i] }));
        const materials = scene.materials.map((m, i) => ({ ...m, ...settings.materials[i] }));
        const changed = { ...scene, step, gravity, bodies, materials };
        this.scene = changed;
        this.tellParts((part) => part.setSettings?.(changed));
    }

    private setScene(scene: SceneMessage | null): void {
        const continues = scene?.continues ?? false;
        const last = this.scene;
        this.scene = scene;
        this.last = this.newFrame = this.newField = null;
        this.stage.setScene(scene);
        if (scene && !continues) {
            this.waiting = false;
            this.toasts.forgetErrors();
            this.gallery.show(false);
            const weightNode = Math.max(0, scene.nodes.findIndex((node) => node.free && isFrame(node)));
            const { color } = this.stage.options;
            const suits = color === 'plain' || color === 'material';
            this.setOptions({
                weightNode, hidden: [], range: null, geodesic: null,
                color: suits ? colorFor(scene) : color,
            });
        } else if (scene && last)
            this.setOptions({ weightNode: sameNode(last, scene, this.stage.options.weightNode) });
        this.tellParts((part) => part.setScene?.(scene));
        if (scene && this.stage.options.points !== 'off') this.send({ do: 'points' });
    }

    private binary(message: ServerBinary, bytes: number): void {
        this.counters.bytes += bytes;
        if (message.generation !== this.scene?.generation) return; // belongs to an earlier scene
        switch (message.type) {
            case 'surface': return this.setSurface(message);
            case 'points': return this.stage.setPoints(message);
            case 'field':
                this.newField = message;
                return;
            case 'frame':
                this.counters.frames++;
                this.counters.frameBytes = bytes;
                this.rate();
                this.last = this.newFrame = message;
                this.plots.push(message);
        }
    }

    private setSurface(message: SurfaceMessage): void {
        this.stage.setSurface(message);
        const several = message.material.some((m) => m !== message.material[0]);
        const { color } = this.stage.options;
        const shows = several && color === 'plain' && !this.scene?.continues;
        this.setOptions(shows ? { color: 'material' } : {}); // updates parts that show its colour
    }

    private rate(): void {
        this.framesSince++;
        const now = performance.now();
        if (now - this.countedAt < 1000) return;
        this.counters.fps = (1000 * this.framesSince) / (now - this.countedAt);
        this.framesSince = 0;
        this.countedAt = now;
    }

    /** Once per picture: draws the newest frame and field; older ones are never shown. */
    private draw(): void {
        requestAnimationFrame(() => this.draw());
        const frame = this.newFrame;
        if (this.newField) this.stage.setField(this.newField);
        if (frame) {
            this.stage.setFrame(frame);
            if (frame.failed) this.showFailure(this.status.failed); // now its time is known
            this.tellParts((part) => part.setFrame?.(frame));
        }
        this.newFrame = this.newField = null;
        if (this.shownFps !== this.counters.fps) {
            this.shownFps = this.counters.fps;
            this.panel.setRate(this.counters.fps, this.counters.frameBytes);
        }
    }
}
