import { CHANGES } from './calls.mjs'

/** @import { Engine } from '../core/engine.mjs' */
/** @import { EngineExports } from '../core/engine-exports.mjs' */
/** @import { Journal } from './journal.mjs' */

// Everything that changes a world is a call of the module (calls.mjs), so a journal of these calls is a journal of the
// world, whatever the method was. While a world is recorded, functions that note calls stand in the place of the
// module's; worlds that are not recorded pay nothing at other times.

/** @typedef {keyof typeof CHANGES} CallKind */
/** @typedef {(...numbers: number[]) => number} Call */

/**
 * The worlds that are recorded, by the address of the engine's world. They may be collected; the address is then that of
 * another one some day, which no journal is found for.
 * @type {WeakMap<Engine, Map<number, WeakRef<Journal>>>}
 */
const recorded = new WeakMap()
/** The module's own functions. @type {WeakMap<Engine, EngineExports>} */
const originals = new WeakMap()

/**
 * @param {Engine} engine
 * @param {number} pointer
 * @param {Journal} journal
 */
export function watch(engine, pointer, journal) {
  const journals = recorded.get(engine) ?? new Map()
  recorded.set(engine, journals)
  for (const [key, one] of journals) if (one.deref() === undefined) journals.delete(key)
  if (!originals.has(engine)) {
    originals.set(engine, engine.exports)
    engine.intercept(notingExports(engine.exports, journals))
  }
  journals.set(pointer, new WeakRef(journal))
}

/**
 * @param {Engine} engine
 * @param {number} pointer
 */
export function forget(engine, pointer) {
  const journals = recorded.get(engine)
  const original = originals.get(engine)
  if (!journals?.delete(pointer) || journals.size > 0 || !original) return
  engine.intercept(original)
  originals.delete(engine)
}

/**
 * @param {EngineExports} exports
 * @param {ReadonlyMap<number, WeakRef<Journal>>} journals
 * @returns {EngineExports}
 */
function notingExports(exports, journals) {
  const own = /** @type {Record<string, Call>} */ (/** @type {unknown} */ (exports))
  /** @type {Record<string, Call>} */
  const noting = {}
  for (const kind of /** @type {CallKind[]} */ (Object.keys(CHANGES))) {
    for (const name of CHANGES[kind]) {
      noting[name] = (world, ...args) => {
        const journal = journals.get(world)?.deref()
        if (journal === undefined) return own[name](world, ...args)
        return journal.call(kind, name, args, own[name])
      }
    }
  }
  return /** @type {EngineExports} */ (/** @type {unknown} */ ({ ...exports, ...noting }))
}
