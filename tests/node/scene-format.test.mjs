/**
 * The page about scene files: its example is a scene, and does what it says.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { init, World } from 'moreau'
import { isScene } from './scene-files.mjs'

const page = readFileSync(new URL('../../docs/scene-format.md', import.meta.url), 'utf8')
const [, example] = /** @type {RegExpExecArray} */ (/```json\n([^]*?)\n```/.exec(page))

before(() => init())

test('the example is a scene by the schema', () => {
  assert.ok(isScene(JSON.parse(example)), JSON.stringify(isScene.errors))
})

test('its lamp swings down to its stop, and the box stays where it is', () => {
  const world = World.fromJSON(JSON.parse(example))
  const [, lamp, box] = world.bodies
  const [hinge] = world.joints
  assert.equal(lamp.userData, 'lamp')
  for (let i = 0; i < 600; i++) world.step(1 / 60)
  assert.ok(hinge.coordinate > -1.52 && hinge.coordinate < -1.4, `${hinge.coordinate} rad`)
  assert.ok(Math.abs(box.position[1] - 0.25) < 1e-3)
  world.free()
})

test('every member that the page speaks of is in the schema', () => {
  const { properties } = /** @type {any} */ (isScene.schema)
  const rows = Array.from(page.matchAll(/^\| (`[^|]*) \|/gm), ([, names]) => names)
  const named = rows.flatMap((names) => names.match(/\w+/g) ?? [])
  const known = [...Object.keys(properties), ...Object.keys(properties.bodies.items.properties)]
  assert.deepEqual(
    named.filter((name) => !known.includes(name)),
    [],
  )
  const missing = Object.keys(properties).filter((name) => !page.includes(`\`${name}\``))
  assert.deepEqual(missing, ['$schema'])
})
