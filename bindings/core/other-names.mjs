// Names that other engines and three.js have, and what the thing is called here. Who comes from there
// writes them by habit, and no spelling is near enough to guess ours.

/** Of options, properties and methods. */
const NAMES = new Map(
  Object.entries({
    // pose and velocity
    ...{ rotation: 'orientation', quaternion: 'orientation', setRotation: 'orientation' },
    ...{ translation: 'position', location: 'position', setTranslation: 'position' },
    ...{ setPosition: 'position', getPosition: 'position', setOrientation: 'orientation' },
    ...{ linvel: 'linearVelocity', velocity: 'linearVelocity', setLinvel: 'linearVelocity' },
    ...{ setLinearVelocity: 'linearVelocity', getLinearVelocity: 'linearVelocity' },
    ...{ angvel: 'angularVelocity', setAngvel: 'angularVelocity', spin: 'angularVelocity' },
    ...{ setAngularVelocity: 'angularVelocity', getAngularVelocity: 'angularVelocity' },
    ...{ setNextKinematicTranslation: 'moveTo', setNextKinematicRotation: 'moveTo' },
    // forces
    ...{ addForce: 'applyForce', addForceAtPoint: 'applyForce', applyForceAtPoint: 'applyForce' },
    ...{
      addTorque: 'applyTorque',
      addImpulse: 'applyImpulse',
      applyImpulseAtPoint: 'applyImpulse',
    },
    ...{ applyTorqueImpulse: 'applyAngularImpulse', addAngularImpulse: 'applyAngularImpulse' },
    ...{ resetForces: 'clearForces', resetTorques: 'clearForces' },
    // what a body is
    ...{ bodyType: 'type', setBodyType: 'type', isSensor: 'sensor', isTrigger: 'sensor' },
    ...{ ccd: 'bullet', ccdEnabled: 'bullet', enableCcd: 'bullet', canSleep: 'allowSleep' },
    ...{ enabled: 'isEnabled', setEnabled: 'isEnabled', disabled: 'isEnabled' },
    ...{ isSleeping: 'isAwake', isActive: 'isAwake', wakeUp: 'wake', putToSleep: 'sleep' },
    ...{ isValid: 'isAlive', handle: 'id', remove: 'destroy', dispose: 'free' },
    ...{
      linearDamp: 'linearDamping',
      angularDamp: 'angularDamping',
      gravityFactor: 'gravityScale',
    },
    ...{ bounciness: 'restitution', bounce: 'restitution', collisionGroups: 'filter' },
    ...{ lockTranslations: 'lockTranslation', lockRotations: 'lockRotation' },
    ...{ colliders: 'shapes', collider: 'shape', geometry: 'shape' },
    // shapes
    ...{ size: 'halfExtents', halfSize: 'halfExtents', extents: 'halfExtents' },
    ...{ dimensions: 'halfExtents', width: 'halfExtents', depth: 'halfExtents' },
    ...{ height: 'halfHeight', length: 'halfHeight' },
    // worlds
    ...{ createRigidBody: 'createBody', addBody: 'createBody', createCollider: 'createBody' },
    ...{ addRigidBody: 'createBody', createImpulseJoint: 'createJoint', addJoint: 'createJoint' },
    ...{
      castRay: 'rayCast',
      raycast: 'rayCast',
      raycastClosest: 'rayCast',
      castShape: 'shapeCast',
    },
    ...{ castRayAndGetNormal: 'rayCast', raycastAll: 'rayCastAll', sweep: 'shapeCast' },
    ...{ stepSimulation: 'step', fixedStep: 'step', takeSnapshot: 'snapshot' },
    ...{ addEventListener: 'on', createCharacterController: 'createCharacter' },
    ...{ createVehicleController: 'createVehicle', numSolverIterations: 'substeps' },
    ...{ body1: 'bodyA', body2: 'bodyB', bodyOne: 'bodyA', bodyTwo: 'bodyB' },
    ...{ anchor1: 'anchorA', anchor2: 'anchorB', pivotA: 'anchorA', pivotB: 'anchorB' },
    ...{ frame1: 'anchorA', frame2: 'anchorB', axis1: 'axis', contactsEnabled: 'collideConnected' },
  }),
)

/** Of types and events. */
const WORDS = new Map(
  Object.entries({
    ...{ ball: 'sphere', cuboid: 'box', cube: 'box', trimesh: 'mesh', terrain: 'heightfield' },
    ...{ convexHull: 'hull', convex: 'hull', convexPolyhedron: 'hull', polyhedron: 'hull' },
    ...{ halfspace: 'plane', ground: 'plane' },
    ...{ fixed: 'static', kinematicPosition: 'kinematic', kinematicVelocity: 'kinematic' },
    ...{ kinematicPositionBased: 'kinematic', kinematicVelocityBased: 'kinematic' },
    ...{
      revolute: 'hinge',
      spherical: 'ball',
      pointToPoint: 'ball',
      point: 'ball',
      socket: 'ball',
    },
    ...{ prismatic: 'slider', generic: 'sixDof', d6: 'sixDof', weld: 'fixed', lock: 'fixed' },
    ...{ cardan: 'universal', collision: 'contact', trigger: 'sensor', intersection: 'sensor' },
  }),
)

/**
 * What an option, a property or a method of another engine is called here.
 * @param {string} name
 * @param {readonly string[]} known what there is
 * @returns {string | undefined}
 */
export const ownName = (name, known) => known.find((own) => own === NAMES.get(name))

/**
 * What a type or an event of another engine is called here.
 * @param {string} word
 * @param {readonly string[]} known
 * @returns {string | undefined}
 */
export const ownWord = (word, known) => known.find((own) => own === WORDS.get(word))

/**
 * @param {string} name
 * @returns {boolean} whether another engine has it, as far as is known here
 */
export const isOtherName = (name) => NAMES.has(name)
