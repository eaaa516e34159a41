import { unpack } from '../core/unpack.mjs'
import { size, text } from '../generated/wasm-threads-base64.mjs'

/** The module of `moreau/threads`. */
export const defaultWasm = () => unpack(text, size)
