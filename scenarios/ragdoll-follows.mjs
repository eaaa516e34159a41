import { addFloor } from './parts.mjs'
import { defineScene } from './scene.mjs'
import { length } from './vector.mjs'

/** @typedef {import('./vector.mjs').Quaternion} Quaternion */

/** s: for so long the figure waves; then it is limp, and let go. */
const WAVES_FOR = 4
/** N m/rad and N m, of each joint. */
const DRIVE = { stiffness: 300, maxTorque: 100 }
/** Upside down: arms and legs hang. @type {Quaternion} */
const DOWN = [0, 0, 1, 0]
/** @type {import('../bindings/index.mjs').BoneJoint} */
const SHOULDER = { type: 'ball', cone: 2.2, twist: [-1, 1] }
/** @type {import('../bindings/index.mjs').BoneJoint} */
const HIP = { type: 'ball', cone: 1, twist: [-0.5, 0.5] }

/**
 * An arm and a leg.
 *
 * @param {string} side
 * @param {number} sign
 * @returns {import('../bindings/index.mjs').BoneDefinition[]}
 */
const limbs = (side, sign) => [
  {
    ...{ name: `upper arm ${side}`, parent: 'torso', length: 0.28, radius: 0.045 },
    ...{ position: [0.24 * sign, 0.46, 0], orientation: DOWN, joint: SHOULDER },
  },
  {
    ...{ name: `lower arm ${side}`, parent: `upper arm ${side}`, length: 0.27, radius: 0.04 },
    joint: { type: 'hinge', limits: [-2.4, 0.1] },
  },
  {
    ...{ name: `thigh ${side}`, parent: 'torso', length: 0.42, radius: 0.07 },
    ...{ position: [0.1 * sign, -0.06, 0], orientation: DOWN, joint: HIP },
  },
  {
    ...{ name: `shin ${side}`, parent: `thigh ${side}`, length: 0.42, radius: 0.055 },
    joint: { type: 'hinge', limits: [-0.1, 2.4] },
  },
]

/** From 0 to 1 and back in a period of 2 s, by parabolas: every machine has the same bits of it. @param {number} time */
function wave(time) {
  const phase = time - 2 * Math.floor(time / 2)
  return phase < 0.5 || phase > 1.5
    ? 2 * (phase < 1 ? phase : 2 - phase) ** 2
    : 1 - 2 * (1 - phase) ** 2
}

/**
 * The animation: both arms go up and down sideways, the elbows bend, all else keeps its pose. Of a turn by an angle q the
 * quaternion is along (axis tan q/2, 1).
 *
 * @param {number} time
 * @returns {Record<string, Quaternion>}
 */
function animation(time) {
  // Half the angle above the hanging arm, turned from upside down.
  const raised = 0.9 * wave(time)
  const bent = -0.5 * wave(time)
  return {
    head: [0, 0.3 * wave(time), 0, 1],
    'upper arm left': [0, 0, 1, -raised],
    'upper arm right': [0, 0, 1, raised],
    'lower arm left': [bent, 0, 0, 1],
    'lower arm right': [bent, 0, 0, 1],
    'thigh left': DOWN,
    'thigh right': DOWN,
    'shin left': [0, 0, 0, 1],
    'shin right': [0, 0, 0, 1],
  }
}

/** The angle between two orientations, of which only the first is unit. @param {Quaternion} p @param {Quaternion} q */
function angleBetween(p, q) {
  const dot = p.reduce((sum, x, i) => sum + x * q[i], 0) / Math.hypot(...q)
  return 2 * Math.acos(Math.min(1, Math.abs(dot)))
}

/** By how much a hinge is beyond its limits, or a ball beyond its cone. @param {import('../bindings/index.mjs').Joint} joint */
function beyondLimits({ limits, coordinates: [angle] }) {
  if (limits === null) return 0
  if ('cone' in limits) return Math.max(angle - (limits.cone ?? Infinity), 0)
  const { lower = -Infinity, upper = Infinity } =
    /** @type {import('../bindings/index.mjs').JointLimits} */ (limits)
  return Math.max(lower - angle, angle - upper, 0)
}

export default defineScene({
  name: 'ragdoll-follows',
  title: 'Ragdoll that follows an animation',
  description: `A figure that hangs by its torso waves for ${WAVES_FOR} s: motors turn its joints after an animation. Then it is limp and falls.`,
  solvers: ['soft-step', 'block-pgs', 'exact'],
  duration: 12,
  camera: { position: [2, 1.8, 4], target: [0, 1, 0] },
  setup(world) {
    addFloor(world, { halfWidth: 10, friction: 0.6 })
    const ragdoll = world.createRagdoll({
      position: [0, 1.3, 0],
      // Damping of the joints and the flesh.
      defaults: { friction: 0.6, angularDamping: 1 },
      bones: [
        {
          name: 'torso',
          shape: { type: 'box', halfExtents: [0.18, 0.27, 0.11], position: [0, 0.25, 0] },
        },
        {
          ...{ name: 'head', parent: 'torso', position: [0, 0.54, 0], length: 0.24, radius: 0.1 },
          joint: { type: 'ball', cone: 0.6, twist: [-1, 1] },
        },
        ...limbs('left', 1),
        ...limbs('right', -1),
      ],
    })
    const nail = world.createJoint({ type: 'fixed', bodyB: ragdoll.bones.torso })
    return { ragdoll, nail }
  },
  beforeStep(world, { ragdoll, nail }, dt) {
    const time = world.time + dt
    if (time < WAVES_FOR) {
      ragdoll.drive(animation(time), DRIVE)
    } else if (nail.isAlive) {
      nail.destroy()
      ragdoll.setLimp()
    }
  },
  checks: [
    {
      name: 'follows-the-animation',
      description:
        'Angle between a bone and where the animation has it, in the frame of its parent',
      unit: 'rad',
      tolerance: 0.07,
      from: 0.5,
      to: WAVES_FOR - 1 / 30,
      error({ things, time }) {
        const pose = things.ragdoll.pose()
        const wanted = Object.entries(animation(time))
        return Math.max(...wanted.map(([name, q]) => angleBetween(pose[name].orientation, q)))
      },
    },
    {
      name: 'joints-hold',
      description: 'Largest gap of a joint while it waves',
      unit: 'm',
      tolerance: 0.002,
      to: WAVES_FOR - 1 / 30,
      error: ({ things }) => widestGap(things.ragdoll),
    },
    {
      name: 'limits-hold',
      description: 'Angle by which a joint is beyond its limits, also when it hits the floor',
      unit: 'rad',
      tolerance: 0.25,
      softTolerance: 0.4,
      error: ({ things }) => Math.max(...Object.values(things.ragdoll.joints).map(beyondLimits)),
    },
    {
      name: 'closed-at-rest',
      description: 'Largest gap of a joint once it lies',
      unit: 'm',
      tolerance: 0.005,
      from: 10,
      error: ({ things }) => widestGap(things.ragdoll),
    },
    {
      name: 'comes-to-rest',
      description: 'At the end nothing moves but what swings out',
      unit: 'm/s',
      tolerance: 0.1,
      from: 12,
      error: ({ things }) =>
        Math.max(...Object.values(things.ragdoll.bones).map(({ speed }) => speed)),
    },
  ],
})

/** @param {import('../bindings/index.mjs').Ragdoll} ragdoll */
function widestGap({ joints }) {
  return Math.max(...Object.values(joints).map((joint) => length(joint.violation().slice(0, 3))))
}
