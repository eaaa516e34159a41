// Vehicles and characters in a frame, behind the motions: of each a head and its numbers. Both sides know from it how much
// room they take.

import { CHARACTER_NUMBERS } from '../generated/records.mjs'
import * as WHEEL from '../generated/places/wheel.mjs'
import * as STATE from '../generated/places/wheel-state.mjs'

/** What is at the beginning: what it is, which one, and how many numbers follow. */
export const ROW = Object.freeze({ kind: 0, number: 1, count: 2, numbers: 3 })
export const KIND = Object.freeze({ vehicle: 1, character: 2 })

/** Contacts of a character, and how many there are (character-contacts.mjs; the test of characters fails at others). */
const TOUCHES = 1 + 8 * 8
/** Of a character: its state, and what it has met. */
export const CHARACTER_COUNT = CHARACTER_NUMBERS + TOUCHES

/** Numbers of a wheel in a snapshot: how it is built and driven, and then its state. */
export const SETTINGS = WHEEL.NUMBERS
export const WHEEL_STATE = STATE.NUMBERS

/** @param {number} wheels */
export const vehicleCount = (wheels) => WHEEL_STATE * wheels
