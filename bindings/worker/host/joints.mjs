import { bodyReference, constraintReference } from '../references.mjs'

/** @import { Entry } from '../../state/journal.mjs' */

/**
 * Joints break here, in steps, and the page hears of it some time later. Until then it calls what is not there any more,
 * and gives ids to new ones as if it were.
 */
export class Joints {
  /** Ids here by those of the page, where they differ. @type {Map<number, number>} */
  aliases = new Map()
  /** What broke, by the page's ids. @type {Set<number>} */
  #broken = new Set()

  /** Id of the page for one of here. @param {number} id @returns {number} */
  idThere = (id) => {
    for (const [there, here] of this.aliases) if (here === id) return there
    return id
  }

  /** @param {number} id here */
  hasBroken(id) {
    const there = this.idThere(id)
    this.aliases.delete(there)
    this.#broken.add(there)
  }

  /**
   * Whether an entry is about a joint that has broken.
   * @param {Entry} entry
   */
  isOfBroken([kind, name, args]) {
    if (kind === 'destroy') return name === 'constraint' && this.#broken.has(args)
    if (kind === 'constraint') return this.#couples(args)
    return kind === 'call' && name.startsWith('constraint_') && this.#broken.has(args[0])
  }

  /** @param {any} row of a constraint */
  #couples({ joints }) {
    return joints.some((/** @type {number} */ id) => this.#broken.has(id))
  }

  /**
   * A gear or rack whose joint has broken before it came breaks at once.
   * @param {any} row of it
   * @returns {object} its event
   */
  breakAtOnce({ id, bodyA, bodyB }) {
    this.#broken.add(id)
    const [a, b] = [bodyReference(bodyA), bodyReference(bodyB)]
    return {
      type: 'break',
      joint: constraintReference(id),
      bodyA: a,
      bodyB: b,
      force: 0,
      torque: 0,
    }
  }

  /** The page has made the world another one: ids are the same again. */
  reset() {
    this.aliases.clear()
    this.#broken.clear()
  }
}
