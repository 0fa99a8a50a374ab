// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Identifies nodes while frames are inserted and removed.
import type { SceneMessage } from './protocol';

/** Whether a node is a frame that is shown and can be selected: vertices and modes are not. */
export function isFrame(node: SceneMessage['nodes'][number]): boolean {
    return node.kind !== 'vertex' && node.kind !== 'modes';
}

type Nodes = Pick<SceneMessage, 'nodes' | 'inserted'>;

/** Finds a node of one scene in the scene that continues it; 0 if it is gone. */
export function sameNode(from: Nodes, to: Nodes, node: number): number {
    const own = from.inserted.find((item) => item.node === node);
    if (own) return to.inserted.find((item) => item.slot === own.slot)?.node ?? 0;
    const rank = node - from.inserted.filter((item) => item.node < node).length;
    const inserted = new Set(to.inserted.map((item) => item.node));
    return [...to.nodes.keys()].filter((i) => !inserted.has(i))[rank] ?? 0;
}
