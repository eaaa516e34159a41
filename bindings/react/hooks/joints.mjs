import { useEffect, useRef } from 'react'
import { JointData } from '../../rapier/index.mjs'
import { useRapier } from '../components/context.mjs'

/** @import { RefObject } from 'react' */
/** @import { JointParams, RapierImpulseJoint } from '../../rapier/joint.mjs' */
/** @import { RapierRigidBody } from '../../rapier/rigid-body.mjs' */
/** @import { QuaternionInput, VectorInput } from '../../rapier/vectors.mjs' */

/** @typedef {RefObject<RapierRigidBody | null>} BodyRef */
/** @typedef {RefObject<RapierImpulseJoint | undefined>} JointRef */
/** @typedef {[min: number, max: number]} Limits */

/**
 * A joint while both bodies are there, in whatever order they are mounted and as often as they come back. It is made anew
 * when its numbers are others.
 * @param {BodyRef} body1
 * @param {BodyRef} body2
 * @param {JointParams} params of `rapier.JointData`
 * @returns {JointRef}
 */
export function useImpulseJoint(body1, body2, params) {
  const { world, simulation } = useRapier()
  const joint = useRef(/** @type {RapierImpulseJoint | undefined} */ (undefined))
  useEffect(() => {
    /** The bodies that it was made for: others want another one, and one that was taken away stays away. */
    let made = /** @type {readonly unknown[]} */ ([])
    const keep = () => {
      const [first, second] = [body1.current, body2.current]
      if (!first?.isValid() || !second?.isValid()) return
      if (made[0] === first.raw && made[1] === second.raw) return
      made = [first.raw, second.raw]
      joint.current = world.createImpulseJoint(params, first, second, true)
    }
    keep()
    simulation.keepers.add(keep)
    return () => {
      simulation.keepers.delete(keep)
      if (joint.current !== undefined) world.removeImpulseJoint(joint.current, true)
      joint.current = undefined
    }
  }, [world, simulation, body1, body2, JSON.stringify(params)])
  return joint
}

/**
 * Holds both bodies together: their frames coincide.
 * @param {BodyRef} body1
 * @param {BodyRef} body2
 * @param {[VectorInput, QuaternionInput, VectorInput, QuaternionInput]} params anchor and frame in each body
 */
export const useFixedJoint = (body1, body2, params) =>
  useImpulseJoint(body1, body2, JointData.fixed(...params))

/**
 * Holds a point of each together.
 * @param {BodyRef} body1
 * @param {BodyRef} body2
 * @param {[VectorInput, VectorInput]} params anchors
 */
export const useSphericalJoint = (body1, body2, params) =>
  useImpulseJoint(body1, body2, JointData.spherical(...params))

/**
 * Has them turn about an axis only.
 * @param {BodyRef} body1
 * @param {BodyRef} body2
 * @param {[VectorInput, VectorInput, VectorInput, Limits?]} params anchors, axis, limits in rad
 */
export const useRevoluteJoint = (body1, body2, [anchor1, anchor2, axis, limits]) =>
  useImpulseJoint(body1, body2, { ...JointData.revolute(anchor1, anchor2, axis), limits })

/**
 * Has them move along an axis only.
 * @param {BodyRef} body1
 * @param {BodyRef} body2
 * @param {[VectorInput, VectorInput, VectorInput, Limits?]} params anchors, axis, limits in metres
 */
export const usePrismaticJoint = (body1, body2, [anchor1, anchor2, axis, limits]) =>
  useImpulseJoint(body1, body2, { ...JointData.prismatic(anchor1, anchor2, axis), limits })

/**
 * Keeps their anchors no further apart than a length.
 * @param {BodyRef} body1
 * @param {BodyRef} body2
 * @param {[VectorInput, VectorInput, number]} params anchors, metres
 */
export const useRopeJoint = (body1, body2, [anchor1, anchor2, length]) =>
  useImpulseJoint(body1, body2, JointData.rope(length, anchor1, anchor2))

/**
 * A spring between their anchors.
 * @param {BodyRef} body1
 * @param {BodyRef} body2
 * @param {[VectorInput, VectorInput, number, number, number]} params anchors, metres at rest, N/m, N s/m
 */
export const useSpringJoint = (body1, body2, [anchor1, anchor2, rest, stiffness, damping]) =>
  useImpulseJoint(body1, body2, JointData.spring(rest, stiffness, damping, anchor1, anchor2))
