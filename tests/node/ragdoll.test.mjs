/**
 * Ragdolls: bodies and joints of a skeleton, limits, and motors that follow an animation.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { init, MoreauError, Ragdoll, World } from 'moreau'

/** @import { BoneDefinition, Quaternion, SolverName } from 'moreau' */

before(() => init())

const SOLVERS = /** @type {const} */ (['exact', 'block-pgs', 'soft-step'])
/** Overlap that is left alone, m (docs/physics.md). */
const SLOP = /** @type {Record<SolverName, number>} */ ({
  ...{ exact: 0.001, 'block-pgs': 0.001, 'soft-step': 0.005 },
})
const DT = 1 / 60
const DEGREE = Math.PI / 180

/** An orientation: by an angle about an axis. @param {number} angle @param {number[]} axis @returns {Quaternion} */
const about = (angle, [x, y, z]) => {
  const s = Math.sin(angle / 2)
  return [s * x, s * y, s * z, Math.cos(angle / 2)]
}

/** The angle between two orientations. @param {Quaternion} p @param {Quaternion} q */
const between = (p, q) => {
  const [a, b, c, d] = p.map((x, i) => x * q[i])
  return 2 * Math.acos(Math.min(1, Math.abs(a + b + c + d)))
}

const BACKWARDS = about(Math.PI, [0, 0, 1])
const SHOULDER = /** @type {const} */ ({ type: 'ball', cone: 1.5, twist: [-0.8, 0.8] })

/** @param {string} side @param {number} x @returns {BoneDefinition[]} an arm and a leg that hang */
const limbs = (side, x) => [
  {
    ...{ name: `upperArm${side}`, parent: 'torso', length: 0.28, radius: 0.045, joint: SHOULDER },
    ...{ position: [2.4 * x, 0.45, 0], orientation: BACKWARDS },
  },
  {
    ...{ name: `lowerArm${side}`, parent: `upperArm${side}`, length: 0.26, radius: 0.04 },
    joint: { type: 'hinge', limits: [-2.4, 0] },
  },
  {
    ...{ name: `thigh${side}`, parent: 'torso', length: 0.42, radius: 0.07 },
    ...{ position: [x, -0.05, 0], orientation: BACKWARDS },
    joint: { type: 'ball', cone: 1.2, twist: [-0.5, 0.5] },
  },
  {
    ...{ name: `shin${side}`, parent: `thigh${side}`, length: 0.4, radius: 0.05 },
    joint: { type: 'hinge', limits: [0, 2.4] },
  },
]

/** @type {BoneDefinition[]} */
const BONES = [
  { name: 'torso', shape: { type: 'box', halfExtents: [0.18, 0.26, 0.1], position: [0, 0.26, 0] } },
  {
    ...{ name: 'head', parent: 'torso', position: [0, 0.54, 0], length: 0.24, radius: 0.1 },
    joint: { type: 'ball', cone: 0.7, twist: [-1, 1] },
  },
  ...limbs('L', 0.1),
  ...limbs('R', -0.1),
]
const DEFAULTS = { friction: 0.6, angularDamping: 0.5 }

/**
 * By how much a joint is beyond its limits, rad.
 * @param {import('moreau').Joint} joint
 */
function excess(joint) {
  const { limits, coordinates } = joint
  if (limits === null) return 0
  const [first, second = 0] = coordinates
  if ('lower' in limits) return Math.max(limits.lower - first, first - limits.upper, 0)
  const { cone = Infinity, twist } = /** @type {import('moreau').BallLimits} */ (limits)
  const { lower, upper } = /** @type {import('moreau').JointLimits} */ (twist)
  return Math.max(first - cone, lower - second, second - upper, 0)
}

/** @param {import('moreau').Joint} joint m */
const gap = (joint) => Math.hypot(...joint.violation().slice(0, 3))

