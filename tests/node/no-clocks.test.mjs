/**
 * No test looks at a clock: on a busy machine it would fail for nothing. What has to be measured belongs in bench/.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesBelow, root } from '../../scripts/tools.mjs'

const CLOCK =
  /performance\.now\(|Date\.now\(|new Date\(\)|cpuUsage\(|hrtime|\bclock_gettime|\bclock\(\)/

/** Those that may, and why. */
const MAY = [
  'tests/node/no-clocks.test.mjs', // itself
  'tests/node/worker.test.mjs', // a world that goes by the clock is never early, however late
  'tests/fuzz/javascript/fuzz.mjs', // progress, and a limit that only `npm run fuzz` sets
  'tests/native/destroy_bodies.c', // measures, for people: no test runs it
  'tests/native/time_broad_phase.c', // likewise
  'tests/browser/react/demos-bodies.mjs', // an animation
  'services/tests/rooms/bad-rooms.test.mjs', // keeps a thread busy
  'services/tests/rooms/http.test.mjs', // prints what refusals cost
  'services/tests/rooms/rooms.test.mjs', // prints how long players were without their room
  'services/tests/sweeps/command.mjs', // ends what hangs, after minutes
]

test('tests look at no clock', () => {
  const files = ['tests', 'services/tests'].flatMap((folder) => filesBelow(folder, /\.(mjs|c|h)$/))
  assert.ok(files.length > 200, `${files.length} files`)
  const lookers = files.filter((file) => CLOCK.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(lookers.sort(), [...MAY].sort())
})
