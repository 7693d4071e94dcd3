// Declares the classes that bindings/templates_module.cpp registers.
import type { RawCore, RawHandle, RawModule } from '../sdk/core/raw.js';

export interface RawTemplatesCore extends RawCore {
  compile(): void;
  splitPrompt(): void;
  promptArguments(): void;
  diffManifests(): void;
  fingerprint(): void;
  defaultTemplate(): void;
}

export interface RawTemplate extends RawHandle {
  render(): void;
  hostReply(size: number): Uint8Array;
}

/** Calls a filter (`kind` 0) or a function (1). `args` is a JSON array, a view that is valid only during the call. Returns whether the call succeeded. */
export type RawHostCall = (kind: number, index: number, args: Uint8Array) => boolean;

export interface RawTemplatesModule extends RawModule {
  Core: new () => RawTemplatesCore;
  Template: new (core: RawTemplatesCore, host: RawHostCall) => RawTemplate;
}
