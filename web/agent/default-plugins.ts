// Exports the plugins of a conversation without options as one module, so that it loads one file.
export { GuardPlugin } from './guard.js';
export { LoopPlugin } from './loop-detection.js';
export { PrefixPlugin } from './prefix-meter.js';
