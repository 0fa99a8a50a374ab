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
         * For tests and for the console. stage.positions(i): where the vertices of a surface are
         * now; app.counters: frames and bytes received, frames a second; app.last: the last frame,
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
    // Without WebGL 2 there is nothing to draw with.
    root.className = 'hopeless';
    root.textContent = `The viewer cannot start in this browser: ${String(error)}`;
}
