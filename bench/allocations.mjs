import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Of every so many bytes one allocation is looked at, on the average. */
const SAMPLING_INTERVAL = 64

/** @typedef {{ selfSize: number, children: ProfileNode[] }} ProfileNode */

/** @param {ProfileNode} node @returns {number} bytes */
const sizeOf = ({ selfSize, children }) =>
  children.reduce((sum, child) => sum + sizeOf(child), selfSize)

/**
 * Bytes that this thread allocates on its heap per frame, garbage too, beside what frames without anything cost. It does not
 * depend on how busy the machine is.
 * @param {number} frames
 * @param {() => void} frame
 * @returns {Promise<number>}
 */
export async function allocatedPerFrame(frames, frame) {
  const empty = await allocated(frames, () => {})
  return ((await allocated(frames, frame)) - empty) / frames
}

/** @param {number} frames @param {() => void} frame */
async function allocated(frames, frame) {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: SAMPLING_INTERVAL,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  })
  for (let i = 0; i < frames; i++) {
    await sleep(1000 / 60)
    frame()
  }
  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  return sizeOf(profile.head)
}
