// Why this file exists: "the body moves once" is counted, not claimed: for the length of one call, every
// copy that JavaScript makes to or from the memory of WebAssembly is added up.

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);

/** Copies between the two sides, by method: [into WebAssembly, out of it], in bytes. */
const copies = (inside) => [
  [TextEncoder.prototype, 'encodeInto', (_, { written }, [, to]) => [inside(to) ? written : 0, 0]],
  [TextDecoder.prototype, 'decode', (_, __, [from]) => [0, inside(from) ? from.byteLength : 0]],
  [typedArray, 'slice', (from, made) => [0, inside(from) ? made.byteLength : 0]],
  [
    typedArray,
    'set',
    (to, _, [from]) => [inside(to) ? from.length : 0, inside(from) ? from.byteLength : 0],
  ],
];

/**
 * Bytes that `work` moved into `memory` and out of it.
 * @param {WebAssembly.Memory} memory
 * @param {() => unknown} work
 */
export function movedBy(memory, work) {
  const moved = { in: 0, out: 0 };
  const watched = copies((array) => array?.buffer === memory.buffer).map(
    ([prototype, name, sizes]) => {
      const original = prototype[name];
      prototype[name] = function (...args) {
        const result = original.apply(this, args);
        const [into, out] = sizes(this, result, args);
        moved.in += into;
        moved.out += out;
        return result;
      };
      return () => (prototype[name] = original);
    },
  );
  try {
    work();
  } finally {
    for (const restore of watched) restore();
  }
  return moved;
}
