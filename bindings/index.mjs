// The default entry: the engine's module is part of it, as text.

import { bytesOf } from './core/base64.mjs'
import { provideWasm } from './engine.mjs'
import wasm from './generated/wasm-base64.mjs'

provideWasm(() => bytesOf(wasm))

export * from './engine.mjs'
