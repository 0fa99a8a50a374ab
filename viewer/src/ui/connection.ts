// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The WebSocket, which is opened again whenever it closes.
import { decode } from '../protocol';
import type { Command, ServerBinary, ServerText } from '../protocol';

// ended: lost for so long that the server has probably stopped
export type Link = 'open' | 'lost' | 'ended';

export interface ConnectionEvents {
    text(message: ServerText): void;
    binary(message: ServerBinary, bytes: number): void;
    link(link: Link): void;
    /** A message that breaks the protocol: the page and the server have different versions. */
    garbled(why: string): void;
}

const patience = 10_000; // [ms] until a lost connection counts as ended

export class Connection {
    private socket: WebSocket | null = null;
    private delay = 250;
    private lostAt = performance.now();

    constructor(private readonly address: string, private readonly events: ConnectionEvents) {
        this.open();
    }

    send(command: Command): void {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
    }

    private open(): void {
        const socket = new WebSocket(this.address, 'sinew');
        socket.binaryType = 'arraybuffer';
        socket.onopen = () => {
            this.delay = 250;
            this.events.link('open');
        };
        socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.receive(event.data);
        socket.onclose = () => this.closed();
        this.socket = socket;
    }

    private receive(data: string | ArrayBuffer): void {
        try {
            if (typeof data === 'string') this.events.text(JSON.parse(data) as ServerText);
            else this.events.binary(decode(data), data.byteLength);
        } catch (error) {
            this.events.garbled(error instanceof Error ? error.message : String(error));
        }
    }

    private closed(): void {
        if (this.socket?.readyState !== WebSocket.CLOSED) return;
        this.socket = null;
        const now = performance.now();
        if (this.delay === 250) this.lostAt = now;
        this.events.link(now - this.lostAt > patience ? 'ended' : 'lost');
        setTimeout(() => this.open(), this.delay);
        this.delay = Math.min(5000, 1.7 * this.delay);
    }
}
