import { World as LocalWorld } from '../index.mjs'

/** @import { WorldOptions } from '../index.mjs' */
/** @import { Entry } from '../state/journal.mjs' */
/** @import { Follower } from './follower.mjs' */
/** @import { Functions } from './functions.mjs' */
/** @import { Hearing } from './hearing.mjs' */
/** @import { ASKED_GETTERS, ASKED_METHODS, Missing } from './members.mjs' */
/** @import { Poses } from './poses.mjs' */
/** @import { ContactNames } from './protocol.mjs' */
/** @import { Timing } from './timing.mjs' */

// A world in a worker is one class in parts: world-functions.mjs, world-controls.mjs, world-history.mjs, world-time.mjs,
// world-events.mjs and world.mjs, each of which extends the one before. Here is what they share.

/** @typedef {(typeof ASKED_METHODS)[number]} AskedMethod */
/** @typedef {(typeof ASKED_GETTERS)[number]} AskedGetter */
/** @typedef {'step' | 'advance' | 'interpolate' | 'resetInterpolation' | 'on' | 'once' | 'off' | 'restore' | 'free' | 'isLate' | 'history' | 'record'} OwnTime */
/** @typedef {'createConstraint' | 'createPotential' | 'createCharacter' | 'createVehicle' | 'contactFilter' | 'contactModifier'} OwnParts */
/** @typedef {OwnTime | OwnParts} Own */
/** @typedef {Omit<LocalWorld, AskedMethod | AskedGetter | Missing | Own>} Shared */
/** @typedef {{ [Name in AskedMethod]: (...args: Parameters<LocalWorld[Name]>) => Promise<ReturnType<LocalWorld[Name]>> }} Methods */
/** @typedef {{ readonly [Name in AskedGetter]: Promise<LocalWorld[Name]> }} Getters */

/**
 * What the parts of a world need of its own.
 * @typedef {object} Inside
 * @property {() => Functions} functions of the module
 * @property {ContactNames} contacts
 * @property {Timing} timing
 * @property {Poses} poses
 * @property {Hearing} hearing
 * @property {() => Follower} follower
 * @property {() => boolean} isFreed
 * @property {(where: string) => void} alive throws if it was freed
 * @property {(...entry: Entry) => void} mark notes something for the worker
 * @property {() => void} send sends what was noted
 * @property {(note: (ticket: number) => void) => Promise<any>} wait for what is noted with the ticket
 * @property {() => void} probe finds out whether the worker still answers
 * @property {() => boolean} take takes the newest frame, and tells what has come
 * @property {(bytes: Uint8Array) => void} jump has the world be where the worker's has gone
 */

/** Filled in by the class of worlds. */
export const inside = /** @type {{ of: (world: object) => Inside }} */ ({})

/** The world here, which is never stepped. */
export const Base = /** @type {new (options?: WorldOptions) => Shared & Methods & Getters} */ (
  /** @type {unknown} */ (LocalWorld)
)
