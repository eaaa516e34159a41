/**
 * Events of contacts and sensors beside a model: random scripts of steps, and of all that may begin or end a touch
 * between them. What fails shrinks to a short script, which the message has.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { collide, init, World } from 'moreau'

/** @import { Body, BodyDefinition, BodyType, ContactEvent, SensorEvent, ShapeDefinition } from 'moreau' */

before(() => init())

const BODIES = 6
/** m: what lies this near to touching may be inside or not, by rounding. */
const ROUNDING = 1e-9

// --- scripts ---------------------------------------------------------------------------------

const place = fc.tuple(
  ...[
    { min: -8, max: 8 },
    { min: 2, max: 12 },
    { min: -8, max: 8 },
  ].map((range) => fc.integer(range).map((x) => x / 10)),
)
const filter = fc.constantFrom({}, {}, {}, { mask: 0 }, { category: 2 }, { mask: 1 })
const placedShape = fc.record({
  shape: fc.constantFrom(
    { type: 'sphere', radius: 0.4 },
    { type: 'sphere', radius: 0.25 },
    { type: 'box', halfExtents: [0.4, 0.3, 0.3] },
    { type: 'capsule', radius: 0.2, halfHeight: 0.2 },
  ),
  sensor: fc.constantFrom(false, false, false, true),
  shift: fc.integer({ min: -4, max: 4 }).map((x) => x / 10),
  filter,
})
const type = fc.constantFrom('dynamic', 'dynamic', 'dynamic', 'static', 'kinematic')
const slot = fc.nat(BODIES - 1)
const index = fc.nat(3)

/** What a script is made of: words and numbers, so that the shortest that fails can be read and kept. */
const command = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('step'), times: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('create'), slot, type, place, shape: placedShape }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('destroy'), slot }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('teleport'), slot, place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('throw'), slot, place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('filter'), slot, filter }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('sleep', 'wake'), slot }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('type'), slot, type }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('add'), slot, shape: placedShape }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove'), slot, index }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('replace'), slot, index, shape: placedShape }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join'), slot, other: slot }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('part'), slot }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('solver'),
      solver: fc.constantFrom('soft-step', 'block-pgs', 'exact', 'auto'),
    }),
  },
)

/** @param {any} placed @returns {ShapeDefinition} */
const definitionOf = ({ shape, sensor, shift, filter: own }) => ({
  ...{ ...shape, sensor, position: [shift, 0, 0] },
  ...(Object.keys(own).length > 0 && { filter: own }),
})

// --- the model -------------------------------------------------------------------------------

/**
 * What a body is to the model: its shapes by names of their own, which they keep when others come and go. A shape that
 * takes the place of another has its name.
 */
class ModelBody {
  /** @param {Body} body @param {string} name */
  constructor(body, name) {
    this.body = body
    this.names = [name]
    /** As they were at the end of the last step, to which ends refer. */
    this.lastNames = this.names
  }
}

class Model {
  world = new World({ gravity: [0, -9.81, 0] })
  /** @type {(ModelBody | undefined)[]} */
  slots = Array.from({ length: BODIES })
  /** Those that lived in the last step. @type {Map<number, ModelBody>} */
  known = new Map()
  /** Pairs of names that began and did not end. @type {Map<string, [string, string]>} */
  contacts = new Map()
  /** @type {Map<string, [string, string]>} */
  insides = new Map()
  /** @type {ContactEvent[]} */
  contactEvents = []
  /** @type {SensorEvent[]} */
  sensorEvents = []
  /** Begins and ends that were told. */
  told = { contacts: 0, sensors: 0 }
  #count = 0

  constructor() {
    const { world } = this
    world.on('contact', (event) => this.contactEvents.push(event))
    world.on('sensor', (event) => this.sensorEvents.push(event))
    const floor = /** @type {const} */ ({ type: 'box', halfExtents: [5, 0.5, 5] })
    const body = world.createBody({ type: 'static', position: [0, -0.5, 0], shape: floor })
    /** @type {ModelBody | undefined} */
    this.floor = new ModelBody(body, 'floor')
    this.known.set(body.id, this.floor)
  }

  newName = () => `shape ${this.#count++}`

  /** Living bodies, the floor too. */
  get bodies() {
    return [this.floor, ...this.slots].filter((one) => one !== undefined)
  }

  // --- commands --------------------------------------------------------------------------------

  /** @param {any} order */
  run(order) {
    if (order.do === 'step') {
      for (let i = 0; i < order.times; i++) this.step()
    } else if (order.do === 'create') this.create(order)
    else if (order.do === 'solver') this.world.solver = order.solver
    else if (this.slots[order.slot])
      this.change(/** @type {ModelBody} */ (this.slots[order.slot]), order)
  }

