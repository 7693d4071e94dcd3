// Declares the classes that bindings/ exports, as bindings/talk_module.cpp registers them, and what the modules have in
// common. Only this folder, web/templates and web/check use raw handles.

/** Any embind object. */
export interface RawHandle {
  delete(): void;
}

/** The class Core of every module. */
export interface RawCore extends RawHandle {
  buffer(size: number): Uint8Array;
  outOfMemory(): number;
  configure(): void;
}

/** What talk and check have in common. */
export interface RawModels extends RawCore {
  modelLimits(): void;
  estimate(): void;
  schema(): void;
}

/** The class Core of the module talk. */
export interface RawTalk extends RawModels {
  calibrate(): void;
  planCache(): void;
}

/** Renders the template of a layer (0: static, 1: dynamic). Returns whether the reply is a text. */
export type RawRender = (layer: number, variables: Uint8Array) => boolean;

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
  content(index: number, asContent: boolean): void;
  mask(): void;
  shorten(): void;
  compression(): void;
  budget(): void;
  rewrite(): void;
  report(): void;
  save(from: number): void;
  saveSince(): void;
  record(call: number): void;
  assemble(render: RawRender | undefined): void;
  cacheBody(render: RawRender | undefined): void;
  cachePreview(render: RawRender | undefined): void;
  hostReply(size: number): Uint8Array;
}

export interface RawResponse extends RawHandle {
  push(): void;
  end(): void;
  content(): void;
  finish(withContent: boolean): void;
}

/** The glue code of a module: creates one instance, whose classes are a RawModule. */
export type CreateModule = (options: {
  /** Called once by the glue code; `done` passes it the instance. */
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): Record<string, never>;
}) => Promise<unknown>;

/** The classes of a module. */
export interface RawModule {
  Core: new () => RawCore;
}

/** A module that reads answers. */
export interface RawAnswers extends RawModule {
  Core: new () => RawModels;
  Response: new (core: RawModels, isInteraction: boolean) => RawResponse;
}

/** The module talk. */
export interface RawTalkModule extends RawAnswers {
  Core: new () => RawTalk;
  Thread: {
    new (core: RawTalk): RawThread;
    new (thread: RawThread, turns: number): RawThread;
  };
}
