/**
 * Files of worlds that have something of everything: what the fuzzer of files damages.
 */
import { init, World } from 'moreau'
import { scenes } from 'moreau/scenarios'
import { randomScene } from '../../node/random-scene.mjs'

/** Bytes: a larger scene repeats itself. */
const MOST_BYTES = 60_000
/** Seeds of random scenes, which have all shapes and joints. */
const SEEDS = [11, 12, 13]

/** @returns {Promise<string[]>} JSON */
export async function sceneFiles() {
  await init()
  const all = [...scenes, ...SEEDS.map((seed) => ({ options: {}, ...randomScene(seed) }))]
  const files = all.map(({ options, setup }) => {
    const world = new World(options)
    setup(world)
    const text = JSON.stringify(world)
    world.free()
    return text
  })
  return files.filter((text) => text.length < MOST_BYTES)
}
