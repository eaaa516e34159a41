// What a world and the module take and tell of themselves.

/**
 * Memory of the whole module: all worlds, shapes and hulls together.
 * @typedef {object} MemoryUse
 * @property {number} bytes held by the engine at this moment
 * @property {number} allocations calls to the allocator since the start; a step in the steady
 *   state adds none
 * @property {number} wasmBytes size of the WebAssembly memory, which never shrinks
 */

/**
 * @typedef {object} AdvanceOptions
 * @property {number} [fixedDt] seconds of one step; default 1/60
 * @property {number} [maxSteps] most steps in one call, a whole number above 0; default 8. Time
 *   beyond them is dropped, so that a slow machine does not fall behind for ever
 * @property {number} [timeBudget] seconds of real time that the steps of one call may take; when they
 *   are over no further step begins, and time that is left for whole steps is dropped. Default: none
 * @property {(dt: number) => void} [beforeStep] called before each step: the place for forces, which
 *   last for one step
 * @property {(dt: number) => void} [afterStep] called after each step
 * @property {boolean} [interpolate] keeps the transforms before the last step for
 *   `previousTransforms`; default false
 * @property {() => number} [now] the clock of `timeBudget`, ms; default `performance.now`
 */

/**
 * Where the WebAssembly module comes from: an address (`URL` or string), a `Response` or the promise
 * of one (`fetch(...)`), its bytes, or a compiled `WebAssembly.Module`.
 * @typedef {string | { readonly href: string } | ResponseLike | Promise<ResponseLike> | ArrayBuffer
 *   | ArrayBufferView | WasmModule} WasmSource
 */

/**
 * A `WebAssembly.Module`. Not by that name, which not every `lib` of TypeScript knows.
 * @typedef {object} WasmModule
 */

/**
 * What is asked of a `Response`.
 * @typedef {object} ResponseLike
 * @property {boolean} ok
 * @property {number} status
 * @property {string} url
 * @property {() => Promise<ArrayBuffer>} arrayBuffer
 */

export {}
