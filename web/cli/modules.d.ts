// What the command takes from Node, so that nothing else in web/ sees Node's names.

declare module 'node:fs' {
  /** Descriptor 0 is standard input. */
  export function readFileSync(path: string | 0): Uint8Array<ArrayBuffer>;
  export function writeFileSync(path: string, data: string | Uint8Array): void;
}

declare module 'node:process' {
  interface Output {
    readonly isTTY?: boolean;
    write(data: string | Uint8Array, done?: () => void): boolean;
  }
  const process: {
    readonly argv: string[];
    readonly env: { readonly [name: string]: string | undefined };
    readonly stdin: { readonly isTTY?: boolean };
    readonly stdout: Output;
    readonly stderr: Output;
    exitCode: number | undefined;
  };
  export default process;
}

declare module 'node:util' {
  interface Option {
    type: 'string' | 'boolean';
    short?: string;
  }
  /** Throws a TypeError with a `code` for what it does not know. */
  export function parseArgs(config: {
    args: string[];
    options: { [name: string]: Option };
    allowPositionals: boolean;
  }): {
    values: { [name: string]: string | boolean | undefined };
    positionals: string[];
  };
}
