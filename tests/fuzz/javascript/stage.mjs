/**
 * What the lines of a sequence speak of: a world, its bodies, joints, constraints, potentials and shapes by number, and
 * values that no function expects. Lines are JavaScript, so that a failure can be pasted and run.
 */

import { SyncTestSession } from 'moreau/rollback'

/** What a line throws that speaks of something that is not there: it counts as if it had not been. */
export class Nothing extends Error {}

/** What functions of the user throw on purpose. */
export class OnPurpose extends Error {}

/** @typedef {typeof import('moreau')} Moreau */

/** Values that are no argument of anything. */
const STRANGE = [
  () => NaN,
  () => Infinity,
  () => -Infinity,
  () => undefined,
  () => null,
  () => '1',
  () => '',
  () => Symbol('strange'),
  () => ({}),
  () => [],
  () => [1, 2],
  () => [Symbol('one'), 2, 3],
  () => Object.create(null),
  () => ({ toString: null, valueOf: null }),
  () => Object.assign(Object.create(null), { x: 1, y: NaN, z: 0 }),
  () => revoked({}),
  () => revoked([]),
  () => [revoked({}), 1, 2],
  () => 10n,
  () => () => 1,
  () => true,
  () => new Date(NaN),
  () => new Float64Array(2),
  () => new BigInt64Array(3),
  () => Object.freeze([1, 2, Infinity]),
  () => ({ constructor: Symbol('no name') }),
  () => new Proxy([0, 0, 0], {}),
]

/** @param {object} target */
function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** A world and all that a line may name. */
export class Stage {
  /** Whether values that read the world while they are read are replaced by what they give. */
  #isPlain
  /** @type {any} */
  #bystander
  /** @type {Uint8Array | undefined} */
  #kept
  /** Whether a line has asked to be told once. */
  hasOnce = false
  /** @type {any} */
  #batch

  /**
   * @param {any} moreau the package
   * @param {object} options of the world
   * @param {{ isPlain?: boolean }} [how]
   */
  constructor(moreau, options, { isPlain = false } = {}) {
    this.moreau = moreau
    this.#isPlain = isPlain
    this.world = new moreau.World(options)
    /** @type {Record<'bodies' | 'joints' | 'constraints' | 'potentials' | 'shapes' | 'characters' | 'vehicles' | 'ragdolls' | 'hulls' | 'histories', any[]>} */
    this.made = {
      ...{ bodies: [], joints: [], constraints: [], potentials: [], shapes: [] },
      ...{ characters: [], vehicles: [], ragdolls: [], hulls: [], histories: [] },
    }
  }

  /** @param {number} i */
  body = (i) => this.#pick('bodies', i)
  /** @param {number} i */
  joint = (i) => this.#pick('joints', i)
  /** @param {number} i */
  constraint = (i) => this.#pick('constraints', i)
  /** @param {number} i */
  potential = (i) => this.#pick('potentials', i)
  /** @param {number} i */
  character = (i) => this.#pick('characters', i)
  /** @param {number} i */
  vehicle = (i) => this.#pick('vehicles', i)
  /** @param {number} i */
  ragdoll = (i) => this.#pick('ragdolls', i)
  /** @param {number} i */
  hull = (i) => this.#pick('hulls', i)
  /** @param {number} i */
  history = (i) => this.#pick('histories', i)
  /** @param {number} i */
  shape = (i) => this.#pick('shapes', i)

  /** @param {any} definition */
  createBody = (definition) => void this.made.bodies.push(this.world.createBody(definition))
  /** @param {any} definition */
  createJoint = (definition) => void this.made.joints.push(this.world.createJoint(definition))
  /** @param {any} definition */
  createConstraint = (definition) =>
    void this.made.constraints.push(this.world.createConstraint(definition))
  /** @param {any} definition */
  createPotential = (definition) =>
    void this.made.potentials.push(this.world.createPotential(definition))
  /** @param {any} definition */
  createCharacter = (definition) =>
    void this.made.characters.push(this.world.createCharacter(definition))
  /** @param {any} definition */
  createVehicle = (definition) => void this.made.vehicles.push(this.world.createVehicle(definition))
  /** @param {any} skeleton */
  createRagdoll = (skeleton) => void this.made.ragdolls.push(this.world.createRagdoll(skeleton))
  /** @param {any} points */
  createHull = (points) => void this.made.hulls.push(this.moreau.ConvexHull.fromPoints(points))
  /** @param {any} definition */
  createShape = (definition) => void this.made.shapes.push(this.moreau.createShape(definition))

  /** @param {any} options */
  createHistory = (options) => void this.made.histories.push(this.world.history(options))

