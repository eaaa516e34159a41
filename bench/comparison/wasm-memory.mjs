/**
 * How much memory the WebAssembly modules of this process have. Import it before the engine: it looks over the shoulder of the
 * functions that make instances and memories.
 */

/** @type {Set<WebAssembly.Memory>} */
const memories = new Set()

const { Memory, Instance, instantiate, instantiateStreaming } = WebAssembly

/** @param {WebAssembly.Instance} instance */
function note(instance) {
  for (const value of Object.values(instance.exports)) {
    if (value instanceof Memory) memories.add(value)
  }
}

WebAssembly.Memory = /** @type {any} */ (
  new Proxy(Memory, {
    construct(target, options) {
      const memory = Reflect.construct(target, options)
      memories.add(memory)
      return memory
    },
  })
)

WebAssembly.Instance = /** @type {any} */ (
  new Proxy(Instance, {
    construct(target, options) {
      const instance = Reflect.construct(target, options)
      note(instance)
      return instance
    },
  })
)

for (const [name, original] of Object.entries({ instantiate, instantiateStreaming })) {
  if (!original) continue
  /** @param {any[]} options */
  const watched = async (...options) => {
    const result = await Reflect.apply(original, WebAssembly, options)
    note('instance' in result ? result.instance : result)
    return result
  }
  Object.assign(WebAssembly, { [name]: watched })
}

/** @returns {number} bytes of all memories that were made since this module was imported */
export function wasmBytes() {
  let bytes = 0
  for (const memory of memories) bytes += memory.buffer.byteLength
  return bytes
}
