/**
 * Rooms over a bad network, in short: `npm run bench -- network --minutes 10` does it for long.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runBadNetwork } from '../../scripts/rooms/network.mjs'

/** Seconds that they play at least, and hashes that each client finds equal to the room's: on a busy machine that takes longer. */
const [SECONDS, HASHES] = [20, 10]
/** kbit/s: of a client in lockstep, both ways, with the frames of its WebSocket */
const LOCKSTEP_RATE = 5

test('two pages and a bot, 500 bodies, 200 ms and jitter, a twentieth lost: the hashes are the room’s', async () => {
  const { clients, bodies, complaints } = await runBadNetwork({ seconds: SECONDS, hashes: HASHES })
  assert.ok(bodies >= 500, `${bodies} bodies`)
  assert.deepEqual(complaints, [])
  for (const { name, mismatches, matches, states } of clients) {
    assert.equal(mismatches, 0, name)
    assert.ok(matches >= HASHES, `${name}: ${matches} hashes`)
    assert.equal(states, 0, `${name}: the whole state came again ${states} times`)
  }
  for (const { name, kilobits } of clients.slice(0, 3)) {
    assert.ok(kilobits < LOCKSTEP_RATE, `${name}: ${kilobits.toFixed(2)} kbit/s`)
  }
})
