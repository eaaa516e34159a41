import { useEffect, useRef } from 'react'
import { useRapier } from '../components/context.mjs'

/** @import { FilterContactPair, FilterIntersectionPair } from '../../rapier/pair-rules.mjs' */
/** @import { StepCallback } from '../components/simulation.mjs' */

/**
 * Has a set hold the latest function of a component, while it is mounted.
 * @template {Function} F
 * @param {Set<{ current: F }>} set
 * @param {F} callback
 */
function useMember(set, callback) {
  const latest = useRef(callback)
  useEffect(() => {
    latest.current = callback
  })
  useEffect(() => {
    set.add(latest)
    return () => void set.delete(latest)
  }, [set])
}

/**
 * Calls a function before each step: the place for forces.
 * @param {StepCallback} callback
 */
export function useBeforePhysicsStep(callback) {
  useMember(useRapier().beforeStepCallbacks, callback)
}

/** @param {StepCallback} callback called after each step */
export function useAfterPhysicsStep(callback) {
  useMember(useRapier().afterStepCallbacks, callback)
}

/**
 * Decides about pairs of which one collider has `ActiveHooks.FILTER_CONTACT_PAIRS`: whether they push each other in the step,
 * `SolverFlags`, or null: whatever the next one says.
 * @param {FilterContactPair} callback
 */
export function useFilterContactPair(callback) {
  useMember(useRapier().filterContactPairHooks, callback)
}

/**
 * Decides whether handlers are told that a sensor is entered or left, where one of both colliders has
 * `ActiveHooks.FILTER_INTERSECTION_PAIRS`.
 * @param {FilterIntersectionPair} callback
 */
export function useFilterIntersectionPair(callback) {
  useMember(useRapier().filterIntersectionPairHooks, callback)
}
