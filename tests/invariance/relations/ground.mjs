/**
 * What a surface is made of is not felt.
 */
import { Random } from '../../../scenarios/random.mjs'
import { SURFACES, WHOLE_KIND } from '../surfaces.mjs'

/** @import { Relation } from './index.mjs' */

/** m: of tiles */
const [SMALLEST, LARGEST] = [0.7, 4]

/** @type {Relation[]} */
export const ground = SURFACES.filter((kind) => kind !== WHOLE_KIND).map((kind) => ({
  group: 'ground',
  name: kind,
  image(scene) {
    const random = new Random(scene.seed)
    const size = SMALLEST * (LARGEST / SMALLEST) ** random.next()
    return { scene: { ...scene, surface: { kind, size, seed: scene.seed } } }
  },
}))
