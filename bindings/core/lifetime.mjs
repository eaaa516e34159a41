/**
 * Gives memory of the engine back once the JavaScript object that owns it was collected. `free()`
 * is better where it matters when.
 */
export class Collector {
  /** @type {FinalizationRegistry<number> | undefined} */
  #registry

  /** @param {(pointer: number) => void} release */
  constructor(release) {
    // Some edge hosts have none; what is not freed there stays until the module goes.
    if (typeof FinalizationRegistry !== 'undefined') {
      this.#registry = new FinalizationRegistry(release)
    }
  }

  /**
   * @param {object} owner
   * @param {number} pointer
   */
  watch(owner, pointer) {
    this.#registry?.register(owner, pointer, owner)
  }

  /** @param {object} owner it gave its memory back by itself */
  forget(owner) {
    this.#registry?.unregister(owner)
  }
}

/**
 * Some engines do not know Symbol.dispose. A class body that defines a method of that name has it
 * as 'undefined' there, which this takes away again.
 * @param {{ prototype: object }} type
 */
export function dropMissingDispose(type) {
  if (Symbol.dispose === undefined) Reflect.deleteProperty(type.prototype, 'undefined')
}
