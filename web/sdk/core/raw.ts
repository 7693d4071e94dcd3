// Declares the classes that bindings/ exports. Only this folder uses raw handles.

/** Any embind object. */
export interface RawHandle {
  delete(): void;
}

export interface RawCore extends RawHandle {
  buffer(size: number): Uint8Array;
  configure(): void;
  lint(): void;
  planCache(): void;
  repair(): void;
  locate(): void;
  schema(): void;
  modelLimits(): void;
  estimate(): void;
  calibrate(): void;
  compile(): void;
  splitPrompt(): void;
  promptArguments(): void;
  diffManifests(): void;
  fingerprint(): void;
}

export interface RawThread extends RawHandle {
  size(): number;
  tokens(): number;
  rewind(turns: number): void;
  append(): void;
  content(index: number): void;
  mask(): void;
  shorten(): void;
  compression(): void;
  budget(): void;
  rewrite(): void;
  report(): void;
  save(from: number): void;
  assemble(staticLayer: RawTemplate | null, dynamicLayer: RawTemplate | null): void;
  cacheBody(staticLayer: RawTemplate | null, dynamicLayer: RawTemplate | null): void;
  cachePreview(staticLayer: RawTemplate | null, dynamicLayer: RawTemplate | null): void;
}

export interface RawTemplate extends RawHandle {
  render(): void;
  hostReply(size: number): Uint8Array;
}

export interface RawResponse extends RawHandle {
  push(): void;
  end(): void;
  finish(): void;
}

/** Calls a filter (`kind` 0) or a function (1). `args` is a JSON array, a view that is valid only during the call. Returns whether the call succeeded. */
export type RawHostCall = (kind: number, index: number, args: Uint8Array) => boolean;

export interface RawModule {
  Core: new () => RawCore;
  Thread: {
    new (core: RawCore): RawThread;
    new (thread: RawThread, turns: number): RawThread;
  };
  Template: new (core: RawCore, host: RawHostCall) => RawTemplate;
  Response: new (core: RawCore) => RawResponse;
}
