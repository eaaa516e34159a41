// `moreau/slim`: without the module. `init()` looks for moreau.wasm beside this file, where bundlers see it, too, and
// put it where it is found; `init({ wasm })` takes it from anywhere.

import { provideWasm } from './engine.mjs'

provideWasm(() => new URL('./moreau.wasm', import.meta.url))

export * from './engine.mjs'
