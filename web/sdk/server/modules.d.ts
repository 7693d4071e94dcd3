// Declares the part of Node's http that `serve` uses, so that no other file in web/ sees Node's types.

declare module 'node:http' {
  import type { NodeIncoming, NodeOutgoing } from './node-types.js';

  interface Server {
    listen(port: number, host: string, listening: () => void): void;
    once(event: 'error', listener: (error: Error & { code?: string }) => void): void;
    address(): { port: number } | string | null;
    close(done: () => void): void;
    closeAllConnections(): void;
  }
  export function createServer(
    listener: (incoming: NodeIncoming, outgoing: NodeOutgoing) => void,
  ): Server;
}
