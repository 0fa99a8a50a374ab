// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The interface between the page and the stage, which draws.
import type {
    Command, FieldMessage, FrameMessage, PointsMessage, SceneMessage, SurfaceMessage, Vec3,
} from './protocol';

export type ColorMode = 'plain' | 'material' | 'weight' | 'strain' | 'stress' | 'energy';
export type Tool = 'grab' | 'pin' | 'move' | 'poke' | 'insert'; // move: gizmo on frames and handles
export type Axis = 'x' | 'y' | 'z';

export interface Section {
    on: boolean;
    axis: Axis;
    at: number; // 0 .. 1 of the bounds
    flip: boolean;
}

export interface ViewOptions {
    color: ColorMode;
    weightNode: number;
    wireframe: boolean;
    section: Section;
    frames: boolean;
    handles: boolean;
    muscles: boolean;
    points: 'off' | 'points' | 'regions';
    shadow: boolean;
    ground: boolean;
    tool: Tool;
    turn: boolean; // the gizmo rotates instead of moving
    range: number | null; // of frames to be inserted [m]; null: the body's
    geodesic: boolean | null; // how the range is measured; null: as for the body
    dark: boolean;
    hidden: string[]; // names of materials or surfaces that are not shown
}

export interface Legend {
    title: string;
    unit: string;
    lo: number;
    hi: number;
    colors: string[]; // CSS, from lo to hi
    items?: { color: string; name: string }[]; // instead of a scale
}

export interface StageEvents {
    command(c: Command): void;
    legend(l: Legend | null): void;
    hover(text: string | null, x: number, y: number): void;
    grabbing(force: number | null): void;
}

export interface StageApi {
    options: Readonly<ViewOptions>;
    setOptions(o: Partial<ViewOptions>): void;
    setScene(s: SceneMessage | null): void;
    setSurface(g: SurfaceMessage): void;
    setPoints(p: PointsMessage): void;
    setFrame(f: FrameMessage): void;
    setField(f: FieldMessage): void;
    fit(): void;
    look(from: 'front' | 'right' | 'top' | 'corner'): void;
    screenshot(): Promise<Blob>;
    colorOfMaterial(index: number): string; // CSS, as in the picture
    positions(surface: number): Float32Array; // present ones, in the world
    project(p: Vec3): [number, number]; // from the world to pixels of the window
    resize(): void;
    dispose(): void;
}

/** The class Stage of stage.ts, which fills the parent with its canvas. */
export type StageClass = new (parent: HTMLElement, events: StageEvents) => StageApi;

export const defaultOptions: Readonly<ViewOptions> = {
    color: 'plain',
    weightNode: 0,
    wireframe: false,
    section: { on: false, axis: 'x', at: 0.5, flip: false },
    frames: false,
    handles: false,
    muscles: true,
    points: 'off',
    shadow: true,
    ground: true,
    tool: 'grab',
    turn: false,
    range: null,
    geodesic: null,
    dark: false,
    hidden: [],
};
