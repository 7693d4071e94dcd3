// Gives tests access to the memory of an instance, to provoke traps and to count copies, and to the calls into it.

/**
 * Loads an instance and captures its memory.
 * @param {() => Promise<object>} load
 * @returns {Promise<{ strata: object, memory: WebAssembly.Memory }>}
 */
export async function loadWithMemory(load) {
  const { instantiate } = WebAssembly;
  let memory;
  WebAssembly.instantiate = async (...args) => {
    const instance = await instantiate.apply(WebAssembly, args);
    memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
    return instance;
  };
  try {
    return { strata: await load(), memory };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

/** Returns how often these bytes, which are ASCII, are in a memory. What was freed counts until it is overwritten. */
export function countIn(memory, text) {
  const bytes = new Uint8Array(memory.buffer);
  const first = text.charCodeAt(0);
  const isThere = (at) => [...text].every((char, i) => bytes[at + i] === char.charCodeAt(0));
  let count = 0;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (isThere(at)) count++;
  }
  return count;
}

/**
 * Runs `use`, which loads an instance, and passes it a function that returns how often JavaScript has called into
 * WebAssembly since it was last asked: the glue code takes what it calls from a table.
 */
export async function withCrossings(use) {
  const { prototype } = WebAssembly.Table;
  const { get } = prototype;
  let count = 0;
  prototype.get = function (index) {
    const callee = get.call(this, index);
    return (...args) => {
      count++;
      return callee(...args);
    };
  };
  try {
    await use(() => count - (count = 0));
  } finally {
    prototype.get = get;
  }
}
