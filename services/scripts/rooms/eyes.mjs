import { FRAME_TIME } from '../../source/netcode/events.mjs'

/** @import { RoomClient } from '../../source/client/index.mjs' */
/** @typedef {import('moreau').Body} Body */

/** m: what a ball of the demo at its top speed moves in a frame */
export const FRAME_OF_MOTION = 7 / 60

/** m: contacts close what overlaps by moving bodies in a frame beyond their velocity, by less than soft-step's linearSlop */
const CORRECTION_OF_CONTACTS = 0.005

/** ms: pictures that are further apart, as on a busy machine, tell of a body's way only where it was at both ends */
const MOST_APART = 50

/** Where a body is drawn, and how fast it is. @typedef {{ place: number[], speed: number }} Sight */

/** Somebody who looks at what a client draws, and sees what moves further from one picture to the next than it can have gone. */
export class Eyes {
  #client
  /** By id of the body. @type {Map<number, Sight>} */
  #last = new Map()
  /** m: the longest way of a body between two pictures beyond its own speed, for each sixtieth of a second between them */
  jump = 0
  /** m/s: the fastest at which a correction was worked off */
  speed = 0

  /** @param {RoomClient} client */
  constructor(client) {
    this.#client = client
    const { smoothing } = client
    const onRollback = smoothing.onRollback.bind(smoothing)
    smoothing.onRollback = (simulation, isBefore) => {
      onRollback(simulation, isBefore)
      if (!isBefore) this.#correct(simulation.world.bodies)
    }
  }

  /** A corrected body goes on from its last picture with its new speed, which it may lose before the next. @param {readonly Body[]} bodies */
  #correct(bodies) {
    for (const body of bodies) {
      const sight = this.#last.get(body.id)
      if (sight) sight.speed = Math.max(sight.speed, body.speed)
    }
  }

  /** m: what a correction may move a body in a sixtieth of a second */
  get allowedJump() {
    return Math.max(FRAME_OF_MOTION, (this.speed * FRAME_TIME) / 1000) + CORRECTION_OF_CONTACTS
  }

  /** @param {number} elapsed ms since the last picture @param {number} made frames of the room since then */
  look(elapsed, made) {
    const { world, smoothing } = this.#client
    const frames = Math.max(1, elapsed / FRAME_TIME)
    const seen = new Map()
    this.speed = Math.max(this.speed, smoothing.speed)
    for (const body of world.bodies) {
      if (body.type !== 'dynamic') continue
      const sight = { place: smoothing.pose(body).slice(0, 3), speed: body.speed }
      const before = this.#last.get(body.id)
      if (before && elapsed <= MOST_APART)
        this.jump = Math.max(this.jump, beyond(before, sight, made) / frames)
      seen.set(body.id, sight)
    }
    this.#last = seen
  }
}

/** @param {Sight} before @param {Sight} now @param {number} made frames @returns {number} m */
function beyond(before, now, made) {
  const way = Math.hypot(...now.place.map((x, axis) => x - before.place[axis]))
  return way - (made * Math.max(before.speed, now.speed) * FRAME_TIME) / 1000
}
