/**
 * What is no seam is felt: steps, walls, ridges, valleys, gutters, cracks and ends of the ground.
 */
import { World } from 'moreau'

/** @import { Vector } from '../../../scenarios/vector.mjs' */

/** Whether it is right, and what was seen. @typedef {{ isRight: boolean, seen: string }} Outcome */

const TIME_STEP = 1 / 60

/** m: a place where a coordinate in single precision would be wrong by 4 mm. */
const FAR = 1e5
export const PLACES = [0, FAR]

/** @param {number} x @param {number} y @param {number} z */
const box = (x, y, z) => ({ type: 'box', halfExtents: [x, y, z] })

/** A turn about z. @param {number} angle */
const aboutZ = (angle) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)]
/** A turn about x. @param {number} angle */
const aboutX = (angle) => [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)]

/** A world whose origin is somewhere. */
class Stage {
  /** @param {string} solver @param {number} place m, along x and z */
  constructor(solver, place) {
    this.world = new World({
      solver: /** @type {any} */ (solver),
      allowSleep: false,
      warnings: false,
    })
    this.place = place
  }

  /** @param {any} definition @param {Vector} position */
  #create(definition, [x, y, z]) {
    const position = [x + this.place, y, z + this.place]
    return this.world.createBody({ friction: 0, ...definition, position })
  }

  /** @param {any} shape @param {Vector} [position] @param {object} [more] */
  fix(shape, position = [0, 0, 0], more = {}) {
    this.#create({ type: 'static', shape, ...more }, position)
  }

  /** @param {any} shape @param {Vector} position @param {object} [more] */
  add(shape, position, more = {}) {
    const body = this.#create({ shape, ...more }, position)
    return {
      position: () => body.position.map((x, k) => (k === 1 ? x : x - this.place)),
      velocity: () => body.linearVelocity,
    }
  }

  /** @param {number} steps @param {() => void} [look] after each */
  run(steps, look = () => {}) {
    for (let i = 0; i < steps; i++) {
      this.world.step(TIME_STEP)
      look()
    }
  }
}

/** Surface over x, constant along z, of a profile of corners. @param {number[][]} profile @param {number} half of z */
function stripOf(profile, half) {
  const vertices = profile.flatMap(([x, y]) => [x, y, -half, x, y, half])
  const quads = profile.slice(1).map((_, i) => {
    const a = 2 * i
    return [a, a + 1, a + 3, a, a + 3, a + 2]
  })
  return { vertices, quads }
}

/** @param {Stage} stage @param {number[][]} profile @param {boolean} isOne mesh, or a body for each part */
function fixStrip(stage, profile, isOne) {
  const { vertices, quads } = stripOf(profile, 1.3)
  const parts = isOne ? [quads.flat()] : quads
  for (const indices of parts) stage.fix({ type: 'mesh', vertices, indices })
}

/** @param {number} h m @returns {number[][]} */
const stepProfile = (h) => [
  [-2.1, 0],
  [0, 0],
  [0, h],
  [2.3, h],
]

/** Ways to make a step up at x = 0. @type {Record<string, (stage: Stage, h: number) => void>} */
const STEPS = {
  'one mesh': (stage, h) => fixStrip(stage, stepProfile(h), true),
  'mesh tiles': (stage, h) => fixStrip(stage, stepProfile(h), false),
  'box tiles': (stage, h) => {
    stage.fix(box(1, 0.5, 1.3), [-1, -0.5, 0])
    stage.fix(box(1, 0.5, 1.3), [1, h - 0.5, 0])
  },
}

/** @type {Record<string, { shape: any, height: number, speed: number, more?: object }>} */
const STOPPED = {
  box: { shape: box(0.28, 0.28, 0.28), height: 0.28, speed: 1.1 },
  wheel: {
    ...{ shape: { type: 'cylinder', radius: 0.27, halfHeight: 0.06 }, height: 0.27, speed: 0.25 },
    more: {
      orientation: aboutX(Math.PI / 2),
      friction: 0.6,
      angularVelocity: [0, 0, -0.25 / 0.27],
    },
  },
}

/** The slowest that something gets at a step, m/s. @param {string} solver @param {number} place @param {string} kind @param {string} name @param {number} h */
function slowest(solver, place, kind, name, h) {
  const { shape, height, speed, more } = STOPPED[name]
  const stage = new Stage(solver, place)
  STEPS[kind](stage, h)
  const body = stage.add(shape, [-0.1 - height, height, 0.1], {
    linearVelocity: [speed, 0, 0],
    ...more,
  })
  let least = speed
  stage.run(120, () => (least = Math.min(least, body.velocity()[0])))
  return least
}

