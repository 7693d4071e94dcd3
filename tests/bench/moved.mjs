// Counts the bytes that JavaScript copies to and from WebAssembly memory during a call.

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);

/** Returns the methods that copy, each with a function for its bytes: [into WebAssembly, out of it]. */
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
 * Returns the bytes that `work` copied into `memory` and out of it.
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
