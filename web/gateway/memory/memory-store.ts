// Stores the signature memory in the process.
import { checkOptions, count, func, optional, withDefaults } from '../../sdk/internal/options.js';
import { EntryTable } from './entry-table.js';
import { defaultLimits, type MemoryLimits, type SignatureMemory } from './signature-memory.js';

/** Options of `createMemoryStore` and `createFileMemory`. */
export interface MemoryStoreOptions extends MemoryLimits {
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
}

/**
 * Returns the options with their defaults.
 *
 * @throws StrataError `field.unknown` or `field.invalid`
 */
export function storeOptions(options: MemoryStoreOptions): Required<MemoryStoreOptions> {
  checkOptions<MemoryStoreOptions>(options, {
    maxEntries: optional(count),
    maxBytes: optional(count),
    now: optional(func),
  });
  return withDefaults({ ...defaultLimits, now: Date.now }, options);
}

/**
 * Creates a memory that ends with the process. It is the default of the gateway.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
 *
 * @example
 * const memory = createMemoryStore({ maxBytes: 16 * 1024 * 1024 });
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): SignatureMemory {
  const { now, ...limits } = storeOptions(options);
  const table = new EntryTable(limits, now);
  return {
    inProcess: true,
    get: async (keys) => table.values(keys),
    put: async (entries) => {
      for (const entry of entries) table.put(entry);
    },
  };
}
