import { setImmediate as turn } from 'node:timers/promises'
import { EVENT, NO_INPUT } from '../netcode/events.mjs'
import { encodeWelcome } from '../netcode/protocol.mjs'
import { RoomSimulation } from '../netcode/simulation.mjs'
import { stacks } from '../scenes/stacks.mjs'
import { encodeCheckpoint } from './checkpoint.mjs'

/** @import { RoomState } from '../netcode/simulation.mjs' */

/** Large enough that what is done for each body is done often, and small enough that it soon is. */
const OPTIONS = Object.freeze({ stacks: 60, height: 5 })
/** Rooms that are made, and frames of each: the first finds all contacts, the second those that there were. */
const [ROOMS, FRAMES] = [60, 2]
/** Who wants a room is its first player. */
const JOIN = Object.freeze({ frame: 0, player: 0, kind: EVENT.join, input: NO_INPUT })

/**
 * Does what new rooms need, until it is compiled: in the way of rooms that run, the first ones would take ten times as long as later ones.
 */
export async function warmUp() {
  const first = RoomSimulation.begin(stacks, OPTIONS)
  const state = first.state()
  first.free()
  for (let room = 0; room < ROOMS; room++) {
    runThrough(state)
    await turn()
  }
}

/** All that happens to a room of that state at its beginning. @param {RoomState} state */
function runThrough(state) {
  const simulation = RoomSimulation.restore(stacks, state)
  for (let frame = 0; frame < FRAMES; frame++) simulation.advance(frame === 0 ? [JOIN] : [])
  simulation.hash()
  writeOut(simulation.state())
  simulation.free()
}

/** As for the store, and for a client that comes. @param {RoomState} state */
function writeOut(state) {
  const rules = { scene: stacks.name, options: OPTIONS, mode: 'lockstep' }
  const nothing = { peers: [], tokens: [], events: [], firstEvent: 0, nextEvent: 0 }
  encodeCheckpoint('warm-up', { state, rules, frameZero: 0, ...nothing })
  const client = { player: 0, session: 0, token: new Uint8Array(16), received: 0, nextEvent: 0 }
  encodeWelcome({ ...state, ...client })
}
