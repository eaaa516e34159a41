/** @import { Warnings } from '../xml/reader.mjs' */
/** @import { Coupling } from './mechanism.mjs' */

/**
 * Couplings in the order in which followers can be brought to where they belong: each after those that its leader follows.
 * @param {readonly Coupling[]} couplings
 * @param {Warnings} warnings
 * @returns {Coupling[]} without those that close a circle, with a warning
 */
export function inOrder(couplings, warnings) {
  /** @type {Map<string, Coupling[]>} by the joint that follows */
  const waiting = new Map()
  for (const coupling of couplings) {
    const own = waiting.get(coupling.follower) ?? []
    own.push(coupling)
    waiting.set(coupling.follower, own)
  }
  /** @type {Map<string | null, Coupling[]>} by the joint that leads */
  const led = new Map()
  /** @type {Coupling[]} */
  const ready = []
  for (const coupling of couplings) {
    if (coupling.leader === null || !waiting.has(coupling.leader)) {
      ready.push(coupling)
      continue
    }
    const own = led.get(coupling.leader) ?? []
    own.push(coupling)
    led.set(coupling.leader, own)
  }
  // A list that grows while it is gone through: what leads is done when all that it follows is.
  const done = new Set(ready)
  for (const { follower } of ready) {
    if (!(waiting.get(follower) ?? []).every((one) => done.has(one))) continue
    for (const next of led.get(follower) ?? []) {
      if (done.has(next)) continue
      done.add(next)
      ready.push(next)
    }
  }
  for (const { place } of couplings.filter((one) => !done.has(one))) {
    warnings.add(place, 'it follows itself, by way of others: left out')
  }
  return ready
}
