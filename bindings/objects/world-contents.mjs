import { readInteger } from '../core/arguments.mjs'
import { reading } from '../core/readable.mjs'
import { putExplosion } from '../definitions/explosion.mjs'
import { readVehicle } from '../definitions/vehicle-definition.mjs'
import { createBody } from './body.mjs'
import { makeCharacter } from './character.mjs'
import { makeRagdoll } from './ragdoll.mjs'
import { coreOf } from './settings-owner.mjs'
import { makeVehicle } from './vehicle.mjs'
import { WorldJoints } from './world-joints.mjs'

/** @import { BodyDefinition, CharacterDefinition, Explosion, Skeleton, VehicleDefinition } from '../types/index.mjs' */
/** @import { Body } from './body.mjs' */
/** @import { Character } from './character.mjs' */
/** @import { Ragdoll } from './ragdoll.mjs' */
/** @import { Vehicle } from './vehicle.mjs' */

/** Bodies, and what moves them: characters, vehicles, ragdolls, explosions. A part of `World`, and nothing by itself. */
export class WorldContents extends WorldJoints {
  /**
   * Adds a body.
   * @param {BodyDefinition} definition
   * @returns {Body}
   * @throws {MoreauError} `invalid-argument`, `not-supported`, `stale-handle` of a shape or hull,
   *   one of `hull-...`, `capacity`, `out-of-memory`; the world is as it was before the call
   */
  createBody(definition) {
    return createBody(coreOf(this), definition)
  }

  /**
   * All living bodies in the order of their creation. The array is never changed: there is a new one
   * after a body was created or destroyed, so bodies may be destroyed while walking through it.
   * @returns {readonly Body[]}
   */
  get bodies() {
    const core = coreOf(this)
    core.alive('bodies')
    return (core.list ??= Object.freeze([...core.living]))
  }

  /**
   * @param {number} id as in `body.id` or `world.bodyIds`
   * @returns {Body | undefined} undefined where no living body has it
   */
  bodyById(id) {
    coreOf(this).alive('bodyById')
    return coreOf(this).find(readInteger(id, 'bodyById: id', 0, Number.MAX_SAFE_INTEGER))
  }

  /**
   * Makes a character: a shape that the program moves and the world stops. It is no body.
   * @param {CharacterDefinition} definition
   * @returns {Character}
   * @throws {MoreauError} `invalid-argument`, `stale-handle` of a shape or `exclude`, one of `hull-...`
   */
  createCharacter(definition) {
    return makeCharacter(coreOf(this), definition)
  }

  /**
   * A vehicle on wheels that are rays: `vehicle.update(dt)` before each step drives it.
   * @param {VehicleDefinition} definition
   * @returns {Vehicle}
   * @throws {MoreauError} `invalid-argument`, `stale-handle`
   *
   * @example
   * const chassis = world.createBody({ shape: { type: 'box', halfExtents: [2, 0.4, 0.9] }, mass: 1200 })
   * const wheels = []
   * for (const x of [1.4, -1.4]) for (const z of [-0.8, 0.8]) wheels.push({ position: [x, -0.2, z] })
   * const car = world.createVehicle({ chassis, wheels })
   * car.wheels[0].steering = car.wheels[1].steering = 0.2
   * car.wheels[2].engineForce = car.wheels[3].engineForce = 1500
   * car.update(1 / 60)
   * world.step(1 / 60)
   */
  createVehicle(definition) {
    const core = coreOf(this)
    core.alive('createVehicle')
    const path = 'createVehicle: definition'
    return makeVehicle(
      core,
      reading(definition, path, () => readVehicle(core, definition)),
    )
  }

  /**
   * Makes the bodies and joints of a skeleton, with motors that follow an animation.
   * @param {Skeleton} skeleton
   * @returns {Ragdoll}
   * @throws {MoreauError} as `createBody` and `createJoint`; nothing is made then
   */
  createRagdoll(skeleton) {
    coreOf(this).begin('createRagdoll')
    coreOf(this).callbacks.checkUnlocked('createRagdoll')
    const { world } = coreOf(this)
    return reading(skeleton, 'createRagdoll: skeleton', () => makeRagdoll(world, skeleton))
  }

  /**
   * Pushes the dynamic bodies near a point, each once: at the point of its surface nearest to
   * `position`, away from there. The impulse is whole up to `radius` and falls to zero over `falloff`
   * beyond it. A body that holds the position in one of its shapes is pushed at its centre of mass.
   * Bodies that are pushed wake.
   * @param {Explosion} explosion
   * @throws {MoreauError} `invalid-argument`, `stale-handle`, `not-finite`, `world-locked`; nothing is
   *   pushed then
   *
   * @example
   * world.explode({ position: [0, 0.5, 0], radius: 1, falloff: 3, impulse: 20 })
   */
  explode(explosion) {
    const core = coreOf(this)
    core.begin('explode')
    reading(explosion, 'explode: explosion', () => putExplosion(core, explosion))
    core.check(core.engine.exports.world_explode(core.pointer), 'explode')
  }
}
