// What modules below the classes need of their private parts.

/** @import { Body } from '../objects/body.mjs' */
/** @import { Character } from '../objects/character.mjs' */
/** @import { ConvexHull } from '../objects/convex-hull.mjs' */
/** @import { Shape } from '../objects/shape.mjs' */
/** @import { Listeners } from '../objects/events.mjs' */
/** @import { Potential } from '../objects/potential.mjs' */
/** @import { Constraint } from '../objects/constraint.mjs' */
/** @import { Vehicle } from '../objects/vehicle.mjs' */
/** @import { World } from '../objects/world.mjs' */
/** @import { WorldEvents } from '../types/index.mjs' */
/** @import { BodyKept } from '../definitions/body-definition.mjs' */
/** @import { ConstraintMaking } from '../definitions/constraint-definition.mjs' */
/** @import { PotentialMaking } from '../definitions/potential-definition.mjs' */
/** @import { ReadDefinition } from '../definitions/shape-definition.mjs' */
/** @import { WorldCore } from './world-core.mjs' */

/**
 * Only a class sees its private parts, so each class fills in its entries where it is defined. They
 * are there before the first call of a user. Imports so point downwards only: a reader of definitions
 * imports no class.
 * @typedef {object} Access
 * @property {(value: unknown) => value is Body} isBody by its private parts: nothing else passes for
 *   one, and nothing throws
 * @property {(value: unknown) => value is ConvexHull} isHull likewise
 * @property {(hull: ConvexHull) => Float64Array} hullPoints what a hull was made of; it may be freed
 * @property {(world: World) => WorldCore} coreOf what a world shares with its bodies
 * @property {(world: World) => Listeners<WorldEvents>} listenersOf who listens to a world
 * @property {(core: WorldCore, definition: unknown, kept: BodyKept) => Body} createBody as
 *   `world.createBody`, to the bit
 * @property {(core: WorldCore, id: number, shapes: readonly Shape[], userData: unknown) => Body} makeBody
 *   a Body of one that the engine has; the two below likewise
 * @property {(core: WorldCore, id: number, making: ConstraintMaking) => Constraint} makeConstraint a Joint
 *   where the making says so
 * @property {(core: WorldCore, id: number, making: PotentialMaking) => Potential} makePotential
 * @property {(constraint: Constraint) => { id: number, making: ConstraintMaking }} constraintMaking
 * @property {(potential: Potential) => PotentialMaking} potentialMaking
 * @property {(potential: Potential, measures: PotentialMaking['measures']) => void} setMeasures
 * @property {(body: Body, shapes: readonly Shape[]) => void} setShapes has a body know the shapes that
 *   the engine has of it
 * @property {(value: unknown, where: string, name: string) => Shape} toShape the shape of a ShapeLike
 * @property {(shape: Shape, where: string) => number} shapePointer the engine's shape behind a Shape
 * @property {(shape: Shape) => ReadDefinition} shapeDefinition what a Shape was made of
 * @property {(vehicle: Vehicle, where: string) => void} checkVehicle throws where a wheel has a bad value
 * @property {(vehicle: Vehicle, where: string) => number[]} vehicleNumbers what its next update depends on,
 *   and what it reports; throws where a wheel has a bad value
 * @property {(vehicle: Vehicle, numbers: Float64Array) => void} takeVehicle makes it what it was with these
 * @property {(vehicle: Vehicle, list: Float64Array, at: number) => void} takeWheelStates has it report these states
 * @property {(character: Character, list: Float64Array, at: number) => void} takeCharacterState has it be there, and have met
 *   what there is behind its state
 * @property {(character: Character, list: Float64Array, at: number) => void} putCharacterState the twin of it
 * @property {(character: Character) => number[]} characterNumbers what its next move depends on
 * @property {(character: Character, numbers: Float64Array) => void} takeCharacter makes it what it was with these
 * @property {(character: Character, shape: Shape) => void} setCharacterShape whether or not there is room
 * @property {() => void} freeIdleShapes frees shapes that were made by the way and that no body uses
 * @property {(shape: Shape) => void} addUser has a Shape know of a body more that uses it
 * @property {(shape: Shape) => void} removeUser and of one less
 */

/** @type {Access} */
export const access = /** @type {Access} */ ({})
