/** ms in which half of an offset is worked off */
const HALF_LIFE = 60
/** m/s and rad/s: no offset of up to 6 m is worked off faster. At 60 pictures a second that is 0.1 m, what a ball of the demo rolls between two of them. */
const [TOP_SPEED, TOP_SPIN] = [6, 12]
/** s: a larger one goes so much faster that it is over as soon. With the end of it, which is slower, a body is where it is after 1.5 s, to a centimetre. */
const LONGEST = 1
/** m and rad: what nobody sees */
const NOTHING = 1e-4

/** Position x y z and orientation x y z w. @typedef {readonly number[]} Pose */

/** How far a body is drawn from where it is, while that is worked off: no picture is further from the last one than by its speed. */
export class Offset {
  #shift = [0, 0, 0]
  #turn = [0, 0, 0, 1]
  #speed = TOP_SPEED

  /** The body is elsewhere all at once: it goes on being drawn where it was. @param {Pose} before @param {Pose} now */
  absorb(before, now) {
    const shift = this.#shift
    for (let axis = 0; axis < 3; axis++) shift[axis] += before[axis] - now[axis]
    const turn = product(before.slice(3), conjugate(now.slice(3)))
    this.#turn = unit(product(this.#turn, turn))
    this.#speed = Math.max(this.#speed, this.distance / LONGEST)
  }

  /** m/s by which it is worked off at the most */
  get speed() {
    return this.#speed
  }

  /** @param {number} elapsed ms */
  advance(elapsed) {
    const wanted = 1 - 0.5 ** (elapsed / HALF_LIFE)
    const seconds = elapsed / 1000
    const rest = 1 - part(wanted, this.#speed * seconds, this.distance)
    this.#shift = this.#shift.map((x) => x * rest)
    this.#turn = less(this.#turn, part(wanted, TOP_SPIN * seconds, this.angle))
    if (this.isNothing) this.#speed = TOP_SPEED
  }

  /** m */
  get distance() {
    return Math.hypot(...this.#shift)
  }

  /** rad */
  get angle() {
    const [x, y, z, w] = this.#turn
    return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w))
  }

  /** Whether nobody sees it. */
  get isNothing() {
    return this.distance < NOTHING && this.angle < NOTHING
  }

  /** @param {Pose} pose where the body is @returns {number[]} where it is drawn */
  apply(pose) {
    const position = this.#shift.map((x, axis) => pose[axis] + x)
    return [...position, ...unit(product(this.#turn, pose.slice(3)))]
  }
}

/** The part of an offset that is worked off. @param {number} wanted @param {number} most in its unit @param {number} size */
const part = (wanted, most, size) => (size > 0 ? Math.min(wanted, most / size) : wanted)

/** @param {readonly number[]} q */
const conjugate = ([x, y, z, w]) => [-x, -y, -z, w]

/** @param {readonly number[]} a @param {readonly number[]} b quaternions @returns {number[]} first b, then a */
const product = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
  aw * bw - ax * bx - ay * by - az * bz,
]

/** @param {readonly number[]} q */
function unit(q) {
  const length = Math.hypot(...q) || 1
  return q.map((x) => x / length)
}

/** A rotation less a part of its angle, on the shorter way. @param {readonly number[]} q @param {number} portion @returns {number[]} */
function less([x, y, z, w], portion) {
  const sine = Math.hypot(x, y, z)
  const half = Math.atan2(sine, Math.abs(w)) * (1 - portion)
  const scale = sine > 0 ? (Math.sign(w || 1) * Math.sin(half)) / sine : 0
  return [x * scale, y * scale, z * scale, Math.cos(half)]
}
