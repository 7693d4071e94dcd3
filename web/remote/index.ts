// Exports `prompt-strata/remote`: the client of threads that a Worker keeps. It loads no WebAssembly.
export { GeminiError, StrataError, type GeminiErrorDetails } from '../sdk/internal/errors.js';
export { connectThread, type RemoteThread } from './remote-thread.js';
export { RemoteError, type RemoteErrorDetails } from './remote-error.js';
export { PausedCall, tool } from '../sdk/chat/tools/tool.js';
export { MediaResult } from '../sdk/types/tool.js';
export type { ConnectOptions, ForkOptions, TurnsOptions, WatchOptions } from './options.js';
export type {
  CallResult,
  RemoteState,
  RemoteTurn,
  CallPlace,
  EventPlace,
  RemoteCall,
  RemoteEvent,
  RemoteFailure,
} from './remote-state.js';
