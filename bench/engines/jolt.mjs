import { loadJolt } from './jolt-world.mjs'

export const load = () => loadJolt('jolt-physics.wasm-compat.js')
