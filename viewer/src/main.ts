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

const app = new App(document.getElementById('app')!, Stage);
window.sinew = { stage: app.stage, app };
