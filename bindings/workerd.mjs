// The entry for workerd (Cloudflare Workers), which compiles no bytes at run time: it gives imported modules.

// @ts-expect-error the host knows what it is
import wasm from './moreau.wasm'
import { provideWasm } from './engine.mjs'

provideWasm(() => wasm)

export * from './engine.mjs'