const DOWN = /** @type {Quaternion} */ ([1, 0, 0, 0])
const LIMB = { length: 0.4, radius: 0.07 }
/** @type {Record<string, BoneDefinition[]>} */
const FIGURES = {
  'the cookbook': [
    { name: 'hips', length: 0.3, radius: 0.13 },
    {
      name: 'chest',
      parent: 'hips',
      length: 0.3,
      radius: 0.14,
      joint: { type: 'ball', cone: 0.4 },
    },
    {
      name: 'head',
      parent: 'chest',
      length: 0.22,
      radius: 0.1,
      joint: { type: 'ball', cone: 0.6 },
    },
    ...[0.1, -0.1].flatMap((x, i) => [
      { ...LIMB, name: `thigh ${i}`, parent: 'hips', position: [x, 0, 0], orientation: DOWN },
      {
        ...{ ...LIMB, name: `shin ${i}`, parent: `thigh ${i}` },
        joint: /** @type {const} */ ({ type: 'hinge', limits: [0, 2] }),
      },
    ]),
  ],
  'an arm': [
    { name: 'trunk', length: 0.3, radius: 0.1 },
    {
      name: 'upper',
      parent: 'trunk',
      length: 0.4,
      radius: 0.06,
      orientation: BACKWARDS,
      position: [0, 0, 0],
    },
    {
      name: 'lower',
      parent: 'upper',
      length: 0.4,
      radius: 0.05,
      joint: { type: 'hinge', limits: [-2, 2] },
    },
    {
      ...{ name: 'hand', parent: 'lower', length: 0.2, radius: 0.04 },
      joint: { type: 'ball', cone: 0.8, twist: [-0.5, 0.5] },
    },
  ],
}

// With limits solved by rows of their own, beside the other joints, they opened by 20 to 115 mm.
for (const [name, bones] of Object.entries(FIGURES)) {
  test(`figures of ${name} that land open no joint by more than 6 mm`, async () => {
    let widest = 0
    for (let throwing = 0; throwing < 12; throwing++) {
      const world = await World.create({ solver: 'soft-step' })
      world.createBody({ type: 'static', shape: { type: 'plane' } })
      const axis = [Math.cos(throwing), Math.sin(throwing), 0.3]
      const ragdoll = world.createRagdoll({
        ...{ bones, position: [0, throwing % 2 ? 8 : 2, 0] },
        orientation: about(
          0.55 * throwing,
          axis.map((x) => x / Math.hypot(...axis)),
        ),
        defaults: { density: 1000, angularDamping: 0.5, filter: { group: -1 } },
      })
      for (let step = 0; step < 150; step++) {
        world.step(DT)
        widest = Math.max(widest, ...Object.values(ragdoll.joints).map(gap))
      }
      world.free()
    }
    assert.ok(widest < 0.006, `${widest} m`)
  })
}

