import type { Json } from '../json.js';
export type UsageMetadata = { [key: string]: Json };
