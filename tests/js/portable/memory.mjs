// Gives tests access to the memory of an instance, to provoke traps and to count copies.

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