  /** @param {any} order */
  create({ slot: at, type: kind, place: position, shape }) {
    this.slots[at]?.body.destroy()
    // With a mass of its own it may lose all of its shapes.
    const body = this.world.createBody({
      ...{ type: kind, position, mass: 100, inertia: [5, 5, 5], shape: definitionOf(shape) },
    })
    const made = new ModelBody(body, this.newName())
    this.slots[at] = made
    this.known.set(body.id, made)
  }

  /** @param {ModelBody} one @param {any} order */
  change(one, order) {
    const { body } = one
    if (order.do === 'destroy') {
      body.destroy()
      this.slots[order.slot] = undefined
    } else if (order.do === 'teleport') body.position = order.place
    else if (order.do === 'throw')
      body.linearVelocity = body.type === 'static' ? [0, 0, 0] : order.place
    else if (order.do === 'filter') body.filter = order.filter
    else if (order.do === 'sleep') body.sleep()
    else if (order.do === 'wake') body.wake()
    else if (order.do === 'type') body.type = order.type
    else if (order.do === 'join') this.join(one, order)
    else if (order.do === 'part') this.world.joints.find((joint) => joint.bodyB === body)?.destroy()
    else this.changeShapes(one, order)
  }

  /** @param {ModelBody} one @param {any} order */
  changeShapes(one, order) {
    const { body, names } = one
    if (order.do === 'add') {
      body.addShape(definitionOf(order.shape))
      one.names = [...names, this.newName()]
      return
    }
    const at = order.index % Math.max(names.length, 1)
    if (names.length === 0) return
    if (order.do === 'replace') body.replaceShape(at, definitionOf(order.shape))
    else {
      body.removeShape(at)
      one.names = names.toSpliced(at, 1)
    }
  }

  /** @param {ModelBody} one @param {any} order */
  join(one, { other }) {
    const partner = this.slots[other]
    if (partner === undefined || partner === one) return
    const [bodyA, bodyB] = [partner.body, one.body]
    if (bodyA.type !== 'dynamic' && bodyB.type !== 'dynamic') return
    const [anchor, collideConnected] = [bodyB.position, false]
    this.world.createJoint({ type: 'ball', bodyA, bodyB, anchor, collideConnected })
  }

  /** Destroys everything: all that is open ends. */
  end() {
    for (const { body } of this.bodies) body.destroy()
    this.slots.fill(undefined)
    this.floor = undefined
    this.step()
    assert.deepEqual([...this.contacts.keys(), ...this.insides.keys()], [])
  }

  // --- steps -----------------------------------------------------------------------------------

  step() {
    this.contactEvents = []
    this.sensorEvents = []
    this.world.step(1 / 60)
    for (const { type: kind, ...event } of this.contactEvents) {
      if (kind !== 'begin' && kind !== 'end') continue
      this.told.contacts++
      const a = this.nameOf(event.idA, event.shapeIndexA, kind === 'end')
      const b = this.nameOf(event.idB, event.shapeIndexB, kind === 'end')
      this.take(this.contacts, kind === 'begin', a, b)
    }
    for (const { type: kind, ...event } of this.sensorEvents) {
      this.told.sensors++
      const a = this.nameOf(event.sensorId, event.sensorShapeIndex, kind === 'exit')
      const b = this.nameOf(event.bodyId, event.shapeIndex, kind === 'exit')
      this.take(this.insides, kind === 'enter', a, b)
    }
    this.compare()
    this.known = new Map(this.bodies.map((one) => [one.body.id, one]))
    for (const one of this.bodies) one.lastNames = one.names
  }

  /**
   * @param {number} id of a body
   * @param {number} at place of a shape: as it is, or, of what is over, as it was in the last step
   * @param {boolean} isOver
   */
  nameOf(id, at, isOver) {
    const one = this.known.get(id)
    assert.ok(one, `an event of body ${id}, which is not known`)
    const name = (isOver ? one.lastNames : one.names)[at]
    assert.ok(name !== undefined, `an event of shape ${at} of ${id}, which is not there`)
    return name
  }

  /**
   * A begin follows no begin, an end follows one.
   * @param {Map<string, [string, string]>} open
   * @param {boolean} begins
   * @param {string} a
   * @param {string} b
   */
  take(open, begins, a, b) {
    const key = `${a} and ${b}`
    assert.equal(open.has(key), !begins, `${key} ${begins ? 'begin twice' : 'end without a begin'}`)
    if (begins) open.set(key, [a, b])
    else open.delete(key)
  }

  // --- what has to be open -----------------------------------------------------------------------

  compare() {
    const living = new Set(this.bodies.flatMap(({ names }) => names))
    for (const pair of [...this.contacts.values(), ...this.insides.values()]) {
      for (const name of pair) assert.ok(living.has(name), `${pair} go on, but ${name} is gone`)
    }
    this.compareContacts()
    this.compareInsides()
  }

