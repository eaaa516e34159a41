// Where the module is if `init` is not told: in the default entry its bytes, packed, as text.
// Files of this name in bindings/slim, bindings/workerd and bindings/threads stand in its place in the bundles of
// these entries (scripts/build.mjs).

import { size, text } from '../generated/wasm-base64.mjs'
import { unpack } from './unpack.mjs'

/** @import { WasmSource } from '../types/index.mjs' */

/** @returns {WasmSource} */
export const defaultWasm = () => unpack(text, size)
