// Declares the part of Node's http that `serve` uses, so that no other file in web/ sees Node's types.

declare module 'node:http' {
  interface Server {
    listen(port: number, host: string, listening: () => void): void;
    once(event: 'error', listener: (error: Error & { code?: string }) => void): void;
    address(): { port: number } | string | null;
    close(done: () => void): void;
    closeAllConnections(): void;
  }
  /** The listener's arguments are NodeIncoming and NodeOutgoing, which a declaration of a module cannot import. */
  export function createServer(listener: (incoming: never, outgoing: never) => void): Server;
}
