import { init, World } from 'moreau'
import { writeFileSync } from 'node:fs'
import { describeScene } from '../../bench/scenes/index.mjs'
import { caseText } from './cases.mjs'
await init()
for (const name of process.argv.slice(3)) {
  const d = describeScene(name)
  const setup = (world) => {
    const bodies = d.bodies.map((b) => {
      const shape = d.shapes[b.shape]
      const def = { type: b.fixed ? 'static' : 'dynamic', position: b.position, orientation: b.orientation, linearVelocity: b.linearVelocity, angularVelocity: b.angularVelocity ?? [0, 0, 0], density: b.mass === undefined ? 1000 : undefined, mass: b.mass, friction: d.friction ?? 0.5, restitution: d.restitution ?? 0 }
      for (const k of Object.keys(def)) if (def[k] === undefined) delete def[k]
      return world.createBody({ shape, ...def })
    })
    void bodies
  }
  writeFileSync(`${process.argv[2]}/${name}`, await caseText(World, { scene: { timeStep: 1 / 60, setup }, options: { solver: 'soft-step', allowSleep: false }, steps: [60] }))
  console.log(name)
}