  /** Bodies with a pushed point have an open pair of shapes, and open pairs have points. */
  compareContacts() {
    const owners = new Map(
      this.bodies.flatMap(({ body, names }) => names.map((name) => [name, body.id])),
    )
    const keyOf = (/** @type {(number | undefined)[]} */ ids) => ids.toSorted().join(' ')
    const open = new Set(
      Array.from(this.contacts.values(), (pair) => keyOf(pair.map((name) => owners.get(name)))),
    )
    const points = this.world.contactPoints()
    const [near, pushed] = [new Set(), new Set()]
    for (const { bodyA, bodyB, normalImpulse } of points) {
      const key = keyOf([bodyA.id, bodyB.id])
      near.add(key)
      if (normalImpulse > 0) pushed.add(key)
    }
    for (const key of pushed) assert.ok(open.has(key), `${key} push each other and did not begin`)
    for (const key of open) assert.ok(near.has(key), `${key} have no contact and did not end`)
  }

  /** A shape is inside of a sensor when the two overlap at the end of the step, by a test of its own. */
  compareInsides() {
    for (const sensor of this.bodies) {
      for (const other of this.bodies) {
        if (sensor === other || other.body.type === 'static') continue
        sensor.body.shapes.forEach((shape, i) => {
          if (!shape.sensor) return
          other.body.shapes.forEach((visitor, k) => {
            if (!visitor.sensor) this.compareInside(sensor, i, other, k)
          })
        })
      }
    }
  }

  /**
   * @param {ModelBody} sensor
   * @param {number} i
   * @param {ModelBody} other
   * @param {number} k
   */
  compareInside(sensor, i, other, k) {
    const [shape, visitor] = [sensor.body.shapes[i], other.body.shapes[k]]
    const found = collide(shape, poseOf(sensor), visitor, poseOf(other))
    if (found !== null && found.penetrationDepth < ROUNDING) return
    const isInside = found !== null && doFiltersMeet(filterOf(sensor, i), filterOf(other, k))
    const key = `${sensor.names[i]} and ${other.names[k]}`
    assert.equal(this.insides.has(key), isInside, `${key}: inside`)
  }
}

/** @param {ModelBody} one */
const poseOf = ({ body: { position, orientation } }) => ({ position, orientation })

/** @param {ModelBody} one @param {number} at */
const filterOf = ({ body }, at) => ({ ...ALL, ...(body.shapes[at].filter ?? body.filter) })

const ALL = { category: 1, mask: 0xffffffff, group: 0 }

/** @param {typeof ALL} a @param {typeof ALL} b */
const doFiltersMeet = (a, b) => (a.category & b.mask) !== 0 && (b.category & a.mask) !== 0

/** Scripts that failed once. @type {any[][]} */
const EXAMPLES = [
  // Of sleeping bodies a contact of the rows outlived the joint that forbade it, and then the bodies.
  [
    { do: 'create', slot: 4, type: 'dynamic', place: [0, 0.2, 0], shape: aBall() },
    { do: 'solver', solver: 'block-pgs' },
    { do: 'create', slot: 0, type: 'dynamic', place: [0, 0.2, 0], shape: aBall() },
    { do: 'step', times: 1 },
    { do: 'join', slot: 0, other: 4 },
    { do: 'sleep', slot: 0 },
    { do: 'step', times: 1 },
  ],
]

/** What a script has for a solid ball. */
function aBall() {
  return { shape: { type: 'sphere', radius: 0.4 }, sensor: false, shift: 0, filter: {} }
}

/** Scripts that are run; more by hand. */
const SCRIPTS = Number(process.env.MOREAU_SCRIPTS ?? 150)

describe('begin and end match exactly once', () => {
  test('over destruction, sleep, filters, shapes, joints and solvers', () => {
    const told = { contacts: 0, sensors: 0 }
    const run = (/** @type {any[]} */ script) => {
      const model = new Model()
      try {
        for (const order of script) model.run(order)
        model.end()
        told.contacts += model.told.contacts
        told.sensors += model.told.sensors
      } finally {
        model.world.free()
      }
    }
    const scripts = fc.array(command, { maxLength: 120, size: 'max' })
    fc.assert(fc.property(scripts, run), {
      examples: EXAMPLES.map((script) => /** @type {[any[]]} */ ([script])),
      seed: 1,
      numRuns: SCRIPTS,
      unbiased: true,
      includeErrorInReport: true,
    })
    // Scripts in which nothing happens would show nothing.
    assert.ok(told.contacts > 8 * SCRIPTS && told.sensors > 2 * SCRIPTS, JSON.stringify(told))
  })
})