for (const solver of /** @type {SolverName[]} */ ([...SOLVERS])) {
  describe(`with ${solver}`, () => {
    // It may come to lie with its head over a shoulder, or with an arm across the torso, on which it rocks: rolling takes no energy, the damping of its
    // bones alone ends it. Once it swung for ever.
    for (const lean of [0.25, 0.3, 0.4]) {
      test(`a limp figure that leans by ${lean} falls down, stays in one piece and within its limits, and lies`, async () => {
        const world = await World.create({ solver })
        world.createBody({ type: 'static', shape: { type: 'plane' }, friction: 0.6 })
        const position = [0, 1.6, 0]
        const orientation = about(lean, [0.6, 0, 0.8])
        const ragdoll = world.createRagdoll({
          ...{ bones: BONES, defaults: DEFAULTS, position, orientation },
        })
        const joints = Object.values(ragdoll.joints)
        let widest = 0
        let fastest = 0 // of its bones in the last second
        for (let step = 0; step < 1500; step++) {
          world.step(DT)
          for (const body of Object.values(ragdoll.bones)) assert.ok(body.speed < 12)
          if (step > 300) widest = Math.max(widest, ...joints.map(gap))
          const speeds = Object.values(ragdoll.bones).map(({ speed }) => speed)
          if (step >= 1400) fastest = Math.max(fastest, ...speeds)
        }
        assert.ok(widest < 0.005, `joints of those that lie are ${widest} m open`)
        for (const joint of joints) assert.ok(excess(joint) < 0.02, `${excess(joint)} rad beyond`)
        // A bone's position may be its tip, and lie on the floor: it then has the overlap that is left alone.
        const overlap = Math.max(...Object.values(ragdoll.bones).map((b) => -b.bounds.min[1]))
        assert.ok(overlap < SLOP[solver] + 1e-4, `a bone is ${overlap} m in the floor`)
        assert.ok(fastest < 0.1, `a bone still moves at ${fastest} m/s`)
        world.free()
      })
    }

    test('arms follow a wave, the rest holds its pose', async () => {
      const world = await World.create({ solver })
      const [torso, ...rest] = BONES
      const bones = [{ ...torso, type: /** @type {const} */ ('kinematic') }, ...rest]
      const ragdoll = world.createRagdoll({ bones, position: [0, 2, 0] })
      const still = ragdoll.pose()
      let worst = 0
      for (let step = 1; step <= 180; step++) {
        const time = step * DT
        /** @type {Record<string, Quaternion>} */
        const target = {
          ...Object.fromEntries(Object.entries(still).map(([name, q]) => [name, q.orientation])),
          upperArmL: about(Math.PI + 0.6 * (1 - Math.cos(3 * time)), [0, 0, 1]),
          lowerArmL: about(-0.5 - 0.5 * Math.sin(4 * time), [1, 0, 0]),
        }
        ragdoll.drive(target, { stiffness: 300, maxTorque: 80 })
        world.step(DT)
        const pose = ragdoll.pose()
        if (time < 0.5) continue
        for (const name of ['upperArmL', 'lowerArmL', 'upperArmR', 'head', 'shinR']) {
          worst = Math.max(worst, between(pose[name].orientation, target[name]))
        }
      }
      assert.ok(worst < 3 * DEGREE, `${worst / DEGREE} degrees behind`)
      world.free()
    })

    test('limits hold against a drive, springs give way, and setLimp lets go', async () => {
      const world = await World.create({ solver, allowSleep: false })
      const ragdoll = world.createRagdoll({
        bones: [
          { name: 'base', type: 'static', shape: { type: 'sphere', radius: 0.05 } },
          {
            ...{ name: 'arm', parent: 'base', length: 1, radius: 0.05, mass: 2 },
            ...{
              orientation: BACKWARDS,
              joint: { type: 'hinge', axis: [1, 0, 0], limits: [-1, 1] },
            },
          },
        ],
      })
      const { arm } = ragdoll.joints
      const to = (/** @type {number} */ angle) => ({ arm: mul(BACKWARDS, about(angle, [1, 0, 0])) })
      const run = (/** @type {number} */ steps) => {
        for (let i = 0; i < steps; i++) world.step(DT)
      }
      ragdoll.drive(to(2), { stiffness: 1000, maxTorque: 50 })
      run(120)
      assert.ok(Math.abs(arm.angle - 1) < 0.02, `${arm.angle} rad, limit 1`)
      // k q + m g l/2 sin q = k q0, of a spring that pulls from q0 = .5.
      ragdoll.drive(to(0.5), { stiffness: 100, dampingCoefficient: 20 })
      run(300)
      const torque = 100 * (0.5 - arm.angle)
      assert.ok(Math.abs(torque - 2 * 9.81 * 0.5 * Math.sin(arm.angle)) < 0.2, `${torque} N m`)
      ragdoll.setLimp(['arm'])
      assert.equal(arm.motor, null)
      const orientation = mul(BACKWARDS, about(0.4, [1, 0, 0]))
      assert.ok(Math.abs(arm.angleAt(orientation.map((x) => -3 * x)) - 0.4) < 1e-12)
      assert.throws(() => arm.angleAt([0, 0, 0, 0]), /^MoreauError: angleAt: orientation must be/)
      run(30)
      assert.ok(Math.abs(arm.speed) > 1, 'it swings')
      world.free()
    })

    test('a ball that is driven out of its cone stops at it', async () => {
      const world = await World.create({ solver, allowSleep: false })
      const joint = /** @type {const} */ ({ type: 'ball', cone: 0.5, twist: [-0.3, 0.3] })
      const ragdoll = world.createRagdoll({
        bones: [
          { name: 'base', type: 'static', shape: { type: 'sphere', radius: 0.05 } },
          { name: 'arm', parent: 'base', length: 1, radius: 0.05, mass: 2, joint },
        ],
      })
      ragdoll.drive({ arm: about(1.2, [0, 0, 1]) }, { stiffness: 1000, maxTorque: 60 })
      for (let i = 0; i < 180; i++) world.step(DT)
      const [swing, twist] = ragdoll.joints.arm.coordinates
      assert.ok(Math.abs(swing - 0.5) < 0.03, `${swing} rad, cone .5`)
      assert.ok(Math.abs(twist) < 0.02)
      assert.equal(world.joints.length, 2)
      ragdoll.setLimp()
      assert.equal(world.joints.length, 1)
      world.free()
    })
  })
}

