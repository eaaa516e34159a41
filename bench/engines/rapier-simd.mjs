import { loadRapier } from './rapier-world.mjs'

export const load = () => loadRapier('@dimforge/rapier3d-simd-compat')
