// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Uploads files that are dropped onto the window.
import { h, icon } from './dom';

const largest = 512 * 2 ** 20; // [bytes] that the server accepts

/** Uploads a file; rejects with an error message. */
export function upload(file: File, progress: (share: number) => void): Promise<void> {
    if (file.size > largest)
        return Promise.reject(new Error(`${file.name} is larger than 512 MiB`));
    return new Promise((resolve, reject) => {
        // fetch() does not report the progress of uploads.
        const request = new XMLHttpRequest();
        request.open('POST', `drop?name=${encodeURIComponent(file.name)}`);
        request.upload.onprogress = (event) => progress(event.loaded / (event.total || 1));
        request.onerror = () => reject(new Error(`${file.name} could not be uploaded`));
        request.onload = () => {
            if (request.status < 300) resolve();
            else reject(new Error(request.responseText.trim().slice(0, 300) ||
                `${file.name}: the server answered ${request.status}`));
        };
        request.send(file);
    });
}

/** The overlay that is shown while a file is dragged over the window. */
export function dropTarget(
    open: (file: File) => void, refuse: (text: string) => void,
): HTMLElement {
    const element = h('div', { class: 'drop-target', hidden: true },
        h('div', {}, icon('upload'), 'Drop to open'));
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    let depth = 0; // number of elements entered but not left
    const over = (n: number) => {
        depth = Math.max(0, n);
        element.hidden = depth === 0;
    };
    window.addEventListener('dragenter', (event) => {
        if (hasFiles(event)) over(depth + 1);
    });
    window.addEventListener('dragleave', (event) => {
        if (hasFiles(event)) over(depth - 1);
    });
    window.addEventListener('dragover', (event) => {
        if (hasFiles(event)) event.preventDefault();
    });
    window.addEventListener('drop', (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        over(0);
        const files = [...event.dataTransfer!.files];
        if (files.length > 1) refuse('Only one file at a time: the first one is opened.');
        if (files.length > 0) open(files[0]);
    });
    return element;
}
