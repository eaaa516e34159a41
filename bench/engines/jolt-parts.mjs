/**
 * Jolt's filters, contact listeners, cars and characters.
 */
import { GRAVITY } from '../scenes/description.mjs'
import { LAYER_MOVING } from './jolt-settings.mjs'

/** @typedef {import('../scenes/description.mjs').CarDescription} CarDescription */
/** @typedef {import('../scenes/description.mjs').CharacterDescription} CharacterDescription */

/** N m at which the default engine gives about the force that the scene asks for, through gears and wheels. */
const ENGINE_TORQUE = 120

/**
 * Filters of a query that sees everything.
 *
 * @param {any} JOLT
 */
export const allLayers = (JOLT) => [
  new JOLT.BroadPhaseLayerFilter(),
  new JOLT.ObjectLayerFilter(),
  new JOLT.BodyFilter(),
  new JOLT.ShapeFilter(),
]

/**
 * @param {any} JOLT
 * @param {any} system
 * @param {() => void} onEvent
 */
export function listenTo(JOLT, system, onEvent) {
  const listener = new JOLT.ContactListenerJS()
  listener.OnContactValidate = () => JOLT.ValidateResult_AcceptAllContactsForThisBodyPair
  listener.OnContactAdded = onEvent
  listener.OnContactPersisted = () => {}
  listener.OnContactRemoved = onEvent
  system.SetContactListener(listener)
}

/**
 * @param {any} JOLT
 * @param {any} system
 * @param {CarDescription} car
 * @param {any} chassis
 */
export function drive(JOLT, system, { wheels, radius, restLength, steering }, chassis) {
  const definition = new JOLT.VehicleConstraintSettings()
  definition.mUp = new JOLT.Vec3(0, 1, 0)
  definition.mForward = new JOLT.Vec3(1, 0, 0)
  definition.mWheels.clear()
  for (const [i, position] of wheels.entries()) {
    const wheel = new JOLT.WheelSettingsWV()
    wheel.mPosition = new JOLT.Vec3(...position)
    wheel.mWheelForward = new JOLT.Vec3(1, 0, 0)
    wheel.mRadius = radius
    wheel.mSuspensionMinLength = restLength / 2
    wheel.mSuspensionMaxLength = restLength
    wheel.mMaxSteerAngle = i < 2 ? steering : 0
    definition.mWheels.push_back(wheel)
  }
  const controller = new JOLT.WheeledVehicleControllerSettings()
  controller.mEngine.mMaxTorque = ENGINE_TORQUE
  for (const left of [0, 2]) {
    const differential = new JOLT.VehicleDifferentialSettings()
    differential.mLeftWheel = left
    differential.mRightWheel = left + 1
    differential.mEngineTorqueRatio = 0.5
    controller.mDifferentials.push_back(differential)
  }
  definition.mController = controller
  const constraint = new JOLT.VehicleConstraint(chassis, definition)
  constraint.SetVehicleCollisionTester(new JOLT.VehicleCollisionTesterRay(LAYER_MOVING))
  system.AddConstraint(constraint)
  system.AddStepListener(new JOLT.VehicleConstraintStepListener(constraint))
  // Forwards, to the left, no brakes.
  JOLT.castObject(constraint.GetController(), JOLT.WheeledVehicleController).SetDriverInput(
    1,
    -1,
    0,
    0,
  )
}

/**
 * @param {any} JOLT
 * @param {any} jolt
 * @param {CharacterDescription} description
 * @param {any} shape
 * @returns {{ character: any, move: (dt: number) => void }}
 */
export function walk(JOLT, jolt, { position, velocity, stepHeight }, shape) {
  const definition = new JOLT.CharacterVirtualSettings()
  definition.mShape = shape
  const [place, unturned] = [new JOLT.RVec3(...position), new JOLT.Quat(0, 0, 0, 1)]
  const system = jolt.GetPhysicsSystem()
  const character = new JOLT.CharacterVirtual(definition, place, unturned, system)
  const update = new JOLT.ExtendedUpdateSettings()
  update.mStickToFloorStepDown = new JOLT.Vec3(0, -stepHeight, 0)
  update.mWalkStairsStepUp = new JOLT.Vec3(0, stepHeight, 0)
  const filters = allLayers(JOLT)
  const [gravity, wanted] = [new JOLT.Vec3(0, -GRAVITY, 0), new JOLT.Vec3(0, 0, 0)]
  let fall = 0
  const move = (/** @type {number} */ dt) => {
    fall = character.IsSupported() ? 0 : fall - GRAVITY * dt
    wanted.Set(velocity[0], fall, velocity[2])
    character.SetLinearVelocity(wanted)
    character.ExtendedUpdate(dt, gravity, update, ...filters, jolt.GetTempAllocator())
  }
  return { character, move }
}
