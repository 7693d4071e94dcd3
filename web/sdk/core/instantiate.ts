// Creates instances of a compiled module with Emscripten's glue code.
import type { CreateModule, RawModule } from './raw.js';

/** A new instance of a module. */
export interface Instantiated<Module extends RawModule = RawModule> {
  module: Module;
  memory: WebAssembly.Memory;
}

type InstantiateWasm = Parameters<CreateModule>[0]['instantiateWasm'];

// The names of exports are minified. `instanceof` does not recognize a Memory of another realm.
function memoryOf({ exports }: WebAssembly.Instance): WebAssembly.Memory {
  return Object.values(exports).find(
    (each) => Object.prototype.toString.call(each) === '[object WebAssembly.Memory]',
  ) as WebAssembly.Memory;
}

/** Creates an instance. `create` is the glue code of the module. */
export function instantiate<Module extends RawModule>(
  create: CreateModule,
  module: WebAssembly.Module,
): Promise<Instantiated<Module>> {
  return new Promise((resolve, reject) => {
    const instantiateWasm: InstantiateWasm = (imports, done) => {
      WebAssembly.instantiate(module, imports).then((instance) => {
        const memory = memoryOf(instance);
        created.then((raw) => resolve({ module: raw as Module, memory }), reject);
        done(instance, module);
      }, reject);
      return {};
    };
    const created = create({ instantiateWasm });
    created.catch(reject);
  });
}

/**
 * Creates an instance without waiting. Emscripten adds the classes to the options object before its promise is
 * fulfilled.
 *
 * @throws the error of the runtime, for example a RangeError if there is no memory
 */
export function instantiateNow<Module extends RawModule>(
  create: CreateModule,
  module: WebAssembly.Module,
): Instantiated<Module> {
  let memory: WebAssembly.Memory | undefined;
  let failure: Error | undefined;
  const instantiateWasm: InstantiateWasm = (imports, done) => {
    // The glue code prints what this function throws.
    try {
      const instance = new WebAssembly.Instance(module, imports);
      memory = memoryOf(instance);
      done(instance, module);
    } catch (error) {
      failure = error as Error;
    }
    return {};
  };
  const options: Parameters<CreateModule>[0] & Partial<RawModule> = { instantiateWasm };
  void create(options);
  if (failure) throw failure;
  if (!memory || !options.Core) throw new Error('The glue code cannot create an instance at once');
  return { module: options as unknown as Module, memory };
}