/** @param {string} kind @param {string} name @param {number} h */
const stepControl =
  (kind, name, h) => (/** @type {string} */ solver, /** @type {number} */ place) => {
    const { speed } = STOPPED[name]
    const [it, mesh] = [kind, 'one mesh'].map((one) => slowest(solver, place, one, name, h))
    const isRight = it < 0.5 * speed && Math.abs(it - mesh) < 0.5 * speed
    return {
      isRight,
      seen: `slowest ${it.toFixed(3)}, on one mesh ${mesh.toFixed(3)} of ${speed} m/s`,
    }
  }

/** @param {Stage} stage @param {number} columns to both sides @param {number} rows */
function fixTiles(stage, columns, rows) {
  for (let i = -columns; i <= columns; i++)
    for (let j = -rows; j <= rows; j++) stage.fix(box(0.5, 0.5, 0.5), [i, -0.5, j])
}

const WEDGE = [-0.3, 0.5].flatMap((x) => [-0.3, 0.3].flatMap((z) => [x, -0.3, z]))
/** @type {Record<string, any>} */
const AGAINST_WALLS = {
  box: box(0.3, 0.3, 0.3),
  ball: { type: 'sphere', radius: 0.3 },
  wedge: { type: 'hull', points: [...WEDGE, -0.3, 0.3, -0.3, -0.3, 0.3, 0.3] },
}

/** @param {string} name @param {number} angle of the wall @param {number} speed */
const wallControl =
  (name, angle, speed) => (/** @type {string} */ solver, /** @type {number} */ place) => {
    const stage = new Stage(solver, place)
    fixTiles(stage, 3, 2)
    const orientation = [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)]
    stage.fix(box(0.1, 1, 3.2), [1.7, 1, 0], { orientation })
    const body = stage.add(AGAINST_WALLS[name], [-0.5, 0.3, 0], { linearVelocity: [speed, 0, 0] })
    let deep = -9
    stage.run(90, () => {
      const [x, , z] = body.position()
      deep = Math.max(deep, (x - 1.7) * Math.cos(angle) - z * Math.sin(angle))
    })
    return { isRight: deep < -0.3, seen: `${deep.toFixed(3)} m before the middle of the wall` }
  }

/** Two planes that meet at x = 0. @param {Stage} stage @param {string} kind @param {number} slope rad, of both */
function fixFold(stage, kind, slope) {
  const [c, s] = [Math.cos(slope), Math.sin(slope)]
  if (kind === 'boxes')
    for (const side of [-1, 1])
      stage.fix(box(2, 0.5, 2), [side * (2 * c + 0.5 * s), 2 * s - 0.5 * c, 0], {
        orientation: aboutZ(side * slope),
      })
  else {
    const y = 3.7 * Math.tan(slope)
    const profile = [
      [-3.7, y],
      [0, 0],
      [3.7, y],
    ]
    fixStrip(stage, profile, kind === 'one mesh')
  }
}

/** @param {string} kind @param {number} slope @param {boolean} isBall */
const foldControl =
  (kind, slope, isBall) => (/** @type {string} */ solver, /** @type {number} */ place) => {
    const stage = new Stage(solver, place)
    const half = 0.21
    fixFold(stage, kind, slope)
    const over = (/** @type {number} */ x) => Math.abs(x) * Math.tan(slope)
    const lift = isBall
      ? half / Math.cos(slope)
      : half * (Math.cos(slope) + Math.abs(Math.sin(slope)))
    const shape = isBall ? { type: 'sphere', radius: half } : box(half, half, half)
    const body = stage.add(shape, [-1.2, over(-1.2) + lift, 0], { linearVelocity: [4.2, 0, 0] })
    let low = 9
    stage.run(60, () => {
      const [x, y] = body.position()
      if (Math.abs(x) < 3) low = Math.min(low, y - over(x))
    })
    const [x] = body.position()
    return {
      isRight: low > 0.85 * half && x > 0.3,
      seen: `lowest ${low.toFixed(3)} m over the surface, at x ${x.toFixed(2)}`,
    }
  }

