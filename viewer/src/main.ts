// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { App } from './ui/app';
import { Stage } from './stage';
import type { StageApi } from './stage_types';
import './ui/style/base.css';
import './ui/style/bars.css';
import './ui/style/panel.css';
import './ui/style/overlays.css';

declare global {
    interface Window {
        /**
         * For tests and the console. stage.positions(i): present positions of a surface's vertices;
         * app.counters: frames and bytes received, frames per second; app.last: the last frame;
         * app.scene and app.status: the last of these messages; app.send(command).
         */
        sinew: { stage: StageApi; app: App };
    }
}

const root = document.getElementById('app')!;
try {
    const app = new App(root, Stage);
    window.sinew = { stage: app.stage, app };
} catch (error) {
    // Nothing can be drawn without WebGL 2.
    root.className = 'hopeless';
    root.textContent = `The viewer cannot start in this browser: ${String(error)}`;
}
