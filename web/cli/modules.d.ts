// Declares the parts of Node's API that the command uses, so that no other file in web/ sees Node's types.

declare module 'node:fs' {
  export function readFileSync(path: string): Uint8Array<ArrayBuffer>;
  export function appendFileSync(path: string, data: string): void;
  export function writeFileSync(path: string, data: string | Uint8Array): void;
}

declare module 'node:process' {
  interface Input extends AsyncIterable<Uint8Array> {
    readonly isTTY?: boolean;
  }
  interface Output {
    readonly isTTY?: boolean;
    write(data: string | Uint8Array): boolean;
    on(event: 'error', listener: (error: Error & { code?: string }) => void): void;
  }
  const process: {
    readonly argv: string[];
    readonly env: { readonly [name: string]: string | undefined };
    readonly stdin: Input;
    readonly stdout: Output;
    readonly stderr: Output;
    exitCode: number | undefined;
    once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): void;
  };
  export default process;
}

declare module 'node:util' {
  interface Option {
    type: 'string' | 'boolean';
    short?: string;
  }
  /** Throws a TypeError with a `code` for unknown options. */
  export function parseArgs(config: {
    args: string[];
    options: { [name: string]: Option };
    allowPositionals: boolean;
  }): {
    values: { [name: string]: string | boolean | undefined };
    positionals: string[];
  };
}
