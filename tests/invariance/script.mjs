/**
 * A pair that moves apart as a script that anybody can run. Numbers have all of their digits, since rounding alone may decide how a pair moves.
 */
import { CHARACTER, fileOf, namesOf } from './scene.mjs'

/** @import { Difference } from './compare.mjs' */
/** @import { Image, Relation } from './relations/index.mjs' */
/** @import { Scene } from './scene.mjs' */

/** @param {Scene} scene @param {string} solver @param {Partial<Image>} [beside] */
function textOfFile(scene, solver, { more = [], moreJoints = [] } = {}) {
  const file = fileOf(scene)
  return JSON.stringify({
    ...{ ...file, settings: { ...file.settings, solver } },
    ...{ bodies: [...file.bodies, ...more], joints: [...file.joints, ...moreJoints] },
  })
}

/** @param {Scene} scene @param {string} solver @param {Partial<Image>} [beside] */
const textOfPart = (scene, solver, beside) =>
  `{
  file: ${textOfFile(scene, solver, beside)},
  timeStep: ${scene.timeStep},
  walking: ${JSON.stringify(scene.character ?? null)},
}`

/** How a world is stepped with a character, as makeCharacter does. */
const STEPPED_WITH = {
  made: `
  const { shape, position, velocity, up, gravity, pushForce } = walking
  const character = world.createCharacter({ shape, position, up, pushForce })
  let fall = 0`,
  moved: `
    fall = character.grounded ? 0 : fall + gravity * timeStep
    const displacement = velocity.map((v, k) => timeStep * (v - fall * up[k]))
    character.move(displacement, timeStep)`,
}
const WITHOUT = { made: '', moved: '' }

/** What a relation does that is in no file. @param {Partial<Image>} image */
function noteOf({ setup, beforeStep, stage, make, back }) {
  const isInFile = [setup, beforeStep, stage, make, back].every((one) => one === undefined)
  return isInFile
    ? ''
    : '\n// What the relation does beside its file, and how its poses are brought back, is in tests/invariance/relations.'
}

/** @param {number} x m */
const millimetres = (x) => `${(1000 * x).toPrecision(3)} mm`

/** What is moved: the scene and its image, or only that which is judged alone. @param {Scene} scene @param {Relation} relation @returns {[Scene, Partial<Image>][]} */
function scenesOf(scene, relation) {
  const image = relation.image(scene) ?? { scene }
  if (relation.judge) return [[image.scene, {}]]
  return [
    [image.of ?? scene, {}],
    [image.scene, image],
  ]
}

/**
 * @param {Scene} scene
 * @param {string} solver
 * @param {Relation} relation
 * @param {Difference} difference
 * @returns {string}
 */
export function scriptOf(scene, solver, relation, { step, body, distance, allowed }) {
  const scenes = scenesOf(scene, relation)
  const [[first]] = scenes
  const name = namesOf(first)[body] ?? CHARACTER
  const { made, moved } = first.character ? STEPPED_WITH : WITHOUT
  const found =
    name === CHARACTER ? 'character' : `world.bodies.find(({ userData }) => userData === '${name}')`
  return `// ${relation.group}, ${relation.name}, ${solver}: '${name}' is ${millimetres(distance)} apart after ${step + 1} steps, of ${millimetres(allowed)} that may be.${noteOf(scenes.at(-1)?.[1] ?? {})}
import { init, World } from 'moreau'
await init()
const scenes = [${scenes.map(([one, more]) => textOfPart(one, solver, more)).join(', ')}]
for (const { file, timeStep, walking } of scenes) {
  const world = World.fromJSON(file)${made}
  for (let step = 0; step <= ${step}; step++) {${moved}
    world.step(timeStep)
  }
  const body = ${found}
  console.log(...body.position, ...body.orientation)
}
`
}
