import { fromPlain } from '../../scene/values.mjs'
import { diagonal, turnTensor } from '../inertia.mjs'
import { compose, NO_TURN, rotate, unitTurn } from '../rigid.mjs'
import { shapesOf } from './shapes.mjs'

/** @import { BodyDefinition } from '../../index.mjs' */
/** @import { Quaternion, Vector } from '../../types/index.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { SceneContext } from './gltf.mjs' */
/** @import { Place } from './nodes.mjs' */
/** @import { GltfMotion } from './types.mjs' */

/** kg and kg m² of what moves without colliders and mass. */
const BARE = { mass: 1, inertia: [1, 1, 1] }
/** How much larger a moment of inertia is that the file has as infinite, beside the others where it has some. */
const HUGE = 1e6

/**
 * What is to be a body.
 * @typedef {object} BodyPlan
 * @property {Place} root
 * @property {BodyDefinition} definition
 * @property {boolean} isAsleep
 */

/**
 * @param {Place} root
 * @param {Place[]} colliders
 * @param {{ context: SceneContext, base: Frame, common: Partial<BodyDefinition> }} how
 * @returns {Promise<BodyPlan>}
 */
export async function planBody(root, colliders, { context, base, common }) {
  const motion = root.node.extensions?.KHR_physics_rigid_bodies?.motion
  const extra = fromPlain(root.node.extras?.moreau?.body ?? {}, root.path)
  const { asleep = false, ...own } = /** @type {Record<string, unknown>} */ (extra)
  const shapes = []
  for (const place of colliders) {
    shapes.push(...(await shapesOf(place, root.frame, motion === undefined, context)))
  }
  const definition = /** @type {BodyDefinition} */ ({
    ...withoutMass(common, motion),
    ...compose(base, root.frame),
    ...(shapes.length > 0 && { shapes }),
    ...(motion === undefined
      ? { type: 'static' }
      : motionOf(motion, root, base, shapes.length > 0, context)),
    ...own,
  })
  return { root, definition, isAsleep: asleep === true }
}

/**
 * A mass of the file is not that of a density of the user's.
 * @param {Partial<BodyDefinition>} common
 * @param {GltfMotion | undefined} motion
 */
function withoutMass({ density, ...common }, motion) {
  const hasMass = motion?.mass !== undefined && motion.mass !== 0
  return density === undefined || hasMass ? common : { ...common, density }
}

/**
 * @param {GltfMotion} motion
 * @param {Place} place
 * @param {Frame} base
 * @param {boolean} hasShapes
 * @param {SceneContext} context
 * @returns {Partial<BodyDefinition>}
 */
function motionOf(motion, place, base, hasShapes, { warnings }) {
  const { isKinematic = false, mass, linearVelocity, angularVelocity, gravityFactor } = motion
  const turn = compose(base, place.frame).orientation
  const inWorld = (/** @type {number[] | undefined} */ v) =>
    v === undefined ? [0, 0, 0] : rotate(turn, /** @type {Vector} */ (v))
  const center = motion.centerOfMass?.map((x, i) => x * place.scale[i])
  return {
    type: isKinematic ? 'kinematic' : 'dynamic',
    linearVelocity: inWorld(linearVelocity),
    angularVelocity: inWorld(angularVelocity),
    ...(gravityFactor !== undefined && { gravityScale: gravityFactor }),
    ...(center !== undefined && { centerOfMass: center }),
    ...(!hasShapes && BARE),
    ...(mass !== undefined && mass !== 0 && { mass }), // createBody refuses what is none
    ...(mass === 0 && !isKinematic && { lockTranslation: true }),
    ...inertiaOf(motion, place, warnings),
    ...(!hasShapes && mass === undefined && !isKinematic && warnOfBare(place, warnings)),
  }
}

/**
 * @param {Place} place
 * @param {SceneContext['warnings']} warnings
 */
function warnOfBare({ path }, warnings) {
  warnings.add(`${path}/motion`, 'it has neither mass nor colliders: it gets 1 kg')
  return {}
}

/**
 * @param {GltfMotion} motion
 * @param {Place} place
 * @param {SceneContext['warnings']} warnings
 * @returns {Partial<BodyDefinition>}
 */
function inertiaOf({ inertiaDiagonal, inertiaOrientation }, { path }, warnings) {
  if (inertiaDiagonal === undefined) return {}
  // The extension writes 0 for infinity.
  if (inertiaDiagonal.every((x) => x === 0)) return { lockRotation: true }
  if (inertiaDiagonal.some((x) => x === 0)) {
    warnings.add(
      `${path}/motion/inertiaDiagonal`,
      `an infinite moment is ${HUGE} times the largest one`,
    )
  }
  const most = Math.max(...inertiaDiagonal)
  const [x, y, z] = inertiaDiagonal.map((moment) => (moment === 0 ? HUGE * most : moment))
  const turn =
    inertiaOrientation === undefined
      ? NO_TURN
      : unitTurn(/** @type {Quaternion} */ (inertiaOrientation))
  return { inertia: turnTensor(diagonal(x, y, z), turn) }
}
