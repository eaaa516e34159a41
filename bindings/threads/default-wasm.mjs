import { bytesOf } from '../core/base64.mjs'
import wasm from '../generated/wasm-threads-base64.mjs'

/** The module of `moreau/threads`. */
export const defaultWasm = () => bytesOf(wasm)
