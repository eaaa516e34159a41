// A frame: what a world that shows another one needs of it, as doubles. Numbers at the beginning, then
// those of mo_world_get_motions for each slot.

/** Where the numbers at the beginning are. */
export const HEAD = Object.freeze({
  /** The last batch of changes that is in it. */
  batch: 0,
  /** Of the world, seconds. */
  time: 1,
  stepCount: 2,
  slotCount: 3,
  /** Seconds of the last step. */
  lastDt: 4,
  /** Steps that were asked for and are made, or were refused. */
  stepsDone: 5,
  /** When the world had this time, in milliseconds of the host's clock. */
  moment: 6,
  /** Seconds of the world per second of the clock; 0: it has no clock. */
  rate: 7,
  /** How many doubles of vehicles and characters there are behind the motions (control-rows.mjs). */
  controls: 8,
  /** On the way back: seconds of a step that is to be made; 0: none. */
  order: 9,
})

/** Frames that go back and forth: one is written, one is read, and one is on its way. */
export const BUFFERS = 3

/** Where the motions begin. */
export const MOTIONS = 10
/** Doubles per slot: MO_MOTION_NUMBERS of the engine. */
export const STRIDE = 16
/** In a slot: whether it is awake; below 0: it stays as it is. */
export const ACTIVITY = 3

/**
 * @param {number} slots
 * @param {number} controls doubles of vehicles and characters
 * @returns {number} doubles of a frame
 */
export const frameSize = (slots, controls) => MOTIONS + STRIDE * slots + controls
