// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Creates elements with a single call; also has the icons.

type Value = string | number | boolean | ((event: Event) => void);

/** Creates an element: functions become listeners, everything else attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, Value> = {},
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === 'function') element.addEventListener(name, value);
        else if (typeof value === 'boolean') element.toggleAttribute(name, value);
        else element.setAttribute(name, String(value));
    }
    element.append(...children);
    return element;
}

// Strokes in a box of 24 by 24.
const icons = {
    play: 'M7 4.5v15l12-7.5z',
    pause: 'M8 5v14M16 5v14',
    step: 'M6 5v14l9-7zM18 5v14',
    reset: 'M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5',
    grab: 'M8 12V6.5a1.5 1.5 0 0 1 3 0V11m0-6a1.5 1.5 0 0 1 3 0v6m0-4a1.5 1.5 0 0 1 3 0v7.5' +
        'a6 6 0 0 1-6 6c-2.4 0-3.8-1-5-3l-2.6-4.4c-.9-1.6 1.1-2.7 2.2-1.4L8 14.5',
    pin: 'M9 3.5h6M10 3.5 9.5 10 6.5 13.5h11L14.5 10 14 3.5M12 13.5V21',
    move: 'M12 3v18M3 12h18M12 3 9.5 5.5M12 3l2.5 2.5M12 21l-2.5-2.5M12 21l2.5-2.5' +
        'M3 12l2.5-2.5M3 12l2.5 2.5M21 12l-2.5-2.5M21 12l-2.5 2.5',
    poke: 'M12 13.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v7.5M9 7l3 3 3-3',
    insert: 'M12 8v8M8 12h8M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
    turn: 'M20 12a8 8 0 1 1-2.6-5.9M20 4v4.5h-4.5',
    fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
    unpin: 'M6 6l12 12M18 6 6 18',
    close: 'M6 6l12 12M18 6 6 18',
    menu: 'M4 5h6v6H4zM14 5h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
    panel: 'M4 6h10M18 6h2M14 4v4M4 12h3M11 12h9M7 10v4M4 18h8M16 18h4M12 16v4',
    sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2' +
        'M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
    moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
    help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5',
    chevron: 'M9 6l6 6-6 6',
    eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z' +
        'M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
    camera: 'M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
    record: 'M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12z',
    stop: 'M7 7h10v10H7z',
    download: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4 20h16',
    copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
    upload: 'M12 16V5M7.5 9.5 12 5l4.5 4.5M4 20h16',
};
export type IconName = keyof typeof icons;

export function icon(name: IconName): SVGSVGElement {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('class', `icon icon-${name}`);
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(svg.namespaceURI!, 'path');
    path.setAttribute('d', icons[name]);
    svg.append(path);
    return svg;
}

/** A small coloured square. */
export function swatch(color: string): HTMLElement {
    const element = h('span', { class: 'swatch' });
    element.style.background = color;
    return element;
}

/** Drops the focus after a mouse click, so that the space bar plays and pauses. */
export function unfocus(event: Event): void {
    const target = event.currentTarget;
    if (event instanceof MouseEvent && event.detail > 0 && target instanceof HTMLElement)
        target.blur();
}

/** A button with an icon, its name for screen readers, and the key that does the same. */
export function iconButton(
    name: IconName, label: string, key: string, click: () => void,
): HTMLButtonElement {
    const button = h('button', {
        type: 'button',
        class: 'icon-button',
        'aria-label': label,
        title: key ? `${label} (${key})` : label,
        click: (event) => {
            click();
            unfocus(event);
        },
    }, icon(name));
    if (key) button.setAttribute('aria-keyshortcuts', key === 'space' ? 'Space' : key);
    return button;
}

export function textButton(
    label: string, click: () => void, name?: IconName, extra = '',
): HTMLButtonElement {
    const children: (Node | string)[] = name ? [icon(name), label] : [label];
    return h('button', {
        type: 'button',
        class: `text-button ${extra}`.trim(),
        click: (event) => {
            click();
            unfocus(event);
        },
    }, ...children);
}

export function download(href: string, name: string): void {
    const link = h('a', { href, download: name });
    document.body.append(link);
    link.click();
    link.remove();
}

export function downloadBlob(blob: Blob, name: string): void {
    const address = URL.createObjectURL(blob);
    download(address, name);
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
