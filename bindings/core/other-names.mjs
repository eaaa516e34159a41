// Names that other engines and three.js have, and what the thing is called here. Who comes from there
// writes them by habit, and no spelling is near enough to guess ours.

/**
 * @param {Record<string, string>} names of other engines, by the one here
 * @returns {Map<string, string[]>} the names here, by that of another engine
 */
function named(names) {
  const map = new Map()
  for (const [own, others] of Object.entries(names)) {
    for (const other of others.split(' ')) map.set(other, [...(map.get(other) ?? []), own])
  }
  return map
}

/** Of options, properties and methods. Of several the one counts that there is. */
const NAMES = named({
  orientation: 'rotation quaternion setRotation setOrientation',
  position: 'translation location setTranslation setPosition getPosition center',
  linearVelocity: 'linvel velocity setLinvel setLinearVelocity getLinearVelocity',
  targetVelocity: 'velocity speed targetSpeed motorSpeed',
  angularVelocity: 'angvel setAngvel spin setAngularVelocity getAngularVelocity',
  moveTo: 'setNextKinematicTranslation setNextKinematicRotation',
  applyForce: 'addForce addForceAtPoint applyForceAtPoint',
  applyTorque: 'addTorque',
  applyImpulse: 'addImpulse applyImpulseAtPoint',
  applyAngularImpulse: 'applyTorqueImpulse addAngularImpulse',
  clearForces: 'resetForces resetTorques',
  type: 'bodyType setBodyType',
  sensor: 'isSensor isTrigger',
  bullet: 'ccd ccdEnabled enableCcd',
  allowSleep: 'canSleep',
  isEnabled: 'enabled setEnabled disabled',
  isAwake: 'isSleeping isActive',
  wake: 'wakeUp',
  sleep: 'putToSleep',
  isAlive: 'isValid',
  id: 'handle',
  destroy: 'remove',
  free: 'dispose',
  linearDamping: 'linearDamp',
  angularDamping: 'angularDamp',
  gravityScale: 'gravityFactor',
  restitution: 'bounciness bounce',
  filter: 'collisionGroups',
  lockTranslation: 'lockTranslations',
  lockRotation: 'lockRotations',
  shapes: 'colliders',
  shape: 'collider geometry',
  halfExtents: 'size halfSize extents dimensions width depth',
  halfHeight: 'height length',
  createBody: 'createRigidBody addBody createCollider addRigidBody',
  createJoint: 'createImpulseJoint addJoint',
  rayCast: 'castRay raycast raycastClosest castRayAndGetNormal',
  shapeCast: 'castShape sweep',
  rayCastAll: 'raycastAll',
  step: 'stepSimulation fixedStep',
  snapshot: 'takeSnapshot',
  on: 'addEventListener',
  createCharacter: 'createCharacterController',
  createVehicle: 'createVehicleController',
  substeps: 'numSolverIterations',
  bodyA: 'body1 bodyOne',
  bodyB: 'body2 bodyTwo',
  anchorA: 'anchor1 pivotA frame1',
  anchorB: 'anchor2 pivotB frame2',
  axis: 'axis1',
  collideConnected: 'contactsEnabled',
  maxForce: 'maxMotorTorque maxTorque',
  targetPosition: 'target angle',
  impulse: 'strength',
  fixedDt: 'timeStep timestep fixedTimeStep dt',
  maxSteps: 'maxSubSteps maxSubsteps',
})

/** Of types and events. */
const WORDS = named({
  sphere: 'ball',
  box: 'cuboid cube',
  mesh: 'trimesh',
  heightfield: 'terrain',
  hull: 'convexHull convex convexPolyhedron polyhedron',
  plane: 'halfspace ground',
  static: 'fixed',
  kinematic: 'kinematicPosition kinematicVelocity kinematicPositionBased kinematicVelocityBased',
  hinge: 'revolute',
  ball: 'spherical pointToPoint point socket',
  slider: 'prismatic',
  sixDof: 'generic d6',
  fixed: 'weld lock',
  universal: 'cardan',
  contact: 'collision collide collisionStart collisionEnd contactStart contactEnd',
  sensor: 'trigger intersection',
  drag: 'wind',
  buoyancy: 'water',
})

/** What methods of worlds of other engines do, and how it is done here. */
const METHODS = named({
  'what is no longer wanted goes by its own destroy()':
    'removeBody destroyBody deleteBody removeRigidBody removeJoint destroyJoint removeImpulseJoint removeConstraint',
  'body.removeShape(shape) takes a shape away': 'removeCollider',
})

/** What options of other engines say, and where that is said here. */
const OPTIONS = named({
  'step(dt) is told how long it is, in seconds': 'timeStep timestep fixedTimeStep fixedDt',
  "type: 'static' says so": 'isStatic',
  "type: 'kinematic' says so": 'isKinematic',
  'data of your own goes to userData': 'name label tag mesh object',
})

/**
 * What an option, a property or a method of another engine is called here.
 * @param {string} name
 * @param {readonly string[]} known what there is
 * @returns {string | undefined}
 */
export function ownName(name, known) {
  return known.find((own) => NAMES.get(name)?.includes(own))
}

/**
 * What a type or an event of another engine is called here.
 * @param {string} word
 * @param {readonly string[]} known
 * @returns {string | undefined}
 */
export const ownWord = (word, known) => known.find((own) => WORDS.get(word)?.includes(own))

/**
 * @param {string} name
 * @returns {boolean} whether another engine has it, as far as is known here
 */
export const isOtherName = (name) => NAMES.has(name)

/**
 * How a method of another engine is done without here.
 * @param {string} name
 * @returns {string | undefined}
 */
export const insteadOfMethod = (name) => METHODS.get(name)?.[0]

/**
 * Where an option of another engine is here.
 * @param {string} name
 * @returns {string | undefined}
 */
export const insteadOfOption = (name) => OPTIONS.get(name)?.[0]
