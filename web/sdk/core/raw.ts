// Declares the classes that bindings/ exports, as bindings/core_module.cpp registers them; the other modules register
// fewer. Only this folder uses raw handles.

/** Any embind object. */
export interface RawHandle {
  delete(): void;
}

export interface RawCore extends RawHandle {
  buffer(size: number): Uint8Array;
  outOfMemory(): number;
  configure(): void;
  lint(): void;
  planCache(): void;
  repair(): void;
  locate(): void;
  timeline(): void;
  schema(): void;
  modelLimits(): void;
  estimate(): void;
  calibrate(): void;
  splitPrompt(): void;
  promptArguments(): void;
  diffManifests(): void;
  fingerprint(): void;
}

/** The class Core of the gateway's module. */
export interface RawGatewayCore extends RawCore {
  openAiRequest(): void;
  answerSignatures(): void;
}

export interface RawGatewayRequest extends RawHandle {
  lookup(): void;
  sites(): void;
  chain(): void;
  prepare(): void;
}

export interface RawThread extends RawHandle {
  committed(): number;
  size(): number;
  tokens(): number;
  rewind(turns: number): void;
  append(): void;
  appendAnswer(response: RawResponse): void;
  check(): void;
  checkResponses(): void;
  tail(): void;
  timeline(): void;
  lastUserText(): void;
  calibration(): void;
  setCalibration(): void;
  content(index: number): void;
  mask(): void;
  shorten(): void;
  compression(): void;
  budget(): void;
  rewrite(): void;
  report(): void;
  save(from: number): void;
  saveSince(): void;
  record(call: number): void;
  assemble(): void;
  cacheBody(): void;
  cachePreview(): void;
}

export interface RawTemplate extends RawHandle {
  render(): void;
  hostReply(size: number): Uint8Array;
}

export interface RawResponse extends RawHandle {
  push(): void;
  end(): void;
  content(): void;
  finish(withContent: boolean): void;
}

export interface RawOpenAiAnswer extends RawHandle {
  push(): void;
  end(): void;
}

/** The glue code of a module: creates one instance, whose classes are a RawModule. */
export type CreateModule = (options: {
  /** Called once by the glue code; `done` passes it the instance. */
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): Record<string, never>;
}) => Promise<unknown>;
export interface RawCompiledPrompt extends RawHandle {
  texts(): void;
}

/** Calls a filter (`kind` 0) or a function (1). `args` is a JSON array, a view that is valid only during the call. Returns whether the call succeeded. */
export type RawHostCall = (kind: number, index: number, args: Uint8Array) => boolean;

export interface RawModule {
  Core: new () => RawCore;
  Thread: {
    new (core: RawCore): RawThread;
    new (thread: RawThread, turns: number): RawThread;
  };
  /** Only the whole core has it. */
  Template: new (core: RawCore, host: RawHostCall) => RawTemplate;
  CompiledPrompt: new (core: RawCore) => RawCompiledPrompt;
  Response: new (core: RawCore) => RawResponse;
  /** Only the gateway's module has these. */
  OpenAiAnswer: new (core: RawCore) => RawOpenAiAnswer;
  GatewayRequest: new (core: RawCore, maxValues: number) => RawGatewayRequest;
}
