/**
 * Writes problems that the engine met in its own scenes beside this file. They are kept as they were recorded: a later engine meets
 * others.
 *
 *     npm run build && node bench/problems/record.mjs
 */
import { writeFileSync } from 'node:fs'
import { World } from 'moreau'
import { sceneByName } from 'moreau/scenarios'

/** Scene and steps: at rest, on the way, and where it is hard. */
const MOMENTS = /** @type {const} */ ([
  ['masonry-arch', 2],
  ['thin-arch', 45],
  ['domino-row', 150],
  // All lie on each other, edge on face: the contacts are about to open and to close.
  ['domino-row', 320],
  ['mass-ratio-alternating', 2],
])

for (const [sceneName, steps] of MOMENTS) {
  const scene = sceneByName(sceneName)
  const world = await World.create(scene.options)
  scene.setup(world)
  for (let step = 0; step < steps; step++) world.step(scene.timeStep)
  const name = `recorded-${sceneName}-${steps}`
  const problem = { ...world.recordProblem(name), source: 'bench/problems/record.mjs' }
  writeFileSync(new URL(`${name}.json`, import.meta.url), `${JSON.stringify(problem)}\n`)
  world.free()
}
