/**
 * The SyncTest of `moreau/rollback` on a room of 200 bodies and up to 60 joints that come and go: in every frame the last 8 are made
 * again and compared.
 *
 *     npm run bench:state -- --sync-test [--frames 100000] [--solver soft-step]
 */
import { performance } from 'node:perf_hooks'
import { init, World } from 'moreau'
import { SyncTestSession } from 'moreau/rollback'
import { fillRoom, keysOf, playFrame } from './churn.mjs'

/** Frames that are made again in every frame. */
export const CHECK_DISTANCE = 8
/** Lines of progress. */
const REPORTS = 20

/**
 * Throws a Divergence at the first frame that comes out differently.
 * @param {number} frames
 * @param {import('moreau').WorldOptions} [options] of the world
 * @param {(frame: number, world: World) => void} [report] called after each frame
 * @returns {Promise<string>} the checksum at the end
 */
export async function runSyncTest(frames, options = {}, report = () => {}) {
  await init()
  const world = new World(options)
  fillRoom(world)
  const session = new SyncTestSession(world, {
    applyInputs: playFrame,
    checkDistance: CHECK_DISTANCE,
  })
  try {
    while (session.frame < frames) {
      session.advanceFrame(keysOf(session.frame))
      report(session.frame, world)
    }
    return session.checksum
  } finally {
    world.free()
  }
}

/**
 * The run by command, with a line now and then.
 * @param {number} frames
 * @param {import('moreau').WorldOptions} options
 */
export async function printSyncTest(frames, options) {
  const every = Math.max(1, Math.floor(frames / REPORTS))
  let start = performance.now()
  const hash = await runSyncTest(frames, options, (frame, { bodies, joints }) => {
    if (frame % every !== 0) return
    const time = (performance.now() - start) / every
    const there = `${bodies.length} bodies, ${joints.length} joints`
    process.stdout.write(`${frame} frames: ${there}, ${time.toFixed(1)} ms a frame\n`)
    start = performance.now()
  })
  process.stdout.write(
    `${frames} frames, each of the last ${CHECK_DISTANCE} made again in every one: no mismatch; ${hash}\n`,
  )
}
