// workerd (Cloudflare Workers) compiles no bytes at run time: it gives imported modules.

// @ts-expect-error the host knows what it is
import wasm from './moreau.wasm'

/** @returns {WebAssembly.Module} */
export const defaultWasm = () => wasm
