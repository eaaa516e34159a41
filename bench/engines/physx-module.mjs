/**
 * PhysX's module in Node: its loader is one for browsers, and it does not give out its memory.
 */
import { readFileSync } from 'node:fs'
import { peerFile } from './engine.mjs'

/**
 * @param {string} name of the package
 * @returns {Promise<{ PX: any, heap: Heap }>}
 */
export async function startPhysX(name) {
  const { default: start } = await import(peerFile(`${name}/${name}.mjs`).href)
  const bytes = readFileSync(peerFile(`${name}/${name}.wasm`))
  const heap = new Heap()
  const instantiateWasm = (/** @type {any} */ imports, /** @type {any} */ done) => {
    WebAssembly.instantiate(bytes, imports).then(({ instance, module }) => {
      heap.memory = Object.values(instance.exports).find(isMemory)
      done(instance, module)
    })
    return {}
  }
  return { PX: await asInBrowser(() => start({ instantiateWasm })), heap }
}

/** @type {(value: unknown) => value is WebAssembly.Memory} */
const isMemory = (value) => value instanceof WebAssembly.Memory

/** The module's memory, which it does not give out by itself. */
export class Heap {
  /** @type {WebAssembly.Memory | undefined} */
  memory
  #floats = new Float32Array()

  /** A new array after the memory has grown. */
  get floats() {
    const buffer = this.memory?.buffer
    if (buffer && this.#floats.buffer !== buffer) this.#floats = new Float32Array(buffer)
    return this.#floats
  }
}

/**
 * Its loader was built for browsers and refuses what looks like Node.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function asInBrowser(work) {
  const place = /** @type {any} */ (globalThis)
  const { process } = place
  Object.assign(place, { process: undefined, window: place })
  try {
    return await work()
  } finally {
    place.process = process
    delete place.window
  }
}
