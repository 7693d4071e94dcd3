// Defines what the page and the frame of the sandbox send to each other. The frame never gets a key or a host.

/** What the page sends: a worker's source, and the call. `args` is JSON text. */
export interface SandboxCall {
  source: string;
  name: string;
  args: string;
  /** After this time, the worker is ended. */
  timeLimitMs: number;
  /** The largest number of UTF-16 units of a result. */
  maxResult: number;
}

/** Why a script has no result. `load`: the frame or its worker did not start. */
export type SandboxFailure = 'load' | 'time' | 'error' | 'size' | 'stopped';

/** What a script returned, as JSON text, or why it returned nothing, as a sentence. */
export type SandboxOutcome =
  { ok: true; result: string } | { ok: false; reason: SandboxFailure; message: string };

/** What the frame sends: first that it listens, then the outcome. */
export type FrameMessage = { type: 'ready' } | { type: 'outcome'; outcome: SandboxOutcome };
