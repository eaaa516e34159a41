// Where the module is if `init` is not told: in the default entry the bytes, as text.
// Files of this name in bindings/slim, bindings/workerd and bindings/threads stand in its place in the bundles of
// these entries (scripts/build.mjs).

import wasm from '../generated/wasm-base64.mjs'
import { bytesOf } from './base64.mjs'

/** @import { WasmSource } from '../types/index.mjs' */

/** @returns {WasmSource} */
export const defaultWasm = () => bytesOf(wasm)