  /** Keeps the state of now for `restore`. */
  keep = () => {
    this.#kept = this.world.snapshot()
  }
  /** Brings back the state that was kept last. */
  restore = () => {
    if (this.#kept === undefined) throw new Nothing()
    this.world.restore(this.#kept)
  }

  /** @param {any} options of a batch that begins as the world */
  createBatch = (options) => {
    this.#batch?.free()
    this.#batch = undefined
    this.#batch = new this.moreau.WorldBatch(this.world, options)
  }
  /** The batch that was made last. */
  batch = () => {
    if (this.#batch === undefined) throw new Nothing()
    return this.#batch
  }

  /**
   * Goes on with a copy of a world of the batch, which must be the same and then go its own way.
   * @param {any} index
   */
  lookAtCopy = (index) => {
    const batch = this.batch()
    const world = batch.world(index)
    try {
      const hash = batch.hash(index)
      if (world.hash() !== hash) throw new Error(`a copy has the hash ${world.hash()}, not ${hash}`)
      this.#quietly(() => world.step(1 / 60))
      if (batch.hash(index) !== hash) throw new Error('a step of a copy changed the batch')
    } finally {
      world.free()
    }
  }

  /**
   * Makes frames in which nobody does anything, each of them again, and compares. Where a step fails the world is as it was,
   * but for what it says of its last step: for the replay the line was no refused one.
   */
  rollback = () => {
    const start = this.world.snapshot()
    try {
      const session = new SyncTestSession(this.world, { applyInputs() {}, checkDistance: 2 })
      for (let i = 0; i < 3; i++) session.advanceFrame(i)
    } catch (error) {
      // The session comes from the package itself, and the world from a copy of it: its errors are of another class.
      const hasDiverged = /** @type {any} */ (error).code === 'diverged'
      const isOfStep = error instanceof this.moreau.MoreauError || error instanceof OnPurpose
      if (!hasDiverged && !isOfStep) throw error
      this.world.restore(start)
      // A listener that is told once changes the world the first time alone.
      if (hasDiverged && !this.hasOnce) throw error
    }
  }

  /** @param {number} i */
  strange = (i) => STRANGE[i % STRANGE.length]()

  /** Everything that can be read of the world, as callbacks do it. */
  read = () => {
    void [this.world.contactEvents, this.world.sensorEvents]
    this.#readState()
  }

  /**
   * What can be read without having an effect: events of contacts and sensors are watched from the moment on at
   * which they are read first, so that listeners are told other things.
   */
  #readState() {
    const { world } = this
    void [world.stats, world.sleepEvents, world.moved, world.transforms, world.velocities]
    void [world.jointEvents, world.warnings]
    world.contactPoints()
    world.hash()
    for (const readOut of [
      () => world.residual(),
      () => world.islands(),
      () => world.solverEvents,
      () => world.recordProblem(),
      () => world.energy(),
      () => world.momentum(),
      () => world.debugRender(),
    ]) {
      this.#quietly(readOut)
    }
    for (const body of world.bodies) void [body.mass, body.kineticEnergy, body.contacts()]
    for (const one of [...world.joints, ...world.constraints]) void [one.impulse(), one.coordinate]
    world.rayCast([0, 9, 0], [0, -1, 0])
  }

  /**
   * Reads all properties of an object, and calls all of its `read...` with room for the answer.
   * @param {any} thing
   */
  look = (thing) => {
    if (thing === undefined) throw new Nothing()
    if (this.#isPlain) return
    for (let one = Object.getPrototypeOf(thing); one !== Object.prototype;) {
      for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(one))) {
        if (get) this.#quietly(() => thing[name])
        if (/^read[A-Z]/.test(name) && value.length === 1) {
          this.#quietly(() => thing[name](new Float64Array(64)))
        }
      }
      one = Object.getPrototypeOf(one)
    }
  }

  /**
   * Makes a call that may be refused, as functions of the user do.
   * @param {() => unknown} call
   */
  attempt = (call) => this.#quietly(call)

  /** Steps another world from inside of a function of this one. */
  stepBystander = () => {
    this.#bystander ??= this.#makeBystander()
    this.#bystander.step(1 / 60)
  }

  /**
   * A definition of which every property reads the world when it is read.
   * @param {Record<string, any>} definition
   */
  nosy = (definition) => {
    if (this.#isPlain) return definition
    const entries = Object.entries(definition).map(([name, value]) => {
      const get = () => {
        this.#readState()
        return value
      }
      return [name, { get, enumerable: true }]
    })
    return Object.defineProperties({}, Object.fromEntries(entries))
  }

  /** @param {string} [text] */
  throws = (text = 'on purpose') => {
    throw new OnPurpose(text)
  }

  free() {
    this.world.free()
    this.#batch?.free()
    this.#bystander?.free()
    for (const one of [...this.made.shapes, ...this.made.hulls]) one.free()
  }

  /**
   * @param {keyof Stage['made']} kind
   * @param {number} i
   */
  #pick(kind, i) {
    const list = this.made[kind]
    if (list.length === 0) throw new Nothing()
    return list[i % list.length]
  }

  /** @param {() => unknown} readOut one that may be refused */
  #quietly(readOut) {
    try {
      readOut()
    } catch (error) {
      if (!(error instanceof this.moreau.MoreauError)) throw error
    }
  }

  #makeBystander() {
    const world = new this.moreau.World({ solver: 'exact' })
    try {
      world.createBody({ type: 'static', shape: { type: 'plane' } })
      world.createBody({ shape: { type: 'sphere', radius: 0.5 }, position: [0, 0.5, 0] })
      return world
    } catch (error) {
      world.free()
      throw error
    }
  }
}

/** Names that a line may use. */
export const NAMES = Object.freeze([
  ...['world', 'moreau', 'body', 'joint', 'constraint', 'potential', 'shape'],
  ...['createBody', 'createJoint', 'createConstraint', 'createPotential', 'createShape'],
  ...['character', 'vehicle', 'createCharacter', 'createVehicle'],
  ...['ragdoll', 'hull', 'createRagdoll', 'createHull', 'look', 'keep', 'restore', 'rollback'],
  ...['history', 'createHistory', 'batch', 'createBatch', 'lookAtCopy'],
  ...['attempt', 'strange', 'read', 'stepBystander', 'nosy', 'throws'],
])
