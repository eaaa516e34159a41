/**
 * A die as in die.mjs whose runs meet trouble, as the parameter `trouble` says: 1 throws where the world begins, 2 hangs, 3 ends its thread,
 * 4 throws where its result is read, 5 begins where no world can be, 6 eats all memory.
 */
import die from './die.mjs'

/** One run in so many is troubled. */
const EVERY = 16

/** @type {Record<number, () => unknown>} */
const troubles = {
  1: () => {
    throw new Error('a die too many')
  },
  2: () => {
    for (;;);
  },
  3: () => process.exit(7),
  5: () => [NaN, 0, 0, 0, 0, 0],
  6: () => {
    for (const hoard = []; ;) hoard.push(new Array(1e6).fill(hoard.length))
  },
}

/** @type {import('../../../source/sweeps/batch-simulation.mjs').SweepModule} */
export default {
  ...die,
  parameters: { ...die.parameters, trouble: 0, lot: 0 },
  startParameters: ['speed', 'spin', 'lot'],
  start(parameters, random, things) {
    const { trouble, lot } = parameters
    const numbers = die.start?.(parameters, random, things) ?? []
    const strange = Math.floor(lot * EVERY) === 0 ? troubles[trouble]?.() : undefined
    return /** @type {readonly number[]} */ (strange ?? numbers)
  },
  result(observed, parameters, hash) {
    if (parameters.trouble === 4 && Math.floor(parameters.lot * EVERY) === 0) throw 'no face is up'
    return die.result(observed, parameters, hash)
  },
}
