// Why this file exists: a trap can be provoked, and copies counted, only by who holds an instance's memory.

/**
 * Loads an instance and keeps hold of its memory.
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
