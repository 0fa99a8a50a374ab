// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The interface between the parts of the page and the app that connects them.
import type { Command, FrameMessage, SceneMessage, StatusMessage } from '../protocol';
import type { StageApi, ViewOptions } from '../stage_types';

export type Level = 'info' | 'warning' | 'error';

export interface Host {
    readonly stage: StageApi;
    readonly scene: SceneMessage | null;
    readonly status: StatusMessage;
    readonly last: FrameMessage | null;
    send(command: Command): void;
    setOptions(options: Partial<ViewOptions>): void;
    toast(level: Level, text: string): void;
    togglePlay(): void;
    reset(): void;
    screenshot(): void;
    toggleGallery(): void;
    togglePanel(): void;
    toggleTheme(): void;
    toggleHelp(): void;
    openExample(name: string): void;
    openFile(file: File): void;
}

/** A part of the page, which is told what has changed. Frames come at most once per picture. */
export interface Part {
    readonly element: HTMLElement;
    setScene?(scene: SceneMessage | null): void;
    /** Gravity, step, damping or materials of the scene have changed. */
    setSettings?(scene: SceneMessage): void;
    setStatus?(status: StatusMessage): void;
    setOptions?(options: Readonly<ViewOptions>): void;
    setFrame?(frame: FrameMessage): void;
}