/** @param {Quaternion} p @param {Quaternion} q @returns {Quaternion} */
function mul([a, b, c, d], [x, y, z, w]) {
  return [
    d * x + a * w + b * z - c * y,
    d * y - a * z + b * w + c * x,
    d * z + a * y - b * x + c * w,
    d * w - a * x - b * y - c * z,
  ]
}

describe('a skeleton', () => {
  test('gives bones and joints by name, at their places, and neighbours do not collide', async () => {
    const world = await World.create({ gravity: [0, 0, 0] })
    const orientation = about(Math.PI / 2, [0, 0, 1])
    const ragdoll = world.createRagdoll({
      ...{ position: [1, 2, 3], orientation, defaults: { density: 500 } },
      bones: [
        { name: 'spine', length: 0.5, radius: 0.1, mass: 7 },
        { name: 'neck', parent: 'spine', length: 0.2, radius: 0.05, joint: { type: 'fixed' } },
        { name: '__proto__', parent: 'neck', shape: { type: 'sphere', radius: 0.1 } },
      ],
    })
    assert.ok(ragdoll instanceof Ragdoll)
    assert.deepEqual(Object.keys(ragdoll.bones), ['spine', 'neck', '__proto__'])
    assert.deepEqual(Object.keys(ragdoll.joints), ['neck', '__proto__'])
    assert.equal(ragdoll.world, world)
    const { spine, neck } = ragdoll.bones
    assert.equal(spine.mass, 7)
    const volume = Math.PI * 0.05 ** 2 * (0.1 + (4 / 3) * 0.05)
    assert.ok(Math.abs(neck.mass - 500 * volume) < 1e-9)
    // The tip of the spine, which lies along -x.
    neck.position.forEach((x, i) => assert.ok(Math.abs(x - [0.5, 2, 3][i]) < 1e-12))
    const { position } = ragdoll.pose().neck
    position.forEach((x, i) => assert.ok(Math.abs(x - [0, 0.5, 0][i]) < 1e-12))
    world.step(DT)
    assert.equal(spine.contacts().length, 0)
    assert.ok(Math.abs(neck.speed) < 1e-9)
    assert.equal(ragdoll.joints.neck.type, 'fixed')
    assert.throws(() => ragdoll.joints.neck.angleAt([0, 0, 0, 1]), /of type 'fixed' has none/)

    ragdoll.drive(ragdoll.pose())
    assert.ok(ragdoll.isAlive)
    ragdoll.destroy()
    assert.ok(!ragdoll.isAlive)
    assert.equal(world.bodies.length + world.joints.length, 0)
    ragdoll.destroy()
    assert.throws(() => ragdoll.pose(), { code: 'stale-handle' })
    ragdoll.drive({ neck: [0, 0, 0, 1] })
    ragdoll.setLimp()
    world.free()
  })

  test('a bone that breaks off is left alone', async () => {
    const world = await World.create()
    const ragdoll = world.createRagdoll({
      bones: [
        { name: 'base', type: 'static', shape: { type: 'sphere', radius: 0.05 } },
        {
          ...{ name: 'arm', parent: 'base', length: 1, radius: 0.05, mass: 2 },
          joint: { type: 'ball', breakForce: 5 },
        },
      ],
    })
    world.step(DT)
    assert.ok(!ragdoll.joints.arm.isAlive)
    ragdoll.drive(ragdoll.pose())
    ragdoll.setLimp()
    assert.equal(world.joints.length, 0)
    world.free()
  })

  test('is refused by name, and nothing is made', async () => {
    const world = await World.create()
    world.createBody({ shape: { type: 'sphere', radius: 1 } })
    const hash = world.hash()
    const torso = { name: 'torso', length: 1, radius: 0.1 }
    /** @type {[any, RegExp][]} */
    const cases = [
      [null, /^createRagdoll: skeleton must be an object/],
      [{ bones: [] }, /^createRagdoll: bones must be a list of one bone or more/],
      [{ bones: [torso], bone: 1 }, /unknown option 'bone'; did you mean 'bones'/],
      [{ bones: [torso], position: [0, 1] }, /^createRagdoll: position must be/],
      [{ bones: [torso], defaults: { mass: 1 } }, /^createRagdoll: defaults has an unknown option/],
      [{ bones: [torso, torso] }, /^createRagdoll: bones\[1\]\.name must be .* got 'torso'/],
      [{ bones: [{ ...torso, parent: 'hip' }] }, /bones\[0\]\.parent must be .* got 'hip'/],
      [{ bones: [{ ...torso, joint: { type: 'ball' } }] }, /bones\[0\]\.joint needs a parent/],
      [{ bones: [{ ...torso, radius: 0.6 }] }, /bones\[0\]\.radius must be below half .* got 0.6/],
      [{ bones: [{ ...torso, radius: NaN }] }, /bones\[0\]\.radius must be .* got NaN/],
      [{ bones: [{ ...torso, shape: { type: 'sphere', radius: 1 } }] }, /give either shape or/],
      [
        { bones: [{ ...torso, length: [Symbol('1')] }] },
        /bones\[0\]\.length must be a finite number/,
      ],
      [{ bones: [{ name: 'a' }] }, /bones\[0\]: give either shape or shapes, or length and radius/],
      [{ bones: [torso, { ...torso, name: 'b', friction: -1 }] }, /bones\[1\]: friction must be/],
      [{ bones: [{ ...torso, mass: 1, density: 2 }] }, /bones\[0\]: mass and density exclude/],
    ]
    const joints = /** @type {[any, RegExp][]} */ ([
      [{ type: 'rope' }, /bones\[1\]\.joint\.type must be one of 'ball', 'hinge', 'fixed'/],
      [{ type: 'ball', cone: 0 }, /bones\[1\]\.joint\.cone must be an angle above 0, got 0/],
      [{ type: 'ball', twist: [1, -1] }, /bones\[1\]\.joint\.twist must be/],
      [{ type: 'hinge', limits: [1, -1] }, /bones\[1\]\.joint\.limits must be/],
      [{ type: 'hinge', cone: 1 }, /bones\[1\]\.joint has an unknown option 'cone'/],
      [{ type: 'hinge', axis: [0, 0, 0] }, /bones\[1\]\.joint\.axis must be a direction/],
      [{ type: 'ball', breakForce: -1 }, /bones\[1\]\.joint: breakForce must be/],
    ])
    for (const [joint, message] of joints) {
      cases.push([{ bones: [torso, { ...torso, name: 'b', parent: 'torso', joint }] }, message])
    }
    for (const [skeleton, message] of cases) {
      assert.throws(
        () => world.createRagdoll(skeleton),
        (error) => {
          assert.ok(error instanceof MoreauError)
          assert.match(error.message, message)
          return error.code === 'invalid-argument'
        },
      )
      assert.equal(world.hash(), hash)
    }
    const ragdoll = world.createRagdoll({
      bones: [torso, { ...torso, name: 'b', parent: 'torso' }],
    })
    const calls = /** @type {[() => void, RegExp][]} */ ([
      [() => ragdoll.drive(/** @type {any} */ (1)), /^drive: target must be an object, got 1/],
      [() => ragdoll.drive({ torse: [0, 0, 0, 1] }), /'torse'; did you mean 'torso'/],
      [() => ragdoll.drive({ b: [0, 0, 0, 0] }), /^drive: target\.b must be four finite numbers/],
      [() => ragdoll.drive({}, { maxTorque: NaN }), /^drive: options\.maxTorque must be/],
      [() => ragdoll.drive({}, { hertz: 1, stiffness: 1 }), /^drive: options: hertz and stiffness/],
      [() => ragdoll.setLimp(['c']), /^setLimp: names\[0\] must be the name of a bone, got 'c'/],
      [() => new /** @type {any} */ (Ragdoll)(world, {}), /world\.createRagdoll/],
    ])
    for (const [call, message] of calls) assert.throws(call, { code: 'invalid-argument', message })
    world.free()
  })
})

