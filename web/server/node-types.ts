// Defines the parts of Node's request and response that are used, so that the package's types need no @types/node.

/** The part of Node's `IncomingMessage`, or of the request of its HTTP/2 module, that is read. */
export interface NodeIncoming {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly rawHeaders: string[];
  readonly socket: object;
  on(event: string, listener: (chunk: Uint8Array<ArrayBuffer>) => void): unknown;
  off(event: string, listener: (chunk: Uint8Array<ArrayBuffer>) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** The part of Node's `ServerResponse`, or of the response of its HTTP/2 module, that is written. */
export interface NodeOutgoing {
  statusCode: number;
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
  setHeader(name: string, value: string | string[]): unknown;
  flushHeaders?(): void;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}
