import { ColliderDesc, RigidBodyDesc } from './descriptors.mjs'
import { JointData } from './joint.mjs'
import * as enums from './enums.mjs'
import { QueryFilterFlags, Ray } from './rays.mjs'
import { Quaternion, Vector3 } from './vectors.mjs'

/** A state that `setWorld` takes the world back to. */
export class WorldSnapshot {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes
  }
}

/**
 * What `useRapier().rapier` and `RAPIER` of `RapierPhysics` give: as much of Rapier's module as components of an application name. Everything else is Moreau's own:
 * `import * as moreau from 'moreau'`.
 */
export const rapier = Object.freeze({
  ...{ RigidBodyType: enums.RigidBodyType, MotorModel: enums.MotorModel },
  ...{ ActiveEvents: enums.ActiveEvents, ActiveHooks: enums.ActiveHooks },
  ...{ ActiveCollisionTypes: enums.ActiveCollisionTypes, SolverFlags: enums.SolverFlags },
  CoefficientCombineRule: enums.CoefficientCombineRule,
  ...{ ColliderDesc, JointData, QueryFilterFlags, Ray, RigidBodyDesc },
  World: Object.freeze({
    /** @param {Uint8Array} bytes of `world.takeSnapshot()` @returns {WorldSnapshot} for `setWorld` */
    restoreSnapshot: (bytes) => new WorldSnapshot(bytes),
  }),
  ...{ Vector3, Quaternion },
})
