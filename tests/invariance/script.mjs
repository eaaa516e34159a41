/**
 * A pair that moves apart as a script that anybody can run.
 */
import { fileOf, namesOf } from './scene.mjs'

/** @import { Difference } from './compare.mjs' */
/** @import { Relation } from './relations/index.mjs' */
/** @import { Scene } from './scene.mjs' */

/** Digits beyond which a number of a scene is rounding. */
const DIGITS = 12

/** @param {Scene} scene @param {string} solver @param {any[]} [more] */
function textOf(scene, solver, more = []) {
  const file = fileOf(scene)
  const whole = {
    ...file,
    settings: { ...file.settings, solver },
    bodies: [...file.bodies, ...more],
  }
  return JSON.stringify(whole, (_, value) =>
    typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value,
  )
}

/**
 * @param {Scene} scene
 * @param {string} solver
 * @param {Relation} relation
 * @param {Difference} difference
 * @returns {string}
 */
export function scriptOf(scene, solver, relation, { step, body, distance, allowed }) {
  const image = relation.image(scene)
  // What is judged alone has nothing beside it.
  const first = (relation.judge ? image?.scene : image?.of) ?? scene
  const name = namesOf(first)[body]
  const millimetres = (/** @type {number} */ x) => `${(1000 * x).toFixed(2)} mm`
  const kept = [image?.setup, image?.beforeStep, image?.back].filter(Boolean).length
  return `// ${relation.group}, ${relation.name}, ${solver}: '${name}' is ${millimetres(distance)} apart after ${step + 1} steps, of ${millimetres(allowed)} that may be.${
    kept > 0
      ? '\n// What the relation does beside its file, and how its poses are brought back, is in tests/invariance/relations.'
      : ''
  }
import { init, World } from 'moreau'
await init()
const scene = ${textOf(first, solver)}
const image = ${image && !relation.judge ? textOf(image.scene, solver, image.more) : 'scene'}
for (const file of [scene, image]) {
  const world = World.fromJSON(file)
  for (let i = 0; i <= ${step}; i++) world.step(${scene.timeStep})
  const body = world.bodies.find(({ userData }) => userData === '${name}')
  console.log(body.position, body.orientation, body.linearVelocity)
}
`
}
