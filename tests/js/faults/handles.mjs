// Counts the handles of WebAssembly objects that are not disposed. The package registers each of them, so that the
// garbage collector can free it.

/** The handles that were registered and not disposed. */
class HandleCount {
  live = 0;
  #newest;
  /** The instances whose handles count; all of them if undefined. */
  #instances;

  constructor() {
    const counted = new WeakSet();
    const { register, unregister } = FinalizationRegistry.prototype;
    const add = (held, token) => this.#add(held, token, counted);
    const remove = (token) => (this.live -= counted.delete(token) ? 1 : 0);
    FinalizationRegistry.prototype.register = function (target, held, token) {
      add(held, token);
      return register.call(this, target, held, token);
    };
    FinalizationRegistry.prototype.unregister = function (token) {
      remove(token);
      return unregister.call(this, token);
    };
  }

  /** Counts only the handles of some instances of the core: of those that `make` creates handles in. */
  only(make) {
    this.#instances = make.map((each) => {
      each();
      return this.#newest;
    });
    this.live = 0;
  }

  #add(held, token, counted) {
    const { raw, instance } = Object(held);
    if (raw === undefined || token === undefined) return;
    this.#newest = instance;
    if (this.#instances && !this.#instances.includes(instance)) return;
    counted.add(token);
    this.live++;
  }
}

/** The count of this process. */
export const handles = new HandleCount();
