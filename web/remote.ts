// Exports `prompt-strata/remote`: the client of threads that a Worker keeps. It loads no WebAssembly.
export { GeminiError, StrataError, type GeminiErrorDetails } from './sdk/base/errors.js';
export { connectThread } from './sdk/remote/connect-thread.js';
export { RemoteError, type RemoteErrorDetails } from './sdk/remote/remote-error.js';
export { PausedCall } from './sdk/tools/paused-call.js';
export { tool } from './sdk/tools/tool.js';
export { MediaResult } from './sdk/types/tool.js';
export type { RemoteThread } from './sdk/remote/remote-thread.js';
export type {
  ConnectOptions,
  ForkOptions,
  TurnsOptions,
  WatchOptions,
} from './sdk/remote/options.js';
export type { CallResult, RemoteState, RemoteTurn } from './sdk/remote/remote-state.js';
export type {
  CallPlace,
  EventPlace,
  RemoteCall,
  RemoteEvent,
  RemoteFailure,
} from './sdk/types/remote-event.js';