/** @type {Record<string, (solver: string, place: number) => Outcome>} */
const OTHERS = {
  'a ball in a corner of three walls rests'(solver, place) {
    const stage = new Stage(solver, place)
    stage.fix(box(2, 0.5, 2), [0, -0.5, 0])
    stage.fix(box(0.1, 1, 2), [1.1, 1, 0])
    stage.fix(box(2, 1, 0.1), [0, 1, 1.1])
    const ball = { type: 'sphere', radius: 0.22 }
    const body = stage.add(ball, [0, 0.22, 0], { linearVelocity: [3, 0, 3] })
    stage.run(120)
    const [x, y, z] = body.position()
    return { isRight: x < 0.79 && z < 0.79 && y > 0.21 && y < 0.27, seen: `${x}, ${y}, ${z}` }
  },
  'a wheel runs in a gutter of boxes'(solver, place) {
    const stage = new Stage(solver, place)
    for (const i of [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5])
      for (const side of [-1, 1])
        stage.fix(box(0.5, 0.1, 0.5), [i, 0.25, side * 0.4], {
          ...{ friction: 0.5, orientation: aboutX(-side * 0.6) },
        })
    const wheel = { type: 'cylinder', radius: 0.3, halfHeight: 0.05 }
    const more = {
      orientation: aboutX(Math.PI / 2),
      friction: 0.5,
      angularVelocity: [0, 0, -2 / 0.3],
    }
    const body = stage.add(wheel, [-3, 0.6, 0], { linearVelocity: [2, 0, 0], ...more })
    stage.run(90)
    const [x, y, z] = body.position()
    return { isRight: y > 0.3 && Math.abs(z) < 0.2 && x > -1.5, seen: `${x}, ${y}, ${z}` }
  },
  'a ball falls into a crack that is wider than it'(solver, place) {
    const stage = new Stage(solver, place)
    for (const side of [-1, 1]) stage.fix(box(1, 0.5, 1), [side * 1.06, -0.5, 0])
    const body = stage.add({ type: 'sphere', radius: 0.05 }, [-0.4, 0.05, 0.1], {
      linearVelocity: [0.3, 0, 0],
    })
    stage.run(180)
    const [, y] = body.position()
    return { isRight: y < -0.2, seen: `height ${y.toFixed(3)} m` }
  },
  'a body that is pushed off the last tile falls'(solver, place) {
    const stage = new Stage(solver, place)
    fixTiles(stage, 1, 0)
    const body = stage.add(box(0.2, 0.2, 0.2), [0, 0.2, 0], { linearVelocity: [3, 0, 0] })
    stage.run(90)
    const [, y] = body.position()
    return { isRight: y < -1, seen: `height ${y.toFixed(3)} m` }
  },
  'a box that falls on a crossing of four tiles rests'(solver, place) {
    const stage = new Stage(solver, place)
    fixStrip(
      stage,
      [
        [-1.2, 0],
        [0.04, 0],
        [1.2, 0],
      ],
      false,
    )
    const body = stage.add(box(0.2, 0.2, 0.2), [0.05, 0.5, -0.03])
    stage.run(120)
    const [, y] = body.position()
    const speed = Math.hypot(...body.velocity())
    return { isRight: Math.abs(y - 0.2) < 0.006 && speed < 0.01, seen: `${y} m, ${speed} m/s` }
  },
  'a pyramid of boxes on tiles stands'(solver, place) {
    const stage = new Stage(solver, place)
    for (const i of [-2, -1, 0, 1, 2])
      stage.fix(box(0.5, 0.5, 0.5), [i, -0.5, 0], { friction: 0.5 })
    const places = [5, 4, 3, 2, 1].flatMap((count, k) =>
      Array.from({ length: count }, (_, i) => [0.41 * (i - (count - 1) / 2), 0.2 + 0.4 * k, 0]),
    )
    const bodies = places.map((at) =>
      stage.add(box(0.2, 0.2, 0.2), /** @type {any} */ (at), { friction: 0.5 }),
    )
    stage.run(240)
    const apart = bodies.map((body, i) =>
      Math.hypot(...body.position().map((x, k) => x - places[i][k])),
    )
    const most = Math.max(...apart)
    return { isRight: most < 0.02, seen: `one moved by ${most} m` }
  },
}

/** @returns {Record<string, (solver: string, place: number) => Outcome>} */
function allControls() {
  /** @type {ReturnType<typeof allControls>} */
  const all = { ...OTHERS }
  for (const kind of Object.keys(STEPS))
    for (const name of Object.keys(STOPPED))
      for (const h of [0.01, 0.03, 0.1])
        all[`a step of ${h} m of ${kind} stops a ${name}`] = stepControl(kind, name, h)
  for (const name of Object.keys(AGAINST_WALLS))
    for (const angle of [0, 0.52])
      for (const speed of [1, 5])
        all[`a wall turned by ${angle} stops a ${name} at ${speed} m/s`] = wallControl(
          name,
          angle,
          speed,
        )
  for (const kind of ['boxes', 'mesh tiles', 'one mesh'])
    for (const [fold, slope] of /** @type {[string, number][]} */ ([
      ['valley', 0.3],
      ['ridge', -0.3],
    ]))
      for (const isBall of [true, false])
        all[`a ${fold} of ${kind} leads a ${isBall ? 'ball' : 'box'}`] = foldControl(
          kind,
          slope,
          isBall,
        )
  return all
}

export const CONTROLS = Object.freeze(allControls())
