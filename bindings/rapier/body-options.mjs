// Props of a RigidBody, and settings of a RigidBodyDesc, that a body takes over, one by one, when they are others than before.

/** @import { RapierRigidBody } from './rigid-body.mjs' */
/** @typedef {Readonly<Record<string, any>>} Props as of a RigidBody component */

/** @type {Readonly<Record<string, (body: RapierRigidBody, options: Props) => void>>} */
const APPLY = {
  type: (body, { type = 'dynamic' }) => body.setBodyType(type, true),
  mass: (body, { mass }) => body.setMass(mass),
  canSleep: (body, { canSleep = true }) => body.setCanSleep(canSleep),
  linearDamping: (body, { linearDamping = 0 }) => body.setLinearDamping(linearDamping),
  angularDamping: (body, { angularDamping = 0 }) => body.setAngularDamping(angularDamping),
  gravityScale: (body, { gravityScale = 1 }) => body.setGravityScale(gravityScale, true),
  ccd: (body, { ccd = false }) => body.enableCcd(ccd),
  softCcdPrediction: (body, { softCcdPrediction }) => body.setSoftCcdPrediction(softCcdPrediction),
  dominanceGroup: (body, { dominanceGroup }) => body.setDominanceGroup(dominanceGroup),
  additionalSolverIterations: (body, { additionalSolverIterations }) =>
    body.setAdditionalSolverIterations(additionalSolverIterations),
  lockTranslations: applyTranslations,
  enabledTranslations: applyTranslations,
  lockRotations: applyRotations,
  enabledRotations: applyRotations,
  linearVelocity: (body, { linearVelocity }) => {
    if (linearVelocity !== undefined) body.setLinvel(linearVelocity, true)
  },
  angularVelocity: (body, { angularVelocity }) => {
    if (angularVelocity !== undefined) body.setAngvel(angularVelocity, true)
  },
}

/** @param {RapierRigidBody} body @param {Props} options */
function applyTranslations(body, { lockTranslations = false, enabledTranslations }) {
  const [x, y, z] = enabledTranslations ?? [true, true, true]
  if (lockTranslations) body.lockTranslations(true, true)
  else body.setEnabledTranslations(x, y, z, true)
}

/** @param {RapierRigidBody} body @param {Props} options */
function applyRotations(body, { lockRotations = false, enabledRotations }) {
  const [x, y, z] = enabledRotations ?? [true, true, true]
  if (lockRotations) body.lockRotations(true, true)
  else body.setEnabledRotations(x, y, z, true)
}

/**
 * @param {RapierRigidBody} body
 * @param {Props} options
 * @param {Props} before that the body has taken over; an empty object for a new one
 */
export function applyOptions(body, options, before) {
  for (const [name, apply] of Object.entries(APPLY)) {
    if (!isSame(options[name], before[name])) apply(body, options)
  }
}

/** Vectors are compared by what is in them: they mostly are new arrays in each rendering. @param {unknown} a @param {unknown} b */
function isSame(a, b) {
  if (Object.is(a, b)) return true
  return Array.isArray(a) && Array.isArray(b) && a.every((item, i) => Object.is(item, b[i]))
}
