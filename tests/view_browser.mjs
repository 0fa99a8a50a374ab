// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// `sinew view` and a headless Chromium that draws in software: for the tests of the page, and for the
// scripts that measure and picture it.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

// Packages of tests/package.json, which lie in a folder of the build.
export function packages(nodeFolder) {
    return createRequire(path.join(path.resolve(nodeFolder), 'node_modules', 'x'));
}

export function launch(nodeFolder, executablePath = '/usr/bin/chromium') {
    const { chromium } = packages(nodeFolder)('playwright-core');
    return chromium.launch({
        executablePath,
        args: ['--headless=new', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader',
            '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
            '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
}

// The command, once it has said its address.
export async function serve(sinew, ...args) {
    const child = spawn(sinew, ['view', '--no-browser', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise(resolve => child.on('exit', resolve));
    let text = '';
    const address = await new Promise((resolve, reject) => {
        child.stdout.on('data', data => {
            text += data;
            const found = text.match(/http:\S+/);
            if (found)
                resolve(found[0]);
        });
        ended.then(status => reject(new Error(`sinew view ended with ${status}: ${text}`)));
    });
    return {
        address,
        child,
        stop() { // with its exit status
            child.kill('SIGINT');
            return ended;
        },
    };
}
