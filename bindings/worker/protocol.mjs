// What goes between a page and its worker. Types alone.

/** @import { Changes } from '../state/journal.mjs' */
/** @import { Failure } from './failures.mjs' */

/** The functions for contacts, by their names in the module. @typedef {{ contactFilter: string | null, contactModifier: string | null }} ContactNames */

/**
 * The first message to a worker.
 * @typedef {object} Begin
 * @property {WebAssembly.Module} module
 * @property {Uint8Array} snapshot of the world as it is to be
 * @property {number} timeline (Lives)
 * @property {SharedArrayBuffer | ArrayBuffer[]} room for frames
 * @property {number} snapshotEvery seconds of the world; 0: never
 * @property {boolean} profile whether steps are timed
 * @property {string} [functions] address of the module of functions
 * @property {ContactNames} contacts
 */

/**
 * What a worker is to do; a number stands for the batch with the next number that has one step of so many seconds and nothing else, and a buffer for a frame that
 * was read, which may have such a step in it (`HEAD.order`). Besides the entries of a journal there are
 *
 * - `['step', dt, ticket]`, with a ticket if somebody waits for it
 * - `['ask', ticket, name, arguments]`: the member `name` of the world
 * - `['open', ticket, what, number, options]`: a `history` or a `recording`, from then on known by the number
 * - `['of', ticket, number, name, arguments]`: the member `name` of it
 * - `['jump', ticket, number, name, arguments]`: the same; it takes the world elsewhere, and the answer is its snapshot. What
 *   comes then is left out until `['here']`, with which the page is there too
 * - `['close', number]`
 * - `['invoke', ticket, name, arguments]`: a function of the module
 * - `['contacts', 'contactFilter' | 'contactModifier', name]`: is the function of that name; null: none
 * - `['control', what, number, ...]`: about a character or vehicle (controls.mjs, host/controls.mjs)
 * - `['clock', dt, rate]`: steps of `dt` seconds from now on by the worker's own clock; 0: no more
 *
 * @typedef {object} Batch
 * @property {number} [batch] its number, from 1 on
 * @property {Changes} [changes]
 * @property {string[]} [listens] what somebody listens to, where that has changed
 * @property {SharedArrayBuffer | ArrayBuffer[]} [room] in place of that of before
 * @property {ArrayBuffer[]} [spare] frames that were read
 * @property {ArrayBuffer[]} [spent] memory of snapshots that are of no use any more
 */

/**
 * @typedef {object} Answer
 * @property {number} ticket
 * @property {unknown} [value]
 * @property {Failure} [failure]
 */

/**
 * What a worker tells; a buffer stands for a frame and nothing else.
 * @typedef {object} News
 * @property {string} [version] what the script is of: the first message, and nothing else is in it
 * @property {Answer[]} [answers]
 * @property {Failure[]} [failures] of what nobody waits for
 * @property {any[]} [steps] events of steps that had some
 * @property {ArrayBuffer} [frame] the newest, where memory is not shared
 * @property {Uint8Array<ArrayBuffer>} [snapshot]
 * @property {number} [snapshotBatch] the last batch that is in it
 */

export {}