describe('ragdolls and snapshots', () => {
  /** A ragdoll that falls on a floor and waves. @param {SolverName} solver */
  const falling = (solver) => {
    const world = new World({ solver })
    world.createBody({ type: 'static', shape: { type: 'plane' } })
    const position = /** @type {const} */ ([0, 1.2, 0])
    const ragdoll = world.createRagdoll({ bones: BONES, defaults: DEFAULTS, position })
    return { world, ragdoll }
  }
  /** @param {Ragdoll} ragdoll @param {number} time */
  const wave = (ragdoll, time) =>
    ragdoll.drive(
      {
        upperArmL: about(Math.PI + 0.6 * (1 - Math.cos(3 * time)), [0, 0, 1]),
        lowerArmL: about(-0.5 - 0.5 * Math.sin(4 * time), [1, 0, 0]),
      },
      { stiffness: 300, maxTorque: 80 },
    )
  /** @param {ReturnType<typeof falling>} falls @param {number} from @param {number} to */
  const run = ({ world, ragdoll }, from, to) => {
    for (let step = from; step < to; step++) {
      wave(ragdoll, step * DT)
      world.step(DT)
    }
    return world.hash()
  }

  for (const solver of SOLVERS) {
    test(`${solver}: it goes on in its world and in one that was built alike`, () => {
      const here = falling(solver)
      run(here, 0, 40)
      const [bytes, pose] = [here.world.snapshot(), here.ragdoll.pose()]
      const later = run(here, 40, 100)
      const there = falling(solver)
      for (const falls of [here, there]) {
        const { head } = falls.ragdoll.bones
        falls.world.restore(bytes)
        assert.ok(falls.ragdoll.isAlive && head.isAlive, 'the objects that it had')
        assert.deepEqual(falls.ragdoll.pose(), pose)
        const count = falls.world.joints.length
        assert.equal(run(falls, 40, 100), later)
        assert.equal(falls.world.joints.length, count, 'the motor of the snapshot is driven')
        falls.world.free()
      }
    })

    test(`${solver}: its bodies and joints go on in a world that has no ragdoll`, () => {
      const here = falling(solver)
      run(here, 0, 40)
      const there = new World()
      there.restore(here.world.snapshot())
      for (let step = 0; step < 60; step++) for (const world of [here.world, there]) world.step(DT)
      assert.equal(there.hash(), here.world.hash())
      here.world.free()
      there.free()
    })
  }

  test('motors come back with the world, and no second ones are made', () => {
    const { world, ragdoll } = falling('soft-step')
    const limp = world.snapshot()
    const count = world.joints.length
    wave(ragdoll, 0)
    assert.equal(world.joints.length, count + 1)
    const driven = world.snapshot()
    ragdoll.setLimp()
    assert.equal(world.joints.length, count)
    world.restore(driven)
    wave(ragdoll, 1)
    assert.equal(world.joints.length, count + 1)
    world.restore(limp)
    assert.equal(world.joints.length, count)
    wave(ragdoll, 0)
    world.restore(driven)
    ragdoll.setLimp()
    assert.equal(world.joints.length, count, 'the motor of the snapshot is the one that ends')
    world.free()
  })

  test('a motor of the user between two bones is left alone', () => {
    const { world, ragdoll } = falling('soft-step')
    const { torso, upperArmL } = ragdoll.bones
    const own = world.createJoint({
      ...{ type: 'motor', bodyA: torso, bodyB: upperArmL, maxForce: 1, maxTorque: 1 },
    })
    wave(ragdoll, 0)
    ragdoll.setLimp()
    assert.ok(own.isAlive)
    world.free()
  })
})
