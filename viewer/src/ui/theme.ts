// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Dark or light theme: that of the system until the user chooses one. Storage may be blocked.

export function remember(key: string, value: string): void {
    try {
        localStorage.setItem(`sinew-${key}`, value);
    } catch {
        // The choice then lasts only as long as the page.
    }
}

export function recall(key: string): string | null {
    try {
        return localStorage.getItem(`sinew-${key}`);
    } catch {
        return null;
    }
}

export class Theme {
    private readonly system = matchMedia('(prefers-color-scheme: dark)');
    private chosen = recall('theme');

    constructor(private readonly changed: (dark: boolean) => void) {
        this.system.addEventListener('change', () => this.apply());
        this.apply();
    }

    get dark(): boolean {
        return this.chosen ? this.chosen === 'dark' : this.system.matches;
    }

    toggle(): void {
        this.chosen = this.dark ? 'light' : 'dark';
        remember('theme', this.chosen);
        this.apply();
    }

    private apply(): void {
        document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
        this.changed(this.dark);
    }
}
