/**
 * `moreau/worker`: what a user of `World` finds there. Every public member of `World` is there too, as it is or by a promise,
 * or it says what there is instead.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { World as LocalWorld } from 'moreau'
import { World } from 'moreau/worker'
import {
  ASKED_GETTERS,
  ASKED_METHODS,
  MISSING,
  MISSING_STATIC,
} from '../../bindings/worker/members.mjs'

/**
 * What is the same by a look at what it reads: calls that are noted, and read-outs of what the page has of the newest frame.
 * A new member of `World` that only a world which is stepped can answer does not belong here.
 */
const SAME = [
  // calls
  ...['createBody', 'createJoint', 'createRagdoll', 'explode', 'once', 'off'],
  // who lives
  ...[
    'bodies',
    'bodyById',
    'joints',
    'constraints',
    'potentials',
    'jointEvents',
    'toJSON',
    'memory',
    'toString',
  ],
  // the newest frame
  ...['transforms', 'transforms64', 'velocities', 'bodyIds', 'awakeCount', 'time', 'stepCount'],
  ...['interpolation', 'energy', 'readEnergy', 'momentum', 'debugRender'],
  // queries in it
  ...['rayCast', 'readRayCast', 'rayCastAll', 'readRayCastAll', 'rayCastBatch', 'shapeCastBatch'],
  ...['shapeCast', 'readShapeCast', 'shapeCastAll', 'readShapeCastAll', 'overlap', 'readOverlap'],
  ...['closestPoint', 'readClosestPoint', 'contains'],
]

/** What `moreau/worker` does in another way, with a test elsewhere. */
const OWN = [
  ...['step', 'advance', 'interpolate', 'resetInterpolation', 'isLate', 'on', 'restore', 'free'],
  ...['history', 'record', 'createConstraint', 'createPotential', 'createCharacter'],
  ...['createVehicle', 'contactFilter', 'contactModifier'],
]
const OWN_STATIC = ['create', 'fromJSON']

/** @param {object} from @returns {Set<string>} */
function membersOf(from) {
  /** @type {Set<string>} */
  const names = new Set()
  for (let at = from; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name)
  }
  names.delete('constructor')
  return names
}

/** Options of a world are members too, which are calls. */
async function optionNames() {
  const world = await LocalWorld.create()
  const names = Object.keys(world.toJSON().settings ?? {})
  world.free()
  return names
}

describe('every public member of `World`', () => {
  test('is in one list: the same, by a promise, done otherwise, or missing with what there is instead', async () => {
    const lists = [
      SAME,
      OWN,
      ASKED_METHODS,
      ASKED_GETTERS,
      Object.keys(MISSING),
      await optionNames(),
    ]
    const all = lists.flat()
    assert.deepEqual([...new Set(all)].length, all.length, 'none is in two lists')
    const known = new Set(all)
    const members = membersOf(LocalWorld.prototype)
    assert.deepEqual(
      [...members].filter((name) => !known.has(name)),
      [],
      'in no list',
    )
    assert.deepEqual(
      all.filter((name) => !members.has(name)),
      [],
      'not there',
    )
  })

  test('of the class likewise', () => {
    const names = Object.getOwnPropertyNames(LocalWorld).filter(
      (name) => !['length', 'name', 'prototype'].includes(name),
    )
    assert.deepEqual(names.sort(), [...OWN_STATIC, ...Object.keys(MISSING_STATIC)].sort())
  })

  test('is there in a worker, or refused with what there is instead', async () => {
    const world = /** @type {any} */ (await World.create())
    world.createBody({ shape: { type: 'sphere', radius: 1 } })
    await world.step(1 / 60)
    for (const name of [...SAME, ...OWN])
      assert.ok(name in world && world[name] !== undefined, name)
    for (const name of ASKED_METHODS) {
      if (name === 'profile') continue // wants its option
      assert.notEqual(await world[name](), undefined, name)
    }
    for (const name of ASKED_GETTERS) assert.notEqual(await world[name], undefined, name)
    for (const [names, owner] of /** @type {const} */ ([
      [MISSING, world],
      [MISSING_STATIC, World],
    ])) {
      for (const [name, instead] of Object.entries(names)) {
        const refusal = {
          code: 'not-supported',
          message: `${name}: a world in a worker does not have it: ${instead}`,
        }
        assert.throws(() => owner[name](), refusal)
      }
    }
    world.free()
  })
})
